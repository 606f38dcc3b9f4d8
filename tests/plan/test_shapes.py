# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that bend, from the description to the record: files, coordinates, reactions, changes while running, refusals.

That the equations are right is checked in validation/analytic/test_shapes.py and in tests/engine/test_tangents.py.
"""

import numpy as np
import pytest

import knuckleboom as kb
from engine.test_theta import shapes

COORDINATES = ("relative", "reference-point")


def cantilever(**words):
    m = kb.Machine("held", gravity=(0, 0, 0))
    body = m.body("beam", mass=3.0, inertia=(1, 1, 1))
    m.fixed("wall", m.ground, body)
    m.shape("sag", of=body, stiffness=5000.0, **words)
    m.attachment("tip", of=body, at=(1, 0, 0), moves={"sag": (0, 0, 0.8)}, turns={"sag": (0, -1.5, 0)}, mass=2.0)
    return m


def test_screws_of_velocities_come_first_then_attachments_then_differences():
    planned = kb.build(shapes(), coupling="unified")
    plan, nv = planned.plan, planned.topology.nv
    index = {name: plan.links.index[frame.link] for name, frame in planned.topology.bodies.items()}
    up, side, sway = (planned.topology.scalars[name].v[0] for name in ("up", "side", "sway"))

    assert (index["beam"][3], index["beam"][6]) == (0, 0)
    assert [index[name][3] for name in ("middle", "tip", "eye", "end")] == [up, up, up, sway]
    assert [index[name][6] - nv for name in ("middle", "tip", "eye", "end")] == [0, 2, 4, 6]
    assert plan.links.shared.tolist() == [up, side, sway]
    assert plan.links.modal.tolist() == [0.0, 0.7, 0.1]
    # the brace goes from the middle to the tip
    assert (plan.links.between - nv).tolist() == [[2, 0], [3, 1]]
    assert len(planned.work.motion.S) == nv + 7 + 2


def test_both_ends_on_one_body_are_one_entry_of_each_shape():
    planned = kb.build(shapes(), coupling="realtime")
    table, brace = planned.plan.tangent, next(r for r, row in enumerate(planned.layout.rows) if row.part == "brace")
    k = table.stiff[brace]
    entries = slice(table.path_first[k], table.path_first[k + 1])

    assert table.path_dof[entries].tolist() == planned.topology.scalars["up"].v + planned.topology.scalars["side"].v
    assert table.path_screw[entries].tolist() == [planned.topology.nv + 7, planned.topology.nv + 8]


@pytest.mark.slow
def test_both_coordinates_record_the_same():
    one, other = (
        kb.simulate(shapes(), 1e-3, step=1e-4, coupling="explicit", coordinates=words) for words in COORDINATES
    )
    common = [path for path in one.names.paths if path in other.names and not path.startswith(("foot.mul", "hook.mul"))]

    wanted = {"foot.reaction_force", "hook.reaction_moment", "stay.multiplier", "up.deflection", "end.velocity"}
    assert wanted <= {*common}
    for path in common:
        ours, theirs = one[path].values, other[path].values
        if ours.dtype.kind == "f" and "residual" not in path:
            np.testing.assert_allclose(theirs, ours, rtol=1e-7, atol=1e-8 * max(1.0, np.abs(ours).max()), err_msg=path)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_shape_swings_at_the_root_of_stiffness_over_mass(coordinates):
    run = kb.simulate(
        cantilever(start=0.01, mass=0.5), 0.2, step=1e-3, record=0.01, coupling="explicit", coordinates=coordinates
    )
    omega = np.sqrt(5000.0 / (0.5 + 2.0 * 0.8**2))

    np.testing.assert_allclose(run["sag.deflection"].values, 0.01 * np.cos(omega * run.time), atol=1e-7)
    np.testing.assert_allclose(run["tip.position"].values[:, 2], 0.8 * run["sag.deflection"].values, atol=1e-15)


def test_modes_have_shapes():
    modes = kb.modes(cantilever(mass=0.5))
    assert modes.frequencies[0] == pytest.approx(np.sqrt(5000.0 / (0.5 + 2.0 * 0.8**2)) / (2.0 * np.pi), rel=1e-6)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_stiffness_can_be_changed_while_it_runs(coordinates):
    sim = kb.Simulation(cantilever(start=0.01), step=1e-3, coupling="realtime", coordinates=coordinates)
    sim.step()
    sim.tune("sag.stiffness", 8000.0)
    assert 8000.0 in sim.planned.plan.forces.number[0]


def test_a_machine_that_bends_goes_through_a_file():
    m = shapes()
    again = kb.Machine.from_yaml(m.to_yaml())

    assert again.parts == m.parts
    one, other = kb.build(m, coupling="explicit"), kb.build(again, coupling="explicit")
    assert np.array_equal(np.sort(one.accelerations()), np.sort(other.accelerations()))


def test_natural_coordinates_are_refused_by_name():
    with pytest.raises(kb.MachineError, match="shape 'up': natural coordinates have no shapes") as caught:
        kb.build(shapes(), coordinates="natural", coupling="explicit")
    assert "reference-point" in str(caught.value)


WORDS = [
    {"factorisation": "dense"},
    {"coordinates": "reference-point"},
    {"coordinates": "reference-point", "factorisation": "dense"},
    {"enforcement": "augmented"},
    {"coordinates": "reference-point", "enforcement": "augmented"},
    {"coordinates": "reference-point", "enforcement": "augmented", "factorisation": "conjugate-gradients"},
]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: ", ".join(words.values()))
def test_every_solver_gives_the_same_accelerations(words):
    names = ("up", "side", "sway")
    first, other = (kb.build(shapes(), coupling="explicit", **given) for given in ({}, words))
    wanted, found = first.accelerations(), other.accelerations()

    for name in names:
        ours, theirs = first.topology.scalars[name].v[0], other.topology.scalars[name].v[0]
        assert found[theirs] == pytest.approx(wanted[ours], rel=1e-7), name


@pytest.mark.parametrize(("side", "kept", "dof"), [(0.0, 2, 2), (0.1, 5, 1)], ids=["in its plane", "out of it"])
def test_a_loop_through_a_body_that_bends_is_planar_where_its_shapes_are(side, kept, dof):
    """Out of its plane the loop holds the shape, too, by one of the three rows that are more."""
    m = kb.Machine("four-bar")
    names = ("crank", "coupler", "rocker")
    bars = [m.body(name, mass=1.0, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1)) for name in names]
    m.revolute("main", m.ground, bars[0], axis="y", start="-90 deg", speed=1.0)
    m.revolute("knee", bars[0].at(1, 0, 0), bars[1], axis="y", start="80 deg")
    m.revolute("foot", m.ground.at(2, 0, 0), bars[2], axis="y", start="-100 deg")
    m.shape("bend", of="coupler", stiffness=1e4, mass=0.5)
    end = m.attachment(
        "end", of="coupler", at=(2, 0, 0), moves={"bend": (0, side, 1)}, turns={"bend": (0, -1, 0)}, mass=0.1
    )  # fmt: skip
    m.revolute("wrist", end, bars[2].at(1, 0, 0), axis="y", cut=True)
    planned = kb.build(m, coupling="realtime")

    assert (planned.loop_equations, planned.dof) == (kept, dof)


@pytest.mark.slow
def test_a_free_motion_needs_no_forces():
    """Inverse dynamics of what the machine does by itself; the springs of its shapes are known to it."""
    m = shapes()
    run = kb.simulate(m, 0.02, step=1e-4, record=5e-3, coupling="explicit")
    found = kb.inverse_dynamics(m, run)

    for name in ("up.deflection", "side.deflection", "hook.angle", "sway.deflection"):
        np.testing.assert_allclose(found[name], 0.0, atol=1e-9, err_msg=name)
