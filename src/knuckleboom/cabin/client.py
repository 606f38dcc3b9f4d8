# SPDX-License-Identifier: BSD-3-Clause
"""One connection: what it asked for, what waits to be sent to it, and the task that sends.

Texts go out in order; of frames only the newest is kept, so that a slow client gets fewer but never old ones.
Sending waits for the client; nothing else waits for that. Tested in tests/cabin/test_server.py.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.websockets import WebSocket, WebSocketDisconnect

from knuckleboom.cabin.frame import Packed
from knuckleboom.cabin.limits import Meter

Array = NDArray[np.float64]

MOST_TEXTS = 64
"""That may wait for a client; a status is left out rather than kept."""


class Client:
    """A connected client. `sequence` is that of its last lever message."""

    def __init__(self, number: int, socket: WebSocket) -> None:
        self.number, self.socket = number, socket
        self.address = socket.client.host if socket.client is not None else "?"
        self.meter = Meter()
        self.sequence = -1
        self.levers = np.zeros(0)
        """What it last sent while it drove."""
        self.heard = time.monotonic()
        self.was_refused: set[str] = set()
        self.advised = -math.inf
        """When the closest names to an unknown one were last sent to it, s."""
        self.columns = np.zeros(0, np.intp)
        self.closing: tuple[int, str] | None = None
        self.sending_since: float | None = None
        self.abort: Callable[[], object] = lambda: None
        """Stops sending in the middle, for clients that do not read."""
        self._texts: deque[str] = deque()
        self._frame: tuple[Packed, Array] | None = None
        self._wake = asyncio.Event()

    def __str__(self) -> str:
        return f"client {self.number} ({self.address})"

    def tell(self, kind: str, **more: Any) -> None:
        """Let a text message wait to be sent."""
        self.tell_text(json.dumps({"type": kind, **more}, allow_nan=False))

    def tell_text(self, text: str, needed: bool = True) -> None:
        """Let a text wait to be sent; when many wait already, one that is not needed is left out."""
        if needed or len(self._texts) < MOST_TEXTS:
            self._texts.append(text)
            self._wake.set()

    def show(self, packed: Packed, line: Array) -> None:
        """Replace the frame that waits, if any."""
        self._frame = packed, line
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """End this client after what waits; the first reason counts."""
        if self.closing is None:
            self.closing = code, reason
            self._wake.set()

    def is_stuck(self, now: float, patience: float) -> bool:
        """Whether it has not read for so long."""
        return self.sending_since is not None and now - self.sending_since > patience

    async def send_all(self) -> None:
        """Send what waits, until the client is closed or gone."""
        try:
            while self.closing is None:
                await self._wake.wait()
                self._wake.clear()
                self.sending_since = time.monotonic()
                while self._texts and self.closing is None:
                    await self.socket.send_text(self._texts.popleft())
                if self._frame is not None and self.closing is None:
                    packed, line = self._frame
                    self._frame = None
                    await self.socket.send_bytes(packed.frame(line.take(self.columns).astype("<f4")))
                self.sending_since = None
            while self._texts:
                await self.socket.send_text(self._texts.popleft())
            await self.socket.close(*self.closing)
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # it is gone; the receiving side notices that, too
