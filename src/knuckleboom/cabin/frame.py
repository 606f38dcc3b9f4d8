# SPDX-License-Identifier: BSD-3-Clause
"""Binary messages between the server of the cabin and its clients, version 1: a frame of the machine, and levers.

Both are little endian and begin with a kind and a version; after the head everything is 4 bytes wide, so that a browser
can look at it in place. docs/cabin_protocol.md has the table, this file is the only one that packs it.

    frame   server → client   head of 36 bytes, words of warning bits, poses (x y z, qw qx qy qz), signals, levers
    levers  client → server   head of 8 bytes, one value for each input, in the order of `hello`

Everything that all clients see alike (`Moment.pack`) is packed once; a client adds the signals that it asked for.
What a client sends is believed only when its length is exactly right and its numbers are finite.
Tested in tests/cabin/test_frame.py.
"""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import KnuckleboomError

VERSION = 1
SUBPROTOCOL = f"knuckleboom.{VERSION}"
FRAME, LEVERS = 1, 2
PAUSED, RECORDING, FAILED = 1, 2, 4
POSE = 7

HEAD = struct.Struct("<BBHIdIIfHHHH")
"""kind, version, flags, sequence, time, applied lever sequence, missed deadlines, reached speed, nbody, nsignal,
nwarningwords, nlever"""
LEVER_HEAD = struct.Struct("<BBHI")
"""kind, version, n, sequence"""
COUNTER = 0xFFFFFFFF

Array = NDArray[np.float32]


class Malformed(KnuckleboomError):
    """A binary message that is not what it should be; the text says why."""


@dataclass(frozen=True)
class Moment:
    """What a frame shows: the machine at one time. `warnings` has one truth for each warning of `hello`."""

    sequence: int
    time: float
    flags: int
    applied: int
    missed: int
    reached: float
    warnings: NDArray[np.bool_]
    poses: Array
    signals: Array
    levers: Array

    def pack(self) -> "Packed":
        """Pack what all clients see alike."""
        words = np.packbits(self.warnings, bitorder="little").tobytes()
        words += bytes(-len(words) % 4)
        poses, levers = _bytes(self.poses), _bytes(self.levers)
        return Packed(self, words + poses, levers, len(poses) // (4 * POSE), len(words) // 4)


@dataclass(frozen=True)
class Packed:
    """A moment, packed but for the signals that each client chooses."""

    moment: Moment
    poses: bytes
    levers: bytes
    nbody: int
    nword: int

    def frame(self, signals: Array) -> bytes:
        """Return the frame for a client that asked for these signals."""
        m = self.moment
        counts = (self.nbody, len(signals), self.nword, len(m.levers))
        counters = (m.sequence & COUNTER, m.time, m.applied & COUNTER, min(m.missed, COUNTER), m.reached)
        head = HEAD.pack(FRAME, VERSION, m.flags, *counters, *counts)
        return b"".join((head, self.poses, _bytes(signals), self.levers))


def _bytes(values: Array) -> bytes:
    return np.ascontiguousarray(values, "<f4").tobytes()


def read_frame(data: bytes, warnings: int) -> Moment:
    """Return what a frame says; `warnings` is how many `hello` lists. For clients in Python, and for tests."""
    if len(data) < HEAD.size:
        raise Malformed(f"a frame has at least {HEAD.size} bytes, this message has {len(data)}")
    kind, version, flags, sequence, time, applied, missed, reached, nbody, nsignal, nword, nlever = HEAD.unpack_from(
        data
    )
    _check_kind(kind, version, FRAME)
    numbers = nbody * POSE + nsignal + nlever
    expected = HEAD.size + 4 * (nword + numbers)
    if len(data) != expected:
        raise Malformed(f"a frame with these counts has {expected} bytes, this one has {len(data)}")
    if warnings > 32 * nword:
        raise Malformed(f"a frame with {nword} words has bits for {32 * nword} warnings, not for {warnings}")
    words = np.frombuffer(data, np.uint8, 4 * nword, HEAD.size)
    bits = np.unpackbits(words, bitorder="little")[:warnings].astype(bool)
    values = np.frombuffer(data, "<f4", numbers, HEAD.size + 4 * nword)
    poses, signals, levers = np.split(values, [nbody * POSE, nbody * POSE + nsignal])
    poses = poses.reshape(nbody, POSE)
    return Moment(sequence, time, flags, applied, missed, reached, bits, poses, signals, levers)


def pack_levers(sequence: int, levers: Array) -> bytes:
    """Return the message by which a driver moves the levers."""
    return LEVER_HEAD.pack(LEVERS, VERSION, len(levers), sequence & COUNTER) + _bytes(levers)


def read_levers(data: bytes, count: int) -> tuple[int, NDArray[np.float64]]:
    """Return the sequence number and the levers of a driver's message, or say what is wrong with it."""
    if len(data) < LEVER_HEAD.size:
        raise Malformed(f"a lever message has at least {LEVER_HEAD.size} bytes, this message has {len(data)}")
    kind, version, n, sequence = LEVER_HEAD.unpack_from(data)
    _check_kind(kind, version, LEVERS)
    if n != count:
        raise Malformed(f"this machine has {count} inputs, the lever message has {n}")
    expected = LEVER_HEAD.size + 4 * n
    if len(data) != expected:
        raise Malformed(f"a lever message for {n} inputs has {expected} bytes, this one has {len(data)}")
    levers = np.frombuffer(data, "<f4", n, LEVER_HEAD.size).astype(float)
    if not np.isfinite(levers).all():
        raise Malformed("a lever is not a finite number")
    return sequence, levers


def _check_kind(kind: int, version: int, wanted: int) -> None:
    if kind != wanted:
        raise Malformed(f"a binary message of kind {kind} is unknown here; kind {wanted} is")
    if version != VERSION:
        raise Malformed(f"this message is of version {version} of the protocol; here it is {VERSION}")
