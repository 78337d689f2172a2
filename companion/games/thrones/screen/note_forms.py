"""The form of a note on a card, and the exchange of notes as files."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.card_form import (
    CardForm,
    FormCard,
    FormField,
    FormProblem,
    ImportedCards,
    imported_cards,
)
from companion.games.api.play import Plain
from companion.games.shared.own_files import remove_broken
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.card_notes import (
    MOMENTS,
    NOTE,
    OWN_FOLDER,
    CardNote,
    broken_notes,
    card_notes,
    document,
    photo_text,
    read_note,
    read_notes,
    remove_note,
    save_note,
)
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.packs import packs
from models.field import Field, parse_toml
from models.message import BadInput, CompanionError, UnknownName, joined, say

FIELDS = (
    FormField("card", say("Card"), required=True),
    FormField("text", say("Your own words")),
    FormField("moment", say("Remind us when"), "option", options=tuple(MOMENTS.items())),
    FormField("photo", say("Photo"), "photo"),
)


def forms() -> tuple[CardForm, ...]:
    return (CardForm(NOTE, say("Note on a card"), FIELDS),)


def form_cards(kind: str) -> list[FormCard]:
    """Every note; files that cannot be read first."""
    broken = [
        FormCard(stem, f"{stem}.toml", "", str(error), True)
        for stem, error in broken_notes().items()
    ]
    notes = sorted(card_notes().values(), key=lambda one: one.name)
    return [*broken, *(FormCard(one.code, one.name, "", one.text, True) for one in notes)]


def form_values(kind: str, card: str) -> Plain:
    """The values of a note; those of an empty one for a card without."""
    if card in broken_notes():
        return {"id": card}
    note = card_notes().get(card)
    if note is not None:
        return {"id": card, "card": title(card, note.name), "text": note.text,
                "moment": note.moment, "photo": photo_text(note)}  # fmt: skip
    if card not in card_catalogue():
        raise UnknownName(say("no card {name!r}", name=card))
    return {"card": title(card, card_catalogue()[card].name)}


def title(code: str, name: str) -> str:
    """The name of a card; where other versions have it too, with its pack or else its code."""
    known = card_catalogue()
    versions = known.named(name)
    if code not in known or len(versions) < 2:
        return name
    pack = known[code].pack
    alone = pack and [one.pack for one in versions].count(pack) == 1
    return f"{name} ({pack if alone else code})"


def found_card(text: str) -> CardFacts | None:
    """The card of a name, with a pack's code or name or the card's code after it if there are
    several.
    """
    known = card_catalogue()
    if versions := known.named(text):
        return versions[0] if len(versions) == 1 else None
    name, _, which = text.strip().removesuffix(")").rpartition(" (")
    wanted = which.casefold()
    pack_names = {one.code.casefold(): one.name.casefold() for one in packs().values()}
    fitting = [
        one
        for one in known.named(name)
        if wanted in (one.code, one.pack.casefold(), pack_names.get(one.pack.casefold()))
    ]
    return fitting[0] if len(fitting) == 1 else None


def form_problems(kind: str, values: Plain) -> list[FormProblem]:
    """What keeps the note from being kept."""
    text = str(values.get("card") or "").strip()
    if not text:
        return [FormProblem(say("Which card is it about?"), "card")]
    found = found_card(text)
    if found is None:
        known = card_catalogue()
        versions = [title(one.code, one.name) for one in known.named(text)]
        near = versions or known.nearest(text)
        if not near:
            return [FormProblem(say("no card {name!r}", name=text), "card")]
        words = say("no card {name!r}; near: {cards}", name=text, cards=joined(near))
        return [FormProblem(words, "card")]
    try:
        note_of(values)
    except BadInput as error:
        return [FormProblem(str(error), error.place.rpartition(".")[2])]
    if not any(values.get(one) for one in ("text", "photo")):
        return [FormProblem(say("Write something, or add a photo."), "text")]
    replaced = found.code != values.get("id") and found.code in card_notes()
    words = say("There is a note on {card} already; this one replaces it.", card=found.name)
    return [FormProblem(words, "card", stops=False)] if replaced else []


def note_of(values: Plain) -> CardNote:
    """The note that the values of the form are."""
    card = found_card(str(values.get("card") or ""))
    assert card is not None
    entry = {one: str(values.get(one) or "").strip() for one in ("text", "moment", "photo")}
    return read_note(card.code, Field({"name": card.name, **entry}, "note"))


def save_form(kind: str, values: Plain) -> str:
    """Keep a note; one that was about another card before is moved."""
    problems = [problem for problem in form_problems(kind, values) if problem.stops]
    if problems:
        raise CompanionError(problems[0].text)
    note = note_of(values)
    save_note(note)
    if (before := str(values.get("id") or "")) not in ("", note.code):
        remove_form(kind, before)
    return note.code


def remove_form(kind: str, card: str) -> bool:
    if card in broken_notes():
        remove_broken(OWN_FOLDER, card)
        return True
    return remove_note(card)


def export_forms(kind: str, cards: Sequence[str]) -> str:
    """Notes with their photos as the text of one file."""
    known = card_notes()
    for card in cards:
        if card not in known:
            raise UnknownName(say("no card {name!r}", name=card))
    return document({card: known[card] for card in cards})


def import_forms(text: str, source: str) -> ImportedCards:
    """Keep the notes of a file; nothing is kept if one of them is wrong."""
    notes = read_notes(parse_toml(text, source))
    known = card_notes()
    before = {code: known[code] for code in notes if code in known}
    for note in notes.values():
        save_note(note)
    return imported_cards(notes, before)
