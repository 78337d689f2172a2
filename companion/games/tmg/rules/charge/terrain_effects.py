"""What a charge feels of the ground it crosses, and minds of it."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.tmg.rules.battlefield import Battlefield
from companion.geometry.plane.motion.advance import AdvancePath
from companion.geometry.plane.sight.scalar_shapes import ConvexPart

FELT = frozenset(("dangerous", "destructible", "fortified", "hindering", "rough"))
"""Keywords a charge feels when it crosses a piece (TMG-TER-5, -10, -14, -17, -19)."""
MINDED = {"hindering": 8.0, "dangerous": 4.0, "fortified": 2.0, "destructible": 1.0}
"""Of equally short ways a player takes the one that costs the charge least."""


def crossed(
    field: Battlefield, place: int, path: AdvancePath, parts: Iterable[ConvexPart]
) -> list[ConvexPart]:
    """Which of these parts a unit's charge crosses (OR-24)."""
    tray = field.blockers.ground.boxes[place].turned(path.heading_rad)
    way = tray.swept(max(path.travel_in, 0.0))
    return [part for part in parts if part.lies_under(way)]


def minded(field: Battlefield, parts: Iterable[ConvexPart]) -> float:
    """How much a player minds to cross these."""
    return sum(part_minded(field, part) for part in parts)


def part_minded(field: Battlefield, part: ConvexPart) -> float:
    """How much a player minds to cross one of them."""
    return sum(MINDED.get(word, 0.0) for word in field.table.terrain[part.piece].keywords)


def effects(field: Battlefield, place: int, parts: Iterable[ConvexPart]) -> tuple[str, ...]:
    """What a unit's charge feels that crosses these parts (OR-24)."""
    edition, words = field.edition, set[str]()
    for part in parts:
        left = edition.felt_entering if field.on_piece[place, part.piece] else frozenset()
        words |= field.table.terrain[part.piece].keywords - left
    words &= FELT if edition.crushes else FELT - {"destructible"}
    if field.on_rough[place]:
        words.add("rough")
    return tuple(sorted(words))
