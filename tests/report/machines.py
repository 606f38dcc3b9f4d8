# SPDX-License-Identifier: BSD-3-Clause
"""Machines for the tests of reports: a four-bar without shapes, and one with a shape and a line of every kind."""

import knuckleboom as kb

EVIL = "<script>alert(1)</script>"


def four_bar() -> kb.Machine:
    """The four-bar of the README: three bars, a loop, no shapes."""
    m = kb.Machine("four-bar")
    m.ground.point("D", (0.6, 0.0, 0.0))
    bars = {"crank": (1.0, 0.2), "coupler": (3.0, 0.7), "rocker": (2.0, 0.5)}
    for name, (mass, length) in bars.items():
        across = mass * length**2 / 12.0
        bar = m.body(name, mass=mass, com=(0.5 * length, 0.0, 0.0), inertia=(0.001, across, across))
        bar.point("tip", (length, 0.0, 0.0))
    m.revolute("pin_a", m.ground, "crank", axis="y", start="-60 deg")
    m.revolute("pin_b", "crank.tip", "coupler", axis="y", start="37 deg")
    m.revolute("pin_d", "ground.D", "rocker", axis="y", start="-72 deg")
    m.revolute("pin_c", "coupler.tip", "rocker.tip", axis="y")
    return m


def one_of_each() -> kb.Machine:
    """A pendulum with every shape, a spring, a damper and a cylinder; its name must be escaped."""
    m = kb.Machine(f"crane {EVIL}")
    arm = m.body("arm", mass=20.0, com=(0.5, 0.0, 0.0), inertia=(0.1, 1.7, 1.7))
    m.revolute("foot", m.ground, arm, axis="y", start="-20 deg")
    arm.shape("box", size=(1.0, 0.1, 0.1), at=(0.5, 0.0, 0.0))
    arm.shape("cylinder", size=(0.05, 0.3), at=(1.0, 0.0, 0.0), rpy=(1.57, 0.0, 0.0), colour="#ff8800")
    arm.shape("capsule", size=(0.03, 0.2), colour=EVIL)
    arm.shape("sphere", size=0.08, at=(1.0, 0.0, 0.0), colour="orange")
    arm.shape("line", points=((0, 0, 0), (0.5, 0, 0.2), (1, 0, 0)), colour="black")
    load = m.body("load", mass=5.0, inertia=(0.02, 0.03, 0.04, 0.001, 0.0, 0.0))
    m.spherical("hook", arm.at(1.0, 0.0, 0.0), load)
    m.spring("spring", m.ground.at(0.5, 0.0, 1.0), arm.at(0.5, 0.0, 0.0), stiffness=2e3)
    m.damper("damper", m.ground.at(0.3, 0.0, -0.6), arm.at(0.3, 0.0, 0.0), damping=50.0)
    oil = m.oil(kb.fluids.naya())
    lift = m.cylinder(
        "lift", m.ground.at(0.8, 0.0, -0.5), arm.at(0.5, 0.0, 0.0), bore=0.05, rod=0.03, stroke=0.3, oil=oil
    )
    tank = oil.tank("tank")
    oil.restrictor("throttle", a=lift.a, b=tank, area="5 mm2")
    oil.restrictor("return", a=lift.b, b=tank, area="5 mm2")
    return m
