# SPDX-License-Identifier: BSD-3-Clause
"""Free bodies joined by joints, as matrices: what reference-point coordinates hand to a sparse solver.

Each body has six velocities and a full mass matrix with eigenvalues from 0.3 to 3; a revolute joint is five rows (its
point three times, its axis twice), a rod between two bodies one. Poses are random, bodies about a metre long.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from knuckleboom.plan.pattern import order_pattern

SIZE = 6


def velocities_of(body):
    return list(range(SIZE * body, SIZE * body + SIZE))


def cross(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


class FreeBodies:
    """Bodies on a random tree (parents, −1 is the ground) with rods between pairs, and the order of its unknowns."""

    def __init__(self, parents, rods, seed, careful=False):
        self.random = random = np.random.default_rng(seed)
        self.place = np.zeros((len(parents), 3))
        self.parents, self.rods = parents, rods
        self.coupled = [velocities_of(body) for body in range(len(parents))]
        self.rows, self.closing, self.lines = [], [], []
        for body, parent in enumerate(parents):
            origin = self.place[parent] if parent >= 0 else np.zeros(3)
            joint = origin + random.normal(size=3)
            self.place[body] = joint + random.normal(size=3)
            self.join(body, parent, joint)
        for one, other in rods:
            self.tie(one, other, self.path(one, other))
        nv = SIZE * len(parents)
        self.M = np.zeros((nv, nv))
        for body in range(len(parents)):
            axes = np.linalg.qr(random.normal(size=(SIZE, SIZE)))[0]
            at = slice(SIZE * body, SIZE * body + SIZE)
            axes *= np.sqrt(random.uniform(0.3, 3.0, SIZE))
            self.M[at, at] = axes @ axes.T
        self.M = (self.M + self.M.T) / 2  # to the last digit
        self.phi = np.zeros((len(self.rows), nv))
        for row, (velocities, line) in enumerate(zip(self.rows, self.lines, strict=True)):
            self.phi[row, velocities] = line
        # a careful order waits for every velocity of a row
        self.order = order_pattern(self.coupled, self.rows, self.rows if careful else self.closing)
        self.b = random.normal(size=nv + len(self.rows))

    def join(self, body, parent, joint):
        """A revolute joint at a point of the world about a random axis."""
        axes = np.linalg.qr(self.random.normal(size=(3, 3)))[0]
        outer = np.block([[np.eye(3), -cross(joint - self.place[body])], [np.zeros((2, 3)), axes[:2]]])
        inner = outer.copy()
        inner[:3, 3:] = -cross(joint - self.place[parent])
        for row in range(5):
            self.rows.append([*(velocities_of(parent) if parent >= 0 else []), *velocities_of(body)])
            self.lines.append([*(-inner[row] if parent >= 0 else []), *outer[row]])
            self.closing.append(velocities_of(body))

    def tie(self, one, other, between):
        """A rod of fixed length between two bodies, pinned at random points."""
        arms = self.random.normal(size=(2, 3))
        along = self.place[other] + arms[1] - self.place[one] - arms[0]
        along /= np.linalg.norm(along)
        line = [*-along, *-np.cross(arms[0], along), *along, *np.cross(arms[1], along)]
        self.rows.append([*velocities_of(one), *velocities_of(other)])
        self.lines.append(line)
        self.closing.append([velocity for body in between for velocity in velocities_of(body)])

    def path(self, one, other):
        """Bodies between two in the tree, both included, without their common ancestor."""
        chains = []
        for body in (one, other):
            chain = []
            while body >= 0:
                chain.append(body)
                body = self.parents[body]
            chains.append(chain)
        return sorted(set(chains[0]) ^ set(chains[1]))

    def matrix(self, compliance=0.0):
        """The whole matrix in the order of elimination."""
        order, size = self.order, len(self.b)
        K = np.zeros((size, size))
        K[np.ix_(order.velocity_slot, order.velocity_slot)] = self.M
        K[np.ix_(order.loop_slot, order.velocity_slot)] = self.phi
        K[np.ix_(order.velocity_slot, order.loop_slot)] = self.phi.T
        K[order.loop_slot, order.loop_slot] = -compliance
        return K


def packed(order, K):
    """The entries of K where `lower` and `upper` keep them; everything else of K must be zero."""
    slots = np.repeat(np.arange(len(order.sign)), order.depth + 1)
    rest = K.copy()
    rest[slots, order.ancestor] = rest[order.ancestor, slots] = 0.0
    assert not rest.any(), "the pattern leaves out an entry"
    return K[slots, order.ancestor], K[order.ancestor, slots]


def chain(bodies, careful=False):
    """Bodies on a string, the first joined to the ground."""
    return FreeBodies(range(-1, bodies - 1), [], seed=bodies, careful=careful)


@st.composite
def trees_with_rods(draw):
    """Parents of the bodies, and pairs of bodies that rods tie."""
    size = draw(st.integers(1, 7))
    parents = [draw(st.integers(-1, body - 1)) for body in range(size)]
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda pair: pair[0] != pair[1])
    return parents, draw(st.lists(ends, max_size=min(3, size - 1))) if size > 1 else []
