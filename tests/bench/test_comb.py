# SPDX-License-Identifier: BSD-3-Clause
"""The comb has as many bodies as asked, closes its loops, and is never deeper than base - barrel - rod."""

import pytest

import knuckleboom as kb
from knuckleboom.bench.comb import comb
from knuckleboom.bench.peers.tree import read_tree
from knuckleboom.bench.speed import SIZES
from knuckleboom.mechanics.parts import Body


@pytest.mark.slow
@pytest.mark.parametrize("bodies", SIZES)
def test_size_and_depth(bodies):
    machine = comb(bodies)
    tree = read_tree(machine)
    depth: list[int] = []
    for node in tree.nodes:
        depth.append(1 + (depth[node.parent] if node.parent >= 0 else 0))
    assert len(machine.of(Body)) == bodies
    assert max(depth) == 3
    assert len(tree.loops) == (bodies - 1) // 3 and all(loop.planar for loop in tree.loops)


def test_closes():
    planned = kb.build(comb(10))
    assert planned.loop_equations == 6
    assert planned.dof == 15 - 6
