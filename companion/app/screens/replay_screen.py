"""The replay of a saved game, step by step, with the map at each step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.slider import Slider

from companion.app.context import AppContext
from companion.app.render.mesh_renderer import triangulate
from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.layouts import grid
from companion.app.widgets.page import head_title
from companion.engine.app_words import _, set_turned
from companion.engine.drawing.overlay_cache import (
    OverlayCache,
    ScreenSize,
    badged_board_of,
    board_of,
)
from companion.engine.files.game_library import load_seats
from companion.engine.snapshot import CameraView, Snapshot, words_as_drawn
from companion.engine.threads import BackgroundTask, TaskStep
from companion.overlay.footprints import fitted, map_scale
from companion.session.fold import History, Position, histories
from companion.session.game_view import public_view, recoloured, screen_of
from companion.session.report.replay import Replay
from companion.session.storage import read
from models.board_table import BoardTable
from models.table import AnyTable

KNOB_DP = 26
AROUND = 4
"""How many steps before and after the current one are listed."""


class ReplayScreen(BoxLayout):
    """The map, a slider, and the list of steps."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"))
        self.app = app
        self.replay = Replay((History(),))
        self.at = 0
        self._rounds: dict[int, int] = {}
        self._titles: dict[int, str] = {}
        self._turned: Mapping[str, str] = {}
        self._badged = OverlayCache(triangulate, badged_board_of)
        self._named = OverlayCache(triangulate, board_of)
        self.colours = load_seats(app.saved.path).colours if app.saved is not None else {}
        self._badged.wear(self.colours)
        self._wanted = 0
        head = BoxLayout(
            size_hint_y=None, height=THEME.target + dp(12), padding=(dp(8), dp(6)), spacing=dp(12)
        )
        back = TouchButton("‹  " + _("Back"), app.back, "plain", name="back")
        back.size_hint_x, back.width = None, dp(120)
        head.add_widget(back)
        name = app.saved.title if app.saved is not None else ""
        head.add_widget(head_title(f"{_('Replay')} · {name}"))
        self.add_widget(head)
        self.body = BoxLayout(spacing=dp(8))
        self.pane = TableView("map", lambda point: None, lambda *_: False)
        self.column = BoxLayout(orientation="vertical", padding=(dp(8), 0), spacing=dp(6))
        self.slider = Slider(
            min=0,
            max=1,
            step=1,
            size_hint_y=None,
            height=THEME.target,
            cursor_size=(dp(40), dp(40)),
            value_track=True,
            value_track_color=THEME.colour("accent"),
        )
        self.slider.bind(value=lambda _, value: self.show_step(int(value)))
        knob(self.slider)
        self.rows = Rows()
        keys = [
            TouchButton(text, partial(self.walk, by), name=f"replay:{by:+d}")
            for text, by in (("«", -10), ("‹", -1), ("›", 1), ("»", 10))
        ]
        for one in (self.slider, grid(keys, 4), self.rows):
            self.column.add_widget(one)
        self.add_widget(self.body)
        self.bind(size=self.arrange)
        self.pane.bind(size=lambda *_: self.show_step(self.at))
        self.arrange()
        self.load()

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.body.orientation = "vertical" if tall else "horizontal"
        self.body.clear_widgets()
        self.column.size_hint = (1, 0.8) if tall else (None, 1)
        self.column.width = max(dp(330), min(dp(460), self.width * 0.38))
        self.body.add_widget(self.pane)
        self.body.add_widget(self.column)

    def load(self) -> None:
        """Read the game in a background task."""
        saved = self.app.saved
        if saved is None:
            return

        def work(step: TaskStep) -> tuple[Replay, dict[int, int]]:
            steps = read(saved.path).steps
            found, rounds = [History()], dict[int, int]()
            for number, one in enumerate(histories(steps), 1):
                step(number / max(1, len(steps)), _("step {number}", number=number))
                found.append(one)
                if one.now.play is not None:
                    rounds.setdefault(one.now.play.moment(one.now.state).round, number)
            return Replay(tuple(found)), rounds

        self.app.wait_for(BackgroundTask(_("Replay"), work, self.take, otherwise=self.give_up))

    def give_up(self) -> None:
        """Go back, because the game could not be read."""
        if self.app.screen is self:
            self.app.back()

    def take(self, found: tuple[Replay, dict[int, int]]) -> None:
        """Show the last step of the game that was read."""
        replay, self._rounds = found
        self.replay, self._titles = replay, {}
        self.slider.max = max(1, len(replay))
        self.slider.value = len(replay)
        self.show_step(len(replay))

    def walk(self, by: int) -> None:
        """Go this many steps forward or back."""
        self.slider.value = min(max(self.at + by, 0), len(self.replay))

    def show_step(self, number: int) -> None:
        """Show the game after a step."""
        number = min(max(number, 0), len(self.replay))
        self.at = number
        here = self.replay.at(number).now
        self.speak_of_map(here)
        moment = here.play.moment(here.state) if here.play is not None else None
        card = CardBox(rim="accent")
        card.add_widget(
            Text(
                _("step {number} of {count}", number=number, count=len(self.replay)),
                "small",
                "accent",
                bold=True,
            )
        )
        card.add_widget(Text(self.title(number), "large", bold=True))
        if moment is not None:
            score = "  :  ".join(
                f"{THEME.mark_of(self.colours.get(seat.id, seat.colour))} {_(seat.name)}"
                f" {moment.score.get(seat.id, 0)}"
                for seat in self.replay.seats(number)
            )
            screen = screen_of(here.game)
            told = _(screen.headline(here.state)) if screen is not None else ""
            told = " · ".join(filter(None, (told or round_name(moment.round), score)))
            card.add_widget(Text(told, colour="soft"))
        lines = CardBox()
        first = max(1, number - AROUND)
        for seq in range(first, min(len(self.replay), number + AROUND) + 1):
            now = seq == number
            line = TouchButton(
                f"{seq}  {self.title(seq)}",
                partial(setattr, self.slider, "value", seq),
                "plain" if now else "quiet",
                size="small",
                align="left",
                name=f"to:{seq}",
            )
            lines.add_widget(line)
        self.rows.fill([card, heading(_("WHAT HAPPENED")), lines, *self.rounds()])
        self.draw(here)

    def speak_of_map(self, here: Position) -> None:
        """Call places as the map beside the steps shows them."""
        table = here.play.moment(here.state).table if here.play is not None else None
        if not isinstance(table, BoardTable):
            return
        turned = words_as_drawn(fitted(table, self.room()).board, table.board.turn)
        if turned != self._turned:
            self._turned, self._titles = turned, {}
        set_turned(turned)

    def room(self) -> tuple[float, float]:
        """The room of the map."""
        return (max(self.pane.width, 50.0), max(self.pane.height, 50.0))

    def title(self, number: int) -> str:
        """The title of a step."""
        if number not in self._titles:
            self._titles[number] = self.replay.told(number)
        return self._titles[number]

    def rounds(self) -> list[Any]:
        """A button to the beginning of each round."""
        presses = [
            TouchButton(
                round_name(round_),
                partial(setattr, self.slider, "value", seq),
                "quiet",
                name=f"round:{round_}",
            )
            for round_, seq in self._rounds.items()
        ]
        return [heading(_("ROUNDS")), grid(presses, 3)] if presses else []

    # -- the map ----------------------------------------------------------------------------

    def draw(self, here: Position) -> None:
        """Draw the map on the worker thread; only the newest request is drawn."""
        table = here.play.moment(here.state).table if here.play is not None else None
        if table is None:
            return
        self._wanted += 1
        wish, room = self._wanted, self.room()

        def job() -> None:
            if wish == self._wanted:
                shown = self.drawn(here, table, room)
                Clock.schedule_once(lambda _: self.pane.show(shown))

        self.app.service.ask(job)

    def drawn(self, here: Position, table: AnyTable, room: tuple[float, float]) -> Snapshot:
        """The map in this room, with the badges of the pieces as in the game."""
        if isinstance(table, BoardTable):
            table = fitted(table, room)
        screen = screen_of(here.game)
        view = recoloured(public_view(screen, here), self.colours) if screen is not None else None
        unit = round(min(1.1, max(0.8, min(room) / dp(620))) * dp(1), 3)
        size = ScreenSize(map_scale(table, room), unit_px=unit, dark=THEME.palette != "light")
        cache = self._named if view is None else self._badged
        cache.resize(size)
        cache.set_table(table, None)
        return Snapshot(table=table, map=cache.map(None), view=view)

    def show(self, snapshot: Snapshot) -> None:
        """Does nothing: no game is running here."""

    def look(self, live: CameraView) -> None:
        """Does nothing: this screen shows no camera."""


def round_name(number: int) -> str:
    """A round by its number; before the first one the game is set up."""
    return _("Round {round}", round=number) if number else _("Set-up")


def knob(slider: Slider) -> None:
    """Replace the slider's knob, an image with a fixed colour, by one in the theme's colour."""
    slider.children[0].opacity = 0
    with slider.canvas.after:
        Color(*THEME.colour("accent"))
        dot = Ellipse(size=(dp(KNOB_DP), dp(KNOB_DP)))

    def place(*_: Any) -> None:
        dot.pos = (slider.value_pos[0] - dp(KNOB_DP) / 2, slider.center_y - dp(KNOB_DP) / 2)

    slider.bind(pos=place, size=place, value=place, max=place)
    place()
