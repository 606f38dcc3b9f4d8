# SPDX-License-Identifier: BSD-3-Clause
"""Contact in the tangent of linearly implicit steps: what it adds to K of the links, without path tables.

    D = −τ ∂N/∂w − τ² ∂N/∂s of a normal row, looking ahead as elements/stop.py does; of a patch the symmetric part of
        −τ (∂λ/∂w + ∂λ/∂z Y τ ∂ż/∂w),   Y = (1 − τ ∂ż/∂z)⁻¹,   kept from being negative in any direction

What the load does to friction and how rows turn is left out: a W-method keeps its order with any tangent. Friction that
slides is constant to these slopes: where it could turn slip round within a step, as in a hard blow, bristles are taken
to follow slip as if they did not slip themselves, ∂ż/∂w = 1. W and slopes are those of the start of the step;
link_sums.py has K, ground_tangent.py calls. Own derivation; checked in tests/engine/test_contact.py and
validation/analytic/test_throws.py
"""

import math

from knuckleboom.geometry.plane import cross_of
from knuckleboom.interface.contact import (
    ARM_NOW,
    CENTRE,
    DAMPING,
    FORCE_BY_W,
    FORCE_BY_Z,
    LINK,
    MASS,
    RATE_BY_W,
    RATE_BY_Z,
    ROWS,
    SPOT,
    SPOTS,
    STATE,
    STIFFNESS,
    axes_of,
    vector,
)
from knuckleboom.interface.elements import stop
from knuckleboom.interface.link_sums import add_products, along
from knuckleboom.kernels import kernel, shared_kernel

BLOCK, BY_Z, FOLLOW, SOLVE = 0, 9, 18, 27
"""Where D, ∂λ/∂z, how far bristles follow slip [s], and Y begin in tangent.touch_patch, each 3×3."""
STOPPED = 0.1
"""Part of the mass of a link that friction can stop in a step, from which on its bristles are taken to follow slip."""


@kernel
def patch_row(spots, c):
    """The first row of the patch of contact c: after all normal rows."""
    return spots + ROWS * c


@kernel
def keep_row(p, f, r, W):
    """The wrench of a row along f at p. Writes W."""
    m = cross_of(p, f)
    for k in range(3):
        W[r, k] = m[k]
        W[r, 3 + k] = f[k]


@kernel
def keep_rows(plan_touch, touch, W):
    """Keep the wrenches of all rows of contact. Writes W."""
    spots = touch.s.shape[0]
    for c in range(plan_touch.index.shape[0]):
        m, t1, t2 = axes_of(touch, c)
        for i in range(plan_touch.index[c, SPOT], plan_touch.index[c, SPOT] + plan_touch.index[c, SPOTS]):
            keep_row(vector(touch.p, i, 0), vector(touch.n, i, 0), i, W)
        centre, r = vector(touch.pressed, c, CENTRE), patch_row(spots, c)
        keep_row(centre, t1, r, W)
        keep_row(centre, t2, r + 1, W)
        for k in range(3):
            W[r + 2, k] = touch.pressed[c, ARM_NOW] * m[k]
            W[r + 2, 3 + k] = 0.0


@kernel
def invert(tau, slope, c, at):
    """Return Y = (1 − τ ∂ż/∂z)⁻¹ of contact c, row by row."""
    a, b, d = 1.0 - tau * slope[c, at], -tau * slope[c, at + 1], -tau * slope[c, at + 2]
    e, f, g = -tau * slope[c, at + 3], 1.0 - tau * slope[c, at + 4], -tau * slope[c, at + 5]
    p, q, r = -tau * slope[c, at + 6], -tau * slope[c, at + 7], 1.0 - tau * slope[c, at + 8]
    x, y, z = f * r - g * q, g * p - e * r, e * q - f * p
    share = 1.0 / (a * x + b * y + d * z)
    return (
        share * x, share * (d * q - b * r), share * (b * g - d * f),
        share * y, share * (a * r - d * p), share * (d * e - a * g),
        share * z, share * (b * p - a * q), share * (a * f - b * e),
    )  # fmt: skip


@kernel
def times(a, i, at, b, j, bt, m, n):
    """Entry m, n of the product of two 3×3 matrices that begin in columns of a[i] and b[j]."""
    m0, m1, m2 = at + ROWS * m, at + ROWS * m + 1, at + ROWS * m + 2
    return a[i, m0] * b[j, bt + n] + a[i, m1] * b[j, bt + ROWS + n] + a[i, m2] * b[j, bt + 2 * ROWS + n]


@kernel
def patch_slopes(c, tau, mass, slope, patch):
    """Fill D, ∂λ/∂z, what bristles follow and Y of contact c, on a link of a mass [kg]. Writes patch."""
    nine = invert(tau, slope, c, RATE_BY_Z)
    for k in range(9):  # numbers of a 3×3 matrix
        patch[c, SOLVE + k] = nine[k]
        patch[c, BY_Z + k] = slope[c, FORCE_BY_Z + k]
    # the mass that friction could stop within the step
    stopped = 0.0
    for m in range(ROWS):
        at = (ROWS + 1) * m
        stopped = max(stopped, -tau * tau * patch[c, BY_Z + at] * patch[c, SOLVE + at])
    share = min(stopped / (STOPPED * mass), 1.0)
    for m in range(ROWS):
        for n in range(ROWS):
            exact = times(patch, c, SOLVE, slope, c, RATE_BY_W, m, n)
            patch[c, FOLLOW + ROWS * m + n] = tau * (exact + share * (patch[c, SOLVE + ROWS * m + n] - exact))
    for m in range(ROWS):
        for n in range(m + 1):
            both = slope[c, FORCE_BY_W + ROWS * m + n] + slope[c, FORCE_BY_W + ROWS * n + m]
            both += times(patch, c, BY_Z, patch, c, FOLLOW, m, n) + times(patch, c, BY_Z, patch, c, FOLLOW, n, m)
            patch[c, BLOCK + ROWS * m + n] = -0.5 * tau * both
        patch[c, BLOCK + (ROWS + 1) * m] = max(patch[c, BLOCK + (ROWS + 1) * m], 0.0)
    for m in range(ROWS):
        for n in range(m):
            # |D_mn| (rows − 1) ≤ √(D_m D_n) is never negative
            most = math.sqrt(patch[c, BLOCK + (ROWS + 1) * m] * patch[c, BLOCK + (ROWS + 1) * n]) / (ROWS - 1)
            limited = min(max(patch[c, BLOCK + ROWS * m + n], -most), most)
            patch[c, BLOCK + ROWS * m + n] = limited
            patch[c, BLOCK + ROWS * n + m] = limited


@shared_kernel
def add_slopes(plan_touch, tau, h, touch, tangent):
    """Keep all rows with their slopes, and add them to K of the links that contacts are on. Writes tangent."""
    index, law, W, K = plan_touch.index, plan_touch.law, tangent.touch_W, tangent.touch_K
    spots, patch = touch.s.shape[0], tangent.touch_patch
    keep_rows(plan_touch, touch, W)
    for c in range(index.shape[0]):
        link, r = index[c, LINK], patch_row(spots, c)
        for i in range(index[c, SPOT], index[c, SPOT] + index[c, SPOTS]):
            area = touch.area[i]
            ds, dw = stop.ahead(
                touch.s[i], touch.w[i], h, 0.0, math.inf, law[area, STIFFNESS], law[area, DAMPING]
            )  # fmt: skip
            tangent.touch_s[i] = touch.by_s[i] + ds
            tangent.touch_D[i] = max(-tau * (touch.by_w[i] + dw) - tau * tau * tangent.touch_s[i], 0.0)
            if tangent.touch_D[i] > 0.0:
                add_products(tangent.touch_D[i], i, i, W, link, K)
        patch_slopes(c, tau, plan_touch.number[c, MASS], touch.slope, patch)
        for m in range(ROWS):
            for n in range(ROWS):
                add_products(patch[c, BLOCK + ROWS * m + n], r + m, r + n, W, link, K)


@kernel
def row_rates(plan_touch, tangent):
    """Rates of all rows, from the velocities of the links. Writes tangent."""
    spots, V = tangent.touch_s.shape[0], tangent.touch_V
    for c in range(plan_touch.index.shape[0]):
        first, r, link = plan_touch.index[c, SPOT], patch_row(spots, c), plan_touch.index[c, LINK]
        for i in range(first, first + plan_touch.index[c, SPOTS]):
            tangent.touch_rate[i] = along(tangent.touch_W, i, V, link)
        for m in range(ROWS):
            tangent.touch_rate[r + m] = along(tangent.touch_W, r + m, V, link)


@kernel
def add_wrenches(plan_touch, values, tangent):
    """Wrenches of the links += Σ values_r W_r. Writes tangent."""
    f, W, spots = tangent.touch_f, tangent.touch_W, tangent.touch_s.shape[0]
    for c in range(plan_touch.index.shape[0]):
        first, r, link = plan_touch.index[c, SPOT], patch_row(spots, c), plan_touch.index[c, LINK]
        for k in range(6):
            for i in range(first, first + plan_touch.index[c, SPOTS]):
                f[link, k] += values[i] * W[i, k]
            for m in range(ROWS):
                f[link, k] += values[r + m] * W[r + m, k]


@shared_kernel
def eliminate(plan_touch, tau, rate_x, tangent, u_x):
    """Solve for bristles as if nothing moved; wrenches of the links: what they and the known motion do, over τ².
    Writes tangent, u_x.
    """
    row_rates(plan_touch, tangent)
    rate, patch, spots = tangent.touch_rate, tangent.touch_patch, tangent.touch_s.shape[0]
    for i in range(spots):
        rate[i] *= tangent.touch_s[i]
    for c in range(plan_touch.index.shape[0]):
        state, r = plan_touch.index[c, STATE], patch_row(spots, c)
        for m in range(ROWS):
            u_x[state + m] = 0.0
            for n in range(ROWS):
                u_x[state + m] += tau * patch[c, SOLVE + ROWS * m + n] * rate_x[state + n]
        for m in range(ROWS):
            rate[r + m] = 0.0
            for n in range(ROWS):
                rate[r + m] += patch[c, BY_Z + ROWS * m + n] * u_x[state + n] / tau
    add_wrenches(plan_touch, rate, tangent)


@shared_kernel
def restore(plan_touch, tangent, u_x):
    """Let bristles follow, now that the motion is known. Writes tangent, u_x."""
    row_rates(plan_touch, tangent)
    patch, spots = tangent.touch_patch, tangent.touch_s.shape[0]
    for c in range(plan_touch.index.shape[0]):
        state, r = plan_touch.index[c, STATE], patch_row(spots, c)
        for m in range(ROWS):
            for n in range(ROWS):
                u_x[state + m] += patch[c, FOLLOW + ROWS * m + n] * tangent.touch_rate[r + n]


@shared_kernel
def weigh_rates(plan_touch, tangent):
    """Wrenches of the links += D times the rates that `restore` left. Writes tangent."""
    rate, patch, spots = tangent.touch_rate, tangent.touch_patch, tangent.touch_s.shape[0]
    for i in range(spots):
        rate[i] *= tangent.touch_D[i]
    for c in range(plan_touch.index.shape[0]):
        r = patch_row(spots, c)
        a, b, d = rate[r], rate[r + 1], rate[r + 2]
        for m in range(ROWS):
            at = BLOCK + ROWS * m
            rate[r + m] = patch[c, at] * a + patch[c, at + 1] * b + patch[c, at + 2] * d
    add_wrenches(plan_touch, rate, tangent)
