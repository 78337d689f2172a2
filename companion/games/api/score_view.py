"""The score by seat, with its goal and its reasons."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.prompt import Choice


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One reason for points: "the left objective, held by Umber Greataxes"."""

    seat: str
    text: str
    points: int
    piece: str = ""
    sure: bool = True
    choices: tuple[Choice, ...] = ()
    """What players can do about it: confirm, correct, deny."""


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat's points, and what wins the game."""

    seat: str
    points: int
    goal: int | None = None
    unit: str = ""
    """What is counted: "VP", "power"."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The score page: points by seat, and the lines to confirm now, if any."""

    seats: tuple[SeatScore, ...]
    lines: tuple[ScoreLine, ...] = ()
    confirm: Choice | None = None
    """The button that takes all lines as they stand."""
    winner: str = ""
    """A seat, or "draw"."""
    how: str = ""
