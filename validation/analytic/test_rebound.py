# SPDX-License-Identifier: BSD-3-Clause
"""Rebound from end stops in real-time steps, wherever in a step the touch falls: right for small Ω, never a gain.

A mass m that comes at v leaves the stop λ = k d (1 + c ḋ) at e v, whatever k and m:

    c v (1 + e) = ln((1 + c v)/(1 − c e v))                     from m v dv = −k d (1 + c v) dd    [after Hunt 1975]

So c is exact for one speed and one e. A step of h knows of it Ω = h √(k/m) and c v only. 99 masses side by side touch
at 99 places of the step. Rank: closed form. Measured with FW2, which makes such steps in four parts: 0.4 % of e at
Ω = 0.5 for e of 0.05 and more (what counts for smaller e is Ω √(1 + c v)), at most 1.026 v at any Ω and e. LIE loses
instead, LIM gives up to 1.12 v where e is near 1.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb

STEP, SPEED, MASS = 1e-3, 1.0, 1.0
PLACES = np.arange(1, 100) / 100.0  # of the step


def damping(e):
    """c for a rebound of e at SPEED; 1/(e v) up to 1e-9 where e is below 0.04."""
    if e == 1.0:
        return 0.0
    if e < 0.04:
        return 1.0 / e / SPEED
    return brentq(lambda a: a * (1.0 + e) - math.log((1.0 + a) / (1.0 - a * e)), 1e-6, (1.0 - 1e-15) / e) / SPEED


def rebounds(e, omega, places=PLACES, **words):
    """v_out/v_in of masses that touch at these places of the third step; LIE and LIM may creep out after it."""
    machine = kb.Machine("rebounds", gravity=(0.0, 0.0, 0.0))
    for i, place in enumerate(places):
        body = machine.body(f"b{i}", mass=MASS, inertia=(MASS, MASS, MASS))
        machine.prismatic(f"j{i}", machine.ground, body, axis="x", speed=SPEED)
        at = (2.0 + place) * STEP * SPEED
        stiffness = MASS * (omega / STEP) ** 2
        machine.joint_stop(f"s{i}", f"j{i}", upper=at, stiffness=stiffness, damping=damping(e))
    steps = 10 + math.ceil((5.0 + 0.5 / e) / omega)
    sim = kb.Simulation(machine, step=STEP, coupling="realtime", **words)
    sim.run_for(steps * STEP)
    left = np.array([sim[f"j{i}.travel"] <= (2.0 + place) * STEP * SPEED for i, place in enumerate(places)])
    assert left.all() or words.get("integrator") in ("lie", "lim")
    return -np.array([sim[f"j{i}.travel_rate"] for i in range(len(places))]) / SPEED


@pytest.mark.slow
@pytest.mark.parametrize("omega", [0.1, 0.3, 0.4, 0.5])
@pytest.mark.parametrize("e", [1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05])
def test_small_steps_rebound_as_the_law_does(e, omega):
    assert rebounds(e, omega) == pytest.approx(e, rel=0.01)


@pytest.mark.parametrize("omega", [0.1, 0.3, 0.4, 0.5])
@pytest.mark.parametrize("e", [0.03, 0.01])
def test_what_hardly_rebounds(e, omega):
    """Below e = 0.05 the law is so steep that 2 % of e are not reached: the speed is right to 1.5 % of that before."""
    assert rebounds(e, omega) == pytest.approx(e, abs=0.015)


@pytest.mark.slow
@pytest.mark.parametrize("omega", [0.7, 0.9, 1.0, 1.24, 1.5, 2.0, 3.0, 4.0, 10.0, 100.0])
@pytest.mark.parametrize("e", [1.0, 0.9, 0.5, 0.3, 0.1, 0.05, 0.01])
def test_nothing_comes_back_faster_at_any_step(e, omega):
    assert np.abs(rebounds(e, omega)).max() <= 1.05


@pytest.mark.slow
@pytest.mark.parametrize(("integrator", "most"), [("lie", 1.0), ("lim", 1.15)])
@pytest.mark.parametrize("omega", [0.3, 1.0, 1.5, 2.85, 30.0])
@pytest.mark.parametrize("e", [1.0, 0.3, 0.1])
def test_other_methods(e, omega, integrator, most):
    assert np.abs(rebounds(e, omega, integrator=integrator)).max() <= most


@pytest.mark.parametrize("coordinates", ["reference-point", "natural"])
@pytest.mark.parametrize(("e", "omega"), [(0.5, 0.3), (0.1, 1.5)])
def test_other_coordinates(e, omega, coordinates):
    """The same masses with every body on its own: the same rebound, to the compliance of their loops."""
    places = PLACES[::20]
    words = {"coordinates": coordinates}
    assert rebounds(e, omega, places, **words) == pytest.approx(rebounds(e, omega, places), abs=1e-3)


def ram_rebounds(e, omega, side):
    """The same with a thin cylinder that runs into its end; its oil, open to the tank, has a force below 1 % of it."""
    machine = kb.Machine("rams", gravity=(0.0, 0.0, 0.0))
    oil = machine.oil(kb.fluids.mineral_oil())
    tank = oil.tank("tank")
    places, sign, stroke = PLACES[4::10], 1.0 if side == "out" else -1.0, 0.5
    for i, place in enumerate(places):
        way = (2.0 + place) * STEP * SPEED
        start = 1.0 + stroke - way if side == "out" else 1.0 + way
        body = machine.body(f"b{i}", mass=MASS, inertia=(MASS, MASS, MASS))
        machine.prismatic(f"j{i}", machine.ground, body, axis="x", start=start, speed=sign * SPEED)
        ram = oil.cylinder(
            f"c{i}", machine.ground, body, bore="2 mm", rod="1 mm", stroke=stroke, closed=1.0,
            stop_stiffness=MASS * (omega / STEP) ** 2, stop_damping=damping(e),
        )  # fmt: skip
        for port, name in ((ram.a, "a"), (ram.b, "b")):
            oil.restrictor(f"line_{name}{i}", port, tank, flow=("20 l/min", "1 bar"))
    steps = 10 + math.ceil((5.0 + 0.5 / e) / omega)
    sim = kb.Simulation(machine, step=STEP, coupling="realtime")
    sim.run_for(steps * STEP)
    return -sign * np.array([sim[f"j{i}.travel_rate"] for i in range(len(places))]) / SPEED


@pytest.mark.parametrize("side", ["out", "in"])
@pytest.mark.parametrize("e", [0.9, 0.5, 0.1])
def test_ends_of_cylinders(e, side):
    assert ram_rebounds(e, 0.4, side) == pytest.approx(e, rel=0.02)
    for omega in (0.7, 1.0, 1.5, 3.0, 30.0):
        assert np.abs(ram_rebounds(e, omega, side)).max() <= 1.05
