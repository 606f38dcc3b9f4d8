# SPDX-License-Identifier: BSD-3-Clause
"""What parts are written as: forces on rows, contacts, tires, chambers, nodes, branches, readings.

`machine/expansion.py` collects them, `plan/tables.py` sorts them by kind into the arrays of the plan. What a part gets
back while it is expanded, signals, openings and rows, is in `net.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from knuckleboom.describe import Place
from knuckleboom.net import FromStart, NetSignal, Opening, Outline, Row


@dataclass(eq=False)
class Force:
    """An element on rows: its name, as its file is called, and what it is given by name."""

    part: str
    element: str
    kind: int
    rows: tuple[Row, ...]
    """Those that it acts on, then those of which it reads the force."""
    numbers: tuple[float | FromStart, ...]
    signals: tuple[NetSignal | None, ...] = ()
    states: tuple[NetSignal, ...] = ()
    curve: tuple[float, ...] = ()
    """Numbers of its efficiency curve; it acts on all chambers of its row that its part has."""

    @property
    def row(self) -> Row:
        """The first of its rows."""
        return self.rows[0]


@dataclass(eq=False)
class Touch:
    """A shape on a body and a terrain that it touches."""

    part: str
    path: str
    """Where its results are: the part's name, with that of the terrain where it has several."""
    at: Place
    ground: str
    outline: Outline
    laws: tuple[tuple[float, ...], ...]
    """Factors of friction and stiffness, damping and restitution, of the ground's areas, what is left of it first."""
    stiffness: float | None
    depth: float
    """Sets the stiffness where none is given."""
    friction: tuple[float, ...]
    """Columns of interface/elements/friction_patch.py but its arm."""
    arm: float
    spots: int
    """Features that can touch at once."""
    states: tuple[NetSignal, ...]


@dataclass(eq=False)
class Tread:
    """A tire: discs on a wheel that turns about an axle, in the axes of a place."""

    part: str
    at: Place
    axle: tuple[float, float, float]
    radius: float
    spacing: float
    """Distance of its discs."""
    discs: int
    stiffness: float
    """Of one disc."""
    damping: float
    rim: float
    """Depth at which the rim begins."""
    friction: tuple[float, ...]
    """Columns of interface/tire.py from COULOMB on."""
    rolling: float
    """Torque of rolling resistance over load."""
    published: bool
    states: tuple[NetSignal, ...]


@dataclass(eq=False)
class Load:
    """A mass on a body that a state of its part is; a box (lengths of its sides) that it fills, or a point."""

    part: str
    at: Place
    mass: NetSignal
    box: tuple[float, float, float]
    falling_from: float
    """How far above it what joins begins to fall."""


@dataclass(eq=False)
class MovingOil:
    """The oil in a chamber between a piston and one end of its barrel, which moves with the piston."""

    part: str
    row: Row
    """From the barrel to the rod."""
    path: str
    """Port of its chamber, under which it is recorded."""
    area: float
    """Signed, as that of its chamber."""
    density: float
    zero: float | FromStart
    """Value of the row where it has no length."""
    reach: float | FromStart
    """From the piston to the end of the row that is on the rod."""


@dataclass(eq=False)
class Chamber:
    """A chamber that opens on a node: signed area, dead volume, and the row's value where it has no stroke volume.

    One of a motor has its displacement for an area and a constant volume: what flows in flows out. A setting scales
    the displacement of a variable one.
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
    setting: NetSignal | None = None
    path: str = ""
    """Path of its work: that of its port where the part that it belongs to has it."""

    def __post_init__(self) -> None:
        self.path = self.path or self.port

    @property
    def turns_shaft(self) -> bool:
        """Whether it acts on a scalar inertia, not on the mechanism."""
        return self.row.scalar


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
    """Compliance of its walls, m³/Pa."""
    gas: tuple[float, float] | None = None
    """Precharge and exponent, of an accumulator."""


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
    """A value that is only recorded: gains on a branch's flow, a pressure difference, a speed and a setting."""

    part: str
    name: str
    unit: str
    meaning: str
    gains: tuple[float, ...]
    flow: str = ""
    high: str = ""
    low: str = ""
    speed: NetSignal | Row | None = None
    setting: NetSignal | None = None
