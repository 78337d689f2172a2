"""The app: one screen at a time, the game bar above it, modals and toasts over everything."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.base import ExceptionManager
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.device.sound import SoundPlayer
from companion.app.render.theme import THEME
from companion.app.screen_registry import SCREENS
from companion.app.screens.announcer import Announcer
from companion.app.screens.game_menu import GameMenu
from companion.app.screens.game_page import PrivateSheet, correction_rows
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.game_bar import GameBar, bar_shape
from companion.app.widgets.modal import Modal, TaskModal
from companion.app.widgets.tap_guard import GuardedLayer, TapGuard
from companion.app.widgets.toasts import ErrorHandler, Toasts
from companion.engine.app_service import AppService
from companion.engine.app_words import APP_LANGUAGE, _, set_language, set_turned, set_units
from companion.engine.camera.camera_profile import (
    PRACTICE,
    CameraProfile,
    Step,
    chosen,
)
from companion.engine.files.game_library import SavedGame, about, remove
from companion.engine.files.preferences import Preferences
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.threads import BackgroundTask, Running
from companion.engine.turn.clock_view import running_side
from companion.engine.turn.handles import LookTap
from companion.games import package_of
from companion.session.game_view import screen_of
from companion.text.translation import set_game
from companion.web.tablet_phones import TabletPhones
from models import CompanionError, Pose
from models.catalogue import gather
from models.field import visible

if TYPE_CHECKING:  # drawn by screens that are imported late
    from companion.app.render.chip_layer import KeptBadges

MOST_DROPPED = 3
EVERY_FRAME = 0
"""A clock interval of exactly one frame would fire only on every other frame."""
WITH_BAR = ("table", "score", "page", "roster")


class CompanionApp(App):
    """Shows the snapshots of the app service, and never waits for it."""

    def __init__(self, service: AppService, **more: Any) -> None:
        super().__init__(**more)
        self.service = service
        self.phones = TabletPhones(service)
        self.title = "Table Companion"
        self.view = "picture"
        self.turned = self.more_tools = False
        self.on_map = False
        """Whether the players go on without the lost camera."""
        self.badges: dict[str, KeptBadges] = {}
        """Where badges lie at rest on the map and on the picture."""
        self.unsent: tuple[object, Mapping[str, Any]] = (None, {})
        """The step and the form that were sent last, and what was entered."""
        self.left = ""
        self.saved: SavedGame | None = None
        """The past game that is open."""
        self.place = "home"
        self.trail: list[str] = []
        self.screen: Any = None
        self.bar: GameBar | None = None
        self.sheet: Modal | None = None
        self.waiting: TaskModal | None = None
        self._seen: Snapshot | None = None
        self._live: CameraView | None = None
        self._message = 0
        self._second = 0
        self._scoring: bool | None = None
        """Whether points wait to be confirmed; None while no game is shown."""
        self._led = False
        """Whether the score was opened because points wait."""
        self._rung: tuple[str, Pose] | None = None
        """The last move that was announced by sound, so that another text for it stays silent."""
        self.wanted_card: tuple[str, str, str] | None = None
        """Game, kind and id of the card whose form is to be opened."""
        self.entered_card = ""
        """The id of what was entered there, for the screen that asked for it."""
        self.section = "general"
        """The open section of the settings."""
        self.settings_game = ""
        """The game whose readings were opened there, once one was."""
        self.step: Step = "print"
        self.camera_profile: CameraProfile | None = None
        self.camera_profile_problem = ""
        self.find_camera_profile()
        self.sounds = SoundPlayer()
        self.announcer = Announcer(self.sounds, lambda: getattr(self, "root_layer", None))
        self.game_menu = GameMenu(self)
        self.wear(service.preferences)

    # -- building ---------------------------------------------------------------------------

    def build(self) -> Widget:
        """Build the layers: screen, toasts, modals."""
        self.root_layer = GuardedLayer(self.toast)
        self.root_layer.bind(size=self._resize, pos=self._resize)
        self.frame = BoxLayout(orientation="vertical")
        self.root_layer.add_widget(self.frame)
        self.toasts = Toasts(lambda: self.waiting or self.sheet or self.frame)
        self.root_layer.add_widget(self.toasts)
        self.show_screen()
        self.service.watch()
        Clock.schedule_interval(self.tick, EVERY_FRAME)
        self._mishaps = ErrorHandler(self.toast)
        ExceptionManager.add_handler(self._mishaps)
        Window.bind(on_keyboard=self.key)
        self.say_dropped()
        return self.root_layer

    @property
    def guard(self) -> TapGuard:
        """What decides which taps count."""
        return self.root_layer.guard

    def _resize(self, *_: Any) -> None:
        shape = bar_shape(*self.root_layer.size)
        if self.bar is not None and getattr(self.bar, "shape", shape) != shape:
            self.show_screen()

    def wear(self, liked: Preferences) -> None:
        """Apply theme, size and language from the preferences."""
        THEME.palette, THEME.text, THEME.hand = liked.colours, liked.text, liked.hand
        self.sounds.sound, self.sounds.vibration = liked.sound, liked.vibration
        self.announcer.motion = liked.motion
        set_units(liked.units)
        set_language(liked.language)
        # The clear colour is cheaper than a rectangle behind everything.
        Window.clearcolor = THEME.colour("back")

    def prefer(self, liked: Preferences) -> None:
        """Save the preferences and rebuild the current screen with them."""
        place = getattr(getattr(self.screen, "rows", None), "scroll_y", 1)
        self.wear(liked)
        self.service.prefer(liked)
        self.show_screen()
        if hasattr(self.screen, "rows"):
            self.screen.rows.scroll_y = place

    # -- navigation --------------------------------------------------------------------------

    def go(self, place: str) -> None:
        """Go to another screen."""
        if place != self.place:
            self.trail = [one for one in self.trail if one != place]
            if place == "home":
                self.trail = []
            elif self.place != "new" or place != "table":
                self.trail.append(self.place)
            self.place = place
        self.open_place()

    def back(self) -> None:
        """Go to the previous screen."""
        self.place = self.trail.pop() if self.trail else "home"
        self.open_place()

    def open_place(self) -> None:
        """Show the screen of the current place; a new game looks through the camera."""
        if self.place == "new" and self.service.camera_worker is None:
            self.see_through()
        self.show_screen()

    def key(self, window: Any, key: int, *_: Any) -> bool:
        """Handle the tablet's back key."""
        if key != 27:
            return False
        if self.waiting is not None:
            self.waiting.cancel()
        elif self.sheet is not None:
            self.close_sheet()
        elif self.place == "table":
            self.game_menu.open()
        elif self.place != "home":
            self.back()
        return True

    def show_screen(self) -> None:
        """Build the screen of the current place."""
        self.close_sheet()
        self.leave_screen()
        self.frame.clear_widgets()
        self.bar = None
        kind = self.place.partition(":")[0]
        running = screen_of(self.service.snapshot.game)
        set_game(package_of(running))  # a screen of another game, as the wizard, sets its own
        if kind in WITH_BAR:
            self.bar = GameBar(self.game_menu.act, bar_shape(*Window.size))
            self.frame.add_widget(self.bar)
        # A tablet may go to sleep while no game is open.
        Window.allow_screensaver = not (self.service.preferences.awake and self.bar is not None)
        if kind == "wizard" and self.camera_profile is None:
            kind = "camera"  # without a set-up there are no steps to show
        self.speak_of_map(self.service.snapshot if self.bar is not None else Snapshot())
        self.screen = SCREENS[kind](self)
        self.frame.add_widget(self.screen)
        self.toasts.over(*getattr(self.screen, "said_over", ()))
        self._seen = self._live = None
        self.tick()

    def leave_screen(self) -> None:
        """Close the current screen, which may hold a camera."""
        leaving = getattr(self.screen, "leave", None)
        if leaving is not None:
            leaving()

    # -- setting up -------------------------------------------------------------------------

    @property
    def setups(self) -> Path:
        """The folder of the camera set-ups."""
        return self.service.game_cameras.setups

    def set_up(self, step: Step) -> None:
        """Open one step of the set-up wizard; only one at a time can use a camera."""
        if self.service.camera_worker is not None and not self.service.snapshot.playing:
            self.service.leave()
        self.step = step
        self.go("wizard")

    def find_camera_profile(self) -> None:
        """Load the camera profile that was chosen last."""
        self.camera_profile, self.camera_profile_problem = None, ""
        try:
            self.camera_profile = chosen(self.setups, self.service.preferences.setup)
        except CompanionError as error:
            self.camera_profile_problem = str(error)

    def reload(self) -> None:
        """Read preferences, set-ups and games again, after the data folder was replaced."""
        gather.cache_clear()
        self.find_camera_profile()
        self.trail = []
        self.wear(self.service.preferences)
        self.show_screen()
        self.say_dropped()

    def say_dropped(self) -> None:
        """Show a toast that names the readings in the preferences that no game knows."""
        dropped = self.service.preferences.dropped
        if dropped:
            named = ", ".join(dropped[:MOST_DROPPED])
            if len(dropped) > MOST_DROPPED:
                named += ", …"
            self.toast(
                _("No game knows these readings; the usual ones count: {names}", names=named)
            )

    def see_through(self) -> None:
        """Use the camera of the profile for the game; the practice table has its own."""
        camera_profile = self.camera_profile
        if (
            camera_profile is None
            or not camera_profile.sees
            or camera_profile.notes.source == PRACTICE
        ):
            return
        from companion.app.camera_setup.camera_choice import source_of

        word, setup = camera_profile.notes.source, camera_profile.setup
        self.service.open_camera(lambda: source_of(word), setup)

    def choose_camera_profile(self, camera_profile: CameraProfile | None) -> None:
        """Switch to another camera profile and save the choice."""
        before, self.camera_profile = self.camera_profile, camera_profile
        self.camera_profile_problem = ""
        drafted = self.service.drafting.draft.camera == "camera" and not self.service.snapshot.path
        used = drafted or self.service.plays_under_camera(self.service.snapshot)
        if used and before and camera_profile and before.path != camera_profile.path:
            self.see_through()  # the game that is played or set up looks through the new one
        name = camera_profile.name if camera_profile is not None else ""
        self.service.prefer(replace(self.service.preferences, setup=name))

    def note_camera(self, snapshot: Snapshot) -> None:
        """Remember which set-up the game is played under."""
        if self.camera_profile is not None and self.service.plays_under_camera(snapshot):
            self.service.game_cameras.note(Path(snapshot.path), self.camera_profile.name)

    def use_camera_of(self, saved: SavedGame) -> None:
        """Use the set-up that a game was played under, if there still is one, and say so."""
        used = self.camera_profile.name if self.camera_profile is not None else ""
        try:
            own = self.service.game_cameras.own(saved.path, used)
        except CompanionError as error:
            self.toast(str(error))
            return
        if own is not None:
            self.choose_camera_profile(own)
            self.toast(
                _(
                    "This game was played under the set-up “{name}”: it is used again.",
                    name=own.name,
                )
            )

    def speak_of_map(self, snapshot: Snapshot) -> None:
        """Call places as the map of a snapshot shows them; without a board as the game has them."""
        set_turned(snapshot.turned_words)

    # -- clock ------------------------------------------------------------------------------

    def tick(self, *_: Any) -> None:
        """Draw what has changed since the last frame."""
        snapshot, live = self.service.snapshot, self.service.live
        if snapshot is not self._seen:
            self._seen = snapshot
            THEME.seat({one.id: (one.colour - 1) % 6 for one in snapshot.seats})
            self.use_player_language(snapshot)
            if self._seen is not snapshot:
                return  # the screen was built anew, and shows a newer one already
            self.note_camera(snapshot)
            self.announcer.announce(snapshot)
            self.lead_to_score(snapshot)
            if self._seen is not snapshot:
                return
            if self.bar is not None:
                self.bar.show(snapshot)
            if self.bar is not None:
                self.speak_of_map(snapshot)
            self.screen.show(snapshot)
            if snapshot.notice is not None and snapshot.notice.where != self._rung:
                self.sounds.play("notice")
            self._rung = snapshot.notice.where if snapshot.notice is not None else None
            if snapshot.message.number != self._message:
                self._message = snapshot.message.number
                self.toast(snapshot.told, refused=snapshot.message.refused)
                if snapshot.message.why == "GONE":
                    self.offer_to_save(snapshot.told)
        if live is not self._live:
            self._live = live
            self.announcer.watch_camera(live)
            if self.bar is not None:
                self.bar.look(live)
            self.screen.look(live)
        now = time.monotonic()
        self.toasts.pass_time(now)
        if self.bar is not None and running_side(snapshot) and int(now) != self._second:
            self._second = int(now)
            self.bar.time(snapshot, now - snapshot.taken_s)

    def use_player_language(self, snapshot: Snapshot) -> None:
        """Switch to the language of the player whose decision is pending, where one was chosen;
        else, and where several decide, to the app's."""
        if self.bar is None or not snapshot.languages or snapshot.view is None:
            return
        waiting = [set(one.seats) - set(one.answered) for one in snapshot.prompts]
        asked = set().union(*waiting) or set(snapshot.view.active)
        spoken = snapshot.languages.get(asked.pop()) if len(asked) == 1 else ""
        wanted = spoken or self.service.preferences.language
        if wanted != APP_LANGUAGE.language:
            set_language(wanted)
            self.service.redraw()
            self.show_screen()

    def lead_to_score(self, snapshot: Snapshot) -> None:
        """Points to confirm open the score; then the table is back, unless all is over."""
        if self.place not in ("table", "score"):
            return  # the players look elsewhere; the table leads them when they come back
        before = self._scoring
        score = snapshot.score
        scores = score is not None and score.confirm is not None
        self._scoring = scores if snapshot.playing else None
        if self.place == "table" and self._scoring and not before:
            self._led = True
            self.go("score")
        elif self.place != "score":
            self._led = False
        elif self._led and before and not self._scoring and not snapshot.over:
            self._led = False
            self.go("table")

    # -- over everything --------------------------------------------------------------------

    def toast(self, text: str, why: str = "", refused: bool = True) -> None:
        """Show a toast; it closes after a few seconds or at a tap, or where nothing is told."""
        if text:
            self.toasts.say(text, why, refused)
            self.sounds.play("refused" if refused else "done")
        else:
            self.toasts.dismiss()

    def offer_to_save(self, why: str) -> None:
        """Offer to save the game to a new file after its own was deleted."""

        def save() -> None:
            self.close_sheet()
            self.service.save_elsewhere()

        self.open_sheet(
            _("The game's file is gone"),
            [
                Text(why),
                TouchButton(
                    _("Save the game in a new file"), save, "primary", name="save-elsewhere"
                ),
            ],
        )

    def open_sheet(self, title: str, widgets: Sequence[Widget]) -> None:
        """Open a modal over the screen."""
        self.close_sheet()
        self.sheet = Modal(title, widgets, self.close_sheet)
        self.lay_over(self.sheet)

    def lay_over(self, widget: Widget) -> None:
        """Over the screen, but under the sentence that is said: it may be about this."""
        self.root_layer.add_widget(widget, index=self.root_layer.children.index(self.toasts) + 1)

    def close_sheet(self) -> None:
        """Close the modal."""
        if self.sheet is not None:
            self.root_layer.remove_widget(self.sheet)
            self.sheet = None

    def wait_for(self, task: BackgroundTask) -> None:
        """Run a long task in a modal; one at a time."""
        if self.waiting is None:
            self.waiting = TaskModal(task, self._waited)
            self.lay_over(self.waiting)

    def _waited(self, running: Running) -> None:
        if self.waiting is not None:
            self.root_layer.remove_widget(self.waiting)
            self.waiting = None
        if not running.finish():
            progress = running.progress
            stopped = progress.state == "stopped"
            self.toast(_("stopped") if stopped else progress.why, refused=not stopped)

    # -- pages of a game -------------------------------------------------------------------

    def show_log(self) -> None:
        """Show the newest steps."""
        self.open_sheet(_("Log"), [Text(line, "body", "soft") for line in self.service.log()])

    def open_page(self, place: str) -> None:
        """Open a page of the game, its score, or the sheet with corrections of a piece."""
        kind, _colon, name = place.partition(":")
        if kind == "correct":
            self.correct_piece(name)
        elif kind == "note":
            form, _colon, card = name.partition(":")
            self.enter_card(self.service.snapshot.game, form, card)
        elif kind == "past":
            self.past(about(Path(self.service.snapshot.path)))
        else:
            self.go(place)

    def look_alone(self, tap: LookTap) -> None:
        """Show one player what only that player may see, behind a cover."""
        self.open_sheet(_(tap.title), [PrivateSheet(self, tap)])

    def correct_piece(self, piece: str) -> None:
        """Open the sheet with the corrections of a piece."""
        title, rows = correction_rows(self, piece)
        if rows:
            self.open_sheet(title, rows)

    def reconnect(self) -> None:
        """Open the lost camera again."""
        if self.service.snapshot.practice:
            self.service.cover(False)
        else:
            self.see_through()

    # -- opening and closing games ------------------------------------------------------------

    def enter_card(self, game: str, kind: str, card: str) -> None:
        """Show the form of a card or draft of the players' own ("" for a new one), then come
        back."""
        self.wanted_card = (game, kind, card)
        self.go("own")

    def start_practice(self, game: str = "", alone: bool = False) -> None:
        """Start a game on the practice table: the usual one, or the practice game of a game."""
        self.service.start_practice(game, alone)
        self.go("table")

    def resume(self, saved: SavedGame) -> None:
        if not saved.practice:
            self.use_camera_of(saved)
        self.service.resume(saved.path)
        if not saved.practice:
            self.see_through()
        self.go("table")

    def past(self, saved: SavedGame) -> None:
        """Show what can be done with a saved game."""
        self.saved = saved
        self.go("past")

    def delete(self, saved: SavedGame) -> None:
        """Ask for confirmation, then delete a game's file."""

        def sure() -> None:
            if self.service.snapshot.path != str(saved.path):
                try:
                    remove(saved.path)
                except OSError as error:
                    self.close_sheet()
                    self.toast(f"{visible(str(saved.path))}: {error.strerror or error}")
                    return
                self.saved = None
            self.go("home")

        self.open_sheet(
            _("Delete this game for good?"),
            [
                TouchButton(_("Delete"), sure, "primary", name="delete-sure"),
                TouchButton(_("Keep it"), self.close_sheet, name="keep-game"),
            ],
        )

    def leave(self) -> None:
        """Close the game."""
        self.left = self.service.snapshot.path
        self.service.leave()
        self.service.settle(2.0)
        set_language(self.service.preferences.language)
        self.go("home")

    def on_stop(self) -> None:
        """Close the service and its threads."""
        if self.waiting is not None:
            self.waiting.close()
        self.leave_screen()
        ExceptionManager.remove_handler(self._mishaps)
        self.phones.stop()
        self.service.close()
