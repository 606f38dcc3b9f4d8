# SPDX-License-Identifier: BSD-3-Clause
"""Actuators that a program computes: replaced by their own recorded torque or force, machines move as before.

A second formulation in our own code: the replaced machine has no motor and no cylinder, and gets as an input what they
did. Over a step it gets the mean of the values recorded at its ends, so the error is of second order: it falls to a
quarter at half the step, and is below 1e-4 of the way at 0.1 ms. Also at a driven machine, over TCP: a torque J·α
turns an inertia by ½·α·t².
"""

import numpy as np
import pytest

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
        did = before[f"{name}.{quantity}"].values
        means = kb.table(before.time[:-1], 0.5 * (did[:-1] + did[1:]))
        run = kb.simulate(again, "1 s", step=step, record=step, inputs={name: means}, coupling="realtime")
        errors.append(np.abs(run[moved].values - before[moved].values).max())
    way = np.ptp(before[moved].values)
    assert way > 0.1
    assert errors[1] < 1e-4 * way
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    # the readings have the names that they had, and the lines end at closed ports
    for path in (f"{name}.{quantity}", f"{name}.a.pressure", f"{name}.b.pressure"):
        assert path in run.names
    assert name in machine.parts and type(machine.parts[name]).__name__ in ("Motor", "Cylinder")
    assert machine == build()


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


WRONG = [
    ("slew_motor", "force", "motor 'slew_motor': it has no 'force' that could be an input."),
    ("slew_motor", "speed", "motor 'slew_motor': its speed cannot be an input"),
    ("stick_cylinder", "torque", "cylinder 'stick_cylinder': it has no 'torque'"),
    ("pump", "speed", "Write the input 'pump.speed', read 'pump.shaft_power'"),
    ("relief", "force", "only motors, winches and cylinders can be replaced"),
    ("slew_moter", "torque", "'slew_motor'"),
]


@pytest.mark.parametrize(("name", "quantity", "text"), WRONG, ids=[f"{name} {what}" for name, what, _ in WRONG])
def test_what_cannot_be_replaced_is_refused(name, quantity, text):
    with pytest.raises(kb.MachineError, match=text):
        kb.replaced(kb.catalogue.NAMES["excavator"]().machine, name, quantity)
