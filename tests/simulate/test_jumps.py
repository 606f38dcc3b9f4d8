# SPDX-License-Identifier: BSD-3-Clause
"""Where an input jumps, implicit runs begin anew: on a step's end or between, declared or set from outside."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.layout import CONTROLLERS, JUMP
from knuckleboom.simulation.schedule import Position, make_schedule

STEP = 5e-3


def rod(**words):
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": STEP, "coupling": "unified", "inputs": {"valve": kb.steps({0: 0.5, 0.1: 0.45})}} | words
    return kb.simulate(case.machine, "0.3 s", record=STEP, **words)


@pytest.mark.parametrize("jump", [0.1, 0.1023])
def test_a_schedule_marks_its_jumps(jump):
    schedule = make_schedule(STEP, STEP, [0.0, jump, 0.2])
    stretch = schedule.stretch(Position(0, 0.0), schedule.place(0.3), 1000)

    marked = stretch.times[(stretch.due & JUMP) != 0]
    assert marked == pytest.approx([jump, 0.2])
    assert not (stretch.due & CONTROLLERS).any()
    assert schedule.due_at(40) == JUMP and schedule.due_at(41) == 0


def test_jumps_as_published_are_not_marked_but_end_a_step():
    schedule = make_schedule(STEP, STEP, [0.1023], marked=False)
    stretch = schedule.stretch(Position(0, 0.0), schedule.place(0.3), 1000)

    assert 0.1023 in stretch.times
    assert not stretch.due.any()


def test_what_is_carried_over_a_jump_is_an_error_of_first_order():
    exact = rod(step=1e-4, coupling="explicit")["lift.length"].values
    published, anew = (rod(jumps=word)["lift.length"].values for word in ("published", "reinitialised"))

    assert np.abs(published - exact).max() > 5.0 * np.abs(anew - exact).max()


def test_an_input_set_from_outside_is_a_jump_too():
    """The same valve step, once declared and once by hand: bit-equal."""
    case = kb.catalogue.NAMES["naya-rod"]()
    declared = rod()
    sim = kb.Simulation(case.machine, step=STEP, record=STEP, coupling="unified", inputs={"valve": 0.5})
    sim.run_until(0.1)
    sim.step({"valve": 0.45})
    sim.run_until(0.3)

    assert np.array_equal(sim.results()["lift.length"].values, declared["lift.length"].values)


def test_snapshots_carry_rates():
    """A run that goes on from a snapshot is bit-equal to one that was not interrupted."""
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": STEP, "record": STEP, "coupling": "unified", "inputs": {"valve": kb.steps({0: 0.5, 0.1: 0.45})}}
    one, other = (kb.Simulation(case.machine, **words) for _ in range(2))
    one.run_until(0.15)
    other.restore(one.snapshot())
    one.run_until(0.3)
    other.run_until(0.3)

    assert one["lift.length"] == other["lift.length"]
    assert one["lift.a.pressure"] == other["lift.a.pressure"]


def test_controllers_fill_rates_anew():
    """A controller that writes a constant changes nothing that matters; the run is that without it, to second order."""
    case = kb.catalogue.NAMES["naya-rod"]()

    def steady(time, reads, writes, memory, parameters):
        writes[0] = 0.45

    held = kb.Controller(steady, reads="lift.length", writes="valve", every=STEP)
    plain = kb.simulate(case.machine, "0.2 s", step=STEP, record=STEP, coupling="unified", inputs={"valve": 0.45})
    run = kb.simulate(case.machine, "0.2 s", step=STEP, record=STEP, coupling="unified", controllers=[held])

    assert run["lift.length"].values == pytest.approx(plain["lift.length"].values, abs=2e-6)


def test_a_step_that_newton_cannot_make_is_told():
    from knuckleboom.engine.theta import HALVINGS
    from knuckleboom.layout import NOT_CONVERGED
    from knuckleboom.simulation.failure import explain

    case = kb.catalogue.NAMES["naya-rod"]()
    sim = kb.Simulation(case.machine, step=STEP, coupling="unified")
    text = explain(sim._planned, NOT_CONVERGED, sim.results())

    assert f"Newton's iteration found no end of the step, not even in {2**HALVINGS} parts: " in text
    assert "coupling realtime at 1 ms, or steps of 1 ms (now unified at 5 ms)" in text
