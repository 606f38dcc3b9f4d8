# SPDX-License-Identifier: BSD-3-Clause
"""Found: quantities that `run.find` found, a list that prints as a table. Tested in tests/results/test_results.py."""

import re
from collections.abc import Iterable, Sequence

from knuckleboom.names import closest
from knuckleboom.results.quantity import Quantity


class Found(list[Quantity]):
    """A list of quantities; `.paths` are their names, printed it shows name, unit and meaning of each."""

    def __init__(self, wanted: str, found: Iterable[Quantity], known: Sequence[str]) -> None:
        super().__init__(found)
        self._wanted, self._known = wanted, known

    @property
    def paths(self) -> list[str]:
        """Names of the quantities."""
        return [quantity.path for quantity in self]

    def __str__(self) -> str:
        if not self:
            words = sorted({word for path in self._known for word in re.split(r"[.\s]", path)})
            near = [one for word in re.findall(r"[\w-]+", self._wanted) for one in closest(word, words, 3)]
            offered = f" Closest words: {', '.join(repr(one) for one in dict.fromkeys(near))}." if near else ""
            return f"Nothing recorded matches '{self._wanted}'.{offered}"
        units = [f"[{quantity.unit}]" for quantity in self]
        wide, narrow = max(map(len, self.paths)), max(map(len, units))
        return "\n".join(
            f"{one.path.ljust(wide)}  {unit.ljust(narrow)}  {one.meaning}"
            for one, unit in zip(self, units, strict=True)
        )

    __repr__ = __str__
