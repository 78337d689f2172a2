"""The dice that the miniatures game asks for, with the chance of each result."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

from companion.games.api.prompt import DiceRequest
from companion.games.tmg.play.flow.attacks import attack_modifier, defense_modifier, dice_abilities
from companion.games.tmg.play.flow.panic_queue import test_of
from companion.games.tmg.play.state.game_state import AttackState, GameState, MoraleTrial
from companion.games.tmg.rules.combat.dice import ABILITIES, succeeds
from models.lazy_message import say

D6 = range(1, 7)


def attack_dice(now: AttackState) -> DiceRequest:
    """The attack dice."""
    return DiceRequest(
        now.dice,
        {"do": "roll"},
        text=say("How many hit on {face}+?", face=now.hit),
        wanted=now.hit,
        count_field="" if sixes_count(now) else "count",
        chances=successes(now.dice, now.hit, attack_modifier(now)),
        keep_field="keep",
    )


def sixes_count(now: AttackState) -> bool:
    """Whether an ability asks which dice show a six: a count of hits is not enough then."""
    known = [ABILITIES[name] for name in dice_abilities(now)]
    return any(ability.six_hits_again or ability.six_wounds for ability in known)


def defense_dice(state: GameState, now: AttackState) -> DiceRequest:
    """The defense dice."""
    need = state.unit(now.defender).defense
    return DiceRequest(
        now.hits,
        {"do": "roll"},
        text=say("How many block on {face}+?", face=need),
        wanted=need,
        count_field="count",
        chances=successes(now.hits, need, defense_modifier(now, state.year)),
        keep_field="keep",
    )


def successes(count: int, need: int, modifier: int) -> tuple[float, ...]:
    """The chance of 0, 1, 2 … successes with so many dice."""
    share = sum(succeeds(face, need, modifier) for face in D6) / 6
    return tuple(
        math.comb(count, hits) * share**hits * (1 - share) ** (count - hits)
        for hits in range(count + 1)
    )


def test_dice(state: GameState, trial: MoraleTrial) -> DiceRequest:
    """The two dice of a test, and in 2021 the D3 of a panic test (TMG-PAN-2)."""
    command = {"do": "panic", "test": trial.id}
    d3 = DiceRequest(1, command, "d3", 3, text=say("D3, if it fails"), single=True, if_failed=True)
    test = test_of(trial, state.unit(trial.unit), state.rules)
    totals = Counter(one + two for one, two in product(D6, D6))
    return DiceRequest(
        2,
        command,
        text=say("What do the two dice add up to?"),
        count_field="total",
        wanted=min((total for total in range(2, 13) if test.passes(total)), default=13),
        chances=tuple(totals[total] / 36 for total in range(2, 13)),
        extra=(d3,) if state.rules.panic_d3 and trial.kind == "panic" else (),
        keep_field="keep",
    )
