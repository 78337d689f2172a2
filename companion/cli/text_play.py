"""`companion play --text`: a game played in a terminal, or by another program line by line.

With `--json` one view a line is written and one intent a line is read; else the view is text, and
a line is what a finger would do: `c1`, `d1 4 3 6`, `d1 =2`, `f1 wounds=3`, `select b1`, `undo`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, TextIO

from companion.cli.text_view import text_of
from companion.engine.files.game_library import remove
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import TurnView
from companion.games.api.play import Refusal
from companion.library.kept_game import begin_practice
from companion.session.protocol import lines, parse
from companion.session.session import Session
from companion.session.storage import read
from companion.text.translation import _, complain
from models import BadInput, CompanionError, atomic_write
from models.message import say

HELP = say(
    "Type a handle to tap it (c1), dice with their faces (d1 4 3 6) or a count (d1 =2), a form with"
    " its values (f1 name=value), select PIECE, move PIECE X Y HEADING (and try, keep or"
    " as=ACTION) or move PIECE 4,3, undo, redo, all (pages and refusals too), quit."
)


def play_text(
    path: Path,
    practice: str,
    seat: str | None,
    as_json: bool,
    language: str = "en",
    readings: Sequence[str] = (),
) -> int:
    """Play a game until the input ends."""
    with begun_or_gone(path), Session.open(path) as session:
        if practice:
            begin_practice(session, practice, path, readings)
            complain(_("the game is kept in {file}").format(file=path))
        game = RunningGame(session, moves_trays=path.stem.startswith("practice"))
        if session.history.now.play is None:
            raise BadInput(str(path), "", "holds no game that is set up")
        refuse_unknown_seat(game, seat)
        client = Client(game, seat, language)
        talk_json(client) if as_json else talk_text(client, sys.stdin, sys.stdout)
    return 0


def new_practice_file(folder: Path) -> Path:
    """A new file for a practice game."""
    atomic_write.make_folder(folder)
    numbers = (number for number in count(1))
    names = (folder / f"practice-{number}.game" for number in numbers)
    return next(path for path in names if not os.path.lexists(path))


@contextmanager
def begun_or_gone(path: Path) -> Iterator[None]:
    """A new game that could not be begun leaves no file behind."""
    new = not os.path.lexists(path)
    try:
        yield
    except CompanionError:
        with suppress(CompanionError, OSError):
            if new and not read(path).steps:
                remove(path)
        raise


def refuse_unknown_seat(game: RunningGame, seat: str | None) -> None:
    """Raise unless there is such a seat; None is the shared tablet."""
    seats = [player.id for player in game.view(None).seats]
    if seat is not None and seat not in seats:
        raise CompanionError(f"there is no seat {seat!r}; there are: {', '.join(seats)}")


# -- line by line ---------------------------------------------------------------------------------


def talk_json(client: Client) -> None:
    """One view a line out, one intent a line in."""
    out = sys.stdout
    write_json(out, {"view": client.view().to_json()})
    for line in lines(sys.stdin.buffer):
        if line.strip():
            write_json(out, answer_json(client, line))


def answer_json(client: Client, line: bytes) -> dict[str, Any]:
    """The answer to one intent."""
    try:
        answer = client.act(parse(line))
    except BadInput as error:
        return {"refused": {"say": str(error), "why": "INPUT"}}
    if isinstance(answer, Refusal):
        return {"refused": {"say": str(answer.say), "why": answer.why}}
    return {"view": answer.to_json()}


def write_json(out: TextIO, answer: dict[str, Any]) -> None:
    """Write one line."""
    out.write(json.dumps(answer, allow_nan=False) + "\n")
    out.flush()


# -- in a terminal --------------------------------------------------------------------------------


def talk_text(client: Client, source: Iterable[str], out: TextIO) -> None:
    """Show the view as text and read what players type."""
    show(out, client.view())
    for line in source:
        words = line.split()
        if not words:
            continue
        if words[0] in ("quit", "exit"):
            return
        if words[0] in ("help", "?"):
            out.write(client.words(HELP) + "\n")
        elif words[0] == "all":
            show(out, client.view(), everything=True)
        else:
            answer = client.act(typed_intent(words))
            if isinstance(answer, Refusal):
                out.write(f"✕ {answer.say} ({answer.why})\n")
            else:
                show(out, answer)
        out.flush()


def typed_intent(words: list[str]) -> dict[str, Any]:
    """What a player typed, as an intent."""
    first, rest = words[0], words[1:]
    if first in ("undo", "redo"):
        return {first: True}
    if first == "select":
        return {"select": rest[0] if rest else None}
    if first == "move":
        return typed_move(rest)
    if rest and rest[0].startswith("="):
        return {"tap": first, "count": typed_value(rest[0][1:])}
    if rest and all("=" in word for word in rest):
        return {"tap": first, "values": typed_values(rest)}
    return {"tap": first, **({"faces": [typed_value(word) for word in rest]} if rest else {})}


def typed_move(rest: list[str]) -> dict[str, Any]:
    """A move as a player types it."""
    piece = rest[0] if rest else ""
    flags = dict.fromkeys((word for word in rest[1:] if word in ("keep", "try", "snap")), True)
    action = [word for word in rest[1:] if word.startswith("as=")]
    named = {"as": action[0].removeprefix("as=")} if action else {}
    place = [word for word in rest[1:] if word not in (*flags, *action)]
    if len(place) == 1:
        return {"move": piece, "cell": place[0]}
    numbers = zip(("x", "y", "heading"), map(typed_value, place), strict=False)
    return {"move": piece, **dict(numbers), **flags, **named}


def typed_values(words: list[str]) -> dict[str, Any]:
    """The values of a form; a name that comes twice has several."""
    values: dict[str, Any] = {}
    for word in words:
        name, _, text = word.partition("=")
        value = (
            [typed_value(part) for part in text.split(",")] if "," in text else typed_value(text)
        )
        values[name] = value
    return values


def typed_value(text: str) -> Any:
    """A number, yes or no, or a word with `_` for a space."""
    if text in ("yes", "no", "true", "false"):
        return text in ("yes", "true")
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def show(out: TextIO, view: TurnView, everything: bool = False) -> None:
    for line in text_of(view, everything):
        out.write(line + "\n")
    out.flush()
