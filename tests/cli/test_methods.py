# SPDX-License-Identifier: BSD-3-Clause
"""The words that the command line offers are those of the rooms that carry a method out, the default first."""

from knuckleboom.cli.methods import METHODS
from knuckleboom.engine.run import INTEGRATORS
from knuckleboom.mechanics.accelerations import ENFORCEMENTS, FACTORISATIONS
from knuckleboom.plan import Method


def test_words_are_the_engines():
    assert set(METHODS["integrator"]) == set(INTEGRATORS)
    assert set(METHODS["enforcement"]) == set(ENFORCEMENTS)
    assert set(METHODS["factorisation"]) == set(FACTORISATIONS)


def test_the_first_is_the_default():
    assert {option: words[0] for option, words in METHODS.items()} == {
        "integrator": Method().integrator,
        "enforcement": Method().enforcement,
        "factorisation": Method().factorisation,
    }
