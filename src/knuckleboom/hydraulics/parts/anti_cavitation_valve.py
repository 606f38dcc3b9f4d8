# SPDX-License-Identifier: BSD-3-Clause
"""Anti-cavitation valve: a soft check valve from the tank line to a port that may be sucked dry.

    opening rises from 0 at p_a − p_b = cracking to 1 at cracking + full        as check_valve, with softer defaults

Ports       none of its own; a (tank line) and b (guarded) name ports of others         Sign  Q > 0 flows from a to b
States      none                            Power  dissipates (p_a − p_b)·Q ≥ 0
What a tank at 1 bar can give is little: take it large, or preload the tank line by a check valve of some bar.
ISO 1219    a check valve without a spring.
Validated by: validation/analytic/test_check_valves.py
"""

from knuckleboom.describe import param
from knuckleboom.hydraulics.parts.check_valve import CheckValve
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import check


class AntiCavitationValve(CheckValve):
    """A check valve that lets oil from the tank line follow a load that runs ahead."""

    SYMBOL = check(loaded=False, datum="{cracking:bar} bar")

    cracking: PressureDrop = param("pressure drop at which it begins to open", "0.05 bar", least=0)
    full: PressureDrop = param("rise above cracking until it is fully open", "0.2 bar", above=0)
