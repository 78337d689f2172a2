"""Immutable snapshots that the workers publish and the screen thread draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from companion.engine.moves.cell_ways import Way
from companion.engine.turn.step_names import undo_texts
from companion.games.api.game_screen import CameraQuestion
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import ActionOffer, Prompt, TargetCell
from companion.games.api.screen_views import Outcome, Page, PieceView, ScoreView
from companion.games.shared.places import turned_words
from companion.session.authors import JointCommands
from companion.session.game_view import GameView, spelled
from companion.text.translation import translate
from models import Pose, Table
from models.board import Board
from models.board_table import BoardTable
from models.message import joined
from models.table import AnyTable
from models.unit import trays_overlap

if TYPE_CHECKING:  # a client in a terminal needs neither camera nor drawing
    from calibration.references.table_pose import TablePose
    from companion.engine.drawing.vertex_batches import VertexBatches
    from companion.games.api.rules import Placed
    from companion.vision.sources.frame import Picture
    from companion.vision.track.table_tracker import TrackedTray

Sight = Literal["off", "starting", "live", "held", "lost"]
BoardQuestion = Literal["", "where", "moved"]
"""What the players are asked about a board under a camera: where it lies, or whether it still lies
there after the camera was moved."""


AT_WILL = frozenset(("pivot", "shift", "align", "off"))
"""Moves that a unit may make or leave, also where the rules name their places."""


def may_stay(move: ActionOffer) -> bool:
    """Whether the tray of a move that is decided may stay where it is: not where the game knows
    the ends of a move that is made; a retreat may go no way at all."""
    return not move.ends or move.kind in (*AT_WILL, "retreat")


@dataclass(frozen=True, slots=True, eq=False)
class CameraView:
    """The newest frame and the state of the camera."""

    number: int = 0
    picture: Picture | None = None
    rgba: Picture | None = None
    """The same picture in the byte order of a texture."""
    camera: TablePose | None = None
    sight: Sight = "off"
    standings: tuple[TrackedTray, ...] = ()
    why: str = ""
    since_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Notice:
    """A move that was detected: what explains it, and the table to take over if accepted."""

    unit: str
    title: str
    detail: str
    legal: bool
    before: Pose
    table: Table
    in_turn: bool = True
    """Whether the piece may move now."""
    unsure: bool = False
    """Whether it is too close to call as every action."""
    doubtful: tuple[str, ...] = ()
    """The actions as which it is too close to call, where another one surely explains it."""
    doubt: str = ""
    """What is too close to call about those, in words."""
    rules: tuple[str, ...] = ()
    """The numbers of the rules that forbid it, for those who ask why."""
    actions: tuple[ActionOffer, ...] = ()
    """The actions of the piece that explain the move: it is recorded with one of them."""
    agreeable: tuple[ActionOffer, ...] = ()
    """The actions that do not explain it, and as which both players may agree to take it."""
    possible: bool = True
    """Whether a tray can lie there at all: not over another one."""
    over: Mapping[str, float] = field(default_factory=dict)
    """By how much it went too far as each action, in inches."""
    missing: Mapping[str, float] = field(default_factory=dict)
    """By how much it stopped too early as an action, in inches."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Why each action does not explain it, in words."""
    nearest: Mapping[str, Pose] = field(default_factory=dict)
    """A legal place on the way as each action that is too far, or beside its line."""
    costs: Mapping[str, str] = field(default_factory=dict)
    """What each action costs by the ground under it, in words."""
    barred: str = ""
    """Why no rule lets it stand there, whoever puts it: the ground, the edge of the table."""
    asked: bool = False
    """Whether the players are asked if its place is taken over though it is barred."""

    def sure(self, kind: str) -> bool:
        """Whether an action explains it for certain."""
        explains = any(one.kind == kind for one in self.actions)
        return explains and not self.unsure and kind not in self.doubtful

    @property
    def where(self) -> tuple[str, Pose]:
        """The unit and its new pose."""
        return self.unit, self.table.unit(self.unit).pose


@dataclass(frozen=True, slots=True)
class CellMove:
    """A piece that the camera sees on another cell than the game has it on.

    `cells` are those on which it may stand, the most probable first; a cell without commands is
    one to which it may not go now. None of them: it stands beside the board.
    """

    piece: str
    title: str
    detail: str
    cells: tuple[TargetCell, ...] = ()
    ways: tuple[Way, ...] = ()
    """How it comes to the only one of them."""
    pose: Pose | None = None
    """Where the camera sees it."""
    spot: tuple[int, int] | None = None
    """The cell on which it surely stands."""
    barred: str = ""
    """Why no rule lets it stand there, whoever puts it."""
    asked: bool = False
    """Whether the players are asked if its place is taken over though it is barred."""
    refused: str = ""
    """Why the game does not even take its place over as a correction."""

    @property
    def legal(self) -> bool:
        """Whether it surely stands on a cell to which it may go."""
        return bool(self.ways)

    @property
    def answerable(self) -> bool:
        """Whether it may stand on one of its cells: else it can only be put back."""
        return any(one.commands for one in self.cells)


@dataclass(frozen=True, slots=True)
class Astray:
    """A piece that stands still where the game does not have it."""

    piece: str
    pose: Pose
    outline: tuple[tuple[float, float], ...]
    """What it covers there."""
    lost: bool = False
    """Whether it is to be taken off the table."""
    may: bool = False
    """Whether it may stand there: it was moved, and its players are asked as what."""


@dataclass(frozen=True, slots=True)
class PlayerMessage:
    """The newest message to the players: a refusal with its rule, or reminders.

    Its text is translated where it is shown (`Snapshot.told`). Its number tells the screen whether
    it was already shown.
    """

    number: int = 0
    text: str = ""
    why: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DraftSnapshot:
    """The rendered table of a draft, with a verdict on every piece."""

    table: Table
    map: VertexBatches
    picture: VertexBatches | None
    placed: Placed

    def objections(self, reason: Callable[[str], str]) -> dict[str, list[str]]:
        """The pieces that may not lie where they do, by what the rules have against it; "" where a
        rule has no words."""
        found: dict[str, list[str]] = {}
        for answers in self.placed.values():
            for name, answer in answers.items():
                if answer["answer"] == "no":
                    words = (reason(rule) for rule in answer["why"])
                    found.setdefault(joined(dict.fromkeys(filter(None, words))), []).append(name)
        return found

    @property
    def overlapping(self) -> tuple[str, str] | None:
        """Two trays that lie on one another, which cannot be."""
        units = self.table.units
        pairs = ((one.id, two.id) for one, two in combinations(units, 2) if trays_overlap(one, two))
        return next(pairs, None)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Everything about the game that the screens show."""

    number: int = 0
    path: str = ""
    practice: bool = False
    state: Mapping[str, Any] = field(default_factory=dict)
    table: AnyTable | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    chosen: str | None = None
    chosen_at: int = -1
    by_itself: bool = False
    """Whether the piece was selected by the game, or because its tray was taken up: nobody has
    asked about it."""
    """The step at which players selected it; the game selects pieces too."""
    view: GameView | None = None
    """The records of the game's screen; None for a game without one."""
    offers: tuple[ActionOffer, ...] = ()
    """What the selected piece may do; without one, the best of the active seats."""
    told_turn: float = 0.0
    """How far the board is turned in the game's words, in degrees; it may be drawn otherwise."""
    advice: tuple[Prompt, ...] = ()
    """What the coach says, once a player has asked."""
    proposals: tuple[JointCommands, ...] = ()
    """What seats have agreed to, and waits for others."""
    map: VertexBatches | None = None
    picture: VertexBatches | None = None
    displaced: frozenset[str] = frozenset()
    """Trays that the camera sees on their way: the picture shows no badge for them."""
    notices: tuple[Notice, ...] = ()
    """Moves that were detected and not yet decided, the oldest first."""
    cell_moves: tuple[CellMove, ...] = ()
    """On a board: pieces that the camera sees elsewhere, the oldest first."""
    astray: tuple[Astray, ...] = ()
    """Everything that stands elsewhere under a real camera, asked about or not."""
    unplaced: bool = False
    """Whether a camera is open and nobody has shown where the board lies."""
    board_question: BoardQuestion = ""
    camera_questions: tuple[CameraQuestion, ...] = ()
    """Without a measured table: what the picture says of tagged pieces, to be decided."""
    left_question: str = ""
    """The title of the question that was answered by "Leave it as it was" after the newest step:
    Undo asks it again."""
    message: PlayerMessage = PlayerMessage()
    thinking: bool = False
    """Whether the offers are still being computed."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """Each side's own language, where one was chosen."""
    taken_s: float = 0.0
    """When the state was taken, by the monotonic clock."""
    scores: tuple[tuple[int, Mapping[str, int]], ...] = ()
    """The score after each round, once a screen has asked for it."""
    board: VertexBatches | None = None
    """A small map of the table alone, for the score screen."""
    staged: DraftSnapshot | None = None

    @property
    def trays(self) -> Table | None:
        return self.table if isinstance(self.table, Table) else None

    @property
    def gridded(self) -> BoardTable | None:
        """The table, if it is a board of cells."""
        return self.table if isinstance(self.table, BoardTable) else None

    @property
    def turned_words(self) -> Mapping[str, str]:
        """How places on the board are called as it is drawn, by what the game calls them."""
        table = self.gridded
        return words_as_drawn(table.board, self.told_turn) if table is not None else {}

    @property
    def notice(self) -> Notice | None:
        """The move to decide first."""
        return self.notices[0] if self.notices else None

    @property
    def tabled(self) -> bool:
        """Whether the game is played on a table or a board."""
        return self.view is None or self.view.tabled

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """The players."""
        return self.view.seats if self.view is not None else ()

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the game waits for."""
        return self.view.prompts if self.view is not None else ()

    @property
    def pieces(self) -> tuple[PieceView, ...]:
        """Every piece of the game."""
        return self.view.pieces if self.view is not None else ()

    @property
    def score(self) -> ScoreView | None:
        """The score by seat."""
        return self.view.score if self.view is not None else None

    @property
    def pages(self) -> tuple[Page, ...]:
        """The game's own pages."""
        return self.view.pages if self.view is not None else ()

    @property
    def secrets(self) -> tuple[tuple[str, str], ...]:
        """Pages on which a seat sees more than the others: the page's id and the seat's."""
        return self.view.secrets if self.view is not None else ()

    @property
    def due(self) -> tuple[ActionOffer, ...]:
        """Moves that are decided while their trays still stand as before."""
        here = self.trays
        if self.view is None:
            return ()
        rival, seats = self.view.rival, {one.id: one.seat for one in self.pieces}
        return tuple(
            one
            for one in self.view.due
            if here is not None
            and one.piece in here
            # a rival says itself where its trays go, and has left what it might have done
            and not (rival and seats.get(one.piece) == rival)
            and not (one.kind in AT_WILL and seats.get(one.piece) in self.view.rivals)
        )

    def due_move(self, piece: str) -> ActionOffer | None:
        """The move that a piece still has to make."""
        moves = self.view.due if self.view is not None else ()
        return next((one for one in moves if one.piece == piece), None)

    @property
    def outcome(self) -> Outcome | None:
        """The result of the newest step."""
        return self.view.outcome if self.view is not None else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.score is not None and bool(self.score.winner)

    def piece(self, piece: str | None) -> PieceView | None:
        """A piece by its id."""
        return next((one for one in self.pieces if one.id == piece), None)

    def name(self, piece: str) -> str:
        """The name of a piece as players know it; its id in a game without a screen."""
        found = self.piece(piece)
        if found is not None:
            return found.name
        return self.view.names.get(piece, piece) if self.view is not None else piece

    def short_name(self, piece: str) -> str:
        """The name of a piece as its badge has it."""
        found = self.piece(piece)
        return found.short or found.name if found is not None else piece

    def owned_name(self, piece: str) -> str:
        """The name of a piece, of a team with whose it is."""
        found = self.piece(piece)
        return found.short if found is not None and found.player else self.name(piece)

    def spelled(self, text: str, short: bool = False) -> str:
        """A text of the log with the names of pieces, players and terrain instead of their ids."""
        return spelled(self.view, text, translate, short)

    @property
    def told(self) -> str:
        """The newest message in the players' language."""
        return self.spelled(self.message.text)

    @property
    def undo(self) -> tuple[str, ...]:
        """What Undo takes back, the fullest text first; nothing if there is nothing."""
        step = self.state.get("undo") or ""
        return undo_texts(self.view, step, translate, self.left_question)

    def seat(self, seat: str) -> SeatView | None:
        """A player by the id of the seat."""
        return next((one for one in self.seats if one.id == seat), None)

    @property
    def game(self) -> str:
        """The game that is set up, "" for none."""
        return str(self.state.get("game") or "")

    @property
    def step(self) -> int:
        """The number of the newest step."""
        return int(self.state.get("seq") or 0)

    @property
    def playing(self) -> bool:
        """Whether a game is set up."""
        return bool(self.game)

    @property
    def pending(self) -> Mapping[str, Any] | None:
        """The first prompt that the game is waiting for."""
        waiting = self.state.get("pending") or ()
        return waiting[0] if waiting else None


def words_as_drawn(board: Board, told_turn: float) -> Mapping[str, str]:
    """How places are called on a board that is drawn turned, by what the game calls them."""
    return turned_words(board.turn - told_turn)
