"""The one card of a screen that shows what to do now, as a frozen record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.engine.turn.turn_records import (
    ChoiceView,
    GuideView,
    OfferView,
    PieceLine,
    PromptView,
    RefusedView,
)

CardKind = Literal[
    "camera",
    "astray",
    "moves",
    "due-move",
    "cell-move",
    "camera-question",
    "proposal",
    "roll",
    "won",
    "piece",
    "prompt",
    "nothing",
]

UNCALLED: tuple[CardKind, ...] = (
    "camera",
    "astray",
    "moves",
    "cell-move",
    "camera-question",
    "proposal",
)
"""Cards that come by themselves, because of the camera, a hand on the table or another
screen."""


@dataclass(frozen=True, slots=True)
class PromptLine:
    """A prompt that waits behind the one that is shown."""

    id: str
    title: str
    text: str = ""
    """Who decides and what, where it is another player than the one who is asked now."""


@dataclass(frozen=True, slots=True)
class CardView:
    """The one thing to do now, for a screen with room for a single card.

    `prompt` is what is asked, whatever asks it: the game, dice of an offer, a camera, the end. A
    selected piece has its own card: its lines, what it may do and why not the rest.
    """

    kind: CardKind = "nothing"
    prompt: PromptView = PromptView("", "", ())
    seat: str = ""
    """The player whom it concerns."""
    moves: tuple[PromptView, ...] = ()
    """Moves that wait besides."""
    due: tuple[ChoiceView, ...] = ()
    """Decided moves whose trays may be moved while dice are entered."""
    best: tuple[OfferView, ...] = ()
    """The best that pieces may do, while none is selected."""
    behind: tuple[PromptLine, ...] = ()
    piece: PieceLine | None = None
    offers: tuple[OfferView, ...] = ()
    picked: OfferView | None = None
    """The offer that the button carries out."""
    refused: tuple[RefusedView, ...] = ()
    choices: tuple[ChoiceView, ...] = ()
    """What the prompt offers to the selected piece, besides its offers."""
    ends: ChoiceView | None = None
    """What the golden button does beside any piece: it ends the turn, whatever is selected."""
    does: str = ""
    """The handle of the choice that the button at the foot does, as its row shows."""
    gold: str = ""
    """The handle of the one golden button, the useful next step; none: ""."""
    correctable: bool = False
    guide: GuideView | None = None
    """In a guided turn: what to tap now."""

    @property
    def uncalled(self) -> bool:
        """Whether it comes by itself: a finger may be on its way to what lay there before."""
        return self.kind in UNCALLED

    @property
    def subject(self) -> object:
        """What it is about: one that comes by itself asks something else as soon as its piece or
        its answers are others."""
        if not self.uncalled:
            return self.kind
        answers = tuple((one.name, one.text) for one in self.prompt.choices)
        return self.kind, self.prompt.id, answers

    def by_itself(self, before: CardView, touched: bool) -> bool:
        """Whether it comes in place of another one that no tap has changed: nobody calls one that a
        camera shows, and it goes by itself where nobody has `touched` it."""
        if before.subject == self.subject:
            return False
        comes = self.uncalled and not before.uncalled
        return comes or (self.uncalled or before.uncalled) and not touched
