# SPDX-License-Identifier: BSD-3-Clause
"""Eigenmodes of a linearised machine: frequency, damping, and which joints take part.

    A φ = λ φ,   f = |λ|/2π,   ζ = −Re λ/|λ|,   τ = −1/Re λ

A state's part in a mode is |ψ_i φ_i| with ψ A = λ ψ, ψφ = 1. The parts, summed over a joint's coordinates and speeds,
do not depend on units [Kundur 1994, §12.2]. An eigenvalue that cannot be told from zero is a free motion. Without
damping the same machine has the modes of

    ξ̈ = (A_ηξ + A_ηp A_pη) ξ                           masses and stiffness, with the oil locked where it is

Tested in tests/analysis/test_linear.py, validated by: validation/analytic/test_linearisation.py
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from knuckleboom.analysis.linear import Linear, linearise
from knuckleboom.analysis.state import State
from knuckleboom.machine import Machine

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

ZERO = 1e-12  # of the largest entry of A: what rounding leaves of an eigenvalue, whose square it is for free motions
DEFECTIVE = 1e-6  # cosine between left and right vector below which an eigenvector is shared by several eigenvalues
NOT_OSCILLATING = {"decay": "decaying", "growth": "growing", "free": "free"}
SHOWN = 0.05  # smallest part in a mode that a table shows


@dataclass(frozen=True)
class Mode:
    """One eigenvalue, or a pair: `kind` is "oscillation", "decay", "growth" or "free".

    `frequency` is the natural one in Hz, |λ|/2π, and zero for what does not oscillate; `damping` the ratio ζ, `time`
    the time constant in s (infinite without damping, negative for growth). `parts` says who takes part, `shape` how far
    each coordinate of the tree moves, scaled to 1 at the largest; its angle is the phase.
    """

    eigenvalue: complex
    kind: str
    frequency: float
    damping: float
    time: float
    parts: dict[str, float]
    shape: dict[str, complex] = field(repr=False)

    @property
    def damped_frequency(self) -> float:
        """Frequency at which it rings, Hz: |Im λ|/2π."""
        return abs(self.eigenvalue.imag) / (2.0 * math.pi)

    @property
    def main(self) -> str:
        """Who takes the largest part."""
        return max(self.parts, key=lambda name: self.parts[name], default="")


@dataclass(frozen=True)
class Modes:
    """Modes of a machine at a state, the slowest first; `at_rest` as in Linear, `left_out` has those not among them."""

    machine: str
    modes: tuple[Mode, ...]
    at_rest: bool
    damped: bool
    left_out: tuple[Mode, ...] = ()

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    def __len__(self) -> int:
        return len(self.modes)

    def __getitem__(self, number: int) -> Mode:
        return self.modes[number]

    @property
    def frequencies(self) -> Array:
        """Natural frequencies of the oscillations, Hz, rising."""
        return np.array([mode.frequency for mode in self.modes if mode.kind == "oscillation"])

    @property
    def oscillations(self) -> Modes:
        """Only the modes that oscillate, damping ratio below 1, by rising frequency; the others are in `left_out`."""
        kept = tuple(mode for mode in self.modes if mode.kind == "oscillation")
        others = tuple(mode for mode in self.modes if mode.kind != "oscillation")
        return replace(self, modes=kept, left_out=(*self.left_out, *others))

    @property
    def stable(self) -> bool:
        """Whether no mode grows, of those left out, too."""
        return all(mode.kind == "free" or mode.eigenvalue.real <= 0.0 for mode in (*self.modes, *self.left_out))

    @property
    def others(self) -> str:
        """How many modes were left out, as a sentence; empty without any."""
        if not self.left_out:
            return ""
        counts = Counter(mode.kind for mode in self.left_out)
        kinds = ", ".join(f"{counts[kind]} {words}" for kind, words in NOT_OSCILLATING.items() if counts[kind])
        return f"{len(self.left_out)} that do not oscillate are left out: {kinds}."

    def __str__(self) -> str:
        rows = [("mode", "f [Hz]", "damping", "tau [s]", "who moves")]
        for number, mode in enumerate(self.modes, start=1):
            rows.append((f"{number}", *cells(mode)))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [f"{self.machine}: {len(self)} modes" + ("" if self.damped else " without damping")]
        lines += ["  ".join([*(c.rjust(w) for c, w in zip(row, widths, strict=False)), row[4]]) for row in rows]
        if self.others:
            lines.append(self.others)
        if not self.at_rest:
            lines.append("The state is not at rest: these modes hold for a moment only.")
        return "\n".join(lines)


def cells(mode: Mode) -> tuple[str, str, str, str]:
    """Frequency, damping, time constant and parts of a mode, as a table shows them."""
    who = ", ".join(f"{name} {100.0 * part:.0f} %" for name, part in mode.parts.items() if part >= SHOWN)
    ringing = mode.kind == "oscillation"
    frequency = f"{mode.frequency:.5g}" if ringing else mode.kind
    damping = f"{mode.damping:.3g}" if ringing else "-"
    time = f"{mode.time:.3g}" if math.isfinite(mode.time) else "-"
    return frequency, damping, time, who


def modes(
    machine: Machine,
    at: State | dict[str, Array] | None = None,
    *,
    inputs: Mapping[str, Any] | None = None,
    damped: bool = True,
) -> Modes:
    """Eigenmodes of a machine at its start, at a State or at a snapshot, with inputs held at values."""
    return linearise(machine, at, inputs=inputs or (), outputs=()).modes(damped=damped)


def damped_modes(linear: Linear) -> Modes:
    """Modes of A, a conjugate pair counted once."""
    A = linear.A.values
    if not len(A):
        return Modes(linear.machine, (), linear.at_rest, True)
    scale = balance(A)
    values, left, right = scipy.linalg.eig(A * scale[None, :] / scale[:, None], left=True, right=True)
    # parts do not feel the scaling: (ψ S⁻¹)(S φ); a multiple root of a free motion has ψφ = 0, then |φ|² has to do
    taking = np.abs(left.conj() * right)
    lonely = np.abs(np.sum(left.conj() * right, axis=0)) < DEFECTIVE
    taking[:, lonely] = np.abs(right[:, lonely]) ** 2
    floor = smallest(linear)
    kept = [k for k in range(len(values)) if values[k].imag >= 0.0 or abs(values[k]) <= floor]
    found = [
        describe(linear, complex(values[k]), taking[:, k], linear.shapes.values @ (scale * right[:, k]), floor)
        for k in kept
    ]
    return Modes(linear.machine, tuple(sorted(found, key=order)), linear.at_rest, True)


def undamped_modes(linear: Linear) -> Modes:
    """Modes of masses and stiffness, with the oil locked."""
    n, A = linear.coordinates, linear.A.values
    volumes = [i for i in range(2 * n, len(A)) if linear.states[i].endswith(".pressure")]
    S = A[n : 2 * n, :n] + A[n : 2 * n, volumes] @ A[volumes, n : 2 * n]
    if not n:
        return Modes(linear.machine, (), linear.at_rest, False)
    values, left, right = scipy.linalg.eig(S, left=True, right=True)
    floor = smallest(linear)
    found = []
    for k, value in enumerate(values):
        taking = np.concatenate([np.abs(left[:, k].conj() * right[:, k]), np.zeros(len(A) - n)])
        shape = linear.shapes.values[:, :n] @ right[:, k]
        root = np.sqrt(complex(value))
        found.append(describe(linear, root if root.imag >= 0.0 else -root, taking, shape, floor))
    return Modes(linear.machine, tuple(sorted(found, key=order)), linear.at_rest, False)


def balance(A: Array) -> Array:
    """Powers of two that make rows and columns of A alike in size: pressures and angles in one matrix."""
    _, (scale, _) = scipy.linalg.matrix_balance(A, permute=False, separate=True)
    return np.asarray(scale)


def smallest(linear: Linear) -> float:
    """Size below which an eigenvalue cannot be told from zero: a double one is the root of the entries' error."""
    n, A = linear.coordinates, linear.A.values
    block = A[n : 2 * n, :n]
    error = linear.error.values[n : 2 * n, :n]
    noise = ZERO * np.abs(block).max(initial=1e-12) + np.where(np.isfinite(error), error, 0.0).max(initial=0.0)
    return float(max(math.sqrt(10.0 * noise), ZERO * np.abs(np.linalg.eigvals(A)).max(initial=0.0)))


def describe(linear: Linear, value: complex, taking: Array, moved: Complex, floor: float) -> Mode:
    """Numbers and names of one eigenvalue."""
    parts: dict[str, float] = {}
    for name, part in zip(linear.states, taking, strict=True):
        owner = linear.owners[name]
        parts[owner] = parts.get(owner, 0.0) + float(part)
    total = sum(parts.values()) or 1.0
    parts = {name: part / total for name, part in sorted(parts.items(), key=lambda item: -item[1])}

    largest = moved[int(np.argmax(np.abs(moved)))] if len(moved) else 0.0
    moved = moved / largest if largest != 0.0 else moved
    shape = {
        str(path): complex(one) for path, one in zip(linear.shapes.coords["coordinate"].values, moved, strict=True)
    }

    size = abs(value)
    if size <= floor:
        return Mode(value, "free", 0.0, 0.0, math.inf, parts, shape)
    ringing = abs(value.imag) > floor
    kind = "oscillation" if ringing else "growth" if value.real > 0.0 else "decay"
    frequency = size / (2.0 * math.pi) if ringing else 0.0
    time = -1.0 / value.real if abs(value.real) > ZERO * size else math.inf
    return Mode(value, kind, frequency, 0.0 - value.real / size, time, parts, shape)


def order(mode: Mode) -> tuple[int, float]:
    """Free motions first, then by size of the eigenvalue."""
    return (0 if mode.kind == "free" else 1, abs(mode.eigenvalue))
