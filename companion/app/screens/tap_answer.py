"""Answers a tap on a unit at once: its prefetched overlay, or its outline until one is drawn."""

from __future__ import annotations

import time
from typing import Protocol

from kivy.clock import Clock

from companion.app.context import AppContext
from companion.app.render.table_view import TableView
from companion.engine.snapshot import Snapshot
from companion.overlay.footprints import outlines

MARK_S = 0.12
"""The selected tray is outlined if its overlay takes longer than this to draw."""
PATIENCE_S = 0.5
"""The longest time for which frames are skipped while a tap without a prefetched overlay waits."""


class TappedScreen(Protocol):
    """The table screen as a tap sees it."""

    app: AppContext
    snapshot: Snapshot

    @property
    def panes(self) -> list[TableView]:
        """The views that show the answer."""


class TapAnswer:
    """The unit tapped last, and until when its overlay is waited for."""

    def __init__(self, screen: TappedScreen) -> None:
        self.screen = screen
        self._unit: str | None = None
        self._until_s = 0.0

    @property
    def waiting(self) -> bool:
        """Whether frames are skipped so that the overlay comes sooner."""
        return time.monotonic() < self._until_s

    def drawn(self, unit: str | None) -> None:
        """The overlay of a unit is there."""
        if unit == self._unit:
            self._until_s = 0.0

    def choose(self, unit: str | None) -> None:
        """Select a unit, showing its prefetched overlay at once if there is one."""
        service = self.screen.app.service
        if self.screen.snapshot.gridded is not None:  # a board is drawn at once
            service.choose(unit)
            return
        answered = [pane.answer(service.prefetched(unit)) for pane in self.screen.panes]
        if all(answered):
            # Draw the frame with the overlay first; the rest would only delay it.
            self._until_s = 0.0
            Clock.schedule_once(lambda _: service.choose(unit), 0)
        else:
            now = time.monotonic()
            self._unit, self._until_s = unit, now + PATIENCE_S
            service.choose(unit)
            self.mark(unit, now + MARK_S)

    def mark(self, unit: str | None, due_s: float) -> None:
        """Outline the tapped tray if its overlay is not there by this time."""
        if time.monotonic() < due_s:
            # Kivy counts a delay from its last frame, which may already be that old.
            Clock.schedule_once(lambda _: self.mark(unit, due_s), 0)
            return
        table = self.screen.snapshot.table
        if self._unit == unit and self._until_s and table is not None and unit in table:
            for pane in self.screen.panes:
                pane.mark(outlines(table)[str(unit)])
