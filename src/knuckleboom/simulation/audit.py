# SPDX-License-Identifier: BSD-3-Clause
"""Which recorded integrals make up the energy audit, and the audit itself.

    Δ(kinetic + potential + elastic + oil) = supplied + applied − dissipated

The ledger is made with the plan and saved with the results, so that a file read back can be audited. Each entry is a
list of [sign, path]; its value is the sum of sign·(last − first). Pressures count above ambient, so that oil from an
open tank brings nothing. Elastic energies are those of the state, not summed up, so that what a step gets wrong shows
in the residual; of the oil's, what only came with more volume (∫ V̇ ψ dt) is left out. What a spring or stop did not
give back is dissipated: −Δwork − Δstored. Of a pump whose speed is given, friction took the integral of its recorded
friction_power, which never enters the oil and so stands beside the balance; on a shaft it is in the balance.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.hydraulics.elements import flow_source
from knuckleboom.hydraulics.parts.pumping import FRICTION
from knuckleboom.interface.contract import APPLIED, SUPPLIED
from knuckleboom.interface.forces import KINDS
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.plan.contacts import TOUCH_POWERS
from knuckleboom.plan.naming import EXCHANGED, force_paths, stores
from knuckleboom.plan.payloads import mass_paths
from knuckleboom.plan.tables import Layout
from knuckleboom.plan.tires import TIRE_POWERS
from knuckleboom.results import EnergyAudit, Results, Stored
from knuckleboom.results.energy import Shaft

Array = NDArray[np.float64]
Ledger = dict[str, dict[str, list[list[Any]]]]
SUMS = {
    "oil": "work done in compressing all oil so far, above ambient",
    "supplied": "energy supplied by all sources so far",
    "applied": "work of all applied forces so far",
    "dissipated": "energy turned into heat in all parts so far",
}


def meeting(layout: Layout) -> Iterator[tuple[str, str, Sequence[str]]]:
    """What touches: its name in the audit, its path, and what its works and energies are called."""
    network = layout.network
    yield from ((touch.part, touch.path, TOUCH_POWERS) for touch in network.touches)
    yield from ((tread.part, tread.part, TIRE_POWERS) for tread in network.treads)
    yield from ((one.path, one.path, TOUCH_POWERS) for one in network.pairings)


def make_ledger(planned: Planned) -> Ledger:
    """Sort every integral of the record into supplied, applied, dissipated, oil and work, under its part's name."""
    layout = planned.layout
    ledger: Ledger = {"supplied": {}, "applied": {}, "dissipated": {}, "oil": {}, "work": {}, "shafts": {}}
    for chamber in layout.chambers:
        ledger["work"].setdefault(chamber.part, []).append([1, f"{chamber.path}.work"])
    for force, paths in zip(layout.forces, force_paths(layout), strict=True):
        account = KINDS[force.kind].ELEMENT.account
        ledger["work"].setdefault(force.part, []).append([1, paths.work])
        if account == APPLIED:
            ledger["applied"].setdefault(force.part, []).append([1, paths.work])
            continue
        entry = ledger["dissipated"].setdefault(force.part, [])
        entry.append([-1, paths.work])
        if stores(force):
            entry.append([-1, paths.stored])
        if account == SUPPLIED:
            entry.append([1, paths.supplied])
            ledger["supplied"].setdefault(force.part, []).append([1, paths.supplied])
    for part, path, labels in meeting(layout):
        for label in labels:
            work, energy = f"{path}.{label}_work", f"{path}.{label}_energy"
            ledger["work"].setdefault(part, []).append([1, work])
            ledger["dissipated"].setdefault(part, []).extend(([-1, work], [-1, energy]))
    for part, path in mass_paths(layout.network):
        ledger["dissipated"].setdefault(part, []).append([1, f"{path}loss"])
        ledger["supplied"].setdefault(part, []).append([1, f"{path}supplied"])
    for row in layout.loops.driven:
        for section in ("work", "applied"):
            ledger[section][row.part] = [[1, f"{row.part}.work"]]
    for branch in layout.branches:
        section, name = ("supplied", "supplied") if branch.kind == flow_source.KIND else ("dissipated", "loss")
        ledger[section].setdefault(branch.part, []).append([1, f"{branch.path}.{name}"])
    for node in layout.nodes:
        if node.source is None:
            ledger["oil"][node.port] = [[1, f"{node.port}.energy"], [-1, f"{node.port}.swept"]]
        else:
            ledger["supplied"].setdefault(node.port, []).append([1, f"{node.port}.supplied"])
    for reading in layout.readings:
        if reading.name == FRICTION:
            ledger["shafts"][reading.part] = [[1, f"{reading.part}.{FRICTION}"]]
    return ledger


def add_totals(names: Names, record: Array, ledger: Ledger) -> tuple[Names, Array]:
    """Append what follows from the integrals: work and loss of each part, the sums, and the residual over time."""
    extended, columns = Names(names), [record]
    width = record.shape[1]

    def gain(entry: Iterable[list[Any]]) -> Array:
        total = np.zeros(len(record))
        for sign, path in entry:
            values = record[:, names[path].columns[0]]
            total += sign * (values - values[:1])
        return total

    def append(path: str, meaning: str, values: Array) -> None:
        if path not in extended:
            extended.add(path, "J", meaning, width + len(columns) - 1)
            columns.append(values[:, None])

    for part, entry in ledger["work"].items():
        append(f"{part}.work", "work done on the mechanism so far", gain(entry))
    for part, entry in ledger["dissipated"].items():
        append(f"{part}.dissipated", "energy turned into heat so far", gain(entry))
    sums = {section: gain(itertools.chain.from_iterable(ledger[section].values())) for section in SUMS}
    for section, meaning in SUMS.items():
        append(f"energy.{section}", meaning, sums[section])
    stored = sums["oil"] + gain([[1, f"energy.{form}"] for form in ("kinetic", "potential", "elastic")])
    residual = stored + sums["dissipated"] - sums["supplied"] - sums["applied"]
    append("energy.residual", "energy that appeared from nowhere so far: the error of the run", residual)
    return extended, np.hstack(columns)


def change(results: Results, entry: Iterable[list[Any]]) -> float:
    """Sum of sign·(last − first) of an entry's quantities."""
    return float(sum(sign * (results[path].values[-1] - results[path].values[0]) for sign, path in entry))


def energy(results: Results) -> EnergyAudit:
    """Audit a run: where its energy came from, where it is now, where it was lost."""
    if len(results.time) == 0:
        raise ValueError(f"the run of '{results.machine}' recorded nothing, so there is no energy to audit")
    ledger = results.meta["ledger"]
    stored, swing = {}, 0.0
    for form in ("kinetic", "potential", "elastic"):
        values = results[f"energy.{form}"].values
        stored[form] = Stored(float(values[0]), float(values[-1]), float(values[-1] - values[0]))
        swing = max(swing, float(np.ptp(values)))
    gain = sum(change(results, entry) for entry in ledger["oil"].values())
    stored["oil"] = Stored(0.0, gain, gain)
    supplied = {name: change(results, entry) for name, entry in ledger["supplied"].items()}
    shafts = {}
    for pump, [[weight, path]] in ledger.get("shafts", {}).items():
        values = results[path].values
        lost = values if path.endswith(f".{FRICTION}") else weight * values**2  # files before 0.8: [c, speed]
        friction = float(np.trapezoid(lost, results.time))
        shafts[pump] = Shaft(supplied[pump] + friction, friction, supplied[pump])
    lines = (results.meta.get("outline") or {}).get("lines", ())
    exchanged = change(results, [[1, EXCHANGED]]) if EXCHANGED in results else None
    return EnergyAudit(
        stored=stored,
        supplied=supplied,
        shafts=shafts,
        applied={name: change(results, entry) for name, entry in ledger["applied"].items()},
        dissipated={name: change(results, entry) for name, entry in ledger["dissipated"].items()},
        machine=results.machine,
        start_time=float(results.time[0]),
        end_time=float(results.time[-1]),
        swing=swing,
        springs=frozenset(line["name"] for line in lines if line["kind"] == "spring"),
        exchanged=exchanged,
    )
