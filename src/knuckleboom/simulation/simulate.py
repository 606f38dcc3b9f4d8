# SPDX-License-Identifier: BSD-3-Clause
"""kb.simulate: a Simulation from start to end in one call, and its results.

What was computed before a failure or an interruption is kept. Tested in tests/simulate/.
"""

from __future__ import annotations

import contextlib
import functools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from knuckleboom.control.controller import Controller
from knuckleboom.errors import SimulationError
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.methods import MethodWords
from knuckleboom.names import Names
from knuckleboom.results import Results
from knuckleboom.simulation.cases import case_of, times_of
from knuckleboom.simulation.elsewhere import Link
from knuckleboom.simulation.failure import wrong_energy
from knuckleboom.simulation.inputs import SAME
from knuckleboom.simulation.run_warnings import failing_part
from knuckleboom.simulation.schedule import RECORDS, refuse_too_large
from knuckleboom.simulation.session import Simulation
from knuckleboom.simulation.times import read_times

Watch = Callable[[int, Names, Callable[[], Results]], None]
"""Called before the first block and after every one, with the number of lines that the record will have, the names of
the results and a function that gives those so far; what it raises ends the run."""


def simulate(
    machine: Machine,
    duration: float | str | None = None,
    *,
    case: str | Case | None = None,
    step: float | str | None = None,
    record: float | str | None = None,
    inputs: Mapping[str, Any] | None = None,
    controllers: Sequence[Controller] = (),
    stop: Any = None,
    start: Any = None,
    power: Link | None = None,
    mechanics: Link | None = None,
    progress: Callable[[float], None] | None = None,
    watch: Watch | None = None,
    **method: Unpack[MethodWords],
) -> Results:
    """Simulate a machine from its start for `duration` and return what was recorded every `record`.

    `case` is one of the machine's, by name: it says what is not given here. Raises MachineError with every problem of
    the machine, and SimulationError (with the results so far) when the run cannot go on, or when more than 5 % of its
    work lack in the energy. `method` may say coupling, integrator, enforcement, factorisation, power_integrator,
    power_step and jumps (`knuckleboom list methods` shows what goes together). With start="equilibrium", or a state
    that kb.equilibrium found, it begins at rest; inputs that hold it there are held where none are given. A condition
    in `stop` ends the run early, with the status "stopped". So does Ctrl-C; its results are then "interrupted". `power`
    or `mechanics` is a kb.OtherHalf: a process that computes this half of the machine (docs/foreign_halves.md).
    """
    chosen = case_of(machine, case)
    duration, step = times_of(chosen, duration, step)
    record = record if record is not None or chosen is None else chosen.record
    seconds, size, interval = read_times({"duration": duration, "step": step, "record": record})
    assert seconds is not None and size is not None
    count = max(1, math.ceil(seconds / size - SAME))
    every = min(count, max(1, round((interval or max(size, seconds / RECORDS)) / size)))
    sim = Simulation(
        machine, case=chosen, step=size, record=every * size, inputs=inputs, controllers=controllers, stop=stop,
        start=start, power=power, mechanics=mechanics, **method,
    )  # fmt: skip
    lines = 1 + -(-count // every)
    refuse_too_large(lines, sim.width, seconds)
    interrupted = True
    with contextlib.suppress(KeyboardInterrupt):
        look = None if watch is None else functools.partial(watch, lines, sim.names, sim.results)
        sim.run_until(seconds, progress=progress, watch=look)
        interrupted = False
        sim.close()
    results = sim.results()
    if interrupted:  # also before its first step, when there is much to prepare
        results.meta.update(status="interrupted", message=results.message or f"Interrupted at t = {sim.time:.6g} s.")
    if results.status == "failed":
        raise SimulationError(results.message, results)
    if results.status in ("done", "stopped") and failing_part(results):
        text = wrong_energy(results)
        results.meta.update(status="failed", message=text)
        raise SimulationError(text, results)
    if results.warnings:
        warnings.warn(" ".join(results.warnings), RuntimeWarning, stacklevel=2)
    return results
