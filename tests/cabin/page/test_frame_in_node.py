# SPDX-License-Identifier: BSD-3-Clause
"""The page reads what the server packs, and the server reads what the page packs: frame.js against frame.py."""

import base64

import numpy as np
import pytest

from cabin.page.in_node import in_node
from knuckleboom.cabin.frame import FAILED, PAUSED, RECORDING, Moment, read_levers

READ = """({ readFrame }, text) => {
    const bytes = Uint8Array.from(Buffer.from(text, "base64")), frame = readFrame(bytes.buffer);
    if (frame === null) return null;
    const plain = (one) => (ArrayBuffer.isView(one) ? Array.from(one) : one);
    return Object.fromEntries(Object.entries(frame).map(([key, value]) => [key, plain(value)]));
}"""
PACK = """({ packLevers }, { sequence, values }) => Buffer.from(packLevers(sequence, values)).toString("base64")"""


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.fixture(scope="module")
def moment():
    random = np.random.default_rng(8)
    warnings = np.zeros(40, bool)
    warnings[[0, 5, 31, 32, 39]] = True
    return Moment(
        sequence=4_000_000_000, time=1234.56789, flags=PAUSED | FAILED, applied=77, missed=3, reached=0.75,
        warnings=warnings, poses=random.normal(size=(5, 7)).astype("f4"), signals=np.zeros(0, "f4"),
        levers=np.array([-1.0, 0.25, 1.0], "f4"),
    )  # fmt: skip


def test_page_reads_a_frame(moment):
    signals = np.array([1e5, -3.5, 0.0, 2.5e7], "f4")

    seen = in_node("frame.js", READ, text(moment.pack().frame(signals)))

    assert (seen["sequence"], seen["time"], seen["applied"], seen["missed"]) == (4_000_000_000, 1234.56789, 77, 3)
    assert (seen["paused"], seen["recording"], seen["failed"]) == (True, False, True)
    assert seen["reached"] == 0.75
    assert np.array_equal(np.array(seen["poses"], "f4").reshape(5, 7), moment.poses)
    assert np.array_equal(np.array(seen["signals"], "f4"), signals)
    assert seen["levers"] == [-1.0, 0.25, 1.0]
    bits = [bool(seen["warnings"][i >> 5] >> (i & 31) & 1) for i in range(40)]
    assert bits == moment.warnings.tolist()


def test_flag_of_a_recording(moment):
    moment = Moment(**{**moment.__dict__, "flags": RECORDING})

    seen = in_node("frame.js", READ, text(moment.pack().frame(np.zeros(0, "f4"))))

    assert (seen["paused"], seen["recording"], seen["failed"]) == (False, True, False)


def test_page_refuses_what_is_no_frame(moment):
    good = moment.pack().frame(np.zeros(2, "f4"))

    for bad in (b"", good[:20], good[:-4], good + b"1234", b"\2" + good[1:], good[:1] + b"\2" + good[2:]):
        assert in_node("frame.js", READ, text(bad)) is None


def test_server_reads_levers():
    values = [-1.0, 0.5, 0.125, 1.0]

    packed = base64.b64decode(in_node("frame.js", PACK, {"sequence": 4_000_000_001, "values": values}))

    sequence, levers = read_levers(packed, 4)
    assert sequence == 4_000_000_001
    assert levers.tolist() == values
