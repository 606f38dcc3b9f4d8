# SPDX-License-Identifier: BSD-3-Clause
"""Binary messages of the cabin: the table of docs/cabin_protocol.md, there and back, and what is refused."""

import struct

import numpy as np
import pytest

from knuckleboom.cabin import frame
from knuckleboom.cabin.frame import Malformed, Moment


def a_moment(bodies: int = 3, warnings: int = 5, levers: int = 2) -> Moment:
    rng = np.random.default_rng(1)
    return Moment(
        sequence=7, time=12.345, flags=frame.PAUSED | frame.FAILED, applied=99, missed=4, reached=0.875,
        warnings=rng.random(warnings) > 0.5, poses=rng.random((bodies, 7), np.float32),
        signals=np.empty(0, np.float32), levers=rng.random(levers, np.float32),
    )  # fmt: skip


@pytest.mark.parametrize("bodies", [0, 1, 30])
@pytest.mark.parametrize("warnings", [0, 1, 32, 33, 70])
def test_frame_there_and_back(bodies: int, warnings: int) -> None:
    sent, signals = a_moment(bodies, warnings), np.array([1.5, -2.5], np.float32)

    got = frame.read_frame(sent.pack().frame(signals), warnings)

    assert (got.sequence, got.time, got.flags, got.applied, got.missed, got.reached) == (7, 12.345, 5, 99, 4, 0.875)
    np.testing.assert_array_equal(got.warnings, sent.warnings)
    np.testing.assert_array_equal(got.poses, sent.poses)
    np.testing.assert_array_equal(got.signals, signals)
    np.testing.assert_array_equal(got.levers, sent.levers)


def test_frame_is_as_the_table_says() -> None:
    """By hand, with struct: offsets and widths of docs/cabin_protocol.md."""
    moment = Moment(
        sequence=2, time=0.5, flags=2, applied=3, missed=4, reached=1.0, warnings=np.arange(40) == 39,
        poses=np.arange(7, dtype=np.float32)[None], signals=np.empty(0, np.float32),
        levers=np.array([0.25], np.float32),
    )  # fmt: skip
    head = bytes([1, 1]) + struct.pack("<H", 2) + struct.pack("<I", 2) + struct.pack("<d", 0.5)
    head += struct.pack("<II", 3, 4) + struct.pack("<f", 1.0) + struct.pack("<HHHH", 1, 1, 2, 1)
    words = struct.pack("<II", 0, 1 << 7)
    numbers = struct.pack("<7f", 0, 1, 2, 3, 4, 5, 6) + struct.pack("<f", 9.0) + struct.pack("<f", 0.25)

    assert moment.pack().frame(np.array([9.0], np.float32)) == head + words + numbers


def test_levers_there_and_back() -> None:
    sequence, levers = frame.read_levers(frame.pack_levers(17, np.array([0.5, -1.0], np.float32)), 2)

    assert sequence == 17
    np.testing.assert_array_equal(levers, [0.5, -1.0])


GOOD = frame.pack_levers(1, np.array([0.5, -1.0], np.float32))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "at least 8 bytes"),
        (GOOD[:7], "at least 8 bytes"),
        (GOOD[:-1], "has 16 bytes"),
        (GOOD + b"\0", "has 16 bytes"),
        (b"\1" + GOOD[1:], "kind 1 is unknown here"),
        (GOOD[:1] + b"\2" + GOOD[2:], "version 2"),
        (frame.pack_levers(1, np.zeros(3, np.float32)), "2 inputs, the lever message has 3"),
        (frame.pack_levers(1, np.array([np.nan, 0.0], np.float32)), "not a finite number"),
        (frame.pack_levers(1, np.array([0.0, np.inf], np.float32)), "not a finite number"),
    ],
)
def test_wrong_levers_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        frame.read_levers(data, 2)


def test_wrong_frames_are_refused() -> None:
    data = a_moment().pack().frame(np.empty(0, np.float32))
    for wrong in (data[:35], data[:-1], data + b"\0", b"\2" + data[1:], data[:1] + b"\3" + data[2:]):
        with pytest.raises(Malformed):
            frame.read_frame(wrong, 5)
    with pytest.raises(Malformed, match="not for 33"):
        frame.read_frame(data, 33)
