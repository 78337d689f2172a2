"""Offers: what a piece, a card or a player may do now, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.api.play import Plain
from companion.games.api.prompt import DiceRequest
from companion.games.api.target_cell import TargetCell

Verdict = Literal["yes", "no", "unsure"]


@dataclass(frozen=True, slots=True)
class ActionOffer:
    """An action: its button, its verdict and odds, and the commands that do it.

    `kind` chooses the icon. The game sorts its offers, the best first; those that are not legal
    come last, with the rule and the reason. `reason` also says what an `unsure` verdict rests on.
    """

    kind: str
    text: str
    commands: tuple[Plain, ...] = ()
    piece: str = ""
    target: str = ""
    """The other piece it concerns, highlighted on the table."""
    cells: tuple[TargetCell, ...] = ()
    """The cells at which it may be aimed: tapping one sends its commands. If the players must
    choose one, `commands` is empty; else `commands` is what the game proposes."""
    verdict: Verdict = "yes"
    odds: str = ""
    """Short, at the right edge of the button: "67 %"."""
    detail: str = ""
    expected: str = ""
    dice: DiceRequest | None = None
    """Dice that the last of its commands rolls; `dice.command` is that command."""
    rules: tuple[str, ...] = ()
    reason: str = ""
    value: float = 0.0
    """What the offer is worth compared with the others of its list: the overview draws the best."""

    @property
    def possible(self) -> bool:
        """Whether it may be done now: by its button, or by tapping a cell."""
        return self.verdict != "no" and bool(self.commands or self.cells)

    def at(self, cell: tuple[int, int]) -> TargetCell | None:
        """What a tap on a cell does."""
        return next((one for one in self.cells if one.cell == cell), None)
