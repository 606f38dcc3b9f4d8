# SPDX-License-Identifier: BSD-3-Clause
"""Test rigs for valves: every port at a source of given pressure, so that all flows are algebraic; and their formulas.

The formulas are written here anew, from the cards of the parts: S(r) = r²(3 − 2 r), Q = k √Δp above the transition.
"""

import numpy as np

import knuckleboom as kb

DENSITY, BULK = 860.0, 1.4e9
POINTS = 81
STEP = 1e-3


def fluid():
    """Oil of constant bulk modulus down to almost no pressure."""
    return kb.fluids.mineral_oil(DENSITY, BULK, half=100.0)


def share(r):
    """The opening S(r), r held within 0..1."""
    r = np.clip(r, 0.0, 1.0)
    return r * r * (3.0 - 2.0 * r)


def root(pair, drop, opening=1.0):
    """Flow of an orifice given by its flow at a pressure drop; the drops of these tests are above the transition."""
    return opening * pair[0] * np.sign(drop) * np.sqrt(np.abs(drop) / pair[1])


def on_sources(kind, pressures, **settings):
    """A machine with a part 'it' whose ports, by their fields, are at given pressures."""
    machine = kb.Machine(kind)
    oil = machine.oil(fluid())
    ports = {field: oil.pressure(f"source_{field}", value) for field, value in pressures.items()}
    getattr(oil, kind)("it", **ports, **settings)
    return machine


def sweep(machine, **moved):
    """Run it while pressures (by field) or the part's own input (`it`) move in a straight line; 81 points."""
    until = STEP * (POINTS - 1)
    inputs = {
        name if name == "it" else f"source_{name}": kb.table([0.0, until], [float(low), float(high)])
        for name, (low, high) in moved.items()
    }
    return kb.simulate(machine, until, step=STEP, record=STEP, inputs=inputs)


def pressure(run, field):
    """The pressure at a field's source over the sweep."""
    return run[f"source_{field}.pressure"].values


def flow(run, branch=""):
    """The flow of a branch of the part over the sweep."""
    return run[f"it.{branch}.flow" if branch else "it.flow"].values


def dissipates(run):
    """Whether every loss of the run rises or stays."""
    losses = [name for name in run if name.endswith(".loss")]
    return bool(losses) and all(np.all(np.diff(run[name].values) >= -1e-12) for name in losses)
