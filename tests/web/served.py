"""A served practice game for tests, and a screen that talks to it as a browser does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

from websockets.sync.client import ClientConnection, connect

from companion.library.kept_game import begin_practice
from companion.web.game_host import FileHost
from companion.web.server import PhoneServer

GAMES = ("tmg-2021", "tactics", "westeros", "thrones")
HERE = "127.0.0.1"
WAIT_S = 20.0
open_url = build_opener(ProxyHandler({})).open
"""Without a proxy that the machine may have."""


@contextmanager
def served(path: Path, game: str = "", address: str = HERE) -> Iterator[PhoneServer]:
    """Serve a game at any free port; with a game, its practice game is begun."""
    host = FileHost(path, lambda session: begin_practice(session, game, path) if game else None)
    server = PhoneServer(host, address)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        host.close()


def paired(server: PhoneServer, code: str = "") -> str:
    """The cookie of a new screen."""
    body = json.dumps({"code": code or server.lobby.code}).encode()
    asked = Request(f"{server.url}pair", body, {"Origin": server.url.rstrip("/")}, method="POST")
    with open_url(asked) as answer:
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


class Screen:
    """One open socket with everything that was sent to it."""

    def __init__(
        self, server: PhoneServer, seat: str | None = None, language: str = "en", cookie: str = ""
    ) -> None:
        self.server, self.parts, self.answers = server, dict[str, Any](), dict[int, Any]()
        self.cookie = cookie or paired(server)
        self.frames: list[str] = []
        self.count = 0
        self.socket = self.open()
        self.send({"t": "look", "language": language})
        if seat is not None:
            self.send({"t": "sit", "seat": seat})
        self.until(
            lambda: (
                self.parts.get("language") == language
                and (seat is None or self.parts.get("view", {}).get("me", "") == seat)
            )
        )

    def open(self) -> ClientConnection:
        """A new connection of the same screen."""
        address = f"ws://{HERE}:{self.server.port}/socket"
        origin: Any = self.server.url.rstrip("/")
        more = {"Cookie": self.cookie}
        return connect(
            address, origin=origin, additional_headers=more, proxy=None, ping_interval=None
        )

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def read(self, timeout: float) -> bool:
        """Read one message; False if none comes."""
        try:
            text = str(self.socket.recv(timeout))
        except TimeoutError:
            return False
        self.frames.append(text)
        message = json.loads(text)
        answer = message.pop("answer", None)
        if answer is not None:
            self.answers[answer["n"]] = answer
        self.parts |= message
        return True

    def until(self, reached: Any, timeout: float = WAIT_S) -> None:
        """Read until something is so."""
        end = time.monotonic() + timeout
        while not reached():
            assert time.monotonic() < end, "the server is silent"
            self.read(0.5)

    def settle(self) -> None:
        """Read until nothing more comes."""
        while self.read(0.4):
            pass

    def act(self, intent: Any, **more: Any) -> dict[str, Any]:
        """Send an intent and wait for its answer."""
        self.count += 1
        number = self.count
        self.send(
            {"t": "do", "n": number, "page": "p", "boot": self.parts["boot"], "intent": intent}
            | more
        )
        self.until(lambda: number in self.answers)
        found: dict[str, Any] = self.answers.pop(number)
        return found

    def taps(self) -> list[str]:
        """Every handle that it was given."""
        return sorted(set(handles(self.parts)))

    def close(self) -> None:
        self.socket.close()


def handles(value: Any) -> Iterator[str]:
    """Every handle in a view."""
    if isinstance(value, dict):
        if "tap" in value:
            yield value["tap"]
        for one in value.values():
            yield from handles(one)
    elif isinstance(value, list):
        for one in value:
            yield from handles(one)
