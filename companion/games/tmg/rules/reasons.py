"""Why positions forbid something: a short sentence for players for each rule number.

>>> reason("TMG-CHG-2")
'the target is not in its line of sight'
>>> reasons_text(("TMG-CHG-4",), over_in=1.26)
'the target is farther than its longest charge, by 1.3″ (TMG-CHG-4)'
"""

from __future__ import annotations

from collections.abc import Iterable

from models.lazy_message import joined, say

REASONS = {
    "TMG-LOS-4": say("nothing of the target is in its front arc"),
    "TMG-LOS-5": say("units stand in its line of sight"),
    "TMG-LOS-6": say("terrain blocks its line of sight"),
    "TMG-MOV-1": say("a pivot turns on the spot"),
    "TMG-MOV-3": say("its tray would lie on another unit"),
    "TMG-MOV-5": say("a shift goes straight ahead, back or sideways"),
    "TMG-MOV-6": say("a shift keeps the facing"),
    "TMG-MOV-7": say("it would end within 1″ of an enemy"),
    "TMG-MOV-9": say("its tray would lie on a friend"),
    "TMG-MOV-10": say("it would go through an enemy"),
    "TMG-MAN-1": say("it is engaged"),
    "TMG-MAN-3": say("that is farther than its Speed"),
    "TMG-MAR-1": say("it is engaged"),
    "TMG-MAR-2": say("that is farther than twice its Speed"),
    "TMG-MAR-3": say("a march goes straight ahead"),
    "TMG-RET-1": say("it is not engaged"),
    "TMG-RET-3": say("a retreat goes back or sideways, as far as its Speed and the die"),
    "TMG-RET-4": say("it retreats forward only from a foe at its flank or rear"),
    "TMG-RET-9": say("it finds no place to retreat to"),
    "TMG-RNG-2": say("it is engaged"),
    "TMG-RNG-3": say("it has no ranged attack"),
    "TMG-RNG-5": say("that is farther than a shift of 2″"),
    "TMG-RNG-6": say("after the shift it has no target in range and sight"),
    "TMG-RNG-10": say("the target is out of range"),
    "TMG-CHG-1": say("it is engaged"),
    "TMG-CHG-2": say("the target is not in its line of sight"),
    "TMG-CHG-3": say("there is no room to align with the target"),
    "TMG-CHG-4": say("the target is farther than its longest charge"),
    "TMG-CHG-7": say("it stands astride two arcs of the target"),
    "TMG-CHG-9": say("it would lose sight of the target by its pivot"),
    "TMG-CHG-10": say("no pivot leads to contact with the target"),
    "TMG-CHG-12": say("a charge goes straight ahead for all its distance"),
    "TMG-CHG-13": say("something stops it on its way"),
    "TMG-CHG-14": say("it does not touch the target"),
    "TMG-CHG-15": say("it does not get as far as the target"),
    "TMG-CHG-17": say("it is not aligned at 100 % or 50 %"),
    "TMG-TER-6": say("Cover hides the target from shots"),
    "TMG-TER-15": say("impassable ground is in its way"),
    "TMG-TER-16": say("impassable ground bars its pivot"),
    "TMG-TER-18": say("a piece that blocks sight stands between"),
}


def reason(rule: str) -> str:
    """The sentence for a rule number; empty if there is none."""
    return REASONS.get(rule, "")


def reasons_text(rules: Iterable[str], over_in: float = 0.0) -> str:
    """The sentences with their numbers; the limit of the last one is missed by `over_in` inches."""
    every = tuple(dict.fromkeys(rules))
    parts = []
    for number, rule in enumerate(every, 1):
        words = reason(rule)
        if over_in > 0 and number == len(every):
            words = say("{reason}, by {inches:.1f}″", reason=words, inches=over_in)
        parts.append(say("{reason} ({rule})", reason=words, rule=rule) if words else rule)
    return joined(parts)
