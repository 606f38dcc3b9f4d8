# SPDX-License-Identifier: BSD-3-Clause
"""Loop rows: what a cut joint leaves, what holds by structure, and loops that cannot be closed, said by name."""

import re

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.mechanics.joints import JOINTS

LENGTHS = (0.3, 0.9, 0.7, 1.0)  # crank, coupler, rocker, ground: Grashof, the crank turns


def four_bar(theta=0.4, lengths=LENGTHS, lift=0.0, name="four-bar", machine=None, prefix="", at=0.0):
    """A four-bar about z whose tip is the joint that is cut; `lift` moves the rocker's pin along the axis."""
    machine = machine or kb.Machine(name)
    a, b, c, d = lengths
    bodies = [
        machine.body(prefix + part, mass=1.0, com=(length / 2, 0, 0), inertia=(0.01, 0.1, 0.1))
        for part, length in (("crank", a), ("coupler", b), ("rocker", c))
    ]
    machine.revolute(prefix + "main", machine.ground.at(at, 0, 0), bodies[0], start=theta)
    machine.revolute(prefix + "knee", bodies[0].at(a, 0, 0), bodies[1])
    machine.revolute(prefix + "foot", machine.ground.at(at + d, 0, 0), bodies[2], start=1.5)
    machine.revolute(prefix + "tip", bodies[1].at(b, 0, 0), bodies[2].at(c, 0, lift), cut=True)
    return machine


@pytest.mark.parametrize("theta", np.linspace(-3.0, 3.0, 13))
def test_a_planar_pin_keeps_two_rows_at_any_pose(theta):
    planned = kb.build(four_bar(theta))

    kept = [(row.part, row.unit, row.label) for row in planned.layout.loops.kept]
    assert kept == [("tip", "m", "x"), ("tip", "m", "y")]
    assert planned.loop_equations == 2 and planned.dof == 1 and planned.redundant == []
    assert np.linalg.matrix_rank(planned.jacobian()) == 2


def test_a_planar_pin_keeps_two_rows_also_stretched_out():
    """Crank and coupler in line: at this pose the rank says nothing, and nothing is decided by it."""
    planned = kb.build(four_bar(0.0, lengths=(1.0, 1.0, 1.0, 1.0)))

    assert planned.loop_equations == 2


def test_the_rows_that_hold_by_structure_are_named():
    planned = kb.build(four_bar())

    dropped = [(row.part, row.unit, row.label) for row in planned.layout.loops.dropped]
    assert dropped == [("tip", "m", "z"), ("tip", "rad", "xz"), ("tip", "rad", "yz")]


def slider_crank(axis):
    """A crank about z, a rod, and a slide along an axis; the pin between rod and slider is cut."""
    machine = kb.Machine("slider-crank")
    crank, rod, slider = (machine.body(name, mass=1.0, inertia=(1, 1, 1)) for name in ("crank", "rod", "slider"))
    machine.revolute("main", machine.ground, crank, start=0.5)
    machine.revolute("pin", crank.at(0.3, 0, 0), rod)
    machine.prismatic("slide", machine.ground, slider, axis=axis)
    machine.revolute("wrist", rod.at(1, 0, 0), slider, cut=True)
    return machine


def test_a_slide_across_the_axes_leaves_the_loop_planar():
    assert kb.build(slider_crank("x")).loop_equations == 2


def test_a_slide_along_the_axes_makes_the_loop_spatial():
    machine = slider_crank((1.0, 0.0, 0.5))

    with pytest.raises(kb.MachineError, match="'wrist' closes a loop that cannot be assembled"):
        kb.build(machine)


def test_an_axis_that_is_not_parallel_makes_the_loop_spatial():
    machine = four_bar()
    machine.parts["knee"] = machine.parts["knee"].model_copy(update={"axis": (0.0, 0.05, 1.0)})

    planned = kb.build(machine)

    # it closes where the knee is straight, and nothing moves there
    assert planned.loop_equations == 5 and planned.layout.loops.dropped == []
    assert planned.dof == 0 and len(planned.redundant) == 2


def test_an_offset_along_the_axis_is_a_named_problem():
    with pytest.raises(kb.MachineError) as caught:
        kb.build(four_bar(lift=0.02))

    assert str(caught.value) == (
        "1 problem in machine 'four-bar'\n\n"
        "1. 'tip' closes a loop of parallel axes, but its two sides are 0.02 m apart along its axis.\n"
        "   Move one of its places along the axis until they meet."
    )


def test_a_loop_that_cannot_be_assembled_is_a_named_problem():
    with pytest.raises(kb.MachineError) as caught:
        kb.build(four_bar(lengths=(0.3, 0.2, 0.2, 1.0)))

    assert "'tip' closes a loop that cannot be assembled: it stays open by 0." in str(caught.value)
    fix = "Check lengths and places of the loop's parts, or give start values nearer to the closed pose."
    assert caught.value.problems[0].fix == fix


def test_of_several_loops_that_cannot_be_assembled_the_worst_comes_first():
    machine = four_bar(lengths=(0.3, 0.2, 0.2, 1.0), prefix="near_")
    four_bar(lengths=(0.3, 0.2, 0.2, 2.0), prefix="far_", machine=machine, at=10.0)

    with pytest.raises(kb.MachineError) as caught:
        kb.build(machine)

    assert [problem.part for problem in caught.value.problems][:2] == ["far_tip", "near_tip"]
    gaps = [float(problem.rule.split("open by ")[1].split()[0]) for problem in caught.value.problems]
    assert gaps == sorted(gaps, reverse=True) and gaps[0] > 1.0


def test_a_rod_that_is_too_short_is_a_named_problem():
    machine = kb.Machine("tied")
    arm = machine.body("arm", mass=1.0, inertia=(1, 1, 1))
    machine.revolute("pin", machine.ground, arm)
    machine.rod("tie", machine.ground.at(5, 0, 0), arm.at(1, 0, 0), length="1 m")

    with pytest.raises(kb.MachineError, match="'tie' closes a loop that cannot be assembled"):
        kb.build(machine)


def test_a_rod_without_a_length_takes_that_of_the_start():
    machine = kb.Machine("tied")
    arm = machine.body("arm", mass=1.0, inertia=(1, 1, 1))
    machine.revolute("pin", machine.ground, arm, start=0.3)
    machine.rod("tie", machine.ground.at(2, 0, 0), arm.at(1, 0, 0))

    planned = kb.build(machine)

    length = np.hypot(2.0 - np.cos(0.3), np.sin(0.3))
    assert planned.plan.rows.number[0, 6] == pytest.approx(length, rel=1e-14)
    assert planned.dof == 0


def parallel_four_bars(gear=False):
    """A parallelogram with a third rocker, on the beam or geared to the first: its tip has one row too many."""
    machine = kb.Machine("parallelogram", gravity=(0, -9.81, 0))
    beam = machine.body("beam", mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    for number, x in enumerate((0.0, 1.0, 0.5)):
        rocker = machine.body(f"rocker{number}", mass=1.0, com=(0.25, 0, 0), inertia=(0.1, 0.1, 0.1))
        machine.revolute(f"foot{number}", machine.ground.at(x, 0, 0), rocker, start=1.0)
        if number < 2 or not gear:
            machine.revolute(f"tip{number}", rocker.at(0.5, 0, 0), beam.at(x, 0, 0), start=-1.0, cut=number > 0)
    if gear:
        machine.gear("together", "foot0", "foot2", ratio=1.0)
    return machine


def test_redundant_rows_are_counted_and_named():
    planned = kb.build(parallel_four_bars())

    assert planned.loop_equations == 4
    assert [row.part for row in planned.redundant] == ["tip2"]
    assert planned.dof == 1
    assert np.linalg.matrix_rank(planned.jacobian()) == 3


def test_redundant_rows_are_the_same_when_every_body_is_on_its_own():
    relative, free = kb.build(parallel_four_bars()), kb.build(parallel_four_bars(), coordinates="reference-point")

    assert [(row.part, row.label) for row in free.redundant] == [(row.part, row.label) for row in relative.redundant]
    assert free.dof == 1
    assert np.linalg.matrix_rank(free.jacobian()) == free.loop_equations - 1


@pytest.mark.parametrize("enforcement", ["lagrange", "augmented"])
@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
def test_a_machine_with_redundant_rows_moves_as_without_them(enforcement, factorisation):
    words = {"step": "1 ms", "enforcement": enforcement, "factorisation": factorisation}

    run, without = (
        kb.simulate(machine, 0.3, **words) for machine in (parallel_four_bars(), parallel_four_bars(gear=True))
    )

    assert np.ptp(run["foot0.angle"].values) > 0.1
    for foot in ("foot0", "foot1", "foot2"):
        assert run[f"{foot}.angle"].values == pytest.approx(without["foot0.angle"].values, abs=1e-8)


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if kind not in ("revolute", "free")])
def test_a_cut_joint_leaves_the_rows_of_its_list(kind):
    """A body that is free in the tree: every row of the joint counts, and they are independent."""
    machine = kb.Machine("held")
    body = machine.body("body", mass=1.0, inertia=(1, 1, 1))
    machine.free("around", machine.ground, body, start=(0.01, 0.02, 0.01, 0.02, 0.01, 0.03))
    getattr(machine, kind)("joint", machine.ground, body, cut=True)

    planned = kb.build(machine)

    assert planned.loop_equations == len(JOINTS[kind].cut)
    assert planned.dof == 6 - len(JOINTS[kind].cut) and planned.redundant == []
    assert np.abs(planned.work.rows.s[: planned.loop_equations]).max() < 1e-11


def test_a_pin_that_is_cut_on_a_free_body_keeps_all_five_rows():
    machine = kb.Machine("held")
    body = machine.body("body", mass=1.0, inertia=(1, 1, 1))
    machine.free("around", machine.ground, body)
    machine.revolute("pin", machine.ground, body, cut=True)

    assert kb.build(machine).loop_equations == 5


def test_a_joint_between_bodies_that_are_welded_holds_by_structure():
    machine = kb.Machine("welded")
    one, two = (machine.body(name, mass=1.0, com=(1, 0, 0), inertia=(1, 1, 1)) for name in ("one", "two"))
    machine.revolute("pin", machine.ground, one)
    machine.fixed("weld", one, two)
    machine.spherical("ball", one.at(1, 0, 0), two.at(1, 0, 0), cut=True)

    planned = kb.build(machine)

    assert planned.loop_equations == 0
    assert [row.part for row in planned.layout.loops.dropped] == ["ball"] * 3


def test_the_gap_of_an_open_loop_is_a_distance():
    """Three bars of 0.75 m together cannot span 3.5 m: by the triangle inequality at least 2.75 m are missing."""
    m = kb.Machine("too far")
    inertia = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    crank, coupler, rocker = (m.body(name, **inertia) for name in ("crank", "coupler", "rocker"))
    m.revolute("a", m.ground, crank, axis="y", start=-1.0)
    m.revolute("b", crank.at(0.1, 0, 0), coupler, axis="y", start=0.7)
    m.revolute("d", m.ground.at(3.5, 0, 0), rocker, axis="y", start=-1.3)
    m.revolute("c", coupler.at(0.4, 0, 0), rocker.at(0.25, 0, 0), axis="y", cut=True)

    with pytest.raises(kb.MachineError) as caught:
        kb.build(m)

    gap = float(re.search(r"stays open by ([\d.]+) m", str(caught.value)).group(1))
    assert 2.75 <= gap < 4.25  # no more than all bars pointing away
