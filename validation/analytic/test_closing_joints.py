# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of joint may close a loop: the slider-crank with other joints in place of its pins and slide.

In the plane of motion a ball, a sleeve along the pin or a cross act as a pin, and a sleeve along the slide as the
slide: motion and closed forms are those of test_slider_crank.py. What they add is redundant equations of all sorts,
which must not matter. Rank: closed form. Tolerance as in test_slider_crank.py.
"""

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import link
from references import signals
from references.linkages import SliderCrank

MODEL, THETA, RATE, STEP, DURATION = SliderCrank(), 0.3, 20.0, 2e-4, 0.4

KINDS = [
    {"wrist": "spherical"},
    {"wrist": "cylindrical"},
    {"wrist": "universal"},
    {"pin": "spherical"},
    {"pin": "cylindrical"},
    {"pin": "universal"},
    {"slide": "cylindrical"},
    {"main": "cylindrical"},
    {"pin": "universal", "slide": "cylindrical"},
]


def join(machine, name, kind, a, b, angle, rate, cut):
    """A joint that turns about z by an angle, of any kind that allows it."""
    start, speed = {
        "revolute": (angle, rate),
        "spherical": ((0.0, 0.0, angle), (0.0, 0.0, rate)),
        "cylindrical": ((0.0, angle), (0.0, rate)),
        "universal": ((angle, 0.0), (rate, 0.0)),
    }[kind]
    getattr(machine, kind)(name, a, b, start=start, speed=speed, cut=cut)


def slider_crank(kinds, cut, split=False):
    """The slider-crank with some joints replaced; ``split`` makes the slider of two halves that a fixed joint holds
    together.
    """
    machine = kb.Machine("slider-crank", gravity=(0.0, -MODEL.g, 0.0))
    phi, ratio = float(MODEL.rod_angle(THETA)), float(MODEL.rod_ratio(THETA))
    travel, speed = float(MODEL.travel(THETA)), float(MODEL.travel_ratio(THETA)) * RATE
    crank, rod = link(machine, "crank", MODEL.m_crank, MODEL.r), link(machine, "rod", MODEL.m_rod, MODEL.l)
    mass = MODEL.m_slider / (2.0 if split else 1.0)
    slider = machine.body("slider", mass=mass, inertia=(1e-3, 1e-3, 1e-3))

    def kind(name):
        return kinds.get(name, "revolute")

    join(machine, "main", kind("main"), machine.ground, crank, THETA, RATE, cut == "main")
    join(machine, "pin", kind("pin"), crank.at(MODEL.r, 0, 0), rod, phi - THETA, (ratio - 1.0) * RATE, cut == "pin")
    carried = machine.body("half", mass=mass, inertia=(1e-3, 1e-3, 1e-3)) if split else slider
    join(machine, "wrist", kind("wrist"), rod.at(MODEL.l, 0, 0), carried, -phi, -ratio * RATE, cut == "wrist")
    if kinds.get("slide") == "cylindrical":
        machine.cylindrical(
            "slide", machine.ground, slider, axis="x", start=(travel, 0.0), speed=(speed, 0.0), cut=cut == "slide"
        )
    else:
        machine.prismatic("slide", machine.ground, slider, axis="x", start=travel, speed=speed, cut=cut == "slide")
    if split:
        machine.fixed("weld", slider, carried, cut=cut == "weld")
    return machine


def follows_the_closed_form(run):
    theta, rate = signals.plane_angle(run["crank.orientation"].values), run["crank.angular_velocity"].values[:, 2]
    fastest = float(np.max(MODEL.rate(np.linspace(0.0, 2.0 * np.pi, 200), THETA, RATE)))
    limit = 50.0 * signals.rk4_error(fastest, STEP, DURATION) + 1e-10
    position = np.stack([MODEL.travel(theta), 0.0 * theta, 0.0 * theta], axis=-1)
    assert np.ptp(theta) > 2.0 * np.pi
    assert run["slider.position"].values == pytest.approx(position, abs=limit)
    assert run["slider.velocity"].values[:, 0] == pytest.approx(MODEL.travel_ratio(theta) * rate, abs=25.0 * limit)
    assert rate == pytest.approx(MODEL.rate(theta, THETA, RATE), abs=25.0 * limit)
    assert MODEL.time(theta[-1:], THETA, RATE) == pytest.approx(run.time[-1:], abs=limit / 10.0)


@pytest.mark.parametrize("enforcement", ["lagrange", "augmented"])
@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: " ".join(f"{k}={v}" for k, v in kinds.items()))
def test_other_kinds_of_joints(kinds, enforcement):
    """The replaced joint is the one that is cut."""
    machine = slider_crank(kinds, next(iter(kinds)))
    follows_the_closed_form(kb.simulate(machine, DURATION, step=STEP, record=4e-3, enforcement=enforcement))


@pytest.mark.parametrize("enforcement", ["lagrange", "augmented"])
@pytest.mark.parametrize("cut", ["weld", "wrist"])
def test_fixed_joint_in_the_loop(cut, enforcement):
    machine = slider_crank({}, cut, split=True)
    follows_the_closed_form(kb.simulate(machine, DURATION, step=STEP, record=4e-3, enforcement=enforcement))


@pytest.mark.parametrize("enforcement", ["lagrange", "penalty", "augmented"])
@pytest.mark.parametrize("kind", ["planar", "free"])
def test_joint_that_adds_nothing(kind, enforcement):
    """A planar joint on a rod that stays in the plane anyway has three redundant rows, a free joint none at all."""
    machine = slider_crank({}, "wrist")
    x, y = MODEL.r * np.cos(THETA), MODEL.r * np.sin(THETA)
    phi = float(MODEL.rod_angle(THETA))
    start = (x, y, phi) if kind == "planar" else (x, y, 0.0, 0.0, 0.0, phi)
    getattr(machine, kind)("extra", machine.ground, machine["rod"], start=start, cut=True)
    run = kb.simulate(machine, DURATION, step=STEP, record=4e-3, enforcement=enforcement)
    if enforcement != "penalty":
        follows_the_closed_form(run)
    else:
        theta = signals.plane_angle(run["crank.orientation"].values)
        assert run["slider.position"].values[:, 0] == pytest.approx(MODEL.travel(theta), abs=1e-6)
