# SPDX-License-Identifier: BSD-3-Clause
"""Co-simulation of mechanics and oil: the reduced interface as dense algebra, and what steps a linear machine stands.

From [Peiret 2018, eqs 1-6] with their corrections, by hand and without the package. One macro step H of the mechanics
has n micro steps h = H/n of the power side. Three things are here:

    full_step, reduced_terms    eq. (1) solved whole, and w⁰, a, Y of eqs (2)-(6)
    Scheme, macro_step          one macro step of a mass on a spring and on oil, as a matrix, for every scheme
    limit                       the largest H with which that matrix keeps everything bounded

Checked in ``validation/analytic/test_reduced_interface.py`` and ``test_cosimulation_limits.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

WORDS = {
    "order": ("jacobi", "power-first", "mechanics-first"),
    "course": ("hold", "linear", "quadratic", "reduced", "integrated"),
    "handed": ("end", "mean"),
    "mechanics": ("semi-implicit-euler", "trapezoidal"),
    "power": ("euler", "rk4", "trapezoidal", "lie"),
    "interface": ("force-displacement", "pressure-displacement"),
    "balance": ("carried", "staggered", "none"),
}

TOLERANCE = 1e-9
"""By how much a spectral radius may exceed 1 and still be called stable."""

STATES = 7
"""Of one macro step: q, v, p, w one and two steps ago, the force handed last, the volume that is carried over A."""


MICRO = 3
"""States of a micro step: p, ∫λ dt and ∫w dt since the exchange."""


def full_step(
    M: np.ndarray,
    A_c: np.ndarray,
    C_c: np.ndarray,
    d_c: np.ndarray,
    A_i: np.ndarray,
    v: np.ndarray,
    f0: np.ndarray,
    lam: np.ndarray,
    h: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve eq. (1) with bilateral rows in one dense system and return v⁺ and the impulses P = h λ_c.

    M v⁺ − A_cᵀ P = M v + h (f_0 + A_iᵀ λ),    A_c v⁺ + C_c P + d_c = 0,    C_c a vector, its diagonal
    """
    n = len(v)
    matrix = np.block([[M, -A_c.T], [A_c, np.diag(C_c)]])
    solved = np.linalg.solve(matrix, np.concatenate([M @ v + h * (f0 + A_i.T @ lam), -d_c]))
    return solved[:n], solved[n:]


def reduced_terms(
    M: np.ndarray,
    A_c: np.ndarray,
    C_c: np.ndarray,
    d_c: np.ndarray,
    A_i: np.ndarray,
    v: np.ndarray,
    f0: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return w⁰, a and Y = M̃⁻¹ of the reduced interface, w^α = w⁰ + α h (a + Y λ).

    S = A_c M⁻¹A_cᵀ + C_c,   Π = 1 − M⁻¹A_cᵀ S⁻¹A_c,   Y = A_i Π M⁻¹A_iᵀ,   a = A_i Π M⁻¹f_0,
    w⁰ = A_i Π v − A_i M⁻¹A_cᵀ S⁻¹d_c
    """
    inverse = np.linalg.inv(M)
    held = inverse @ A_c.T
    spread = np.linalg.solve(A_c @ held + np.diag(C_c), np.column_stack([A_c, d_c]))
    free = np.eye(len(v)) - held @ spread[:, :-1]
    return (
        A_i @ free @ v - A_i @ held @ spread[:, -1],
        A_i @ free @ inverse @ f0,
        A_i @ free @ inverse @ A_i.T,
    )


@dataclass(frozen=True)
class Scheme:
    """How the two sides step; the words are those of ``WORDS``.

    The course of w is held, goes through the last two or three values, or is that of the reduced interface: with the
    present force, w⁰ + αH (a + Y λ) as printed (``reduced``), or with the force so far, ẇ = a + Y λ (``integrated``).
    ``micro`` is n = H/h. ``balance`` says which displacement the integral of the power side's w is kept equal to, by a
    constant added to the course of the next macro step: that of the rows, Δs (``carried``); Δs − ½H Δw, which sums up
    to the same but for the last ½H w and suits q⁺ = q + H v⁺ (``staggered``); or to nothing (``none``). ``returns`` is
    the part of it that the next course takes.
    """

    order: str
    course: str
    handed: str
    mechanics: str = "semi-implicit-euler"
    power: str = "trapezoidal"
    micro: int = 10
    interface: str = "force-displacement"
    balance: str = "carried"
    returns: float = 1.0

    def __post_init__(self) -> None:
        for name, words in WORDS.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} is {getattr(self, name)!r}, must be one of {', '.join(words)}")
        if self.micro < 1:
            raise ValueError(f"micro is {self.micro}, must be 1 or more micro steps a macro step")


def every_scheme(micro: int, interface: str = "force-displacement", balance: str = "carried") -> Iterator[Scheme]:
    """All 240 combinations of order, course, handed force and the two integrators."""
    names = ("order", "course", "handed", "mechanics", "power")
    for words in itertools.product(*(WORDS[name] for name in names)):
        yield Scheme(*words, micro=micro, interface=interface, balance=balance)


@dataclass(frozen=True)
class Oscillator:
    """A mass on a spring and a damper to the ground, and on a cylinder of one chamber that leaks.

    m q̈ = −k q − c q̇ + λ,    λ = −A p − r w,    ṗ = (β/V) (A w − leak p),    w = q̇
    """

    mass: float
    spring: float = 0.0
    damping: float = 0.0
    area: float = 1.0
    volume: float = 1.0
    bulk: float = 1.0
    leak: float = 0.0  # m³/(s·Pa)
    rubbing: float = 0.0  # r, friction of the cylinder, N·s/m

    @property
    def oil_spring(self) -> float:
        """k_oil = β A²/V [N/m]."""
        return self.bulk * self.area**2 / self.volume

    def rates(self) -> np.ndarray:
        """The matrix of d/dt (q, v, p)."""
        m, stiff = self.mass, self.bulk / self.volume
        return np.array(
            [
                [0.0, 1.0, 0.0],
                [-self.spring / m, -(self.damping + self.rubbing) / m, -self.area / m],
                [0.0, stiff * self.area, -stiff * self.leak],
            ]
        )

    def roots(self) -> np.ndarray:
        """Its eigenvalues [1/s] without the one that is zero where the position or the pressure may rest anywhere."""
        size = np.linalg.norm(self._units()[:, None] ** -1 * self.rates() * self._units(), 2)
        values = np.linalg.eigvals(self.rates())
        return values[np.abs(values) > 1e-12 * size]

    def resting(self) -> np.ndarray | None:
        """A state (q, v, p) other than zero that rests, or None when only zero does."""
        if self.spring == 0.0:
            return np.array([1.0, 0.0, 0.0])
        if self.leak == 0.0:
            return np.array([1.0, 0.0, -self.spring / self.area])
        return None

    def _units(self) -> np.ndarray:
        """Sizes of q, v and p of one motion."""
        omega = np.sqrt((self.spring + self.oil_spring) / self.mass)
        return np.array([1.0, omega, (self.spring + self.oil_spring) / self.area])

    def units(self) -> np.ndarray:
        """Sizes of all states of a macro step of one motion; they make its matrix one without dimensions."""
        length, speed, pressure = self._units()
        return np.array([length, speed, pressure, speed, speed, pressure * self.area, length])


def macro_step(scheme: Scheme, osc: Oscillator, H: float) -> np.ndarray:
    """The matrix of one macro step from (q, v, p, w(t−H), w(t−2H), handed force, carried displacement).

    Every quantity below is a row of coefficients, by which it depends on the state at the start.
    """
    q, v, p, w1, w2, handed, carried = np.eye(STATES)

    # with pressures handed, the mechanics has the friction of the cylinder
    apart = scheme.interface == "force-displacement"
    rubbing = osc.rubbing if apart else 0.0
    damping = osc.damping + osc.rubbing - rubbing

    def advance(lam: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        m, k = osc.mass, osc.spring
        if scheme.mechanics == "semi-implicit-euler":
            end = v + H / m * (-k * q - damping * v + lam)
            return q + H * end, end
        # m (v⁺ − v) = ½H (f + f⁺) + H λ with q⁺ = q + ½H (v + v⁺)
        right = m * v + 0.5 * H * (-k * (2.0 * q + 0.5 * H * v) - damping * v) + H * lam
        end = right / (m + 0.5 * H * damping + 0.25 * H * H * k)
        return q + 0.5 * H * (v + end), end

    def swept(q_end: np.ndarray, v_end: np.ndarray) -> np.ndarray:
        """The displacement that the power side has to see."""
        return q_end - q - (0.5 * H * (v_end - v) if scheme.balance == "staggered" else 0.0)

    if scheme.order == "mechanics-first":
        q_end, v_end = advance(handed)
        known = (w1, v, v_end)
    else:
        known = (w2, w1, v)
    shift = np.zeros(STATES) if scheme.balance == "none" else scheme.returns * carried / H
    looks_back = scheme.course in ("hold", "linear", "quadratic")
    if scheme.order == "mechanics-first" and looks_back and scheme.balance != "none":
        shift = shift + swept(q_end, v_end) / H - _mean_course(scheme, known, v)
    a, Y = (-osc.spring * q - damping * v) / osc.mass, 1.0 / osc.mass

    def speed(alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """w at α as a row, and what the micro states y add to it."""
        if looks_back:
            return _course(scheme, known, v, alpha) + shift, np.zeros(MICRO)
        if scheme.course == "integrated":
            return v + shift + alpha * H * a, np.array([0.0, Y, 0.0])
        # w = w⁰ + α H (a + Y λ) and λ = −A p − r w at the same time, solved for w
        loop = 1.0 + alpha * H * Y * rubbing
        return (v + shift + alpha * H * a) / loop, np.array([-alpha * H * Y * osc.area / loop, 0.0, 0.0])

    def force(alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """λ = −A p − r w in the same way."""
        base, gains = speed(alpha)
        return -rubbing * base, np.array([-osc.area, 0.0, 0.0]) - rubbing * gains

    def rates(alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """ẏ = B + G y of the micro states y = (p, ∫λ dt, ∫w dt)."""
        (w, by_w), (lam, by_lam) = speed(alpha), force(alpha)
        stiff = osc.bulk / osc.volume
        oil = stiff * (osc.area * by_w - np.array([osc.leak, 0.0, 0.0]))
        return np.array([stiff * osc.area * w, lam, w]), np.array([oil, by_lam, by_w])

    y = np.array([p, np.zeros(STATES), np.zeros(STATES)])
    for j in range(scheme.micro):
        y = _micro_step(scheme, H / scheme.micro, j, y, rates)
    base, gains = force(1.0)
    given = base + gains @ y if scheme.handed == "end" else y[1] / H
    p_end, seen = y[0], y[2]

    if scheme.order != "mechanics-first":
        q_end, v_end = advance(given if scheme.order == "power-first" else handed)
    left = np.zeros(STATES) if scheme.balance == "none" else carried + swept(q_end, v_end) - seen
    return np.array([q_end, v_end, p_end, v, w1, given, left])


def _course(scheme: Scheme, known: tuple, w: np.ndarray, alpha: float) -> np.ndarray:
    """w at α from exchanged values: held, or through the last two or three of those known."""
    first, second, third = known
    # α of the polynomial is 0 at the last value known
    x = alpha - 1.0 if scheme.order == "mechanics-first" else alpha
    if scheme.course == "hold":
        return w
    if scheme.course == "linear":
        return third + x * (third - second)
    return third + x * 0.5 * (3.0 * third - 4.0 * second + first) + x * x * 0.5 * (third - 2.0 * second + first)


def _mean_course(scheme: Scheme, known: tuple, w: np.ndarray) -> np.ndarray:
    """∫ w dα from 0 to 1; Simpson's rule is exact for parabolas."""
    ends = _course(scheme, known, w, 0.0) + _course(scheme, known, w, 1.0)
    return (ends + 4.0 * _course(scheme, known, w, 0.5)) / 6.0


def _micro_step(scheme: Scheme, h: float, j: int, y: np.ndarray, rates) -> np.ndarray:
    """One micro step of ẏ = B(α) + G(α) y."""
    start, middle, end = j / scheme.micro, (j + 0.5) / scheme.micro, (j + 1.0) / scheme.micro
    B0, G0 = rates(start)
    if scheme.power == "euler":
        return y + h * (B0 + G0 @ y)
    B1, G1 = rates(end)
    if scheme.power == "lie":
        return np.linalg.solve(np.eye(MICRO) - h * G1, y + h * B1)
    if scheme.power == "trapezoidal":
        return np.linalg.solve(np.eye(MICRO) - 0.5 * h * G1, y + 0.5 * h * (B0 + G0 @ y + B1))
    Bm, Gm = rates(middle)
    k1 = B0 + G0 @ y
    k2 = Bm + Gm @ (y + 0.5 * h * k1)
    k3 = Bm + Gm @ (y + 0.5 * h * k2)
    k4 = B1 + G1 @ (y + h * k3)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


Step = Callable[..., np.ndarray]
"""The matrix of one macro step of a scheme, an oscillator and H."""


def multipliers(scheme, osc: Oscillator, H: float, step: Step = macro_step) -> np.ndarray:
    """Eigenvalues of one macro step without the neutral one; ``step`` gives its matrix.

    A machine that rests at more than one place has an eigenvalue of exactly 1 that says nothing of stability. Its
    vector is known, so that it is taken out whole: in a basis that begins with it, the matrix is block triangular.
    """
    units = osc.units()
    matrix = step(scheme, osc, H) * units / units[:, None]
    rest = osc.resting()
    if rest is None:
        return np.linalg.eigvals(matrix)
    q, v, p = rest
    vector = np.array([q, v, p, 0.0, 0.0, -osc.area * p, 0.0]) / units
    vector /= np.linalg.norm(vector)
    if np.abs(matrix @ vector - vector).max() > 1e-11 * max(1.0, np.abs(matrix).max()):
        raise ArithmeticError(f"{scheme} does not keep a machine at rest that is at rest")
    basis = np.linalg.qr(np.column_stack([vector, np.eye(STATES)[:, np.arange(STATES)]]))[0]
    return np.linalg.eigvals((basis.T @ matrix @ basis)[1:, 1:])


def radius(scheme, osc: Oscillator, H: float, step: Step = macro_step) -> float:
    """Spectral radius of one macro step, the neutral eigenvalue left out; inf where it is beyond all numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(step(scheme, osc, H)).all():
            return float("inf")
        return float(np.abs(multipliers(scheme, osc, H, step)).max())


@dataclass(frozen=True)
class Limit:
    """What ``limit`` found: the first stable window ends at ``step`` [s]; inf where all steps tried are stable.

    ``windows`` are all stable intervals of H. ``never`` says that the radius exceeds 1 at every H, however small,
    which happens to schemes without damping of their own on a machine without damping; ``step`` is then 0.
    """

    step: float
    windows: tuple[tuple[float, float], ...]
    never: bool

    @property
    def several(self) -> bool:
        """Whether there are stable steps beyond an unstable one."""
        return len(self.windows) > 1


def limit(scheme, osc: Oscillator, ratio: float = 1.02, beyond: float = 100.0, step: Step = macro_step) -> Limit:
    """The largest H up to which every step is stable, by a scan in steps of ``ratio`` and bisection.

    The scan goes from 1e-6 of the fastest time constant 1/|μ| to ``beyond`` times the slowest; a window narrower than
    ``ratio`` can be missed. A radius grows as 1 + c Hᵖ where damping is absent, and is below 1 + 1e-9 at small H
    whatever the sign of c. The sign is therefore read at |μ|H of 0.02 to 0.08.
    """
    size = np.abs(osc.roots())
    slow, fast = float(size.min()), float(size.max())
    undamped = bool((osc.roots().real > -1e-12 * fast).any())
    excess = [radius(scheme, osc, x / fast, step) - 1.0 for x in (0.02, 0.04, 0.08)] if undamped else [-1.0] * 3
    never = excess[0] > 1e-12 and excess[1] > 2.0 * excess[0] and excess[2] > 2.0 * excess[1]

    def stable(H: float) -> bool:
        return radius(scheme, osc, H, step) <= 1.0 + TOLERANCE

    def edge(low: float, high: float) -> float:
        """Where stability changes between two steps."""
        at_low = stable(low)
        for _ in range(60):
            middle = np.sqrt(low * high)
            low, high = (middle, high) if stable(middle) == at_low else (low, middle)
        return float(low if at_low else high)

    coarse = np.geomspace(1e-6 / fast, 1e-2 / fast, 60)
    fine = np.geomspace(1e-2 / fast, beyond / slow, int(np.log(1e2 * beyond * fast / slow) / np.log(ratio)) + 2)
    steps = [float(H) for H in np.concatenate([coarse, fine[1:]])]
    if never:  # what is below the tolerance at small H is growth all the same
        steps = [H for H in steps if fast * H > 0.02]
    flags = [stable(H) for H in steps]

    windows, opened = [], 0.0 if flags[0] and not never else None
    for (low, was), (high, now) in itertools.pairwise(zip(steps, flags, strict=True)):
        if was and not now and opened is not None:
            windows.append((opened, edge(low, high)))
            opened = None
        elif now and not was:
            opened = edge(low, high)
    if opened is not None:
        windows.append((opened, float("inf")))
    first = windows[0][1] if windows and windows[0][0] == 0.0 else 0.0
    return Limit(first, tuple(windows), never)
