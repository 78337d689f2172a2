"""Keeps the widgets under a finger in place until the finger is lifted."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.widget import Widget

LONGEST_S = 0.5
"""A touch that a widget keeps for longer delays nothing any more."""


class TouchGuard(Widget):
    """A mixin for layouts whose widgets are rebuilt: never between touch-down and touch-up.

    A button that is replaced while a finger is on it, even by an equal one, loses the tap.
    """

    _fingers = 0
    _postponed: Callable[[], Any] | None = None

    def rebuild(self, build: Callable[[], Any]) -> None:
        """Call `build` now, or after the last finger is lifted; only the newest one counts."""
        if self._fingers:
            self._postponed = build
        else:
            self._postponed = None
            build()

    def on_touch_down(self, touch: Any) -> Any:
        """Count the fingers on it."""
        if self.collide_point(*touch.pos):
            self._fingers += 1
            touch.grab(self)  # another widget may take the touch-up
        return super().on_touch_down(touch)

    def on_touch_move(self, touch: Any) -> Any:
        return touch.grab_current is self or super().on_touch_move(touch)

    def on_touch_up(self, touch: Any) -> Any:
        """The finger counts as lifted when the button below has had its touch-up."""
        if touch.grab_current is not self:
            return super().on_touch_up(touch)
        touch.ungrab(self)
        Clock.schedule_once(partial(self._lift, touch, time.monotonic() + LONGEST_S), 0)
        return True

    def _lift(self, touch: Any, end: float, *_: Any) -> None:
        # A scrolling list passes a short tap on after a while: its button holds the touch so long.
        if touch.grab_list and time.monotonic() < end:
            Clock.schedule_once(partial(self._lift, touch, end), 0)
            return
        self._fingers -= 1
        if not self._fingers and self._postponed is not None:
            self.rebuild(self._postponed)
