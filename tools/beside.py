# SPDX-License-Identifier: BSD-3-Clause
"""Two work trees side by side, before and after a change: `python tools/beside.py OLD NEW [--json]`.

What a `realtime` step takes in the mean over the first seconds of each complete machine's work cycle. Trees take turns,
a process for every sample, so that a slow spell of the computer falls on both; the smallest counts. `spread` is how far
above the smallest a quarter of the samples begins: differences below it say nothing. With --compile also the processor
time of a cold compile of run_realtime, with --cranes and --levers the errors of `bench cranes` and `bench levers`,
which the files of the new tree measure in both. Python is the one this runs with. Ctrl-C keeps the samples that were
taken. beside_sample.py is the process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).with_name("beside_sample.py")
COMPLETE = "excavator,concrete-sprayer,harvester-25,harvester-30,mobile-crane,mine-loader,forwarder-crane"
CRANES = {"median": "median", "p90": "90 %", "worst": "worst"}
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def main() -> None:
    """Read the words, measure, print."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("old", type=tree, help="work tree before the change")
    words.add_argument("new", type=tree, help="work tree after it")
    words.add_argument("--machines", default=COMPLETE, help="names of the catalogue, separated by commas")
    words.add_argument("--step", type=seconds, default="1ms")
    words.add_argument("--seconds", type=float, default=5.0, help="how much of each work cycle")
    words.add_argument("--samples", type=int, default=20)
    words.add_argument("--compile", type=int, nargs="?", const=3, default=0, metavar="SAMPLES")
    words.add_argument("--cranes", type=int, default=0, metavar="COUNT")
    words.add_argument("--levers", action="store_true")
    words.add_argument("--json", action="store_true")
    given = words.parse_args()
    data = measure(given)
    print(json.dumps(data, indent=2) if given.json else "\n".join(lines(data)))


def tree(text: str) -> Path:
    """A work tree, refused where it has no knuckleboom."""
    path = Path(text).resolve()
    if not (path / "src" / "knuckleboom" / "__init__.py").is_file():
        raise argparse.ArgumentTypeError(f"'{text}' is no work tree: it has no src/knuckleboom")
    return path


def seconds(text: str) -> float:
    """A time with its unit, s."""
    number = text.rstrip("mus")
    try:
        value = float(number) * UNITS[text[len(number) :]]
    except (ValueError, KeyError):
        value = 0.0
    if not value > 0.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time such as 1ms")
    return value


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Everything that was asked for; after Ctrl-C what there is of it."""
    trees = {"old": given.old, "new": given.new}
    data: dict[str, Any] = {"status": "done", "old": str(given.old), "new": str(given.new)}
    taken: dict[str, list[Any]] = {name: [] for name in trees}
    compiled: dict[str, list[Any]] = {name: [] for name in trees}
    try:
        for number in range(given.samples):
            for name, path in trees.items():
                note(f"step: sample {number + 1} of {given.samples}, {name}")
                taken[name].append(sample(path, "step", given.machines, str(given.step), str(given.seconds)))
        for number in range(given.compile):
            for name, path in trees.items():
                note(f"compile: sample {number + 1} of {given.compile}, {name}")
                with tempfile.TemporaryDirectory(prefix="knuckleboom-beside-") as folder:
                    compiled[name].append(sample(path, "compile", KNUCKLEBOOM_CACHE_DIR=folder))
        asked = {"cranes": {"count": given.cranes}} if given.cranes else {}
        asked |= {"levers": {}} if given.levers else {}
        for bench, options in asked.items():
            file = given.new / "src" / "knuckleboom" / "bench" / f"{bench}.py"
            data[bench] = {}
            for name, path in trees.items():
                note(f"{bench}: {name}")
                data[bench][name] = sample(path, "bench", str(file), json.dumps(options))
    except KeyboardInterrupt:
        data["status"] = "interrupted"
    data |= {"step_ms": 1e3 * given.step, "samples": len(taken["new"])}
    if taken["new"]:
        columns = {
            machine: {name: [one[machine] for one in taken[name]] for name in trees} for machine in taken["new"][0]
        }
        data["machines"] = [{"machine": machine, **compare_samples(both, "us")} for machine, both in columns.items()]
    if compiled["new"]:
        data["compile"] = compare_samples({name: [one["seconds"] for one in compiled[name]] for name in trees}, "s")
    return data


def sample(path: Path, *words: str, **variables: str) -> Any:
    """What one process finds with the knuckleboom of a tree."""
    environment = {**os.environ, "PYTHONPATH": str(path / "src"), **variables}
    command = [sys.executable, str(SAMPLE), *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"'{' '.join(words)}' failed with the tree {path}:\n{done.stderr}")
    answer = json.loads(done.stdout)
    assert Path(answer["package"]).is_relative_to(path), f"{answer['package']} was measured for {path}"
    return answer["found"]


def compare_samples(both: dict[str, list[float]], unit: str) -> dict[str, float]:
    """The smallest of both trees, how they differ, and their spreads."""
    found: dict[str, float] = {}
    for name, values in both.items():
        found[f"{name}_{unit}"] = min(values)
        quarter = min(max(len(values) // 4, 1), len(values) - 1)  # of few samples the second
        found[f"{name}_spread_percent"] = 100.0 * (sorted(values)[quarter] / min(values) - 1.0)
    found["change_percent"] = 100.0 * (found[f"new_{unit}"] / found[f"old_{unit}"] - 1.0)
    return found


def lines(data: dict[str, Any]) -> list[str]:
    """The numbers for people."""
    rows: list[tuple[str, ...]] = [("", "old", "new", "change", "spread old", "new")]
    for row in data.get("machines", []):
        rows.append((f"{row['machine']}, µs", *cells(row, "us")))
    if "compile" in data:
        rows.append(("compile run_realtime, s", *cells(data["compile"], "s")))
    for bench in ("cranes", "levers"):
        for name, found in data.get(bench, {}).items():
            rows += crane_rows(name, found) if bench == "cranes" else lever_rows(name, found)
    return [f"{row[0]:36}" + "".join(f"{cell:>14}" for cell in row[1:]) for row in rows]


def crane_rows(name: str, found: dict[str, Any]) -> list[tuple[str, ...]]:
    """Cranes of a tree as texts: a line for each coupling."""
    rows = []
    for coupling in ("realtime", "unified"):
        one = found[coupling]
        numbers = [f"{word} {short(one[f'{key}_mrad'])}" for key, word in CRANES.items()]
        rows.append((f"cranes, {coupling} {name}, mrad", *numbers, f"seed {one['worst_seed']}", f"of {one['counted']}"))
    return rows


def lever_rows(name: str, found: dict[str, Any]) -> list[tuple[str, ...]]:
    """Levers of a tree as texts: a line for each machine and step."""
    return [
        (
            f"levers, {one['machine']} {one['step_ms']:g} ms {name}",
            f"{short(one['worst_mm'])} mm",
            f"{short(one['worst_bar'])} bar",
            f"{one['within']} of {one['seeds']}",
        )
        for one in found["summary"]
    ]


def short(value: float | None) -> str:
    """A number with three digits, or a dash where there is none."""
    return "-" if value is None else f"{value:.3g}"


def cells(row: dict[str, float], unit: str) -> tuple[str, ...]:
    """Numbers of both trees as texts."""
    spreads = (f"{row[f'{name}_spread_percent']:.1f} %" for name in ("old", "new"))
    return f"{row[f'old_{unit}']:.3f}", f"{row[f'new_{unit}']:.3f}", f"{row['change_percent']:+.1f} %", *spreads


def note(text: str) -> None:
    """Say on stderr how far it is."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
