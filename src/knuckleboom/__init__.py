# SPDX-License-Identifier: BSD-3-Clause
"""Knuckleboom: working machines as they are, bodies, joints and closed loops, moved by oil.

>>> import knuckleboom as kb
>>> m = kb.Machine("pendulum")
>>> rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
>>> foot = m.revolute("foot", m.ground, rod, axis="y")
>>> run = kb.simulate(m, "1 s")
>>> run.status
'done'

This file is the public API. A name's room is imported when the name is first asked for, so that help and lists need
no compiler.
"""

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knuckleboom.errors import MachineError, Problem
from knuckleboom.plots import plot, plot_quantity
from knuckleboom.results import EnergyAudit, Quantity, Results, load

if TYPE_CHECKING:
    from knuckleboom import catalogue
    from knuckleboom.analysis.equilibrium import equilibrium
    from knuckleboom.analysis.inverse_dynamics import inverse_dynamics
    from knuckleboom.analysis.linear import Linear, linearise
    from knuckleboom.analysis.mechanism import AnalysisError
    from knuckleboom.analysis.modes import Modes, modes
    from knuckleboom.analysis.state import State
    from knuckleboom.control.compiled import compiled
    from knuckleboom.control.controller import Controller
    from knuckleboom.control.low_pass import low_pass
    from knuckleboom.control.pid import pid
    from knuckleboom.control.rate_limit import rate_limit
    from knuckleboom.describe import Part, Place, Port, param
    from knuckleboom.errors import KnuckleboomError, SimulationError
    from knuckleboom.exchange.import_robot import import_robot
    from knuckleboom.exchange.mass_properties import mass_properties
    from knuckleboom.hydraulics.parts import fluids
    from knuckleboom.machine import Machine, read, register, write
    from knuckleboom.plan import build
    from knuckleboom.simulation.inputs import steps, table
    from knuckleboom.simulation.session import Simulation
    from knuckleboom.simulation.simulate import simulate

__version__ = "0.1.0"

__all__ = [
    "AnalysisError", "Controller", "KnuckleboomError", "Linear", "Machine", "MachineError", "Modes", "Part", "Place",
    "Port", "Problem", "Results", "Simulation", "SimulationError", "State", "build", "catalogue", "compiled",
    "equilibrium", "fluids", "import_robot", "inverse_dynamics", "linearise", "load", "low_pass", "mass_properties",
    "modes", "param", "pid", "rate_limit", "read", "register", "simulate", "steps", "table", "write",
]  # fmt: skip

_ROOMS = {
    "analysis": ("AnalysisError", "Linear", "Modes", "State", "equilibrium", "inverse_dynamics", "linearise", "modes"),
    "control": ("Controller", "compiled", "low_pass", "pid", "rate_limit"),
    "describe": ("Part", "Place", "Port", "param"),
    "errors": ("KnuckleboomError", "SimulationError"),
    "exchange": ("import_robot", "mass_properties"),
    "hydraulics.parts": ("fluids",),
    "machine": ("Machine", "read", "register", "write"),
    "plan": ("build",),
    "simulation": ("Simulation", "simulate", "steps", "table"),
}


def __getattr__(name: str) -> Any:
    if name == "catalogue":
        return importlib.import_module("knuckleboom.catalogue")
    for room, names in _ROOMS.items():
        if name in names:
            value = getattr(importlib.import_module(f"knuckleboom.{room}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'knuckleboom' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _late(module: str, function: str) -> Callable[..., Any]:
    """Return a function of an upper room that is imported when it is first called."""

    def call(*values: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(f"knuckleboom.{module}"), function)(*values, **options)

    return call


# results know nothing of what stands above them, and nothing that computes imports what draws
Results.plot, Quantity.plot = plot, plot_quantity
Results.energy = _late("simulation.audit", "energy")
Results.report, Results.citations = _late("report", "write_report"), _late("report", "citations")
for _kind, _function in (
    (Results, "results_html"),
    (Quantity, "quantity_html"),
    (EnergyAudit, "audit_html"),
    (Problem, "problem_html"),
    (MachineError, "error_html"),
):
    setattr(_kind, "_repr_html_", _late("report.notebook", _function))  # noqa: B010  # mypy: no such attribute
