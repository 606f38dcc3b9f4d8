# SPDX-License-Identifier: BSD-3-Clause
"""Engine: droop line, full-load curve, overrun and stall, alone and with a pump on its shaft, and the energy from the
shaft to a cylinder.

Rank: closed form. On the droop line the speed follows J·ω̇ = g·(n_set − ω) − T, an exponential: RK4 errs by 1e-9,
implicit steps of order 2 by 1e-5. Where it comes to rest is algebraic: on the droop line exactly, on the full-load
curve at one of its given points. Settling leaves 1e-6.
"""

import numpy as np
import pytest

import knuckleboom as kb

TURN = 2.0 * np.pi
RPM = TURN / 60.0
INERTIA, DROOP, RATED = 1.5, 0.06, 2000.0 * RPM
CURVE = [["800 rpm", 450.0], ["1200 rpm", 620.0], ["1500 rpm", 600.0], ["2000 rpm", 500.0], ["2300 rpm", 380.0]]
ENGINE = {"torque": CURVE, "rated_speed": "2000 rpm", "idle": "800 rpm", "stall": "500 rpm", "droop": DROOP}
GAIN = 500.0 / (DROOP * RATED)
D, TANK = 100e-6 / TURN, 1e5
COUPLINGS = {"explicit": 1e-8, "unified": 2e-5, "realtime": 2e-5}
every_coupling = pytest.mark.parametrize("coupling", COUPLINGS)
every_coordinates = pytest.mark.parametrize("coordinates", ["relative", "reference-point", "natural"])


def powered(speed, setting="1800 rpm", **words):
    m = kb.Machine("powered")
    m.shaft("crank", INERTIA, speed=speed)
    m.engine_droop("engine", "crank", setting=setting, **ENGINE, **words)
    return m


def loaded(torque, speed, setting="1800 rpm", **words):
    """An engine with a pump that takes a torque, from a tank to a pressure."""
    m = powered(speed, setting, **words)
    oil = m.oil(kb.fluids.mineral_oil())
    oil.pump("pump", oil.tank("tank", TANK), oil.pressure("line", TANK + torque / D), displacement=D, shaft="crank")
    return m


@every_coordinates
@every_coupling
def test_droop_line(coupling, coordinates):
    """From near the speed without load to n_set − T·droop·n_r/T_r, exponentially."""
    torque, setting = 350.0, 1800.0 * RPM
    first = setting - 20.0 / GAIN  # without load its characteristic is rounded
    m = loaded(torque, first)
    run = kb.simulate(m, 0.5, step=1e-3, record=1e-2, coupling=coupling, coordinates=coordinates)

    settled = setting - torque * DROOP * RATED / 500.0
    speed = settled + (first - settled) * np.exp(-GAIN / INERTIA * run.time)
    assert run["crank.speed"].values == pytest.approx(speed, rel=COUPLINGS[coupling])
    assert run["engine.torque"].values == pytest.approx(GAIN * (setting - run["crank.speed"].values), abs=1e-6)
    assert run["engine.torque"].values[-1] == pytest.approx(torque, rel=1e-3)
    assert run["pump.torque"].values == pytest.approx(torque, rel=1e-12)
    audit = run.energy()
    given = np.trapezoid(run["engine.torque"].values * speed, run.time)
    assert audit.supplied["engine"] == pytest.approx(given, rel=1e-3)
    assert abs(audit.residual) < {"explicit": 1e-9}.get(coupling, 1e-4) * audit.supplied["engine"]


@pytest.mark.parametrize("setting", ["1000 rpm", "2300 rpm"])
def test_without_load_it_turns_as_set(setting):
    run = kb.simulate(powered("1500 rpm", setting, drag=60.0), 10.0, step=1e-3, record=1.0)
    assert run["crank.speed"].values[-1] == pytest.approx(float(setting.split()[0]) * RPM, rel=1e-6)


def test_setting_is_kept_between_idle_and_the_end_of_the_curve():
    for given, speed in ((0.0, 800.0), (1e3, 2300.0)):
        run = kb.simulate(powered("1500 rpm", drag=60.0), 10.0, step=1e-3, record=1.0, inputs={"engine": given})
        assert run["crank.speed"].values[-1] == pytest.approx(speed * RPM, rel=1e-6)


@every_coupling
def test_lugged_down_it_settles_where_the_curve_gives_the_torque(coupling):
    """600 N·m are beyond the droop line and stand on the falling side of the curve, at its point 1500 rpm."""
    run = kb.simulate(loaded(600.0, 1800.0 * RPM), 40.0, step=2e-3, record=1.0, coupling=coupling)
    assert run["crank.speed"].values[-1] == pytest.approx(1500.0 * RPM, rel=1e-6)
    assert run["engine.torque"].values[-1] == pytest.approx(600.0, rel=1e-6)
    assert run.energy().dissipated["engine"] == pytest.approx(0.0, abs=1e-9)


def test_overrun():
    """A shaft that is turned beyond its setting is braked by the drag, as far as the droop line lets: what it brakes is
    heat.
    """
    drag, speed = 80.0, 2200.0 * RPM
    m = powered(speed, "1500 rpm", drag=drag)
    run = kb.simulate(m, 0.2, step=1e-3, record=1e-2, coupling="explicit")
    # n is far above idle/10: tanh is 1 to rounding
    assert run["engine.torque"].values == pytest.approx(-drag, rel=1e-9)
    assert run["crank.speed"].values == pytest.approx(speed - drag / INERTIA * run.time, rel=1e-9)
    audit = run.energy()
    lost = 0.5 * INERTIA * (speed**2 - run["crank.speed"].values[-1] ** 2)
    assert audit.dissipated["engine"] == pytest.approx(lost, rel=1e-9)
    assert audit.supplied["engine"] == 0.0


@every_coupling
def test_turned_backwards_it_only_drags(coupling):
    """The drag of a stalled engine that turns the wrong way brings it to rest: all of ½·J·ω² is heat.

    J·ω̇ = −T_d·tanh(ω/n_d) has the solution sinh(ω/n_d) = sinh(ω₀/n_d)·exp(−T_d·t/(J·n_d)).
    """
    drag, speed, slow = 80.0, -50.0, 80.0 * RPM
    run = kb.simulate(powered(speed, "1500 rpm", drag=drag), 5.0, step=1e-3, record=1e-2, coupling=coupling)
    known = slow * np.arcsinh(np.sinh(speed / slow) * np.exp(-drag / (INERTIA * slow) * run.time))
    assert run["crank.speed"].values == pytest.approx(known, abs=COUPLINGS[coupling] * abs(speed))
    assert abs(known[-1]) < 1e-6
    audit = run.energy()
    assert audit.supplied["engine"] == 0.0
    assert audit.dissipated["engine"] == pytest.approx(0.5 * INERTIA * speed**2, rel=COUPLINGS[coupling])


@every_coupling
def test_stall(coupling):
    """A bearing that takes more than the engine has at any speed stops it: below the stall speed there is only drag,
    J·ω̇ = −c·ω − T_d·tanh(ω/n_d). With the load gone it stays where it is.
    """
    damping = 10.0  # 750 N·m at 716 rpm, where the engine has less; 838 at 800 rpm
    m = powered("1000 rpm", "1500 rpm")
    m.shaft_spring("brake", "crank", damping=damping)
    run = kb.simulate(m, 3.0, step=1e-3, record=1e-2, coupling=coupling)
    speed = run["crank.speed"].values
    below = speed < 500.0 * RPM
    assert below.any() and not below[0]
    assert np.abs(run["engine.torque"].values[below]).max() == 0.0
    first = int(np.argmax(below))
    later = run.time[first:] - run.time[first]
    assert speed[first:] == pytest.approx(speed[first] * np.exp(-damping / INERTIA * later), rel=1e-4)
    assert speed[-1] < 1e-3


def test_a_pump_stalls_an_engine_and_the_engine_stays_at_rest():
    """More than the largest torque: it is pulled down and, as the line has a pressure, turned back. Without pressure it
    does not start again.
    """
    m = loaded(700.0, 1500.0 * RPM, drag=50.0)
    pressure = kb.steps({"0 s": TANK + 700.0 / D, "1.5 s": TANK})
    run = kb.simulate(m, 40.0, step=2e-3, record=0.1, inputs={"line": pressure})
    speed = run["crank.speed"].values
    assert speed[0] > 0.0 and speed[np.argmin(np.abs(run.time - 1.5))] < 500.0 * RPM
    assert abs(speed[-1]) < 1.0 and abs(run["engine.torque"].values[-1]) < 50.0


@pytest.mark.parametrize("on_shaft", [False, True])
def test_torque_limiter_on_its_hyperbola(on_shaft):
    """x·D·Δp = T beyond the corner, the full setting before it, and 0.5 % less at it."""
    limit, corner = 200.0, 200.0 / D
    m = kb.Machine("limited")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank", TANK), oil.pressure("line", TANK)
    words = {"speed": "1500 rpm"}
    if on_shaft:
        m.shaft("crank", 1e4, speed="1500 rpm")
        words = {"shaft": "crank"}
    oil.pressure_compensated_pump("pump", tank, line, displacement=D, cutoff="400 bar", torque_limit=limit,
                                  time_constant="10 ms", **words)  # fmt: skip
    for share, setting in ((0.5, 1.0), (0.97, 1.0), (1.0, 0.995), (1.05, 1.0 / 1.05), (2.0, 0.5), (2.5, 0.4)):
        run = kb.simulate(m, 0.3, step=1e-3, record=0.1, inputs={"line": TANK + share * corner})
        assert run["pump.swash"].values[-1] == pytest.approx(setting, rel=1e-9)
        assert run["pump.torque"].values[-1] == pytest.approx(setting * share * limit, rel=1e-9)
        assert run["pump.torque"].values[-1] <= limit * (1.0 + 1e-9)


def lifting():
    """An engine, a pump with a torque limiter and losses, a valve and a cylinder that lifts a mass."""
    m = powered("1800 rpm", drag=60.0)
    m.body("load", mass="3 t", inertia=(500, 500, 500))
    m.prismatic("guide", m.ground, m["load"], axis="z", start=1.2)
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank"), oil.volume("line", "2 l", "50 bar")
    oil.pressure_compensated_pump(
        "pump", tank, line, displacement=D, shaft="crank", cutoff="250 bar", torque_limit=250.0, rated_speed="1500 rpm",
        volumetric_efficiency=0.94, mechanical_efficiency=0.91, rated_pressure="200 bar", friction_share=0.6,
    )  # fmt: skip
    oil.relief_valve("relief", line, tank, setting="270 bar", flow=("150 l/min", "300 bar"))
    ram = oil.cylinder("ram", m.ground, m["load"], bore="63 mm", rod="36 mm", stroke="1 m", pressure_a="95 bar",
                       closed="0.9 m", viscous=2e3)  # fmt: skip
    oil.valve_4_3("valve", P=line, T=tank, A=ram.a, B=ram.b, flow=("100 l/min", "10 bar"), time_constant="30 ms")
    return m


@pytest.mark.slow
@every_coordinates
def test_audit_from_shaft_to_cylinder(coordinates):
    """All that the engine gave is in the load, in the oil, in the shaft, or was lost by name: 1e-6 of the work."""
    command = kb.steps({"0 s": 0.0, "0.1 s": 0.8, "0.6 s": -0.5})
    run = kb.simulate(lifting(), 1.0, step=2e-5, record=1e-2, inputs={"valve": command}, coupling="explicit",
                      coordinates=coordinates)  # fmt: skip
    audit = run.energy()
    assert audit.supplied["engine"] > 1e4
    assert np.ptp(run["guide.travel"].values) > 0.05
    assert {"pump", "ram", "valve", "relief"} <= set(audit.dissipated)
    assert audit.dissipated["pump"] > 0.0
    assert abs(audit.residual) < 1e-6 * audit.work_done


@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_couplings_agree_from_shaft_to_cylinder(coupling):
    command = kb.steps({"0 s": 0.0, "0.1 s": 0.8, "0.6 s": -0.5})
    fine, coarse = (
        kb.simulate(lifting(), 0.5, step=step, record=2e-2, inputs={"valve": command}, coupling=one)
        for one, step in (("explicit", 2e-5), (coupling, 5e-4))
    )
    for path in ("crank.speed", "guide.travel", "engine.torque", "line.pressure"):
        known = fine[path].values
        assert coarse[path].values == pytest.approx(known, abs=0.01 * np.abs(known).max()), path


def test_linear_model_on_the_droop_line():
    """∂ω̇/∂ω = −g/J and ∂ω̇/∂n_set = g/J."""
    linear = kb.linearise(loaded(350.0, 1800.0 * RPM - 350.0 / GAIN), outputs=["crank.speed"])
    A, B = linear.A.sel(rate="crank.speed"), linear.B.sel(rate="crank.speed")
    assert float(A.sel(state="crank.speed")) == pytest.approx(-GAIN / INERTIA, rel=1e-6)
    assert float(A.sel(state="crank.angle")) == pytest.approx(0.0, abs=1e-6)
    assert float(B.sel(input="engine")) == pytest.approx(GAIN / INERTIA, rel=1e-6)


def test_equilibrium_of_an_engine_is_on_its_droop_line():
    """It turns on where droop line and load meet: n_set − T/g."""
    state = kb.equilibrium(loaded(350.0, 1800.0 * RPM))
    assert state["crank.speed"] == pytest.approx(1800.0 * RPM - 350.0 / GAIN, rel=1e-9)
    assert abs(state["crank.acceleration"]) < 1e-9
