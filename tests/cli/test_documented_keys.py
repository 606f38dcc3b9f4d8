# SPDX-License-Identifier: BSD-3-Clause
"""docs/cli.md lists the JSON keys of every command: neither a key that no command prints nor one it does not list."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from cabin.driving import ask, make_worker, running
from cli.command_line import document
from engine.four_rams import four_rams
from knuckleboom.cabin.shared import Command
from knuckleboom.cli import main

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"

FAULTY = """\
knuckleboom: 1
machine: faulty
bodies: {boom: {mass: 10 kg, inertia: [1, 1, 1]}}
joints: {foot: {kind: revolute, a: ground, b: bom}}
"""


TORN = """\
knuckleboom: 1
machine: torn
oils: {oil: {fluid: {law: cavitating, density: 860 kg/m3, bulk: 1.4 GPa}}}
volumes: {can: {oil: oil, size: 1 l, pressure: 0.4 bar}}
tanks: {tank: {oil: oil, pressure: 1 bar}}
restrictors: {hole: {a: can, b: tank, flow: [1 l/min, 35 bar]}}
"""


CRATE = """\
knuckleboom: 1
machine: crate
bodies: {crate: {mass: 10 kg, inertia: [1, 1, 1]}, lid: {mass: 1 kg, inertia: [1, 1, 1]}}
joints:
  slide: {kind: prismatic, a: ground, b: crate, axis: z, start: 99 mm}
  rise: {kind: prismatic, a: ground, b: lid, axis: z, start: 400 mm}
terrains: {floor: {}}
contacts: {foot: {at: crate, sphere: 100 mm}, rim: {at: lid, sphere: 100 mm, stiffness: 10 kN/m}}
"""


THROUGH = ("name", "depth_mm", "most_mm", "time_s")
"""Of what tunnelled in a soak: tests/bench/test_soak.py."""

CHECKED = {"faulty.yaml": 2, "noted.yaml": 0, "naya-rod": 0}


def documented(command: str) -> set[str]:
    """Return the keys that the page lists for a command."""
    _, _, section = PAGE.read_text().partition(f"<!-- keys: {command} -->\n")
    assert section, f"docs/cli.md has no keys for '{command}'"
    table = section.split("\n\n")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", table, flags=re.MULTILINE))


def printed(data: Any, path: str = "") -> set[str]:
    """Return the paths of all values of a document, in the page's notation."""
    if isinstance(data, dict):
        return {key for name, value in data.items() for key in printed(value, f"{path}.{name}" if path else name)}
    if isinstance(data, list):
        return {key for value in data for key in printed(value, f"{path}[]")} or {f"{path}[]"}
    return {path}


def fits(listed: str, real: str) -> bool:
    """Say whether a printed path is what a listed one means; `<name>` stands for any name, dots included."""
    return re.fullmatch(re.sub(r"<\w+>", ".+", re.escape(listed)), real) is not None


def compare(command: str, documents: list[Any], may_lack: frozenset[str] = frozenset()) -> None:
    """Compare what the page lists with what the command printed in several cases."""
    listed, real = documented(command), {path for data in documents for path in printed(data)}
    # an empty list, an empty dictionary or a null stands for everything that could be in it
    unlisted = {path for path in real if not any(fits(one, path) or one.startswith(path) for one in listed)}
    assert not unlisted, f"docs/cli.md does not list {sorted(unlisted)} of '{command}'"
    unprinted = {one for one in listed - may_lack if not any(fits(one, path) for path in real)}
    assert not unprinted, f"'{command}' did not print {sorted(unprinted)}, which docs/cli.md lists"


def test_error(tmp_path):
    (tmp_path / "faulty.yaml").write_text(FAULTY)
    documents = [document("info", "naya-rot", code=2), document("info", "faulty.yaml", folder=tmp_path, code=2)]
    for problem in documents[1]["error"]["problems"]:
        assert problem["rule"]
    documents[1]["error"]["problems"] = ["a problem as of check"]
    compare("error", documents)


def test_list():
    compare("list", [document("list")])
    compare("list methods", [document("list", "methods")])
    compare("list parts", [document("list", "parts")])


def test_run(tmp_path):
    # supplied, applied and dissipated have entries where a machine has such parts; naya-rod is not pushed by anything
    data = document("run", "naya-rod", "--for", "20 ms", folder=tmp_path)
    # the crane's valve is given, so that it does not move
    words = ("--for", "1 ms", "--start", "equilibrium", "--no-plots")
    creeping = document("run", "rahikainen-crane", *words, folder=tmp_path)
    # with its leaking valves as given this machine does not rest: it begins where they would have to be
    (tmp_path / "leaking.yaml").write_text(four_rams().to_yaml())
    assert document("run", "leaking.yaml", *words, folder=tmp_path)["start"]["moved"]
    (tmp_path / "torn.yaml").write_text(TORN)
    torn = document("run", "torn.yaml", "--for", "5 ms", "--no-plots", folder=tmp_path)
    pumped = document("run", "crane-one-cylinder", "--for", "1 ms", "--no-plots", folder=tmp_path)
    compare("run", [data, creeping, torn, pumped], may_lack=frozenset({"energy.applied.<part>", "start.moved.<input>"}))


def test_compare():
    words = ("--for", "20 ms", "--steps")
    some = ("--only", "relative,explicit,unified,realtime,kinematic")
    documents = [document("compare", name, *words, "5ms,2.5ms", *some) for name in ("naya-rod", "four-bar")]
    # exchanges, on a machine that moves soon
    alone = ("--only", "cosimulated,trapezoidal,relative,lagrange")
    documents.append(document("compare", "peiret-arm", "--for", "300 ms", "--steps", "5ms,2.5ms", *alone))
    compare("compare", documents, may_lack=frozenset({"notes[]"}))


def test_report(tmp_path):
    document("run", "naya-rod", "--for", "20 ms", "--no-plots", "--save", "run.nc", folder=tmp_path)
    (tmp_path / "data.csv").write_text("time [s],lift.a.pressure [bar]\n0.01,44\n")
    data = document("report", "run.nc", "--measured", "data.csv", "--save", "x.html", folder=tmp_path)
    assert (tmp_path / "x.html").stat().st_size == data["bytes"]
    assert data["animation"] and data["measured"][0]["compared"] == 1
    compare("report", [data])


def test_replay(tmp_path):
    worker = make_worker("crane-one-cylinder", tmp_path, record=tmp_path / "drive.kbrec")
    with running(worker) as shared:
        ask(shared, Command.STEP, 30)
    data = document("replay", "drive.kbrec", folder=tmp_path)
    assert data["bit_equal"] is True and (data["steps"], data["ended"]) == (30, "quit")
    assert (tmp_path / data["report"]).is_file() and (tmp_path / data["results"]).is_file()
    compare("replay", [data])
    wrong = document("replay", "other.kbrec", folder=tmp_path, code=2)["error"]["message"]
    assert wrong == "There is no recording 'other.kbrec'."


def test_info(tmp_path):
    data = document("info", "harvester-30")
    (tmp_path / "crate.yaml").write_text(CRATE)
    crate = document("info", "crate.yaml", folder=tmp_path)
    crane = document("info", "crane-one-cylinder", "--workspace", "boom.tip")
    compare("info", [data, crane, crate], may_lack=frozenset({"redundant_rows[]"}))
    # what a designer computes by hand: the pump's cut-off on the bore
    assert crane["actuators"][0]["force"] == pytest.approx(200e5 * math.pi / 4 * 0.09**2)
    [pump] = crane["pumps"]
    assert pump["flow"] == pytest.approx(pump["displacement"] * pump["speed"])
    assert crane["mass"]["total"] == pytest.approx(800.0) and crane["frequencies"]["at"] == "equilibrium"
    assert crane["frequencies"]["case"] is None
    assert crate["contacts"][0]["mass"] == pytest.approx(10.0)
    k = crate["contacts"][0]["stiffness"]
    assert crate["pairs"][0]["stiffness"] == pytest.approx(k * 1e4 / (k + 1e4))


def test_info_draws(tmp_path):
    files = ("--circuit", "c.svg", "--mechanism", "m.svg")
    data = document("info", "naya-rod", *files, folder=tmp_path)
    assert [data["circuit"]["file"], data["mechanism"]["file"]] == ["c.svg", "m.svg"]
    assert all((tmp_path / name).read_text().startswith("<svg") for name in ("c.svg", "m.svg"))
    assert "no part with oil" in document("info", "four-bar", *files, folder=tmp_path, code=2)["error"]["message"]
    assert ".svg" in document("info", "naya-rod", "--circuit", "c.png", folder=tmp_path, code=2)["error"]["message"]


def test_modes():
    compare("modes", [document("modes", "naya-rod"), document("modes", "four-bar", "--equilibrium")])


def test_check(tmp_path):
    (tmp_path / "faulty.yaml").write_text(FAULTY)
    (tmp_path / "noted.yaml").write_text(FAULTY.replace("b: bom", "b: boom, start: 90"))
    documents = [document("check", name, folder=tmp_path, code=code) for name, code in CHECKED.items()]
    compare("check", documents)


def test_import(tmp_path):
    path = str(Path(__file__).parents[2] / "validation" / "data" / "robots" / "arm.urdf")
    compare("import", [document("import", path), document("import", path, "--save", "arm.yaml", folder=tmp_path)])
    assert document("check", "arm.yaml", folder=tmp_path)["problems"] == []


@pytest.mark.parametrize("words", [("show", "plan"), ("show", "plan", "naya-rod")], ids=" ".join)
def test_show_plan(words):
    compare("show plan", [document(*words)])


def test_schema():
    compare("schema", [document("schema")])


def test_version():
    compare("version", [document("version", "--info")])


def test_bench_realtime(monkeypatch, capsys):
    from knuckleboom.bench import realtime, stages
    from knuckleboom.bench.machines import Cycle, cycle_of

    monkeypatch.setattr(realtime, "StageClock", lambda planned, step: lambda: dict.fromkeys(stages.STAGES, 1.0))
    crane = cycle_of("crane-one-cylinder")
    data = realtime.measure(cycles=[Cycle("crane", crane.machine, 0.02, crane.inputs, crane.method)], replays=1)
    compare("bench realtime", [data])
    left = {**data, "status": "interrupted", "not_run": ["excavator"]}
    monkeypatch.setattr(realtime, "measure", lambda bar, **options: left)
    assert main(["bench", "realtime", "crane-one-cylinder"]) == 130
    told = capsys.readouterr()
    assert "inertia" in told.out and "Interrupted; not run: excavator." in told.err


def test_bench_loop_time(monkeypatch, capsys, tmp_path):
    from knuckleboom.bench import loop_time

    file = tmp_path / "x.html"
    assert main(["bench", "loop-time", "--for", "16ms", "--report", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    compare("bench loop-time", [data])
    assert file.read_text().count("<img") == 3
    monkeypatch.setattr(loop_time, "measure", lambda bar, **options: {**data, "status": "interrupted"})
    assert main(["bench", "loop-time"]) == 130
    assert "Semi-recursive is" in capsys.readouterr().out


def test_bench_soak(monkeypatch, capsys):
    from knuckleboom.bench import soak

    assert main(["bench", "soak", "crane-one-cylinder", "--for", "0.5s", "--seed", "3", "--step", "2ms", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    data["not_run"] = ["excavator"]
    compare("bench soak", [data], may_lack=frozenset(f"machines[].tunnelled[].{key}" for key in THROUGH))
    assert (data["seed"], data["step_ms"]) == (3, 2.0) and data["machines"][0]["not_reached"]
    monkeypatch.setattr(soak, "measure", lambda bar, **options: {**data, "status": "interrupted"})
    assert main(["bench", "soak"]) == 130
    assert "0 of 1" in capsys.readouterr().out


def test_bench_levers(monkeypatch, capsys):
    from knuckleboom.bench import levers

    words = ("crane-one-cylinder", "--seeds", "3", "--steps", "2ms", "--for", "0.5s")
    assert main(["bench", "levers", *words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    data["not_run"] = [{"machine": "excavator", "seed": 4}]
    compare("bench levers", [data])
    assert (data["runs"][0]["seed"], data["runs"][0]["step_ms"]) == (3, 2.0) and data["runs"][0]["mm_of"] == "lift"
    monkeypatch.setattr(levers, "measure", lambda bar, **options: {**data, "status": "interrupted"})
    assert main(["bench", "levers"]) == 130
    told = capsys.readouterr()
    assert "Seeds within 2 mm and 50 bar" in told.out and "Interrupted; not run: excavator 4." in told.err


def test_bench_cosim(monkeypatch, capsys):
    from knuckleboom.bench import cosim

    measure, few = cosim.measure, {"arms": ("cosim-arm",), "seconds": {"cosim-arm": 0.1}, "steps_ms": (2, 5)}
    monkeypatch.setattr(cosim, "measure", lambda bar: measure(bar, machines=("crane-one-cylinder",), **few))
    assert main(["bench", "cosim", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    compare("bench cosim", [data])
    assert data["reduced_against_full"] < 1e-12 and len(data["schemes"]) == 2 * len(list(cosim.schemes()))
    monkeypatch.setattr(cosim, "measure", lambda bar: {**data, "status": "interrupted"})
    assert main(["bench", "cosim"]) == 130
    assert "0.5391" in capsys.readouterr().out


def test_bench_contact(monkeypatch, capsys):
    from knuckleboom.bench import contact

    measure, short = contact.measure, {"rest": 1.0, "stack": 0.1, "drive": 0.6, "cases": 10, "rounds": 1}
    monkeypatch.setattr(contact, "measure", lambda bar: measure(bar, **short))
    assert main(["bench", "contact", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    broken = {**data, "sat_cases": 1, "sat_disagreements": 0, "reckless": {**data["reckless"], "failed": ["seed 1: x"]}}
    compare("bench contact", [data, broken])
    assert data["met"]["slide_error"] and not data["met"]["box_stack.seconds"]
    monkeypatch.setattr(contact, "measure", lambda bar: {**broken, "status": "interrupted"})
    assert main(["bench", "contact"]) == 130
    told = capsys.readouterr()
    assert "us_per_disc" in told.out and "four-wheels" in told.out and "recklessly, seed 1: x" in told.err


def test_bench_cranes(monkeypatch, capsys):
    from knuckleboom.bench import cranes

    assert main(["bench", "cranes", "--count", "1", "--first", "7", "--for", "0.2s", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["cranes"][0]["seed"] == 7 and data["realtime"]["worst_seed"] == 7
    left = {**data, "not_run": [8], "no_reference": [9], "not_converged": [10], "status": "interrupted"}
    left["realtime"] = {**data["realtime"], "failed": [11]}
    left["unified"] = {**data["unified"], "failed": [11]}
    compare("bench cranes", [left])
    monkeypatch.setattr(cranes, "measure", lambda bar, **options: left)
    assert main(["bench", "cranes"]) == 130
    told = capsys.readouterr()
    assert "90 %, mrad" in told.out and "Interrupted; not run: seeds 8." in told.err


def test_bench_cabin(monkeypatch, capsys):
    from knuckleboom.bench import cabin

    monkeypatch.setattr(cabin, "TRIPS", 2)
    assert main(["bench", "cabin", "--for", "2s", "--memory-after", "3s", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    compare("bench cabin", [data])
    assert data["frames_per_second"] > 0.0 and data["round_trip_ms"] > 0.0 and data["memory_mb"] > 10.0


def test_bench_speed():
    from knuckleboom.bench import speed

    compare("bench speed", [speed.measure(rounds=1, starts=False)])


def test_bench_library():
    from knuckleboom.bench import library

    compare("bench library", [library.measure(rounds=1)])


def test_bench_scaling():
    from knuckleboom.bench import scaling

    data = scaling.measure(rounds=1, sizes=(2, 4))
    data["crossings"] = [{"faster_below": "", "faster_above": "", "bodies": 1.0}]  # there may be none
    compare("bench scaling", [data])


def test_bench_harvester():
    from knuckleboom.bench import harvester

    compare("bench harvester", [harvester.measure(rounds=1, duration=0.1)])


def test_bench_naya():
    from knuckleboom.bench import naya

    few = [one for one in naya.CONTESTANTS if one.step == 0.01]
    compare("bench naya", [naya.measure(rounds=1, contestants=few)])


def test_bench_ylinen(tmp_path, monkeypatch, capsys):
    from knuckleboom.bench import ylinen

    monkeypatch.setattr(ylinen, "SHARES", (0.5, 1.5))
    monkeypatch.setattr(ylinen, "WATCHED", 0.01)
    data = ylinen.measure(duration=0.1, figure=tmp_path / "ylinen.png")
    compare("bench ylinen", [data])
    monkeypatch.setattr(ylinen, "measure", lambda bar, figure: data)
    assert main(["bench", "ylinen"]) == 0
    assert ylinen.SENTENCE in capsys.readouterr().out


def test_bench_compile(monkeypatch, capsys):
    from knuckleboom.bench import compile_time

    modules = {"knuckleboom.engine.run": 4.0, "knuckleboom.laws.oil_naya": 0.5}
    together = {"entry_points": {"run_explicit": 6.0}, "modules": modules}
    monkeypatch.setattr(compile_time, "_probe", lambda folder, *name: {"seconds": 3.0} if name else together)
    assert main(["bench", "compile", "--json"]) == 0
    compare("bench compile", [json.loads(capsys.readouterr().out)])
    assert main(["bench", "compile"]) == 0
    assert "run_explicit" in capsys.readouterr().out


def test_every_command_is_on_the_page():
    commands = set(re.findall(r"<!-- keys: ([\w -]+) -->", PAGE.read_text()))
    assert commands == {
        "error", "list", "list methods", "list parts", "run", "compare", "report", "drive", "replay", "info", "modes",
        "check", "import", "show plan", "schema", "version", "bench realtime", "bench loop-time", "bench soak",
        "bench levers", "bench cranes", "bench cosim", "bench contact", "bench cabin", "bench speed",
        "bench library", "bench scaling", "bench harvester", "bench naya", "bench ylinen", "bench compile",
    }  # fmt: skip
