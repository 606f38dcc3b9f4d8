# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every force on a row: exact slopes, also through standstill, what it does not give back is dissipated,
columns that fit their table, a true card."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.interface.elements import bristle, cushion, efficiency, friction, servo
from knuckleboom.interface.forces import KINDS
from knuckleboom.kernels import plain
from knuckleboom.laws.bristle import bristle as bristle_law
from knuckleboom.laws.bristle import energy_bristle
from knuckleboom.laws.curve import curve_numbers
from knuckleboom.layout import PLAN_FIELDS
from knuckleboom.plan.naming import FORCE_LABELS

ROOT = Path(__file__).parents[2]
VALUES = {
    "s": st.floats(-2.0, 2.0), "w": st.one_of(st.just(0.0), st.floats(-3.0, 3.0)), "stiffness": st.floats(0.0, 1e6),
    "rest": st.floats(-1.0, 1.0), "damping": st.floats(0.0, 2.0), "preload": st.floats(-1e4, 1e4),
    "coulomb": st.floats(0.0, 1e3), "viscous": st.floats(0.0, 1e3), "speed": st.floats(0.01, 1.0),
    "extra": st.floats(0.0, 1e3), "stribeck": st.floats(0.01, 1.0),
    "lower": st.floats(-1.5, -0.5), "upper": st.floats(0.5, 1.5),
    "at": st.floats(-1.5, 1.5), "length": st.floats(0.05, 0.3), "gain": st.floats(0.0, 1e5),
    "side": st.sampled_from((-1.0, 1.0)), "wanted": st.floats(-3.0, 3.0),
    "force": st.floats(-1e5, 1e5), "loss": st.floats(0.0, 0.3), "round_": st.floats(10.0, 1e3),
}  # fmt: skip
"""Sensible values of every argument that a force law may have."""
BRISTLE = {
    "z": st.floats(-2e-4, 2e-4), "w": st.one_of(st.just(0.0), st.floats(-3.0, 3.0)), "coulomb": st.floats(50.0, 1e3),
    "extra": st.floats(0.0, 1e3), "stribeck": st.floats(0.01, 1.0), "stiffness": st.floats(1e5, 1e7),
    "damping": st.floats(0.0, 1e3), "viscous": st.floats(0.0, 1e3),
    "hold_speed": st.one_of(st.just(0.0), st.floats(1e-3, 0.1)),
}  # fmt: skip
H = 1e-6  # m and m/s; truncation h²·λ'''/6 is at most (1e-6/0.01)² of tanh, rounding 1e-16·λ/h
WITH_LAW = [kind for kind in KINDS if hasattr(kind, "law")]
OWN_TEST = (efficiency,)
"""Their force hangs on that of the oil as well."""
ON_ROW = [kind for kind in WITH_LAW if kind not in OWN_TEST]
DRIVEN = (servo,)
"""Their work comes from outside."""
WIDTH = {name: shape[-1] for name, shape, _, _ in PLAN_FIELDS}
LAW = {kind: callable_kernel(kind.law) for kind in WITH_LAW}
LUGRE = callable_kernel(bristle_law)
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


def tolerance(kind, values):
    """Of a central difference: rounding 1e-15·λ/h, and where a slope has a corner half its jump over the step."""
    if kind is cushion:  # λ is quadratic in w from 0 on; the curvature of S jumps by 6/length² at its ends
        return H * values["gain"] * (2.0 + 6.0 * (values["w"] / values["length"]) ** 2) + 1e-9
    return 1e-15 * (abs(LAW[kind](*values.values())[0]) + 1e7) / H


@pytest.mark.parametrize("kind", named(ON_ROW))
@given(data=st.data())
def test_slopes_are_the_derivatives(kind, data):
    values = draw_arguments(data, kind)
    away_from_stops(values)
    _, *slopes = LAW[kind](*values.values())
    moved = [name for name in ("s", "w") if name in values]

    assert len(slopes) == len(moved)
    for name, slope in zip(moved, slopes, strict=True):
        after, before = (LAW[kind](*(values | {name: values[name] + h}).values())[0] for h in (H, -H))
        assert slope == pytest.approx((after - before) / (2 * H), rel=1e-6, abs=tolerance(kind, values))


@given(data=st.data())
def test_friction_by_efficiency_has_exact_slopes_and_only_dissipates(data):
    """Its force grows with that of the oil, of either sign, by a curve over the speed that begins at 0."""
    places = sorted(data.draw(st.lists(st.integers(1, 40), min_size=2, max_size=5, unique=True)))
    heights = data.draw(st.lists(st.floats(0.0, 2.0), min_size=len(places), max_size=len(places)))
    numbers = np.array(curve_numbers([(0.0, 0.0), *((0.05 * p, f) for p, f in zip(places, heights, strict=True))]))
    w, force, loss, round_ = (data.draw(VALUES[name], label=name) for name in ("w", "force", "loss", "round_"))

    def law(w, force):
        return LAW[efficiency](w, force, loss, round_, numbers, 0.0, len(numbers) / 3.0)

    friction_force, by_w, by_force = law(w, force)
    # f rises by at most 2 over 0.05: its curvature is below 6·2/0.05² on either side of a knot
    fine = H * 5e3 * loss * abs(force) + 1e-3
    assert by_w == pytest.approx((law(w + H, force)[0] - law(w - H, force)[0]) / (2 * H), abs=fine)
    assert by_force == pytest.approx((law(w, force + 0.1)[0] - law(w, force - 0.1)[0]) / 0.2, abs=2e-5)
    assert friction_force * w <= 0.0


@given(data=st.data())
def test_bristles_have_exact_slopes_and_with_their_store_only_lose(data):
    """But where σ₁ is above the limit of laws/bristle.py, and at w = 0, where |w| has its corner."""
    values = {name: data.draw(given_values, label=name) for name, given_values in BRISTLE.items()}
    values["extra"] += values["coulomb"]  # the breakaway force
    values["damping"] = min(values["damping"], 4.0 * np.sqrt(2.0 * np.e) * values["coulomb"] / values["stribeck"])
    limit = values["coulomb"] + (values["extra"] - values["coulomb"]) * np.exp(
        -((values["w"] / values["stribeck"]) ** 2)
    )
    bent = values["stiffness"] * abs(values["z"]) / limit
    assume(values["hold_speed"] == 0.0 or min(abs(bent - 0.9), abs(bent - 1.0)) > 1e-3)  # corners of laws/hold.py
    force, by_z, by_w, rate, rate_z, rate_w = LUGRE(*values.values())

    def moved(name, step):
        return np.array(LUGRE(*(values | {name: values[name] + step}).values()))[[0, 3]]

    size = values["viscous"] + values["damping"] + values["stiffness"]
    differences = (moved("z", 1e-9) - moved("z", -1e-9)) / 2e-9  # linear in z, or a cubic
    assert [by_z, rate_z] == pytest.approx(differences, rel=1e-6, abs=1e-6 * size)
    if abs(values["w"]) > 2 * H:
        differences = (moved("w", H) - moved("w", -H)) / (2 * H)
        slip = 1.0 + abs(values["stiffness"] * values["z"] / values["coulomb"])
        fine = (H / values["stribeck"]) ** 2  # of the third derivative of exp
        assert by_w == pytest.approx(differences[0], rel=1e-6, abs=(1e-6 + 10.0 * fine) * size * slip)
        assert rate_w == pytest.approx(differences[1], rel=1e-6, abs=(1e-6 + 10.0 * fine) * slip)
    stored = values["stiffness"] * values["z"] * rate  # of ½ σ₀ z²
    assert force * values["w"] + stored <= 1e-12 * (abs(force * values["w"]) + abs(stored))
    assert plain(energy_bristle)(values["z"], values["stiffness"]) >= 0.0


@given(data=st.data())
def test_friction_breaks_away_at_its_larger_force_and_slides_with_the_smaller(data):
    values = draw_arguments(data, friction) | {"viscous": 0.0}
    limit = values["coulomb"] + values["extra"]

    assert abs(LAW[friction](*values.values())[0]) <= limit * (1.0 + 1e-15)
    fast = values | {"w": 30.0}  # far beyond both speeds
    assert LAW[friction](*fast.values())[0] == pytest.approx(-values["coulomb"], rel=1e-12)


@pytest.mark.parametrize("kind", named(kind for kind in ON_ROW if kind not in DRIVEN))
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
    names = [name.removesuffix("_") for name in arguments(kind.law) if name != "numbers"]  # of all curves
    moved = names[: -len(kind.COLUMNS)]

    assert names == [*moved, *kind.COLUMNS]
    assert moved in (["s", "w"], ["w"], ["w", "force"], ["w", "wanted"])


def test_columns_of_bristles_are_the_last_arguments_of_their_law():
    assert arguments(bristle_law) == ["z", "w", *bristle.COLUMNS]


def test_kinds_are_numbered_in_the_order_of_their_list_and_have_a_label():
    assert [kind.KIND for kind in KINDS] == list(range(len(KINDS)))
    assert len(FORCE_LABELS) == len(KINDS)
    assert WIDTH["forces.first"] == len(KINDS) + 1


@pytest.mark.parametrize("kind", named(KINDS))
def test_columns_fit_into_the_table(kind):
    assert 0 < len(kind.COLUMNS) <= WIDTH["forces.number"]


@pytest.mark.parametrize("kind", named(KINDS))
def test_the_file_that_validates_it_exists_and_is_collected(kind):
    [name] = re.findall(r"Validated by: (\S+)", kind.__doc__)
    path = ROOT / name

    assert path.is_file() and path.name.startswith("test_")
    assert path.relative_to(ROOT).parts[0] in ("tests", "validation")
    assert re.search(r"^def test_", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
