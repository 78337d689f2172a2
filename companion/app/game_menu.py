"""What the bar above a game opens: the menu, the clock, the camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.app.clock_sheet import ClockSheet
from companion.app.kit import Press, Text
from companion.app.words import _

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


class GameMenu:
    """Sheets over whatever screen of the game is shown."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app

    def act(self, act: str) -> None:
        """What is pressed in the bar."""
        if act == "undo":
            self.app.desk.do({"do": "undo"})
        elif act == "menu":
            self.open()
        elif act == "tests":
            self.app.go("table")
        elif act == "clock":
            self.clock()
        elif act == "camera":
            self.camera()

    def open(self) -> None:
        """Where to from a game."""
        app = self.app
        redo = app.desk.snapshot.state.get("redo")
        presses = [
            Press(_("Table"), lambda: app.go("table"), name="go:table"),
            Press(_("Cards and board"), lambda: app.go("cards"), name="go:cards"),
            Press(_("Score"), lambda: app.go("score"), name="go:score"),
            Press(_("Settings"), lambda: app.go("settings"), name="go:settings"),
            Press(_("Clock"), self.clock, name="clock"),
        ]
        if redo:
            presses.append(Press(_("Redo: {title}", title=redo), self.redo, name="redo"))
        presses.append(Press(_("Leave the game (it is kept)"), app.leave, "quiet", name="leave"))
        app.open_sheet(_("Menu"), presses)

    def redo(self) -> None:
        """Take the last undo back."""
        self.app.close_sheet()
        self.app.desk.do({"do": "redo"})

    def clock(self) -> None:
        """The clock: minutes, start, pause."""
        self.app.open_sheet(_("Clock"), [ClockSheet(self.app)])

    def refresh_clock(self) -> None:
        """From any thread: the open clock shows the newest state."""
        Clock.schedule_once(self._clock_again)

    def _clock_again(self, *_: Any) -> None:
        if self.app.sheet is not None:
            for one in self.app.sheet.rows.column.children:
                if isinstance(one, ClockSheet):
                    one.build(self.app.desk.snapshot)

    def camera(self) -> None:
        """What the camera sees, and what can be done about it."""
        live = self.app.desk.live
        lines: list[Widget] = [
            Text(_("camera: {state}", state=_(live.sight)), "large", bold=True),
            Text(live.why or _("nothing odd"), colour="soft"),
            Press(_("Take every position from the camera"), self.adopt, name="adopt"),
        ]
        if self.app.desk.snapshot.practice:
            lines += [
                Press(_("Cover the practice camera"), lambda: self.cover(True), name="cover"),
                Press(_("Uncover it"), lambda: self.cover(False), name="uncover"),
            ]
        self.app.open_sheet(_("Camera"), lines)

    def adopt(self) -> None:
        """Trust the camera."""
        self.app.close_sheet()
        self.app.desk.adopt()

    def cover(self, covered: bool) -> None:
        """Try what happens without a camera."""
        self.app.close_sheet()
        self.app.desk.cover(covered)
