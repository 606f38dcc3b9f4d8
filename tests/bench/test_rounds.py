# SPDX-License-Identifier: BSD-3-Clause
"""Interleaved rounds: order, warm-up, medians, progress."""

import pytest

from knuckleboom.bench.rounds import medians, per_call


def test_interleaves_and_leaves_the_first_round_out():
    calls = []
    values = {"a": iter([100.0, 1.0, 3.0, 2.0]), "b": iter([100.0, 5.0, 4.0, 6.0])}

    def task(name):
        def run():
            calls.append(name)
            return next(values[name])

        return run

    fractions = []
    assert medians({"a": task("a"), "b": task("b")}, 3, fractions.append) == {"a": 2.0, "b": 5.0}
    assert calls == ["a", "b"] * 4
    assert fractions == [0.25, 0.5, 0.75, 1.0]


def test_preparation_is_not_timed(monkeypatch):
    clock = {"now": 0.0}
    monkeypatch.setattr("time.thread_time", lambda: clock["now"])

    def spend(seconds):
        clock["now"] += seconds

    task = per_call(lambda: spend(1.0), lambda count: spend(count * 2e-6), 10)
    assert task() == pytest.approx(2.0, rel=1e-6)
