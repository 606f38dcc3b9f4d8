# SPDX-License-Identifier: BSD-3-Clause
"""Co-simulation: every scheme converges to the coupled machine, no oil is lost, and a run can be cut anywhere.

Converged: `explicit` RK4 at 0.05 ms. Orders are those of the exchange: 1 where forces or rates are held, 2 for the
reduced model with trapezoids. Oil: what pistons swept by the rates that the power side saw is what they moved, but for
what is still to be returned; from rest to rest that is nothing.
"""

import itertools

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.engine.course import RETURNS
from knuckleboom.methods import COSIMULATED, TABLE
from knuckleboom.plan.exchange import RATES

DURATION = 0.4  # s
EXACT = {"step": "0.05 ms", "record": "10 ms", "coupling": "explicit"}
SCHEMES = [
    dict(zip(("order", "course", "handed", "variables"), words, strict=True))
    for row in TABLE
    if row.coupling == COSIMULATED.coupling
    for words in itertools.product(row.order, row.course, row.handed, row.variables)
]


def lifted(viscous="100 kN s/m"):
    """A loaded boom on a cylinder with a valve, a spring of the mechanics' own and a rod that closes a loop; damped so
    much that every scheme is stable at the steps used here.
    """
    m = kb.Machine("lifted")
    boom = m.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    crank = m.body("crank", mass=20.0, com=(0.2, 0, 0), inertia=(0.05, 0.3, 0.3))
    m.revolute("foot", m.ground, boom, axis="y", start="-30 deg")
    m.revolute("pivot", m.ground.at(1.6, 0, 0), crank, axis="y", start="-80 deg")
    m.rod("rod", boom.at(1.0, 0, 0), crank.at(0.4, 0, 0))
    m.spring("spring", m.ground.at(0.3, 0, 1.5), boom.at(0.8, 0, 0), stiffness="4 kN/m", damping="100 N s/m")
    oil = m.oil(kb.fluids.naya())
    lift = m.cylinder("lift", m.ground.at(0.87, 0, 0), boom.at(0.5, 0, 0), bore="91 mm", rod="0 mm", stroke="442 mm",
                      viscous=viscous, oil=oil, pressure_a="13 bar", pressure_b="10 bar")  # fmt: skip
    pump, tank = oil.pressure("pump", "76 bar"), oil.tank("tank")
    oil.valve_4_3("spool", P=pump, T=tank, A=lift.a, B=lift.b, flow=("60 l/min", "35 bar"))
    return m


MOVES = {"spool": kb.ramps({0: 0.0, 0.05: 0.0, 0.1: 0.2})}


def run(step, machine=None, **words):
    given = {"record": "10 ms", "coupling": "cosimulated", "power_step": "0.05 ms", **words}
    return kb.simulate(machine or lifted(), DURATION, inputs=MOVES, step=step, **given)


def error(one, exact):
    """Largest difference of the angle, rad."""
    return float(np.abs(one["foot.angle"].values - exact["foot.angle"].values).max())


@pytest.fixture(scope="module")
def exact():
    return run(**EXACT, power_step=None)


@pytest.mark.parametrize("words", SCHEMES, ids=lambda words: " ".join(words.values()))
def test_every_scheme_converges(words, exact):
    far, near = (error(run(step, **words), exact) for step in ("0.4 ms", "0.1 ms"))

    assert near < 1e-4
    assert near < 0.5 * far or far < 1e-5


@pytest.mark.parametrize("integrator", COSIMULATED.integrator)
@pytest.mark.parametrize("power", COSIMULATED.power_integrator)
def test_every_pair_of_integrators_converges(integrator, power, exact):
    assert error(run("0.5 ms", integrator=integrator, power_integrator=power), exact) < 3e-4


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", COSIMULATED.coordinates)
@pytest.mark.parametrize("enforcement", COSIMULATED.enforcement)
def test_every_set_of_coordinates_gives_the_same(coordinates, enforcement, exact):
    assert error(run("1 ms", coordinates=coordinates, enforcement=enforcement), exact) < 1e-4


@pytest.mark.parametrize(("integrator", "order"), [("trapezoidal", 2.0), ("lie", 1.0), ("semi-implicit-euler", 1.0)])
def test_order_of_the_reduced_model_is_at_least_that_of_the_mechanics(integrator, order, exact):
    # the oil's own error is that of the step of the oil
    fine = run("0.1 ms", integrator="trapezoidal", power_integrator="rk4", power_step="0.0125 ms")
    assert error(fine, exact) < 1e-6
    words = {"integrator": integrator, "power_integrator": "rk4", "power_step": "0.0125 ms"}
    far, near = (error(run(step, **words), fine) for step in ("5 ms", "2.5 ms"))

    assert np.log2(far / near) > order - 0.3


def to_rest(**words):
    """A run of 10 s from rest to rest, and how far its piston came."""
    machine = lifted()
    moves = {"spool": kb.ramps({0: 0.0, 0.5: 0.0, 1.0: 0.3, 1.5: 0.3, 2.0: 0.0})}
    sim = kb.Simulation(machine, inputs=moves, step="0.5 ms", start="equilibrium", coupling="cosimulated", **words)
    begins = sim["lift.length"]
    sim.run_for("10 s")
    return sim, sim["lift.length"] - begins


@pytest.mark.slow
@pytest.mark.parametrize("words", SCHEMES[::2], ids=lambda words: " ".join(words.values()))
@pytest.mark.parametrize("integrator", COSIMULATED.integrator)
def test_no_oil_is_lost_from_rest_to_rest(words, integrator):
    sim, swept = to_rest(integrator=integrator, **words)
    reached = sim.planned.work.state.exchange[0]  # what the rates that the oil saw add up to
    # it creeps at less than 1 µm/s, as the valve leaks: half a step of that is what rates are older than values
    late = 0.0 if integrator == "trapezoidal" else 0.5 * 5e-4 * sim["lift.speed"]

    assert abs(swept) > 0.02 and abs(sim["lift.speed"]) < 1e-6  # m, m/s
    assert abs(reached - sim["lift.length"] + late) < 1e-9 * abs(swept)


@pytest.mark.parametrize("words", [{}, {"course": "linear"}, {"order": "mechanics-first"}], ids=str)
def test_what_the_oil_is_short_of_returns_in_every_exchange(words):
    """The value that the power side reaches is its own, plus its course: a part of the difference, no more."""
    words = {"integrator": "trapezoidal", "coupling": "cosimulated", **words}
    sim = kb.Simulation(lifted(), inputs=MOVES, step="0.5 ms", **words)
    sim.run_for("0.2 s")
    exchange, course = sim.planned.work.state.exchange, sim.planned.work.course
    before, apart = exchange[0], sim["lift.length"] - exchange[0]
    sim.step()
    plain = 5e-4 * float(np.mean([course.w[0], sim["lift.speed"]]))

    if words.get("order"):
        assert exchange[0] == pytest.approx(sim["lift.length"], abs=1e-15)
    else:
        assert exchange[0] - before == pytest.approx(plain + RETURNS * apart, abs=2e-3 * abs(plain))


def test_energy_of_exchanges_adds_up_and_vanishes_with_the_step():
    far, near = (run(step, integrator="semi-implicit-euler") for step in ("2 ms", "0.5 ms"))
    each, all_of_them = near["energy.exchange"].values, near["energy.exchanged"].values

    assert each[0] == all_of_them[0] == 0.0
    every = kb.simulate(lifted(), "40 ms", inputs=MOVES, step="1 ms", record="1 ms", coupling="cosimulated")
    np.testing.assert_allclose(
        every["energy.exchanged"].values, np.cumsum(every["energy.exchange"].values), atol=1e-12
    )
    assert abs(all_of_them[-1]) < 0.3 * abs(far["energy.exchanged"].values[-1])
    assert near.energy().relative_residual < 1e-3


@pytest.mark.parametrize(
    "words", [{}, {"order": "jacobi", "course": "quadratic"}, {"order": "mechanics-first"}], ids=str
)
def test_blocks_and_snapshots_do_not_change_a_bit(words):
    def made():
        return kb.Simulation(lifted(), inputs=MOVES, step="0.5 ms", coupling="cosimulated", **words)

    whole, cut = made(), made()
    whole.run_for("0.1 s")
    cut.step(n=80)
    kept = cut.snapshot()
    cut.run_for("0.04 s")
    cut.restore(kept)
    cut.run_for("0.06 s")

    np.testing.assert_array_equal(cut.planned.work.state.whole, whole.planned.work.state.whole)
    assert len(whole.planned.work.state.exchange) == RATES * (1 + 1)


def test_a_step_that_ends_at_a_jump_is_an_exchange_of_its_own():
    moves = {"spool": kb.steps({0: 0.0, 0.1033: 0.2})}
    words = {"record": "10 ms", "coupling": "cosimulated"}
    exact = kb.simulate(lifted(), "0.3 s", inputs=moves, step="0.05 ms", record="10 ms", coupling="explicit")
    for step, most in (("5 ms", 3e-4), ("2.5 ms", 1e-4)):
        assert error(kb.simulate(lifted(), "0.3 s", inputs=moves, step=step, **words), exact) < most


def test_a_machine_without_oil_is_its_mechanics_alone():
    m = kb.Machine("pendulum")
    rod = m.body("rod", mass=1.0, com=(0, 0, -1.0), inertia=(0.1, 0.1, 0.1))
    m.revolute("pin", m.ground, rod, axis="y", start="20 deg")
    one, other = (kb.simulate(m, "1 s", step="0.5 ms", coupling=name) for name in ("cosimulated", "explicit"))

    assert one["pin.angle"].values[-1] == pytest.approx(other["pin.angle"].values[-1], abs=1e-6)
    assert one["energy.exchanged"].values[-1] == 0.0
