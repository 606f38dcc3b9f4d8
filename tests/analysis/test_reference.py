# SPDX-License-Identifier: BSD-3-Clause
"""The reference of a comparison: what it is off by, where explicit steps never converge, and when it declines.

The stiff machine has 1 mm³ of oil between two equal orifices, whose pressure settles within nanoseconds: explicit steps
would have to be as short. By another route it is the machine with one orifice of A/√2 and without that volume, which
explicit RK4 resolves easily: that run is what the advice is judged by.
"""

import math
import re

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis import measure
from knuckleboom.analysis.measure import Seen
from knuckleboom.analysis.reference import ReferenceSearch, Refinement, Size
from knuckleboom.analysis.trial import Trial
from knuckleboom.results.comparison import MethodName

LONG = "1 h"
RK4 = MethodName("relative", "explicit", "rk4", "lagrange", "sparse")
AREA = 4e-6  # m²


@pytest.fixture(scope="module", autouse=True)
def quick():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "PIECE", 1e-4)
        yield


def pushed(stiff):
    """A mass on a slide, pushed by a ram behind an orifice; the stiff one has two with little oil between."""
    m = kb.Machine("stiff" if stiff else "plain")
    load = m.body("load", mass=300.0, com=(0, 0, 0), inertia=(5.0, 5.0, 5.0))
    m.prismatic("slide", m.ground, load, axis="x", start=0.6)
    oil = m.oil(kb.fluids.naya())
    ram = m.cylinder(
        "ram", m.ground.at((0, 0, 0)), load.at((0, 0, 0)), bore="50 mm", rod="30 mm", stroke="500 mm",
        closed="500 mm", oil=oil, pressure_a="30 bar", pressure_b="10 bar", viscous=2e4,
    )  # fmt: skip
    supply, tank = oil.pressure("supply", "120 bar"), oil.tank("tank", "1 bar")
    if stiff:
        between = oil.volume("between", "1 mm3", pressure="75 bar")
        oil.restrictor("first", supply, between, area=AREA)
        oil.restrictor("second", between, ram.a, area=AREA)
    else:
        oil.restrictor("first", supply, ram.a, area=AREA / math.sqrt(2.0))
    oil.restrictor("back", ram.b, tank, area=8e-6)
    return m


def refined(*sizes, at=0.0):
    one = Refinement(RK4, 1e-3, Seen(np.arange(2.0), {"p": np.array([[0, 0, 0], [1.0 + at, 0, 0]])}, {}), 1e-3)
    one.moved = [Size(size, None) for size in sizes]
    return one


def test_what_is_left_is_estimated_from_two_halvings():
    assert refined(8e-3, 1e-3).own_error(0) == 1e-3
    assert refined(1.5e-3, 1e-3).own_error(0) == pytest.approx(2e-3)  # the rest of a geometric row of ratio 1.5
    assert refined(1e-3, 1e-3).own_error(0) == math.inf
    assert refined(1e-3).own_error(0) == math.inf
    assert refined(1e-9).own_error(0) == 1e-9


def test_another_method_that_comes_elsewhere_shows_an_error():
    mine = refined(4e-5, 1e-5)

    assert mine.error([refined(4e-6, 1e-6, at=1e-2)]).place == pytest.approx(1e-2 - 1e-6)
    assert mine.error([refined(4e-2, 2e-2, at=1e-2)]).place == 1e-5  # it is off by more itself
    # differences that do not fall count as far as another method agrees
    assert refined(1e-4, 1e-4).error([refined(1e-4, 1e-4, at=3e-4)]).place == pytest.approx(3e-4)
    assert refined(1e-4, 1e-4).error([]).place == math.inf


def test_a_stiff_machine_gets_another_reference_and_advice_that_is_right():
    found = kb.compare(pushed(True), "0.2 s", steps=["5 ms", "1 ms"], only=["relative", "sparse"], within="60 s")
    exact = kb.simulate(pushed(False), "0.2 s", step="0.01 ms", record="5 ms", coupling="explicit")

    assert found.reference.converged and found.reference.method.coupling != "explicit"
    assert found.reference.confirmed_by in {"unified", "realtime"}
    for advised in (found.accurate, found.realtime):
        method = advised.method._asdict()
        run = kb.simulate(pushed(True), "0.2 s", step=advised.step, record="5 ms", **method)
        off = np.abs(run["slide.travel"].values - exact["slide.travel"].values).max()
        assert off <= advised.position_error + found.reference.position_error + 2e-6
    needed = found.realtime_step
    run = kb.simulate(pushed(True), "0.2 s", step=needed.step, record="5 ms", coupling="realtime")
    off = {path: np.abs(run[path].values - exact[path].values).max() for path in ("ram.a.pressure", "ram.b.pressure")}
    assert needed.enough and max(off.values()) < 5e5
    assert np.abs(run["slide.travel"].values - exact["slide.travel"].values).max() < 2e-3


def test_a_time_that_is_too_short_declines():
    found = kb.compare(pushed(True), "0.2 s", steps=["50 ms"], only=["relative", "explicit", "lagrange"], within="1 ms")

    assert not found.reference.converged and found.reference.limit == "time"
    assert found.accurate is found.realtime is found.realtime_step is None
    # how far it gets in no time differs from computer to computer
    assert re.fullmatch(
        r"Nothing is advised: the reference, \w+ at [\d.]+ ms, may itself be off by (any amount, as its step was not "
        r"halved often enough to tell|[\d.]+ mm and [\d.]+ bar), and [\d.]+ mm and [\d.]+ bar is the most that would "
        r"let it judge other methods; allow more processor time \(--within\), or compare for a shorter time "
        r"\(--for 0\.04s\)\.",
        found.advice,
    )


def test_an_interrupted_reference_declines_and_keeps_what_there_is(monkeypatch):
    real, count = Refinement.refine, []

    def pressed(self, *rest):
        count.append(self)
        if len(count) > 7:
            raise KeyboardInterrupt
        return real(self, *rest)

    monkeypatch.setattr(Refinement, "refine", pressed)
    found = kb.compare(pushed(False), "0.2 s", steps=["50 ms"], only=["relative", "explicit"], within=LONG)

    assert found.status == "interrupted" and found.reference.limit == "interruption"
    assert not found.rows and {one.reason for one in found.not_run} == {"interrupted"}
    assert "Nothing is advised" in found.advice and found.advice.endswith("let it run to its end.")


def test_a_busy_computer_takes_the_same_turns(monkeypatch):
    real, turns = Refinement.refine, []

    def noted(self, trial, spent):
        turns.append((self.method.coupling, self.next_step))
        real(self, trial, spent)

    monkeypatch.setattr(Refinement, "refine", noted)
    trial, taken = Trial(pushed(False), 0.2, (0.005,), 0.005, {}, {}), []
    for seed in (1, 2):
        noise = np.random.default_rng(seed).exponential(1.0, 10_000).cumsum()
        ReferenceSearch(trial, iter(noise).__next__, math.inf, lambda done: None).find()
        taken.append(turns[:])
        turns.clear()

    assert taken[0] == taken[1] and len(taken[0]) > 4


def test_an_interruption_before_there_is_a_reference_is_one():
    def pressed(*_):
        raise KeyboardInterrupt

    trial = Trial(pushed(False), 0.2, (0.005,), 0.005, {}, {})
    search = ReferenceSearch(trial, pressed, 1.0, lambda done: None)
    with pytest.raises(KeyboardInterrupt):
        search.find()


def with_case(**settings):
    m = kb.Machine("driven")
    rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    m.revolute("foot", m.ground, rod, axis="y", start=0.3)
    m.case("swing", duration="0.1 s", **settings)
    return m


def test_a_case_says_how_long_and_where_it_starts():
    found = kb.compare(with_case(start="equilibrium"), case="swing", steps=["10 ms"], only=["relative", "explicit"])

    assert found.duration == 0.1 and found.travel < 1e-9
    assert found.advice.startswith("Nothing moved")
    assert kb.compare(with_case(), case="swing", steps=["10 ms"], only=["relative", "explicit"]).travel > 1e-3


def test_a_machine_that_only_creeps_is_not_compared():
    m = kb.Machine("press")
    m.prismatic("guide", m.ground, m.body("block", mass=100.0, inertia=(1, 1, 1)), axis="z", start=1.0)
    oil = m.oil(kb.fluids.mineral_oil())
    m.cylinder("ram", m.ground, "block", oil=oil, bore=0.05, rod=0.0, stroke=1.0, leak=1e-13)
    m.case("hold", duration="0.1 s", start="equilibrium")

    found = kb.compare(m, case="hold", steps=["10 ms", "5 ms"], only=["relative", "realtime", "fw2"])

    assert found.advice.startswith("The motion is too small to tell methods apart, so none is advised: no place moved")
    assert [note for note in found.notes if note.startswith("Cylinder 'ram' creeps at")]
    assert str(found).startswith("press, case hold, 0.1 s; ")


def test_stop_conditions_of_a_case_are_not_used_and_it_says_so():
    found = kb.compare(with_case(stop="foot.angle > 0.31 rad"), case="swing", steps=["10 ms"], only=["relative", "rk4"])

    assert found.notes == ("Stop conditions of the case are not used: all methods are run equally long.",)
    assert found.notes[0] in str(found) and found.to_dict()["notes"] == list(found.notes)


def test_controllers_of_a_case_act_if_they_are_compiled_and_are_refused_if_not():
    case = kb.catalogue.NAMES["naya-rod"]()
    m = case.machine
    path = next(signal for signal in kb.simulate(m, "1 ms", inputs=case.inputs) if signal.endswith(".length"))
    hold = kb.pid("hold", reads=path, writes="valve", setpoint=0.0, every="10 ms", kp=0.01, limits=(0.45, 0.47))
    m.case("held", duration="0.1 s", controllers=[hold])
    m.case("python", duration="0.1 s", controllers=[kb.Controller(lambda: 0.46, reads=path, writes="valve",
                                                                  every="10 ms", name="mine")])  # fmt: skip
    words = {"steps": ["10 ms"], "only": ["relative", "realtime", "lagrange"], "within": LONG}

    free = kb.compare(m, "0.1 s", inputs={"valve": 0.47}, **words)
    held = kb.compare(m, case="held", **words)

    assert held.reference.converged and all(row.done for row in held.rows)
    assert all(row.constraint_error is None for row in held.rows)
    assert abs(held.travel - free.travel) > 1e-3 * free.travel  # it acted
    with pytest.raises(kb.MachineError) as refused:
        kb.compare(m, case="python", **words)
    assert str(refused.value) == (
        "1 problem in the methods to compare\n\n1. controller 'mine' is a function of Python, which would be timed "
        "with every method.\n   Compile it with kb.compiled, or compare a case without it."
    )
