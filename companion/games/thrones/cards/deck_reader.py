"""Deck lists as players have them: every layout of ThronesDB, OCTGN, throneteki, plain lines.

    draft = read_whole(text, card_catalogue())
    deck, notes = draft.deck(), draft.notes

`read_draft` reads as far as it can: what it could not read is in `unread`, with near cards.
"""

from __future__ import annotations

import re

from companion.games.thrones.cards.catalogue import CardCatalogue
from companion.games.thrones.cards.deck import FACTION_WORDS, with_sample
from companion.games.thrones.cards.deck_draft import DeckDraft
from companion.games.thrones.cards.deck_files import read_object, read_sections
from companion.games.thrones.cards.deck_text import read_lines
from models.message import BadInput, joined, say

LONGEST = 60_000
INVISIBLE = re.compile("[\x00\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
"""What comes along when people copy from pages and messengers: no width, and marks of direction."""


def read_whole(text: str, cards: CardCatalogue, source: str = "deck") -> DeckDraft:
    """A list that can be read wholly; all lines that cannot are named at once."""
    draft = read_draft(text, cards, source)
    if draft.unread:
        raise BadInput(source, "", joined((line.text for line in draft.unread), "; "))
    if not draft.counts:
        raise BadInput(source, "", say("holds no card"))
    return draft


def read_draft(text: str, cards: CardCatalogue, source: str = "deck") -> DeckDraft:
    """A list as far as it can be read; it may hold nothing yet."""
    text = with_sample(text)
    if len(text) > LONGEST:
        raise BadInput(source, "", say("is longer than {most} characters", most=LONGEST))
    text = INVISIBLE.sub("", text)
    draft = DeckDraft(cards, source)
    begin = text.lstrip(" \t\r\n")
    if begin.startswith("{") or re.match(r"\[\s*\{", begin):
        read_object(draft, begin)
    elif begin.startswith("<"):
        read_sections(draft, begin)
    else:
        read_lines(draft, text)
    if draft.counts and not draft.faction and (guess := draft.deck().faction):
        draft.notes.append(
            say("no faction is named; its cards are of {faction}", faction=FACTION_WORDS[guess])
        )
    return draft
