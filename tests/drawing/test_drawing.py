# SPDX-License-Identifier: BSD-3-Clause
"""Drawings show what the machine is: every part once, every port on the lines of its net, nothing over another."""

from __future__ import annotations

import json
import random

import pytest

import knuckleboom as kb
from drawing.seen import assert_legible, connected, on, see
from knuckleboom.drawing.draw import circuit_svg
from knuckleboom.machine.circuit import circuit, plain_box
from knuckleboom.machine.kept_circuit import kept, recalled
from knuckleboom.symbol import Symbol, line

BODY = {"com": (0.1, 0.2, 0.3), "inertia": (1.0, 1.5, 2.0)}


def cylinder_and_motor():
    """Pumps, tank, a volume, a cylinder that carries a block and a motor that turns a wheel."""
    m = kb.Machine("block")
    body = m.body("block", mass=2.0, **BODY)
    m.prismatic("slide", m.ground, body, axis="x", start=1.0)
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    ram = m.cylinder(
        "ram", m.ground, body, bore=0.05, rod=0.03, stroke=0.4, oil=oil, pressure_a="30 bar", pressure_b="30 bar",
        viscous=1e3, coulomb=50.0, leak=1e-13,
    )  # fmt: skip
    pump, tank, hose = oil.pressure("pump", "100 bar"), oil.tank("tank"), oil.volume("hose", "0.2 l", "20 bar")
    m.valve_4_3("valve", P=pump, T=tank, A=ram.a, B=ram.b, flow=("20 l/min", "35 bar"))
    m.restrictor("throttle", pump, hose, area="1 mm^2")
    m.check_valve("check", hose, ram.b, area="4 mm^2", cracking="1 bar")
    m.revolute("axle", m.ground, m.body("wheel", mass=2.0, **BODY), axis="y")
    motor = m.motor("motor", "axle", "20 cm3/rev", oil, viscous=0.01, coulomb=0.1, leak=1e-13)
    m.flow_source("feed", tank, motor.a, "10 l/min", frequency="30 Hz", damping=0.5)
    m.relief_valve("relief", motor.a, tank, area="20 mm^2", setting="5 bar")
    m.restrictor("back", motor.b, tank, area="5 mm^2")
    return m


def catalogue(name):
    return kb.catalogue.NAMES[name]().machine


def valves_and_cylinders(count):
    """Some cylinders on one pump, each with its valve."""
    m = kb.Machine("row")
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", "200 bar"), oil.tank("tank")
    for number in range(count):
        body = m.body(f"block{number}", mass=2.0, **BODY)
        m.prismatic(f"slide{number}", m.ground, body, axis="x", start=1.0)
        ram = m.cylinder(f"ram{number}", m.ground, body, bore=0.05, rod=0.03, stroke=0.4, oil=oil)
        m.valve_4_3(f"valve{number}", P=pump, T=tank, A=ram.a, B=ram.b, flow=("20 l/min", "35 bar"))
    return m


def load_sensing():
    """A load-sensing pump that feeds two cylinders and a motor, with hoses, counterbalance valves and reliefs."""
    m = kb.Machine("load-sensing crane")
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    tank, gallery = oil.tank("tank"), oil.junction("gallery")
    line = {"length": "3 m", "diameter": "12 mm", "wall": "200 MPa", "flow": ("60 l/min", "2 bar")}
    valve = {"P": gallery, "T": tank, "flow": ("60 l/min", "10 bar")}
    asked = []
    for name in ("lift", "fold"):
        body = m.body(f"{name}_boom", mass=2.0, **BODY)
        m.prismatic(f"{name}_slide", m.ground, body, axis="x", start=1.0)
        ram = m.cylinder(name, m.ground, body, bore="100 mm", rod="56 mm", stroke="0.4 m", oil=oil)
        held, sensed = oil.junction(f"{name}_held"), oil.junction(f"{name}_ls")
        hoses = [oil.hose(f"{name}_hose_{side}", to=to, **line) for side, to in (("a", held), ("b", ram.b))]
        m.counterbalance_valve(
            f"{name}_counterbalance", ram.a, held, x=ram.b, flow=("60 l/min", "10 bar"), setting="250 bar",
            free_flow=("60 l/min", "4 bar"),
        )  # fmt: skip
        m.valve_4_3(f"{name}_valve", **valve, A=hoses[0], B=hoses[1], LS=sensed)
        m.shock_valve(
            f"{name}_shock", hoses[0], tank, area="9 mm^2", setting="280 bar", free_flow=("60 l/min", "2 bar")
        )
        asked.append(sensed)
    m.revolute("slew", m.ground, m.body("column", mass=2.0, **BODY), axis="z")
    motor = m.motor("slew_motor", "slew", "100 cm3/rev", oil)
    m.valve_4_3("slew_valve", **valve, A=motor.a, B=motor.b, centre="float")
    highest = oil.shuttle_valve("highest", *asked)
    m.load_sensing_pump("pump", tank, gallery, "71 cm3/rev", "1500 rpm", ls=highest, cutoff="260 bar")
    m.relief_valve("main_relief", gallery, tank, area="20 mm^2", setting="280 bar")
    m.accumulator("accumulator", gallery, oil, size="2 l", precharge="90 bar", flow=("60 l/min", "5 bar"))
    m.pressure_sensor("gauge", gallery)
    m.restrictor("ls_bleed", highest, tank, area="0.5 mm^2")
    return m


def tangle(seed, count=60):
    """Parts between ports chosen at random: nothing that anybody would build, and all the harder to draw."""
    pick = random.Random(seed)
    m = kb.Machine(f"tangle {seed}")
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    tanks = [oil.tank("tank"), oil.tank("return_line", "3 bar")]
    ports = [oil.pressure("pump", "200 bar"), *(oil.volume(f"volume{i}", "0.2 l", "20 bar") for i in range(count // 4))]
    for number in range(count // 8):
        body = m.body(f"block{number}", mass=2.0, **BODY)
        m.prismatic(f"slide{number}", m.ground, body, axis="x", start=1.0)
        ram = m.cylinder(f"ram{number}", m.ground, body, bore=0.05, rod=0.03, stroke=0.4, oil=oil)
        ports += [ram.a, ram.b]
    for number in range(count - len(m.parts) + 2 * (count // 8)):
        kind = pick.choice(["valve", "restrictor", "check", "relief"])
        if kind == "valve":
            P, A, B = pick.sample(ports, 3)
            m.valve_4_3(f"valve{number}", P=P, T=pick.choice(tanks), A=A, B=B, flow=("20 l/min", "35 bar"))
        else:
            a, b = pick.sample(ports, 2)
            if kind == "restrictor":
                m.restrictor(f"throttle{number}", *pick.choice([(a, b), (a, tanks[0])]), area="1 mm^2")
            elif kind == "check":
                m.check_valve(f"check{number}", *pick.choice([(a, b), (tanks[1], b)]), area="4 mm^2")
            else:
                m.relief_valve(f"relief{number}", a, pick.choice(tanks), area="9 mm^2", setting="180 bar")
    return m


MACHINES = {
    "naya-rod": lambda: catalogue("naya-rod"),
    "harvester-30": lambda: catalogue("harvester-30"),
    "cylinder and motor": cylinder_and_motor,
    "load sensing": load_sensing,
    "sixteen cylinders": lambda: valves_and_cylinders(16),
    "tangle": lambda: tangle(1),
    **{f"small tangle {seed}": lambda seed=seed: tangle(seed, 16) for seed in range(10, 16)},
}


@pytest.fixture(scope="module")
def drawn():
    """Machine, drawing and what is seen in it; each is drawn once."""
    kept = {}

    def draw(name):
        if name not in kept:
            machine = MACHINES[name]()
            drawing = machine.circuit()
            kept[name] = machine, drawing, see(drawing.svg)
        return kept[name]

    return draw


@pytest.mark.parametrize("name", MACHINES)
class TestEveryCircuit:
    def test_has_every_part_once(self, name, drawn):
        machine, drawing, seen = drawn(name)
        with_oil = [part.name for part in machine.parts.values() if part.symbol() is not None]

        assert sorted(seen.parts) == sorted(with_oil) == sorted(part["name"] for part in drawing.structure["parts"])
        assert all(len(found) == 1 for found in seen.parts.values())

    def test_lines_end_where_the_ports_are(self, name, drawn):
        _, drawing, seen = drawn(name)
        local = {net for net, _, _ in seen.hung}
        sizes = {net["name"]: len(net["ends"]) for net in drawing.structure["nets"]}
        for part in drawing.structure["parts"]:
            for port in part["ports"]:
                if part["kind"] == "tank":
                    continue
                net, place = seen.ports[part["name"], port["port"]]
                assert net == port["net"]
                if net in local:
                    assert any(other == net and on(place, path[0]) for other, path, _ in seen.hung)
                elif sizes[net] > 1:
                    assert sum(place in segment for segment in seen.lines[net]) == 1

    def test_a_net_hangs_together_and_joins_nothing_else(self, name, drawn):
        _, drawing, seen = drawn(name)
        for net, segments in seen.lines.items():
            assert connected(segments), net
            ends = next(one["ends"] for one in drawing.structure["nets"] if one["name"] == net)
            met = {key for key, (_, place) in seen.ports.items() if any(on(place, segment) for segment in segments)}
            assert met == {(end["part"], end["port"]) for end in ends}

    def test_is_legible(self, name, drawn):
        assert_legible(drawn(name)[2])

    def test_is_drawn_the_same_again(self, name, drawn):
        assert MACHINES[name]().circuit().svg == drawn(name)[1].svg


@pytest.mark.parametrize("name", [*kb.catalogue.NAMES, "cylinder and motor"])
def test_mechanism(name):
    machine = MACHINES[name]() if name in MACHINES else catalogue(name)
    drawing = machine.mechanism()
    seen = see(drawing.svg)

    found = drawing.structure
    names = [one["name"] for kind in ("bodies", "joints", "lines") for one in found[kind]]
    assert sorted(seen.parts) == sorted(names)
    assert all(len(boxes) == 1 for boxes in seen.parts.values())
    assert_legible(seen)
    for segments in seen.lines.values():
        assert connected(segments)
    assert {one["name"] for one in found["joints"] if one["cut"]} == {
        joint.name for joint in kb.build(machine).topology.cut
    }
    assert drawing.svg == machine.mechanism().svg


def test_ground_is_below_and_loops_are_dashed():
    drawing = catalogue("four-bar").mechanism()
    seen = see(drawing.svg)
    foot = {name: boxes[0][3] for name, boxes in seen.parts.items()}
    cut = [joint for joint in drawing.structure["joints"] if joint["cut"]]

    assert all(foot["ground"] >= other for other in foot.values())
    assert len(cut) == 1 and len(seen.dashed) == 2


def test_pumps_are_below_and_cylinders_above():
    seen = see(catalogue("harvester-30").circuit().svg)
    top = {name: boxes[0][1] for name, boxes in seen.parts.items()}
    for ram, pump in (("lift", "crane"), ("fold", "crane"), ("tilt", "head"), ("steer", "crane")):
        assert top[ram] < top[f"{ram}_valve"] < top[f"{pump}_pump"]


def test_pilot_lines_are_dashed_and_others_are_not():
    drawing = load_sensing().circuit()
    seen = see(drawing.svg)
    lines = {port["net"]: set() for part in drawing.structure["parts"] for port in part["ports"]}
    for part in drawing.structure["parts"]:
        for port in part["ports"]:
            lines[port["net"]].add(port["line"])

    assert all(segment in seen.dashed["highest"] for segment in seen.lines["highest"])
    for net, segments in seen.lines.items():
        if lines[net] == {"pressure"}:
            assert net not in seen.dashed
        elif "pressure" in lines[net] and net != "highest":
            assert seen.dashed[net] and len(seen.dashed[net]) <= len(segments)


def test_odd_names_are_escaped():
    odd = 'a<b>&"c"\'d\x07é 漢'
    m = kb.Machine("</title><script>")
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    pump, hose = oil.pressure("pump", "200 bar"), oil.volume("hose", "0.2 l")
    m.restrictor("throttle", pump, hose, area="1 mm^2")
    throttle = m.parts.pop("throttle")
    m.parts[odd] = throttle.model_copy(update={"name": odd})
    svg = circuit_svg(circuit(m))  # rules for names would not let the odd one pass

    assert "<script>" not in svg
    assert sorted(see(svg).parts) == sorted(["pump", "hose", odd.replace("\x07", "\ufffd")])


def test_a_wrong_machine_is_refused():
    m = kb.Machine("wrong")
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    m.restrictor("throttle", oil.tank("tank"), "tnak", area="1 mm^2")
    with pytest.raises(kb.MachineError, match="tnak"):
        m.circuit()


def test_without_oil_there_is_no_circuit():
    with pytest.raises(kb.MachineError, match="no part with oil"):
        catalogue("four-bar").circuit()


class Manifold(kb.Part):
    """Joins any number of ports, and states no symbol."""

    ports_of_others: tuple[kb.Port, ...] = kb.param("ports that it joins")


def test_a_list_of_ports_has_a_line_to_each():
    m = kb.Machine("manifold")
    oil = m.oil("fluid", kb.fluids.mineral_oil())
    hoses = [oil.volume(f"hose{number}", "0.2 l") for number in range(3)]
    m.add(Manifold(name="block", ports_of_others=tuple(hoses)))
    found = circuit(m)
    seen = see(circuit_svg(found))

    assert found.parts["block"].nets == {f"ports_of_others[{number}]": f"hose{number}" for number in range(3)}
    assert all(len(seen.lines[f"hose{number}"]) >= 1 for number in range(3))
    assert_legible(seen)


def test_a_line_that_ends_nowhere_is_refused():
    with pytest.raises(ValueError, match="whole quarter"):
        Symbol(1.0, 1.0, {"a": (0.3, 0.0)}, line((0.3, 0.0), (0.3, 1.0)))
    with pytest.raises(ValueError, match="edge"):
        Symbol(1.0, 1.0, {"a": (0.5, 0.5)}, ())


def test_part_without_a_symbol_is_a_box():
    symbol = plain_box("strange_valve", ("P", "T", "out"), ("out",))
    assert set(symbol.ports) == {"P", "T", "out"}
    assert symbol.side("out") == "up" and symbol.side("P") == "down"


def test_a_circuit_kept_as_json_is_drawn_the_same():
    found = circuit(cylinder_and_motor())
    again = recalled(json.loads(json.dumps(kept(found))))

    assert circuit_svg(again) == circuit_svg(found)
    assert again.nets == found.nets


def test_saved_and_shown(tmp_path):
    drawing = catalogue("naya-rod").circuit()
    assert drawing.save(tmp_path / "x.svg").read_text() == drawing.svg == drawing._repr_svg_()
