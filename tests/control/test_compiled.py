# SPDX-License-Identifier: BSD-3-Clause
"""Compiled controllers: the call through an address, what it may call, and the fall-back without a compiler."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.control.compiled import address_of, call_controller, is_compiled
from knuckleboom.control.pid import pid_step
from knuckleboom.engine import run


def scaled(time, reads, writes, memory, parameters):
    if reads[0] > 10.0:
        raise ValueError("too much")
    memory[1] = time
    for i in range(writes.shape[0]):
        writes[i] = reads[i] * parameters[0]


@numba.njit
def through(address, time, reads, writes, memory, parameters):
    return call_controller(address, time, reads, writes, memory, parameters)


def test_a_call_through_an_address_is_a_call():
    address = address_of(kb.compiled(scaled))
    reads, writes, memory, parameters = np.array([1.0, 2.0]), np.zeros(2), np.zeros(3), np.array([7.0])

    assert through(address, 0.5, reads, writes, memory, parameters) == 0
    assert list(writes) == [7.0, 14.0] and list(memory) == [0.0, 0.5, 0.0]


@pytest.mark.parametrize("reads", [np.array([11.0, 0.0]), np.array([1.0])], ids=["raises", "out of bounds"])
def test_what_it_raises_is_told_by_the_answer(reads):
    address = address_of(kb.compiled(scaled))

    assert through(address, 0.0, reads, np.zeros(2), np.zeros(3), np.ones(1)) == 1


def test_a_compiled_controller_may_call_other_compiled_functions():
    @kb.compiled
    def half(value):
        return 0.5 * value

    @kb.compiled
    def halve(time, reads, writes, memory, parameters):
        writes[0] = half(reads[0])

    writes = np.zeros(1)
    through(address_of(halve), 0.0, np.array([3.0]), writes, np.zeros(0), np.zeros(0))

    assert writes[0] == 1.5


def test_the_step_loop_is_compiled_once_for_all_controllers():
    machine = kb.Machine("cart")
    body = machine.body("cart", mass=1.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")

    for gain in (1.0, 2.0):
        controller = kb.Controller(
            kb.compiled(scaled), reads="rail.travel", writes="push", every="1 ms", memory=2, parameters={"gain": gain}
        )
        kb.simulate(machine, 0.01, controllers=[controller])
    kb.simulate(machine, 0.01)

    assert len(run.run_explicit.signatures) == 1


def test_our_blocks_are_compiled_functions():
    assert is_compiled(pid_step) and not is_compiled(scaled)


WITHOUT_COMPILER = """
import json
import knuckleboom as kb

machine = kb.Machine("cart")
body = machine.body("cart", mass=1.0, inertia=(1, 1, 1))
machine.prismatic("rail", machine.ground, body, axis="x")
machine.force("push", body, direction="x")
level = kb.pid("level", reads="rail.travel", writes="push", setpoint="10 mm", kp=100.0, ki=20.0, kd=10.0, every="2 ms")
smooth = kb.low_pass("smooth", reads="rail.travel", frequency="50 Hz", every="1 ms")
run = kb.simulate(machine, 0.01, step="1 ms", record="1 ms", controllers=[level, smooth])
print(json.dumps([run["push.input"].values.tolist(), run["smooth.output"].values.tolist()]))
"""


@pytest.mark.slow
def test_without_the_compiler_the_same_controllers_are_called_as_python():
    source = str(Path(kb.__file__).parents[1])
    answers = []
    for switch in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": switch, "PYTHONPATH": source}
        done = subprocess.run([sys.executable, "-c", WITHOUT_COMPILER], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout))

    assert np.array(answers[0]) == pytest.approx(np.array(answers[1]), rel=1e-12)
