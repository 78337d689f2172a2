"""The modals that open from the bar above a game: menu, clock, camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.render.theme import THEME
from companion.app.screens.game_page import choice_rows
from companion.app.turn.dock import of_pieces, roster_title
from companion.app.turn.page_turn import PageTurn
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import grid, row
from companion.engine.app_words import _
from companion.engine.turn.clock_view import clock_face
from companion.engine.turn.handles import SendTap
from companion.engine.turn.turn_records import ChoiceView, ClockSideView


class ClockModal(BoxLayout):
    """Shows the clock; every change is a command and so a step of the game's log."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.app = app
        self.build()

    def build(self) -> None:
        """Build a card per side, then the buttons."""
        turn = PageTurn(self.app)
        clock = turn.clock()
        self.clear_widgets()
        for side in clock.sides:
            self.add_widget(self.side(turn, side))
        if clock.text:
            self.add_widget(Text(clock.text, "body", bold=True))
        keys = [self.key(turn, one) for one in clock.choices]
        self.add_widget(grid(keys, len(keys)))

    def side(self, turn: PageTurn, side: ClockSideView) -> CardBox:
        """A side's time, with buttons for some minutes more or less."""
        name = f"{THEME.mark(side.seat)} {side.name}"
        seconds = side.used if side.left is None else side.left
        shown = clock_face(seconds) if seconds or side.left is not None else "–"
        time = Text(shown, "title", bold=True, align="center")
        card = CardBox(rim=f"side-{THEME.place(side.seat)}")
        card.add_widget(Text(name, "body", THEME.side(side.seat), bold=True))
        card.add_widget(row(time, *(self.key(turn, one) for one in side.choices)))
        return card

    def key(self, turn: PageTurn, choice: ChoiceView) -> TouchButton:
        """A button that stays there after its tap, with what has become of the clock."""

        def press() -> None:
            target = turn.handles.find(choice.tap)
            if isinstance(target, SendTap):
                self.app.service.do(*target.commands)
                self.app.service.ask(self.refresh)

        return TouchButton(choice.text, press, choice.look, name=choice.name)

    def refresh(self) -> None:
        """Show the newest state; may be called on any thread."""
        Clock.schedule_once(lambda _: self.build())


class GameMenu:
    """Opens modals over any screen of the game."""

    def __init__(self, app: AppContext) -> None:
        self.app = app

    def act(self, act: str) -> None:
        """Handle a tap on the bar."""
        if act == "undo":
            self.app.service.do({"do": "undo"})
        elif act == "menu":
            self.open()
        elif act == "clock":
            self.clock()
        elif act == "camera":
            self.camera()

    def open(self) -> None:
        app = self.app
        redo = app.service.redo_text()
        presses = [
            TouchButton(_("Table"), lambda: app.go("table"), name="go:table"),
            TouchButton(
                roster_title(app.service.snapshot), lambda: app.go("roster"), name="go:roster"
            ),
            *self.pages(),
            TouchButton(_("Score"), lambda: app.go("score"), name="go:score"),
            TouchButton(_("Add phones"), lambda: app.go("phones"), name="go:phones"),
            TouchButton(_("Settings"), lambda: app.go("settings"), name="go:settings"),
            TouchButton(_("Clock"), self.clock, name="clock"),
        ]
        turn = PageTurn(app)
        score = turn.score_page()
        if score is not None and score.ends:
            ends = [replace(one, look="shown") for one in score.ends]  # no slip ends a game
            end = partial(self.end, choice_rows(ends, turn.act))
            presses.append(TouchButton(_("End the game early"), end, name="end-early"))
        if not app.service.snapshot.tabled:
            presses.append(TouchButton(_("Camera"), self.card_camera, name="card-camera"))
        # its row is always there: no other row moves when a step is undone
        text = _("Redo: {title}", title=redo) if redo else _("Nothing to redo")
        presses.append(TouchButton(text, self.redo, name="redo", ready=bool(redo)))
        presses.append(
            TouchButton(_("Leave the game (it is kept)"), app.leave, "quiet", name="leave")
        )
        app.open_sheet(_("Menu"), presses)

    def pages(self) -> list[TouchButton]:
        app = self.app
        return [
            TouchButton(_(one.title), partial(app.go, f"page:{one.id}"), name=f"go:{one.id}")
            for one in app.service.snapshot.pages
            if not of_pieces(app.service.snapshot, one)  # the roster shows them
        ]

    def end(self, rows: list[Widget]) -> None:
        """Open the modal with what ends the game before its time."""
        self.app.open_sheet(_("End the game early"), rows)

    def redo(self) -> None:
        """Redo the last undone step."""
        self.app.close_sheet()
        self.app.service.do({"do": "redo"})

    def clock(self) -> None:
        """Open the clock's modal."""
        self.app.open_sheet(_("Clock"), [ClockModal(self.app)])

    def camera(self) -> None:
        """Open the modal with the camera's state and what can be done about it."""
        live = self.app.service.live
        lines: list[Widget] = [
            Text(_("camera: {state}", state=_(live.sight)), "large", bold=True),
            *([Text(_(live.why), colour="soft")] if live.why else []),
        ]
        if live.sight in ("live", "held"):
            lines.append(
                TouchButton(_("Take every position from the camera"), self.adopt, name="adopt")
            )
        else:
            lines += [
                TouchButton(_("Reconnect now"), self.reconnect, "primary", name="reconnect"),
                TouchButton(_("Play on the map"), self.map, name="play-map"),
            ]
        snapshot = self.app.service.snapshot
        if snapshot.gridded is not None and live.sight == "live" and not snapshot.practice:
            lines.append(
                self.press(
                    _("Where the board lies"),
                    partial(self.app.go, "board"),
                    "board-place",
                    "primary" if snapshot.unplaced else "plain",
                )
            )
        if live.picture is not None:
            see = partial(self.app.go, "sight")
            lines.append(self.press(_("What the camera sees"), see, "sight"))
        lines.append(
            TouchButton(_("Use another camera"), lambda: self.app.go("camera"), name="other-camera")
        )
        if self.app.service.snapshot.practice:
            free = live.sight != "lost"
            lines.append(
                TouchButton(_("Cover the practice camera"), lambda: self.cover(True), name="cover")
                if free
                else TouchButton(_("Uncover it"), lambda: self.cover(False), name="uncover")
            )
        self.app.open_sheet(_("Camera"), lines)

    def card_camera(self) -> None:
        """Open the modal of the camera over cards, which is optional."""
        app, live = self.app, self.app.service.live
        snapshot = app.service.snapshot
        lines: list[Widget] = [
            Text(_("camera: {state}", state=_(live.sight)), "large", bold=True),
            *([Text(_(live.why), colour="soft")] if live.why else []),
            Text(_("Tags are clipped to the front of cards in play; what the camera sees of "
                   "them is asked, never taken for granted."), colour="soft"),
        ]  # fmt: skip
        if live.sight == "off" and snapshot.practice:
            lines.append(self.press(_("Use the practice camera"), app.service.watch_cards,
                                    "practice-camera", "primary"))  # fmt: skip
        if live.sight == "off" and not snapshot.practice and app.camera_profile is not None:
            name = _("Use the camera {name}", name=app.camera_profile.name)
            lines.append(self.press(name, app.see_through, "use-camera", "primary"))
        if app.service.controller.cards_source is not None and snapshot.chosen is not None:
            turn = partial(app.service.turn_card, snapshot.chosen)
            name = _("Turn {card} on the practice table", card=_(snapshot.name(snapshot.chosen)))
            lines.append(self.press(name, turn, "turn-card"))
        if live.sight != "off":
            lines.append(self.press(_("Without a camera"), app.service.close_camera, "camera-off"))
        lines.append(self.press(_("Set up a camera"), partial(app.go, "camera"), "other-camera"))
        lines.append(self.press(_("Print card tags"), partial(app.go, "print"), "print-tags"))
        app.open_sheet(_("Camera"), lines)

    def press(
        self, text: str, act: Callable[[], object], name: str, look: str = "plain"
    ) -> TouchButton:
        """A button that closes the modal first."""

        def done() -> None:
            self.app.close_sheet()
            act()

        return TouchButton(text, done, look, name=name)

    def reconnect(self) -> None:
        """Open the camera again."""
        self.app.close_sheet()
        self.app.reconnect()

    def map(self) -> None:
        """Go on without a camera."""
        self.app.close_sheet()
        self.app.view = "map"
        self.app.go("table")

    def adopt(self) -> None:
        """Take over all positions from the camera."""
        self.app.close_sheet()
        self.app.service.adopt()

    def cover(self, covered: bool) -> None:
        """Cover the practice camera, to try the app without one."""
        self.app.close_sheet()
        self.app.service.cover(covered)
