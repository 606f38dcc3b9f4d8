# SPDX-License-Identifier: BSD-3-Clause
"""Case: a ready machine with the run it is meant for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knuckleboom.machine import Machine


@dataclass(frozen=True)
class Case:
    """A machine, how long and with what step to run it, what is done at its inputs, and where it is from.

    `duration` and `step` are in s; `inputs` is what kb.simulate takes, and so is `method`: words that differ from its
    defaults, such as {"enforcement": "augmented"}; `cite` is a key of references.bib, empty for a machine of our own.
    """

    machine: Machine
    duration: float
    step: float
    meaning: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    cite: str = ""
    method: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.machine.cite = self.cite  # so that a run of the machine can name its source
