"""One line of a plain-text army list: the name of a card, and the numbers that stand beside it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.tmg.play.names import faction_name
from models.army_card import folded
from models.catalogue import Catalogue
from models.field import shown
from models.message import UnknownName, joined, say

SECTIONS = ("units", "attachments", "ncus", "cards")
HEADINGS = {
    "faction": "faction|fraktion|haus|фракция|дом".split("|"),
    "commander": (
        "commander|kommandant|anführer|befehlshaber|heerführer|командир|полководец".split("|")
    ),
    "points": "points|total|punkte|gesamt|очки|всего".split("|"),
    "season": "season|saison|cards of season|karten der saison|сезон".split("|"),
    "units": (
        "units|unit|combat units|combat unit|cu|cus|einheiten|einheit|kampfeinheiten|kampfeinheit|"
        "отряды|боевые отряды|юниты"
    ).split("|"),
    "attachments": (
        "attachments|attachment|unit attachments|anhänge|beigeordnete|verstärkungen|verstärkung|"
        "приложения|фигурки поддержки"
    ).split("|"),
    "ncus": (
        "ncus|ncu|non-combat units|non combat units|non-combat unit|noncombat units|"
        "nichtkampfeinheiten|nicht-kampfeinheiten|nke|zivile einheiten|zivile einheit|"
        "небоевые отряды|небоевые юниты|нбо|нбф|небоевые фигурки"
    ).split("|"),
    "cards": (
        "tactics|cards|tactics cards|tactics deck|taktikkarten|taktikdeck|карты тактики"
    ).split("|"),
}
WORDS = {folded(word): meaning for meaning, words in HEADINGS.items() for word in words}
"""The meaning of each heading."""

FACTIONS = {
    "nightswatch": "nachtwache ночнойдозор дозор".split(),
    "freefolk": "freiesvolk wildlinge вольныйнарод одичалые".split(),
    "greyjoy": "graufreud грейджой грейджои".split(),
    "baratheon": "баратеон баратеоны".split(),
    "lannister": "lennister ланнистер ланнистеры ланнистеров".split(),
    "stark": "старк старки старков".split(),
    "targaryen": "таргариен таргариены таргариенов".split(),
    "bolton": "болтон болтоны болтонов".split(),
    "martell": "мартелл мартеллы мартеллов".split(),
    "brotherhood": "bruderschaft братство brotherhoodwithoutbanners bruderschaftohnebanner".split(),
    "neutral": "neutrale нейтралы нейтральные".split(),
}
HOUSE = re.compile(r"^(?:house|haus|the|die|der|дом)\s+", re.IGNORECASE)


def faction_named(name: str, facts: Catalogue) -> str:
    """The faction a list names: 'House Stark', 'stark', 'Night's Watch', 'Haus Stark'."""
    plain = re.sub(r"[\W_]", "", folded(HOUSE.sub("", name.strip())))
    for known in facts.units.factions:
        if plain in (known, f"{known}s", *FACTIONS.get(known, ())):
            return known
    known_ones = joined(faction_name(one) for one in facts.units.factions)
    raise UnknownName(
        say("no faction {name}; there are: {known}", name=shown(name.strip()), known=known_ones)
    )


LINE_LIMIT = 400
LONGEST_LINE = 500
MOST_COPIES = 20
MOST_POINTS = 100
ARMY_POINTS = 20
"""More points than any card costs: such a line is about the whole army."""
MOST_WOUNDS = 60
# These patterns see lines with single spaces only (`plain`), so that none of them backtracks.
POINT_WORD = r"(?:p|pts?|points?|punkte?|pkt|очк\w*)"
JOINS = re.compile(r"^\W*(?:with\b|mit\b|w/|\+|↳|└|>)\s?:?\s?", re.IGNORECASE)
BRACKETS = re.compile(r"\s?[\[(]([^\[\]()]{0,200})[\])]")
NUMBER = re.compile(rf"^(?:(.*[^\s,;:–-])[\s,;:–-]+)?(\d{{1,3}})\s?{POINT_WORD}?\.?$", re.I)
"""Points, alone or after a title: `5`, `5 pts`, `The Young Wolf, 3pts`."""
WOUNDS = re.compile(r"^(\d{1,6})\s?(?:w|wounds?|wunden?|ран\w*)\.?$", re.I)
LETTER = re.compile(r"^(?:[CHП]|commander|heerführer|полководец)$", re.IGNORECASE)
"""What commanders have in place of a cost (TMG-CMD-2)."""
COST = re.compile(rf"\s?[\[(]\s?\d{{1,6}}\s?{POINT_WORD}?\.?\s?[\])]\s?$", re.I)
LAST = re.compile(rf"[\s:–-]+(\d{{1,3}})\s?{POINT_WORD}$|\s?[:–-]\s?(\d{{1,2}})$", re.I)
COPIES = re.compile(r"^(\d{1,6})\s?[x×х*]\s?|\s?[x×х](\d{1,6})$", re.IGNORECASE)
COUNT = re.compile(r"^(\d{1,2})\s(?=\D)")
BESIDE = re.compile(r"\s(?:with|mit|w/|\+)\s|(?<=[\])])\s[-–+]\s", re.IGNORECASE)
"""What stands between two cards on one line."""
POINTS = tuple(
    re.compile(form)
    for form in (r"/\s?(\d{1,6})(?!\d)", r"^\s?(\d{1,6})(?!\d)", r"(?<!\d)(\d{1,6})$")
)
"""The agreed points: after a slash, else first, else last."""
SCORE = re.compile(rf"^\W*(?:\d{{1,4}}\s?/\s?)?(\d{{1,4}})\s?{POINT_WORD}\W*$", re.IGNORECASE)
"""A line with nothing but the points of the army: `60/60 Points`."""


def plain(text: str) -> str:
    """A line with normalised Unicode letters and single spaces.

    >>> plain(" •\u00a0Robb   Stark\t（5） ")
    '• Robb Stark (5)'
    """
    return " ".join(unicodedata.normalize("NFKC", text).split())


def trimmed(text: str) -> str:
    """A text without the decoration around it.

    >>> trimmed("--- • Robb Stark (5) ---")
    'Robb Stark (5)'
    """
    start, end = 0, len(text)
    while start < end and not is_word(text[start]) and text[start] not in "(+":
        start += 1
    while end > start and not is_word(text[end - 1]) and text[end - 1] not in ")].!?":
        end -= 1
    return text[start:end]


def is_word(letter: str) -> bool:
    """Whether a letter is part of a word."""
    return letter.isalnum() or letter == "_"


def heading_of(text: str) -> tuple[str, str]:
    """The meaning of a heading and what follows its colon; ("", "") where it is none.

    >>> heading_of("=== Combat Units (3): ==="), heading_of("NCU: Sansa Stark (4)")
    (('units', ''), ('ncus', 'Sansa Stark (4)'))
    """
    key, colon, value = trimmed(text).partition(":")
    word = WORDS.get(folded(trimmed(COST.sub("", key))), "")
    value = trimmed(value)
    unnamed = word == "commander" and ":" in text
    if not word or not (colon or unnamed or word in SECTIONS):
        return "", ""
    return word, value


@dataclass(frozen=True, slots=True)
class ListLine:
    """One card of a list: its name, the number of copies, and its points if given."""

    number: int
    name: str
    copies: int = 1
    points: int | None = None
    joins: bool = False
    wounds: int | None = None
    """Wounds per model, if given."""
    marked: bool = False
    """Whether anything marks this as a card: a bullet, points, a number of copies."""
    leads: bool = False
    """Whether it bears the letter of a commander."""

    @property
    def place(self) -> str:
        """The line number, for error messages."""
        return say("line {number}", number=self.number)

    @classmethod
    def read(cls, number: int, text: str) -> ListLine:
        """Parse a line, or a part of one, that is not a heading.

        >>> ListLine.read(1, "• 2x Robb Stark (The Young Wolf, 3pts) (8pts)").name
        'Robb Stark, The Young Wolf'
        """
        joins = JOINS.match(text)
        bare = trimmed(text[joins.end() :] if joins else text)
        points: list[int] = []
        wounds = None
        titles: list[str] = []
        leads = False
        for one in BRACKETS.finditer(bare):
            inside = one[1].strip()
            if worn := WOUNDS.match(inside):
                wounds = int(worn[1])
            elif told := NUMBER.match(inside):
                points.append(int(told[2]))
                titles += [told[1]] if told[1] else []
            elif LETTER.match(inside):
                leads = True
            elif inside:
                titles.append(inside)
        bare = trimmed(BRACKETS.sub("", bare))
        if last := LAST.search(bare):
            points.append(int(last[1] or last[2]))
            bare = trimmed(bare[: last.start()])
        copies = COPIES.search(bare)
        bare = trimmed(COPIES.sub("", bare))
        marked = bool(joins or points or copies or leads) or not text.lstrip()[:1].isalnum()
        return cls(
            number,
            ", ".join([bare, *titles]) if bare else ", ".join(titles),
            int(copies[1] or copies[2]) if copies else 1,
            points[0] if points else None,
            bool(joins),
            wounds,
            marked,
            leads,
        )


def parts(text: str) -> Iterator[str]:
    """The cards on one line: a unit, and what stands behind "with" or "+"."""
    start = 0
    for between in BESIDE.finditer(text):
        yield text[start : between.start()]
        word = between[0].strip()
        start = between.end() if word in "-–" else between.start() + 1
    yield text[start:]
