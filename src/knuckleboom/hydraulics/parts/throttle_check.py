# SPDX-License-Identifier: BSD-3-Clause
"""Throttle-check valve: an orifice from b to a, and a check valve around it that is free from a to b.

    throttle   Q = k·√Δp both ways, k from area or flow            check   opens from cracking to cracking + full

Ports       none of its own; a and b name ports of others
Branches    throttle, check (flow from a to b positive; the check's is never negative)
States      none                            Power  dissipates (p_a − p_b)·Q ≥ 0
Also called one-way restrictor: with a at the pump's side it meters out, with b there it meters in.
ISO 1219    throttle and check valve in parallel.
Validated by: validation/analytic/test_throttles.py
"""

from knuckleboom.describe import Net, param
from knuckleboom.hydraulics.parts.built_in_check import BuiltInCheck
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import FlowAt
from knuckleboom.symbol import Symbol, arc, check, line


class ThrottleCheck(BuiltInCheck, Orifice):
    """Free flow from a to b, throttled from b to a."""

    SYMBOL = Symbol(
        2.0, 1.25, {"a": (0.5, 0.0), "b": (0.5, 1.25)},
        check().strokes + line((0.5, 0.125), (1.5, 0.125), (1.5, 1.125), (0.5, 1.125))
        + arc(1.15, 0.625, 0.25, -60.0, 60.0) + arc(1.85, 0.625, 0.25, 120.0, 240.0),
        ("{area:mm2} mm²", "{flow[0]:l/min} l/min at {flow[1]:bar} bar"),
    )  # fmt: skip

    free_flow: FlowAt = param("flow from a to b and its pressure drop, through the open check alone")

    def expand(self, net: Net) -> None:
        net.restrictor(self.a, self.b, **self.size, name="throttle")
        self.check(net, self.a, self.b, self.free_flow, self.transition)
