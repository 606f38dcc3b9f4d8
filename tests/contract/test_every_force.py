# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every force on a row: exact slopes, what it does not give back is dissipated, a true card."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.interface.forces import KINDS
from knuckleboom.plan.naming import FORCE_LABELS
from knuckleboom.plan.network import plain

ROOT = Path(__file__).parents[2]
VALUES = {
    "s": st.floats(-2.0, 2.0), "w": st.floats(-3.0, 3.0), "stiffness": st.floats(0.0, 1e6),
    "rest": st.floats(-1.0, 1.0), "damping": st.floats(0.0, 2.0), "preload": st.floats(-1e4, 1e4),
    "coulomb": st.floats(0.0, 1e3), "viscous": st.floats(0.0, 1e3), "speed": st.floats(0.01, 1.0),
    "lower": st.floats(-1.5, -0.5), "upper": st.floats(0.5, 1.5),
}  # fmt: skip
"""Sensible values of every argument that a force law may have."""
H = 1e-6  # m and m/s; truncation h²·λ'''/6 is at most (1e-6/0.01)² of tanh, rounding 1e-16·λ/h
WITH_LAW = [kind for kind in KINDS if hasattr(kind, "law")]
LAW = {kind: callable_kernel(kind.law) for kind in WITH_LAW}
STORED = {kind: callable_kernel(kind.stored) for kind in KINDS if hasattr(kind, "stored")}


def named(kinds):
    return [pytest.param(kind, id=kind.__name__.rpartition(".")[2]) for kind in kinds]


def arguments(function):
    return list(inspect.signature(plain(function)).parameters)


def draw_arguments(data, kind):
    return {name: data.draw(VALUES[name], label=name) for name in arguments(kind.law)}


def away_from_stops(values):
    """The laws of stops have a corner where they begin to push."""
    assume(all(abs(values["s"] - values[stop]) > 2 * H for stop in ("lower", "upper") if stop in values))
    if "lower" in values and values["damping"] > 0.0:
        assume(abs(abs(values["w"]) - 1.0 / values["damping"]) > 2 * H)


@pytest.mark.parametrize("kind", named(WITH_LAW))
@given(data=st.data())
def test_slopes_are_the_derivatives(kind, data):
    values = draw_arguments(data, kind)
    away_from_stops(values)
    force, *slopes = LAW[kind](*values.values())
    moved = [name for name in ("s", "w") if name in values]

    assert len(slopes) == len(moved)
    for name, slope in zip(moved, slopes, strict=True):
        after, before = (LAW[kind](*(values | {name: values[name] + h}).values())[0] for h in (H, -H))
        assert slope == pytest.approx((after - before) / (2 * H), rel=1e-6, abs=1e-15 * (abs(force) + 1e7) / H)


@pytest.mark.parametrize("kind", named(WITH_LAW))
@given(data=st.data())
def test_what_it_does_not_give_back_is_dissipated(kind, data):
    values = draw_arguments(data, kind)
    away_from_stops(values)
    force = LAW[kind](*values.values())[0]
    power = force * values["w"]
    if kind in STORED:

        def energy(s):
            return STORED[kind](*((values | {"s": s})[name] for name in arguments(kind.stored)))

        # quadratic in s on each side of a corner, so that differences are exact but for rounding
        power += (energy(values["s"] + H) - energy(values["s"] - H)) / (2 * H) * values["w"]

    assert power <= 1e-15 * 1e7 / H, "the force and its store together only lose"


@pytest.mark.parametrize("kind", named(WITH_LAW))
def test_columns_are_the_last_arguments_of_the_law(kind):
    moved = arguments(kind.law)[: -len(kind.COLUMNS)]

    assert arguments(kind.law) == [*moved, *kind.COLUMNS]
    assert moved in (["s", "w"], ["w"])


def test_kinds_are_numbered_in_the_order_of_their_list_and_have_a_label():
    assert [kind.KIND for kind in KINDS] == list(range(len(KINDS)))
    assert len(FORCE_LABELS) == len(KINDS)


@pytest.mark.parametrize("kind", named(KINDS))
def test_columns_fit_into_the_table(kind):
    assert 0 < len(kind.COLUMNS) <= 4  # width of forces.number in layout.py


@pytest.mark.parametrize("kind", named(KINDS))
def test_the_file_that_validates_it_exists_and_is_collected(kind):
    [name] = re.findall(r"Validated by: (\S+)", kind.__doc__)
    path = ROOT / name

    assert path.is_file() and path.name.startswith("test_")
    assert path.relative_to(ROOT).parts[0] in ("tests", "validation")
    assert re.search(r"^def test_", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
