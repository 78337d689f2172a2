"""The cards that players mean by a name: as printed, in another language or season, or nearly."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.games.tmg.cards.army import Card
from companion.games.tmg.cards.army_catalogue import army_catalogue, seasons
from companion.text.translation import LANGUAGES, name_files, read_po
from models.army_card import NEAREST, folded, preferred
from models.catalogue import own_folder

UNTOLD = frozenset("the of house haus von der die das des dem and und a in no".split())
"""Words that lists leave out or add."""
ADDED = frozenset("commander unit attachment infantry cavalry ncu character heerfuhrer".split())
TYPO = 0.88
"""How alike a misspelt name must be to be taken."""
LIKE = 0.7
"""How alike a line without a mark must be to be asked about."""
AHEAD = 0.06
"""And how much more alike than the next one."""
LONG = 5
"""How long a word must be for a misspelling to be certain."""
MOST_WORDS = 12
KINDS = ("units", "attachments", "ncus")


def spelled(name: str) -> str:
    """The words of a name alone.

    >>> spelled("Robb Stark – “The Wolf Lord”"), spelled("Wolf's Den")
    ('robb stark the wolf lord', 'wolfs den')
    """
    return " ".join(re.findall(r"\w+", folded(name).replace("'", "")))


def stems(name: str) -> frozenset[str]:
    """The words by which a card is known, singular.

    >>> sorted(stems("House Umber Berserkers"))
    ['berserker', 'umber']
    """
    return frozenset(
        word[:-1] if len(word) > 3 and word.endswith("s") else word
        for word in spelled(name).split()
        if word not in UNTOLD
    )


def pairs(name: str) -> frozenset[str]:
    """The pairs of neighbouring letters of a name, by which misspelt names are alike."""
    plain = f" {spelled(name)[:80]} "
    return frozenset(plain[at : at + 2] for at in range(len(plain) - 1))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """How many of their pairs two names share, from 0 to 1."""
    return 2 * len(one & other) / (len(one) + len(other) or 1)


@dataclass(frozen=True, slots=True)
class CardName:
    """A card under one of its names."""

    card: Card
    kind: str
    name: str
    stems: frozenset[str]
    pairs: frozenset[str]

    @classmethod
    def of(cls, card: Card, kind: str, name: str) -> CardName:
        return cls(card, kind, spelled(name), stems(name), pairs(name))


@dataclass(frozen=True, slots=True)
class CardFinder:
    """Every name of every card of a season."""

    names: tuple[CardName, ...]
    printed: frozenset[str]
    """The names as the cards print them, in any language, without capitals and accents."""
    words: frozenset[str]
    """Every word of every name."""

    def exactly(self, text: str, kinds: Sequence[str], factions: Iterable[str]) -> tuple[Card, ...]:
        """The cards of that name: of the first kind that has one, of the faction if it has one."""
        wanted = spelled(text)
        ours = tuple(factions)
        found = [one for one in self.names if one.name == wanted]
        for kind in kinds:
            if cards := tuple({o.card.id: o.card for o in found if o.kind == kind}.values()):
                return preferred(cards, ours)
        return ()

    def likely(self, text: str, kinds: Sequence[str], factions: Iterable[str]) -> Card | None:
        """The one card of these factions that the text can only mean: words left out, or a typo."""
        ours = tuple(factions)
        known = [one for one in self.names if one.card.faction in ours]
        wanted = stems(text)
        if not wanted or len(wanted) > MOST_WORDS:
            return None
        close = [
            {word} if word in self.words or len(word) < LONG else self.close_to(word)
            for word in wanted
        ]
        for kind in kinds:
            fits = {
                one.card.id: one.card
                for one in known
                if one.kind == kind
                and (all(words & one.stems for words in close) or one.stems == wanted - ADDED)
            }
            if fits:
                cards = preferred(tuple(fits.values()), ours)
                return cards[0] if len(cards) == 1 else None
        return self.misspelt(text, [one for one in known if one.kind in kinds])

    def close_to(self, word: str) -> set[str]:
        """The known words that a misspelt one may be."""
        return {word, *difflib.get_close_matches(word[:40], self.words, 3, TYPO)}

    @staticmethod
    def misspelt(text: str, known: Sequence[CardName]) -> Card | None:
        """The card whose name is alike and clearly more so than any other."""
        own = pairs(text)
        matcher = difflib.SequenceMatcher(b=spelled(text)[:80])
        best: dict[str, tuple[float, Card]] = {}
        for one in known:
            if likeness(own, one.pairs) > 0.5:
                matcher.set_seq1(one.name)
                ratio = matcher.ratio()
                if ratio > best.get(one.card.id, (0.0, one.card))[0]:
                    best[one.card.id] = (ratio, one.card)
        ranked = sorted(best.values(), key=lambda pair: -pair[0])
        if not ranked or ranked[0][0] < TYPO:
            return None
        clear = len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= AHEAD
        return ranked[0][1] if clear else None

    def near(
        self,
        text: str,
        kinds: Sequence[str],
        factions: Iterable[str],
        among: Collection[str] | None = None,
    ) -> tuple[str, ...]:
        """The labels of the cards nearest to a text, best first: of the factions, if any is."""
        ours = tuple(factions)
        known = [one for one in self.names if among is None or one.card.id in among]
        known = [one for one in known if one.card.faction in ours] or known
        own = pairs(text)
        scores: dict[str, float] = {}
        for one in known:
            score = likeness(own, one.pairs) + len(own & one.pairs) / (len(own) or 1)
            score += 0.1 if kinds and one.kind == kinds[0] else 0.0
            scores[one.card.label] = max(score, scores.get(one.card.label, 0.0))
        return tuple(sorted(scores, key=lambda label: -scores[label])[:NEAREST])

    def resembles(self, text: str, factions: Iterable[str]) -> bool:
        """Whether a text without a mark looks like a card's name."""
        ours, words, own = tuple(factions), stems(text), pairs(text)
        return any(
            0 < len(words) <= len(words & one.stems) * 2 or likeness(own, one.pairs) > LIKE
            for one in self.names
            if one.card.faction in ours
        )

    def is_printed(self, text: str) -> bool:
        """Whether a card bears exactly that name."""
        return folded(text) in self.printed


def card_finder(game: str, season: str) -> CardFinder:
    """The names of a season's cards, including the player's own."""
    return gather_names(game, season, own_folder())


@lru_cache
def gather_names(game: str, season: str, own: Path | None) -> CardFinder:
    """The names of all cards, in all languages that name them and in all seasons."""
    facts = army_catalogue(game, season)
    others = [army_catalogue(game, "" if one == seasons(game)[0] else one) for one in seasons(game)]
    foreign = [read_po(path) for language in LANGUAGES for path in name_files(language, "tmg")]
    found: list[CardName] = []
    printed: set[str] = set()
    for kind in KINDS:
        for key, card in getattr(facts, kind).items():
            names = [card.name, card.label]
            names += [words[name][0] for words in foreign for name in list(names) if name in words]
            printed |= {folded(name) for name in names}
            for other in others:
                if key in (shelf := getattr(other, kind)):
                    names += [shelf[key].name, shelf[key].label]
            found += [CardName.of(card, kind, name) for name in dict.fromkeys(names)]
    words = frozenset(word for one in found for word in one.stems)
    return CardFinder(tuple(found), frozenset(printed), words)
