"""Cards that leave play, and what saves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api.play import Refusal
from companion.games.shared.commands import CommandArgs, no
from companion.games.thrones.play.context import ThronesContext
from companion.games.thrones.play.state import CardInPlay
from models.lazy_message import say

SAVES = ("none", "duplicate", "ability")


def read_saves(
    ctx: ThronesContext, args: CommandArgs, cards: Sequence[CardInPlay]
) -> dict[str, str] | Refusal:
    """How each card is saved: one word for all, or a word for each; a duplicate is asked for
    (AGOT-UNI-7)."""
    found: dict[str, str] = {}
    if args.has("save"):
        field = args.field("save")
        if isinstance(field.raw, str):
            found = dict.fromkeys((one.id for one in cards), field.choice(SAVES))
        else:
            names = field.keys([one.id for one in cards])
            found = {one: field.member(one).choice(SAVES) for one in names}
    for card in cards:
        if card.duplicates and card.id not in found:
            text = say("{card} has a duplicate: does it save the card?", card=card.name)
            return Refusal("AGOT-UNI-7", text, "save")
        if found.get(card.id) == "duplicate" and not card.duplicates:
            return no("AGOT-UNI-7", "{card} has no duplicate", card=card.name)
    return found


def leave_play(
    ctx: ThronesContext,
    going: Sequence[tuple[CardInPlay, str]],
    how: str,
    saves: Mapping[str, str],
) -> None:
    """Cards leave play at once, each to its pile; saved ones stay (AGOT-EFF-13).

    A duplicate that was chosen but is gone by now saves nothing (AGOT-UNI-7).
    """
    lost: list[tuple[CardInPlay, str]] = []
    for card, pile in going:
        by = saves.get(card.id, "none")
        if by == "none" or (by == "duplicate" and not card.duplicates):
            lost.append((card, pile))
        else:
            ctx.add("saved", card=card.id, name=card.name, by=by)
    ctx.leave(lost, how)
