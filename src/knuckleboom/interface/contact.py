# SPDX-License-Identifier: BSD-3-Clause
"""Contact of bodies with the ground: what touches, with what force, and what that takes.

Per point one normal row, with the normal of the ground there; per pair of a shape and a ground two tangential rows and
one of spin, at the centre of pressure:

    normal        W = (p×n; n)       s the gap           N of elements/stop.py, a stop at 0
    along, across W = (c×t; t)       c = Σ G_i p_i/G     λ of elements/friction_patch.py, pressed by G = Σ G_i
    spin          W = (ρ m; 0)       ρ = Σ G_i √(ρ₀² + |p_i − c|²)/G, the mean arm of the pressure, at least ρ₀

m and t are axes of Σ N_i n_i. G_i = f_i N_i: where areas of the ground differ in friction by f, what slides is carried
by each as it is there. All other numbers of friction are those of the pair. Rows are in Work: they move. None has a
path table, as all act on one link and on the ground. A pair has as many points as planned, the deepest; what is left
out is counted. The bend about the normal is a length, that of bristles at the arm ρ, so that it stays within its limit
where ρ changes. Where nothing presses bristles straighten: ż = −z/T; in a blow, G > 300 m/s² of the link's mass, their
damping σ₁ falls as G^-½, and no step leaves them bent beyond where they break away. Stores ½ k d² and G σ₀ |e|²/2.
Own derivation, after the law files; tangents are in contact_tangent.py and contact_slopes.py.
Validated by: validation/analytic/test_ground_contact.py
"""

import math

import numpy as np

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.feature import AXIS, RADIUS, axes_along, gap_to
from knuckleboom.geometry.feature import CENTRE as PLACE
from knuckleboom.geometry.field import AREA, AREAS, FIELD, KIND, area_of
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.interface.elements import friction_patch, stop
from knuckleboom.interface.link_sums import velocity_at
from knuckleboom.kernels import kernel, shared_kernel

LINK, GROUND, FEATURE, FEATURES, SPOT, SPOTS, STATE, POWER, BODY, LAW = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Columns of plan_touch.index: link, ground, first feature of the shape and their number, first of the planned spots
and their number, first state, first power (normal, then friction), body, first line of plan_touch.law: one for each
area of the ground."""
COULOMB, BREAKAWAY, STRIBECK, BRISTLE, BRISTLE_DAMPING, VISCOUS, HOLD_SPEED, ARM, MASS = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Columns of plan_touch.number: the friction law, arm of a single point, mass of the link."""
SHARE, STIFFNESS, DAMPING, RESTITUTION = 0, 1, 2, 3
"""Columns of plan_touch.law: factor of friction, the normal law, and what of it is left for impulses."""
LOAD, CENTRE, ARM_NOW, GRIP = 0, 1, 4, 5  # columns of touch.pressed
NORMAL, ALONG, ACROSS = 0, 3, 6  # columns of touch.axes
FORCE_BY_W, FORCE_BY_Z, FORCE_BY_N, RATE_BY_Z, RATE_BY_W = 0, 9, 18, 21, 30
"""Where slopes of a patch begin in touch.slope, matrices row by row."""
ROWS = 3  # of a patch, and its states
STRAIGHTENING = 0.01  # s
BLOW = 300.0  # m/s²: load over the mass of a link above which it is that of a blow
STEPS, MOST = 0, 1  # columns of touch.dropped
WIDTH = 14  # of a contact in the record: load 1, friction 3, depth 1, slip 1, point 3, stored 2, normal 3
OUT = 11  # where the normal stands among them


@kernel
def vector(number, c, at):
    """Three columns of line c."""
    return number[c, at], number[c, at + 1], number[c, at + 2]


@kernel
def keep_vector(value, c, at, number):
    """Keep three columns of line c. Writes number."""
    number[c, at], number[c, at + 1], number[c, at + 2] = value


@kernel
def axes_of(touch, c):
    """The mean normal of contact c and two directions across it."""
    return vector(touch.axes, c, NORMAL), vector(touch.axes, c, ALONG), vector(touch.axes, c, ACROSS)


@kernel
def turned(number, i, at, R, link):
    """Three columns of line i, in the axes of a link, in those of the world."""
    x, y, z = vector(number, i, at)
    return (
        R[link, 0] * x + R[link, 1] * y + R[link, 2] * z,
        R[link, 3] * x + R[link, 4] * y + R[link, 5] * z,
        R[link, 6] * x + R[link, 7] * y + R[link, 8] * z,
    )


@kernel
def find_spots(plan, c, motion, touch):
    """Fill gaps, points and normals of the deepest features of contact c, and count those that touch beyond. Writes
    touch.
    """
    index, feature, R = plan.touch.index, plan.touch.place, motion.R_WL
    link, ground, first, count = np.uintp(index[c, LINK]), index[c, GROUND], index[c, SPOT], index[c, SPOTS]
    origin, start = (motion.p_WO[0], motion.p_WO[1], motion.p_WO[2]), vector(motion.p_OL, link, 0)
    kept, below = 0, 0
    for which in range(index[c, FEATURE], index[c, FEATURE] + index[c, FEATURES]):
        x, y, z = turned(feature, which, PLACE, R, link)
        place, axis = (x + start[0], y + start[1], z + start[2]), turned(feature, which, AXIS, R, link)
        gap, p, n = gap_to(plan.ground, ground, place, feature[which, RADIUS], axis, origin)
        if gap < 0.0:
            below += 1
        # among those kept, deepest first
        at = kept
        while at > 0 and touch.s[first + at - 1] > gap:
            if at < count:
                keep_spot(
                    touch.s[first + at - 1], vector(touch.p, first + at - 1, 0), vector(touch.n, first + at - 1, 0),
                    touch.feature[first + at - 1], first + at, touch,
                )  # fmt: skip
            at -= 1
        if at < count:
            keep_spot(gap, p, n, which, first + at, touch)
        kept = min(kept + 1, count)
    for i in range(first, first + count):
        touch.area[i] = index[c, LAW]
        if plan.ground.index[ground, AREAS] > 1:
            x, y = touch.p[i, 0] + origin[0], touch.p[i, 1] + origin[1]
            touch.area[i] += area_of(plan.ground, ground, x, y) - plan.ground.index[ground, AREA]
    touch.missed[c] = max(below - count, 0)


@kernel
def keep_spot(gap, p, n, which, i, touch):
    """Keep a feature as spot i. Writes touch."""
    touch.s[i], touch.feature[i] = gap, which
    keep_vector(p, i, 0, touch.p)
    keep_vector(n, i, 0, touch.n)


@kernel
def press(plan, c, V, touch, power):
    """Fill the normal forces of contact c with their slopes, their sum, its axes, its centre and its arm. Writes touch,
    power.
    """
    index, law = plan.touch.index, plan.touch.law
    link, first, last = np.uintp(index[c, LINK]), index[c, SPOT], index[c, SPOT] + index[c, SPOTS]
    load, grip, work, x, y, z, nx, ny, nz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(first, last):
        p, n, area = vector(touch.p, i, 0), vector(touch.n, i, 0), touch.area[i]
        touch.w[i] = dot_of(n, velocity_at(V, link, p))
        N, by_s, by_w = stop.law(touch.s[i], touch.w[i], 0.0, math.inf, law[area, STIFFNESS], law[area, DAMPING])
        touch.N[i], touch.by_s[i], touch.by_w[i] = N, by_s, by_w
        G = law[area, SHARE] * N
        load += N
        grip += G
        work += N * touch.w[i]
        x += G * p[0]
        y += G * p[1]
        z += G * p[2]
        nx += N * n[0]
        ny += N * n[1]
        nz += N * n[2]
    arm, normal = plan.touch.number[c, ARM], vector(touch.n, first, 0)
    if load > 0.0:
        x, y, z, least, arm = x / grip, y / grip, z / grip, arm, 0.0
        for i in range(first, last):
            arm += law[touch.area[i], SHARE] * touch.N[i] * arm_of(least, touch.p, i, (x, y, z)) / grip
        if plan.ground.index[index[c, GROUND], KIND] == FIELD:
            share = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
            normal = share * nx, share * ny, share * nz
    else:
        x, y, z = vector(touch.p, first, 0)
    along, across = axes_along(plan.ground, index[c, GROUND], normal)
    keep_vector(normal, c, NORMAL, touch.axes)
    keep_vector(along, c, ALONG, touch.axes)
    keep_vector(across, c, ACROSS, touch.axes)
    touch.pressed[c, LOAD], touch.pressed[c, ARM_NOW], touch.pressed[c, GRIP] = load, arm, grip
    keep_vector((x, y, z), c, CENTRE, touch.pressed)
    power[index[c, POWER]] = work


@kernel
def arm_of(least, p, i, centre):
    """Arm of point i about the centre of pressure."""
    dx, dy, dz = p[i, 0] - centre[0], p[i, 1] - centre[1], p[i, 2] - centre[2]
    return math.sqrt(least * least + dx * dx + dy * dy + dz * dz)


@kernel
def keep_nine(values, c, at, slope):
    """Keep a 3×3 matrix from a column on. Writes slope."""
    m0, m1, m2, m3, m4, m5, m6, m7, m8 = values
    slope[c, at], slope[c, at + 1], slope[c, at + 2] = m0, m1, m2
    slope[c, at + 3], slope[c, at + 4], slope[c, at + 5] = m3, m4, m5
    slope[c, at + 6], slope[c, at + 7], slope[c, at + 8] = m6, m7, m8


@kernel
def eased(damping, mass, load):
    """Damping of bristles that press a mass with a load: such that they damp it as well in a blow as at rest."""
    most = BLOW * mass
    return damping * math.sqrt(most / load) if load > most else damping


@kernel
def eased_slope(by_force, bends, bristle, mass, load):
    """Slopes of friction by a load with the damping of `eased`, which in a blow grows with the root of the load only;
    `by_force` as if it did not change.
    """
    if load <= BLOW * mass:
        return by_force
    f1, f2, f3 = by_force
    e1, e2, e3 = bends
    return 0.5 * (f1 - bristle * e1), 0.5 * (f2 - bristle * e2), 0.5 * (f3 - bristle * e3)


@kernel
def rub(plan_touch, c, V, x, touch, x_dot, power):
    """Fill friction of contact c with its slopes, and the rates of its bristles. Writes touch, x_dot, power."""
    index, number, slope = plan_touch.index, plan_touch.number, touch.slope
    link, state, grip, arm = (
        np.uintp(index[c, LINK]),
        index[c, STATE],
        touch.pressed[c, GRIP],
        touch.pressed[c, ARM_NOW],
    )
    n, t1, t2 = axes_of(touch, c)
    v = velocity_at(V, link, vector(touch.pressed, c, CENTRE))
    w1, w2, w3 = dot_of(t1, v), dot_of(t2, v), arm * dot_of(n, (V[link, 0], V[link, 1], V[link, 2]))
    touch.slip[c, 0], touch.slip[c, 1], touch.slip[c, 2] = w1, w2, w3
    if grip <= 0.0 or number[c, COULOMB] <= 0.0:
        for k in range(slope.shape[1]):
            slope[c, k] = 0.0
        for k in range(ROWS):
            touch.force[c, k] = 0.0
            slope[c, RATE_BY_Z + (ROWS + 1) * k] = -1.0 / STRAIGHTENING
            x_dot[state + k] = -x[state + k] / STRAIGHTENING
        power[index[c, POWER] + 1] = 0.0
        return
    # rates and bends of spin are lengths here: an arm of 1
    force, by_w, by_z, by_force, rate, rate_z, rate_w = friction_patch.law(
        w1, w2, w3, grip, x[state], x[state + 1], x[state + 2], number[c, COULOMB], number[c, BREAKAWAY],
        number[c, STRIBECK], number[c, BRISTLE], eased(number[c, BRISTLE_DAMPING], number[c, MASS], grip),
        number[c, VISCOUS], number[c, HOLD_SPEED], 1.0,
    )  # fmt: skip
    touch.force[c, 0], touch.force[c, 1], touch.force[c, 2] = force
    x_dot[state], x_dot[state + 1], x_dot[state + 2] = rate
    keep_nine(by_w, c, FORCE_BY_W, slope)
    keep_nine(by_z, c, FORCE_BY_Z, slope)
    keep_nine(rate_z, c, RATE_BY_Z, slope)
    keep_nine(rate_w, c, RATE_BY_W, slope)
    bends = x[state], x[state + 1], x[state + 2]
    keep_vector(eased_slope(by_force, bends, number[c, BRISTLE], number[c, MASS], grip), c, FORCE_BY_N, slope)
    power[index[c, POWER] + 1] = force[0] * w1 + force[1] * w2 + force[2] * w3


@kernel
def add_wrench(force, p, f, c, wrench):
    """Add that of a force along f at p. Writes wrench."""
    m = cross_of(p, f)
    for k in range(3):
        wrench[c, k] += force * m[k]
        wrench[c, 3 + k] += force * f[k]


@kernel
def sum_wrench(plan_touch, c, touch):
    """Fill the wrench at O of contact c. Writes touch."""
    index, wrench = plan_touch.index, touch.wrench
    n, t1, t2 = axes_of(touch, c)
    centre, spin = vector(touch.pressed, c, CENTRE), touch.force[c, 2] * touch.pressed[c, ARM_NOW]
    for k in range(3):
        wrench[c, k] = spin * n[k]
        wrench[c, 3 + k] = 0.0
    for i in range(index[c, SPOT], index[c, SPOT] + index[c, SPOTS]):
        add_wrench(touch.N[i], vector(touch.p, i, 0), vector(touch.n, i, 0), c, wrench)
    add_wrench(touch.force[c, 0], centre, t1, c, wrench)
    add_wrench(touch.force[c, 1], centre, t2, c, wrench)


@apart_kernel
def act(plan, work):
    """Find what touches, fill forces, rates and powers, and take the wrenches from those of the links. Writes work."""
    plan_touch, touch, motion, power = plan.touch, work.touch, work.motion, work.oil.power
    for c in range(plan_touch.index.shape[0]):
        find_spots(plan, c, motion, touch)
        press(plan, c, motion.V_WL, touch, power)
        rub(plan_touch, c, motion.V_WL, work.state.x, touch, work.oil.x_dot, power)
        sum_wrench(plan_touch, c, touch)
        for k in range(6):
            motion.wrench[plan_touch.index[c, LINK], k] -= touch.wrench[c, k]


@shared_kernel
def suddenness(plan_touch, h, touch):
    """The largest of elements/stop.py, of all points."""
    most = 0.0
    for i in range(touch.s.shape[0]):
        most = max(most, stop.suddenness(touch.s[i], touch.w[i], h, 0.0, math.inf))
    return most


@kernel
def part_within(square, breakaway, bristle):
    """The part of a bend, of which the square is given [m²], that bristles can have."""
    bent = bristle * math.sqrt(square)
    return breakaway / bent if bent > breakaway else 1.0


@shared_kernel
def limit_bends(plan_touch, x):
    """Let no bristles bend further than where they break away, which a step that began before it may do. Writes x."""
    number = plan_touch.number
    for c in range(plan_touch.index.shape[0]):
        z = plan_touch.index[c, STATE]
        square = x[z] * x[z] + x[z + 1] * x[z + 1] + x[z + 2] * x[z + 2]
        part = part_within(square, number[c, BREAKAWAY], number[c, BRISTLE])
        if part < 1.0:
            for k in range(ROWS):
                x[z + k] *= part


@shared_kernel
def count_dropped(touch):
    """Count a step in which more points touched than planned. Writes touch."""
    for c in range(touch.missed.shape[0]):
        if touch.missed[c] > 0:
            touch.dropped[c, STEPS] += 1.0
            touch.dropped[c, MOST] = max(touch.dropped[c, MOST], touch.missed[c])


@kernel
def energies(plan_touch, c, x, touch):
    """Energy of the overlap and of the bent bristles of contact c [J]."""
    index, number, elastic = plan_touch.index, plan_touch.number, 0.0
    for i in range(index[c, SPOT], index[c, SPOT] + index[c, SPOTS]):
        elastic += stop.stored(touch.s[i], 0.0, math.inf, plan_touch.law[touch.area[i], STIFFNESS])
    z = index[c, STATE]
    bent = friction_patch.stored(touch.pressed[c, GRIP], x[z], x[z + 1], x[z + 2], number[c, BRISTLE], 1.0)
    return elastic, bent


@apart_kernel
def observe(plan, work, at, sum_at, record):
    """Load, friction, depth, slip, point, energies and normal of every contact, from column `at` on;
    column `sum_at` gets the energy of all. Writes record.
    """
    plan_touch, touch, total = plan.touch, work.touch, 0.0
    for c in range(plan_touch.index.shape[0]):
        n, t1, t2 = axes_of(touch, c)
        elastic, bent = energies(plan_touch, c, work.state.x, touch)
        touches = touch.pressed[c, LOAD] > 0.0
        record[at] = touch.pressed[c, LOAD]
        for k in range(3):
            record[at + 1 + k] = touch.force[c, 0] * t1[k] + touch.force[c, 1] * t2[k]
            record[at + 6 + k] = touch.pressed[c, CENTRE + k] + work.motion.p_WO[k]
            record[at + OUT + k] = n[k] if touches else 0.0
        record[at + 4] = max(-touch.s[plan_touch.index[c, SPOT]], 0.0)
        record[at + 5] = math.hypot(touch.slip[c, 0], touch.slip[c, 1]) if touches else 0.0
        record[at + 9], record[at + 10] = elastic, bent
        total += elastic + bent
        at += WIDTH
    record[sum_at] += total
