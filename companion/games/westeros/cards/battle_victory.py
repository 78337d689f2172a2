"""What scores victory points in a battle plan, and what wins (BOW-VIC-1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.board import Board, read_cell
from models.cell import Cell, cell_text
from models.field import Field

MOST_VP = 30


@dataclass(frozen=True, slots=True)
class BattleSite:
    """A place to hold: points after each round, and at the end (BOW-RND-16)."""

    cell: Cell
    each_round: int = 0
    at_end: int = 0
    held_by: str = ""
    """The house whose control marker lies there at the start (BOW-CMP-8)."""

    def plain(self) -> dict[str, Any]:
        text = {"cell": cell_text(self.cell), "round": self.each_round, "end": self.at_end}
        return {**text, "held_by": self.held_by} if self.held_by else text


@dataclass(frozen=True, slots=True)
class BattleVictory:
    """Points for units, commanders, sites and enemy morale; a goal that wins at once.

    With `holder` the battle is decided by sites: that house wins if it holds `holds` of them at the
    end, else the other.
    """

    unit: int = 0
    capture: int = 0
    morale: tuple[int, int, int] = (0, 0, 0)
    """At the end, by the zone of the enemy's morale: green, yellow, red."""
    goal: int = 0
    sites: tuple[BattleSite, ...] = ()
    holder: str = ""
    holds: int = 0

    @classmethod
    def read(cls, item: Field, board: Board, sides: list[str]) -> BattleVictory:
        raw = item.keys({"unit", "capture", "morale", "goal", "sites", "holder", "holds"})

        def number(key: str) -> int:
            return item.member(key).whole(0, MOST_VP) if key in raw else 0

        sites = tuple(read_site(one, board, sides) for one in item.listed("sites", 20))
        morale = (0, 0, 0)
        if "morale" in raw:
            green, yellow, red = (
                one.whole(0, MOST_VP) for one in item.member("morale").items(3, 3)
            )
            morale = (green, yellow, red)
        return cls(
            number("unit"),
            number("capture"),
            morale,
            number("goal"),
            sites,
            item.member("holder").choice(sides) if "holder" in raw else "",
            item.member("holds").whole(1, len(sites)) if "holds" in raw and sites else len(sites),
        )

    def plain(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "unit": self.unit,
            "capture": self.capture,
            "morale": list(self.morale),
            "goal": self.goal,
            "sites": [one.plain() for one in self.sites],
        }
        if self.holder:
            text["holder"] = self.holder
        return {**text, "holds": self.holds} if self.sites else text


def read_site(item: Field, board: Board, sides: list[str]) -> BattleSite:
    """A place to hold."""
    raw = item.keys({"cell", "round", "end", "held_by"}, {"cell"})
    return BattleSite(
        read_cell(item.member("cell"), board),
        item.member("round").whole(0, MOST_VP) if "round" in raw else 0,
        item.member("end").whole(0, MOST_VP) if "end" in raw else 0,
        item.member("held_by").choice(sides) if "held_by" in raw else "",
    )
