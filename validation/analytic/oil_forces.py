# SPDX-License-Identifier: BSD-3-Clause
"""Force of a cylinder by hand, from what a state says of its pressures."""

from knuckleboom.catalogue.standing_cylinder import AMBIENT, areas


def oil_force(state, name, sizes):
    """Force of a cylinder's oil, N, positive when it extends; sizes begin with the diameters of bore and rod, m."""
    area_a, area_b = areas(sizes[0], sizes[1])
    return area_a * (state[f"{name}.a.pressure"] - AMBIENT) - area_b * (state[f"{name}.b.pressure"] - AMBIENT)
