"""A battle whose table a camera sees: units where a test puts them."""

from __future__ import annotations

from models import EXACT, Pose, Sigma, Table, TableToken, Terrain, Unit, catalogue
from tests.play.battle import Battle

Spot = tuple[float, float, float]
NORTH, SOUTH, EAST = 90.0, 270.0, 0.0
DEEP = 4.8


def slab(game: str, piece: str, box: tuple[float, float, float, float]) -> Terrain:
    x0, y0, x1, y1 = box
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain(piece, outline, catalogue(game).pieces[piece], piece)


def seen(
    battle: Battle,
    spots: dict[str, Spot],
    terrain: tuple[Terrain, ...] = (),
    tokens: tuple[TableToken, ...] = (),
    sigma: Sigma = EXACT,
) -> Battle:
    """The camera shows these units there; the rest stand far behind."""
    trays = catalogue(battle.game).trays
    units = []
    for number, unit in enumerate(battle.state.units):
        back = 3.0 if unit.side == "blue" else 45.0
        facing = NORTH if unit.side == "blue" else SOUTH
        x, y, heading = spots.get(unit.id, (4.0 + 7.0 * number, back, facing))
        units.append(
            Unit(
                unit.id,
                unit.side,
                unit.name,
                trays[unit.tray],
                Pose(x, y, heading, sigma),
                speed=unit.speed,
                models=unit.models,
                attacks=unit.attacks,
            )
        )
    table = Table(battle.game, 48, 48, tuple(units), terrain, tokens)
    return battle.do("table", table=table.to_json())
