# SPDX-License-Identifier: BSD-3-Clause
"""Recordings as files: cut anywhere, damaged anywhere, of another version, not ours at all; never overwritten."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from knuckleboom.cabin.recording import CHUNK, END, MAGIC, OPENING, RecordingFile, chunk, read_recording
from knuckleboom.results import FileError
from knuckleboom.results.files import REASONS

HEAD = {
    "package": "0.1.0", "code": "00", "created": "2026-01-01T00:00:00+00:00", "machine": "m", "yaml": "", "cite": "",
    "method": {"coupling": "realtime"}, "step": 1e-3, "inputs": ["a", "b"], "controllers": [], "first": 10,
}  # fmt: skip
START = {"q": np.array([0.5, 1.5]), "time": np.array([0.01])}


def write(path, ended=True):
    file = RecordingFile(path, HEAD, START)
    file.add(np.array([10, 20]), np.array([[1.0, 2.0], [3.0, 4.0]]), 25)
    file.add(np.array([30]), np.array([[5.0, 6.0]]), 40)
    if ended:
        file.end("off", 50, "", "abc")
    else:
        file.close()
    return file.path


def test_what_was_written_is_read(tmp_path):
    found = read_recording(write(tmp_path / "a.kbrec"))
    assert found.head == HEAD
    assert found.start["q"].tolist() == [0.5, 1.5]
    assert found.changes.tolist() == [10, 20, 30]
    assert found.values.tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert (found.steps, found.end["reason"], found.doubt) == (50, "off", "")
    assert found.duration == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("view", "found"),
    [
        ({"bounds": [[0, 0, -3], [1, 2, 3]], "size": 4}, {"bounds": [[0, 0, -3], [1, 2, 3]], "size": 4}),
        ({"bounds": [[0, 0, -3]], "size": 4}, {}),
        ({"bounds": [[0, 0, -3], ["x", 2, 3]], "size": 4}, {}),
        ({"bounds": [[0, 0, -3], [1, 2, 3]], "size": 0}, {}),
        (None, {}),
    ],
)
def test_view_of_the_drive(tmp_path, view, found):
    RecordingFile(tmp_path / "a.kbrec", HEAD | {"view": view}, START).close()
    assert read_recording(tmp_path / "a.kbrec").view == found


def test_without_an_end_the_steps_that_were_told_count(tmp_path):
    found = read_recording(write(tmp_path / "a.kbrec", ended=False))
    assert (found.steps, found.end, found.doubt) == (40, None, "")


def test_cut_at_any_byte_gives_what_is_before_it(tmp_path):
    whole = write(tmp_path / "a.kbrec").read_bytes()
    known = []
    for size in range(OPENING.size, len(whole), 7):
        (tmp_path / "cut.kbrec").write_bytes(whole[:size])
        try:
            found = read_recording(tmp_path / "cut.kbrec")
        except FileError as error:
            assert "Nothing of the recording" in str(error)
            assert not known  # once its beginning is whole it can be read
            continue
        known.append(found.steps)
        assert found.end is None
        assert (found.changes < max(found.steps, 11)).all()
    assert known == sorted(known)
    assert {10, 25, 40} <= set(known)


@pytest.mark.parametrize("seed", range(40))
def test_one_wrong_byte_is_seen(tmp_path, seed):
    data = bytearray(write(tmp_path / "a.kbrec").read_bytes())
    at = int(np.random.default_rng(seed).integers(len(data)))
    data[at] ^= 0x41
    (tmp_path / "bad.kbrec").write_bytes(data)
    try:
        found = read_recording(tmp_path / "bad.kbrec")
    except FileError as error:
        assert "bad.kbrec" in str(error)
    else:
        # the four spare bytes of the opening say nothing
        assert found.doubt or OPENING.size - 4 <= at < OPENING.size
        assert set(found.changes.tolist()) <= {10, 20, 30}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (None, "There is no recording"),
        (b"", "is not a recording of a drive"),
        (b"netCDF or whatever", "is not a recording of a drive"),
        (b"KBREC\n\n" + b"\0" * 40, "damaged at its very beginning"),
        (OPENING.pack(MAGIC, 7), "has format 7; this version of knuckleboom reads format 1"),
        (OPENING.pack(MAGIC, 1), "Nothing of the recording"),
        (OPENING.pack(MAGIC, 1) + chunk(1, b"{}"), "makes no sense"),
        (OPENING.pack(MAGIC, 1) + chunk(1, b"[1]"), "makes no sense"),
        (OPENING.pack(MAGIC, 1) + chunk(2, b"PK"), "makes no sense"),
        (OPENING.pack(MAGIC, 1) + CHUNK.pack(1, 2**32 - 1), "cut off"),
    ],
)
def test_what_is_no_recording_is_answered(tmp_path, data, text):
    path = tmp_path / "x.kbrec"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(FileError, match=text):
        read_recording(path)


@pytest.mark.parametrize(
    "spoil",
    [
        {"step": 0.0}, {"step": -1e-3}, {"step": "1 ms"}, {"step": True}, {"first": -1}, {"first": 1.5},
        {"first": 10**12}, {"inputs": "ab"}, {"inputs": [1]}, {"controllers": None}, {"method": []}, {"yaml": 7},
        {"step": None, "more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_heads_that_make_no_sense(tmp_path, spoil):
    path = tmp_path / "x.kbrec"
    path.write_bytes(OPENING.pack(MAGIC, 1) + chunk(1, json.dumps(HEAD | spoil).encode()))
    with pytest.raises(FileError, match="makes no sense"):
        read_recording(path)


def test_a_head_that_lacks_one_thing_and_has_another(tmp_path):
    path, head = tmp_path / "x.kbrec", HEAD | {"colour": "red"}
    del head["yaml"]
    path.write_bytes(OPENING.pack(MAGIC, 1) + chunk(1, json.dumps(head).encode()))
    with pytest.raises(FileError, match="makes no sense"):
        read_recording(path)


def test_what_makes_no_sense_ends_the_reading(tmp_path):
    path = write(tmp_path / "a.kbrec", ended=False)
    good = path.read_bytes()
    row = np.array([(5, (0.0, 0.0))], np.dtype([("step", "<i8"), ("values", "<f8", (2,))])).tobytes()
    steps = [chunk(4, b"1"), chunk(4, b"\x7f" * 8)]
    for extra in (chunk(3, row), chunk(3, row[:-1]), *steps, chunk(END, b"{}"), chunk(END, b"\xff")):
        path.write_bytes(good + extra)
        found = read_recording(path)
        assert (found.steps, found.changes.tolist()) == (40, [10, 20, 30])
        assert "makes no sense" in found.doubt


def test_nothing_is_overwritten(tmp_path):
    paths = [write(tmp_path / "new" / "a.kbrec").name for _ in range(3)]
    assert paths == ["a.kbrec", "a-2.kbrec", "a-3.kbrec"]


def test_a_full_disk_is_a_sentence(tmp_path, monkeypatch):
    file = RecordingFile(tmp_path / "a.kbrec", HEAD, START)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(FileError, match=rf"Could not write the recording '.*a.kbrec': {REASONS[errno.ENOSPC]}"):
        file.add(np.array([10]), np.array([[1.0, 2.0]]), 25)
    monkeypatch.undo()
    file.close()
    assert read_recording(file.path).steps == 10  # what was written before is there


def test_a_folder_that_cannot_be_made_is_a_sentence():
    with pytest.raises(FileError, match=r"Could not write the recording '/dev/full/a.kbrec'"):
        RecordingFile(Path("/dev/full/a.kbrec"), HEAD, START)
