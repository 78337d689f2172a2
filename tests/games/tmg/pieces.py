"""Things to put on a table in tests of set-up: trays, slabs of terrain, tokens."""

from __future__ import annotations

from companion.games.tmg.rules.modes import Area
from models import EXACT, Pose, Sigma, Table, TableToken, Terrain, Tray, Unit, catalogue

BLOCK = Tray("", 4.0, 3.0)
"""The catalogue's hypothetical tray."""


def block(
    unit_id: str,
    x: float,
    y: float,
    heading: float = 90.0,
    side: str = "blue",
    sigma: Sigma = EXACT,
) -> Unit:
    return Unit(unit_id, side, unit_id, BLOCK, Pose(x, y, heading, sigma))


def tray(
    kind: str,
    unit_id: str,
    x: float,
    y: float,
    heading: float = 90.0,
    side: str = "blue",
    models: int | None = None,
    sigma: Sigma = EXACT,
) -> Unit:
    known = catalogue("tmg-2021").trays[kind]
    pose = Pose(x, y, heading, sigma)
    return Unit(unit_id, side, unit_id, known, pose, models=models or known.models)


def slab(
    game: str, piece: str, x0: float, y0: float, x1: float, y1: float, piece_id: str = "t1"
) -> Terrain:
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain(piece_id, outline, catalogue(game).pieces[piece], piece)


def bare(
    game: str,
    *units: Unit,
    terrain: tuple[Terrain, ...] = (),
    tokens: tuple[TableToken, ...] = (),
    width: float = 48.0,
    depth: float = 48.0,
) -> Table:
    return Table(game, width, depth, units, terrain, tokens)


def bounds(area: Area) -> list[tuple[float, float, float, float]]:
    """Each part as left, bottom, right, top."""
    return [
        (
            min(x for x, _ in part),
            min(y for _, y in part),
            max(x for x, _ in part),
            max(y for _, y in part),
        )
        for part in area.parts
    ]
