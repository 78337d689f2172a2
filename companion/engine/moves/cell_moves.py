"""Pieces that a camera sees on other cells of a board: where they may stand, and what does it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.engine.app_words import _
from companion.engine.snapshot import CellMove, Snapshot
from companion.games.api.offer import ActionOffer
from companion.games.api.play import Plain
from companion.games.api.target_cell import TargetCell
from companion.geometry.grid.placing import likely_cells
from companion.vision.look import HAND_SHARE
from models import Pose
from models.board_table import BoardPiece, BoardTable, Measured
from models.cell import Cell


def chances(table: BoardTable, piece: BoardPiece, pose: Pose) -> dict[Cell, float]:
    """The cells on which a piece seen at a pose may stand, the most probable first."""
    sigma = math.hypot(pose.sigma.xy_in, HAND_SHARE * table.board.cell_in)
    seen = replace(piece, cell=None, measured=Measured(pose.x, pose.y, sigma))
    found = likely_cells(table.board, seen)
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def cell_move(
    snapshot: Snapshot, table: BoardTable, piece: str, pose: Pose, offers: Sequence[ActionOffer]
) -> CellMove | None:
    """What a settled move of a piece means; None if it stands where the game has it.

    `offers` are those of the piece.
    """
    here = table.piece(piece)
    found = chances(table, here, pose)
    if found and next(iter(found)) == here.cell:
        return None
    name = _(snapshot.name(piece))
    if not found:
        return CellMove(piece, name, _("It stands beside the board. Put it back."))
    cells = tuple(TargetCell(cell, commands_to(offers, piece, cell)) for cell in found)
    if len(cells) > 1:
        asked = _("Which space does {unit} stand on?", unit=name)
        return CellMove(piece, name, asked, cells)
    detail = (
        _("It stands on another space.")
        if cells[0].commands
        else _("It may not stand there now. Put it back.")
    )
    return CellMove(piece, name, detail, cells)


def commands_to(offers: Sequence[ActionOffer], piece: str, cell: Cell) -> tuple[Plain, ...]:
    """The commands that move a piece to a cell; none if it may not go there."""
    for offer in offers:
        if offer.piece == piece and offer.possible and not offer.target:
            target = offer.at(cell)
            if target is not None and offer.dice is None:
                return target.commands
    return ()


def still_open(moves: Sequence[CellMove], table: BoardTable) -> tuple[CellMove, ...]:
    """The moves that the game does not know yet."""
    return tuple(
        one
        for one in moves
        if one.piece in table
        and not (one.cells and table.piece(one.piece).cell == one.cells[0].cell)
    )
