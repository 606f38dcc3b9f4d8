# SPDX-License-Identifier: BSD-3-Clause
"""Stability: margins of places in an outline by hand, of a vehicle by its wheel loads, the warning, what blows take."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from cabin.lines import planned, start
from knuckleboom.analysis.mass import machine_mass
from knuckleboom.bench.vehicle import WHEELS, four_wheels
from knuckleboom.cabin.dashboard import BLOWS, SCRAPING, STABILITY
from knuckleboom.cabin.gauges import make_dashboard
from knuckleboom.cabin.stability import find_stability, margin, outline
from knuckleboom.cabin.watch import Watch

SQUARE = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]


def test_margins_in_a_square():
    assert margin((1.0, 1.0), SQUARE) == pytest.approx(1.0)
    assert margin((1.5, 1.0), [*SQUARE, (1.0, 1.0)]) == pytest.approx(0.5)
    assert margin((2.0, 1.0), SQUARE) == 0.0 == margin((3.0, 1.0), SQUARE)
    assert margin((1.0, 0.0), [(0.0, 0.0), (2.0, 0.0)]) == 0.0
    assert sorted(outline({*SQUARE, (1.0, 1.0), (1.0, 0.0)})) == sorted(SQUARE)


def look(machine, seconds):
    """The plan, the dashboard, and lines of a run with what is computed behind them."""
    plan = kb.build(machine, coupling="realtime")
    run = kb.simulate(machine, seconds, step="1 ms", coupling="realtime", record="10 ms")
    record = np.asarray(run.record[:, : plan.names.width])
    board = make_dashboard(plan, record[0])
    return plan, board, [np.concatenate([line, board.compute(line)]) for line in record]


def test_a_vehicle_stands_on_its_wheels_and_tips_over():
    m = four_wheels(braked=True, steer=None)
    plan, board, lines = look(m, 0.5)
    paths = [one["path"] for one in board.signals]
    column = plan.names.width + paths.index(STABILITY)
    loads = {name: lines[-1][plan.names[f"{name}.normal_force"].columns[0]] for name in WHEELS}
    total = sum(loads.values())
    front = sum(load for name, load in loads.items() if name.startswith("front")) / total
    # by hand: the nearer axle has so much of the load, and in the middle it would be half
    assert lines[-1][column] == pytest.approx(2.0 * min(front, 1.0 - front), rel=0.01)
    assert not Watch(board.alarms).look(lines[-1], 0, 1.0).any()

    # it comes down on the wheels of one side
    steep = four_wheels(braked=True, steer=None, start=(0, 0, 2.2, math.radians(55.0), 0, 0))
    _, tilted, falling = look(steep, 0.6)
    assert tilted.stability is None  # it starts in the air: on nothing
    watch = Watch(board.alarms)
    ids = [one["id"] for one in watch.to_list()]
    line = falling[-1][: plan.names.width]
    lit = watch.look(np.concatenate([line, board.compute(line)]), 0, 1.0)
    assert lit[ids.index("tipping.vehicle")]


def test_which_machines_have_it():
    assert find_stability(planned("mine-loader")[1], start("mine-loader")) is not None
    assert find_stability(planned("concrete-sprayer")[1], start("concrete-sprayer")) is None


def test_weight_counts_point_masses_and_no_loose_loads():
    m = four_wheels(braked=True, steer=None)
    alone = machine_mass(kb.build(m)).total
    m["chassis"].point_mass("driver", 80.0, (0.0, 0.0, 1.0))
    crate = m.body("crate", mass=500.0, inertia=(10, 10, 10), loose=True)
    m.free("flight", m.ground, crate, start=(0, 0, 5, 0, 0, 0))
    plan = kb.build(m, coupling="realtime")
    run = kb.simulate(m, "2 ms", step="1 ms", coupling="realtime")
    found = find_stability(plan, np.asarray(run.record[0, : plan.names.width]))
    assert found is not None and found.weight == pytest.approx(9.81 * (alone + 80.0), rel=1e-12)


def test_contacts_at_the_bottom_carry_also_where_they_do_not_touch_yet():
    m = kb.Machine("table")
    m.terrain("floor")
    top = m.body("top", mass=100.0, com=(0, 0, 0.5), inertia=(8, 10, 12))
    m.free("stand", m.ground, top, start=(0, 0, 1e-6, 0, 0, 0))
    for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
        m.contact(f"foot{k}", top.at(x, y, 0), sphere=0.01, depth="2 mm")
    m.contact("edge", top.at(0, 0, 0.8), box=(2.4, 2.4, 0.1))
    m.assign("stand", {"start": (0, 0, 0.0101, 0, 0, 0)})
    plan, board, lines = look(m, 0.5)
    assert board.stability is not None and len(board.stability.feet) == 4
    column = plan.names.width + [one["path"] for one in board.signals].index(STABILITY)
    assert lines[0][column] == 0.0 and lines[-1][column] == pytest.approx(1.0, abs=0.01)


def test_what_blows_and_sliding_take():
    m = kb.Machine("crate")
    m.terrain("floor")
    box = m.body("box", mass=100.0, inertia=(8, 10, 12))
    m.free("flight", m.ground, box, start=(0, 0, 0.8, 0, 0, 0), speed=(1, 0, 0, 0, 0, 0))
    m.contact("foot", box, box=(1.0, 0.8, 0.6), restitution=0.1, friction=0.5, depth="5 mm")
    plan, board, lines = look(m, 2.0)
    paths = [one["path"] for one in board.signals]
    columns = [plan.names.width + paths.index(one) for one in (BLOWS, SCRAPING)]
    blows, scraping = np.array(lines)[:, columns].T
    # half a metre down and 1 m/s along: all of both becomes heat, and hardly any of it flows back
    assert blows[-1] + scraping[-1] == pytest.approx(100.0 * 9.81 * 0.505 + 50.0, rel=0.02)
    assert np.diff(blows).min() > -1.0 and np.diff(scraping).min() > -1.0 and scraping[-1] > 20.0
