"""Morale and panic tests: who rolls, who passes, and what a failure costs.

>>> PanicTest(6, edition="2018").wounds(4)
2
>>> morale_chance(6, -2) == 15 / 36
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from companion.games.tmg.rules.combat.dice import D3, TWO_D6, Spread, dice_rules, total_result


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
        return PANIC_WOUNDS[self.edition](self.morale, self.result(total), d3)


def panic_is_rolled(wounds: int, wounds_left: int | None = None) -> bool:
    """Whether a unit that took this many wounds from an attack rolls for panic.

    Without a wound the test is passed unrolled (TMG-ATK-15); a destroyed unit takes none (OR-39).
    """
    return wounds > 0 and (wounds_left is None or wounds < wounds_left)


@lru_cache(maxsize=1024)
def panic_spread(test: PanicTest) -> Spread:
    """The distribution of a panic test's wounds; 0 means passed, as a failure costs at least 1."""
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
