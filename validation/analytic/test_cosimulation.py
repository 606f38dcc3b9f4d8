# SPDX-License-Identifier: BSD-3-Clause
"""Coupling `cosimulated` on linear and small machines: limits of the step, balance of oil, the arm of two links.

Rank on the ladder: closed form and second formulation. A mass on a spring and on a cylinder with closed chambers is
linear for small motion, so that an exchange is a matrix; it is made a second time in plain NumPy, scheme by scheme
(``references/cosimulation_exchange.py``). The package's own matrix is measured by differences of its steps. Both must
agree to 1e-7, and the largest stable step must be where the spectral radius is 1, to 2 %.

Damping is light: 0.7 % of critical by the cylinder's friction, 0.3 % by the spring's. ω is 106 rad/s.
"""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import peiret_arm as reference
from knuckleboom.engine.course import RETURNS
from knuckleboom.errors import SimulationError
from references.cosimulation import STATES, Oscillator
from references.cosimulation_exchange import Exchange, every_exchange, exchange_step

MASS, SPRING, DAMPING, FRICTION = 100.0, 5e4, 60.0, 150.0  # kg, N/m, N·s/m, N·s/m
BORE, VOLUME, BULK, REST = 0.05, 1e-2, 1.4e9, 50e5  # m, m³ of each chamber, Pa, Pa
AREA = 0.25 * math.pi * BORE**2
# both chambers act together: as one of half the volume
OSC = Oscillator(MASS, SPRING, DAMPING, AREA, 0.5 * VOLUME, BULK, rubbing=FRICTION)
LONGEST = 0.05  # s: where no limit is found
SOME = [
    Exchange(*words, mechanics=mechanics, power=power, returns=RETURNS)
    for words, mechanics, power in (
        (("power-first", "reduced", "mean"), "trapezoidal", "trapezoidal"),
        (("power-first", "reduced", "mean"), "lie", "rk4"),
        (("power-first", "published", "mean"), "semi-implicit-euler", "euler"),
        (("power-first", "hold", "end"), "semi-implicit-euler", "rk4"),
        (("power-first", "linear", "mean", "pressure-displacement"), "trapezoidal", "lie"),
        (("power-first", "quadratic", "end"), "lie", "trapezoidal"),
        (("jacobi", "hold", "end"), "semi-implicit-euler", "euler"),
        (("jacobi", "reduced", "mean", "pressure-displacement"), "trapezoidal", "rk4"),
        (("mechanics-first", "interpolated", "end"), "semi-implicit-euler", "rk4"),
        (("mechanics-first", "interpolated", "mean", "pressure-displacement"), "lie", "lie"),
    )
]


def name_of(exchange):
    return " ".join(str(word) for word in vars(exchange).values())


def oscillator():
    """The mass at rest on its slide, without gravity."""
    m = kb.Machine("oscillator", gravity=(0, 0, 0))
    block = m.body("block", mass=MASS, com=(0, 0, 0), inertia=(1, 1, 1))
    m.prismatic("slide", m.ground, block, axis="x")
    m.spring("spring", m.ground.at(-1, 0, 0), block.at(0, 0, 0), stiffness=SPRING, damping=DAMPING, rest=1.0)
    dead = VOLUME - 0.2 * AREA
    m.cylinder("ram", m.ground.at(-1, 0, 0), block.at(0, 0, 0), bore=BORE, rod=0.0, stroke=0.4, closed=0.8,
               oil=m.oil(kb.fluids.constant(bulk=BULK)), dead_a=dead, dead_b=dead, viscous=FRICTION,
               pressure_a=REST, pressure_b=REST)  # fmt: skip
    return m


@pytest.fixture(scope="module")
def machine():
    return oscillator()


def simulation(machine, exchange, H):
    """The package's run of a scheme."""
    return kb.Simulation(
        machine, step=H, coupling="cosimulated", order=exchange.order, course=exchange.course, handed=exchange.handed,
        variables=exchange.variables, integrator=exchange.mechanics, power_integrator=exchange.power,
        power_step=H / exchange.micro,
    )  # fmt: skip


class Measured:
    """The matrix of one exchange of the package, in the states of ``exchange_step`` and their units."""

    def __init__(self, machine, exchange, H):
        self.sim, self.H = simulation(machine, exchange, H), H
        self.late = 0.0 if exchange.mechanics == "trapezoidal" else 0.5 * H
        self.sim.step()
        self.state = self.sim.planned.work.state
        self.rest, self.strain = self.state.whole.copy(), REST / BULK

    def put(self, z):
        """Set q, v, p, both rates before, the force handed last, what is carried."""
        state, H = self.state, self.H
        state.whole[:] = self.rest
        state.q[0], state.v[0] = z[:2]
        state.x[:] = self.strain + 0.5 * z[2] / BULK * np.array([-1.0, 1.0])
        state.exchange[:] = [1.0 + z[0] - self.late * z[1] - z[6], *z[3:6], H, H, 0.0, 0.0]

    def get(self):
        state = self.state
        q, v, (a, b) = state.q[0], state.v[0], state.x
        reached, *rates, force = state.exchange[:4]
        return np.array([q, v, BULK * (b - a), *rates, force, 1.0 + q - self.late * v - reached])

    def matrix(self, small=1e-5):
        """By central differences of a small part of each unit: what is not linear cancels."""
        units, columns = OSC.units(), []
        for unit in small * np.diag(units):
            ends = []
            for side in (unit, -unit):
                self.put(side)
                self.sim.step()
                ends.append(self.get())
            columns.append((ends[0] - ends[1]) / (2.0 * small * units))
        return np.array(columns).T


def measured_radius(matrix):
    """Spectral radius without the eigenvalue of 1 of a machine that rests anywhere: λ of the spring against tight oil,
    whose vector is known."""
    q, v, p = OSC.resting()
    vector = np.array([q, v, p, 0.0, 0.0, -OSC.area * p, 0.0]) / OSC.units()
    basis = np.linalg.qr(np.column_stack([vector, np.eye(STATES)]))[0]
    return float(np.abs(np.linalg.eigvals((basis.T @ matrix @ basis)[1:, 1:])).max())


def check_limit(machine, exchange):
    """Both matrices agree just inside and just outside of the limit, and so does the measured radius."""
    limit = exchange.limit(OSC).step
    assert limit > 1e-5
    for H in (min(0.98 * limit, LONGEST), min(1.02 * limit, LONGEST)):
        matrix, units = Measured(machine, exchange, H).matrix(), OSC.units()
        exact = exchange_step(exchange, OSC, H) * units / units[:, None]
        assert matrix == pytest.approx(exact, abs=1e-7 * max(1.0, np.abs(exact).max())), H
        assert (measured_radius(matrix) <= 1.0 + 1e-8) == (limit > H), H


@pytest.mark.parametrize("exchange", SOME, ids=name_of)
def test_largest_stable_step(exchange, machine):
    check_limit(machine, exchange)


@pytest.mark.slow
@pytest.mark.parametrize("mechanics", ["trapezoidal", "lie", "semi-implicit-euler"])
@pytest.mark.parametrize("power", ["trapezoidal", "rk4", "euler", "lie"])
def test_largest_stable_step_of_all(mechanics, power, machine):
    """All 44 ways to exchange with every pair of integrators."""
    chosen = [one for one in every_exchange(returns=RETURNS) if (one.mechanics, one.power) == (mechanics, power)]
    assert len(chosen) == 44
    for exchange in chosen:
        check_limit(machine, exchange)


@pytest.mark.parametrize("exchange", SOME, ids=name_of)
def test_runs_decay_below_the_limit_and_grow_above(exchange, machine):
    """Runs of up to 10000 exchanges from a displaced mass, until the radius makes a factor of 20 in its speed."""
    limit = exchange.limit(OSC).step
    assert limit < LONGEST
    for H in (0.98 * limit, 1.02 * limit):
        run, period = Measured(machine, exchange, H), math.ceil(2.0 * math.pi / (106.0 * H))
        run.put(1e-9 * OSC.units()[0] * np.eye(STATES)[0])
        first = largest_speed(run, period)
        run.sim.step(n=min(int(3.0 / abs(math.log(exchange.radius(OSC, H)))) + period, 10000))
        assert (largest_speed(run, period) < first) == (limit > H), H


def largest_speed(run, count):
    """Over the next exchanges."""
    speeds = []
    for _ in range(count):
        run.sim.step()
        speeds.append(abs(run.state.v[0]))
    return max(speeds)


def test_reduced_model_is_limited_by_forces_that_it_holds(machine):
    """With 200 small steps it is stable at 70 times 1/ω; with the spring to the ground, of 1/20 of the oil's stiffness,
    which it holds over the step, not at 2.5 times.
    """
    free = Oscillator(MASS, 0.0, DAMPING, AREA, 0.5 * VOLUME, BULK, rubbing=FRICTION)
    exchange = Exchange("power-first", "reduced", "mean", micro=200, returns=RETURNS)
    omega = math.sqrt(free.oil_spring / MASS)
    for times in (1.0, 2.2, 2.5, 10.0, 30.0, 70.0):
        assert exchange.radius(free, times / omega) < 1.0
    omega = math.sqrt((OSC.oil_spring + SPRING) / MASS)
    for times, stable in ((1.0, True), (2.2, True), (2.5, False)):
        assert (measured_radius(Measured(machine, exchange, times / omega).matrix()) < 1.0) == stable


@pytest.mark.parametrize("power", ["trapezoidal", "rk4"])
@pytest.mark.parametrize("zeta", [1e-3, 3e-3, 1e-2])
def test_small_steps_of_the_reduced_model_are_limited_by_friction(power, zeta):
    """A mass on closed chambers: by Taylor, a force extrapolated to the middle takes ζ = (ω h)³/8 of damping."""
    free = Oscillator(MASS, 0.0, 0.0, AREA, 0.5 * VOLUME, BULK)
    omega = math.sqrt(free.oil_spring / MASS)
    free = replace(free, rubbing=2.0 * zeta * MASS * omega)
    exchange = Exchange("power-first", "reduced", "mean", power=power, micro=100, returns=RETURNS)
    assert omega * exchange.limit(free).step / exchange.micro == pytest.approx(2.0 * zeta ** (1.0 / 3.0), rel=0.02)


# --- balance of oil ---

TIGHT, HUGE, CLOSED, STROKE, PISTON = 2e14, 5e4, 0.3, 0.442, 0.25 * math.pi * 0.091**2
"""Pa, m³, m, m, m²: some 340 kN/m with strains below 1e-7, so that every rule integrates them exactly."""


def swinging():
    """A boom on closed chambers of a cylinder, whose lever changes, and a pendulum at its tip that keeps it moving."""
    m = kb.Machine("swinging")
    boom = m.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    m.revolute("foot", m.ground, boom, axis="y", start="-30 deg", speed="0.5 rad/s")
    bob = m.body("bob", mass=60.0, com=(0, 0, -0.5), inertia=(1, 1, 1))
    m.revolute("swing", boom.at(1.0, 0, 0), bob, axis="y", start="80 deg")
    m.cylinder("lift", m.ground.at(0.87, 0, 0), boom.at(0.5, 0, 0), bore="91 mm", rod="0 mm", closed=CLOSED,
               stroke=STROKE, oil=m.oil(kb.fluids.constant(bulk=TIGHT)), viscous="2 kN s/m", dead_a=HUGE, dead_b=HUGE,
               pressure_a="23 bar", pressure_b="10 bar")  # fmt: skip
    return m


BALANCED = [
    *itertools.product([{}, {"course": "hold", "handed": "end"}], ["trapezoidal", "lie", "semi-implicit-euler"],
                       ["trapezoidal", "rk4", "euler", "lie"]),
    ({"order": "mechanics-first"}, "trapezoidal", "euler"),
    ({"course": "quadratic"}, "semi-implicit-euler", "rk4"),
    ({"course": "published", "variables": "pressure-displacement"}, "trapezoidal", "lie"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "integrator", "power"), BALANCED, ids=str)
def test_oil_balance_of_ten_seconds_that_end_in_motion(words, integrator, power):
    """A Δs = ∫ A w, w as the oil saw it: its chambers are closed, so that their strains tell the volume that it lost.

    To 1e-9 of the volume that the piston swept, forth and back, with what is known to be on its way: half a step of the
    rate where q⁺ = q + H v⁺, and what the sides are apart, of which each exchange takes back a tenth. That does not
    grow.
    """
    H = 2e-3
    sim = kb.Simulation(swinging(), step=H, coupling="cosimulated", integrator=integrator, power_integrator=power,
                        power_step=2.5e-4, **words)  # fmt: skip
    late = 0.0 if integrator == "trapezoidal" else 0.5 * H
    state, first = sim.planned.work.state, sim["lift.length"]
    strains, volumes = state.x.copy(), HUGE + PISTON * np.array([first - CLOSED, STROKE - first + CLOSED])

    travel, fastest, apart, last = 0.0, 0.0, [], first
    for _ in range(5000):
        sim.step()
        fastest = max(fastest, abs(sim["lift.speed"]))
        travel, last = travel + abs(sim["lift.length"] - last), sim["lift.length"]
        apart.append(last - late * sim["lift.speed"] - state.exchange[0])
    on_its_way = late * sim["lift.speed"] + apart[-1]
    lost = volumes * np.expm1(strains - state.x)

    assert sim.time == pytest.approx(10.0)
    assert travel > 0.05 and abs(sim["lift.speed"]) > 1e-4
    assert lost == pytest.approx(PISTON * (last - first - on_its_way) * np.array([1, -1]), abs=1e-9 * PISTON * travel)
    most = [float(np.abs(part).max()) for part in np.split(np.array(apart), 2)]
    assert most[1] < most[0] < H * fastest


# --- the arm of two links ---


def arm(**words):
    """The arm, lightly damped, and root mean squares of errors of its angles (rad) and pressures (bar)."""
    exact = reference.solve()
    run = kb.simulate(kb.catalogue.machine("peiret-arm"), case="free", record="10 ms", coupling="cosimulated", **words)
    angles = [run["pin.angle"].values - exact["theta1"],
              run["pin.angle"].values + run["hinge.angle"].values - exact["theta2"]]  # fmt: skip
    paths = {"lift.a": "p1a", "lift.b": "p1b", "fold.a": "p2a", "fold.b": "p2b"}
    chambers = [1e-5 * (run[f"{path}.pressure"].values - exact[name]) for path, name in paths.items()]
    return tuple(float(np.sqrt(np.mean(np.square(off)))) for off in (angles, chambers))


@pytest.mark.parametrize(
    ("words", "rad", "bar"),
    [
        ({}, 1e-5, 0.1),
        ({"integrator": "semi-implicit-euler"}, 1.5e-3, 0.1),
        ({"integrator": "lie", "power_integrator": "rk4"}, 1.5e-3, 0.1),
        ({"variables": "pressure-displacement"}, 5e-5, 0.6),
    ],
    ids=str,
)
def test_reduced_is_stable_at_ten_milliseconds(words, rad, bar):
    """Issue and NONSMOOTH ask for 3e-3 rad and 1 bar; against Radau (``bench/references/peiret_arm.py``)."""
    angle, pressure = arm(step="10 ms", **words)
    assert angle < rad <= 3e-3 and pressure < bar <= 1.0


@pytest.mark.parametrize("handed", ["mean", "end"])
def test_held_rates_are_not(handed):
    with pytest.raises(SimulationError, match="Simulation stopped at t = 0"):
        arm(step="10 ms", course="hold", handed=handed)


def test_errors_fall_with_the_exchange():
    """Down to those of the oil's steps of 0.1 ms: what each exchange begins with must not add up."""
    errors = [arm(step=step) for step in ("5 ms", "1 ms", "0.5 ms")]
    for angle, pressure in errors:
        assert angle < 2e-6 and pressure < 0.02


@pytest.mark.parametrize("damping", [0.0, 1e5])
def test_reduced_does_not_live_on_damping(damping):
    """Without any damping 10 and 50 ms are as good as with much."""
    m = kb.catalogue.machine("peiret-arm")
    for ram in ("lift", "fold"):
        m[ram].viscous = damping
    words = {"inputs": m.cases["free"].inputs, "record": "50 ms"}
    exact = kb.simulate(m, "3 s", step="0.1 ms", coupling="unified", **words)
    for step in ("10 ms", "50 ms"):
        run = kb.simulate(m, "3 s", step=step, coupling="cosimulated", **words)
        assert float(np.abs(run["hinge.angle"].values - exact["hinge.angle"].values).max()) < 2e-3
