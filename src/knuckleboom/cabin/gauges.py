# SPDX-License-Identifier: BSD-3-Clause
"""The dashboard of a machine, found from its parts and named signals.

    pumps       pressure and flow of each pump, pressure of each pressure source
    cylinders   pressure of each chamber, motors: of each port; red above the most that pumps and valves let get there
    joints      angle or travel of the joints that the operator thinks of (chain.py)
    machine     engine load and speed, power of the pumps, load moment (boom.py), stability (stability.py), energy
                supplied

Pressures and their limits are gauge pressures, with the machine's ambient as zero (shown_units.py). The load of an
engine is its torque over that of its full-load curve at that speed; where no engine is modelled it is the shaft power
of all pumps, on a scale up to what they take together at full flow and highest pressure. The load moment is red above
what the cylinders can hold in the start pose. Energy used is what the engine gave to its shaft, or what pumps and
pressure sources gave to the oil, since the start. What contacts and tires turned into heat, by blows and by sliding,
is what the page's sounds follow. What is computed has signals of its own, `dashboard.…`, behind the
columns of the record.
Tested in tests/cabin/test_gauges.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from knuckleboom.analysis.actuators import highest_pressures
from knuckleboom.analysis.workspace import limits
from knuckleboom.cabin.alarms import TIPS, find_alarms, tipping
from knuckleboom.cabin.boom import load_moment
from knuckleboom.cabin.chain import Chain
from knuckleboom.cabin.dashboard import (
    BLOWS,
    ENERGY,
    MOMENT,
    POWER,
    SCRAPING,
    STABILITY,
    Array,
    Dashboard,
    EngineLoad,
    Gauge,
    Sum,
)
from knuckleboom.cabin.engines import engine_columns
from knuckleboom.cabin.load_moment import LoadMoment
from knuckleboom.cabin.shown_units import SHAFT, shown_in
from knuckleboom.cabin.stability import find_stability
from knuckleboom.cabin.titles import chamber, words
from knuckleboom.hydraulics.parts import Pressure, Tank
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts import EngineDroop, Motor, Winch
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.laws.curve import curve_numbers
from knuckleboom.machine.shafts import speed_of
from knuckleboom.mechanics.parts import Joint
from knuckleboom.plan import Planned
from knuckleboom.simulation.audit import make_ledger, meeting

LITRES_A_MINUTE, DEGREE = 6e4, 180.0 / math.pi
UNKNOWN = 350e5
"""Pa: end of the scale of a pressure that nothing limits."""
STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Ends of scales, times a power of ten."""


def make_dashboard(planned: Planned, line: Array) -> Dashboard:
    """Return the dashboard of a machine; `line` is that of its start."""
    moment, stability = load_moment(planned, line), find_stability(planned, line)
    sums, loads = [*_power(planned), *_energy(planned), *_touching(planned)], tuple(_loads(planned))
    machine = [*_engines(planned), *_machine(planned, line, sums, moment)]
    alarms = find_alarms(planned)
    if stability is not None:
        red = (0.0, 100.0 * TIPS)
        machine.append(Gauge("stability", "machine", "dial", STABILITY, "%", 100.0, 0.0, 0.0, 100.0, red))
        alarms.append(tipping(planned.machine.name, planned.names.width + len(sums) + len(loads)))
    gauges = [*machine, *_pumps(planned), *_pressures(planned), *_joints(planned)]
    return Dashboard(gauges, alarms, sums, moment, loads, stability)


def round_up(value: float) -> float:
    """Return the next end of a scale."""
    if value <= 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in STEPS if step * power >= value * (1.0 - 1e-9))


# --- what is computed ---


def _power(planned: Planned) -> Iterator[Sum]:
    paths = [f"{pump.name}.shaft_power" for pump in planned.machine.of(Pumping)]
    if paths:
        columns = tuple(planned.names[path].columns[0] for path in paths)
        yield Sum(POWER, "W", "power that the shafts of all pumps take", columns)


def _energy(planned: Planned) -> Iterator[Sum]:
    parts, supplied = planned.machine.parts, make_ledger(planned)["supplied"]
    entries = [entry for name, entry in supplied.items() if not isinstance(parts.get(name), Tank)]
    columns = tuple(planned.names[path].columns[0] for entry in entries for _, path in entry)
    if columns:
        yield Sum(ENERGY, "J", "energy that engines, pumps and pressure sources supplied so far", columns)


def _touching(planned: Planned) -> Iterator[Sum]:
    """Heat of all that touches: works and stored energies of normal forces, and of friction."""
    touched = [(path, labels) for _, path, labels in meeting(planned.layout)]
    for signal, wanted, what in ((BLOWS, "normal", "blows"), (SCRAPING, "friction", "sliding")):
        having = [path for path, labels in touched if wanted in labels]
        paths = [f"{path}.{wanted}_{kind}" for path in having for kind in ("work", "energy")]
        if paths:
            columns = tuple(planned.names[path].columns[0] for path in paths)
            yield Sum(signal, "J", f"heat of {what} where anything touches so far", columns, -1.0)


def _loads(planned: Planned) -> Iterator[EngineLoad]:
    for engine in planned.machine.of(EngineDroop):
        columns, meaning = engine_columns(planned, engine), "torque over that of the full-load curve"
        numbers = tuple(curve_numbers(engine.curve()))
        yield EngineLoad(_load_path(engine), meaning, columns.torque, columns.speed, numbers)


def _load_path(engine: EngineDroop) -> str:
    return f"dashboard.{engine.name}_share"


# --- gauges ---


def _engines(planned: Planned) -> Iterator[Gauge]:
    for engine in planned.machine.of(EngineDroop):
        name, (unit, factor) = words(engine.name), SHAFT
        yield Gauge(f"{name} load", "machine", "dial", _load_path(engine), "%", 100.0, 0.0, 0.0, 100.0, (95.0, 100.0))
        high = round_up(factor * max(engine.torque[-1][0], engine.setting))
        path = engine_columns(planned, engine).speed_path
        yield Gauge(f"{name} speed", "machine", "dial", path, unit, factor, 0.0, 0.0, high, None)


def _machine(planned: Planned, line: Array, sums: list[Sum], moment: LoadMoment | None) -> Iterator[Gauge]:
    paths, driven = [one.path for one in sums], bool(planned.machine.of(EngineDroop))
    if POWER in paths:
        most = 1e-3 * _corner_power(planned)
        high = round_up(most)
        title = "power of the pumps" if driven else "engine load"
        yield Gauge(title, "machine", "dial", POWER, "kW", 1e-3, 0.0, 0.0, high, (0.9 * most, high))
    if moment is not None:
        held, now = 1e-3 * moment.most, 1e-3 * moment(line)
        high = round_up(1.1 * max(held, now))
        red = (held, high) if held > 0.0 else None
        yield Gauge("load moment", "machine", "dial", MOMENT, "kN·m", 1e-3, 0.0, 0.0, high, red)
    if ENERGY in paths:
        title = "energy of the engine" if driven else "energy to the oil"
        yield Gauge(title, "machine", "number", ENERGY, "kJ", 1e-3, 0.0, 0.0, 1e6, None)


def _corner_power(planned: Planned) -> float:
    """Power of all pumps at full flow and highest pressure, W."""
    highest = highest_pressures(planned)
    total = 0.0
    for pump in planned.machine.of(Pumping):
        speed = speed_of(planned.machine, pump)
        torque = (1.0 + pump.dry_friction) * pump.displacement * _most(highest, str(pump.b))
        total += torque * speed + pump.shaft_viscous * speed**2
    return total


def _most(highest: dict[str, tuple[float, str]], port: str) -> float:
    pressure = highest.get(port, (UNKNOWN, ""))[0]
    return pressure if 0.0 < pressure < math.inf else UNKNOWN


def _pumps(planned: Planned) -> Iterator[Gauge]:
    for pump in planned.machine.of(Pumping):
        yield _pressure(planned, words(pump.name), "pumps", "dial", str(pump.b))
        most = round_up(LITRES_A_MINUTE * pump.displacement * abs(speed_of(planned.machine, pump)))
        yield Gauge(
            f"{words(pump.name)} flow",
            "pumps",
            "dial",
            f"{pump.name}.flow",
            "l/min",
            LITRES_A_MINUTE,
            0.0,
            0.0,
            most,
            None,
        )
    for source in planned.machine.of(Pressure):
        yield _pressure(planned, words(source.name), "pumps", "dial", source.name)


def _pressures(planned: Planned) -> Iterator[Gauge]:
    for group, kinds in (("cylinders", (Ram,)), ("motors", (Motor, Winch))):
        for part in planned.machine.parts.values():
            if isinstance(part, kinds):
                for port in part.PORTS:
                    title = chamber(planned.machine, part.name, port)
                    yield _pressure(planned, title, group, "bar", f"{part.name}.{port}")


def _pressure(planned: Planned, title: str, group: str, kind: str, port: str) -> Gauge:
    path = f"{port}.pressure"
    shown = shown_in("Pa", planned.names[path].meaning, planned.machine.ambient)
    most = shown.factor * _most(highest_pressures(planned), port)  # above ambient already
    high = round_up(1.1 * most)
    return Gauge(title, group, kind, path, *shown, 0.0, high, (most, high))


def _joints(planned: Planned) -> Iterator[Gauge]:
    ranges = {path: (low, high) for path, low, high in limits(planned).values()}
    for name in Chain.of(planned.machine).working_joints():
        joint = planned.machine.parts[name]
        assert isinstance(joint, Joint)
        for label, kind in joint.COORDINATES:
            path = f"{name}.{label}"
            if path not in planned.names:
                continue
            low, high = ranges.get(path, (-math.inf, math.inf))
            title = words(name) if len(joint.COORDINATES) == 1 else f"{words(name)} {label}"
            if kind == "angle":
                low, high = (
                    DEGREE * end if math.isfinite(end) else side * 180.0 for end, side in ((low, -1), (high, 1))
                )
                yield Gauge(title, "joints", "angle", path, "deg", DEGREE, 0.0, low, high, None)
            else:
                yield Gauge(title, "joints", "bar", path, "m", 1.0, 0.0, *_travel(planned, name, low, high), None)


def _travel(planned: Planned, joint: str, low: float, high: float) -> tuple[float, float]:
    """Range of a sliding joint, m: between its stops, by the stroke of what moves it, or about as far as it is out."""
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    machine, chain = planned.machine, Chain.of(planned.machine)
    start = (*getattr(machine.parts[joint], "start", ()), 0.0)[0]
    for ram in machine.of(Ram):
        a, b = (machine.locate(place).body for place in (ram.a, ram.b))
        if chain.between(a, b) == [joint] and ram.name in (known := limits(planned)):
            _, shortest, longest = known[ram.name]
            length = float(planned.work.rows.s[[row.part for row in planned.layout.rows].index(ram.name)])
            ends = sorted((start + shortest - length, start + longest - length))
            return round(ends[0], 3), round(ends[1], 3)
    return min(0.0, 2.0 * start), max(round_up(2.0 * start), 1.0)
