# SPDX-License-Identifier: BSD-3-Clause
"""Parts that write elements which no part of the library has yet, for tests. coupled_rows.py is an element that a
package could bring. A process of its own that plans such machines calls `use_parts` first.
"""

from __future__ import annotations

import knuckleboom as kb
from engine import coupled_rows
from knuckleboom.describe import BodyName, JointName, Net, Part, Place, param
from knuckleboom.interface import outside


class PressedPatch(Part):
    """A place that slides on the ground, pressed by a spring to a point of it."""

    at: Place = param("where it slides")
    body: BodyName = param("the body of that place")
    anchor: Place = param("where the spring is held")

    def expand(self, net: Net) -> None:
        plane = [net.direction(self.at, axis, "body") for axis in ((1, 0, 0), (0, 1, 0))]
        spin, normal = net.turn(self.body, (0, 0, 1), "body"), net.length(self.anchor, self.at)
        net.spring(normal, 400.0, 0.1, 5.0, 300.0)
        net.element(
            "friction_patch", *plane, spin, normal, coulomb=0.4, breakaway=0.6, stribeck=0.5, stiffness=900.0,
            damping=3.0, viscous=0.1, hold_speed=2.0, arm=0.2,
        )  # fmt: skip


class RotorMachine(Part):
    """A synchronous machine in a joint."""

    joint: JointName = param("the joint")

    def expand(self, net: Net) -> None:
        volts = {
            name: net.input(0.0, unit="V", name=name, meaning="voltage") for name in ("voltage_d", "voltage_q")
        }
        net.element(
            "rotor_currents", net.coordinate(self.joint, 0), resistance=0.3, inductance_d=2e-3, inductance_q=3e-3,
            flux=0.4, pole_pairs=3.0, **volts,
        )  # fmt: skip


class Coupled(Part):
    """The element of coupled_rows.py between three lengths."""

    at: Place = param("the place that is held")
    one: Place = param("where the first length begins")
    two: Place = param("where the second one begins")
    load: Place = param("where a spring is held whose force is read")

    def expand(self, net: Net) -> None:
        rows = [net.length(place, self.at) for place in (self.one, self.two, self.load)]
        net.spring(rows[2], 500.0, 0.3, 4.0, 50.0)
        net.element("coupled_rows", *rows, wanted=net.input(0.1, unit="m/s", meaning="a signal"), stiffness=300.0)


def use_parts() -> None:
    """Register the parts, and have the element of coupled_rows.py as if its package were installed: before the list of
    elements is made.
    """
    outside.elements_of_packages = lambda taken: [coupled_rows]
    for kind in (PressedPatch, RotorMachine, Coupled):
        kb.register(kind)
