# SPDX-License-Identifier: BSD-3-Clause
"""Directional valves: what each position joins, overlap, load-sensing port, regeneration, open centre.

Rank: closed form. At constant pressures every flow is an algebraic value: 1e-12, with the openings written anew from
the cards and, between the points of a curve, by SciPy (rigs.py). In circuits: volumes in which flows agree, 1e-6.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling
from analytic.rigs import (
    EDGES,
    FLOW,
    PORTS,
    QUICK,
    dissipates,
    flow,
    fluid,
    line,
    on_sources,
    passed,
    root,
    share,
    smooth,
    stroke,
)  # fmt: skip

# --- edges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("overlap", [0.0, 0.15, -0.2])
def test_overlap_and_underlap(overlap):
    y, run = stroke("valve_4_3", overlap=overlap, leak=1e-3)

    for edge, end in EDGES.items():
        assert flow(run, edge) == pytest.approx(passed(edge, line(end * y, overlap, 1e-3)), rel=1e-9)
    assert dissipates(run)


# --- centres ----------------------------------------------------------------------------------------------------------

CENTRES = {
    "closed": (), "open": ("PA", "PB", "AT", "BT"), "float": ("AT", "BT"), "regenerative": ("PA", "PB"),
    "tandem": ("PT",),
}  # fmt: skip


@pytest.mark.parametrize("centre", CENTRES)
def test_what_a_centre_joins(centre):
    """At rest the paths of the centre are open by its opening and no other; at full stroke they are as without one."""
    given = {} if centre == "closed" else {"centre_opening": 0.4, "centre_width": 0.2}
    y, run = stroke("valve_4_3", centre=centre, overlap=0.25, leak=0.0, **given)

    middle = np.flatnonzero(np.abs(y) < 1e-12)[0]
    for edge in (*EDGES, *(("PT",) if centre == "tandem" else ())):
        joined = 0.4 if edge in CENTRES[centre] else 0.0
        assert flow(run, edge)[middle] == pytest.approx(passed(edge, joined), rel=1e-9, abs=1e-18), edge
        for at, position in ((0, -1.0), (-1, 1.0)):
            opening = 1.0 if EDGES.get(edge) == position else 0.0
            assert flow(run, edge)[at] == pytest.approx(passed(edge, opening), rel=1e-12, abs=1e-18), edge
    # with an overlap wider than the centre the pump never reaches the tank by way of a working port
    if centre in ("float", "regenerative"):
        for one, other in (("PA", "AT"), ("PB", "BT")):
            assert not np.any((flow(run, one) != 0.0) & (flow(run, other) != 0.0))
    assert dissipates(run)


@pytest.mark.parametrize("centre", CENTRES)
def test_which_ports_have_one_pressure(centre):
    """Four volumes of different pressure at a valve at rest: what the centre joins settles to one pressure, whose
    strain is the mean; the rest stays."""
    machine = kb.Machine("at rest")
    oil = machine.oil(fluid())
    ports = {port: oil.volume(f"at_{port}", 1e-3, p) for port, p in PORTS.items()}
    oil.valve_4_3("it", **ports, **QUICK, centre=centre, leak=0.0)
    run = kb.simulate(machine, 0.5, step=1e-3, record=0.1)

    last = {port: run[f"at_{port}.pressure"].values[-1] for port in PORTS}
    joined = set("".join(CENTRES[centre]))
    mean = np.mean([PORTS[port] for port in joined]) if joined else 0.0
    for port, p in last.items():
        assert p == pytest.approx(mean if port in joined else PORTS[port], rel=1e-6)


@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_regenerative_speed(coupling):
    """P, A and B joined: the rod side's oil adds to the pump's, v = Q/(A_a − A_b), the rod's area alone."""
    bore, rod, q = 60e-3, 40e-3, 15e-3 / 60.0
    machine = kb.Machine("regenerative", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=300.0, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.2)
    oil = machine.oil(fluid())
    ram = oil.cylinder(
        "ram", machine.ground, block, bore=bore, rod=rod, stroke=1.5, closed=1.0, pressure_a="20 bar",
        pressure_b="20 bar", viscous=5e3, dead_a="0.1 l", dead_b="0.1 l",
    )  # fmt: skip
    tank, line = oil.tank("tank"), oil.volume("line", "0.2 l", "20 bar")
    oil.flow_source("pump", tank, line, q)
    oil.valve_4_3("it", line, tank, ram.a, ram.b, **QUICK, centre="regenerative", leak=0.0)
    run = kb.simulate(machine, 1.5, step=STEPS[coupling], record=1e-2, coupling=coupling)

    v = q / (0.25 * math.pi * rod**2)
    assert run["ram.speed"].values[-1] == pytest.approx(v, rel=1e-5)
    assert run["it.PA.flow"].values[-1] == pytest.approx(v * 0.25 * math.pi * bore**2, rel=1e-5)
    assert run["it.PB.flow"].values[-1] == pytest.approx(-v * 0.25 * math.pi * (bore**2 - rod**2), rel=1e-5)


def test_tandem_centre_lets_the_pump_through():
    """A pump at a tandem centre: p_P − p_T = (Q/k)², nothing moves at A and B."""
    q = 20e-3 / 60.0
    machine = kb.Machine("tandem")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank", 1e5), oil.volume("line", "1 l", "50 bar")
    one, two = oil.volume("one", "1 l", "80 bar"), oil.volume("two", "1 l", "40 bar")
    oil.flow_source("pump", tank, line, q)
    oil.valve_4_3("it", line, tank, one, two, **QUICK, centre="tandem", leak=0.0)
    run = kb.simulate(machine, 1.0, step=1e-4, record=1e-2, coupling="explicit")

    assert run["line.pressure"].values[-1] == pytest.approx(1e5 + FLOW[1] * (q / FLOW[0]) ** 2, rel=1e-6)
    assert run["one.pressure"].values[-1] == pytest.approx(80e5, rel=1e-12)


# --- load sensing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "sensed"), [(0.5, "A"), (-0.5, "B"), (0.0, "T")])
@every_coupling
def test_load_sensing_port_has_the_pressure_of_what_is_fed(coupling, command, sensed):
    machine = kb.Machine("load sensing")
    oil = machine.oil(fluid())
    ports = {port: oil.pressure(f"at_{port}", p) for port, p in PORTS.items()}
    sensing = oil.volume("sensing", "50 cm3", "30 bar")
    oil.valve_4_3("it", **ports, **QUICK, LS=sensing)
    run = kb.simulate(
        machine, 0.3, step=STEPS[coupling], record=1e-2, coupling=coupling, inputs={"it": command}
    )  # fmt: skip

    assert run["sensing.pressure"].values[-1] == pytest.approx(PORTS[sensed], rel=1e-8)


def test_load_sensing_port_changes_over_without_joining_its_ends():
    """LS_T is closed before A_LS opens: no leak from the load to the tank in between."""
    y, run = stroke("valve_4_3", ports={**PORTS, "LS": 30e5}, ls_flow=("2 l/min", "5 bar"), ls_stroke=0.2)

    pair = (2e-3 / 60.0, 5e5)
    assert flow(run, "A_LS") == pytest.approx(root(pair, 60e5, smooth(((0.1, 0), (0.2, 1)), y)), rel=1e-12, abs=1e-18)
    assert flow(run, "B_LS") == pytest.approx(root(pair, 30e5, smooth(((0.1, 0), (0.2, 1)), -y)), rel=1e-12, abs=1e-18)
    assert flow(run, "LS_T") == pytest.approx(
        root(pair, 25e5, smooth(((0.0, 1), (0.1, 0)), np.abs(y))), rel=1e-12, abs=1e-18
    )
    for one, other in itertools.combinations(("A_LS", "B_LS", "LS_T"), 2):
        assert not np.any((flow(run, one) != 0.0) & (flow(run, other) != 0.0))


# --- two positions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("overlap", [0.0, 0.2, -0.4])
@pytest.mark.parametrize(
    ("kind", "settings", "ends"),
    [
        ("valve_4_2", {}, {"PA": 1, "BT": 1, "PB": 0, "AT": 0}),
        ("valve_3_2", {}, {"PA": 1, "AT": 0}),
        ("valve_3_2", {"normally": "open"}, {"PA": 0, "AT": 1}),
    ],
    ids=["4/2", "3/2", "3/2 open"],
)
def test_two_positions(kind, settings, ends, overlap):
    ports = {port: PORTS[port] for port in sorted(set("".join(ends)))}
    y, run = stroke(kind, (0.0, 1.0), ports, overlap=overlap, leak=0.0, **settings)

    for edge, end in ends.items():
        near = y if end else 1.0 - y  # how far it is towards the end at which the edge is open
        opening = smooth(((0.5 + 0.5 * overlap, 0.0), (1.0, 1.0)), near)
        assert flow(run, edge) == pytest.approx(passed(edge, opening), rel=1e-9, abs=1e-15)
    assert dissipates(run)


@pytest.mark.parametrize("normally", ["closed", "open"])
def test_two_two(normally):
    ports = {"P": 150e5, "A": 90e5}
    y, run = stroke("valve_2_2", (0.0, 1.0), ports, normally=normally, overlap=0.1, leak=1e-3)

    opening = line(y, 0.1, 1e-3) if normally == "closed" else smooth(((0.0, 1.0), (0.9, 1e-3)), y)
    assert flow(run) == pytest.approx(root(FLOW, 60e5, opening), rel=1e-9)


def test_on_off_valve_switches_with_its_lag():
    """y = 1 − exp(−t/τ): 95 % after three time constants, as the card says. RK4 at h/τ = 0.01: 1e-9."""
    machine = on_sources("valve_2_2", {"P": 150e5, "A": 90e5}, flow=FLOW, time_constant="10 ms")
    run = kb.simulate(
        machine, 0.1, step=1e-4, record=1e-3, coupling="explicit", inputs={"it": kb.steps({0.0: 1.0, 0.06: 0.0})}
    )

    t = run.time
    on = 1.0 - np.exp(-np.minimum(t, 0.06) / 0.01)
    exact = np.where(t < 0.06, on, on * np.exp(-np.maximum(t - 0.06, 0.0) / 0.01))
    assert run["it.spool"].values == pytest.approx(exact, abs=1e-9)
    assert run["it.spool"].at(0.03) == pytest.approx(0.95, abs=1e-3)


@pytest.mark.parametrize("damping", [0.4, 1.0])
def test_second_order_spool(damping):
    """Step response of a mass on a spring; RK4 at ω h = 0.03: 1e-6."""
    omega = 2.0 * math.pi * 50.0
    machine = on_sources("valve_4_2", PORTS, flow=FLOW, frequency="50 Hz", damping=damping)
    run = kb.simulate(machine, 0.05, step=1e-4, record=1e-3, coupling="explicit", inputs={"it": 0.8})

    t = run.time
    if damping < 1.0:
        free = omega * math.sqrt(1.0 - damping**2)
        swing = np.cos(free * t) + damping / math.sqrt(1.0 - damping**2) * np.sin(free * t)
    else:
        swing = 1.0 + omega * t
    assert run["it.spool"].values == pytest.approx(0.8 * (1.0 - np.exp(-damping * omega * t) * swing), abs=1e-6)


# --- open centre ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [0.0, 0.3, 0.6, -0.6])
def test_open_centre_shares_the_pump_by_load(command):
    """Pump into P and C: the through path takes what it passes at the pump's pressure, the load gets the rest once
    that is above its own; check and edge in series."""
    q, load, drop = 40e-3 / 60.0, 60e5, 0.5e5
    check, tank_at = (60e-3 / 60.0, 3e5), 1e5
    machine = kb.Machine("open centre")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank", tank_at), oil.volume("line", "500 cm3", "20 bar")
    consumers = {port: oil.pressure(f"at_{port}", load) for port in "AB"}
    oil.flow_source("pump", tank, line, q)
    oil.valve_6_3(
        "it", line, tank, **consumers, C=line, D=tank, **QUICK, leak=0.0, closes=0.8, check_flow=check,
        cracking="0 bar", full=drop, pressure=load, transition=100.0,
    )  # fmt: skip
    run = kb.simulate(machine, 1.0, step=1e-3, record=1e-2, coupling="unified", inputs={"it": command})
    fed = "PA" if command > 0 else "PB"

    through = smooth(((0.0, 1.0), (0.8, 0.0)), abs(command))
    edge = line_opening = abs(command)

    def to_load(p):
        if p <= load or line_opening == 0.0:
            return 0.0
        net = lambda c: root(check, p - c, share((p - c) / drop)) - root(FLOW, c - load, edge)  # noqa: E731
        return root(FLOW, brentq(net, load, p, xtol=1e-9) - load, edge)

    p = brentq(lambda p: root(FLOW, p - tank_at, through) + to_load(p) - q, tank_at, 500e5, xtol=1e-4)
    assert run["line.pressure"].values[-1] == pytest.approx(p, rel=1e-5)
    assert run["it.CD.flow"].values[-1] == pytest.approx(root(FLOW, p - tank_at, through), rel=1e-5)
    assert run[f"it.{fed}.flow"].values[-1] == pytest.approx(to_load(p), rel=1e-4, abs=1e-9)
    assert run["it.check.flow"].values[-1] >= 0.0


def test_load_check_keeps_the_load():
    """At a stroke where the pump's pressure is below the load's, nothing flows back out of the load."""
    ports = {**PORTS, "P": 40e5, "C": 40e5, "D": 5e5}
    machine = on_sources("valve_6_3", ports, **QUICK, leak=0.0, volume="50 cm3", pressure="40 bar")
    run = kb.simulate(machine, 0.3, step=1e-3, record=1e-2, coupling="unified", inputs={"it": 0.5})

    assert np.all(run["it.check.flow"].values >= 0.0)
    assert run["it.PA.flow"].values[-1] == pytest.approx(0.0, abs=1e-12)
    assert run["it.inner.pressure"].values[-1] == pytest.approx(PORTS["A"], rel=1e-6)
