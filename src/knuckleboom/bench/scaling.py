# SPDX-License-Identifier: BSD-3-Clause
"""How the cost of a step grows with the machine: chains of 10 to 1000 bodies in all coordinates and factorisations.

A chain (bench/chain.py) is as deep as it is large: in joint coordinates M is full and a branch is all there is, so that
sparse and dense factorisation cost the same operations, O(n³); with every body on its own there are eleven times as
many unknowns, but a step costs O(n). The methods are those of coupling `explicit` in methods.TABLE, one series for each
set of coordinates and factorisation.

`step_us` is the processor time of one RK4 step, compiled code warm: the smallest of a few rounds in which all take
turns. A series ends where the next step would take longer than LONGEST_S, if it grew with n³, or fails: conjugate
gradients do not converge on long chains. `exponent` is the slope of log(step_us) over log(bodies), fitted over the
whole list. `deviation_m` is how far the last body is from that of the first series after some steps, at worst: all of
them compute the same. Crossings are where the line between two measured points of one series meets that of another for
the last time, both axes logarithmic. Keys: docs/cli.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from knuckleboom.bench.chain import chain
from knuckleboom.bench.ours import Ours
from knuckleboom.bench.peers.tree import Array
from knuckleboom.bench.rounds import Part, Progress, per_call, timed
from knuckleboom.bench.scaling_plot import write_plot
from knuckleboom.methods import TABLE

SIZES = (10, 20, 50, 100, 200, 500, 1000)
ROUNDS = 5
STEP = 1e-4  # s
BLOCK_S = 0.02  # of steps that are timed together, at least one
LONGEST_S = 2.0  # of a step


@dataclass
class Series:
    """A method and what its step costs at each size."""

    coordinates: str
    factorisation: str
    enforcement: str
    bodies: list[int] = field(default_factory=list)
    step_us: list[float] = field(default_factory=list)
    plan_s: list[float] = field(default_factory=list)
    deviation_m: float = 0.0
    ends: str | None = None
    """Why it has no larger machines."""

    @property
    def name(self) -> str:
        """What tells it from the others."""
        return f"{self.coordinates} {self.factorisation}"

    def goes_on(self, size: int) -> bool:
        """Whether it is measured at the next size; says why it is not."""
        if self.ends is None and self.bodies:
            expected = 1e-6 * self.step_us[-1] * (size / self.bodies[-1]) ** 3
            if expected > LONGEST_S:
                self.ends = f"a step of {size} bodies would take longer than {LONGEST_S:g} s"
        return self.ends is None


def methods() -> list[Series]:
    """An empty series for each set of coordinates and factorisation of the explicit coupling."""
    rows = [row for row in TABLE if row.coupling == "explicit"]
    return [
        Series(coordinates, factorisation, row.enforcement[0])
        for row in rows
        for coordinates in row.coordinates
        for factorisation in row.factorisation
    ]


def measure(
    progress: Progress | None = None, *, rounds: int = ROUNDS, sizes: Sequence[int] = SIZES, plot: Path | None = None
) -> dict[str, Any]:
    """Measure every method at every size, see the card."""
    report = progress or (lambda fraction: None)
    found = methods()
    effort = np.cumsum([0.0, *(float(size) ** 2 for size in sizes)])
    for size, before, after in zip(sizes, effort[:-1], effort[1:], strict=True):
        measure_size(found, size, rounds, Part(report, before / effort[-1], after / effort[-1]))
    report(1.0)
    if plot is not None:
        write_plot(plot, [(one.name, one.bodies, one.step_us) for one in found])
    return {
        "series": [shown(one) for one in found],
        "crossings": [place for one, other in combinations(found, 2) if (place := crossing(one, other))],
    }


def measure_size(found: list[Series], size: int, rounds: int, progress: Progress) -> None:
    """Plan and time all methods that go on, at one size."""
    machine = chain(size)
    going = [one for one in found if one.goes_on(size)]
    tasks, engines, blocks = {}, {}, {}
    for one in going:
        started = time.thread_time()
        engine = Ours(
            machine, coordinates=one.coordinates, factorisation=one.factorisation, enforcement=one.enforcement
        )
        planned = time.thread_time() - started
        try:
            blocks[one.name] = steps_of_a_block(engine)
        except ArithmeticError:
            one.ends = f"a step of {size} bodies fails"
            continue
        one.plan_s.append(planned)
        engines[one.name] = engine
        tasks[one.name] = per_call(engine.reset, stepper(engine), blocks[one.name])
    times = timed(tasks, rounds, progress)
    steps = min(blocks.values(), default=1)
    exact: Array | None = None
    for one in [one for one in going if one.ends is None]:
        engine = engines[one.name]
        engine.reset()
        engine.step(steps, STEP)
        last = place_of(engine, f"bar_{size - 1}")
        exact = last if exact is None else exact
        one.deviation_m = max(one.deviation_m, float(np.linalg.norm(last - exact)))
        one.bodies.append(size)
        one.step_us.append(min(times[one.name]))


def steps_of_a_block(engine: Ours) -> int:
    """How many steps take about BLOCK_S; the first of two tries also compiles."""
    taken = 0.0
    for _ in range(2):
        started = time.thread_time()
        engine.step(1, STEP)
        taken = time.thread_time() - started
    return max(1, min(100, int(BLOCK_S / max(taken, 1e-6))))


def stepper(engine: Ours) -> Callable[[int], None]:
    """What takes steps of an engine."""
    return lambda count: engine.step(count, STEP)


def place_of(engine: Ours, body: str) -> Array:
    """Where a body's origin is, m."""
    planned = engine.planned
    planned.bias()  # fills where every link is
    motion, frame = planned.work.motion, planned.topology.bodies[body]
    place: Array = motion.p_WO + motion.p_OL[frame.link] + motion.R_WL[frame.link].reshape(3, 3) @ frame.p
    return place


def shown(one: Series) -> dict[str, Any]:
    """A series as the document has it."""
    return {
        "coordinates": one.coordinates,
        "factorisation": one.factorisation,
        "enforcement": one.enforcement,
        "exponent": exponent(one),
        "bodies": one.bodies,
        "step_us": one.step_us,
        "plan_s": one.plan_s,
        "deviation_m": one.deviation_m,
        "ends": one.ends,
    }


def exponent(one: Series) -> float | None:
    """Slope of log(step_us) over log(bodies); None with fewer than two sizes."""
    if len(one.bodies) < 2:
        return None
    return float(np.polyfit(np.log(one.bodies), np.log(one.step_us), 1)[0])


def crossing(one: Series, other: Series) -> dict[str, Any] | None:
    """Where one series overtakes another for good; None when the same is faster at both ends of what both have."""
    both = [size for size in one.bodies if size in other.bodies]
    apart = [math.log(one.step_us[one.bodies.index(size)] / other.step_us[other.bodies.index(size)]) for size in both]
    if not both or apart[0] * apart[-1] >= 0.0:
        return None
    k = max(k for k in range(len(both) - 1) if apart[k] * apart[-1] <= 0.0)
    part = apart[k] / (apart[k] - apart[k + 1])
    bodies = math.exp((1.0 - part) * math.log(both[k]) + part * math.log(both[k + 1]))
    below, above = (one, other) if apart[0] < 0.0 else (other, one)
    return {"faster_below": below.name, "faster_above": above.name, "bodies": bodies}
