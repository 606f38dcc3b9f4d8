# SPDX-License-Identifier: BSD-3-Clause
"""A circuit with every pump, line, accumulator, sensor and cylinder, for tests that want one of each kind."""

from knuckleboom.machine import Machine

LOST = {"volumetric_efficiency": 0.95, "mechanical_efficiency": 0.9, "rated_pressure": "150 bar"}
PUMP = {"displacement": "10 cm3/rev", "speed": "1500 rpm", **LOST}

NAMES = {
    "pump": "fixed", "variable_pump": "variable", "pressure_compensated_pump": "held",
    "load_sensing_pump": "margin_pump", "junction": "tee", "hose": "soft", "pipe": "hard", "local_loss": "bend",
    "filter": "filter", "accumulator": "bladder", "piston_accumulator": "piston", "pressure_sensor": "gauge",
    "differential_pressure_sensor": "margin", "flow_sensor": "turbine", "power_sensor": "watts",
    "single_acting_cylinder": "plunger", "telescopic_cylinder": "tipper",
}  # fmt: skip
"""The name of the part of each kind."""

INPUTS = {"variable": 0.7, "fixed.speed": "1400 rpm"}


def add_sources(m: Machine, oil: str = "fluid") -> None:
    """Add the circuit to a machine that has an oil, with bodies of its own."""
    on = m[oil]
    tank, tee = on.tank("sump", "1 bar"), on.junction("tee", "0.2 l", "60 bar")
    bodies = [m.body(f"{name}_load", mass=20.0, inertia=(1.0, 1.0, 1.0)) for name in ("plunger", "tipper")]
    for body, length in zip(bodies, (1.2, 1.6), strict=True):
        m.prismatic(f"{body.name}_rail", m.ground.at(0, 3, 0), body, axis="x", start=length)
    plunger = on.single_acting_cylinder(
        "plunger", m.ground.at(0, 3, 0), bodies[0], bore="40 mm", stroke="0.4 m", closed="1 m", spring="20 kN/m",
        spring_force="500 N", pressure_a="40 bar", coulomb=50.0, breakaway=80.0, bristle_stiffness=1e6,
        bristle_damping=1e3, viscous=500.0, cushion_in="5 cm", leak=1e-13, drain=tank, hose_a="0.1 l",
        hose_bulk="200 MPa",
    )  # fmt: skip
    tipper = on.telescopic_cylinder(
        "tipper", m.ground.at(0, 3, 0), bodies[1], bores=("60 mm", "50 mm"), strokes=("0.4 m", "0.4 m"), closed="1 m",
        pressure_a="5 bar", viscous=1e3, efficiency=0.9, leak=1e-13, drain=tank,
    )  # fmt: skip
    # each pump has a line of its own to the tee
    on.pump("fixed", tank, tee, **PUMP)
    soft = on.hose("soft", tee, length="2 m", diameter="4 mm", wall="300 MPa", pressure="60 bar")
    on.variable_pump("variable", tank, soft, **PUMP, setting=0.5)
    hard = on.pipe("hard", tee, length="2 m", diameter="4 mm", wall="1 mm", pressure="60 bar")
    on.pressure_compensated_pump("held", tank, hard, **PUMP, cutoff="80 bar")
    load = on.volume("load_line", "0.1 l", pressure="50 bar")
    on.load_sensing_pump("margin_pump", tank, load, **PUMP, ls=plunger.a, cutoff="150 bar")
    on.local_loss("bend", tee, load, factor=1.2, diameter="2 mm", transition="2 bar")
    clean = on.volume("clean", "0.1 l", pressure="40 bar", wall="1 GPa")
    on.filter("filter", load, clean, flow=("10 l/min", "4 bar"), bypass="2 bar", bypass_flow=("10 l/min", "6 bar"))
    on.flow_sensor("turbine", clean, plunger.a, drop=("5 l/min", "10 bar"), transition="2 bar")
    on.power_sensor("watts", clean, tipper.a, drop=("5 l/min", "30 bar"), low=tank, transition="2 bar")
    on.accumulator("bladder", tee, size="0.5 l", precharge="40 bar", pressure="60 bar", flow=("10 l/min", "5 bar"))
    on.piston_accumulator("piston", clean, size="0.5 l", precharge="30 bar", flow=("10 l/min", "5 bar"))
    on.pressure_sensor("gauge", tee, time_constant="5 ms")
    on.differential_pressure_sensor("margin", load, plunger.a)
