# SPDX-License-Identifier: BSD-3-Clause
"""Contact in implicit steps: Newton's tangent is that of differences, and what linearly implicit steps add to L is
Aᵀ D A of the rows, made here row by row.

A box that slides and spins on an inclined plane, three of its corners in it; an arm of two bodies with spheres of
which one is shared by two planes; one that bends; and drums, of which one stands across areas. The kernels run as plain
Python, in a process of their own with NUMBA_DISABLE_JIT=1.
"""

import json

import numpy as np
import pytest

import knuckleboom as kb
from engine.newton_corrections import corrections, worst
from plain_python import answers_of

METHODS = {
    "relative": {},
    "relative, sparse, damped": {"factorisation": "sparse", "integrator": "generalised-alpha"},
    "reference-point": {"coordinates": "reference-point"},
    "reference-point, dense, damped": {"coordinates": "reference-point", "factorisation": "dense"},
}


def box():
    m = kb.Machine("box")
    body = m.body("box", mass=3.0, com=(0.02, -0.01, 0.03), inertia=(0.05, 0.06, 0.08))
    m.free("f", m.ground, body, start=(0.1, 0.2, 0.135, 0.06, -0.05, 0.4), speed=(0.3, -0.2, -0.1, 0.4, -0.3, 2.0))
    normal = np.array((0.1, -0.05, 1.0))
    m.terrain("slope", normal=tuple(normal), at=tuple(0.045 * normal / np.linalg.norm(normal)))
    m.contact(
        "face", body.at(0.03, 0.01, -0.02), box=(0.4, 0.3, 0.2), stiffness=4e4, restitution=0.4,
        friction=0.4, breakaway=0.6, stribeck_speed=0.5, bend="1 mm",
    )  # fmt: skip
    return m


def arm():
    m = kb.Machine("arm")
    one = m.body("one", mass=3.0, com=(0.2, 0.0, 0.03), inertia=(0.05, 0.06, 0.08))
    two = m.body("two", mass=2.0, com=(0.3, 0.1, 0.0), inertia=(0.02, 0.05, 0.05))
    m.spherical("foot", m.ground.at(0, 0, 0.2), one, start=(0.1, 0.3, 0.2), speed=(0.5, -0.4, 0.6))
    m.revolute("knee", one.at(0.5, 0, 0), two, axis="y", start=0.2, speed=0.7)
    side = np.array((0.2, 1.0, 0.1))
    m.terrain("low", at=(0, 0, -0.2))
    m.terrain("high", at=(0, 0, -0.02))
    m.terrain("side", normal=tuple(side), at=tuple(0.12 * side / np.linalg.norm(side)))
    m.contact(
        "tip", two.at(0.4, 0.05, 0), sphere=0.12, touching="low", stiffness=3e3, friction=0.5, patch="20 mm"
    )  # fmt: skip
    m.contact("elbow", two, sphere=0.1, touching=["high", "side"], stiffness=2e3, friction=0.3, patch="10 mm")
    return m


def bending():
    """An arm that bends, with contact at an attachment and beyond one."""
    m = kb.Machine("bending")
    one = m.body("one", mass=3.0, com=(0.2, 0.0, 0.03), inertia=(0.05, 0.06, 0.08))
    two = m.body("two", mass=2.0, com=(0.3, 0.1, 0.0), inertia=(0.02, 0.05, 0.05))
    m.spherical("foot", m.ground.at(0, 0, 0.2), one, start=(0.1, 0.3, 0.2), speed=(0.5, 0.4, 0.6))
    m.shape("up", of=one, stiffness=900.0, damping=3.0, start=0.05, speed=-0.4)
    m.shape("side", of=one, stiffness=600.0, damping=2.0, mass=0.7, start=-0.04, speed=-0.3)
    turns = {"up": (0.1, -1.1, 0.2), "side": (0.3, 0.2, 1.2)}
    m.attachment("eye", of=one, at=(0.3, 0, 0), moves={"up": (0.02, 0, 0.4), "side": (0, 0.3, 0.05)}, turns=turns)
    end = m.attachment(
        "end", of=one, at=(0.5, 0, 0), moves={"up": (-0.1, 0.03, 1.0), "side": (0.02, 0.9, 0)}, turns=turns, mass=0.2
    )  # fmt: skip
    m.revolute("knee", end, two, axis="y", start=0.2, speed=0.1)
    for name, height in (("low", -0.15), ("high", 0.03), ("middle", 0.02)):
        m.terrain(name, at=(0, 0, height))
    m.contact(
        "tip", two.at(0.4, 0.05, 0), sphere=0.12, touching="low", stiffness=3e3, friction=0.5, patch="20 mm"
    )  # fmt: skip
    m.contact("elbow", end, sphere=0.1, touching="high", stiffness=2e3, friction=0.3, patch="10 mm")
    m.contact("belly", "eye", sphere=0.2, touching="middle", stiffness=1e3, friction=0.3, patch="10 mm")
    return m


def drums():
    """Two cylinders, one that stands nearly upright across areas with other friction and one that lies askew."""
    m = kb.Machine("drums")
    areas = [
        {"corners": [(0.0, -9.0), (9.0, 9.0)], "friction_factor": 0.4, "stiffness_factor": 1.5},
        {"corners": [(0.1, -9.0), (9.0, 0.1)], "friction_factor": 1.3},
    ]
    m.terrain("slope", slope="5 deg", rises=(1.0, 0.4, 0.0), areas=areas)
    one = m.body("one", mass=3.0, com=(0.02, 0.0, 0.03), inertia=(0.05, 0.06, 0.08))
    m.free("f", m.ground, one, start=(0, 0.02, 0.2, 0.034, -0.081, 0.3), speed=(0.3, -0.2, -0.1, 0.4, -0.3, 2.0))
    m.contact("stands", one, cylinder=(0.2, 0.4), stiffness=4e4, friction=0.4, breakaway=0.5, patch="20 mm")
    two = m.body("two", mass=2.0, com=(0.0, 0.1, 0.0), inertia=(0.02, 0.05, 0.05))
    m.revolute("hinge", one.at(0.6, 0, 0), two, axis="y", start=0.1, speed=3.0)
    m.contact("lies", two, cylinder=(0.27, 0.3), axis=(0.1, 1.0, 0.2), stiffness=3e3, friction=0.5, patch="20 mm")
    return m


COORDINATES = ("relative", "reference-point")
MACHINES = {"box": box, "arm": arm, "bending": bending, "drums": drums}
TOUCHING = {"box": 3, "arm": 3, "bending": 3, "drums": 8}
CASES = [(name, method) for name in MACHINES for method in METHODS]


def of_newton(name, method):
    """Newton's correction both ways, and how many points touch."""
    planned = kb.build(MACHINES[name](), coupling="unified", **METHODS[method])
    planned.work.state.x[:] = 1e-4
    found = corrections(planned, np.random.default_rng(5), spread=1e-3)
    return {"corrections": found, "touching": int(np.sum(planned.work.touch.N > 0.0))}


def of_mass(name, coordinates):
    """What a linearly implicit step adds to M: ours, and row by row."""
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.interface import ground_tangent
    from knuckleboom.interface.contact import SPOT, SPOTS
    from knuckleboom.mechanics.stages import SYSTEM
    from knuckleboom.plan import assembly

    planned = kb.build(MACHINES[name](), coupling="realtime", coordinates=coordinates)
    plan, work, h, tau = planned.plan, planned.work, 1e-3, 3e-4
    work.state.x[:] = 1e-4
    assert evaluate(plan, work, SYSTEM) == 0
    before = assembly.mass_matrix(plan, work)
    ground_tangent.add_to_mass(plan, tau, h, work, work.tangent)
    ours = assembly.mass_matrix(plan, work) - before
    tangent, nv, spots = work.tangent, len(work.state.v), len(work.touch.s)
    wanted = np.zeros((nv, nv))
    for c, line in enumerate(plan.touch.index):
        above, screws, i = [], [], line[0]
        while i > 0:
            _, parent, _, first, _, count, screw, _ = plan.links.index[i]
            above += range(first, first + count)
            screws += range(screw, screw + count)
            i = parent
        A = np.zeros((spots + 3, nv))
        rows = [*range(spots), *range(spots + 3 * c, spots + 3 * c + 3)]
        A[:, above] = tangent.touch_W[rows] @ work.motion.S[screws].T
        D = np.zeros((spots + 3, spots + 3))
        own = range(line[SPOT], line[SPOT] + line[SPOTS])
        D[own, own] = tangent.touch_D[own]
        D[spots:, spots:] = tangent.touch_patch[c, :9].reshape(3, 3)
        wanted += A.T @ D @ A
    return {"mass": (ours.tolist(), wanted.tolist())}


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.parametrize(("name", "method"), CASES)
def test_newtons_correction_is_that_of_the_differenced_jacobian(plain, name, method):
    found = plain[f"{name}, {method}"]

    assert found["touching"] == TOUCHING[name]
    assert worst(found["corrections"]) < 1e-8


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("name", MACHINES)
def test_what_links_add_to_the_mass_is_that_of_their_rows(plain, name, coordinates):
    ours, wanted = plain[f"{name}, {coordinates}, mass"]["mass"]

    assert np.abs(wanted).max() > 1e-4
    np.testing.assert_allclose(ours, wanted, atol=1e-13 * np.abs(wanted).max())


if __name__ == "__main__":
    answers = {f"{name}, {method}": of_newton(name, method) for name, method in CASES}
    answers |= {
        f"{name}, {how}, mass": of_mass(name, how) for name in MACHINES for how in ("relative", "reference-point")
    }
    print(json.dumps(answers))
