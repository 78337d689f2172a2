"""Which tactics cards have their moment now: the moments of the game, and what cards ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.games.tmg.cards.army_catalogue import CardMoment, army_catalogue, season_named
from companion.games.tmg.play.army.army_lists import read_ids
from companion.games.tmg.play.army.army_rules import deck_names
from companion.games.tmg.play.events.tactics_events import (
    PLAYED,
    latest,
    trial_at_hand,
    uses_now,
)
from companion.games.tmg.play.flow.panic_queue import test_of
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    AttackState,
    GameState,
    Player,
    TriggerUse,
)
from models.field import load_toml
from models.message import joined, say

MOVES = ("maneuver", "march", "retreat")
BEFORE, AFTER, COMPLETED = "before-dice", "after-dice", "completed"
SOON = "before-it-resolves"
ORDER_MOMENTS = Path(__file__).parents[1] / "data" / "order_moments.toml"
"""When orders are activated, as far as the rulebook tells it (TMG-ORD-2)."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something that happens now: to which unit of which side, and how far it has come."""

    moment: str
    side: str = ""
    stage: str = ""
    unit: str = ""
    zone: str = ""


def occasions(state: GameState) -> Iterator[Occasion]:
    """Everything that happens now and that a card may answer (TMG-DECK-3, TMG-DECK-7)."""
    if (card := card_at_hand(state)) is not None:
        yield Occasion(CARD_PLAYED, state.player(card.player).side, SOON)
    if (trial := trial_at_hand(state)) is not None:
        unit = state.unit(trial.unit)
        stages = [SOON, BEFORE]
        if trial.roll is not None:
            test = test_of(trial, unit, state.rules)
            passed = test.passes(trial.roll.faces[0] + trial.roll.faces[1])
            stages = [AFTER, "passed" if passed else "failed"]
        for kind in dict.fromkeys(("morale-test", f"{trial.kind}-test")):
            yield from (Occasion(kind, unit.side, stage, unit.id) for stage in stages)
        return
    yield from test_occasions(state)
    if state.attack is not None:
        yield from attack_occasions(state, state.attack)
        return
    for task in state.tasks:
        if task.kind in ("charge", "surge") and state.has_unit(task.unit):
            what = {"charge": "charge", "surge": "surges-forth"}[task.kind]
            for stage in (BEFORE, SOON):
                yield Occasion(what, state.unit(task.unit).side, stage, task.unit)
            if task.kind == "charge" and state.has_unit(task.other):
                charged = state.unit(task.other)
                yield Occasion("unit-is-charged", charged.side, SOON, charged.id)
    yield from turn_occasions(state)


def test_occasions(state: GameState) -> Iterator[Occasion]:
    """The test that has just ended: passed or failed, also where players told its sum alone."""
    kind, unit, how = state.tested
    if state.has_unit(unit):
        for what in dict.fromkeys(("morale-test", f"{kind}-test")):
            yield Occasion(what, state.unit(unit).side, how, unit)


CARD_PLAYED = "tactics-card-is-played"


def card_at_hand(state: GameState) -> TriggerUse | None:
    """The tactics card that was played last, while its effect is carried out; None if none is."""
    last = state.used[-1] if state.used else None
    if last is None or last.what != PLAYED or latest(state, last.kind) != last.number:
        return None
    return last


def zone_open(state: GameState) -> bool:
    """Whether the effect of a claimed zone is still to be carried out."""
    return any(task.kind == "zone" for task in state.tasks)


def attack_occasions(state: GameState, now: AttackState) -> Iterator[Occasion]:
    """The moments of an attack: of the attacker, and of the unit that is attacked."""
    stage = COMPLETED if now.stage == "completed" else AFTER if now.roll is not None else BEFORE
    defender = state.unit(now.defender) if state.has_unit(now.defender) else None
    if now.attacker:
        side = state.unit(now.attacker).side if state.has_unit(now.attacker) else now.by
        kinds = ("melee-attack", "attack") if now.kind == "melee" else ("attack",)
        yield from (Occasion(kind, side, stage, now.attacker) for kind in kinds)
        if now.charge and stage == BEFORE:
            yield Occasion("charge-succeeded", side, COMPLETED, now.attacker)
    if defender is None:  # a castle wall
        return
    if now.attacker:
        if now.charge and stage == BEFORE:
            yield Occasion("unit-is-charged", defender.side, COMPLETED, defender.id)
        yield Occasion("unit-is-attacked", defender.side, stage, defender.id)
        if stage == BEFORE:
            for early in (BEFORE, SOON):
                yield Occasion("unit-is-targeted", defender.side, early, defender.id)
    if defender.wounds_left <= 0 or not defender.standing:
        yield Occasion("unit-destroyed", defender.side, COMPLETED, defender.id)


def turn_occasions(state: GameState) -> Iterator[Occasion]:
    """The moments of rounds, turns and activations."""
    acting = state.acting
    if state.phase != ACTIVATION:
        if state.step == "end-of-round":
            yield Occasion("round-ends")
        return
    if acting is None and state.step == "turn-start":
        yield Occasion("turn-begins", state.active)
        acted = [unit.side for unit in state.units if unit.activated]
        acted += [ncu.side for ncu in state.ncus if ncu.activated]
        if not acted:
            yield Occasion("round-begins", state.active)
        if state.active not in acted:
            yield Occasion("first-enemy-turn-begins", state.active)
    if acting is not None:
        side = state.active
        if acting.stage == "choose":
            yield Occasion("activation", side, BEFORE, acting.unit)
        elif acting.claimed:
            if zone_open(state):  # screens activate and claim with one tap
                yield Occasion("activation", side, BEFORE, acting.unit)
            for stage in (SOON, COMPLETED):
                yield Occasion("zone-is-claimed", side, stage, acting.unit, acting.claimed)
        else:
            yield Occasion("activation", side, COMPLETED, acting.unit)
            yield Occasion("action", side, COMPLETED, acting.unit)
            if acting.action in MOVES:
                yield Occasion("move-or-retreat", side, COMPLETED, acting.unit)
            if acting.action == "retreat":
                yield Occasion("retreat", side, COMPLETED, acting.unit)
        if acting.stage == "done":
            yield Occasion("turn-ends", state.active)


def fits(state: GameState, part: CardMoment, now: Occasion, player: Player) -> bool:
    """Whether a part of a card answers what happens now, as far as the game can tell."""
    if part.moment != now.moment or part.stage not in ("", now.stage):
        return False
    if part.zone and now.zone not in ("", part.zone):
        return False
    if (
        part.whose != "either"
        and now.side
        and (part.whose == "friendly") != (now.side == player.side)
    ):
        return False
    if not part.unit or not now.unit:
        return True
    if part.unit == "NCU" or state.has_ncu(now.unit):
        return part.unit == "NCU" and state.has_ncu(now.unit)
    words = set(part.unit.split()) - {"or"}
    kinds = {"infantry", "cavalry", "monster"}
    known = state.has_unit(now.unit)
    return not known or not words <= kinds or state.unit(now.unit).type in words


def card_names(state: GameState, player: Player) -> tuple[str, ...]:
    """The cards that a player may hold: the hand, or with cards of paper the whole deck."""
    if not player.paper:
        return tuple(dict.fromkeys(player.hand))
    if not player.army or not player.hand:
        return ()
    return deck_names(read_ids(player.army, state.game, state.points))


def timing_of(state: GameState, player: Player, card: str) -> tuple[CardMoment, ...]:
    """When the parts of a card are played, in the season of the player's army."""
    head = player.army.partition(";")[0].partition("@")[2]
    facts = army_catalogue(state.game, season_named(state.game, head) or "" if head else "")
    return tuple(part for one in facts.cards.named(card) for part in one.timing)


def card_moments(state: GameState, player: Player) -> dict[str, bool | None]:
    """A player's tactics cards, each with whether its moment is now; None: nobody knows when.

    A trigger that the player has used already is over (TMG-TIM-1).
    """
    happening = tuple(occasions(state))
    found: dict[str, bool | None] = {}
    for name in card_names(state, player):
        parts = timing_of(state, player, name)
        now = (part for part in parts if any(fits(state, part, one, player) for one in happening))
        found[name] = any(not_used(state, player, part) for part in now) if parts else None
    return found


def order_part(state: GameState, order: str) -> CardMoment | None:
    """When an order may be activated; None: nobody has told (TMG-ORD-2)."""
    return order_moments(state.game).get(order.casefold())


def order_now(state: GameState, unit: str, order: str) -> bool | None:
    """Whether an order of a unit has its moment now; None: only its card knows (TMG-ORD-2)."""
    part = order_part(state, order)
    if part is None:
        return None
    here = (one for one in occasions(state) if one.unit == unit)
    return any((one.moment, one.stage) == (part.moment, part.stage) for one in here)


def order_told(state: GameState, order: str) -> str:
    """When an order is activated whose moment is not now."""
    part = order_part(state, order)
    if part is None:
        return say("its moment stands on its card")
    return say("not its moment: {when}", when=part_told(part))


def moment_told(state: GameState, player: Player, card: str) -> str:
    """Why a card is not played now, as far as the game can tell: when it is, or that its trigger
    was used (TMG-TIM-1)."""
    parts = timing_of(state, player, card)
    if not parts:
        return ""
    if triggers_now(state, player, card):
        return say("its moment is used: one card for each trigger")
    when = joined(dict.fromkeys(map(part_told, parts)), "; ")
    if any((one.moment, one.stage) in UNSEEN for one in parts):
        return say("its moment: {when}", when=when)
    return say("not its moment: {when}", when=when)


def part_told(part: CardMoment) -> str:
    """When a part of a card is played."""
    found = MOMENTS.get((part.moment, part.whose)) or say(part.moment)
    if part.moment == "activation" and part.unit == "NCU":
        found = NCU_ACTS.get(part.whose, found)
    return joined([one for one in (found, say(part.zone), STAGES.get(part.stage, "")) if one])


UNSEEN = frozenset((
    ("action", SOON), ("charge", AFTER), ("move-or-retreat", SOON), ("retreat", BEFORE),
    ("unit-is-targeted", COMPLETED), ("unit-destroyed", ""), ("unit-would-be-destroyed", ""),
    ("attachment-destroyed", ""), ("attachment-would-be-destroyed", ""),
    ("condition-token-is-gained", ""),
))  # fmt: skip
"""Moments that the game does not always see: of these it never says that they are not now."""
STAGES = {
    BEFORE: say("before the dice"),
    AFTER: say("after the dice"),
    COMPLETED: say("when it is over"),
    "passed": say("if it is passed"),
    "failed": say("if it fails"),
}
NCU_ACTS = {
    "enemy": say("when an enemy NCU is activated"),
    "friendly": say("when your NCU is activated"),
}
MOMENTS = {
    ("action", "enemy"): say("when an enemy acts"),
    ("action", "friendly"): say("when your unit acts"),
    ("activation", "enemy"): say("when an enemy is activated"),
    ("activation", "friendly"): say("when your unit is activated"),
    ("attachment-destroyed", "enemy"): say("when an enemy attachment is destroyed"),
    ("attachment-destroyed", "friendly"): say("when your attachment is destroyed"),
    ("attachment-would-be-destroyed", "friendly"): say("when your attachment is destroyed"),
    ("attack", "enemy"): say("when an enemy attacks"),
    ("attack", "friendly"): say("when your unit attacks"),
    ("charge", "enemy"): say("when an enemy charges"),
    ("charge", "friendly"): say("when your unit charges"),
    ("charge-succeeded", "friendly"): say("when your charge succeeds"),
    ("condition-token-is-gained", "friendly"): say("when your unit gets a condition token"),
    ("first-enemy-turn-begins", "enemy"): say("when the enemy’s first turn of the round begins"),
    ("melee-attack", "either"): say("when a unit attacks in melee"),
    ("melee-attack", "enemy"): say("when an enemy attacks in melee"),
    ("melee-attack", "friendly"): say("when your unit attacks in melee"),
    ("morale-test", "enemy"): say("when an enemy takes a morale test"),
    ("morale-test", "friendly"): say("when your unit takes a morale test"),
    ("move-or-retreat", "enemy"): say("when an enemy moves or retreats"),
    ("panic-test", "enemy"): say("when an enemy takes a panic test"),
    ("panic-test", "friendly"): say("when your unit takes a panic test"),
    ("retreat", "friendly"): say("when your unit retreats"),
    ("round-begins", "either"): say("when a round begins"),
    ("round-ends", "either"): say("when a round ends"),
    ("surges-forth", "friendly"): say("when your unit surges forward"),
    ("tactics-card-is-played", "enemy"): say("when the enemy plays a tactics card"),
    ("turn-begins", "either"): say("when a turn begins"),
    ("turn-begins", "enemy"): say("when the enemy’s turn begins"),
    ("turn-begins", "friendly"): say("when your turn begins"),
    ("turn-ends", "either"): say("when a turn ends"),
    ("unit-destroyed", "friendly"): say("when your unit is destroyed"),
    ("unit-is-attacked", "friendly"): say("when your unit is attacked"),
    ("unit-is-charged", "friendly"): say("when your unit is charged"),
    ("unit-is-targeted", "either"): say("when a unit is targeted"),
    ("unit-is-targeted", "enemy"): say("when an enemy is targeted"),
    ("unit-is-targeted", "friendly"): say("when your unit is targeted"),
    ("unit-would-be-destroyed", "friendly"): say("when your unit is destroyed"),
    ("zone-is-claimed", "either"): say("when a zone is claimed"),
    ("zone-is-claimed", "enemy"): say("when the enemy claims a zone"),
    ("zone-is-claimed", "friendly"): say("when you claim a zone"),
}
"""What happens when a part of a card is played, by the moment and whose it is."""


def not_used(state: GameState, player: Player, part: CardMoment) -> bool:
    """Whether the player has used no card for this trigger."""
    return all(one.player != player.id for one in uses_now(state, trigger_of(part)))


def trigger_of(part: CardMoment) -> str:
    """The event that lets a part of a card be played, whatever its words (TMG-DECK-7)."""
    return f"{part.moment} {part.stage}".strip()


def triggers_now(state: GameState, player: Player, card: str) -> tuple[str, ...]:
    """The events of this moment that let a player play a card."""
    happening = tuple(occasions(state))
    parts = (
        part
        for part in timing_of(state, player, card)
        if any(fits(state, part, one, player) for one in happening)
    )
    return tuple(dict.fromkeys(map(trigger_of, parts)))


def cards_now(state: GameState, player: Player) -> tuple[str, ...]:
    """The tactics cards of a player that have their moment now (TMG-DECK-3)."""
    return tuple(name for name, now in card_moments(state, player).items() if now)


def may_interrupt(state: GameState, player: Player) -> bool:
    """Whether a player who holds cards may have one that interrupts what happens now: everybody
    knows the deck and what lies on its discard pile (TMG-DECK-5), nobody the hand."""
    if not player.hand:
        return False
    happening = [
        one
        for one in occasions(state)
        if one.moment == CARD_PLAYED
        or (one.moment, one.stage) == ("activation", BEFORE)
        and state.has_ncu(one.unit)
    ]
    if not happening:
        return False
    if player.paper:
        unseen = card_names(state, player)
    else:
        unseen = tuple(dict.fromkeys((*player.hand, *player.deck)))
    return any(
        part.moment in (CARD_PLAYED, "activation")
        and part.whose == "enemy"
        and fits(state, part, one, player)
        and not_used(state, player, part)
        for name in unseen
        for part in timing_of(state, player, name)
        for one in happening
    )


@lru_cache
def order_moments(game: str) -> dict[str, CardMoment]:
    """The moment of each order of an edition that is known, by its name in small letters."""
    root = load_toml(ORDER_MOMENTS)
    items = root.member(game).items(60) if game in root.raw else ()
    return {
        item.member("order").text().casefold(): CardMoment(
            item.member("moment").text(),
            item.member("whose").text(),
            item.member("stage").text(),
        )
        for item in items
    }
