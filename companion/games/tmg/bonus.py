"""Flank and rear bonus from positions: what an attack's arc costs the enemy (TMG-BON-3..6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.looking import zones
from companion.games.tmg.odds import ZONE_BONUS, zone_of
from companion.games.tmg.report import Zone
from companion.games.tmg.touch import touched_edges
from companion.geometry.answer import YES, Answer

RULES = {"front": (), "flank": ("TMG-BON-3", "TMG-BON-4"), "rear": ("TMG-BON-5", "TMG-BON-6")}


@dataclass(frozen=True, slots=True)
class Bonus:
    """What an enemy's defense rolls and panic tests lose to an attack, and by which rules.

    `answer` is unsure where the arc cannot be told; the attacker chooses in an exact tie (OR-6),
    so `zone` is then the best of `choices`.
    """

    zone: str
    defense: int
    panic: int
    rules: tuple[str, ...] = ()
    answer: Answer = YES
    choices: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The bonus as a command would print it."""
        return {
            **self.answer.plain(),
            "zone": self.zone,
            "defense": self.defense,
            "panic": self.panic,
            "rules": list(self.rules),
            "choices": list(self.choices),
        }


def melee_bonus(field: Battlefield, attacker: int, target: int) -> Bonus:
    """The bonus of a melee attack: the enemy's edge in contact decides (OR-7).

    Where the trays meet corner on corner, the arc that holds more of the attacker does.
    """
    edges = touched_edges(field, target, attacker)
    return of_arcs(edges, "OR-7")


def ranged_bonus(field: Battlefield, zone: Zone) -> Bonus:
    """The bonus of a ranged attack from that zone (its shift counted in), if shots have any."""
    if not field.edition.ranged_flanks:
        return of_arcs(("front",), "OR-6")
    return of_arcs(zone.choices or (zone.arc,), "OR-6")


def standing_bonus(field: Battlefield, attacker: int, target: int) -> Bonus:
    """The bonus of a ranged attack from where the unit stands."""
    zone = zones(field, np.array([attacker]), np.array([target]))[0]
    return ranged_bonus(field, zone)


def of_arcs(arcs: tuple[str, ...], rule: str) -> Bonus:
    """The bonus of the best of these arcs; sure where all are worth the same."""
    kinds = tuple(dict.fromkeys(zone_of(arc) for arc in arcs))
    best = min(kinds, key=ZONE_BONUS.__getitem__)
    answer = YES if len(kinds) == 1 else Answer("unsure", (rule,), None, 0.5)
    worth = ZONE_BONUS[best]
    return Bonus(best, worth, worth, RULES[best], answer, kinds if len(kinds) > 1 else ())
