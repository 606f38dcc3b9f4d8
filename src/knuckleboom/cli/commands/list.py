# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom list`: the catalogue's machines, methods and benchmarks; `list methods`: what goes together; `list
parts`: what machines are made of."""

import sys
from enum import StrEnum
from typing import Annotated, Any

import typer

from knuckleboom import methods
from knuckleboom.cli.commands.bench import BENCHMARKS
from knuckleboom.cli.output import Json, Output

NAME = "list"
EXAMPLE = "knuckleboom list methods"

FIRST = ("coupling", "coordinates", "enforcement", "factorisation")
APART = ("coupling", "course", "order", "handed", "variables")
BOUNDED = ("coupling", "solver")
OTHERS = ("coupling", *(word for word in methods.WORDS if word not in (*FIRST, *APART, *BOUNDED)))
"""Words by which the lines of the table differ, those of a power side that is apart, of rows with bounds, and the
others: a table each, so that they fit a terminal.
"""


AS_THEY_ARE = ("coordinates", "jumps", "handed", "variables")
"""Words that are keys of several choices as they stand."""


class What(StrEnum):
    """What can be listed on its own."""

    METHODS = "methods"
    PARTS = "parts"


def command(
    what: Annotated[What | None, typer.Argument(metavar="[methods|parts]", help="Only this, in full.")] = None,
    json: Json = False,
) -> None:
    """Show the machines of the catalogue, the methods and the benchmarks; or every valid method, or every part."""
    output = Output(json)
    if what is not None:
        (show_methods if what is What.METHODS else show_parts)(output)
        return
    from knuckleboom import catalogue

    machines = [
        {"name": name, "about": first_line(sys.modules[make.__module__].__doc__)}
        for name, make in catalogue.NAMES.items()
    ]
    choices = {word: list(methods.choices(word)) for word in methods.WORDS}
    words = {plural(word): values for word, values in choices.items()}
    output.document({"machines": machines, **words, "benchmarks": list(BENCHMARKS)})
    output.table("Machines", ("name", "about"), [(machine["name"], machine["about"]) for machine in machines])
    rows = [(f"--{word.replace('_', '-')}", ", ".join(values)) for word, values in choices.items()]
    output.table("Methods (what goes together: knuckleboom list methods)", ("option of run", "choices"), rows)
    output.table("Benchmarks", ("name", "about"), BENCHMARKS.items())


def show_methods(output: Output) -> None:
    """Show the table of methods: for each coupling what goes with it, then what each does."""
    output.document({"methods": [describe(row) for row in methods.TABLE]})
    title = "Methods: any word of a line goes with any other of it, the first is the default"
    own = {APART: "course", BOUNDED: "solver"}
    for heading, words in ((title, FIRST), ("", OTHERS), ("", APART), ("", BOUNDED)):
        shown = [row for row in methods.TABLE if words not in own or getattr(row, own[words])]
        rows = [tuple(", ".join(choices_of(row, word)) for word in words) for row in shown]
        output.table(heading, [word.replace("_", " ") for word in words], dict.fromkeys(rows))
    output.table("", ("coupling", "what it does"), [(row.coupling, row.meaning) for row in methods.TABLE])


def show_parts(output: Output) -> None:
    """Show every kind of part; a program also gets their settings."""
    from knuckleboom.machine.kinds import all_kinds
    from knuckleboom.machine.sheet import sheet

    sheets = [sheet(kind) for kind in all_kinds().values()]
    parts = [{**one._asdict(), "settings": [setting._asdict() for setting in one.settings]} for one in sheets]
    output.document({"parts": parts})
    rows = [(one.kind, one.section, ", ".join(one.ports), one.about) for one in sheets]
    output.table("Parts (all about them: docs/parts.md)", ("kind", "section of a file", "own ports", "about"), rows)


def describe(row: methods.Combination) -> dict[str, Any]:
    """Return one line of the table as plain data; the keys are described in docs/cli.md."""
    words = {plural(word): choices_of(row, word) for word in methods.WORDS if word != "coupling"}
    return {"coupling": row.coupling, **words, "meaning": row.meaning}


def choices_of(row: methods.Combination, word: str) -> list[str]:
    """Return what a word can be in a combination, the default first."""
    return [row.coupling] if word == "coupling" else list(getattr(row, word))


def plural(word: str) -> str:
    """Return the key of several choices."""
    return word if word in AS_THEY_ARE else f"{word}s"


def first_line(text: str | None) -> str:
    """Return the first line of a module's card without its full stop."""
    lines = (text or "").strip().splitlines()
    return lines[0].rstrip(".") if lines else ""
