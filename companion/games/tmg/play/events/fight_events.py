"""Events of attacks, charges and panic tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.games.tmg.play.events.field_events import with_pivots
from companion.games.tmg.play.events.flow_events import dice, kind
from companion.games.tmg.play.state.game_state import (
    AttackState,
    DeclaredMove,
    GameState,
    Mod,
    MoraleTrial,
    StandingRoll,
)
from companion.games.tmg.play.state.unit_state import tupled
from models.frozen_records import replace
from models.message import joined, say


@kind(
    "attack",
    lambda stage, defender, weapon, hits, attacker, by, zone="front": (
        say(
            "{attacker} attacks {defender} in the {zone}: {weapon}"
            if zone != "front"
            else "{attacker} attacks {defender}: {weapon}",
            attacker=attacker or by or say("an effect"),
            defender=defender,
            zone=zone,
            weapon=weapon,
        )
        if stage == "attack-dice"
        else say(
            "{defender} takes {n} hit: {weapon}",
            "{defender} takes {n} hits: {weapon}",
            defender=defender,
            n=hits,
            weapon=weapon,
        )
    ),
)
def attack(
    state: GameState,
    *,
    defender: str,
    attacker: str,
    by: str,
    weapon: str,
    kind: str,
    dice: int,
    hit: int,
    stage: str,
    hits: int,
    zone: str = "front",
    abilities: Sequence[str] = (),
    charge: bool = False,
    bonus: bool = False,
    free: bool = False,
    attack_mods: Sequence[Mod] = (),
    defense_mods: Sequence[Mod] = (),
    panic_mods: Sequence[Mod] = (),
    friends: Sequence[str] = (),
    companions: Sequence[str] = (),
    source: str = "",
    lost: Sequence[str] = (),
) -> GameState:
    """An attack begins, or automatic hits that are not an attack."""
    begun = AttackState(
        defender, attacker, by, weapon, kind, dice, dice, hit, zone, tuple(abilities), charge,
        bonus, free, tupled(attack_mods), tupled(defense_mods), tupled(panic_mods), stage=stage,
        hits=hits, friends=tuple(friends), companions=tuple(companions), source=source,
        lost=tuple(lost),
        after=state.attack,
    )  # fmt: skip
    counts = state.occurrences
    if attacker:
        counts = replace(counts, attacks=counts.attacks + 1)
    else:
        counts = replace(counts, strikes=counts.strikes + 1)
    arcs = state.arcs
    if begun.kind == "melee" and begun.attacker:
        pair = (begun.attacker, begun.defender)
        arcs = (*(one for one in arcs if one[:2] != pair), (*pair, begun.zone))
    arrows = (dice, hit) if attacker and state.wall(attacker) else state.arrows
    return replace(state, attack=begun, occurrences=counts, arcs=arcs, arrows=arrows)


@kind(
    "attack-changed",
    lambda what, name, dice=0, value=0: (
        say(
            "The attack: {n} die for the ranks left",
            "The attack: {n} dice for the ranks left",
            n=dice,
        )
        if what == "ranks"
        else say("The attack: no charge bonus, the charge ends on {piece}", piece=name)
        if what == "bonus"
        else say("The shot now comes from the {zone}", zone=say(name))
        if what == "zone"
        else (say("Now the target has Cover") if value else say("Now the target has no Cover"))
        if what == "cover"
        else say("{name}: {value:+d} for this attack", name=name, value=value)
        if value
        else say("{name} counts for this attack", name=say(name) if what == "ability" else name)
    ),
)
def attack_changed(
    state: GameState,
    *,
    what: str,
    name: str,
    dice: int = 0,
    value: int = 0,
    base: int | None = None,
) -> GameState:
    """An effect changes the current attack."""
    now = state.attack
    if now is None:
        return state
    mod = (name, value)
    if base is not None:  # dice, ranks, highest, lowest: the event contains the resulting numbers
        flags: dict[str, Any] = {what: True} if what in ("highest", "lowest") else {}
        added = (mod,) if what == "dice" else ()
        changed = replace(
            now,
            base=base,
            dice=dice,
            dice_mods=(*now.dice_mods, *added),
            **flags,
        )
    elif what in ("attack", "defense", "panic"):
        field = f"{what}_mods"
        more: dict[str, Any] = {field: (*getattr(now, field), mod)}
        changed = replace(now, **more)
    elif what == "bonus":  # TMG-TER-14: `name` is the piece that takes it
        changed = replace(now, bonus=False, lost=(*now.lost, "aligned"))
    elif what == "zone":  # TMG-RNG-5, -7: after its shift
        changed = replace(now, zone=name)
    elif what == "cover":  # TMG-TER-6, 2018: after its shift
        rest = tuple(one for one in now.defense_mods if one[0] != "cover")
        changed = replace(now, defense_mods=(*rest, mod) if value else rest)
    elif what == "ability":
        changed = replace(now, abilities=tuple(dict.fromkeys((*now.abilities, name))))
    elif what == "panic-wounds":
        changed = replace(
            now,
            extra_panic_wounds=now.extra_panic_wounds + value,
            extra_names=(*now.extra_names, name),
        )
    elif what == "dice":  # as logged by earlier versions of the program
        changed = replace(now, dice=max(0, now.dice + value))
    else:  # likewise: highest and lowest dropped what effects had added
        old: dict[str, Any] = {what: True}
        changed = replace(now, dice=dice, base=dice, dice_mods=(), **old)
    return replace(state, attack=changed)


@kind(
    "aimed",
    lambda attacker, defender: say(
        "{unit} shoots at {target} instead", unit=attacker, target=defender
    ),
)
def aimed(
    state: GameState,
    *,
    attacker: str,
    defender: str,
    zone: str,
    mods: Sequence[Mod] = (),
    friends: Sequence[str] = (),
    companions: Sequence[str] = (),
) -> GameState:
    """The target of a shot is chosen after the shift (TMG-RNG-7)."""
    now = state.attack
    if now is None:
        return state
    rest = (one for one in now.defense_mods if one[0] != "cover")
    changed = replace(
        now,
        defender=defender,
        zone=zone,
        defense_mods=(*rest, *tupled(mods)),
        friends=tuple(friends),
        companions=tuple(companions),
    )
    return replace(state, attack=changed)


@kind(
    "rolled",
    lambda side, what, faces: say(
        "{side} rolls {what}: {dice}",
        side=side,
        what=what,
        dice=dice(faces),
    ),
)
def rolled(
    state: GameState, *, what: str, side: str, faces: Sequence[int], unit: str = ""
) -> GameState:
    """Attack or defense dice are rolled."""
    now = state.attack
    if now is None:
        return state
    roll = StandingRoll(what, side, tuple(faces), ((),) * len(faces))
    changed = replace(now, roll=roll, stage=f"{what}-rerolls")
    return replace(state, attack=changed)


@kind(
    "rerolled",
    lambda side, because, old, new: say(
        "{side} rerolls {dice} ({because})",
        side=side,
        dice=joined(
            say("{old} to {new}", old=before, new=after)
            for before, after in zip(old, new, strict=False)
        )
        or "nothing",
        because=because,
    ),
)
def rerolled(
    state: GameState,
    *,
    side: str,
    test: int,
    places: Sequence[int],
    old: Sequence[int],
    new: Sequence[int],
    because: str,
) -> GameState:
    """Dice are rerolled; the earlier result is void (TMG-RER-3)."""

    def again(roll: StandingRoll) -> StandingRoll:
        faces, who = list(roll.faces), list(roll.rerolled)
        for place, face in zip(places, new, strict=True):
            faces[place] = face
            who[place] = (*who[place], side)
        return replace(
            roll,
            faces=tuple(faces),
            rerolled=tuple(who),
            reasons=(*roll.reasons, because),
        )

    return with_roll(state, test, again)


@kind("let-lie", "{side} lets the dice lie")
def let_lie(state: GameState, *, side: str, test: int = 0) -> GameState:
    """A side that might reroll does not: the next one decides (TMG-RER-2)."""
    return with_roll(state, test, lambda roll: replace(roll, done=(*roll.done, side)))


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
    lambda sure, hits: (
        say(
            "{hits} and {wounds}",
            hits=say("{n} hit", "{n} hits", n=hits),
            wounds=say("{n} sure wound", "{n} sure wounds", n=sure),
        )
        if sure
        else say("{n} hit", "{n} hits", n=hits)
    ),
)
def hits(state: GameState, *, hits: int, sure: int) -> GameState:
    """The number of hits from the attack dice."""
    if state.attack is None:
        return state
    changed = replace(state.attack, hits=hits, sure=sure, roll=None, stage="defense-dice")
    return replace(state, attack=changed)


@kind(
    "attack-wounds",
    lambda wounds, defender: "" if wounds else say("{unit} is unharmed", unit=defender),
)
def attack_wounds(state: GameState, *, defender: str, wounds: int) -> GameState:
    """The dice are resolved; the wounds are a separate event."""
    if state.attack is None:
        return state
    changed = replace(state.attack, wounds=wounds, roll=None, stage="panic")
    return replace(state, attack=changed)


@kind("attack-completed", "the attack on {defender} is completed")
def attack_completed(state: GameState, *, defender: str) -> GameState:
    """Effects after the attack may be used now (TMG-ATK-17)."""
    if state.attack is None:
        return state
    return replace(state, attack=replace(state.attack, stage="completed"))


@kind("attack-ended", lambda say_="": say_ or say("the attack is over"))
def attack_ended(
    state: GameState, *, defender: str, may_turn: Sequence[str] = (), say_: str = ""
) -> GameState:
    """The attack is over; units no longer engaged may have turned (TMG-SRG-4)."""
    after = state.attack.after if state.attack is not None else None
    return with_pivots(replace(state, attack=after), may_turn)


@kind(
    "charge-rolled",
    lambda disorderly, reach, faces: say(
        "charge roll {dice}, up to {reach:g}″, disorderly"
        if disorderly
        else "charge roll {dice}, up to {reach:g}″",
        dice=dice(faces),
        reach=reach,
    ),
)
def charge_rolled(
    state: GameState,
    *,
    unit: str,
    side: str,
    target: str,
    faces: Sequence[int],
    reach: float,
    disorderly: bool,
    until: str,
    what: str,
    player: str = "",
    heading: float | None = None,
    pieces: Sequence[str] = (),
) -> GameState:
    """The charge die (TMG-CHG-11, TMG-CHG-16); a disorderly charge forbids cards (TMG-CHG-26)."""
    barred = state.barred
    if disorderly:
        team = [owner.id for owner in state.players if owner.side == side]
        charging = [player] if player else team  # older logs: only the side
        barred = (*barred, *((owner, until) for owner in charging))
    declared = tuple(
        replace(
            move,
            target=target,
            heading=heading,
            pieces=tuple(pieces),
            reach=float(reach),
        )
        if move.unit == unit and heading is not None
        else move
        for move in state.declared
    )
    return replace(state, barred=barred, declared=declared)


def with_way_back(state: GameState, unit: str, target: str) -> GameState:
    """The state in which a charger that failed is in contact no more, and its tray goes back."""
    pair = {unit, target}
    for one in (state.unit(name) for name in pair if state.has_unit(name)):
        foes = tuple(foe for foe in one.engaged if foe not in pair)
        state = state.with_unit(replace(one, engaged=foes))
    return state.with_declared(DeclaredMove(unit, "back", settled=True, target=target))


@kind(
    "charge-ended",
    lambda success, unit: say(
        "The charge of {unit} succeeds" if success else "The charge of {unit} fails",
        unit=unit,
    ),
)
def charge_ended(
    state: GameState,
    *,
    unit: str,
    target: str,
    success: bool,
    ends: bool = False,
    heading: float | None = None,
    back: bool = False,
) -> GameState:
    """The charge made contact or failed (TMG-CHG-14, TMG-CHG-15); with a `heading` its tray is
    still to be aligned, though a table has shown where it came to (TMG-CHG-17). `back`: it failed,
    and its tray lies in contact, where it did not come to (TMG-CHG-12)."""
    if not success:
        acting = state.acting
        if ends and acting is not None and acting.unit == unit:
            state = replace(state, acting=replace(acting, stage="doing"))  # TMG-CHG-24
        return with_way_back(state, unit, target) if back else state
    one = state.unit(unit)
    state = state.with_unit(replace(one, engaged=tuple(dict.fromkeys((*one.engaged, target)))))
    if state.has_unit(target):
        two = state.unit(target)
        state = state.with_unit(replace(two, engaged=tuple(dict.fromkeys((*two.engaged, one.id)))))
    if heading is not None:
        move = DeclaredMove(unit, "charge", settled=True, target=target, heading=heading)
        return state.with_declared(move)
    return state


@kind(
    "retreat-rolled",
    lambda unit, reach, faces: say(
        "{unit} retreats up to {reach:g}″ (rolled {face})",
        unit=unit,
        reach=reach,
        face=faces[0],
    ),
)
def retreat_rolled(
    state: GameState, *, unit: str, side: str, faces: Sequence[int], reach: float, what: str
) -> GameState:
    """The retreat die (TMG-RET-2)."""
    return state


@kind(
    "test",
    lambda unit, kind, causes: say(
        "{unit} must take a {kind} test: {causes}",
        unit=unit,
        kind=kind,
        causes=joined(causes),
    ),
)
def trial_queued(
    state: GameState,
    *,
    id: int,
    unit: str,
    kind: str,
    causes: Sequence[str],
    mods: Sequence[Mod],
    extra: int,
    by: str,
    by_unit: str,
    after: str,
    extra_names: Sequence[str] = (),
) -> GameState:
    """A panic or morale test is queued."""
    trial = MoraleTrial(
        id, unit, kind, tuple(causes), tupled(mods), extra, tuple(extra_names), by, by_unit, after
    )
    return replace(state, trials=(*state.trials, trial), numbered=max(state.numbered, id))


@kind(
    "test-changed",
    lambda name, value, what="result": say(
        "{name}: {value:+d} wounds if this test fails"
        if what == "wounds"
        else "{name}: {value:+d} for this test",
        name=name,
        value=value,
    ),
)
def trial_changed(state: GameState, *, test: int, what: str, name: str, value: int) -> GameState:
    """An effect changes a pending test."""
    mod = (name, value)
    return replace(
        state,
        trials=tuple(
            trial
            if trial.id != test
            else replace(
                trial,
                extra=trial.extra + value,
                extra_names=(*trial.extra_names, name),
            )
            if what == "wounds"
            else replace(trial, mods=(*trial.mods, mod))
            for trial in state.trials
        ),
    )


@kind(
    "test-rolled",
    lambda unit, kind, faces: say(
        "{unit} rolls {dice} for its {kind} test",
        unit=unit,
        dice=dice(faces),
        kind=kind,
    ),
)
def trial_rolled(
    state: GameState, *, test: int, unit: str, side: str, kind: str, what: str, faces: Sequence[int]
) -> GameState:
    """The dice of a test are rolled; in 2021 with the D3 (TMG-PAN-2)."""
    roll = StandingRoll(kind, side, tuple(faces), ((),) * len(faces))
    return replace(
        state,
        trials=tuple(
            replace(trial, roll=roll) if trial.id == test else trial for trial in state.trials
        ),
    )


@kind(
    "test-over",
    lambda unit, kind, passed, automatic=False: say(
        "{unit}: {kind} test failed"
        if not passed
        else "{unit}: {kind} test passed without a roll"
        if automatic
        else "{unit}: {kind} test passed",
        unit=unit,
        kind=kind,
    ),
)
def trial_over(
    state: GameState,
    *,
    test: int,
    unit: str,
    kind: str,
    passed: bool,
    wounds: int,
    automatic: bool = False,
    result: int | None = None,
    morale: int | None = None,
    total: int | None = None,
) -> GameState:
    """A test is finished, rolled or not (TMG-ATK-16)."""
    return replace(
        state,
        tested=(kind, unit, "passed" if passed else "failed"),
        trials=tuple(trial for trial in state.trials if trial.id != test),
        occurrences=replace(state.occurrences, tests=test),
    )
