"""Army lists as players paste them: sections of `• Name (5)` with any decoration around them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.games.tmg.play.armies import Card, cost, every_card, price
from companion.games.tmg.play.army_words import SECTIONS, WORDS, faction_named
from models import Army, BadInput, Entry, UnknownName, catalogue
from models.army import NEUTRAL
from models.catalogue import Catalogue
from models.record import replace
from models.said import say
from models.shelf import Shelf, folded, nearest

LINE_LIMIT = 400
MOST_COPIES = 20
JOINS = re.compile(r"^\W*(?:with\b|mit\b|w/|\+|↳|└|>)\s*:?\s*", re.IGNORECASE)
EDGES = re.compile(r"^[^\w(+]+|[^\w)\].!?]+$")
COST = re.compile(r"\s*[\[(]\s*(\d+)\s*(?:p|pts?|points?|punkte?|очк\w*)?\.?\s*[\])]\s*$", re.I)
COPIES = re.compile(r"^(\d+)\s*[x×х*]\s*|\s*[x×х](\d+)$", re.IGNORECASE)
TITLE = re.compile(r"\s*\(([^()\d]+)\)\s*$")
LETTER = re.compile(r"\s*[\[(]\s*[CHП]\s*[\])]\s*$", re.IGNORECASE)
"""What commanders have instead of a cost (TMG-CMD-2)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list: a card's name, how often, its points if they stand there."""

    number: int
    name: str
    copies: int = 1
    points: int | None = None
    joins: bool = False
    marked: bool = False
    """Whether anything says that this is a card: a bullet, points, a number of copies."""

    @property
    def place(self) -> str:
        """Where it stands."""
        return say("line {number}", number=self.number)

    def unknown(self, error: UnknownName) -> UnknownName:
        """A complaint with its place."""
        words = "army list: line {number}: {error}"
        return UnknownName(say(words, number=self.number, error=str(error)))

    @classmethod
    def read(cls, number: int, text: str) -> Line:
        """A line that is no heading."""
        joins = JOINS.match(text)
        bare = EDGES.sub("", text[joins.end() :] if joins else text)
        points = COST.search(bare)
        bare = EDGES.sub("", COST.sub("", bare))
        copies = COPIES.search(bare)
        bare = EDGES.sub("", COPIES.sub("", bare))
        marked = bool(joins or points or copies) or not text.lstrip()[:1].isalnum()
        times = int(copies[1] or copies[2]) if copies else 1
        return cls(number, bare, times, int(points[1]) if points else None, bool(joins), marked)


@dataclass(slots=True)
class Reading:
    """A list being read, line by line."""

    facts: Catalogue
    faction: str = ""
    commander: str = ""
    points: int | None = None
    section: str = "units"
    units: list[Entry] = field(default_factory=list)
    ncus: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def line(self, number: int, text: str) -> None:
        """Take one line in: a heading, a card, or words around them."""
        text = LETTER.sub("", unicodedata.normalize("NFKC", text).strip())
        if not any(letter.isalnum() for letter in text):
            return
        key, colon, value = EDGES.sub("", text).partition(":")
        word = WORDS.get(folded(EDGES.sub("", COST.sub("", key))), "")
        if word in SECTIONS and not value.strip():
            self.section = word
        elif colon and word == "faction":
            self.faction = faction_named(value, self.facts)
        elif colon and word == "commander":
            self.commander = value.strip()
        elif colon and word == "points":
            found = re.search(r"(\d+)\s*$|/\s*(\d+)|^\s*(\d+)", value)
            self.points = int(next(one for one in found.groups() if one)) if found else None
        else:
            self.card(Line.read(number, text))

    def card(self, line: Line) -> None:
        """Take a card in, wherever it stands; a line that names none is refused, or chatter."""
        if self.section == "cards" or not line.name:
            return
        found = self.named(line)
        if found is None:
            return
        if not self.faction:
            raise BadInput("army list", line.place, "a card stands before 'Faction:'")
        if not 0 < line.copies <= MOST_COPIES:
            raise BadInput("army list", line.place, say("{count} copies", count=line.copies))
        if line.points is not None and found.cost is not None and line.points != price(found):
            self.remarks.append(
                say(
                    "{place}: {card} costs {cost}, the list says {points}",
                    place=line.place,
                    card=found.label,
                    cost=price(found),
                    points=line.points,
                )
            )
        if found.id in self.facts.attachments:
            if not self.units:
                raise BadInput(
                    "army list", line.place, say("{name!r} follows no unit", name=line.name)
                )
            last = self.units[-1]
            self.units[-1] = Entry(last.unit, (*last.attachments, *[found.id] * line.copies))
        elif found.id in self.facts.ncus:
            self.ncus += [found.id] * line.copies
        else:
            self.units += [Entry(found.id)] * line.copies

    def named(self, line: Line) -> Card | None:
        """The card a line names: of its section if it can be, else of another; None: no card."""
        shelves: dict[str, Shelf[Any]] = {
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
    """A name as the catalogue may write it: 'Robb Stark – The Wolf Lord', 'Robb Stark (…)'."""
    yield re.sub(r"\s+[–—-]\s+", ", ", name)
    if TITLE.search(name):
        yield TITLE.sub(r", \1", name)


def reading(text: str, game: str) -> Reading:
    """All that a list says, line by line."""
    found = Reading(catalogue(game))
    for number, line in enumerate(text.splitlines()[:LINE_LIMIT], 1):
        found.line(number, line)
    if not found.faction:
        raise BadInput("army list", "", "no line 'Faction: …'")
    return found


def read_text(text: str, game: str) -> Army:
    """The army of a plain-text list; its points are 0 where it does not tell them."""
    found = reading(text, game)
    army = Army(game, found.faction, found.points or 0, "", tuple(found.units), tuple(found.ncus))
    leaders = [one for one in every_card(army) if one.commander]
    wanted = {folded(name) for name in spellings(EDGES.sub("", COST.sub("", found.commander)))}
    if found.commander and not any(
        wanted & {folded(one.label), folded(one.name)} for one in leaders
    ):
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
                "army list: commander {name!r} is in no unit of the list; nearest: {names}",
                name=found.commander,
                names=near,
            )
        )
    return replace(army, commander=leaders[0].id if leaders else "")


def write_text(army: Army) -> str:
    """The army as the plain-text export."""
    facts = catalogue(army.game)
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
    for entry in army.units:
        unit = facts.units[entry.unit]
        lines.append(f"• {unit.label} ({price(unit)})")
        for key in entry.attachments:
            joined = facts.attachments[key]
            lines.append(f"  with {joined.label} ({price(joined)})")
    if army.ncus:
        lines += ["", "Non-Combat Units:"]
        lines += [f"• {facts.ncus[key].label} ({price(facts.ncus[key])})" for key in army.ncus]
    return "\n".join(lines) + "\n"
