# SPDX-License-Identifier: BSD-3-Clause
"""Every catalogue machine's own case ends well, and warns of nothing but what is listed here with its reason."""

import warnings

import pytest

import knuckleboom as kb
from knuckleboom.catalogue import NAMES

MEANT = {
    # the lever jumps from 0.6 to 0 while lifting, the boom swings back, and nothing feeds the rod side: it has no
    # anti-cavitation valve, and the float centre gives too little
    "crane-one-cylinder": (
        "The oil at 'lift.b' cavitated once, for 35",
        "The oil at 'rod_hose' cavitated once, for 14",
    ),
    # the saw's cylinder comes back onto its end at 0.9 m/s and bounces off at 0.6
    "harvester-30": ("The oil at 'saw_cylinder.a' cavitated 2 times, for",),
    # the lever closes while the falls are slack: the drum, which nothing pulls any more, swings back a little
    "mobile-crane": ("The oil at 'winch.a' cavitated once, for",),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_warns_of_what_is_meant_only(name):
    machine = kb.catalogue.machine(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        run = kb.simulate(machine, case=next(iter(machine.cases)))
    assert run.status == "done"
    meant = MEANT.get(name, ())
    assert len(run.warnings) == len(meant), run.warnings
    assert all(text.startswith(begin) for text, begin in zip(run.warnings, meant, strict=True)), run.warnings
