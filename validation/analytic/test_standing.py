# SPDX-License-Identifier: BSD-3-Clause
"""How machines stand, by statics: loads of wheels, friction on a slope, limits of sliding and tipping, modes on tires.

Closed forms of rigid bodies on points, with the deflected pose where that matters; for the modes a model of three
coordinates that is written here by hand.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analysis.test_standing import crane, crate
from knuckleboom.bench.vehicle import BASE, CHASSIS, HEIGHT, INERTIA, LOAD, RADIUS, WHEEL, WHEELS, four_wheels
from knuckleboom.interface.parts.tire import PRESLIDING

G = 9.81
EXACT = 1e-6


@pytest.mark.parametrize("slope", [0.0, 0.1, 0.3])
def test_wheel_loads_on_a_slope(slope):
    """N of an axle by the moment about the other contact line: W (b/2 cos α ∓ h sin α)/b, h that of the whole.

    Rolling resistance, a torque about the axles, is taken as found: a part of r f of the load, as one that acts ahead.
    """
    m = four_wheels(slope=slope, steer=None, braked=True)
    state = kb.equilibrium(m)
    mass, centre = masses(m, state)
    # lines of contact: below the axles, along the ground's normal, which is z
    front, rear = (state[f"wheel_{end}_left.position"][0] for end in ("front", "rear"))
    weight, height = mass * G, centre[2]
    base = front - rear
    rolling = sum(state[f"{name}.rolling_torque"] for name in WHEELS)
    on_front = (weight * (math.cos(slope) * (centre[0] - rear) - math.sin(slope) * height) + rolling) / base
    on_rear = weight * math.cos(slope) - on_front
    for name in WHEELS:
        expected = 0.5 * (on_front if name.startswith("front") else on_rear)
        assert state.loads[name] == pytest.approx(expected, rel=EXACT)
    grip = sum(state[f"{name}.longitudinal_force"] for name in WHEELS)
    assert grip == pytest.approx(weight * math.sin(slope), rel=1e-3, abs=1e-6)


def masses(m, state):
    """Mass and centre of a machine of bodies with their centres at their origins."""
    parts = [("chassis", CHASSIS), *((f"wheel_{name}", WHEEL) for name in WHEELS)]
    total = sum(mass for _, mass in parts)
    return total, sum(mass * state[f"{body}.position"] for body, mass in parts) / total


RIM, DISC, TON = 0.8, 1, 1000.0
NAMES = [f"{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
CENTRES = {"front": (8.0 * TON, (1.0, 0.3, 0.5)), "rear": (9.0 * TON, (-1.2, 0.0, 0.3)), "axle": (0.6 * TON, (0, 0, 0))}


def articulated(angle, lean):
    """Two frames that are bent by an angle, the rear one on an axle that swings about its line; a load to the side."""
    m = kb.Machine("loader", gravity=(0.0, -G * math.sin(lean), -G * math.cos(lean)))
    m.terrain("yard")
    size = {"front": (6e3, 9e3, 9e3), "rear": (6e3, 9e3, 9e3), "axle": (300.0, 50.0, 300.0)}
    front, rear, axle = (m.body(name, mass=mass, com=com, inertia=size[name]) for name, (mass, com) in CENTRES.items())
    for body, (_, com) in zip((front, rear, axle), CENTRES.values(), strict=True):
        body.point("centre", com)
    rear.point("line", (1.0, 0.0, 0.0))
    m.free("base", m.ground, front, start=(0, 0, 0.76, 0, 0, 0))
    m.revolute("articulation", front, rear, axis="z")
    m.driver("bend", "articulation", start=angle)
    m.revolute("swing", rear.at(-1.7, 0, 0), axle, axis="x")
    for name in NAMES:
        on, x = (front, 1.7) if name.startswith("front") else (axle, 0.0)
        wheel = m.body(f"wheel_{name}", mass=0.5 * TON, inertia=(60, 100, 60))
        wheel.point("out", (0.0, 1.0, 0.0))
        m.revolute(f"axle_{name}", on.at(x, 0.95 if name.endswith("left") else -0.95, 0), wheel, axis="y")
        m.tire(name, wheel, radius=RIM, width=0.5, load="50 kN", typical="loader", discs=DISC)
        m.joint_friction(f"brake_{name}", f"axle_{name}", coulomb="40 kN m", bristle_stiffness="4 MN m/rad")
    return m


def foot(state, name, tire="", radius=RIM, discs=(0.0,)):
    """Where a tire stands on its discs, by their depths, the force along the ground there, and the torque of rolling
    resistance.
    """
    centre, n = state[f"wheel_{name}.position"], np.array([0.0, 0.0, 1.0])
    tire = tire or name
    a = state[f"wheel_{name}.out.position"] - centre
    camber = float(a @ n)
    lowest = [centre + out * a + radius * (camber * a - n) / math.sqrt(1.0 - camber**2) for out in discs]
    at = np.average(lowest, axis=0, weights=[max(-float(one @ n), 0.0) for one in lowest])
    ahead = np.cross(a, n) / np.linalg.norm(np.cross(a, n))
    F = state[f"{tire}.longitudinal_force"] * ahead + state[f"{tire}.lateral_force"] * np.cross(n, ahead)
    return np.array([at[0], at[1], 0.0]), F, state[f"{tire}.rolling_torque"] * a


def four_loads(weights, swinging, feet, pin, line):
    """Loads of four wheels, the last two on an axle that swings about a line through a pin.

    Forces off the ground and two moments of the whole, that of the axle about its pin; weights (N) with their places.
    """
    A, b, up = np.zeros((4, 4)), np.zeros(4), np.array([0.0, 0.0, 1.0])
    for k, (at, F, torque) in enumerate(feet):
        A[:3, k] = 1.0, at[1], -at[0]
        b[1:3] -= torque[:2]
        if k >= 2:  # rear
            A[3, k] = np.cross(at - pin, up) @ line
            b[3] -= (np.cross(at - pin, F) + torque) @ line
    for weight, centre in weights:
        b[:3] -= weight[2], *np.cross(centre, weight)[:2]
    for weight, centre in swinging:
        b[3] -= np.cross(centre - pin, weight) @ line
    return np.linalg.solve(A, b).tolist()


@pytest.mark.parametrize(("angle", "lean"), [(0.0, 0.0), (0.6, 0.0), (0.6, 0.05), (-0.4, -0.05)])
def test_wheel_loads_with_a_swinging_axle(angle, lean):
    """Four loads by four equations.

    Forces along the ground act in its plane at height 0: of the whole they have no moment about level lines. About the
    pin those of the rear wheels have one; they are taken as found, and their sum is the weight along the ground.
    """
    m = articulated(angle, lean)
    state = kb.equilibrium(m)
    gravity = np.asarray(m.gravity)
    weights = [(mass * gravity, state[f"{name}.centre.position"]) for name, (mass, _) in CENTRES.items()]
    weights += [(0.5 * TON * gravity, state[f"wheel_{name}.position"]) for name in NAMES]
    feet = {name: foot(state, name) for name in NAMES}
    pin = state["axle.position"]
    line = state["rear.line.position"] - state["rear.position"]

    expected = four_loads(weights, [weights[2], *weights[-2:]], list(feet.values()), pin, line)
    assert list(state.loads.values()) == pytest.approx(expected, rel=EXACT)
    along = sum(F for _, F, _ in feet.values()) + sum(weight for weight, _ in weights)
    assert along[:2] == pytest.approx([0.0, 0.0], abs=1e-3)


@pytest.mark.parametrize("rises", ["x", "y", "-x"])
def test_a_crate_on_an_incline(rises):
    """N = m g cos α, F = m g sin α, up the slope."""
    angle = math.radians(20.0)
    m = kb.Machine("crate")
    body = m.body("crate", mass=100.0, inertia=(8, 8, 8))
    m.terrain("hill", slope="20 deg", rises=rises)
    m.free("flight", m.ground, body, start=(0, 0, 0.33, 0, 0, 0))
    m.contact("foot", body, box=(0.6, 0.6, 0.6), friction=0.5, depth="0.1 mm")
    state = kb.equilibrium(m)
    rubs = state["foot.friction_force"]
    assert state.loads["foot"] == pytest.approx(100.0 * G * math.cos(angle), rel=EXACT)
    uphill = {"x": (1, 0), "y": (0, 1), "-x": (-1, 0)}[rises]
    expected = 100.0 * G * math.sin(angle) * np.array([*(math.cos(angle) * np.array(uphill)), math.sin(angle)])
    assert rubs == pytest.approx(expected, rel=EXACT, abs=1e-4)


def test_the_slope_at_which_a_crate_slides():
    """tan α = μ."""
    limit = math.degrees(math.atan(0.5))
    assert kb.equilibrium(crate(limit - 0.1)).loads["foot"] > 800.0
    with pytest.raises(kb.AnalysisError, match="slides"):
        kb.equilibrium(crate(limit + 0.1))


def test_the_slope_at_which_a_tall_box_tips():
    """tan α = b/h: of a box of 0.2 m × 0.6 m, 18.43°; beyond, it lies on its side."""
    limit = math.degrees(math.atan2(0.2, 0.6))
    sides = (0.2, 0.2, 0.6)
    for slope, lies in ((limit - 0.1, False), (limit + 0.1, True)):
        state = kb.equilibrium(crate(slope, friction=0.9, sides=sides, up=1e-5, depth="0.01 mm"))
        over = state["flight.position"] @ (-math.sin(math.radians(slope)), 0.0, math.cos(math.radians(slope)))
        assert over == pytest.approx(0.1 if lies else 0.3, abs=1e-3)


def test_the_reach_at_which_a_crane_tips():
    """Frame and arm of 1 t each on feet 1 m off the middle: at a reach of 2 m the outer feet carry all."""
    for reach in (0.0, 1.0, 1.9):
        loads = kb.equilibrium(crane(reach)).loads
        near = 0.25 * 2.0 * TON * G * (1.0 + 0.5 * reach)
        assert loads["foot0"] == pytest.approx(near, rel=1e-3)
        assert loads["foot1"] == pytest.approx(0.5 * 2.0 * TON * G - near, rel=1e-3 * near / loads["foot1"])
    assert min(kb.equilibrium(crane(1.998)).loads.values()) > 0.0
    with pytest.raises(kb.AnalysisError, match="tips over"):
        kb.equilibrium(crane(2.002))


def test_modes_of_a_vehicle_on_its_tires():
    """Heave, and pitch with fore-aft and the wheels on their brakes, damped: a model of three coordinates by hand.

    x and θ of the chassis about its centre, φ of the wheels beside it. Each hub is X ahead and h below the centre:

        s = x − hθ − r(θ + φ)        slip of the patch, stiffness κ = 2 C N/L, damping σ₁ N
        V = ½ 4κ s² + ½ 4 k_b φ² + ½ Σ k X² θ² − ½ m_c g h θ²
        c = a N of a tire that carries N = k d (1 + a ḋ),   a = 2ζ/√(g d)
    """
    k, traction, patch = 4e5, 6.0, 0.45
    brake, brake_damping, ratio = 3e6, 1e4, 0.1
    m = four_wheels(
        steer=None, braked=True, stiffness=k, traction=traction, patch=patch, rolling_resistance=0.0, discs=1
    )
    found = np.array([mode.eigenvalue for mode in kb.modes(m, kb.equilibrium(m)).oscillations])

    def has(value):
        return np.abs(found - (value if value.imag > 0.0 else value.conjugate())).min() < 1e-4 * abs(value)

    total, c = CHASSIS + 4 * WHEEL, 2.0 * ratio / math.sqrt(G * LOAD / k) * LOAD
    assert all(has(value) for value in np.roots([total, 4 * c, 4 * k]))

    r, h, X = RADIUS - LOAD / k, HEIGHT - RADIUS, 0.5 * BASE
    slip, turn, hub = np.array([1.0, -h - r, -r]), np.array([0.0, 1.0, 1.0]), np.array([1.0, -h, 0.0])
    pitch, rel = np.outer([0, 1, 0], [0.0, 1, 0]), np.outer([0, 0, 1], [0.0, 0, 1])
    sigma0 = 2.0 * min(traction, 5.5) / patch  # of the softer direction
    sigma1 = 2.0 * PRESLIDING * math.sqrt(sigma0 / G)
    K = 4 * (2.0 * traction * LOAD / patch) * np.outer(slip, slip) + 4 * brake * rel
    K += (4 * k * X**2 - CHASSIS * G * h) * pitch
    C = 4 * sigma1 * LOAD * np.outer(slip, slip) + 4 * brake_damping * rel + 4 * c * X**2 * pitch
    M = np.diag([CHASSIS, 9e3, 0.0]) + 4 * WHEEL * (np.outer(hub, hub) + X**2 * pitch)
    M += 4 * INERTIA * np.outer(turn, turn)
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    assert all(has(value) for value in np.linalg.eigvals(A))
