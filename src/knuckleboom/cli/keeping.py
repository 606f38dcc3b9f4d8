# SPDX-License-Identifier: BSD-3-Clause
"""How results get onto the disk, whatever happens: found out before, kept meanwhile, written in the end.

Before a run its record is compared with the room on the disk. A long run writes what it has every now and then, so that
a killed process loses little. A disk that fills up gets every 2nd, 4th, … line, as many as it holds, and all of them go
to the folder for temporary files. An older file is replaced whole or not at all (results/files.py).
"""

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knuckleboom.cli.output import Output, WrongInput

if TYPE_CHECKING:
    from knuckleboom.names import Names
    from knuckleboom.results import Results

EVERY_S = 60.0
"""Time between two checkpoints of a run."""
SHARE = 20.0
"""A checkpoint that takes long is followed by the next after this many times as long."""

PICTURES = (".png", ".svg", ".pdf")

BYTES = {".csv": 20}
"""Bytes of a number in a file by its ending; 8 in others."""
BYTES_PER_QUANTITY = 3500
"""What the name, unit and meaning of a quantity take in a netCDF file."""


class Keeper:
    """Watches a run: says beforehand when its results will not fit, and writes checkpoints to its file."""

    def __init__(
        self, target: Path, output: Output, every: float = EVERY_S, chosen: Mapping[str, Any] | None = None
    ) -> None:
        self.target, self.output, self.every, self.chosen = target, output, every, chosen or {}
        self.due: float | None = None
        self.told = False

    def __call__(self, lines: int, names: "Names", so_far: "Callable[[], Results]") -> None:
        """Be called between the blocks of a run."""
        now = time.monotonic()
        if self.due is None:
            self.compare(lines, names)
            self.due = now + self.every
        elif now >= self.due:
            self.checkpoint(so_far())
            self.due = time.monotonic() + max(self.every, SHARE * (time.monotonic() - now))

    def count_columns(self, names: "Names") -> int:
        """Return how many columns the file will have; raise for quantities or units that the run does not have."""
        from knuckleboom.results.export import Export, ExportError

        if not self.chosen:
            return names.width
        try:
            chosen = Export.read(self.chosen.get("signals"), self.chosen.get("units"), None)
            return 1 + len(chosen.columns(names))
        except ExportError as error:
            raise WrongInput(str(error)) from error

    def compare(self, lines: int, names: "Names") -> None:
        """Say so when the file of these quantities will be larger than the room on its disk."""
        numbers = lines * self.count_columns(names)
        size = numbers * BYTES.get(self.target.suffix.lower(), 8) + BYTES_PER_QUANTITY * len(names)
        room = free_bytes(self.target)
        if size > room:
            self.output.note(
                f"The results will take about {size / 1e6:.1f} MB, but only {room / 1e6:.1f} MB are free for "
                f"'{self.target}': fewer records will be kept there. To keep all, record less often (--record) "
                "or save elsewhere (--save)."
            )

    def checkpoint(self, results: "Results") -> None:
        """Write what there is; a full disk is reported once, and the run goes on."""
        from knuckleboom.results.files import FileError

        if len(results.time) == 0:
            return
        results.meta["status"] = "interrupted"
        results.meta["message"] = f"It was still running after t = {results.time[-1]:.6g} s; this is a checkpoint."
        try:
            write(results, self.target, self.chosen)
        except FileError as error:
            if not self.told:
                self.output.note(f"{error} This was a checkpoint; the run goes on.")
            self.told = True


def free_bytes(target: Path) -> int:
    """Return the room on the disk of a file that may not be there yet, nor its folder."""
    folder = target.absolute().parent
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def refuse_unwritable(target: Path, option: str = "--save") -> None:
    """Find out before a long run whether its results can be written there; folders made for it are removed again."""
    from knuckleboom.results.files import FileError, replace_file

    if target.is_dir():
        raise WrongInput(f"{option}: '{target}' is a folder; name a file in it.")
    if target.exists() and not target.is_file():
        raise WrongInput(f"{option}: '{target}' is a device or a pipe; name a file.")
    probe = target.with_name(f".{target.name}.probe")
    made = [folder for folder in Path(os.path.realpath(target)).parents if not folder.exists()]
    try:
        replace_file(probe, b"").unlink()
    except FileError as error:
        raise WrongInput(str(error).replace(str(probe), str(target))) from error
    finally:
        # a command that is refused for another reason leaves nothing behind; an inner folder goes first
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()


def refuse_no_picture(target: Path, option: str) -> None:
    """Find out before a long computation whether its picture can be drawn and written there."""
    if target.suffix.lower() not in PICTURES:
        raise WrongInput(f"{option}: '{target}' is no picture; its name ends in {', '.join(PICTURES)}.")
    refuse_unwritable(target, option)


def write_somewhere(results: "Results", target: Path, chosen: Mapping[str, Any] | None = None) -> tuple[Path, str]:
    """Write the results to the target, or what fits there and all of them elsewhere; return where, and what went wrong.

    What is `chosen` of a CSV file is as for Results.to_csv, wherever it is written; where its sample time would make it
    too large, it has the times of all records. A FileError says that nothing could be written anywhere.
    """
    from knuckleboom.results.export import ExportError
    from knuckleboom.results.files import FileError

    chosen = chosen or {}
    try:
        return write(results, target, chosen), ""
    except ExportError as error:
        # what else is chosen is kept where a sample time does not fit; a run that failed may lack what is chosen at all
        left = {name: value for name, value in chosen.items() if name != "every"} if "every" in chosen else {}
        instead = "every record of what is chosen" if left else "the whole record"
        written, trouble = write_somewhere(results, target, left)
        return written, f"--{error}\nThe file has {instead} instead.\n{trouble}".strip()
    except FileError as error:
        kept = write_fewer(results, target, chosen) if error.full else 0
        lines = "lines" if "every" in chosen else "records"
        fewer = f" One of {kept} {lines} is there." if kept else ""
        other = Path(tempfile.gettempdir()) / f"knuckleboom-{os.getpid()}-{target.name}"
        try:
            written = write(results, other, chosen)
            return written, f"{error}{fewer}\nThe results are in '{other}' instead, all of them."
        except FileError as again:
            if kept:
                return target, f"{error}{fewer}\n{again}\nThe other {lines} are lost."
            raise FileError(f"{error}\n{again}\nThe results are lost.") from again


def write_fewer(results: "Results", target: Path, chosen: Mapping[str, Any] | None = None) -> int:
    """Write every 2nd, 4th, … record, or sample of what is chosen, until the file fits; return which, 0 when none."""
    from knuckleboom.results.files import FileError

    chosen = chosen or {}
    sampled = chosen.get("every")
    lines = (results.time[-1] - results.time[0]) / sampled + 1.0 if sampled else len(results.time)
    every = 2
    while every < 2 * lines:
        try:
            if sampled:
                write(results, target, {**chosen, "every": every * sampled})
            else:
                write(results.thinned(every), target, chosen)
            return every
        except FileError as error:
            if not error.full:
                return 0
        every *= 2
    return 0


def write(results: "Results", target: Path, chosen: Mapping[str, Any] | None = None) -> Path:
    """Write the results in the format that the file's name asks for, of a CSV file what is chosen."""
    return results.to_csv(target, **(chosen or {})) if is_csv(target) else results.to_netcdf(target)


def is_csv(target: Path) -> bool:
    """Whether a file's name asks for CSV."""
    return target.suffix.lower() == ".csv"


def read_choice(target: Path, **options: Any) -> dict[str, Any]:
    """What is chosen of a CSV file; options that are given for another file are refused."""
    chosen = {name: value for name, value in options.items() if value is not None}
    if chosen and not is_csv(target):
        names = " and ".join(f"--{name}" for name in chosen)
        raise WrongInput(f"{names}: only a CSV file has chosen columns and times; give --save a name such as run.csv.")
    return chosen
