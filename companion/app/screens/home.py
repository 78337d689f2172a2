"""The first screen: resume, new game, practice, set-up, past games."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.engine.app_words import _
from companion.app.engine.snapshot import CameraView, Snapshot
from companion.app.files.game_library import SavedGame
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.layouts import grid

WELCOME = Path(__file__).parents[1] / "data" / "welcome.jpg"
"""A practice photo with the overlay of `companion look --overlay`."""


def welcome() -> Widget:
    """An introduction for those who have not used the app yet."""
    picture = Image(source=str(WELCOME), fit_mode="contain", size_hint_y=None)

    def rise(*_: Any) -> None:
        picture.height = picture.width / picture.image_ratio

    picture.bind(width=rise)
    return picture


FULL_DP = 620
"""The height of a screen that the home screen fills."""


class HomeScreen(BoxLayout):
    """Large buttons on the left, past games on the right; one under the other in portrait."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(spacing=SKIN.gap("wide"))
        self.app = app
        self.games = app.desk.saved()
        self.bind(size=self.arrange)
        self.arrange()

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.orientation = "vertical" if tall else "horizontal"
        # Centred on a large screen, which would otherwise be empty in its lower half.
        wide = SKIN.gap("wide")
        above = 0.0 if tall else (self.height - dp(FULL_DP)) / 2
        self.padding = (wide, max(wide, above), wide, wide)
        self.clear_widgets()
        self.add_widget(self.doors())
        self.add_widget(self.past())

    def doors(self) -> Widget:
        """The buttons to start something."""
        tall = self.height > self.width
        rows = Rows(size_hint=(1, 1.25) if tall else (1.15, 1))
        app = self.app
        last = next((one for one in self.games if not one.winner and not one.broken), None)
        buttons: list[Widget] = [
            Text(_("Table Companion"), "huge", "accent", bold=True),
            Text(_("Measures the table, knows the rules, remembers the game."), "body", "soft"),
            Widget(size_hint_y=None, height=dp(6)),
        ]
        if last is not None:
            under = _("{title} · round {round}", title=last.title, round=last.round)
            buttons.append(
                TouchButton(
                    _("Resume"),
                    lambda: app.resume(last),
                    "primary",
                    under,
                    size="large",
                    name="resume",
                )
            )
        look = "plain" if last is not None else "primary"
        buttons.append(
            TouchButton(
                _("Practice table"),
                app.practise,
                look,
                _("no camera needed: try everything at once"),
                size="large",
                name="practice",
            )
        )
        buttons.append(
            TouchButton(
                _("New game"),
                lambda: app.go("new"),
                "plain",
                _("edition, mode, armies"),
                size="large",
                name="new",
            )
        )
        first = CardBox()
        first.add_widget(heading(_("YOUR FIRST CHARGE")))
        for line in (
            _("1  Open the practice table."),
            _("2  Tap one of your trays: arrows show whom it reaches, and how likely."),
            _("3  Press a green button, roll, and see what follows."),
        ):
            first.add_widget(Text(line, colour="soft"))
        buttons.append(first)
        small = [
            TouchButton(_("Set up a camera"), lambda: app.go("camera"), name="camera-setup"),
            TouchButton(_("Print tags"), lambda: app.go("print"), name="print"),
            TouchButton(_("Settings"), lambda: app.go("settings"), name="settings"),
        ]
        buttons.append(grid(small, 3 if self.width > dp(900) else 1))
        rows.fill(buttons)
        return rows

    def past(self) -> Widget:
        """The list of past games."""
        rows = Rows()
        found: list[Widget] = [heading(_("PAST GAMES"))]
        if not self.games:
            empty = CardBox()
            empty.add_widget(
                Text(_("No games yet. They appear here, kept to the last tap."), colour="soft")
            )
            found += [empty, welcome()]
        found += [self.game(saved) for saved in self.games]
        rows.fill(found)
        return rows

    def game(self, saved: SavedGame) -> TouchButton:
        """The button of a saved game."""
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(saved.changed_s))
        score = " : ".join(f"{SKIN.mark(side)} {points}" for side, points in saved.score)
        end = _("won by {side}", side=_(saved.winner)) if saved.winner else _("not finished")
        if saved.winner == "draw":
            end = _("A draw")
        players = " – ".join(_(name) for name in saved.players)
        end = saved.broken or end
        under = " · ".join(part for part in (when, players, score, end) if part)
        title = f"{saved.title} · {_('practice')}" if saved.practice else saved.title
        return TouchButton(
            title,
            lambda: self.app.past(saved),
            "quiet",
            under,
            align="left",
            name=f"game:{saved.path.stem}",
        )

    def show(self, snapshot: Snapshot) -> None:
        """Does nothing: this screen does not depend on the snapshot."""

    def look(self, live: CameraView) -> None:
        """Does nothing: this screen shows no camera."""
