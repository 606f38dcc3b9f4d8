# SPDX-License-Identifier: BSD-3-Clause
"""What kb.linearise answers: names, units, refusals, modes as a table, agreement with the machine itself."""

import json

import numpy as np
import pytest
from hypothesis import given, settings

import knuckleboom as kb
from knuckleboom.catalogue import NAMES
from knuckleboom.cli import main
from programs.random_machines import random_ram, seeds


@pytest.fixture(scope="module")
def naya():
    return kb.linearise(NAMES["naya-rod"]().machine)


def test_names_and_units(naya):
    assert naya.states == ["pin.angle", "pin.angle_rate", "lift.a.pressure", "lift.b.pressure"]
    assert naya.inputs == ["valve", "pump"]
    assert list(naya.A.coords["rate_unit"].values) == ["rad/s", "rad/s^2", "Pa/s", "Pa/s"]
    assert list(naya.B.coords["input_unit"].values) == ["1", "Pa"]
    assert naya.C.dims == ("output", "state")
    assert "4 states, 2 inputs" in str(naya)


def test_every_entry_has_an_error_estimate(naya):
    assert np.all(naya.error.values <= 1e-6 * np.abs(naya.A.values) + 1e-3)


def test_chosen_inputs_and_outputs():
    machine = NAMES["naya-rod"]().machine
    linear = kb.linearise(machine, inputs="pump", outputs="lift.force")
    assert (linear.inputs, linear.outputs) == (["pump"], ["lift.force"])
    area = machine.parts["lift"].area_a
    assert float(linear.C.sel(output="lift.force", state="lift.a.pressure")) == pytest.approx(area, rel=1e-8)


def test_unknown_names_are_answered_with_the_closest():
    machine = NAMES["naya-rod"]().machine
    with pytest.raises(kb.MachineError, match="Closest names: 'valve'"):
        kb.linearise(machine, inputs=["vlave"])
    with pytest.raises(KeyError, match=r"pin\.angle"):
        kb.linearise(machine, outputs=["pin.angel"])
    with pytest.raises(kb.MachineError, match="counted over a run"):
        kb.linearise(machine, outputs=["lift.a.work"])


@settings(max_examples=8)
@given(seeds)
def test_loops_move_as_the_machine_does(seed):
    """Second route: a closed, slightly different state has the rates that A predicts, to second order."""
    random = np.random.default_rng(seed)
    machine = random_ram(random, 2).machine
    linear = kb.linearise(machine)
    from knuckleboom.analysis.mechanism import Mechanism

    mechanism = Mechanism(machine)
    basis, q = mechanism.basis(), mechanism.work.state.q.copy()
    n = basis.T.shape[1]
    away = 1e-6 * random.normal(size=2 * n)
    assert mechanism.place(basis, q, away[:n])
    mechanism.work.state.v[:] = mechanism.at_same_split(basis).T @ away[n:]
    mechanism.line()
    reached = mechanism.work.system.v_dot[basis.independent]

    predicted = linear.remainder.values[n:] + linear.A.values[n:] @ away
    scale = np.abs(linear.A.values).max()
    assert reached == pytest.approx(predicted, abs=1e-9 * scale)


def test_modes_are_a_table_for_people():
    machine = kb.Machine("pendulum")
    rod = machine.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    machine.revolute("foot", machine.ground, rod, axis="y", start="90 deg")
    modes = kb.modes(machine)
    assert str(modes).splitlines()[1].split() == ["mode", "f", "[Hz]", "damping", "tau", "[s]", "who", "moves"]
    assert "foot 100 %" in str(modes)
    assert (modes[0].main, modes.stable, len(modes)) == ("foot", True, 1)
    assert modes[0].shape == {"foot.angle": 1.0}


def test_a_state_that_moves_on_says_so():
    machine = kb.Machine("pendulum")
    rod = machine.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    machine.revolute("foot", machine.ground, rod, axis="y")
    linear = kb.linearise(machine)
    assert not linear.at_rest
    assert "not at rest: foot.angle_rate changes by 14.64 rad/s^2" in str(linear)
    assert "for a moment only" in str(linear.modes())


def test_angle_of_a_joint_that_closes_the_loop():
    machine = kb.Machine.from_yaml(FOUR_BAR)
    linear = kb.linearise(machine, outputs=["pin_c.angle", "pin_b.angle", "pin_d.angle", "pin_a.angle"])
    # the angles around a loop add up: a + b + c = d
    a, b, c, d = (float(linear.C.sel(output=f"pin_{x}.angle")[0]) for x in "abcd")
    assert a + b + c == pytest.approx(d, rel=1e-8)


FOUR_BAR = """
knuckleboom: 1
machine: four-bar
bodies:
  ground: {points: {A: [0, 0, 0], D: [600 mm, 0, 0]}}
  crank: {mass: 1 kg, com: [0.1, 0, 0], inertia: [0.001, 0.0033, 0.0033], points: {tip: [0.2, 0, 0]}}
  coupler: {mass: 3 kg, com: [0.35, 0, 0], inertia: [0.001, 0.1225, 0.1225], points: {tip: [0.7, 0, 0]}}
  rocker: {mass: 2 kg, com: [0.25, 0, 0], inertia: [0.001, 0.0417, 0.0417], points: {tip: [0.5, 0, 0]}}
joints:
  pin_a: {kind: revolute, a: ground.A, b: crank, axis: y, start: -60 deg}
  pin_b: {kind: revolute, a: crank.tip, b: coupler, axis: y, start: 37 deg}
  pin_d: {kind: revolute, a: ground.D, b: rocker, axis: y, start: -72 deg}
  pin_c: {kind: revolute, a: coupler.tip, b: rocker.tip, axis: y}
"""


def three_slides():
    """Three masses of 1 kg: ω = 10/s with ζ = 0.2, an overdamped one, and one on nothing."""
    machine = kb.Machine("slides", gravity=(0, 0, 0))
    for name in ("soft", "slow", "loose"):
        load = machine.body(f"{name}_load", mass=1.0, inertia=(1, 1, 1))
        machine.prismatic(name, machine.ground, load, axis="x", start=0)
    machine.joint_spring("spring", "soft", stiffness="100 N/m", damping="4 N s/m", rest=0)
    machine.joint_spring("damper", "slow", stiffness="100 N/m", damping="40 N s/m", rest=0)
    return machine


def test_only_the_oscillations():
    """ω = √(k/m), ζ = c/(2 m ω); the overdamped slide has two decaying modes, the loose one two free."""
    found = kb.modes(three_slides())
    some = found.oscillations
    assert [mode.frequency for mode in some] == [pytest.approx(10.0 / (2.0 * np.pi), rel=1e-6)]
    assert some[0].damping == pytest.approx(0.2, rel=1e-6) and some[0].main == "soft"
    assert sorted(mode.kind for mode in some.left_out) == ["decay", "decay", "free", "free"]
    assert str(some).endswith("\n4 that do not oscillate are left out: 2 decaying, 2 free.")
    assert len(some) + len(some.left_out) == len(found) and not found.left_out
    assert some.oscillations == some and some.stable == found.stable


def test_what_grows_is_not_forgotten_among_the_oscillations():
    """A pendulum upside down falls: λ = ±√(m g l/J)."""
    machine = kb.Machine("upside down")
    rod = machine.body("rod", mass=1.0, com=(0, 0, 1), inertia=(0.1, 0.1, 0.1))
    machine.revolute("foot", machine.ground, rod, axis="y")
    some = kb.modes(machine).oscillations
    assert not some.modes and not some.stable
    assert some.others == "2 that do not oscillate are left out: 1 decaying, 1 growing."


def test_the_shell_lists_only_oscillations(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    kb.write(three_slides(), "slides.yaml")
    assert main(["modes", "slides.yaml", "--oscillations"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[4:5]] == [["1", "1.5915", "0.2", "0.5", "soft", "100", "%"]]
    assert lines[-1] == "4 that do not oscillate are left out: 2 decaying, 2 free."
    assert main(["modes", "slides.yaml", "--oscillations", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["left_out"] == 4 and [mode["kind"] for mode in data["modes"]] == ["oscillation"]
