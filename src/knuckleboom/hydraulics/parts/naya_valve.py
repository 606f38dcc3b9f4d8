# SPDX-License-Identifier: BSD-3-Clause
"""Valve of Naya's rod: one spool κ opens two edges by κ and the other two by 1 − κ.     [Naya 2011, eqs 29-31]

    openings of PB and AT: area·κ, of PA and BT: area·(1 − κ); flow through each as in restrictor.py

Ports       none of its own; P, T, A, B name ports of others
Branches    PA, PB (flow from P positive), AT, BT (flow to T positive)
States      none                                        Input  the part's name, κ, 0…1
Power       each edge dissipates Δp·Q ≥ 0.
All four edges are open at every κ between 0 and 1, so that oil goes from P to T at rest: for his machine and others of
its kind; valve_4_3 is the valve of a working machine. His roots are one-sided (δ_P, δ_T): `one_sided`.
ISO 1219    three squares between two rails, as of a proportional valve.
Validated by: validation/literature/test_naya_2011_rod.py
"""

from typing import ClassVar

from knuckleboom.describe import Net, Part, Port, param
from knuckleboom.quantities import Area, Flag, Number, PressureDrop
from knuckleboom.symbol import FOUR, directional


class NayaValve(Part):
    """A valve of four edges that one spool opens: two by κ, the other two by 1 − κ."""

    SECTION: ClassVar[str] = "naya_valves"
    SYMBOL = directional(FOUR, (("PA", "BT"), ("PABT",), ("PB", "AT")), rails=True, datum="{area:mm2} mm²")

    P: Port = param("port of the pump")
    T: Port = param("port of the tank")
    A: Port = param("port that is fed as κ falls")
    B: Port = param("port that is fed as κ rises")
    area: Area = param("area of one edge fully open", 0.0005, above=0)
    cd: Number = param("discharge coefficient", 0.67, above=0)
    kappa: Number = param("spool displacement κ, 0 to 1; also an input of this name", 0.5, least=0, most=1)
    one_sided: Flag = param("true: no flow back through an edge, as his δ_P and δ_T", False)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", 1e4, above=0)

    def expand(self, net: Net) -> None:
        kappa = net.input(self.kappa, unit="1", meaning="spool displacement, 0 to 1", within=(0.0, 1.0), held=True)
        by_kappa, by_rest = net.affine(kappa, 0.0, 1.0), net.affine(kappa, 1.0, -1.0)
        edges = (("PA", self.P, self.A, by_rest), ("PB", self.P, self.B, by_kappa), ("AT", self.A, self.T, by_kappa),
                 ("BT", self.B, self.T, by_rest))  # fmt: skip
        for name, a, b, opening in edges:
            net.restrictor(
                a, b, area=self.area, cd=self.cd, opening=opening, transition=self.transition, one_sided=self.one_sided,
                name=name,
            )  # fmt: skip
