# SPDX-License-Identifier: BSD-3-Clause
"""Rope: hangs by W/k longer, is slack without a force, and throws back what comes taut as a stop does.

Rank: closed form. A load thrown up from rest on its rope is slack for 2v/g and comes taut as fast as it left; on an
elastic rope it then swings once through the lowest point, W/k + √((W/k)² + m v²/k) below slack. With a loss the speeds
are those of [Hunt Crossley 1975]: c·v·(1 + e) = ln((1 + c·v)/(1 − c·e·v)). Tolerance: (ωh)² of RK4 at the kink;
in flight ½·g·h², of which `unified` takes half in its first step.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

MASS, GRAVITY, STIFFNESS, LENGTH = 500.0, 9.81, 2e6, 3.0
WEIGHT = MASS * GRAVITY


def hanging(gravity=GRAVITY, below=LENGTH + WEIGHT / STIFFNESS, speed=0.0, **rope):
    machine = kb.Machine("hanging", gravity=(0.0, 0.0, -gravity))
    load = machine.body("load", mass=MASS, inertia=(10.0, 10.0, 10.0))
    machine.prismatic("way", machine.ground, load, axis="z", start=-below, speed=speed)
    machine.rope("rope", machine.ground, load, STIFFNESS, **rope)
    return machine


@pytest.mark.parametrize("given", [{"length": LENGTH}, {"tension": WEIGHT}])
def test_hangs_by_its_weight(given):
    rest = kb.equilibrium(hanging(**given))
    assert rest["rope.length"] == pytest.approx(LENGTH + WEIGHT / STIFFNESS, rel=1e-9)
    assert rest["rope.force"] == pytest.approx(-WEIGHT, rel=1e-9)


@every_coupling
def test_is_slack_in_flight(coupling):
    """Thrown up from 1 mm above where it is taut, it flies freely: no force until it is back after 2v/g."""
    v, begin = 1.0, LENGTH - 1e-3
    machine, step = hanging(below=begin, speed=v, length=LENGTH), STEPS[coupling]
    run = kb.simulate(machine, 1.9 * v / GRAVITY, step=step, record=step, coupling=coupling)
    force, time = run["rope.force"].values, np.asarray(run.time)
    assert np.all(force == 0.0)
    exact = v * time - 0.5 * GRAVITY * time**2 - begin
    assert run["way.travel"].values == pytest.approx(exact, abs=0.5 * GRAVITY * step**2)


def test_swings_on_it_by_impulses():
    """`timestepping` has no rows for ropes: pulled 2 mm below rest, a load swings, damped by ω²h/2."""
    stretch, omega, errors, lost = 2e-3, math.sqrt(STIFFNESS / MASS), [], []
    for step in (1e-4, 5e-5):
        machine = hanging(below=LENGTH + WEIGHT / STIFFNESS + stretch, length=LENGTH)
        run = kb.simulate(machine, 2.0 * math.pi / omega, step=step, record=step, coupling="timestepping")
        below = -run["way.travel"].values - LENGTH - WEIGHT / STIFFNESS
        errors.append(np.abs(below - stretch * np.cos(omega * np.asarray(run.time))).max())
        lost.append(abs(run.energy().dissipated["rope"]))
    assert below.min() == pytest.approx(-stretch, rel=0.01)
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.05)
    assert lost[1] < 0.6 * lost[0] and lost[1] < 0.02 * 0.5 * STIFFNESS * stretch**2


def test_catches_what_falls():
    """½ k d² = m g d + ½ m v² at the lowest point."""
    v, step = 0.5, 2e-5
    run = kb.simulate(hanging(below=LENGTH, speed=-v, length=LENGTH), 0.1, step=step, record=step, coupling="explicit")
    sag = WEIGHT / STIFFNESS
    deepest = sag + math.sqrt(sag**2 + MASS * v**2 / STIFFNESS)
    assert -run["way.travel"].values.min() - LENGTH == pytest.approx(deepest, rel=1e-5)
    assert run["rope.force"].values.min() == pytest.approx(-STIFFNESS * deepest, rel=1e-5)
    assert run["rope.force"].values.max() == 0.0
    assert run.energy().relative_residual < 1e-6


@pytest.mark.parametrize("damping", [0.5, 2.0])
def test_throws_back_by_its_damping(damping):
    v, step = 1.0, 2e-5
    machine = hanging(gravity=0.0, below=LENGTH, speed=-v, length=LENGTH, damping=damping)
    run = kb.simulate(machine, 0.2, step=step, record=step, coupling="explicit")
    back = float(run["way.travel_rate"].values[-1])
    assert damping * (v + back) == pytest.approx(math.log((1.0 + damping * v) / (1.0 - damping * back)), rel=1e-4)
    assert run.energy().dissipated["rope"] == pytest.approx(0.5 * MASS * (v**2 - back**2), rel=1e-4)


def test_length_and_tension_exclude_each_other():
    with pytest.raises(kb.MachineError, match="it has both length and tension"):
        hanging(length=LENGTH, tension=WEIGHT)
