"""A battle plan: board, forces, rounds, each house's numbers, what wins (BOW-GEN-3, BOW-VIC-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from operator import attrgetter
from typing import Annotated, Any, Literal, Protocol

from companion.games.westeros.cards.catalogue import CardCollection
from companion.games.westeros.cards.unit_cards import (
    CardId,
    CardName,
    CommanderCard,
    Rank,
    UnitReference,
)
from models.board import Board, Cell, cell_text, read_cell
from models.board_table import id_prefixes
from models.field import Field
from models.message import say
from models.record_reader import (
    GIVEN,
    WRITTEN,
    Between,
    FileKey,
    Length,
    ReadBy,
    Record,
    read_record,
    value_of,
)

CELL_IN = 2.08
"""The width of a hex: the board is 82 cm wide and has 15 and a half hexes in a row."""
Orientation = Literal["landscape", "portrait"]
BoardSide = Literal["A", "B"]
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
Points = Annotated[int, Between(0, MOST_VP)]
WrittenPoints = Annotated[Points, WRITTEN]
Rounds = Annotated[int, Between(1, 10)]
Tokens = Annotated[int, Between(0, 10)]
Orders = Annotated[int, Between(1, 10)]


@dataclass(frozen=True, slots=True)
class PlanContext:
    """What the parts of a plan are read with."""

    board: Board
    sides: tuple[str, ...] = ()
    cards: CardCollection = field(default_factory=CardCollection)


def read_side(field: Field, about: PlanContext) -> str:
    """A house of the battle."""
    return field.choice(about.sides)


BattleSide = Annotated[str, ReadBy(read_side)]


def read_plan_cell(field: Field, about: PlanContext) -> Cell:
    """A hex of the battle's board."""
    return read_cell(field, about.board)


MOST_SITES = 20
PlanCell = Annotated[Cell, ReadBy(read_plan_cell, cell_text)]


@dataclass(frozen=True, slots=True)
class BattleSite(Record):
    """A place to hold: points after each round, and at the end (BOW-RND-16)."""

    cell: PlanCell
    each_round: Annotated[WrittenPoints, FileKey("round")] = 0
    at_end: Annotated[WrittenPoints, FileKey("end")] = 0
    held_by: BattleSide = ""
    """The house whose control marker lies there at the start (BOW-CMP-8)."""


@dataclass(frozen=True, slots=True)
class BattleVictory(Record):
    """Points for units, commanders, sites and enemy morale; a goal that wins at once.

    With `holder` the battle is decided by sites: that house wins if it holds `holds` of them at the
    end, else the other.
    """

    unit: WrittenPoints = 0
    capture: WrittenPoints = 0
    morale: Annotated[tuple[Points, Points, Points], WRITTEN] = (0, 0, 0)
    """At the end, by the zone of the enemy's morale: green, yellow, red."""
    goal: WrittenPoints = 0
    sites: Annotated[tuple[BattleSite, ...], Length(MOST_SITES), WRITTEN] = ()
    holder: BattleSide = ""
    holds: Annotated[int, Between(0, MOST_SITES)] = 0
    """All sites if nobody says how many; a plan without sites yet keeps the number."""

    def checked(self, field: Field, about: PlanContext) -> BattleVictory:
        if self.sites and self.holds:
            field.member("holds").whole(1, len(self.sites))
        return replace(self, holds=self.holds or len(self.sites))


BASIC_CARDS = 10
"""Basic command cards of a house (BOW-SET-4)."""
COMMANDER_CARDS = 5
"""Command cards of each commander in play (BOW-SET-4)."""
MOST_UNITS = 40
SIDES = ("stark", "lannister")


def read_unit_card(field: Field, about: PlanContext) -> UnitReference:
    """A unit card by its id."""
    return about.cards.units[field.choice(about.cards.units)]


def read_commander(field: Field, about: PlanContext) -> CommanderCard:
    """A commander card by its id."""
    return about.cards.commanders[field.choice(about.cards.commanders)]


card_id = attrgetter("id")


@dataclass(frozen=True, slots=True)
class PlanUnit(Record):
    """A unit of a battle plan: its card, rank and start hex; a commander replaces one figure."""

    card: Annotated[UnitReference, ReadBy(read_unit_card, card_id)]
    rank: Rank
    cell: PlanCell | None = None
    commander: Annotated[CommanderCard, ReadBy(read_commander, card_id)] | None = None
    id: Annotated[str, GIVEN] = ""
    name: Annotated[str, GIVEN] = ""

    def checked(self, field: Field, about: PlanContext) -> PlanUnit:
        leader = self.commander
        if leader and leader.unit and leader.unit != self.card.id:  # BOW-SET-9
            unit = about.cards.units.get(leader.unit)
            card = unit.name if unit else leader.unit
            field.member("commander").fail(
                say("{name} leads a unit of {card}", name=leader.name, card=card)
            )
        return replace(self, name=(leader or self.card).name)


@dataclass(frozen=True, slots=True)
class PlanHouse(Record):
    """What a plan gives a house."""

    tokens: Tokens
    orders: Orders
    cards: Tokens
    units: Annotated[tuple[PlanUnit, ...], Length(MOST_UNITS)]
    side: Annotated[str, Length(40), WRITTEN] = ""
    name: Annotated[str, Length(60), WRITTEN] = ""
    rout: Annotated[bool, WRITTEN] = False
    edge: Annotated[str, GIVEN] = ""

    @property
    def deck(self) -> int:
        """The size of the command deck (BOW-SET-4)."""
        commanders = sum(one.commander is not None for one in self.units)
        return BASIC_CARDS + COMMANDER_CARDS * commanders

    def named(self, side: str) -> PlanHouse:
        """The house with its unit names numbered; its side is the usual one if the plan says
        none."""
        side = self.side or side
        name = self.name or side.title()
        return replace(self, side=side, name=name, units=numbered(list(self.units)))


@dataclass(frozen=True, slots=True)
class BattlePlan(Record):
    """A scenario; self-contained once its cards are in it."""

    id: CardId
    name: CardName
    rounds: Rounds
    board: Annotated[Board, GIVEN]
    houses: Annotated[tuple[PlanHouse, ...], GIVEN]
    side: Annotated[BoardSide, WRITTEN] = "A"
    orientation: Annotated[Orientation, WRITTEN] = "landscape"
    swapped: Annotated[bool, WRITTEN] = False
    """Whether the houses have each other's board edge (BOW-GEN-7)."""
    mace: Annotated[BattleSide, WRITTEN] = ""
    victory: Annotated[BattleVictory, WRITTEN] = BattleVictory()
    note: Annotated[str, Length(400)] = ""

    def house(self, side: str) -> PlanHouse:
        return next(one for one in self.houses if one.side == side)

    @classmethod
    def read(cls, field: Field, about: Any = None, /, **given: Any) -> BattlePlan:
        """A plan with the cards of a collection: its board first, then the houses on it."""
        raw = field.keys(field.members(), {"house", "id", "name", "rounds"})
        board = read_board(field)
        houses = read_houses(field.member("house"), PlanContext(board, (), about))
        context = PlanContext(board, tuple(one.side for one in houses))
        rest = {key: value for key, value in raw.items() if key not in APART}
        head = Field(rest, field.source, field.place)
        plan = read_record(cls, head, context, {"board": board, "houses": houses})
        edges = edges_of(plan.side, plan.orientation)
        edges = edges[::-1] if plan.swapped else edges
        seated = [replace(one, edge=edge) for one, edge in zip(houses, edges, strict=True)]
        return replace(plan, mace=plan.mace or houses[0].side, houses=unlike(seated))

    def to_json(self) -> dict[str, Any]:
        """The plan as a JSON or TOML object; `read` reads it back."""
        board = self.board.to_json()
        return {
            **Record.to_json(self),
            **{key: board[key] for key in ("columns", "rows", "cell")},
            "ground": board.get("ground", {}),
            "house": [one.to_json() for one in self.houses],
        }

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


def plan_faults(plan: BattlePlan) -> Iterator[tuple[str, str]]:
    """What a plan says that cannot be: where it stands in the form, and what is wrong."""
    for house in plan.houses:
        leaders = Counter(one.commander.name for one in house.units if one.commander)
        for name in (one for one, count in leaders.items() if count > 1):  # BOW-SET-3
            text = say("{name} leads two units: there is one figure", name=name)
            yield f"{house.side}_units", text
    yield from shared_leaders(plan.houses)
    sites = Counter(one.cell for one in plan.victory.sites)
    for cell in (one for one, count in sites.items() if count > 1):
        yield "sites", say("two sites lie on one hex: {cell}", cell=cell_text(cell))


def shared_leaders(houses: Sequence[PlanHouse]) -> Iterator[tuple[str, str]]:
    """Commanders who lead units of both houses (BOW-SET-3)."""
    led: set[str] = set()
    for house in houses:
        leaders = {one.commander.name for one in house.units if one.commander}
        for name in sorted(leaders & led):
            text = say("{name} leads units of both houses: there is one figure", name=name)
            yield f"{house.side}_units", text
        led |= leaders


def refuse_faults(plan: BattlePlan, field: Field) -> None:
    """Raise what is wrong with a new or imported plan; one that is being played is left alone."""
    for _, text in plan_faults(plan):
        field.fail(text)


class NamedUnit(Protocol):
    """A unit of a plan, or of a battle."""

    @property
    def name(self) -> str: ...

    @property
    def card(self) -> UnitReference: ...

    @property
    def commander(self) -> CommanderCard | None: ...


def short_name(unit: NamedUnit) -> str:
    """The name on the map: a commander's first name, else the unit type with its number."""
    if unit.commander is not None:
        return unit.commander.name.split()[0]
    number = unit.name.removeprefix(unit.card.name).partition("(")[0].strip()
    return f"{unit.card.label} {number}".strip()


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


APART = frozenset(("columns", "rows", "cell", "ground", "house"))
"""The members of a plan that are read before the others: its board and its houses."""


def read_board(field: Field) -> Board:
    """The board of a plan: that side, or its own size, with the plan's terrain."""
    raw = field.raw
    side = value_of(BattlePlan, "side")
    plain = plain_board(side.limits.read(field.member("side"), None) if "side" in raw else "A")
    for key in ("columns", "rows"):
        if key in raw:
            plain[key] = field.member(key).whole(2, 60)
    plain["cell"] = field.member("cell").number(0.25, 12) if "cell" in raw else CELL_IN
    if "ground" in raw:
        plain["ground"] = raw["ground"]
    return Board.read(Field(plain, field.source, field.place))


def read_houses(field: Field, context: PlanContext) -> list[PlanHouse]:
    """The two houses; a side twice and two units on one hex are refused."""
    houses: list[PlanHouse] = []
    for usual, item in zip(SIDES, field.items(len(SIDES), len(SIDES)), strict=True):
        house = PlanHouse.read(item, context).named(usual)
        if any(house.side == one.side for one in houses):
            place = item.member("side") if "side" in item.raw else item
            place.fail(say("{side!r} plays twice", side=house.side))
        houses.append(house)
    prefixes = id_prefixes([one.side for one in houses])
    houses = [with_ids(one, prefixes[one.side]) for one in houses]
    units = [one for house in houses for one in house.units if one.cell is not None]
    for one, two in combinations(units, 2):
        if one.cell == two.cell:
            names = f"{one.name}, {two.name}"
            field.fail(say("two units start on one hex: {names}", names=names))
    return houses


def with_ids(house: PlanHouse, prefix: str) -> PlanHouse:
    """The house with the ids of its units."""
    units = [replace(one, id=f"{prefix}{at}") for at, one in enumerate(house.units, 1)]
    return replace(house, units=tuple(units))


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
