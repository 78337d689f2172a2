"""Keeps the widgets under a finger in place until the finger is lifted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.uix.widget import Widget


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
        """After the button below has had its touch-up, rebuild what waited for it."""
        if touch.grab_current is not self:
            return super().on_touch_up(touch)
        touch.ungrab(self)
        self._fingers -= 1
        if not self._fingers and self._postponed is not None:
            Clock.schedule_once(self._catch_up, 0)
        return True

    def _catch_up(self, *_: Any) -> None:
        if self._postponed is not None:
            self.rebuild(self._postponed)
