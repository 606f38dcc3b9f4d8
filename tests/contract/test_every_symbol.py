# SPDX-License-Identifier: BSD-3-Clause
"""What holds for the symbol of every part that has oil: it is there, knows every port of the part and no other, its
lines end on its edge at whole quarters, and its strokes stay within it."""

from __future__ import annotations

import string

import pytest

from drawing.seen import assert_legible, see
from knuckleboom import catalogue  # noqa: F401  # registers kinds of its own
from knuckleboom.describe import Port, _kinds
from knuckleboom.machine.circuit import SIZES
from knuckleboom.machine.kinds import all_kinds
from knuckleboom.symbol import Path, Round, Text
from parts.standard import NAME, STANDARD


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


def by_settings():
    """Symbols of parts whose settings change their picture, by name; settings that have no say in it are left out."""
    found = {}
    for name, fields in SETTINGS.items():
        for number, settings in enumerate(fields):
            part = WITH_OIL[name].model_construct(**{"name": "it", **settings})
            found[f"{name} {number}"] = part
    return found


SETTINGS = {
    "valve_4_3": [
        {"centre": centre, "LS": LS}
        for centre in ("closed", "open", "float", "regenerative", "tandem")
        for LS in (None, Port("ls"))
    ],
    "valve_2_2": [{"normally": "closed"}, {"normally": "open"}],
    "valve_3_2": [{"normally": "closed"}, {"normally": "open"}],
    "sequence_valve": [{"free_flow": None}, {"free_flow": (1e-3, 1e5)}],
    "filter": [{"bypass": None}, {"bypass": 2e5}],
    "cylinder": [{"through": False}, {"through": True}],
    "single_acting_cylinder": [{"spring": 0.0, "spring_force": 0.0}, {"spring": 1e3, "spring_force": 0.0}],
    "flow_control": [{"free_flow": None}, {"free_flow": (1e-3, 1e5)}],
}


def test_every_kind_whose_settings_change_it_is_here():
    assert {name for name, kind in WITH_OIL.items() if "symbol" in vars(kind)} == set(SETTINGS)


@pytest.mark.parametrize("part", by_settings().values(), ids=by_settings())
def test_symbol_by_settings(part):
    symbol = part.symbol()
    ports = {*part.PORTS, *(field for field in port_fields(type(part)) if getattr(part, field, "") is not None)}

    assert ports <= set(symbol.ports) <= set(part.SYMBOL.ports)
    within(symbol)


def within(symbol):
    """Assert that ends are on the edge at whole quarters, each at its own place, and strokes inside."""
    for x, y, _ in symbol.ends.values():
        assert x in (0.0, symbol.width) or y in (0.0, symbol.height)
        assert (4.0 * x).is_integer() and (4.0 * y).is_integer()
    assert (4.0 * symbol.width).is_integer() and (4.0 * symbol.height).is_integer()
    assert len({(x, y) for x, y, _ in symbol.ends.values()}) == len(symbol.ends)
    for stroke in (*symbol.strokes, *(stroke for lead in symbol.leads.values() for stroke in lead)):
        for x, y in extent(stroke):
            assert -1e-9 <= x <= symbol.width + 1e-9 and -1e-9 <= y <= symbol.height + 1e-9, stroke


@pytest.mark.parametrize("kind", WITH_OIL)
class TestEverySymbol:
    def test_is_there_and_has_the_part_s_ports(self, kind):
        symbol = WITH_OIL[kind].SYMBOL

        assert symbol is not None, f"{kind} has no SYMBOL"
        assert set(symbol.ports) == {*WITH_OIL[kind].PORTS, *port_fields(WITH_OIL[kind])}

    def test_lines_end_on_its_edge_and_strokes_stay_within_it(self, kind):
        within(WITH_OIL[kind].SYMBOL)

    def test_datum_names_settings_and_units(self, kind):
        datum = WITH_OIL[kind].SYMBOL.datum
        for template in [datum] if isinstance(datum, str) else datum:
            for _, field, unit, _ in string.Formatter().parse(template):
                assert field is None or field.split("[")[0] in WITH_OIL[kind].model_fields
                assert not unit or unit in SIZES

    def test_is_drawn_in_its_standard_machine(self, kind):
        drawing = see(STANDARD[kind]().machine.circuit().svg)

        assert_legible(drawing)
        assert len(drawing.parts[NAME.get(kind, "it")]) == 1
