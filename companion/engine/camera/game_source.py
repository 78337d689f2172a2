"""The practice tables of board and card games as sources of rendered frames, whose pieces follow
the game; and where a board lies under the open camera.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from calibration.printing.piece_sheets import FIGURE_TAG_MM
from calibration.printing.sheets import TRAY_IDS
from companion.engine.camera.camera_session import CameraSession
from companion.engine.camera.practice_source import FRAME_SIZE, PracticeSource
from companion.engine.tag_assignment import clip_name
from companion.games.api.game_screen import PlacedPiece
from companion.overlay.board_shapes import board_cells
from companion.overlay.footprints import fitted
from companion.practice.camera import PracticeCamera
from companion.practice.game_table import (
    RIM_IN,
    TABLE_IN,
    BoardScene,
    CardLying,
    board_scene,
    card_scene,
)
from companion.practice.random_table import PracticeTable, standard_lens
from companion.practice.sensor import STANDARD
from companion.session.game_lookup import find_screen
from companion.session.game_view import GameView
from models.board_table import BoardTable
from models.pose import Pose
from models.table import Table


def board_source(table: BoardTable, tags: Mapping[str, int] | None = None) -> BoardSource:
    """A virtual camera over a board with all its pieces, which carry these tags."""
    tag_mm = find_screen(table.game).space(table.game).smallest_tag_mm
    scene = board_scene(table, standard_lens(FRAME_SIZE), tag_mm or FIGURE_TAG_MM, tags=tags)
    return BoardSource(scene.table, scene.setup, scene=scene)


@dataclass(eq=False)
class BoardSource(PracticeSource):
    """Renders a board; pieces move when the game moves them, or when a hand does."""

    scene: BoardScene | None = None

    def __post_init__(self) -> None:
        assert self.scene is not None
        look = replace(STANDARD, jpeg=0)
        self._camera = PracticeCamera(self.setup, self.scene.view, look, self.scene.board)

    def place_pieces(self, table: BoardTable) -> None:
        """Put every piece where the game has it; pieces that are gone are taken off."""
        assert self.scene is not None
        board = self.scene.board
        wanted = {
            one.id: board.middle(one.cell, one.size) for one in table.pieces if one.cell is not None
        }
        kept = tuple(one for one in self.scene.table.units if one.id in wanted)
        if {one.id for one in kept} != {one.id for one in self.table.units}:
            units = tuple(one.at(Pose(*wanted[one.id], one.pose.heading)) for one in kept)
            self.show(replace(self.scene.table, units=units))
            return
        for unit in self.table.units:
            x, y = wanted[unit.id]
            if abs(unit.pose.x - x) + abs(unit.pose.y - y) > 0.01:
                self.move(unit.id, Pose(x, y, unit.pose.heading))


CARD_FPS = 5.0
"""Cards are moved seldom, and small tags need large pictures."""
TURN_DEG = -90.0


def card_source() -> CardSource:
    """A virtual camera over an empty table; cards come with `follow`."""
    scene = card_scene([CardLying(clip_name(tag), "blue", Pose(0, 0, 0)) for tag in TRAY_IDS])
    return CardSource(replace(scene.table, units=()), scene.setup, CARD_FPS, scene=scene)


@dataclass(eq=False)
class CardSource(PracticeSource):
    """Renders cards as the game has them, except those that a hand has turned since.

    A card without a tag gets the next free one, as if players had clipped it on beforehand.
    """

    scene: PracticeTable | None = None
    _tags: dict[str, int] = field(default_factory=dict, init=False)
    _lying: dict[str, Pose] = field(default_factory=dict, init=False)
    _turned: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        assert self.scene is not None
        look = replace(STANDARD, jpeg=0)
        self._camera = PracticeCamera(self.setup, self.scene.view, look)

    @property
    def size(self) -> tuple[float, float]:
        return TABLE_IN

    @property
    def carriers(self) -> dict[int, str]:
        """The card that carries each tag."""
        return {tag: card for card, tag in self._tags.items()}

    def follow(self, pieces: Sequence[PlacedPiece]) -> None:
        """Lay every card as the game has it; a card that it laid otherwise is no longer turned."""
        poses = {one.id: one.pose for one in pieces}
        self._turned = {one for one in self._turned if poses.get(one) == self._lying.get(one)}
        self._lying = poses
        self._tags = clipped(self._tags, pieces)
        self.lay()

    def turn(self, piece: str) -> None:
        """Turn a card to the side by hand, or back."""
        if piece in self._tags:
            self._turned ^= {piece}
            self.lay()

    def lay(self) -> None:
        """Show the cards where they lie."""
        assert self.scene is not None
        units = {one.id: one for one in self.scene.table.units}
        shown = []
        for piece, pose in self._lying.items():
            if piece in self._tags:
                turn = TURN_DEG if piece in self._turned else 0.0
                at = Pose(pose.x, pose.y, pose.heading + turn)
                shown.append(units[clip_name(self._tags[piece])].at(at))
        table: Table = replace(self.scene.table, units=tuple(shown))
        if table != self.table:
            self.show(table)


def clipped(before: dict[str, int], pieces: Iterable[PlacedPiece]) -> dict[str, int]:
    """The tag on each card: the one the game knows, the one it had, or the next free one.

    >>> clipped({"c1": 10}, [PlacedPiece("c1", None, Pose(0, 0, 0))])
    {'c1': 10}
    """
    found = {one.id: one.tag for one in pieces if one.tag in TRAY_IDS}
    for one in pieces:
        tag = before.get(one.id)
        if one.id not in found and tag is not None and tag not in found.values():
            found[one.id] = tag
    free = iter([tag for tag in TRAY_IDS if tag not in found.values()])
    for one in pieces:
        if one.id not in found and (tag := next(free, None)) is not None:
            found[one.id] = tag
    return {card: tag for card, tag in found.items() if tag is not None}


def laid_to_fill(table: BoardTable, room: tuple[float, float]) -> BoardTable:
    """The practice board on its table, a quarter turned where it fills the map's room better."""
    turn = fitted(table, room).board.turn
    if not turn:
        return table
    lying = replace(table.board, at=(0.0, 0.0), turn=turn)
    corners = [point for cell in board_cells(lying) for point in lying.outline(cell)]
    at = (RIM_IN - min(x for x, _ in corners), RIM_IN - min(y for _, y in corners))
    return replace(table, board=replace(lying, at=at))


def under_camera(
    camera_session: CameraSession,
    table: BoardTable,
    view: GameView | None,
    practice: bool,
    room: tuple[float, float],
    tags: Mapping[str, int],
) -> BoardTable:
    """The table with its board where the camera sees it; else it fills the map's room.

    In a practice game the virtual camera is opened as soon as every piece stands on the board, and
    again where the board should lie otherwise in a room of another shape; its pieces follow the
    game. `tags` are those that the players gave them.
    """
    source = camera_session.practice_source
    pieces = view.pieces if view is not None else ()
    ready = bool(table.pieces) and all(one.state == "lost" or one.id in table for one in pieces)
    lying = laid_to_fill(table, room)
    shown = source.scene if isinstance(source, BoardSource) else None
    other = shown is not None and any(room) and shown.board.turn != lying.board.turn
    if practice and ready and (camera_session.camera_worker is None or other):
        source = board_source(lying, tags)
        camera_session.open(source, source.setup)
    if isinstance(source, BoardSource):
        source.place_pieces(table)
        assert source.scene is not None
        laid = source.scene.board
        return replace(table, board=replace(table.board, at=laid.at, turn=laid.turn))
    place = camera_session.board_place(table.board)
    return fitted(table, room) if place is None else replace(table, board=place.laid(table.board))
