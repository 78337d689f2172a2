"""The turn as a page or a sheet beside it sees it: what it offers is sent at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.app.context import AppContext
from companion.engine.app_words import _
from companion.engine.turn.handles import LookTap
from companion.engine.turn.turn_screen import STALE, TurnScreen
from companion.games.api.play import Plain


class PageTurn(TurnScreen):
    """Sends what is tapped on a page, or on a sheet over it, which that closes."""

    def __init__(self, app: AppContext) -> None:
        super().__init__()
        self.app = app
        self.sent = False
        """Whether something of this page was sent since somebody looked."""
        self.app_rolls = True
        """A page asks for no dice: the game rolls them."""
        self.see(app.service.snapshot)

    def words(self, text: str) -> str:
        """A text in the app's language."""
        return _(text)

    def send(self, commands: Sequence[Plain]) -> None:
        """Send commands; taps do nothing until the game has answered."""
        self.handles.sleep()
        self.sent = True
        if self.app.sheet is not None:
            self.app.close_sheet()
        self.app.service.do(*commands)

    def select(self, piece: str | None) -> None:
        """Select a piece."""
        self.app.service.choose(piece)

    def look(self, tap: LookTap) -> None:
        """Show one player what only that player may see."""
        self.app.look_alone(tap)

    def act(self, tap: str, **given: Any) -> None:
        """A tap on something that the page offers."""
        refusal = self.tap({"tap": tap, **given})
        if refusal is not None and refusal is not STALE:
            self.app.toast(_(refusal.say))
