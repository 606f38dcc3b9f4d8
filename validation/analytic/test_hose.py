# SPDX-License-Identifier: BSD-3-Clause
"""Hoses, pipes and elastic volumes: how much oil a pressure rise takes, and the pressure drop along them.

Rank: closed form. Oil that is pumped in is compressed into V or fills what the wall gives: dV_in = V de + elastic dp
with V = V₀ + elastic (p − p₀), elastic = V₀/B_wall. With p = B e that is ΔV = V₀ Δp/B_e to first order, 1/B_e = 1/B +
1/B_wall [Baharudin 2016, publ. IV eq. 15, corrected], and exactly the sum below: 1e-8 (its 'half' of 100 Pa). Steady
drops are algebraic, left over from settling: 1e-8.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

BULK, DENSITY, NU, TANK, AMBIENT = 1.4e9, 860.0, 46e-6, 2e5, 1e5
LENGTH, DIAMETER, WALL, START = 2.0, 12e-3, 200e6, 50e5
AREA = math.pi / 4.0 * DIAMETER**2
V = AREA * LENGTH


def circuit(viscosity=NU):
    machine = kb.Machine("line", ambient=AMBIENT)
    fluid = kb.fluids.mineral_oil(DENSITY, BULK, half=100.0, viscosity=viscosity)
    return machine, machine.oil(fluid)


LINES = {
    "hose": {"wall": WALL},
    "pipe": {"wall": "1.5 mm", "modulus": "206 GPa"},
    "volume": {"wall": WALL},
}
WALLS = {"hose": WALL, "pipe": 206e9 * 1.5e-3 / DIAMETER, "volume": WALL}


def taken(size, elastic, start, end):
    """Oil that a volume with walls takes between two pressures, p = B e."""
    rise = end - start
    compressed = (size - elastic * AMBIENT) * rise / BULK + 0.5 * elastic * (end**2 - start**2) / BULK
    return compressed + elastic * rise


@pytest.mark.parametrize("kind", LINES)
@every_coupling
def test_stiffness(coupling, kind):
    """A line with a rigid volume at its end, filled and left to itself."""
    machine, oil = circuit()
    flow, beyond, wall = 0.3e-3 / 60.0, 2e-4, WALLS[kind]
    far = oil.junction("far", size=beyond, pressure=START)
    if kind == "volume":
        line = oil.volume("line", V, START, **LINES[kind])
        oil.restrictor("join", line, far, flow=("1 l/min", "5 bar"))
    else:
        words = {"length": LENGTH, "diameter": DIAMETER, "pressure": START, "flow": ("1 l/min", "5 bar")}
        line = getattr(oil, kind)("line", far, **words, **LINES[kind])
    oil.flow_source("pump", oil.tank("tank"), line, flow)
    steps = kb.steps({0.0: flow, 0.3: 0.0})
    run = kb.simulate(machine, 0.6, step=STEPS[coupling], record=1e-2, coupling=coupling, inputs={"pump": steps})
    p, far = run["line.pressure"].values, run["far.pressure"].values
    kept = taken(V, V / wall, START, p) + beyond * (far - START) / BULK

    # order 2 at 1 ms
    tolerance = 1e-8 if coupling == "explicit" else 1e-5
    assert kept == pytest.approx(flow * np.minimum(run.time, 0.3), abs=tolerance * flow)
    assert p[-1] == pytest.approx(far[-1], rel=1e-7)
    stiff = 1.0 / (V / BULK + V / wall + beyond / BULK)
    assert p[-1] - p[0] == pytest.approx(0.3 * flow * stiff, rel=2.0 * p[-1] / wall)
    assert run["line.volume"].values == pytest.approx(V + V / wall * (p - AMBIENT), rel=1e-9)
    assert run.energy().relative_residual < (1e-8 if coupling == "explicit" else 1e-3)


def dropped(rate, kind="hose", viscosity=NU, **words):
    """Steady pressure drop along a line that a pump feeds."""
    machine, oil = circuit(viscosity)
    tank = oil.tank("tank", TANK)
    line = getattr(oil, kind)("line", tank, length=LENGTH, diameter=DIAMETER, pressure=TANK, **LINES[kind], **words)
    oil.flow_source("pump", tank, line, rate)
    run = kb.simulate(machine, 0.5, step=1e-3, record=1e-2, coupling="unified")
    assert run["line.flow"].values[-1] == pytest.approx(rate, rel=1e-9)
    return run["line.pressure"].values[-1] - TANK


@pytest.mark.parametrize("kind", ["hose", "pipe"])
def test_slow_flow_is_laminar(kind):
    """128 μ l Q/(π d⁴); the root takes over as r²/5, r = Δp/transition: 1e-3 of the transition leaves 2e-7."""
    flow = 1e-3 * 2000.0 * NU * math.pi / 4.0 * DIAMETER  # Re = 2: Δp is 0.8e-3 of that at the transition
    exact = 128.0 * DENSITY * NU * LENGTH * flow / (math.pi * DIAMETER**4)
    assert dropped(flow, kind) == pytest.approx(exact, rel=2e-7)


@pytest.mark.parametrize("fittings", [0.0, 3.5])
def test_fast_flow_is_turbulent(fittings):
    flow = 8000.0 * NU * math.pi / 4.0 * DIAMETER  # Re = 8000
    speed = flow / AREA
    exact = (0.03 * LENGTH / DIAMETER + fittings) * 0.5 * DENSITY * speed**2
    assert dropped(flow, friction=0.03, fittings=fittings) == pytest.approx(exact, rel=1e-8)


def test_laminar_and_turbulent_meet_at_their_reynolds_number():
    """At Re = 80/friction the root gives 0.8 of the laminar flow, and the curve is smooth: no jump in the drop."""
    re = np.array([0.5, 0.9, 0.99, 1.01, 1.1, 2.0]) * 80.0 / 0.04
    drops = np.array([dropped(r * NU * math.pi / 4.0 * DIAMETER) for r in re])
    slope = np.diff(drops) / np.diff(re)
    assert np.all(slope > 0.0) and np.all(np.diff(slope) > 0.0)
    at = 128.0 * DENSITY * NU * LENGTH * (2000.0 * NU * math.pi / 4.0 * DIAMETER) / (math.pi * DIAMETER**4)
    assert 0.5 * (drops[2] + drops[3]) == pytest.approx(1.25 * at, rel=1e-3)


def test_drop_as_measured():
    assert dropped(20e-3 / 60.0, flow=("40 l/min", "8 bar")) == pytest.approx(2e5, rel=1e-8)


def test_junction_splits_a_flow_and_keeps_none():
    """What comes in goes out through two orifices as k₁ : k₂, at Δp = (Q/(k₁ + k₂))²."""
    machine, oil = circuit()
    tank, tee = oil.tank("tank", TANK), oil.junction("tee")
    oil.flow_source("pump", tank, tee, "30 l/min")
    oil.restrictor("one", tee, tank, flow=("20 l/min", "10 bar"))
    oil.restrictor("two", tee, tank, flow=("10 l/min", "10 bar"))
    run = kb.simulate(machine, 0.02, step=1e-4, record=1e-3, coupling="unified")

    assert run["tee.volume"].values == pytest.approx(20e-6, rel=1e-12)
    assert run["tee.pressure"].values[-1] - TANK == pytest.approx(10e5, rel=1e-8)
    assert run["one.flow"].values[-1] == pytest.approx(2.0 * run["two.flow"].values[-1], rel=1e-12)
