# SPDX-License-Identifier: BSD-3-Clause
"""A machine in two processes is the machine in one: same bits, whatever the scheme; the audits of both halves add up.

The arm's mechanics runs in this process, its oil by our own kernels in a second one, over TCP. Rank of evidence: second
way through our own code; against SciPy's oil in test_example.py.
"""

import signal
import threading

import numpy as np
import pytest

import knuckleboom as kb
from halves.programs import ended, program
from knuckleboom.bench.machines import held

OIL = """
import sys
import numpy as np
import knuckleboom as kb
from knuckleboom.bench.machines import held

port, file, name, seconds, step, words = int(sys.argv[1]), *sys.argv[2:6], eval(sys.argv[6])
machine = held(kb.catalogue.machine(name))
inputs = next(iter(machine.cases.values())).inputs
with kb.OtherHalf(port, connect=True, patience="60 s") as half:
    run = kb.simulate(machine, seconds, step=step, mechanics=half, inputs=inputs, **words)
np.savez(file, **{path: run[path].values for path in run.names.paths if run[path].values.ndim == 1})
"""
SHARED = ("lift.length", "lift.speed", "fold.length", "fold.speed")
OF_OIL = (*SHARED, "lift.a.pressure", "fold.b.pressure", "lift.force", "lift_valve.PA.flow")
OF_MECHANICS = (*SHARED, "pin.angle", "hinge.angle_rate", "outer.tip.position", "energy.exchanged")
REDUCED = {"integrator": "trapezoidal", "power_step": "0.2 ms"}
HELD = {"integrator": "semi-implicit-euler", "power_integrator": "rk4", "power_step": "0.05 ms"}


def in_two(folder, step, words, name="peiret-arm", seconds="0.4 s"):
    """A machine's mechanics here, its oil there: results of both."""
    machine, file = held(kb.catalogue.machine(name)), folder / "oil.npz"
    with kb.OtherHalf(0, patience="60 s") as half, program(OIL, half.port, file, name, seconds, step, words) as oil:
        here = kb.simulate(machine, seconds, step=step, power=half, **words)
        code, said = ended(oil)
        assert code == 0, said
    return here, np.load(file)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("10 ms", REDUCED),
        ("5 ms", {**REDUCED, "integrator": "lie", "power_integrator": "lie"}),
        ("0.5 ms", {**REDUCED, "power_step": "0.1 ms", "order": "jacobi"}),
        ("5 ms", {**REDUCED, "handed": "end", "integrator": "semi-implicit-euler", "course": "published"}),
        ("0.1 ms", {**HELD, "course": "hold"}),
        ("0.1 ms", {**HELD, "course": "quadratic", "handed": "end"}),
        ("0.1 ms", {**HELD, "course": "linear", "order": "jacobi"}),
    ],
    ids=lambda given: " ".join(given.values()) if isinstance(given, dict) else given,
)
@pytest.mark.filterwarnings("ignore:.*energy:RuntimeWarning")
def test_two_processes_give_the_bits_of_one(tmp_path, step, words):
    arm = kb.catalogue.machine("peiret-arm")
    words = {**words, "coupling": "cosimulated"}
    one = kb.simulate(arm, "0.4 s", step=step, inputs=arm.cases["free"].inputs, **words)

    here, there = in_two(tmp_path, step, words)

    assert here.status == one.status == "done" and len(here.time) == len(one.time) > 30
    for path in OF_MECHANICS:
        np.testing.assert_array_equal(here[path].values, one[path].values, err_msg=path)
    for path in OF_OIL:
        np.testing.assert_array_equal(there[path], one[path].values, err_msg=path)


@pytest.mark.slow
def test_ten_cylinders_and_closed_loops_give_the_bits_of_one(tmp_path):
    """harvester-30 with its frame held, in its cycle, at 5 ms; its lift goes 14 cm in 3 s."""
    machine = held(kb.catalogue.machine("harvester-30"))
    inputs, words = next(iter(machine.cases.values())).inputs, {"coupling": "cosimulated", "record": "5 ms"}
    one = kb.simulate(machine, "3 s", step="5 ms", inputs=inputs, **words)

    here, there = in_two(tmp_path, "5 ms", words, "harvester-30", "3 s")

    lengths = [path for path in here.names.paths if path.endswith(".length")]
    pressures = [path for path in there.files if path.endswith(".pressure")]
    assert len(lengths) >= 10 and len(pressures) >= 20 and np.ptp(one["lift.length"].values) > 0.1
    for path in lengths:
        np.testing.assert_array_equal(here[path].values, one[path].values, err_msg=path)
    for path in pressures:
        np.testing.assert_array_equal(there[path], one[path].values, err_msg=path)


def test_audits_of_both_halves_are_those_of_the_whole(tmp_path):
    arm = kb.catalogue.machine("peiret-arm")
    words = {**REDUCED, "coupling": "cosimulated"}
    one = kb.simulate(arm, "0.4 s", step="1 ms", inputs=arm.cases["free"].inputs, **words)

    here, there = in_two(tmp_path, "1 ms", words)

    got, given = here["energy.applied"].values, there["energy.applied"]
    np.testing.assert_allclose(got, -given, atol=1e-9 * abs(got).max())
    work = one["lift.work"].values + one["fold.work"].values
    np.testing.assert_allclose(got, work - work[0], atol=1e-9 * abs(got).max())
    # of each half the residual vanishes with the step, that of the oil alone with the oil's
    assert here.energy().relative_residual < 2e-3
    assert abs(there["energy.residual"]).max() < 1e-4 * there["energy.supplied"][-1]


def test_the_push_has_the_force_that_was_handed(tmp_path):
    words = {**REDUCED, "coupling": "cosimulated"}
    here, there = in_two(tmp_path, "10 ms", words)
    begins = 0.25 * np.pi * 0.08**2 * (there["lift.a.pressure"][0] - 101325.0)
    begins -= 0.25 * np.pi * (0.08**2 - 0.045**2) * (there["lift.b.pressure"][0] - 101325.0)

    assert here["lift.force"].values[0] == pytest.approx(begins, rel=1e-12)
    np.testing.assert_array_equal(here["lift.force"].values, here["lift.input"].values)


def test_at_rest_rounding_fails_neither_half():
    arm = kb.catalogue.machine("peiret-arm")
    runs = {}

    def oil(port):
        with kb.OtherHalf(port, connect=True, patience="60 s") as half:
            runs["oil"] = kb.simulate(arm, "1 s", step="10 ms", mechanics=half)

    with kb.OtherHalf(0, patience="60 s") as half:
        thread = threading.Thread(target=oil, args=(half.port,))
        thread.start()
        runs["arm"] = kb.simulate(arm, "1 s", step="10 ms", power=half)
        thread.join(60.0)
    elsewhere = {"oil": "mechanics", "arm": "power"}
    for name, run in runs.items():
        assert run.warnings == [] and run.meta["elsewhere"]["computes"] == elsewhere[name]
        assert np.ptp(run["lift.length"].values) < 1e-12


def swing():
    """A boom on a turntable: a motor turns it, a cylinder lifts it."""
    m = kb.Machine("swing")
    table = m.body("table", mass=300.0, inertia=(40.0, 40.0, 60.0))
    boom = m.body("boom", mass=150.0, com=(1.0, 0, 0), inertia=(1.0, 60.0, 60.0))
    m.revolute("slew", m.ground, table, axis="z", start="20 deg")
    m.revolute("foot", table.at(0.2, 0, 0.5), boom, axis="-y", start="30 deg")
    oil = m.oil(kb.fluids.constant())
    turn = m.motor("turn", "slew", displacement="4000 cm^3/rev", oil=oil, viscous="300 N m s/rad",
                   pressure_a="20 bar", pressure_b="20 bar")  # fmt: skip
    lift = m.cylinder("lift", table.at(0.9, 0, 0.1), boom.at(1.1, 0, 0), bore="63 mm", rod="36 mm", stroke="500 mm",
                      oil=oil, viscous="20 kN s/m", pressure_a="40 bar", pressure_b="25 bar")  # fmt: skip
    pump, tank = oil.pressure("pump", "150 bar"), oil.tank("tank")
    m.valve_4_3("turn_valve", P=pump, T=tank, A=turn.a, B=turn.b, flow=("20 l/min", "35 bar"))
    m.valve_4_3("lift_valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("10 l/min", "35 bar"))
    return m


def test_a_motor_and_a_cylinder_are_shared():
    given = {"turn_valve": kb.ramps({0: 0.0, 0.2: 0.15}), "lift_valve": kb.steps({0: 0.0, 0.1: 0.4})}
    words = {"step": "2 ms", "record": "2 ms", "power_step": "0.1 ms", "coupling": "cosimulated"}
    one, runs = kb.simulate(swing(), "0.4 s", inputs=given, **words), {}

    def oil(port):
        with kb.OtherHalf(port, connect=True, patience="60 s") as half:
            runs["oil"] = kb.simulate(swing(), "0.4 s", inputs=given, mechanics=half, **words)

    with kb.OtherHalf(0, patience="60 s") as half:
        thread = threading.Thread(target=oil, args=(half.port,))
        thread.start()
        runs["arm"] = kb.simulate(swing(), "0.4 s", inputs=given, power=half, **words)
        thread.join(60.0)
    assert np.ptp(one["turn.angle"].values) > 0.02 and np.ptp(one["lift.length"].values) > 0.005
    for path in ("turn.angle", "turn.rate", "lift.length", "lift.speed"):
        for run in runs.values():
            np.testing.assert_allclose(run[path].values, one[path].values, atol=1e-12, err_msg=path)
    for path in ("turn.a.pressure", "lift.b.pressure"):
        np.testing.assert_allclose(runs["oil"][path].values, one[path].values, rtol=1e-9, err_msg=path)


INTERRUPTED = """
import sys
import knuckleboom as kb

with kb.OtherHalf(0, patience="100 s") as half:
    print(half.port, flush=True)
    run = kb.simulate(kb.catalogue.machine("peiret-arm"), "1 s", step="10 ms", record="10 ms", power=half)
print(run.status, len(run.time), run.meta["message"])
"""


def test_ctrl_c_while_the_other_half_computes():
    with program(INTERRUPTED) as run, kb.PowerHalf(int(run.stdout.readline())) as half:
        for number, exchange in enumerate(half):
            if number == 5:
                run.send_signal(signal.SIGINT)
                code, said = ended(run)
                break
            exchange.advance([10221.585, 2530.0], exchange.size)
    assert code == 0 and "interrupted 4 Interrupted at t = 0.04 s." in said, said


def test_what_is_no_way_to_another_process_is_refused():
    with pytest.raises(kb.MachineError, match="power is '8399', which is no way to another process"):
        kb.simulate(kb.catalogue.machine("peiret-arm"), "1 s", power="8399")
