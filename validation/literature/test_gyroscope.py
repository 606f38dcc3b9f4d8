# SPDX-License-Identifier: BSD-3-Clause
"""Heavy top of Brüls, Cardona and Arnold (2012), two seconds: nutation through the lower vertical.

References (bench/references/gyroscope.py): the height as an elliptic function of time, rank closed form; the axis by
one vector equation at 1e-12, rank independent formulation, which agrees with the closed form to 1e-10. Also five
printed digits of the angular velocity by another program (Exudyn, see data/iftomm). Tolerance: RK4's error at 0.1 ms.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import gyroscope as reference
from knuckleboom.catalogue import NAMES
from literature.mechanisms import outcome, printed


@pytest.fixture(scope="module")
def run():
    case = NAMES["gyroscope"]()
    return kb.simulate(case.machine, case.duration, step=case.step, record=1e-3)


def test_references_agree():
    times = np.linspace(0.0, 2.0, 401)
    assert reference.path(times)[:, 2] == pytest.approx(reference.height(times), abs=1e-10)


def test_height_in_closed_form(run):
    centre = run["top.centre.position"]
    assert centre.values[:, 2] == pytest.approx(reference.height(np.asarray(centre.time)), abs=2e-7)
    assert centre.values[:, 2].min() < -1.0 + 1e-3  # straight down


def test_position():
    result = outcome("gyroscope")
    assert result["position_error"] < 2e-7
    assert result["energy_drift"] < 5e-6  # J, of 5400 J


def test_printed_angular_velocity(run):
    table = printed("heavy_top_exudyn.csv")
    found = run["ball.angular_velocity"].values[np.rint(table["time"] / 1e-3).astype(int)]
    expected = np.stack([table["x"], table["y"], table["z"]], axis=1)
    assert np.abs(found - expected).max() < 6e-5  # half of the last printed digit


def test_lagrange_constants(run):
    """Spin about the axis and angular momentum about the vertical stay."""
    omega = run["ball.angular_velocity"].values
    assert np.ptp(omega[:, 1]) < 1e-9
    centre, velocity = run["top.centre.position"].values, run["top.centre.velocity"].values
    vertical = reference.A * np.cross(centre, velocity)[:, 2] + reference.ALONG * omega[:, 1] * centre[:, 2]
    assert np.ptp(vertical) < 1e-4 * np.abs(reference.A * reference.PRECESSION)
