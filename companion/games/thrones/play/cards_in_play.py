"""Cards that enter and leave play: what prevents it, and what saves them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.thrones.cards.agendas import has_trait
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.play.context import CommandFields, ThronesContext
from companion.games.thrones.play.events import card_events
from companion.games.thrones.play.numbers import has_keyword
from companion.games.thrones.play.state import CardInPlay, ThronesState
from models.field import Field
from models.message import say


def dead_names(state: ThronesState, seat: str) -> list[str]:
    """The titles in a player's dead pile."""
    house = state.house(seat)
    return [house.card(code).name for code in house.dead if code]


def lies_in(state: ThronesState, seat: str, pile: str, code: str) -> bool:
    """Whether a card lies in a pile of a player, or may be one there that nobody has named."""
    codes = getattr(state.house(seat), pile)
    return code in codes or ("" in codes and state.copies_left(seat, code) > 0)


def copy_in_play(state: ThronesState, seat: str, card: CardFacts) -> CardInPlay | None:
    """The copy of a unique card that the player owns or controls in play (AGOT-UNI-1)."""
    if not card.unique:
        return None
    return next(
        (
            one
            for one in state.cards
            if one.facts.name == card.name
            and one.facts.unique
            and seat in (one.owner, one.controller)
        ),
        None,
    )


def duplicate_problem(copy: CardInPlay, seat: str) -> Refusal | None:
    """A duplicate needs a copy that the player both owns and controls (AGOT-UNI-2)."""
    if copy.owner == seat == copy.controller:
        return None
    return no("AGOT-UNI-1", "{card} is unique and in play already", card=copy.name)


def entering_problem(
    state: ThronesState, seat: str, card: CardFacts, owner: str, pile: str
) -> Refusal | None:
    """A unique card with a copy in the dead pile stays out (AGOT-UNI-4); the only copy there may
    come directly from it (AGOT-UNI-5)."""
    dead = dead_names(state, seat)
    if not card.unique or card.name not in dead:
        return None
    if pile == "dead" and owner == seat and dead.count(card.name) == 1:
        return None
    return no("AGOT-UNI-4", "a copy of {card} is in the dead pile", card=card.name)


def circle_problem(state: ThronesState, card: CardInPlay, host: str) -> Refusal | None:
    """An attachment goes on another card: not on itself, nor on what hangs on it (AGOT-ATT-1)."""
    if host != card.id and host not in {one.id for one in state.hanging_on({card.id})}:
        return None
    return no("AGOT-ATT-1", "{card} must be attached to something", card=card.name)


def host_problem(
    state: ThronesState, card: CardFacts, host: str, text: bool = False, most: int = 99
) -> Refusal | None:
    """Why an attachment cannot go there; the players say if its text allows it.

    It needs something to go on (AGOT-MAR-11), a character unless its text says otherwise
    (AGOT-ATT-3), not one with "no attachments" (AGOT-KEY-23), and not more copies than its own
    limit allows (AGOT-ATT-10).
    """
    if card.type != "attachment":
        return None
    if not host:
        return Refusal("AGOT-MAR-11", say("{card} must be attached to something", card=card.name),
                       "host")  # fmt: skip
    if sum(one.facts.name == card.name for one in state.attached(host)) >= most:
        return no("AGOT-ATT-10", "at most {most} copies of {card} on one card", most=most,
                  card=card.name)  # fmt: skip
    if text:
        return None
    other = state.find_card(host)
    if other is None or other.type != "character":
        return Refusal(
            "AGOT-MAR-11",
            say("{card} goes on a character; does its text say otherwise?", card=card.name),
            "text",
        )
    if has_keyword(state, other, "no attachments") and not excepted(other.facts, card):
        return Refusal(
            "AGOT-KEY-23",
            say("{host} takes no attachments; does its text allow this one?", host=other.name),
            "text",
        )
    return None


def legal_hosts(state: ThronesState, card: CardFacts) -> Iterator[CardInPlay]:
    """What an attachment can go on by the rules (AGOT-ATT-3)."""
    return (one for one in state.cards if host_problem(state, card, one.id) is None)


def excepted(host: CardFacts, card: CardFacts) -> bool:
    """Whether a card with "no attachments" takes attachments of this trait all the same."""
    value = dict(host.keyword_values).get("no attachments", "")
    return has_trait(card, (value.removeprefix("except ").strip(),))


SAVES = ("none", "duplicate", "ability")


def read_saves(
    ctx: ThronesContext, args: CommandFields, cards: Sequence[CardInPlay]
) -> dict[str, str] | Refusal:
    """How each card is saved: one word for all, a word for each, or only those that are saved, as
    "card>word"; else a duplicate is asked for (AGOT-UNI-7)."""
    found: dict[str, str] = {}
    if args.has("save"):
        field = args.field("save")
        if isinstance(field.raw, str):
            found = dict.fromkeys((one.id for one in cards), field.choice(SAVES))
        elif isinstance(field.raw, list):
            found = dict.fromkeys((one.id for one in cards), "none")
            for item in field.items(2 * len(ctx.state.cards)):
                key, _, by = item.text(60).partition(">")
                saved = ctx.state.find_card(key)
                if saved is not None and key not in found:
                    return no("INPUT", "{card} is not chosen", card=saved.name)
                Field(key, item.source, item.place).choice([*found])
                found[key] = Field(by, item.source, item.place).choice(SAVES)
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
            ctx.add(card_events.saved, card=card.id, name=card.name, by=by)
    ctx.leave(lost, how)
