# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of a body: what its attachments carry moves as its own equations of motion say.

A beam on a hinge with two shapes and masses lumped at three attachments, spun up by a torque, loaded at its tip and
braced by a spring between two attachments; or with its tip on a rod. Its equations are written from Lagrange's for
point masses, p_i = Rz(θ) (s_i + Φ_i η), and integrated by SciPy. Mass matrix and bias of a tree with turning lumps,
attachments in a row and a joint on one are those of a cloud of points whose places alone are written down here.

Rank: own equations in SciPy, closed forms. Tolerance: 1e-8 of the largest value in `explicit`; order 2 elsewhere.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb

LENGTH, PLACES, MASSES = 2.0, (0.7, 1.4, 2.0), (3.0, 2.0, 1.5)
BODY, INERTIA, GRAVITY = 4.0, 1.6, 9.81
STIFFNESS, DAMPING, MODAL = np.array([9000.0, 14000.0]), np.array([6.0, 9.0]), np.array([0.0, 0.4])
TORQUE, LOAD = 90.0, np.array([6.0, 25.0, -30.0])
BRACE, BRACE_DAMPING, PIN = 8000.0, 20.0, np.array([1.2, 0.9, 0.3])
TIMES = np.linspace(0.0, 0.6, 13)
COORDINATES = ("relative", "reference-point")
WANTED = ("hinge.angle", "bend.deflection", "sag.deflection", "hinge.angle_rate", "bend.rate", "sag.rate")


def bent(x):
    """Shape of a cantilever with a load at its end, 1 there, and its slope."""
    return (3.0 * LENGTH - x) * x * x / (2.0 * LENGTH**3), (6.0 * LENGTH - 3.0 * x) * x / (2.0 * LENGTH**3)


def phi(x):
    """Φ of a place: columns for bend and sag; bending also draws the tip back a little."""
    w, _ = bent(x)
    return np.array([[-0.06 * w, 0.02 * w], [w, 0.1 * w], [0.05 * w, w]])


def beam(*, braced=True, rod=False, damped=True):
    m = kb.Machine("beam", gravity=(0.0, 0.0, -GRAVITY))
    body = m.body("beam", mass=BODY, com=(0.8, 0, 0), inertia=(0.2, 1.5, INERTIA))
    m.revolute("hinge", m.ground, body, axis="z", start=0.2)
    for k, name in enumerate(("bend", "sag")):
        m.shape(name, of=body, stiffness=STIFFNESS[k], damping=damped * DAMPING[k], mass=MODAL[k])
    for name, x, mass in zip(("root", "middle", "tip"), PLACES, MASSES, strict=True):
        table, slope = phi(x), bent(x)[1]
        moves = {"bend": tuple(table[:, 0]), "sag": tuple(table[:, 1])}
        turns = {"bend": (0, 0, slope), "sag": (0, -slope, 0)}
        m.attachment(name, of=body, at=(x, 0, 0), moves=moves, turns=turns, mass=mass)
    m.effort("spin", "hinge", 0, TORQUE)
    if damped:
        m.force("load", "tip", tuple(LOAD / np.linalg.norm(LOAD)), value=float(np.linalg.norm(LOAD)))
    if braced:
        m.spring("brace", "middle", "tip", stiffness=BRACE, damping=damped * BRACE_DAMPING)
    if rod:
        m.rod("stay", "tip", m.ground.at(*PIN))
    return m


def own_equations(*, braced, rod):
    """Rates of (θ, η, θ̇, η̇): Lagrange's equations of the point masses, with the rod's multiplier."""
    tables, rest = [phi(x) for x in PLACES], PLACES[2] - PLACES[1]
    reach = np.linalg.norm(turned(0.2) @ np.array([LENGTH, 0, 0]) - PIN)

    def rates(_, y):
        theta, eta, omega, eta_dot = y[0], y[1:3], y[3], y[4:6]
        M, Q = np.diag([INERTIA + BODY * 0.8**2, *MODAL]), np.array([TORQUE, 0.0, 0.0])
        Q[1:] -= STIFFNESS * eta + DAMPING * eta_dot
        R, places, slopes = turned(theta), [], []
        for x, mass, table in zip(PLACES, MASSES, tables, strict=True):
            # p = R r, ṗ = R (ω ẑ×r + Φ η̇), in the axes of the beam: J = [ẑ×r, Φ]
            r, r_dot = np.array([x, 0, 0]) + table @ eta, table @ eta_dot
            J = np.column_stack([crossed(r), table])
            M += mass * J.T @ J
            # J̇ (θ̇, η̇) in turning axes: −ω² r across the axis, and Coriolis
            change = 2.0 * omega * crossed(r_dot) + omega**2 * crossed(crossed(r))
            Q += J.T @ (-mass * change + mass * np.array([0, 0, -GRAVITY]))
            places.append(r)
            slopes.append(J)
        Q += slopes[2].T @ R.T @ LOAD
        if braced:
            between, J = places[2] - places[1], slopes[2] - slopes[1]
            length = np.linalg.norm(between)
            A = J.T @ between / length
            Q -= A * (BRACE * (length - rest) + BRACE_DAMPING * A @ y[3:])
        if not rod:
            return np.concatenate([y[3:], np.linalg.solve(M, Q)])
        # (|p − P|² − L²)/2L of the tip: its second rate is zero
        r, r_dot = places[2], tables[2] @ eta_dot
        apart, speed = r - R.T @ PIN, crossed(r) * omega + r_dot
        A = slopes[2].T @ apart / reach
        change = 2.0 * omega * crossed(r_dot) + omega**2 * crossed(crossed(r))
        gamma = -(speed @ speed + apart @ change) / reach
        whole = np.block([[M, A[:, None]], [A, np.zeros(1)]])
        return np.concatenate([y[3:], np.linalg.solve(whole, [*Q, gamma])[:3]])

    start = np.array([0.2, 0, 0, 0, 0, 0])
    found = solve_ivp(rates, (0, TIMES[-1]), start, method="DOP853", t_eval=TIMES, rtol=1e-12, atol=1e-13)
    return found.y.T


def turned(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def crossed(r):
    """ẑ × r."""
    return np.array([-r[1], r[0], 0.0])


def computed(machine, step, **words):
    run = kb.simulate(machine, TIMES[-1], step=step, record=0.05, **words)
    if words.get("coordinates") != "reference-point":
        return np.array([run[name].values for name in WANTED]).T
    # without a coordinate of the hinge its rate is the beam's
    names = [name.replace("hinge.angle_rate", "beam.angular_velocity") for name in WANTED]
    columns = [run[name].values for name in names]
    return np.array([column if column.ndim == 1 else column[:, 2] for column in columns]).T


def error(found, wanted):
    return np.max(np.abs(found - wanted) / np.max(np.abs(wanted), axis=0))


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("rod", [False, True], ids=["free", "on a rod"])
def test_a_beam_moves_as_its_own_equations_say(coordinates, rod):
    words = {"braced": not rod, "rod": rod}
    found = computed(beam(**words), 1e-4, coupling="explicit", coordinates=coordinates)
    assert error(found, own_equations(**words)) < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("coupling", ["realtime", "unified", "cointegrated", "cosimulated"])
@pytest.mark.parametrize("rod", [False, True], ids=["free", "on a rod"])
def test_order_is_two(coupling, coordinates, rod):
    words = {"braced": not rod, "rod": rod}
    wanted, machine, method = own_equations(**words), beam(**words), {"coupling": coupling, "coordinates": coordinates}
    errors = [error(computed(machine, h, **method), wanted) for h in (1e-3, 5e-4, 2.5e-4)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 1.8).all(), (errors, orders)
    assert (orders < 2.4).all(), (errors, orders)
    assert errors[-1] < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_energy_is_kept_and_accounted_for(coordinates):
    words = {"step": 1e-4, "record": 0.01, "coupling": "explicit", "coordinates": coordinates}
    run = kb.simulate(beam(damped=False), 0.5, **words)
    whole = sum(run[f"energy.{kind}"].values for kind in ("kinetic", "potential", "elastic"))
    gained = run["spin.work"].values
    assert np.max(np.abs(whole - whole[0] - gained)) < 1e-8 * np.max(gained)
    assert abs(kb.simulate(beam(), 0.5, **words).energy().residual) < 1e-8 * np.max(gained)


def test_a_load_at_rest_deflects_by_force_over_stiffness():
    m = kb.Machine("held", gravity=(0, 0, 0))
    body = m.body("beam", mass=BODY, inertia=(1, 1, 1))
    m.fixed("wall", m.ground, body)
    m.shape("sag", of=body, stiffness=5000.0, mass=1.0)
    m.attachment("tip", of=body, at=(1, 0, 0), moves={"sag": (0, 0, 0.8)}, turns={"sag": (0, -1.5, 0)})
    m.force("load", "tip", (0, 0, -1), value=200.0)
    rest = kb.equilibrium(m)
    eta = -0.8 * 200.0 / 5000.0
    assert rest["sag.deflection"] == pytest.approx(eta, rel=1e-9)
    assert rest["tip.position"][2] == pytest.approx(0.8 * eta, rel=1e-9)


# --- mass matrix and bias of a cloud of points ------------------------------------------------------------------------

LUMP = np.array([[0.1, 0, 0], [-0.1, 0.05, 0], [0, 0.1, 0.15], [0, -0.1, -0.05]])  # of four points of equal mass


def lump(total):
    """Mass, centre and inertia of the four points."""
    c = LUMP.mean(axis=0)
    d = LUMP - c
    about = total / 4 * (np.sum(d * d) * np.eye(3) - d.T @ d)
    return {"mass": total, "com": tuple(c), "inertia": about}


def about(axis, angle):
    """Rotation by an angle; of complex numbers, too."""
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def quaternion_rotation(e):
    """Rotation of the quaternion (1, e/2), normalised."""
    w, (x, y, z) = 1.0, 0.5 * e
    n = w * w + x * x + y * y + z * z
    upper = [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)]
    middle = [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)]
    lower = [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]
    return np.array([upper, middle, lower]) / n


S1, S2 = np.array([0.5, 0.1, 0]), np.array([1.0, 0, 0.1])
MOVES1, TURNS1 = np.array([[0.1, 0.3, 0.2], [0, 0.1, 0.4]]), np.array([[0.2, 0.1, 0.9], [0.5, -0.8, 0.1]])
MOVES2, TURNS2 = np.array([[-0.1, 1.0, 0.1], [0.05, 0, 1.0]]), np.array([[0.1, 0.3, 1.6], [-0.2, -1.5, 0.2]])
S3, MOVES3, TURNS3 = np.array([0, 0, -0.4]), np.array([[1.0, 0.2, 0.1]]), np.array([[0.3, 2.0, -0.4]])
HOOK = np.array([0, 0.8, 0.6])


def tree():
    m = kb.Machine("cloud", gravity=(1.0, -2.0, -9.0))
    beam = m.body("beam", **lump(4.0))
    m.universal("foot", m.ground.at(0.1, 0.2, 0.3), beam, axis="z", second_axis="x")
    for name in ("one", "two"):
        m.shape(name, of=beam, stiffness=1.0)
    for name, s, moves, turns, mass in (("a", S1, MOVES1, TURNS1, 1.0), ("b", S2, MOVES2, TURNS2, 2.0)):
        table = {"moves": dict(zip(("one", "two"), moves, strict=True)),
                 "turns": dict(zip(("one", "two"), turns, strict=True))}  # fmt: skip
        m.attachment(name, of=beam, at=s, **table, **lump(mass))
    load = m.body("load", **lump(1.5))
    m.revolute("hook", "b", load, axis=tuple(HOOK))
    m.shape("sway", of=load, stiffness=1.0, mass=0.3)
    m.attachment("c", of=load, at=S3, moves={"sway": MOVES3[0]}, turns={"sway": TURNS3[0]}, **lump(0.7))
    return m


def cloud(q):
    """Places and masses of all points: q are two turns of the foot, two shapes, the hook and its load's shape."""
    R0, p0 = about((0, 0, 1), q[0]) @ about((1, 0, 0), q[1]), np.array([0.1, 0.2, 0.3])
    frames = [(R0, p0, 4.0)]
    for s, moves, turns, mass in ((S1, MOVES1, TURNS1, 1.0), (S2, MOVES2, TURNS2, 2.0)):
        frames.append((R0 @ quaternion_rotation(q[2:4] @ turns), p0 + R0 @ (s + q[2:4] @ moves), mass))
    R, p = frames[2][0] @ about(HOOK, q[4]), frames[2][1]
    frames.append((R, p, 1.5))
    frames.append((R @ quaternion_rotation(q[5:] @ TURNS3), p + R @ (S3 + q[5:] @ MOVES3), 0.7))
    return np.concatenate([p + LUMP @ R.T for R, p, _ in frames]), np.repeat([m / 4 for _, _, m in frames], 4)


def slopes(q):
    """∂p/∂q of all points by complex steps."""
    return np.array([cloud(q + 1e-30j * e)[0].imag.ravel() / 1e-30 for e in np.eye(6)]).T


def test_mass_matrix_and_bias_are_those_of_a_cloud_of_points():
    planned, random = kb.build(tree(), coupling="explicit"), np.random.default_rng(3)
    names = ("foot", "foot", "one", "two", "hook", "sway")
    topology, seen = planned.topology, []
    for name in names:
        columns = topology.tree.get(name) or topology.scalars[name]
        seen.append(columns.q[names[: len(seen)].count(name)])
    for _ in range(3):
        q, v = random.normal(size=6), random.normal(size=6)
        planned.work.state.q[seen], planned.work.state.v[seen] = q, v
        order = np.argsort(seen)
        J, masses = slopes(q), np.repeat(cloud(q)[1], 3)
        M = J.T @ (masses[:, None] * J)
        M[5, 5] += 0.3
        assert np.abs(planned.mass_matrix() - M[np.ix_(order, order)]).max() < 1e-12 * np.abs(M).max()
        # J̇ v by differences of order 4 along v, less gravity
        h = 1e-3
        one, two = (slopes(q + f * h * v) @ v - slopes(q - f * h * v) @ v for f in (1, 2))
        change = (8 * one - two) / (12 * h) - np.tile([1.0, -2.0, -9.0], len(masses) // 3)
        bias = J.T @ (masses * change)
        assert np.abs(planned.bias() - bias[order]).max() < 1e-8 * np.abs(bias).max()


# --- oil --------------------------------------------------------------------------------------------------------------


def on_rams():
    """A beam that stands on a cylinder under an attachment, with a small one between two attachments."""
    m = beam(braced=False)
    fluid = m.oil(kb.fluids.naya())
    small = {"stroke": "300 mm", "viscous": 500.0, "leak": 1e-12, "pressure_a": "60 bar", "pressure_b": "80 bar"}
    fluid.cylinder("push", m.ground.at(0.9, -0.5, 0), "middle", bore="25 mm", rod="15 mm", **small)
    fluid.cylinder("brace", "root", m["tip"].at(0, 0.1, 0), bore="20 mm", rod="12 mm", **small)
    return m


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("coupling", ["realtime", "unified", "cointegrated", "cosimulated"])
def test_cylinders_on_a_body_that_bends_move_alike_in_all_couplings(coupling, coordinates):
    words = {"record": 5e-3, "coordinates": coordinates}
    machine, names = on_rams(), ("bend.deflection", "sag.deflection", "push.a.pressure", "brace.b.pressure")
    exact = kb.simulate(machine, 0.05, step=2e-5, coupling="explicit", **words)
    errors = []
    for step in (2.5e-4, 1.25e-4):
        small = {"power_step": step / 4.0} if coupling == "cosimulated" else {}
        run = kb.simulate(machine, 0.05, step=step, coupling=coupling, **small, **words)
        scale = [np.ptp(exact[name].values) for name in names]
        errors.append(max(np.abs(run[n].values - exact[n].values).max() / s for n, s in zip(names, scale, strict=True)))
    assert errors[0] < 0.03
    assert errors[1] < 0.35 * errors[0]
