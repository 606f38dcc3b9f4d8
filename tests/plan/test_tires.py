# SPDX-License-Identifier: BSD-3-Clause
"""Tires in a plan: numbers of discs by what is typical, stiffness and damping by load, and starts that are refused."""

import math

import pytest

import knuckleboom as kb
from knuckleboom.bench.vehicle import RADIUS, rig
from knuckleboom.interface.parts.tire import KINDS
from knuckleboom.interface.tire import BRISTLE, DAMPING, ROLLING, SPACING, STIFFNESS
from knuckleboom.plan.contact_step import tire_speeds


def number(column, **tire):
    """A column of the rig's tire."""
    return float(kb.build(rig(load=30e3, **tire)).plan.tire.number[0, column])


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_given_is_what_is_typical(kind):
    usual = KINDS[kind]

    assert number(STIFFNESS, typical=kind, discs=3) == pytest.approx(30e3 / usual.deflection / 3)
    # a = 2 ζ/√(g d)
    assert number(DAMPING, typical=kind) == pytest.approx(2 * usual.damping / math.sqrt(9.81 * usual.deflection))
    assert number(BRISTLE, typical=kind) == pytest.approx(2 * usual.cornering / (usual.patch * RADIUS))
    assert number(ROLLING, typical=kind, rolling_resistance=None) == pytest.approx(usual.rolling_resistance * RADIUS)


def test_damping_follows_the_deflection_that_is_given():
    assert number(DAMPING, stiffness=1e6, damping=0.2) == pytest.approx(2 * 0.2 / math.sqrt(9.81 * 0.03))


@pytest.mark.parametrize("discs", [1, 2, 3, 7])
def test_discs_are_as_far_from_the_middle_as_an_even_load(discs):
    apart = number(SPACING, discs=discs, width=0.6)

    mean = sum((apart * (place - 0.5 * (discs - 1))) ** 2 for place in range(discs)) / discs
    assert mean == pytest.approx(0.6**2 / 12 if discs > 1 else 0.0)


def test_a_tire_that_starts_deep_in_the_ground_is_refused():
    with pytest.raises(kb.MachineError, match=r"tire 'tire': it starts 0.4 m deep in the ground; at most 0.33 m"):
        kb.build(rig(terrain={"at": (0, 0, 0.34)}))


def test_a_tire_feels_the_mass_above_it():
    planned = kb.build(rig(load=30e3, discs=3))

    (found,) = tire_speeds(planned)

    assert found.stiffness == pytest.approx(30e3 / KINDS["forestry"].deflection)
    assert found.frequency == pytest.approx(math.sqrt(found.stiffness / found.mass))
    assert 1e-3 * found.frequency < 0.5


def test_a_tire_that_is_fast_is_a_note():
    (note,) = kb.build(rig(load=30e3, stiffness=1e10)).notes()

    assert note.rule.startswith("tire 'tire': h·√(k/m) is ")
    assert note.fix.endswith("N/m: more deflection.")
