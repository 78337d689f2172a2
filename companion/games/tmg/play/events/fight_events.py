"""Events of attacks, charges and panic tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.tmg.play.events.field_events import with_pivots
from companion.games.tmg.play.events.flow_events import Data, dice, kind
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    MoraleTrial,
    StandingRoll,
)
from companion.games.tmg.play.state.unit_state import record_of
from models.frozen_records import replace
from models.message import joined, say


@kind(
    "attack",
    lambda data: (
        say(
            "{attacker} attacks {defender} in the {zone}: {weapon}"
            if data.get("zone", "front") != "front"
            else "{attacker} attacks {defender}: {weapon}",
            attacker=data["attacker"] or data["by"] or "an effect",
            defender=data["defender"],
            zone=data.get("zone", "front"),
            weapon=data["weapon"],
        )
        if data["stage"] == "attack-dice"
        else say(
            "{defender} takes {n} hit: {weapon}",
            "{defender} takes {n} hits: {weapon}",
            defender=data["defender"],
            n=data["hits"],
            weapon=data["weapon"],
        )
    ),
)
def attack(state: GameState, data: Data) -> GameState:
    """An attack begins, or automatic hits that are not an attack."""
    begun = record_of(AttackState, data, base=data["dice"], after=state.attack)
    counts = state.occurrences
    if data["attacker"]:
        counts = replace(counts, attacks=counts.attacks + 1)
    else:
        counts = replace(counts, strikes=counts.strikes + 1)
    arcs = state.arcs
    if begun.kind == "melee" and begun.attacker:
        pair = (begun.attacker, begun.defender)
        arcs = (*(one for one in arcs if one[:2] != pair), (*pair, begun.zone))
    return replace(state, attack=begun, occurrences=counts, arcs=arcs)


@kind(
    "attack-changed",
    lambda data: (
        say(
            "the attack: {n} die for the ranks left",
            "the attack: {n} dice for the ranks left",
            n=data["dice"],
        )
        if data["what"] == "ranks"
        else say("the attack: {name} {value:+d}", name=data["name"], value=data["value"])
        if data.get("value")
        else say("the attack: {name}", name=data["name"])
    ),
)
def attack_changed(state: GameState, data: Data) -> GameState:
    """An effect changes the current attack."""
    now = state.attack
    if now is None:
        return state
    what = data["what"]
    mod = (data["name"], data["value"])
    if "base" in data:  # dice, ranks, highest, lowest: the event contains the resulting numbers
        flags: dict[str, Any] = {what: True} if what in ("highest", "lowest") else {}
        added = (mod,) if what == "dice" else ()
        changed = replace(
            now,
            base=data["base"],
            dice=data["dice"],
            dice_mods=(*now.dice_mods, *added),
            **flags,
        )
    elif what in ("attack", "defense", "panic"):
        field = f"{what}_mods"
        more: dict[str, Any] = {field: (*getattr(now, field), mod)}
        changed = replace(now, **more)
    elif what == "ability":
        changed = replace(now, abilities=tuple(dict.fromkeys((*now.abilities, data["name"]))))
    elif what == "panic-wounds":
        changed = replace(
            now,
            extra_panic_wounds=now.extra_panic_wounds + data["value"],
            extra_names=(*now.extra_names, data["name"]),
        )
    elif what == "dice":  # as logged by earlier versions of the program
        changed = replace(now, dice=max(0, now.dice + data["value"]))
    else:  # likewise: highest and lowest dropped what effects had added
        old: dict[str, Any] = {what: True}
        changed = replace(now, dice=data["dice"], base=data["dice"], dice_mods=(), **old)
    return replace(state, attack=changed)


@kind(
    "rolled",
    lambda data: say(
        "{side} rolls {what}: {dice}",
        side=data["side"],
        what=data["what"],
        dice=dice(data["faces"]),
    ),
)
def rolled(state: GameState, data: Data) -> GameState:
    """Attack or defense dice are rolled."""
    now = state.attack
    if now is None:
        return state
    faces = tuple(data["faces"])
    roll = StandingRoll(data["what"], data["side"], faces, ((),) * len(faces))
    changed = replace(now, roll=roll, stage=f"{data['what']}-rerolls")
    return replace(state, attack=changed)


@kind(
    "rerolled",
    lambda data: say(
        "{side} rerolls {dice} ({because})",
        side=data["side"],
        dice=joined(
            say("{old} to {new}", old=old, new=new)
            for old, new in zip(data["old"], data["new"], strict=False)
        )
        or "nothing",
        because=data["because"],
    ),
)
def rerolled(state: GameState, data: Data) -> GameState:
    """Dice are rerolled; the earlier result is void (TMG-RER-3)."""

    def again(roll: StandingRoll) -> StandingRoll:
        faces, who = list(roll.faces), list(roll.rerolled)
        for place, face in zip(data["places"], data["new"], strict=True):
            faces[place] = face
            who[place] = (*who[place], data["side"])
        return replace(
            roll,
            faces=tuple(faces),
            rerolled=tuple(who),
            reasons=(*roll.reasons, data["because"]),
        )

    return with_roll(state, data["test"], again)


@kind("let-lie", "{side} lets the dice lie")
def let_lie(state: GameState, data: Data) -> GameState:
    """A side that might reroll does not: the next one decides (TMG-RER-2)."""
    return with_roll(
        state, data["test"], lambda roll: replace(roll, done=(*roll.done, data["side"]))
    )


def with_roll(
    state: GameState, test: int, change: Callable[[StandingRoll], StandingRoll]
) -> GameState:
    """The state with the dice of that test, or those of the attack, changed."""
    if test:
        return replace(
            state,
            trials=tuple(
                replace(trial, roll=change(trial.roll))
                if trial.id == test and trial.roll
                else trial
                for trial in state.trials
            ),
        )
    if state.attack and state.attack.roll:
        return replace(state, attack=replace(state.attack, roll=change(state.attack.roll)))
    return state


@kind(
    "hits",
    lambda data: (
        say(
            "{hits} and {wounds}",
            hits=say("{n} hit", "{n} hits", n=data["hits"]),
            wounds=say("{n} sure wound", "{n} sure wounds", n=data["sure"]),
        )
        if data["sure"]
        else say("{n} hit", "{n} hits", n=data["hits"])
    ),
)
def hits(state: GameState, data: Data) -> GameState:
    """The number of hits from the attack dice."""
    if state.attack is None:
        return state
    changed = replace(
        state.attack, hits=data["hits"], sure=data["sure"], roll=None, stage="defense-dice"
    )
    return replace(state, attack=changed)


@kind(
    "attack-wounds",
    lambda data: "" if data["wounds"] else say("{unit} is unharmed", unit=data["defender"]),
)
def attack_wounds(state: GameState, data: Data) -> GameState:
    """The dice are resolved; the wounds are a separate event."""
    if state.attack is None:
        return state
    changed = replace(state.attack, wounds=data["wounds"], roll=None, stage="panic")
    return replace(state, attack=changed)


@kind("attack-completed", "the attack on {defender} is completed")
def attack_completed(state: GameState, data: Data) -> GameState:
    """Effects after the attack may be used now (TMG-ATK-17)."""
    if state.attack is None:
        return state
    return replace(state, attack=replace(state.attack, stage="completed"))


@kind("attack-ended", "the attack is over")
def attack_ended(state: GameState, data: Data) -> GameState:
    """The attack is over; units no longer engaged may have turned (TMG-SRG-4)."""
    after = state.attack.after if state.attack is not None else None
    return with_pivots(replace(state, attack=after), data.get("may_turn", ()))


@kind(
    "charge-rolled",
    lambda data: say(
        "charge roll {dice}, up to {reach:g}″, disorderly"
        if data["disorderly"]
        else "charge roll {dice}, up to {reach:g}″",
        dice=dice(data["faces"]),
        reach=data["reach"],
    ),
)
def charge_rolled(state: GameState, data: Data) -> GameState:
    """The charge die (TMG-CHG-11, TMG-CHG-16); a disorderly charge forbids cards (TMG-CHG-26)."""
    barred = state.barred
    if data["disorderly"]:
        team = [player.id for player in state.players if player.side == data["side"]]
        charging = [data["player"]] if "player" in data else team  # older logs: only the side
        barred = (*barred, *((player, data["until"]) for player in charging))
    declared = tuple(
        replace(
            move,
            target=data["target"],
            heading=data["heading"],
            pieces=tuple(data.get("pieces", ())),
        )
        if move.unit == data["unit"] and data.get("heading") is not None
        else move
        for move in state.declared
    )
    return replace(state, barred=barred, declared=declared)


@kind(
    "charge-ended",
    lambda data: say(
        "the charge of {unit} succeeds" if data["success"] else "the charge of {unit} fails",
        unit=data["unit"],
    ),
)
def charge_ended(state: GameState, data: Data) -> GameState:
    """The charge made contact or failed (TMG-CHG-14, TMG-CHG-15)."""
    if not data["success"]:
        acting = state.acting
        if data.get("ends") and acting is not None and acting.unit == data["unit"]:
            return replace(state, acting=replace(acting, stage="doing"))  # TMG-CHG-24
        return state
    one, target = state.unit(data["unit"]), data["target"]
    state = state.with_unit(replace(one, engaged=tuple(dict.fromkeys((*one.engaged, target)))))
    if state.has_unit(target):
        two = state.unit(target)
        state = state.with_unit(replace(two, engaged=tuple(dict.fromkeys((*two.engaged, one.id)))))
    return state


@kind(
    "retreat-rolled",
    lambda data: say(
        "{unit} retreats up to {reach:g}″ (rolled {face})",
        unit=data["unit"],
        reach=data["reach"],
        face=data["faces"][0],
    ),
)
def retreat_rolled(state: GameState, data: Data) -> GameState:
    """The retreat die (TMG-RET-2)."""
    return state


@kind(
    "test",
    lambda data: say(
        "{unit} must take a {kind} test: {causes}",
        unit=data["unit"],
        kind=data["kind"],
        causes=joined(data["causes"]),
    ),
)
def test(state: GameState, data: Data) -> GameState:
    """A panic or morale test is queued."""
    trial = record_of(MoraleTrial, data)
    return replace(state, trials=(*state.trials, trial), numbered=max(state.numbered, data["id"]))


@kind("test-changed", "test {test}: {name} {value:+d}")
def test_changed(state: GameState, data: Data) -> GameState:
    """An effect changes a pending test."""
    mod = (data["name"], data["value"])
    return replace(
        state,
        trials=tuple(
            trial
            if trial.id != data["test"]
            else replace(
                trial,
                extra=trial.extra + data["value"],
                extra_names=(*trial.extra_names, data["name"]),
            )
            if data["what"] == "wounds"
            else replace(trial, mods=(*trial.mods, mod))
            for trial in state.trials
        ),
    )


@kind(
    "test-rolled",
    lambda data: say(
        "{unit} rolls {dice} for its {kind} test",
        unit=data["unit"],
        dice=dice(data["faces"]),
        kind=data["kind"],
    ),
)
def test_rolled(state: GameState, data: Data) -> GameState:
    """The dice of a test are rolled; in 2021 with the D3 (TMG-PAN-2)."""
    faces = tuple(data["faces"])
    roll = StandingRoll(data["kind"], data["side"], faces, ((),) * len(faces))
    return replace(
        state,
        trials=tuple(
            replace(trial, roll=roll) if trial.id == data["test"] else trial
            for trial in state.trials
        ),
    )


@kind(
    "test-over",
    lambda data: say(
        "{unit}: {kind} test failed"
        if not data["passed"]
        else "{unit}: {kind} test passed without a roll"
        if data.get("automatic")
        else "{unit}: {kind} test passed",
        unit=data["unit"],
        kind=data["kind"],
    ),
)
def test_over(state: GameState, data: Data) -> GameState:
    """A test is finished, rolled or not (TMG-ATK-16)."""
    return replace(
        state,
        trials=tuple(trial for trial in state.trials if trial.id != data["test"]),
        occurrences=replace(state.occurrences, tests=data["test"]),
    )
