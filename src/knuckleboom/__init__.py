# SPDX-License-Identifier: BSD-3-Clause
"""Knuckleboom: working machines as they are, bodies, joints and closed loops, moved by oil.

>>> import knuckleboom as kb
>>> m = kb.Machine("pendulum")
>>> rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
>>> foot = m.revolute("foot", m.ground, rod, axis="y")
>>> run = kb.simulate(m, "1 s")
>>> run.status
'done'
"""

from knuckleboom import catalogue, plots
from knuckleboom.describe import Part, Place, Port, param
from knuckleboom.errors import KnuckleboomError, MachineError, Problem, SimulationError
from knuckleboom.hydraulics.parts import fluids
from knuckleboom.machine import Machine, read, register, write
from knuckleboom.plan import build
from knuckleboom.results import Results, load
from knuckleboom.simulate import energy, simulate, steps, table

__version__ = "0.1.0"

Results.plot = plots.plot
Results.energy = energy

__all__ = [
    "KnuckleboomError", "Machine", "MachineError", "Part", "Place", "Port", "Problem", "Results", "SimulationError",
    "build", "catalogue", "fluids", "load", "param", "read", "register", "simulate", "steps", "table", "write",
]  # fmt: skip
