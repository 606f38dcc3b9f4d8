# SPDX-License-Identifier: BSD-3-Clause
"""Values that hardly any working machine has: a plain number is SI, and `bore=80` is 80 m.

Nothing is refused: a value beyond these bounds is reported with the reason and the unit that was probably meant, as a
warning at the line of a script, as a note for a file. Tested in tests/machine/test_unusual.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from knuckleboom.describe import Part, unit_of
from knuckleboom.units import factor


class Bound(NamedTuple):
    """What is usual for a setting, in SI; `meant` is the unit that a plain number was probably meant in."""

    unit: str
    least: float
    most: float
    reason: str
    meant: str

    def excludes(self, value: float) -> bool:
        """Return whether a value is far outside; nothing at all is not."""
        return value != 0.0 and not self.least <= value <= self.most


_PRESSURE = Bound("Pa", 1e3, 2e8, "Oil of working machines is at 1 to 700 bar.", "bar")
_ACROSS = Bound("m", 1e-3, 2.0, "The largest cylinders of presses are less than 2 m across.", "mm")
USUAL = {
    "bore": _ACROSS,
    "rod": _ACROSS,
    "stroke": Bound("m", 1e-4, 60.0, "The longest cylinders have strokes of about 30 m.", "mm"),
    "displacement": Bound("m^3/rad", 0.0, 1.0, "The largest motors take less than 1 m³ of oil per turn.", "cm3/rev"),
    "speed": Bound("rad/s", -1000.0, 1000.0, "Pumps of working machines turn at 500 to 5000 rpm.", "rpm"),
    "rated_speed": Bound("rad/s", -1000.0, 1000.0, "Pumps and motors turn below 5000 rpm.", "rpm"),
    **dict.fromkeys(("cutoff", "rated_pressure", "setting", "pressure", "pressure_a", "pressure_b"), _PRESSURE),
}
"""Settings by name; those of another unit, such as the speed of a joint, are not meant."""


class Unusual(UserWarning):
    """A value that hardly any working machine has."""


def unusual(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the settings of a part that are far outside, each with a sentence."""
    for field, bound in USUAL.items():
        value, info = getattr(part, field, None), type(part).model_fields.get(field)
        if info is None or unit_of(info) != bound.unit or not isinstance(value, float) or not bound.excludes(value):
            continue
        size = factor(bound.meant, bound.unit)
        text = (
            f"{field} is {value:g} {bound.unit}, which is {value / size:g} {bound.meant}; is this meant? {bound.reason}"
        )
        if not bound.excludes(value * size):
            text += f" A plain number is in {bound.unit}: write '{value:g} {bound.meant}' if that is meant."
        yield field, text
