# SPDX-License-Identifier: BSD-3-Clause
"""Circuits that are far stiffer than a step of 1 ms: `unified` and `realtime` neither chatter nor tear the oil.

    1 cm³ between two valves       settles in 5 µs (open valves) to 0.1 ms, while spools of 10 ms move on both sides
    a closed valve                 stops a load of 1 t on a cylinder: 185 bar of ringing at 25 Hz
    a check valve                  opens and closes against a pump whose flow goes to zero 20 times a second
    a piston pump                  sucks and presses through check valves, its chamber is torn half of the time
    a flow control                 has 5 cm³ in it, in which its compensator opens over 1 bar: 1 µs
    a pump on 20 cm³               has its flow stepped, and a valve shut on it up to the relief valve
    a chamber of 1 cm³             is what is left where a piston of 200 kg meets its stop, at 3 cm/s and at 27 cm/s
    oil with air                   is torn down to its vapour pressure, then closes up at 0.8 m/s: 270 bar

Rank: second formulation in our own code, RK4 with steps that are a fraction of the shortest time (it has no tangent and
no Newton iteration to be wrong), within 100 Pa of steps twice as long, but where a case says more; for the small volume
also the closed form of its quasi-steady pressure.

Chatter is a pressure whose second difference changes sign at three steps in a row, by the smaller of the last two, over
four: what engine/ringing.py listens for. It stays below 2 % of the largest pressure; the reference itself, looked at
every 1 ms, has up to 0.4 %. Errors are given in parts of the largest pressure. `rms` is below 2 %. The largest error is
where something happens faster than a step: in the small volume where a closed valve opens and 150 bar fall within two
steps, and at the impact on the stop, which is over after two. Where a pressure rings (closed valve, air) it is that of
the period, (ω h)²/12 = 0.2 % of ω t = 47 rad of the trapezoidal rule.

In seven cases slopes of steps are wrong, and `realtime` integrates their oil once more or makes them in halves
(docs/decisions/corrected_steps.md). Before, it lagged by 15 ms in the flow control and was 48 bar off, 28 bar in the
stepped pump, 665 bar in the piston pump, which gains 500 bar within four steps; now 0.02, 1.2 and 15 bar. At the fast
impact, over in half a step, it errs by 27 % of the largest pressure for a step, `unified` by 40 %, and both say that
their energy does not add up, while the reference itself bounces (10 % of what we call chatter). Two cases
became worse: oil that closes up, 0.30 to 0.72 bar of 274, and the slow impact: there the pressure falls from 67 to 2
bar within two steps, in which `realtime` is 17.4 and 13 bar off (before 14.1 and 1.5; rms 0.92 and 0.88 bar), since its
oil is integrated with the mean speed of a piston that loses a third of it within the step.
"""

import math
from typing import NamedTuple

import numpy as np
import pytest

import knuckleboom as kb

AMBIENT = 101325.0
STEP = 1e-3
CHATTER, RMS = 0.02, 0.02
PUMP, TANK = 200e5, 1e5


class Stiff(NamedTuple):
    """A machine, its run, the reference's step, pressures to compare, and bounds: of their largest error, of its root
    mean square and of chatter; which couplings say that their energy does not add up, how close the reference is to one
    of twice its step, Pa, and the bound of the largest error of `realtime`, Pa, where it has one of its own.
    """

    machine: kb.Machine
    inputs: dict
    duration: float
    fine: float
    pressures: tuple
    bound: float
    rms: float = RMS
    chatter: float = CHATTER
    told: tuple = ()
    converged: float = 100.0
    realtime: float = math.inf


def small_volume():
    m = kb.Machine("small-volume")
    oil = m.oil(kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", PUMP), oil.tank("tank", TANK)
    middle = oil.junction("middle", "1 cm3", "50 bar")
    for name, a, b in (("upper", pump, middle), ("lower", middle, tank)):
        oil.valve_2_2(name, P=a, A=b, flow=("10 l/min", "10 bar"), time_constant="10 ms")
    inputs = {"upper": {0: 0.8, 0.05: 1.0, 0.1: 0.0, 0.15: 0.7}, "lower": {0: 0.8, 0.03: 1.0, 0.08: 0.0, 0.12: 0.8}}
    return Stiff(m, inputs, 0.2, 2e-6, ("middle",), 0.15)


def closed_valve():
    m = kb.Machine("closed-valve")
    load = m.body("load", mass=1000.0, inertia=(1, 1, 1))
    m.prismatic("guide", m.ground, load, axis="z", start=1.0)
    oil = m.oil(kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", PUMP), oil.tank("tank", TANK)
    holding = AMBIENT + 1000.0 * 9.80665 / (0.25 * math.pi * 0.063**2)
    lift = oil.cylinder(
        "lift", m.ground, load, bore="63 mm", rod="36 mm", stroke="0.5 m", dead_a="20 cm3", dead_b="20 cm3",
        viscous=3000.0, pressure_a=holding, pressure_b=AMBIENT,
    )  # fmt: skip
    m.valve_4_3(
        "valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("40 l/min", "10 bar"), leak=0.0, overlap=0.05,
        time_constant="2 ms",
    )  # fmt: skip
    return Stiff(m, {"valve": {0: 0.0, 0.1: -0.3, 0.4: 0.0}}, 0.7, 2e-5, ("lift.a", "lift.b"), 0.05)


def pulsating_pump():
    m = kb.Machine("pulsating-pump")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank", TANK), oil.volume("line", "0.5 l", "100 bar")
    inlet = oil.junction("inlet", "50 cm3", "100 bar")
    # without damping the flow goes on as Q·(1 − cos ω t)
    oil.flow_source("pump", tank, inlet, 0.0, frequency="20 Hz", damping=0.0)
    oil.laminar_restrictor("leak", inlet, tank, conductance=5e-12)
    oil.check_valve("check", inlet, line, flow=("60 l/min", "3 bar"))
    oil.restrictor("load", line, tank, flow=("20 l/min", "100 bar"))
    return Stiff(m, {"pump": "20 l/min"}, 0.3, 4e-6, ("inlet", "line"), 0.05)


def piston_pump():
    m = kb.Machine("piston-pump")
    block = m.body("block", mass=2.0, inertia=(1, 1, 1))
    m.prismatic("slide", m.ground, block, axis="x", start=0.3)
    m.driver("crank", joint="slide", amplitude=0.02, frequency=10.0)
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank", TANK), oil.volume("line", "0.5 l", "100 bar")
    ram = oil.single_acting_cylinder(
        "ram", m.ground, block, bore="40 mm", stroke="50 mm", closed="0.275 m", dead_a="10 cm3", pressure_a="1 bar"
    )  # fmt: skip
    oil.check_valve("suction", tank, ram.a, flow=("60 l/min", "3 bar"))
    oil.check_valve("outlet", ram.a, line, flow=("60 l/min", "3 bar"))
    oil.restrictor("load", line, tank, flow=("15 l/min", "100 bar"))
    return Stiff(m, {}, 0.3, 4e-6, ("ram.a", "line"), 0.02, converged=1.5e5, realtime=20e5)


def flow_control():
    m = kb.Machine("flow-control")
    oil = m.oil(kb.fluids.mineral_oil())
    pump, tank, out = oil.pressure("pump", PUMP), oil.tank("tank", TANK), oil.volume("out", "0.2 l", "20 bar")
    oil.flow_control("control", pump, out, value="20 l/min", volume="5 cm3", pressure="28 bar")
    oil.restrictor("load", out, tank, flow=("20 l/min", "100 bar"))
    return Stiff(m, {}, 0.1, 1e-7, ("out", "control.inner"), 0.02, realtime=0.1e5)


def stepped_pump():
    m = kb.Machine("stepped-pump")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank", TANK), oil.junction("line", "20 cm3", "50 bar")
    oil.flow_source("pump", tank, line, 0.0)
    oil.relief_valve("relief", line, tank, flow=("40 l/min", "230 bar"), setting="210 bar", override="20 bar")
    oil.valve_2_2("valve", P=line, A=tank, flow=("20 l/min", "10 bar"), time_constant="5 ms")
    inputs = {"pump": {0: "5 l/min", 0.05: "20 l/min", 0.1: "10 l/min"}, "valve": {0: 0.5, 0.07: 0.0, 0.12: 0.3}}
    return Stiff(m, inputs, 0.2, 2e-6, ("line",), 0.15, realtime=2e5)


def fast_at_the_stop():
    case = at_the_stop(drain="20 l/min", name="fast-at-the-stop")
    told = ("unified", "realtime")
    return case._replace(bound=0.45, rms=0.04, chatter=0.1, told=told, converged=400.0, realtime=20e5)


def at_the_stop(drain="2 l/min", name="at-the-stop"):
    m = kb.Machine(name)
    block = m.body("block", mass=200.0, inertia=(1, 1, 1))
    m.prismatic("slide", m.ground, block, axis="x", start=0.51)
    oil = m.oil(kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", 0.5 * PUMP), oil.tank("tank", TANK)
    ram = oil.cylinder(
        "ram", m.ground, block, bore="63 mm", rod="36 mm", stroke="0.3 m", closed="0.5 m", dead_a="1 cm3",
        dead_b="20 cm3", stop_stiffness=1e9, pressure_a="1 bar", pressure_b="1 bar",
    )  # fmt: skip
    oil.restrictor("feed", pump, ram.b, flow=("40 l/min", "10 bar"))
    oil.restrictor("drain", ram.a, tank, flow=(drain, "10 bar"))
    return Stiff(m, {}, 0.6, 2e-6, ("ram.a", "ram.b"), 0.2, realtime=17.5e5)


def torn_oil():
    m = kb.Machine("torn-oil", gravity=(0, 0, 0))
    block = m.body("block", mass=200.0, inertia=(1, 1, 1))
    m.prismatic("slide", m.ground, block, axis="x", start=1.0)
    m.force("pull", block, direction="x", value=0.0)
    oil = m.oil(kb.fluids.with_air(kb.fluids.mineral_oil(vapour=2e3), 0.01))
    tank = oil.tank("tank", TANK)
    ram = oil.cylinder(
        "ram", m.ground, block, bore="50 mm", rod=0.0, stroke="0.5 m", pressure_a="1 bar", pressure_b="1 bar"
    )  # fmt: skip
    oil.restrictor("drain", ram.b, tank, flow=("50 l/min", "5 bar"))
    return Stiff(m, {"pull": {0: 3000.0, 0.08: -3000.0}}, 0.3, 2e-5, ("ram.a", "ram.b"), 0.02)


MAKES = (
    small_volume, closed_valve, pulsating_pump, piston_pump, flow_control, stepped_pump, at_the_stop,
    fast_at_the_stop, torn_oil,
)  # fmt: skip
CASES = {make.__name__: make for make in MAKES}


def simulated(case, step, coupling):
    words = {"record": STEP, "inputs": case.inputs, "coupling": coupling}
    return kb.simulate(case.machine, case.duration, step=step, **words)


@pytest.fixture(scope="module", params=CASES)
def stiff(request):
    """A case and its reference."""
    case = CASES[request.param]()
    return case, simulated(case, case.fine, "explicit")


def pressure(run, port):
    return run[f"{port}.pressure"].values


def chatter(values):
    """Largest pressure that changes sides at every step, Pa."""
    bend = np.diff(values, 2)
    turns = (bend[:-2] * bend[1:-1] < 0.0) & (bend[1:-1] * bend[2:] < 0.0)
    return float(np.max(0.25 * turns * np.minimum(np.abs(bend[1:-1]), np.abs(bend[2:])), initial=0.0))


@pytest.mark.slow
def test_the_reference_is_converged(stiff):
    case, fine = stiff
    coarser = simulated(case, 2.0 * case.fine, "explicit")
    for port in case.pressures:
        assert np.abs(pressure(coarser, port) - pressure(fine, port)).max() < case.converged


@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_steps_of_1_ms(stiff, coupling):
    case, fine = stiff
    run = simulated(case, STEP, coupling)

    assert run.status == "done"
    for port in case.pressures:
        assert pressure(run, port).min() > 0.0
    if coupling in case.told:
        assert "energy does not add up" in " ".join(run.warnings)
    else:
        assert [text for text in run.warnings if "cavitated" not in text] == []
    for port in case.pressures:
        values, exact = pressure(run, port), pressure(fine, port)
        assert chatter(values) < case.chatter * exact.max()
        error = np.abs(values - exact)
        own = coupling == "realtime" and math.isfinite(case.realtime)
        assert error.max() < (case.realtime if own else case.bound * exact.max())
        assert math.sqrt(np.mean(error**2)) < case.rms * exact.max()


def test_it_really_was_torn():
    """The oil with air came within a few kPa of its vapour pressure of 2 kPa, and not below it."""
    case = torn_oil()
    for coupling in ("unified", "realtime"):
        lowest = pressure(simulated(case, STEP, coupling), "ram.a").min()
        assert 2e3 < lowest < 6e3


def test_small_volume_is_a_divider():
    """p = (o₁² P + o₂² T)/(o₁² + o₂²), o the openings of both valves; what lags is the few µs of the volume."""
    case = small_volume()
    fine = simulated(case, case.fine, "explicit")

    def opening(name):
        spool = fine[f"{name}.spool"].values
        return 0.5 * (spool + np.hypot(spool, 2.0 * 1e-4))  # a straight line that leaks by 1e-4 at its corner

    upper, lower = opening("upper") ** 2, opening("lower") ** 2
    divided = (upper * PUMP + lower * TANK) / (upper + lower)
    # while both are open by more than a third: nearly closed, the volume takes 0.1 ms, and 70 bar per ms are passed
    follows = (np.minimum(upper, lower) > 0.1) & (fine.time > 2e-3)
    assert follows.sum() > 50
    assert pressure(fine, "middle")[follows] == pytest.approx(divided[follows], rel=1e-2)
