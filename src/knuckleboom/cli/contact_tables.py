# SPDX-License-Identifier: BSD-3-Clause
"""What `bench contact` prints for people: every figure with its limit, and whether it is met."""

from collections.abc import Mapping
from typing import Any

from knuckleboom.cli.output import Output, number

WORDS = {True: "yes", False: "NO", None: "-"}
ALONE = ("throws", "us_per_disc_on_plane", "us_per_pair")


def show_contact(output: Output, data: Mapping[str, Any]) -> None:
    """Print the figures, what has no limit, and machines."""
    from knuckleboom.bench.contact import LIMITS, figure

    rows = [
        [name, number(figure(data, name)), "at least" if limit.least else "at most", number(limit.value), fits]
        for (name, limit), fits in zip(LIMITS.items(), (WORDS[one] for one in data["met"].values()), strict=True)
    ]
    titles = ("figure", "value", "", "limit", "met")
    output.table(f"Contact in steps of {data['step_ms']:g} ms", titles, rows, right=("value", "limit"))
    rows = [[name, number(data[name])] for name in ALONE]
    rows += [[f"energy gain, {name}, %", number(gain)] for name, gain in data["energy_gains"].items()]
    output.table("Without a limit of its own", ("what", "value"), rows, right=("value",))
    rows = [
        [row["machine"], *(f"{number(row[key])}{' !' * (fits is False)}" for key, fits in row["met"].items())]
        for row in data["machines"]
    ]
    titles = ("machine", "times real time", "wheel loads, %", "energy residual, %", "position, mm")
    output.table("Machines that touch something; ! is beyond its limit", titles, rows, right=titles[1:])
    for row in data["machines"]:
        if row["status"] == "failed":
            output.note(f"{row['machine']}: {row['message']}")
    for message in (data["reckless"] or {"failed": []})["failed"]:
        output.note(f"driven recklessly, {message}")
