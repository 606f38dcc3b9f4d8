# SPDX-License-Identifier: BSD-3-Clause
"""Contact and tires in real-time steps: whether they creep, slide, bounce, stack and roll as closed forms say.

Every figure is the worst of its kind, by `realtime` at 1 ms, with the limit that it is measured against (`limits`) and
whether it meets it (`met`, null where it was not measured):
    contact_ground.py     creep on an incline, sliding, rebound, a stack of ten boxes, throws at 10 m/s
    contact_boxes.py      separating axes against coal, where it is installed
    contact_tires.py      slip curves, a braked vehicle on 10 %, a vehicle driven until it rolls over
    contact_machines.py   what a disc and a pair cost, and whole machines
`energy_gains` is, run by run, the largest rise of all energy in a machine beyond what was fed to it, in % of the work
done: neither contact nor friction may give any, so this is more than what an audit cannot account for.
Keys: docs/cli.md. Ctrl-C keeps what was done. Tested in tests/bench/test_contact.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from knuckleboom.bench import contact_boxes, contact_ground, contact_machines, contact_tires
from knuckleboom.bench.machines import Cycle
from knuckleboom.bench.rounds import Part, Progress

REST, STACK, DRIVE = 600.0, 60.0, 60.0  # s
CASES, ROUNDS = 10_000, 7


class Limit(NamedTuple):
    """At most, or at least, what a figure may be."""

    value: float
    least: bool = False

    def met_by(self, figure: float | None) -> bool | None:
        """Whether a figure is within it; None of none."""
        if figure is None:
            return None
        return figure >= self.value if self.least else figure <= self.value


LIMITS = {
    "incline_creep_mm": Limit(0.01), "incline_creep_swinging_mm": Limit(0.1), "slide_error": Limit(1e-3),
    "restitution_error": Limit(0.02), "box_stack.boxes": Limit(10, least=True),
    "box_stack.seconds": Limit(60, least=True), "box_stack.creep_mm": Limit(15), "throws_through": Limit(0),
    "sat_cases": Limit(10_000, least=True), "sat_disagreements": Limit(0), "tire_curve_error": Limit(1e-3),
    "slope_creep_mm": Limit(0.01), "slope_creep_moving_mm": Limit(1.0), "reckless.failed": Limit(0),
    "reckless.rolled_over": Limit(1, least=True), "energy_gain_percent": Limit(0.5), "us_per_disc": Limit(0.8),
}  # fmt: skip
MACHINE_LIMITS = {
    "real_time_factor": Limit(35, least=True), "wheel_load_error_percent": Limit(0.5),
    "energy_residual_percent": Limit(0.5), "position_error_mm": Limit(1.0),
}  # fmt: skip
"""Of each machine."""
SLOWER = {"harvester-30": Limit(25, least=True)}
"""Machines from which less real time is asked for."""
ALONE = (
    "incline_creep_mm", "incline_creep_swinging_mm", "slide_error", "restitution_error", "box_stack", "throws",
    "throws_through", "sat_cases", "sat_disagreements", "tire_curve_error", "slope_creep_mm", "slope_creep_moving_mm",
    "reckless", "energy_gain_percent", "us_per_disc", "us_per_disc_on_plane", "us_per_pair",
)  # fmt: skip


def measure(
    progress: Progress | None = None, *, rest: float = REST, stack: float = STACK, drive: float = DRIVE,
    cases: int = CASES, rounds: int = ROUNDS, cycles: Sequence[Cycle] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Measure everything; see the card. `rest`, `stack` and `drive` are simulated times, s."""
    report = progress or (lambda fraction: None)
    gains: dict[str, float] = {}
    found: dict[str, Any] = {"status": "done", "step_ms": 1e3 * contact_ground.STEP, **dict.fromkeys(ALONE)}
    found |= {"energy_gains": gains, "machines": []}
    # what is measured, and its share of the time
    pieces: list[tuple[float, Callable[[Progress], Mapping[str, Any]]]] = [
        (0.15, lambda share: contact_ground.incline(rest, share)),
        (0.20, lambda share: contact_ground.slide()),
        (0.32, contact_ground.rebounds),
        (0.40, lambda share: contact_ground.box_stack(stack)),
        (0.45, contact_ground.throws),
        (0.50, lambda share: contact_boxes.boxes(cases, share)),
        (0.55, lambda share: contact_tires.curve()),
        (0.72, lambda share: contact_tires.slope(rest, share)),
        (0.77, lambda share: contact_tires.drive(drive, share)),
        (0.80, lambda share: contact_machines.costs(rounds, share)),
    ]
    before = 0.0
    try:
        for until, piece in pieces:
            part = dict(piece(Part(report, before, until)))
            gains |= part.pop("energy_gains", {})
            found |= part | {"energy_gain_percent": max(gains.values(), default=None)}
            before = until
            report(until)
        contact_machines.machines(cycles, rounds, found["machines"].append, Part(report, before, 1.0))
    except KeyboardInterrupt:
        found["status"] = "interrupted"
    return found | judged(found)


def judged(found: Mapping[str, Any]) -> dict[str, Any]:
    """Every figure's limit, and whether it is met."""
    met = {name: limit.met_by(figure(found, name)) for name, limit in LIMITS.items()}
    for row in found["machines"]:
        row["met"] = {
            name: (SLOWER.get(row["machine"], limit) if name == "real_time_factor" else limit).met_by(row[name])
            for name, limit in MACHINE_LIMITS.items()
        }
    limits = {name: limit.value for name, limit in (LIMITS | MACHINE_LIMITS).items()}
    return {"limits": limits, "met": met}


def figure(found: Mapping[str, Any], name: str) -> float | None:
    """A figure by its name, with dots into what is in others; of a list how long it is."""
    value: Any = found
    for word in name.split("."):
        value = None if value is None else value[word]
    return len(value) if isinstance(value, list) else value
