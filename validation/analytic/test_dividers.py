# SPDX-License-Identifier: BSD-3-Clause
"""Priority valve and flow divider: who gets how much, whatever the loads.

Rank: closed form. At constant pressures the priority valve's flows are algebraic values: 1e-12. In circuits the flows
that meet in a volume agree, found by SciPy on the formulas: 1e-6.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

import knuckleboom as kb
from analytic.couplings import STEPS
from analytic.rigs import dissipates, flow, fluid, on_sources, pressure, root, share, sweep

OPEN, MARGIN, BAND, SMALL = (60e-3 / 60.0, 3e5), 7e5, 2e5, 1e3
implicit = pytest.mark.parametrize("coupling", ["unified", "realtime"])


def test_priority_changes_over_from_one_path_to_the_other():
    words = {"flow": OPEN, "margin": MARGIN, "band": BAND}
    ports = {"P": 100e5, "CF": 50e5, "EF": 20e5, "LS": 45e5}
    run = sweep(on_sources("priority_valve", ports, **words), CF=(47e5, 55e5))

    r = (MARGIN - (pressure(run, "CF") - 45e5)) / BAND
    assert flow(run, "CF") == pytest.approx(root(OPEN, 100e5 - pressure(run, "CF"), share(r)), rel=1e-12)
    assert flow(run, "EF") == pytest.approx(root(OPEN, 80e5, 1.0 - share(r)), rel=1e-9, abs=1e-18)
    assert flow(run, "EF")[0] == 0.0 == flow(run, "CF")[-1]
    assert dissipates(run)


@pytest.mark.parametrize("load", [10e5, 90e5])
@implicit
def test_steering_gets_its_flow_before_the_rest(coupling, load):
    """A steering orifice of 12 l/min at the margin gets about that of the pump's 60 l/min, and all of 10."""
    orifice, other = (12e-3 / 60.0, 6e5), 5e5
    flows = []
    for q in (60e-3 / 60.0, 10e-3 / 60.0):
        machine = kb.Machine("steering")
        oil = machine.oil(fluid())
        tank = oil.tank("tank")
        line, steering = oil.volume("line", "1 l", 40e5), oil.volume("steering", "1 l", load)
        consumer, rest = oil.pressure("consumer", load), oil.pressure("rest", other)
        oil.flow_source("pump", tank, line, q)
        oil.priority_valve("it", line, steering, rest, consumer, flow=OPEN, margin=MARGIN, band=BAND, transition=SMALL)
        oil.restrictor("orifice", steering, consumer, flow=orifice)
        run = kb.simulate(machine, 1.5, step=STEPS[coupling], record=1e-2, coupling=coupling)

        def net(unknown, q=q):
            p, c = 1e5 * unknown
            r = (MARGIN - (c - load)) / BAND
            to_steering = root(OPEN, p - c, share(r))
            return to_steering - root(orifice, c - load), to_steering + root(OPEN, p - other, 1.0 - share(r)) - q

        last = np.array([run["line.pressure"].values[-1], run["steering.pressure"].values[-1]])
        assert 1e5 * fsolve(net, 1e-5 * last, xtol=1e-13) == pytest.approx(last, rel=1e-6)
        assert run["it.CF.flow"].values[-1] + run["it.EF.flow"].values[-1] == pytest.approx(q, rel=1e-6)
        flows.append(run["it.CF.flow"].values[-1])
    assert root(orifice, MARGIN - BAND) < flows[0] < root(orifice, MARGIN)
    assert flows[1] == pytest.approx(10e-3 / 60.0, rel=1e-6)


@pytest.mark.parametrize(("b", "c"), [(100e5, 20e5), (20e5, 100e5), (60e5, 60e5)])
@pytest.mark.parametrize("part", [0.5, 0.3])
@implicit
@pytest.mark.parametrize(("volume", "near"), [("0.5 l", 1e-6), ("10 cm3", 2e-5)])
def test_divider_keeps_its_share(coupling, part, b, c, volume, near):
    q, drop, band = 30e-3 / 60.0, 8e5, 0.5e5
    machine = kb.Machine("divided")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank"), oil.volume("line", "500 cm3", 110e5)
    oil.flow_source("pump", tank, line, q)
    oil.flow_divider(
        "it", line, oil.pressure("load_b", b), c=oil.pressure("load_c", c), flow=(q, drop), share=part, band=band,
        volume=volume, pressure="105 bar", transition=SMALL,
    )  # fmt: skip
    run = kb.simulate(machine, 1.0, step=STEPS[coupling], record=1e-2, coupling=coupling)
    to_b, to_c = run["it.b.flow"].values[-1], run["it.c.flow"].values[-1]

    # in 10 cm³ the trapezoidal rule swings on by some Pa
    assert to_b + to_c == pytest.approx(q, rel=near)
    assert run["it.orifice_b.flow"].values[-1] == pytest.approx(to_b, rel=near)
    # the spool's balance is known but for the inner pressures' difference d: flows fix it
    inner_b, inner_c = run["it.inner_b.pressure"].values[-1], run["it.inner_c.pressure"].values[-1]

    def imbalance(d):
        """Flow to b less what its throttle passes at the inner pressures that share q with a difference d."""

        def over(x):
            return x + (1.0 - part) * q * math.sqrt(max((x / (part * q)) ** 2 + d / drop, 0.0)) - q

        first = brentq(over, 0.0, q)
        p_c = c + drop * ((q - first) / root((q, drop), drop, share(0.5 - d / band))) ** 2
        return root((q, drop), p_c + d - b, share(0.5 + d / band)) - first

    d = brentq(imbalance, -0.49 * band, 0.49 * band, xtol=1e-9)
    assert inner_b - inner_c == pytest.approx(d, rel=1e-4, abs=1.0)
    assert to_b / q == pytest.approx(part, abs=band / (4.0 * drop))
