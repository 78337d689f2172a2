"""The flank and rear bonus of an attack, from positions (TMG-BON-3..6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.odds import ZONE_BONUS, zone_of
from companion.games.tmg.rules.tray_contact import edge_chances
from companion.geometry.plane.answer import YES, Answer

RULES = {"front": (), "flank": ("TMG-BON-3", "TMG-BON-4"), "rear": ("TMG-BON-5", "TMG-BON-6")}


@dataclass(frozen=True, slots=True)
class Bonus:
    """The penalty to the enemy's defense rolls and panic tests, with its rules.

    `answer` is unsure where the arc cannot be determined; in an exact tie the attacker chooses
    (OR-6), so `zone` is then the best of `choices`.
    """

    zone: str
    defense: int
    panic: int
    rules: tuple[str, ...] = ()
    answer: Answer = YES
    choices: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The bonus as a JSON object."""
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

    Where the trays meet corner to corner, the arc that contains more of the attacker decides.
    """
    return of_arcs(edge_chances(field, target, attacker), "OR-7")


def of_arcs(odds: dict[str, float], rule: str) -> Bonus:
    """The bonus of the best of these arcs; certain where all are worth the same."""
    kinds = tuple(dict.fromkeys(zone_of(arc) for arc in odds))
    best = min(kinds, key=ZONE_BONUS.__getitem__)
    chance = round(sum(part for arc, part in odds.items() if zone_of(arc) == best), 3)
    answer = YES if len(kinds) == 1 else Answer("unsure", (rule,), None, chance)
    worth = ZONE_BONUS[best]
    return Bonus(best, worth, worth, RULES[best], answer, kinds if len(kinds) > 1 else ())
