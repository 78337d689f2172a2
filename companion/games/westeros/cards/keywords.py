"""The keywords of unit and commander cards, some with a number (BOW-KEY)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from models.field import Field
from models.lazy_message import say

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
