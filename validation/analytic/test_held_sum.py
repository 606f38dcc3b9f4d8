# SPDX-License-Identifier: BSD-3-Clause
"""Held sums: a differential, a planetary gear and a junction of columns of oil without a volume.

Rank: closed form for constant torques; for the junction an independent formulation, the flows with the pressure that
eliminates one of them, by SciPy. Parabolas are exact but for rounding and the regularised multiplier, 1e-8; implicit
steps of order 2 follow the flows to 1e-4.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb

COUPLINGS = ("explicit", "unified", "realtime")
COORDINATES = ("relative", "reference-point", "natural")
every_coupling = pytest.mark.parametrize("coupling", COUPLINGS)
every_coordinates = pytest.mark.parametrize("coordinates", COORDINATES)


def accelerations(inertias, torques, coefficients):
    """J·α + c·λ = T, c·α = 0."""
    n = len(inertias)
    matrix = np.block([[np.diag(inertias), np.array([coefficients]).T], [np.array([coefficients]), np.zeros((1, 1))]])
    found = np.linalg.solve(matrix, [*torques, 0.0])
    return found[:n], found[n]


@every_coordinates
@every_coupling
def test_differential(coupling, coordinates):
    """An effort on the cage, sides of unlike inertia: each gets half the torque, their mean is the cage's speed."""
    inertias, effort, coefficients = (0.3, 0.1, 0.2), 5.0, (1.0, -0.5, -0.5)
    m = kb.Machine("differential")
    m.revolute("axle", m.ground, m.body("wheel", mass=2.0, inertia=(inertias[0],) * 3), axis="y")
    m.shaft_of("cage", "axle")
    m.effort("push", "axle", value=effort)
    m.shaft("left", inertias[1])
    m.shaft("right", inertias[2])
    m.held_sum("it", dict(zip(("cage", "left", "right"), coefficients, strict=True)))
    run = kb.simulate(m, 1.0, step=1e-3, record=0.1, coupling=coupling, coordinates=coordinates)

    within = 1e-12 if coordinates != "natural" else {"explicit": 1e-7, "unified": 1e-4, "realtime": 1e-4}[coupling]
    rates, multiplier = accelerations(inertias, (effort, 0.0, 0.0), coefficients)
    for path, rate in zip(("axle.angle_rate", "left.speed", "right.speed"), rates, strict=True):
        assert run[path].values == pytest.approx(rate * run.time, abs=within * rate + 1e-12)
    assert run["it.multiplier"].values[-1] == pytest.approx(multiplier, rel=max(20.0 * within, 1e-9))
    assert 0.5 * multiplier == pytest.approx(inertias[1] * rates[1]) == pytest.approx(inertias[2] * rates[2])
    assert np.abs(run["it.residual"].values).max() < max(within, 1e-9)


def test_planetary_gear():
    """Willis: z_s·ω_s + z_r·ω_r = (z_s + z_r)·ω_c. A ring that is hardly held turns the carrier by z_s/(z_s + z_r)."""
    sun, ring = 20.0, 60.0
    m = kb.Machine("planetary")
    m.shaft("sun", 0.01, speed=40.0)
    m.shaft("ring", 0.5, speed=0.0)
    m.shaft("carrier", 0.1)
    m.held_sum("it", {"sun": sun, "ring": ring, "carrier": -sun - ring})
    m.shaft_spring("brake", "ring", damping=1e4)
    m.shaft_spring("load", "carrier", damping=0.5)
    run = kb.simulate(m, 0.2, step=2e-5, record=0.01)
    assert run["carrier.speed"].values[0] == pytest.approx(10.0, rel=1e-9)
    # reduced to the sun: J_s + J_c/16, and the drag of the load over 16
    decay = 0.5 / 16.0 / (0.01 + 0.1 / 16.0)
    assert run["sun.speed"].values == pytest.approx(40.0 * np.exp(-decay * run.time), rel=1e-3)
    assert np.abs(run["ring.speed"].values).max() < 1e-2


@every_coordinates
@every_coupling
def test_junction_of_columns(coupling, coordinates):
    """One column in, two out, without a volume between them: the multiplier is the pressure of the junction."""
    density, area = 860.0, 2e-4
    lengths, drops = np.array([5.0, 3.0, 8.0]), np.array([2e5, 1e5, 4e5])  # of 1 l/s
    ends = np.array([30e5, 10e5, 4e5])
    m = kb.Machine("junction")
    oil = m.oil("oil", {"law": "constant", "density": density, "bulk": 1.4e9})
    source, low, lower = (oil.pressure(name, value) for name, value in zip(("p", "l", "m"), ends, strict=True))
    sizes = [{"length": one, "area": area, "turbulent": (1e-3, drop)} for one, drop in zip(lengths, drops, strict=True)]
    oil.oil_column("into", a=source, **sizes[0])
    oil.oil_column("one", b=low, **sizes[1])
    oil.oil_column("other", b=lower, **sizes[2])
    m.held_sum("tee", {"into": 1.0, "one": -1.0, "other": -1.0})
    run = kb.simulate(m, 0.2, step=2.5e-4, record=1e-2, coupling=coupling, coordinates=coordinates)

    L, R = density * lengths / area, drops / 1e-3**2

    def pressure(flows):
        """That with which the rates of the three flows add up to zero."""
        pushes = ends - np.array([1.0, -1.0, -1.0]) * R * flows * np.abs(flows)
        return np.sum(pushes / L) / np.sum(1.0 / L)

    def rates(_, out):
        flows = np.array([out.sum(), *out])
        return (pressure(flows) - ends[1:] - R[1:] * out * np.abs(out)) / L[1:]

    known = solve_ivp(rates, (0.0, 0.2), np.zeros(2), t_eval=run.time, rtol=1e-10, atol=1e-14).y
    tolerance = {"explicit": 1e-7}.get(coupling, 2e-4)
    for name, flow in zip(("one", "other", "into"), (*known, known.sum(axis=0)), strict=True):
        assert run[f"{name}.flow"].values == pytest.approx(flow, abs=tolerance * known.max())
    found = run["tee.multiplier"].values + m.ambient
    wanted = [pressure(np.array([sum(flows), *flows])) for flows in known.T]
    assert found[1:] == pytest.approx(wanted[1:], rel={"explicit": 1e-6}.get(coupling, 2e-3))
    assert run.names["tee.multiplier"].unit == "Pa"
    assert abs(run.energy().residual) < {"explicit": 1e-7}.get(coupling, 1e-4) * run.energy().work_done


def test_a_value_is_reached_at_the_start_and_held():
    m = kb.Machine("phase")
    for name, speed in (("one", 10.0), ("two", 10.0)):
        m.shaft(name, 0.2, speed=speed)
    m.held_sum("phase", {"one": 1.0, "two": -1.0}, value=0.5)
    m.shaft_spring("load", "one", damping=0.3)
    run = kb.simulate(m, 0.5, step=1e-3)
    assert run["one.angle"].values - run["two.angle"].values == pytest.approx(0.5, abs=1e-9)


def test_a_sum_twice_is_named_and_its_multipliers_shared():
    m = kb.Machine("twice")
    for name in ("one", "two"):
        m.shaft(name, 0.2, speed=10.0)
    for name in ("first", "second"):
        m.held_sum(name, {"one": 1.0, "two": -1.0})
    m.shaft_spring("load", "one", damping=0.4)
    planned = kb.build(m)
    assert [row.part for row in planned.redundant] == ["second"]
    run = kb.simulate(m, 0.5, step=1e-3, record=0.1)
    assert run["two.speed"].values == pytest.approx(10.0 * np.exp(-run.time), rel=1e-6)
