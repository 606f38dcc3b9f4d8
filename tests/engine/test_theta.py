# SPDX-License-Identifier: BSD-3-Clause
"""Newton's tangent of implicit steps is exact: its correction is that of a Jacobian made by differences.

The residuals of mechanics, oil and loops are differenced in all unknowns, un-eliminated, and solved densely: an
independent route for inertia, turning rows, loops, chambers, circuits, spools and their elimination together. The
kernels run as plain Python here, in a process of their own with NUMBA_DISABLE_JIT=1.
"""

import json

import numpy as np
import pytest

import knuckleboom as kb
from bench_machine import bench
from engine.element_parts import use_parts
from engine.newton_corrections import corrections, worst
from plain_python import answers_of


def rod():
    return kb.catalogue.NAMES["naya-rod"]().machine


def loops():
    """Every kind of row and movement: a slider-crank, a hanging ball, a free body, springs across branches."""
    m = kb.Machine("loops")
    crank = m.body("crank", mass=2.0, com=(0.1, 0.0, 0.0), inertia=(0.01, 0.02, 0.02))
    rod = m.body("rod", mass=1.0, com=(0.3, 0.0, 0.0), inertia=(0.01, 0.05, 0.05))
    slider = m.body("slider", mass=3.0, inertia=(0.1, 0.1, 0.1))
    ball = m.body("ball", mass=0.5, com=(0.0, 0.05, -0.2), inertia=(0.01, 0.02, 0.015))
    flyer = m.body("flyer", mass=0.7, com=(0.1, 0.05, -0.2), inertia=(0.01, 0.02, 0.015))
    m.revolute("main", m.ground, crank, start=0.5, speed=3.0)
    m.revolute("pin", crank.at(0.2, 0, 0), rod, start=-0.7)
    m.prismatic("slide", m.ground, slider, axis="x", start=0.7)
    m.revolute("wrist", rod.at(0.6, 0, 0), slider, cut=True)
    m.spherical("hang", slider, ball, start=(0.1, 0.2, 0.3), speed=(1.0, 2.0, 3.0))
    m.free("fly", m.ground, flyer, start=(0.3, 0.2, 1.0, 0.2, 0.1, 0.4), speed=(1.0, 2.0, 0.5, 1.0, -2.0, 0.3))
    m.rod("link", flyer.at(0.1, 0, 0), ball.at(0, 0, -0.1))
    m.spring("spring", m.ground.at(0, 0, -1.0), ball, stiffness=100.0, damping=1.0)
    m.spring("across", rod.at(0.1, 0.1, 0.2), flyer.at(0.1, 0.1, 0), stiffness=300.0, damping=2.0)
    m.force("wind", flyer.at(0.1, 0.3, 0), (1, 2, 0), value=5.0)
    m.force("jet", flyer.at(0.1, 0.3, 0), (1, 2, 0), frame="body", value=7.0)
    m.torque("twist", "ball", (1, 0.5, 0), frame="body", value=2.0)
    m.torque("turn", "flyer", (1, 0.5, 0), value=2.0)
    m.joint_spring("hold", "main", stiffness=40.0, damping=0.3)
    m.joint_friction("rub", "slide", coulomb=1.0, viscous=2.0)
    return m


def universal_loop():
    """A spatial loop closed by a universal joint: rows of axes that turn on both sides; and a driven distance."""
    m = kb.Machine("universal loop")
    crank = m.body("crank", mass=1.0, com=(0.1, 0, 0), inertia=(0.01, 0.02, 0.02))
    rod = m.body("rod", mass=2.0, com=(0.4, 0.02, 0), inertia=(0.02, 0.1, 0.1))
    rocker = m.body("rocker", mass=1.5, com=(0, 0, 0.2), inertia=(0.05, 0.05, 0.01))
    tail = m.body("tail", mass=0.5, com=(0, 0, 0.1), inertia=(0.01, 0.01, 0.01))
    m.revolute("main", m.ground, crank, axis="z", start=0.4, speed=3.0)
    m.spherical("ball", crank.at(0.2, 0, 0), rod)
    m.universal("cross", rod.at(0.8, 0, 0), rocker.at(0, 0, 0.5), axis="y", second_axis="z", cut=True)
    m.revolute("foot", m.ground.at(0.9, 0.1, -0.4), rocker, axis="y")
    m.revolute("wag", rocker.at(0, 0, 0.3), tail, axis="x", start=0.3)
    m.driver("pull", a=m.ground.at(0, 1.0, 0), b=tail.at(0, 0, 0.2), speed=0.1)
    return m


def rams():
    """Two cylinders that share a circuit, with spools, leakage, friction and a check valve that is half open."""
    m = kb.Machine("rams")
    a = m.body("a", mass=20.0, com=(0.5, 0, 0), inertia=(0.1, 2, 2))
    b = m.body("b", mass=10.0, com=(0.4, 0, 0), inertia=(0.1, 1, 1))
    m.revolute("ja", m.ground, a, axis="-y", start=0.5, speed=0.3)
    m.revolute("jb", a.at(1, 0, 0), b, axis="-y", start=-0.8, speed=-0.2)
    oil = m.oil("oil", kb.fluids.mineral_oil())
    words = {"bore": 0.05, "rod": 0.03, "stroke": 0.5, "oil": oil, "pressure_a": "30 bar", "pressure_b": "20 bar"}
    one = m.cylinder(
        "one", m.ground.at(0.3, 0, -0.5), a.at(0.6, 0, -0.1), leak=1e-12, viscous=1e3, coulomb=100.0, **words
    )
    two = m.cylinder("two", a.at(0.2, 0, 0.2), b.at(0.3, 0, 0.2), **words)
    pump, tank, hose = oil.pressure("pump", "100 bar"), oil.tank("tank"), oil.volume("hose", "0.2 l", "60 bar")
    m.restrictor("feed", pump, hose, area="3 mm^2")
    m.valve_4_3("first", P=hose, T=tank, A=one.a, B=one.b, flow=("20 l/min", "10 bar"))
    m.valve_4_3("second", P=hose, T=tank, A=two.a, B=two.b, flow=("20 l/min", "10 bar"))
    m.check_valve("check", hose, two.a, area="1 mm^2", cracking="1 bar", full="80 bar")
    return m


def winch():
    """A motor, flow sources with and without control, a relief valve that is half open, a second-order spool."""
    m = kb.Machine("winch")
    arm = m.body("arm", mass=20.0, com=(0.5, 0, 0), inertia=(0.1, 2, 2))
    drum = m.body("drum", mass=10.0, com=(0.05, 0, 0.02), inertia=(0.3, 0.4, 0.3))
    m.revolute("foot", m.ground, arm, axis="-y", start=0.5, speed=0.3)
    m.revolute("axle", arm.at(1, 0, 0.2), drum, axis="-y", start=0.2, speed=4.0)
    oil = m.oil("oil", kb.fluids.mineral_oil())
    tank, line = oil.tank("tank"), oil.volume("line", "0.3 l", "60 bar")
    words = {"oil": oil, "pressure_a": "50 bar", "pressure_b": "20 bar", "leak": 1e-12}
    motor = m.motor("motor", "axle", "50 cm3/rev", viscous=0.2, coulomb=1.0, dead_b="0.05 l", **words)
    ram = m.cylinder("ram", m.ground.at(0.3, 0, -0.5), arm.at(0.6, 0, -0.1), bore=0.05, rod=0.03, stroke=0.5, **words)
    m.flow_source("pump", tank, line, "30 l/min", frequency="15 Hz", damping=0.3)
    m.flow_source("boost", tank, motor.b, "5 l/min", time_constant="20 ms")
    m.flow_source("shunt", motor.b, ram.b, "2 l/min")
    m.relief_valve("relief", line, tank, setting="40 bar", override="40 bar", flow=("60 l/min", "80 bar"))
    m.valve_4_3("swing", P=line, T=tank, A=motor.a, B=motor.b, flow=("20 l/min", "10 bar"), frequency="25 Hz")
    m.valve_4_3("lift", P=line, T=tank, A=ram.a, B=ram.b, flow=("20 l/min", "10 bar"))
    return m


def geared():
    """A gear between two joints that share a body."""
    m = kb.Machine("geared")
    arm = m.body("arm", mass=3.0, com=(0.2, 0.05, 0), inertia=(0.1, 0.3, 0.3))
    wheel = m.body("wheel", mass=1.0, com=(0.05, 0, 0), inertia=(0.1, 0.1, 0.15))
    m.revolute("hinge", m.ground, arm, axis="y", start=0.4, speed=2.0)
    m.revolute("axle", arm.at(0.5, 0, 0), wheel, axis="x", start=0.3)
    m.gear("bevel", "hinge", "axle", ratio=1.5)
    m.spring("pull", m.ground.at(0, 1, 0), wheel.at(0.1, 0.1, 0), stiffness=50.0, damping=1.0)
    return m


def elements():
    """Elements with several rows and states: a friction patch, a synchronous machine, and one with every slope."""
    m = kb.Machine("elements")
    a = m.body("a", mass=2.0, com=(0.5, 0, 0), inertia=(0.1, 0.2, 0.2))
    b = m.body("b", mass=1.0, com=(0.4, 0.1, 0), inertia=(0.1, 0.1, 0.15))
    m.revolute("ja", m.ground, a, axis="-y", start=0.5, speed=0.3)
    m.universal("jb", a.at(1, 0, 0), b, axis="y", second_axis="z", start=(-0.8, 0.2), speed=(0.4, -0.6))
    m.pressed_patch("patch", b.at(0.5, 0, 0), b, m.ground.at(1.2, 0.6, 1.6))
    m.rotor_machine("rotor", "ja")
    m.coupled("coupled", b.at(0.3, 0.1, 0), m.ground.at(0.4, 0, -2), a.at(0.2, 1.5, 0), m.ground.at(0, 2, 0))
    return m


def shapes():
    """A body that bends, with what hangs on its attachments: a loop through one, a spring and a rod between two, and a
    second body that bends on the first.
    """
    m = kb.Machine("shapes")
    beam = m.body("beam", mass=2.0, com=(0.4, 0.05, 0.02), inertia=(0.02, 0.2, 0.21))
    m.spherical("foot", m.ground.at(0.1, 0, 0.2), beam, start=(0.2, -0.3, 0.1), speed=(0.3, 1.0, -0.6))
    m.shape("up", of=beam, stiffness=900.0, damping=3.0, start=0.05, speed=0.4)
    m.shape("side", of=beam, stiffness=600.0, damping=2.0, mass=0.7, start=-0.04, speed=-0.3)
    turns = {"up": (0.1, -1.1, 0.2), "side": (0.3, 0.2, 1.2)}
    middle = m.attachment(
        "middle", of=beam, at=(0.5, 0, 0.1), moves={"up": (0.02, 0, 0.4), "side": (0, 0.3, 0.05)}, turns=turns,
        mass=0.5, inertia=(0.01, 0.012, 0.011),
    )  # fmt: skip
    tip = m.attachment(
        "tip", of=beam, at=(1.0, 0, 0), moves={"up": (-0.1, 0.03, 1.0), "side": (0.02, 0.9, 0)},
        turns={"up": (-0.2, -1.6, 0.1), "side": (0.1, 0.4, 1.4)},
    )  # fmt: skip
    m.attachment("eye", of=beam, at=(0.2, 0, -0.2), moves={"up": (0.3, 0, 0.1)})
    load = m.body("load", mass=1.2, com=(0.1, 0.02, -0.2), inertia=(0.02, 0.03, 0.025))
    m.revolute("hook", tip.at(0.05, 0, 0.02), load.at(0, 0, 0.1), axis="y", start=0.3, speed=-0.8)
    m.shape("sway", of=load, stiffness=300.0, mass=0.1, start=0.03, speed=0.2)
    end = m.attachment(
        "end", of=load, at=(0.1, 0, -0.5), moves={"sway": (1.0, 0.2, 0)}, turns={"sway": (0, 1.5, 0.3)}, mass=0.4
    )  # fmt: skip
    m.rod("stay", "eye", m.ground.at(0.3, 0.4, -0.3))
    m.spring("brace", middle.at(0, 0.1, 0), tip.at(0, 0.1, 0.1), stiffness=400.0, damping=5.0)
    m.spring("guy", end.at(0, 0, -0.1), m.ground.at(1.0, 0.5, -1.0), stiffness=200.0, damping=2.0)
    m.force("jet", end, (1, 2, 0), frame="body", value=7.0)
    m.torque("twist", "tip", (1, 0.5, 0), frame="body", value=2.0)
    return m


MACHINES = {
    "elements": elements,
    "bench": bench,
    "rod": rod,
    "geared": geared,
    "loops": loops,
    "universal_loop": universal_loop,
    "rams": rams,
    "shapes": shapes,
    "winch": winch,
}


METHODS = {
    "relative": {},
    "relative, sparse, damped": {"factorisation": "sparse", "integrator": "generalised-alpha"},
    "reference-point": {"coordinates": "reference-point"},
    "reference-point, dense, damped": {
        "coordinates": "reference-point",
        "factorisation": "dense",
        "spectral_radius": 0.3,
    },
    "natural": {"coordinates": "natural"},
    "natural, dense, damped": {"coordinates": "natural", "factorisation": "dense", "spectral_radius": 0.6},
}
CASES = [
    *((name, "relative") for name in MACHINES),
    *((name, method) for name in ("loops", "rams", "bench", "elements") for method in METHODS if method != "relative"),
    ("geared", "reference-point"),
    ("shapes", "relative, sparse, damped"),
    ("shapes", "reference-point"),
    ("shapes", "reference-point, dense, damped"),
]


def of_machine(name, method):
    """Corrections from a state with spools and inputs anywhere; angles of joints that are cut are meant where these
    are closed.
    """
    random = np.random.default_rng(7)
    planned = kb.build(MACHINES[name](), coupling="unified", **METHODS[method])
    state, layout = planned.work.state, planned.layout
    state.u[:] = random.uniform(0.2, 0.6, len(state.u))
    bent = ("bristle", "bend_")
    state.x[layout.nvolume :] = [1e-4 if lag.name.startswith(bent) else 0.3 for lag in layout.lags]
    closed = planned.method.coordinates == "natural" or (name, method) == ("geared", "reference-point")
    return corrections(planned, random, closed=closed)


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), CASES)
def test_newtons_correction_is_that_of_the_differenced_jacobian(plain, name, method):
    assert worst(plain[f"{name}, {method}"]) < 1e-8


if __name__ == "__main__":
    use_parts()
    print(json.dumps({f"{name}, {method}": of_machine(name, method) for name, method in CASES}))
