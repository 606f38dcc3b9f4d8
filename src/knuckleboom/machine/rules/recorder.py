# SPDX-License-Identifier: BSD-3-Clause
"""What parts write in a circuit, noted without planning: pressures that they fix, volumes, inputs, ways that
oil can take.

Tested by the rules that use it, in tests/errors/.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from knuckleboom.describe import Part, Port
from knuckleboom.machine.machine import Machine

LEAKS = ("leak", "rod_leak", "rod_leak_a")
"""Names of laminar branches that are leakage of a part, not a way that oil is meant to take."""


class Way(NamedTuple):
    """An orifice from a to b: `open` is its smallest opening, 0..1; with `by` pressures open it, from `setting` on."""

    a: str
    b: str
    open: float = 1.0
    by: Mapping[str, float] | None = None
    setting: float = 0.0


class CircuitRecorder:
    """A `Net` that only notes what a part does to ports."""

    def __init__(self) -> None:
        self.fixed: list[str] = []
        self.starts: list[float] = []
        self.ways: list[Way] = []
        self.inputs: list[str] = []

    def input(self, default: float = 0.0, *, name: str = "input", **more: Any) -> None:
        self.inputs.append(name)

    def volume(self, port: str, size: float, start: float, **more: Any) -> None:
        self.starts.append(start)

    def pressure(self, port: str, value: Any) -> None:
        self.fixed.append(port)

    def ends(self, row: Any, closed: Any, stroke: Any) -> tuple[float, float]:
        return 0.0, 1.0

    def density(self, port: str) -> float:
        return 1.0

    def viscosity(self, port: str) -> float:
        return 1.0

    def table(self, signal: Any, points: Sequence[tuple[float, float]]) -> float:
        """The smallest opening of a table."""
        return min(opening for _, opening in points)

    def restrictor(self, a: str, b: str, *, opening: float | None = 1.0, **size: Any) -> None:
        # what edge() and affine() return is None: a spool can close it
        self.ways.append(Way(a, b, opening or 0.0))

    def laminar(self, a: str, b: str, *, conductance: float, name: str = LEAKS[0]) -> None:
        if name not in LEAKS:
            self.ways.append(Way(a, b))

    def opened(self, a: str, b: str, *, by: Mapping[str, float], setting: float, **size: Any) -> None:
        self.ways.append(Way(a, b, 0.0, by, setting))

    def __getattr__(self, call: str) -> Any:
        if call.startswith("_"):
            raise AttributeError(call)
        return lambda *values, **settings: None


def expand_parts(machine: Machine) -> Iterator[tuple[Part, CircuitRecorder]]:
    """Expand every part with oil whose own values are right, and yield what was noted."""
    for part in machine.parts.values():
        if not part.PORTS and not any(isinstance(value, Port) for _, value in part.references()):
            continue
        if any(True for _ in part.faults()):
            continue
        net: Any = CircuitRecorder()
        part.expand(net)
        yield part, net


def input_names(machine: Machine) -> Iterator[str]:
    """Yield the names of all inputs, as a run takes them."""
    for part in machine.parts.values():
        if any(True for _ in part.faults()):
            continue
        net: Any = CircuitRecorder()
        part.expand(net)
        yield from (part.name if name == "input" else f"{part.name}.{name}" for name in net.inputs)
