# SPDX-License-Identifier: BSD-3-Clause
"""Two work trees side by side, before and after a change: `python tools/beside.py OLD NEW [--json]`.

- bytes: every machine of the catalogue with every row of the method table, some hundred steps with jumps, controllers,
  a snapshot and the return to it (beside_bytes.py): whether record and state are equal to the last bit.
- step: what a `realtime` step takes in the mean over the first seconds of each large machine's work cycle. Trees take
  turns, a process for every sample, so that a slow spell of the computer falls on both; the smallest counts. `spread`
  is how far above the smallest a quarter of the samples begins: differences below it say nothing.
- compile: processor time of a cold compile of each entry point.
- cranes, levers: the errors of `bench cranes` and `bench levers`, which the files of the new tree measure in both.

Python is the one this runs with. Ctrl-C keeps the samples that were taken. Exit code 1 where bytes differ.
beside_sample.py is the process. CONTRIBUTING.md says when to use it.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).with_name("beside_sample.py")
PARTS = ("bytes", "step", "compile", "cranes", "levers")
USUAL = "bytes,step,compile"
LARGE = "excavator,concrete-sprayer,harvester-25,harvester-30,mobile-crane,mine-loader,forwarder-crane"
CRANES = {"median": "median", "p90": "90 %", "worst": "worst"}
COUPLINGS = ("explicit", "unified", "realtime")
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def main() -> None:
    """Read the words, measure, print."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("old", type=tree, help="work tree before the change")
    words.add_argument("new", type=tree, help="work tree after it")
    words.add_argument("--parts", type=parts, default=USUAL, help=f"what to compare, of {','.join(PARTS)}")
    words.add_argument("--machines", default="", help="names of the catalogue, separated by commas")
    words.add_argument("--methods", default="", help="bytes only of methods with this text in their words")
    words.add_argument("--step", type=seconds, default="1ms")
    words.add_argument("--seconds", type=float, default=5.0, help="how much of each work cycle")
    words.add_argument("--samples", type=int, default=20)
    words.add_argument("--compilations", type=int, default=3, help="samples of compile")
    words.add_argument("--cranes", type=int, default=40, help="how many random cranes")
    words.add_argument("--json", action="store_true")
    given = words.parse_args()
    data = measure(given)
    print(json.dumps(data, indent=2) if given.json else "\n".join(lines(data)))
    if data.get("bytes", {}).get("different"):
        sys.exit(1)


def parts(text: str) -> list[str]:
    """What is compared, refused where it is nothing that can be."""
    wanted = text.split(",")
    wrong = [part for part in wanted if part not in PARTS]
    if wrong:
        raise argparse.ArgumentTypeError(f"'{wrong[0]}' is none of {', '.join(PARTS)}")
    return wanted


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
    try:
        if "bytes" in given.parts:
            data["bytes"] = compare_bytes(trees, given.machines, given.methods)
        if "step" in given.parts:
            measure_steps(trees, given, data)
        if "compile" in given.parts:
            measure_compile(trees, given, data)
        for bench, options in (("cranes", {"count": given.cranes}), ("levers", {})):
            if bench not in given.parts:
                continue
            file = given.new / "src" / "knuckleboom" / "bench" / f"{bench}.py"
            data[bench] = {}
            for name, path in trees.items():
                note(f"{bench}: {name}")
                data[bench][name] = sample(path, "bench", str(file), json.dumps(options))
    except KeyboardInterrupt:
        data["status"] = "interrupted"
    return data


def compare_bytes(trees: dict[str, Path], machines: str, methods: str) -> dict[str, Any]:
    """Which runs differ between both trees, and in what; what only one tree has is listed apart."""
    note("bytes: both trees at once, a line for each machine that is done")
    with concurrent.futures.ThreadPoolExecutor() as both:
        waiting = {name: both.submit(sample, path, "bytes", machines, methods) for name, path in trees.items()}
        found = {name: result.result() for name, result in waiting.items()}
    runs = {
        name: {(machine, method): one for machine, methods in tree.items() for method, one in methods.items()}
        for name, tree in found.items()
    }
    shared = [key for key in runs["old"] if key in runs["new"]]
    different = []
    for key in shared:
        fields = differing(runs["old"][key], runs["new"][key])
        if fields:
            different.append({"machine": key[0], "method": key[1], "fields": fields})
    alone = sorted(" ".join(key) for key in runs["old"].keys() ^ runs["new"].keys())
    ended = sum(bool(runs["new"][key]["ended"]) for key in shared)
    return {"equal": len(shared) - len(different), "different": different, "in_one_tree": alone, "ended_early": ended}


def differing(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What of a run is not equal to the last bit: how it ended, recorded quantities and fields of the state that both
    have; a quantity that went away counts, too, a new one does not.
    """
    fields = [] if old.get("ended") == new.get("ended") else ["ended"]
    before, after = old.get("record", {}), new.get("record", {})
    fields += [path for path in before if before[path] != after.get(path)]
    before, after = old.get("state", {}), new.get("state", {})
    return fields + [f"state.{name}" for name in before if name in after and before[name] != after[name]]


def measure_steps(trees: dict[str, Path], given: argparse.Namespace, data: dict[str, Any]) -> None:
    """Time of a step, machine by machine. Writes data, also when it is interrupted."""
    taken: dict[str, list[Any]] = {name: [] for name in trees}
    try:
        for number in range(given.samples):
            for name, path in trees.items():
                note(f"step: sample {number + 1} of {given.samples}, {name}")
                machines = given.machines or LARGE
                taken[name].append(sample(path, "step", machines, str(given.step), str(given.seconds)))
    finally:
        data |= {"step_ms": 1e3 * given.step, "samples": len(taken["new"])}
        data["machines"] = [{"machine": machine, **row} for machine, row in compare_columns(taken, "us").items()]


def measure_compile(trees: dict[str, Path], given: argparse.Namespace, data: dict[str, Any]) -> None:
    """Time of a cold compile of each entry point. Writes data, also when it is interrupted."""
    taken: dict[str, list[Any]] = {name: [] for name in trees}
    try:
        for number in range(given.compilations):
            for name, path in trees.items():
                note(f"compile: sample {number + 1} of {given.compilations}, {name}")
                taken[name].append({})
                for coupling in COUPLINGS:  # a process for each: what one compiled, another would find done
                    with tempfile.TemporaryDirectory(prefix="knuckleboom-beside-") as folder:
                        taken[name][-1] |= sample(path, "compile", coupling, KNUCKLEBOOM_CACHE_DIR=folder)
    finally:
        data["compile"] = [{"entry_point": entry, **row} for entry, row in compare_columns(taken, "s").items()]


def sample(path: Path, *words: str, **variables: str) -> Any:
    """What one process finds with the knuckleboom of a tree."""
    environment = {**os.environ, "PYTHONPATH": str(path / "src"), **variables}
    command = [sys.executable, str(SAMPLE), *words]
    shown = None if words[0] == "bytes" else subprocess.PIPE
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=shown, text=True)
    if done.returncode != 0:
        sys.exit(f"'{' '.join(words)}' failed with the tree {path}:\n{done.stderr or ''}")
    answer = json.loads(done.stdout)
    assert Path(answer["package"]).is_relative_to(path), f"{answer['package']} was measured for {path}"
    return answer["found"]


def compare_columns(taken: dict[str, list[dict[str, float]]], unit: str) -> dict[str, dict[str, float]]:
    """Compare samples of several things, each by its key; of those that both trees have."""
    if not taken["new"]:
        return {}
    shared = [key for key in taken["old"][0] if key in taken["new"][0]]
    return {
        key: compare_samples({name: [one[key] for one in samples] for name, samples in taken.items()}, unit)
        for key in shared
    }


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
    told = byte_lines(data["bytes"]) if "bytes" in data else []
    rows: list[tuple[str, ...]] = [("", "old", "new", "change", "spread old", "new")]
    for row in data.get("machines", []):
        rows.append((f"{row['machine']}, µs", *cells(row, "us")))
    for row in data.get("compile", []):
        rows.append((f"compile {row['entry_point']}, s", *cells(row, "s")))
    for bench in ("cranes", "levers"):
        for name, found in data.get(bench, {}).items():
            rows += crane_rows(name, found) if bench == "cranes" else lever_rows(name, found)
    return told + [f"{row[0]:36}" + "".join(f"{cell:>14}" for cell in row[1:]) for row in rows if len(rows) > 1]


def byte_lines(found: dict[str, Any]) -> list[str]:
    """The comparison of bytes for people."""
    different = found["different"]
    total = found["equal"] + len(different)
    told = [f"bytes: {found['equal']} of {total} runs are equal ({found['ended_early']} of them end early in both)"]
    told += [f"  {one['machine']}, {one['method']}: {', '.join(one['fields'])}" for one in different]
    return told + [f"  in one tree only: {title}" for title in found["in_one_tree"]]


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
