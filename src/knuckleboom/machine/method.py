# SPDX-License-Identifier: BSD-3-Clause
"""The method that a machine is run with: the words given for it, completed by whether it has oil, contact or tires.

The table of methods is methods.py. Tested in tests/cli/test_methods.py.
"""

from __future__ import annotations

from typing import Any

from knuckleboom.hydraulics.parts import Oil
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.interface.parts.tire import Tire
from knuckleboom.machine.machine import Machine
from knuckleboom.methods import Method


def choose_method(machine: Machine, **words: Any) -> Method:
    """Return the method of these words for a machine; what they leave open follows from whether it has oil, contact or
    tires, which are stiff.
    """
    return Method.choose(oil=bool(machine.of(Oil) or machine.of(Contact) or machine.of(Tire)), **words)
