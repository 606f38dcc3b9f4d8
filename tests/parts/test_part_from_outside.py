# SPDX-License-Identifier: BSD-3-Clause
"""A part from outside the package, as CONTRIBUTING.md shows it: a check valve with a hole, in 20 lines.

Its flow is compared with Q = Cd·A·√(2·Δp/ρ), both ways, from Python and from YAML. Rank: closed form; the pressures
are those of sources and far above the smoothed transition, so that the tolerance is rounding.
"""

import inspect
import math
import re
from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.describe import Net, Part, Port, param
from knuckleboom.machine import kinds
from knuckleboom.quantities import Area, PressureDrop

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"


class DrilledCheck(Part):
    """A check valve with a hole in its poppet: free flow from a to b, a trickle back."""

    a: Port = param("inlet of the free direction")
    b: Port = param("outlet of the free direction")
    hole: Area = param("area of the hole", above=0)
    cracking: PressureDrop = param("cracking pressure of the check", "0.5 bar", least=0)

    def expand(self, net: Net) -> None:
        pushed = {self.a: 1.0, self.b: -1.0}
        net.restrictor(self.a, self.b, area=self.hole, name="hole")
        net.opened(self.a, self.b, area=20 * self.hole, by=pushed, setting=self.cracking, full=1e5, name="check")


OIL = kb.fluids.naya()
CD, AREA = 0.67, 1e-6


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """Register the part for one test only: other tests, such as that of the documents, have their own of this name."""
    others = {name: kind for name, kind in kinds.all_kinds().items() if name != "drilled_check"}
    monkeypatch.setattr(kinds, "_kinds", others)
    kb.register(DrilledCheck)


def bench(p_a, p_b):
    machine = kb.Machine("bench")
    oil = machine.oil(OIL)
    inlet, outlet = oil.pressure("inlet", p_a), oil.pressure("outlet", p_b)
    machine.drilled_check("dc", inlet, outlet, hole="1 mm^2")
    return machine


YAML = """
knuckleboom: 1
machine: bench
oils:
  oil: {{fluid: {{law: naya, density: {oil.density}, a: {oil.a}, b: {oil.b}}}}}
pressures:
  inlet: {{oil: oil, value: {p_a}}}
  outlet: {{oil: oil, value: {p_b}}}
drilled_checks:
  dc: {{a: inlet, b: outlet, hole: 1 mm^2}}
"""


def from_python(p_a, p_b, tmp_path):
    return bench(p_a, p_b)


def from_yaml(p_a, p_b, tmp_path):
    path = tmp_path / "bench.yaml"
    path.write_text(YAML.format(p_a=p_a, p_b=p_b, oil=OIL), encoding="utf-8")
    return kb.read(path)


def orifice(area, drop):
    return math.copysign(CD * area * math.sqrt(2.0 * abs(drop) / OIL.density), drop)


@pytest.mark.parametrize("way", [from_python, from_yaml])
def test_flow_in_the_free_direction_goes_through_both(way, tmp_path):
    run = kb.simulate(way("50 bar", "40 bar", tmp_path), "1 ms", step="0.1 ms")

    assert run["dc.hole.flow"].values == pytest.approx(np.full(11, orifice(AREA, 10e5)), rel=1e-12)
    assert run["dc.check.flow"].values == pytest.approx(np.full(11, orifice(20 * AREA, 10e5)), rel=1e-12)


@pytest.mark.parametrize("way", [from_python, from_yaml])
def test_flow_against_the_check_goes_through_the_hole(way, tmp_path):
    run = kb.simulate(way("40 bar", "50 bar", tmp_path), "1 ms", step="0.1 ms")

    assert run["dc.hole.flow"].values == pytest.approx(np.full(11, orifice(AREA, -10e5)), rel=1e-12)
    assert np.all(run["dc.check.flow"].values == 0.0)


def test_its_losses_are_in_the_energy_audit():
    audit = kb.simulate(bench("50 bar", "40 bar"), "1 ms", step="0.1 ms").energy()

    assert audit.dissipated == {"dc": pytest.approx(10e5 * orifice(21 * AREA, 10e5) * 1e-3, rel=1e-12)}
    assert audit.relative_residual < 1e-12


def test_it_is_written_to_yaml_and_read_back(tmp_path):
    machine = bench("50 bar", "40 bar")
    kb.write(machine, tmp_path / "bench.yaml")

    back = kb.read(tmp_path / "bench.yaml")

    assert back.parts["dc"] == machine.parts["dc"]
    assert "drilled_checks:" in (tmp_path / "bench.yaml").read_text(encoding="utf-8")


def test_its_values_are_checked_like_those_of_any_part():
    machine = bench("50 bar", "40 bar")

    with pytest.raises(kb.MachineError) as caught:
        machine.drilled_check("bad", machine["inlet"], machine["outlet"], hole="-1 mm^2", craking="1 bar")

    text = str(caught.value)
    assert "drilled_check 'bad'" in text and "hole" in text
    assert "Closest names: 'cracking'." in text


def test_it_is_what_contributing_says_word_for_word():
    shown = re.findall(r"^```python\n(.*?)^```$", CONTRIBUTING.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[0]

    assert inspect.getsource(DrilledCheck).strip() in shown
    imports = [line for line in shown.splitlines() if line.startswith(("import", "from"))]
    assert all(line in Path(__file__).read_text(encoding="utf-8").splitlines() for line in imports)
    assert len([line for line in shown.splitlines() if line.strip()]) <= 20
