# SPDX-License-Identifier: BSD-3-Clause
"""Simulate: run a machine, its energy audit."""

from knuckleboom.simulation.audit import energy
from knuckleboom.simulation.session import Simulation
from knuckleboom.simulation.simulate import simulate

__all__ = ["Simulation", "energy", "simulate"]
