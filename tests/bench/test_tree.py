# SPDX-License-Identifier: BSD-3-Clause
"""The tree that other programs' models are built from: frames, velocities, merged bodies, planar loops, refusals."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import knuckleboom as kb
from knuckleboom.bench.peers.tree import PeerError, in_plane, matrix_of, quaternion_of, read_tree, turned, turned_by


def one_of_each() -> kb.Machine:
    """A chain of every joint, each on a turned place."""
    m = kb.Machine("chain")
    carrier = m.ground
    kinds = ("free", "revolute", "universal", "prismatic", "spherical", "cylindrical", "planar")
    for number, kind in enumerate(kinds):
        body = m.body(f"body_{number}", mass=1.0 + number, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.1, 1.2))
        start = 0.1 + 0.2 * np.arange(len(getattr(m, kind)._kind.COORDINATES))
        place_a, place_b = carrier.at(0.1, 0.2, 0.3, rpy=(0.3, 0.2, 0.1)), body.at(0.2, 0.1, 0.0, rpy=(0.1, 0.5, 0.2))
        getattr(m, kind)(kind, place_a, place_b, axis="y", start=start, speed=1.0 - start)
        carrier = body
    return m


def test_velocities_are_the_rates_of_poses():
    """Central differences along v; the quaternions advance by the exponential map."""
    tree = read_tree(one_of_each())
    q, v = tree.start()
    h = 1e-5

    def at(time):
        moved = np.array(q)
        for node in tree.nodes:
            columns_q, columns_v = tree.columns[node.joint.name]
            plain = len(columns_q) - 4 if node.motions[-1].kind == "ball" else len(columns_q)
            moved[columns_q[:plain]] += time * v[columns_v[:plain]]
            if node.motions[-1].kind == "ball":
                turn = Rotation.from_rotvec(time * v[columns_v[plain:]]).as_matrix()
                moved[columns_q[plain:]] = quaternion_of(matrix_of(q[columns_q[plain:]]) @ turn)
        return tree.poses(moved)

    for before, after, (pose, twist) in zip(at(-h), at(h), tree.movements(q, v), strict=True):
        spin = (after.R - before.R) / (2.0 * h) @ pose.R.T
        assert (after.p - before.p) / (2.0 * h) == pytest.approx(twist.velocity, abs=1e-8)
        assert (spin[2, 1], spin[0, 2], spin[1, 0]) == pytest.approx(twist.spin, abs=1e-8)


def test_rotations_agree_with_scipy():
    random = np.random.default_rng(3)
    for _ in range(50):
        rotation = Rotation.random(rng=random)
        x, y, z, w = rotation.as_quat()
        assert matrix_of(np.array([w, x, y, z])) == pytest.approx(rotation.as_matrix(), abs=1e-14)
        assert abs(quaternion_of(rotation.as_matrix()) @ (w, x, y, z)) == pytest.approx(1.0, abs=1e-14)
        vector = rotation.as_rotvec()
        angle = np.linalg.norm(vector)
        assert turned(vector / angle, angle) == pytest.approx(rotation.as_matrix(), abs=1e-14)
        roll, pitch, yaw = random.uniform(-1.5, 1.5, size=3)
        expected = Rotation.from_euler("ZYX", (yaw, pitch, roll)).as_matrix()
        assert turned_by((roll, pitch, yaw)) == pytest.approx(expected, abs=1e-14)


def test_fixed_bodies_are_merged():
    """Two boxes fixed together are one node; mass, centre and inertia as by Steiner's theorem."""
    m = kb.Machine("pair")
    one = m.body("one", mass=2.0, inertia=(1.0, 1.0, 1.0))
    two = m.body("two", mass=3.0, inertia=(1.0, 1.0, 1.0))
    m.revolute("hinge", m.ground, one)
    m.fixed("weld", one.at(1.0, 0.0, 0.0), two)
    (node,) = read_tree(m).nodes
    assert node.inertia.mass == 5.0
    assert node.inertia.com == pytest.approx((0.6, 0.0, 0.0))
    assert np.diag(node.inertia.inertia) == pytest.approx((2.0, 2.0 + 1.2, 2.0 + 1.2))  # 2·0.6² + 3·0.4² = 1.2


def test_planar_directions():
    """Normal x, y, z: the next two axes in turn; any other normal: perpendicular and right-handed."""
    for number in range(3):
        first, second = in_plane(np.eye(3)[number])
        assert first == pytest.approx(np.eye(3)[(number + 1) % 3])
        assert second == pytest.approx(np.eye(3)[(number + 2) % 3])
    normal = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    first, second = in_plane(normal)
    assert np.cross(first, second) == pytest.approx(normal)


def test_planar_and_spatial_loops_are_told_apart():
    harvester = read_tree(kb.catalogue.NAMES["harvester-30"]().machine)
    assert [loop.planar for loop in harvester.loops] == [True] * 4

    m = kb.Machine("spatial")
    one, two = (m.body(name, mass=1.0, inertia=(1.0, 1.0, 1.0)) for name in ("one", "two"))
    m.revolute("first", m.ground, one, axis="z")
    m.revolute("second", one, two, axis="x")
    m.revolute("closing", m.ground, two, axis="z", cut=True)
    assert [loop.planar for loop in read_tree(m).loops] == [False]


def test_depth_first():
    """A node's subtree follows it at once: parents never fall back behind a later branch."""
    tree = read_tree(kb.catalogue.NAMES["harvester-30"]().machine)
    path: list[int] = []
    for index, node in enumerate(tree.nodes):
        while path and path[-1] != node.parent:
            path.pop()
        assert node.parent == (path[-1] if path else -1)
        path.append(index)


def test_what_others_lack_is_refused_by_name():
    m = kb.Machine("rodded")
    one, two = (m.body(name, mass=1.0, inertia=(1.0, 1.0, 1.0)) for name in ("one", "two"))
    m.revolute("first", m.ground, one)
    m.revolute("second", one, two)
    m.rod("strut", m.ground.at(1.0, 0.0, 0.0), two.at(1.0, 1.0, 0.0))
    with pytest.raises(PeerError, match="rod 'strut'"):
        read_tree(m)


def test_unmarked_loop_is_refused():
    m = kb.Machine("loop")
    one = m.body("one", mass=1.0, inertia=(1.0, 1.0, 1.0))
    m.revolute("first", m.ground, one)
    m.revolute("closing", m.ground, one)
    with pytest.raises(PeerError, match="'closing' closes a loop: mark it"):
        read_tree(m)
