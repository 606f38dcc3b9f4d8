# SPDX-License-Identifier: BSD-3-Clause
"""How machines stand on contacts and tires: held by friction, started from, refused by name."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.vehicle import WHEELS, four_wheels


def crate(slope=0.0, friction=0.5, sides=(1.0, 0.8, 0.6), up=0.002, terrain=None, **more):
    """A box that starts a little over a slope, in degrees, along it."""
    m = kb.Machine("crate")
    body = m.body("crate", mass="100 kg", inertia=(8, 10, 12))
    angle = math.radians(slope)
    out = 0.5 * sides[2] + up
    start = (-out * math.sin(angle), 0, out * math.cos(angle), 0, -angle, 0)
    m.free("flight", m.ground, body, start=start)
    m.terrain("floor", **(terrain or {"slope": f"{slope} deg"}))
    m.contact("foot", body, box=sides, friction=friction, **more)
    return m


def crane(reach, feet=4):
    """A frame on spheres 1 m off its middle, with an arm to the side that carries as much as the frame weighs."""
    m = kb.Machine("crane")
    m.terrain("yard")
    frame, arm = m.body("frame", mass="1 t", inertia=(300, 300, 500)), m.body("arm", mass="1 t", inertia=(9, 9, 9))
    m.free("base", m.ground, frame, start=(0, 0, "0.5 m", 0, 0, 0))
    m.revolute("slew", frame, arm.at(0, -reach, 0), axis="z")
    m.driver("hold", "slew", start=0.0)
    for number, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))[:feet]):
        m.contact(f"foot{number}", frame.at(x, y, -0.4), sphere="0.1 m", depth="0.1 mm")
    return m


def test_friction_holds_on_a_slope_and_a_run_begins_at_rest():
    m = crate(20.0)
    state = kb.equilibrium(m)
    assert (state.stability, state.loads) == ("stable", {"foot": pytest.approx(981.0 * math.cos(math.radians(20.0)))})
    run = kb.simulate(m, "1 s", step="1 ms", start=state, coupling="realtime")
    moved = run["flight.position"].values - run["flight.position"].values[0]
    assert np.abs(moved).max() < 1e-9  # m


def test_a_slope_that_is_too_steep_is_named():
    with pytest.raises(kb.AnalysisError, match=r"'foot' slides, because the friction there is used up") as caught:
        kb.equilibrium(crate(30.0))
    assert "less steep" in str(caught.value)


def test_without_friction_it_slides_off():
    with pytest.raises(kb.AnalysisError, match=r"runs away"):
        kb.equilibrium(crate(5.0, friction=0.0))


def test_above_a_hole_of_walls_only_nothing_touches():
    m = crate(terrain={"normal": "-x", "at": (50, 0, 0)})
    with pytest.raises(kb.AnalysisError, match=r"none of its contacts and tires touches the ground") as caught:
        kb.equilibrium(m)
    assert "above a terrain" in str(caught.value)


def test_a_crate_on_a_crate_on_a_slope():
    m = crate(15.0, depth="0.01 mm")
    top = m.body("lid", mass="50 kg", inertia=(4, 5, 6))
    angle, out = math.radians(15.0), 0.6 + 0.3 + 0.004
    m.free("above", m.ground, top, start=(-out * math.sin(angle), 0, out * math.cos(angle), 0, -angle, 0))
    m.contact("skin", top, box=(0.6, 0.6, 0.6), friction=0.5, depth="0.01 mm")
    state = kb.equilibrium(m)
    assert state["foot.skin.normal_force"] == pytest.approx(50 * 9.81 * math.cos(angle), rel=1e-5)
    along = state["foot.skin.friction_force"]
    assert np.linalg.norm(along) == pytest.approx(50 * 9.81 * math.sin(angle), rel=1e-3)


def test_a_vehicle_without_brakes_rolls_off_and_with_them_stands():
    with pytest.raises(kb.AnalysisError, match=r"roll, because the friction there is used up") as caught:
        kb.equilibrium(four_wheels(slope=0.1, steer=None))
    assert "joint_friction" in str(caught.value)
    state = kb.equilibrium(four_wheels(slope=0.1, steer=None, braked=True))
    assert state.stability == "stable" and set(state.loads) == set(WHEELS)
    run = kb.simulate(four_wheels(slope=0.1, steer=None, braked=True), "1 s", step="1 ms", start=state)
    assert np.ptp(run["frame.position"].values[:, 0]) < 1e-7  # m


def test_a_slope_beyond_what_tires_hold_is_named():
    with pytest.raises(kb.AnalysisError, match=r"slide, because the friction there is used up"):
        kb.equilibrium(four_wheels(slope=0.8, steer=None, braked=True))


def test_what_tips_over_and_what_has_too_few_feet_is_named():
    with pytest.raises(kb.AnalysisError, match=r"it tips over\. 'frame' leans by \d+ deg") as caught:
        kb.equilibrium(crane(2.2))
    assert "further out" in str(caught.value)
    with pytest.raises(kb.AnalysisError, match=r"it tips over"):
        kb.equilibrium(crane(0.0, feet=2))


def test_what_does_not_touch_is_noted():
    m = crane(0.0)
    m.contact("hook", m["frame"].at(0, 0, 0), sphere="0.1 m")
    state = kb.equilibrium(m)
    assert "Not on the ground: 'hook'." in state.notes
    assert state.loads["hook"] == 0.0


def test_a_state_is_an_equilibrium_of_itself():
    m = four_wheels(slope=0.1, steer=None, braked=True)
    state = kb.equilibrium(m)
    again = kb.equilibrium(m, start=state)
    assert again.loads == pytest.approx(state.loads, rel=1e-12)
