# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is what happens: every Python block of the documents and every ``>>>`` example is run.

The blocks of one document run in order and share their names, each document in an empty folder.
"""

from __future__ import annotations

import doctest
import importlib
import re
import warnings
from pathlib import Path

import pytest

import knuckleboom as kb
import knuckleboom.catalogue  # registers its own kinds now: those of a document are forgotten after it
from knuckleboom.machine import kinds
from page_files import write_files

ROOT = Path(__file__).parents[2]
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)

NEED_A_MACHINE = {"cabin_external.md", "foreign_halves.md"}
"""Documents whose examples talk to a machine that runs: tests/cabin/test_example.py and tests/halves run them."""
DOCUMENTS = [
    path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
    if PYTHON_BLOCK.search(path.read_text(encoding="utf-8")) and path.name not in NEED_A_MACHINE
]
MODULES = [
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "src").rglob("*.py"))
    if re.search(r"^\s*>>> ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
]


@pytest.mark.slow
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_blocks_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(path, tmp_path)
    monkeypatch.setattr(kinds, "_kinds", dict(kinds.all_kinds()))  # what a document registers stays in it
    text = path.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "document"}
    ran = 0

    for block in PYTHON_BLOCK.finditer(text):
        # empty lines in front, so that a traceback names the line of the document
        source = "\n" * text[: block.start(1)].count("\n") + block.group(1)
        exec(compile(source, str(path), "exec", dont_inherit=True), names)
        ran += 1

    assert ran > 0


def test_the_first_thing_a_newcomer_runs_is_clean(capsys):
    """Fifteen lines, and neither a warning nor oil that is torn."""
    source = PYTHON_BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8")).group(1)
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(source, names)
    assert len(source.splitlines()) <= 15
    assert names["run"].cavitation == {}
    assert names["run"]["lift.b.pressure"].values.min() > 9e5


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_hold(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)

    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_the_examples_of_the_readme_are_short():
    whole, catalogue, coupling = PYTHON_BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))

    assert len(whole.splitlines()) <= 16
    assert len(catalogue.splitlines()) <= 4
    assert len(coupling.splitlines()) <= 4
    # the method is only a subject where couplings are
    assert not re.search("step=|coupling=", whole + catalogue)


def test_the_readme_prints_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    whole, catalogue, _ = PYTHON_BLOCK.findall(text)
    names: dict[str, object] = {"__name__": "document"}

    exec(whole, names)
    angle, pressure = capsys.readouterr().out.splitlines()[0].split()
    exec(catalogue, names)

    assert f"It prints −{-float(angle):.1f} deg, {float(pressure):.1f} bar" in text
    cases, held = capsys.readouterr().out.splitlines()
    assert f"# {cases}\n" in catalogue and f"# {float(held):.1f}\n" in catalogue


def test_every_coupling_of_the_readme_ends_at_the_same_angle(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "document"}
    for block in PYTHON_BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        exec(compile(block, "README.md", "exec", dont_inherit=True), names)

    ends = [float(line.split()[1]) for line in capsys.readouterr().out.splitlines()[-3:]]

    assert ends == pytest.approx([ends[0]] * 3, abs=1e-6)


def test_the_yaml_of_the_readme_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL)

    run = kb.simulate(kb.Machine.from_yaml(block), "0.1 s")

    assert run.status == "done"
    assert abs(run["pin_c.residual"].values).max() < 1e-9


def test_energies_of_the_excavator_are_those_it_prints():
    """The sentence on `make run`: what engine, pump, soil and load gave or took, in whole kJ."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    sentence = re.search(r"of the \d+ kJ that the engine gives.*?the\s+rest", text, flags=re.DOTALL).group()
    audit = kb.simulate(kb.catalogue.machine("excavator"), case="dig").energy()

    soil = -sum(audit.applied.values())
    assert [float(kilo) for kilo in re.findall(r"(\d+)\s+kJ", sentence)] == [
        round(1e-3 * value)
        for value in (audit.supplied["engine"], audit.dissipated["pump"], soil, -audit.supplied["load"])
    ]
    assert audit.relative_residual < 1e-4
