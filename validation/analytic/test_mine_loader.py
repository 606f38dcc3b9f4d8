# SPDX-License-Identifier: BSD-3-Clause
"""The mine loader as its designer would check it by hand.

    linkage      every recorded pose of the Z-bar against a loop of vectors solved by Newton's method: rounding
    forces       holding pressures, breakout, lifting capacity and steering torque by virtual work, lengths and heights
                 differentiated by central differences (1e-6 relative), against the simulator's
                 accelerations and equilibria with that force applied
    speeds       cylinder speed = flow/area (1 %: oil is compressed a little), flow = that of the lever's opening
    the class    pressures, flows and times of loaders of 10 t; wheel loads by statics (5e-5)
    numbers      energy within 0.02 % of the engine's work at 1 ms, positions within 1 mm of a run at 0.1 ms

Ladder: closed form and second formulation. `catalogue.z_bar` has moments about pins; only its places are used here.
"""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
from scipy.optimize import fsolve

import knuckleboom as kb
from analytic.oil_forces import oil_force
from analytic.test_standing import foot, four_loads
from knuckleboom.catalogue import mine_loader as loader
from knuckleboom.catalogue.mine_loader import LINKAGE, LOW, MASSES
from knuckleboom.plan import counts

AREA_LIFT, AREA_TILT = 0.25 * math.pi * loader.LIFT_BORE**2, 0.25 * math.pi * loader.TILT_BORE**2
AMBIENT = 101325.0
DIFFERENCE = 1e-5  # rad


def on_boom(point, boom):
    return complex(*LINKAGE.hinge) + complex(*point) * cmath.rect(1.0, boom)


def closed_loop(boom, bucket):
    """Angles of bellcrank and link from the loop pivot → rear pin → ear, by Newton's method."""
    ear = on_boom((LINKAGE.length, 0.0), boom) + complex(*LINKAGE.ear) * cmath.rect(1.0, bucket)

    def gap(angles):
        crank, link = angles
        end = on_boom(LINKAGE.pivot, boom) + complex(*LINKAGE.lower) * cmath.rect(1.0, crank)
        end += LINKAGE.link * cmath.rect(1.0, link) - ear
        return [end.real, end.imag]

    crank, link = fsolve(gap, [boom + 0.6, 0.5])
    assert np.abs(gap([crank, link])).max() < 1e-9
    return crank, link


def lengths(boom, bucket):
    """Lengths of lift and tilt cylinder."""
    crank, _ = closed_loop(boom, bucket)
    upper = on_boom(LINKAGE.pivot, boom) + complex(*LINKAGE.upper) * cmath.rect(1.0, crank)
    return abs(on_boom(LINKAGE.lift_eye, boom) - complex(*LINKAGE.lift_foot)), abs(upper - complex(*LINKAGE.tilt_foot))


def height(boom, bucket, weights, lean=0.0):
    """Σ force·height of downward forces on the parts, in their axes; the machine leans back by an angle."""
    crank, link = closed_loop(boom, bucket)
    pivot, pin = on_boom(LINKAGE.pivot, boom), on_boom((LINKAGE.length, 0.0), boom)
    rear = pivot + complex(*LINKAGE.lower) * cmath.rect(1.0, crank)
    at = {
        "boom": (complex(*LINKAGE.hinge), boom),
        "bellcrank": (pivot, crank),
        "link": (rear, link),
        "bucket": (pin, bucket),
    }
    up = cmath.rect(1.0, lean)
    return sum(f * (up * (at[part][0] + complex(*p) * cmath.rect(1.0, at[part][1]))).imag for part, f, p in weights)


def own_weights():
    return [(name, loader.GRAVITY * MASSES[name][0], (MASSES[name][1][0], MASSES[name][1][2]))
            for name in ("boom", "bellcrank", "link", "bucket")]  # fmt: skip


def held(weights, boom=LOW, bucket=0.0, lean=0.0):
    """Forces of both lift cylinders together and of the tilt cylinder, by virtual work in two angles."""
    J, potential = np.zeros((2, 2)), np.zeros(2)
    for row, (turn_boom, turn_bucket) in enumerate(((DIFFERENCE, 0.0), (0.0, DIFFERENCE))):
        ahead, behind = (boom + turn_boom, bucket + turn_bucket), (boom - turn_boom, bucket - turn_bucket)
        J[row] = (np.array(lengths(*ahead)) - lengths(*behind)) / (2.0 * DIFFERENCE)
        potential[row] = (height(*ahead, weights, lean) - height(*behind, weights, lean)) / (2.0 * DIFFERENCE)
    return np.linalg.solve(J, potential)


def bore_pressures(weights):
    """Bore pressures of lift and tilt cylinders with their rod sides at the tank's pressure."""
    both, tilt = held(weights)
    back = loader.TANK - AMBIENT
    ring = [
        0.25 * math.pi * (b**2 - r**2)
        for b, r in ((loader.LIFT_BORE, loader.LIFT_ROD), (loader.TILT_BORE, loader.TILT_ROD))
    ]
    return AMBIENT + (0.5 * both + ring[0] * back) / AREA_LIFT, AMBIENT + (tilt + ring[1] * back) / AREA_TILT


@pytest.fixture(scope="module")
def cycle():
    case = loader.mine_loader()
    return kb.simulate(case.machine, case.duration, step=1e-3, record=1e-2, inputs=case.inputs, coupling="realtime")


def test_counts():
    planned = kb.build(loader.mine_loader().machine)
    assert len(list(planned.machine.bodies())) == 1 + 11  # with the ground
    sizes = counts.sizes(planned)
    assert (sizes.loop_equations, sizes.dof, sizes.shafts) == (2, 14, 1)


def test_the_linkage_closes_as_the_loop_of_vectors(cycle):
    for time in np.linspace(0.0, 20.0, 41):
        boom = cycle["boom_hinge.angle"].at(time)
        crank = boom + cycle["bellcrank_pivot.angle"].at(time)
        link = crank + cycle["link_rear.angle"].at(time)
        assert closed_loop(boom, boom + cycle["bucket_pin.angle"].at(time)) == pytest.approx((crank, link), abs=1e-7)
        # and so do the lengths of the cylinders
        lift, tilt = lengths(boom, boom + cycle["bucket_pin.angle"].at(time))
        assert cycle["lift_left.length"].at(time) == pytest.approx(lift, abs=1e-7)
        assert cycle["tilt_cylinder.length"].at(time) == pytest.approx(tilt, abs=1e-7)


def test_bucket_stays_nearly_level_while_it_is_raised():
    """A Z-bar of this class: curled on the ground the bucket turns by less than 15° until the boom is up."""
    curled = lengths(LOW, math.radians(42.0))[1]
    for boom in np.linspace(LOW, loader.HIGH, 9):
        bucket = fsolve(lambda turned, boom=boom: lengths(boom, turned[0])[1] - curled, [math.radians(45.0)])[0]
        assert 38.0 < math.degrees(bucket) < 57.0
    # it reaches its dumping angle from every height, within the cylinder's stroke
    for boom in np.linspace(math.radians(-10.0), loader.HIGH, 5):
        assert loader.TILT_CLOSED < lengths(boom, math.radians(-42.0))[1] < loader.TILT_CLOSED + loader.TILT_STROKE


def test_the_start_is_at_rest():
    planned = kb.build(loader.mine_loader().machine)
    assert np.abs(planned.accelerations()).max() < 1e-9


def test_holding_pressures_by_virtual_work():
    state = kb.equilibrium(loader.mine_loader().machine)
    lift, tilt = bore_pressures(own_weights())
    assert loader.holding_pressures() == pytest.approx((lift, tilt), rel=1e-6)
    assert state["lift_left.a.pressure"] == pytest.approx(lift, rel=1e-6)
    assert state["lift_right.a.pressure"] == pytest.approx(lift, rel=1e-6)
    assert state["tilt_cylinder.a.pressure"] == pytest.approx(tilt, rel=1e-6)


def begun_with(m, part, **pressures):
    """Give a part other start pressures; the oil of a closed valve is trapped at about these."""
    old = m.part(part)
    m.put(type(old)(**{**{key: getattr(old, key) for key in old.model_fields_set}, **pressures}))


def left_over(at, weight):
    """Largest acceleration, m/s² or rad/s², with a force down on the bucket and the oil that should carry it.

    The front frame gives the force, so that the stand does not feel it.
    """
    m = loader.mine_loader().machine
    lift, tilt = bore_pressures([*own_weights(), ("bucket", weight, at)])
    for part in ("lift_left", "lift_right"):
        begun_with(m, part, pressure_a=lift)
    begun_with(m, "tilt_cylinder", pressure_a=tilt)
    pin = on_boom((LINKAGE.length, 0.0), LOW) + complex(*at)
    below = m["front_frame"].at(pin.real, 0.0, pin.imag - 1.0)
    m.spring("pulling", below, m["bucket"].at(at[0], 0.0, at[1]), 0.0, preload=-weight)
    return np.abs(kb.build(m).accelerations()).max()


def full_force(area_a, ring):
    """Force of a cylinder at the pump's cut-off, its rod side at the tank's pressure."""
    return (loader.BUCKET_CUTOFF + loader.TANK - AMBIENT) * area_a - (loader.TANK - AMBIENT) * ring


def test_breakout_force_of_the_tilt_cylinder():
    """Force up at the lip, 0.1 m behind its edge, at the cut-off of the pump: 150 to 220 kN in this class."""
    ring = AREA_TILT - 0.25 * math.pi * loader.TILT_ROD**2
    point = (loader.LIP[0] - 0.1, loader.LIP[1])
    # held() is linear in a weight at the lip
    empty, per_newton = held(own_weights())[1], held([("bucket", 1.0, point)])[1]
    breakout = (full_force(AREA_TILT, ring) - empty) / per_newton

    assert 150e3 < breakout < 220e3
    assert left_over(point, breakout) < 1e-5  # of some 100 m/s² that each of the two forces alone makes


def test_lifting_capacity():
    """Force up at the ore's centre by the lift cylinders at the cut-off, from the ground: over 1.5 payloads."""
    ring = AREA_LIFT - 0.25 * math.pi * loader.LIFT_ROD**2
    empty, per_newton = held(own_weights())[0], held([("bucket", 1.0, loader.ORE_CENTRE)])[0]
    capacity = (2.0 * full_force(AREA_LIFT, ring) - empty) / per_newton

    assert capacity > 1.5 * loader.GRAVITY * loader.PAYLOAD
    assert left_over(loader.ORE_CENTRE, capacity) < 1e-5

    # and the payload goes all the way up
    loaded = [*own_weights(), ("bucket", loader.GRAVITY * loader.PAYLOAD, loader.ORE_CENTRE)]
    for boom in np.linspace(LOW, loader.HIGH, 7):
        assert held(loaded, boom, math.radians(45.0))[0] < 2.0 * full_force(AREA_LIFT, ring)


def test_steering_torque():
    """Torque per pressure = Σ area·∂length/∂angle; 60 to 120 kN·m at the cut-off."""
    bore = 0.25 * math.pi * loader.STEER_BORE**2
    ring = bore - 0.25 * math.pi * loader.STEER_ROD**2
    arms = [(loader.steering_length(DIFFERENCE, side) - loader.steering_length(-DIFFERENCE, side)) / (2.0 * DIFFERENCE)
            for side in (1.0, -1.0)]  # fmt: skip
    assert arms[0] == pytest.approx(-arms[1], rel=1e-9)  # alike to both sides
    per_pressure = arms[1] * (bore + ring)
    assert 60e3 < per_pressure * loader.STEERING_CUTOFF < 120e3

    m = loader.mine_loader().machine
    m.effort("twist", "articulation")
    state = kb.equilibrium(m, inputs={"twist": 50e3})
    turned = state["steering_right.pressure"] - state["steering_left.pressure"]
    assert turned * per_pressure == pytest.approx(50e3, rel=2e-3)  # it gives way by the compression of the oil


def test_speeds_follow_from_flow_and_area(cycle):
    # lever fully open: the compensator keeps 8 to 12 bar across an edge of 260 l/min at 10 bar
    flow = cycle["lift.PA.flow"].at(5.0)
    assert 60e3 * flow == pytest.approx(260.0, rel=0.1)
    speed = (cycle["lift_left.length"].at(5.1) - cycle["lift_left.length"].at(4.9)) / 0.2
    assert speed == pytest.approx(flow / (2.0 * AREA_LIFT), rel=0.01)
    assert 7.0 < (loader.LIFT_STROKE / speed) < 8.5  # s, from the ground to the top

    # steering from lock to lock: bore of one, ring of the other
    bore = 0.25 * math.pi * loader.STEER_BORE**2
    both = 2.0 * bore - 0.25 * math.pi * loader.STEER_ROD**2
    assert 4.0 < both * loader.STEER_STROKE / cycle["steer.PA.flow"].at(6.5) < 7.0


def test_pressures_and_loads_of_the_class(cycle):
    # lifting 10 t: 80 to 150 bar; pumps 20 bar above, never above their relief valves
    assert 80e5 < cycle["lift_left.a.pressure"].at(5.0) < cycle["lift_left.a.pressure"].at(7.9) < 150e5
    assert 16e5 < cycle["bucket_supply.pressure"].at(5.0) - cycle["lift_sensing.pressure"].at(5.0) < 20e5
    assert cycle["bucket_supply.pressure"].values.max() < loader.BUCKET_CUTOFF + 40e5
    assert cycle["steering_supply.pressure"].values.max() < loader.STEERING_CUTOFF + 40e5
    assert 60e3 < cycle["bucket_pump.shaft_power"].values.max() < 150e3
    # nothing cavitates
    assert all(one.values.min() > 0.5e5 for one in cycle.find("*.pressure"))


def test_axle_loads():
    """Moments about the rear axle: empty the rear axle carries more, loaded the front one three quarters."""
    state = kb.equilibrium(loader.mine_loader().machine)
    front = state.loads["tire_front_left"] + state.loads["tire_front_right"]
    total = loader.GRAVITY * (sum(mass for mass, _, _ in MASSES.values()) + 4.0 * loader.WHEEL)
    assert total / loader.GRAVITY == pytest.approx(26540.0)
    assert 0.38 < front / total < 0.48
    # the payload goes with its moment about the rear axle
    reach = LINKAGE.hinge[0] + LINKAGE.length * math.cos(LOW) + loader.ORE_CENTRE[0]
    ore = loader.GRAVITY * loader.PAYLOAD
    loaded = front + ore * (reach - loader.REAR_AXLE) / (loader.FRONT_AXLE - loader.REAR_AXLE)
    assert 0.68 < loaded / (total + ore) < 0.80


LIFTED = {"articulation": -0.6, "boom_hinge": -0.2, "bucket_pin": 0.2}


@pytest.mark.parametrize(("start", "ore"), [({}, 0.0), ({"articulation": 0.5}, 0.0), (LIFTED, loader.PAYLOAD)])
def test_wheel_loads(start, ore):
    """Moments of the whole and of the rear axle about its pin, with forces along the ground as found.

    Those are known by tire, not by disc: where they act moves by some mm, which the line of the pin, that is not quite
    level under 10 t, sees as 1 N of 40 kN.
    """
    m = loader.mine_loader().machine
    for name, (_, centre, _) in MASSES.items():
        m[name].point("middle", centre)
    m["bucket"].point("ore", (loader.ORE_CENTRE[0], 0.0, loader.ORE_CENTRE[1]))
    m["rear_frame"].point("line", (1.0, 0.0, 0.0))
    wheels = [f"{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
    for name in wheels:
        m[f"wheel_{name}"].point("out", (0.0, 1.0, 0.0))
    state = kb.equilibrium(m, start=start, inputs={"ore": ore})

    down = np.array([0.0, 0.0, -loader.GRAVITY])
    weights = [(mass * down, state[f"{name}.middle.position"]) for name, (mass, _, _) in MASSES.items()]
    axle = weights[list(MASSES).index("rear_axle")]
    rolling = [(loader.WHEEL * down, state[f"wheel_{name}.position"]) for name in wheels]
    load = (ore * down, state["bucket.ore.position"])
    spread = loader.TIRE_WIDTH / math.sqrt(8.0)  # of three discs
    discs = (-spread, 0.0, spread)
    feet = [foot(state, name, f"tire_{name}", m.part(f"tire_{name}").radius, discs) for name in wheels]
    line = state["rear_frame.line.position"] - state["rear_frame.position"]
    expected = four_loads([*weights, *rolling, load], [axle, *rolling[2:]], feet, state["rear_axle.position"], line)

    assert [state.loads[f"tire_{name}"] for name in wheels] == pytest.approx(expected, rel=5e-5)
    assert state.loads["bucket_floor"] == 0.0


def test_a_start_beyond_a_stroke_is_refused():
    with pytest.raises(kb.MachineError, match="lift_left") as caught:
        kb.equilibrium(loader.mine_loader().machine, start={"boom_hinge": 1.2})
    assert "the start" in str(caught.value)


def test_it_holds_the_pile_and_slips_beyond_its_brakes():
    """Four brakes of 20 kN·m on tires of 0.8 m hold 100 kN."""
    m = loader.mine_loader().machine
    assert kb.equilibrium(m, inputs={"pile": 80e3})["front_frame.position"][0] == pytest.approx(0.0, abs=0.03)
    with pytest.raises(kb.AnalysisError, match="because the friction there is used up"):
        kb.equilibrium(m, inputs={"pile": 110e3})


def test_ten_tonnes_are_held_in_the_air():
    """Lifted as in the cycle and held until it swings no more: forces of the oil against virtual work, 1 %.

    Tires let the machine lean forwards under its load, which the weights see.
    """
    case = loader.mine_loader()
    inputs = {name: {t: value for t, value in lever.items() if t < 9.0} for name, lever in loader.LEVERS.items()}
    inputs |= {"ore": {round(1.2 + 0.2 * n, 3): 0.1 * n * loader.PAYLOAD for n in range(11)}}
    run = kb.simulate(case.machine, 16.0, step=1e-3, record=1e-2, inputs=inputs, coupling="realtime")
    at = slice(np.searchsorted(run.time, 14.0), None)
    state = {name: float(run[name].values[at].mean()) for name in run if name.endswith((".pressure", ".angle"))}
    boom = state["boom_hinge.angle"]
    # from the middle between the front wheels to the articulation, which are level at the start
    wheels = sum(run[f"wheel_front_{side}.position"].values[at].mean(axis=0) for side in ("left", "right")) / 2.0
    rise = wheels - run["front_frame.position"].values[at].mean(axis=0)
    lean = math.asin(rise[2] / float(np.linalg.norm(rise)))
    loaded = [*own_weights(), ("bucket", loader.GRAVITY * loader.PAYLOAD, loader.ORE_CENTRE)]
    both, _ = held(loaded, boom, boom + state["bucket_pin.angle"], lean)  # the tilt cylinder presses against its stop
    assert sum(
        oil_force(state, f"lift_{side}", (loader.LIFT_BORE, loader.LIFT_ROD)) for side in ("left", "right")
    ) == pytest.approx(both, rel=0.01)


def test_the_cycle_ends_near_its_start(cycle):
    for angle, near in (("boom_hinge.angle", 1.5), ("bucket_pin.angle", 3.0), ("articulation.angle", 1.5)):
        assert math.degrees(cycle[angle].at(20.0)) == pytest.approx(math.degrees(cycle[angle].at(0.0)), abs=near)
    # it was up, out and empty in between
    assert math.degrees(cycle["boom_hinge.angle"].values.max()) > 10.0
    assert math.degrees(cycle["articulation.angle"].values.max()) > 30.0
    bucket = cycle["boom_hinge.angle"].values + cycle["bucket_pin.angle"].values
    assert math.degrees(bucket.max()) > 40.0 and math.degrees(bucket.min()) < -40.0


def test_energy_closes(cycle):
    """Within 0.02 % of what the engine did, at 1 ms."""
    energy = cycle.energy()
    assert set(energy.supplied) == {"engine", "ore", "tank"}
    assert abs(energy.residual) < 2e-4 * energy.supplied["engine"]


@pytest.mark.slow
def test_positions_within_a_millimetre_of_a_converged_run(cycle):
    case = loader.mine_loader()
    fine = kb.simulate(case.machine, case.duration, step=1e-4, record=1e-2, inputs=case.inputs, coupling="realtime")
    for name in ("lift_left.length", "lift_right.length", "tilt_cylinder.length", "steer_left.length",
                 "steer_right.length", "bucket.position", "rear_frame.position"):  # fmt: skip
        assert np.abs(cycle[name].values - fine[name].values).max() < 1e-3
