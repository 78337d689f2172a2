"""Pieces that wait to be deployed and stand on the board already, before the camera."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.engine.moved_piece import chances
from companion.engine.open_game import OpenGame, state_after
from companion.games.api.game_screen import CameraQuestion, GameScreen
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
        return (CameraQuestion(f"between {' '.join(left_out)}", title, doubt),) if unsure else ()
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
