# SPDX-License-Identifier: BSD-3-Clause
"""Units: texts to SI and back. Expected values are definitions of the units (closed form)."""

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knuckleboom import units
from knuckleboom.errors import UnitError
from knuckleboom.units import EXAMPLES, canonical, convert, factor, format_si, parse


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("76 bar", "Pa", 7.6e6),
        ("76bar", "Pa", 7.6e6),
        ("5 barg", "Pa", 5e5 + 101325.0),
        ("0 barg", "Pa", 101325.0),
        ("14.5 psi", "Pa", 14.5 * 6894.757293168361),
        ("2 bara", "Pa", 2e5),
        ("60 l/min", "m^3/s", 1e-3),
        ("120 L/min", "m^3/s", 2e-3),
        ("91 mm", "m", 0.091),
        ("442 mm", "m", 0.442),
        ("-30 deg", "rad", -math.pi / 6.0),
        ("1e3 mm", "m", 1.0),
        (".5 m", "m", 0.5),
        ("12 mm2", "m^2", 12e-6),
        ("12 mm^2", "m^2", 12e-6),
        ("12 mm²", "m^2", 12e-6),
        ("0.1 l", "m^3", 1e-4),
        ("850 kg/m3", "kg/m^3", 850.0),
        ("50 Nm", "N*m", 50.0),
        ("2 kNm", "N*m", 2000.0),
        ("500 Ns/m", "N*s/m", 500.0),
        ("500 N·s/m", "N*s/m", 500.0),
        ("40 degC", "K", 313.15),
        ("313.15 K", "K", 313.15),
        ("32 degF", "K", 273.15),
        ("60 rpm", "rad/s", 2.0 * math.pi),
        ("20 ms", "s", 0.02),
        ("50 %", "1", 0.5),
        ("0.25", "1", 0.25),
        ("1.4 GPa", "Pa", 1.4e9),
        ("2 t", "kg", 2000.0),
        ("100 cm3/rev", "m^3/rad", 50e-6 / math.pi),
        ("0.1 l/turn", "m^3/rad", 50e-6 / math.pi),
        ("16 cm^3/rad", "m^3/rad", 16e-6),
        ("1000 rev/min", "rad/s", 1000.0 / 30.0 * math.pi),
    ],
)
def test_text_to_si(text: str, unit: str, value: float) -> None:
    assert parse(text, unit) == pytest.approx(value, rel=1e-15)


def test_decimal_texts_round_once() -> None:
    assert parse("91 mm", "m") == 0.091
    assert parse("60 l/min", "m^3/s") == 0.001
    assert parse("1.01325 bar", "Pa") == 101325.0


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("76 bar", "m", "unit of pressure, not of length"),
        ("3", "kg", "has no unit"),
        ("heavy", "kg", "not a number with a unit"),
        ("3 frobs", "kg", "is not a unit"),
        ("60 l/min at 35 bar", "m^3/s", "two quantities"),
        ("3 deg", "1", "'deg' is a unit, but this is a plain number"),
        ("3 barg", "1", "'barg' is a unit, but this is a plain number"),
        ("3 frobs", "1", "'frobs' is not a unit, and this is a plain number"),
        ("3 Hz", "rad/s", "unclear"),
        ("1500 1/min", "rad/s", "unclear"),
        ("25 s^-1", "rad/s", "unclear"),
        ("100 cm3", "m^3/rad", "write cm3/rev or cm3/rad"),
        ("40 bar", "K", "not a temperature"),
        ("1e400 m", "m", "not a finite number"),
        ("1 (", "m", "is not a unit"),
        ("nan m", "m", "not a number"),
        ("", "m", "not a number"),
    ],
)
def test_refused(text: str, unit: str, words: str) -> None:
    with pytest.raises(UnitError, match=words):
        parse(text, unit)


def test_gauge_is_no_difference() -> None:
    with pytest.raises(UnitError, match="gauge pressure"):
        parse("5 barg", "Pa", gauge=False)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (7.6e6, "Pa", "76.0 bar"),
        (2.31e7, "Pa", "231 bar"),
        (0.019, "m^3/s", "1140 l/min"),
        (1e-3, "m3/s", "60.0 l/min"),
        (0.091, "m", "91.0 mm"),
        (12.3456, "m", "12.3 m"),
        (math.pi / 6.0, "rad", "30.0 deg"),
        (0.0005, "s", "500 µs"),
        (0.002, "s", "2.00 ms"),
        (2.0, "s", "2.00 s"),
        (23456.0, "N", "23.5 kN"),
        (120.0, "N*m", "120 N·m"),
        (0.5, "1", "0.500"),
        (0.0, "Pa", "0.0 bar"),
        (math.nan, "Pa", "nan Pa"),
        (1e-9, "kg", "1e-09 kg"),
    ],
)
def test_si_to_text(value: float, unit: str, text: str) -> None:
    assert format_si(value, unit) == text


def test_convert() -> None:
    assert convert(7.6e6, "Pa", "bar") == pytest.approx(76.0)
    assert convert(201325.0, "Pa", "barg") == pytest.approx(1.0)
    assert convert(313.15, "K", "degC") == pytest.approx(40.0)
    assert convert(1e-3, "m^3/s", "l/min") == pytest.approx(60.0)


@pytest.mark.parametrize("unit", sorted(EXAMPLES))
def test_examples_are_readable(unit: str) -> None:
    assert math.isfinite(parse(EXAMPLES[unit], unit))


def test_canonical() -> None:
    assert canonical("m³/s") == canonical("m3/s") == canonical("m**3/s") == "m^3/s"
    assert canonical("N·m") == "N*m"


@given(st.text(max_size=20))
def test_any_text_is_a_number_or_a_unit_error(text: str) -> None:
    try:
        assert math.isfinite(parse(text, "Pa"))
    except UnitError as error:
        assert str(error)


@given(st.floats(min_value=-1e12, max_value=1e12), st.sampled_from(["bar", "psi", "kPa", "MPa"]))
def test_there_and_back(value: float, unit: str) -> None:
    assert convert(parse(f"{value!r} {unit}", "Pa"), "Pa", unit) == pytest.approx(value, rel=1e-14, abs=1e-300)


def test_factor_is_kept() -> None:
    factor("l/min", "m^3/s")
    before = factor.cache_info().hits
    factor("l/min", "m^3/s")
    assert factor.cache_info().hits == before + 1


def test_pint_is_not_imported_for_bare_numbers() -> None:
    code = (
        "import sys; from knuckleboom.machine import Machine; m = Machine('m');"
        "m.body('b', 1.0, inertia=(1, 1, 1)); m.revolute('j', m.ground, 'b'); assert not m.check();"
        "assert 'pint' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_common_units_are_those_of_pint():
    for unit, sizes in units.COMMON.items():
        for written, size in sizes.items():
            registry = units._registry()
            exact = registry.Quantity(1.0, registry.parse_units(units._readable(written))).to(unit).magnitude
            assert size == pytest.approx(exact, rel=1e-15)
