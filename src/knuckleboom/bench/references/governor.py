# SPDX-License-Identifier: BSD-3-Clause
"""Flyball governor in two coordinates, α and s; compared at the slider (`slider.position`).

Both rods move alike, at the angle α below the horizontal, and nothing acts about the shaft, so that its angular
momentum L = I(α)·Ω stays and Ω drops out:

    T = ½·J·2·α̇² + ½·m_s·ṡ²,   V = V_g + 2·½·k·(l − l₀)² + ½·L²/I(α)

with a rod's J about its hinge, the whole I(α) about the shaft, and the spring's length l(α, s). Two dampers −c·l̇ act in
l. Integrated by LSODA at 1e-12, which is implicit where the dampers are stiff.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

from knuckleboom.bench.references.one_dof import Array

LENGTH, THICK, SIDE, BALL, DENSITY, G = 1.0, 0.01, 0.1, 5.0, 3000.0, 9.81
STIFFNESS, DAMPING, REST = 8e5, 4e4, 0.5
START_ANGLE, START_HEIGHT, SPEED = math.radians(30.0), 0.5, 2.0 * math.pi
OUT = 0.5 * SIDE  # of hinges and spring ends from the shaft's axis, m
ROD, SLIDER = DENSITY * LENGTH * THICK**2, DENSITY * SIDE**3  # kg

HINGE_INERTIA = ROD * (LENGTH**2 + THICK**2) / 12.0 + ROD * (0.5 * LENGTH) ** 2 + BALL * LENGTH**2
FIRST_MOMENT = ROD * 0.5 * LENGTH + BALL * LENGTH  # Σ m·u along the rod, kg·m
ALONG, ACROSS = ROD * THICK**2 / 6.0, ROD * (LENGTH**2 + THICK**2) / 12.0  # a rod about its middle
SHAFT, CUBE = ROD * THICK**2 / 6.0, SLIDER * SIDE**2 / 6.0  # about the shaft's axis
TOLERANCE = 1e-12


def shaft_inertia(alpha: float) -> tuple[float, float]:
    """I about the shaft's axis [kg·m²] and its slope."""
    c, s = math.cos(alpha), math.sin(alpha)
    middle, end = OUT + 0.5 * LENGTH * c, OUT + LENGTH * c
    one = ALONG * s * s + ACROSS * c * c + ROD * middle**2 + BALL * end**2
    slope = 2.0 * s * c * (ALONG - ACROSS) - 2.0 * s * (ROD * middle * 0.5 * LENGTH + BALL * end * LENGTH)
    return SHAFT + CUBE + 2.0 * one, 2.0 * slope


MOMENTUM = shaft_inertia(START_ANGLE)[0] * SPEED


def rates(_: float, state: Array) -> list[float]:
    """Time derivative of ψ, α, s, α̇, ṡ."""
    _psi, alpha, s, alpha_rate, s_rate = state
    inertia, slope = shaft_inertia(alpha)

    # the spring runs from the slider's side to the rod's middle, both OUT from the axis at α = 90°
    across, up = 0.5 * LENGTH * math.cos(alpha), LENGTH - 0.5 * LENGTH * math.sin(alpha) - s
    length = math.hypot(across, up)
    by_alpha = -0.5 * LENGTH * (across * math.sin(alpha) + up * math.cos(alpha)) / length
    by_s = -up / length
    force = -STIFFNESS * (length - REST) - DAMPING * (by_alpha * alpha_rate + by_s * s_rate)
    turning = FIRST_MOMENT * G * math.cos(alpha) + 0.25 * (MOMENTUM / inertia) ** 2 * slope + force * by_alpha
    return [
        MOMENTUM / inertia,
        alpha_rate,
        s_rate,
        turning / HINGE_INERTIA,
        2.0 * force * by_s / SLIDER - G,
    ]


def coordinates(times: Array) -> Array:
    """Shaft angle ψ, α, s at each time: rad, rad, m."""
    start = [0.0, START_ANGLE, START_HEIGHT, 0.0, 0.0]
    span = (0.0, float(times[-1]))
    done = solve_ivp(rates, span, start, method="LSODA", t_eval=times, rtol=TOLERANCE, atol=TOLERANCE)
    return np.asarray(done.y[:3].T)


def path(times: Array) -> Array:
    """Where the slider is, m."""
    s = coordinates(times)[:, 2]
    return np.stack([np.zeros_like(s), np.zeros_like(s), s], axis=1)
