# SPDX-License-Identifier: BSD-3-Clause
"""Everything that `knuckleboom info` says of a machine, as plain data; the keys are described in docs/cli.md.

Tested in tests/cli/test_documented_keys.py and test_app.py.
"""

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from knuckleboom.cli import machines

if TYPE_CHECKING:
    from knuckleboom.machine import Machine
    from knuckleboom.net import NetSignal
    from knuckleboom.plan import Planned
    from knuckleboom.plan.contact_step import ContactSpeed
    from knuckleboom.plan.counts import Counts

POSES = 400
"""About how many poses a work space has here."""


def plan_of(task: machines.Task, coordinates: str) -> "Planned":
    """The machine planned in a set of coordinates."""
    from knuckleboom.plan import build

    return build(task.machine, coordinates=coordinates)


def list_cases(machine: "Machine") -> list[dict[str, Any]]:
    """What can be done with a machine; nothing that a case names is opened or imported."""
    return [
        {
            "name": case.name, "meaning": case.meaning, "duration": case.duration, "step": case.step,
            "start": case.start if isinstance(case.start, str) else None, "inputs": list(case.inputs),
            "controllers": [item.name for item in case.controllers], "csv": case.csv or None,
            "measured": case.measured or None, "imports": case.imports,
        }
        for case in machine.cases.values()
    ]  # fmt: skip


def weigh(planned: "Planned") -> dict[str, Any]:
    """Mass and size of the whole machine, and what its actuators push with and how long they are."""
    from knuckleboom.analysis.actuators import actuator_forces
    from knuckleboom.analysis.dimensions import cylinder_lengths, extents
    from knuckleboom.analysis.mass import machine_mass

    mass, (low, high) = machine_mass(planned), extents(planned)
    return {
        "mass": {"total": mass.total, "centre": mass.centre.tolist(), "inertia": mass.inertia.tolist()},
        "dimensions": {"low": low.tolist(), "high": high.tolist(), "size": (high - low).tolist()},
        "actuators": [asdict(one) for one in actuator_forces(planned)],
        "cylinders": [asdict(one) for one in cylinder_lengths(planned)],
        "pumps": pumps(planned),
        "contacts": contacts(planned),
        "pairs": pairs(planned),
    }


def contacts(planned: "Planned") -> list[dict[str, Any]]:
    """Every contact with the ground and every tire with its stiffness and how fast it is."""
    from knuckleboom.plan.contact_step import contact_speeds, tire_speeds

    return [
        {"name": one.name, "touches": one.other, **speed(one)} for one in contact_speeds(planned) + tire_speeds(planned)
    ]


def pairs(planned: "Planned") -> list[dict[str, Any]]:
    """Every two contacts that may touch each other, with the stiffness of both and how fast that is."""
    from knuckleboom.plan.contact_step import pair_speeds

    return [{"name": one.name, "a": one.part, "b": one.other, **speed(one)} for one in pair_speeds(planned)]


def speed(one: "ContactSpeed") -> dict[str, Any]:
    """A stiffness, the mass that it feels, and h·√(k/m) at the usual step."""
    from knuckleboom.plan.contact_step import USUAL_STEP

    mass = one.mass if math.isfinite(one.mass) else None
    return {"stiffness": one.stiffness, "mass": mass, "at_1_ms": USUAL_STEP * one.frequency}


def pumps(planned: "Planned") -> list[dict[str, Any]]:
    """Every pump with its displacement, its speed and the flow that this makes."""
    from knuckleboom.hydraulics.parts.pumping import Pumping
    from knuckleboom.machine.shafts import speed_of

    speeds = {one.name: speed_of(planned.machine, one) for one in planned.machine.of(Pumping)}
    return [
        {
            "name": one.name, "kind": one.KIND, "displacement": one.displacement, "speed": speeds[one.name],
            "flow": one.displacement * speeds[one.name],
        }
        for one in planned.machine.of(Pumping)
    ]  # fmt: skip


def natural_frequencies(task: machines.Task, inputs: dict[str, Any], case: str | None) -> dict[str, Any]:
    """Natural frequencies where the machine rests with these inputs of a case, or at its start where it cannot; and
    what its tires and contacts carry there.
    """
    from knuckleboom import analysis
    from knuckleboom.errors import KnuckleboomError

    state, note = None, ""
    try:
        state = analysis.equilibrium(task.machine, inputs=inputs)
    except KnuckleboomError as error:
        note = f"It does not rest, so these hold for the moment of the start: {str(error).splitlines()[0]}"
    found = [mode for mode in analysis.modes(task.machine, state) if mode.kind == "oscillation"]
    modes = [{"frequency_hz": mode.frequency, "damping_ratio": mode.damping, "main": mode.main} for mode in found]
    at = "start" if state is None else "equilibrium"
    loads = [] if state is None else [{"name": name, "force": force} for name, force in state.loads.items()]
    return {"frequencies": {"at": at, "case": case, "note": note, "modes": modes}, "ground_loads": loads}


def state_in_words(at: str, case: str | None) -> str:
    """Of which state frequencies are: at the equilibrium, with inputs as case 'lift' begins."""
    where = "at the equilibrium, where the machine rests" if at == "equilibrium" else "at the machine's own start"
    inputs = f"as case '{case}' begins" if case else "at their own values"
    return f"{where}, with inputs {inputs}"


def reach(task: machines.Task, point: str) -> dict[str, Any]:
    """Where a point can be, over stops and strokes; nothing without a point."""
    from knuckleboom.analysis.mechanism import Mechanism
    from knuckleboom.analysis.workspace import find_place, own_ranges, workspace

    if not point:
        return {"workspace": None}
    mechanism = Mechanism(task.machine)
    ranges = own_ranges(mechanism, find_place(mechanism, point)[0], 2)
    space = workspace(task.machine, point, count=max(2, int(POSES ** (1.0 / len(ranges)))))
    moved = [
        {"name": one.name, "low": float(one.values[0]), "high": float(one.values[-1]), "unit": one.unit}
        for one in ranges
    ]
    return {
        "workspace": {
            "point": point, "ranges": moved, "poses": space.positions.size // 3, "reached": len(space.points),
            "open": space.open, "beyond": space.beyond,
            "extents": {axis: list(ends) for axis, ends in space.extents.items()}, "reach": space.reach(),
            "dimension": space.dimension, "area": space.area, "volume": space.volume,
        }
    }  # fmt: skip


def draw(task: machines.Task, circuit: str, mechanism: str) -> dict[str, Any]:
    """Write the drawings that are wanted and return what they show, drawn or not."""
    from knuckleboom.drawing.draw import draw_circuit, draw_mechanism
    from knuckleboom.drawing.mechanism import mechanism as mechanism_of
    from knuckleboom.machine.circuit import circuit as circuit_of

    saved = [
        str(drawn(task.machine).save(file)) if file else None
        for drawn, file in ((draw_circuit, circuit), (draw_mechanism, mechanism))
    ]
    return {
        "circuit": circuit_of(task.machine).document() | {"file": saved[0]},
        "mechanism": mechanism_of(task.machine).document() | {"file": saved[1]},
    }


def count(task: machines.Task, planned: "Planned") -> dict[str, Any]:
    """Return the numbers and names; the keys are described in docs/cli.md."""
    from knuckleboom import methods
    from knuckleboom.machine.loose import bodies_of, joints_of, loose_bodies
    from knuckleboom.plan import counts

    layout, topology, sizes = planned.layout, planned.topology, counts.sizes(planned)
    bodies = len(bodies_of(task.machine))
    return {
        "machine": task.machine.name,
        "bodies": bodies,
        "joints": len(joints_of(task.machine)),
        "coordinates": sizes.coordinates,
        "loop_equations": sizes.loop_equations,
        "dof": sizes.dof,
        "shafts": sizes.shafts,
        "loose": len(loose_bodies(task.machine)),
        "coordinate_set": planned.method.coordinates,
        "generalised_coordinates": counts.BODY * bodies,
        "constraint_equations": counts.constraint_equations(planned),
        **list_counts(counts.counted(planned)),
        "counted_as_published": list_counts(counts.published(planned)),
        "cut_joints": [joint.name for joint in topology.cut],
        "dropped_rows": [f"{row.part}.{row.label}" for row in layout.loops.dropped],
        "redundant_rows": [f"{row.part}.{row.label}" for row in planned.redundant],
        "rows": len(layout.rows),
        "nodes": len(layout.nodes),
        "branches": len(layout.branches),
        "states": layout.nvolume + len(layout.lags),
        "inputs": [
            {"name": one.path, "unit": one.unit, "default": one.default, "meaning": one.meaning, "range": span(one)}
            for one in layout.inputs
        ],
        "signals": len(planned.names),
        "method": {word: getattr(planned.method, word) or None for word in methods.WORDS},
        "factor_entries": len(planned.work.system.L),
    }


def span(signal: "NetSignal") -> list[float | None] | None:
    """Smallest and largest value that an input should have, null for an end that is open; null where any will do."""
    return None if signal.within is None else [end if math.isfinite(end) else None for end in signal.within]


def list_counts(counts: "Counts") -> dict[str, dict[str, int | None]]:
    """Counts of matrices as two dictionaries, null where there is no such matrix."""
    return {
        "entries": {name: None if one is None else one.entries for name, one in counts.items()},
        "nonzeros": {name: None if one is None else one.nonzeros for name, one in counts.items()},
    }
