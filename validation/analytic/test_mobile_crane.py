# SPDX-License-Identifier: BSD-3-Clause
"""The mobile crane as its designer would check it by hand.

Holding pressures: moments and forces summed up here from masses and places of the drawing, within 1e-9 (closed form).
Outriggers: loads of a rigid frame on equal springs, 0.5 %, also after a cycle; the tipping load by moments about the
line of two plates, 1 % below and above. Slack: weights of what hangs and of what stands, 0.1 %. Swing of the hook: a
compound pendulum on a crane that hardly gives way, 1 %. Speeds: continuity, within what oil and friction take, 1 %.
Cycle: a run with a fifth of the step, which bench contact found converged to 0.03 mm.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.oil_forces import oil_force
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue import mobile_crane as crane
from knuckleboom.catalogue.standing_cylinder import areas
from knuckleboom.machine.loose import bodies_of, loose_bodies
from knuckleboom.plan import counts

GRAVITY = 9.81
COS = SIN = math.sqrt(0.5)  # boom at 45°
# centres along the boom from its hinge: half a length after the root of each section
SECTIONS = ((3000.0, 5.1), (1700.0, 2.1 + 4.8), (1300.0, 4.0 + 4.7), (950.0, 5.9 + 4.65))
HEAD, LOAD, BLOCK, ROPE = 5.9 + 9.3, 6000.0, 350.0, 60.0  # m along the boom; kg
HOOK = LOAD + BLOCK
FOLLOWED = ("lift_left.length", "lift_right.length", "telescope.length", "winch.paid_out")
SLINGS = [f"sling_{end}_{hand}" for end in ("front", "rear") for hand in ("left", "right")]
PLATES = {name: f"plate_{name}.normal_force" for name in crane.FEET}


@pytest.fixture(scope="module")
def rest():
    return kb.equilibrium(NAMES["mobile-crane"]().machine)


@pytest.fixture(scope="module")
def cycle():
    case = NAMES["mobile-crane"]()
    return kb.simulate(case.machine, case.duration, step=case.step, record=0.02, inputs=case.inputs, **case.method)


def lift_lever(angle):
    """Lever of the lift cylinders about the boom's hinge, m."""
    c, s = math.cos(angle), math.sin(angle)
    eye = (3.5 * c + 0.5 * s, 3.5 * s - 0.5 * c)
    line = (eye[0] - 0.70, eye[1] + 1.65)  # the foot is 0.7 m ahead of the hinge and 1.65 m below it
    return (eye[0] * line[1] - eye[1] * line[0]) / math.hypot(*line)


def boom_moment(hook):
    """Moment of boom and hook about the boom's hinge in the start pose, N·m."""
    return GRAVITY * COS * (sum(mass * along for mass, along in SECTIONS) + (hook + ROPE) * HEAD)


@pytest.mark.parametrize(("kind", "coordinates", "equations"), [("relative", 14, 2), ("reference-point", 48, 36)])
def test_counts(kind, coordinates, equations):
    planned = kb.build(NAMES["mobile-crane"]().machine, coordinates=kind)
    assert len(bodies_of(planned.machine)) == 8 and loose_bodies(planned.machine) == ["load"]
    assert counts.sizes(planned) == counts.Sizes(coordinates, equations, dof=12, shafts=2)  # engine, drum
    assert counts.constraint_equations(planned) == 36


def test_two_lift_cylinders_carry_boom_and_load(rest):
    force = 0.5 * boom_moment(HOOK) / lift_lever(math.radians(45.0))
    for side in ("left", "right"):
        assert oil_force(rest, f"lift_{side}", crane.LIFT) == pytest.approx(force, rel=1e-9)
    assert 90e5 < rest["lift_left.a.pressure"] < 130e5


def test_telescope_cylinder_carries_what_cables_move_with_it(rest):
    """The second section moves twice as fast as the first, the third and the hook three times."""
    force = GRAVITY * SIN * (1700.0 + 2.0 * 1300.0 + 3.0 * (950.0 + HOOK + ROPE))
    assert oil_force(rest, "telescope", crane.TELESCOPE) == pytest.approx(force, rel=1e-9)


def test_winch_carries_the_hook(rest):
    oil = 80e-6 / (2.0 * math.pi) * 30.0 * 4.0 / 0.2
    drop = rest["winch.a.pressure"] - rest["winch.b.pressure"]
    assert drop == pytest.approx(HOOK * GRAVITY / oil, rel=1e-9)


def test_hook_swings_like_a_pendulum(rest):
    """ω² = Σ m·g·l/I about the boom's head: load 13.2 m below it, block 11.3 m, rope 3 m."""
    moment = LOAD * 13.2 + BLOCK * 11.3 + 60.0 * 3.0
    inertia = LOAD * (13.2**2 + 1.36**2 / 6.0) + BLOCK * 11.3**2 + 60.0 * (3.0**2 + 3.0)
    assert rest.stiffness == pytest.approx(GRAVITY * moment / inertia, rel=0.01)


def test_starts_at_rest_and_does_not_drift():
    machine = NAMES["mobile-crane"]().machine
    assert np.abs(kb.build(machine).accelerations()).max() < 1e-9
    run = kb.simulate(machine, 0.05, step=1e-3, coupling="realtime", start="equilibrium")
    assert max(float(np.ptp(one.values)) for one in run.find("*.pressure")) < 0.05


# --- on its outriggers ------------------------------------------------------------------------------------------------


def weights(slew, out=1.5, load=LOAD):
    """Masses and places in x and y of what stands on the outriggers, by the drawing; the boom is at 45°."""
    along = [(3000.0, 5.1)] + [(mass, half + 0.6 + out * n + 0.4 * (n - 1)) for n, mass, half in
                               ((1, 1700.0, 4.8), (2, 1300.0, 4.7), (3, 950.0, 4.65))]  # fmt: skip
    head = 0.6 + 0.4 + 0.4 + 9.3 + 3.0 * out
    radii = [(9e3, -2.2), *((mass, COS * far - 1.6) for mass, far in (*along, (load + BLOCK + ROPE, head)))]
    c, s = math.cos(slew), math.sin(slew)
    return [(22e3, (-0.5, 0.0)), *((mass, (c * r, s * r)) for mass, r in radii)]


def statics(masses):
    """Load of each outrigger, N: a + b·x + c·y that carries all weights at their centre."""
    total = sum(mass for mass, _ in masses)
    centre = sum(mass * np.array(at) for mass, at in masses) / total
    around = np.array([[1.0, x - centre[0], y - centre[1]] for x, y in crane.FEET.values()])
    return around @ np.linalg.solve(around.T @ around, [total * GRAVITY, 0.0, 0.0])


@pytest.mark.parametrize("degrees", [0.0, 45.0, 90.0, 180.0, -120.0])
def test_outrigger_loads_are_those_of_statics(degrees):
    """The boom over its front, a corner, its side, its rear: all four plates, to 0.5 % of the largest."""
    rest = kb.equilibrium(crane.standing_crane(math.radians(degrees)))
    loads, exact = [float(rest[path]) for path in PLATES.values()], statics(weights(math.radians(degrees)))
    assert loads == pytest.approx(exact, abs=5e-3 * exact.max())
    assert min(loads) > 0.0


def test_a_machine_that_was_built_level_finds_its_loads():
    """Slewed by 60° with its hook, on plates that make it level at 0°: it leans a little, by statics."""
    machine, slew = crane.standing_crane(math.radians(60.0)), math.radians(60.0)
    level = crane.standing_crane()
    for name in crane.FEET:
        machine[f"plate_{name}"].change(hull=level[f"plate_{name}"].hull)
    rest = kb.equilibrium(machine)
    exact = statics(weights(slew))
    assert [float(rest[path]) for path in PLATES.values()] == pytest.approx(exact, abs=5e-3 * exact.max())
    assert abs(rest["base.position"][2]) < 5e-3


LINES = {"side": (90.0, lambda at: 3.0 - at[1]), "rear": (180.0, lambda at: at[0] + 3.4)}
"""Over which side, and the distance of a place from the line of the two plates there."""


def tipping_load(side, out):
    """The load at which all weights together are above the line of two plates, kg."""
    degrees, distance = LINES[side]

    def moment(load):
        return sum(mass * distance(at) for mass, at in weights(math.radians(degrees), out, load))

    return moment(0.0) / (moment(0.0) - moment(1.0))


@pytest.mark.parametrize("side", LINES)
def test_tips_at_the_load_of_statics(side):
    """1 % below, the other side's outriggers still carry; 1 % above they are off, and it tips until the load stands."""
    out = 4.5
    degrees, _ = LINES[side]
    load = tipping_load(side, out)
    off = ("front_right", "rear_right") if side == "side" else ("front_left", "front_right")
    stands, tips = (kb.equilibrium(crane.standing_crane(math.radians(degrees), out, load=part * load))
                    for part in (0.99, 1.01))  # fmt: skip
    assert sum(float(stands[PLATES[name]]) for name in off) > 0.0
    assert abs(stands["base.position"][2]) < 1e-3 and stands["load_skin.normal_force"] == 0.0
    assert [float(tips[PLATES[name]]) for name in off] == [0.0, 0.0]
    assert tips["base.position"][2] > 1.0 and tips["load_skin.normal_force"] > 0.1 * load * GRAVITY


@pytest.mark.filterwarnings("ignore:The oil at")
def test_tips_over_with_finite_results():
    """With 1.3 times the tipping load over its side: it falls until load or boom lie on the ground, and no further."""
    machine = crane.standing_crane(math.radians(90.0), 4.5, load=1.3 * tipping_load("side", 4.5))
    run = kb.simulate(machine, 15.0, step=1e-3, record=0.05, coupling="realtime")
    for joint in ("base", "load_base"):
        assert np.isfinite(run[f"{joint}.position"].values).all()
    assert abs(run.energy().relative_residual) < 5e-3
    assert run["plate_front_right.normal_force"].values[20:].max() == 0.0
    assert run["load_skin.normal_force"].values.max() > 0.0
    assert run["load.position"].values[:, 2].min() > 0.0 and run["base.position"].values[:, 2].max() < 4.0


def test_load_stands_on_the_ground_with_slack_ropes(cycle):
    """The cycle ends so: slings carry nothing, the falls the block alone, the ground the load, plates all else."""
    last = {path: float(cycle[path].values[-1]) for path in (*PLATES.values(), "load_skin.normal_force")}
    assert last["load_skin.normal_force"] == pytest.approx(LOAD * GRAVITY, rel=1e-3)
    assert [float(cycle[f"{one}.force"].values[-1]) for one in SLINGS] == [0.0] * 4
    assert cycle["winch.hook_force"].values[-1] == pytest.approx(-BLOCK * GRAVITY, rel=0.03)  # it still bobs
    carried = sum(last[path] for path in PLATES.values())
    rest = 22e3 + 9e3 + sum(mass for mass, _ in SECTIONS) + BLOCK + ROPE
    assert carried == pytest.approx(rest * GRAVITY, rel=5e-3)
    assert max(float(cycle[f"{one}.force"].values.max()) for one in SLINGS) <= 0.0
    assert cycle["winch.hook_force"].values.max() <= 0.0


def test_block_on_the_load_leaves_the_falls_slack():
    """Lowered from the start for 12 s: load on the ground, block on the load, and rope that nobody carries."""
    machine = crane.standing_crane()
    run = kb.simulate(machine, 22.0, step=1e-3, record=0.05, inputs={"winch_valve": {0.0: 0.0, 1.0: -0.8}},
                      coupling="realtime")  # fmt: skip
    assert run["winch.hook_force"].values[-1] == 0.0
    assert run["winch.paid_out"].values[-1] + crane.ROPE - run["hoist.travel"].values[-1] > 0.2
    assert run["load_skin.block.normal_force"].values[-1] == pytest.approx(BLOCK * GRAVITY, rel=0.02)
    assert run["load_skin.normal_force"].values[-1] == pytest.approx((LOAD + BLOCK) * GRAVITY, rel=5e-3)


@pytest.mark.filterwarnings("ignore:The oil at")
def test_load_stops_at_the_carrier():
    """Lifted and lowered over the rear deck it comes to stand there, 1.35 m above the ground, and goes no deeper."""
    machine = crane.standing_crane(math.pi, out=0.0, rope=6.0)
    levers = {"lift_valve": {0.0: 0.0, 0.5: 0.8, 11.0: 0.0}, "winch_valve": {0.0: 0.0, 14.0: -0.8, 34.0: 0.0}}
    run = kb.simulate(machine, 36.0, step=1e-3, record=0.05, inputs=levers, coupling="realtime")
    assert run["deck.load_skin.normal_force"].values[-1] >= 0.99 * LOAD * GRAVITY
    assert run["load_skin.normal_force"].values.max() == 0.0  # never on the ground
    bottom = run["load.position"].values[:, 2] - 0.5 * crane.LOAD_SIZE[2]
    assert bottom.min() > 1.35 - 0.02 and bottom[-1] == pytest.approx(1.35, abs=0.02)
    assert [float(run[f"{one}.force"].values[-1]) for one in SLINGS] == [0.0] * 4


def test_lift_capacity_at_rated_pressure_is_that_of_the_class():
    """At a radius of 9 m oil holds 1.2 to 1.6 times the 13 t of such cranes' charts, which stability limits."""
    moment = 2.0 * lift_lever(math.radians(45.0)) * areas(0.200, 0.140)[0] * crane.RATED
    hook = (moment - boom_moment(0.0)) / (GRAVITY * COS * HEAD)
    assert 9.0 < HEAD * COS - 1.6 < 9.2
    assert 1.2 * 13e3 < hook < 1.6 * 13e3


def test_winch_speed_is_flow_over_oil_per_length():
    case = NAMES["mobile-crane"]()
    run = kb.simulate(case.machine, 4.0, step=1e-3, record=0.01, inputs={"winch_valve": 1.0}, **case.method)
    speed = (run["hoist.travel"].at(2.0) - run["hoist.travel"].at(4.0)) / 2.0
    flow = np.mean(run["winch_valve.PA.flow"].values[200:])
    assert speed * crane.WINCH_OIL == pytest.approx(flow, rel=0.01)
    assert 0.2 < speed < 0.3


def test_cycle_is_that_of_such_a_machine(cycle):
    assert set(cycle.energy().supplied) == {"engine", "tank", "slew_tank"}
    assert abs(cycle.energy().relative_residual) < 2e-4
    pressures = {one.path: one.values for one in cycle.find("*.pressure")}
    assert min(values.min() for values in pressures.values()) > 0.5e5
    assert max(values.max() for values in pressures.values()) < crane.RATED
    assert pressures["lift_left.a.pressure"] == pytest.approx(pressures["lift_right.a.pressure"], rel=1e-3)
    # up, then slewed by 25° and more with the hook swinging behind, then out, then down to the ground
    height, out = cycle["load.position"].values[:, 2], cycle["telescope_1_slide.travel"].values
    assert height.max() - height[0] > 1.0
    assert math.degrees(cycle["slew.angle"].values[-1]) > 25.0
    assert 0.03 < np.ptp(cycle["swing.angle_2"].values) < 0.3
    assert out[-1] - out[0] > 0.1
    assert height[-1] == pytest.approx(0.5 * crane.LOAD_SIZE[2], abs=5e-3)


def test_held_between_movements(cycle):
    """Counterbalance valves hold while the levers rest: no creep of a cylinder in 10 s beyond the swinging."""
    length = cycle["lift_left.length"]
    assert length.at(26.0) == pytest.approx(length.at(15.0), abs=3e-3)
    assert cycle["hoist.travel"].at(13.0) == pytest.approx(cycle["hoist.travel"].at(6.0), abs=2e-3)


@pytest.mark.slow
def test_cycle_is_within_a_millimetre_of_a_converged_run(cycle):
    case = NAMES["mobile-crane"]()
    fine = kb.simulate(case.machine, case.duration, step=2e-4, record=0.02, inputs=case.inputs, **case.method)
    for part in FOLLOWED:
        assert np.abs(fine[part].values - cycle[part].values).max() < 1e-3
