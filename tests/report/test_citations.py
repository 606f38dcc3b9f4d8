# SPDX-License-Identifier: BSD-3-Clause
"""A run cites what it used and nothing else, also after it was saved and read; as text and as BibTeX."""

import knuckleboom as kb
from knuckleboom.report.bibliography import read_entries
from report.machines import four_bar
from results.made_up_run import made_up_run


def naya(**options):
    case = kb.catalogue.NAMES["naya-rod"]()
    return kb.simulate(case.machine, "5 ms", step=case.step, **options)


def test_machine_laws_and_solver_are_cited_with_their_places():
    cited = naya(coupling="explicit").citations()
    uses = {source.entry.key: source.uses for source in cited}

    assert "machine naya-rod" in uses["naya2011"]
    assert "naya valve: eqs 29-31" in uses["naya2011"]
    assert "pressure of oil from its strain: eq. 3" in uses["naya2011"]
    assert "flow through a sharp-edged orifice: ch. 3" in uses["merritt1967"]
    assert "classical Runge-Kutta method: II.1" in uses["hairer1993"]
    assert cited.keys == sorted(cited.keys) and len(cited) == len(set(cited.keys))


def test_what_was_not_used_is_not_cited():
    without_oil = kb.simulate(four_bar(), "5 ms").citations()

    assert not {"naya2011", "merritt1967", "hunt1975"} & set(without_oil.keys)


def test_the_method_changes_the_sources():
    machine = four_bar()
    run = kb.simulate(machine, "1 ms", step="0.01 ms", integrator="semi-implicit-euler", enforcement="penalty")
    euler = run.citations()
    uses = {source.entry.key: source.uses for source in euler}

    assert "hairer1993" not in uses
    assert "enforcement penalty: eq. 2.36" in uses["baharudin2016"]
    assert not any("2.23" in use for use in uses["baharudin2016"])  # that is another enforcement
    dense = kb.simulate(machine, "5 ms", factorisation="dense").citations()
    assert not any("§6.5" in use for source in dense for use in source.uses)


def test_a_saved_run_cites_the_same(tmp_path):
    run = naya()
    run.to_netcdf(tmp_path / "run.nc")

    assert str(kb.load(tmp_path / "run.nc").citations()) == str(run.citations())


def test_bibtex_holds_the_entries_whole():
    cited = naya(coupling="explicit").citations()

    assert list(read_entries(cited.bibtex())) == cited.keys
    assert "title" in cited.bibtex() and cited.bibtex().count("@") == len(cited)


def test_text_is_a_list_of_references():
    text = str(naya().citations())

    assert text.startswith("Sources of the run of 'naya-rod' (Knuckleboom ")
    assert "Naya et al. (2011). An efficient unified method" in text
    assert "Archive of Mechanical Engineering 58(2), 223–243." in text


def test_an_unknown_source_is_shown_as_it_is_written():
    run = made_up_run()
    run.meta["sources"] = [["winch <b>", "Nobody 1999, p. 3"]]
    cited = run.citations()

    assert "Nobody 1999, p. 3 (not in the bibliography)." in str(cited)
    assert cited.bibtex() == "" and cited.keys == []
    assert "winch &lt;b&gt;" in cited._repr_html_()


def test_results_that_kept_nothing_say_so():
    assert str(made_up_run().citations()) == "The run of 'lifting boom' names no sources."
