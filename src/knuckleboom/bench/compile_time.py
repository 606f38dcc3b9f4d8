# SPDX-License-Identifier: BSD-3-Clause
"""How long compilation takes with an empty cache: per entry point, and per kind of element.

Everything is measured in processes of its own (compile_probe.py) with a cache folder that was empty before.

Keys: total_s (all entry points one after another, as a first run meets them); entry_points (list of name, seconds in
that order, where later ones find kernels already compiled, and alone_s, each from nothing); kinds (list of family,
kind, seconds: what one more kind like it would add); seconds_per_kind (mean) and slowest_kind. A kind is a file of
mechanics/, hydraulics/ or interface/elements/, or a law.

Numba translates every file by itself, which is measured, and optimises all of them together inside the entry points;
of that each file is given a share in proportion to its own time.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from knuckleboom.bench.rounds import Progress
from knuckleboom.bench.start_time import BenchError, environment

PROBE = "knuckleboom.bench.compile_probe"
ENTRY_POINTS = "knuckleboom.engine.run"
FAMILIES = ("mechanics", "hydraulics", "interface")


def measure(progress: Progress | None = None) -> dict[str, Any]:
    """Measure everything, see the card."""
    report = progress or (lambda fraction: None)
    with tempfile.TemporaryDirectory(prefix="knuckleboom-bench-") as folder:
        together = _probe(folder)
        names = list(together["entry_points"])
        report(1.0 / (1 + len(names)))
        alone = {}
        for number, name in enumerate(names, start=2):
            alone[name] = _probe(folder, name)["seconds"]
            report(number / (1 + len(names)))
    kinds = _kinds(together["modules"])
    return {
        "total_s": sum(together["entry_points"].values()),
        "entry_points": [
            {"name": name, "seconds": seconds, "alone_s": alone[name]}
            for name, seconds in together["entry_points"].items()
        ],
        "kinds": kinds,
        "seconds_per_kind": statistics.fmean(row["seconds"] for row in kinds),
        "slowest_kind": max(kinds, key=lambda row: row["seconds"])["kind"],
    }


def _probe(folder: str, *arguments: str) -> Any:
    command = [sys.executable, "-m", PROBE, *arguments]
    done = subprocess.run(command, env=environment(Path(folder)), capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(f"'{' '.join(command[1:])}' ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)


def _kinds(modules: dict[str, float]) -> list[dict[str, Any]]:
    """Seconds of every file that is a kind: knuckleboom.<family>.elements.<kind> or knuckleboom.laws.<kind>."""
    total = sum(modules.values())
    share = total / (total - modules[ENTRY_POINTS])
    rows = []
    for module, seconds in modules.items():
        room, *inner = module.split(".")[1:]
        if (room in FAMILIES and len(inner) == 2 and inner[0] == "elements") or room == "laws":
            rows.append({"family": room, "kind": inner[-1], "seconds": share * seconds})
    return sorted(rows, key=lambda row: (row["family"], row["kind"]))
