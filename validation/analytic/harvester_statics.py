# SPDX-License-Identifier: BSD-3-Clause
"""Statics of the harvesters' crane by hand, from masses and places of the drawing: points (x, z), m, N."""

import math

GRAVITY = 9.81
BOOM, JIB = math.radians(55.0), math.radians(55.0 - 100.0)  # angles above the horizon in the start pose
FOLD_SIZES, LIFT_SIZES, TELESCOPE_SIZES = (0.140, 0.080), (0.125, 0.070), (0.063, 0.040)  # bore and rod, m


def turned(point, angle):
    """A point (x, z) turned upwards."""
    c, s = math.cos(angle), math.sin(angle)
    return c * point[0] - s * point[1], s * point[0] + c * point[1]


def ram(foot, eye, closed, barrel, rod):
    """Length, direction and centres of a cylinder's halves, with their masses."""
    line = (eye[0] - foot[0], eye[1] - foot[1])
    length = math.hypot(*line)
    way = (line[0] / length, line[1] / length)
    return length, way, ((barrel, 0.45 * closed), (rod, length - 0.45 * closed))


def ram_force(moment, foot, eye, closed, barrel, rod):
    """Force along a cylinder that carries a moment about the origin, and its own halves: the foot carries the rest."""
    length, way, centres = ram(foot, eye, closed, barrel, rod)
    across = GRAVITY * way[0] * sum(mass * at for mass, at in centres) / length
    lever, beside = eye[0] * way[1] - eye[1] * way[0], eye[0] * way[0] + eye[1] * way[1]
    return (moment + across * beside) / lever + rod * GRAVITY * way[1]


FOLD = (turned((2.2 - 4.0, -0.3), BOOM), turned((0.55, -0.10), JIB), 1.27, 90.0, 58.0)
LIFT = ((0.45 + 0.10, 0.30 - 1.35), turned((1.25, -0.18), BOOM), 1.20, 95.0, 60.0)


def beyond_jib(hanging):
    """Masses, and their places from the jib's hinge: jib, telescope, and what hangs below the telescope's end."""
    return [(500.0, turned((1.15, 0.03), JIB)), (250.0, turned((0.3 + 0.6 + 1.25, 0.0), JIB)),
            (hanging, turned((0.3 + 0.6 + 2.6, 0.0), JIB))]  # fmt: skip


def telescope_force(hanging):
    """Its weight along the jib, which points down: the cylinder pulls."""
    return (250.0 + hanging) * GRAVITY * math.sin(JIB)


def fold_force(hanging):
    """Force of the fold cylinder."""
    return ram_force(GRAVITY * sum(mass * at[0] for mass, at in beyond_jib(hanging)), *FOLD)


def lift_force(hanging):
    """Force of the lift cylinder; the fold cylinder lies between boom and jib, so that all its weight is the boom's."""
    hinge = turned((4.0, 0.0), BOOM)
    moment = 900.0 * turned((1.85, 0.06), BOOM)[0] + sum(mass * (hinge[0] + at[0]) for mass, at in beyond_jib(hanging))
    foot, (_, way, halves) = FOLD[0], ram(*FOLD)
    moment += sum(mass * (hinge[0] + foot[0] + at * way[0]) for mass, at in halves)
    return ram_force(GRAVITY * moment, *LIFT)
