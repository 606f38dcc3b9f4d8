# SPDX-License-Identifier: BSD-3-Clause
"""Who holds the levers. One client does, the others watch; a client that asks for held levers waits in line for them.

    join      takes free levers at once       leave     lets go of them
    take      now when free, else in line     release   the first in line takes over; nobody when none waits

Only roles are kept here; `changed` is called after each change, `let_go` when levers must return to rest.
Tested in tests/cabin/test_crew.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Member = TypeVar("Member")


class Crew(Generic[Member]):
    """All clients of a server, and which of them drives."""

    def __init__(self, changed: Callable[[], None], let_go: Callable[[], None]) -> None:
        self.members: list[Member] = []
        self.driver: Member | None = None
        self.waiting: list[Member] = []
        self._changed, self._let_go = changed, let_go

    def join(self, member: Member) -> None:
        """Come in; the levers are taken when no client holds them."""
        self.members.append(member)
        if self.driver is None:
            self.driver = member
        self._changed()

    def leave(self, member: Member) -> None:
        """Go, and let go of the levers."""
        if member not in self.members:
            return
        self.members.remove(member)
        if member in self.waiting:
            self.waiting.remove(member)
        if self.driver is member:
            self._hand_over()
        self._changed()

    def take(self, member: Member) -> bool:
        """Hold the levers if no client does; otherwise wait for them. Return whether they are held now."""
        if self.driver is None:
            self.driver = member
            self._changed()
        elif self.driver is not member and member not in self.waiting:
            self.waiting.append(member)
        return self.driver is member

    def release(self, member: Member) -> None:
        """Let go of the levers, or stop waiting for them."""
        if member in self.waiting:
            self.waiting.remove(member)
        if self.driver is member:
            self._hand_over()
            self._changed()

    def _hand_over(self) -> None:
        self.driver = self.waiting.pop(0) if self.waiting else None
        self._let_go()
