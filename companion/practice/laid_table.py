"""A table as players lay it for a real camera: the reference tags where the printed plan puts them,
a board somewhere inside them, or trays with tags on stands.
"""

from __future__ import annotations

import math
from dataclasses import replace

from calibration.board_place import CORNER_IDS, CORNER_TAG_MM, BoardPlace, board_corners
from calibration.printing.piece_sheets import FIGURE_TAG_MM
from calibration.printing.sheets import REFERENCE_IDS
from calibration.references.rim_layout import TABLE_SIZES, rim_references
from calibration.setup import ReferenceTag, Setup, TaggedTray
from calibration.tags.mounts import mount
from companion.practice.game_table import (
    BoardScene,
    board_view,
    on_board,
    resting_poses,
    tagged_board,
)
from companion.practice.random_table import (
    TRAY_IDS,
    PracticeTable,
    standard_lens,
    standard_view,
)
from models.board import Board
from models.board_table import BoardTable
from models.message import CompanionError
from models.table import Table
from models.unit import Unit

TURN_DEG = 3.0
"""Hands lay a board nearly straight."""
INSIDE_IN = 2.3
"""So far from the table's edge the reference tags end."""
ASIDE_IN = (0.4, -0.3)
"""How far beside the middle of the table hands lay a board."""
REFERENCE_MM, TRAY_TAG_MM = 40.0, 25.0


class NoRoom(CompanionError):
    """A board larger than every table, or more trays than tags."""


def laid_board(table: BoardTable, size: tuple[int, int]) -> BoardScene:
    """A board with its figures inside the references, two corner tags on its corner spaces."""
    lens = standard_lens(size)
    placed, (width, depth) = inside(table)
    setup = tagged_board(placed, lens, FIGURE_TAG_MM)
    corners = tuple(
        ReferenceTag(
            number, *placed.board.middle(corner.cell), 90.0 + placed.board.turn, CORNER_TAG_MM
        )
        for number, corner in zip(CORNER_IDS, board_corners(placed.board), strict=True)
    )
    around = rim_references(width, depth, REFERENCE_MM)
    setup = replace(setup, table_width=width, table_depth=depth, references=(*around, *corners))
    bases = {tray.unit: tray.tray for tray in setup.trays}
    units = tuple(
        Unit(piece.id, piece.side, piece.name or piece.id, bases[piece.id], pose)
        for piece, pose in zip(on_board(placed), resting_poses(placed, None), strict=True)
    )
    plane = Table(table.game, width, depth, units)
    return BoardScene(plane, setup, board_view(setup, lens), placed)


def inside(table: BoardTable) -> tuple[BoardTable, tuple[float, float]]:
    """The board on the smallest table inside whose references it lies."""
    for width, depth in sorted(TABLE_SIZES, key=lambda size: size[0] * size[1]):
        board = centred(table.board, width, depth)
        points = [
            point
            for column in (0, board.columns - 1)
            for row in (0, board.rows - 1)
            for point in board.outline((column, row))
        ]
        far = width - INSIDE_IN, depth - INSIDE_IN
        if all(INSIDE_IN <= x <= far[0] and INSIDE_IN <= y <= far[1] for x, y in points):
            return replace(table, board=board), (width, depth)
    raise NoRoom("the board is larger than every table")


def centred(board: Board, width: float, depth: float) -> Board:
    """The board nearly in the middle of a table, a little turned."""
    board = replace(board, at=(0.0, 0.0), turn=TURN_DEG)
    ends = [
        board.middle((column, row))
        for column in (0, board.columns - 1)
        for row in (0, board.rows - 1)
    ]
    x, y = (math.fsum(side) / 4 for side in zip(*ends, strict=True))
    return replace(board, at=(width / 2 + ASIDE_IN[0] - x, depth / 2 + ASIDE_IN[1] - y))


def laid_trays(table: Table, size: tuple[int, int]) -> PracticeTable:
    """Trays with tags on paper stands, as the sheets say."""
    if len(table.units) > len(TRAY_IDS):
        raise NoRoom(f"{len(table.units)} trays, but only {len(TRAY_IDS)} tags")
    trays = tuple(
        TaggedTray(unit.id, unit.tray, mount("stand", unit.tray, (tag,), TRAY_TAG_MM))
        for unit, tag in zip(table.units, TRAY_IDS, strict=False)
    )
    around = rim_references(table.width, table.depth, REFERENCE_MM)
    lens = standard_lens(size)
    setup = Setup(lens, table.width, table.depth, references=around, trays=trays)
    return PracticeTable(table, setup, standard_view(table.width))


def known_setup(scene: PracticeTable) -> Setup:
    """The true set-up of a laid table as the wizard would find it."""
    kept = tuple(one for one in scene.setup.references if one.id in REFERENCE_IDS)
    setup = replace(scene.setup, references=kept)
    if not isinstance(scene, BoardScene):
        return setup
    board = scene.board
    assert board.at is not None
    position = tuple(round(float(value), 2) for value in scene.view.position)
    return setup.with_board(
        BoardPlace(
            board.space,
            board.columns,
            board.rows,
            board.cell_in,
            *board.at,
            board.turn,
            camera=position,
        )
    )
