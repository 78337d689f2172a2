"""Outcomes: what just happened, in one sentence, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.prompt import Tone


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result line after a step: "Rolled 2: the charge fails." and "Move 7″ forward, then test
    panic."

    `big` marks what deserves a banner: a new round, a new turn, a winner.
    """

    text: str
    follows: str = ""
    tone: Tone = ""
    icon: str = ""
    seat: str = ""
    dice: tuple[int | str, ...] = ()
    big: bool = False
    undo: str = ""
    """What Undo calls the step, where the result is not what the players did."""
