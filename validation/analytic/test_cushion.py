# SPDX-License-Identifier: BSD-3-Clause
"""Cushion at the end of a stroke: m v̇ = −k S(r) v², so that v falls with the way into it, whatever the time.

    v(x) = v₀ exp(−(k L/m)·(r³ − r⁴/2)),   r = x/L,   beyond the cushion exp(−(k/m)·(L/2 + x − L))

Rank: closed form. The oil is made soft by dead volumes of 1e9 m³, so that its pressure stays ambient to 1e-7 Pa.
Tolerance: RK4 at 0.1 ms over speeds that halve in 20 ms: 1e-9 of v₀.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

AMBIENT, MASS, SPEED, LENGTH, STROKE, CLOSED = 1e5, 80.0, 0.6, 0.05, 0.4, 1.0
BORE, ROD = 60e-3, 30e-3
AREAS = {"in": math.pi / 4.0 * BORE**2, "out": math.pi / 4.0 * (BORE**2 - ROD**2)}


def sliding(end, kind="cylinder", speed=SPEED, **words):
    """A block that slides towards an end, its cushion 1 cm away."""
    sign, start = (-1.0, CLOSED + LENGTH + 0.01) if end == "in" else (1.0, CLOSED + STROKE - LENGTH - 0.01)
    machine = kb.Machine("cushion", gravity=(0.0, 0.0, 0.0), ambient=AMBIENT)
    body = machine.body("block", mass=MASS, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, body, axis="x", start=start, speed=sign * speed)
    oil = machine.oil(kb.fluids.mineral_oil())
    words = {"dead_a": 1e9, "pressure_a": AMBIENT, f"cushion_{end}": LENGTH} | words
    if kind == "cylinder":
        words |= {"rod": ROD, "dead_b": 1e9, "pressure_b": AMBIENT}
    getattr(oil, kind)("ram", machine.ground, body, bore=BORE, stroke=STROKE, closed=CLOSED, **words)
    return machine, sign


@pytest.mark.parametrize(("end", "kind"), [("in", "cylinder"), ("out", "cylinder"), ("in", "single_acting_cylinder")])
def test_speed_over_the_way(end, kind):
    machine, sign = sliding(end, kind, cushion_pressure="5 bar", cushion_speed="0.3 m/s")
    run = kb.simulate(machine, 0.15, step=1e-4, record=1e-3, coupling="explicit")
    gain = 5e5 * AREAS[end] / 0.3**2
    x = sign * (run["slide.travel"].values - run["slide.travel"].values[0]) - 0.01
    r = np.clip(x / LENGTH, 0.0, 1.0)
    speed = SPEED * np.exp(-gain * LENGTH / MASS * (r**3 - 0.5 * r**4))

    assert x.max() > 0.5 * LENGTH
    assert sign * run["slide.travel_rate"].values == pytest.approx(speed, abs=1e-9 * SPEED)
    assert run.energy().dissipated["ram"] == pytest.approx(0.5 * MASS * (SPEED**2 - speed[-1] ** 2), rel=1e-6)


@pytest.mark.parametrize("end", ["in", "out"])
def test_out_of_the_cushion_it_moves_freely(end):
    """Backwards the oil flows in past a check: no force."""
    machine, sign = sliding(end, speed=-SPEED)
    inside = CLOSED + (0.01 if end == "in" else STROKE - 0.01)
    machine.put(machine["slide"].part.model_copy(update={"start": (inside,)}))
    run = kb.simulate(machine, 0.1, step=1e-4, record=1e-3, coupling="explicit")
    assert -sign * run["slide.travel_rate"].values == pytest.approx(SPEED, rel=1e-9)


@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_in_implicit_steps(coupling):
    """Order 2 at 1 ms: 1e-3 of the speed."""
    machine, sign = sliding("out", cushion_pressure="5 bar", cushion_speed="0.3 m/s")
    exact = kb.simulate(machine, 0.15, step=1e-4, record=1e-2, coupling="explicit")
    run = kb.simulate(machine, 0.15, step=1e-3, record=1e-2, coupling=coupling)
    assert run["ram.speed"].values == pytest.approx(exact["ram.speed"].values, abs=1e-3 * SPEED)
