# SPDX-License-Identifier: BSD-3-Clause
"""A boom held by a spring strut made of two light bodies in a loop, against the same strut as one massless row.

The strut's length is √(a² + b² − 2ab cos) of the boom's angle (law of cosines). Its spring acts in the slide of the
loop in one machine and between two points in the other. Rank: closed form (length); second formulation in our own
code (motion). Tolerance: the strut's bodies weigh 1e-7 of the boom, so motions differ by about 1e-7 of the swing:
1e-6 rad. The loop closes to 1e-9 m: RK4 leaves 1e-12, and rounding 1e-16 of the 2e8 m/s² with which the spring could
throw the light rod, over the square of a stabilisation rate of 100 1/s, leaves 1e-12 as well.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import signals

ARM, REACH, STIFFNESS, DAMPING, STEP = 0.5, 0.8, 6e4, 300.0, 1e-4
TINY, START = 2e-5, 0.5


def boom():
    machine = kb.Machine("boom", gravity=(0.0, -9.81, 0.0))
    body = machine.body("boom", mass=200.0, com=(0.6, 0.0, 0.0), inertia=(1.0, 20.0, 20.0))
    machine.revolute("foot", machine.ground, body, start=START)
    return machine, body


LENGTH = math.sqrt(ARM**2 + REACH**2 - 2.0 * ARM * REACH * math.cos(START + math.pi / 2.0))
BASE = (0.0, -REACH, 0.0)


def as_row():
    machine, body = boom()
    machine.spring(
        "strut",
        machine.ground.at(*BASE),
        body.at(ARM, 0.0, 0.0),
        stiffness=STIFFNESS,
        rest=LENGTH,
        damping=DAMPING,
    )
    return machine


def as_bodies(cut, kind="joint_spring"):
    machine, body = boom()
    pin = np.array([ARM * math.cos(START), ARM * math.sin(START)]) - np.array(BASE[:2])
    angle = math.atan2(pin[1], pin[0])
    barrel = machine.body("barrel", mass=TINY, inertia=(1e-7, 1e-6, 1e-6))
    rod = machine.body("rod", mass=TINY, inertia=(1e-7, 1e-6, 1e-6))
    machine.revolute("base", machine.ground.at(*BASE), barrel, start=angle, cut=cut == "base")
    machine.prismatic("slide", barrel, rod, axis="x", start=LENGTH, cut=cut == "slide")
    machine.revolute("head", body.at(ARM, 0.0, 0.0), rod, start=angle - START, cut=cut == "head")
    if kind == "joint_spring":
        machine.joint_spring("strut", "slide", stiffness=STIFFNESS, rest=LENGTH, damping=DAMPING)
    else:
        machine.spring("strut", barrel, rod, stiffness=STIFFNESS, rest=LENGTH, damping=DAMPING)
    return machine


@pytest.mark.parametrize("enforcement", ["lagrange", "augmented"])
@pytest.mark.parametrize("kind", ["joint_spring", "spring"])
@pytest.mark.parametrize("cut", [None, "head", "base"], ids=lambda cut: f"cut {cut}")
def test_strut_of_bodies_is_the_massless_strut(cut, kind, enforcement):
    light = kb.simulate(as_bodies(cut, kind), 0.5, step=STEP, record=5e-3, enforcement=enforcement)
    row = kb.simulate(as_row(), 0.5, step=STEP, record=5e-3)
    angle = signals.plane_angle(light["boom.orientation"].values)
    assert angle == pytest.approx(row["foot.angle"].values, abs=1e-6)
    assert np.ptp(angle) > 0.05

    # law of cosines at the simulated angle
    length = np.sqrt(ARM**2 + REACH**2 - 2.0 * ARM * REACH * np.cos(angle + math.pi / 2.0))
    assert light["slide.travel"].values == pytest.approx(length, abs=1e-9)
    length = np.sqrt(ARM**2 + REACH**2 - 2.0 * ARM * REACH * np.cos(row["foot.angle"].values + math.pi / 2.0))
    assert row["strut.length"].values == pytest.approx(length, abs=1e-12)
