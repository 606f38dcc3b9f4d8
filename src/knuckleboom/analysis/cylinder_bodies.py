# SPDX-License-Identifier: BSD-3-Clause
"""Barrel and rod of a cylinder as bodies: two bodies, a pin at each end and a slide, with the oil's mass on them.

    kb.cylinder_bodies(m, "lift", barrel_mass="40 kg", rod_mass="25 kg", axis="y")

adds the bodies `lift_barrel` and `lift_rod` and the joints `lift_base`, `lift_slide` and `lift_head` where the cylinder
is at the start. The cylinder itself stays as it is, between its two pins: its oil, friction and stops are the same, and
the loop is closed like any other. Body axes: x from the base pin to the rod end, y along the pins.

What the bodies are like: the barrel is a thin tube from its pin to where the piston is when extended, the rod a solid
bar from the piston to its pin; `base` is how far the bottom of the bore is from the base pin. Write bodies and joints
yourself where that is too plain.

Oil mass [Ylinen 2014]: the columns in the chambers, ρ·A_a·x and ρ·A_b·(stroke − x) at the start stroke x, each halved
between its two ends: barrel's bottom and piston, piston and barrel's head. So every column weighs what it weighs at the
start, and its centre is in its middle at every stroke. Not in it: that columns grow and shrink (dm/dt), oil of dead
volumes and hoses, the speed-up of oil in narrow ports, and rotary inertia of a column, which two ends overstate by
m·l²/6. With `moving_oil` the columns move, grow and shrink instead (docs/moving_oil.md): the cylinder is then from
barrel to rod. Tested in tests/analysis/test_cylinder_bodies.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from knuckleboom.describe import Place, problem
from knuckleboom.errors import MachineError
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.interface.parts import Cylinder, SingleActingCylinder
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.handles import Handle
from knuckleboom.machine.placement import angles
from knuckleboom.plan import build
from knuckleboom.plan.planned import Planned
from knuckleboom.plan.rotation import Matrix
from knuckleboom.quantities import Quantity, unit_vector

MASS, LENGTH = Quantity("kg"), Quantity("m")
SQUARE = 1e-6
"""Largest cosine between the pins and the cylinder that still counts as a right angle."""


def cylinder_bodies(
    machine: Machine, cylinder: Any, *, barrel_mass: Any, rod_mass: Any, axis: Any = None, base: Any = 0.0,
    moving_oil: bool = False,
) -> tuple[Handle, Handle]:  # fmt: skip
    """Give a cylinder of a machine a barrel and a rod, and return them.

    `axis` is the direction of both pins in world axes, square to the cylinder; without it the barrel hangs on a cross
    and the rod on a ball. With `moving_oil` the mass of its oil follows the stroke.
    """
    name = cylinder if isinstance(cylinder, str) else cylinder.name
    part = machine.part(name)
    offset = LENGTH.read(base)
    if not isinstance(part, (Cylinder, SingleActingCylinder)):
        kinds = "a cylinder or single_acting_cylinder"
        raise _refused(machine, problem(part, f"barrel and rod are those of {kinds}."))
    planned = build(machine)
    a, b = _pose(planned, part.a), _pose(planned, part.b)
    length = float(np.linalg.norm(b[1] - a[1]))
    closed = length - 0.5 * part.stroke if part.closed is None else part.closed
    reach = closed - offset
    if reach < part.stroke:
        rule = f"its rod is {reach:.4g} m from piston to pin, shorter than its stroke of {part.stroke:.4g} m."
        raise _refused(machine, problem(part, rule, "Give a longer closed, or a smaller base.", field="closed"))
    axes = _axes(machine, part, (b[1] - a[1]) / length, axis)

    barrel_length, out = offset + part.stroke, length - closed
    barrel = machine.body(
        f"{name}_barrel", mass=barrel_mass, com=(0.5 * barrel_length, 0.0, 0.0),
        inertia=_round(MASS.read(barrel_mass), barrel_length, 0.5 * part.bore, hollow=True),
    )  # fmt: skip
    thick = getattr(part, "rod", 0.0) or 0.5 * part.bore
    rod = machine.body(
        f"{name}_rod", mass=rod_mass, com=(-0.5 * reach, 0.0, 0.0),
        inertia=_round(MASS.read(rod_mass), reach, 0.5 * thick, hollow=False),
    )  # fmt: skip
    for column, mass in {} if moving_oil else _columns(machine, part, out).items():
        end = offset if column == "oil_a" else barrel_length
        barrel.point_mass(column, 0.5 * mass, (end, 0.0, 0.0))
        rod.point_mass(column, 0.5 * mass, (-reach, 0.0, 0.0))

    base_place, head_place = _place(machine, part.a, a, axes), _place(machine, part.b, b, axes)
    kind = machine.universal if axis is None else machine.revolute
    kind(f"{name}_base", base_place, barrel, axis="y")
    machine.prismatic(f"{name}_slide", barrel, rod, axis="x", start=length)
    if axis is None:
        machine.spherical(f"{name}_head", rod, head_place)
    else:
        machine.revolute(f"{name}_head", rod, head_place, axis="y")
    if moving_oil:
        ends = {"a": machine.make_place(barrel.name), "b": machine.make_place(rod.name)}
        machine.put(part.model_copy(update={**ends, "oil_mass": True, "base": offset}))
    return barrel, rod


def _columns(machine: Machine, part: Cylinder | SingleActingCylinder, out: float) -> dict[str, float]:
    """Mass of the oil in each chamber at the start stroke, kg."""
    oil = machine.part(part.oil)
    assert isinstance(oil, Oil)
    columns = {"oil_a": oil.fluid.density * part.area_a * out}
    if isinstance(part, Cylinder):
        columns["oil_b"] = oil.fluid.density * part.area_b * (part.stroke - out)
    return columns


def _pose(planned: Planned, place: Place) -> tuple[Matrix, Matrix]:
    """Axes of a place's body and position of the place, in the world, at the start."""
    network, motion = planned.layout.network, planned.work.motion
    link, _, p = network.on_link(place)
    frame = network.topology.bodies[planned.machine.locate(place).body]
    R = motion.R_WL[link].reshape(3, 3)
    return R @ frame.R, motion.p_WO + motion.p_OL[link] + R @ p


def _axes(machine: Machine, part: Ram, x: Matrix, axis: Any) -> Matrix:
    """Axes of barrel and rod in the world, as columns: along the cylinder, along its pins, and across."""
    try:
        pins = np.eye(3)[np.argmin(np.abs(x))] if axis is None else np.array(unit_vector(axis))
    except (KeyError, TypeError, ValueError) as error:
        rule = f"axis is {axis!r}, which is no direction."
        raise _refused(machine, problem(part, rule, "Write x, y, z, -x, -y, -z or 3 values.")) from error
    along = float(pins @ x)
    if axis is not None and abs(along) > SQUARE:
        degrees = np.degrees(np.arccos(min(1.0, abs(along))))
        rule = f"its pins are {degrees:.4g} degrees from its own line at the start; they must be square to it."
        raise _refused(machine, problem(part, rule, "Give the axis of its pins, or leave axis out for balls."))
    y = pins - along * x
    y /= np.linalg.norm(y)
    return np.column_stack((x, y, np.cross(x, y)))


def _place(machine: Machine, place: Place, pose: tuple[Matrix, Matrix], axes: Matrix) -> Place:
    """The same place with the axes of barrel and rod."""
    located = machine.locate(place)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (pose[0].T @ axes).tolist()
    return machine.make_place(located.body, at=located.at, rpy=angles(((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))))


def _round(mass: float, length: float, radius: float, *, hollow: bool) -> tuple[float, float, float]:
    """Inertia of a tube or bar about its centre, x along it, kg·m²."""
    share = 1.0 if hollow else 0.5
    across = mass * (length**2 / 12.0 + 0.5 * share * radius**2)
    return share * mass * radius**2, across, across


def _refused(machine: Machine, *problems: Any) -> MachineError:
    return MachineError(list(problems), machine.where)
