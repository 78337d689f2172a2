"""The main screen of a game: the table, and what the rules allow."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.camera_setup.board_question import ask_for_board
from companion.app.context import AppContext
from companion.app.moving.cell_mover import CellMover
from companion.app.moving.tray_mover import TrayMover
from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.screens.card_table import CardTableView
from companion.app.screens.table_foot import TableFoot
from companion.app.screens.table_stage import (
    BROAD,
    PANEL,
    PANEL_DP,
    TableStage,
    column_width,
    freed,
)
from companion.app.screens.table_taps import BoardTaps, TableRuler, TapAnswer
from companion.app.turn.card_column import CardColumn
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.tap_guard import TapGuard
from companion.app.widgets.toolbar import ToolRail
from companion.engine.app_words import _
from companion.engine.camera.camera_session import MOST_TOLD, age, unseen
from companion.engine.camera.dice_camera import DiceCamera
from companion.engine.files.begun_dice import BegunDice, begun_dice, keep_begun_dice
from companion.engine.files.preferences import Preferences
from companion.engine.moves.move_verdict import out_of_turn
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.standings import with_verdicts
from companion.engine.turn.handles import LookTap
from companion.engine.turn.proposed_dice import ProposedDice
from companion.engine.turn.selection import due_at_once, first_prompt, may_move
from companion.engine.turn.turn_records import FormView
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.overlay.footprints import shown_area, table_size
from companion.overlay.shapes import Point
from companion.session.authors import JointCommands
from models.board import Cell
from models.message import word

DRAG_IN = 0.4
"""A finger that moves a tray by less than this only tapped it."""
REMEMBER_S = 0.5
"""How often the ages of remembered trays are updated."""
HINT_S = 5.0
"""How long the hint of a tool is shown."""
SMALL_DP = 1000
"""Upright and lower than this, every line is needed for what is asked."""
PICTURE = 0.75
"""The height of a picture upright, relative to its width."""
CORNER = 0.46
"""With both views the picture is above the panel: the column's share of the width."""


class TableScreen(BoxLayout):
    """The views with their toolbar, and the panel on the side of the player's hand."""

    def __init__(self, app: AppContext) -> None:
        super().__init__()
        self.app = app
        self.view, self.turned = app.view, app.turned
        self.snapshot = Snapshot()
        self.tools = ToolRail(self.show_as, self.take_up, self.act, app.more_tools)
        self.seats = CardTableView(self.tap_card, self.choose)
        self.stage = TableStage(app, self.tools, self.seats, self.make_view)
        self.said_over = (self.stage.views, "bottom")
        self.side = BoxLayout(orientation="vertical", size_hint_x=None, spacing=dp(2))
        self.panel = CardColumn(self)
        self.panel.on_map = app.on_map
        self.foot = TableFoot(self.tools, self.panel.dock)
        self.ruler = TableRuler(self)
        self.mover: TrayMover | CellMover = TrayMover(self)
        self.taken_up = 0.0
        """When the tool was chosen: how the hand works is told for a while, then it is in the
        way."""
        self._board_sheet: Any = None
        self._ticking: Any = None
        self._begun: tuple[object, str] = (None, "")
        """The step and the piece of the due move that was taken up last."""
        self.answer = TapAnswer(self)
        self.cells = BoardTaps(self)
        self.arrange()
        self.bind(size=self.arrange)

    @property
    def panes(self) -> list[TableView]:
        return self.stage.panes

    @property
    def tool(self) -> str:
        """The tool that a touch uses."""
        return self.stage.tool

    @property
    def tableless(self) -> bool:
        """Whether the game has no table."""
        return self.stage.tableless

    def make_view(self, kind: str) -> TableView:
        """A view whose touches this screen handles."""
        view = TableView(kind, self.tapped, self.dragged, self.twisted)
        view.chips.kept = self.app.badges.setdefault(kind, view.chips.kept)
        view.badge_taps = lambda: self.tool != "measure"
        view.step = lambda: self.panel.turn.step
        return view

    def on_parent(self, _: Any, parent: Any) -> None:
        """Update the ages of remembered trays while the screen is shown."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        if parent is not None:
            self._ticking = Clock.schedule_interval(
                lambda _: self.remember(self.app.service.live), REMEMBER_S
            )

    # -- layout -----------------------------------------------------------------------------

    def arrange(self, *_: Any) -> None:
        """Put the panel beside the table, or below it in portrait."""
        tall = self.height > self.width
        self.orientation = "vertical" if tall else "horizontal"
        self.stage.strip.lower(tall and self.height < dp(SMALL_DP))
        self.clear_widgets()
        self.side.clear_widgets()
        panel: Widget = self.mover.card if self.mover.unit else self.panel
        beside = freed(panel) or panel
        self.stand(tall)
        if tall:
            panel.size_hint = (1, 1)
        elif self.view == "both":
            beside = self.side
            self.side.width = self.width * CORNER
            panel.size_hint = (1, 1)
            self.side.add_widget(panel)
        else:
            panel.size_hint = (None, 1)
            panel.width = column_width(self.width)
        first = [self.stage, beside, self.foot] if tall else [self.stage, beside]
        if not tall and THEME.hand == "left":
            first.reverse()
        for one in first:
            self.add_widget(one)
        self.make_room()
        self.stage.show_views(self.view, self.side if self.side.parent is self else None)
        self.show(self.snapshot)

    def stand(self, tall: bool) -> None:
        """Upright the tools and the pages lie below everything; in landscape over the table and in
        the panel."""
        freed(self.panel.dock)
        freed(self.tools)
        dock = self.panel.dock
        if tall:
            self.foot.height, dock.size_hint_y = self.foot.high, 1
            self.foot.add_widget(dock)
        else:
            self.panel.take_dock()
        self.mover.card.stand(tall)
        fits = tall and self.foot.fits(self.width)
        self.stage.stand(self.above() if tall else None, self.foot if fits else None)
        self.foot.share()

    def above(self) -> float:
        """The height of the views above the panel: one for a whole game, whatever is asked."""
        free = self.height - self.stage.strip.usual - self.foot.high
        least = max(dp(PANEL_DP) * max(1.0, min(THEME.text, 1.25)), PANEL * free)
        table, wide = self.snapshot.table, self.width
        if self.tableless or table is None:
            return free - least
        area = shown_area(table)
        flat = area.deep / area.wide
        if self.snapshot.gridded is not None:  # it is turned to fill its room
            flat = min(flat, 1 / flat)
        high = {"map": wide * flat, "picture": wide * PICTURE}
        own = high.get(self.view, wide / BROAD + wide * flat)
        row = 0.0 if self.foot.fits(self.width) else self.tools.row_high
        return min(own, free - row - least)

    def make_room(self) -> None:
        """Upright on a small screen the tools and the dock make room for the keys of dice."""
        asked = first_prompt(self.snapshot)
        rolls = asked is not None and asked.dice is not None
        tall = self.height > self.width
        small = tall and self.height < dp(SMALL_DP)
        shown = not (small and rolls)
        self.stage.show_row(shown)
        self.panel.lower(small)
        if tall and shown != (self.foot.parent is not None):
            if shown:
                self.add_widget(self.foot)
            else:
                self.remove_widget(self.foot)

    # -- snapshots and frames ---------------------------------------------------------------

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        before, self.snapshot = self.snapshot, snapshot
        self.stage.snapshot = snapshot
        self.suit(before, snapshot)
        if before.prompts != snapshot.prompts:
            self.make_room()
        self.stage.strip.show(snapshot)
        if snapshot.board_question and snapshot.board_question != before.board_question:
            ask_for_board(self.app, snapshot.board_question)
            self._board_sheet = self.app.sheet
        elif not snapshot.board_question and self._board_sheet is not None:
            if self.app.sheet is self._board_sheet:
                self.app.close_sheet()  # the camera is gone, or stands as it stood
            self._board_sheet = None
        drawn = (before.map, before.picture) != (snapshot.map, snapshot.picture)
        if drawn:
            Clock.schedule_once(lambda _: self.app.service.painted(), 0)  # after this frame
            self.answer.drawn(snapshot.chosen)
        for pane in self.panes:
            pane.show(snapshot)
        turns = self.tool == "hand" and bool(before.chosen) != bool(snapshot.chosen)
        if (before.table is None) != (snapshot.table is None) or turns:
            self.stage.show_tools()
        if before is not snapshot and not snapshot.thinking:
            self.panel.show(snapshot)
        if not snapshot.thinking:
            self.cells.show()
        if (before.gridded is None) != (snapshot.gridded is None):
            self.mover = CellMover(self) if snapshot.gridded is not None else TrayMover(self)
        due = before.due != snapshot.due
        if before.table is not snapshot.table or before.offers is not snapshot.offers or due:
            self.mover.refresh(before)
        if isinstance(self.mover, TrayMover) and before.notices != snapshot.notices:
            self.mover.watch()
        self.begin_due_move()
        redrawn = before.picture is not snapshot.picture or before.map is not snapshot.map
        asked = (before.prompts, before.advice) != (snapshot.prompts, snapshot.advice)
        if isinstance(self.mover, TrayMover) and (asked or redrawn):
            self.mover.show_end()

    def begin_due_move(self) -> None:
        """Take up the tray of a move that was just decided, once."""
        due = due_at_once(self.snapshot)
        step = self.panel.turn.step
        if due is None or self.mover.unit or (step, due.piece) == self._begun:
            return
        self._begun = (step, due.piece)
        self.move_piece(due)

    def suit(self, before: Snapshot, snapshot: Snapshot) -> None:
        """Change what stands in the place of the table, if the game needs another."""
        table = snapshot.table
        tableless = snapshot.view is not None and not snapshot.view.tabled
        blind = table is not None and self.app.service.camera_worker is None
        blind = blind or snapshot.unplaced
        view = "map" if blind else self.app.view if self.stage.blind else self.view
        turned = blind != self.stage.blind
        self.stage.blind = blind
        if tableless != self.tableless or view != self.view or turned:
            self.stage.tableless, self.view = tableless, view
            self.arrange()
        elif (before.gridded is None) != (snapshot.gridded is None):
            self.stage.show_tools()
        if self.tableless:
            self.seats.show(snapshot)
        elif table is not None and (
            before.table is None or table_size(before.table) != table_size(table)
        ):
            if self.height > self.width:
                self.arrange()  # a table takes no more than its own height
            self.stage.fit()

    def look(self, live: CameraView) -> None:
        """Show the newest frame, unless a tap is waiting for its overlay."""
        if live.sight != "lost":
            self.app.on_map = False
        self.panel.look(live)
        if self.answer.waiting:
            return
        for pane in self.panes:
            first = pane.live.picture is None and live.picture is not None
            pane.look(live)
            if first:
                self.stage.fit()
                self.remember(live)

    def remember(self, live: CameraView) -> None:
        """Show which trays are at their last known place, and since when."""
        table = None if self.snapshot.unplaced else self.snapshot.table
        ages = unseen(live, table)
        for pane in self.panes:
            pane.remember(ages, table, with_verdicts(self.snapshot))
        told = []
        if live.sight == "held":  # a lost camera has a card of its own
            told.append(_("table held: {why}", why=live.why))
        elif live.sight == "starting" and self.view != "map":
            told.append(_("the camera starts …"))
        if live.sight == "held":
            told.append(_("since {time}", time=age(time.monotonic() - live.since_s)))
        elif ages and live.sight != "lost":
            since = ", ".join(
                f"{self.called(unit)} {long}" for unit, long in list(ages.items())[:MOST_TOLD]
            )
            told.append(_("not seen by the camera: {units}", units=since))
        told += self.told_astray() if live.sight == "live" else ()
        fresh = time.monotonic() - self.taken_up < HINT_S  # then it covers no tray any more
        if self.tool == "measure" and fresh:
            told.append(_("tap two points or trays, or drag between them"))
        if self.tool == "hand" and not self.mover.unit and fresh:
            on_cells = self.snapshot.gridded is not None
            told.append(_("drag a piece, or tap it") if on_cells else _("drag a tray, or tap it"))
        # a tap of the tools means what lies under the line
        asks = self.tool == "select" and live.sight == "live" and bool(self.snapshot.astray)
        self.stage.show_hint("  ·  ".join(told), self.app.service.ask_again if asks else None)

    def told_astray(self) -> Iterator[str]:
        """What is to be put where the game has it, and what is to be taken off."""
        astray = self.snapshot.astray
        if away := ", ".join(self.called(one.piece) for one in astray if not one.lost):
            yield _("elsewhere than in the game: {units}", units=away)
        if lost := ", ".join(self.called(one.piece) for one in astray if one.lost):
            yield _("to be taken off the table: {units}", units=lost)

    def called(self, piece: str) -> str:
        """The short name of a piece."""
        return _(self.snapshot.short_name(piece))

    # -- tools ------------------------------------------------------------------------------

    def show_as(self, view: str) -> None:
        """Show the picture, the map or both."""
        self.view = self.app.view = view
        self.arrange()

    def take_up(self, tool: str) -> None:
        """Choose another tool; the hand goes on with the tray that an action moves."""
        self.stage.tool = tool
        self.taken_up = time.monotonic()
        if tool != "hand":
            self.mover.cancel()
        elif self.snapshot.gridded is not None and self.snapshot.chosen is not None:
            self.mover.take(self.snapshot.chosen)
        self.ruler.remove()
        self.stage.show_tools()

    def act(self, act: str) -> None:
        """Zoom, turn the view, or turn the selected tray."""
        if act == "turn":
            self.turned = self.app.turned = not self.turned
            for pane in self.panes:
                pane.turn(self.turned)
        elif act in ("left", "right"):
            self.turn_tray(15.0 if act == "left" else -15.0)
        elif act == "more":
            self.app.more_tools = self.tools.more
        elif act == "fit":
            for pane in self.panes:
                pane.zoom, pane.pan = 1.0, (0.0, 0.0)
                pane.lay()
        else:
            for pane in self.panes:
                pane.magnify(1.4 if act == "zoom-in" else 1 / 1.4)

    def turn_tray(self, degrees: float) -> None:
        """Turn the selected tray in place."""
        pose = self.app.service.where(self.snapshot.chosen)
        if pose is not None and self.snapshot.chosen is not None:
            self.app.service.place(self.snapshot.chosen, pose.turned(pose.heading + degrees))

    def tapped(self, point: Point) -> None:
        """Select the unit at this point, or clear the selection; with the ruler, set an end."""
        if self.moving:
            free = not self.mover.unit and self.app.service.unit_at(point) is None
            if not (free and self.cells.tap(point)):  # a marked cell answers also beside the tool
                self.mover.tap(point)
        elif self.tool != "measure":
            unit, form = self.app.service.unit_at(point), self.panel.form
            on_board = self.snapshot.gridded is not None and unit is not None
            if on_board and form is not None and form.tap(str(unit)):
                return
            if not self.cells.tap(point):
                # a tap that leads back to a question answers it, too
                self.panel.naming = str(unit) if on_board and form is None else ""
                self.choose(unit)
        else:
            self.ruler.tap(point)

    def begin_move(self, piece: str, cell: Cell, offer: ActionOffer | None = None) -> None:
        """Take up a piece of a board and show it on a cell, for an offer."""
        if isinstance(self.mover, CellMover):
            self.mover.begin(piece, cell, offer)

    def take_target(self, offer: ActionOffer | None, target: TargetCell) -> None:
        """Do what a tap on this cell does."""
        self.cells.take(offer, target)

    def twisted(self) -> None:
        """Turn the table round, after a two-finger turn."""
        self.act("turn")

    def dragged(self, step: str, start: Point, here: Point) -> bool:
        """Handle a drag with the current tool; False if the view is to pan. One that neither moved
        a piece nor the view is told why."""
        if step == "slip":
            self.tell_why_not(start)
            return False
        if self.tool == "measure":
            return self.ruler.drag(step, start, here)
        if self.moving:
            return self.mover.drag(step, start, here)
        return self.begin_drag(step, start, here)

    def begin_drag(self, step: str, start: Point, here: Point) -> bool:
        """Drag a tray that may move now: it is taken up, for the chosen action if it moves."""
        unit = self.app.service.unit_at(start)
        if (
            unit is None
            or not isinstance(self.mover, TrayMover)
            or not may_move(self.snapshot, unit)
        ):
            return False
        if step == "move" and math.dist(start, here) > DRAG_IN:
            picked = self.panel.turn.aimed()
            chosen = picked if picked is not None and picked.piece == unit else None
            moves = chosen is not None and chosen.moves and chosen.dice is None
            proposed = self.panel.turn.picked_offer() is None
            if self.mover.take(unit, chosen if moves else None, proposed):
                self.mover.grasp(start)
        return True

    def tell_why_not(self, start: Point) -> None:
        """Say why the tray at this point may not move now."""
        unit, trays = self.app.service.unit_at(start), self.snapshot.trays
        if unit is None or trays is None or unit not in trays or self.moving:
            return
        name, why = _(self.snapshot.name(unit)), _(out_of_turn(self.snapshot, unit))
        tool = _(word("map", "Move"))
        told = _(
            "{unit}: {why} The tool “{tool}” corrects its place.", unit=name, why=why, tool=tool
        )
        self.app.toast(told)

    @property
    def moving(self) -> bool:
        """Whether fingers move pieces: with the hand, and while an action moves its tray."""
        return self.tool == "hand" or bool(self.mover.unit)

    # -- callbacks of the panel --------------------------------------------------------------

    def send(self, *commands: Mapping[str, Any]) -> None:
        """Send commands to the game."""
        self.app.service.do(*commands)

    def when_done(self, act: Callable[[], object]) -> None:
        """Call `act` when the worker has done what was sent so far."""
        self.app.service.ask(lambda: Clock.schedule_once(lambda _tick: act(), 0))

    def choose(self, unit: str | None, by_itself: bool = False) -> None:
        """Select a unit; `by_itself`: because its tray is taken up."""
        self.answer.choose(unit, by_itself)

    def give_up(self) -> None:
        """Select nothing, and pick no action any more: its tray was put back."""
        self.panel.turn.picked = None
        self.choose(None)

    def aim(self, offer: ActionOffer | None) -> None:
        """Draw the arrow of the offer that the primary button carries out."""
        for pane in self.panes:
            pane.aim(offer)
        self.cells.show()

    def intend(self, unit: str, action: str) -> None:
        """Say which action the tray carries out that is moved now; none: ""."""
        self.app.service.intend(unit, action)

    def say(self, text: str, why: str = "") -> None:
        """Show a toast."""
        self.app.toast(text, why)

    @property
    def liked(self) -> Preferences:
        """The preferences: how dice are entered."""
        return self.app.service.preferences

    def tap_context(self, gold: bool) -> object:
        """Gold carries the game on, also in the card of a piece that is moved."""
        return self.panel.turn.step if gold else None

    @property
    def guard(self) -> TapGuard:
        """What decides which taps count."""
        return self.app.guard

    @property
    def dice_camera(self) -> DiceCamera | None:
        """The camera that reads the players' dice, if they let it."""
        return self.app.service.dice_camera

    def prefer_dice(self, how: str) -> None:
        """Remember how dice are entered; the card changes if the app rolls now, or no longer."""
        before = self.liked.dice
        self.app.service.prefer(replace(self.liked, dice=how))
        if "app" in (before, how) or "camera" in (before, how):
            self.panel.anew()
        if how == "camera":
            self.panel.rows.scroll_y = 1  # what it reads stands above the keys

    def begun_dice(self, game: str, step: int) -> BegunDice:
        """The dice that were entered in part before the app ended."""
        return begun_dice(self.app.service.folder, game, step)

    def keep_dice(self, begun: BegunDice) -> None:
        """Every die is on disk as soon as it is tapped."""
        try:
            keep_begun_dice(self.app.service.folder, begun)
        except OSError as error:
            self.app.toast(_("The dice cannot be kept: {why}", why=str(error)))

    def throw_taken(self, read: ProposedDice, entered: bool) -> None:
        """Count the throws in a row that the camera reads as the players do."""
        streak = 0 if entered else read.streak(self.liked.dice_streak)
        if streak != self.liked.dice_streak:
            self.app.service.prefer(replace(self.liked, dice_streak=streak))

    def keep_move(self, unit: str, action: str = "", commands: Sequence[Plain] = ()) -> None:
        """Accept a detected move, as the action that explains it."""
        self.app.service.accept(unit, action, commands)

    def move_piece(self, offer: ActionOffer) -> bool:
        """Take up the piece of an action that moves it; False if it has none on the table."""
        if isinstance(self.mover, CellMover) and offer.cells:
            return self.mover.begin(offer.piece, offer.cells[0].cell, offer)
        return isinstance(self.mover, TrayMover) and self.mover.take(offer.piece, offer)

    def take_offer(self, offer: ActionOffer) -> None:
        """Carry out an offer of a unit: its dice are rolled first."""
        self.panel.take(offer)

    def stay(self, unit: str) -> None:
        """A move that is due is not made."""
        self.app.service.stay(unit)

    def end_move(self, unit: str, number: int) -> None:
        """Choose where a move that is due ends."""
        self.app.service.end_move(unit, number)

    def put_back(self, unit: str) -> None:
        """Reject a detected move."""
        self.app.service.correct(unit)

    def tap_card(self, card: str) -> None:
        """A card that lies before a player: it answers the open form, or is selected."""
        form = self.panel.form
        if form is None or not form.tap(card):
            self.choose(None if card == self.snapshot.chosen else card)

    def mark_pieces(self) -> None:
        """Outline what is chosen in the form on the card, or shown by one of its rows."""
        self.seats.mark(self.panel.form)
        self.cells.show()

    def place_piece(self, piece: str, cell: tuple[int, int] | None, way: int = 0) -> None:
        """Say on which cell a piece stands that the camera saw; None: it is put back."""
        self.app.service.place_piece(piece, cell, way)

    def correct_places(self, pieces: Sequence[str]) -> None:
        """Take over where pieces stand, as mere corrections."""
        self.app.service.correct_places(pieces)

    def decide_later(self, piece: str) -> None:
        """Leave a piece where it stands for now."""
        self.app.service.decide_later(piece)

    def decide_all(self, how: str) -> None:
        """Say what becomes of everything that stands elsewhere: back, correct or later."""
        self.app.service.decide_all(how)

    def refuse_question(self, question: str) -> None:
        """Say that what the camera saw is not so."""
        self.app.service.refuse_question(question)

    def answer_proposal(self, proposal: JointCommands, agrees: bool) -> None:
        """Say yes or no to what a player proposes on a phone."""
        self.app.service.answer_proposal(proposal, agrees)

    def ask_coach(self, seat: str) -> None:
        """Show what a seat could do best; "" puts that away."""
        self.app.service.advise(seat)

    def go(self, place: str) -> None:
        """Open a page of the game."""
        self.app.open_page(place)

    def look_alone(self, tap: LookTap) -> None:
        """Show one player what only that player may see, behind a cover."""
        self.app.look_alone(tap)

    def open_form(self, form: FormView, filled: EntryForm) -> None:
        """Open a form of the game in a sheet."""
        self.app.open_sheet(form.text, [filled])

    def close_form(self) -> None:
        """Close the sheet of a form that was sent."""
        self.app.close_sheet()

    def camera(self, act: str) -> None:
        """Reconnect, choose another camera, or play on the map."""
        if act == "reconnect":
            self.app.reconnect()
        elif act == "other":
            self.app.go("camera")
        else:
            self.app.on_map = True
            self.show_as("map")
            if self.snapshot.gridded is None:  # on a board a tap on a marked cell moves
                self.take_up("hand")
