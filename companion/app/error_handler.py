"""Handles unexpected exceptions on the screen thread: log them, show a toast, carry on."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from kivy.base import ExceptionHandler, ExceptionManager

from companion.engine.app_words import _

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
        logging.getLogger(__name__).error("mishap", exc_info=inst)
        now = time.monotonic()
        if len(self._times) == MOST and now - self._times[0] < WITHIN_S:
            return int(ExceptionManager.RAISE)
        self._times.append(now)
        self._say(_("Something went wrong. The game is kept."))
        return int(ExceptionManager.PASS)
