"""The dock under the card: the pieces, the game's own pages, and the score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.theme import THEME
from companion.app.widgets.icon import IconButton, icon_of, small_words
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.games.api.screen_views import Page

MOST_PAGES = 4
DOCK_DP = 56


ROSTER_ICON = "armies"


def of_pieces(snapshot: Snapshot, page: Page) -> bool:
    """Whether a page of the game lists pieces of the table and nothing else, as the roster does."""
    if snapshot.table is None:
        return False
    cards = [card for section in page.sections for card in section.cards]
    return bool(cards) and all(card.piece for card in cards)


def roster_title(snapshot: Snapshot) -> str:
    """What the game calls its pieces together: the title of its own page of them, if it has one."""
    own = next((one.title for one in snapshot.pages if of_pieces(snapshot, one)), "")
    return _(own) if own else _("Armies") if snapshot.tabled else _("Cards")


class Dock(BoxLayout):
    """A button for each page; `go` gets the page's place."""

    def __init__(self, go: Callable[[str], Any]) -> None:
        super().__init__(spacing=THEME.gap("tiny"), size_hint_y=None, height=dp(DOCK_DP))
        self.go = go
        self._shown: object = None

    def show(self, snapshot: Snapshot) -> None:
        """Show the pages of the newest snapshot."""
        pages = tuple(
            (one.id, one.title, one.badge, one.icon)
            for one in snapshot.pages[:MOST_PAGES]
            if not of_pieces(snapshot, one)
        )
        # without a table the rows show every piece
        roster = roster_title(snapshot) if snapshot.pieces and snapshot.tabled else ""
        key = (pages, roster, snapshot.score is not None, small_words())
        if key == self._shown:
            return
        self._shown = key
        self.clear_widgets()
        if roster:
            self.add_button(ROSTER_ICON, roster, "roster")
        for page, title, badge, icon in pages:
            self.add_button(
                icon_of(icon) or "cards", f"{_(title)} {_(badge)}".strip(), f"page:{page}"
            )
        if snapshot.score is not None:
            self.add_button("score", _("Score"), "score")

    def add_button(self, icon: str, text: str, place: str) -> None:
        press = IconButton(
            icon, text, partial(self.go, place), words=small_words(), name=f"dock:{place}"
        )
        press.size_hint = (1, 1)
        self.add_widget(press)
