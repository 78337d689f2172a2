"""A battle plan: board, forces, rounds, each house's numbers, what wins (BOW-GEN-3, BOW-VIC-1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from companion.games.westeros.cards.catalogue import CardCollection
from companion.games.westeros.cards.unit_cards import RANKS, CommanderCard, UnitReference
from models.board import Board, Cell, cell_text, read_cell
from models.field import Field
from models.message import say

CELL_IN = 2.08
"""The width of a hex: the board is 82 cm wide and has 15 and a half hexes in a row."""
ORIENTATIONS = ("landscape", "portrait")
BOARD_SIDES = {"A": (15, 11), "B": (10, 15)}
"""Columns and rows of complete hexes. Side A has its rows along the long edge, side B along the
short one. Every row ends in a half hex, which is not part of the field (BOW-MOV-3)."""


def plain_board(side: str) -> dict[str, Any]:
    """An empty board of that side, as a table file holds it."""
    columns, rows = BOARD_SIDES[side]
    return {"space": "hex", "columns": columns, "rows": rows, "cell": CELL_IN}


def edges_of(side: str, orientation: str) -> tuple[str, str]:
    """The edges of the two houses: rows of hexes run along them, or towards the players."""
    along = (side == "A") == (orientation == "landscape")
    return ("bottom", "top") if along else ("left", "right")


MOST_VP = 30


@dataclass(frozen=True, slots=True)
class BattleSite:
    """A place to hold: points after each round, and at the end (BOW-RND-16)."""

    cell: Cell
    each_round: int = 0
    at_end: int = 0
    held_by: str = ""
    """The house whose control marker lies there at the start (BOW-CMP-8)."""

    def to_json(self) -> dict[str, Any]:
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

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "unit": self.unit,
            "capture": self.capture,
            "morale": list(self.morale),
            "goal": self.goal,
            "sites": [one.to_json() for one in self.sites],
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


BASIC_CARDS = 10
"""Basic command cards of a house (BOW-SET-4)."""
COMMANDER_CARDS = 5
"""Command cards of each commander in play (BOW-SET-4)."""
MOST_UNITS = 40
SIDES = ("stark", "lannister")


@dataclass(frozen=True, slots=True)
class PlanUnit:
    """A unit of a battle plan: its card, rank and start hex; a commander replaces one figure."""

    id: str
    name: str
    card: UnitReference
    rank: str
    cell: Cell | None = None
    commander: CommanderCard | None = None

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {"card": self.card.id, "rank": self.rank}
        if self.cell is not None:
            text["cell"] = cell_text(self.cell)
        return {**text, "commander": self.commander.id} if self.commander else text


@dataclass(frozen=True, slots=True)
class PlanHouse:
    """What a plan gives a house."""

    side: str
    name: str
    edge: str
    tokens: int
    orders: int
    cards: int
    rout: bool
    units: tuple[PlanUnit, ...]

    @property
    def deck(self) -> int:
        """The size of the command deck (BOW-SET-4)."""
        commanders = sum(one.commander is not None for one in self.units)
        return BASIC_CARDS + COMMANDER_CARDS * commanders

    def to_json(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "name": self.name,
            "tokens": self.tokens,
            "orders": self.orders,
            "cards": self.cards,
            "rout": self.rout,
            "units": [one.to_json() for one in self.units],
        }


@dataclass(frozen=True, slots=True)
class BattlePlan:
    """A scenario; self-contained once its cards are in it."""

    id: str
    name: str
    side: str
    orientation: str
    board: Board
    rounds: int
    mace: str
    houses: tuple[PlanHouse, ...]
    victory: BattleVictory
    note: str = ""

    def house(self, side: str) -> PlanHouse:
        return next(one for one in self.houses if one.side == side)

    @classmethod
    def read(cls, item: Field, cards: CardCollection) -> BattlePlan:
        """Read a plan; every error names its place."""
        raw = item.keys(
            {"id", "name", "side", "orientation", "columns", "rows", "cell", "ground", "rounds",
             "mace", "house", "victory", "note"},
            {"id", "name", "rounds", "house"},
        )  # fmt: skip
        side = item.member("side").choice(BOARD_SIDES) if "side" in raw else "A"
        word = "orientation"
        orientation = item.member(word).choice(ORIENTATIONS) if word in raw else ORIENTATIONS[0]
        board = read_board(item, side)
        edges = edges_of(side, orientation)
        houses: list[PlanHouse] = []
        for index, one in enumerate(item.member("house").items(2, 2)):
            known = [house.side for house in houses]
            houses.append(read_house(one, SIDES[index], edges[index], known, cards, board))
        taken: Counter[Cell] = Counter(
            u.cell for h in houses for u in h.units if u.cell is not None
        )
        for cell, count in taken.items():
            if count > 1:
                item.member("house").fail(
                    say("{n} units start on {cell}", n=count, cell=cell_text(cell))
                )
        sides = [one.side for one in houses]
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            side,
            orientation,
            board,
            item.member("rounds").whole(1, 10),
            item.member("mace").choice(sides) if "mace" in raw else sides[0],
            unlike(houses),
            BattleVictory.read(item.member("victory"), board, sides)
            if "victory" in raw
            else BattleVictory(),
            item.member("note").text(400) if "note" in raw else "",
        )

    def to_json(self) -> dict[str, Any]:
        """The plan as a JSON or TOML object; `read` reads it back."""
        board = self.board.to_json()
        text: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "side": self.side,
            "orientation": self.orientation,
            **{key: board[key] for key in ("columns", "rows", "cell")},
            "ground": board.get("ground", {}),
            "rounds": self.rounds,
            "mace": self.mace,
            "victory": self.victory.to_json(),
            "house": [one.to_json() for one in self.houses],
        }
        return {**text, "note": self.note} if self.note else text

    def cards(self) -> dict[str, Any]:
        """The cards that its units need, as a card file holds them."""
        units = {one.card.id: one.card.to_json() for h in self.houses for one in h.units}
        commanders = {
            one.commander.id: one.commander.to_json()
            for h in self.houses
            for one in h.units
            if one.commander
        }
        return {"unit": list(units.values()), "commander": list(commanders.values())}


def unlike(houses: list[PlanHouse]) -> tuple[PlanHouse, ...]:
    """The houses with unit names that are unique in the battle: their house stands behind them."""
    count = Counter(unit.name for house in houses for unit in house.units)
    return tuple(
        replace(
            house,
            units=tuple(
                replace(one, name=f"{one.name} ({house.name})") if count[one.name] > 1 else one
                for one in house.units
            ),
        )
        for house in houses
    )


def read_board(item: Field, side: str) -> Board:
    """The board of a plan: that side, or its own size, with the plan's terrain."""
    raw = item.raw
    plain = plain_board(side)
    for key in ("columns", "rows"):
        if key in raw:
            plain[key] = item.member(key).whole(2, 60)
    plain["cell"] = item.member("cell").number(0.25, 12) if "cell" in raw else CELL_IN
    if "ground" in raw:
        plain["ground"] = raw["ground"]
    return Board.read(Field(plain, item.source, item.place))


def read_house(
    item: Field, usual: str, edge: str, taken: list[str], cards: CardCollection, board: Board
) -> PlanHouse:
    """One house of a plan."""
    raw = item.keys(
        {"side", "name", "tokens", "orders", "cards", "rout", "units"},
        {"tokens", "orders", "cards", "units"},
    )
    side = item.member("side").text(40) if "side" in raw else usual
    if side in taken:
        item.member("side").fail(say("{side!r} plays twice", side=side))
    units: list[PlanUnit] = []
    for number, one in enumerate(item.member("units").items(MOST_UNITS), 1):
        units.append(read_unit(one, f"{side[0]}{number}", cards, board))
    return PlanHouse(
        side,
        item.member("name").text(60) if "name" in raw else side.title(),
        edge,
        item.member("tokens").whole(0, 10),
        item.member("orders").whole(1, 10),
        item.member("cards").whole(0, 10),
        item.member("rout").flag() if "rout" in raw else False,
        numbered(units),
    )


def read_unit(item: Field, unit_id: str, cards: CardCollection, board: Board) -> PlanUnit:
    """One unit of a plan (BOW-SET-8, BOW-SET-9)."""
    raw = item.keys({"card", "rank", "cell", "commander"}, {"card", "rank"})
    card = cards.units[item.member("card").choice(cards.units)]
    rank = item.member("rank").choice(RANKS)
    cell = None
    if "cell" in raw:
        cell = read_cell(item.member("cell"), board)
    commander = None
    if "commander" in raw:
        commander = cards.commanders[item.member("commander").choice(cards.commanders)]
        if commander.unit and commander.unit != card.id:  # BOW-SET-9
            item.member("commander").fail(
                say("{name} leads a unit of {card!r}", name=commander.name, card=commander.unit)
            )
    name = commander.name if commander else card.name
    return PlanUnit(unit_id, name, card, rank, cell, commander)


def numbered(units: list[PlanUnit]) -> tuple[PlanUnit, ...]:
    """The units with names that are unique in their house."""
    count = Counter(one.name for one in units)
    seen: Counter[str] = Counter()
    found = []
    for one in units:
        seen[one.name] += 1
        many = count[one.name] > 1
        found.append(replace(one, name=f"{one.name} {seen[one.name]}") if many else one)
    return tuple(found)
