"""What the pages of a screen ask for: files, pairing, maps, the live picture, photos of dice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion import games
from companion.games import package_of
from companion.overlay.icons import ICONS, MARKS
from companion.overlay.map_theme import NARROW, TEXT, TEXT_BOLD, TITLE
from companion.text.translation import LANGUAGES, catalogue
from companion.web.game_host import GameHost
from companion.web.link import LONGEST_MESSAGE, MessageRate, parsed
from companion.web.lobby import AttemptLimit, Lobby
from companion.web.table_map import map_svg
from companion.web.viewer import TableVersions
from models import CompanionError

FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}
FONTS = {"text.ttf": TEXT, "bold.ttf": TEXT_BOLD, "narrow.ttf": NARROW, "title.ttf": TITLE}


@cache
def page_files() -> dict[str, tuple[bytes, str]]:
    """Every file by its name, with its kind; nothing else is ever read for a request."""
    own = {path.name: path for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS}
    files = {
        name: (path.read_bytes(), KINDS[path.suffix]) for name, path in {**own, **FONTS}.items()
    }
    drawings = json.dumps({**MARKS, **ICONS})
    files["icons.js"] = f"export const ICONS = {drawings};\n".encode(), KINDS[".js"]
    return files


COOKIE = "screen"
YEAR_S = 365 * 24 * 3600
MOST_MAPS = 24
MOST_DICE = 40
LONGEST_PHOTO = 2_000_000
BODY_S = 20.0
PHOTOS_A_MINUTE = 12
"""Of one seated screen."""


class PageRequests:
    """Answers what is no socket, each request for itself; `paired` is called after a pairing."""

    def __init__(
        self, host: GameHost, lobby: Lobby, tables: TableVersions, paired: Callable[[], object]
    ) -> None:
        self._host, self._lobby, self._tables, self._paired = host, lobby, tables, paired
        self._maps: dict[tuple[int, str | None, str, bool], str] = {}
        self._reading, self._drawing = asyncio.Lock(), asyncio.Lock()
        self._photos: dict[str, AttemptLimit] = {}
        self.frames = MessageRate()
        """How many pictures of the camera all screens together get a second."""

    def routes(self) -> list[Route]:
        """Where each of them is asked for."""
        return [
            Route("/", self.index),
            Route("/static/{name}", self.file),
            Route("/pair", self.pair, methods=["POST"]),
            Route("/live.jpg", self.live),
            Route("/throw/{count:short}d{sides:short}", self.throw, methods=["POST"]),
            Route("/map/{number:short}-{language}-{theme}.svg", self.map),
        ]

    async def index(self, request: Request) -> Response:
        body, kind = page_files()["index.html"]
        return Response(body, media_type=kind)

    async def file(self, request: Request) -> Response:
        found = page_files().get(request.path_params["name"])
        if found is None:
            return Response(status_code=404)
        return Response(found[0], media_type=found[1], headers={"Cache-Control": "no-cache"})

    async def pair(self, request: Request) -> Response:
        """Give a screen its secret for the code."""
        body = await body_of(request, LONGEST_MESSAGE)
        address = request.client.host if request.client is not None else ""
        code = parsed(body.decode("utf-8", "replace")).get("code")
        secret = self._lobby.pair(code, address)
        if secret is None:
            return JSONResponse({"ok": False}, 403)
        response = JSONResponse({"ok": True})
        response.set_cookie(COOKIE, secret, YEAR_S, httponly=True, samesite="strict")
        self._paired()
        return response

    async def throw(self, request: Request) -> Response:
        """What the dice show in a photo of the mat that a seated screen has taken."""
        # OpenCV is loaded for the first photo
        from companion.engine.turn.proposed_dice import READ_SIDES, photographed

        screen = self._lobby.find(request.cookies.get(COOKIE))
        if screen is None or not screen.seat:
            return Response(status_code=403)
        count, sides = request.path_params["count"], request.path_params["sides"]
        if sides not in READ_SIDES or not 1 <= count <= MOST_DICE:
            return Response(status_code=404)
        photos = self._photos.setdefault(screen.id, AttemptLimit(PHOTOS_A_MINUTE))
        if photos.full() or self._reading.locked():
            return Response(status_code=429)
        photos.count()
        body = await body_of(request, LONGEST_PHOTO)
        async with self._reading:  # one at a time: reading takes a second of processor
            try:
                return JSONResponse(await run_in_threadpool(photographed, body, count, sides))
            except CompanionError:
                return Response(status_code=415)

    async def map(self, request: Request) -> Response:
        """The map of a table that was shown lately, for paired screens."""
        if self._lobby.find(request.cookies.get(COOKIE)) is None:
            return Response(status_code=403)
        given = request.path_params
        table = self._tables.find(given["number"])
        piece = request.query_params.get("piece")
        known = given["language"] in LANGUAGES and given["theme"] in ("dark", "light")
        if table is None or not known or (piece is not None and piece not in table):
            return Response(status_code=404)
        async with self._drawing:  # one at a time: the game goes on meanwhile
            svg = await run_in_threadpool(
                self.drawn, given["number"], piece, given["language"], given["theme"] == "dark"
            )
        return Response(
            svg,
            media_type="image/svg+xml",
            headers={"Cache-Control": "private, max-age=86400, immutable"},
        )

    async def live(self, request: Request) -> Response:
        """The newest picture of the table's camera, small, for paired screens that ask for it."""
        if self._lobby.find(request.cookies.get(COOKIE)) is None:
            return Response(status_code=403)
        if not self.frames.take():
            return Response(status_code=429)
        body = await run_in_threadpool(self._host.live_picture)
        if body is None:
            return Response(status_code=404)
        return Response(body, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    def drawn(self, number: int, piece: str | None, language: str, dark: bool) -> str:
        """A map, drawn once; the table is a record, so that no thread waits for another."""
        key = number, piece, language, dark
        table = self._tables.find(number)
        if key not in self._maps and table is not None:
            words = catalogue(language, "in", package_of(games.find(table.game))).translate
            self._maps[key] = map_svg(table, piece, words, dark, self._host.colours)
            if len(self._maps) > MOST_MAPS:
                self._maps.pop(next(iter(self._maps)))
        return self._maps.get(key, "")


class ShortNumber(IntegerConvertor):
    """A number in an address; a longer one is no address of ours."""

    regex = "[0-9]{1,9}"


register_url_convertor("short", ShortNumber())


async def body_of(request: Request, most: int) -> bytes:
    """What a request brings; refused if that is too much, or comes too slowly."""
    body = b""
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413)
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408) from None
    return body
