"""Units with weapons for tests of what happens in contact: the catalogue's 4 x 3 tray, Speed 5."""

from __future__ import annotations

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.readings import Readings
from models import EXACT, Attack, Pose, Sigma, Table, Terrain, Tray, Unit, catalogue

NEW, OLD = "tmg-2021", "tmg-2018"
BOTH = [NEW, OLD]
SWORD = Attack("Sword", "melee", 4, (7, 5, 4))
BOW = Attack("Bow", "long", 4, (7, 5, 4))
BLOCK = Tray("", 4.0, 3.0, models=12, ranks=3)
SQUARE = Tray("", 3.0, 3.0, models=12, ranks=3)


def fighter(
    unit_id: str,
    x: float,
    y: float,
    heading: float = 90.0,
    tray: Tray | str = BLOCK,
    speed: int = 5,
    attacks: tuple[Attack, ...] = (SWORD,),
    sigma: Sigma = EXACT,
) -> Unit:
    """A unit; ids that begin with b are blue, all others red."""
    known = catalogue(NEW).trays[tray] if isinstance(tray, str) else tray
    side = "blue" if unit_id.startswith("b") else "red"
    pose = Pose(x, y, heading, sigma)
    return Unit(unit_id, side, unit_id, known, pose, speed, models=known.models, attacks=attacks)


def patch(words: str, x0: float, y0: float, x1: float, y1: float, piece_id: str = "t1") -> Terrain:
    """A rectangle of terrain with those keywords."""
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain(piece_id, outline, frozenset(words.split()))


def field(
    game: str, *things: Unit | Terrain, readings: Readings | None = None, size: float = 48.0
) -> Battlefield:
    """Units and terrain on one battlefield."""
    units = tuple(thing for thing in things if isinstance(thing, Unit))
    terrain = tuple(thing for thing in things if isinstance(thing, Terrain))
    return Battlefield(Table(game, size, size, units, terrain), readings or Readings())


def spot(pose: Pose) -> tuple[float, float, float]:
    """A pose rounded for comparing; -0 is 0."""
    return round(pose.x, 4) + 0.0, round(pose.y, 4) + 0.0, round(pose.heading, 3) % 360
