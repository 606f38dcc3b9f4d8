# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every part that a user can name: documented fields, units, its own file, and a tiny machine with it
that runs, keeps its oil and accounts for its energy.

Tolerance: RK4 at 0.1 ms; what is left is rounding, and some 1e-9 where a force has a corner (a stop is met).
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pint
import pytest

import knuckleboom as kb
from knuckleboom.describe import unit_of
from knuckleboom.engine.run import evaluate_many
from knuckleboom.layout import OK
from knuckleboom.machine.kinds import all_kinds
from knuckleboom.mechanics.parts import Joint
from parts.source_bench import INPUTS, NAMES, add_sources
from parts.valve_bench import add_valves

OURS = {name: kind for name, kind in all_kinds().items() if kind.__module__.startswith("knuckleboom.")}
REGISTRY = pint.UnitRegistry()
FREE = {"com": (0.1, 0.2, 0.3), "inertia": (1.0, 1.5, 2.0)}

# --- one tiny machine per kind ----------------------------------------------------------------------------------------


def with_joint(kind):
    """A body that moves in the joint, on a hinge that moves as well."""
    m = kb.Machine(kind)
    arm, body = m.body("arm", mass=3.0, **FREE), m.body("body", mass=2.0, **FREE)
    m.revolute("hinge", m.ground, arm, axis="y", speed=1.0)
    size = len(OURS[kind].COORDINATES)
    getattr(m, kind)("it", arm.at(1, 0, 0), body.at(0, 0.5, 0), start=(0.1,) * size, speed=(0.7,) * size)
    return m


def block(start=1.0, speed=0.5):
    """A body that slides along x, at `start` from the ground's origin."""
    m = kb.Machine("block")
    body = m.body("block", mass=2.0, **FREE)
    m.prismatic("slide", m.ground, body, axis="x", start=start, speed=speed)
    return m, body


def with_body():
    m = kb.Machine("body")
    it = m.body("it", mass=2.0, **FREE)
    it.point_mass("lump", 0.5, (0.3, 0.0, 0.0))
    m.free("flight", m.ground, it, speed=(1.0, 0.0, 2.0, 1.0, 2.0, 3.0))
    return m


def with_rod():
    m = kb.Machine("rod")
    body = m.body("body", mass=2.0, **FREE)
    m.free("flight", m.ground, body, start=(1.0, 0, 0, 0, 0, 0), speed=(0.0, 1.0, 0.0, 0.5, 0.0, 0.0))
    m.rod("it", m.ground, body)
    return m


def with_gear():
    m = kb.Machine("gear")
    for name, speed in (("one", 1.0), ("two", -2.0)):
        m.revolute(name, m.ground, m.body(f"{name}_wheel", mass=2.0, **FREE), axis="y", speed=speed)
    m.gear("it", "one", "two", ratio=-2.0)
    return m


def with_spring():
    m, body = block()
    m.spring("it", m.ground, body, stiffness=1e3, rest=0.9, damping=20.0, preload=5.0)
    return m


def with_damper():
    m, body = block()
    m.damper("it", m.ground, body, damping=20.0)
    return m


def with_joint_spring():
    m, _ = block()
    m.joint_spring("it", "slide", stiffness=1e3, rest=0.9, damping=20.0)
    return m


def with_joint_friction():
    m, _ = block()
    m.joint_friction("it", "slide", coulomb=3.0, viscous=2.0, speed=0.1)
    return m


def with_joint_stop():
    m, _ = block()
    m.joint_stop("it", "slide", upper=1.005, stiffness=1e5, damping=0.5)
    return m


def with_driver():
    m, _ = block()
    m.driver("it", "slide", amplitude=0.1, frequency=3.0)
    return m


def with_effort():
    m, _ = block()
    m.effort("it", "slide", value=10.0)
    return m


def with_force():
    m, body = block()
    m.force("it", body.at(0, 0, 1), (1.0, 1.0, 0.0), value=10.0)
    return m


def with_torque():
    m = with_body()
    m.torque("turning", "it", (1.0, 1.0, 1.0), frame="body", value=10.0)
    return m


def circuit():
    """Pumps, tank, a volume, a cylinder that carries a block and a motor that turns a wheel."""
    m, body = block(speed=0.0)
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    ram = m.cylinder(
        "ram", m.ground, body, bore=0.05, rod=0.03, stroke=0.4, oil=oil, pressure_a="30 bar", pressure_b="30 bar",
        viscous=1e3, coulomb=50.0, leak=1e-13,
    )  # fmt: skip
    pump, tank, hose = oil.pressure("pump", "100 bar"), oil.tank("tank"), oil.volume("hose", "0.2 l", "20 bar")
    m.valve_4_3("valve", P=pump, T=tank, A=ram.a, B=ram.b, flow=("20 l/min", "35 bar"))
    m.restrictor("throttle", pump, hose, area="1 mm^2")
    m.check_valve("check", hose, ram.b, area="4 mm^2", cracking="1 bar")
    m.revolute("axle", m.ground, m.body("wheel", mass=2.0, **FREE), axis="y")
    motor = m.motor("motor", "axle", "20 cm3/rev", oil, viscous=0.01, coulomb=0.1, leak=1e-13)
    m.flow_source("feed", tank, motor.a, "10 l/min", frequency="30 Hz", damping=0.5)
    m.relief_valve("relief", motor.a, tank, area="20 mm^2", setting="5 bar")
    m.restrictor("back", motor.b, tank, area="5 mm^2")
    return m, {"valve": 0.6, "feed": "20 l/min"}


def on_the_bench():
    """Every valve between a pump, a tank and volumes of their own."""
    m = kb.Machine("bench")
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", "100 bar"), oil.tank("tank")
    names, inputs = add_valves(oil, pump, tank)
    return m, inputs, names


ON_THE_BENCH = on_the_bench()[2].keys() - {"valve_4_3"}


def sources():
    """Pumps, lines, accumulators, sensors and the other cylinders; small volumes need small steps."""
    m = kb.Machine("sources")
    m.oil("fluid", kb.fluids.mineral_oil())
    add_sources(m)
    return m, INPUTS


IN_CIRCUIT = {
    "oil": "fluid", "cylinder": "ram", "pressure": "pump", "tank": "tank", "volume": "hose", "valve_4_3": "valve",
    "restrictor": "throttle", "check_valve": "check", "flow_source": "feed", "relief_valve": "relief", "motor": "motor",
}  # fmt: skip
CIRCUITS = {"circuit": IN_CIRCUIT, "bench": ON_THE_BENCH, "sources": NAMES}
"""Machines that many kinds share."""
ALONE = {
    "body": with_body, "rod": with_rod, "gear": with_gear, "driver": with_driver, "spring": with_spring,
    "damper": with_damper,
    "joint_spring": with_joint_spring, "joint_friction": with_joint_friction, "joint_stop": with_joint_stop,
    "effort": with_effort, "force": with_force, "torque": with_torque,
}  # fmt: skip


def tiny(kind):
    """A machine with the kind in it, its inputs and the part's name."""
    if issubclass(OURS[kind], Joint):
        return with_joint(kind), {}, "it"
    if kind in IN_CIRCUIT:
        return *circuit(), IN_CIRCUIT[kind]
    if kind in ON_THE_BENCH:
        machine, inputs, names = on_the_bench()
        return machine, inputs, names[kind]
    if kind in NAMES:
        return *sources(), NAMES[kind]
    if kind == "naya_valve":
        case = kb.catalogue.NAMES["naya-rod"]()
        return case.machine, case.inputs, "valve"
    assert kind in ALONE, f"add a tiny machine with a {kind} to this file"
    return ALONE[kind](), {}, "turning" if kind == "torque" else "it"


@pytest.fixture(scope="module")
def runs():
    """Results of the tiny machine of a kind; each is run once."""
    kept = {}

    def run(kind):
        key = next((key for key, kinds in CIRCUITS.items() if kind in kinds), kind)
        if key not in kept:
            machine, inputs, _ = tiny(kind)
            step = 1e-5 if key == "sources" else 1e-4
            kept[key] = kb.simulate(machine, 0.05, step=step, record=1e-3, inputs=inputs)
        return kept[key]

    return run


@pytest.mark.parametrize("kind", OURS)
class TestEveryPart:
    def test_has_a_card_and_a_meaning(self, kind):
        assert OURS[kind].__doc__
        assert inspect.getmodule(OURS[kind]).__doc__

    def test_says_what_each_field_is(self, kind):
        for name, info in OURS[kind].model_fields.items():
            assert info.description, name

    def test_units_of_its_fields_are_units(self, kind):
        for info in OURS[kind].model_fields.values():
            for unit in filter(None, unit_of(info).split(" or ")):
                assert REGISTRY.parse_units(unit) is not None

    def test_stands_in_a_file_of_its_name(self, kind):
        path = Path(inspect.getfile(OURS[kind]))
        if path.parent.name == "parts":
            assert path.stem == kind
        else:  # a published machine may bring a part of its own
            assert path.parent.name == "catalogue"

    def test_is_the_same_in_yaml(self, kind):
        machine, _, name = tiny(kind)
        again = kb.Machine.from_yaml(machine.to_yaml())

        assert again == machine
        assert isinstance(again.parts[name], OURS[kind])

    def test_tiny_machine_runs_and_knows_the_part(self, kind, runs):
        machine, _, name = tiny(kind)
        run = runs(kind)

        assert run.status == "done"
        assert isinstance(machine.parts[name], OURS[kind])
        if kind not in ("oil", "fixed"):  # these have no quantity of their own
            assert any(re.match(rf"{name}\.", path) for path in run.names.paths)

    def test_energy_is_accounted_for(self, kind, runs):
        audit = runs(kind).energy()

        assert audit.work_done > 0.0
        assert audit.relative_residual < 1e-6
        assert all(loss > -1e-9 * audit.work_done for loss in audit.dissipated.values())

    def test_oil_that_leaves_one_node_enters_another_and_stays_there(self, kind):
        planned = kb.build(tiny(kind)[0])
        layout, work = planned.layout, planned.work
        work.state.x[: layout.nvolume] *= np.linspace(0.5, 1.5, layout.nvolume)
        work.state.x[layout.nvolume :] = 0.3  # spools, and a flow of 0.3 m³/s
        assert evaluate_many(planned.plan, work, 1) == OK

        flow, oil = np.abs(work.oil.Q).sum(), work.oil
        assert abs(oil.Q_net.sum()) <= 1e-15 * flow
        for number, node in enumerate(layout.nodes[: layout.nvolume]):
            into = sum(q for branch, q in zip(layout.branches, oil.Q, strict=True) if branch.b == node.port)
            out = sum(q for branch, q in zip(layout.branches, oil.Q, strict=True) if branch.a == node.port)
            walls = node.elastic * oil.p_slope[number]
            kept = oil.x_dot[number] * (oil.V[number] + walls) + oil.V_dot[number]  # compressed, or making room
            assert kept == pytest.approx(into - out, abs=4e-15 * (flow + abs(oil.V_dot[number])))
