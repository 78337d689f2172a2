"""A modal over the screen until it is closed: a form, a list, a card, or a running task with
progress.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton
from companion.engine.app_words import _
from companion.engine.threads import BackgroundTask, Running


class Modal(AnchorLayout):
    """A card over a darkened screen; a tap outside it, or its cross, closes it. `foot` stays in
    sight under rows that scroll."""

    covers = True
    """No touch goes through it."""

    def __init__(self, title: str, widgets: Sequence[Widget], close: Callable[[], Any]) -> None:
        super().__init__(padding=THEME.gap("wide"))
        self._close = close
        with self.canvas.before:
            Color(0, 0, 0, 0.62)
            self._shade = Rectangle()
        self.bind(pos=self._place, size=self._place)
        # Created with a size hint so that its height is not bound to its content: a list has no
        # height.
        self.card = CardBox("panel", rim="line", size_hint_x=None, size_hint_y=1)
        self.card.size_hint_y = None
        head = BoxLayout(size_hint_y=None, height=THEME.target, spacing=THEME.gap("small"))
        self.title = Text(title, "large", bold=True)  # a question may need several lines
        self.title.bind(height=lambda _, high: setattr(head, "height", max(high, THEME.target)))
        self.title.pos_hint = {"center_y": 0.5}
        self.head = head
        head.add_widget(self.title)
        cross = TouchButton("✕", close, "bare", name="close")
        cross.size_hint = (None, None)
        cross.size = (THEME.target, THEME.target)
        head.add_widget(cross)
        self.rows = Rows()
        self.rows.fill(widgets)
        self.card.add_widget(head)
        self.card.add_widget(self.rows)
        self.foot = BoxLayout(orientation="vertical", size_hint_y=None, height=0)
        self.foot.bind(minimum_height=self.foot.setter("height"), height=self._place)
        self.card.add_widget(self.foot)
        self.rows.column.bind(height=self._place)
        head.bind(height=self._place)
        self.add_widget(self.card)

    def _place(self, *_: Any) -> None:
        self._shade.pos, self._shade.size = self.pos, self.size
        room = THEME.gap("wide") * 2
        self.card.width = min(dp(640), self.width - room)
        wanted = self.rows.column.height + self.foot.height + self.head.height
        wanted += 4 * THEME.gap() + THEME.gap("small")
        self.card.height = min(wanted, self.height - room)

    def on_touch_down(self, touch: Any) -> bool:
        """Keep touches from the widgets below the modal."""
        if not self.card.collide_point(*touch.pos):
            self._close()
            return True
        super().on_touch_down(touch)
        return True


def closing(text: str, close: Callable[[], Any]) -> TouchButton:
    return TouchButton(text or _("Close"), close, "quiet", name="close-below")


LOOK_S = 1 / 20


class Gauge(Widget):
    """A progress bar."""

    def __init__(self, share: float = 0.0, role: str = "accent", **more: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(10), **more)
        self.share = share
        with self.canvas:
            Color(*THEME.colour("raised"))
            self._ground = RoundedRectangle(radius=[dp(5)])
            self._shade = Color(*THEME.colour(role))
            self._full = RoundedRectangle(radius=[dp(5)])
        self.bind(pos=self._place, size=self._place)

    def set_share(self, share: float, role: str = "accent") -> None:
        """Set the progress."""
        self.share = share
        # a rectangle without a size would be drawn in its last one
        self._shade.rgba = THEME.colour(role, 1.0 if share > 0 else 0.0)
        self._place()

    def _place(self, *_: Any) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        # A bar narrower than its corners would be drawn inside out.
        wide = max(self.width * self.share, dp(10)) if self.share > 0 else 0
        self._full.pos, self._full.size = self.pos, (wide, self.height)


class TaskModal(AnchorLayout):
    """Runs a task and shows its progress until it ends; only its button cancels it."""

    covers = True

    def __init__(self, task: BackgroundTask, over: Callable[[Running], object]) -> None:
        super().__init__(padding=THEME.gap("wide"))
        self.running, self._over = Running(task), over
        with self.canvas.before:
            Color(0, 0, 0, 0.62)
            self._shade = Rectangle()
        self.bind(pos=self._place, size=self._place)
        self.card = CardBox("panel", rim="line", pad="wide", size_hint_x=None)
        self.card.add_widget(Text(task.title, "large", bold=True))
        self.word = Text(_("one moment …"), colour="soft")
        self.card.add_widget(self.word)
        self.gauge = Gauge()
        self.card.add_widget(self.gauge)
        self.card.add_widget(Widget(size_hint_y=None, height=dp(4)))
        self.card.add_widget(TouchButton(_("Cancel"), self.cancel, "plain", name="task-cancel"))
        self.add_widget(self.card)
        self._clock = Clock.schedule_interval(self.look, LOOK_S)
        self.running.start()

    def look(self, *_: Any) -> None:
        """Show the progress; at the end close and pass the result on."""
        progress = self.running.progress
        if self.running.over:
            self._clock.cancel()
            self._over(self.running)
            return
        self.gauge.set_share(progress.share)
        if progress.word:
            self.word.set_text(f"{progress.word} · {progress.share:.0%}")

    def cancel(self) -> None:
        """Cancel the task; it ends at its next step."""
        self.running.cancel()
        self.word.set_text(_("stopping …"))

    def close(self) -> None:
        """Stop watching the task, because the app is closing."""
        self._clock.cancel()
        self.running.cancel()
        self.running.join(5.0)

    def _place(self, *_: Any) -> None:
        self._shade.pos, self._shade.size = self.pos, self.size
        self.card.width = min(dp(520), self.width - 2 * THEME.gap("wide"))

    def on_touch_down(self, touch: Any) -> bool:
        """Keep touches from the widgets below the modal."""
        super().on_touch_down(touch)
        return True
