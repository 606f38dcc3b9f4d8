# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that are compiled apart: called by address, ready when a machine needs them, and not before."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from knuckleboom.apart import apart_kernel, make_ready
from knuckleboom.family import Family
from knuckleboom.kernels import entry_point

SCRIPT = """
import json
import knuckleboom as kb
from knuckleboom import apart, kernels

def ball(touching):
    m = kb.Machine("ball")
    body = m.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.free("f", m.ground, body, start=(0, 0, 0.1, 0, 0, 0))
    if touching:
        m.terrain("floor")
        m.contact("skin", body, sphere=0.1, stiffness=1e4)
    return m

def ready():
    return sorted(one.name for one in apart._apart.values() if one.cell[0] != 0)

heard = []
kernels.on_compile = lambda name, seconds: heard.append(name)
found = {}
for coupling, touching in (("explicit", False), ("explicit", True), ("realtime", True), ("unified", True)):
    kb.build(ball(touching), coupling=coupling)
    found[f"{coupling} {touching}"] = ready()
print(json.dumps({"ready": found, "heard": heard}))
"""


def names(module, *kernels):
    return [f"knuckleboom_interface_{module}_{kernel}" for kernel in kernels]


EVALUATED = names("contact", "act", "observe")
TANGENT = names("ground_tangent", "add_to_mass", "eliminate", "restore", "take_from_momentum")
SLOPES = names("ground_slopes", "add_motion", "add_slopes", "eliminate")


@apart_kernel
def add_twice(plan, weight, place, values):
    """Add to each value twice its own. Writes values."""
    for i in range(values.shape[0]):
        values[i] += 2.0 * weight * plan.part.own[i]
    values[place] += 1.0


@entry_point
def call_it(plan, values):
    """Writes values."""
    for _ in range(2):
        add_twice(plan, 0.5, values.shape[0] - 1, values)


@entry_point
def call_it_wrongly(plan, values):
    """Writes values."""
    add_twice(plan, 0.5, 0, values[0])


def plan_of(**more):
    """Two members, one of them with what only some couplings have."""
    own = Family("plan_part", {"own": np.array([1.0, 2.0, 3.0])})
    return Family("plan", {"newton": Family("plan_newton", more), "part": own})


def test_a_kernel_is_called_by_its_address_whatever_families_a_coupling_has():
    for more in ({}, {"extra": np.zeros(4)}):
        values, plan = np.zeros(3), plan_of(**more)
        make_ready(add_twice, plan, 0.0, 0, values)
        call_it(plan, values)
        np.testing.assert_array_equal(values, [2.0, 4.0, 8.0])


def test_it_has_one_signature():
    make_ready(add_twice, plan_of(), 0.0, 0, np.zeros(3))
    with pytest.raises(TypeError, match="is called with"):
        call_it_wrongly(plan_of(), np.zeros(3))


def test_a_plan_makes_ready_what_its_machine_needs_and_tells_of_it_once():
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=os.environ)
    found = json.loads(ran.stdout.splitlines()[-1])
    assert found["ready"] == {
        "explicit False": [],
        "explicit True": EVALUATED,
        "realtime True": sorted(EVALUATED + TANGENT),
        "unified True": sorted(EVALUATED + TANGENT + SLOPES),
    }
    assert found["heard"].count("contact") <= 6  # a start and an end of each coupling
