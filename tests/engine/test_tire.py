# SPDX-License-Identifier: BSD-3-Clause
"""Tires in linearly implicit steps: what they add to L is Aᵀ D A of their rows, made here row by row; slopes are those
of differences; in implicit steps Newton's tangent is that of differences; the block size changes no bit, nor does a
snapshot.

The kernels run as plain Python, in a process of their own with NUMBA_DISABLE_JIT=1, where they are looked into.
"""

import json

import numpy as np
import pytest

import knuckleboom as kb
from engine.newton_corrections import corrections, worst
from knuckleboom.bench.vehicle import four_wheels, rig
from plain_python import answers_of

H, TAU = 1e-3, 3e-4
COORDINATES = ("relative", "reference-point")


def rough():
    """A vehicle that rolls, slips and leans, on a field, with a contact beside its tires."""
    m = four_wheels(
        speed=2.0, steer=0.2, start=(0, 0, 0.93, 0.02, -0.03, 0.1),
        terrain={"heights": [[0, 0.05, 0.02], [0.03, -0.04, 0.06], [0, 0.05, 0]], "spacing": 2.0, "at": (-2, -2, 0)},
    )  # fmt: skip
    m.contact("belly", "chassis", sphere=1.05, stiffness=3e4, friction=0.4)
    return m


def leaning(law):
    """Two wheels on a frame, one that rolls and one that spins the other way, on its rim, on areas of a slope."""
    m = kb.Machine("leaning")
    areas = [{"corners": [(0.0, -9.0), (9.0, 9.0)], "friction_factor": 0.4, "stiffness_factor": 1.5}]
    m.terrain("slope", slope="5 deg", rises=(1.0, 0.4, 0.0), areas=areas)
    frame = m.body("frame", mass=3000.0, inertia=(800, 900, 1000))
    m.free("f", m.ground, frame, start=(0, 0, 0.7, 0.05, -0.03, 0.3), speed=(2.0, 0.3, -0.1, 0.4, -0.3, 0.5))
    settings = {"law": law, "radius": 0.66, "load": "15 kN", "damping": 0.2}
    one = m.body("one", mass=200.0, inertia=(20, 30, 20))
    m.revolute("ahead", frame.at(0.8, 0.5, -0.03), one, axis="y", start=0.3, speed=4.0)
    m.tire("rolls", one, width=0.5, discs=3, **settings)
    two, axle = m.body("two", mass=200.0, inertia=(20, 30, 20)), (0.1, 1, 0.2)
    m.revolute("behind", frame.at(-0.8, -0.2, -0.33), two, axis=axle, start=0.1, speed=-1.0)
    m.tire("spins", two, width=0.4, discs=2, axle=axle, **settings)
    m.contact("belly", frame, sphere=0.66, stiffness=3e4, friction=0.4)
    return m


LAWS = ("averaged", "published")


def of_newton(law, coordinates):
    """Newton's correction both ways, the loads of all discs and their slip across."""
    planned = kb.build(leaning(law), coupling="unified", coordinates=coordinates)
    planned.work.state.x[:] = 3e-3
    found = corrections(planned, np.random.default_rng(5), spread=1e-3)
    disc = planned.work.tire.disc
    return {"corrections": found, "loads": disc[:, 14].tolist(), "deepest": -float(disc[:, 12].min())}


def evaluated(machine, coordinates="relative"):
    """A plan with a work that was evaluated once, bends given."""
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.mechanics.stages import SYSTEM

    planned = kb.build(machine, coupling="realtime", coordinates=coordinates)
    planned.work.state.x[:] = 1e-3
    assert evaluate(planned.plan, planned.work, SYSTEM) == 0
    return planned


def above(plan, link):
    """Velocities and screws of the chain of a link."""
    velocities, screws = [], []
    while link > 0:
        _, parent, _, first, _, count, screw, _ = plan.links.index[link]
        velocities += range(first, first + count)
        screws += range(screw, screw + count)
        link = parent
    return velocities, screws


def rows_of(plan, work, disc, roll, t):
    """A of the rows of tire t, three a disc and one of rolling."""
    link, first, discs = plan.tire.index[t, :3]
    velocities, screws = above(plan, link)
    wrenches = []
    for line in disc[first : first + discs]:
        p = line[:3]
        wrenches += [np.concatenate([np.cross(p, f), f]) for f in line[3:12].reshape(3, 3)]
    wrenches.append(np.concatenate([roll[t, :3], np.zeros(3)]))
    A = np.zeros((len(wrenches), len(work.state.v)))
    A[:, velocities] = np.array(wrenches) @ work.motion.S[screws].T
    return A


def of_mass(coordinates):
    """What a linearly implicit step adds to M: ours, and row by row; with the contact's own part taken away."""
    from knuckleboom.interface import ground_tangent, link_sums, tire_tangent
    from knuckleboom.plan import assembly
    from knuckleboom.solvers.vectors import fill_rows

    planned = evaluated(rough(), coordinates)
    plan, work = planned.plan, planned.work
    tangent = work.tangent
    before = assembly.mass_matrix(plan, work)
    ground_tangent.add_to_mass(plan, TAU, H, work, tangent)
    both = assembly.mass_matrix(plan, work) - before
    fill_rows(0.0, tangent.touch_K)
    tire_tangent.add_slopes(plan.tire, TAU, H, work.tire, tangent)
    before = assembly.mass_matrix(plan, work)
    link_sums.add_K(plan, tangent, work.system.L)
    ours = assembly.mass_matrix(plan, work) - before
    wanted = np.zeros_like(ours)
    for t, (_, first, discs, *_) in enumerate(plan.tire.index):
        A = rows_of(plan, work, tangent.tire_disc, tangent.tire_roll, t)
        D = np.append(tangent.tire_disc[first : first + discs, 12:15].ravel(), tangent.tire_roll[t, 3])
        wanted += A.T @ np.diag(D) @ A
    return {"mass": (ours.tolist(), wanted.tolist()), "contact adds": float(np.abs(both - ours).max())}


def of_slopes():
    """Slopes of the wrench of a wheel that rolls without slip, by velocity and by bend, and differences."""
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.mechanics.stages import SYSTEM

    machine = kb.Machine("wheel")
    machine.terrain("floor", slope=0.1, rises=(1, 0.3, 0))
    wheel = machine.body("wheel", mass=2000.0, inertia=(60, 100, 60))
    machine.free("f", machine.ground, wheel, start=(0, 0, 0.62, 0.1, 0, 0.3))
    machine.tire("tire", wheel, radius=0.66, width=0.5, load="20 kN", discs=1)
    planned = kb.build(machine, coupling="realtime")
    plan, work = planned.plan, planned.work
    assert evaluate(plan, work, SYSTEM) == 0
    # rolls about the point that touches: no slip, no bend, where the slopes leave nothing out
    p = work.tire.disc[0, :3] + work.motion.p_WO
    middle, axle = np.array(work.state.q[:3]), work.tire.roll[0, :3]
    turning = 8.0 * axle
    start = np.concatenate([np.cross(turning, middle - p), work.motion.R_WL[-1].reshape(3, 3).T @ turning])

    def wrench(v, x):
        work.state.v[:], work.state.x[:] = v, x
        assert evaluate(plan, work, SYSTEM) == 0
        return work.tire.wrench[0].copy()

    x0, h = np.zeros(3), 1e-6
    wrench(start, x0)
    disc, slip = work.tire.disc.copy(), work.tire.disc[0, 17:19].tolist()
    A = rows_of(plan, work, disc, work.tire.roll, 0)
    by_w = np.array([disc[0, 16], *disc[0, 22:24], work.tire.roll[0, 5]])
    W = np.zeros((6, 4))
    for k, f in enumerate(disc[0, 3:12].reshape(3, 3)):
        W[:, k] = np.concatenate([np.cross(disc[0, :3], f), f])
    W[:3, 3] = work.tire.roll[0, :3]
    by_z = np.array([*disc[0, 24:26], work.tire.roll[0, 6]])
    ours_v, ours_z = W @ np.diag(by_w) @ A, W[:, 1:] @ np.diag(by_z)
    eye_v, eye_z = np.eye(6), np.eye(3)
    found_v = np.array([(wrench(start + h * e, x0) - wrench(start - h * e, x0)) / (2 * h) for e in eye_v]).T
    found_z = np.array([(wrench(start, h * e) - wrench(start, -h * e)) / (2 * h) for e in eye_z]).T
    return {"slip": slip, "v": (ours_v.tolist(), found_v.tolist()), "z": (ours_z.tolist(), found_z.tolist())}


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_what_links_add_to_the_mass_is_that_of_their_rows(plain, coordinates):
    ours, wanted = plain[coordinates]["mass"]

    assert np.abs(wanted).max() > 1.0
    np.testing.assert_allclose(ours, wanted, atol=1e-9 * np.abs(wanted).max())  # differences of M of 8 t
    assert plain[coordinates]["contact adds"] > 1e-3


def test_slopes_are_those_of_differences_where_nothing_is_left_out(plain):
    found = plain["slopes"]

    assert np.abs(found["slip"]).max() < 1e-12
    for ours, differences in (found["v"], found["z"]):
        scale = np.abs(ours).max()
        np.testing.assert_allclose(ours, differences, atol=1e-5 * scale)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("law", LAWS)
def test_newtons_correction_is_that_of_the_differenced_jacobian(plain, law, coordinates):
    found = plain[f"{law}, {coordinates}"]

    assert min(found["loads"]) > 100.0
    assert found["deepest"] > 0.35 * 0.66  # one is on its rim
    assert worst(found["corrections"]) < 1e-8


@pytest.mark.parametrize("coupling", ["realtime", "explicit"])
def test_a_snapshot_goes_on_to_the_bit(coupling):
    simulation = kb.Simulation(rough(), step="1 ms" if coupling == "realtime" else "0.1 ms", coupling=coupling)
    drive = {f"drive_rear_{side}": 2e3 for side in ("left", "right")}
    simulation.step(drive, n=100)
    kept = simulation.snapshot()
    simulation.step(n=200)
    one = {name: simulation[name] for name in ("frame.position", "rear_left.normal_force", "rear_left.friction_work")}
    simulation.restore(kept)
    simulation.step(n=200)

    for name, value in one.items():
        assert np.array_equal(simulation[name], value)


def test_the_block_size_changes_no_bit():
    whole = kb.simulate(rough(), "0.2 s", step="1 ms")

    simulation = kb.Simulation(rough(), step="1 ms")
    for _ in range(200):
        simulation.step()

    for name in ("frame.position", "rear_left.slip", "front_left.lateral_force", "front_right.friction_work"):
        assert np.array_equal(simulation[name], whole[name].values[-1])


def test_a_coupling_without_tires_says_so():
    with pytest.raises(kb.MachineError, match="tire 'tire': coupling cosimulated has no contact and no tires"):
        kb.build(rig(), coupling="cosimulated")


def test_natural_coordinates_have_them_in_explicit_steps():
    with pytest.raises(kb.MachineError, match="in natural coordinates has no contact and no tires"):
        kb.build(rig(), coupling="realtime", coordinates="natural")

    one, other = (
        kb.simulate(rig(speed=2.0), "0.2 s", step="0.2 ms", coupling="explicit", coordinates=name)
        for name in ("relative", "natural")
    )
    assert other["tire.normal_force"].values[-1] == pytest.approx(one["tire.normal_force"].values[-1], rel=1e-5)


if __name__ == "__main__":
    answers = {name: of_mass(name) for name in COORDINATES} | {"slopes": of_slopes()}
    print(json.dumps(answers | {f"{law}, {how}": of_newton(law, how) for law in LAWS for how in COORDINATES}))
