# SPDX-License-Identifier: BSD-3-Clause
"""Result files: bit-for-bit round trip, other readers, whole files or none, sentences for what goes wrong."""

import csv
import errno
import os

import numpy as np
import pytest
import xarray

from knuckleboom.results import FileError, Results, load
from results.made_up_run import META, made_up_run, names, record


def test_netcdf_comes_back_bit_for_bit(tmp_path):
    run = made_up_run()
    run.record[3, 1] = np.nextafter(1.0, 2.0)
    run.record[4, 1] = 9.969209968386869e36  # netCDF's own fill value is a number like any other
    run.record[5, 1] = -5e-324
    back = load(run.to_netcdf(tmp_path / "run.nc"))
    assert back.record.tobytes() == run.record.tobytes()
    assert back.names == run.names
    assert back.meta == run.meta


def test_meta_data_of_any_depth_come_back(tmp_path):
    meta = {
        **META,
        "inputs": {"spool": [0.0, 0.1]},
        "flag": True,
        "nothing": None,
        "message": "Größe: 3 µm",
        "empty": [],
    }
    run = Results(names(), record(), meta)
    assert load(run.to_netcdf(tmp_path / "run.nc")).meta == run.meta


def test_xarray_reads_the_file(tmp_path):
    run = made_up_run()
    with xarray.open_dataset(run.to_netcdf(tmp_path / "run.nc")) as data:
        assert data["lift.a.pressure"].attrs["units"] == "Pa"
        assert data["boom.tip.position"].dims == ("time", "xyz")
        assert list(data["xyz"].values) == ["x", "y", "z"]
        np.testing.assert_array_equal(data["time"].values, run.time)
        np.testing.assert_array_equal(data["lift.a.pressure"].values, run["lift.a.pressure"].values)
        assert data.attrs["machine"] == "lifting boom"


def test_a_run_without_records_can_be_saved(tmp_path):
    run = Results(names(), np.empty((0, 18)), META)
    back = load(run.to_netcdf(tmp_path / "run.nc"))
    assert back.names == run.names and len(back.time) == 0


def test_csv_has_headings_with_units_and_every_digit(tmp_path):
    run = made_up_run()
    path = run.to_csv(tmp_path / "run.csv")
    with open(path, newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0][:3] == ["time [s]", "foot.angle [rad]", "lift.a.pressure [Pa]"]
    assert "boom.tip.position.x [m]" in rows[0] and "pin.residual[1] [m]" in rows[0]
    assert np.array(rows[1:], dtype=float).tobytes() == run.record.tobytes()


def test_folders_are_made(tmp_path):
    made_up_run().to_netcdf(tmp_path / "results" / "lifting boom" / "run.nc")
    assert [path.name for path in (tmp_path / "results" / "lifting boom").iterdir()] == ["run.nc"]


def test_a_full_disk_costs_no_older_file_and_leaves_nothing_behind(tmp_path, monkeypatch):
    run = made_up_run()
    path = run.to_netcdf(tmp_path / "run.nc")
    older = path.read_bytes()

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError) as caught:
        run.to_netcdf(path)
    assert "the disk is full" in str(caught.value)
    assert "The older 'run.nc' there is unchanged." in str(caught.value)
    assert path.read_bytes() == older
    assert [found.name for found in tmp_path.iterdir()] == ["run.nc"]


def test_a_path_through_a_file_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="Could not write"):
        made_up_run().to_netcdf(tmp_path / "file" / "run.nc")


def test_a_folder_is_not_replaced(tmp_path):
    (tmp_path / "run.nc").mkdir()
    with pytest.raises(FileError, match="there is a folder of that name"):
        made_up_run().to_netcdf(tmp_path / "run.nc")


def test_files_that_are_not_ours_are_refused(tmp_path):
    with pytest.raises(FileError, match="There is no result file"):
        load(tmp_path / "missing.nc")
    (tmp_path / "text.nc").write_text("time,angle\n")
    with pytest.raises(FileError, match="is not a netCDF file or is damaged"):
        load(tmp_path / "text.nc")
    xarray.Dataset({"a": ("x", [1.0])}).to_netcdf(tmp_path / "other.nc")
    with pytest.raises(FileError, match="but not one that Knuckleboom wrote"):
        load(tmp_path / "other.nc")


def test_a_cut_file_is_refused(tmp_path):
    path = made_up_run().to_netcdf(tmp_path / "run.nc")
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(FileError, match="is not a netCDF file or is damaged"):
        load(path)
