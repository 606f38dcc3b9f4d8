# SPDX-License-Identifier: BSD-3-Clause
"""Telescopic cylinder: speed Q/A_i and force (p − p₀) A_i of the stage that moves, and the oil of those that are out.

Rank: closed form. Away from where one stage hands over to the next: speeds 1e-6 (settled after each hand-over), volumes
and forces 1e-12.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

AMBIENT = 1e5
BORES, STROKES, CLOSED, DEAD = (0.12, 0.1, 0.08), (0.4, 0.35, 0.3), 1.0, 0.2e-3
AREAS = np.array([math.pi / 4.0 * bore**2 for bore in BORES])
STARTS = np.array([0.0, 0.4, 0.75])


def telescope(start, load=0.0, **words):
    machine = kb.Machine("telescope", gravity=(0.0, 0.0, 0.0), ambient=AMBIENT)
    body = machine.body("block", mass=40.0, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, body, axis="x", start=start)
    machine.force("load", body, "x", value=-load)
    oil = machine.oil(kb.fluids.mineral_oil(half=100.0))
    ram = oil.telescopic_cylinder(
        "ram", machine.ground, body, bores=BORES, strokes=STROKES, closed=CLOSED, dead_a=DEAD, viscous=3e3, **words
    )
    return machine, oil, ram


@pytest.mark.parametrize("coupling", ["explicit", "unified", "realtime"])
@pytest.mark.parametrize("direction", [1.0, -1.0], ids=["out", "in"])
def test_speeds_of_the_stages(direction, coupling):
    flow, load = direction * 18e-3 / 60.0, 2e4
    start = CLOSED + (0.02 if direction > 0.0 else 1.03)
    machine, oil, ram = telescope(start, load, pressure_a=AMBIENT + load / AREAS[0 if direction > 0.0 else 2])
    oil.flow_source("pump", oil.tank("tank"), ram.a, flow)
    run = kb.simulate(machine, 30.0, step=1e-4 if coupling == "explicit" else 1e-3, record=0.05, coupling=coupling)
    x, v = run["ram.length"].values - CLOSED, run["ram.speed"].values

    for begin, stroke, area in zip(STARTS, STROKES, AREAS, strict=True):
        within = (x > begin + 0.3 * stroke) & (x < begin + 0.7 * stroke)
        assert within.sum() > 5
        assert v[within] == pytest.approx(flow / area, rel=1e-6)
        # steady: oil carries load and friction
        force = (run["ram.a.pressure"].values[within] - AMBIENT) * area
        assert force == pytest.approx(load + 3e3 * flow / area, rel=1e-5)


@pytest.mark.parametrize("x", [0.2, 0.55, 0.9, 1.04])
def test_volume_and_force(x):
    """Oil of the stages that are out plus that of the one that moves; its area alone makes the force."""
    machine, _, _ = telescope(CLOSED + x, pressure_a=50e5)
    run = kb.simulate(machine, 1e-4, step=1e-5, record=1e-5)
    stage = int(np.searchsorted(STARTS, x, side="right")) - 1
    volume = DEAD + sum(AREAS[j] * STROKES[j] for j in range(stage)) + AREAS[stage] * (x - STARTS[stage])

    assert run["ram.a.volume"].values[0] == pytest.approx(volume, rel=1e-9)
    assert run["ram.force"].values[0] == pytest.approx((50e5 - AMBIENT) * AREAS[stage], rel=1e-9)


def test_keeps_its_energy():
    machine, oil, ram = telescope(CLOSED + 0.3, 2e4, pressure_a=30e5)
    oil.flow_source("pump", oil.tank("tank"), ram.a, "18 l/min")
    run = kb.simulate(machine, 8.0, step=1e-4, record=0.05)
    assert np.ptp(run["ram.length"].values) > 0.2
    assert run.energy().relative_residual < 1e-5
