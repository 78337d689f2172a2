"""Plain-text army lists in all supported languages: sections of `• Name (5)` lines.

What is not certain is asked about: a line that names no card, a name that several cards have, and
points other than printed. What is certain but written otherwise is taken with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.games.api.army_building import UncertainLine
from companion.games.tmg.cards.army import (
    NEUTRAL,
    Army,
    ArmyEntry,
    Card,
    cards_of,
    commanders,
    knows_commanders,
    unit_card,
)
from companion.games.tmg.cards.army_catalogue import (
    FIRST_SEASON,
    ArmyCatalogue,
    Attachment,
    army_catalogue,
    season_named,
    seasons,
)
from companion.games.tmg.cards.card_names import KINDS, CardFinder, card_finder, stems
from companion.games.tmg.play.army.army_conditions import price
from companion.games.tmg.play.army.army_rules import claims, every_card, wrong_attachments
from companion.games.tmg.play.army.list_lines import (
    ARMY_POINTS,
    COUNT,
    LINE_LIMIT,
    LONGEST_LINE,
    MOST_COPIES,
    MOST_POINTS,
    MOST_WOUNDS,
    POINTS,
    SCORE,
    SECTIONS,
    ListLine,
    faction_named,
    heading_of,
    parts,
    plain,
    trimmed,
)
from models import BadInput, UnitCard, UnknownName
from models.field import shown
from models.frozen_records import replace
from models.message import say


@dataclass(slots=True)
class ListReader:
    """The state of the parser, which reads a list line by line."""

    game: str
    season: str
    faction: str = ""
    commander: tuple[int, str] = (0, "")
    """The number and the words of the line that names the commander."""
    points: int | None = None
    units: list[ArmyEntry] = field(default_factory=list)
    ncus: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unread: list[UncertainLine] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)
    """The points that the list says of cards that have points."""
    costs: dict[str, int] = field(default_factory=dict)
    """The given points of cards that have none in the catalogue."""
    wounds: dict[str, int] = field(default_factory=dict)
    """The given wounds per model of units that have none in the catalogue."""
    names_season: bool = False
    named: bool = False
    """Whether a line says which faction it is."""
    facts: ArmyCatalogue = field(init=False)
    finder: CardFinder = field(init=False)

    def read(self, lines: Sequence[tuple[int, str]]) -> None:
        """Read what concerns the whole army first, then every card."""
        cards = [(number, text) for number, text in lines if not self.heading(number, text)]
        self.facts = army_catalogue(self.game, self.season)
        self.finder = card_finder(self.game, self.season)
        if not self.faction:
            cards = [one for one in cards if not self.house(one[1])]
        if not self.faction:
            self.guess_faction([text for _, text in cards])
        section = "units"
        for number, text in cards:
            word, value = heading_of(text)
            if word in SECTIONS and not value:
                section = word
                continue
            kind = word if word in SECTIONS and value else section
            if kind != "cards":
                self.line(number, value if word in SECTIONS and value else text, kind)

    def heading(self, number: int, text: str) -> bool:
        """Read a line about the whole army; False: it is none."""
        word, value = heading_of(text)
        if word == "faction":
            self.faction, self.named = self.house_of(number, value), True
        elif word == "season":
            found = season_named(self.game, value)
            if found is None:
                known = ", ".join(seasons(self.game)) or "–"
                place = say("line {number}", number=number)
                words = say("no season {name}; there are: {known}", name=shown(value), known=known)
                raise BadInput("army list", place, words)
            self.season, self.names_season = found, True
        elif word == "commander":
            self.commander = (number, value) if value else self.commander
        elif word == "points":
            told = next(filter(None, (form.search(value) for form in POINTS)), None)
            self.points = int(told[1]) if told else None
        elif score := SCORE.match(text):
            self.points = int(score[1])
        else:
            return False
        return True

    def house_of(self, number: int, name: str) -> str:
        """The faction that a line names."""
        try:
            return faction_named(name, army_catalogue(self.game))
        except UnknownName as error:
            place = say("line {number}", number=number)
            raise BadInput("army list", place, str(error)) from None

    def house(self, text: str) -> bool:
        """Read a line that is nothing but the name of a faction."""
        name = trimmed(re.sub(r"[\[(][^\])]*[\])]", "", text))
        if self.faction or not name:
            return False
        try:
            self.faction = faction_named(name, self.facts)
        except UnknownName:
            return False
        return True

    def guess_faction(self, texts: Sequence[str]) -> None:
        """The faction of the list's first cards, where no line names it."""
        for text in texts:
            for part in parts(text):
                name = ListLine.read(0, part).name
                found = {one.faction for one in self.finder.exactly(name, KINDS, ())} - {NEUTRAL}
                if len(found) == 1:
                    self.faction = found.pop()
                    self.notes.append(
                        say("the list names no faction: {faction}", faction=self.faction)
                    )
                    return

    def line(self, number: int, text: str, kind: str) -> None:
        """Read the cards of one line; a whole name comes before its parts."""
        several = list(parts(text))
        first = ListLine.read(number, several[0])
        if self.exact(ListLine.read(number, text), kind) or not self.means(first, kind):
            several = [text]
        for part in several:
            one = ListLine.read(number, part)
            if one.name:
                self.card(one, part, kind)

    @property
    def ours(self) -> tuple[str, ...]:
        """The factions whose cards the army may have."""
        return tuple(dict.fromkeys((self.faction, NEUTRAL)))

    def kinds(self, line: ListLine, kind: str) -> tuple[str, ...]:
        """The kinds of cards that a line may name, the likeliest first."""
        own = "attachments" if line.joins else kind
        return (own, *(other for other in KINDS if other != own))

    def exact(self, line: ListLine, kind: str) -> tuple[Card, ...]:
        return self.finder.exactly(line.name, self.kinds(line, kind), self.ours)

    def means(self, line: ListLine, kind: str) -> bool:
        """Whether a line names a card, certain or likely."""
        kinds = self.kinds(line, kind)
        return bool(self.exact(line, kind) or self.finder.likely(line.name, kinds, self.ours))

    def card(self, line: ListLine, part: str, kind: str) -> None:
        """Add the card that a line names, or keep the line as one that is not read."""
        if not 0 < line.copies <= MOST_COPIES:
            raise BadInput("army list", line.place, say("{count} copies", count=line.copies))
        found = self.exact(line, kind)
        if not found and (count := COUNT.match(line.name)):
            fewer = replace(line, name=line.name[count.end() :], copies=int(count[1]), marked=True)
            if 0 < fewer.copies <= MOST_COPIES and self.exact(fewer, kind):
                line, found = fewer, self.exact(fewer, kind)
        one = self.narrowed(line, found) if found else None
        if one is None and not found:
            one = self.finder.likely(line.name, self.kinds(line, kind), self.ours)
        if one is None:
            self.keep_unread(line, part, kind, found)
            return
        if isinstance(one, Attachment) and not self.units:
            if self.unread:  # its unit stands there, and is asked about first
                return
            words = say("{name} follows no unit", name=shown(line.name))
            self.unread.append(UncertainLine(line.number, part, words, ()))
            return
        self.note(line, one)
        self.numbers(line, one)
        self.add(line, one, kind)

    def narrowed(self, line: ListLine, found: tuple[Card, ...]) -> Card | None:
        """The one card of several with that name: the commander, or the one of these points."""
        if len(found) == 1:
            return found[0]
        leads = line.leads or line.points == 0
        tries = (
            [one for one in found if one.commander and self.is_commander(one)],
            [one for one in found if one.commander and leads],
            [one for one in found if line.points and price(one) == line.points],
            [one for one in found if not one.commander and line.points],
        )
        return next((one[0] for one in tries if len(one) == 1), None)

    def is_commander(self, one: Card) -> bool:
        """Whether the list names this card as its commander."""
        return one.id in {card.id for card in self.leaders(self.commander[1])}

    def leaders(self, name: str) -> tuple[Card, ...]:
        """The commanders that a name means."""
        line = ListLine.read(0, name)
        found = self.finder.exactly(line.name, ("attachments", "units", "ncus"), self.ours)
        if found and not any(one.commander for one in found):
            found = tuple(
                one
                for kind in KINDS
                for one in self.finder.exactly(line.name, (kind,), self.ours)
                if one.commander
            )
        return tuple(one for one in found if one.commander)

    def note(self, line: ListLine, one: Card) -> None:
        """Note a card that the list calls otherwise than any card is printed."""
        if not any(self.finder.is_printed(name) for name in spellings(line.name)):
            self.notes.append(
                say(
                    "{place}: {name} is taken as {card}",
                    place=line.place,
                    name=shown(line.name),
                    card=one.label,
                )
            )

    def keep_unread(self, line: ListLine, part: str, kind: str, found: tuple[Card, ...]) -> None:
        """Keep a line that is not certain, with the cards it may mean; other text is noted."""
        if not found and (line.points or 0) >= ARMY_POINTS:
            self.points = self.points or line.points
            return
        kinds = self.kinds(line, kind)
        labels = tuple(dict.fromkeys(one.label for one in found))
        nearest = labels or self.finder.near(line.name, kinds, self.ours)
        if not (line.marked or labels or self.finder.resembles(line.name, self.ours)):
            self.notes.append(
                say("{place}: {name} is no card", place=line.place, name=shown(line.name))
            )
            return
        words = "no card {name}; nearest: {names}"
        if labels:
            words = "{name} is more than one card: {names}"
        told = say(words, name=shown(line.name), names="; ".join(nearest))
        before = "+ " if line.joins else "• "
        copies = f"{line.copies}x " if line.copies > 1 else ""
        puts = tuple((label, f"{before}{copies}{label}") for label in nearest)
        self.unread.append(UncertainLine(line.number, part, told, puts))

    def add(self, line: ListLine, one: Card, kind: str) -> None:
        """Add the copies of a card."""
        if isinstance(one, UnitCard):
            self.units += [ArmyEntry(one.id)] * line.copies
        elif isinstance(one, Attachment):
            for _ in range(line.copies):
                place = len(self.units) - 1
                if kind == "attachments" and not line.joins:
                    place = self.room_for(one)
                    unit = unit_card(self.army(), self.units[place].unit)
                    words = "{place}: {name} goes with {unit}"
                    self.notes.append(say(words, place=line.place, name=one.label, unit=unit.label))
                entry = self.units[place]
                self.units[place] = ArmyEntry(entry.unit, (*entry.attachments, one.id))
        else:
            self.ncus += [one.id] * line.copies

    def room_for(self, one: Attachment) -> int:
        """The first unit that may take an attachment of which the list does not say where it is."""
        for place, entry in enumerate(self.units):
            trial = replace(
                self.army(), units=(ArmyEntry(entry.unit, (*entry.attachments, one.id)),)
            )
            if not wrong_attachments(cards_of(trial)):
                return place
        return len(self.units) - 1

    def numbers(self, line: ListLine, found: Card) -> None:
        """Store the numbers of a line that the catalogue lacks; keep those that contradict it."""
        if line.points and (found.commander or line.points > MOST_POINTS):
            words = "{place}: {card} commands and costs no points"
            if not found.commander:
                words = "{place}: {card} does not cost {points} points"
            told = {"place": line.place, "card": found.label, "points": line.points}
            self.notes.append(say(words, **told))
        elif line.points is not None and not found.commander:
            known = self.costs.get(found.id) if found.cost is None else price(found)
            if found.cost is None and known is None:
                self.costs[found.id] = line.points
            elif self.told.get(found.id, known) == known:
                self.told[found.id] = line.points
        if line.wounds is not None and isinstance(found, UnitCard):
            known = self.wounds.get(found.id, found.wounds_per_model)
            if known is None and 0 < line.wounds <= MOST_WOUNDS:
                self.wounds[found.id] = line.wounds
            elif known != line.wounds:
                self.notes.append(
                    say(
                        "{place}: a model of {card} takes {known} wounds, the list says {wounds}",
                        place=line.place,
                        card=found.label,
                        known="?" if known is None else known,
                        wounds=line.wounds,
                    )
                )

    def army(self) -> Army:
        """The army as read so far, without its commander."""
        return Army(
            self.game,
            self.faction,
            self.points or 0,
            "",
            tuple(self.units),
            tuple(self.ncus),
            costs=tuple(self.costs.items()),
            wounds=tuple(self.wounds.items()),
            season=self.season,
        )

    def led(self) -> Army:
        """The army with its commander: whom the list names, else the one among its cards."""
        army = self.army()
        number, name = self.commander
        cards = every_card(army)
        if not knows_commanders(self.facts):  # any card may be named, and none without a name
            wanted = {
                one.id for one in self.finder.exactly(ListLine.read(0, name).name, KINDS, self.ours)
            }
            named = [one.id for one in cards if one.id in wanted]
            return replace(army, commander=named[0] if name and named else "")
        leaders = commanders(cards)
        if leaders or not name:
            found = self.leaders(name)
            if name and not {one.id for one in found} & {one.id for one in leaders}:
                self.wrong_commander(number, name)
            return replace(army, commander=leaders[0].id if leaders else "")
        found = self.leaders(name)
        if len(found) == 1:  # he is in no unit yet: TMG-ARM-6 says so
            return replace(army, commander=found[0].id)
        self.wrong_commander(number, name)
        return army

    def wrong_commander(self, number: int, name: str) -> None:
        """Keep the line of a commander who is nobody's name, or in no unit of the list."""
        everyone = [
            one for kind in KINDS for one in getattr(self.facts, kind).values() if one.commander
        ]
        labels = self.finder.near(name, (), self.ours, {one.id for one in everyone})
        leaders = commanders(every_card(self.army()))
        meant = [one for one in leaders if stems(name) <= stems(one.label)]
        misspelt = self.finder.likely(name, ("attachments", "units", "ncus"), self.ours)
        meant = meant or [one for one in leaders if misspelt and misspelt.id == one.id]
        if len(meant) == 1:
            self.note(ListLine.read(number, name), meant[0])
            return
        words = say(
            "commander {name} is in no unit of the list; nearest: {names}",
            name=shown(name),
            names="; ".join(labels),
        )
        self.unread.append(
            UncertainLine(number, name, words, tuple((label, label) for label in labels))
        )


def spellings(name: str) -> Iterator[str]:
    """A name as lists write it, and with a comma before its title."""
    yield name
    yield re.sub(r"\s[–—-]\s", ", ", name)


def read_text(text: str, game: str, season: str = "") -> Army:
    """The army of a plain-text list; its points are 0 if the list does not give them.

    Lines that were not read, and notes, are kept beside it.
    """
    lines = [(number, plain(line)) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if any(map(str.isalnum, line))]
    if len(lines) > LINE_LIMIT:
        raise BadInput("army list", "", say("has more than {most} lines", most=LINE_LIMIT))
    for number, line in lines:
        if len(line) > LONGEST_LINE:
            place = say("line {number}", number=number)
            raise BadInput(
                "army list", place, say("is longer than {most} characters", most=LONGEST_LINE)
            )
    found = ListReader(game, season)
    found.read(lines)
    army = found.led()
    if not army.faction or not (army.units or army.ncus or found.unread or found.named):
        raise BadInput(
            "army list", "line 1", "expected 'faction;id,id,…', 'Faction: …' or an army file"
        )
    return replace(
        army,
        told=tuple(found.told.items()),
        names_season=found.names_season,
        notes=(*found.notes, *other_season(army, found)),
        unread=tuple(found.unread),
    )


def other_season(army: Army, found: ListReader) -> Iterator[str]:
    """Say whose points the list has, if they are those of another season."""
    told = replace(army, told=tuple(found.told.items()))
    for season in seasons(army.game) if claims(told) else ():
        kept = "" if season == FIRST_SEASON else season
        if kept != army.season and not claims(replace(told, season=kept)):
            yield say("these are the points of season {season}", season=season)
