"""One attack of a unit's card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.field import Field

KINDS = ("melee", "short", "long")


@dataclass(frozen=True, slots=True)
class Attack:
    """Name, kind (melee, short or long range), to-hit value, and dice by remaining ranks."""

    name: str
    kind: str
    hit: int
    dice: tuple[int, ...]
    abilities: tuple[str, ...] = ()

    @property
    def ranged(self) -> bool:
        """Whether it is a ranged attack."""
        return self.kind != "melee"

    def dice_at(self, ranks_lost: int) -> int:
        """The dice with this many ranks lost; if missing, the last printed value (OR-46)."""
        return self.dice[min(max(ranks_lost, 0), len(self.dice) - 1)]

    @classmethod
    def read(cls, field: Field) -> Attack:
        """Read an attack object from a file."""
        raw = field.keys(
            {"name", "kind", "hit", "dice", "abilities"}, {"name", "kind", "hit", "dice"}
        )
        abilities: tuple[str, ...] = ()
        if "abilities" in raw:
            abilities = tuple(word.text() for word in field.member("abilities").items(40))
        return cls(
            field.member("name").text(),
            field.member("kind").choice(KINDS),
            field.member("hit").whole(1, 7),
            tuple(number.whole(0, 60) for number in field.member("dice").items(6, 1)),
            abilities,
        )

    def plain(self) -> dict[str, Any]:
        """The attack as a JSON object."""
        text: dict[str, Any] = {
            "name": self.name,
            "kind": self.kind,
            "hit": self.hit,
            "dice": list(self.dice),
        }
        if self.abilities:
            text["abilities"] = list(self.abilities)
        return text
