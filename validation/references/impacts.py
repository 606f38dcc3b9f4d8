# SPDX-License-Identifier: BSD-3-Clause
"""Rigid impacts and rest in closed form: a ball that bounces, boxes that stand on each other.

A ball dropped from h with restitution e touches first after t₁ = √(2h/g), then after flights of 2 eⁿ t₁ with the apex
e²ⁿ h. For e < 1 it has come to rest after t₁ (1 + e)/(1 − e): infinitely many impacts in a finite time.
Checked in ``validation/analytic/test_nonsmooth_references.py``.
"""

from __future__ import annotations

import numpy as np

SHORTEST = 1e-12
"""Flight that counts as rest, s."""


def impact_times(height: float, restitution: float, count: int, g: float = 9.81) -> np.ndarray:
    """Times [s] of the first `count` impacts; for e = 0 there is one, and the rest repeat it."""
    first = np.sqrt(2.0 * height / g)
    flights = 2.0 * first * restitution ** np.arange(1, count)
    return first + np.concatenate([[0.0], np.cumsum(flights)])


def rest_time(height: float, restitution: float, g: float = 9.81) -> float:
    """Time [s] from which the ball rests, ∞ for e = 1."""
    first = np.sqrt(2.0 * height / g)
    return float(first * (1.0 + restitution) / (1.0 - restitution)) if restitution < 1.0 else np.inf


def bouncing_ball(time: np.ndarray, height: float, restitution: float, g: float = 9.81) -> np.ndarray:
    """Height [m] of the ball over the floor at the times."""
    time = np.asarray(time, float)
    start, speed, result = np.sqrt(2.0 * height / g), np.sqrt(2.0 * height * g), np.zeros(len(time))
    falls = time < start
    result[falls] = height - 0.5 * g * time[falls] ** 2
    while start < time[-1]:
        speed *= restitution
        flight = 2.0 * speed / g
        if flight < SHORTEST:
            break
        inside = (time >= start) & (time < start + flight)
        since = time[inside] - start
        result[inside] = speed * since - 0.5 * g * since**2
        start += flight
    return result


def stack_loads(masses: np.ndarray, degrees: float = 0.0, g: float = 9.81) -> tuple[np.ndarray, np.ndarray]:
    """Normal and tangential force [N] under each box of a stack, the lowest first, on ground inclined by `degrees`."""
    carried = np.cumsum(np.asarray(masses, float)[::-1])[::-1] * g
    return carried * np.cos(np.radians(degrees)), carried * np.sin(np.radians(degrees))


def stack_centres(masses: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Where [m] the normal force under each box of a level stack acts, the boxes' centres being at `places`."""
    masses, places = np.asarray(masses, float)[::-1], np.asarray(places, float)[::-1]
    return (np.cumsum(masses * places) / np.cumsum(masses))[::-1]
