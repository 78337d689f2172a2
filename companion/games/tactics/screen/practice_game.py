"""Ready squads of invented figures, and the practice game that is played with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.games.api.play import Plain
from companion.games.tactics.cards.map_tile import DATA
from companion.games.tactics.play.setup import SIDES
from models.field import Field, load_toml, shown

SQUAD_FORMAT = "table-companion/tactics-squads/1"
PRACTICE_FORMAT = "table-companion/tactics-practice/1"


@dataclass(frozen=True, slots=True)
class ReadySquad:
    """A whole squad to begin with."""

    id: str
    name: str
    faction: str
    figures: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.figures)

    @classmethod
    def read(cls, item: Field) -> ReadySquad:
        keys = {"id", "name", "faction", "figures"}
        item.keys(keys, keys)
        lines = tuple(one.text(120) for one in item.member("figures").items(40, 1))
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            item.member("faction").text(60),
            lines,
        )


@lru_cache(maxsize=1)
def ready_squads() -> Mapping[str, ReadySquad]:
    """The invented squads that come with the game, by id."""
    root = load_toml(DATA / "squads.toml")
    root.keys({"format", "squad"}, {"format"})
    if root.member("format").text() != SQUAD_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {SQUAD_FORMAT!r}")
    return {one.id: one for one in (ReadySquad.read(item) for item in root.listed("squad", 40))}


def practice_commands() -> tuple[Plain, ...]:
    """The commands of the practice game, from its file: set-up, deployment, first turn."""
    root = load_toml(DATA / "practice.toml")
    root.keys({"format", "scenario", "squads", "players", "seed", "command"}, {"format"})
    if root.member("format").text() != PRACTICE_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {PRACTICE_FORMAT!r}")
    known = ready_squads()
    names = [one.text(60) for one in root.member("players").items(2, 2)]
    squads = [
        {"side": side, "player": name, "list": known[item.choice(known)].text}
        for side, name, item in zip(SIDES, names, root.member("squads").items(2, 2), strict=True)
    ]
    setup = {
        "do": "set-up",
        "game": "tactics",
        "scenario": root.member("scenario").text(60),
        "squads": squads,
        "seed": root.member("seed").whole(0, 2**31),
    }
    return (setup, *(dict(item.raw) for item in root.listed("command", 200)))
