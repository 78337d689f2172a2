"""The practice tables of board and card games: figures on cells, cards with clip-on tags, a
camera over them.

>>> from models.board import Board
>>> from models.board_table import BoardPiece, BoardTable
>>> table = BoardTable("toy", Board("square", 7, 7, 1.25), (BoardPiece("b1", "blue", cell=(3, 3)),))
>>> scene = board_scene(table)
>>> scene.table.units[0].pose.x, scene.setup.trays[0].tray.to_json()
(7.375, {'diameter': 1.181})

Cards with clip-on tags as a practice table: where they lie, how they are turned, a camera.

>>> scene = card_scene([CardLying("c1", "blue", Pose(10, 10, 90))])
>>> scene.setup.trays[0].tags[0].size_mm, scene.table.units[0].models
(15.0, 0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.printing.piece_sheets import CLIP_MOUNT, CLIP_TAG_MM, FIGURE_TAG_MM, card_tray
from calibration.setup import Setup, TaggedTray
from calibration.tags.mounts import mount
from companion.practice.random_table import TRAY_IDS, PracticeTable, references, standard_lens
from models.board import Board
from models.board_table import BoardPiece, BoardTable
from models.catalogue import Catalogue
from models.message import CompanionError
from models.pose import Pose
from models.table import Table
from models.unit import Tray, Unit

BASES_IN = {1: 1.181, 2: 1.969}
"""The round base of a piece by the cells it covers along a side: 30 and 50 mm."""
RIM_IN = 3.0
"""The width of the table around the board, on which the references lie."""
REFERENCE_INSET_IN = 1.1
SMALL, LARGE = "DICT_4X4_50", "DICT_4X4_250"
MANY_IDS = tuple(number for number in range(10, 250) if number not in (17, 37))
HAND_IN, FARTHEST_HAND_IN = 0.06, 0.16
"""How far from the middle of its cell a hand puts a figure: usually, and at most."""
CAMERA_WAY = (0.0, -0.62, 1.0)
"""From the middle of the board to the camera: behind player 1's edge and above."""
NEAREST_IN = 24.0
FRAME_SHARE = 0.97
"""The share of the picture that the table may fill."""


class CrowdedBoard(CompanionError):
    """More figures than tags."""


@dataclass(frozen=True, slots=True)
class BoardScene(PracticeTable):
    """A practice table with a board: the figures as units on round bases, and the board table."""

    pieces: BoardTable

    @property
    def board(self) -> Board:
        return self.pieces.board


def board_scene(
    table: BoardTable,
    lens: Lens | None = None,
    tag_mm: float = FIGURE_TAG_MM,
    seed: int | None = None,
    tags: Mapping[str, int] | None = None,
    hand_in: tuple[float, float] = (HAND_IN, FARTHEST_HAND_IN),
) -> BoardScene:
    """The practice table of a board; with a seed, figures stand as hands put them.

    `tags` are the numbers of some figures' tags; the others get what is left, in order. `hand_in`
    is how far from the middle of their cells hands put them, usually and at most.
    """
    lens = lens or standard_lens()
    placed = replace(table, board=laid(table.board))
    setup = tagged_board(placed, lens, tag_mm, tags or {})
    poses = resting_poses(placed, seed, hand_in)
    units = tuple(
        Unit(piece.id, piece.side, piece.name or piece.id, base_of(placed.board, piece), pose)
        for piece, pose in zip(on_board(placed), poses, strict=True)
    )
    plane = Table(table.game, setup.table_width, setup.table_depth, units)
    return BoardScene(plane, setup, board_view(setup, lens), placed)


def laid(board: Board) -> Board:
    """The board where it lies on the table: inside a rim, unless it says where."""
    if board.at is not None and min(board.at) >= RIM_IN / 2:
        return board
    return replace(board, at=(RIM_IN, RIM_IN))


def on_board(table: BoardTable) -> tuple[BoardPiece, ...]:
    """The pieces that stand somewhere."""
    return tuple(one for one in table.pieces if one.cell is not None or one.measured is not None)


def base_of(board: Board, piece: BoardPiece) -> Tray:
    """The round base of a piece: the usual one, or what its cells hold."""
    room = board.cell_in * piece.size * 0.95
    return Tray.base(round(min(BASES_IN.get(piece.size, room), room), 3))


def tagged_board(
    table: BoardTable,
    lens: Lens | None = None,
    tag_mm: float = FIGURE_TAG_MM,
    tags: Mapping[str, int] | None = None,
) -> Setup:
    """A set-up for a board: references around it, and a tag on a stand for every piece."""
    corners = [
        point
        for column in (0, table.board.columns - 1)
        for row in (0, table.board.rows - 1)
        for point in table.board.outline((column, row))
    ]
    width, depth = (max(12.0, max(side) + RIM_IN) for side in zip(*corners, strict=True))
    pieces = on_board(table)
    few = len(pieces) <= len(TRAY_IDS)
    ids = TRAY_IDS if few else MANY_IDS
    if len(pieces) > len(ids):
        raise CrowdedBoard(f"{len(pieces)} figures, but only {len(ids)} tags")
    given = {one.id: tags[one.id] for one in pieces if tags and one.id in tags}
    free = iter([number for number in ids if number not in given.values()])
    trays = tuple(
        TaggedTray(piece.id, base, mount("figure-stand", base, (tag,), tag_mm))
        for piece in pieces
        for tag in (given[piece.id] if piece.id in given else next(free),)
        for base in (base_of(table.board, piece),)
    )
    around = references(width, depth, inset=REFERENCE_INSET_IN)
    return Setup(lens, width, depth, SMALL if few else LARGE, around, trays)


def board_view(setup: Setup, lens: Lens) -> Viewpoint:
    """A camera behind player 1's edge, as near as the whole table stays in the picture."""
    middle = np.array([setup.table_width / 2, setup.table_depth / 2, 0.0])
    way = np.array(CAMERA_WAY) / np.linalg.norm(CAMERA_WAY)
    corners = np.array(
        [(x, y, 0.0) for x in (0.0, setup.table_width) for y in (0.0, setup.table_depth)]
    )
    spare = np.array(lens.size) * (1 - FRAME_SHARE) / 2

    def seen_from(far: float) -> Viewpoint:
        x, y, z = (float(value) for value in middle + way * far)
        return Viewpoint.looking((x, y, z), (float(middle[0]), float(middle[1]), 0.0))

    far = NEAREST_IN
    while far < 200.0:
        seen = seen_from(far).project(corners, lens)
        if (seen >= spare).all() and (seen <= np.array(lens.size) - spare).all():
            break
        far *= 1.02
    return seen_from(far)


def resting_poses(
    table: BoardTable,
    seed: int | None,
    hand_in: tuple[float, float] = (HAND_IN, FARTHEST_HAND_IN),
) -> list[Pose]:
    """Where the figures stand: in the middle of their cells, or nearly so, in any heading."""
    rng = np.random.default_rng([seed or 0, 71])
    usual, farthest = hand_in
    poses = []
    for piece in on_board(table):
        x, y, heading = 0.0, 0.0, 90.0
        if piece.cell is not None:
            x, y = table.board.middle(piece.cell, piece.size)
        elif piece.measured is not None:
            x, y = piece.measured.x, piece.measured.y
        if seed is not None and piece.cell is not None:
            dx, dy = np.clip(rng.normal(0, usual, 2), -farthest, farthest)
            x, y, heading = x + float(dx), y + float(dy), float(rng.uniform(0, 360))
        poses.append(Pose(x, y, heading))
    return poses


TABLE_IN = (36.0, 30.0)


@dataclass(frozen=True, slots=True)
class CardLying:
    """A card on the practice table; later ones lie on earlier ones."""

    id: str
    side: str
    pose: Pose


def card_scene(
    cards: Sequence[CardLying],
    size: tuple[float, float] = TABLE_IN,
    lens: Lens | None = None,
    tag_mm: float = CLIP_TAG_MM,
) -> PracticeTable:
    """The practice table of cards, each with its own tag, under a camera at player 1's edge."""
    lens = lens or standard_lens()
    few = len(cards) <= len(TRAY_IDS)
    ids = TRAY_IDS if few else MANY_IDS
    if len(cards) > len(ids):
        raise CrowdedBoard(f"{len(cards)} cards, but only {len(ids)} tags")
    tray = card_tray()
    trays = tuple(
        TaggedTray(card.id, tray, mount(CLIP_MOUNT, tray, (tag,), tag_mm))
        for card, tag in zip(cards, ids, strict=False)
    )
    width, depth = size
    around = references(width, depth, inset=REFERENCE_INSET_IN)
    setup = Setup(lens, width, depth, SMALL if few else LARGE, around, trays)
    units = tuple(Unit(one.id, one.side, one.id, tray, one.pose, models=0) for one in cards)
    table = Table(Catalogue.games()[-1], width, depth, units)
    return PracticeTable(table, setup, board_view(setup, lens))
