"""Cards that the players enter in a form and keep as files of their own.

The `card_forms` of a game's `SCREEN` are such an object, usually a module. A form is a list of
field records; its values are an object of plain values under the fields' names. The rows of a field
of kind "rows" are a list of such objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from companion.games.api.play import Plain
from models.message import NOTHING, say
from models.record_reader import ValueKind, ValueLimits, value_of


@dataclass(frozen=True, slots=True)
class FormField:
    """One value of a form: a text, a number, one of several options, yes or no, rows of values, or
    a photo (a JPEG file as text in base 64).

    A field that is not required may stay empty: the game asks for it when it needs it. `suggest`
    are texts that players may tap instead of typing.
    """

    name: str
    text: str
    kind: ValueKind | Literal["photo"] = "text"
    required: bool = False
    least: int = 0
    most: int = 99
    options: tuple[tuple[str, str], ...] = ()
    fields: tuple[FormField, ...] = ()
    suggest: tuple[str, ...] = ()
    help: str = ""
    shown_if: tuple[str, tuple[str | bool, ...]] = ("", ())
    """A field beside it and the values with which this one is shown; else it always is."""
    offered_if: tuple[str, Mapping[str, str]] = ("", NOTHING)
    """A field beside it and with which of its values an option is offered; else it always is."""

    def visible(self, values: Mapping[str, Any]) -> bool:
        """Whether it is shown beside these values; what was entered always is."""
        name, needed = self.shown_if
        return not name or values.get(name) in needed or bool(values.get(self.name))

    def offered(self, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The options that go with these values, and the one that was chosen."""
        name, needed = self.offered_if
        given, chosen = values.get(name), values.get(self.name)
        return [
            (one, text)
            for one, text in self.options
            if not given or needed.get(one, given) in ("", given) or one == chosen
        ]


def form_field(
    record: type, value: str, text: str, words: Mapping[str, str] = NOTHING, /, **more: Any
) -> FormField:
    """The field for one value of a record: its kind, its limits and its options are the record's.

    `words` are the texts of the options. `more` are further members of the field; rows of records
    need the `fields` of a row.
    """
    found = value_of(record, value)
    known = {"name": found.key, "text": text, "required": found.required}
    return FormField(**{**known, **limits_of_field(found.limits, words), **more})


def entry_field(
    record: type, rows: str, name: str, text: str, words: Mapping[str, str] = NOTHING
) -> FormField:
    """The field of a row where the record has a list of plain values."""
    entry = value_of(record, rows).limits.entry
    assert entry is not None, f"{rows} is no list"
    return FormField(name, text, required=True, **limits_of_field(entry, words))


def limits_of_field(limits: ValueLimits, words: Mapping[str, str]) -> dict[str, Any]:
    """The kind, limits and options of a field."""
    found: dict[str, Any] = {"kind": limits.kind}
    if limits.kind in ("number", "rows"):
        found |= {"least": int(limits.least), "most": int(limits.most)}
    if limits.kind == "option":
        found["options"] = tuple((one, words.get(one, one)) for one in limits.words.known())
    return found


def form_fields(
    record: type, /, **texts: str | tuple[str, Mapping[str, str]]
) -> tuple[FormField, ...]:
    """The fields for several values of a record: the text of each, an option's with its words."""
    return tuple(
        form_field(record, name, *((text,) if isinstance(text, str) else text))
        for name, text in texts.items()
    )


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
    is. `empty`: nobody has entered the value yet.
    """

    text: str
    field: str = ""
    stops: bool = True
    empty: bool = False


def missing_values(
    form: CardForm, values: Plain, asked: Sequence[str] = ()
) -> Iterator[FormProblem]:
    """The values without which there is no card, and that nobody has entered yet.

    `asked` are the names of further fields that this card needs.
    """
    yield from missing_fields(form.fields, values, "", asked)


def missing_fields(
    fields: Sequence[FormField], values: Plain, place: str, asked: Sequence[str] = ()
) -> Iterator[FormProblem]:
    """The same of some fields; `place` is the path of the row they stand in."""
    for one in fields:
        path, now = f"{place}{one.name}", values.get(one.name)
        if one.kind == "rows":
            for at, row in enumerate(now if isinstance(now, list) else ()):
                if isinstance(row, dict):
                    yield from missing_fields(one.fields, row, f"{path}[{at}].")
        elif (one.required or one.name in asked) and now in (None, ""):
            yield FormProblem(say("missing: {field}", field=one.text), path, empty=True)


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
