"""The open camera: one at a time, a real one or the practice table's, and the trays that it does
not see now, at their last known place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.board_place import BoardPlace, stands_at
from calibration.setup import Setup
from companion.engine.camera.camera_worker import CameraWorker
from companion.engine.camera.dice_camera import DiceCamera, PracticeDice, TableFrames
from companion.engine.camera.practice_source import PracticeSource
from companion.engine.snapshot import Astray, BoardQuestion, CameraView
from companion.overlay.board_shapes import block_outline, extent_in
from companion.overlay.shapes import Label, Point, Polyline, Shape, Style, TableScene
from companion.overlay.shapes import Polygon as Ground
from companion.vision.look import seen_table
from companion.vision.sources.frame_sources import Source, open_source
from companion.vision.sources.safe_source import Opener
from companion.vision.track.table_tracker import TrayMoved
from models import Pose, Table
from models.board import Board
from models.message import say
from models.table import AnyTable
from models.unit import corners

UNSEEN_Z = 200
HIDDEN_S = 2.0
"""A hand hides a tray for a moment; only after so long it is shown as remembered."""
MOST_TOLD = 6
"""The time is shown for at most this many trays; if there are more, the camera is the problem."""

TAKE_OFF = say("take it off")

Ages = Mapping[str, str]
"""Units not seen now, with how long as text (empty if nothing need be shown)."""


def unseen(live: CameraView, table: AnyTable | None) -> dict[str, str]:
    """The pieces that are shown at their last known place; all of them while the camera is lost."""
    if table is None:
        return {}
    if live.sight in ("held", "lost"):
        pieces = table.units if isinstance(table, Table) else table.pieces
        return {one.id: "" for one in pieces}
    if live.sight != "live":
        return {}
    now = newest_s(live)
    hidden = (one for one in live.standings if one.condition in ("hidden", "gone"))
    lost = [one for one in hidden if one.age_s(now) >= HIDDEN_S]
    return {
        one.unit: age(one.age_s(now)) if number < MOST_TOLD else ""
        for number, one in enumerate(lost)
        if one.unit in table
    }


def newest_s(live: CameraView) -> float:
    """The time of the newest sighting."""
    return max((one.seen_s for one in live.standings), default=0.0)


def age(seconds: float) -> str:
    """A duration as coarse text, so that the overlay is not redrawn every second.

    >>> age(3.7), age(38), age(190)
    ('3 s', '35 s', '3 min')
    """
    whole = int(seconds)
    if whole >= 60:
        return f"{whole // 60} min"
    return f"{whole if whole < 10 else whole - whole % 5} s"


def remembered(
    table: AnyTable, ages: Ages, astray: Sequence[Astray] = (), off: str = TAKE_OFF
) -> TableScene:
    """The unseen pieces, and those that stand elsewhere, as a scene of their own."""
    if isinstance(table, Table):
        width, depth = table.width, table.depth
    else:
        width, depth = extent_in(table.board)
    found = (*shapes(table, ages), *marks_astray(table, astray, off))
    return TableScene(width, depth, table.sides(), shapes=found)


def shapes(table: AnyTable, ages: Ages) -> Iterator[Shape]:
    """A grey, dashed outline per piece, with the time since it was last seen."""
    for name, told in ages.items():
        place = place_of(table, name)
        if place is None:
            continue
        side, outline, spot = place
        yield Ground(outline, Style("remembered", side), UNSEEN_Z, (name,))
        if told:
            yield Label(told, (spot,), Style("remembered", side), UNSEEN_Z, (name,))


def place_of(table: AnyTable, name: str) -> tuple[str, tuple[Point, ...], Point] | None:
    """Where the game has a piece: its side, its outline and its middle."""
    if isinstance(table, Table):
        unit = table.unit(name)
        return unit.side, corners(unit), (unit.pose.x, unit.pose.y)
    piece = table.piece(name)
    if piece.cell is None:
        return None
    outline = block_outline(table.board, piece.cell, piece.size)
    return piece.side, outline, table.board.middle(piece.cell, piece.size)


def marks_astray(table: AnyTable, astray: Sequence[Astray], off: str) -> Iterator[Shape]:
    """Each piece that stands elsewhere, with the way to where the game has it, or from there where
    it may stand; `off` is written on those that are to be taken off."""
    for one in astray:
        style, here = Style("moved" if one.may else "astray"), (one.pose.x, one.pose.y)
        yield Ground(one.outline, style, UNSEEN_Z, (one.piece,))
        place = place_of(table, one.piece) if one.piece in table else None
        if one.lost:
            yield Label(off, (here,), style, UNSEEN_Z, (one.piece,))
        elif place is not None:
            way = (place[2], here) if one.may else (here, place[2])
            yield Polyline(way, style, UNSEEN_Z, (one.piece,), arrow=True)


DISPLACED_IN, ARRIVED_S = 1.0, 2.0
"""A tray is on its way while the camera sees it move farther than this from its place in the game,
and so long after it came to rest: then its move is accepted, or asked about."""


class CameraSession:
    """Opens and closes the camera worker; `moved` is called on its thread when a tray has moved."""

    def __init__(self, moved: Callable[[TrayMoved], None]) -> None:
        self.camera_worker: CameraWorker | None = None
        self.setup: Setup | None = None
        self._moved = moved
        self._dice: tuple[str, DiceCamera] | None = None
        self.dice_changed: Callable[[], object] = lambda: None
        """Called, on any thread, when the camera over the dice mat has something new."""
        self._left: tuple[BoardQuestion, tuple[float, ...]] = ("", ())
        """What the players put off about the board, and where the camera stood then."""

    @property
    def live(self) -> CameraView:
        """The newest camera frame."""
        return self.camera_worker.live if self.camera_worker is not None else CameraView()

    @property
    def practice_source(self) -> PracticeSource | None:
        """The practice table, if it is the open source."""
        source = self.camera_worker.source if self.camera_worker is not None else None
        return source if isinstance(source, PracticeSource) else None

    def open(self, source: Source, setup: Setup) -> None:
        """Switch to a source that is already open."""
        self._look(CameraWorker(source, setup, self._moved))

    def open_camera(self, open_it: Opener, setup: Setup) -> None:
        """Switch to a camera that is opened on its own thread, and reopened after every fault."""
        self._look(CameraWorker(None, setup, self._moved, open_it))

    def _look(self, camera_worker: CameraWorker) -> None:
        self.close()
        self.setup, self.camera_worker = camera_worker.setup, camera_worker
        camera_worker.open()

    def close(self) -> None:
        self.close_dice()
        if self.camera_worker is not None:
            self.camera_worker.close()
            self.camera_worker = None

    def dice_camera(self, place: str, kept: Path | None = None) -> DiceCamera | None:
        """The camera over the dice mat: one of its own, else the table's; None without any.

        The practice table has a practice mat beside it. `kept` is where faces of a D8 are kept that
        players have shown.
        """
        if not place and self.camera_worker is None:
            return None
        if self._dice is not None and self._dice[0] == place:
            return self._dice[1]
        self.close_dice()
        practice = self.practice_source is not None

        def opened() -> Source:
            if place:
                return open_source(place)
            return PracticeDice() if practice else TableFrames(lambda: self.live)

        self._dice = place, DiceCamera(opened, self._tell_dice, kept)
        return self._dice[1]

    def _tell_dice(self) -> None:
        self.dice_changed()

    @property
    def throw(self) -> dict[str, Any] | None:
        """What the camera over the dice mat reads for the prompt that waits."""
        return self._dice[1].throw if self._dice is not None else None

    def close_dice(self) -> None:
        """Stop watching the dice mat."""
        if self._dice is not None:
            self._dice[1].close()
            self._dice = None

    def rename(self, setup: Setup) -> None:
        """Keep the camera open and give its trays other names."""
        if self.camera_worker is not None:
            self.setup = self.camera_worker.setup = setup
            self.camera_worker.forget()

    # -- the place of a board -----------------------------------------------------------------

    def board_place(self, board: Board) -> BoardPlace | None:
        """Where the board lies under a real camera; None without one, or while nobody showed it."""
        if self.camera_worker is None or self.practice_source is not None or self.setup is None:
            return None
        return self.setup.board_place(board)

    def unplaced(self, board: Board) -> bool:
        """Whether a real camera is open and nobody has shown where the board lies."""
        real = self.camera_worker is not None and self.practice_source is None
        return real and self.board_place(board) is None

    def board_question(self, board: Board) -> BoardQuestion:
        """What is to be asked about the board's place, if anything; once put off, not again."""
        live = self.live
        if self.practice_source is not None or live.sight != "live" or live.camera is None:
            return ""
        position = live.camera.view.position
        place = self.board_place(board)
        found: BoardQuestion = "where" if place is None else "moved"
        if place is not None and place.seen_from(position):
            return ""
        left, there = self._left
        return "" if left == found and stands_at(there, position) else found

    def leave_board(self, question: BoardQuestion) -> None:
        """The players answer a question about the board later."""
        camera = self.live.camera
        self._left = (question, tuple(camera.view.position) if camera is not None else ())

    def seen(self, table: Table | None) -> Table | None:
        """The table with the positions the camera sees now; None while it sees no table."""
        live = self.live
        if self.setup is None or live.sight != "live":
            return None
        return seen_table([one.fit for one in live.standings], self.setup, table)

    def displaced(self, table: Table | None) -> frozenset[str]:
        """The trays on their way: the camera sees them elsewhere than the game has them."""
        live = self.live
        if table is None or live.sight != "live":
            return frozenset()
        lately_s = newest_s(live) - ARRIVED_S
        seen = {
            one.unit: one.fit.pose
            for one in live.standings
            if one.unit in table
            if one.condition == "moving" or (one.condition == "settled" and one.since_s > lately_s)
        }
        places = {unit: table.unit(unit).pose for unit in seen}
        return frozenset(
            unit
            for unit, pose in seen.items()
            if math.hypot(pose.x - places[unit].x, pose.y - places[unit].y) > DISPLACED_IN
        )

    # -- the practice table -----------------------------------------------------------------

    def carry(self, unit: str, pose: Pose) -> None:
        """Move a tray on the practice table."""
        if self.practice_source is not None:
            self.practice_source.move(unit, pose)

    def where(self, unit: str | None) -> Pose | None:
        """The true pose of a tray on the practice table."""
        source = self.practice_source
        if source is None or unit not in source.table:
            return None
        return source.table.unit(str(unit)).pose

    def cover(self, covered: bool) -> None:
        """Cover or uncover the practice camera."""
        if self.practice_source is not None:
            self.practice_source.cover(covered)

    def put_back(self, table: Table | None) -> None:
        """Place everything on the practice table as in this table, after an undo."""
        if (
            self.practice_source is not None
            and self.camera_worker is not None
            and table is not None
        ):
            self.practice_source.show(table)
            self.camera_worker.forget()
