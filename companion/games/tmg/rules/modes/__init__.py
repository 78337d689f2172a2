"""Game modes: their data, and where their zones, tokens and walls lie on a table.

>>> got = mode("tmg-2021", "GOT")
>>> [(spot.x, spot.y) for spot in spots(got, BattleArea())]
[(24.0, 24.0), (6.0, 18.0), (42.0, 18.0), (6.0, 30.0), (42.0, 30.0)]
"""

from companion.games.tmg.rules.modes.mode_facts import Limit, Mode, mode, modes
from companion.games.tmg.rules.modes.mode_layout import (
    CORNERS,
    Area,
    BattleArea,
    ModeLayout,
    TokenSpot,
    WallLine,
    behind_walls,
    corner_zone,
    layout,
    piles,
    player_of,
    redeploy,
    spots,
    walls,
    won_edge,
    zone,
    zones,
)

__all__ = [
    "CORNERS",
    "Area",
    "BattleArea",
    "Limit",
    "Mode",
    "ModeLayout",
    "TokenSpot",
    "WallLine",
    "behind_walls",
    "corner_zone",
    "layout",
    "mode",
    "modes",
    "piles",
    "player_of",
    "redeploy",
    "spots",
    "walls",
    "won_edge",
    "zone",
    "zones",
]
