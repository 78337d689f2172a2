"""Commands of cards in play: kneel, stand, attach, control, put into play, leave play."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.thrones.cards.card import DRAW_TYPES, FACE_DOWN, STAYING
from companion.games.thrones.play.cards_in_play import (
    circle_problem,
    copy_in_play,
    dead_names,
    duplicate_problem,
    entering_problem,
    host_problem,
    leave_play,
    lies_in,
    read_saves,
)
from companion.games.thrones.play.commands.challenge_commands import WHY
from companion.games.thrones.play.commands.window_commands import HOST, LIMIT, TEXT, enter
from companion.games.thrones.play.context import CommandFields, ThronesContext, command, deck_card
from companion.games.thrones.play.dealt_cards import can_hold
from companion.games.thrones.play.effects import LEAVING_PILES
from companion.games.thrones.play.events import card_events
from companion.games.thrones.play.events.card_events import PILES
from models.message import say

CARDS = ask("cards", "list", say("cards in play"), True)
TURNED = ask("cards", "list", say("cards in play, or faction: and a seat"), True)
ONE_CARD = ask("card", "word", say("a card in play"), True)
SOURCES = ("hand", "deck", "discard", "dead", "shadows", "under")
OUT = tuple(one for one in PILES if one != "under")
"""Where cards in play may go."""


@command("kneel", say("kneel cards"), TURNED)
def kneel(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """A kneeling card cannot be knelt again (AGOT-CARD-4)."""
    cards = ctx.cards(args, factions=True)
    if not cards:
        return no("INPUT", "no card is named")
    for card in cards:
        if card.kneeling:
            return no("AGOT-CARD-4", "{card} kneels already", card=card.name)
    ctx.kneel(cards)
    return None


@command("stand", say("stand cards"), TURNED)
def stand(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    cards = ctx.cards(args, factions=True)
    if not cards:
        return no("INPUT", "no card is named")
    for card in cards:
        if not card.kneeling:
            return no("AGOT-CARD-1", "{card} stands already", card=card.name)
    ctx.stand(cards)
    return None


@command("attach", say("move an attachment to another card"), ONE_CARD, HOST, LIMIT, TEXT)
def attach(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """It stays under its controller's control (AGOT-ATT-7), and not where it is (AGOT-GEN-13)."""
    card = ctx.card(args)
    host = ctx.element(args, "host")
    if card.type != "attachment":
        return no("AGOT-ATT-1", "{card} is not an attachment", card=card.name)
    if host == card.host:
        return no("AGOT-GEN-13", "{card} is attached there already", card=card.name)
    if refusal := circle_problem(ctx.state, card, host):
        return refusal
    most = args.whole("limit", 1, 99, 99)
    if refusal := host_problem(ctx.state, card.facts, host, args.flag("text"), most):
        return refusal
    ctx.add(
        card_events.attached,
        card=card.id,
        name=card.name,
        host=host,
        host_name=ctx.element_name(host),
    )
    return None


@command(
    "control",
    say("another player takes control of a card"),
    ONE_CARD,
    ask("seat", "side", say("who takes it"), True),
)
def control(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Not of a unique card of which that player has a copy (AGOT-UNI-3, AGOT-UNI-4)."""
    card, house = ctx.card(args), ctx.house(args)
    if card.controller == house.id:
        return no("AGOT-GEN-13", "{player} controls {card} already", player=house.name,
                  card=card.name)  # fmt: skip
    other = copy_in_play(ctx.state, house.id, card.facts)
    if other is not None and other.id != card.id:
        return no("AGOT-UNI-3", "{player} has a copy of {card} in play", player=house.name,
                  card=card.name)  # fmt: skip
    if card.facts.unique and card.facts.name in dead_names(ctx.state, house.id):
        return no("AGOT-UNI-4", "a copy of {card} is in the dead pile", card=card.name)
    ctx.add(card_events.control, card=card.id, name=card.name, seat=house.id, player=house.name)
    return None


@command(
    "put-into-play",
    say("a card's text puts a card into play; its cost is not paid"),
    ask("seat", "side", say("who controls it"), True),
    ask("card", "word", say("name or code of a card"), True),
    ask(
        "from",
        "word",
        say("hand, deck, discard or dead pile, shadows, under the agenda"),
        options=SOURCES,
    ),
    ask("owner", "side", say("whose deck it is from, if not the own")),
    HOST,
    ask("kneeling", "flag", say("it enters play kneeling")),
    ask("as", "word", say("the type that the card's text gives it"), options=STAYING),
    TEXT,
)
def put_into_play(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Directly into play, not marshaled (AGOT-CARD-10, AGOT-CARD-12); a further copy of an own
    unique card enters as a duplicate (AGOT-CARD-13). From shadows it costs nothing and comes out of
    them at any moment (AGOT-SHD-21, AGOT-SHD-22)."""
    house = ctx.house(args)
    owner = ctx.house(args, "owner", house.id)
    pile = args.choice("from", SOURCES, "hand")
    kind = args.choice("as", STAYING, "")
    card = deck_card(ctx.state, owner.id, args.need("card"), *(DRAW_TYPES if kind else STAYING))
    if isinstance(card, Refusal):
        return card
    if kind:
        card = card.become(kind)
    there = {"hand": owner.hand, "deck": owner.draw_deck}
    if pile in there:
        held = ctx.state.copies_left(owner.id, card.code) > 0 and can_hold(owner, pile, card.code)
        if not there[pile] or not held:
            return no("INPUT", "{card} cannot come from there", card=card.name)
    elif not lies_in(ctx.state, owner.id, pile, card.code):
        return no("INPUT", "{card} cannot come from there", card=card.name)
    if refusal := entering_problem(ctx.state, house.id, card, owner.id, pile):
        return refusal
    if (copy := copy_in_play(ctx.state, house.id, card)) is not None:
        if refusal := duplicate_problem(copy, house.id):
            return refusal
        if owner.id != house.id:
            return no("AGOT-UNI-1", "{card} is unique and in play already", card=copy.name)
        ctx.add(card_events.duplicate, seat=house.id, player=house.name, card=copy.id,
                name=copy.name, code=card.code, from_=pile)  # fmt: skip
        return None
    host = ctx.element(args, "host") if args.has("host") else ""
    if refusal := host_problem(ctx.state, card, host, args.flag("text")):
        return refusal
    how = "shadows" if pile == "shadows" else "put"
    enter(ctx, house.id, card, how, pile, 0, host, args.flag("kneeling"), owner.id, kind=kind)
    return None


@command(
    "put-face-down",
    say("a card's text puts a card face down into play"),
    ask("seat", "side", say("who controls it"), True),
    ask("from", "word", say("hand or deck"), options=("hand", "deck")),
)
def put_face_down(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """It is a face-down card and nothing else (AGOT-ZONE-31); nobody tells which card it is."""
    house = ctx.house(args)
    pile = args.choice("from", ("hand", "deck"), "hand")
    if not (house.hand if pile == "hand" else house.draw_deck):
        return no("INPUT", "{card} cannot come from there", card=FACE_DOWN.name)
    enter(ctx, house.id, FACE_DOWN, "put", pile)
    return None


@command(
    "leave",
    say("cards leave play"),
    CARDS,
    ask("how", "word", say("in which way"), True, tuple(LEAVING_PILES)),
    ask("save", "word", say("what saves them: none, duplicate or ability")),
    ask("to", "word", say("where a card's text puts them instead"), options=OUT),
    ask("persists", "flag", say("the cause goes on and would remove them again and again")),
)
def leave(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Killed, discarded, sacrificed, returned, shuffled or removed (AGOT-ZONE-4)."""
    cards = ctx.cards(args)
    if not cards:
        return no("INPUT", "no card is named")
    how = args.choice("how", tuple(LEAVING_PILES))
    for card in cards:
        if how == "killed" and card.type != "character":
            return no("AGOT-ZONE-11", "{card} is not a character", card=card.name)
        if how == "discarded" and card.protected:
            return no("AGOT-AGD-4", "the agenda keeps {card} from being discarded",
                      card=card.name)  # fmt: skip
    if how == "sacrificed":
        if args.text("save", "none") != "none":
            return no("AGOT-ZONE-21", "a sacrificed card cannot be saved")
        saves: dict[str, str] | Refusal = {}
    elif args.flag("persists"):
        saves = unsaved(args)
    else:
        saves = read_saves(ctx, args, cards)
    if isinstance(saves, Refusal):
        return saves
    pile = args.choice("to", OUT, LEAVING_PILES[how])  # a replacement effect (AGOT-EFF-10)
    leave_play(ctx, [(card, pile) for card in cards], how, saves)
    return None


def unsaved(args: CommandFields) -> dict[str, str] | Refusal:
    """A save that does not end a persisting cause cannot be used, least of all a duplicate
    (AGOT-EFF-15)."""
    if args.text("save", "none") != "none":
        return no("AGOT-EFF-15", "the cause goes on: nothing saves the card from it")
    return {}


@command(
    "tokens",
    say("put tokens of any kind on a card, or take them off"),
    ONE_CARD,
    ask("token", "text", say("which: poison, treason, gold …"), True),
    ask("change", "number", say("how many more or less"), True),
    WHY,
)
def tokens(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Any special token is an influence token (AGOT-CMP-16)."""
    card = ctx.card(args)
    change = args.field("change").whole(-99, 99)
    token = args.need("token")
    if change + dict(card.tokens).get(token, 0) < 0:
        return no("AGOT-TOK-4", "there are not so many on {card}", card=card.name)
    why = args.text("why") or ""
    ctx.add(card_events.tokens, card=card.id, name=card.name, token=token, change=change, why=why)
    return None
