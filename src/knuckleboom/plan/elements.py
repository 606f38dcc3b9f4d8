# SPDX-License-Identifier: BSD-3-Clause
"""What parts are written as: signals, openings, interface rows, forces on them, chambers, nodes, branches, readings.

`plan/network.py` collects them, `plan/tables.py` sorts them by kind into the arrays of the plan.
"""

from __future__ import annotations

from dataclasses import dataclass

from knuckleboom.plan.rotation import Matrix


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
    steered: Steered | None = None
    """Of a state that pressures steer."""
    within: tuple[float, float] | None = None
    """Of an input: values that it is meant to have."""
    held: bool = False
    """Of an input: values outside act as the nearest end of `within` does."""

    @property
    def path(self) -> str:
        """What a user calls an input: the part's name, or `part.name` for a further one."""
        return self.part if self.name == "input" else f"{self.part}.{self.name}"


@dataclass(eq=False)
class Steered:
    """How pressures steer a state: a kind of hydraulics/network.py, its four ports and columns."""

    kind: int
    ports: tuple[str, str, str, str]
    numbers: tuple[float, ...]
    command: NetSignal | None = None


@dataclass(eq=False)
class Opening:
    """How far a restrictor is open, or what a flow source delivers."""

    kind: int
    signal: NetSignal | None
    numbers: tuple[float, ...]
    factor: NetSignal | None = None
    """An input that multiplies it."""
    curve: tuple[float, ...] = ()
    """Numbers of its metering table."""


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
    curve: tuple[float, ...] = ()
    """Numbers of its efficiency curve; it acts on all chambers of its row that its part has."""


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
    stages: tuple[float, ...] = ()
    """Numbers of the areas of a telescopic one."""


@dataclass(eq=False)
class Node:
    """A port with a pressure: a volume of oil or gas (with a start pressure) or a source."""

    port: str
    part: str
    oil: str
    volume: float = 0.0
    start: float | None = None
    source: float | NetSignal | None = None
    elastic: float = 0.0
    """What its walls give way, m³/Pa."""
    gas: tuple[float, float, float] | None = None
    """Precharge, exponent and the part below which it is empty, of an accumulator."""


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
    pilots: tuple[str, ...] = ()
    """Further ports whose pressures open it, at most two."""

    @property
    def path(self) -> str:
        """Path of its quantities: the part's own name when it is the part's only flow."""
        return self.part if self.name == "flow" else f"{self.part}.{self.name}"


@dataclass(eq=False)
class Reading:
    """A value that is only recorded: gains on a branch's flow, on a pressure difference and on a speed."""

    part: str
    name: str
    unit: str
    meaning: str
    gains: tuple[float, ...]
    flow: str = ""
    high: str = ""
    low: str = ""
    speed: NetSignal | None = None
