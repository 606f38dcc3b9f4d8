# SPDX-License-Identifier: BSD-3-Clause
"""The size of a block of steps changes no bit: not of motion, oil, energies, jumps or functions with a memory."""

import importlib
import itertools
import random

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.simulation.schedule import BLOCK_SECONDS, next_block

RUN = importlib.import_module("knuckleboom.simulation.session")
SIZES = {
    "one step": lambda: itertools.repeat(1),
    "seven steps": lambda: itertools.repeat(7),
    "all": lambda: itertools.repeat(10**9),
    "any": lambda: iter(random.Random(1).choices(range(1, 60), k=10**5)),
}


def in_blocks(monkeypatch, sizes, *args, **more):
    """Simulate with blocks of these sizes (the first block is always one step)."""
    taken = iter(sizes)
    monkeypatch.setattr(RUN, "next_block", lambda count, took: next(taken))
    return kb.simulate(*args, **more)


def equal(one, other):
    assert list(one.names) == list(other.names)
    assert np.array_equal(one.record, other.record)
    assert one.energy().to_dict() == other.energy().to_dict()
    assert one.meta["steps"] == other.meta["steps"]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit-euler"])
def test_naya_rod_with_jumps_off_the_grid(monkeypatch, sizes, integrator):
    case = kb.catalogue.NAMES["naya-rod"]()
    kappa = case.inputs["valve"].values[0]
    inputs = {"valve": kb.steps({0.0: kappa, 0.0123456: kappa - 0.01, 0.03: kappa + 0.01, 0.0300000007: kappa})}
    words = {"step": "0.05 ms", "record": "0.35 ms", "inputs": inputs, "integrator": integrator}

    whole = kb.simulate(case.machine, 0.05, **words)

    equal(in_blocks(monkeypatch, SIZES[sizes](), case.machine, 0.05, **words), whole)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_loop_with_a_short_last_step(monkeypatch, sizes):
    machine = kb.Machine("two arms")
    arms = [machine.body(name, mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)) for name in ("left", "right")]
    machine.revolute("a", machine.ground, arms[0], axis="y", start=0.5)
    machine.revolute("b", machine.ground.at(1, 0, 0), arms[1], axis="y", start=0.4)
    machine.rod("coupler", arms[0].at(1, 0, 0), arms[1].at(1, 0, 0))
    machine.spherical("ball", arms[0].at(1, 0, 0), machine.body("bob", mass=1.0, com=(0, 0, -1), inertia=(1, 1, 1)))

    whole = kb.simulate(machine, 0.2345, step="1 ms")

    equal(in_blocks(monkeypatch, SIZES[sizes](), machine, 0.2345, step="1 ms"), whole)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_function_with_a_memory(monkeypatch, sizes):
    machine = kb.Machine("cart")
    body = machine.body("cart", mass=1.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")

    def shaking():
        numbers = random.Random(3)
        return lambda t: numbers.uniform(0.9, 1.1)

    whole = kb.simulate(machine, 0.1, step="1 ms", inputs={"push": shaking()})

    equal(in_blocks(monkeypatch, SIZES[sizes](), machine, 0.1, step="1 ms", inputs={"push": shaking()}), whole)


def test_blocks_grow_while_they_are_short_and_shrink_when_they_are_long():
    assert next_block(8, 0.1 * BLOCK_SECONDS) == 16
    assert next_block(8, BLOCK_SECONDS) == 8
    assert next_block(8, 4.0 * BLOCK_SECONDS) == 2
    assert next_block(1, 100.0 * BLOCK_SECONDS) == 1


def test_progress_is_told_after_every_block_and_ends_at_one(monkeypatch):
    case = kb.catalogue.NAMES["naya-rod"]()
    told = []

    in_blocks(
        monkeypatch, itertools.repeat(3), case.machine, 0.01, step="1 ms", inputs=case.inputs, progress=told.append
    )

    assert told == pytest.approx([0.1, 0.4, 0.7, 1.0])
