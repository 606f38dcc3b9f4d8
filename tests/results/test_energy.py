# SPDX-License-Identifier: BSD-3-Clause
"""Energy audit: its sums, its table and its stable keys, on a lift whose energies are known."""

import json
from dataclasses import replace

import pytest

from knuckleboom.results import EnergyAudit, Stored


def lift_audit() -> EnergyAudit:
    """A pump lifts a boom by 1200 J through a valve that eats 299 J; 1 J is missing."""
    return EnergyAudit(
        stored={"kinetic": (0.0, 4.0), "potential": (-200.0, 1000.0), "oil": (12.0, 8.0)},
        supplied={"pump": 1500.0, "tank": -10.0},
        applied={"wind": 10.0},
        dissipated={"spool.PA": 250.0, "lift": 49.0},
        machine="lifting boom",
        end_time=10.0,
    )


def test_sums_and_residual():
    audit = lift_audit()
    assert audit.stored["potential"] == Stored(-200.0, 1000.0, 1200.0)
    assert audit.stored["elastic"] == Stored(0.0, 0.0, 0.0)
    assert audit.change == 1200.0
    assert audit.work_done == 1520.0
    assert audit.residual == 1200.0 + 299.0 - 1490.0 - 10.0
    assert audit.relative_residual == pytest.approx(1.0 / 1520.0)


def test_an_undriven_machine_is_judged_by_what_moved_between_its_stores():
    pendulum = EnergyAudit({"kinetic": (0.0, 5.0), "potential": (0.0, -5.0 + 1e-6)})
    assert pendulum.work_done == pytest.approx(10.0)
    assert pendulum.relative_residual == pytest.approx(1e-7)


def test_a_machine_at_rest_has_no_relative_residual():
    rest = EnergyAudit({})
    assert rest.residual == 0.0
    assert rest.relative_residual is None
    assert "work done" not in str(rest)


def test_a_given_change_is_kept():
    audit = EnergyAudit({"kinetic": (1e9, 1e9, 1e-6)})
    assert audit.change == 1e-6


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match="no form 'magnetic'; the forms are kinetic, potential, elastic, oil"):
        EnergyAudit({"magnetic": (0.0, 1.0)})


def test_what_exchanges_made_is_a_line_of_its_own():
    audit = replace(lift_audit(), exchanged=-0.75)
    lines = str(audit).splitlines()

    assert [line.split() for line in lines[-3:]] == [
        ["residual", "-1.000"], ["made", "by", "exchanges", "-0.750"], ["residual", "/", "work", "done", "6.58e-04"]
    ]  # fmt: skip
    assert audit.residual == lift_audit().residual and audit.to_dict()["exchanged"] == -0.75
    assert "exchanges" not in str(lift_audit()) and lift_audit().to_dict()["exchanged"] is None


def test_table():
    assert str(lift_audit()) == (
        "Energy of 'lifting boom' from 0 s to 10 s, J\n"
        "\n"
        "stored                                     start           end        change\n"
        "  kinetic                                      0         4.000         4.000\n"
        "  potential                             -200.000      1000.000      1200.000\n"
        "  elastic                                      0             0             0\n"
        "  oil                                     12.000         8.000        -4.000\n"
        "  sum                                   -188.000      1012.000      1200.000\n"
        "supplied by\n"
        "  pump                                                              1500.000\n"
        "  tank                                                               -10.000\n"
        "  sum                                                               1490.000\n"
        "applied by\n"
        "  wind                                                                10.000\n"
        "dissipated in\n"
        "  spool.PA                                                           250.000\n"
        "  lift                                                                49.000\n"
        "  sum                                                                299.000\n"
        "residual                                                              -1.000\n"
        "residual / work done                                                6.58e-04"
    )


@pytest.mark.parametrize(("size", "unit"), [(1.0, "J"), (99e3, "J"), (100e3, "kJ"), (99e6, "kJ"), (100e6, "MJ")])
def test_one_unit_for_the_whole_table(size, unit):
    heading = str(EnergyAudit({"kinetic": (0.0, size)})).splitlines()[0]
    assert heading.endswith(f", {unit}")


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e4, 1e9, 1e30])
def test_table_fits_80_columns_whatever_the_names_and_numbers(size):
    name = "left.front.bogie.suspension.cylinder.counterbalance.valve"
    audit = EnergyAudit({"kinetic": (-size, size)}, {name: size}, {name: -size}, {name: size})
    assert max(len(line) for line in str(audit).splitlines()) <= 80


def noisy_audit() -> EnergyAudit:
    """1000 J of work done; two parts below 1 J, a spring of the stand that takes the most."""
    lost = {"stand_left": 600.0, "hose": 0.4, "spool": 100.0, "stop": -0.3, "lift": 300.0, "stand_right": 0.9}
    return EnergyAudit({}, {"pump": 1000.0}, {}, lost, springs=frozenset({"stand_left", "stand_right"}))


def test_rows_by_size_noise_folded_springs_last():
    assert noisy_audit().shown_rows("dissipated") == [
        ("lift", 300.0), ("spool", 100.0), ("3 others, each below 0.1 %", pytest.approx(1.0)), ("stand_left", 600.0)
    ]  # fmt: skip
    assert sum(value for _, value in noisy_audit().shown_rows("dissipated")) == pytest.approx(1001.0)
    assert len(noisy_audit().to_dict()["dissipated"]) == 6
    assert "3 others, each below 0.1 %" in str(noisy_audit())


def test_a_machine_that_stands_still_has_no_share_of_its_work():
    audit = EnergyAudit({"potential": (1006.0, 1006.0), "oil": (0.0, 1.1e-16)})

    assert audit.relative_residual is None
    assert "work done" not in str(audit)


def test_a_single_small_row_keeps_its_name():
    audit = EnergyAudit({}, {"pump": 1000.0}, {}, {"spool": 999.9, "lift": 0.1})
    assert audit.shown_rows("dissipated") == [("spool", 999.9), ("lift", 0.1)]


def test_dictionary_is_plain():
    audit = lift_audit()
    data = json.loads(json.dumps(audit.to_dict(), allow_nan=False))
    assert list(data) == [
        "machine", "unit", "start_time", "end_time", "stored", "stored_change", "supplied", "supplied_sum",
        "shafts", "applied", "applied_sum", "dissipated", "dissipated_sum", "work_done", "residual",
        "exchanged",
        "relative_residual",
    ]  # fmt: skip
    assert list(data["stored"]) == ["kinetic", "potential", "elastic", "oil"]
