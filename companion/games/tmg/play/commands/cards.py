"""Tactics cards: decks, hands, triggers, and one effect per trigger and player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from companion.games.api.play import Refusal
from companion.games.tmg.play.card_moments import triggers_now
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    anytime,
    ask,
    interrupt,
    no,
)
from companion.games.tmg.play.events import flow_events, tactics_events
from companion.games.tmg.play.events.tactics_events import uses_now
from companion.games.tmg.play.state.game_state import GameState, NcuState, Player
from companion.games.tmg.play.state.play_rules import HAND, ZONES
from companion.games.tmg.play.state.unit_state import UnitState, same_name
from models.message import say

COPIES = 2  # TMG-DECK-1


def shuffled_deck(names: Iterable[str], seed: int, player: str) -> tuple[str, ...]:
    """Two copies of each card, shuffled by the seed (TMG-DECK-1, TMG-ARM-7)."""
    cards = [name for name in names for _ in range(COPIES)]
    Random(f"{seed}/deck/{player}").shuffle(cards)
    return tuple(cards)


# -- drawing ----------------------------------------------------------------------------------


def draw(context: CommandContext, player_id: str, wanted: int, cards: tuple[str, ...] = ()) -> None:
    """Draw what the deck still has (TMG-RND-21); an overfull hand must discard."""
    player = context.state.player(player_id)
    number = min(wanted, len(player.deck))
    if number:
        context.add(tactics_events.drawn, player=player.id, count=number, cards=list(cards))
    limit = context.state.rules.hand_limit
    if limit is not None and len(context.state.player(player_id).hand) > limit:
        from companion.games.tmg.play.flow.casualties import wait

        if any(one.kind == "hand" and one.other == player.id for one in context.state.tasks):
            return
        wait(
            context,
            "hand",
            say(
                "{player} discards down to {limit} cards (TMG-RND-20)",
                player=player.id,
                limit=limit,
            ),
            side=player.side,
            other=player.id,
            number=limit,
            commands=("discard",),
        )


def overfull(state: GameState, player: Player) -> Refusal | None:
    """A hand over its limit must be discarded down before any card is added (TMG-RND-20)."""
    if any(one.kind == "hand" and one.other == player.id for one in state.tasks):
        limit = state.rules.hand_limit
        return no(
            "TMG-RND-20",
            "{player} first discards down to {limit} cards",
            player=player.id,
            limit=limit,
        )
    return None


def draw_up(context: CommandContext) -> None:
    """Clean-up: every player draws up to a hand of 3 cards (TMG-RND-19)."""
    for player in context.state.players:
        if player.side in context.state.playing:
            draw(context, player.id, max(0, HAND - len(player.hand)))


def deal(context: CommandContext) -> None:
    """The starting hands (TMG-STA-1, TMG-DECK-2)."""
    for player in context.state.players:
        draw(context, player.id, HAND)


def held(player: Player, cards: tuple[str, ...]) -> bool:
    """Whether a hand contains these cards."""
    return not Counter(cards) - Counter(player.hand)


@anytime(
    "draw",
    "an effect lets a player draw tactics cards",
    ask("player", "player", "who draws", required=True),
    ask("count", "number", "how many; 1 where left out"),
    ask("cards", "list", "which ones, where the players shuffle their own deck"),
)
def draw_cards(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Draw cards by an effect."""
    player = context.state.player(given.need("player"))
    cards = given.texts("cards", 20)
    if cards and Counter(cards) - Counter(player.deck):
        return no(
            "TMG-DECK-1",
            "not all of {cards} are in {player}'s deck",
            cards=", ".join(cards),
            player=player.id,
        )
    number = len(cards) or given.whole("count", 1, 20, 1)
    if refusal := overfull(context.state, player):
        return refusal
    if not player.deck:
        return no("TMG-RND-21", "{player}'s deck is empty and is never refilled", player=player.id)
    draw(context, player.id, number, cards)
    return None


@anytime(
    "search",
    "an effect lets a player take a named card from the deck or the discard pile",
    ask("player", "player", "who takes it", required=True),
    ask("card", "text", "which card", required=True),
    ask("from", "word", "where it lies", True, ("deck", "discard")),
    ask("name", "text", "what a card of paper on the discard pile is called"),
)
def search(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Fetch a card by an effect."""
    player = context.state.player(given.need("player"))
    where = given.choice("from", ("deck", "discard"))
    card = given.need("card")
    if card not in getattr(player, where):
        return no(
            "TMG-DECK-1",
            "{card} does not lie in {player}'s {pile}",
            card=card,
            player=player.id,
            pile=where,
        )
    if refusal := overfull(context.state, player):
        return refusal
    told = {"name": given.need("name")} if given.has("name") and player.paper else {}
    if told and (where != "discard" or told["name"] not in player.played_names):
        return no(
            "TMG-DECK-1",
            "{card} does not lie in {player}'s {pile}",
            card=told["name"],
            player=player.id,
            pile=where,
        )
    context.add(tactics_events.returned, player=player.id, card=card, from_=where, **told)
    draw(context, player.id, 0)
    return None


@anytime(
    "discard",
    "a player discards tactics cards from hand",
    ask("player", "player", "who discards", required=True),
    ask("cards", "list", "which cards", required=True),
)
def discard(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Discard cards openly: in clean-up, or because an effect or a full hand requires it."""
    player = context.state.player(given.need("player"))
    cards = given.texts("cards", 40)
    if not cards:
        return no("TMG-RND-18", "no card is named")
    if not held(player, cards):
        return no(
            "TMG-RND-18",
            "not all of {cards} are in {player}'s hand",
            cards=", ".join(cards),
            player=player.id,
        )
    context.add(tactics_events.discarded, player=player.id, cards=list(cards))
    end_discarding(context, player.id)
    return None


def end_discarding(context: CommandContext, player_id: str) -> None:
    """A hand that is down to its limit needs no further discards (TMG-RND-20)."""
    for task in context.state.tasks:
        few = len(context.state.player(player_id).hand) <= task.number
        if few and task.kind == "hand" and task.other == player_id:
            context.add(
                flow_events.task_done,
                task=task.id,
                say_=say(
                    "{player} holds {n} card",
                    "{player} holds {n} cards",
                    player=player_id,
                    n=task.number,
                ),
            )


# -- playing ----------------------------------------------------------------------------------


def trigger_refused(state: GameState, player: Player, trigger: str) -> Refusal | None:
    """Why this player can no longer use a trigger (TMG-TIM-1, TMG-TIM-5).

    An opponent who acts first takes nothing from the active player: only declining does
    (TMG-TIM-3).
    """
    if not trigger:
        return None
    own = [one.what for one in uses_now(state, trigger) if one.player == player.id]
    if "used" in own:
        return no(
            "TMG-TIM-1",
            "{player} has used an effect for {trigger!r} already",
            player=player.id,
            trigger=trigger,
        )
    if "declined" in own:
        return no(
            "TMG-TIM-5",
            "{player} has declined {trigger!r}: the chance is gone",
            player=player.id,
            trigger=trigger,
        )
    return None


def remind_of_priority(context: CommandContext, player: Player, trigger: str) -> None:
    """Remind that the undecided active player may use the same trigger first (TMG-TIM-3)."""
    state = context.state
    if not trigger or not state.active or player.side == state.active:
        return
    decided = {state.player(one.player).side for one in uses_now(state, trigger)}
    if state.active not in decided:
        context.remind(
            say(
                "{side} is active and may use an effect for {trigger!r} first (TMG-TIM-3)",
                side=state.active,
                trigger=trigger,
            )
        )


@anytime(
    "play",
    "play a tactics card",
    ask("player", "player", "who plays it", required=True),
    ask("card", "text", "its name", required=True),
    ask("trigger", "text", "the event that lets it be played, in the players' words"),
    ask("unit", "unit", "the unit that triggers it, and so its target"),
    ask("zone", "word", "a zone whose control adds to the effect", False, ZONES),
    ask("name", "text", "what a card of paper is called"),
)
def play(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Play a card from the hand; the players enter its effects with other commands."""
    state = context.state
    player = state.player(given.need("player"))
    card = given.need("card")
    trigger = given.text("trigger").casefold()
    unit = given.text("unit")
    if unit and not state.has_ncu(unit):
        state.unit(unit)
    if any(barred == player.id for barred, _ in state.barred):
        return no(
            "TMG-CHG-26", "after a disorderly charge {side} may play no cards now", side=player.id
        )
    if card not in player.hand:
        return no("TMG-DECK-3", "{card} is not in {player}'s hand", card=card, player=player.id)
    if not trigger:
        known = given.text("name") if player.paper else card
        happening = triggers_now(state, player, known)
        free = [one for one in happening if trigger_refused(state, player, one) is None]
        if happening and not free:
            return no(
                "TMG-TIM-1",
                "{player} has used a card for this moment already: only one for each trigger",
                player=player.id,
            )
        trigger = free[0] if free else ""
    if refusal := trigger_refused(state, player, trigger):
        return refusal
    zone = given.choice("zone", ZONES) if given.has("zone") else ""
    if zone and zone not in state.controls(player.side):
        return no("TMG-DECK-9", "{side} does not control {zone}", side=player.side, zone=zone)
    remind_of_priority(context, player, given.text("trigger").casefold())
    told = {"name": given.need("name")} if given.has("name") and player.paper else {}
    context.add(
        tactics_events.played,
        player=player.id,
        card=card,
        trigger=trigger,
        unit=unit,
        zone=zone,
        **told,
    )
    end_discarding(context, player.id)
    return None


@interrupt(
    "decline",
    "a player lets a trigger pass, so that the opponent may use it",
    ask("player", "player", "who declines", required=True),
    ask("trigger", "text", "the event", required=True),
)
def decline(context: CommandContext, given: CommandFields) -> Refusal | None:
    """A player declines a trigger (TMG-TIM-4)."""
    player = context.state.player(given.need("player"))
    trigger = given.need("trigger").casefold()
    if refusal := trigger_refused(context.state, player, trigger):
        return refusal
    context.add(tactics_events.declined, player=player.id, trigger=trigger)
    return None


@interrupt(
    "order",
    "a unit uses one of its orders",
    ask("unit", "unit", "whose order", required=True),
    ask("order", "text", "its name", required=True),
    ask("trigger", "text", "the event that lets it be used"),
    ask("another", "flag", "yes: an order of its own that the companion does not know"),
)
def order(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Each order once a round (TMG-ORD-1); it shares its trigger with cards (TMG-TIM-1)."""
    state = context.state
    name, word = given.need("unit"), given.need("order")
    trigger = given.text("trigger").casefold()
    unit = state.fighter(name)
    if used := same_name(word, unit.orders):
        return no("TMG-ORD-1", "{unit} has used {order} this round", unit=name, order=used)
    if state.has_unit(name):
        cu = state.unit(name)
        if not cu.standing:
            return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=name)
        if cu.abilities_lost:
            return no("TMG-ABL-7", "{unit} has lost its abilities", unit=name)
    player = state.player(unit.player)
    if refusal := trigger_refused(state, player, trigger):
        return refusal
    known = known_orders(unit)
    if not given.flag("another") and (question := which_order(unit, word)):
        return question
    word = order_word(same_name(word, known) or word)
    remind_of_priority(context, player, trigger)
    context.add(
        tactics_events.order, unit=name, order=word, trigger=trigger, player=player.id, target=name
    )
    return None


def known_orders(unit: UnitState | NcuState) -> tuple[str, ...]:
    """The orders on a unit's cards that the catalogue names."""
    if isinstance(unit, UnitState):
        return unit.order_names
    return tuple(name for name in unit.abilities if name.casefold().startswith("order:"))


def order_word(name: str) -> str:
    """The name of an order without the prefix that the catalogue prints before it."""
    word, colon, rest = name.partition(":")
    return rest.strip() if colon and word.casefold() == "order" else name


MOVING_ORDERS = frozenset(("reposition", "retreat"))


def moves_its_unit(order: str) -> bool:
    """Whether an order lets its unit move, as far as its name tells (TMG-ORD-1, TMG-ACT-5)."""
    return not MOVING_ORDERS.isdisjoint(order.casefold().split())


def which_order(unit: UnitState | NcuState, word: str) -> Refusal | None:
    """Ask back if an order is not known: a misspelt order is not another order (TMG-ORD-1).

    If the cards of a unit name no order, its first one is accepted as entered.
    """
    known = known_orders(unit)
    if same_name(word, known) or not (known or unit.orders):
        return None
    names = dict.fromkeys(map(order_word, (*known, *unit.orders)))
    return no(
        "TMG-ORD-1",
        "{order!r} is not an order of {unit} that is known ({known}): "
        "say another: true if it is one of its own",
        order=word,
        unit=unit.id,
        known=", ".join(names),
    )


@interrupt(
    "ability",
    "a unit uses an optional ability; in 2018 it shares its trigger with cards and orders",
    ask("unit", "unit", "whose ability", required=True),
    ask("name", "text", "its name", required=True),
    ask("trigger", "text", "the event that lets it be used"),
)
def ability(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Use an optional ability (TMG-CARD-7)."""
    state = context.state
    name = given.need("unit")
    unit = state.fighter(name)
    shared = state.rules.abilities_share_trigger
    trigger = given.text("trigger").casefold() if shared else ""
    player = state.player(unit.player)
    if refusal := trigger_refused(state, player, trigger):
        return refusal
    context.add(
        tactics_events.ability,
        unit=name,
        name=given.need("name"),
        trigger=trigger,
        player=player.id,
    )
    return None
