# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom list`: the machines of the catalogue, the methods and the benchmarks."""

import sys

from knuckleboom.cli.commands.bench import BENCHMARKS
from knuckleboom.cli.methods import METHODS
from knuckleboom.cli.output import Json, Output

NAME = "list"
EXAMPLE = "knuckleboom list"


def command(json: Json = False) -> None:
    """Show the machines of the catalogue, the methods and the benchmarks."""
    from knuckleboom import catalogue

    output = Output(json)
    machines = [
        {"name": name, "about": first_line(sys.modules[make.__module__].__doc__)}
        for name, make in catalogue.NAMES.items()
    ]
    methods = {f"{word}s": list(choices) for word, choices in METHODS.items()}
    output.document({"machines": machines, **methods, "benchmarks": list(BENCHMARKS)})
    output.table("Machines", ("name", "about"), [(machine["name"], machine["about"]) for machine in machines])
    rows = [(f"--{word}", ", ".join(choices)) for word, choices in METHODS.items()]
    output.table("Methods (the first is the default)", ("option of run", "choices"), rows)
    output.table("Benchmarks", ("name", "about"), BENCHMARKS.items())


def first_line(text: str | None) -> str:
    """Return the first line of a module's card without its full stop."""
    lines = (text or "").strip().splitlines()
    return lines[0].rstrip(".") if lines else ""
