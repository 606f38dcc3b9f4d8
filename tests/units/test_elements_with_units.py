# SPDX-License-Identifier: BSD-3-Clause
"""Elements with units: every branch, opening, steered state and force runs with pint quantities; what it returns first
has the dimension of a flow, an opening or a force, and every slope that dimension over its argument's.

Of elements on rows the declaration says what their law gives; what they store, are supplied with and do ahead of a step
has its dimension, too.

The checks run in one process of its own with NUMBA_DISABLE_JIT=1, as those of the laws do: this file is that program.
"""

from __future__ import annotations

import inspect
import json
import sys

import pytest

from contract.element_values import arguments, moving
from knuckleboom.hydraulics.network import BRANCHES, OPENINGS, STEERED
from knuckleboom.interface.contract import BLOCKS, has
from knuckleboom.interface.forces import KINDS
from plain_python import answers_of

ELEMENTS = [*BRANCHES, *OPENINGS, *STEERED, *KINDS]
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
        "setting_2": "160 bar", "full_2": "20 bar", "product": "115 bar",
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
        "h": "1 ms",
    },
    "efficiency": {
        "w": "0.7 m/s", "oil_force": "2 kN", "loss": "0.1", "round": "100 N", "numbers": ("m/s", "1"), "start": 0.0,
        "count": 2.0,
    },
    "cushion": {
        "s": "0.95 m", "w": "0.1 m/s", "at": "1 m", "length": "10 cm", "gain": "1e5 N*s^2/m^2", "side": 1.0,
    },
    "servo": {"w": "0.1 m/s", "wanted": "20 cm/s", "gain": "1 MN*s/m"},
    "push": {"value": "3 kN"},
    "bristle": {
        "z": "95 um", "w": "1 mm/s", "coulomb": "80 N", "breakaway": "100 N", "stribeck": "1 cm/s",
        "stiffness": "1 N/um", "damping": "500 N*s/m", "viscous": "20 N*s/m", "hold_speed": "2 mm/s",
    },
    "friction_patch": {
        "w_along": "1 mm/s", "w_across": "2 mm/s", "w_spin": "0.01 rad/s", "force_normal": "2 kN",
        "bend_along": "30 um", "bend_across": "30 um", "bend_spin": "2e-4 rad", "coulomb": "0.4", "breakaway": "0.5",
        "stribeck": "1 cm/s", "stiffness": "1e4 1/m", "damping": "50 s/m", "viscous": "1 s/m", "hold_speed": "5 mm/s",
        "arm": "10 cm",
    },
    "rotor_currents": {
        "w": "100 rad/s", "current_d": "5 A", "current_q": "20 A", "voltage_d": "10 V", "voltage_q": "200 V",
        "resistance": "0.1 ohm", "inductance_d": "1 mH", "inductance_q": "2 mH", "flux": "0.2 V*s", "pole_pairs": "4",
    },
    "shaft_spring": {
        "s_a": "0.3 rad", "s_b": "0.4 rad", "w_a": "1 rad/s", "w_b": "2 rad/s", "stiffness": "10 kN*m/rad",
        "damping": "5 N*m*s/rad", "rest_a": "0.1 rad", "rest_b": "0.2 rad",
    },
    "drum_rope": {
        "s_hook": "5.03 m", "s_drum": "1 cm", "w_hook": "0.1 m/s", "w_drum": "5 cm/s", "stiffness": "5 MN/m",
        "damping": "1 s/m", "taut": "1 cm", "rest_hook": "5 m", "rest_drum": "0 m", "h": "1 ms",
    },
    "drag": {"w": "50 l/min", "linear": "1 bar*min/l", "quadratic": "1e-2 bar*min^2/l^2"},
    "engine_droop": {
        "w": "1400 rpm", "wanted": "1500 rpm", "gain": "50 N*m*s/rad", "idle": "800 rpm", "most": "2200 rpm",
        "drag": "50 N*m", "drag_speed": "80 rpm", "round": "300 N*m", "numbers": ("1000 rpm", "600 N*m"), "start": 0.0,
        "count": 2.0,
    },
}  # fmt: skip
"""Arguments of every law, where it is between its limits."""
FIRST = {
    **dict.fromkeys((element.__name__.rpartition(".")[2] for element in BRANCHES), "m^3/s"),
    **dict.fromkeys(("opening_affine", "opening_edge", "opening_table", "limited"), "1"),
    "opening_signal": "m^3/s", "opening_product": "m^3/s", "sensed": "Pa",
}  # fmt: skip
"""Unit of what a law returns first."""
FORCES = {
    "friction_patch": ("N", "N", "N*m"), "rotor_currents": ("N*m",), "shaft_spring": ("N*m", "N*m"),
    "engine_droop": ("N*m",), "drag": ("Pa",), "drum_rope": ("N", "N"),
}  # fmt: skip
"""Units of forces on rows where these are not N."""
SLOPES = {
    **dict.fromkeys(("restrictor", "restrictor_one_sided", "flow_source"), ("p_a", "p_b", "opening", "p_a")),
    "opened_restrictor": ("p_a", "p_b", "pilot", "p_a"), "laminar": ("p_a", "p_b", "p_a"),
    **dict.fromkeys(("opening_affine", "opening_edge", "opening_signal", "opening_table"), ("signal",)),
    "opening_product": ("signal",), "limited": ("drop_1", "drop_2"), "sensed": (),
}  # fmt: skip
"""By what the others are slopes; the last of a branch is its secant conductance."""
HOOK_UNITS = {"stored": ("J",), "supplied": ("W",), "ahead": ("N/m", "N*s/m"), "suddenness": ("1",)}
"""Units of what the other kernels of an element on rows return."""
ZEROS = {*BLOCKS, "by_oil", "by_force", "ahead", *(argument for slopes in SLOPES.values() for argument in slopes)}
"""Slopes, which may be the number 0 in any unit."""
WRONG = {
    "restrictor": "transition", "opened_restrictor": "setting", "opening_affine": "offset", "opening_edge": "leak",
    "limited": "full_1", "sensed": "p_2", "spring": "rest", "friction": "speed", "stop": "upper",
    "efficiency": "round", "cushion": "at", "opening_table": "signal", "laminar": "p_b", "servo": "wanted",
    "bristle": "breakaway", "friction_patch": "arm", "rotor_currents": "flux",
    "shaft_spring": "rest_a", "engine_droop": "idle", "drag": "quadratic",
    "drum_rope": "rest_drum",
}  # fmt: skip
"""An argument that is refused in another dimension, where the law itself would notice."""


@pytest.fixture(scope="module")
def answers():
    return answers_of(__file__)


@pytest.mark.parametrize("name", NAMES)
def test_element_gives_the_right_dimensions_and_refuses_wrong_ones(answers, name):
    assert answers[name] == "right"


# --- the program ------------------------------------------------------------------------------------------------------


def quantities(u, name, order, changed=None):
    """Arguments of a kernel of an element, in their order."""
    found = []
    for argument in order:
        given = ARGUMENTS[name][argument]
        if argument == "numbers":
            x, y = given
            found.append([u.Quantity(knot.format(x=x, y=y)) for knot in KNOTS])
        elif isinstance(given, float):
            found.append(given)
        else:
            value = u.Quantity(given)
            found.append((value * u.kg if argument == changed else value).to_base_units())
    return found


def expected(element, name):
    """Units of all numbers that a law returns, one after the other, and what each is."""
    given = ARGUMENTS[name]
    if element not in KINDS:
        return [(FIRST[name], "first result"), *((f"({FIRST[name]})/({given[by]})", by) for by in SLOPES[name])]
    declared, moved = element.ELEMENT, moving(element.ELEMENT)
    forces = FORCES.get(name, ("N",) * len(declared.rows))
    states = [argument for argument, (by, _) in moved.items() if by == "z"]
    found = []
    for what in declared.gives:
        lines = [f"({given[state]})/s" for state in states] if what.startswith("rate") else forces
        by = what.rpartition("_")[2] if "_" in what else ""
        across = [given[argument] for argument, (of, _) in moved.items() if of == by] if by else ["1"]
        found += [(f"({line})/({column})", what) for line in lines for column in across]
    return found


def flat(returned):
    """All numbers that a kernel returns, one after the other."""
    return [number for one in returned for number in flat(one)] if isinstance(returned, tuple) else [returned]


def wrong_unit(u, results, units):
    """What is in another unit than expected, as a sentence, or nothing."""
    if len(results) != len(units):
        return f"{len(results)} numbers, not {len(units)}"
    for result, (unit, what) in zip(results, units, strict=True):
        any_unit = what in ZEROS and isinstance(result, float) and result == 0.0
        if not any_unit and not u.Quantity(result).is_compatible_with(u.Quantity(unit).units):
            return f"{what} is in {u.Quantity(result).units}"
    return ""


def judged(element, name, u):
    """What is wrong with the dimensions of an element, or that all is right."""
    import pint

    order = [argument.strip("_") for argument in inspect.signature(element.law).parameters]
    wrong = wrong_unit(u, flat(element.law(*quantities(u, name, order))), expected(element, name))
    for hook, units in HOOK_UNITS.items():
        if not wrong and element in KINDS and has(element, hook):
            returned = getattr(element, hook)(*quantities(u, name, arguments(element, hook)))
            wrong = wrong_unit(u, flat(returned), [(unit, hook) for unit in units])
    if wrong:
        return wrong
    if name in WRONG:
        try:
            element.law(*quantities(u, name, order, WRONG[name]))
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
