# SPDX-License-Identifier: BSD-3-Clause
"""Fluids: what the oil is like, as data; the laws themselves are in laws/. `kb.fluids` is this file.

    constant     β = bulk                                          the textbook oil; its pressure may become negative
    naya         β(p) = (1 + a·p + b·p²)/(a + 2·b·p)               [Naya 2011, eq. 3]; strain e = ln(1 + a·p + b·p²)
    cavitating   β(p) = bulk·z²/(z² + half²), z = p − vapour       our own: stiff oil that softens near vapour pressure
    air          oil and bubbles under one pressure                [Merritt 1967, ch. 2]; laws/oil_with_air.py

Pressures are absolute. With `cavitating` and `air` the pressure never reaches `vapour` and nothing is clipped. Density
and viscosity are constant in a run: density sets the flow of orifices, viscosity that of gaps, hoses and laminar
restrictors. Both follow from an ISO VG grade and a temperature with `iso_vg`. Tables, and what each is for:
docs/fluids.md. Validated by: validation/analytic/test_fluids.py
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationError, model_validator

from knuckleboom import units
from knuckleboom.describe import Described, Fault, explain, param
from knuckleboom.errors import MachineError, UnitError
from knuckleboom.quantities import Density, Number, PressureDrop, Quantity, Viscosity
from knuckleboom.quantities import Pressure as AbsolutePressure
from knuckleboom.units import format_si

PerPressure = Annotated[float, Quantity("1/Pa")]
PerPressureSquared = Annotated[float, Quantity("1/Pa^2")]

GRADES = {
    10: (2.66, 850.0), 15: (3.4, 855.0), 22: (4.3, 862.0), 32: (5.4, 868.0),
    46: (6.8, 873.0), 68: (8.7, 878.0), 100: (11.4, 883.0), 150: (15.0, 888.0),
}  # fmt: skip
"""ISO VG grade: typical kinematic viscosity at 100 °C [mm²/s] of a viscosity index near 100, density at 15 °C [kg/m³].

The grade itself is the viscosity at 40 °C in mm²/s (ISO 3448). Real oils differ: take the two viscosities and the
density from the data sheet where it matters.
"""
EXPANSION = 7e-4
"""Thermal expansion of mineral oil, 1/K: typical."""
WARM, HOT, COOL = 313.15, 373.15, 288.15  # K: where viscosities are given (40 and 100 °C) and density (15 °C)
COLDEST, HOTTEST = 233.0, 423.3  # K: −40 and 150 °C with their roundings, beyond which no hydraulic oil is used


class AnyFluid(Described, ABC):
    """What all fluids have."""

    density: Density = param("density of the oil", above=0)
    viscosity: Viscosity = param(
        "kinematic viscosity of the oil; the default is that of ISO VG 46 at 40 °C", 46e-6, above=0
    )

    @abstractmethod
    def bulk_modulus(self, pressure: float | str) -> float:
        """Return the bulk modulus dp/de at an absolute pressure, Pa."""

    @abstractmethod
    def cavitates_below(self, ambient: float) -> float:
        """Return the absolute pressure below which this oil counts as cavitated, at an ambient pressure."""


class ConstantFluid(AnyFluid):
    """Oil of constant bulk modulus. It has no cavitation: the pressure goes negative instead."""

    law: Literal["constant"] = "constant"
    bulk: PressureDrop = param("bulk modulus", above=0)

    def bulk_modulus(self, pressure: float | str) -> float:
        return self.bulk

    def cavitates_below(self, ambient: float) -> float:
        return 0.0


class NayaFluid(AnyFluid):
    """Oil whose bulk modulus follows [Naya 2011, eq. 3]. It has no cavitation either."""

    law: Literal["naya"] = "naya"
    a: PerPressure = param("linear compressibility", above=0)
    b: PerPressureSquared = param("quadratic compressibility")

    def bulk_modulus(self, pressure: float | str) -> float:
        p = _absolute(pressure)
        return (1.0 + p * (self.a + self.b * p)) / (self.a + 2.0 * self.b * p)

    def cavitates_below(self, ambient: float) -> float:
        return 0.0


class CavitatingFluid(AnyFluid):
    """Oil of constant bulk modulus that softens towards its vapour pressure."""

    law: Literal["cavitating"] = "cavitating"
    bulk: PressureDrop = param("bulk modulus at high pressure", above=0)
    vapour: AbsolutePressure = param("vapour pressure", 0.0, least=0)
    half: PressureDrop = param("pressure above vapour at which half the bulk modulus is reached", "3 bar", above=0)

    def bulk_modulus(self, pressure: float | str) -> float:
        z = _absolute(pressure) - self.vapour
        return self.bulk * z * z / (z * z + self.half * self.half)

    def cavitates_below(self, ambient: float) -> float:
        # a tank line at ambient pressure is soft with a wide `half`, but not cavitated
        return self.vapour + min(self.half, 0.5 * max(ambient - self.vapour, 0.0))


class AirFluid(AnyFluid):
    """Oil with air bubbles, which add their volume to that of the oil and never dissolve."""

    law: Literal["air"] = "air"
    bulk: PressureDrop = param("bulk modulus of the oil without air", above=0)
    air: Number = param("part of the volume that is air at the reference pressure", "1 %", above=0, below=1)
    reference: AbsolutePressure = param("pressure at which the part of air is given", "1.01325 bar", above=0)
    vapour: AbsolutePressure = param("vapour pressure, below the reference", 0.0, least=0)
    exponent: Number = param("exponent of the bubbles' polytrope: 1 slow, 1.4 fast", 1.4, least=1, most=2)

    @model_validator(mode="after")
    def _vapour_below_reference(self) -> "AirFluid":
        if self.vapour >= self.reference:
            vapour, reference = format_si(self.vapour, "Pa"), format_si(self.reference, "Pa")
            rule = f"vapour ({vapour}) of the fluid is not below its reference pressure ({reference})."
            raise Fault(
                rule, "At the reference pressure there is oil: give a vapour pressure below it.", "fluid.vapour"
            )
        return self

    def bulk_modulus(self, pressure: float | str) -> float:
        z, span = _absolute(pressure) - self.vapour, self.reference - self.vapour
        oil = (1.0 - self.air) * math.exp((span - z) / self.bulk)
        bubbles = self.air * math.pow(span / z, 1.0 / self.exponent)
        return (oil + bubbles) / (oil / self.bulk + bubbles / (self.exponent * z))

    def cavitates_below(self, ambient: float) -> float:
        return 0.5 * (self.vapour + self.reference)


Fluid = Annotated[ConstantFluid | NayaFluid | CavitatingFluid | AirFluid, Field(discriminator="law")]


# --- ready ones -------------------------------------------------------------------------------------------------------


F = TypeVar("F", bound=AnyFluid)


def _made(kind: type[F], values: dict[str, Any]) -> F:
    """Return a fluid, or say all that is wrong with its values."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise MachineError(explain(error, kind, "", "fluid"), "fluids") from None


def naya() -> NayaFluid:
    """Return the oil of the rod example of Naya et al. 2011: 850 kg/m³, about 1.5 GPa.

    The paper gives the density but not a and b; these are the values used by later papers of the same group.
    """
    return NayaFluid(density=850.0, a=6.53e-10, b=-1.19e-18)


def constant(density: float | str = 860.0, bulk: float | str = 1.4e9, viscosity: float | str = 46e-6) -> ConstantFluid:
    """Return an oil of constant bulk modulus. The defaults are round values of our own choice, as for mineral_oil."""
    return _made(ConstantFluid, {"density": density, "bulk": bulk, "viscosity": viscosity})


def mineral_oil(
    density: float | str = 860.0, bulk: float | str = 1.4e9, vapour: float | str = 0.0, half: float | str = 3e5,
    viscosity: float | str = 46e-6,
) -> CavitatingFluid:  # fmt: skip
    """Return a mineral oil. The defaults are round values of our own choice, not from a data sheet: give your oil's."""
    values = {"density": density, "bulk": bulk, "vapour": vapour, "half": half, "viscosity": viscosity}
    return _made(CavitatingFluid, values)


def with_air(
    oil: ConstantFluid | CavitatingFluid, air: float | str = 0.01, *, reference: float | str = 101325.0,
    exponent: float | str = 1.4,
) -> AirFluid:  # fmt: skip
    """Return the same oil with a part of air in it, counted at the reference pressure."""
    values: dict[str, Any] = {"air": air, "reference": reference, "exponent": exponent}
    vapour = oil.vapour if isinstance(oil, CavitatingFluid) else 0.0
    own = {"density": oil.density, "viscosity": oil.viscosity, "bulk": oil.bulk, "vapour": vapour}
    return _made(AirFluid, values | own)


def iso_vg(
    grade: int, temperature: str, *, viscosity_100: float | str | None = None, bulk: float | str = 1.4e9,
    vapour: float | str = 0.0, half: float | str = 3e5,
) -> CavitatingFluid:  # fmt: skip
    """Return mineral oil of an ISO VG grade at a temperature such as "40 degC": density and viscosity there.

    Viscosity follows Walther's equation (ASTM D341) through the grade at 40 °C and viscosity_100 at 100 °C, which is
    that of GRADES when not given; density falls by 0.07 % per kelvin from that of GRADES at 15 °C.
    """
    if grade not in GRADES:
        raise ValueError(f"{grade!r} is not an ISO VG grade that is known here; they are {', '.join(map(str, GRADES))}")
    kelvin = _temperature(temperature)
    typical, density = GRADES[grade]
    hot = typical * 1e-6 if viscosity_100 is None else Quantity("m^2/s").read(viscosity_100)
    if not 0.0 < hot < grade * 1e-6:
        given = format_si(hot, "m^2/s")
        raise ValueError(
            f"viscosity_100 is {given}; at 100 °C ISO VG {grade} is thinner than {grade} mm2/s, and not negative"
        )
    viscosity = walther(kelvin, grade * 1e-6, hot)
    return mineral_oil(density / (1.0 + EXPANSION * (kelvin - COOL)), bulk, vapour, half, viscosity)


def iso_vg32(temperature: str) -> CavitatingFluid:
    """Return mineral oil ISO VG 32 at a temperature such as "40 degC"."""
    return iso_vg(32, temperature)


def iso_vg46(temperature: str) -> CavitatingFluid:
    """Return mineral oil ISO VG 46 at a temperature such as "40 degC"."""
    return iso_vg(46, temperature)


def iso_vg68(temperature: str) -> CavitatingFluid:
    """Return mineral oil ISO VG 68 at a temperature such as "40 degC"."""
    return iso_vg(68, temperature)


# --- what follows from them -------------------------------------------------------------------------------------------


def walther(kelvin: float, warm: float, hot: float) -> float:
    """Return the kinematic viscosity at a temperature in K, m²/s, from those at 40 °C and 100 °C.

        log₁₀ log₁₀ (ν + 0.7) = A − B log₁₀ T,   ν in mm²/s              Walther's equation, ASTM D341

    The 0.7 is right above 2 mm²/s.
    """

    def twice_log(nu: float) -> float:
        return math.log10(math.log10(nu * 1e6 + 0.7))

    slope = (twice_log(warm) - twice_log(hot)) / math.log10(HOT / WARM)
    log = math.pow(10.0, twice_log(warm) - slope * math.log10(kelvin / WARM))
    return (math.pow(10.0, log) - 0.7) * 1e-6


def elastic(walls: Iterable[tuple[float | str, float | str]]) -> float:
    """Return Σ Vⱼ/Bⱼ of what gives around a volume, m³/Pa: pairs of volume inside and bulk modulus of the wall."""
    return sum(Quantity("m^3").read(volume) / Quantity("Pa").read(bulk) for volume, bulk in walls)


def effective_bulk_modulus(
    oil: float | str, volume: float | str, walls: Iterable[tuple[float | str, float | str]]
) -> float:
    """Return the bulk modulus of a volume with its container, pipes and hoses, Pa.

        1/B_e = 1/B_oil + Σ Vⱼ/(V Bⱼ)                      [Baharudin 2016, publ. IV eq. 15, without its stray Q]

    In a run it acts through `elastic`, since B_oil changes with pressure.
    """
    return 1.0 / (1.0 / Quantity("Pa").read(oil) + elastic(walls) / Quantity("m^3").read(volume))


def _absolute(pressure: float | str) -> float:
    return Quantity("Pa", gauge=True).read(pressure)


def _temperature(text: str) -> float:
    """Return a temperature in K; a bare number is refused, since its unit is unknown."""
    if not isinstance(text, str):
        raise UnitError(f"{text!r} is a temperature without a unit; write '{text} degC' or '{text} K'")
    kelvin = units.parse(text, "K")
    if not COLDEST <= kelvin <= HOTTEST:
        raise UnitError(f"'{text}' is no temperature of hydraulic oil; it is used from -40 degC to 150 degC")
    return kelvin
