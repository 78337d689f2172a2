"""What nobody foresaw on the screen's own thread: said and noted, and the game goes on."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from kivy.base import ExceptionHandler, ExceptionManager

from companion.app.engine.app_words import _

MOST, WITHIN_S = 5, 3.0
"""More mishaps than these in so short a time come from every frame: nobody could play on."""


class ErrorHandler(ExceptionHandler):
    """A button that fails must not close the app at the table; everything is on the disk anyway."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._times: deque[float] = deque(maxlen=MOST)

    def handle_exception(self, inst: BaseException) -> int:
        """Go on after an error; whoever wants to end the app may."""
        if not isinstance(inst, Exception):
            return int(ExceptionManager.RAISE)
        logging.getLogger(__name__).error("mishap", exc_info=inst)
        now = time.monotonic()
        if len(self._times) == MOST and now - self._times[0] < WITHIN_S:
            return int(ExceptionManager.RAISE)
        self._times.append(now)
        self._say(_("Something went wrong. The game is kept."))
        return int(ExceptionManager.PASS)
