# SPDX-License-Identifier: BSD-3-Clause
"""What holds for the symbol of every part that has oil: it is there, knows every port of the part and no other, its
lines end on its edge at whole quarters, and its strokes stay within it."""

from __future__ import annotations

import pytest

import knuckleboom as kb  # noqa: F401  # the catalogue registers kinds
from knuckleboom import catalogue  # noqa: F401
from knuckleboom.describe import Port, _kinds
from knuckleboom.machine.kinds import all_kinds
from knuckleboom.symbol import Path, Round, Text


def port_fields(kind):
    """Names of the fields that name ports of others."""
    return [field for field, info in kind.model_fields.items() if Port in _kinds(info.annotation)]


OURS = {name: kind for name, kind in all_kinds().items() if kind.__module__.startswith("knuckleboom.")}
WITH_OIL = {name: kind for name, kind in OURS.items() if kind.PORTS or port_fields(kind)}


def extent(stroke):
    """Corners of what a stroke covers."""
    if isinstance(stroke, Path):
        return list(stroke.points)
    if isinstance(stroke, Text):
        return [stroke.at]
    assert isinstance(stroke, Round)
    (x, y), r = stroke.centre, stroke.radius
    whole = stroke.end - stroke.start >= 360.0
    return [(x - r, y - r), (x + r, y + r)] if whole else [(x, y)]


@pytest.mark.parametrize("kind", WITH_OIL)
class TestEverySymbol:
    def test_is_there_and_has_the_part_s_ports(self, kind):
        symbol = WITH_OIL[kind].SYMBOL

        assert symbol is not None, f"{kind} has no SYMBOL"
        assert set(symbol.ports) == {*WITH_OIL[kind].PORTS, *port_fields(WITH_OIL[kind])}

    def test_lines_end_on_its_edge_at_whole_quarters(self, kind):
        symbol = WITH_OIL[kind].SYMBOL
        for x, y, _ in symbol.ends.values():
            assert x in (0.0, symbol.width) or y in (0.0, symbol.height)
            assert (4.0 * x).is_integer() and (4.0 * y).is_integer()
        assert (4.0 * symbol.width).is_integer() and (4.0 * symbol.height).is_integer()
        assert len({(x, y) for x, y, _ in symbol.ends.values()}) == len(symbol.ends)

    def test_strokes_stay_within_it(self, kind):
        symbol = WITH_OIL[kind].SYMBOL
        for stroke in symbol.strokes:
            for x, y in extent(stroke):
                assert -1e-9 <= x <= symbol.width + 1e-9 and -1e-9 <= y <= symbol.height + 1e-9, stroke
