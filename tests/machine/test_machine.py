# SPDX-License-Identifier: BSD-3-Clause
"""Machine in Python: makers, handles, places, errors that name the part. Expected values follow from definitions."""

import copy
import inspect
import math
import pickle

import numpy as np
import pytest

from knuckleboom.analysis.cylinder_bodies import cylinder_bodies
from knuckleboom.describe import Part, Place, Port, param
from knuckleboom.errors import MachineError, Problem
from knuckleboom.hydraulics.parts import Pressure, Restrictor
from knuckleboom.interface.parts import Cylinder
from knuckleboom.machine import Machine, all_kinds
from knuckleboom.mechanics.parts import Body, Fixed, Free, Joint, Revolute, Spherical
from machine.example import lifting_boom


def pendulum() -> Machine:
    m = Machine("pendulum")
    bob = m.body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute("pin", m.ground, bob)
    return m


def test_example_is_sound() -> None:
    m = lifting_boom()

    assert m.check() == []
    assert m.check() == []
    assert list(m.parts) == ["boom", "foot", "oil", "lift", "pump", "tank", "spool"]
    assert m.of(Joint) == [m.parts["foot"]]
    assert [part.name for part in m.of(Pressure)] == ["pump"]


def test_values_are_si() -> None:
    lift = lifting_boom()["lift"].part

    assert isinstance(lift, Cylinder)
    assert (lift.bore, lift.rod, lift.stroke, lift.dead_a) == (0.091, 0.0, 0.442, 1e-4)
    assert lift.area_a == pytest.approx(math.pi / 4 * 0.091**2)


def test_handles_give_ports_and_settings() -> None:
    m = lifting_boom()
    lift = m["lift"]

    assert lift.a == "lift.a" and isinstance(lift.a, Port)
    assert lift.bore == 0.091
    assert m["spool"].A == "lift.a"
    assert "a" in dir(lift) and "bore" in dir(lift)
    with pytest.raises(AttributeError, match="Closest names: 'bore'"):
        _ = lift.boer


def test_makers_come_from_the_list() -> None:
    m = Machine()
    for kind in all_kinds():
        assert kind in dir(m)
        assert inspect.signature(getattr(m, kind)).parameters
        assert getattr(m, kind).__doc__
    with pytest.raises(AttributeError, match="Closest names: 'revolute'"):
        m.revolut("foot")


def test_positions_follow_field_order() -> None:
    m = pendulum()
    m.spring("s", m.ground, "bob", 1000.0)
    m.oil({"law": "cavitating", "density": 860, "bulk": "1.4 GPa"})
    m.oil("other", {"law": "cavitating", "density": 860, "bulk": "1.4 GPa"})

    assert m.part("s").stiffness == 1000.0
    assert m["oil"].volume("hose", "1 l").part.oil == "oil"
    assert m["other"].fluid == m["oil"].fluid
    with pytest.raises(TypeError, match="by position and by name"):
        m.spring("t", m.ground, "bob", 1.0, stiffness=2.0)
    with pytest.raises(TypeError, match="by position"):
        m.damper("d", m.ground, "bob", 1.0, 2.0)


def test_places() -> None:
    m = pendulum()
    bob = m["bob"]
    tip = bob.point("tip", (1, 0, "20 mm"))
    flange = bob.frame("flange", at=(0, 1, 0), rpy=("90 deg", 0, 0))

    assert m.locate(tip) == ("bob", (1.0, 0.0, 0.02), (0.0, 0.0, 0.0))
    assert m.locate(flange) == ("bob", (0.0, 1.0, 0.0), (math.pi / 2, 0.0, 0.0))
    assert m.locate(Place(ref="bob")).at == (0.0, 0.0, 0.0)
    assert bob.at(1, 2, 3) == bob.at((1, 2, 3)) == bob.at(np.array([1.0, 2.0, 3.0]))
    assert m.ground.point("anchor", (0, 0, 2)).ref == "ground.anchor"
    assert m.locate(Place(ref="ground.anchor")).body == "ground"
    assert not m.has_place(Place(ref="bob.nose"))
    with pytest.raises(MachineError, match="has 'tip' already"):
        bob.point("tip", (0, 0, 0))
    with pytest.raises(MachineError, match="is not a list of 3 values"):
        bob.at(1, 2)


def test_inertia_forms_are_equal() -> None:
    full = Body(name="b", mass=1, inertia=[[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]])

    assert full == Body(name="b", mass=1, inertia=(3, 4, 5, 0.1, 0.2, 0.3))
    assert Body(name="b", mass=1, inertia=(3, 4, 5)).inertia == (3, 4, 5, 0, 0, 0)
    assert full == Body(name="b", mass=1, inertia=np.array([[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]))


def test_inertia_of_real_bodies_is_accepted() -> None:
    m = Machine()
    rng = np.random.default_rng(1)
    for index in range(50):
        points = rng.normal(size=(rng.integers(1, 5), 3)) * rng.uniform(1e-3, 1e3)
        points = points - points.mean(axis=0)
        inertia = sum(p @ p * np.eye(3) - np.outer(p, p) for p in points)
        m.body(f"b{index}", mass=1.0, inertia=inertia)
    assert len(m.parts) == 50


def test_start_values() -> None:
    assert Revolute(name="j", a="ground", b="b", start="90 deg").start == (math.pi / 2,)
    assert Revolute(name="j", a="ground", b="b").start == (0.0,)
    assert Fixed(name="j", a="ground", b="b").start == ()
    assert Free(name="j", a="ground", b="b", start=(1, 2, 3, 0, 0, "90 deg")).start[5] == math.pi / 2
    assert len(Spherical(name="j", a="ground", b="b").speed) == 3


def test_at_is_folded_into_a() -> None:
    joint = Revolute(name="j", a="ground", b="b", at=(1, 0, 0))

    assert joint.a == Place(body="ground", at=(1, 0, 0))
    assert joint.b == Place(ref="b")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda m: m.body("b", mass=-1, inertia=(1, 1, 1)), r"body 'b': mass is -1.00 kg; it must be greater than 0"),
        (lambda m: m.body("b", mass="2 m", inertia=(1, 1, 1)), "unit of length, not of mass"),
        (lambda m: m.body("b", mass=math.inf, inertia=(1, 1, 1)), "inf is not a finite number"),
        (lambda m: m.body("b", mass=True, inertia=(1, 1, 1)), "true is not a number"),
        (lambda m: m.body("b", mass=10**400, inertia=(1, 1, 1)), "is not a number that can be kept"),
        (lambda m: m.body("b", inertia=(1, 1, 1)), "'mass' is missing"),
        (lambda m: m.body("b", maas=1, inertia=(1, 1, 1)), "Closest names: 'mass'"),
        (lambda m: m.body("b", mass=1, inertia=(1, 1, 5)), "larger than the sum of the other two"),
        (lambda m: m.body("bob", mass=1, inertia=(1, 1, 1)), "there is a body of that name already"),
        (lambda m: m.body("ground", mass=1, inertia=(1, 1, 1)), "there is a ground of that name already"),
        (lambda m: m.body("two words", mass=1, inertia=(1, 1, 1)), "its name is not allowed"),
        (lambda m: m.revolute("j", 5, "bob"), "5 is not a place"),
        (lambda m: m.restrictor("r", "p", "t"), "neither area nor flow"),
        (lambda m: m.force("f", "bob", "z", frame="wold"), "it must be 'world' or 'body'"),
        (lambda m: m["bob"].shape("box", size=(1, 1)), "a box has 3 of size, not 2"),
        (lambda m: m["bob"].shape("box", sise=(1, 1)), "Closest names: 'size'"),
        (lambda m: m["bob"].point_mass("p", -1), "point_masses.p.mass is -1.0; it must be at least 0"),
        (lambda m: setattr(m, "gravity", (0, 0)), r"gravity: \[0, 0\] is not a list of 3 values"),
        (lambda m: m.case(3), "case: 3 is not a name"),
        (lambda m: m.lever(3), "lever: 3 is not the name of an input or a part"),
        (lambda m: Machine("pendulum", gravity=(0, 0)), r"gravity: \[0, 0\] is not a list of 3 values"),
        (lambda m: Machine("pendulum", ambient="1 mm"), "ambient: 'mm' is a unit of length, not of pressure"),
    ],
)
def test_errors_name_part_field_value_and_reason(make, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(MachineError, match=words) as caught:
        make(pendulum())
    assert str(caught.value).startswith("1 problem in machine 'pendulum'")
    assert "pydantic" not in str(caught.value)


def test_part_made_by_hand() -> None:
    m = pendulum()
    m.add(Restrictor(name="r", a="p", b="t", area="3 mm2"))

    assert m.part("r").area == 3e-6
    with pytest.raises(MachineError, match="1 problem in restrictor 'r'"):
        Restrictor(name="r", a="p", b="t", area="3 mm")


def test_parts_are_frozen_and_equal_by_value() -> None:
    part = Body(name="b", mass=1, inertia=(1, 1, 1))

    assert part == Body(name="b", mass="1000 g", inertia=(1, 1, 1))
    with pytest.raises(ValueError, match="frozen"):
        part.mass = 2.0


def test_machines_compare_copy_and_pickle() -> None:
    m = lifting_boom()

    assert m == lifting_boom()
    assert copy.deepcopy(m) == m
    assert pickle.loads(pickle.dumps(m)) == m
    m["boom"].point("tip", (1, 0, 0))
    assert m != lifting_boom()


def test_error_pickles() -> None:
    error = MachineError([Problem("it is wrong.", part="b", lines=(3, 4), file="x.yaml")], "x.yaml")

    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "1 problem in x.yaml\n\n1. lines 3-4  it is wrong."


def test_two_pressure_sources_on_one_node() -> None:
    class Accumulator(Part):
        """A test part that holds the pressure of another part's port."""

        a: Port = param("port")

        def expand(self, net) -> None:  # type: ignore[no-untyped-def]
            net.pressure(self.a, 1e5)

    m = lifting_boom()
    m.add(Accumulator(name="bladder", a="pump"))

    (problem,) = m.check()
    assert problem.text() == (
        "pressure 'pump' and accumulator 'bladder' both fix the pressure of node 'pump'.\n"
        "   A node can have one pressure source. Join 'bladder' to a volume and put a restrictor between them:\n"
        "     volumes: {bladder_line: {oil: oil, size: 0.1 l}}\n"
        "     restrictors: {bladder_inlet: {a: pump, b: bladder_line, flow: [60 l/min, 5 bar]}}"
    )


def test_unknown_part_offers_names() -> None:
    m = lifting_boom()
    for look in (m.part, m.__getitem__, lambda name: cylinder_bodies(m, name, barrel_mass=40.0, rod_mass=25.0)):
        with pytest.raises(MachineError) as caught:
            look("bom")
        assert str(caught.value).splitlines()[2:] == ["1. There is no part 'bom'.", "   Closest names: 'boom'."]


def test_unknown_part_names_others_where_none_is_close() -> None:
    with pytest.raises(MachineError, match=r"There is no part 'zzz'\.\n +Parts of it are bob, pin\."):
        pendulum().part("zzz")
