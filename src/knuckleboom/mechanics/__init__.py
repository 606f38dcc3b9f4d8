# SPDX-License-Identifier: BSD-3-Clause
"""Mechanics: bodies and joints in joint coordinates, loops closed by constraint rows. Knows nothing of oil."""
