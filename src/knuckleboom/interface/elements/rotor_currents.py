# SPDX-License-Identifier: BSD-3-Clause
"""Synchronous machine with permanent magnets, in axes of its rotor: two currents on the row of its shaft.

    u_d = R i_d + ψ̇_d − p w ψ_q,   u_q = R i_q + ψ̇_q + p w ψ_d                               [Baharudin 2016, IV eq. 21]
    ψ_d = L_d i_d + ψ_PM,   ψ_q = L_q i_q                                                    [IV eq. 22]
    λ = 3/2 p (ψ_PM i_q + (L_d − L_q) i_d i_q)                                               [IV eq. 23]

w is the speed of the shaft, p the pairs of poles; the paper does not say that its ω is p w. Voltages are amplitudes of
one phase. Takes 3/2 (u_d i_d + u_q i_q) from its supply, stores 3/4 (L_d i_d² + L_q i_q²), turns 3/2 R (i_d² + i_q²)
into heat.
Validated by: validation/analytic/test_rotor_currents.py
"""

from knuckleboom.interface.contract import SUPPLIED, Element, State
from knuckleboom.kernels import kernel

PHASES = 1.5  # of a product of amplitudes: half of three phases

ELEMENT = Element(
    gives=("force", "by_z", "rate", "rate_z", "rate_w"),
    columns=("resistance", "inductance_d", "inductance_q", "flux", "pole_pairs"),
    states=(
        State("current_d", "current along the magnets", "A", scale=1.0),
        State("current_q", "current across the magnets, which makes torque", "A", scale=1.0),
    ),
    signals=("voltage_d", "voltage_q"),
    label="rotor_",
    account=SUPPLIED,
)


@kernel
def law(
    w, current_d, current_q, voltage_d, voltage_q, resistance, inductance_d, inductance_q, flux, pole_pairs
):  # fmt: skip
    """Return λ [N·m], ∂λ/∂i [N·m/A], i̇ [A/s], ∂i̇/∂i [1/s] and ∂i̇/∂w [A/rad]."""
    flux_d, flux_q, factor = inductance_d * current_d + flux, inductance_q * current_q, PHASES * pole_pairs
    saliency, turn = inductance_d - inductance_q, pole_pairs * w
    force = factor * (flux * current_q + saliency * current_d * current_q)
    by_z = (factor * saliency * current_q, factor * (flux + saliency * current_d))
    rate_d = (voltage_d - resistance * current_d + turn * flux_q) / inductance_d
    rate_q = (voltage_q - resistance * current_q - turn * flux_d) / inductance_q
    rate_z = (
        -resistance / inductance_d, turn * inductance_q / inductance_d,
        -turn * inductance_d / inductance_q, -resistance / inductance_q,
    )  # fmt: skip
    rate_w = (pole_pairs * flux_q / inductance_d, -pole_pairs * flux_d / inductance_q)
    return force, by_z, (rate_d, rate_q), rate_z, rate_w


@kernel
def stored(current_d, current_q, inductance_d, inductance_q):
    """Return the magnetic energy [J] that the currents change."""
    return 0.5 * PHASES * (inductance_d * current_d * current_d + inductance_q * current_q * current_q)


@kernel
def supplied(current_d, current_q, voltage_d, voltage_q):
    """Return the electric power [W] that it takes."""
    return PHASES * (voltage_d * current_d + voltage_q * current_q)
