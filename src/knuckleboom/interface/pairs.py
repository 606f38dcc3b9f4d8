# SPDX-License-Identifier: BSD-3-Clause
"""Contact of bodies with each other: which shapes touch, with what force on both, and what that takes.

As in contact.py, between the links of two shapes a and b; n goes from a to b, forces act on b, and against them on a:

    normal        w = W·(V_b − V_a),  W = (p×n; n)     s the gap     N of elements/stop.py, a stop at 0, k times a share
    along, across W = (c×t; t)       c = Σ N_i p_i/N                  λ of elements/friction_patch.py, pressed by Σ N_i
    spin          W = (ρ m; 0)       ρ the mean arm of the pressure   m the direction of Σ N_i n_i

p is on the line along n through both points of a spot, so that w is exactly ṡ: features stay for the whole step, where
they are found at its start, and only their gaps are measured again (`mode`). The bend of a pair is a vector in the axes
of link a and a length about the normal, so that nothing is matched when spots come and go: what is along the normal
fades, and all of it where nothing presses, as ż = −z/T. t are any two directions across m.
Own derivation; the tangent is in pair_tangent.py. Validated by: validation/analytic/test_body_contact.py
"""

import math

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.closest import across
from knuckleboom.geometry.near import find_near
from knuckleboom.geometry.pair import touch
from knuckleboom.geometry.placed import CENTRE as MIDDLE
from knuckleboom.geometry.placed import HALF, bound, place
from knuckleboom.geometry.placed import RADIUS as ROUND
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.geometry.spots import GAP, HOLDER, NORMAL, OF_A, OF_LINE, SHARE
from knuckleboom.geometry.spots import A as ON_A
from knuckleboom.geometry.spots import B as ON_B
from knuckleboom.interface.contact import (
    ACROSS,
    ALONG,
    ARM_NOW,
    CENTRE,
    FORCE_BY_N,
    FORCE_BY_W,
    FORCE_BY_Z,
    LOAD,
    OUT,
    RATE_BY_W,
    RATE_BY_Z,
    ROWS,
    STRAIGHTENING,
    WIDTH,
    add_wrench,
    arm_of,
    axes_of,
    eased,
    eased_slope,
    keep_nine,
    keep_vector,
    part_within,
    vector,
    velocity_at,
)
from knuckleboom.interface.contact import NORMAL as OUTWARD
from knuckleboom.interface.elements import friction_patch, stop
from knuckleboom.kernels import kernel, shared_kernel

ONE, OTHER, SPOT, WAY, STATE, POWER, SPOTS = 0, 1, 2, 3, 4, 5, 6
"""Columns of plan_pairs.index: shapes a and b, first of the planned spots, path, first state, first power (normal, then
friction), number of planned spots."""
STIFFNESS, DAMPING, COULOMB, BREAKAWAY, STRIBECK, BRISTLE, BRISTLE_DAMPING, VISCOUS, HOLD_SPEED, ARM = range(10)
RESTITUTION, MASS = 10, 11
"""Columns of plan_pairs.number; restitution is for impulses, the mass that of the lighter of both links."""
KIND, LINK, BODY = 0, 1, 2  # columns of plan_pairs.of
STEP, KEPT = 0, 1  # of pairs.mode
HELD = 6  # column of the normal in pairs.kept
BENDS = 4
"""States of a pair: the bend in the axes of link a, then about the normal."""
SPIN = 3


@kernel
def turn_out(R, link, x):
    """A vector in the axes of a link in those of the world."""
    return (
        R[link, 0] * x[0] + R[link, 1] * x[1] + R[link, 2] * x[2],
        R[link, 3] * x[0] + R[link, 4] * x[1] + R[link, 5] * x[2],
        R[link, 6] * x[0] + R[link, 7] * x[1] + R[link, 8] * x[2],
    )


@kernel
def turn_in(R, link, x):
    """A vector in the axes of the world in those of a link."""
    return (
        R[link, 0] * x[0] + R[link, 3] * x[1] + R[link, 6] * x[2],
        R[link, 1] * x[0] + R[link, 4] * x[1] + R[link, 7] * x[2],
        R[link, 2] * x[0] + R[link, 5] * x[1] + R[link, 8] * x[2],
    )


@kernel
def links_of(plan_pairs, pair):
    """The links of a and b."""
    index = plan_pairs.index
    return plan_pairs.of[index[pair, ONE], LINK], plan_pairs.of[index[pair, OTHER], LINK]


@shared_kernel
def fastest(plan_pairs, shape, V, placed):
    """At least the speed of any point of a shape [m/s]."""
    link = plan_pairs.of[shape, LINK]
    v = velocity_at(V, link, vector(placed, shape, MIDDLE))
    size = placed[shape, ROUND] + placed[shape, HALF] + placed[shape, HALF + 1] + placed[shape, HALF + 2]
    turning = vector(V, link, 0)
    return math.sqrt(dot_of(v, v)) + size * math.sqrt(dot_of(turning, turning))


@kernel
def relative_velocity(plan_pairs, pair, V, p):
    """Velocity of b relative to a at p."""
    a, b = links_of(plan_pairs, pair)
    v, u = velocity_at(V, b, p), velocity_at(V, a, p)
    return v[0] - u[0], v[1] - u[1], v[2] - u[2]


@shared_kernel
def find_spots(plan_pairs, motion, pairs):
    """Find all spots of what touches or may touch in the step that begins. Writes pairs."""
    placed, spot, step, found = pairs.placed, pairs.spot, pairs.mode[STEP], 0
    for shape in range(plan_pairs.of.shape[0]):
        place(plan_pairs.shape, shape, plan_pairs.of[shape, LINK], motion.R_WL, motion.p_OL, placed)
        bound(placed, shape, step * fastest(plan_pairs, shape, motion.V_WL, placed), pairs.bounds)
    for pair in range(pairs.spots.shape[0]):
        pairs.spots[pair] = 0
    near = find_near(
        plan_pairs.first, plan_pairs.other, pairs.bounds, pairs.order, pairs.marked, pairs.hits, pairs.near
    )  # fmt: skip
    for place_of in range(near):
        pair = pairs.near[place_of]
        a, b, first = plan_pairs.index[pair, ONE], plan_pairs.index[pair, OTHER], plan_pairs.index[pair, SPOT]
        reach = 0.0
        if step > 0.0:
            reach = step * (fastest(plan_pairs, a, motion.V_WL, placed) + fastest(plan_pairs, b, motion.V_WL, placed))
        kinds = plan_pairs.of[a, KIND], plan_pairs.of[b, KIND]
        count = touch(kinds[0], kinds[1], placed, a, b, reach, first, spot, pairs.frame)
        if count > 0:
            pairs.near[found] = pair
            found += 1
            pairs.spots[pair] = count
            keep_features(plan_pairs, pair, motion, pairs)
            for i in range(first, first + count):
                set_point(plan_pairs, pair, i, vector(spot, i, NORMAL), pairs)
    pairs.count[0] = found


@shared_kernel
def keep_features(plan_pairs, pair, motion, pairs):
    """Keep points and normals of the spots of a pair in axes of its links. Writes pairs."""
    a, b = links_of(plan_pairs, pair)
    first, R, p = plan_pairs.index[pair, SPOT], motion.R_WL, motion.p_OL
    for i in range(first, first + pairs.spots[pair]):
        x, y, z = vector(pairs.spot, i, ON_A)
        keep_vector(turn_in(R, a, (x - p[a, 0], y - p[a, 1], z - p[a, 2])), i, ON_A, pairs.kept)
        x, y, z = vector(pairs.spot, i, ON_B)
        keep_vector(turn_in(R, b, (x - p[b, 0], y - p[b, 1], z - p[b, 2])), i, ON_B, pairs.kept)
        holder = a if pairs.spot[i, HOLDER] == OF_A else b
        keep_vector(turn_in(R, holder, vector(pairs.spot, i, NORMAL)), i, HELD, pairs.kept)


@kernel
def radii_of(plan_pairs, pair):
    """Radii of a and b."""
    index, shape = plan_pairs.index, plan_pairs.shape
    return shape[index[pair, ONE], ROUND], shape[index[pair, OTHER], ROUND]


@kernel
def set_point(plan_pairs, pair, i, n, pairs):
    """Fill the point between both surfaces of spot i. Writes pairs."""
    r_a, r_b = radii_of(plan_pairs, pair)
    for k in range(3):
        on_a, on_b = pairs.spot[i, ON_A + k] + r_a * n[k], pairs.spot[i, ON_B + k] - r_b * n[k]
        pairs.p[i, k] = 0.5 * (on_a + on_b)


@shared_kernel
def measure(plan_pairs, pair, motion, pairs):
    """Measure the gaps of the features that were kept. Writes pairs."""
    a, b = links_of(plan_pairs, pair)
    first, R, p = plan_pairs.index[pair, SPOT], motion.R_WL, motion.p_OL
    r_a, r_b = radii_of(plan_pairs, pair)
    for i in range(first, first + pairs.spots[pair]):
        x, y, z = turn_out(R, a, vector(pairs.kept, i, ON_A))
        u, v, w = turn_out(R, b, vector(pairs.kept, i, ON_B))
        x, y, z, u, v, w = x + p[a, 0], y + p[a, 1], z + p[a, 2], u + p[b, 0], v + p[b, 1], w + p[b, 2]
        d, holder = (u - x, v - y, w - z), pairs.spot[i, HOLDER]
        n = turn_out(R, a if holder == OF_A else b, vector(pairs.kept, i, HELD))
        distance = math.sqrt(dot_of(d, d))
        if holder == OF_LINE and distance > 0.0:
            n = d[0] / distance, d[1] / distance, d[2] / distance
        keep_vector((x, y, z), i, ON_A, pairs.spot)
        keep_vector((u, v, w), i, ON_B, pairs.spot)
        keep_vector(n, i, NORMAL, pairs.spot)
        pairs.spot[i, GAP] = dot_of(n, d) - r_a - r_b
        set_point(plan_pairs, pair, i, n, pairs)


@shared_kernel
def press(plan_pairs, pair, V, pairs, power):
    """Fill the normal forces of a pair with their slopes, their sum, its axes, centre and arm. Writes pairs, power."""
    index, number = plan_pairs.index, plan_pairs.number
    first, last = index[pair, SPOT], index[pair, SPOT] + pairs.spots[pair]
    load, work, x, y, z, nx, ny, nz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(first, last):
        p, n, s = vector(pairs.p, i, 0), vector(pairs.spot, i, NORMAL), pairs.spot[i, GAP]
        pairs.w[i] = dot_of(n, relative_velocity(plan_pairs, pair, V, p))
        stiffness = number[pair, STIFFNESS] * pairs.spot[i, SHARE]
        N, by_s, by_w = stop.law(s, pairs.w[i], 0.0, math.inf, stiffness, number[pair, DAMPING])
        pairs.N[i], pairs.by_s[i], pairs.by_w[i] = N, by_s, by_w
        load += N
        work += N * pairs.w[i]
        x += N * p[0]
        y += N * p[1]
        z += N * p[2]
        nx += N * n[0]
        ny += N * n[1]
        nz += N * n[2]
    m, arm = vector(pairs.spot, first, NORMAL), number[pair, ARM]
    if load > 0.0:
        x, y, z, least, arm = x / load, y / load, z / load, arm, 0.0
        for i in range(first, last):
            arm += pairs.N[i] * arm_of(least, pairs.p, i, (x, y, z)) / load
        size = math.sqrt(nx * nx + ny * ny + nz * nz)
        if size > 0.0:
            m = nx / size, ny / size, nz / size
    else:
        x, y, z = vector(pairs.p, first, 0)
    t = across(m)
    keep_vector(m, pair, OUTWARD, pairs.axes)
    keep_vector(t, pair, ALONG, pairs.axes)
    keep_vector(cross_of(m, t), pair, ACROSS, pairs.axes)
    pairs.pressed[pair, LOAD], pairs.pressed[pair, ARM_NOW] = load, arm
    keep_vector((x, y, z), pair, CENTRE, pairs.pressed)
    power[index[pair, POWER]] = work


@kernel
def straighten(plan_pairs, pair, x, pairs, x_dot, power):
    """Nothing presses: no friction, bristles straighten. Writes pairs, x_dot, power."""
    state = plan_pairs.index[pair, STATE]
    for k in range(pairs.slope.shape[1]):
        pairs.slope[pair, k] = 0.0
    for k in range(ROWS):
        pairs.force[pair, k] = 0.0
        pairs.slope[pair, RATE_BY_Z + (ROWS + 1) * k] = -1.0 / STRAIGHTENING
    for k in range(BENDS):
        x_dot[state + k] = -x[state + k] / STRAIGHTENING
    power[plan_pairs.index[pair, POWER] + 1] = 0.0


@shared_kernel
def rub(plan_pairs, pair, motion, x, pairs, x_dot, power):
    """Fill friction of a pair with its slopes, and the rates of its bristles. Writes pairs, x_dot, power."""
    number, slope, state, V = plan_pairs.number, pairs.slope, plan_pairs.index[pair, STATE], motion.V_WL
    load, arm, (a, b) = pairs.pressed[pair, LOAD], pairs.pressed[pair, ARM_NOW], links_of(plan_pairs, pair)
    m, t, u = axes_of(pairs, pair)
    v = relative_velocity(plan_pairs, pair, V, vector(pairs.pressed, pair, CENTRE))
    turning = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1], V[b, 2] - V[a, 2]
    w1, w2, w3 = dot_of(t, v), dot_of(u, v), arm * dot_of(m, turning)
    keep_vector((w1, w2, w3), pair, 0, pairs.slip)
    if load <= 0.0 or number[pair, COULOMB] <= 0.0:
        straighten(plan_pairs, pair, x, pairs, x_dot, power)
        return
    bend = turn_out(motion.R_WL, a, (x[state], x[state + 1], x[state + 2]))
    # rates and bends of spin are lengths here: an arm of 1
    force, by_w, by_z, by_force, rate, rate_z, rate_w = friction_patch.law(
        w1, w2, w3, load, dot_of(t, bend), dot_of(u, bend), x[state + SPIN], number[pair, COULOMB],
        number[pair, BREAKAWAY], number[pair, STRIBECK], number[pair, BRISTLE],
        eased(number[pair, BRISTLE_DAMPING], number[pair, MASS], load), number[pair, VISCOUS],
        number[pair, HOLD_SPEED], 1.0,
    )  # fmt: skip
    keep_vector(force, pair, 0, pairs.force)
    fading = -dot_of(m, bend) / STRAIGHTENING
    bending = (
        rate[0] * t[0] + rate[1] * u[0] + fading * m[0],
        rate[0] * t[1] + rate[1] * u[1] + fading * m[1],
        rate[0] * t[2] + rate[1] * u[2] + fading * m[2],
    )
    x_dot[state], x_dot[state + 1], x_dot[state + 2] = turn_in(motion.R_WL, a, bending)
    x_dot[state + SPIN] = rate[2]
    keep_nine(by_w, pair, FORCE_BY_W, slope)
    keep_nine(by_z, pair, FORCE_BY_Z, slope)
    keep_nine(rate_z, pair, RATE_BY_Z, slope)
    keep_nine(rate_w, pair, RATE_BY_W, slope)
    bends = dot_of(t, bend), dot_of(u, bend), x[state + SPIN]
    by_load = eased_slope(by_force, bends, number[pair, BRISTLE], number[pair, MASS], load)
    keep_vector(by_load, pair, FORCE_BY_N, slope)
    power[plan_pairs.index[pair, POWER] + 1] = force[0] * w1 + force[1] * w2 + force[2] * w3


@kernel
def sum_wrench(plan_pairs, pair, pairs):
    """Fill the wrench at O of a on b. Writes pairs."""
    m, t, u = axes_of(pairs, pair)
    first, wrench = plan_pairs.index[pair, SPOT], pairs.wrench
    centre, spin = vector(pairs.pressed, pair, CENTRE), pairs.force[pair, 2] * pairs.pressed[pair, ARM_NOW]
    for k in range(3):
        wrench[pair, k] = spin * m[k]
        wrench[pair, 3 + k] = 0.0
    for i in range(first, first + pairs.spots[pair]):
        add_wrench(pairs.N[i], vector(pairs.p, i, 0), vector(pairs.spot, i, NORMAL), pair, wrench)
    add_wrench(pairs.force[pair, 0], centre, t, pair, wrench)
    add_wrench(pairs.force[pair, 1], centre, u, pair, wrench)


@apart_kernel
def act(plan, work):
    """Find what touches, or measure it again, fill forces, rates and powers, and take the wrenches from those of the
    links. Writes work.
    """
    plan_pairs, pairs, motion, power = plan.pairs, work.pairs, work.motion, work.oil.power
    if pairs.mode[KEPT] == 0.0:
        find_spots(plan_pairs, motion, pairs)
    else:
        for place_of in range(pairs.count[0]):
            measure(plan_pairs, pairs.near[place_of], motion, pairs)
    for pair in range(plan_pairs.index.shape[0]):
        if pairs.spots[pair] == 0:
            straighten(plan_pairs, pair, work.state.x, pairs, work.oil.x_dot, power)
            power[plan_pairs.index[pair, POWER]] = 0.0
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        press(plan_pairs, pair, motion.V_WL, pairs, power)
        rub(plan_pairs, pair, motion, work.state.x, pairs, work.oil.x_dot, power)
        sum_wrench(plan_pairs, pair, pairs)
        a, b = links_of(plan_pairs, pair)
        for k in range(6):
            motion.wrench[a, k] += pairs.wrench[pair, k]
            motion.wrench[b, k] -= pairs.wrench[pair, k]


@shared_kernel
def suddenness(plan_pairs, h, pairs):
    """The largest of elements/stop.py, of all spots."""
    most = 0.0
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        first = plan_pairs.index[pair, SPOT]
        for i in range(first, first + pairs.spots[pair]):
            most = max(most, stop.suddenness(pairs.spot[i, GAP], pairs.w[i], h, 0.0, math.inf))
    return most


@shared_kernel
def limit_bends(plan_pairs, motion, pairs, x):
    """Let no bristles bend further than where they break away, as those of contacts with the ground. Writes x."""
    number = plan_pairs.number
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        z, (a, _) = plan_pairs.index[pair, STATE], links_of(plan_pairs, pair)
        m = turn_in(motion.R_WL, a, vector(pairs.axes, pair, OUTWARD))
        out = m[0] * x[z] + m[1] * x[z + 1] + m[2] * x[z + 2]
        square = x[z + SPIN] * x[z + SPIN] - out * out
        for k in range(ROWS):
            square += x[z + k] * x[z + k]
        part = part_within(max(square, 0.0), number[pair, BREAKAWAY], number[pair, BRISTLE])
        if part < 1.0:
            for k in range(ROWS):
                x[z + k] = out * m[k] + part * (x[z + k] - out * m[k])
            x[z + SPIN] *= part


@shared_kernel
def take_from_bodies(plan_pairs, pairs, wrench):
    """Take from what each body's motion needs what its pairs give it. Writes wrench."""
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        a, b = plan_pairs.of[plan_pairs.index[pair, ONE], BODY], plan_pairs.of[plan_pairs.index[pair, OTHER], BODY]
        for k in range(6):
            wrench[a, k] += pairs.wrench[pair, k]
            wrench[b, k] -= pairs.wrench[pair, k]


@kernel
def energies(plan_pairs, pair, motion, x, pairs):
    """Energy of the overlap and of the bent bristles of a pair [J]."""
    number, first, z = plan_pairs.number, plan_pairs.index[pair, SPOT], plan_pairs.index[pair, STATE]
    elastic, (a, _) = 0.0, links_of(plan_pairs, pair)
    for i in range(first, first + pairs.spots[pair]):
        stiffness = number[pair, STIFFNESS] * pairs.spot[i, SHARE]
        elastic += stop.stored(pairs.spot[i, GAP], 0.0, math.inf, stiffness)
    _, t, u = axes_of(pairs, pair)
    bend = turn_out(motion.R_WL, a, (x[z], x[z + 1], x[z + 2]))
    bent = friction_patch.stored(
        pairs.pressed[pair, LOAD], dot_of(t, bend), dot_of(u, bend), x[z + SPIN], number[pair, BRISTLE], 1.0
    )  # fmt: skip
    return elastic, bent


@apart_kernel
def observe(plan, work, at, sum_at, record):
    """Load, friction, depth, slip, point, energies and normal of every pair, from column `at` on;
    column `sum_at` gets the energy of all. Writes record.
    """
    plan_pairs, pairs, total = plan.pairs, work.pairs, 0.0
    for pair in range(plan_pairs.index.shape[0]):
        first = at + WIDTH * pair
        for k in range(WIDTH):
            record[first + k] = 0.0
        if pairs.spots[pair] == 0:
            continue
        m, t, u = axes_of(pairs, pair)
        load, spot, deepest = pairs.pressed[pair, LOAD], plan_pairs.index[pair, SPOT], 0.0
        for i in range(spot, spot + pairs.spots[pair]):
            deepest = max(deepest, -pairs.spot[i, GAP])
        elastic, bent = energies(plan_pairs, pair, work.motion, work.state.x, pairs)
        record[first + 9], record[first + 10] = elastic, bent
        total += elastic + bent
        if load <= 0.0:
            continue
        record[first] = load
        for k in range(3):
            record[first + 1 + k] = pairs.force[pair, 0] * t[k] + pairs.force[pair, 1] * u[k]
            record[first + 6 + k] = pairs.pressed[pair, CENTRE + k] + work.motion.p_WO[k]
            record[first + OUT + k] = m[k]
        record[first + 4] = deepest
        record[first + 5] = math.hypot(pairs.slip[pair, 0], pairs.slip[pair, 1])
    record[sum_at] += total
