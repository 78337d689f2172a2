"""Unit reference cards, commander cards and their keywords (BOW-UNT-8, BOW-CDR-7, BOW-KEY)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Literal, cast, get_args

from models.field import Field
from models.message import say
from models.record_reader import (
    GIVEN,
    WRITTEN,
    Between,
    FileKey,
    Length,
    ReadBy,
    Record,
    read_record,
)

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
MOST_KEYWORDS = 12
MOST_NUMBER = 9


def read_keywords(field: Field, about: Any = None) -> dict[str, int]:
    """Keywords as written on cards ("pursue 2"): each with its number, 1 without one."""
    found: dict[str, int] = {}
    for item in field.items(MOST_KEYWORDS):
        word, _, number = item.text(40).partition(" ")
        Field(word, item.source, item.place).choice(KEYWORDS)
        if number and (word not in NUMBERED or not number.isdecimal() or int(number) > MOST_NUMBER):
            item.fail(say("{value!r} is no number of this keyword", value=number))
        found[word] = int(number) if number else 1
    return found


def plain_keywords(keywords: Mapping[str, int]) -> list[str]:
    """Keywords as files write them."""
    return [f"{one} {n}" if one in NUMBERED else one for one, n in keywords.items()]


Keywords = Annotated[Mapping[str, int], ReadBy(read_keywords, plain_keywords)]


def keyword_words(keyword: str, number: int) -> str:
    """A keyword as players read it."""
    name = KEYWORDS[keyword]
    return say("{keyword} {n}", keyword=name, n=number) if keyword in NUMBERED else name


Rank = Literal["green", "blue", "red"]
RANKS: tuple[Rank, ...] = get_args(Rank)
RANK_WORDS = {"green": say("green"), "blue": say("blue"), "red": say("red")}
"""Ranks in rising order (BOW-UNT-6)."""
UnitClass = Literal["foot", "ranged", "cavalry", "special"]
CLASSES: tuple[UnitClass, ...] = get_args(UnitClass)
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
class OrderOption(Record):
    """One order option: so many hexes, and whether the unit may attack afterwards."""

    hexes: Annotated[int, Between(0, 8), FileKey("move")]
    attack: Annotated[bool, WRITTEN] = False

    def checked(self, field: Field, about: Any) -> OrderOption:
        if not self.hexes and not self.attack:
            field.fail(say("an option neither moves nor attacks"))
        return self


@dataclass(frozen=True, slots=True)
class OrderRow(Record):
    """The row of a rank."""

    options: Annotated[tuple[OrderOption, ...], Length(6, 1), WRITTEN] = (OrderOption(2, True),)
    dice: Annotated[int, Between(1, 8), WRITTEN] = 2
    range: Annotated[int, Between(1, 12), WRITTEN] = MELEE_RANGE
    keywords: Annotated[Keywords, WRITTEN] = field(default_factory=dict)

    @property
    def longest(self) -> int:
        """The longest move of its options."""
        return max((one.hexes for one in self.options), default=0)


PLAIN_OPTIONS = {
    "green": (OrderOption(2, True),),
    "blue": (OrderOption(1, True), OrderOption(2)),
    "red": (OrderOption(1, True),),
}
"""The options of a unit without a card: those of the Northern guard, which the book prints."""


CardId = Annotated[str, Length(60)]
CardName = Annotated[str, Length(80)]
CardText = Annotated[str, Length(400)]
"""What a card does besides, in the players' own words."""


@dataclass(frozen=True, slots=True)
class UnitReference(Record):
    """A unit type: its name, house, class, strength, and a row for each rank it may have."""

    id: CardId
    name: CardName
    kind: Annotated[UnitClass, FileKey("class")]
    short: Annotated[str, Length(20)] = ""
    """What its sign on the map says; the last word of its name without it."""
    house: CardId = ""
    strength: Annotated[int, Between(1, 12)] = 0
    rows: Annotated[Mapping[Rank, OrderRow], GIVEN] = field(default_factory=dict)
    traits: Annotated[tuple[Annotated[str, Length(40)], ...], Length(12)] = ()
    text: CardText = ""
    sure: bool = True
    """Whether a book prints its numbers; otherwise players should enter those of their card."""
    entered: Annotated[tuple[Rank, ...], Length(3)] = ()
    """Of a card that is not sure: the ranks whose numbers players have entered."""

    @property
    def missing(self) -> tuple[Rank, ...]:
        """The ranks whose numbers nobody has entered; earlier versions noted none of them."""
        if self.sure:
            return ()
        usual = {
            rank
            for rank, row in self.rows.items()
            if row == plain_row(self.kind, rank, row.keywords)
        }
        return tuple(rank for rank in RANKS if rank in usual and rank not in self.entered)

    @property
    def base(self) -> str:
        """Its bases: rectangular for cavalry and kennel masters, else square (BOW-CMP-1)."""
        return "rectangular" if self.kind in ("cavalry", "special") else "square"

    @property
    def label(self) -> str:
        return self.short or self.name.split()[-1]

    def row(self, rank: str) -> OrderRow:
        return self.rows[cast(Rank, rank)]

    @classmethod
    def read(cls, field: Field, about: Any = None, /, **given: Any) -> UnitReference:
        """A card; keywords of the unit are those of every rank, in whose rows they stand."""
        raw = field.members()
        apart = {key: field.member(key) for key in (*RANKS, "keywords") if key in raw}
        rest = {key: value for key, value in raw.items() if key not in apart}
        card = read_record(cls, Field(rest, field.source, field.place))
        own = read_keywords(apart["keywords"]) if "keywords" in apart else {}
        rows = {
            rank: read_row(apart[rank], card.kind, rank, own)
            if rank in apart
            else plain_row(card.kind, rank, own)
            for rank in RANKS
        }
        return replace(card, strength=card.strength or STRENGTH[card.kind], rows=rows)

    def to_json(self) -> dict[str, Any]:
        return Record.to_json(self) | {rank: row.to_json() for rank, row in self.rows.items()}


def read_row(field: Field, kind: str, rank: str, own: Mapping[str, int]) -> OrderRow:
    """The row of a rank; what it leaves out is that of a unit without a card."""
    plain = plain_row(kind, rank, {}).to_json()
    row = OrderRow.read(Field({**plain, **field.members()}, field.source, field.place))
    return replace(row, keywords={**own, **row.keywords})


def plain_row(kind: str, rank: str, keywords: Mapping[str, int]) -> OrderRow:
    """The row of a unit without a card."""
    reach = ARCHER_RANGE if kind == "ranged" else MELEE_RANGE
    return OrderRow(PLAIN_OPTIONS[rank], RANK_DICE[rank], reach, keywords)


@cache
def plain_reference(kind: UnitClass) -> UnitReference:
    """The card of a unit of which only the class is known."""
    rows = {rank: plain_row(kind, rank, {}) for rank in RANKS}
    return UnitReference("", kind, kind, strength=STRENGTH[kind], rows=rows)


MOST_CAPTURE = 9
NO_LIMIT = 10
"""All command tokens of the box: no limit is counted for a commander whose card nobody has
entered."""


@dataclass(frozen=True, slots=True)
class CommanderCard(Record):
    """A commander; `limit` and `capture` are None where no source prints them.

    Its special ability is used once per battle (BOW-CDR-6).
    """

    id: CardId
    name: CardName
    title: CardName = ""
    house: CardName = ""
    unit: CardName = ""
    limit: Annotated[int, Between(1, 9)] | None = None
    capture: Annotated[int, Between(1, MOST_CAPTURE)] | None = None
    keywords: Annotated[Keywords, WRITTEN] = field(default_factory=dict)
    value: Annotated[int, Between(0, 20), WRITTEN] = 2
    """The value for skirmishes (BOW-SKM-4)."""
    text: CardText = ""
    """What its abilities do (BOW-CDR-5 to BOW-CDR-7)."""

    @property
    def titled(self) -> str:
        """The name with the title, which tells the version (BOW-SET-3)."""
        return f"{self.name}, {self.title}" if self.title else self.name

    @property
    def most_tokens(self) -> int:
        return NO_LIMIT if self.limit is None else self.limit
