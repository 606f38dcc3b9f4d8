# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every quantity that a plan names: a meaning, a unit that pint reads, and columns of its own."""

from __future__ import annotations

import pint
import pytest

import knuckleboom as kb
from knuckleboom import methods
from knuckleboom.interface.contract import has
from knuckleboom.interface.forces import KINDS
from knuckleboom.mechanics.joints import JOINTS
from parts.valve_bench import add_valves

REGISTRY = pint.UnitRegistry()
CUT = [kind for kind in JOINTS if JOINTS[kind].cut]


def everything():
    """Every joint in the tree and as a cut joint, every force, and a circuit: all that the plan can name."""
    m = kb.Machine("everything")
    for kind in JOINTS:
        body = m.body(f"{kind}_body", mass=1.0, inertia=(1.0, 1.0, 1.0), points={"tip": (1.0, 0.0, 0.0)})
        getattr(m, kind)(f"{kind}_joint", m.ground, body)
        if kind != "fixed":
            m.effort(f"{kind}_effort", f"{kind}_joint", len(m[f"{kind}_joint"].part.COORDINATES) - 1)
    for kind in CUT:
        body = m.body(f"{kind}_carried", mass=1.0, inertia=(1.0, 1.0, 1.0))
        m.free(f"{kind}_carrier", m.ground, body)
        getattr(m, kind)(f"{kind}_cut", m.ground, body, cut=True)
    m.rod("rod", m.ground.at(0, 0, 5), "free_body")
    m.gear("gear", "revolute_joint", "prismatic_joint", ratio=0.1)
    m.spring("spring", m.ground.at(0, 0, 5), "planar_body", 1e3)
    m.damper("damper", m.ground.at(0, 0, 5), "planar_body", 1e1)
    m.joint_spring("joint_spring", "revolute_joint", stiffness=10.0)
    m.joint_friction("joint_friction", "revolute_joint", coulomb=1.0)
    m.joint_stop("joint_stop", "prismatic_joint", lower=-1.0, upper=1.0, stiffness=1e5)
    m.joint_servo("joint_servo", "revolute_joint", gain=10.0)
    m.length_servo("length_servo", m.ground.at(0, 0, 5), "planar_body", gain=10.0)
    m.terrain("floor", at=(0, 0, -1))
    m.contact("contact", "free_body", sphere=0.1)
    m.tire("tire", "revolute_body", radius=0.5, width=0.3, load=1e4, axle="z")
    m.shape("shape", of="revolute_body", stiffness=1e4)
    m.attachment("attachment", of="revolute_body", at=(1, 0, 0), moves={"shape": (0, 0, 1)}, mass=1.0)
    m.force("force", "free_body", "x")
    m.payload("payload", "free_body", most=10.0)
    m.torque("torque", "free_body", "x")
    oil = m.oil(kb.fluids.naya())
    ram = m.cylinder(
        "ram", m.ground.at(0, 0, 5), "spherical_body", bore=0.05, rod=0.03, stroke=0.4, oil=oil, viscous=1.0, leak=1e-13
    )  # fmt: skip
    pump, tank, hose = oil.pressure("pump", "100 bar"), oil.tank("tank"), oil.volume("hose", "1 l")
    m.valve_4_3("valve", P=pump, T=tank, A=ram.a, B=ram.b, flow=("20 l/min", "35 bar"), frequency="20 Hz")
    m.restrictor("throttle", pump, hose, area="1 mm^2")
    m.check_valve("check", hose, tank, area="1 mm^2")
    m.relief_valve("relief", hose, tank, area="1 mm^2", setting="50 bar")
    add_valves(oil, pump, tank)
    motor = m.motor("motor", "revolute_joint", "20 cm3/rev", oil, viscous=0.1, leak=1e-13)
    m.flow_source("feed", tank, motor.a, "10 l/min", time_constant="0.1 s")
    return m


MACHINES = {"everything": everything} | {
    name: (lambda make=make: make().machine) for name, make in kb.catalogue.NAMES.items()
}


@pytest.fixture(scope="module", params=MACHINES)
def planned(request):
    return kb.build(MACHINES[request.param]())


def test_every_quantity_has_one_line_of_meaning(planned):
    for signal in planned.names:
        assert signal.meaning and "\n" not in signal.meaning, signal.path


def test_every_unit_is_read_by_pint(planned):
    for signal in planned.names:
        assert REGISTRY.parse_units(signal.unit) is not None, signal.path


def test_no_two_quantities_share_a_column_and_none_is_time(planned):
    columns = [column for signal in planned.names for column in signal.columns]

    assert len(columns) == len(set(columns))
    assert min(columns) > 0 and max(columns) < planned.work_size["nrecord"]


def test_every_part_that_acts_or_carries_oil_is_named(planned):
    owners = {path.split(".")[0] for path in planned.names.paths}
    silent = {"oil", "fixed", "terrain"}  # no quantity of their own
    for part in planned.machine.parts.values():
        assert part.name in owners or part.KIND in silent, part.name


def test_unnamed_columns_are_rates_and_values_that_mean_nothing_to_a_user(planned):
    """Rows of loops have no applied force, directions no length, sources no volume: the rest of the record is named."""
    named = {column for signal in planned.names for column in signal.columns}
    layout, size = planned.layout, planned.work_size
    rows = layout.rows[layout.nloop :]
    titled = [f"{row.part}.{row.title}_" if row.title else f"{row.part}." for row in rows]
    no_value = sum(not any(f"{path}{what}" in planned.names for what in ("angle", "length")) for path in titled)
    no_store = sum(not has(KINDS[force.kind], "stored") for force in layout.forces)
    sources = size["nnode"] - layout.nvolume

    driven = len(layout.loops.driven)  # their multiplier is named as a force
    own = sum(row.part in layout.topology.scalars for row in rows)  # its rate is that of the coordinate
    assert size["nrecord"] - 1 - len(named) == layout.nloop + no_value + no_store + sources + driven + own


@pytest.mark.parametrize("coordinates", methods.choices("coordinates"))
@pytest.mark.parametrize("name", ["slider-crank", "naya-rod"])
def test_every_quantity_is_of_a_part_of_the_machine(name, coordinates):
    """In coordinates of their own bodies hang on the ground by movements that are made up."""
    machine = MACHINES[name]()
    results = kb.Simulation(machine, coordinates=coordinates).results()

    owners = {*machine.parts, "ground", "energy"}
    strange = [path for path in results if not any(path.startswith(f"{owner}.") for owner in owners)]
    assert strange == []
    assert ".pose" not in " ".join([*results, str(results.meta)])
