"""A viewer of a running game: sees records, sends intents. Each has its own seat, selection and
language.

    blue = Client(game, seat="blue", language="de")
    blue.view().prompts[0].choices                # what blue may do now, with handles
    blue.act({"tap": "c1"})                       # the next view, or a refusal: nothing changed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from companion.engine.moves.cell_moves import place_corrections
from companion.engine.moves.recorded_move import (
    ONLY_CORRECTED,
    agreed,
    agreed_note,
    as_action,
    called_apart,
    newly_due,
    recorded_move,
    stays,
)
from companion.engine.moves.tray_move import explained
from companion.engine.rival_turn import advice_for, coach_prompts
from companion.engine.snapshot import Notice, Snapshot
from companion.engine.turn.card_view import CardMaker
from companion.engine.turn.clock_view import clock_view
from companion.engine.turn.entered_dice import INPUT
from companion.engine.turn.handles import AgreeTap, LookTap, MoveTap
from companion.engine.turn.page_view import corrections_view, page_view, score_view
from companion.engine.turn.placing import Placing, place_view
from companion.engine.turn.running_game import NOT_SET_UP, RunningGame
from companion.engine.turn.selection import ends_first, rival_first, selected_after
from companion.engine.turn.step_names import undo_texts
from companion.engine.turn.turn_records import PageView, PromptView, Seats, TurnView
from companion.engine.turn.turn_screen import STALE, TurnScreen
from companion.engine.turn.turn_view import ViewMaker
from companion.games import package_of
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import Prompt
from companion.geometry.grid.placing import cell_at
from companion.session.authors import takes_back
from companion.session.fold import Position
from companion.session.game_view import (
    GameView,
    log_lines,
    record_to_json,
    redo_text,
    spelled,
)
from companion.text.translation import MessageCatalogue, capital, catalogue
from models import BadInput, CompanionError, Pose, Table
from models.board import Board, Cell, cell_text, parse_cell
from models.board_table import BoardTable
from models.field import Field, shown
from models.message import joined, say

KEYS = {
    "tap": {"faces", "count", "values"},
    "select": set(),
    "move": {"x", "y", "heading", "cell", "keep", "as", "try", "snap"},
    "undo": set(),
    "redo": set(),
}
"""The kinds of intents, each with the further keys it may have."""
LONGEST = 100


class Client(TurnScreen):
    """One viewer: a seat, or the shared tablet (no seat), where every seat acts."""

    def __init__(
        self, game: RunningGame, seat: str | None = None, language: str = "en", units: str = "in"
    ) -> None:
        super().__init__(seat)
        self.game = game
        self.language, self.units = language, units
        self.selected: str | None = None
        self.looking: str | None = None
        """The seat that looks alone at the shared tablet."""
        self.advised: tuple[Prompt, ...] = ()
        """What the coach said, of the position at which this viewer asked."""
        self.advised_at: Position | None = None
        self.notice = ""
        self.noticed_at: Position | None = None
        """The position of which the notice speaks: it goes with the next step of anybody."""
        self.asked: tuple[Plain, ...] = ()
        """What the others are asked to agree to."""
        self._seen: GameView | None = None
        self._logged: tuple[object, tuple[str, ...]] = (None, ())

    def words(self, text: str) -> str:
        """A text in the viewer's language."""
        return self.known_words().translate(text) if text else ""

    def known_words(self) -> MessageCatalogue:
        """The viewer's language."""
        return catalogue(self.language, self.units, package_of(self.game.here.play))

    # -- looking -------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """What this viewer sees, with its own selection; a step of anybody renews it."""
        game = self.game
        view, table = game.view(self.seat or self.looking), game.table
        before = self._seen
        if before is None or before.decided != view.decided or before.due != view.due:
            self.selected = self.own(view, selected_after(before, self.selected, table, view))
            self._seen = view
        chosen = self.selected
        over = view.score is not None and bool(view.score.winner)
        watched = game.watched
        self.see(
            Snapshot(
                game.session.history.seq,
                table=table,
                chosen=chosen,
                view=view,
                offers=() if over else game.offers(chosen),
                notices=watched.notices,
                cell_moves=watched.cell_moves,
                camera_questions=watched.camera_questions,
                left_question=watched.left_question,
                advice=self.advised if self.advised_at is game.here else (),
                proposals=game.session.agreements.waiting(game.session.history),
            )
        )
        return self.seen

    def view(self) -> TurnView:
        """Everything that this viewer sees now; its handles replace the earlier ones."""
        snapshot, game = self.snapshot(), self.game
        shown_view = snapshot.view or GameView()
        self.handles.begin()
        maker = self.maker(self.seat or self.looking)
        score, here, clock = shown_view.score, game.here, game.session.history.clock
        undo = undo_texts(shown_view, here.title, self.words, snapshot.left_question)
        view = TurnView(
            game.session.history.seq,
            game.screen.turn(here.state) or None if game.screen is not None else None,
            waited_for(snapshot, shown_view.active),
            self.words(shown_view.headline),
            self.result(shown_view),
            undo[0] if undo else "",
            tuple(self.prompts(maker)),
            tuple(maker.offers()),
            tuple(maker.refused()),
            {points.seat: points.points for points in score.seats} if score is not None else {},
            (score.winner or None) if score is not None else None,
            self.seat,
            self.selected,
            self.redo(shown_view),
            {seat.id: self.words(seat.name) for seat in shown_view.seats},
            tuple(maker.piece(piece) for piece in shown_view.pieces),
            tuple(page_view(maker, page) for page in snapshot.pages),
            self.words(self.notice_now()),
            maker.guide(),
            score_view(maker, score) if score is not None else None,
            self.corrected(maker),
            place_view(maker, self.placing) if self.placing is not None else None,
            self.log(),
            clock_view(maker, clock.to_json(game.session.now()) if clock.used else {}),
            tuple(replace(seat, name=self.words(seat.name)) for seat in shown_view.seats),
            self.known_words().translate_all(record_to_json(shown_view.cards)),
        )
        self.handles.end()
        return view

    def own(self, view: GameView, selected: str | None) -> str | None:
        """The piece that the game selects: on a screen of one, not what another player moves."""
        known = (one.seat for one in view.pieces if one.id == selected)
        foreign = self.seat is not None and next(known, self.seat) != self.seat
        return None if foreign and selected != self.selected else selected

    def result(self, view: GameView) -> str:
        """What the newest step came to; what follows is the question below, on a screen of one."""
        outcome = view.outcome
        if outcome is None:
            return ""
        if self.seat and outcome.follows in [one.title for one in view.prompts]:
            outcome = replace(outcome, follows="")
        return capital(self.words(outcome.told))

    def redo(self, view: GameView) -> str:
        """What can be done again."""
        step = self.undone_step()
        return spelled(view, step, self.words).rstrip(".") if step else ""

    def undone_step(self) -> str:
        """The step that can be done again, "" for none."""
        screen = self.game.screen
        return redo_text(screen, self.game.session.history.undone) if screen is not None else ""

    def prompts(self, maker: ViewMaker) -> list[PromptView]:
        """What was begun first, then what the game waits for."""
        prompts = [
            maker.prompt(prompt, self.entered if number == 0 else None)
            for number, prompt in enumerate((*maker.snapshot.advice, *maker.snapshot.prompts))
        ]
        if self.looking is not None:
            first = prompts[0] if prompts else PromptView(maker.name(self.looking), "", ())
            prompts[:1] = [replace(first, choices=(*first.choices, maker.cover()))]
        offer = self.picked_offer()
        if offer is not None and not offer.commands:
            prompts.insert(0, maker.aiming(offer, maker.offer_acts(offer)))
        entering = self.rolling is not None or any(prompt.dice for prompt in prompts[:1])
        moved = [one for one in CardMaker(maker).moved() if maker.may(one.acts)]
        last = (entering and not ends_first(maker.snapshot)) or rival_first(maker.snapshot)
        prompts = [*prompts, *moved] if last else [*moved, *prompts]
        if self.rolling is not None:
            prompts.insert(0, maker.rolling(self.rolling))
        return prompts

    def corrected(self, maker: ViewMaker) -> PageView | None:
        """What may be corrected at the selected piece."""
        piece = maker.snapshot.piece(maker.snapshot.chosen)
        if piece is None or not (piece.corrections or piece.forms):
            return None
        return corrections_view(maker, piece)

    def log(self) -> tuple[str, ...]:
        """The newest steps as sentences, the last one first."""
        here, screen, view = self.game.here, self.game.screen, self.seen.view
        if self._logged[0] is not here and screen is not None:
            lines = (
                capital(self.words(said) or spelled(view, position.title, self.words))
                for position, said in log_lines(screen, here)
            )
            found = [line for line, _same in groupby(lines) if line]  # a camera repeats positions
            self._logged = here, tuple(found)
        return self._logged[1]

    # -- acting --------------------------------------------------------------------------------

    def act(self, intent: object) -> TurnView | Refusal:
        """Do what an intent asks for: the next view, or a refusal after which nothing changed."""
        return self.carry_out(intent) or self.view()

    def carry_out(self, intent: object) -> Refusal | None:
        """Do what an intent asks for; why not, if not, in the viewer's words."""
        try:
            refusal = self.do(intent)
        except CompanionError as error:
            refusal = Refusal(INPUT, str(error))
        if self.seat is not None:
            self.game.begun.pop(self.seat, None)
            if self.rolling is not None:
                self.game.begun[self.seat] = self.game.here, self.rolling.text
        return self.told(refusal) if refusal is not None else None

    def told(self, refusal: Refusal) -> Refusal:
        """A refusal in the viewer's words, with names instead of ids."""
        return replace(refusal, say=spelled(self._seen, refusal.say, self.words))

    def do(self, intent: object) -> Refusal | None:
        """Carry out an intent; why not, if not."""
        if self.game.here.play is None:
            return NOT_SET_UP
        kind, given = read_intent(intent)
        self.snapshot()  # the newest step may have ended what was begun
        match kind:
            case "tap":
                return self.tap(given)
            case "select":
                return self.select(given["select"])
            case "move":
                return self.move(given)
        if given[kind] is not True:
            return Refusal(INPUT, say("{value} is not true", value=shown(given[kind])))
        redo = joined((say("Redo"), self.undone_step()), ": ")
        return self.send(({"do": kind},), asks=say("Undo") if kind == "undo" else redo)

    def send(
        self, commands: Sequence[Plain], joins: bool = False, asks: str = ""
    ) -> Refusal | None:
        """Send commands to the game; what was begun is done with them.

        `asks` is what all players must agree to, which is noted when they have.
        """
        by = (self.seat,) if self.seat else ()
        reply = self.game.post(commands, by, joins, asks)
        if reply.done and asks and not takes_back(commands):
            self.game.post((agreed_note(asks, self.words),), by, True)
        if reply.refusal is None:
            self.handles.retire()
            self.rolling, self.picked, self.entered, self.looking = None, None, None, None
            self.placing = None
            self.asked = tuple(commands) if reply.waits_for and asks else ()
            self.tell("" if self.asked else self.waiting(reply.waits_for))
        return reply.refusal

    def notice_now(self) -> str:
        """The notice of this position; that somebody said no to what this viewer has asked; what
        another player has announced."""
        if self.noticed_at is not self.game.here or not (self.notice or self.asked):
            return self.announced()
        session = self.game.session
        waiting = [one.commands for one in session.agreements.waiting(session.history)]
        if self.asked and self.asked not in waiting:
            return say("The others do not agree.")
        return self.notice

    def announced(self) -> str:
        """What other players have announced, and roll for."""
        names = {seat.id: seat.name for seat in self.game.view(None).seats}
        return joined(
            [
                joined((names.get(seat, seat), text), ": ")
                for seat, (position, text) in self.game.begun.items()
                if seat != self.seat and text and position is self.game.here
            ]
        )

    def tell(self, notice: str) -> None:
        """Keep a notice until the next step of anybody."""
        self.notice, self.noticed_at = notice, self.game.here

    def waiting(self, seats: Sequence[str]) -> str:
        """Whom a decision waits for that several seats make together."""
        names = {seat.id: seat.name for seat in self.game.view(None).seats}
        players = joined([names.get(seat, seat) for seat in seats])
        return say("waits for {players}", players=players) if seats else ""

    def select(self, piece: object) -> Refusal | None:
        if piece not in (None, "") and not self.known(piece):
            return Refusal(INPUT, say("there is no piece {piece}", piece=shown(piece)))
        self.selected = str(piece) if piece else None
        self.advised = advice_for(self.advised, self.selected)
        self.rolling, self.picked, self.placing = None, None, None
        return None

    def look(self, tap: LookTap) -> None:
        """Show what one seat alone sees, until it is covered again."""
        self.looking = tap.seat

    def ask_coach(self, seat: str) -> None:
        """Show what a seat could do best, or put that away."""
        self.advised_at = self.game.here
        self.advised = coach_prompts(self.game.view(None), self.game.here, seat)

    def known(self, piece: object) -> bool:
        """Whether there is such a piece, on the table or beside it."""
        table, view = self.game.table, self.game.view(None)
        beside = any(one.id == piece for one in view.pieces)
        return isinstance(piece, str) and (beside or (table is not None and piece in table))

    # -- moves ---------------------------------------------------------------------------------

    def move(self, given: Mapping[str, Any]) -> Refusal | None:
        """Move a piece: to a cell that an offer allows, or a tray to a place on the table."""
        table, field = self.game.table, Field(dict(given), "intent")
        piece = field.member("move").text(LONGEST)
        if table is None or not self.known(piece):
            return Refusal(INPUT, say("there is no piece {piece}", piece=shown(piece)))
        keep = "keep" in given and field.member("keep").flag()
        if not keep and not self.maker(self.seat).may(self.owners(piece)):
            return Refusal("SEATS", say("{piece} is not yours to move", piece=shown(piece)))
        if isinstance(table, BoardTable):
            cell = named_cell(field, table.board)
            if cell is None:
                return Refusal("MOVE", say("That is beside the board."))
            if keep:
                return self.put_by_hand(piece, cell)
            return self.move_to_cell(piece, cell)
        field.keys({"move", *KEYS["move"]} - {"cell"}, {"x", "y", "heading"})
        if piece not in table:
            return Refusal(INPUT, say("{piece} is not on the table", piece=shown(piece)))
        x = field.member("x").number(0.0, table.width)
        y = field.member("y").number(0.0, table.depth)
        pose = Pose(x, y, field.member("heading").number(-360.0, 360.0))
        flags = {key: field.member(key).flag() for key in ("try", "snap") if key in given}
        action = field.member("as").text(LONGEST) if "as" in given else ""
        if flags.get("try"):
            return self.try_place(table, piece, pose, action, flags.get("snap", False))
        return self.move_tray(table, piece, pose, action, keep)

    def owners(self, piece: str) -> tuple[str, ...]:
        """The seat that a piece belongs to; none for what lies on the table for everybody."""
        found = self.snapshot().piece(piece)
        return (found.seat,) if found is not None else ()

    def move_to_cell(self, piece: str, cell: Cell) -> Refusal | None:
        """Move a piece on a board by the offer that leads to the cell."""
        for offer in self.game.offers(piece):
            aimed = offer.at(cell) if offer.piece == piece and offer.possible else None
            if aimed is not None and not offer.target and offer.dice is None:
                return self.send(aimed.commands)
        return Refusal("MOVE", say("It may not stand there now. Put it back."))

    def put_by_hand(self, piece: str, cell: Cell) -> Refusal | None:
        """Correct where a piece of a board stands; on a screen of its own the others are asked."""
        here, views = self.game.here, self.game.view(None).pieces
        puts = next((one.puts for one in views if one.id == piece), {})
        if not puts or here.play is None:
            return Refusal("MOVE", say("It cannot be put elsewhere now."))
        command = {**puts, "to": cell_text(cell)}
        found = here.play.decide(here.state, command)
        if isinstance(found, Refusal):
            return found
        asks = joined([here.play.title(event) for event in found.events], "; ")
        return self.send((command,), asks=asks if self.seat else "")

    def try_place(
        self, table: Table, unit: str, pose: Pose, action: str, snap: bool
    ) -> Refusal | None:
        """Judge a place for a tray, and record nothing."""
        offers, snapshot = self.game.offers(unit), self.snapshot()
        moving = (one for one in offers if one.moves and one.kind == action)
        begun = Placing.begin(snapshot, unit, pose, next(moving, None))
        if begun is None or (action and begun.offer is None):
            return Refusal("MOVE", say("It has no such move now."))
        placed = begun.moved(table, pose, snap, offers)
        game, pose = self.game, placed.pose
        notice = explained(table, unit, pose, game.readings(), snapshot, offers, game)
        self.placing = replace(placed, notice=notice)
        return None

    def put_down(self, placing: Placing, action: str, commands: Sequence[Plain]) -> Refusal | None:
        """Leave a tray where it was tried: the players have said as what."""
        if placing.notice is None:
            return STALE
        return self.keep(placing.notice, action, commands)

    def keep(self, notice: Notice, action: str, commands: Sequence[Plain]) -> Refusal | None:
        """Record a move as an action, or as a mere correction."""
        if self.game.screen is None:
            return STALE
        joins = newly_due(self.game.screen, self.game.here, notice.unit)
        asks = agreed(notice, action, alone=bool(self.seat))
        refusal = self.send(recorded_move(notice, action, notice.table, commands), joins, asks)
        if refusal is None and not self.notice:
            said = as_action(notice.actions, action, commands)
            told = said.text if said is not None and len(notice.actions) > 1 else notice.detail
            self.tell(joined((notice.title, told), ": "))
        return refusal

    def agree(self, tap: AgreeTap) -> Refusal | None:
        """What this viewer says to the proposal of another one."""
        proposal = tap.proposal
        if tap.agrees:
            return self.send(proposal.commands, proposal.joins, proposal.asks)
        self.game.decline(proposal)
        if self.asked == proposal.commands:  # withdrawn: nobody else has said no
            self.asked = ()
            self.tell("")
        return None

    def try_at(self, placing: Placing, pose: Pose) -> Refusal | None:
        """Try a tray at a place that the game named."""
        table, action = self.game.table, placing.offer.kind if placing.offer is not None else ""
        if not isinstance(table, Table):
            return STALE
        return self.try_place(table, placing.unit, pose, action, False)

    def leave_there(self, placing: Placing) -> Refusal | None:
        """Carry out the action of a tray that stays where it is, or do without its move."""
        commands = placing.offer.commands if placing.offer is not None else ()
        return self.stay(placing.unit, commands)

    def stay(self, unit: str, commands: Sequence[Plain] = ()) -> Refusal | None:
        """The tray stays where it is."""
        table, screen = self.game.table, self.game.screen
        if not isinstance(table, Table) or screen is None or unit not in table:
            return STALE
        if not commands and self.snapshot().due_move(unit) is None:
            return STALE
        return self.send((stays(table, unit, commands),), newly_due(screen, self.game.here, unit))

    def decide(self, tap: MoveTap) -> Refusal | None:
        """What this viewer says of a move that is due, or that a camera saw."""
        if tap.says == "stay":
            return self.stay(tap.about)
        if tap.says == "begin":
            return self.begin(tap.about)
        if tap.says == "end":
            return self.end(tap)
        if tap.says == "correct" and self.seat:
            snapshot = self.snapshot()
            moved = (one for one in snapshot.cell_moves if one.piece == tap.about)
            parts = (snapshot.name(tap.about), ONLY_CORRECTED, *(one.barred for one in moved))
            asks = joined(filter(None, parts), " · ")
            return self.send(place_corrections(snapshot, (tap.about,)), asks=asks)
        notices = self.snapshot().notices if tap.says == "keep" and self.seat else ()
        notice = next((one for one in notices if one.unit == tap.about), None)
        if notice is not None and agreed(notice, tap.action, alone=True):
            return self.keep(notice, tap.action, tap.commands)
        return self.game.decide(tap)

    def begin(self, unit: str) -> Refusal | None:
        """Take up the tray of a move that is due, where the rules name its places; else its player
        drags it."""
        refusal, snapshot = self.select(unit), self.snapshot()
        due, table = snapshot.due_move(unit), snapshot.trays
        if refusal is None and due is not None and due.ends and table is not None:
            self.placing = Placing.begin(snapshot, unit, table.unit(unit).pose)
        return refusal

    def end(self, tap: MoveTap) -> Refusal | None:
        """Put a tray where its move that is due may end."""
        table, screen, due = self.game.table, self.game.screen, self.snapshot().due_move(tap.about)
        if not isinstance(table, Table) or screen is None or due is None:
            return STALE
        if tap.end >= len(due.ends):
            return STALE
        joins = newly_due(screen, self.game.here, tap.about)
        return self.send((due.ends[tap.end].command(table),), joins)

    def move_tray(
        self, table: Table, unit: str, pose: Pose, action: str, keep: bool
    ) -> Refusal | None:
        """Move a tray, in one step with the action that explains it.

        What no action explains is refused unless the players keep it; of several they name one. One
        that rolls dice asks for them first.
        """
        offers, readings = self.game.offers(unit), self.game.readings()
        notice = explained(table, unit, pose, readings, self.snapshot(), offers, self.game)
        if notice is None:
            return Refusal("MOVE", say("It stands there already."))
        told = joined((notice.title, notice.detail), ": ")
        if not notice.legal and not keep:
            return Refusal(", ".join(notice.rules) or "MOVE", told)
        names = called_apart(notice.actions)
        named = [action] if action else names
        found = [
            one
            for one, name in zip(notice.actions, names, strict=True)
            if name in named or self.words(name) in named
        ]
        if not keep and len(found) != 1 and (action or found):
            asked = say("Say as what it moves: {actions}.", actions=joined(names))
            return Refusal("MOVE", asked, "as")
        placing = Placing(unit, table.unit(unit).pose, pose, notice=notice)
        if keep or not found:
            return self.carry_out_at(placing, action, ())
        return self.carry_out_at(placing, found[0].kind, found[0].commands)


def waited_for(snapshot: Snapshot, acts: Seats) -> Seats:
    """Who decides now: of what all must tap, those who have not tapped it yet."""
    missing = (seat for one in snapshot.proposals if not one.asks for seat in one.missing)
    return tuple(dict.fromkeys(missing)) or acts


def named_cell(field: Field, board: Board) -> Cell | None:
    """The cell of an intent, by its name or by a place on it; None beside the board."""
    if "cell" in field.members():
        field.keys({"move", "cell", "keep"}, {"cell"})
        return parse_cell(field.member("cell").text(LONGEST))
    field.keys({"move", "x", "y", "keep"}, {"x", "y"})
    x, y = (field.member(name).number(-LONGEST, LONGEST) for name in ("x", "y"))
    return cell_at(board, x, y)


def read_intent(intent: object) -> tuple[str, dict[str, Any]]:
    """The kind of an intent and its members, with no key that it may not have."""
    if not isinstance(intent, dict):
        raise BadInput("intent", "", f'{shown(intent)} is not an object like {{"tap": "c1"}}')
    kinds = [kind for kind in KEYS if kind in intent]
    if len(kinds) != 1:
        asked = ", ".join(KEYS)
        raise BadInput("intent", "", f"{shown(intent)} has not exactly one of: {asked}")
    kind = kinds[0]
    Field(intent, "intent").keys({kind, *KEYS[kind]}, {kind})
    return kind, intent
