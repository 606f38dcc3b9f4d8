# SPDX-License-Identifier: BSD-3-Clause
"""Load moment against an independent route: at rest the lift cylinders hold just this, force times lever arm, with the
arm from the law of cosines or from differences of the length; and an applied force adds its own moment.
"""

import math

import numpy as np
import pytest

from cabin.lines import COMPLETE, planned, simulate, start
from knuckleboom.cabin.boom import lifting_rams, load_moment
from knuckleboom.cabin.chain import Chain
from knuckleboom.cabin.load_moment import LoadMoment


def moment_of(name: str) -> LoadMoment:
    found = load_moment(planned(name)[1], start(name))
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMPLETE)
def test_hinge_of_the_boom(name: str) -> None:
    found = moment_of(name)
    assert found.hinge == ("boom_pin" if name == "excavator" else "boom_hinge")
    assert 0.0 < found(start(name)) < found.most


def test_excavator_at_rest_is_held_by_its_boom_cylinders() -> None:
    """F·arm of both cylinders, arm = ∂s/∂q by differences of |eye − foot| in the plane; start pressures hold."""
    from knuckleboom.catalogue import excavator as ex

    def length(angle: float) -> float:
        c, s = math.cos(angle), math.sin(angle)
        (x, z), (at_x, at_z) = ex.BOOM_EYE, ex.BOOM_AT
        return math.dist((at_x + c * x - s * z, at_z + s * x + c * z), ex.BOOM_FOOT)

    q, h = math.radians(ex.BOOM), 1e-6
    arm = (length(q + h) - length(q - h)) / (2 * h)
    case, _ = planned("excavator")
    forces = ex.holding_forces(case.machine)
    held = arm * (forces["boom_left"] + forces["boom_right"])

    assert moment_of("excavator")(start("excavator")) == pytest.approx(held, rel=1e-3)


def test_mobile_crane_at_rest_is_held_by_its_lift_cylinders() -> None:
    """Cylinder forces of the record at rest times arms by differences along a slow lift."""
    case, plan = planned("mobile-crane")
    names = plan.names
    record = simulate("mobile-crane", 3.0, lift_valve=0.3)
    angle = record[:, names["boom_hinge.angle"].columns[0]]
    length = record[:, names["lift_left.length"].columns[0]]
    arm = np.polyfit(angle - angle[0], length, 3)[-2]  # slope at the start
    line = start("mobile-crane")
    force = sum(line[names[f"lift_{side}.force"].columns[0]] for side in ("left", "right"))

    # the machine sways a little on its outriggers; its cylinders have no weight
    assert moment_of("mobile-crane")(line) == pytest.approx(arm * force, rel=0.03)


@pytest.mark.parametrize("name", ["harvester-30", "concrete-sprayer"])
def test_cylinders_with_bodies_of_their_own_are_found(name: str) -> None:
    case, _ = planned(name)
    chain = Chain.of(case.machine)
    assert [ram.name for ram in lifting_rams(chain, "boom_hinge")] == ["lift"]


def test_cylinders_of_the_loader() -> None:
    """The tilt cylinder also lies across the boom's hinge, but holds the bucket."""
    case, _ = planned("mine-loader")
    assert [ram.name for ram in lifting_rams(Chain.of(case.machine), "boom_hinge")] == ["lift_left", "lift_right"]


def test_load_in_the_bucket_counts() -> None:
    """1630 kg at its place: moment = force times the horizontal distance to the boom pin."""
    _, plan = planned("excavator")
    moment, line = moment_of("excavator"), start("excavator").copy()
    empty = moment(line)
    line[plan.names["load.mass"].columns[0]] = 1630.0

    def place(body: str, at: tuple[float, float, float]) -> np.ndarray:
        p = line[list(plan.names[f"{body}.position"].columns)]
        w, *v = line[list(plan.names[f"{body}.orientation"].columns)]
        return p + at + 2 * w * np.cross(v, at) + 2 * np.cross(v, np.cross(v, at))

    reach = place("bucket_shell", (0.70, 0.0, 0.30))[0] - place("upper", (0.05, 0.0, 0.80))[0]
    assert moment(line) - empty == pytest.approx(1630.0 * 9.81 * reach, rel=1e-6)


def test_machine_without_a_boom_has_none() -> None:
    _, plan = planned("ylinen-cylinder")
    assert load_moment(plan, start("ylinen-cylinder")) is None
