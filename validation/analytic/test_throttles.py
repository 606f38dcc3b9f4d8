# SPDX-License-Identifier: BSD-3-Clause
"""Laminar restrictor and throttle-check: flow over pressure drop, both ways.

Rank: closed form, an algebraic value at constant pressures: 1e-12. Hagen and Poiseuille's law is integrated anew from
the parabolic profile of speed, and that of the gap likewise.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad

import knuckleboom as kb
from analytic.rigs import DENSITY, dissipates, flow, on_sources, pressure, root, share, sweep

LENGTH, DIAMETER, WIDTH, GAP = 0.5, 3e-3, 60e-3, 20e-6
MU = 46e-6 * DENSITY
BOTH_WAYS = {"a": (1e5, 101e5)}  # b stays at 51 bar


def pipe():
    """Q/Δp of a round pipe: the speed Δp (R² − r²)/(4 μ L) summed up over rings."""
    radius = 0.5 * DIAMETER
    return quad(lambda r: (radius**2 - r**2) / (4.0 * MU * LENGTH) * 2.0 * math.pi * r, 0.0, radius)[0]


def slit():
    """Q/Δp of a gap: the speed Δp (h²/4 − y²)/(2 μ L) summed up over its height."""
    return quad(lambda y: WIDTH * (0.25 * GAP**2 - y**2) / (2.0 * MU * LENGTH), -0.5 * GAP, 0.5 * GAP)[0]


WAYS = {
    "conductance": ({"conductance": 2e-12}, 2e-12),
    "flow": ({"flow": ("2 l/min", "10 bar")}, 2e-3 / 60.0 / 10e5),
    "pipe": ({"length": LENGTH, "diameter": DIAMETER, "viscosity": "46 mm2/s"}, pipe()),
    "gap": ({"length": LENGTH, "width": WIDTH, "gap": GAP}, slit()),
}


@pytest.mark.parametrize(("settings", "conductance"), WAYS.values(), ids=WAYS)
def test_laminar_flow_is_in_proportion(settings, conductance):
    run = sweep(on_sources("laminar_restrictor", {"a": 1e5, "b": 51e5}, **settings), **BOTH_WAYS)

    drop = pressure(run, "a") - 51e5
    assert flow(run) == pytest.approx(conductance * drop, rel=1e-12, abs=1e-12 * conductance * 50e5)
    assert dissipates(run)


THROTTLE, FREE = (5e-3 / 60.0, 50e5), (60e-3 / 60.0, 4e5)


def test_throttle_check_is_free_one_way_and_throttled_the_other():
    words = {"flow": THROTTLE, "free_flow": FREE, "cracking": "1 bar", "full": "2 bar"}
    run = sweep(on_sources("throttle_check", {"a": 1e5, "b": 51e5}, **words), **BOTH_WAYS)

    drop = pressure(run, "a") - 51e5
    far = np.abs(drop) > 2e5
    assert flow(run, "throttle")[far] == pytest.approx(root(THROTTLE, drop)[far], rel=1e-12)
    assert flow(run, "check")[far] == pytest.approx(root(FREE, drop, share((drop - 1e5) / 2e5))[far], rel=1e-12)
    assert np.all(flow(run, "check")[drop <= 1e5] == 0.0)
    assert dissipates(run)


def test_throttle_check_lowers_a_load_slowly_and_lifts_it_freely():
    """A volume filled through the check and emptied through the throttle: rates in the ratio of both k, far from the
    transition. Taken over the first 10 µs, in which the larger flow changes the drop by 0.7 %: tolerance 1 %."""
    machine = kb.Machine("one way")
    oil = machine.oil(kb.fluids.mineral_oil())
    line, load = oil.pressure("line", 200e5), oil.volume("load", 1e-3, 100e5)
    oil.throttle_check("it", line, load, flow=THROTTLE, free_flow=FREE)
    up = kb.simulate(machine, 1e-3, step=1e-5, record=1e-5)["load.pressure"].values
    down = kb.simulate(machine, 1e-3, step=1e-5, record=1e-5, inputs={"line": 1e5})["load.pressure"].values

    rising, falling = up[1] - up[0], down[0] - down[1]
    expected = (root(THROTTLE, 100e5) + root(FREE, 100e5)) / root(THROTTLE, 99e5)
    assert rising / falling == pytest.approx(expected, rel=1e-2)
