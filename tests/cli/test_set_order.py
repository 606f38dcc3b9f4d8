# SPDX-License-Identifier: BSD-3-Clause
"""`--set` several parameters that go together only in one order."""

import pytest

from knuckleboom.catalogue import NAMES
from knuckleboom.cli.machines import with_parameters
from knuckleboom.errors import MachineError


@pytest.mark.parametrize("names", [("lift.bore", "lift.rod"), ("lift.rod", "lift.bore")])
@pytest.mark.parametrize(
    "sizes", [{"lift.bore": "40 mm", "lift.rod": "25 mm"}, {"lift.bore": "3 m", "lift.rod": "2 m"}]
)
def test_any_order_will_do(names, sizes):
    machine = with_parameters(NAMES["forwarder-crane"]().machine, {name: sizes[name] for name in names})
    bore, rod = machine.parts["lift"].bore, machine.parts["lift"].rod
    assert (bore, rod) == pytest.approx({"40 mm": (0.04, 0.025), "3 m": (3.0, 2.0)}[sizes["lift.bore"]])


def test_what_does_not_go_together_is_refused():
    with pytest.raises(MachineError, match="is not thinner than"):
        with_parameters(NAMES["forwarder-crane"]().machine, {"lift.bore": "20 mm", "lift.rod": "25 mm"})
