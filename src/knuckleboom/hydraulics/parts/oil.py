# SPDX-License-Identifier: BSD-3-Clause
"""Oil: the fluid of a circuit. Parts with ports name theirs; parts that join ports must stay within one oil.

No ports, no states. In Python the handle makes the parts of its circuit: `oil.tank("tank")` fills in `oil`.
Validated by: validation/analytic/test_cavitation.py, test_hydraulic_spring.py
"""

from knuckleboom.describe import Part, param
from knuckleboom.hydraulics.parts.fluids import Fluid


class Oil(Part):
    """The fluid of a circuit."""

    name: str = param("name of the oil", "oil")
    fluid: Fluid = param(
        "the fluid, in Python one of kb.fluids: mineral_oil(), iso_vg46(), with_air(), constant(), naya(); in a file "
        "{law: cavitating, density: 850, bulk: 1.5 GPa}, or the law constant, naya or air"
    )
