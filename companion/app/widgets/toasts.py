"""Toasts: messages over everything, one at a time, for a few seconds; unexpected exceptions too."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.core.text.markup import MarkupLabel
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text
from companion.engine.app_words import _
from companion.overlay.view_frame import BoundingBox
from companion.text.translation import translate
from models import CompanionError
from models.message import file_problem

MOST, WITHIN_S = 5, 3.0
"""More errors than this in so short a time come from every frame, and the app is unusable."""


class ErrorHandler(ExceptionHandler):
    """Keeps the app open when a button fails; the game is on disk in any case."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._times: deque[float] = deque(maxlen=MOST)

    def handle_exception(self, inst: BaseException) -> int:
        """Carry on after an error; exceptions that are meant to end the app still do."""
        if not isinstance(inst, Exception):
            return int(ExceptionManager.RAISE)
        known = file_problem(inst) if isinstance(inst, OSError) else inst
        if not isinstance(known, CompanionError):
            logging.getLogger(__name__).error("mishap", exc_info=inst)
        now = time.monotonic()
        if len(self._times) == MOST and now - self._times[0] < WITHIN_S:
            return int(ExceptionManager.RAISE)
        self._times.append(now)
        wrong = isinstance(known, CompanionError)
        self._say(translate(str(known)) if wrong else _("Something went wrong. The game is kept."))
        return int(ExceptionManager.PASS)


Edge = Literal["top", "bottom"]
TOLD_S = 6.0
WIDEST_DP = 760
LONG = 80
"""A longer text is written smaller, to leave what lies below free."""
STEP_DP = 12
BELOW_DP = 70
"""Space left free at the lower edge if no part of the screen is named, for wizards' buttons."""


class Toasts(FloatLayout):
    """Shows toasts where no button lies; each closes after some time or at a tap.

    `below` is what lies under them: the screen, or the sheet over it.
    """

    def __init__(self, below: Callable[[], Widget | None] = lambda: None) -> None:
        super().__init__()
        self.below = below
        self.edge: Edge = "bottom"
        self._told_s = 0.0
        self._room: Widget | None = None
        self._card: CardBox | None = None
        self._wide = 0.0
        self._settle = Clock.create_trigger(self._place, -1)
        self.bind(size=self._settle, pos=self._settle)

    def over(self, room: Widget | None = None, edge: Edge = "bottom") -> None:
        """Show toasts at an edge of this part of the screen, so that buttons stay free."""
        if self._room is not None:
            self._room.unbind(pos=self._settle, size=self._settle)
        self._room, self.edge = room, edge
        if room is not None:
            room.bind(pos=self._settle, size=self._settle)
        self._settle()

    def say(self, text: str, why: str = "", refused: bool = True) -> None:
        """Show a toast, optionally with its rule number; no wider than its text."""
        self.dismiss()
        card = CardBox("raised", rim="bad" if refused else "line", size_hint_x=None)
        lines = [Text(_(text), "small" if len(text) > LONG else "body")]
        if why:
            lines.append(Text(why, "small", "accent", bold=True))
        for line in lines:
            card.add_widget(line)
        card.bind(on_touch_down=self._touched, height=self._settle)
        self._card = card
        self._wide = max(in_one_line(line) for line in lines) + 2 * THEME.gap() + dp(2)
        self._place()
        self.add_widget(card)
        self._told_s = time.monotonic()

    def dismiss(self) -> None:
        """Close the toast."""
        self.clear_widgets()
        self._card = None
        self._told_s = 0.0

    def pass_time(self, now_s: float) -> None:
        """Close the toast when its time is over."""
        if self._told_s and now_s > self._told_s + TOLD_S:
            self.dismiss()

    def room(self) -> BoundingBox:
        """Where toasts belong: the named part of the screen, else above the lowest buttons."""
        gap, room = THEME.gap(), self._room
        if room is None:
            return BoundingBox(
                self.x + gap, self.top - gap, self.right - gap, self.y + dp(BELOW_DP)
            )
        low = room.y + (gap if self.edge == "bottom" else 0)
        return BoundingBox(room.x + gap, room.top, room.right - gap, low)

    def _place(self, *_: Any) -> None:
        """Find the place nearest to the edge at which the toast covers no button."""
        card = self._card
        if card is None:
            return
        room = self.room()
        card.width = min(self._wide, dp(WIDEST_DP), max(1.0, room.right - room.left))
        taken = self.buttons()
        spots = [*self.spots(card, room)]
        if self._room is None or self.edge == "top":  # a title is small: anywhere on the screen
            gap = THEME.gap()
            whole = BoundingBox(self.x + gap, self.top - gap, self.right - gap, self.y + gap)
            spots += self.spots(card, whole)
        card.pos = min(spots, key=lambda spot: self.covered(card, spot, taken))

    def spots(self, card: Widget, room: BoundingBox) -> Iterator[tuple[float, float]]:
        """The places in a part of the screen, those at the edge first, in the middle first."""
        left, top, right, low = room
        across = dict.fromkeys(((left + right - card.width) / 2, left, right - card.width))
        free = max(0.0, top - low - card.height)
        for step in range(int(free / dp(STEP_DP)) + 1):
            down = self.edge == "bottom"
            y = low + step * dp(STEP_DP) if down else top - card.height - step * dp(STEP_DP)
            for x in across:
                yield x, y

    @staticmethod
    def covered(card: Widget, spot: tuple[float, float], taken: Sequence[BoundingBox]) -> float:
        """The area of buttons that the toast would cover at this place."""
        x, y = spot
        return sum(
            max(0.0, min(right, x + card.width) - max(left, x))
            * max(0.0, min(top, y + card.height) - max(low, y))
            for left, top, right, low in taken
        )

    def buttons(self) -> list[BoundingBox]:
        """The boxes of everything below that answers to a tap."""
        below = self.below()
        return [] if below is None else [*touchable(below)]

    def _touched(self, card: Widget, touch: Any) -> bool:
        """Close the toast; a button under it still gets the tap, the table does not."""
        if not card.collide_point(*touch.pos):
            return False
        self.dismiss()
        x, y = touch.pos
        return not any(
            left <= x <= right and low <= y <= top for left, top, right, low in self.buttons()
        )


def touchable(top: Widget) -> Iterator[BoundingBox]:
    """The boxes in the window of the visible buttons and entries of a part of the screen."""
    for one in top.walk():
        if not isinstance(one, ButtonBehavior | TextInput) or not one.opacity or one.disabled:
            continue
        if getattr(one, "act", one) is None:
            continue  # a text that looks like a button
        left, low = one.to_window(one.x, one.y)
        right, high = left + one.width, low + one.height
        above = one.parent
        while above is not None and above is not above.parent:
            if isinstance(above, ScrollView):  # what is scrolled out of sight cannot be touched
                x, y = above.to_window(above.x, above.y)
                left, right = max(left, x), min(right, x + above.width)
                low, high = max(low, y), min(high, y + above.height)
            above = above.parent
        if right > left and high > low:
            yield BoundingBox(left, high, right, low)


def in_one_line(line: Text) -> float:
    """The width of the text without line breaks."""
    free = MarkupLabel(text=line.text, font_size=line.font_size, bold=line.bold)
    return float(free.render()[0])
