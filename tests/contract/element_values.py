# SPDX-License-Identifier: BSD-3-Clause
"""Sensible values of what the kernels of an element are given, drawn from its declaration.

What moves (values and rates of rows, states, forces) has a range, of which differences take a small part; columns,
signals and modes have a strategy. A name that is not listed, such as one of a plug-in, has a plain default.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from hypothesis import strategies as st

from knuckleboom.interface.contract import HOOKS, Element, has, meanings, name_of, takes
from knuckleboom.laws.curve import curve_numbers
from knuckleboom.plan.network import plain

Values = dict[str, Any]


Given = float | tuple[float, float] | list[Any]
"""A number, a range, or some of which one is taken."""

RANGES: dict[str, dict[str, tuple[float, float]]] = {
    "": {"s": (-2.0, 2.0), "w": (-3.0, 3.0), "z": (-1.0, 1.0), "oil_force": (-1e5, 1e5), "force": (-1e3, 1e4)},
    "bristle": {"z": (-2e-4, 2e-4)},
    "cushion": {"s": (-0.5, 0.5)},
    "friction_patch": {"w": (-0.5, 0.5), "w_spin": (-3.0, 3.0), "z": (-1e-3, 1e-3), "bend_spin": (-1e-2, 1e-2)},
    "rotor_currents": {"z": (-100.0, 100.0), "w": (-300.0, 300.0)},
}
"""Of each element, by the name of an argument, else by what it is of; '' for all."""
SLIP: Given = [(0.1, 0.9), (0.88, 1.02)]
"""How far bristles are bent, over their limit: where laws/hold.py holds them, and where it has slopes."""
HOLD_SPEED: Given = [0.0, (1e-3, 0.1), (0.1, 10.0)]
NUMBERS: dict[str, dict[str, Given]] = {
    "": {
        "stiffness": (0.0, 1e6), "rest": (-1.0, 1.0), "damping": (0.0, 2.0),
        "preload": (-1e4, 1e4), "coulomb": (0.0, 1e3), "viscous": (0.0, 1e3),
        "speed": (0.01, 1.0), "extra": (0.0, 1e3), "stribeck": (0.01, 1.0),
        "lower": (-1.5, -0.5), "upper": (0.5, 1.5), "at": (-1.5, 1.5),
        "length": (0.05, 0.3), "gain": (0.0, 1e5), "side": [-1.0, 1.0],
        "wanted": (-3.0, 3.0), "value": (-1e5, 1e5), "loss": (0.0, 0.3),
        "linear": (0.0, 1e3), "quadratic": (0.0, 1e3), "round": (10.0, 1e3), "h": (1e-5, 1e-2),
    },
    "bristle": {
        "coulomb": (50.0, 1e3), "breakaway": (0.0, 1e3), "stiffness": (1e5, 1e7),
        "damping": [0.0, 0.0, (0.0, 1e3)], "viscous": [0.0, 0.0, (0.0, 1e3)], "hold_speed": HOLD_SPEED,
    },
    "cushion": {"at": (-0.5, 0.5)},
    "engine_droop": {
        "gain": (0.1, 10.0), "idle": (0.2, 0.6), "most": (1.0, 2.5), "drag": (0.0, 1.0), "drag_speed": (0.05, 0.5),
        "round": (0.05, 0.5),
    },
    "friction_patch": {
        "stribeck": (0.1, 1.0), "arm": (0.05, 0.5),
        "coulomb": (0.1, 1.0), "breakaway": (0.0, 1.0), "stiffness": (1e2, 1e4),
        "damping": [0.0, 0.0, (0.0, 1e3)], "viscous": [0.0, 0.0, (0.0, 10.0)], "hold_speed": HOLD_SPEED,
    },
    "rotor_currents": {
        "resistance": (0.01, 1.0), "inductance_d": (1e-4, 1e-2),
        "inductance_q": (1e-4, 1e-2), "flux": (0.01, 1.0),
        "pole_pairs": [1.0, 2.0, 4.0], "voltage_d": (-400.0, 400.0),
        "voltage_q": (-400.0, 400.0),
    },
}  # fmt: skip
"""Of each element, and '' for all. Bristles that neither damp nor slip lose nothing: all that they take is stored."""
SMALL, EDGE = 0.03, 0.05
"""The part of a range that is small; how often a number is that at an end of its range."""
ANY_COLUMN, ANY_SIGNAL, ANY_MODE = (0.5, 2.0), (-2.0, 2.0), [0, 1]
CURVE = ("numbers", "start", "count")


def fit_bristles(values: Values, rng: random.Random) -> Values:
    """Breakaway above Coulomb friction, damping within the limit of passivity in laws/bristle.py, and often bends as in
    SLIP.
    """
    coulomb, stribeck, arm = values["coulomb"], values["stribeck"], values.get("arm", 1.0)
    most = 4.0 * math.sqrt(2.0 * math.e) * coulomb / stribeck
    found = {"breakaway": coulomb + values["breakaway"], "damping": min(values["damping"], most)}
    moved = {name: arm * value if name.endswith("_spin") else value for name, value in values.items()}
    speed = math.hypot(*(value for name, value in moved.items() if name == "w" or name.startswith("w_")))
    size = math.hypot(*(value for name, value in moved.items() if name == "z" or name.startswith("bend_")))
    if size == 0.0 or rng.random() < 0.25:  # as it is
        return found
    limit = coulomb + values["breakaway"] * math.exp(-((speed / stribeck) ** 2))
    factor = drawn(rng, SLIP) * limit / (values["stiffness"] * size)
    bends = {name: factor * value for name, value in values.items() if name == "z" or name.startswith("bend_")}
    return found | bends


FITTED: dict[str, Callable[[Values, random.Random], Values]] = {"bristle": fit_bristles, "friction_patch": fit_bristles}
"""What of an element's values has to fit the others."""


def moving(element: Element) -> dict[str, tuple[str, int]]:
    """Names of the arguments by which a law may have slopes: by what (`by_…`), and which of those."""
    tails = [f"_{row}" if row else "" for row in element.rows]
    states = ["z"] if len(element.states) == 1 else [state.name for state in element.states]
    found = {f"{what}{tail}": (what, number) for what in ("s", "w") for number, tail in enumerate(tails)}
    found |= {name: ("z", number) for number, name in enumerate(states)}
    found |= {f"force_{row}": ("force", number) for number, row in enumerate(element.reads)}
    return found | {"oil_force": ("oil", 0)}


def mode_names(element: Element) -> list[str]:
    """Names of its modes, as its kernels have them."""
    return [name for name, code in meanings(element).items() if code.startswith("modes[")]


def known_names(element: Element) -> set[str]:
    """Every name that an argument of its kernels may have."""
    return {*moving(element), *element.columns, *element.signals, *mode_names(element), *CURVE, "h"}


def arguments(module: ModuleType, hook: str) -> list[str]:
    """Names of a kernel's arguments, without what keeps them apart from Python's own."""
    return [name.strip("_") for name in takes(module, hook)]


def range_of(module: ModuleType, name: str) -> tuple[float, float]:
    """The range of an argument that moves."""
    what = moving(module.ELEMENT)[name][0]
    own = RANGES.get(name_of(module), {})
    if what == "oil":
        what = "oil_force"
    return own.get(name) or own.get(what) or RANGES[""][what]


def given_for(module: ModuleType, name: str) -> Given:
    """Values of an argument; what moves is often exactly 0, or so little that friction has not yet broken away."""
    element: Element = module.ELEMENT
    if name in moving(element):
        low, high = range_of(module, name)
        return [0.0, (SMALL * low, SMALL * high), (low, high), (low, high)]
    default: Given = ANY_MODE if name in mode_names(element) else ANY_SIGNAL if name in element.signals else ANY_COLUMN
    return (NUMBERS[""] | NUMBERS.get(name_of(module), {})).get(name, default)


def drawn(rng: random.Random, given: Given) -> float:
    """One of the numbers."""
    if isinstance(given, list):
        return drawn(rng, rng.choice(given))
    if not isinstance(given, tuple):
        return given
    return rng.choice(given) if rng.random() < 2.0 * EDGE else rng.uniform(*given)


def drawn_curve(rng: random.Random) -> Values:
    """A curve over the speed that begins at 0."""
    points = [(0.05 * place, drawn(rng, (0.0, 2.0))) for place in sorted(rng.sample(range(1, 40), rng.randint(2, 5)))]
    numbers = np.array(curve_numbers([(0.0, 0.0), *points]))
    return {"numbers": numbers, "start": 0.0, "count": len(numbers) / 3.0}


def values_of(module: ModuleType, *further: str) -> st.SearchStrategy[Values]:
    """Values of everything that any kernel of an element is given, and of further arguments.

    Hypothesis gives the seed only: left to itself it likes tiny numbers, and examples like those before.
    """
    names = {name: None for hook in HOOKS for name in arguments(module, hook)} | dict.fromkeys(further)

    def draw(seed: int) -> Values:
        rng = random.Random(seed)
        values = drawn_curve(rng) if "numbers" in names else {}
        values |= {name: drawn(rng, given_for(module, name)) for name in names if name not in CURVE}
        return values | (FITTED[name_of(module)](values, rng) if name_of(module) in FITTED else {})

    return st.integers(0, 2**32 - 1).map(draw)


PLAIN: dict[tuple[str, str], Any] = {}


def called(module: ModuleType, hook: str, values: Values) -> Any:
    """What a kernel of an element returns, as plain Python."""
    key = module.__name__, hook
    if key not in PLAIN:
        PLAIN[key] = plain(getattr(module, hook))
    return PLAIN[key](*(values[name] for name in arguments(module, hook)))


def given_by(module: ModuleType, values: Values) -> dict[str, np.ndarray]:
    """What a law gives, each as a matrix of the declared shape."""
    element: Element = module.ELEMENT
    returned = called(module, "law", values)
    results = returned if len(element.gives) > 1 else (returned,)
    return {
        what: np.array(result, float).reshape(element.shape(what))
        for what, result in zip(element.gives, results, strict=True)
    }


def stored_in(module: ModuleType, values: Values) -> float:
    """Energy in an element, 0 for one that stores nothing."""
    return float(called(module, "stored", values)) if has(module, "stored") else 0.0
