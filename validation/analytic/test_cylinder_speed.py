# SPDX-License-Identifier: BSD-3-Clause
"""Loaded cylinder between two restrictors: steady speed and pressures from the orifice equations.

Extending at steady speed v: A_a v = k₁√(p_P − p_a), A_b v = k₂√(p_b − p_T), and the force balance gives

    (A_a³/k₁² + A_b³/k₂²) v² + c v + F + F_c + p₀(A_a − A_b) + p_T A_b − p_P A_a = 0

At constant pressures compressibility plays no part, so this is exact while the volumes change. Rank: closed form.
Tolerance 1e-7: the start dies out as exp(−12 t) or faster (orifice and bulk modulus), 4e-10 after 1.8 s; a motion at
steady pressures is a straight line, exact for the integrator.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references.oil import orifice_constant

BORE, ROD, STROKE, AMBIENT = 50e-3, 28e-3, 1.0, 101325.0
A, B = math.pi / 4.0 * BORE**2, math.pi / 4.0 * (BORE**2 - ROD**2)
PUMP, TANK, DENSITY = 150e5, 2e5, 860.0
IN, OUT = 4.0e-6, 3.0e-6  # restrictor areas, m²
STEP = 1e-4


def cylinder(side, load, viscous=0.0, coulomb=0.0, fluid=None, by_flow=False):
    """``side`` is the chamber that the pump feeds; ``load`` [N] resists the motion."""
    machine = kb.Machine("loaded", gravity=(0.0, 0.0, 0.0), ambient=AMBIENT)
    block = machine.body("block", mass=300.0, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.5)
    machine.force("load", block, direction="-x" if side == "a" else "x", value=load)
    oil = machine.oil(fluid or kb.fluids.mineral_oil(DENSITY, 1.4e9))
    ram = oil.cylinder(
        "ram",
        machine.ground,
        block,
        bore=BORE,
        rod=ROD,
        stroke=STROKE,
        pressure_a="40 bar",
        pressure_b="40 bar",
        viscous=viscous,
        coulomb=coulomb,
        friction_speed="1 mm/s",
    )
    pump, tank = oil.pressure("pump", PUMP), oil.tank("tank", TANK)
    fed, other = (ram.a, ram.b) if side == "a" else (ram.b, ram.a)

    def size(area):
        if by_flow:
            return {"flow": (orifice_constant(area, DENSITY) * math.sqrt(35e5), 35e5)}
        return {"area": area}

    machine.restrictor("inlet", pump, fed, **size(IN))
    machine.restrictor("outlet", other, tank, **size(OUT))
    return machine


def steady(side, load, viscous=0.0, coulomb=0.0, density=DENSITY):
    """Speed [m/s, > 0] and the pressures of the fed and the other chamber."""
    fed, other = (A, B) if side == "a" else (B, A)
    k1, k2 = orifice_constant(IN, density), orifice_constant(OUT, density)
    square = fed**3 / k1**2 + other**3 / k2**2
    constant = load + coulomb + AMBIENT * (fed - other) + TANK * other - PUMP * fed
    v = (-viscous + math.sqrt(viscous**2 - 4.0 * square * constant)) / (2.0 * square)
    return v, PUMP - (fed * v / k1) ** 2, TANK + (other * v / k2) ** 2


@pytest.mark.parametrize("side", ["a", "b"], ids=["extending", "retracting"])
@pytest.mark.parametrize(("load", "viscous", "coulomb"), [(0.0, 0.0, 0.0), (8e3, 0.0, 0.0), (3e3, 5e3, 400.0)])
def test_steady_speed(side, load, viscous, coulomb):
    run = kb.simulate(cylinder(side, load, viscous, coulomb), 1.8, step=STEP, record=1e-2)
    v, p_fed, p_other = steady(side, load, viscous, coulomb)
    sign, other = (1.0, "b") if side == "a" else (-1.0, "a")
    assert run["ram.speed"].values[-1] == pytest.approx(sign * v, rel=1e-7)
    assert run[f"ram.{side}.pressure"].values[-1] == pytest.approx(p_fed, rel=1e-7)
    assert run[f"ram.{other}.pressure"].values[-1] == pytest.approx(p_other, rel=1e-7)
    assert run["inlet.flow"].values[-1] == pytest.approx((A if side == "a" else B) * v, rel=1e-7)
    assert run["outlet.flow"].values[-1] == pytest.approx((B if side == "a" else A) * v, rel=1e-7)


def test_flow_at_a_drop_is_the_same_as_an_area():
    run = kb.simulate(cylinder("a", 8e3, by_flow=True), 1.8, step=STEP, record=1e-2)
    assert run["ram.speed"].values[-1] == pytest.approx(steady("a", 8e3)[0], rel=1e-7)


def test_the_fluid_law_does_not_change_the_steady_speed():
    """Only density enters: with Naya's oil the speed changes with √(860/850) of the constants."""
    run = kb.simulate(cylinder("a", 8e3, fluid=kb.fluids.naya()), 1.8, step=STEP, record=1e-2)
    assert run["ram.speed"].values[-1] == pytest.approx(steady("a", 8e3, density=850.0)[0], rel=1e-7)


def test_energy_of_the_steady_motion():
    """What the pump gives is lifted, lost in the restrictors, or stored; the audit closes to 1e-7 of the work done."""
    audit = kb.simulate(cylinder("a", 3e3, 5e3, 400.0), 1.8, step=STEP, record=1e-2).energy()
    assert abs(audit.residual) < 1e-7 * audit.work_done


def test_powers_of_the_steady_motion():
    """While speed and pressures are steady each account grows by force or pressure times the travel.

    Work of the oil counts above ambient. From 1.5 s on the start is forgotten to exp(−12·1.5) = 2e-8: 1e-6.
    """
    load, viscous, coulomb = 3e3, 5e3, 400.0
    run = kb.simulate(cylinder("a", load, viscous, coulomb), 1.8, step=STEP, record=1e-2)
    v, p_fed, p_other = steady("a", load, viscous, coulomb)
    last = run.time > 1.495
    travel = np.ptp(run["slide.travel"].values[last])
    exact = {
        "inlet.dissipated": (PUMP - p_fed) * A,
        "outlet.dissipated": (p_other - TANK) * B,
        "ram.dissipated": viscous * v + coulomb,
        "energy.applied": -load,
        "energy.supplied": (PUMP - AMBIENT) * A - (TANK - AMBIENT) * B,
        "energy.dissipated": (PUMP - p_fed) * A + (p_other - TANK) * B + viscous * v + coulomb,
    }
    for name, force in exact.items():
        values = run[name].values[last]
        assert values[-1] - values[0] == pytest.approx(force * travel, rel=1e-6), name


def test_energy_accounts_add_up_at_every_instant():
    """residual = Δ(kinetic + potential + elastic + oil) + dissipated − supplied − applied, small all the time."""
    run = kb.simulate(cylinder("a", 3e3, 5e3, 400.0), 0.3, step=STEP, record=1e-2)
    stored = sum(run[f"energy.{form}"].values for form in ("kinetic", "potential", "elastic", "oil"))
    spent = run["energy.dissipated"].values - run["energy.supplied"].values - run["energy.applied"].values
    residual = stored - stored[0] + spent
    assert run["energy.residual"].values == pytest.approx(residual, abs=1e-9 * run["energy.supplied"].values[-1])
    assert np.abs(residual).max() < 1e-7 * run["energy.supplied"].values[-1]


def test_rest_at_the_end_stop():
    """Pushed out to the stop: p_a = pump, p_b = tank, and the stop carries the difference at d = F/k.

    The approach dies out within 1 s (the slowest rate is that of the chambers through the restrictors, above 20 1/s
    near the transition of 2 bar): 1e-6 of d.
    """
    machine = kb.Machine("stopped", gravity=(0.0, 0.0, 0.0), ambient=AMBIENT)
    block = machine.body("block", mass=300.0, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.5)
    oil = machine.oil(kb.fluids.mineral_oil(DENSITY, 1.4e9))
    ram = oil.cylinder(
        "ram",
        machine.ground,
        block,
        bore=BORE,
        rod=ROD,
        stroke=0.3,
        closed=1.25,
        pressure_a="40 bar",
        pressure_b="40 bar",
        viscous=2e4,
        stop_stiffness=1e7,
    )
    machine.restrictor("inlet", oil.pressure("pump", PUMP), ram.a, area=IN)
    machine.restrictor("outlet", ram.b, oil.tank("tank", TANK), area=OUT)
    run = kb.simulate(machine, 2.5, step=STEP, record=1e-2)
    depth = (PUMP * A - TANK * B - AMBIENT * (A - B)) / 1e7
    assert run["slide.travel"].values[-1] == pytest.approx(1.55 + depth, abs=1e-6 * depth)
    assert run["ram.a.pressure"].values[-1] == pytest.approx(PUMP, rel=1e-6)
    assert run["ram.b.pressure"].values[-1] == pytest.approx(TANK, rel=1e-6)
