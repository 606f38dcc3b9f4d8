# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every element on rows, by its declaration: exact slopes, also through standstill and at corners, by
everything that is listed and nothing else; an energy balance by its account; columns that fit their table; a true card.

An element that is added to interface/forces.py is tested without a change here; sensible values of its arguments may
be added to element_values.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knuckleboom as kb
from contract.element_values import (
    CURVE,
    arguments,
    called,
    given_by,
    known_names,
    mode_names,
    moving,
    range_of,
    stored_in,
    values_of,
)  # fmt: skip
from knuckleboom.interface.contract import (
    ACCOUNTS,
    APPLIED,
    GIVES,
    HOOKS,
    MOST,
    SUPPLIED,
    Element,
    has,
    name_of,
)  # fmt: skip
from knuckleboom.interface.elements import bristle, efficiency, friction
from knuckleboom.interface.forces import KINDS
from knuckleboom.plan.elements import COLUMNS
from knuckleboom.plan.network import ELEMENTS

ROOT = Path(__file__).parents[2]
EPS = np.finfo(float).eps
STEP = 2.5e-7
"""Of a difference, as a part of the range of its argument: 1 µm of a row's 4 m."""
CORNER = 0.7
"""With half the step, differences forward and backward are half as far apart; at a corner as far as before."""
OURS = [kind for kind in KINDS if kind.__name__.startswith("knuckleboom.")]


def named(kinds):
    return [pytest.param(kind, id=name_of(kind)) for kind in kinds]


def having(hook):
    return named(kind for kind in KINDS if has(kind, hook))


every_element = pytest.mark.parametrize("kind", named(KINDS))


# --- declarations -----------------------------------------------------------------------------------------------------


@every_element
def test_declaration_is_whole(kind):
    element = kind.ELEMENT

    assert isinstance(element, Element) and has(kind, "law")
    assert element.gives[0] == "force" and set(element.gives) <= set(GIVES)
    assert len(set(element.gives)) == len(element.gives)
    assert ("rate" in element.gives) == bool(element.states)
    assert ("by_force" in element.gives) == bool(element.reads)
    assert element.states or not any(what.endswith("_z") or what.startswith("rate") for what in element.gives)
    assert ("by_oil" in element.gives) == ("oil_force" in arguments(kind, "law"))
    assert element.account in ACCOUNTS
    assert has(kind, "supplied") == (element.account == SUPPLIED)
    assert 1 <= len(element.rows) <= MOST and len(element.states) <= MOST


@every_element
def test_an_element_of_one_row_and_one_state_gives_what_is_eliminated(kind):
    if kind.ELEMENT.single:
        assert {"by_z", "rate_z", "rate_w"} <= set(kind.ELEMENT.gives)


@every_element
def test_several_rows_and_states_have_names_of_their_own(kind):
    element = kind.ELEMENT
    rows, states = [*element.rows, *element.reads], [state.name for state in element.states]
    names = [*moving(element), *element.columns, *mode_names(element)]

    assert len(set(rows)) == len(rows) and len(set(states)) == len(states)
    assert len(rows) == 1 or all(rows)
    assert len(set(names)) == len(names), "an argument's name says what it is"
    assert all(state.meaning and state.name for state in element.states)


@every_element
def test_arguments_are_known_names_and_all_that_is_declared_is_used(kind):
    used = {name for hook in HOOKS for name in arguments(kind, hook)}

    assert used <= known_names(kind.ELEMENT)
    assert {*kind.ELEMENT.columns, *kind.ELEMENT.signals, *mode_names(kind.ELEMENT)} <= used
    assert ("numbers" in used) == ("start" in used) == ("count" in used)


@every_element
def test_slopes_are_by_what_the_law_is_given(kind):
    slopes = {what.rpartition("_")[2] for what in kind.ELEMENT.gives if "_" in what}
    moved = {by for name, (by, _) in moving(kind.ELEMENT).items() if name in arguments(kind, "law")}

    assert moved == slopes


@pytest.mark.parametrize("kind", named(OURS))
def test_columns_are_the_last_arguments_of_the_law(kind):
    columns = list(kind.ELEMENT.columns)
    names = [name for name in arguments(kind, "law") if name not in CURVE]
    moved = names[: len(names) - len(columns)]

    assert names == [*moved, *columns]
    assert set(moved) <= {*moving(kind.ELEMENT), *kind.ELEMENT.signals}


def test_kinds_are_numbered_in_the_order_of_their_list_and_have_a_label():
    assert {name_of(kind): (number, kind.ELEMENT) for number, kind in enumerate(KINDS)} == ELEMENTS
    assert len(ELEMENTS) == len(KINDS)
    labels = [kind.ELEMENT.label for kind in KINDS if kind.ELEMENT.account != APPLIED]
    assert all(re.fullmatch(r"[a-z_]+_", label) for label in labels) and len(set(labels)) == len(labels)
    machine = kb.Machine("bare")
    machine.revolute("pin", machine.ground, machine.body("arm", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    assert len(kb.build(machine).plan.forces.first) == len(KINDS) + 1


@every_element
def test_columns_fit_into_the_table(kind):
    curve = 2 if "numbers" in arguments(kind, "law") else 0  # its start and count come after the columns

    assert len(kind.ELEMENT.columns) > 0 or kind not in OURS
    assert len(kind.ELEMENT.columns) + curve <= COLUMNS


@every_element
def test_the_files_that_validate_it_exist_and_are_collected(kind):
    [(name, further)] = re.findall(r"Validated by: (\S+?\.py)(?: and (test_\w+\.py))?", kind.__doc__)
    first = ROOT / name

    for path in (first, first.with_name(further)) if further else (first,):
        assert path.is_file() and path.name.startswith("test_")
        assert path.relative_to(ROOT).parts[0] in ("tests", "validation")
        assert re.search(r"^def test_", path.read_text(encoding="utf-8"), flags=re.MULTILINE)


# --- slopes -----------------------------------------------------------------------------------------------------------


def lines_of(kind, values):
    """λ and ż, one after the other."""
    found = given_by(kind, values)
    return np.concatenate([found[what].ravel() for what in ("force", "rate") if what in found])


def slopes_of(element, found, by, number):
    """Slopes of λ and ż, one after the other, by one argument; 0 where none is listed."""
    parts = []
    for what, slope in (("force", f"by_{by}"), ("rate", f"rate_{by}")):
        if what in found:
            lines = element.shape(what)[0]
            parts.append(found[slope][:, number] if slope in found else np.zeros(lines))
    return np.concatenate(parts)


def condition(kind, values):
    """How large what the law adds up is: |λ| and what each number does to it, of which rounding is a part."""
    here = lines_of(kind, values)
    size = np.abs(here)
    for name in values:
        if name not in CURVE and isinstance(values[name], float):
            size += 1e3 * np.abs(lines_of(kind, values | {name: 1.001 * values[name]}) - here)
    return size


@every_element
@given(data=st.data())
def test_what_the_law_returns_has_the_declared_shapes(kind, data):
    element = kind.ELEMENT
    returned = called(kind, "law", data.draw(values_of(kind)))
    results = returned if len(element.gives) > 1 else (returned,)

    assert len(results) == len(element.gives)
    for what, result in zip(element.gives, results, strict=True):
        lines, across = element.shape(what)
        if lines * across == 1:
            assert isinstance(result, float), what
        else:
            assert isinstance(result, tuple) and len(result) == lines * across, what
            assert all(isinstance(number, float) for number in result), what


@every_element
@given(data=st.data())
def test_slopes_are_the_derivatives(kind, data):
    """Within what rounding and truncation make of a central difference; at a corner, between those of both sides."""
    values = data.draw(values_of(kind))
    found, size = given_by(kind, values), condition(kind, values)
    middle = lines_of(kind, values)
    for name, (by, number) in moving(kind.ELEMENT).items():
        if name not in arguments(kind, "law"):
            continue
        low, high = range_of(kind, name)
        h = STEP * (high - low)
        far_before, before, after, far_after = (
            lines_of(kind, values | {name: values[name] + part * h}) for part in (-1.0, -0.5, 0.5, 1.0)
        )
        central = (after - before) / h
        fine = 4.0 * np.abs(central - (far_after - far_before) / (2.0 * h)) + 8.0 * EPS * size / h + 1e-9
        slopes = slopes_of(kind.ELEMENT, found, by, number)
        fine += 1e-6 * np.abs(slopes)
        backward, forward = 2.0 * (middle - before) / h, 2.0 * (after - middle) / h
        corner = np.abs(forward - backward) > CORNER * np.abs(far_after - 2.0 * middle + far_before) / h
        lower = np.where(corner, np.minimum(forward, backward), central) - fine
        upper = np.where(corner, np.maximum(forward, backward), central) + fine
        assert ((lower <= slopes) & (slopes <= upper)).all(), (name, slopes, central, fine)


@every_element
@given(data=st.data())
def test_nothing_depends_on_what_it_has_no_slopes_by(kind, data):
    element, values, others = kind.ELEMENT, data.draw(values_of(kind)), data.draw(values_of(kind))
    before = given_by(kind, values)
    for name, (by, _) in moving(element).items():
        if name in arguments(kind, "law"):
            moved = given_by(kind, values | {name: others[name]})
            assert f"by_{by}" in element.gives or (moved["force"] == before["force"]).all(), name
            assert "rate" not in moved or f"rate_{by}" in element.gives or (moved["rate"] == before["rate"]).all(), name


@pytest.mark.parametrize("kind", having("ahead"))
@given(data=st.data())
def test_a_step_that_meets_a_corner_adds_two_slopes(kind, data):
    added = called(kind, "ahead", data.draw(values_of(kind)))

    assert len(added) == 2 and np.isfinite(added).all()


@pytest.mark.parametrize("kind", having("suddenness"))
@given(data=st.data())
def test_no_step_is_less_sudden_than_one_at_rest(kind, data):
    values = data.draw(values_of(kind))

    assert called(kind, "suddenness", values) >= called(kind, "suddenness", values | {"w": 0.0}) == 0.0


# --- energy -----------------------------------------------------------------------------------------------------------


def stored_rate(kind, values, rate):
    """d(stored)/dt with forces that are read held, and how exact it is.

    Of differences with three steps the one that rounding and truncation leave the most exact: energies are quadratic
    but for corners.
    """
    total, error = 0.0, 0.0
    for name, (by, number) in moving(kind.ELEMENT).items():
        if name not in arguments(kind, "stored") or by not in ("s", "w", "z"):
            continue
        assert by != "w", "energy of rates is of masses"
        speed = rate[number] if by == "z" else values[f"w{name[1:]}"]
        low, high = range_of(kind, name)
        best = (0.0, np.inf)
        for step in (0.1, 1e-3, STEP):
            h = step * (high - low)
            energies = [stored_in(kind, values | {name: values[name] + part * h}) for part in (-1.0, -0.5, 0.5, 1.0)]
            central = (energies[2] - energies[1]) / h
            fine = 4.0 * abs(central - (energies[3] - energies[0]) / (2.0 * h))
            fine += 8.0 * EPS * max(abs(energy) for energy in energies) / h
            best = min(best, (central, fine), key=lambda one: one[1])
        total += best[0] * speed
        error += best[1] * abs(speed)
    return total, error


@pytest.mark.parametrize("kind", named(kind for kind in KINDS if kind.ELEMENT.account == APPLIED))
def test_what_is_applied_stores_nothing(kind):
    assert not has(kind, "stored")


@pytest.mark.parametrize("kind", named(kind for kind in KINDS if kind.ELEMENT.account != APPLIED))
@given(data=st.data())
def test_what_it_neither_gives_back_nor_stores_is_dissipated(kind, data):
    """By its account: what it takes from its rows and its supply, less what it stores, is not negative."""
    element = kind.ELEMENT
    speeds = [f"w_{row}" if row else "w" for row in element.rows]
    values = data.draw(values_of(kind, *speeds))
    found = given_by(kind, values)
    rate = found["rate"].ravel() if element.states else np.zeros(0)
    works = [-force * values[speed] for force, speed in zip(found["force"].ravel(), speeds, strict=True)]
    came = called(kind, "supplied", values) if element.account == SUPPLIED else 0.0
    change, fine = stored_rate(kind, values, rate)

    lost = came + sum(works) - change
    assert lost >= -fine - 1e-12 * (abs(came) + sum(map(abs, works)) + abs(change)), "it makes energy"


@pytest.mark.parametrize("kind", having("stored"))
@given(data=st.data())
def test_what_is_stored_is_0_at_rest_and_more_elsewhere(kind, data):
    """But for what a preload, or a stretch at rest, stores: counted from where it is relaxed without it."""
    values = data.draw(values_of(kind))
    values |= {name: 0.0 for name in ("preload", "taut") if name in values}
    at_rest = {
        name: values.get(f"rest{name[1:]}", 0.0) if by == "s" else 0.0
        for name, (by, _) in moving(kind.ELEMENT).items()
        if by in ("s", "z")
    }

    assert stored_in(kind, values) >= 0.0
    assert stored_in(kind, values | at_rest) == 0.0


# --- what holds for one of them ---------------------------------------------------------------------------------------


@given(data=st.data())
def test_bristles_with_their_store_only_lose(data):
    """With the slope of ½ σ₀ z² by hand."""
    values = data.draw(values_of(bristle))
    found = given_by(bristle, values)
    power = float(found["force"][0, 0]) * values["w"]
    stored = values["stiffness"] * values["z"] * float(found["rate"][0, 0])

    assert power + stored <= 1e-12 * (abs(power) + abs(stored))


@given(data=st.data())
def test_friction_by_efficiency_never_drives(data):
    values = data.draw(values_of(efficiency))

    assert float(given_by(efficiency, values)["force"][0, 0]) * values["w"] <= 0.0


@given(data=st.data())
def test_friction_breaks_away_at_its_larger_force_and_slides_with_the_smaller(data):
    values = data.draw(values_of(friction)) | {"viscous": 0.0}
    limit = values["coulomb"] + values["extra"]

    assert abs(called(friction, "law", values)[0]) <= limit * (1.0 + 1e-15)
    fast = values | {"w": 30.0}  # far beyond both speeds
    assert called(friction, "law", fast)[0] == pytest.approx(-values["coulomb"], rel=1e-12)
