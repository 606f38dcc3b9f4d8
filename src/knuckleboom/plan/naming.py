# SPDX-License-Identifier: BSD-3-Clause
"""Names of everything the engine records: which column of the record is which quantity of which part."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from knuckleboom.hydraulics.elements import flow_source
from knuckleboom.interface.contract import has
from knuckleboom.interface.forces import KINDS
from knuckleboom.machine import Machine
from knuckleboom.machine.elements import Force
from knuckleboom.mechanics.parts.held_sum import HeldSum
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.rows.description import is_valued
from knuckleboom.names import Names
from knuckleboom.net import Row
from knuckleboom.plan.contacts import name_contacts
from knuckleboom.plan.elements import declared, supplied
from knuckleboom.plan.impulses import name_impulses
from knuckleboom.plan.pairs import name_pairs
from knuckleboom.plan.payloads import name_payloads
from knuckleboom.plan.reactions import reacting_joints
from knuckleboom.plan.tables import Layout, body_names
from knuckleboom.plan.tires import name_tires
from knuckleboom.plan.work import first_columns
from knuckleboom.units import FORCE_UNITS, rate_unit

ENERGIES = (
    ("energy.kinetic", "kinetic energy of all bodies"),
    ("energy.potential", "potential energy in gravity, zero with all masses at the world's origin height"),
    ("energy.elastic", "energy in springs and stops"),
)
EXCHANGE, EXCHANGED = "energy.exchange", "energy.exchanged"
EXCHANGES = (
    (EXCHANGE, "energy that the last exchange made from nothing: work the mechanics got less what the power side gave"),
    (EXCHANGED, "the same of all exchanges so far, a part of energy.residual"),
)
LOOP_QUANTITIES = (
    ("residual", "row_s", "1", "how far the loop is open: m, and rad for axes"),
    ("residual_rate", "row_w", "1/s", "its rate: m/s, and rad/s for axes"),
    ("multiplier", "multiplier", "N", "force that closes the loop: N, and N*m for axes"),
)
ROW_WORDS = {
    "m": ("length", "speed", "force"), "rad": ("angle", "rate", "torque"), "m^3": ("volume", "flow", "pressure"),
}  # fmt: skip
"""What value, rate and force of a row are called, by the unit of its value."""
COORDINATE_UNITS = {"angle": ("rad", "rad/s", "rad/s^2"), "length": ("m", "m/s", "m/s^2")}


def name_record(machine: Machine, layout: Layout, size: dict[str, int]) -> Names:
    """Name the columns of the record, in the order in which people look for them."""
    first = first_columns(size)
    names = Names()
    name_joints(names, machine, layout, first)
    name_scalars(names, machine, layout, first)
    name_bodies(names, layout, first)
    name_rows(names, layout, first)
    name_loops(names, layout, first)
    name_drivers(names, layout, first)
    name_reactions(names, machine, first)
    name_contacts(names, layout.network.touches, first, layout.contact_power)
    if size["nmet"] > 0:
        name_impulses(names, layout.network, layout.limits, first)
    name_tires(names, layout.network.treads, first, layout.tire_power)
    name_pairs(names, layout.network, first, layout.pair_power)
    name_payloads(names, layout.network, first["energy"] + layout.payload_power, first["moving"])
    name_oil(names, layout, first)
    for number, (path, meaning) in enumerate(ENERGIES):
        names.add(path, "J", meaning, first["state_energy"] + number)
    name_energies(names, layout, first)
    if size["nexchanges"] > 0:
        for number, (path, meaning) in enumerate(EXCHANGES):
            names.add(path, "J", meaning, first["exchange"] + number)
    return names


def name_joints(names: Names, machine: Machine, layout: Layout, first: dict[str, int]) -> None:
    """Coordinates of the tree joints, their rates and accelerations."""
    for name, columns in layout.topology.tree.items():
        joint = machine.parts.get(name)
        if not isinstance(joint, Joint):
            continue  # a body on its own coordinates: its pose is recorded anyhow
        if joint.SPATIAL:
            name_spatial(names, joint, columns.q, columns.v, first)
            continue
        for (label, kind), q, v in zip(joint.COORDINATES, columns.q, columns.v, strict=True):
            unit, rate, acceleration = COORDINATE_UNITS[kind]
            names.add(f"{name}.{label}", unit, f"{label} of {joint.KIND} joint", first["q"] + q)
            names.add(f"{name}.{label}_rate", rate, f"rate of its {label}", first["v"] + v)
            names.add(f"{name}.{label}_acceleration", acceleration, f"acceleration of its {label}", first["v_dot"] + v)


def name_scalars(names: Names, machine: Machine, layout: Layout, first: dict[str, int]) -> None:
    """Coordinates of shafts and columns of oil, their rates and accelerations."""
    for name, columns in layout.topology.scalars.items():
        scalar, kind = machine.parts[name].scalar_inertia(), machine.parts[name].KIND
        assert scalar is not None
        value, rate = scalar.words
        meaning = scalar.meaning or f"{value} of the {kind} since the start"
        names.add(f"{name}.{value}", scalar.unit, meaning, first["q"] + columns.q[0])
        names.add(f"{name}.{rate}", rate_unit(scalar.unit), f"its {rate}", first["v"] + columns.v[0])
        unit = rate_unit(rate_unit(scalar.unit))
        names.add(f"{name}.acceleration", unit, f"rate of its {rate}", first["v_dot"] + columns.v[0])


def name_spatial(names: Names, joint: Joint, q: list[int], v: list[int], first: dict[str, int]) -> None:
    """A spherical or free joint: position, quaternion, and their rates as vectors."""
    if joint.KIND == "free":
        names.add(f"{joint.name}.position", "m", "b's place in a's axes", [first["q"] + k for k in q[:3]], "xyz")
        names.add(f"{joint.name}.velocity", "m/s", "its rate, in a's axes", [first["v"] + k for k in v[:3]], "xyz")
        accelerations = [first["v_dot"] + k for k in v[:3]]
        names.add(f"{joint.name}.acceleration", "m/s^2", "its second rate, in a's axes", accelerations, "xyz")
    turning = [first["v"] + k for k in v[-3:]]
    axes = [first["q"] + k for k in q[-4:]]
    names.add(f"{joint.name}.orientation", "1", "b relative to a, unit quaternion", axes, "wxyz")
    names.add(f"{joint.name}.angular_velocity", "rad/s", "of b relative to a, in b's axes", turning, "xyz")
    accelerations = [first["v_dot"] + k for k in v[-3:]]
    names.add(f"{joint.name}.angular_acceleration", "rad/s^2", "its rate, in b's axes", accelerations, "xyz")


def name_bodies(names: Names, layout: Layout, first: dict[str, int]) -> None:
    """Poses and velocities of the bodies' frames, and named points."""
    at = first["body"]
    for name in body_names(layout.topology):
        names.add(f"{name}.position", "m", "origin of the body in the world", range(at, at + 3), "xyz")
        names.add(f"{name}.orientation", "1", "its axes in the world, unit quaternion", range(at + 3, at + 7), "wxyz")
        names.add(f"{name}.velocity", "m/s", "velocity of its origin", range(at + 7, at + 10), "xyz")
        names.add(f"{name}.angular_velocity", "rad/s", "angular velocity, world axes", range(at + 10, at + 13), "xyz")
        at += 13
    at = first["point"]
    for body, point, _ in layout.points:
        path = f"{body}.{point}"
        names.add(f"{path}.position", "m", "point in the world", range(at, at + 3), "xyz")
        names.add(f"{path}.velocity", "m/s", "its velocity", range(at + 3, at + 6), "xyz")
        names.add(f"{path}.acceleration", "m/s^2", "its acceleration", range(at + 6, at + 9), "xyz")
        at += 9


def name_rows(names: Names, layout: Layout, first: dict[str, int]) -> None:
    """Interface rows: value, rate and force; of a part with several rows each has its own title."""
    held = {id(one) for row in layout.loops.kept for one in row.of}
    for number, row in enumerate(layout.rows[layout.nloop :], start=layout.nloop):
        if row.measures:
            name_measured(names, row, first["row_s"] + number, first["row_w"] + number)
            continue
        if id(row) in held:
            continue  # that of a shaft, for a sum
        value, rate, force = (f"{row.title}_{word}" if row.title else word for word in ROW_WORDS[row.unit])
        if row.part not in layout.topology.scalars:  # its own coordinate is named already
            if is_valued(row):
                names.add(f"{row.part}.{value}", row.unit, f"{value} along which it acts", first["row_s"] + number)
            names.add(f"{row.part}.{rate}", f"{row.unit}/s", "its rate", first["row_w"] + number)
        meaning = f"{force} on the mechanism, positive makes the {value} grow"
        names.add(f"{row.part}.{force}", FORCE_UNITS[row.unit], meaning, first["row_force"] + number)


def name_measured(names: Names, row: Row, value: int, rate: int) -> None:
    """A coordinate of a joint that is cut, and its rate."""
    units = COORDINATE_UNITS["angle" if row.unit == "rad" else "length"]
    names.add(f"{row.joint}.{row.label}", units[0], f"{row.label} of the joint", value)
    names.add(f"{row.joint}.{row.label}_rate", units[1], f"rate of its {row.label}", rate)


def name_loops(names: Names, layout: Layout, first: dict[str, int]) -> None:
    """Residuals and multipliers of everything that closes a loop."""
    owners: dict[str, list[int]] = {}
    for number, row in enumerate(layout.loops.kept):
        owners.setdefault(row.part, []).append(number)
    driven = {row.part for row in layout.loops.driven}
    for part, numbers in owners.items():
        if isinstance(layout.network.machine.parts.get(part), HeldSum):
            name_sum(names, layout.loops.kept[numbers[0]], numbers[0], first)
            continue
        for path, block, unit, meaning in LOOP_QUANTITIES[: 2 if part in driven else 3]:
            names.add(f"{part}.{path}", unit, meaning, [first[block] + n for n in numbers], "row")


def name_sum(names: Names, row: Row, number: int, first: dict[str, int]) -> None:
    """Residuals and multiplier of a held sum, in its units."""
    names.add(f"{row.part}.residual", row.unit, "how far its sum is from its value", first["row_s"] + number)
    names.add(f"{row.part}.residual_rate", rate_unit(row.unit), "its rate", first["row_w"] + number)
    shown = "pressure above ambient" if row.unit == "m^3" else ROW_WORDS[row.unit][2]
    meaning = f"{shown} that holds the sum; each of its terms gets minus its coefficient times it"
    names.add(f"{row.part}.multiplier", FORCE_UNITS[row.unit], meaning, first["multiplier"] + number)


def name_drivers(names: Names, layout: Layout, first: dict[str, int]) -> None:
    """What drivers move, how fast, and with what force."""
    for number, row in enumerate(layout.loops.driven):
        at, turning = first["driver"] + 3 * number, row.unit == "rad"
        value, rate, force = ("angle", "rate", "torque") if turning else ("length", "speed", "force")
        names.add(f"{row.part}.{value}", row.unit, f"{value} that it prescribes", at)
        names.add(f"{row.part}.{rate}", f"{row.unit}/s", "its rate", at + 1)
        meaning = f"{force} on the mechanism, positive makes the {value} grow"
        names.add(f"{row.part}.{force}", "N*m" if turning else "N", meaning, at + 2)


def name_reactions(names: Names, machine: Machine, first: dict[str, int]) -> None:
    """Force and moment that b gets from a in every joint."""
    at = first["reaction"]
    for joint in reacting_joints(machine):
        force, moment = range(at, at + 3), range(at + 3, at + 6)
        names.add(f"{joint.name}.reaction_force", "N", "force that b gets from a, world axes", force, "xyz")
        meaning = "moment that b gets from a, about b's place, world axes"
        names.add(f"{joint.name}.reaction_moment", "N*m", meaning, moment, "xyz")
        at += 6


def name_oil(names: Names, layout: Layout, first: dict[str, int]) -> None:
    """Pressures, volumes, flows, spools and inputs."""
    for number, node in enumerate(layout.nodes):
        names.add(f"{node.port}.pressure", "Pa", "absolute pressure", first["p"] + number)
        if node.source is None:
            names.add(f"{node.port}.volume", "m^3", "oil volume", first["V"] + number)
            names.add(f"{node.port}.strain", "1", "compression of the oil", first["x"] + number)
            names.add(
                f"{node.port}.energy", "J", "elastic energy of the oil, zero at ambient", first["oil_energy"] + number
            )
    for number, branch in enumerate(layout.branches):
        names.add(f"{branch.path}.flow", "m^3/s", f"flow from {branch.a} to {branch.b}", first["Q"] + number)
    for number, lag in enumerate(layout.lags):
        names.add(f"{lag.part}.{lag.name}", lag.unit, lag.meaning, first["x"] + layout.nvolume + number)
    for number, signal in enumerate(layout.inputs):
        names.add(f"{signal.part}.{signal.name}", signal.unit, signal.meaning or "input", first["u"] + number)
    modes = [(force.part, mode) for force in layout.forces for mode in declared(force).modes]
    seen: Counter[str] = Counter()
    for number, (part, mode) in enumerate(modes):
        path = f"{part}.{mode.name}"
        seen[path] += 1
        names.add(f"{path}_{seen[path]}" if seen[path] > 1 else path, "1", mode.meaning, first["z"] + number)
    for number, reading in enumerate(layout.readings):
        names.add(f"{reading.part}.{reading.name}", reading.unit, reading.meaning, first["reading"] + number)


class ForcePaths(NamedTuple):
    """Paths of an element's work, of the energy that it stores and of that it is supplied with."""

    work: str
    stored: str
    supplied: str


def force_paths(layout: Layout) -> list[ForcePaths]:
    """Those of each force element; numbered when a part has several of one label."""
    counts = Counter((force.part, KINDS[force.kind].ELEMENT.label) for force in layout.forces)
    seen: Counter[tuple[str, str]] = Counter()
    paths = []
    for force in layout.forces:
        label = KINDS[force.kind].ELEMENT.label
        seen[force.part, label] += 1
        number = f"_{seen[force.part, label]}" if counts[force.part, label] > 1 else ""
        paths.append(ForcePaths(*(f"{force.part}.{label}{word}{number}" for word in ForcePaths._fields)))
    return paths


def name_energies(names: Names, layout: Layout, first: dict[str, int]) -> None:
    """Integrals of power: work of each force and piston, loss of each branch, exchange of each node."""
    for number, (paths, force) in enumerate(zip(force_paths(layout), layout.forces, strict=True)):
        names.add(paths.work, "J", "work done on the mechanism so far", first["energy"] + number)
        if stores(force):
            names.add(paths.stored, "J", "elastic energy", first["stored"] + number)
    at = first["energy"] + len(layout.forces)
    for number, chamber in enumerate(layout.chambers):
        names.add(f"{chamber.path}.work", "J", "work of the oil there on the mechanism so far", at + number)
    at += len(layout.chambers)
    for number, force in enumerate(supplied(layout.forces)):
        path = force_paths(layout)[layout.forces.index(force)].supplied
        names.add(path, "J", "energy supplied so far", at + number)
    at = first["energy"] + layout.oil_power
    for number, branch in enumerate(layout.branches):
        if branch.kind == flow_source.KIND:
            names.add(f"{branch.path}.supplied", "J", "energy supplied so far", at + number)
        else:
            names.add(f"{branch.path}.loss", "J", "energy lost in the flow so far", at + number)
    at += len(layout.branches)
    for number, node in enumerate(layout.nodes):
        if node.source is None:
            meaning = "part of that energy that came with the growth of its volume so far"
            names.add(f"{node.port}.swept", "J", meaning, at + number)
        else:
            names.add(f"{node.port}.supplied", "J", "energy supplied so far, above ambient pressure", at + number)
    at += len(layout.nodes)
    for number, row in enumerate(layout.loops.driven):
        names.add(f"{row.part}.work", "J", "work done on the mechanism so far", at + number)


def stores(force: Force) -> bool:
    """Whether an element stores energy."""
    return has(KINDS[force.kind], "stored")
