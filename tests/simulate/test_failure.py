# SPDX-License-Identifier: BSD-3-Clause
"""Why a run stopped, as a sentence: the part, what to try, what was kept; and the results so far are good ones.

Where a run diverges, its last digits depend on the processor: in these golden texts the numbers of such a run are
written #. Rank of evidence: remembered values, read through.
"""

import pickle
import re

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom import methods
from knuckleboom.simulation.unsettled import what_is_open


def failure(machine, duration=1.0, **words):
    """Run a machine that cannot go on and check what every failure has; return the error."""
    with pytest.raises(kb.SimulationError) as caught:
        kb.simulate(machine, duration, **words)
    results = caught.value.results
    assert results.status == "failed"
    assert results.message == str(caught.value)
    assert np.isfinite(results.record).all()
    if len(results.time):
        assert np.all(np.diff(results.time) > 0.0)
        assert np.isfinite(results.energy().residual)
    return caught.value


def without_numbers(error):
    return re.sub(r"(?<![\w.])-?\d[\d.e+-]*", "#", str(error))


def test_conjugate_gradients_say_that_a_step_is_too_long():
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"enforcement": "penalty", "factorisation": methods.GRADIENTS, "coordinates": "reference-point"}
    error = failure(case.machine, step="10 ms", inputs=case.inputs, **words)
    assert "pressure at 'lift." in str(error) and "is no longer finite" in str(error)
    assert "coupling realtime at 1 ms, or steps of" in str(error)


@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
def test_a_step_that_is_too_long_for_the_oil(factorisation):
    case = kb.catalogue.NAMES["naya-rod"]()

    error = failure(
        case.machine, 10.0, step="1 ms", inputs=case.inputs, coupling="explicit", factorisation=factorisation
    )

    assert without_numbers(error) == (
        "Simulation stopped at t = # s: pressure at 'lift.a' is no longer finite.\n"
        "  last record       # bar at t = # s\n"
        "  largest change    'valve.PB.flow' (# l/min, #x its mean)\n"
        "  try               coupling realtime at # ms, or steps of # ms (now explicit at # ms)\n"
        "  kept              results up to t = # s"
    )
    assert "coupling realtime at 1 ms, or steps of 0.2 ms (now explicit at 1 ms)" in str(error)
    assert error.results.time[-1] > 2.0


def test_what_was_kept_of_a_failed_run_is_what_a_shorter_run_gives():
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": "1 ms", "record": "10 ms", "inputs": case.inputs, "coupling": "explicit"}

    failed = failure(case.machine, 10.0, **words).results
    sim = kb.Simulation(case.machine, **words)
    sim.run_for(1.0)
    whole = sim.results()

    assert np.array_equal(failed.record[: len(whole.time)], whole.record)


def ram(fluid, **cylinder):
    """A load of 1 t that falls on a cylinder whose chambers are open to a tank and whose stops are soft."""
    machine = kb.Machine("ram")
    load = machine.body("load", mass=1000.0, inertia=(1, 1, 1))
    machine.prismatic("slide", machine.ground, load, axis="z", start="0.5 m", speed="-5 m/s")
    oil = machine.oil(fluid)
    lift = machine.cylinder(
        "lift", machine.ground, load, bore="50 mm", rod="0 mm", stroke="0.2 m", oil=oil, dead_a="0.01 l",
        stop_stiffness="1 N/m", **cylinder,
    )  # fmt: skip
    tank = oil.tank("tank", "1 bar")
    oil.restrictor("out", lift.a, tank, area="100 mm^2")
    oil.restrictor("back", lift.b, tank, area="100 mm^2")
    return machine


def test_a_chamber_without_volume():
    error = failure(ram(kb.fluids.mineral_oil()), step="0.02 ms")

    text = str(error)
    assert without_numbers(error) == (
        "Simulation stopped at t = # s: no oil is left at 'lift.a': 'lift' is # mm long and made for # mm to # mm.\n"
        "  last record       # bar at t = # s\n"
        "  try               a larger dead volume, a stiffer end stop, or a closed length and stroke that fit\n"
        "  kept              results up to t = # s"
    )
    assert "is 395 mm long and made for 400 mm to 600 mm." in text
    assert error.results["lift.length"].values[-1] == pytest.approx(0.4, abs=0.01)


def test_a_cylinder_that_does_not_fit_the_start_pose():
    with pytest.raises(kb.MachineError, match=r"'lift' is 500 mm long at the start, but made for 600 mm to 800 mm."):
        kb.build(ram(kb.fluids.mineral_oil(), closed="0.6 m"))


def test_a_pressure_that_blows_up_for_want_of_oil_says_so():
    error = failure(ram(kb.fluids.naya()), step="0.005 ms", record="0.005 ms", coupling="explicit")

    assert "pressure at 'lift.a' is no longer finite." in str(error)
    assert "or a larger dead volume or stiffer end stop: hardly any oil was left there" in str(error)


@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
def test_a_joint_that_moves_no_mass(factorisation):
    machine = kb.Machine("door")
    machine.revolute("hinge", machine.ground, machine.body("leaf", mass=1.0, inertia=(0, 0, 0)))

    error = failure(machine, factorisation=factorisation)

    assert str(error) == (
        "Simulation stopped at t = 0 s: joint 'hinge' moves no mass.\n"
        "  try               mass, and inertia about the axis of 'hinge', on the bodies that it carries\n"
        "  kept              nothing was recorded yet"
    )


@pytest.mark.parametrize("coupling", ["explicit", "realtime", "unified", "cosimulated"])
def test_a_joint_that_moves_no_mass_in_any_coupling(coupling):
    machine = kb.Machine("door")
    machine.revolute("hinge", machine.ground, machine.body("leaf", mass=1.0, inertia=(0, 0, 0)))

    assert "joint 'hinge' moves no mass." in str(failure(machine, coupling=coupling))


def test_a_step_that_is_too_long_is_not_taken_for_a_joint_without_mass():
    """Its crosshead has mass; the rates of a run that diverges make the matrix of a step lose its sign."""
    case = kb.catalogue.NAMES["slider-crank"]()

    error = failure(case.machine, 2.0, step="20 ms", coupling="realtime")

    assert without_numbers(error) == (
        "Simulation stopped at t = # s: the equations of motion could not be solved at joint 'cross'. "
        "At the start they could: the motion diverged.\n"
        "  try               a smaller step, such as # ms (now realtime at # ms); if that changes nothing, "
        "inertia about every axis for the bodies there\n"
        "  kept              results up to t = # s"
    )
    assert kb.simulate(case.machine, 2.0, step="1 ms", coupling="realtime").status == "done"


REALTIME = "coupling realtime at 1 ms"


@pytest.mark.parametrize(
    ("name", "coupling", "step", "advice"),
    [
        ("excavator", "explicit", "50 ms", f"{REALTIME}, or steps of 0.0# ms (now explicit at 50 ms)"),
        ("mobile-crane", "explicit", "5 ms", f"{REALTIME}, or steps of 0.0# ms (now explicit at 5 ms)"),
        ("naya-rod", "explicit", "5 ms", f"{REALTIME}, or steps of 0.# ms (now explicit at 5 ms)"),
        ("forwarder-crane", "explicit", "5 ms", f"{REALTIME}, or steps of 0.0# ms (now explicit at 5 ms)"),
        ("forwarder-crane", "unified", "50 ms", f"{REALTIME}, or steps of 10 ms (now unified at 50 ms)"),
        ("excavator", "realtime", "50 ms", f"{REALTIME} (now 50 ms)"),
        ("mobile-crane", "realtime", "50 ms", f"{REALTIME} (now 50 ms)"),
        ("forwarder-crane", "realtime", "50 ms", f"{REALTIME} (now 50 ms)"),
    ],
)
def test_oil_at_a_step_that_is_far_too_long(name, coupling, step, advice):
    """Whatever such a run stumbles over, the step is to blame and is said first."""
    case = kb.catalogue.NAMES[name]()

    text = str(failure(case.machine, 4.0, case=case, coupling=coupling, step=step))

    assert "mass" not in text and "inertia" not in text
    remedy = re.search(r"^  try               (.*)$", text, re.MULTILINE)[1]
    assert re.match(re.escape(advice).replace(r"\#", r"\d"), remedy), remedy
    rest = re.sub(r"^.*? at \d+ ms\)|^.*?\(now \d+ ms\)", "", remedy)
    stops = "a larger dead volume, a stiffer end stop, or a closed length and stroke that fit"
    assert rest in ("", f"; if that changes nothing, {stops}")


def test_a_step_that_is_too_long_is_not_taken_for_a_body_without_mass():
    case = kb.catalogue.NAMES["andrews"]()

    text = str(failure(case.machine, 2.0, step="5 ms", coordinates="reference-point", inputs=case.inputs))

    assert "without moving any mass" not in text
    assert "a smaller step, such as " in text and "(now explicit at 5 ms)" in text


def test_a_body_that_moves_no_mass():
    """In coordinates of its own a body needs inertia about all axes that no joint holds."""
    machine = kb.Machine("door")
    machine.revolute("hinge", machine.ground, machine.body("leaf", mass=1.0, inertia=(0, 0, 0)))

    assert str(failure(machine, coordinates="reference-point")) == (
        "Simulation stopped at t = 0 s: body 'leaf' can move without moving any mass.\n"
        "  try               mass, and inertia about every axis, for it, or coordinates relative "
        "(now reference-point)\n"
        "  kept              nothing was recorded yet"
    )


def test_conjugate_gradients_with_too_large_a_penalty():
    words = {"step": "10 us", "coordinates": "reference-point", "factorisation": "conjugate-gradients"}

    error = failure(kb.catalogue.NAMES["andrews"]().machine, 0.05, enforcement="penalty", penalty=1e12, **words)

    assert without_numbers(error) == (
        "Simulation stopped at t = # s: conjugate-gradients found no accelerations: "
        "the penalty is too large for them.\n"
        "  try               factorisation sparse, or a penalty smaller than #\n"
        "  kept              results up to t = # s"
    )


def strut_on_an_arm():
    """A rod from an arm's own pivot to its tip: it never changes its length, whatever moves."""
    machine = kb.Machine("strut")
    arm = machine.body("arm", mass=1.0, inertia=(1, 1, 1))
    machine.revolute("pivot", machine.ground, arm, axis="y")
    machine.rod("strut", machine.ground, arm.at(1, 0, 0))
    return machine


@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
@pytest.mark.parametrize("enforcement", ["lagrange", "penalty", "augmented"])
def test_a_loop_that_holds_nothing_is_tolerated(enforcement, factorisation):
    run = kb.simulate(strut_on_an_arm(), 0.1, enforcement=enforcement, factorisation=factorisation)

    assert run.status == "done"
    assert abs(run["strut.residual"].values).max() < 1e-12


@pytest.mark.parametrize(("coordinates", "told"), [("relative", "joint 'slide'"), ("reference-point", "body 'load'")])
def test_a_spring_that_is_too_stiff_for_the_step(coordinates, told):
    machine = kb.Machine("buffer")
    machine.prismatic("slide", machine.ground, machine.body("load", mass=1.0, inertia=(1, 1, 1)), start="0.1 m")
    machine.joint_spring("spring", "slide", stiffness="1e9 N/m", rest=0)

    error = failure(machine, coordinates=coordinates)

    assert without_numbers(error) == (
        f"Simulation stopped at t = # s: the motion of {told} is no longer finite.\n"
        "  try               a smaller step, such as # ms (now explicit at # ms)\n"
        "  kept              results up to t = # s"
    )


def test_a_loop_that_is_no_longer_finite_names_a_joint_of_it_and_the_step():
    machine = strut_on_an_arm()
    weight = machine.body("weight", mass=1.0, inertia=(1, 1, 1))
    machine.spherical("ball", machine.ground.at(0, 0, 1), weight)
    machine.rod("tie", machine["arm"].at(1, 0, 0), weight.at(0, 1, 0))
    machine.spring("rubber", machine["arm"].at(1, 0, 0), weight.at(0, 1, 1), stiffness="1e12 N/m", rest="0.5 m")

    text = str(failure(machine, step="10 ms", enforcement="penalty"))

    assert re.search(r"the motion of joint '(pivot|ball)' is no longer finite\.", text)
    assert "a smaller step, such as 0.001 ms (now explicit at 10 ms)" in text  # ω of the spring: 1e6/s


def stretched(drivers):
    """Two arms, whose drivers pull their tip further away than they reach."""
    machine = kb.Machine("stretched")
    upper = machine.body("upper", mass=1.0, com=(0.25, 0, 0), inertia=(0.01, 0.01, 0.01))
    lower = machine.body("lower", mass=1.0, com=(0.25, 0, 0), inertia=(0.01, 0.01, 0.01))
    machine.revolute("shoulder", machine.ground, upper, axis="y", start="0.5 rad")
    machine.revolute("elbow", upper.at(0.5, 0, 0), lower, axis="y", start="0.5 rad")
    for name, x, speed in drivers:
        machine.driver(name, a=machine.ground.at(x, 0, 1), b=lower.at(0.5, 0, 0), speed=speed)
    return machine


@pytest.mark.parametrize("coordinates", methods.choices("coordinates"))
def test_drivers_that_contradict_each_other(coordinates):
    machine = stretched([("left", 0, "0.2 m/s"), ("right", 1, "-0.5 m/s")])

    error = failure(machine, step="10 ms", coupling="unified", coordinates=coordinates)

    text = without_numbers(error)
    assert re.match(
        r"Simulation stopped at t = # s: Newton's iteration found no end of the step, not even in # parts: "
        r"equation '\w+' of (driver '(left|right)'|joint '(shoulder|elbow)'|body '(upper|lower)') "
        r"(stays open by # m?m|opens more and more)\.\n"
        r"  try               motions of 'left' and 'right' that the mechanism can follow without a dead centre, "
        r"or a smaller step, such as # ms \(now unified at # ms\)\n"
        r"  kept              results up to t = # s$",
        text,
    ), text
    assert 0.02 < error.results.time[-1] < 0.2


@pytest.mark.parametrize("coordinates", methods.choices("coordinates"))
def test_a_driver_that_goes_beyond_a_dead_centre(coordinates):
    error = failure(slider_crank(), step="10 ms", coupling="unified", coordinates=coordinates)

    text = str(error)
    assert text.startswith("Simulation stopped at t = 0.29 s: Newton's iteration found no end of the step, ")
    label = "motion" if coordinates == "relative" else "travel"
    assert f"equation '{label}' of driver 'pull'" in text
    assert "motions of 'pull' that the mechanism can follow without a dead centre, or a smaller step" in text


def slider_crank():
    """A slider that its driver pulls away from the crank: at 0.3 s crank and rod are in line."""
    machine = kb.Machine("slider-crank")
    crank = machine.body("crank", mass=1.0, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01))
    rod = machine.body("rod", mass=1.0, com=(0.2, 0, 0), inertia=(0.02, 0.02, 0.02))
    slider = machine.body("slider", mass=1.0, inertia=(0.01, 0.01, 0.01))
    machine.revolute("foot", machine.ground, crank, axis="y", start="1 rad")
    machine.revolute("elbow", crank.at(0.2, 0, 0), rod, axis="y")
    machine.prismatic("guide", machine.ground, slider, axis="x", start=0.3)
    machine.revolute("wrist", rod.at(0.4, 0, 0), slider, axis="y", cut=True)
    machine.driver("pull", joint="guide", speed="1 m/s")
    return machine


def test_an_absurd_step_names_the_worst_equation_and_its_joint():
    error = failure(kb.catalogue.NAMES["four-bar"]().machine, 10.0, step="1 s", coupling="unified")

    # which of its two equations is worst after an iteration that leads nowhere is a matter of rounding
    assert without_numbers(error).replace("equation 'x'", "equation 'y'") == (
        "Simulation stopped at t = # s: Newton's iteration found no end of the step, not even in # parts: "
        "equation 'y' of joint 'tip' stays open by # mm.\n"
        "  try               a smaller step, such as # ms (now unified at # ms), "
        "or coupling realtime, which does not iterate\n"
        "  kept              results up to t = # s"
    )


@pytest.mark.parametrize("word", ["pressure", "speed"])
def test_what_did_not_settle_where_no_equation_is_open(word):
    """From what an iteration leaves behind; no machine is known that fails so by itself."""
    case = kb.catalogue.NAMES["naya-rod"]()
    planned = kb.build(case.machine, coupling="unified")
    newton, tangent = planned.work.newton, planned.work.tangent
    planned.work.rows.s[:] = planned.work.rows.target[:] = newton.rhs[:] = newton.rate_x[:] = 0.0
    tangent.stiffness[:] = 1e9
    newton.rate_x[1] = 1e-4
    newton.rhs[0] = 1e-3 if word == "pressure" else 1e3

    found = what_is_open(planned, 1e-5)

    told = {
        "pressure": "in its last iteration pressure at 'lift.b' still changed by 1.00 bar",
        "speed": "in its last iteration the speed of joint 'pin' still changed by 57296 deg/s",
    }
    assert found == told[word]


def test_what_is_kept_of_a_failed_run_can_be_saved_read_and_reported(tmp_path):
    results = failure(slider_crank(), step="10 ms", coupling="unified").results

    read = kb.load(results.to_netcdf(tmp_path / "failed.nc"))
    page = results.report(tmp_path / "failed.html").read_text(encoding="utf-8")

    assert (read.status, read.message) == ("failed", results.message)
    assert np.array_equal(read["slider.position"].values, results["slider.position"].values)
    assert "driver &#x27;pull&#x27;" in page


def test_a_failure_travels_between_processes():
    machine = kb.Machine("door")
    machine.revolute("hinge", machine.ground, machine.body("leaf", mass=1.0, inertia=(0, 0, 0)))
    error = failure(machine)

    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_the_energy_of_a_run_without_records_is_a_sentence():
    machine = kb.Machine("door")
    machine.revolute("hinge", machine.ground, machine.body("leaf", mass=1.0, inertia=(0, 0, 0)))

    with pytest.raises(ValueError, match="the run of 'door' recorded nothing, so there is no energy to audit"):
        failure(machine).results.energy()
