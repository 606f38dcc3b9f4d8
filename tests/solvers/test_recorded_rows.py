# SPDX-License-Identifier: BSD-3-Clause
"""Problems with bounded rows as runs of `timestepping` meet them: all solvers find the same impulses and rates."""

from __future__ import annotations

import numpy as np
import pytest

import knuckleboom as kb
from bounded_problems import Problem, family, violation
from kernel_call import callable_kernel
from knuckleboom.solvers import active_set, lemke, projected

SOLVERS = [callable_kernel(module.solve) for module in (active_set, lemke, projected)]
GIVEN = ("b", "kind", "lower", "upper", "leader", "friction", "more")


def stack(count):
    """Boxes that stand on each other, a little askew: 7 rows for each."""
    m = kb.Machine("stack")
    m.terrain("floor")
    for k in range(count):
        box = m.body(f"box{k}", mass=100.0, inertia=(4.0, 4.0, 4.0))
        m.free(f"flight{k}", m.ground, box, start=(0.02 * (k % 2), 0, 0.25 + 0.5 * k, 0, 0, 0))
        m.contact(f"skin{k}", box, box=(0.5, 0.5, 0.5), friction=0.5, restitution=0.1)
    return m


def tumbling():
    """A box that is thrown on a slope and turns over."""
    m = kb.Machine("thrown")
    body = m.body("block", mass=40.0, inertia=(0.8, 1.5, 1.7))
    m.free("f", m.ground, body, start=(0, 0, 0.4, 1.0, 0.7, -0.3), speed=(2.0, -1.0, -1.0, 3.0, -2.0, 4.0))
    m.terrain("slope", slope="15 deg")
    m.contact("skin", body, box=(0.6, 0.4, 0.3), friction=0.5, restitution=0.4)
    return m


def recorded(machine, steps, every):
    """Problems of some of the steps."""
    simulation, found = kb.Simulation(machine, step=1e-3, coupling="timestepping"), []
    work = simulation._planned.work
    for k in range(steps):
        simulation.step()
        count = int(work.impulse.count[0])
        if count > 0 and k > 0 and k % every == 0:
            given = {name: getattr(work.bounded, name)[:count].copy() for name in GIVEN}
            found.append(Problem(work.bounded.A[:count, :count].copy(), **given))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machine", "steps", "every", "fewest"),
    [(stack(4), 300, 15, 15), (stack(10), 200, 40, 4), (tumbling(), 900, 5, 20)],
)
def test_all_solvers_find_the_same(machine, steps, every, fewest):
    problems = recorded(machine, steps, every)
    assert len(problems) >= fewest
    for problem in problems:
        n, results = len(problem.b), []
        for solve in SOLVERS:
            bounded = family(problem)
            assert solve(n, bounded, np.zeros(n, np.int64)) == -1
            assert violation(problem, bounded.P) <= 1e-9 * (1.0 + np.abs(bounded.P).max())
            results.append(bounded)
        for other in results[1:]:
            assert np.abs(other.w - results[0].w).max() <= 1e-7 * (1.0 + np.abs(problem.b).max())
            assert np.abs(other.P - results[0].P).max() <= 1e-7 * (1.0 + np.abs(results[0].P).max())
