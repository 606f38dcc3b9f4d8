# SPDX-License-Identifier: BSD-3-Clause
"""Nothing is allocated while a machine runs.

Entry points are compiled without Numba's memory management, so that code which would allocate does not compile; and
Numba's own counters, in a process where they are switched on, stay where they were.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import knuckleboom
from knuckleboom import kernels
from knuckleboom.catalogue import NAMES
from knuckleboom.engine import run

ENTRY_POINTS = [
    run.run_explicit,
    run.run_realtime,
    run.run_implicit,
    run.run_cosimulated,
    run.run_timestepping,
    run.evaluate_many,
    run.system_once,
    run.advance_once,
    run.close_once,
]
PROGRAM = """
import json, sys
import numba
import numpy as np
from numba.core.runtime import rtsys
import knuckleboom as kb
from bench_machine import bench
from knuckleboom.engine.run import run_explicit
from knuckleboom.layout import schedule_family

@numba.njit
def allocating(n):
    return np.ones(n).sum()

def count():
    stats = rtsys.get_allocation_stats()
    return stats.alloc + stats.mi_alloc

STEPS = 20
found = {}
for name, make in kb.catalogue.NAMES.items():
    case = make()
    for integrator in ("rk4", "semi-implicit-euler"):
        for factorisation in ("sparse", "dense"):
            planned = kb.build(case.machine, integrator=integrator, factorisation=factorisation)
            times = case.step * np.arange(STEPS + 1)
            steps = np.full(STEPS, case.step)
            inputs = np.tile(planned.work.state.u, (STEPS + 1, 2, 1))
            record = np.full((STEPS + 1, planned.work_size["nrecord"]), np.nan)
            due, lines, motions = np.zeros(STEPS + 1, np.int64), np.arange(STEPS + 1), planned.motions_at(times)
            schedule = schedule_family(times, steps, inputs, motions, due, lines, record)
            arguments = (planned.plan, planned.work, schedule, STEPS)
            before = count()
            status, done = run_explicit(*arguments)
            found[f"{name}, {integrator}, {factorisation}"] = count() - before
            assert (status, done) == (0, STEPS)
case = kb.catalogue.NAMES["naya-rod"]()
blocks = [
    kb.low_pass("slow", reads="lift.a.pressure", time_constant="5 ms", every="2 ms"),
    kb.pid("hold", reads="lift.length", writes="valve", setpoint="0.4 m", kp=1.0, ki=1.0, kd=0.1, every="1 ms"),
]
words = {"step": case.step, "controllers": blocks, "stop": "lift.length > 9 m", "record": "1 ms"}
sim = kb.Simulation(case.machine, **words)
sim.step(n=3)
before = count()
sim.step(n=STEPS)
found["controllers"] = count() - before
for coupling in ("explicit", "realtime", "unified", "cosimulated", "timestepping"):
    sim = kb.Simulation(bench(), coupling=coupling, step=1e-4, record="1 ms")
    sim.step(n=3)
    before = count()
    sim.step(n=STEPS)
    found[f"bench, {coupling}"] = count() - before
heap = kb.Machine("heap")
heap.terrain("floor")
for k in range(2):
    box = heap.body(f"box{k}", mass=10.0, inertia=(1.0, 1.0, 1.0))
    heap.free(f"way{k}", heap.ground, box, start=(0, 0, 0.5001 + 1.0001 * k, 0, 0, 0), speed=(0, 0, -0.2 - k, 0, 0, 0))
    heap.contact(f"skin{k}", box, box=(1.0, 1.0, 1.0), restitution=0.5)
slide = heap.body("slide", mass=1.0, inertia=(1.0, 1.0, 1.0))
heap.prismatic("rail", heap.ground.at(5, 0, 5), slide, axis="x", speed=1.0)
heap.joint_stop("end", joint="rail", lower=-1.0, upper=5e-4, stiffness=1e7, damping=0.1)
heap.joint_friction("rub", joint="rail", coulomb=1.0)
sim = kb.Simulation(heap, coupling="timestepping", step=1e-4, record="1 ms")
sim.step(n=3)
before = count()
sim.step(n=STEPS)
found["what touches, timestepping"] = count() - before
touched = ["skin0.impulse", "skin0.skin1.impulse", "end.stop_impulse"]
results = sim.results()
assert all(results[path].values[-1] > 0.0 for path in touched), results.names.paths
before = count()
allocating(10)
print(json.dumps({"found": found, "counted": count() - before}))
"""


@pytest.mark.parametrize("entry_point", ENTRY_POINTS, ids=lambda entry_point: entry_point.__name__)
def test_entry_point_is_compiled_without_memory_management(entry_point):
    assert kernels.OPTIONS["_nrt"] is False
    assert entry_point.targetoptions["_nrt"] is False


def test_code_that_would_allocate_does_not_compile():
    @numba.njit(**kernels.OPTIONS)
    def allocating(n):
        return np.ones(n).sum()

    with pytest.raises(numba.core.errors.NumbaError):
        allocating(3)


@pytest.mark.slow
def test_no_run_of_the_catalogue_or_the_bench_allocates():
    paths = [str(Path(knuckleboom.__file__).parents[1]), str(Path(__file__).parents[1])]
    environment = os.environ | {"NUMBA_NRT_STATS": "1", "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["counted"] > 0, "the counters count"
    assert len(answer["found"]) == 4 * len(NAMES) + 7
    assert set(answer["found"].values()) == {0}, answer["found"]
