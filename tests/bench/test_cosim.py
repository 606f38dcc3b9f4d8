# SPDX-License-Identifier: BSD-3-Clause
"""bench cosim: what is tried, when a scheme counts as stable, and what Ctrl-C keeps."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench import cosim
from knuckleboom.bench.machines import held
from knuckleboom.interface.parts import Contact
from knuckleboom.mechanics.parts import Body, Fixed, Free


def test_schemes_are_all_combinations_of_the_table():
    found = list(cosim.schemes())

    assert len(found) == len(set(found)) == 44
    assert cosim.Scheme("power-first", "reduced", "mean", "force-displacement") in found
    assert {scheme.course for scheme in found if scheme.order == "mechanics-first"} == {"interpolated"}


@pytest.mark.parametrize("step", [5e-5, 1e-4, 2.5e-4, 1e-3, 1.5e-3, 1e-1])
def test_steps_of_the_oil_divide_the_exchange(step):
    small = cosim.oil_step(step)

    assert small <= cosim.SMALL * (1 + 1e-9)
    assert step / small == pytest.approx(round(step / small), rel=1e-12)


def test_laws_of_the_benchmark_can_act_later():
    late = cosim.delayed(cosim.cosim_arm.sine, 0.5)

    assert late(0.2) == cosim.cosim_arm.sine(0.0)
    assert late(3.0) == cosim.cosim_arm.sine(2.5)
    given, moved = cosim.cosim_arm.steps(), cosim.delayed(cosim.cosim_arm.steps(), 0.5)
    np.testing.assert_allclose(np.subtract(moved.times, given.times), [0.0, 0.5, 0.5, 0.5, 0.5])


@pytest.mark.slow
def test_limits_are_the_last_stable_step_and_errors_grow_with_it():
    arm = cosim.prepared("cosim-arm", True, 1.0)
    hold = cosim.Scheme("jacobi", "hold", "end", "force-displacement")

    row = cosim.tried(arm, hold, (1, 5, 10, 40, 60))

    assert (row["largest_stable_ms"], row["largest_tried"], row["at_ms"]) == (10, False, 10)
    near, far = (cosim.errors_of(arm, hold, step) for step in (1e-3, 1e-2))
    assert near[0] < far[0] and near[1] < far[1]
    assert cosim.errors_of(arm, hold, 6e-2) is None


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_done(monkeypatch):
    done = []

    def stop(arm, scheme, steps):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(scheme)
        return {"machine": arm.name}

    monkeypatch.setattr(cosim, "tried", stop)
    data = cosim.measure(arms=("cosim-arm",), seconds={"cosim-arm": 0.1}, machines=())

    assert data["status"] == "interrupted" and len(data["schemes"]) == 3
    assert data["cosim_arm"]["m1"]["published_jumps"]["s"]["4"] == pytest.approx(0.53918989, abs=1e-7)


@pytest.mark.parametrize("name", ["excavator", "mine-loader"])
def test_a_held_machine_stands_where_it_starts_and_touches_nothing(name):
    loose, fixed = kb.catalogue.machine(name), held(kb.catalogue.machine(name))
    begun = [kb.Simulation(machine, step="1 ms") for machine in (loose, fixed)]
    for body in loose.of(Body):
        for quantity in ("position", "orientation"):
            path = f"{body.name}.{quantity}"
            assert begun[1][path] == pytest.approx(begun[0][path], abs=1e-12)
    assert kb.build(fixed, coupling="cosimulated").topology.nv == kb.build(loose).topology.nv - 6


def test_a_held_machine_is_a_copy_whose_loads_hang_free():
    crane = kb.catalogue.machine("mobile-crane")
    parts, fixed = dict(crane.parts), held(crane)
    assert crane.parts == parts and all(case.machine is crane for case in crane.cases.values())
    assert [joint.name for joint in fixed.of(Free)] == ["load_base"] and isinstance(fixed.parts["base"], Fixed)
    assert not fixed.of(Contact) and all(case.machine is fixed for case in fixed.cases.values())
    run = kb.simulate(fixed, "0.2 s", step="1 ms", coupling="unified")
    assert np.ptp(run["load.position"].values, axis=0).max() < 1e-3  # the slings carry it
