# SPDX-License-Identifier: BSD-3-Clause
"""Ready machines, by name: `kb.catalogue.NAMES["naya-rod"]()` returns the machine with the run it is meant for."""

from collections.abc import Callable

from knuckleboom.catalogue import harvester_30, naya_rod
from knuckleboom.catalogue.case import Case

NAMES: dict[str, Callable[[], Case]] = {
    "naya-rod": naya_rod.naya_rod,
    "harvester-30": harvester_30.harvester_30,
}

__all__ = ["NAMES", "Case"]
