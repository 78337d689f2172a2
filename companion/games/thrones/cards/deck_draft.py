"""A deck list that is being read: its cards so far, the version each line means, unread lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.games.thrones.cards.card import FACTIONS, NEUTRAL, CardFacts
from companion.games.thrones.cards.catalogue import MOST_NEAR, CardCatalogue, folded
from companion.games.thrones.cards.deck import FACTION_WORDS, DeckList
from companion.games.thrones.cards.packs import earliest, number_of, pack_named, packs
from models.field import shown
from models.message import BadInput, joined, say

MOST_OF_A_CARD = 99
MEANT_DIGITS = 4
"""So many digits of a wrong code are taken for right."""
LONGEST_NAME = 80
MOST_SOUGHT = 100
"""The wrong lines for which near cards are sought: nobody mends more of them by tapping."""


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that names no card: where it stands, why, and the cards that come near."""

    place: str
    line: str
    problem: str
    near: tuple[CardFacts, ...] = ()

    @property
    def text(self) -> str:
        return joined((part for part in (self.place, self.problem) if part), ": ")


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line as it stands, and the card it means; without a code it names the faction."""

    line: str
    code: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class CardLine:
    """What a line says of a card: how many, its title, and what tells the version."""

    title: str
    count: int = 1
    pack: str = ""
    number: int = 0
    code: str = ""
    kind: str = ""
    cycle: str = ""


@dataclass(slots=True)
class DeckDraft:
    """What was read so far: the faction, the number of each card, remarks, and unread lines."""

    cards: CardCatalogue
    source: str
    faction: str = ""
    name: str = ""
    allowed: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unread: list[UnreadLine] = field(default_factory=list)
    read: list[ReadLine] = field(default_factory=list)

    def fail(self, place: str, problem: str) -> None:
        raise BadInput(self.source, short_place(place), problem)

    def miss(self, place: str, line: str, problem: str, near: Sequence[CardFacts] = ()) -> None:
        """Keep a line that names no card; the others are read."""
        self.unread.append(UnreadLine(short_place(place), line, problem, tuple(near)))

    def add(self, place: str, line: str, code: str, count: int) -> None:
        """Count a card."""
        total = self.counts.get(code, 0) + count
        if count >= 1 and total <= MOST_OF_A_CARD:
            self.counts[code] = total
            self.read.append(ReadLine(line, code, count))
            return
        card = self.cards[code]
        self.miss(
            place, line, say("{count} copies of {card}", count=total, card=card.name), (card,)
        )

    def add_card(self, place: str, line: str, asked: CardLine) -> None:
        """Count the card that a line means, or keep the line as unread."""
        card = pick(self, place, line, asked)
        if card is not None:
            self.add(place, line, card.code, asked.count)

    def deck(self) -> DeckList:
        """The deck as far as it was read; where no faction is named, most of its cards name it."""
        cards = tuple((self.cards[code], n) for code, n in self.counts.items())
        return DeckList(self.faction or likely_faction(cards), cards, self.name)


def short_place(place: str) -> str:
    """A place for a message: the key of a damaged list may be a page long."""
    return place if len(place) <= LONGEST_NAME else f"{place[: LONGEST_NAME - 1]}…"


def likely_faction(cards: tuple[tuple[CardFacts, int], ...]) -> str:
    """The faction of the loyal cards, else of most cards."""
    found = dict.fromkeys(FACTIONS, 0)
    for card, n in cards:
        if card.faction != NEUTRAL:
            found[card.faction] += n * (100 if card.loyal else 1)
    best = max(found, key=lambda faction: found[faction])
    return best if found[best] else ""


def faction_named(text: str) -> str:
    """The faction that a text names; empty if none."""
    return FACTION_NAMES.get(bare_faction(text), "")


def bare_faction(text: str) -> str:
    return re.sub(r"^(?:house|haus|the|die) ", "", folded(text))


FACTION_NAMES = {
    **{folded(faction): faction for faction in FACTIONS},
    "thenightswatch": "nights-watch",
    "nachtwache": "nights-watch",
    "lennister": "lannister",
    "graufreud": "greyjoy",
    **{bare_faction(words): one for one, words in FACTION_WORDS.items() if one != NEUTRAL},
}


# -- the version of a card -------------------------------------------------------------------------


def pick(draft: DeckDraft, place: str, line: str, asked: CardLine) -> CardFacts | None:
    """The version that a line means: by its code, its pack, its number, or the earliest."""
    if asked.code and asked.code in draft.cards:
        card = draft.cards[asked.code]
        if asked.title and folded(asked.title) != folded(card.name):
            draft.notes.append(
                say("{line} is {card} by its id", line=shown(asked.title), card=card.name)
            )
        return card
    versions = draft.cards.named(asked.title)
    if not versions and asked.pack:
        versions = draft.cards.named(f"{asked.title} ({asked.pack})")
    if not versions:
        miss_title(draft, place, line, asked)
        return None
    if asked.pack or asked.number:
        return of_pack(draft, place, line, asked, versions)
    return without_pack(draft, asked, versions)


def miss_title(draft: DeckDraft, place: str, line: str, asked: CardLine) -> None:
    """Keep a line whose title no card has, with the nearest cards: those of its pack first, each in
    the version that the line means."""
    near: list[CardFacts] = []
    title = asked.title or asked.code
    if len(draft.unread) < MOST_SOUGHT:
        found = [draft.cards.named(name) for name in draft.cards.nearest(title)]
        fitting = [fitting_versions(asked, versions) for versions in found]
        meant = sorted(zip(fitting, found, strict=True), key=lambda pair: not pair[0])
        near = [earliest(versions or others) for versions, others in meant]
        near = near or near_codes(draft, title)
    problem = say("no card {name}", name=shown(title))
    if near:
        names = ", ".join(card.name for card in near)
        problem = say("no card {name}; near: {near}", name=shown(title), near=names)
    draft.miss(place, line, problem, near)


def near_codes(draft: DeckDraft, text: str) -> list[CardFacts]:
    """The cards whose codes begin like a text of digits."""
    begin = text[:MEANT_DIGITS]
    if len(begin) < MEANT_DIGITS or not begin.isdecimal():
        return []
    return [draft.cards[code] for code in sorted(draft.cards) if code.startswith(begin)][:MOST_NEAR]


def of_pack(
    draft: DeckDraft, place: str, line: str, asked: CardLine, versions: list[CardFacts]
) -> CardFacts | None:
    """The version in a pack; a pack that does not have the title is never replaced in silence."""
    if fitting := fitting_versions(asked, versions):
        return earliest(exact_title(asked, fitting))
    pack = pack_named(asked.pack)
    names = ", ".join(f"{card.name} ({card.pack})" for card in versions)
    if pack is None and len(versions) == 1:
        draft.notes.append(
            say("no pack is called {pack}; {near} is meant", pack=shown(asked.pack), near=names)
        )
        return versions[0]
    draft.miss(
        place,
        line,
        say("{card} is not in {pack}; near: {near}", card=asked.title, pack=shown(asked.pack),
            near=names),
        versions,
    )  # fmt: skip
    return None


def fitting_versions(asked: CardLine, versions: list[CardFacts]) -> list[CardFacts]:
    """The versions in the pack that a line names, or with its number; none if it names neither."""
    pack = pack_named(asked.pack)
    codes = {folded(asked.pack), *((folded(pack.code),) if pack else ())} - {""}
    fitting = [card for card in versions if folded(card.pack) in codes or card.code == asked.pack]
    if not fitting and asked.number:
        fitting = [card for card in versions if has_number(card, asked)]
    return fitting


def has_number(card: CardFacts, asked: CardLine) -> bool:
    """Whether a card has that number in the cycle of its heading or of its pack's name."""
    pack = packs().get(card.pack)
    cycles = {folded(asked.cycle), folded(asked.pack)}
    return pack is not None and folded(pack.cycle) in cycles and number_of(card) == asked.number


def exact_title(asked: CardLine, versions: list[CardFacts]) -> list[CardFacts]:
    """The versions of the type of the heading, then those whose title has the same quotation marks.

    Two titles differ in nothing but their quotation marks.
    """
    fitting = [card for card in versions if card.type == asked.kind] or versions
    return [card for card in fitting if quoted(card.name) == quoted(asked.title)] or fitting


def quoted(title: str) -> bool:
    return title.startswith(('"', "“", "„", "«", "”"))


def without_pack(draft: DeckDraft, asked: CardLine, versions: list[CardFacts]) -> CardFacts:
    """The earliest version, which is listed where there are others."""
    card = earliest(exact_title(asked, versions))
    versions = [one for one in versions if quoted(one.name) == quoted(card.name)]
    if len(versions) > 1:
        draft.notes.append(
            say(
                "{card} is in several packs ({packs}); taken from {taken}",
                card=card.name,
                packs=", ".join(one.pack for one in versions),
                taken=card.pack,
            )
        )
    return card
