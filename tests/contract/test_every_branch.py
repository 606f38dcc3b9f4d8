# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every branch and opening of the oil network: exact slopes, no energy from nowhere, a true card."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.hydraulics.elements import flow_source, opening_signal
from knuckleboom.hydraulics.network import BRANCHES, OPENINGS
from knuckleboom.plan.network import plain

ROOT = Path(__file__).parents[2]
ENDS = (["p_a", "p_b"], ["p_a", "p_b", "opening"], ["p_a", "p_b", "p_c", "p_d"])
COLUMNS = {
    "kq": st.floats(1e-8, 1e-6), "transition": st.floats(1e4, 5e5), "cracking": st.floats(0.0, 5e6),
    "full": st.floats(1e5, 1e6), "conductance": st.floats(1e-14, 1e-10),
    "offset": st.floats(-1.0, 1.0), "gain": st.sampled_from((-1.0, -0.5, 0.5, 1.0)),
    "overlap": st.floats(0.0, 0.5), "leak": st.floats(1e-5, 1e-2),
}  # fmt: skip
"""Sensible values of every column that an element may have."""
pressures = st.floats(0.0, 3e7).map(lambda pressure: round(pressure, 3))  # Pa
STATES = {
    "p_a": pressures, "p_b": pressures, "p_c": pressures, "p_d": pressures,
    "opening": st.floats(0.0, 1.0).map(lambda opening: round(opening, 6)), "signal": st.floats(-1.2, 1.2),
}  # fmt: skip
RESISTING = [branch for branch in BRANCHES if branch is not flow_source]
"""Branches that the pressure drop drives; a flow source is the one that supplies."""
BOUNDED = [opening for opening in OPENINGS if opening is not opening_signal]
"""Openings in the strict sense; the other one is a flow."""
LAW = {element: callable_kernel(element.law) for element in (*BRANCHES, *OPENINGS)}


def named(elements):
    return [pytest.param(element, id=element.__name__.rpartition(".")[2]) for element in elements]


def arguments(element):
    return list(inspect.signature(plain(element.law)).parameters)


def draw_arguments(data, element):
    """Any values, and as often such that the law is between its limits."""
    values = {name: data.draw((STATES | COLUMNS)[name], label=name) for name in arguments(element)}
    if "transition" in values and data.draw(st.booleans()):
        values["p_b"] = values["p_a"] + values["transition"] * data.draw(st.floats(-2.0, 2.0), label="drop")
    if "full" in values and data.draw(st.booleans()):
        part = data.draw(st.floats(-0.5, 1.5), label="part open")
        values["p_c"] = values["p_d"] + values["cracking"] + part * values["full"]
    return values


def shifted(element, given, steps):
    """First result of the law with some arguments moved."""
    return LAW[element](*(value + steps.get(name, 0.0) for name, value in given.items()))[0]


def assert_slope(element, given, slope, steps):
    """A slope lies between the differences to both sides, which are close together but for corners."""
    at = LAW[element](*given.values())[0]
    back = {name: -step for name, step in steps.items()}
    after, before = shifted(element, given, steps) - at, at - shifted(element, given, back)
    h, scale = max(steps.values()), max(abs(after), abs(before))
    assume(abs(after - before) <= 1e-2 * scale)  # no corner within the step
    # where the curvature vanishes the third derivative is left, about (h/full)² < 2.5e-7
    between = 0.5 * abs(after - before) + 1e-6 * scale + 4e-16 * abs(at)
    assert slope * h == pytest.approx(0.5 * (after + before), abs=between)


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
    if "p_c" in given_values:
        assert_slope(branch, given_values, slopes[2], {"p_c": h})
        assert_slope(branch, given_values, -slopes[2], {"p_d": h})


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

    assert_slope(opening, given_values, slope, {"signal": 1e-3 * given_values.get("leak", 1.0)})


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
    ends = arguments(branch)[: len(arguments(branch)) - len(branch.COLUMNS)]

    assert arguments(branch) == [*ends, *branch.COLUMNS]
    assert ends in ENDS


@pytest.mark.parametrize("opening", named(OPENINGS))
def test_columns_of_an_opening_are_the_last_arguments_of_its_law(opening):
    assert arguments(opening) == ["signal", *opening.COLUMNS]


def test_kinds_are_numbered_in_the_order_of_their_lists():
    assert [branch.KIND for branch in BRANCHES] == list(range(len(BRANCHES)))
    assert [opening.KIND for opening in OPENINGS] == list(range(1, len(OPENINGS) + 1))  # 0 is a constant opening


@pytest.mark.parametrize("element", named((*BRANCHES, *OPENINGS)))
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
