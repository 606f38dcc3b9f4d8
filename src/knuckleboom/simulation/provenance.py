# SPDX-License-Identifier: BSD-3-Clause
"""Provenance: what a run was made of, saved with its results so that a report can be made from the file alone.

Version, sizes of the plan, the machine's outline and circuit, and the sources that the run really used. Sources are the
keys such as [Naya 2011, eq. 3] in the cards (module docstrings) of what is in the plan: the kinds of parts, the
elements and laws they became, the joints' movements, the integrator, the enforcement, the factorisation. They are kept
as written, each with what it was used for; `run.citations()` finds them in references.bib. Tested in
tests/report/test_citations.py.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from knuckleboom.engine.run import INTEGRATORS
from knuckleboom.hydraulics import network as hydraulic
from knuckleboom.interface import forces as interface
from knuckleboom.kernels import plain
from knuckleboom.machine.circuit import circuit
from knuckleboom.machine.kept_circuit import kept
from knuckleboom.machine.loose import bodies_of, joints_of, loose_bodies
from knuckleboom.machine.outline import outline
from knuckleboom.mechanics import accelerations, dynamics, kinematics, natural
from knuckleboom.mechanics.elements import axes, ball, slide, turn
from knuckleboom.methods import Method
from knuckleboom.plan import Planned
from knuckleboom.plan.counts import sizes as count_sizes
from knuckleboom.plan.network import STRAINS
from knuckleboom.results.cited import cited_in
from knuckleboom.solvers import cholesky, conjugate_gradients, lu, pattern_ldl, pattern_lu, tree_ldl

LAWS = "knuckleboom.laws."
SOLVERS = {"dense": cholesky, "conjugate-gradients": conjugate_gradients}


def provenance(planned: Planned) -> dict[str, Any]:
    """Return what is worth keeping about a run beside its numbers, as plain data."""
    return {
        "version": str(sys.modules["knuckleboom"].__version__),  # not imported: the package's root draws, too
        "counts": counts(planned),
        "outline": outline(planned.machine),
        "circuit": kept(circuit(planned.machine)),
        "sources": sources(planned),
    }


def counts(planned: Planned) -> dict[str, int]:
    """Return how large the machine and its plan are, in words for a table."""
    layout, sizes = planned.layout, count_sizes(planned)
    found = {
        "bodies": len(bodies_of(planned.machine)),
        "joints": len(joints_of(planned.machine)),
        "coordinates": sizes.coordinates,
        "loop equations": sizes.loop_equations,
        "degrees of freedom": sizes.dof,
        "shafts": sizes.shafts,
        "loose bodies": len(loose_bodies(planned.machine)),
        "oil nodes": len(layout.nodes),
        "oil branches": len(layout.branches),
        "inputs": len(layout.inputs),
    }
    needed = ("bodies", "joints", "coordinates", "degrees of freedom")
    return {name: count for name, count in found.items() if count or name in needed}


def sources(planned: Planned) -> list[list[str]]:
    """Return pairs of what was used and the source it names, such as ["orifice flow", "Merritt 1967, ch. 3"]."""
    found: dict[tuple[str, str], None] = {}
    if planned.machine.cite:
        found[f"machine {planned.machine.name}", planned.machine.cite] = None
    for use, text in cards(planned):
        for key in cited_in(text):
            found[use, key] = None
    return [list(pair) for pair in found]


def cards(planned: Planned) -> Iterator[tuple[str, str]]:
    """Yield what the plan uses and the text that describes it."""
    for kind in dict.fromkeys(type(part) for part in planned.machine.parts.values()):
        card = sys.modules.get(kind.__module__)  # a notebook's cell or a text that was executed has none
        # the class tells of itself alone; its file may also tell of a whole machine
        own = kind.__doc__ if cited_in(kind.__doc__ or "") else getattr(card, "__doc__", "")
        yield kind.KIND.replace("_", " "), own or ""
    for module in dict.fromkeys(modules(planned)):
        yield title(module), module.__doc__ or ""
    if planned.loop_equations:
        yield f"enforcement {planned.method.enforcement}", enforcement_card(planned.method.enforcement)


def title(module: ModuleType) -> str:
    """Return what a file is about: the first words of its card."""
    words = re.split(r"[:.,;(]", (module.__doc__ or module.__name__).strip(), maxsplit=1)[0]
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def modules(planned: Planned) -> Iterator[ModuleType]:
    """Yield the files of mechanics, elements, laws and solvers that the plan uses."""
    layout, method = planned.layout, planned.method
    yield INTEGRATORS[method.integrator]
    if planned.topology.nv:
        yield kinematics
        yield natural if method.coordinates == "natural" else dynamics
        yield solver(method)
    movements = {module.KIND: module for module in (turn, slide, ball, axes)}
    yield from _used(movements, (link.kind for link in planned.topology.links[1:]))
    elements = [
        *_used(dict(enumerate(interface.KINDS)), (force.kind for force in layout.forces)),
        *_used({module.KIND: module for module in hydraulic.OPENINGS}, (one.kind for one in layout.openings)),
        *_used(dict(enumerate(hydraulic.BRANCHES)), (branch.kind for branch in layout.branches)),
    ]
    for element in elements:
        yield element
        yield from _laws_in(element)
    first = planned.plan.oil.node_first
    for kind, strain in STRAINS.items():
        if first[kind] < first[kind + 1]:
            yield sys.modules[plain(strain).__module__]


def solver(method: Method) -> ModuleType:
    """Return the file that solves the equations of a step."""
    if method.enforcement == "index3":
        return pattern_lu if method.factorisation == "sparse" else lu
    if method.factorisation != "sparse":
        return SOLVERS[method.factorisation]
    return tree_ldl if method.coordinates == "relative" else pattern_ldl


def _used(modules_by_kind: dict[int, Any], kinds: Any) -> list[ModuleType]:
    wanted = set(kinds)
    return [module for kind, module in modules_by_kind.items() if kind in wanted]


def _laws_in(element: ModuleType) -> Iterator[ModuleType]:
    """Yield the laws that an element's file imports."""
    for value in vars(element).values():
        home = getattr(value, "__module__", None)
        if callable(value) and isinstance(home, str) and home.startswith(LAWS):
            yield sys.modules[home]


def enforcement_card(name: str) -> str:
    """Return what the card of the accelerations says of one enforcement: the lines of its entry."""
    lines, kept, inside = (accelerations.__doc__ or "").splitlines(), [], False
    for line in lines:
        word = line.split()[:1]
        if word and word[0] in accelerations.ENFORCEMENTS and line.startswith("    "):
            inside = word[0] == name
        elif not line.strip():
            inside = False
        if inside:
            kept.append(line)
    return "\n".join(kept)
