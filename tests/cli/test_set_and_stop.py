# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom run --set` and `--stop`: what they change, how they end, what is refused."""

import pytest

from cli.command_line import document, knuckleboom
from knuckleboom.catalogue import NAMES
from knuckleboom.cli import machines
from knuckleboom.cli.output import WrongInput
from knuckleboom.errors import MachineError


def task(*settings):
    return machines.changed(machines.find_task("naya-rod"), settings, ["lift.length > 1 m"])


def test_parameters_are_changed_by_name():
    changed = task("lift.bore=85mm", "lift.dead_a = 0.001", "gravity=0, 0, -1.62 m/s^2")

    lift = changed.machine.parts["lift"]
    assert lift.bore == 0.085 and lift.dead_a == 0.001
    assert changed.machine.gravity == (0.0, 0.0, -1.62)
    assert changed.stop == ("lift.length > 1 m",)
    assert NAMES["naya-rod"]().machine.parts["lift"].bore != 0.085


@pytest.mark.parametrize("setting", ["lift.bore", "lift.bore=", "=3"])
def test_a_setting_is_a_name_and_a_value(setting):
    with pytest.raises((WrongInput, MachineError), match=r"is not a name and a value|There is no parameter ''"):
        task(setting)


@pytest.mark.slow
def test_a_run_that_stops_is_done_and_says_why(tmp_path):
    words = ["run", "naya-rod", "--for", "1s", "--no-plots", "--record", "1ms"]

    told = document(*words, "--set", "gravity=0,0,-20", "--stop", "lift.length < 0.4999 m", folder=tmp_path)

    assert told["status"] == "stopped"
    assert told["message"].startswith("Stopped at t = 0.")
    assert "lift.length < 0.4999 m (it is 0.49988" in told["message"]
    assert 0.0 < told["time"] < 1.0 and (tmp_path / told["results"]).is_file()


@pytest.mark.slow
def test_wrong_conditions_and_names_are_input_errors(tmp_path):
    for words in (["--stop", "lift.lenth > 1 m"], ["--set", "lift.boer=1 mm"]):
        done = knuckleboom("run", "naya-rod", "--for", "1s", "--no-plots", *words, folder=tmp_path)
        assert done.returncode == 2 and "losest names" in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
