# SPDX-License-Identifier: BSD-3-Clause
"""Cavitation in words: what simulation/cavitation.py counted and the results keep. Tested in
tests/simulate/test_cavitation.py.
"""

from typing import Any

from knuckleboom.results.results import Results
from knuckleboom.units import format_si


def sentences(results: Results) -> list[str]:
    """Return what a run has to say about torn oil, one sentence for each volume, the longest first."""
    found = sorted(results.cavitation.items(), key=lambda item: -item[1]["time"])
    return [f"The oil at '{port}' was torn (cavitation) {_how(torn)}." for port, torn in found]


def _how(torn: dict[str, Any]) -> str:
    time, lowest, limit = format_si(torn["time"], "s"), format_si(torn["lowest"], "Pa"), format_si(torn["below"], "Pa")
    often = f"once, for {time}" if torn["episodes"] == 1 else f"{torn['episodes']} times, for {time} in all"
    return f"{often}: its pressure was below {limit}, at the lowest {lowest} at t = {torn['at']:.4g} s"


def tension(results: Results) -> str:
    """Return a sentence when oil pulls, which only laws without cavitation let it do."""
    pulls = {port: torn["lowest"] for port, torn in results.cavitation.items() if torn["lowest"] < 0.0}
    if not pulls:
        return ""
    worst = min(pulls, key=lambda port: pulls[port])
    where = f"The oil at '{worst}' pulls: its pressure falls to {format_si(pulls[worst], 'Pa')} absolute"
    more = f" (and at {len(pulls) - 1} more)" if len(pulls) > 1 else ""
    return f"{where}{more}. Its law has no cavitation: take a fluid of the law cavitating or air."
