# SPDX-License-Identifier: BSD-3-Clause
"""What clients may send: every text message there is, and what is refused, with code and reason."""

import json

import pytest

from knuckleboom.cabin import limits
from knuckleboom.cabin.limits import Message, Meter, Refused, read_text


@pytest.mark.parametrize("kind", ["take", "release", "pause", "resume", "step", "reset"])
def test_plain_messages(kind: str) -> None:
    assert read_text(json.dumps({"type": kind})) == Message(kind)


def test_messages_with_a_value() -> None:
    assert read_text('{"type": "subscribe", "signals": ["a", "b.x"]}') == Message("subscribe", ["a", "b.x"])
    assert read_text('{"type": "speed", "value": 0.1}') == Message("speed", 0.1)
    assert read_text('{"type": "speed", "value": 2}') == Message("speed", 2.0)
    assert read_text('{"type": "seek", "time": 2.5}') == Message("seek", 2.5)
    assert read_text('{"type": "record", "on": false}') == Message("record", False)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("hello", "not JSON"),
        ("[" * 4000, "not JSON"),
        ('{"type": "speed", "value": NaN}', "not JSON"),
        ('{"type": "speed", "value": Infinity}', "not JSON"),
        ('{"type": "speed", "value": ' + "9" * 4000 + "}", "not one from"),
        ("[]", "not a JSON object with a type"),
        ("{}", "not a JSON object with a type"),
        ('{"type": 1}', "not a JSON object with a type"),
        ('{"type": ["take"]}', "not a JSON object with a type"),
        ('{"type": "quit"}', "there is no message of type 'quit'"),
        ('{"type": "take", "by": "force"}', "no further key"),
        ('{"type": "subscribe"}', "the key 'signals'"),
        ('{"type": "subscribe", "signals": "a"}', "not a list of paths"),
        ('{"type": "subscribe", "signals": [1]}', "not a list of paths"),
        (json.dumps({"type": "subscribe", "signals": ["a"] * 257}), "more than 256"),
        ('{"type": "speed", "value": 0}', "from 0.001 to 1000"),
        ('{"type": "speed", "value": 1e9}', "from 0.001 to 1000"),
        ('{"type": "speed", "value": 1e999}', "from 0.001 to 1000"),
        ('{"type": "speed", "value": true}', "from 0.001 to 1000"),
        ('{"type": "speed", "value": "1"}', "from 0.001 to 1000"),
        ('{"type": "seek", "time": -1}', "from 0 to inf"),
        ('{"type": "seek", "time": 1e999}', "from 0 to inf"),
        ('{"type": "record", "on": 1}', "neither true nor false"),
    ],
)
def test_everything_else_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason) as refused:
        read_text(text)
    assert refused.value.code == limits.MALFORMED


def test_meter_lets_a_burst_through_and_then_the_rate() -> None:
    meter = Meter()
    for _ in range(480):
        meter.count(10.0)
    with pytest.raises(Refused, match="more than 240 messages a second") as refused:
        meter.count(10.0)
    assert refused.value.code == limits.TOO_MANY
    for number in range(239):
        meter.count(11.0 + number / 240)


def test_what_costs_more_counts_for_more() -> None:
    meter = Meter()
    for _ in range(24):
        meter.count(10.0, 20.0)
    with pytest.raises(Refused, match="more than 240 messages a second"):
        meter.count(10.0, 20.0)


def test_meter_never_stops_who_keeps_to_the_rate() -> None:
    meter = Meter()
    for number in range(5000):
        meter.count(number / 240)
