"""The exact odds of an attack: hits, defence, wounds, coins (TAC-ATK, TAC-DIE), and queries.

Dice are enumerated by kind (miss, hit, natural 10), never sampled; all chances are fractions.

>>> question = AttackQuestion(dice=1, hit=6, defence=6)
>>> attack_odds(question).wounds
{0: Fraction(29, 40), 1: Fraction(1, 4), 2: Fraction(1, 40)}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from companion.games.api.rules import OddsField
from companion.games.shared.distribution import Distribution, at_least, mean
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import CardAttack, CoinEffect, dice_in_sequence
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from models.field import Field
from models.message import say

SIDES = 10
CHARGE_DICE = 1
"""Additional dice of the attack in a charge (TAC-CHG-6)."""
HIGH_GROUND = 2
"""Added to attack rolls from high ground against lower enemies (TAC-TER-13)."""
SHAKEN = -2
"""Added to every die of a shaken figure's next roll, natural 10s excepted (TAC-STA-2)."""
LEAST_MODIFIER, MOST_MODIFIER = -9, 9


@dataclass(frozen=True, slots=True)
class AttackQuestion:
    """An attack: dice and the result they need, the defender's Defence, modifiers, equipment.

    `health` is the number of wounds the defender can still take. `attack_charm` and
    `defence_charm` set one die of their side to 10 (Lucky charm), `attack_powder` and
    `defence_powder` one die of the attack or the defence to 1 (Blinding powder).
    """

    dice: int
    hit: int
    defence: int
    health: int | None = None
    attack_mod: int = 0
    defence_mod: int = 0
    charge: bool = False
    cancels: int = 0
    attack_charm: bool = False
    defence_charm: bool = False
    attack_powder: int = 0
    defence_powder: bool = False
    fatal: bool = False
    """One wound kills (Obsidian dagger)."""
    charm_natural: bool = False
    """A die set to 10 counts as a natural 10 (TAC-OR-15)."""
    tens_defended: bool = True
    """The additional hits of natural 10s may be defended (TAC-OR-14)."""
    ten_mod: int | None = None
    """What is added to a natural 10 of the attack; None if it hits whatever is (TAC-OR-43)."""


@dataclass(frozen=True, slots=True)
class FigureOdds:
    """The odds of one attack."""

    question: AttackQuestion
    hits: Distribution
    wounds: Distribution

    @property
    def mean(self) -> Fraction:
        return mean(self.wounds)

    @property
    def destroys(self) -> Fraction:
        """The chance to kill; 0 if the health is not known."""
        if self.question.health is None:
            return Fraction(0)
        return at_least(self.wounds, 1 if self.question.fatal else self.question.health)

    @property
    def left_known(self) -> bool:
        return self.question.health is not None

    def to_json(self) -> dict[str, Any]:
        """The odds as `companion odds` prints them."""
        return {
            "hits": {str(count): float(chance) for count, chance in self.hits.items()},
            "wounds": {str(count): float(chance) for count, chance in self.wounds.items()},
            "mean": float(self.mean),
            "destroys": float(self.destroys),
        }


def hit_chance(needed: int, modifier: int) -> Fraction:
    """The chance that a die from 1 to 9 reaches a result: natural 10s are counted separately."""
    return Fraction(sum(face + modifier >= needed for face in range(1, SIDES)), SIDES)


def reaches(face: int, needed: int, modifier: int) -> bool:
    """Whether a die reaches a result; a natural 10 always does (TAC-DIE-3 to -5)."""
    return face == SIDES or face + modifier >= needed


def ten_hits(needed: int, ten_mod: int | None) -> int:
    """The hits of a natural 10 in an attack: its own and an additional one (TAC-DIE-4)."""
    return 2 if ten_mod is None or SIDES + ten_mod >= needed else 1


def rolls(dice: int, hit: Fraction) -> Iterator[tuple[int, int, int, Fraction]]:
    """Every split of dice into misses, plain hits and natural 10s, with its chance."""
    ten = Fraction(1, SIDES)
    miss = 1 - hit - ten
    for tens in range(dice + 1):
        for hits in range(dice - tens + 1):
            misses = dice - tens - hits
            ways = comb(dice, tens) * comb(dice - tens, hits)
            yield misses, hits, tens, ways * miss**misses * hit**hits * ten**tens


@lru_cache(maxsize=4096)
def attack_odds(question: AttackQuestion) -> FigureOdds:
    """The exact odds of one attack."""
    dice = question.dice + (CHARGE_DICE if question.charge else 0)
    modifier = max(LEAST_MODIFIER, min(MOST_MODIFIER, question.attack_mod))
    charm_hits = SIDES + modifier >= question.hit
    by_ten = ten_hits(question.hit, question.ten_mod)
    hits: Distribution = {}
    wounds: Distribution = {}
    for misses, plain, tens, chance in rolls(dice, hit_chance(question.hit, modifier)):
        if not chance:
            continue
        for _ in range(question.attack_powder):  # the defender sets the best die to 1
            tens, plain, misses = lowered(misses, plain, tens, 1 + modifier >= question.hit)
        if question.attack_charm and misses and (charm_hits or question.charm_natural):
            misses -= 1
            if question.charm_natural:
                tens += 1
            else:
                plain += 1
        elif question.attack_charm and plain and question.charm_natural:
            plain, tens = plain - 1, tens + 1
        total = plain + by_ten * tens
        hits[total] = hits.get(total, Fraction(0)) + chance
        rolled = total if question.tens_defended else total - tens * (by_ten - 1)
        sure = total - rolled
        left = max(0, rolled - question.cancels)
        for defended, share in defended_hits(question, left).items():
            wound = sure + left - defended
            wounds[wound] = wounds.get(wound, Fraction(0)) + chance * share
    return FigureOdds(question, dict(sorted(hits.items())), dict(sorted(wounds.items())))


def lowered(misses: int, plain: int, tens: int, one_hits: bool) -> tuple[int, int, int]:
    """The split after the best die was set to 1, as (tens, plain, misses)."""
    if tens:
        return (tens - 1, plain + 1, misses) if one_hits else (tens - 1, plain, misses + 1)
    if plain and not one_hits:
        return tens, plain - 1, misses + 1
    return tens, plain, misses


@lru_cache(maxsize=4096)
def defended_hits(question: AttackQuestion, hits: int) -> Distribution:
    """How many of these hits are defended: one die each (TAC-ATK-9, TAC-CRD-5)."""
    modifier = max(LEAST_MODIFIER, min(MOST_MODIFIER, question.defence_mod))
    charm_defends = SIDES + modifier >= question.defence or question.charm_natural
    found: Distribution = {}
    for misses, plain, tens, chance in rolls(hits, hit_chance(question.defence, modifier)):
        defended = plain + tens
        if question.defence_powder and defended and 1 + modifier < question.defence:
            defended, misses = defended - 1, misses + 1
        if question.defence_charm and misses and charm_defends:
            defended += 1
        if chance:
            found[defended] = found.get(defended, Fraction(0)) + chance
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class PaidOption:
    """A choice of coin effects: what it costs, its odds, and the wounds that each coin adds."""

    effects: tuple[CoinEffect, ...]
    price: Coins
    odds: FigureOdds
    per_coin: Fraction
    """The wounds on average above the attack without effects, by coin."""

    def to_json(self) -> dict[str, Any]:
        return {
            "effects": [one.name for one in self.effects],
            "price": self.price.to_json(),
            "mean": float(self.odds.mean),
            "destroys": float(self.odds.destroys),
            "wounds_per_coin": float(self.per_coin),
        }


def with_effects(question: AttackQuestion, effects: Sequence[CoinEffect]) -> AttackQuestion:
    """The same attack with optional effects of the attacker."""
    return replace(
        question,
        dice=question.dice + sum(one.dice for one in effects),
        attack_mod=question.attack_mod + sum(one.modifier for one in effects),
        ten_mod=None
        if question.ten_mod is None
        else question.ten_mod + sum(one.modifier for one in effects),
    )


def paid_options(
    question: AttackQuestion,
    effects: Sequence[CoinEffect],
    purse: Coins | None = None,
    named: bool = False,
) -> list[PaidOption]:
    """Every affordable choice of effects, the cheapest first; of equal ones only the cheapest.

    Dearer choices that add nothing are left out, but not if they are `named`: only the card says
    what else an effect does. Effects of a charge count only in one.
    """
    usable = [one for one in effects if question.charge or not one.charge_only]
    base = attack_odds(question)
    best: dict[tuple[Any, ...], tuple[int, tuple[CoinEffect, ...]]] = {}
    for chosen in subsets(usable):
        price = sum((one.price for one in chosen), Coins())
        if purse is not None and not purse.covers(price):
            continue
        words = frozenset(one.name for one in chosen) if named else frozenset()
        key = (sum(one.dice for one in chosen), sum(one.modifier for one in chosen), words)
        coins = price.gold * 100 + price.silver * 10 + price.copper
        if key not in best or coins < best[key][0]:
            best[key] = coins, chosen
    found = []
    for _, chosen in sorted(best.values(), key=lambda one: one[0]):
        price = sum((one.price for one in chosen), Coins())
        odds = attack_odds(with_effects(question, chosen))
        count = price.gold + price.silver + price.copper
        gain = odds.mean - base.mean
        found.append(PaidOption(chosen, price, odds, gain / count if count else Fraction(0)))
    return found


def subsets(effects: Sequence[CoinEffect]) -> Iterator[tuple[CoinEffect, ...]]:
    """Every choice of effects, each at most once (TAC-CRD-11) and after the one it follows."""
    for mask in range(1 << len(effects)):
        chosen = tuple(one for at, one in enumerate(effects) if mask >> at & 1)
        names = {"", *(one.name for one in chosen)}
        if all(one.after in names for one in chosen):
            yield chosen


PLAIN_DEFENCE = 6
"""The Defence of a figure of which nothing is known."""


@dataclass(frozen=True, slots=True)
class PricedOdds:
    """The odds of an attack, and of every choice of coins for it."""

    odds: FigureOdds
    options: tuple[PaidOption, ...] = ()

    @property
    def left_known(self) -> bool:
        return self.odds.left_known

    def to_json(self) -> dict[str, Any]:
        """The odds as JSON values; `coins` lists what each choice of effects adds."""
        text = self.odds.to_json()
        if len(self.options) > 1:
            text["coins"] = [one.to_json() for one in self.options]
        return text


QUERY_FIELDS: Mapping[str, tuple[int, int, str]] = {
    "dice": (0, 20, "attack dice"),
    "hit": (2, 10, "the result a die needs to hit"),
    "defence": (2, 10, "the defender's Defence"),
    "health": (1, 20, "the wounds the defender can still take"),
    "attack_mod": (-9, 9, "added to attack dice"),
    "defence_mod": (-9, 9, "added to defence dice"),
    "cancels": (0, 20, "hits that are defended without a roll"),
}
QUERY_FLAGS: Mapping[str, str] = {
    "charge": "in a charge: 1 more die",
    "high": "from high ground against a lower enemy",
    "attack_charm": "the attacker's lucky charm",
    "defence_charm": "the defender's lucky charm",
    "attack_powder": "blinding powder against the attack roll",
    "defence_powder": "blinding powder against the defence roll",
    "shaken": "the attacker is shaken",
    "shaken_defender": "the defender is shaken",
    "fatal": "an obsidian dagger: one wound kills",
}
ODDS_FIELDS = (
    *(
        OddsField(name, "number", what, name in ("dice", "hit", "defence"))
        for name, (_, _, what) in QUERY_FIELDS.items()
    ),
    OddsField("extra_dice", "numbers", "the copper price of each extra die: 1,1,2,3"),
    *(OddsField(name, "flag", what) for name, what in QUERY_FLAGS.items()),
)


def odds_query(values: Mapping[str, Any]) -> PricedOdds:
    """The odds for plain values, as players or programs give them; errors name the value."""
    field = Field(dict(values), "odds")
    raw = field.keys({*QUERY_FIELDS, *QUERY_FLAGS, "extra_dice"}, {"dice", "hit", "defence"})
    numbers: dict[str, Any] = {
        key: field.member(key).whole(low, high)
        for key, (low, high, _) in QUERY_FIELDS.items()
        if key in raw
    }
    flags = {key: field.member(key).flag() if key in raw else False for key in QUERY_FLAGS}
    attack_mod = numbers.pop("attack_mod", 0)
    attack_mod += HIGH_GROUND * flags.pop("high") + SHAKEN * flags.pop("shaken")
    defence_mod = numbers.pop("defence_mod", 0) + SHAKEN * flags.pop("shaken_defender")
    question = AttackQuestion(**numbers, **flags, attack_mod=attack_mod, defence_mod=defence_mod)
    effects = dice_in_sequence([one.whole(1, 9) for one in field.listed("extra_dice", 8)])
    return PricedOdds(attack_odds(question), tuple(paid_options(question, effects)))


def figure_question(
    position: BattlePosition,
    figure: BoardFigure,
    target: BoardFigure,
    attack: CardAttack,
    charge: bool = False,
) -> AttackQuestion:
    """The attack of one figure on the board against another, with ground and equipment."""
    parts = attack_parts(position, figure, target, attack)
    modifier = sum(one for _, one in parts) - shaken_part(figure)
    left = None if target.health is None else max(1, target.health - target.wounds)
    return AttackQuestion(
        attack.dice,
        attack.hit,
        target.defence or PLAIN_DEFENCE,
        left,
        modifier + shaken_part(figure),
        own_defence(target),
        charge,
        charm_natural=position.field.readings.charm == "natural",
        tens_defended=position.field.readings.natural_ten_dice == "defended",
        # A shaken figure's natural 10s are excepted (TAC-STA-2).
        ten_mod=modifier if position.field.readings.natural_ten == "modified" else None,
    )


Parts = list[tuple[str, int]]
"""What is added to every die, and where it comes from."""


def attack_parts(
    position: BattlePosition, figure: BoardFigure, target: BoardFigure, attack: CardAttack
) -> Parts:
    """What ground, equipment and tokens add to the dice of an attack."""
    high = position.field.high
    found: Parts = []
    if any(cell in high for cell in figure.cells) and not any(c in high for c in target.cells):
        found.append((say("high ground"), HIGH_GROUND))  # TAC-TER-13
    if item := EQUIPMENT.get(figure.equipment):
        found.append((item.name, item.melee if attack.kind == "melee" else item.ranged))
    return real_parts([*found, (say("shaken"), shaken_part(figure))])


def defence_parts(figure: BoardFigure) -> Parts:
    """What a figure's own equipment and tokens add to its defence dice (TAC-STA-2)."""
    item = EQUIPMENT.get(figure.equipment)
    own = [(item.name, item.defence)] if item else []
    return real_parts([*own, (say("shaken"), shaken_part(figure))])


def real_parts(parts: Parts) -> Parts:
    """Those that add anything."""
    return [(name, added) for name, added in parts if added]


def shaken_part(figure: BoardFigure) -> int:
    """What the token takes from every die of the next roll (TAC-STA-2)."""
    return SHAKEN if figure.shaken else 0


def own_defence(figure: BoardFigure) -> int:
    """What a figure adds to its own defence dice: equipment, shaken."""
    return sum(added for _, added in defence_parts(figure))


def figure_odds(
    position: BattlePosition,
    figure: BoardFigure,
    target: BoardFigure,
    attack: CardAttack,
    charge: bool = False,
    purse: Coins | None = None,
) -> PricedOdds:
    """The odds of such an attack, with every choice of coins that can be paid."""
    question = figure_question(position, figure, target, attack, charge)
    return priced_odds(question, attack.effects, purse)


@lru_cache(maxsize=4096)
def priced_odds(
    question: AttackQuestion,
    effects: Sequence[CoinEffect],
    purse: Coins | None = None,
    named: bool = False,
) -> PricedOdds:
    """The odds of an attack, with every choice of coins that can be paid."""
    return PricedOdds(attack_odds(question), tuple(paid_options(question, effects, purse, named)))
