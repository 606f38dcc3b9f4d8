# SPDX-License-Identifier: BSD-3-Clause
"""Machines that several validations share: the slider-crank and the four-bar of references/linkages.py.

Links lie along their own x-axis with the origin at the pin towards the crank's end; everything turns about z.
"""

import knuckleboom as kb
from references.linkages import FourBar, SliderCrank

SLIDER_CRANK, FOUR_BAR = SliderCrank(), FourBar()


def link(machine, name, mass, length):
    """A uniform slender link (with a little inertia about its own axis)."""
    across = mass * length**2 / 12.0
    return machine.body(name, mass=mass, com=(length / 2.0, 0.0, 0.0), inertia=(1e-2 * across, across, across))


def slider_crank(model=SLIDER_CRANK, theta=0.3, rate=20.0, cut=None):
    """Joints main (ground-crank), pin (crank-rod), wrist (rod-slider), slide (ground-slider), started closed."""
    machine = kb.Machine("slider-crank", gravity=(0.0, -model.g, 0.0))
    phi, ratio = float(model.rod_angle(theta)), float(model.rod_ratio(theta))
    crank = link(machine, "crank", model.m_crank, model.r)
    rod = link(machine, "rod", model.m_rod, model.l)
    slider = machine.body("slider", mass=model.m_slider, inertia=(1e-3, 1e-3, 1e-3))

    def marked(name):
        return {"cut": True} if name == cut else {}

    machine.revolute("main", machine.ground, crank, start=theta, speed=rate, **marked("main"))
    machine.revolute(
        "pin", crank.at(model.r, 0, 0), rod, start=phi - theta, speed=(ratio - 1.0) * rate, **marked("pin")
    )
    machine.prismatic(
        "slide",
        machine.ground,
        slider,
        axis="x",
        start=float(model.travel(theta)),
        speed=float(model.travel_ratio(theta)) * rate,
        **marked("slide"),
    )
    machine.revolute("wrist", rod.at(model.l, 0, 0), slider, start=-phi, speed=-ratio * rate, **marked("wrist"))
    return machine


def four_bar(model=FOUR_BAR, theta=0.3, rate=20.0, cut=None, nudge=0.0, exact_speeds=True):
    """Joints main (ground-crank), knee (crank-coupler), tip (coupler-rocker), foot (ground-rocker).

    ``nudge`` [rad] turns the starts of knee, tip and foot away from the closed pose; without ``exact_speeds`` only
    the crank has a speed.
    """
    machine = kb.Machine("four-bar", gravity=(0.0, -model.g, 0.0))
    phi, psi = (float(x) for x in model.angles(theta))
    coupler_ratio, rocker_ratio = (float(x) for x in model.ratios(theta))
    crank = link(machine, "crank", model.m_crank, model.a)
    coupler = link(machine, "coupler", model.m_coupler, model.b)
    rocker = link(machine, "rocker", model.m_rocker, model.c)
    moves = rate if exact_speeds else 0.0

    def marked(name):
        return {"cut": True} if name == cut else {}

    machine.revolute("main", machine.ground, crank, start=theta, speed=rate, **marked("main"))
    machine.revolute(
        "knee",
        crank.at(model.a, 0, 0),
        coupler,
        start=phi - theta + nudge,
        speed=(coupler_ratio - 1.0) * moves,
        **marked("knee"),
    )
    machine.revolute(
        "foot",
        machine.ground.at(model.d, 0, 0),
        rocker,
        start=psi - nudge,
        speed=rocker_ratio * moves,
        **marked("foot"),
    )
    machine.revolute(
        "tip",
        coupler.at(model.b, 0, 0),
        rocker.at(model.c, 0, 0),
        start=psi - phi - nudge,
        speed=(rocker_ratio - coupler_ratio) * moves,
        **marked("tip"),
    )
    return machine
