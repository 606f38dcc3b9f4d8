# SPDX-License-Identifier: BSD-3-Clause
"""Contact between bodies in linearly implicit steps: what it adds to L is Aᵀ D A of its rows, made here row by row with
the whole chain of each link; and rates of gaps are those of the gaps of features that are kept.

Two arms on one turntable whose tips touch, and a heap of a box, a ball and a capsule. The kernels run as plain Python,
in a process of their own with NUMBA_DISABLE_JIT=1.
"""

import json
from unittest.mock import patch

import numpy as np
import pytest

import knuckleboom as kb
from engine.newton_corrections import corrections, worst
from plain_python import answers_of


def arms():
    m = kb.Machine("arms")
    table = m.body("table", mass=5.0, inertia=(1, 1, 0.5))
    m.revolute("turn", m.ground, table, axis="z", speed=0.8)
    for name, y, side in (("left", -0.25, 1.0), ("right", 0.25, -1.0)):
        arm = m.body(name, mass=2.0, com=(0.4, 0, 0), inertia=(0.01, 0.1, 0.1))
        m.universal(f"{name}_hinge", table.at(0, y, 1.0), arm, start=(0.1 * side, 0.2), speed=(0.5 * side, 0.3))
        m.contact(f"{name}_tip", arm.at(0.8, 0.16 * side, 0), box=(0.3, 0.2, 0.2), stiffness=3e4, friction=0.4)
    return m


def heap():
    m = kb.Machine("heap")
    given = {"stiffness": 3e4, "friction": 0.4}
    for name, place, turned, shape in (
        ("box", (0, 0, 0), (0.3, 0.2, 0.1), {"box": (0.4, 0.3, 0.2)}),
        ("ball", (0.05, 0.02, 0.15), (0, 0, 0), {"sphere": 0.1}),
        ("log", (-0.1, 0, -0.1), (0, 1.4, 0), {"capsule": (0.08, 0.5)}),
    ):
        body = m.body(name, mass=3.0, com=(0.01, 0.02, 0), inertia=(0.05, 0.06, 0.07))
        speed = (0.3, -0.2, 0.1, 1.0, -2.0, 0.5) if name == "box" else (0, 0.1, -0.3, 0.2, 0.4, 3.0)
        m.free(f"{name}_free", m.ground, body, start=(*place, *turned), speed=speed)
        m.contact(f"{name}_skin", body, **shape, **given)
    return m


def bending():
    """A box on an arm that bends touches the arm beyond it, and one on another attachment."""
    m = kb.Machine("bending")
    one = m.body("one", mass=3.0, com=(0.2, 0, 0), inertia=(0.05, 0.06, 0.08))
    m.spherical("foot", m.ground, one, start=(0.1, 0.3, 0.2), speed=(0.5, 0.4, 0.6))
    m.shape("up", of=one, stiffness=900.0, damping=3.0, start=0.05, speed=-0.4)
    m.shape("side", of=one, stiffness=600.0, damping=2.0, mass=0.7, start=-0.04, speed=-0.3)
    turns = {"up": (0.1, -1.1, 0.2), "side": (0.3, 0.2, 1.2)}
    eye = m.attachment("eye", of=one, at=(0.3, 0, 0), moves={"up": (0.02, 0, 0.4), "side": (0, 0.3, 0.05)}, turns=turns)
    end = m.attachment(
        "end", of=one, at=(0.5, 0, 0), moves={"up": (-0.1, 0.03, 1.0), "side": (0.02, 0.9, 0)}, turns=turns
    )  # fmt: skip
    given, loose = {"stiffness": 3e4, "friction": 0.4}, m.body("loose", mass=3.0, inertia=(0.05, 0.06, 0.07))
    m.free("fly", m.ground, loose, start=(0.5, 0.16, -0.12, 0.2, 0.1, 0.3), speed=(0.3, -0.2, 0.1, 1.0, -2.0, 0.5))
    for name, joined, turned in (("far", end, 0.2), ("near", eye, -0.6)):
        two = m.body(name, mass=2.0, com=(0.1, 0, 0), inertia=(0.02, 0.05, 0.05))
        m.revolute(f"{name}_knee", joined, two, axis="y", start=turned, speed=0.7)
        m.contact(f"{name}_skin", two.at(0.1, 0, 0), sphere=0.13, **given)
        if name == "far":  # once before the other, once after it
            m.contact("loose_skin", loose, box=(0.4, 0.3, 0.2), **given)
    return m


MACHINES = {"arms": arms, "heap": heap, "bending": bending}
CASES = [(name, how) for name in ("arms", "heap") for how in ("relative", "reference-point")]


def built(name, **words):
    """A machine in which bodies overlap deeper than they may at a start, so that all kinds of spots are there."""
    with patch("knuckleboom.plan.pairs.DEEPEST", 10.0):
        return kb.build(MACHINES[name](), **words)


def evaluated(name, coordinates):
    """A machine that touches, with bent bristles."""
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.mechanics.stages import SYSTEM

    planned = built(name, coupling="realtime", coordinates=coordinates)
    planned.work.state.x[:] = 1e-4
    assert evaluate(planned.plan, planned.work, SYSTEM) == 0
    return planned


METHODS = {
    "relative": {},
    "relative, sparse, damped": {"factorisation": "sparse", "integrator": "generalised-alpha"},
    "reference-point": {"coordinates": "reference-point"},
    "reference-point, dense": {"coordinates": "reference-point", "factorisation": "dense"},
}
CORRECTED = [(name, method) for name in MACHINES for method in METHODS]


def of_newton(name, method):
    """Newton's correction both ways, features kept; how many pairs press and which kinds of holders they have."""
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.interface.pairs import KEPT, STEP
    from knuckleboom.mechanics.stages import SYSTEM

    planned = built(name, coupling="unified", **METHODS[method])
    met = planned.work.pairs
    planned.work.state.x[:] = 1e-4
    met.mode[STEP] = 4e-3
    assert evaluate(planned.plan, planned.work, SYSTEM) == 0
    met.mode[KEPT] = 1.0
    found = corrections(planned, np.random.default_rng(5), spread=1e-3)
    pressing = [pair for pair in met.near[: met.count[0]] if met.pressed[pair, 0] > 0.0]
    first = planned.plan.pairs.index[:, 2]
    holders = {int(met.spot[first[pair] + k, 11]) for pair in pressing for k in range(met.spots[pair])}
    return {"corrections": found, "pressing": len(pressing), "holders": sorted(holders)}


def jacobian_of(planned, link):
    """V of a link from all velocities: its screws in their places."""
    J, index = np.zeros((6, len(planned.work.state.v))), planned.plan.links.index
    while link > 0:
        _, parent, _, first, _, count, screw, _ = index[link]
        J[:, first : first + count] = planned.work.motion.S[screw : screw + count].T
        link = parent
    return J


def matrix_of(planned):
    """What stands in L for any two velocities of a path between links."""
    order, first, nv = planned.layout.elimination, planned.plan.pairs.way_first, len(planned.work.state.v)
    found = np.zeros((nv, nv))
    for way in range(len(first) - 1):
        velocities = planned.plan.pairs.way_dof[first[way] : first[way + 1]]
        for one in velocities:
            for other in velocities:
                address = order.address(order.velocity_slot[one], order.velocity_slot[other])
                found[one, other] = planned.work.system.L[address]
    return found


def of_mass(name, coordinates):
    """What a linearly implicit step adds to M: ours, and row by row; how many spots touch."""
    from knuckleboom.interface import pair_tangent

    planned = evaluated(name, coordinates)
    plan, work = planned.plan, planned.work
    work.system.L[:] = 0.0
    pair_tangent.add_to_mass(plan, 3e-4, 1e-3, work, work.tangent)
    ours = matrix_of(planned)
    tangent, wanted, spots = work.tangent, np.zeros_like(ours), 0
    for pair in work.pairs.near[: work.pairs.count[0]]:
        a, b, first = plan.pairs.index[pair, :3]
        J = jacobian_of(planned, plan.pairs.of[b, 1]) - jacobian_of(planned, plan.pairs.of[a, 1])
        count, row = work.pairs.spots[pair], len(work.pairs.w) + 3 * pair
        A = tangent.pair_W[[*range(first, first + count), *range(row, row + 3)]] @ J
        D = np.zeros((count + 3, count + 3))
        np.fill_diagonal(D, [*tangent.pair_D[first : first + count], 0, 0, 0])
        D[count:, count:] = tangent.pair_patch[pair, :9].reshape(3, 3)
        wanted += A.T @ D @ A
        spots += int(np.sum(work.pairs.N[first : first + count] > 0.0))
    return {"mass": (ours.tolist(), wanted.tolist()), "spots": spots}


def of_rates(name, coordinates):
    """Rates of the gaps, and differences of the gaps of what is kept while the machine moves on."""
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.mechanics.kinematics import advance
    from knuckleboom.mechanics.stages import SYSTEM

    planned, gaps, h = evaluated(name, coordinates), [], 1e-6
    plan, work = planned.plan, planned.work
    q, v = work.state.q.copy(), work.state.v.copy()
    used = [i for pair in work.pairs.near[: work.pairs.count[0]] for i in spots_of(planned, pair)]
    rates = work.pairs.w[used].copy()
    work.pairs.mode[1] = 1.0
    for way in (h, -h):
        advance(plan.links.index, q, way * v, work.state.q)
        assert evaluate(plan, work, SYSTEM) == 0
        gaps.append(work.pairs.spot[used, 9].copy())
    return {"rates": (rates.tolist(), ((gaps[0] - gaps[1]) / (2 * h)).tolist())}


def spots_of(planned, pair):
    first = planned.plan.pairs.index[pair, 2]
    return range(first, first + planned.work.pairs.spots[pair])


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.parametrize(("name", "how"), CASES)
def test_what_pairs_add_to_the_mass_is_that_of_their_rows(plain, name, how):
    found = plain[f"{name}, {how}"]
    ours, wanted = found["mass"]

    assert found["spots"] >= 2
    assert np.abs(wanted).max() > 1e-4
    np.testing.assert_allclose(ours, wanted, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize(("name", "how"), CASES)
def test_rates_are_those_of_the_gaps_of_what_is_kept(plain, name, how):
    rates, differences = plain[f"{name}, {how}"]["rates"]

    assert np.abs(rates).max() > 0.05
    np.testing.assert_allclose(rates, differences, atol=1e-8)


@pytest.mark.parametrize(("name", "method"), CORRECTED)
def test_newtons_correction_is_that_of_the_differenced_jacobian(plain, name, method):
    found = plain[f"newton {name}, {method}"]

    assert found["pressing"] >= (1 if name == "arms" else 2)
    assert worst(found["corrections"]) < 1e-8


def test_all_kinds_of_spots_are_among_them(plain):
    assert {kind for one in plain.values() for kind in one.get("holders", ())} == {0, 1, 2}


if __name__ == "__main__":
    answers = {f"{name}, {how}": of_mass(name, how) | of_rates(name, how) for name, how in CASES}
    print(json.dumps(answers | {f"newton {name}, {method}": of_newton(name, method) for name, method in CORRECTED}))
