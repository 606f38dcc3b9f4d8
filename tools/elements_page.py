# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/elements.md, the list of all elements on rows, from their declarations and cards.

python tools/elements_page.py        writes the page; tests/docs/test_elements_page.py says when that is due
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from knuckleboom.interface.contract import HOOKS, Element, has, name_of
from knuckleboom.interface.forces import OWN

PAGE = Path(__file__).parents[1] / "docs" / "elements.md"
HEAD = """\
# Elements on rows

What parts write with `net.element("name", row, …)`: rows in their order, then those of which the force
is read; columns and signals by name. How to add one: [CONTRIBUTING](../CONTRIBUTING.md). This page is
written by `tools/elements_page.py` from the declarations.
"""
ACCOUNTS = {
    "dissipates": "what it takes and does not store is dissipated",
    "applied": "its work is applied from outside",
    "supplied": "what it is supplied with and neither stores nor hands on is dissipated",
}


def page() -> str:
    """Return the page as it should be."""
    return "\n".join([HEAD, *(line for module in OWN for line in entry(module))])


def entry(module: ModuleType) -> Iterator[str]:
    """Return the lines about one element."""
    yield from (f"## {name_of(module)}", "", "```text", inspect.cleandoc(module.__doc__ or ""), "```", "")
    yield from ("| | |", "|---|---|")
    for title, text in facts(module, module.ELEMENT):
        yield f"| {title} | {text} |"
    yield ""


def facts(module: ModuleType, element: Element) -> Iterator[tuple[str, str]]:
    """Return what its declaration says."""
    if len(element.rows) > 1:
        yield "rows", ", ".join(element.rows)
    if element.reads:
        yield "reads the force of", ", ".join(element.reads)
    for state in element.states:
        yield f"state `{state.name}`", f"{state.meaning}, {state.unit or 'in the unit of its row'}"
    for title, names in (("signals", element.signals), ("columns", element.columns), ("law gives", element.gives)):
        if names:
            yield title, ", ".join(f"`{name}`" for name in names)
    for mode in element.modes:
        yield f"mode `{mode.name}`", mode.meaning
    further = [hook for hook in HOOKS if hook != "law" and has(module, hook)]
    if further:
        yield "further kernels", ", ".join(f"`{hook}`" for hook in further)
    yield "audit", ACCOUNTS[element.account] + (", by its mean power over a step" if element.mean_power else "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
