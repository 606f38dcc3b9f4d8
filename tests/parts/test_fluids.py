# SPDX-License-Identifier: BSD-3-Clause
"""Fluids: bulk moduli are those of the laws, grades follow their equations, walls add up; and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knuckleboom as kb
from kernel_call import callable_kernel
from knuckleboom.errors import UnitError
from knuckleboom.hydraulics.parts import fluids
from knuckleboom.laws.oil_cavitating import oil_cavitating, strain_cavitating
from knuckleboom.laws.oil_constant import oil_constant, strain_constant
from knuckleboom.laws.oil_naya import oil_naya, strain_naya
from knuckleboom.laws.oil_with_air import oil_with_air, strain_with_air

LAWS: dict[str, tuple[Any, Any, Any, tuple[str, ...]]] = {
    "constant": (fluids.constant(), oil_constant, strain_constant, ("bulk",)),
    "naya": (fluids.naya(), oil_naya, strain_naya, ("a", "b")),
    "cavitating": (fluids.mineral_oil(vapour="0.1 bar"), oil_cavitating, strain_cavitating, ("bulk", "vapour", "half")),
    "air": (
        fluids.with_air(fluids.mineral_oil(vapour="0.1 bar")), oil_with_air, strain_with_air,
        ("bulk", "air", "reference", "vapour", "exponent"),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_bulk_modulus_is_the_slope_of_the_law(law):
    """A second formulation: the fluid's closed form in p against the kernel's slope at the strain of p."""
    fluid, pressure_of, strain_of, columns = LAWS[law]
    numbers = [getattr(fluid, column) for column in columns]
    assert fluid.law == law

    for p in (2e4, 1e5, 3e5, 1e6, 1e7, 3.5e7):
        e = callable_kernel(strain_of)(p, *numbers)
        assert callable_kernel(pressure_of)(e, *numbers) == pytest.approx((p, fluid.bulk_modulus(p)), rel=1e-10)
    assert fluid.bulk_modulus("200 bar") == fluid.bulk_modulus(2e7)


@pytest.mark.parametrize("law", LAWS)
def test_a_fluid_is_the_same_as_text(law):
    fluid = LAWS[law][0]
    machine = kb.Machine("m")
    machine.oil(fluid.model_dump())

    assert machine.parts["oil"].fluid == fluid


def test_oil_with_air_keeps_what_the_oil_was():
    oil = fluids.iso_vg(68, "50 degC", vapour="0.1 bar")
    aerated = fluids.with_air(oil, "2 %")

    assert (aerated.density, aerated.viscosity, aerated.bulk, aerated.vapour) == (
        oil.density, oil.viscosity, oil.bulk, oil.vapour,
    )  # fmt: skip
    assert (aerated.air, aerated.reference, aerated.exponent) == (0.02, 101325.0, 1.4)
    assert fluids.with_air(fluids.constant()).vapour == 0.0


# --- grades -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grade", fluids.GRADES)
def test_viscosity_is_the_grade_at_40_and_the_table_at_100_degrees(grade):
    assert fluids.iso_vg(grade, "40 degC").viscosity == pytest.approx(grade * 1e-6, rel=1e-12)
    assert fluids.iso_vg(grade, "100 degC").viscosity == pytest.approx(fluids.GRADES[grade][0] * 1e-6, rel=1e-12)
    assert fluids.iso_vg(grade, "100 degC", viscosity_100="2.5 mm2/s").viscosity == pytest.approx(2.5e-6, rel=1e-12)


@given(st.sampled_from(sorted(fluids.GRADES)), st.lists(st.floats(-40.0, 150.0), min_size=3, max_size=3, unique=True))
def test_viscosities_are_on_one_line_of_the_chart_of_astm_d341(grade, celsius):
    """log log (ν + 0.7) over log T is straight: three temperatures enclose no area."""
    points = []
    for temperature in (-20.0, *celsius):
        nu = fluids.iso_vg(grade, f"{temperature!r} degC").viscosity * 1e6
        points.append((math.log10(temperature + 273.15), math.log10(math.log10(nu + 0.7))))
    (x0, y0), *others = points
    a, b, c = (np.array((x - x0, y - y0)) for x, y in others)

    assert a[0] * b[1] == pytest.approx(a[1] * b[0], abs=1e-13)
    assert a[0] * c[1] == pytest.approx(a[1] * c[0], abs=1e-13)


@given(st.sampled_from(sorted(fluids.GRADES)), st.floats(-40.0, 149.0))
def test_warm_oil_is_thinner_and_lighter_and_a_higher_grade_thicker(grade, celsius):
    cold, warm = fluids.iso_vg(grade, f"{celsius} degC"), fluids.iso_vg(grade, f"{celsius + 1.0} degC")

    assert warm.viscosity < cold.viscosity and warm.density < cold.density
    if grade > 10:
        thinner = max(other for other in fluids.GRADES if other < grade)
        assert fluids.iso_vg(thinner, f"{celsius} degC").viscosity < cold.viscosity


def test_density_expands_from_15_degrees():
    assert fluids.iso_vg46("15 degC").density == 873.0
    assert fluids.iso_vg46("65 degC").density == pytest.approx(873.0 / (1.0 + 50.0 * 7e-4), rel=1e-14)


def test_named_grades_are_grades():
    assert fluids.iso_vg32("50 degC") == fluids.iso_vg(32, "50 degC")
    assert fluids.iso_vg46("50 degC") == fluids.iso_vg(46, "50 degC")
    assert fluids.iso_vg68("323.15 K") == fluids.iso_vg(68, "50 degC")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fluids.iso_vg46(40.0), "40.0 is a temperature without a unit; write '40.0 degC' or '40.0 K'"),
        (lambda: fluids.iso_vg46("40"), "has no unit"),
        (lambda: fluids.iso_vg46("40 bar"), "not a temperature"),
        (lambda: fluids.iso_vg46("40 K"), "no temperature of hydraulic oil"),
    ],
)
def test_a_temperature_needs_its_unit(call, words):
    with pytest.raises(UnitError, match=words):
        call()


def test_unknown_grades_are_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="45 is not an ISO VG grade that is known here; they are 10, 15, 22, 32, 46"):
        fluids.iso_vg(45, "40 degC")
    with pytest.raises(ValueError, match="at 100 °C ISO VG 46 is thinner than 46 mm2/s"):
        fluids.iso_vg(46, "40 degC", viscosity_100="60 mm2/s")


def test_vapour_at_the_reference_pressure_is_refused():
    with pytest.raises(kb.MachineError, match="not below its reference pressure"):
        fluids.with_air(fluids.mineral_oil(vapour="2 bar"))


# --- walls ------------------------------------------------------------------------------------------------------------


def test_effective_bulk_modulus_is_that_of_springs_in_series():
    """1/B_e = 1/B_oil + Σ Vⱼ/(V Bⱼ), [Baharudin 2016, publ. IV eq. 15] corrected, with two hoses and a cylinder."""
    oil, volume = 1.6e9, 2e-3
    walls = [(0.5e-3, 3e8), (0.25e-3, 2.5e8), (1.25e-3, 4e10)]
    by_hand = 1.0 / (1.0 / 1.6e9 + 0.5 / (2.0 * 3e8) + 0.25 / (2.0 * 2.5e8) + 1.25 / (2.0 * 4e10))

    assert fluids.effective_bulk_modulus(oil, volume, walls) == pytest.approx(by_hand, rel=1e-14)
    assert fluids.effective_bulk_modulus("1.6 GPa", "2 l", [("0.5 l", "300 MPa"), *walls[1:]]) == pytest.approx(by_hand)
    assert fluids.effective_bulk_modulus(oil, volume, []) == pytest.approx(oil, rel=1e-15)


@given(st.floats(1e8, 2e9), st.floats(1e-6, 1.0), st.floats(1e-6, 1.0), st.floats(1e7, 1e11))
def test_elastic_is_what_a_volume_takes_in_per_pascal_beside_its_oil(oil, volume, hose, wall):
    """V/B_e = V/B_oil + elastic: the form in which a run has it, ė = (ΣQ − V̇)/(V + elastic·dp/de)."""
    elastic, effective = fluids.elastic([(hose, wall)]), fluids.effective_bulk_modulus(oil, volume, [(hose, wall)])

    assert volume / effective == pytest.approx(volume / oil + elastic, rel=1e-13)
    assert oil / (volume + elastic * oil) == pytest.approx(effective / volume, rel=1e-13)  # dp per m³ of flow


# --- cavitation -------------------------------------------------------------------------------------------------------


def test_oil_counts_as_torn_half_way_down_to_vapour_at_most():
    ambient = 101325.0

    assert fluids.naya().cavitates_below(ambient) == fluids.constant().cavitates_below(ambient) == 0.0
    assert fluids.mineral_oil().cavitates_below(ambient) == 0.5 * ambient
    assert fluids.mineral_oil(half="0.02 bar", vapour="0.1 bar").cavitates_below(ambient) == pytest.approx(0.12e5)
    assert fluids.mineral_oil(vapour="2 bar").cavitates_below(ambient) == 2e5  # never: p stays above
    assert fluids.with_air(fluids.mineral_oil(vapour="1325 Pa")).cavitates_below(ambient) == 51325.0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: fluids.with_air(fluids.mineral_oil(), "200 %"), "air is 2.00; it must be less than 1"),
        (lambda: fluids.mineral_oil(bulk="1.4 mm", density=-1.0), "'mm' is a unit of length, not of pressure"),
    ],
)
def test_a_fluid_that_cannot_be_says_why_in_our_words(make, said):
    with pytest.raises(kb.MachineError, match=said):
        make()
