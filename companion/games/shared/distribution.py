"""Exact distributions of whole numbers, in fractions.

>>> binomial(2, Fraction(1, 2))
{0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
>>> mean(binomial(3, Fraction(1, 2)))
Fraction(3, 2)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

Distribution = dict[int, Fraction]
"""The probability of each value; values with probability 0 are left out."""


def binomial(tries: int, chance: Fraction) -> Distribution:
    """The number of successes in independent tries."""
    return {
        wins: p
        for wins in range(tries + 1)
        if (p := comb(tries, wins) * chance**wins * (1 - chance) ** (tries - wins))
    }


def hypergeometric(cards: int, wanted: int, drawn: int) -> Distribution:
    """How many of the wanted cards are among those drawn from a shuffled deck.

    >>> hypergeometric(4, 2, 2)
    {0: Fraction(1, 6), 1: Fraction(2, 3), 2: Fraction(1, 6)}
    """
    ways = comb(cards, drawn)
    return {
        hits: Fraction(p, ways)
        for hits in range(min(wanted, drawn) + 1)
        if (p := comb(wanted, hits) * comb(cards - wanted, drawn - hits))
    }


def mean(one: Mapping[int, Fraction]) -> Fraction:
    """The average."""
    return sum((value * p for value, p in one.items()), Fraction(0))


def at_least(one: Mapping[int, Fraction], least: int) -> Fraction:
    """The chance of that value or more."""
    return sum((p for value, p in one.items() if value >= least), Fraction(0))
