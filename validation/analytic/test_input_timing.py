# SPDX-License-Identifier: BSD-3-Clause
"""Inputs act when they should, in every coupling and with every integrator.

Rank: closed form. A mass under a force a·t has the momentum a t²/2, a closed vessel under a flow b·t the oil b t²/2;
an input that acts d late leaves a (t − d)²/2, which is solved for d. Tables and functions: below 0.01 steps (measured:
0.001, the two implicit Euler steps with which a run begins; else rounding). What a controller or an operator writes is
held from its sample on: its mean is half a sample late, whatever the coupling, 0.5 ± 0.01 steps. On a sine a spring
with a mass and a pump that lags follow their linear equations, whose solution is known: the order of the error is that
of the method, RK4 4, those of order 2 within 0.15 and of order 1 not below 0.9.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.methods import POWER_STEPS
from references.oil import NayaOil

METHODS = {
    "rk4": {"coupling": "explicit", "integrator": "rk4"},
    "semi-implicit-euler": {"coupling": "explicit", "integrator": "semi-implicit-euler"},
    "fw2": {"coupling": "realtime", "integrator": "fw2"},
    "lim": {"coupling": "realtime", "integrator": "lim"},
    "lie": {"coupling": "realtime", "integrator": "lie"},
    "unified": {"coupling": "unified", "integrator": "trapezoidal"},
    "unified, damped": {"coupling": "unified", "integrator": "generalised-alpha"},
    "cointegrated, trapezoidal": {"coupling": "cointegrated", "power_integrator": "trapezoidal"},
    "cointegrated, rk4": {"coupling": "cointegrated", "power_integrator": "rk4"},
    "cointegrated, euler": {"coupling": "cointegrated", "power_integrator": "euler"},
    "cointegrated, damped": {"coupling": "cointegrated", "integrator": "generalised-alpha"},
    "unified, as published": {"coupling": "unified", "jumps": "published"},
    "unified, bodies": {"coupling": "unified", "coordinates": "reference-point"},
    "realtime, bodies": {"coupling": "realtime", "coordinates": "natural"},
    "cosimulated": {"coupling": "cosimulated"},
    "cosimulated, mechanics first": {"coupling": "cosimulated", "order": "mechanics-first"},
    "cosimulated, lie": {"coupling": "cosimulated", "integrator": "lie", "power_integrator": "lie"},
    "cosimulated, held": {
        "coupling": "cosimulated", "integrator": "semi-implicit-euler", "power_integrator": "euler", "order": "jacobi",
        "course": "hold",
    },
}
ORDERS = {
    "rk4": 4, "semi-implicit-euler": 1, "lie": 1, "cointegrated, euler": 1, "cosimulated, lie": 1,
    "cosimulated, held": 1,
}  # fmt: skip
"""Of the methods that have not 2."""
every_method = pytest.mark.parametrize("method", METHODS)

STEP, STEPS = 2e-3, 200
MASS, PUSH, VOLUME, FLOW, START = 2.0, 5.0, 2e-3, 1e-4, 100e5
OIL = NayaOil()


def rig(*, stiffness=0.0, damping=0.0, time_constant=None):
    """A mass that is pushed and, beside it, a closed vessel that a pump fills."""
    machine = kb.Machine("rig", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("slide", machine.ground, block, axis="x")
    machine.effort("push", "slide")
    if stiffness:
        machine.joint_spring("spring", "slide", stiffness=stiffness, damping=damping)
    oil = machine.oil(kb.fluids.naya())
    words = {} if time_constant is None else {"time_constant": time_constant}
    oil.flow_source("pump", oil.tank("tank"), oil.volume("vessel", VOLUME, START), 0.0, **words)
    return machine


def words_of(method, step=STEP, small=5.0):
    """The words of a method in steps of a size, its oil in smaller ones where it has some of its own."""
    words = METHODS[method] | {"step": step}
    return words | ({"power_step": step / small} if words["coupling"] in POWER_STEPS else {})


def oil_let_in(pressure):
    return VOLUME * (OIL.strain(pressure) - OIL.strain(START))


def delays(run):
    """By how many steps the force and the flow of a ramp are late at the end of a run."""
    time, speed, pressure = run.time[-1], run["slide.travel_rate"].values[-1], run["vessel.pressure"].values[-1]
    late = [math.sqrt(2.0 * MASS * speed / PUSH), math.sqrt(2.0 * oil_let_in(pressure) / FLOW)]
    return (time - np.array(late)) / STEP


def ramps(kind, time):
    """The inputs of the ramp as a table or as functions."""
    if kind == "functions":
        return {"push": lambda t: PUSH * t, "pump": lambda t: FLOW * t}
    corners = [0.0, 0.3 * time, 2.0 * time]
    return {name: kb.table(corners, [rise * t for t in corners]) for name, rise in (("push", PUSH), ("pump", FLOW))}


@every_method
@pytest.mark.parametrize("kind", ["tables", "functions"])
def test_tables_and_functions_are_not_late(method, kind):
    time = STEP * STEPS
    run = kb.simulate(rig(), time, record=10 * STEP, inputs=ramps(kind, time), **words_of(method))

    assert delays(run) == pytest.approx(0.0, abs=0.01)
    assert run["push.input"].values == pytest.approx(PUSH * run.time, abs=1e-12), "a line has the inputs of its time"
    assert run["pump.input"].values == pytest.approx(FLOW * run.time, abs=1e-15)


def rising(time, reads, writes, memory, parameters):
    writes[0], writes[1] = PUSH * time, FLOW * time


@every_method
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_what_controllers_write_is_held_from_its_sample_on(method, compiled):
    law = kb.Controller(
        kb.compiled(rising) if compiled else rising, reads="slide.travel", writes=("push", "pump"), every=STEP
    )
    run = kb.simulate(rig(), STEP * STEPS, record=10 * STEP, controllers=[law], **words_of(method))

    assert delays(run) == pytest.approx(0.5, abs=0.01)


@every_method
def test_how_controllers_are_called_does_not_change_a_bit(method):
    """By the step loop, by Python, or by Python because a function that could stop the run is asked at every record."""
    told = []
    for law, stop in ((kb.compiled(rising), None), (rising, None), (kb.compiled(rising), lambda outputs: False)):
        item = kb.Controller(law, reads="slide.travel", writes=("push", "pump"), every=2 * STEP)
        run = kb.simulate(rig(), 20 * STEP, record=3 * STEP, controllers=[item], stop=stop, **words_of(method))
        told.append(run.record)

    assert np.array_equal(told[0], told[1])
    assert np.array_equal(told[0], told[2])


def test_a_force_on_a_mechanism_that_is_guided_is_not_late():
    """The coupling without oil: a mass beside the guided cylinder."""
    machine = kb.Machine("guided", gravity=(0.0, 0.0, 0.0))
    sledge, block = (machine.body(name, mass=MASS, inertia=(0.1, 0.1, 0.1)) for name in ("sledge", "block"))
    machine.prismatic("rail", machine.ground, sledge, axis="y", start=1.0)
    machine.prismatic("slide", machine.ground, block, axis="x")
    machine.effort("push", "slide")
    ram = {"bore": "40 mm", "rod": "20 mm", "stroke": "400 mm"}
    machine.oil(kb.fluids.naya()).cylinder("ram", machine.ground, sledge, **ram)
    inputs = {"push": lambda t: PUSH * t}
    run = kb.simulate(machine, STEP * STEPS, step=STEP, record=10 * STEP, inputs=inputs, coupling="kinematic")

    late = run.time[-1] - math.sqrt(2.0 * MASS * run["slide.travel_rate"].values[-1] / PUSH)
    assert late / STEP == pytest.approx(0.0, abs=0.01)


@every_method
def test_what_an_operator_sets_is_held_over_the_step(method):
    sim = kb.Simulation(rig(), **words_of(method))
    for k in range(STEPS):
        sim.step({"push": PUSH * STEP * k, "pump": FLOW * STEP * k})

    assert delays(sim.results()) == pytest.approx(0.5, abs=0.01)


@every_method
def test_nothing_is_sampled_across_a_jump(method):
    """Momentum and oil are the integrals of what jumps to rounding, where a step ends at the jump and where one has to;
    as published the rates of before are carried over the jump, so that half a step of it is lacking.
    """
    jumps = {0.0: 0.0, 0.1: 1.0, 0.1237: -0.5, 0.2: 2.0}
    inputs = {"push": kb.steps({t: PUSH * v for t, v in jumps.items()})}
    inputs["pump"] = kb.steps({t: FLOW * v for t, v in jumps.items()})
    run = kb.simulate(rig(), 0.3, record=STEP, inputs=inputs, **words_of(method))
    times = list(jumps)
    area, held = np.zeros(len(run.time)), np.zeros(len(run.time))
    for begin, before, after in zip(times, [0.0, *jumps.values()], jumps.values(), strict=False):
        area += (after - before) * np.clip(run.time - begin, 0.0, None)
        held[run.time >= begin - 1e-9] = after
    if METHODS[method].get("jumps") == "published":
        # steps of h after 0.1 and 0.2 s, of 0.3 mm after 0.1237 s
        area[run.time > 0.1 + 1e-9] -= 0.5 * STEP
        area[run.time > 0.1237] += 0.5 * 1.5 * 0.3e-3
        area[run.time > 0.2 + 1e-9] -= 0.5 * 2.5 * STEP

    assert run["push.input"].values == pytest.approx(PUSH * held, abs=0.0), "a line at a jump has what follows"
    assert MASS * run["slide.travel_rate"].values == pytest.approx(PUSH * area, abs=1e-12)
    assert oil_let_in(run["vessel.pressure"].values) == pytest.approx(FLOW * area, abs=1e-13)


@every_method
def test_functions_are_called_once_at_each_end_in_order(method):
    """RK4 asks in the middle too. Neither blocks, nor looks between them, nor a step that a jump cuts ask again."""
    called = []

    def push(t):
        called.append(t)
        return PUSH * t

    jump, words = 0.0215, words_of(method)
    sim = kb.Simulation(rig(), inputs={"push": push, "pump": kb.steps({0.0: 0.0, jump: FLOW})}, **words)
    sim.step()
    sim.step(n=4)
    assert sim["push.input"] == PUSH * 5 * STEP
    sim.run_for(12 * STEP)
    sim.step({"pump": 0.0})  # replaces a source: the other is not asked anew
    sim.run_until(25 * STEP)
    sim.results()

    ends = np.sort(np.append(STEP * np.arange(26.0), jump))
    if method == "rk4":
        ends = np.sort(np.append(ends, 0.5 * (ends[:-1] + ends[1:])))
    assert np.all(np.diff(called) > 0.0)
    assert called == pytest.approx(ends, abs=1e-15)


OMEGA, DRIVEN, DAMPING, LAG = 9.0, 5.0, 0.2, 0.03


def exact_answers(time):
    """Speed and travel of the spring with its mass, and the oil that the lagging pump let in."""
    root = -DAMPING * OMEGA + 1j * OMEGA * math.sqrt(1.0 - DAMPING**2)
    # partial fractions of 1/((s − λ)(s − λ*)) on the complex exponentials of the sine and of the free motion
    tone, travel, speed = 1j * DRIVEN, 0.0, 0.0
    amplitude = PUSH / MASS
    for source, sign in ((tone, 1.0), (-tone, -1.0)):
        for one, other in ((root, root.conjugate()), (root.conjugate(), root)):
            share = amplitude * sign / 2j / (one - other) / (source - one)
            travel += (share * (np.exp(source * time) - np.exp(one * time))).real
            speed += (share * (source * np.exp(source * time) - one * np.exp(one * time))).real
    # Q̇ = (u − Q)/τ, V ė = Q
    lag = 1.0 / (1.0 + (DRIVEN * LAG) ** 2)
    swing = (1.0 - math.cos(DRIVEN * time)) / DRIVEN - DRIVEN * LAG * math.sin(DRIVEN * time) / DRIVEN
    let_in = FLOW * lag * (swing + DRIVEN * LAG * LAG * -math.expm1(-time / LAG))
    return np.array([speed, travel, let_in / FLOW])


def sine_errors(method, step):
    """Errors of speed, travel and oil after 0.8 s of a sine on both inputs."""
    stiffness, damping = MASS * OMEGA**2, 2.0 * DAMPING * OMEGA * MASS
    machine = rig(stiffness=stiffness, damping=damping, time_constant=LAG)
    inputs = {
        "push": lambda t: PUSH * math.sin(DRIVEN * t),
        "pump": lambda t: FLOW * math.sin(DRIVEN * t),
    }
    run = kb.simulate(machine, 0.8, record=0.8, inputs=inputs, **words_of(method, step, small=2.0))
    let_in = oil_let_in(run["vessel.pressure"].values[-1]) / FLOW
    reached = np.array([run["slide.travel_rate"].values[-1], run["slide.travel"].values[-1], let_in])
    return np.abs(reached - exact_answers(0.8))


@every_method
def test_a_sine_is_followed_with_the_order_of_the_method(method):
    order = ORDERS.get(method, 2)
    coarse, fine = (sine_errors(method, step) for step in ((0.02, 0.01) if order == 4 else (5e-3, 2.5e-3)))
    measured = np.log2(coarse / fine)

    assert measured.min() > order - (0.15 if order > 1 else 0.1)
    if order > 1:
        assert coarse.max() < 1e-3


@pytest.mark.parametrize("method", ["rk4", "semi-implicit-euler", "fw2", "unified", "cointegrated, trapezoidal"])
def test_blocks_and_snapshots_do_not_change_a_bit(method):
    """A function and a table as inputs: one call, single steps, and a run that goes on from a snapshot."""

    def begun():
        pump = kb.table([0.0, 0.021, 0.05], [0.0, FLOW, -FLOW])
        machine = rig(stiffness=100.0, damping=3.0, time_constant=LAG)
        words = words_of(method) | {"record": STEP}
        return kb.Simulation(machine, inputs={"push": lambda t: PUSH * math.sin(30.0 * t), "pump": pump}, **words)

    whole, single, broken = begun(), begun(), begun()
    whole.run_for(30 * STEP)
    for _ in range(30):
        single.step()
    broken.run_for(13 * STEP)
    kept = broken.snapshot()
    broken.step({"push": 100.0}, n=5)
    broken.restore(kept)
    broken.run_for(17 * STEP)
    told = [sim.results() for sim in (whole, single, broken)]

    for name in ("slide.travel", "slide.travel_rate", "vessel.pressure", "push.input", "pump.input"):
        assert np.array_equal(told[0][name].values, told[1][name].values)
        assert np.array_equal(told[0][name].values[13:], told[2][name].values)
