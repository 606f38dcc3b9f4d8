# SPDX-License-Identifier: BSD-3-Clause
"""Cylinders of every make: single acting with a spring, through rod, leakage past the rod, elastic hoses and barrel.

Rank: closed form. Positions and speeds at rest or steady: 1e-7, left over from settling. What is pumped into a clamped
cylinder is in its oil and its walls, as in test_hose.py: 1e-8. Leakage of one chamber is an exponential, as in
test_leakage.py: 1e-7.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

AMBIENT, BULK, BORE, ROD, STROKE = 1e5, 1.4e9, 60e-3, 30e-3, 0.4
DISC, RING = math.pi / 4.0 * BORE**2, math.pi / 4.0 * (BORE**2 - ROD**2)


def block(start=1.2, mass=50.0, clamped=False):
    """A block that slides along x, or stands, with its origin at `start` from the ground's."""
    machine = kb.Machine("block", gravity=(0.0, 0.0, 0.0), ambient=AMBIENT)
    body = machine.body("block", mass=mass, inertia=(1.0, 1.0, 1.0))
    if clamped:
        machine.fixed("clamp", machine.ground.at(start, 0.0, 0.0), body)
    else:
        machine.prismatic("slide", machine.ground, body, axis="x", start=start)
    return machine, body, machine.oil(kb.fluids.mineral_oil(860.0, BULK, half=100.0))


@pytest.mark.parametrize("pressure", [15e5, 30e5])
@every_coupling
def test_single_acting_against_its_spring(coupling, pressure):
    """(p − p₀) A = F₀ + k x at rest."""
    machine, body, oil = block()
    ram = oil.single_acting_cylinder(
        "ram", machine.ground, body, bore=BORE, stroke=STROKE, closed=1.0, spring="20 kN/m", spring_force="1 kN",
        viscous=1e3, pressure_a=pressure,
    )  # fmt: skip
    oil.restrictor("inlet", oil.pressure("line", pressure), ram.a, flow=("120 l/min", "5 bar"))
    run = kb.simulate(machine, 4.0, step=STEPS[coupling], record=2e-2, coupling=coupling)
    x = ((pressure - AMBIENT) * DISC - 1e3) / 20e3

    assert 0.0 < x < STROKE
    assert run["slide.travel"].values[-1] == pytest.approx(1.0 + x, rel=1e-7)
    assert run["ram.a.volume"].values[-1] == pytest.approx(1e-4 + DISC * x, rel=1e-6)
    # it is let go from far away, within a few steps of 1 ms
    assert run.energy().relative_residual < (1e-5 if coupling == "explicit" else 1e-3)


@every_coupling
def test_single_acting_comes_back(coupling):
    """Let out to a tank at ambient pressure it retracts to its stop, which carries what the spring still gives."""
    machine, body, oil = block()
    ram = oil.single_acting_cylinder(
        "ram", machine.ground, body, bore=BORE, stroke=STROKE, closed=1.0, spring="20 kN/m", spring_force="1 kN",
        viscous=5e3, stop_stiffness=1e7,
    )  # fmt: skip
    oil.restrictor("outlet", ram.a, oil.tank("tank", AMBIENT), flow=("10 l/min", "5 bar"))
    run = kb.simulate(machine, 4.0, step=STEPS[coupling], record=2e-2, coupling=coupling)
    # both springs share the stroke beyond the end: F₀ = (k + k_stop) d
    depth = 1e3 / (1e7 + 20e3)
    assert run["slide.travel"].values[-1] == pytest.approx(1.0 - depth, abs=1e-6 * depth + 1e-10)


@every_coupling
def test_through_rod(coupling):
    """Both areas are rings: as much oil comes out as goes in, at v = Q/A, and equal pressures give no force."""
    flow = 6e-3 / 60.0
    machine, body, oil = block()
    ram = oil.cylinder(
        "ram", machine.ground, body, bore=BORE, rod=ROD, stroke=STROKE, closed=1.0, through=True, viscous=4e3
    )  # fmt: skip
    tank = oil.tank("tank", AMBIENT)
    oil.flow_source("pump", tank, ram.a, flow)
    oil.restrictor("back", ram.b, tank, flow=("20 l/min", "20 bar"))
    run = kb.simulate(machine, 2.0, step=STEPS[coupling], record=2e-2, coupling=coupling)
    speed = flow / RING
    # the chambers change while it moves: compressing at constant pressure needs no flow
    assert run["ram.speed"].values[-1] == pytest.approx(speed, rel=1e-7)
    assert run["back.flow"].values[-1] == pytest.approx(flow, rel=1e-7)
    drop = run["ram.a.pressure"].values[-1] - run["ram.b.pressure"].values[-1]
    assert drop * RING == pytest.approx(4e3 * speed, rel=1e-7)
    volumes = run["ram.a.volume"].values + run["ram.b.volume"].values
    assert volumes == pytest.approx(2e-4 + RING * STROKE, rel=1e-12)


@pytest.mark.parametrize("through", [False, True])
def test_leakage_past_the_rod(through):
    """p − p_drain decays with G B/V; without a rod on the other side nothing leaks there."""
    leak, high, drain = 4e-12, 150e5, 2e5
    machine, body, oil = block(clamped=True)
    oil.cylinder(
        "ram", machine.ground, body, bore=BORE, rod=ROD, stroke=STROKE, closed=1.0, through=through,
        pressure_a=high, pressure_b=high, rod_leak=leak, drain=oil.tank("tank", drain),
    )  # fmt: skip
    run = kb.simulate(machine, 0.25, step=5e-4, record=5e-3, coupling="explicit")
    V = 1e-4 + RING * 0.2
    decayed = drain + (high - drain) * np.exp(-leak * BULK / V * run.time)

    assert run["ram.b.pressure"].values == pytest.approx(decayed, abs=1e-7 * high)
    assert run["ram.a.pressure"].values == pytest.approx(decayed if through else high, abs=1e-7 * high)
    assert run.energy().relative_residual < 1e-8


@pytest.mark.parametrize("kind", ["cylinder", "single_acting_cylinder"])
def test_walls_give_way(kind):
    """Pumped into a clamped cylinder, ΔV = (V/B + hose/B_hose + V_half/B_barrel) Δp to first order."""
    flow, hose, soft, barrel = 0.06e-3 / 60.0, 0.2e-3, 150e6, 31.5e9
    machine, body, oil = block(clamped=True)
    words = {"bore": BORE, "stroke": STROKE, "closed": 1.0, "hose_a": hose, "hose_bulk": soft, "pressure_a": 20e5}
    elastic = hose / soft
    if kind == "cylinder":
        words |= {"rod": ROD, "barrel_bulk": barrel}
        elastic += (1e-4 + 0.5 * DISC * STROKE) / barrel
    ram = getattr(oil, kind)("ram", machine.ground, body, **words)
    oil.flow_source("pump", oil.tank("tank"), ram.a, flow)
    run = kb.simulate(machine, 2.0, step=1e-3, record=2e-2, coupling="explicit")
    V, p = 1e-4 + hose + DISC * 0.2, run["ram.a.pressure"].values

    # into oil and walls, and into what the walls have given already
    compressed = ((V - elastic * AMBIENT) * (p - 20e5) + 0.5 * elastic * (p**2 - 20e5**2)) / BULK
    assert compressed + elastic * (p - 20e5) == pytest.approx(flow * run.time, abs=1e-8 * flow)
    assert p[-1] - p[0] == pytest.approx(2.0 * flow / (V / BULK + elastic), rel=0.05)
    assert run["ram.a.volume"].values == pytest.approx(V + elastic * (p - AMBIENT), rel=1e-9)
    assert run.energy().relative_residual < 1e-8


def test_hose_lowers_the_frequency_of_a_locked_cylinder():
    """ω² = (A_a²/(V_a/B + h_a) + A_b²/(V_b/B + h_b))/m for small motion, h = hose/B_hose."""
    mass, hose, soft, kick = 50.0, 0.1e-3, 150e6, 1e-4
    machine, body, oil = block(mass=mass)
    machine.put(machine["slide"].part.model_copy(update={"speed": (kick,)}))
    high_a = 40e5
    # at rest at the start: p_a A_a − p_b A_b = p₀ (A_a − A_b)
    high_b = (high_a * DISC - AMBIENT * (DISC - RING)) / RING
    oil.cylinder(
        "ram", machine.ground, body, bore=BORE, rod=ROD, stroke=STROKE, closed=1.0, hose_a=hose, hose_b=hose,
        hose_bulk=soft, pressure_a=high_a, pressure_b=high_b,
    )  # fmt: skip
    V_a, V_b, h = 1e-4 + hose + DISC * 0.2, 1e-4 + hose + RING * 0.2, hose / soft
    V_a, V_b = V_a + h * (high_a - AMBIENT), V_b + h * (high_b - AMBIENT)  # with what the hoses have given already
    omega = math.sqrt((DISC**2 / (V_a / BULK + h) + RING**2 / (V_b / BULK + h)) / mass)
    run = kb.simulate(machine, 6.0 * math.pi / omega, step=1e-5, record=1e-4, coupling="explicit")
    # small motion: the volumes change by 1e-5 of themselves
    assert run["slide.travel_rate"].values == pytest.approx(kick * np.cos(omega * run.time), abs=1e-4 * kick)
