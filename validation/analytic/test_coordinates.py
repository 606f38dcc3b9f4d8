# SPDX-License-Identifier: BSD-3-Clause
"""Three sets of coordinates, one machine: accelerations, reactions and everything else that is recorded agree.

Rank: a second formulation. `reference-point` and `natural` have every body free and all joints as rows, `relative` has
a tree and its cuts: different unknowns, different matrices. Tolerance: 1e-9 of each acceleration, 1e-8 of the rest,
such as the force of a spring of 1e8 N/m. Trajectories agree within three times their own Richardson error.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis.measure import violations
from knuckleboom.bench.machines import held
from knuckleboom.catalogue import NAMES
from knuckleboom.engine.run import system_once
from knuckleboom.layout import OK
from knuckleboom.mechanics.parts import Body

ACCELERATIONS, REST = 1e-9, 1e-8
BODIES = ("reference-point", "natural")


def everything():
    """A chain with every kind of joint, and something that acts in each."""
    m = kb.Machine("everything")
    a = m.body("a", mass=3.0, com=(0.1, 0.02, 0.3), inertia=(0.2, 0.3, 0.25))
    b = m.body("b", mass=2.0, com=(0.2, 0, 0.1), inertia=(0.1, 0.15, 0.2))
    c = m.body("c", mass=1.5, com=(0, 0.1, 0.2), inertia=(0.1, 0.1, 0.12))
    d = m.body("d", mass=1.0, com=(0.05, 0, 0.1), inertia=(0.05, 0.06, 0.04))
    e = m.body("e", mass=1.0, com=(0.05, 0.1, 0.1), inertia=(0.05, 0.06, 0.04))
    f = m.body("f", mass=0.7, com=(0.05, 0.1, 0.1), inertia=(0.05, 0.06, 0.04))
    m.revolute("pin", m.ground.at(0, 0, 1), a, axis="y", start=0.4, speed=1.0)
    m.prismatic("slide", a.at(0.5, 0, 0), b, axis="x", start=0.2, speed=0.3)
    m.universal("cross", b.at(0.3, 0, 0), c, axis="z", second_axis="x", start=(0.3, -0.5), speed=(1.0, 2.0))
    m.cylindrical("sleeve", c.at(0, 0, 0.4), d, axis="z", start=(0.1, "7 rad"), speed=(0.2, 3.0))
    m.spherical("ball", d.at(0, 0, 0.3), e, start=(0.1, 0.4, -0.2), speed=(1.0, 0.5, -2.0))
    m.planar("plane", e.at(0, 0.2, 0), f, axis="y", start=(0.1, 0.2, 0.3), speed=(0.1, 0.2, -1.0))
    m.joint_spring("k1", "pin", stiffness=40.0, damping=0.5)
    m.joint_spring("k2", "slide", stiffness=400.0, damping=5.0)
    m.joint_spring("k3", "cross", coordinate=1, stiffness=30.0, damping=0.2)
    m.joint_spring("k4", "sleeve", coordinate=1, stiffness=3.0)
    m.joint_friction("r1", "cross", coordinate=0, coulomb=0.4, viscous=0.1)
    m.effort("t1", "ball", 1, 2.5)
    m.effort("t2", "plane", 0, 4.0)
    m.effort("t3", "plane", 2, 0.7)
    m.spring("s", m.ground, f, stiffness=50.0, damping=1.0)
    return m


def driven():
    """The same with drivers of an angle, a travel and an angle beyond a turn."""
    m = everything()
    m.driver("drive_pin", joint="pin", speed=1.0)
    m.driver("drive_slide", joint="slide", speed=0.3, amplitude=0.01, frequency=2.0)
    m.driver("drive_sleeve", joint="sleeve", coordinate=1, speed=3.0)
    return m


def geared():
    """The same with gears: between joints that share a body, and from a turn to a slide."""
    m = everything()
    m.gear("bevel", "pin", "sleeve", ratio=-2.5, coordinate_b=1)
    m.gear("rack", "cross", "slide", ratio=0.3, coordinate_a=1)
    m.gear("wrist", "sleeve", "plane", ratio=0.7, coordinate_a=1, coordinate_b=2)
    return m


CATALOGUE = ("four-bar", "slider-crank", "andrews", "bricard", "gyroscope", "governor", "naya-rod")
MACHINES = {
    "everything": everything,
    "driven": driven,
    "geared": geared,
    **{name: (lambda name=name: NAMES[name]().machine) for name in CATALOGUE},
    "harvester-30": lambda: held(NAMES["harvester-30"]().machine),  # natural coordinates have no tires
}


@pytest.mark.parametrize("coordinates", BODIES)
@pytest.mark.parametrize("name", MACHINES)
def test_accelerations_and_reactions_are_the_same(name, coordinates):
    machine = MACHINES[name]()
    one = kb.Simulation(machine, step="0.1 ms").results()
    other = kb.Simulation(machine, step="0.1 ms", coordinates=coordinates).results()
    # how redundant rows share a force is one answer of many
    shared_forces = ("reaction", "multiplier") if kb.build(machine).redundant else ()
    names = [signal.path for signal in one.names if signal.path in other and not signal.path.startswith("energy.")]
    shared = [path for path in names if not any(word in path for word in shared_forces)]
    assert any("acceleration" in path or "reaction" in path for path in shared)
    for path in shared:
        x, y = np.asarray(one[path].values), np.asarray(other[path].values)
        limit = ACCELERATIONS if path.endswith("acceleration") else REST
        assert np.abs(x - y).max() <= limit * (1.0 + np.abs(x).max()), path


def end_of(machine, duration, step, **words):
    """Where all bodies are at the end."""
    run = kb.simulate(machine, duration, step=step, record=duration, **words)
    return np.concatenate([run[f"{body.name}.position"].values[-1] for body in machine.of(Body)])


@pytest.mark.slow
@pytest.mark.parametrize("words", [{}, {"coupling": "unified"}], ids=["rk4", "unified"])
@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "andrews", "bricard", "everything", "geared"])
def test_trajectories_agree_within_their_own_error(name, words):
    duration, step = (0.02, 2e-4) if name == "andrews" else (0.2, 2e-3)
    order = 2 if words else 4
    ends, errors = {}, {}
    for coordinates in ("relative", *BODIES):
        coarse, fine = (
            end_of(MACHINES[name](), duration, h, coordinates=coordinates, **words) for h in (step, 0.5 * step)
        )
        ends[coordinates], errors[coordinates] = fine, np.abs(fine - coarse).max() / (2**order - 1)
    for one in ends:
        for other in ends:
            assert np.abs(ends[one] - ends[other]).max() <= 3.0 * (errors[one] + errors[other]) + 1e-12


@pytest.mark.parametrize("coordinates", ["relative", *BODIES])
def test_constraints_hold_at_all_levels_after_projection(coordinates):
    """Positions below Newton's tolerance, velocities and accelerations at rounding, after steps of 5 ms."""
    sim = kb.Simulation(NAMES["four-bar"]().machine, step="5 ms", coupling="unified", coordinates=coordinates)
    for _ in range(40):
        sim.step()
        planned = sim._planned
        assert system_once(planned.plan, planned.work) == OK
        position, velocity, acceleration = violations(planned)
        assert position < 1e-8
        assert velocity < 1e-11
        assert acceleration < 1e-9


def test_counts_of_the_harvester_are_those_of_the_thesis():
    """180 generalised coordinates, 153 constraint equations, 27 degrees of freedom [Baharudin 2016, Table 4.1]."""
    planned = kb.build(NAMES["harvester-30"]().machine, coordinates="reference-point")
    assert (planned.topology.nv, planned.loop_equations, planned.dof) == (180, 153, 27)
