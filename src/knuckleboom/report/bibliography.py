# SPDX-License-Identifier: BSD-3-Clause
"""The bibliography: citations such as [Naya 2011, eq. 26] in texts, and the entries of references.bib they mean.

A key is one or more surnames, the first author's first, and the year; several keys in one bracket are parted by
semicolons. An entry answers a key when the year is equal and all surnames are among its authors. Tested in
tests/lint/test_citations.py, which also holds every citation of code and documents against references.bib.
"""

import functools
import re
import unicodedata
from dataclasses import dataclass
from importlib import resources

KEY = re.compile(r"\s*([^\W\d_][\w'’.\-]*(?:(?:,|,? and| &)?\s+[^\W\d_][\w'’.\-]*)*),?\s+((?:18|19|20)\d\d)\b")
ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}", flags=re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*?)\},?$", flags=re.MULTILINE | re.DOTALL)
PLACES = ("journal", "booktitle", "school", "publisher", "institution", "howpublished")
"""Fields that say where something appeared, in the order in which they are looked for."""

Key = tuple[tuple[str, ...], str]


@dataclass(frozen=True)
class Entry:
    """One source: its key, its BibTeX text, and its fields."""

    key: str
    bibtex: str
    fields: dict[str, str]

    @property
    def surnames(self) -> list[str]:
        """Surnames of the authors, in order."""
        return [name.split(",")[0].strip() for name in re.split(r"\s+and\s+", self.fields.get("author", ""))]

    @property
    def year(self) -> str:
        """Year in which it appeared."""
        return self.fields.get("year", "")

    def text(self) -> str:
        """Return the source in one line, as a list of references has it."""
        names = self.surnames if len(self.surnames) <= 3 else [self.surnames[0], "et al."]
        listed = ", ".join(names).replace(", et al.", " et al.")
        where = next((self.fields[place] for place in PLACES if place in self.fields), "")
        volume = self.fields.get("volume", "") if "journal" in self.fields else ""
        if volume and "number" in self.fields:
            volume += f"({self.fields['number']})"
        pages = self.fields.get("pages", "").replace("--", "–")
        more = ", ".join(piece for piece in (f"{where} {volume}".strip(), pages) if piece)
        line = f"{listed} ({self.year}). {self.fields.get('title', '')}. {more}".strip()
        return re.sub(r"[{}]", "", " ".join(line.split())).rstrip(".") + "."


@functools.lru_cache(maxsize=1)
def entries() -> dict[str, Entry]:
    """Return the entries of references.bib by key."""
    text = resources.files("knuckleboom").joinpath("references.bib").read_text(encoding="utf-8")
    return read_entries(text)


def read_entries(text: str) -> dict[str, Entry]:
    """Return the entries of a BibTeX text by key; a key that stands twice is an error of the text."""
    found: dict[str, Entry] = {}
    for match in ENTRY.finditer(text):
        key = match.group(2)
        if key in found:
            raise ValueError(f"{key} stands twice in the bibliography")
        fields = {name.lower(): " ".join(value.split()) for name, value in FIELD.findall(match.group(3))}
        found[key] = Entry(key, match.group(0), fields)
    return found


def plain(text: str) -> str:
    """Return a text without accents and in small letters: Lugrís and Lugris are one."""
    letters = unicodedata.normalize("NFKD", text.replace("ø", "o").replace("Ø", "O"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()


def read_key(piece: str) -> Key | None:
    """Return the surnames and the year at the beginning of a text such as "Naya 2011, eq. 3"."""
    key = KEY.match(piece)
    if key is None or not key.group(1)[0].isupper():
        return None
    words = re.split(r"[\s,&]+", key.group(1))
    return tuple(word for word in words if word not in ("and", "et", "al.", "")), key.group(2)


def answers(names: tuple[str, ...], year: str) -> list[str]:
    """Return the keys of the entries that a citation can mean."""
    cited = [plain(name) for name in names]
    found = []
    for key, entry in entries().items():
        # a surname may have several words: Canudas de Wit
        surnames = [plain(surname).split() for surname in entry.surnames]
        first = surnames[0]
        if (
            entry.year == year
            and cited[: len(first)] == first
            and set(cited) <= {word for name in surnames for word in name}
        ):
            found.append(key)
    return found
