# SPDX-License-Identifier: BSD-3-Clause
"""Test rigs for valves: every port at a source of given pressure, so that all flows are algebraic; and their formulas.

The formulas are written here anew, from the cards of the parts: S(r) = r²(3 − 2 r), Q = k √Δp above the transition, and
the curve through points as the cubic of Hermite of SciPy with the slopes of its PCHIP, level at both ends.
"""

import numpy as np
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

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


# --- directional valves -----------------------------------------------------------------------------------------------

FLOW = (40e-3 / 60.0, 35e5)
PORTS = {"P": 150e5, "T": 5e5, "A": 90e5, "B": 60e5}
QUICK = {"flow": FLOW, "time_constant": 0.0}
EDGES = {"PA": 1.0, "PB": -1.0, "AT": -1.0, "BT": 1.0}


def stroke(kind, positions=(-1.0, 1.0), ports=PORTS, **settings):
    """Spool positions and the run in which the spool goes through them, all ports at constant pressures."""
    run = sweep(on_sources(kind, ports, **QUICK, **settings), it=positions)
    return run["it.input"].values, run


def passed(edge, opening, ports=PORTS):
    """Flow of an edge, from the port of its first letter to that of its second."""
    return root(FLOW, ports[edge[0]] - ports[edge[1]], opening)


def line(y, overlap, leak):
    """The straight edge with its smooth corner, [−1, 1] → opening."""
    z = (y - overlap) / (1.0 - overlap)
    return np.minimum(0.5 * (z + np.hypot(z, 2.0 * leak)), 1.0)


def smooth(points, x):
    """PCHIP with level ends, in SciPy's words."""
    at, values = np.array(points, float).T
    slopes = PchipInterpolator(at, values).derivative()(at) if len(at) > 2 else np.zeros(2)
    slopes[[0, -1]] = 0.0
    return CubicHermiteSpline(at, values, slopes)(np.clip(x, at[0], at[-1]))
