# SPDX-License-Identifier: BSD-3-Clause
"""Friction of what slides or turns: dry, with breakaway, viscous; smooth through zero speed, or bristles that stick.

    g(w) = coulomb + (breakaway − coulomb)·exp(−(w/stribeck_speed)²)
    smooth:    λ = −g(w)·tanh(w/friction_speed) − viscous·w                    creeps under less than it should hold
    bristles:  λ = −(σ₀·z + σ₁·exp(−(w/stribeck_speed)²)·ż + viscous·w)                          [Canudas de Wit 1995]
               ż = w − hold·σ₀·|w|·z/g(w)                                                                 laws/hold.py

σ₀ is bristle_stiffness, σ₁ bristle_damping, z a state. Bristles hold any force up to `breakaway` at rest, yield
elastically by F/σ₀, and stick and slip. With `bristle_stiffness` the second law is taken, else the first. Bristles take
more energy than they give while bristle_damping ≤ 4·√(2e)·coulomb/stribeck_speed (laws/bristle.py). Below `hold_speed`
they do not slip before 0.9 of `breakaway`, so that a load that swings does not make them walk; at 0 they are LuGre's as
published. Its default is the largest bend, breakaway/σ₀, in 10 ms, which steps of up to 2.5 ms follow, but at most
stribeck_speed.
"""

import math
from collections.abc import Iterator
from typing import Any

from knuckleboom.describe import Fault, Net
from knuckleboom.net import Row

PASSIVE = 4.0 * math.sqrt(2.0 * math.e)
"""Largest bristle_damping·stribeck_speed/coulomb at which bristles cannot give more energy than they took."""
BENDING = 0.01
"""Time in which bristles bend fully at the default of hold_speed, s."""


def rubbing_faults(part: Any, speed: str) -> Iterator[Fault]:
    """Yield what is wrong with a part's friction settings together; `speed` is the field of the smoothing speed."""
    given = part.model_fields_set
    at_a_joint = hasattr(part, "joint")  # which may turn
    force = "500 N, or N*m at an angle" if at_a_joint else "500 N"
    stiffness = "1e7 N/m, or 1e5 N*m/rad at an angle" if at_a_joint else "1e7 N/m"
    if part.breakaway is None and part.bristle_stiffness is None and "stribeck_speed" in given:
        fix = f"Add breakaway: {force}"
        yield Fault("stribeck_speed has no effect without breakaway.", fix, field="stribeck_speed")
    if part.breakaway is not None and part.breakaway < part.coulomb:
        rule = f"breakaway ({part.breakaway:g}) is below coulomb ({part.coulomb:g})."
        yield Fault(rule, "It takes at least as much to break away as to go on: raise breakaway.", field="breakaway")
    if part.bristle_stiffness is None and "bristle_damping" in given:
        fix = f"Add bristle_stiffness: {stiffness}"
        yield Fault("bristle_damping has no effect without bristle_stiffness.", fix, field="bristle_damping")
    if part.bristle_stiffness is None and "hold_speed" in given:
        fix = f"Add bristle_stiffness: {stiffness}"
        yield Fault("hold_speed has no effect without bristle_stiffness.", fix, field="hold_speed")
    if part.bristle_stiffness is not None and speed in given:
        rule = f"it has both {speed} and bristle_stiffness."
        fix = f"Give one of them: {speed} smooths dry friction through zero speed, bristle_stiffness lets it stick."
        yield Fault(rule, fix, field=speed)
    if part.bristle_stiffness is not None and not part.coulomb > 0.0:
        rule = "bristles need dry friction that they carry, and coulomb is 0."
        yield Fault(rule, "Give coulomb, or leave bristle_stiffness out.", field="bristle_stiffness")
    elif part.bristle_stiffness is not None:
        most = PASSIVE * part.coulomb / part.stribeck_speed
        if part.bristle_damping > most:
            rule = f"bristle_damping ({part.bristle_damping:g}) is so large that bristles could drive."
            fix = f"Give at most 4·√(2e)·coulomb/stribeck_speed = {most:.3g}, or a lower stribeck_speed."
            yield Fault(rule, fix, field="bristle_damping")


def rub(net: Net, row: Row, part: Any, speed: float) -> None:
    """Write a part's friction on a row; nothing when there is none."""
    highest = part.coulomb if part.breakaway is None else part.breakaway
    if part.bristle_stiffness is not None:
        bending = min(highest / part.bristle_stiffness / BENDING, part.stribeck_speed)
        net.bristle(
            row, coulomb=part.coulomb, breakaway=highest, stribeck=part.stribeck_speed, viscous=part.viscous,
            stiffness=part.bristle_stiffness, damping=part.bristle_damping,
            hold_speed=bending if part.hold_speed is None else part.hold_speed,
        )  # fmt: skip
    elif highest > 0.0 or part.viscous > 0.0:
        net.friction(
            row, part.coulomb, part.viscous, speed, breakaway=highest, stribeck=part.stribeck_speed
        )  # fmt: skip
