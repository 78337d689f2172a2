"""Deck lists as players have them: ThronesDB's text and JSON, OCTGN files, plain lines, samples.

    deck, notes = read_deck(text, card_catalogue())

A text has one card per line, "3x Name (Pack)"; the faction and the agenda may stand alone. A JSON
object has `slots` with the number of each card's code. An .o8d file has sections of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from companion.games.thrones.cards.card import FACTIONS, NEUTRAL, TYPES, CardFacts
from companion.games.thrones.cards.catalogue import CardCatalogue, folded
from companion.games.thrones.cards.deck import FACTION_WORDS, DeckList
from models.field import Field, decode, parse_json, read_bytes, shown
from models.message import BadInput, say

DATA = Path(__file__).parents[1] / "data"
SAMPLES = ("stark", "lannister")


def with_sample(text: str) -> str:
    """A deck list; the words "sample stark" stand for the shipped list of that name."""
    for name in SAMPLES:
        if text.lower().split() == ["sample", name]:
            path = DATA / f"sample-{name}.txt"
            return decode(read_bytes(path), path.name)
    return text


LONGEST = 60_000
MOST_DIGITS = 3
LONGEST_LINE = 200
MOST_LINES = 400
MOST_OF_ONE = 99
LINE = re.compile(r"\s*(?:[-*•]\s*)?(?:(\d{1,3})\s*[x×]?\s+)?(.*?)\s*(?:\(([^()]*)\))?\s*$")
HEADINGS = re.compile(
    r"(?:plot|character|location|attachment|event|agenda|faction|draw deck|deck|packs?|cards?|"
    r"exported|created|total)s?(?:\s*deck)?\s*(?:\(\d+\)|:|\d+)?.*",
    re.IGNORECASE,
)
LABELS = re.compile(r"(faction|house|agenda)\s*:\s*(.+)", re.IGNORECASE)


@dataclass(slots=True)
class DeckDraft:
    """What was read so far: the faction, and the number of each card."""

    cards: CardCatalogue
    source: str
    faction: str = ""
    name: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def fail(self, place: str, problem: str) -> None:
        raise BadInput(self.source, place, problem)

    def add(self, place: str, code: str, count: int) -> None:
        """Count a card."""
        total = self.counts.get(code, 0) + count
        if not 1 <= count <= MOST_OF_ONE or total > MOST_OF_ONE:
            self.fail(
                place, say("{count} copies of {card}", count=total, card=self.cards[code].name)
            )
        self.counts[code] = total

    def deck(self) -> DeckList:
        """The finished deck; an agenda of one faction cannot name it, so it may stay open."""
        cards = tuple((self.cards[code], n) for code, n in self.counts.items())
        return DeckList(self.faction or likely_faction(cards), cards, self.name)


def likely_faction(cards: tuple[tuple[CardFacts, int], ...]) -> str:
    """The faction of the loyal cards, else of most cards."""
    found = dict.fromkeys(FACTIONS, 0)
    for card, n in cards:
        if card.faction != NEUTRAL:
            found[card.faction] += n * (100 if card.loyal else 1)
    best = max(found, key=lambda one: found[one])
    return best if found[best] else ""


def read_deck(text: str, cards: CardCatalogue, source: str = "deck") -> tuple[DeckList, list[str]]:
    """A deck list in any of the formats, and notes on what was read with a guess."""
    draft = read_draft(text, cards, source)
    if not draft.counts:
        raise BadInput(source, "", say("holds no card"))
    return draft.deck(), draft.notes


def read_draft(text: str, cards: CardCatalogue, source: str = "deck") -> DeckDraft:
    """The same for a list that is still being built: it may hold nothing yet."""
    text = with_sample(text)
    if len(text) > LONGEST:
        raise BadInput(source, "", say("is longer than {most} characters", most=LONGEST))
    draft = DeckDraft(cards, source)
    begin = text.lstrip("\ufeff \t\r\n")
    if begin.startswith("{"):
        read_slots(draft, parse_json(begin, source))
    elif begin.startswith("<"):
        read_sections(draft, begin)
    else:
        read_lines(draft, text)
    return draft


def faction_named(text: str) -> str:
    """The faction that a text names; empty if none."""
    wanted = folded(text).removeprefix("house ").removeprefix("the ")
    known = {folded(one): one for one in FACTIONS}
    known |= {"thenightswatch": "nights-watch"}
    known |= {
        folded(words).removeprefix("house ").removeprefix("the "): one
        for one, words in FACTION_WORDS.items()
        if one != NEUTRAL
    }
    return known.get(wanted, "")


# -- text ------------------------------------------------------------------------------------------


def read_lines(draft: DeckDraft, text: str) -> None:
    """A text with one card per line."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        draft.fail("", say("has more than {most} lines", most=MOST_LINES))
    for number, raw in enumerate(lines, 1):
        line = " ".join(raw.strip("\ufeff").split())
        if len(line) > LONGEST_LINE:
            draft.fail(f"line {number}", say("is longer than {most} characters", most=LONGEST_LINE))
        if line and not line.startswith(("#", "//", "http")):
            read_line(draft, f"line {number}", line)


def read_line(draft: DeckDraft, place: str, line: str) -> None:
    """A card, the faction, the agenda, a heading, or the deck's name before everything else."""
    if labelled := LABELS.fullmatch(line):
        word, value = labelled[1].lower(), labelled[2]
        if word != "agenda" and (found := faction_named(value)):
            draft.faction = found
            return
        if word == "agenda" and folded(value) in ("none", "no agenda"):
            return
        line = value
    match = LINE.fullmatch(line)
    count, name, pack = (match[1], match[2], match[3] or "") if match else (None, line, "")
    if count is None:
        if found := faction_named(line):
            draft.faction = draft.faction or found
            return
        versions = draft.cards.named(name) or draft.cards.named(line)
        if versions and not HEADINGS.fullmatch(line):
            draft.add(place, pick(draft, place, name, pack), 1)
        elif not HEADINGS.fullmatch(line):
            nameless(draft, place, line)
        return
    if not name:
        draft.fail(place, say("{line} is not a card", line=shown(line)))
    if found := faction_named(name):
        draft.faction = found
        return
    draft.add(place, pick(draft, place, name, pack), int(count))


def nameless(draft: DeckDraft, place: str, line: str) -> None:
    """A line that is neither card nor heading: the deck's name, if it stands first."""
    if draft.name or draft.counts or draft.faction:
        raise unknown(draft, place, line)
    draft.name = line[:80] if line.isprintable() else ""


def unknown(draft: DeckDraft, place: str, name: str) -> BadInput:
    """The refusal of a name that no card has, with the nearest."""
    near = draft.cards.nearest(name)
    if near:
        problem = say("no card {name}; near: {near}", name=shown(name), near=", ".join(near))
    else:
        problem = say("no card {name}", name=shown(name))
    return BadInput(draft.source, place, problem)


def pick(draft: DeckDraft, place: str, name: str, pack: str = "", kind: str = "") -> str:
    """The code of the version that a name and a pack mean."""
    versions = draft.cards.named(name)
    if not versions and pack:
        versions = draft.cards.named(f"{name} ({pack})")
    if not versions:
        raise unknown(draft, place, name)
    by_pack = [card for card in versions if folded(card.pack) == folded(pack)]
    if pack and not by_pack and len(versions) > 1:
        draft.notes.append(
            say(
                "no pack {pack} has {card}; taken from {taken}",
                pack=shown(pack),
                card=name,
                taken=versions[0].pack,
            )
        )
    fitting = by_pack or versions
    fitting = [card for card in fitting if not kind or card.type == kind] or fitting
    own = [card for card in fitting if card.faction in (draft.faction, NEUTRAL)]
    fitting = own or fitting
    if len(fitting) > 1 and not pack:
        packs = ", ".join(card.pack for card in fitting)
        draft.notes.append(
            say(
                "{card} is in several packs ({packs}); taken from {taken}",
                card=name,
                packs=packs,
                taken=fitting[0].pack,
            )
        )
    return fitting[0].code


# -- JSON ------------------------------------------------------------------------------------------


def read_slots(draft: DeckDraft, root: Field) -> None:
    """ThronesDB's JSON: `slots` with the number of each code, and the faction's code."""
    if not isinstance(root.raw, dict) or "slots" not in root.raw:
        root.fail(say("holds no 'slots'"))
    if isinstance(name := root.raw.get("name"), str) and name.isprintable():
        draft.name = name[:80]
    for key in ("faction_code", "faction", "faction_name"):
        if isinstance(value := root.raw.get(key), str) and not draft.faction:
            draft.faction = faction_named(value)
    slots = root.member("slots")
    if not isinstance(slots.raw, dict) or len(slots.raw) > MOST_LINES:
        slots.fail(say("{value} is not an object", value=shown(slots.raw)))
    for code, raw in slots.raw.items():
        if code not in draft.cards:
            slots.fail(say("no card has the code {code}", code=shown(code)))
        item = slots.member(code)
        if raw:
            draft.add(item.place, code, item.whole(0, MOST_OF_ONE))
    agendas = root.raw.get("agendas")
    for code in agendas if isinstance(agendas, list) else ():
        if isinstance(code, str) and code in draft.cards and code not in draft.counts:
            draft.counts[code] = 1


# -- OCTGN -----------------------------------------------------------------------------------------


def read_sections(draft: DeckDraft, text: str) -> None:
    """An .o8d file: sections with cards, each with its number and its name."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        draft.fail("", say("holds definitions, which no deck needs"))
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise BadInput(draft.source, "", say("not XML: {problem}", problem=str(error))) from None
    for section, card in sections(root):
        name = " ".join((card.text or "").split())[:LONGEST_LINE]
        place = f"{section or 'deck'}: {name}"[:80]
        count = card.get("qty", "1")
        if not count.isdecimal() or len(count) > MOST_DIGITS or not name:
            draft.fail(place, say("{line} is not a card", line=shown(f"{count} {name}")))
        if found := faction_named(name):
            draft.faction = found
        elif int(count):
            match = LINE.fullmatch(name)
            title, pack = (match[2], match[3] or "") if match else (name, "")
            kind = folded(section).removesuffix("s")
            draft.add(place, pick(draft, place, title, pack, kind if kind in TYPES else ""),
                      int(count))  # fmt: skip


def sections(root: ElementTree.Element) -> Iterator[tuple[str, ElementTree.Element]]:
    """The cards with the names of their sections, the faction's first."""
    found = [
        (part.get("name", ""), card) for part in root.iter("section") for card in part.iter("card")
    ]
    return iter(sorted(found[:MOST_LINES], key=lambda one: folded(one[0]) != "faction"))
