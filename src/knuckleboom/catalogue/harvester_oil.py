# SPDX-License-Identifier: BSD-3-Clause
"""Load-sensing circuits of the harvesters: a pump with its relief valve, the loads it senses, and 4/3 valves.

    pump ── supply ─┬─ compensator ── gallery ── 4/3 valve ── counterbalance valve ── cylinder     compensated sections
                    ├─ 4/3 valve ── motor or cylinder, shock valves at its ports                   plain sections
                    └─ relief valve ── tank
    the valves' load-sensing ports go through shuttle valves: the highest is the pump's load

Numbers are typical of the class: 1500 rpm, margins of 20 bar (pump) and 10 bar (compensators), spools of 4 Hz, supply
lines of 5 l with compliant walls, orifices of about 1 mm in the load-sensing lines. Closed spools are tight, which
stands for the load checks of their sections.
Validated by: validation/analytic/test_harvester_30.py, test_harvester_25.py
"""

from __future__ import annotations

from typing import Any

from knuckleboom.catalogue.harvester_parts import ARM_AT, ARM_PIN, RAMS, holding_force
from knuckleboom.catalogue.load_sensing import BAND, MARGIN, LoadSensing, shock_valves, standby_pressure
from knuckleboom.catalogue.standing_cylinder import holding_pressures
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.machine import Handle, Machine

TANK = 3.5e5  # Pa: the return line, which a check valve before the cooler preloads, so that suction finds oil
RATED, CUTOFF, RELIEF = 200e5, 225e5, 240e5  # Pa: where the pumps have their efficiencies; where they are cut off
SECTION_MARGIN, SECTION_BAND = 10e5, 8e5  # Pa: of the compensators in front of spools
FRICTION = {"viscous": 4e3, "coulomb": 1.5e3, "friction_speed": 0.01}  # of the large cylinders
SPOOL = {"frequency": "4 Hz", "damping": 1.0, "overlap": 0.08, "leak": 0.0, "ls_flow": ("1 l/min", "5 bar"),
         "ls_stroke": 0.08}  # fmt: skip
FLOATING: dict[str, Any] = {"centre": "float", "centre_opening": 0.2, "centre_width": 0.08}
TELESCOPE_STROKE = 2.0  # m
HOLDING = {"ratio": 2.0, "override": "100 bar", "full": "3 bar"}  # counterbalance valves: a low ratio does not hunt


class Circuit:
    """A pump and its sections; `finish` joins the load-sensing lines and adds the pump."""

    def __init__(self, oil: Any, tank: Handle, name: str) -> None:
        self.oil, self.tank, self.name = oil, tank, name
        supply = oil.volume(f"{name}_supply", "5 l", TANK + standby_pressure(RATED), wall="1 GPa")
        self.block = LoadSensing(
            oil, tank, supply, gallery="0.15 l", spool=SPOOL, rest=TANK, edge=SECTION_MARGIN, band=SECTION_BAND,
            wide="12 bar",
        )  # fmt: skip

    def section(self, name: str, a: Handle, b: Handle, flow: str, *, compensated: bool = False, **spool: Any) -> Any:
        """Add a 4/3 valve, `<name>_valve`, between the supply and two working ports; return its load-sensing line.

        `flow` is that of the full stroke.
        """
        drop = SECTION_MARGIN - 0.5 * SECTION_BAND if compensated else MARGIN - 0.5 * BAND
        sensing = self.oil.junction(f"{name}_ls", "0.1 l", TANK)
        return self.block.section(name, a, b, flow=flow, drop=drop, sensing=sensing, compensated=compensated, **spool)

    def held(self, name: str, port: Handle, pilot: Handle, flow: str, setting: str) -> Any:
        """Add the hose of a working port with its counterbalance valve on the cylinder; return the hose's near end."""
        line = self.oil.junction(f"{name}_line", "0.7 l", TANK)
        self.oil.counterbalance_valve(
            f"{name}_holding", port, line, x=pilot, flow=(flow, "20 bar"), free_flow=(flow, "8 bar"), setting=setting,
            **HOLDING,
        )  # fmt: skip
        return line

    def shocks(self, name: str, a: Handle, b: Handle, setting: float, flow: str) -> None:
        """Guard both working ports; the flow is what passes at the setting."""
        ports = {f"{name}_shock_a": a, f"{name}_shock_b": b}
        suction = (flow, "5 bar")
        shock_valves(self.oil, self.tank, ports, setting=setting, flow=(flow, setting), suction=suction)

    def finish(self, *, displacement: str, flow: str) -> None:
        """Join the load-sensing lines two by two; add the pump that listens to the highest, and its relief valve."""
        heard = self.block.highest(
            f"{self.name}_shuttle_{{}}", in_pairs=True, volume="0.05 l", flow=("5 l/min", "5 bar")
        )
        self.block.pump(
            heard, displacement=displacement, speed="1500 rpm", cutoff=CUTOFF, relief=RELIEF, flow=flow,
            prefix=f"{self.name}_", rated=RATED,
        )  # fmt: skip


def ram_cylinder(m: Machine, oil: Any, name: str, *, dead: str, other: float = TANK) -> Handle:
    """Add the oil of a cylinder that has a barrel and a rod, with the pressures that carry the weight.

    The side that is not pressed by the weight has the pressure `other`.
    """
    ram = RAMS[name]
    a, b = holding_pressures(holding_force(m, name), ram.bore, ram.rod, other)
    return m.cylinder(
        name, f"{name}_barrel", m[f"{name}_rod"].at(ram.closed, 0.0, 0.0), bore=ram.bore, rod=ram.rod,
        stroke=ram.stroke, closed=ram.closed, oil=oil, dead_a=dead, dead_b=dead, pressure_a=a, pressure_b=b,
        cushion_in="3 cm", cushion_out="3 cm", **FRICTION,
    )  # fmt: skip


def crane_sections(m: Machine, c: Circuit) -> None:
    """Add slew, lift, fold and telescope to the crane's pump."""
    slew = m.motor(
        "slew_motor", "slew", displacement=1.7e-3, oil=c.oil, dead_a="1 l", dead_b="1 l", pressure_a=10e5,
        pressure_b=10e5, coulomb=400.0, viscous=1500.0, friction_speed=0.02,
    )  # fmt: skip
    c.section("slew", slew.a, slew.b, "70 l/min")
    c.shocks("slew", slew.a, slew.b, 180e5, "100 l/min")

    for name, flow in (("lift", "140 l/min"), ("fold", "140 l/min")):
        ram = ram_cylinder(m, c.oil, name, dead="0.4 l")
        line = c.held(name, ram.a, ram.b, flow, "260 bar")
        c.section(name, line, ram.b, flow, compensated=True, **FLOATING)

    # beside the jib; its weight pulls or presses, as the jib points
    bore, rod = 0.063, 0.040  # m
    a, b = holding_pressures(StartPose(m).effort("telescope_slide"), bore, rod, TANK)
    telescope = m.cylinder(
        "telescope_cylinder", m["jib"].at(0.10, 0.0, 0.20), m["telescope"].at(2.30, 0.0, 0.20), bore=bore, rod=rod,
        stroke=TELESCOPE_STROKE, closed=2.50, oil=c.oil, dead_a="0.4 l", dead_b="0.4 l", pressure_a=a, pressure_b=b,
        cushion_in="4 cm", cushion_out="4 cm", **FRICTION,
    )  # fmt: skip
    line_a = c.held("telescope_a", telescope.a, telescope.b, "60 l/min", "220 bar")
    line_b = c.held("telescope_b", telescope.b, telescope.a, "60 l/min", "220 bar")
    c.section("telescope", line_a, line_b, "60 l/min", **FLOATING)


def head_sections(m: Machine, c: Circuit) -> None:
    """Add tilt and rotator to the head's pump."""
    tilt = ram_cylinder(m, c.oil, "tilt", dead="0.5 l", other=10e5)
    c.section("tilt", tilt.a, tilt.b, "40 l/min")
    c.shocks("tilt", tilt.a, tilt.b, 200e5, "40 l/min")  # the head sways as the machine does
    rotator = m.motor(
        "rotator_motor", "rotator_bearing", displacement=8e-5, oil=c.oil, dead_a="0.4 l", dead_b="0.4 l",
        pressure_a=10e5, pressure_b=10e5, coulomb=60.0, viscous=100.0, friction_speed=0.05,
    )  # fmt: skip
    c.section("rotator", rotator.a, rotator.b, "14 l/min")
    c.shocks("rotator", rotator.a, rotator.b, 160e5, "20 l/min")


def join(oil: Any, name: str, one: Handle, other: Handle) -> None:
    """Join two cylinders by the hose from one to the other."""
    oil.restrictor(name, one, other, flow=("40 l/min", "6 bar"), transition="3 bar")


def grip_section(m: Machine, c: Circuit) -> None:
    """Two cylinders side by side that cross the head, each to its arm; hoses reach the right one by the left one."""
    ports, pose, bore, rod = [], StartPose(m), 0.050, 0.028
    for side, out, along in (("left", 1.0, ARM_AT[0] - 0.05), ("right", -1.0, ARM_AT[0] + 0.05)):
        foot, pin = m["head"].at(along, -0.30 * out, 0.05), m[f"grip_{side}"].at(along - ARM_AT[0], 0.0, ARM_PIN)
        hinge = f"grip_{side}_hinge"
        a, b = holding_pressures(pose.effort(hinge) / pose.lever(hinge, foot, pin), bore, rod, 10e5)
        cylinder = m.cylinder(
            f"grip_{side}_cylinder", foot, pin, bore=bore, rod=rod, stroke=0.15, closed=0.33, oil=c.oil,
            dead_a="0.3 l", dead_b="0.3 l", pressure_a=a, pressure_b=b, viscous=3e3, coulomb=300.0, breakaway=450.0,
            bristle_stiffness=3e6, bristle_damping=3e3,
        )  # fmt: skip
        ports.append(cylinder)
    left, right = ports
    join(c.oil, "grip_hose_a", left.a, right.a)
    join(c.oil, "grip_hose_b", left.b, right.b)
    heard = c.section("grip", left.a, left.b, "60 l/min")
    c.oil.relief_valve("grip_limit", heard, c.tank, flow=("10 l/min", "120 bar"), setting="120 bar", override="10 bar")
