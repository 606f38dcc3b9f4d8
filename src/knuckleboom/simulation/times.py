# SPDX-License-Identifier: BSD-3-Clause
"""Times as people give them: numbers in s or texts with a unit; all that make no sense are refused at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem
from knuckleboom.simulation.schedule import MOST_STEPS

PLACE = "the times"
OPTIONAL = ("record", "power_step")
MOST_PARTS = 1e5
ROUNDED = 1e-6
"""By what part of itself a number of steps may miss a whole one: times are typed with some six digits."""


def read_times(given: Mapping[str, Any]) -> tuple[float | None, ...]:
    """Each time in s, by what it is; None where none was given."""
    problems: list[Problem] = []

    def read(what: str, value: Any) -> float:
        try:
            return units.parse(value, "s") if isinstance(value, str) else float(value)
        except ValueError as error:
            problems.append(Problem(f"{what}: {error}."))
        except TypeError:
            problems.append(Problem(f"{what} is {value!r}, which is not a time.", fix='Write it like "10 s".'))
        return 1.0  # any time that makes sense: the problem is noted

    times = {what: None if value is None and what in OPTIONAL else read(what, value) for what, value in given.items()}
    for what, value in times.items():
        if value is not None and not 0.0 < value < math.inf:
            problems.append(Problem(f"{what} is {value:g} s; it must be longer than 0 s and finite."))
    duration, step = times.get("duration"), times.get("step")
    if not problems and duration and step and duration / step > MOST_STEPS:
        rule = f"{duration:g} s in steps of {step:g} s are more than {MOST_STEPS:g} steps."
        problems.append(Problem(rule, fix="Use a larger step or a shorter duration."))
    small = times.get("power_step")
    if not problems and small and step and step / small > MOST_PARTS:
        rule = f"power_step {small:g} s makes more than {MOST_PARTS:g} steps of the oil in each of {step:g} s."
        problems.append(Problem(rule, fix="Use a longer power_step, or a shorter step."))
    if problems:
        raise MachineError(problems, PLACE)
    return tuple(times.values())


def whole_exchange(step: float, small: float) -> float:
    """The step of the power side, s, of which an exchange of `cosimulated` has a whole number, as it was given but for
    rounding; raise MachineError where it has none.
    """
    parts = step / small
    if abs(parts - round(parts)) <= ROUNDED * parts:
        return step / round(parts)
    least = math.floor(parts)
    oil = [f"{milliseconds(step / count)} ms ({count} in each)" for count in (least, least + 1) if count]
    own = [f"{milliseconds(count * small)} ms" for count in (least, least + 1) if count]
    rule = (
        f"step {milliseconds(step)} ms is not a multiple of power_step {milliseconds(small)} ms: in each exchange of "
        "coupling cosimulated the oil makes a whole number of steps."
    )
    fix = f"Give power_step {' or '.join(oil)}, or step {' or '.join(own)}."
    raise MachineError([Problem(rule, fix=fix)], PLACE)


def milliseconds(seconds: float) -> str:
    """A time in ms with digits enough to be given back."""
    return f"{1e3 * seconds:.7g}"


def read_time(what: str, value: Any) -> float:
    """One time in s."""
    (time,) = read_times({what: value})
    assert time is not None
    return time
