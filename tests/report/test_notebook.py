# SPDX-License-Identifier: BSD-3-Clause
"""What notebooks show: complete, escaped, well formed."""

from xml.etree import ElementTree

import pytest

import knuckleboom as kb
from knuckleboom.errors import MachineError, Problem
from knuckleboom.results import EnergyAudit, Results
from report.machines import EVIL, one_of_each
from results.made_up_run import META, made_up_run, names, record


def well_formed(html: str) -> str:
    """Return the text, having made sure that every tag is closed and nothing of the evil name is alive."""
    ElementTree.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")
    assert "<script" not in html
    return html


def test_machine():
    html = well_formed(one_of_each()._repr_html_())

    assert "crane &lt;script&gt;" in html
    assert "2 body" in html and "1 cylinder" in html and "<th>lift</th>" in html


def test_empty_machine():
    assert "no parts yet" in well_formed(kb.Machine(EVIL)._repr_html_())


def test_results():
    html = well_formed(Results(names(), record(), {**META, "machine": EVIL, "message": EVIL})._repr_html_())

    assert "10 quantities" in html and "pressure at port a of cylinder lift" in html


def test_results_without_a_record():
    assert "nothing" in well_formed(Results(names(), record()[:0], META)["foot.angle"]._repr_html_())
    well_formed(Results(names(), record()[:0], {**META, "status": "failed"})._repr_html_())


@pytest.mark.parametrize("path", ["foot.angle", "boom.tip.position", "pin.residual", "boom.tip.position.y"])
def test_quantity(path):
    run = made_up_run()
    html = well_formed(run[path]._repr_html_())

    assert html.count("<polyline") == run[path].values.reshape(101, -1).shape[1]
    assert "nan" not in html


def test_quantity_keeps_the_unit_it_was_asked_in():
    run = made_up_run()
    assert "[bar]" in run["lift.a.pressure"]._repr_html_()
    assert "[psi]" in run["lift.a.pressure"].to("psi")._repr_html_()


def test_energy():
    audit = EnergyAudit({"kinetic": (50.0, 14.6)}, dissipated={EVIL: 35.4}, machine=EVIL, end_time=1.0)
    assert "35.4" in well_formed(audit._repr_html_())


def test_problems():
    problem = Problem(f"body '{EVIL}': wrong.", fix="Do this.", closest=("boom",))

    assert "Do this." in well_formed(problem._repr_html_()) and "boom" in problem._repr_html_()
    assert "2 problems in " in well_formed(MachineError([problem, problem], EVIL)._repr_html_())
