# SPDX-License-Identifier: BSD-3-Clause
"""Whether a machine that settles on contacts or tires tips over, and what is said where it does not come to stand.

A body that is free of the ground and carries others leans by the angle between its own upright at the start and that
of the world. What leans further than any machine that settles does tips over, wherever it would come to lie.
Tested in tests/analysis/test_standing.py
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.holding import Holding
from knuckleboom.analysis.mechanism import AnalysisError, Mechanism
from knuckleboom.interface import contact, tire

Array = NDArray[np.float64]

TIPPED, UPRIGHT = math.radians(30.0), math.radians(3.0)
SHOWN = 4  # names in a sentence


class Upright:
    """The body that carries a machine, and its own upright where settling began."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism, self.link, self.body = mechanism, 0, ""
        planned, topology = mechanism.planned, mechanism.planned.topology
        gravity = np.asarray(planned.machine.gravity, float)
        if topology.free_joint and grounded(mechanism) and gravity.any():
            self.body = topology.crossings[topology.free_joint].far
            link = topology.bodies[self.body].link
            if any(one.parent == link for one in topology.links[1:]):
                self.link, self.up = link, -gravity / np.linalg.norm(gravity)
                mechanism.forces()
                self.own = self.turn().T @ self.up

    def turn(self) -> Array:
        """R of the carrying link."""
        return np.asarray(self.mechanism.work.motion.R_WL[self.link]).reshape(3, 3)

    def lean(self) -> float:
        """Angle by which it leans, rad; 0 where nothing is carried."""
        return math.acos(max(-1.0, min(1.0, float(self.up @ self.turn() @ self.own)))) if self.link else 0.0

    def check(self, holding: Holding) -> None:
        """Raise where the machine has tipped over, at the state of the last evaluation; else keep what slips first."""
        lean = self.lean()
        if lean < UPRIGHT:
            holding.first = holding.first or holding.spent()
        if lean <= TIPPED:
            return
        name, on = self.mechanism.planned.machine.name, carrying(self.mechanism)
        where = f"only {listed(on)} touch{'es' if len(on) == 1 else ''}" if on else "nothing of it touches"
        moves, remedy = why_it_moves(self.mechanism, holding) if holding.first else ("", "")
        falls = f"{moves}, and it falls over" if moves else "it tips over"
        fix = "Move its load to the middle of what it stands on, give it feet further out, or start it where it stands."
        raise AnalysisError(
            f"machine '{name}' has no static equilibrium: {falls}. '{self.body}' leans by {math.degrees(lean):.0f} deg "
            f"from where it starts, and {where} the ground then.\n   {remedy or fix}"
        )


def grounded(mechanism: Mechanism) -> bool:
    """Whether a machine has anything that can stand on the ground."""
    network = mechanism.planned.layout.network
    return bool(network.touches or network.treads)


def loads(mechanism: Mechanism) -> dict[str, float]:
    """Normal forces of tires and of contacts with the ground by the name of their results, at the last evaluation."""
    network, work = mechanism.planned.layout.network, mechanism.work
    found = zip((one.part for one in network.treads), work.tire.roll[:, tire.ROLL_LOAD], strict=True)
    touched = zip((one.path for one in network.touches), work.touch.pressed[:, contact.LOAD], strict=True)
    return {name: float(load) for name, load in (*found, *touched)}


def carrying(mechanism: Mechanism) -> list[str]:
    """Names of what touches the ground, at the state of the last evaluation."""
    return [name for name, load in loads(mechanism).items() if load > 0.0]


def why_it_moves(mechanism: Mechanism, holding: Holding) -> tuple[str, str]:
    """Why a machine moves on over the ground, as a clause, and what to change; empty where that is not why."""
    if not grounded(mechanism):
        return "", ""
    mechanism.forces()
    slipped = holding.first
    if slipped and (holding.spent() or not carrying(mechanism)):
        rolls = list(slipped) == ["roll"]
        # what slides also rolls a little
        what = "; ".join(with_verb(names, verb) for verb, names in slipped.items() if rolls or verb != "roll")
        brakes = "Brake wheels: joint_friction with bristle_stiffness in their joints."
        more = "Give more friction, a ground that is less steep, or hold it with a spring."
        return f"{what}, because the friction there is used up", brakes if rolls else more
    if not carrying(mechanism):
        return "none of its contacts and tires touches the ground", "Start it above a terrain, or hold it."
    return "", ""


def with_verb(names: list[str], verb: str) -> str:
    """Who does what: 'a' slides; 'a', 'b' slide."""
    return f"{listed(names)} {verb}{'s' if len(names) == 1 else ''}"


def listed(names: list[str]) -> str:
    """Names in quotes, the first few."""
    shown = ", ".join(f"'{name}'" for name in names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} others" if len(names) > SHOWN else "")
