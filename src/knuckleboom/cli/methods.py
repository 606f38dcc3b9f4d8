# SPDX-License-Identifier: BSD-3-Clause
"""The words of a method that `run` accepts.

The rooms that carry a method out import Numba, which takes longer than a help text may: so their words are repeated
here, and tests/cli/test_methods.py compares the two.
"""

from knuckleboom.cli.output import WrongInput
from knuckleboom.names import closest

METHODS: dict[str, tuple[str, ...]] = {
    "integrator": ("rk4", "semi-implicit-euler"),
    "enforcement": ("lagrange", "penalty", "augmented"),
    "factorisation": ("sparse", "dense"),
}
"""Option: its choices, the default first."""


def choices(option: str) -> str:
    """Return the choices of an option for its help."""
    return "One of " + ", ".join(METHODS[option]) + "."


def chosen(option: str, word: str | None) -> str:
    """Return the word given for an option, its default for None; a word that is no choice is refused."""
    known = METHODS[option]
    if word is None:
        return known[0]
    if word in known:
        return word
    near = closest(word, known)
    offered = f" Did you mean '{near[0]}'?" if near else ""
    raise WrongInput(f"There is no {option} '{word}'.{offered} Choices: {', '.join(known)}.")
