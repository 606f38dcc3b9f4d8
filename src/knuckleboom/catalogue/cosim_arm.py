# SPDX-License-Identifier: BSD-3-Clause
"""The hydraulic manipulator of the public co-simulation benchmarks: Naya's rod with a second, massless link at its tip.

[González 2021], github.com/fgonzalezLIM/cosim-benchmarks (MIT), from whose description and parameters all numbers are;
"a similar model" is the example of a journal paper of Peiret et al. (2018). Rod, cylinder, valve and oil are those of
naya_rod.py: 1 m, 200 kg, 250 kg at the tip Q. The second link hangs from Q: 0.5 m, massless, 100 kg at its end R.

Axes: x to the right, z up, O at the origin. Both hinges turn about −y. θ₁ and θ₂ are measured from x; our `hinge` has
θ₂ − θ₁, so that it starts at 270° − 30°, which is −120°.
Chambers: p₂, the lower one, extends and is port `lift.a`; p₁, the upper one, is `lift.b`.
The massless link is exact: the body `link` has all its 100 kg at its centre of mass R and no inertia about it. About
the hinge that is 25 kg·m², so that no matrix becomes singular, in no set of coordinates.

The start is static equilibrium with the second link hanging: f = (2·(250 + 100) + 200)·g = 8829 N, hence, as in
naya_rod.py, κ₀ = 0.45434559, p₁ = 3170846.2 Pa, p₂ = 4529153.8 Pa in closed form.

    m1   κ₀ until 2 s, by 1 ms to κ₀ − 0.01, from 6 s by 2 ms to κ₀ + 0.02, straight between
    m2   κ₀·(1 − A·sin 4πt), A = 0.1·t until 1 s, 0.1 until 8 s, then falling to 0 at 9 s

The case `m2` has straight lines of 5 ms between points that lie 0.03 % further out than the law, so that the lines have
its own first harmonic: s stays within 4e-7 m of the law's (2e-5 m with points on it). `sine` is the law itself.

Where the benchmark's text and its code differ, the code is meant here: m/3 + m_p + m_h in the mass matrix, m/2 + m_p +
m_h in the weight, 2 Hz (text: (m + m_p + m_h)/3, a half of the same sum, "2 rad/s").
Validated by: validation/literature/test_gonzalez_2021_cosim_arm.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue import naya_rod
from knuckleboom.machine.case import Case
from knuckleboom.machine.over_time import Table, ramps, table

LINK, LINK_MASS = 0.5, 100.0  # m, kg
HANGS = math.radians(270.0 - 30.0 - 360.0)
OMEGA = 4.0 * math.pi  # rad/s, of M2
SAMPLE = 0.005  # s, between the points of the case m2


def equilibrium() -> naya_rod.Equilibrium:
    """Spool displacement and pressures that hold the arm, as for Naya's rod with the load of both points."""
    return naya_rod.equilibrium(naya_rod.LOAD_MASS + LINK_MASS)


def steps() -> Table:
    """Law M1 of κ."""
    kappa = equilibrium().kappa
    return ramps({0.0: kappa, 2.0: kappa, 2.001: kappa - 0.01, 6.0: kappa - 0.01, 6.002: kappa + 0.02})


def sine(time: float) -> float:
    """Law M2 of κ."""
    amplitude = 0.1 * min(time, 1.0, max(9.0 - time, 0.0))
    return equilibrium().kappa * (1.0 - amplitude * math.sin(OMEGA * time))


def sampled_sine() -> Table:
    """Law M2, straight between points, see the card; rounded, as a file need not be longer."""
    kappa, half = equilibrium().kappa, 0.5 * OMEGA * SAMPLE
    # straight lines between samples have the harmonic times (sin x / x)², x = ωh/2
    raised = (half / math.sin(half)) ** 2
    times = [round(SAMPLE * k, 3) for k in range(round(9.0 / SAMPLE) + 1)]
    return table(times, [round(kappa + raised * (sine(time) - kappa), 9) for time in times])


def cosim_arm() -> Case:
    """Return the arm at rest in equilibrium, and both manoeuvres; M1 is the first."""
    rest = equilibrium()
    m = naya_rod.lifted_rod("cosim-arm", rest)
    link = m.body("link", mass=LINK_MASS, com=(LINK, 0.0, 0.0), inertia=(0.0, 0.0, 0.0))
    link.point("tip", (LINK, 0.0, 0.0))
    m.revolute("hinge", "rod.tip", link, axis="-y", start=HANGS)
    link.shape("box", size=(LINK, 0.05, 0.05), at=(0.5 * LINK, 0.0, 0.0))
    link.shape("sphere", size=0.12, at=(LINK, 0.0, 0.0), colour="orange")
    m.cite = "gonzalez2021"
    meaning = "rod on one cylinder with a second link hanging from its tip; the spool "
    words = {"duration": 10.0, "step": 1e-3, "method": {"coupling": "unified"}}
    first = m.case("m1", meaning=f"{meaning}moves at 2 s and 6 s", inputs={"valve": steps()}, **words)
    m.case("m2", meaning=f"{meaning}swings at 2 Hz", inputs={"valve": sampled_sine()}, **words)
    return first
