# SPDX-License-Identifier: BSD-3-Clause
"""The table of methods: which coupling goes with which integrator, enforcement and factorisation. The only such list.

A method is coordinates × enforcement × integrator × coupling × factorisation. A combination that is not in the table is
refused by name, with the nearest one that is. What is not said follows from the machine: one with oil, which is stiff,
runs `realtime`, one without `explicit`. Kernels are not imported here, so that the command line can show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from knuckleboom.errors import MachineError, Problem
from knuckleboom.names import closest

WORDS = (
    "coordinates", "coupling", "integrator", "enforcement", "factorisation", "power_integrator", "jumps", "course",
    "order", "handed", "variables", "solver",
)  # fmt: skip
PLACE = "the method"
POWER_STEPS = {"cointegrated": 1e-3, "cosimulated": 1e-4}
"""s, the step of a power side that is integrated on its own, unless given."""
DAMPED = "generalised-alpha"
SPECTRAL_RADIUS = 0.8
"""What is left of a motion that is much faster than the step, in each of them, unless given."""
GRADIENTS = "conjugate-gradients"
WITH_OIL = "realtime"
"""The coupling of a machine with oil, unless given; without oil it is the first of the table."""
EQUILIBRIUM, OWN_START = "equilibrium", "machine"
STARTS = (EQUILIBRIUM, OWN_START)
"""Words for where a run begins: at rest, or at the machine's own start, also where a case says otherwise."""


class MethodWords(TypedDict, total=False):
    """What a user can say of the method; a word left out or None takes the default that goes with the others."""

    coordinates: str | None
    coupling: str | None
    integrator: str | None
    enforcement: str | None
    factorisation: str | None
    power_integrator: str | None
    power_step: float | str | None
    jumps: str | None
    course: str | None
    order: str | None
    handed: str | None
    variables: str | None
    solver: str | None
    spectral_radius: float | None
    penalty: float | None


@dataclass(frozen=True)
class Combination:
    """One coupling, and what goes with it; the first of each is the default."""

    coupling: str
    integrator: tuple[str, ...]
    enforcement: tuple[str, ...]
    factorisation: tuple[str, ...]
    meaning: str
    power_integrator: tuple[str, ...] = ()
    """Of a power side that is integrated on its own."""
    tolerance: tuple[float, float] = (1e-8, 1.0)
    """Newton stops below these changes of q (m or rad) and of pressures (Pa)."""
    jumps: tuple[str, ...] = ()
    """What becomes of rates that are carried from step to step where an input jumps."""
    course: tuple[str, ...] = ()
    """How rates of the rows go within a step, for a power side that is integrated on its own."""
    order: tuple[str, ...] = ()
    """Who goes first from exchange to exchange; with `jacobi` neither knows of the other."""
    handed: tuple[str, ...] = ()
    """Which force of the power side the mechanics gets."""
    variables: tuple[str, ...] = ()
    """What is exchanged."""
    solver: tuple[str, ...] = ()
    """How impulses of rows with bounds are found."""
    coordinates: tuple[str, ...] = ("relative", "reference-point", "natural")
    """Joint coordinates of a tree; position and Euler parameters of every body; a point and three vectors of it."""


JUMPS = ("reinitialised", "published")
"""Filled anew and damped by two steps of the implicit Euler rule, or carried over as in [Naya 2011]."""

BODIES = ("reference-point", "natural")
"""Coordinates in which every body is on its own."""
RULES = ("trapezoidal", DAMPED)
"""Integrators of implicit steps."""


def of_bodies(row: Combination) -> Combination:
    """The same with every body on its own: its matrices are large, so that sparse ones come first."""
    meaning = "the same with every body on its own and all joints as constraints"
    return replace(row, meaning=meaning, coordinates=BODIES, factorisation=row.factorisation[::-1])


UNIFIED = Combination(
    "unified", RULES, ("index3",), ("dense", "sparse"),
    "mechanics and oil in one Newton iteration with the full tangent: 5 to 10 ms steps with oil",
    jumps=JUMPS, coordinates=("relative",),
)  # fmt: skip
COINTEGRATED = replace(
    UNIFIED,
    coupling="cointegrated",
    meaning="the oil in smaller steps of its own inside every Newton iteration of the mechanics",
    power_integrator=("trapezoidal", "rk4", "euler"),
    course=("straight", "published"),
    # its tangent is not exact: what is left after the last iteration would add up over the steps
    tolerance=(1e-10, 1.0),
)
KINEMATIC = replace(
    UNIFIED,
    coupling="kinematic",
    meaning="cylinders follow given lengths, whatever force that takes: no oil at all",
)

COSIMULATED = Combination(
    "cosimulated", ("trapezoidal", "lie", "semi-implicit-euler"), ("lagrange", "penalty"), ("sparse",),
    "mechanics and oil apart, which exchange rates and forces once in a step; the oil in smaller steps of its own",
    power_integrator=("trapezoidal", "rk4", "euler", "lie"),
    course=("reduced", "published", "hold", "linear", "quadratic"),
    order=("power-first", "jacobi"), handed=("mean", "end"),
    variables=("force-displacement", "pressure-displacement"),
)  # fmt: skip

TABLE = (
    Combination(
        "explicit", ("rk4", "semi-implicit-euler"), ("lagrange", "penalty", "augmented"), ("sparse", "dense"),
        "everything in one explicit integrator: exact and simple, small steps for stiff oil",
    ),
    Combination(
        "explicit", ("rk4", "semi-implicit-euler"), ("penalty", "augmented"), (GRADIENTS,),
        "the same with nothing factored, as the papers name it: to compare with",
    ),
    UNIFIED,
    of_bodies(UNIFIED),
    COINTEGRATED,
    of_bodies(COINTEGRATED),
    Combination(
        "realtime", ("fw2", "lim", "lie"), ("lagrange", "penalty"), ("sparse",),
        "one linearly implicit step of bounded cost, stiff parts in its tangent: 1 to 2 ms steps with oil",
    ),
    KINEMATIC,
    of_bodies(KINEMATIC),
    COSIMULATED,
    replace(
        COSIMULATED, meaning="the same with the mechanics first: the oil knows what it just did",
        order=("mechanics-first",), course=("interpolated",),
    ),
    Combination(
        "timestepping", ("moreau",), ("lagrange", "penalty"), ("sparse",),
        "steps of velocities by impulses: contact and friction as rows with bounds, impacts by a restitution",
        solver=("active-set", "lemke", "projected"), coordinates=("relative", "reference-point"),
    ),
)  # fmt: skip
"""Every valid method."""


@dataclass(frozen=True)
class Method:
    """How to run; `choose` fills in the words that were not given. A word is empty where the coupling has none."""

    coordinates: str = "relative"
    coupling: str = "explicit"
    integrator: str = ""
    enforcement: str = ""
    factorisation: str = ""
    penalty: float = 1e9
    stabilisation: float = 50.0
    tolerance: tuple[float, float] = TABLE[0].tolerance
    power_integrator: str = ""
    """How `cointegrated` and `cosimulated` integrate the oil."""
    power_step: float = 0.0
    """The step of that, s."""
    jumps: str = ""
    """What an implicit rule does where an input jumps."""
    spectral_radius: float = 0.0
    """Of generalised-alpha: what is left in each step of a motion that is much faster."""
    course: str = ""
    """How rates go within a step of `cointegrated` and `cosimulated`."""
    order: str = ""
    """Which side of `cosimulated` goes first."""
    handed: str = ""
    """Which force its mechanics gets."""
    variables: str = ""
    """What its sides exchange."""
    solver: str = ""
    """How `timestepping` finds impulses of rows with bounds."""
    elsewhere: str = ""
    """Which side of `cosimulated` another process computes: "power", "mechanics" or none."""
    stands: tuple[tuple[str, str], ...] = ()
    """Names of what both sides share, each with the push that stands for the other side."""

    @classmethod
    def choose(
        cls,
        *,
        oil: bool = False,
        power_step: float | None = None,
        spectral_radius: float | None = None,
        penalty: float | None = None,
        **words: Any,
    ) -> Method:
        """The method of these words for a machine with or without oil; raise MachineError with all that do not exist or
        do not go together.
        """
        check_words(words)
        given = {word: value for word, value in words.items() if value}
        if spectral_radius is not None and "integrator" not in given:
            given["integrator"] = DAMPED
        ordered = sorted(TABLE, key=lambda row: row.coupling != WITH_OIL) if oil else TABLE
        rows = [row for row in ordered if given.get("coupling") in (None, row.coupling)]
        apart = [row for row in rows if row.power_integrator or power_step is None or "coupling" in given]
        row = next((row for row in apart if fits(row, given)), rows[0])
        problems = [] if fits(row, given) else [refused(row, given)]
        if power_step is not None and not row.power_integrator:
            rule = f"coupling '{row.coupling}' has no power_step: it has no steps of its own for the oil."
            problems.append(Problem(rule, fix=f"Leave it out, or choose coupling {' or '.join(POWER_STEPS)}."))
        chosen: dict[str, Any] = {word: given.get(word) or first(row, word) for word in WORDS}
        problems += unfit_numbers(chosen, spectral_radius, penalty)
        if problems:
            raise MachineError(problems, PLACE)
        small = power_step or POWER_STEPS.get(row.coupling, 0.0)
        radius = SPECTRAL_RADIUS if spectral_radius is None else spectral_radius
        numbers: dict[str, Any] = {
            "power_step": small,
            "spectral_radius": radius if chosen["integrator"] == DAMPED else 0.0,
        }
        if penalty is not None:
            numbers["penalty"] = penalty
        return replace(cls(tolerance=row.tolerance, **numbers), **chosen)


def unfit_numbers(chosen: Mapping[str, str], spectral_radius: float | None, penalty: float | None) -> list[Problem]:
    """Numbers of a method that it does not have, or that cannot be."""
    problems = []
    if spectral_radius is not None and chosen["integrator"] != DAMPED:
        rule = f"integrator '{chosen['integrator']}' has no spectral_radius."
        problems.append(Problem(rule, fix=f"Leave it out, or choose integrator {DAMPED}."))
    if spectral_radius is not None and not 0.0 <= spectral_radius <= 1.0:
        rule = f"spectral_radius {spectral_radius:g} is not between 0 (damps most) and 1 (damps nothing)."
        problems.append(Problem(rule, fix=f"Give one between, such as {SPECTRAL_RADIUS:g}."))
    if penalty is not None and chosen["enforcement"] == "lagrange":
        problems.append(Problem("enforcement 'lagrange' has no penalty.", fix="Leave it out, or choose penalty."))
    if penalty is not None and not 0.0 < penalty < float("inf"):
        problems.append(Problem(f"penalty {penalty:g} is not a positive number.", fix="Give one such as 1e9."))
    return problems


def check_words(words: Mapping[str, Any]) -> None:
    """Raise MachineError with every word that a method has not, and every value that a word has not."""
    problems = [unknown_word(word) for word in words if word not in WORDS]
    known = {word: value for word, value in words.items() if value and word in WORDS}
    problems += [unknown(word, value) for word, value in known.items() if value not in choices(word)]
    if problems:
        raise MachineError(problems, PLACE)


def choices(word: str) -> tuple[str, ...]:
    """All values of a word, in the order of the table."""
    values = [row.coupling for row in TABLE] if word == "coupling" else [v for row in TABLE for v in getattr(row, word)]
    return tuple(dict.fromkeys(values))


def fits(row: Combination, given: dict[str, str]) -> bool:
    """Whether all given words go with a combination."""
    return all(
        value == row.coupling if word == "coupling" else value in getattr(row, word) for word, value in given.items()
    )


def unknown_word(word: str) -> Problem:
    """Something that a method does not have."""
    return Problem(f"A method has no '{word}'.", fix=f"It has {', '.join(WORDS)}.", closest=tuple(closest(word, WORDS)))


def unknown(word: str, value: Any) -> Problem:
    """A word that there is not."""
    rule, fix = f"There is no {word} '{value}'.", f"Choose one of {', '.join(choices(word))}."
    return Problem(rule, fix=fix, closest=tuple(closest(str(value), choices(word))))


def refused(row: Combination, given: dict[str, str]) -> Problem:
    """Words that do not go together, and the nearest that do: the coupling kept if given, else as many as possible."""
    others = [other for other in TABLE if other.coupling == row.coupling]
    row = max(others, key=lambda other: sum(fits(other, {word: value}) for word, value in given.items()))
    wrong = [
        f"{word} '{value}'" for word, value in given.items() if word != "coupling" and value not in getattr(row, word)
    ]
    best = (
        row
        if "coupling" in given
        else max(TABLE, key=lambda other: sum(fits(other, {word: value}) for word, value in given.items()))
    )
    nearest = {
        word: given[word] if word in given and fits(best, {word: given[word]}) else first(best, word) for word in WORDS
    }
    text = ", ".join(f"{word} {value}" for word, value in nearest.items() if value)
    own = [f"{word} '{value}'" for word, value in given.items() if word != "coupling" and fits(row, {word: value})]
    elsewhere = all(any(fits(other, {word: given[word]}) for other in others) for word in given if word != "coupling")
    whole = " and ".join([f"coupling '{row.coupling}'", *own]) if elsewhere else f"coupling '{row.coupling}'"
    verb = "do" if elsewhere and own else "does"
    return Problem(f"{whole} {verb} not go with {' and '.join(wrong)}.", fix=f"The nearest that does: {text}.")


def first(row: Combination, word: str) -> str:
    """The default of a word in a combination."""
    return row.coupling if word == "coupling" else next(iter(getattr(row, word)), "")
