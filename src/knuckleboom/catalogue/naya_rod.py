# SPDX-License-Identifier: BSD-3-Clause
"""Naya's rod: a pinned rod with a mass at its tip, lifted by one cylinder through a valve of four orifices.

[Naya 2011, section 4]: L = 1 m, m = 200 kg, M = 250 kg; cylinder from B(√3/2, 0) on the ground to the rod's centre,
piston area A = 0.0065 m² on both sides, l = 0.442 m, viscous friction 1e5 N·s/m, no dead volume; the rod starts at rest
at 30°.

Axes: x to the right, z up, A at the origin. The pin turns about −y, so that a positive angle lifts the rod.
Chambers: his p₂, the lower one, extends and is our port `lift.a`; his p₁, the upper one, is `lift.b`. [eqs 28, 30]
Valve: κ opens pump → upper and lower → tank by 0.0005·κ, the other two edges by 0.0005·(1 − κ) [eqs 29, 31]; see
hydraulics/parts/naya_valve.py.
Oil: a and b of β(p) are not printed there; see hydraulics/parts/fluids.py.

The start is static equilibrium, eq. (32), which has a closed form: with r = (κ/(1 − κ))² the two pressure equations
give p₁ = (r·p_P + p_T)/(1 + r), p₂ = (p_P + r·p_T)/(1 + r), and the force (2M + m)·g = (p₂ − p₁)·A then gives r.

His roots are one-sided (δ_P, δ_T); ours are two-sided and smooth below `transition`, which this case never reaches, so
that both give the same motion. Validated by: validation/literature/test_naya_2011_rod.py
"""

from __future__ import annotations

import math
from typing import NamedTuple

from knuckleboom.hydraulics.parts.fluids import naya
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

GRAVITY = 9.81  # m/s²
LENGTH, ROD_MASS, LOAD_MASS = 1.0, 200.0, 250.0  # m, kg, kg
START_ANGLE = math.radians(30.0)
FOOT = (math.sqrt(3.0) / 2.0, 0.0, 0.0)  # B, m
PISTON_AREA, STROKE, VISCOUS = 0.0065, 0.442, 1e5  # m², m, N·s/m
PUMP, TANK = 7.6e6, 0.1e6  # Pa
JUMP = 0.01  # of κ, down at 2 s and up at 6 s [eq. 38]


class Equilibrium(NamedTuple):
    """Spool displacement and pressures (Pa) that hold the rod still."""

    kappa: float
    upper: float
    lower: float


def equilibrium(load: float = LOAD_MASS) -> Equilibrium:
    """Solve [Naya 2011, eq. 32] in closed form, see the card; the load at the tip in kg."""
    difference = (2.0 * load + ROD_MASS) * GRAVITY / PISTON_AREA
    r = (PUMP - TANK - difference) / (PUMP - TANK + difference)
    kappa = math.sqrt(r) / (1.0 + math.sqrt(r))
    return Equilibrium(kappa, upper=(r * PUMP + TANK) / (1.0 + r), lower=(PUMP + r * TANK) / (1.0 + r))


def lifted_rod(name: str, rest: Equilibrium, *, one_sided: bool = False) -> Machine:
    """Return a machine of the loaded rod on its cylinder with valve, pump and tank."""
    m = Machine(name, gravity=(0.0, 0.0, -GRAVITY))

    # uniform along x; about x a bar has next to nothing, and this motion never turns it that way
    across = ROD_MASS * LENGTH**2 / 12.0
    rod = m.body("rod", mass=ROD_MASS, com=(0.5 * LENGTH, 0.0, 0.0), inertia=(0.1, across, across))
    rod.point_mass("load", LOAD_MASS, (LENGTH, 0.0, 0.0))
    rod.point("centre", (0.5 * LENGTH, 0.0, 0.0))
    rod.point("tip", (LENGTH, 0.0, 0.0))
    m.ground.point("B", FOOT)
    m.revolute("pin", m.ground, rod, axis="-y", start=START_ANGLE)

    oil = m.oil(naya())
    lift = m.cylinder(
        "lift", "ground.B", "rod.centre", bore=math.sqrt(4.0 * PISTON_AREA / math.pi), rod=0.0, stroke=STROKE, oil=oil,
        dead_a=0.0, dead_b=0.0, pressure_a=rest.lower, pressure_b=rest.upper, viscous=VISCOUS,
    )  # fmt: skip
    pump = oil.pressure("pump", PUMP)
    tank = oil.tank("tank", TANK)
    m.naya_valve("valve", P=pump, T=tank, A=lift.a, B=lift.b, kappa=rest.kappa, one_sided=one_sided)

    rod.shape("box", size=(LENGTH, 0.08, 0.08), at=(0.5 * LENGTH, 0.0, 0.0))
    rod.shape("sphere", size=0.15, at=(LENGTH, 0.0, 0.0), colour="orange")
    return m


def naya_rod(*, one_sided: bool = False) -> Case:
    """Return the rod at rest in equilibrium, and his 10 s with two jumps of the spool."""
    rest = equilibrium()
    m = lifted_rod("naya-rod", rest, one_sided=one_sided)
    m.cite = "naya2011"
    return m.case(
        "published",
        duration=10.0,
        step=1e-4,
        meaning="rod with a load on one cylinder; the spool jumps at 2 s and 6 s",
        inputs={"valve": {0.0: rest.kappa, 2.0: rest.kappa - JUMP, 6.0: rest.kappa + JUMP}},
        method={"coupling": "explicit"},
    )
