# SPDX-License-Identifier: BSD-3-Clause
"""Levers thrown at random: how far `realtime` then is from a converged run, in cylinders and in their chambers.

For 6 s every lever of a machine, which is every input of a directional valve, jumps each 0.15 to 0.8 s: to −1, 0 or 1
(valves of two positions: 0 or 1), or anywhere between. The same seed does the same. Jumps are declared, so that steps
end there, and fall on whole milliseconds. Everything else stays at its default, so that nothing but jumps acts and
every method and step sees the same law. Compared are lengths of cylinders and pressures of their chambers on a grid of
10 ms; motors are not, as a free rotator amplifies any difference.

The converged run is `realtime` at 0.05 ms. Its own error is seen twice, for every seed: how far it is from steps half
as long, and from `unified` at 0.1 ms, which shares the equations but neither tangent nor rule with it. A seed is within
the limits where no cylinder is off by more than 2 mm and no chamber by more than 50 bar.
Keys: docs/cli.md. Ctrl-C keeps the seeds that were done. Tested in tests/bench/test_levers.py
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.machines import Cycle, cycle_of
from knuckleboom.bench.rounds import Part, Progress
from knuckleboom.errors import SimulationError
from knuckleboom.hydraulics.parts.directional import Directional, TwoPositions
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.over_time import steps as declared
from knuckleboom.plan import build
from knuckleboom.results import Results
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]

MACHINES = ("harvester-30", "excavator", "mine-loader")
STEPS = (1e-3, 2e-3)  # s
SEEDS = tuple(range(11, 21))
SECONDS = 6.0
GRID = 0.01  # s
REFERENCE, HALF, OTHER = 5e-5, 2.5e-5, 1e-4  # s: the converged run; what it is compared with, `unified` at the last
HELD = (0.15, 0.8)  # s, from one jump of a lever to its next
ANYWHERE = 0.25  # part of the jumps that do not go to an end or the centre
MOST_MM, MOST_BAR = 2.0, 50.0
ERRORS = ("mm", "mm_of", "mm_at_s", "bar", "bar_of", "bar_at_s")


def measure(
    progress: Progress | None = None, *, cycles: Sequence[Cycle] | None = None, steps: Sequence[float] = STEPS,
    seeds: Sequence[int] = SEEDS, seconds: float = SECONDS,
) -> dict[str, Any]:  # fmt: skip
    """Throw the levers of the three machines, or of the given ones; see the card."""
    report = progress or (lambda fraction: None)
    machines = [cycle_of(name) for name in MACHINES] if cycles is None else list(cycles)
    wanted = [(cycle, seed) for cycle in machines for seed in seeds]
    references: list[dict[str, Any]] = []
    runs: list[dict[str, Any]] = []
    status = "done"
    try:
        for number, (cycle, seed) in enumerate(wanted):
            share = Part(report, number / len(wanted), (number + 1) / len(wanted))
            reference, found = run_seed(cycle, seed, steps, seconds, share)
            references.append(reference)
            runs += found
    except KeyboardInterrupt:
        status = "interrupted"
    return {
        "status": status,
        "seconds": seconds,
        "grid_ms": 1e3 * GRID,
        "reference_step_ms": 1e3 * REFERENCE,
        "most_mm": MOST_MM,
        "most_bar": MOST_BAR,
        "summary": [summarise(runs, cycle.name, 1e3 * step) for cycle in machines for step in steps],
        "runs": runs,
        "references": references,
        "not_run": [{"machine": cycle.name, "seed": seed} for cycle, seed in wanted[len(references) :]],
    }


def throws(machine: Machine, name: str, seconds: float, seed: int) -> dict[str, dict[float, float]]:
    """Times and values of every lever."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    found = {}
    for signal in build(machine).layout.inputs:
        part: Any = machine.parts.get(signal.part)
        if not isinstance(part, Directional):
            continue
        ends = (0.0, 1.0) if isinstance(part, TwoPositions) else (-1.0, 0.0, 1.0)
        moves, time = {0.0: 0.0}, float(rng.uniform(*HELD))
        while time < seconds:
            anywhere = rng.uniform() < ANYWHERE
            moves[round(time, 3)] = float(rng.uniform(ends[0], 1.0) if anywhere else rng.choice(ends))
            time += float(rng.uniform(*HELD))
        found[signal.path] = moves
    return found


def run_seed(
    cycle: Cycle, seed: int, steps: Sequence[float], seconds: float, progress: Progress
) -> tuple[dict[str, Any], list[dict[str, Any]]]:  # fmt: skip
    """A seed of a machine: what is known of its converged run, and a row for every step."""
    moves = throws(cycle.machine, cycle.name, seconds, seed)
    named: dict[str, Any] = {"machine": cycle.name, "seed": seed}

    def run(step: float, words: Mapping[str, Any]) -> Results:
        inputs = {path: declared(values) for path, values in moves.items()}
        return WholeRun(cycle.machine, seconds, step=step, record=GRID, inputs=inputs, **words).recorded()

    def row(exact: Results | None, step: float, words: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {"status": "done", "message": "", **dict.fromkeys(ERRORS)}
        found |= {"corrected_percent": None, "halved_percent": None}
        if exact is None:
            return found | {"status": "no reference"}
        try:
            results = run(step, words)
        except SimulationError as error:
            return found | {"status": "failed", "message": str(error)}
        return found | correction_shares(results) | largest_differences(cycle.machine, exact, results)

    exact, message = None, ""
    try:
        exact = run(REFERENCE, cycle.realtime)
    except SimulationError as error:
        message = str(error)
    progress(0.3)
    half = row(exact, HALF, cycle.realtime)
    progress(0.8)
    other = row(exact, OTHER, {"coupling": "unified"})
    progress(0.95)
    reference = named | {"status": "failed" if exact is None else "done", "message": message}
    for what, one in (("half_step", half), ("unified", other)):
        reference |= {f"{what}_mm": one["mm"], f"{what}_bar": one["bar"]}
    rows = [named | {"step_ms": 1e3 * step} | row(exact, step, cycle.realtime) for step in steps]
    progress(1.0)
    return reference, rows


def largest_differences(machine: Machine, exact: Results, results: Results) -> dict[str, Any]:
    """The largest differences of cylinders and chambers, whose they are and when."""
    rams = list(machine.of(Ram))
    lengths = {ram.name: f"{ram.name}.length" for ram in rams}
    chambers = {f"{ram.name}.{port}": f"{ram.name}.{port}.pressure" for ram in rams for port in ram.PORTS}
    found: dict[str, Any] = {}
    for unit, factor, paths in (("mm", 1e3, lengths), ("bar", 1e-5, chambers)):
        off = {name: factor * np.abs(exact[path].values - results[path].values) for name, path in paths.items()}
        name = max(off, key=lambda one: float(off[one].max()))
        found |= {unit: float(off[name].max()), f"{unit}_of": name}
        found[f"{unit}_at_s"] = float(exact.time[off[name].argmax()])
    return found


def correction_shares(results: Results) -> dict[str, float]:
    """How many steps of a run were corrected and halved, %; none where the method does neither."""
    taken = results.meta["steps"]
    return {f"{what}_percent": 100.0 * results.meta.get(f"{what}_steps", 0) / taken for what in ("corrected", "halved")}


def summarise(runs: Sequence[Mapping[str, Any]], machine: str, step_ms: float) -> dict[str, Any]:
    """How many seeds of a machine are within the limits at a step, and the worst ones; a failed one is not within."""
    rows = [row for row in runs if (row["machine"], row["step_ms"]) == (machine, step_ms)]
    done = [row for row in rows if row["status"] == "done"]
    found: dict[str, Any] = {
        "machine": machine,
        "step_ms": step_ms,
        "seeds": len(rows),
        "within": sum(row["mm"] <= MOST_MM and row["bar"] <= MOST_BAR for row in done),
        "failed": len(rows) - len(done),
    }
    for unit in ("mm", "bar"):
        worst = max(done, key=lambda row: float(row[unit]), default=None)
        found |= {f"worst_{unit}": worst and worst[unit], f"worst_{unit}_seed": worst and worst["seed"]}
    for what in ("corrected_percent", "halved_percent"):
        found[what] = float(np.mean([row[what] for row in done])) if done else None
    return found
