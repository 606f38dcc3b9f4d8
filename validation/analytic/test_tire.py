# SPDX-License-Identifier: BSD-3-Clause
"""Tires: slip curve, relaxation, standstill, stopping, launching, cornering, camber, rolling resistance, creep, energy.

    steady        F/N = μ (1 − (1 − e⁻ˣ)/x) + σ₂ w,   x = σ₀ L w/(μ u);   ½ σ₀ L s at small slip, μ + σ₂ w when locked
    relaxation    1 − e^(−2ℓ/L) after a way ℓ of small slip
    standstill    z = tan α/σ₀ on a slope of α;   stop from v with locked wheels v²/(2 μ g)
    wheel         M v̇ = F,  I ω̇ = T − F ρ,  ż = w − c z,  w = v − ω ρ, ρ the loaded radius, with the exact κ   SciPy

Rank: closed form; the wheel: second formulation, by SciPy to 1e-10. Four wheels: closed forms of statics and
kinematics.

Tolerances. Slip curve 1e-3 of the load, as asked: the fit of κ is 4e-4. The wheel at 1 ms: 1e-4 of the way.
Wheel loads 1e-6: the lean counts to first order.
A vehicle on 10 % of slope creeps at most 0.01 mm, with a load that moves 1 mm; `bench contact` has the whole 600 s.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb
from analytic.couplings import touching_couplings
from knuckleboom.bench.vehicle import (
    BASE,
    CHASSIS,
    HEIGHT,
    INERTIA,
    LOAD,
    LOADED,
    RADIUS,
    TRACK,
    WHEEL,
    WHEELS,
    four_wheels,
    rig,
)  # fmt: skip

G, N = 9.81, 30e3
MU, RISE, STRIBECK, CORNERING, PATCH, HOLD = 0.6, 1.25, 2.0, 22.5, 0.45, 0.2
SIGMA = 2.0 * CORNERING / PATCH
"""1/m: 100."""
DAMPING = 2.0 * 0.15 * math.sqrt(SIGMA / G)
LAW = {
    "friction": MU, "breakaway": MU * RISE, "stribeck_speed": STRIBECK, "cornering": CORNERING, "patch": PATCH,
    "viscous": 0.002, "hold_speed": HOLD,
}  # fmt: skip
SOFT = {"friction": 0.7, "breakaway": 0.7, "cornering": 5.5, "patch": PATCH}
"""Much like a forestry tire: σ₀ = 24/m."""


def mu_of(v, mu=MU):
    return mu * (1.0 + (RISE - 1.0) * math.exp(-((v / STRIBECK) ** 2)))


def steady(w, u, mu=MU, sigma=SIGMA):
    """F/N of a steady slip speed w along one direction."""
    x = sigma * PATCH * abs(w) / (mu_of(w, mu) * u)
    return math.copysign(mu_of(w, mu) * (1.0 - (1.0 - math.exp(-x)) / x), w) + 0.002 * w


# --- one wheel --------------------------------------------------------------------------------------------------------


def towed(u, w, span=0.6, coupling="realtime", **more):
    """The end of a run at the rolling speed u with the slip speed w along."""
    run = kb.simulate(rig(driven=(u + w, u), **(LAW | more)), span, step="1 ms", coupling=coupling)
    return {name: float(run[f"tire.{name}"].values[-1]) for name in ("longitudinal_force", "normal_force", "slip")}


@touching_couplings
@pytest.mark.parametrize("slip", [0.002, 0.01, 0.03, 0.1, 0.3, 1.0, -0.03, -0.3])
def test_the_slip_curve_is_the_closed_form(slip, coupling):
    u = 5.0

    found = towed(u, -slip * u, coupling=coupling)

    assert found["normal_force"] == pytest.approx(N, rel=1e-6)
    assert found["longitudinal_force"] / N == pytest.approx(-steady(-slip * u, u), abs=1e-3)
    assert found["slip"] == pytest.approx(slip if slip > 0 else slip / (1 - slip), rel=1e-6)


@touching_couplings
def test_small_slip_is_half_the_stiffness_times_the_patch(coupling):
    u, slip = 5.0, 2e-4

    found = towed(u, -slip * u, coupling=coupling)
    assert found["longitudinal_force"] / N == pytest.approx(0.5 * SIGMA * PATCH * slip, rel=1e-2)


@touching_couplings
def test_force_builds_up_over_the_relaxation_length(coupling):
    u, slip = 5.0, 1e-4
    run = kb.simulate(rig(driven=(u * (1 - slip), u), **LAW), "0.4 s", step="0.5 ms", coupling=coupling)

    force, way = run["tire.longitudinal_force"].values, u * run.time
    bend = run["tire.bend_along_1"].values
    assert bend / bend[-1] == pytest.approx(1.0 - np.exp(-2.0 * way / PATCH), abs=5e-3)
    assert force[-1] / N == pytest.approx(0.5 * SIGMA * PATCH * slip, rel=1e-2)


@touching_couplings
@pytest.mark.parametrize("v", [0.5, 3.0])
def test_a_locked_wheel_has_full_friction(v, coupling):
    run = kb.simulate(rig(driven=(v, 0.0), **LAW), "0.6 s", step="1 ms", coupling=coupling)

    assert run["tire.longitudinal_force"].values[-1] / N == pytest.approx(-(mu_of(v) + 0.002 * v), abs=1e-5)
    assert run["tire.slip"].values[-1] == -1.0


@touching_couplings
@pytest.mark.parametrize("degrees", [0.5, 2.0, 10.0, 30.0])
def test_the_slip_angle_has_the_same_curve_across(degrees, coupling):
    """The wheel heads off by an angle and rolls: its slip across is v sin α, no slip along."""
    v, angle = 5.0, math.radians(degrees)
    u = v * math.cos(angle)
    run = kb.simulate(yawed(angle, v, u), "1 s", step="1 ms", coupling=coupling)

    across = float(run["tire.lateral_force"].values[-1])
    assert across / N == pytest.approx(-steady(v * math.sin(angle), u, mu=0.5), abs=1e-3)
    assert run["tire.slip_angle"].values[-1] == pytest.approx(angle, rel=1e-6)
    assert abs(run["tire.longitudinal_force"].values[-1]) < 1e-3 * N


def yawed(angle, ahead, rim):
    """The rig with the wheel turned to its right by an angle; friction across is less."""
    m = kb.Machine("rig")
    m.terrain("floor")
    axis = (math.sin(angle), math.cos(angle), 0.0)
    cart, leg = m.body("cart", mass=1.0, inertia=(1, 1, 1)), m.body("leg", mass=N / G - 300.0, inertia=(1, 1, 1))
    wheel = m.body("wheel", mass=300.0, inertia=(60, 60, 60))
    m.prismatic("carriage", m.ground, cart, axis="x", speed=ahead)
    m.prismatic("lift", cart, leg, axis="z", start=LOADED)
    m.revolute("axle", leg, wheel, axis=axis, speed=rim / LOADED)
    m.driver("tow", "carriage", speed=ahead)
    m.driver("turn", "axle", speed=rim / LOADED)
    settings = LAW | {"lateral_friction": 0.5, "rolling_resistance": 0.0, "load": N, "discs": 1}
    m.tire("tire", wheel, radius=RADIUS, width=0.6, axle=axis, **settings)
    return m


@touching_couplings
@pytest.mark.parametrize("degrees", [0.0, 30.0, 60.0, 90.0])
def test_a_locked_wheel_slides_on_the_ellipse(degrees, coupling):
    v, angle = 3.0, math.radians(degrees)
    run = kb.simulate(yawed(angle, v, 0.0), "0.6 s", step="1 ms", coupling=coupling)

    along, across = (float(run[f"tire.{name}_force"].values[-1]) / N for name in ("longitudinal", "lateral"))
    w1, w2 = v * math.cos(angle), v * math.sin(angle)
    m = math.hypot(mu_of(v) * w1, mu_of(v, 0.5) * w2)
    assert along == pytest.approx(-(mu_of(v) ** 2 * w1 / m + 0.002 * w1), abs=1e-5)
    assert across == pytest.approx(-(mu_of(v, 0.5) ** 2 * w2 / m + 0.002 * w2), abs=1e-5)


@touching_couplings
def test_at_standstill_it_bends_as_the_slope_says(coupling):
    slope = math.radians(6.0)
    machine = rig(terrain={"slope": slope}, drop=False, **LAW)
    machine.driver("lock", "axle")

    run = kb.simulate(machine, "20 s", step="2 ms", coupling=coupling)

    bend = run["tire.bend_along_1"].values
    assert abs(bend[-1]) == pytest.approx(math.tan(slope) / SIGMA, rel=1e-4)
    assert abs(bend[-1] - bend[-5]) < 1e-9


def wheel_by_scipy(span, torque, speed, law):
    """Speed and way of the rig's wheel, by the same equations with the exact κ."""
    mu, rise, stribeck, sigma = law["friction"], law["breakaway"] / law["friction"], law["stribeck"], law["sigma"]
    damping, mass = 2.0 * 0.15 * math.sqrt(sigma / G), N / G + 1.0

    def rates(t, y):
        _, v, omega, z = y
        w, u = v - omega * LOADED, abs(omega) * LOADED
        fall = math.exp(-((w / stribeck) ** 2))
        limit = mu * (1.0 + (rise - 1.0) * fall)
        fade = 1.0 / (1.0 + ((w * w + u * u) / HOLD**2) ** 2)
        r = min(max((sigma * abs(z) / limit - 0.9) / 0.1, 0.0), 1.0)
        held = 1.0 - fade * (1.0 - r * r * (3.0 - 2.0 * r))
        slips = sigma * abs(w) / limit
        x = slips * PATCH / max(u, 1e-12)
        kappa = 2.0 - x / 3.0 if x < 1e-6 else -math.expm1(-x) / (1.0 + math.expm1(-x) / x)
        fourth = (u / HOLD) ** 4
        rate = w - (held * slips + kappa * u * fourth / (1.0 + fourth) / PATCH) * z
        force = -N * (sigma * z + damping * fall * rate)
        return v, force / mass, (torque(t) - force * LOADED) / INERTIA, rate

    start = (0.0, speed, speed / LOADED, 0.0)
    found = solve_ivp(rates, (0.0, span), start, method="LSODA", rtol=1e-10, atol=1e-12, max_step=0.01)
    return found.y[:, -1]


SCIPY_LAW = {"friction": 0.7, "breakaway": 0.7, "stribeck": 3.0, "sigma": 2 * 5.5 / PATCH}


def ridden(span, torque, speed, step, coupling):
    """Way, speed, rate and bend of the rig's wheel at the end."""
    machine = rig(speed=speed, hold_speed=HOLD, **SOFT)
    machine.effort("drive", "axle")
    sim = kb.Simulation(machine, step=step, coupling=coupling, inputs={"drive": torque})
    sim.run_for(span)
    names = ("carriage.travel", "carriage.travel_rate", "axle.angle_rate", "tire.bend_along_1")
    return np.array([float(sim[name]) for name in names])


def off(span, torque, speed, step, coupling):
    """How far way, speed, rate and bend are from those of SciPy at the end, over what the wheel does."""
    exact = wheel_by_scipy(span, lambda t: torque, speed, SCIPY_LAW)
    return np.abs(ridden(span, torque, speed, step, coupling) - exact) / (5.0, 5.0, 5.0, 0.02)


CASES = {"launched": (1.5, 3e3, 0.0), "braked": (0.8, -3e3, 10.0), "spun": (0.8, 15e3, 5.0)}


@touching_couplings
@pytest.mark.parametrize("case", ["launched", "braked", "spun"])
def test_a_wheel_is_moved_by_a_torque_as_scipy_says(case, coupling):
    assert off(*CASES[case], "1 ms", coupling).max() < 1e-4


@touching_couplings
@pytest.mark.parametrize("case", ["launched", "braked", "spun"])
def test_steps_are_of_order_two(case, coupling):
    """Halves of 4 ms, with the fit of κ taken away: against steps of 0.25 ms."""
    fine = ridden(*CASES[case], "0.25 ms", coupling)
    wide, narrow = (np.abs(ridden(*CASES[case], step, coupling) - fine)[:3].max() for step in ("4 ms", "2 ms"))

    assert wide / narrow > 3.0


@touching_couplings
@pytest.mark.parametrize("v", [10.0, 15.0])
def test_locked_wheels_stop_it_after_the_closed_way(v, coupling):
    """m v²/(2 μ N), and further by μ/σ₀: bristles that slip reach μ N as 1 − e^(−σ₀ x/μ) over the way x, and that lacks
    μ N times μ/σ₀ in all; σ₁ has faded at such speeds. Then it swings back on its bristles.
    """
    machine = rig(driven=None, speed=v, **SOFT)
    machine.driver("lock", "axle")
    run = kb.simulate(machine, v / (0.7 * G) + 5.0, step="1 ms", coupling=coupling)

    bend, way = 0.7 / SCIPY_LAW["sigma"], (N / G + 1.0) * v**2 / (2 * 0.7 * N)
    assert run["carriage.travel"].values.max() == pytest.approx(way + bend, rel=1e-4)
    assert abs(run["carriage.travel_rate"].values[-1]) < 1e-5


@touching_couplings
def test_rolling_resistance_slows_it_down_and_holds_it(coupling):
    """(M + I/ρ²) v̇ = −f r N/ρ; on a slope below f r/ρ it stays."""
    f, v = 0.02, 3.0
    run = kb.simulate(rig(speed=v, **(SOFT | {"rolling_resistance": f})), "2 s", step="1 ms", coupling=coupling)

    speed, time = run["carriage.travel_rate"].values, run.time
    late = time > 0.5
    slowing = f * RADIUS * N / LOADED / (N / G + 1.0 + INERTIA / LOADED**2)
    assert -np.polyfit(time[late], speed[late], 1)[0] == pytest.approx(slowing, rel=2e-3)
    assert run["tire.rolling_torque"].values[-1] == pytest.approx(-f * RADIUS * N, rel=1e-3)

    held = rig(terrain={"slope": 0.01}, **(SOFT | {"rolling_resistance": f}))
    rests = kb.simulate(held, "60 s", step="1 ms", coupling=coupling)
    where = rests["carriage.travel"].at(40.0)
    assert abs(rests["carriage.travel"].values[-1] - where) < 1e-8


@touching_couplings
@pytest.mark.parametrize("degrees", [0.0, 3.0, -6.0])
def test_camber_presses_one_side_deeper(degrees, coupling):
    """Discs at o along the axle are r cos γ − C_z − o sin γ deep: the force and the moment are their sums."""
    lean, width, discs, deep = math.radians(degrees), 0.6, 3, 0.06
    m = kb.Machine("camber")
    m.terrain("floor")
    post, wheel = m.body("post", mass=1.0, inertia=(1, 1, 1)), m.body("wheel", mass=1.0, inertia=(1, 1, 1))
    m.fixed("base", m.ground.at(0, 0, RADIUS - deep, rpy=(lean, 0, 0)), post)
    m.revolute("axle", post, wheel, axis="y")
    m.tire("tire", wheel, radius=RADIUS, width=width, stiffness=5e5, discs=discs)

    run = kb.simulate(m, "1 ms", step="1 ms", coupling=coupling)

    places = width / math.sqrt(8.0) * np.array([-1.0, 0.0, 1.0])
    depths = np.maximum(RADIUS * math.cos(lean) - (RADIUS - deep) - places * math.sin(lean), 0.0)
    forces = 5e5 / discs * depths
    assert run["tire.normal_force"].values[0] == pytest.approx(forces.sum(), rel=1e-9)
    assert run["tire.deflection"].values[0] == pytest.approx(depths.max(), rel=1e-9)
    # about the wheel's centre, along the heading: each force at its own place
    arms = places * math.cos(lean) + RADIUS * math.sin(lean)
    assert run["axle.reaction_moment"].values[0, 0] == pytest.approx(-(forces @ arms), rel=1e-6, abs=1e-6)


def test_the_rim_is_ten_times_as_stiff():
    k, rim = 1e5, 0.35 * RADIUS
    found = []
    for deep in (0.9 * rim, 1.1 * rim):
        m = kb.Machine("pressed")
        m.terrain("floor")
        wheel = m.body("wheel", mass=1.0, inertia=(1, 1, 1))
        m.revolute("axle", m.ground.at(0, 0, RADIUS - deep), wheel, axis="y")
        m.tire("tire", wheel, radius=RADIUS, width=0.5, stiffness=k)
        found.append(kb.simulate(m, "1 ms", step="1 ms")["tire.normal_force"].values[0])

    assert found == pytest.approx([k * 0.9 * rim, k * (1.1 * rim + 9 * 0.1 * rim)], rel=1e-9)


@touching_couplings
def test_a_wheel_on_its_side_comes_to_rest_on_its_side(coupling):
    m = kb.Machine("lying")
    m.terrain("floor")
    wheel = m.body("wheel", mass=300.0, inertia=(40, 60, 40))
    m.free("f", m.ground, wheel, start=(0, 0, 0.3, math.pi / 2 - 0.005, 0, 0), speed=(1, 0, 0, 0, 0, 0))
    m.tire("tire", wheel, radius=RADIUS, width=0.5, load="20 kN")
    m.contact("hub", wheel, box=(0.5, 0.5, 0.3), friction=0.6, restitution=0.1)

    run = kb.simulate(m, "6 s", step="1 ms", coupling=coupling)

    assert np.isfinite(run["f.position"].values).all()
    assert np.linalg.norm(run["f.velocity"].values[-1]) < 1e-2
    assert abs(run["energy.residual"].values[-1]) < 5e-3 * 300 * G * 0.5


@touching_couplings
def test_the_published_law_has_full_friction_at_any_steady_slip(coupling):
    for slip in (0.005, 0.1):
        w = -slip * 5.0
        g = MU * (1.0 + (RISE - 1.0) * math.exp(-math.sqrt(abs(w) / STRIBECK)))

        found = towed(5.0, w, span=3.0, law="published", coupling=coupling)

        assert found["longitudinal_force"] / N == pytest.approx(g - 0.002 * w, rel=1e-3)


# --- four wheels ------------------------------------------------------------------------------------------------------


ENDS = ("front", "rear")


@touching_couplings
def test_wheel_loads_are_those_of_statics(coupling):
    """Loaded ahead and to the left: forces and both moments, where it has leaned to; and that of four equal springs.

    A lean φ to the left moves the centre by φ h, h its height above the feet, when unloaded: for a disc that leans
    stands on a point beside its middle. A pitch moves it by its height above the hubs, below which discs stand. So the
    moments of the springs, k track² φ and k base² θ, are those of the level vehicle over 1 − m g h/(k track²) and
    1 − m g h'/(k base²). It swings on its bristles: levers are off by 30 μm after 10 s, by 0.04 μm after 20 s.
    """
    m = four_wheels(braked=True, steer=None, rolling_resistance=0.0, discs=1)
    ore = m.body("ore", mass=2000.0, inertia=(1, 1, 1))
    m.fixed("loaded", "chassis", ore, at=(0.75, 0.25, 0.5))

    run = kb.simulate(m, "20 s", step="1 ms", coupling=coupling)

    mass = {"chassis": CHASSIS, "ore": 2000.0} | {f"wheel_{name}": WHEEL for name in WHEELS}
    weight = sum(mass.values()) * G
    load = {name: float(run[f"{name}.normal_force"].values[-1]) for name in WHEELS}
    assert sum(load.values()) == pytest.approx(weight, rel=1e-7)
    middle = {name: run[f"wheel_{name}.position"].values[-1] for name in WHEELS}
    lean = (middle["front_left"][2] - middle["front_right"][2]) / TRACK
    for axis, shift in ((0, 0.0), (1, lean)):
        carried = sum(load[name] * (middle[name][axis] + shift * RADIUS) for name in WHEELS)
        weighs = sum(one * G * run[f"{name}.position"].values[-1, axis] for name, one in mass.items())
        assert carried / weight == pytest.approx(weighs / weight, abs=1e-7)
    height = (CHASSIS * HEIGHT + 2000.0 * (HEIGHT + 0.5) + 4 * WHEEL * RADIUS) * G / weight
    stiffness = LOAD / (RADIUS - LOADED)
    pitched = 1.0 - weight * (height - RADIUS) / (stiffness * BASE**2)
    leaned = 1.0 - weight * height / (stiffness * TRACK**2)
    for name, found in load.items():
        ahead = 0.75 if name.startswith("front") else -0.75
        left = 0.25 if name.endswith("left") else -0.25
        exact = LOAD + 2000.0 * G * (0.25 + ahead / (2 * BASE * pitched) + left / (2 * TRACK * leaned))
        assert found == pytest.approx(exact, rel=1e-6)


def test_equilibrium_finds_the_wheel_loads():
    found = kb.equilibrium(four_wheels(braked=True, steer=None))

    for name in WHEELS:
        assert found[f"{name}.normal_force"] == pytest.approx(LOAD, rel=1e-9)
        assert found[f"{name}.deflection"] == pytest.approx(0.06, rel=1e-9)


@touching_couplings
def test_slow_cornering_is_about_one_point(coupling):
    """Thin wheels that all head about one point on the rear axle turn about it: R = base/tan δ."""
    radius = 8.0
    steer = {
        f"front_{side}": math.atan2(BASE, radius - y) for side, y in (("left", TRACK / 2), ("right", -TRACK / 2))
    }
    machine = four_wheels(speed=1.0, steer=steer, rolling_resistance=0.0, discs=1, **SOFT)

    run = kb.simulate(machine, "8 s", step="1 ms", coupling=coupling)

    speed, turn = run["frame.velocity"].values, run["frame.angular_velocity"].values[:, 2]
    late = run.time > 4.0
    # of the middle, half a base ahead of the rear axle
    found = np.hypot(speed[late, 0], speed[late, 1]) / turn[late]
    assert found.mean() == pytest.approx(math.hypot(radius, BASE / 2), rel=1e-2)


@touching_couplings
def test_split_friction_turns_it_to_the_side_that_grips(coupling):
    """All wheels locked: μ m g (1 + s)/2 and a moment μ m g (1 − s) track/4, s the friction of the left side."""
    s, mu = 0.3, 0.7
    machine = four_wheels(
        speed=8.0, terrain={"areas": [{"corners": [(-50, 0), (50, 50)], "friction_factor": s}]}, steer=None,
        rolling_resistance=0.0, **SOFT,
    )  # fmt: skip
    for name in WHEELS:
        machine.driver(f"lock_{name}", f"axle_{name}")

    run = kb.simulate(machine, "0.5 s", step="0.5 ms", coupling=coupling)

    left, right = (sum(run[f"{end}_{side}.longitudinal_force"].values for end in ENDS) for side in ("left", "right"))
    carried = [sum(run[f"{end}_{side}.normal_force"].values for end in ENDS) for side in ("left", "right")]
    late = run.time > 0.2
    assert -left[late] == pytest.approx(s * mu * carried[0][late], rel=2e-2)
    assert -right[late] == pytest.approx(mu * carried[1][late], rel=2e-2)
    across = {end: sum(run[f"{end}_{side}.lateral_force"].values for side in ("left", "right")) for end in ENDS}
    moment = (right - left) * TRACK / 2 + (across["front"] - across["rear"]) * BASE / 2
    inertia = 1e4 + 4 * (0.6 * INERTIA + WHEEL * ((BASE / 2) ** 2 + (TRACK / 2) ** 2))
    turn = run["frame.angular_velocity"].values[:, 2]
    assert turn[-1] == pytest.approx(np.trapezoid(moment, run.time) / inertia, rel=1e-2)
    assert turn[-1] < -0.3


def test_steps_of_a_vehicle_are_of_order_two():
    """Against explicit steps of 0.1 ms."""
    inputs = {f"drive_{name}": 1500.0 for name in WHEELS}

    def where(step, **words):
        machine = four_wheels(speed=4.0, steer=0.1)
        return kb.simulate(machine, "1 s", step=step, inputs=inputs, **words)["frame.position"].values[-1]

    fine = where("0.1 ms", coupling="explicit")
    wide, narrow = (np.abs(where(step) - fine).max() for step in ("4 ms", "2 ms"))
    assert wide < 1e-5
    assert wide / narrow > 3.5


TILT = math.atan(0.1)


def test_it_does_not_creep_on_a_slope():
    run = kb.simulate(four_wheels(braked=True, slope=TILT, steer=None), "70 s", step="1 ms", record="10 ms")

    where = run["frame.position"].values
    settled = np.searchsorted(run.time, 20.0)
    assert np.abs(where[settled:] - where[settled]).max() < 1e-5


def test_it_hardly_creeps_while_a_load_moves():
    m = four_wheels(braked=True, slope=TILT, steer=None)
    load = m.body("load", mass=500.0, inertia=(10, 10, 10))
    m.prismatic("boom", "chassis", load, axis="x", at=(0, 0, 1.0))
    m.driver("swing", "boom", amplitude=0.5, frequency=0.5)

    run = kb.simulate(m, "120 s", step="1 ms", record="2 s")

    where = run["frame.position"].values
    assert np.abs(where[-1] - where[10]).max() < 1e-3 / 6.0


@touching_couplings
def test_energy_adds_up_over_rough_ground(coupling):
    heights = 0.08 * np.random.default_rng(3).normal(size=(41, 21))
    terrain = {"heights": heights, "spacing": 0.5, "at": (-4, -5, 0)}
    machine = four_wheels(speed=4.0, steer=0.1, terrain=terrain, start=(0, 0, 1.1, 0, 0, 0))
    inputs = {f"drive_{name}": 1500.0 for name in WHEELS}

    run = kb.simulate(machine, "3 s", step="1 ms", coupling=coupling, inputs=inputs)

    audit = run.energy()
    moved = sum(abs(value) for value in audit.applied.values()) + 0.5 * (CHASSIS + 4 * WHEEL) * 16.0
    assert abs(audit.residual) < 1e-4 * moved
    assert set(WHEELS) <= set(audit.dissipated)
    for name in WHEELS:
        parts = [run[f"{name}.{part}_work"].values[-1] for part in ("normal", "friction", "rolling")]
        assert run[f"{name}.work"].values[-1] == pytest.approx(sum(parts), rel=1e-9)
