"""Values with their modifiers, and comparisons: who wins initiative, a challenge, dominance.

>>> modified(4, [Change("add", 1), Change("divide", 2)])
3
>>> modified(3, [Change("add", -5), Change("add", 1)]), modified(3, [Change("set", 2)])
(0, 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

Operation = Literal["add", "multiply", "divide", "set"]
OPERATIONS: tuple[Operation, ...] = ("add", "multiply", "divide", "set")


@dataclass(frozen=True, slots=True)
class Change:
    """One modifier of a value."""

    operation: Operation
    value: int


def modified(base: int, changes: Iterable[Change]) -> int:
    """A base value with all its modifiers (AGOT-MOD-1, AGOT-MOD-2).

    The last "set to" overrides all others (AGOT-MOD-5, AGOT-MOD-6); additions come before
    multiplications and divisions (AGOT-MOD-3), fractions are rounded up at the end (AGOT-MOD-4),
    and nothing is negative (AGOT-MOD-7).
    """
    found = list(changes)
    if not found:
        return max(0, base)
    fixed = [one.value for one in found if one.operation == "set"]
    if fixed:
        return max(0, fixed[-1])
    added = base + sum(one.value for one in found if one.operation == "add")
    if all(one.operation == "add" for one in found):
        return max(0, added)
    total = Fraction(added)
    for one in found:
        if one.operation == "multiply":
            total *= one.value
        elif one.operation == "divide" and one.value:
            total /= one.value
    return max(0, ceil(total))


def initiative_leaders(values: Mapping[str, int], power: Mapping[str, int]) -> tuple[str, ...]:
    """Who wins initiative: the highest value (AGOT-PLOT-9), then the lowest total power
    (AGOT-PLOT-10); several if chance must decide (AGOT-PLOT-11)."""
    best = max(values.values())
    tied = [seat for seat, value in values.items() if value == best]
    least = min(power[seat] for seat in tied)
    return tuple(seat for seat in tied if power[seat] == least)


def dominance_winner(totals: Mapping[str, int]) -> str:
    """The single highest total (AGOT-DOM-4); nobody on a tie (AGOT-DOM-5, AGOT-OR-20)."""
    best = max(totals.values(), default=0)
    leaders = [seat for seat, total in totals.items() if total == best]
    return leaders[0] if len(leaders) == 1 else ""


@dataclass(frozen=True, slots=True)
class ChallengeSide:
    """One side of a challenge when strength is compared."""

    total: int
    characters: int

    @property
    def may_win(self) -> bool:
        """A total of at least 1 (AGOT-CHL-26) and a participating character (AGOT-CHL-27)."""
        return self.total >= 1 and self.characters >= 1


@dataclass(frozen=True, slots=True)
class ChallengeResult:
    """Who won a challenge: "attacker", "defender" or nobody."""

    winner: str
    difference: int
    unopposed: bool


def challenge_result(
    attack: ChallengeSide, defence: ChallengeSide, lower_may_win: bool = False
) -> ChallengeResult:
    """The higher total wins (AGOT-CHL-25), the attacker on a tie (AGOT-CHL-28).

    If that side cannot win, nobody does (AGOT-CHL-29); with `lower_may_win` the other side does if
    it can (AGOT-OR-7). An attack won against a defence of 0 is unopposed (AGOT-CHL-30).
    """
    attacker_leads = attack.total >= defence.total
    leader, other = (attack, defence) if attacker_leads else (defence, attack)
    difference = abs(attack.total - defence.total)
    if leader.may_win:
        winner = "attacker" if attacker_leads else "defender"
    elif lower_may_win and other.may_win:
        winner = "defender" if attacker_leads else "attacker"
    else:
        return ChallengeResult("", difference, False)
    return ChallengeResult(winner, difference, winner == "attacker" and defence.total == 0)


def needed_to_win(own: int, other: int, attacking: bool) -> int:
    """How much strength a side lacks to win: an attacker needs a tie, a defender one more."""
    return max(0, other - own if attacking else other - own + 1, 1 - own)
