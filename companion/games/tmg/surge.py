"""Surge Forward: who is set free when an enemy is destroyed in melee (TMG-SRG-2, -4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.moving import because
from companion.games.tmg.touch import engaged_with
from companion.geometry.answer import Answer, both


@dataclass(frozen=True, slots=True)
class Surge:
    """Whether the attacker may make its free Maneuver, and which friends a free pivot."""

    maneuver: Answer
    pivots: dict[str, Answer] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """The surge as a command would print it."""
        return {
            "maneuver": self.maneuver.plain(),
            "pivots": {name: answer.plain() for name, answer in self.pivots.items()},
        }


def surge(field: Battlefield, attacker: str, destroyed: str) -> Surge:
    """What the destruction of an enemy allows, asked on the battlefield where it still stands.

    Friends that were not engaged with it are not mentioned.
    """
    after = Battlefield(field.table.without(destroyed), field.readings)
    gone = field.index[destroyed]
    friends = np.flatnonzero(~field.enemies[field.index[attacker]])
    pivots = {}
    for place in friends.tolist():
        name = field.units[place].id
        was = engaged_with(field, place, gone, "TMG-SRG-4")
        if name != attacker and was.verdict != "no":
            free = after.unengaged[after.index[name]]
            pivots[name] = both(was, because(free, "TMG-SRG-4"))
    free = after.unengaged[after.index[attacker]]
    return Surge(because(free, "TMG-SRG-2"), pivots)
