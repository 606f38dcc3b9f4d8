# SPDX-License-Identifier: BSD-3-Clause
"""Parameters by name: a retuned plan is the plan of the changed machine, and what cannot change is refused by name.

Rank of evidence: second formulation (a new plan of the changed machine), and closed forms.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom import methods
from knuckleboom.bench.machines import held
from knuckleboom.layout import flatten
from knuckleboom.plan.retune import retune, tunables, with_parameter
from machine.example import lifting_boom
from parts.standard import STANDARD
from simulate.test_session import cart, four_bar


def sprung():
    """A pendulum on a spring."""
    machine = kb.Machine("sprung")
    bob = machine.body("bob", mass=2.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    machine.revolute("pin", machine.ground, bob, axis="y")
    machine.spring("spring", machine.ground.at(0, 0, 1), bob.at(1, 0, 0), stiffness="400 N/m", rest="1 m")
    return machine


CHANGES = [
    (lifting_boom, "lift.bore", "100 mm"),
    (lifting_boom, "lift.dead_a", "0.3 l"),
    (lifting_boom, "lift.stop_damping", 2.0),
    (lifting_boom, "boom.mass", "300 kg"),
    (lifting_boom, "boom.com", (0.4, 0.1, 0.0)),
    (lifting_boom, "tank.pressure", "2 bar"),
    (lifting_boom, "spool.flow", ("30 l/min", "35 bar")),
    (lifting_boom, "spool.time_constant", "50 ms"),
    (lifting_boom, "oil.fluid.a", "7e-10 1/Pa"),
    (lifting_boom, "gravity", (0.0, 0.0, -1.62)),
    (lifting_boom, "ambient", "0.9 bar"),
    (four_bar, "rocker.inertia", (0.002, 0.05, 0.05)),
    (four_bar, "bob.mass", 1.0),
    (lambda: STANDARD["shaft"]().machine, "it.inertia", 0.9),
    (lambda: STANDARD["gear_stage"]().machine, "it.ratio", -0.7),
    (lambda: STANDARD["oil_column"]().machine, "it.length", "9 m"),
    (lambda: STANDARD["oil_column"]().machine, "fluid.fluid.density", "900 kg/m3"),
    (lambda: STANDARD["held_sum"]().machine, "it.of", {"cage": 2.0, "left": -0.5, "right": -1.5}),
    (lambda: STANDARD["engine_droop"]().machine, "it.drag", 6.0),
    (lambda: STANDARD["engine_droop"]().machine, "swashed.torque_limit", 2.0),
    (lambda: held(kb.catalogue.NAMES["harvester-30"]().machine), "gravity", (0.0, 1.0, -9.0)),
]


@pytest.mark.parametrize("coordinates", methods.choices("coordinates"))
@pytest.mark.parametrize(("make", "name", "value"), CHANGES, ids=[name for _, name, _ in CHANGES])
def test_a_retuned_plan_is_that_of_the_changed_machine(make, name, value, coordinates):
    machine, untouched = make(), make()
    planned = kb.build(machine, coordinates=coordinates)
    arrays = flatten(planned.plan)

    retune(planned, name, value)

    fresh = kb.build(with_parameter(make(), name, value), coordinates=coordinates)
    for field, numbers in flatten(fresh.plan).items():
        assert np.array_equal(flatten(planned.plan)[field], numbers), field
        assert flatten(planned.plan)[field] is arrays[field], "filled in place"
    assert np.array_equal(planned.work.motion.A_WL[0], fresh.work.motion.A_WL[0])
    fresh.restore(planned.snapshot())
    assert np.array_equal(planned.accelerations(), fresh.accelerations())
    assert machine == untouched, "the machine that was given stays as it is"


def test_a_parameter_changed_while_it_runs_acts_from_then_on():
    """A pendulum at rest: its acceleration is −g/l at any g, closed form."""
    machine = kb.Machine("pendulum")
    bob = machine.body("bob", mass=2.0, com=(0.5, 0, 0), inertia=(0, 0, 0))
    machine.revolute("pin", machine.ground, bob, axis="y")
    sim = kb.Simulation(machine, step="1 ms")

    assert sim["pin.angle_acceleration"] == pytest.approx(9.81 / 0.5)
    sim.tune("gravity", (0.0, 0.0, "-1.62 m/s^2"))
    assert sim["pin.angle_acceleration"] == pytest.approx(1.62 / 0.5)
    sim.tune("bob.com", ("2 m", 0, 0))
    assert sim["pin.angle_acceleration"] == pytest.approx(1.62 / 2.0)
    sim.run_for("0.1 s")

    results = sim.results()
    assert [change[1] for change in results.meta["tuned"]] == ["gravity", "bob.com"]
    assert results.warnings == [], "energy that a parameter brought is not blamed on the step"
    assert kb.Simulation(machine)["pin.angle_acceleration"] == pytest.approx(9.81 / 0.5)


TUNED = [
    (lifting_boom, "boom.mass", "300 kg"),
    (lifting_boom, "lift.bore", "100 mm"),
    (sprung, "spring.stiffness", "800 N/m"),
    (four_bar, "rocker.inertia", (0.002, 0.05, 0.05)),
]


@pytest.mark.parametrize("words", [{}, {"coupling": "unified"}], ids=["explicit", "unified"])
@pytest.mark.parametrize(("make", "name", "value"), TUNED, ids=[name for _, name, _ in TUNED])
def test_a_machine_tuned_while_it_runs_moves_alike_in_all_coordinates(make, name, value, words):
    """A loop in implicit steps differs by an error of order 2, 1e-4 of what the tuning does; all else by rounding."""
    runs = []
    for coordinates in methods.choices("coordinates"):
        sim = kb.Simulation(make(), step="0.2 ms", coordinates=coordinates, **words)
        sim.run_for("20 ms")
        sim.tune(name, value)
        sim.run_for("20 ms")
        runs.append(sim.results())

    bodies = [path for path in runs[0] if path.endswith(("position", "orientation", "velocity"))]
    untuned = kb.simulate(make(), "40 ms", step="0.2 ms", record="10 ms", **words)
    change = max(np.abs(runs[0][path].values - untuned[path].values).max() for path in bodies)
    for run in runs[1:]:
        worst = max(np.abs(runs[0][path].values - run[path].values).max() for path in bodies)
        assert worst < 1e-3 * change, "what the tuning did is the same"


def test_what_was_tuned_is_saved_with_the_results(tmp_path):
    sim = kb.Simulation(cart(), step="1 ms")
    sim.step()
    sim.tune("cart.mass", "3 kg")
    sim.step({"push": 3.0}, n=9)

    back = kb.load(sim.results().to_netcdf(tmp_path / "run.nc"))

    assert back.meta["tuned"] == [[0.001, "cart.mass", "3 kg"]]
    assert back["rail.travel_rate"].values[-1] == pytest.approx(9e-3)


def test_tunables_have_unit_value_and_meaning():
    found = tunables(lifting_boom())

    assert found["lift.bore"] == ("m", 0.091, "diameter of the piston")
    assert found["oil.fluid.density"].unit == "kg/m^3"
    assert found["boom.com"].value == (0.5, 0.0, 0.0)
    assert found["gravity"].unit == "m/s^2" and found["ambient"].value == 101325.0
    assert "lift.oil" not in found and "lift.name" not in found


def test_numbers_from_the_start_pose_stay():
    planned = kb.build(lifting_boom())
    before = planned.plan.forces.chamber_number[:, 2].copy()

    retune(planned, "lift.bore", "80 mm")

    assert np.isfinite(before).all() and np.array_equal(planned.plan.forces.chamber_number[:, 2], before)


REFUSED = [
    (lifting_boom, "lift.coulomb", "500 N", "'lift.coulomb' cannot change while it runs: it would change the"),
    (lifting_boom, "spool.time_constant", 0.0, "'spool.time_constant' cannot change while it runs"),
    (lifting_boom, "foot.start", "10 deg", "'foot.start' changes nothing while it runs"),
    (lifting_boom, "lift.pressure_a", "10 bar", "'lift.pressure_a' changes nothing while it runs"),
    (cart, "push.value", 3.0, "is where the input 'push' begins.\n   Set the input: sim.step({\"push\": 3.0})."),
    (lifting_boom, "lift.bor", "1 mm", "There is no parameter 'lift.bor'.\n   Closest names: 'lift.bore'"),
    (lifting_boom, "lift.name", "x", "There is no parameter 'lift.name'."),
    (lifting_boom, "lift.oil", "x", "There is no parameter 'lift.oil'."),
    (lifting_boom, "lift.bore", "90 kg", "cylinder 'lift': bore: 'kg' is a unit of mass"),
    (lifting_boom, "lift.rod", "95 mm", "rod (95 mm) is not thinner than bore (91 mm)."),
    (lifting_boom, "boom.mass", -1.0, "mass is -1.00 kg; it must be greater than 0"),
    (lifting_boom, "oil.fluid.density", 0.0, "density is 0.0; it must be greater than 0"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "name", "value", "sentence"), REFUSED, ids=[f"{n}={v}" for _, n, v, _ in REFUSED])
def test_what_cannot_change_is_refused_by_name_and_changes_nothing(make, name, value, sentence):
    planned = kb.build(make())
    before = {field: numbers.copy() for field, numbers in flatten(planned.plan).items()}

    with pytest.raises(kb.MachineError) as caught:
        retune(planned, name, value)

    assert sentence in str(caught.value)
    assert all(np.array_equal(before[field], numbers) for field, numbers in flatten(planned.plan).items())


def test_what_would_open_a_loop_is_refused():
    m = kb.Machine("two arms")
    arms = [m.body(name, mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)) for name in ("left", "right")]
    m.revolute("a", m.ground, arms[0], axis="y", start=0.5)
    m.revolute("b", m.ground.at(1, 0, 0), arms[1], axis="y", start=0.4)
    m.rod("coupler", arms[0].at(1, 0, 0), arms[1].at(1, 0, 0), length="1.05 m")
    sim = kb.Simulation(m, step="1 ms")
    sim.run_for("50 ms")
    before = sim.snapshot()

    with pytest.raises(
        kb.MachineError, match=r"'coupler\.length' cannot change .* it would open the loop of 'coupler'"
    ):
        sim.tune("coupler.length", "1.1 m")

    sim.run_for("50 ms")
    other = kb.Simulation(m, step="1 ms")
    other.restore(before)
    other.run_for("50 ms")
    assert all(np.array_equal(sim.snapshot()[name], value) for name, value in other.snapshot().items())


def test_the_same_value_again_changes_nothing_and_is_no_problem():
    planned = kb.build(lifting_boom())
    before = {name: values.copy() for name, values in flatten(planned.plan).items()}

    retune(planned, "lift.bore", "91 mm")
    retune(planned, "foot.start", "-30 deg")

    after = flatten(planned.plan)
    assert all(np.array_equal(after[name], values) for name, values in before.items())
