# SPDX-License-Identifier: BSD-3-Clause
"""Every citation such as [Naya 2011, eq. 26] in code, validations and docs has its entry in references.bib.

A key is one or more surnames, the first author's first, and the year; several keys in one bracket are parted by
semicolons. An entry answers a key when the year is equal and all surnames are among its authors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRACKET = re.compile(r"\[([^\[\]]*\b(?:18|19|20)\d\d\b[^\[\]]*)\]")
KEY = re.compile(r"\s*([^\W\d_][\w'’.\-]*(?:(?:,|,? and| &)?\s+[^\W\d_][\w'’.\-]*)*),?\s+((?:18|19|20)\d\d)\b")


def plain(text: str) -> str:
    """Without accents and in small letters: Lugrís and Lugris are one."""
    letters = unicodedata.normalize("NFKD", text.replace("ø", "o"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()


def keys_in(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The surnames and the year of each citation in a text."""
    for bracket in BRACKET.finditer(text):
        for piece in bracket.group(1).split(";"):
            key = KEY.match(piece)
            if key and key.group(1)[0].isupper():
                words = re.split(r"[\s,&]+", key.group(1))
                yield tuple(word for word in words if word not in ("and", "et", "al.", "")), key.group(2)


def entries() -> dict[str, tuple[list[str], str]]:
    """Key, surnames and year of each entry of references.bib."""
    found = {}
    text = (ROOT / "references.bib").read_text(encoding="utf-8")
    for key, body in re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", text, flags=re.MULTILINE | re.DOTALL):
        author = re.search(r"^\s*author\s*=\s*\{(.*?)\},$", body, flags=re.MULTILINE | re.DOTALL)
        year = re.search(r"^\s*year\s*=\s*\{(\d{4})\},$", body, flags=re.MULTILINE)
        assert author and year and re.search(r"^\s*title\s*=", body, flags=re.MULTILINE), key
        assert key not in found, f"{key} stands twice"
        surnames = [name.split(",")[0].strip() for name in re.split(r"\s+and\s+", author.group(1))]
        found[key] = (surnames, year.group(1))
    return found


def answers(names: tuple[str, ...], year: str) -> list[str]:
    """The entries that a citation can mean."""
    cited = [plain(name) for name in names]
    return [
        key
        for key, (surnames, of_year) in entries().items()
        if of_year == year
        and plain(surnames[0]) == cited[0]
        and set(cited) <= {plain(surname) for surname in surnames}
    ]


def cited_files() -> Iterator[Path]:
    for folder, pattern in (("src", "*.py"), ("validation", "*.py"), ("tests", "*.py"), ("docs", "*.md")):
        yield from sorted((ROOT / folder).rglob(pattern))
    yield from sorted(ROOT.glob("*.md"))


def test_every_citation_has_an_entry():
    missing = [
        f"{path.relative_to(ROOT)}: [{' '.join(names)} {year}]"
        for path in cited_files()
        if path != Path(__file__)
        for names, year in keys_in(path.read_text(encoding="utf-8"))
        if len(answers(names, year)) != 1
    ]

    assert not missing, "\n".join(missing)


def test_keys_are_named_after_author_and_year():
    for key, (surnames, year) in entries().items():
        assert key == plain(surnames[0]).replace(" ", "") + year


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
