"""The table: an immutable snapshot of which unit stands where, with the tokens that lie there;
and table files of either format, open or with a board.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from models import board_table
from models.board_table import BoardTable
from models.catalogue import Catalogue, catalogue
from models.field import Field, load_json, parse_json, shown
from models.message import BadInput, UnknownName, say
from models.pose import Pose, TablePlace
from models.record_reader import WRITTEN, Between, Length, Record, check_format
from models.terrain import Terrain
from models.unit import Unit, overlap_depth, trays_overlap

TOKEN_RADIUS_IN = 18 / 25.4
"""A token is 36 mm across."""


@dataclass(frozen=True, slots=True)
class TableToken(Record):
    """A round token: centre and radius in inches."""

    id: Annotated[str, Length(60)]
    x: TablePlace
    y: TablePlace
    radius: Annotated[float, Between(0.05, 6), WRITTEN] = TOKEN_RADIUS_IN


FORMAT = "table-companion/1"
TOKEN_KEYS = ("objectives", "tokens")
"""The list of tokens is written under the first name and read under either."""
MOST_ZONES = 8
MOST_UNITS = 100
"""Several times a large battle; the questions about a pair of units grow with the square of it."""
MOST_TERRAIN_CORNERS = 300
"""Of all outlines: twenty pieces of twenty corners, several times what a game lays out."""


@dataclass(frozen=True, slots=True)
class Table:
    """Units, terrain and tokens at one moment of one game.

    >>> table = Table.load(Path("models/data/practice.table.json"))
    >>> table.unit("b1").pose.heading
    90.0
    """

    game: str
    width: float = 48.0
    depth: float = 48.0
    units: tuple[Unit, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    tokens: tuple[TableToken, ...] = ()
    mode: str = ""
    zones: tuple[tuple[str, str], ...] = ()
    """The deployment zones that players chose, each with its side; "" for one still free."""
    _index: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._index.update({unit.id: place for place, unit in enumerate(self.units)})

    # -- queries ----------------------------------------------------------------------------

    def unit(self, unit_id: str) -> Unit:
        try:
            return self.units[self._index[unit_id]]
        except KeyError:
            known = ", ".join(self._index) or "none"
            raise UnknownName(f"no unit {unit_id!r} on the table; there are: {known}") from None

    def __contains__(self, unit_id: object) -> bool:
        return unit_id in self._index

    def enemies(self, unit: Unit) -> Iterator[Unit]:
        """Every unit of another side."""
        return (other for other in self.units if other.side != unit.side)

    def friends(self, unit: Unit) -> Iterator[Unit]:
        """Every other unit of the same side."""
        return (other for other in self.units if other.side == unit.side and other.id != unit.id)

    def sides(self) -> tuple[str, ...]:
        """The sides in the order in which they first appear."""
        return tuple(dict.fromkeys(unit.side for unit in self.units))

    def coloured(self) -> tuple[str, ...]:
        """The sides that the map shows: those with units, and those that chose a zone."""
        return tuple(dict.fromkeys((*self.sides(), *(side for _, side in self.zones if side))))

    def moved(self, unit_id: str, pose: Pose) -> Table:
        """The same table with one unit at another pose."""
        moved = self.unit(unit_id).at(pose)
        return replace(
            self, units=tuple(moved if unit.id == unit_id else unit for unit in self.units)
        )

    def without(self, unit_id: str) -> Table:
        gone = self.unit(unit_id)
        return replace(self, units=tuple(unit for unit in self.units if unit is not gone))

    # -- text -------------------------------------------------------------------------------

    @classmethod
    def read(cls, root: Field, facts: Catalogue | None = None, moved: str = "") -> Table:
        """Read a table from a parsed file; every error names its place.

        A unit that just `moved` may overlap others: the rules decide whether it may.
        """
        raw = root.keys(
            {"format", "game", "table", "units", "terrain", *TOKEN_KEYS, "mode", "zones"},
            {"format", "game", "units"},
        )
        check_format(root, FORMAT)
        game = root.member("game").choice(Catalogue.games())
        facts = facts or catalogue(game)
        width = depth = 48.0
        if "table" in raw:
            size = root.member("table")
            size.keys({"width", "depth"}, {"width", "depth"})
            width = size.member("width").number(12, 144)
            depth = size.member("depth").number(12, 144)
        units = [
            Unit.read(item, facts.trays, facts.profiles)
            for item in root.member("units").items(MOST_UNITS)
        ]
        terrain = [Terrain.read(item, facts.pieces) for item in root.listed("terrain", 200)]
        token_key, *others = [key for key in TOKEN_KEYS if key in raw] or TOKEN_KEYS[:1]
        if others:
            root.member(others[0]).fail(say("{name} stands twice", name=shown(token_key)))
        tokens = [TableToken.read(item) for item in root.listed(token_key, 100)]
        refuse_crowded(root, terrain)
        for key, things in (("units", units), ("terrain", terrain), (token_key, tokens)):
            refuse_twins(root.member(key) if key in raw else root, things)
        refuse_overlaps(root.member("units"), units, moved)
        mode = root.member("mode").text(20) if "mode" in raw else ""
        zones = read_zones(root.member("zones")) if "zones" in raw else ()
        return cls(game, width, depth, tuple(units), tuple(terrain), tuple(tokens), mode, zones)

    @classmethod
    def load(cls, path: Path | str, moved: str = "") -> Table:
        """A table from a `*.table.json` file; the unit that just `moved` may overlap others."""
        return cls.read(load_json(Path(path)), moved=moved)

    @classmethod
    def parse(cls, text: str, source: str = "table") -> Table:
        """A table from the text of such a file."""
        return cls.read(parse_json(text, source))

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "table": {"width": self.width, "depth": self.depth},
            "units": [unit.to_json() for unit in self.units],
            "terrain": [piece.to_json() for piece in self.terrain],
            TOKEN_KEYS[0]: [token.to_json() for token in self.tokens],
        }
        if self.mode:
            text["mode"] = self.mode
        if self.zones:
            text["zones"] = dict(self.zones)
        return text

    def text(self) -> str:
        """The table as the text of a file; `Table.parse` reads it back."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"


def read_zones(field: Field) -> tuple[tuple[str, str], ...]:
    """The zones of a table file, each with its side."""
    if not isinstance(field.raw, dict) or len(field.raw) > MOST_ZONES:
        field.fail(say("is not an object with at most {most} zones", most=MOST_ZONES))
    return tuple((zone, side and field.member(zone).text(60)) for zone, side in field.raw.items())


def refuse_crowded(root: Field, terrain: list[Terrain]) -> None:
    """Refuse more terrain than the lines of sight past it can be found for in time."""
    corners = sum(len(piece.outline) for piece in terrain)
    if corners > MOST_TERRAIN_CORNERS:
        root.member("terrain").fail(
            say(
                "has {count} corners in all, at most {most} are allowed",
                count=corners,
                most=MOST_TERRAIN_CORNERS,
            )
        )


def refuse_twins(place: Field, things: list[Any]) -> None:
    """Refuse duplicate ids."""
    seen: set[str] = set()
    for number, thing in enumerate(things):
        if thing.id in seen:
            Field(thing.id, place.source, f"{place.place}[{number}].id").fail(
                f"{shown(thing.id)} stands twice"
            )
        seen.add(thing.id)


def refuse_overlaps(place: Field, units: list[Unit], moved: str) -> None:
    """Refuse overlapping trays, which are impossible, except for a tray that just moved."""
    for number, unit in enumerate(units):
        for other in units[:number]:
            if moved in (unit.id, other.id):
                continue
            if trays_overlap(unit, other):
                depth = overlap_depth(unit, other)
                Field(unit.id, place.source, f"{place.place}[{number}]").fail(
                    f"tray of {shown(unit.id)} overlaps that of {shown(other.id)} by {depth:.2f} in"
                )


AnyTable = Table | BoardTable


def load_table(path: Path | str, moved: str = "") -> AnyTable:
    """A table from a `*.table.json` file; its `format` says of which kind.

    The unit that just `moved` may overlap others: the rules decide whether it may.
    """
    return read_table(load_json(Path(path)), moved)


def read_table(root: Field, moved: str = "") -> AnyTable:
    """A table of either kind from a parsed file."""
    if isinstance(root.raw, dict) and root.raw.get("format") == board_table.FORMAT:
        return BoardTable.read(root)
    return Table.read(root, moved=moved)


def load_open_table(path: Path | str) -> Table:
    """A table with trays; one with a board is refused in words."""
    found = load_table(path)
    if isinstance(found, BoardTable):
        raise BadInput(
            str(path), "", f"is a board of {found.game}; this needs an open table with trays"
        )
    return found
