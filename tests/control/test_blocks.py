# SPDX-License-Identifier: BSD-3-Clause
"""PID, low-pass and rate limit as a user makes them: settings, limits, starts, and what is refused.

Their numbers are checked in validation/analytic/test_pid.py and validation/analytic/test_low_pass.py.
"""

import numpy as np
import pytest

import knuckleboom as kb


def call(block, reads, held=0.0, count=1, time=0.0):
    """Call a block by hand some times; return what it wrote each time."""
    memory, writes = np.array(block.memory), np.array([held])
    parameters = np.array([*block.parameters.values(), *block.constants.values()])
    written = []
    for row in np.atleast_2d(reads) if np.ndim(reads) == 2 else [reads] * count:
        block.function(time, np.asarray(row, float), writes, memory, parameters)
        written.append(float(writes[0]))
    return written


def test_a_pid_begins_without_a_bump():
    block = kb.pid("x", reads="y", writes="u", setpoint=1.0, kp=5.0, ki=1.0, every=0.1)

    assert call(block, [0.2, 1.0], held=0.3, count=2) == pytest.approx([0.3, 0.3 + 0.1 * 0.8])


def test_a_proportional_controller_has_no_bias():
    block = kb.pid("x", reads="y", writes="u", setpoint=1.0, kp=5.0, every=0.1)

    assert call(block, [0.2, 1.0], held=0.3, count=2) == pytest.approx([4.0, 4.0])


def test_limits_leave_no_bias_in_a_proportional_controller():
    block = kb.pid("x", reads="y", writes="u", setpoint=0.0, kp=2.0, limits=(-1.0, 1.0), every=0.1)

    assert call(block, np.array([[0.0, 9.0]] * 50 + [[0.0, 0.25]]))[-1] == 0.5


def test_a_jump_of_the_setpoint_gives_no_kick_of_the_derivative():
    block = kb.pid("x", reads="y", writes="u", setpoint=0.0, kd=5.0, every=0.1, derivative_filter="0.05 s")

    assert call(block, np.array([[0.0, 0.0], [0.0, 9.0], [0.0, -9.0]])) == [0.0, 0.0, 0.0]
    assert call(block, np.array([[0.0, 0.0], [1.0, 0.0]]))[1] == pytest.approx(-5.0 / 0.15)


def test_limits_hold_and_the_integral_does_not_wind_up():
    block = kb.pid("x", reads="y", writes="u", setpoint=0.0, ki=1.0, kp=1.0, limits=(-1.0, 2.0), every=0.1)
    saturated = np.tile([0.0, 10.0], (1000, 1))
    back = np.tile([0.0, -0.5], (30, 1))

    written = call(block, np.vstack([saturated, back]))

    assert max(written) == 2.0
    # v rests at the limit + tracking·ki·e above it, so the output leaves the limit at once when e changes sign
    assert written[1000] < 2.0 and written[-1] < written[1000]


@pytest.mark.parametrize(("setpoint", "own"), [(0.3, True), ("30 deg", True), ("other.output", False)])
def test_a_setpoint_is_a_source_or_another_quantity(setpoint, own):
    block = kb.pid("x", reads="y", writes="u", setpoint=setpoint, kp=1.0, every=0.1)

    assert (list(block.references) == ["setpoint"]) == own
    assert (list(block.reads) == ["y", "other.output"]) != own


def test_a_cascade_of_blocks_runs():
    """An outer loop asks for a speed, an inner one pushes: the cart arrives, and no faster than the limit."""
    machine = kb.Machine("cart", gravity=(0, 0, 0))
    body = machine.body("cart", mass=2.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")
    blocks = [
        kb.pid("place", reads="rail.travel", setpoint="1 m", kp=2.0, limits=(-0.5, 0.5), every="10 ms", unit="m/s"),
        kb.rate_limit("ramp", reads="place.output", rising=1.0, every="5 ms"),
        kb.low_pass("smooth", reads="rail.travel_rate", time_constant="4 ms", every="2 ms"),
        kb.pid("speed", reads="smooth.output", writes="push", setpoint="ramp.output", kp=40.0, ki=100.0, every="2 ms"),
    ]

    run = kb.simulate(machine, "8 s", step="1 ms", record="2 ms", controllers=blocks)

    assert ["controller place", "Astrom Murray 2008, §10.5"] in run.meta["sources"]
    assert "Feedback Systems" in str(run.citations())
    assert run["rail.travel"].values[-1] == pytest.approx(1.0, abs=1e-3)
    assert run["rail.travel_rate"].values.max() < 0.52
    assert run["place.output"].unit == "m/s" and run["smooth.output"].unit == "m/s"
    assert run["place.setpoint"].unit == "m" and set(run["place.setpoint"].values) == {1.0}
    assert np.diff(run["ramp.output"].values).max() <= 1.0 * 5e-3 * (1 + 1e-12)


def test_a_rate_limit_follows_no_faster_than_given():
    block = kb.rate_limit("x", reads="y", writes="u", rising=2.0, falling=1.0, every=0.1)

    written = call(block, np.array([[1.0]] * 3 + [[-1.0]] * 3 + [[-0.02]]), held=0.5)

    assert written == pytest.approx([0.7, 0.9, 1.0, 0.9, 0.8, 0.7, 0.6])


def test_a_rate_limit_of_a_command():
    block = kb.rate_limit("lever", command=kb.steps({0: 0.0, 1: 1.0}), writes="u", rising=0.5, every="10 ms")

    assert block.reads == () and list(block.references) == ["command"]
    assert block.parameters == {"rising": 0.5, "falling": 0.5}


REFUSED = [
    (lambda: kb.low_pass("x", reads="y", every="1 ms"), "a low-pass is of first or of second order."),
    (lambda: kb.low_pass("x", reads="y", every="1 ms", time_constant=1.0, frequency=1.0), "a low-pass is of first or"),
    (lambda: kb.low_pass("x", reads="y", every="1 ms", time_constant=1.0, damping=1.0), "a low-pass is of first or"),
    (lambda: kb.low_pass("x", reads="y", every="1 ms", time_constant=0.0), "time_constant is 0; it must be above 0."),
    (lambda: kb.low_pass("x", reads="y", every="1 ms", time_constant="1 m"), "time_constant: 'm' is a unit of length"),
    (lambda: kb.low_pass("x", reads="y", every="1 ms", frequency="5 m"), "frequency: 'm' is a unit of length"),
    (lambda: kb.rate_limit("x", every="1 ms", rising=1.0, writes="u"), "Give one of reads and command."),
    (lambda: kb.rate_limit("x", every="1 ms", rising=-1.0, reads="y"), "rising is -1; it must be 0 or more"),
    (lambda: kb.pid("x", reads="y", setpoint=1.0, every="1 kg"), "every: 'kg' is a unit of mass"),
    (lambda: kb.pid("x", reads="y", setpoint=1.0, every=0.1, kp=float("nan")), "kp: nan is not a number."),
    (lambda: kb.pid("x", reads="y", setpoint=1.0, every=0.1, limits=(1.0, -1.0)), "low (1) is above high (-1)."),
    (lambda: kb.pid("x", reads="y", setpoint=1.0, every=0.1, tracking=0.0), "tracking is 0; it must be above 0."),
    (lambda: kb.pid("x", reads="y", setpoint=1.0, every=0.1, derivative_filter=-1.0), "derivative_filter is -1"),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_wrong_settings_are_refused(make, sentence):
    with pytest.raises(kb.MachineError) as caught:
        make()

    assert sentence in str(caught.value)
    assert "controller 'x'" in str(caught.value)
