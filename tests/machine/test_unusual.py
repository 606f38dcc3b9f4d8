# SPDX-License-Identifier: BSD-3-Clause
"""Values that hardly any machine has are told, at the user's line, and never refused; nothing in the catalogue is."""

import warnings

import pytest

import knuckleboom as kb
from knuckleboom.catalogue import NAMES
from knuckleboom.machine.unusual import Unusual, unusual
from knuckleboom.quantities import BareAngle

FILE = """knuckleboom: 1
machine: small press
oils: {oil: {fluid: {law: cavitating, density: 850, bulk: 1.5 GPa}}}
tanks: {tank: {oil: oil}}
junctions:
  line: {oil: oil, size: 1 l}
pumps:
  pump:
    a: tank
    b: line
    displacement: 28 cm3/rev
    speed: 1500
"""


def press() -> kb.Machine:
    m = kb.Machine("press")
    m.body("ram", mass=10.0, inertia=(1.0, 1.0, 1.0))
    m.prismatic("guide", m.ground, "ram", axis="z")
    m.oil(kb.fluids.mineral_oil())
    return m


def test_a_bore_in_millimetres_without_a_unit_is_told_at_the_users_line():
    m = press()
    with pytest.warns(Unusual, match=r"bore is 80 m, which is 80000 mm; is this meant\?.*write '80 mm'") as told:
        m.cylinder("lift", m.ground, "ram", bore=80, rod="40 mm", stroke="0.5 m", oil="oil")
    assert [one.filename for one in told] == [__file__]
    assert m["lift"].bore == 80.0


def test_an_angle_without_a_unit_is_told_at_the_users_line():
    m = press()
    m.body("arm", mass=10.0, inertia=(1.0, 1.0, 1.0))
    with pytest.warns(BareAngle) as told:
        m.joint_stop("stop", "guide", lower=0.0, upper=0.1, stiffness=1e6)
        m["arm"].frame("turned", rpy=(0.0, 0.0, 90))
    assert [one.filename for one in told] == [__file__]


def test_a_speed_in_a_file_is_a_note_at_its_line(tmp_path):
    (tmp_path / "press.yaml").write_text(FILE)
    [note] = kb.read(tmp_path / "press.yaml").doubts
    assert note.lines == (12, 12) and note.field == "speed"
    assert "speed is 1500 rad/s, which is 14323.9 rpm; is this meant?" in note.rule


@pytest.mark.parametrize("name", [name for name in NAMES if name != "n-four-bar"])
def test_nothing_in_the_catalogue_is_unusual(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        machine = NAMES[name]().machine
    assert [doubt for part in machine.parts.values() for doubt in unusual(part)] == []


@pytest.mark.parametrize(("said", "meant"), [("hinge", "revolute"), ("pivot", "revolute"), ("ram", "cylinder")])
def test_other_names_of_a_kind_are_understood(said, meant):
    with pytest.raises(AttributeError, match=f"Closest names: '{meant}'"):
        getattr(kb.Machine(), said)


def test_an_oil_knows_other_names_too():
    with pytest.raises(AttributeError, match=r"oil 'oil' has no 'throttle'\. Closest names: 'restrictor'"):
        press()["oil"].throttle("t")


def test_a_decimal_comma_is_told():
    with pytest.raises(kb.MachineError, match="'0,7 m' has a comma in its number; write a point"):
        kb.Machine().body("b", mass=1.0, inertia=(1.0, 1.0, 1.0), com=("0,7 m", 0, 0))
