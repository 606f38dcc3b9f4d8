# SPDX-License-Identifier: BSD-3-Clause
"""More than a thousand files that are no machines, each through `check` and `run` as the command line calls them.

Every answer is exit code 2 with a text that names a line, a part or the file, the same from both commands; no
traceback, no file takes long, none makes the process grow, and no code in a file runs. A spoilt machine that happens to
be a machine still must plan. Compilation is not part of it: one good run goes before.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.command_line import COMMAND, environment
from knuckleboom.cli import main
from malformed import hand_made
from malformed.good_machines import good_machines
from malformed.mutations import spoilt_texts, spoilt_trees

LONGEST_S = 30
"""A file may take this long; most take a hundredth of a second."""
MOST_GROWTH_MB = 400
RUN = ("--for", "1ms", "--step", "1ms", "--no-plots", "--save", "out.csv")
TREES, TEXTS, GUESSES = 200, 100, 120
"""How many files: spoilt trees and texts of each good machine, and guesses of hypothesis."""

GOOD = good_machines()
MADE = hand_made.files()
WORDS = st.sampled_from(
    [*"-?:,[]{}#&*!|>'\"%@` \n\t~", "\n  ", ": ", "- ", "knuckleboom: 1\n", "machine", "bodies", "joints", "boom"]
    + ["revolute", "ground", "mass", "inertia", "[1, 1, 1]", "1e9", ".nan", "!!", "&a", "*a", "<<", "---", "\\x00"]
)  # fmt: skip


class Answer(NamedTuple):
    """How a command ended and what it said."""

    code: int
    text: str


class TookTooLong(BaseException):
    """Raised by the alarm; no `except Exception` on the way hides it."""


@contextlib.contextmanager
def alarm(seconds: int) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def ask(*words: str) -> Answer:
    """Run a command line in this process, within its time."""
    said = io.StringIO()
    with alarm(LONGEST_S), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(words)
    return Answer(code, said.getvalue())


def faults(content: bytes) -> list[str]:
    """Return what is wrong with the answers to one file, nothing when they are as they should be."""
    Path("machine.yaml").write_bytes(content)
    try:
        check, run = ask("check", "machine.yaml"), ask("run", "machine.yaml", *RUN)
    except TookTooLong:
        return [f"took more than {LONGEST_S} s"]
    except Exception as error:
        return [f"traceback of {error!r}"]
    found = []
    if check.code not in (0, 2) or (check.code == 2) != (run.code == 2):
        found.append(f"check ends with {check.code}, run with {run.code}: {check.text} {run.text}")
    if check.code == 2 and check.text.strip() != run.text.strip():
        found.append(f"check and run do not say the same: {check.text} {run.text}")
    if check.code == 2 and not re.search(r"\d+\. (\S+ )?lines? \d|'[^']+'|bytes", check.text):
        found.append(f"no line and no part: {check.text}")
    if any(not (letter.isprintable() or letter == "\n") for letter in check.text):
        found.append("letters that move a terminal's cursor")
    if Path(hand_made.CANARY).exists():
        found.append("code in the file was executed")
    return found


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Stand in a folder of our own, with everything compiled by a good run of every good machine."""
    with contextlib.chdir(tmp_path_factory.mktemp("malformed")):
        for text in GOOD.values():
            Path("machine.yaml").write_text(text, encoding="utf-8")
            assert main(["check", "machine.yaml"]) == 0
            assert main(["run", "machine.yaml", *RUN]) == 0
        yield


def test_there_are_a_thousand() -> None:
    assert len(GOOD) * (TREES + TEXTS) + len(MADE) + GUESSES > 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", GOOD)
def test_spoilt_trees(name: str) -> None:
    answers = {done: faults(text.encode()) for text, done in spoilt_trees(GOOD[name], TREES, seed=1)}
    assert {done: found for done, found in answers.items() if found} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", GOOD)
def test_spoilt_texts(name: str) -> None:
    answers = {done: faults(content) for content, done in spoilt_texts(GOOD[name], TEXTS, seed=2)}
    assert {done: found for done, found in answers.items() if found} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_hand_made(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert faults(MADE[name]) == []
    assert ask("check", "machine.yaml").code == 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1024 * MOST_GROWTH_MB


@pytest.mark.slow
@given(st.lists(WORDS, max_size=40).map("".join) | st.text(max_size=60))
@settings(max_examples=GUESSES)
def test_guesses(text: str) -> None:
    assert faults(text.encode("utf-8", "surrogatepass")) == []


def few(count: int) -> list[str]:
    """Return some of the files that somebody made, always the same."""
    return random.Random(3).sample(sorted(MADE), count)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a billion laughs", "a million values", "deep lists", "a tower of powers", *few(8)])
def test_as_a_user_types_it_with_little_memory(name: str) -> None:
    """The real command in a process that may have 2 GB of addresses: half of them `check`, half `run`."""
    Path("machine.yaml").write_bytes(MADE[name])
    words = ["check", "machine.yaml"] if len(name) % 2 else ["run", "machine.yaml", *RUN]

    done = subprocess.run(
        [*COMMAND, *words], env=environment(OPENBLAS_NUM_THREADS="1"), capture_output=True, text=True,
        timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30, 2 * 2**30)),
    )  # fmt: skip

    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert re.search(r"lines? \d|'[^']+'|bytes", done.stderr + done.stdout)
    assert not Path(hand_made.CANARY).exists()


def test_a_pipe_is_not_waited_for() -> None:
    os.mkfifo("pipe.yaml")
    answer = ask("check", "pipe.yaml")
    assert answer.code == 2 and "it is not a file but a device or a pipe." in answer.text


def test_a_link_to_itself_is_a_sentence() -> None:
    os.symlink("loop.yaml", "loop.yaml")
    answer = ask("check", "loop.yaml")
    assert answer.code == 2 and "it cannot be read: Too many levels of symbolic links." in answer.text


@pytest.mark.slow
def test_groups_of_groups_do_not_explode() -> None:
    """Nine files, each ten times in the one before: 10⁸ bodies if nobody counted."""
    for level in range(8):
        groups = "".join(f"  g{k}: {{file: level{level + 1}.yaml}}\n" for k in range(10))
        Path(f"level{level}.yaml").write_text(f"{hand_made.HEAD}groups:\n{groups}")
    Path("level8.yaml").write_text(hand_made.HEAD + hand_made.BAR + hand_made.FOOT)
    answer = ask("check", "level0.yaml")
    assert answer.code == 2
    assert "is being read already" in answer.text or "more than 100000 values" in answer.text
