"""Judges a tray's place while it is being dragged, on the worker thread, the newest place only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock

from companion.engine.app_service import AppService
from companion.engine.moves.move_notice import explained
from companion.engine.snapshot import Notice
from models import Pose

SOON_S = 0.1
"""The pause between two judgements, so that taps are still answered at once."""


class MoveJudge:
    """Asks for one judgement at a time; `answer` gets the newest on the screen's thread."""

    def __init__(self, service: AppService, answer: Callable[[Pose, Notice | None], Any]) -> None:
        self._service, self._answer_to = service, answer
        self._wanted: tuple[str, Pose] | None = None
        self._busy = False

    def judge(self, unit: str, pose: Pose) -> None:
        """Judge this place as soon as the one before is done."""
        self._wanted = (unit, pose)
        if not self._busy:
            self._busy = True
            Clock.schedule_once(self._ask, 0)

    def stop(self) -> None:
        """Forget the newest request."""
        self._wanted = None

    def _ask(self, *_: Any) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            self._busy = False
            return
        self._service.ask(lambda: self._judge(*wanted))

    def _judge(self, unit: str, pose: Pose) -> None:
        """Runs on the worker thread."""
        controller = self._service.controller
        snapshot = controller.snapshot
        found: Notice | None = None
        try:
            if snapshot.trays is not None and unit in snapshot.trays:
                found = explained(snapshot.trays, unit, pose, controller.game.readings(), snapshot)
        finally:
            Clock.schedule_once(lambda _: self._answer(pose, found), 0)

    def _answer(self, pose: Pose, found: Notice | None) -> None:
        self._answer_to(pose, found)
        Clock.schedule_once(self._ask, SOON_S)
