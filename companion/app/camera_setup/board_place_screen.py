"""Where a board lies under the camera: two corners are tapped on the picture, or two corner tags
are read, and the grid lies on the picture until it fits.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from calibration.board_place import CORNER_IDS, BoardPlace
from calibration.references.table_pose import TablePose
from calibration.setup import Setup
from companion.app.camera_setup.setup_step import StepStatus, aim_words
from companion.app.context import AppContext
from companion.app.render.picture_view import Mark, Spot, Viewer, mark
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Rows, Text, TouchButton, heading
from companion.app.widgets.layouts import grid, row
from companion.app.widgets.page import TouchGuard
from companion.engine.app_words import _, ruler
from companion.engine.camera.board_fitting import BoardFitting, grid_lines, outside
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.tag_assignment import drafted_board
from companion.engine.threads import BackgroundTask
from companion.vision.sources.frame import CameraFrame
from models import CompanionError
from models.board import Board
from models.board_table import BoardTable

NUDGE_IN, NUDGE_DEG = 0.05, 0.5
SHIFT_PX = 1.0
"""The grid is drawn again when the camera shows it so far beside its lines."""


def board_now(app: AppContext) -> Board | None:
    """The board of the open game, or of the game that is being set up, as the game measures it."""
    here = app.service.controller.game.here
    if here is None or here.play is None:
        return drafted_board(app.service.drafting.draft)
    table = here.play.moment(here.state).table
    return table.board if isinstance(table, BoardTable) else None


def corners_read(
    fitting: BoardFitting, frame: CameraFrame, setup: Setup
) -> BoardFitting | CompanionError:
    """The grid between the corner tags of a picture, or why there is none."""
    try:
        return fitting.tagged(frame, setup)
    except CompanionError as error:
        return error


class BoardPlaceScreen(TouchGuard, BoxLayout):
    """The live picture with the grid, and what to do beside it."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"))
        self.app = app
        self.live = CameraView()
        board = board_now(app)
        setup = self.setup
        known = setup.board_place(board) if board is not None and setup is not None else None
        self.fitting = BoardFitting(board, place=known) if board is not None else None
        self.refused = ""
        self.viewer = Viewer(self.tapped, magnifies=True)
        self.status = StepStatus()
        self.rows = Rows()
        self.head = BoxLayout(
            size_hint_y=None,
            height=THEME.target + dp(12),
            padding=(dp(8), dp(6)),
            spacing=THEME.gap(),
        )
        self.body = BoxLayout(spacing=THEME.gap(), padding=(THEME.gap(), 0))
        self.add_widget(self.head)
        self.add_widget(self.body)
        self._drawn: tuple[BoardPlace, Any, list[Mark]] | None = None
        self.bind(size=self.arrange)
        self.arrange()
        self.build()

    @property
    def setup(self) -> Setup | None:
        """The set-up of the open camera."""
        return self.app.service.setup

    @property
    def camera(self) -> TablePose | None:
        """The camera over the table, while it sees it."""
        return self.live.camera if self.live.sight == "live" else None

    # -- layout -----------------------------------------------------------------------------

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.body.clear_widgets()
        self.body.orientation = "vertical" if tall else "horizontal"
        for one in (self.viewer, self.status, self.rows):
            if one.parent is not None:
                one.parent.remove_widget(one)
        left = BoxLayout(orientation="vertical", spacing=THEME.gap("small"))
        left.size_hint = (1, 1.1) if tall else (1.7, 1)
        left.padding = (0, 0, 0, THEME.gap("small"))
        left.add_widget(self.viewer)
        left.add_widget(self.status)
        parts = [left, self.rows]
        if THEME.hand == "left" and not tall:
            parts.reverse()
        for part in parts:
            self.body.add_widget(part)

    def build(self) -> None:
        """Show the head and the panel, but not under a finger."""
        self.rebuild(self._build)

    def _build(self) -> None:
        fitting = self.fitting
        self.head.clear_widgets()
        back = TouchButton("‹  " + _("Back"), self.app.back, name="back")
        done = TouchButton(
            "✓ " + _("The grid fits"),
            self.confirm,
            "primary",
            ready=fitting is not None and fitting.place is not None,
            name="board-fits",
        )
        for button, wide in ((back, 120), (done, 190)):
            button.size_hint_x, button.width = None, dp(wide) * max(1.0, THEME.text)
        title = Text(_("Where the board lies"), "title", bold=True, grow=False, align="center")
        for one in (back, title, done):
            self.head.add_widget(one)
        if fitting is None:
            self.rows.fill([Text(_("Choose the board of the game first."), colour="soft")])
        else:
            self.rows.fill(self.panel(fitting))
        self.tell()

    def panel(self, fitting: BoardFitting) -> list[Widget]:
        """What to tap next, and what moves the grid."""
        squares = fitting.board.space == "square"
        if fitting.place is None:
            first = (
                _("Tap the corner of the board at player 1's left hand.")
                if squares
                else _("Tap the middle of the space in the corner at player 1's left hand.")
            )
            second = (
                _("Now tap the corner opposite, at player 2's left hand.")
                if squares
                else _("Now tap the middle of the space in the corner opposite.")
            )
            widgets: list[Widget] = [
                Text((first, second)[fitting.at_corner], "large", bold=True),
                Text(
                    _(
                        "The board may lie anywhere inside the reference tags, turned as you "
                        "like. Player 1 sits where the tags read upright."
                    ),
                    colour="soft",
                ),
            ]
        else:
            more = (
                _("Tap further corners of squares: each one measures how well the grid fits.")
                if squares
                else _(
                    "Tap the middle of further spaces: each one measures how well the grid fits."
                )
            )
            widgets = [
                Text(
                    _("Does the grid lie on the board, its bold edge before player 1?"), bold=True
                ),
                Text(more, colour="soft"),
                heading(_("PUSH THE GRID")),
                grid([self.nudge(*one) for one in self.nudges()], 3),
                row(
                    TouchButton(_("Turn it round"), self.turn_round, name="board-round"),
                    TouchButton(_("Start over"), self.again, "quiet", name="board-again"),
                ),
            ]
        tags = " + ".join(str(number) for number in CORNER_IDS)
        widgets += [
            heading(_("OR WITH CORNER TAGS")),
            Text(
                _(
                    "Lay corner tag {first} on the space in the corner at player 1's left hand "
                    "and {last} on the one opposite. They may go once the grid fits.",
                    first=CORNER_IDS[0],
                    last=CORNER_IDS[1],
                ),
                "small",
                "soft",
            ),
            TouchButton(_("Read the tags {tags}", tags=tags), self.read_tags, name="board-tags"),
        ]
        return widgets

    def nudges(self) -> list[tuple[str, str, float, float, float]]:
        """The pushes: sign, name, inches across and along, degrees."""
        return [
            ("↶", "turn-left", 0.0, 0.0, NUDGE_DEG),
            ("↑", "away", 0.0, NUDGE_IN, 0.0),
            ("↷", "turn-right", 0.0, 0.0, -NUDGE_DEG),
            ("←", "left", -NUDGE_IN, 0.0, 0.0),
            ("↓", "near", 0.0, -NUDGE_IN, 0.0),
            ("→", "right", NUDGE_IN, 0.0, 0.0),
        ]

    def nudge(self, sign: str, name: str, across: float, along: float, turn: float) -> TouchButton:
        """The button of one push."""

        def push() -> None:
            if self.fitting is not None:
                self.changed(self.fitting.nudge(across, along, turn))

        return TouchButton(sign, push, name=f"nudge:{name}")

    # -- what players do ----------------------------------------------------------------------

    def tapped(self, pixel: Spot) -> None:
        """Take a tap on the picture as the next corner, or as a further point."""
        camera, fitting = self.camera, self.fitting
        if fitting is None:
            return
        if camera is None:
            self.app.toast(_("The table is not seen"))
            return
        self.attempt(partial(fitting.tapped, camera, pixel))

    def attempt(self, work: Any) -> None:
        """Change the grid; points that cannot be the board's are said, until others come."""
        try:
            self.changed(work())
        except CompanionError as error:
            self.refuse(error)

    def refuse(self, why: CompanionError) -> None:
        """Say what was wrong with the corners until others are shown."""
        self.refused = _(str(why))
        self.tell()

    def read_tags(self) -> None:
        """Take the corners from the two corner tags."""
        fitting, setup, picture = self.fitting, self.setup, self.live.picture
        if fitting is None or setup is None or picture is None:
            self.app.toast(_("The table is not seen"))
            return
        frame = CameraFrame(picture, 0.0, self.live.number, "picture")
        self.app.wait_for(
            BackgroundTask(
                _("Reading the corner tags"),
                lambda step: corners_read(fitting, frame, setup),
                lambda found: (
                    self.refuse(found) if isinstance(found, CompanionError) else self.changed(found)
                ),
            )
        )

    def turn_round(self) -> None:
        """Turn the grid by half a turn."""
        if self.fitting is not None:
            self.changed(self.fitting.turned_round())

    def again(self) -> None:
        """Forget the corners."""
        if self.fitting is not None:
            self.changed(BoardFitting(self.fitting.board))

    def changed(self, fitting: BoardFitting) -> None:
        """Show another grid."""
        self.fitting, self.refused = fitting, ""
        self.draw()
        self.build()

    def confirm(self) -> None:
        """The grid fits: keep its place with the set-up, and play with it."""
        camera, fitting, profile = self.camera, self.fitting, self.app.camera_profile
        if camera is None:
            self.app.toast(_("The table is not seen"))
            return
        place = fitting.confirmed(camera.view.position) if fitting is not None else None
        if place is None:
            return
        if profile is not None:
            self.app.camera_profile = profile.saved(profile.setup.with_board(place))
        self.app.service.place_board(place)
        self.app.back()

    # -- what is shown ------------------------------------------------------------------------

    def tell(self) -> None:
        """How well the grid fits, or what is missing."""
        fitting, setup = self.fitting, self.setup
        if self.camera is None:
            why = _(self.live.why) if self.live.why else _("the camera starts …")
            self.status.say("bad" if self.live.sight == "lost" else "line", _("No picture"), why)
        elif fitting is None:
            self.status.say("warn", _("No board yet"))
        elif self.refused:
            self.status.say(
                "warn", _("{count} of 2 corners", count=fitting.at_corner), self.refused
            )
        elif fitting.place is None:
            head = _("{count} of 2 corners", count=fitting.at_corner)
            self.status.say("line", head, aim_words())
        else:
            place, board = fitting.place, fitting.board
            if setup is not None and outside(place, board, setup):
                told = _("A part of the board lies beyond the table's edge: is that right?")
                self.status.say("warn", fit_words(place, board), told)
            else:
                role = "good" if place.fits(board) else "warn"
                self.status.say(role, fit_words(place, board), width_words(place, board))

    def look(self, live: CameraView) -> None:
        """Show the newest picture under the grid."""
        before, self.live = self.live, live
        if (before.sight, before.why, before.camera is None) != (
            live.sight,
            live.why,
            live.camera is None,
        ):
            self.tell()
        self.draw()

    def draw(self) -> None:
        """Draw the picture, the grid and the points."""
        trouble = _(self.live.why) if self.live.sight == "lost" else ""
        self.viewer.show(self.live.picture, self.marks(), trouble)

    def marks(self) -> list[Mark]:
        """The grid and the points; the grid is projected again only when it would lie elsewhere."""
        camera, fitting = self.camera, self.fitting
        if camera is None or fitting is None:
            return []
        drawn: list[Mark] = []
        if fitting.place is not None:
            if (
                self._drawn is None
                or self._drawn[0] is not fitting.place
                or shifted(self._drawn[1], camera, fitting.place)
            ):
                lines = grid_lines(camera, fitting.place.laid(fitting.board))
                marks = [
                    mark(
                        line, "accent" if number == 0 else "good", width_dp=5 if not number else 1.4
                    )
                    for number, line in enumerate(lines)
                    if len(line) > 1
                ]
                self._drawn = (fitting.place, camera, marks)
            drawn += self._drawn[2]
        arm = float(dp(9)) * (self.viewer.size_px[0] or 1) / max(self.viewer.width, 1)
        for _own, (x, y) in fitting.pairs:
            px, py = (float(value) for value in camera.pixels(np.array([[x, y, 0.0]]))[0])
            drawn.append(mark([(px - arm, py), (px + arm, py)], "warn", width_dp=3))
            drawn.append(mark([(px, py - arm), (px, py + arm)], "warn", width_dp=3))
        return drawn

    def show(self, snapshot: Snapshot) -> None:
        """Does nothing: the game goes on without this screen."""


def shifted(before: TablePose, now: TablePose, place: BoardPlace) -> bool:
    """Whether a camera sees the board elsewhere in its picture than another."""
    if before is now:
        return False
    there = np.array([[place.x, place.y, 0.0]])
    (ax, ay), (bx, by) = before.pixels(there)[0], now.pixels(there)[0]
    return bool(abs(ax - bx) + abs(ay - by) > SHIFT_PX)


def fit_words(place: BoardPlace, board: Board) -> str:
    """How well the grid fits, in one line."""
    length = ruler().fine(place.told_off_in(board))
    if place.points < 3:
        return _("The two corners fit to {length}", length=length)
    return _("Fits to {length}, measured at {count} points", length=length, count=place.points)


def width_words(place: BoardPlace, board: Board) -> str:
    """How wide the spaces are, on the table and by the game, and what helps if that is wrong."""
    told = _(
        "A space measures {seen} here, {told} in the game.",
        seen=ruler().fine(place.cell_in),
        told=ruler().fine(board.cell_in),
    )
    if not place.odd(board):
        return told
    helps = _(
        "Unless your board is printed at that size, tap the corners at its far edge again, or read"
        " the corner tags."
    )
    return f"{told} {helps}"
