"""Where a squad may be deployed, and in which order (TAC-SET-8 to -10)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.tactics.play.state import (
    FigureInPlay,
    SkirmishState,
    battle_position,
    board_figure,
)
from models.cell import Cell

DEPLOY_ORDER = ("hero", "veteran", "soldier")


def free_cells(state: SkirmishState, figure: FigureInPlay) -> list[Cell]:
    """The places in its own zone where a figure fits (TAC-SET-8)."""
    zone = state.scenario.zones.get(state.squad(figure.side).zone, frozenset())
    position = battle_position(state)
    shape = board_figure(replace(figure, cell=(0, 0)))
    return sorted(
        cell
        for cell in zone
        if all(one in zone for one in shape.cells_at(cell))
        and not position.fits(shape.at(cell), cell)
    )


def next_kind(state: SkirmishState, side: str) -> str:
    """The kind that must be deployed now: heroes, then veterans, then soldiers (TAC-SET-9)."""
    waiting = [one for one in state.of(side) if one.fate == "waiting" and free_cells(state, one)]
    return next((kind for kind in DEPLOY_ORDER if any(one.kind == kind for one in waiting)), "")
