"""Cards that the players enter or correct: forms, files, and their exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.api.card_form import (
    CardForm,
    FormCard,
    FormField,
    FormProblem,
    ImportedCards,
    imported_cards,
)
from companion.games.api.play import Plain
from companion.games.shared.own_files import (
    new_id,
    remove_broken,
    remove_own,
    replaced_problem,
    save_own,
)
from companion.games.thrones.cards.card import (
    CHALLENGES,
    FACTIONS,
    KEYWORDS,
    MODIFIERS,
    NEUTRAL,
    NUMBERS,
    TYPES,
    CardFacts,
)
from companion.games.thrones.cards.catalogue import (
    FORMAT,
    LONGEST_CODE,
    OWN_FOLDER,
    broken_cards,
    card_catalogue,
    read_cards,
)
from companion.games.thrones.cards.deck import FACTION_WORDS
from companion.games.thrones.play.events.count_events import stat_words
from companion.games.thrones.screen.new_game import ICON_WORDS, card_words
from models.atomic_write import key, members, toml
from models.field import Field, parse_toml
from models.message import BadInput, CompanionError, UnknownName, say

TITLES = {
    "character": say("Character"),
    "location": say("Location"),
    "attachment": say("Attachment"),
    "event": say("Event"),
    "plot": say("Plot"),
    "agenda": say("Agenda"),
}
NUMBER_WORDS = {
    "cost": say("Cost"),
    "strength": say("Strength"),
    "gold": say("Gold"),
    "initiative": say("Initiative"),
    "claim": say("Claim"),
    "reserve": say("Reserve"),
    "limit": say("Copies in a deck, if it says so"),
}
TYPE_NUMBERS = {
    "character": ("cost", "strength"),
    "location": ("cost",),
    "attachment": ("cost",),
    "event": ("cost",),
    "plot": ("gold", "initiative", "claim", "reserve"),
    "agenda": (),
}
PRINTED_X = "x-"
"""What stands before a number in the form where it is printed as X."""
ICON = "icon-"


def forms() -> tuple[CardForm, ...]:
    return tuple(CardForm(kind, TITLES[kind], tuple(fields_of(kind))) for kind in TYPES)


def fields_of(kind: str) -> list[FormField]:
    """What is printed on a card of a type, without its text (AGOT-CMP-15)."""
    factions = tuple((one, FACTION_WORDS[one]) for one in (*FACTIONS, NEUTRAL))
    found = [
        FormField("name", say("Name"), required=True),
        FormField("faction", say("Faction"), "option", options=factions),
        FormField("pack", say("Pack")),
    ]
    for one in TYPE_NUMBERS[kind]:
        found.append(FormField(one, NUMBER_WORDS[one], "number"))
        found.append(FormField(PRINTED_X + one, say("It is printed as X"), "flag"))
    if kind == "character":
        found += [
            FormField(ICON + one, say("{kind} icon", kind=ICON_WORDS[one]), "flag")
            for one in CHALLENGES
        ]
    if kind != "plot":
        found.append(FormField("loyal", say("Loyal"), "flag"))
    if kind in ("character", "location", "attachment"):
        found.append(FormField("unique", say("Unique"), "flag"))
    found += [
        FormField("traits", say("Traits")),
        FormField("keywords", say("Keywords, with commas between them"), suggest=KEYWORDS[:8]),
        FormField("limit", NUMBER_WORDS["limit"], "number", least=1, most=99),
    ]
    if kind not in ("plot", "event"):
        found += [
            FormField(one, say("Change: {what}", what=stat_words(one)), "number", least=-5, most=9)
            for one in MODIFIERS
        ]
    return found


def form_cards(kind: str) -> list[FormCard]:
    """Every card of a type: files that cannot be read first, then the players' own."""
    known = card_catalogue()
    broken = [
        FormCard(stem, f"{stem}.toml", "", str(error), True)
        for stem, error in broken_of(kind).items()
    ]
    found = [
        FormCard(one.code, one.name, FACTION_WORDS[one.faction], card_words(one), code in known.own)
        for code in known
        if (one := known[code]).type == kind
    ]
    return [*broken, *sorted(found, key=lambda one: (not one.own, one.name))]


def broken_of(kind: str) -> dict[str, CompanionError]:
    """The files of a type that cannot be read; those of no type stand with the first."""
    found = {}
    for stem, error in broken_cards().items():
        start = stem.partition("-")[0]
        if kind == (start if start in TYPES else TYPES[0]):
            found[stem] = error
    return found


def form_values(kind: str, card: str) -> Plain:
    if card in broken_of(kind):
        return {"id": card.removeprefix(f"{kind}-")}
    known = card_catalogue()
    if card not in known or known[card].type != kind:
        raise UnknownName(say("no card {name!r}", name=card))
    facts = known[card]
    found: dict[str, Any] = {"id": facts.code, **facts.to_json()}
    found.pop("icons", None)
    found |= {ICON + one: True for one in facts.icons}
    for one in facts.variable:
        found.pop(one, None)
        found[PRINTED_X + one] = True
    if facts.type in TYPE_NUMBERS:
        usual = {one: getattr(facts, one) for one in TYPE_NUMBERS[kind]}
        found = {**{k: v for k, v in usual.items() if v is not None}, **found}
        for one in facts.variable:
            found.pop(one, None)
    return found


def entry_of(kind: str, values: Plain) -> tuple[str, dict[str, Any]]:
    """The code and the entry that the values of a form become."""
    name = str(values.get("name") or "").strip()
    code = str(values.get("id") or new_code(kind, name, str(values.get("pack") or "").strip()))
    entry: dict[str, Any] = {"name": name}
    for one in ("faction", "pack", "traits", "keywords"):
        if text := str(values.get(one) or "").strip():
            entry[one] = text
    for one in (*NUMBERS, "limit"):
        if values.get(PRINTED_X + one):
            entry[one] = "X"
        elif values.get(one) is not None:
            entry[one] = values[one]
    letters = "".join(one[0] for one in CHALLENGES if values.get(ICON + one))
    if letters:
        entry["icons"] = letters
    entry |= {one: True for one in ("unique", "loyal") if values.get(one)}
    return code, entry


def new_code(kind: str, name: str, pack: str) -> str:
    """The code of the own card of this type, name and pack, or a new one."""
    own = card_catalogue().own
    taken = {
        code: card.name if (card.type, card.pack) == (kind, pack) else ""
        for code, card in own.items()
    }
    return new_id(name, taken, "own-", LONGEST_CODE)


def form_problems(kind: str, values: Plain) -> list[FormProblem]:
    """What keeps the card from being read, or what it will replace."""
    code, entry = entry_of(kind, values)
    if not entry["name"]:
        return [FormProblem(say("the card needs a name"), "name")]
    known = card_catalogue()
    if code in known and known[code].type != kind:  # it would hide that card
        return [FormProblem(say("no card {name!r}", name=code), "id")]
    try:
        CardFacts.read(code, kind, Field(entry, "card"))
    except BadInput as error:
        return [FormProblem(str(error), error.place.rpartition(".")[2])]
    # A cost may be printed as a dash; everything else that counts is on every card.
    needed = ("faction", *TYPE_NUMBERS[kind]) if kind != "agenda" else ()
    missing = [one for one in needed if one not in entry and one != "cost"]
    if missing:
        return [FormProblem(say("not entered yet"), missing[0])]
    replaced = not values.get("id") and code in known.own
    return [replaced_problem(entry["name"])] if replaced else []


def save_form(kind: str, values: Plain) -> str:
    """Keep a card; what stops it is refused."""
    problems = [problem for problem in form_problems(kind, values) if problem.stops]
    if problems:
        raise CompanionError(problems[0].text)
    code, entry = entry_of(kind, values)
    keep(kind, {code: entry})
    return code


def keep(kind: str, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write each card into a file of its own."""
    for code, entry in entries.items():
        text = document(kind, {code: entry})
        read_cards(parse_toml(text, str(entry["name"])))
        save_own(OWN_FOLDER, kind, code, text)


def document(kind: str, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Cards of a type as the text of a file."""
    lines = [f"format = {toml(FORMAT)}"]
    for code, entry in entries.items():
        lines += ["", f"[{kind}.{key(code)}]", *members(entry)]
    return "\n".join(lines) + "\n"


def remove_form(kind: str, card: str) -> bool:
    if card in broken_of(kind):
        remove_broken(OWN_FOLDER, card)
        return True
    return remove_own(OWN_FOLDER, kind, card)


def export_forms(kind: str, cards: Sequence[str]) -> str:
    """Cards as the text of one file."""
    known = card_catalogue()
    for card in cards:
        if card not in known:
            raise UnknownName(say("no card {name!r}", name=card))
    return document(kind, {card: known[card].to_json() for card in cards})


def import_forms(text: str, source: str) -> ImportedCards:
    """Keep the cards of a file; nothing is kept if one of them is wrong."""
    found = read_cards(parse_toml(text, source))
    known = card_catalogue()
    before = {code: known[code] for code in found if code in known}
    for code, card in found.items():
        keep(card.type, {code: card.to_json()})
    return imported_cards(found, before)
