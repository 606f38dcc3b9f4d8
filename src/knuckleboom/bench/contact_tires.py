# SPDX-License-Identifier: BSD-3-Clause
"""Tires for `bench contact`: slip curves, creep on a slope, and a vehicle driven recklessly over rough ground.

    curve       F/N of a steady slip speed w, rolling speed u:  μ (1 − (1 − e⁻ˣ)/x) + σ₂ w,  x = σ₀ L w/(μ u), along
                and across, and μ + σ₂ w where the wheel is locked
    slope       four wheels held by brakes on 10 %: still, and with a boom of 500 kg at 2 m that slews to and fro
    reckless    8 t at 6 m/s over ground of 25 cm rms, steering, torques of up to 8 kN m at each wheel that jump,
                shoved at the roof by up to 120 kN until it rolls over, and on

All at 1 ms. Creep is the largest distance from the place 20 s after the start, always at the same phase of the boom.
The curve is derived in docs/theory/tires.md; validation/analytic/test_tire.py has more.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from knuckleboom.bench.contact_ground import G, creep_mm, gain_percent, residual_percent, run
from knuckleboom.bench.rounds import Progress
from knuckleboom.bench.vehicle import HEIGHT, INERTIA, LOADED, RADIUS, WHEEL, WHEELS, WIDTH, four_wheels, rig
from knuckleboom.errors import SimulationError
from knuckleboom.machine import Machine

LOAD = 30e3  # N, on the wheel of the curves
MU, RISE, STRIBECK, CORNERING, PATCH, VISCOUS = 0.6, 1.25, 2.0, 22.5, 0.45, 0.002
LAW: dict[str, Any] = {
    "friction": MU, "breakaway": MU * RISE, "stribeck_speed": STRIBECK, "cornering": CORNERING, "patch": PATCH,
    "viscous": VISCOUS,
}  # fmt: skip
SPEED = 5.0  # m/s
SLIPS = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.6, 1.0)
ANGLES = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0)
"""Degrees."""
TOWED = 1.0  # s: several relaxation lengths

TILT = math.atan(0.1)
SETTLED = 20.0  # s
SWING = 5.0  # s: of the boom, to and fro

ROUGH, GRID, FIELD = 0.25, 2.0, 121
"""m rms, m from one height to the next, heights each way."""
DRIVEN, TORQUE, SHOVE, DRAG = 6.0, 8e3, 120e3, 600.0
"""m/s, N m, N, N m s: what keeps a wheel in the air from spinning ever faster."""
SEEDS = (1, 2, 3)
OVER = 80.0
"""Degrees of lean from which it counts as rolled over."""


# --- slip curves ------------------------------------------------------------------------------------------------------


def steady(w: float, u: float) -> float:
    """F/N of a steady slip speed w; the wheel rolls at u."""
    mu = MU * (1.0 + (RISE - 1.0) * math.exp(-((w / STRIBECK) ** 2)))
    x = 2.0 * CORNERING * abs(w) / (mu * u) if u else math.inf
    return math.copysign(mu * (1.0 + math.expm1(-x) / x), w) + VISCOUS * w


def yawed(angle: float, ahead: float, rim: float) -> Machine:
    """A wheel that is towed along x and heads to its right by an angle."""
    m = Machine("rig")
    m.terrain("floor")
    axis = (math.sin(angle), math.cos(angle), 0.0)
    cart, leg = m.body("cart", mass=1.0, inertia=(1, 1, 1)), m.body("leg", mass=LOAD / G - WHEEL, inertia=(1, 1, 1))
    wheel = m.body("wheel", mass=WHEEL, inertia=(INERTIA,) * 3)
    m.prismatic("carriage", m.ground, cart, axis="x", speed=ahead)
    m.prismatic("lift", cart, leg, axis="z", start=LOADED)
    m.revolute("axle", leg, wheel, axis=axis, speed=rim / LOADED)
    m.driver("tow", "carriage", speed=ahead)
    m.driver("turn", "axle", speed=rim / LOADED)
    m.tire("tire", wheel, radius=RADIUS, width=WIDTH, axle=axis, load=LOAD, discs=1, rolling_resistance=0.0, **LAW)
    return m


def curve() -> dict[str, Any]:
    """The largest error of the force over the load at steady slip, along, across and locked."""
    errors = []
    for slip in (*SLIPS, *(-slip for slip in SLIPS)):
        w = slip * SPEED
        results = run(rig(driven=(SPEED + w, SPEED), **LAW), TOWED, 0.01)
        errors.append(float(results["tire.longitudinal_force"].values[-1]) / LOAD + steady(w, SPEED))
    for angle in map(math.radians, ANGLES):
        u = SPEED * math.cos(angle)
        results = run(yawed(angle, SPEED, u), TOWED, 0.01)
        errors.append(float(results["tire.lateral_force"].values[-1]) / LOAD + steady(SPEED * math.sin(angle), u))
    for speed in (0.5, SPEED):
        results = run(rig(driven=(speed, 0.0), **LAW), TOWED, 0.01)
        errors.append(float(results["tire.longitudinal_force"].values[-1]) / LOAD + steady(speed, 0.0))
    return {"tire_curve_error": float(np.abs(errors).max())}


# --- standing on a slope ----------------------------------------------------------------------------------------------


def parked(*, moving: bool) -> Machine:
    """Four wheels with their brakes on, up a slope of 10 %; with a boom that slews."""
    m = four_wheels(braked=True, slope=TILT, steer=None)
    if moving:
        boom = m.body("boom", mass=500.0, com=(2.0, 0, 0), inertia=(20, 200, 200))
        m.revolute("slew", "chassis", boom, axis="z", at=(0, 0, 1.0))
        m.driver("swing", "slew", amplitude=1.0, frequency=1.0 / SWING)
    return m


def slope(seconds: float, progress: Progress) -> dict[str, Any]:
    """Creep of a braked vehicle, still and with its boom moving."""
    settled, found = min(SETTLED, 0.5 * seconds), {}
    for number, (key, moving) in enumerate((("slope_creep_mm", False), ("slope_creep_moving_mm", True))):
        found[key] = creep_mm(run(parked(moving=moving), seconds, SWING), "frame.position", settled)
        progress((number + 1.0) / 2.0)
    return found


# --- reckless driving -------------------------------------------------------------------------------------------------


def reckless(seed: int) -> Machine:
    """A vehicle with hubs and a cab that touch the ground too, on rough ground, its steering to and fro."""
    heights = ROUGH * np.random.default_rng(seed).normal(size=(FIELD, FIELD))
    edge = -0.5 * GRID * (FIELD - 1)
    terrain = {"heights": heights, "spacing": GRID, "at": (edge, edge, 0.0)}
    m = four_wheels(speed=DRIVEN, terrain=terrain, start=(0, 0, HEIGHT + 3 * ROUGH, 0, 0, 0))
    for side in ("left", "right"):
        m.assign(f"steer_front_{side}", {"amplitude": 0.5, "frequency": 0.23})
    m.contact("cab", m["chassis"].at(0, 0, 0.6), box=(3.0, 1.6, 1.4), against=[], friction=0.6, restitution=0.1)
    for name in WHEELS:
        m.joint_friction(f"drag_{name}", f"axle_{name}", coulomb=50.0, viscous=DRAG)
        m.contact(f"hub_{name}", f"wheel_{name}", sphere=0.25, against=[], friction=0.5, restitution=0.1)
    for axis in ("x", "y"):
        m.force(f"shove_{axis}", m["chassis"].at(0, 0, 1.0), axis)
    return m


def hands(seconds: float, seed: int) -> dict[str, dict[float, float]]:
    """Torques that jump every 0.3 to 2 s, and shoves of half a second every 3 to 8 s."""
    random = np.random.default_rng(seed)
    found: dict[str, dict[float, float]] = {}
    for name in WHEELS:
        times = np.round(np.cumsum(random.uniform(0.3, 2.0, math.ceil(seconds / 0.3))), 3)
        sizes = TORQUE * random.uniform(-0.5, 1.0, len(times))
        found[f"drive_{name}"] = {0.0: 0.0} | {float(t): float(s) for t, s in zip(times, sizes, strict=True)}
    for axis in ("x", "y"):
        times = np.round(np.cumsum(random.uniform(3.0, 8.0, math.ceil(seconds / 3.0))), 3)
        shoves: dict[float, float] = {0.0: 0.0}
        for t in times:
            shoves |= {float(t): SHOVE * float(random.uniform(-1.0, 1.0)), float(t) + 0.5: 0.0}
        found[f"shove_{axis}"] = shoves
    return found


def drive(seconds: float, progress: Progress) -> dict[str, Any]:
    """Drive recklessly, every seed its share of the time; how far it leaned, how deep tires went, and energy."""
    leans, deepest, gains, residuals, failed = [], 0.0, [], [], []
    for number, seed in enumerate(SEEDS):
        share = seconds / len(SEEDS)
        try:
            results = run(reckless(seed), share, 1e-2, hands(share, seed))
        except SimulationError as error:
            failed.append(f"seed {seed}: {error}")
            continue
        _, x, y, _ = np.asarray(results["frame.orientation"].values).T
        leans.append(math.degrees(math.acos(float(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0).min()))))
        deepest = max(deepest, *(float(np.max(results[f"{name}.deflection"].values)) for name in WHEELS))
        gains.append(gain_percent(results))
        residuals.append(residual_percent(results))
        progress((number + 1.0) / len(SEEDS))
    found = {
        "seconds": seconds, "seeds": len(SEEDS), "rolled_over": sum(lean > OVER for lean in leans),
        "failed": failed, "deflection_mm": 1e3 * deepest, "energy_residual_percent": max(residuals, default=None),
    }  # fmt: skip
    return {"reckless": found, "energy_gains": {"reckless": max(gains, default=math.inf)}}
