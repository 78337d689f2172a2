"""The ruler: measures between two points of the table, or between two trays as the rules do."""

from __future__ import annotations

import math
from typing import Protocol

from companion.app.context import AppContext
from companion.app.render.table_view import TableView
from companion.engine.app_words import ruler
from companion.engine.snapshot import Snapshot
from companion.overlay.shapes import Point


class RulerScreen(Protocol):
    """What the ruler needs of the table screen."""

    app: AppContext
    snapshot: Snapshot

    @property
    def panes(self) -> list[TableView]:
        """The views that draw the ruler."""

    def called(self, piece: str) -> str:
        """The short name of a piece."""


class TableRuler:
    """Lies between two points, set by two taps or by a drag."""

    def __init__(self, screen: RulerScreen) -> None:
        self.screen = screen
        self.ends: tuple[Point, Point] | None = None

    def tap(self, point: Point) -> None:
        """Set one end, then the other."""
        if self.ends is None or self.ends[0] != self.ends[1]:
            self.lay(point, point)
        else:
            self.lay(self.ends[0], point)

    def drag(self, step: str, start: Point, here: Point) -> bool:
        """Lay the ruler along a drag; a drag never pans while measuring."""
        if step not in ("cancel", "down"):
            self.lay(start, here)
        return True

    def remove(self) -> None:
        """Remove the ruler."""
        self.ends = None
        for pane in self.screen.panes:
            pane.measure(None)

    def lay(self, start: Point, end: Point) -> None:
        """Place the ruler between two points."""
        self.ends = (start, end)
        for pane in self.screen.panes:
            pane.measure(self.ends, self.length(start, end) if start != end else "")

    def length(self, start: Point, end: Point) -> str:
        """The ruler's text; between trays, their distance as the rules measure it."""
        screen = self.screen
        first, second = screen.app.service.unit_at(start), screen.app.service.unit_at(end)
        if first and second and first != second:
            gap = screen.snapshot.answers.get(first, {}).get("gap", {}).get(second)
            if gap is not None:
                return f"{screen.called(first)} – {screen.called(second)}: {ruler().length(gap)}"
        return ruler().length(math.dist(start, end))
