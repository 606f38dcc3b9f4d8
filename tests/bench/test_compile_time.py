# SPDX-License-Identifier: BSD-3-Clause
"""bench compile adds up what its processes report, and such a process really compiles."""

import pytest

from knuckleboom import kernels
from knuckleboom.bench import compile_time

TOGETHER = {
    "entry_points": {"close_once": 2.0, "run_explicit": 6.0},
    "modules": {
        "knuckleboom.engine.run": 4.0,
        "knuckleboom.mechanics.kinematics": 2.5,
        "knuckleboom.mechanics.elements.turn": 1.0,
        "knuckleboom.laws.oil_naya": 0.5,
    },
}


def test_shares(monkeypatch):
    """Half of the time is the entry points' own, so that every file counts twice."""
    monkeypatch.setattr(compile_time, "_probe", lambda folder, *name: {"seconds": 3.0} if name else TOGETHER)
    fractions = []

    measured = compile_time.measure(fractions.append)

    assert measured == {
        "total_s": 8.0,
        "entry_points": [
            {"name": "close_once", "seconds": 2.0, "alone_s": 3.0},
            {"name": "run_explicit", "seconds": 6.0, "alone_s": 3.0},
        ],
        "kinds": [
            {"family": "laws", "kind": "oil_naya", "seconds": 1.0},
            {"family": "mechanics", "kind": "turn", "seconds": 2.0},
        ],
        "seconds_per_kind": 1.5,
        "slowest_kind": "turn",
    }
    assert fractions == pytest.approx([1 / 3, 2 / 3, 1.0])


@pytest.mark.slow
def test_probe_compiles_one_entry_point():
    assert 0.1 < compile_time._probe(str(kernels.cache_root()), "close_once")["seconds"] < 600.0
