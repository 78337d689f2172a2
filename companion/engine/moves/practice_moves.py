"""Moves trays on the practice table as the game's decisions require, since no player can."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.camera.practice_source import PracticeSource
from companion.games.api.game_screen import GameScreen
from companion.session.fold import Position
from models import Pose, Table


def carry_out(
    source: PracticeSource, table: Table, screen: GameScreen, here: Position, report: object
) -> Mapping[str, Pose]:
    """Remove the trays of lost pieces and move those that the newest step moves.

    Returns where the trays go; `report` is that of the table before the step.
    """
    for piece in screen.pieces(here.state):
        if piece.state == "lost" and piece.id in table:
            source.remove(piece.id)
    events = here.step.events() if here.step is not None else ()
    moves = screen.tray_moves(events, report)
    for unit, end in moves.items():
        source.move(unit, end)
    return moves
