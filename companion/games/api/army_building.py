"""The interface of a game whose armies can be built card by card.

A game's object `PLAY` implements it in addition to `companion/games/api/play.py`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from companion.games.api.play import Plain, Refusal
from models.field import Field
from models.message import say
from models.unit import Unit


class ArmyList(Protocol):
    """An army as its game keeps it: a frozen record of the game's own, comparable with ==."""

    @property
    def game(self) -> str: ...

    @property
    def faction(self) -> str: ...

    @property
    def points(self) -> int:
        """The size it is built for."""

    @property
    def units(self) -> Sequence[object]:
        """What will stand on the table."""

    def to_json(self) -> Plain:
        """The army as a JSON object; `saved_army` reads it back."""


@runtime_checkable
class ArmyReader(Protocol):
    """A game that can read, check and write army lists."""

    @property
    def army_forms(self) -> tuple[str, ...]:
        """The formats in which a list can be written."""

    def read_army(self, game: str, text: str, points: int | None = None) -> ArmyList:
        """Read an army from a list in any format."""

    def army_problems(self, army: ArmyList, mates: Sequence[ArmyList] = ()) -> Sequence[Refusal]:
        """Every rule the army breaks, by itself or beside those of the `mates` in its team."""

    def army_notes(self, army: ArmyList, text: str) -> Sequence[str]:
        """Further remarks for the players on the army read from that list."""

    def write_army(self, army: ArmyList, form: str) -> str:
        """The army in that format."""


@runtime_checkable
class DeckReader(ArmyReader, Protocol):
    """A reader that reads what it can, and whose lists are checked by what players agreed on."""

    def army_unread(self, army: ArmyList) -> Sequence[str | UncertainLine]:
        """The lines that could not be read, each with its place and what comes near."""

    def army_agreed(self, army: ArmyList, agreed: Mapping[str, str]) -> ArmyList:
        """The army under further rules, by name and value."""


@dataclass(frozen=True, slots=True)
class UncertainLine:
    """A line of a list that names no card for certain, and what may be put in its place."""

    number: int
    text: str
    """The words of the line that were not read."""
    why: str
    puts: tuple[tuple[str, str], ...] = ()
    """The names of the nearest cards, each with the words to put instead."""

    def __str__(self) -> str:
        return say("line {number}: {error}", number=self.number, error=self.why)

    def mended(self, listed: str, put: str) -> str:
        """The list with other words there."""
        lines = listed.splitlines()
        line = " ".join(unicodedata.normalize("NFKC", lines[self.number - 1]).split())
        lines[self.number - 1] = line.replace(self.text, put, 1)
        return "\n".join(lines)


Kind = Literal["unit", "attachment", "aside"]
"""What a card is: a unit on the table, an attachment that joins one, or a unit beside the table."""


@dataclass(frozen=True, slots=True)
class ArmyCandidate:
    """A card that an army could take: its statistics in short, and why it may not be taken, if so.

    `places` are the indices of the units in the list that an attachment may join.
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
    """A card in an army; `place` is the index of its unit, or of the card beside the table."""

    id: str
    label: str
    kind: Kind
    cost: int | None
    place: int
    note: str = ""
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value missing from the catalogue: of a card, or of the whole army if no card is named.

    It is one of the `numbers`, or one of the army's own `cards`.
    """

    card: str
    label: str
    what: str
    question: str = field(default="", compare=False)
    numbers: tuple[int, ...] = field(default=(), compare=False)
    cards: tuple[str, ...] = field(default=(), compare=False)


@runtime_checkable
class ArmyBuilder(Protocol):
    """A game whose armies are built from its catalogue."""

    def sizes(self, game: str) -> Sequence[int]:
        """The usual army sizes in points, most common first."""
        ...

    def factions(self, game: str) -> Sequence[tuple[str, str]]:
        """The factions: the id used in army lists, and the name players know."""
        ...

    def seasons(self, game: str) -> Sequence[str]:
        """The seasons of the game's cards, the usual one first; none where there is only one."""
        ...

    def season_of(self, army: ArmyList) -> str:
        """The season of an army's cards."""
        ...

    def in_season(self, army: ArmyList, season: str, named: bool = True) -> ArmyList:
        """The army with the cards of that season; without `named` only if its list named none."""
        ...

    def ready_armies(self, game: str, points: int) -> Sequence[tuple[str, str]]:
        """Armies to begin with, that fit into so many points: what each is called, and its list."""
        ...

    def names_cards(self, game: str) -> bool:
        """Whether the catalogue names the game's cards of the hand, so that they can be dealt."""
        ...

    def new_army(self, game: str, faction: str, points: int) -> ArmyList:
        """An army without a card."""
        ...

    def saved_army(self, field: Field) -> ArmyList:
        """An army from the JSON object that `plain` wrote."""
        ...

    def resized(self, army: ArmyList, points: int) -> ArmyList:
        """The army built for another size."""
        ...

    def army_cost(self, army: ArmyList) -> int | None:
        """The points spent; None where nobody has told what the cards cost."""
        ...

    def enlisted(self, army: ArmyList) -> Sequence[ArmyMember]:
        """The cards of the army, each attachment after its unit."""
        ...

    def recruits(self, army: ArmyList) -> Sequence[ArmyCandidate]:
        """Every card the faction may take, with what forbids it now."""
        ...

    def recruit(self, army: ArmyList, card: str, place: int | None = None) -> ArmyList:
        """The army with one card added; an attachment joins the unit at that index."""
        ...

    def dismiss(self, army: ArmyList, line: ArmyMember) -> ArmyList:
        """The army without that card; removing a unit also removes its attachments."""
        ...

    def army_unknowns(self, army: ArmyList) -> Sequence[Unknown]:
        """The values to ask the players for, because they are missing from the catalogue."""
        ...

    def army_unchecked(self, army: ArmyList) -> Sequence[str]:
        """What of the army cannot be checked, because a value is missing; each as a sentence."""
        ...

    def question_answered(self, army: ArmyList, line: ArmyMember) -> Unknown | None:
        """The question that players answered with this card, where another may be the answer."""
        ...

    def army_answered(self, army: ArmyList, asked: Unknown, answer: int | str) -> ArmyList:
        """The army with such a value filled in: a number, or the card that is the commander."""
        ...

    def fielded(self, game: str, setup: Plain) -> tuple[Unit, ...]:
        """The units of a prepared set-up, with the ids the game will use, not yet placed."""
        ...
