# SPDX-License-Identifier: BSD-3-Clause
"""Real-time priority: granted or not, there is a sentence, and nothing else changes."""

import os

import pytest

from knuckleboom.cabin import priority


@pytest.fixture(autouse=True)
def system(monkeypatch):
    asked = {}
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 5})
    monkeypatch.setattr(os, "sched_setscheduler", lambda *given: asked.update(policy=given))
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, which: asked.update(processors=which))
    monkeypatch.setattr(priority.ctypes, "CDLL", lambda *_, **__: type("C", (), {"mlockall": lambda self, flags: 0})())
    return asked


def test_granted(system):
    granted, text = priority.take_priority()
    assert granted
    assert system["processors"] == {5}
    assert system["policy"][1] == os.SCHED_FIFO
    assert text == "Real-time priority is on: SCHED_FIFO 20 on processor 5, memory locked."


def test_refused_says_what_to_do(system, monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    granted, text = priority.take_priority()
    assert not granted
    assert "refused by the system" in text and "limits.conf" in text
    assert "processors" not in system


def test_one_processor_is_not_taken(system, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    granted, text = priority.take_priority()
    assert not granted and "one processor" in text
    assert system == {}
