# SPDX-License-Identifier: BSD-3-Clause
"""Ready machines, by name: `kb.catalogue.machine("excavator")` makes one, with the cases it is meant for.

>>> import knuckleboom as kb
>>> machine = kb.catalogue.machine("four-bar")
>>> kb.simulate(machine, "0.1 s", case="swing").status
'done'
"""

from collections.abc import Callable

from knuckleboom.catalogue import (
    andrews,
    bricard,
    concrete_sprayer,
    cosim_arm,
    crane_one_cylinder,
    excavator,
    forwarder_crane,
    four_bar,
    governor,
    gyroscope,
    harvester_25,
    harvester_30,
    mine_loader,
    mobile_crane,
    n_four_bar,
    naya_rod,
    peiret_arm,
    rahikainen_crane,
    slider_crank,
    ylinen_boom,
    ylinen_cylinder,
)
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.names import closest

NAMES: dict[str, Callable[[], Case]] = {  # each makes a machine and returns the case that it is meant for
    "excavator": excavator.excavator,
    "naya-rod": naya_rod.naya_rod,
    "cosim-arm": cosim_arm.cosim_arm,
    "peiret-arm": peiret_arm.peiret_arm,
    "ylinen-cylinder": ylinen_cylinder.ylinen_cylinder,
    "ylinen-boom": ylinen_boom.ylinen_boom,
    "rahikainen-crane": rahikainen_crane.rahikainen_crane,
    "crane-one-cylinder": crane_one_cylinder.crane_one_cylinder,
    "concrete-sprayer": concrete_sprayer.concrete_sprayer,
    "harvester-25": harvester_25.harvester_25,
    "harvester-30": harvester_30.harvester_30,
    "mine-loader": mine_loader.mine_loader,
    "mobile-crane": mobile_crane.mobile_crane,
    "forwarder-crane": forwarder_crane.forwarder_crane,
    "four-bar": four_bar.four_bar,
    "slider-crank": slider_crank.slider_crank,
    "andrews": andrews.andrews,
    "n-four-bar": n_four_bar.n_four_bar,
    "bricard": bricard.bricard,
    "governor": governor.governor,
    "gyroscope": gyroscope.gyroscope,
}

__all__ = ["NAMES", "machine"]


def machine(name: str) -> Machine:
    """Return a ready machine; its cases are in `cases`. An unknown name is a MachineError with the closest."""
    if name not in NAMES:
        near, fix = tuple(closest(name, NAMES)), f"There are {', '.join(NAMES)}."
        raise MachineError([Problem(f"There is no machine '{name}'.", fix=fix, closest=near)], "the catalogue")
    return NAMES[name]().machine
