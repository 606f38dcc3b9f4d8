# SPDX-License-Identifier: BSD-3-Clause
"""The table of a linearly implicit method: its coefficients, and where its steps are in doubt."""

from __future__ import annotations

from types import ModuleType

import numpy as np

STAGES = 3
"""Stages that the arrays have room for."""
MOST_MISFIT, MOST_HOLD, MOST_SUDDENNESS = 1e5, 1.0, 0.5
"""Where a linearly implicit step is in doubt [Pa, 1, 1]; docs/decisions/corrected_steps.md has what others give."""


def tableau(method: ModuleType) -> dict[str, np.ndarray]:
    """The coefficients of a linearly implicit method; all zero for any other."""
    count = len(getattr(method, "FRESH", ()))
    padded: dict[str, np.ndarray] = {name: np.zeros((STAGES, STAGES)) for name in ("A", "C", "lean")}
    padded |= {name: np.zeros(STAGES) for name in ("m", "weight", "b", "fresh", "node", "input", "kept")}
    if count:
        padded["A"][:count, :count], padded["C"][:count, :count] = method.A, method.C
        padded["m"][:count], padded["weight"][:count], padded["fresh"][:count] = method.M, method.WEIGHTS, method.FRESH
        padded["node"][:count], padded["input"][:count] = method.NODES, method.INPUTS
        # a later stage that is evaluated begins with the accelerations u_v/(γ h) of the first
        padded["lean"][:] = padded["C"]
        padded["lean"][1:, 0] += padded["fresh"][1:] / method.GAMMA
        padded["kept"][:] = padded["lean"].any(axis=0)
        padded["b"][:count] = np.linalg.solve(np.eye(count) / method.GAMMA - np.transpose(method.C), method.M)
    padded["doubtful"] = np.array([MOST_MISFIT, MOST_HOLD, MOST_SUDDENNESS])
    gamma = np.array([getattr(method, "GAMMA", 0.0)])
    tables = {"tableau.stages": np.array([count]), "tableau.gamma": gamma, "tableau.whole": np.eye(STAGES)[0]}
    return tables | {f"tableau.{name}": values for name, values in padded.items()}
