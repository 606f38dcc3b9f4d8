# SPDX-License-Identifier: BSD-3-Clause
"""Elements with units: every branch, opening, steered state and force runs with pint quantities; what it returns first
has the dimension of a flow, an opening or a force, and every slope that dimension over its argument's.

The checks run in one process of its own with NUMBA_DISABLE_JIT=1, as those of the laws do: this file is that program.
"""

from __future__ import annotations

import inspect
import json
import sys

import pytest

from knuckleboom.hydraulics.network import BRANCHES, OPENINGS, STEERED
from knuckleboom.interface.forces import KINDS
from plain_python import answers_of

ELEMENTS = [*BRANCHES, *OPENINGS, *STEERED, *(kind for kind in KINDS if hasattr(kind, "law"))]
NAMES = [element.__name__.rpartition(".")[2] for element in ELEMENTS]

PRESSURES = {"p_a": "80 bar", "p_b": "60 bar", "kq": "1e-7 m^3/s/Pa^0.5", "transition": "2 bar"}
KNOTS = ("0.0 {x}", "0.0 {y}", "0.5 ({y})/({x})", "2.0 {x}", "1.0 {y}", "0.5 ({y})/({x})")
"""Two knots of a curve: x, y and slope."""
ARGUMENTS = {
    "restrictor": PRESSURES | {"opening": "0.5"},
    "restrictor_one_sided": PRESSURES | {"opening": "0.5"},
    "opened_restrictor": PRESSURES | {"pilot": "20 bar", "setting": "15 bar", "full": "10 bar"},
    "laminar": PRESSURES | {"conductance": "1e-12 m^3/s/Pa"},
    "flow_source": PRESSURES | {"opening": "10 l/min"},
    "opening_affine": {"signal": "0.3", "offset": "0.1", "gain": "0.5"},
    "opening_edge": {"signal": "0.3", "gain": "1", "overlap": "0.1", "leak": "1e-3"},
    "opening_signal": {"signal": "5 l/min"},
    "opening_table": {"signal": "0.7", "numbers": ("1", "1"), "start": 0.0, "count": 2.0},
    "opening_product": {"signal": "0.5", "other": "150 rad/s", "gain": "3 cm^3/rad"},
    "limited": {
        "command": "0.8", "drop_1": "20 bar", "drop_2": "150 bar", "setting_1": "25 bar", "full_1": "10 bar",
        "setting_2": "160 bar", "full_2": "20 bar",
    },
    "sensed": {f"p_{k}": "20 bar" for k in (1, 2, 3, 4)} | {f"w_{k}": "0.5" for k in (1, 2, 3, 4)},
    "spring": {
        "s": "0.3 m", "w": "0.1 m/s", "stiffness": "1 kN/m", "rest": "20 cm", "damping": "10 N*s/m", "preload": "5 N",
    },
    "friction": {
        "w": "0.1 m/s", "coulomb": "50 N", "viscous": "10 N*s/m", "speed": "1 cm/s", "extra": "20 N",
        "stribeck": "2 cm/s",
    },
    "stop": {
        "s": "1.2 m", "w": "0.1 m/s", "lower": "0 m", "upper": "1 m", "stiffness": "1 MN/m", "damping": "1 s/m",
    },
    "efficiency": {
        "w": "0.7 m/s", "force": "2 kN", "loss": "0.1", "round_": "100 N", "numbers": ("m/s", "1"), "start": 0.0,
        "count": 2.0,
    },
    "cushion": {
        "s": "0.95 m", "w": "0.1 m/s", "at": "1 m", "length": "10 cm", "gain": "1e5 N*s^2/m^2", "side": 1.0,
    },
    "servo": {"w": "0.1 m/s", "wanted": "20 cm/s", "gain": "1 MN*s/m"},
}  # fmt: skip
"""Arguments of every law, where it is between its limits."""
FIRST = {
    **dict.fromkeys((element.__name__.rpartition(".")[2] for element in BRANCHES), "m^3/s"),
    **dict.fromkeys((element.__name__.rpartition(".")[2] for element in KINDS), "N"),
    **dict.fromkeys(("opening_affine", "opening_edge", "opening_table", "limited"), "1"),
    "opening_signal": "m^3/s", "opening_product": "m^3/s", "sensed": "Pa",
}  # fmt: skip
"""Unit of what a law returns first."""
SLOPES = {
    **dict.fromkeys(("restrictor", "restrictor_one_sided", "flow_source"), ("p_a", "p_b", "opening", "p_a")),
    "opened_restrictor": ("p_a", "p_b", "pilot", "p_a"), "laminar": ("p_a", "p_b", "p_a"),
    **dict.fromkeys(("opening_affine", "opening_edge", "opening_signal", "opening_table"), ("signal",)),
    "opening_product": ("signal",), "limited": ("drop_1", "drop_2"), "sensed": (),
    **dict.fromkeys(("spring", "stop", "cushion"), ("s", "w")), **dict.fromkeys(("friction", "servo"), ("w",)),
    "efficiency": ("w", "force"),
}  # fmt: skip
"""By what the others are slopes; the last of a branch is its secant conductance."""
WRONG = {
    "restrictor": "transition", "opened_restrictor": "setting", "opening_affine": "offset", "opening_edge": "leak",
    "limited": "full_1", "sensed": "p_2", "spring": "rest", "friction": "speed", "stop": "upper",
    "efficiency": "round_", "cushion": "at", "opening_table": "signal", "laminar": "p_b", "servo": "wanted",
}  # fmt: skip
"""An argument that is refused in another dimension, where the law itself would notice."""


@pytest.fixture(scope="module")
def answers():
    return answers_of(__file__)


@pytest.mark.parametrize("name", NAMES)
def test_element_gives_the_right_dimensions_and_refuses_wrong_ones(answers, name):
    assert answers[name] == "right"


# --- the program ------------------------------------------------------------------------------------------------------


def quantities(u, name, changed=None):
    """Arguments of an element's law in the order of its signature."""
    found = []
    for argument, given in ARGUMENTS[name].items():
        if argument == "numbers":
            x, y = given
            found.append([u.Quantity(knot.format(x=x, y=y)) for knot in KNOTS])
        elif isinstance(given, float):
            found.append(given)
        else:
            value = u.Quantity(given)
            found.append((value * u.kg if argument == changed else value).to_base_units())
    return found


def judged(element, name, u):
    """What is wrong with the dimensions of an element, or that all is right."""
    import pint

    order = list(inspect.signature(element.law).parameters)
    ARGUMENTS[name] = {argument: ARGUMENTS[name][argument] for argument in order}
    first, *slopes = results if isinstance(results := element.law(*quantities(u, name)), tuple) else (results,)
    if not u.Quantity(first).is_compatible_with(FIRST[name]):
        return f"first result is in {u.Quantity(first).units}"
    if len(slopes) != len(SLOPES[name]):
        return f"{len(slopes)} slopes"
    for slope, argument in zip(slopes, SLOPES[name], strict=True):
        unit = u.Quantity(FIRST[name]).units / u.Quantity(ARGUMENTS[name][argument]).units
        if slope != 0.0 and not u.Quantity(slope).is_compatible_with(unit):  # a number 0 has any unit
            return f"slope by {argument} is in {u.Quantity(slope).units}"
    if name in WRONG:
        try:
            element.law(*quantities(u, name, WRONG[name]))
        except (pint.DimensionalityError, ValueError):  # the latter when compared with a number
            return "right"
        return f"takes {WRONG[name]} in any unit"
    return "right"


def main():
    import pint

    from units.test_laws_with_units import Maths

    laws = [module for name, module in sys.modules.items() if name.startswith("knuckleboom.laws.")]
    for module in (*ELEMENTS, *laws):
        module.math = Maths
    u = pint.UnitRegistry()
    print(json.dumps({name: judged(element, name, u) for element, name in zip(ELEMENTS, NAMES, strict=True)}))


if __name__ == "__main__":
    main()
