"""Pieces that wait to be deployed and stand on the board already, before the camera."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.engine.moved_piece import chances, commands_to
from companion.engine.open_game import OpenGame
from companion.games.api.game_screen import CameraQuestion, GameScreen
from companion.games.api.play import Plain, Play, Refusal
from companion.games.api.prompt import Choice
from companion.session.builtin_commands import MOST_TOGETHER
from companion.vision.track.table_tracker import TrackedTray
from models import Pose
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
    if not sent:
        return ()
    commands = [*sent.values()]
    steps = tuple(
        {"do": "together", "commands": commands[start : start + MOST_TOGETHER]}
        for start in range(0, len(commands), MOST_TOGETHER)
    )
    told = [joined([game.snapshot.name(piece) for piece in sent])]
    doubtful = [*between(screen, here.play, state, table, waiting)]
    if doubtful:
        left = joined([game.snapshot.name(piece) for piece in doubtful])
        told.append(say("between two spaces: {names}", names=left))
    choice = Choice(say("Deploy as the camera sees"), steps, "primary")
    title = say("Deployment before the camera")
    about = f"deploy {' '.join([*sent, *doubtful])}"
    return (CameraQuestion(about, title, joined(told, ". "), (choice,)),)


def between(
    screen: GameScreen,
    play: Play[Any],
    state: Any,
    table: BoardTable,
    waiting: Mapping[str, Pose],
) -> Iterator[str]:
    """Pieces that may be deployed now and stand on the board, but not clearly on one space."""
    for piece, pose in waiting.items():
        offers = [one for one in screen.offers(state, None, piece) if one.possible and one.cells]
        there = placed(play, state, offers[0].cells[0].commands[0]) if offers else None
        on_board = play.moment(there).table if there is not None else None
        if isinstance(on_board, BoardTable) and piece in on_board:
            cells = chances(table, on_board.piece(piece), pose)
            if len(cells) > 1 and all(cell in table.board for cell in cells):
                yield piece


def deployable(
    screen: GameScreen,
    play: Play[Any],
    state: Any,
    table: BoardTable,
    waiting: Mapping[str, Pose],
) -> Iterator[tuple[str, Plain, Any]]:
    """Pieces that may be deployed where they stand, beyond doubt: the command, the state after."""
    for piece, pose in waiting.items():
        offers = [one for one in screen.offers(state, None, piece) if one.possible and one.cells]
        for command in (one.cells[0].commands[0] for one in offers[:1]):
            there = placed(play, state, command)
            on_board = play.moment(there).table if there is not None else None
            if not isinstance(on_board, BoardTable) or piece not in on_board:
                continue
            cells = chances(table, on_board.piece(piece), pose)
            found = commands_to(offers, piece, next(iter(cells))) if len(cells) == 1 else ()
            after = placed(play, state, found[0]) if len(found) == 1 else None
            if after is not None:
                yield piece, found[0], after


def placed(play: Play[Any], state: Any, command: Plain) -> Any:
    """The state after a command, None if it is refused."""
    decision = play.decide(state, command)
    if isinstance(decision, Refusal):
        return None
    for event in decision.events:
        state = play.apply(state, event)
    return state
