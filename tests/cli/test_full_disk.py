# SPDX-License-Identifier: BSD-3-Clause
"""A disk without room: said before the run, fewer records on it after the run, an older file never lost.

The real command in a process whose files may not grow beyond a limit, which every system has; a full disk of one's own
is not to be had everywhere. What is met is the same: a write that fails in the middle.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

from cli.command_line import COMMAND, environment
from knuckleboom.cli import keeping
from knuckleboom.cli.keeping import Keeper, write_fewer, write_somewhere
from knuckleboom.cli.output import Output
from knuckleboom.results import FileError, Results, files, load
from results.made_up_run import made_up_run, names

RUN = ("run", "naya-rod", "--for", "1s", "--no-plots", "--save", "out.nc")


def run_with_files_below(size: int, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the real command; no file of its process may become larger."""
    return subprocess.run(
        [*COMMAND, *RUN], cwd=folder, env=environment(TMPDIR=str(folder)), capture_output=True, text=True, timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the same run on a disk with room; it also compiles, so that only the results meet the limit."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run([*COMMAND, *RUN], cwd=folder, env=environment(), capture_output=True, check=True, timeout=300)
    return folder / "out.nc"


@pytest.mark.slow
def test_fewer_records_where_all_do_not_fit(whole: Path, tmp_path: Path) -> None:
    done = run_with_files_below(whole.stat().st_size // 3, tmp_path)

    kept, all_of_it = load(tmp_path / "out.nc"), load(whole)
    every = kept.meta["thinned"]
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"One of {every} records is there." in done.stderr and "The other records are lost." in done.stderr
    assert kept.status == "done" and kept.message.endswith(f"Only one of {every} records was kept.")
    assert np.array_equal(kept.record[:-1], all_of_it.record[::every][: len(kept.time) - 1])
    assert np.array_equal(kept.record[-1], all_of_it.record[-1])
    assert kept.energy().residual == pytest.approx(all_of_it.energy().residual, abs=1e-12)


@pytest.mark.slow
def test_an_older_file_is_kept_where_nothing_fits(whole: Path, tmp_path: Path) -> None:
    older = made_up_run().to_netcdf(tmp_path / "out.nc").read_bytes()

    done = run_with_files_below(1000, tmp_path)

    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "The older 'out.nc' there is unchanged." in done.stderr and "The results are lost." in done.stderr
    assert (tmp_path / "out.nc").read_bytes() == older
    assert [path.name for path in tmp_path.iterdir()] == ["out.nc"]


def test_results_that_will_not_fit_are_told_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keeping, "free_bytes", lambda target: 1_000_000)
    Keeper(tmp_path / "out.nc", Output(False))(100, names(), made_up_run)
    assert capsys.readouterr().err == ""
    Keeper(tmp_path / "out.nc", Output(False))(100_000, names(), made_up_run)
    told = capsys.readouterr().err
    assert "The results will take about 14.4 MB, but only 1.0 MB are free for " in told
    assert "--record" in told and "--save" in told
    Keeper(tmp_path / "out.csv", Output(False))(5000, names(), made_up_run)
    assert "about 1.8 MB" in capsys.readouterr().err


def test_room_is_that_of_the_nearest_folder(tmp_path: Path) -> None:
    assert keeping.free_bytes(tmp_path / "not" / "there" / "out.nc") > 0


def test_a_checkpoint_that_fails_is_told_once_and_the_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    keeper = Keeper(tmp_path / "file" / "out.nc", Output(False), every=0.0)
    for _ in range(4):
        keeper(10, names(), made_up_run)
    assert capsys.readouterr().err.count("This was a checkpoint; the run goes on.") == 1


def test_thinning_ends_with_the_first_and_the_last_record(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def full(results: Results, target: Path, chosen: object = None) -> Path:
        tried.append(len(results.time))
        error = FileError("the disk is full.")
        error.full = True
        raise error

    monkeypatch.setattr(keeping, "write", full)
    assert write_fewer(made_up_run(), Path("out.nc")) == 0
    assert tried == [51, 26, 14, 8, 5, 3, 2]
    with pytest.raises(FileError, match=r"The results are lost\."):
        write_somewhere(made_up_run(), Path("out.nc"))


CHOSEN = {"signals": "lift.*.pressure", "units": "human"}
HEADING = "time [s],lift.a.pressure [bar],lift.b.pressure [bar]"


@pytest.fixture
def small_disk(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A disk that holds one file of this many bytes, in every folder; 0 is one with room."""
    room = [0]
    write_whole = files.replace_file

    def replace_file(path: Path, content: bytes) -> Path:
        if len(content) > room[0] > 0:
            error = FileError("the disk is full.")
            error.full = True
            raise error
        return write_whole(path, content)

    monkeypatch.setattr(files, "replace_file", replace_file)
    return room


@pytest.mark.parametrize(("every", "kept"), [(None, "records"), (0.05, "lines")])
def test_a_full_disk_keeps_what_is_chosen_of_a_csv_file(
    tmp_path: Path, small_disk: list[int], every: float | None, kept: str
) -> None:
    chosen = CHOSEN if every is None else {**CHOSEN, "every": every}
    whole = write_somewhere(made_up_run(), tmp_path / "whole.csv", chosen)[0].read_text(encoding="utf-8").splitlines()
    small_disk[0] = (tmp_path / "whole.csv").stat().st_size * 2 // 3

    target, trouble = write_somewhere(made_up_run(), tmp_path / "out.csv", chosen)

    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[1] == whole[1] == HEADING
    assert lines[2:] == whole[2::2]
    assert f"One of 2 {kept} is there." in trouble and trouble.endswith(f"The other {kept} are lost.")


def test_another_disk_gets_what_is_chosen_of_a_csv_file(
    tmp_path: Path, small_disk: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").write_text("")

    target, trouble = write_somewhere(made_up_run(), tmp_path / "file" / "out.csv", {**CHOSEN, "every": 0.5})

    assert target.parent == tmp_path and trouble.endswith("instead, all of them.")
    assert target.read_text(encoding="utf-8").splitlines()[1:] == [HEADING, "0,76,40", "0.5,76.5,39.5", "1,77,39"]


def test_a_sample_time_that_makes_too_many_lines_leaves_the_other_choices(tmp_path: Path) -> None:
    target, trouble = write_somewhere(made_up_run(), tmp_path / "out.csv", {**CHOSEN, "every": 1e-9})

    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[1] == HEADING and len(lines) == 2 + len(made_up_run().time)
    assert trouble.startswith("--every: ") and trouble.endswith("The file has every record of what is chosen instead.")


def test_room_is_compared_with_what_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keeping, "free_bytes", lambda target: 1_000_000)
    Keeper(tmp_path / "out.csv", Output(False), chosen=CHOSEN)(5000, names(), made_up_run)

    assert capsys.readouterr().err == ""
