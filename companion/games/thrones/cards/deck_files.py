"""Deck lists as data of other programs: ThronesDB's and throneteki's JSON, OCTGN's .o8d files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any
from xml.etree import ElementTree

from companion.games.thrones.cards.card import TYPES
from companion.games.thrones.cards.catalogue import folded
from companion.games.thrones.cards.deck_draft import (
    LONGEST_NAME,
    CardLine,
    DeckDraft,
    faction_named,
    miss_title,
    near_codes,
)
from companion.games.thrones.cards.deck_text import LONGEST_LINE, MOST_LINES, card_line
from companion.games.thrones.cards.packs import octgn_codes
from models.field import Field, parse_json, shown
from models.message import BadInput, say

MOST_DIGITS = 3
PILES = ("cards", "plotCards", "drawCards", "bannerCards", "rookeryCards")
"""The lists of cards in throneteki's decks."""


# -- JSON ------------------------------------------------------------------------------------------


def read_object(draft: DeckDraft, text: str) -> None:
    """A deck as a JSON object, or the first of a list of them."""
    root = parse_json(text, draft.source)
    if isinstance(root.raw, list):
        if len(root.raw) > 1:
            draft.notes.append(say("the text holds {n} decks; the first was read", n=len(root.raw)))
        root = next(iter(root.items(MOST_LINES, 1)))
    if isinstance(root.raw, dict) and isinstance(root.raw.get("deck"), dict):
        root = root.member("deck")
    if not isinstance(root.raw, dict) or not ({"slots", *PILES} & root.raw.keys()):
        root.fail(say("holds no 'slots'"))
    for key in ("name", "deckName"):
        if isinstance(name := root.raw.get(key), str) and name.isprintable():
            draft.name = name[:LONGEST_NAME]
    draft.faction = object_faction(root.raw)
    for item, code, count in counted(draft, root):
        if code in draft.cards:
            draft.add(item.place, f"{count}x {code}", code, count)
        else:
            miss_code(draft, item.place, code, count, title_of(item.raw))
    for code in agenda_codes(root.raw):
        if code not in draft.cards:
            miss_code(draft, "agenda", code, 1)
        elif code not in draft.counts:
            draft.counts[code] = 1


def miss_code(draft: DeckDraft, place: str, code: str, count: int, title: str = "") -> None:
    """Keep an entry whose code no card has, with the cards of its title or of codes like it."""
    code, title = one_line(code), one_line(title)
    if title:
        miss_title(draft, place, f"{count}x {title}", CardLine(title))
        return
    near = near_codes(draft, code)
    problem = say("no card has the code {code}", code=shown(code))
    draft.miss(place, f"{count}x {code}", problem, near)


def one_line(text: str) -> str:
    """A text as a line of a list."""
    return " ".join(text.split())[:LONGEST_NAME]


def title_of(raw: Any) -> str:
    """The title in an entry, where it has one."""
    for key in ("card", "name", "title", "label"):
        if has(raw, key):
            return raw[key] if isinstance(raw[key], str) else title_of(raw[key])
    return ""


def object_faction(raw: dict[str, Any]) -> str:
    """The faction of a deck: a code or a name, alone or in an object of its own."""
    for key in ("faction_code", "faction", "faction_name"):
        value = raw.get(key)
        for text in value.values() if isinstance(value, dict) else (value,):
            if isinstance(text, str) and (faction := faction_named(text)):
                return faction
    return ""


def counted(draft: DeckDraft, root: Field) -> Iterator[tuple[Field, str, int]]:
    """The codes with their numbers: of `slots`, or of throneteki's lists."""
    if "slots" in root.raw:
        slots = root.member("slots")
        if slots.raw == []:  # how an empty object is written there
            return
        if not isinstance(slots.raw, dict) or len(slots.raw) > MOST_LINES:
            slots.fail(say("{value} is not an object", value=shown(slots.raw)))
        for code in slots.raw:
            item = slots.member(code)
            if count := copies_of(draft, item, code):
                yield item, code, count
        return
    for key in PILES:
        for item in root.member(key).items(MOST_LINES) if root.raw.get(key) else ():
            code = code_of(item.raw)
            held = item.member("count") if has(item.raw, "count") else Field(1)
            if count := copies_of(draft, held, code):
                yield item, code, count


def copies_of(draft: DeckDraft, item: Field, code: str) -> int:
    """The number of copies; a number that is none is kept as unread."""
    try:
        return item.whole(0, 99)
    except BadInput as error:
        card = (draft.cards[code],) if code in draft.cards else ()
        name = card[0].name if card else code
        line = one_line(f"{shown(item.raw)} {name}")
        draft.miss(item.place, line, error.problem, card)
        return 0


def has(raw: Any, key: str) -> bool:
    return isinstance(raw, dict) and key in raw


def code_of(raw: Any) -> str:
    """The code in an entry: itself, its code, or that of its card."""
    for key in ("card", "code", "cardcode"):
        if has(raw, key):
            return code_of(raw[key])
    return raw[:40] if isinstance(raw, str) else ""


def agenda_codes(raw: dict[str, Any]) -> list[str]:
    """The agendas that are named beside the cards."""
    listed = raw.get("agendas")
    found = listed[:MOST_LINES] if isinstance(listed, list) else []
    found += [raw.get("agenda"), raw.get("agenda_code")]
    return list(dict.fromkeys(code for code in map(code_of, found) if code))


# -- OCTGN -----------------------------------------------------------------------------------------


def read_sections(draft: DeckDraft, text: str) -> None:
    """An .o8d file: sections with cards, each with its number, its id and its name."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        draft.fail("", say("holds definitions, which no deck needs"))
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise BadInput(draft.source, "", say("not XML: {problem}", problem=str(error))) from None
    for section, element in sections(root):
        name = " ".join((element.text or "").split())[:LONGEST_LINE]
        place = f"{section or 'deck'}: {name}"[:LONGEST_NAME]
        count = element.get("qty", "1")
        code = octgn_codes().get(element.get("id", "").strip(" {}").lower(), "")
        if faction := faction_named(name) or faction_named(code):
            draft.faction = faction
        elif not (count.isascii() and count.isdecimal() and len(count) <= MOST_DIGITS):
            line = one_line(f"{count} {name}")
            near = (draft.cards[code],) if code else ()
            draft.miss(place, line, say("{line} is not a card", line=shown(line)), near)
        elif int(count):
            read_element(draft, place, name, CardLine(name, int(count), code=code), section)


def read_element(draft: DeckDraft, place: str, name: str, asked: CardLine, section: str) -> None:
    """A card by its id, else by its title in the section of its type."""
    whole = f"{asked.count}x {name}"
    line = card_line(name) or (CardLine("") if asked.code else None)
    if line is None:
        draft.miss(place, whole, say("{line} is not a card", line=shown(name)))
        return
    kind = folded(section).removesuffix("s")
    kind = kind if kind in TYPES else ""
    code = asked.code or line.code
    draft.add_card(place, whole, replace(line, count=asked.count, kind=kind, code=code))


def sections(root: ElementTree.Element) -> Iterator[tuple[str, ElementTree.Element]]:
    """The cards with the names of their sections, the faction's first."""
    # Only a section's own cards: one within the other would list the inner ones again and again.
    cards = (
        (part.get("name", ""), card)
        for part in root.iter("section")
        for card in part.findall("card")
    )
    found = list(islice(cards, MOST_LINES))
    return iter(sorted(found, key=lambda pair: folded(pair[0]) != "faction"))
