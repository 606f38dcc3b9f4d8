# SPDX-License-Identifier: BSD-3-Clause
"""The lifting boom of DESIGN §7, for tests."""

from knuckleboom.hydraulics.parts import fluids
from knuckleboom.machine import Machine


def lifting_boom() -> Machine:
    """Return a boom lifted by one cylinder behind one valve."""
    m = Machine("lifting boom")
    boom = m.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    m.revolute("foot", m.ground, boom, at=(0, 0, 0), axis="y", start="-30 deg")
    oil = m.oil(fluids.naya())
    lift = m.cylinder(
        "lift", m.ground.at(0.87, 0, 0), boom.at(0.5, 0, 0), bore="91 mm", rod="0 mm", stroke="442 mm", oil=oil
    )
    pump, tank = oil.pressure("pump", "76 bar"), oil.tank("tank", "1 bar")
    oil.valve_4_3("spool", P=pump, T=tank, A=lift.a, B=lift.b, flow=("60 l/min", "35 bar"))
    return m
