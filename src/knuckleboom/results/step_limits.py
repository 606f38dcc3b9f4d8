# SPDX-License-Identifier: BSD-3-Clause
"""How large steps can be: the largest at which something holds, as at all smaller ones that were run.

A step of `realtime`, and an exchange of `cosimulated`, is near enough within 2 mm and 5 bar of the reference. Exchanges
are stable while the energy that they make from nothing stays small: it shows without any reference, as power that one
side of an interface gives and the other does not get [Rahikainen 2019]. docs/compare.md
Tested in tests/analysis/test_comparison.py and test_exchange_step.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knuckleboom.results.comparison import Row

PLACES_WITHIN, PRESSURES_WITHIN = 2e-3, 5e5
"""m and Pa: what a step of `realtime` may be off by. The play of worn pins and what a tape measures are about 2 mm, 5
bar are 1 % of a transducer of 500 bar: a smaller error could not be measured on the machine itself."""
EXCHANGED_WITHIN = 0.05
"""Energy that exchanges of `cosimulated` may make, as a part of the work done: while it is stable they make some parts
in a thousand, a little beyond that more than all of the work, and a run whose energy is off by 5 % has failed."""


@dataclass(frozen=True)
class NearStep:
    """The largest step at which a method is near enough, as at all smaller ones, or the nearest step that is not."""

    step: float
    """s"""
    enough: bool
    """Whether it is near enough there; else this is the step with the smallest error."""
    position_error: float
    """m"""
    pressure_error: float | None
    """Pa; None without oil"""
    position_tolerance: float = PLACES_WITHIN
    pressure_tolerance: float = PRESSURES_WITHIN


@dataclass(frozen=True)
class ExchangeStep:
    """How far apart exchanges of `cosimulated` can be: stable by the energy that they make, and near enough."""

    stable: float | None
    """The largest step at which it is stable, as at all smaller ones, s; None where none is."""
    unstable_above: bool
    """Whether a larger step was tried at which it is not."""
    exchanged_percent: float | None
    """Energy that the exchanges made there, else at the smallest step, in % of the work; None where it failed."""
    accurate: NearStep | None
    """As for `realtime`, of the stable steps; None where the reference has not converged."""
    inaccurate_above: bool
    """Whether a larger step was tried that is not near enough, or not stable."""
    exchanged_tolerance_percent: float = 100.0 * EXCHANGED_WITHIN


@dataclass(frozen=True)
class Limit:
    """The largest step at which something holds, such as that a method is stable, s, None where it never does;
    `bounded` when at a larger one it does not.
    """

    step: float | None
    bounded: bool


def limit_of(rows: Sequence[Row], holds: Callable[[Row], bool]) -> Limit:
    """The largest step at which something holds, as at all smaller ones that were run."""
    tried: dict[float, bool] = {}
    for row in rows:
        tried[row.step] = tried.get(row.step, False) or holds(row)
    largest = None
    for step in sorted(tried):
        if not tried[step]:
            return Limit(largest, bounded=True)
        largest = step
    return Limit(largest, bounded=False)


def is_quiet(row: Row) -> bool:
    """Whether a run came to its end with exchanges that made little energy: so it is stable, whatever the reference."""
    return row.done and 0.01 * (row.exchanged_percent or 0.0) <= EXCHANGED_WITHIN
