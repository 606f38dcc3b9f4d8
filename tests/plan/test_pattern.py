# SPDX-License-Identifier: BSD-3-Clause
"""The sparse pattern against a brute-force symbolic factorisation, and its size for chains in closed form.

Random bodies, joints and rods are eliminated on a full pattern, entry by entry, as on paper. Rank: second formulation.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from free_bodies import FreeBodies, chain, trees_with_rods, velocities_of
from knuckleboom.plan.pattern import order_pattern


@st.composite
def systems(draw):
    """Velocities in random sets, rows on random velocities, and for each row those that close it."""
    count = draw(st.integers(1, 12))
    some = st.lists(st.integers(0, count - 1), min_size=1, max_size=5, unique=True)
    coupled = [[velocity] for velocity in range(count)] + draw(st.lists(some, max_size=5))
    rows = draw(st.lists(some, max_size=6))
    # a row may also wait for what it has no entry with, as the bodies in the middle of a loop
    closing = [draw(st.sampled_from((row, row[:1], [*row, 0]))) for row in rows]
    return coupled, rows, closing


def full_pattern(order, coupled, rows):
    """The pattern of the matrix in slots, as a full matrix of booleans."""
    full = np.eye(len(order.sign), dtype=bool)
    for velocities in coupled:
        full[np.ix_(order.velocity_slot[velocities], order.velocity_slot[velocities])] = True
    for row, velocities in enumerate(rows):
        full[order.velocity_slot[velocities], order.loop_slot[row]] = True
        full[order.loop_slot[row], order.velocity_slot[velocities]] = True
    return full


def eliminated(full):
    """The pattern with all fill of an elimination from the last slot to the first."""
    full = full.copy()
    for pivot in range(len(full) - 1, -1, -1):
        before = np.flatnonzero(full[pivot, :pivot])
        full[np.ix_(before, before)] = True
    return full


def listed(order, slot):
    return order.ancestor[order.start[slot] : order.start[slot] + order.depth[slot] + 1].tolist()


@given(systems())
def test_entries_are_those_of_the_matrix_and_its_fill(system):
    coupled, rows, closing = system
    order = order_pattern(*system)
    full = eliminated(full_pattern(order, coupled, rows))

    for slot in range(len(full)):
        assert listed(order, slot) == np.flatnonzero(full[slot, : slot + 1]).tolist()
    assert sorted(order.velocity_slot.tolist() + order.loop_slot.tolist()) == list(range(len(full)))


@given(systems())
def test_an_address_is_where_the_entry_is_listed(system):
    order = order_pattern(*system)

    for slot in range(len(order.sign)):
        for other in range(slot + 1):
            if other in listed(order, slot):
                place = order.address(slot, other)
                assert order.start[slot] <= place <= order.start[slot] + order.depth[slot]
                assert order.ancestor[place] == other
                assert order.address(other, slot) == place
            else:
                with pytest.raises(ValueError, match=f"slots {other} and {slot} have no entry"):
                    order.address(slot, other)


@given(systems())
def test_targets_are_the_addresses_of_all_products(system):
    order = order_pattern(*system)
    expected = []
    for slot in range(len(order.sign) - 1, -1, -1):
        before = listed(order, slot)[:-1]
        for last in range(len(before) - 1, -1, -1):
            expected += [order.address(before[last], other) for other in before[: last + 1]]

    assert order.target.tolist() == expected


@given(systems())
def test_a_multiplier_goes_after_what_closes_its_row(system):
    order = order_pattern(*system)

    for row, velocities in enumerate(system[2]):
        assert order.loop_slot[row] < order.velocity_slot[velocities].min()
        assert order.sign[order.loop_slot[row]] == -1.0
    assert np.all(order.sign[order.velocity_slot] == 1.0)


@given(trees_with_rods())
def test_slots_of_a_body_follow_each_other(tree):
    case = FreeBodies(*tree, seed=1)

    for body in range(len(tree[0])):
        slots = np.sort(case.order.velocity_slot[velocities_of(body)])
        assert np.ptp(slots) == 5


@pytest.mark.parametrize("bodies", [1, 2, 10, 1000])
def test_entries_of_a_chain_in_closed_form(bodies):
    """From the tip inwards no body sees more than its own joint, and no joint more than the next body."""
    order = order_pattern(*chain_system(bodies))

    # rows of 6 to 11 entries for a body's velocities, of 7 to 11 for a joint's; behind the last joint is the ground
    assert len(order.ancestor) == 51 * bodies + 45 * (bodies - 1) + 15
    assert len(order.target) == 200 * bodies + 185 * (bodies - 1) + 20


@pytest.mark.parametrize("bodies", [2, 10, 1000])
def test_waiting_for_all_velocities_of_a_row_costs_more_but_stays_linear(bodies):
    coupled, rows, _ = chain_system(bodies)
    order = order_pattern(coupled, rows, rows)

    # a body between two joints couples them: rows of 11 to 16 entries, then of 6 to 10 for the joints
    assert len(order.ancestor) == 121 * bodies - 55
    assert len(order.target) == 660 * bodies - 440


@pytest.mark.parametrize("arms", [3, 8, 50])
def test_a_hub_with_many_arms_stays_linear(arms):
    """The hub waits for its arms, so their joints never couple."""
    parents = [-1, *([0] * arms)]
    order = order_pattern(*tree_system(parents))

    assert len(order.ancestor) == 51 * len(parents) + 45 * arms + 15


@pytest.mark.parametrize("levels", [2, 5, 9])
def test_a_branching_tree_has_the_entries_of_a_chain(levels):
    bodies = 2**levels - 1
    order = order_pattern(*tree_system([(body - 1) // 2 if body else -1 for body in range(bodies)]))

    assert len(order.ancestor) == 51 * bodies + 45 * (bodies - 1) + 15


@pytest.mark.parametrize("bodies", [10, 100, 1000])
def test_a_ring_stays_linear(bodies):
    """One row from the tip to the first body is carried along by every body and joint: one more entry each."""
    coupled, rows, closing = chain_system(bodies)
    everything = [velocity for body in range(1, bodies) for velocity in velocities_of(body)]
    order = order_pattern(
        coupled, [*rows, velocities_of(0) + velocities_of(bodies - 1)], [*closing, everything]
    )  # fmt: skip

    assert len(order.ancestor) <= 96 * bodies - 30 + 11 * bodies + 1


def test_tables_of_a_long_chain_are_small():
    order = order_pattern(*chain_system(1000))
    arrays = (order.velocity_slot, order.loop_slot, order.start, order.depth, order.ancestor, order.target, order.sign)

    assert sum(array.nbytes for array in arrays) < 2700 * 1000, "2.7 kB a body, and 0.8 kB for the matrix itself"


def test_matrices_of_the_tests_have_the_systems_of_the_counts():
    case = chain(4)

    assert (case.coupled, case.rows, case.closing) == tuple(chain_system(4))


def chain_system(bodies):
    return tree_system(range(-1, bodies - 1))


def tree_system(parents):
    """Free bodies on a tree of revolute joints, without their matrices."""
    coupled, rows, closing = [], [], []
    for body, parent in enumerate(parents):
        own = velocities_of(body)
        coupled.append(own)
        rows += [[*(velocities_of(parent) if parent >= 0 else []), *own]] * 5
        closing += [own] * 5
    return coupled, rows, closing
