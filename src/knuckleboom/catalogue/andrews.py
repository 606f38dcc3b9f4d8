# SPDX-License-Identifier: BSD-3-Clause
"""Andrews' squeezing mechanism: seven bodies in a plane, three loops at one pin, a spring and a constant torque.

[Schiehlen 1990], as posed and solved in the test set for initial value problems [Mazzia 2008, problem andrews] and
in [Hairer 1996]; all numbers are the test set's. No gravity. Seven angles in the test set's definition are
the seven joint coordinates of our tree, so that the results hold them as `beta.angle` … `epsilon.angle`:

    beta     crank K1, O → F              gamma   triangle K3 about B; carries E and the spring's end D
    theta    K2 against K1, F → E         phi, delta       K4 against K5 (G → E), K5 about A (A → G)
                                          omega, epsilon   K6 against K7 (H → E), K7 about A (A → H)

    E = R·e(β) − d·e(β + Θ)                                  e(x) = (cos x, sin x),  n(x) = (sin x, −cos x)
      = B + ss·n(γ) = A + zt·e(δ) + e·n(φ + δ) = A + u·n(ε) + zf·e(ω + ε)

K2 meets K3, K4 and K6 at E: three cut pins, 6 equations on 7 coordinates. The torque acts on K1; the spring runs from
D to C. Drawn upright: the test set's x, y are our x, z, and hinges turn about −y. On which side of the lines B-E, A-G
and A-H the centres of mass of K3, K5, K7 lie does not enter the equations of bodies that turn about fixed points
without gravity; their distances do.

The reference at 0.03 s, by PSIDE at a tolerance of 1e-14, is in REFERENCE. The motion is fast: K1 makes 2.5 turns in
0.03 s. Validated by: validation/literature/test_andrews.py
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from knuckleboom.catalogue.solids import lamina
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case

MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)  # K1 … K7, kg
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)  # about their centres, kg·m²
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)  # m
D_LENGTH, DA, E_LENGTH, EA = 28e-3, 115e-4, 2e-2, 1421e-5  # test set's d, da, e, ea, m
RR, RA, SS, SA, SB, SC, SD = 7e-3, 92e-5, 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2
TA, TB, U, UA, UB, ZF, ZT, FA = 2308e-5, 916e-5, 4e-2, 1228e-5, 449e-5, 2e-2, 4e-2, 1421e-5
STIFFNESS, REST, TORQUE = 4530.0, 7785e-5, 33e-3  # c0, N/m; l0, m; mom, N·m

ANGLES = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
START = {  # rad; consistent with the loops
    "beta": -0.0617138900142764496358948458001,
    "theta": 0.0,
    "gamma": 0.455279819163070380255912382449,
    "phi": 0.222668390165885884674473185609,
    "delta": 0.487364979543842550225598953530,
    "omega": -0.222668390165885884674473185609,
    "epsilon": 1.23054744454982119249735015568,
}
REFERENCE = {  # rad, at 0.03 s [Mazzia 2008, problem andrews]
    "beta": 15.81077119629904,
    "theta": -15.75637105984298,
    "gamma": 0.04082224013073101,
    "phi": -0.5347301163226948,
    "delta": 0.5244099658805304,
    "omega": 0.5347301163226948,
    "epsilon": 1.048080741042263,
}


def andrews() -> Case:
    """Return the mechanism at rest in the test set's start pose."""
    m = Machine("andrews", gravity=(0.0, 0.0, 0.0))
    k1 = _body(m, 1, (RA, 0.0))
    k2 = _body(m, 2, (-DA, 0.0))
    k3 = _body(m, 3, (SB, -SA))
    k4 = _body(m, 4, (0.0, EA - E_LENGTH))
    k5 = _body(m, 5, (TA, TB))
    k6 = _body(m, 6, (ZF - FA, 0.0))
    k7 = _body(m, 7, (UB, -UA))

    _pin(m, "beta", m.ground, k1)
    _pin(m, "theta", k1.at(RR, 0.0, 0.0), k2)
    _pin(m, "gamma", m.ground.at(_place(B)), k3)
    _pin(m, "delta", m.ground.at(_place(A)), k5)
    _pin(m, "phi", k5.at(ZT, 0.0, 0.0), k4)
    _pin(m, "epsilon", m.ground.at(_place(A)), k7)
    _pin(m, "omega", k7.at(0.0, 0.0, -U), k6)
    end = k2.point("E", _place((-D_LENGTH, 0.0)))
    for name, body, at in (("K3", k3, (0.0, -SS)), ("K4", k4, (0.0, -E_LENGTH)), ("K6", k6, (ZF, 0.0))):
        m.revolute(f"E_{name}", end, body.at(_place(at)), axis="-y", cut=True)

    spring_end = k3.point("D", _place((SD, -SC)))
    m.spring("spring", m.ground.at(_place(C)), spring_end, stiffness=STIFFNESS, rest=REST)
    m.torque("drive", "K1", axis="-y", value=TORQUE)

    _lines(k1, "orange", (0.0, 0.0), (RR, 0.0))
    _lines(k2, "grey", (0.0, 0.0), (-D_LENGTH, 0.0))
    _lines(k3, "steelblue", (0.0, 0.0), (0.0, -SS), (SD, -SC), (0.0, 0.0))
    _lines(k4, "green", (0.0, 0.0), (0.0, -E_LENGTH))
    _lines(k5, "brown", (0.0, 0.0), (ZT, 0.0), (TA, TB), (0.0, 0.0))
    _lines(k6, "green", (0.0, 0.0), (ZF, 0.0))
    _lines(k7, "brown", (0.0, 0.0), (0.0, -U), (UB, -UA), (0.0, 0.0))
    m.ground.shape("sphere", size=1.5e-3, colour="black")
    for at in (A, B, C):
        m.ground.shape("sphere", size=1.5e-3, at=_place(at), colour="black")
    m.cite = "mazzia2008"
    return m.case(
        "published",
        duration=0.03,
        step=1e-5,
        meaning="seven bodies, three loops, a spring and a torque of 0.033 N·m: the test set's 0.03 s",
    )


def _place(at: tuple[float, float]) -> tuple[float, float, float]:
    """A point of the test set's plane."""
    return at[0], 0.0, at[1]


def _body(m: Machine, number: int, com: tuple[float, float]) -> Handle:
    return m.body(f"K{number}", mass=MASS[number - 1], com=_place(com), inertia=lamina(INERTIA[number - 1]))


def _pin(m: Machine, angle: str, a: Any, b: Handle) -> None:
    m.revolute(angle, a, b, axis="-y", start=START[angle])


def _lines(body: Handle, colour: str, *points: tuple[float, float]) -> None:
    """Draw a body as round bars from point to point."""
    for one, other in itertools.pairwise(points):
        along, up = other[0] - one[0], other[1] - one[1]
        middle = _place((0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1])))
        pitch = math.atan2(along, up)  # turns the capsule's z towards x
        size = (8e-4, math.hypot(along, up))
        body.shape("capsule", size=size, at=middle, rpy=(0.0, pitch, 0.0), colour=colour)
