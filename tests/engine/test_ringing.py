# SPDX-License-Identifier: BSD-3-Clause
"""Pressures that change sides at every step are heard: by hand, and in a run that carries its rates over a jump."""

import itertools

import numpy as np
import pytest

import knuckleboom as kb
from kernel_call import callable_kernel
from knuckleboom.engine import ringing
from knuckleboom.family import Family

BULK = 1.4e9


def listened(strains):
    """The largest ringing of a strain over the steps' ends, its node and time."""
    newton = Family("newton", {"way": np.zeros(1), "bend": np.zeros((2, 1)), "ringing": np.zeros(3)})
    listen = callable_kernel(ringing.listen)
    for step, (before, after) in enumerate(itertools.pairwise(strains)):
        listen(np.array([before]), np.array([after]), np.array([BULK]), float(step), newton)
    return newton.ringing


def test_an_alternating_strain_rings_by_its_amplitude():
    step = np.arange(20)
    size, node, _ = listened(1e-3 + 1e-4 * step + 2e-6 * (-1.0) ** step)
    assert size == pytest.approx(BULK * 2e-6, rel=1e-6) and node == 0


def test_what_decays_or_swings_slowly_does_not_ring():
    step = np.arange(40)
    assert listened(1e-3 + 1e-4 * np.exp(-step / 3.0))[0] == 0.0
    assert listened(1e-3 + 1e-4 * np.sin(step / 3.0))[0] == 0.0


def rod(jumps, spool):
    case = kb.catalogue.NAMES["naya-rod"]()
    inputs = {"valve": kb.steps({0: case.inputs["valve"].values[0], 0.1: spool})}
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
    assert f"The pressure at '{port}' oscillates by" in " ".join(run.warnings)
    assert "oscillates by" not in " ".join(rod("published", 0.4).warnings), "below a hundredth"


def test_parts_of_a_step_that_was_made_anew_do_not_ring():
    """A spool slammed shut: Newton fails and the step is made in parts; only the ends of whole steps are heard."""
    run = rod("reinitialised", 0.0)

    assert run.meta["iterations"] > 2.0, "steps were made anew"
    assert run.meta["ringing"]["pressure"] < 1e-3 * run["lift.a.pressure"].values.max()
