"""Questions about tagged pieces that a camera sees: cards of a game without a measured table, and
figures that stand where they may be deployed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibration.setup import OtherTag
from companion.engine.camera.camera_session import CameraSession
from companion.engine.camera.game_source import CardSource
from companion.engine.camera.practice_source import PracticeSource
from companion.engine.moves.cell_moves import chances
from companion.engine.open_game import OpenGame, state_after
from companion.engine.snapshot import CameraView
from companion.engine.standings import MOVED_IN, TURNED_DEG, apart
from companion.games.api.game_screen import CameraQuestion, GameScreen, SeenPiece
from companion.games.api.play import Plain, Play
from companion.games.api.prompt import ActionOffer, Choice
from companion.session.builtin_commands import MOST_TOGETHER
from companion.vision.track.table_tracker import TrackedTray
from models import Pose
from models.board import Cell
from models.board_table import BoardTable
from models.message import joined, say


def seen_deployment(game: OpenGame, standings: Sequence[TrackedTray]) -> Sequence[CameraQuestion]:
    """Pieces that wait to be deployed and stand where they may: all of them in one step."""
    table, here, screen, view = (game.snapshot.gridded, game.here, game.screen, game.snapshot.view)
    if table is None or here is None or here.play is None or screen is None:
        return ()
    if view is not None and view.rival:
        return ()
    waiting = {
        one.unit: one.fit.pose
        for one in standings
        if one.condition == "settled" and one.unit not in table
    }
    state, sent = here.state, dict[str, Plain]()
    while found := next(deployable(screen, here.play, state, table, waiting), None):
        piece, command, state = found
        sent[piece] = command
        del waiting[piece]
    left = [*standing(screen, here.play, state, table, waiting)]
    unsure = [
        piece
        for piece, _offers, cells in left
        if len(cells) > 1 and all(cell in table.board for cell in cells)
    ]
    beside = [piece for piece, _offers, cells in left if not cells]
    outside = [piece for piece, _offers, cells in left if len(cells) == 1]
    title = say("Deployment before the camera")
    name = game.snapshot.name
    doubts = (
        between_words([*map(name, unsure)]),
        beside_words([*map(name, beside)]),
        outside_words([*map(name, outside)]),
    )
    doubt, left_out = joined(filter(None, doubts), " "), [*unsure, *beside, *outside]
    if not sent:
        told = bool(unsure or outside)  # who waits beside the board is no question
        return (CameraQuestion(f"between {' '.join(left_out)}", title, doubt),) if told else ()
    commands = [*sent.values()]
    steps = tuple(
        {"do": "together", "commands": commands[start : start + MOST_TOGETHER]}
        for start in range(0, len(commands), MOST_TOGETHER)
    )
    names = joined([game.snapshot.name(piece) for piece in sent])
    choice = Choice(say("Deploy as the camera sees"), steps, "primary")
    detail = joined(filter(None, (names, doubt)), ". ")
    return (CameraQuestion(f"deploy {' '.join([*sent, *left_out])}", title, detail, (choice,)),)


def between_words(names: Sequence[str]) -> str:
    """Who is seen, but not surely on one space, and what helps; "" if that is nobody."""
    if not names:
        return ""
    return say(
        "Between two spaces: {names}. Put each in the middle of its space, or show again where"
        " the board lies.",
        names=joined(names),
    )


def beside_words(names: Sequence[str]) -> str:
    """Who is seen beside the board; "" if that is nobody."""
    return say("Beside the board: {names}.", names=joined(names)) if names else ""


def outside_words(names: Sequence[str]) -> str:
    """Who is seen where it may not be deployed; "" if that is nobody."""
    return say("Not where they may be deployed: {names}.", names=joined(names)) if names else ""


def deployable(
    screen: GameScreen,
    play: Play[Any],
    state: Any,
    table: BoardTable,
    waiting: Mapping[str, Pose],
) -> Iterator[tuple[str, Plain, Any]]:
    """Pieces that may be deployed where they stand, beyond doubt: the command, the state after."""
    for piece, offers, cells in standing(screen, play, state, table, waiting):
        own = (one for one in offers if one.piece == piece and one.possible and not one.target)
        places = (one.at(cell) for one in own for cell in cells if len(cells) == 1)
        commands = next((one.commands for one in places if one is not None), ())
        after = state_after(play, state, commands[0]) if len(commands) == 1 else None
        if after is not None:
            yield piece, commands[0], after


def standing(
    screen: GameScreen,
    play: Play[Any],
    state: Any,
    table: BoardTable,
    waiting: Mapping[str, Pose],
) -> Iterator[tuple[str, list[ActionOffer], dict[Cell, float]]]:
    """Pieces that may be deployed now: their offers, and the cells on which they may stand."""
    for piece, pose in waiting.items():
        offers = [one for one in screen.offers(state, None, piece) if one.possible and one.cells]
        for command in (one.cells[0].commands[0] for one in offers[:1]):
            there = state_after(play, state, command)
            on_board = play.moment(there).table if there is not None else None
            if isinstance(on_board, BoardTable) and piece in on_board:
                yield piece, offers, chances(table, on_board.piece(piece), pose)


def seen_pieces(live: CameraView, source: PracticeSource | None = None) -> tuple[SeenPiece, ...]:
    """The tagged pieces that lie still in the newest frame; a practice table knows its cards."""
    if live.sight != "live":
        return ()
    carriers = source.carriers if isinstance(source, CardSource) else {}
    tagged = (
        (OtherTag.of(tag).number, one.fit.pose)
        for one in live.standings
        if one.condition == "settled"
        for tag in one.fit.used
    )
    return tuple(SeenPiece(tag, pose, carriers.get(tag, "")) for tag, pose in tagged)


def same_picture(before: Sequence[SeenPiece], after: Sequence[SeenPiece]) -> bool:
    """Whether the same tags lie where they lay."""
    poses = {one.tag: one.pose for one in before}
    if poses.keys() != {one.tag for one in after}:
        return False
    return not any(apart(poses[one.tag], one.pose, MOVED_IN, TURNED_DEG) for one in after)


class QuestionQueue:
    """Asks the game what the picture means whenever one of them has changed.

    What the players have refused is not asked again before the picture has shown otherwise.
    """

    def __init__(self, game: OpenGame, cameras: CameraSession) -> None:
        self._game, self._cameras = game, cameras
        self._seen: tuple[SeenPiece, ...] = ()
        self._asked: object = None
        self._left: tuple[CameraQuestion, ...] = ()
        self._refused: dict[tuple[str, str], object] = {}
        """What the players have refused, and after which step they did."""

    def idle(self) -> None:
        """Publish what is to be decided, if the picture or the game is other than before."""
        game, setup = self._game, self._cameras.setup
        here, screen = game.here, game.screen
        blind = self._cameras.camera_worker is None or setup is None
        board = game.snapshot.gridded is not None and not game.snapshot.unplaced
        if blind or here is None or screen is None or not (board or game.snapshot.table is None):
            if game.snapshot.camera_questions or game.snapshot.left_question:
                game.publish(camera_questions=(), left_question="")
            return
        assert setup is not None
        seen = seen_pieces(self._cameras.live, self._cameras.practice_source)
        chosen = game.snapshot.chosen
        asked = (game.snapshot.path, here.seq, chosen)
        shown = game.snapshot.camera_questions == self._left
        shown = shown and game.snapshot.left_question == self.newest_refused
        if shown and asked == self._asked and same_picture(self._seen, seen):
            return
        self._seen, self._asked = seen, asked
        size = setup.table_width, setup.table_depth
        if board:
            found = seen_deployment(game, self._cameras.live.standings)
        else:
            found = screen.camera_questions(here.state, seen, size, chosen)
        still = {content(one) for one in found}
        self._refused = {one: step for one, step in self._refused.items() if one in still}
        self._left = tuple(one for one in found if content(one) not in self._refused)
        self.publish()

    def refuse(self, question: str) -> None:
        """The players say that the picture is wrong: the game stays as it is."""
        shown = self._game.snapshot.camera_questions
        self._refused |= {content(one): self.step for one in shown if one.id == question}
        self._left = tuple(one for one in shown if one.id != question)
        self.publish()

    def take_back(self) -> bool:
        """Ask again what the players have refused since the newest step; whether they have."""
        refused = [one for one, step in self._refused.items() if step == self.step]
        if not refused:
            return False
        del self._refused[refused[-1]]
        self._asked = None
        self.idle()
        return True

    @property
    def step(self) -> object:
        """The newest step of the open game."""
        here = self._game.here
        return self._game.snapshot.path, here.seq if here is not None else None

    @property
    def newest_refused(self) -> str:
        """The title of what was refused last, if nothing was done since."""
        refused = [title for (_id, title), step in self._refused.items() if step == self.step]
        return refused[-1] if refused else ""

    def publish(self) -> None:
        """Show what is to be decided, and what Undo would ask again."""
        left, snapshot = self.newest_refused, self._game.snapshot
        if (self._left, left) != (snapshot.camera_questions, snapshot.left_question):
            self._game.publish(camera_questions=self._left, left_question=left)


def content(question: CameraQuestion) -> tuple[str, str]:
    """What makes two questions the same: the question, and what it is about."""
    return question.id, str(question.title)
