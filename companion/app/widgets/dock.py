"""The dock under the card: the pieces, the game's own pages, and the score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.engine.app_words import _
from companion.app.engine.snapshot import Snapshot
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import TouchButton

MOST_PAGES = 4


class Dock(BoxLayout):
    """A button for each page; `go` gets the page's place."""

    def __init__(self, go: Callable[[str], Any]) -> None:
        super().__init__(spacing=SKIN.gap("tiny"), size_hint_y=None, height=dp(56))
        self.go = go
        self._shown: object = None

    def show(self, snapshot: Snapshot) -> None:
        """Show the pages of the newest snapshot."""
        pages = tuple((one.id, one.title, one.badge) for one in snapshot.pages[:MOST_PAGES])
        key = (pages, bool(snapshot.pieces), snapshot.score is not None)
        if key == self._shown:
            return
        self._shown = key
        self.clear_widgets()
        if snapshot.pieces:
            self.put(_("Armies"), "roster")
        for page, title, badge in pages:
            self.put(f"{_(title)} {_(badge)}".strip(), f"page:{page}")
        if snapshot.score is not None:
            self.put(_("Score"), "score")

    def put(self, text: str, place: str) -> None:
        """Add a button."""
        press = TouchButton(
            text, partial(self.go, place), "quiet", size="small", name=f"dock:{place}"
        )
        press.size_hint, press.padding = (1, 1), (dp(3), dp(3))
        self.add_widget(press)
