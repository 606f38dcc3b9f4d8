# SPDX-License-Identifier: BSD-3-Clause
"""The file itself: whole, self-contained, escaped; also of runs that failed, are empty, or were saved without outline.

What a browser makes of it is in tests/report/test_browser.py.
"""

import json
import re

import pytest

import knuckleboom as kb
from knuckleboom.errors import MachineError, SimulationError
from knuckleboom.report.tables import energy_table, three_digits
from knuckleboom.report.write import page, page_file, plotly_script, script
from knuckleboom.results import EnergyAudit, FileError, Results
from report.machines import EVIL, four_bar, one_of_each
from results.made_up_run import META, made_up_run, names, record

OUTSIDE = re.compile(r"""(?:\b(?:src|href)\s*=\s*['"]?|url\(\s*['"]?|@import\s+['"]?)\s*(?!data:|\#)([^'")>\s]+)""")
FETCH = re.compile(r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|import)\s*\(")


def own(html: str) -> str:
    """Return the page without plotly's script."""
    return html.replace(script(plotly_script()), "")


def data_of(html: str) -> dict:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, flags=re.DOTALL)
    return json.loads(text)


@pytest.fixture(scope="module")
def crane():
    return kb.simulate(one_of_each(), "50 ms", step="0.1 ms")


def test_written_whole_and_returned(tmp_path, crane):
    path = crane.report(tmp_path / "deep" / "x.html")

    html = path.read_text(encoding="utf-8")
    assert html.startswith("<!DOCTYPE html>") and html.rstrip().endswith("</html>")
    assert "{{" not in own(html).replace("${{", "")  # no place was left empty


def test_nothing_is_asked_from_outside(crane):
    html = own(page(crane))

    assert OUTSIDE.findall(html) == []
    assert not FETCH.search(page_file("viewer.js") + page_file("drawing.js") + page_file("report.js"))
    assert "http:" not in html and "https:" not in html
    assert "default-src 'none'" in html and "connect-src" not in html


def test_every_quantity_is_in_the_data(crane):
    data = data_of(page(crane))
    listed = {curve["name"].split("[")[0] for curve in data["curves"]}

    for signal in crane.names:
        assert signal.path in listed or f"{signal.path}.x" in listed
    assert data["scene"]["bodies"] == ["arm", "load"]


def test_names_cannot_become_code(crane):
    html = own(page(crane))

    assert EVIL not in html and "<script>alert" not in html
    assert "crane &lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert data_of(html)["machine"] == f"crane {EVIL}"
    assert html.count("</script>") == 5  # data, plotly (cut out between its tags), viewer, drawing, page


def test_script_tags_inside_scripts_are_disarmed():
    assert script("a='</script>'; b='<!--'") == "a='\\x3c/script>'; b='\\x3c!--'"


def test_tables_are_complete(crane):
    html = own(page(crane))

    for words in ("degrees of freedom", "realtime, fw2, lagrange, sparse", "0.1 ms", "real-time factor",
                  "energy residual", "dissipated in throttle", "residual / work done", "lift.a.pressure",
                  "Merritt (1967)", "@book{merritt1967", kb.__version__):  # fmt: skip
        assert words in html, words


def test_the_circuit_is_drawn_where_there_is_oil(crane):
    assert own(page(crane)).count("<svg") == 1 and 'data-part="lift"' in page(crane)
    assert "<svg" not in own(page(made_up_run()))


def test_a_loop_says_how_far_it_was_open():
    assert "m or rad, at pin_c" in page(kb.simulate(four_bar(), "20 ms"))


def test_a_failed_run_has_a_report(tmp_path):
    case = kb.catalogue.NAMES["naya-rod"]()
    with pytest.raises(SimulationError) as caught:
        kb.simulate(case.machine, "1 s", step="50 ms", coupling="explicit")
    run = caught.value.results

    html = own(run.report(tmp_path / "failed.html").read_text(encoding="utf-8"))

    assert 'class="badge failed"' in html
    assert "class='message failed'" in html and run.message.splitlines()[0][:40] in html


@pytest.mark.parametrize("status", ["done", "failed", "interrupted"])
def test_results_without_outline_ledger_or_record(status):
    meta = {**META, "status": status, "message": EVIL if status != "done" else ""}
    for rows in (record(), record()[:1], record()[:0]):
        html = own(page(Results(names(), rows, meta)))
        assert "There is no animation" in html and data_of(html)["scene"] is None
        assert EVIL not in html


def test_a_saved_run_gives_the_same_page(tmp_path, crane):
    crane.to_netcdf(tmp_path / "run.nc")

    assert page(kb.load(tmp_path / "run.nc")) == page(crane)


def test_measured_data_is_laid_over_and_compared(tmp_path):
    (tmp_path / "data.csv").write_text("time [s],lift.a.pressure [bar]\n0.25,76.75\n0.75,75.25\n")
    html = own(made_up_run().report(tmp_path / "x.html", measured=tmp_path / "data.csv").read_text(encoding="utf-8"))

    data = data_of(html)
    assert [one["name"] for one in data["measured"]] == ["lift.a.pressure"]
    assert data["panels"][0]["curves"] == ["lift.a.pressure"]
    assert "RMS difference" in html and "1.118" in html and "−1.5" in html


@pytest.mark.parametrize(
    ("value", "text"),
    [(275.4, "275"), (11.0, "11.0"), (-5.906, "−5.91"), (0.0433, "0.0433"), (99.97, "100"), (9.996, "10.0")]
    + [(1e-9, "1.00e−09")],
)
def test_energies_have_three_digits(value, text):
    assert three_digits(value) == text


def test_the_energy_table_takes_a_unit_in_which_the_largest_is_below_1000():
    html = energy_table(EnergyAudit({"potential": (0.0, 1.2e6)}, {"pump": 1.25e6, "tank": 1.0}, {}, {"valve": 50.0e3}))

    assert "change [MJ]" in html and "<td>1.25</td>" in html and "<td>0.0500</td>" in html and "<td>≈ 0</td>" in html


def test_a_case_brings_its_measured_data(tmp_path):
    (tmp_path / "data.csv").write_text("time [s],lift.a.pressure [bar]\n0.25,76.75\n0.75,75.25\n")
    run = Results(names(), record(), {**META, "case": {"name": "lift", "measured": str(tmp_path / "data.csv")}})

    own_data = data_of(run.report(tmp_path / "x.html").read_text(encoding="utf-8"))["measured"]
    none = data_of(run.report(tmp_path / "y.html", measured=()).read_text(encoding="utf-8"))["measured"]

    assert [one["name"] for one in own_data] == ["lift.a.pressure"] and none == []


def test_measured_data_of_a_case_that_is_gone_is_a_sentence(tmp_path):
    run = Results(names(), record(), {**META, "case": {"name": "lift", "measured": str(tmp_path / "gone.csv")}})
    with pytest.raises(MachineError, match="the file cannot be read: no such file"):
        run.report(tmp_path / "x.html")


def test_without_plotly_a_sentence(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(FileError, match="pip install plotly"):
        plotly_script()
