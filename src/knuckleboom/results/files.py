# SPDX-License-Identifier: BSD-3-Clause
"""Result files: netCDF-4, whole, reads back bit for bit. CSV is written by export.py.

In a netCDF file every quantity is a variable under its own path with `units`, `long_name`, `dim`, its `order` and
its `columns` of the record; dimensions are `time`, `xyz`, `wxyz` and one `<part>.row` per constraint. What is known
about the run is kept as JSON in the attribute `meta`, and once more as plain attributes for other programs. Files are
written beside their target and then renamed, so that a full disk or a kill never costs an older file; whatever goes
wrong becomes a `FileError` with one sentence. The file is built in memory first: HDF5 cannot be trusted to come back
from a failed write. Tested in tests/results/test_files.py.
"""

import contextlib
import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import KnuckleboomError
from knuckleboom.names import SIZES, Names
from knuckleboom.results.quantity import dimension_of

Array = NDArray[np.float64]

FORMAT = 1
"""Version of the layout of our netCDF files, kept in the attribute `knuckleboom_results`."""

REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than is allowed here",
    errno.EACCES: "no permission to write there",
    errno.EROFS: "the disk can only be read",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
    errno.EISDIR: "there is a folder of that name",
}


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Reasons that a smaller file would not meet."""


class FileError(KnuckleboomError):
    """A result file that could not be written or read; its text is a sentence for the user, `full` says "no room"."""

    full = False


def write_netcdf(path: str | Path, names: Names, record: Array, meta: Mapping[str, Any]) -> Path:
    """Write a record with its names and meta data to `path` and return it."""
    return replace_file(Path(path), _netcdf_bytes(names, record, meta))


def read_netcdf(path: str | Path) -> tuple[Names, Array, dict[str, Any]]:
    """Return the names, the record and the meta data of a file that `write_netcdf` wrote."""
    import netCDF4

    source = Path(path)
    if not source.is_file():
        raise FileError(f"There is no result file '{source}'.")
    try:
        dataset = netCDF4.Dataset(source, "r")
    except OSError as error:
        raise FileError(f"'{source}' is not a netCDF file or is damaged: {error.strerror or error}.") from error
    with dataset:
        dataset.set_auto_mask(False)
        if "knuckleboom_results" not in dataset.ncattrs():
            raise FileError(f"'{source}' is a netCDF file, but not one that Knuckleboom wrote.")
        if dataset.knuckleboom_results > FORMAT:
            raise FileError(f"'{source}' was written by a newer Knuckleboom. Update this one to read it.")
        return *_read_record(dataset), json.loads(dataset.meta)


def plain_attributes(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of meta that any netCDF reader understands: texts and numbers."""
    return {key: value for key, value in meta.items() if isinstance(value, str | int | float) and value is not True}


def _netcdf_bytes(names: Names, record: Array, meta: Mapping[str, Any]) -> memoryview:
    import netCDF4

    # without `memory` the library would write to disk itself; the size is a first guess that grows
    dataset = netCDF4.Dataset("results.nc", "w", format="NETCDF4", memory=record.nbytes + 2**16)
    for key, value in plain_attributes(meta).items():
        dataset.setncattr(key, value)
    dataset.setncattr("knuckleboom_results", FORMAT)
    dataset.setncattr("meta", json.dumps(dict(meta), allow_nan=False))

    dataset.createDimension("time", len(record))
    time = dataset.createVariable("time", "f8", ("time",), fill_value=False)
    time.setncatts({"units": "s", "long_name": "time"})
    time[:] = record[:, 0]
    for name, size in SIZES.items():
        dataset.createDimension(name, size)
        dataset.createVariable(name, str, (name,))[:] = np.array(list(name), dtype=object)

    for order, signal in enumerate(names):
        dimensions = ["time"]
        dimension = dimension_of(signal)
        if dimension is not None:
            if dimension not in dataset.dimensions:
                dataset.createDimension(dimension, len(signal.columns))
            dimensions.append(dimension)
        variable = dataset.createVariable(signal.path, "f8", dimensions, fill_value=False)
        variable.setncatts({"units": signal.unit, "long_name": signal.meaning, "dim": signal.dim or ""})
        variable.setncatts({"order": order, "columns": np.array(signal.columns, dtype=np.int32)})
        columns = list(signal.columns) if dimension is not None else signal.columns[0]
        variable[:] = record[:, columns]
    content: memoryview = dataset.close()
    return content


def _read_record(dataset: Any) -> tuple[Names, Array]:
    # the library lists variables by name; their order and columns are those of the run
    variables = [variable for path, variable in dataset.variables.items() if path != "time" and path not in SIZES]
    names = Names()
    for variable in sorted(variables, key=lambda one: int(one.order)):
        columns = np.atleast_1d(variable.columns)
        names.add(variable.name, variable.units, variable.long_name, columns, variable.dim or None)

    record = np.zeros((len(dataset.dimensions["time"]), names.width))
    record[:, 0] = dataset["time"][:]
    for signal in names:
        record[:, signal.columns] = np.asarray(dataset[signal.path][:]).reshape(len(record), len(signal.columns))
    return names, record


def replace_file(target: Path, content: bytes | memoryview) -> Path:
    """Write to a temporary file beside the target, make sure it is on disk, then rename; a link is followed."""
    place = Path(os.path.realpath(target))
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise OSError(errno.EPERM, "it is a device or a pipe, not a file")
        place.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, place)
    except OSError as error:
        reason = REASONS.get(error.errno or 0, error.strerror or str(error))
        older = f" The older '{target.name}' there is unchanged." if target.is_file() else ""
        failed = FileError(f"Could not write '{target}' ({len(content) / 1e6:.1f} MB): {reason}.{older}")
        failed.full = error.errno in NO_ROOM
        raise failed from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
    return target
