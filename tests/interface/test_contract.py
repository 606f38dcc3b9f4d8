# SPDX-License-Identifier: BSD-3-Clause
"""The kernels that are made of an element's declaration, as plain Python on small families, beside the same sums and
places written by hand. The code itself is a golden text for two of them: rank, remembered values.

A made-up element has everything that a declaration may have: two rows, one that it reads, two states, signals of which
one may be a column, a mode and a supply.
"""

from __future__ import annotations

import linecache
import types
from collections import namedtuple

import numpy as np
import pytest

from kernel_call import callable_kernel
from knuckleboom.interface import contract
from knuckleboom.interface.contract import Element, Mode, State
from knuckleboom.interface.elements import bristle, efficiency, friction, push, servo, spring, stop
from knuckleboom.interface.forces import KINDS
from knuckleboom.kernels import kernel
from knuckleboom.laws.curve import curve_numbers
from knuckleboom.plan.network import plain

Forces = namedtuple("Forces", "first index number more curve chamber_index")
Rows = namedtuple("Rows", "s w force stiffness damping single block bias")
Oil = namedtuple("Oil", "gauge area area_slope push")


def forces_of(lines, numbers, first, more=(), curve=(0.0,), chambers=((0, 0, 0, 0),)):
    """A family of elements; each line has the columns of plan_forces.index by name."""
    index = np.full((len(lines), 9), -1)
    for i, line in enumerate(lines):
        for name, value in line.items():
            index[i, getattr(contract, name)] = value
    return Forces(
        np.array(first), index, np.array(numbers, float), np.array(more or (0,)), np.array(curve, float),
        np.array(chambers),
    )  # fmt: skip


def rows_of(count, singles=1, blocks=1):
    """Rows that move, without forces."""
    s, w = 0.1 + 0.3 * np.arange(count), 0.7 - 0.4 * np.arange(count)
    zeros = [np.zeros(count) for _ in range(3)]
    return Rows(s, w, *zeros, np.full((singles, 3), np.nan), np.full(blocks, np.nan), np.zeros(count))


def oil_of(gauge=(0.0,), area=(0.0,), slope=(0.0,)):
    return Oil(np.array(gauge), np.array(area), np.array(slope), np.array(area))


def code_of(title, module):
    """The lines that were made for an element, as a debugger finds them."""
    return "".join(linecache.getlines(f"<{title} of {contract.name_of(module)}>"))


# --- a made-up element ------------------------------------------------------------------------------------------------


@kernel
def law(
    s_along, s_across, w_along, w_across, force_normal, bend, turn, wanted, pull, stuck, gain, round_
):  # fmt: skip
    along = gain * s_along + 2.0 * s_across + 3.0 * w_along - 4.0 * w_across + 5.0 * bend * turn + pull * force_normal
    across = 6.0 * s_along * s_along - 7.0 * w_across + round_ * bend + 8.0 * force_normal + stuck
    return (
        (along, across),
        (gain, 2.0, 12.0 * s_along, 0.0),
        (3.0, -4.0, 0.0, -7.0),
        (5.0 * turn, 5.0 * bend, round_, 0.0),
        (pull, 8.0),
        (wanted - bend * turn, s_across * w_along),
        (-turn, -bend, 0.0, 0.0),
        (0.0, 0.0, 0.0, w_along),
        (0.0, 0.0, s_across, 0.0),
    )


@kernel
def stored(s_along, turn, gain):
    return gain * s_along + turn


@kernel
def supplied(wanted, pull, bend):
    return wanted * pull + bend


def module_of(name, **members):
    """The module of an element that is no file."""
    module = types.ModuleType(f"somewhere.{name}")
    vars(module).update(members)
    return module


TOY = module_of(
    "toy", law=law, stored=stored, supplied=supplied,
    ELEMENT=Element(
        gives=("force", "by_s", "by_w", "by_z", "by_force", "rate", "rate_z", "rate_s", "rate_w"),
        columns=("gain", "pull", "round"), rows=("along", "across"), reads=("normal",),
        states=(State("bend", "one"), State("turn", "another")), signals=("wanted", "pull"),
        modes=(Mode("stuck", "1 when it sticks"),),
        account=contract.SUPPLIED,
    ),
)  # fmt: skip


def toys():
    """Two toys of kind 1 after one element of another kind: all arguments of `act`, and the arguments of each law."""
    lines = [
        {},
        {"ROW": 3, "SIGNAL": 0, "STATE": 1, "BLOCK": 0, "MORE": 0, "SUPPLY": 4, "MODE": 1},
        {"ROW": 1, "SIGNAL": 1, "STATE": 3, "BLOCK": 32, "MORE": 3, "SUPPLY": 3, "MODE": 0},
    ]
    numbers = [(np.nan,) * 3, (10.0, 20.0, 30.0), (11.0, np.nan, 31.0)]
    # the pull of the second is signal 2, a state after two inputs; of the first there is none
    plan = forces_of(lines, numbers, (0, 1, 3), more=(1, 4, -1, 0, 2, 2))
    rows = rows_of(5, blocks=64)
    rows.force[:], rows.stiffness[:], rows.damping[:] = np.arange(5.0), 40.0 + np.arange(5.0), 50.0 + np.arange(5.0)
    u, x, modes = np.array([0.25, 0.5]), np.array([60.0, 0.2, 0.4, 0.6, 0.8]), np.array([70.0, 71.0])
    return plan, u, x, modes, oil_of(), rows, np.full(5, np.nan)


def by_hand(rows, state, signals, mode, columns, places):
    """What the law of a toy gives; places are those of its rows."""
    (along, across, normal), (wanted, pull), (gain, round_) = places, signals, columns
    arguments = (rows.s[along], rows.s[across], rows.w[along], rows.w[across], rows.force[normal])
    return plain(law)(*arguments, *state, wanted, pull, mode, gain, round_)


def scattered(rows, given, places):
    """Add what a law gave to its rows, and return its power and its block."""
    force, by_s, by_w, by_z, by_force, _, rate_z, rate_s, rate_w = (np.array(one) for one in given)
    by_s, by_w, rate_s, rate_w = (one.reshape(2, 2) for one in (by_s, by_w, rate_s, rate_w))
    acted, read = list(places[:2]), places[2]
    rows.force[acted] += force
    rows.stiffness[acted] += np.diag(by_s)
    rows.damping[acted] += np.diag(by_w)
    through_s, through_w = by_force[:, None] * rows.stiffness[read], by_force[:, None] * rows.damping[read]
    nothing = np.zeros((2, 1))
    blocks = (
        np.hstack([by_s, through_s]), np.hstack([by_w, through_w]), by_z, rate_z, np.hstack([rate_s, nothing]),
        np.hstack([rate_w, nothing]),
    )  # fmt: skip
    return force @ rows.w[acted], np.concatenate([block.ravel() for block in blocks])


def toys_by_hand():
    """Forces, slopes, powers and blocks of the two toys."""
    _, u, x, modes, _, rows, power = toys()
    first, second = (3, 1, 4), (1, 0, 2)
    given = by_hand(rows, x[1:3], (u[0], 20.0), modes[1], (10.0, 30.0), first)
    power[1], rows.block[:32] = scattered(rows, given, first)
    power[4] = u[0] * 20.0 + x[1]
    given = by_hand(rows, x[3:5], (u[1], x[0]), modes[0], (11.0, 31.0), second)
    power[2], rows.block[32:] = scattered(rows, given, second)
    power[3] = u[1] * x[0] + x[3]
    return rows, power


@pytest.mark.parametrize("made", [plain, callable_kernel], ids=["plain", "compiled"])
def test_an_element_of_several_rows_and_states_is_scattered_as_by_hand(made):
    arguments = toys()

    made(contract.act([(1, TOY)]))(*arguments)

    rows, power = arguments[-2:]
    expected, expected_power = toys_by_hand()
    for name in ("force", "stiffness", "damping", "block"):
        np.testing.assert_allclose(getattr(rows, name), getattr(expected, name), rtol=1e-15, err_msg=name)
    np.testing.assert_allclose(power, expected_power, rtol=1e-15)


def test_rates_of_several_states():
    plan, u, x, modes, _, rows, _ = toys()
    x_dot = np.full(5, np.nan)

    plain(contract.rates([(1, TOY)]))(plan, u, x, modes, rows, x_dot)

    expected = [np.nan, u[0] - x[1] * x[2], rows.s[1] * rows.w[3], u[1] - x[3] * x[4], rows.s[0] * rows.w[1]]
    np.testing.assert_array_equal(x_dot, expected)


def test_energies_of_rows_and_states():
    plan, u, x, modes, _, rows, _ = toys()
    stored_in = np.zeros(3)

    plain(contract.energies([(1, TOY)]))(plan, u, x, modes, rows, stored_in)

    assert stored_in.tolist() == [0.0, 10.0 * rows.s[3] + x[2], 11.0 * rows.s[1] + x[4]]


def test_blocks_of_several_rows_and_states_come_one_after_the_other():
    places = {"by_s": 0, "by_w": 6, "by_z": 12, "rate_z": 16, "rate_s": 20, "rate_w": 26, "": 32}

    assert TOY.ELEMENT.places() == places
    assert TOY.ELEMENT.sizes() == (2, 3, 2)
    assert {what: TOY.ELEMENT.shape(what) for what in ("force", "by_s", "by_force", "rate", "rate_w")} == {
        "force": (2, 1), "by_s": (2, 2), "by_force": (2, 1), "rate": (2, 1), "rate_w": (2, 2),
    }  # fmt: skip
    assert TOY.ELEMENT.block and not TOY.ELEMENT.single and TOY.ELEMENT.stiff


def test_which_elements_have_one_state_a_block_or_no_slopes():
    assert [contract.name_of(kind) for kind in (spring, bristle, push) if kind.ELEMENT.single] == ["bristle"]
    assert not any(kind.ELEMENT.block for kind in (spring, bristle, push))
    assert [kind.ELEMENT.stiff for kind in (spring, bristle, push)] == [True, True, False]
    two = Element(gives=("force", "by_z", "rate", "rate_z", "rate_w"), states=(State("a", "one"), State("b", "other")))
    of_s = Element(gives=("force", "by_z", "rate", "rate_z", "rate_s"), states=(State("a", "one"),))
    assert two.block and of_s.block


# --- from names to lines of code --------------------------------------------------------------------------------------


def test_names_of_arguments_say_what_they_are():
    known = contract.meanings(TOY.ELEMENT)

    assert known["s_along"] == "rows.s[r_0]" and known["w_across"] == "rows.w[r_1]"
    assert known["force_normal"] == "rows.force[r_2]"
    assert known["bend"] == "x[index[i, STATE] + 0]" and known["turn"] == "x[index[i, STATE] + 1]"
    assert known["gain"] == "number[i, 0]" and known["round"] == "number[i, 2]"
    assert known["wanted"] == "signal_value(u, x, index[i, SIGNAL])"
    place = "more[index[i, MORE] + 2]"
    assert known["pull"] == f"(signal_value(u, x, {place}) if {place} >= 0 else number[i, 1])"
    assert known["stuck"] == "modes[index[i, MODE] + 0]"
    assert "s" not in known and "z" not in known


@pytest.mark.parametrize(
    ("module", "hook", "line"),
    [
        (spring, "law", "law_0(rows.s[r_0], rows.w[r_0], number[i, 0], number[i, 1], number[i, 2], number[i, 3])"),
        (spring, "stored", "stored_0(rows.s[r_0], number[i, 0], number[i, 1], number[i, 3])"),
        (bristle, "stored", "stored_0(x[index[i, STATE] + 0], number[i, 3])"),
        (push, "law", "law_0((signal_value(u, x, index[i, SIGNAL]) if index[i, SIGNAL] >= 0 else number[i, 0]))"),
        (servo, "law", "law_0(rows.w[r_0], signal_value(u, x, index[i, SIGNAL]), number[i, 0])"),
        (stop, "suddenness", "suddenness_0(rows.s[r_0], rows.w[r_0], h, number[i, 0], number[i, 1])"),
        (
            efficiency, "law",
            "law_0(rows.w[r_0], total, number[i, 0], number[i, 1], plan_forces.curve, number[i, 2], number[i, 3])",
        ),
    ],
)  # fmt: skip
def test_calls_gather_arguments_by_their_names(module, hook, line):
    assert contract.call(module, 0, hook) == line


def test_what_a_law_returns_is_unpacked_by_name():
    assert contract.unpacked(push.ELEMENT) == "force"
    assert contract.unpacked(bristle.ELEMENT) == "force, by_z, by_w, rate, rate_z, rate_w"
    assert contract.unpacked(Element(gives=("force", "by_w"), rows=("a", "b"))) == (
        "(force_00, force_10), (by_w_00, by_w_01, by_w_10, by_w_11)"
    )


def test_hooks_are_found_by_name():
    assert contract.has(spring, "stored") and not contract.has(push, "stored")
    assert contract.takes(efficiency, "law")[:4] == ["w", "oil_force", "loss", "round_"]
    assert contract.takes(push, "ahead") == []


# --- what is made of the files ----------------------------------------------------------------------------------------

SPRING = """\
def act(plan_forces, u, x, modes, oil, rows, power):
    index, number, more = plan_forces.index, plan_forces.number, plan_forces.more
    for i in range(plan_forces.first[0], plan_forces.first[1]):  # spring
        r_0 = index[i, ROW]
        force, by_s, by_w = law_0(rows.s[r_0], rows.w[r_0], number[i, 0], number[i, 1], number[i, 2], number[i, 3])
        add(r_0, i, force, by_s, by_w, rows, power)
    return
"""
BRISTLE = """\
def rates(plan_forces, u, x, modes, rows, x_dot):
    index, number, more = plan_forces.index, plan_forces.number, plan_forces.more
    for i in range(plan_forces.first[4], plan_forces.first[5]):  # bristle
        r_0 = index[i, ROW]
        force, by_z, by_w, rate, rate_z, rate_w = law_4(x[index[i, STATE] + 0], rows.w[r_0], number[i, 0], \
number[i, 1], number[i, 2], number[i, 3], number[i, 4], number[i, 5], number[i, 6])
        x_dot[index[i, STATE] + 0] = rate
    return
"""


def test_code_of_a_spring_and_of_bristles():
    contract.act([(0, spring)])
    contract.rates([(4, bristle)])

    assert code_of("act", spring) == SPRING
    assert code_of("rates", bristle) == BRISTLE


def test_springs_add_up_on_their_row():
    plan = forces_of([{"ROW": 1}, {"ROW": 1}], [(10.0, 0.2, 3.0, 5.0), (20.0, 0.0, 0.5, 0.0)], (0, 2))
    rows, power = rows_of(3), np.full(2, np.nan)

    plain(contract.act([(0, spring)]))(plan, np.zeros(0), np.zeros(0), np.zeros(0), oil_of(), rows, power)

    s, w = rows.s[1], rows.w[1]
    each = [5.0 - 10.0 * (s - 0.2) - 3.0 * w, -20.0 * s - 0.5 * w]
    assert rows.force.tolist() == pytest.approx([0.0, sum(each), 0.0])
    assert rows.stiffness.tolist() == [0.0, -30.0, 0.0] and rows.damping.tolist() == [0.0, -3.5, 0.0]
    assert power.tolist() == pytest.approx([one * w for one in each])


def test_a_push_follows_its_signal_where_it_has_one():
    plan = forces_of([{"ROW": 0}, {"ROW": 1, "SIGNAL": 0}, {"ROW": 2, "SIGNAL": 2}], [(3.0,), (0.0,), (0.0,)], (0, 3))
    rows = rows_of(3)

    arguments = (np.array([4.0, 0.0]), np.array([5.0]), np.zeros(0), oil_of(), rows, np.zeros(3))
    plain(contract.act([(0, push)]))(plan, *arguments)

    assert rows.force.tolist() == [3.0, 4.0, 5.0]
    assert not rows.stiffness.any() and not rows.damping.any()


def test_bristles_keep_the_slopes_of_their_state():
    columns = (80.0, 100.0, 0.1, 1e5, 50.0, 20.0, 0.0)
    plan = forces_of([{"ROW": 1, "STATE": 2, "BLOCK": 1}], [columns], (0, 1))
    rows, x, x_dot = rows_of(2, singles=2), np.array([0.0, 0.0, 4e-4]), np.zeros(3)

    plain(contract.act([(0, bristle)]))(plan, np.zeros(0), x, np.zeros(0), oil_of(), rows, np.zeros(1))
    plain(contract.rates([(0, bristle)]))(plan, np.zeros(0), x, np.zeros(0), rows, x_dot)

    force, by_z, by_w, rate, rate_z, rate_w = plain(bristle.law)(4e-4, rows.w[1], *columns)
    assert (rows.force[1], rows.damping[1], rows.stiffness[1]) == (force, by_w, 0.0)
    assert rows.single[1].tolist() == [by_z, rate_z, rate_w] and np.isnan(rows.single[0]).all()
    assert x_dot.tolist() == [0.0, 0.0, rate]


def test_friction_by_efficiency_takes_a_part_of_the_push_of_its_chambers():
    """Wherever these stand: a pump's chamber at a tank stands apart from that at its other port."""
    curve = curve_numbers([(0.0, 0.0), (0.5, 1.0), (2.0, 1.2)])
    line = {"ROW": 1, "CHAMBER": 1, "CHAMBERS": 2}
    chambers, numbers = [(1, 0, 0, 0), (0, 2, 0, 0), (1, 1, 0, 0)], [9.0, 9.0, 9.0, *curve]
    plan = forces_of([line], [(0.1, 50.0, 3.0, 3.0)], (0, 1), more=(5, 0, 2), curve=numbers, chambers=chambers)
    area, slope, gauge = (4e-3, 7e-3, -3e-3), (1e-3, 0.5, 2e-3), (3e5, 8e5, 1e9)
    rows, oil = rows_of(2), oil_of(gauge, area, slope)

    plain(contract.act([(0, efficiency)]))(plan, np.zeros(0), np.zeros(0), np.zeros(0), oil, rows, np.zeros(1))

    pushed, moved = 4e-3 * 3e5 - 3e-3 * 8e5, 1e-3 * 3e5 + 2e-3 * 8e5
    force, by_w, by_oil = plain(efficiency.law)(rows.w[1], pushed, 0.1, 50.0, np.array(curve), 0.0, 3.0)
    assert (rows.force[1], rows.damping[1]) == pytest.approx((force, by_w), rel=1e-12)
    assert rows.stiffness[1] == pytest.approx(by_oil * moved, rel=1e-12)
    assert oil.push.tolist() == pytest.approx([4e-3 * (1.0 + by_oil), 7e-3, -3e-3 * (1.0 + by_oil)], rel=1e-12)


def test_stops_look_ahead_and_say_how_sudden_a_step_is():
    numbers = [(-1.0, 1.0, 1e3, 0.5), (-9.0, 0.35, 2e3, 0.5)]
    plan, rows, h = forces_of([{"ROW": 0}, {"ROW": 1}], numbers, (0, 2)), rows_of(2), 0.1
    Tangent = namedtuple("Tangent", "stiff")
    by_s, by_w = np.zeros(3), np.zeros(3)
    nothing = (np.zeros(0), np.zeros(0), np.zeros(0, np.int64))

    plain(contract.look_ahead([(0, stop)]))(plan, Tangent(np.array([2, 1])), h, *nothing, rows, by_s, by_w)

    # the first stays free; the second leaves the stop at 0.35 from 0.4
    rows.w[1] = -1.0
    plain(contract.look_ahead([(0, stop)]))(plan, Tangent(np.array([2, 1])), h, *nothing, rows, by_s, by_w)
    assert by_s.tolist() == pytest.approx([0.0, -2e3 * (1.0 - 0.5), 0.0])
    assert by_w.tolist() == pytest.approx([0.0, -2e3 * 0.05 * 0.5, 0.0])
    assert plain(contract.most_sudden([(0, stop)]))(plan, h, *nothing, rows) == pytest.approx(0.1 / 0.05)


# --- several kinds ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [plain, callable_kernel], ids=["plain", "compiled"])
def test_kinds_act_one_after_the_other_in_one_kernel(made):
    plan = forces_of([{"ROW": 1}, {"ROW": 1}], [(10.0, 0.2, 3.0, 5.0), (7.0, 0.0, 0.0, 0.0)], (0, 1, 2))
    rows, power = rows_of(3), np.full(2, np.nan)
    nothing = (np.zeros(0), np.zeros(0), np.zeros(0, np.int64))

    made(contract.act([(0, spring), (1, push)]))(plan, *nothing, oil_of(), rows, power)

    alone = plain(spring.law)(rows.s[1], rows.w[1], 10.0, 0.2, 3.0, 5.0)[0]
    assert rows.force.tolist() == pytest.approx([0.0, alone + 7.0, 0.0])
    assert power.tolist() == pytest.approx([alone * rows.w[1], 7.0 * rows.w[1]])


def test_no_kind_is_nothing():
    nothing = (np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
    plan, rows = forces_of([{"ROW": 0}], [(0.0,)], (0, 1)), rows_of(1)

    assert plain(contract.most_sudden([]))(plan, 0.1, *nothing, rows) == 0.0
    assert plain(contract.change_modes([]))(plan, *nothing[:2], rows, nothing[2]) == 0


KIND, law_at = 0, contract.law_at


def note_forces(plan_forces, u, x, modes, rows, noted):
    """Forces and dampings of all elements of a kind, and its number. Writes noted."""
    for i in range(plan_forces.first[KIND], plan_forces.first[KIND + 1]):
        noted[i, 0], noted[i, 1] = law_at(plan_forces, i, u, x, modes, rows)
        noted[i, 2] = KIND


@pytest.mark.parametrize("made", [plain, callable_kernel], ids=["plain", "compiled"])
def test_a_function_is_made_for_each_kind_with_its_number_and_its_law(made):
    numbers = [(7.0, 0.0, 0.0, 0.0, 0.0), (30.0, 2.0, 0.1, 5.0, 0.3), (9.0, 0.0, 0.0, 0.0, 0.0)]
    lines = [{"ROW": 0, "SIGNAL": 0}, {"ROW": 1}, {"ROW": 2}]
    plan, rows, noted = forces_of(lines, numbers, (0, 1, 2, 3)), rows_of(3), np.full((3, 3), np.nan)

    noting = made(contract.for_each_kind(note_forces, [(0, servo), (2, push), (1, friction)]))
    noting(plan, np.array([0.5]), np.zeros(1), np.zeros(1), rows, noted)

    rubbed = plain(friction.law)(rows.w[1], *numbers[1])
    expected = [[7.0 * (0.5 - rows.w[0]), -7.0, 0.0], [*rubbed, 1.0], [9.0, 0.0, 2.0]]
    np.testing.assert_allclose(noted, expected, rtol=1e-14)
    assert note_forces.__globals__["KIND"] == 0, "the function itself is as it was"


def test_law_at_stands_for_the_law_of_a_kind_only():
    with pytest.raises(NotImplementedError):
        contract.law_at(None, 0, None, None, None, None)


def test_kinds_are_called_as_their_files():
    assert [contract.name_of(kind) for kind in KINDS][:3] == ["spring", "friction", "stop"]
    assert contract.name_of(TOY) == "toy"
