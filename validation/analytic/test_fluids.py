# SPDX-License-Identifier: BSD-3-Clause
"""A closed can that a constant flow fills or sucks empty: every fluid follows its own equation of state.

With ė = Q/V the relative volume of the oil is v(t) = v(0) exp(−Q t/V), whatever the law; so p(t) follows from the v(p)
of the fluid, here written as on the cards (bulk moduli integrated by hand), without our laws. Rank: closed form.
Tolerance: the strain is a straight line in time, which every integrator follows to rounding; v is compared, since that
of stiff oil magnifies p by B/p.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

SIZE, AMBIENT = 1e-3, 101325.0
BULK, VAPOUR, HALF = 1.4e9, 2e3, 3e5
AIR, REFERENCE, EXPONENT = 0.02, 101325.0, 1.3
A, B = 6.53e-10, -1.19e-18


def volume_constant(p):
    return np.exp(-p / BULK)


def volume_naya(p):
    return 1.0 / (1.0 + A * p + B * p * p)


def volume_cavitating(p):
    z = p - VAPOUR
    return np.exp(-(z - HALF**2 / z) / BULK)


def volume_air(p):
    bubbles = AIR * ((REFERENCE - VAPOUR) / (p - VAPOUR)) ** (1.0 / EXPONENT)
    return (1.0 - AIR) * np.exp(-(p - REFERENCE) / BULK) + bubbles


STIFF = kb.fluids.mineral_oil(bulk=BULK, vapour=VAPOUR, half=HALF)
FLUIDS = {
    "constant": (kb.fluids.constant(bulk=BULK), volume_constant),
    "naya": (kb.fluids.naya(), volume_naya),
    "cavitating": (STIFF, volume_cavitating),
    "air": (kb.fluids.with_air(STIFF, AIR, reference=REFERENCE, exponent=EXPONENT), volume_air),
}


def can(fluid, start, flow, coupling, duration):
    machine = kb.Machine("can", ambient=AMBIENT)
    oil = machine.oil(fluid)
    volume, tank = oil.volume("can", SIZE, pressure=start), oil.tank("tank", AMBIENT)
    oil.flow_source("pump", tank, volume, value=flow)
    return kb.simulate(machine, duration, step=STEPS[coupling], coupling=coupling)


@every_coupling
@pytest.mark.parametrize("law", FLUIDS)
def test_filling_compresses_the_oil_as_its_law_says(law, coupling):
    fluid, volume = FLUIDS[law]
    flow = 1e-3 if law == "air" else 2e-4
    run = can(fluid, 2e5, flow, coupling, 0.1)
    p = run["can.pressure"].values

    assert volume(p) == pytest.approx(volume(2e5) * np.exp(-flow * run.time / SIZE), rel=1e-12)
    assert p[-1] > 1e7 and (np.diff(p) > 0.0).all()


@every_coupling
@pytest.mark.parametrize("law", ["cavitating", "air"])
def test_emptying_tears_the_oil_and_leaves_it_above_vapour(law, coupling):
    """Down to a tenth of the oil: most of the can is void then, or bubbles."""
    fluid, volume = FLUIDS[law]
    flow, duration = -1e-2, 0.1
    run = can(fluid, 5e5, flow, coupling, duration)
    p = run["can.pressure"].values

    assert p.min() > VAPOUR and (np.diff(p) < 0.0).all()
    expected = math.log(volume(5e5)) - flow * run.time / SIZE
    assert np.log(volume(p)) == pytest.approx(expected, rel=1e-8, abs=1e-12)  # p − p_v loses digits near vapour
    assert run.cavitation["can"]["episodes"] == 1


@every_coupling
@pytest.mark.parametrize("law", ["constant", "naya"])
def test_laws_without_cavitation_pull_and_the_run_says_so(law, coupling):
    fluid, volume = FLUIDS[law]
    warning = "The pressure at 'can' falls to .* take a fluid of the law cavitating or air"
    with pytest.warns(RuntimeWarning, match=warning):
        run = can(fluid, 2e5, -2e-4, coupling, 0.1)

    assert run["can.pressure"].values[-1] < -1e7
    assert volume(run["can.pressure"].values) == pytest.approx(volume(2e5) * np.exp(2e-4 * run.time / SIZE), rel=1e-12)
