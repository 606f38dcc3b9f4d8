# SPDX-License-Identifier: BSD-3-Clause
"""Settings of a part by its handle: m["lift"].bore = "90 mm", checked as when the part was made."""

import pytest

import knuckleboom as kb
from knuckleboom.machine.unusual import Unusual


def crane() -> kb.Machine:
    m = kb.Machine("crane")
    boom = m.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    m.revolute("foot", m.ground, boom, axis="y", start="-30 deg")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank"), oil.volume("line", "1 l")
    oil.restrictor("hole", line, tank, area="2 mm2")
    m.cylinder("lift", m.ground.at(0.9, 0, -1), boom.at(0.5, 0, 0), bore="80 mm", rod="40 mm", stroke="0.4 m", oil=oil)
    return m


def refusal(machine, part, /, **settings) -> str:
    before = machine.to_yaml()
    with pytest.raises(kb.MachineError) as caught:
        machine[part].change(**settings)
    assert machine.to_yaml() == before
    return str(caught.value)


def test_of_every_kind_of_part_with_units_and_read_back_in_si():
    m = crane()
    lift = m["lift"]
    lift.bore = "90 mm"
    m["boom"].mass = "0.25 t"
    m["foot"].start = "-20 deg"
    m["oil"].fluid = kb.fluids.constant(870.0, "1.5 GPa")
    m["tank"].pressure = 2e5
    m["lift"].closed = "0.7 m"
    assert lift.bore == m.parts["lift"].bore == pytest.approx(0.09, rel=1e-15)
    assert (m["boom"].mass, m["tank"].pressure, m["lift"].closed) == (250.0, 2e5, 0.7)
    assert m["foot"].start == (pytest.approx(-0.3490658503988659),)
    assert m["oil"].fluid.bulk == 1.5e9
    assert "bore: 90 mm" in m.to_yaml() and kb.Machine.from_yaml(m.to_yaml()) == m
    lift.bore += 0.01
    assert lift.bore == pytest.approx(0.1)
    assert {"bore", "rod", "stroke", "closed", "a", "b"} <= set(dir(lift))


def test_every_setting_of_every_part_takes_its_own_value():
    m = kb.catalogue.machine("harvester-25")
    text = m.to_yaml()
    for name, part in m.parts.items():
        for field in part.model_fields_set - {"name"}:
            setattr(m[name], field, getattr(part, field))
    assert m.to_yaml() == text


def test_in_groups():
    m = kb.Machine("two")
    m.add("left", crane())
    m["left.lift"].bore = "85 mm"
    assert m["left.lift"].bore == 0.085
    assert refusal(m, "left.lift", bore="85 bar") == (
        "1 problem in machine 'two'\n\n1. cylinder 'left.lift': bore: 'bar' is a unit of pressure, not of length; "
        'use one such as in "91 mm".'
    )


@pytest.mark.parametrize(
    ("name", "settings", "text"),
    [
        ("lift", {"bor": 1.0}, "cylinder 'lift': 'bor' is not a setting of cylinder.\n   Closest names: 'bore'"),
        ("lift", {"bore": -1.0}, "cylinder 'lift': bore is -1.00 m; it must be greater than 0."),
        ("lift", {"bore": "30 mm"}, "cylinder 'lift': rod (40 mm) is not thinner than bore (30 mm)."),
        ("lift", {"bore": None}, "cylinder 'lift': bore: nothing is not a number; write one, or a text such as "),
        ("lift", {"part": 1}, "cylinder 'lift': 'part' is not a setting of cylinder."),
        ("oil", {"fluit": 1}, "oil 'oil': 'fluit' is not a setting of oil.\n   Closest names: 'fluid'."),
        ("boom", {"point": 1}, "body 'boom': 'point' is not a setting of body.\n   Closest names: 'points'"),
        ("hole", {"flow": ("1 l/min", "5 bar")}, "restrictor 'hole': it has both area and flow."),
    ],
)
def test_refused_with_the_usual_text(name, settings, text):
    assert text in refusal(crane(), name, **settings)


def test_a_name_is_no_setting():
    with pytest.raises(kb.MachineError, match="cylinder 'lift': its name cannot change"):
        crane()["lift"].name = "other"


def test_one_at_a_time_is_refused_alike():
    with pytest.raises(kb.MachineError, match="Closest names: 'bore'"):
        crane()["lift"].bor = "90 mm"


def test_several_at_once_where_one_alone_would_not_fit():
    m = crane()
    m["hole"].change(area=None, flow=("1 l/min", "5 bar"))
    assert m["hole"].area is None and m["hole"].flow[1] == 5e5
    assert "area" not in m.to_yaml()


def test_unusual_values_are_told_at_the_users_line():
    with pytest.warns(Unusual, match="bore is 80 m") as told:
        crane()["lift"].bore = 80
    assert [one.filename for one in told] == [__file__]


def test_a_doubt_of_a_file_goes_when_its_setting_is_mended(tmp_path):
    text = crane().to_yaml().replace("stroke: 0.4 m", "stroke: 400")
    (tmp_path / "crane.yaml").write_text(text)
    m = kb.read(tmp_path / "crane.yaml")
    assert [doubt.field for doubt in m.doubts] == ["stroke"]
    m["lift"].stroke = "0.4 m"
    assert m.doubts == ()


def test_a_run_takes_it():
    """Twice the bore is a quarter of the holding pressure above ambient."""
    m, pressures = crane(), []
    for bore in ("80 mm", "160 mm"):
        m["lift"].bore = bore
        m["lift"].rod = 0
        pressures.append(kb.equilibrium(m)["lift.a.pressure"] - kb.equilibrium(m)["lift.b.pressure"])
    assert pressures[0] == pytest.approx(4.0 * pressures[1], rel=1e-6)
