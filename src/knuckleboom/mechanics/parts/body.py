# SPDX-License-Identifier: BSD-3-Clause
"""Rigid body: mass, centre of mass and inertia in its own axes, with named points and frames on it.

    inertia = I_com in body axes, as (xx, yy, zz), (xx, yy, zz, xy, xz, yz) or 3×3

The products are the elements of the inertia matrix (I_xy = −∫xy dm). Kept as six values. One that no mass could have is
refused, unless `inertia_as_given` says that it is meant, as for a robot whose file has it so: the equations of motion
only need a positive definite mass matrix. Point masses add to mass, centre of mass and inertia; the plan sums them.
Points are places with the body's axes, frames have their own (R = Rz(yaw)·Ry(pitch)·Rx(roll)). Both come back in
results as `body.point.position`. What a body looks like is not here but in the machine's `appearance`. A loose body, a
load on the hook or on the ground, moves like any other; it is counted apart from the machine.
Validated by: validation/analytic/test_free_body.py, test_fixed.py
"""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from knuckleboom.describe import Described, Fault, Part, param
from knuckleboom.quantities import Angles3, Flag, Inertia, Mass, Vec3, show

ROUNDING = 1e-9
"""Relative tolerance for symmetry, definiteness and the triangle inequality: typed values have few digits."""


MEANT = "If it is meant: inertia_as_given: true"
"""How to keep an inertia that no mass could have."""


class Frame(Described):
    """A place on a body with axes of its own."""

    at: Vec3 = param("origin in body axes", (0.0, 0.0, 0.0))
    rpy: Angles3 = param("roll, pitch, yaw", (0.0, 0.0, 0.0))


class PointMass(Described):
    """A mass without extension, fixed to a body."""

    mass: Mass = param("how much mass", least=0)
    at: Vec3 = param("where, in body axes", (0.0, 0.0, 0.0))


def _six(value: Any) -> Any:
    """Return an inertia of 3, 6 or 3×3 values as (xx, yy, zz, xy, xz, yz)."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        rows = [row for row in value if isinstance(row, (list, tuple))]
        if len(value) == 3 and not rows:
            return (*value, 0.0, 0.0, 0.0)
        if len(value) == 6 and not rows:
            return tuple(value)
        if len(value) == 3 and len(rows) == 3 and all(len(row) == 3 for row in rows):
            (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
            if not (_same(xy, yx) and _same(xz, zx) and _same(yz, zy)):
                raise ValueError("the 3×3 inertia is not symmetric")
            return xx, yy, zz, xy, xz, yz
    raise ValueError(f"{show(value)} is not an inertia; give 3 values (diagonal), 6 (xx yy zz xy xz yz) or 3×3")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= ROUNDING * max(abs(one), abs(other))
    return bool(one == other)


InertiaValues = Annotated[
    tuple[Inertia, Inertia, Inertia, Inertia, Inertia, Inertia],
    BeforeValidator(_six),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3},
                {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 6, "maxItems": 6},
                {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3},
                    "minItems": 3,
                    "maxItems": 3,
                },
            ]
        }
    ),
]


class Body(Part):
    """A rigid body with mass."""

    SECTION = "bodies"

    mass: Mass = param("mass of the body without its point masses", above=0)
    com: Vec3 = param("centre of mass in body axes", (0.0, 0.0, 0.0))
    inertia: InertiaValues = param("inertia about the centre of mass in body axes: 3, 6 or 3×3 values")
    points: dict[str, Vec3] = param("named points on the body", {})
    frames: dict[str, Frame] = param("named frames on the body", {})
    point_masses: dict[str, PointMass] = param("named masses fixed to the body", {})
    inertia_as_given: Flag = param("true: take the inertia as it is, also one that no mass could have", False)
    loose: Flag = param("true: not part of the machine, as a load on its hook is not; counted apart", False)

    def faults(self) -> Iterator[Fault]:
        if not self.inertia_as_given:
            yield from inertia_faults(self.inertia)


def inertia_faults(inertia: tuple[float, float, float, float, float, float]) -> Iterator[Fault]:
    """Yield what makes an inertia impossible: not positive semidefinite, or a principal moment above the others' sum.

    Both follow from Σ m·r rᵀ ⪰ 0: the matrix ½·tr(I)·1 − I must be positive semidefinite, and then so is I.
    """
    size = max(abs(value) for value in inertia)
    if size == 0.0:
        return
    xx, yy, zz, xy, xz, yz = (value / size for value in inertia)
    if not _semidefinite(xx, yy, zz, xy, xz, yz):
        yield Fault(
            f"inertia {listed_inertia(inertia)} is not positive semidefinite, so no mass could have it.",
            f"Check signs and order: xx, yy, zz, xy, xz, yz about the centre of mass. {MEANT}",
            field="inertia",
        )
        return
    half = 0.5 * (xx + yy + zz)
    if not _semidefinite(half - xx, half - yy, half - zz, -xy, -xz, -yz):
        yield Fault(
            f"inertia {listed_inertia(inertia)} has one principal moment larger than the sum of the other two, "
            "so no mass could have it.",
            f"Check the values: for a slender bar along x it is about (small, m·l²/12, m·l²/12). {MEANT}",
            field="inertia",
        )


def listed_inertia(inertia: tuple[float, float, float, float, float, float]) -> str:
    """Return an inertia as messages show it, without products that are zero."""
    shown = inertia if any(inertia[3:]) else inertia[:3]
    return f"({', '.join(f'{value:g}' for value in shown)})"


def _semidefinite(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> bool:
    """Return whether all principal minors of a matrix of size 1 are ≥ 0, but for rounding on its diagonal."""
    xx, yy, zz = xx + ROUNDING, yy + ROUNDING, zz + ROUNDING
    if min(xx, yy, zz) < 0.0:
        return False
    if min(xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz) < 0.0:
        return False
    whole = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return whole >= -ROUNDING
