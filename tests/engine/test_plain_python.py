# SPDX-License-Identifier: BSD-3-Clause
"""The same source without the compiler gives the same numbers: plain Python is the oracle.

This file is also the program that a second process runs with NUMBA_DISABLE_JIT=1. Tolerance: the compiler may join a
product and a sum into one rounding, 1e-16 at a time; a few steps make that 1e-13 of each quantity's size.
"""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest

import knuckleboom as kb
from bench_machine import bench
from knuckleboom.engine.run import run_explicit
from plain_python import answers_of

STEPS = 3


def naya_rod():
    return kb.catalogue.NAMES["naya-rod"]().machine


def loop():
    """A crank that drives a slider through a rod, and a ball that hangs on it: every movement, and a loop."""
    m = kb.Machine("loop")
    crank = m.body("crank", mass=2.0, com=(0.1, 0.0, 0.0), inertia=(0.01, 0.02, 0.02))
    rod = m.body("rod", mass=1.0, com=(0.3, 0.0, 0.0), inertia=(0.01, 0.05, 0.05))
    slider = m.body("slider", mass=3.0, inertia=(0.1, 0.1, 0.1))
    ball = m.body("ball", mass=0.5, com=(0.0, 0.0, -0.2), inertia=(0.01, 0.01, 0.01))
    m.revolute("main", m.ground, crank, start=0.5, speed=3.0)
    m.revolute("pin", crank.at(0.2, 0, 0), rod, start=-0.7)
    m.prismatic("slide", m.ground, slider, axis="x", start=0.7)
    m.revolute("wrist", rod.at(0.6, 0, 0), slider, cut=True)
    m.spherical("hang", slider, ball, start=(0.1, 0.2, 0.3), speed=(1.0, 2.0, 3.0))
    m.spring("spring", m.ground.at(0, 0, -1.0), ball, stiffness=100.0, damping=1.0)
    m.joint_stop("stop", "slide", upper=0.7, stiffness=1e4, damping=0.1)
    m.joint_friction("friction", "main", coulomb=1.0)
    return m


MACHINES = {"naya_rod": naya_rod, "loop": loop, "bench": bench}
METHODS = [
    {"integrator": "rk4", "enforcement": "lagrange", "factorisation": "sparse"},
    {"integrator": "semi-implicit-euler", "enforcement": "augmented", "factorisation": "dense"},
    {"coupling": "realtime"},
    {"coupling": "unified"},
    {"coupling": "cosimulated"},
]


def recorded(name, method):
    """The record of a few steps, by name."""
    sim = kb.Simulation(MACHINES[name](), step=1e-4, record=1e-4, **method)
    sim.run_for(STEPS * 1e-4)
    run = sim.results()
    return {path: np.asarray(run[path].values).tolist() for path in run.names.paths}


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(METHODS)), ids=[" ".join(method.values()) for method in METHODS])
@pytest.mark.parametrize("name", MACHINES)
def test_plain_python_gives_the_compiled_result(plain, name, number):
    compiled, oracle = recorded(name, METHODS[number]), plain[name][number]

    assert compiled.keys() == oracle.keys()
    for path, values in compiled.items():
        ours, theirs = np.array(values), np.array(oracle[path])
        assert np.abs(ours - theirs).max() <= 1e-12 * np.abs(theirs).max() + tiny(path), path


def tiny(path):
    """What cancels to nothing is known to rounding of what it was made of only."""
    if path.endswith(".residual_rate") or path.endswith(".residual"):
        return 1e-15
    return 1e-12 if path.startswith("energy.") or path.endswith((".work", ".dissipated")) else 1e-14


if __name__ == "__main__":
    assert inspect.isfunction(run_explicit), "the compiler is off"
    print(json.dumps({name: [recorded(name, method) for method in METHODS] for name in MACHINES}))
