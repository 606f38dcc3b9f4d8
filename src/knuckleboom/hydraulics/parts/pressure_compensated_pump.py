# SPDX-License-Identifier: BSD-3-Clause
"""Pressure-compensated pump: full displacement until its cut-off pressure is near, then only as much as is used.

    Q = D·x·n − leakage,   τ·ẋ = u·S(p_b − p_a) − x,   S falls smoothly from 1 at cutoff − band to 0 at cutoff
    with torque_limit the setting is kept at or below torque_limit/(D·(p_b − p_a)): the hyperbola of constant torque

Ports       none of its own; a (often a tank) and b name ports of others          Sign  Q > 0 flows from a to b
Branches    `<name>.leak`, from b back to a; with a speed also the displacement, `<name>.flow`: on a shaft a reading
States      swash          Inputs  the part's name, its largest setting 0..1; `<name>.speed` unless on a shaft
Readings    shaft_power, torque; with a speed and friction also friction_power
Power       supplies (p_b − p_a)·Q, on a shaft takes it from there; leakage dissipates, on a shaft also friction
Validated by: validation/analytic/test_pumps.py              ISO 1219: a variable pump, steered by its own line
At rest the pressure lies on the characteristic p(Q) between cutoff − band (full flow) and cutoff (none). S is
r²·(3 − 2·r) of the way through the band. A quick rise overshoots until the swash has followed: keep a relief valve.
Losses and torque: pumping.py
"""

import math
from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, param
from knuckleboom.hydraulics.parts.between import narrower
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.quantities import Number, PressureDrop, Time, Torque
from knuckleboom.symbol import pump


class PressureCompensatedPump(Pumping):
    """A pump that holds a pressure."""

    SYMBOL = pump(adjustable=True, datum="{displacement:cm3/rev} cm³/rev, {cutoff:bar} bar")

    cutoff: PressureDrop = param("p_b − p_a at which it delivers nothing, whatever the load", above=0)
    band: PressureDrop = param("how far below the cut-off it begins to swing back", "10 bar", above=0)
    setting: Number = param("largest share of the displacement; also an input of the part's name", 1.0, least=0, most=1)
    time_constant: Time = param("lag of the displacement", "50 ms", above=0)

    torque_limit: Torque | None = param("torque of the oil, D·x·(p_b − p_a), that it is kept below", None, above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from narrower(self, "band", "cutoff")

    def limits(self) -> list[tuple[str, str, float, float]]:
        """What takes its displacement back: ports of a pressure difference, where it is gone, and over how much."""
        return [(self.b, self.a, self.cutoff, self.band)]

    def expand(self, net: Net) -> None:
        meaning = "largest setting of the displacement, 0..1"
        wanted = net.input(self.setting, unit="1", meaning=meaning, within=(0.0, 1.0))
        product = math.inf if self.torque_limit is None else self.torque_limit / self.displacement
        swash = net.steered(
            wanted, self.limits(), time_constant=self.time_constant, name="swash", product=product
        )  # fmt: skip
        self.pump(net, swash)
