# SPDX-License-Identifier: BSD-3-Clause
"""Analysis: what can be said of a machine without running it."""

from knuckleboom.analysis.equilibrium import equilibrium
from knuckleboom.analysis.inverse_dynamics import Efforts, inverse_dynamics
from knuckleboom.analysis.linear import Linear, linearise
from knuckleboom.analysis.mechanism import AnalysisError
from knuckleboom.analysis.modes import Mode, Modes, modes
from knuckleboom.analysis.state import State

__all__ = [
    "AnalysisError", "Efforts", "Linear", "Mode", "Modes", "State", "equilibrium", "inverse_dynamics", "linearise",
    "modes",
]  # fmt: skip
