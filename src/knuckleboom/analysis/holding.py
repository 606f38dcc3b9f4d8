# SPDX-License-Identifier: BSD-3-Clause
"""Friction that holds while a machine settles: of contacts, tires and brakes of wheels.

    z = P(z₀ + w(u)),   |σ₀ z/μ| ≤ 1          z₀ at the pose that was kept last, u the displacement from there

So bristles bend by what the settling machine moves over the ground, and hold as springs do; what they cannot hold slips
(P shortens z to the limit). Each step is one of a slow motion from the start: the machine stands as it was set down
there. w is the slip as kernels evaluate it, with u in the place of the velocity. What does not press bends nothing.
A bristle in the joint of a wheel with a tire is a brake and holds, too; friction of other joints does not act at rest.
At w = 0 bends within the limit stay, so a run begins at rest. Tested in tests/analysis/test_standing.py,
validated by: validation/analytic/test_standing.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.mechanism import Mechanism
from knuckleboom.interface import contact, pairs, tire
from knuckleboom.interface.contract import ROW, STATE
from knuckleboom.interface.elements import bristle
from knuckleboom.interface.forces import KINDS
from knuckleboom.mechanics.rows.description import is_coordinate

Array = NDArray[np.float64]
States = NDArray[np.intp]

BAND = 0.999  # of the static limit: what bristles may take, as those of cylinders
SPENT = 0.99  # of the static limit: what has slipped on the way


class Family(NamedTuple):
    """Bristles of one kind: their states, one line each, and at the state of the last evaluation what presses, how far
    each slipped, and 1 over the bend at which each state would slip alone. `verb` is what their parts do then.
    """

    verb: str
    states: States
    names: Sequence[str]
    pressed: Callable[[], NDArray[np.bool_]]
    slips: Callable[[], Array]
    stiff: Callable[[], Array]


class Holding:
    """Bends of a mechanism that settles, from the pose that was kept last."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        every = (patches(mechanism), couples(mechanism), discs(mechanism), rolls(mechanism), brakes(mechanism))
        self.families = [family for family in every if len(family.states)]
        self.kept = mechanism.work.state.x.copy()
        self.touched = [np.zeros(len(family.states), bool) for family in self.families]
        self.first = dict[str, list[str]]()
        """What slipped first while the machine stood upright."""

    def keep(self) -> None:
        """Bends count from the state in Work on."""
        if not self.families:
            return
        self.mechanism.forces()
        self.kept = self.mechanism.work.state.x.copy()
        self.touched = [family.pressed().copy() for family in self.families]

    def restore(self) -> None:
        """Put the bends of the pose that was kept into Work."""
        for family in self.families:
            self.mechanism.work.state.x[family.states] = self.kept[family.states]

    def follow(self, u: Array) -> None:
        """Bend what touches at the pose in Work, which is u from the one that was kept."""
        if not self.families:
            return
        state = self.mechanism.work.state
        v = state.v.copy()
        state.v[:] = u
        self.mechanism.forces()
        for family, touched in zip(self.families, self.touched, strict=True):
            presses = (touched & family.pressed())[:, None]
            z = np.where(presses, self.kept[family.states] + family.slips(), 0.0)
            used = used_of(z, family.stiff())
            state.x[family.states] = z / np.maximum(1.0, used / BAND)[:, None]
        state.v[:] = v

    def spent(self) -> dict[str, list[str]]:
        """Parts whose friction has slipped, by what they do, at the state of the last evaluation."""
        x, found = self.mechanism.work.state.x, dict[str, list[str]]()
        for family in self.families:
            slipped = (used_of(x[family.states], family.stiff()) > SPENT) & family.pressed()
            names = dict.fromkeys(family.names[line] for line in np.flatnonzero(slipped).tolist())
            if names:
                found[family.verb] = [*found.get(family.verb, []), *names]
        return found


def used_of(z: Array, stiff: Array) -> Array:
    """Part of the limit that each line of bends takes."""
    return np.asarray(np.linalg.norm(z * stiff, axis=1))


def following(first: Sequence[int], count: int) -> States:
    """Numbers of states, a line for each first one."""
    return np.array(first, np.intp).reshape(-1, 1) + np.arange(count)


def alike(values: Array, count: int) -> Array:
    """A column for each of as many states."""
    return np.repeat(values[:, None], count, axis=1)


def over(stiffness: Array, limit: Array) -> Array:
    """1 over the bend at which it slips; 0 without friction."""
    return np.divide(stiffness, limit, out=np.zeros(len(limit)), where=limit > 0.0)


def patches(mechanism: Mechanism) -> Family:
    """Contacts with the ground."""
    touch, index, number = mechanism.work.touch, mechanism.plan.touch.index, mechanism.plan.touch.number
    rubs = number[:, contact.COULOMB] > 0.0
    stiff = over(number[:, contact.BRISTLE], number[:, contact.BREAKAWAY])
    return Family(
        "slide",
        following(index[:, contact.STATE], contact.ROWS),
        [one.part for one in mechanism.planned.layout.network.touches],
        lambda: (touch.pressed[:, contact.LOAD] > 0.0) & rubs, lambda: touch.slip,
        lambda: alike(stiff, contact.ROWS),
    )  # fmt: skip


def couples(mechanism: Mechanism) -> Family:
    """Contacts between bodies, whose bends are in the axes of the first."""
    work, plan = mechanism.work.pairs, mechanism.plan.pairs
    rubs = plan.number[:, pairs.COULOMB] > 0.0
    stiff = over(plan.number[:, pairs.BRISTLE], plan.number[:, pairs.BREAKAWAY])
    links = plan.of[plan.index[:, pairs.ONE], pairs.LINK]

    def slips() -> Array:
        along, across = work.axes[:, contact.ALONG : contact.ACROSS], work.axes[:, contact.ACROSS :]
        moved = work.slip[:, :1] * along + work.slip[:, 1:2] * across
        R = mechanism.work.motion.R_WL[links].reshape(-1, 3, 3)
        return np.column_stack([np.einsum("pki,pk->pi", R, moved), work.slip[:, 2]])

    return Family(
        "slide",
        following(plan.index[:, pairs.STATE], pairs.BENDS),
        [one.path for one in mechanism.planned.layout.network.pairings],
        lambda: (work.spots > 0) & (work.pressed[:, contact.LOAD] > 0.0) & rubs, slips,
        lambda: alike(stiff, pairs.BENDS),
    )  # fmt: skip


def discs(mechanism: Mechanism) -> Family:
    """Discs of tires."""
    disc, index, number = mechanism.work.tire.disc, mechanism.plan.tire.index, mechanism.plan.tire.number
    treads = mechanism.planned.layout.network.treads
    count = index[:, tire.DISCS]
    of = np.repeat(np.arange(len(index)), count)
    first = index[of, tire.STATE] + tire.SIDES * (np.arange(len(of)) - index[of, tire.DISC])
    mu = number[:, tire.COULOMB : tire.COULOMB + tire.SIDES] * number[:, tire.BREAKAWAY, None]
    stiff = (number[:, tire.BRISTLE : tire.BRISTLE + tire.SIDES] / mu)[of]
    return Family(
        "slide",
        following(first, tire.SIDES), [treads[t].part for t in of],
        lambda: disc[:, tire.LOAD] > 0.0, lambda: disc[:, tire.SLIP : tire.SLIP + tire.SIDES],
        lambda: stiff / disc[:, tire.GRIP, None],
    )  # fmt: skip


def rolls(mechanism: Mechanism) -> Family:
    """Rolling resistance of tires."""
    roll, V, index = mechanism.work.tire.roll, mechanism.work.motion.V_WL, mechanism.plan.tire.index
    links, resists = index[:, tire.LINK], mechanism.plan.tire.number[:, tire.ROLLING] > 0.0
    last = index[:, tire.STATE] + tire.SIDES * index[:, tire.DISCS]
    axle = slice(tire.ROLL_AXLE, tire.ROLL_AXLE + 3)
    return Family(
        "roll",
        following(last, 1), [one.part for one in mechanism.planned.layout.network.treads],
        lambda: (roll[:, tire.ROLL_LOAD] > 0.0) & resists,
        lambda: np.einsum("ti,ti->t", roll[:, axle], V[links, :3])[:, None],
        lambda: np.full((len(links), 1), 1.0 / tire.ROLL_BEND),
    )  # fmt: skip


def brakes(mechanism: Mechanism) -> Family:
    """Bristles in the joints of wheels with tires."""
    tables, layout = mechanism.plan.forces, mechanism.planned.layout
    links = mechanism.planned.topology.links
    wheels = {links[link].v for link in mechanism.plan.tire.index[:, tire.LINK].tolist()}
    kind, states, rows, stiff = KINDS.index(bristle), [], [], []
    for i in range(tables.first[kind], tables.first[kind + 1]):
        row = int(tables.index[i, ROW])
        if is_coordinate(layout.rows[row]) and layout.rows[row].index[3] in wheels:
            columns = dict(zip(bristle.ELEMENT.columns, tables.number[i].tolist(), strict=False))
            states.append(int(tables.index[i, STATE]))
            rows.append(row)
            stiff.append(columns["stiffness"] / columns["breakaway"])
    always, scale = np.ones(len(rows), bool), np.array(stiff).reshape(-1, 1)
    return Family(
        "slip",
        following(states, 1), [layout.rows[row].part for row in rows], lambda: always,
        lambda: mechanism.work.rows.w[rows][:, None], lambda: scale,
    )  # fmt: skip


def ground_states(mechanism: Mechanism) -> States:
    """States of contacts and tires: all that has to do with what touches."""
    found = [patches(mechanism), couples(mechanism), discs(mechanism), rolls(mechanism)]
    return np.concatenate([family.states.ravel() for family in found])
