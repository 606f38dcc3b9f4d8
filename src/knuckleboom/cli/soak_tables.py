# SPDX-License-Identifier: BSD-3-Clause
"""What `knuckleboom bench soak` prints for people; its keys are in docs/cli.md."""

from collections.abc import Mapping
from typing import Any

from knuckleboom.cli.output import Output, number


def show_soak(output: Output, data: Mapping[str, Any]) -> None:
    """Print a line for each machine, what tunnelled and what was not reached."""
    columns = {
        "machine": "machine", "status": "status", "time_s": "s", "least_pressure_bar": "least bar",
        "highest_pressure_bar": "highest bar", "closure_mm": "loops open, mm",
        "energy_residual_percent": "energy residual, %", "energy_gain_percent": "gain, %", "rolled_over": "rolled over",
    }  # fmt: skip
    reached = [f"{row['stops_reached']} of {row['stops']}" for row in data["machines"]]
    opened = [f"{row['reliefs_opened']} of {row['reliefs']}" for row in data["machines"]]
    rows = [[number(row[key]) for key in columns] for row in data["machines"]]
    rows = [[*row, stops, reliefs] for row, stops, reliefs in zip(rows, reached, opened, strict=True)]
    titles = [*columns.values(), "stops reached", "reliefs opened"]
    title = f"{data['seconds']:g} s of a reckless operator in steps of {data['step_ms']:g} ms, seed {data['seed']}"
    output.table(title, titles, rows, right=titles[2:])
    through = [[row["machine"], *map(number, one.values())] for row in data["machines"] for one in row["tunnelled"]]
    if through:
        output.table("Tunnelled", ("machine", "contact", "depth, mm", "at most", "s"), through)
    left = [[row["machine"], one["name"], one["reason"]] for row in data["machines"] for one in row["not_reached"]]
    if left:
        output.table("Not reached", ("machine", "stop or relief valve", "why"), left)
