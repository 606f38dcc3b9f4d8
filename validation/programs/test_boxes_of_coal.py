# SPDX-License-Identifier: BSD-3-Clause
"""Boxes by separating axes against coal, 10 000 random pairs, every tenth with parallel axes.

Rank: another program, with another algorithm (GJK and EPA). The verdict must be the same every time, the depth to
2e-10 m, which is what coal has whatever its tolerances are (boxes of twice the size differ by 2.1e-10 m at most), or
within the 5 % by which a pair of edges must be better than a face. tests/geometry/test_box_axes.py has the same depths
to 1e-12 m from the corners. The pairs and coal's distances are those of `bench contact`.
"""

from knuckleboom.bench.contact_boxes import against_coal

PAIRS = 10_000


def test_verdicts_and_depths():
    found = against_coal(PAIRS)

    assert found.disagreeing == 0
    assert found.off == 0
    assert 0.3 * PAIRS < found.touching < 0.9 * PAIRS
    assert found.by_rule < 0.3 * found.touching
