# SPDX-License-Identifier: BSD-3-Clause
"""The elimination order against a brute-force symbolic factorisation: every fill entry has an address.

Random trees with random loops are eliminated on a full pattern, entry by entry, as on paper. Rank: second formulation.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.plan.elimination import order_slots
from knuckleboom.solvers.tree_ldl import TRUNK


def ancestors_of(parents):
    """For each velocity its ancestors from the root, itself last."""
    chains = []
    for velocity, parent in enumerate(parents):
        chains.append([*(chains[parent] if parent >= 0 else []), velocity])
    return chains


def loop_between(chains, a, b):
    """Velocities of the path between two, without their common ancestors."""
    return sorted(set(chains[a]) ^ set(chains[b]))


@st.composite
def systems(draw):
    """Ancestors, rows, and for each row the velocities that close it: all, or the last ones of the path."""
    count = draw(st.integers(1, 14))
    bushy = draw(st.booleans())
    parents = [draw(st.integers(-1, i - 1)) if bushy else i - 1 - draw(st.integers(0, min(i, 2))) for i in range(count)]
    chains = ancestors_of(parents)
    rows, closing = [], []
    for _ in range(draw(st.integers(0, 5))):
        row = loop_between(chains, draw(st.integers(0, count - 1)), draw(st.integers(0, count - 1)))
        if row:
            rows.append(row)
            closing.append(row[draw(st.integers(0, len(row) - 1)) :] if draw(st.booleans()) else row)
    return chains, rows, closing


def pattern(order, chains, rows):
    """The pattern of the matrix in slots, as a full matrix of booleans."""
    size = len(order.sign)
    full = np.eye(size, dtype=bool)
    for velocity, chain in enumerate(chains):
        for above in chain:
            one, other = order.velocity_slot[velocity], order.velocity_slot[above]
            full[one, other] = full[other, one] = True
    for row, velocities in enumerate(rows):
        for velocity in velocities:
            one, other = order.loop_slot[row], order.velocity_slot[velocity]
            full[one, other] = full[other, one] = True
    return full


def eliminated(full):
    """The pattern with all fill of an elimination from the last slot to the first."""
    full = full.copy()
    for pivot in range(len(full) - 1, -1, -1):
        below = np.flatnonzero(full[pivot, :pivot])
        for one in below:
            full[one, below] = True
    return full


def listed(order, slot):
    """Slots that the row of a slot in L has entries for."""
    return [int(k) for k in order.ancestor[order.start[slot] : order.start[slot] + order.depth[slot] + 1]]


@given(systems())
def test_every_entry_and_all_fill_have_an_address(system):
    chains, rows, closing = system
    order = order_slots(*system, [])

    full = eliminated(pattern(order, chains, rows))

    for slot in range(len(full)):
        for other in np.flatnonzero(full[slot, : slot + 1]):
            place = order.address(slot, int(other)) - order.start[slot]
            assert 0 <= place <= order.depth[slot]
            assert listed(order, slot)[place] == other
    assert sorted(order.velocity_slot.tolist() + order.loop_slot.tolist()) == list(range(len(full)))


@given(systems())
def test_ancestors_are_those_of_the_filled_pattern(system):
    """The parent of a slot is its last neighbour before it, after fill, and its ancestors are the parent's."""
    chains, rows, closing = system
    order = order_slots(*system, [])
    full = eliminated(pattern(order, chains, rows))

    for slot in range(len(full)):
        before = np.flatnonzero(full[slot, :slot])
        expected = [slot] if len(before) == 0 else [*listed(order, int(before[-1])), slot]
        assert listed(order, slot) == expected
        assert order.depth[slot] == len(expected) - 1


@given(systems())
def test_a_multiplier_stands_before_the_velocities_that_close_its_row(system):
    chains, rows, closing = system
    order = order_slots(*system, [])

    for row, velocities in enumerate(closing):
        slots = [int(order.velocity_slot[velocity]) for velocity in velocities]
        assert order.loop_slot[row] < min(slots)
        assert order.sign[order.loop_slot[row]] == -1.0
    assert np.all(order.sign[order.velocity_slot] == 1.0)


@given(systems())
def test_without_loops_there_is_no_fill(system):
    chains, _, _ = system
    order = order_slots(chains, [], [], [])

    full = pattern(order, chains, [])

    assert np.array_equal(eliminated(full), full)
    assert len(order.ancestor) == np.tril(full).sum()


@given(systems())
def test_the_trunk_is_found_where_six_slots_carry_all_others(system):
    order = order_slots(*system, [])
    size = len(order.sign)

    stem = list(range(TRUNK))
    carries = all(listed(order, slot)[:TRUNK] == stem[: slot + 1] for slot in range(size))
    assert order.trunk == (TRUNK if size > TRUNK and carries else 0)


@pytest.mark.parametrize(("velocities", "trunk"), [(5, 0), (6, 0), (7, TRUNK), (12, TRUNK)])
def test_a_chain_has_a_trunk_when_it_is_longer_than_six(velocities, trunk):
    order = order_slots(ancestors_of(range(-1, velocities - 1)), [], [], [])

    assert order.trunk == trunk
    # the triangle of the trunk is written out with these starts in solvers/tree_ldl.py
    assert order.start[:TRUNK].tolist() == [0, 1, 3, 6, 10, 15][:velocities]


def test_two_chains_from_the_ground_have_no_trunk():
    parents = [-1, 0, 1, 2, 3, 4, 5, -1, 7]

    assert order_slots(ancestors_of(parents), [], [], []).trunk == 0


def test_a_branch_within_the_first_six_has_no_trunk():
    parents = [-1, 0, 1, 2, 2, 4, 5, 6]

    assert order_slots(ancestors_of(parents), [], [], []).trunk == 0


def test_branches_above_a_free_base_hang_on_its_trunk():
    parents = [-1, 0, 1, 2, 3, 4, 5, 5, 6, 7]

    assert order_slots(ancestors_of(parents), [], [], []).trunk == TRUNK


@pytest.mark.slow
def test_a_cylinder_of_barrel_and_rod_does_not_burden_the_machine():
    """On harvester-30 the multipliers of the four cylinders stand before barrel and rod only."""
    planned = kb.build(kb.catalogue.NAMES["harvester-30"]().machine)
    order, plan = planned.layout.elimination, planned.plan.system

    assert order.trunk == TRUNK and planned.loop_equations == 8
    for row in range(8):
        path = plan.path_dof[plan.path_first[row] : plan.path_first[row + 1]]
        behind = sum(int(order.velocity_slot[int(v)]) > order.loop_slot[row] for v in path)
        assert behind == 2
