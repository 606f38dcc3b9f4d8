# SPDX-License-Identifier: BSD-3-Clause
"""What fills a volume: one loop per kind of oil, and gas. This file is the list of kinds.

Every node with a volume has a strain e as its state and a pressure p(e). Walls of compliance C = Σ V_j/B_j [m³/Pa]
make room for more oil: V = V_geometric + C (p − p_ambient), and

    ė = (ΣQ − V̇_geometric)/(V + C dp/de)            the bulk modulus of a volume [Baharudin 2016, publ. IV eq. 15] in e

For gas V is that of the whole accumulator, e the part of it that oil fills, and walls are rigid.
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.gas_spring import energy_gas, gas_spring
from knuckleboom.laws.oil_cavitating import curvature_cavitating, energy_cavitating, oil_cavitating
from knuckleboom.laws.oil_constant import energy_constant, oil_constant
from knuckleboom.laws.oil_naya import curvature_naya, energy_naya, oil_naya
from knuckleboom.laws.oil_with_air import curvature_with_air, energy_with_air, oil_with_air
from knuckleboom.solvers.vectors import fill

NAYA, CAVITATING, CONSTANT_BULK, WITH_AIR, GAS, SOURCE = 0, 1, 2, 3, 4, 5  # kinds of nodes; all but the last strain
KINDS = 6


@kernel
def strain_pressures(plan_oil, x, p, slope):
    """Fill p [Pa] and dp/de of all nodes with a strain x. Writes p, slope."""
    number, first = plan_oil.node_number, plan_oil.node_first
    for i in range(first[NAYA], first[NAYA + 1]):
        p[i], slope[i] = oil_naya(x[i], number[i, 1], number[i, 2])
    for i in range(first[CAVITATING], first[CAVITATING + 1]):
        p[i], slope[i] = oil_cavitating(x[i], number[i, 1], number[i, 2], number[i, 3])
    for i in range(first[CONSTANT_BULK], first[CONSTANT_BULK + 1]):
        p[i], slope[i] = oil_constant(x[i], number[i, 1])
    for i in range(first[WITH_AIR], first[WITH_AIR + 1]):
        p[i], slope[i] = oil_with_air(x[i], number[i, 1], number[i, 2], number[i, 3], number[i, 4], number[i, 5])
    for i in range(first[GAS], first[GAS + 1]):
        p[i], slope[i] = gas_spring(x[i], number[i, 1], number[i, 2], number[i, 3])


@kernel
def add_walls(plan_oil, x, oil):
    """Add what walls give way to V, and fill d²p/de² of the nodes that have such walls. Writes oil."""
    number, first, elastic = plan_oil.node_number, plan_oil.node_first, plan_oil.node_elastic
    for i in range(first[SOURCE]):
        oil.p_curve[i] = 0.0
        if elastic[i] > 0.0:
            oil.V[i] += elastic[i] * oil.gauge[i]
    for i in range(first[NAYA], first[NAYA + 1]):
        if elastic[i] > 0.0:
            oil.p_curve[i] = curvature_naya(x[i], number[i, 1], number[i, 2])
    for i in range(first[CAVITATING], first[CAVITATING + 1]):
        if elastic[i] > 0.0:
            oil.p_curve[i] = curvature_cavitating(x[i], number[i, 1], number[i, 3])
    for i in range(first[WITH_AIR], first[WITH_AIR + 1]):
        if elastic[i] > 0.0:
            oil.p_curve[i] = curvature_with_air(
                x[i], number[i, 1], number[i, 2], number[i, 3], number[i, 4], number[i, 5]
            )


@kernel
def densities(plan_oil, x, p, needed, density):
    """Elastic energy of 1 m³ [J] of each volume for which `needed` is not 0, else 0. Writes density."""
    number, first, ambient = plan_oil.node_number, plan_oil.node_first, plan_oil.ambient[0]
    fill(0.0, density)
    for i in range(first[NAYA], first[NAYA + 1]):
        if needed[i] != 0.0:
            density[i] = energy_naya(p[i], ambient, number[i, 1], number[i, 2])
    for i in range(first[CAVITATING], first[CAVITATING + 1]):
        if needed[i] != 0.0:
            density[i] = energy_cavitating(p[i], ambient, number[i, 1], number[i, 2], number[i, 3])
    for i in range(first[CONSTANT_BULK], first[CONSTANT_BULK + 1]):
        if needed[i] != 0.0:
            density[i] = energy_constant(p[i], ambient, number[i, 1])
    for i in range(first[WITH_AIR], first[WITH_AIR + 1]):
        if needed[i] != 0.0:
            density[i] = energy_with_air(
                p[i], ambient, number[i, 1], number[i, 2], number[i, 3], number[i, 4], number[i, 5]
            )
    for i in range(first[GAS], first[GAS + 1]):
        if needed[i] != 0.0:
            density[i] = energy_gas(x[i], ambient, number[i, 1], number[i, 2], number[i, 3])


@kernel
def growth_powers(plan_oil, x, at, oil, power):
    """From power[at] on, the part V̇ ψ of the elastic energy V ψ of each volume that comes with its growth. ψ takes a
    logarithm: it is computed only for volumes that grow. Writes oil, power.
    """
    volumes = plan_oil.node_first[SOURCE]
    for i in range(volumes):
        power[at + i] = oil.growth[i] + plan_oil.node_elastic[i] * oil.p_slope[i] * oil.x_dot[i]
    densities(plan_oil, x, oil.p, power[at:], oil.density)
    for i in range(volumes):
        power[at + i] *= oil.density[i]


@kernel
def stored_energies(plan_oil, x, oil):
    """Fill the elastic energy V ψ of each volume with that of its walls. Writes oil."""
    # of all volumes: none has room 0
    densities(plan_oil, x, oil.p, oil.room, oil.density)
    for i in range(plan_oil.node_first[SOURCE]):
        wall = 0.5 * plan_oil.node_elastic[i] * oil.gauge[i] * oil.gauge[i]
        oil.energy[i] = oil.V[i] * oil.density[i] + wall
