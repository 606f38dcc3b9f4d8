# SPDX-License-Identifier: BSD-3-Clause
"""Ready machines, by name: `kb.catalogue.NAMES["excavator"]()` returns the machine with the run it is meant for."""

from collections.abc import Callable

from knuckleboom.catalogue import (
    andrews,
    bricard,
    concrete_sprayer,
    crane_one_cylinder,
    excavator,
    four_bar,
    governor,
    gyroscope,
    harvester_25,
    harvester_30,
    mine_loader,
    mobile_crane,
    n_four_bar,
    naya_rod,
    rahikainen_crane,
    slider_crank,
    ylinen_boom,
    ylinen_cylinder,
)
from knuckleboom.catalogue.case import Case

NAMES: dict[str, Callable[[], Case]] = {
    "excavator": excavator.excavator,
    "naya-rod": naya_rod.naya_rod,
    "ylinen-cylinder": ylinen_cylinder.ylinen_cylinder,
    "ylinen-boom": ylinen_boom.ylinen_boom,
    "rahikainen-crane": rahikainen_crane.rahikainen_crane,
    "crane-one-cylinder": crane_one_cylinder.crane_one_cylinder,
    "concrete-sprayer": concrete_sprayer.concrete_sprayer,
    "harvester-25": harvester_25.harvester_25,
    "harvester-30": harvester_30.harvester_30,
    "mine-loader": mine_loader.mine_loader,
    "mobile-crane": mobile_crane.mobile_crane,
    "four-bar": four_bar.four_bar,
    "slider-crank": slider_crank.slider_crank,
    "andrews": andrews.andrews,
    "n-four-bar": n_four_bar.n_four_bar,
    "bricard": bricard.bricard,
    "governor": governor.governor,
    "gyroscope": gyroscope.gyroscope,
}

__all__ = ["NAMES", "Case"]
