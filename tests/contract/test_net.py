# SPDX-License-Identifier: BSD-3-Clause
"""What a part gets while it is expanded is the same in a check as in a plan, whatever it calls and reads.

An outside part calls every method of `Net` and notes all attributes of what it gets. Rank: independent formulation;
both share machine/expansion.py, the rows are written twice. What only a plan has is listed in `PLANNED_ONLY`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

import pytest

import knuckleboom as kb
from knuckleboom.describe import BodyName, JointName, Net, OilName, Part, Place, Port, ShaftName, param
from knuckleboom.interface.outlines import sphere
from knuckleboom.machine import kinds
from knuckleboom.machine.rules.recorder import CircuitRecorder
from knuckleboom.net import FromStart, NetSignal, Opening, Row
from knuckleboom.plan.network import Network
from knuckleboom.plan.topology import build_topology, wanted_coordinates

METHODS = {name for name, _ in inspect.getmembers(Net, inspect.isfunction) if not name.startswith("_")}
PLANNED_ONLY = {"Row": {"kind", "index", "numbers"}, "Opening": {"kind", "curve"}, "Steered": {"kind"}}
"""Numbers of elements and links, and columns that kernels read."""


def described(value: Any) -> Any:
    """All that can be read of a value: its class, its fields and its properties."""
    if isinstance(value, tuple):
        return tuple(described(item) for item in value)
    if not is_dataclass(value):
        return repr(value)  # of one that is not a number, too
    kind = type(value)
    names = {field.name for field in fields(value)}
    names |= {name for name, _ in inspect.getmembers(kind, lambda member: isinstance(member, property))}
    read = {name: getattr(value, name) for name in sorted(names)}
    hidden = PLANNED_ONLY.get(kind.__name__, set())
    return kind.__name__, {name: described(item) for name, item in read.items() if name not in hidden}


class Inspector(Part):
    """Calls everything, and looks at everything that it gets."""

    PORTS = ("v", "g", "s")
    SEEN: ClassVar[list[tuple[str, Any]]] = []

    a: Place = param("one end")
    b: Place = param("other end")
    body: BodyName = param("what it turns")
    joint: JointName = param("where it acts")
    shaft: ShaftName = param("what it loads")
    of_joint: ShaftName = param("the joint, as a shaft")
    p: Port = param("pump")
    t: Port = param("tank")
    oil: OilName = param("its oil")

    def expand(self, net: Net) -> None:
        def call(method: str, *values: Any, **settings: Any) -> Any:
            result = getattr(net, method)(*values, **settings)
            self.SEEN.append((method, described(result)))
            return result

        v, g, s = self.ports()
        call("oil", self.oil)
        size = 1e-12 * call("density", self.p) * call("viscosity", self.p)

        # signals: their attributes shape what is written next
        command = call("input", 0.5, unit="1", meaning="command", within=(-1.0, 1.0), held=True)
        assert (command.path, command.default, command.within) == (self.name, 0.5, (-1.0, 1.0))
        speed = call("input", 2.0 * command.default, unit="rad/s", meaning="speed", name="speed")
        spool = call("spool", command, 0.1)
        assert spool.follows is command and call("spool", command, 0.0, name="none") is command
        second = call("second_order", spool, 20.0, 0.7, name=f"{spool.name}_second")
        steered = call("steered", command, [(self.p, self.t, 2e7, 1e6)], time_constant=0.1, name="swash")
        call("sensed", {self.p: 1.0, v: -1.0}, time_constant=0.1, name="felt", unit="Pa", meaning="difference")
        assert steered.unit == second.unit == command.unit

        # openings and oil
        table = call("table", command, [(-1.0, 0.1), (1.0, 1.0)])
        for opening in (table, call("affine", spool, 0.5, 0.5), call("edge", second, 1.0, 0.1, 0.01)):
            assert opening.signal is not None
            name = f"by_{opening.signal.name}"
            call("restrictor", self.p, v, area=size, opening=opening, name=name)
        product = call("product", steered, speed, 1e-5)
        assert product.factor is speed
        call("flow", self.t, self.p, product, name="pumped")
        call("opened", v, self.t, area=1e-6, by={v: 1.0, self.t: -1.0}, setting=1e7, full=1e6, name="relief")
        call("laminar", g, self.t, conductance=1e-12)
        call("laminar", s, v, conductance=1e-12, name="way")
        call("volume", v, 1e-3, 1e5, elastic=1e-14)
        call("gas", g, 1e-3, precharge=5e5, exponent=1.4, start=1e6)
        call("pressure", s, 3e5)
        call("reading", "power", unit="W", meaning="power", gains=[1.0] * 6, flow="pumped", high=self.p, speed=speed)

        # rows and forces
        length, angle = call("length", self.a, self.b), call("coordinate", self.joint, 0)
        pushed = call("direction", self.b, (0.0, 0.0, 1.0), "world")
        turned = call("turn", self.body, (0.0, 1.0, 0.0), "body")
        for number, row in enumerate((length, angle, pushed, turned)):
            unit, rate = call("force_unit", row), call("rate_unit", row)
            assert (unit, rate) == {"m": ("N", "m/s"), "rad": ("N*m", "rad/s")}[row.unit]
            call("push", row, call("input", 0.0, unit=unit, meaning="effort", name=f"effort_{number}"))
        low, high = call("ends", length, None, 0.4)
        assert high.offset == -low.offset == 0.2
        call("ends", length, 1.0, 0.4)
        call("stop", length, low, high, 1e7, 0.1)
        call("cushion", length, at=high, length=0.05, gain=1e5, side=1)
        call("chamber", length, v, area=1e-3, dead=1e-4, at=low)
        call("moving_oil", length, v, area=-1e-3, at=high, reach=0.5)
        call("stages", length, v, areas=[2e-3, 1e-3], strokes=[0.2, 0.2], dead=1e-4, at=low)
        call("efficiency", length, 0.1, [(0.0, 1.0), (1.0, 0.5)])
        call("spring", length, 1e3, None, 10.0, 0.0)
        call("friction", angle, 10.0, 1.0, 0.01)
        rubbed = {"coulomb": 10.0, "breakaway": 12.0, "stribeck": 0.1, "stiffness": 1e4, "damping": 10.0}
        call("bristle", angle, **rubbed, viscous=1.0, hold_speed=0.0)
        call("servo", angle, speed, 10.0)
        call("element", "spring", angle, stiffness=10.0, rest=0.0, damping=1.0, preload=0.0)
        call("motor", angle, self.p, self.t, 1e-5)
        shaft = call("scalar", self.shaft, "shaft")
        assert (call("force_unit", shaft), call("rate_unit", shaft)) == ("N*m", "rad/s")
        call("displacement", shaft, self.t, self.p, 1e-5, steered)
        call("displacement", call("scalar", self.of_joint), self.t, None, 1e-5, None)
        call(
            "contact", self.b, ground="floor", path="i", outline=sphere(0.1), laws=((1.0, 1.0, 0.5),),
            stiffness=None, depth=1e-3, friction=(0.5, 0.5, 0.1, 1e3, 10.0, 0.0, 0.05), arm=1e-3, spots=1,
        )  # fmt: skip
        call(
            "tire", self.b, axle=(0.0, 1.0, 0.0), radius=0.5, spacing=0.2, discs=3, stiffness=1e5, damping=0.1, rim=0.2,
            friction=(0.7, 0.7, 1.1, 3.0, 25.0, 25.0, 0.5, 0.0, 0.4, 0.2), rolling=0.01, published=False,
        )  # fmt: skip
        assert list(call("terrains", ())) == list(call("terrains", ("floor",))) == ["floor"]
        assert call("terrains", ("wall",)) == {}
        assert call("looks", self.b) == [("sphere", (0.1,), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))]
        mass = call("spool", call("input", 1.0, unit="kg", name="ore"), 0.1, name="mass", within=(0.0, 9.0))
        assert (mass.kept(-1.0), mass.kept(2.0), mass.kept(10.0)) == (0.0, 2.0, 9.0)
        call("payload", self.b, mass, box=(0.0, 0.0, 0.0), falling_from=1.0)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[kb.Machine]:
    monkeypatch.setattr(kinds, "_kinds", dict(kinds.all_kinds()))
    kb.register(Inspector)
    m = kb.Machine("m")
    arm = m.body("arm", mass="10 kg", inertia=(1, 1, 1))
    m.revolute("hinge", m.ground, arm, axis="y")
    arm.shape("sphere", size=0.1)
    arm.shape("line", points=[(0, 0, 0), (1, 0, 0)])
    m.terrain("floor", at=(0, 0, -2))
    m.shaft("crank", 0.1)
    m.shaft_of("pin", "hinge")
    oil = m.oil(kb.fluids.mineral_oil())
    ends = {"a": m.ground.at(0, 0, 1), "b": arm.at(1, 0, 0), "body": arm, "joint": "hinge"}
    ends |= {"shaft": "crank", "of_joint": "pin"}
    oil.inspector("i", **ends, p=oil.pressure("pump", "100 bar"), t=oil.tank("tank"))
    Inspector.SEEN.clear()
    yield m
    Inspector.SEEN.clear()


def planned(machine: kb.Machine) -> Network:
    topology, problems = build_topology(machine, wanted_coordinates(machine))
    assert not problems
    network = Network(machine, topology)
    network.expand_all()
    return network


@pytest.mark.parametrize("net", [CircuitRecorder, Network])
def test_whoever_expands_has_every_method_as_listed(net: type) -> None:
    for method in METHODS:
        wanted, given = (inspect.signature(getattr(of, method)).parameters for of in (Net, net))
        more = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in given.values())
        for name, parameter in wanted.items():
            assert name in given or (more and parameter.kind is inspect.Parameter.KEYWORD_ONLY), (method, name)
            assert name not in given or given[name].default == parameter.default, (method, name)


def test_a_part_that_reads_all_it_gets_sees_the_same_in_a_check_as_in_a_plan(machine: kb.Machine) -> None:
    assert machine.check() == []
    machine.notes()
    in_check = list(Inspector.SEEN)
    Inspector.SEEN.clear()
    planned(machine)

    assert {method for method, _ in Inspector.SEEN} == METHODS, "Inspector.expand calls every method of Net"
    count = len(Inspector.SEEN)
    assert len(in_check) % count == 0 and in_check
    for first in range(0, len(in_check), count):
        assert in_check[first : first + count] == Inspector.SEEN


def test_the_same_classes_are_collected(machine: kb.Machine) -> None:
    recorder, network = CircuitRecorder(machine), planned(machine)
    recorder.part = "i"
    machine.part("i").expand(recorder)

    for family, kind in (("inputs", NetSignal), ("rows", Row), ("lags", NetSignal)):
        noted, written = getattr(recorder, family), getattr(network, family)
        assert all(type(item) is kind for item in [*noted, *written])
        assert [item.part for item in noted] == [item.part for item in written if item.part == "i"]
    own = [branch for branch in network.branches if branch.part == "i"]
    assert [(b.path, b.a, b.b, b.pilots) for b in recorder.branches] == [(b.path, b.a, b.b, b.pilots) for b in own]
    assert {type(branch.opening) for branch in own} <= {Opening, type(None)}
    assert isinstance(recorder.ends(recorder.rows[0], None, 1.0)[0], FromStart)


def test_what_a_check_notes_of_ways(machine: kb.Machine) -> None:
    recorder = CircuitRecorder(machine)
    recorder.part = "i"
    machine.part("i").expand(recorder)

    assert recorder.fixed == ["i.s"] and recorder.starts == [1e5]
    assert [way.open for way in recorder.ways] == [0.1, 0.0, 0.0, 0.0, 1.0]
