"""The protocol of the app for its screens, so that screens do not import the app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kivy.uix.widget import Widget

from companion.app.device.sound import SoundPlayer
from companion.app.widgets.tap_guard import TapGuard
from companion.engine.app_service import AppService
from companion.engine.camera.camera_profile import CameraProfile, Step
from companion.engine.files.game_library import SavedGame
from companion.engine.files.preferences import Preferences
from companion.engine.threads import BackgroundTask
from companion.engine.turn.handles import LookTap
from companion.web.tablet_phones import TabletPhones

if TYPE_CHECKING:  # drawn by screens that are imported late
    from companion.app.render.chip_layer import KeptBadges


class AppContext(Protocol):
    """The app as its screens see it; implemented by `CompanionApp`."""

    service: AppService
    phones: TabletPhones
    sounds: SoundPlayer
    view: str
    turned: bool
    more_tools: bool
    on_map: bool
    badges: dict[str, KeptBadges]
    unsent: tuple[object, Mapping[str, Any]]
    place: str
    trail: list[str]
    """The places that "Back" leads to."""
    left: str
    section: str
    settings_game: str
    step: Step
    saved: SavedGame | None
    wanted_card: tuple[str, str, str] | None
    entered_card: str
    camera_profile: CameraProfile | None
    camera_profile_problem: str
    screen: Any
    sheet: Any
    root_layer: Any

    @property
    def guard(self) -> TapGuard:
        """What decides which taps count."""
        ...

    @property
    def setups(self) -> Path:
        """The folder of the camera set-ups."""
        ...

    # -- navigation --------------------------------------------------------------------------

    def go(self, place: str) -> None:
        """Go to another screen."""

    def back(self) -> None:
        """Go to the previous screen."""

    def set_up(self, step: Step) -> None:
        """Open one step of the camera wizard."""

    def enter_card(self, game: str, kind: str, card: str) -> None:
        """Show the form of a card or draft of the players' own ("" for a new one), then come
        back."""

    def start_practice(self, game: str = "", alone: bool = False) -> None:
        """Start a game on the practice table: the usual one, or the practice game of a game; with
        the app as the rival of a player who is alone."""

    def resume(self, saved: SavedGame) -> None:
        """Open a saved game."""

    def past(self, saved: SavedGame) -> None:
        """Show what can be done with a saved game."""

    def delete(self, saved: SavedGame) -> None:
        """Delete a game, after confirmation."""

    def leave(self) -> None:
        """Close the game."""

    # -- modals and toasts ------------------------------------------------------------------

    def toast(self, text: str, why: str = "", refused: bool = True) -> None:
        """Show a toast for a few seconds."""

    def say_dropped(self) -> None:
        """Show a toast that names the readings in the preferences that no game knows."""

    def open_sheet(self, title: str, widgets: Sequence[Widget]) -> None:
        """Open a modal over the screen."""

    def close_sheet(self) -> None:
        """Close the modal."""

    def wait_for(self, task: BackgroundTask) -> None:
        """Run a long task in a modal."""

    def show_log(self) -> None:
        """Show the newest steps."""

    def open_page(self, place: str) -> None:
        """Open a page of the game, its score, or the sheet with corrections of a piece."""

    def look_alone(self, tap: LookTap) -> None:
        """Show one player what only that player may see, behind a cover."""

    def correct_piece(self, piece: str) -> None:
        """Open the sheet with the corrections of a piece."""

    def reconnect(self) -> None:
        """Open the lost camera again."""

    # -- the device -------------------------------------------------------------------------

    def prefer(self, liked: Preferences) -> None:
        """Save the preferences and apply them at once."""

    def reload(self) -> None:
        """Read preferences, set-ups and games again."""

    def see_through(self) -> None:
        """Use the camera of the profile for the game."""

    def choose_camera_profile(self, camera_profile: CameraProfile | None) -> None:
        """Switch to another camera profile and save the choice."""
