# SPDX-License-Identifier: BSD-3-Clause
"""Who may open a connection: address, host name, origin and token.

    loopback    anybody on this computer; `Host` must be a loopback name, so that a foreign name that leads here fails
    elsewhere   a token is needed, made here when the user gives none; compared in constant time
    origin      what a browser says opened the connection must be this server's own page, or one that was allowed

A client without `Origin` is not a browser. Tested in tests/cabin/test_access.py.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knuckleboom.wire import LOOPBACK, is_loopback

__all__ = ["LOOPBACK", "PAGE_PORT", "Access", "is_loopback", "name_of"]

PAGE_PORT = 8360
"""Where the page is unless given otherwise."""
HOST = re.compile(r"[A-Za-z0-9._-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
"""What a `Host` header may look like; only such a one is ever repeated in an answer."""


def name_of(host: str) -> str:
    """Return a `Host` header without its port."""
    return host.rsplit(":", 1)[0] if re.search(r":\d+$", host) and not host.endswith("]") else host


@dataclass(frozen=True)
class Access:
    """The rules of one server; an empty token means that none is needed."""

    host: str
    token: str = ""
    origins: tuple[str, ...] = ()

    @classmethod
    def choose(cls, host: str, token: str = "", origins: Sequence[str] = ()) -> Access:
        """Return the rules for an address, with a token where one is needed."""
        needed = "" if is_loopback(host) else secrets.token_urlsafe(16)
        return cls(host, token or needed, tuple(origin.rstrip("/") for origin in origins))

    def host_fault(self, headers: Mapping[str, str]) -> str:
        """Return what is wrong with the host that was asked for; empty when nothing is."""
        host = headers.get("host", "")
        if not HOST.fullmatch(host):
            return "there is no proper Host header"
        if is_loopback(self.host) and not is_loopback(name_of(host)):
            return f"the host '{host}' is not this computer"
        return ""

    def origin_fault(self, headers: Mapping[str, str]) -> str:
        """Return what is wrong with the page that opens a connection; empty when nothing is."""
        origin, host = headers.get("origin"), headers.get("host", "")
        if origin is None or origin in self.origins:
            return ""
        if origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower()):
            return ""
        return f"the page of {origin[:80]!r} may not connect"

    def token_fault(self, given: str) -> str:
        """Return what is wrong with a token; empty when nothing is."""
        bits = [text.encode(errors="surrogatepass") for text in (given, self.token)]
        if self.token and not hmac.compare_digest(*bits):
            return "the token is wrong" if given else "a token is needed"
        return ""
