# SPDX-License-Identifier: BSD-3-Clause
"""Names: every name can be written, and no two things have the same."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.naming import name_faults, point_faults
from knuckleboom.mechanics.parts import Body


def writable_names(machine: Machine) -> Iterator[Problem]:
    """Names of parts are made of letters, digits, _, - and dots."""
    for part in machine.parts.values():
        for fault in name_faults(part.name):
            yield problem(part, fault.rule, fault.fix)


def writable_points(machine: Machine) -> Iterator[Problem]:
    """Names of points, frames and masses on bodies are too."""
    for body in machine.bodies():
        masses = body.point_masses if isinstance(body, Body) else {}
        for field, named in (("points", body.points), ("frames", body.frames), ("point_masses", masses)):
            for name in named:
                for fault in point_faults(name):
                    yield problem(body, f"{field}: {fault.rule}", fault.fix, field=f"{field}.{name}")


def one_meaning(machine: Machine) -> Iterator[Problem]:
    """No part has the path of a body's point or of another part's port, and no two points share a path."""
    taken: dict[str, str] = {}
    for body in machine.bodies():
        for field, named in (("points", body.points), ("frames", body.frames)):
            for name in named:
                path = f"{body.name}.{name}"
                if path in taken:
                    rule = f"{field} has '{name}', but '{path}' is {taken[path]} already."
                    yield problem(body, rule, "Choose another name.", field=f"{field}.{name}")
                taken.setdefault(path, f"a {field.removesuffix('s')} of {body.KIND} '{body.name}'")
    for part in machine.parts.values():
        for port in part.PORTS:
            if port:
                taken.setdefault(part.port(port), f"port '{port}' of {part.KIND} '{part.name}'")
    for part in machine.parts.values():
        if part.name in taken:
            yield problem(part, f"its name is also that of {taken[part.name]}.", "Choose another name.")
