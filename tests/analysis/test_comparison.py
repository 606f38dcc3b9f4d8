# SPDX-License-Identifier: BSD-3-Clause
"""A comparison of methods: which it advises, what it says is stable, and what its table shows. All numbers made up."""

import json
import math
from dataclasses import replace

import pytest

from knuckleboom.results import Comparison
from knuckleboom.results import comparison_text as text
from knuckleboom.results.comparison import MethodName, NotRun, Reference, Row, is_stable

RK4 = MethodName("relative", "explicit", "rk4", "lagrange", "sparse")
UNIFIED = MethodName("relative", "unified", "trapezoidal", "index3", "dense")
FW2 = MethodName("relative", "realtime", "fw2", "lagrange", "sparse")
LIE = FW2._replace(integrator="lie")
APART = FW2._replace(coupling="cosimulated", integrator="trapezoidal")
KINEMATIC = UNIFIED._replace(coupling="kinematic")
GLOBAL = FW2._replace(coordinates="reference-point")


def row(method, step, cpu_per_s, position_error, pressure=None, **more):
    errors = {"position_error": position_error, "pressure_error_percent": pressure}
    return Row(method, step, "done", "", cpu_per_s, **errors, **more)


CHOSEN = (
    row(RK4, 1e-4, 0.05, 1e-7, 1e-5),
    row(UNIFIED, 5e-3, 0.001, 1e-5, 0.02, iterations=1.2),
    row(FW2, 5e-3, 0.002, 1e-4, 0.1),
    row(FW2, 2e-3, 0.003, 2e-5, 0.03),
    row(LIE, 5e-3, 0.0015, 8e-3, 3.0),
    row(KINEMATIC, 5e-3, 0.0005, 0.0),
)


def advised(*rows, **more):
    reference = Reference(RK4, 1e-5, 1e-9, 1e-6, 1e-9, 1e-6, converged=True)
    return Comparison("crane", 1.0, 0.01, 1.0, reference, rows or CHOSEN, largest_pressure=200e5, **more)


def test_advice():
    comparison = advised()

    # good, of fixed cost, and of those that cost about as little the most accurate
    assert comparison.realtime is CHOSEN[3]
    assert comparison.accurate is CHOSEN[0]
    assert comparison.advice == (
        "For real time take realtime (fw2, lagrange, sparse, relative) at 2 ms: 330 times faster than the machine, "
        "every step costs the same, and it is 0.02 mm and 0.03 % of the largest pressure off. For accuracy take "
        "explicit (rk4, lagrange, sparse, relative) at 0.1 ms: the smallest error, 0.0001 mm and 1e-05 % of the "
        "largest pressure; 20 times faster than the machine. realtime needs steps of 5 ms on this machine: places are "
        "then off by 0.1 mm and pressures by 0.2 bar at most (allowed: 2 mm and 5 bar)."
    )


def test_advice_says_what_it_rests_on():
    assert advised(status="interrupted").advice.startswith("Interrupted; of what was run until then: For real time")
    assert advised(CHOSEN[-1]).advice == "Nothing is advised: kinematic is given what the others find."


@pytest.mark.parametrize("word", ["augmented", "conjugate-gradients", "index3"])
def test_what_iterates_is_not_for_real_time(word):
    method = RK4._replace(**{"factorisation" if "-" in word else "enforcement": word})
    best = row(method, 2e-3, 0.001, 1e-6, 1e-3)

    assert advised(*CHOSEN, best).realtime is CHOSEN[3]


def test_advice_where_little_is_good():
    slow = replace(CHOSEN[0], cpu_per_s=3.0)
    failed = Row(FW2, 5e-3, "failed", "stopped at t = 0 s")
    poor = CHOSEN[4]

    assert "fast enough for real time. For accuracy take explicit (rk4" in advised(slow, failed).advice
    assert "3 times slower" in advised(slow, failed).advice
    assert "no smaller error was seen in real time" in advised(poor).advice
    assert advised(CHOSEN[0]).advice.endswith("It also has the smallest error seen.")
    assert replace(advised(), rows=()).advice == (
        "Nothing is advised: there was no time to run any method; allow more processor time (--within)."
    )
    assert advised(failed).advice == "No method ran to its end at these steps: try smaller ones."
    assert advised(failed).to_dict()["realtime"] is None
    assert "Nothing moved" in replace(advised(), travel=0.0).advice


def test_a_motion_that_is_too_small_is_no_reason_to_choose():
    """Less than 1 mm and 5 bar: a machine that stood would be within what realtime may be off by."""
    creeping = replace(advised(), travel=2.3e-5, pressure_swing=3e4)
    assert creeping.advice == (
        "The motion is too small to tell methods apart, so none is advised: no place moved by more than 0.023 mm and "
        "no pressure by more than 0.3 bar; compare for longer (--for), or with inputs or a case (--case) that move the "
        "machine."
    )
    assert creeping.realtime is creeping.accurate is creeping.realtime_step is None
    assert creeping.to_dict()["realtime_step"] is None
    assert "For real time take" in replace(creeping, pressure_swing=20e5).advice
    assert "For real time take" in replace(creeping, travel=2e-3).advice


def test_the_first_line_names_the_case():
    assert str(advised()).startswith("crane, 1 s; largest errors")
    assert str(advised(case="lift")).startswith("crane, case lift, 1 s; largest errors")
    assert advised(case="lift").to_dict()["case"] == "lift"


def test_steps_that_nobody_asked_for_are_not_advised():
    large = row(FW2, 20e-3, 0.0002, 1e-5, 0.01)

    assert advised(*CHOSEN, large).realtime is large
    assert advised(*CHOSEN, large, longest=5e-3).realtime is CHOSEN[3]
    assert advised(large, longest=5e-3).best([large]) is None


def test_stability():
    rows = [row(FW2, step, 1.0, error) for step, error in ((1e-3, 1e-5), (2e-3, 1e-3), (5e-3, 2.0), (10e-3, 0.1))]

    assert advised(*rows).stability(FW2.formulation).step == 2e-3  # 10 ms came back by chance
    assert advised(*rows).stability(FW2.formulation).bounded
    assert not advised(*rows[:2]).stability(FW2.formulation).bounded
    assert advised(Row(FW2, 1e-3, "failed")).stability(FW2.formulation).step is None
    assert text.stable_to(advised(*rows), FW2) == "2 ms" and text.stable_to(advised(*rows[:2]), FW2) == "≥ 2 ms"
    assert is_stable(row(FW2, 1e-3, 1.0, 0.5, 99.0), 1.0)
    assert not is_stable(row(FW2, 1e-3, 1.0, 0.5, 101.0), 1.0)
    assert not is_stable(row(FW2, 1e-3, 1.0, 0.5, energy_residual_percent=101.0), 1.0)


def test_the_table_has_every_method_at_its_best_step_grouped_by_coordinates():
    dense = replace(CHOSEN[3], method=FW2._replace(factorisation="dense"), cpu_per_s=0.009)
    failed = Row(GLOBAL, 5e-3, "failed", "stopped at t = 0.1 s: too large")
    good = row(GLOBAL._replace(integrator="lim"), 5e-3, 0.4, 1e-4, 0.2, constraint_error=2e-7, evaluations_per_step=2.0)
    comparison = advised(*CHOSEN, dense, failed, good, not_run=[NotRun(LIE, None, "no time")], meant=4.0)

    lines = str(comparison).splitlines()

    assert lines[0] == "crane, 1 s (of 4 s, to keep to the time); largest errors on a grid of 10 ms"
    assert [line.split()[:2] for line in lines[2:11]] == [
        ["RELATIVE", "COORDINATES"], ["unified", "trapezoidal"], ["realtime", "fw2"], ["explicit", "rk4"],
        ["realtime", "lie"], ["kinematic", "trapezoidal"], [], ["REFERENCE-POINT", "COORDINATES"], ["realtime", "lim"],
    ]  # fmt: skip
    # within 0.5 % the cheapest step counts
    assert lines[4].split()[4:9] == ["5", "ms", "2,000", "-", "-"]
    assert lines[10].split()[:12] == [
        "realtime", "lim", "lagrange", "sparse", "5", "ms", "400,000", "2", "-", "0.1", "0.2", "2e-07"
    ]  # fmt: skip
    assert "failed: stopped at t = 0.1 s: too large" in lines[11]
    assert "In relative coordinates dense costs 3 times what sparse does (median)." in lines
    assert "Not run, no time: realtime." in lines
    assert lines[-1] == comparison.advice and lines[-2] == str(comparison.reference)
    assert max(len(line) for line in lines[:-2]) <= 154


def test_errors_below_what_the_reference_resolves_are_bounds():
    assert text.errors(advised(), row(RK4, 1e-3, 1.0, 1e-10, 1e-7)) == ("below 1e-06", "below 1e-06")


def test_nothing_is_advised_from_a_reference_that_has_not_converged():
    known = Reference(UNIFIED, 2.5e-4, 4e-3, 10.0, 9.61e-3, 18.0, converged=False, limit="time")
    doubtful = replace(advised(), reference=known)

    assert doubtful.realtime is doubtful.accurate is doubtful.realtime_step is None
    assert doubtful.advice == (
        "Nothing is advised: the reference, unified at 0.25 ms, may itself be off by 9.7 mm and 36 bar, and 0.4 mm and "
        "0.2 bar is the most that would let it judge other methods; allow more processor time (--within), or compare "
        "for a shorter time (--for 0.2s)."
    )
    unknown = replace(doubtful, reference=replace(known, position_error=math.inf, pressure_error_percent=math.inf))
    assert unknown.advice == (
        "Nothing is advised: the reference, unified at 0.25 ms, may itself be off by any amount, as its step was not "
        "halved often enough to tell, and 0.4 mm and 0.2 bar is the most that would let it judge other methods; allow "
        "more processor time (--within), or compare for a shorter time (--for 0.2s)."
    )
    assert unknown.to_dict()["reference"]["position_error"] is None
    assert json.dumps(unknown.to_dict(), allow_nan=False)
    assert "compare for a shorter time (--for 0.2s) or in smaller steps (--steps)" in replace(
        doubtful, reference=replace(known, limit="steps")
    ).advice
    assert str(known).endswith("1.0e+01 % of the largest pressure; it has NOT converged.")
    data = doubtful.to_dict()
    assert data["realtime"] is data["accurate"] is data["realtime_step"] is None
    assert data["advice"].startswith("Nothing is advised") and len(data["runs"]) == len(CHOSEN)
    # what is smaller than the reference's own error is a bound, rounded up
    assert text.errors(doubtful, CHOSEN[1]) == ("below 9.7", "below 18")
    assert "For real time take" not in str(doubtful) and "For accuracy take" not in str(doubtful)


def test_the_step_that_realtime_needs():
    errors = ((5e-3, 9e-3, 18.0), (2e-3, 1.2e-3, 2.4), (1e-3, 3e-4, 0.8))
    runs = [row(FW2, step, 0.01, place, pressure) for step, place, pressure in errors]

    found = advised(*runs)
    assert (found.realtime_step.step, found.realtime_step.enough) == (2e-3, True)
    assert found.realtime_step.pressure_error == pytest.approx(4.8e5)
    assert text.realtime_step(found.realtime_step) == (
        "realtime needs steps of 2 ms on this machine: places are then off by 1.2 mm and pressures by 4.8 bar at most "
        "(allowed: 2 mm and 5 bar)."
    )
    assert found.to_dict()["realtime_step"]["text"] in found.advice
    assert text.realtime_step(advised(runs[0]).realtime_step) == (
        "realtime is not near enough at any step that was run (allowed: 2 mm and 5 bar): nearest is 5 ms, with places "
        "off by 9 mm and pressures by 36 bar."
    )
    # a larger step that is near by chance, and one above a step that failed, do not count
    lucky = [row(FW2, 5e-3, 0.01, 1e-4, 0.1), row(FW2, 2e-3, 0.01, 5e-3, 0.1), runs[2]]
    assert advised(*lucky).realtime_step.step == 1e-3
    assert not advised(runs[1], Row(FW2, 1e-3, "failed")).realtime_step.enough
    dry = replace(runs[1], pressure_error_percent=None)
    assert text.realtime_step(replace(advised(dry), largest_pressure=None).realtime_step) == (
        "realtime needs steps of 2 ms on this machine: places are then off by 1.2 mm at most (allowed: 2 mm)."
    )
    assert advised(CHOSEN[0]).realtime_step is None
    large = row(FW2, 10e-3, 0.01, 1e-4, 0.1)
    assert advised(*runs[1:], large, longest=2e-3).realtime_step.step == 2e-3  # 10 ms were not asked for


def exchanges(*runs, **more):
    """A comparison with runs of `cosimulated`: step, error of places, of pressures in % and energy made in %."""
    rows = [row(APART, step, 0.01, place, pressure, exchanged_percent=made) for step, place, pressure, made in runs]
    return advised(*rows, default_cosimulated=APART, **more)


FAR = ((20e-3, 3e-2, 9.0, 60.0), (10e-3, 9e-3, 4.0, 0.31), (5e-3, 1.2e-3, 2.4, 0.1), (2e-3, 3e-4, 0.8, 0.02))


def test_how_far_apart_exchanges_can_be():
    found = exchanges(*FAR)
    step = found.cosimulated_step

    assert (step.stable, step.unstable_above, step.exchanged_percent) == (10e-3, True, 0.31)
    assert (step.accurate.step, step.accurate.enough, step.inaccurate_above) == (5e-3, True, True)
    assert text.cosimulated_step(step) == (
        "cosimulated: stable up to H = 10 ms (energy of exchanges 0.31 % of the work), accurate to 2 mm and 5 bar up "
        "to 5 ms."
    )
    assert found.advice.endswith(found.to_dict()["cosimulated_step"]["text"])
    assert found.to_dict()["cosimulated_step"]["exchanged_tolerance_percent"] == pytest.approx(5.0)


def test_limits_of_exchanges_that_were_not_met_are_bounds():
    assert text.cosimulated_step(exchanges(*FAR[2:]).cosimulated_step) == (
        "cosimulated: stable up to H = 5 ms at least (energy of exchanges 0.1 % of the work), accurate to 2 mm and 5 "
        "bar up to 5 ms at least."
    )
    assert text.cosimulated_step(exchanges(*FAR[:2]).cosimulated_step) == (
        "cosimulated: stable up to H = 10 ms (energy of exchanges 0.31 % of the work), not accurate to 2 mm and 5 bar "
        "at any of them: nearest is 10 ms, off by 9 mm and 8 bar."
    )
    never = exchanges(FAR[0]).cosimulated_step
    assert (never.stable, never.exchanged_percent, never.accurate) == (None, 60.0, None)
    assert text.cosimulated_step(never) == "cosimulated is not stable at any step that was run; smaller ones may be."
    assert text.cosimulated_step(None) == "" == text.cosimulated_step(advised().cosimulated_step)


def test_a_step_above_one_that_is_unstable_does_not_count():
    """Energy that exchanges made and took again, or a run that failed, at a smaller step."""
    lucky = exchanges((20e-3, 1e-3, 1.0, 0.1), (10e-3, 9e-1, 90.0, 200.0), FAR[2])
    failed = replace(lucky, rows=(*lucky.rows[:1], Row(APART, 10e-3, "failed"), *lucky.rows[2:]))

    for found in (lucky, failed):
        step = found.cosimulated_step
        assert (step.stable, step.unstable_above, step.accurate.step) == (5e-3, True, 5e-3)


def test_stable_exchanges_need_no_reference():
    known = replace(advised().reference, converged=False)
    found = replace(exchanges(*FAR), reference=known)

    assert text.cosimulated_step(found.cosimulated_step) == (
        "cosimulated: stable up to H = 10 ms (energy of exchanges 0.31 % of the work)."
    )
    assert found.advice.startswith("Nothing is advised") and "stable up to H = 10 ms" in found.advice
    assert exchanges(*FAR, pressure_swing=0.0).cosimulated_step is not None  # it moved by 1 m
    assert replace(exchanges(*FAR), travel=0.0).cosimulated_step is None


def test_exchanges_are_not_for_real_time():
    """Their oil iterates."""
    assert not APART.bounded_cost and APART.formulation == APART._replace(factorisation="")
    assert advised(*CHOSEN, row(APART, 5e-3, 1e-5, 1e-7, 1e-5)).realtime is CHOSEN[3]


def test_bounds_are_rounded_up():
    assert [text.round_up(value) for value in (0.0121, 558.3, 0.4, 12.0, 999.0)] == [
        "0.013", "560", "0.4", "12", "1000"
    ]  # fmt: skip


def test_numbers_as_people_read_them():
    assert text.microseconds(9.996e-4) == "1,000" and text.microseconds(4.21e-5) == "42.1"
    assert text.factor(17234.0) == "17,000" and text.factor(1.34) == "1.3"
    # marks above letters take no room
    assert len(text.line(text.HEADINGS)) - text.combining("".join(text.HEADINGS)) == sum(text.WIDTHS)
