"""Whole games as players send them: what is answered is what the log tells, line by line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.session.fold import History, grow
from companion.session.protocol import respond
from companion.session.session import Session, view
from tests.play.battle import LANNISTER, STARK
from tests.play.players import Players

LONGEST_GAME = 2000
FUZZED_LINES = 10_000


def set_up(year: str, mode: str = "GOT") -> dict[str, Any]:
    """The command that begins a game of the usual armies."""
    asked = {"mode": mode, "armies": [STARK, LANNISTER], "seed": 7, "ready": True, "first": "blue"}
    return {"do": "set-up", "game": f"tmg-{year}", "unchecked": True, **asked}


def without_waiting(session: Session) -> Session:
    """The same session; these tests kill nobody and need no disk."""
    session.log.link.execute("PRAGMA synchronous = OFF")
    return session


@pytest.mark.parametrize("year", ["2018", "2021"])
def test_every_answer_of_a_game_is_the_fold_of_its_log(year: str, tmp_path: Path) -> None:
    players = Players(seed=3)
    history = History()
    with Session.open(tmp_path / "a.game") as session:
        answer = json.loads(respond(without_waiting(session), json.dumps(set_up(year)).encode()))
        for _ in range(LONGEST_GAME):
            assert answer["ok"], answer
            assert session.history.last is not None
            if session.history.seq > history.seq:
                history = grow(history, session.history.last)  # without what the game foresaw
            assert history.now.state == session.history.now.state
            if "hand_cards" not in str(answer["state"]["players"]):
                told = view(history, None, 0)
                assert answer["state"] == json.loads(json.dumps(told)), "the text is another"
            if answer["state"]["winner"]:
                break
            command = players.command(answer["state"])
            answer = json.loads(respond(session, json.dumps(command).encode()))
    assert answer["state"]["winner"]
    assert answer["state"]["round"] > 1


def spoiled(chance: random.Random, line: bytes) -> bytes:
    """A line with a few letters of it gone wrong."""
    data = bytearray(line)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[place:place] = chance.randbytes(chance.randint(1, 4))
            case 1:
                del data[place : place + chance.randint(1, 9)]
            case 2:
                data[place:place] = chance.choice((b"{", b"}", b"[", b'"', b",", b"-", b"null"))
            case _:
                old, new = chance.sample(
                    (b"1", b"b1", b"unit", b"2", b"r2", b"-1", b"[]", b"1e9"), 2
                )
                data = data.replace(old, new)
    return bytes(data).replace(b"\n", b" ")


@pytest.mark.slow
def test_fuzzed_lines_get_one_answer_each_and_the_game_goes_on(tmp_path: Path) -> None:
    chance, players = random.Random(11), Players(seed=5)
    good = bad = 0
    with Session.open(tmp_path / "a.game") as session:
        respond(without_waiting(session), json.dumps(set_up("2021")).encode())
        state = session.state()
        for _ in range(FUZZED_LINES):
            if state["winner"]:
                state = session.answer({"do": "undo", "to": 1})["state"]
            side = state["pending"][0]["side"] if state["pending"] else None
            seen = session.state(side) if "hand" in str(state["pending"]) else state
            line = json.dumps(players.command(seen)).encode()
            if chance.random() < 0.8:
                line = spoiled(chance, line)
            before = session.history
            answer = respond(session, line)
            assert b"\n" not in answer
            told = json.loads(answer)
            if told["ok"]:
                good += 1
            else:
                bad += 1
                assert set(told) == {"ok", "why", "say"}
                assert told["why"] != "BUG", (line, told)
                assert session.history is before
            state = told.get("state", state)
    assert good > FUZZED_LINES / 10
    assert bad > FUZZED_LINES / 10
