"""The screen thread's interface to the game: session, table and camera behind one worker thread.

The screen thread reads `live` (the newest frame) and `snapshot` (the newest game state) and posts
jobs; it never waits for them. No kivy here.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

from calibration.board_place import BoardPlace
from calibration.setup import Setup
from companion import games
from companion.engine.app_words import _, ruler
from companion.engine.camera.camera_worker import CameraWorker
from companion.engine.camera.dice_camera import DiceCamera
from companion.engine.camera.game_cameras import GameCameras
from companion.engine.drawing.overlay_cache import ScreenSize
from companion.engine.drawing.vertex_batches import Triangulate
from companion.engine.files import preferences
from companion.engine.files.draft import Draft, seen_at
from companion.engine.files.draft_editor import DraftEditor, poses_seen
from companion.engine.files.game_library import SavedGame, saved_games
from companion.engine.files.preferences import Preferences
from companion.engine.game_controller import GameController
from companion.engine.posting import PostReply
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.threads import Job, Worker
from companion.games.api.play import Plain
from companion.geometry.grid.grids import HexGrid, SquareGrid
from companion.geometry.grid.placing import cell_at
from companion.overlay.footprints import piece_at
from companion.overlay.shapes import Point
from companion.session.authors import JointCommands
from companion.session.game_view import GameView
from companion.vision.sources.frame import encoded
from companion.vision.sources.safe_source import Opener
from models import Pose
from models.board import Cell
from models.board_table import BoardTable
from models.message import say

NEAR_IN = 0.8
"""A touch within this distance of a tray selects it."""

LIVE_PX = 960
"""The longer side of the camera's picture on screens beside the tablet."""


class AppService:
    """Gives the screen thread snapshots and frames, and queues its commands for the worker."""

    def __init__(self, folder: Path, triangulate: Triangulate) -> None:
        self.folder = folder
        self.controller = GameController(folder, triangulate)
        self.game_cameras = GameCameras(folder, folder / "setups")
        self._wanted = self.controller.overlay.cache.screen

    @property
    def snapshot(self) -> Snapshot:
        return self.controller.snapshot

    @property
    def preferences(self) -> Preferences:
        return self.controller.game.preferences

    @property
    def drafting(self) -> DraftEditor:
        """The editor of the game that is being set up."""
        return self.controller.drafting

    @property
    def live(self) -> CameraView:
        """The newest camera frame."""
        return self.controller.camera_session.live

    def live_jpeg(self) -> bytes | None:
        """The newest camera frame as a small JPEG, for screens beside the tablet."""
        picture = self.live.picture
        return encoded(picture, 70, LIVE_PX) if picture is not None else None

    @property
    def camera_worker(self) -> CameraWorker | None:
        """The camera worker that is running, if any."""
        return self.controller.camera_session.camera_worker

    def plays_under_camera(self, snapshot: Snapshot) -> bool:
        """Whether a game is played under a camera of the players' own."""
        return self.camera_worker is not None and snapshot.playing and not snapshot.practice

    @property
    def dice_camera(self) -> DiceCamera | None:
        """The camera over the dice mat, if the players let it read their dice."""
        liked, cameras = self.preferences, self.controller.camera_session
        if liked.dice != "camera":
            cameras.close_dice()
            return None
        practice = cameras.practice_source is not None  # its dice are no player's
        return cameras.dice_camera(
            liked.dice_camera, None if practice else self.folder / "dice-faces.json"
        )

    @property
    def setup(self) -> Setup | None:
        """The calibration set-up of the open camera."""
        return self.controller.camera_session.setup

    @property
    def games_folder(self) -> Path:
        return self.folder / "games"

    @property
    def worker(self) -> Worker:
        return self.controller.worker

    def ask(self, job: Job) -> None:
        """Queue a job for the worker thread."""
        self.controller.worker.ask(job)

    def do(self, *commands: Plain) -> None:
        """Send commands of the shared screen in order, stopping at the first that is refused."""
        self.ask(lambda: self.controller.do(commands))

    def post(self, commands: Sequence[Plain], by: str) -> Future[PostReply]:
        """Send commands of one seat's own screen; the reply says what became of them."""
        return self.controller.worker.promise(lambda: self.controller.post(commands, (by,)))

    def look(self, seat: str | None = None) -> Future[GameView]:
        """What a seat sees on a screen of its own; without one, what everybody sees."""
        return self.controller.worker.promise(lambda: self.controller.game.view(seat))

    def subscribe(self, listener: Callable[[Snapshot], object]) -> Callable[[], None]:
        """Call `listener` with every snapshot; it must be quick. The answer ends that."""
        return self.controller.game.subscribe(listener)

    def choose(self, unit: str | None, by_itself: bool = False) -> None:
        """Select a unit, or clear the selection; `by_itself`: because its tray is taken up."""
        self.ask(lambda: self.controller.choose(unit, by_itself))

    def watch(self) -> None:
        """From now on a screen says when it has drawn an overlay."""
        self.controller.overlay.painted = threading.Event()

    def painted(self) -> None:
        """The newest overlay is on the screen."""
        if self.controller.overlay.painted is not None:
            self.controller.overlay.painted.set()

    def start_practice(self, game: str = "", alone: bool = False) -> None:
        """Start a game on the practice table: the usual one, or the practice game of a game."""
        self.ask(lambda: self.controller.start_practice(game, alone))

    def stage(self, only: str | None = None) -> None:
        """Render and validate the table of the draft."""
        self.controller.drafting.stage(
            self.controller.game.chosen_readings(self.drafting.draft.game),
            lambda: self.live.camera,
            only,
        )

    def draft_seen(self) -> Draft:
        """The draft with its trays where the camera sees them."""
        draft = self.drafting.draft
        readings = self.controller.game.chosen_readings(draft.game)
        return seen_at(draft, poses_seen(self.live), games.find(draft.game).settings(readings))

    def show_practice_draft(self) -> None:
        """Show the draft's table through the practice camera."""
        self.ask(
            lambda: self.controller.camera_session.open(*self.controller.drafting.practice_source())
        )

    def close_camera(self) -> None:
        self.ask(self.controller.close_camera)

    def place_board(self, place: BoardPlace) -> None:
        """Say where the board lies under the open camera."""
        self.ask(lambda: self.controller.place_board(place))

    def leave_board(self) -> None:
        """Answer the question about the board's place later."""
        self.ask(self.controller.leave_board)

    def begin(self, agreed: str = "") -> None:
        """Start the game that was drafted; what players agreed to against the rules is noted."""
        self.ask(lambda: self.controller.begin_own(agreed))

    def resume(self, path: Path) -> None:
        """Open a saved game."""
        self.ask(lambda: self.controller.resume(path))

    def leave(self) -> None:
        """Close the game; every command is already on disk."""
        self.ask(self.controller.leave)

    def open_camera(self, open_it: Opener, setup: Setup) -> None:
        """Switch to another camera; its own thread opens it."""
        self.ask(lambda: self.controller.open_camera(open_it, setup))

    def accept(self, unit: str = "", action: str = "", commands: Sequence[Plain] = ()) -> None:
        """Accept the move of a unit, the oldest without a name, as the action that explains it; its
        commands tell it from others of its kind."""
        self.ask(lambda: self.controller.moves.accept(unit, action, commands))

    def intend(self, unit: str, action: str) -> None:
        """Say which action the tray that is moved now carries out; none: "" for both."""
        self.controller.moves.intend(unit, action)

    def correct(self, unit: str = "") -> None:
        """Reject the move of a unit, the oldest without a name: the game's table stays."""
        self.ask(lambda: self.controller.moves.correct(unit))

    def place_piece(self, piece: str, cell: Cell | None, way: int = 0) -> None:
        """Say on which cell a piece stands that the camera saw; None: it is put back."""
        self.ask(lambda: self.controller.moves.place_piece(piece, cell, way))

    def correct_places(self, pieces: Sequence[str]) -> None:
        """Take over where pieces stand, as mere corrections."""
        self.ask(lambda: self.controller.moves.correct_places(pieces))

    def decide_later(self, piece: str) -> None:
        """Leave a piece where it stands for now: it is asked about when it is moved or acts."""
        self.ask(lambda: self.controller.moves.later(piece))

    def ask_again(self) -> None:
        """Ask about the pieces that players left where they stand."""
        self.ask(self.controller.moves.ask_again)

    def decide_all(self, how: str) -> None:
        """Say what becomes of everything that stands elsewhere: back, correct or later."""
        self.ask(lambda: self.controller.moves.decide_all(how))

    def refuse_question(self, question: str) -> None:
        """Say that what the camera saw is not so: the game stays as it is."""
        self.ask(lambda: self.controller.questions.refuse(question))

    def answer_proposal(self, proposal: JointCommands, agrees: bool) -> None:
        """Say yes or no, for everybody at the tablet, to what a player proposes on a phone."""
        self.ask(lambda: self.controller.answer_proposal(proposal, agrees))

    def advise(self, seat: str) -> None:
        """Ask the coach what a seat could do best; "" puts its advice away."""
        self.ask(lambda: self.controller.advise(seat))

    def adopt(self) -> None:
        """Update the game's table from all positions that the camera sees now."""
        self.ask(self.controller.moves.adopt)

    def carry(self, unit: str, pose: Pose) -> None:
        """Move a tray on the practice table."""
        self.controller.camera_session.carry(unit, pose)

    def place(self, unit: str, pose: Pose) -> None:
        """Move a tray by finger: the practice camera sees it, else the game judges it at once."""
        if self.controller.camera_session.practice_source is not None and self.live.sight != "lost":
            self.carry(unit, pose)
        else:
            self.ask(lambda: self.controller.moves.explain(unit, pose))

    def move_tray(self, unit: str, pose: Pose, action: str, commands: Sequence[Plain] = ()) -> None:
        """A tray that players moved by finger, with the action it carries out.

        The game takes it over at once, and the practice table shows it there.
        """
        self.ask(lambda: self.controller.moves.put_down(unit, pose, action, commands))

    def stay(self, unit: str, commands: Sequence[Plain] = ()) -> None:
        """An action that moves a tray, or a move that is due: the tray stays where it is."""
        self.ask(lambda: self.controller.moves.stay(unit, commands))

    def end_move(self, unit: str, number: int) -> None:
        """The players choose where a move that is due ends."""
        self.ask(lambda: self.controller.moves.end(unit, number))

    def watch_cards(self) -> None:
        """Open the practice camera over the cards in play."""
        self.ask(self.controller.watch_cards)

    def turn_card(self, piece: str) -> None:
        """Turn a card on the practice table by hand."""
        self.ask(lambda: self.controller.turn_card(piece))

    def recount(self) -> None:
        """Compute the score by round and a small map to go with it."""
        self.ask(self.controller.overlay.recount)

    def log(self) -> tuple[str, ...]:
        """The newest steps as sentences, the last one first."""
        return self.controller.game.log()

    def redo_text(self) -> str:
        """What can be done again, "" for nothing."""
        return self.controller.game.redo_text()

    def where(self, unit: str | None) -> Pose | None:
        """The pose of a tray: on the practice table the true one, else where the camera sees it
        stand still, or where the game has it."""
        true = self.controller.camera_session.where(unit)
        if true is not None and self.live.sight != "lost":
            return true
        moved = next((one for one in self.snapshot.notices if one.unit == unit), None)
        if moved is not None:
            return moved.where[1]
        table = self.snapshot.trays
        if table is None or unit is None or unit not in table:
            return None
        astray = self.snapshot.astray if self.live.sight == "live" else ()
        stands = (one.pose for one in astray if one.piece == unit)
        return next(stands, table.unit(unit).pose)

    def cover(self, covered: bool) -> None:
        """Cover or uncover the practice camera."""
        self.controller.camera_session.cover(covered)

    def prefer(self, chosen: Preferences) -> None:
        """Save the preferences and redraw what depends on them."""
        before, self.controller.game.preferences = self.controller.game.preferences, chosen
        preferences.save(self.folder / "preferences.json", chosen)
        spoken = (before.language, before.units) != (chosen.language, chosen.units)
        if spoken or before.readings != chosen.readings:
            self.ask(self.controller.anew)

    def redraw(self) -> None:
        """Draw everything again, after a change of language."""
        self.ask(self.controller.anew)

    def fit(self, screen: ScreenSize) -> None:
        """Render for a screen of this size."""
        if screen != self._wanted:
            self._wanted = screen
            self.ask(lambda: self.controller.resize(screen))

    def saved(self) -> tuple[SavedGame, ...]:
        """The saved games of this device."""
        return saved_games(self.games_folder)

    def unit_at(self, point: Point) -> str | None:
        """The piece that a touch at this point of the table selects."""
        table = self.snapshot.table
        return None if table is None else piece_at(table, point, NEAR_IN)

    def measured(self, start: Point, end: Point) -> str:
        """How far two points are apart: in the cells of a board, between two trays as the rules
        measure them, elsewhere as the crow flies."""
        snapshot = self.snapshot
        if isinstance(snapshot.table, BoardTable):
            one, two = (cell_at(snapshot.table.board, *point) for point in (start, end))
            if one is not None and two is not None:
                return _(cells_apart(snapshot.table, one, two))
        first, second = self.unit_at(start) or "", self.unit_at(end) or ""
        gap = snapshot.answers.get(first, {}).get("gap", {}).get(second)
        if gap is None:
            return ruler().length(math.dist(start, end))
        pieces = " – ".join(_(snapshot.short_name(piece)) for piece in (first, second))
        return f"{pieces}: {ruler().length(gap)}"

    def save_elsewhere(self) -> None:
        """Continue the game in a new file."""
        self.ask(self.controller.game.save_elsewhere)

    def copy(self, path: Path, target: Path) -> bool:
        """Copy the game if it is open here; blocks, so never call it on the screen thread."""
        return bool(self.controller.worker.answer(lambda: self.controller.game.copy(path, target)))

    def settle(self, timeout_s: float = 20.0) -> bool:
        """Block until the worker is idle; for tests and scripts, never on the screen thread."""
        return self.controller.worker.settle(timeout_s)

    def close(self) -> None:
        """Close the game and stop the threads."""
        self.ask(self.controller.leave)
        self.controller.worker.close()


def cells_apart(table: BoardTable, one: Cell, two: Cell) -> str:
    """How far two cells of a board are apart, from the nearest cells of large pieces."""
    if table.board.space == "hex":
        return say("{n} hex", "{n} hexes", n=HexGrid.distance(one, two))
    (first, size), (second, other) = (standing(table, cell) for cell in (one, two))
    apart = SquareGrid.block_distance(first, size, second, other)
    return say("{n} space", "{n} spaces", n=apart)


def standing(table: BoardTable, cell: Cell) -> tuple[Cell, int]:
    """The piece on a cell, by its lower left cell and its size; without one the cell itself."""
    for one in table.pieces:
        if one.cell is not None and not SquareGrid.block_distance(one.cell, one.size, cell, 1):
            return one.cell, one.size
    return cell, 1
