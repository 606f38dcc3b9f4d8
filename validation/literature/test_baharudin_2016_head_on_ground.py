# SPDX-License-Identifier: BSD-3-Clause
"""Baharudin (2016), publication III, fig. 16: the head is pressed to the ground by the boom, then swung to the left.

The figure has a curve without numbers; what it shows is that the force sets in with the touch, stays while nothing
moves, and stays bounded while the head is dragged. examples/head_on_ground.py is the run. Beside the figure: forces up
are the weight (closed form), friction is within its cone, and a second run has the same bits.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from knuckleboom.mechanics.parts import Body

ROOT = Path(__file__).parents[2]
FRICTION, BREAKAWAY = 0.45, 0.55  # steel on soil


def example():
    spec = importlib.util.spec_from_file_location("head_on_ground", ROOT / "examples" / "head_on_ground.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


PRESSING = example()


@pytest.fixture(scope="module")
def run():
    return PRESSING.pressed_and_swung()


def between(run, begin, end):
    return slice(*np.searchsorted(run.time, (begin, end)))


@pytest.mark.slow
def test_the_force_sets_in_with_the_touch_and_stays_while_nothing_moves(run):
    force = PRESSING.force(run)
    assert (force[between(run, 0.0, PRESSING.TOUCHES - 0.5)] == 0.0).all()
    held = force[between(run, 6.8, PRESSING.SWINGS)]
    assert 15e3 < held.mean() < 25e3 and np.ptp(held) < 0.15 * held.mean()

    # tires and head together carry the weight
    weight = 9.81 * sum(body.mass for body in PRESSING.kb.catalogue.machine("harvester-25").of(Body))
    tires = sum(one.values for one in run.find("tire_*.normal_force"))
    assert (force + tires)[between(run, 6.8, PRESSING.SWINGS)].mean() == pytest.approx(weight, rel=2e-3)


@pytest.mark.slow
def test_it_stays_bounded_while_the_head_is_dragged(run):
    force, swings = PRESSING.force(run), between(run, PRESSING.SWINGS, PRESSING.ENDS)
    assert np.isfinite(force).all()
    assert 0.0 < force[swings].max() < 1.5 * force[between(run, 6.8, PRESSING.SWINGS)].mean()
    assert force.max() < 40e3
    head = run["head.position"].values
    assert np.linalg.norm(head[-1] - head[swings.start]) > 2.0
    assert head[:, 2].min() > 0.5  # it does not sink in
    for part in PRESSING.PARTS:
        rubs, normal = run[f"{part}.friction_force"].values, run[f"{part}.normal_force"].values
        # bristles that bend fast give more than the cone for a moment
        beyond = np.linalg.norm(rubs, axis=1) - BREAKAWAY * normal
        assert np.percentile(beyond, 99) < 0.05 * force.max(), part
    assert abs(run.energy().residual) < 5e-3 * sum(run.energy().supplied.values())


@pytest.mark.slow
def test_it_is_repeatable_to_the_bit(run):
    again = PRESSING.pressed_and_swung()
    assert np.array_equal(run.record, again.record)
