# SPDX-License-Identifier: BSD-3-Clause
"""Entries and non-zeros of Φ_q, M and R: closed forms for a chain and a four-bar, values of a machine without any
special direction at several poses, and Table 4.1 of [Baharudin 2016] for harvester-30 where its text determines it."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue.harvester_30 import bare_harvester
from knuckleboom.mechanics.parts import Body
from knuckleboom.plan import counts
from plan.test_loops import four_bar

POSES = 4
ZERO = 1e-9


def pairs(found):
    return {name: None if one is None else (one.entries, one.nonzeros) for name, one in found.items()}


def chain(bodies):
    machine = kb.Machine("chain")
    end = machine.ground
    for number in range(bodies):
        body = machine.body(f"body_{number}", mass=1.0, com=(0.5, 0, 0), inertia=(0.2, 0.3, 0.4))
        machine.revolute(f"pin_{number}", end, body, axis="y")
        end = body.at(1, 0, 0)
    return machine


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_chain_of_pins(n):
    """R is lower triangular in blocks of 6; a pin's rows have 3·12 + 2·6 entries between bodies, half on the ground."""
    relative, free = kb.build(chain(n)), kb.build(chain(n), coordinates="reference-point")

    transformation = (6 * n * n, 3 * n * (n + 1))
    assert pairs(counts.counted(relative)) == {"phi_q": (0, 0), "M": (n * n, n * n), "R": transformation}
    held, mass = (5 * n * 6 * n, 48 * n - 24), (36 * n * n, 30 * n)
    assert pairs(counts.counted(free)) == {"phi_q": held, "M": mass, "R": None}
    assert pairs(counts.published(relative)) == {"phi_q": (0, 0), "M": mass, "R": transformation}
    assert pairs(counts.published(free)) == {"phi_q": (held[0], 36 * n - 18), "M": mass, "R": None}
    assert counts.constraint_equations(relative) == counts.constraint_equations(free) == 5 * n


def test_a_gear():
    """Two flywheels on the ground: a gear sees both angles, of a body on its own the three components of ω."""
    machine = kb.Machine("gear")
    for name in ("a", "b"):
        wheel = machine.body(name, mass=1.0, inertia=(0.1, 0.1, 0.2))
        machine.revolute(f"pin_{name}", machine.ground, wheel)
    machine.gear("gear", "pin_a", "pin_b", ratio=2.0)
    relative, free = kb.build(machine), kb.build(machine, coordinates="reference-point")

    assert pairs(counts.counted(relative))["phi_q"] == (2, 2)
    assert pairs(counts.counted(free))["phi_q"] == (11 * 12, 2 * 24 + 6)
    assert pairs(counts.published(relative))["phi_q"] == (12, 6)
    assert pairs(counts.published(free))["phi_q"] == (11 * 12, 2 * 18 + 6)
    assert counts.constraint_equations(relative) == counts.constraint_equations(free) == 11


def test_a_four_bar():
    """Crank and coupler are one branch, the rocker is the other: 4 + 1 entries of M; both rows see all three angles."""
    relative, free = kb.build(four_bar()), kb.build(four_bar(), coordinates="reference-point")

    assert pairs(counts.counted(relative)) == {"phi_q": (6, 6), "M": (9, 5), "R": (54, 6 * 4)}
    assert pairs(counts.counted(free)) == {"phi_q": (17 * 18, 24 + 24 + 48 + 24), "M": (18 * 18, 90), "R": None}
    assert pairs(counts.published(relative))["phi_q"] == (2 * 18, 24)
    assert counts.constraint_equations(relative) == counts.constraint_equations(free) == 17


def askew():
    """A free base, a slide, a ball, a pin, a universal joint and a rod, nothing parallel or perpendicular."""
    machine, tilt = kb.Machine("askew"), (0.4, 0.6, 0.8)
    shape = {"mass": 2.0, "com": (0.3, 0.2, 0.1), "inertia": (1.0, 1.2, 1.4, 0.1, 0.2, 0.3)}
    base, left, right, hand, tip = (machine.body(name, **shape) for name in ("base", "left", "right", "hand", "tip"))
    machine.free("float", machine.ground.at((0.1, 0.2, 0.3), rpy=(0.3, 0.5, 0.7)), base)
    machine.prismatic("slide", base.at((0.3, 0.1, 0.2), rpy=tilt), left.at((0.2, 0.5, 0.4), rpy=tilt), axis=(1, 2, 3))
    machine.spherical("ball", base.at((0.1, 0.7, 0.2), rpy=tilt), right.at(0.1, 0.2, 0.4))
    machine.revolute("pin", left.at((0.4, 0.3, 0.5), rpy=tilt), hand.at((0.2, 0.1, 0.3), rpy=tilt), axis=(3, 1, 2))
    machine.universal("cross", right.at(0.2, 0.5, 0.1), tip.at(0.3, 0.1, 0.2), axis=(1, 2, 2), second_axis=(2, 1, -2))
    machine.rod("stay", hand.at(0.5, 0.6, 0.7), tip.at(0.3, 0.4, 0.5))
    return machine


def random_states(planned):
    random = np.random.default_rng(5)
    for _ in range(POSES):
        q = random.normal(size=planned.topology.nq)
        for link in planned.topology.links:
            if link.kind == counts.ball.KIND:
                q[link.q : link.q + 4] /= np.linalg.norm(q[link.q : link.q + 4])
        planned.set_state(q, np.zeros(planned.topology.nv))
        yield


def transformation(planned):
    """R by columns: velocities of all centres of mass when one coordinate moves."""
    columns = []
    for velocity in range(planned.topology.nv):
        planned.work.state.v[:] = 0.0
        planned.work.state.v[velocity] = 1.0
        planned.bias()
        motion, column = planned.work.motion, []
        for body in planned.machine.of(Body):
            frame = planned.topology.bodies[body.name]
            R, V = motion.R_WL[frame.link].reshape(3, 3), motion.V_WL[frame.link]
            centre = motion.p_OL[frame.link] + R @ (frame.p + frame.R @ np.array(body.com))
            column += [*(V[3:] + np.cross(V[:3], centre)), *V[:3]]
        columns.append(column)
    planned.work.state.v[:] = 0.0
    return np.array(columns).T


@pytest.mark.parametrize("coordinates", ["relative", "reference-point", "natural"])
def test_values_at_several_poses_fill_what_is_counted(coordinates):
    planned = kb.build(askew(), coordinates=coordinates)
    made = {"phi_q": planned.jacobian}
    if coordinates != "natural":
        made["M"] = planned.mass_matrix
    if coordinates == "relative":
        made["R"] = lambda: transformation(planned)
    filled = dict.fromkeys(made, False)
    for _ in random_states(planned):
        for name, matrix in made.items():
            filled[name] = filled[name] | (abs(matrix()) > ZERO)

    found = {name: (one.size, int(one.sum())) for name, one in filled.items()}
    assert found == {name: one for name, one in pairs(counts.counted(planned)).items() if name in made}


def test_natural_coordinates():
    """A body has twelve velocities and six rows of its own. Of one whose centre lies on x the mass matrix has m, m·c
    twice and three squares of lengths, for each of three components.
    """
    planned = kb.build(chain(2), coordinates="natural")

    assert counts.constraint_equations(planned) == 10
    assert planned.loop_equations == 10 + 2 * 6
    found = pairs(counts.counted(planned))
    assert found["M"] == (24 * 24, 2 * 3 * 6) and found["phi_q"][0] == 22 * 24
    assert pairs(counts.published(planned))["phi_q"] == (10 * 12, 36 * 2 - 18)
    # without special directions: the 4 x 4 numbers of a body for each component
    assert counts.counted(kb.build(askew(), coordinates="natural"))["M"].nonzeros == 5 * 3 * 16


def test_a_gear_and_a_driver_touch_the_bodies_of_their_joints():
    machine = chain(3)
    machine.gear("gear", "pin_0", "pin_2", ratio=2.0)
    machine.driver("motor", joint="pin_1", start=0.0)
    planned = kb.build(machine)

    assert counts.counted(planned)["phi_q"] == counts.Count(2 * 3, 2 + 1)
    # the gear sees body 0, and bodies 1 and 2; the driver bodies 0 and 1; angles have three entries each
    assert counts.published(planned)["phi_q"] == counts.Count(2 * 18, 9 + 6)


def test_harvester_beside_the_thesis():
    """Sizes and M are those of Table 4.1. Its joints and topology are not printed, and the other counts are not ours:
    1128 (ours 1176) and 78 (96) non-zeros of Φ_q, 450 of R, too few for bodies that all hang on a free base.
    """
    machine = bare_harvester().machine
    relative, free = kb.build(machine), kb.build(machine, coordinates="reference-point")

    recursive, lagrangian = pairs(counts.published(relative)), pairs(counts.published(free))
    assert counts.constraint_equations(relative) == counts.constraint_equations(free) == 153
    assert recursive["M"] == lagrangian["M"] == pairs(counts.counted(free))["M"] == (32400, 900)
    assert (recursive["phi_q"][0], lagrangian["phi_q"][0], recursive["R"][0]) == (1440, 27540, 6300)

    # ours: 23 pins and 6 slides in the tree, 8 equations of cut pins
    assert pairs(counts.counted(free))["phi_q"] == (27540, 23 * 48 + 6 * 42 + 8 * 12)
    assert lagrangian["phi_q"][1] == 23 * 36 + 6 * 42 + 8 * 12
    assert recursive["phi_q"][1] == 8 * 12
    # each row of a cut pin: a barrel, a rod and the hinge between what they join
    assert pairs(counts.counted(relative))["phi_q"] == (8 * 35, 8 * 3)
    # 27 of the free base for each body; 103 pairs of a body with a turn before it and 16 with a slide
    assert recursive["R"][1] == pairs(counts.counted(relative))["R"][1] == 30 * 27 + 103 * 6 + 16 * 3
