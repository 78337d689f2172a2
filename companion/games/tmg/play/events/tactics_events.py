"""Events of the tactics board and of tactics cards, and when an effect can be used again."""

from __future__ import annotations

from typing import Any

from companion.games.tmg.play.events.flow_events import Data, fill_title, kind
from companion.games.tmg.play.state.game_state import ACTIVATION, GameState, MoraleTrial, TriggerUse
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.unit_state import spelling
from models.frozen_records import replace
from models.message import say

STEP, ACTION, ATTACK, STRIKE, TEST = "step", "action", "attack", "strike", "test"


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
def claimed(state: GameState, data: Data) -> GameState:
    """An NCU claims a zone of the tactics board (TMG-NCU-3)."""
    board = tuple(
        data["unit"] if zone == data["zone"] else ncu
        for zone, ncu in zip(ZONES, state.board, strict=True)
    )
    acting = state.acting
    if acting and acting.unit == data["unit"]:
        acting = replace(acting, stage="doing", action="claim", claimed=data["zone"])
    occurrences = replace(state.occurrences, actions=state.occurrences.actions + 1)
    return replace(state, board=board, acting=acting, occurrences=occurrences)


@kind("no-zone", "no zone is free: {unit} stays off the board")
def no_zone(state: GameState, data: Data) -> GameState:
    """The tactics board is full (TMG-NCU-6)."""
    return state


@kind("in-quadrant", "{unit} is placed in the {quadrant} quadrant")
def in_quadrant(state: GameState, data: Data) -> GameState:
    """An NCU adds its points to a quadrant (TMG-MODE-HWS-7)."""
    state = state.with_ncu(replace(state.ncu(data["unit"]), quadrant=data["quadrant"]))
    if state.acting:
        state = replace(state, acting=replace(state.acting, stage="doing", action="quadrant"))
    return state


@kind("influence", "{ncu} influences {unit}")
def influence(state: GameState, data: Data) -> GameState:
    """An NCU's card is attached to a unit (TMG-INF-1)."""
    unit = state.unit(data["unit"])
    attached = (*unit.influence, (data["ncu"], data["side"]))
    return state.with_unit(replace(unit, influence=attached))


@kind("order", "{unit} uses its order {order}")
def order(state: GameState, data: Data) -> GameState:
    """An order is used this round (TMG-ORD-1)."""
    name = data["unit"]
    if state.has_ncu(name):
        ncu = state.ncu(name)
        state = state.with_ncu(replace(ncu, orders=(*ncu.orders, data["order"])))
    else:
        unit = state.unit(name)
        state = state.with_unit(replace(unit, orders=(*unit.orders, data["order"])))
    return spoke(state, data["trigger"], data["player"], "used")


def spoke(state: GameState, trigger: str, player: str, what: str) -> GameState:
    """The state in which a player has used or declined this occurrence of a trigger."""
    if not trigger:
        return state
    kind, number = occasion(state)
    return replace(state, used=(*state.used, TriggerUse(kind, number, trigger, player, what)))


@kind("ability", "{unit} uses {name}")
def ability(state: GameState, data: Data) -> GameState:
    """An optional ability is used."""
    return spoke(state, data["trigger"], data["player"], "used")


@kind("declined", "{player} declines: {trigger}")
def declined(state: GameState, data: Data) -> GameState:
    """A player declines a trigger (TMG-TIM-4)."""
    return spoke(state, data["trigger"], data["player"], "declined")


@kind(
    "drawn",
    lambda data: say(
        "{player} draws {n} card",
        "{player} draws {n} cards",
        player=data["player"],
        n=data["count"],
    ),
)
def drawn(state: GameState, data: Data) -> GameState:
    """Cards are drawn from the deck into the hand; which ones stays hidden."""
    player = state.player(data["player"])
    named = tuple(data.get("cards") or player.deck[: data["count"]])
    deck = list(player.deck)
    for card in named:
        deck.remove(card)
    return state.with_player(replace(player, deck=tuple(deck), hand=(*player.hand, *named)))


@kind(
    "played",
    lambda data: (
        fill_title("{player} plays {card} on {unit}", data)
        if data.get("unit")
        else fill_title("{player} plays {card}", data)
    ),
)
def played(state: GameState, data: Data) -> GameState:
    """A card is played and goes face up to the discard pile (TMG-DECK-4)."""
    state = spoke(state, data["trigger"], data["player"], "used")
    return laid_down(state, data["player"], (data["card"],))


@kind(
    "discarded",
    lambda data: say(
        "{player} discards {cards}", player=data["player"], cards=", ".join(data["cards"])
    ),
)
def discarded(state: GameState, data: Data) -> GameState:
    """Cards are discarded from the hand."""
    return laid_down(state, data["player"], tuple(data["cards"]))


@kind(
    "returned",
    lambda data: (
        fill_title("{player} takes {card} from the discard pile", data)
        if data["from"] == "discard"
        else say("{player} takes a card from the deck", player=data["player"])
    ),
)
def returned(state: GameState, data: Data) -> GameState:
    """An effect fetches a card from the deck or the discard pile."""
    player = state.player(data["player"])
    pile = list(getattr(player, data["from"]))
    pile.remove(data["card"])
    changes: dict[str, Any] = {data["from"]: tuple(pile), "hand": (*player.hand, data["card"])}
    changed = replace(player, **changes)
    return state.with_player(changed)


def laid_down(state: GameState, player_id: str, cards: tuple[str, ...]) -> GameState:
    """The state with these cards moved from the hand to the discard pile."""
    player = state.player(player_id)
    hand = list(player.hand)
    for card in cards:
        hand.remove(card)
    return state.with_player(replace(player, hand=tuple(hand), discard=(*player.discard, *cards)))
