# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the cabin share: a worker in this process, its loop in a thread, and waiting for what must come."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import knuckleboom as kb
from knuckleboom.cabin.runner import head_of
from knuckleboom.cabin.shared import Command, Shared
from knuckleboom.cabin.worker import Worker
from knuckleboom.machine import from_yaml, to_yaml
from knuckleboom.simulation.live import LiveRun

SECONDS = 120.0


def until(happened: Callable[[], Any], what: str = "it") -> Any:
    """Wait for something that must come; no test depends on when."""
    end = time.monotonic() + SECONDS
    while not (found := happened()):
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.001)
    return found


def ask(shared: Shared, command: Command, argument: float = 0.0) -> None:
    """Send a command and wait until it is carried out."""
    number = shared.send(command, argument)
    until(lambda: shared.done(number), command.name)


def make_worker(
    name: str, folder: Path, *, step: float | str = "1 ms", record: Path | None = None, controllers: Any = ()
) -> Worker:
    """A machine of the catalogue as the runner has it, paused."""
    case = kb.catalogue.NAMES[name]()
    yaml = to_yaml(case.machine)
    live = LiveRun(from_yaml(yaml), step=step, controllers=controllers, **case.method)
    return Worker(live, head_of(live, yaml, case.machine.cite), record=record, folder=folder, paused=True)


@contextlib.contextmanager
def running(worker: Worker) -> Iterator[Shared]:
    """The worker in a thread of its own, ended in any case."""
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        yield worker.shared
    finally:
        worker.leave()
        thread.join(SECONDS)
        assert not thread.is_alive()
