# SPDX-License-Identifier: BSD-3-Clause
"""Coupling `cosimulated` on `peiret-arm`, step by step, against the same scheme in plain NumPy on another model of it.

Rank on the ladder: second formulation, of the machine (absolute angles, Lagrange's equations, pressures:
src/knuckleboom/bench/references/peiret_arm.py) and of the scheme (``references/cosimulation_machine.py``). Where both
schemes are the same they agree to 1e-9 of each quantity over 60 exchanges of 1 ms with open valves:

- held, linear and quadratic rates with the trapezoidal or the forward Euler rule in the oil, held ones also with RK4,
- in all orders, by force or pressure, with semi-implicit Euler or the trapezoidal rule in the mechanics,
- the force of the end, with the trapezoidal rule also the mean.

Elsewhere they differ by what a small step is, and the more of these there are, the less: RK4 takes middle values of
rates from the course there, from a straight line here (and lengths from its stages, 1e-12); the linearly implicit rule
has the slope by length there, the length itself here; `published` has the force where the rates lead there, that of the
last moment here; `reduced` solves rates and oil together there, here it takes the force in the middle of a small step
from the last two. With the mean force of the reduced model coordinates go further than H v⁺ here, by what the force's
course within the step adds: that is in ``test_cosimulation.py``.
"""

import itertools

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import peiret_arm as reference
from knuckleboom.engine.course import RETURNS
from references.cosimulation import Scheme
from references.cosimulation_machine import Cosimulation, Mechanics, Power

ARM = reference.Arm()
SPOOLS = (0.3, -0.2)
H, COUNT = 1e-3, 60
MECHANICS = ("semi-implicit-euler", "trapezoidal")
VARIABLES = ("force-displacement", "pressure-displacement")
PATHS = ("lift.a.pressure", "lift.b.pressure", "fold.a.pressure", "fold.b.pressure")
AREAS = np.array([reference.AREAS_A, reference.AREAS_B])
SIZES = np.array([1.0, 1.0, 1.0, 1.0, 1e7, 1e7, 1e7, 1e7])


def turning(q, v):
    """Generalised forces of the links' turning, Ṁ v − ∂T/∂q."""
    size = 0.5 * ARM.outer_mass * reference.LENGTH_1 * reference.LENGTH_2 * np.sin(q[0] - q[1])
    return size * np.array([v[1] ** 2, -v[0] ** 2])


def bias(q, v):
    """Ȧ v by central differences of A along v, to some 1e-10 of it."""
    far = 1e-5
    ahead, behind = (reference.lengths(*(q + side * far * v))[1] for side in (1.0, -1.0))
    return (ahead - behind) @ v / (2.0 * far)


def oil_rates(x, s, w, t):
    """ṗ = β/V (Q − A w) of all four chambers."""
    rates = []
    for one in range(2):
        a, b = AREAS[:, one]
        flow_a, flow_b = reference.valve(SPOOLS[one], *x[2 * one : 2 * one + 2], reference.RATED[one])
        travel = s[one] - reference.CLOSED[one]
        rates.append(reference.BULK / (ARM.dead_volume + a * travel) * (flow_a - a * w[one]))
        rates.append(reference.BULK / (ARM.dead_volume + b * (reference.STROKE - travel)) * (flow_b + b * w[one]))
    return np.array(rates)


def oil_forces(x, s, w):
    """Of the chambers, against the pressure around."""
    a, b = AREAS
    return a * (x[::2] - reference.AMBIENT) - b * (x[1::2] - reference.AMBIENT)


def second(scheme, step=H, count=COUNT):
    """q, v, p after some exchanges, by the reference."""
    mechanics = Mechanics(
        mass=lambda q: ARM.mass_matrix(*q), force=lambda q, v: -ARM.weights(*q) - turning(q, v),
        rows=lambda q: reference.lengths(*q)[1], values=lambda q: reference.lengths(*q)[0], bias=bias,
    )  # fmt: skip
    power = Power(oil_rates, oil_forces, lambda s, w: -ARM.damping * w, sizes=1e6)
    start = ARM.start()
    run = Cosimulation(mechanics, power, scheme, step, start[:2], start[2:4], start[4:], keeps=True)
    for _ in range(count):
        run.step()
    return np.concatenate([run.q, run.v, run.x])


def package(scheme, step=H, count=COUNT, **words):
    """The same by the package."""
    given = {
        "order": scheme.order, "course": scheme.course, "handed": scheme.handed, "variables": scheme.interface,
        "integrator": scheme.mechanics, "power_integrator": scheme.power, "power_step": step / scheme.micro, **words,
    }  # fmt: skip
    sim = kb.Simulation(kb.catalogue.machine("peiret-arm"), step=step, coupling="cosimulated",
                        inputs=dict(zip(("lift_valve", "fold_valve"), SPOOLS, strict=True)), **given)  # fmt: skip
    sim.step(n=count)
    pin, hinge = ([sim[f"{joint}.angle"], sim[f"{joint}.angle_rate"]] for joint in ("pin", "hinge"))
    angles, speeds = zip(pin, np.add(pin, hinge), strict=True)
    return np.array([*angles, *speeds, *(sim[path] for path in PATHS)])


def same_schemes():
    """Those that are the same in both, with the words that the package has for them."""
    rules = [("hold", "rk4"), *itertools.product(("hold", "linear", "quadratic"), ("trapezoidal", "euler"))]
    sides = list(itertools.product(MECHANICS, VARIABLES))
    for (course, power), order, (mechanics, interface) in itertools.product(rules, ("power-first", "jacobi"), sides):
        for handed in ("end", "mean") if power == "trapezoidal" else ("end",):
            yield Scheme(order, course, handed, mechanics, power, 3, interface, balance_of(mechanics), RETURNS), {}
    for power, (mechanics, interface) in itertools.product(("trapezoidal", "euler"), sides):
        scheme = Scheme("mechanics-first", "linear", "end", mechanics, power, 3, interface, balance_of(mechanics))
        yield scheme, {"course": "interpolated"}


def balance_of(mechanics):
    """What the package keeps the oil's volumes equal to."""
    return "carried" if mechanics == "trapezoidal" else "staggered"


SAME = list(same_schemes())


@pytest.mark.parametrize(("scheme", "words"), SAME[::9], ids=lambda one: " ".join(map(str, vars(one).values())) if
                         isinstance(one, Scheme) else "")  # fmt: skip
def test_the_same_scheme_makes_the_same_steps(scheme, words):
    assert package(scheme, **words) / SIZES == pytest.approx(second(scheme) / SIZES, abs=1e-9)


@pytest.mark.slow
def test_all_the_same_schemes_make_the_same_steps():
    assert len(SAME) == 88
    for scheme, words in SAME:
        assert package(scheme, **words) / SIZES == pytest.approx(second(scheme) / SIZES, abs=1e-9), scheme


@pytest.mark.parametrize(
    ("course", "power", "handed", "words", "order"),
    [
        ("quadratic", "rk4", "end", {}, 2.0),
        ("hold", "lie", "end", {}, 1.0),
        ("reduced", "rk4", "end", {"course": "published"}, 1.0),
        ("integrated", "rk4", "end", {"course": "reduced"}, 2.0),
    ],
)
def test_other_schemes_differ_by_their_small_steps(course, power, handed, words, order):
    """The difference after 12 exchanges of 5 ms falls with the order of what differs when small steps are halved."""
    found = []
    for micro in (8, 16, 32):
        scheme = Scheme("power-first", course, handed, "semi-implicit-euler", power, micro, balance="staggered",
                        returns=RETURNS)  # fmt: skip
        runs = package(scheme, 5e-3, 12, **words), second(scheme, 5e-3, 12)
        found.append(float(np.abs((runs[0] - runs[1]) / SIZES).max()))
    assert found[2] < 1e-3
    assert np.log2(found[0] / found[1]) > order - 0.4
    assert np.log2(found[1] / found[2]) > order - 0.3
