"""The app: one screen at a time, the bar above a game, sheets and sentences over everything."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.bar import Bar
from companion.app.camera_page import CameraScreen, PrintScreen
from companion.app.cards import CardsScreen
from companion.app.desk import Desk
from companion.app.form import Form
from companion.app.home import HomeScreen
from companion.app.kit import Card, Press, Text
from companion.app.library import Saved
from companion.app.new_game import NewGameScreen
from companion.app.preferences import Preferences
from companion.app.score import ScoreScreen
from companion.app.settings import SettingsScreen
from companion.app.sheet import Sheet
from companion.app.snapshot import Live, Snapshot
from companion.app.table import TableScreen
from companion.app.theme import SKIN
from companion.app.words import _, speak

SCREENS: dict[str, Callable[[CompanionApp], Widget]] = {
    "home": HomeScreen,
    "table": TableScreen,
    "new": NewGameScreen,
    "cards": CardsScreen,
    "score": ScoreScreen,
    "settings": SettingsScreen,
    "camera": CameraScreen,
    "print": PrintScreen,
}
TICK_S = 1 / 60
TOLD_S = 6.0
WITH_BAR = ("table", "cards", "score")


class CompanionApp(App):
    """Holds the desk, shows its snapshots, and never waits for it."""

    def __init__(self, desk: Desk, **more: Any) -> None:
        super().__init__(**more)
        self.desk = desk
        self.title = "Table Companion"
        self.view = "picture"
        self.turned = False
        self.left = ""
        self.place = "home"
        self.trail: list[str] = []
        self.screen: Any = None
        self.bar: Bar | None = None
        self.sheet: Sheet | None = None
        self._seen: Snapshot | None = None
        self._live: Live | None = None
        self._told = 0
        self._told_at = 0.0
        self.wear(desk.preferences)

    # -- building ---------------------------------------------------------------------------

    def build(self) -> Widget:
        """The layers: screen, sentences, sheets."""
        self.root_layer = FloatLayout()
        self.root_layer.bind(size=self._resize, pos=self._resize)
        self.frame = BoxLayout(orientation="vertical")
        self.root_layer.add_widget(self.frame)
        self.sayings = AnchorLayout(anchor_x="center", anchor_y="bottom", padding=dp(70))
        self.root_layer.add_widget(self.sayings)
        self.show_screen()
        Clock.schedule_interval(self.tick, TICK_S)
        Window.bind(on_keyboard=self.key)
        return self.root_layer

    def _resize(self, *_: Any) -> None:
        tall = self.root_layer.height > self.root_layer.width
        if self.bar is not None and getattr(self.bar, "_narrow", tall) != tall:
            self.show_screen()

    def wear(self, liked: Preferences) -> None:
        """Look and speak as the players like."""
        SKIN.palette, SKIN.text, SKIN.hand = liked.colours, liked.text, liked.hand
        speak(liked.language)
        # Clearing costs less than one more rectangle under everything.
        Window.clearcolor = SKIN.colour("back")

    def prefer(self, liked: Preferences) -> None:
        """Other choices: everything is shown anew in them, at the same place."""
        place = getattr(getattr(self.screen, "rows", None), "scroll_y", 1)
        self.wear(liked)  # first: the desk says everything anew in the language spoken then
        self.desk.prefer(liked)
        self.show_screen()
        if hasattr(self.screen, "rows"):
            self.screen.rows.scroll_y = place

    # -- places -----------------------------------------------------------------------------

    def go(self, place: str) -> None:
        """To another screen."""
        if place != self.place:
            self.trail = [one for one in self.trail if one != place]
            if place == "home":
                self.trail = []
            elif self.place not in ("new",):
                self.trail.append(self.place)
            self.place = place
        self.show_screen()

    def back(self) -> None:
        """Where one came from."""
        self.place = self.trail.pop() if self.trail else "home"
        self.show_screen()

    def key(self, window: Any, key: int, *_: Any) -> bool:
        """The tablet's back key."""
        if key != 27:
            return False
        if self.sheet is not None:
            self.close_sheet()
        elif self.place == "table":
            self.menu()
        elif self.place != "home":
            self.back()
        return True

    def show_screen(self) -> None:
        """Build the screen of this place."""
        self.close_sheet()
        self.frame.clear_widgets()
        self.bar = None
        if self.place in WITH_BAR:
            self.bar = Bar(self.bar_act, Window.height > Window.width)
            self.frame.add_widget(self.bar)
        # A tablet that nobody plays on may sleep.
        Window.allow_screensaver = not (self.desk.preferences.awake and self.bar is not None)
        self.screen = SCREENS[self.place](self)
        self.frame.add_widget(self.screen)
        self._seen = self._live = None
        self.tick()

    # -- time -------------------------------------------------------------------------------

    def tick(self, *_: Any) -> None:
        """Draw what is new."""
        snapshot, live = self.desk.snapshot, self.desk.live
        if snapshot is not self._seen:
            self._seen = snapshot
            if self.bar is not None:
                self.bar.show(snapshot)
            self.screen.show(snapshot)
            if snapshot.told.number != self._told:
                self._told = snapshot.told.number
                self.toast(snapshot.told.text, snapshot.told.why, snapshot.told.refused)
        if live is not self._live:
            self._live = live
            if self.bar is not None:
                self.bar.look(live)
            self.screen.look(live)
        if self._told_at and time.monotonic() > self._told_at + TOLD_S:
            self.hush()

    # -- over everything --------------------------------------------------------------------

    def toast(self, text: str, why: str = "", refused: bool = True) -> None:
        """A sentence for a few seconds; a tap takes it away."""
        if not text:
            return
        self.hush()
        card = Card("raised", rim="bad" if refused else "accent", size_hint_x=None)
        card.width = min(dp(620), Window.width - dp(40))
        card.add_widget(Text(_(text)))
        if why:
            card.add_widget(Text(why, "small", "accent", bold=True))
        self.sayings.add_widget(card)
        card.bind(on_touch_down=self.hush_touched)
        self._told_at = time.monotonic()

    def hush_touched(self, card: Widget, touch: Any) -> None:
        """A tap on the sentence."""
        if card.collide_point(*touch.pos):
            self.hush()

    def hush(self) -> None:
        """No sentence any more."""
        self.sayings.clear_widgets()
        self._told_at = 0.0

    def open_sheet(self, title: str, widgets: Sequence[Widget]) -> None:
        """Lay a sheet over the screen."""
        self.close_sheet()
        self.sheet = Sheet(title, widgets, self.close_sheet)
        self.root_layer.add_widget(self.sheet)

    def close_sheet(self) -> None:
        """Take the sheet away."""
        if self.sheet is not None:
            self.root_layer.remove_widget(self.sheet)
            self.sheet = None

    def form(self, verb: str) -> None:
        """A command's form over any screen."""
        command = self.desk.snapshot.commands.get(verb)
        if command is None:
            return

        def send(filled: dict[str, Any]) -> None:
            self.close_sheet()
            self.desk.do(filled)

        self.open_sheet(_(verb), [Form(command, self.desk.snapshot, send)])

    # -- doors ------------------------------------------------------------------------------

    def practise(self) -> None:
        """Onto the practice table."""
        self.desk.practice()
        self.go("table")

    def resume(self, saved: Saved) -> None:
        """Go on with a game."""
        self.desk.resume(saved.path)
        self.go("table")

    def past(self, saved: Saved) -> None:
        """What can be done with a kept game."""
        self.open_sheet(
            saved.title,
            [
                Text(str(saved.path.name), "small", "soft"),
                Press(_("Open"), lambda: self.resume(saved), "primary", name="open-game"),
                Press(_("Delete"), lambda: self.delete(saved), "quiet", name="delete-game"),
            ],
        )

    def delete(self, saved: Saved) -> None:
        """Ask once more, then delete a game's file."""

        def sure() -> None:
            if self.desk.snapshot.path != str(saved.path):
                saved.path.unlink(missing_ok=True)
            self.show_screen()

        self.open_sheet(
            _("Delete this game for good?"),
            [
                Press(_("Delete"), sure, "primary", name="delete-sure"),
                Press(_("Keep"), self.close_sheet, name="keep-game"),
            ],
        )

    def leave(self) -> None:
        """Put the game away."""
        self.left = self.desk.snapshot.path
        self.desk.leave()
        self.desk.settle(2.0)
        self.go("home")

    def bar_act(self, act: str) -> None:
        """What is pressed in the bar."""
        if act == "undo":
            self.desk.do({"do": "undo"})
        elif act == "menu":
            self.menu()
        elif act == "tests":
            self.go("table")
        elif act == "camera":
            self.camera()

    def menu(self) -> None:
        """Where to from a game."""
        snapshot = self.desk.snapshot
        redo = snapshot.state.get("redo")
        presses = [
            Press(_("Table"), lambda: self.go("table"), name="go:table"),
            Press(_("Cards and board"), lambda: self.go("cards"), name="go:cards"),
            Press(_("Score"), lambda: self.go("score"), name="go:score"),
            Press(_("Settings"), lambda: self.go("settings"), name="go:settings"),
            Press(_("Start or pause the clock"), self.clock, name="clock"),
        ]
        if redo:
            presses.append(
                Press(
                    _("Redo: {title}", title=redo), lambda: self.quick({"do": "redo"}), name="redo"
                )
            )
        presses.append(Press(_("Leave the game (it is kept)"), self.leave, "quiet", name="leave"))
        self.open_sheet(_("Menu"), presses)

    def quick(self, command: dict[str, Any]) -> None:
        """A command from a sheet."""
        self.close_sheet()
        self.desk.do(command)

    def clock(self) -> None:
        """Start the clock, or pause it."""
        running = (self.desk.snapshot.state.get("clock") or {}).get("running")
        self.quick({"do": "clock", "action": "pause" if running else "start"})

    def camera(self) -> None:
        """What the camera sees, and what can be done about it."""
        live = self.desk.live
        lines: list[Widget] = [
            Text(_("camera: {state}", state=_(live.sight)), "large", bold=True),
            Text(live.why or _("nothing odd"), colour="soft"),
            Press(_("Take every position from the camera"), self.adopt, name="adopt"),
        ]
        if self.desk.snapshot.practice:
            lines += [
                Press(_("Cover the practice camera"), lambda: self.cover(True), name="cover"),
                Press(_("Uncover it"), lambda: self.cover(False), name="uncover"),
            ]
        self.open_sheet(_("Camera"), lines)

    def adopt(self) -> None:
        """Trust the camera."""
        self.close_sheet()
        self.desk.adopt()

    def cover(self, covered: bool) -> None:
        """Try what happens without a camera."""
        self.close_sheet()
        self.desk.cover(covered)

    def on_stop(self) -> None:
        """Everything is kept."""
        self.desk.close()
