# SPDX-License-Identifier: BSD-3-Clause
"""Parts of somebody else whose expand is wrong, each in another way; registered for this folder's test only."""

from knuckleboom.describe import Net, Part, Port, param
from knuckleboom.quantities import Area

SIZES = {"DN 6": 28e-6, "DN 10": 78e-6}


class ListedOrifice(Part):
    """Takes its size from a list that does not have it."""

    a: Port = param("inlet")
    b: Port = param("outlet")
    area: Area = param("its area", above=0)

    def expand(self, net: Net) -> None:
        net.restrictor(self.a, self.b, area=SIZES["DN 8"])


class MisspeltOrifice(ListedOrifice):
    """Calls what a net does not have."""

    def expand(self, net: Net) -> None:
        net.restricter(self.a, self.b, area=self.area)  # type: ignore[attr-defined]


class ReturningOrifice(ListedOrifice):
    """Returns what it should write."""

    def expand(self, net: Net) -> list[object]:  # type: ignore[override]
        return [(self.a, self.b, self.area)]


class LooseOrifice(ListedOrifice):
    """Writes to a port of nobody."""

    def expand(self, net: Net) -> None:
        net.restrictor(self.a, "pmup", area=self.area)


PARTS = (ListedOrifice, MisspeltOrifice, ReturningOrifice, LooseOrifice)
