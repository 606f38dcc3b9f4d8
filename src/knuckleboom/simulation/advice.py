# SPDX-License-Identifier: BSD-3-Clause
"""Which coupling and step to take instead, where those of a run were too coarse for its machine.

Tested in tests/simulate/test_lost_energy.py and test_failure.py.
"""

from __future__ import annotations

import math

from knuckleboom.methods import COSIMULATED, WITH_OIL
from knuckleboom.results import Results

SAFE = 1e-3
"""s, the step at which every catalogue machine with oil or contact runs `realtime`, and the default of every run."""
FEWER = 5.0
"""A smaller step that is worth trying is this many times smaller."""
REDUCED, EXTRAPOLATED = "reduced", ("hold", "linear", "quadratic")
"""The course of `cosimulated` that is stable at the longest steps, and those that it replaces by a word."""
NEAR = 0.5
"""Part of the longest stable explicit step beyond which what limits it is resolved too coarsely to be right."""


def advise(results: Results) -> str:
    """Coupling and step that are worth trying, as the end of a sentence: "coupling realtime at 1 ms"."""
    coupling, step = results.meta["coupling"], float(results.meta["step"])
    smaller = min(step / FEWER, safe_explicit_step(results)) if coupling == "explicit" else step / FEWER
    shown = f"{1e3 * rounded_down(smaller):g} ms"
    oil, touches = (any(path.endswith(end) for path in results.names.paths) for end in (".pressure", ".normal_force"))
    if oil and coupling not in (WITH_OIL, "kinematic"):
        better = f", course {REDUCED}" if results.meta.get("course") in EXTRAPOLATED else ""
        now = f"(now {coupling} at {1e3 * step:g} ms)"
        return f"coupling {WITH_OIL} at {1e3 * SAFE:g} ms{better}, or steps of {shown} {now}"
    if oil and coupling == WITH_OIL and step > SAFE:
        return f"coupling {WITH_OIL} at {1e3 * SAFE:g} ms (now {1e3 * step:g} ms)"
    if touches and coupling == "explicit":
        return f"coupling {WITH_OIL} at {1e3 * SAFE:g} ms, or steps of {shown} (now {coupling} at {1e3 * step:g} ms)"
    return f"a smaller step, such as {shown} (now {coupling} at {1e3 * step:g} ms)"


def is_coarse(results: Results) -> bool:
    """Whether the step of a run with oil is longer than what its coupling is known to bear: of exchanges, whose limit
    is another on every machine, nothing is known.
    """
    if results.meta["coupling"] == COSIMULATED.coupling:
        return True
    limit = safe_explicit_step(results) if results.meta["coupling"] == "explicit" else SAFE
    return float(results.meta["step"]) > limit


def safe_explicit_step(results: Results) -> float:
    """The explicit step that is well below the longest stable one, s; infinite where that is not known."""
    found = results.meta.get("stable_step")
    return NEAR * float(found["step"]) if found else math.inf


def rounded_down(value: float) -> float:
    """The next smaller number with one digit."""
    decade = 10.0 ** math.floor(math.log10(value))
    return math.floor(value / decade * (1.0 + 1e-9)) * decade
