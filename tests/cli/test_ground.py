# SPDX-License-Identifier: BSD-3-Clause
"""--ground: a machine on another ground, which a report then draws; machines that have none are refused."""

import json

import pytest

from cli.command_line import document
from knuckleboom.cli import machines, main

CRATE = """\
knuckleboom: 1
machine: crate
bodies: {crate: {mass: 10 kg, inertia: [0.1, 0.1, 0.1]}}
joints: {stand: {kind: free, a: ground, b: crate, start: [1 m, 0, 100 mm, 0, 0, 0]}}
terrains: {floor: {material: gravel}}
contacts: {foot: {at: crate, box: [0.4, 0.4, 0.2], material: wood, depth: 1 mm}}
cases: {wait: {duration: 20 ms}}
"""


@pytest.mark.slow
def test_a_run_on_a_slope(tmp_path):
    (tmp_path / "crate.yaml").write_text(CRATE)
    words = ["run", "crate.yaml", "--ground", "slope:10%", "--no-plots", "--set", "floor.friction_factor=0.5"]

    told = document(*words, folder=tmp_path)

    assert told["ground"] == "slope:10%" and told["status"] == "done"


def test_the_case_goes_with_the_machine(tmp_path):
    file = tmp_path / "crate.yaml"
    file.write_text(CRATE)
    task = machines.find_task(str(file))
    found = machines.on_ground(task, "ridge:20cm")
    assert found.case.machine is found.machine is not task.machine
    assert found.case.duration == 0.02 and found.machine.parts["floor"].spacing == pytest.approx(0.025)
    assert machines.on_ground(task, None) is task


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run four-bar --ground rough", "machine 'four-bar' has no contacts or tires that could stand on a ground"),
        ("run mine-loader --ground ruogh", "there is no ground 'ruogh'"),
        ("drive run.kbrec --ground rough", "--ground: a run that is played again is on its own ground"),
        ("bench soak four-bar --ground rough", "machine 'four-bar' has no contacts or tires"),
    ],
)
def test_what_is_refused(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.kbrec").write_bytes(b"")
    assert main(words.split()) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_all_that_stand_are_soaked(monkeypatch, capsys):
    from knuckleboom.bench import machines as listed
    from knuckleboom.bench import soak

    asked = []

    def measure(bar, **options):
        asked.append(options)
        return {"status": "done", "seconds": 1.0, "seed": 1, "step_ms": 1.0, "machines": [], "not_run": []}

    monkeypatch.setattr(soak, "measure", measure)
    monkeypatch.setattr(listed, "COMPLETE", ("concrete-sprayer", "mine-loader"))
    assert main(["bench", "soak", "--ground", "rough:20cm", "--json"]) == 0
    assert [cycle.name for cycle in asked[0]["cycles"]] == ["mine-loader"]
    assert asked[0]["cycles"][0].machine.parts["floor"].is_field
    assert json.loads(capsys.readouterr().out)["ground"] == "rough:20cm"
