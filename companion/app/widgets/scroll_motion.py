"""How a list goes on after the finger that dragged it: not far, nor where frames come slowly."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.effects.scroll import ScrollEffect
from kivy.metrics import dp

SLOW_S = 0.1
"""With longer frames the touches of one come at once: how fast the finger was is not known."""
FARTHEST = 2.5
"""A list goes on by at most this many lengths of the drag."""
STOPPED_DP = 20
"""A list that is slower, per second, has stopped for the eye."""


class ScrollMotion(ScrollEffect):
    """A list follows the finger and goes on a little; an effect that springs back would swallow
    taps while it moves."""

    began = 0.0

    def start(self, val: float, t: float | None = None) -> None:
        """A finger lies on the list, which stops."""
        super().start(val, t)
        self.began = val

    def stop(self, val: float, t: float | None = None) -> None:
        """The finger is lifted."""
        super().stop(val, t)
        glides = self.std_dt / self.friction  # the way of a list per speed, until it stands still
        most = FARTHEST * abs(val - self.began) / glides
        speed = float(getattr(self, "velocity", 0.0))
        self.velocity = max(-most, min(speed, most)) if Clock.frametime <= SLOW_S else 0.0

    def update_velocity(self, dt: float) -> Any:
        """Go on, unless the frames have become slow."""
        if dt > SLOW_S:
            self.velocity = 0.0
        return super().update_velocity(dt)

    @property
    def moving(self) -> bool:
        """Whether the list is seen to go on by itself."""
        return bool(abs(self.velocity) > dp(STOPPED_DP))
