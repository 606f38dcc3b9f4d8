# SPDX-License-Identifier: BSD-3-Clause
"""The ground as z = H(x, y): a plane, or a height field that is smooth; and the areas of it that differ.

    plane     n·p = height       H = (height − n_x x − n_y y)/n_z,   n_z > 0
    field     H = Σ_ij c_ij B(s − i) B(t − j),    s = (x − x₀)/Δ,  t = (y − y₀)/Δ
              B: quadratic, support 3:   ¾ − u² for |u| ≤ ½,   ½ (3/2 − |u|)² for |u| ≤ 3/2        [de Boor 1978, IX]

The field is C1: slopes are continuous, as a wheel and a ball need them. At a given height (c_{i−1} + 6 c_i + c_{i+1})/8
stands, in both directions; the plan solves for c so that H passes through what was given (mechanics/heights.py). Around
the given heights coefficients are continued by one along the edge's slope, then as they are: H is C1 beyond its edge
too, and flat from 1.5 Δ on. A wall, a plane with n_z ≤ 0, has no H: contacts take its normal, nothing else touches it.

An area is a polygon in x, y, the first of a ground all that is left. Of areas that overlap the last counts.
Numbers come in world axes. Tested by tests/geometry/test_field.py
"""

import math

from knuckleboom.kernels import kernel

PLANE, FIELD, WALL = 0, 1, 2
KIND, NX, NY, FIRST, AREA, AREAS = 0, 1, 2, 3, 4, 5
"""Columns of plan_ground.index: kind, numbers of heights along x and y, first coefficient, first area, number of
areas."""
NORMAL, HEIGHT, ALONG, ORIGIN, FINENESS = 0, 3, 4, 7, 9
"""Columns of plan_ground.number: normal and height of a plane, a direction in it, x₀ and y₀ and 1/Δ of a field."""
FRICTION, STIFFNESS, BOUNDS = 0, 1, 2
"""Columns of plan_ground.area: factors, then least x and y, greatest x and y."""
RING = 3
"""Coefficients beyond each edge of a field."""


@kernel
def height_of(plan_ground, g, x, y):
    """Return H [m] of ground g over x, y [m], ∂H/∂x and ∂H/∂y; of a wall −∞."""
    number, kind = plan_ground.number, plan_ground.index[g, KIND]
    if kind == FIELD:
        return spline(plan_ground, g, x, y)
    if kind == WALL:
        return -math.inf, 0.0, 0.0
    share = 1.0 / number[g, NORMAL + 2]
    by_x, by_y = -number[g, NORMAL] * share, -number[g, NORMAL + 1] * share
    return number[g, HEIGHT] * share + by_x * x + by_y * y, by_x, by_y


@kernel
def spline(plan_ground, g, x, y):
    """Return H [m] of field g, ∂H/∂x and ∂H/∂y."""
    index, number, c = plan_ground.index, plan_ground.number, plan_ground.height
    fine, nx, ny = number[g, FINENESS], index[g, NX], index[g, NY]
    i, u = cell_of((x - number[g, ORIGIN]) * fine, nx)
    j, v = cell_of((y - number[g, ORIGIN + 1]) * fine, ny)
    a0, a1, a2 = 0.5 * (0.5 - u) * (0.5 - u), 0.75 - u * u, 0.5 * (0.5 + u) * (0.5 + u)  # B at three places
    b0, b1, b2 = 0.5 * (0.5 - v) * (0.5 - v), 0.75 - v * v, 0.5 * (0.5 + v) * (0.5 + v)  # likewise
    wide = ny + 2 * RING
    at = index[g, FIRST] + (i + RING - 1) * wide + j + RING - 1
    on, over = at + wide, at + 2 * wide
    h0 = b0 * c[at] + b1 * c[at + 1] + b2 * c[at + 2]
    h1 = b0 * c[on] + b1 * c[on + 1] + b2 * c[on + 2]
    h2 = b0 * c[over] + b1 * c[over + 1] + b2 * c[over + 2]
    e0, e1, e2 = v - 0.5, -2.0 * v, v + 0.5  # B′
    d0 = e0 * c[at] + e1 * c[at + 1] + e2 * c[at + 2]
    d1 = e0 * c[on] + e1 * c[on + 1] + e2 * c[on + 2]
    d2 = e0 * c[over] + e1 * c[over + 1] + e2 * c[over + 2]
    by_x = (u - 0.5) * h0 - 2.0 * u * h1 + (u + 0.5) * h2
    return a0 * h0 + a1 * h1 + a2 * h2, by_x * fine, (a0 * d0 + a1 * d1 + a2 * d2) * fine


@kernel
def cell_of(s, count):
    """Return the nearest height along one axis, as far as coefficients go, and how far s is from it: −½ … ½."""
    least, most = 1.0 - RING, count + RING - 2.0  # the flat beyond the edge
    if not s > least:  # nor what is not a number
        return 1 - RING, 0.0
    if s > most:
        return count + RING - 2, 0.0
    nearest = math.floor(s + 0.5)
    return int(nearest), s - nearest


@kernel
def area_of(plan_ground, g, x, y):
    """Return the number of the area of ground g at x, y [m]: its row of plan_ground.area."""
    first = plan_ground.index[g, AREA]
    found = first
    for area in range(first + 1, first + plan_ground.index[g, AREAS]):
        if is_inside(plan_ground, area, x, y):
            found = area
    return found


@kernel
def is_inside(plan_ground, area, x, y):
    """Whether a place is inside the outline of an area: a ray along x leaves it an odd number of times."""
    bounds, corner = plan_ground.area, plan_ground.corner
    if x < bounds[area, BOUNDS] or x > bounds[area, BOUNDS + 2]:
        return False
    if y < bounds[area, BOUNDS + 1] or y > bounds[area, BOUNDS + 3]:
        return False
    first, count, inside = plan_ground.outline[area, 0], plan_ground.outline[area, 1], False
    before = first + count - 1
    for at in range(first, first + count):
        xa, ya, xb, yb = corner[before, 0], corner[before, 1], corner[at, 0], corner[at, 1]
        if (ya > y) != (yb > y) and x < xa + (y - ya) / (yb - ya) * (xb - xa):
            inside = not inside
        before = at
    return inside
