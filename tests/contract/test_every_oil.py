# SPDX-License-Identifier: BSD-3-Clause
"""What holds for everything that fills a volume, each oil and gas, with rigid walls and with such that give way:
pressure rises with strain, slopes and curvatures are derivatives, and the energy kept is the work that was done.

Evidence: differences of order 4 and the identity of power, (p − p₀)·ΣQ = d(V ψ + ½ C (p − p₀)²)/dt − ψ dV/dt, of one
evaluation of the engine with a volume of each kind; the laws on their own are tested in tests/laws.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.describe import OilName, Part, Port, param
from knuckleboom.engine.run import run_explicit
from knuckleboom.hydraulics import oil_laws
from knuckleboom.kernels import plain
from knuckleboom.layout import OK, PLAN_FIELDS, schedule_family
from knuckleboom.plan.network import FLUIDS, STRAINS

WIDTH = {name: shape[-1] for name, shape, _, _ in PLAN_FIELDS}
H = 1e-6
"""Step of the differences: narrow beside every law's bends, 2e-4 of strain and more."""
PRESSURES = np.concatenate([np.geomspace(2e4, 6e7, 60), [101325.0]])  # Pa
FILLINGS = {
    "naya": kb.fluids.naya(), "cavitating": kb.fluids.mineral_oil(vapour="0.05 bar"), "constant": kb.fluids.constant(),
    "air": kb.fluids.with_air(kb.fluids.mineral_oil(vapour="0.05 bar"), "1 %"),
}  # fmt: skip


class Filled(Part):
    """A rigid volume and one whose walls give way, both with a leak to a tank."""

    PORTS = ("rigid", "soft")
    oil: OilName = param("the oil")
    tank: Port = param("the tank")

    def expand(self, net):
        net.oil(self.oil)
        rigid, soft = self.ports()
        net.volume(rigid, 1e-3, 20e5)
        net.volume(soft, 1e-3, 20e5, elastic=2e-12)
        net.laminar(rigid, self.tank, conductance=1e-12, name="rigid")
        net.laminar(soft, self.tank, conductance=1e-12, name="soft")


class Gas(Part):
    """The gas of an accumulator, with a leak to a tank."""

    PORTS = ("gas",)
    oil: OilName = param("the oil")
    tank: Port = param("the tank")

    def expand(self, net):
        net.oil(self.oil)
        net.gas(self.port("gas"), 1e-3, precharge=30e5, exponent=1.3, start=55e5)
        net.laminar(self.port("gas"), self.tank, conductance=1e-12)


@pytest.fixture(scope="module")
def planned():
    m = kb.Machine("fillings")
    for law, fluid in FILLINGS.items():
        oil = m.oil(law, fluid)
        tank = oil.tank(f"{law}_tank")
        m.put(Filled(name=f"{law}_filled", oil=oil, tank=tank))
    m.put(Gas(name="accumulator", oil=oil, tank=tank))
    return kb.build(m, coupling="explicit")


@pytest.fixture(scope="module")
def strains(planned):
    """Strain of every node at each of the pressures."""
    table = planned.plan.oil
    found = np.zeros((len(PRESSURES), planned.layout.nvolume))
    for kind, strain in STRAINS.items():
        count = len(inspect.signature(plain(strain)).parameters)
        for i in range(table.node_first[kind], table.node_first[kind + 1]):
            found[:, i] = [plain(strain)(p, *table.node_number[i, 1:count]) for p in PRESSURES]
    return found


def evaluated(planned, strain):
    """The oil where a line is recorded at a strain of each node: copies of what is asked for."""
    planned.work.state.x[:] = strain
    one, nothing = np.zeros(1, np.int64), np.zeros(0)
    inputs, motions = np.zeros((1, 3, len(planned.layout.inputs))), np.zeros((1, 0, 3))
    record = np.zeros((1, planned.work_size["nrecord"]))
    # no step, but a line of the record: an evaluation, and the energies that are stored
    schedule = schedule_family(np.zeros(1), nothing, inputs, motions, one, one, record)
    ended = run_explicit(planned.plan, planned.work, schedule, 0)
    assert ended == (OK, 0)
    n = len(strain)
    names = ("p", "gauge", "p_slope", "p_curve", "V", "room", "energy", "Q_net", "x_dot")
    return {name: np.array(getattr(planned.work.oil, name)[:n]) for name in names}


def slope(planned, strain, name):
    """Derivative of a quantity of each node by its own strain."""
    one, two = (
        evaluated(planned, strain + k * H)[name] - evaluated(planned, strain - k * H)[name] for k in (1.0, 2.0)
    )  # fmt: skip
    return (8.0 * one - two) / (12.0 * H)  # of order 4


def test_there_is_a_volume_of_every_kind_and_room_for_all(planned):
    assert FILLINGS.keys() == FLUIDS.keys()
    assert (np.diff(planned.plan.oil.node_first) > 0).all()
    assert STRAINS.keys() == set(range(oil_laws.SOURCE))
    assert WIDTH["oil.node_first"] == oil_laws.KINDS + 1
    assert all(1 + len(columns) <= WIDTH["oil.node_number"] for _, columns in FLUIDS.values())


def test_pressure_is_the_inverse_of_the_strain_and_rises(planned, strains):
    for pressure, strain in zip(PRESSURES, strains, strict=True):
        oil = evaluated(planned, strain)
        assert oil["p"] == pytest.approx(np.full(len(strain), pressure), rel=1e-9)
        assert (oil["p_slope"] > 0.0).all()
    assert (np.diff(strains[:-1], axis=0) > 0.0).all()


def test_slopes_and_curvatures_are_derivatives(planned, strains):
    """Curvatures are there where walls give way; rounding of p is 1e-16·p/(H β), some 1e-11 of the slope."""
    soft = planned.plan.oil.node_elastic[: planned.layout.nvolume] > 0.0
    assert soft.sum() == len(FILLINGS)
    for strain in strains:
        oil = evaluated(planned, strain)
        assert slope(planned, strain, "p") == pytest.approx(oil["p_slope"], rel=2e-6)
        bend = slope(planned, strain, "p_slope")[soft]
        assert bend == pytest.approx(oil["p_curve"][soft], rel=1e-5, abs=10.0)  # rounding of β is 1e-16·β/H


def test_walls_make_room_and_energy_is_the_work_done(planned, strains):
    elastic = planned.plan.oil.node_elastic[: planned.layout.nvolume]
    for strain in strains:
        oil = evaluated(planned, strain)
        assert oil["V"] == pytest.approx(1e-3 + elastic * oil["gauge"], rel=1e-14)
        assert oil["room"] == pytest.approx(oil["V"] + elastic * oil["p_slope"], rel=1e-14)
        assert oil["x_dot"] * oil["room"] == pytest.approx(oil["Q_net"], rel=1e-14)

        density = (oil["energy"] - 0.5 * elastic * oil["gauge"] ** 2) / oil["V"]
        work = slope(planned, strain, "energy") - elastic * oil["p_slope"] * density
        size = np.abs(oil["gauge"]) + 1e-6 * oil["p_slope"]
        assert np.abs(work - oil["gauge"] * oil["room"]).max() <= 2e-6 * (size * oil["room"]).max()
        assert (np.abs(work - oil["gauge"] * oil["room"]) <= 1e-5 * size * oil["room"]).all()


def test_energy_is_least_at_ambient_pressure(planned, strains):
    """Zero there for oils; gas counts from empty."""
    gas = planned.plan.oil.node_first[oil_laws.GAS]
    assert evaluated(planned, strains[-1])["energy"][:gas] == pytest.approx(np.zeros(gas), abs=1e-9)
    for strain in strains:
        assert (evaluated(planned, strain)["energy"][:gas] >= -1e-9).all()
