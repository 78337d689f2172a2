"""Who sees whom, equipment included (TAC-LOS-7)."""

from __future__ import annotations

from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.sight import SEEN, SightResult, sight


def sees(position: BattlePosition, figure: BoardFigure, target: BoardFigure) -> SightResult:
    """What a figure sees of another; a glass candle sees everybody (TAC-OR-37)."""
    if figure.sees_everybody:
        return SEEN
    one, two = figure.id, target.id
    pair = (one, two) if one < two else (two, one)
    found = position.sights.get(pair)
    if found is None:
        found = sight(position.field, position.occupied, figure.cells, target.cells)
        position.sights[pair] = found
    return found
