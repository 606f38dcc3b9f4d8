# SPDX-License-Identifier: BSD-3-Clause
"""The list of kinds: files, cards, registration from outside, and what every part writes in expand."""

import importlib.metadata
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

import knuckleboom.machine.kinds as kinds
from knuckleboom.describe import Net, Part, Place, Port, Reference, param, unit_of
from knuckleboom.hydraulics import parts as hydraulics
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.interface import parts as interface
from knuckleboom.machine import Machine, all_kinds, register
from knuckleboom.mechanics import parts as mechanics
from knuckleboom.net import Surface
from knuckleboom.quantities import Area, PressureDrop
from knuckleboom.units import parse

ALL = (*mechanics.PARTS, *interface.PARTS, *hydraulics.PARTS)
VALUES: dict[str, Any] = {
    "a": "one", "b": "two", "P": "p", "T": "t", "A": "x", "B": "y", "at": "one", "joint": "j", "body": "one",
    "oil": "oil", "mass": 1.0, "inertia": (1, 1, 1), "stiffness": 1.0, "damping": 1.0, "ratio": 2.0, "coulomb": 1.0,
    "direction": "z", "bore": 0.1, "rod": 0.05, "stroke": 0.5, "size": 1e-3, "value": 1e5, "flow": (1e-3, 1e5),
    "lower": 0.0, "displacement": 1e-5, "drum": 0.1, "setting": 1e7, "x": "pilot", "c": "three", "drain": "drain",
    "LS": "ls", "C": "c", "D": "d", "CF": "cf", "EF": "ef", "free_flow": (1e-3, 1e5), "bypass_flow": (1e-3, 1e5),
    "to": "three", "length": 1.0, "diameter": 0.01, "wall": 1e8, "factor": 1.0, "speed": 150.0, "cutoff": 2e7,
    "ls": "three", "precharge": 5e6, "drop": (1e-3, 1e5), "low": "three", "bores": (0.1, 0.08), "strokes": (0.5, 0.5),
    "gain": 1.0, "sphere": 0.1, "shaft": "one", "torque": ((100.0, 500.0), (200.0, 400.0)), "rated_speed": 180.0,
    "of": "one", "wheel": "one", "radius": 0.5, "width": 0.3, "load": 1e4, "area": 1e-4, "most": 10.0, "idle": 80.0,
    "stall": 60.0,
    "fluid": {"law": "cavitating", "density": 860.0, "bulk": 1.4e9},
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "shaft": {"inertia": 0.5}, "engine_droop": {"setting": 190.0}, "held_sum": {"of": {"one": 1.0, "two": -1.0}},
    "attachment": {"at": (1.0, 0.0, 0.0)},
}  # fmt: skip
"""Values that are others in one kind."""


def made(kind: type[Part]) -> Part:
    """Return a part of a kind with the settings it needs."""
    extras = {
        "joint_stop": ["lower"], "driver": ["joint"], "laminar_restrictor": ["flow"], "contact": ["sphere"],
        "tire": ["load"],
        "motor": ["joint"], "pump": ["speed"], "variable_pump": ["speed"], "pressure_compensated_pump": ["speed"],
        "load_sensing_pump": ["speed"], "shaft_spring": ["b", "stiffness"], "oil_column": ["a", "b"],
    }  # fmt: skip
    own = OWN.get(kind.KIND, {})
    extra = ["flow"] if issubclass(kind, Orifice) else extras.get(kind.KIND, [])
    needed = [name for name, info in kind.model_fields.items() if info.is_required() and name != "name"]
    return kind(name="part", **({name: VALUES[name] for name in [*needed, *extra]} | own))


def texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value, also within lists and as keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for item in value:
            yield from texts(item)


class Recorder:
    """A net that keeps the calls, and refuses what `Net` does not have."""

    ANSWERS: ClassVar[dict[str, Any]] = {
        "ends": (0.0, 1.0), "terrains": {"one": [Surface("", 1.0, 1.0)]}, "density": 860.0, "viscosity": 46e-6,
    }  # fmt: skip

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __getattr__(self, call: str) -> Any:
        signature = inspect.signature(getattr(Net, call))

        def record(*values: Any, **settings: Any) -> Any:
            self.calls.append((call, dict(signature.bind(self, *values, **settings).arguments)))
            return self.ANSWERS.get(call, call)

        return record


@pytest.fixture
def restored() -> Iterator[None]:
    held = dict(kinds._kinds)
    yield
    kinds._kinds.clear()
    kinds._kinds.update(held)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.KIND)
class TestEveryKind:
    def test_file_has_the_name_of_the_kind(self, kind: type[Part]) -> None:
        assert Path(inspect.getfile(kind)).stem == kind.KIND

    def test_card(self, kind: type[Part]) -> None:
        module = inspect.getmodule(kind)
        assert module is not None and module.__doc__ and len(module.__doc__) > 80
        assert kind.__doc__

    def test_every_field_has_a_meaning_and_a_readable_unit(self, kind: type[Part]) -> None:
        for name, info in kind.model_fields.items():
            assert info.description, name
            for unit in filter(None, unit_of(info).split(" or ")):
                assert parse(f"1 {unit}" if unit != "1" else "1", unit) == 1.0

    def test_can_be_made(self, kind: type[Part]) -> None:
        part = made(kind)

        assert not list(part.faults())
        assert part == made(kind)

    def test_expand_calls_what_a_net_has(self, kind: type[Part]) -> None:
        net: Any = Recorder()
        part = made(kind)
        part.expand(net)

        calls = [call for call, _ in net.calls]
        # a shape has its spring
        mechanical = ("mechanics" in kind.__module__ and kind.KIND != "shape") or kind.KIND == "oil"
        assert bool(calls) != mechanical
        assert ("oil" in calls) == ("oil" in kind.model_fields)
        reached = {text for _, arguments in net.calls for value in arguments.values() for text in texts(value)}
        for _, value in part.references():
            if isinstance(value, Port):
                assert value in reached
        assert set(part.ports()) <= reached


@pytest.mark.parametrize(
    ("words", "call"),
    [({"time_constant": 0.1}, ("spool", 0.1)), ({"frequency": "20 Hz", "damping": 0.5}, ("second_order", 20.0, 0.5))],
)
def test_what_follows_its_input_is_of_first_or_second_order(words: dict[str, Any], call: tuple[Any, ...]) -> None:
    net: Any = Recorder()
    all_kinds()["flow_source"](name="pump", a="t", b="p", value=1e-3, **words).expand(net)

    follows, arguments = net.calls[1]
    numbers = [value for value in arguments.values() if isinstance(value, float)]
    assert (follows, *numbers) == call
    assert net.calls[2][1]["value"] == follows


def test_valve_is_four_restrictors_and_a_spool() -> None:
    net: Any = Recorder()
    made(all_kinds()["valve_4_3"]).expand(net)

    edges = [arguments for call, arguments in net.calls if call == "edge"]
    branches = [(each["name"], each["a"], each["b"]) for call, each in net.calls if call == "restrictor"]
    assert [call for call, _ in net.calls[:2]] == ["input", "spool"]
    assert branches == [("PA", "p", "x"), ("PB", "p", "y"), ("AT", "x", "t"), ("BT", "y", "t")]
    assert [edge["gain"] for edge in edges] == [1.0, -1.0, -1.0, 1.0]


def test_sections_are_unique() -> None:
    for section, listed in kinds.sections().items():
        assert len(listed) == 1 or all(kind.SHARED for kind in listed), section
        assert re.fullmatch(r"[a-z0-9_]+", section)


class DrilledCheck(Part):
    """A check valve with a hole."""

    a: Port = param("inlet")
    b: Port = param("outlet")
    hole: Area = param("area of the hole", above=0)
    cracking: PressureDrop = param("cracking pressure of the check", "0.5 bar", above=0)

    def expand(self, net: Net) -> None:
        by = {self.a: 1.0, self.b: -1.0}
        net.restrictor(self.a, self.b, area=self.hole, name="hole")
        net.opened(self.a, self.b, area=10 * self.hole, by=by, setting=self.cracking, full=1e5)


@pytest.mark.usefixtures("restored")
class TestOutside:
    def test_registered_kind_works_like_any_other(self) -> None:
        register(DrilledCheck)
        register(DrilledCheck)
        m = Machine("m")
        oil = m.oil({"law": "cavitating", "density": 860, "bulk": "1.4 GPa"})
        oil.drilled_check("t", oil.pressure("pump", "76 bar"), oil.tank("tank"), hole="3 mm2")

        assert m.check() == []
        assert m.part("t").cracking == 5e4
        assert "drilled_checks:\n  t:" in m.to_yaml()
        assert Machine.from_yaml(m.to_yaml()) == m

    def test_entry_point(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Entry:
            attr = "DrilledCheck"

            def load(self) -> type[Part]:
                return DrilledCheck

        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Entry()])
        monkeypatch.setattr(kinds, "_outside_loaded", False)

        assert Machine().drilled_check is not None

    def test_refused(self) -> None:
        def kind_of(**names: Any) -> type[Part]:
            return type("Made", (Part,), {"__module__": __name__, **names})

        for names, words in (
            ({"KIND": "body"}, "there is a kind 'body' already"),
            ({"KIND": "parts"}, "cannot be the name of a kind"),
            ({"KIND": "a b"}, "cannot be the name of a kind"),
            ({"SECTION": "bodies"}, "belongs to body"),
            ({"SECTION": "machine"}, "cannot be a section"),
        ):
            with pytest.raises(ValueError, match=words):
                register(kind_of(**names))
        with pytest.raises(TypeError, match="is not a class of Part"):
            register(5)  # type: ignore[arg-type]


def test_references_are_found_in_every_field() -> None:
    part = made(all_kinds()["cylinder"])

    assert [(field, type(value)) for field, value in part.references()][:2] == [("a", Place), ("b", Place)]
    assert all(isinstance(value, (Place, Reference)) for _, value in part.references())
