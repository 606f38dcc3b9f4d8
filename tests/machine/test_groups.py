# SPDX-License-Identifier: BSD-3-Clause
"""Groups: copies with a prefix and a placement. Expected poses are closed form: R = Rz·Ry·Rx, p = p₀ + R·p₁."""

import math
from pathlib import Path

import numpy as np
import pytest

from knuckleboom.describe import Place
from knuckleboom.errors import MachineError
from knuckleboom.machine import Located, Machine, read, write
from knuckleboom.machine.placement import angles, composed, rotation
from machine.example import lifting_boom

QUARTER = math.pi / 2


def arm() -> Machine:
    m = Machine("arm")
    m.ground.point("eye", (1.0, 0.0, 0.0))
    link = m.body("link", mass=1.0, inertia=(1, 1, 1))
    link.point("end", (0, 0, 1))
    m.revolute("pin", m.ground, link)
    m.spring("helper", "ground.eye", "link.end", 10.0)
    m.rod("brace", m.ground.at(0, 2, 0), link.at(0, 0, 1))
    m.torque("twist", "link")
    link.shape("box", size=(1, 1, 1))
    return m


def random_rotations() -> list[tuple[float, float, float]]:
    rng = np.random.default_rng(2)
    return [(float(a), float(b), float(c)) for a, b, c in rng.uniform(-4, 4, (50, 3))]


def test_rotation_is_roll_then_pitch_then_yaw() -> None:
    for roll, pitch, yaw in random_rotations():
        cr, sr, cp, sp, cy, sy = (f(v) for v in (roll, pitch, yaw) for f in (math.cos, math.sin))
        x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
        y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        assert np.allclose(rotation((roll, pitch, yaw)), z @ y @ x, atol=1e-15)


@pytest.mark.parametrize("pitch", [0.3, QUARTER, -QUARTER])
def test_angles_are_the_inverse(pitch: float) -> None:
    for roll, _, yaw in random_rotations():
        matrix = rotation((roll, pitch, yaw))
        assert np.allclose(rotation(angles(matrix)), matrix, atol=1e-12)


@pytest.mark.parametrize("away", [1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14])
def test_angles_are_the_inverse_near_the_pole(away: float) -> None:
    random = np.random.default_rng(7)
    for roll, yaw, side in zip(*random.uniform(-3.0, 3.0, size=(2, 50)), random.choice((-1.0, 1.0), 50), strict=True):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        # there and back, so that the matrix is a rotation only to rounding
        matrix = turn.T @ (turn @ np.array(rotation((roll, side * (math.pi / 2 - away), yaw))))
        assert np.allclose(rotation(angles(tuple(map(tuple, matrix.tolist())))), matrix, atol=3e-12)


def test_composition_is_the_product() -> None:
    for outer, inner in zip(random_rotations(), reversed(random_rotations()), strict=True):
        found = composed(Located("b", (1.0, 2.0, 3.0), outer), (0.5, -1.0, 2.0), inner)
        assert np.allclose(rotation(found.rpy), np.array(rotation(outer)) @ np.array(rotation(inner)), atol=1e-12)
        assert np.allclose(found.at, np.array([1.0, 2.0, 3.0]) + np.array(rotation(outer)) @ [0.5, -1.0, 2.0])


def test_copies_with_prefix() -> None:
    m = lifting_boom()
    tip = m["boom"].point("tip", (1, 0, 0))
    m.add("left", arm(), onto=tip, at=(0, 1, 0))
    m.add("right", arm(), onto=tip, at=(0, -1, 0), rpy=(0, 0, "180 deg"))

    assert m.check() == []
    assert m.part("left.pin").a == Place(body="boom", at=(1, 1, 0))
    assert m.part("left.pin").b == Place(ref="left.link")
    assert m.part("left.helper").a == Place(ref="boom.left.eye")
    assert m.locate(m.part("left.helper").a) == ("boom", (2.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    assert m.part("left.brace").a == Place(body="boom", at=(1, 3, 0))
    assert m.part("left.twist").body == "left.link"
    assert "left.link" in m.appearance

    turned = m.locate(m.part("right.helper").a)
    assert np.allclose(turned.at, (0, -1, 0), atol=1e-15) and turned.rpy == (0.0, 0.0, math.pi)


def test_oil_of_a_group() -> None:
    m = Machine("two booms")
    m.add("a", lifting_boom())
    m.add("b", lifting_boom(), at=(0, 2, 0))

    assert m.check() == []
    assert m.part("a.spool").A == "a.lift.a"
    assert m.part("b.lift").oil == "b.oil"
    assert m.port_owner("b.lift.a") == m.part("b.lift")


def test_group_of_a_group_is_flat_and_round_trips() -> None:
    inner = Machine("pair")
    inner.add("one", arm(), at=(0, 0, 1), rpy=(0.1, 0.2, 0.3))
    m = Machine("four")
    m.add("left", inner, at=(0, 1, 0))
    m.add("right", inner, at=(0, -1, 0), rpy=(0, 0, 1))

    assert m.check() == []
    assert "left.one.link" in m.parts
    assert Machine.from_yaml(m.to_yaml()) == m


def test_nothing_changes_on_a_problem() -> None:
    m = lifting_boom()
    m.add("left", arm())
    before = m.to_yaml()

    with pytest.raises(MachineError, match="there is a body of that name already"):
        m.add("left", arm())
    with pytest.raises(MachineError, match="Closest names: 'boom'"):
        m.add("other", arm(), onto="bom")
    with pytest.raises(MachineError, match="its name is not allowed"):
        m.add("two words", arm())
    with pytest.raises(MachineError, match="not a list of 3 values"):
        m.add("other", arm(), at=(1, 2))
    assert m.to_yaml() == before


def test_groups_in_files(tmp_path: Path) -> None:
    (tmp_path / "arms").mkdir()
    write(arm(), tmp_path / "arms" / "arm.yaml")
    text = (
        lifting_boom().to_yaml()
        + "\ngroups:\n  left: {file: arms/arm.yaml, onto: boom, at: [0, 1, 0], rpy: [0, 0, 10 deg]}\n"
    )
    (tmp_path / "crane.yaml").write_text(text)

    found = read(tmp_path / "crane.yaml")

    expected = lifting_boom()
    expected.add("left", arm(), onto="boom", at=(0, 1, 0), rpy=(0, 0, "10 deg"))
    assert found == expected
    assert found.sources["left.link"].file.endswith("arm.yaml")
