"""Where a touch began: kept, though the finger has moved on before the first frame saw it."""

from __future__ import annotations

from kivy.input.motionevent import MotionEvent


class NeverSet:
    """A value that kivy sets and that stays false."""

    def __get__(self, _touch: object, _kind: type) -> bool:
        return False

    def __set__(self, _touch: object, _value: bool) -> None:
        """It stays as it is."""


def keep_origin() -> None:
    """Let kivy leave the beginning of a touch where it was.

    While a slow frame is made, all that a mouse does waits; kivy then takes the place where the
    drag ended for the one where it began, and a drag becomes a tap.
    """
    MotionEvent.sync_with_dispatch = NeverSet()
