# SPDX-License-Identifier: BSD-3-Clause
"""Engines of the catalogue's machines as their designer checks them by hand, and an engine that is too small.

    balance   J·ω̇ = T − Σ T_pump at one instant, T_pump = D·x·Δp·(1 + C) + c·ω after Wilson, from recorded pressures,
              settings, speed and acceleration: 0.1 N·m (dry friction is rounded over a thousandth of its rated torque);
              accelerations add up to the change of speed
    droop     away from its corners T = T_r·(n_set − n)/(droop·n_r) to rounding
    cycle     speed between full load on the droop line and no load; torque within the full-load curve
    the class power and torque rise of diesels of such machines; speeds of the pumps as rated, 2 %
    stall     closed form of where the speed ends: nothing turns, nothing diverges

Ladder: closed form. Runs are `realtime` at 1 ms.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.machines import held
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue.engines import CURVE, DROOP, IDLE, STALL
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts import Payload

RPM = math.pi / 30.0
# power, W; rated speed and speed without load, rpm; inertia, kg·m²; speed of the pumps as rated, rpm
CLASS = {
    "excavator": (120e3, 1900.0, 1990.0, 2.2, 1900.0), "mobile-crane": (92e3, 1900.0, 1950.0, 1.6, 1900.0),
    "mine-loader": (200e3, 2000.0, 2060.0, 3.0, 2000.0), "forwarder-crane": (125e3, 2000.0, 1650.0, 1.8, 1600.0),
}  # fmt: skip
# displacement, m³/rev; rated pressure, Pa; mechanical efficiency; ports
PUMPS = {
    "excavator": {"pump": (220e-6, 343e5, 0.95, "tank", "supply")},
    "mobile-crane": {
        "pump": (100e-6, 260e5, 0.93, "tank", "supply"), "slew_pump": (28e-6, 140e5, 0.90, "slew_tank", "slew_supply"),
    },
    "mine-loader": {
        "bucket_pump": (150e-6, 240e5, 0.93, "tank", "bucket_supply"),
        "steering_pump": (40e-6, 240e5, 0.93, "tank", "steering_supply"),
    },
    "forwarder-crane": {"pump": (100e-6, 235e5, 0.93, "tank", "supply")},
}  # fmt: skip
MACHINES = list(CLASS)


@pytest.fixture(scope="module")
def runs():
    kept = {}

    def run(name):
        if name not in kept:
            case = NAMES[name]()
            kept[name] = kb.simulate(
                case.machine, case.duration, step=1e-3, record=1e-3, inputs=case.inputs, **case.method
            )  # fmt: skip
        return kept[name]

    return run


def pump_torque(run, name, pump, k):
    """Torque of a pump at a line of the record, by hand, N·m."""
    per_turn, rated, efficiency, low, high = PUMPS[name][pump]
    size, lost = per_turn / (2.0 * math.pi), 1.0 / efficiency - 1.0
    drop = run[f"{high}.pressure"].values[k] - run[f"{low}.pressure"].values[k]
    oil = size * run[f"{pump}.swash"].values[k] * drop
    viscous = 0.5 * size * rated * lost / (CLASS[name][4] * RPM)
    return oil * (1.0 + 0.5 * lost) + viscous * run["engine_shaft.speed"].values[k]


def torque_of(run):
    return run["engine.torque"].values


@pytest.mark.parametrize("name", MACHINES)
def test_engine_is_one_of_the_class(name):
    power, rated, wanted, inertia, _ = CLASS[name]
    machine = NAMES[name]().machine
    engine, shaft = machine.part("engine"), machine.part("engine_shaft")
    assert engine.full_load(engine.rated_speed) * engine.rated_speed == pytest.approx(power, rel=1e-12)
    assert (engine.rated_speed / RPM, engine.setting / RPM) == pytest.approx((rated, wanted), rel=1e-12)
    assert shaft.inertia == inertia and engine.droop == DROOP and 0.03 <= DROOP <= 0.08
    # torque rise 25 % at 70 % of rated speed, idle from 700 to 1000 rpm
    assert max(of for _, of in CURVE) == 1.25
    assert 700.0 < IDLE * rated < 1000.0 and STALL < IDLE
    assert all(pump.shaft == "engine_shaft" and pump.speed is None for pump in machine.of(Pumping))


@pytest.mark.parametrize("name", MACHINES)
def test_cycle_stays_within_droop_and_full_load(name, runs):
    run, (_, rated, wanted, _, pumps) = runs(name), CLASS[name]
    engine = NAMES[name]().machine.part("engine")
    speed, torque = run["engine_shaft.speed"].values, torque_of(run)
    assert wanted - DROOP * rated < speed.min() / RPM < speed.max() / RPM < wanted
    assert (torque < [engine.full_load(one) for one in speed]).all()
    assert torque.min() > -engine.drag
    # under its largest load the pumps have their rated speed
    assert speed.min() / RPM == pytest.approx(pumps, rel=0.02)


@pytest.mark.parametrize("name", MACHINES)
def test_torque_is_that_of_the_droop_line(name, runs):
    run, (power, rated, wanted, _, _) = runs(name), CLASS[name]
    gain = power / (rated * RPM) / (DROOP * rated * RPM)
    line = gain * (wanted * RPM - run["engine_shaft.speed"].values)
    away = (line > 0.0) & (line < 0.8 * power / (rated * RPM))
    assert away.mean() > 0.9
    assert torque_of(run)[away] == pytest.approx(line[away], rel=1e-9)


@pytest.mark.parametrize("name", MACHINES)
def test_power_at_one_instant_by_hand(name, runs):
    """Where the pumps take most: what the engine gives is what they take and what the flywheel gains."""
    run, inertia = runs(name), CLASS[name][3]
    speed, torque = run["engine_shaft.speed"].values, torque_of(run)
    faster = run["engine_shaft.acceleration"].values
    taken = sum(run[f"{pump}.shaft_power"].values for pump in PUMPS[name])
    for k in (int(taken.argmax()), len(taken) // 3, len(taken) - 2):
        pumps = sum(pump_torque(run, name, pump, k) for pump in PUMPS[name])
        assert torque[k] == pytest.approx(pumps + inertia * faster[k], abs=0.1)
        power = pumps * speed[k] + inertia * speed[k] * faster[k]
        assert torque[k] * speed[k] == pytest.approx(power, abs=0.1 * speed[k])
        assert taken[k] == pytest.approx(pumps * speed[k], rel=1e-3)
    assert np.trapezoid(faster, run.time) == pytest.approx(speed[-1] - speed[0], abs=1e-3 * speed[0])


@pytest.mark.parametrize("name", MACHINES)
def test_energy_begins_at_the_engine(name, runs):
    """∫ T·ω dt of the record is what the audit says that it supplied. Nothing else supplies a thousandth of it,
    but for loads, which take their height along where they are dumped.
    """
    run, audit = runs(name), runs(name).energy()
    work = np.trapezoid(torque_of(run) * run["engine_shaft.speed"].values, run.time)
    known = {"engine", *(load.name for load in NAMES[name]().machine.of(Payload))}
    assert audit.supplied["engine"] == pytest.approx(work, rel=1e-4)
    assert sum(abs(one) for source, one in audit.supplied.items() if source not in known) < 1e-3 * work
    assert abs(audit.relative_residual) < 2e-4


# --- lug-down and stall -----------------------------------------------------------------------------------------------


def against_relief(name, *, share=1.0, limited=True):
    """The machine with an engine of a share of its power, its pump with or without limiter, a hook; and its case.

    It is held by the ground: on its tracks it would tip before the pump is at its cut-off.
    """
    case = NAMES[name]()
    m = held(case.machine)
    m.force("hook", m["bucket_shell"].at(0.70, 0.0, 0.30), "-z")
    engine = m.part("engine")
    given = {key: getattr(engine, key) for key in engine.model_fields_set}
    m.put(type(engine)(**given | {"torque": tuple((n, share * t) for n, t in engine.torque)}))
    if not limited:
        for pump in m.of(Pumping):
            kept = {key: getattr(pump, key) for key in pump.model_fields_set if key != "torque_limit"}
            m.put(type(pump)(**kept))
    return case.of(m)


LIFTING = {"boom": kb.ramps({0.1: 0.0, 0.6: 1.0}), "hook": kb.ramps({0.0: 0.0, 0.5: 44.4e3})}
"""The excavator lifts 44.4 kN on its bucket at full lever up to its pump's cut-off: at most twice its engine's
torque."""


def lifting(seconds, **words):
    case = against_relief("excavator", **words)
    return kb.simulate(case.machine, seconds, step=1e-3, record=1e-2, inputs=LIFTING, **case.method)


def test_limiter_keeps_the_excavator_within_its_engine():
    """Oil's torque within 5 % of the limiter's 540 N·m, by which the swash lags; full load is just not reached."""
    run, engine = lifting(3.0), NAMES["excavator"]().machine.part("engine")
    assert run["supply.pressure"].values.max() > 340e5
    drop = run["supply.pressure"].values - run["tank.pressure"].values
    oil = 220e-6 / (2.0 * math.pi) * run["pump.swash"].values * drop
    assert 0.95 * 540.0 < oil.max() < 1.05 * 540.0
    speed = run["engine_shaft.speed"].values
    assert 1890.0 < speed.min() / RPM < 1900.0
    assert 0.95 < max(torque_of(run) / [engine.full_load(one) for one in speed]) < 1.0


def test_without_limiter_it_is_lugged_down_and_recovers():
    """Below the droop line the engine is on its full-load curve, whose torque rise carries the load at 1560 rpm."""
    run, engine = lifting(3.0, limited=False), NAMES["excavator"]().machine.part("engine")
    speed, torque = run["engine_shaft.speed"].values, torque_of(run)
    assert 1500.0 < speed.min() / RPM < 1650.0
    lugged = speed / RPM < 1850.0
    # the curve is smooth through its points, by hand it is straight between them: 2 %
    assert torque[lugged] == pytest.approx([engine.full_load(one) for one in speed[lugged]], rel=0.02)
    assert speed[-1] / RPM > 1960.0


def test_an_engine_that_is_too_small_stalls_and_nothing_diverges():
    """Half an engine, no limiter: lugged down to where it gives nothing, driven back by the oil, until that is gone."""
    run = lifting(5.0, share=0.5, limited=False)
    speed, torque = run["engine_shaft.speed"].values, torque_of(run)
    assert run.status == "done"
    assert all(np.isfinite(one.values).all() for one in run.find("*.pressure"))
    fallen = int(np.argmax(speed < STALL * 1900.0 * RPM))
    assert speed[0] / RPM > 1900.0 and 1.0 < run.time[fallen] < 1.5
    # from then on it only drags, and at last nothing turns
    assert (torque[fallen + 1 :] * speed[fallen + 1 :]).max() < 1.0
    assert np.abs(speed[run.time > 4.5]).max() / RPM < 10.0
    assert abs(run.energy().relative_residual) < 2e-4
