# SPDX-License-Identifier: BSD-3-Clause
"""Ylinen's three examples [Ylinen 2014]: the loaded cylinder at rest, set in motion, and the lifting boom three ways.

At rest (`at_rest`): kb.equilibrium of ylinen-cylinder, its bore side closed, and the same with a given pressure there,
so that the seals must carry the rest. Closed form of the friction: λ = m·g − A_a·(p_a − p_0) + A_b·(p_b − p_0), which
rests while |λ| ≤ breakaway, with the bristles bent by −λ/σ₀; what is beyond is refused. `drift` is the largest change
of a pressure per second in a run from there.

In motion (`motion`): the case of the catalogue from that rest, and from pressures that carry only a part of the load.

Lifting boom (`boom`): ylinen-boom, and the same boom with a length that is given instead of a flow, s₀ + ∫Q dt/A_a:
`driven constraint` makes that the distance of the pins; `length-controlled rod` makes it the unstressed length of a rod
that is as soft as the oil column of the bore side at the start, k = B·A_a²/V_a (the rod side is drained, so that its
column does not count). Barrel, rod and oil of ylinen-boom have mass, 1 % of its force; the others have none. Everything
runs `unified` at 1 ms. Keys: docs/cli.md.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis import AnalysisError, equilibrium
from knuckleboom.bench.rounds import Progress
from knuckleboom.bench.ylinen_plot import write_figure
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue import ylinen_boom as lifting
from knuckleboom.catalogue import ylinen_cylinder as loaded
from knuckleboom.catalogue.standing_cylinder import AMBIENT
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.interface.parts import Cylinder
from knuckleboom.machine import Machine
from knuckleboom.quantities import Quantity
from knuckleboom.results import Results
from knuckleboom.simulation import simulate

Array = NDArray[np.float64]
STEP = 1e-3  # s
METHOD: dict[str, Any] = {"coupling": "unified"}
WATCHED = 1.0  # s, in which a rest is watched
SHARES = (-0.9, -0.3, 0.3, 0.9, 1.1)
"""Of the breakaway force, that the seals must carry; the last is more than they can."""
UNBALANCED = 0.6
"""Of the pressure that holds the load: where the other run starts."""
SETTLED = 0.3  # s after the flow was set to zero, from which on vibrations are counted
LIGHT = 0.01  # kg, of each body that the length-controlled rod is made of
MODELS = ("driven constraint", "length-controlled rod", "cylinder element")
SENTENCE = (
    "The driven constraint is rigid, so the boom does exactly what the flow says and its force follows the acceleration"
    " alone; the length-controlled rod adds the oil's stiffness and oscillates undamped at the boom's own frequency,"
    " because nothing in it takes energy; the cylinder element has that stiffness as well, growing softer as its oil"
    " column grows, but its seals and its drained rod side damp it, and its seals hold back a part of the force."
)


# --- the loaded cylinder ----------------------------------------------------------------------------------------------


def held(pressure: float) -> Machine:
    """The loaded cylinder with a pressure source at its bore side, Pa."""
    m, oil, _ = loaded.loaded_cylinder("held-cylinder")
    source = oil.pressure("source", pressure)
    oil.restrictor("line", source, "lift.a", flow=("20 l/min", "5 bar"))
    return m


def friction(pressure_a: float, pressure_b: float) -> float:
    """What the seals must carry at rest, N, positive when it extends."""
    a, b = pressure_a - AMBIENT, pressure_b - AMBIENT
    return loaded.MASS * loaded.GRAVITY - loaded.AREA_A * a + loaded.AREA_B * b


def rest(machine: Machine, how: str, pressure: float) -> dict[str, Any]:
    """Find the rest of a machine, beside the closed form at this pressure of the bore side, and watch it."""
    needed = friction(pressure, loaded.TANK)
    stiffness = loaded.SEALS["bristle_stiffness"]
    found: dict[str, Any] = {
        "bore_side": how,
        "pressure_exact": pressure,
        "friction_exact": needed,
        "bend_exact": -needed / stiffness,
        "rests": False,
        **dict.fromkeys(("pressure", "friction", "bend", "drift", "moved")),
    }
    try:
        state = equilibrium(machine)
    except AnalysisError:
        return found
    run = simulate(machine, WATCHED, step=STEP, record=STEP, start=state, **METHOD)
    pressures = [run[f"lift.{port}.pressure"].values for port in ("a", "b")]
    found |= {
        "rests": True,
        "pressure": state["lift.a.pressure"],
        "friction": -stiffness * state["lift.bristle"],
        "bend": state["lift.bristle"],
        "drift": max(float(np.ptp(values)) for values in pressures) / WATCHED,
        "moved": float(np.ptp(run["lift.length"].values)),
    }
    return found


def at_rest() -> list[dict[str, Any]]:
    """The rest with a closed bore side, and with pressures there that leave a share of the breakaway to the seals."""
    closed = rest(NAMES["ylinen-cylinder"]().machine, "closed", loaded.holding_pressure())
    rows = [closed]
    for share in SHARES:
        pressure = loaded.holding_pressure() - share * loaded.SEALS["breakaway"] / loaded.AREA_A
        rows.append(rest(held(pressure), "held", pressure))
    return rows


def in_motion(duration: float) -> dict[str, Results]:
    """The case of the catalogue from rest, and from pressures that carry only a part of the load."""
    case = NAMES["ylinen-cylinder"]()
    words: dict[str, Any] = {"step": STEP, "record": STEP, "inputs": case.inputs, **METHOD}
    runs = {"equilibrium": simulate(case.machine, duration, start="equilibrium", **words)}
    lift = case.machine.parts["lift"]
    case.machine.parts["lift"] = lift.model_copy(update={"pressure_a": UNBALANCED * loaded.holding_pressure()})
    runs["unbalanced"] = simulate(case.machine, duration, **words)
    return runs


def motion_row(start: str, run: Results) -> dict[str, Any]:
    """How hard a run begins, and how it goes on."""
    acceleration = np.abs(run["guide.travel_acceleration"].values)
    before = run.time <= loaded.MOVES
    return {
        "start": start,
        "peak_acceleration_before": float(acceleration[before].max()),
        "peak_acceleration": float(acceleration.max()),
        "peak_pressure": float(run["lift.a.pressure"].values.max()),
        "lifted": float(run["lift.length"].values[-1] - run["lift.length"].values[0]),
    }


# --- the lifting boom -------------------------------------------------------------------------------------------------


def given_length(times: Array) -> Array:
    """Length of an actuator that takes all of the flow of ylinen-boom and nothing gives, m.

    The flow follows its command as a critically damped second order: for a step of 1 its integral is
    t − 2/ω + (t + 2/ω)·exp(−ω·t).
    """
    omega = 2.0 * math.pi * loaded.FLOW_FREQUENCY

    def integral(since: Array) -> Array:
        t = np.maximum(since, 0.0)
        return np.asarray(t - 2.0 / omega + (t + 2.0 / omega) * np.exp(-omega * t))

    speed = Quantity("m^3/s").read(lifting.FLOW) / loaded.AREA_A
    return np.asarray(lifting.BOOM.pins + speed * (integral(times - lifting.MOVES) - integral(times - lifting.STOPS)))


def stiffness() -> float:
    """Stiffness of the bore side's oil column at the start, N/m."""
    part = NAMES["ylinen-boom"]().machine.parts["lift"]
    assert isinstance(part, Cylinder)
    volume = part.dead_a + loaded.AREA_A * lifting.EXTENDED
    return mineral_oil().bulk_modulus(lifting.holding_pressure()) * loaded.AREA_A**2 / volume


def own_frequency() -> float:
    """Frequency of the boom on that stiffness at the start, Hz: f = h·√(k/I)/(2π), h the lever; closed form."""
    boom = lifting.BOOM
    inertia = boom.mass * (boom.length**2 + boom.thick**2) / 12.0 + boom.mass * boom.centre**2
    inertia += boom.load * boom.length**2
    return boom.reach(boom.angle)[1] * math.sqrt(stiffness() / inertia) / (2.0 * math.pi)


def driven_constraint(times: Array) -> Machine:
    """The boom with the given length as a constraint between the pins."""
    m = lifting.bare_boom("driven-constraint")
    m.driver("lift", a="ground.foot", b="boom.eye", times=times, values=given_length(times))
    return m


def length_controlled_rod(times: Array) -> Machine:
    """The boom on a rod of light bodies: a slide that is given, and behind it one with the stiffness of the oil."""
    boom, k = lifting.BOOM, stiffness()
    m = lifting.bare_boom("length-controlled-rod")
    c, s = math.cos(boom.angle), math.sin(boom.angle)
    along = c * boom.eye[0] - s * boom.eye[1] - boom.foot[0]
    up = s * boom.eye[0] + c * boom.eye[1] - boom.foot[1]
    small = (1e-6, 1e-6, 1e-6)
    barrel, sleeve, rod = (m.body(name, mass=LIGHT, inertia=small) for name in ("barrel", "sleeve", "rod"))
    m.revolute("foot", "ground.foot", barrel, axis="-y", start=math.atan2(up, along))
    m.prismatic("given", barrel, sleeve, axis="x", start=boom.pins)
    m.prismatic("lift", sleeve, rod, axis="x")
    m.revolute("rod_pin", rod, "boom.eye", axis="-y", cut=True)
    m.driver("motion", joint="given", times=times, values=given_length(times))
    m.joint_spring("oil", "lift", stiffness=k, rest=boom.holding_force / k)
    return m


def boom_runs(duration: float) -> dict[str, Results]:
    """The three models over the same time."""
    times = np.arange(0.0, duration + 0.01, 0.01)
    words: dict[str, Any] = {"step": STEP, "record": STEP, **METHOD}
    case = NAMES["ylinen-boom"]()
    runs = (
        simulate(driven_constraint(times), duration, **words),
        simulate(length_controlled_rod(times), duration, **words),
        simulate(case.machine, duration, start="equilibrium", inputs=case.inputs, **words),
    )
    return dict(zip(MODELS, runs, strict=True))


def actuator_force(model: str, run: Results) -> Array:
    """Force of the actuator on the boom, N."""
    path = "oil.force" if model == MODELS[1] else "lift.force"
    return run[path].values


def pin_length(run: Results) -> Array:
    """Distance of the actuator's pins, m."""
    return np.array([lifting.BOOM.reach(float(angle))[0] for angle in run["pin.angle"].values])


def boom_row(model: str, run: Results) -> dict[str, Any]:
    """What a model of the actuator makes of the same flow."""
    force, length = actuator_force(model, run), pin_length(run)
    after = run.time >= min(lifting.STOPS + SETTLED, 0.75 * run.time[-1])
    swing = run["pin.angle_acceleration"].values[after]
    return {
        "actuator": model,
        "peak_force": float(force.max()),
        "length_off_mm": 1e3 * float(np.abs(length - given_length(run.time)).max()),
        "vibration_after": float(np.ptp(swing[-len(swing) // 2 :])),
        "frequency": crossing_frequency(run.time[after], swing),
    }


def crossing_frequency(times: Array, values: Array) -> float | None:
    """Frequency of a vibration by its upward crossings of its mean, Hz; none with fewer than two."""
    level = values - values.mean()
    up = np.flatnonzero((level[:-1] < 0.0) & (level[1:] >= 0.0))
    if len(up) < 2:
        return None
    instants = times[up] - level[up] * (times[up + 1] - times[up]) / (level[up + 1] - level[up])
    return float((len(up) - 1) / (instants[-1] - instants[0]))


def measure(
    progress: Progress | None = None, *, duration: float = 4.0, figure: str | Path | None = "ylinen.png"
) -> dict[str, Any]:  # fmt: skip
    """Run the three examples, see the card; `figure` is the file of the picture of them."""
    report = progress or (lambda fraction: None)
    resting = at_rest()
    report(0.4)
    moving = in_motion(duration)
    report(0.6)
    booms = boom_runs(duration)
    report(0.9)
    if figure is not None:
        forces = {model: actuator_force(model, run) for model, run in booms.items()}
        lengths = {model: 1e3 * (pin_length(run) - given_length(run.time)) for model, run in booms.items()}
        write_figure(Path(figure), moving, booms, forces, lengths)
    return {
        "breakaway": loaded.SEALS["breakaway"],
        "at_rest": resting,
        "motion": [motion_row(start, run) for start, run in moving.items()],
        "stiffness": stiffness(),
        "own_frequency": own_frequency(),
        "boom": [boom_row(model, run) for model, run in booms.items()],
        "sentence": SENTENCE,
        "figure": None if figure is None else str(figure),
    }
