# SPDX-License-Identifier: BSD-3-Clause
"""Settings for all tests.

Hypothesis has no deadline, since the first example of a test may compile, and its examples are the same in every run: a
failure seen once is seen again. Another seed is tried with ``pytest --hypothesis-seed=1 --hypothesis-profile=random``.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ["MPLBACKEND"] = "Agg"  # no window, whatever the machine

settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
