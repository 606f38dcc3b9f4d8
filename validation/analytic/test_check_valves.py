# SPDX-License-Identifier: BSD-3-Clause
"""Anti-cavitation valve, pilot check, shuttle, cartridge: what opens them, and what passes.

Rank: closed form, algebraic values at constant pressures: 1e-12. The shuttle's port settles to the higher pressure.
"""

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling
from analytic.rigs import dissipates, flow, fluid, on_sources, pressure, root, share, sweep

FLOW = (40e-3 / 60.0, 5e5)
CHECK = {"flow": FLOW, "cracking": 1e5, "full": 2e5}


# --- anti-cavitation --------------------------------------------------------------------------------------------------


def test_anti_cavitation_valve_opens_softly_and_keeps_the_pressure():
    """A quarter of a bar below the tank it is fully open; a pressure above the tank's is kept."""
    words = {"flow": FLOW, "transition": 1e3}
    run = sweep(on_sources("anti_cavitation_valve", {"a": 2e5, "b": 1e5}, **words), b=(1e5, 3e5))

    drop = 2e5 - pressure(run, "b")
    expected = root(FLOW, drop, share((drop - 0.05e5) / 0.2e5))
    assert flow(run) == pytest.approx(np.where(drop > 0.05e5, expected, 0.0), rel=1e-12)
    assert np.all(flow(run)[drop <= 0.05e5] == 0.0)


# --- pilot-operated check ---------------------------------------------------------------------------------------------


def test_pilot_check_without_pilot_is_a_check():
    """Pilot at the tank's pressure, also below that of a: the piston only pushes."""
    run = sweep(on_sources("pilot_check", {"a": 1e5, "b": 101e5, "x": 1e5}, **CHECK), a=(1e5, 201e5))

    drop = pressure(run, "a") - 101e5
    free = drop > 2e5
    total = flow(run, "check") + flow(run, "pilot")
    assert total[free] == pytest.approx(root(FLOW, drop, share((drop - 1e5) / 2e5))[free], rel=1e-12)
    assert np.all(total[drop <= 1e5] == 0.0)
    assert dissipates(run)


@pytest.mark.parametrize("ratio", [2.5, 4.0])
@pytest.mark.parametrize("back", [1e5, 15e5])
def test_pilot_opens_the_load_side(ratio, back):
    """Flow back begins where ratio·(p_x − p_a) = p_b − p_a + cracking; a is the return line, at a back pressure."""
    load = 120e5
    words = {"ratio": ratio, **CHECK}
    run = sweep(on_sources("pilot_check", {"a": back, "b": load, "x": 1e5}, **words), x=(1e5, 101e5))

    opening = share((back - load + ratio * (pressure(run, "x") - back) - 1e5) / 2e5)
    assert flow(run, "pilot") == pytest.approx(root(FLOW, back - load, opening), rel=1e-12)
    assert np.all(flow(run, "check") == 0.0)
    opens = back + (load - back + 1e5) / ratio
    assert np.all(flow(run, "pilot")[pressure(run, "x") <= opens] == 0.0)
    assert flow(run, "pilot")[-1] < 0.0


def test_drain_keeps_back_pressure_from_the_pilot_piston():
    load, back = 120e5, 40e5
    words = {"ratio": 3.0, **CHECK}
    run = sweep(on_sources("pilot_check", {"a": back, "b": load, "x": 1e5, "drain": 1e5}, **words), x=(1e5, 101e5))

    opening = share((back - load + 3.0 * (pressure(run, "x") - 1e5) - 1e5) / 2e5)
    assert flow(run, "pilot") == pytest.approx(root(FLOW, back - load, opening), rel=1e-12)


# --- shuttle ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [(80e5, 30e5), (30e5, 80e5), (80e5, 79e5), (50e5, 50e5)])
@every_coupling
def test_shuttle_picks_the_higher(coupling, a, b):
    machine = kb.Machine("shuttle")
    oil = machine.oil(fluid())
    one, other = oil.pressure("one", a), oil.pressure("other", b)
    oil.shuttle_valve("it", one, other, volume="50 cm3", flow=("2 l/min", "5 bar"))
    run = kb.simulate(machine, 0.3, step=STEPS[coupling], record=1e-2, coupling=coupling)

    assert run["it.pressure"].values[-1] == pytest.approx(max(a, b), rel=1e-9)
    for branch in ("a", "b"):
        assert run[f"it.{branch}.flow"].values[-1] == pytest.approx(0.0, abs=1e-12)


def test_shuttle_openings_add_up_to_one():
    """With a line of fixed lower pressure the flow changes over from one path to the other within ± full/2."""
    machine = kb.Machine("shuttle")
    oil = machine.oil(fluid())
    one, other = oil.pressure("source_a", 60e5), oil.pressure("source_b", 60e5)
    oil.shuttle_valve("it", one, other, flow=FLOW, full="1 bar", volume="1 l", pressure="50 bar")
    for drop in (-1e5, -0.5e5, -0.2e5, 0.0, 0.3e5, 0.5e5):
        run = kb.simulate(machine, 1e-6, step=1e-6, record=1e-6, inputs={"source_a": 60e5 + drop})
        opening = share(drop / 1e5 + 0.5)
        assert flow(run, "a")[0] == pytest.approx(root(FLOW, 10e5 + drop, opening), rel=1e-9, abs=1e-15)
        assert flow(run, "b")[0] == pytest.approx(root(FLOW, 10e5, 1.0 - opening), rel=1e-9, abs=1e-15)


# --- cartridge --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("area", [1.0, 0.6, 0.5])
def test_cartridge_opens_by_both_areas_against_its_pilot(area):
    words = {"flow": FLOW, "share": area, "cracking": 2e5, "full": 3e5}
    run = sweep(on_sources("cartridge_valve", {"a": 100e5, "b": 40e5, "x": 120e5}, **words), x=(120e5, 1e5))

    force = area * 100e5 + (1.0 - area) * 40e5 - pressure(run, "x")
    assert flow(run) == pytest.approx(root(FLOW, 60e5, share((force - 2e5) / 3e5)), rel=1e-12)
    assert flow(run)[0] == 0.0 < flow(run)[-1]


def test_cartridge_piloted_from_its_outlet_is_a_check_valve():
    """x joined to b: opens with share·(p_a − p_b) > cracking, so that nothing ever flows back."""
    machine = kb.Machine("logic")
    oil = machine.oil(fluid())
    a, b = oil.pressure("source_a", 1e5), oil.pressure("source_b", 51e5)
    oil.cartridge_valve("it", a, b, x=b, flow=FLOW, share=0.5, cracking=2e5, full=2e5)
    run = sweep(machine, a=(1e5, 101e5))

    drop = pressure(run, "a") - 51e5
    assert flow(run) == pytest.approx(root(FLOW, drop, share((0.5 * drop - 2e5) / 2e5)), rel=1e-12)
    assert np.all(flow(run) >= 0.0)
