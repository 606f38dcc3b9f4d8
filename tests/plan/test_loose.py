# SPDX-License-Identifier: BSD-3-Clause
"""Loose bodies move like any other and are counted apart: a machine with a load has the sizes of the machine alone."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.machine.loose import loose_bodies
from knuckleboom.plan import counts
from plan.test_loops import four_bar

COORDINATES = ["relative", "reference-point", "natural"]


def loaded(loose, *, by="free"):
    """A four-bar with a load and a second one below it, free or on a rod from the coupler."""
    machine = four_bar()
    load = machine.body("load", mass=5.0, inertia=(1, 1, 1), loose=loose)
    machine.free("flight", machine.ground, load, start=(0, 0, -3, 0, 0, 0))
    ring = machine.body("ring", mass=1.0, inertia=(0.1, 0.1, 0.1), loose=loose)
    machine.spherical("shackle", load.at(0, 0, -0.5), ring)
    if by == "rod":
        machine.rod("sling", "coupler", load.at(0, 0, 0.5))
    return machine


@pytest.mark.parametrize("by", ["free", "rod"])
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_counts_are_those_of_the_machine_alone(coordinates, by):
    alone, planned = (kb.build(one, coordinates=coordinates) for one in (four_bar(), loaded(True, by=by)))
    assert counts.sizes(planned) == counts.sizes(alone)
    assert counts.counted(planned) == counts.counted(alone)
    assert counts.published(planned) == counts.published(alone)
    assert counts.constraint_equations(planned) == counts.constraint_equations(alone)
    assert loose_bodies(planned.machine) == ["load", "ring"]


def test_without_the_flag_they_are_counted():
    alone, planned = kb.build(four_bar()), kb.build(loaded(False))
    assert counts.sizes(planned).coordinates == counts.sizes(alone).coordinates + 9
    assert loose_bodies(planned.machine) == []


def test_they_move_alike():
    runs = [kb.simulate(loaded(loose, by="rod"), 0.1, step=1e-3) for loose in (True, False)]
    first, second = (run["load.position"].values for run in runs)
    assert np.abs(first - second).max() < 1e-12


def test_a_file_says_it():
    machine = loaded(True)
    assert "loose: true" in machine.to_yaml()
    assert loose_bodies(kb.Machine.from_yaml(machine.to_yaml())) == ["load", "ring"]


def test_coordinates_begin_at_the_machine_not_at_its_load():
    machine = kb.Machine("crate")
    load, crate = (machine.body(name, mass=1.0, inertia=(1, 1, 1), loose=name == "load") for name in ("load", "crate"))
    machine.free("flight", machine.ground, load)
    machine.free("base", machine.ground, crate)
    assert kb.build(machine).topology.free_joint == "base"


def test_an_attachment_is_not_loose_on_its_own():
    machine = kb.Machine("beam")
    machine.fixed("root", machine.ground, machine.body("beam", mass=1.0, inertia=(1, 1, 1)))
    with pytest.raises(kb.MachineError, match="it is loose, but a part of 'beam'"):
        machine.attachment("tip", of="beam", at=(1, 0, 0), loose=True)
