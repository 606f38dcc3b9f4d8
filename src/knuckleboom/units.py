# SPDX-License-Identifier: BSD-3-Clause
"""Units: text with a unit to an SI number, and back to what people read.

Inside everything is SI; bare numbers are SI. Text is a number and a unit that pint knows ("76 bar", "60 l/min",
"-30 deg"), with these rules of our own:

- Pressures are absolute: "bar" is absolute, "barg" and "psig" count from the standard atmosphere, 101325 Pa. A pressure
  difference has no gauge form and refuses them.
- Temperatures need a unit ("40 degC", "313 K").
- "Nm" is a newton metre (pint would read number metre); "m3" and "mm2" are powers; "Hz" and "1/min" are no angular
  speeds.
- A displacement is a volume per turn or angle ("100 cm3/rev"); a bare volume is unclear and refused.
- "60 l/min at 35 bar" is a pair and only read where a pair is asked for (pint would read technical atmospheres).

pint is imported when the first text with a new unit is read; factors are kept. Tested in tests/units/test_units.py.
"""

import functools
import math
import re
from typing import Any

from knuckleboom.errors import UnitError

LONGEST = 100
"""Letters of a number with its unit; what is longer is a mistake, and would take long to read."""

STANDARD_ATMOSPHERE = 101325.0
"""Pa; zero of gauge pressures."""

GAUGE_UNITS = {"barg": "bar", "bar(g)": "bar", "mbarg": "mbar", "kPag": "kPa", "MPag": "MPa", "psig": "psi"}
ABSOLUTE_UNITS = {"bara": "bar", "bar(a)": "bar", "psia": "psi"}
PLAIN_UNITS = ("", "1", "%", "percent")
TEMPERATURES = {"degC": (1.0, 273.15), "°C": (1.0, 273.15), "degF": (5.0 / 9.0, 459.67 * 5.0 / 9.0), "K": (1.0, 0.0)}

EXAMPLES = {
    "kg": "200 kg", "m": "91 mm", "rad": "30 deg", "m^2": "12 mm2", "m^3": "0.5 l", "Pa": "76 bar", "m^3/s": "60 l/min",
    "kg/m^3": "850 kg/m3", "N/m": "20 kN/m", "N*s/m": "500 N s/m", "N*m/rad": "100 N m/rad", "N*m*s/rad": "5 N m s/rad",
    "N": "10 kN", "N*m": "50 N m", "m/s": "0.2 m/s", "rad/s": "10 deg/s", "s": "20 ms", "kg*m^2": "16.7 kg m2",
    "m^3/rad": "100 cm3/rev", "Hz": "20 Hz", "m^3/(s*Pa)": "1e-13 m3/(s Pa)",
    "s/m": "0.5 s/m", "m^2/s": "46 mm2/s", "K": "40 degC", "1": "0.5", "1/Pa": "6.53e-10 1/Pa",
    "1/Pa^2": "-1.19e-18 1/Pa^2",
}  # fmt: skip
"""One example text per SI unit, for messages and the schema."""

COMMON = {
    "m": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "km": 1e3}, "kg": {"kg": 1.0, "g": 1e-3, "t": 1e3},
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0}, "m/s": {"m/s": 1.0, "mm/s": 1e-3, "cm/s": 1e-2},
    "rad": {"rad": 1.0, "deg": math.pi / 180.0}, "rad/s": {"rad/s": 1.0, "deg/s": math.pi / 180.0},
    "Pa": {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "bar": 1e5}, "m^3": {"m^3": 1.0, "l": 1e-3},
    "m^3/s": {"m^3/s": 1.0, "l/min": 1e-3 / 60.0, "l/s": 1e-3}, "N": {"N": 1.0, "kN": 1e3},
    "m^2/s": {"m^2/s": 1.0, "mm2/s": 1e-6, "mm^2/s": 1e-6, "cSt": 1e-6},
    "m^3/rad": {"m^3/rad": 1.0, "cm3/rev": 0.5e-6 / math.pi, "cm^3/rev": 0.5e-6 / math.pi},
}  # fmt: skip
"""SI unit: units that most machines are written in, so that reading them need not wait for pint to start."""

HUMAN = {
    "Pa": ("bar", 1e5), "m^3/s": ("l/min", 1.0 / 60000.0), "rad": ("deg", math.pi / 180.0), "m^3": ("l", 1e-3),
    "rad/s": ("deg/s", math.pi / 180.0), "m^2": ("mm2", 1e-6), "m^2/s": ("mm2/s", 1e-6),
    "m^3/rad": ("cm3/rev", 0.5e-6 / math.pi),
}  # fmt: skip
"""SI unit: the unit people read, and its size in SI."""

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$", re.DOTALL)
_COMMA = re.compile(r"\s*[+-]?\d*,\d")
_POWER = re.compile(r"(?<=[A-Za-z])([234])(?![A-Za-z0-9])")
_PLAIN_POWER = re.compile(r"\^\s*(?:[-+]?\d|\([-+]?\d\))(?![\d.^(eE]|\s*\^)")
_NEWTON = re.compile(r"(?<![A-Za-z])([kM]?)N([ms])(?![A-Za-z])")
_REVOLUTION = re.compile(r"(?<![A-Za-z])rev(?![A-Za-z])")
_PER_TIME = re.compile(r"1?\s*/\s*(s|sec|min|h)|(s|sec|min|h)\s*(\^|\*\*)?-1")
_PER_ANGLE = re.compile(r"/.*(rev|turn|rad|deg)")


def parse(text: str, unit: str, *, gauge: bool = True) -> float:
    """Return the SI number of a text such as "76 bar", which must have the dimension of the SI `unit`.

    `gauge` says whether a gauge pressure makes sense (it does not for a pressure difference). Raises UnitError.
    """
    if len(text) > LONGEST:
        raise UnitError(f"a text of {len(text)} letters is not a number with a unit, such as {example(unit)}")
    if _COMMA.match(text):
        pointed = text.strip().replace(",", ".", 1)
        raise UnitError(f"'{text}' has a comma in its number; write a point for decimals: '{pointed}'")
    match = _NUMBER.match(text)
    if match is None:
        what = "a number" if unit == "1" else "a number with a unit"
        raise UnitError(f"'{text}' is not {what}, such as {example(unit)}")
    number, written = float(match[1]), match[2]
    if re.search(r"\bat\b", written):
        raise UnitError(f"'{text}' is two quantities; give one, such as {example(unit)}")
    if unit != "1" and not written:
        raise UnitError(f"'{text}' has no unit; write it like {example(unit)}, or as a bare number in SI ({unit})")

    if unit == "K":
        return _temperature(text, number, written)
    if unit == "Pa" and written in GAUGE_UNITS:
        if not gauge:
            plain = GAUGE_UNITS[written]
            raise UnitError(f"'{text}' is a gauge pressure, but this is a difference; write it in {plain}")
        return _finite(_scaled(number, factor(GAUGE_UNITS[written], unit)) + STANDARD_ATMOSPHERE, text)
    return _finite(_scaled(number, factor(ABSOLUTE_UNITS.get(written, written), unit)), text)


@functools.lru_cache(maxsize=4096)
def factor(written: str, unit: str) -> float:
    """Return how many SI `unit` one `written` unit is; raises UnitError for a wrong dimension or an unknown unit."""
    if unit == "1":
        if written not in PLAIN_UNITS:
            what = "is a unit, but" if _is_unit(written) else "is not a unit, and"
            raise UnitError(f"'{written}' {what} this is a plain number")
        return 0.01 if written in ("%", "percent") else 1.0
    if written in COMMON.get(unit, {}):
        return COMMON[unit][written]
    if unit == "rad/s" and (written.endswith("Hz") or _PER_TIME.fullmatch(written)):
        shown = "Hz" if written.endswith("Hz") else written
        raise UnitError(f"'{shown}' is unclear for an angular speed; write rad/s, deg/s or rpm")
    if unit == "m^3/rad" and not _PER_ANGLE.search(written):
        raise UnitError(f"'{written}' is unclear for a displacement; write {written}/rev or {written}/rad")

    registry = _registry()
    try:
        source = _parsed(written)
    except ValueError as error:
        raise UnitError(f"'{written}' is not a unit{error}; use one such as in {example(unit)}") from error
    target = registry.parse_units(unit)
    if source.dimensionality != target.dimensionality:
        given, wanted = _quantity(source), _quantity(target)
        raise UnitError(f"'{written}' is a unit of {given}, not of {wanted}; use one such as in {example(unit)}")
    try:
        size = float(registry.Quantity(1.0, source).to(target).magnitude)
    except Exception as error:  # offset and logarithmic units, such as degC inside a product
        raise UnitError(f"'{written}' cannot be converted to {unit}") from error

    # 60000.000000000007 l/min in a m³/s is rounding of the conversion, not a property of the unit
    near = round(size)
    return float(near) if near and math.isclose(size, near, rel_tol=1e-14) else size


def convert(values: Any, unit: str, wanted: str) -> Any:
    """Return SI `values` (number or array) of `unit` in the `wanted` unit, also "barg" and "degC"."""
    if unit == "K" and wanted in TEMPERATURES:
        scale, offset = TEMPERATURES[wanted]
        return (values - offset) / scale
    if unit == "Pa" and wanted in GAUGE_UNITS:
        return (values - STANDARD_ATMOSPHERE) / factor(GAUGE_UNITS[wanted], unit)
    return values / factor(ABSOLUTE_UNITS.get(wanted, wanted), unit)


def format_si(value: float, unit: str) -> str:
    """Return an SI number as people read it: format_si(7.6e6, "Pa") is "76.0 bar"."""
    unit = canonical(unit)
    if not math.isfinite(value):
        return f"{value} {unit}"
    name, size = HUMAN.get(unit, (unit, 1.0))
    if unit == "m" and abs(value) < 1.0:
        name, size = "mm", 1e-3
    if unit == "s" and 0.0 < abs(value) < 1.0:
        name, size = ("ms", 1e-3) if abs(value) >= 1e-3 else ("µs", 1e-6)
    if unit in ("N", "N*m", "N/m", "W", "J") and abs(value) >= 1e4:
        name, size = ("k" + unit, 1e3) if abs(value) < 1e7 else ("M" + unit, 1e6)
    shown = _three_digits(value / size)
    return shown if name == "1" else f"{shown} {name.replace('*', '·')}"


def canonical(unit: str) -> str:
    """Return a unit in the one ASCII spelling used inside: "m³/s" and "m3/s" become "m^3/s", "N·m" becomes "N*m"."""
    text = unit.replace("·", "*").replace("**", "^").replace("²", "^2").replace("³", "^3")
    return _POWER.sub(r"^\1", text)


FORCE_UNITS = {"m": "N", "rad": "N*m", "m^3": "Pa"}
"""Unit of what acts along a row, by that of its value: together they are in J."""


def rate_unit(unit: str) -> str:
    """Return the unit of a rate: rad/s becomes rad/s^2."""
    return f"{unit}^2" if unit.endswith("/s") else f"{unit}/s"


def example(unit: str) -> str:
    """Return an example text of a quantity with this SI unit, in quotes."""
    return f'"{EXAMPLES.get(unit, "1 " + unit)}"'


def _scaled(number: float, size: float) -> float:
    # dividing by a whole number rounds once: 91 mm is 0.091, not 91 · 0.001
    if 0.0 < size < 1.0:
        whole = round(1.0 / size)
        if math.isclose(size * whole, 1.0, rel_tol=1e-14):
            return number / whole
    return number * size


def _finite(value: float, text: str) -> float:
    if not math.isfinite(value):
        raise UnitError(f"'{text}' is not a finite number")
    return value


def _temperature(text: str, number: float, written: str) -> float:
    if written not in TEMPERATURES:
        raise UnitError(f"'{text}' is not a temperature; write it like {example('K')}")
    scale, offset = TEMPERATURES[written]
    return number * scale + offset


def _readable(written: str) -> str:
    """Return a unit text as pint reads it."""
    text = _REVOLUTION.sub("turn", _NEWTON.sub(r"\1N*\2", canonical(written)))
    return re.sub(r"(?<=[A-Za-z])°|°(?![A-Za-z])", "deg", text)


def _parsed(written: str) -> Any:
    """Return pint's unit of a text; a ValueError, whose text may say why, if it is none."""
    readable = _readable(written)
    if "^" in _PLAIN_POWER.sub("", readable):
        raise ValueError(": a power is one digit")  # pint would compute 9^9^9 before it asks what for
    try:
        return _registry().parse_units(readable)
    except Exception as error:  # pint raises many kinds, down to tokenizer errors, for a text that is no unit
        raise ValueError("") from error


def _is_unit(written: str) -> bool:
    if written in GAUGE_UNITS or written in ABSOLUTE_UNITS:
        return True
    try:
        _parsed(written)
    except ValueError:
        return False
    return True


def _quantity(source: Any) -> str:
    """Return a dimension in words, or in pint's symbols when it has no short name."""
    registry = _registry()
    for unit, word in _WORDS.items():
        if registry.parse_units(unit).dimensionality == source.dimensionality:
            return word
    return str(source.dimensionality).replace("**", "^")


_WORDS = {
    "kg": "mass", "m": "length", "m^2": "area", "m^3": "volume", "Pa": "pressure", "m^3/s": "flow", "kg/m^3": "density",
    "N": "force", "N*m": "torque", "N/m": "stiffness", "N*s/m": "damping", "N*m*s": "rotational damping",
    "m/s": "speed", "rad": "angle", "rad/s": "angular speed", "s": "time", "kg*m^2": "inertia", "K": "temperature",
    "m^2/s": "kinematic viscosity",
}  # fmt: skip


def _three_digits(value: float) -> str:
    if value == 0.0:
        return "0.0"
    size = abs(value)
    if size >= 1e6 or size < 1e-3:
        return f"{value:.3g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(size)))}f}"


@functools.cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()
