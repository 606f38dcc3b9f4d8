# SPDX-License-Identifier: BSD-3-Clause
"""Fluids: what the oil is like, as data; the laws themselves are in laws/. `kb.fluids` is this file.

    naya         β(p) = (1 + a·p + b·p²)/(a + 2·b·p)          [Naya 2011, eq. 3]; strain e = ln(1 + a·p + b·p²)
    cavitating   β(p) = bulk·z²/(z² + half²), z = p − vapour       our own: stiff oil that softens near vapour pressure

Pressures are absolute. With `cavitating` the pressure never reaches `vapour`, nothing is clipped, and half the bulk
modulus is reached at vapour + half. Density is constant; it sets the flow of orifices.
"""

from typing import Annotated, Literal

from pydantic import Field

from knuckleboom.describe import Described, param
from knuckleboom.quantities import Density, PressureDrop, Quantity
from knuckleboom.quantities import Pressure as AbsolutePressure

PerPressure = Annotated[float, Quantity("1/Pa")]
PerPressureSquared = Annotated[float, Quantity("1/Pa^2")]


class NayaFluid(Described):
    """Oil whose bulk modulus follows [Naya 2011, eq. 3]."""

    law: Literal["naya"] = "naya"
    density: Density = param("density of the oil", above=0)
    a: PerPressure = param("linear compressibility", above=0)
    b: PerPressureSquared = param("quadratic compressibility")


class CavitatingFluid(Described):
    """Oil of constant bulk modulus that softens towards its vapour pressure."""

    law: Literal["cavitating"] = "cavitating"
    density: Density = param("density of the oil", above=0)
    bulk: PressureDrop = param("bulk modulus at high pressure", above=0)
    vapour: AbsolutePressure = param("vapour pressure", 0.0, least=0)
    half: PressureDrop = param("pressure above vapour at which half the bulk modulus is reached", "3 bar", above=0)


Fluid = Annotated[NayaFluid | CavitatingFluid, Field(discriminator="law")]


def naya() -> NayaFluid:
    """Return the oil of the rod example of Naya et al. 2011: 850 kg/m³, about 1.5 GPa.

    The paper gives the density but not a and b; these are the values used by later papers of the same group.
    """
    return NayaFluid(density=850.0, a=6.53e-10, b=-1.19e-18)


def mineral_oil(
    density: float | str = 860.0, bulk: float | str = 1.4e9, vapour: float | str = 0.0, half: float | str = 3e5
) -> CavitatingFluid:
    """Return a mineral oil. The defaults are round values of our own choice, not from a data sheet: give your oil's."""
    return CavitatingFluid.model_validate({"density": density, "bulk": bulk, "vapour": vapour, "half": half})
