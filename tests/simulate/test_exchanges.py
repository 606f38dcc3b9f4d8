# SPDX-License-Identifier: BSD-3-Clause
"""What a user can give and ask of `cosimulated`: sizes of steps, words that go together, failures as sentences, and
energies that add up.

Rank of evidence: the sentences are remembered values, read through; inputs, drivers and energies go by closed forms
and by `explicit` with converged steps.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis.measure import look
from knuckleboom.bench.machines import held
from knuckleboom.simulation.whole import WholeRun

COSIMULATED = {"coupling": "cosimulated"}


def rod():
    return kb.catalogue.NAMES["naya-rod"]().machine


def refused(**words):
    """The sentence that refuses a run, and its remedy."""
    with pytest.raises(kb.MachineError) as caught:
        kb.Simulation(rod(), **words)
    (problem,) = caught.value.problems
    return problem.rule, problem.fix


# --- steps of both sides ---


@pytest.mark.parametrize(
    ("step", "small", "fix"),
    [
        ("2 ms", "0.3 ms", "Give power_step 0.3333333 ms (6 in each) or 0.2857143 ms (7 in each), or step 1.8 ms or "
         "2.1 ms."),
        ("1 ms", "2 ms", "Give power_step 1 ms (1 in each), or step 2 ms."),
        ("10 ms", "4 ms", "Give power_step 5 ms (2 in each) or 3.333333 ms (3 in each), or step 8 ms or 12 ms."),
    ],
)  # fmt: skip
def test_an_exchange_is_a_whole_number_of_steps_of_the_oil(step, small, fix):
    rule, found = refused(step=step, power_step=small, **COSIMULATED)

    assert rule == (
        f"step {step} is not a multiple of power_step {small}: in each exchange of coupling cosimulated the oil makes "
        "a whole number of steps."
    )
    assert found == fix


@pytest.mark.parametrize(("step", "small", "parts"), [("2 ms", "0.2857143 ms", 7), (1e-3, 1e-4, 10), (3e-3, 1e-3, 3)])
def test_steps_as_people_type_them_are_whole(step, small, parts):
    sim = kb.Simulation(rod(), step=step, power_step=small, **COSIMULATED)
    size = float(sim.planned.plan.course.step[0])

    assert size * parts == pytest.approx(2e-3 if parts == 7 else step, rel=1e-15)
    assert math.ceil((2e-3 if parts == 7 else step) / size - 1e-9) == parts, "what the kernel makes of it"


def test_what_was_not_given_fits():
    """Its own step is the largest part of the exchange that is not longer than 0.1 ms."""
    for step in ("0.05 ms", "0.25 ms", "1 ms", "10 ms"):
        assert kb.simulate(rod(), "20 ms", step=step, **COSIMULATED).status == "done"
    # inside Newton's iterations any two sizes go: the last step is shorter
    assert kb.simulate(rod(), "4 ms", step="2 ms", power_step="0.3 ms", coupling="cointegrated").status == "done"


def test_an_exchange_that_a_jump_cuts_has_smaller_equal_steps():
    """With a jump 0.93 ms after an exchange of 2 ms began its oil makes two steps of 0.465 ms, not one of 0.5 ms and
    one of 0.43 ms: all of the state is that of a run whose steps are given so.
    """
    words = {"inputs": {"valve": kb.steps({0: 0.45, "0.93 ms": 0.47})}, "record": "0.93 ms", **COSIMULATED}
    cut = kb.Simulation(rod(), step="2 ms", power_step="0.5 ms", **words)
    whole = kb.Simulation(rod(), step="0.93 ms", power_step="0.465 ms", **words)
    first = whole["lift.a.pressure"]
    for sim in (cut, whole):
        sim.run_until("0.93 ms")

    assert abs(whole["lift.a.pressure"] - first) > 1e3  # Pa
    np.testing.assert_allclose(cut.planned.work.state.whole, whole.planned.work.state.whole, rtol=1e-13, atol=1e-13)


# --- words ---


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ({"order": "mechanics-first", "course": "reduced"},
         "coupling 'cosimulated' and course 'reduced' do not go with order 'mechanics-first'."),
        ({"course": "interpolated", "order": "jacobi"},
         "coupling 'cosimulated' and order 'jacobi' do not go with course 'interpolated'."),
        ({"course": "straight"}, "coupling 'cosimulated' does not go with course 'straight'."),
        ({"enforcement": "augmented"}, "coupling 'cosimulated' does not go with enforcement 'augmented'."),
        ({"factorisation": "dense"}, "coupling 'cosimulated' does not go with factorisation 'dense'."),
        ({"integrator": "rk4"}, "coupling 'cosimulated' does not go with integrator 'rk4'."),
        ({"jumps": "published"}, "coupling 'cosimulated' does not go with jumps 'published'."),
        ({"spectral_radius": 0.5, "integrator": "lie"}, "integrator 'lie' has no spectral_radius."),
        ({"penalty": 1e9}, "enforcement 'lagrange' has no penalty."),
        ({"handed": "average"}, "There is no handed 'average'."),
        ({"variables": "pressure"}, "There is no variables 'pressure'."),
    ],
    ids=str,
)  # fmt: skip
def test_words_that_do_not_go_together(words, rule):
    found, fix = refused(**COSIMULATED, **words)
    assert found == rule and fix


@pytest.mark.parametrize("words", [{"order": "jacobi"}, {"handed": "end"}, {"course": "hold"}], ids=str)
def test_words_of_its_own_stand_for_it(words):
    assert kb.Simulation(rod(), **words).planned.method.coupling == "cosimulated"
    found, _ = refused(coupling="realtime", **words)
    assert found.startswith("coupling 'realtime' does not go with")


def test_contact_is_refused():
    m = kb.Machine("crate")
    box = m.body("box", mass=4.0, inertia=(0.1, 0.1, 0.1))
    m.free("float", m.ground, box)
    m.contact("face", box, box=(0.4, 0.4, 0.4), stiffness=1e5)
    with pytest.raises(kb.MachineError, match=r"contact 'face': coupling cosimulated has no contact") as caught:
        kb.build(m, **COSIMULATED)
    assert "Take coupling realtime or explicit." in str(caught.value)


# --- failures ---


def stopped(machine, duration, **words):
    """The text of a run that fails."""
    with pytest.raises(kb.SimulationError) as caught:
        kb.simulate(machine, duration, **COSIMULATED, **words)
    assert np.isfinite(caught.value.results.record).all()
    return str(caught.value)


def test_an_iteration_that_does_not_settle_names_its_side():
    """A linkage of parallelograms that is stretched: at this pose its loops lose their rank."""
    case = kb.catalogue.NAMES["n-four-bar"]()
    text = stopped(case.machine, 1.0, step="2 ms")

    assert "an exchange found no end: the iteration of the mechanics did not settle." in text
    assert "(now cosimulated at 2 ms), or integrator lie, which does not iterate\n" in text
    assert kb.simulate(case.machine, 1.0, step="2 ms", integrator="lie", **COSIMULATED).status == "done"


def test_oil_that_does_not_settle_is_named_too():
    case = kb.catalogue.NAMES["excavator"]()
    text = stopped(held(case.machine), 2.0, case=case, step="20 ms", course="hold")

    assert "an exchange found no end: the iteration of the mechanics or that of the oil did not settle." in text
    assert (
        "try               coupling realtime at 1 ms, course reduced, or steps of 4 ms (now cosimulated at 20 ms), or "
        "integrator lie with power_integrator lie, which do not iterate\n"
    ) in text


def test_exchanges_that_are_unstable_end_with_what_to_take_instead():
    case = kb.catalogue.NAMES["peiret-arm"]()
    for ram in ("lift", "fold"):
        case.machine[ram].viscous = 1e3
    for step in ("1 ms", "2 ms"):  # comes to its end with energy from nowhere; runs out of a cylinder
        text = stopped(case.machine, 3.0, case=case, step=step, course="hold")
        smaller = {"1 ms": "0.2 ms", "2 ms": "0.4 ms"}[step]
        remedy = f"coupling realtime at 1 ms, course reduced, or steps of {smaller} (now cosimulated at {step})"
        assert f"  try               {remedy}" in text
    assert kb.simulate(case.machine, 3.0, case=case, step="2 ms", **COSIMULATED).status == "done"


# --- the mechanics' own inputs, drivers and energies ---


def pushed():
    """A mass on a spring, pushed by an input, beside a cylinder that has nothing to do with it."""
    m = kb.Machine("pushed", gravity=(0, 0, 0))
    block, sledge = (m.body(name, mass=2.0, inertia=(0.1, 0.1, 0.1)) for name in ("block", "sledge"))
    m.prismatic("slide", m.ground, block, axis="x")
    m.prismatic("rail", m.ground, sledge, axis="y", start=1.0)
    m.effort("push", "slide")
    m.joint_spring("spring", "slide", stiffness="200 N/m")
    m.oil(kb.fluids.naya()).cylinder("ram", m.ground, sledge, bore="40 mm", rod="20 mm", stroke="400 mm")
    return m


@pytest.mark.parametrize("words", [{}, {"order": "jacobi", "course": "hold"}, {"order": "mechanics-first"}], ids=str)
def test_inputs_of_the_mechanics_act_in_its_whole_step(words):
    """x = a (t/k − sin(ωt)/(kω)) under a force a t; an input taken late leaves an error of order 1."""
    rate, k, omega = 50.0, 200.0, 10.0
    errors = []
    for step in (4e-3, 2e-3):
        run = kb.simulate(pushed(), 1.0, step=step, inputs={"push": lambda t: rate * t}, **COSIMULATED, **words)
        t = np.asarray(run.time)
        exact = rate * (t / k - np.sin(omega * t) / (k * omega))
        errors.append(np.abs(run["slide.travel"].values - exact).max())

    assert errors[0] < 1e-4
    assert math.log2(errors[0] / errors[1]) > 1.9


@pytest.mark.parametrize("integrator", ["trapezoidal", "lie", "semi-implicit-euler"])
def test_energy_of_a_force_that_jumps_is_its_work(integrator):
    """Both ends of a step count with the input of the step: the work of a constant force is force times way."""
    moves = {"push": kb.steps({0: 30.0, 0.101: -20.0, 0.2: 5.0})}
    m = pushed()
    del m.parts["spring"]
    run = kb.simulate(m, 0.3, step=1e-3, record=1e-3, inputs=moves, integrator=integrator, **COSIMULATED)
    speed = run["slide.travel_rate"].values

    assert run["push.work"].values == pytest.approx(0.5 * 2.0 * speed**2, abs=1e-12)


@pytest.mark.parametrize("coordinates", ["relative", "natural"])
def test_drivers_are_followed_with_order_2(coordinates):
    """A slider driven by a law of time: rates follow it, and the drive's work is what the mechanism took."""
    m = kb.Machine("driven")
    arm, end = (m.body(name, mass=3.0, com=(0.2, 0, 0), inertia=(0.01, 0.1, 0.1)) for name in ("arm", "end"))
    m.revolute("foot", m.ground, arm, axis="y")
    m.revolute("elbow", arm.at(0.5, 0, 0), end, axis="y", start="30 deg")
    m.driver("turn", joint="foot", amplitude="0.3 rad", frequency="1.5 Hz")
    words = {"record": 0.01, "coordinates": coordinates}
    exact = look(m, kb.simulate(m, 0.5, step=5e-5, coupling="explicit", **words))
    errors = []
    for step in (2e-3, 1e-3):
        run = WholeRun(m, 0.5, step=step, **COSIMULATED, **words).recorded()
        errors.append(look(m, run).distance(exact)[0])
        assert run.energy().relative_residual < 1e-3

    assert errors[0] < 1e-3
    assert math.log2(errors[0] / errors[1]) > 1.7


@pytest.mark.parametrize("integrator", ["trapezoidal", "semi-implicit-euler"])
def test_what_the_reduced_model_makes_is_little_though_exchanges_are_far_apart(integrator):
    """Its rates are those of the step, so that both sides come to the same work: only what the factor of the mechanism
    changes within the step is left, whatever the rule of the mechanics.
    """
    case = kb.catalogue.NAMES["peiret-arm"]()
    run = kb.simulate(case.machine, 1.0, case=case, step="10 ms", integrator=integrator, **COSIMULATED)
    audit = run.energy()

    assert audit.exchanged == pytest.approx(run["energy.exchanged"].values[-1], abs=1e-12)
    assert np.abs(run["energy.exchanged"].values).max() < 1e-3 * audit.work_done
    assert "made by exchanges" in str(audit)
    assert run["energy.exchange"].unit == run["energy.exchanged"].unit == "J"
    assert "work the mechanics got less what the power side gave" in run["energy.exchange"].meaning


def test_more_exchanges_with_the_same_steps_of_the_oil_are_not_worse():
    """The first small step of an exchange has the force in its middle as well: 10, 2 and 1 in each."""
    case = kb.catalogue.NAMES["peiret-arm"]()
    words = {"case": case, "record": "10 ms"}
    exact = look(case.machine, kb.simulate(case.machine, 1.0, step="0.05 ms", coupling="realtime", **words))
    errors = []
    for step in ("1 ms", "0.2 ms", "0.1 ms"):
        run = kb.simulate(case.machine, 1.0, step=step, power_step="0.1 ms", **COSIMULATED, **words)
        errors.append(look(case.machine, run).distance(exact))

    assert max(place for place, _ in errors) < 2e-5  # m
    assert max(pressure for _, pressure in errors) < 0.2  # %


def test_other_couplings_have_no_exchanges():
    run = kb.simulate(rod(), "10 ms", step="1 ms", coupling="realtime")
    assert run.energy().exchanged is None and "energy.exchanged" not in run


# --- with everything else of a run ---


def watcher(time, reads, writes, memory, parameters):
    writes[0] = 0.46 + 0.05 * (reads[0] - parameters[0])


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_controllers_and_blocks_do_not_change_a_bit(compiled):
    def made():
        law = kb.Controller(
            kb.compiled(watcher) if compiled else watcher, reads="lift.length", writes="valve", every="3 ms",
            parameters={"wanted": 0.5},
        )  # fmt: skip
        return kb.Simulation(rod(), step="1 ms", record="2 ms", controllers=[law], **COSIMULATED)

    whole, cut = made(), made()
    whole.run_for("60 ms")
    for _ in range(20):
        cut.step(n=2)
    cut.run_for("20 ms")

    np.testing.assert_array_equal(cut.planned.work.state.whole, whole.planned.work.state.whole)
    assert np.ptp(whole.results()["valve.input"].values) > 0.0


def test_energies_are_recorded_beside_signals_of_controllers():
    """A setpoint is a signal of its own, after everything that the machine records."""
    law = kb.pid("follow", reads="lift.length", writes="valve", setpoint=0.5, kp=2.0, every="2 ms")
    sim = kb.Simulation(rod(), step="1 ms", record="2 ms", controllers=[law], **COSIMULATED)
    sim.run_for("40 ms")
    run, exchange = sim.results(), sim.planned.work.state.exchange

    assert len(sim.planned.work.state.signal) > 0
    assert run["energy.exchanged"].values[-1] == exchange[-1] != 0.0
    assert run["energy.exchange"].values[-1] == exchange[-2]


def test_a_bore_that_is_tuned_acts_from_then_on():
    sim = kb.Simulation(rod(), step="1 ms", **COSIMULATED)
    sim.run_for("10 ms")
    sim.tune("lift.bore", "80 mm")
    sim.run_for("10 ms")

    assert sim.status != "failed" and abs(sim["lift.speed"]) > 1e-6
