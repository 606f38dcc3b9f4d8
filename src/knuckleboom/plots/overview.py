# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of a run: one overview, or levers, lengths, coordinates, pressures, flows and so on in a file each.

A picture is written when the run recorded something of its kind. A machine with many quantities of one kind gets those
that a designer looks at first (first.py), and the title says how many were left out. The overview has a panel each for
levers, cylinders, pressures, flows and power: it is drawn after every run, so it has to be quick.
"""

import io
from collections.abc import Callable
from pathlib import Path

from knuckleboom.plots.figure import draw
from knuckleboom.plots.first import apart, first, lively
from knuckleboom.results import Quantity, Results
from knuckleboom.results.files import replace_file

PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "inputs": ("inputs", ("*.input",)),
    "lengths": ("lengths of cylinders, springs and dampers", ("*.length",)),
    "coordinates": ("joint coordinates", ("*.angle", "*.angle_1", "*.angle_2", "*.travel", "*.x", "*.y")),
    "pressures": ("pressures, absolute", ("*.pressure",)),
    "flows": ("flows", ("*.flow",)),
    "power": ("power", ("*.power", "*.shaft_power")),
    "forces": ("forces", ("*.force", "*.torque")),
    "loop_gaps": ("gaps of closed loops", ("*.residual",)),
    "energy": ("energy", ("energy.*",)),
}
"""File name: title, and the patterns of what is drawn."""

MOVING = ("lengths", "coordinates")
OVERVIEW = (("inputs",), MOVING, ("pressures", "forces"), ("flows",), ("power", "energy"))
"""Panels of the overview: of each group the first kind that the run recorded."""

OVERVIEW_LINES = 6
MAX_LINES = 20
DOTS_PER_INCH = 100
COMPRESSION = 1  # of 9: the best compression takes as long as the drawing


def write_overview(results: Results, path: str | Path) -> Path:
    """Write one picture of a run as PNG: levers, what moves, pressures, flows and power."""
    shown: list[Quantity] = []
    for group in OVERVIEW:
        for name in group:
            quantities = lively(pick(results, name, PICTURES[name][1]))
            if quantities:
                units = [quantity.unit for quantity in quantities]
                alike = [quantity for quantity in quantities if quantity.unit == max(units, key=units.count)]
                shown += first(results, next(apart(alike)), OVERVIEW_LINES)
                break
    return _write(shown, results.machine, Path(path))


def _write(quantities: list[Quantity], title: str, path: Path) -> Path:
    picture = io.BytesIO()
    figure = draw(quantities, title)
    figure.savefig(picture, dpi=DOTS_PER_INCH, pil_kwargs={"compress_level": COMPRESSION})
    return replace_file(path, picture.getvalue())


def write_pictures(results: Results, folder: str | Path, progress: Callable[[float], None] | None = None) -> list[Path]:
    """Write a picture of each kind into a folder as PNG and return their paths; `progress` hears the fraction done."""
    target = Path(folder)
    written = []
    for index, (name, (title, patterns)) in enumerate(PICTURES.items()):
        if progress is not None:
            progress(index / len(PICTURES))
        quantities = pick(results, name, patterns)
        if not quantities:
            continue
        chosen = first(results, quantities, MAX_LINES)
        left_out = len(quantities) - len(chosen)
        note = f" ({left_out} more in the file)" if left_out else ""
        written.append(_write(chosen, f"{results.machine}: {title}{note}", target / f"{name}.png"))
    return written


def pick(results: Results, name: str, patterns: tuple[str, ...]) -> list[Quantity]:
    """Return what a run recorded of one kind; energies are only among the energies."""
    found = [quantity for pattern in patterns for quantity in results.find(pattern)]
    if name == "energy":
        return found
    return [quantity for quantity in found if not quantity.path.startswith("energy.")]
