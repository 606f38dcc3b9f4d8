# SPDX-License-Identifier: BSD-3-Clause
"""Inertias of robots' files that no mass could have: kept, added to a heavier link, or repaired, and always noted.

That what is kept moves as in Pinocchio is in validation/programs/test_robot_inertias.py.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.exchange.inertias import LEAST, add, is_placeholder, is_possible, nearest_possible
from knuckleboom.exchange.pose import from_rpy, six
from knuckleboom.exchange.robot import Link
from knuckleboom.mechanics.parts import Body

ROBOTS = Path(__file__).parents[2] / "validation" / "data" / "robots"
KEPT = "no mass could have it; it is kept as given, and the mass matrix is positive definite."


def notes(file: str) -> dict[str, str]:
    found = kb.import_robot(ROBOTS / file)
    assert found.machine.check() == []
    assert kb.Machine.from_yaml(found.machine.to_yaml()) == found.machine
    return {entry.what: entry.why for entry in found.left_out if "limits" not in entry.what}


def test_broken_triangle_is_kept():
    assert notes("triangle.urdf") == {
        "inertia (0.1, 0.1, 0.9) kg·m² of link 'column'": KEPT,
        "inertia (0.675174, 0.405795, 0.31903, 0.314479, 0.103826, 0.0465599) kg·m² of link 'boom'": KEPT,
        "inertia (0.01, 0.05, 0.01) kg·m² of link 'tool'": KEPT,
    }


def test_placeholders_are_added_to_what_carries_them():
    added = "it is fixed to 'arm' and added to it as given."
    assert notes("placeholders.urdf") == {
        "link 'camera' of 0.1 kg with inertia (0, 0, 0) kg·m²": added,
        "link 'lidar' of 0.3 kg with inertia (1, 1, 1) kg·m²": added,
        "link 'mount' of 1e-06 kg with inertia (1e-06, 1e-06, 1e-06) kg·m²": added,
        "link 'marker' of 0 kg with inertia (0.001, 0.001, 0.001) kg·m²": added,
        "link 'gripper' of 0.8 kg with inertia (0.002, -0.001, 0.004, 0, 0, 0.001) kg·m²": added,
        "link 'flag'": "it moves and has no mass; it has 1.24e-11 kg here.",
    }


def test_negative_moment_is_kept_where_the_mass_matrix_allows_it():
    assert notes("negative.urdf") == {"inertia (0.01, -0.05, 0.3) kg·m² of link 'arm'": KEPT}


def test_smallest_repair_is_stated():
    assert notes("impossible.urdf") == {
        "inertia (0.01, -2, 0.3) kg·m² of link 'arm'": (
            "no mass could have it, and nothing could move with it; here it is (0.155, 2e-06, 0.155) kg·m²."
        )
    }


def test_mjcf_that_mujoco_refuses_is_read():
    assert notes("triangle.xml") == {
        "inertia (0.1, 0.1, 0.9) kg·m² of link 'column'": KEPT,
        "link 'sensor' of 0.01 kg with inertia (1, 1, 1) kg·m²": "it is fixed to 'boom' and added to it as given.",
        "inertia (0.01, 0.05, 0.01) kg·m² of link 'tool'": KEPT,
    }


def test_places_of_what_was_added_are_still_there():
    arm = kb.import_robot(ROBOTS / "placeholders.urdf").machine.part("arm")
    assert set(arm.points) | set(arm.frames) == {"mount", "camera", "lidar", "marker", "gripper"}


def test_an_imported_robot_runs():
    machine = kb.import_robot(ROBOTS / "triangle.urdf").machine
    assert kb.simulate(machine, "0.1 s").energy().relative_residual < 1e-6


def test_a_real_part_that_is_fixed_stays_a_body(tmp_path):
    inertial = '<inertial><mass value="{}"/><inertia ixx="{}" iyy="{}" izz="{}"/></inertial>'
    text = f"""<robot name="r"><link name="world"/><link name="a">{inertial.format(5, 1, 2, 2.5)}</link>
    <link name="b">{inertial.format(1, 0.1, 0.2, 0.25)}</link>
    <joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint>
    <joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint></robot>"""
    (tmp_path / "r.urdf").write_text(text)
    found = kb.import_robot(tmp_path / "r.urdf")
    assert [body.name for body in found.machine.of(Body)] == ["a", "b"]
    assert found.left_out == ()


@pytest.mark.parametrize(
    ("mass", "moments", "answer"),
    [(1, (0, 0, 0), True), (0, (0, 0, 0), False), (0, (1, 2, 2), True), (1, (1e-6, 1e-6, 1e-6), True),
     (1, (1, 1, 1), True), (1, (0.3, 0.3, 0.3), False), (1, (1, 1, 5), True), (1, (1, 2, 2.5), False)],
)  # fmt: skip
def test_which_are_placeholders(mass, moments, answer):
    assert is_placeholder(Link("l", None, mass=mass, inertia=np.diag(np.array(moments, float)))) is answer


def test_sum_of_two_links_is_that_of_their_points():
    """Against point masses summed one by one."""
    random = np.random.default_rng(3)
    pose = from_rpy((0.3, -0.2, 0.5), (0.4, 0.5, -0.6))
    links, points = [], []
    for place in (from_rpy((0, 0, 0), (0, 0, 0)), pose):
        masses, at = random.uniform(0.1, 1.0, 6), random.normal(size=(6, 3))
        com = masses @ at / masses.sum()
        links.append(Link("l", None, mass=masses.sum(), com=com, inertia=about(masses, at - com)))
        points.append((masses, at @ place.R.T + place.p))
    add(links[0], links[1], pose)
    masses, at = (np.concatenate(parts) for parts in zip(*points, strict=True))
    com = masses @ at / masses.sum()
    assert links[0].mass == pytest.approx(masses.sum())
    assert links[0].com == pytest.approx(com)
    assert links[0].inertia == pytest.approx(about(masses, at - com))


def about(masses, r):
    return sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, r, strict=True))


MOMENT = st.floats(min_value=-10.0, max_value=10.0)


@given(st.tuples(MOMENT, MOMENT, MOMENT), st.tuples(MOMENT, MOMENT, MOMENT), st.integers(0, 2**32))
def test_repair_is_possible_and_none_is_nearer(diagonal, products, seed):
    xy, xz, yz = products
    matrix = np.diag(diagonal) + np.array([[0, xy, xz], [xy, 0, yz], [xz, yz, 0]])
    size = float(abs(np.linalg.eigvalsh(matrix)).max())
    if size < 1e-3:
        return
    found = nearest_possible(matrix)
    distance = np.linalg.norm(found - matrix)
    assert is_possible(found)
    assert np.linalg.eigvalsh(found)[0] > 0.0
    random = np.random.default_rng(seed)
    for _ in range(20):
        other = found + 0.05 * size * _symmetric(random)
        moments = np.linalg.eigvalsh(other)
        if moments[0] + moments[1] - moments[2] >= LEAST * size:
            assert np.linalg.norm(other - matrix) > distance - 1e-9 * size


def _symmetric(random):
    values = random.normal(size=(3, 3))
    return 0.5 * (values + values.T)


# --- a body that says so ----------------------------------------------------------------------------------------------


def test_a_body_may_have_its_inertia_as_given():
    machine = kb.Machine("plate")
    with pytest.raises(kb.MachineError, match="If it is meant: inertia_as_given: true"):
        machine.body("plate", mass=1, inertia=(1, 1, 5))
    plate = machine.body("plate", mass=1, inertia=(1, 1, 5), inertia_as_given=True)
    machine.revolute("hinge", machine.ground, plate, speed="1 rad/s")
    assert machine.check() == []
    assert kb.Machine.from_yaml(machine.to_yaml()) == machine
    assert kb.simulate(machine, "0.1 s")["plate.angular_velocity"].values[-1][2] == pytest.approx(1.0)
    assert six(np.diag([1.0, 1.0, 5.0])) == machine["plate"].inertia
