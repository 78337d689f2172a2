"""A deck written again in any of the layouts that are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

from companion.games.thrones.cards.card import DRAW_TYPES, CardFacts
from companion.games.thrones.cards.catalogue import CardCatalogue, folded
from companion.games.thrones.cards.deck import FACTION_WORDS, DeckList
from companion.games.thrones.cards.packs import number_of, octgn_codes, pack_title, packs

GAME_ID = "30c200c9-6c98-49a4-a293-106c06295c05"
"""The id that OCTGN gives the game."""
FILE_ORDER = ("plot", "character", "location", "attachment", "event")
WINDOW_ORDER = ("plot", "character", "attachment", "location", "event")
THRONESDB_FACTIONS = {"nights-watch": "thenightswatch"}
Counted = tuple[CardFacts, int]


def write_deck(deck: DeckList, form: str, cards: CardCatalogue) -> str:
    """The deck in a layout."""
    return LAYOUTS[form](deck, cards)


def faction_title(deck: DeckList) -> str:
    """The faction as ThronesDB writes it."""
    words = str(FACTION_WORDS.get(deck.faction, ""))
    return words[:1].upper() + words[1:]


def by_title(cards: Sequence[Counted]) -> list[Counted]:
    return sorted(cards, key=lambda pair: (folded(pair[0].name), pair[0].code))


def span(deck: DeckList) -> str:
    """From which pack to which the cards are."""
    known = list(packs())
    used = sorted({known.index(card.pack) for card, _ in deck.cards if card.pack in known})
    names = [packs()[known[at]].name for at in (used[:1] + used[-1:] if len(used) > 1 else used)]
    return "Packs: From " + " to ".join(names)


def packed(card: CardFacts, pack: str) -> str:
    return f"{card.name} ({pack})" if pack else card.name


def title_with_pack(card: CardFacts, pack: str, cards: CardCatalogue) -> str:
    """A title, with its pack only where it has several versions."""
    return packed(card, pack if len(cards.named(card.name)) > 1 else "")


def section(deck: DeckList, kind: str) -> list[Counted]:
    return by_title(deck.of_type(kind))


def heading(kind: str, lines: int) -> str:
    return f"{kind.capitalize()}{'s' if lines > 1 else ''}"


def numbered(kind: str, cards: Sequence[Counted]) -> str:
    return f"{kind.capitalize()}s ({sum(n for _, n in cards)}):"


def text_file(deck: DeckList, cards: CardCatalogue) -> str:
    """ThronesDB's text file."""
    lines = [deck.name or "Deck", "Version: 1.0", "", faction_title(deck)]
    lines += [title_with_pack(card, pack_title(card), cards) for card in deck.agendas]
    lines += ["", span(deck)]
    for kind in FILE_ORDER:
        if found := section(deck, kind):
            lines += ["", heading(kind, len(found)), ""]
            lines += [f"{n}x {packed(card, pack_title(card))}" for card, n in found]
    return "\r\n".join([*lines, ""])


def window(deck: DeckList, cards: CardCatalogue) -> str:
    """ThronesDB's window "Plain Text"."""
    lines = [deck.name or "Deck", "", faction_title(deck)]
    lines += [title_with_pack(card, card.pack, cards) for card in deck.agendas]
    lines += ["", span(deck)]
    for kind in WINDOW_ORDER:
        found = section(deck, kind)
        lines += ["", numbered(kind, found)]
        lines += [f"{n}x {packed(card, card.pack)}" for card, n in found]
    return "\n".join([*lines, ""])


def by_cycle(deck: DeckList, cards: CardCatalogue) -> str:
    """ThronesDB's text file by cycle."""
    lines = [f"{deck.name or 'Deck'} 1.0", "", faction_title(deck)]
    lines += [title_with_pack(card, pack_title(card), cards) for card in deck.agendas]
    lines += ["", span(deck)]
    for cycle in dict.fromkeys(pack.cycle for pack in packs().values()):
        found = [pair for pair in sorted_by_code(deck) if cycle_of(pair[0]) == cycle]
        lines += ["", f"---- {cycle} ----"] if found else []
        lines += [f"{n}x {card.name} ({pack_title(card)} #{number_of(card)})" for card, n in found]
    own = [pair for pair in sorted_by_code(deck) if not cycle_of(pair[0])]
    lines += ["", *(f"{n}x {packed(card, card.pack)}" for card, n in own)] if own else []
    return "\r\n".join([*lines, ""])


def sorted_by_code(deck: DeckList) -> list[Counted]:
    return sorted(deck.cards, key=lambda pair: pair[0].code)


def cycle_of(card: CardFacts) -> str:
    return packs()[card.pack].cycle if card.pack in packs() else ""


def markdown(deck: DeckList, cards: CardCatalogue) -> str:
    """ThronesDB's Markdown."""
    lines = [f"## {faction_title(deck)}", ""]
    lines += [f"{link(card)}  " for card in deck.agendas]
    lines += ["", span(deck)]
    for kind in FILE_ORDER:
        if found := section(deck, kind):
            lines += ["", f"### {numbered(kind, found)}", ""]
            lines += [f"- {n}x {link(card)}" for card, n in found]
    return "\n".join([*lines, ""])


def link(card: CardFacts) -> str:
    return f"[{card.name} \\({card.pack}\\)](https://thronesdb.com/card/{card.code})"


def agot_cards(deck: DeckList, cards: CardCatalogue) -> str:
    """ThronesDB's text with the tags of agot.cards."""
    lines = [faction_title(deck), ""]
    lines += [f"[agot]{packed(card, card.pack)}[/agot]  " for card in deck.agendas]
    lines += ["", span(deck)]
    for kind in FILE_ORDER:
        if found := section(deck, kind):
            lines += ["", numbered(kind, found), ""]
            lines += [f"{n}x [agot]{packed(card, card.pack)}[/agot]" for card, n in found]
    return "\n".join([*lines, ""])


def plain_lines(deck: DeckList, cards: CardCatalogue) -> str:
    """The faction, and a card per line."""
    lines = [faction_title(deck)] if deck.faction else []
    for kind in ("agenda", "plot", *DRAW_TYPES):
        lines += [f"{n}x {packed(card, card.pack)}" for card, n in section(deck, kind)]
    return "\n".join([*lines, ""])


def thronesdb_json(deck: DeckList, cards: CardCatalogue) -> str:
    """A deck as ThronesDB's interface gives it."""
    return as_json(
        {
            "name": deck.name or "Deck",
            "faction_code": thronesdb_faction(deck),
            "faction_name": faction_title(deck),
            "slots": {card.code: n for card, n in sorted_by_code(deck)},
            "agendas": [card.code for card in deck.agendas],
            "version": "1.0",
        }
    )


def thronesdb_faction(deck: DeckList) -> str:
    return THRONESDB_FACTIONS.get(deck.faction, deck.faction)


def throneteki(deck: DeckList, cards: CardCatalogue) -> str:
    """A deck as throneteki keeps it: the first agenda leads, the others are its banners."""
    found: dict[str, Any] = {
        "name": deck.name or "Deck",
        "faction": {"value": thronesdb_faction(deck)},
        "bannerCards": [{"code": card.code} for card in deck.agendas[1:]],
        "plotCards": entries(deck, "plot"),
        "drawCards": entries(deck, *DRAW_TYPES),
        "rookeryCards": [],
    }
    if deck.agendas:
        found["agenda"] = {"code": deck.agendas[0].code}
    return as_json(found)


def entries(deck: DeckList, *kinds: str) -> list[dict[str, Any]]:
    return [{"count": n, "card": {"code": card.code}} for card, n in deck.of_type(*kinds)]


def as_json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def octgn(deck: DeckList, cards: CardCatalogue) -> str:
    """OCTGN's file: sections by type, each card with the id that tells its version."""
    ids = {code: octgn_id for octgn_id, code in octgn_codes().items()}
    lines = ['<?xml version="1.0" encoding="utf-8" standalone="yes"?>']
    lines += [f'<deck game="{GAME_ID}" sleeveid="0">']
    faction = f'<card qty="1" id="{ids.get(deck.faction, "")}">{faction_title(deck)}</card>'
    lines += list(octgn_section("Faction", [faction] if deck.faction else []))
    for kind in ("agenda", *FILE_ORDER):
        name = "Agenda" if kind == "agenda" else f"{kind.capitalize()}s"
        elements = [
            octgn_card(card, n, ids.get(card.code, ""), cards) for card, n in section(deck, kind)
        ]
        lines += list(octgn_section(name, elements))
    return "\n".join([*lines, "    <notes><![CDATA[]]></notes>", "</deck>", ""])


def octgn_card(card: CardFacts, count: int, octgn_id: str, cards: CardCatalogue) -> str:
    """A card with its bare title; its pack where neither an id nor the title tells the version."""
    title = card.name if octgn_id else title_with_pack(card, card.pack, cards)
    return f'<card qty="{count}" id="{octgn_id}">{escape(title)}</card>'


def octgn_section(name: str, elements: Sequence[str]) -> Iterator[str]:
    if not elements:
        yield f'    <section name="{name}" shared="False" />'
        return
    yield f'    <section name="{name}" shared="False">'
    yield from (f"        {element}" for element in elements)
    yield "    </section>"


LAYOUTS: dict[str, Callable[[DeckList, CardCatalogue], str]] = {
    "text": text_file,
    "window": window,
    "cycle": by_cycle,
    "markdown": markdown,
    "agot": agot_cards,
    "lines": plain_lines,
    "json": thronesdb_json,
    "octgn": octgn,
    "throneteki": throneteki,
}
"""The layouts by the names under which the `army` command writes them."""
