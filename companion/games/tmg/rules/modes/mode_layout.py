"""Where a mode's zones, tokens, walls and corpse piles lie on a table of any size."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shapely import get_coordinates
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from companion.games.tmg.rules.margins import clearance, footprint
from companion.games.tmg.rules.modes.mode_facts import Mode
from companion.games.tmg.rules.readings import DEFAULT, Readings
from models import Table, TableToken, Terrain, Unit, UnknownName, catalogue
from models.table import TOKEN_RADIUS_IN
from models.unit import Point as Spot
from models.unit import corners

Part = tuple[Spot, ...]
"""A convex polygon, counter-clockwise."""

CORNERS = ("near-left", "near-right", "far-left", "far-right")
"""Corners as player 1 sees them."""
SEATED = ("near-left", "far-left", "far-right", "near-right")
"""The corners of three or four players, clockwise in the order of their turns (TMG-FFA-2, -4)."""


@dataclass(frozen=True, slots=True)
class Area:
    """A union of convex parts of the table in which a tray may be placed.

    A tray must be inside one part or, with `together`, inside the union; if not `completely`, it
    only has to overlap one.
    """

    rules: tuple[str, ...]
    parts: tuple[Part, ...]
    completely: bool = True
    together: bool = False

    @property
    def shape(self) -> Polygon:
        """The union of all parts, for drawing and for distances."""
        return unary_union([Polygon(part) for part in self.parts])

    def margin_in(self, unit: Unit) -> float:
        """The distance between the tray and the area's boundary; negative outside."""
        if self.completely and self.together and self.parts:
            return within_in(footprint(unit), self.shape)
        if self.completely:
            tray = corners(unit)
            return max((inside_in(tray, part) for part in self.parts), default=-math.inf)
        shape = footprint(unit)
        return max((-clearance(shape, Polygon(part)) for part in self.parts), default=-math.inf)


@dataclass(frozen=True, slots=True)
class BattleArea:
    """A table's size and, where the players' roles differ, which of them defends.

    Player 1 sits at y = 0, player 2 at y = depth.
    """

    width: float = 48.0
    depth: float = 48.0
    defender: int = 1

    @classmethod
    def of(cls, table: Table, defender: int = 1) -> BattleArea:
        """The size of a table, with its defender."""
        return cls(table.width, table.depth, defender)

    @property
    def whole(self) -> Part:
        """The whole table."""
        return box(0.0, 0.0, self.width, self.depth)

    def role(self, player: int) -> str:
        """A player's role, in modes where the roles differ."""
        return "defender" if checked(player) == self.defender else "attacker"

    def own_strip(self, player: int, deep_in: float) -> Part:
        """A strip of this depth along the player's own edge."""
        if checked(player) == 1:
            return box(0.0, 0.0, self.width, deep_in)
        return box(0.0, self.depth - deep_in, self.width, self.depth)

    def side_strip(self, side: str, deep_in: float) -> Part:
        """A strip of this depth along the left or right edge, as player 1 sees them."""
        if side == "left":
            return box(0.0, 0.0, deep_in, self.depth)
        if side == "right":
            return box(self.width - deep_in, 0.0, self.width, self.depth)
        raise UnknownName(f"no side edge {side!r}; there are: left, right")

    def corner_square(self, corner: str, side_in: float) -> Part:
        if corner not in CORNERS:
            raise UnknownName(f"no corner {corner!r}; there are: {', '.join(CORNERS)}")
        x = 0.0 if corner.endswith("left") else self.width - side_in
        y = 0.0 if corner.startswith("near") else self.depth - side_in
        return box(x, y, x + side_in, y + side_in)


def box(x0: float, y0: float, x1: float, y1: float) -> Part:
    """An axis-aligned rectangle."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def inside_in(points: Sequence[Spot], part: Part) -> float:
    """The depth of the shallowest of the points in a convex part; negative outside."""
    least = math.inf
    for (ax, ay), (bx, by) in zip(part, part[1:] + part[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        for x, y in points:
            least = min(least, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length)
    return least


def within_in(tray: Polygon, shape: Polygon) -> float:
    """The distance between a tray and a shape's boundary; minus the farthest excess if outside."""
    outside = get_coordinates(tray.difference(shape))
    if not len(outside):
        return float(tray.distance(shape.boundary))
    return -max(float(shape.distance(Point(x, y))) for x, y in outside.tolist())


def checked(player: int) -> int:
    """The player's number, or an error if it is not 1 or 2."""
    if player not in (1, 2):
        raise UnknownName(f"no player {player!r}; there are: 1, 2")
    return player


SIDES = ("left", "right")
FFA_SQUARE_IN = 12.0  # TMG-FFA-2


@dataclass(frozen=True, slots=True)
class TokenSpot:
    """The position of an objective token, and its points at the end of a round."""

    id: str
    name: str
    x: float
    y: float
    rule: str
    vp: int = 0

    def token(self, radius: float = TOKEN_RADIUS_IN) -> TableToken:
        """The token at that position."""
        return TableToken(self.id, self.x, self.y, radius)


@dataclass(frozen=True, slots=True)
class WallLine:
    """A castle wall; a destroyed one stays where it is (TMG-MODE-SOS-22)."""

    id: str
    outline: Part
    rule: str


@dataclass(frozen=True, slots=True)
class ModeLayout:
    """Everything a mode puts on an empty table, by player and in drawing order."""

    zones: tuple[Area, Area]
    spots: tuple[TokenSpot, ...]
    walls: tuple[WallLine, ...]
    piles: tuple[Terrain, ...]


def layout(mode: Mode, ground: BattleArea, readings: Readings = DEFAULT) -> ModeLayout:
    return ModeLayout(
        zones(mode, ground, readings),
        spots(mode, ground, readings),
        walls(mode, ground, readings),
        piles(mode, ground, readings),
    )


def player_of(table: Table, side: str) -> int:
    """The player's number: sides are numbered in the order in which they appear on the table."""
    sides = table.sides()
    if side not in sides[:2]:
        raise UnknownName(f"no player {side!r}; the sides are: {', '.join(sides[:2]) or 'none'}")
    return sides.index(side) + 1


# -- zones ------------------------------------------------------------------------------------


def zone(mode: Mode, ground: BattleArea, player: int, readings: Readings = DEFAULT) -> Area:
    """A player's deployment zone (TMG-SET-5)."""
    role = ground.role(player)
    fact = next(fact for fact in mode.facts.zones if fact.role in ("", role))
    rules = ("TMG-DEP-4", fact.rule)
    if fact.deep:
        return Area(rules, (ground.own_strip(player, fact.deep),))
    squares = own_corners(player, readings)
    return Area(rules, tuple(ground.corner_square(name, fact.square) for name in squares))


def zones(mode: Mode, ground: BattleArea, readings: Readings = DEFAULT) -> tuple[Area, Area]:
    """The zones of player 1 and player 2."""
    return zone(mode, ground, 1, readings), zone(mode, ground, 2, readings)


def own_corners(player: int, readings: Readings) -> tuple[str, str]:
    """The corners a player deploys in, where zones are corner squares (OR-45)."""
    if readings.cok_corners == "diagonal":
        return ("near-left", "far-right") if player == 1 else ("far-left", "near-right")
    return ("near-left", "near-right") if player == 1 else ("far-left", "far-right")


def corner_zone(ground: BattleArea, corner: str) -> Area:
    """The zone of a player who chose this corner in a free-for-all game."""
    return Area(("TMG-DEP-4", "TMG-FFA-2"), (ground.corner_square(corner, FFA_SQUARE_IN),))


def redeploy(
    mode: Mode,
    ground: BattleArea,
    player: int,
    held_sides: Collection[str] = (),
    readings: Readings = DEFAULT,
) -> Area | None:
    """Where a player's units arrive during the game; None where the mode has no such rule.

    `held_sides` are the side edges the player controls, for modes where that counts.
    """
    role = ground.role(player)
    fact = next((one for one in mode.facts.redeploys if one.role in ("", role)), None)
    if fact is None:
        return None
    parts: list[Part] = []
    if fact.zone:
        parts.extend(zone(mode, ground, player, readings).parts)
    if fact.own:
        parts.append(ground.own_strip(player, fact.own))
    if fact.sides:
        open_sides = held_sides if fact.held_sides else SIDES
        parts.extend(ground.side_strip(side, fact.sides) for side in open_sides)
    completely = fact.completely or readings.redeploy == "completely"  # OR-41
    # Where the text says completely, it means one zone or edge (TMG-MODE-COK-8).
    return Area((fact.rule,), tuple(parts), completely, not fact.completely)


def won_edge(
    mode: Mode, ground: BattleArea, spot_name: str, readings: Readings = DEFAULT
) -> str | None:
    """The side edge that control of a token gives (OR-34), or None."""
    if not mode.facts.edge_rule:
        return None
    spot = next((one for one in spots(mode, ground, readings) if one.name == spot_name), None)
    if spot is None or spot.x == ground.width / 2:
        return None
    nearest = "left" if spot.x < ground.width / 2 else "right"
    if readings.cok_edge == "nearest":
        return nearest
    return "right" if nearest == "left" else "left"


# -- tokens, walls, piles ---------------------------------------------------------------------


def spots(
    mode: Mode,
    ground: BattleArea,
    readings: Readings = DEFAULT,
    radius: float = TOKEN_RADIUS_IN,
) -> tuple[TokenSpot, ...]:
    """The fixed positions of the tokens; the players place the others."""
    extra = radius if readings.token_from == "rim" else 0.0  # OR-36
    return tuple(
        TokenSpot(
            f"o{number}",
            fact.name,
            coordinate(fact.at[0], ground.width, extra),
            coordinate(fact.at[1], ground.depth, extra),
            fact.rule,
            fact.vp,
        )
        for number, fact in enumerate(mode.facts.tokens, 1)
    )


def coordinate(word: str, length: float, extra: float) -> float:
    """A coordinate along an edge from 'left 6', 'far 18', 'middle' or 'middle -12'."""
    where, _, inches = word.partition(" ")
    if where in ("left", "near"):
        return float(inches) + extra
    if where in ("right", "far"):
        return length - float(inches) - extra
    if where != "middle":
        raise UnknownName(f"no place {word!r} on a table")
    aside = float(inches) if inches else 0.0
    both_rims = 2 * extra
    return length / 2 + aside + (both_rims if aside > 0 else -both_rims if aside < 0 else 0.0)


def walls(mode: Mode, ground: BattleArea, readings: Readings = DEFAULT) -> tuple[WallLine, ...]:
    """The castle walls, all standing."""
    fact = mode.facts.walls
    if fact is None:
        return ()
    length, thick = mode.facts.sizes.wall
    if fact.at_sides:  # OR-32
        low, high = (ground.depth - length) / 2, (ground.depth + length) / 2
        outlines = [
            box(0.0, low, thick, high),
            box(ground.width - thick, low, ground.width, high),
        ]
    else:
        middle = (ground.width - length) / 2
        way = readings.walls if readings.walls in fact.aside_from else fact.aside_from[0]  # OR-31
        left = fact.aside if way == "edges" else middle - fact.aside - length
        low = fact.from_edge
        if ground.defender == 2:
            low = ground.depth - fact.from_edge - thick
        outlines = [
            box(x, low, x + length, low + thick)
            for x in (left, middle, ground.width - left - length)
        ]
    return tuple(
        WallLine(f"wall{number}", outline, fact.rule) for number, outline in enumerate(outlines, 1)
    )


def behind_walls(mode: Mode, ground: BattleArea, player: int) -> Area | None:
    """The area behind the walls, if this player's units may not enter it.

    It extends from side edge to side edge, also behind the gaps between the walls.
    """
    fact = mode.facts.walls
    if fact is None or not fact.behind_rule:
        return None
    if fact.behind_bars == "enemies" and ground.role(player) == "defender":
        return None
    return Area((fact.behind_rule,), (ground.own_strip(ground.defender, fact.from_edge),))


def piles(mode: Mode, ground: BattleArea, readings: Readings = DEFAULT) -> tuple[Terrain, ...]:
    """The corpse piles under the tokens, in modes that have them."""
    fact = mode.facts.piles
    if fact is None or not fact.under_tokens:
        return ()
    width, depth = mode.facts.sizes.pile
    words = catalogue(mode.game).pieces["corpse-pile"]
    return tuple(
        Terrain(
            f"pile{number}",
            box(spot.x - width / 2, spot.y - depth / 2, spot.x + width / 2, spot.y + depth / 2),
            words,
            "corpse-pile",
        )
        for number, spot in enumerate(spots(mode, ground, readings), 1)
    )
