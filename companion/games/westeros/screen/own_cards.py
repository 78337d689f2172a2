"""Unit and commander cards that the players enter: forms, files, and their exchange."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.card_form import CardForm, FormCard, FormProblem
from companion.games.api.play import Plain
from companion.games.shared.own_files import remove_own, save_own
from companion.games.westeros.cards import card_forms
from companion.games.westeros.cards.card_forms import COMMANDER, UNIT
from companion.games.westeros.cards.catalogue import (
    FORMAT,
    OWN_FOLDER,
    every_card,
    own_boxes,
    read_cards,
)
from models.errors import CompanionError, UnknownName
from models.field import parse_toml
from models.lazy_message import say
from models.toml_text import document


def forms() -> Sequence[CardForm]:
    return card_forms.unit_form(), card_forms.commander_form()


def form_cards(kind: str) -> list[FormCard]:
    """Every unit or commander card: the players' own first, then by house."""
    known = every_card()
    own = {name for box in own_boxes() for name in (*box.units, *box.commanders)}
    if kind == COMMANDER:
        cards = [
            FormCard(
                one.id,
                f"{one.name} ({one.title})" if one.title else one.name,
                one.house,
                own=one.id in own,
                missing=tuple(
                    text
                    for value, text in (
                        (one.limit, say("Command limit")),
                        (one.capture, say("Capture value")),
                    )
                    if value is None
                ),
            )
            for one in known.commanders.values()
        ]
    else:
        cards = [
            FormCard(
                one.id,
                one.name,
                one.house,
                own=one.id in own,
                missing=() if one.sure else (say("Ranks"),),
            )
            for one in known.units.values()
        ]
    return sorted(cards, key=lambda one: (not one.own, one.group, one.name))


def form_values(kind: str, card: str) -> Plain:
    """The values of a card."""
    known = every_card()
    if kind == COMMANDER and card in known.commanders:
        return card_forms.commander_values(known.commanders[card])
    if kind == UNIT and card in known.units:
        return card_forms.unit_values(known.units[card])
    raise UnknownName(say("no card {name!r}", name=card))


def form_problems(kind: str, values: Plain) -> list[FormProblem]:
    return sorted(card_forms.form_problems(kind, values), key=lambda one: not one.stops)


def save_form(kind: str, values: Plain) -> str:
    """Keep a card; what stops it is refused."""
    stopping = [one for one in form_problems(kind, values) if one.stops]
    if stopping:
        place = f"{stopping[0].field}: " if stopping[0].field else ""
        raise CompanionError(f"{place}{stopping[0].text}")
    if kind == COMMANDER:
        plain = card_forms.commander_of_values(values).plain()
    else:
        plain = card_forms.unit_of_values(values).plain()
    keep_card(kind, plain)
    return str(plain["id"])


def keep_card(kind: str, plain: Plain) -> None:
    """Write a card into a file of its own."""
    text = document(FORMAT, kind, [plain])
    read_cards(parse_toml(text, str(plain["name"])))
    save_own(OWN_FOLDER, file_name(kind, str(plain["id"])), text)


def file_name(kind: str, card: str) -> str:
    return f"{kind}-{card}"


def remove_form(kind: str, card: str) -> bool:
    return remove_own(OWN_FOLDER, file_name(kind, card))


def export_forms(kind: str, cards: Sequence[str]) -> str:
    """Cards as the text of one file."""
    known = every_card()
    found = []
    for card in cards:
        if kind == COMMANDER and card in known.commanders:
            found.append(known.commanders[card].plain())
        elif kind == UNIT and card in known.units:
            found.append(known.units[card].plain())
        else:
            raise UnknownName(say("no card {name!r}", name=card))
    return document(FORMAT, kind, found)


def import_forms(text: str, source: str) -> Sequence[str]:
    """Keep the cards of a file; nothing is kept if one of them is wrong."""
    box = read_cards(parse_toml(text, source))
    for unit in box.units.values():
        keep_card(UNIT, unit.plain())
    for commander in box.commanders.values():
        keep_card(COMMANDER, commander.plain())
    names = [one.name for one in box.units.values()]
    return names + [one.name for one in box.commanders.values()]
