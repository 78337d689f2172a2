"""Commands of hands, decks and piles: drawing, discarding, moving, the reserve."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.thrones.cards.card import DRAW_TYPES
from companion.games.thrones.play.cards_in_play import lies_in
from companion.games.thrones.play.commands.setup_commands import SEAT
from companion.games.thrones.play.context import (
    CommandFields,
    FieldName,
    ThronesContext,
    command,
    deck_card,
)
from companion.games.thrones.play.dealt_cards import can_hold, hidden
from companion.games.thrones.play.events import card_events
from companion.games.thrones.play.events.card_events import PILES
from companion.games.thrones.play.events.count_events import COUNTED_PILES
from companion.games.thrones.play.flow import excess, over_reserve
from models.message import say

SEAT_NEEDED = ask("seat", "side", say("the player"), True)
COUNT = ask("count", "number", say("how many; 1 if left out"))
NAMED = ask("cards", "list", say("names of the cards, where they are known"))
MOST = 99


@command("draw", say("a card's text lets a player draw"), SEAT_NEEDED, COUNT)
def draw(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """As many as the deck has; there is no limit per round (AGOT-DRAW-4, AGOT-EFF-3)."""
    house = ctx.house(args)
    ctx.draw([(house.id, args.whole("count", 1, MOST, 1))])
    return None


@command(
    "discard",
    say("a player discards from hand or from the top of the deck"),
    SEAT_NEEDED,
    COUNT,
    NAMED,
    ask("from", "word", say("hand or deck"), options=("hand", "deck")),
)
def discard(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Face up on the owner's discard pile (AGOT-ZONE-6)."""
    house = ctx.house(args)
    pile = args.choice("from", ("hand", "deck"), "hand")
    given = len(args.texts("cards"))
    count = args.whole("count", 1, MOST, max(1, given))
    there = house.hand if pile == "hand" else house.draw_deck
    return discard_cards(ctx, args, house.id, min(count, there), pile, "INPUT")


def discard_cards(
    ctx: ThronesContext, args: CommandFields, seat: str, count: int, pile: str, rule: str
) -> Refusal | None:
    """Discard exactly that many cards; those that the command names are recorded by name."""
    codes = named_codes(ctx, args, seat, count, rule, pile)
    if isinstance(codes, Refusal):
        return codes
    move(ctx, seat, codes, pile, "discard")
    return None


def named_codes(
    ctx: ThronesContext,
    args: CommandFields,
    seat: str,
    count: int,
    rule: str,
    pile: str,
    key: FieldName = "cards",
) -> list[str] | Refusal:
    """The codes of the named cards of hand or draw deck, and "" for the others."""
    names = args.texts(key)
    if len(names) > count:
        return no(rule, "{given} cards named, {count} are discarded", given=len(names), count=count)
    codes: list[str] = []
    for name in names:
        card = deck_card(ctx.state, seat, name, *DRAW_TYPES)
        if isinstance(card, Refusal):
            return card
        if ctx.state.copies_left(seat, card.code) <= codes.count(card.code):
            return no("INPUT", "all copies of {card} are out of the hand and the deck",
                      card=card.name)  # fmt: skip
        if not can_hold(ctx.state.house(seat), pile, card.code):
            return no("INPUT", "{card} cannot come from there", card=card.name)
        codes.append(card.code)
    return codes + [""] * (count - len(codes))


def move(ctx: ThronesContext, seat: str, codes: list[str], source: str, target: str) -> None:
    """Cards from one pile of a player to another; those of a deck that the app keeps are named as
    they are turned up: at random from hand (AGOT-CLM-9), from the top of the deck."""
    house = ctx.state.house(seat)
    if house.dealt and source in ("hand", "deck") and target in COUNTED_PILES:
        left = hidden(house, source, [code for code in codes if code])
        drawn = iter(ctx.shuffled(left) if source == "hand" else left)
        codes = [code or next(drawn, "") for code in codes]
    names = [house.card(code).name if code else "" for code in codes]
    if codes:
        ctx.add(card_events.moved, seat=seat, player=house.name, codes=codes, names=names,
                to=target, from_=source)  # fmt: skip


@command(
    "name-discarded",
    say("name the latest card of a discard pile that nobody has named yet"),
    SEAT_NEEDED,
    ask("card", "word", say("its name or code"), True),
)
def name_discarded(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Discard piles lie open (AGOT-ZONE-6)."""
    house = ctx.house(args)
    card = deck_card(ctx.state, house.id, args.need("card"), *DRAW_TYPES)
    if isinstance(card, Refusal):
        return card
    if "" not in house.discard:
        return no("AGOT-ZONE-6", "every card in the discard pile of {player} is named",
                  player=house.name)  # fmt: skip
    if ctx.state.copies_left(house.id, card.code) < 1:
        return no("INPUT", "all copies of {card} are out of the hand and the deck", card=card.name)
    ctx.add(card_events.named, seat=house.id, player=house.name, code=card.code, name=card.name)
    return None


@command(
    "under-agenda",
    say("cards of the draw deck go face down under the agenda"),
    SEAT_NEEDED,
    COUNT,
    NAMED,
)
def under_agenda(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """They are out of play and in no pile (AGOT-AGD-7, AGOT-AGD-8, AGOT-AGD-13)."""
    house = ctx.house(args)
    if not house.deck.agendas:
        return no("AGOT-AGD-13", "{player} has no agenda", player=house.name)
    given = len(args.texts("cards"))
    count = min(args.whole("count", 1, MOST, max(1, given)), house.draw_deck)
    codes = named_codes(ctx, args, house.id, count, "AGOT-AGD-8", "deck")
    if isinstance(codes, Refusal):
        return codes
    drawn = iter(hidden(house, "deck", [code for code in codes if code]))
    codes = [code or next(drawn, "") for code in codes]
    ctx.add(card_events.under_agenda, seat=house.id, player=house.name, count=count, codes=codes)
    return None


@command(
    "name-agenda",
    say("name what the agenda asks for: factions, a trait, a character"),
    SEAT_NEEDED,
    ask("what", "text", say("what is named"), True),
)
def name_agenda(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """After agendas were announced (AGOT-AGD-1)."""
    house = ctx.house(args)
    if not house.deck.agendas:
        return no("AGOT-AGD-1", "{player} has no agenda", player=house.name)
    ctx.add(card_events.agenda_named, seat=house.id, player=house.name, what=args.need("what"))
    return None


@command(
    "move",
    say("a card's text moves cards from one pile of a player to another"),
    SEAT_NEEDED,
    ask("from", "word", say("where they are"), True, PILES),
    ask("to", "word", say("where they go"), True, PILES),
    COUNT,
    NAMED,
)
def move_cards(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """An object cannot be moved to where it already is (AGOT-GEN-13)."""
    house = ctx.house(args)
    source, target = args.choice("from", PILES), args.choice("to", PILES)
    if source == target:
        return no("AGOT-GEN-13", "the cards are there already")
    if target == "under" and not house.deck.agendas:
        return no("AGOT-AGD-13", "{player} has no agenda", player=house.name)
    names = args.texts("cards")
    if source in ("hand", "deck"):
        there = house.hand if source == "hand" else house.draw_deck
        count = min(args.whole("count", 1, MOST, max(1, len(names))), there)
        codes = named_codes(ctx, args, house.id, count, "INPUT", source)
        if isinstance(codes, Refusal):
            return codes
        if source == "deck" and names:
            ctx.remind(say("Shuffle the draw deck after searching it."))  # AGOT-ZONE-27
    else:
        pile = list(getattr(house, source))
        codes = []
        for name in names or [""] * args.whole("count", 1, MOST, 1):
            code = ""
            if name:
                card = deck_card(ctx.state, house.id, name, *DRAW_TYPES)
                if isinstance(card, Refusal):
                    return card
                code = card.code
            lying = code if code in pile else ""
            if lying not in pile or (code and not lies_in(ctx.state, house.id, source, code)):
                return no("INPUT", "no such card in this pile: {name}", name=name or "?")
            pile.remove(lying)
            codes.append(code)
    move(ctx, house.id, codes, source, target)
    return None


@command(
    "reserve",
    say("discard down to the reserve"),
    SEAT,
    NAMED,
    phases=("7.3",),
)
def reserve(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """In player order, until hand and reserve are equal (AGOT-TAX-3, AGOT-TAX-4)."""
    awaited = over_reserve(ctx.state)
    house = ctx.house(args, default=awaited)
    if excess(ctx.state, house.id) <= 0:
        return no("AGOT-TAX-5", "{player} is not above the reserve", player=house.name)
    if house.id != awaited:
        return no("AGOT-TAX-3", "{player} decides now", player=ctx.player(awaited))
    count = excess(ctx.state, house.id)
    return discard_cards(ctx, args, house.id, count, "hand", "AGOT-TAX-4")
