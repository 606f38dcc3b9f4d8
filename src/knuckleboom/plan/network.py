# SPDX-License-Identifier: BSD-3-Clause
"""What parts expand into: interface rows, forces on them, nodes, branches, openings, states, readings and inputs.

`Network` implements the protocol `net.Net`. It collects elements under the name of the part that is being expanded;
`plan/tables.py` sorts them by kind into the arrays of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from knuckleboom.describe import Place
from knuckleboom.hydraulics import network as hydraulic
from knuckleboom.hydraulics import oil_laws
from knuckleboom.hydraulics.elements import (
    flow_source,
    laminar,
    limited,
    opened_restrictor,
    opening_affine,
    opening_edge,
    opening_product,
    opening_signal,
    opening_table,
    restrictor,
    restrictor_one_sided,
    sensed,
)
from knuckleboom.hydraulics.parts.fluids import Fluid
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.interface.elements import bristle, cushion, efficiency, friction, push, servo, spring, stop
from knuckleboom.laws.curve import curve_numbers
from knuckleboom.laws.gas_spring import EMPTY, strain_gas
from knuckleboom.laws.oil_cavitating import strain_cavitating
from knuckleboom.laws.oil_constant import strain_constant
from knuckleboom.laws.oil_naya import strain_naya
from knuckleboom.laws.oil_with_air import strain_with_air
from knuckleboom.laws.stage_area import stage_numbers
from knuckleboom.machine import Machine
from knuckleboom.mechanics import rows
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.plan.elements import (
    Branch,
    Chamber,
    Force,
    FromStart,
    NetSignal,
    Node,
    Opening,
    Reading,
    Row,
    Steered,
)
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.topology import GROUND, Topology, describe_place, joint_axes
from knuckleboom.units import rate_unit

FLUIDS = {
    "naya": (oil_laws.NAYA, ("a", "b")),
    "cavitating": (oil_laws.CAVITATING, ("bulk", "vapour", "half")),
    "constant": (oil_laws.CONSTANT_BULK, ("bulk",)),
    "air": (oil_laws.WITH_AIR, ("bulk", "air", "reference", "vapour", "exponent")),
}
"""The kind of a volume filled with a fluid, and the fields of the fluid that are its columns."""
STRAINS = {
    oil_laws.NAYA: strain_naya,
    oil_laws.CAVITATING: strain_cavitating,
    oil_laws.CONSTANT_BULK: strain_constant,
    oil_laws.WITH_AIR: strain_with_air,
    oil_laws.GAS: strain_gas,
}
"""The strain at a pressure, of each kind of volume."""
EFFICIENCY_ROUND = 100.0  # N: force of the oil below which friction by efficiency fades away


@dataclass
class Network:
    """Collects what the parts of a machine write."""

    machine: Machine
    topology: Topology
    part: str = ""
    inputs: list[NetSignal] = field(default_factory=list)
    lags: list[NetSignal] = field(default_factory=list)
    steered_states: list[NetSignal] = field(default_factory=list)
    bristles: list[NetSignal] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
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

    def input(
        self, default: float = 0.0, *, unit: str = "1", meaning: str = "", name: str = "input",
        within: tuple[float, float] | None = None, held: bool = False,
    ) -> NetSignal:  # fmt: skip
        signal = NetSignal(self.part, name, unit, meaning, default, within=within, held=held)
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

    def table(self, signal: NetSignal, points: Sequence[tuple[float, float]]) -> Opening:
        return Opening(opening_table.KIND, signal, (), curve=curve_numbers(points))

    def product(self, signal: NetSignal, other: NetSignal | None, gain: float) -> Opening:
        return Opening(opening_product.KIND, signal, (gain,), factor=other)

    def _steer(self, name: str, unit: str, meaning: str, start: float, steered: Steered) -> NetSignal:
        state = NetSignal(self.part, name, unit, meaning, start, steered=steered)
        self.steered_states.append(state)
        return state

    def steered(
        self, command: NetSignal | float, limits: Sequence[tuple[str, str, float, float]], *, time_constant: float,
        name: str,
    ) -> NetSignal:  # fmt: skip
        if not 1 <= len(limits) <= 2:  # the element has room for two
            raise ValueError(f"'{self.part}': one or two limits, not {len(limits)}")
        signal = command if isinstance(command, NetSignal) else None
        value = command.default if isinstance(command, NetSignal) else command
        # a limit that is not there never acts
        high, low, setting, full = limits[1] if len(limits) == 2 else (*limits[0][:2], math.inf, 1.0)
        ports = (limits[0][0], limits[0][1], high, low)
        columns = (time_constant, value, limits[0][2], limits[0][3], setting, full)
        unit = command.unit if isinstance(command, NetSignal) else "1"
        meaning = f"{name} that pressures limit"
        return self._steer(name, unit, meaning, value, Steered(limited.KIND, ports, columns, signal))

    def sensed(
        self, by: Mapping[str, float], *, time_constant: float, name: str, unit: str, meaning: str
    ) -> NetSignal:  # fmt: skip
        if not 1 <= len(by) <= 4:  # the element has room for four
            raise ValueError(f"'{self.part}': one to four pressures, not {len(by)}")
        given = [*by.items()] + [(next(iter(by)), 0.0)] * (4 - len(by))
        one, two, three, four = (port for port, _ in given)
        columns = (time_constant, *(weight for _, weight in given))
        return self._steer(name, unit, meaning, math.nan, Steered(sensed.KIND, (one, two, three, four), columns))

    def reading(
        self, name: str, *, unit: str, meaning: str, gains: Sequence[float], flow: str = "", high: str = "",
        low: str = "", speed: NetSignal | None = None,
    ) -> None:  # fmt: skip
        self.readings.append(Reading(self.part, name, unit, meaning, tuple(gains), flow, high, low, speed))

    # oil

    def _coefficient(self, port: str, area: float | None, cd: float, flow: tuple[float, float] | None) -> float:
        """kq = Cd·A·√(2/ρ), or from a catalogue's flow at a pressure drop."""
        if flow is not None:
            return flow[0] / math.sqrt(flow[1])
        if area is None:
            raise ValueError(f"'{self.part}': a restrictor needs an area or a flow")
        return cd * area * math.sqrt(2.0 / self.density(port))

    def oil_of(self, port: str) -> str:
        """The oil in a port: that of the part which owns it."""
        return str(getattr(self.machine.port_owner(port), "oil", ""))

    def _fluid(self, oil: str) -> Fluid:
        part = self.machine.parts[oil]
        assert isinstance(part, Oil)
        return part.fluid

    def density(self, port: str) -> float:
        return self._fluid(self.oil_of(port)).density

    def viscosity(self, port: str) -> float:
        return self._fluid(self.oil_of(port)).viscosity

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

    def opened(
        self, a: str, b: str, *, area: float | None = None, cd: float = 0.67, flow: tuple[float, float] | None = None,
        by: Mapping[str, float], setting: float, full: float, transition: float = 2e5, name: str = "flow",
    ) -> None:  # fmt: skip
        pilots = tuple(port for port in by if port not in (a, b))
        if len(pilots) > 2:  # the element has room for two
            raise ValueError(f"'{self.part}': at most two pilots, not {len(pilots)}")
        weights = [by.get(port, 0.0) for port in (a, b, *pilots)]
        numbers = (self._coefficient(a, area, cd, flow), transition, setting, full, *weights)
        self.branches.append(Branch(self.part, name, opened_restrictor.KIND, a, b, numbers, pilots=pilots))

    def laminar(self, a: str, b: str, *, conductance: float, name: str = "leak") -> None:
        self.branches.append(Branch(self.part, name, laminar.KIND, a, b, (conductance,)))

    def flow(self, a: str, b: str, value: NetSignal | Opening, *, name: str = "flow") -> None:
        opening = value if isinstance(value, Opening) else Opening(opening_signal.KIND, value, ())
        self.branches.append(Branch(self.part, name, flow_source.KIND, a, b, (), opening))

    def pressure(self, port: str, value: float | NetSignal) -> None:
        self.nodes[port] = Node(port, self.part, self.own_oil, source=value)

    def volume(self, port: str, size: float, start: float, *, elastic: float = 0.0) -> None:
        self.nodes[port] = Node(port, self.part, self.own_oil, volume=size, start=start, elastic=elastic)

    def gas(self, port: str, size: float, *, precharge: float, exponent: float, start: float) -> None:
        columns = (precharge, exponent, EMPTY)
        self.nodes[port] = Node(port, self.part, self.own_oil, volume=size, start=start, gas=columns)

    def start_strain(self, node: Node) -> float:
        """Strain of a volume's oil or gas at its start pressure."""
        kind, columns = self.node_kind(node)
        return float(plain(STRAINS[kind])(node.start or 0.0, *columns))

    def start_pressure(self, port: str) -> float:
        """Pressure of a port at the start."""
        node = self.nodes[port]
        source = node.source.default if isinstance(node.source, NetSignal) else node.source
        return (node.start or 0.0) if source is None else source

    def start_value(self, state: NetSignal) -> float:
        """Where a state begins: at its input, or at what the start pressures want."""
        if state.steered is None:
            return state.default
        p = [self.start_pressure(port) for port in state.steered.ports]
        columns = state.steered.numbers
        if state.steered.kind == sensed.KIND:
            return float(plain(sensed.law)(*p, *columns[1:]))
        share = plain(limited.share)
        return float(columns[1] * share(p[0] - p[1], *columns[2:4])[0] * share(p[2] - p[3], *columns[4:])[0])

    def node_kind(self, node: Node) -> tuple[int, tuple[float, ...]]:
        """Kind of a node and its columns after the volume."""
        if node.source is not None:
            return oil_laws.SOURCE, (node.source if isinstance(node.source, float) else 0.0,)
        if node.gas is not None:
            return oil_laws.GAS, node.gas
        fluid = self._fluid(node.oil)
        kind, columns = FLUIDS[fluid.law]
        return kind, tuple(getattr(fluid, column) for column in columns)

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

    def rate_unit(self, row: Row) -> str:
        return rate_unit(row.unit)

    # forces

    def spring(
        self, row: Row, stiffness: float, rest: float | FromStart | None, damping: float, preload: float
    ) -> None:  # fmt: skip
        length = FromStart() if rest is None else rest
        self.forces.append(Force(self.part, spring.KIND, row, (stiffness, length, damping, preload)))

    def friction(
        self, row: Row, coulomb: float, viscous: float, speed: float, *, breakaway: float = 0.0, stribeck: float = 1.0
    ) -> None:  # fmt: skip
        extra = max(breakaway - coulomb, 0.0)
        self.forces.append(Force(self.part, friction.KIND, row, (coulomb, viscous, speed, extra, stribeck)))

    def bristle(
        self, row: Row, *, coulomb: float, breakaway: float, stribeck: float, stiffness: float, damping: float,
        viscous: float, hold_speed: float,
    ) -> None:  # fmt: skip
        numbers = (coulomb, breakaway, stribeck, stiffness, damping, viscous, hold_speed)
        state = NetSignal(self.part, "bristle", row.unit, "bend of the bristles of its friction", 0.0)
        self.bristles.append(state)
        self.forces.append(Force(self.part, bristle.KIND, row, numbers, state))

    def efficiency(self, row: Row, loss: float, points: Sequence[tuple[float, float]]) -> None:
        columns = (loss, EFFICIENCY_ROUND)
        self.forces.append(Force(self.part, efficiency.KIND, row, columns, curve=curve_numbers(points)))

    def cushion(self, row: Row, *, at: float | FromStart, length: float, gain: float, side: int) -> None:
        self.forces.append(Force(self.part, cushion.KIND, row, (at, length, gain, float(side))))

    def stop(
        self, row: Row, lower: float | FromStart | None, upper: float | FromStart | None, stiffness: float,
        damping: float,
    ) -> None:  # fmt: skip
        low = -math.inf if lower is None else lower
        high = math.inf if upper is None else upper
        self.forces.append(Force(self.part, stop.KIND, row, (low, high, stiffness, damping)))

    def push(self, row: Row, value: float | NetSignal) -> None:
        signal = value if isinstance(value, NetSignal) else None
        number = 0.0 if isinstance(value, NetSignal) else value
        self.forces.append(Force(self.part, push.KIND, row, (number,), signal))

    def servo(self, row: Row, speed: NetSignal, gain: float) -> None:
        self.forces.append(Force(self.part, servo.KIND, row, (gain,), speed))

    def ends(self, row: Row, closed: float | None, stroke: float) -> tuple[float | FromStart, float | FromStart]:
        if closed is not None:
            return closed, closed + stroke
        return FromStart(-0.5 * stroke), FromStart(0.5 * stroke)

    def chamber(self, row: Row, port: str, *, area: float, dead: float, at: float | FromStart) -> None:
        self.chambers.append(Chamber(self.part, row, port, area, dead, at))

    def stages(
        self, row: Row, port: str, *, areas: Sequence[float], strokes: Sequence[float], dead: float,
        at: float | FromStart,
    ) -> None:  # fmt: skip
        numbers = stage_numbers(areas, strokes)
        self.chambers.append(Chamber(self.part, row, port, areas[0], dead, at, stages=numbers))

    def motor(self, row: Row, port_a: str, port_b: str, displacement: float) -> None:
        for port, area in ((port_a, displacement), (port_b, -displacement)):
            self.chambers.append(Chamber(self.part, row, port, area, 0.0, 0.0, grows=False))


def numbers(
    a: Matrix | None = None, b: Matrix | None = None, f: Matrix | None = None, m: Matrix | None = None
) -> Matrix:
    """Columns of plan.rows.number: p_a, p_b, f, m."""
    return np.concatenate([np.zeros(3) if part is None else part for part in (a, b, f, m)])


def plain(kernel: Any) -> Any:
    """The Python function behind a kernel, and behind those it calls, with or without compilation."""
    function = getattr(kernel, "py_func", None)
    if function is None:
        return kernel
    scope = function.__globals__
    called = {name: plain(scope[name]) for name in function.__code__.co_names if hasattr(scope.get(name), "py_func")}
    return FunctionType(function.__code__, scope | called, function.__name__)
