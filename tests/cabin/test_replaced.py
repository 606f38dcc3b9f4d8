# SPDX-License-Identifier: BSD-3-Clause
"""Actuators that a program computes: replaced by their own recorded torque, force or speed, machines move as before.

A second formulation in our own code: the replaced machine has no motor and no cylinder, and gets as an input what they
did. Over a step it gets the mean of the values recorded at its ends, so the error is of second order: it falls to a
quarter at half the step, and is below 1e-4 of the way at 0.1 ms. A servo sags by its load over its gain besides: the
integral of the recorded force over the gain, to the same order. Also at a driven machine, over TCP: a torque J·α
turns an inertia by ½·α·t², a speed of 0.3 rad/s is read as such.
"""

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid

import knuckleboom as kb
from cabin.driving import ask, running, until
from cabin.test_external import door
from knuckleboom.cabin.facts import facts
from knuckleboom.cabin.runner import head_of
from knuckleboom.cabin.shared import Command, Mode
from knuckleboom.cabin.worker import Worker
from knuckleboom.machine import from_yaml, to_yaml
from knuckleboom.simulation.live import LiveRun


def slewing():
    """A turntable on a motor behind a valve."""
    m = kb.Machine("turntable")
    table = m.body("table", mass=800.0, inertia=(300.0, 300.0, 500.0))
    m.revolute("ring", m.ground, table, axis="z")
    oil = m.oil(kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", "150 bar"), oil.tank("tank")
    motor = m.motor("slew", "ring", "600 cm3/rev", oil, pressure_a="20 bar", pressure_b="20 bar", coulomb="30 N m",
                    viscous=20.0)  # fmt: skip
    oil.valve_4_3("valve", pump, tank, motor.a, motor.b, flow=("40 l/min", "35 bar"))
    return m


def lifting():
    """A boom on a cylinder behind a valve."""
    m = kb.Machine("lift")
    boom = m.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    m.revolute("foot", m.ground, boom, axis="y", start="-30 deg")
    oil = m.oil(kb.fluids.mineral_oil())
    lift = m.cylinder("lift", m.ground.at(0.87, 0, 0), boom.at(0.5, 0, 0), bore="60 mm", rod="30 mm", stroke="442 mm",
                      oil=oil, viscous=2e3, coulomb=100.0, pressure_a="20 bar", pressure_b="20 bar")  # fmt: skip
    pump, tank = oil.pressure("pump", "76 bar"), oil.tank("tank")
    oil.valve_4_3("spool", P=pump, T=tank, A=lift.a, B=lift.b, flow=("20 l/min", "35 bar"))
    return m


CASES = [
    (slewing, "slew", "torque", "ring.angle", {"valve": kb.steps({0: 0.4, "0.5 s": 0.0, "0.7 s": -0.2})}),
    (lifting, "lift", "force", "foot.angle", {"spool": kb.steps({0: 0.8, "0.5 s": -0.4})}),
]


@pytest.mark.parametrize(("build", "name", "quantity", "moved", "inputs"), CASES, ids=["motor", "cylinder"])
def test_its_own_recorded_torque_moves_it_as_before(build, name, quantity, moved, inputs):
    machine = build()
    again = kb.replaced(machine, name, quantity)
    errors = []
    for step in (2e-4, 1e-4):
        before = kb.simulate(machine, "1 s", step=step, record=step, inputs=inputs, coupling="realtime")
        did = kb.table(before.time, before[f"{name}.{quantity}"].values)
        run = kb.simulate(again, "1 s", step=step, record=step, inputs={name: did}, coupling="realtime")
        errors.append(np.abs(run[moved].values - before[moved].values).max())
    way = np.ptp(before[moved].values)
    assert way > 0.1
    assert errors[1] < 1e-4 * way
    assert errors[0] / errors[1] > 3.6  # order 2, or better
    # the readings have the names that they had, and the lines end at closed ports
    for path in (f"{name}.{quantity}", f"{name}.a.pressure", f"{name}.b.pressure"):
        assert path in run.names
    assert name in machine.parts and type(machine.parts[name]).__name__ in ("Motor", "Cylinder")
    assert machine == build()


@pytest.mark.parametrize(("build", "name", "quantity", "moved", "inputs"), CASES, ids=["motor", "cylinder"])
def test_its_own_recorded_speed_moves_it_as_before(build, name, quantity, moved, inputs):
    machine = build()
    again = kb.replaced(machine, name, "speed")
    value, rate = ("angle", "rate") if quantity == "torque" else ("length", "speed")
    rests = []
    for step in (1e-3, 5e-4):
        before = kb.simulate(machine, "1 s", step=step, record=step, inputs=inputs, coupling="realtime")
        did, way = before[f"{name}.{rate}"].values, np.ptp(before[f"{name}.{value}"].values)
        law = kb.table(before.time, did)
        run = kb.simulate(again, "1 s", step=step, record=step, inputs={name: law}, coupling="realtime")
        sag = cumulative_trapezoid(before[f"{name}.{quantity}"].values, before.time, initial=0.0)
        off = run[f"{name}.{value}"].values - before[f"{name}.{value}"].values
        rests.append(np.abs(off + sag / again.parts[name].gain).max() / way)
        assert np.abs(off).max() < 2e-4 * way
        # the servo follows a speed that changes within the step: its work has order 2
        assert run.energy().relative_residual < 2.5e-4 * (step / 1e-3) ** 2
    assert rests[0] < 2e-5
    assert rests[0] / rests[1] > 3.0
    assert np.ptp(before[moved].values) > 0.1 and f"{name}.a.pressure" in run.names


PINS = {"a": "ground", "b": "load"}
GAINS = {
    "motor": ({"joint": "ring", "displacement": "600 cm3/rev"}, 600e-6 / (2.0 * np.pi)),
    "winch": (
        {"joint": "hook", "displacement": "80 cm3/rev", "drum": "0.2 m", "gear": 20, "falls": 4},
        80e-6 / (2.0 * np.pi) * 20.0 * 4.0 / 0.2,
    ),
    "cylinder": ({**PINS, "bore": "60 mm", "rod": "30 mm", "stroke": "0.4 m"}, 0.25 * np.pi * 0.06**2),
    "single_acting_cylinder": ({**PINS, "bore": "60 mm", "stroke": "0.4 m"}, 0.25 * np.pi * 0.06**2),
    "telescopic_cylinder": (
        {**PINS, "bores": ["120 mm", "100 mm"], "strokes": ["1 m", "1 m"]},
        0.25 * np.pi * 0.12**2,
    ),
}


@pytest.mark.parametrize("kind", GAINS)
def test_a_hundred_bar_lower_its_speed_by_a_tenth_of_a_millimetre(kind):
    """λ = area·100 bar = gain·0.1 mm/s, or mrad/s."""
    words, area = GAINS[kind]
    m = slewing()
    m.prismatic("hook", m.ground, m.body("load", mass=10.0, inertia=(1.0, 1.0, 1.0)), axis="x", start="2 m")
    getattr(m["oil"], kind)("it", **words)
    assert kb.replaced(m, "it", "speed").parts["it"].gain == pytest.approx(area * 1e7 / 1e-4, rel=1e-12)
    assert kb.replaced(m, "it", "speed", gain=1e5).parts["it"].gain == 1e5


def test_a_program_writes_the_speed_of_the_table(tmp_path):
    """In lockstep: the rate is what was written, the angle that times the time, and nothing is left to push."""
    yaml = to_yaml(kb.replaced(slewing(), "slew", "speed"))
    live = LiveRun(from_yaml(yaml), step="1 ms", coupling="realtime")
    worker = Worker(live, head_of(live, yaml, ""), folder=tmp_path, paused=True)
    with running(worker) as shared, door(shared, facts(live, {}), mode=Mode.LOCKSTEP, patience=30.0) as port:
        ask(shared, Command.SPEED, 1000.0)
        with kb.ExternalClient(port, reads=["slew.angle", "slew.rate", "slew.torque"], writes=["slew"]) as program:
            assert program.inputs["slew"]["unit"] == "rad/s"
            number = shared.send(Command.STEP, 201)
            line = program.line()
            while line.step < 200:
                line = program.exchange({"slew": 0.3})
            program.answer({"slew": 0.3})
            until(lambda: shared.done(number))
    assert line["slew.rate"] == pytest.approx(0.3, rel=1e-9)
    assert line["slew.angle"] == pytest.approx(0.3 * line.time, abs=0.3 * 1e-3)  # a step
    assert abs(line["slew.torque"]) < 1e-3


def test_a_program_turns_the_table(tmp_path):
    """J·α over TCP in lockstep: ½·α·t², with the torque held from step to step exact to rounding."""
    machine = kb.replaced(slewing(), "slew", "torque")
    yaml = to_yaml(machine)
    live = LiveRun(from_yaml(yaml), step="1 ms", coupling="realtime")
    worker = Worker(live, head_of(live, yaml, ""), folder=tmp_path, paused=True)
    with running(worker) as shared, door(shared, facts(live, {}), mode=Mode.LOCKSTEP, patience=30.0) as port:
        ask(shared, Command.SPEED, 1000.0)
        with kb.ExternalClient(port, reads=["slew.angle", "slew.rate"], writes=["slew"]) as program:
            assert program.inputs["slew"]["unit"] == "N*m"
            number = shared.send(Command.STEP, 201)
            line = program.line()
            while line.step < 200:
                line = program.exchange({"slew": 500.0 * 0.8})
            program.answer({"slew": 0.0})
            until(lambda: shared.done(number))
    assert line["slew.rate"] == pytest.approx(0.8 * line.time, rel=1e-9)
    assert line["slew.angle"] == pytest.approx(0.4 * line.time**2, rel=1e-6)


def test_the_excavator_slews_by_electricity():
    machine = kb.catalogue.NAMES["excavator"]().machine
    electric = kb.replaced(machine, "slew_motor", "torque")
    assert electric.check() == []
    assert from_yaml(to_yaml(electric)) == electric
    assert {"slew_motor.a", "slew_motor.b"} <= set(electric.parts)
    twice = kb.replaced(electric, "stick_cylinder", "force")
    assert twice.check() == [] and type(twice.parts["stick_cylinder"]).__name__ == "Thrust"


def test_the_excavator_slews_at_a_speed():
    """0.2 rad in a second at 0.2 rad/s, within 1 %: what the start takes, and the sag under the boom's swing.

    The speed is there at once, a blow of 4 kJ under which the tracks slip: its energy takes steps of 0.2 ms.
    """
    electric = kb.replaced(kb.catalogue.NAMES["excavator"]().machine, "slew_motor", "speed")
    assert electric.check() == []
    assert from_yaml(to_yaml(electric)) == electric
    run = kb.simulate(electric, "1 s", step="0.2 ms", inputs={"slew_motor": "0.2 rad/s"}, coupling="realtime")
    assert np.ptp(run["slew_motor.angle"].values) == pytest.approx(0.2, rel=0.01)
    assert run["slew_motor.rate"].values[-1] == pytest.approx(0.2, rel=0.01)
    assert run.energy().relative_residual < 1e-3
    twice = kb.replaced(electric, "stick_cylinder", "speed", gain="1e9 N s/m")
    assert twice.check() == [] and twice.parts["stick_cylinder"].gain == 1e9


WRONG = [
    ("slew_motor", "force", "motor 'slew_motor': it has no 'force' that could be an input.\n.*\"torque\" or \"speed\""),
    ("stick_cylinder", "torque", "cylinder 'stick_cylinder': it has no 'torque'"),
    ("pump", "speed", "it is on shaft '[a-z_]+': set its engine's input.*\n.*read 'pump.shaft_power'"),
    ("relief", "force", "only motors, winches and cylinders can be replaced"),
    ("slew_moter", "torque", "'slew_motor'"),
]


@pytest.mark.parametrize(("name", "quantity", "text"), WRONG, ids=[f"{name} {what}" for name, what, _ in WRONG])
def test_what_cannot_be_replaced_is_refused(name, quantity, text):
    with pytest.raises(kb.MachineError, match=text):
        kb.replaced(kb.catalogue.NAMES["excavator"]().machine, name, quantity)


@pytest.mark.parametrize("quantity", ["torque", "speed"])
@pytest.mark.parametrize("of_joint", [False, True])
def test_a_motor_on_a_shaft_is_refused(quantity, of_joint):
    m = slewing()
    if of_joint:
        m.shaft_of("axle", "ring")
    else:
        m.shaft("axle", 2.0)
    m["oil"].motor("turns", displacement="50 cm3/rev", shaft="axle")
    text = "it turns a shaft, which has no place for an input\\.\\n.*Replace a motor that is in a joint\\."
    with pytest.raises(kb.MachineError, match=text):
        kb.replaced(m, "turns", quantity)


def test_a_pump_needs_no_replacing():
    m = slewing()
    oil = m["oil"]
    m.shaft("crank", 2.0)
    oil.pump("alone", oil.tank("sump"), oil.volume("line", "1 l"), displacement="50 cm3/rev", speed="1500 rpm")
    oil.pump("driven", m["sump"], m["line"], displacement="50 cm3/rev", shaft="crank")
    with pytest.raises(kb.MachineError, match=r"Write the input 'alone\.speed', read 'alone\.shaft_power'"):
        kb.replaced(m, "alone", "speed")
    with pytest.raises(kb.MachineError, match="it is on shaft 'crank': set its engine's input") as told:
        kb.replaced(m, "driven", "speed")
    assert "driven.speed" not in str(told.value)


def test_a_gain_without_a_speed_is_refused():
    with pytest.raises(kb.MachineError, match="gain is that of the servo that holds a speed; a torque needs none"):
        kb.replaced(slewing(), "slew", "torque", gain=1e5)
    with pytest.raises(kb.MachineError, match=r"gain is -1\.0; it must be greater than 0"):
        kb.replaced(slewing(), "slew", "speed", gain=-1.0)
