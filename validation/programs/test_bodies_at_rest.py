# SPDX-License-Identifier: BSD-3-Clause
"""Bodies dropped on each other beside MuJoCo: where they come to rest, and which stacks fall over.

Rank: another program, whose contact is another law: soft constraints, without restitution. So only where things end is
compared, to 5 mm of bodies of 0.2 to 1 m, after drops of a few centimetres; and whether a stack of three boxes, each
off line by a random part of its side, falls over, which is statics: it stands if the centre of all that is above each
face is over that face.
"""

import mujoco
import numpy as np
import pytest

import knuckleboom as kb

STEP = 1e-3


class Scene:
    """Boxes, spheres and capsules on a floor, for both programs."""

    def __init__(self):
        self.machine = kb.Machine("scene")
        self.machine.terrain("floor")
        self.lines, self.names = [], []

    def add(self, name, mass, inertia, start, turned=0.0, speed=0.0, **shape):
        """A free body, turned about y, with a speed along x."""
        m = self.machine
        body = m.body(name, mass=mass, inertia=inertia)
        m.free(f"{name}_free", m.ground, body, start=(*start, 0, turned, 0), speed=(speed, 0, 0, 0, 0, 0))
        given = {"stiffness": 2e5, "restitution": 0.1, "impact_speed": 0.5, "friction": 0.5}
        m.contact(f"{name}_skin", body, **shape, **given)
        if "box" in shape:
            geom = f'type="box" size="{" ".join(str(side / 2) for side in shape["box"])}"'
        elif "capsule" in shape:
            radius, length = shape["capsule"]
            geom = f'type="capsule" size="{radius} {length / 2}" zaxis="0 1 0"'
        else:
            geom = f'type="sphere" size="{shape["sphere"]}"'
        self.lines.append(
            f'<body name="{name}" pos="{start[0]} {start[1]} {start[2]}" euler="0 {turned} 0"><freejoint/>'
            f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia[0]} {inertia[1]} {inertia[2]}"/>'
            f'<geom {geom} friction="0.5 0.005 0.0001" condim="4"/></body>'
        )
        self.names.append((name, speed))

    def box(self, name, mass, sides, start, **more):
        x, y, z = (side**2 for side in sides)
        inertia = (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)
        self.add(name, mass, inertia, start, box=sides, **more)

    def ours(self, span):
        """Places at the end, by body."""
        results = kb.simulate(self.machine, span, step=STEP, coupling="realtime")
        return {name: results[f"{name}_free.position"].values[-1] for name, _ in self.names}

    def theirs(self, span):
        """The same of MuJoCo."""
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><compiler angle="radian"/><option timestep="{STEP}" cone="elliptic" impratio="10"/><worldbody>'
            f'<geom type="plane" size="9 9 1" friction="0.5 0.005 0.0001" condim="4"/>{"".join(self.lines)}'
            "</worldbody></mujoco>"
        )
        data = mujoco.MjData(model)
        for body, (_, speed) in enumerate(self.names):
            data.qvel[6 * body] = speed
        for _ in range(round(span / STEP)):
            mujoco.mj_step(model, data)
        return {name: data.body(name).xpos.copy() for name, _ in self.names}


def slides():
    """A box that slides on a long one, and one that slides on the floor."""
    scene = Scene()
    scene.box("low", 40.0, (1.5, 0.6, 0.2), (0, 0, 0.1))
    scene.box("high", 5.0, (0.3, 0.3, 0.2), (-0.3, 0, 0.301), speed=0.9)
    scene.box("beside", 5.0, (0.3, 0.3, 0.2), (0, 1.0, 0.1), speed=0.9)
    return scene


def bridge():
    """A plank dropped on two boxes."""
    scene = Scene()
    scene.box("left", 20.0, (0.3, 0.3, 0.4), (-0.5, 0, 0.2))
    scene.box("right", 20.0, (0.3, 0.3, 0.4), (0.5, 0, 0.2))
    scene.box("plank", 8.0, (1.4, 0.3, 0.06), (0.05, 0, 0.45))
    return scene


def valley():
    """A ball dropped between two heavy boxes."""
    scene = Scene()
    scene.box("left", 200.0, (0.4, 0.4, 0.3), (-0.3, 0, 0.15))
    scene.box("right", 200.0, (0.4, 0.4, 0.3), (0.3, 0, 0.15))
    scene.add("ball", 4.0, (0.036,) * 3, (0.01, 0, 0.45), sphere=0.15)
    return scene


def edge():
    """A box that is dropped on an edge, on a box."""
    scene = Scene()
    scene.box("low", 60.0, (1.0, 0.6, 0.2), (0, 0, 0.1))
    scene.box("high", 5.0, (0.4, 0.3, 0.2), (0, 0, 0.36), turned=0.2)
    return scene


@pytest.mark.parametrize("scene", [slides, bridge, valley, edge])
def test_bodies_come_to_rest_where_they_do_in_mujoco(scene):
    ours, theirs = scene().ours(3.0), scene().theirs(3.0)

    for name, place in ours.items():
        np.testing.assert_allclose(place, theirs[name], atol=5e-3, err_msg=name)


SIDE = 0.4


def stack(number):
    """Three boxes, the upper two off line, and whether statics lets them stand, no closer to the edge than 10 %."""
    random = np.random.default_rng(100 + number)
    while True:
        x = np.array([0.0, *np.cumsum(random.uniform(-0.7, 0.7, 2))]) * SIDE
        over = [(x[2] - x[1]) / (SIDE / 2), ((x[1] + x[2]) / 2 - x[0]) / (SIDE / 2)]
        if min(abs(abs(part) - 1.0) for part in over) > 0.1:
            break
    scene = Scene()
    for k in range(3):
        scene.box(f"b{k}", 10.0, (SIDE,) * 3, (x[k], 0, SIDE * (k + 0.5)))
    return scene, max(abs(part) for part in over) < 1.0


@pytest.mark.slow
def test_twenty_stacks_fall_over_or_not_as_in_mujoco():
    stood = []
    for number in range(20):
        scene, stands = stack(number)
        verdicts = [places["b2"][2] > 2.4 * SIDE for places in (scene.ours(1.5), scene.theirs(1.5))]
        assert verdicts == [stands, stands], number
        stood.append(stands)
    assert 5 <= sum(stood) <= 15
