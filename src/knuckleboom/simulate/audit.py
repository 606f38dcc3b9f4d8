# SPDX-License-Identifier: BSD-3-Clause
"""Which recorded integrals make up the energy audit, and the audit itself.

    Δ(kinetic + potential + elastic + oil) = supplied + applied − dissipated

The ledger is made with the plan and saved with the results, so that a file read back can be audited. Each entry is a
list of [sign, path]; its value is the sum of sign·(last − first). Pressures count above ambient, so that oil from an open
tank brings nothing. What a spring or stop did not give back is dissipated: −Δwork − Δstored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knuckleboom.interface.elements import friction, push
from knuckleboom.plan import Planned
from knuckleboom.plan.naming import force_paths
from knuckleboom.results import EnergyAudit, Results, Stored

Ledger = dict[str, dict[str, list[list[Any]]]]


def make_ledger(planned: Planned) -> Ledger:
    """Sort every integral of the record into supplied, applied, dissipated and oil, under its part's name."""
    layout = planned.layout
    ledger: Ledger = {"supplied": {}, "applied": {}, "dissipated": {}, "oil": {}}
    for force, (work, stored) in zip(layout.forces, force_paths(layout), strict=True):
        if force.kind == push.KIND:
            ledger["applied"].setdefault(force.part, []).append([1, work])
            continue
        entry = ledger["dissipated"].setdefault(force.part, [])
        entry.append([-1, work])
        if force.kind != friction.KIND:
            entry.append([-1, stored])
    for branch in layout.branches:
        path = branch.part if branch.name == "flow" else f"{branch.part}.{branch.name}"
        ledger["dissipated"].setdefault(branch.part, []).append([1, f"{path}.loss"])
    for node in layout.nodes:
        if node.source is None:
            ledger["oil"].setdefault(node.port, []).append([1, f"{node.port}.compression"])
        else:
            ledger["supplied"].setdefault(node.port, []).append([1, f"{node.port}.supplied"])
    return ledger


def change(results: Results, entry: Iterable[list[Any]]) -> float:
    """Sum of sign·(last − first) of an entry's quantities."""
    return float(sum(sign * (results[path].values[-1] - results[path].values[0]) for sign, path in entry))


def energy(results: Results) -> EnergyAudit:
    """Audit a run: where its energy came from, where it is now, where it was lost."""
    if len(results.time) == 0:
        raise ValueError(f"the run of '{results.machine}' recorded nothing, so there is no energy to audit")
    ledger = results.meta["ledger"]
    stored = {}
    for form in ("kinetic", "potential", "elastic"):
        values = results[f"energy.{form}"].values
        stored[form] = Stored(float(values[0]), float(values[-1]), float(values[-1] - values[0]))
    gain = sum(change(results, entry) for entry in ledger["oil"].values())
    stored["oil"] = Stored(0.0, gain, gain)
    return EnergyAudit(
        stored=stored,
        supplied={name: change(results, entry) for name, entry in ledger["supplied"].items()},
        applied={name: change(results, entry) for name, entry in ledger["applied"].items()},
        dissipated={name: change(results, entry) for name, entry in ledger["dissipated"].items()},
        machine=results.machine,
        start_time=float(results.time[0]),
        end_time=float(results.time[-1]),
    )
