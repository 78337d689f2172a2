"""The exact joint distribution of hits and flags of an attack, and what they do to its target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from math import factorial
from typing import Any

from companion.games.shared.distribution import Distribution, mean
from companion.games.westeros.combat.die import (
    NOT_ENTERED,
    SHARES,
    SIDES,
    SYMBOLS,
    HitRule,
    losses,
    retreats,
)

GOALS = ("wounds", "destroy", "retreat")
"""What a flank attacker wants most of the one re-roll."""
FREE_ROOM = 99
"""A retreat that nothing blocks."""
Rolled = tuple[int, ...]
"""How many dice show each symbol, in the order of `SYMBOLS`."""
Joint = dict[tuple[int, int], Fraction]
"""The probability of each pair of hits and flags."""


@dataclass(frozen=True, slots=True)
class HexQuestion:
    """An attack as the odds need it: dice after caps and modifiers, and the target.

    `room` is how many hexes the target can retreat; `figures` None means that nobody asked.
    """

    dice: int
    rule: HitRule
    ignored: int = 0
    figures: int | None = None
    capture: int | None = None
    leftover_counts: bool = True
    stalwart: bool = False
    room: int = FREE_ROOM
    flank: bool = False
    goal: str = "wounds"
    flags_count: bool = True
    """False for a parting blow, which ignores them (BOW-PBL-3)."""
    blocked_together: bool = False
    """Whether hits of a blocked retreat add to those of the attack for a capture (BOW-OR-10)."""


@dataclass(frozen=True, slots=True)
class HexEffect:
    """What one pair of hits and flags does: figures lost, hexes retreated, the unit's end."""

    wounds: int
    steps: int = 0
    destroyed: bool = False
    captured: bool = False


def effect(asked: HexQuestion, hits: int, flags: int) -> HexEffect:
    """The result of an attack (BOW-CMB-8, BOW-CMB-9, BOW-KEY-3, BOW-KEY-18, BOW-RET-6)."""
    return settle(asked, max(0, hits - asked.ignored), flags, asked.stalwart)


def settle(asked: HexQuestion, hits: int, flags: int, stalwart: bool) -> HexEffect:
    """Hits that count, then the retreat, whose blocked hexes are hits of their own (BOW-OR-10)."""
    wanted = max(0, flags - int(stalwart)) if asked.flags_count else 0
    steps = min(wanted, asked.room)
    blocked = wanted - steps
    if asked.figures is None:
        return HexEffect(hits + blocked, steps)
    first = losses(hits, asked.figures, asked.capture, asked.leftover_counts)
    if first.eliminated:
        return HexEffect(asked.figures, 0, True, first.captured)
    left = asked.figures - first.figures
    if asked.blocked_together and blocked:
        both = losses(hits + blocked, asked.figures, asked.capture, asked.leftover_counts)
        return HexEffect(both.figures, steps, both.eliminated, both.captured)
    second = losses(blocked, left, asked.capture, asked.leftover_counts)
    lost = first.figures + second.figures
    return HexEffect(lost, steps, second.eliminated, second.captured)


@dataclass(frozen=True, slots=True)
class HexOdds:
    """The exact odds of an attack."""

    joint: Joint
    wounds: Distribution
    steps: Distribution
    destroys: Fraction
    captures: Fraction
    left_known: bool
    commander: bool = False
    escapes: Fraction = Fraction(0)
    """The chance that the target retreats and is still there: never counted as eliminated, too."""
    rerolls: Mapping[Rolled, str] = field(default_factory=dict)
    """The symbol to re-roll after each flank roll; "" to keep all dice."""

    @property
    def mean(self) -> Fraction:
        return mean(self.wounds)

    @property
    def retreat(self) -> Fraction:
        """The chance that the target retreats at least one hex."""
        return sum((p for steps, p in self.steps.items() if steps), Fraction(0))

    def to_json(self) -> dict[str, Any]:
        """The odds as `companion odds` prints them."""
        text: dict[str, Any] = {
            "wounds": plain_shares(self.wounds),
            "mean": float(self.mean),
            "hits_and_flags": {
                f"{hits},{flags}": float(p) for (hits, flags), p in sorted(self.joint.items())
            },
            "retreat": plain_shares(self.steps),
        }
        if self.left_known:
            text["destroys"] = float(self.destroys)
            if self.commander:
                text["captures"] = float(self.captures)
        return text


def plain_shares(shares: Distribution) -> dict[str, float]:
    """A distribution as JSON values."""
    return {str(value): float(p) for value, p in sorted(shares.items())}


@cache
def hit_and_flag_ways(dice: int, rule: HitRule) -> Mapping[tuple[int, int], int]:
    """In how many of the 8 ** dice rolls there are so many hits and flags."""
    hitting = sum(SHARES[one] for one in SYMBOLS if rule.hit_by(one))
    flagging = retreats(SHARES)
    found = {}
    for hits in range(dice + 1):
        for flags in range(dice - hits + 1):
            rest = dice - hits - flags
            ways = factorial(dice) // (factorial(hits) * factorial(flags) * factorial(rest))
            blank = (SIDES - hitting - flagging) ** rest
            found[hits, flags] = ways * hitting**hits * flagging**flags * blank
    return found


def rolls(dice: int) -> Iterator[tuple[Rolled, int]]:
    """Every combination of symbols, with the number of its 8 ** dice rolls."""
    yield from combinations(dice, SYMBOLS, factorial(dice))


def combinations(dice: int, symbols: tuple[str, ...], ways: int) -> Iterator[tuple[Rolled, int]]:
    """The combinations of the remaining symbols; `ways` counts the orders so far."""
    first, rest = symbols[0], symbols[1:]
    if not rest:
        yield (dice,), ways // factorial(dice) * SHARES[first] ** dice
        return
    for count in range(dice + 1):
        share = SHARES[first] ** count
        for others, found in combinations(dice - count, rest, ways // factorial(count)):
            yield (count, *others), found * share


@lru_cache(maxsize=1024)
def attack_odds(asked: HexQuestion) -> HexOdds:
    """The odds of a normal attack, with the best re-roll of a flank attack (BOW-ENG-6)."""
    total = SIDES**asked.dice
    if not asked.flank:
        ways = hit_and_flag_ways(asked.dice, asked.rule)
        joint = {pair: Fraction(count, total) for pair, count in ways.items() if count}
        return odds_of(asked, joint)
    found: Joint = {}
    chosen: dict[Rolled, str] = {}
    for rolled, count in rolls(asked.dice):
        symbol, after = best_reroll(asked, rolled)
        chosen[rolled] = symbol
        for pair, chance in after.items():
            found[pair] = found.get(pair, Fraction(0)) + Fraction(count, total) * chance
    return odds_of(asked, found, chosen)


def best_reroll(asked: HexQuestion, rolled: Rolled) -> tuple[str, Joint]:
    """The symbol whose dice are re-rolled for the goal, and what then comes; "" keeps them."""
    worth = goal_value(asked)
    best, result = "", reroll_joint(asked, rolled, "")
    value = expected(result, worth)
    for symbol, count in zip(SYMBOLS, rolled, strict=True):
        if count:
            joint = reroll_joint(asked, rolled, symbol)
            if (other := expected(joint, worth)) > value:
                best, result, value = symbol, joint, other
    return best, result


def reroll_joint(asked: HexQuestion, rolled: Rolled, symbol: str) -> Joint:
    """Hits and flags if all dice with one symbol are rolled again."""
    kept = {one: n for one, n in zip(SYMBOLS, rolled, strict=True) if one != symbol}
    again = sum(rolled) - sum(kept.values())
    hits, flags = asked.rule.hits(kept), retreats(kept)
    return {
        (hits + more, flags + others): Fraction(ways, SIDES**again)
        for (more, others), ways in hit_and_flag_ways(again, asked.rule).items()
        if ways
    }


Worth = Callable[[int, int], tuple[int, int]]


def goal_value(asked: HexQuestion) -> Worth:
    """What a result is worth for the attacker's goal; equal ones are decided by the second."""

    def worth(hits: int, flags: int) -> tuple[int, int]:
        found = effect(asked, hits, flags)
        if asked.goal == "destroy":
            return int(found.destroyed), found.wounds
        if asked.goal == "retreat":
            return int(found.steps > 0 or found.destroyed), found.wounds
        return found.wounds, found.steps

    return worth


def expected(joint: Joint, worth: Worth) -> tuple[Fraction, Fraction]:
    """The average worth."""
    values = [(worth(*pair), p) for pair, p in joint.items()]
    first = sum((value[0] * p for value, p in values), Fraction(0))
    return first, sum((value[1] * p for value, p in values), Fraction(0))


def odds_of(
    asked: HexQuestion, joint: Joint, chosen: Mapping[Rolled, str] | None = None
) -> HexOdds:
    """The odds of a distribution of hits and flags."""
    return summed(
        asked, joint, [(effect(asked, *pair), chance) for pair, chance in joint.items()], chosen
    )


def summed(
    asked: HexQuestion,
    joint: Joint,
    effects: list[tuple[HexEffect, Fraction]],
    chosen: Mapping[Rolled, str] | None = None,
) -> HexOdds:
    """The distributions of everything that the results do."""
    wounds: Distribution = {}
    steps: Distribution = {}
    destroys = captures = escapes = Fraction(0)
    for found, chance in effects:
        wounds[found.wounds] = wounds.get(found.wounds, Fraction(0)) + chance
        steps[found.steps] = steps.get(found.steps, Fraction(0)) + chance
        destroys += chance * found.destroyed
        captures += chance * found.captured
        escapes += chance * (found.steps > 0 and not found.destroyed)
    known = asked.figures is not None and asked.capture != NOT_ENTERED
    commander = asked.capture is not None
    return HexOdds(
        joint, wounds, steps, destroys, captures, known, commander, escapes, chosen or {}
    )


def hound_odds(asked: HexQuestion, dice: tuple[int, int, int]) -> HexOdds:
    """War hounds: the first die chooses the rank they attack as (BOW-KEY-6).

    Valour is 1 hit and morale 1 hex of retreat instead, and neither can be ignored (BOW-KEY-7,
    BOW-KEY-8). `dice` are those of a green, a blue and a red attack.
    """
    joint: Joint = {}
    effects: list[tuple[HexEffect, Fraction]] = []
    for symbol, count in zip(SYMBOLS, dice, strict=False):
        share = Fraction(SHARES[symbol], SIDES)
        for pair, ways in hit_and_flag_ways(count, asked.rule).items():
            chance = share * Fraction(ways, SIDES**count)
            joint[pair] = joint.get(pair, Fraction(0)) + chance
            effects.append((effect(asked, *pair), chance))
    for pair, symbol in (((1, 0), SYMBOLS[3]), ((0, 1), SYMBOLS[4])):
        chance = Fraction(SHARES[symbol], SIDES)
        joint[pair] = joint.get(pair, Fraction(0)) + chance
        effects.append((settle(asked, *pair, stalwart=False), chance))
    return summed(asked, {pair: p for pair, p in joint.items() if p}, effects)
