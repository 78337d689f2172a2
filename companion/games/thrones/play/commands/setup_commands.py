"""Commands of set-up and of the plot phase: mulligan, set-up cards, plots, initiative, titles."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.thrones.cards.card import STAYING, CardFacts
from companion.games.thrones.play.agendas_in_play import (
    RED_DOOR,
    chosen_from,
    has_agenda,
    set_up_base,
)
from companion.games.thrones.play.cards_in_play import (
    circle_problem,
    copy_in_play,
    host_problem,
)
from companion.games.thrones.play.context import CommandFields, ThronesContext, command, deck_card
from companion.games.thrones.play.dealt_cards import can_hold
from companion.games.thrones.play.events import card_events, challenge_events, round_events
from companion.games.thrones.play.flow import (
    choosing_plots,
    choosing_title,
    loose_attachments,
    mulligan_seat,
    placing_seat,
    recycle,
    tied_leaders,
    titles_left,
    turn_up_plots,
)
from companion.games.thrones.play.numbers import set_up_gold
from companion.games.thrones.play.state import COPY, FACTION_CARD, INTO_SHADOWS, ThronesState
from models.message import say

SEAT = ask("seat", "side", say("the player"))
FETCHED_COST = 3
"""The highest cost of a location that an agenda fetches (AGOT-AGD-2)."""


def not_your_turn(ctx: ThronesContext, seat: str, awaited: str, rule: str) -> Refusal | None:
    """The refusal of a player who decides out of player order."""
    if seat == awaited:
        return None
    return no(rule, "{player} decides now", player=ctx.player(awaited))


@command(
    "mulligan",
    say("keep the first hand, or shuffle it back once and draw 7 new cards"),
    SEAT,
    ask("take", "flag", say("take the mulligan"), True),
    phases=("SETUP-7",),
)
def mulligan(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Once, in player order; the hand after it is kept (AGOT-SET-8, AGOT-SET-9)."""
    awaited = mulligan_seat(ctx.state)
    house = ctx.house(args, default=awaited)
    if refusal := not_your_turn(ctx, house.id, awaited, "AGOT-SET-8"):
        return refusal
    take = args.field("take").flag()
    dealt = ctx.shuffled(house.dealt) if take and house.dealt else ()
    ctx.add(round_events.mulligan, seat=house.id, player=house.name, take=take, dealt=dealt)
    return None


@command(
    "place",
    say("place set-up cards face down, for at most 8 gold"),
    SEAT,
    ask("cards", "list", say("names or codes of the cards, further copies as duplicates"), True),
    ask("shadows", "list", say("cards with shadow that go into shadows for 2 gold each")),
    phases=("SETUP-8",),
)
def place(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """In player order, hidden until all are revealed (AGOT-SET-10)."""
    awaited = placing_seat(ctx.state)
    house = ctx.house(args, default=awaited)
    if refusal := not_your_turn(ctx, house.id, awaited, "AGOT-SET-10"):
        return refusal
    found: list[CardFacts] = []
    dark: list[CardFacts] = []
    named = sorted(args.texts("cards"), key=lambda one: COPY in one)
    for pile, names in ((found, named), (dark, args.texts("shadows"))):
        for name in names:
            card = deck_card(ctx.state, house.id, name)
            if isinstance(card, Refusal):
                return card
            further = card.unique and COPY in name and pile is found
            beside = card.name in {one.name for one in found}
            if further and not beside and copy_in_play(ctx.state, house.id, card) is None:
                return no("AGOT-SET-15", "a duplicate needs its card beside it")  # others read this
            pile.append(card)
    if refusal := placing_problem(ctx.state, house.id, found, dark):
        return refusal
    ctx.add(
        round_events.placed,
        seat=house.id,
        player=house.name,
        codes=[one.code for one in found],
        shadows=[one.code for one in dark],
    )
    return None


def placing_problem(
    state: ThronesState, seat: str, cards: list[CardFacts], dark: list[CardFacts]
) -> Refusal | None:
    """Why these set-up cards may not be placed, or not be put into shadows; a card with shadow may
    as well be placed for its printed cost (AGOT-SHD-13)."""
    house = state.house(seat)
    if (cards or dark) and set_up_base(house) < 0:
        return no("AGOT-AGD-6", "{player} places no set-up cards with this agenda",
                  player=house.name)  # fmt: skip
    if len(cards) + len(dark) > house.hand:
        return no("AGOT-SET-10", "{player} has {count} cards in hand", player=house.name,
                  count=house.hand)  # fmt: skip
    for card in cards:
        if card.type not in STAYING:
            return no("AGOT-SET-11", "{card} is no character, location or attachment",
                      card=card.name)  # fmt: skip
        if card.cost is None and "cost" not in card.variable:
            return no("AGOT-SET-12", "{card} has no gold cost: it is put into play by other means",
                      card=card.name)  # fmt: skip
    for card in dark:
        if "shadow" not in card.keywords:
            return no("AGOT-SHD-10", "{card} has no shadow", card=card.name)
    for card in (*cards, *dark):
        if [*cards, *dark].count(card) > state.copies_left(seat, card.code):
            return no("INPUT", "not so many copies of {card} in the deck", card=card.name)
        if not can_hold(house, "hand", card.code):
            return no("AGOT-SET-10", "{player} has no {card} in hand", player=house.name,
                      card=card.name)  # fmt: skip
    cost = set_up_cost(state, seat, cards) + INTO_SHADOWS * len(dark)
    most = set_up_gold(state, seat)
    if cost > most:
        return no("AGOT-SET-12", "these cards cost {cost} gold, at most {most}", cost=cost,
                  most=most)  # fmt: skip
    if sum("limited" in one.keywords for one in cards) > 1:
        return no("AGOT-SET-13", "at most 1 limited card in set-up")
    alone = all(one.type == "attachment" for one in cards)
    if cards and alone and state.readings.set_up_attachments == "own":  # AGOT-OR-3
        return no("AGOT-SET-14", "an attachment needs an own card to be attached to")
    return None


def first_copies(state: ThronesState, seat: str, cards: list[CardFacts]) -> list[CardFacts]:
    """The cards without further copies of unique ones, which become duplicates (AGOT-SET-15): also
    of one that an agenda has brought into play (AGOT-AGD-3)."""
    found: list[CardFacts] = []
    for card in cards:
        beside = card.unique and any(one.name == card.name for one in found)
        if not beside and copy_in_play(state, seat, card) is None:
            found.append(card)
    return found


def set_up_cost(state: ThronesState, seat: str, cards: list[CardFacts]) -> int:
    """The gold that set-up cards cost; duplicates are free (AGOT-SET-15)."""
    return sum(card.cost or 0 for card in first_copies(state, seat, cards))


@command(
    "fetch-location",
    say("an agenda brings a unique location from the deck into play before set-up cards"),
    ask("seat", "side", say("the player"), True),
    ask("card", "word", say("its name or code"), True),
    phases=("SETUP-7", "SETUP-8"),
)
def fetch_location(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Unique, not limited, of cost 3 or less; it is no set-up card (AGOT-AGD-2, AGOT-AGD-3) and
    comes before those."""
    house = ctx.house(args)
    card = deck_card(ctx.state, house.id, args.need("card"), "location")
    if isinstance(card, Refusal):
        return card
    there = any(one.protected and one.owner == house.id for one in ctx.state.cards)
    if there or not has_agenda(house, RED_DOOR):
        return no("AGOT-AGD-2", "{player} fetches no location", player=house.name)
    if house.placed is not None:
        return no("AGOT-AGD-2", "{player} has placed set-up cards: the location comes before them",
                  player=house.name)  # fmt: skip
    if not ctx.state.copies_left(house.id, card.code):
        return no("INPUT", "not so many copies of {card} in the deck", card=card.name)
    cheap = card.cost is not None and card.cost <= FETCHED_COST
    if not card.unique or "limited" in card.keywords or not cheap:
        return no("AGOT-AGD-2", "{card} is no unique location of cost 3 or less without Limited",
                  card=card.name)  # fmt: skip
    ctx.add(card_events.entered, seat=house.id, player=house.name, owner=house.id, code=card.code,
            name=card.name, how="agenda", paid=0, from_="deck")  # fmt: skip
    ctx.remind(say("Shuffle the draw deck after searching it."))
    return None


@command(
    "attach-set-up",
    say("attach a set-up attachment"),
    ask("card", "word", say("the attachment"), True),
    ask("host", "word", say("the card it goes on"), True),
    ask("text", "flag", say("the card's own text allows it")),
    phases=("SETUP-9",),
)
def attach_set_up(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """In player order, on own cards that may carry it (AGOT-SET-17, AGOT-OR-3)."""
    waiting = loose_attachments(ctx.state)
    card = ctx.card(args)
    if card.id not in waiting:
        return no("AGOT-SET-17", "{card} needs no place now", card=card.name)
    owner = ctx.state.card(waiting[0]).owner
    if card.owner != owner:
        return no("AGOT-SET-17", "{player} decides now", player=ctx.player(owner))
    host = ctx.element(args, "host")
    other = ctx.state.find_card(host)
    own = (other is not None and other.controller == card.owner) or host == (
        FACTION_CARD + card.owner
    )
    if not own and ctx.state.readings.set_up_attachments == "own":
        return no("AGOT-SET-14", "a set-up attachment goes on an own card")
    if refusal := circle_problem(ctx.state, card, host):
        return refusal
    if refusal := host_problem(ctx.state, card.facts, host, args.flag("text")):
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
    "choose-plot",
    say("choose a plot in secret; all are revealed together"),
    ask("seat", "side", say("the player"), True),
    ask("plot", "word", say("its name or code"), True),
    phases=("1.2",),
)
def choose_plot(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Everybody chooses from the own plot deck (AGOT-PLOT-2)."""
    house = ctx.house(args)
    if house.id not in choosing_plots(ctx.state):
        return no("AGOT-PLOT-3", "{player} has chosen", player=house.name)
    card = deck_card(ctx.state, house.id, args.need("plot"), "plot")
    if isinstance(card, Refusal):
        return card
    if card.code in house.plots and card.code not in chosen_from(house):
        return no("AGOT-AGD-9", "{plot} is a Scheme and not in the plot deck now", plot=card.name)
    if card.code not in house.plots:
        return no("AGOT-PLOT-1", "this plot is not in the plot deck of {player}",
                  player=house.name)  # fmt: skip
    ctx.add(round_events.plot_chosen, seat=house.id, player=house.name, plot=card.code)
    return None


@command(
    "toss",
    say("decide by chance who wins a tied initiative"),
    ask("seat", "side", say("who won your own toss; without it the companion draws")),
    phases=("1.3.I",),
)
def toss(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Chance decides among those still tied (AGOT-PLOT-11)."""
    tied = tied_leaders(ctx.state)
    if args.has("seat"):
        seat = args.choice("seat", tied)
    else:
        seat = tied[ctx.dice(1, len(tied))[0] - 1]
    ctx.add(round_events.tie_broken, seat=seat, player=ctx.player(seat))
    return None


@command(
    "first-player",
    say("the winner of initiative names the first player"),
    ask("seat", "side", say("the first player"), True),
    phases=("1.3.II",),
)
def first_player(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """Any player, also the winner (AGOT-PLOT-12, AGOT-PLOT-13)."""
    house = ctx.house(args)
    ctx.add(round_events.first_player, seat=house.id, player=house.name)
    ctx.add(round_events.confirmed)
    return None


@command(
    "continue",
    say("go on: what was asked for at this step is done"),
    ask("instead", "text", say("a card's text replaces the claim: the reason")),
    phases=("1.3.III", "4.2.2"),
)
def go_on(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """With what replaces the claim, before it takes power or lapses (AGOT-EFF-10)."""
    if args.has("instead"):
        found = ctx.state.challenge
        if found is None or found.winner != found.attacker:
            return no("AGOT-CHL-36", "there is no claim now")
        ctx.add(challenge_events.claim_replaced, why=args.need("instead"))
    ctx.add(round_events.confirmed, step=ctx.state.step)
    return None


@command(
    "choose-title",
    say("take a title in secret; all are revealed together"),
    SEAT,
    ask("title", "word", say("the title's id"), True),
    phases=("1.4",),
)
def choose_title(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """In player order, from what is left (AGOT-TTL-5)."""
    awaited = choosing_title(ctx.state)
    house = ctx.house(args, default=awaited)
    if house.id != awaited:
        return no("AGOT-TTL-5", "{player} decides now", player=ctx.player(awaited))
    known = tuple(one.id for one in ctx.state.titles)
    title = args.choice("title", known)
    if title not in titles_left(ctx.state):
        return no("AGOT-TTL-5", "this title is not among those left")
    ctx.add(round_events.title_taken, seat=house.id, player=house.name, title=title)
    return None


@command(
    "reveal-plot",
    say("a card's text reveals a plot outside the plot phase"),
    ask("seat", "side", say("the player"), True),
    ask("plot", "word", say("its name or code"), True),
)
def reveal_plot(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """No new initiative and no new first player (AGOT-PLOT-20); an empty plot deck is refilled
    (AGOT-PLOT-25)."""
    house = ctx.house(args)
    card = deck_card(ctx.state, house.id, args.need("plot"), "plot")
    if isinstance(card, Refusal):
        return card
    if card.code not in house.plots:
        return no("AGOT-PLOT-1", "this plot is not in the plot deck of {player}",
                  player=house.name)  # fmt: skip
    if house.chosen and house.plots.count(card.code) == 1 and house.chosen == card.code:
        return no("AGOT-PLOT-2", "{player} has chosen this plot for this round", player=house.name)
    chosen = house.chosen
    turn_up_plots(ctx, [[house.id, house.name, card.code, card.name]])
    recycle(ctx)
    if chosen:
        ctx.add(round_events.plot_chosen, seat=house.id, player=house.name, plot=chosen)
    ctx.remind(say('Its "when revealed" ability resolves now.'))
    return None


@command(
    "move-plot",
    say("a card's text moves a plot between the plot deck and the used pile"),
    ask("seat", "side", say("the player"), True),
    ask("plot", "word", say("its name or code"), True),
    ask("to", "word", say("the plot deck or the used pile"), True, ("deck", "used")),
    ask("why", "text", say("the reason"), True),
)
def move_plot(ctx: ThronesContext, args: CommandFields) -> Refusal | None:
    """A plot is in one of three states; card text changes it (AGOT-PLOT-1, AGOT-GEN-2)."""
    house = ctx.house(args)
    card = deck_card(ctx.state, house.id, args.need("plot"), "plot")
    if isinstance(card, Refusal):
        return card
    to = args.choice("to", ("deck", "used"))
    there = house.used if to == "deck" else house.plots
    if card.code not in there or (to == "used" and card.code == house.chosen):
        return no("AGOT-PLOT-1", "{plot} is not there", plot=card.name)
    why = args.need("why")
    ctx.add(
        round_events.plot_moved,
        seat=house.id,
        player=house.name,
        plot=card.code,
        name=card.name,
        to=to,
        why=why,
    )
    recycle(ctx)
    return None
