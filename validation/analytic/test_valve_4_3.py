# SPDX-License-Identifier: BSD-3-Clause
"""4/3 valve: spool lag, full-stroke speed, mirror symmetry, closed centre.

Rank: closed form. Spool: y = u (1 − e^{−t/τ}), RK4's error at h/τ = 0.01 is 1e-11: 1e-9. Full stroke on an equal-
area cylinder: v = k √((p_P − p_T)/2)/A, 1e-7 (see test_cylinder_speed.py). Left and right are the same arithmetic
with chambers swapped: 1e-9.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

BORE, STROKE, PUMP, TANK = 50e-3, 1.0, 150e5, 2e5
A = math.pi / 4.0 * BORE**2
K = 40e-3 / 60.0 / math.sqrt(35e5)  # 40 l/min at 35 bar


def driven(command, *, leak=0.0, overlap=0.0, duration=0.8, time_constant="20 ms"):
    machine = kb.Machine("driven", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=300.0, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.5)
    oil = machine.oil(kb.fluids.mineral_oil(860.0, 1.4e9))
    ram = oil.cylinder(
        "ram", machine.ground, block, bore=BORE, rod=0.0, stroke=STROKE, pressure_a="76 bar", pressure_b="76 bar"
    )
    oil.valve_4_3(
        "spool",
        P=oil.pressure("pump", PUMP),
        T=oil.tank("tank", TANK),
        A=ram.a,
        B=ram.b,
        flow=("40 l/min", "35 bar"),
        leak=leak,
        overlap=overlap,
        time_constant=time_constant,
    )
    return kb.simulate(machine, duration, step=1e-4, record=1e-2, coupling="explicit", inputs={"spool": command})


def test_spool_follows_with_a_lag():
    """A step at 0.1 s to 0.7, back to −0.4 at 0.3 s."""
    run = driven(kb.steps({0.0: 0.0, 0.1: 0.7, 0.3: -0.4}), duration=0.5, time_constant="10 ms")
    t = run.time
    middle = 0.7 * (1.0 - math.exp(-20.0))
    exact = np.where(t < 0.1, 0.0, 0.7 * (1.0 - np.exp(-np.clip(t - 0.1, 0, None) / 0.01)))
    exact = np.where(t < 0.3, exact, -0.4 + (middle + 0.4) * np.exp(-np.clip(t - 0.3, 0, None) / 0.01))
    assert run["spool.spool"].values == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("command", [1.0, -1.0])
@pytest.mark.parametrize("lag", ["0 s", "20 ms"])
def test_full_stroke_speed(command, lag):
    """Both open edges share the pressure: v = k √((p_P − p_T)/2)/A, chambers at the mean of pump and tank."""
    run = driven(command, time_constant=lag)
    speed = K * math.sqrt((PUMP - TANK) / 2.0) / A
    assert run["ram.speed"].values[-1] == pytest.approx(command * speed, rel=1e-7)
    assert run["ram.a.pressure"].values[-1] == pytest.approx((PUMP + TANK) / 2.0, rel=1e-7)
    branches = ("PA", "BT") if command > 0 else ("PB", "AT")
    for branch in ("PA", "PB", "AT", "BT"):
        flow = A * speed if branch in branches else 0.0
        assert run[f"spool.{branch}.flow"].values[-1] == pytest.approx(flow, rel=1e-7, abs=1e-15)


@pytest.mark.parametrize("overlap", [0.0, 0.1])
def test_left_is_right_mirrored(overlap):
    """±command: mirrored travel, swapped pressures, also with leakage and overlap."""
    steps = {0.0: 0.0, 0.05: 0.6, 0.25: -0.3}
    right = driven(kb.steps(steps), leak=1e-3, overlap=overlap, duration=0.5)
    left = driven(kb.steps({t: -u for t, u in steps.items()}), leak=1e-3, overlap=overlap, duration=0.5)
    assert right["slide.travel"].values - 1.5 == pytest.approx(1.5 - left["slide.travel"].values, abs=1e-9)
    assert right["ram.a.pressure"].values == pytest.approx(left["ram.b.pressure"].values, rel=1e-9)
    assert np.ptp(right["slide.travel"].values) > 0.01


def test_closed_centre_holds():
    """No leak, no command: no flow at all, and nothing moves."""
    run = driven(0.0, duration=0.2)
    for branch in ("PA", "PB", "AT", "BT"):
        assert np.abs(run[f"spool.{branch}.flow"].values).max() == 0.0
    assert run["slide.travel"].values == pytest.approx(1.5, abs=1e-12)


def test_overlap_is_dead():
    """Commands inside the overlap open nothing."""
    run = driven(0.09, overlap=0.1, duration=0.2, time_constant="0 s")
    assert run["slide.travel"].values == pytest.approx(1.5, abs=1e-9)


def test_energy():
    """Pump work = losses in the edges + kinetic + oil: audit residual below 1e-6 of the work done (jumps included)."""
    audit = driven(kb.steps({0.0: 0.0, 0.05: 0.6, 0.25: -0.3}), leak=1e-3, duration=0.5).energy()
    assert abs(audit.residual) < 1e-6 * audit.work_done
