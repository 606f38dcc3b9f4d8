# SPDX-License-Identifier: BSD-3-Clause
"""A machine written to YAML and read back gives the same plan and the same results, bit by bit."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.layout import flatten
from machine.example import lifting_boom


def everything():
    """All joints that fit into one tree, loops of every kind, all forces, oil, groups, points and odd numbers."""
    m = kb.Machine("everything", gravity=(0.1, -0.2, -9.80665), ambient="0.98 bar")
    m.ground.point("post", (0.1, 0.2, 1.0 / 3.0))
    base = m.body(
        "base", mass=100.0 / 3.0, com=(0.1, 0, math.pi / 10), inertia=[[3, 0.1, 0], [0.1, 4, 0.2], [0, 0.2, 5]]
    )
    base.point_mass("lump", 1.7, (0.1, 0.2, 0.3))
    base.frame("mount", (0.5, 0.1, 0.0), rpy=("10 deg", "20 deg", "-5 deg"))
    m.free("float", m.ground, base, start=(0.1, 0.2, 0.3, 0.1, 0.2, 0.3), speed=(0, 0.1, 0, 0.2, 0, 0.1))
    carrier = base
    for number, kind in enumerate(
        ("revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "fixed")
    ):
        body = m.body(kind[:4], mass=1.0 + number / 7.0, com=(0.1, 0, 0.05), inertia=(0.1, 0.2, 0.25))
        getattr(m, kind)(f"j_{kind}", "base.mount" if carrier is base else carrier.at(0.3, 0, 0.1), body)
        carrier = body
    arm, link = (m.body(name, mass=2.0, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1)) for name in ("arm", "link"))
    m.revolute("a", base.at(0, 1, 0), arm, axis="y", start="20 deg")
    m.revolute("b", base.at(1, 1, 0), link, axis="y", start="25 deg")
    m.rod("tie", arm.at(0.5, 0, 0), link.at(0.5, 0, 0))
    m.gear("gear", "a", "j_revolute", ratio=-0.3)
    m.spring("coil", "ground.post", base, stiffness="1 kN/m", damping=3.0)
    m.joint_friction("rub", "b", coulomb=1.0, viscous=0.1)
    m.joint_stop("end", "a", lower="-10 deg", upper="60 deg", stiffness=1e4)
    m.joint_spring("bend", "j_revolute", stiffness=30.0, damping=1.0)
    m.effort("motor", "b", value=0.3)
    m.force("push", arm.at(0.5, 0, 0), direction=(1, 2, 3), value="3 N")
    m.torque("twist", arm, axis="z", value=0.2)
    oil = m.oil(kb.fluids.mineral_oil())
    ram = m.cylinder(
        "ram", base, arm.at(0.3, 0, 0), bore="20 mm", rod="10 mm", stroke="0.8 m", oil=oil, coulomb=3.0, leak=1e-13
    )
    pump, tank = oil.pressure("pump", "50 bar"), oil.tank("tank", "1 bar")
    oil.valve_4_3("valve", P=pump, T=tank, A=ram.a, B=ram.b, flow=("3 l/min", "35 bar"))
    oil.check_valve("check", ram.a, tank, area="1 mm^2", cracking="200 bar")
    return m


def sorted_differently():
    """Parts made in another order than that of the sections in a file."""
    m = kb.Machine("mixed")
    oil = m.oil(kb.fluids.naya())
    tank, pump = oil.tank("tank", "1 bar"), oil.pressure("pump", "60 bar")
    load = m.body("load", mass=100.0, inertia=(1, 1, 1))
    ram = m.cylinder("ram", m.ground, load, bore="50 mm", rod="30 mm", stroke="0.4 m", oil=oil)
    m.force("push", load, direction="z", value=-100.0)
    oil.restrictor("in", pump, ram.a, area="2 mm^2")
    m.prismatic("rail", m.ground, load, axis="z", start=0.5)
    oil.restrictor("out", ram.b, tank, area="2 mm^2")
    m.joint_friction("rub", "rail", coulomb=20.0)
    m.damper("dash", m.ground.at(1, 0, 0), load, damping=100.0)
    m.body("passenger", mass=1.0, inertia=(1, 1, 1))
    m.revolute("seat", load, "passenger")
    m.joint_spring("cushion", "seat", stiffness=10.0)
    return m


MACHINES = {
    "lifting boom": lifting_boom,
    "naya-rod": lambda: kb.catalogue.NAMES["naya-rod"]().machine,
    "harvester-30": lambda: kb.catalogue.NAMES["harvester-30"]().machine,
    "everything": everything,
    "sorted differently": sorted_differently,
}


@pytest.fixture(params=MACHINES)
def pair(request, tmp_path):
    """A machine, and the same written and read back."""
    machine = MACHINES[request.param]()
    kb.write(machine, tmp_path / "machine.yaml")
    return machine, kb.read(tmp_path / "machine.yaml")


def test_the_plan_is_the_same_bit_by_bit(pair):
    one, other = (kb.build(machine) for machine in pair)

    for name, array in flatten(one.plan).items():
        assert np.array_equal(array, flatten(other.plan)[name], equal_nan=True), name
        assert array.dtype == flatten(other.plan)[name].dtype
    for name, array in one.snapshot().items():
        assert np.array_equal(array, other.snapshot()[name]), name
    assert one.names == other.names
    assert [row.part for row in one.redundant] == [row.part for row in other.redundant]


def test_the_results_are_the_same_bit_by_bit(pair):
    one, other = (kb.simulate(machine, "5 ms", step="0.05 ms", record="0.05 ms") for machine in pair)

    assert one.names == other.names
    assert np.array_equal(one.record, other.record)
    assert one.energy().to_dict() == other.energy().to_dict()


def test_writing_again_gives_the_same_file(pair, tmp_path):
    kb.write(pair[1], tmp_path / "again.yaml")

    assert (tmp_path / "again.yaml").read_text() == (tmp_path / "machine.yaml").read_text()
