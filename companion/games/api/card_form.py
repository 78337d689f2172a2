"""Cards that the players enter in a form and keep as files of their own.

The `card_forms` of a game's `SCREEN` are such an object, usually a module. A form is a list of
field records; its values are an object of plain values under the fields' names. The rows of a field
of kind "rows" are a list of such objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from companion.games.api.play import Plain

FormFieldKind = Literal["text", "number", "option", "flag", "rows"]


@dataclass(frozen=True, slots=True)
class FormField:
    """One value of a form: a text, a number, one of several options, yes or no, or rows of values.

    A field that is not required may stay empty: the game asks for it when it needs it. `suggest`
    are texts that players may tap instead of typing.
    """

    name: str
    text: str
    kind: FormFieldKind = "text"
    required: bool = False
    least: int = 0
    most: int = 99
    options: tuple[tuple[str, str], ...] = ()
    fields: tuple[FormField, ...] = ()
    suggest: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True, slots=True)
class CardForm:
    """A kind of card that players enter."""

    kind: str
    title: str
    fields: tuple[FormField, ...]


@dataclass(frozen=True, slots=True)
class FormCard:
    """A card in the list of cards; `missing` are the names of values that nobody entered yet."""

    id: str
    name: str
    group: str = ""
    detail: str = ""
    own: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormProblem:
    """What is wrong with a value, or a question about it.

    `field` is its path: "will", "attacks[0].dice". If it does not stop, the card may be kept as it
    is.
    """

    text: str
    field: str = ""
    stops: bool = True


@dataclass(frozen=True, slots=True)
class ImportedCards:
    """The names of the cards that a file held, and of those that replaced another one."""

    names: tuple[str, ...]
    replaced: tuple[str, ...] = ()


class NamedCard(Protocol):
    """A card with a name."""

    @property
    def name(self) -> str: ...


def imported_cards(
    cards: Mapping[str, NamedCard], before: Mapping[str, NamedCard]
) -> ImportedCards:
    """What is said of imported cards, given the cards that there were before."""
    changed = [
        before[card].name for card in cards if card in before and before[card] != cards[card]
    ]
    return ImportedCards(tuple(one.name for one in cards.values()), tuple(changed))


class CardForms(Protocol):
    """A game whose cards the players may enter. What cannot be read raises CompanionError."""

    def forms(self) -> Sequence[CardForm]:
        """The kinds of cards that may be entered."""
        ...

    def form_cards(self, kind: str) -> Sequence[FormCard]:
        """Every card of a kind, the players' own and the shipped ones."""
        ...

    def form_values(self, kind: str, card: str) -> Plain:
        """The values of a card, to change them."""
        ...

    def form_problems(self, kind: str, values: Plain) -> Sequence[FormProblem]:
        """What is wrong or missing, the most urgent first."""
        ...

    def save_form(self, kind: str, values: Plain) -> str:
        """Keep a card in the players' folder; returns its id."""
        ...

    def remove_form(self, kind: str, card: str) -> bool:
        """Delete a card of the players' own; whether there was one."""
        ...

    def export_forms(self, kind: str, cards: Sequence[str]) -> str:
        """Cards as the text of one file, to share them."""
        ...

    def import_forms(self, text: str, source: str) -> ImportedCards:
        """Keep every card of such a file; nothing if one of them is wrong."""
        ...
