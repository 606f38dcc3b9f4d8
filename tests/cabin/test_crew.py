# SPDX-License-Identifier: BSD-3-Clause
"""Roles: one holds the levers, the others watch, and who waits longest takes over."""

import pytest

from knuckleboom.cabin.crew import Crew


class Told:
    def __init__(self) -> None:
        self.changes = self.rests = 0

    def changed(self) -> None:
        self.changes += 1

    def let_go(self) -> None:
        self.rests += 1


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def crew(told: Told) -> Crew[str]:
    found: Crew[str] = Crew(told.changed, told.let_go)
    for name in ("ann", "ben", "cai"):
        found.join(name)
    return found


def test_first_come_drives(crew: Crew[str], told: Told) -> None:
    assert crew.driver == "ann"
    assert told.changes == 3 and told.rests == 0


def test_held_levers_cannot_be_taken(crew: Crew[str]) -> None:
    assert not crew.take("ben")
    assert crew.driver == "ann"
    assert crew.take("ann")


def test_who_waits_longest_takes_over(crew: Crew[str], told: Told) -> None:
    crew.take("cai")
    crew.take("ben")
    crew.take("cai")
    crew.release("ann")
    assert (crew.driver, crew.waiting, told.rests) == ("cai", ["ben"], 1)
    crew.leave("cai")
    assert (crew.driver, crew.waiting, told.rests) == ("ben", [], 2)


def test_released_levers_are_free_when_nobody_waits(crew: Crew[str], told: Told) -> None:
    crew.release("ann")
    assert crew.driver is None and told.rests == 1
    assert crew.take("ben") and crew.driver == "ben"


def test_who_disappears_lets_go(crew: Crew[str], told: Told) -> None:
    crew.leave("ann")
    assert crew.driver is None and told.rests == 1
    crew.join("ann")
    assert crew.driver == "ann"


def test_watchers_come_and_go_without_a_trace(crew: Crew[str], told: Told) -> None:
    crew.take("ben")
    crew.release("ben")
    crew.leave("ben")
    crew.leave("ben")
    assert (crew.driver, crew.waiting, crew.members, told.rests) == ("ann", [], ["ann", "cai"], 0)
    crew.release("cai")
    assert (crew.driver, told.rests) == ("ann", 0)
