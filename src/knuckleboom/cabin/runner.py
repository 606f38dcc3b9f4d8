# SPDX-License-Identifier: BSD-3-Clause
"""Runner: a machine that runs in real time in a process of its own.

    with Runner(kb.catalogue.NAMES["excavator"](), step="1 ms") as runner:
        runner.shared.write_levers([...], sequence=1)
        print(runner.facts["inputs"], runner.shared.status)

The process is spawned, so that it has nothing of its parent but the machine's description. One thread is the loop's
(worker.py), with real-time priority where that is permitted; the other writes recordings and watches the parent: when
that is gone, however it ended, the runner ends, too. Ctrl-C is the parent's to hear. Nothing is left over: the shared
memory has no name. Tested in tests/cabin/test_runner.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
import weakref
from collections.abc import Mapping, Sequence
from multiprocessing import connection, reduction, resource_tracker
from pathlib import Path
from typing import Any, NamedTuple

from knuckleboom.cabin.facts import facts, reach
from knuckleboom.cabin.priority import take_priority
from knuckleboom.cabin.recording import VIEW
from knuckleboom.cabin.shared import Command, RunState, Shared
from knuckleboom.control.controller import Controller
from knuckleboom.errors import KnuckleboomError
from knuckleboom.kernels import code_hash
from knuckleboom.machine import from_yaml, to_yaml
from knuckleboom.machine.case import Case
from knuckleboom.simulation.live import LiveRun, realtime_words

FOLDER = "recordings"
"""Where recordings go that are begun by a command."""
DRAIN = 0.2
"""Time between two writes to a recording, s."""
PATIENCE = 5.0
"""How long a runner may take to end before it is ended, s."""


class RunnerError(KnuckleboomError):
    """A runner that could not begin."""


class Order(NamedTuple):
    """What the runner's process gets."""

    yaml: str
    cite: str
    method: dict[str, Any]
    step: float | str
    start: Any
    reached: dict[str, list[Any]]
    record: str
    folder: str
    priority: bool
    paused: bool
    controllers: Sequence[Controller]


class Runner:
    """A machine running in real time. Returns when it is ready; MachineError where it cannot be driven."""

    def __init__(
        self, case: Case, *, step: float | str = "1 ms", record: str | Path | None = None,
        folder: str | Path = FOLDER, priority: bool = True, paused: bool = False,
        controllers: Sequence[Controller] = (),
    ) -> None:  # fmt: skip
        if sys.platform != "linux":
            raise RunnerError("Machines run in real time on Linux only, on Windows in its Linux subsystem (WSL).")
        order = Order(
            to_yaml(case.machine), case.machine.cite, realtime_words(case.method), step, case.start, reach(case),
            "" if record is None else str(record), str(folder), priority, paused, tuple(controllers),
        )  # fmt: skip
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, order), name="knuckleboom runner", daemon=True)
        try:
            start_deaf(self.process)
            theirs.close()
            self.shared, self.facts = self._greet(ours)
        except BaseException:
            if self.process.pid is not None:
                self.process.kill()
                self.process.join()
            raise
        self._end = weakref.finalize(self, end, self.process, self.shared)

    def _greet(self, pipe: Any) -> tuple[Shared, dict[str, Any]]:
        """Wait until the process is ready, and take what it tells; raise what it raised."""
        connection.wait([pipe, self.process.sentinel])
        try:
            answer = pipe.recv()
            if isinstance(answer, BaseException):
                raise answer
            # handed over, not opened by name: the system may refuse that for a program with capabilities
            shared = Shared.attach(reduction.recv_handle(pipe))
            pipe.send("attached")
        except (EOFError, OSError) as error:
            self.process.join()
            code = self.process.exitcode
            raise RunnerError(f"The runner ended with code {code} before it was ready; see what it printed.") from error
        finally:
            pipe.close()
        return shared, answer

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self.process.is_alive()

    def stop(self) -> None:
        """End it; a recording gets its end."""
        self._end()

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def start_deaf(process: Any) -> None:
    """Start a process that never hears Ctrl-C, not even before its first line of Python: signals held back stay so.

    Here Ctrl-C is handled after it was started: half a start would leave a process that prints errors.
    """
    resource_tracker.ensure_running()  # or starting the process would, and let signals through in the middle
    heard: list[Any] = []
    handler = signal.getsignal(signal.SIGINT)
    ours = callable(handler) and threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, lambda *given: heard.append(given))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if ours:
            signal.signal(signal.SIGINT, handler)
    if heard and callable(handler):
        handler(*heard[0])


def end(process: Any, shared: Shared) -> None:
    """Ask the process to end, then make it."""
    with contextlib.suppress(TimeoutError):
        if process.is_alive():
            shared.send(Command.QUIT)
    process.join(PATIENCE)
    for force in (process.terminate, process.kill):
        if process.is_alive():
            force()
            process.join(PATIENCE)
    shared.close()


# --- in the runner's process ---


def serve(pipe: Any, order: Order) -> None:
    """What the process does."""
    try:
        worker, told = prepare(order)
    except Exception as error:
        pipe.send(sendable(error))
        return
    signal.signal(signal.SIGTERM, lambda *_: worker.leave())
    give_back_memory()
    ready, go = threading.Event(), threading.Event()
    over, ended = os.pipe()  # something that can be waited for together with the parent
    thread = threading.Thread(target=work, args=(worker, order.priority, ready, go, ended), daemon=True)
    thread.start()
    ready.wait()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(told)
        reduction.send_handle(pipe, worker.shared.descriptor, os.getppid())
        pipe.recv()  # the parent has the memory now, or is gone
    gc.freeze()
    gc.disable()
    go.set()
    parent = multiprocessing.parent_process()
    watched: list[Any] = [over] if parent is None else [over, parent.sentinel]
    while over not in (heard := connection.wait(watched, DRAIN)):
        if heard:
            worker.leave()
            watched = [over]
        worker.recorder.drain()
    thread.join()
    worker.recorder.drain()


def give_back_memory() -> None:
    """Return to the system what compiling and planning no longer need, before it is locked."""
    gc.collect()
    with contextlib.suppress(AttributeError):  # another C library than glibc
        ctypes.CDLL(None).malloc_trim(0)


def prepare(order: Order) -> Any:
    """The machine, ready, and the facts of it."""
    from knuckleboom.cabin.worker import Worker

    machine = from_yaml(order.yaml)
    machine.cite = order.cite
    live = LiveRun(machine, step=order.step, start=order.start, controllers=order.controllers, **order.method)
    told = facts(live, order.reached)
    head = head_of(live, order.yaml, order.cite, told["scene"])
    record = Path(order.record) if order.record else None
    return Worker(live, head, record=record, folder=Path(order.folder), paused=order.paused), told


def head_of(live: LiveRun, yaml: str, cite: str, scene: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What every recording of a machine says at its head; when and from which step on is added by each."""
    view = {} if scene is None else {"view": {key: scene[key] for key in VIEW}}
    return view | {
        "package": sys.modules["knuckleboom"].__version__, "code": code_hash(), "machine": live.planned.machine.name,
        "yaml": yaml, "cite": cite, "method": live.words, "step": live.step_size,
        "inputs": [one.name for one in live.inputs], "controllers": list(live.controllers),
    }  # fmt: skip


def work(worker: Any, priority: bool, ready: threading.Event, go: threading.Event, ended: int) -> None:
    """What the loop's thread does; a fault of ours ends it with a message, not with silence. Closes `ended` then."""
    try:
        granted, text = take_priority() if priority else (False, "Real-time priority was not asked for.")
        worker.shared.block["status"]["priority"] = granted
        worker.shared.set_text("priority_text", text)
        ready.set()
        go.wait()
        worker.run()
    except Exception as error:
        traceback.print_exc()
        worker.shared.set_text("message", f"The runner ended by a fault of its own: {error!r}.")
        worker.shared.block["status"]["state"] = RunState.ENDED
    finally:
        ready.set()
        os.close(ended)


def sendable(error: Exception) -> Exception:
    """The error itself where it can be handed to another process, else its text."""
    if isinstance(error, KnuckleboomError):
        with contextlib.suppress(Exception):
            pickle.loads(pickle.dumps(error))
            return error
    traceback.print_exc()
    return RunnerError(f"The runner could not begin: {error!r}.")
