# SPDX-License-Identifier: BSD-3-Clause
"""What numbers of a plan belong to, in words of the machine: a velocity, a coordinate, an equation.

Where every body has coordinates of its own (plan/reference_point.py), they are the body's: the movement by which it
hangs on the ground was made up, and no user knows its name.
"""

from __future__ import annotations

from knuckleboom.mechanics.elements import axes, slide
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.plan import Planned
from knuckleboom.units import rate_unit


def owner_of_velocity(planned: Planned, velocity: int) -> str:
    """The joint, body, shaft or shape that a velocity moves."""
    topology = planned.topology
    found = next((mover(planned, name) for name, at in topology.tree.items() if velocity in at.v), "")
    return found or next((scalar(planned, name) for name, at in topology.scalars.items() if velocity in at.v), "")


def owner_of_coordinate(planned: Planned, coordinate: int) -> str:
    """The joint, body, shaft or shape that a coordinate places."""
    topology = planned.topology
    found = next((mover(planned, name) for name, at in topology.tree.items() if coordinate in at.q), "")
    return found or next((scalar(planned, name) for name, at in topology.scalars.items() if coordinate in at.q), "")


def unit_of_velocity(planned: Planned, velocity: int) -> str:
    """Unit of a velocity."""
    for name, at in planned.topology.scalars.items():
        inertia = planned.machine.parts[name].scalar_inertia()
        if velocity in at.v and inertia is not None:
            return rate_unit(inertia.unit)
    link = max((link for link in planned.topology.links if link.v <= velocity), key=lambda link: link.v)
    return {slide.KIND: "m/s", axes.KIND: "1/s"}.get(link.kind, "rad/s")


def mover(planned: Planned, name: str) -> str:
    """A movement of the tree: a joint of the machine, or a body on its own coordinates."""
    return f"joint '{name}'" if name in planned.machine.parts else f"body '{planned.topology.crossings[name].far}'"


def scalar(planned: Planned, name: str) -> str:
    """A shaft or a shape."""
    return f"{planned.machine.parts[name].KIND} '{name}'"


def owner_of_equation(planned: Planned, row: int) -> str:
    """A loop equation by its label and its part: equation 'x' of joint 'wrist'."""
    equation = planned.layout.loops.kept[row]
    part = planned.machine.parts[equation.part]
    kind = "joint" if isinstance(part, Joint) else part.KIND
    return f"equation '{equation.label}' of {kind} '{equation.part}'"
