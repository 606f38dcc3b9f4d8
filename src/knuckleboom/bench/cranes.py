# SPDX-License-Identifier: BSD-3-Clause
"""Random cranes with counterbalance valves: how far `realtime` at 1 ms is from `unified` at 0.1 ms, in joint angles.

Three to five links in a plane, every other crane on a slewing column with a motor; each link is moved by a cylinder
whose loaded side, or both, a counterbalance valve holds, from a 4/3 valve with a floating centre. The pump holds a
pressure or senses the loads, with or without compensators. Sizes, masses, bores, poses and settings are drawn, bores
and settings so that the crane carries itself; it begins at rest. Every lever jumps each 0.2 to 0.9 s, at declared times
on whole milliseconds. A seed is a crane with its levers, the same wherever this file runs: nothing but the public API
makes it, so that it also runs with an older knuckleboom (tools/beside.py).

`realtime_mrad` and `unified_mrad` are the largest differences of any joint's angle within 2.5 s, both at 1 ms, on a
grid of 10 ms. `reference_mrad` is how far the reference is from `unified` at 0.05 ms; above 0.1 mrad it has not
converged. Cranes without a converged reference, and runs that fail, are listed by their seeds; median, 90 % and worst
are those of all others.
Keys: docs/cli.md. Ctrl-C keeps the cranes that were done. Tested in tests/bench/test_cranes.py
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import knuckleboom as kb
from knuckleboom.bench.rounds import Part, Progress

Array = NDArray[np.float64]
Rng = np.random.Generator

COUNT, FIRST = 50, 1  # cranes, and the seed of the first
SECONDS = 2.5
GRID = 0.01  # s
STEP, REFERENCE, FINER = 1e-3, 1e-4, 5e-5  # s
CONVERGED = 0.1  # mrad
RARE = 0.9
HELD = (0.2, 0.9)  # s, from one jump of a lever to its next
GRAVITY = 9.81  # m/s²
TANK, AMBIENT = 2e5, 101325.0  # Pa
PUMP_SPEED = 157.0  # rad/s, 1500 rpm
STREAM = 18  # of random numbers: cranes apart from their levers
MOST, CUTOFF = 150e5, 220e5  # Pa: holding pressures stay below the first, the pump delivers up to the second


def measure(
    progress: Progress | None = None, *, count: int = COUNT, first: int = FIRST, seconds: float = SECONDS
) -> dict[str, Any]:  # fmt: skip
    """Run so many cranes; see the card."""
    report = progress or (lambda fraction: None)
    seeds = range(first, first + count)
    found: list[dict[str, Any]] = []
    status = "done"
    try:
        for number, seed in enumerate(seeds):
            found.append(measure_crane(seed, seconds, Part(report, number / count, (number + 1) / count)))
    except KeyboardInterrupt:
        status = "interrupted"
    return {
        "status": status,
        "seconds": seconds,
        "step_ms": 1e3 * STEP,
        "reference_step_ms": 1e3 * REFERENCE,
        "converged_mrad": CONVERGED,
        "realtime": spread(found, "realtime"),
        "unified": spread(found, "unified"),
        "no_reference": [row["seed"] for row in found if row["status"] == "no reference"],
        "not_converged": [row["seed"] for row in found if row["status"] == "not converged"],
        "cranes": found,
        "not_run": list(seeds[len(found) :]),
    }


def spread(rows: Sequence[Mapping[str, Any]], coupling: str) -> dict[str, Any]:
    """Median, 90 % and worst of the cranes with a converged reference, mrad; seeds of the worst and of failed runs."""
    sound = [row for row in rows if row["status"] == "done"]
    ended = [row for row in sound if row[f"{coupling}_mrad"] is not None]
    values = np.array([row[f"{coupling}_mrad"] for row in ended])
    return {
        "counted": len(ended),
        "median_mrad": float(np.median(values)) if ended else None,
        "p90_mrad": float(np.quantile(values, RARE)) if ended else None,
        "worst_mrad": float(values.max()) if ended else None,
        "worst_seed": ended[int(values.argmax())]["seed"] if ended else None,
        "failed": [row["seed"] for row in sound if row[f"{coupling}_mrad"] is None],
    }


def measure_crane(seed: int, seconds: float, progress: Progress) -> dict[str, Any]:
    """One crane: its errors, and why there are none where there are none."""
    machine, levers = crane(seed)
    row: dict[str, Any] = {"seed": seed, "status": "done", "message": "", "joints": len(joints(machine))}
    row["pump"] = "load-sensing" if "shuttle_0" in machine.parts else "pressure"
    row |= dict.fromkeys(("reference_mrad", "realtime_mrad", "realtime_of", "unified_mrad", "unified_of"))
    inputs = {path: kb.steps(moves) for path, moves in levers(seconds).items()}

    def angles(coupling: str, step: float) -> dict[str, Array] | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # of cavitation and energy: errors show them
                run = kb.simulate(machine, seconds, step=step, record=GRID, inputs=inputs, coupling=coupling)
        except kb.SimulationError as error:
            row["message"] += f"{coupling} at {1e3 * step:g} ms: {error}\n"
            return None
        return {name: np.asarray(run[f"{name}.angle"].values) for name in joints(machine)}

    exact = angles("unified", REFERENCE)
    progress(0.3)
    finer = angles("unified", FINER) if exact else None
    progress(0.9)
    if exact is None or finer is None:
        return row | {"status": "no reference"}
    row["reference_mrad"] = farthest(exact, finer)[0]
    if row["reference_mrad"] > CONVERGED:
        row["status"] = "not converged"
    for coupling in ("realtime", "unified"):
        if ours := angles(coupling, STEP):
            row[f"{coupling}_mrad"], row[f"{coupling}_of"] = farthest(exact, ours)
    progress(1.0)
    return row


def farthest(some: Mapping[str, Array], others: Mapping[str, Array]) -> tuple[float, str]:
    """The largest difference of two runs, mrad, and of which joint."""
    apart = {name: 1e3 * float(np.abs(some[name] - others[name]).max()) for name in some}
    name = max(apart, key=lambda one: apart[one])
    return apart[name], name


def joints(machine: Any) -> list[str]:
    """Names of the joints of a crane."""
    return [name for name in machine.parts if name == "slew" or name.startswith("pin_")]


# --- the crane --------------------------------------------------------------------------------------------------------


def crane(seed: int) -> tuple[Any, Any]:
    """A crane, and a function that gives its levers for a time."""
    rng = np.random.default_rng([seed, STREAM])
    m: Any = kb.Machine(f"crane-{seed}", gravity=(0.0, 0.0, -GRAVITY))
    links, slewing = int(rng.integers(3, 6)), bool(rng.uniform() < 0.5)
    before, at = m.ground, (0.0, 0.0, 0.0)
    if slewing:
        column = m.body("column", mass=600.0, com=(0.0, 0.0, 0.6), inertia=(150.0, 150.0, 80.0))
        m.revolute("slew", m.ground, column, axis="z")
        before, at = column, (0.0, 0.0, 1.2)
    shapes = drawn_links(links, rng)
    forces = holding_forces(shapes)

    oil = m.oil("oil", kb.fluids.mineral_oil())
    supply = Supply(m, oil, rng)
    for number, (shape, force) in enumerate(zip(shapes, forces, strict=True)):
        link = m.body(
            f"link_{number}", mass=shape["mass"], com=(0.5 * shape["length"], 0.0, 0.0),
            inertia=(0.02 * shape["mass"], shape["inertia"], shape["inertia"]),
        )  # fmt: skip
        if number == links - 1:
            link.point_mass("load", shape["load"], (shape["length"], 0.0, 0.0))
        m.revolute(f"pin_{number}", before.at(*at), link, axis="-y", start=shape["angle"])
        foot = tuple(p + d for p, d in zip(at, shape["foot"], strict=True))
        add_cylinder(m, supply, number, before.at(*foot), link.at(*shape["eye"]), shape, force, rng)
        before, at = link, (shape["length"], 0.0, 0.0)
    if slewing:
        add_slew(m, supply, sum(shape["length"] for shape in shapes), sum(shape["mass"] for shape in shapes), rng)
    supply.finish()

    def levers(seconds: float) -> dict[str, dict[float, float]]:
        return {name: moves(seconds, np.random.default_rng([seed, k])) for k, name in enumerate(supply.levers)}

    return m, levers


def moves(seconds: float, rng: Rng) -> dict[float, float]:
    """Times and values of a lever: half of the jumps to an end or the centre, the others anywhere."""
    found, time = {0.0: 0.0}, float(rng.uniform(0.02, 0.5))
    while time < seconds:
        value = rng.choice([-1.0, 0.0, 1.0]) if rng.uniform() < 0.5 else rng.uniform(-1.0, 1.0)
        found[round(time, 3)] = float(value)
        time += float(rng.uniform(*HELD))
    return found


def drawn_links(count: int, rng: Rng) -> list[dict[str, Any]]:
    """Sizes and pose of the links, and where their cylinders are pinned: a triangle of foot, pin and eye."""
    shapes = []
    length, direction = float(rng.uniform(2.0, 4.0)), 0.0
    for number in range(count):
        # the first rises, the others fold down or reach out, none far below the horizon
        low, high = (0.3, 1.1) if number == 0 else (-1.2, 0.3)
        angle = float(rng.uniform(low, high))
        if direction + angle < -0.9:
            angle = -0.9 - direction
        direction += angle
        mass = float(rng.uniform(50.0, 120.0)) * length
        # the triangle: pin to foot, pin to eye, the angle between them, and whether the foot is below or above
        a, b = float(rng.uniform(0.35, 0.6)) * min(length, 2.5), float(rng.uniform(0.18, 0.3)) * length
        between, side = math.radians(rng.uniform(70.0, 110.0)), 1.0 if number == 0 or rng.uniform() < 0.6 else -1.0
        offset = -side * float(rng.uniform(0.0, 0.3))
        out = angle + offset - side * between
        swing = math.radians(rng.uniform(30.0, 50.0))
        shapes.append({
            "length": length, "mass": mass, "inertia": mass * length**2 / 12.0, "angle": angle, "direction": direction,
            "load": float(rng.uniform(100.0, 800.0)), "side": side,
            "foot": (a * math.cos(out), 0.0, a * math.sin(out)),
            "eye": (b * math.cos(offset), 0.0, b * math.sin(offset)),
            "lever": side * a * b * math.sin(between) / third_side(a, b, between),
            "closed": third_side(a, b, between - swing), "open": third_side(a, b, between + swing),
        })  # fmt: skip
        length *= float(rng.uniform(0.55, 0.9))
    return shapes


def third_side(a: float, b: float, between: float) -> float:
    """The side of a triangle opposite to an angle."""
    return math.sqrt(a * a + b * b - 2.0 * a * b * math.cos(between))


def holding_forces(shapes: Sequence[Mapping[str, Any]]) -> list[float]:
    """Force of each cylinder that holds the links beyond its pin, N, positive where it is pressed."""
    pins, masses = [0.0], []
    for shape in shapes:
        reach = shape["length"] * math.cos(shape["direction"])
        masses.append((shape["mass"], pins[-1] + 0.5 * reach))
        pins.append(pins[-1] + reach)
    load = (shapes[-1]["load"], pins[-1])
    return [
        GRAVITY * sum(mass * (x - pins[k]) for mass, x in [*masses[k:], load]) / shape["lever"]
        for k, shape in enumerate(shapes)
    ]


def add_cylinder(
    m: Any, supply: Supply, number: int, foot: Any, eye: Any, shape: Mapping[str, Any], force: float, rng: Rng
) -> None:  # fmt: skip
    """Add a cylinder with the pressures that carry the weight, its counterbalance valves and its 4/3 valve."""
    name, oil = f"cylinder_{number}", supply.oil
    share = float(rng.uniform(0.5, 0.65))  # of the rod's diameter
    pulled = 1.0 if force >= 0.0 else 1.0 - share**2
    area = abs(force) / (float(rng.uniform(40e5, 110e5)) * pulled)
    bore = float(np.clip(math.sqrt(4.0 * area / math.pi), 0.05, 0.25))
    rod = share * bore
    area_a, area_b = 0.25 * math.pi * bore**2, 0.25 * math.pi * (bore**2 - rod**2)
    back = (TANK - AMBIENT) * (area_a - area_b)
    a = AMBIENT + (force + area_b * (TANK - AMBIENT)) / area_a if force >= back else TANK
    b = TANK if force >= back else AMBIENT + (area_a * (TANK - AMBIENT) - force) / area_b
    cylinder = m.cylinder(
        name, foot, eye, bore=bore, rod=rod, stroke=shape["open"] - shape["closed"], closed=shape["closed"], oil=oil,
        dead_a=float(rng.uniform(1e-4, 1e-3)), dead_b=float(rng.uniform(1e-4, 1e-3)), pressure_a=a, pressure_b=b,
        viscous=float(rng.uniform(2e3, 2e4)), coulomb=float(rng.uniform(200.0, 1500.0)), cushion_in="2 cm",
        cushion_out="2 cm",
    )  # fmt: skip
    flow = area_a * float(rng.uniform(0.08, 0.25))  # m³/s
    both = bool(rng.uniform() < 0.4)
    ends = {"a": cylinder.a, "b": cylinder.b}
    for side, other, pressure in (("a", "b", a), ("b", "a", b)):
        if both or (force >= back) == (side == "a"):
            line = oil.junction(f"{name}_line_{side}", float(rng.uniform(5e-5, 8e-4)), TANK)
            vented = {"vent": supply.tank} if rng.uniform() < 0.3 else {}
            oil.counterbalance_valve(
                f"{name}_holding_{side}", getattr(cylinder, side), line, x=getattr(cylinder, other),
                flow=(flow, float(rng.uniform(10e5, 60e5))), free_flow=(flow, float(rng.uniform(3e5, 10e5))),
                setting=max(80e5, float(rng.uniform(1.3, 1.6)) * pressure), ratio=float(rng.uniform(1.5, 6.0)),
                override=float(rng.uniform(30e5, 200e5)), **vented,
            )  # fmt: skip
            ends[side] = line
    supply.section(f"lever_{number}", ends["a"], ends["b"], flow)


def add_slew(m: Any, supply: Supply, reach: float, mass: float, rng: Rng) -> None:
    """Add the slewing motor with its shock valves and its 4/3 valve."""
    oil, torque = supply.oil, 0.1 * mass * reach**2  # N·m: about 0.3 rad/s² outstretched
    motor = m.motor(
        "slew_motor", "slew", displacement=torque / 100e5, oil=oil, dead_a="0.5 l", dead_b="0.5 l", pressure_a=10e5,
        pressure_b=10e5, viscous=0.3 * torque, coulomb=0.02 * torque, friction_speed=0.02,
    )  # fmt: skip
    flow = torque / 100e5 * float(rng.uniform(0.3, 0.6))
    for side in "ab":
        oil.shock_valve(
            f"slew_shock_{side}", getattr(motor, side), supply.tank, flow=(flow, 150e5), setting=150e5,
            override=20e5, free_flow=(flow, 3e5),
        )  # fmt: skip
    supply.section("lever_slew", motor.a, motor.b, flow, holding=False)


class Supply:
    """Tank, supply line, 4/3 valves and, when all are there, the pump: of constant pressure or load-sensing."""

    def __init__(self, m: Any, oil: Any, rng: Rng) -> None:
        self.m, self.oil, self.rng = m, oil, rng
        self.sensing = bool(rng.uniform() < 0.6)
        self.compensated = self.sensing and bool(rng.uniform() < 0.5)
        self.tank = oil.tank("tank", TANK)
        start = 20e5 if self.sensing else CUTOFF - 10e5
        self.supply = oil.junction("supply", float(rng.uniform(5e-4, 3e-3)), TANK + start)
        self.spool = {"frequency": float(rng.uniform(3.0, 10.0)), "damping": float(rng.uniform(0.7, 1.0))}
        self.levers: list[str] = []
        self.loads: list[Any] = []
        self.flow = 0.0

    def section(self, name: str, a: Any, b: Any, flow: float, *, holding: bool = True) -> None:
        """Add a 4/3 valve, whose name is its lever's; the centre floats where counterbalance valves hold."""
        oil, inlet, sensed = self.oil, self.supply, {}
        if self.sensing:
            load_signal = oil.junction(f"{name}_sensing", float(self.rng.uniform(3e-5, 1e-4)), TANK)
            self.loads.append(load_signal)
            sensed = {"LS": load_signal}
        if self.compensated:
            inlet = oil.junction(f"{name}_gallery", float(self.rng.uniform(1e-4, 3e-4)), TANK + 10e5)
            oil.pressure_compensator(
                f"{name}_compensator", self.supply, inlet, LS=load_signal, flow=(flow, 8e5), margin=10e5, band=6e5
            )
        centre = {"centre": "float", "centre_opening": 0.3, "centre_width": 0.08} if holding else {}
        oil.valve_4_3(
            name, P=inlet, T=self.tank, A=a, B=b, flow=(flow, 8e5 if self.sensing else 35e5), overlap=0.08,
            leak=0.0, **self.spool, **centre, **sensed,
        )  # fmt: skip
        self.levers.append(name)
        self.flow += flow

    def finish(self) -> None:
        """Add the shuttles, the pump for 60 % of all flows together, and its relief valve."""
        oil = self.oil
        words = {
            "displacement": 0.6 * self.flow / PUMP_SPEED, "speed": PUMP_SPEED, "cutoff": CUTOFF,
            "volumetric_efficiency": 0.95,
            "rated_pressure": CUTOFF, "time_constant": float(self.rng.uniform(0.02, 0.06)),
        }  # fmt: skip
        if self.sensing:
            load_signal = self.loads[0]
            for number, other in enumerate(self.loads[1:]):
                load_signal = oil.shuttle_valve(f"shuttle_{number}", load_signal, other, pressure=TANK)
            oil.load_sensing_pump("pump", self.tank, self.supply, ls=load_signal, **words)
        else:
            oil.pressure_compensated_pump("pump", self.tank, self.supply, **words)
        oil.relief_valve(
            "relief", self.supply, self.tank, flow=(self.flow, CUTOFF + 40e5), setting=CUTOFF + 20e5, override=20e5
        )
