"""The server of the screens: nothing listens before `start`, and then at one address only; what
every request must be, and how many connections there may be.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from companion.engine.threads import AppThread
from companion.session.game_view import recoloured
from companion.text.translation import LANGUAGES, catalogue
from companion.web.address import PORT, bound_near
from companion.web.game_host import GameHost
from companion.web.link import (
    ELSEWHERE,
    LONGEST_MESSAGE,
    OUT,
    PAIR,
    STOPPED,
    Link,
    Memory,
)
from companion.web.lobby import Lobby, PairedScreen
from companion.web.page_requests import COOKIE, PageRequests
from companion.web.texts import TEXTS
from companion.web.viewer import SeatedViewer, TableVersions
from models import CompanionError


class Doors:
    """Lets requests in that were meant for this address and came from its own pages.

    The exact `Host` keeps out a page elsewhere whose name was made to point here; the exact
    `Origin` one that sends from elsewhere.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app, self.hosts = app, hosts
        sockets = " ".join(f"ws://{host}" for host in hosts)
        self.headers = {
            "Content-Security-Policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                f"font-src 'self'; connect-src 'self' {sockets}; base-uri 'none'; "
                "form-action 'none'; frame-ancestors 'none'"
            ),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        acts = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        meant = len(hosts) == 1 and hosts[0] in self.hosts
        own = not acts or (meant and origins == [f"http://{hosts[0]}"])
        if meant and own:
            await self.app(scope, receive, self.signed(scope, send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = PlainTextResponse("This page is not for you.", 421 if not meant else 403)
            await refusal(scope, receive, self.signed(scope, send))

    def signed(self, scope: Scope, send: Send) -> Send:
        """`send` with the headers that every answer carries."""
        if scope["type"] != "http":
            return send

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return with_headers


MOST_CONNECTIONS = 64
MOST_OF_ADDRESS = MOST_CONNECTIONS // 2
ASK_S = 10.0
"""A connection that has not asked for anything in that time is closed."""


class ScreenConnection(H11Protocol):
    """Closes connections that only hold a place: one slow device could shut out all the others."""

    _seen: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        clients = [getattr(one, "client", None) for one in self.connections]
        same = [
            client for client in clients if client and self.client and client[0] == self.client[0]
        ]
        if len(same) > MOST_OF_ADDRESS:
            transport.abort()
        else:
            self.loop.call_later(ASK_S, self.close_idle)

    def close_idle(self) -> None:
        """Close it if no request has begun since the last look and none is being answered."""
        if self not in self.connections:
            return  # it is closed, or has become a socket
        if self.cycle is self._seen and (self.cycle is None or self.cycle.response_complete):
            self.transport.abort()
        else:
            self._seen = self.cycle
            self.loop.call_later(ASK_S, self.close_idle)


START_S = 10.0


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """A screen as the host sees it in the list of those who are here."""

    id: str
    name: str
    seat: str
    joined_s: int
    here: bool


class PhoneServer:
    """Serves one game to paired screens, from `start` to `stop`."""

    def __init__(self, host: GameHost, address: str, port: int = 0) -> None:
        self.lobby = Lobby.beside(host.path)
        ports = (port,) if port else (self.lobby.port or PORT, PORT)
        self._socket = bound_near(address, ports)
        self.address, self.port = self._socket.getsockname()
        self.boot = secrets.token_hex(8)
        self.changed: Callable[[], object] = lambda: None
        """Called, on any thread, when somebody has joined, sat down or left."""
        self._host, self._tables = host, TableVersions()
        self._links: dict[str, Link] = {}
        self._memories: dict[str, Memory] = {}
        self._players: list[dict[str, Any]] = []
        self.requests = PageRequests(host, self.lobby, self._tables, self._tell)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._started = threading.Event()
        self._unsubscribe: Callable[[], object] = lambda: None
        config = uvicorn.Config(
            self.application(),
            log_level="critical",
            access_log=False,
            http=ScreenConnection,
            ws="websockets-sansio",
            ws_max_size=LONGEST_MESSAGE,
            ws_ping_interval=10.0,
            ws_ping_timeout=20.0,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=20,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=16384,
            server_header=False,
            date_header=False,
            lifespan="off",
        )
        self._server = uvicorn.Server(config)
        self._thread = AppThread(self._run, "phones", self._finish)

    def application(self) -> Doors:
        """What answers requests."""
        routes = [*self.requests.routes(), WebSocketRoute("/socket", self.socket)]
        zipped = Middleware(GZipMiddleware, minimum_size=2000)
        return Doors(
            Starlette(routes=routes, middleware=[zipped]), (f"{self.address}:{self.port}",)
        )

    # -- the host ------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return f"http://{self.address}:{self.port}/"

    @property
    def join_url(self) -> str:
        """The address with the code that the next screen uses; a browser never sends the code on
        its own, as it stands behind the #."""
        return f"{self.url}#{self.lobby.code}"

    def start(self) -> None:
        """Listen from now on."""
        self.lobby.port = self.port
        self.lobby.save()
        self._thread.start()
        if not self._started.wait(START_S):
            raise CompanionError(f"{self.address}:{self.port}: the server does not start")
        self._unsubscribe = self._host.subscribe(self.renew)
        self.renew()

    def stop(self) -> None:
        """Close every socket and listen no more."""
        self._unsubscribe()
        self._unsubscribe = lambda: None
        self.on_loop(lambda: self.close_all(STOPPED))
        self._finish()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._socket.close()

    def people(self) -> tuple[ScreenLine, ...]:
        """Who has joined."""
        return tuple(
            ScreenLine(s.id, s.name, s.seat, s.joined_s, s.id in self._links)
            for s in self.lobby.screens
        )

    def throw_out(self, number: str) -> None:
        """Take a screen off the table; it may only come back with a new code."""
        self.lobby.remove(number)
        self._memories.pop(number, None)
        link = self._links.pop(number, None)
        if link is not None:
            self.on_loop(lambda: self.close(link, OUT))
        self.renew()
        self.changed()

    def new_code(self) -> None:
        """Show another code."""
        self.lobby.new_code()
        self.changed()

    def _tell(self) -> None:
        self.changed()

    def renew(self) -> None:
        """Every screen looks again."""
        self.on_loop(self.look_again)

    def look_again(self) -> None:
        for link in tuple(self._links.values()):
            link.renewed.set()

    def on_loop(self, job: Callable[[], object]) -> None:
        """Do something on the server's thread, soon."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended meanwhile
                self._loop.call_soon_threadsafe(job)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._started.set()
        await self._server.serve(sockets=[self._socket])

    def _finish(self) -> None:
        self._server.should_exit = True

    def close_all(self, code: int) -> None:
        for link in tuple(self._links.values()):
            self.close(link, code)

    def close(self, link: Link, code: int) -> None:
        """Close a socket, from the server's thread."""
        closing = asyncio.ensure_future(link.socket.close(code))
        closing.add_done_callback(lambda done: done.exception())

    # -- sockets -------------------------------------------------------------------------------

    async def socket(self, socket: WebSocket) -> None:
        """Talk with a paired screen until either hangs up."""
        await socket.accept()
        screen = self.lobby.find(socket.cookies.get(COOKIE))
        if screen is None:
            await socket.close(PAIR)
            return
        memory = self._memories.setdefault(screen.id, Memory())
        link = Link(
            socket,
            screen,
            memory,
            self.boot,
            lambda job: self._host.call(lambda _: job()),
            self.look_again,
        )
        before = self._links.pop(screen.id, None)
        if before is not None:
            self.close(before, ELSEWHERE)
        self._links[screen.id] = link
        await self.take_seat(link)
        self.changed()
        pushing = asyncio.ensure_future(link.push(lambda: self.about(link)))
        try:
            reason = await link.read(lambda kind, message: self.handle(link, kind, message))
            if reason:
                await socket.close(reason)
        except (WebSocketDisconnect, RuntimeError):
            pass  # it is gone
        finally:
            pushing.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await pushing
            if self._links.get(screen.id) is link:
                del self._links[screen.id]
            self.changed()

    async def handle(self, link: Link, kind: str, message: dict[str, Any]) -> None:
        """What a screen says about itself: its language, its name, its seat."""
        screen = link.screen
        if kind == "ping":
            await link.send_text('{"pong":1}')
            return
        if kind == "look" and link.describe(message):
            self.lobby.save()
            await self.take_seat(link)
            self.changed()
        elif kind == "sit":
            seat = message.get("seat")
            known = seat == "" or any(player["id"] == seat for player in self._players)
            if isinstance(seat, str) and known and self.lobby.sit(screen, seat):
                await self.take_seat(link)
            self.look_again()
            self.changed()
        link.renewed.set()

    async def take_seat(self, link: Link) -> None:
        """Let a screen look at the game from its seat, in its language."""
        memory, screen = link.memory, link.screen
        if memory.viewer is None or memory.viewer.is_for != (screen.seat, screen.language):
            memory.viewer = await asyncio.wrap_future(
                self._host.call(
                    lambda game: SeatedViewer(game, screen, self._tables, self._host.colours)
                )
            )
            memory.version += 1
        self._players = await asyncio.wrap_future(self._host.call(lambda _: self.players(link)))

    def players(self, link: Link) -> list[dict[str, Any]]:
        """The seats that may be taken, in the words of a viewer."""
        assert link.viewer is not None
        client = link.viewer.client
        view = recoloured(client.game.view(None), self._host.colours)
        return [
            {"id": seat.id, "name": client.words(seat.name), "colour": seat.colour}
            for seat in view.seats
        ]

    def about(self, link: Link) -> dict[str, Any]:
        """What a screen is told about itself and the others."""
        screen = link.screen
        return {
            "boot": link.boot,
            "language": screen.language,
            "texts": texts_in(screen.language),
            "languages": LANGUAGES,
            "self": {"id": screen.id, "name": screen.name, "seat": screen.seat},
            "taken": {s.seat: s.name for s in self.seated() if s is not screen},
            "throw": self._host.throw,
            "live": self._host.watched,
        }

    def seated(self) -> Iterator[PairedScreen]:
        return (screen for screen in self.lobby.screens if screen.seat)


@lru_cache
def texts_in(language: str) -> dict[str, str]:
    """What the pages say themselves, in a language."""
    words = catalogue(language).translate
    return {name: words(text) for name, text in TEXTS.items()}


def since(joined_s: int) -> str:
    """When a screen joined, as a clock shows it."""
    return time.strftime("%H:%M", time.localtime(joined_s)) if joined_s else ""
