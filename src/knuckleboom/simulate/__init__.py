# SPDX-License-Identifier: BSD-3-Clause
"""Simulate: run a machine, its inputs over time, its energy audit."""

from knuckleboom.simulate.audit import energy
from knuckleboom.simulate.inputs import steps, table
from knuckleboom.simulate.simulate import simulate

__all__ = ["energy", "simulate", "steps", "table"]
