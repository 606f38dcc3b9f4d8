# SPDX-License-Identifier: BSD-3-Clause
"""Pressure compensators before and behind an edge, and flow controls: flow constant against the load, within a band.

Rank: closed form. At constant pressures a compensator's flow is an algebraic value: 1e-12. In a circuit the flows that
meet in a volume agree; its pressure is found by bisection on the formulas: 1e-7. Volumes are larger than in a valve, so
that they settle soon: steady flows do not depend on them.
"""

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from analytic.couplings import STEPS
from analytic.rigs import dissipates, flow, fluid, on_sources, pressure, root, share, sweep

OPEN, MARGIN, BAND = (60e-3 / 60.0, 2e5), 7e5, 2e5
implicit = pytest.mark.parametrize("coupling", ["unified", "realtime"])


def test_compensator_closes_at_its_margin():
    words = {"flow": OPEN, "margin": MARGIN, "band": BAND}
    run = sweep(on_sources("pressure_compensator", {"a": 150e5, "b": 40e5, "LS": 50e5}, **words), b=(45e5, 65e5))

    over = pressure(run, "b") - 50e5
    expected = root(OPEN, 150e5 - pressure(run, "b"), share((MARGIN - over) / BAND))
    assert flow(run) == pytest.approx(expected, rel=1e-12)
    assert np.all(flow(run)[over >= MARGIN] == 0.0)
    assert dissipates(run)


def test_post_compensator_opens_above_its_margin():
    words = {"flow": OPEN, "margin": "1 bar", "band": BAND}
    run = sweep(on_sources("post_compensator", {"a": 95e5, "b": 20e5, "LS": 100e5}, **words), a=(95e5, 115e5))

    over = pressure(run, "a") - 100e5
    assert flow(run) == pytest.approx(root(OPEN, pressure(run, "a") - 20e5, share((over - 1e5) / BAND)), rel=1e-12)
    assert np.all(flow(run)[over <= 1e5] == 0.0)


@pytest.mark.parametrize("load", [20e5, 80e5, 150e5])
@pytest.mark.parametrize("supply", [180e5, 250e5])
@implicit
def test_metered_flow_does_not_know_the_load(coupling, supply, load):
    """Compensator, gallery, 4/3 valve at 40 % into a load of fixed pressure: the edge's drop is that of the band."""
    edge = (40e-3 / 60.0, 7e5)
    machine = kb.Machine("compensated")
    oil = machine.oil(fluid())
    pump, tank, consumer = oil.pressure("pump", supply), oil.tank("tank"), oil.pressure("consumer", load)
    gallery, other = oil.volume("gallery", "0.5 l", load), oil.volume("other", "1 l")
    oil.pressure_compensator("it", pump, gallery, LS=consumer, flow=OPEN, margin=MARGIN, band=BAND)
    oil.valve_4_3("spool", gallery, tank, consumer, other, flow=edge, time_constant=0.0, leak=0.0)
    run = kb.simulate(machine, 0.3, step=STEPS[coupling], record=1e-2, coupling=coupling, inputs={"spool": 0.4})

    def net(p):
        return root(OPEN, supply - p, share((MARGIN - (p - load)) / BAND)) - root(edge, p - load, 0.4)

    rests = brentq(net, load + MARGIN - BAND, load + MARGIN, xtol=1e-4)
    q = root(edge, rests - load, 0.4)
    assert run["gallery.pressure"].values[-1] == pytest.approx(rests, rel=1e-7)
    assert run["spool.PA.flow"].values[-1] == pytest.approx(q, rel=1e-6)
    assert root(edge, MARGIN - BAND, 0.4) < q < root(edge, MARGIN, 0.4)


@implicit
def test_post_compensated_sections_share_what_there_is(coupling):
    """Two sections behind edges of 3 : 1 share a pump that gives half of what is asked for, whatever their loads."""
    wide, narrow, loads, q = (60e-3 / 60.0, 14e5), (20e-3 / 60.0, 14e5), (120e5, 40e5), 40e-3 / 60.0
    machine = kb.Machine("shared")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank"), oil.volume("line", "1 l", 130e5)
    oil.flow_source("pump", tank, line, q)
    highest = None
    for name, size, load in (("one", wide, loads[0]), ("two", narrow, loads[1])):
        consumer, behind = oil.pressure(f"{name}_load", load), oil.volume(f"{name}_behind", "0.5 l", 121e5)
        oil.restrictor(f"{name}_edge", line, behind, flow=size, transition="0.2 bar")
        highest = highest or consumer
        oil.post_compensator(
            f"{name}_it", behind, consumer, LS=highest, flow=OPEN, margin="1 bar", band="0.5 bar", transition=1e3
        )
    run = kb.simulate(machine, 1.0, step=STEPS[coupling], record=1e-2, coupling=coupling)

    def behind(p, size, load):
        def net(c):
            return root(size, p - c) - root(OPEN, c - load, share((c - loads[0] - 1e5) / 0.5e5))

        return brentq(net, loads[0] + 1e5, p, xtol=1e-6)

    def total(p):
        parts = [root(size, p - behind(p, size, load)) for size, load in ((wide, loads[0]), (narrow, loads[1]))]
        return sum(parts) - q

    p = brentq(total, loads[0] + 1.1e5, 200e5, xtol=1e-6)
    one, two = run["one_edge.flow"].values[-1], run["two_edge.flow"].values[-1]
    assert run["line.pressure"].values[-1] == pytest.approx(p, rel=1e-7)
    assert one == pytest.approx(root(wide, p - behind(p, wide, loads[0])), rel=1e-5)
    assert two == pytest.approx(root(narrow, p - behind(p, narrow, loads[1])), rel=1e-5)
    assert one + two == pytest.approx(q, rel=1e-6)
    assert one / two == pytest.approx(3.0, rel=0.1)


VALUE = 20e-3 / 60.0
SWING = 3e-5
"""Of a flow out of 10 cm³: the trapezoidal rule swings on by 20 Pa or so about a pressure that settles within 2 µs."""


def control_band(margin, band, bypass=False):
    """Lowest and highest flow that the card states."""
    part = band / (2.0 * margin + band) if bypass else band / (2.0 * margin - band)
    return VALUE * np.sqrt(1.0 - part), VALUE * np.sqrt(1.0 + part)


@pytest.mark.parametrize(("volume", "near"), [("0.5 l", 1e-7), ("10 cm3", SWING)])
@pytest.mark.parametrize("load", [2e5, 60e5, 120e5])
@implicit
def test_flow_control_lets_its_value_through(coupling, load, volume, near):
    supply, margin, band = 150e5, 8e5, 1e5
    machine = on_sources(
        "flow_control", {"a": supply, "b": load}, value=VALUE, margin=margin, band=band, volume=volume, pressure=load
    )
    run = kb.simulate(machine, 0.2, step=STEPS[coupling], record=1e-2, coupling=coupling)

    orifice = (VALUE, margin - 0.5 * band)

    def net(c):
        return root((VALUE, band), supply - c, share((margin - (c - load)) / band)) - root(orifice, c - load)

    c = brentq(net, load + margin - band, load + margin, xtol=1e-6)
    q = run["it.orifice.flow"].values[-1]
    assert q == pytest.approx(root(orifice, c - load), rel=near)
    assert run["it.compensator.flow"].values[-1] == pytest.approx(q, rel=near)
    low, high = control_band(margin, band)
    assert low < q < high


@pytest.mark.parametrize(("volume", "near"), [("0.5 l", 1e-7), ("10 cm3", SWING)])
def test_flow_control_without_enough_pressure_is_two_orifices(volume, near):
    """5 bar are less than its margin: compensator open and orifice in series, 1/k² = 1/k₁² + 1/k₂²."""
    margin, band = 8e5, 1e5
    words = {"value": VALUE, "margin": margin, "band": band, "volume": volume, "pressure": 52e5}
    machine = on_sources("flow_control", {"a": 55e5, "b": 50e5}, **words, transition="0.1 bar")
    run = kb.simulate(machine, 0.2, step=1e-3, record=1e-2, coupling="unified")

    series = VALUE / np.sqrt(band + margin - 0.5 * band)
    assert run["it.orifice.flow"].values[-1] == pytest.approx(series * np.sqrt(5e5), rel=near)


def test_flow_control_is_free_backwards_with_a_check():
    free = (60e-3 / 60.0, 3e5)
    words = {"value": VALUE, "free_flow": free, "pressure": 20e5}
    run = kb.simulate(on_sources("flow_control", {"a": 10e5, "b": 30e5}, **words), 0.05, step=1e-3, coupling="unified")

    assert run["it.check.flow"].values[-1] == pytest.approx(root(free, 20e5), rel=1e-12)


@pytest.mark.parametrize("load", [2e5, 60e5, 150e5])
@implicit
def test_bypass_flow_control_keeps_the_pump_a_margin_above_the_load(coupling, load):
    margin, band, bypass, q = 8e5, 1e5, (60e-3 / 60.0, 8e5), 50e-3 / 60.0
    machine = kb.Machine("bypass")
    oil = machine.oil(fluid())
    tank, consumer, line = oil.tank("tank"), oil.pressure("consumer", load), oil.volume("line", "1 l", load)
    oil.flow_source("pump", tank, line, q)
    oil.bypass_flow_control(
        "it", line, consumer, T=tank, value=VALUE, bypass_flow=bypass, margin=margin, band=band
    )  # fmt: skip
    run = kb.simulate(machine, 0.5, step=STEPS[coupling], record=1e-2, coupling=coupling)

    def net(p):
        part = root(bypass, p - 101325.0, share((p - load - margin) / band))
        return root((VALUE, margin + 0.5 * band), p - load) + part - q

    p = brentq(net, load + margin, load + margin + band, xtol=1e-6)
    assert run["line.pressure"].values[-1] == pytest.approx(p, rel=1e-7)
    metered = run["it.orifice.flow"].values[-1]
    assert metered + run["it.bypass.flow"].values[-1] == pytest.approx(q, rel=1e-6)
    low, high = control_band(margin, band, bypass=True)
    assert low < metered < high
