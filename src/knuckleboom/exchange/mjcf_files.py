# SPDX-License-Identifier: BSD-3-Clause
"""What an MJCF file reaches for, looked at before MuJoCo is given it: other files, and sizes without bound.

Files that it names (includes, meshes, textures, height fields, models) must lie in the folder `within`; MuJoCo would
open any file of the disk. Counts of `replicate`, `composite` and `flexcomp`, sizes of textures and height fields and of
<size> are bounded, as MuJoCo allocates whatever they say. A % is refused: MuJoCo 4.0 puts names into its messages as
formats, and a `%n` ends the process. So are numbers that are not finite, which it only warns of.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

from knuckleboom.errors import Problem
from knuckleboom.exchange.imported import Notes
from knuckleboom.exchange.namer import short
from knuckleboom.exchange.xml_tree import Element, read_xml

MOST = 100_000
"""Elements of a model, copies included."""
MOST_VALUES = 50_000_000
"""Values of one texture, height field or table."""
MOST_FILES = 200
"""Included files."""

FOLDERS = ("meshdir", "texturedir", "assetdir")
PAIRS = (("width", "height"), ("nrow", "ncol"))
FILE = re.compile(r"file(name)?|file(right|left|up|down|front|back)")
NAMES = ("name", "class", "childclass")
NOT_FINITE = re.compile(r"[+-]?(?:nan(?:\(.*\))?|inf(?:inity)?)", re.IGNORECASE)
OPENED = ("include", "model")
"""Elements whose file is XML that MuJoCo reads as a model."""


class Scan:
    """The files of a model and where their elements stand."""

    def __init__(self, root: Element, file: str, notes: Notes, within: Path) -> None:
        self.notes, self.within = notes, within.resolve()
        self.main = Path(file)
        self.places: dict[str, list[tuple[str, int, str]]] = {}
        self.seen: set[Path] = {self.main.resolve()}
        self.elements = 0
        waiting = [(root, file)]
        while waiting and not notes.problems:
            waiting += self._scan(*waiting.pop())

    def place(self, name: str, tags: tuple[str, ...]) -> tuple[int | None, str]:
        """Return the line and file of the element that has a name, if there is one such, or no line and the main file.

        MuJoCo tells the line of an element of the main file, but not of one that was included.
        """
        found = [(line, file) for tag, line, file in self.places.get(name, []) if not tags or tag in tags]
        return found[0] if name and len(found) == 1 else (None, str(self.main))

    def _scan(self, root: Element, file: str) -> list[tuple[Element, str]]:
        """Look at one file, and return the models that it includes."""
        included: list[tuple[Element, str]] = []
        folders = ["", *(element.get(key) for element in root.all("compiler") for key in FOLDERS)]
        waiting = [(root, 1)]
        while waiting:
            element, copies = waiting.pop()
            self.places.setdefault(element.get("name"), []).append((element.tag, element.line, file))
            copies = self._counted(element, copies, file)
            self.elements += copies
            if self.elements > MOST:
                self._refuse(element, file, f"with all copies it has more than {MOST} elements")
                return []
            self._check_sizes(element, file)
            self._check_values(element, file)
            for attribute, value in element.attributes.items():
                if FILE.fullmatch(attribute) and not self._is_inside(value, folders, file):
                    rule = f"<{element.tag}> names the file '{short(value)}', which is not in the folder {self.within}"
                    fix = "Put it there, or give a folder that has all files as `within`."
                    self._refuse(element, file, rule, fix)
                elif FILE.fullmatch(attribute) and element.tag in OPENED:
                    included += self._models(value, file, element)
            waiting += [(child, copies) for child in element.children]
        return included

    def _counted(self, element: Element, copies: int, file: str) -> int:
        for word in element.get("count").split():
            if word.lstrip("+").isdigit():
                copies *= max(1, min(int(word[:12].lstrip("+") or "1"), MOST + 1))
        return min(copies, MOST + 1)

    def _check_sizes(self, element: Element, file: str) -> None:
        sizes = [(element.get(one), element.get(other)) for one, other in PAIRS]
        if element.tag == "size":
            sizes += [(value, "1") for key, value in element.attributes.items() if key != "memory"]
        for one, other in sizes:
            try:
                values = abs(float(one or 0)) * abs(float(other or 0))
            except ValueError:
                continue
            if not values <= MOST_VALUES:
                self._refuse(element, file, f"<{element.tag}> asks for more than {MOST_VALUES} values")

    def _check_values(self, element: Element, file: str) -> None:
        for attribute, value in element.attributes.items():
            if "%" in value:
                rule = f"{attribute} of <{element.tag}> is '{short(value)}', with a % that MuJoCo cannot be given"
                self._refuse(element, file, rule, "Write it without %.")
            elif attribute not in NAMES and any(NOT_FINITE.fullmatch(word) for word in value.split()):
                rule = f"{attribute} of <{element.tag}> is '{short(value)}', which is not finite"
                self._refuse(element, file, rule)

    def _is_inside(self, value: str, folders: list[str], file: str) -> bool:
        if "\0" in value or re.match(r"[A-Za-z][\w+.-]*:", value):
            return False
        bases = {self.main.parent, Path(file).parent}
        paths = [base / folder / value for base, folder in product(bases, folders)]
        try:
            return all(path.resolve().is_relative_to(self.within) for path in paths)
        except (OSError, RuntimeError):
            return False  # a name that no file can have, or links in a circle

    def _models(self, value: str, file: str, element: Element) -> list[tuple[Element, str]]:
        """Read what is included, wherever MuJoCo may look for it."""
        found = []
        for base in dict.fromkeys((self.main.parent, Path(file).parent)):
            path = base / value
            if not path.is_file() or path.resolve() in self.seen:
                continue
            self.seen.add(path.resolve())
            if len(self.seen) > MOST_FILES:
                self._refuse(element, file, f"it includes more than {MOST_FILES} files")
                break
            found.append((read_xml(path), str(path)))
        return found

    def _refuse(self, element: Element, file: str, rule: str, fix: str = "") -> None:
        self.notes.problems.append(Problem(f"{rule}.", file=file, lines=(element.line, element.line), fix=fix))
