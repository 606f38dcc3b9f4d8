# SPDX-License-Identifier: BSD-3-Clause
"""Pressures that change sides at every step are heard: by hand, and in a run that carries its rates over a jump."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

import knuckleboom as kb
from kernel_call import callable_kernel
from knuckleboom.engine import ringing

BULK = 1.4e9


class Ear(NamedTuple):
    """What is listened with: fields of Work.state."""

    way: np.ndarray
    bend: np.ndarray
    loud: np.ndarray
    time: np.ndarray


def listened(strains, pressure=100e5):
    """The largest ringing of a strain over the steps' ends, its node and time, and after which steps it was loud."""
    ear, ringing_of, loud = Ear(np.zeros(1), np.zeros((2, 1)), np.zeros(1), np.zeros(1)), np.zeros(3), []
    listen = callable_kernel(ringing.listen)
    for step, (before, after) in enumerate(itertools.pairwise(strains)):
        ear.time[0] = step
        listen(np.array([before]), np.array([after]), np.array([BULK]), np.array([pressure]), ringing_of, ear)
        loud += [step] if ear.loud[0] else []
    return ringing_of, loud


def test_an_alternating_strain_rings_by_its_amplitude():
    step = np.arange(20)
    (size, node, _), _ = listened(1e-3 + 1e-4 * step + 2e-6 * (-1.0) ** step)
    assert size == pytest.approx(BULK * 2e-6, rel=1e-6) and node == 0


def test_what_decays_or_swings_slowly_does_not_ring():
    step = np.arange(40)
    for strains in (1e-3 + 1e-4 * np.exp(-step / 3.0), 1e-3 + 1e-4 * np.sin(step / 3.0)):
        told, loud = listened(strains)
        assert told[0] == 0.0 and loud == []


def test_a_hundredth_of_the_pressure_is_loud():
    """Loud from the second change of sides on; below 10 bar a tenth of a bar is a hundredth."""
    step = np.arange(12)
    swing = (-1.0) ** step / BULK
    for pressure, size in ((100e5, 1e5), (1e5, 1e4)):
        assert listened(1e-3 + 1.01 * size * swing, pressure)[1] == list(range(2, 11))
        assert listened(1e-3 + 0.99 * size * swing, pressure)[1] == []


def beside_a_source(jumps):
    """20 cm³ beside a pump whose flow steps, with a relief valve and a valve that closes within a few steps."""
    m = kb.Machine("beside-a-source")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank"), oil.junction("line", "20 cm3", "50 bar")
    oil.flow_source("pump", tank, line, 0.0)
    oil.relief_valve("relief", line, tank, flow=("40 l/min", "230 bar"), setting="210 bar", override="20 bar")
    oil.valve_2_2("valve", P=line, A=tank, flow=("20 l/min", "10 bar"), time_constant="5 ms")
    inputs = {"pump": {0: "5 l/min", 0.05: "20 l/min", 0.1: "10 l/min"}, "valve": {0: 0.5, 0.07: 0.0, 0.12: 0.3}}
    return kb.simulate(m, "0.2 s", step="1 ms", coupling="unified", inputs=inputs, jumps=jumps)


def test_what_rings_is_damped():
    published, damped = (beside_a_source(jumps).meta["ringing"] for jumps in ("published", "reinitialised"))

    assert published["pressure"] > 10e5
    assert damped["pressure"] < 0.02 * published["pressure"]


def rod(jumps, spool):
    case = kb.catalogue.NAMES["naya-rod"]()
    inputs = {"valve": kb.steps({0: case.inputs["valve"][0.0], 0.1: spool})}
    words = {"step": "5 ms", "record": "5 ms", "coupling": "unified"}
    return kb.simulate(case.machine, "0.3 s", inputs=inputs, jumps=jumps, **words)


def test_a_run_tells_what_rings_and_damping_after_jumps_helps():
    published, anew = (rod(jumps, 0.4).meta["ringing"] for jumps in ("published", "reinitialised"))

    assert published["port"] in ("lift.a", "lift.b") and published["time"] >= 0.1
    assert anew["pressure"] < 0.5 * published["pressure"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_ringing_above_a_hundredth_is_a_sentence():
    run = rod("published", 0.3)
    port, size = run.meta["ringing"]["port"], run.meta["ringing"]["pressure"]

    assert size > 0.01 * run[f"{port}.pressure"].values.max()
    assert f"The pressure at '{port}' rings by" in run.message
    assert "rings by" not in rod("published", 0.4).message, "below a hundredth"


def test_parts_of_a_step_that_was_made_anew_do_not_ring():
    """A spool slammed shut: Newton fails and the step is made in parts; only the ends of whole steps are heard."""
    run = rod("reinitialised", 0.0)

    assert run.meta["iterations"] > 2.0, "steps were made anew"
    assert run.meta["ringing"]["pressure"] < 1e-3 * run["lift.a.pressure"].values.max()
