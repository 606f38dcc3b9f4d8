# SPDX-License-Identifier: BSD-3-Clause
"""Simulate: run a machine, its inputs over time, its energy audit."""

from knuckleboom.simulation.audit import energy
from knuckleboom.simulation.inputs import steps, table
from knuckleboom.simulation.session import Simulation
from knuckleboom.simulation.simulate import simulate

__all__ = ["Simulation", "energy", "simulate", "steps", "table"]
