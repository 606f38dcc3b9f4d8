# SPDX-License-Identifier: BSD-3-Clause
"""What Newton's iteration left open when it gave a step up, from what its last iteration left in Work.

The state is that of the step's start again; the rows, what drivers wanted and the last corrections are not: they tell
the worst equation, or, where all are closed, what still moved. Golden texts are in tests/simulate/test_failure.py.
"""

from __future__ import annotations

import numpy as np

from knuckleboom.plan import Planned
from knuckleboom.plan.checks import gaps
from knuckleboom.simulation.owners import owner_of_equation, owner_of_velocity, unit_of_velocity
from knuckleboom.units import format_si

ENDLESS = 1e3
"""m or rad: what is open by more shows that the iteration ran away, and no length or angle of a machine."""
NEARLY = 0.5
"""Forces above this part of the largest change are in one loop with it: a driver there is named, it can be changed."""


def worst_equation(planned: Planned) -> tuple[int, str]:
    """The equation that is open most, −1 where all are closed, and how it is."""
    layout, plan, work = planned.layout, planned.plan, planned.work
    parts = gaps(layout, plan, work, layout.loops.kept)
    if not parts:
        return -1, ""
    worst = max(parts, key=lambda part: np.nan_to_num(parts[part][0], nan=np.inf))
    apart = parts[worst][1] == "m"
    sizes = {}
    for number, row in enumerate(layout.loops.kept):
        if row.part == worst and (row.unit == "m") == apart:
            # one row of a distance may be below what counts as open
            sizes[number] = gaps(layout, plan, work, [row]).get(worst, (0.0, ""))[0]
    number = max(sizes, key=lambda row: np.nan_to_num(sizes[row], nan=np.inf))
    size, unit = sizes[number], layout.loops.kept[number].unit
    return number, f"stays open by {format_si(size, unit)}" if size < ENDLESS else "opens more and more"


def restless_force(planned: Planned) -> int:
    """The equation whose force changed most in the last iteration, a driver's if one is near; −1 if there is none."""
    nv = planned.topology.nv
    changes = np.abs(planned.work.newton.rhs[nv : nv + planned.layout.nloop])
    if not len(changes) or not changes.max() > 0.0:
        return -1
    driven = [int(row) for row in planned.plan.rows.driven if changes[row] >= NEARLY * changes.max()]
    return driven[0] if driven else int(changes.argmax())


def last_motion(planned: Planned, part_of_step: float) -> str:
    """What changed most in the last iteration against what is allowed: a speed, or a pressure."""
    newton, nv, volumes = planned.work.newton, planned.topology.nv, planned.layout.nvolume
    allowed, allowed_pressure = planned.plan.newton.tolerance
    speeds = np.abs(newton.rhs[:nv])
    pressures = np.abs(planned.work.tangent.stiffness[:volumes] * newton.rate_x[:volumes])
    share = part_of_step * speeds.max() / allowed if nv else 0.0
    if volumes and not pressures.max() / allowed_pressure <= share:
        node = int(pressures.argmax())
        return f"pressure at '{planned.layout.nodes[node].port}' still changed by {format_si(pressures[node], 'Pa')}"
    velocity = int(speeds.argmax())
    change = format_si(speeds[velocity], unit_of_velocity(planned, velocity))
    return f"the speed of {owner_of_velocity(planned, velocity)} still changed by {change}"


def what_is_open(planned: Planned, part_of_step: float) -> str:
    """The worst equation with its size, or what did not settle, as the end of a sentence."""
    number, how = worst_equation(planned)
    if number >= 0:
        return f"{owner_of_equation(planned, number)} {how}"
    moved = last_motion(planned, part_of_step)
    number = restless_force(planned)
    force = f", and the force of {owner_of_equation(planned, number)} does not settle" if number >= 0 else ""
    return f"in its last iteration {moved}{force}"
