"""Questions about tagged pieces that a camera sees: cards of a game without a measured table, and
figures that stand where they may be deployed.
"""

from __future__ import annotations

from collections.abc import Sequence

from calibration.setup import OtherTag
from companion.engine.camera.camera_session import CameraSession
from companion.engine.camera.game_source import CardSource
from companion.engine.camera.practice_source import PracticeSource
from companion.engine.open_game import OpenGame
from companion.engine.seen_deployment import seen_deployment
from companion.engine.snapshot import CameraView
from companion.engine.standings import MOVED_IN, TURNED_DEG, apart
from companion.games.api.game_screen import CameraQuestion, SeenPiece


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
        self._refused: set[tuple[str, str]] = set()

    def idle(self) -> None:
        """Publish what is to be decided, if the picture or the game is other than before."""
        game, setup = self._game, self._cameras.setup
        here, screen = game.here, game.screen
        blind = self._cameras.camera_worker is None or setup is None
        board = game.snapshot.gridded is not None and not game.snapshot.unplaced
        if blind or here is None or screen is None or not (board or game.snapshot.table is None):
            if game.snapshot.camera_questions:
                game.publish(camera_questions=())
            return
        assert setup is not None
        seen = seen_pieces(self._cameras.live, self._cameras.practice_source)
        chosen = game.snapshot.chosen
        asked = (game.snapshot.path, here.seq, chosen)
        shown = game.snapshot.camera_questions == self._left
        if shown and asked == self._asked and same_picture(self._seen, seen):
            return
        self._seen, self._asked = seen, asked
        size = setup.table_width, setup.table_depth
        if board:
            found = seen_deployment(game, self._cameras.live.standings)
        else:
            found = screen.camera_questions(here.state, seen, size, chosen)
        self._refused &= {content(one) for one in found}
        self._left = tuple(one for one in found if content(one) not in self._refused)
        if self._left != game.snapshot.camera_questions:
            game.publish(camera_questions=self._left)

    def refuse(self, question: str) -> None:
        """The players say that the picture is wrong: the game stays as it is."""
        shown = self._game.snapshot.camera_questions
        self._refused |= {content(one) for one in shown if one.id == question}
        self._left = tuple(one for one in shown if one.id != question)
        self._game.publish(camera_questions=self._left)


def content(question: CameraQuestion) -> tuple[str, str]:
    """What makes two questions the same: the question, and what it is about."""
    return question.id, str(question.title)
