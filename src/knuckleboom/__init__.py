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
no compiler, and Ctrl-C in the command's first moments is handled by the command.
"""

import importlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knuckleboom import catalogue
    from knuckleboom.analysis.compare import compare
    from knuckleboom.analysis.cylinder_bodies import cylinder_bodies
    from knuckleboom.analysis.equilibrium import equilibrium
    from knuckleboom.analysis.inverse_dynamics import inverse_dynamics
    from knuckleboom.analysis.linear import Linear, linearise
    from knuckleboom.analysis.mechanism import AnalysisError
    from knuckleboom.analysis.modes import Modes, modes
    from knuckleboom.analysis.on_ground import on_ground
    from knuckleboom.analysis.state import State
    from knuckleboom.analysis.workspace import workspace
    from knuckleboom.cabin.external_client import ExternalClient
    from knuckleboom.cabin.replay import replay
    from knuckleboom.control.compiled import compiled
    from knuckleboom.control.controller import Controller
    from knuckleboom.control.low_pass import low_pass
    from knuckleboom.control.pid import pid
    from knuckleboom.control.rate_limit import rate_limit
    from knuckleboom.describe import Part, Place, Port, param
    from knuckleboom.errors import KnuckleboomError, MachineError, Problem, SimulationError
    from knuckleboom.exchange.hull_points import hull_points
    from knuckleboom.exchange.import_robot import import_robot
    from knuckleboom.exchange.mass_properties import mass_properties
    from knuckleboom.halves.client import MechanicsHalf, PowerHalf
    from knuckleboom.halves.messages import HalfError
    from knuckleboom.halves.other_half import OtherHalf
    from knuckleboom.hydraulics.parts import fluids
    from knuckleboom.machine import Machine, read, register, write
    from knuckleboom.machine.over_time import csv_column, ramps, steps, table
    from knuckleboom.machine.replaced import replaced
    from knuckleboom.plan import build
    from knuckleboom.results import Results, load
    from knuckleboom.simulation.evaluation import evaluate
    from knuckleboom.simulation.session import Simulation
    from knuckleboom.simulation.simulate import simulate

__version__ = "0.8.0"
"""The one version number: pyproject.toml, reports, results and the command line read it here."""

__all__ = [
    "AnalysisError", "Controller", "ExternalClient", "HalfError", "KnuckleboomError", "Linear", "Machine",
    "MachineError", "MechanicsHalf", "Modes", "OtherHalf", "Part", "Place", "Port", "PowerHalf", "Problem", "Results",
    "Simulation", "SimulationError", "State", "build", "catalogue", "compare", "compiled", "csv_column",
    "cylinder_bodies", "equilibrium", "evaluate", "fluids", "hull_points", "import_robot", "inverse_dynamics",
    "linearise", "load", "low_pass", "mass_properties", "modes", "on_ground", "param", "pid", "ramps", "rate_limit",
    "read", "register", "replaced", "replay", "simulate", "steps", "table", "workspace", "write",
]  # fmt: skip

_ROOMS = {
    "analysis": ("AnalysisError", "Linear", "Modes", "State", "equilibrium", "linearise", "modes"),
    "analysis.compare": ("compare",),
    "analysis.cylinder_bodies": ("cylinder_bodies",),
    "analysis.inverse_dynamics": ("inverse_dynamics",),
    "analysis.on_ground": ("on_ground",),
    "analysis.workspace": ("workspace",),
    "cabin.external_client": ("ExternalClient",),
    "cabin.replay": ("replay",),
    "control": ("Controller", "compiled", "low_pass", "pid", "rate_limit"),
    "describe": ("Part", "Place", "Port", "param"),
    "errors": ("KnuckleboomError", "MachineError", "Problem", "SimulationError"),
    "exchange": ("hull_points", "import_robot", "mass_properties"),
    "halves.client": ("MechanicsHalf", "PowerHalf"),
    "halves.messages": ("HalfError",),
    "halves.other_half": ("OtherHalf",),
    "hydraulics.parts": ("fluids",),
    "machine": ("Machine", "read", "register", "write"),
    "machine.over_time": ("csv_column", "ramps", "steps", "table"),
    "machine.replaced": ("replaced",),
    "plan": ("build",),
    "results": ("Results", "load"),
    "simulation": ("Simulation", "simulate"),
    "simulation.evaluation": ("evaluate",),
}


_attached = False


def __getattr__(name: str) -> Any:
    if name == "catalogue":
        found = importlib.import_module("knuckleboom.catalogue")
        _attach_to_machine()
        return found
    for room, names in _ROOMS.items():
        if name in names:
            _attach()
            value = getattr(importlib.import_module(f"knuckleboom.{room}"), name)
            _attach_to_machine()
            globals()[name] = value
            return value
    raise AttributeError(f"module 'knuckleboom' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _late(module: str, function: str) -> Callable[..., Any]:
    """Return a function of an upper room that is imported when it is first called."""

    def call(*values: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(f"knuckleboom.{module}"), function)(*values, **options)

    call.__name__, call.__doc__ = function, f"See knuckleboom.{module}.{function}."
    return call


def _attach_to_machine() -> None:
    """Hang its drawings onto Machine, as soon as a room was asked for that knows machines."""
    room = sys.modules.get("knuckleboom.machine")
    if room is not None:
        room.Machine.circuit = _late("drawing.draw", "draw_circuit")
        room.Machine.mechanism = _late("drawing.draw", "draw_mechanism")


def _attach() -> None:
    """Hang what upper rooms offer onto results and errors, once: when either is first asked for.

    Results know nothing of what stands above them, and nothing that computes imports what draws.
    """
    global _attached
    if _attached:
        return
    _attached = True
    from knuckleboom.errors import MachineError, Problem
    from knuckleboom.results import Comparison, EnergyAudit, Quantity, Results, Workspace

    Results.plot, Quantity.plot = _late("plots", "plot"), _late("plots", "plot_quantity")
    Workspace.plot = _late("plots.workspace", "plot_workspace")
    Comparison.plot = _late("plots.comparison", "plot_comparison")
    Comparison.report = _late("report.comparison", "write_comparison_report")
    Results.energy = _late("simulation.audit", "energy")
    Results.report, Results.citations = _late("report", "write_report"), _late("report", "citations")
    for kind, function in (
        (Results, "results_html"),
        (Quantity, "quantity_html"),
        (EnergyAudit, "audit_html"),
        (Comparison, "comparison_html"),
        (Problem, "problem_html"),
        (MachineError, "error_html"),
    ):
        setattr(kind, "_repr_html_", _late("report.notebook", function))  # noqa: B010  # mypy: no such attribute
