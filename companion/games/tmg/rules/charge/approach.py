"""The two free paths of a charge (shortest without obstacles), and what lies on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from companion.games.tmg.rules.battlefield import Battlefield, Pair
from companion.games.tmg.rules.charge.broadphase import ChargeStrip
from companion.games.tmg.rules.charge.terrain_effects import crossed
from companion.games.tmg.rules.distances import ROUGH_IN
from companion.games.tmg.rules.terrain_keywords import HIDES, SLOWS, STOPS
from companion.geometry.plane.answer import SURE_SIGMAS
from companion.geometry.plane.motion.advance import AdvancePath
from companion.geometry.plane.motion.free_advance import FreeAdvance
from companion.geometry.plane.sight.los_query import Other
from companion.geometry.plane.sight.scalar_shapes import ConvexPart
from companion.geometry.plane.solids import TOUCH_IN

NO_WORDS = frozenset[str]()


class FreeRoute(NamedTuple):
    """The free path after one of its two pivots."""

    heading: float
    clear: bool = False  # nothing blocks or slows it, whatever the measurement error
    screened: bool = False  # something may block line of sight after this pivot
    under: Sequence[ConvexPart] = ()  # the terrain that lies, or may lie, on it


class Approach(NamedTuple):
    """A charge before line of sight is tested."""

    pair: Pair
    free: FreeAdvance
    slow: bool  # the unit starts on Rough ground (TMG-TER-17)
    ways: list[FreeRoute]

    @classmethod
    def of(
        cls,
        field: Battlefield,
        pair: Pair,
        free: FreeAdvance,
        walled: Callable[[int, float], bool],
    ) -> Approach:
        """What lies on a unit's free paths; `walled` says whether it cannot turn to a heading."""
        mover, ground, ways = pair[0], field.obstacles, list(map(FreeRoute, free.heading))
        slow = bool(field.on_rough[mover])
        if free.travel < 0 or (slow and field.readings.rough == "each"):
            return cls(pair, free, slow, ways)
        # a unit that starts on Rough ground pays for it on every path, and nothing more
        stopping = STOPS if slow else STOPS | SLOWS
        trays, parts = beside(field, pair)
        enemy, over = field.opponents[mover], field.edition.pivot_over_friends
        foes = [other for other, _, place in trays if place in enemy]
        friends = [other for other, _, place in trays if place not in enemy]
        box = ground.boxes[mover].grown(SURE_SIGMAS * ground.spread[mover] - TOUCH_IN)
        for side, heading in enumerate(free.heading):
            tray = box.turned(heading)
            way = tray.swept(free.travel)
            if any(map(way.meets, foes)):
                continue
            under = [part for part in parts if part.lies_under(way)]
            words = words_of(field, under)
            clear = words.isdisjoint(stopping) and not (
                (not over and any(map(tray.meets, friends))) or walled(mover, heading)
            )
            screened = clear and (bool(words & HIDES) or any(map(way.meets, friends)))
            ways[side] = FreeRoute(heading, clear, screened, under)
        return cls(pair, free, slow, ways)

    def path(self, way: FreeRoute) -> AdvancePath:
        """The advance along one of its free paths."""
        travel = self.free.travel
        return AdvancePath(way.heading, travel, travel + ROUGH_IN * self.slow)

    def crossed(self, field: Battlefield, way: FreeRoute) -> Sequence[ConvexPart]:
        """The terrain the path crosses at the measured poses."""
        return way.under if field.exact else crossed(field, self.pair[0], self.path(way), way.under)


def words_of(field: Battlefield, parts: Iterable[ConvexPart]) -> frozenset[str]:
    """The keywords of these parts."""
    terrain = field.table.terrain
    return NO_WORDS.union(*(terrain[part.piece].keywords for part in parts))


def beside(field: Battlefield, pair: Pair) -> tuple[list[Other], list[ConvexPart]]:
    """Broad phase: what may lie on a free path: trays as large as they may be, and terrain."""
    strip = ChargeStrip.of(field.obstacles, *pair)
    trays = strip.trays(field.obstacles.eased(0.0 if field.exact else -SURE_SIGMAS))
    return [other for other in trays if other[2] not in pair], strip.parts(field.parts)
