# SPDX-License-Identifier: BSD-3-Clause
"""Every citation such as [Naya 2011, eq. 26] in code, validations and docs has its entry in references.bib.

A key is one or more surnames, the first author's first, and the year; several keys in one bracket are parted by
semicolons. An entry answers a key when the year is equal and all surnames are among its authors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from knuckleboom.report.bibliography import answers, entries, plain, read_entries, read_key
from knuckleboom.results.cited import cited_in

ROOT = Path(__file__).parents[2]
BIBLIOGRAPHY = ROOT / "src" / "knuckleboom" / "references.bib"


def cited_files() -> Iterator[Path]:
    for folder, pattern in (("src", "*.py"), ("validation", "*.py"), ("tests", "*.py"), ("docs", "*.md")):
        yield from sorted((ROOT / folder).rglob(pattern))
    yield from sorted(ROOT.glob("*.md"))


def keys_in(text):
    """The surnames and the year of each citation in a text."""
    return [key for key in map(read_key, cited_in(text)) if key is not None]


def test_every_citation_has_an_entry():
    missing = [
        f"{path.relative_to(ROOT)}: [{' '.join(names)} {year}]"
        for path in cited_files()
        if path != Path(__file__)
        for names, year in keys_in(path.read_text(encoding="utf-8"))
        if len(answers(names, year)) != 1
    ]

    assert not missing, "\n".join(missing)


def test_every_entry_is_read_whole():
    written = re.findall(r"^@\w+\{(\w+),$", BIBLIOGRAPHY.read_text(encoding="utf-8"), flags=re.MULTILINE)

    assert list(entries()) == written
    for key, entry in entries().items():
        assert {"author", "title", "year"} <= set(entry.fields), key
        assert re.sub("[{}]", "", entry.fields["title"]) in entry.text()


def test_an_entry_that_stands_twice_is_refused():
    twice = "@book{a2000,\n  author = {A, B},\n}\n" * 2
    with pytest.raises(ValueError, match="a2000 stands twice"):
        read_entries(twice)


def test_keys_are_named_after_author_and_year():
    for key, entry in entries().items():
        assert key == plain(entry.surnames[0]).replace(" ", "") + entry.year


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Naya 2011, eq. 26]", [(("Naya",), "2011")]),
        ("[Merritt 1967, ch. 3; Naya 2011, eq. 4]", [(("Merritt",), "1967"), (("Naya",), "2011")]),
        ("[Hairer, Nørsett, Wanner 1993,\n    II.1]", [(("Hairer", "Nørsett", "Wanner"), "1993")]),
        ("[Hunt and Crossley 1975]", [(("Hunt", "Crossley"), "1975")]),
        ("[Peiret et al. 2018]", [(("Peiret",), "2018")]),
        ("x[2000], [m³/s], [1 2 1999]", []),
    ],
)
def test_citations_are_recognised(text, expected):
    assert list(keys_in(text)) == expected


def test_unknown_citation_is_noticed():
    assert answers(("Naya",), "2012") == []
    assert answers(("Cuadrado",), "2011") == []  # not the first author
    assert answers(("Naya", "Lugrís"), "2011") == ["naya2011"]
    assert answers(("Canudas", "de", "Wit"), "1995") == ["canudasdewit1995"]
    assert answers(("Wit",), "1995") == []
