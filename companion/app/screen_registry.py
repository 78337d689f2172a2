"""The screens by name, each imported when it is first shown.

The home screen must be there within three seconds: what it does not need is loaded later.
"""

from __future__ import annotations

from collections.abc import Callable

from kivy.uix.widget import Widget

from companion.app.context import AppContext


def _home(app: AppContext) -> Widget:
    from companion.app.screens.home import HomeScreen

    return HomeScreen(app)


def _table(app: AppContext) -> Widget:
    from companion.app.screens.table_screen import TableScreen

    return TableScreen(app)


def _new(app: AppContext) -> Widget:
    from companion.app.new_game.wizard import NewGameScreen

    return NewGameScreen(app)


def _past(app: AppContext) -> Widget:
    from companion.app.screens.past_game import PastScreen

    return PastScreen(app)


def _replay(app: AppContext) -> Widget:
    from companion.app.screens.replay_screen import ReplayScreen

    return ReplayScreen(app)


def _report(app: AppContext) -> Widget:
    from companion.app.screens.past_game import ReportScreen

    return ReportScreen(app)


def _score(app: AppContext) -> Widget:
    from companion.app.screens.score_page import ScorePage

    return ScorePage(app)


def _page(app: AppContext) -> Widget:
    from companion.app.screens.game_page import GamePage

    return GamePage(app)


def _roster(app: AppContext) -> Widget:
    from companion.app.screens.roster_screen import RosterScreen

    return RosterScreen(app)


def _settings(app: AppContext) -> Widget:
    from companion.app.screens.settings_screen import SettingsScreen

    return SettingsScreen(app)


def _camera(app: AppContext) -> Widget:
    from companion.app.camera_setup.camera_screen import CameraScreen

    return CameraScreen(app)


def _print(app: AppContext) -> Widget:
    from companion.app.screens.print_screen import PrintScreen

    return PrintScreen(app)


def _own(app: AppContext) -> Widget:
    from companion.app.own_content.own_screen import OwnContentScreen

    return OwnContentScreen(app)


def _wizard(app: AppContext) -> Widget:
    from companion.app.camera_setup.setup_wizard import SetupWizard

    return SetupWizard(app)


def _board(app: AppContext) -> Widget:
    from companion.app.camera_setup.board_place_screen import BoardPlaceScreen

    return BoardPlaceScreen(app)


def _sight(app: AppContext) -> Widget:
    from companion.app.screens.sight_screen import SightScreen

    return SightScreen(app)


def _phones(app: AppContext) -> Widget:
    from companion.app.screens.phones_screen import PhonesScreen

    return PhonesScreen(app)


SCREENS: dict[str, Callable[[AppContext], Widget]] = {
    "home": _home,
    "table": _table,
    "new": _new,
    "past": _past,
    "replay": _replay,
    "report": _report,
    "score": _score,
    "page": _page,
    "roster": _roster,
    "settings": _settings,
    "camera": _camera,
    "print": _print,
    "own": _own,
    "wizard": _wizard,
    "board": _board,
    "sight": _sight,
    "phones": _phones,
}
