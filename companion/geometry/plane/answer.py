"""Answers under measurement uncertainty: yes, no or unsure, with rule numbers and margin.

>>> judge(0.4, sigma_in=0.03).verdict
'yes'
>>> judge(0.04, sigma_in=0.03).verdict
'unsure'
>>> judge(-1e-7).verdict
'unsure'
>>> judge(0.0).verdict  # a limit exactly met is met
'yes'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

Verdict = Literal["yes", "no", "unsure"]

LIMIT_IN = 1e-6
"""With exact poses, a limit missed by less than this is too close to call."""

ROUNDING_IN = 1e-9
"""The rounding error at an exactly met limit; "up to 12 inches" includes 12 (OR-13)."""

SURE_SIGMAS = 3.0
"""A measured margin must exceed this many standard deviations to give yes or no."""

HALVINGS = 5
"""Bisection steps over ±3 sigmas: they locate a threshold to within a tenth of a sigma."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, the rule numbers that forbid it or make it unsure, and the margin to its limit.

    `margin_in` is positive on the yes side and None where no distance decides. `chance` is the
    probability that the true answer is yes, given the measurement error.
    """

    verdict: Verdict
    why: tuple[str, ...] = ()
    margin_in: float | None = None
    chance: float = 1.0

    def __bool__(self) -> bool:
        return self.verdict == "yes"

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object, as the commands print it."""
        text: dict[str, Any] = {"answer": self.verdict, "why": list(self.why)}
        if self.margin_in is not None:
            text["margin"] = rounded(self.margin_in)
        if self.verdict == "unsure":
            text["probability"] = round(self.chance, 3)
        return text


def rounded(value: float, digits: int = 4) -> float:
    """A number rounded for output; -0 becomes 0."""
    return round(value, digits) + 0.0


YES = Answer("yes")


def no(*why: str, margin_in: float | None = None) -> Answer:
    """The answer no, with its rule numbers."""
    return Answer("no", why, margin_in, 0.0)


def judge(margin_in: float, *why: str, sigma_in: float = 0.0) -> Answer:
    """Yes if the margin is safely positive, no if safely negative, else unsure.

    The rule numbers are kept only where the answer is not yes.
    """
    if margin_in >= SURE_SIGMAS * sigma_in - ROUNDING_IN:
        return Answer("yes", (), margin_in, 1.0)
    if margin_in < -max(LIMIT_IN, SURE_SIGMAS * sigma_in):
        return Answer("no", why, margin_in, 0.0)
    return Answer("unsure", why, margin_in, normal(margin_in, sigma_in))


def normal(margin_in: float, sigma_in: float) -> float:
    """The probability that the true margin is positive, given a measured one."""
    if sigma_in <= 0:
        return 0.5
    return 0.5 * (1 + math.erf(margin_in / (sigma_in * math.sqrt(2))))


def eased_chance(holds: Callable[[float], bool]) -> float:
    """The probability of something that depends on where everything really stands.

    `holds(sigmas)` says whether it is true when all measurements are shifted in its favour by that
    many standard deviations. It must be false at -3, true at 3 and monotonic; the threshold is
    found by bisection.
    """
    low, high = -SURE_SIGMAS, SURE_SIGMAS
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return round(normal(-(low + high) / 2, 1.0), 3)


def count_chances(chances: Iterable[float]) -> list[float]:
    """The probabilities that none, one, two and so on of these independent events hold.

    >>> count_chances([0.5, 0.5])
    [0.25, 0.5, 0.25]
    """
    counts = [1.0]
    for chance in chances:
        with_it, without = [0.0, *counts], [*counts, 0.0]
        counts = [
            one * chance + other * (1 - chance) for one, other in zip(with_it, without, strict=True)
        ]
    return counts


def both(*answers: Answer) -> Answer:
    """Yes only if all answers are: any no decides, then any unsure."""
    deciding: Sequence[Answer] = [answer for answer in answers if answer.verdict == "no"]
    if not deciding:
        deciding = [answer for answer in answers if answer.verdict == "unsure"] or answers
    if len(deciding) == 1:
        return deciding[0]
    verdict: Verdict = deciding[0].verdict if deciding else "yes"
    margins = [answer.margin_in for answer in deciding if answer.margin_in is not None]
    margin = min(margins) if margins else None
    why = reasons(tuple([answer.why for answer in deciding]))
    chance = 1.0
    for answer in deciding:
        chance *= answer.chance
    return Answer(verdict, why, margin, chance)


@lru_cache(maxsize=1024)
def reasons(whys: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """These rule numbers without duplicates; cached, as few distinct combinations occur."""
    return tuple(dict.fromkeys(rule for why in whys for rule in why))
