# SPDX-License-Identifier: BSD-3-Clause
"""The couplings that validations go through: of oil, each with a step that is usual for it, and of what touches."""

import pytest

STEPS = {"explicit": 1e-4, "unified": 1e-3, "cointegrated": 1e-3, "realtime": 1e-3, "cosimulated": 1e-3}
every_coupling = pytest.mark.parametrize("coupling", STEPS)
touching_couplings = pytest.mark.parametrize("coupling", ["realtime", "unified", "cointegrated"])
