# SPDX-License-Identifier: BSD-3-Clause
"""Static friction in equilibrium: bristles take what pressures lack, up to their band and not beyond.

The band is that of the dynamic law: LuGre's z at rest is free within ±F_s/σ₀ [Ylinen 2014]. A run from there stays; one
from beyond would not.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.describe import Net, OilName, Part, Place, param
from knuckleboom.machine import kinds

AMBIENT, AREA = 101325.0, 2e-3
BREAKAWAY, STIFFNESS = 900.0, 2e7


class SealedRam(Part):
    """A cylinder of equal areas whose seals are bristles."""

    PORTS = ("a", "b")

    a: Place = param("base")
    b: Place = param("rod end")
    oil: OilName = param("oil")

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        row = net.length(self.a, self.b)
        for port, area in (("a", AREA), ("b", -AREA)):
            net.volume(self.port(port), 1e-3, AMBIENT)
            net.chamber(row, self.port(port), area=area, dead=1e-3, at=1.0)
        net.bristle(
            row, coulomb=600.0, breakaway=BREAKAWAY, stribeck=1e-3, stiffness=STIFFNESS, damping=1e4, viscous=100.0
        )


@pytest.fixture(autouse=True)
def _known_kinds(monkeypatch):
    monkeypatch.setattr(kinds, "_kinds", dict(kinds.all_kinds()))
    kb.register(SealedRam)


def press(force, joined=True):
    """A block pushed along x against a ram whose ports are joined to a pressure, or closed."""
    machine = kb.Machine("press", gravity=(0, 0, 0))
    block = machine.body("block", mass=50.0, inertia=(1, 1, 1))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.0)
    machine.effort("push", "slide", 0, force)
    oil = machine.oil(kb.fluids.naya())
    ram = machine.sealed_ram("ram", machine.ground, block, oil=oil)
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


@pytest.mark.parametrize("force", [-950.0, 950.0])
def test_beyond_the_band_it_creeps_or_is_refused(force):
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(press(force))
    assert "'ram' needs" in str(caught.value) and "creeps at" in str(caught.value)
    assert "its static friction holds at most 900 N" in str(caught.value)

    state = kb.equilibrium(press(force), creeping=True)
    assert math.copysign(1.0, state.creep["ram"]) == math.copysign(1.0, force)


def test_trapped_oil_is_preferred_to_friction():
    """Closed ports: pressures carry the push, bristles stay in the middle of their band, but for what weights leave."""
    state = kb.equilibrium(press(700.0, joined=False))
    drop = AREA * (state["ram.a.pressure"] - state["ram.b.pressure"])
    assert drop == pytest.approx(-700.0, rel=1e-3)
    assert "trapped" in " ".join(state.notes)
