# SPDX-License-Identifier: BSD-3-Clause
"""run.warnings: one list, made in one place, reported in Python, in files and in the shell."""

from __future__ import annotations

import json
import re

import pytest

import knuckleboom as kb
from knuckleboom.cli import main


def sucked(cans: int = 1) -> kb.Machine:
    """Cans that a pump each sucks empty."""
    machine = kb.Machine("sucked")
    oil = machine.oil(kb.fluids.mineral_oil())
    tank = oil.tank("tank", "1 bar")
    for number in range(cans):
        can = oil.volume(f"can{number}", "1 l", pressure="3 bar")
        oil.flow_source(f"pump{number}", can, tank, value="0.6 l/min")
    return machine


def test_they_are_one_python_warning_and_all_in_the_results(tmp_path):
    with pytest.warns(RuntimeWarning) as issued:
        run = kb.simulate(sucked(), "0.2 s", step="1 ms", coupling="unified")

    [warning] = [item for item in issued if item.category is RuntimeWarning]
    assert str(warning.message) == " ".join(run.warnings)
    assert run.status == "done" and run.message == ""
    assert kb.load(run.to_netcdf(tmp_path / "run.nc")).warnings == run.warnings


def test_a_simulation_has_them_at_any_moment():
    sim = kb.Simulation(sucked(), step="1 ms", coupling="unified")
    sim.run_for("0.05 s")
    assert sim.results().warnings == []
    sim.run_for("0.15 s")
    assert "'can0' cavitated" in sim.results().warnings[0]


def test_many_ports_do_not_make_many_sentences():
    sim = kb.Simulation(sucked(5), step="1 ms", coupling="unified")
    sim.run_for("0.2 s")

    *first, last = sim.results().warnings
    assert len(first) == 3
    assert last == "The oil also cavitated at 'can3', 'can4': run.cavitation has how long and how far."


def test_the_shell_prints_them_and_has_them_as_data(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    kb.write(sucked(), "sucked.yaml")

    assert main(["run", "sucked.yaml", "--for", "0.2s", "--coupling", "unified", "--no-plots", "--json"]) == 0

    shown = capsys.readouterr()
    data = json.loads(shown.out)
    assert data["status"] == "done" and data["message"] == ""
    [sentence] = data["warnings"]
    assert f"Warning: {sentence}\n" in shown.err


def test_the_report_lists_them_on_top(tmp_path):
    sim = kb.Simulation(sucked(), step="1 ms", coupling="unified")
    sim.run_for("0.2 s")

    text = sim.results().report(tmp_path / "run.html").read_text(encoding="utf-8")

    listed = "<h2>1 warning</h2><ul><li>The oil at &#x27;can0&#x27; cavitated"
    assert 0 < text.index(listed) < text.index("<main>")


def shut_in(*, relief: str = "") -> kb.Machine:
    """A fixed pump against a closed valve, with a relief valve or without."""
    machine = kb.Machine("shut in")
    oil = machine.oil(kb.fluids.constant(870.0, "1.5 GPa"))
    tank, line = oil.tank("tank"), oil.volume("line", "1 l")
    oil.pump("pump", tank, line, displacement="20 cm3/rev", speed="1500 rpm")
    can, other = oil.volume("A", "1 l"), oil.volume("B", "1 l")
    oil.valve_4_3("valve", line, tank, can, other, flow=("60 l/min", "10 bar"), leak=0)
    if relief:
        oil.relief_valve("relief", line, tank, setting=relief, flow=("1 l/min", "100 bar"), override="1 bar")
    return machine


def warnings_of(machine, duration="2 s", **words) -> list[str]:
    sim = kb.Simulation(machine, step="1 ms", record="1 ms", **words)
    sim.run_for(duration)
    return sim.results().warnings


def test_a_fixed_pump_against_a_closed_valve():
    """Q t/V of strain: 0.5 l/s into 1 l at 1.5 GPa is 7500 bar a second, beyond 700 bar from 93.2 ms on."""
    assert warnings_of(shut_in()) == [
        "The pressure at 'line' rose to 15,001 bar at t = 2 s, beyond 700 bar, which oil of working machines never has"
        ", for 1.91 s: put a relief valve where the oil is shut in, or find the pump or load that raises it.",
        "pump 'pump': nothing limits the pressure at 'line', into which it pumps: no relief valve guards it, and every "
        "way to a tank can close. Put a relief valve beside it: "
        "relief_valves: {pump_relief: {a: line, b: tank, setting: 250 bar, flow: [30.0 l/min, 270 bar]}}",
    ]


def test_a_relief_valve_that_is_far_too_small():
    """Fully open it lets 1.4 to 2 of 30 l/min pass between 200 and 376 bar, where the line would be without it; so the
    pressure is 7500 bar/s·(1 − 1.4/30 … 2/30)·Δt above 201 bar.
    """
    [sentence] = warnings_of(shut_in(relief="200 bar"), "0.05 s")
    found = re.fullmatch(
        r"The pressure at 'line' rose to (\d+) bar at t = 0\.05 s, beyond 1\.5 times the highest setting of its "
        r"circuit \(201 bar of relief_valve 'relief'\)"
        r", for (\S+) ms: relief valve 'relief' is open there as far as it goes and lets only (\S+) l/min pass at a "
        r"pressure drop of (\d+) bar; take a larger one for the 30\.0 l/min of 'pump', "
        r"flow: \[30\.0 l/min, 201 bar\]\.",
        sentence,
    )
    left = 0.05 - 200.0 / 7500.0
    assert 201.0 + 7500.0 * 28.0 / 30.0 * left < float(found[1]) < 201.0 + 7500.0 * 28.6 / 30.0 * left
    assert float(found[2]) == pytest.approx((float(found[1]) - 1.5 * 201.01325) / 7500.0 / (28.2 / 30.0) * 1e3, abs=0.1)
    assert float(found[3]) == pytest.approx((float(found[4]) / 100.0) ** 0.5, abs=0.01)  # 1 l/min at 100 bar


def test_a_relief_valve_that_the_oil_does_not_reach_is_not_blamed():
    """The line is shut in behind a check valve: the relief valve before it stays closed."""
    machine = kb.Machine("behind")
    oil = machine.oil(kb.fluids.constant(870.0, "1.5 GPa"))
    tank, line, shut = oil.tank("tank"), oil.volume("line", "1 l"), oil.volume("shut", "1 l")
    oil.relief_valve("relief", line, tank, setting="200 bar", flow=("50 l/min", "220 bar"))
    oil.check_valve("check", line, shut, flow=("50 l/min", "5 bar"))
    oil.flow_source("press", tank, shut, value="30 l/min")
    [sentence] = warnings_of(machine, "0.1 s")
    assert "The pressure at 'shut' rose to" in sentence and ": put a relief valve where the oil is shut in" in sentence


def test_many_high_pressures_do_not_make_many_sentences():
    machine = kb.Machine("five")
    oil = machine.oil(kb.fluids.constant(870.0, "1.5 GPa"))
    tank = oil.tank("tank")
    for number in range(5):
        oil.flow_source(f"pump{number}", tank, oil.volume(f"can{number}", "1 l"), value=f"{60 + number} l/min")
    *first, last = warnings_of(machine, "0.1 s")
    assert [text.split("'")[1] for text in first] == ["can4", "can3", "can2"]
    assert last == "The pressure was beyond its bound also at 'can1', 'can0'."


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("valve", {0.0: 0.5, 0.01: 1.5},
         "Input 'valve' was 1.5 at t = 0.01 s, outside its range of -1 to 1 from t = 0.01 s on: it acts as 1 does. "
         "Keep it within its range."),
        ("valve", kb.table([0.0, 0.02], [0.0, -2.0]),
         "Input 'valve' was -2 at t = 0.02 s, outside its range of -1 to 1 from t = 0.011 s on: it acts as -1 does. "
         "Keep it within its range."),
        ("drive", 1.25,
         "Input 'drive' was 1.25 at t = 0 s, outside its range of 0 to 1 from t = 0 s on: it was used as it is. "
         "Keep it within its range."),
    ],
)  # fmt: skip
def test_inputs_outside_their_range(name, given, text):
    machine = kb.Machine("levers")
    oil = machine.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank"), oil.volume("line", "1 l", "100 bar")
    oil.pressure_compensated_pump("drive", tank, line, displacement="20 cm3/rev", speed="1500 rpm", cutoff="100 bar")
    can, other = oil.volume("A", "1 l"), oil.volume("B", "1 l")
    oil.valve_4_3("valve", line, tank, can, other, flow=("6 l/min", "10 bar"))
    assert warnings_of(machine, "0.02 s", inputs={name: given}) == [text]
    assert warnings_of(machine, "0.02 s", inputs={name: 1.0}) == []


def test_beyond_its_range_a_spool_without_lag_acts_as_at_the_end():
    """What the warning says: the same flow at 1.5 as at 1."""
    machine = kb.Machine("spool")
    oil = machine.oil(kb.fluids.mineral_oil())
    high, low = oil.pressure("high", "100 bar"), oil.tank("low")
    oil.valve_2_2("valve", high, low, flow=("6 l/min", "10 bar"), time_constant=0)
    flows = []
    for lever in (1.0, 1.5):
        sim = kb.Simulation(machine, step="1 ms", inputs={"valve": lever})
        sim.run_for("2 ms")
        flows.append(sim["valve.flow"])
    assert flows[0] == flows[1] > 0.0


def test_a_negative_pressure_of_a_source():
    machine = kb.Machine("source")
    oil = machine.oil(kb.fluids.constant(870.0, "1.5 GPa"))
    oil.restrictor("hole", oil.pressure("high", "10 bar"), oil.volume("can", "1 l", "10 bar"), area="1 mm2")
    assert warnings_of(machine, "2 ms", inputs={"high": -1e5}) == [
        "Input 'high' was -1.00 bar at t = 0 s, outside its range of 0 and more from t = 0 s on: it was used as it is. "
        "Keep it within its range.",
    ]


def test_a_machine_without_parts():
    [sentence] = warnings_of(kb.Machine("nothing"), "2 ms")
    assert sentence.startswith("The machine has no parts, so that nothing can move. Add a body, and a joint")


def test_a_cylinder_that_is_too_short():
    """A run warns of a closed length that was given; one that follows from the start is a note of the check."""
    machine = kb.Machine("short")
    machine.prismatic("slide", machine.ground, machine.body("load", mass=10.0, inertia=(1, 1, 1)), axis="x", start=0.5)
    oil = machine.oil(kb.fluids.mineral_oil())
    machine.cylinder("lift", machine.ground, "load", bore="50 mm", rod="30 mm", stroke="0.4 m", oil=oil)
    assert warnings_of(machine, "2 ms") == []
    [note] = [note for note in kb.build(machine).notes() if note.part == "lift"]
    assert "retracted it is 300 mm long (its start length is half way out), but" in note.rule
    machine["lift"].closed = "0.3 m"
    [sentence] = warnings_of(machine, "2 ms")
    assert sentence == (
        "cylinder 'lift': closed is 300 mm, but a stroke of 400 mm needs at "
        "least 450 mm from pin to pin: 50.0 mm, one bore, is the least that piston and gland take. Give a longer "
        "closed, or a shorter stroke; both pins further apart, if the cylinder is to fit."
    )


def test_a_doubt_follows_a_parameter_that_changes_while_it_runs():
    machine = kb.Machine("short")
    machine.prismatic("slide", machine.ground, machine.body("load", mass=10.0, inertia=(1, 1, 1)), axis="x", start=0.6)
    oil = machine.oil(kb.fluids.mineral_oil())
    sizes = {"bore": "50 mm", "rod": "30 mm", "stroke": "0.4 m", "closed": "0.46 m"}
    machine.cylinder("lift", machine.ground, "load", **sizes, oil=oil)
    sim = kb.Simulation(machine, step="1 ms")
    assert sim.results().warnings == []
    sim.tune("lift.bore", "70 mm")
    [sentence] = sim.results().warnings
    assert sentence.startswith("cylinder 'lift': closed is 460 mm, but a stroke of 400 mm needs at least 470 mm")
    assert [line["bore"] for line in sim.results().meta["outline"]["lines"]] == [0.07]
    sim.tune("lift.bore", "50 mm")
    assert sim.results().warnings == []


def test_the_report_and_the_shell_have_what_a_check_finds(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    kb.write(shut_in(), "shut.yaml")
    assert main(["check", "shut.yaml"]) == 0
    assert "nothing limits the pressure at 'line'" in capsys.readouterr().out
    assert main(["run", "shut.yaml", "--for", "0.2s", "--json"]) == 0
    shown = capsys.readouterr()
    data = json.loads(shown.out)
    assert [text.split("'")[1] for text in data["warnings"]] == ["line", "pump"]
    assert shown.err.count("Warning: ") == 2
    text = (tmp_path / data["report"]).read_text(encoding="utf-8")
    assert "The pressure at &#x27;line&#x27; rose to" in text and "pump &#x27;pump&#x27;: nothing limits" in text


def test_an_engine_that_stalls_is_named():
    machine = kb.Machine("brake")
    machine.shaft("crank", inertia=2.0, speed="1800 rpm")
    curve = [("800 rpm", "400 N m"), ("2000 rpm", "500 N m")]
    machine.engine_droop(
        "diesel", "crank", torque=curve, rated_speed="2000 rpm", setting="1900 rpm", idle="800 rpm", stall="600 rpm"
    )
    machine.shaft_spring("brake", "crank", damping=50.0)
    with pytest.warns(RuntimeWarning, match="Engine 'diesel' was down to 600 rpm at t = "):
        kb.simulate(machine, "1 s", step="1 ms")


def test_contact_is_run_in_real_time_unless_said_otherwise():
    machine = kb.Machine("ball")
    body = machine.body("ball", mass=1.0, inertia=(1, 1, 1))
    machine.prismatic("slide", machine.ground, body, axis="z", start=1.0)
    machine.terrain("floor")
    machine.contact("foot", body, sphere=0.1)
    assert kb.Simulation(machine).planned.method.coupling == "realtime"
