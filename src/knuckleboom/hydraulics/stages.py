# SPDX-License-Identifier: BSD-3-Clause
"""Stages of an evaluation that hydraulics offers: flow and power. See mechanics/stages.py."""

from knuckleboom.hydraulics import network
from knuckleboom.kernels import shared_kernel


@shared_kernel
def flow(plan, work):
    """From strains, spools and inputs to pressures, openings, flows and ẋ. Return a status. Writes work."""
    u, x, oil = work.state.u, work.state.x, work.oil
    network.pressures(plan.oil, u, x, oil)
    network.openings(plan.oil, u, x, oil.opening, oil.opening_slope)
    network.flows(plan.oil, oil)
    return network.rates(plan.oil, u, x, oil, work.state.fault)


@shared_kernel
def power(plan, work):
    """What branches and nodes do. Writes work."""
    network.powers(plan.oil, work.state.x, work.oil, work.oil.power)
