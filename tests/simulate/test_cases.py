# SPDX-License-Identifier: BSD-3-Clause
"""Cases that are run: what was given to a run goes before its case; code that a file names runs when it is run only.

A mass of 2 kg on a frictionless slide is pushed by a force, so that its speed is the integral of the force over the
mass. Rank: closed form.
"""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue import NAMES
from knuckleboom.machine.case_controllers import SETTINGS
from knuckleboom.machine.yaml_tree import read_tree
from machine.test_cases import cart

MASS = 2.0
FUNCTION = {"kind": "function", "function": "control.py:hold", "reads": "rail.travel", "writes": "push",
            "every": "10 ms"}  # fmt: skip
HOLD = """from pathlib import Path
Path("marker").write_text("it was imported")


def hold(time, reads, writes, memory, parameters):
    writes[0] = parameters[0] if len(parameters) else 4.0
"""


def push_machine(**settings):
    machine = cart()
    machine.case("go", **{"duration": "1 s", "step": "10 ms", **settings})
    return machine


def speed(run):
    return float(run["rail.travel_rate"].at(run.time[-1]))


def test_a_case_says_what_a_run_needs():
    run = kb.simulate(push_machine(inputs={"push": kb.steps({0: 0, "0.5 s": "4 N"})}), case="go")

    assert run.time[-1] == 1.0 and run.meta["step"] == 0.01
    assert speed(run) == pytest.approx(4.0 * 0.5 / MASS, rel=1e-12)
    assert run.meta["case"]["name"] == "go" and run.meta["case"]["imports"] == []


def test_what_is_given_goes_before_the_case():
    machine = push_machine(inputs={"push": 4.0, "pull": -1.0}, stop="rail.travel > 0.1 m")

    run = kb.simulate(machine, "2 s", case="go", step="20 ms", inputs={"pull": 2.0}, stop="rail.travel > 50 m")

    assert run.status == "done" and run.meta["step"] == 0.02
    assert speed(run) == pytest.approx((4.0 + 2.0) * 2.0 / MASS, rel=1e-12)
    assert kb.simulate(machine, case="go").status == "stopped"


@pytest.mark.parametrize("kind", SETTINGS)
def test_settings_of_controllers_in_files_are_those_of_python(kind):
    made_by = kb.Controller if kind == "function" else getattr(kb, kind)
    known = dict(inspect.signature(made_by).parameters)
    del known["name"]
    known.pop("function", None)
    required = {key for key, info in known.items() if info.default is inspect.Parameter.empty}

    assert set(SETTINGS[kind][0]) == required
    assert set(SETTINGS[kind][1]) == set(known) - required


def test_ramps_and_tables_are_integrated_exactly():
    """RK4 has Simpson's rule for a force that is linear within each step."""
    for given in (kb.ramps({0.2: 0.0, 0.6: 8.0}), {"table": {"times": [0.2, 0.6], "values": ["0 N", "8 N"]}}):
        assert speed(kb.simulate(push_machine(inputs={"push": given}), case="go")) == pytest.approx(
            (0.5 * 0.4 * 8.0 + 0.4 * 8.0) / MASS, rel=1e-12
        )


def test_columns_of_csv_files_are_inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("cycle.csv").write_text("time [ms]; push [kN]; pull [N]\n0; 0; -1\n1000; 0,008; -1\n")

    whole = kb.simulate(push_machine(csv="cycle.csv"), case="go")
    one = kb.simulate(push_machine(inputs={"pull": {"csv": "cycle.csv", "column": "push"}}), case="go")

    assert speed(whole) == pytest.approx((4.0 - 1.0) / MASS, rel=1e-12)
    assert speed(one) == pytest.approx(4.0 / MASS, rel=1e-12)


def test_an_input_of_the_case_goes_before_a_column_of_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("cycle.csv").write_text("time,push\n0,100\n1,100\n")

    run = kb.simulate(push_machine(csv="cycle.csv", inputs={"push": 4.0}), case="go")

    assert speed(run) == pytest.approx(4.0 / MASS, rel=1e-12)


def test_words_of_the_method_that_do_not_go_with_those_given_are_dropped():
    machine = push_machine(method={"coupling": "explicit", "integrator": "semi-implicit-euler"})

    assert kb.simulate(machine, case="go").meta["integrator"] == "semi-implicit-euler"
    assert kb.simulate(machine, case="go", integrator="rk4").meta["integrator"] == "rk4"


def test_a_ready_controller_of_a_file_is_that_of_python():
    words = {"reads": "rail.travel", "writes": "push", "setpoint": "0.5 m", "every": "20 ms", "kp": 6.0, "kd": 3.0}
    machine = push_machine(controllers={"level": {"kind": "pid", **words}})

    of_case = kb.simulate(kb.Machine.from_yaml(machine.to_yaml()), case="go")
    of_python = kb.simulate(cart(), "1 s", step="10 ms", controllers=[kb.pid("level", **words)])

    assert np.array_equal(of_case["rail.travel"].values, of_python["rail.travel"].values)
    assert of_case["rail.travel"].values[-1] > 0.1


def test_controllers_of_the_run_are_added_to_those_of_the_case():
    level = {"kind": "low_pass", "reads": "rail.travel", "every": "20 ms", "time_constant": "50 ms"}
    machine = push_machine(inputs={"push": 4.0}, controllers={"smooth": level})

    slow = kb.rate_limit("slow", reads="smooth.output", rising=1, every=0.02)
    run = kb.simulate(machine, case="go", controllers=[slow])

    assert "slow.output" in run and "smooth.output" in run


def test_a_simulation_takes_a_case_too():
    sim = kb.Simulation(push_machine(inputs={"push": 4.0}), case="go")

    sim.run_for("1 s")

    assert sim["rail.travel_rate"] == pytest.approx(4.0 / MASS, rel=1e-12)


def test_a_case_begins_at_rest():
    machine = kb.Machine("hanging")
    load = machine.body("load", mass=2.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, load, axis="-z")
    machine.joint_spring("spring", "rail", stiffness=981.0)
    machine.case("rest", duration="0.1 s", start="equilibrium")

    run = kb.simulate(machine, case="rest")

    assert run["rail.travel"].values == pytest.approx(2.0 * 9.81 / 981.0, rel=1e-9)


# --- code that a file names ---


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("control.py").write_text(HOLD)
    kb.write(push_machine(controllers={"own": FUNCTION}), "cart.yaml")
    return Path("cart.yaml")


def test_reading_and_checking_never_import(file):
    machine = kb.read(file)

    assert machine.check() == [] and machine.cases["go"].imports == ["control.py:hold"]
    kb.write(machine, "again.yaml")
    assert kb.read("again.yaml") == machine
    assert not Path("marker").exists()


@pytest.mark.slow
@pytest.mark.parametrize("words", [["check"], ["info"], ["show", "plan"], ["modes"]], ids=" ".join)
def test_commands_that_look_never_import(file, words):
    done = shell(*words, "cart.yaml")

    assert done.returncode == 0, done.stderr
    assert not Path("marker").exists() and "imports" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_run_says_what_it_imports_before_it_does(file, more):
    Path("control.py").write_text(f'import sys\n\nprint("here", file=sys.stderr)\n{HOLD}')

    done = shell("run", "cart.yaml", "--case", "go", "--no-plots", *more)

    assert done.returncode == 0, done.stderr
    assert done.stderr.index("controller 'own' imports and runs control.py:hold") < done.stderr.index("here")
    assert Path("marker").exists()
    assert not more or '"imports": [\n    "control.py:hold"\n  ]' in done.stdout


def test_a_function_of_a_file_runs(file):
    assert speed(kb.simulate(kb.read(file), case="go")) == pytest.approx(4.0 / MASS, rel=1e-9)
    assert Path("marker").exists()


def test_a_compiled_function_runs_and_takes_parameters(file):
    Path("control.py").write_text("import knuckleboom as kb\n" + HOLD.replace("def hold", "@kb.compiled\ndef hold"))
    machine = push_machine(controllers={"own": {**FUNCTION, "parameters": {"push": 6.0}}})

    assert speed(kb.simulate(machine, case="go")) == pytest.approx(6.0 / MASS, rel=1e-9)


def test_a_module_is_named_without_py(file, monkeypatch):
    monkeypatch.syspath_prepend(".")
    Path("own_module_of_this_test.py").write_text(HOLD)
    machine = push_machine(controllers={"own": {**FUNCTION, "function": "own_module_of_this_test:hold"}})

    assert speed(kb.simulate(machine, case="go")) == pytest.approx(4.0 / MASS, rel=1e-9)


WRONG_CODE = {
    "is not there": ("", "own: control.py has no function 'hold'."),
    "has another name": ("def holt(*a): ...\n", "control.py has no function 'hold'.\n   Closest names: 'holt'."),
    "raises": ("raise RuntimeError('no licence')\n", "importing control.py failed with RuntimeError: no licence."),
    "does not parse": ("def hold(:\n", "importing control.py failed with SyntaxError"),
    "is not callable": ("hold = 3\n", "'hold' of control.py is 3, not a function."),
    "ends the program": ("raise SystemExit(3)\n", "importing control.py failed with SystemExit: 3."),
}


@pytest.mark.parametrize("wrong", WRONG_CODE)
def test_a_function_that(file, wrong):
    Path("control.py").write_text(WRONG_CODE[wrong][0])

    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(kb.read(file), case="go")

    said = WRONG_CODE[wrong][1].removeprefix("own: ")
    assert re.match(r"1 problem in cart\.yaml\n\n1\. line \d+  case 'go': controller 'own': ", str(caught.value))
    assert f"controller 'own': {said}" in str(caught.value)


@pytest.mark.slow
def test_in_the_shell_it_is_a_sentence(file):
    Path("control.py").write_text("raise RuntimeError('no licence')\n")

    done = shell("run", "cart.yaml", "--no-plots")

    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "controller 'own': importing control.py failed with RuntimeError: no licence." in done.stderr
    assert not Path("results").exists()


def shell(*words):
    from cli.command_line import environment

    command = [sys.executable, "-m", "knuckleboom", *words]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=300)


# --- the command line ---


@pytest.mark.slow
def test_run_takes_case_input_and_inputs(tmp_path, monkeypatch):
    from cli.command_line import document

    monkeypatch.chdir(tmp_path)
    machine = push_machine(inputs={"push": 4.0})
    machine.case("other", duration="2 s", step="10 ms", inputs={"push": 2.0})
    kb.write(machine, "cart.yaml")
    Path("cycle.csv").write_text("time,pull\n0,1\n1,1\n")
    quiet = ("--no-plots", "--save", "run.nc")

    def end(*words):
        told = document("run", "cart.yaml", *quiet, *words)
        return told["case"], told["time"], speed(kb.load("run.nc"))

    assert end() == ("go", 1.0, pytest.approx(4.0 / MASS))
    assert end("--case", "other") == ("other", 2.0, pytest.approx(2.0 * 2.0 / MASS))
    assert end("--input", "push=0:0,500ms:8N") == ("go", 1.0, pytest.approx(8.0 * 0.5 / MASS))
    assert end("--input", "push=0.002 kN", "--inputs", "cycle.csv") == ("go", 1.0, pytest.approx(3.0 / MASS))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--case", "goo"], "There is no case 'goo'.\n   Its cases are go.\n   Closest names: 'go'."),
        (["--input", "psh=1"], "There is no input 'psh'."),
        (["--input", "push"], "--input: 'push' is not a name and a value"),
        (["--input", "push=1:2,3"], "is neither a value nor steps"),
        (["--input", "push=3bar"], "'bar' is a unit of pressure, not of force"),
        (["--input", "push=1:0,0:1"], "times must rise, but 0 s comes after 1 s"),
        (["--input", "push=nan"], "nan is not a finite number"),
        (["--inputs", "nowhere.csv"], "the file cannot be read: no such file or directory."),
        (["--inputs", "cycle.csv"], "cycle.csv line 1  column 'pulll': there is no input 'pulll'."),
    ],
)
def test_what_is_wrong_on_the_command_line_is_a_sentence(words, said, tmp_path, monkeypatch, capsys):
    from knuckleboom.cli.app import run_command

    monkeypatch.chdir(tmp_path)
    kb.write(push_machine(), "cart.yaml")
    Path("cycle.csv").write_text("time,pulll\n0,1\n1,1\n")

    assert run_command(["run", "cart.yaml", "--no-plots", *words]) == 2
    assert said in capsys.readouterr().err
    assert not Path("results").exists()


@pytest.mark.slow
def test_info_lists_the_cases(tmp_path, monkeypatch):
    from cli.command_line import document

    monkeypatch.chdir(tmp_path)
    kb.write(push_machine(inputs={"push": 4.0}, meaning="pushes", measured="m.csv"), "cart.yaml")

    (case,) = document("info", "cart.yaml")["cases"]

    assert case == {
        "name": "go", "meaning": "pushes", "duration": 1.0, "step": 0.01, "start": None, "inputs": ["push"],
        "controllers": [], "csv": None, "measured": "m.csv", "imports": [],
    }  # fmt: skip


@pytest.mark.slow
def test_measured_data_of_the_case_are_in_the_report(tmp_path, monkeypatch):
    from cli.command_line import document

    monkeypatch.chdir(tmp_path)
    Path("m.csv").write_text("time [s],rail.travel_rate [m/s]\n0.5,1.25\n1,2.25\n")
    machine = push_machine(inputs={"push": 4.0}, measured="m.csv")
    machine.case("bare")
    kb.write(machine, "cart.yaml")
    run = kb.simulate(kb.read("cart.yaml"), case="go")
    run.to_netcdf("run.nc")

    assert "Measured and computed" in run.report("x.html").read_text(encoding="utf-8")
    told = document("report", "run.nc")
    assert told["measured_file"] == str(tmp_path / "m.csv")
    assert told["measured"][0]["rms"] == pytest.approx(0.25)  # 4 N on 2 kg: 1 m/s at 0.5 s and 2 m/s at 1 s
    assert document("report", "run.nc", "--case", "go") == told
    assert "case 'bare' of" in document("report", "run.nc", "--case", "bare", code=2)["error"]["message"]
    both = document("report", "run.nc", "--case", "go", "--measured", "m.csv", code=2)
    assert "give one of them" in both["error"]["message"]


# --- what is no machine ---


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: kb.simulate("excavator", "1 s"),
            "1 problem in the run\n\n1. 'excavator' is not a machine.\n"
            '   Write kb.catalogue.machine("excavator"), or kb.read("excavator") for a file.',
        ),
        (lambda: kb.simulate(cart().case("go")), "Give the machine first: kb.simulate(case.machine, case=case.name)."),
        (lambda: kb.simulate(None, "1 s"), "None is not a machine.\n   Give what kb.Machine, kb.read or"),
        (lambda: kb.simulate(cart()), "duration is missing.\n   Write kb.simulate(machine, \"10 s\"), or name a case"),
        (lambda: kb.simulate(cart(), case="lift"), "There is no case 'lift'.\n   It has no cases."),
        (lambda: kb.simulate(cart(), case=3), "case is 3, which is no case."),
        (lambda: kb.catalogue.machine("excvator"), "There is no machine 'excvator'."),
        (lambda: kb.catalogue.machine("excvator"), "Closest names: 'excavator'."),
    ],
)  # fmt: skip
def test_what_is_no_machine_or_case_is_answered_in_a_sentence(call, said):
    with pytest.raises(kb.MachineError) as caught:
        call()

    assert said in str(caught.value)


@pytest.mark.parametrize(
    "wrong", [{"inputs": 3}, {"inputs": [("push", 1.0)]}, {"controllers": 3}, {"controllers": "pid"}], ids=str
)
def test_what_is_wrong_without_a_case_is_wrong_with_one(wrong):
    machine = push_machine()
    said = []
    for words in ({"duration": "1 s"}, {"case": "go"}):
        with pytest.raises(kb.MachineError) as caught:
            kb.simulate(machine, **words, **wrong)
        said.append(str(caught.value))

    assert said[0] == said[1]
    assert "which does not name any" in said[0] or "is not a controller." in said[0]


# --- the catalogue ---


@pytest.mark.parametrize("name", NAMES)
class TestCatalogue:
    def test_cases_have_no_problems(self, name):
        from knuckleboom.cli.commands.check import find_problems

        assert find_problems(name)[0] == []

    @pytest.mark.slow
    def test_the_run_of_its_file_is_that_of_python(self, name, tmp_path):
        machine = kb.catalogue.machine(name)
        kb.write(machine, tmp_path / "machine.yaml")
        again = kb.read(tmp_path / "machine.yaml")
        assert again == machine and list(again.cases) == list(machine.cases)
        for case in machine.cases:
            runs = [kb.simulate(one, 30 * one.cases[case].step, case=case) for one in (machine, again)]
            assert np.array_equal(runs[0].record, runs[1].record, equal_nan=True)

    def test_its_file_has_all_bits_of_the_inputs(self, name):
        machine = kb.catalogue.machine(name)
        root, _ = read_tree(machine.to_yaml())
        for case in machine.cases.values():
            again = kb.Machine.from_yaml(machine.to_yaml()).cases[case.name]
            assert again.inputs == case.inputs and again.duration.hex() == case.duration.hex()
        assert root is not None and "cases" in root.entries
