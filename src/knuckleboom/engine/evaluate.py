# SPDX-License-Identifier: BSD-3-Clause
"""One evaluation of the whole machine: from state (q, v, x) and inputs u to the rates v̇, ẋ and all powers.

The stages are those of the rooms: mechanics/stages.py (with the goals), interface/stages.py, hydraulics/stages.py. A
new stage is its file and one line here. Mechanics with forces λ from elsewhere: evaluate_mechanics.
"""

from knuckleboom.hydraulics import stages as hydraulics
from knuckleboom.interface import stages as interface
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.layout import OK
from knuckleboom.mechanics import stages as mechanics
from knuckleboom.mechanics.stages import ALL


@kernel
def evaluate(plan, work, goal):
    """Fill Work from the state, as far as the goal asks for. Return a status. Writes work."""
    # position: where links and rows are
    mechanics.position(plan, work)

    # velocity: how fast they move
    mechanics.velocity(plan, work, goal)

    # flow: who moves oil where
    status = flow(plan, work)
    if status != OK:
        return status

    # force: what acts on the mechanism, and what that takes
    interface.force(plan, work)
    hydraulics.power(plan, work)
    mechanics.effort(plan, work)
    interface.touch(plan, work)

    # inertia: mass matrix, bias forces, loops
    mechanics.inertia(plan, work, goal)

    # acceleration: where it is asked for
    return mechanics.acceleration(plan, work) if goal == ALL else OK


@shared_kernel
def evaluate_all(plan, work):
    """Fill everything. Return a status. Writes work."""
    return evaluate(plan, work, ALL)


@kernel
def flow(plan, work):
    """From the rows' values and rates to flows and ẋ. Return a status. Writes work."""
    interface.flow(plan, work)
    return hydraulics.flow(plan, work)


@kernel
def evaluate_mechanics(plan, work):
    """Accelerations with the forces that stand in rows.force. Return a status. Writes work."""
    mechanics.position(plan, work)
    mechanics.velocity(plan, work, ALL)
    mechanics.effort(plan, work)
    interface.touch(plan, work)
    mechanics.inertia(plan, work, ALL)
    return mechanics.acceleration(plan, work)
