"""The terrain of a hex: what it does to sight, movement, dice and fire (BOW-TER)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from models.lazy_message import say

DEVASTATION = "devastation"
REMOVED = "removed"
MOST_FIRE = 4
"""The highest number on a fire marker; a fire of that level spreads (BOW-FIR-9)."""
FIRES = tuple(f"fire-{level}" for level in range(1, MOST_FIRE + 1))


@dataclass(frozen=True, slots=True)
class HexTerrain:
    """One kind of terrain; without a burn limit it takes no fire (BOW-FIR-4)."""

    word: str
    blocks_sight: bool = False
    impassable: bool = False
    stops: bool = False
    road: bool = False
    bridge: bool = False
    marker: bool = False
    burn_limit: int | None = None
    burnt: str = ""
    """What the limit does to it: nothing, devastation, or the marker is removed."""


EVERY_TERRAIN = (
    HexTerrain("plains", burn_limit=4),  # BOW-TER-2
    HexTerrain("hill", blocks_sight=True),  # BOW-TER-3
    # BOW-TER-5, BOW-TER-6, BOW-TER-8
    HexTerrain("forest", blocks_sight=True, stops=True, burn_limit=3, burnt=DEVASTATION),
    HexTerrain("river", impassable=True),  # BOW-TER-9, BOW-TER-10
    HexTerrain("forest-river", blocks_sight=True, impassable=True),
    # BOW-TER-11, BOW-TER-12, BOW-TER-15
    HexTerrain("building", blocks_sight=True, stops=True, burn_limit=4, burnt=DEVASTATION),
    HexTerrain("road", road=True, burn_limit=4),  # BOW-TER-16, BOW-TER-17, BOW-TER-18
    HexTerrain("forest-road", blocks_sight=True, road=True, burn_limit=3, burnt=DEVASTATION),
    # BOW-TER-20, BOW-TER-22, BOW-TER-23
    HexTerrain("wooden-bridge", road=True, bridge=True, marker=True, burn_limit=3, burnt=REMOVED),
    HexTerrain("stone-bridge", road=True, bridge=True, marker=True),
    # BOW-TER-24, BOW-TER-25
    HexTerrain(
        "palisade", blocks_sight=True, impassable=True, marker=True, burn_limit=4, burnt=REMOVED
    ),
    HexTerrain("tent", marker=True, burn_limit=1, burnt=REMOVED),  # BOW-TER-26
    # BOW-TER-27, BOW-TER-28
    HexTerrain(
        "siege-tower", blocks_sight=True, impassable=True, marker=True, burn_limit=1, burnt=REMOVED
    ),
    HexTerrain("ford", marker=True),  # BOW-TER-29
)
TERRAIN = {one.word: one for one in EVERY_TERRAIN}
PLAINS = TERRAIN["plains"]
OVERLAYS = tuple(one.word for one in EVERY_TERRAIN if not one.marker)
MARKERS = tuple(one.word for one in EVERY_TERRAIN if one.marker)

TERRAIN_WORDS = {
    "plains": say("plains"),
    "hill": say("hill"),
    "forest": say("forest"),
    "river": say("river"),
    "forest-river": say("forest river"),
    "building": say("building"),
    "road": say("road"),
    "forest-road": say("forest road"),
}


def terrain_of(words: Iterable[str]) -> HexTerrain:
    """The terrain that counts: a marker beats the hex below it (BOW-TER-1).

    A devastation marker cancels everything below it: plains (BOW-TER-33).
    """
    known = [TERRAIN[word] for word in words if word in TERRAIN]
    if DEVASTATION in words:
        return PLAINS
    markers = [one for one in known if one.marker]
    return (markers or known or [PLAINS])[-1]


def fire_of(words: Iterable[str]) -> int:
    """The fire level that a hex's markers show; 0 without fire (BOW-FIR-1)."""
    return max((FIRES.index(word) + 1 for word in words if word in FIRES), default=0)
