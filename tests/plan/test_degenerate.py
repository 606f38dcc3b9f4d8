# SPDX-License-Identifier: BSD-3-Clause
"""Parts that could do nothing are refused by name before a run: golden rules for rods and lengths of zero."""

import pytest

import knuckleboom as kb


def pendulum() -> tuple[kb.Machine, object]:
    machine = kb.Machine("pendulum")
    rod = machine.body("bar", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    machine.revolute("foot", machine.ground, rod, axis="y")
    return machine, rod


def test_a_rod_between_places_fixed_to_each_other_is_refused():
    machine, _ = pendulum()
    machine.rod("strut", machine.ground, machine.ground.at(1, 0, 0))
    with pytest.raises(kb.MachineError, match="rod 'strut': both its ends are on 'ground'"):
        kb.build(machine)


def test_a_spring_without_length_at_the_start_is_refused():
    machine, rod = pendulum()
    machine.spring("coil", machine.ground, rod, stiffness="100 N/m")
    with pytest.raises(kb.MachineError, match="'coil' has no direction: its two places coincide at the start"):
        kb.build(machine)
