"""A card as the companion knows it: its name and its numbers, no text (AGOT-CMP-15)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from models.field import Field
from models.message import say

TYPES = ("character", "location", "attachment", "event", "plot", "agenda")
"""The types of cards in a deck; titles and faction cards are no part of it (AGOT-CMP-1)."""
DRAW_TYPES = ("character", "location", "attachment", "event")
"""The types of the draw deck (AGOT-DECK-14)."""
STAYING = ("character", "location", "attachment")
"""The types that can be marshaled and stay in play (AGOT-MAR-7)."""
FACTIONS = (
    "stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell", "targaryen", "nights-watch",
)  # fmt: skip
"""The eight factions (AGOT-CMP-2)."""
NEUTRAL = "neutral"
"""The word of cards that belong to no faction (AGOT-CMP-5)."""
CHALLENGES = ("military", "intrigue", "power")
ICONS = {"m": "military", "i": "intrigue", "p": "power"}
KEYWORDS = (
    "ambush", "insight", "intimidate", "limited", "no attachments", "pillage", "renown", "stealth",
    "terminal", "assault", "bestow", "prized", "shadow",
)  # fmt: skip
"""The keywords of the rulebook and of the expansions (AGOT-KEY-1, AGOT-KEY-30); a card may print
others, which the players resolve."""
VALUED_KEYWORDS = ("ambush", "bestow", "prized", "shadow", "no attachments")
"""Keywords that a number follows, or the attachments that are allowed all the same."""
NUMBERS = ("cost", "strength", "gold", "initiative", "claim", "reserve")
MODIFIERS = ("gold", "initiative", "claim", "reserve")
"""The values of a plot; on any other card they change those of its controller's plot."""
MOST_VALUE = 99


def keyword_parts(text: str) -> tuple[str, str]:
    """A printed keyword and its value.

    >>> keyword_parts("ambush (4)"), keyword_parts("no attachments except Weapon")
    (('ambush', '4'), ('no attachments', 'except Weapon'))
    """
    for word in VALUED_KEYWORDS:
        if text.lower().startswith(f"{word} "):
            return word, text[len(word) + 1 :].strip("() ")
    return text.lower(), ""


def printed_keywords(text: str) -> Iterator[tuple[str, str]]:
    """The keywords of a card, as a list or as the card prints them.

    >>> list(printed_keywords("Ambush (4). Renown.")), list(printed_keywords("stealth, limited"))
    ([('ambush', '4'), ('renown', '')], [('stealth', ''), ('limited', '')])
    """
    words = (word.strip() for word in re.split("[,.;]", text))
    return (keyword_parts(word) for word in words if word)


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One version of a card. A number that is printed as X is 0 and named in `variable`
    (AGOT-GEN-9).

    `cost` is None for a card that cannot be paid for: its cost is a dash (AGOT-SHD-25); it is the
    printed one, never that of a keyword (AGOT-SHD-23).
    """

    code: str
    name: str
    type: str
    faction: str = NEUTRAL
    pack: str = ""
    cost: int | None = None
    strength: int = 0
    icons: tuple[str, ...] = ()
    unique: bool = False
    loyal: bool = False
    """Whether its crest is that of a loyal card of its faction (AGOT-CMP-4)."""
    traits: str = ""
    keywords: tuple[str, ...] = ()
    gold: int = 0
    initiative: int = 0
    claim: int = 0
    reserve: int = 0
    limit: int = 3
    variable: tuple[str, ...] = ()
    keyword_values: tuple[tuple[str, str], ...] = ()
    """The values of keywords that have any: ("ambush", "4"), ("no attachments", "except Cat")."""

    def keyword_number(self, keyword: str) -> int | None:
        """The printed number of a keyword; None where there is none, or an X. Of several, the sum
        for prized (AGOT-KEY-56), the highest for bestow (AGOT-OR-27), else the lowest price: each
        is a keyword of its own, and its controller chooses (AGOT-KEY-4, -32, AGOT-SHD-20)."""
        values = [value for word, value in self.keyword_values if word == keyword]
        if not values or not all(one.isascii() and one.isdecimal() for one in values):
            return None
        numbers = [int(one) for one in values]
        if keyword == "prized":
            return sum(numbers)
        return max(numbers) if keyword == "bestow" else min(numbers)

    def become(self, kind: str) -> CardFacts:
        """The card with another type: it loses all others (AGOT-CMP-13)."""
        return replace(self, type=kind)

    @classmethod
    def of(cls, code: str, kind: str, raw: dict[str, Any]) -> CardFacts:
        """A card from the members of a catalogue entry."""
        numbers: dict[str, Any] = {}
        variable = []
        for name in NUMBERS:
            value = raw.get(name)
            if isinstance(value, int):
                numbers[name] = value
            elif value == "X":
                numbers[name] = 0
                variable.append(name)
        words = list(printed_keywords(raw.get("keywords", "")))
        return cls(
            code,
            raw["name"],
            kind,
            raw.get("faction", NEUTRAL),
            raw.get("pack", ""),
            icons=tuple(ICONS[letter] for letter in raw.get("icons", "")),
            unique=raw.get("unique", False),
            loyal=raw.get("loyal", False),
            traits=raw.get("traits", ""),
            keywords=tuple(word for word, _ in words),
            limit=raw.get("limit", USUAL_LIMIT.get(kind, 3)),
            variable=tuple(variable),
            keyword_values=tuple(pair for pair in words if pair[1]),
            **numbers,
        )

    @classmethod
    def read(cls, code: str, kind: str, item: Field) -> CardFacts:
        """A card that players wrote: every value is checked and named in an error."""
        raw = dict(item.keys(ENTRY_KEYS, {"name"}))
        item.member("name").text(80)
        for key in ("pack", "traits", "keywords"):
            if raw.get(key):
                item.member(key).text(200)
        if "faction" in raw:
            item.member("faction").choice((*FACTIONS, NEUTRAL))
        if "icons" in raw and set(item.member("icons").text(3)) - ICONS.keys():
            item.member("icons").fail("is not made of the letters m, i and p")
        for key in NUMBERS:
            if key in raw and raw[key] not in ("X", "-"):
                least = -MOST_VALUE if kind != "plot" and key in MODIFIERS else 0
                raw[key] = item.member(key).whole(least, MOST_VALUE)
        for key in ("unique", "loyal"):
            if key in raw:
                item.member(key).flag()
        if "limit" in raw:
            raw["limit"] = item.member("limit").whole(1, MOST_VALUE)
        return cls.of(code, kind, raw)

    def to_json(self) -> dict[str, Any]:
        """The card as a JSON object; `read` takes it back without `code` and `type`."""
        letters = {word: letter for letter, word in ICONS.items()}
        values: dict[str, list[str]] = {}
        for word, value in self.keyword_values:
            values.setdefault(word, []).append(value)
        found: dict[str, Any] = {
            "name": self.name,
            "faction": self.faction,
            "pack": self.pack,
            "icons": "".join(letters[one] for one in self.icons),
            "unique": self.unique,
            "loyal": self.loyal,
            "traits": self.traits,
            "keywords": ", ".join(
                f"{word} {values[word].pop(0)}" if values.get(word) else word
                for word in self.keywords
            ),
        }
        found |= {
            key: "X" if key in self.variable else getattr(self, key)
            for key in NUMBERS
            if key in self.variable or getattr(self, key)
        }
        if self.cost == 0 and "cost" not in self.variable:
            found["cost"] = 0
        if self.limit != USUAL_LIMIT.get(self.type, 3):
            found["limit"] = self.limit
        return {key: value for key, value in found.items() if value not in ("", False)} | (
            {"cost": 0} if found.get("cost") == 0 else {}
        )


USUAL_LIMIT = {"plot": 2, "agenda": 1}
"""How many copies a deck may hold where the card says nothing; 3 of the others (AGOT-DECK-9)."""
ENTRY_KEYS = frozenset(
    ("name", "faction", "pack", "icons", "unique", "loyal", "traits", "keywords", "limit", *NUMBERS)
)
FACE_DOWN = CardFacts("", say("Face-down card"), "face-down")
"""A card that lies face down in play: it has no other attribute (AGOT-ZONE-31)."""
