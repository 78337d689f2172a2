"""Messages of a seated phone over its real socket, in all four games, without the limit a second.

Each is answered or passed over, never with an error of the program: the next question is answered,
and only what is too long, or no text, may end the connection. What was refused changed nothing.
"""

from __future__ import annotations

import atexit
import json
import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

from websockets.exceptions import ConnectionClosed

from companion.web import link
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import damaged, letters, nasty, raw, values
from tests.web.served import GAMES, Screen, served

Plan = tuple[str, str | bytes]
"""The game and what is sent; $BOOT and $TAP stand for what the page has been told."""
TOO_LONG, NO_TEXT = 1009, 1007
OPENED = ExitStack()
SCREENS: dict[str, Screen] = {}
INTENTS: tuple[dict[str, Any], ...] = (
    {"tap": "$TAP"},
    {"tap": "$TAP", "faces": [1, 2, 3], "count": 2},
    {"tap": "$TAP", "values": {"name": "x", "number": 3}},
    {"select": "b1"},
    {"move": "b1", "x": 10, "y": 10, "heading": 90, "as": "march", "try": True, "snap": True},
    {"move": "s1", "cell": "3,2"},
    {"undo": True},
    {"redo": True},
)


def make(dice: random.Random, folder: Path) -> Plan:
    """A message of a page, damaged in one way or another."""
    game, number = dice.choice(GAMES), dice.randrange(10**9)
    intent = dict(dice.choice(INTENTS))
    plain: dict[str, Any] = dice.choice(
        (
            *[{"t": "do", "n": number, "page": "p", "boot": "$BOOT", "intent": intent}] * 4,
            {"t": "look", "language": "de", "name": "Anna"},
            {"t": "sit", "seat": "$SEAT"},
            {"t": "ping"},
        )
    )
    match dice.randrange(8):
        case 0:
            return game, damaged(dice, plain).decode("utf-8", "replace")
        case 1:
            return game, raw(dice, json.dumps(plain).encode())
        case 2:
            return game, letters(dice, json.dumps(plain))
        case 3:
            plain[dice.choice(tuple(plain))] = nasty(dice)
        case 4:
            return game, json.dumps(values(dice, plain))
        case _ if plain["t"] == "do":
            plain["intent"] = values(dice, intent)
        case _:
            pass
    return game, json.dumps(plain)


def screen_of(game: str, folder: Path) -> Screen:
    """A seated phone of a game that is served as long as the program runs."""
    if not SCREENS:
        atexit.register(OPENED.close)
        OPENED.callback(SCREENS.clear)
        OPENED.enter_context(mock.patch.object(link, "A_SECOND", 10**6))
        OPENED.enter_context(mock.patch.object(link, "STEPS_A_MINUTE", 10**6))
    if game not in SCREENS:
        server = OPENED.enter_context(served(folder / f"practice-{game}.game", game))
        watcher = Screen(server)
        SCREENS[game] = Screen(server, watcher.parts["view"]["seats"][0]["id"])
        watcher.close()
    return SCREENS[game]


def check(plan: Plan, folder: Path) -> str:
    """Send it, then ask something that must be answered."""
    game, message = plan
    screen = screen_of(game, folder)
    seats = screen.parts["view"]["seats"]
    if isinstance(message, str):
        taps = screen.taps() or [""]
        for mark, found in (("BOOT", screen.parts["boot"]), ("SEAT", seats[0]["id"])):
            message = message.replace(f"${mark}", found)
        message = message.replace("$TAP", taps[len(message) % len(taps)])
        message = message.encode("utf-8", "replace").decode()
    before = steps(screen)
    screen.answers.clear()
    try:
        screen.socket.send(message)
        screen.count -= 1  # a number that no message of `make` has
        screen.send({"t": "do", "n": screen.count, "page": "check", "boot": ""})
        screen.until(lambda: screen.count in screen.answers)
    except ConnectionClosed as closed:
        asleep = closed.rcvd is not None and "keepalive" in closed.rcvd.reason  # a busy machine
        if closed.rcvd is None or not (asleep or closed.rcvd.code in (TOO_LONG, NO_TEXT)):
            raise
        screen.socket = screen.open()
        return "cut off"
    del screen.answers[screen.count]
    if not any(answer.get("ok") for answer in screen.answers.values()):
        assert steps(screen) == before, "what was refused has changed the game"
        return "refused" if screen.answers else "passed over"
    return "done"


def steps(screen: Screen) -> int:
    """How many steps the game has."""
    asked = screen.server._host.call(lambda game: game.session.history.seq)
    return int(asked.result(20))


FUZZER = Fuzzer("phones", make, check)
