"""Answers and names in words, the same for every game: chances, doubts, reasons, expected
wounds, and numbers for pieces that share a name.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from companion.text.translation import _, ruler, translate
from models.message import say


def numbered(names: Mapping[str, str]) -> dict[str, str]:
    """Names by id, numbered where several share one.

    >>> numbered({"b1": "Bowmen", "b2": "Bowmen", "b3": "Outriders"})
    {'b1': 'Bowmen 1', 'b2': 'Bowmen 2', 'b3': 'Outriders'}
    """
    twins = Counter(names.values())
    counted: Counter[str] = Counter()
    found: dict[str, str] = {}
    for key, name in names.items():
        counted[name] += 1
        found[key] = name if twins[name] == 1 else f"{name} {counted[name]}"
    return found


Reason = Callable[[str], str]
"""Maps a rule number to a short reason for a refusal by that rule."""


class WoundOdds(Protocol):
    """The odds of an attack, as far as they are put into words here."""

    @property
    def left_known(self) -> bool: ...

    def to_json(self) -> dict[str, Any]: ...


def reasoned(rule: str, reason: Reason) -> str:
    words = reason(rule)
    return f"{_(words)}, {rule}" if words else rule


def wounds(odds: WoundOdds | None) -> str:
    """The mean wounds of the attack, and the chance that it destroys the target."""
    if odds is None:
        return ""
    plain = odds.to_json()
    if not odds.left_known:
        return translate(say("{mean:.1f} wounds, destroys: unknown", mean=plain["mean"]))
    chance = percent(plain["destroys"])
    return translate(say("{mean:.1f} wounds, destroys {chance}", mean=plain["mean"], chance=chance))


def doubt(answer: Mapping[str, Any]) -> str:
    """A note for an answer that is too close to call."""
    if answer["answer"] != "unsure":
        return ""
    told = _("too close to call, {chance} yes").format(chance=percent(answer["probability"]))
    margin = answer.get("margin")
    return told if margin is None else f"{ruler().length(abs(margin))} {told}"


def percent(chance: float, halves: bool = True) -> str:
    """A chance in whole percent, or with its half, unless it stands among others without; 0 % and
    100 % only if certain."""
    if 0 < chance < 0.01:
        return "< 1 %"
    if 0.99 < chance < 1:
        return "> 99 %"
    if halves and has_half(chance):
        return f"{ruler().number(100 * chance, 1)} %"
    return f"{ruler().number(math.floor(100 * chance + 0.5), 0)} %"


def has_half(chance: float) -> bool:
    """Whether a chance is a whole number of percent and a half: 12.5 % is told as it is."""
    halves = round(200 * chance)
    return halves % 2 == 1 and abs(200 * chance - halves) < 1e-9


class Share(float):
    """A chance that a template writes in whole percent, or with its half."""

    def __format__(self, spec: str) -> str:
        return format(float(self), ".1%" if spec == ".0%" and has_half(self) else spec)


def bracketed(told: str) -> str:
    """The text in brackets after a space; empty for an empty text."""
    return f" ({told})" if told else ""
