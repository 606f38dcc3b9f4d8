# SPDX-License-Identifier: BSD-3-Clause
"""Oil that moves with the stroke in Newton's tangent: its correction is that of differences.

Barrels and rods that turn in space: a free arm of them; the same hung up at its rod, so that the barrel is the outer
body; a loop that is cut at the slide or elsewhere; an end of the rod that bends; with a payload beside it. One cylinder
extends while the other retracts, so that columns come in at both ends. The kernels run as plain Python, in a process of
their own with NUMBA_DISABLE_JIT=1.
"""

import json

import numpy as np
import pytest

import knuckleboom as kb
from engine.newton_corrections import corrections, worst
from plain_python import answers_of

METHODS = {
    "relative": {},
    "relative, sparse, damped": {"factorisation": "sparse", "integrator": "generalised-alpha"},
    "reference-point": {"coordinates": "reference-point"},
    "reference-point, dense, damped": {"coordinates": "reference-point", "factorisation": "dense"},
}


def cylinder(m, name, barrel, rod, **words):
    """One whose oil is heavy enough to be seen, between places on x axes of its bodies."""
    oil = m.oil(kb.fluids.mineral_oil(9000.0), name=f"{name}_oil")
    return m.cylinder(
        name, barrel.at(-0.1, 0.1, 0.2), rod.at(0.05, 0.1, 0.2), oil=oil, bore=0.1, rod=0.06, stroke=0.5,
        closed=0.9, oil_mass=True, base=0.06, viscous=50.0, **words,
    )  # fmt: skip


def bodies(m, name):
    barrel = m.body(f"{name}_barrel", mass=3.0, com=(0.2, 0.0, 0.03), inertia=(0.05, 0.06, 0.08))
    rod = m.body(f"{name}_rod", mass=2.0, com=(-0.3, 0.1, 0.0), inertia=(0.02, 0.05, 0.05))
    return barrel, rod


def arm():
    """Two cylinders one behind the other, and a payload at the end."""
    m = kb.Machine("arm")
    barrel, rod = bodies(m, "one")
    m.spherical("foot", m.ground.at(0, 0, 0.2), barrel, start=(0.1, 0.3, 0.2), speed=(0.5, -0.4, 0.6))
    m.prismatic("slide", barrel, rod, axis="x", start=0.95, speed=0.8)
    cylinder(m, "one", barrel, rod)
    further, end = bodies(m, "two")
    m.revolute("knee", rod.at(0.1, 0, 0), further, axis="y", start=0.4, speed=0.7)
    m.cylindrical("sleeve", further.at(0, 0.1, 0.2), end.at(0, 0.1, 0.2), axis="x", start=(1.1, 0.3), speed=(-0.9, 0.5))
    cylinder(m, "two", further, end)
    m.payload("ore", end.at(0.2, 0.1, 0.0), mass=2.0, most=30.0, box=(0.2, 0.3, 0.5))
    return m


def hung_up():
    """A rod in a spherical joint, with its barrel on it."""
    m = kb.Machine("hung up")
    barrel, rod = bodies(m, "one")
    m.spherical("foot", m.ground.at(0, 0, 0.2), rod, start=(0.1, 0.3, 0.2), speed=(0.5, -0.4, 0.6))
    m.prismatic("slide", barrel, rod, axis="x", start=0.95, speed=0.8)
    cylinder(m, "one", barrel, rod)
    return m


def loop(cut):
    """A boom on a cylinder with bodies, on a tower that turns; its foot or its slide is cut."""
    m = kb.Machine("loop")
    tower = m.body("tower", mass=20.0, com=(0.1, 0, 0.3), inertia=(1, 1, 1))
    boom = m.body("boom", mass=20.0, com=(1.0, 0, 0), inertia=(1, 5, 5))
    m.revolute("slew", m.ground, tower, axis="z", start=0.3, speed=0.9)
    m.revolute("foot", tower, boom, axis="y", start=-0.3, speed=-0.5)
    barrel, rod = bodies(m, "one")
    m.spherical("heel", tower.at(0.4, 0, -0.7), barrel.at(-0.1, 0.1, 0.2), start=(0.1, -0.9, 0.0))
    m.universal("head", boom.at(0.9, 0, -0.1), rod.at(0.05, 0.1, 0.2), axis="y", start=(-0.6, 0.0))
    m.prismatic("slide", barrel, rod, axis="x", start=0.95)
    cylinder(m, "one", barrel, rod)
    m.put(m.parts[cut].model_copy(update={"cut": True}))
    return m


def bending():
    """A rod that hangs on a boom which bends."""
    m = kb.Machine("bending")
    boom = m.body("boom", mass=3.0, com=(0.2, 0.0, 0.03), inertia=(0.05, 0.06, 0.08))
    m.spherical("foot", m.ground.at(0, 0, 0.2), boom, start=(0.1, 0.3, 0.2), speed=(0.5, 0.4, 0.6))
    m.shape("up", of=boom, stiffness=900.0, damping=3.0, start=0.05, speed=-0.4)
    turns = {"up": (0.1, -1.1, 0.2)}
    end = m.attachment("end", of=boom, at=(0.5, 0, 0), moves={"up": (-0.1, 0.03, 1.0)}, turns=turns, mass=0.2)
    barrel, rod = bodies(m, "one")
    m.revolute("knee", end, rod, axis="y", start=0.2, speed=0.1)
    m.prismatic("slide", barrel, rod, axis="x", start=1.1, speed=-0.8)
    cylinder(m, "one", barrel, rod)
    return m


MACHINES = {
    "arm": arm, "hung up": hung_up, "cut slide": lambda: loop("slide"), "cut heel": lambda: loop("heel"),
    "bending": bending,
}  # fmt: skip
CASES = [(name, method) for name in MACHINES for method in METHODS]


def of_newton(name, method):
    """Newton's correction both ways, and what the columns do."""
    planned = kb.build(MACHINES[name](), coupling="unified", **METHODS[method])
    if "ore" in planned.machine.parts:
        planned.work.state.u[:] = 9.0
    found = corrections(planned, np.random.default_rng(5))
    return {"found": found, "flow": planned.work.payload.flow.tolist()}


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), CASES)
def test_newtons_correction_is_that_of_the_differenced_jacobian(plain, name, method):
    answer = plain[f"{name}, {method}"]
    mass, growth = np.array(answer["flow"]).T
    assert mass.min() > 1.0 and growth.max() > 5.0
    assert worst(answer["found"]) < 1e-8


if __name__ == "__main__":
    print(json.dumps({f"{name}, {method}": of_newton(name, method) for name, method in CASES}))
