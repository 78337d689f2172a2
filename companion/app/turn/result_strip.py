"""The result strip under the table: what just happened and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.compositor import CachedLayer
from companion.app.render.theme import SPARE, THEME, fitting_size, lines_needed
from companion.app.widgets.controls import Text
from companion.app.widgets.icon import Die, IconView, SeatSign, icon_of
from companion.app.widgets.seat_widgets import seat_mark, seat_place
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.games.api.screen_views import Outcome
from companion.text.translation import capital

TONES = {"": "line", "good": "good", "bad": "bad", "warn": "warn"}
MOST_DICE = 24
"""More dice than these are not drawn under the sentence, which tells of them."""
DICE_DP = ((12, 34), (16, 30))
"""The size of so many dice: they are read from the edge of the table."""
LEAST_DIE_DP = 24
LINE = 1.35
"""The height of a line of text, in sizes of its letters."""
PULL_DP = 24
"""A drag upwards by this much opens the log."""


class ResultStrip(CachedLayer, ButtonBehavior, BoxLayout):
    """One bold sentence and one line under it; a tap or a pull upwards opens the log."""

    name = "log"

    def __init__(self, log: Callable[[], Any]) -> None:
        super().__init__("card", orientation="vertical", size_hint_y=None)
        self._log = log
        edge = Widget(size_hint_y=None, height=dp(3))
        with edge.canvas:
            self._tone = Color(*THEME.colour("line"))
            self._edge = Rectangle()
        edge.bind(pos=self._place, size=self._place)
        line = BoxLayout(spacing=THEME.gap(), padding=(dp(16), dp(4)))
        self.sign = BoxLayout(size_hint_x=None, width=dp(52))
        self.words = BoxLayout(orientation="vertical", size_hint_y=None, height=0)
        self.words.bind(minimum_height=self.words.setter("height"))
        self.words.pos_hint = {"center_y": 0.5}
        self.sentence = Text("", "title", bold=True)
        self.after = Text("", "body", "soft")
        self.dice = BoxLayout(size_hint_y=None, spacing=dp(3), height=0)
        for one in (self.sentence, self.after, self.dice):
            self.words.add_widget(one)
        pull = BoxLayout(orientation="vertical", size_hint=(None, 1), width=dp(64))
        self.pulls = (
            IconView("up", 24, "soft"),
            Text(_("Log"), "small", "soft", align="center"),
        )
        for one in (Widget(), *self.pulls, Widget()):
            one.pos_hint = {"center_x": 0.5}
            pull.add_widget(one)
        for one in (self.sign, self.words, pull):
            line.add_widget(one)
        for one in (edge, line):
            self.add_widget(one)
        self._shown: object = ()
        self.low = False
        """Whether the screen is upright and small: what is asked needs the height."""
        self._lines = 2
        """The lines that are always free: cards need every bit of height, a picture its size."""
        self.words.bind(height=self._grow, width=self._letters)
        self._grow()

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest result; without one, how the game begins."""
        outcome = snapshot.outcome
        shown = (outcome, snapshot.playing, snapshot.turned_words)  # places, as the map shows them
        if self._shown == shown:
            return
        self._shown = shown
        self.show_outcome(outcome, snapshot)

    def show_outcome(self, outcome: Outcome | None, snapshot: Snapshot) -> None:
        self.sign.clear_widgets()
        self._lines = 2 if snapshot.tabled and not self.low else 1
        text = _(outcome.text) if outcome else ""
        self.sentence.set_text(capital(text))
        follows = _(outcome.follows) if outcome and outcome.follows else ""
        self.after.set_text(follows)
        for one in (self.sentence, self.after):
            if not one.text:
                one.height = 0
        self.show_dice(faces_of(outcome))
        self._letters()
        self._grow()
        mark = sign(outcome, snapshot) if outcome is not None else None
        seat = snapshot.seat(outcome.seat) if outcome is not None else None
        tone = TONES[outcome.tone if outcome else ""]
        shade = tone if seat is None else f"side-{seat_place(seat)}"
        self._tone.rgba = THEME.colour(shade)  # a red edge would tell of the red side
        self.sign.width = dp(52) if mark is not None else 0
        if mark is not None:
            mark.pos_hint = {"center_y": 0.5}
            self.sign.add_widget(mark)

    def lower(self, low: bool) -> None:
        """Be as low as a small upright screen needs."""
        if self.low is not low:
            self.low, self._shown = low, ()
            self._lines = 1 if low else self._lines
            self._letters()
            self._grow()

    def show_dice(self, faces: list[int]) -> None:
        """Draw several dice under the sentence; a single one stands beside it."""
        self.dice.clear_widgets()
        shown = faces if 1 < len(faces) <= MOST_DICE else []
        size = next((one for many, one in DICE_DP if len(shown) <= many), LEAST_DIE_DP)
        self.dice.height = dp(size + 2) if shown else 0
        for face in shown:
            self.dice.add_widget(Die(face, None, size))
        if shown:
            self.dice.add_widget(Widget())

    def on_release(self) -> None:
        """Open the log."""
        self._log()

    def on_touch_up(self, touch: Any) -> Any:
        """A pull upwards opens the log as well."""
        pulled = touch.grab_current is self and touch.y - touch.oy > dp(PULL_DP)
        inside = self.collide_point(*touch.pos)
        done = super().on_touch_up(touch)
        if pulled and not inside:
            self._log()
        return done

    def _letters(self, *_: Any) -> None:
        """Long sentences have smaller letters, so that the table above keeps its size; what
        follows, which the card tells, makes room for the last lines of a long one."""
        small, look = THEME.size("small"), (self.sentence.font_name, bool(self.sentence.bold))
        lines = lines_needed(self.sentence.text, small, *look, self.words.width * SPARE)
        told = lines <= 2 if not self.low else lines < 2 and not self.dice.height
        if told != (self.after.parent is not None):
            if told:
                self.words.add_widget(self.after, 1)
            else:
                self.words.remove_widget(self.after)
        for text, liked, lines in (
            (
                self.sentence,
                "large" if self.low else "title",
                1 if self.dice.height or (self.low and told) else 2,
            ),
            (self.after, "body", 1),
        ):
            text.font_size = fitting_size(
                text.text,
                THEME.size(liked),
                text.font_name,
                bool(text.bold),
                self.words.width,
                lines,
                THEME.size("small"),
            )

    @property
    def usual(self) -> float:
        """Its height, unless a sentence needs more."""
        size = THEME.size("large" if self.low else "title")
        return float(self._lines * LINE * size + LINE * THEME.size("body") + self.around)

    @property
    def around(self) -> float:
        """What is free above and below its words, with its edge."""
        return float(dp(12 if self.low else 18))

    def _grow(self, *_: Any) -> None:
        self.height = max(self.usual, self.words.height + self.around)

    def _place(self, *_: Any) -> None:
        self._edge.pos, self._edge.size = (
            (self.x, self.y + self.height - dp(3)),
            (self.width, dp(3)),
        )


def sign(outcome: Outcome, snapshot: Snapshot) -> Widget | None:
    """The dice of a result, or the mark of the seat that it is about."""
    faces = faces_of(outcome)
    if len(faces) == 1:
        return Die(faces[0], None, 44)
    if outcome.seat:
        seat = snapshot.seat(outcome.seat)
        return SeatSign(seat_place(seat), 44, seat_mark(seat)) if seat is not None else None
    icon = icon_of(outcome.icon)
    return IconView(icon, 40, TONES[outcome.tone] if outcome.tone else "soft") if icon else None


def faces_of(outcome: Outcome | None) -> list[int]:
    """The faces of a result, if all its dice have six sides."""
    rolled = outcome.dice if outcome is not None else ()
    faces = [face for face in rolled if isinstance(face, int) and 1 <= face <= 6]
    return faces if len(faces) == len(rolled) else []
