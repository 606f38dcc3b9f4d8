# SPDX-License-Identifier: BSD-3-Clause
"""Cavitation in words: what simulation/cavitation.py counted and the results keep. Tested in
tests/simulate/test_cavitation.py.
"""

from collections.abc import Collection, Iterator
from typing import Any

from knuckleboom.errors import lower_first
from knuckleboom.results.results import Results
from knuckleboom.units import format_si

FEED = "Feed that side: an anti-cavitation valve, more back pressure, or a slower motion."
AT_REST = (
    "It came at the start, where nothing carried the load yet: begin at rest, with --start equilibrium "
    '(in a case start: equilibrium, in Python start="equilibrium")'
)
FIRST_MOMENTS = 0.1
"""s: cavitation that begins so soon is that of a load which drops onto oil without pressure."""
MOST = 3
"""Ports that get a sentence of their own; the others are quote_ports in one."""


def cavitated_oil(results: Results, chambers: Collection[str] = ()) -> Iterator[str]:
    """Yield what a run has to say about cavitation: a sentence for each volume, the longest first, one for the rest.

    `chambers` are ports of cylinders and motors: there it may come from the start.
    """
    found = {port: episode for port, episode in results.cavitation.items() if episode["lowest"] >= 0.0}
    ports = sorted(found, key=lambda port: -found[port]["time"])
    for port in ports[:MOST]:
        dropped = port in chambers and "start" not in results.meta and found[port]["first"] <= FIRST_MOMENTS
        feed = f"{AT_REST}. Else {lower_first(FEED)}" if dropped else FEED
        yield f"The oil at '{port}' cavitated {_how(found[port])}. {feed}"
    if len(ports) > MOST:
        yield f"The oil also cavitated at {quote_ports(ports[MOST:])}: run.cavitation has how long and how far."


def negative_pressures(results: Results) -> Iterator[str]:
    """Yield a sentence when a pressure is negative, which only laws without cavitation let it be."""
    negative = {port: episode["lowest"] for port, episode in results.cavitation.items() if episode["lowest"] < 0.0}
    if not negative:
        return
    worst = min(negative, key=lambda port: negative[port])
    when = f"at t = {results.cavitation[worst]['at']:.4g} s"
    where = f"The pressure at '{worst}' falls to {format_si(negative[worst], 'Pa')} absolute {when}"
    more = f" (and at {len(negative) - 1} more)" if len(negative) > 1 else ""
    yield f"{where}{more}. Its law has no cavitation: take a fluid of the law cavitating or air."


def _how(episode: dict[str, Any]) -> str:
    time, at = format_si(episode["time"], "s"), f"{episode['at']:.4g} s"
    lowest, limit = format_si(episode["lowest"], "Pa"), format_si(episode["below"], "Pa")
    often = f"once, for {time}" if episode["episodes"] == 1 else f"{episode['episodes']} times, for {time} in all"
    return f"{often}: its pressure was below {limit}, at the lowest {lowest} at t = {at}"


def quote_ports(ports: list[str]) -> str:
    """Ports in quotation marks, one after the other."""
    return ", ".join(f"'{port}'" for port in ports)
