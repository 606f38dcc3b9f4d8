# SPDX-License-Identifier: BSD-3-Clause
"""What parts expand into on a tree: `Expansion`, which collects it, with rows on links and the numbers of kernels.

`plan/tables.py` sorts the elements by kind into the arrays of the plan.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knuckleboom.describe import Place
from knuckleboom.errors import MachineError
from knuckleboom.hydraulics import network as hydraulic
from knuckleboom.hydraulics import oil_laws
from knuckleboom.hydraulics.elements import limited, sensed
from knuckleboom.interface import forces
from knuckleboom.interface.contract import Element, State, name_of, takes
from knuckleboom.kernels import plain
from knuckleboom.laws.curve import curve_numbers
from knuckleboom.laws.gas_spring import EMPTY, strain_gas
from knuckleboom.laws.oil_cavitating import strain_cavitating
from knuckleboom.laws.oil_constant import strain_constant
from knuckleboom.laws.oil_naya import strain_naya
from knuckleboom.laws.oil_with_air import strain_with_air
from knuckleboom.laws.stage_area import stage_numbers
from knuckleboom.machine.elements import Force, Node
from knuckleboom.machine.expanding import ExpandError, expand_part
from knuckleboom.machine.expansion import Expansion
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.shaft_of import ShaftOf
from knuckleboom.mechanics.rows.description import new_row
from knuckleboom.names import closest
from knuckleboom.net import FromStart, NetSignal, Row
from knuckleboom.plan.pairing import Pairing, Shape, pair_up
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.topology import GROUND, Columns, Topology, describe_place, joint_axes

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
KINDS: dict[str, int] = {"opening_constant": hydraulic.CONSTANT} | {
    module.__name__.rpartition(".")[2]: module.KIND
    for module in (*hydraulic.BRANCHES, *hydraulic.OPENINGS, *hydraulic.STEERED)
}
"""The kinds of oil's elements by the names of their files."""
NUMBERS = (float, int, FromStart, NetSignal)
ELEMENTS = {name_of(module): (number, module.ELEMENT) for number, module in enumerate(forces.KINDS)}
"""Numbers and declarations of elements on rows."""


@dataclass
class Network(Expansion):
    """Collects what the parts of a machine write, with rows on the links of a tree."""

    topology: Topology
    shapes: list[Shape] = field(default_factory=list, init=False)
    """Those that may touch others, and their pairs."""
    pairings: list[Pairing] = field(default_factory=list, init=False)

    def expand_all(self) -> None:
        """Let every part write itself, section by section, so that a machine read from a file gives the same plan."""
        for part in sorted(self.machine.parts.values(), key=lambda part: part.SECTION):
            self.part, self.own_oil = part.name, ""
            try:
                expand_part(part, self)
            except ExpandError as error:
                raise MachineError([self.machine.placed(error.problem)], self.machine.where) from error
        self.shapes, self.pairings = pair_up(self)
        self.element_states += [state for one in self.pairings for state in one.states]

    # what only a plan has

    def _kind(self, element: str) -> int:
        return KINDS[element]

    def _curve(self, points: Sequence[tuple[float, float]]) -> tuple[float, ...]:
        return tuple(curve_numbers(points))

    def _stages(self, areas: Sequence[float], strokes: Sequence[float]) -> tuple[float, ...]:
        return tuple(stage_numbers(areas, strokes))

    def _force(
        self, element: str, rows: tuple[Row, ...], curve: tuple[float, ...],
        given: Mapping[str, float | FromStart | NetSignal],
    ) -> Force:  # fmt: skip
        if element not in ELEMENTS:
            raise ValueError(f"there is no element '{element}'; {near(element, ELEMENTS)}")
        kind, declared = ELEMENTS[element]
        refuse_wrong(element, declared, rows, given)
        if bool(curve) != ("numbers" in takes(forces.KINDS[kind], "law")):
            raise ValueError(f"element '{element}' {'has no' if curve else 'lacks its'} curve")
        if len(rows) > 1:
            for row, title in zip(rows, (*declared.rows, *declared.reads), strict=True):
                row.title = row.title or title
        values = [given[name] for name in declared.columns]
        numbers = tuple(0.0 if isinstance(value, NetSignal) else value for value in values)
        wanted = [given[name] for name in declared.signals]
        signals = tuple(value if isinstance(value, NetSignal) else None for value in wanted)
        states = tuple(self._state(state, rows[0]) for state in declared.states)
        self.element_states += states
        return Force(self.part, element, kind, rows, numbers, signals, states, curve)

    def _state(self, state: State, row: Row) -> NetSignal:
        """A state of an element that is being written; numbered where the part has several of the name."""
        path = re.compile(rf"{state.name}(_\d+)?")
        held = sum(one.part == self.part and path.fullmatch(one.name) is not None for one in self.element_states)
        name = f"{state.name}_{held + 1}" if held else state.name
        return NetSignal(self.part, name, state.unit or row.unit, state.meaning, state.start)

    # where oil and states begin

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
        free = float(columns[1] * share(p[0] - p[1], *columns[2:4])[0] * share(p[2] - p[3], *columns[4:6])[0])
        return min(free, columns[6] / (p[2] - p[3])) if p[2] > p[3] else free

    def node_kind(self, node: Node) -> tuple[int, tuple[float, ...]]:
        """Kind of a node and its columns after the volume."""
        if node.source is not None:
            return oil_laws.SOURCE, (node.source if isinstance(node.source, float) else 0.0,)
        if node.gas is not None:
            return oil_laws.GAS, (*node.gas, EMPTY)
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
        columns = {"p_a": p_a, "p_b": p_b}
        return self._add_row(new_row("length", self.part, (link_a, link_b, 0, 0), columns, bodies=bodies))

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
            return new_row("rotation", part, (link_a, link_b, link_b, 0), {"f": f}, **words)
        letter = "xyz".index(movements[coordinate][1])
        if kind == "length":
            columns = {"p_a": p_a, "p_b": p_b, "f": axes_a[:, letter]}
            return new_row("travel", part, (link_a, link_b, 0, 0), columns, **words)
        # a first turn is about an axis of a, from x to x; the second one of a universal joint about x of b, from z to z
        second = letter == 0
        f, holder, mark = (axes_b[:, 0], link_b, 2) if second else (axes_a[:, 2], link_a, 0)
        columns = {"e_a": axes_a[:, mark], "e_b": axes_b[:, mark], "f": f}
        return new_row("angle", part, (link_a, link_b, holder, 0), columns, **words)

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
        return self._coordinate(self.part, iq, columns.v[index], unit, label=label)

    def scalar(self, part: str, title: str = "") -> Row:
        described = self.machine.parts[part]
        if isinstance(described, ShaftOf):
            row = self.coordinate(described.joint, described.coordinate)
            row.title = title
            return row
        columns, scalar = self.topology.scalars[part], described.scalar_inertia()
        assert scalar is not None
        words: dict[str, Any] = {"label": scalar.words[0], "title": title, "scalar": True}
        return self._coordinate(self.part, columns.q[0], columns.v[0], scalar.unit, **words)

    def _coordinate(self, part: str, q: int, v: int, unit: str, **words: Any) -> Row:
        """The row of a coordinate in the tree."""
        return self._add_row(new_row("coordinate", part, (0, q, 0, v), unit=unit, **words))

    def turning(self, shaft: str) -> Columns | None:
        """Where angle and speed of a shaft stand in q and v; none where it is that of a joint that is cut."""
        described = self.machine.parts[shaft]
        if not isinstance(described, ShaftOf):
            return self.topology.scalars[shaft]
        columns, place = self.topology.tree.get(described.joint), described.coordinate
        return None if columns is None else Columns([columns.q[place]], [columns.v[place]])

    def measured_shaft(self, part: str, shaft: str) -> Row:
        """The row of the coordinate of a shaft or column of oil, for what a part holds by it."""
        described, columns = self.machine.parts[shaft], self.turning(shaft)
        if columns is None:
            assert isinstance(described, ShaftOf)
            return self.measured(described.joint, described.coordinate)
        scalar = described.scalar_inertia()
        unit = "rad" if scalar is None else scalar.unit
        return self._coordinate(part, columns.q[0], columns.v[0], unit, title=shaft, scalar=True)

    def direction(self, place: Place, direction: tuple[float, float, float], frame: str) -> Row:
        link, R, p = self.on_link(place)
        f = np.asarray(direction, float) if frame == "world" else R @ np.asarray(direction, float)
        holder = 0 if frame == "world" else link
        bodies = (GROUND, self.machine.locate(place).body)
        return self._add_row(
            new_row("direction", self.part, (0, link, holder, 0), {"p_b": p, "f": f}, bodies=bodies)
        )  # fmt: skip

    def turn(self, body: str, axis: tuple[float, float, float], frame: str) -> Row:
        on = self.topology.bodies[body]
        f = np.asarray(axis, float) if frame == "world" else on.R @ np.asarray(axis, float)
        holder = 0 if frame == "world" else on.link
        index = (0, on.link, holder, 0)
        return self._add_row(new_row("rotation", self.part, index, {"f": f}, bodies=(GROUND, body)))


def refuse_wrong(
    element: str, declared: Element, rows: Sequence[Row], given: Mapping[str, float | FromStart | NetSignal]
) -> None:
    """Raise ValueError where an element is given other rows, columns or signals than it declares."""
    names = list(dict.fromkeys((*declared.columns, *declared.signals)))
    for name in given:
        if name not in names:
            raise ValueError(f"element '{element}' has no '{name}'; {near(name, names)}")
    for name in names:
        if name not in given:
            raise ValueError(f"element '{element}' lacks '{name}'")
        signal, value = isinstance(given[name], NetSignal), given[name]
        if (isinstance(value, float | int) and math.isnan(value)) or not isinstance(value, NUMBERS):
            raise ValueError(f"'{name}' of element '{element}' is {value!r}, no number")
        if signal and name not in declared.signals:
            raise ValueError(f"'{name}' of element '{element}' is a number, no signal")
        if not signal and name not in declared.columns:
            raise ValueError(f"'{name}' of element '{element}' is a signal, no number")
    wanted = (*declared.rows, *declared.reads)
    if len(rows) != len(wanted):
        titles = f" ({', '.join(wanted)})" if len(wanted) > 1 else ""
        count = "1 row" if len(wanted) == 1 else f"{len(wanted)} rows"
        raise ValueError(f"element '{element}' has {count}{titles}, and is given {len(rows)}")


def near(name: str, names: Iterable[str]) -> str:
    """The names most like a wrong one, or all of them."""
    found = closest(name, list(names)) or sorted(names)
    return f"closest: {', '.join(found)}"
