"""Action windows: players act or pass in turn until all have passed one after another.

>>> window = ActionWindow("AW", "a")
>>> order = ("a", "b", "c")
>>> window = window.passed(order).acted(order)      # a passes, b acts
>>> window.holder, window.passes
('c', 0)
>>> window.passed(order).passed(order).passed(order).is_closed(order)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class ActionWindow:
    """An open window: who has the opportunity, and how many passed in a row.

    `order` is the order of the players who are still in the game.
    """

    id: str
    holder: str
    passes: int = 0

    def following(self, order: Sequence[str]) -> str:
        """The player after the holder."""
        return order[(order.index(self.holder) + 1) % len(order)]

    def acted(self, order: Sequence[str]) -> ActionWindow:
        """The holder acted: everybody gets the opportunity again."""
        return replace(self, holder=self.following(order), passes=0)

    def passed(self, order: Sequence[str]) -> ActionWindow:
        return replace(self, holder=self.following(order), passes=self.passes + 1)

    def is_closed(self, order: Sequence[str]) -> bool:
        """Whether all players passed one after another."""
        return self.passes >= len(order)

    def without(self, player: str, order: Sequence[str]) -> ActionWindow:
        """The window after a player left; `order` still has that player.

        >>> window = ActionWindow("AW", "a").passed(("a", "b", "c")).passed(("a", "b", "c"))
        >>> window.without("a", ("a", "b", "c"))  # b passed, and c is still to be asked
        ActionWindow(id='AW', holder='c', passes=1)
        """
        if self.holder == player:
            return replace(self, holder=self.following(order))
        before = (order.index(self.holder) - order.index(player)) % len(order)
        return replace(self, passes=self.passes - (before <= self.passes))
