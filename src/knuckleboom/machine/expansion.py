# SPDX-License-Identifier: BSD-3-Clause
"""What parts write in `expand`, collected: the protocol `net.Net` but for rows, which need to know where bodies are.

A check and a plan both expand parts with this class, so that a part gets the same from both. `Network`
(plan/network.py) adds rows on the links of the tree and the numbers that kernels use; `CircuitRecorder`
(machine/rules/recorder.py) has neither a tree nor kernels. Elements are named by their files.
Tested by tests/contract/test_net.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knuckleboom.describe import Place
from knuckleboom.hydraulics.parts.fluids import Fluid
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.machine.elements import Branch, Chamber, Force, Load, MovingOil, Node, Reading, Touch, Tread
from knuckleboom.machine.machine import Machine
from knuckleboom.mechanics.parts.terrain import Terrain
from knuckleboom.net import UNPLANNED, FromStart, NetSignal, Opening, Outline, Row, Steered, Surface, Vector
from knuckleboom.units import FORCE_UNITS, rate_unit

EFFICIENCY_ROUND = 100.0  # N: force of the oil below which friction by efficiency fades away


@dataclass
class Expansion:
    """Collects what parts write, under the name of the part that is being expanded."""

    machine: Machine
    part: str = field(default="", init=False)
    inputs: list[NetSignal] = field(default_factory=list, init=False)
    lags: list[NetSignal] = field(default_factory=list, init=False)
    steered_states: list[NetSignal] = field(default_factory=list, init=False)
    element_states: list[NetSignal] = field(default_factory=list, init=False)
    readings: list[Reading] = field(default_factory=list, init=False)
    rows: list[Row] = field(default_factory=list, init=False)
    forces: list[Force] = field(default_factory=list, init=False)
    touches: list[Touch] = field(default_factory=list, init=False)
    treads: list[Tread] = field(default_factory=list, init=False)
    loads: list[Load] = field(default_factory=list, init=False)
    moving: list[MovingOil] = field(default_factory=list, init=False)
    chambers: list[Chamber] = field(default_factory=list, init=False)
    nodes: dict[str, Node] = field(default_factory=dict, init=False)
    branches: list[Branch] = field(default_factory=list, init=False)
    own_oil: str = field(default="", init=False)

    # what only a plan has

    def _kind(self, element: str) -> int:
        """The number of an element, by the name of its file."""
        return UNPLANNED

    def _curve(self, points: Sequence[tuple[float, float]]) -> tuple[float, ...]:
        """Numbers of a smooth curve through points."""
        return ()

    def _stages(self, areas: Sequence[float], strokes: Sequence[float]) -> tuple[float, ...]:
        """Numbers of the stages of a telescopic cylinder."""
        return ()

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

    def spool(
        self, signal: NetSignal, time_constant: float, *, name: str = "spool",
        within: tuple[float, float] | None = None,
    ) -> NetSignal:  # fmt: skip
        if time_constant == 0.0:
            return signal
        meaning = f"{name} that follows {signal.meaning}"
        state = NetSignal(self.part, name, signal.unit, meaning, signal.default, signal, time_constant, within=within)
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
        return Opening(self._kind("opening_affine"), signal, (offset, gain))

    def edge(self, signal: NetSignal, gain: float, overlap: float, leak: float) -> Opening:
        return Opening(self._kind("opening_edge"), signal, (gain, overlap, leak))

    def table(self, signal: NetSignal, points: Sequence[tuple[float, float]]) -> Opening:
        pairs = tuple((float(at), float(opening)) for at, opening in points)
        return Opening(self._kind("opening_table"), signal, (), points=pairs, curve=self._curve(pairs))

    def product(self, signal: NetSignal, other: NetSignal | None, gain: float) -> Opening:
        return Opening(self._kind("opening_product"), signal, (gain,), factor=other)

    def _steer(self, name: str, unit: str, meaning: str, start: float, steered: Steered) -> NetSignal:
        state = NetSignal(self.part, name, unit, meaning, start, steered=steered)
        self.steered_states.append(state)
        return state

    def steered(
        self, command: NetSignal | float, limits: Sequence[tuple[str, str, float, float]], *, time_constant: float,
        name: str, product: float = math.inf,
    ) -> NetSignal:  # fmt: skip
        if not 1 <= len(limits) <= 2:  # the element has room for two
            raise ValueError(f"one or two limits, not {len(limits)}")
        signal = command if isinstance(command, NetSignal) else None
        value = command.default if isinstance(command, NetSignal) else command
        # a limit that is not there never acts
        high, low, setting, full = limits[1] if len(limits) == 2 else (*limits[0][:2], math.inf, 1.0)
        ports = (limits[0][0], limits[0][1], high, low)
        columns = (time_constant, value, limits[0][2], limits[0][3], setting, full, product)
        unit = command.unit if isinstance(command, NetSignal) else "1"
        meaning = f"{name} that pressures limit"
        return self._steer(name, unit, meaning, value, Steered(self._kind("limited"), ports, columns, signal))

    def sensed(
        self, by: Mapping[str, float], *, time_constant: float, name: str, unit: str, meaning: str
    ) -> NetSignal:  # fmt: skip
        if not 1 <= len(by) <= 4:  # the element has room for four
            raise ValueError(f"one to four pressures, not {len(by)}")
        given = [*by.items()] + [(next(iter(by)), 0.0)] * (4 - len(by))
        one, two, three, four = (port for port, _ in given)
        columns = (time_constant, *(weight for _, weight in given))
        return self._steer(
            name, unit, meaning, math.nan, Steered(self._kind("sensed"), (one, two, three, four), columns)
        )

    def reading(
        self, name: str, *, unit: str, meaning: str, gains: Sequence[float], flow: str = "", high: str = "",
        low: str = "", speed: NetSignal | Row | None = None, setting: NetSignal | None = None,
    ) -> None:  # fmt: skip
        self.readings.append(Reading(self.part, name, unit, meaning, tuple(gains), flow, high, low, speed, setting))

    # oil

    def _coefficient(self, port: str, area: float | None, cd: float, flow: tuple[float, float] | None) -> float:
        """kq = Cd·A·√(2/ρ), or from a catalogue's flow at a pressure drop."""
        if flow is not None:
            return flow[0] / math.sqrt(flow[1])
        if area is None:
            raise ValueError("a restrictor needs an area or a flow")
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
            opening = Opening(self._kind("opening_constant"), None, (float(opening),))
        kind = self._kind("restrictor_one_sided") if one_sided else self._kind("restrictor")
        numbers = (kq,) if one_sided else (kq, transition)
        self.branches.append(Branch(self.part, name, kind, a, b, numbers, opening))

    def opened(
        self, a: str, b: str, *, area: float | None = None, cd: float = 0.67, flow: tuple[float, float] | None = None,
        by: Mapping[str, float], setting: float, full: float, transition: float = 2e5, name: str = "flow",
    ) -> None:  # fmt: skip
        pilots = tuple(port for port in by if port not in (a, b))
        if len(pilots) > 2:  # the element has room for two
            raise ValueError(f"at most two pilots, not {len(pilots)}")
        weights = [by.get(port, 0.0) for port in (a, b, *pilots)]
        numbers = (self._coefficient(a, area, cd, flow), transition, setting, full, *weights)
        self.branches.append(Branch(self.part, name, self._kind("opened_restrictor"), a, b, numbers, pilots=pilots))

    def laminar(self, a: str, b: str, *, conductance: float, name: str = "leak") -> None:
        self.branches.append(Branch(self.part, name, self._kind("laminar"), a, b, (conductance,)))

    def flow(self, a: str, b: str, value: NetSignal | Opening, *, name: str = "flow") -> None:
        opening = value if isinstance(value, Opening) else Opening(self._kind("opening_signal"), value, ())
        self.branches.append(Branch(self.part, name, self._kind("flow_source"), a, b, (), opening))

    def pressure(self, port: str, value: float | NetSignal) -> None:
        self.nodes[port] = Node(port, self.part, self.own_oil, source=value)

    def volume(self, port: str, size: float, start: float, *, elastic: float = 0.0) -> None:
        self.nodes[port] = Node(port, self.part, self.own_oil, volume=size, start=start, elastic=elastic)

    def gas(self, port: str, size: float, *, precharge: float, exponent: float, start: float) -> None:
        self.nodes[port] = Node(port, self.part, self.own_oil, volume=size, start=start, gas=(precharge, exponent))

    def force_unit(self, row: Row) -> str:
        return FORCE_UNITS[row.unit]

    def rate_unit(self, row: Row) -> str:
        return rate_unit(row.unit)

    # forces

    def element(
        self, element: str, *rows: Row, curve: Sequence[tuple[float, float]] = (),
        **given: float | FromStart | NetSignal,
    ) -> None:  # fmt: skip
        self.forces.append(self._force(element, rows, tuple(self._curve(curve)) if curve else (), given))

    def _force(
        self, element: str, rows: tuple[Row, ...], curve: tuple[float, ...],
        given: Mapping[str, float | FromStart | NetSignal],
    ) -> Force:  # fmt: skip
        """The element; a plan knows its declaration, and sorts what it is given."""
        return Force(self.part, element, UNPLANNED, rows, (), curve=curve)

    def spring(
        self, row: Row, stiffness: float, rest: float | FromStart | None, damping: float, preload: float
    ) -> None:  # fmt: skip
        length = FromStart() if rest is None else rest
        self.element("spring", row, stiffness=stiffness, rest=length, damping=damping, preload=preload)

    def friction(
        self, row: Row, coulomb: float, viscous: float, speed: float, *, breakaway: float = 0.0, stribeck: float = 1.0
    ) -> None:  # fmt: skip
        extra = max(breakaway - coulomb, 0.0)
        self.element(
            "friction", row, coulomb=coulomb, viscous=viscous, speed=speed, extra=extra, stribeck=stribeck
        )  # fmt: skip

    def bristle(
        self, row: Row, *, coulomb: float, breakaway: float, stribeck: float, stiffness: float, damping: float,
        viscous: float, hold_speed: float,
    ) -> None:  # fmt: skip
        self.element(
            "bristle", row, coulomb=coulomb, breakaway=breakaway, stribeck=stribeck, stiffness=stiffness,
            damping=damping, viscous=viscous, hold_speed=hold_speed,
        )  # fmt: skip

    def efficiency(self, row: Row, loss: float, points: Sequence[tuple[float, float]]) -> None:
        self.element("efficiency", row, curve=points, loss=loss, round=EFFICIENCY_ROUND)

    def cushion(self, row: Row, *, at: float | FromStart, length: float, gain: float, side: int) -> None:
        self.element("cushion", row, at=at, length=length, gain=gain, side=float(side))

    def stop(
        self, row: Row, lower: float | FromStart | None, upper: float | FromStart | None, stiffness: float,
        damping: float,
    ) -> None:  # fmt: skip
        low = -math.inf if lower is None else lower
        high = math.inf if upper is None else upper
        self.element("stop", row, lower=low, upper=high, stiffness=stiffness, damping=damping)

    def push(self, row: Row, value: float | NetSignal) -> None:
        self.element("push", row, value=value)

    def servo(self, row: Row, speed: NetSignal, gain: float) -> None:
        self.element("servo", row, wanted=speed, gain=gain)

    def contact(
        self, at: Place, *, ground: str, path: str, outline: Outline, laws: tuple[tuple[float, ...], ...],
        stiffness: float | None, depth: float, friction: tuple[float, ...], arm: float, spots: int,
    ) -> None:  # fmt: skip
        bends = (("along", "along"), ("across", "across"), ("spin", "about the normal, at its arm"))
        # those of one part have names of their own
        before = f"{ground}." if path != self.part else ""
        states = tuple(
            NetSignal(self.part, f"{before}bend_{name}", "m", f"bend of its bristles {text}", 0.0)
            for name, text in bends
        )
        self.element_states += states
        touch = Touch(
            self.part, path, at, ground, outline, laws, stiffness, depth, friction, arm, spots, states
        )  # fmt: skip
        self.touches.append(touch)

    def tire(
        self, at: Place, *, axle: tuple[float, float, float], radius: float, spacing: float, discs: int,
        stiffness: float, damping: float, rim: float, friction: tuple[float, ...], rolling: float, published: bool,
    ) -> None:  # fmt: skip
        bends = [
            NetSignal(self.part, f"bend_{side}_{disc}", "m", f"bend of the bristles of disc {disc} {text}", 0.0)
            for disc in range(1, discs + 1)
            for side, text in (("along", "along its heading"), ("across", "to its left"))
        ]
        turn = NetSignal(self.part, "bend_rolling", "rad", "turn by which its rolling resistance is bent", 0.0)
        self.element_states += [*bends, turn]
        tread = Tread(
            self.part, at, axle, radius, spacing, discs, stiffness, damping, rim, friction, rolling, published,
            (*bends, turn),
        )  # fmt: skip
        self.treads.append(tread)

    def terrains(self, names: Sequence[str]) -> dict[str, list[Surface]]:
        found = self.machine.of(Terrain)
        return {one.name: one.surfaces for one in found if not names or one.name in names}

    def looks(self, at: Place) -> list[tuple[str, tuple[float, ...], Vector, Vector]]:
        body = self.machine.locate(at).body
        shapes = self.machine.appearance.get(body, ())
        return [(one.shape, one.size, one.at, one.rpy) for one in shapes if one.shape != "line"]

    def payload(
        self, at: Place, mass: NetSignal, *, box: tuple[float, float, float], falling_from: float
    ) -> None:  # fmt: skip
        self.loads.append(Load(self.part, at, mass, box, falling_from))

    def ends(self, row: Row, closed: float | None, stroke: float) -> tuple[float | FromStart, float | FromStart]:
        if closed is not None:
            return closed, closed + stroke
        return FromStart(-0.5 * stroke), FromStart(0.5 * stroke)

    def chamber(self, row: Row, port: str, *, area: float, dead: float, at: float | FromStart) -> None:
        self.chambers.append(Chamber(self.part, row, port, area, dead, at))

    def moving_oil(self, row: Row, port: str, *, area: float, at: float | FromStart, reach: float | FromStart) -> None:
        self.moving.append(MovingOil(self.part, row, port, area, self.density(port), at, reach))

    def stages(
        self, row: Row, port: str, *, areas: Sequence[float], strokes: Sequence[float], dead: float,
        at: float | FromStart,
    ) -> None:  # fmt: skip
        numbers = self._stages(areas, strokes)
        self.chambers.append(Chamber(self.part, row, port, areas[0], dead, at, stages=numbers))

    def motor(self, row: Row, port_a: str, port_b: str, displacement: float) -> None:
        for port, area in ((port_a, displacement), (port_b, -displacement)):
            self.chambers.append(Chamber(self.part, row, port, area, 0.0, 0.0, grows=False))

    def displacement(
        self, row: Row, a: str | None, b: str | None, displacement: float, setting: NetSignal | None
    ) -> None:  # fmt: skip
        for port, end, area in ((a, "a", displacement), (b, "b", -displacement)):
            if port is not None:
                path = f"{self.part}.{end}"
                self.chambers.append(
                    Chamber(self.part, row, port, area, 0.0, 0.0, grows=False, setting=setting, path=path)
                )  # fmt: skip
