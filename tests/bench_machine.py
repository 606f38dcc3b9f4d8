# SPDX-License-Identifier: BSD-3-Clause
"""A machine with a part that is written with everything that `Net` offers beside what the catalogue's machines have."""

from __future__ import annotations

import knuckleboom as kb
from knuckleboom.describe import OilName, Part, Place, Port, param


class Bench(Part):
    """Everything that parts may be written with beside what other machines here have."""

    PORTS = ("line", "gas", "one", "two", "load")
    a: Place = param("one end of a cylinder")
    b: Place = param("the other")
    tank: Port = param("the tank")
    oil: OilName = param("the oil")

    def expand(self, net):
        net.oil(self.oil)
        line, gas, one, two, load = self.ports()
        net.volume(line, 2e-4, 60e5, elastic=1e-12)
        net.gas(gas, 1e-3, precharge=30e5, exponent=1.3, start=55e5)
        net.volume(one, 0.0, 40e5, elastic=5e-13)
        net.volume(two, 0.0, 20e5)
        net.volume(load, 1e-4, 45e5)
        row = net.length(self.a, self.b)
        low, high = net.ends(row, None, 0.2)
        net.stages(row, one, areas=(3e-3, 2e-3), strokes=(0.1, 0.1), dead=1e-4, at=low)
        net.chamber(row, two, area=-1e-3, dead=1e-4, at=high)
        words = {"coulomb": 200.0, "breakaway": 300.0, "stribeck": 0.05}
        net.bristle(row, **words, stiffness=1e6, damping=1e3, viscous=500.0, hold_speed=0.03)
        net.friction(row, 50.0, 100.0, 0.1, breakaway=80.0, stribeck=0.2)
        net.efficiency(row, 0.1, ((0.0, 0.0), (0.1, 0.8), (0.5, 1.0)))
        net.cushion(row, at=high, length=0.15, gain=1e5, side=1)
        net.cushion(row, at=low, length=0.15, gain=1e5, side=-1)
        speed = net.input(150.0, unit="rad/s", name="shaft")
        limits = [(line, load, 20e5, 10e5), (line, self.tank, 80e5, 40e5)]
        swash = net.steered(net.input(0.8), limits, time_constant=0.05, name="swash")
        net.restrictor(line, gas, area=1e-5, name="inlet")
        net.flow(self.tank, line, net.product(swash, speed, 5e-6))
        spool = net.sensed(
            {line: 1e-7, load: -0.5e-7}, time_constant=0.02, name="seen", unit="1", meaning="what it sees"
        )
        opening = net.table(spool, ((0.0, 0.0), (0.2, 0.3), (0.6, 0.5), (1.0, 1.0)))
        net.restrictor(line, one, area=3e-6, opening=opening, name="metered")
        by = {one: 1.0, load: -1.2, two: 3.0, line: 0.1}
        net.opened(one, load, area=5e-6, by=by, setting=20e5, full=90e5, name="counterbalance")
        net.opened(load, two, area=5e-6, by={two: -1.0, self.tank: 1.0}, setting=-40e5, full=60e5, name="reducing")
        net.laminar(two, self.tank, conductance=2e-12)
        gains = (0.9, 1e-6, 2e5, 1e-7, 3.0, 0.02)
        words = {"unit": "W", "meaning": "what it shows"}
        net.reading("shown", **words, gains=gains, flow="metered", high=line, low=one, speed=speed)


def bench():
    """The same on an arm that swings."""
    m = kb.Machine("bench")
    arm = m.body("arm", mass=20.0, com=(0.5, 0, 0), inertia=(0.1, 2, 2))
    m.revolute("foot", m.ground, arm, axis="-y", start=0.5, speed=-0.3)
    oil = m.oil("oil", kb.fluids.mineral_oil())
    tank = oil.tank("tank")
    m.put(Bench(name="bench", a=m.ground.at(0.3, 0, -0.5), b=arm.at(0.6, 0, -0.1), tank=tank, oil=oil))
    return m
