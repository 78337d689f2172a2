"""The face of a game whose armies can be built card by card: what an army builder may ask.

A game's object `PLAY` shows it besides the face in `companion/games/api/play.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from companion.games.api.play import Plain, Refusal
from models import Army, Unit

Kind = Literal["unit", "attachment", "aside"]
"""What a card becomes: a unit of the table, something that joins one, or something beside it."""


@dataclass(frozen=True, slots=True)
class ArmyCandidate:
    """A card that an army could take: its numbers in a few words, and why it may not, if so.

    `places` are the units of the army that an attachment may join, by their place in the list.
    """

    id: str
    label: str
    kind: Kind
    faction: str
    cost: int | None
    note: str = ""
    leads: bool = False
    refusal: Refusal | None = None
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ArmyMember:
    """A card that an army has: `place` counts the units, or the cards beside the table."""

    id: str
    label: str
    kind: Kind
    cost: int | None
    place: int
    note: str = ""
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """What the catalogue does not tell of a card, or of the army where it names no card."""

    card: str
    label: str
    what: Literal["cost", "wounds", "commander"]


@runtime_checkable
class ArmyBuilder(Protocol):
    """A game whose armies are built from its catalogue."""

    def sizes(self, game: str) -> Sequence[int]:
        """The usual sizes of an army in points, the commonest first."""
        ...

    def factions(self, game: str) -> Sequence[tuple[str, str]]:
        """The factions: the word an army takes, and the name players know."""
        ...

    def army_cost(self, army: Army) -> int:
        """The points it has spent."""
        ...

    def enlisted(self, army: Army) -> Sequence[ArmyMember]:
        """Its cards, every attachment after its unit."""
        ...

    def recruits(self, army: Army) -> Sequence[ArmyCandidate]:
        """Every card its faction may take, with what would forbid it now."""
        ...

    def recruit(self, army: Army, card: str, place: int | None = None) -> Army:
        """The army with one card more; an attachment joins the unit at that place."""
        ...

    def dismiss(self, army: Army, line: ArmyMember) -> Army:
        """The army without that card; a unit takes its attachments along."""
        ...

    def army_unknowns(self, army: Army) -> Sequence[Unknown]:
        """What the players are asked because the catalogue does not tell it."""
        ...

    def army_answered(self, army: Army, asked: Unknown, answer: int | str) -> Army:
        """The army with an answer to such a question: a number, or the card that commands."""
        ...

    def fielded(self, game: str, setup: Plain) -> tuple[Unit, ...]:
        """The units of a prepared set-up, named as the game will name them, not yet placed."""
        ...
