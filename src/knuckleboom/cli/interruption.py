# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C: handled at any time, with a sentence and exit code 130, never with a traceback.

The first press raises KeyboardInterrupt, and one that follows at once is taken for the same. An interruption that
something swallowed (a destructor or a callback, as the compiler has many) is raised again. While a file is written it
waits. This file imports nothing heavy: it is the first that the command loads.
"""

import _thread
import contextlib
import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

INTERRUPTED = 130
NOTHING_KEPT = "Interrupted before there was anything to keep."

SAME_PRESS_S = 5.0
"""A second press within this time adds nothing: what was computed is being written."""
AGAIN_S = 0.05
"""When an interruption that was lost is raised again."""


class Listener:
    """What is known of Ctrl-C in this process: whether it was pressed at all, when last, and whether it has to wait."""

    def __init__(self) -> None:
        self.pressed = False
        self.waits = False
        self._raised_at = -math.inf

    def listen(self) -> None:
        """Hear Ctrl-C from now on; only the command does this, never the library."""
        signal.signal(signal.SIGINT, self._hear)
        sys.unraisablehook = self._not_raised

    def _hear(self, *_: Any) -> None:
        self.pressed = True
        if self.waits or time.monotonic() - self._raised_at < SAME_PRESS_S:
            return
        self._raised_at = time.monotonic()
        raise KeyboardInterrupt

    def _not_raised(self, happening: Any) -> None:
        """Called for an exception that could not be raised where it happened."""
        if isinstance(happening.exc_value, KeyboardInterrupt):
            # not at once: that would raise it here, where it is lost again
            self._raised_at = -math.inf
            again = threading.Timer(AGAIN_S, _thread.interrupt_main)
            again.daemon = True
            again.start()
            return
        sys.__unraisablehook__(happening)

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Let Ctrl-C wait; afterwards `pressed` says whether it came."""
        try:
            before = signal.signal(signal.SIGINT, self._hear)
        except ValueError:
            # not the main thread: signals do not arrive here anyway
            yield
            return
        self.waits = True
        try:
            yield
        finally:
            self.waits = False
            signal.signal(signal.SIGINT, before)


ctrl_c = Listener()
