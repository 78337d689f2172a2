"""The dice that the miniatures game asks for, and what an attack may be expected to do."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from typing import Any

from companion.games.api.play import Plain
from companion.games.api.prompt import DiceRequest
from companion.games.tmg.game import GAME
from companion.games.tmg.play.flow.attacks import (
    attack_modifier,
    counted_dice,
    defense_modifier,
    dice_abilities,
    out_of_range,
)
from companion.games.tmg.play.flow.dice_changes import D3_PLACE, standing_roll
from companion.games.tmg.play.flow.panic_queue import test_of, tray_waits
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    Mod,
    MoraleTrial,
    PendingTask,
)
from companion.games.tmg.play.state.table_facts import ground_seen
from companion.games.tmg.play.state.unit_state import UnitState, same_name, spelling
from companion.games.tmg.rules.combat.dice import (
    ABILITIES,
    Modifier,
    ability_word,
    lowest_face,
    stacked,
    succeeds,
)
from companion.text.verdicts import percent
from models import CompanionError
from models.message import joined, say

D6 = range(1, 7)


def attack_dice(state: GameState, now: AttackState) -> DiceRequest:
    """The attack dice, with the face that hits after all modifiers."""
    agreed = {"agreed": True} if out_of_range(state, now) else {}
    face = lowest_face(now.hit, attack_modifier(now))
    counted = not sixes_count(now)
    return DiceRequest(
        now.dice,
        {"do": "roll", **agreed},
        text=say("How many hit on {face}+, rerolls done?", face=face) if counted else "",
        wanted=face,
        count_field="count" if counted else "",
        chances=successes(now.dice, now.hit, attack_modifier(now), again=now.bonus),
        keep_field="keep",
    )


def sixes_count(now: AttackState) -> bool:
    """Whether an ability asks which dice show a six: a count of hits is not enough then."""
    known = [ABILITIES[name] for name in dice_abilities(now)]
    return any(ability.six_hits_again or ability.six_wounds for ability in known)


def defense_dice(state: GameState, now: AttackState) -> DiceRequest:
    """The defense dice, with the face that blocks after all modifiers."""
    need, modifier = state.unit(now.defender).defense, defense_modifier(now, state.year)
    face = lowest_face(need, modifier)
    return DiceRequest(
        now.hits,
        {"do": "roll"},
        text=say("How many block on {face}+, rerolls done?", face=face),
        wanted=face,
        count_field="count",
        chances=successes(now.hits, need, modifier),
        keep_field="keep",
    )


def successes(count: int, need: int, modifier: int, again: bool = False) -> tuple[float, ...]:
    """The chance of 0, 1, 2 … successes with so many dice; `again`: each miss is rerolled once."""
    share = sum(succeeds(face, need, modifier) for face in D6) / 6
    if again:  # TMG-BON-1, as the expected wounds have it
        share += (1 - share) * share
    return tuple(
        math.comb(count, hits) * share**hits * (1 - share) ** (count - hits)
        for hits in range(count + 1)
    )


def test_dice(state: GameState, trial: MoraleTrial) -> DiceRequest:
    """The two dice of a test, and in 2021 the D3 of a panic test (TMG-PAN-2)."""
    agreed = {"agreed": True} if tray_waits(state, trial) else {}
    command = {"do": "panic", "test": trial.id, **agreed}
    asked = say("It failed: what does the D3 show?")
    d3 = DiceRequest(1, command, "d3", 3, text=asked, single=True, if_failed=True)
    test = test_of(trial, state.unit(trial.unit), state.rules)
    totals = Counter(one + two for one, two in product(D6, D6))
    return DiceRequest(
        2,
        command,
        text=say("What do the two dice add up to, rerolls done?"),
        count_field="total",
        wanted=min((total for total in range(2, 13) if test.passes(total)), default=13),
        chances=tuple(totals[total] / 36 for total in range(2, 13)),
        extra=(d3,) if state.rules.panic_d3 and trial.kind == "panic" else (),
        keep_field="keep",
    )


def dice_again(state: GameState, task: PendingTask) -> DiceRequest:
    """What the players counted once more: dice that an opponent's token made them roll again
    (TMG-CON-5..7, TMG-RER-3)."""
    command = {"do": "spent", "take": True}
    if not task.number:
        count, now = counted_dice(state), state.attack
        text = say("The named dice are rolled again: how many of all hit now?")
        if now is not None and now.stage != "attack-dice":
            text = say("The named dice are rolled again: how many of all block now?")
        return DiceRequest(count, command, "", text=text, count_field="count", optional=False)
    text = say("The named dice are rolled again: what do both show now?")
    trial = next(one for one in state.trials if one.id == task.number)
    asked = say("What does the D3 show now?")
    d3 = DiceRequest(1, command, "d3", 3, text=asked, single=True, optional=False)
    with_d3 = state.rules.panic_d3 and trial.kind == "panic"  # TMG-PAN-6
    return DiceRequest(2, command, text=text, optional=False, extra=(d3,) if with_d3 else ())


def d3_again(state: GameState, test: int) -> tuple[tuple[int, DiceRequest], ...]:
    """The D3 among the dice of a test that lie, by its place, with how it is entered once more
    (TMG-PAN-6)."""
    found = standing_roll(state, test)
    if found is None or found[0].what != "panic" or len(found[0].faces) <= D3_PLACE:
        return ()
    asked = say("What does the D3 show now?")
    return ((D3_PLACE, DiceRequest(1, {}, "d3", 3, text=asked, single=True)),)


def ground_die(command: Plain) -> DiceRequest:
    """The D3 of Dangerous ground (TMG-TER-10)."""
    text = say("Dangerous ground: what does the D3 show? One wound more than that.")
    return DiceRequest(1, command, "d3", 3, text=text, single=True)


def danger_told(state: GameState, unit: str) -> str:
    """That the D3+1 wounds of Dangerous ground may destroy a unit (TMG-TER-10)."""
    left = state.unit(unit).wounds_left
    if left <= LEAST_OF_GROUND:
        return say("Dangerous ground: 2 to 4 wounds, it is destroyed on any roll")
    if left <= MOST_OF_GROUND:
        return say("Dangerous ground: 2 to 4 wounds, it may be destroyed")
    return ""


LEAST_OF_GROUND, MOST_OF_GROUND = 2, 4
"""The wounds of D3+1."""


def wall_die(command: Plain) -> DiceRequest:
    """The D3 of a castle wall's hits (TMG-MODE-HAR-8, TMG-MODE-HAR-10)."""
    text = say("Castle wall: what does the D3 show? Two hits more than that.")
    return DiceRequest(1, command, "d3", 3, text=text, single=True)


def summed(total: int, result: int, modifier: int = 0) -> str:
    """The result of a test as its sum: "6 − 2 = 4", where anything was added or taken off.

    With the `modifier` also where the sum would be below 0: "2 − 3 → 0" (TMG-DIC-2). Older games
    tell no total of dice that were added up by hand.
    """
    if not total or total == result:
        return str(result)
    if total + modifier < result == 0:
        return f"{total} − {-modifier} → 0"
    return f"{total} {'+' if result > total else '−'} {abs(result - total)} = {result}"


def card_text(unit: UnitState, weapon: str, ranged: bool) -> str:
    """The name of a weapon of which the unit's card says more than its dice (TMG-CARD-13)."""
    names = [one.name for one in unit.attacks if one.ranged is ranged and weapon in ("", one.name)]
    found = (same_name(name, unit.abilities_now()) for name in names)
    return next((name for name in found if name and ability_word(name) not in ABILITIES), "")


def expected(odds: Any, card: str = "") -> str:
    """The expected wounds of an attack, and the chance that it destroys the target; what the card
    says of its weapon is not in them."""
    if odds is None:
        return ""
    if card:
        told = say("about {mean:.1f} wounds with panic", mean=odds.mean)
        return joined((told, say("without its card’s text")), " · ")
    destroys = odds.to_json()["destroys"]
    if not odds.left_known or not destroys:
        return say("about {mean:.1f} wounds with panic", mean=odds.mean)
    chance = percent(destroys)
    return say(
        "about {mean:.1f} wounds with panic · destroys {chance}",
        mean=odds.mean,
        chance=chance,
    )


def attack_forecast(state: GameState, now: AttackState) -> str:
    """What the attack that waits for its dice may be expected to do; empty if that is unknown."""
    target = state.unit(now.defender) if state.has_unit(now.defender) else None
    unknown = now.extra_panic_wounds != 0  # the odds do not know what such effects add
    if target is None or target.morale is None or not now.dice or unknown:
        return ""
    ground = ground_seen(state, target.id).morale  # Inspiring and Horrific, as the test counts them
    felt = ((one.keyword, one.value) for one in ground.felt if one.answer)
    asked = {
        "hit": now.hit,
        "dice": now.dice,
        "defense": target.defense,
        "morale": target.morale,
        "zone": now.zone,
        "ranged": now.kind != "melee",
        "charge": now.bonus and now.kind == "melee",
        "abilities": dice_abilities(now),
        "attack_mod": attack_modifier(now),
        "defense_mod": together(now.defense_mods),
        "morale_mod": together((*now.panic_mods, *felt)),
        "models": target.wounds_left,
    }
    try:
        odds = GAME.odds(state.game, asked)
    except CompanionError:
        return ""  # an ability or a number that the odds do not know
    unit = state.unit(now.attacker) if state.has_unit(now.attacker) else None
    return expected(odds, "" if unit is None else card_text(unit, now.weapon, now.kind != "melee"))


def together(mods: tuple[Mod, ...]) -> int:
    """The sum of modifiers, each name once (TMG-ABL-5)."""
    return stacked(Modifier(spelling(name), value) for name, value in mods)
