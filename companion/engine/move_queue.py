"""What the camera saw and players still have to decide: trays and pieces that were moved."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

from companion.engine.app_words import _
from companion.engine.camera.camera_session import CameraSession
from companion.engine.camera.game_source import BoardSource
from companion.engine.camera.practice_source import PracticeSource
from companion.engine.moves.cell_moves import asked_about, cell_move, place_corrections, prompted
from companion.engine.moves.cell_ways import UNDO, Way, gone_on, told_apart, ways_to
from companion.engine.moves.recorded_move import (
    agreed,
    agreed_note,
    newly_due,
    recorded_move,
    stays,
)
from companion.engine.moves.tray_move import explained
from companion.engine.moves.tray_places import certain_ends, ends_from, lies_over, still
from companion.engine.open_game import OpenGame
from companion.engine.snapshot import CellMove, Notice
from companion.engine.standings import (
    APART_DEG,
    APART_IN,
    MOVED_IN,
    TURNED_DEG,
    apart,
    compared,
    same_places,
)
from companion.engine.turn.selection import in_turn
from companion.games.api.game_screen import GameScreen
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer
from companion.session.fold import Position
from companion.session.game_view import GameView
from companion.vision.track.table_tracker import TrayMoved
from models import Pose, Table
from models.board import Cell
from models.board_table import BoardTable
from models.message import say

PATIENCE_S = 8.0
"""So long a hand has to put a piece where the game has it before it is asked about."""
AT_ONCE, NOT_NOW = 0.0, math.inf


@dataclass(slots=True)
class Wait:
    """A piece that stands elsewhere than the game has it: when it is asked about, and whether the
    players have said what becomes of it: then only its arrow stays, until it is moved or acts."""

    by: float
    answered: bool = False
    until_legal: bool = False
    """Whether the players have put it off while it might not stand there: they are asked again once
    it may."""
    undone: bool = False
    """Whether the players have just undone that the game has it there: nobody takes it over again
    for them."""


ANSWERED = partial(Wait, NOT_NOW, True)


def acting(view: GameView | None) -> set[str]:
    """The pieces that act now."""
    return {one.id for one in view.pieces if one.state == "acting"} if view is not None else set()


class MoveQueue:
    """Explains each move and queues it; an accepted one is sent to the game with `send`: the
    commands, and whether they belong to the newest step."""

    def __init__(self, game: OpenGame, cameras: CameraSession, send: Callable[..., None]) -> None:
        self._game, self._cameras, self._send = game, cameras, send
        self.intended: tuple[str, str] = ("", "")
        """The unit that the players move now, and the kind of its action."""
        self._placed: dict[str, Pose] = {}
        """Where the app puts trays of the practice table: its camera will see them there."""
        self._acting = ""
        self._acts: set[str] = set()
        self._taken: tuple[str, int, tuple[Plain, ...]] = ("", -1, ())
        """The piece whose move the game took last, its step and its commands."""
        self._dues: set[str] = set()
        """The pieces that had a move to make after the newest step."""
        self._undone = False
        """Whether the newest step was undone or redone."""
        self._waits: dict[str, Wait] = {}
        """What stands elsewhere than the game has it, and was not moved just now."""

    def intend(self, unit: str, action: str) -> None:
        """Say which action the tray that is moved now carries out; it may have been moved before:
        then nobody puts it back, and one that was left there is taken over if its place is such an
        action's. A piece on a board may stand where the action brings it: its question would cover
        the button."""
        self.intended = (unit, action)
        wait, on_board = self._waits.get(unit), self._game.snapshot.gridded is not None
        if wait is not None and not on_board:
            wait.by = AT_ONCE
        elif wait is not None and not wait.answered:
            wait.by = time.monotonic() + PATIENCE_S

    def handle_move(self, event: TrayMoved) -> None:
        """Handle a tray or a piece that came to rest at another place, or was first seen there:
        what the game has elsewhere is asked about."""
        self._waits.pop(event.unit, None)
        if self._game.snapshot.gridded is not None:
            self.moved_piece(event.unit, event.end)
        elif not self.arrived(event.unit, event.end):
            self.explain(event.unit, event.end)

    def adopt(self) -> None:
        """Update the game's table from all positions that the camera sees.

        On a board each piece that stands elsewhere is asked about.
        """
        live, snapshot = self._cameras.live, self._game.snapshot
        if snapshot.unplaced:
            self._game.notify(say("Show first where the board lies."), "", refused=True)
            return
        if snapshot.gridded is not None and live.sight == "live":
            for one in live.standings:
                if one.condition not in ("hidden", "gone"):
                    self.moved_piece(one.unit, one.fit.pose)
            return
        seen = self._cameras.seen(snapshot.trays)
        if seen is None:
            self._game.notify(say("the camera does not see the table now"), "", refused=True)
        else:
            self._send(({"do": "table", "table": seen.to_json()},))

    # -- pieces on the cells of a board -------------------------------------------------------

    def look_at_acting(self) -> None:
        """Ask about a piece that begins to act and stands elsewhere: a hand was before the tap."""
        snapshot, live = self._game.snapshot, self._cameras.live
        if snapshot.gridded is None or live.sight != "live":
            return
        acting = next((one.id for one in snapshot.pieces if one.state == "acting"), "")
        if acting != self._acting:
            self._acting = acting
            for one in live.standings:
                if one.unit == acting and one.condition == "settled":
                    self.moved_piece(acting, one.fit.pose, asks=True)

    def moved_piece(self, piece: str, end: Pose, asks: bool = False) -> None:
        """Accept the move of the piece that acts, else ask the players about it; always if it
        `asks`."""
        game = self._game
        table, here = game.snapshot.gridded, game.here
        if table is None or here is None or piece not in table or game.snapshot.unplaced:
            return
        found = self.judged_piece(piece, end)
        if found is not None and not asks and (further := self.gone_on(found)):
            if found.legal:
                further = told_apart(further, found.ways)
            if len(further) == 1:
                self.send_move(piece, further[0].commands)
                if further[0].commands == (UNDO,):
                    name = game.snapshot.name(piece)
                    game.notify(say("{piece} is back: its move is undone", piece=name), "")
                return
            found = asked_about(replace(found, cells=(further[0].target,)), further)
        if found is not None and not found.legal:
            shown = replace(game.snapshot, cell_moves=(found,))
            wish = next(iter(place_corrections(shown, (piece,))), None)
            found = replace(found, refused=game.refusal_of(wish) if wish is not None else "")
        rest = tuple(one for one in game.snapshot.cell_moves if one.piece != piece)
        waiting = rest if found is None else (*rest, found)
        # who may stand there is asked first: another piece that stands wrong holds nobody up
        game.publish(cell_moves=tuple(sorted(waiting, key=self.urgency)))
        view = game.snapshot.piece(piece)
        moves = view is not None and view.state == "acting" or prompted(game.snapshot, piece)
        if found is not None and moves and not asks:
            way = self.meant(found)
            if way is not None:
                self.place_piece(piece, found.ways[way].cell, way)

    def judged_piece(self, piece: str, end: Pose) -> CellMove | None:
        """What it means that a piece stands there; None if the game has it there."""
        game, table = self._game, self._game.snapshot.gridded
        if table is None or piece not in table:
            return None
        offers, readings = game.offers_by_hand(piece), game.readings()
        found = cell_move(game.snapshot, table, piece, end, offers, readings)
        if found is not None and found.spot is not None and not found.answerable:
            offers = (*offers, *game.at_once(piece, found.spot))
            found = cell_move(game.snapshot, table, piece, end, offers, readings) or found
        return found

    def urgency(self, move: CellMove) -> tuple[bool, bool]:
        """Who may stand there comes first, and of these who is in turn."""
        return not move.answerable, not in_turn(self._game.snapshot, move.piece)

    def meant(self, move: CellMove) -> int | None:
        """The number of the way that needs no question: the one that the players have picked, else
        the only one, if it is a mere move; a finger may only count where something harms."""
        picked = self.picked_for(move)
        for number, way in enumerate(move.ways):
            if picked and way.name == picked and way.target.mark != "danger":
                return number
        return 0 if len(move.ways) == 1 and move.ways[0].silent else None

    def picked_for(self, move: CellMove) -> str:
        """The name of the way that the players have picked for a piece; "" if none."""
        unit, action = self.intended
        return action if unit == self._game.snapshot.chosen == move.piece else ""

    def gone_on(self, move: CellMove) -> tuple[Way, ...]:
        """The ways of a piece that was set down on its way, or is put back at once: the move that
        was taken for the end is undone. None if anything else has happened since, or another
        action is picked."""
        here, (piece, seq, taken) = self._game.here, self._taken
        before = here.whole.below if here is not None else None
        stale = here is None or (piece, seq) != (move.piece, here.seq)
        stale |= self._cameras.practice_source is not None  # it follows the game, a little later
        stale |= bool(prompted(self._game.snapshot, move.piece))
        stale |= any(way.name == self.picked_for(move) != "" for way in move.ways)
        if stale or len(move.cells) != 1 or before is None or before.play is None:
            return ()
        cell, table = move.cells[0].cell, before.play.moment(before.state).table
        if not isinstance(table, BoardTable) or piece not in table:
            return ()
        ways = ways_to(self._game.offers_by_hand(piece, before), piece, cell)
        return gone_on(ways, taken, cell, table.piece(piece).cell)

    def send_move(self, piece: str, commands: tuple[Plain, ...]) -> None:
        """Send the move of a piece, and remember it while nothing else happens."""
        self._waits.pop(piece, None)
        self.intended = ("", "")
        self._send(commands)
        here = self._game.here
        moved = commands[1:] if commands[0] == UNDO else commands
        self._taken = (piece, here.seq if here is not None else -1, moved)

    def judge_again(self) -> None:
        """Judge the pieces that wait anew, after another step: they stand where they stood.

        Who begins to act and was not put back as they said is asked about again, and who was put
        off and may stand there now; others that stand elsewhere in a while: a hand may be carrying
        out the step.
        """
        for move in self._game.snapshot.cell_moves:
            if move.pose is not None:
                self.moved_piece(move.piece, move.pose, asks=True)
        self.explain_again()
        now = acting(self._game.snapshot.view)
        for piece in now - self._acts:
            if piece in self._waits:
                self._waits[piece] = Wait(AT_ONCE)
        self._acts = now
        self.expect_hands()
        due = {one.piece for one in self._game.snapshot.due}
        for piece in due - self._dues:
            if piece in self._waits:  # after an undo only its players take it over again
                self._waits[piece] = Wait(AT_ONCE, undone=self._waits[piece].undone)
        self._dues = due
        for one in compared(self._game.snapshot, self._cameras.live):
            wait = self._waits.get(one.piece)
            if wait is not None and wait.until_legal and self.may_stand(one.piece, one.pose):
                self._waits[one.piece] = Wait(AT_ONCE)
        self.compare()

    def expect_hands(self) -> None:
        """Give hands a while to put what stands elsewhere where the game has it."""
        for one in compared(self._game.snapshot, self._cameras.live):
            wait = Wait(time.monotonic() + PATIENCE_S, undone=self._undone)
            self._waits.setdefault(one.piece, wait)

    def compare(self) -> None:
        """Compare all that stands before a real camera with the table: what stands elsewhere is
        marked, and asked about when its time has come. Else the game would answer from a place
        where it does not stand."""
        live = self._cameras.live
        if self._cameras.practice_source is not None:  # the practice table follows the game
            self._waits.clear()
            return
        found = compared(self._game.snapshot, live)
        if not same_places(self._game.snapshot.astray, found):
            self._game.publish(astray=found)
        for one in live.standings if live.sight == "live" else ():
            asked = next((x for x in self._game.snapshot.notices if x.unit == one.unit), None)
            if asked and one.condition == "settled" and not still(asked.where[1], one.fit.pose):
                self.explain(one.unit, one.fit.pose)  # a hand has pushed it a little further
                continue
            wait = self._waits.get(one.unit)
            if wait is None or one.condition != "settled" or time.monotonic() < wait.by:
                continue
            wait.by = NOT_NOW
            if self._game.snapshot.gridded is not None:
                self.moved_piece(one.unit, one.fit.pose, asks=True)
            else:
                self.explain(one.unit, one.fit.pose, asks=not wait.answered)

    def decide_all(self, how: str) -> None:
        """What becomes of everything that stands elsewhere: it goes back, is corrected, or waits
        until it is moved or acts."""
        snapshot = self._game.snapshot
        trays = [one.unit for one in snapshot.notices]
        pieces = [one.piece for one in snapshot.cell_moves]
        if how == "correct":
            self.correct_places((*trays, *pieces))
        elif how == "later":
            for one in (*trays, *pieces):
                self.later(one)
        else:
            for unit in trays:
                self.correct(unit)
            for piece in pieces:
                self.place_piece(piece, None)

    def later(self, piece: str) -> None:
        """The players leave a piece where it stands: it is asked about when it is moved or acts, or
        once it may stand there."""
        snapshot = self._game.snapshot
        may = any(one.legal for one in snapshot.notices if one.unit == piece)
        may |= any(one.answerable for one in snapshot.cell_moves if one.piece == piece)
        self._game.publish(
            notices=tuple(one for one in snapshot.notices if one.unit != piece),
            cell_moves=tuple(one for one in snapshot.cell_moves if one.piece != piece),
        )
        self._waits[piece] = Wait(NOT_NOW, answered=True, until_legal=not may)

    def may_stand(self, piece: str, pose: Pose) -> bool:
        """Whether an action lets a piece stand there now."""
        if self._game.snapshot.gridded is not None:
            move = self.judged_piece(piece, pose)
            return move is not None and move.answerable
        notice = self.judged_tray(piece, pose)
        return notice is not None and notice.legal

    def ask_again(self) -> None:
        """The players come back to what they left where it stands: it is asked about now."""
        for one in self._game.snapshot.astray:
            if not one.lost:
                self._waits[one.piece] = Wait(AT_ONCE)
        self.compare()

    def ask_first(self, pieces: Collection[str]) -> frozenset[str]:
        """Those of the pieces that stand where nothing may: the players are asked about them, and
        have answered when they say it again."""
        snapshot = self._game.snapshot
        notices = [one for one in snapshot.notices if one.unit in pieces]
        moves = [one for one in snapshot.cell_moves if one.piece in pieces]
        trays = {one.unit for one in notices if one.barred and not one.asked}
        found = {one.piece for one in moves if one.barred and not one.asked}
        if trays or found:
            asks = [replace(one, asked=one.asked or one.unit in trays) for one in snapshot.notices]
            cells = [
                replace(one, asked=one.asked or one.piece in found) for one in snapshot.cell_moves
            ]
            self._game.publish(
                notices=tuple(sorted(asks, key=lambda one: not one.asked)),
                cell_moves=tuple(sorted(cells, key=lambda one: not one.asked)),
            )
        return frozenset(trays | found)

    def correct_places(self, pieces: Collection[str]) -> None:
        """Take over where pieces stand, as mere corrections in one step."""
        asked = self.ask_first(pieces)
        pieces = [one for one in pieces if one not in asked]
        snapshot = self._game.snapshot
        table, joins = snapshot.trays, False
        notices = [one for one in snapshot.notices if one.unit in pieces]
        if table is not None and notices:
            seen = reduce(lambda there, one: there.moved(*one.where), notices, table)
            free = [one for one in notices if lies_over(seen, one.unit) is None]
            taken = reduce(lambda there, one: there.moved(*one.where), free, table)
            for one in free:
                self.remove(one)
                self._waits.pop(one.unit, None)
            units = [one.unit for one in free]
            if units:
                self._send(({"do": "table", "table": taken.to_json(), "units": units},))
        for command in place_corrections(snapshot, pieces):
            self._send((command,), joins)
            joins = True

    def compare_acting(self, before: GameView | None) -> None:
        """Pieces that begin to act and were moved before that: what the camera sees counts now."""
        view, live = self._game.snapshot.view, self._cameras.live
        if self._cameras.practice_source is not None or view is None or live.sight != "live":
            return  # the practice table follows the game
        begun = acting(view) - acting(before)
        for one in live.standings:
            if one.unit in begun and one.condition == "settled":
                self.moved_piece(one.unit, one.fit.pose)

    def place_piece(self, piece: str, cell: Cell | None, way: int = 0) -> None:
        """The players say on which cell a piece stands; None: it is back where it was.

        `way` is the number of the way in which it comes there.
        """
        snapshot = self._game.snapshot
        move = next((one for one in snapshot.cell_moves if one.piece == piece), None)
        table = snapshot.gridded
        if move is None or table is None:
            return
        self._game.publish(cell_moves=tuple(one for one in snapshot.cell_moves if one is not move))
        ways = move.ways[way:] or move.cells
        commands = next((one.commands for one in ways if one.cell == cell), ())
        if commands:
            self.send_move(piece, commands)
            return
        self._waits[piece] = ANSWERED()
        if cell is not None and (piece not in table or table.piece(piece).cell != cell):
            self._game.notify(say("It may not stand there now. Put it back."), "", refused=True)
        source = self._cameras.practice_source
        if isinstance(source, BoardSource):
            source.place_pieces(table)

    # -- trays on an open table ---------------------------------------------------------------

    def explain(self, unit: str, end: Pose, asks: bool = True) -> None:
        """Queue a notice that names the action that explains the move, or accept it; what was just
        undone is only asked about. Without a question if it `asks` nobody."""
        snapshot = self._game.snapshot
        table = snapshot.trays
        if table is None or unit not in table:
            return
        notice = self.judged_tray(unit, end)
        if not asks and not self.does_intended(notice):
            return
        waiting = snapshot.notices
        if notice is None:
            queue = tuple(one for one in waiting if one.unit != unit)
        elif any(one.unit == unit for one in waiting):
            queue = tuple(notice if one.unit == unit else one for one in waiting)
        else:
            queue = (*waiting, notice)
        # who is in turn is asked about first: another tray holds nobody up
        self._game.publish(notices=tuple(sorted(queue, key=lambda one: not one.in_turn)))
        wait = self._waits.get(unit)
        if notice is None or wait is not None and wait.undone:
            return
        due, kinds = snapshot.due_move(unit), {one.kind for one in notice.actions}
        if due is not None and notice.sure(due.kind):
            self.accept(unit, due.kind)
        elif due is not None and (number := end_beside(due, notice, end)) is not None:
            self.remove(notice)
            self._waits.pop(unit, None)
            self.end(unit, number)
        elif self.does_intended(notice):
            self.accept(*self.intended)
        elif kinds and notice.sure(notice.actions[0].kind) and self.awaited(unit, end):
            self.accept(unit, notice.actions[0].kind)

    def judged_tray(self, unit: str, end: Pose) -> Notice | None:
        """What it means that a tray stands there; None if the game has it there."""
        game, table = self._game, self._game.snapshot.trays
        if table is None or unit not in table:
            return None
        offers = game.offers_of_tray(unit)
        return explained(table, unit, end, game.readings(), game.snapshot, offers, game)

    def does_intended(self, notice: Notice | None) -> bool:
        """Whether a move is surely the action that the players have picked; never one whose dice
        nobody has rolled."""
        if notice is None or not notice.sure(self.intended[1]):
            return False
        known = {(notice.unit, one.kind) for one in notice.actions if one.dice is None}
        return self.intended in known

    def awaited(self, unit: str, end: Pose) -> bool:
        """Whether a rival wants this tray there now, not after dice."""
        view = self._game.snapshot.view
        asked = view.prompts[0] if view is not None and view.rival and view.prompts else None
        rolls = asked is not None and any(one.dice is not None for one in asked.choices)
        ends = asked.ends if asked is not None and not rolls else ()
        return any(one == unit and near(pose, end) for there in ends for one, pose in there.poses)

    def explain_again(self) -> None:
        """Judge the moves that wait anew, after the table or the language changed."""
        table = self._game.snapshot.trays
        for notice in self._game.snapshot.notices:
            if table is not None and notice.unit not in table:
                self.remove(notice)
            else:
                self.explain(*notice.where)

    def put_down(self, unit: str, pose: Pose, action: str, commands: Sequence[Plain] = ()) -> None:
        """A finger puts a tray down: the game takes it over, and the practice table shows it."""
        self.explain(unit, pose)
        self.accept(unit, action, commands, by_finger=True)
        table = self._game.snapshot.trays
        if table is not None and unit in table and still(table.unit(unit).pose, pose):
            self._placed[unit] = pose
            self._cameras.carry(unit, pose)

    def arrived(self, unit: str, end: Pose) -> bool:
        """Whether a tray came to rest where the app put it: the game has it there already."""
        placed = self._placed.pop(unit, None)
        return placed is not None and near(placed, end)

    def accept(
        self,
        unit: str = "",
        action: str = "",
        commands: Sequence[Plain] = (),
        by_finger: bool = False,
    ) -> None:
        """Accept a move, the oldest if none is named: the game takes over the moved tray.

        With a kind of action that explains it, and its commands where several are of that kind,
        both are one step. Who put it down `by_finger` has seen before what is against its place.
        """
        notice, snapshot = self.notice(unit), self._game.snapshot
        table = snapshot.trays
        if notice is None or table is None:
            return
        if not action and not by_finger and self.ask_first((notice.unit,)):
            return
        self.remove(notice)
        self._waits.pop(notice.unit, None)
        self.intended = ("", "")
        if notice.unit in table:
            moved = table.moved(notice.unit, notice.where[1])
            self._send(recorded_move(notice, action, moved, commands), self.is_new(notice.unit))
            if move := agreed(notice, action):
                self._send((agreed_note(move, _),), True)
        self.explain_again()

    def stay(self, unit: str, commands: Sequence[Plain]) -> None:
        """An action that moves a tray, or a move that is due: the tray stays where it is."""
        table, due = self._game.snapshot.trays, self._game.snapshot.due_move(unit)
        if table is not None and unit in table and (commands or due is not None):
            self._send((stays(table, unit, commands),), self.is_new(unit))

    def end(self, unit: str, number: int) -> None:
        """The players choose where a move that is due ends."""
        due, table = self._game.snapshot.due_move(unit), self._game.snapshot.trays
        if due is None or table is None or number >= len(due.ends):
            return
        end = due.ends[number]
        self._placed |= dict(end.poses)
        self._send((end.command(table),), self.is_new(unit))

    def is_new(self, unit: str) -> bool:
        """Whether the newest step decided the move that this unit still has to make."""
        here, screen = self._game.here, self._game.screen
        return here is not None and screen is not None and newly_due(screen, here, unit)

    def correct(self, unit: str = "") -> None:
        """Reject a move, the oldest if none is named; on the practice table the tray goes back."""
        notice = self.notice(unit)
        if notice is not None:
            self._waits[notice.unit] = ANSWERED()
            self.remove(notice)
            self._cameras.carry(notice.unit, notice.before)

    def notice(self, unit: str) -> Notice | None:
        """The move of a unit that waits for a decision; without a name the oldest."""
        return next((one for one in self._game.snapshot.notices if unit in ("", one.unit)), None)

    def remove(self, notice: Notice) -> None:
        """Take a move out of the queue."""
        rest = tuple(one for one in self._game.snapshot.notices if one is not notice)
        self._game.publish(notices=rest)

    # -- trays that no hand moves -------------------------------------------------------------

    def move_trays(self, command: Plain) -> None:
        """Move trays as the command decided, where no camera watches real ones, or back after an
        undo."""
        source, here, screen = self._cameras.practice_source, self._game.here, self._game.screen
        self._undone = command["do"] in ("undo", "redo")
        if self._undone:
            self._waits = {piece: one for piece, one in self._waits.items() if one.answered}
            self.expect_hands()
        for piece, wait in self._waits.items():
            wait.undone &= self._undone or self._game.snapshot.due_move(piece) is not None
        if self._game.snapshot.trays is None or here is None or screen is None:
            return
        table = here.play.moment(here.state).table if here.play else None
        if self._undone:
            if source is not None:
                self._cameras.put_back(table if isinstance(table, Table) else None)
            return
        if not isinstance(table, Table):
            return
        if source is None and self._cameras.camera_worker is not None:
            return  # the players move it, and the camera sees that
        parts = command.get("commands", ()) if command["do"] == "together" else (command,)
        units = [unit for one in parts for unit in one.get("units", ()) if one["do"] == "table"]
        moved = {unit: table.unit(unit).pose for unit in units if unit in table}
        for end in certain_ends(screen.due_moves(here.state)):
            moved |= dict(end.poses)
            if self._game.session is not None:
                self._game.session.answer(end.command(table), follows=True, joins=True)
        if source is not None:
            where = self._cameras.where
            ends = {unit: end for unit, end in moved.items() if where(unit) not in (None, end)}
            self._placed |= ends
            carry_out(source, table, screen, here, ends)


def end_beside(due: ActionOffer, notice: Notice, pose: Pose) -> int | None:
    """Which of the places of a decided move a hand meant that put the tray a little beside it;
    None if it lies elsewhere, or as near to another one, or went surely too far or not far
    enough."""
    places = sorted(ends_from(due, notice.unit, pose), key=lambda one: one[0])
    if notice.over.get(due.kind) or notice.missing.get(due.kind):
        return None
    if not places or any(one[0] <= 2 * APART_IN for one in places[1:]):
        return None
    off, turned, place = places[0]
    meant = off <= APART_IN and turned <= APART_DEG
    return due.ends.index(place) if meant else None


def near(one: Pose, other: Pose) -> bool:
    """Whether a camera may see a tray put down at one pose at the other."""
    return not apart(one, other, 3 * MOVED_IN, TURNED_DEG)


def carry_out(
    source: PracticeSource,
    table: Table,
    screen: GameScreen,
    here: Position,
    ends: Mapping[str, Pose],
) -> None:
    """On the practice table: remove the trays of lost pieces and move the others to their ends."""
    for piece in screen.pieces(here.state):
        if piece.state == "lost" and piece.id in table:
            source.remove(piece.id)
    for unit, end in ends.items():
        source.move(unit, end)
