# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every integrator: it has the order it states, is exact for its degree, and its card says so."""

from __future__ import annotations

import re

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.engine.run import INTEGRATORS

WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}
DROP, GRAVITY = 0.5, 9.81  # s, m/s²


def last(machine, path, integrator, step, duration):
    return kb.simulate(machine, duration, step=step, record=duration, integrator=integrator)[path].values[-1]


def falling():
    m = kb.Machine("falling", gravity=(0.0, 0.0, -GRAVITY))
    body = m.body("body", mass=2.0, inertia=(1.0, 1.0, 1.0))
    m.prismatic("slide", m.ground, body, speed=3.0)
    return m


def swinging():
    m = kb.Machine("swinging", gravity=(0.0, 0.0, -GRAVITY))
    body = m.body("body", mass=2.0, com=(0.5, 0.0, 0.0), inertia=(0.01, 0.1, 0.1))
    m.revolute("pin", m.ground, body, axis="y", start=0.3, speed=1.0)
    return m


@pytest.mark.parametrize("name", INTEGRATORS)
class TestEveryIntegrator:
    def test_card_says_order_stages_and_source(self, name):
        module = INTEGRATORS[name]
        first = module.__doc__.splitlines()[0]

        assert f"order {module.ORDER}," in first
        assert re.search(rf"\b{WORDS[module.STAGES]} (stages?|evaluations?)\b", first)
        assert re.search(r"\[[A-Z][^\]]+\d{4}", module.__doc__), "a source"
        assert "test_integrator_order.py" in module.__doc__

    def test_file_has_its_name(self, name):
        assert INTEGRATORS[name].__name__.rpartition(".")[2] == name.replace("-", "_")

    def test_observed_order_is_the_stated_one(self, name):
        steps = [0.02, 0.01, 0.005]
        end = [last(swinging(), "pin.angle", name, step, 0.4) for step in steps]
        observed = np.log2((end[0] - end[1]) / (end[1] - end[2]))

        assert observed == pytest.approx(INTEGRATORS[name].ORDER, abs=0.25)  # corrections of the order of h

    def test_speed_of_a_fall_is_exact_and_its_way_has_the_error_of_its_order(self, name):
        step = 0.01
        speed = last(falling(), "slide.travel_rate", name, step, DROP)
        way = last(falling(), "slide.travel", name, step, DROP)
        # v₁ is used for the whole step by a first-order method: it falls g·h·t/2 too far; so do the two half steps of
        # the implicit Euler rule with which implicit rules begin
        late = 0.5 * GRAVITY * step * DROP if INTEGRATORS[name].ORDER == 1 else 0.0
        late = 0.25 * GRAVITY * step**2 if name in ("trapezoidal", "generalised-alpha") else late

        assert speed == pytest.approx(3.0 - GRAVITY * DROP, abs=1e-13)
        assert way == pytest.approx(3.0 * DROP - 0.5 * GRAVITY * DROP**2 - late, abs=1e-13)


def test_kinds_are_all_different():
    assert sorted(module.KIND for module in INTEGRATORS.values()) == list(range(len(INTEGRATORS)))
