# SPDX-License-Identifier: BSD-3-Clause
"""The excavator as a designer checks it by hand: pins and levers, holding pressures, forces at relief pressure, speeds.

Closed forms (virtual work about pins, areas and flows) against kb.equilibrium and runs; the cycle against what machines
of this class do: data sheets of 19 to 22 t give digging forces of 95 to 115 kN (stick) and 115 to 145 kN (bucket), a
slewing torque of 60 to 75 kN·m at 10 to 12 rpm, engines of 110 to 130 kW. Runs are `realtime` at 1 ms.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue import excavator as machine
from knuckleboom.catalogue import excavator_circuit as circuit
from knuckleboom.catalogue.excavator import LINKAGE, TIP_RADIUS, excavator
from knuckleboom.catalogue.standing_cylinder import AMBIENT, areas
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.mechanics.parts import Body, Fixed
from knuckleboom.plan import counts

CUTOFF = 343e5  # Pa above the tank: where the pump cuts off
TRACKS = ("track_left", "track_right")
CYLINDERS = ("boom_left", "boom_right", "stick_cylinder", "bucket_cylinder")


def run_of(duration, inputs, **words):
    case = excavator()
    words = {"step": case.step, "record": 1e-2, **case.method, **words}
    return kb.simulate(case.machine, duration, inputs=inputs, **words)


@pytest.fixture(scope="module")
def cycle():
    case = excavator()
    return run_of(case.duration, case.inputs)


# --- the machine ------------------------------------------------------------------------------------------------------


def test_counts_and_weight():
    planned = kb.build(excavator().machine)
    assert len(planned.machine.of(Body)) == 7
    assert counts.sizes(planned) == counts.Sizes(coordinates=12, loop_equations=2, dof=10, shafts=1)
    assert [joint.name for joint in planned.topology.cut] == ["ear_pin"]
    assert planned.redundant == []
    assert sum(body.mass for body in planned.machine.of(Body)) == pytest.approx(20e3, rel=1e-3)


def test_starts_at_rest_on_its_tracks():
    """Lean on the tracks by their loads and pressures of cylinders and slew motor: nothing accelerates."""
    assert np.abs(kb.build(excavator().machine).accelerations()).max() < 1e-9


def test_linkage_is_that_of_the_plan(cycle):
    """Cylinder length by the circles of rocker and link, against loops that the solver closes, over the whole cycle."""
    angles, lengths = cycle["bucket_pin.angle"].values, cycle["bucket_cylinder.length"].values
    closed = [LINKAGE.at(angle).length for angle in angles]
    assert lengths == pytest.approx(np.array(closed), abs=1e-5)
    assert np.ptp(angles) > math.radians(80.0)


@pytest.mark.parametrize("angle", np.radians([-120.0, -60.0, -15.0, 25.0]))
def test_rates_of_the_linkage_are_its_slopes(angle):
    """Levers and rates against central differences."""
    step = 1e-6
    low, here, high = (LINKAGE.at(angle + turn) for turn in (-step, 0.0, step))
    assert here.lever == pytest.approx((low.length - high.length) / (2.0 * step), rel=1e-7)
    assert here.rocker_rate == pytest.approx((high.rocker - low.rocker) / (2.0 * step), rel=1e-7)
    assert here.link_rate == pytest.approx((high.link - low.link) / (2.0 * step), rel=1e-7)


def test_reach_of_the_bucket_linkage():
    """The stroke of the bucket cylinder turns the bucket by 165 to 180°, as in the class."""
    ram = circuit.RAMS["bucket_cylinder"]
    angles = np.radians(np.linspace(-150.0, 45.0, 400))
    lengths = np.array([LINKAGE.at(angle).length for angle in angles])
    within = angles[(lengths > ram.closed) & (lengths < ram.closed + ram.stroke)]
    assert 165.0 < math.degrees(np.ptp(within)) < 180.0


# --- statics ----------------------------------------------------------------------------------------------------------


def test_holding_pressures_by_virtual_work():
    """Moments about boom and stick pin, virtual work in the linkage, against the equilibrium of the whole machine.

    The motor leaks, so that only the difference of its pressures is that of the start.
    """
    state, pressures = kb.equilibrium(excavator().machine), machine.holding_pressures(excavator().machine)
    for name in CYLINDERS:
        assert [state[f"{name}.{port}.pressure"] for port in "ab"] == pytest.approx(pressures[name], rel=1e-6)
    left, right = pressures["slew_motor"]
    assert state["slew_motor.a.pressure"] - state["slew_motor.b.pressure"] == pytest.approx(left - right, rel=1e-5)


def bare():
    """The mechanism with its undercarriage level, without oil and ground."""
    m = kb.Machine("bare")
    machine.add_mechanism(m)
    return m


def held_by(inputs):
    """Efforts about the pins that hold the bare mechanism in its start pose, by inverse dynamics of its equations."""
    m = bare()
    m.force("hook", m["bucket_shell"].at(machine.LOAD_AT[0], 0.0, machine.LOAD_AT[1]), "-z")
    m.put(Fixed(name="base", a="ground", b="undercarriage"))
    pose = {"slewing": 0.0, "boom_pin": machine.BOOM, "stick_pin": machine.STICK, "bucket_pin": machine.BUCKET}
    return kb.inverse_dynamics(m, {name: math.radians(angle) for name, angle in pose.items()}, inputs=inputs)


@pytest.mark.parametrize(
    ("name", "least", "most"), [("stick_cylinder", 95e3, 115e3), ("bucket_cylinder", 115e3, 145e3)]
)
def test_digging_force_at_relief_pressure(name, least, most):
    """Teeth against soil with one cylinder at 343 bar, in the class: R·r = F·lever − weight about the pin."""
    m = bare()
    pose, linkage = StartPose(m), LINKAGE.at(math.radians(machine.BUCKET))
    force = areas(circuit.RAMS[name].bore, circuit.RAMS[name].rod)[0] * (CUTOFF + circuit.TANK - AMBIENT)
    weight = machine.holding_forces(m)[name]
    if name == "bucket_cylinder":
        pin, lever, radius = "bucket_pin", linkage.lever, TIP_RADIUS
    else:
        # resistance acts along the bucket's z: its lever about the stick's pin is the teeth's distance along its x
        arm = pose.world(m["bucket_shell"].at(TIP_RADIUS, 0.0, 0.0)) - pose.world(m["stick_arm"].at(0.0, 0.0, 0.0))
        pin, radius = "stick_pin", float(arm @ pose.bodies["bucket_shell"].R[:, 0])
        lever = -pose.lever("stick_pin", *machine.cylinder_places(m)["stick_cylinder"])
    resistance = (force - weight) * lever / radius

    assert least < resistance < most
    assert float(held_by({"resistance": resistance})[pin]) == pytest.approx(-force * lever, rel=1e-9)


def test_lift_at_relief_pressure():
    """Both boom cylinders at 343 bar lift 5 to 9 t at the bucket, 7 m out, by moments about the boom's pin."""
    m = bare()
    pose = StartPose(m)
    force = areas(circuit.RAMS["boom_left"].bore, circuit.RAMS["boom_left"].rod)[0] * (CUTOFF + circuit.TANK - AMBIENT)
    lever = pose.lever("boom_pin", *machine.cylinder_places(m)["boom_left"])
    hook = m["bucket_shell"].at(machine.LOAD_AT[0], 0.0, machine.LOAD_AT[1])
    out = pose.world(hook)[0] - pose.world(m["boom_arm"].at(0.0, 0.0, 0.0))[0]
    load = (2.0 * force * lever - pose.effort("boom_pin")) / out

    assert 5e3 < load / 9.81 < 9e3
    assert float(held_by({"hook": load})["boom_pin"]) == pytest.approx(2.0 * force * lever, rel=1e-9)


def test_slewing_torque_and_speed():
    """Torque of the port reliefs and speed of the valve's full flow: 60 to 75 kN·m and 10 to 12 rpm."""
    torque = circuit.SLEW_DISPLACEMENT * circuit.SLEW_RELIEF
    assert 60e3 < torque < 75e3
    run = run_of(8.0, {"slew": kb.ramps({0.1: 0.0, 0.5: 1.0})})
    speed = run["slewing.angle_rate"].values[-1]
    assert 10.0 < speed * 30.0 / math.pi < 12.0
    # what flows in turns the motor or leaks past it
    leak = run["slew_motor.leak.flow"].values[-1]
    assert circuit.SLEW_DISPLACEMENT * speed + leak == pytest.approx(run["slew.PA.flow"].values[-1], rel=5e-3)


# --- speeds -----------------------------------------------------------------------------------------------------------


def test_speed_from_pump_flow_and_areas():
    """Boom and stick at full lever ask for more than the pump has: D·n of its shaft, and ΣA·Δs from rest to rest.

    The stick falls in faster than it is given oil, and draws some from the tank.
    """
    lever = kb.ramps({0.1: 0.0, 0.4: 1.0, 1.4: 1.0, 1.7: 0.0})
    run = run_of(3.0, {"boom": lever, "stick": lever})
    swept = 0.0
    for name in ("boom_left", "boom_right", "stick_cylinder"):
        length = run[f"{name}.length"].values
        swept += areas(circuit.RAMS[name].bore, circuit.RAMS[name].rod)[0] * (length[-1] - length[0])
    drawn = run["stick_in_guard.check.flow"].values
    given = np.trapezoid(run["pump.flow"].values - run["pump.leak.flow"].values + drawn, run.time)

    most = run["pump.flow"].values.argmax()
    speed = run["engine_shaft.speed"].values[most]
    assert 1900.0 < speed * 30.0 / math.pi < 1990.0
    assert run["pump.flow"].values[most] == pytest.approx(220e-6 / (2.0 * math.pi) * speed, rel=5e-3)
    # 2 % went into compressing oil that stays behind, and back to the tank by LS lines
    assert swept == pytest.approx(given, rel=0.02)


# --- the cycle --------------------------------------------------------------------------------------------------------


def test_cycle_is_that_of_such_a_machine(cycle):
    """Pressures, flows, power, slewing and height of a 90° cycle, in the class."""
    assert 85.0 < math.degrees(cycle["slewing.angle"].values.max()) < 105.0
    assert 200e5 < cycle["supply.pressure"].values.max() < 350e5
    assert 250.0 < 6e4 * cycle["pump.flow"].values.max() < 420.0
    assert 30e3 < cycle["pump.shaft_power"].values.mean() < 80e3
    assert cycle["pump.shaft_power"].values.max() < 130e3
    height = cycle["bucket_shell.teeth.position"].values[:, 2]
    assert 0.0 < height.min() < 0.1 and height.max() > 3.5  # digs level, just above the ground
    assert min(float(one.values.min()) for one in cycle.find("*.pressure")) > 1e5


def test_energy_of_the_cycle_adds_up(cycle):
    """Within 0.02 % of what the engine gives, with which the audit begins: no pump supplies anything by itself, the
    load takes its height along when it is dumped.
    """
    audit = cycle.energy()
    assert set(audit.supplied) == {"engine", "load", "tank"} and not audit.shafts
    assert abs(cycle["energy.residual"].values[-1]) < 2e-4 * audit.supplied["engine"]


def test_cycle_ends_where_it_began(cycle):
    teeth = cycle["bucket_shell.teeth.position"].values
    assert teeth[-1] == pytest.approx(teeth[0], abs=0.05)


def test_the_tracks_stay(cycle):
    """It rocks by a few mm, its tracks do not slide, and nothing else touches anything."""
    moved = np.abs(cycle["undercarriage.position"].values - cycle["undercarriage.position"].values[0])
    assert moved.max() < 5e-3 and moved[-1].max() < 0.1e-3
    loads = {one.path: one.values for one in cycle.find("*.normal_force")}
    assert {path for path, load in loads.items() if load.any()} == {f"{track}.normal_force" for track in TRACKS}
    assert min(loads[f"{track}.normal_force"].min() for track in TRACKS) > 20e3


@pytest.mark.slow
def test_positions_are_converged(cycle):
    """Cylinders within 1 mm of steps ten times smaller, over the whole cycle."""
    case = excavator()
    fine = run_of(case.duration, case.inputs, step=1e-4)
    for name in CYLINDERS:
        off = cycle[f"{name}.length"].values - fine[f"{name}.length"].values
        assert np.abs(off).max() < 1e-3
