"""Dice: exact distributions, and what a face means in an attack, a charge or a test.

>>> TWO_D6.at_least(6)
0.7222222222222222
>>> succeeds(5, need=4, modifier=-2)
False
>>> charge_chance(3, "2018", hindering=True) == 16 / 36
True
>>> PanicTest(6, edition="2018").wounds(4)
2
>>> morale_chance(6, -2) == 15 / 36
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from models import Attack, CompanionError, UnknownName

FACES = range(1, 7)
HIGHEST_RESULT = 6  # TMG-DIC-3
LOWEST_RESULT = 0  # TMG-DIC-2
SAME_IN = 1e-6
"""Distances this close are equal; measurement uncertainty is handled elsewhere."""


# -- probability distributions ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution of integers from 0 up: n has the probability `weights[n]` / `total`.

    All weights are integers, so that every probability is an exact fraction, rounded only once.
    """

    weights: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, weights: Iterable[int]) -> Spread:
        """The distribution with these weights, in lowest terms, without trailing zeros."""
        kept = list(weights)
        while len(kept) > 1 and not kept[-1]:
            kept.pop()
        shared = math.gcd(*kept)
        return cls(tuple(weight // shared for weight in kept), sum(kept) // shared)

    @classmethod
    def mixed(cls, parts: Iterable[tuple[int, Spread]]) -> Spread:
        """A mixture of distributions with these weights."""
        chosen = [(weight, spread) for weight, spread in parts if weight]
        total = math.lcm(*(spread.total for _, spread in chosen))
        weights = [0] * max(len(spread.weights) for _, spread in chosen)
        for weight, spread in chosen:
            for number, inner in enumerate(spread.weights):
                weights[number] += weight * inner * (total // spread.total)
        return cls.of(weights)

    def chance(self, number: int) -> float:
        """The probability of exactly that number."""
        return self.weights[number] / self.total if 0 <= number < len(self.weights) else 0.0

    def at_least(self, number: int) -> float:
        """The probability of that number or more."""
        return sum(self.weights[max(number, 0) :]) / self.total

    @property
    def mean(self) -> float:
        """The expected value."""
        return sum(n * weight for n, weight in enumerate(self.weights)) / self.total

    def plus(self, other: Spread) -> Spread:
        """The distribution of the sum with another independent number."""
        weights = [0] * (len(self.weights) + len(other.weights) - 1)
        for number, weight in enumerate(self.weights):
            for more, inner in enumerate(other.weights, number):
                weights[more] += weight * inner
        return Spread(tuple(weights), self.total * other.total)

    def times(self, count: int) -> Spread:
        """The distribution of the sum of this many independent numbers."""
        # Kronecker substitution: the weights become the digits of one large integer, wide enough
        # never to carry; its power contains all the convolutions.
        total = self.total**count
        digit = total.bit_length()
        packed = sum(weight << digit * place for place, weight in enumerate(self.weights))
        power, mask = packed**count, (1 << digit) - 1
        places = (len(self.weights) - 1) * count + 1
        return Spread(tuple(power >> digit * place & mask for place in range(places)), total)

    def capped(self, highest: int) -> Spread:
        """The same distribution with everything above `highest` counted as `highest`."""
        if len(self.weights) <= highest + 1:
            return self
        return Spread((*self.weights[:highest], sum(self.weights[highest:])), self.total)

    def to_json(self) -> dict[str, float]:
        """The probability of every number from 0 to the highest, with string keys for JSON."""
        return {str(number): weight / self.total for number, weight in enumerate(self.weights)}


D6 = Spread((0, 1, 1, 1, 1, 1, 1), 6)
D3 = Spread((0, 1, 1, 1), 3)
TWO_D6 = D6.times(2)


# -- differences between the editions ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiceRules:
    """The dice rules in which the editions differ."""

    zones_help_shots: bool
    """TMG-BON-3..6: whether flank and rear bonus count for ranged attacks too."""
    bonus_rerolls_hits: bool
    """TMG-BON-1: whether the charge bonus may reroll hits as well as misses."""
    hindering_takes_bonus: bool
    """TMG-TER-14: whether a charge over Hindering loses its bonus."""
    hindering_dice: int
    """TMG-TER-14: charge dice rolled over Hindering, the lowest of which counts."""
    hindering_disorder: int
    """TMG-TER-14: the highest charge result over Hindering that is disorderly."""
    cover_defense: int
    """TMG-TER-6: what Cover adds to defense rolls against shots."""


DICE_RULES = {
    "2021": DiceRules(
        zones_help_shots=True,
        bonus_rerolls_hits=True,
        hindering_takes_bonus=True,
        hindering_dice=1,
        hindering_disorder=1,
        cover_defense=0,
    ),
    "2018": DiceRules(
        zones_help_shots=False,
        bonus_rerolls_hits=False,
        hindering_takes_bonus=False,
        hindering_dice=2,
        hindering_disorder=2,
        cover_defense=1,
    ),
}


def dice_rules(edition: str) -> DiceRules:
    try:
        return DICE_RULES[edition]
    except KeyError:
        known = ", ".join(sorted(DICE_RULES))
        raise UnknownName(f"no edition {edition!r}; there are: {known}") from None


# -- modifiers ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Modifier:
    """What one named effect adds to a result."""

    name: str
    value: int


def stacked(modifiers: Iterable[Modifier]) -> int:
    """The sum of all modifiers: each name counts once, different names add up."""
    first: dict[str, int] = {}
    for modifier in modifiers:
        first.setdefault(modifier.name, modifier.value)  # TMG-ABL-5
    return sum(first.values())  # TMG-ABL-6


def result(face: int, modifier: int) -> int:
    """The result of a single die: the modified face, limited to 0 to 6."""
    return max(LOWEST_RESULT, min(HIGHEST_RESULT, face + modifier))


def total_result(total: int, modifier: int) -> int:
    """The modified sum of several dice: at least 0, without an upper limit."""
    return max(LOWEST_RESULT, total + modifier)


def succeeds(face: int, need: int, modifier: int = 0) -> bool:
    """Whether an attack die makes its one hit (TMG-GLO-20) or a defense die blocks one, the lower
    the need the sooner (TMG-CARD-3); a natural 1 never, a natural 6 always."""
    if face == 1:  # TMG-ATK-3, TMG-ATK-9
        return False
    if face == 6:  # TMG-ATK-4, TMG-ATK-8
        return True
    return result(face, modifier) >= need  # TMG-ATK-2, TMG-ATK-7


def lowest_face(need: int, modifier: int = 0) -> int:
    """The lowest face that counts after all modifiers (TMG-ATK-3, -4, -8, -9).

    >>> [lowest_face(4, modifier) for modifier in (-3, -1, 0, 1, 3)]
    [6, 5, 4, 3, 2]
    """
    return min(face for face in range(1, 7) if succeeds(face, need, modifier))


# -- attack dice ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ability:
    """The effect of an attack ability on dice."""

    name: str
    defense: int = 0
    panic: int = 0
    six_hits_again: bool = False
    six_wounds: bool = False


ABILITIES = {
    ability.name: ability
    for ability in (
        Ability("vicious", panic=-2),  # TMG-ABL-1
        Ability("critical-blow", six_hits_again=True),  # TMG-ABL-2
        Ability("precision", six_wounds=True),  # TMG-ABL-3
        Ability("sundering", defense=-1),  # TMG-ABL-4
    )
}


def ability_word(written: str) -> str:
    """An ability's name as this module spells it: 'Critical Blow' is 'critical-blow'."""
    return "-".join(written.replace("_", " ").replace("-", " ").casefold().split())


@dataclass(frozen=True, slots=True)
class Hits:
    """The result of attack dice: hits that may be blocked, and wounds that may not."""

    hits: int = 0
    sure_wounds: int = 0


def count_hits(
    faces: Iterable[int], need: int, modifier: int = 0, abilities: Collection[str] = ()
) -> Hits:
    """The hits of these attack dice, after all rerolls."""
    known = [ABILITIES[name] for name in abilities]
    again = any(ability.six_hits_again for ability in known)
    pierces = any(ability.six_wounds for ability in known)
    hits = sure = 0
    for face in faces:
        if not succeeds(face, need, modifier):
            continue
        natural = face == 6  # TMG-DIC-1: the face rolled, not the modified result
        # OR-44: with both abilities the six itself wounds and the hit it adds may be blocked.
        sure += natural and pierces
        hits += (not (natural and pierces)) + (natural and again)
    return Hits(hits, sure)


def unblocked(faces: Iterable[int], need: int, modifier: int = 0) -> int:
    """The number of hits that defense dice, one per hit, do not block."""
    return sum(not succeeds(face, need, modifier) for face in faces)


def may_reroll(faces: Sequence[int], need: int, edition: str, modifier: int = 0) -> tuple[int, ...]:
    """The indices of the attack dice that the charge bonus may reroll (TMG-BON-1)."""
    any_die = dice_rules(edition).bonus_rerolls_hits
    return tuple(
        place for place, face in enumerate(faces) if any_die or not succeeds(face, need, modifier)
    )


def attack_dice(
    attack: Attack, ranks_lost: int, *, highest: bool = False, lowest: bool = False
) -> int:
    """The number of dice of an attack; effects may make it use its highest or lowest number."""
    if lowest:  # TMG-DIC-4: lowest prevails over highest
        return min(attack.dice)
    if highest:
        return max(attack.dice)
    return attack.dice_at(ranks_lost)  # TMG-ATK-1


# -- the charge die -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChargeRoll:
    """A rolled charge: the die that counts, its reach, and its outcome."""

    die: int
    reach_in: float
    success: bool
    disorderly: bool
    kept: bool
    """Whether it has its bonus if it makes contact (TMG-CHG-25)."""

    @property
    def bonus(self) -> bool:
        """Whether it makes contact and has its bonus."""
        return self.success and self.kept


def needed_roll(distance_in: float | None, speed: float) -> int | None:
    """The lowest D6 that covers the distance, 1 where any does, None where none does or no way
    leads there."""
    if distance_in is None:
        return None
    need = max(1, math.ceil(distance_in - speed - SAME_IN))
    return need if need <= 6 else None


def roll_charge(
    faces: Sequence[int],
    distance_in: float | None,
    speed: float,
    edition: str,
    hindering: bool = False,
) -> ChargeRoll:
    """The outcome of a charge with these dice, None the distance of one that leads elsewhere."""
    rules, count = dice_rules(edition), charge_dice(edition, hindering)
    if len(faces) != count or not all(face in FACES for face in faces):
        raise CompanionError(f"a charge rolls {count} D6, not {list(faces)!r}")
    die = min(faces)
    need = needed_roll(distance_in, speed)
    success = need is not None and die >= need  # TMG-CHG-14, TMG-CHG-15
    disorderly = die <= (rules.hindering_disorder if hindering else 1)  # TMG-CHG-16
    kept = not bonus_takers(disorderly, hindering, edition)  # TMG-CHG-25
    return ChargeRoll(die, speed + die, success, disorderly, kept)  # TMG-CHG-11


def bonus_takers(disorderly: bool, hindering: bool, edition: str) -> tuple[str, ...]:
    """What takes the bonus of a charge: disorder (TMG-CHG-25), Hindering ground (TMG-TER-14)."""
    crossed = hindering and dice_rules(edition).hindering_takes_bonus
    return (*(("disorderly",) if disorderly else ()), *(("hindering",) if crossed else ()))


def charge_dice(edition: str, hindering: bool = False) -> int:
    """The number of dice a charge rolls; the lowest counts."""
    rules = dice_rules(edition)
    return rules.hindering_dice if hindering else 1


def charge_chance(need: int | None, edition: str, hindering: bool = False) -> float:
    """The probability that a charge rolls what it needs; over Hindering all its dice must."""
    dice = charge_dice(edition, hindering)
    if need is None or need > 6:
        return 0.0
    return float((7 - max(need, 1)) ** dice / 6**dice)


@lru_cache(maxsize=64)
def bonus_share(need: int, edition: str, hindering: bool = False) -> Fraction:
    """The share of the rolls that arrive with which a charge keeps its bonus (TMG-CHG-25).

    >>> bonus_share(1, "2021")
    Fraction(5, 6)
    """
    dice = product(FACES, repeat=charge_dice(edition, hindering))
    rolls = [roll_charge(faces, need, 0, edition, hindering) for faces in dice]
    arrived = [roll.bonus for roll in rolls if roll.success]
    return Fraction(sum(arrived), len(arrived))


def d3_wounds(morale: int, result: int, d3: int) -> int:
    """Edition 2021: the D3 rolled along with the test."""
    return d3


def shortfall_wounds(morale: int, result: int, d3: int) -> int:
    """Edition 2018: the difference between Morale and the modified sum."""
    return morale - result


PANIC_WOUNDS: dict[str, Callable[[int, int, int], int]] = {  # TMG-PAN-4
    "2021": d3_wounds,
    "2018": shortfall_wounds,
}


@dataclass(frozen=True, slots=True)
class PanicTest:
    """A panic test before its roll; a plain morale test is the same without the wounds."""

    morale: int
    modifier: int = 0
    edition: str = "2021"
    extra: int = 0
    """How many wounds more or fewer effects make of a failure."""

    def __post_init__(self) -> None:
        dice_rules(self.edition)

    def result(self, total: int) -> int:
        """The sum of the two dice after modifiers, never below 0 (TMG-DIC-2)."""
        return total_result(total, self.modifier)

    def passes(self, total: int) -> bool:
        """Whether that sum of two dice passes (TMG-MOR-1, TMG-PAN-2)."""
        return self.result(total) >= self.morale

    def wounds(self, total: int, d3: int = 1) -> int:
        """The wounds for that sum and D3; they cannot be blocked (TMG-PAN-3, TMG-PAN-5)."""
        if self.passes(total):
            return 0
        return max(0, PANIC_WOUNDS[self.edition](self.morale, self.result(total), d3) + self.extra)


def panic_is_rolled(wounds: int, wounds_left: int | None = None) -> bool:
    """Whether a unit that took this many wounds from an attack rolls for panic.

    Without a wound the test is passed unrolled (TMG-ATK-15); a destroyed unit takes none (OR-39).
    """
    return wounds > 0 and (wounds_left is None or wounds < wounds_left)


@lru_cache(maxsize=1024)
def panic_spread(test: PanicTest) -> Spread:
    """The distribution of a panic test's wounds; 0 means passed, as a failure costs at least 1
    where no effect makes it cheaper."""
    chances: dict[int, int] = {}
    for total, weight in enumerate(TWO_D6.weights):
        for d3, share in enumerate(D3.weights):
            if weight and share:
                wounds = test.wounds(total, d3)
                chances[wounds] = chances.get(wounds, 0) + weight * share
    return Spread.of(chances.get(wounds, 0) for wounds in range(max(chances) + 1))


@lru_cache(maxsize=256)
def morale_chance(morale: int, modifier: int = 0) -> float:
    """The probability of passing a morale or panic test."""
    test = PanicTest(morale, modifier)
    return sum(w for total, w in enumerate(TWO_D6.weights) if test.passes(total)) / TWO_D6.total
