"""Events of the tactics board and of tactics cards, and when an effect can be used again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.tmg.play.events.flow_events import kind
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    PAPER_CARD,
    GameState,
    MoraleTrial,
    TriggerUse,
)
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.unit_state import spelling
from models.frozen_records import replace
from models.message import say

STEP, ACTION, ATTACK, STRIKE, TEST = "step", "action", "attack", "strike", "test"
PLAYED, ORDERED, USED = "played", "ordered", "ability"
"""What a player did who played a card or used an order or an ability, besides using its trigger."""


def trial_at_hand(state: GameState) -> MoraleTrial | None:
    """The current test: one that has been rolled, else the first one pending."""
    rolled = (trial for trial in state.trials if trial.roll is not None)
    return next(rolled, state.trials[0] if state.trials else None)


def occasion(state: GameState) -> tuple[str, int]:
    """The innermost current occurrence, to which triggers belong: its kind and number."""
    now, acting = state.attack, state.acting
    if state.trials:
        return TEST, latest(state, TEST)
    if now is not None:
        kind = ATTACK if now.attacker else STRIKE
        return kind, latest(state, kind)
    charging = any(task.kind == "charge" for task in state.tasks)
    if charging or (acting is not None and acting.stage == "doing"):
        return ACTION, latest(state, ACTION)
    return STEP, latest(state, STEP)


def latest(state: GameState, kind: str) -> int:
    """The number of the newest occurrence of that kind.

    Every step comes once in a turn, or once in the clean-up of a round: activating a unit does not
    repeat the start of the turn.
    """
    if kind == STEP:
        in_turn = state.phase == ACTIVATION and not state.fresh
        return state.turn if in_turn else -state.round
    if kind == TEST:
        found = trial_at_hand(state)
        return found.id if found is not None else state.occurrences.tests
    numbers = {
        ACTION: state.occurrences.actions,
        ATTACK: state.occurrences.attacks,
        STRIKE: state.occurrences.strikes,
    }
    return numbers[kind]


def last_effect(state: GameState) -> TriggerUse | None:
    """The card or order that was used last in what happens now; None if there was none."""
    found = (
        one
        for one in reversed(state.used)
        if one.what in (PLAYED, ORDERED) and latest(state, one.kind) == one.number
    )
    return next(found, None)


def uses_now(state: GameState, trigger: str) -> tuple[TriggerUse, ...]:
    """The players who have used or declined the current occurrence of a trigger.

    The occurrence lasts until another of its kind begins: an attack with a test and several rolls
    is one attack, and a test caused by another effect is not part of it (TMG-TIM-1).
    """
    wanted = spelling(trigger)
    return tuple(
        one
        for one in state.used
        if spelling(one.trigger) == wanted and latest(state, one.kind) == one.number
    )


@kind("claimed", "{unit} claims {zone}")
def claimed(state: GameState, *, unit: str, zone: str, side: str) -> GameState:
    """An NCU claims a zone of the tactics board (TMG-NCU-3)."""
    board = tuple(
        unit if place == zone else ncu for place, ncu in zip(ZONES, state.board, strict=True)
    )
    acting = state.acting
    if acting and acting.unit == unit:
        acting = replace(acting, stage="doing", action="claim", claimed=zone)
    occurrences = replace(state.occurrences, actions=state.occurrences.actions + 1)
    return replace(state, board=board, acting=acting, occurrences=occurrences)


@kind("no-zone", "No zone is free: {unit} stays off the board")
def no_zone(state: GameState, *, unit: str) -> GameState:
    """The tactics board is full (TMG-NCU-6)."""
    return state


@kind("in-quadrant", "{unit} is placed in the {quadrant} quadrant")
def in_quadrant(state: GameState, *, unit: str, quadrant: str) -> GameState:
    """An NCU adds its points to a quadrant (TMG-MODE-HWS-7)."""
    state = state.with_ncu(replace(state.ncu(unit), quadrant=quadrant))
    if state.acting:
        state = replace(state, acting=replace(state.acting, stage="doing", action="quadrant"))
    return state


@kind("influence", "{ncu} influences {unit}")
def influence(state: GameState, *, ncu: str, unit: str, side: str) -> GameState:
    """An NCU's card is attached to a unit (TMG-INF-1)."""
    unit_state = state.unit(unit)
    attached = (*unit_state.influence, (ncu, side))
    return state.with_unit(replace(unit_state, influence=attached))


@kind("order", "{unit} uses its order {order}")
def order(
    state: GameState, *, unit: str, order: str, trigger: str, player: str, target: str
) -> GameState:
    """An order is used this round (TMG-ORD-1)."""
    name = unit
    if state.has_ncu(name):
        ncu = state.ncu(name)
        state = state.with_ncu(replace(ncu, orders=(*ncu.orders, order)))
    else:
        unit_state = state.unit(name)
        state = state.with_unit(replace(unit_state, orders=(*unit_state.orders, order)))
    return effect_used(spoke(state, trigger, player, "used"), order, player, ORDERED)


def spoke(state: GameState, trigger: str, player: str, what: str) -> GameState:
    """The state in which a player has used or declined this occurrence of a trigger."""
    if not trigger:
        return state
    return replace(state, used=(*state.used, use_of(state, trigger, player, what)))


def use_of(state: GameState, trigger: str, player: str, what: str) -> TriggerUse:
    """What a player does, with the occurrence that it belongs to."""
    kind, number = occasion(state)
    return TriggerUse(kind, number, trigger, player, what, state.occurrences.tests)


def effect_used(state: GameState, name: str, player: str, what: str) -> GameState:
    """The state in which the players carry out a card, an order or an ability."""
    use = use_of(state, name, player, what)
    used = state.used if what == USED else (*state.used, use)
    return replace(state, used=used, open_effect=use)


@kind("ability", "{unit} uses {name}")
def ability(state: GameState, *, unit: str, name: str, trigger: str, player: str) -> GameState:
    """An optional ability is used."""
    return effect_used(spoke(state, trigger, player, "used"), name, player, USED)


@kind("declined", "{player} declines: {trigger}")
def declined(state: GameState, *, player: str, trigger: str) -> GameState:
    """A player declines a trigger (TMG-TIM-4)."""
    return spoke(state, trigger, player, "declined")


@kind(
    "drawn",
    lambda player, count: say(
        "{player} draws {n} card",
        "{player} draws {n} cards",
        player=player,
        n=count,
    ),
)
def drawn(state: GameState, *, player: str, count: int, cards: Sequence[str] = ()) -> GameState:
    """Cards are drawn from the deck into the hand; which ones stays hidden."""
    owner = state.player(player)
    named = tuple(cards or owner.deck[:count])
    deck = list(owner.deck)
    for card in named:
        deck.remove(card)
    return state.with_player(replace(owner, deck=tuple(deck), hand=(*owner.hand, *named)))


def played_told(player: str, card: str, unit: str = "", name: str = "") -> str:
    """A card that is played; one of paper has a name only where the players say it."""
    if card == PAPER_CARD and not name:
        if unit:
            return say("{player} plays a tactics card on {unit}", player=player, unit=unit)
        return say("{player} plays a tactics card", player=player)
    if unit:
        return say("{player} plays {card} on {unit}", player=player, card=name or card, unit=unit)
    return say("{player} plays {card}", player=player, card=name or card)


@kind("played", played_told)
def played(
    state: GameState,
    *,
    player: str,
    card: str,
    trigger: str,
    zone: str,
    unit: str = "",
    name: str = "",
) -> GameState:
    """A card is played and goes face up to the discard pile (TMG-DECK-4).

    `name` is what a card of paper is called, where the players say it.
    """
    state = spoke(state, trigger, player, "used")
    state = laid_down(effect_used(state, name or card, player, PLAYED), player, (card,))
    owner = state.player(player)
    if not (name and owner.paper):
        return state
    return state.with_player(replace(owner, played_names=(*owner.played_names, name)))


@kind(
    "discarded",
    lambda player, cards: say("{player} discards {cards}", player=player, cards=", ".join(cards)),
)
def discarded(state: GameState, *, player: str, cards: Sequence[str]) -> GameState:
    """Cards are discarded from the hand."""
    return laid_down(state, player, tuple(cards))


@kind(
    "returned",
    lambda from_, player, card, name="": (
        say("{player} takes {card} from the discard pile", player=player, card=name or card)
        if from_ == "discard"
        else say("{player} takes a card from the deck", player=player)
    ),
)
def returned(state: GameState, *, player: str, card: str, from_: str, name: str = "") -> GameState:
    """An effect fetches a card from the deck or the discard pile.

    Where nobody says which card of paper is taken though all have names, none is known any longer.
    """
    owner = state.player(player)
    names = list(owner.played_names)
    if from_ == "discard" and name in names:
        names.remove(name)
    elif from_ == "discard" and len(names) == len(owner.discard):
        names = []
    owner = replace(owner, played_names=tuple(names))
    pile = list(getattr(owner, from_))
    pile.remove(card)
    changes: dict[str, Any] = {from_: tuple(pile), "hand": (*owner.hand, card)}
    changed = replace(owner, **changes)
    return state.with_player(changed)


def laid_down(state: GameState, player_id: str, cards: tuple[str, ...]) -> GameState:
    """The state with these cards moved from the hand to the discard pile."""
    player = state.player(player_id)
    hand = list(player.hand)
    for card in cards:
        hand.remove(card)
    return state.with_player(replace(player, hand=tuple(hand), discard=(*player.discard, *cards)))
