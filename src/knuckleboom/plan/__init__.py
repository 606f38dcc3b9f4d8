# SPDX-License-Identifier: BSD-3-Clause
"""Plan: from a Machine to Plan, Work and Names."""

from knuckleboom.plan.planned import Planned, build

__all__ = ["Planned", "build"]
