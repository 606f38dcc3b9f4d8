# SPDX-License-Identifier: BSD-3-Clause
"""Tables of elements on rows, from their declarations: what each is given, where its slopes, states and powers are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

import numpy as np

from knuckleboom.interface.contract import SUPPLIED, Element
from knuckleboom.interface.forces import KINDS
from knuckleboom.machine.elements import Chamber, Force
from knuckleboom.net import NetSignal

COLUMNS = max(len(module.ELEMENT.columns) + 2 for module in KINDS)
"""Of plan.forces.number: those of the element with the most, and the place of a curve."""


def declared(force: Force) -> Element:
    """The declaration of an element."""
    found: Element = KINDS[force.kind].ELEMENT
    return found


def supplied(forces: Sequence[Force]) -> list[Force]:
    """Elements that take power from outside."""
    return [force for force in forces if declared(force).account == SUPPLIED]


def blocks(forces: Sequence[Force]) -> list[Force]:
    """Elements with several rows or states."""
    return [force for force in forces if declared(force).block]


def starts(counts: Sequence[int]) -> list[int]:
    """Where each of some lists begins, one after the other."""
    return list(accumulate(counts, initial=0))[:-1]


def block_sizes(forces: Sequence[Force]) -> dict[str, int]:
    """How many slopes, factors, columns and pairs of rows all blocks have."""
    found = [declared(force) for force in blocks(forces)]
    return {
        "nslope": sum(element.places()[""] for element in found),
        "nfactor": sum(len(element.states) ** 2 for element in found),
        "nfollow": sum(2 * len(element.states) * element.sizes()[1] for element in found),
        "ncross": sum(len(element.rows) * (len(element.rows) - 1) // 2 for element in found),
    }


def element_tables(
    forces: Sequence[Force], chambers: Sequence[Chamber], rows: Mapping[int, int],
    signal: Callable[[NetSignal | None], int], first_state: int,
) -> dict[str, np.ndarray]:  # fmt: skip
    """All tables of elements but for their columns; `rows` are the numbers of rows by identity, a state has that of its
    signal without `first_state`.
    """
    singles, means, large = (
        [force for force in forces if choose(declared(force))]
        for choose in (lambda e: e.single, lambda e: e.mean_power, lambda e: e.block)
    )
    slopes = starts([declared(force).places()[""] for force in large])
    supplies, moded = supplied(forces), [force for force in forces if declared(force).modes]
    modes = starts([len(declared(force).modes) for force in moded])
    more = [[rows[id(row)] for row in force.rows[1:]] + [signal(one) for one in force.signals[1:]] for force in forces]
    # an element that reads the force of oil has all chambers of its row
    own = [
        [place for place, one in enumerate(chambers) if "by_oil" in declared(force).gives and one.row is force.row]
        for force in forces
    ]
    own_first = [len(line) for line in more]
    more = [line + places for line, places in zip(more, own, strict=True)]
    more_first = starts([len(line) for line in more])

    def state(force: Force) -> int:
        return signal(force.states[0]) - first_state if force.states else -1

    def block(force: Force) -> int:
        if force in large:
            return slopes[large.index(force)]
        return next((group.index(force) for group in (singles, means) if force in group), -1)

    def line(number: int, force: Force) -> tuple[int, ...]:
        supply = len(forces) + len(chambers) + supplies.index(force) if force in supplies else -1
        return (
            rows[id(force.row)], signal(next(iter(force.signals), None)), state(force),
            more_first[number] + own_first[number], len(own[number]), block(force), more_first[number], supply,
            modes[moded.index(force)] if force in moded else -1,
        )  # fmt: skip

    elements = [declared(force) for force in large]
    row_first = starts([element.sizes()[1] for element in elements])
    factor_first = starts([len(element.states) ** 2 for element in elements])
    follow_first = starts([2 * len(element.states) * element.sizes()[1] for element in elements])
    cross_first = starts([len(element.rows) * (len(element.rows) - 1) // 2 for element in elements])
    scaled = [
        (state(force) + place, one.scale)
        for force in forces
        for place, one in enumerate(declared(force).states)
        if np.isfinite(one.scale)
    ]
    return {
        "forces.index": np.array([line(*one) for one in enumerate(forces)], np.int64).reshape(-1, 9),
        "forces.single": np.array([(rows[id(one.row)], state(one)) for one in singles], np.int64).reshape(-1, 2),
        "forces.mean": np.array([forces.index(force) for force in means], np.int64),
        "forces.block": np.array(
            [
                (*element.sizes(), state(force), *places)
                for force, element, *places in zip(
                    large, elements, row_first, slopes, factor_first, follow_first, cross_first, strict=True
                )
            ],
            np.int64,
        ).reshape(-1, 9),
        "forces.block_row": np.array([rows[id(row)] for force in large for row in force.rows], np.int64),
        "forces.scaled": np.array([place for place, _ in scaled], np.int64),
        "forces.scale": np.array([size for _, size in scaled], float),
        "forces.more": np.array([number for line in more for number in line], np.int64),
    }
