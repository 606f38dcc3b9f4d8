# SPDX-License-Identifier: BSD-3-Clause
"""Kernels of what touches, made ready for the machines that have it. Tested in tests/kernels/test_apart.py."""

from __future__ import annotations

from typing import Any

from knuckleboom.apart import make_ready
from knuckleboom.interface import (
    bounded_ground,
    bounded_limits,
    bounded_pairs,
    contact,
    ground_slopes,
    ground_tangent,
    pair_slopes,
    pair_tangent,
    pairs,
    tire,
)
from knuckleboom.kernels import announced_as

INDEX, NUMBER = 0, 0.0
"""For their types."""


def compile_touching(plan: Any, work: Any) -> None:
    """Let machine code call what the contacts, tires and pairs of this plan need."""
    with announced_as("contact"):
        for present, kind in ((plan.touch, contact), (plan.tire, tire), (plan.pairs, pairs)):
            if len(present.index) > 0:
                own = {contact: bounded_ground, pairs: bounded_pairs}.get(kind) if plan.touch.held[0] == 1 else None
                if own is None:
                    make_ready(kind.act, plan, work)
                else:
                    make_ready(own.find, plan, work)
                    make_ready(own.hold, plan, work)
                make_ready(kind.observe, plan, work, INDEX, INDEX, work.control.line)
        if len(plan.touch.limit) > 0:
            make_ready(bounded_limits.hold, plan, work)
        if work.tableau:
            make_tangents_ready(plan, work)
        if work.newton:
            make_slopes_ready(plan, work)


def make_tangents_ready(plan: Any, work: Any) -> None:
    """Those of linearly implicit steps."""
    v, x, tangent, met = work.state.v, work.state.x, work.tangent, work.pairs
    if len(plan.touch.chain) > 0:
        make_ready(ground_tangent.add_to_mass, plan, NUMBER, NUMBER, work, tangent)
        make_ready(ground_tangent.eliminate, plan, NUMBER, v, x, tangent, x, v)
        make_ready(ground_tangent.restore, plan, v, tangent, x)
        make_ready(ground_tangent.take_from_momentum, plan, tangent, v)
    if len(plan.pairs.index) > 0:
        make_ready(pair_tangent.add_to_mass, plan, NUMBER, NUMBER, work, tangent)
        make_ready(pair_tangent.eliminate, plan, NUMBER, v, x, met, tangent, x, v)
        make_ready(pair_tangent.restore, plan, v, met, tangent, x)
        make_ready(pair_tangent.take_from_momentum, plan, met, tangent, v)


def make_slopes_ready(plan: Any, work: Any) -> None:
    """Those of implicit steps."""
    v, x, newton = work.state.v, work.state.x, work.newton
    if len(plan.touch.chain) > 0:
        make_ready(ground_slopes.add_slopes, plan, plan.newton, NUMBER, NUMBER, work, newton, newton.J)
        make_ready(ground_slopes.eliminate, plan, NUMBER, work, newton, x, v)
        make_ready(ground_slopes.add_motion, plan, NUMBER, NUMBER, v, work, newton, x)
    if len(plan.pairs.index) > 0:
        make_ready(pair_slopes.add_slopes, plan, plan.newton, NUMBER, NUMBER, work, newton, newton.J)
        make_ready(pair_slopes.eliminate, plan, plan.newton, NUMBER, work, newton, x, v)
        make_ready(pair_slopes.add_motion, plan, plan.newton, NUMBER, NUMBER, v, work, newton, x)
