"""The commands that record a move, and what players agree to with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from companion.engine.snapshot import Notice
from companion.games.api.game_screen import GameScreen
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer
from companion.session.builtin_commands import LONGEST_NOTE
from companion.session.fold import Position
from models import Table
from models.field import Field
from models.message import joined, say
from models.unit import Unit


def recorded_move(
    notice: Notice, action: str, moved: Table, commands: Sequence[Plain] = ()
) -> tuple[Plain, ...]:
    """The commands of an accepted move: the new table, in one step with the action if it is one."""
    table: Plain = {"do": "table", "table": moved.to_json(), "units": [notice.unit]}
    offer = as_action((*notice.actions, *notice.agreeable), action, commands)
    if offer is None or not offer.commands:
        return (table,)
    if offer in notice.agreeable:
        table = {**table, "agreed": True}
    return ({"do": "together", "commands": [*map(dict, offer.commands), table]},)


def as_action(
    offers: Iterable[ActionOffer], kind: str, commands: Sequence[Plain] = ()
) -> ActionOffer | None:
    """The offer of a kind with these commands; without commands the first of its kind."""
    found = (one for one in offers if one.kind == kind)
    return next((one for one in found if not commands or [*one.commands] == [*commands]), None)


def action_names(offers: Sequence[ActionOffer]) -> list[str]:
    """A name for the button of each of several actions: its kind, numbered from the second of it
    on."""
    kinds = [one.kind for one in offers]
    before = [kinds[:place].count(kind) for place, kind in enumerate(kinds)]
    return [f"{kind}:{n}" if n else kind for kind, n in zip(kinds, before, strict=True)]


def called_apart(offers: Sequence[ActionOffer]) -> list[str]:
    """What players call each of several actions: its kind, or its words where others share that."""
    kinds = Counter(one.kind for one in offers)
    texts = Counter(str(one.text) for one in offers)
    return [
        one.kind
        if kinds[one.kind] == 1
        else one.text
        if texts[str(one.text)] == 1
        else joined((one.text, one.detail), " · ")
        for one in offers
    ]


def agreement(offer: ActionOffer) -> str:
    """What both players agree to: an action, or the place of a move that was decided before."""
    if offer.commands:
        return say("Both agree: {action}", action=offer.text)
    return say("Both agree: it may stand there")


ONLY_CORRECTED = say("only its position is corrected")


def agreed(notice: Notice, action: str, alone: bool = False) -> str:
    """The move, if all players must agree to it, as no rule explains it; "" for others.

    A mere correction is one of them where somebody makes it `alone`, on a screen of their own.
    """
    if action in {one.kind for one in notice.agreeable}:
        return joined((notice.title, notice.detail), " · ")
    if alone and action not in {one.kind for one in notice.actions}:
        return joined(filter(None, (notice.title, ONLY_CORRECTED, notice.barred)), " · ")
    return ""


def agreed_note(asks: str, words: Callable[[str], str]) -> Plain:
    """The command that notes what all players agree to, as they write it."""
    return {"do": "note", "text": words(say("both agree: {move}", move=asks))[:LONGEST_NOTE]}


def moved_units(commands: Sequence[Plain]) -> Iterator[Unit]:
    """The units that commands put elsewhere, as they would stand then."""
    for command in commands:
        if command.get("do") == "together":
            yield from moved_units(command["commands"])
        elif command.get("do") == "table":
            units = Table.read(Field(command["table"])).units
            yield from (one for one in units if one.id in command.get("units", ()))


def stays(table: Table, unit: str, commands: Sequence[Plain] = ()) -> Plain:
    """The command of a tray that stays where it is: of an action, or of a move that is due."""
    here: Plain = {"do": "table", "table": table.to_json(), "units": [unit]}
    return {"do": "together", "commands": [*map(dict, commands), here]} if commands else here


def newly_due(screen: GameScreen, here: Position, unit: str) -> bool:
    """Whether the newest step decided, without dice, the move that this unit still has to make:
    Undo takes back both, but no die that fell before a place was chosen."""
    before = here.whole.below
    if before is None or before.play is None:
        return False
    news = takewhile(lambda one: one is not before, here.down())
    if any(one.step is not None and one.step.rolled for one in news):
        return False
    known = [one.piece for one in screen.due_moves(before.state)]
    return unit not in known and any(one.piece == unit for one in screen.due_moves(here.state))
