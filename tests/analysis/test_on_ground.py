# SPDX-License-Identifier: BSD-3-Clause
"""A machine on another ground: it leans with it and is as deep in it as before; what goes with what."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis.on_ground import _pieces
from knuckleboom.bench.machines import cycle_of, standing
from knuckleboom.bench.vehicle import WHEELS, four_wheels
from knuckleboom.machine.grounds import ground_settings
from knuckleboom.mechanics.parts import Free
from knuckleboom.plan.rotation import exponential


def crate(**terrain):
    """A crate that stands at (3, 2) and a ball in the air above it, in another order than they are named."""
    m = kb.Machine("crate")
    m.terrain("floor", friction_factor=0.8, **terrain)
    ball = m.body("ball", mass=1.0, inertia=(0.01,) * 3)
    m.free("flight", m.ground, ball, start=(3, 2, 3, 0, 0, 0))
    m.contact("skin", ball, sphere=0.1, against=[])
    box, lid = (m.body(name, mass=50.0, inertia=(4, 4, 4)) for name in ("box", "lid"))
    m.free("stand", m.ground, box, start=(3, 2, 0.3, 0, 0, 0), speed=(1, 0, 0, 0, 0, 0))
    m.revolute("hinge", box.at(0.5, 0, 0.3), lid, axis="y")
    m.contact("foot", box, box=(1.0, 0.8, 0.6), against=[])
    m.case("wait", duration="1 s")
    return m


def start_of(machine, joint):
    (found,) = (one for one in machine.of(Free) if one.name == joint)
    return np.array(found.start), np.array(found.speed)


def test_on_level_ground_a_machine_starts_where_it_did():
    before = cycle_of("mine-loader").machine
    after = kb.on_ground(before, "level")
    (joint,) = before.of(Free)
    assert np.abs(start_of(after, joint.name)[0] - start_of(before, joint.name)[0]).max() < 1e-6
    assert after.parts["floor"].material == "gravel" and before.parts["floor"] is not after.parts["floor"]
    assert all(case.machine is after for case in after.cases.values())


def test_it_leans_with_a_slope_and_keeps_its_place_over_it():
    m = crate()
    found = kb.on_ground(m, "slope:20%:y")
    tilt = math.atan(0.2)
    normal = np.array((0.0, -math.sin(tilt), math.cos(tilt)))

    start, speed = start_of(found, "stand")
    assert exponential(start[3:]) @ (0.0, 0.0, 1.0) == pytest.approx(normal, abs=1e-9)
    # its middle is 30 cm above the slope through (3, 2, 0), to which its foot was; x and y of that foot stay
    assert start[:3] == pytest.approx(np.array((3.0, 2.0, 0.0)) + 0.3 * normal, abs=1e-6)
    assert speed[:3] == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)
    # the ball touched nothing: it goes with the crate
    assert start_of(found, "flight")[0][:3] == pytest.approx(np.array((3.0, 2.0, 0.0)) + 3.0 * normal, abs=1e-6)
    assert found.parts["floor"].friction_factor == 0.8
    assert start_of(m, "stand")[0][3:] == pytest.approx(0.0)  # the given machine is as it was
    assert found.find_case("wait").machine is found and m.find_case("wait").machine is m


def test_from_one_slope_to_another():
    steep = kb.on_ground(crate(), "slope:30%")
    back = kb.on_ground(steep, "level")
    start, _ = start_of(back, "stand")
    assert start[3:] == pytest.approx(0.0, abs=1e-6) and start[2] == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize("name", standing())
def test_all_machines_start_on_steep_slopes(name):
    m = cycle_of(name).machine
    for ground in ("slope:30 deg", "slope:45 deg:y"):
        kb.build(kb.on_ground(m, ground), coupling="realtime")  # which refuses what starts deep in the ground


@pytest.mark.parametrize("height", [0.0, -3.0, 5.0])
@pytest.mark.parametrize("top", [-0.5, -1.0, -1.5, -30.0])
def test_into_a_pit_below_its_zero(tmp_path, top, height):
    x = np.linspace(-4.0, 4.0, 17)
    bowl = top - 1.0 + np.minimum((x[:, None] ** 2 + x**2) / 16.0, 1.0)
    np.savetxt(tmp_path / "pit.csv", bowl, delimiter=",")
    m = crate()
    m.assign("floor", {"at": (0.0, 0.0, height)})
    for joint in ("flight", "stand"):
        x, y, z, *turned = start_of(m, joint)[0]
        m.assign(joint, {"start": (x, y, z + height, *turned)})
    found = kb.on_ground(m, f"{tmp_path / 'pit.csv'}:50 cm")

    # level in the middle of the bowl, as high as its four lower corners are
    start, _ = start_of(found, "stand")
    corner = height + top - 1.0 + (0.5**2 + 0.4**2) / 16.0
    assert start[3:] == pytest.approx(0.0, abs=1e-9) and start[2] == pytest.approx(corner + 0.3, abs=1e-3)
    assert kb.evaluate(found)["foot.depth"] == pytest.approx(0.0, abs=1e-9)


def test_what_is_attached_to_a_body_goes_with_it():
    m = crate()
    beam = m.body("beam", mass=80.0, inertia=(4, 8, 8))
    m.free("lying", m.ground, beam, start=(-4, 0, 0.2, 0, 0, 0))
    m.contact("skin_of_beam", beam, box=(2.0, 0.4, 0.4), against=[])
    m.attachment("end", of="beam", at=(1.0, 0, 0))
    m.revolute("pin", "end", m.body("hook", mass=1.0, inertia=(1, 1, 1)), axis="y")
    assert _pieces(m) == [["beam", "end", "hook"], ["box", "lid"], ["ball"]]


def test_on_rough_ground_one_wheel_is_as_deep_as_before_and_none_deeper():
    vehicle = four_wheels(steer=None)
    depth = {name: kb.evaluate(vehicle)[f"{name}.deflection"] for name in WHEELS}
    for seed in (1, 2, 3):
        found = kb.on_ground(vehicle, f"rough:40 cm:{seed}")
        now = {name: kb.evaluate(found)[f"{name}.deflection"] for name in WHEELS}
        more = np.array([now[name] - depth[name] for name in WHEELS])
        assert more.max() == pytest.approx(0.0, abs=1e-6), seed
        assert np.abs(start_of(found, "frame")[0][3:]).max() > 1e-3


def test_every_piece_stands_on_its_own():
    m = crate()
    other = m.body("log", mass=100.0, inertia=(1, 8, 8))
    m.free("lying", m.ground, other, start=(-4, 0, 0.2, 0, 0, 0))
    m.contact("bark", other, capsule=(0.2, 2.0), axis="x", against=[])
    found = kb.on_ground(m, "rough:50 cm:4")

    at_rest = kb.evaluate(found)
    assert at_rest["foot.depth"] == pytest.approx(0.0, abs=1e-6) == at_rest["bark.depth"]
    run = kb.simulate(found, "4 ms", step="1 ms", coupling="realtime")
    assert all(run[f"{name}.depth"].values[-1] > 0.0 for name in ("foot", "bark"))


def test_what_is_not_free_stays_and_a_ridge_is_ahead_of_what_stands():
    m = kb.Machine("arm")
    m.terrain("yard")
    arm = m.body("arm", mass=10.0, inertia=(1, 1, 1))
    m.revolute("hinge", m.ground, arm, axis="y", at=(0, 0, 0.05), start=0.0)
    m.contact("tip", arm.at(1.0, 0, 0), sphere=0.05)
    found = kb.on_ground(m, "ridge:20 cm")
    assert found.parts["hinge"] == m.parts["hinge"]
    assert found.parts["yard"].at == pytest.approx(ground_settings("ridge:20 cm", (1, 0, 0), 1.0)["at"])


def test_what_cannot_stand_says_so():
    with pytest.raises(kb.MachineError, match="machine 'four-bar' has no contacts or tires that could stand"):
        kb.on_ground(kb.catalogue.machine("four-bar"), "rough")
    m = crate()
    m.terrain("wall", normal="x")
    m.parts["yard"] = m.parts.pop("floor").model_copy(update={"name": "yard"})
    with pytest.raises(kb.MachineError, match="no terrain 'floor' whose place a ground could take, only 'wall'"):
        kb.on_ground(m, "rough")


def test_it_settles_where_it_was_put():
    vehicle = kb.on_ground(four_wheels(steer=None, braked=True), "slope:10%:-y")
    run = kb.simulate(vehicle, "3 s", step="1 ms", coupling="realtime", record="10 ms")
    where = run["frame.position"].values
    assert np.abs(where - where[0]).max() < 0.03
