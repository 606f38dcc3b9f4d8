# SPDX-License-Identifier: BSD-3-Clause
"""What the validations of the library's mechanisms share: a problem's run beside its reference, and printed tables."""

import functools
from pathlib import Path

import numpy as np

from knuckleboom.bench import library
from knuckleboom.catalogue import NAMES

DATA = Path(__file__).parent / "data" / "iftomm"
PROBLEMS = {problem.name: problem for problem in library.PROBLEMS}


@functools.cache
def expected(name):
    """Where a problem's point should be at the recorded times, m."""
    return PROBLEMS[name].path(np.linspace(0.0, NAMES[name]().duration, library.RECORDS + 1))


def outcome(name):
    """Energy drift and position error of a problem, run as the catalogue says."""
    return library.solve(PROBLEMS[name], NAMES[name](), expected(name))


def attempts(name):
    """The same under every enforcement."""
    words = ("lagrange", "penalty", "augmented")
    return {word: library.attempt(PROBLEMS[name], NAMES[name](), expected(name), enforcement=word) for word in words}


def printed(file):
    """A table of the folder data, by column."""
    return np.genfromtxt(DATA / file, delimiter=",", names=True)


def from_zero(times):
    """Times with 0 before them, as references want them."""
    return np.concatenate([[0.0], times])
