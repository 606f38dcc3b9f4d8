# SPDX-License-Identifier: BSD-3-Clause
"""What valves with a check valve inside share: when it opens. As check_valve, in a branch named `check`."""

from knuckleboom.describe import Net, Part, param
from knuckleboom.quantities import PressureDrop


class BuiltInCheck(Part):
    """Base of the parts with a check valve inside."""

    cracking: PressureDrop = param("pressure drop at which its check begins to open", "0.5 bar", least=0)
    full: PressureDrop = param("rise above cracking until its check is fully open", "1 bar", above=0)

    def check(self, net: Net, a: str, b: str, flow: tuple[float, float], transition: float) -> None:
        """Write the check valve, free from a to b."""
        by = {a: 1.0, b: -1.0}
        net.opened(a, b, flow=flow, by=by, setting=self.cracking, full=self.full, transition=transition, name="check")
