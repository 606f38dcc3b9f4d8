# SPDX-License-Identifier: BSD-3-Clause
"""Which flow shows that a relief valve is open. Tested in tests/cabin/test_alarms.py and tests/bench/test_soak.py."""

from knuckleboom.hydraulics.parts import PilotReliefValve, ReliefValve, ShockValve
from knuckleboom.machine import Machine

BRANCH = {ReliefValve: "", PilotReliefValve: ".pilot", ShockValve: ".relief"}
"""What follows a valve's name in the path of the flow that its setting limits."""


def relief_flows(machine: Machine) -> dict[str, str]:
    """The flow that shows whether a relief valve is open, by the valve's name."""
    return {
        part.name: f"{part.name}{branch}.flow"
        for part in machine.parts.values()
        for kind, branch in BRANCH.items()
        if type(part) is kind
    }
