# SPDX-License-Identifier: BSD-3-Clause
"""Wheel loads of the harvesters by hand: six unknowns.

    3   all forces up, and moments of the whole about both level axes; forces along the ground act in its plane
    2   moments of each bogie about its hinge, with forces along the ground as found
    1   both middles of the bogies' wheels and both rear wheels are points of one rigid frame, whatever it leans:
        their heights, radius − load/stiffness, lie in one plane but for what they do so unloaded
"""

import math

import numpy as np

import knuckleboom as kb
from analytic.test_standing import foot
from knuckleboom.catalogue import NAMES
from knuckleboom.mechanics.parts import Body

G = 9.81
STIFFNESS, WIDTH = 30e3 / 0.060, 0.60  # N/m, m, of a tire
DISCS = tuple(WIDTH / math.sqrt(8.0) * k for k in (-1.0, 0.0, 1.0))
FRONT, REAR = [f"{side}_{number}" for side in ("left", "right") for number in (1, 2)], ["left_rear", "right_rear"]
WHEELS = FRONT + REAR
MIDDLES = ((1.0, 1.15, -0.44), (1.0, -1.15, -0.44))  # of a bogie's wheels, on the front frame
HINGE, BEHIND = (-0.9, 0.0), ((-1.9, 1.15, -0.35), (-1.9, -1.15, -0.35))  # articulation; rear wheels on the rear frame


def standing(name, start):
    """A harvester's equilibrium from some angles, and its wheel loads by statics, both as lists."""
    m = NAMES[name]().machine
    bodies = m.of(Body)
    for body in bodies:
        m[body.name].point("middle", body.com)
    for wheel in WHEELS:
        m[f"wheel_{wheel}"].point("out", (0.0, 1.0, 0.0))
    for side in ("left", "right"):
        m[f"bogie_{side}"].point("line", (0.0, 1.0, 0.0))
    state = kb.equilibrium(m, start=start)
    weights = {body.name: (body.mass * G, state[f"{body.name}.middle.position"]) for body in bodies}
    loads = np.linalg.solve(*equations(m, state, weights))
    return state, [state.loads[f"tire_{wheel}"] for wheel in WHEELS], loads.tolist()


def equations(m, state, weights):
    """Matrix and right-hand side."""
    A, b, up = np.zeros((6, 6)), np.zeros(6), np.array([0.0, 0.0, 1.0])
    radii = [m.part(f"tire_{wheel}").radius for wheel in WHEELS]
    feet = [foot(state, wheel, f"tire_{wheel}", radius, DISCS) for wheel, radius in zip(WHEELS, radii, strict=True)]
    for k, (at, _, torque) in enumerate(feet):
        A[:3, k] = 1.0, at[1], -at[0]
        b[1:3] -= torque[:2]
    for weight, at in weights.values():
        b[:3] += weight, weight * at[1], -weight * at[0]

    for row, side in enumerate(("left", "right"), 3):
        pin = state[f"bogie_{side}.position"]
        line = state[f"bogie_{side}.line.position"] - pin
        for name in (f"bogie_{side}", *(f"wheel_{side}_{number}" for number in (1, 2))):
            weight, at = weights[name]
            b[row] += np.cross(at - pin, weight * up) @ line
        for number in (1, 2):
            k = WHEELS.index(f"{side}_{number}")
            at, F, torque = feet[k]
            A[row, k] = np.cross(at - pin, up) @ line
            b[row] -= (np.cross(at - pin, F) + torque) @ line

    # where the four points are in the axes of the front frame, and what vanishes for all heights a + b·x + c·y
    bent = state["articulation.angle"]
    c, s = math.cos(bent), math.sin(bent)
    points = np.array([*MIDDLES, *((HINGE[0] + c * x - s * y, HINGE[1] + s * x + c * y, z) for x, y, z in BEHIND)])
    warp = np.linalg.svd(np.column_stack([np.ones(4), points[:, :2]]).T)[2][-1]
    parts = np.array([[0.5, 0.5, 0, 0, 0, 0], [0, 0, 0.5, 0.5, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1.0]])
    camber = [state[f"wheel_{w}.out.position"][2] - state[f"wheel_{w}.position"][2] for w in WHEELS]
    unloaded = parts @ (np.array(radii) * np.sqrt(1.0 - np.array(camber) ** 2))
    A[5] = -warp @ parts / STIFFNESS
    b[5] = warp @ (points[:, 2] - unloaded)
    # of the size of the other rows
    scale = 1.0 / np.abs(A[5]).max()
    A[5], b[5] = scale * A[5], scale * b[5]
    return A, b
