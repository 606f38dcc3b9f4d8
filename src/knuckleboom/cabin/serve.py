# SPDX-License-Identifier: BSD-3-Clause
"""From an address to a server that runs: the listening socket, uvicorn around the cabin, and a clean end.

The socket is opened first, so that an address that cannot be had is reported at once and in words. Little waits to be
sent, here and in the system: slow clients miss frames instead of getting old ones. Ctrl-C or SIGTERM ends all: clients
get a message and a moment to read it, then the source is closed; a machine that is being compiled or described is not
waited for. Tested in tests/cabin/test_serve.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from knuckleboom.cabin import limits
from knuckleboom.cabin.access import LOOPBACK, PAGE_PORT, is_loopback
from knuckleboom.cabin.server import Cabin
from knuckleboom.errors import KnuckleboomError

UNSENT = 8192
"""Bytes that may wait for a client in the system, and as many here, before frames are left out."""
UNREAD = 20_000
"""ms after which the system ends a connection whose other side takes nothing."""
TRIED = 20
"""Ports that are looked at for one to offer instead; 0, which takes any, where none is free."""
HIGHEST = 65535
"""The last port there is."""
EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that mean all addresses of this computer."""
FAR_FOUR, FAR_SIX = (socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")
"""Addresses that are kept for documentation and never assigned (RFC 5737, RFC 3849)."""
INTERFACE_ADDRESS, ROOM, NUMBER = 0x8915, 256, slice(20, 24)
"""SIOCGIFADDR of Linux, the address of an interface: bytes for question and answer, and where the address is in it."""
DISCARD = 9
"""A port, as one has to be named."""


class AddressError(KnuckleboomError):
    """An address that cannot be listened on; its text says why and what to type instead."""


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Return a socket that listens, or say why there is none; `option` is where the user gave the port."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError) as error:
        raise AddressError(f"--host: '{host}' is no name or address of this computer.") from error
    family, kind, protocol, _, address = found[0]
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # connections inherit these; Linux has both
        if sys.platform == "linux":
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
        opened.bind(address)
        opened.listen(128)
    except OSError as error:
        opened.close()
        raise AddressError(_why(error, host, port, option)) from error
    return opened


def _why(error: OSError, host: str, port: int, option: str) -> str:
    if error.errno == errno.EADDRINUSE:
        others = range(port + 1, min(port + TRIED, HIGHEST + 1))
        free = next((other for other in others if _is_free(host, other)), 0)
        return f"Port {port} of {host} is taken, perhaps by another cabin. Take another one: {option} {free}"
    if error.errno == errno.EACCES:
        return f"Port {port} may only be opened by the administrator. Take one above 1023: {option} {PAGE_PORT}"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host: {host} is not an address of this computer. All of its addresses are --host 0.0.0.0"
    return f"{host}:{port} cannot be listened on: {error.strerror}."


def _is_free(host: str, port: int) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind((host, port))
        return True
    return False


def address_of(opened: socket.socket, host: str, token: str = "") -> str:
    """Return what to type into a browser."""
    if host in EVERYWHERE:
        host = socket.gethostname()
    elif is_loopback(host):
        host = LOOPBACK if ":" not in host else "::1"
    return _address(opened, host, token)


def addresses_of(opened: socket.socket, host: str, token: str = "") -> list[str]:
    """Return all that can be typed into a browser: where this computer's name is unknown a number will do."""
    numbers = own_numbers(with_six=host == "::") if host in EVERYWHERE else []
    return [address_of(opened, host, token), *(_address(opened, number, token) for number in numbers)]


def _address(opened: socket.socket, host: str, token: str) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{opened.getsockname()[1]}/" + (f"?token={token}" if token else "")


def own_numbers(with_six: bool = False) -> list[str]:
    """Return this computer's addresses in networks, that of the route to the world first; nothing is sent for them."""
    found = [_toward(*FAR_FOUR)]
    # the system's list of interfaces knows also networks that lead nowhere else
    if sys.platform == "linux":
        import fcntl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            for _, name in socket.if_nameindex():
                with contextlib.suppress(OSError):
                    answer = fcntl.ioctl(asked, INTERFACE_ADDRESS, name.encode().ljust(ROOM, b"\0"))
                    found.append(socket.inet_ntoa(answer[NUMBER]))
    found += [_toward(*FAR_SIX)] if with_six else []
    return [number for number in dict.fromkeys(found) if number and not is_loopback(number)]


def _toward(family: int, number: str) -> str:
    """Return with which address of its own this computer would speak to another; empty without a route. No packet is
    sent: connecting a datagram socket only looks the route up.
    """
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as tried:
        tried.connect((number, DISCARD))
        return str(tried.getsockname()[0])
    return ""


class _WebSocket(AutoWebSocketsProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's WebSocket with a short queue."""

    def connection_made(self, transport: Any) -> None:
        transport.set_write_buffer_limits(high=UNSENT)
        super().connection_made(transport)


class _Server(uvicorn.Server):
    """uvicorn without signals of its own: they are ours."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(cabin: Cabin, opened: socket.socket, ready: Callable[[], None], stop: asyncio.Event) -> None:
    """Serve until `stop` is set; `ready` is called when clients can connect."""
    # its own lines would repeat ours, and tokens stand in addresses
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        cabin.app, ws=_WebSocket, ws_max_size=limits.LARGEST, ws_per_message_deflate=False, ws_ping_interval=5.0,
        ws_ping_timeout=10.0, timeout_graceful_shutdown=1, limit_concurrency=512, log_config=None, access_log=False,
        lifespan="off", server_header=False, date_header=False,
    )  # fmt: skip
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[opened]))
    clock = asyncio.create_task(cabin.run())
    ending = asyncio.create_task(stop.wait())
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.005)
        ready()
        await asyncio.wait((serving, clock, ending), return_when=asyncio.FIRST_COMPLETED)
    finally:
        clock.cancel()
        ending.cancel()
        await cabin.end()
        server.should_exit = server.force_exit = True
        results = await asyncio.gather(serving, clock, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


def run(cabin: Cabin, opened: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM. Who presses again gains nothing: from the first on all is being ended, and what is
    recorded gets its end; so these signals do nothing afterwards, for a process that is about to go.
    """

    async def main() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()

        def hear(*_: object) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(stop.set)

        # asyncio's own way would give the signals back before the source is closed
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, hear)
        await serve(cabin, opened, ready, stop)

    try:
        asyncio.run(main())
    finally:
        cabin.source.close()
