# SPDX-License-Identifier: BSD-3-Clause
"""Real-time priority for the thread that asks, where the system permits it, and a sentence that says so.

SCHED_FIFO lets nothing of normal priority delay a step; one processor is the loop's own, the others serve the rest.
Memory that is in use is locked so that no page has to be fetched twice. With a single processor it is left out:
everything else would wait. Tested in tests/cabin/test_priority.py.
"""

from __future__ import annotations

import ctypes
import os

LEVEL = 20
"""Of 99: above all programs, below the kernel's own interrupt threads at 50."""
LOCK_USED = 1 | 4  # MCL_CURRENT, MCL_ONFAULT: what is there and in use, not all of a compiler that has done its work
ADVICE = (
    "Permit it with an 'rtprio 20' line for your user in /etc/security/limits.conf, or run with the capability "
    "CAP_SYS_NICE."
)


def take_priority() -> tuple[bool, str]:
    """Take real-time priority for this thread; return whether that was granted, and a sentence."""
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:
        return False, "Real-time priority is off: with one processor everything else would stand still."
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(LEVEL))
    except OSError:
        return False, f"Real-time priority is refused by the system; other programs may delay steps. {ADVICE}"
    os.sched_setaffinity(0, {processors[-1]})
    locked = ctypes.CDLL(None, use_errno=True).mlockall(LOCK_USED) == 0
    memory = "memory locked" if locked else "memory not locked"
    return True, f"Real-time priority is on: SCHED_FIFO {LEVEL} on processor {processors[-1]}, {memory}."
