"""The effects of terrain on a charge that crosses it, and the preference between equal paths."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.tmg.rules.battlefield import Battlefield
from companion.geometry.plane.motion.advance import AdvancePath
from companion.geometry.plane.sight.scalar_shapes import ConvexPart

FELT = frozenset(("dangerous", "destructible", "fortified", "hindering", "rough"))
"""Keywords with an effect on a charge that crosses the piece (TMG-TER-5, -10, -14, -17, -19)."""
MINDED = {"hindering": 8.0, "dangerous": 4.0, "fortified": 2.0, "destructible": 1.0}
"""Penalties that break ties: of equally short paths, players take the least harmful one."""


def crossed(
    field: Battlefield, place: int, path: AdvancePath, parts: Iterable[ConvexPart]
) -> list[ConvexPart]:
    """The parts a unit's charge crosses (OR-24)."""
    tray = field.obstacles.boxes[place].turned(path.heading_rad)
    way = tray.swept(max(path.travel_in, 0.0))
    return [part for part in parts if part.lies_under(way)]


def minded(field: Battlefield, parts: Iterable[ConvexPart]) -> float:
    """The penalty of crossing these parts."""
    return sum(part_minded(field, part) for part in parts)


def part_minded(field: Battlefield, part: ConvexPart) -> float:
    """The penalty of crossing one part."""
    return sum(MINDED.get(word, 0.0) for word in field.table.terrain[part.piece].keywords)


def effects(field: Battlefield, place: int, parts: Iterable[ConvexPart]) -> tuple[str, ...]:
    """The effects on a unit's charge of crossing these parts (OR-24)."""
    edition, words = field.edition, set[str]()
    for part in parts:
        left = edition.felt_entering if field.on_piece[place, part.piece] else frozenset()
        words |= field.table.terrain[part.piece].keywords - left
    words &= FELT if edition.crushes else FELT - {"destructible"}
    if field.on_rough[place]:
        words.add("rough")
    return tuple(sorted(words))
