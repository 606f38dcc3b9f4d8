# SPDX-License-Identifier: BSD-3-Clause
"""The report of a comparison: whole, from nothing outside, with every method and what was not run, all escaped."""

import re
from dataclasses import replace

from analysis.test_comparison import CHOSEN, FW2, GLOBAL, KINEMATIC, advised
from knuckleboom.report.comparison import page, plotted
from knuckleboom.report.write import page_file
from knuckleboom.results.comparison import NotRun, Row
from report.test_report import FETCH, OUTSIDE, data_of, own

FAILED = Row(GLOBAL, 5e-3, "failed", "stopped at t = 0.1 s: <too large>")
COMPARED = advised(
    *CHOSEN, FAILED, not_run=[NotRun(KINEMATIC, 1e-3, "not within 90 s")], meant=4.0,
    sources=[("interface", "Naya 2011, §4"), ("mechanics", "Naya 2011, eq. 5")],
)  # fmt: skip


def test_written_whole(tmp_path):
    path = COMPARED.report(tmp_path / "deep" / "x.html")

    html = path.read_text(encoding="utf-8")
    assert html.startswith("<!DOCTYPE html>") and html.rstrip().endswith("</html>")
    assert "{{" not in own(html).replace("${{", "")  # no place was left empty
    links = re.findall(r"<a href='#([\w-]+)'>", html)
    assert len(links) == len(set(links)) >= 7
    assert all(html.count(f"id='{link}'") + html.count(f'id="{link}"') == 1 for link in links)


def test_nothing_is_asked_from_outside():
    html = own(page(COMPARED))

    assert OUTSIDE.findall(html) == []
    assert not FETCH.search(page_file("comparison.js"))
    assert "default-src 'none'" in html and "connect-src" not in html


def test_what_it_says():
    html = own(page(COMPARED))

    assert COMPARED.advice in html and str(COMPARED.reference) in html
    assert "1 s (of 4 s, to keep to the time)" in html
    assert "not within 90 s" in html and "kinematic" in html
    assert "stopped at t = 0.1 s: &lt;too large&gt;" in html and "<too large>" not in html
    assert "Naya" in html and "Sources of these methods" in html
    assert html.count("<tr class='taken'>") == 4 - 1  # both in all runs; for real time a cheaper step is shown first


def test_the_plot_has_every_method_that_errs_by_itself():
    data = data_of(page(COMPARED))

    assert data == plotted(COMPARED)
    assert [one["rule"] for one in data["methods"]] == [
        "explicit rk4", "unified trapezoidal", "realtime fw2", "realtime lie"
    ]  # fmt: skip
    assert [kind["key"] for kind in data["kinds"]] == ["position_error", "pressure_error_percent"]
    assert [run["position_error"] for run in data["methods"][2]["runs"]] == [0.1, 0.02]  # mm
    dear = replace(CHOSEN[3], method=FW2._replace(factorisation="dense"), cpu_per_s=9.0)
    assert plotted(advised(*CHOSEN, dear))["methods"] == data["methods"]
