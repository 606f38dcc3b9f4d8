# SPDX-License-Identifier: BSD-3-Clause
"""kb.evaluate: accelerations with forces by their laws, or given.

Ranks: closed forms for one mass; else the machine itself, whose own forces handed back make its own accelerations.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.engine.run import evaluate_given, system_once
from knuckleboom.layout import OK
from knuckleboom.plan.work import first_columns

COORDINATES = ("relative", "reference-point", "natural")
G = 9.81


def boom():
    """A rod of 2 m on a pin, carried by a cylinder that stands upright under its middle."""
    m = kb.Machine("boom", gravity=(0, 0, -G))
    rod = m.body("rod", mass=30.0, com=(1.0, 0, 0), inertia=(0.1, 10.0, 10.0), points={"tip": (2.0, 0, 0)})
    m.revolute("foot", m.ground, rod, axis="y")
    oil = m.oil(kb.fluids.naya())
    foot, eye = m.ground.at(1.0, 0, -1.0), rod.at(1.0, 0, 0)
    m.cylinder("lift", foot, eye, bore="50 mm", rod="30 mm", stroke="400 mm", oil=oil)
    m.spring("spring", m.ground.at(2.0, 0, 1.0), rod.at(2.0, 0, 0), stiffness="1 kN/m")
    return m


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_given_force_accelerates_as_it_must(coordinates):
    force = 500.0
    found = kb.evaluate(boom(), forces={"lift.force": "0.5 kN"}, coordinates=coordinates)
    about_foot = 10.0 + 30.0  # inertia, kg m²; the force and the weight have arms of 1 m, the tip one of 2 m
    assert found["rod.tip.acceleration"][2] == pytest.approx(2.0 * (force - 30.0 * G) / about_foot, rel=1e-12)
    assert found["lift.force"] == force and found["spring.force"] == pytest.approx(0.0, abs=1e-9)


def test_without_forces_it_is_what_a_simulation_begins_with():
    found, sim = kb.evaluate(boom()), kb.Simulation(boom(), coupling="explicit")
    assert list(found) == list(sim.outputs)
    assert all(np.array_equal(found[path], sim[path]) for path in found)


@pytest.mark.parametrize(
    ("name", "coordinates"),
    [(name, one) for name in ("harvester-25", "mobile-crane", "bricard") for one in COORDINATES]
    # in natural coordinates no mass can change, as that of the excavator's load and of the boom's oil does
    + [(name, one) for name in ("excavator", "ylinen-boom") for one in COORDINATES if one != "natural"]
    + [("concrete-sprayer", "natural")],
)
def test_own_forces_handed_in_make_own_accelerations(name, coordinates):
    """On random states: forces by their laws, read out and given back."""
    planned = kb.build(kb.catalogue.machine(name), coupling="explicit", coordinates=coordinates)
    work, line = planned.work, np.empty(planned.work_size["nrecord"])
    q0, x0, rng = work.state.q.copy(), work.state.x.copy(), np.random.default_rng(7)
    at = first_columns(planned.work_size)["v_dot"]
    kept = np.full(planned.work_size["nrow"], np.nan)
    work.state.u[:] = [signal.default for signal in planned.layout.inputs]
    for _ in range(5):
        work.state.q[:], work.state.v[:] = q0, 0.3 * rng.standard_normal(planned.topology.nv)
        work.state.x[:] = x0 * (1.0 + 0.1 * rng.standard_normal(len(x0)))
        assert system_once(planned.plan, work) == OK
        assert evaluate_given(planned.plan, work, kept, line) == OK
        own, forces = line[at : at + planned.topology.nv].copy(), work.rows.force.copy()
        work.rows.force[:] = math.nan
        assert evaluate_given(planned.plan, work, forces, line) == OK
        largest = np.abs(own).max()
        assert line[at : at + planned.topology.nv] == pytest.approx(own, rel=1e-9, abs=1e-9 * largest)


def test_wrong_names_and_units_are_told_all_at_once():
    with pytest.raises(kb.MachineError) as caught:
        kb.evaluate(boom(), forces={"lift.forc": 1.0, "lift.force": "3 m", "spring.force": math.inf, "wind": None})
    assert str(caught.value) == """4 problems in the evaluation

1. There is no force 'lift.forc'.
   Closest names: 'lift.force'.

2. 'lift.force': 'm' is a unit of length, not of force; use one such as in "10 kN".

3. 'spring.force' is inf, which is not a finite number.

4. There is no force 'wind'.
   There are lift.force, spring.force."""
