# SPDX-License-Identifier: BSD-3-Clause
"""A boom on an open-centre valve with a fixed pump, hoses and a counterbalance valve rests, whatever the sizes.

The pump's flow goes through the valve's centre, and on the way the search leaps over checks that open within a bar of
each other. Rank: second formulation, a run from what was found, whose pressures stay.
"""

import numpy as np
import pytest

import knuckleboom as kb

DURATION = 0.2


def boom(displacement="20 cm3/rev", block="50 cm3", accumulator=True, ratio=3.0, start="1.01325 bar"):
    m = kb.Machine("boom")
    arm = m.body("boom", mass="250 kg", com=(1.2, 0, 0), inertia=(5, 150, 150))
    m.revolute("foot", m.ground, arm, axis="-y", start="20 deg")
    oil = m.oil("oil", kb.fluids.mineral_oil())
    tank, supply, inner = oil.tank("tank"), oil.volume("supply", "0.5 l"), oil.junction("block", block)
    lift = oil.cylinder(
        "lift", m.ground.at(0.4, 0, -0.8), arm.at(0.9, 0, 0), bore="80 mm", rod="45 mm", stroke="0.6 m",
        viscous="3 kN s/m", coulomb="400 N", breakaway="600 N", bristle_stiffness="20 kN/mm",
        bristle_damping="20 kN s/m", pressure_a=start,
    )  # fmt: skip
    oil.pump(
        "pump", tank, supply, displacement=displacement, speed="1500 rpm", volumetric_efficiency=0.94,
        mechanical_efficiency=0.92, rated_pressure="200 bar",
    )  # fmt: skip
    oil.relief_valve("relief", supply, tank, flow=("80 l/min", "20 bar"), setting="180 bar")
    hose = {"length": "2 m", "diameter": "12 mm", "wall": "400 MPa"}
    bore, rod = oil.hose("hose_a", to=inner, **hose), oil.hose("hose_b", to=lift.b, **hose)
    oil.counterbalance_valve(
        "hold", a=lift.a, b=inner, x=rod, flow=("60 l/min", "20 bar"), free_flow=("60 l/min", "4 bar"),
        setting="120 bar", ratio=ratio,
    )  # fmt: skip
    oil.valve_6_3("valve", P=supply, T=tank, A=bore, B=rod, C=supply, D=tank, flow=("40 l/min", "10 bar"))
    if accumulator:
        oil.accumulator("accu", to=lift.a, size="0.3 l", precharge="20 bar", flow=("40 l/min", "2 bar"))
    return m


@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"accumulator": False},
        {"block": "20 cm3"},
        {"block": "0.2 l"},
        {"displacement": "45 cm3/rev"},
        {"displacement": "10 cm3/rev"},
        {"start": "9 bar"},
        {"ratio": 4.0},
    ],
)
def test_it_rests_and_stays(sizes):
    machine = boom(**sizes)
    run = kb.simulate(machine, DURATION, step=1e-3, coupling="realtime", start=kb.equilibrium(machine))

    assert max(float(np.ptp(one.values)) for one in run.find("*.pressure")) < 1.0 * DURATION, "1 Pa/s"
    assert float(np.ptp(run["foot.angle"].values)) < 1e-9
