# SPDX-License-Identifier: BSD-3-Clause
"""A synchronous machine with permanent magnets on a shaft: currents, torque and energy.

    L_d i̇_d = u_d − R i_d + p w L_q i_q,   L_q i̇_q = u_q − R i_q − p w (L_d i_d + ψ)     [Baharudin 2016, IV eq. 21, 22]
    T = 3/2 p (ψ i_q + (L_d − L_q) i_d i_q)                                              [IV eq. 23]

The numbers are ours, the paper prints none. Rank: closed form at a given speed (locked: exponentials of L/R; turning:
the matrix exponential; steady: two linear equations), and of what it turns into heat, 3/2 R i²; another program for the
machine that turns a shaft with a damper, its voltages stepping (SciPy's DOP853 at rtol 1e-12, one piece between steps).

Tolerances, as parts of the largest value. 1e-6 is asked for; RK4 at 0.05 ms is 3e-11 off, 1e-8 is asserted. At 1 ms
`realtime` is 5e-4 off (1.4e-3 in natural coordinates), `unified` 5e-3: after each jump of a voltage it begins with two
half steps of implicit Euler, whose error with R h/L = 0.1 is 1/(1 + 0.05)² − e^{−0.1} = 2.2e-3 of u/R. Orders are 4, 2
and 2 to 0.1 (0.2 in natural coordinates), asserted from 3.8 and 1.85. The audit closes to 2e-5 of the work at 1 ms.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import knuckleboom as kb
from knuckleboom.describe import JointName, Net, Part, param
from knuckleboom.machine import kinds

R, FLUX, PAIRS = 0.1, 0.1, 3.0
INERTIA, DAMPING = 0.05, 0.02
STEPS = {"explicit": 5e-5, "realtime": 1e-3, "unified": 1e-3}
VOLTAGES = [(0.0, -1.0, 10.0), (0.1, -6.0, 14.0), (0.2, 0.0, -5.0)]
"""From when on, u_d, u_q."""
END = 0.3
salient = pytest.mark.parametrize(("L_d", "L_q"), [(1e-3, 2e-3), (1.5e-3, 1.5e-3)], ids=["salient", "round"])
every_coupling = pytest.mark.parametrize("coupling", STEPS)


class RotorMachine(Part):
    """A machine on a joint, with two voltages as inputs."""

    joint: JointName = param("the joint of its shaft")
    inductance_d: float = param("inductance along the magnets, H")
    inductance_q: float = param("inductance across the magnets, H")

    def expand(self, net: Net) -> None:
        u_d, u_q = (
            net.input(unit="V", name=f"voltage_{axis}", meaning=f"voltage, axis {axis} of the rotor") for axis in "dq"
        )
        net.element(
            "rotor_currents", net.coordinate(self.joint, 0), voltage_d=u_d, voltage_q=u_q, resistance=R,
            inductance_d=self.inductance_d, inductance_q=self.inductance_q, flux=FLUX, pole_pairs=PAIRS,
        )  # fmt: skip


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The part exists for these tests only."""
    monkeypatch.setattr(kinds, "_kinds", dict(kinds.all_kinds()))
    kb.register(RotorMachine)


def shaft(L_d, L_q, speed=None, stiffness=0.0):
    """The machine on a shaft with a damper, or on one that is kept at a speed."""
    machine = kb.Machine("shaft", gravity=(0.0, 0.0, 0.0))
    rotor = machine.body("rotor", mass=1.0, inertia=(INERTIA, INERTIA, INERTIA))
    machine.revolute("bearing", machine.ground, rotor, speed=speed or 0.0)
    machine.rotor_machine("motor", "bearing", inductance_d=L_d, inductance_q=L_q)
    if speed is None:
        machine.joint_spring("load", "bearing", stiffness=stiffness, damping=DAMPING)
    else:
        machine.driver("drive", "bearing", speed=speed)
    return machine


def stepping(axis):
    """An input that steps as VOLTAGES do."""
    return kb.steps({row[0]: row[axis] for row in VOLTAGES})


def run_shaft(L_d, L_q, coupling, step, **words):
    inputs = {"motor.voltage_d": stepping(1), "motor.voltage_q": stepping(2)}
    return kb.simulate(
        shaft(L_d, L_q), END, step=step, record=5e-3, coupling=coupling, inputs=inputs, **words
    )  # fmt: skip


def rates(w, i, u, L_d, L_q):
    """i̇_d, i̇_q and the torque."""
    return (
        (u[0] - R * i[0] + PAIRS * w * L_q * i[1]) / L_d,
        (u[1] - R * i[1] - PAIRS * w * (L_d * i[0] + FLUX)) / L_q,
        1.5 * PAIRS * (FLUX * i[1] + (L_d - L_q) * i[0] * i[1]),
    )


def reference(times, L_d, L_q):
    """Currents, speed, torque, what it took from its supply and what became heat in it, by SciPy; a row each."""
    y, pieces = np.zeros(5), []
    begins = [row[0] for row in VOLTAGES]
    for begin, end, (_, *u) in zip(begins, [*begins[1:], END], VOLTAGES, strict=True):

        def slope(_, y, u=u):
            i_d, i_q, torque = rates(y[2], y[:2], u, L_d, L_q)
            return [i_d, i_q, (torque - DAMPING * y[2]) / INERTIA, 1.5 * (y[:2] @ u), 1.5 * R * (y[:2] @ y[:2])]

        found = solve_ivp(
            slope, (begin, end), y, method="DOP853", rtol=1e-12, atol=1e-14, dense_output=True, max_step=1e-3
        )  # fmt: skip
        y = found.y[:, -1]
        last = end == END
        pieces.append(found.sol(times[(times > begin - 1e-9) & (times < end + (1e-9 if last else -1e-9))]))
    i_d, i_q, w, supplied, heat = np.hstack(pieces)
    return np.array([i_d, i_q, w, rates(w, (i_d, i_q), (0.0, 0.0), L_d, L_q)[2], supplied, heat])


def motion(run):
    """The same of a run."""
    names = ("current_d", "current_q", "rate", "torque", "rotor_supplied", "dissipated")
    return np.array([run[f"motor.{name}"].values for name in names])


def errors(run, exact):
    """Of each the largest error, as a part of its largest value."""
    return np.abs(motion(run) - exact).max(axis=1) / np.abs(exact).max(axis=1)


TIMES = np.arange(0.0, END + 1e-4, 5e-3)


@salient
def test_currents_speed_and_torque(L_d, L_q):
    """Voltages step three times, the last time against the motion, so that it brakes."""
    exact = reference(TIMES, L_d, L_q)
    assert errors(run_shaft(L_d, L_q, "explicit", 5e-5), exact).max() < 1e-8
    assert exact[3].min() < 0.0 < exact[3].max()


@pytest.mark.parametrize("coordinates", ["reference-point", "natural"])
@pytest.mark.parametrize(("coupling", "bound"), [("explicit", 1e-8), ("realtime", 2e-3), ("unified", 6e-3)])
def test_in_other_coordinates(coupling, bound, coordinates):
    run = run_shaft(1e-3, 2e-3, coupling, STEPS[coupling], coordinates=coordinates)
    assert errors(run, reference(TIMES, 1e-3, 2e-3)).max() < bound


@salient
@pytest.mark.parametrize(
    ("coupling", "step", "bound", "least"),
    [
        ("explicit", 5e-4, 1e-6, 3.8),
        ("realtime", 1e-3, 6e-4, 1.85),
        ("unified", 1e-3, 6e-3, 1.85),
        ("cointegrated", 1e-3, 6e-3, 1.85),
    ],
)
def test_order(coupling, step, bound, least, L_d, L_q):
    exact = reference(TIMES, L_d, L_q)
    found = np.array([errors(run_shaft(L_d, L_q, coupling, step / part), exact)[:4] for part in (1, 2, 4)])
    assert found[0].max() < bound
    assert (np.log2(found[:-1]) - np.log2(found[1:])).min() > least, found


@every_coupling
@salient
def test_locked_rotor(L_d, L_q, coupling):
    """i_d = u_d/R (1 − e^{−R t/L_d}), i_q likewise."""
    step, bound = STEPS[coupling], {"explicit": 1e-9, "realtime": 2e-3, "unified": 3e-3}[coupling]
    inputs = {"motor.voltage_d": 2.0, "motor.voltage_q": -3.0}
    run = kb.simulate(shaft(L_d, L_q, 0.0), 0.05, step=step, record=1e-3, coupling=coupling, inputs=inputs)
    for name, u, L in (("current_d", 2.0, L_d), ("current_q", -3.0, L_q)):
        exact = u / R * (1.0 - np.exp(-R * run.time / L))
        assert run[f"motor.{name}"].values == pytest.approx(exact, abs=bound * abs(u / R))


@every_coupling
@salient
@pytest.mark.parametrize("speed", [40.0, -15.0])
def test_at_a_given_speed(speed, L_d, L_q, coupling):
    """Linear: i = (1 − e^{At}) i∞, R i∞ and p w ψ in balance with the voltages; then the torque of eq. 23."""
    step, u = STEPS[coupling], np.array([2.0, -3.0])
    inputs = {"motor.voltage_d": u[0], "motor.voltage_q": u[1]}
    run = kb.simulate(shaft(L_d, L_q, speed), 0.6, step=step, record=1e-2, coupling=coupling, inputs=inputs)
    turn = PAIRS * speed
    steady = np.linalg.solve([[R, -turn * L_q], [turn * L_d, R]], u - [0.0, turn * FLUX])
    A = np.array([[-R / L_d, turn * L_q / L_d], [-turn * L_d / L_q, -R / L_q]])
    exact = np.array([steady - expm(A * t) @ steady for t in run.time]).T
    found = motion(run)
    assert np.abs(found[:2] - exact).max() < (1e-7 if step < 1e-3 else 1e-2) * np.abs(exact).max()
    # once it is steady the step does not matter
    torque = 1.5 * PAIRS * (FLUX * steady[1] + (L_d - L_q) * steady[0] * steady[1])
    assert found[[0, 1, 3], -1] == pytest.approx([*steady, torque], rel=1e-8)


@salient
@pytest.mark.parametrize(("coupling", "bound"), [("explicit", 1e-9), ("realtime", 2e-5), ("unified", 4e-5)])
def test_energy(coupling, bound, L_d, L_q):
    """Supplied − work − Δstored = ∫ 3/2 R i²; work and stored energy by speed and currents at the end, too."""
    run = run_shaft(L_d, L_q, coupling, STEPS[coupling])
    exact = reference(TIMES, L_d, L_q)
    audit, heat = run.energy(), exact[5, -1]
    assert audit.dissipated["motor"] == pytest.approx(heat, rel=bound)
    assert audit.supplied["motor"] == pytest.approx(exact[4, -1], rel=bound)
    i_d, i_q, w = (run[f"motor.{name}"].values[-1] for name in ("current_d", "current_q", "rate"))
    stored = 0.75 * (L_d * i_d**2 + L_q * i_q**2)
    assert run["motor.rotor_stored"].values[-1] == pytest.approx(stored, rel=1e-12)
    left = exact[4, -1] - stored - 0.5 * INERTIA * w**2 - audit.dissipated["load"]
    assert left == pytest.approx(heat, rel=bound)
    assert audit.relative_residual < bound


# analyses


@salient
def test_slopes(L_d, L_q):
    """At rest without currents: the torque grows by 3/2 p ψ per ampere, i_q falls by p ψ/L_q per rad/s."""
    found = kb.linearise(shaft(L_d, L_q)).A
    order = ["bearing.angle", "bearing.angle_rate", "motor.current_d", "motor.current_q"]
    assert list(found.state.values) == order
    exact = [
        [0.0, 1.0, 0.0, 0.0],
        [0.0, -DAMPING / INERTIA, 0.0, 1.5 * PAIRS * FLUX / INERTIA],
        [0.0, 0.0, -R / L_d, 0.0],
        [0.0, -PAIRS * FLUX / L_q, 0.0, -R / L_q],
    ]
    assert found.values == pytest.approx(np.array(exact), rel=1e-6, abs=1e-6)


def test_equilibrium_without_voltages():
    """No current, no torque: the shaft rests where its spring does; without a spring anywhere."""
    state = kb.equilibrium(shaft(1e-3, 2e-3, stiffness=100.0))
    assert (state.stability, state["bearing.angle"], state["motor.torque"]) == ("stable", 0.0, 0.0)
    assert kb.equilibrium(shaft(1e-3, 2e-3)).stability == "indifferent"


def test_equilibrium_with_voltages():
    """Currents u/R, whose torque (eq. 23) turns the spring; without a spring nothing holds it."""
    L_d, L_q, stiffness, volts = 1e-3, 2e-3, 100.0, {"motor.voltage_d": -1.0, "motor.voltage_q": 10.0}
    i_d, i_q = -1.0 / R, 10.0 / R
    torque = 1.5 * PAIRS * (FLUX * i_q + (L_d - L_q) * i_d * i_q)
    state = kb.equilibrium(shaft(L_d, L_q, stiffness=stiffness), inputs=volts)
    assert state.stability == "stable"
    assert state["motor.current_d"] == pytest.approx(i_d) and state["motor.current_q"] == pytest.approx(i_q)
    assert state["bearing.angle"] == pytest.approx(torque / stiffness)
    with pytest.raises(kb.AnalysisError, match="bearing"):
        kb.equilibrium(shaft(L_d, L_q), inputs=volts)
