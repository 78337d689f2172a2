"""Deck lists of the card game as players paste or open them."""

from __future__ import annotations

import json
import random
from pathlib import Path

from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.deck import DeckList, with_sample
from companion.games.thrones.cards.deck_reader import read_whole
from companion.games.thrones.cards.deck_rules import deck_problems
from models.field import Field, decode_list
from tests.fuzz.driver import Fuzzer, one_line
from tests.fuzz.mutate import encoded, letters, raw
from tests.games.thrones.test_decks import as_json, as_lines, as_octgn, as_thronesdb


def as_table(deck: DeckList) -> str:
    """Rows as people copy them from a page or a spreadsheet."""
    rows = [f"| {count} | {card.name} | {card.pack} |" for card, count in deck.cards]
    return "\n".join(["| Count | Card | Pack |", "|---|---|---|", *rows])


FORMS = (as_json, as_lines, as_octgn, as_table, as_thronesdb)
LONG = (
    "|",
    ";",
    "3,",
    "\n",
    " ",
    "(",
    ")",
    "1",
    "3x ",
    "{",
    '"',
    "<card>",
    "</deck>",
    "&amp;",
    "×",
    "é",
    "\t",
)


def make(dice: random.Random, folder: Path) -> bytes:
    """A list in any form, damaged, sometimes very long."""
    name = dice.choice(("sample stark", "sample lannister"))
    plain = with_sample(name)
    deck = read_whole(name, card_catalogue()).deck()
    text = dice.choice(FORMS)(deck) if dice.random() < 0.7 else plain
    kind = dice.random()
    if kind < 0.15:
        at = dice.randrange(len(text) + 1)
        piece = dice.choice(LONG)
        text = text[:at] + piece * dice.choice((100, 5000, 90_000 // len(piece))) + text[at:]
    elif kind < 0.3:
        return raw(dice, encoded(text))
    if dice.random() < 0.8:
        text = letters(dice, text)
    return encoded(text)


def check(given: bytes, folder: Path) -> str:
    """Read it and judge it; what was read is written and read the same."""
    draft = read_whole(decode_list(given, "list.txt"), card_catalogue())
    deck, notes = draft.deck(), draft.notes
    for problem in deck_problems(deck):
        one_line(str(problem.say))
    for note in notes:
        one_line(str(note))
    again = DeckList.read(Field(json.loads(json.dumps(deck.to_json()))))
    assert again == deck, (again, deck)
    return "read"


FUZZER = Fuzzer("decks", make, check)
