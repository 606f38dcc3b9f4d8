# SPDX-License-Identifier: BSD-3-Clause
"""What the factors of the circuits' matrices touch: a circuit is nearly a tree, most of its matrix stays zero.

States of a circuit are eliminated by minimum degree (plan/pattern.py), without exchange. The tables list, for each
state in that order, the entries below and right of its diagonal and where their products go: hydraulics/circuits.py.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from knuckleboom.plan.pattern import minimum_degree


def in_order(circuit: list[int], near: list[set[int]]) -> list[int]:
    """States of a circuit so that little fills up; `near` are the states that share an entry with each state."""
    place = {state: number for number, state in enumerate(circuit)}
    around = [{place[other] for other in near[state] if other != state} for state in circuit]
    return [circuit[number] for number in minimum_degree(around, [[] for _ in circuit])]


def pattern_tables(tables: dict[str, np.ndarray], entries: Iterable[int]) -> dict[str, np.ndarray]:
    """Lower and upper entries of the factors state by state, with the place of their state in the circuit, and the
    targets of their products; `entries` are all that slopes are put at.
    """
    first, start = tables["oil.circuit_first"], tables["oil.circuit_start"]
    lower: list[tuple[int, int]] = []
    upper: list[tuple[int, int]] = []
    lower_first, upper_first, targets = [0], [0], []
    filled = set(entries)
    for begin, end, at in zip(first[:-1], first[1:], start, strict=True):
        n = int(end - begin)
        by_row = [{column for column in range(n) if at + row * n + column in filled} for row in range(n)]
        for k in range(n):
            right = sorted(column for column in by_row[k] if column > k)
            below = [row for row in range(k + 1, n) if k in by_row[row]]
            for row in below:
                by_row[row].update(right)
                targets += [at + row * n + column for column in right]
            lower += [(at + row * n + k, row) for row in below]
            upper += [(at + k * n + column, column) for column in right]
            lower_first.append(len(lower))
            upper_first.append(len(upper))
    return {
        "oil.lower_first": np.array(lower_first, np.int64),
        "oil.lower": np.array(lower, np.int64).reshape(-1, 2),
        "oil.upper_first": np.array(upper_first, np.int64),
        "oil.upper": np.array(upper, np.int64).reshape(-1, 2),
        "oil.target": np.array(targets, np.int64),
    }
