# SPDX-License-Identifier: BSD-3-Clause
"""What a client may send: how large, how often, and which text messages there are. Nothing else is believed.

Whatever breaks a rule raises `Refused` with the code and the reason that end this client (docs/cabin_protocol.md).
Tested in tests/cabin/test_limits.py.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn

from knuckleboom.errors import KnuckleboomError

LARGEST = 4096
"""Bytes of a message from a client."""
RATE, BURST = 240.0, 480.0
"""Messages a second, and at once."""
WRONG_NAME = 20.0
"""Messages that an unknown name counts for beside its own."""
ADVICE = 1.0
"""s between two answers with closest names to one client."""
CLIENTS = 64
SUBSCRIBED = 256
"""Signals that a client may ask for at a time."""
SILENCE = 1.0
"""s without lever messages after which the levers return to rest."""
PATIENCE = 10.0
"""s that a client may read nothing."""
SLOWEST, FASTEST = 0.001, 1000.0
"""Speeds that may be asked for, by anybody; 1 is real time."""

MALFORMED, NO_TOKEN, NOT_READING, OUT_OF_ORDER, TOO_LARGE, TOO_MANY, FULL = 4400, 4401, 4408, 4409, 1009, 4429, 4503
GOING_AWAY = 1001

PLAIN = ("take", "release", "pause", "resume", "step", "reset")
"""Text messages without more than their type."""


class Refused(KnuckleboomError):
    """Why a client is closed: a code of the protocol and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)


@dataclass(frozen=True)
class Message:
    """A text message that was understood: its type, and what came with it."""

    kind: str
    value: Any = None


class Meter:
    """Counts messages: `RATE` a second on average, `BURST` at once; what costs more work counts for several."""

    def __init__(self) -> None:
        self._left, self._at = BURST, -math.inf

    def count(self, now: float, worth: float = 1.0) -> None:
        """Count a message, or what is worth several, at a time in s; raise Refused when there were too many."""
        self._left = min(BURST, self._left + RATE * (now - self._at))
        self._at = now
        if self._left < worth:
            raise Refused(TOO_MANY, f"more than {RATE:g} messages a second")
        self._left -= worth


def read_text(text: str) -> Message:
    """Return what a text message says, or raise Refused."""
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        _malformed("a text message is not JSON")
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        _malformed("a text message is not a JSON object with a type")
    kind = found.pop("type")
    if kind in PLAIN:
        _only(kind, found)
        return Message(kind)
    match kind:
        case "subscribe":
            return Message(kind, _paths(_only(kind, found, "signals")))
        case "speed":
            return Message(kind, _number(kind, _only(kind, found, "value"), SLOWEST, FASTEST))
        case "seek":
            return Message(kind, _number(kind, _only(kind, found, "time"), 0.0, math.inf))
        case "record":
            on = _only(kind, found, "on")
            if not isinstance(on, bool):
                _malformed("record: on is neither true nor false")
            return Message(kind, on)
    _malformed(f"there is no message of type {kind[:40]!r}")


def _no_constant(word: str) -> NoReturn:
    raise ValueError(word)


def _malformed(reason: str) -> NoReturn:
    raise Refused(MALFORMED, reason)


def _only(kind: str, found: dict[str, Any], *keys: str) -> Any:
    """Return the value of the one key that a message has beside its type; None when it has none."""
    if set(found) != set(keys):
        wanted = f"the key {keys[0]!r}" if keys else "no further key"
        _malformed(f"{kind}: the message should have {wanted}")
    return found[keys[0]] if keys else None


def _number(kind: str, value: Any, low: float, high: float) -> float:
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:
        number = math.nan
    if not low <= number <= high or math.isinf(number):
        _malformed(f"{kind}: the number is not one from {low:g} to {high:g}")
    return number


def _paths(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(path, str) for path in value):
        _malformed("subscribe: signals is not a list of paths")
    if len(value) > SUBSCRIBED:
        _malformed(f"subscribe: more than {SUBSCRIBED} signals")
    return value
