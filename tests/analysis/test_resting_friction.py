# SPDX-License-Identifier: BSD-3-Clause
"""Static friction in equilibrium: bristles take what pressures lack, up to their band and not beyond.

The band is that of the dynamic law: LuGre's z at rest is free within ±F_s/σ₀ [Ylinen 2014]. A run from there stays; one
from beyond would not.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

BREAKAWAY, STIFFNESS = 900.0, 2e7
STICKING = {
    "coulomb": 600.0, "breakaway": BREAKAWAY, "stribeck_speed": 1e-3, "bristle_stiffness": STIFFNESS,
    "bristle_damping": 1e4, "viscous": 100.0,
}  # fmt: skip


def press(force, joined=True, **friction):
    """A block pushed along x against a cylinder of equal areas whose ports are joined to one pressure, or closed."""
    machine = kb.Machine("press", gravity=(0, 0, 0))
    block = machine.body("block", mass=50.0, inertia=(1, 1, 1))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.0)
    machine.effort("push", "slide", 0, force)
    oil = machine.oil(kb.fluids.naya())
    friction = friction or STICKING
    ram = machine.cylinder("ram", machine.ground, block, bore=0.05, rod=0.0, stroke=0.5, oil=oil, **friction)
    if joined:
        supply = oil.pressure("supply", "50 bar")
        for port, name in ((ram.a, "in"), (ram.b, "out")):
            machine.restrictor(name, supply, port, area="5 mm^2")
    return machine


@pytest.mark.parametrize("force", [-890.0, -100.0, 0.0, 400.0, 890.0])
def test_bristles_take_what_pressures_lack(force):
    """Both chambers are at the supply's pressure, so that all of the push is friction's: z = F/σ₀."""
    machine = press(force)
    state = kb.equilibrium(machine)

    assert state["ram.a.pressure"] == pytest.approx(50e5)
    assert state.snapshot["x"][-1] == pytest.approx(force / STIFFNESS, abs=1e-9 * BREAKAWAY / STIFFNESS)
    assert state.friction == ({} if force == 0.0 else {"ram": pytest.approx(-force, rel=1e-6)})
    run = kb.simulate(machine, "10 ms", step="0.1 ms", start=state)
    assert np.abs(run["ram.speed"].values).max() < 1e-9
    assert np.ptp(run["ram.a.pressure"].values) < 1e-2


def test_friction_that_holds_is_said():
    (note,) = kb.equilibrium(press(400.0)).notes
    assert note == "Static friction of cylinder 'ram' holds 400 N of at most 900 N."


@pytest.mark.parametrize("force", [-950.0, 950.0])
def test_beyond_the_band_it_creeps_and_is_refused(force):
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(press(force))
    text = str(caught.value)
    side, name = ("a", "in") if force < 0.0 else ("b", "out")
    assert f"cylinder 'ram' needs {-force:.0f} N and has no hold: 'ram.{side}' loses" in text
    assert f"through restrictor '{name}': no valve holds it" in text
    assert "its static friction holds at most 900 N; cylinder 'ram' creeps at" in text

    state = kb.equilibrium(press(force), creeping=True)
    assert math.copysign(1.0, state.creep["ram"]) == math.copysign(1.0, force)
    assert state.friction == {}


def test_smoothed_friction_holds_nothing():
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(press(400.0, coulomb=600.0))
    text = str(caught.value)
    assert "its friction of 600 N is smoothed and holds nothing at rest; cylinder 'ram' creeps at" in text


def test_trapped_oil_is_preferred_to_friction():
    """Closed ports: pressures carry the push, bristles stay in the middle of their band, but for what weights leave."""
    state = kb.equilibrium(press(700.0, joined=False))
    area = 0.25 * math.pi * 0.05**2
    assert area * (state["ram.a.pressure"] - state["ram.b.pressure"]) == pytest.approx(-700.0, rel=1e-3)
    assert not state.friction
    assert "trapped" in " ".join(state.notes)
