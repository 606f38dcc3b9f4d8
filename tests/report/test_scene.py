# SPDX-License-Identifier: BSD-3-Clause
"""What the viewer is given: shapes and default shapes in their places, poses as recorded, few frames, all finite."""

import base64
import json

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.report.scene import MOST_FRAMES, chosen_frames, scene
from report.machines import four_bar, one_of_each
from results.made_up_run import made_up_run


def unpacked(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


@pytest.fixture(scope="module")
def bars():
    return kb.simulate(four_bar(), "0.5 s")


def test_poses_are_those_of_the_record(bars):
    drawn = scene(bars)
    time, poses = unpacked(drawn["time"]), unpacked(drawn["poses"]).reshape(-1, 3, 7)

    assert drawn["bodies"] == ["crank", "coupler", "rocker"]
    assert len(time) == len(poses) <= MOST_FRAMES
    assert time[-1] == np.float32(bars.time[-1])
    for number, name in enumerate(drawn["bodies"]):
        np.testing.assert_allclose(poses[-1, number, :3], bars[f"{name}.position"].values[-1], atol=1e-6)
        np.testing.assert_allclose(poses[-1, number, 3:], bars[f"{name}.orientation"].values[-1], atol=1e-6)


def test_a_bar_without_shapes_is_a_stick_between_its_joints(bars):
    sticks = [solid for solid in scene(bars)["solids"] if solid["mesh"] == "cylinder" and solid["body"] == 1]
    long = max(sticks, key=lambda solid: solid["size"][2])

    assert long["size"][2] == pytest.approx(0.7)
    assert long["at"] == pytest.approx([0.35, 0.0, 0.0])
    w, x, y, z = long["turn"]  # takes z to x
    assert [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)] == pytest.approx([1, 0, 0], abs=1e-12)
    balls = [solid["at"] for solid in scene(bars)["solids"] if solid["mesh"] == "sphere" and solid["body"] == 1]
    assert [0.35, 0.0, 0.0] in balls  # the centre of mass


def test_every_shape_and_line_is_drawn():
    drawn = scene(kb.simulate(one_of_each(), "50 ms", step="0.1 ms"))
    arm = [solid for solid in drawn["solids"] if solid["body"] == 0]

    assert [solid["mesh"] for solid in arm[:7]] == [
        "box",
        "cylinder",
        "cylinder",
        "sphere",
        "sphere",
        "sphere",
        "cylinder",
    ]
    assert [line["form"] for line in drawn["lines"]] == ["coil", "ram", "ram"]
    lift = drawn["lines"][2]
    assert lift["rod"] == 0.015 and lift["a"] == [-1, [0.8, 0.0, -0.5]] and lift["b"] == [0, [0.5, 0.0, 0.0]]
    json.dumps(drawn, allow_nan=False)  # plain and finite


def test_a_body_that_is_held_at_its_centre_is_the_box_of_its_inertia():
    m = kb.Machine("rotor")
    rotor = m.body("rotor", mass=12.0, inertia=(1.0 + 4.0, 9.0 + 4.0, 9.0 + 1.0))  # sides 3, 1, 2: I = m/12·(b² + c²)
    m.revolute("axle", m.ground, rotor, axis="z", speed=1.0)
    (box,) = [solid for solid in scene(kb.simulate(m, "10 ms"))["solids"] if solid["mesh"] == "box"]

    assert sorted(box["size"]) == pytest.approx([1.0, 2.0, 3.0])


def test_bounds_hold_every_place(bars):
    low, high = np.array(scene(bars)["bounds"])

    for name in ("crank.tip", "coupler.tip", "rocker.tip"):
        place = bars[f"{name}.position"].values
        assert (place >= low - 1e-9).all() and (place <= high + 1e-9).all()


@pytest.mark.parametrize(("records", "bodies"), [(1, 1), (2, 3), (1001, 30), (10**6, 5), (5000, 10**5)])
def test_frames_are_few_and_keep_both_ends(records, bodies):
    frames = chosen_frames(records, bodies)

    assert frames[0] == 0 and frames[-1] == records - 1 and len(frames) <= MOST_FRAMES
    assert (np.diff(frames) > 0).all()


def test_results_without_outline_have_no_scene():
    assert scene(made_up_run()) is None


def test_a_hidden_spring_is_not_drawn(tmp_path):
    m = one_of_each()
    m.hide("spring")
    kb.write(m, tmp_path / "hidden.yaml")
    for machine in (m, kb.read(tmp_path / "hidden.yaml")):
        drawn = scene(kb.simulate(machine, "50 ms", step="0.1 ms"))
        assert {line["name"] for line in drawn["lines"]} == {"damper", "lift"}


@pytest.mark.parametrize(
    "name", ["excavator", "harvester-30", "crane-one-cylinder", "naya-rod", "four-bar", "mine-loader", "mobile-crane"]
)
def test_the_side_view_of_a_machine_that_works_in_xz_goes_along_y(name):
    case = kb.catalogue.NAMES[name]()
    run = kb.simulate(case.machine, "2 ms", step=case.step, **case.method)

    # yaw 0 looks along y, with x to the right; pins of a machine that stands on the ground lean a little, by its loads
    assert scene(run)["side"] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize(("axis", "side"), [((1, 0, 0), 90.0), ((0, 1, 0), 0.0), ((1, 1, 0), -45.0), ((0, 0, 1), 0.0)])
def test_the_side_view_goes_along_the_pins(axis, side):
    m = kb.Machine("crane")
    post = m.body("post", mass=10.0, inertia=(1.0, 1.0, 1.0))
    m.revolute("slewing", m.ground, post, axis="z")
    arm = m.body("arm", mass=10.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.0, 1.0))
    m.revolute("pin", post.at(0.0, 0.0, 1.0), arm, axis=axis)

    assert scene(kb.simulate(m, "2 ms"))["side"] == pytest.approx(side, abs=1e-6)


def test_ground_is_drawn_as_it_is_computed():
    m = kb.Machine("rig")
    body = m.body("body", mass=1.0, inertia=(1.0, 1.0, 1.0))
    m.free("f", m.ground, body, start=(1, 1, 3, 0, 0, 0))
    heights = [[0.0, 0.2, 0.1], [0.3, -0.4, 0.0]]
    m.terrain("field", heights=heights, spacing="2 m", at=(-1, 0, 0.5))
    m.terrain("deep", at=(0, 0, -2))
    m.terrain("wall", normal="x", at=(-3, 0, 0))
    drawn = scene(kb.simulate(m, "10 ms", step="1 ms", coupling="explicit"))
    field, wall = (unpacked(one["points"]).reshape(one["rows"], one["columns"], 3) for one in drawn["sheets"])

    # every given height, and one between
    assert field[::2, ::2, 2] == pytest.approx(0.5 + np.array(heights))
    assert field[:, 0, 0] == pytest.approx([-1.0, 0.0, 1.0])
    assert field[0, :, 1] == pytest.approx([0.0, 1.0, 2.0, 3.0, 4.0])
    # the wall is beside the body, the floor below everything
    assert wall[..., 0] == pytest.approx(np.full((2, 2), -3.0))
    assert wall.mean(axis=(0, 1)) == pytest.approx([-3.0, 1.0, 3.0], abs=1e-3)
    assert drawn["floor"] == -2.0
    assert drawn["bounds"][0][0] > -1.5
    json.dumps(drawn, allow_nan=False)


def test_without_terrain_the_viewer_finds_the_floor(bars):
    assert (scene(bars)["sheets"], scene(bars)["floor"]) == ([], None)
