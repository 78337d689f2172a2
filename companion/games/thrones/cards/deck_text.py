"""Deck lists as text: ThronesDB's layouts, those of other programs, and plain lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from companion.games.thrones.cards.catalogue import folded
from companion.games.thrones.cards.deck_draft import (
    LONGEST_NAME,
    CardLine,
    DeckDraft,
    ReadLine,
    faction_named,
)
from companion.games.thrones.cards.packs import pack_named
from models.field import shown
from models.message import say

LONGEST_LINE = 200
MOST_LINES = 400
ALLOWED_LINE = "Allowed: our table"
"""The line by which players accept what the deck rules forbid."""
VERSION = re.compile(r"version\s*:.*", re.IGNORECASE)
SEPARATOR = re.compile(r"={3,}")
PACKS = re.compile(r"packs?\s*:.*", re.IGNORECASE)
REMARK = re.compile(
    r"(?:version|packs?|total[\w ]*)\s*:.*|(?:created|exported)\b.*|\d+ cards|[`~]{3}.*",
    re.IGNORECASE,
)
BESIDE = re.compile(
    r"\W*(?:side ?(?:board|deck)|maybe ?(?:board)?|considering)\W*(?:\d+(?: cards?)?)?\W*",
    re.IGNORECASE,
)
"""What people keep beside a deck: no part of it."""
SAID = re.compile(r"(?<=\S)\s+(?://|#\s|<[-=]|←|!).*")
"""What somebody says of a card behind its name."""
BULLET = re.compile(r"[•●○◦▪■□►▶✓✔☑★☆·]+\s*")
BOARD_CODE = re.compile(
    r"\[(b|i|u|s|url|size|colou?r|center|quote|list|card)(?:=[^\]]*)?\](.*?)\[/\1\]", re.IGNORECASE
)
"""The ornaments of forums: one letter in brackets alone is a mark of a restricted list."""
KINDS = {
    "strategie": "plot", "charakter": "character", "ort": "location", "verstärkung": "attachment",
    "ereignis": "event", "fraktion": "faction", "nachziehstapel": "draw deck",
}  # fmt: skip
"""The German headings, as they begin."""
HEADING = re.compile(
    r"[=*-]*\s*(plot|character|location|attachment|event|agenda|faction|draw deck|deck|card"
    r"|strategie|charakter|ort|verstärkung|ereignis|fraktion|nachziehstapel)"
    r"(?:s?karten?|s?stapel|s|e|n|en|se)?(?: deck| cards?)?"
    r"\s*[:-]?\s*(?:[(\[]\d+(?:/\d+)?[)\]]|\d+(?: cards?| karten?)?)?\s*:?\s*[=*-]*",
    re.IGNORECASE,
)
TYPE_AFTER = re.compile(
    r"(.+?)\s*[,;–-]\s+(?:plot|character|location|attachment|event|agenda)s?", re.IGNORECASE
)
"""A card with its type behind it."""
CYCLE = re.compile(r"-{2,}\s*(.+?)\s*-{2,}")
LABEL = re.compile(
    r"(faction|fraktion|house|agenda|allowed)(?:\s*:\s*|\s+[–-]\s+)(.+)", re.IGNORECASE
)
LINK = re.compile(r"\[(.+?)\]\(\S*?/card/(\w{1,40})[^)]*\)")
TAG = re.compile(r"\[agot\](.*?)\[/agot\]", re.IGNORECASE)
MARKS = re.compile(
    r"(?:\s*(?:\[(?:[A-Za-z]|[A-Za-z]{1,2}\d{1,3})\]|(?<=[)\]])\s*\[\w{1,5}\]|[*†]))++(?=\s|$)"
)
COUNT = re.compile(
    r"(?:#\d{1,3}\s+)?(?:[xX×хХ]\s?(\d{1,3})\s+"
    r"|[(\[]?(\d{1,3})(?:[)\]]\s*|\s*[×*]\s*|\s*:\s+|[xXхХ]\s*|\s+[xXхХ]\s+|\s+cop(?:y|ies) of\s+"
    r"|\s+))(.*)"
)
CODE = re.compile(r"(\d{5})\s*(.*)")
COUNT_AFTER = re.compile(r"(.+?)(?:\s+\(?[xX×хХ]\s?|\s*(?:\.{2,}|[:=])\s*|\s+[–-]\s+)(\d{1,3})\)?")
COUNT_IN_BRACKETS = re.compile(r"(.+?)\s*[(\[](\d{1,2})[)\]]")
CELL_END = re.compile(r"[|;\t]")
RULE = re.compile(r":?-+:?")
COLUMN = re.compile(
    r"#|(?:no|qty|quantity|count|number|copies|amount|cards?|names?|titles?|packs?|sets?|types?"
    r"|factions?|house|code)\.?",
    re.IGNORECASE,
)
WITH_COMMAS = re.compile(r"\s*\d{1,2}\s?[xX×хХ]?\s*,")
COPIES = re.compile(r"\d{1,2}\s?[xX×хХ]?|[xX×хХ]\s?\d{1,2}")
"""The cells of a table: the line under its heading, the words of the heading, a count."""
ROW = re.compile(r"(?:^|[|;\t])\W*\d{1,2}\s?[xX×хХ]?\s*(?:[,|;\t]|$)")
LIKE = 0.85
"""How much a first line must be like a title for somebody to have meant the card."""
PACK = re.compile(r"(.*?)\s*[(\[]([^()\[\]]*)[)\]]")
PACK_AFTER = re.compile(r"(.+?)(?:,|\s+[–-])\s+([^,]+)")
NUMBER = re.compile(r"(.*?)(?:[\s:]*#|[\s:]+)(\d{1,3})")


@dataclass(frozen=True, slots=True)
class DeckLine:
    """A line that is not blank: its place in the text, as it stands, and without ornaments."""

    place: str
    raw: str
    text: str


def read_lines(draft: DeckDraft, text: str) -> None:
    """A text with one card per line; of several decks the first is read."""
    lines = useful_lines(draft, text)
    ends = [at for at, line in enumerate(lines) if SEPARATOR.fullmatch(line.text)]
    decks = [part for part in cut(lines, ends) if part]
    if len(decks) > 1:
        draft.notes.append(say("the text holds {n} decks; the first was read", n=len(decks)))
    first = decks[0] if decks else []
    packs = [at for at, line in enumerate(first) if PACKS.fullmatch(line.text)]
    if packs:
        read_header(draft, first[: packs[-1]], first[packs[-1] + 1 :])
        read_body(draft, first[packs[-1] + 1 :])
    else:
        read_body(draft, without_name(draft, first))


def useful_lines(draft: DeckDraft, text: str) -> list[DeckLine]:
    """The lines that are not blank and no remarks of people."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        draft.fail("", say("has more than {most} lines", most=MOST_LINES))
    found = []
    for number, raw in enumerate(lines, 1):
        line, place = " ".join(columns(raw).split()), say("line {number}", number=number)
        if len(line) > LONGEST_LINE:
            draft.fail(place, say("is longer than {most} characters", most=LONGEST_LINE))
        if line and not line.startswith(("//", "http", "# ")):
            found.append(DeckLine(place, raw.strip(), undecorated(line)))
    return [line for line in found if line.text]


def columns(raw: str) -> str:
    """A line; a row of a table as one would write it: the count, the title, the pack.

    >>> columns("| Arya Stark | 3 | Core |")
    '3 Arya Stark (Core)'
    """
    commas = WITH_COMMAS.match(raw) or all(COLUMN.fullmatch(one) for one in raw.split(","))
    split = next(csv.reader([raw]), []) if commas else CELL_END.split(raw.lstrip("> "))
    cells = [one.strip(" *_`") for one in split]
    cells = [one for one in cells if one and not RULE.fullmatch(one)]
    if "|" in raw and not cells or len(cells) > 1 and all(map(COLUMN.fullmatch, cells)):
        return ""  # what stands above a table's rows
    if len(cells) < 2:
        return cells[0] if cells and "|" in raw else raw
    counts = [one for one in cells if COPIES.fullmatch(one)]
    others = [one for one in cells if one not in counts and not HEADING.fullmatch(one)]
    title, *packs = [one for one in others if not faction_named(one)] or others or [""]
    if len(counts) > 1 or len(packs) > 1 or not all(map(is_pack, packs)):
        return raw
    known = [f"({one.strip('()')})" for one in packs]
    return " ".join([*(one.strip("xX×хХ ") for one in counts), title, *known])


def is_pack(text: str) -> bool:
    """Whether a cell names a pack, with or without a card's number."""
    bare = text.strip("()")
    number = NUMBER.fullmatch(bare)
    return bool(pack_named(bare) or number and pack_named(number[1]))


def undecorated(line: str) -> str:
    """A line without the ornaments of Markdown, and without the marks of restricted lists."""
    plain = re.sub(r"^(?:>\s*)*(?:#{1,6}\s+|[-–—*•]\s+)?", "", line)
    plain = BULLET.sub("", plain) if BULLET.match(plain) else plain
    while (bare := BOARD_CODE.sub(r"\2", plain)) != plain:
        plain = bare
    plain = plain.strip("*_ ") if plain.startswith(("**", "__")) else plain
    plain = SAID.sub("", plain)
    return MARKS.sub("", re.sub(r"\\([()\[\]_*#-])", r"\1", plain)).strip()


def cut(lines: Sequence[DeckLine], ends: Sequence[int]) -> list[list[DeckLine]]:
    """The lines between those places."""
    starts = [0, *(end + 1 for end in ends)]
    return [list(lines[a:b]) for a, b in zip(starts, [*ends, len(lines)], strict=True)]


# -- the name, the faction and the agendas ---------------------------------------------------------


def read_header(draft: DeckDraft, header: Sequence[DeckLine], body: Sequence[DeckLine]) -> None:
    """What stands above "Packs:": the deck's name, its faction, its agendas."""
    factions = [at for at, line in enumerate(header) if faction_named(line.text)]
    later = [at for at in factions if at]
    if not factions:
        named, agendas = header[:1], header[1:]
    else:
        at = later[0] if later else 0
        read_faction(draft, header[at], faction_named(header[at].text))
        named, agendas = header[:at], header[at + 1 :]
    by_cycle = any(CYCLE.fullmatch(line.text) for line in body)
    if named and not VERSION.fullmatch(named[0].text):
        name_deck(draft, re.sub(r"\s+\d+\.\d+$", "", named[0].raw) if by_cycle else named[0].raw)
    for line in named[1:]:
        if not REMARK.fullmatch(line.text):
            draft.notes.append(say("{line} was not read", line=shown(line.raw)))
    for line in agendas:
        asked = replace(card_line(line.text) or CardLine(line.text), kind="agenda")
        again = by_cycle and any(means_same(asked, card_line(other.text)) for other in body)
        if not again:
            draft.add_card(line.place, line.raw, asked)


def means_same(agenda: CardLine, other: CardLine | None) -> bool:
    """Whether a line below names the agenda again, as the list by cycle does."""
    return other is not None and folded(agenda.title) == folded(other.title)


def name_deck(draft: DeckDraft, text: str) -> None:
    name = " ".join(text.split()).lstrip("# ")
    draft.name = name[:LONGEST_NAME] if name.isprintable() else ""


def without_name(draft: DeckDraft, lines: Sequence[DeckLine]) -> Sequence[DeckLine]:
    """The lines of a plain list after its first line, if that is the deck's name."""
    if not lines or not is_name(draft, lines[0], lines[1:]):
        return lines
    if parts := faction_with_agenda(draft, lines[0], lines[1:]):
        return (*parts, *lines[1:])
    name_deck(draft, lines[0].raw)
    text = lines[0].text
    asked = card_line(text) or CardLine(text)
    titles = draft.cards.names()
    like_a_card = get_close_matches(folded(asked.title)[:LONGEST_NAME], titles, 1, LIKE)
    if faction_named(text) or like_a_card or pack_named(asked.pack):
        draft.notes.append(say("{line} is taken for the deck's name", line=shown(draft.name)))
    return lines[1:]


def faction_with_agenda(
    draft: DeckDraft, first: DeckLine, rest: Sequence[DeckLine]
) -> tuple[DeckLine, ...]:
    """A first line that names a faction and an agenda, as two lines; none if others name them, for
    then it is the deck's name."""
    texts = [label[2] if (label := LABEL.fullmatch(one.text)) else one.text for one in rest]
    others = [line for line in map(card_line, texts) if line is not None]
    if any(has_agenda(draft, one) or faction_named(one.title) for one in others):
        return ()
    words = re.split(r"(?<=\S)(?:[,;:/|–-]\s+|\s+(?:[,;:/|–-]\s+)?)", first.text)
    for at in range(1, len(words)):
        faction, tail = " ".join(words[:at]), " ".join(words[at:])
        tail = tail[1:-1] if tail.startswith("(") and tail.endswith(")") else tail
        agenda = card_line(tail)
        if faction_named(faction) and agenda is not None and has_agenda(draft, agenda):
            return replace(first, text=faction), replace(first, text=tail)
    return ()


def is_name(draft: DeckDraft, first: DeckLine, rest: Sequence[DeckLine]) -> bool:
    """Whether the first line of a plain list is no card: a deck may be called like one."""
    if is_structure(first.text) or COUNT.fullmatch(first.text) or ROW.search(first.raw):
        return False
    if faction_named(first.text):
        return any(faction_named(line.text) for line in rest)
    asked = card_line(first.text) or CardLine(first.text)
    versions = draft.cards.named(asked.title)
    if not versions:
        return asked.count == 1
    if asked.count > 1 or asked.pack:
        return False
    others = [line for line in (card_line(one.text) for one in rest) if line is not None]
    if any(card.type == "agenda" for card in versions):
        return any(has_agenda(draft, line) for line in others)
    return any(COUNT.fullmatch(one.text) for one in rest)


def has_agenda(draft: DeckDraft, line: CardLine) -> bool:
    return any(card.type == "agenda" for card in draft.cards.named(line.title))


def is_structure(text: str) -> bool:
    """Whether a line orders a list and names no card."""
    return bool(
        HEADING.fullmatch(text)
        or REMARK.fullmatch(text)
        or LABEL.fullmatch(text)
        or CYCLE.fullmatch(text)
        or BESIDE.fullmatch(text)
    )


# -- cards -----------------------------------------------------------------------------------------


def read_body(draft: DeckDraft, lines: Sequence[DeckLine]) -> None:
    """Headings and cards, and in plain lists the faction."""
    kind = cycle = ""
    beside = False
    for line in lines:
        if found := HEADING.fullmatch(line.text):
            kind = KINDS.get(found[1].lower(), found[1].lower())
            beside = beside and "deck" not in kind
        elif BESIDE.fullmatch(line.text):
            beside = True
            draft.notes.append(say("{line} was not read", line=shown(line.raw)))
        elif beside:
            continue
        elif found := CYCLE.fullmatch(line.text):
            cycle = found[1]
        elif not REMARK.fullmatch(line.text):
            read_line(draft, line, kind, cycle)


def read_line(draft: DeckDraft, line: DeckLine, kind: str, cycle: str) -> None:
    """A card, the faction, or a label with one of them."""
    text = line.text
    if label := LABEL.fullmatch(text):
        kind, text = label[1].lower(), label[2]
        if kind == "allowed":
            draft.allowed = True
            return
        kind = KINDS.get(kind, kind)
        if folded(text) in ("none", "no agenda", "keine"):
            return
    asked = card_line(text)
    if asked is None:
        draft.miss(line.place, line.raw, say("{line} is not a card", line=shown(line.raw)))
    elif faction := faction_named(asked.title):
        read_faction(draft, line, faction)
    else:
        draft.add_card(line.place, line.raw, replace(asked, kind=kind, cycle=cycle))


def read_faction(draft: DeckDraft, line: DeckLine, faction: str) -> None:
    """The faction; a second one is not read."""
    if draft.faction in ("", faction):
        draft.faction = faction
        draft.read.append(ReadLine(line.raw))
        return
    draft.miss(line.place, line.raw, say("the deck has a faction already"))


def card_line(text: str) -> CardLine | None:
    """What a line says of a card; None if nothing is left of it.

    >>> card_line("3x Arya Stark (Core Set #141)")
    CardLine(title='Arya Stark', count=3, pack='Core Set', number=141, code='', kind='', cycle='')
    >>> card_line("Arya Stark x2")
    CardLine(title='Arya Stark', count=2, pack='', number=0, code='', kind='', cycle='')
    """
    count: int | None = None
    code, pack, number = "", "", 0
    if found := COUNT.fullmatch(text):
        count, text = int(found[1] or found[2]), found[3]
    if found := LINK.search(text):
        text, code = found[1], found[2]
    elif found := TAG.search(text):
        text = found[1]
    elif found := CODE.fullmatch(text):
        code, text = found[1], found[2]
    if found := TYPE_AFTER.fullmatch(text):
        text = found[1]
    for _ in range(2):  # the count may stand before the pack or behind it
        found = COUNT_AFTER.fullmatch(text)
        if found or count is None and (found := COUNT_IN_BRACKETS.fullmatch(text)):
            text, count = found[1], int(found[2])
        if not pack and (found := PACK.fullmatch(text)):
            text, pack = found[1], found[2].strip()
        elif not pack and (found := PACK_AFTER.fullmatch(text)) and is_pack(found[2]):
            text, pack = found[1], found[2]
    if found := NUMBER.fullmatch(pack):
        pack, number = found[1], int(found[2])
    title, copies = text.strip(), 1 if count is None else count
    return CardLine(title, copies, pack, number, code) if title or code else None
