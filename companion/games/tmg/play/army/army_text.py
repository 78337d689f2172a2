"""Plain-text army lists in all supported languages: sections of `• Name (5)` lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.games.tmg.cards.army import (
    NEUTRAL,
    Army,
    ArmyEntry,
    Card,
    attachment_card,
    knows_commanders,
    ncu_card,
    unit_card,
)
from companion.games.tmg.cards.army_catalogue import ArmyCatalogue, army_catalogue
from companion.games.tmg.play.army.army_rules import cost, every_card, price
from models import BadInput, UnitCard, UnknownName
from models.army_card import CardIndex, folded, nearest
from models.catalogue import Catalogue
from models.field import shown
from models.frozen_records import replace
from models.message import say

SECTIONS = ("units", "attachments", "ncus", "cards")
HEADINGS = {
    "faction": "faction|fraktion|haus|фракция|дом".split("|"),
    "commander": "commander|kommandant|anführer|befehlshaber|командир|полководец".split("|"),
    "points": "points|total|punkte|gesamt|очки|всего".split("|"),
    "units": (
        "units|unit|combat units|combat unit|einheiten|kampfeinheiten|отряды|боевые отряды|юниты"
    ).split("|"),
    "attachments": "attachments|attachment|anhänge|beigeordnete|приложения".split("|"),
    "ncus": (
        "ncus|ncu|non-combat units|non combat units|non-combat unit|nichtkampfeinheiten|"
        "nicht-kampfeinheiten|nke|небоевые отряды|небоевые юниты|нбо"
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
    known_ones = ", ".join(facts.units.factions)
    raise UnknownName(
        say("no faction {name}; there are: {known}", name=shown(name.strip()), known=known_ones)
    )


LINE_LIMIT = 400
LONGEST_LINE = 500
MOST_COPIES = 20
MOST_POINTS = 100
MOST_WOUNDS = 60
JOINS = re.compile(r"^\W*(?:with\b|mit\b|w/|\+|↳|└|>)\s?:?\s?", re.IGNORECASE)
# These patterns see lines with single spaces only (`plain`), so that none of them backtracks.
COST = re.compile(r"\s?[\[(]\s?(\d{1,6})\s?(?:p|pts?|points?|punkte?|очк\w*)?\.?\s?[\])]\s?$", re.I)
WOUNDS = re.compile(r"\s?[\[(]\s?(\d{1,6})\s?(?:w|wounds?|wunden?|ран\w*)\.?\s?[\])]", re.I)
COPIES = re.compile(r"^(\d{1,6})\s?[x×х*]\s?|\s?[x×х](\d{1,6})$", re.IGNORECASE)
TITLE = re.compile(r"\s?\(([^()\d]+)\)\s?$")
POINTS = tuple(
    re.compile(form)
    for form in (r"/\s?(\d{1,6})(?!\d)", r"^\s?(\d{1,6})(?!\d)", r"(?<!\d)(\d{1,6})$")
)
"""The agreed points: after a slash, else first, else last."""
LETTER = re.compile(r"\s?[\[(]\s?[CHП]\s?[\])]\s?$", re.IGNORECASE)
"""The letter that commanders have in place of a cost (TMG-CMD-2)."""


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


@dataclass(frozen=True, slots=True)
class ListLine:
    """One line of a list: a card's name, the number of copies, and its points if given."""

    number: int
    name: str
    copies: int = 1
    points: int | None = None
    joins: bool = False
    wounds: int | None = None
    """Wounds per model, if given."""
    marked: bool = False
    """Whether anything marks this as a card: a bullet, points, a number of copies."""

    @property
    def place(self) -> str:
        """The line number, for error messages."""
        return say("line {number}", number=self.number)

    def unknown(self, error: UnknownName) -> UnknownName:
        words = "army list: line {number}: {error}"
        return UnknownName(say(words, number=self.number, error=str(error)))

    @classmethod
    def read(cls, number: int, text: str) -> ListLine:
        """Parse a line that is not a heading."""
        joins = JOINS.match(text)
        bare = trimmed(text[joins.end() :] if joins else text)
        wounds = WOUNDS.search(bare)
        bare = WOUNDS.sub("", bare)
        points = COST.search(bare)
        bare = trimmed(COST.sub("", bare))
        copies = COPIES.search(bare)
        bare = trimmed(COPIES.sub("", bare))
        marked = bool(joins or points or copies) or not text.lstrip()[:1].isalnum()
        times = int(copies[1] or copies[2]) if copies else 1
        return cls(
            number,
            bare,
            times,
            int(points[1]) if points else None,
            bool(joins),
            int(wounds[1]) if wounds else None,
            marked,
        )


@dataclass(slots=True)
class ListReader:
    """The state of the parser, which reads a list line by line."""

    facts: ArmyCatalogue
    faction: str = ""
    commander: str = ""
    points: int | None = None
    section: str = "units"
    units: list[ArmyEntry] = field(default_factory=list)
    ncus: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    costs: dict[str, int] = field(default_factory=dict)
    """The given points of cards that have none in the catalogue."""
    wounds: dict[str, int] = field(default_factory=dict)
    """The given wounds per model of units that have none in the catalogue."""

    def line(self, number: int, text: str) -> None:
        """Parse one line: a heading, a card, or other text."""
        text = LETTER.sub("", plain(text))
        if len(text) > LONGEST_LINE:
            place = say("line {number}", number=number)
            raise BadInput(
                "army list", place, say("is longer than {most} characters", most=LONGEST_LINE)
            )
        if not any(letter.isalnum() for letter in text):
            return
        key, colon, value = trimmed(text).partition(":")
        word = WORDS.get(folded(trimmed(COST.sub("", key))), "")
        if word in SECTIONS and not value.strip():
            self.section = word
        elif colon and word == "faction":
            self.faction = faction_named(value, self.facts)
        elif colon and word == "commander":
            self.commander = value.strip()
        elif colon and word == "points":
            found = next(filter(None, (form.search(value) for form in POINTS)), None)
            self.points = int(found[1]) if found else None
        else:
            self.card(ListLine.read(number, text))

    def card(self, line: ListLine) -> None:
        """Add a card; a line that names no card is refused if it is marked as one, else ignored."""
        if self.section == "cards" or not line.name:
            return
        found = self.named(line)
        if found is None:
            return
        if not self.faction:
            raise BadInput("army list", line.place, "a card stands before 'Faction:'")
        if not 0 < line.copies <= MOST_COPIES:
            raise BadInput("army list", line.place, say("{count} copies", count=line.copies))
        self.numbers(line, found)
        if found.id in self.facts.attachments:
            if not self.units:
                raise BadInput(
                    "army list", line.place, say("{name} follows no unit", name=shown(line.name))
                )
            last = self.units[-1]
            self.units[-1] = ArmyEntry(last.unit, (*last.attachments, *[found.id] * line.copies))
        elif found.id in self.facts.ncus:
            self.ncus += [found.id] * line.copies
        else:
            self.units += [ArmyEntry(found.id)] * line.copies

    def numbers(self, line: ListLine, found: Card) -> None:
        """Store the numbers of a line that the catalogue lacks; note those that contradict it."""
        if line.points is not None:
            known = self.costs.get(found.id) if found.cost is None else price(found)
            if known is None and line.points <= MOST_POINTS:
                self.costs[found.id] = line.points
            elif known != line.points:
                self.remarks.append(
                    say(
                        "{place}: {card} costs {cost}, the list says {points}",
                        place=line.place,
                        card=found.label,
                        cost="?" if known is None else known,
                        points=line.points,
                    )
                )
        if line.wounds is not None and isinstance(found, UnitCard):
            known = self.wounds.get(found.id, found.wounds_per_model)
            if known is None and 0 < line.wounds <= MOST_WOUNDS:
                self.wounds[found.id] = line.wounds
            elif known != line.wounds:
                self.remarks.append(
                    say(
                        "{place}: a model of {card} takes {known} wounds, the list says {wounds}",
                        place=line.place,
                        card=found.label,
                        known="?" if known is None else known,
                        wounds=line.wounds,
                    )
                )

    def named(self, line: ListLine) -> Card | None:
        """The card a line names: from its section if possible, else from another; None: no card."""
        shelves: dict[str, CardIndex[Any]] = {
            "units": self.facts.units,
            "attachments": self.facts.attachments,
            "ncus": self.facts.ncus,
        }
        own = "attachments" if line.joins else self.section
        ours = tuple(dict.fromkeys((self.faction, NEUTRAL)))
        for section in (own, *(other for other in shelves if other != own)):
            for name in spellings(line.name):
                if shelves[section].named(name):
                    try:
                        found: Card = shelves[section].find(name, ours)
                    except UnknownName as error:
                        raise line.unknown(error) from None
                    return found
        if not line.marked:
            return None
        try:
            return shelves[own].find(next(spellings(line.name)), ours)
        except UnknownName as error:
            raise line.unknown(error) from None


def spellings(name: str) -> Iterator[str]:
    """Other spellings the catalogue may use: for 'Robb Stark – The Wolf Lord', 'Robb Stark (…)'."""
    yield re.sub(r"\s[–—-]\s", ", ", name)
    if TITLE.search(name):
        yield TITLE.sub(r", \1", name)


def reading(text: str, game: str) -> ListReader:
    """Parse a whole list."""
    found = ListReader(army_catalogue(game))
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > LINE_LIMIT:
        raise BadInput("army list", "", say("has more than {most} lines", most=LINE_LIMIT))
    for number, line in lines:
        found.line(number, line)
    if not found.faction:
        raise BadInput("army list", "", "no line 'Faction: …'")
    return found


def read_text(text: str, game: str) -> Army:
    """The army of a plain-text list; its points are 0 if the list does not give them."""
    found = reading(text, game)
    army = Army(
        game,
        found.faction,
        found.points or 0,
        "",
        tuple(found.units),
        tuple(found.ncus),
        costs=tuple(found.costs.items()),
        wounds=tuple(found.wounds.items()),
    )
    cards = every_card(army)
    told = knows_commanders(found.facts)
    leaders = [one for one in cards if one.commander] if told else cards
    wanted = {folded(name) for name in spellings(trimmed(COST.sub("", found.commander)))}
    named = [one for one in leaders if wanted & {folded(one.label), folded(one.name)}]
    if not told:  # the catalogue has no commanders: use the one the list names, if any
        return replace(army, commander=named[0].id if found.commander and named else "")
    if found.commander and not named:
        facts = found.facts
        everyone = [
            one
            for shelf in (facts.attachments, facts.units, facts.ncus)
            for one in shelf.values()
            if one.commander
        ]
        near = "; ".join(nearest(next(spellings(found.commander)), everyone))
        raise UnknownName(
            say(
                "army list: commander {name} is in no unit of the list; nearest: {names}",
                name=shown(found.commander),
                names=near,
            )
        )
    return replace(army, commander=leaders[0].id if leaders else "")


def write_text(army: Army) -> str:
    """The army as a plain-text export."""
    cards = every_card(army)
    leader = next((one.label for one in cards if one.commander), "")
    neutral = sum(price(one) for one in cards if one.faction == NEUTRAL)
    lines = [
        f"Faction: {army.faction}",
        f"Commander: {leader}",
        f"Points: {cost(army)} ({neutral} neutral)/{army.points}",
        "",
        "Combat Units:",
    ]
    wounds = dict(army.wounds)
    for entry in army.units:
        told = f" [{wounds[entry.unit]} wounds]" if entry.unit in wounds else ""
        lines.append(f"• {priced(unit_card(army, entry.unit))}{told}")
        lines += [f"  with {priced(attachment_card(army, key))}" for key in entry.attachments]
    if army.ncus:
        lines += ["", "Non-Combat Units:"]
        lines += [f"• {priced(ncu_card(army, key))}" for key in army.ncus]
    return "\n".join(lines) + "\n"


def priced(one: Card) -> str:
    """A card with its points, if they are known."""
    unknown = one.cost is None and not one.commander
    return one.label if unknown else f"{one.label} ({price(one)})"
