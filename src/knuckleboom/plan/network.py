# SPDX-License-Identifier: BSD-3-Clause
"""What parts expand into: interface rows, forces on them, nodes, branches, openings, lags and inputs.

`Network` implements the protocol `describe.Net`. It collects elements under the name of the part that is being
expanded; `plan/tables.py` sorts them by kind into the arrays of the plan.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knuckleboom.describe import Place
from knuckleboom.hydraulics import network as hydraulic
from knuckleboom.hydraulics.elements import (
    flow_source,
    laminar,
    opened_restrictor,
    opening_affine,
    opening_edge,
    opening_signal,
    restrictor,
    restrictor_one_sided,
)
from knuckleboom.hydraulics.parts.fluids import CavitatingFluid, NayaFluid
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.interface.elements import friction, push, spring, stop
from knuckleboom.laws.oil_cavitating import strain_cavitating
from knuckleboom.laws.oil_naya import strain_naya
from knuckleboom.machine import Machine
from knuckleboom.mechanics import rows
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.topology import GROUND, Topology, describe_place, joint_axes
from knuckleboom.units import rate_unit


@dataclass(eq=False)
class NetSignal:
    """An input or a lagged state; its number among all signals is known when the plan is laid out."""

    part: str
    name: str
    unit: str
    meaning: str
    default: float
    follows: NetSignal | None = None
    time_constant: float = 0.0
    second: tuple[float, float] | None = None
    """ω² and 2ζω of a second-order state; its rate is the next state, and follows nothing."""


@dataclass(eq=False)
class Opening:
    """How far a restrictor is open, or what a flow source delivers."""

    kind: int
    signal: NetSignal | None
    numbers: tuple[float, ...]


@dataclass(eq=False)
class Row:
    """A row of mechanics/rows.py, its kind and columns; `unit` is that of its value."""

    part: str
    kind: int
    index: tuple[int, int, int, int]
    numbers: Matrix
    unit: str = "m"
    label: str = ""
    planar: bool = False
    bodies: tuple[str, str] = ("", "")
    """The bodies it acts on, a and b; none for rows of joint coordinates, which act inside their joint."""
    joint: str = ""
    """The joint in which it acts, where that is cut."""
    of: tuple[Row, Row] | None = None
    """The rows that a gear between joints that are cut holds in proportion, a and b."""

    @property
    def measures(self) -> bool:
        """Whether it only says where a joint that is cut stands, so that others can read it."""
        return bool(self.joint) and self.part == self.joint


@dataclass(frozen=True)
class FromStart:
    """A number that is the row's value at the assembled start, plus an offset."""

    offset: float = 0.0


@dataclass(eq=False)
class Force:
    """An element on a row."""

    part: str
    kind: int
    row: Row
    numbers: tuple[float | FromStart, ...]
    signal: NetSignal | None = None


@dataclass(eq=False)
class Chamber:
    """A chamber that opens on a node: signed area, dead volume, and the row's value where it has no stroke volume.

    One of a motor has its displacement for an area and does not grow: it hands on what it takes.
    """

    part: str
    row: Row
    port: str
    area: float
    dead: float
    zero: float | FromStart
    grows: bool = True


@dataclass(eq=False)
class Node:
    """A port with a pressure: a volume (with a start pressure) or a source."""

    port: str
    part: str
    oil: str
    volume: float = 0.0
    start: float | None = None
    source: float | NetSignal | None = None


@dataclass(eq=False)
class Branch:
    """Flow from port a to port b."""

    part: str
    name: str
    kind: int
    a: str
    b: str
    numbers: tuple[float, ...]
    opening: Opening | None = None
    pilots: tuple[str, str] | None = None

    @property
    def path(self) -> str:
        """Path of its quantities: the part's own name when it is the part's only flow."""
        return self.part if self.name == "flow" else f"{self.part}.{self.name}"


@dataclass
class Network:
    """Collects what the parts of a machine write."""

    machine: Machine
    topology: Topology
    part: str = ""
    inputs: list[NetSignal] = field(default_factory=list)
    lags: list[NetSignal] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    forces: list[Force] = field(default_factory=list)
    chambers: list[Chamber] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    branches: list[Branch] = field(default_factory=list)
    own_oil: str = ""

    def expand_all(self) -> None:
        """Let every part write itself, section by section, so that a machine read from a file gives the same plan."""
        for part in sorted(self.machine.parts.values(), key=lambda part: part.SECTION):
            self.part, self.own_oil = part.name, ""
            part.expand(self)  # type: ignore[arg-type]

    # signals and openings

    def oil(self, name: str) -> None:
        self.own_oil = name

    def input(self, default: float = 0.0, *, unit: str = "1", meaning: str = "") -> NetSignal:
        signal = NetSignal(self.part, "input", unit, meaning, default)
        self.inputs.append(signal)
        return signal

    def spool(self, signal: NetSignal, time_constant: float, *, name: str = "spool") -> NetSignal:
        if time_constant == 0.0:
            return signal
        meaning = f"{name} that follows {signal.meaning}"
        state = NetSignal(self.part, name, signal.unit, meaning, signal.default, signal, time_constant)
        self.lags.append(state)
        return state

    def second_order(
        self, signal: NetSignal, frequency: float, damping: float, *, name: str = "spool"
    ) -> NetSignal:  # fmt: skip
        omega = 2.0 * math.pi * frequency
        meaning = f"{name} that follows {signal.meaning}"
        columns = (omega * omega, 2.0 * damping * omega)
        state = NetSignal(self.part, name, signal.unit, meaning, signal.default, signal, second=columns)
        rate = NetSignal(self.part, f"{name}_rate", rate_unit(signal.unit), f"rate of the {name}", 0.0)
        self.lags += [state, rate]
        return state

    def affine(self, signal: NetSignal, offset: float, gain: float) -> Opening:
        return Opening(opening_affine.KIND, signal, (offset, gain))

    def edge(self, signal: NetSignal, gain: float, overlap: float, leak: float) -> Opening:
        return Opening(opening_edge.KIND, signal, (gain, overlap, leak))

    # oil

    def _coefficient(self, port: str, area: float | None, cd: float, flow: tuple[float, float] | None) -> float:
        """kq = Cd·A·√(2/ρ), or from a catalogue's flow at a pressure drop."""
        if flow is not None:
            return flow[0] / math.sqrt(flow[1])
        if area is None:
            raise ValueError(f"'{self.part}': a restrictor needs an area or a flow")
        return cd * area * math.sqrt(2.0 / self._fluid(self.oil_of(port)).density)

    def oil_of(self, port: str) -> str:
        """The oil in a port: that of the part which owns it."""
        return str(getattr(self.machine.port_owner(port), "oil", ""))

    def _fluid(self, oil: str) -> NayaFluid | CavitatingFluid:
        part = self.machine.parts[oil]
        assert isinstance(part, Oil)
        return part.fluid

    def restrictor(
        self, a: str, b: str, *, area: float | None = None, cd: float = 0.67, flow: tuple[float, float] | None = None,
        opening: float | Opening = 1.0, transition: float = 2e5, one_sided: bool = False, name: str = "flow",
    ) -> None:  # fmt: skip
        kq = self._coefficient(a, area, cd, flow)
        if not isinstance(opening, Opening):
            opening = Opening(hydraulic.CONSTANT, None, (float(opening),))
        kind = restrictor_one_sided.KIND if one_sided else restrictor.KIND
        numbers = (kq,) if one_sided else (kq, transition)
        self.branches.append(Branch(self.part, name, kind, a, b, numbers, opening))

    def check(
        self, a: str, b: str, *, area: float | None = None, cd: float = 0.67, flow: tuple[float, float] | None = None,
        cracking: float, full: float = 1e5, transition: float = 2e5, name: str = "flow",
    ) -> None:  # fmt: skip
        numbers = (self._coefficient(a, area, cd, flow), transition, cracking, full)
        self.branches.append(Branch(self.part, name, opened_restrictor.KIND, a, b, numbers, pilots=(a, b)))

    def laminar(self, a: str, b: str, *, conductance: float, name: str = "leak") -> None:
        self.branches.append(Branch(self.part, name, laminar.KIND, a, b, (conductance,)))

    def flow(self, a: str, b: str, value: NetSignal, *, name: str = "flow") -> None:
        opening = Opening(opening_signal.KIND, value, ())
        self.branches.append(Branch(self.part, name, flow_source.KIND, a, b, (), opening))

    def pressure(self, port: str, value: float | NetSignal) -> None:
        self.nodes[port] = Node(port, self.part, self.own_oil, source=value)

    def volume(self, port: str, size: float, start: float) -> None:
        self.nodes[port] = Node(port, self.part, self.own_oil, volume=size, start=start)

    def start_strain(self, node: Node) -> float:
        """Strain of a volume's oil at its start pressure."""
        fluid, start = self._fluid(node.oil), node.start or 0.0
        if isinstance(fluid, NayaFluid):
            return float(plain(strain_naya)(start, fluid.a, fluid.b))
        return float(plain(strain_cavitating)(start, fluid.bulk, fluid.vapour, fluid.half))

    def node_kind(self, node: Node) -> tuple[int, tuple[float, ...]]:
        """Kind of a node and its columns after the volume."""
        if node.source is not None:
            return hydraulic.SOURCE, (node.source if isinstance(node.source, float) else 0.0,)
        fluid = self._fluid(node.oil)
        if isinstance(fluid, NayaFluid):
            return hydraulic.NAYA, (fluid.a, fluid.b)
        return hydraulic.CAVITATING, (fluid.bulk, fluid.vapour, fluid.half)

    # rows

    def _add_row(self, row: Row) -> Row:
        self.rows.append(row)
        return row

    def bodies_of(self, a: Place, b: Place) -> tuple[str, str]:
        """The bodies of two places."""
        return self.machine.locate(a).body, self.machine.locate(b).body

    def on_link(self, place: Place) -> tuple[int, Matrix, Matrix]:
        """Link of a place, and its axes and origin there."""
        body, R, p = describe_place(self.machine, place)
        frame = self.topology.bodies[body]
        return frame.link, frame.R @ R, frame.p + frame.R @ p

    def length(self, a: Place, b: Place) -> Row:
        link_a, _, p_a = self.on_link(a)
        link_b, _, p_b = self.on_link(b)
        bodies = self.bodies_of(a, b)
        return self._add_row(Row(self.part, rows.LENGTH, (link_a, link_b, 0, 0), numbers(p_a, p_b), bodies=bodies))

    def across(self, part: str, joint: Joint, coordinate: int) -> Row:
        """The row of a coordinate of a joint that is cut: a slide, a turn, or a component of ω, which has no value."""
        link_a, R_a, p_a = self.on_link(joint.a)
        link_b, R_b, p_b = self.on_link(joint.b)
        axes_a, axes_b = R_a @ joint_axes(joint), R_b @ joint_axes(joint)
        label, kind = joint.COORDINATES[coordinate]
        words: dict[str, Any] = {"label": label, "joint": joint.name, "bodies": self.bodies_of(joint.a, joint.b)}
        movements = JOINTS[joint.KIND].movements
        if joint.SPATIAL and kind == "angle":
            f = axes_b[:, coordinate - len(movements) + 1]
            return Row(part, rows.ROTATION, (link_a, link_b, link_b, 0), numbers(f=f), "rad", **words)
        letter = "xyz".index(movements[coordinate][1])
        if kind == "length":
            return Row(part, rows.TRAVEL, (link_a, link_b, 0, 0), numbers(p_a, p_b, axes_a[:, letter]), "m", **words)
        # a first turn is about an axis of a, from x to x; the second one of a universal joint about x of b, from z to z
        second = letter == 0
        f, holder, mark = (axes_b[:, 0], link_b, 2) if second else (axes_a[:, 2], link_a, 0)
        columns = numbers(axes_a[:, mark], axes_b[:, mark], f)
        return Row(part, rows.ANGLE, (link_a, link_b, holder, 0), columns, "rad", **words)

    def measure_joints(self) -> None:
        """A row for every coordinate of the joints that are cut, so that controllers and records can read them."""
        for joint in self.machine.of(Joint):
            if joint.name not in self.topology.tree and not joint.SPATIAL:
                for place in range(len(joint.COORDINATES)):
                    self._add_row(self.across(joint.name, joint, place))

    def measured(self, joint: str, coordinate: int) -> Row:
        """The row that says where a joint that is cut stands."""
        described = self.machine.parts[joint]
        assert isinstance(described, Joint)
        label = described.COORDINATES[coordinate][0]
        found = (row for row in self.rows if row.measures and (row.joint, row.label) == (joint, label))
        # what a free joint travels is not measured for anyone else
        return next(found, None) or self._add_row(self.across(joint, described, coordinate))

    def coordinate(self, joint: str, index: int) -> Row:
        described = self.machine.parts[joint]
        assert isinstance(described, Joint)
        if joint not in self.topology.tree:
            return self._add_row(self.across(self.part, described, index))
        columns = self.topology.tree[joint]
        label, kind = described.COORDINATES[index]
        turning = described.SPATIAL and kind == "angle"
        iq = -1 if turning else columns.q[index]
        unit = "rad" if kind == "angle" else "m"
        return self._add_row(Row(self.part, rows.COORDINATE, (0, iq, 0, columns.v[index]), np.zeros(12), unit, label))

    def direction(self, place: Place, direction: tuple[float, float, float], frame: str) -> Row:
        link, R, p = self.on_link(place)
        f = np.asarray(direction, float) if frame == "world" else R @ np.asarray(direction, float)
        holder = 0 if frame == "world" else link
        bodies = (GROUND, self.machine.locate(place).body)
        return self._add_row(Row(self.part, rows.DIRECTION, (0, link, holder, 0), numbers(b=p, f=f), bodies=bodies))

    def turn(self, body: str, axis: tuple[float, float, float], frame: str) -> Row:
        on = self.topology.bodies[body]
        f = np.asarray(axis, float) if frame == "world" else on.R @ np.asarray(axis, float)
        holder = 0 if frame == "world" else on.link
        index = (0, on.link, holder, 0)
        return self._add_row(Row(self.part, rows.ROTATION, index, numbers(f=f), "rad", bodies=(GROUND, body)))

    def force_unit(self, row: Row) -> str:
        return "N*m" if row.unit == "rad" else "N"

    # forces

    def spring(self, row: Row, stiffness: float, rest: float | None, damping: float, preload: float) -> None:
        length = FromStart() if rest is None else rest
        self.forces.append(Force(self.part, spring.KIND, row, (stiffness, length, damping, preload)))

    def friction(self, row: Row, coulomb: float, viscous: float, speed: float) -> None:
        self.forces.append(Force(self.part, friction.KIND, row, (coulomb, viscous, speed)))

    def stop(self, row: Row, lower: float | None, upper: float | None, stiffness: float, damping: float) -> None:
        low = -math.inf if lower is None else lower
        high = math.inf if upper is None else upper
        self.forces.append(Force(self.part, stop.KIND, row, (low, high, stiffness, damping)))

    def push(self, row: Row, value: float | NetSignal) -> None:
        signal = value if isinstance(value, NetSignal) else None
        number = 0.0 if isinstance(value, NetSignal) else value
        self.forces.append(Force(self.part, push.KIND, row, (number,), signal))

    def cylinder(
        self, row: Row, *, port_a: str, port_b: str, area_a: float, area_b: float, closed: float | None, stroke: float,
        dead_a: float, dead_b: float, start_a: float, start_b: float, viscous: float, coulomb: float,
        friction_speed: float, leak: float, stop_stiffness: float, stop_damping: float,
    ) -> None:  # fmt: skip
        self.volume(port_a, 0.0, start_a)
        self.volume(port_b, 0.0, start_b)
        # without a closed length the piston starts in the middle
        half = 0.5 * stroke
        low = FromStart(-half) if closed is None else closed
        high = FromStart(half) if closed is None else closed + stroke
        self.chambers.append(Chamber(self.part, row, port_a, area_a, dead_a, low))
        self.chambers.append(Chamber(self.part, row, port_b, -area_b, dead_b, high))
        if coulomb > 0.0 or viscous > 0.0:
            self.friction(row, coulomb, viscous, friction_speed)
        if leak > 0.0:
            self.laminar(port_a, port_b, conductance=leak)
        self.forces.append(Force(self.part, stop.KIND, row, (low, high, stop_stiffness, stop_damping)))

    def motor(self, row: Row, port_a: str, port_b: str, displacement: float) -> None:
        for port, area in ((port_a, displacement), (port_b, -displacement)):
            self.chambers.append(Chamber(self.part, row, port, area, 0.0, 0.0, grows=False))


def numbers(
    a: Matrix | None = None, b: Matrix | None = None, f: Matrix | None = None, m: Matrix | None = None
) -> Matrix:
    """Columns of plan.rows.number: p_a, p_b, f, m."""
    return np.concatenate([np.zeros(3) if part is None else part for part in (a, b, f, m)])


def plain(kernel: Any) -> Any:
    """The Python function behind a kernel, with or without compilation."""
    return getattr(kernel, "py_func", kernel)
