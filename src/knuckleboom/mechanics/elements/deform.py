# SPDX-License-Identifier: BSD-3-Clause
"""Deform: frame M of an attachment moves in frame F by the shapes of its body, whose coordinates η it shares.

    p_FM = Σ φ_j η_j,   ε = Σ ψ_j η_j,   R_FM = 1 + (ε~ + ½ ε~²)/n,   n = 1 + ¼ ε·ε         the rotation of (1, ½ ε)
    t_j = (ψ_j + ½ ε×ψ_j)/n,   screws at O: (t_j; φ_j + p×t_j)                              φ, t in world axes
    lean_j = ½ ε·ψ_j/n,   ∂_i t_j = ½ t_i×t_j − ½ (lean_i t_j + lean_j t_i)

exact for ε of any size, without sine and series; from exp(ε) it differs by |ε|³/12, which linear shapes leave
out anyhow. The rest follows from the screws and `lean`: with w = Σ t_j η̇_j, d = Σ φ_j η̇_j, l = Σ lean_j η̇_j the bias is
V_P×J + (−l w; d×w − l p×w). Own derivation. Validated by: validation/analytic/test_shapes.py
"""

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.rows.geometry import cross

KIND = 4
MOVE, TURN = 0, 3  # columns of links.shape: φ and ψ, in the axes of F


@shared_kernel
def place(link, iq, count, first, screw, q, shape, R_WL, p_OL, S, lean):
    """Turn and move R_WL[link] and p_OL[link], which hold those of F, and write the screws: `count` shapes from line
    `first` of shape and row `screw` of S on. Writes R_WL, p_OL, S, lean.
    """
    ex, ey, ez, dx, dy, dz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(count):
        eta, line = q[iq + j], first + j
        dx += shape[line, MOVE] * eta
        dy += shape[line, MOVE + 1] * eta
        dz += shape[line, MOVE + 2] * eta
        ex += shape[line, TURN] * eta
        ey += shape[line, TURN + 1] * eta
        ez += shape[line, TURN + 2] * eta
    n = 1.0 + 0.25 * (ex * ex + ey * ey + ez * ez)  # 1 + ¼ ε·ε

    for k in range(3):
        p_OL[link, k] += R_WL[link, 3 * k] * dx + R_WL[link, 3 * k + 1] * dy + R_WL[link, 3 * k + 2] * dz
    px, py, pz = p_OL[link, 0], p_OL[link, 1], p_OL[link, 2]
    for j in range(count):
        line, s = first + j, screw + j
        x, y, z = shape[line, TURN], shape[line, TURN + 1], shape[line, TURN + 2]
        ax, ay, az = cross(ex, ey, ez, x, y, z)
        lean[s] = 0.5 * (ex * x + ey * y + ez * z) / n
        x, y, z = (x + 0.5 * ax) / n, (y + 0.5 * ay) / n, (z + 0.5 * az) / n
        fx, fy, fz = shape[line, MOVE], shape[line, MOVE + 1], shape[line, MOVE + 2]
        for k in range(3):
            S[s, k] = R_WL[link, 3 * k] * x + R_WL[link, 3 * k + 1] * y + R_WL[link, 3 * k + 2] * z
            S[s, 3 + k] = R_WL[link, 3 * k] * fx + R_WL[link, 3 * k + 1] * fy + R_WL[link, 3 * k + 2] * fz
        ax, ay, az = cross(px, py, pz, S[s, 0], S[s, 1], S[s, 2])
        S[s, 3] += ax
        S[s, 4] += ay
        S[s, 5] += az

    for row in range(0, 9, 3):  # rows of a 3x3 stored flat: R (1 + (ε~ + ½ ε~²)/n)
        x, y, z = R_WL[link, row], R_WL[link, row + 1], R_WL[link, row + 2]
        ax, ay, az = cross(x, y, z, ex, ey, ez)
        bx, by, bz = cross(ax, ay, az, ex, ey, ez)
        R_WL[link, row] = x + (ax + 0.5 * bx) / n
        R_WL[link, row + 1] = y + (ay + 0.5 * by) / n
        R_WL[link, row + 2] = z + (az + 0.5 * bz) / n


@shared_kernel
def add_bias(link, iv, count, screw, v, p_OL, S, lean, A_WL):
    """Add to the bias of a link what its screws' own change brings. Writes A_WL."""
    tilt, wx, wy, wz, ux, uy, uz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(count):
        s, rate = screw + j, v[iv + j]
        tilt += lean[s] * rate
        wx += S[s, 0] * rate
        wy += S[s, 1] * rate
        wz += S[s, 2] * rate
        ux += S[s, 3] * rate
        uy += S[s, 4] * rate
        uz += S[s, 5] * rate
    # d − l p, where d = u − p×w
    px, py, pz = p_OL[link, 0], p_OL[link, 1], p_OL[link, 2]
    ax, ay, az = cross(px, py, pz, wx, wy, wz)
    bx, by, bz = cross(ux - ax - tilt * px, uy - ay - tilt * py, uz - az - tilt * pz, wx, wy, wz)
    A_WL[link, 0] -= tilt * wx
    A_WL[link, 1] -= tilt * wy
    A_WL[link, 2] -= tilt * wz
    A_WL[link, 3] += bx
    A_WL[link, 4] += by
    A_WL[link, 5] += bz


@shared_kernel
def changed(link, i, j, p_OL, S, lean):
    """∂_iS_j of two screws of one link: how shape i changes the screw of shape j."""
    px, py, pz = p_OL[link, 0], p_OL[link, 1], p_OL[link, 2]
    ix, iy, iz, jx, jy, jz = S[i, 0], S[i, 1], S[i, 2], S[j, 0], S[j, 1], S[j, 2]
    cx, cy, cz = cross(ix, iy, iz, jx, jy, jz)
    tx = 0.5 * (cx - lean[i] * jx - lean[j] * ix)
    ty = 0.5 * (cy - lean[i] * jy - lean[j] * iy)
    tz = 0.5 * (cz - lean[i] * jz - lean[j] * iz)
    # φ_i×t_j + p×∂_it_j with φ_i = u_i − p×t_i
    ax, ay, az = cross(px, py, pz, ix, iy, iz)
    bx, by, bz = cross(S[i, 3] - ax, S[i, 4] - ay, S[i, 5] - az, jx, jy, jz)
    ax, ay, az = cross(px, py, pz, tx, ty, tz)
    return tx, ty, tz, ax + bx, ay + by, az + bz


@kernel
def along(link, i, j, p_OL, S, lean, W, r):
    """∂_iS_j·W[r], a motion or a wrench r."""
    tx, ty, tz, ux, uy, uz = changed(link, i, j, p_OL, S, lean)
    return tx * W[r, 0] + ty * W[r, 1] + tz * W[r, 2] + ux * W[r, 3] + uy * W[r, 4] + uz * W[r, 5]


@kernel
def advance(iq, iv, count, q0, u, q):
    """q = q0 + u; every attachment of the body does the same. Writes q."""
    for j in range(count):
        q[iq + j] = q0[iq + j] + u[iv + j]
