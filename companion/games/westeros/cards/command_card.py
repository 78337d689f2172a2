"""A command card: tokens of its commands, units, and what its tactic checks (BOW-CRD).

Its text stays on the paper card: only the numbers that the rules check are entered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.westeros.cards.morale_track import ZONE_NAMES
from companion.games.westeros.combat.die import SYMBOLS
from models.field import Field

MOST_COMMANDS = 4
MOST_TOKENS = 9
MOST_ORDERED = 12


@dataclass(frozen=True, slots=True)
class CommandCard:
    """A command card as players enter it.

    `costs` are the tokens of each command, `units` how many units it orders at most.
    """

    id: str
    name: str
    house: str = ""
    commander: str = ""
    """The commander whose card it is; a basic card of the house without one (BOW-SET-4)."""
    costs: tuple[int, ...] = (1,)
    units: int = MOST_ORDERED
    dice: int = 0
    needs: tuple[str, ...] = ()
    own_morale: str = ""
    enemy_morale: str = ""

    @classmethod
    def read(cls, item: Field) -> CommandCard:
        """Read a card; every error names its place."""
        raw = item.keys(
            {"id", "name", "house", "commander", "commands", "units", "dice", "needs",
             "own_morale", "enemy_morale"},
            {"id", "name"},
        )  # fmt: skip
        texts = {key: item.member(key).text(60) for key in ("house", "commander") if key in raw}
        zones = {
            key: item.member(key).choice(ZONE_NAMES)
            for key in ("own_morale", "enemy_morale")
            if key in raw
        }
        costs: tuple[int, ...] = (1,)
        if "commands" in raw:
            listed = item.member("commands").items(MOST_COMMANDS)
            costs = tuple(one.whole(0, MOST_TOKENS) for one in listed)
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            costs=costs,
            units=item.member("units").whole(0, MOST_ORDERED) if "units" in raw else MOST_ORDERED,
            dice=item.member("dice").whole(-5, 5) if "dice" in raw else 0,
            needs=tuple(one.choice(SYMBOLS) for one in item.listed("needs", 9)),
            **texts,
            **zones,
        )

    def plain(self) -> dict[str, Any]:
        """The card as a JSON or TOML object; `read` reads it back."""
        text: dict[str, Any] = {"id": self.id, "name": self.name}
        for key in ("house", "commander", "dice", "own_morale", "enemy_morale"):
            if value := getattr(self, key):
                text[key] = value
        return {
            **text,
            "commands": list(self.costs),
            "units": self.units,
            "needs": list(self.needs),
        }
