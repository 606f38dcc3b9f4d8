# SPDX-License-Identifier: BSD-3-Clause
"""The cabin's server: hands out the page, and shows one source (a machine, or a run) to all clients.

    page    files of page_files.py, nothing else           /live   the WebSocket of docs/cabin_protocol.md

Three kinds of tasks share one thread: for each client one that reads (`live`) and one that sends (client.py), and one
clock that looks at the source 60 times a second, and when a lever moves. The page is there at once; the source is made
ready in a thread of its own, and until then clients hear what it is doing. A client that breaks a rule is closed with a
code and a reason, which are also in the log; other clients are not affected.
Tested in tests/cabin/test_server.py and test_hostile.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
import time
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from knuckleboom.cabin import limits
from knuckleboom.cabin.access import HOST, Access
from knuckleboom.cabin.client import Client
from knuckleboom.cabin.crew import Crew
from knuckleboom.cabin.frame import SUBPROTOCOL, VERSION, Malformed, Moment, Packed, read_levers
from knuckleboom.cabin.known import Known
from knuckleboom.cabin.limits import Message, Refused
from knuckleboom.cabin.page_files import File
from knuckleboom.cabin.source import Sight, Source
from knuckleboom.cabin.watch import Watch
from knuckleboom.errors import KnuckleboomError
from knuckleboom.names import closest

Array = NDArray[np.float64]

FRAME = 1.0 / 60.0
"""s between frames."""
POLL = 0.001
"""s between looks for a line that is about to come."""
SOONEST = 0.005
"""s between two frames for the client that moves a lever."""
DRIFT = 1e-4
"""s by which a frame comes earlier than the one before it as long as its line was there already."""
STATUS = 0.25
"""s between messages `status`."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self'; worker-src 'self'; manifest-src 'self'; connect-src 'self'{sockets}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
GOODBYE = 0.05
"""s that clients get to read the last words."""
LIVE = "/live"
LONGEST_REASON = 120
"""Bytes of a reason: a close message has room for 123."""
LONGEST_NAME = 80
"""Letters of an unknown name that are looked at and repeated."""

log = logging.getLogger(__name__)


def fit(reason: str) -> str:
    """Return as much of a reason as a close message has room for."""
    return reason.encode(errors="replace")[:LONGEST_REASON].decode(errors="ignore")


class Cabin:
    """One source and all clients that are connected to it."""

    def __init__(self, source: Source, files: Mapping[str, File], access: Access) -> None:
        self.source, self.files, self.access = source, files, access
        self.crew: Crew[Client] = Crew(self._tell_roles, self._let_go)
        self.failure = ""
        self.frame_ms = 0.0
        """Time of the processor for one frame, all clients together, ms."""
        self._hello, self._watch = "", Watch([])  # all of hello but its beginning
        self._count, self._frames = 0, 0
        self._low, self._high = np.zeros(0), np.zeros(0)
        self._steered = False
        self._moved = asyncio.Event()
        self._opener: threading.Thread | None = None
        self.app = Starlette(routes=[WebSocketRoute(LIVE, self.live)])
        self.app.router.default = self._http

    @property
    def is_opening(self) -> bool:
        """Whether a thread still makes the source ready."""
        return self._opener is not None and self._opener.is_alive()

    # --- the page ---

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            log.warning("refused a WebSocket at %r", scope.get("raw_path", b"")[:80])
            await send({"type": "websocket.close", "code": limits.MALFORMED, "reason": f"{LIVE} is the only one"})
            return
        response = await self.page(Request(scope))
        await response(scope, receive, send)

    async def page(self, request: Request) -> Response:
        """Hand out a file of the page."""
        host = request.headers.get("host", "")
        fault = self.access.host_fault(request.headers)
        # the undecoded path is looked up, so that nothing in it has a meaning
        path = request.scope.get("raw_path", b"").split(b"?")[0].decode("latin-1")
        file = self.files.get(path)
        sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
        headers = {
            "Content-Security-Policy": POLICY.format(sockets=sockets),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-cache",
        }
        if fault:
            return self._refuse_page(request, 403, fault, headers)
        if request.method not in ("GET", "HEAD"):
            return self._refuse_page(request, 405, "only GET and HEAD", {**headers, "Allow": "GET, HEAD"})
        if file is None:
            return self._refuse_page(request, 404, "there is no such file", headers)
        headers |= {"ETag": file.tag, "Content-Type": file.kind}
        if file.keep:
            headers["Cache-Control"] = "public, max-age=31536000, immutable"
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.content, headers=headers)

    def _refuse_page(self, request: Request, status: int, reason: str, headers: dict[str, str]) -> Response:
        asked = request.scope.get("raw_path", b"")[:80]
        address = request.client.host if request.client is not None else "?"
        log.warning("refused %s %r of %s: %s", request.method[:10], asked, address, reason)
        return Response(f"{reason}\n", status, {**headers, "Content-Type": "text/plain; charset=utf-8"})

    # --- one client ---

    async def live(self, socket: WebSocket) -> None:
        """Serve one client from its handshake to its end."""
        address = socket.client.host if socket.client is not None else "?"
        fault = self.access.host_fault(socket.headers) or self.access.origin_fault(socket.headers)
        offered = socket.scope.get("subprotocols", [])
        if not fault and SUBPROTOCOL not in offered:
            fault = f"this server speaks {SUBPROTOCOL}, the client does not offer it"
        if fault:
            log.warning("refused a connection of %s: %s", address, fault)
            await socket.send_denial_response(Response(f"{fault}\n", 403))
            return
        await socket.accept(SUBPROTOCOL)
        fault, code = self.access.token_fault(socket.query_params.get("token", "")), limits.NO_TOKEN
        if not fault and len(self.crew.members) >= limits.CLIENTS:
            fault, code = f"{limits.CLIENTS} clients are connected already", limits.FULL
        if fault:
            log.warning("refused a connection of %s: %s", address, fault)
            await socket.close(code, fault)
            return
        self._count += 1
        await self._serve(Client(self._count, socket))

    async def _serve(self, client: Client) -> None:
        sender, receiver = asyncio.create_task(client.send_all()), asyncio.create_task(self._receive(client))
        client.abort = sender.cancel
        self.crew.join(client)
        self._welcome(client)
        try:
            await asyncio.wait((sender, receiver), return_when=asyncio.FIRST_COMPLETED)
            refused = receiver.exception() if receiver.done() else None
            if isinstance(refused, Refused):
                log.warning("closed %s: %s", client, refused.reason)
                client.close(refused.code, fit(refused.reason))
            elif refused is not None:
                raise refused
        finally:
            self.crew.leave(client)
            client.close(1000, "")
            await asyncio.wait((sender,), timeout=1.0)
            for task in (sender, receiver):
                task.cancel()

    async def _receive(self, client: Client) -> None:
        while True:
            event = await client.socket.receive()
            if event["type"] == "websocket.disconnect":
                self._note_end(client, event.get("code", 1006), event.get("reason") or "")
                return
            client.meter.count(time.monotonic())
            data, text = event.get("bytes"), event.get("text")
            if data is not None:
                self._take_levers(client, data)
            else:
                self._obey(client, limits.read_text(text or ""))

    def _note_end(self, client: Client, code: int, reason: str) -> None:
        """Log what the protocol below us refused: messages that are too large or no WebSocket frames at all."""
        if code == limits.TOO_LARGE:
            log.warning("closed %s: a message of more than %d bytes", client, limits.LARGEST)
        elif code in (1002, 1003, 1007):
            # what a client writes is quoted, so that it cannot look like a line of ours
            log.warning("closed %s: %r", client, reason or "its messages are not those of a WebSocket")

    # --- what clients ask for ---

    def _take_levers(self, client: Client, data: bytes) -> None:
        known = self.source.known
        if known is None:
            raise Refused(limits.MALFORMED, "a lever message before the machine is known")
        try:
            sequence, levers = read_levers(data, len(known.inputs))
        except Malformed as fault:
            raise Refused(limits.MALFORMED, str(fault)) from fault
        if sequence <= client.sequence:
            raise Refused(limits.OUT_OF_ORDER, f"lever message {sequence} after {client.sequence}")
        client.sequence = sequence
        if self.crew.driver is not client:
            self._refuse_once(client, "Somebody else holds the levers.")
            return
        client.heard = time.monotonic()
        self._steered = True
        self.source.steer(np.clip(levers, self._low, self._high), sequence)
        if self.source.mode == "live" and not np.array_equal(levers, client.levers):
            client.levers = levers
            self._moved.set()

    def _obey(self, client: Client, message: Message) -> None:
        match message.kind:
            case "subscribe":
                self._subscribe(client, message.value)
            case "take":
                if not self.crew.take(client):
                    client.tell("refused", reason="Somebody else holds the levers; you are next when they are free.")
            case "release":
                self.crew.release(client)
            case _:
                reason = "Only who holds the levers may do that." if self.crew.driver is not client else ""
                if not reason and self.source.known is None:
                    reason = "The machine is not ready yet."
                reason = reason or self.source.ask(message)
                if reason:
                    client.tell("refused", reason=reason)
                else:
                    self._tell_status()

    def _subscribe(self, client: Client, paths: list[str]) -> None:
        known = self.source.known
        if known is None:
            client.tell("refused", reason="The machine is not known yet: wait for hello.")
            return
        unknown = [path for path in paths if path not in known.columns]
        if unknown:
            now, name, near = time.monotonic(), unknown[0][:LONGEST_NAME], []
            client.meter.count(now, limits.WRONG_NAME)
            # looking for them takes longer than a frame, and all wait for it
            if now - client.advised >= limits.ADVICE:
                client.advised, near = now, closest(name, known.columns)
            offered = f" Closest names: {', '.join(near)}." if near else ""
            client.tell("refused", reason=f"There is no signal '{name}'.{offered}")
            return
        client.columns = np.array([known.columns[path] for path in paths], np.intp)

    def _refuse_once(self, client: Client, reason: str) -> None:
        if reason not in client.was_refused:
            client.was_refused.add(reason)
            client.tell("refused", reason=reason)

    # --- what is sent to clients ---

    def _welcome(self, client: Client) -> None:
        client.tell_text(self._status_text())
        if self._hello:
            self._greet(client)

    def _greet(self, client: Client) -> None:
        client.columns = np.zeros(0, np.intp)
        client.tell_text(f'{{"type": "hello", "version": {VERSION}, "client": {client.number}, {self._hello}')

    def _introduce(self, known: Known) -> None:
        """The machine is known: send it to all clients."""
        self._watch = Watch(known.dashboard.alarms)
        self._low = np.array([one["low"] for one in known.inputs], float)
        self._high = np.array([one["high"] for one in known.inputs], float)
        told = {"mode": self.source.mode, "duration": self.source.duration, "token_needed": bool(self.access.token)}
        self._hello = json.dumps(told | known.hello(), allow_nan=False).removeprefix("{")
        for client in self.crew.members:
            self._greet(client)

    def _tell_roles(self) -> None:
        for client in self.crew.members:
            present = self.crew.driver is not None
            client.was_refused.clear()
            client.tell(
                "role", driver=client is self.crew.driver, driver_present=present, clients=len(self.crew.members)
            )

    def _let_go(self) -> None:
        """The levers have another holder, or none: they return to rest until that one moves them."""
        self._steered = False
        if self.source.known is not None:
            self.source.centre()

    def _status_text(self) -> str:
        status = self.source.status()
        if self.failure:
            status |= {"state": "failed", "message": self.failure}
        return json.dumps({"type": "status", **status, "server_ms": round(self.frame_ms, 4)}, allow_nan=False)

    def _tell_status(self) -> None:
        text = self._status_text()
        for client in self.crew.members:
            client.tell_text(text, needed=False)

    # --- the clock ---

    async def run(self) -> None:
        """Make the source ready, and show it until this task is cancelled; raise why it cannot be made ready."""
        opening: asyncio.Future[None] | None = self._open()
        due = told = shown = time.monotonic()
        worked, counted = time.thread_time(), 0
        while True:
            if await self._moved_before(due):
                await asyncio.sleep(max(0.0, shown + SOONEST - time.monotonic()))
                await self._wait_for_line()
                shown = time.monotonic()
                self._show(shown, [one for one in (self.crew.driver,) if one is not None])
                continue
            waited = await self._wait_for_line()
            shown = now = time.monotonic()
            # keep step with the lines: look for the next one shortly before it comes
            due = max(now, now + FRAME - POLL if waited else due + FRAME - DRIFT)
            if opening is not None and opening.done():
                await self._opened(opening)
                opening = None
            self._guard(now)
            if self._hello:
                self._show(now, self.crew.members)
            if now - told >= STATUS:
                frames = max(1, self._frames - counted)
                self.frame_ms = 1e3 * (time.thread_time() - worked) / frames
                told, counted, worked = now, self._frames, time.thread_time()
                self._tell_status()

    def _open(self) -> asyncio.Future[None]:
        """Begin to make the source ready, in a thread that is not waited for when the server ends."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def finish(error: BaseException | None) -> None:
            if not done.done():
                done.set_exception(error) if error is not None else done.set_result(None)

        def work() -> None:
            error: BaseException | None = None
            try:
                self.source.open()
            except Exception as raised:
                error = raised
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(finish, error)

        self._opener = threading.Thread(target=work, name="opening", daemon=True)
        self._opener.start()
        return done

    async def _moved_before(self, due: float) -> bool:
        """Sleep until a frame is due or the driver moves a lever; return whether one was moved before."""
        left = due - time.monotonic()
        if left > 0.0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._moved.wait()
        moved = left > 0.0 and self._moved.is_set()
        self._moved.clear()
        return moved

    async def _wait_for_line(self) -> bool:
        """Wait a little for a line that is about to come; return whether that was needed."""
        end, waited = time.monotonic() + 0.5 * FRAME, False
        while not self.source.is_new() and time.monotonic() < end:
            await asyncio.sleep(POLL)
            waited = True
        return waited

    async def _opened(self, opening: asyncio.Future[None]) -> None:
        error = opening.exception()
        if error is not None:
            fault = "The machine could not be made ready by a fault of ours; the terminal says which."
            self.failure = str(error) if isinstance(error, KnuckleboomError) else fault
            self._tell_status()
            await asyncio.sleep(GOODBYE)
            raise error
        if self.source.known is not None:
            self._introduce(self.source.known)

    def _guard(self, now: float) -> None:
        """Let the levers of a silent driver return to rest, and end clients that do not read."""
        driver = self.crew.driver
        if self._steered and driver is not None and now - driver.heard > limits.SILENCE:
            self._let_go()
            log.info("%s is silent: levers at rest", driver)
        for client in list(self.crew.members):
            if client.is_stuck(now, limits.PATIENCE):
                log.warning("closed %s: nothing read for %g s", client, limits.PATIENCE)
                self.crew.leave(client)
                client.close(limits.NOT_READING, "nothing read")
                client.abort()

    def _show(self, now: float, clients: Sequence[Client]) -> None:
        known, sight = self.source.known, self.source.look()
        if known is None or sight is None:
            return
        self._frames += 1
        line = known.complete(sight.line)
        packed = self._pack(known, sight, line, now)
        for client in clients:
            client.show(packed, line)

    def _pack(self, known: Known, sight: Sight, line: Array, now: float) -> Packed:
        return Moment(
            sequence=self._frames, time=sight.time, flags=sight.flags, applied=sight.applied, missed=sight.missed,
            reached=sight.reached, warnings=self._watch.look(line, sight.missed, now),
            poses=sight.line.take(known.poses).astype("<f4"), signals=np.zeros(0, np.float32),
            levers=sight.levers.astype("<f4"),
        ).pack()  # fmt: skip

    async def end(self) -> None:
        """Say goodbye to all clients."""
        for client in list(self.crew.members):
            client.close(limits.GOING_AWAY, "the server ends")
        await asyncio.sleep(GOODBYE)
