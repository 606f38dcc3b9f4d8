# SPDX-License-Identifier: BSD-3-Clause
"""What parts between two ports share: a, b, and rules about ports and pressures that several of them have.

Flow from a to b is positive, here and in every part made of it.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Part, Port, param
from knuckleboom.units import format_si


class Between(Part):
    """Base of the parts that let oil from one port to another."""

    a: Port = param("port at the inlet")
    b: Port = param("port at the outlet")

    def faults(self) -> Iterator[Fault]:
        yield from joined_twice(self, ("a", "b"))


def joined_twice(part: Part, *pairs: tuple[str, str]) -> Iterator[Fault]:
    """Yield the pairs of ports of a part that are joined to the same port, so that nothing can flow between them."""
    for one, other in pairs:
        port = getattr(part, one)
        if port is not None and port == getattr(part, other):
            yield Fault(f"{one} and {other} are both joined to '{port}'.", "Join them to different ports.", field=other)


def narrower(part: Part, band: str, setting: str) -> Iterator[Fault]:
    """Yield a fault when the band below a setting reaches down to no pressure at all."""
    wide, high = getattr(part, band), getattr(part, setting)
    if wide >= high:
        rule = f"{band} ({format_si(wide, 'Pa')}) is not narrower than {setting} ({format_si(high, 'Pa')})."
        yield Fault(rule, f"Give a fraction of it, such as {band}: {format_si(0.1 * high, 'Pa')}", field=band)


def pushes(*areas: tuple[str, float]) -> dict[str, float]:
    """Return how much the pressure of each port counts for opening a spool or poppet; areas on one port are added."""
    total: dict[str, float] = {}
    for port, area in areas:
        total[port] = total.get(port, 0.0) + area
    return total
