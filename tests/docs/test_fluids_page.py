# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/fluids.md are what the fluids give, to the digits shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from knuckleboom.hydraulics.parts import fluids

PAGE = (Path(__file__).parents[2] / "docs" / "fluids.md").read_text(encoding="utf-8")
OILS = {
    "`constant`": fluids.constant(),
    "`naya`": fluids.naya(),
    "`cavitating`": fluids.mineral_oil(),
    "`air`, 1 %": fluids.with_air(fluids.mineral_oil(), "1 %"),
    "`air`, 5 %": fluids.with_air(fluids.mineral_oil(), "5 %"),
}


def table(first):
    """The head and the rows of the table whose first cell is given."""
    found = re.search(rf"^\| {re.escape(first)} \|(?:.*\n)(?:\|.*\n)*", PAGE, flags=re.MULTILINE)
    head, _, *rows = found[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (head, *rows)]


def as_shown(text):
    """A number and half of its last digit."""
    digits = len(text.partition(".")[2])
    last = 10.0**-digits if digits else 10.0 ** (len(text) - len(text.rstrip("0")))
    return pytest.approx(float(text), abs=0.5 * last * (1.0 + 1e-9))


def test_bulk_moduli():
    (_, *pressures), *rows = table("pressure, bar")

    assert [row[0] for row in rows] == list(OILS)
    for name, *shown in rows:
        for pressure, text in zip(pressures, shown, strict=True):
            assert OILS[name].bulk_modulus(f"{pressure} bar") / 1e9 == as_shown(text), (name, pressure)


def test_viscosities_and_densities():
    (_, *heads, _), *rows = table("ISO VG")

    assert [int(row[0]) for row in rows] == list(fluids.GRADES)
    for grade, *shown, density in rows:
        for head, text in zip(heads, shown, strict=True):
            temperature = head.replace("−", "-").replace("°C", "degC")
            assert fluids.iso_vg(int(grade), temperature).viscosity * 1e6 == as_shown(text), (grade, head)
        assert fluids.iso_vg(int(grade), "40 degC").density == as_shown(density)
