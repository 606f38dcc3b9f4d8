# SPDX-License-Identifier: BSD-3-Clause
"""Robots imported: what becomes of each thing in a file, what is reported, what is refused and how.

That the numbers are right is checked against MuJoCo in validation/programs/test_robots.py.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from exchange.mutations import mutated
from knuckleboom.exchange.mjcf_files import MOST
from knuckleboom.interface.parts import Effort, JointFriction, JointSpring, Spring
from knuckleboom.mechanics.parts import Body, Fixed, Free, Gear, Joint

ROBOTS = Path(__file__).parents[2] / "validation" / "data" / "robots"


def imported(tmp_path: Path, text: str, name: str = "robot.xml", **settings):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return kb.import_robot(path, **settings)


def problems(tmp_path: Path, text: str, name: str = "robot.xml", **settings) -> list[kb.Problem]:
    with pytest.raises(kb.MachineError) as caught:
        imported(tmp_path, text, name, **settings)
    assert str(tmp_path / name) in str(caught.value)
    return caught.value.problems


def told(found, word: str) -> str:
    """The reason of the one entry whose subject has a word in it."""
    (entry,) = [entry for entry in found.left_out if word in entry.what]
    return entry.why


# --- URDF -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def arm():
    return kb.import_robot(ROBOTS / "arm.urdf")


def test_arm_is_complete(arm):
    m = arm.machine
    assert m.name == "six-axis arm"
    assert m.check() == []
    assert [body.name for body in m.of(Body)] == [
        "base", "shoulder", "upper_arm", "forearm", "wrist_1_link", "wrist_cross", "hand", "camera", "left", "right",
    ]  # fmt: skip
    assert m.part("shoulder_pan").KIND == "revolute"
    assert m.part("finger_left").KIND == "prismatic"
    assert isinstance(m.part("mount"), Fixed)
    assert m.of(Gear)[0].ratio == 1.0
    friction = m.of(JointFriction)[1]
    assert (friction.joint, friction.coulomb, friction.viscous) == ("shoulder_lift", 1.5, 0.6)


def test_arm_reads_back_from_yaml(arm):
    assert kb.Machine.from_yaml(arm.machine.to_yaml()) == arm.machine


def test_arm_tells_what_was_left_out(arm):
    assert "-2.8 to 2.8 rad" in next(entry.what for entry in arm.left_out if "'elbow'" in entry.what)
    assert "joint_stop" in told(arm, "limits of joint 'elbow'")
    assert "wrist_1_link" in told(arm, "the name 'wrist 1/link'")
    assert "it is a place there" in told(arm, "link 'tool0'")
    assert "1.15e-12 kg" in told(arm, "link 'wrist_cross'")
    for word in ("mesh 'package://arm", "1 collision shape", "<transmission>", "<gazebo>", "dry friction"):
        assert told(arm, word)
    lines = [entry.line for entry in arm.left_out]
    assert lines == sorted(lines)
    assert f"line {lines[0]}  " in str(arm)


def test_inertia_is_turned_into_the_links_axes(tmp_path):
    """A quarter turn about z swaps xx and yy."""
    text = """<robot name="r"><link name="l"><inertial><origin rpy="0 0 1.5707963267948966"/><mass value="2"/>
    <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
    body = imported(tmp_path, text).machine.part("l")
    assert body.inertia == pytest.approx((2.0, 1.0, 2.5, 0.0, 0.0, 0.0))


LEAF = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'


@pytest.mark.parametrize(("base", "kind"), [(None, "fixed"), ("fixed", "fixed"), ("free", "free")])
def test_root_link_stands_as_asked(tmp_path, base, kind):
    found = imported(tmp_path, f'<robot name="r"><link name="l">{LEAF}</link></robot>', base=base)
    assert [joint.KIND for joint in found.machine.of(Joint)] == [kind]
    assert told(found, "root link 'l'")


def test_link_named_world_is_the_ground(tmp_path):
    text = f"""<robot name="r"><link name="world"/><link name="l">{LEAF}</link>
    <joint name="j" type="floating"><parent link="world"/><child link="l"/></joint></robot>"""
    found = imported(tmp_path, text)
    assert isinstance(found.machine.part("j"), Free)
    assert found.left_out == ()
    assert str(found).endswith("Nothing was left out.")


def test_joint_that_moves_nothing_is_held(tmp_path):
    text = f"""<robot name="r"><link name="a">{LEAF}</link><link name="flag"/><link name="tip"/>
    <joint name="j" type="continuous"><parent link="a"/><child link="flag"/></joint>
    <joint name="k" type="fixed"><parent link="flag"/><child link="tip"/><origin xyz="1 2 3"/></joint></robot>"""
    found = imported(tmp_path, text)
    assert told(found, "revolute joint 'j'") == "it moves nothing with mass; it is held."
    # 'a' is the root and stands on the ground, and so does what is fixed to it
    assert found.machine.ground_part.points["tip"] == (1.0, 2.0, 3.0)


def test_mimic_of_a_mimic_starts_where_both_offsets_put_it(tmp_path):
    joints = ""
    for n in reversed(range(3)):
        mimic = f'<mimic joint="j{n - 1}" multiplier="2" offset="0.5"/>' if n else ""
        joints += f"""<link name="l{n}">{LEAF}</link>
        <joint name="j{n}" type="continuous"><parent link="a"/><child link="l{n}"/>{mimic}</joint>"""
    m = imported(tmp_path, f'<robot name="r"><link name="a">{LEAF}</link>{joints}</robot>').machine
    assert m.part("j1").start == (0.5,)
    assert m.part("j2").start == (2 * 0.5 + 0.5,)
    assert kb.build(m).dof == 1


def test_all_problems_of_a_urdf_at_once(tmp_path):
    text = f"""<robot name="r">
      <link name="a">{LEAF}</link>
      <link name="b"><inertial><mass value="8,4"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
      <joint name="j" type="revolut"><parent link="a"/><child link="b"/></joint>
      <joint name="k" type="fixed"><parent link="aa"/><child link="b"/></joint>
      <joint name="k" type="fixed"/>
    </robot>"""
    found = problems(tmp_path, text)
    assert [(problem.lines[0], problem.rule) for problem in found] == [
        (6, "joint 'k' is there twice; first on line 5."),
        (4, "joint 'j' is of type 'revolut'."),
        (5, "joint 'k' has the parent 'aa', which is not a link."),
    ]
    assert found[1].closest == ("revolute",)
    text = text.replace("revolut", "revolute").replace('link="aa"/><child link="b"', 'link="b"/><child link="c"')
    text = text.replace('<joint name="k" type="fixed"/>', f'<link name="c">{LEAF.replace("1", "-1")}</link>')
    assert {problem.rule for problem in problems(tmp_path, text)} == {
        "link 'b': value of <mass> is '8,4'; it must be a number.",
        "link 'c' has a mass of -1 kg.",
    }


@pytest.mark.parametrize(
    ("inside", "rule"),
    [
        ("", "it has no links."),
        ('<link name="a"/><link name="b"/>', "it has 2 links that are no joint's child: 'a', 'b'."),
        ('<xacro:macro name="leg"/>', "<xacro:macro> is a command of xacro: the file is a template."),
        ('<link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
         '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>',
         "every link is the child of a joint, so there is no root."),
    ],
)  # fmt: skip
def test_urdf_refused(tmp_path, inside, rule):
    assert [problem.rule for problem in problems(tmp_path, f'<robot name="r">{inside}</robot>')] == [rule]


# --- MJCF -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def walker():
    return kb.import_robot(ROBOTS / "walker.xml")


def test_walker_is_complete(walker):
    m = walker.machine
    assert m.check() == []
    assert m.gravity == (0.3, -0.2, -9.7)
    assert m.part("float").KIND == "free"
    assert m.part("hip").KIND == "spherical"
    assert (m.part("four_bar").KIND, m.part("four_bar").cut) == ("spherical", True)
    assert (m.part("differential").ratio, m.part("wheel_right_joint").start) == (-1.5, (pytest.approx(0.18726646),))
    assert [effort.joint for effort in m.of(Effort)] == ["knee"]
    assert [spring.joint for spring in m.of(JointSpring)] == ["knee", "lift"]
    assert m.of(Spring)[0].rest == 0.4
    assert m.part("mast").points["tip"] == (0.4, 0.02, 0.0)
    assert m.part("trunk").frames["imu"].rpy == pytest.approx((0.0, np.pi / 2, 0.0))
    assert m.appearance["trunk"][0].size == pytest.approx((0.5, 0.3, 0.16))
    assert m.appearance["trunk"][0].colour == "#3399e5"
    assert [shape.shape for shape in m.appearance["load"]] == ["sphere", "line"]


def test_walker_tells_what_was_left_out(walker):
    for word, why in {
        "actuator 'slew_servo'": "it is a controller (gain 100, 0, 0; bias 0, -100, 0), not a plain motor.",
        "gear and limits of actuator 'knee_motor'": "40 times MuJoCo's control",
        "armature 0.05 of joint 'knee'": "flywheel 'knee_rotor'",
        "equality 'unused'": "not active",
        "tendon 'sum'": "two sites",
        "contacts of": "m.contact",
        "2 sensors": "recorded",
        "limits of joint 'knee'": "joint_stop",
        "the name 'crank' of a joint": "'crank_joint'",
        "mast_carrier1": "2.23e-12 kg",
    }.items():
        assert why in told(walker, word)


def test_lines_are_those_of_the_file_that_has_the_element(tmp_path):
    (tmp_path / "arm.xml").write_text('<mujoco>\n<worldbody>\n<body name="b"><joint name="b" range="-1 1"/>\n'
                                      '<geom size="1"/></body></worldbody></mujoco>')  # fmt: skip
    found = imported(
        tmp_path, '<mujoco>\n<include file="arm.xml"/>\n<worldbody><geom size="1"/></worldbody>\n</mujoco>'
    )
    (entry,) = [entry for entry in found.left_out if "limits" in entry.what]
    assert (entry.file, entry.line) == (str(tmp_path / "arm.xml"), 3)


MODEL = '<mujoco><worldbody><body name="b">{}<geom size="0.1"/></body></worldbody>{}</mujoco>'


def test_names_that_the_file_does_not_give_are_made(tmp_path):
    text = '<mujoco><worldbody><body>{0}<geom size="1"/><body>{0}<geom size="1"/></body></body></worldbody></mujoco>'
    found = imported(tmp_path, text.format('<joint axis="1 0 0"/><joint/>'))
    names = [joint.name for joint in found.machine.of(Joint)]
    assert names == ["body_1_joint", "body_1_joint2", "body_2_joint", "body_2_joint2"]
    assert "the name" not in str(found)


def test_what_has_no_counterpart_is_told(tmp_path):
    joints = '<joint name="j"/><joint name="k" axis="1 0 0"/><joint name="w" type="ball" stiffness="3" armature="1"/>'
    rest = """<equality><joint joint1="j" joint2="k" polycoef="0 1 2 0 0"/><joint joint1="k"/></equality>
    <actuator><motor name="m" joint="w" gear="1 0 0"/><position name="p" joint="j"/></actuator>
    <option density="1.2"><flag gravity="disable" spring="disable"/></option>"""
    found = imported(tmp_path, MODEL.format(joints, rest))
    assert found.machine.gravity == (0.0, 0.0, 0.0)
    text = str(found)
    for word in ("polynomial", "make it a fixed joint", "stiffness 3 of joint 'w'", "armature 1 of joint 'w'",
                 "does not act on a hinge", "a controller", "density", "switches spring off"):  # fmt: skip
        assert word in text


def test_mjcf_refused_with_mujocos_reason(tmp_path):
    (problem,) = problems(tmp_path, MODEL.format('\n<joint name="j" axis="0 0 0"/>', ""))
    assert "axis too small in joint" in problem.rule
    assert problem.lines == (2, 2)
    (problem,) = problems(tmp_path, MODEL.format("", ""), base="free")
    assert "base is for URDF" in problem.rule


def test_mujoco_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    (problem,) = problems(tmp_path, MODEL.format("", ""))
    assert problem.rule == "reading MJCF needs the package mujoco, which is not installed."
    assert "pip install 'knuckleboom[robots]'" in problem.fix
    assert imported(tmp_path, f'<robot name="r"><link name="l">{LEAF}</link></robot>').machine.of(Body)


# --- files that nobody should trust -----------------------------------------------------------------------------------

BOMB = """<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<robot name="&b;"><link name="l"/></robot>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a SYSTEM "/etc/hostname">]><robot name="r">&a;</robot>"""


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, BOMB.replace("robot", "mujoco")])
def test_document_types_are_refused(tmp_path, text):
    (problem,) = problems(tmp_path, text)
    assert problem.rule.startswith("it has a document type")


@pytest.mark.parametrize(
    "value", ["/etc/passwd", "../secret.xml", "sub/../../secret.xml", "http://a.b/c.xml", "link.xml"]
)
@pytest.mark.parametrize("element", ['<include file="{}"/>', '<asset><mesh name="m" file="{}"/></asset>'])
def test_no_file_outside_is_opened(tmp_path, value, element):
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    (folder / "link.xml").symlink_to(tmp_path / "secret.xml")
    (problem,) = problems(folder, f"<mujoco>{element.format(value)}</mujoco>")
    assert "which is not in the folder" in problem.rule


def test_folders_of_assets_and_included_files_are_looked_at_too(tmp_path):
    folder = tmp_path / "robot"
    folder.mkdir()
    text = '<mujoco><compiler meshdir=".."/><asset><mesh file="m.stl"/></asset></mujoco>'
    assert "which is not in the folder" in problems(folder, text)[0].rule
    (folder / "part.xml").write_text('<mujoco><asset><mesh file="../m.stl"/></asset></mujoco>')
    (problem,) = problems(folder, '<mujoco><include file="part.xml"/></mujoco>')
    assert problem.file == str(folder / "part.xml")


def test_within_allows_a_folder_above(tmp_path):
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "body.xml").write_text(MODEL.format('<joint name="j"/>', ""))
    assert imported(folder, '<mujoco><include file="../body.xml"/></mujoco>', within=tmp_path).machine.part("j")


@pytest.mark.parametrize(
    ("inside", "rule"),
    [
        (f'<worldbody><replicate count="{MOST}"><body/></replicate></worldbody>', "more than 100000 elements"),
        (
            '<worldbody><replicate count="999"><replicate count="999"><body/></replicate></replicate></worldbody>',
            "elements",
        ),
        (
            '<asset><texture name="t" builtin="flat" width="100000" height="100000" type="2d"/></asset>',
            "50000000 values",
        ),
        ('<size nuserdata="999999999999"/>', "50000000 values"),
        ('<worldbody><body name="a%n%s"/></worldbody>', "with a % that MuJoCo cannot be given"),
        ('<worldbody><body pos="0 0 nan"/></worldbody>', "is not finite"),
        ("<worldbody>" + "<body>" * 500 + "</body>" * 500 + "</worldbody>", "levels deep"),
        ('<include file="robot.xml"/>', "MuJoCo cannot read it"),
    ],
)
def test_bounds(tmp_path, inside, rule):
    (problem,) = problems(tmp_path, f"<mujoco>{inside}</mujoco>")
    assert rule in problem.rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "it is not XML: no element found."),
        ("<robot", "it is not XML: unclosed token."),
        ("<sdf/>", "its root element is <sdf>."),
        ("knuckleboom: 1\n", "it is not XML: syntax error."),
        ('<?xml version="1.0" encoding="klingon"?><robot/>', "its encoding cannot be read: unknown encoding: klingon."),
    ],
)
def test_not_a_robot(tmp_path, text, rule):
    assert [problem.rule for problem in problems(tmp_path, text)] == [rule]


def test_no_file(tmp_path):
    for path, rule in ((tmp_path / "no.urdf", "there is no such file."), (tmp_path, "it is a folder.")):
        with pytest.raises(kb.MachineError) as caught:
            kb.import_robot(path)
        assert caught.value.problems[0].rule == rule
    with pytest.raises(kb.MachineError, match="There is no base 'loose'"):
        kb.import_robot(ROBOTS / "arm.urdf", base="loose")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arm.urdf", "walker.xml", "gripper.xml"])
def test_mutations_are_sentences(tmp_path, monkeypatch, name):
    """Whatever becomes of a file, it is imported or refused in words; nothing is written beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "defaults.xml").write_bytes((ROBOTS / "defaults.xml").read_bytes())
    path, text = tmp_path / name, (ROBOTS / name).read_text(encoding="utf-8")
    refused = 0
    for seed in range(150):
        path.write_bytes(mutated(text, np.random.default_rng(seed)))
        try:
            str(kb.import_robot(path))
        except kb.MachineError as error:
            refused += 1
            assert all(problem.rule for problem in error.problems)
            assert name in str(error)
    assert refused > 75
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted({name, "defaults.xml"})
