# SPDX-License-Identifier: BSD-3-Clause
"""What every other program's model offers, in our coordinates.

Joint coordinates of two programs differ at most by a matrix T(q) per joint, v_peer = T v. Then

    M = Tᵀ M_peer T,   bias = Tᵀ (bias_peer + M_peer Ṫv),   v̇ = T⁻¹ (v̇_peer − Ṫv),   effort_peer = T⁻ᵀ effort

T is orthogonal for every joint used here, so that T⁻¹ = Tᵀ.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from knuckleboom.bench.peers.tree import Array, Tree


class Peer(ABC):
    """One machine in another program; `q`, `v` and what is returned are in our coordinates and order."""

    name: str
    setting: str

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.T = np.eye(tree.nv)
        self.T_dot_v = np.zeros(tree.nv)

    @abstractmethod
    def to_peer(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Our coordinates and velocities in the other program's order and meaning."""

    @abstractmethod
    def velocity_map(self, q: Array, v: Array) -> tuple[Array, Array]:
        """T and Ṫv at this state."""

    @abstractmethod
    def set_native(self, q_peer: Array, v_peer: Array) -> None:
        """Give the other program its state."""

    @abstractmethod
    def native_mass_matrix(self) -> Array: ...

    @abstractmethod
    def native_bias(self) -> Array: ...

    @abstractmethod
    def native_accelerations(self, effort_peer: Array) -> Array: ...

    @abstractmethod
    def native_solution(self, *, exact: bool) -> Array:
        """Accelerations at the present state: as a step gets them, warm start included, or solved to rounding."""

    @abstractmethod
    def constraint_error(self) -> float:
        """Largest distance, m, between the two ends of a cut joint at the present state."""

    @abstractmethod
    def evaluate(self, count: int) -> None:
        """Compute accelerations at the present state, `count` times."""

    @abstractmethod
    def step(self, count: int, step: float) -> None:
        """Advance `count` steps of `step` seconds."""

    def solution_error(self) -> float:
        """How far the accelerations that a step gets here are from exact ones, relative to the largest."""
        exact = self.native_solution(exact=True)
        return float(np.max(np.abs(self.native_solution(exact=False) - exact)) / np.max(np.abs(exact)))

    def set_state(self, q: Array, v: Array) -> None:
        """Put the model into our state."""
        self.T, self.T_dot_v = self.velocity_map(q, v)
        self.set_native(*self.to_peer(q, v))

    def from_peer(self, acceleration_peer: Array) -> Array:
        """Accelerations of our coordinates from the other program's."""
        return self.T.T @ (acceleration_peer - self.T_dot_v)

    def effort_to_peer(self, effort: Array) -> Array:
        """Generalised forces in the other program's coordinates."""
        return self.T @ effort

    def mass_matrix(self) -> Array:
        """M in our coordinates."""
        return self.T.T @ self.native_mass_matrix() @ self.T

    def bias(self) -> Array:
        """Generalised bias force with gravity: M v̇ + bias = effort on a tree."""
        return self.T.T @ (self.native_bias() + self.native_mass_matrix() @ self.T_dot_v)

    def accelerations(self, effort: Array | None = None) -> Array:
        """v̇ in our coordinates under the given efforts, loops closed."""
        given = np.zeros(self.tree.nv) if effort is None else effort
        return self.from_peer(self.native_accelerations(self.effort_to_peer(given)))
