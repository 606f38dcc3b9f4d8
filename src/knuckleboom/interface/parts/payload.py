# SPDX-License-Identifier: BSD-3-Clause
"""Payload: a mass on a body that grows and shrinks while the machine runs, such as ore in a bucket.

    d(m·v)/dt = F + ṁ·c where it grows        c the velocity of what joins: 0, or √(2·g·falling_from) down
    m·dv/dt = F         where it shrinks      what leaves keeps the velocity that it has there

Input       the mass that it is to have, by the part's name; it acts as the nearest of 0 and `most` where outside
State       mass: follows the input with a lag, so that it never jumps
Power       dissipates what is lost as mass joins, ½·ṁ·|v − c|² where it does not turn; is supplied with the energy of
            what joins less that of what leaves
Its centre of mass stays where it is on the body as the mass changes. What joins comes without rotation, and the body
turns it, too. A run begins with `mass`, also where the input begins elsewhere.
Step: of `realtime` h·ṁ below half of the mass that moves with it; an energy audit says where that is not so.
Natural coordinates refuse it: their mass matrix is constant. docs/decisions/payload.md
Validated by: validation/analytic/test_payload.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Part, Place, param
from knuckleboom.quantities import Length, Mass, Time, Vec3, show


class Payload(Part):
    """A mass on a body that is an input."""

    at: Place = param("its centre of mass; a box has the axes of the place")
    most: Mass = param("most that it can be: a run warns of an input that is not within 0 to most", above=0)
    mass: Mass = param("mass at the start; also an input of this name", 0.0, least=0)
    box: Vec3 | None = param("lengths of the sides of a box that it fills evenly; default: it is a point", None)
    falling_from: Length = param("how far above it what joins begins to fall; 0: it lies still", 0.0, least=0)
    time_constant: Time = param("lag of the mass behind the input", "100 ms", above=0)

    def faults(self) -> Iterator[Fault]:
        if self.mass > self.most:
            rule = f"mass ({self.mass:g} kg) is above most ({self.most:g} kg)."
            yield Fault(rule, "Lower mass, or raise most.", field="mass")
        if self.box is not None and min(self.box) <= 0.0:
            rule = f"box is {show(self.box)}; every side must be greater than 0."
            yield Fault(rule, "Write the lengths of its three sides: box: [1, 0.5, 0.2]", field="box")

    def expand(self, net: Net) -> None:
        within = (0.0, self.most)
        wanted = net.input(self.mass, unit="kg", meaning="mass that it is to have", within=within, held=True)
        mass = net.spool(wanted, self.time_constant, name="mass", within=within)
        net.payload(self.at, mass, box=self.box or (0.0, 0.0, 0.0), falling_from=self.falling_from)
