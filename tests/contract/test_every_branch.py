# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every branch, opening and steered state of the oil network: exact slopes, also where there is no drop
and in the centre of a spool, no energy from nowhere, columns that fit their tables, a true card."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.hydraulics.elements import (
    flow_source,
    limited,
    opened_restrictor,
    opening_affine,
    opening_product,
    opening_signal,
    opening_table,
    second_order,
    sensed,
)
from knuckleboom.hydraulics.network import BRANCHES, OPENINGS, PILOT, STEERED
from knuckleboom.kernels import plain
from knuckleboom.laws.curve import curve_numbers
from knuckleboom.layout import PLAN_FIELDS

ROOT = Path(__file__).parents[2]
ENDS = (["p_a", "p_b"], ["p_a", "p_b", "opening"], ["p_a", "p_b", "pilot"])
settings, fulls = st.floats(-5e6, 2e7), st.floats(1e5, 1e6)  # Pa
COLUMNS = {
    "kq": st.floats(1e-8, 1e-6), "transition": st.floats(1e4, 5e5), "setting": settings, "full": fulls,
    "conductance": st.floats(1e-14, 1e-10),
    "offset": st.floats(-1.0, 1.0), "gain": st.sampled_from((-1.0, -0.5, 0.5, 1.0)),
    "overlap": st.floats(-0.5, 0.5), "leak": st.floats(1e-5, 1e-2),
    "setting_1": settings, "full_1": fulls, "setting_2": st.one_of(settings, st.just(np.inf)), "full_2": fulls,
    "product": st.one_of(st.floats(1e4, 3e7), st.just(np.inf)),
}  # fmt: skip
"""Sensible values of every column that an element may have."""
pressures = st.floats(0.0, 3e7).map(lambda pressure: round(pressure, 3))  # Pa
STATES = {
    "p_a": pressures, "p_b": pressures, "pilot": st.floats(-5e7, 5e7).map(lambda pressure: round(pressure, 3)),
    "opening": st.floats(0.0, 1.0).map(lambda opening: round(opening, 6)),
    "signal": st.one_of(st.just(0.0), st.floats(-1.2, 1.2)), "other": st.floats(-300.0, 300.0),
    "command": st.floats(-1.0, 1.0), "drop_1": st.floats(-3e7, 3e7), "drop_2": st.floats(-3e7, 3e7),
    "p_1": pressures, "p_2": pressures, "p_3": pressures, "p_4": pressures,
}  # fmt: skip
RESISTING = [branch for branch in BRANCHES if branch is not flow_source]
"""Branches that the pressure drop drives; a flow source is the one that supplies."""
BOUNDED = [opening for opening in OPENINGS if opening not in (opening_signal, opening_product)]
"""Openings in the strict sense; the others are flows."""
ELEMENTS = (*BRANCHES, *OPENINGS, *STEERED)
LAW = {element: callable_kernel(element.law) for element in ELEMENTS}
WIDTH = {name: shape[-1] for name, shape, _, _ in PLAN_FIELDS}
"""Columns of each table of the plan, or the length of a list."""


def named(elements):
    return [pytest.param(element, id=element.__name__.rpartition(".")[2]) for element in elements]


def arguments(element):
    return list(inspect.signature(plain(element.law)).parameters)


def draw_table(data):
    """A metering table, rising or with a summit, as often as not with a point in the centre of the spool."""
    places = data.draw(st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True), label="places")
    if data.draw(st.booleans()):
        places = sorted({*places, 0})
    openings = data.draw(st.lists(st.floats(0.0, 1.0), min_size=len(places), max_size=len(places)), label="openings")
    return np.array(curve_numbers([(0.05 * place, o) for place, o in zip(sorted(places), openings, strict=True)]))


def draw_arguments(data, element):
    """Any values, and as often such that the law is between its limits, or has no drop."""
    if element is opening_table:
        numbers = draw_table(data)
        return {"signal": data.draw(STATES["signal"]), "numbers": numbers, "start": 0.0, "count": len(numbers) / 3.0}
    values = {name: data.draw((STATES | COLUMNS)[name], label=name) for name in arguments(element) if name[0] != "w"}
    if element is sensed:
        values |= {f"w_{k}": data.draw(st.floats(-3.0, 3.0)) for k in (1, 2, 3, 4)}
    if "transition" in values and data.draw(st.booleans()):
        part = data.draw(st.one_of(st.just(0.0), st.floats(-2.0, 2.0)), label="drop")
        values["p_b"] = values["p_a"] + values["transition"] * part
    if "pilot" in values and data.draw(st.booleans()):
        values["pilot"] = values["setting"] + values["full"] * data.draw(st.floats(-0.5, 1.5), label="part open")
    for k in (1, 2):
        if element is limited and np.isfinite(values[f"setting_{k}"]) and data.draw(st.booleans()):
            part = data.draw(st.floats(-0.5, 1.5), label="part left")
            values[f"drop_{k}"] = values[f"setting_{k}"] - part * values[f"full_{k}"]
    return values


def shifted(element, given, steps):
    """First result of the law with some arguments moved."""
    return LAW[element](*(value + steps.get(name, 0.0) for name, value in given.items()))[0]


def assert_slope(element, given, slope, steps):
    """A slope is that of the differences to both sides, but for what their curvatures leave; no slope is at corners."""
    at = LAW[element](*given.values())[0]

    def change(part):
        return shifted(element, given, {name: part * step for name, step in steps.items()}) - at

    after, before = change(1.0), -change(-1.0)
    h, scale = max(steps.values()), max(abs(after), abs(before))
    assume(abs(after - before) <= 1e-2 * scale)  # no corner within the step
    # half the step shows the curvature of each side; without any the third derivative is left, about (h/full)² < 2.5e-7
    curved = abs(after - 2.0 * change(0.5)) + abs(before + 2.0 * change(-0.5))
    assert slope * h == pytest.approx(0.5 * (after + before), abs=curved + 1e-6 * scale + 1e-15 * abs(at))


@pytest.mark.parametrize("branch", named(BRANCHES))
@given(data=st.data())
def test_slopes_of_a_branch_are_its_derivatives(branch, data):
    given_values = draw_arguments(data, branch)
    _, *slopes, _ = LAW[branch](*given_values.values())
    h = 1e-4 * given_values.get("transition", 1e5)  # Pa

    assert_slope(branch, given_values, slopes[0], {"p_a": h})
    assert_slope(branch, given_values, slopes[1], {"p_b": h})
    if "opening" in given_values:
        assert_slope(branch, given_values, slopes[2], {"opening": 1e-4})
    if "pilot" in given_values:
        assert_slope(branch, given_values, slopes[2], {"pilot": h})


@pytest.mark.parametrize("opening", named(BOUNDED))
@given(data=st.data())
def test_an_opening_stays_between_0_and_1(opening, data):
    value, _ = LAW[opening](*draw_arguments(data, opening).values())

    assert 0.0 <= value <= 1.0


@pytest.mark.parametrize("opening", named(OPENINGS))
@given(data=st.data())
def test_slope_of_an_opening_is_its_derivative(opening, data):
    given_values = draw_arguments(data, opening)
    _, slope = LAW[opening](*given_values.values())

    assert_slope(opening, given_values, slope, {"signal": 1e-4 * given_values.get("leak", 0.05)})


@pytest.mark.parametrize("opening", named(OPENINGS))
@given(data=st.data())
def test_slope_of_an_opening_is_continuous_through_the_centre_of_the_spool(opening, data):
    """But for the straight line between stops, which has its corners where its card says."""
    given_values = draw_arguments(data, opening)
    at, before, after = (LAW[opening](*(given_values | {"signal": s}).values())[1] for s in (0.0, -1e-9, 1e-9))
    assume(opening is not opening_affine or min(abs(given_values["offset"]), abs(given_values["offset"] - 1.0)) > 1e-8)

    assert np.isfinite([at, before, after]).all()
    assert [before, after] == pytest.approx([at] * 2, rel=1e-3, abs=1e-5)


@given(data=st.data())
def test_slopes_of_a_limited_state_are_its_derivatives_and_pressure_only_takes_back(data):
    given_values = draw_arguments(data, limited)
    target, by_1, by_2 = LAW[limited](*given_values.values())

    assert abs(target) <= abs(given_values["command"])
    # a product of two negative numbers is limited, too: there a pressure that rises towards 0 gives back
    eased = given_values["command"] < 0.0 and given_values["drop_2"] < 0.0 and np.isfinite(given_values["product"])
    assert by_1 * given_values["command"] <= 0.0 and (eased or by_2 * given_values["command"] <= 0.0)
    assert_slope(limited, given_values, by_1, {"drop_1": 20.0})  # Pa
    assert_slope(limited, given_values, by_2, {"drop_2": 20.0})


@given(data=st.data())
def test_a_sensed_state_is_a_weighted_sum(data):
    values = list(draw_arguments(data, sensed).values())
    sizes = np.abs(values[:4]) * np.abs(values[4:])

    # network.steer takes the weights for slopes
    assert plain(sensed.law)(*values) == pytest.approx(np.dot(values[:4], values[4:]), abs=1e-15 * sizes.sum())


@pytest.mark.parametrize("branch", named(RESISTING))
@given(data=st.data())
def test_a_branch_dissipates(branch, data):
    given_values = draw_arguments(data, branch)
    drop = given_values["p_a"] - given_values["p_b"]
    q, *_, secant = LAW[branch](*given_values.values())

    assert drop * q >= 0.0
    assert secant >= 0.0
    assert q == pytest.approx(secant * drop, rel=1e-14)


@given(data=st.data())
def test_a_flow_source_delivers_what_it_is_told_whatever_the_pressures(data):
    p_a, p_b, flow = (data.draw(values) for values in (pressures, pressures, st.floats(-1e-2, 1e-2)))

    assert LAW[flow_source](p_a, p_b, flow) == (flow, 0.0, 0.0, 1.0, 0.0)


@pytest.mark.parametrize("branch", named(RESISTING))
@given(data=st.data())
def test_slope_is_finite_at_no_drop_and_equal_on_both_sides_unless_the_card_says_otherwise(branch, data):
    given_values = draw_arguments(data, branch)
    p = given_values["p_a"]
    at, below, above = (LAW[branch](*(given_values | {"p_b": p + step}).values()) for step in (0.0, -1e-3, 1e-3))  # Pa

    assert at[0] == 0.0
    assert np.isfinite(at).all()
    if "slope is infinite" not in " ".join(branch.__doc__.split()):
        assert [below[1], above[1]] == pytest.approx([at[1]] * 2, rel=1e-6)


@pytest.mark.parametrize("branch", named(BRANCHES))
def test_columns_of_a_branch_are_the_last_arguments_of_its_law(branch):
    ends = [name for name in arguments(branch) if name not in branch.COLUMNS]
    weights = 4 if branch is opened_restrictor else 0  # these make the pilot of its pressures: network.pilot

    assert ends in ENDS
    assert arguments(branch) == [*ends, *branch.COLUMNS[: len(branch.COLUMNS) - weights]]
    assert len(branch.COLUMNS) <= WIDTH["oil.branch_number"]


def test_weights_of_a_pilot_follow_the_columns_of_the_law():
    assert opened_restrictor.COLUMNS[PILOT:] == ("by_a", "by_b", "by_c", "by_d")


@pytest.mark.parametrize("opening", named(OPENINGS))
def test_columns_of_an_opening_are_the_last_arguments_of_its_law(opening):
    others = {opening_product: ["other"], opening_table: ["numbers"]}  # an input, and all tables

    assert arguments(opening) == ["signal", *others.get(opening, []), *opening.COLUMNS]
    assert len(opening.COLUMNS) <= WIDTH["oil.opening_number"]


@pytest.mark.parametrize("steered", named(STEERED))
def test_columns_of_a_steered_state_fit_their_table(steered):
    assert steered.COLUMNS[0] == "time"
    assert len(steered.COLUMNS) <= WIDTH["oil.steered_number"]
    # network.steer divides by the time; a limited state has its command from a column where there is no signal
    own = steered.COLUMNS[2:] if steered is limited else steered.COLUMNS[1:]
    assert len(arguments(steered)) == (3 if steered is limited else 4) + len(own)


def test_kinds_are_numbered_in_the_order_of_their_lists_and_the_plan_has_room_for_all():
    assert [branch.KIND for branch in BRANCHES] == list(range(len(BRANCHES)))
    assert [opening.KIND for opening in OPENINGS] == list(range(1, len(OPENINGS) + 1))  # 0 is a constant opening
    assert [steered.KIND for steered in STEERED] == list(range(len(STEERED)))
    assert WIDTH["oil.branch_first"] == len(BRANCHES) + 1
    assert WIDTH["oil.opening_first"] == len(OPENINGS) + 2
    assert WIDTH["oil.steered_first"] == len(STEERED) + 1


@pytest.mark.parametrize("element", named((*ELEMENTS, second_order)))
def test_the_file_that_validates_it_exists_and_is_collected(element):
    [name] = re.findall(r"Validated by: (\S+)", element.__doc__)
    path = ROOT / name

    assert path.is_file() and path.name.startswith("test_")
    assert path.relative_to(ROOT).parts[0] in ("tests", "validation")
    assert re.search(r"^def test_", path.read_text(encoding="utf-8"), flags=re.MULTILINE)


@pytest.mark.parametrize("branch", named(BRANCHES))
def test_card_says_ends_sign_states_power_and_law(branch):
    for word in ("Ends", "Sign:", "States", "Power:", "Law"):
        assert word in branch.__doc__
