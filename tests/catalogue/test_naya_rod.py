# SPDX-License-Identifier: BSD-3-Clause
"""Naya's rod as described: his numbers, his equilibrium, his valve; and the same machine as a YAML file."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import fsolve

import knuckleboom as kb
from knuckleboom.catalogue import naya_rod as catalogue
from knuckleboom.catalogue.naya_rod import equilibrium, naya_rod
from knuckleboom.hydraulics.parts.naya_valve import NayaValve

FILE = Path(catalogue.__file__).with_suffix(".yaml")


def test_equilibrium_solves_his_equations():
    """Eq. (32) typed as printed, by another route: SciPy's fsolve from a poor guess."""

    def equations(unknown):
        kappa, p1, p2 = unknown
        inflow, outflow = 0.0005 * kappa, 0.0005 * (1.0 - kappa)
        return (
            (2 * 250.0 + 200.0) * 9.81 - (p2 - p1) * 1e6 * 0.0065,
            1e4 * (inflow * math.sqrt(7.6 - p1) - outflow * math.sqrt(p1 - 0.1)),
            1e4 * (outflow * math.sqrt(7.6 - p2) - inflow * math.sqrt(p2 - 0.1)),
        )

    kappa, p1, p2 = fsolve(equations, (0.5, 3.0, 4.0), xtol=1e-13)

    assert equilibrium() == pytest.approx((kappa, 1e6 * p1, 1e6 * p2), rel=1e-10)


@pytest.mark.parametrize("one_sided", [False, True])
def test_starts_in_equilibrium(one_sided):
    planned = kb.build(naya_rod(one_sided=one_sided).machine)
    assert planned.dof == 1
    # 1e-10 of gravity's 20 rad/s²
    assert abs(planned.accelerations()[0]) < 2e-9


def test_rod_turns_as_a_line_of_mass():
    """Inertia about A: M L² + m L²/3, eq. (33)."""
    assert kb.build(naya_rod().machine).mass_matrix() == pytest.approx(np.array([[250.0 + 200.0 / 3.0]]), rel=1e-14)


def test_positive_angle_lifts():
    run = kb.simulate(naya_rod().machine, "1 ms", step="0.1 ms")
    assert run["rod.tip.position"].values[0] == pytest.approx((math.sqrt(0.75), 0.0, 0.5), abs=1e-12)
    assert run["lift.length"].values[0] == pytest.approx(0.5, abs=1e-12)


def test_less_kappa_lifts():
    """A smaller κ opens pump → lower chamber, eq. (29)."""
    case = naya_rod()
    run = kb.simulate(case.machine, "0.2 s", step="0.2 ms", inputs={"valve": equilibrium().kappa - 0.01})
    assert run["pin.angle"].values[-1] > math.radians(30.0) + 1e-3


def test_same_machine_as_the_file():
    assert kb.read(FILE) == naya_rod().machine


def test_its_valve_is_a_kind_of_part():
    machine = kb.Machine("any")
    oil = machine.oil(kb.fluids.naya())
    for name in ("P", "T", "A", "B"):
        oil.pressure(name, "10 bar")
    valve = machine.naya_valve("valve", P="P", T="T", A="A", B="B")
    assert isinstance(valve.part, NayaValve)
