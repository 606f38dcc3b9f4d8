# SPDX-License-Identifier: BSD-3-Clause
"""bench scaling: every method computes the same chain, and exponents and crossings are what made-up costs say."""

import json

import pytest

from knuckleboom.bench import scaling
from knuckleboom.bench.chain import chain
from knuckleboom.bench.scaling import Series
from knuckleboom.cli import main
from knuckleboom.mechanics.parts import Body
from knuckleboom.methods import TABLE


@pytest.fixture(scope="module")
def measured():
    return scaling.measure(rounds=1, sizes=(2, 3, 5))


def test_every_method_computes_the_same_motion(measured):
    found = [(one["coordinates"], one["factorisation"]) for one in measured["series"]]
    words = ("relative", "reference-point", "natural")
    factorisations = [word for row in TABLE if row.coupling == "explicit" for word in row.factorisation]
    assert sorted(found) == sorted((word, factorisation) for word in words for factorisation in factorisations)
    for one in measured["series"]:
        assert one["bodies"] == [2, 3, 5] and one["ends"] is None
        assert len(one["step_us"]) == len(one["plan_s"]) == 3
        # RK4 steps of 0.1 ms: what is left is rounding and how well constraints are held
        assert one["deviation_m"] < 1e-8


def made_up(name, power, factor, sizes=scaling.SIZES):
    return Series("relative", name, "lagrange", list(sizes), [factor * size**power for size in sizes])


def test_exponent_is_the_slope():
    assert scaling.exponent(made_up("sparse", 1.1, 20.0)) == pytest.approx(1.1)
    assert scaling.exponent(made_up("sparse", 1.1, 20.0, sizes=(10,))) is None


def test_crossing_is_where_the_lines_meet():
    flat, steep = made_up("flat", 1.0, 100.0), made_up("steep", 3.0, 0.01)
    expected = {"faster_below": "relative steep", "faster_above": "relative flat", "bodies": pytest.approx(100.0)}
    assert scaling.crossing(flat, steep) == scaling.crossing(steep, flat) == expected
    assert scaling.crossing(flat, made_up("flatter", 1.0, 90.0)) is None


def test_two_that_are_alike_do_not_cross_by_noise():
    one, other = made_up("one", 1.0, 100.0), made_up("other", 1.0, 101.0)
    other.step_us[3] *= 0.98
    assert scaling.crossing(one, other) is None


def test_a_series_ends_where_a_step_would_take_too_long():
    long = Series("relative", "dense", "lagrange", [100], [1e6 * scaling.LONGEST_S / 9.0])
    assert long.goes_on(200) and long.ends is None
    assert not long.goes_on(300) and "300 bodies" in long.ends


def test_a_series_ends_where_a_step_fails(monkeypatch):
    def fail(engine):
        raise ArithmeticError("step 0 ended with status 4")

    monkeypatch.setattr(scaling, "steps_of_a_block", fail)
    found = scaling.measure(rounds=1, sizes=(2, 3))
    assert {one["ends"] for one in found["series"]} == {"a step of 2 bodies fails"}
    assert all(one["bodies"] == one["step_us"] == one["plan_s"] == [] for one in found["series"])


def test_chain():
    machine = chain(7)
    assert len(machine.of(Body)) == 7 and not machine.check()


@pytest.mark.slow
def test_the_command_prints_tables_and_writes_a_picture(monkeypatch, tmp_path, capsys):
    measure = scaling.measure
    monkeypatch.setattr(scaling, "measure", lambda bar, plot: measure(bar, rounds=1, sizes=(2, 3), plot=plot))
    picture = tmp_path / "new" / "scaling.png"
    assert main(["bench", "scaling", "--plot", str(picture)]) == 0
    text = capsys.readouterr().out
    assert "reference-point" in text and "exponent" in text
    assert picture.stat().st_size > 1000
    assert main(["bench", "scaling", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["series"][0]["bodies"] == [2, 3]
