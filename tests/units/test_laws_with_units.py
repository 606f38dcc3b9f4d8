# SPDX-License-Identifier: BSD-3-Clause
"""Laws with units: every law runs with pint quantities and gives what its docstring says.

The checks run in a process of their own with NUMBA_DISABLE_JIT=1, where a kernel is the plain Python function: this
file is also that program. The functions of ``math`` know no units, so the law's module gets a stand-in that does: a
root takes half the dimension, and what must be a pure number (an exponential, a logarithm) is refused when it is not.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

import knuckleboom

LAWS = sorted(path.stem for path in (Path(knuckleboom.__file__).parent / "laws").glob("[a-z]*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_law_gives_the_right_dimensions_and_refuses_wrong_ones(law):
    paths = os.pathsep.join([str(Path(knuckleboom.__file__).parents[1]), *sys.path])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}

    done = subprocess.run([sys.executable, __file__, law], env=environment, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{law} is right\n"


# --- the program ------------------------------------------------------------------------------------------------------


def pure(x):
    """The number that must have no unit."""
    return x if isinstance(x, float) else x.m_as("1")


class Maths:
    """The functions of ``math`` that laws use, for quantities."""

    @staticmethod
    def sqrt(x):
        return x**0.5

    @staticmethod
    def hypot(x, y):
        return (x * x + y * y) ** 0.5

    @staticmethod
    def copysign(x, y):
        return abs(x) if y >= 0.0 * y else -abs(x)

    @staticmethod
    def expm1(x):
        return math.expm1(pure(x))

    @staticmethod
    def exp(x):
        return math.exp(pure(x))

    @staticmethod
    def tanh(x):
        return math.tanh(pure(x))

    @staticmethod
    def log(x):
        return math.log(pure(x))

    @staticmethod
    def atan2(y, x):
        return math.atan2(pure(y), pure(x))

    @staticmethod
    def log1p(x):
        return math.log1p(pure(x))


def check_oil_naya(law, u, refused):
    a, b = 6.53e-10 / u.Pa, -1.19e-18 / u.Pa**2
    p, beta = law.oil_naya(u.Quantity(0.01, ""), a, b)
    assert p.check("[pressure]") and beta.check("[pressure]")
    assert law.curvature_naya(u.Quantity(0.01, ""), a, b).check("[pressure]")
    assert u.Quantity(law.strain_naya(200 * u.bar, a, b)).check("[]")
    assert refused(law.strain_naya, 200 * u.bar, a, b * u.Pa)
    assert refused(law.oil_naya, u.Quantity(0.01, ""), a, b * u.Pa)
    assert refused(law.oil_naya, 0.01 * u.bar, a, b)


def check_oil_cavitating(law, u, refused):
    bulk, vapour, half = 1.4 * u.GPa, 0.1 * u.bar, 3 * u.bar
    for e in (0.01, -0.01):
        p, slope = law.oil_cavitating(u.Quantity(e, ""), bulk, vapour, half)
        assert p.check("[pressure]") and slope.check("[pressure]")
        assert law.curvature_cavitating(u.Quantity(e, ""), bulk, half).check("[pressure]")
    assert law.strain_cavitating(200 * u.bar, bulk, vapour, half).check("[]")
    assert refused(law.oil_cavitating, u.Quantity(0.01, ""), bulk, vapour, 3 * u.N)
    assert refused(law.strain_cavitating, 200 * u.bar, bulk, 0.1 * u.m, half)


def check_oil_constant(law, u, refused):
    p, slope = law.oil_constant(u.Quantity(0.01, ""), 1.4 * u.GPa)
    assert p.check("[pressure]") and slope.check("[pressure]")
    assert law.strain_constant(200 * u.bar, 1.4 * u.GPa).check("[]")
    assert law.energy_constant(200 * u.bar, 1 * u.atm, 1.4 * u.GPa).check("[energy]/[volume]")
    assert refused(law.energy_constant, 200 * u.bar, 1 * u.m, 1.4 * u.GPa)


def check_oil_with_air(law, u, refused):
    one = u.Quantity(1.0, "")
    numbers = [1.4 * u.GPa, 0.01 * one, 1 * u.atm, 0.1 * u.bar, 1.4 * one]
    for strain in (-60.0, -0.5, 0.005, 0.02):
        p, slope = law.oil_with_air(strain * one, *numbers)
        assert p.check("[pressure]") and slope.check("[pressure]")
        assert law.curvature_with_air(strain * one, *numbers).check("[pressure]")
        assert refused(law.oil_with_air, strain * one, *numbers[:3], 0.1 * u.m, numbers[4])
    assert u.Quantity(law.strain_with_air(200 * u.bar, *numbers)).check("[]")
    assert law.energy_with_air(200 * u.bar, 1 * u.atm, *numbers).check("[energy]/[volume]")
    assert refused(law.strain_with_air, 200 * u.bar, 1.4 * u.m, *numbers[1:])
    assert refused(law.energy_with_air, 200 * u.bar, 1 * u.atm, 1.4 * u.m, *numbers[1:])


def check_stage_area(law, u, refused):
    numbers = [0 * u.m, 80 * u.cm**2, 1 * u.mm, 0.5 * u.m, 50 * u.cm**2, 1 * u.mm]
    for x in (0.2, 0.5, 0.7):
        volume, area, bend = law.stage_area(numbers, 0, 2, x * u.m)
        assert volume.check("[volume]") and area.check("[area]") and bend.check("[length]")
        assert refused(law.stage_area, numbers, 0, 2, x * u.bar)
    assert refused(law.stage_area, [*numbers[:4], 50 * u.mm, 1 * u.mm], 0, 2, 0.7 * u.m)


def check_smooth_step(law, u, refused):
    for r in (-0.2, 0.3, 1.2):
        assert all(u.Quantity(answer).check("[]") for answer in law.smooth_step(u.Quantity(r, "")))
    assert refused(law.smooth_step, 0.3 * u.m) and refused(law.smooth_step, 1.2 * u.m)


def check_smooth_least(law, u, refused):
    for a in (1.0, 1.95, 2.05, 3.0):
        value, by_a, by_b = law.smooth_least(a * u.bar, 2.0 * u.bar, 0.1 * u.bar)
        assert value.check("[pressure]")
        assert u.Quantity(by_a).check("[]") and u.Quantity(by_b).check("[]")
    assert refused(law.smooth_least, 1.95 * u.bar, 2.0 * u.m, 0.1 * u.bar)
    assert refused(law.smooth_least, 1.95 * u.bar, 2.0 * u.bar, 0.1 * u.m)


def check_smooth_positive(law, u, refused):
    for x in (-1.0, 0.05, 3.0):
        value, slope = law.smooth_positive(x * u.bar, 0.1 * u.bar)
        assert value.check("[pressure]") and u.Quantity(slope).check("[]")
    assert refused(law.smooth_positive, 0.05 * u.bar, 0.1 * u.m)


def check_curve(law, u, refused):
    opening, flow = u.Quantity(1.0, "mm"), u.Quantity(1.0, "l/min")
    numbers = []
    for x, y in ((-1.0, 0.0), (0.0, 1.0), (2.0, 5.0)):
        numbers += [x * opening, y * flow, 0.5 * flow / opening]
    for x in (-3.0, -0.5, 1.0, 3.0):
        value, slope = law.curve(numbers, 0, 3, x * opening)
        assert value.check("[volume]/[time]") and slope.check("[area]/[time]")
        assert refused(law.curve, numbers, 0, 3, x * u.bar)
    numbers[2] = numbers[5] = numbers[8] = flow
    assert refused(law.curve, numbers, 0, 3, 1.0 * opening)


def check_bristle(law, u, refused):
    numbers = [200 * u.N, 0.8 * u.kN, 12 * u.mm / u.s, 5 * u.kN / u.mm, 2 * u.N * u.s / u.mm, 0.3 * u.N * u.s / u.mm]
    numbers.append(4 * u.mm / u.s)
    units = ("N", "N/m", "N*s/m", "m/s", "1/s", "1")
    z, w = 3 * u.um, 5 * u.mm / u.s
    for rate in (w, -w, 0.0 * w):
        answers = law.bristle(z, rate, *numbers)
        assert all(answer.is_compatible_with(unit) for answer, unit in zip(answers, units, strict=True))
        assert law.sliding_force(rate, *numbers[:3], numbers[5]).check("[force]")
    for i, number in enumerate(numbers):
        wrong = [*numbers[:i], number * u.m, *numbers[i + 1 :]]
        assert refused(law.bristle, z, w, *wrong)
    bend, left = law.static_band(1 * u.kN, numbers[1], numbers[3])
    assert bend.check("[length]") and left.check("[force]")
    assert refused(law.static_band, 1 * u.kN, 1 * u.m, numbers[3])
    assert law.energy_bristle(z, numbers[3]).check("[energy]")


def check_tire_convection(law, u, refused):
    u_roll, patch, speed = 3 * u.m / u.s, 0.4 * u.m, 20 * u.cm / u.s
    for slipping in (0.0 / u.s, 2 / u.s, 1e7 / u.s):
        assert law.tire_convection(slipping, u_roll, patch, speed).check("1/[time]")
    for i, number in enumerate((2 / u.s, u_roll, patch, speed)):
        wrong = [2 / u.s, u_roll, patch, speed]
        wrong[i] = number * u.m
        assert refused(law.tire_convection, *wrong)


TIRE = ("1", "s/m", "1/m", "m/s", "1/s", "1")


def check_tire_friction(law, u, refused):
    one = u.Quantity(1.0, "")
    numbers = [
        0.3 * u.m / u.s, -0.1 * u.m / u.s, 2 * u.m / u.s, 3 * u.mm, 1 * u.mm, 0.7 * one, 0.6 * one, 1.2 * one,
        3 * u.m / u.s, 25 / u.m, 30 / u.m, 0.5 * u.s / u.m, 0.01 * u.s / u.m, 0.4 * u.m, 0.2 * u.m / u.s,
    ]  # fmt: skip
    for answers, unit in zip(law.tire_friction(*numbers), TIRE, strict=True):
        assert all(u.Quantity(answer).is_compatible_with(unit) for answer in answers)
    for i, number in enumerate(numbers):
        assert refused(law.tire_friction, *[*numbers[:i], number * u.m, *numbers[i + 1 :]])


def check_tire_published(law, u, refused):
    one = u.Quantity(1.0, "")
    numbers = [
        0.3 * u.m / u.s, -0.1 * u.m / u.s, 3 * u.mm, 1 * u.mm, 0.7 * one, 0.6 * one, 1.2 * one, 3 * u.m / u.s,
        25 / u.m, 30 / u.m, 0.5 * u.s / u.m, 0.01 * u.s / u.m,
    ]  # fmt: skip
    for answers, unit in zip(law.tire_published(*numbers), TIRE, strict=True):
        assert all(u.Quantity(answer).is_compatible_with(unit) for answer in answers)
    for i, number in enumerate(numbers):
        assert refused(law.tire_published, *[*numbers[:i], number * u.m, *numbers[i + 1 :]])


def check_tire_friction_change(law, u, refused):
    one, v, z = u.Quantity(1.0, ""), u.m / u.s, u.mm
    slips, bends = [0.3 * v, -0.1 * v], [3 * z, 1 * z]
    changes = [0.02 * v, 0.05 * v], [0.1 * z, -0.2 * z]
    friction = [0.7 * one, 0.6 * one, 1.2 * one, 3 * v, 25 / u.m, 30 / u.m, 0.5 * u.s / u.m, 0.01 * u.s / u.m]
    averaged = [*slips, 2 * v, *bends, *changes[0], 0.1 * v, *changes[1], *friction, 0.4 * u.m, 0.2 * v]
    published = [*slips, *bends, *changes[0], *changes[1], *friction]
    for change, numbers in ((law.tire_friction_change, averaged), (law.tire_published_change, published)):
        for answers, unit in zip(change(*numbers), ("", "m/s"), strict=True):
            assert all(u.Quantity(answer).is_compatible_with(unit) for answer in answers)
        for i, number in enumerate(numbers):
            assert refused(change, *[*numbers[:i], number * u.m, *numbers[i + 1 :]]), i


def check_hold(law, u, refused):
    w, speed = 5 * u.mm / u.s, 0.02 * u.m / u.s
    for r in (0.5, 0.95, 1.5):
        bend = u.Quantity(r, "")
        value, by_r, by_w = (u.Quantity(answer) for answer in law.hold(bend, w, speed))
        assert value.check("[]") and by_r.check("[]") and by_w.check("[time]/[length]")
        assert refused(law.hold, bend, w, 1 * u.m)
    assert refused(law.hold, 0.95 * u.m, w, speed)


def check_gas_spring(law, u, refused):
    p0, n, empty = 50 * u.bar, u.Quantity(1.4, ""), u.Quantity(1e-3, "")
    for part in (-0.01, 0.4, 1.2):
        e = u.Quantity(part, "")
        p, slope = law.gas_spring(e, p0, n, empty)
        assert p.check("[pressure]") and slope.check("[pressure]")
        assert law.curvature_gas(e, p0, n, empty).check("[pressure]")
        assert law.energy_gas(e, 1 * u.atm, p0, n, empty).check("[pressure]")
        assert u.Quantity(law.strain_gas(p, p0, n, empty)).check("[]")
        assert refused(law.energy_gas, e, 1 * u.m, p0, n, empty)
        assert refused(law.strain_gas, p.m_as("Pa") * u.m, p0, n, empty)
        assert refused(law.gas_spring, part * u.m, p0, n, empty)


def coefficient(u, area):
    return 0.65 * area * (2 / (860 * u.kg / u.m**3)) ** 0.5


def check_orifice_flow(law, u, refused):
    for dp in (80 * u.bar, 1 * u.bar, -1 * u.bar, -80 * u.bar):
        q, slope, secant = law.orifice_flow(dp, coefficient(u, 3 * u.mm**2), 2 * u.bar)
        assert q.check("[volume]/[time]") and q.magnitude * dp.magnitude > 0.0
        assert slope.check("[volume]/[time]/[pressure]") and secant.check("[volume]/[time]/[pressure]")
        # an area given in mm³ gives no flow
        assert not law.orifice_flow(dp, coefficient(u, 3 * u.mm**3), 2 * u.bar)[0].check("[volume]/[time]")
    assert refused(law.orifice_flow, 80 * u.bar, coefficient(u, 3 * u.mm**2), 2 * u.m)


def check_orifice_flow_one_sided(law, u, refused):
    q, slope, secant = law.orifice_flow_one_sided(80 * u.bar, coefficient(u, 3 * u.mm**2))
    assert q.check("[volume]/[time]")
    assert slope.check("[volume]/[time]/[pressure]") and secant.check("[volume]/[time]/[pressure]")
    assert not law.orifice_flow_one_sided(80 * u.bar, coefficient(u, 3 * u.mm**3))[0].check("[volume]/[time]")


def main(name):
    import importlib

    import pint

    law = importlib.import_module(f"knuckleboom.laws.{name}")
    law.math = Maths

    def refused(function, *arguments):
        try:
            function(*arguments)
        except pint.DimensionalityError:
            return True
        except ValueError as error:  # what pint says of 0.3 m >= 1.0
            return "Cannot compare" in str(error)
        return False

    globals()[f"check_{name}"](law, pint.UnitRegistry(), refused)
    print(f"{name} is right")


if __name__ == "__main__":
    main(sys.argv[1])
