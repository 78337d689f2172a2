"""What a screen may ask of the app: so that screens need not import the app that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from kivy.uix.widget import Widget

from companion.app.camera_setup.camera_profile import CameraProfile, Step
from companion.app.device.sound import SoundPlayer
from companion.app.engine.app_service import AppService
from companion.app.engine.task import BackgroundTask
from companion.app.files.game_library import SavedGame
from companion.app.files.preferences import Preferences


class AppContext(Protocol):
    """The app as its screens see it; `CompanionApp` is the one there is."""

    desk: AppService
    bell: SoundPlayer
    view: str
    turned: bool
    left: str
    section: str
    step: Step
    saved: SavedGame | None
    station: CameraProfile | None
    station_problem: str
    screen: Any
    sheet: Any
    root_layer: Any

    @property
    def setups(self) -> Path:
        """Where set-ups lie."""
        ...

    # -- going from screen to screen --------------------------------------------------------

    def go(self, place: str) -> None:
        """To another screen."""

    def back(self) -> None:
        """Where one came from."""

    def set_up(self, step: Step) -> None:
        """Into one step of the camera's wizard."""

    def practise(self) -> None:
        """Onto the practice table."""

    def resume(self, saved: SavedGame) -> None:
        """Go on with a game."""

    def past(self, saved: SavedGame) -> None:
        """What can be done with a kept game."""

    def delete(self, saved: SavedGame) -> None:
        """Delete a game, after a question."""

    def leave(self) -> None:
        """Put the game away."""

    # -- over the screen --------------------------------------------------------------------

    def toast(self, text: str, why: str = "", refused: bool = True) -> None:
        """A sentence for a few seconds."""

    def say_dropped(self) -> None:
        """Name the readings of the kept choices that no game knows."""

    def open_sheet(self, title: str, widgets: Sequence[Widget]) -> None:
        """Lay a sheet over the screen."""

    def close_sheet(self) -> None:
        """Take it away."""

    def wait_for(self, task: BackgroundTask) -> None:
        """Run a long task over whatever is on the screen."""

    def form(self, verb: str) -> None:
        """A command's form over any screen."""

    def play_card(self) -> None:
        """A player's hand, after a question."""

    def show_hand(self, player: str) -> None:
        """A player's hand over everything."""

    # -- the device -------------------------------------------------------------------------

    def prefer(self, liked: Preferences) -> None:
        """Other preferences, shown at once."""

    def reload(self) -> None:
        """Read preferences, set-ups and games anew."""

    def see_through(self) -> None:
        """Let games see through the camera that is set up."""

    def choose_station(self, station: CameraProfile | None) -> None:
        """Set up, and see games through, another camera."""
