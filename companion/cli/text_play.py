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

from companion.engine.files.game_library import remove
from companion.engine.turn.client import Client
from companion.engine.turn.clock_view import clock_face
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import (
    ChoiceView,
    ClockSideView,
    DiceView,
    FormView,
    OfferView,
    PageView,
    PlaceView,
    PromptView,
    ScorePageView,
    SymbolView,
    TurnView,
)
from companion.games.api.play import Refusal
from companion.library.kept_game import begin_practice
from companion.session.protocol import lines, parse
from companion.session.session import Session
from companion.session.storage import read
from companion.text.translation import _, complain
from companion.text.verdicts import percent
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


def text_of(view: TurnView, everything: bool = False) -> Iterator[str]:
    """A view as lines of text."""
    score = ", ".join(f"{view.seats.get(seat, seat)} {n}" for seat, n in view.score.items())
    yield ""
    yield " · ".join(part for part in (view.headline, score) if part)
    for text in (view.result, view.notice):
        if text:
            yield f"» {text}"
    if view.guide is not None:
        yield f"→ {view.guide.step}: {view.guide.text}"
        if view.guide.why:
            yield f"  {view.guide.why}"
        if view.guide.leave is not None:
            yield choice_line(view.guide.leave)
    if view.winner:
        yield f"★ {view.seats.get(view.winner, view.winner)}"
    if view.placing is not None:
        yield from place_lines(view.placing)
    for prompt in view.prompts:
        yield from prompt_lines(prompt, view)
    names = {piece.id: piece.name for piece in view.pieces}
    for offer in view.offers:
        yield offer_line(offer, names)
    if view.undo:
        yield f"  undo  {view.undo}"
    if everything:
        yield from beside_lines(view)


def prompt_lines(prompt: PromptView, view: TurnView) -> Iterator[str]:
    """A prompt with its facts, dice, buttons and forms."""
    asked = ", ".join(view.seats.get(seat, seat) for seat in prompt.acts)
    yield f"■ {prompt.title}" + (f" ({asked})" if asked else "")
    if prompt.text:
        yield f"  {prompt.text}"
    for fact in prompt.facts:
        chance = f" ({percent(fact.chance)})" if fact.chance is not None else ""
        yield f"  – {fact.text}{chance}"
    if prompt.rolled:
        yield f"  [{' '.join(map(str, prompt.rolled))}]"
    if prompt.before:
        yield f"  {prompt.before}"
    for dice in prompt.dice:
        yield dice_line(dice)
    for choice in prompt.choices:
        yield choice_line(choice)
    names = {piece.id: piece.name for piece in view.pieces}
    taps = [f"{tap.tap} {names.get(tap.piece, tap.piece)}" for tap in prompt.pieces]
    taps += [" ".join((cell.tap, cell.place or f"[{cell.cell}]")) for cell in prompt.cells]
    if taps:
        yield "  " + "  ".join(taps)
    for form in prompt.forms:
        yield from form_lines(form)


def dice_line(dice: DiceView) -> str:
    """Dice to enter, with the chance of each number."""
    die = f"{dice.count} D{dice.sides}"
    if dice.symbols:
        die = f"{dice.count} × " + " / ".join(symbol_text(one) for one in dice.symbols)
    chances = ", ".join(f"{n}: {percent(chance)}" for n, chance in dice.chances.items())
    return f"  {dice.tap}  {dice.text} {die}" + (f"  {chances}" if chances else "")


def symbol_text(symbol: SymbolView) -> str:
    """What is entered for a symbol, its name, and what it does."""
    detail = f" ({symbol.detail})" if symbol.detail else ""
    return f"{symbol.symbol} {symbol.name}{detail}"


def choice_line(choice: ChoiceView) -> str:
    """One button."""
    return f"  {choice.tap}  {choice.text}" + (f" – {choice.detail}" if choice.detail else "")


def form_lines(form: FormView) -> Iterator[str]:
    """A form with the values to choose from."""
    yield f"  {form.tap}  {form.text}" + (f" – {form.detail}" if form.detail else "")
    for entry in form.fields:
        options = ", ".join(f"{option.value} ({option.text})" for option in entry.options)
        limits = f"{entry.least} … {entry.most}" if entry.kind == "number" else ""
        yield f"      {entry.name}: {entry.text} {options or limits}".rstrip()


def offer_line(offer: OfferView, names: dict[str, str]) -> str:
    """What a piece may do, with its odds."""
    name = names.get(offer.piece, offer.piece)
    parts = [offer.text, offer.odds, offer.detail, offer.expected]
    cells = " ".join(f"{cell.tap} [{cell.cell}]" for cell in offer.cells)
    text = " · ".join(part for part in parts if part)
    return f"  {offer.tap}  {name}: {text}" + (f"\n      {cells}" if cells else "")


def beside_lines(view: TurnView) -> Iterator[str]:
    """The pieces, the pages and what is refused."""
    for refused in view.refused:
        yield f"  ✕ {refused.text}: {refused.reason} ({', '.join(refused.why)})"
    for piece in view.pieces:
        where = piece.cell or " ".join(f"{value:g}" for value in piece.place)
        left = f"{piece.left}/{piece.most}" if piece.left is not None else ""
        yield "  " + " ".join(part for part in (piece.id, piece.name, left, where) if part)
    for page in (*view.pages, *([view.corrections] if view.corrections else [])):
        yield from page_lines(page)
    if view.score_page is not None:
        yield from score_lines(view.score_page, view)
    yield from view.log
    if view.clock.used:
        yield from (f"  {one.name} {clock_face(shown_time(one))}" for one in view.clock.sides)
    sides = (choice for one in view.clock.sides for choice in one.choices)
    yield from (f"  [{one.tap}] {one.text}" for one in (*view.clock.choices, *sides))


def shown_time(side: ClockSideView) -> float:
    """The seconds that are left to a player, or were used where no time is set."""
    return side.used if side.left is None else side.left


def page_lines(page: PageView) -> Iterator[str]:
    """A page with its boxes, buttons and forms."""
    yield f"■ {page.title}"
    for section in page.sections:
        heading = " – ".join(part for part in (section.title, section.tag, section.text) if part)
        if heading:
            yield f"  {heading}"
        for box in section.boxes:
            count = f" {box.count}" if box.count is not None else ""
            told = [text for text in (box.badge, box.note, *box.lines) if text]
            yield f"  {box.title}{count}: {'; '.join(told)}".rstrip(": ")
            yield from (f"  {choice_line(choice)}" for choice in box.choices)
    yield from map(choice_line, page.hands)
    for form in page.forms:
        yield from form_lines(form)


def score_lines(page: ScorePageView, view: TurnView) -> Iterator[str]:
    """The points, their reasons and what can be done about them."""
    for one in page.seats:
        goal = f"/{one.goal}" if one.goal else ""
        detail = f" ({one.detail})" if one.detail else ""
        name = view.seats.get(one.seat, one.seat)
        yield f"  {name} {one.points}{goal} {one.unit}".rstrip() + detail
        if one.form is not None:
            yield from form_lines(one.form)
    for line in page.lines:
        told = f" – {line.detail}" if line.detail else ""
        yield f"  {line.points:+d} {line.text}{told}" + ("" if line.sure else " ?")
        yield from (f"  {choice_line(choice)}" for choice in line.choices)
    if page.confirm is not None:
        yield choice_line(page.confirm)
    yield from (f"  {line}" for line in (page.terms_title, *page.terms) if line)
    yield from map(choice_line, page.ends)
    if page.won:
        yield f"★ {page.won} {page.how}".rstrip()


def place_lines(place: PlaceView) -> Iterator[str]:
    """A place that was tried for a tray."""
    where = f"{place.x:g} {place.y:g} {place.heading:g}"
    yield f"■ {place.title} ({where}): {place.verdict} {place.text}" + (
        f" – {place.why}" if place.why else ""
    )
    yield from map(choice_line, place.choices)
