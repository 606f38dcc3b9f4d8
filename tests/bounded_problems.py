# SPDX-License-Identifier: BSD-3-Clause
"""Problems with bounded rows for tests, and their solutions by trying all modes with NumPy.

``enumerate_modes`` is the oracle: for each choice of modes (free, at the lower bound, at the upper) one dense linear
system, and those that fulfil all conditions are solutions. It knows HELD, BOUNDED and PYRAMID rows.
"""

from __future__ import annotations

import itertools
import math
from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knuckleboom.bounded_fields import WORK_FIELDS
from knuckleboom.solvers.bounded_rows import BOUNDED, CONE, CONE_SIDE, HELD, PYRAMID, TABLEAU_ROWS

FIELDS = tuple(name.removeprefix("bounded.") for name, *_ in WORK_FIELDS)
Bounded = namedtuple("Bounded", FIELDS)  # type: ignore[misc]


@dataclass
class Problem:
    """w = A P + b with what each row must fulfil."""

    A: np.ndarray
    b: np.ndarray
    kind: np.ndarray
    lower: np.ndarray = field(default_factory=lambda: np.zeros(0))
    upper: np.ndarray = field(default_factory=lambda: np.zeros(0))
    leader: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    friction: np.ndarray = field(default_factory=lambda: np.zeros(0))
    more: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        n = len(self.b)
        self.A, self.b = np.asarray(self.A, float), np.asarray(self.b, float)
        self.kind = np.asarray(self.kind, np.int64)
        for name, value in (("lower", 0.0), ("upper", np.inf), ("leader", -1), ("friction", 0.0), ("more", 0)):
            if not len(getattr(self, name)):
                setattr(self, name, np.full(n, value))
        self.lower, self.upper = np.asarray(self.lower, float), np.asarray(self.upper, float)
        self.leader, self.friction = np.asarray(self.leader, np.int64), np.asarray(self.friction, float)
        self.more = np.asarray(self.more, np.int64)


def family(problem: Problem) -> Any:
    """The arrays that solvers take, NaN where they have to write."""
    n = len(problem.b)
    sizes = {"nbounded": n, "ntableau": sum(TABLEAU_ROWS[kind] for kind in problem.kind)}
    sizes["ncovered"] = sizes["ntableau"] + 2
    arrays = {}
    for path, shape, kind, *_ in WORK_FIELDS:
        name, size = path.removeprefix("bounded."), tuple(sizes.get(s, s) for s in shape)
        given = getattr(problem, name, None)
        if given is not None:
            arrays[name] = given.copy()
        else:
            arrays[name] = np.full(size, np.nan) if kind == "float" else np.full(size, -7)
    return Bounded(**arrays)


def loads(problem: Problem, P: np.ndarray) -> np.ndarray:
    """Impulse of the leaders of each row, together."""
    return np.array([P[i : i + more + 1].sum() for i, more in zip(problem.leader, problem.more, strict=True)])


def bounds(problem: Problem, P: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest impulse of each row, of a cone those of the resultant."""
    friction = np.isin(problem.kind, (PYRAMID, CONE, CONE_SIDE))
    most = np.where(friction, problem.friction * np.maximum(loads(problem, P), 0.0), 0.0)
    held = problem.kind == HELD
    lower = np.where(friction, -most, np.where(held, -np.inf, problem.lower))
    upper = np.where(friction, most, np.where(held, np.inf, problem.upper))
    return lower, upper


def violation(problem: Problem, P: np.ndarray) -> float:
    """By how much P misses the conditions, as an impulse."""
    w = problem.A @ P + problem.b
    lower, upper = bounds(problem, P)
    trial = P - w
    for i in np.flatnonzero(problem.kind == CONE):
        size = np.hypot(*trial[i : i + 2])
        if size > upper[i]:
            trial[i : i + 2] *= upper[i] / size
        lower[i : i + 2], upper[i : i + 2] = -np.inf, np.inf
    return float(np.abs(P - np.clip(trial, lower, upper)).max())


def enumerate_modes(problem: Problem, tolerance: float = 1e-9) -> list[np.ndarray]:
    """All solutions by all modes, those that are equal to 1e-6 once."""
    n = len(problem.b)
    choices = []
    for i in range(n):
        if problem.kind[i] == HELD:
            choices.append((0,))
        elif problem.kind[i] == PYRAMID:
            choices.append((-1, 0, 1))
        else:
            low, high = math.isfinite(problem.lower[i]), math.isfinite(problem.upper[i])
            choices.append((-1,) * low + (0,) + (1,) * high)
    modes = np.array(list(itertools.product(*choices)))
    found: list[np.ndarray] = []
    for part in np.array_split(modes, 1 + len(modes) // 5000):
        matrix, right = np.broadcast_to(problem.A, (len(part), n, n)).copy(), np.tile(-problem.b, (len(part), 1))
        for i in range(n):
            fixed = np.flatnonzero(part[:, i] != 0)
            matrix[fixed, i] = 0.0
            matrix[fixed, i, i] = 1.0
            side = part[fixed, i]
            if problem.kind[i] == PYRAMID:
                for k in range(problem.leader[i], problem.leader[i] + problem.more[i] + 1):
                    matrix[fixed, i, k] = -side * problem.friction[i]
                right[fixed, i] = 0.0
            else:
                right[fixed, i] = np.where(side < 0, problem.lower[i], problem.upper[i])
        regular = np.abs(np.linalg.det(matrix)) > 1e-14
        for P in np.linalg.solve(matrix[regular], right[regular][:, :, None])[:, :, 0]:
            if violation(problem, P) < tolerance * (1.0 + np.abs(P).max()) and not any(
                np.allclose(P, other, atol=1e-6) for other in found
            ):
                found.append(P)
    return found


def random_problem(
    random: np.random.Generator, n: int, kinds: str = "hbtp", compliance: float = 1e-3, fewest: float = 1.0
) -> Problem:
    """Rows of a random mechanism: held, one-sided, two-sided, contacts with a pyramid or cone.

    Letters: h held, b one-sided, t two-sided, p a contact with two rows of a pyramid, c one with a cone. It has between
    `fewest` n and 2 n velocities: with fewer than rows these can be stressed against each other.
    """
    kind, lower, upper, leader, friction = [], [], [], [], []
    while len(kind) < n:
        letter = random.choice(list(kinds))
        place = len(kind)
        if letter in "pc" and place + 3 > n:
            letter = "b"
        mu = random.uniform(0.1, 0.8)
        if letter == "h":
            rows = [(HELD, 0.0, np.inf, -1, 0.0)]
        elif letter == "b":
            rows = [(BOUNDED, 0.0, np.inf, -1, 0.0)]
        elif letter == "t":
            rows = [(BOUNDED, -random.uniform(0.0, 1.0), random.uniform(0.0, 1.0), -1, 0.0)]
        else:
            pair = (PYRAMID, PYRAMID) if letter == "p" else (CONE, CONE_SIDE)
            rows = [(BOUNDED, 0.0, np.inf, -1, 0.0), *((one, 0.0, 0.0, place, mu) for one in pair)]
        for row in rows:
            for values, value in zip((kind, lower, upper, leader, friction), row, strict=True):
                values.append(value)
    velocities = max(1, int(random.uniform(fewest, 2.0) * n))
    W = random.normal(size=(n, velocities)) / np.sqrt(velocities)
    A = W @ W.T + compliance * np.eye(n)
    b = W @ random.normal(size=velocities) * np.sqrt(velocities) * 0.5
    return Problem(A, b, kind, lower, upper, leader, friction)
