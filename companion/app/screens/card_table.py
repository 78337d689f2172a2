"""The table of a game of cards: every player with what lies before them, and between them the
contest of two. Two players face each other; more sit round the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp

from companion.app.render.theme import THEME
from companion.app.screens.facing_table import facing_table
from companion.app.screens.laid_cards import LaidCards
from companion.app.screens.round_table import round_table
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.controls import Rows
from companion.engine.snapshot import Snapshot

FACING_DP = 600
"""From this width on two players face each other."""


class CardTableView(LaidCards):
    """The table, laid out anew for every step.

    Where not all cards have room, players who neither decide nor fight show only their numbers.
    """

    def __init__(self, tap: Callable[[str], Any], choose: Callable[[str], Any]) -> None:
        super().__init__(tap, choose)
        self.rows = Rows()
        self.add_widget(self.rows)
        self._form: EntryForm | None = None
        self._seen: object = None
        self._settled = Clock.create_trigger(self._lay_out, 0)
        """In the next frame: the result under the table takes its height in this one."""
        self.bind(size=lambda *_: self.show(self._snapshot))

    def show(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot."""
        self._snapshot = snapshot
        if snapshot.view is not None:
            self._settled()

    def _lay_out(self, _: float) -> None:
        snapshot = self._snapshot
        if snapshot.view is None:
            return
        key = (
            snapshot.path, snapshot.step, snapshot.seats, *self.size, self.opened,
            self._spread, self.spread_host, THEME.palette, THEME.text,
        )  # fmt: skip
        if key == self._seen:
            self.mark(self._form)
            return
        self._seen = key
        self.rebuild(self._build)

    def mark(self, form: EntryForm | None) -> None:
        """Outline the selected card and those chosen in a form."""
        self._form = form
        chosen = form.filled.chosen() if form is not None else set()
        for one in self.cards:
            picked = one.card.id in chosen or one.card.id == self._snapshot.chosen
            if one.chosen != (picked or one.card.marked):
                one.outline(picked or one.card.marked)

    # -- building ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.begin()
        wide, high = float(self.width) - dp(8), float(self.height) - THEME.gap()
        if wide < dp(120) or high < dp(80):
            return
        self.brief = False
        facing = len(self.table.seats) == 2 and wide >= dp(FACING_DP) * THEME.text
        sheet = facing_table(self, wide, high) if facing else round_table(self, wide, high)
        self.rows.fill([sheet])
        self.mark(self._form)
