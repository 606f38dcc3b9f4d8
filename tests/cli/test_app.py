# SPDX-License-Identifier: BSD-3-Clause
"""The command line as a whole: help, wrong words, exit codes, closed pipes, how fast it starts."""

import json
import subprocess

import pytest

import knuckleboom as kb
from cli.command_line import COMMAND, document, environment, knuckleboom

COMMANDS = (
    ("list",),
    ("run",),
    ("compare",),
    ("info",),
    ("check",),
    ("show", "plan"),
    ("schema",),
    ("version",),
    ("bench", "speed"),
    ("bench", "compile"),
)


def test_help_names_every_command():
    done = knuckleboom("--help")
    assert done.returncode == 0
    for words in COMMANDS:
        assert f" {words[0]} " in done.stdout


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example_and_json(words):
    done = knuckleboom(*words, "--help")
    assert done.returncode == 0
    assert f"Example: knuckleboom {' '.join(words)}" in done.stdout
    assert "--json" in done.stdout


def test_no_words_show_the_help():
    done = knuckleboom()
    assert "Usage: knuckleboom" in done.stdout + done.stderr
    assert done.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("rnu",), "No such command 'rnu'. Did you mean 'run'?"),
        (("run", "--stp", "1ms"), "No such option: --stp"),
        (("info",), "Missing argument 'MACHINE'"),
        (("info", "naya-rot"), "There is no machine 'naya-rot'. Closest names: 'naya-rod'"),
        (("run", "naya-rot"), "There is no machine 'naya-rot'. Closest names: 'naya-rod'"),
        (("info", "missing.yaml"), "there is no such file."),
        (("run", "--for", "10 kg"), "--for: 'kg' is a unit of mass, not of time"),
        (("run", "--for", "10 parsnips"), "--for: 'parsnips' is not a unit"),
        (("run", "--step", "-1ms"), "--step: '-1ms' is not a time longer than 0 s."),
        (("run", "--for", "nan"), "--for: 'nan' is not a time longer than 0 s."),
        (("compare", "naya-rod", "--steps", "5ms,2kg"), "--steps: 'kg' is a unit of mass, not of time"),
        (
            ("compare", "naya-rod", "--plot", "x.txt"),
            "--plot: 'x.txt' is no picture; its name ends in .png, .svg, .pdf.",
        ),
        (("bench", "realtime", "--step", "3ms"), "--step: Runs are compared every 10 ms: take a step that divides it"),
        (("bench", "realtime", "--step", "20ms"), "such as 1ms, 2ms or 5ms."),
        (("bench", "soak", "--step", "2kg"), "--step: 'kg' is a unit of mass, not of time"),
        (("bench", "soak", "--step", "3"), "--step: 3000 ms is no real-time step. Give at most 20 ms, such as 2ms."),
        (("bench", "levers", "excavatr"), "There is no machine 'excavatr'. Closest names: 'excavator'"),
        (
            ("bench", "levers", "--seeds", "20-11"),
            "--seeds: '20-11' is no list of whole numbers, such as 11-20 or 3,7.",
        ),
        (("bench", "levers", "--steps", "1ms,-2ms"), "--steps: '-2ms' is not a time longer than 0 s."),
        (("run", "--integrator", "rk5"), "There is no integrator 'rk5'."),
        (("run", "--enforcement", "force"), "Choose one of lagrange, penalty, augmented, index3."),
    ],
)
def test_wrong_words_are_answered_with_a_sentence_and_exit_code_2(words, text, tmp_path):
    done = knuckleboom(*words, folder=tmp_path)
    assert done.returncode == 2
    assert text in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_errors_are_documents_too():
    data = document("info", "naya-rot", code=2)
    assert data["error"]["exit_code"] == 2
    assert "Closest names: 'naya-rod'" in data["error"]["message"]
    assert document("run", "--stp", "1ms", code=2)["error"]["message"].startswith("No such option: --stp")


@pytest.mark.parametrize("words", [("show", "plan"), ("schema",), ("list", "--json")], ids=" ".join)
def test_a_closed_pipe_is_quiet(words):
    process = subprocess.Popen(
        [*COMMAND, *words], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0
    process.stderr.close()


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("list",), ("list", "methods")], ids=" ".join)
def test_imports_nothing_heavy(words):
    heavy = {"numba", "scipy", "xarray", "pandas", "matplotlib", "netCDF4", "pint"}
    code = f"import sys; from knuckleboom.cli import main; main({list(words)!r}); print({heavy!r} & set(sys.modules))"
    done = subprocess.run([COMMAND[0], "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"


def test_letters_that_a_terminal_lacks_do_not_stop_it():
    done = subprocess.run(
        [*COMMAND, "show", "plan"], env=environment(PYTHONIOENCODING="ascii"), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_list():
    data = document("list")
    assert "naya-rod" in [machine["name"] for machine in data["machines"]]
    assert all(machine["about"] for machine in data["machines"])
    text = knuckleboom("list").stdout
    for word in ("naya-rod", "realtime", "semi-implicit-euler", "augmented", "dense", "speed"):
        assert word in text


@pytest.mark.slow
def test_info_says_that_it_compiles(tmp_path):
    """With an empty cache: on stderr, as with run, and --json stays a document."""
    surroundings = environment(KNUCKLEBOOM_CACHE_DIR=str(tmp_path))
    done = subprocess.run(
        [*COMMAND, "info", "naya-rod", "--json"], env=surroundings, capture_output=True, text=True, timeout=600
    )
    assert json.loads(done.stdout)["machine"] == "naya-rod"
    told = done.stderr.splitlines()
    assert told[0].startswith("compiling ") and "(once for this version" in told[0]
    assert told[1].startswith("compiled ")


@pytest.mark.slow
def test_version():
    said = f"knuckleboom {kb.__version__}\n"
    assert knuckleboom("version").stdout == knuckleboom("--version").stdout == said
    assert document("version")["version"] == kb.__version__
    data = document("version", "--info")
    assert {"version", "python", "processor", "cache_folder", "packages"} <= set(data)
    assert data["packages"]["numba"]
    assert "numba" in knuckleboom("version", "--info").stdout


FAULTY = """\
knuckleboom: 1
machine: faulty
bodies: {boom: {mass: -10 kg, inertia: [1, 1, 1]}}
joints: {foot: {kind: revolute, a: ground, b: bom}}
"""


@pytest.mark.slow
def test_check_prints_every_problem_or_none(tmp_path):
    (tmp_path / "faulty.yaml").write_text(FAULTY)
    done = knuckleboom("check", "faulty.yaml", folder=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("2 problems in faulty.yaml\n")
    assert "line 3" in done.stdout and "line 4" in done.stdout and "'boom'" in done.stdout
    assert done.stderr == ""
    (tmp_path / "right.yaml").write_text(FAULTY.replace("-10", "10").replace("bom}", "boom}"))
    done = knuckleboom("check", "right.yaml", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "no problems\n")
    assert document("check", "right.yaml", folder=tmp_path) == {"machine": "right.yaml", "problems": [], "notes": []}


@pytest.mark.slow
def test_schema_is_a_json_schema():
    done = knuckleboom("schema")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == document("schema")
    assert json.loads(done.stdout)["$schema"].startswith("https://json-schema.org/")
