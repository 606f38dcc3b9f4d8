# SPDX-License-Identifier: BSD-3-Clause
"""How the excavator stands on its tracks: loads and corners by statics, where it tips and slides, creep on a slope.

Closed forms of a rigid body on eight equal corners, with the deflected pose; slopes are gravity that leans. Forward it
tips about the front corners of the tracks, until its bucket stands on the ground.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue.excavator import SOLIDS, TRACK, TRACK_GAUGE, excavator

G = 9.81
TRACKS = ("track_left", "track_right")
TOTAL = sum(solid.mass for solid in SOLIDS.values())
FRONT = 0.5 * TRACK[0]


def machine(slope=0.0, downhill=0.0, friction=None, **start):
    """The excavator on ground that falls by a slope [rad] towards a heading [rad]; `start` are angles of joints.

    The slewing ring is locked, as it is where such a machine is parked: its motor leaks.
    """
    m = excavator().machine
    m.driver("lock", "slewing", start=start.get("slewing", 0.0))
    along = math.sin(slope)
    m.gravity = (G * along * math.cos(downhill), G * along * math.sin(downhill), -G * math.cos(slope))
    for name, solid in SOLIDS.items():
        m[name].point("centre", solid.com)
    for track in TRACKS if friction is not None else ():
        m[track].friction = friction
    for joint, angle in start.items():
        m[joint].start = angle
    return m


def centre(state):
    """Centre of mass of the machine in the world."""
    return sum(solid.mass * state[f"{name}.centre.position"] for name, solid in SOLIDS.items()) / TOTAL


def corners(state):
    """Bottom corners of both tracks in the world, by track."""
    p, (w, *r) = state["undercarriage.position"], state["undercarriage.orientation"]

    def turned(v):
        return v + 2.0 * np.cross(r, np.cross(r, v) + w * v)

    found = {}
    for track, side in zip(TRACKS, (0.5 * TRACK_GAUGE, -0.5 * TRACK_GAUGE), strict=True):
        flat = [(a * FRONT, side + 0.5 * b * TRACK[1], 0.0) for a in (1.0, -1.0) for b in (1.0, -1.0)]
        found[track] = np.array([p + turned(np.array(corner)) for corner in flat])
    return found


POSES = {
    "at the start": {},
    "slewed": {"slewing": 0.9},
    "slewed across, boom up": {"slewing": -1.5, "boom_pin": 0.9},
    "stick out": {"slewing": 0.3, "stick_pin": -1.0},
}


@pytest.mark.parametrize("pose", POSES.values(), ids=POSES)
@pytest.mark.parametrize(("slope", "downhill"), [(0.0, 0.0), (0.1, 0.0), (0.1, 2.0)])
def test_track_and_corner_loads(pose, slope, downhill):
    """Loads of both tracks and their centres of pressure: sum and moments of the whole, and the depths of all corners
    times their stiffness.
    """
    m = machine(slope, downhill, **pose)
    state = kb.equilibrium(m)
    pull = TOTAL * np.array(m.gravity)
    loads = np.array([state.loads[track] for track in TRACKS])
    points = np.array([state[f"{track}.point"] for track in TRACKS])
    grip = np.array([state[f"{track}.friction_force"] for track in TRACKS])
    off = np.cross(points, loads[:, None] * (0.0, 0.0, 1.0) + grip).sum(axis=0) + np.cross(centre(state), pull)

    assert loads.sum() == pytest.approx(-pull[2], rel=1e-6)
    assert grip.sum(axis=0)[:2] == pytest.approx(-pull[:2], rel=1e-6, abs=1e-3)
    assert off[:2] == pytest.approx([0.0, 0.0], abs=1e-6 * TOTAL * G)  # N·m
    for track, load, point, bottom in zip(TRACKS, loads, points, corners(state).values(), strict=True):
        each = -bottom[:, 2] * m.part(track).stiffness
        assert each.min() > 0.0 and each.sum() == pytest.approx(load, rel=1e-6)
        assert each @ bottom / each.sum() == pytest.approx(point, abs=1e-6)
    assert {name for name, load in state.loads.items() if load} == set(TRACKS)


def test_the_slope_at_which_it_slides():
    """tan α = μ of steel on soil at rest, whichever way the ground falls."""
    limit = math.atan(kb.build(machine()).plan.touch.number[0, 1])
    for heading in (0.0, 1.0, math.pi / 2):
        assert sum(kb.equilibrium(machine(0.99 * limit, heading)).loads.values()) > 0.0
        with pytest.raises(kb.AnalysisError, match="slide"):
            kb.equilibrium(machine(1.01 * limit, heading))


def loaded(force, seconds):
    """The last line of a run with its boom up, in which a force [N] down at the bucket's pin comes within 4 s."""
    m = machine(boom_pin=0.7)
    m.force("hook", m["bucket_shell"].at(0.0, 0.0, 0.0), "-z")
    inputs = {"hook": kb.ramps({0.0: 0.0, 4.0: force})}
    run = kb.simulate(m, seconds, step=1e-3, record=0.1, inputs=inputs, coupling="realtime")
    return {path: run[path].values[-1] for path in run}


def test_the_load_at_which_it_tips_forward():
    """F (x_F − x) = W (x − x_c) about the front corners at x, of the machine as it leans.

    With 3 % less it stands on its tracks alone, with 3 % more it tips until its bucket stands on the ground, too.
    """
    load = 50e3
    for _ in range(2):
        state = loaded(0.97 * load, 8.0)
        front = np.mean([bottom[:2, 0].mean() for bottom in corners(state).values()])
        load = TOTAL * G * (front - centre(state)[0]) / (state["bucket_shell.position"][0] - front)
    below, above = loaded(0.97 * load, 8.0), loaded(1.03 * load, 12.0)

    assert 45e3 < load < 60e3
    assert pressed(below) == set(TRACKS)
    assert max(bottom[:, 2].max() for bottom in corners(below).values()) < 0.1e-3
    assert pressed(above) == {*TRACKS, "teeth"}
    assert min(bottom[2:, 2].min() for bottom in corners(above).values()) > 0.5  # its rear is in the air


def pressed(state):
    """Contacts that carry something."""
    return {path.removesuffix(".normal_force") for path, value in state.items()
            if path.endswith(".normal_force") and value > 0.0}  # fmt: skip


# --- slopes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("downhill", [0.0, 0.5 * math.pi])
def test_it_slides_down_a_slope_that_is_too_steep(downhill):
    """Its centre of mass moves with g (sin α − μ cos α), μ that of sliding; from 1 s on, when it rocks no more."""
    slope = math.radians(32.0)
    m = machine(slope, downhill)
    run = kb.simulate(m, 2.5, step=1e-3, record=1e-2, coupling="realtime")
    path = sum(solid.mass * run[f"{name}.centre.position"].values for name, solid in SOLIDS.items()) / TOTAL
    way = path[:, :2] @ (math.cos(downhill), math.sin(downhill))
    late = run.time >= 1.0
    found = 2.0 * np.polyfit(run.time[late], way[late], 2)[0]
    friction = kb.build(m).plan.touch.number[0, 0]
    assert friction == 0.45  # steel on soil
    assert found == pytest.approx(G * (math.sin(slope) - friction * math.cos(slope)), rel=5e-3)


def test_it_rolls_onto_its_side():
    """On 63°, with friction enough, it falls over onto cab and house and stays finite; the audit closes to 0.5 %."""
    run = kb.simulate(machine(1.1, 0.5 * math.pi, friction=3.0), 5.0, step=1e-3, record=1e-2, coupling="realtime")
    assert run.status == "done" and np.isfinite(run.record).all()
    _, x, y, _ = run["undercarriage.orientation"].values[-1]
    assert 1.0 - 2.0 * (x * x + y * y) < 0.5  # leans by more than 60°
    assert max(run[f"{name}.normal_force"].values[-1] for name in ("cab", "house", "teeth", "shell")) > 10e3
    assert abs(run.energy().relative_residual) < 5e-3
