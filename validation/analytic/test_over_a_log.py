# SPDX-License-Identifier: BSD-3-Clause
"""examples/over_a_log.py: harvester-25 is driven over a ridge of 0.3 m, which lifts one pair of wheels after the other.

The drive's work against torque times angle (closed form, 0.01 %), the same at a quarter of the step (second run of our
own), the energy audit, and a torque that is too small: it stands before the ridge.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).parents[2] / "examples" / "over_a_log.py"


def example():
    spec = importlib.util.spec_from_file_location("over_a_log", FILE)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


LOG = example()


@pytest.fixture(scope="module")
def run():
    return LOG.driven()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The oil at:RuntimeWarning")
class TestOverALog:
    def test_it_gets_over_and_on(self, run):
        tops = []
        for name in LOG.WHEELS:
            place = run[f"wheel_{name}.position"].values
            rise = place[:, 2] - place[0, 2]
            tops.append(place[rise.argmax(), 0])
            # tires take a part of the ridge
            assert 0.2 < rise.max() < LOG.HEIGHT
            assert place[-1, 0] > LOG.LOG + 1.0 and abs(rise[-1]) < 0.02
        # highest where the ridge is, whatever the wheel
        assert np.abs(np.array(tops) - LOG.LOG).max() < 0.4
        assert run["front_frame.position"].values[:, 1] == pytest.approx(0.0, abs=1e-3)

    def test_work_and_energy(self, run):
        middles = 0.5 * (run.time[1:] + run.time[:-1])
        torque = np.interp(middles, [0.0, 0.5], [0.0, LOG.TORQUE])
        work = sum(float(torque @ np.diff(run[f"wheel_{name}_axle.angle"].values)) for name in LOG.WHEELS)
        energy = run.energy()
        assert sum(energy.applied.values()) == pytest.approx(work, rel=1e-4)
        assert abs(energy.residual) < 1e-3 * work

    def test_as_at_a_quarter_of_the_step(self, run):
        fine = LOG.driven(step="0.25 ms")
        assert np.abs(run["front_frame.position"].values - fine["front_frame.position"].values).max() < 5e-3
        assert abs(fine.energy().residual) < 0.2 * abs(run.energy().residual)

    def test_a_small_torque_does_not_get_it_over(self):
        stuck = LOG.driven(14.0, torque=1.5e3)
        stands, foremost = stuck["front_frame.position"].values[:, 0], stuck["wheel_left_1.position"].values[:, 0]
        assert stands[-1] == pytest.approx(stands[-400], abs=0.01) and foremost[-1] < LOG.LOG
        assert abs(stuck.energy().residual) < 1e-3 * sum(stuck.energy().applied.values())
