# SPDX-License-Identifier: BSD-3-Clause
"""Drivers that cannot be planned, and motions that cannot be read: refused by name, with reason and fix."""

import numpy as np
import pytest

import knuckleboom as kb


def four_bar():
    m = kb.Machine("four-bar")
    lengths = (0.3, 0.9, 0.7)
    crank, coupler, rocker = (
        m.body(name, mass=1.0, com=(0.5 * size, 0, 0), inertia=(0.01, 0.1, 0.1))
        for name, size in zip(("crank", "coupler", "rocker"), lengths, strict=True)
    )
    m.revolute("a", m.ground, crank, axis="y", start="-60 deg")
    m.revolute("b", crank.at(0.3, 0, 0), coupler, axis="y")
    m.revolute("d", m.ground.at(1.0, 0, 0), rocker, axis="y", start="-80 deg")
    m.revolute("c", coupler.at(0.9, 0, 0), rocker.at(0.7, 0, 0), axis="y", cut=True)
    return m


def refusal(m, **inputs):
    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(m, "10 ms", inputs=inputs)
    return str(caught.value)


def test_a_driver_too_many_is_named_with_what_determines_it():
    m = four_bar()
    m.driver("first", joint="a", speed=1.0)
    m.driver("second", joint="d", speed=1.0)

    text = refusal(m)

    assert "driver 'second' is one too many: what it moves is determined by 'c', 'first' already." in text
    assert "'first' is one too many" not in text


def test_two_drivers_on_one_coordinate():
    m = four_bar()
    m.driver("first", joint="a", speed=1.0)
    m.driver("again", joint="a", speed=1.0)

    assert "driver 'again' is one too many: what it moves is determined by 'first' already." in refusal(m)


def test_a_driver_that_cannot_begin_where_it_wants():
    m = four_bar()
    m.driver("far", a=m.ground, b=m["rocker"].at(0.7, 0, 0), start="3 m")

    text = refusal(m)

    assert "driver 'far' cannot begin at its start value: " in text
    assert "leave its start out" in text


def test_places_that_do_not_move():
    m = four_bar()
    m.driver("stiff", a=m["crank"].at(0.1, 0, 0), b=m["crank"].at(0.2, 0, 0))

    assert "driver 'stiff': both its ends are on 'crank', so that it moves nothing." in refusal(m)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "it must drive either a joint or the distance between two places."),
        ({"joint": "a", "a": "ground", "b": "crank"}, "it must drive either a joint"),
        ({"a": "ground"}, "it must drive either a joint"),
        ({"joint": "a", "times": [0, 1], "values": [1.0]}, "there are 2 times and 1 values"),
        ({"joint": "a", "times": [0, 1, 1], "values": [1.0, 2.0, 3.0]}, "times do not rise."),
        ({"joint": "a", "times": [0, 1], "values": [1.0, 2.0], "speed": 1.0}, "it has a table, and speed too."),
        ({"joint": "aa"}, "joint is 'aa', which does not exist."),
        ({"joint": "a", "coordinate": 1}, "coordinate is 1, but revolute 'a' has 1 coordinate."),
        ({"joint": "a", "speed": "1 m"}, "speed: "),
    ],
)
def test_settings_that_make_no_sense(settings, text):
    m = four_bar()
    with pytest.raises(kb.MachineError) as caught:
        m.driver("drive", **settings)
        kb.build(m)

    assert text in str(caught.value)
    assert "driver 'drive'" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (kb.steps({0: 0.0, 1: 1.0}), "driver 'drive': a motion cannot jump, as that would take an infinite force."),
        ("3 bar", "input 'drive': "),
        (lambda t: "far", "input 'drive' failed with ValueError"),
        (lambda t: [1.0, 2.0], "which is neither a number nor value, rate and acceleration."),
        (lambda t: float("nan"), "which is not a finite number."),
        (lambda t: 1 / 0, "input 'drive' failed with ZeroDivisionError: division by zero."),
    ],
)
def test_motions_that_cannot_be_read(given, text):
    m = four_bar()
    m.driver("drive", joint="a")

    assert text in refusal(m, drive=given)


def test_a_motion_that_fails_later_keeps_what_was_done():
    m = four_bar()
    m.driver("drive", joint="a")

    def motion(time):
        return -1.0 if time < 0.05 else 1 / 0

    with pytest.raises(kb.SimulationError, match="input 'drive' failed with ZeroDivisionError") as caught:
        kb.simulate(m, "0.1 s", step="1 ms", record="1 ms", inputs={"drive": motion})

    assert 0.03 < caught.value.results.time[-1] < 0.05
    assert np.isfinite(caught.value.results["drive.torque"].values).all()


def test_a_record_that_ends_too_early():
    m = four_bar()
    short = kb.simulate(m, "20 ms", record="1 ms")
    m.driver("drive", joint="a")

    with pytest.raises(kb.SimulationError, match=r"input 'drive' comes from a run that ended at 0\.02 s") as caught:
        kb.simulate(m, "30 ms", record="1 ms", inputs={"drive": short["a.angle"]})
    assert "try               a duration of 0.02 s, or an earlier run that lasts as long" in str(caught.value)
    assert "is not a record of one rad" in refusal(m, drive=short["crank.position"])
    assert "is not a record of one rad" in refusal(m, drive=short["a.angle_rate"])


def test_a_driven_machine_from_a_file_is_the_same(tmp_path):
    m = four_bar()
    m.driver("drive", joint="a", times=[0, "1 s"], values=["-60 deg", "20 deg"])
    kb.write(m, tmp_path / "driven.yaml")

    ours, theirs = (kb.simulate(one, "50 ms") for one in (m, kb.read(tmp_path / "driven.yaml")))

    assert np.array_equal(ours["drive.torque"].values, theirs["drive.torque"].values)


def test_blocks_of_any_size_give_the_same_bits():
    """A driven step depends on its own ends only, not on how many steps one call makes."""
    m = four_bar()
    m.driver("drive", joint="a", speed=3.0, amplitude=0.2, frequency="2 Hz")
    planned = [kb.build(m) for _ in range(2)]
    from knuckleboom.engine.run import run_explicit
    from knuckleboom.layout import schedule_family

    for one, sizes in zip(planned, ([40], [7, 1, 32]), strict=True):
        first = 0
        for count in sizes:
            times = 1e-3 * np.arange(first, first + count + 1, dtype=float)
            nowhere, record, none = np.full(count + 1, -1), np.empty((1, 1)), np.zeros(count + 1, np.int64)
            inputs, steps = np.empty((count + 1, 2, 0)), np.full(count, 1e-3)
            schedule = schedule_family(times, steps, inputs, one.motions_at(times), none, nowhere, record)
            status, _ = run_explicit(one.plan, one.work, schedule, count)
            assert status == 0
            first += count

    ours, theirs = (one.snapshot() for one in planned)
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
