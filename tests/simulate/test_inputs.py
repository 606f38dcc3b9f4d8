# SPDX-License-Identifier: BSD-3-Clause
"""Inputs over time: every way to give one, and what a wrong one gets as an answer.

A mass on a frictionless slide is pushed by a force: its speed is the integral of the input over the mass, by Simpson's
rule as RK4 has it, or exact where the input is held from step to step, so that what the engine was given is read back
from the motion. Rank: closed form.
"""

import importlib
import math

import numpy as np
import pytest

import knuckleboom as kb

RUN = importlib.import_module("knuckleboom.simulation.session")
MASS, STEP = 2.0, 0.01


def cart():
    machine = kb.Machine("cart", gravity=(0, 0, 0))
    body = machine.body("cart", mass=MASS, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")
    return machine


def run(push, duration=0.1, machine=None, **more):
    inputs = {"push": push, **more}
    return kb.simulate(machine or cart(), duration, step=STEP, record=STEP, inputs=inputs)


def given(results):
    return results["push.force"].values


def speeds(expected, times, held):
    """Speed of the cart when the force of each time but the last is held for one step, or goes on within it."""
    start, middle, end = (np.array([expected(t) for t in times[:-1] + part * STEP]) for part in (0.0, 0.5, 1.0))
    mean = start if held else (start + 4.0 * middle + end) / 6.0
    return np.concatenate([[0.0], np.cumsum(mean) * STEP / MASS])


FORMS = {
    "a number": (3.0, lambda t: 3.0),
    "a NumPy number": (np.float32(3.0), lambda t: 3.0),
    "text with a unit": ("3 kN", lambda t: 3000.0),
    "a mapping": ({0: 1.0, 0.05: -2.0}, lambda t: 1.0 if t < 0.05 - 1e-9 else -2.0),
    "a mapping of texts": ({"0 s": "1 N", "50 ms": "-2 N"}, lambda t: 1.0 if t < 0.05 - 1e-9 else -2.0),
    "steps": (kb.steps({0: 1.0, 0.05: -2.0}), lambda t: 1.0 if t < 0.05 - 1e-9 else -2.0),
    "steps of texts": (kb.steps({0: "1 N", "50 ms": "-2 N"}), lambda t: 1.0 if t < 0.05 - 1e-9 else -2.0),
    "steps that begin late": (kb.steps({0.05: 1.0, 0.08: 2.0}), lambda t: 1.0 if t < 0.08 - 1e-9 else 2.0),
    "a table": (kb.table([0.02, 0.06], [1.0, 3.0]), lambda t: float(np.interp(t, [0.02, 0.06], [1.0, 3.0]))),
    "a table of texts": (kb.table(["0 s", "0.1 s"], ["0 N", "1 kN"]), lambda t: 1e4 * t),
    "a function": (lambda t: math.sin(30.0 * t), lambda t: math.sin(30.0 * t)),
    "a function that gives whole numbers": (lambda t: 7, lambda t: 7.0),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_input_may_be_given_as(form):
    push, expected = FORMS[form]

    results = run(push)

    values = np.array([expected(t) for t in results.time])
    held = not callable(push) and not form.startswith("a table")
    assert given(results) == pytest.approx(values, rel=1e-14)
    assert results["rail.travel_rate"].values == pytest.approx(speeds(expected, results.time, held), rel=1e-12)


def test_an_input_that_is_not_given_has_its_default():
    machine = cart()
    machine.force("drag", machine["cart"], direction="x", value="-1 N")

    results = run(1.0, machine=machine)

    assert np.all(results["drag.force"].values == -1.0)
    assert results["rail.travel_rate"].values == pytest.approx(np.zeros(11), abs=1e-15)


def test_a_function_is_called_once_for_every_end_and_middle_of_a_step_in_order():
    asked = []

    def push(t):
        asked.append(t)
        return 0.0

    results = run(push, 1.0)

    assert asked == [pytest.approx(0.5 * k * STEP) for k in range(201)]
    assert results.meta["steps"] == 100


def refused(error, push, **more):
    with pytest.raises(error) as caught:
        run(push, **more)
    return caught.value


def test_an_unknown_input_is_refused_with_the_closest_name():
    error = refused(kb.MachineError, 1.0, psh=2.0)

    assert str(error) == (
        "1 problem in the inputs\n\n1. There is no input 'psh'.\n"
        "   The machine's inputs are push.\n   Closest names: 'push'."
    )


def test_a_machine_without_inputs_says_so():
    machine = kb.Machine("pendulum")
    machine.revolute("pin", machine.ground, machine.body("bob", mass=1.0, inertia=(1, 1, 1)))

    error = refused(kb.MachineError, 1.0, machine=machine)

    assert "There is no input 'push'.\n   The machine has no inputs." in str(error)


def test_inputs_without_names_are_refused():
    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(cart(), 0.1, inputs=[("push", 1.0)])

    assert str(caught.value) == (
        "1 problem in the inputs\n\n1. inputs is [('push', 1.0)], which does not name any.\n"
        '   Write them by name: inputs={"valve": 0.5}'
    )


def test_all_wrong_inputs_are_named_at_once():
    machine = cart()
    machine.force("drag", machine["cart"], direction="x")

    error = refused(kb.MachineError, "3 bar", machine=machine, drag=math.nan, pusher=1.0)

    assert [problem.part for problem in error.problems] == ["pusher", "push", "drag"]


WRONG = {
    "text without a unit": ("3", "input 'push': '3' has no unit"),
    "a unit of something else": ("3 bar", "input 'push': 'bar' is a unit of pressure, not of force"),
    "steps in another unit": (
        lambda: kb.steps({0: "3 bar"}),
        "input 'push': 'bar' is a unit of pressure, not of force",
    ),
    "not finite": (math.inf, "input 'push': inf is not a finite number."),
    "not a number": ([1.0, 2.0], "input 'push': [1.0, 2.0] is not a finite number."),
    "nothing": (None, "input 'push': nothing is not a finite number."),
    "an empty mapping": ({}, "input 'push': there is no time and no value."),
    "times that do not rise": ({1: 0.0, 0.5: 1.0}, "input 'push': times must rise, but 0.5 s comes after 1 s."),
    "steps that do not rise": (
        lambda: kb.steps({1: 0.0, "1 s": 1.0}),
        "steps: times must rise, but 1 s comes after 1 s.",
    ),
    "a time of another unit": ({"1 m": 0.0}, "input 'push': 'm' is a unit of length, not of time"),
    "a time that is not finite": ({math.nan: 0.0}, "input 'push': nan is not a finite number."),
    "a table of unequal lists": (
        lambda: kb.table([0, 1], [2.0]),
        "table: the number of times is 2, but that of values is 1.",
    ),
    "steps without times": (lambda: kb.steps([0.0, 1.0]), "steps: [0.0, 1.0] does not give a value for each time."),
    "a table without a list": (lambda: kb.table(0.0, [1.0]), "table: 0.0 is not a list."),
    "an empty table": (lambda: kb.table([], []), "table: there is no time and no value."),
    "a table that is not finite": (lambda: kb.table([0, 1], [0.0, math.nan]), "table: nan is not a finite number."),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_input_is_refused(what):
    push, sentence = WRONG[what]

    with pytest.raises(kb.MachineError) as caught:
        run(push() if callable(push) else push)

    assert sentence in str(caught.value)


def fails(t):
    if t > 0.0549:
        raise RuntimeError("the joystick is unplugged")
    return 1.0


FAILING = {
    "an exception": (fails, "input 'push' failed with RuntimeError: the joystick is unplugged."),
    "an exception of Python": (
        lambda t: 1.0 if t < 0.0549 else [].pop(),
        "input 'push' failed with IndexError",
    ),
    "a bare exception": (lambda t: 1.0 if t < 0.0549 else next(iter(())), "input 'push' failed: StopIteration()."),
    "not a number": (lambda t: 1.0 if t < 0.0549 else math.nan, "input 'push' gave nan, which is not a finite number."),
    "text": (lambda t: 1.0 if t < 0.0549 else "1", "input 'push' gave '1', which is not a finite number."),
    "nothing at all": (lambda t: 1.0 if t < 0.0549 else None, "input 'push' gave None, which is not a finite number."),
    "a list": (lambda t: 1.0 if t < 0.0549 else [1.0], "input 'push' gave [1.0], which is not a finite number."),
}


@pytest.mark.parametrize("block", [1, 7, 10**6])
@pytest.mark.parametrize("what", FAILING)
def test_a_function_that_fails_is_named_with_its_time_and_results_are_kept(what, block, monkeypatch):
    push, sentence = FAILING[what]
    monkeypatch.setattr(RUN, "next_block", lambda count, took: block)

    error = refused(kb.SimulationError, push)

    assert str(error).startswith(f"Simulation stopped at t = 0.055 s: {sentence.removesuffix('.')}")
    assert "  try               a function that gives a finite number at every time from 0 s to 0.1 s" in str(error)
    assert "  kept              results up to t = 0.05 s" in str(error)
    assert error.results.status == "failed" and error.results.message == str(error)
    assert error.results.time == pytest.approx(np.arange(6) * STEP)
    assert error.results["rail.travel_rate"].values == pytest.approx(np.arange(6) * STEP / MASS, rel=1e-12)
    assert abs(error.results.energy().residual) < 1e-15


def test_the_users_own_exception_is_the_cause():
    error = refused(kb.SimulationError, fails)

    assert isinstance(error.__cause__.__cause__, RuntimeError)


def test_a_function_that_fails_at_once_leaves_empty_results():
    error = refused(kb.SimulationError, lambda t: 1 / 0)

    assert "Simulation stopped at t = 0 s: input 'push' failed with ZeroDivisionError: division by zero." in str(error)
    assert len(error.results.time) == 0


def test_of_two_functions_that_fail_the_earlier_is_named():
    machine = cart()
    machine.force("drag", machine["cart"], direction="x")

    error = refused(kb.SimulationError, fails, machine=machine, drag=lambda t: 1 / (0.03 - t) if t < 0.025 else None)

    assert "t = 0.025 s: input 'drag' gave None" in str(error)
    assert len(error.results.time) == 3


def test_values_may_be_given_in_a_stated_unit():
    assert kb.steps({0: "1 kN"}, "N").values == (1000.0,)
    assert kb.table([0, 1], ["0 %", "50 %"], "1").values == (0.0, 0.5)


def test_a_faulty_file_is_refused_once_for_all_drivers_that_follow_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cycle.csv").write_text("time,pull,slide\n0,0,0\n1,x,0.1\n")
    machine = kb.Machine("two slides", gravity=(0, 0, 0))
    for driver, joint in (("pull", "rail"), ("slide", "guide")):
        body = machine.body(f"{joint}_cart", mass=MASS, inertia=(1, 1, 1))
        machine.prismatic(joint, machine.ground, body, axis="x")
        machine.driver(driver, joint=joint)

    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(machine, 1.0, inputs={name: kb.csv_column("cycle.csv") for name in ("pull", "slide")})

    assert [problem.rule for problem in caught.value.problems] == ["'x' in column 2 is not a number."]
