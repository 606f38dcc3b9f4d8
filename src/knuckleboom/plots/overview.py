# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of a run: one overview, or coordinates, pressures, flows, forces, loop gaps and energy in a file each.

A picture is written when the run recorded something of its kind. A machine with many quantities of one kind gets the
ones that move most, and the title says how many were left out. The overview has a panel each for what moves, the
pressures and the energy: it is drawn after every run, so it has to be quick.
"""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

from knuckleboom.plots.figure import draw
from knuckleboom.results import Quantity, Results
from knuckleboom.results.files import replace_file

PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "coordinates": ("joint coordinates", ("*.angle", "*.angle_1", "*.angle_2", "*.travel", "*.x", "*.y")),
    "lengths": ("lengths of cylinders, springs and dampers", ("*.length",)),
    "pressures": ("pressures, absolute", ("*.pressure",)),
    "flows": ("flows", ("*.flow",)),
    "forces": ("forces", ("*.force", "*.torque")),
    "inputs": ("inputs", ("*.input",)),
    "loop_gaps": ("gaps of closed loops", ("*.residual",)),
    "energy": ("energy", ("energy.*",)),
}
"""File name: title, and the patterns of what is drawn."""

OVERVIEW = (("lengths", "coordinates"), ("pressures", "forces"), ("energy",))
"""Panels of the overview: of each group the first kind that the run recorded."""

OVERVIEW_LINES = 6
MAX_LINES = 20
DOTS_PER_INCH = 100
COMPRESSION = 1  # of 9: the best compression takes as long as the drawing


def write_overview(results: Results, path: str | Path) -> Path:
    """Write one picture of a run as PNG: what moves, the pressures, the energy."""
    shown: list[Quantity] = []
    for group in OVERVIEW:
        for name in group:
            quantities = pick(results, name, PICTURES[name][1])
            if quantities:
                shown += liveliest(quantities, OVERVIEW_LINES)
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
        chosen = liveliest(quantities, MAX_LINES)
        left_out = len(quantities) - len(chosen)
        note = f" (the {len(chosen)} that change most; {left_out} more in the file)" if left_out else ""
        written.append(_write(chosen, f"{results.machine}: {title}{note}", target / f"{name}.png"))
    return written


def pick(results: Results, name: str, patterns: tuple[str, ...]) -> list[Quantity]:
    """Return what a run recorded of one kind; energies are only among the energies."""
    found = [quantity for pattern in patterns for quantity in results.find(pattern)]
    if name == "energy":
        return found
    return [quantity for quantity in found if not quantity.path.startswith("energy.")]


def liveliest(quantities: list[Quantity], most: int) -> list[Quantity]:
    """Keep at most so many quantities: the ones with the largest range among those of their unit."""
    if len(quantities) <= most:
        return quantities
    ranges = [float(np.ptp(quantity.values)) if len(quantity) else 0.0 for quantity in quantities]
    largest = {quantity.unit: 0.0 for quantity in quantities}
    for quantity, size in zip(quantities, ranges, strict=True):
        largest[quantity.unit] = max(largest[quantity.unit], size)
    shares = [size / (largest[quantity.unit] or 1.0) for quantity, size in zip(quantities, ranges, strict=True)]
    kept = sorted(np.argsort(shares, kind="stable")[::-1][:most])
    return [quantities[index] for index in kept]
