# SPDX-License-Identifier: BSD-3-Clause
"""Metering tables: the opening of an edge over the spool's position, as given.

Rank: at the points closed form, between them second formulation (SciPy, in rigs.py); algebraic values: 1e-12.
"""

import numpy as np
import pytest

from analytic.rigs import dissipates, flow, line, passed, smooth, stroke

TABLES = {
    "PA": ((0.0, 0.0), (0.2, 0.05), (0.6, 0.3), (1.0, 1.0)),
    "BT": ((0.05, 0.0), (0.3, 0.25), (0.5, 0.25), (1.0, 0.8)),
    "AT": ((-1.0, 0.9), (-0.5, 0.2), (0.0, 0.02), (0.1, 0.0)),
}


def test_metering_tables_are_reproduced():
    """At their points exactly, between them by the monotone curve, level beyond; an edge without one is as before."""
    y, run = stroke("valve_4_3", metering=TABLES)

    for edge, points in TABLES.items():
        assert flow(run, edge) == pytest.approx(passed(edge, smooth(points, y)), rel=1e-12, abs=1e-18)
        for position, opening in points:
            (at,) = np.flatnonzero(np.isclose(y, position, atol=1e-12))
            assert flow(run, edge)[at] == pytest.approx(passed(edge, opening), rel=1e-9, abs=1e-15)
    assert flow(run, "PB") == pytest.approx(passed("PB", line(-y, 0.0, 1e-4)), rel=1e-9)
    assert dissipates(run)


@pytest.mark.parametrize("kind", ["valve_2_2", "valve_6_3"])
def test_tables_of_other_valves(kind):
    """The one edge of a 2/2 valve, the through path of an open centre."""
    if kind == "valve_2_2":
        points = ((0.1, 0.0), (0.5, 0.2), (1.0, 0.9))
        y, run = stroke(kind, (0.0, 1.0), {"P": 150e5, "A": 90e5}, metering={"PA": points})
        assert flow(run) == pytest.approx(passed("PA", smooth(points, y)), rel=1e-12, abs=1e-18)
    else:
        points, ports = ((-0.7, 0.0), (-0.2, 0.5), (0.0, 1.0), (0.3, 0.4), (0.9, 0.0)), {"C": 40e5, "D": 5e5}
        everywhere = {"P": 40e5, "T": 5e5, "A": 90e5, "B": 60e5, **ports}
        y, run = stroke(kind, (-1.0, 1.0), everywhere, metering={"CD": points}, volume="1 l", pressure="80 bar")
        assert flow(run, "CD") == pytest.approx(passed("CD", smooth(points, y), ports), rel=1e-12, abs=1e-18)
