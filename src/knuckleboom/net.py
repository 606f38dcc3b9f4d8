# SPDX-License-Identifier: BSD-3-Clause
"""What the `expand` of a part may write, `Net`, and what it gets back: signals, openings, rows and ends of strokes.

machine/expansion.py implements it, once: plan/network.py adds where rows are on the tree, and
machine/rules/recorder.py what a check notes. What is returned may be read (a signal's unit, default and path, a row's
unit), never changed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from knuckleboom.describe import Place

Vector = tuple[float, float, float]

UNPLANNED = -1
"""Kind of an element, or number of a link, where a part is expanded without a plan: the plan has these numbers."""


class Feature(NamedTuple):
    """A ball, or a rim about an axis, in the axes of a place."""

    centre: Vector
    radius: float
    axis: Vector = (0.0, 0.0, 0.0)


class Outline(NamedTuple):
    """A shape that touches: its features, a length that says how large it is, on how many points it rests."""

    features: tuple[Feature, ...]
    size: float
    resting: int


class Surface(NamedTuple):
    """What a terrain is like in one place."""

    material: str
    friction_factor: float
    stiffness_factor: float


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
    """Of an input: values that it is meant to have; of a lag: values within which it keeps what it follows."""
    held: bool = False
    """Of an input: values outside act as the nearest end of `within` does."""

    @property
    def path(self) -> str:
        """What a user calls an input: the part's name, or `part.name` for a further one."""
        return self.part if self.name == "input" else f"{self.part}.{self.name}"

    def kept(self, value: float) -> float:
        """What a lag follows where its signal has a value."""
        low, high = self.within or (-math.inf, math.inf)
        return min(max(value, low), high)

    def is_outside(self, value: float) -> bool:
        """Whether a value of an input is outside those that it is meant to have."""
        return self.within is not None and not self.within[0] <= value <= self.within[1]

    def range_text(self) -> str:
        """The range of an input that has one, as people read it: -1 to 1."""
        low, high = self.within or (-math.inf, math.inf)
        return f"{low:g} to {high:g}" if math.isfinite(high) else f"{low:g} and more"


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
    points: tuple[tuple[float, float], ...] = ()
    """Of a metering table: signal and opening."""
    curve: tuple[float, ...] = ()
    """Numbers of its metering table, in a plan."""


@dataclass(eq=False)
class Row:
    """A row of mechanics/rows, its kind and columns; `unit` is that of its value."""

    part: str
    kind: int
    index: tuple[int, int, int, int]
    numbers: NDArray[np.float64]
    unit: str = "m"
    label: str = ""
    planar: bool = False
    bodies: tuple[str, str] = ("", "")
    """The bodies it acts on, a and b; none for rows of joint coordinates, which act inside their joint."""
    title: str = ""
    """What it is called in an element with several rows."""
    joint: str = ""
    """The joint in which it acts, where that is cut."""
    of: tuple[Row, ...] = ()
    """The rows that it is made of, in the order of their entries, and their coefficients."""
    weights: tuple[float, ...] = ()
    scalar: bool = False
    """Whether it is that of a scalar inertia."""

    @property
    def measures(self) -> bool:
        """Whether it only says where a joint that is cut stands, so that others can read it."""
        return bool(self.joint) and self.part == self.joint


@dataclass(frozen=True)
class Scalar:
    """An inertia that a part declares beside its ports: one coordinate with a rate and no place in space.

    A shaft has kg·m² and rad, a column of oil kg/m⁴ and m³, so that half of inertia times rate squared is in J.
    """

    inertia: float
    unit: str = "rad"
    rate: float | None = None
    """Rate at the start; none: 0, or what rows that tie it to others ask for."""
    oil: str = ""
    """Name of the oil whose density multiplies the inertia."""
    words: tuple[str, str] = ("angle", "speed")
    """What its coordinate and its rate are called in results."""
    meaning: str = ""
    """Of the coordinate; none: since the start."""
    rests: bool = False
    """Whether its coordinate is a place, which forces hold: it rests with the machine, as a drum does with its rope."""


@dataclass(frozen=True)
class FromStart:
    """A number that is the row's value at the assembled start, plus an offset."""

    offset: float = 0.0
    row: int = 0
    """Which of the element's rows."""


End = float | FromStart
"""A value of a row: a number, or one that is counted from the start pose."""


class Net(Protocol):
    """What a part writes itself with; names and results are kept under the part that is being expanded.

    Ports are texts ("lift.a", "pump"). Flow is positive from a to b; a row's force is positive when it lengthens the
    distance, pushes the coordinate up, or acts along the direction.
    """

    def oil(self, name: str) -> None:
        """Say which oil is in this part's own ports."""

    def density(self, port: str) -> float:
        """Return the density of the oil in a port, kg/m³."""

    def viscosity(self, port: str) -> float:
        """Return the kinematic viscosity of the oil in a port, m²/s."""

    def input(
        self, default: float = 0.0, *, unit: str = "1", meaning: str = "", name: str = "input",
        within: tuple[float, float] | None = None, held: bool = False,
    ) -> NetSignal:  # fmt: skip
        """Return an input that has the part's name, or a further one called `part.name`.

        A run warns of values outside `within`; `held` says that they act as its nearest end does.
        """

    def spool(
        self, signal: NetSignal, time_constant: float, *, name: str = "spool",
        within: tuple[float, float] | None = None,
    ) -> NetSignal:  # fmt: skip
        """Return a first-order state that follows a signal, or the nearest end of `within`; a time constant of 0
        returns the signal itself.
        """

    def second_order(
        self, signal: NetSignal, frequency: float, damping: float, *, name: str = "spool"
    ) -> NetSignal:  # fmt: skip
        """Return a second-order state (natural frequency in Hz, damping ratio) that follows a signal."""

    def affine(self, signal: NetSignal, offset: float, gain: float) -> Opening:
        """Return the opening offset + gain·signal, kept within 0..1."""

    def edge(self, signal: NetSignal, gain: float, overlap: float, leak: float) -> Opening:
        """Return the opening of a smooth metering edge of gain·signal (gain ±1)."""

    def table(self, signal: NetSignal, points: Sequence[tuple[float, float]]) -> Opening:
        """Return an opening by a smooth monotone curve through (signal, opening), level beyond its ends."""

    def product(self, signal: NetSignal, other: NetSignal | None, gain: float) -> Opening:
        """Return gain·signal·other, of any size; `other` is an input, or none for gain·signal."""

    def steered(
        self, command: NetSignal | float, limits: Sequence[tuple[str, str, float, float]], *, time_constant: float,
        name: str, product: float = math.inf,
    ) -> NetSignal:  # fmt: skip
        """Return a state that follows a command, an input or a number, as far as one or two pressure differences let.

        Each limit (high, low, setting, full) falls from 1 at p_high − p_low = setting − full to 0 at the setting. Times
        the last difference it is kept below `product`, Pa.
        """

    def sensed(
        self, by: Mapping[str, float], *, time_constant: float, name: str, unit: str, meaning: str
    ) -> NetSignal:  # fmt: skip
        """Return a state that follows Σ weight·p of up to four ports."""

    def reading(
        self, name: str, *, unit: str, meaning: str, gains: Sequence[float], flow: str = "", high: str = "",
        low: str = "", speed: NetSignal | Row | None = None, setting: NetSignal | None = None,
    ) -> None:  # fmt: skip
        """Record g₀·Q·Δp + g₁·Δp + g₂·Q + n·(g₃·Δp + g₄ + g₅·n) + x·(g₆·Δp + g₇·|Δp| + n·(g₈ + g₉·Δp + g₁₀·|Δp|)) as
        `part.name`: Q of this part's flow of that name, Δp = p_high − p_low (0 where there is no port), n the speed, a
        signal or the rate of a row, x the setting (1 where there is none). Gains that are not given are 0.
        """

    def restrictor(
        self, a: str, b: str, *, area: float | None = None, cd: float = 0.67, flow: tuple[float, float] | None = None,
        opening: float | Opening = 1.0, transition: float = 2e5, one_sided: bool = False, name: str = "flow",
    ) -> None:  # fmt: skip
        """Write an orifice from a to b, by area and cd or by a flow at a pressure drop."""

    def opened(
        self, a: str, b: str, *, area: float | None = None, cd: float = 0.67, flow: tuple[float, float] | None = None,
        by: Mapping[str, float], setting: float, full: float, transition: float = 2e5, name: str = "flow",
    ) -> None:  # fmt: skip
        """Write an orifice from a to b that opens while Σ weight·p goes from `setting` to `setting + full`.

        `by` maps ports to weights: a, b and at most two others. A check valve has {a: 1, b: −1}.
        """

    def laminar(self, a: str, b: str, *, conductance: float, name: str = "leak") -> None:
        """Write a flow proportional to the pressure drop."""

    def flow(self, a: str, b: str, value: NetSignal | Opening, *, name: str = "flow") -> None:
        """Write a given flow from a to b, m³/s, whatever the pressures; a product is of any size, too."""

    def pressure(self, port: str, value: float | NetSignal) -> None:
        """Fix the pressure of a port."""

    def volume(self, port: str, size: float, start: float, *, elastic: float = 0.0) -> None:
        """Write an oil volume with a start pressure; its walls have the compliance `elastic`, m³/Pa."""

    def gas(self, port: str, size: float, *, precharge: float, exponent: float, start: float) -> None:
        """Write the gas of an accumulator: precharge·(1 − oil/size)^(−exponent)."""

    def length(self, a: Place, b: Place) -> Row:
        """Return the row of the distance between two places."""

    def coordinate(self, joint: str, index: int) -> Row:
        """Return the row of one coordinate of a joint."""

    def scalar(self, part: str, title: str = "") -> Row:
        """Return the row of the inertia that a part declares, this one or another; results have the title in front."""

    def direction(self, place: Place, direction: tuple[float, float, float], frame: str) -> Row:
        """Return the row of a force at a place along a direction in world or body axes."""

    def turn(self, body: str, axis: tuple[float, float, float], frame: str) -> Row:
        """Return the row of a torque on a body about an axis in world or body axes."""

    def force_unit(self, row: Row) -> str:
        """Return the unit of a row's force: N, or N*m for an angle."""

    def rate_unit(self, row: Row) -> str:
        """Return the unit of a row's rate: m/s, or rad/s for an angle."""

    def element(
        self, element: str, *rows: Row, curve: Sequence[tuple[float, float]] = (),
        **given: float | FromStart | NetSignal,
    ) -> None:  # fmt: skip
        """Write an element of interface/elements or of a package, by the name of its file.

        Rows come in their order, those of which it reads the force last; columns and signals by name. The methods below
        write elements, too, in the words of parts.
        """

    def spring(
        self, row: Row, stiffness: float, rest: End | None, damping: float, preload: float
    ) -> None:  # fmt: skip
        """Write a linear spring and damper; without `rest` it is relaxed (but for `preload`) at the start."""

    def friction(
        self, row: Row, coulomb: float, viscous: float, speed: float, *, breakaway: float = 0.0, stribeck: float = 1.0
    ) -> None:  # fmt: skip
        """Write −(coulomb + (breakaway − coulomb)·exp(−(w/stribeck)²))·tanh(w/speed) − viscous·w."""

    def bristle(
        self, row: Row, *, coulomb: float, breakaway: float, stribeck: float, stiffness: float, damping: float,
        viscous: float, hold_speed: float,
    ) -> None:  # fmt: skip
        """Write LuGre friction, with the bend of its bristles as a state; hold_speed 0: as published."""

    def efficiency(self, row: Row, loss: float, points: Sequence[tuple[float, float]]) -> None:
        """Write −loss·f(|w|)·|F| against the motion, F the force of this part's chambers on the row."""

    def cushion(self, row: Row, *, at: End, length: float, gain: float, side: int) -> None:
        """Write −side·gain·w² into a cushion of `length` that ends at `at`; side +1 the upper end, −1 the lower."""

    def stop(
        self, row: Row, lower: End | None, upper: End | None, stiffness: float, damping: float
    ) -> None:  # fmt: skip
        """Write stiff stops beyond lower and upper: k·d·(1 + c·ḋ), never pulling."""

    def push(self, row: Row, value: float | NetSignal) -> None:
        """Write an applied force or torque."""

    def servo(self, row: Row, speed: NetSignal, gain: float) -> None:
        """Write the force gain·(speed − w), which takes the row to a speed."""

    def contact(
        self, at: Place, *, ground: str, path: str, outline: Outline, laws: tuple[tuple[float, ...], ...],
        stiffness: float | None, depth: float, friction: tuple[float, ...], arm: float, spots: int,
    ) -> None:  # fmt: skip
        """Write contact of a shape with a terrain, its results under a path.

        `laws` of its areas: factors of friction and stiffness, damping, restitution; `spots` are the features that can
        touch at once; without a stiffness the whole machine stands at a depth. `friction`: columns of
        interface/elements/friction_patch.py but its arm.
        """

    def tire(
        self, at: Place, *, axle: tuple[float, float, float], radius: float, spacing: float, discs: int,
        stiffness: float, damping: float, rim: float, friction: tuple[float, ...], rolling: float, published: bool,
    ) -> None:  # fmt: skip
        """Write discs, `spacing` apart, of a tire that turns about an axle in the axes of a place.

        `stiffness` is that of one disc, `rim` the depth at which the rim begins, `friction` are columns of
        interface/tire.py from COULOMB on, `rolling` is the torque of rolling resistance over load.
        """

    def terrains(self, names: Sequence[str]) -> Mapping[str, Sequence[Surface]]:
        """Return the terrains of these names that there are, or all without names: what each is like where no area is,
        then in its areas.
        """

    def looks(self, at: Place) -> Sequence[tuple[str, tuple[float, ...], Vector, Vector]]:
        """Return the shapes with a volume that the body of a place is drawn as: form, size, where, roll-pitch-yaw."""

    def payload(
        self, at: Place, mass: NetSignal, *, box: tuple[float, float, float], falling_from: float
    ) -> None:  # fmt: skip
        """Write a mass at a place, a spool with ends, that fills a box (lengths of its sides) or is a point; what joins
        begins to fall so far above it.
        """

    def ends(self, row: Row, closed: float | None, stroke: float) -> tuple[End, End]:
        """Return where a stroke begins and ends; without `closed` the start is its middle."""

    def chamber(self, row: Row, port: str, *, area: float, dead: float, at: End) -> None:
        """Write a chamber on a volume: dead + area·(s − at) more of it, area < 0 where it shrinks with s."""

    def moving_oil(self, row: Row, port: str, *, area: float, at: End, reach: End) -> None:
        """Write the mass of a chamber's oil, which moves with the piston; `reach` is from the piston to the row's end
        on the rod, area and `at` are those of its chamber. The row is from barrel to rod.
        """

    def stages(
        self, row: Row, port: str, *, areas: Sequence[float], strokes: Sequence[float], dead: float, at: End
    ) -> None:  # fmt: skip
        """Write a chamber whose area steps from stage to stage, the largest first."""

    def motor(self, row: Row, port_a: str, port_b: str, displacement: float) -> None:
        """Write a displacement machine on a turning row, m³/rad: flow from a to b and torque grow together."""

    def displacement(
        self, row: Row, a: str | None, b: str | None, displacement: float, setting: NetSignal | None
    ) -> None:  # fmt: skip
        """Write one between ports of others: it takes oil from a to b as the row turns, a setting scales it. An end
        without a port is at ambient pressure.
        """
