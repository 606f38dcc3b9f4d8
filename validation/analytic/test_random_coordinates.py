# SPDX-License-Identifier: BSD-3-Clause
"""Random machines in every set of coordinates: the same accelerations, reactions and motion.

Rank: a second formulation. Trees of any joints, loops closed at a random pose and cylinders across a hinge, with
springs, dampers, friction, efforts, drivers and cylinders with oil on them. Tolerances: accelerations 1e-9 of
1 + the largest, reactions 1e-8 (where no equation is redundant, else they are not unique), both for J M⁻¹ Jᵀ of a
condition below 1e5; motions three times the error that Richardson's h and h/2 show of them, or what rounding and
Newton's tolerance leave.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom import methods
from knuckleboom.errors import MachineError
from knuckleboom.mechanics.parts import Joint
from knuckleboom.mechanics.parts.body import Body
from programs.random_machines import (
    CLOSING_JOINTS,
    random_loop,
    random_place,
    random_ram,
    random_tree,
    seeds,
    start_at_random,
    structures,
)

WORST_CONDITION = 1e5
DRIVEN = ("revolute", "prismatic", "cylindrical")
MOVING = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar")


def tree_or_loop(shape, structure, closing, ends, seed):
    """A random machine of a shape, closed where it has a loop, with everything on it that can act."""
    random = np.random.default_rng(seed)
    if shape == "tree":
        machine = random_tree(structure, random)
        start_at_random(machine, random)
    elif shape == "loop":
        first = ends[0] % (len(structure) + 1)
        machine = random_loop(structure, closing, (first, (first + 1 + ends[1]) % (len(structure) + 1)), random).machine
    else:
        machine = random_ram(random, links=2).machine
    equip(machine, random, driven=shape != "loop")
    return machine


def equip(machine, random, driven):
    """Speeds, named points that show all of a body's motion, and one of each force."""
    for joint in [joint for joint in machine.of(Joint) if joint.COORDINATES and not joint.cut]:
        machine.put(type(joint)(**{**dict(joint), "speed": tuple(random.normal(size=len(joint.COORDINATES)))}))
        at = int(random.integers(len(joint.COORDINATES)))
        machine.effort(f"{joint.name}_effort", joint.name, at, float(random.normal() * 5.0))
        if not joint.SPATIAL:
            machine.joint_spring(f"{joint.name}_spring", joint.name, at, stiffness=30.0, damping=0.3)
            machine.joint_friction(f"{joint.name}_friction", joint.name, at, coulomb=0.5, viscous=0.1, speed=1.0)
    bodies = machine.of(Body)
    for body in bodies:
        points = {name: tuple(random.normal(size=3)) for name in ("p", "q", "r")}
        machine.put(type(body)(**{**dict(body), "points": points}))
    first, last = (machine[body.name] for body in (bodies[0], bodies[-1]))
    machine.spring("rubber", random_place(machine.ground, random), random_place(last, random), 200.0, damping=3.0)
    machine.damper("dashpot", random_place(first, random), machine.ground.at(2, 1, 3), 5.0)
    oil = machine.oil(kb.fluids.naya())
    ram = oil.cylinder(
        "ram", machine.ground.at(-2, -1, 2), random_place(last, random), bore="20 mm", rod="12 mm", stroke="2 m",
        pressure_a="30 bar", pressure_b="40 bar", viscous=20.0, leak=1e-13,
    )  # fmt: skip
    machine.restrictor("inlet", oil.pressure("pump", "100 bar"), ram.a, area="2 mm2")
    machine.restrictor("outlet", ram.b, oil.tank("tank"), area="2 mm2")
    wanted = [joint for joint in machine.of(Joint) if joint.KIND in DRIVEN and not joint.cut]
    if driven and wanted:
        machine.driver("drive", joint=wanted[0].name, amplitude=0.1, frequency=2.0)


def condition(planned):
    """Condition of J M⁻¹ Jᵀ on its independent rows."""
    J = planned.jacobian()
    if not len(J):
        return 1.0
    sizes = np.linalg.svd(J @ np.linalg.inv(np.linalg.cholesky(planned.mass_matrix())).T, compute_uv=False)
    sizes = sizes[: len(J) - len(planned.redundant)]
    return float((sizes[0] / sizes[-1]) ** 2)


def assume_regular(machine):
    """Leave out what cannot be assembled or has hardly a solution; return whether equations are redundant."""
    try:
        planned = kb.build(machine)
    except MachineError:
        assume(False)
    assume(condition(planned) < WORST_CONDITION)
    return bool(planned.redundant)


def apart(one, other, paths):
    """The largest difference of quantities, in parts of 1 + the largest of them."""
    size = max(np.abs(one[path].values).max() for path in paths)
    return max(np.abs(one[path].values - other[path].values).max() for path in paths) / (1.0 + size)


MACHINES = {
    "shape": st.sampled_from(["tree", "loop", "ram"]), "structure": structures(kinds=MOVING, least=3, most=5),
    "closing": st.sampled_from(sorted(CLOSING_JOINTS)), "ends": st.tuples(st.integers(0, 5), st.integers(0, 2)),
    "seed": seeds,
}  # fmt: skip
EXPLICIT = next(row for row in methods.TABLE if row.coupling == "explicit" and "lagrange" in row.enforcement)
UNIFIED = next(row for row in methods.TABLE if row.coupling == "unified")


@pytest.mark.slow
@settings(max_examples=25, deadline=None, derandomize=True)
@given(**MACHINES)
def test_accelerations_and_reactions(shape, structure, closing, ends, seed):
    machine = tree_or_loop(shape, structure, closing, ends, seed)
    redundant = assume_regular(machine)
    runs = [
        kb.Simulation(machine, coordinates=coordinates, factorisation=factorisation).results()
        for coordinates in EXPLICIT.coordinates
        # a dense Schur complement of many redundant rows keeps few digits
        for factorisation in EXPLICIT.factorisation[: 1 if redundant else None]
    ]
    points = [path for path in runs[0] if path.endswith((".p.acceleration", ".q.acceleration", ".r.acceleration"))]
    reactions = [
        path for path in runs[0] if path.endswith(("reaction_force", "reaction_moment", "drive.force", "drive.torque"))
    ]
    assert len(points) == 3 * len(machine.of(Body)) and reactions
    for run in runs[1:]:
        assert apart(runs[0], run, points) < 1e-9
        assert redundant or apart(runs[0], run, reactions) < 1e-8


TRAJECTORIES = {
    "explicit": ({"coupling": "explicit", "integrator": "rk4", "enforcement": "lagrange"}, 4, 2e-4, 1e-10),
    **{f"unified {word}": ({"coupling": "unified", "integrator": word}, 2, 1e-3, 1e-9) for word in UNIFIED.integrator},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TRAJECTORIES)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(**MACHINES)
def test_motions_agree_within_their_own_errors(name, shape, structure, closing, ends, seed):
    words, order, step, rounding = TRAJECTORIES[name]
    machine = tree_or_loop(shape, structure, closing, ends, seed)
    assume_regular(machine)
    duration = 20 * step
    runs = [
        [kb.simulate(machine, duration, step=h, record=duration, coordinates=word, **words) for h in (step, step / 2)]
        for word in methods.choices("coordinates")
    ]
    for kind in (".position", ".velocity", ".pressure"):
        paths = [path for path in runs[0][0] if path.endswith(kind)]
        errors = [apart(fine, coarse, paths) / (2**order - 1) for coarse, fine in runs]
        for _, fine in runs[1:]:
            assert apart(runs[0][1], fine, paths) < 3.0 * max(errors) + rounding, (kind, errors)
