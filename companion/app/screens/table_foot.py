"""Upright, the lowest row of the screen: the tools and the pages of the game beside each other."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.theme import TARGET_DP
from companion.app.turn.dock import DOCK_DP, Dock
from companion.app.widgets.icon import small_words
from companion.app.widgets.toolbar import MOST_KEYS, ToolRail

GAP_DP, AROUND_DP = 4, 6
MOST_PAGES = 6
"""So many keys a dock has at most."""


class TableFoot(BoxLayout):
    """Holds the dock, and the tools where all their keys have room; all keys are equally wide."""

    def __init__(self, tools: ToolRail, dock: Dock) -> None:
        around = dp(AROUND_DP)
        super().__init__(size_hint_y=None, spacing=dp(GAP_DP), padding=(around, 0, around, around))
        self.tools, self.dock = tools, dock
        for one in (tools, dock):
            one.bind(children=self.share)

    @property
    def high(self) -> float:
        """The height that it has."""
        return float(dp((DOCK_DP if small_words() else TARGET_DP) + AROUND_DP))

    def fits(self, wide: float) -> bool:
        """Whether the tools have room beside the pages in this width."""
        keys = MOST_KEYS + MOST_PAGES
        return bool(wide >= dp(keys * (TARGET_DP + GAP_DP) - GAP_DP + 2 * AROUND_DP))

    def share(self, *_: Any) -> None:
        """Give each key the same width, whatever holds it."""
        for one in self.children:
            one.size_hint, one.padding = (len(one.children), 1), 0
            one.spacing = self.spacing
