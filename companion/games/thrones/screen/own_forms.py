"""Everything that players enter for this game: notes on cards, and cards of their own."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.card_form import CardForm, CardForms, FormCard, FormProblem, ImportedCards
from companion.games.api.play import Plain
from companion.games.thrones.cards.card_notes import FORMAT, NOTE
from companion.games.thrones.screen import note_forms, own_cards
from models.field import parse_toml


def of_kind(kind: str) -> CardForms:
    """What handles a kind."""
    return note_forms if kind == NOTE else own_cards


def forms() -> tuple[CardForm, ...]:
    return (*own_cards.forms(), *note_forms.forms())


def form_cards(kind: str) -> Sequence[FormCard]:
    return of_kind(kind).form_cards(kind)


def form_values(kind: str, card: str) -> Plain:
    return of_kind(kind).form_values(kind, card)


def form_problems(kind: str, values: Plain) -> Sequence[FormProblem]:
    return of_kind(kind).form_problems(kind, values)


def save_form(kind: str, values: Plain) -> str:
    return of_kind(kind).save_form(kind, values)


def remove_form(kind: str, card: str) -> bool:
    return of_kind(kind).remove_form(kind, card)


def export_forms(kind: str, cards: Sequence[str]) -> str:
    return of_kind(kind).export_forms(kind, cards)


def import_forms(text: str, source: str) -> ImportedCards:
    """Keep the notes or cards of a file."""
    notes = parse_toml(text, source).members().get("format") == FORMAT
    return (note_forms if notes else own_cards).import_forms(text, source)
