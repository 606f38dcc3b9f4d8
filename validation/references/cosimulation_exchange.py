# SPDX-License-Identifier: BSD-3-Clause
"""One exchange of a linear machine as the package's scheme has it, as a matrix, by hand and without the package.

The machine is the ``Oscillator`` of ``cosimulation.py``, and so are states, limits and radii. What differs from the
schemes there, which solve the course together with the oil, at every evaluation of its rule:

- Rates are taken at the ends of micro steps of h and are straight lines between, w_k → w_k+1. Euler's rule has w_k, the
  linearly implicit one w_k+1, the other two the line; what they see is what the power side's own value grows by.
- ``reduced``: (w_k+1 − w_k)/h = a + Y λ̂, λ̂ = −A (3 p_k − p_k−1)/2 − r (w_k + w_k+1)/2. The first micro step is made
  twice, at first with p_−1 = p_0, then with p_−1 = 2 p_0 − p_1, so that λ̂ has the mean of both ends.
- ``published``: w_k+1 = w⁰ + α H (a + Y λ̂), λ̂ = −A p_k − r w_k+1.
- The mean force is Σ h λ̂/H of the reduced course, else that of the forces at both ends of micro steps.
- Reduced, mean, power first: q⁺ has in addition Y ∫ (H/2 − t) λ̂ dt.
- The course has a part of the displacement that is carried, ``returns``, and not all of it. Mechanics first, it is a
  straight line from w to w⁺, shifted so that nothing is carried.
- The mechanics may be linearly implicit (``lie``): then a and Y are those of its matrix.

Compared with the package in ``validation/analytic/test_cosimulation.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from references.cosimulation import STATES, Limit, Oscillator, limit, radius

COURSES = {"hold": (0.0, 0.0), "linear": (1.0, 0.0), "quadratic": (1.0, 1.0)}
"""Weights of the first and the second difference."""


@dataclass(frozen=True)
class Exchange:
    """Words of the package."""

    order: str
    course: str
    handed: str
    variables: str = "force-displacement"
    mechanics: str = "semi-implicit-euler"
    power: str = "rk4"
    micro: int = 10
    returns: float = 0.1

    def limit(self, osc: Oscillator) -> Limit:
        """The largest stable H."""
        return limit(self, osc, step=exchange_step)

    def radius(self, osc: Oscillator, H: float) -> float:
        """Spectral radius of a step of H."""
        return radius(self, osc, H, exchange_step)


class Mechanics:
    """One step of H of the mass on its own spring and damper."""

    def __init__(self, exchange: Exchange, osc: Oscillator, H: float, friction: float) -> None:
        self.rule, self.H, self.mass, self.spring = exchange.mechanics, H, osc.mass, osc.spring
        self.damping = osc.damping + friction
        self.q, self.v = np.eye(STATES)[:2]
        inertia, own = osc.mass, -osc.spring * self.q - self.damping * self.v
        if self.rule == "lie":
            inertia += H * self.damping + H * H * self.spring
            own = own - H * self.spring * self.v
        self.a, self.Y = own / inertia, 1.0 / inertia

    def step(self, lam: np.ndarray, way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q⁺ and v⁺ with a constant force, q⁺ further by ``way``."""
        H, q, v = self.H, self.q + way, self.v
        if self.rule != "trapezoidal":
            end = v + H * (self.a + self.Y * lam)
            return q + H * end, end
        # m (v⁺ − v) = ½H (f + f⁺) + H λ with q⁺ = q + way + ½H (v + v⁺)
        forces = -self.spring * (self.q + q + 0.5 * H * v) - self.damping * v
        left = self.mass + 0.5 * H * self.damping + 0.25 * H * H * self.spring
        end = (self.mass * v + 0.5 * H * forces + H * lam) / left
        return q + 0.5 * H * (v + end), end


def exchange_step(exchange: Exchange, osc: Oscillator, H: float) -> np.ndarray:
    """The matrix of one exchange from (q, v, p, w(t−H), w(t−2H), handed force, carried displacement)."""
    q, v, p, w1, w2, handed, carried = np.eye(STATES)
    by_force = exchange.variables == "force-displacement"
    friction = osc.rubbing if by_force else 0.0
    mechanics = Mechanics(exchange, osc, H, osc.rubbing - friction)
    late = 0.0 if exchange.mechanics == "trapezoidal" else 0.5 * H
    before = q - late * v - carried  # what the power side has reached

    first = exchange.order == "mechanics-first"
    if first:
        q_end, v_end = mechanics.step(handed, 0.0 * q)
        wanted = (q_end - late * v_end - before) / H
        known = (wanted - 0.5 * (v_end - v), v_end - v, 0.0 * v)
    elif exchange.course in COURSES:
        one, two = COURSES[exchange.course]
        slope, bend = one * (v - w1), two * 0.5 * (v - 2.0 * w1 + w2)
        known = (v + exchange.returns * carried / H, slope + bend, bend)
    else:
        known = (v + exchange.returns * carried / H, 0.0 * v, 0.0 * v)
    p, mean, lean, seen, last = power_side(exchange, osc, H, p, friction, known, mechanics)

    given = mean if exchange.handed == "mean" else last
    if not first:
        leaning = exchange.course == "reduced" and exchange.handed == "mean" and exchange.order == "power-first"
        way = mechanics.Y * lean if leaning else 0.0 * q
        q_end, v_end = mechanics.step(given if exchange.order == "power-first" else handed, way)
    return np.array([q_end, v_end, p, v, w1, given, q_end - late * v_end - before - seen])


def power_side(exchange: Exchange, osc: Oscillator, H: float, p, friction: float, known, mechanics: Mechanics):
    """Return p⁺, the mean force, ∫ (H/2 − t) λ̂ dt, ∫ w dt and the last force."""
    h, area, r = H / exchange.micro, osc.area, friction
    w, p_before = known[0], p
    mean, lean, seen = np.zeros(STATES), np.zeros(STATES), np.zeros(STATES)
    a, Y = mechanics.a, mechanics.Y

    def reduced(w, p, p_before):
        """The rate after a micro step, and what drove it there."""
        oil = -0.5 * area * (3.0 * p - p_before)
        after = ((1.0 - 0.5 * h * Y * r) * w + h * (a + Y * oil)) / (1.0 + 0.5 * h * Y * r)
        return after, oil - 0.5 * r * (w + after)

    if exchange.course == "reduced":
        after, _ = reduced(w, p, p)
        p_before = 2.0 * p - oil_step(exchange.power, osc, h, p, *seen_by(exchange.power, w, after))
    for k in range(exchange.micro):
        alpha = (k + 1) / exchange.micro
        if exchange.course == "reduced":
            after, drive = reduced(w, p, p_before)
            mean, lean = mean + h / H * drive, lean + h * (0.5 * H - (k + 0.5) * h) * drive
        elif exchange.course == "published":
            part = alpha * H
            after = (known[0] + part * (a - Y * area * p)) / (1.0 + part * Y * r)
        else:
            after = known[0] + alpha * (known[1] + alpha * known[2])
        ends = seen_by(exchange.power, w, after)
        p_before, p = p, oil_step(exchange.power, osc, h, p, *ends)
        seen = seen + 0.5 * h * (ends[0] + ends[1])
        if exchange.course != "reduced":
            mean = mean - 0.5 * h / H * (area * (p_before + p) + r * (w + after))
        w = after
    return p, mean, lean, seen, -area * p - r * w


def seen_by(rule: str, w, after):
    """Rates at both ends of a micro step as a rule takes them."""
    return {"euler": (w, w), "lie": (after, after)}.get(rule, (w, after))


def oil_step(rule: str, osc: Oscillator, h: float, p, w, w_end):
    """ṗ = β/V (A w − leak p) over h, w a straight line."""
    gain, decay = osc.bulk / osc.volume * osc.area, osc.bulk / osc.volume * osc.leak
    if rule == "euler":
        return p + h * (gain * w - decay * p)
    if rule == "lie":
        return (p + h * gain * w_end) / (1.0 + h * decay)
    if rule == "trapezoidal":
        return ((1.0 - 0.5 * h * decay) * p + 0.5 * h * gain * (w + w_end)) / (1.0 + 0.5 * h * decay)
    middle = 0.5 * (w + w_end)
    k1 = gain * w - decay * p
    k2 = gain * middle - decay * (p + 0.5 * h * k1)
    k3 = gain * middle - decay * (p + 0.5 * h * k2)
    k4 = gain * w_end - decay * (p + h * k3)
    return p + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def every_exchange(**words) -> Iterator[Exchange]:
    """All ways to exchange with all integrators: 528."""
    ways = [
        *itertools.product(
            ("power-first", "jacobi"), ("reduced", "published", *COURSES), ("mean", "end"),
        ),
        *itertools.product(("mechanics-first",), ("interpolated",), ("mean", "end")),
    ]  # fmt: skip
    rest = itertools.product(
        ("force-displacement", "pressure-displacement"),
        ("trapezoidal", "lie", "semi-implicit-euler"), ("trapezoidal", "rk4", "euler", "lie"),
    )  # fmt: skip
    for way, other in itertools.product(ways, rest):
        yield Exchange(*way, *other, **words)
