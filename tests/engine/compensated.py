# SPDX-License-Identifier: BSD-3-Clause
"""Small machines with what a linearly implicit step gets wrong: a compensator on a gallery of 0.15 l, thrown levers."""

from __future__ import annotations

import knuckleboom as kb

LEVER = {0.05: 1.0, 0.2: -1.0, 0.3: 0.5, 0.4: -1.0, 0.5: 0.0}
"""Times, s, and positions of the valve's lever."""


def loader(accumulator=False, efficiency=False, motor=False, servo=False):
    """An arm on a cylinder behind a compensator, fed by a load-sensing pump; on request with gas on the pump's line,
    friction by efficiency, a second section that turns a drum, or a tip that a servo moves.
    """
    m = kb.Machine("loader")
    arm = m.body("arm", mass=300.0, com=(1.0, 0.0, 0.0), inertia=(1.0, 70.0, 70.0))
    m.revolute("foot", m.ground, arm, axis="-y", start=0.4)
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank", "2 bar"), oil.volume("line", "1 l", "40 bar")
    friction = {"efficiency": 0.9} if efficiency else {"viscous": 2e3, "coulomb": 200.0}
    ram = oil.cylinder(
        "ram", m.ground.at(0.6, 0.0, -0.3), arm.at(0.8, 0.0, 0.0), bore="60 mm", rod="30 mm", stroke="0.5 m",
        dead_a="0.2 l", dead_b="0.2 l", pressure_a="40 bar", pressure_b="5 bar", **friction,
    )  # fmt: skip
    oil.load_sensing_pump(
        "pump", tank, line, ls=ram.a, displacement="45 cm3/rev", speed="1500 rpm", cutoff="210 bar",
        time_constant="20 ms",
    )  # fmt: skip
    oil.relief_valve("relief", line, tank, flow=("100 l/min", "240 bar"), setting="220 bar", override="20 bar")
    section(m, oil, line, tank, ram, "")
    if accumulator:
        oil.accumulator(
            "bladder", line, size="0.5 l", precharge="60 bar", pressure="80 bar", flow=("60 l/min", "5 bar")
        )
    if motor:
        drum = m.body("drum", mass=30.0, com=(0.05, 0.0, 0.0), inertia=(3.0, 3.0, 3.0))
        m.revolute("axle", m.ground.at(0.0, 1.0, 0.0), drum, axis="y")
        turned = oil.motor(
            "motor", "axle", "80 cm3/rev", pressure_a="10 bar", pressure_b="10 bar", viscous=0.3, coulomb=2.0,
            leak=1e-12,
        )  # fmt: skip
        section(m, oil, line, tank, turned, "_2")
    if servo:
        tip = m.body("tip", mass=60.0, com=(0.5, 0.0, 0.0), inertia=(1.0, 5.0, 5.0))
        m.revolute("elbow", arm.at(2.0, 0.0, 0.0), tip, axis="-y", start=-0.8)
        oil.cylinder("fold", arm.at(1.4, 0.0, 0.1), tip.at(0.3, 0.0, 0.0), bore="40 mm", rod="20 mm", stroke="0.5 m")
        return kb.replaced(m, "fold", "speed")
    return m


def section(m, oil, line, tank, moved, suffix):
    """A compensator, its gallery and a 4/3 valve for what is moved."""
    gallery = oil.junction(f"gallery{suffix}", "0.15 l", "40 bar")
    oil.pressure_compensator(f"compensator{suffix}", line, gallery, LS=moved.a, flow=("60 l/min", "5 bar"))
    ports = {"P": gallery, "T": tank, "A": moved.a, "B": moved.b}
    m.valve_4_3(f"valve{suffix}", **ports, flow=("40 l/min", "10 bar"), frequency="20 Hz")


def block(compensated):
    """300 kg on a straight guide, so that rows are linear in time: a cylinder on two orifices, or with valve,
    compensator and a pump whose swash pressures steer.
    """
    m = kb.Machine("block", gravity=(0.0, 0.0, 0.0))
    body = m.body("body", mass=300.0, inertia=(1.0, 1.0, 1.0))
    m.prismatic("slide", m.ground, body, axis="x", start=0.8, speed=0.3)
    oil = m.oil(kb.fluids.mineral_oil())
    tank = oil.tank("tank", "2 bar")
    ram = oil.cylinder(
        "ram", m.ground, body, bore="60 mm", rod="30 mm", stroke="0.5 m", closed="0.6 m", dead_a="0.1 l",
        dead_b="0.1 l", pressure_a="60 bar", pressure_b="30 bar", viscous=2e3,
    )  # fmt: skip
    if not compensated:
        oil.restrictor("into", oil.pressure("line", "150 bar"), ram.a, flow=("40 l/min", "10 bar"))
        oil.restrictor("out", ram.b, tank, flow=("40 l/min", "10 bar"))
        return m
    line, gallery = oil.volume("line", "1 l", "79 bar"), oil.junction("gallery", "2 l", "64 bar")
    oil.load_sensing_pump(
        "pump", tank, line, ls=ram.a, displacement="45 cm3/rev", speed="1500 rpm", cutoff="250 bar",
        time_constant="20 ms",
    )  # fmt: skip
    oil.pressure_compensator("compensator", line, gallery, LS=ram.a, flow=("60 l/min", "5 bar"), band="6 bar")
    ports = {"P": gallery, "T": tank, "A": ram.a, "B": ram.b}
    m.valve_4_3("valve", **ports, flow=("40 l/min", "10 bar"), time_constant="30 ms")
    return m


def closed_circuit():
    """Four rigid volumes and nothing else, so that all oil stays: a flow control, a check valve, an orifice, a leak."""
    m = kb.Machine("closed-circuit")
    m.revolute("spare", m.ground, m.body("wheel", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    oil = m.oil(kb.fluids.mineral_oil())
    high, middle = oil.volume("high", "1 l", "200 bar"), oil.volume("middle", "0.1 l", "60 bar")
    low = oil.volume("low", "2 l", "1 bar")
    oil.flow_control("control", high, middle, value="20 l/min", volume="5 cm3", pressure="65 bar")
    oil.check_valve("check", middle, low, flow=("60 l/min", "3 bar"), cracking="40 bar")
    oil.restrictor("orifice", middle, low, flow=("20 l/min", "100 bar"))
    oil.laminar_restrictor("leak", high, low, conductance=5e-12)
    return m


def driven_piston():
    """A piston that a driver moves, on an orifice to a source whose pressure is an input."""
    m = kb.Machine("driven-piston")
    body = m.body("body", mass=2.0, inertia=(1.0, 1.0, 1.0))
    m.prismatic("slide", m.ground, body, axis="x", start=0.3)
    m.driver("crank", joint="slide", amplitude=0.02, frequency=10.0)
    oil = m.oil(kb.fluids.mineral_oil())
    ram = oil.single_acting_cylinder(
        "ram", m.ground, body, bore="40 mm", stroke="50 mm", closed="0.275 m", dead_a="50 cm3", pressure_a="100 bar"
    )
    oil.restrictor("into", oil.pressure("line", "150 bar"), ram.a, flow=("20 l/min", "10 bar"))
    return m
