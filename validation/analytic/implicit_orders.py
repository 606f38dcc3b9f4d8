# SPDX-License-Identifier: BSD-3-Clause
"""The order of implicit steps of machines whose inertia changes: errors against small explicit steps."""

import numpy as np
import pytest

import knuckleboom as kb

METHODS = {
    "realtime": {"coupling": "realtime"},
    "realtime, reference-point": {"coupling": "realtime", "coordinates": "reference-point"},
    "unified": {"coupling": "unified"},
    "unified, reference-point, sparse": {"coupling": "unified", "coordinates": "reference-point"},
    "unified, damped": {"coupling": "unified", "integrator": "generalised-alpha"},
    "cointegrated": {"coupling": "cointegrated"},
    "cosimulated": {"coupling": "cosimulated"},
    "cosimulated, reference-point": {"coupling": "cosimulated", "coordinates": "reference-point"},
}
every_method = pytest.mark.parametrize("method", METHODS)


def errors(make, path, method, *, small, steps=(2e-3, 1e-3), duration=0.2, **words):
    """Largest errors of a quantity with each step; `small` is the step of the explicit run that counts as exact. Oil
    that has steps of its own makes ten in each, so that its error falls as well.
    """
    words, apart = {"record": 2e-2} | words, METHODS[method]["coupling"] == "cosimulated"
    exact = kb.simulate(make(), duration, step=small, coupling="explicit", **words)[path].values
    found = []
    for step in steps:
        own = {"power_step": step / 10.0} if apart else {}
        run = kb.simulate(make(), duration, step=step, **METHODS[method], **own, **words)
        found.append(float(np.abs(run[path].values - exact).max()))
    return found
