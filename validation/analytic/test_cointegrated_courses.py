# SPDX-License-Identifier: BSD-3-Clause
"""`cointegrated` with the constant rate of [Naya 2011, eq. 40] (course `published`), and with the straight line.

Rank on the ladder: second formulation. A mass that falls onto a cylinder whose piston leaks is stepped in plain NumPy,
position, speed and strains of two chambers: the trapezoidal rule for the mass, with SciPy's root of its end speed, and
RK4 or forward Euler for the oil in steps of its own, along the course that the end speed gives. The package does the
same with Newton's iteration on its own equations, so that both agree to where these stop, 1e-10 m and 1 Pa a step.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb

MASS, FRICTION, GRAVITY = 3000.0, 2e4, 9.81  # kg, N·s/m, m/s²
BORE, ROD, CLOSED, STROKE, DEAD, BULK, LEAK = 0.08, 0.045, 0.8, 0.6, 1e-4, 1.4e9, 2e-11  # m, m³, Pa, m³/(s·Pa)
AREAS = 0.25 * math.pi * np.array([BORE**2, BORE**2 - ROD**2])
PRESSURES, AMBIENT = np.array([90e5, 90e5]), 101325.0  # Pa
H, SMALL, COUNT, FIRST = 4e-3, 1e-3, 100, 5  # s, s


def hanging():
    """The mass on its slide, 1.1 m above the foot of the cylinder."""
    m = kb.Machine("hanging", gravity=(0, 0, -GRAVITY))
    block = m.body("block", mass=MASS, com=(0, 0, 0), inertia=(1, 1, 1))
    m.prismatic("slide", m.ground, block, axis="z", start=1.1)
    m.cylinder("ram", m.ground, block.at(0, 0, 0), bore=BORE, rod=ROD, closed=CLOSED, stroke=STROKE, viscous=FRICTION,
               oil=m.oil(kb.fluids.constant(bulk=BULK)), dead_a=DEAD, dead_b=DEAD, leak=LEAK,
               pressure_a=PRESSURES[0], pressure_b=PRESSURES[1])  # fmt: skip
    return m


def strain_rates(e, s, w):
    """ė = (ΣQ − A w)/V of both chambers."""
    volumes = DEAD + AREAS * np.array([s - CLOSED, CLOSED + STROKE - s])
    flow = LEAK * BULK * (e[0] - e[1])
    return (np.array([-flow, flow]) - AREAS * np.array([w, -w])) / volumes


def acceleration(s, v, e):
    return (AREAS @ ((BULK * e - AMBIENT) * (1.0, -1.0)) - FRICTION * v) / MASS - GRAVITY


def course(name, s, v, s_end, v_end):
    """s and w at a fraction of the step."""
    mean, gain = (s_end - s) / H, 0.0 if name == "published" else v_end - v

    def at(part):
        return s + part * H * mean + 0.5 * H * part * (part - 1.0) * gain, mean + (part - 0.5) * gain

    return at


def oil(rule, e, at):
    """The strains at the end of the step."""
    width = SMALL / H
    for begin in np.arange(round(1.0 / width)) * width:
        k1 = strain_rates(e, *at(begin))
        if rule == "euler":
            e = e + SMALL * k1
            continue
        k2 = strain_rates(e + 0.5 * SMALL * k1, *at(begin + 0.5 * width))
        k3 = strain_rates(e + 0.5 * SMALL * k2, *at(begin + 0.5 * width))
        k4 = strain_rates(e + SMALL * k3, *at(begin + width))
        e = e + SMALL / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return e


def plain(name, rule, start):
    """s, v and pressures after each step from a start."""
    s, v, e = *start[:2], start[2:] / BULK
    a, states = acceleration(s, v, e), []
    for _ in range(COUNT - FIRST):

        def ends(v_end, s=s, v=v, e=e):
            s_end = s + 0.5 * H * (v + v_end)
            return s_end, v_end, oil(rule, e, course(name, s, v, s_end, v_end))

        def off(v_end, v=v, a=a, ends=ends):
            return v_end - v - 0.5 * H * (a + acceleration(*ends(v_end)))

        s, v, e = ends(brentq(off, v - 1.0, v + 1.0, xtol=1e-15, rtol=1e-14))
        a = acceleration(s, v, e)
        states.append([s, v, *(BULK * e)])
    return np.array(states).T


def package(name, rule):
    run = kb.simulate(
        hanging(), COUNT * H, step=H, record=H, coupling="cointegrated", course=name, power_integrator=rule,
        power_step=SMALL, integrator="trapezoidal", jumps="published",
    )  # fmt: skip
    paths = ("ram.length", "ram.speed", "ram.a.pressure", "ram.b.pressure")
    return np.array([run[path].values for path in paths])


@pytest.mark.parametrize("rule", ["rk4", "euler"])
@pytest.mark.parametrize("name", ["straight", "published"])
def test_the_course_is_that_of_plain_steps(name, rule):
    found = package(name, rule)[:, FIRST:]
    exact, found = plain(name, rule, found[:, 0]), found[:, 1:]
    for one, other, close in zip(found, exact, (1e-9, 1e-7, 1.0, 1.0), strict=True):
        assert np.ptp(other) > 1e4 * close
        assert one == pytest.approx(other, abs=close)


def test_courses_are_apart():
    """By more than a hundred times what is left above."""
    start = np.array([1.1, 0.0, *PRESSURES])
    apart = np.abs(plain("published", "rk4", start) - plain("straight", "rk4", start)).max(axis=1)
    assert apart[0] > 1e-6 and apart[2] > 2e3
