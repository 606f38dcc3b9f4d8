# SPDX-License-Identifier: BSD-3-Clause
"""run.citations(): the laws, the solver and the sources that a run really used, as text and as BibTeX.

The run has kept what its cards cite (simulation/provenance.py); here each is found in references.bib. A citation
without an entry, say of a part from outside, is shown as it is written. Tested in tests/report/test_citations.py.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from knuckleboom.report.bibliography import Entry, answers, entries, read_key
from knuckleboom.results import Results


@dataclass(frozen=True)
class Source:
    """One source, with what it was used for; without an entry it is only the text of its citation."""

    name: str
    entry: Entry | None
    uses: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return the reference in one line."""
        return self.entry.text() if self.entry is not None else f"{self.name} (not in the bibliography)."


@dataclass(frozen=True)
class Citations:
    """What to cite for one run."""

    machine: str
    version: str
    sources: list[Source]

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources)

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def keys(self) -> list[str]:
        """Keys of the entries, as in references.bib."""
        return [source.entry.key for source in self.sources if source.entry is not None]

    def bibtex(self) -> str:
        """Return the entries as BibTeX."""
        return "\n\n".join(source.entry.bibtex for source in self.sources if source.entry is not None)

    def __str__(self) -> str:
        if not self.sources:
            return f"The run of '{self.machine}' names no sources."
        head = f"Sources of the run of '{self.machine}'" + (f" (Knuckleboom {self.version})" if self.version else "")
        lines = [head, ""]
        for source in self.sources:
            lines += [source.text(), *(f"    {use}" for use in source.uses)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_list(self) or f"<p>{escape(str(self))}</p>"


def citations(results: Results) -> Citations:
    """Return what a run has to cite; empty for files that did not keep it."""
    return cite(results.machine, str(results.meta.get("version", "")), results.meta.get("sources", []))


def cite(machine: str, version: str, sources: Iterable[Sequence[str]]) -> Citations:
    """Return what to cite for pairs of what was used and the source it names."""
    found: dict[str, Source] = {}
    for use, written in sources:
        key, place = resolve(str(written))
        entry = entries().get(key)
        source = found.setdefault(key, Source(key, entry))
        source.uses.append(f"{use}: {place}" if place else str(use))
    ordered = sorted(found.values(), key=lambda source: (source.entry is None, source.name))
    return Citations(machine, version, ordered)


def resolve(written: str) -> tuple[str, str]:
    """Return the entry's key that a citation means (or the citation itself), and the place in the source."""
    if written in entries():
        return written, ""
    key = read_key(written)
    found = answers(*key) if key is not None else []
    if key is None or len(found) != 1:
        return written, ""
    return found[0], re.split(rf"\b{key[1]}\b", written, maxsplit=1)[1].strip(" ,")


def html_list(cited: Citations) -> str:
    """Return the sources as an HTML list; "" when there are none."""
    items = []
    for source in cited:
        uses = "; ".join(escape(use) for use in source.uses)
        items.append(f"<li>{escape(source.text())}<br><small>{uses}</small></li>")
    return f"<ul class='sources'>{''.join(items)}</ul>" if items else ""
