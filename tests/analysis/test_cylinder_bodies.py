# SPDX-License-Identifier: BSD-3-Clause
"""Barrel and rod as bodies: light ones change nothing, heavy ones weigh what they should, oil is shared out."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis.mass import machine_mass
from knuckleboom.errors import MachineError

BORE, ROD, STROKE, CLOSED = 0.1, 0.06, 0.5, 0.8
WORDS = {"bore": BORE, "rod": ROD, "stroke": STROKE, "closed": CLOSED}


def boom(**words):
    """A boom that a locked cylinder holds; gravity pulls along −z."""
    machine = kb.Machine("boom")
    body = machine.body("boom", mass=200.0, com=(1.0, 0.0, 0.0), inertia=(1.0, 60.0, 60.0))
    machine.revolute("foot", machine.ground, body, axis="y", start="-20 deg")
    oil = machine.oil(kb.fluids.mineral_oil(900.0))
    machine.cylinder(
        "lift", machine.ground.at(0.5, 0.0, -0.7), body.at(1.0, 0.0, 0.0), oil=oil, pressure_a="40 bar",
        pressure_b="5 bar", viscous=5e3, **(WORDS | words),
    )  # fmt: skip
    return machine


@pytest.mark.parametrize("axis", ["y", "-y", None], ids=["pins", "pins turned", "balls"])
def test_light_bodies_move_as_none(axis):
    alone, bodies = boom(), boom()
    kb.cylinder_bodies(bodies, "lift", barrel_mass="0.1 g", rod_mass="0.1 g", axis=axis)
    for name in ("lift_barrel", "lift_rod"):  # without the oil's mass
        bodies.put(bodies[name].part.model_copy(update={"point_masses": {}}))
    one, two = (kb.simulate(machine, 0.2, step=1e-4, record=1e-2) for machine in (alone, bodies))

    assert two["foot.angle"].values == pytest.approx(one["foot.angle"].values, abs=1e-6)
    assert two["lift.a.pressure"].values == pytest.approx(one["lift.a.pressure"].values, rel=1e-5)
    assert two["lift_slide.travel"].values == pytest.approx(two["lift.length"].values, abs=1e-8)
    assert np.ptp(one["lift.length"].values) > 1e-4


def test_bodies_and_oil_weigh_what_they_should():
    """Mass and centre of the columns at the start; the pins carry their weight."""
    machine = boom()
    barrel, rod = kb.cylinder_bodies(machine, "lift", barrel_mass="40 kg", rod_mass="25 kg", axis="y", base="0.1 m")
    length = float(kb.simulate(machine, 1e-4, step=1e-5)["lift.length"].values[0])
    out = length - CLOSED
    m_a = 900.0 * math.pi / 4.0 * BORE**2 * out
    m_b = 900.0 * math.pi / 4.0 * (BORE**2 - ROD**2) * (STROKE - out)

    assert barrel.com == pytest.approx((0.3, 0.0, 0.0)) and rod.com == pytest.approx((-0.35, 0.0, 0.0))
    for column, mass, end in (("oil_a", m_a, 0.1), ("oil_b", m_b, 0.6)):
        on_barrel, on_rod = barrel.point_masses[column], rod.point_masses[column]
        assert on_barrel.mass == on_rod.mass == pytest.approx(0.5 * mass, rel=1e-12)
        # the piston is at base + out from the base pin; its half of a column and the other end's have the middle
        piston = length + on_rod.at[0]
        assert on_barrel.at[0] == pytest.approx(end) and piston == pytest.approx(0.1 + out)


def test_oil_makes_a_cylinder_heavier_at_rest():
    """Clamped, the base pin and the rod's end together carry barrel, rod and oil."""
    machine = kb.Machine("clamped")
    block = machine.body("block", mass=10.0, inertia=(1.0, 1.0, 1.0))
    machine.fixed("clamp", machine.ground.at(1.05, 0.0, 0.0), block)
    oil = machine.oil(kb.fluids.mineral_oil(900.0))
    machine.cylinder("lift", machine.ground, block, oil=oil, **WORDS)
    kb.cylinder_bodies(machine, "lift", barrel_mass=40.0, rod_mass=25.0, axis="y")
    run = kb.simulate(machine, 1e-3, step=1e-4, record=1e-3)
    mass = 65.0 + 900.0 * math.pi / 4.0 * (BORE**2 * 0.25 + (BORE**2 - ROD**2) * 0.25)
    base, head = run["lift_base.reaction_force"].values[0], run["lift_head.reaction_force"].values[0]
    assert base[2] - head[2] == pytest.approx(9.81 * mass, rel=1e-9)


def test_moving_oil_weighs_what_lumps_do_at_the_start():
    """Mass and centre agree; about its middle each column has m·l²/12, of two halves at its ends it is m·l²/4."""
    lumped, moving = boom(), boom()
    for machine, moves in ((lumped, False), (moving, True)):
        kb.cylinder_bodies(machine, "lift", barrel_mass="40 kg", rod_mass="25 kg", axis="y", moving_oil=moves)
    planned = kb.build(moving)
    found, wanted = machine_mass(planned), machine_mass(kb.build(lumped))
    lengths = planned.work.rows.s[planned.plan.payload.index[0, -1]] - CLOSED
    columns = planned.work.payload.flow[:, 0]
    surplus = columns @ np.square([lengths, STROKE - lengths]) / 6.0

    assert not moving["lift_barrel"].point_masses and moving.parts["lift"].a.body == "lift_barrel"
    assert found.total == pytest.approx(wanted.total, rel=1e-12)
    assert found.centre == pytest.approx(wanted.centre, abs=1e-12)
    # across the plane of the boom
    assert wanted.inertia[1, 1] - found.inertia[1, 1] == pytest.approx(surplus, rel=1e-9)


@pytest.mark.parametrize(
    ("words", "axis", "text"),
    [({"closed": 0.75, "stroke": 0.76}, "y", "shorter than its stroke"), ({}, "x", "square to it"),
     ({}, "q", "axis is 'q', which is no direction")],
    ids=["short rod", "pins along it", "no direction"],
)
def test_refusals(words, axis, text):
    machine = boom(**words)
    with pytest.raises(MachineError, match=text):
        kb.cylinder_bodies(machine, "lift", barrel_mass=1.0, rod_mass=1.0, axis=axis)
    assert "lift_barrel" not in machine.parts
