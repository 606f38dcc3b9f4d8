# SPDX-License-Identifier: BSD-3-Clause
"""What kb.equilibrium answers: a state by names, a start from elsewhere, and a named refusal where there is none."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue.harvester_30 import bare_harvester


def pendulum(start="-80 deg"):
    machine = kb.Machine("pendulum")
    rod = machine.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    rod.point("tip", (1.0, 0, 0))
    machine.revolute("foot", machine.ground, rod, axis="y", start=start)
    return machine


def with_slider(push):
    machine = pendulum()
    machine.prismatic("slide", machine.ground, machine.body("block", mass=1.0, inertia=(1, 1, 1)), axis="x")
    machine.effort("push", "slide", 0, push)
    return machine


def test_everything_of_a_state_has_its_name():
    state = kb.equilibrium(pendulum())
    assert state["foot.angle"] == pytest.approx(math.pi / 2)
    assert state["rod.tip.position"] == pytest.approx([0.0, 0.0, -1.0], abs=1e-12)
    assert state.q == {"foot.angle": state["foot.angle"]}
    assert abs(state.residual["foot.angle"]) < 1e-12
    assert "stable equilibrium" in str(state) and "90 deg" in str(state)
    with pytest.raises(KeyError, match=r"foot\.angle"):
        state["foot.angel"]


def test_upright_is_an_equilibrium_too():
    state = kb.equilibrium(pendulum("-90 deg"))
    assert state["foot.angle"] == pytest.approx(-math.pi / 2)
    assert (state.stability, state.softest) == ("unstable", "foot")


def test_a_start_by_name_and_from_a_state():
    near = kb.equilibrium(pendulum(), start={"foot": "-85 deg"}, nearest=True)
    assert near["foot.angle"] == pytest.approx(-math.pi / 2)
    assert kb.equilibrium(pendulum(), start=near).stability == "unstable"


def test_inputs_are_held():
    machine = pendulum()
    machine.effort("motor", "foot", 0)
    state = kb.equilibrium(machine, inputs={"motor": "-4.905 N m"}, start={"foot": 0.0})
    assert state["foot.angle"] == pytest.approx(math.pi / 3)
    assert state["motor.input"] == pytest.approx(-4.905)


def test_nothing_happens_from_there():
    machine = pendulum()
    state = kb.equilibrium(machine)
    planned = kb.build(machine)
    planned.restore(state.snapshot)
    assert np.abs(planned.accelerations()).max() < 1e-12


def test_a_coordinate_that_nothing_holds_is_indifferent():
    state = kb.equilibrium(with_slider(0.0))
    assert (state.stability, state.softest, state.stiffness) == ("indifferent", "slide", 0.0)


def test_what_runs_away_is_named():
    with pytest.raises(kb.AnalysisError, match=r"'slide\.travel' runs away, pushed by 3 N"):
        kb.equilibrium(with_slider(3.0))
    with pytest.raises(kb.AnalysisError, match=r"'base\.position\.z' runs away"):
        kb.equilibrium(bare_harvester().machine)


def test_a_wheel_that_is_driven_runs_away():
    machine = pendulum()
    machine.effort("motor", "foot", 0, 30.0)
    with pytest.raises(kb.AnalysisError, match=r"'foot\.angle' runs away"):
        kb.equilibrium(machine)


def test_oil_holds_its_cylinder_where_it_is():
    machine = NAMES["naya-rod"]().machine
    state = kb.equilibrium(machine, start={"pin": "40 deg"})
    assert state["pin.angle"] == pytest.approx(math.radians(40.0), abs=1e-12)
    assert np.abs(kb.linearise(machine, state).remainder.values).max() < 1e-3


def test_all_problems_of_a_start_at_once():
    with pytest.raises(kb.MachineError) as caught:
        kb.equilibrium(with_slider(0.0), start={"fot": 1.0, "slide": "3 deg"})
    assert len(caught.value.problems) == 2
    assert caught.value.problems[0].closest == ("foot",)


def test_a_machine_without_freedom():
    machine = kb.Machine("block")
    machine.fixed("weld", machine.ground, machine.body("block", mass=1.0, inertia=(1, 1, 1)))
    assert kb.equilibrium(machine).stability == "stable"
