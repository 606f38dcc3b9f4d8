# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of linearly implicit steps share: machines, a run, and the same step once more as dense algebra.

`dense_step` is the independent route: a W-method in the k-form of [Hairer Wanner 1996, IV.7], where each stage is one
dense system for coordinates, velocities, strains, spools and multipliers together. Nothing is eliminated, the mass
matrix of every stage is built, and the tangent is put together here from the values and slopes of the laws.
"""

from __future__ import annotations

import numpy as np

import knuckleboom as kb
from engine.four_rams import four_rams
from knuckleboom.engine.linearly_implicit import SHRUNK
from knuckleboom.engine.run import advance_once, run_explicit, run_realtime, system_once
from knuckleboom.hydraulics.elements import flow_source
from knuckleboom.hydraulics.oil_laws import CAVITATING, NAYA, SOURCE
from knuckleboom.interface.elements import stop
from knuckleboom.interface.forces import KINDS
from knuckleboom.layout import OK, schedule_family

EXPLICIT = ("rk4", "semi-implicit-euler")
STOP = KINDS.index(stop)


def inputs_of(planned, levers, times):
    """Inputs at both ends of the steps from these times on: {part: {time: value}}, held, else their defaults."""
    values = np.zeros((len(times), 2, len(planned.layout.inputs)))
    for column, signal in enumerate(planned.layout.inputs):
        values[:, :, column] = signal.default
        for time, value in (levers or {}).get(signal.part, {}).items():
            values[times >= time - 1e-9, :, column] = value
    return values


class Ran:
    """A finished run: the record by name, and the state reached."""

    def __init__(self, planned, record, times):
        self.planned, self.record, self.times = planned, record, times

    def __getitem__(self, path):
        columns = list(self.planned.names[path].columns)
        return self.record[:, columns[0] if len(columns) == 1 else columns]

    @property
    def state(self):
        """q, v and x at the end."""
        state = self.planned.work.state
        return np.concatenate([state.q, state.v, state.x])


def run(machine, duration, step, integrator, levers=None, record=None, **words):
    """Run explicit or linearly implicit steps and record every `record` seconds (default: start and end)."""
    coupling = "explicit" if integrator in EXPLICIT else "realtime"
    planned = kb.build(machine, coupling=coupling, integrator=integrator, **words)
    n = round(duration / step)
    every = n if record is None else round(record / step)
    times, number = step * np.arange(n + 1.0), np.arange(n + 1)
    lines = np.where(number % every == 0, number // every, -1)
    table = np.full((n // every + 1, planned.work_size["nrecord"]), np.nan)
    call = run_explicit if coupling == "explicit" else run_realtime
    levers, motions = inputs_of(planned, levers, times), planned.motions_at(times)
    due = np.zeros(n + 1, np.int64)
    schedule = schedule_family(times, np.full(n, step), levers, motions, due, lines, table)
    ended = call(planned.plan, planned.work, schedule, n)
    assert ended == (OK, n), ended
    return Ran(planned, table, times[::every])


# --- machines ---------------------------------------------------------------------------------------------------------


def pendulum():
    """A pendulum with a spring and a damper across it: one coordinate, rows that turn, all slopes of order one."""
    m = kb.Machine("pendulum", gravity=(0.0, 0.0, -9.81))
    arm = m.body("arm", mass=2.0, com=(0.5, 0.0, 0.0), inertia=(0.01, 0.1, 0.1))
    m.revolute("pin", m.ground, arm, axis="y", start=0.3, speed=1.0)
    m.spring("spring", m.ground.at(0.3, 0.0, 0.8), arm.at(0.6, 0.0, 0.0), 300.0, rest=0.5, damping=4.0)
    m.joint_spring("hold", "pin", stiffness=20.0, rest=0.1, damping=0.5)
    return m


def balls():
    """A free body, one that hangs on it by a ball joint, and a flap: quaternions in the root and in a joint."""
    m = kb.Machine("balls")
    one = m.body("one", mass=3.0, com=(0.1, 0.0, 0.05), inertia=(0.2, 0.3, 0.25))
    two = m.body("two", mass=1.0, com=(0.0, 0.1, -0.3), inertia=(0.02, 0.03, 0.04))
    m.free("base", m.ground, one, start=(0.0, 0.0, 1.0, 0.2, -0.1, 0.3), speed=(0.1, 0.2, 0.0, 1.0, -2.0, 1.5))
    m.spherical("hang", one.at(0.3, 0.1, -0.1), two, start=(0.3, 0.2, -0.4), speed=(2.0, 1.0, -1.0))
    for number, at in enumerate(((0.5, 0.0, 0.0), (-0.4, 0.4, 0.0), (-0.4, -0.4, 0.1))):
        x, y, z = at
        m.spring(f"leg_{number}", m.ground.at(2 * x, 2 * y, 0.0), one.at(at), 400.0, damping=6.0, preload=15.0)
    m.spring("tie", m.ground.at(1.0, 1.0, 0.5), two.at(0.0, 0.1, -0.4), 60.0, damping=1.0)
    m.joint_friction("bearing", "hang", 1, coulomb=0.1, viscous=0.1, speed=0.5)
    # its coordinate has a higher number than there are links
    flap = m.body("flap", mass=0.5, com=(0.1, 0.0, 0.0), inertia=(0.01, 0.01, 0.01))
    m.revolute("hinge", two.at(0.0, 0.0, -0.5), flap, axis="x", start=0.2)
    m.joint_spring("closer", "hinge", stiffness=5.0, damping=0.1)
    return m


def four_bar(ground=(0.9, 0.0, 0.0)):
    """A four-bar with a spring between crank and rocker, which are branches of their own."""
    m = kb.Machine("four-bar")
    crank = m.body("crank", mass=1.0, com=(0.15, 0.0, 0.0), inertia=(0.001, 0.01, 0.01))
    coupler = m.body("coupler", mass=2.0, com=(0.4, 0.0, 0.0), inertia=(0.001, 0.1, 0.1))
    rocker = m.body("rocker", mass=1.5, com=(0.3, 0.0, 0.0), inertia=(0.001, 0.05, 0.05))
    m.revolute("main", m.ground, crank, axis="-y", start=1.0, speed=4.0)
    m.revolute("knee", crank.at(0.3, 0.0, 0.0), coupler, axis="-y", start=-0.6)
    m.revolute("foot", m.ground.at(ground), rocker, axis="-y", start=1.9)
    m.revolute("tip", coupler.at(0.8, 0.0, 0.0), rocker.at(0.6, 0.0, 0.0), axis="-y", cut=True)
    m.spring("across", crank.at(0.2, 0.0, 0.0), rocker.at(0.5, 0.0, 0.0), 200.0, damping=3.0)
    m.joint_friction("bearing", "main", coulomb=0.5, viscous=0.2, speed=2.0)
    return m


def driven():
    """Two arms: the first follows a sine, the distance of the second's tip from the ground a second one."""
    m = kb.Machine("driven")
    first = m.body("first", mass=2.0, com=(0.5, 0.0, 0.0), inertia=(0.1, 0.1, 0.1))
    second = m.body("second", mass=1.0, com=(0.3, 0.0, 0.0), inertia=(0.1, 0.1, 0.1))
    third = m.body("third", mass=1.0, com=(0.3, 0.0, 0.0), inertia=(0.1, 0.1, 0.1))
    m.revolute("shoulder", m.ground, first, axis="y", start=0.3)
    m.revolute("elbow", first.at(1.0, 0.0, 0.0), second, axis="y", start=-1.2)
    m.revolute("wrist", second.at(0.6, 0.0, 0.0), third, axis="y", start=0.4)
    m.driver("swing", joint="shoulder", amplitude=0.3, frequency=1.0)
    m.driver("stretch", a=m.ground, b=second.at(0.6, 0.0, 0.0), amplitude=0.1, frequency=2.0)
    m.joint_spring("hold", "wrist", stiffness=30.0, damping=0.5)
    return m


def geared():
    """Two arms whose angles are tied by a gear."""
    m = kb.Machine("geared")
    first = m.body("first", mass=2.0, com=(0.5, 0.0, 0.0), inertia=(0.1, 0.1, 0.1))
    second = m.body("second", mass=1.0, com=(0.3, 0.0, 0.0), inertia=(0.1, 0.1, 0.1))
    m.revolute("shoulder", m.ground, first, axis="y", start=0.3)
    m.revolute("elbow", first.at(1.0, 0.0, 0.0), second, axis="y", start=-0.5)
    m.gear("gear", "shoulder", "elbow", ratio=-2.0)
    m.joint_spring("hold", "elbow", stiffness=50.0, damping=0.5)
    return m


def crane():
    """A boom on one cylinder with a 4/3 valve whose spool lags, friction, leakage and stops; the lever starts at 0."""
    m = kb.Machine("crane")
    boom = m.body("boom", mass=200.0, com=(1.0, 0.0, 0.0), inertia=(1.0, 70.0, 70.0))
    m.revolute("foot", m.ground, boom, axis="-y", start=0.4)
    oil = m.oil("oil", kb.fluids.mineral_oil(bulk=1.4e9))
    lift = m.cylinder(
        "lift", m.ground.at(0.6, 0.0, -0.3), boom.at(0.8, 0.0, 0.0), bore=0.06, rod=0.03, stroke=0.5, oil=oil,
        dead_a=5e-4, dead_b=5e-4, pressure_a=25e5, pressure_b=5e5, viscous=2e3, coulomb=200.0, friction_speed=0.05,
        leak=1e-13,
    )  # fmt: skip
    pump, tank = oil.pressure("pump", "100 bar"), oil.tank("tank")
    m.valve_4_3("valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("40 l/min", "10 bar"), leak=5e-3)
    return m


def twins():
    """Two arms with a spring between them, on cylinders whose bore sides share a manifold: one circuit of 5 volumes."""
    m = kb.Machine("twins")
    oil = m.oil("oil", kb.fluids.mineral_oil(bulk=1.4e9))
    pump, tank = oil.pressure("pump", "80 bar"), oil.tank("tank")
    manifold = oil.volume("manifold", size="0.3 l", pressure="40 bar")
    oil.restrictor("feed", a=pump, b=manifold, area="4 mm2")
    arms = []
    for number, y in ((1, 0.0), (2, 0.7)):
        arm = m.body(f"arm_{number}", mass=80.0, com=(0.6, 0.0, 0.0), inertia=(1.0, 9.0, 9.0))
        m.revolute(f"foot_{number}", m.ground.at(0.0, y, 0.0), arm, axis="-y", start=0.5 + 0.1 * number)
        ram = m.cylinder(
            f"ram_{number}", m.ground.at(0.5, y, -0.2), arm.at(0.6, 0.0, 0.0), bore=0.05, rod=0.03, stroke=0.6, oil=oil,
            pressure_a=40e5, pressure_b=8e5, viscous=1e3, leak=2e-13,
        )  # fmt: skip
        oil.restrictor(f"hose_{number}", a=manifold, b=ram.a, area="6 mm2")
        oil.restrictor(f"back_{number}", a=ram.b, b=tank, area="3 mm2")
        arms.append(arm)
    m.spring("tie", arms[0].at(1.0, 0.0, 0.0), arms[1].at(1.0, 0.0, 0.0), 4000.0, damping=100.0)
    return m


def powered():
    """A shaft on a spring, geared to one with a pump from a tank into a volume, which a column of oil empties."""
    m = kb.Machine("powered")
    for name, inertia, speed in (("crank", 0.4, 60.0), ("out", 0.1, 30.0)):
        m.shaft(name, inertia, speed=speed)
    m.gear_stage("stage", "crank", "out", ratio=0.5)
    m.shaft_spring("bearing", "crank", stiffness=2e3, damping=3.0)
    oil = m.oil("oil", kb.fluids.mineral_oil())
    tank, line = oil.tank("tank"), oil.volume("line", "0.5 l", "40 bar")
    oil.pump("pump", tank, line, displacement="20 cm3/rev", shaft="out", volumetric_efficiency=0.95,
             rated_pressure="100 bar", rated_speed="1500 rpm")  # fmt: skip
    oil.oil_column("column", "3 m", "1 cm2", a=line, b=tank, turbulent=("20 l/min", "10 bar"))
    return m


def winch():
    """A drum on a motor, with a pump whose flow follows its command, a 4/3 valve with a second-order spool."""
    m = kb.Machine("winch")
    drum = m.body("drum", mass=30.0, com=(0.05, 0.0, 0.0), inertia=(1.0, 1.0, 1.0))
    m.revolute("axle", m.ground, drum, axis="y", speed=3.0)
    oil = m.oil("oil", kb.fluids.mineral_oil(bulk=1.4e9))
    tank, line = oil.tank("tank"), oil.volume("line", size="0.5 l", pressure="60 bar")
    motor = m.motor(
        "motor", "axle", "60 cm3/rev", oil, pressure_a=40e5, pressure_b=15e5, viscous=0.3, coulomb=2.0, leak=1e-12
    )
    m.flow_source("pump", tank, line, "20 l/min", frequency="12 Hz", damping=0.4)
    m.flow_source("boost", tank, motor.b, "3 l/min", time_constant="30 ms")
    m.valve_4_3(
        "valve", P=line, T=tank, A=motor.a, B=motor.b, flow=("40 l/min", "10 bar"), leak=5e-3, frequency="20 Hz"
    )
    return m


def naya_rod():
    """Naya's rod with its own oil."""
    return kb.catalogue.NAMES["naya-rod"]().machine


def harvester():
    """The harvester's heavy cylinders on oil: 35 velocities, 8 loop equations, 4 valves."""
    return four_rams()


# --- the step as dense algebra ----------------------------------------------------------------------------------------


def k_form(method):
    """α, Γ (with γ on its diagonal) and b of a method in u-form."""
    count = len(method.M)
    Gamma = np.linalg.inv(np.eye(count) / method.GAMMA - np.array(method.C))
    return np.array(method.A) @ Gamma, Gamma, np.array(method.M) @ Gamma


def rates(planned, state):
    """Everything of the machine at (q, v, x): M, F − bias, Φ_q, γ, ẋ, and the fields of Work they came from."""
    work, n = planned.work, planned.topology.nv
    work.state.q[:], work.state.v[:], work.state.x[:] = state
    assert system_once(planned.plan, work) == OK
    table, L, phi = planned.plan.system, work.system.L, work.system.phi
    M, Phi = np.zeros((n, n)), np.zeros((len(work.system.gamma), n))
    for j in range(n):
        for e in range(table.pair_first[j], table.pair_first[j + 1]):
            k = int(table.pair_ancestor[e])
            M[j, k] = M[k, j] = L[table.pair_address[e]]
    for r in range(len(Phi)):
        for e in range(table.path_first[r], table.path_first[r + 1]):
            Phi[r, table.path_dof[e]] += phi[e]
    force = work.system.effort - work.system.bias
    return M, force, Phi, work.system.gamma.copy(), work.oil.x_dot.copy()


def moved(planned, q0, u):
    """q0 ⊕ u."""
    q = np.empty_like(q0)
    advance_once(planned.plan.links.index, q0, np.ascontiguousarray(u), q)
    return q


def increment_rate(planned, u, v):
    """Rate of u in q0 ⊕ u, with the series of the inverse exponential for balls."""
    rate = v.copy()
    for _, iv in planned.plan.links.balls:
        turn, omega = u[iv : iv + 3], v[iv : iv + 3]
        once = np.cross(turn, omega)
        rate[iv : iv + 3] = omega + once / 2.0 + np.cross(turn, once) / 12.0
    return rate


def row_matrix(planned, state):
    """A of the rows with slopes at a state: w = A v is linear, so that unit speeds give its columns."""
    q, v, x = state
    columns = []
    for j in range(len(v)):
        rates(planned, (q, np.eye(len(v))[j], x))
        columns.append(planned.work.rows.w[planned.plan.tangent.row])
    rates(planned, (q, np.zeros(len(v)), x))
    still = planned.work.rows.w[planned.plan.tangent.row]
    return np.array(columns).T - still[:, None]


def stiffness_of(planned, x):
    """dp/de in closed form: Naya's β(p), or half the bulk modulus times 1 + e/√(e² + ε²)."""
    number = planned.plan.oil.node_number
    found = np.zeros(len(x))
    for i in range(*planned.plan.oil.node_first[[NAYA, CAVITATING]]):
        a, b = number[i, 1:3]
        p = (np.sqrt(a * a + 4 * b * np.expm1(x[i])) - a) / (2 * b)
        found[i] = (1 + a * p + b * p * p) / (a + 2 * b * p)
    for i in range(*planned.plan.oil.node_first[[CAVITATING, CAVITATING + 1]]):
        bulk, _, half = number[i, 1:4]
        found[i] = 0.5 * bulk * (1 + x[i] / np.hypot(x[i], 2 * half / bulk))
    return found


class Tangent:
    """Slopes of the machine at the state in Work, as dense matrices; `A` are the rows with slopes."""

    def __init__(self, planned, A, h):
        plan, work = planned.plan, planned.work
        oil, rows, table = work.oil, work.rows, plan.oil
        nx, volumes, nu = len(work.state.x), table.node_first[SOURCE], len(work.state.u)
        row_of = {int(r): k for k, r in enumerate(plan.tangent.row)}
        now = stiffness_of(planned, work.state.x[:volumes])
        ahead = stiffness_of(planned, work.state.x[:volumes] + h * oil.x_dot[:volumes])
        left = 1.0 + h * oil.growth[:volumes] / oil.room[:volumes]
        self.P = np.maximum(now, ahead) / np.clip(left, 0.1, 1.0)  # over what is left of the volume, a tenth at least

        # rows: ∂λ/∂s with stops that the next step reaches or leaves, ∂λ/∂w, ∂λ/∂x, and ∂ẋ/∂w, ∂ẋ/∂s
        self.by_s = np.array([rows.stiffness[r] for r in plan.tangent.row])
        self.by_w = np.array([rows.damping[r] for r in plan.tangent.row])
        for i in range(*plan.forces.first[[STOP, STOP + 1]]):
            r, (lower, upper, k, c) = plan.forces.index[i, 0], plan.forces.number[i, :4]
            free, after = lower <= rows.s[r] <= upper, lower <= rows.s[r] + h * rows.w[r] <= upper
            if free and not after:
                self.by_s[row_of[r]] -= k * (1.0 + c * abs(rows.w[r]))
            if after and not free and c * abs(rows.w[r]) < 1.0:
                depth = max(lower - rows.s[r], rows.s[r] - upper)
                self.by_s[row_of[r]] -= k * (1.0 - c * abs(rows.w[r]))
                self.by_w[row_of[r]] -= k * c * depth
        self.by_x = np.zeros((len(A), nx))
        self.x_by_w, self.x_by_s = np.zeros((nx, len(A))), np.zeros((nx, len(A)))
        chambers = zip(plan.forces.chamber_index, plan.forces.chamber_number, strict=True)
        for (r, node, *_), (area, _, _, grows) in chambers:
            if node >= volumes:  # its pressure is given
                continue
            k = row_of[r]
            self.by_x[k, node] += area * self.P[node]
            self.x_by_w[node, k] -= area / oil.V[node]
            self.x_by_s[node, k] -= grows * area * oil.x_dot[node] / oil.V[node]

        # oil: branches by their slopes, or secants while a volume shrinks; spools by the flow per opening
        shrinks = (left < 1.0 - SHRUNK).any()
        self.x_by_x = np.zeros((nx, nx))
        for i, (a, b, _, _, opening) in enumerate(table.branch_index):
            drop = oil.p[a] - oil.p[b]
            given = i >= table.branch_first[flow_source.KIND]  # a flow whatever the pressures
            G = 0.0 if given else oil.Q[i] / drop if shrinks and drop != 0.0 else oil.slope[i, 0]
            for here, there in ((a, b), (b, a)):
                if here < volumes:
                    self.x_by_x[here, here] -= G * self.P[here] / oil.V[here]
                    if there < volumes:
                        self.x_by_x[here, there] += G * self.P[there] / oil.V[here]
            if opening >= 0 and table.opening_signal[opening] >= nu:
                state = table.opening_signal[opening] - nu
                full = oil.Q[i] / oil.opening[opening]
                for node, sign in ((a, -1.0), (b, 1.0)):
                    if node < volumes:
                        self.x_by_x[node, state] += sign * full * oil.opening_slope[opening] / oil.V[node]
        for state, time in zip(table.lag_state, table.lag_number[:, 0], strict=True):
            self.x_by_x[state, state] -= 1.0 / time
        for state, (square, drag) in zip(table.second_state, table.second_number, strict=True):
            self.x_by_x[state, state + 1] += 1.0
            self.x_by_x[state + 1, state] -= square
            self.x_by_x[state + 1, state + 1] -= drag
        self.A = A

    def response(self, tau):
        """Z: rates of x per speed of each row, through all circuits."""
        return np.linalg.solve(np.eye(len(self.x_by_x)) - tau * self.x_by_x, self.x_by_w + tau * self.x_by_s)

    def D(self, tau):
        """What the rows add to the mass once the oil is eliminated, cross terms of shared circuits and all."""
        return -tau * np.diag(self.by_w) - tau**2 * np.diag(self.by_s) - tau**2 * self.by_x @ self.response(tau)

    def matrix(self, tau, M, Phi, compliance):
        """The whole system of a stage for (u_q, u_v, u_x, τ λ): nothing eliminated.

        By design the engine leaves out what one row does to another through a shared circuit: a part of ∂λ/∂w.
        """
        A, n, nx, nc = self.A, len(M), len(self.x_by_x), len(Phi)
        one, zero = np.eye, np.zeros
        through = self.by_x @ self.response(tau)
        by_w = np.diag(self.by_w) - tau * (through - np.diag(np.diag(through)))
        return np.block([
            [one(n), -tau * one(n), zero((n, nx)), zero((n, nc))],
            [-tau * A.T @ np.diag(self.by_s) @ A, M - tau * A.T @ by_w @ A, -tau * A.T @ self.by_x, Phi.T],
            [-tau * self.x_by_s @ A, -tau * self.x_by_w @ A, one(nx) - tau * self.x_by_x, zero((nx, nc))],
            [zero((nc, n)), Phi, zero((nc, nx)), -np.diag(compliance)],
        ])  # fmt: skip


def solve(matrix, rhs):
    """Solve a system whose rows and columns differ by many powers of ten, refined once."""
    scale = 1.0 / np.maximum(np.abs(matrix).max(axis=1), 1e-300)
    scaled = matrix * scale[:, None]
    x = np.linalg.solve(scaled, rhs * scale)
    return x + np.linalg.solve(scaled, rhs * scale - scaled @ x)


def dense_step(planned, method, state, time, h):
    """One step from `state` in k-form, every stage one dense solve; returns the new q, v, x and the k of all stages."""
    alpha, Gamma, b = k_form(method)
    q0, v0, x0 = state
    n, nx, target = len(v0), len(x0), planned.work.rows.target
    k = [np.zeros((len(b), size)) for size in (n, n, nx)]
    tau = h * method.GAMMA
    target[:] = planned.motions_at(np.array([time]))[0]
    A = row_matrix(planned, state)
    first = rates(planned, state)
    M0, _, Phi0, _, _ = first
    tangent, compliance = Tangent(planned, A, h), planned.work.system.compliance.copy()
    matrix = tangent.matrix(tau, M0, Phi0, compliance)
    blocks = np.cumsum([n, n, nx])
    # slopes of the first three blocks with q, v, x: 1 − M⁻¹-free form of the matrix itself
    slopes = (np.block([[np.eye(n), np.zeros((n, n + nx))], [np.zeros((n, n)), M0, np.zeros((n, nx))],
                        [np.zeros((nx, 2 * n)), np.eye(nx)]]) - matrix[: blocks[2], : blocks[2]]) / tau  # fmt: skip

    a, lam = np.zeros(n), np.zeros(len(Phi0))
    for i in range(len(b)):
        u = [h * alpha[i, :i] @ values[:i] for values in k]
        here = (moved(planned, q0, u[0]), v0 + u[1], x0 + u[2])
        target[:] = planned.motions_at(np.array([time + alpha[i].sum() * h]))[0]
        M, force, Phi, gamma, x_dot = rates(planned, here) if i and method.FRESH[i] else first
        if i and method.FRESH[i]:
            # what the first stage's accelerations and multipliers lack to balance
            force = force - M @ a - Phi.T @ lam + M0 @ a
            gamma = gamma - Phi @ a + compliance * lam + Phi0 @ a
        before = np.concatenate([h * Gamma[i, :i] @ values[:i] for values in k])
        known = np.concatenate([increment_rate(planned, u[0], here[1]), force, x_dot]) + slopes @ before
        found = solve(matrix, np.concatenate([known, gamma]))
        k[0][i], k[1][i], k[2][i], multiplier = np.split(found, blocks)
        if i == 0:
            a, lam = k[1][0], multiplier
    u = [h * b @ values for values in k]
    return (moved(planned, q0, u[0]), v0 + u[1], x0 + u[2]), k
