# SPDX-License-Identifier: BSD-3-Clause
"""Load-sensing pump: keeps its pressure a margin above the load's, up to its cut-off.

    Q = D·x·n − leakage,   τ·ẋ = u·S_m(p_b − p_ls)·S_c(p_b − p_a) − x
    with torque_limit the setting is kept at or below torque_limit/(D·(p_b − p_a)): the hyperbola of constant torque
    S_m falls smoothly from 1 at margin − margin_band to 0 at margin, S_c from 1 at cutoff − band to 0 at cutoff

Ports       none of its own; a (often a tank), b and ls (the highest load, no flow) name ports of others
Sign        Q > 0 flows from a to b
Branches    `<name>.leak`, from b back to a; with a speed also the displacement, `<name>.flow`: on a shaft a reading
States      swash          Inputs  the part's name, its largest setting 0..1; `<name>.speed` unless on a shaft
Readings    shaft_power, torque; with a speed and friction also friction_power
Power       supplies (p_b − p_a)·Q, on a shaft takes it from there; leakage dissipates, on a shaft also friction
Validated by: validation/analytic/test_pumps.py              ISO 1219: a variable pump, steered by a dashed line
At rest p_b − p_ls lies between margin − margin_band (full flow) and margin (none): standby is a margin above the tank.
S is r²·(3 − 2·r) of the way through its band. Several loads: put shuttle valves before `ls`.
Losses and torque: pumping.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Port, param
from knuckleboom.hydraulics.parts.between import narrower
from knuckleboom.hydraulics.parts.pressure_compensated_pump import PressureCompensatedPump
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import pump


class LoadSensingPump(PressureCompensatedPump):
    """A pump that keeps a margin above its load."""

    SYMBOL = pump(adjustable=True, pilots=("ls",), datum="{displacement:cm3/rev} cm³/rev, ls + {margin:bar} bar")

    ls: Port = param("port of the highest load pressure")
    margin: PressureDrop = param("p_b − p_ls at which it delivers nothing", "20 bar", above=0)
    margin_band: PressureDrop = param("how far below the margin it begins to swing back", "4 bar", above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from narrower(self, "margin_band", "margin")

    def limits(self) -> list[tuple[str, str, float, float]]:
        return [(self.b, self.ls, self.margin, self.margin_band), *super().limits()]
