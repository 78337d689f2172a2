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

ROUNDING = 1e-9
"""So near a half of a percent a sum of fractions may end that is one."""


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


def percent(chance: float) -> str:
    """A chance in whole percent, as players are told it everywhere; 0 % and 100 % only if certain.

    >>> percent(0.375), percent(0.004), percent(0.995), percent(1)
    ('38 %', '< 1 %', '> 99 %', '100 %')
    """
    if 0 < chance < 0.01:
        return "< 1 %"
    if 0.99 < chance < 1:
        return "> 99 %"
    return f"{math.floor(100 * chance + 0.5 + ROUNDING)} %"


class Share(float):
    """A chance in a template, which writes it as `percent` does.

    >>> f"{Share(0.375):.0%}", f"{Share(0.004):.0%}"
    ('38%', '<1%')
    """

    def __format__(self, spec: str) -> str:
        return percent(self).replace(" ", "") if spec == ".0%" else format(float(self), spec)


def bracketed(told: str) -> str:
    """The text in brackets after a space; empty for an empty text."""
    return f" ({told})" if told else ""
