# SPDX-License-Identifier: BSD-3-Clause
"""The tangent of linearly implicit steps: every block against differences, every elimination against dense algebra.

Evidence: central differences of the machine's own rates where the slopes are meant to be exact, closed forms where they
are meant to be something else (secants, one step ahead), and one dense system with nothing eliminated for the step.
"""

from __future__ import annotations

import numpy as np
import pytest

import knuckleboom as kb
from engine.linear_steps import (
    Tangent,
    balls,
    crane,
    dense_step,
    driven,
    four_bar,
    geared,
    harvester,
    inputs_of,
    moved,
    naya_rod,
    pendulum,
    powered,
    rates,
    row_matrix,
    solve,
    twins,
    winch,
)
from knuckleboom.engine.run import INTEGRATORS, run_realtime
from knuckleboom.hydraulics.oil_laws import SOURCE
from knuckleboom.layout import OK, schedule_family

MACHINES = [pendulum, balls, four_bar, geared, driven, naya_rod, crane, twins, winch, harvester, powered]
WITH_OIL = [naya_rod, crane, twins, winch, harvester, powered]
STEP = 1e-3


def disturbed(planned, seed):
    """A random state near the start: rows that move, pressures and spools of all sizes. Loops need not be closed."""
    rng = np.random.default_rng(seed)
    state, n, volumes = planned.work.state, planned.topology.nv, planned.plan.oil.node_first[SOURCE]
    q = moved(planned, state.q.copy(), 0.01 * rng.standard_normal(n))
    v = state.v + 0.1 * rng.standard_normal(n)
    x = state.x.copy()
    x[:volumes] *= rng.uniform(0.2, 1.5, volumes)
    small = [1e-3 if lag.unit.startswith("m^3") else 1.0 for lag in planned.layout.lags]  # 1 m³/s is a river
    x[volumes:] += small * rng.uniform(-0.8, 0.8, len(x) - volumes)
    return q, v, x


def stepped(machine, method, seed, **words):
    """A machine after one step from a random state, and that state. The step is the method's own, never corrected."""
    planned = kb.build(machine, coupling="realtime", integrator=method, **words)
    planned.plan.tableau.doubtful[:] = np.inf
    state = disturbed(planned, seed)
    start(planned, state)
    return planned, state


def start(planned, state):
    """Take one step from a state."""
    work, times = planned.work, np.array([0.0, STEP])
    work.state.q[:], work.state.v[:], work.state.x[:] = state
    record, lines = np.empty((0, planned.work_size["nrecord"])), np.full(2, -1)
    inputs, motions = inputs_of(planned, {}, times), planned.motions_at(times)
    due = np.zeros(2, np.int64)
    schedule = schedule_family(times, np.full(1, STEP), inputs, motions, due, lines, record)
    ended = run_realtime(planned.plan, work, schedule, 1)
    assert ended == (OK, 1)


def tangent_at(machine, method, state):
    """The dense tangent at a state, from a plan of its own."""
    planned = kb.build(machine, coupling="realtime", integrator=method)
    planned.work.rows.target[:] = planned.motions_at(np.zeros(1))[0]
    A = row_matrix(planned, state)
    rates(planned, state)
    return planned, Tangent(planned, A, STEP)


def close(ours, theirs, tolerance, what=""):
    """Within a part of the largest of them."""
    scale = np.abs(theirs).max() if np.size(theirs) else 1.0
    assert np.abs(np.asarray(ours) - theirs).max(initial=0.0) <= tolerance * scale + 1e-300, what


@pytest.mark.parametrize("make", MACHINES)
def test_entries_of_rows(make):
    planned, state = stepped(make(), "fw2", 1)
    table, ours = planned.plan.tangent, np.zeros((len(planned.plan.tangent.row), planned.topology.nv))
    for k in range(len(table.row)):
        for e in range(table.path_first[k], table.path_first[k + 1]):
            ours[k, table.path_dof[e]] += planned.work.tangent.row_entry[e]

    _, tangent = tangent_at(make(), "fw2", state)
    close(ours, tangent.A, 1e-13)


@pytest.mark.parametrize("make", WITH_OIL)
@pytest.mark.parametrize("seed", [1, 2])
def test_slopes_of_oil_and_their_elimination(make, seed):
    planned, state = stepped(make(), "fw2", seed)
    _, tangent = tangent_at(make(), "fw2", state)
    plan, ours, oil = planned.plan, planned.work.tangent, planned.plan.oil
    tau, volumes = STEP * INTEGRATORS["fw2"].GAMMA, oil.node_first[SOURCE]

    close(ours.stiffness, tangent.P, 1e-12, "dp/de")
    close(ours.row_s, tangent.by_s, 1e-13, "by s")
    close(ours.row_w, tangent.by_w, 1e-13, "by w")

    # the factors multiply to E, circuit by circuit, and no entry of it lies outside the circuits
    whole = np.zeros((volumes, volumes))
    for c, first in enumerate(oil.circuit_start):
        nodes = oil.circuit_state[oil.circuit_first[c] : oil.circuit_first[c + 1]]
        n = len(nodes)
        factors = ours.E[first : first + n * n].reshape(n, n).copy()
        np.fill_diagonal(factors, 1.0 / np.diag(factors))  # pivots are kept as their inverse
        whole[np.ix_(nodes, nodes)] = (np.tril(factors, -1) + np.eye(n)) @ np.triu(factors)
    E = np.eye(volumes) - tau * tangent.x_by_x[:volumes, :volumes]
    close(whole, E, 1e-13, "E")

    # the response of each circuit to each chamber, and what rows add to the mass
    place = dict(zip(plan.tangent.row, range(len(plan.tangent.row)), strict=True))
    Z = np.zeros((volumes, len(plan.tangent.row)))
    for i, (row, node, *_) in enumerate(plan.forces.chamber_index):
        if node >= volumes:
            continue
        c = oil.state_circuit[node]
        nodes = oil.circuit_state[oil.circuit_first[c] : oil.circuit_first[c + 1]]
        columns = plan.tangent.column[plan.tangent.column_first[c] : plan.tangent.column_first[c + 1]].tolist()
        begin = plan.tangent.response_first[c]
        responses = ours.Z[begin : begin + len(nodes) * len(columns)].reshape(len(nodes), len(columns))
        Z[nodes, place[row]] += responses[:, columns.index(i)]
    close(Z, tangent.response(tau)[:volumes], 1e-12, "Z")
    D = tangent.D(tau)
    close(ours.row_D, np.diag(D), 1e-12, "D")
    assert (ours.row_D >= 0.0).all()
    shared = np.abs(D - np.diag(np.diag(D))).max() > 1e-6 * np.abs(D).max()
    assert shared == (make is twins), "only twins share a circuit: there cross terms are left out of D"


@pytest.mark.parametrize("make, entries", [(crane, 4), (winch, 8)])
def test_spools_slopes_against_differences(make, entries):
    """And the slopes among the states that follow: a lag has its own, a second-order pair four."""
    planned, state = stepped(make(), "fw2", 3)
    oil, spool = planned.plan.oil, planned.work.tangent.spool
    here, tangent = tangent_at(make(), "fw2", state)
    volumes, step = oil.node_first[SOURCE], 1e-6
    q, v, x = state
    assert len(spool) == entries

    for lag in range(volumes, len(x)):
        change = np.eye(len(x))[lag] * step
        differences = (rates(here, (q, v, x + change))[4] - rates(here, (q, v, x - change))[4]) / (2 * step)
        ours = np.zeros(volumes)
        for (_, node, _, state), slope in zip(oil.metered, spool, strict=True):
            ours[node] += slope * (state == lag)
        close(ours, differences[:volumes], 1e-8)
        close(tangent.x_by_x[volumes:, lag], differences[volumes:], 1e-8)


def unstressed():
    """Two arms at rest without gravity, no force anywhere: there the tangent has no part of rows that turn."""
    m = kb.Machine("unstressed", gravity=(0.0, 0.0, 0.0), ambient="30 bar")
    oil = m.oil("oil", kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", "30 bar"), oil.tank("tank", "30 bar")
    one = m.body("one", mass=20.0, com=(0.4, 0.0, 0.0), inertia=(0.3, 2.0, 2.0))
    two = m.body("two", mass=10.0, com=(0.4, 0.0, 0.1), inertia=(0.3, 1.0, 1.0))
    m.revolute("foot", m.ground, one, axis="-y", start=0.4)
    m.spherical("ball", m.ground.at(0.0, 0.5, 0.0), two, start=(0.1, -0.3, 0.2))
    m.spring("across", one.at(0.8, 0.0, 0.0), two.at(0.9, 0.0, 0.0), 5e3, damping=80.0)
    m.joint_friction("bearing", "ball", 2, coulomb=2.0, viscous=1.0, speed=0.05)
    ram = m.cylinder(
        "ram", m.ground.at(0.5, 0.0, -0.4), one.at(0.6, 0.0, 0.0), bore=0.05, rod=0.03, stroke=0.6, oil=oil,
        pressure_a="30 bar", pressure_b="30 bar", viscous=500.0, coulomb=100.0, leak=3e-12,
    )  # fmt: skip
    m.valve_4_3("valve", P=pump, T=tank, A=ram.a, B=ram.b, flow=("40 l/min", "10 bar"), leak=0.05, transition="5 bar")
    manifold = oil.volume("manifold", size="0.2 l", pressure="30 bar")
    oil.restrictor("hose", a=manifold, b=ram.a, area="5 mm2")
    return m


def test_the_whole_tangent_against_differences_of_the_rates():
    """Where nothing pushes, no oil flows and nothing moves, secant and tangent are one: all blocks are exact."""
    planned = kb.build(unstressed(), coupling="realtime", integrator="fw2")
    state = tuple(getattr(planned.work.state, name).copy() for name in ("q", "v", "x"))
    q, v, x = state
    v[:] = 0.0
    n, nx = len(v), len(x)
    A = row_matrix(planned, state)
    rates(planned, state)
    assert np.abs(planned.work.rows.force).max() < 1e-6 and np.abs(planned.work.oil.x_dot).max() < 1e-12
    ours = Tangent(planned, A, STEP)
    steps = np.concatenate([np.full(n, 1e-6), np.full(n, 1e-5), np.full(nx, 1e-8)])

    columns = []
    for j, step in enumerate(steps):
        both = []
        for sign in (1.0, -1.0):
            u = np.zeros(2 * n + nx)
            u[j] = sign * step
            _, force, _, _, x_dot = rates(planned, (moved(planned, q, u[:n]), v + u[n : 2 * n], x + u[2 * n :]))
            both.append(np.concatenate([force, x_dot]))
        columns.append((both[0] - both[1]) / (2 * step))
    theirs = np.array(columns).T

    blocks = {
        "F by q": (theirs[:n, :n], A.T @ np.diag(ours.by_s) @ A),
        "F by v": (theirs[:n, n : 2 * n], A.T @ np.diag(ours.by_w) @ A),
        "F by x": (theirs[:n, 2 * n :], A.T @ ours.by_x),
        "x' by q": (theirs[n:, :n], ours.x_by_s @ A),
        "x' by v": (theirs[n:, n : 2 * n], ours.x_by_w @ A),
        "x' by x": (theirs[n:, 2 * n :], ours.x_by_x),
    }
    for name, (differences, exact) in blocks.items():
        close(exact, differences, 2e-5 if name == "F by v" else 1e-6, name)


@pytest.mark.parametrize("method", ["fw2", "lim", "lie"])
@pytest.mark.parametrize("make", MACHINES)
def test_every_stage_solves_the_whole_system(make, method):
    """The increments of each stage against one dense solve with its rates: this is what elimination must not change."""
    planned, state = stepped(make(), method, 4)
    here, tangent = tangent_at(make(), method, state)
    M, _, Phi, _, _ = rates(here, state)
    tau, ours = STEP * INTEGRATORS[method].GAMMA, planned.work.tableau
    matrix = tangent.matrix(tau, M, Phi, here.work.system.compliance)
    n, nx = len(M), len(state[2])

    for i in range(len(INTEGRATORS[method].M)):
        known = np.concatenate([ours.rate_q[i], ours.force[i], ours.rate_x[i], ours.gamma[i]])
        u_q, u_v, u_x, _ = np.split(solve(matrix, tau * known), np.cumsum([n, n, nx]))
        close(ours.u_v[i], u_v, 1e-10, f"v of stage {i}")
        close(ours.u_q[i], u_q, 1e-10, f"q of stage {i}")
        for part in (slice(0, here.layout.nvolume), slice(here.layout.nvolume, nx)):
            close(ours.u_x[i][part], u_x[part], 1e-10, f"x of stage {i}")


@pytest.mark.parametrize("words", [{}, {"enforcement": "penalty"}], ids=["lagrange", "penalty"])
@pytest.mark.parametrize("method", ["fw2", "lim", "lie"])
@pytest.mark.parametrize("make", MACHINES)
def test_one_step_is_that_of_dense_algebra(make, method, words):
    """Rates without mass matrices, u-form and elimination against k-form, all mass matrices and one dense system."""
    planned, state = stepped(make(), method, 5, **words)
    other = kb.build(make(), coupling="realtime", integrator=method, **words)
    (q, v, x), _ = dense_step(other, INTEGRATORS[method], state, 0.0, STEP)

    for ours, theirs, before in zip(
        (planned.work.state.q, planned.work.state.v, planned.work.state.x), (q, v, x), state, strict=True
    ):
        close(ours - before, theirs - before, 1e-9)


def test_a_stop_that_the_step_will_reach_has_its_stiffness_already():
    stiffness, speed, damping = 1e6, 1.0, 0.25
    m = kb.Machine("door", gravity=(0.0, 0.0, 0.0))
    leaf = m.body("leaf", mass=2.0, com=(0.5, 0.0, 0.0), inertia=(0.01, 0.1, 0.1))
    m.revolute("hinge", m.ground, leaf, start=0.0, speed=speed)
    m.joint_stop("stop", "hinge", lower=-1.0, upper=0.5 * STEP * speed, stiffness=stiffness, damping=damping)

    def slope(angle, rate):
        planned = kb.build(m, coupling="realtime", integrator="fw2")
        planned.plan.tableau.doubtful[:] = np.inf
        start(planned, (np.array([angle]), np.array([rate]), np.empty(0)))
        return planned.work.tangent.row_s[0]

    struck, leaving = -stiffness * (1.0 + damping * speed), -stiffness * (1.0 - damping * speed)
    assert slope(0.0, speed) == struck, "not touched, but soon"
    assert slope(0.0, 0.4 * speed) == 0.0, "not in this step"
    assert slope(0.0, -speed) == 0.0, "away from it"
    assert slope(STEP * speed, speed) == struck, "touched"
    assert slope(-1.0 + 0.1 * STEP, -speed) == struck, "the other side"
    assert slope(STEP * speed, -speed) == 2.0 * leaving, "left within this step: twice"
    assert slope(2.0 * STEP * speed, -speed) == leaving, "left in the next one"
