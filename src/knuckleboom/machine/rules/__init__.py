# SPDX-License-Identifier: BSD-3-Clause
"""The rules a machine is checked by, one line each; every rule is a small function from a machine to problems.

A rule between parts belongs here; what concerns the values of one part alone is in that part's `faults`.
"""

from collections.abc import Callable, Iterator

from knuckleboom.errors import Problem
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.rules.against import contacts_against
from knuckleboom.machine.rules.bodies import (
    bodies_carry,
    contacts_have_ground,
    contacts_look,
    materials_fit,
    oil_slides,
)
from knuckleboom.machine.rules.circuits import one_oil, one_pressure_source, open_ports, start_pressures
from knuckleboom.machine.rules.expansions import parts_expand
from knuckleboom.machine.rules.joints import coordinates_exist, joined_to_ground, motors_turn, two_bodies, units_fit
from knuckleboom.machine.rules.levers import levers_move_inputs, one_lever_an_axis
from knuckleboom.machine.rules.names import one_meaning, writable_names, writable_points
from knuckleboom.machine.rules.pumps import pumps_backwards, pumps_without_relief
from knuckleboom.machine.rules.references import drawn_bodies, named_parts, places, ports
from knuckleboom.machine.rules.shapes import bodies_bend, shapes_move_mass, shapes_named
from knuckleboom.machine.rules.sums import sums_fit
from knuckleboom.machine.rules.tires import tires_have_ground, wheels_turn
from knuckleboom.machine.rules.values import closed_lengths, inertias_as_given, own_faults, some_parts

RULES: tuple[Callable[[Machine], Iterator[Problem]], ...] = (
    writable_names,
    writable_points,
    one_meaning,
    own_faults,
    places,
    named_parts,
    ports,
    drawn_bodies,
    levers_move_inputs,
    one_lever_an_axis,
    two_bodies,
    bodies_carry,
    oil_slides,
    tires_have_ground,
    contacts_have_ground,
    contacts_look,
    contacts_against,
    materials_fit,
    bodies_bend,
    shapes_named,
    shapes_move_mass,
    joined_to_ground,
    coordinates_exist,
    motors_turn,
    sums_fit,
    units_fit,
    parts_expand,
    one_pressure_source,
    one_oil,
    start_pressures,
)

DOUBTS: tuple[Callable[[Machine], Iterator[Problem]], ...] = (
    some_parts, pumps_without_relief, pumps_backwards, closed_lengths, wheels_turn,
)  # fmt: skip
"""Notes of what is probably a mistake: a plan keeps them, and every run warns of them (simulation/run_warnings.py)."""
NOTES: tuple[Callable[[Machine], Iterator[Problem]], ...] = (*DOUBTS, open_ports, inertias_as_given)
"""What may be meant as it is: said by `check`, and never refused."""
