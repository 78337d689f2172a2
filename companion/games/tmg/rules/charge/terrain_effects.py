"""The effects of terrain on a charge that crosses it, and the preference between equal paths."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.terrain_keywords import SLOWS, TERRAIN_KEYWORDS
from companion.geometry.plane.motion.advance import AdvancePath
from companion.geometry.plane.sight.scalar_shapes import ConvexPart


def crossed(
    field: Battlefield, place: int, path: AdvancePath, parts: Iterable[ConvexPart]
) -> list[ConvexPart]:
    """The parts a unit's charge crosses (OR-24)."""
    tray = field.obstacles.boxes[place].turned(path.heading_rad)
    way = tray.swept(max(path.travel_in, 0.0))
    return [part for part in parts if part.lies_under(way)]


def penalty(field: Battlefield, parts: Iterable[ConvexPart]) -> float:
    """The penalty of crossing these parts, to choose between equally short paths."""
    words = (field.table.terrain[part.piece].keywords for part in parts)
    return sum(TERRAIN_KEYWORDS[word].penalty for some in words for word in some)


def effects(field: Battlefield, place: int, parts: Iterable[ConvexPart]) -> tuple[str, ...]:
    """The effects on a unit's charge of crossing these parts (OR-24)."""
    words = set[str]()
    for part in parts:
        piece, leaving = field.table.terrain[part.piece], bool(field.on_piece[place, part.piece])
        words |= field.edition.charge_effects(piece.keywords, leaving)
    if field.on_rough[place]:
        words |= SLOWS
    return tuple(sorted(words))
