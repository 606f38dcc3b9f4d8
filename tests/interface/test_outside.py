# SPDX-License-Identifier: BSD-3-Clause
"""Elements of installed packages: the pin of CONTRIBUTING.md runs and breaks, and what does not fit is a sentence.

The pin holds a slide that a slowly growing force pulls; until it breaks the slide is where the spring of the pin has
it, and from then on force over mass accelerates it. Plain Python, but for one run that is compiled.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

import knuckleboom
from installed_package import install
from knuckleboom.interface import outside
from knuckleboom.interface.contract import Element, State
from knuckleboom.interface.forces import OWN

ROOT = Path(__file__).parents[2]
PROGRAM = """
import json
import sys

import knuckleboom as kb

m = kb.Machine("slide", gravity=(0, 0, 0))
block = m.body("block", mass=2.0, inertia=(0.1, 0.1, 0.1))
m.prismatic("guide", m.ground, block, axis="x")
m.shear_pin("pin", "guide", strength="50 N")
m.force("pull", block, "x")
found = {}
for coupling in sys.argv[1:]:
    inputs = {"pull": lambda t: 1000.0 * t}
    run = kb.simulate(m, "0.1 s", step="1 ms", record="1 ms", coupling=coupling, inputs=inputs)
    found[coupling] = {
        "broken": run["pin.broken"].values.tolist(), "place": run["guide.travel"].values.tolist(),
        "speed": run["guide.travel_rate"].values.tolist(), "residual": run.energy().relative_residual,
    }
print(json.dumps(found))
"""


def of_the_page(word: str) -> str:
    """The block of code in CONTRIBUTING.md that has a word."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    return next(block for block in blocks if word in block)


@pytest.fixture
def site(tmp_path):
    """The package of the page, installed as far as Python can tell."""
    points = {"shear_pin": "pins_parts:ShearPin", "shear_pin_law": "shear_pin"}
    files = {"shear_pin.py": of_the_page("ELEMENT"), "pins_parts.py": of_the_page("class ShearPin")}
    return install(tmp_path / "site", "pins", points, files)


def run(site, *words, **variables):
    source = Path(knuckleboom.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(site), str(source)]), **variables}
    command = [sys.executable, "-c", PROGRAM, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)


def check(found):
    broken = found["broken"]
    at = broken.index(1.0)
    assert broken == [0.0] * at + [1.0] * (len(broken) - at)
    # 50 N are reached after 50 ms; the slide lags by c/k = 2 ms, and modes change at the end of a step
    assert 50 <= at <= 55
    assert found["place"][at - 5] == pytest.approx(1000.0 * (at - 7) * 1e-3 / 1e5, rel=0.02)
    gained = found["speed"][-1] - found["speed"][at]
    assert gained == pytest.approx(0.5 * 1000.0 * (0.1**2 - (at * 1e-3) ** 2) / 2.0, rel=1e-3)
    assert found["residual"] < 1e-3


@pytest.mark.slow
def test_the_pin_of_the_page_breaks_in_every_kind_of_step(site):
    done = run(site, "explicit", "realtime", "unified", "cosimulated", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    for found in json.loads(done.stdout).values():
        check(found)


@pytest.mark.slow
def test_it_is_compiled_with_the_rest(site, tmp_path):
    done = run(site, "explicit", KNUCKLEBOOM_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    check(json.loads(done.stdout)["explicit"])


@pytest.mark.slow
def test_an_element_that_does_not_fit_ends_a_run_with_a_sentence(site):
    text = of_the_page("ELEMENT").replace('gives=("force", "by_s", "by_w")', 'gives=("force", "by_s")')
    (site / "shear_pin.py").write_text(text, encoding="utf-8")
    done = run(site, "explicit", NUMBA_DISABLE_JIT="1")

    assert done.returncode == 1
    assert "element 'shear_pin' of 'shear_pin': law returns 3 things, and gives lists 2." in done.stderr


def module(**names):
    made = types.ModuleType("toy")
    for name, value in names.items():
        setattr(made, name, value)
    return made


BEND = State("bend", "bend", "m")
WRONG = {
    "it has no ELEMENT": module(law=lambda w: 0.0),
    "it has no law": module(ELEMENT=Element(gives=("force",))),
    "law has the argument 'speed', which is no row": module(ELEMENT=Element(gives=("force",)), law=lambda speed: 0.0),
    "law returns 1 things, and gives lists 2.": module(ELEMENT=Element(gives=("force", "by_w")), law=lambda w: w),
    "force depends on w, and gives lacks 'by_w'.": module(ELEMENT=Element(gives=("force",)), law=lambda w: w * w),
    "gives lacks 'rate_z'.": module(
        ELEMENT=Element(gives=("force", "by_z", "rate"), states=(BEND,)), law=lambda z: (z, 1.0, -z)
    ),
    "law returns 2 numbers for 'by_w'; 2 times 2 are declared, one tuple row by row.": module(
        ELEMENT=Element(gives=("force", "by_w"), rows=("one", "two")),
        law=lambda w_one, w_two: ((w_one, w_two), (1.0, 1.0)),
    ),
    "it has 7 rows; 6 are the most.": module(
        ELEMENT=Element(gives=("force",), rows=tuple("abcdefg")), law=lambda: (0.0,) * 7
    ),
    "its account is 'lent'; accounts are dissipates, applied, supplied.": module(
        ELEMENT=Element(gives=("force",), account="lent"), law=lambda: 0.0
    ),
    "the account 'supplied' and the kernel `supplied` go together": module(
        ELEMENT=Element(gives=("force",), account="supplied"), law=lambda: 0.0
    ),
    "gives has 'by_v'; a law gives force": module(ELEMENT=Element(gives=("force", "by_v")), law=lambda: (0.0, 0.0)),
    "'w' cannot be a name: it means something else in a kernel.": module(
        ELEMENT=Element(gives=("force",), columns=("w",)), law=lambda: 0.0
    ),
    "'gain' is the name of two things.": module(
        ELEMENT=Element(gives=("force",), columns=("gain", "gain")), law=lambda gain: 0.0
    ),
    "law ends with NameError": module(ELEMENT=Element(gives=("force",)), law=lambda: missing),  # noqa: F821
    "`ahead` adds to slopes, and its law gives none.": module(
        ELEMENT=Element(gives=("force",)), law=lambda: 0.0, ahead=lambda s: (0.0, 0.0)
    ),
    "'by_w' differs from differences of force.": module(
        ELEMENT=Element(gives=("force", "by_w")), law=lambda w: (-3.0 * w, 3.0)
    ),
    "'rate_z' differs from differences of rate.": module(
        ELEMENT=Element(gives=("force", "by_z", "rate", "rate_z"), states=(BEND,)),
        law=lambda bend: (-2.0 * bend, -2.0, -5.0 * bend, -1.0),
    ),
    "'w_one' cannot be a name": module(
        ELEMENT=Element(gives=("force",), rows=("one", "two"), columns=("w_one",)), law=lambda: (0.0, 0.0)
    ),
    "`law` is no kernel": module(ELEMENT=Element(gives=("force",)), law=lambda: 0.0),
    "gives has 'rate', and there is no state.": module(
        ELEMENT=Element(gives=("force", "rate")), law=lambda: (0.0, 0.0)
    ),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_wrong_shapes_are_sentences(sentence):
    assert any(fault.startswith(sentence) for fault in outside.faults(WRONG[sentence]))


@pytest.mark.parametrize("element", OWN, ids=lambda element: element.__name__.rpartition(".")[2])
def test_our_own_fit(element):
    assert not list(outside.faults(element))


def test_names_are_not_taken_twice(monkeypatch):
    spring = types.ModuleType("elsewhere.spring")
    spring.ELEMENT, spring.law = Element(gives=("force",)), lambda: 0.0
    entry = types.SimpleNamespace(name="mine", value="elsewhere.spring", attr="", load=lambda: spring)
    broken = types.SimpleNamespace(name="other", value="elsewhere.torn", attr="", load=lambda: 1 / 0)
    monkeypatch.setattr(outside.importlib.metadata, "entry_points", lambda group: [entry, broken])

    with pytest.raises(outside.ElementError) as error:
        outside.elements_of_packages(["spring"])
    assert "element 'spring' of 'elsewhere.spring': there is one of that name already." in str(error.value)
    assert "'elsewhere.torn' cannot be imported: ZeroDivisionError: division by zero" in str(error.value)
