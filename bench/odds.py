"""How fast exact odds are, against two slower ways to the same numbers: `python -m bench.odds`."""

from __future__ import annotations

import itertools
import timeit
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from companion.games.tmg.rules.combat.dice import Spread, count_hits, succeeds
from companion.games.tmg.rules.combat.odds import AttackRoll, odds, wounds_of_a_die
from tests.arguments import arguments

ROLL = AttackRoll(
    hit=3,
    dice=10,
    defense=4,
    morale=6,
    zone="flank",
    charge=True,
    abilities=frozenset({"critical-blow", "precision", "sundering", "vicious"}),
    models=12,
)
BUDGET_S = 0.002
"""What the table view may spend on one attack of ten dice."""


def seconds(job: Callable[[], object], least: float = 0.2) -> float:
    """The best time of one call, over runs long enough to trust."""
    timer = timeit.Timer(job)
    once = max(timer.timeit(1), 1e-7)
    number = max(1, int(least / once / 5))
    return min(timer.repeat(5 if once < least else 1, number)) / number


def fresh(roll: AttackRoll) -> object:
    """The odds, counted anew."""
    odds.cache_clear()
    return odds(roll)


def fractions(roll: AttackRoll) -> list[Fraction]:
    """The wounds from hits by adding one die after the other in fractions."""
    die = wounds_of_a_die(roll, roll.rerolls)
    step = [Fraction(weight, die.total) for weight in die.weights]
    wounds = [Fraction(1)]
    for _ in range(roll.dice):
        longer = [Fraction(0)] * (len(wounds) + len(step) - 1)
        for number, chance in enumerate(wounds):
            for more, share in enumerate(step):
                longer[number + more] += chance * share
        wounds = longer
    return wounds


def every_roll(roll: AttackRoll) -> list[Fraction]:
    """The wounds from hits of an attack without rerolls by going through every roll there is."""
    weights: dict[int, Fraction] = {}
    for faces in itertools.product(range(1, 7), repeat=roll.dice):
        landed = count_hits(faces, roll.hit, roll.attack_mod, roll.abilities)
        for blocks in itertools.product(range(1, 7), repeat=landed.hits):
            wounds = landed.sure_wounds + sum(
                not succeeds(face, roll.defense, roll.defense_total) for face in blocks
            )
            share = Fraction(1, 6 ** (roll.dice + landed.hits))
            weights[wounds] = weights.get(wounds, Fraction(0)) + share
    return [weights[number] for number in sorted(weights)]


def exactly(spread: Spread) -> list[Fraction]:
    return [Fraction(weight, spread.total) for weight in spread.weights]


def main() -> None:
    """Print the ratios; the numbers compared must be equal."""
    free = replace(ROLL, models=None)
    if exactly(odds(free).wounds_from_hits) != fractions(free):
        raise SystemExit("odds and fractions disagree")
    small = replace(free, dice=3, charge=False)
    if exactly(odds(small).wounds_from_hits) != every_roll(small):
        raise SystemExit("odds and the count of every roll disagree")
    ten = seconds(lambda: fresh(ROLL))
    print(f"odds of 10 dice use {ten / BUDGET_S:.3f} of their budget ({ten * 1e3:.3f} ms)")
    print(f"odds of 10 dice asked again: {ten / seconds(lambda: odds(ROLL)):.0f} x faster")
    print(f"fractions, 10 dice: {seconds(lambda: fractions(free)) / ten:.1f} x slower")
    three = seconds(lambda: fresh(small))
    print(f"every roll, 3 dice: {seconds(lambda: every_roll(small)) / three:.0f} x slower")
    hundred = seconds(lambda: fresh(replace(ROLL, dice=100)))
    print(f"10 x the dice: {hundred / ten:.1f} x the time")


if __name__ == "__main__":
    arguments()
    main()
