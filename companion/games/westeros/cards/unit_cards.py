"""Unit reference cards, commander cards and their keywords (BOW-UNT-8, BOW-CDR-7, BOW-KEY)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from models.field import Field
from models.message import say

NUMBERED = ("pursue", "toughness")
KEYWORDS = {
    "advance": say("Advance"),
    "pursue": say("Pursue"),
    "toughness": say("Toughness"),
    "war-hounds": say("War hounds"),
    "heavy-armour": say("Heavy armour"),
    "off-balance": say("Off balance"),
    "scorched-earth": say("Scorched earth"),
    "scorching-valour": say("Valour sets fires too"),
    "stalwart": say("Stalwart"),
    "no-valour": say("No valour hit"),
}
MOST = 9


def read_keywords(items: Iterable[Field]) -> dict[str, int]:
    """Keywords as written on cards ("pursue 2"): each with its number, 1 without one."""
    found: dict[str, int] = {}
    for item in items:
        word, _, number = item.text(40).partition(" ")
        Field(word, item.source, item.place).choice(KEYWORDS)
        if number and (word not in NUMBERED or not number.isdecimal() or int(number) > MOST):
            item.fail(say("{value!r} is no number of this keyword", value=number))
        found[word] = int(number) if number else 1
    return found


def plain_keywords(keywords: Mapping[str, int]) -> list[str]:
    """Keywords as files write them."""
    return [f"{one} {n}" if one in NUMBERED else one for one, n in keywords.items()]


def keyword_words(keyword: str, number: int) -> str:
    """A keyword as players read it."""
    name = KEYWORDS[keyword]
    return say("{keyword} {n}", keyword=name, n=number) if keyword in NUMBERED else name


RANKS = ("green", "blue", "red")
"""Ranks in rising order (BOW-UNT-6)."""
CLASSES = ("foot", "ranged", "cavalry", "special")
"""Class is a trait without an effect of its own (BOW-GEN-6, BOW-UNT-7); `special` has its card."""
STRENGTH = {"foot": 4, "ranged": 4, "cavalry": 3, "special": 3}
"""Figures at the start (BOW-UNT-3)."""
RANK_DICE = {"green": 2, "blue": 3, "red": 4}
"""Attack dice where the card says nothing else (BOW-CMB-3)."""
MELEE_RANGE = 1
"""Melee units attack adjacent hexes only (BOW-LOS-3)."""
ARCHER_RANGE = 4
"""The range of archers in the book's example, for a ranged unit without a card."""


@dataclass(frozen=True, slots=True)
class OrderOption:
    """One order option: so many hexes, and whether the unit may attack afterwards."""

    hexes: int
    attack: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"move": self.hexes, "attack": self.attack}


@dataclass(frozen=True, slots=True)
class OrderRow:
    """The row of a rank."""

    options: tuple[OrderOption, ...] = (OrderOption(2, True),)
    dice: int = 2
    range: int = MELEE_RANGE
    keywords: Mapping[str, int] = field(default_factory=dict)

    @property
    def longest(self) -> int:
        """The longest move of its options."""
        return max((one.hexes for one in self.options), default=0)

    def to_json(self) -> dict[str, Any]:
        return {
            "options": [one.to_json() for one in self.options],
            "dice": self.dice,
            "range": self.range,
            "keywords": plain_keywords(self.keywords),
        }


PLAIN_OPTIONS = {
    "green": (OrderOption(2, True),),
    "blue": (OrderOption(1, True), OrderOption(2)),
    "red": (OrderOption(1, True),),
}
"""The options of a unit without a card: those of the Northern guard, which the book prints."""


@dataclass(frozen=True, slots=True)
class UnitReference:
    """A unit type: its name, house, class, strength, and a row for each rank it may have."""

    id: str
    name: str
    house: str
    kind: str
    strength: int
    rows: Mapping[str, OrderRow]
    traits: tuple[str, ...] = ()
    sure: bool = True
    """Whether a book prints its numbers; otherwise players should enter those of their card."""
    short: str = ""
    """What its sign on the map says; the last word of its name without it."""

    @property
    def base(self) -> str:
        """Its bases: rectangular for cavalry and kennel masters, else square (BOW-CMP-1)."""
        return "rectangular" if self.kind in ("cavalry", "special") else "square"

    @property
    def label(self) -> str:
        return self.short or self.name.split()[-1]

    def row(self, rank: str) -> OrderRow:
        return self.rows[rank]

    @classmethod
    def read(cls, item: Field) -> UnitReference:
        """Read a card; every error names its place."""
        raw = item.keys(
            {
                "id",
                "name",
                "short",
                "house",
                "class",
                "strength",
                "keywords",
                "traits",
                "sure",
                *RANKS,
            },
            {"id", "name", "class"},
        )
        kind = item.member("class").choice(CLASSES)
        own = read_keywords(item.listed("keywords", 12))
        rows = {
            rank: read_row(item.member(rank), kind, rank, own)
            if rank in raw
            else plain_row(kind, rank, own)
            for rank in RANKS
        }
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            item.member("house").text(60) if "house" in raw else "",
            kind,
            item.member("strength").whole(1, 12) if "strength" in raw else STRENGTH[kind],
            rows,
            tuple(one.text(40) for one in item.listed("traits", 12)),
            item.member("sure").flag() if "sure" in raw else True,
            item.member("short").text(20) if "short" in raw else "",
        )

    def to_json(self) -> dict[str, Any]:
        """The card as a JSON or TOML object; `read` reads it back."""
        text: dict[str, Any] = {"id": self.id, "name": self.name, "class": self.kind}
        for key in ("short", "house"):
            if value := getattr(self, key):
                text[key] = value
        text |= {"strength": self.strength, **{r: row.to_json() for r, row in self.rows.items()}}
        if self.traits:
            text["traits"] = list(self.traits)
        return text if self.sure else {**text, "sure": False}


def read_row(item: Field, kind: str, rank: str, own: Mapping[str, int]) -> OrderRow:
    """The row of a rank; what it leaves out is that of a unit without a card."""
    raw = item.keys({"options", "dice", "range", "keywords"})
    plain = plain_row(kind, rank, own)
    options = plain.options
    if "options" in raw:
        options = tuple(read_option(one) for one in item.member("options").items(6, 1))
    return OrderRow(
        options,
        item.member("dice").whole(1, 8) if "dice" in raw else plain.dice,
        item.member("range").whole(1, 12) if "range" in raw else plain.range,
        {**own, **read_keywords(item.listed("keywords", 12))},
    )


def read_option(item: Field) -> OrderOption:
    """One order option."""
    item.keys({"move", "attack"}, {"move"})
    attack = item.member("attack").flag() if "attack" in item.raw else False
    option = OrderOption(item.member("move").whole(0, 8), attack)
    if not option.hexes and not option.attack:
        item.fail(say("an option neither moves nor attacks"))
    return option


def plain_row(kind: str, rank: str, keywords: Mapping[str, int]) -> OrderRow:
    """The row of a unit without a card."""
    reach = ARCHER_RANGE if kind == "ranged" else MELEE_RANGE
    return OrderRow(PLAIN_OPTIONS[rank], RANK_DICE[rank], reach, keywords)


@cache
def plain_reference(kind: str) -> UnitReference:
    """The card of a unit of which only the class is known."""
    rows = {rank: plain_row(kind, rank, {}) for rank in RANKS}
    return UnitReference("", kind, "", kind, STRENGTH[kind], rows)


UNKNOWN_LIMIT = 2
"""The command limit of a commander whose card nobody has entered; core cards have 1 to 3."""
UNKNOWN_CAPTURE = 2
"""The capture value of a commander whose card nobody has entered."""


@dataclass(frozen=True, slots=True)
class CommanderCard:
    """A commander; `limit` and `capture` are None where no source prints them.

    `ability` says that the card has a special ability that is used once per battle (BOW-CDR-6).
    """

    id: str
    name: str
    title: str = ""
    house: str = ""
    unit: str = ""
    limit: int | None = None
    capture: int | None = None
    keywords: Mapping[str, int] = field(default_factory=dict)
    value: int = 2
    """The value for skirmishes (BOW-SKM-4)."""

    @property
    def most_tokens(self) -> int:
        return UNKNOWN_LIMIT if self.limit is None else self.limit

    @property
    def capture_value(self) -> int:
        return UNKNOWN_CAPTURE if self.capture is None else self.capture

    @classmethod
    def read(cls, item: Field) -> CommanderCard:
        """Read a card; every error names its place."""
        raw = item.keys(
            {"id", "name", "title", "house", "unit", "limit", "capture", "keywords", "value"},
            {"id", "name"},
        )
        texts = {key: item.member(key).text(80) for key in ("title", "house", "unit") if key in raw}
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            limit=item.member("limit").whole(1, 9) if "limit" in raw else None,
            capture=item.member("capture").whole(1, 9) if "capture" in raw else None,
            keywords=read_keywords(item.listed("keywords", 12)),
            value=item.member("value").whole(0, 20) if "value" in raw else 2,
            **texts,
        )

    def to_json(self) -> dict[str, Any]:
        """The card as a JSON or TOML object; `read` reads it back."""
        text: dict[str, Any] = {"id": self.id, "name": self.name}
        for key in ("title", "house", "unit"):
            if value := getattr(self, key):
                text[key] = value
        for key in ("limit", "capture"):
            if (value := getattr(self, key)) is not None:
                text[key] = value
        return {**text, "keywords": plain_keywords(self.keywords), "value": self.value}
