# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every kind of part while it runs: oil is kept, losses are losses, energy is accounted for, and all
couplings agree.

Each stands in its standard machine (parts/standard.py), whose inputs jump so that flows turn and spools pass their
centre. `explicit` with steps of 20 µs is the reference. Steps of implicit methods that are four times smaller must come
closer to it and close the audit better by a factor of 5 or more, where order 2 gives 16: jumps and corners take some.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.integrate import simpson

import knuckleboom as kb
from knuckleboom import catalogue  # noqa: F401  # registers kinds of its own
from knuckleboom.hydraulics.elements import flow_source
from knuckleboom.interface.contract import DISSIPATES, has
from knuckleboom.interface.forces import KINDS
from knuckleboom.machine.kinds import all_kinds
from knuckleboom.plan.naming import force_paths
from parts.standard import NAME, STANDARD

OURS = {name: kind for name, kind in all_kinds().items() if kind.__module__.startswith("knuckleboom.")}
DURATION, RECORD = 0.02, 5e-4
REFERENCE = ("explicit", 2e-5)
COARSE, FINE = 2.5e-4, 6.25e-5
IMPLICIT = ("unified", "realtime")
CONVERGING = {"unified": (COARSE, FINE), "realtime": (FINE, FINE / 4.0)}
"""Steps between which errors fall by the order: longer ones of `realtime` are corrected, and better than the order."""
COUPLINGS = ("explicit", *IMPLICIT)
FINEST = {"explicit": REFERENCE[1], "unified": FINE, "realtime": FINE}
STATES = {"Pa", "m", "rad", "m/s", "rad/s", "1"}
"""Units of states; forces and accelerations follow from these."""


class Runs:
    """Runs of the standard machines, each made once."""

    def __init__(self):
        self.kept = {}

    def __call__(self, kind, coupling, step):
        if (kind, coupling, step) not in self.kept:
            machine, inputs = STANDARD[kind]()
            words = {"step": step, "record": RECORD, "inputs": inputs, "coupling": coupling}
            self.kept[kind, coupling, step] = kb.simulate(machine, DURATION, **words)
        return self.kept[kind, coupling, step]


@pytest.fixture(scope="module")
def runs():
    return Runs()


def compared(run):
    """Values of everything in the units of states, by unit: one row per quantity."""
    found = {}
    for signal in run.names:
        if signal.unit in STATES and not signal.path.endswith((".residual", ".residual_rate")):
            values = np.asarray(run[signal.path].values)
            found.setdefault(signal.unit, []).append(values.reshape(len(values), -1).T)
    return {unit: np.concatenate(rows) for unit, rows in found.items()}


def apart(run, reference):
    """The largest difference of two runs, as a part of the largest value of its unit."""
    ours, theirs = compared(run), compared(reference)
    return max(np.abs(ours[unit] - values).max() / max(np.abs(values).max(), 1e-9) for unit, values in theirs.items())


@functools.cache
def layout_of(kind):
    """What the standard machine of a kind is made of."""
    return kb.build(STANDARD[kind]().machine).layout


@pytest.mark.parametrize("kind", OURS)
class TestEveryPartRuns:
    def test_it_has_something_to_show(self, kind, runs):
        run, name = runs(kind, *REFERENCE), NAME.get(kind, "it")

        assert run.status == "done"
        silent = ("oil", "fixed", "shaft_of", "terrain")
        assert kind in silent or any(path.startswith(f"{name}.") for path in run.names.paths)

    @pytest.mark.parametrize("coupling", COUPLINGS)
    def test_every_branch_loses_at_every_moment(self, kind, coupling, runs):
        run = runs(kind, coupling, FINEST[coupling])
        for branch in layout_of(kind).branches:
            if branch.kind != flow_source.KIND:
                drop = run[f"{branch.a}.pressure"].values - run[f"{branch.b}.pressure"].values
                assert (drop * run[f"{branch.path}.flow"].values >= 0.0).all(), branch.path

    def test_friction_never_drives(self, kind, runs):
        """Work of elements that store nothing, and are not applied from outside, only falls."""
        run, layout = runs(kind, *REFERENCE), layout_of(kind)
        for paths, force in zip(force_paths(layout), layout.forces, strict=True):
            element = KINDS[force.kind]
            if element.ELEMENT.account == DISSIPATES and not has(element, "stored"):
                assert (np.diff(run[paths.work].values) <= 1e-12).all(), paths.work

    def test_oil_that_came_is_there(self, kind):
        """Volumes that no piston changes and whose walls are rigid: V Δe is the integral of what flowed in.

        By Simpson's rule on every step before the first jump; edges that open within 0.2 ms leave some 1e-5.
        """
        machine, inputs = STANDARD[kind]()
        step = REFERENCE[1]
        run, layout = kb.simulate(machine, 200 * step, step=step, record=step, inputs=inputs), layout_of(kind)
        moving = {chamber.port for chamber in layout.chambers}
        for node in layout.nodes[: layout.nvolume]:
            ends = [(branch, (branch.b == node.port) - (branch.a == node.port)) for branch in layout.branches]
            flows = [sign * run[f"{branch.path}.flow"].values for branch, sign in ends if sign != 0]
            if node.port in moving or node.elastic > 0.0 or not flows:
                continue
            strain, passed = run[f"{node.port}.strain"].values, np.abs(flows).max() * 200 * step
            came = simpson(np.sum(flows, axis=0), dx=step)
            assert node.volume * (strain[-1] - strain[0]) == pytest.approx(came, abs=1e-4 * passed), node.port

    def test_energy_is_accounted_for(self, kind, runs):
        audit = runs(kind, *REFERENCE).energy()

        assert audit.work_done > 0.0
        assert audit.relative_residual < 1e-6
        assert all(loss > -1e-9 * audit.work_done for loss in audit.dissipated.values())

    @pytest.mark.parametrize("coupling", IMPLICIT)
    def test_couplings_agree(self, kind, coupling, runs):
        reference = runs(kind, *REFERENCE)
        assert apart(runs(kind, coupling, COARSE), reference) < 0.02
        longer, shorter = (apart(runs(kind, coupling, step), reference) for step in CONVERGING[coupling])
        assert shorter < max(longer / 5.0, 1e-6)

    @pytest.mark.parametrize("coupling", IMPLICIT)
    def test_audit_closes_better_with_smaller_steps(self, kind, coupling, runs):
        assert runs(kind, coupling, COARSE).energy().relative_residual < 0.005
        longer, shorter = (runs(kind, coupling, step).energy().relative_residual for step in CONVERGING[coupling])
        assert shorter < max(longer / 5.0, 1e-6)
