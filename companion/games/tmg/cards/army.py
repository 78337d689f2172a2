"""An army list: commander, units with attachments, NCUs and points; and the cards it names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.games.api.army_building import UncertainLine
from companion.games.tmg.cards.army_catalogue import (
    ArmyCatalogue,
    Attachment,
    NonCombatUnit,
    army_catalogue,
    season_named,
    seasons,
)
from models import UnitCard
from models.army_card import (
    CardIndex,
    Condition,
    IndexedCard,
    T,
    ambiguous,
    folded,
    preferred,
    unknown,
)
from models.field import Field, drop_empty, load_toml, parse_toml, shown
from models.message import UnknownName, say

FORMAT = "table-companion/army/1"
NEUTRAL = "neutral"
"""The faction any army may take cards from (TMG-ARM-4)."""


Numbers = tuple[tuple[str, int], ...]
"""Numbers by card id."""


@dataclass(frozen=True, slots=True)
class ArmyEntry:
    """One combat unit of the list and its attachments, by card id."""

    unit: str
    attachments: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object."""
        return drop_empty({"card": self.unit, "attachments": list(self.attachments)})


@dataclass(frozen=True, slots=True)
class Army:
    """What a player brings; every card by its id in the game's catalogue.

    The commander is listed again where he fights: as an attachment, a unit or an NCU.
    """

    game: str
    faction: str
    points: int
    commander: str = ""
    units: tuple[ArmyEntry, ...] = ()
    ncus: tuple[str, ...] = ()
    name: str = ""
    costs: Numbers = ()
    """The points of cards as entered by the players: the catalogue lacks them, or they differ."""
    wounds: Numbers = ()
    """The wounds per model of cards for which the catalogue has none."""
    season: str = ""
    """The season of its cards; the first one where it names none."""
    told: Numbers = field(default=(), compare=False)
    """The points that its list says, until the players say that those of the cards are right."""
    names_season: bool = field(default=False, compare=False)
    """Whether its list says of which season it is."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What was noticed when the list was read."""
    unread: tuple[UncertainLine, ...] = field(default=(), compare=False)
    """The lines of the list that were not read."""

    def with_cost(self, card: str, points: int) -> Army:
        """The army with that cost for a card, which settles what the list claims."""
        costs = tuple({**dict(self.costs), card: points}.items())
        return replace(self.unclaimed(card), costs=costs)

    def unclaimed(self, card: str) -> Army:
        """The army without what its list says about the points of a card."""
        return replace(self, told=tuple(one for one in self.told if one[0] != card))

    def with_wounds(self, card: str, wounds: int) -> Army:
        """The army with that many wounds per model of a card."""
        return replace(self, wounds=tuple({**dict(self.wounds), card: wounds}.items()))

    @classmethod
    def read(cls, root: Field, facts: ArmyCatalogue | None = None) -> Army:
        """Read an army from a parsed file; cards may be given by id, name or `name, title`."""
        raw = root.keys(
            {"format", "game", "name", "faction", "points", "commander", "ncus", "unit"}
            | {"costs", "wounds", "season", "told"},
            {"format", "game", "faction", "points"},
        )
        if root.member("format").text() != FORMAT:
            root.member("format").fail(f"{shown(raw['format'])} is not {FORMAT!r}")
        game = root.member("game").choice(ArmyCatalogue.games())
        season = read_season(root.member("season"), game) if "season" in raw else ""
        facts = facts or army_catalogue(game, season)
        faction = root.member("faction").choice(facts.units.factions)
        ours = tuple(dict.fromkeys((faction, NEUTRAL)))
        commander = ""
        if "commander" in raw:
            commander = read_commander(root.member("commander"), facts, ours)
        units: list[ArmyEntry] = []
        for item in root.listed("unit", 60):
            item.keys({"card", "attachments"}, {"card"})
            units.append(
                ArmyEntry(
                    card_id(item.member("card"), facts.units, ours),
                    tuple(
                        card_id(one, facts.attachments, ours)
                        for one in item.listed("attachments", 12)
                    ),
                )
            )
        return cls(
            game,
            faction,
            root.member("points").whole(0, 1000),
            commander,
            tuple(units),
            tuple(card_id(one, facts.ncus, ours) for one in root.listed("ncus", 30)),
            root.member("name").text(80) if "name" in raw else "",
            read_numbers(root, "costs", facts, ours, 0, 100),
            read_numbers(root, "wounds", facts, ours, 1, 60),
            season,
            read_numbers(root, "told", facts, ours, 0, 100),
            "season" in raw,
        )

    @classmethod
    def load(cls, path: Path | str) -> Army:
        """An army from an `*.army.toml` file."""
        return cls.read(load_toml(Path(path)))

    @classmethod
    def parse(cls, text: str, source: str = "army") -> Army:
        """An army from the text of such a file."""
        return cls.read(parse_toml(text, source))

    def to_json(self) -> dict[str, Any]:
        """The army as a TOML-compatible object."""
        head = {"format": FORMAT, "game": self.game, "name": self.name, "faction": self.faction}
        return drop_empty(
            {
                **head,
                "points": self.points,
                "commander": self.commander,
                "ncus": list(self.ncus),
                "unit": [entry.to_json() for entry in self.units],
                "costs": dict(self.costs) or None,
                "wounds": dict(self.wounds) or None,
                "season": self.season,
                "told": dict(self.told) or None,
            }
        )

    def text(self) -> str:
        """The army as the text of a file, with names as comments; `Army.parse` reads it back."""
        facts = army_catalogue(self.game, self.season)
        shelves: tuple[Mapping[str, IndexedCard], ...] = (
            facts.attachments,
            facts.units,
            facts.ncus,
        )
        leader = next((shelf for shelf in shelves if self.commander in shelf), facts.attachments)

        def several(
            key: str, cards: tuple[str, ...], shelf: Mapping[str, IndexedCard]
        ) -> list[str]:
            if not cards:
                return []
            rows = [f"  {quoted(card)},{remark(shelf, card)}" for card in cards]
            return [f"{key} = [", *rows, "]"]

        lines = [
            f"format = {quoted(FORMAT)}",
            f"game = {quoted(self.game)}",
            *([f"name = {quoted(self.name)}"] if self.name else []),
            f"faction = {quoted(self.faction)}",
            *([f"season = {quoted(self.season)}"] if self.season else []),
            f"points = {self.points}",
        ]
        if self.commander:
            who = f"{quoted(self.commander)}{remark(leader, self.commander)}"
            lines.append(f"commander = {who}")
        lines += several("ncus", self.ncus, facts.ncus)
        for entry in self.units:
            lines += ["", "[[unit]]"]
            lines.append(f"card = {quoted(entry.unit)}{remark(facts.units, entry.unit)}")
            lines += several("attachments", entry.attachments, facts.attachments)
        for heading, numbers in (("costs", self.costs), ("wounds", self.wounds)):
            if numbers:
                lines += ["", f"[{heading}]"]
                lines += [f"{quoted(card)} = {number}" for card, number in numbers]
        return "\n".join(lines) + "\n"


def read_season(field: Field, game: str) -> str:
    """A season of the game's cards by its name."""
    found = season_named(game, field.text(20))
    if found is None:
        known = ", ".join(seasons(game)) or "–"
        field.fail(say("no season {name}; there are: {known}", name=shown(field.raw), known=known))
    return found


def card_id(field: Field, shelf: CardIndex[T], factions: Iterable[str]) -> str:
    """The id of the card a file names; an unknown one is refused by its place."""
    try:
        return shelf.find(field.text(), factions).id
    except UnknownName as error:
        field.fail(str(error))


def read_numbers(
    root: Field, key: str, facts: ArmyCatalogue, factions: tuple[str, ...], low: int, high: int
) -> Numbers:
    """Read numbers by card; a name without a card is refused by its place."""
    if key not in root.raw:
        return ()
    field = root.member(key)
    found: dict[str, int] = {}
    for name in field.members():
        shelves: tuple[CardIndex[Any], ...] = (facts.units, facts.attachments, facts.ncus)
        shelf = next((one for one in shelves if name in one or one.named(name)), facts.units)
        try:
            card = shelf.find(name, factions)
        except UnknownName as error:
            field.fail(str(error))
        number = field.member(name).whole(low, high)
        known = getattr(card, "wounds_per_model", 1) if key == "wounds" else None
        if known is None:
            found[card.id] = number
        elif known != number:
            field.member(name).fail(
                say("the catalogue says {known} for {name}", known=known, name=card.label)
            )
    return tuple(found.items())


def read_commander(field: Field, facts: ArmyCatalogue, factions: Iterable[str]) -> str:
    """The id of the commander: usually an attachment, else a unit or an NCU (TMG-CMD-3)."""
    name = field.text()
    leaders = [
        card
        for shelf in (facts.attachments, facts.units, facts.ncus)
        for card in shelf.values()
        if card.commander
    ]
    # Where the game's catalogue has no commander, any card may be named as one.
    leaders = leaders or [
        *facts.attachments.values(),
        *facts.units.values(),
        *facts.ncus.values(),
    ]
    named = [card for card in leaders if card.id == name] or [
        card for card in leaders if folded(name) in (folded(card.name), folded(card.label))
    ]
    found = preferred(tuple(named), factions)
    if not found:
        field.fail(unknown("commander", name, leaders))
    if len(found) > 1:
        field.fail(ambiguous("commander", name, found))
    return found[0].id


def quoted(text: str) -> str:
    """A printable text as a TOML string, which is written like a JSON string."""
    return json.dumps(text, ensure_ascii=False)


def remark(shelf: Mapping[str, IndexedCard], key: str) -> str:
    """A comment with the card's name, to follow its id."""
    return f"  # {shelf[key].label}" if key in shelf else ""


Card = UnitCard | Attachment | NonCombatUnit


def conditions_of(one: Card, rule: str) -> list[Condition]:
    """The conditions of one kind on a card."""
    return [condition for condition in one.conditions if condition.rule == rule]


def is_one(card: Card, of: str) -> bool:
    """Whether a condition names this card: by name and title, or by words of its name.

    "A | B" names either; "Harma" does not name "Harma's Vanguard".
    """
    for name in of.split(" | "):
        if folded(name) == folded(card.label):
            return True
        if "," not in name and set(words(name)) <= set(words(card.name)):
            return True
    return False


def words(name: str) -> list[str]:
    return re.findall(r"[\w']+", folded(name))


def commanders(cards: Iterable[Card]) -> list[Card]:
    """The commanders among cards; one whose card needs another commander only goes with him."""
    every = [one for one in cards if one.commander]
    return [
        one
        for one in every
        if not any(
            is_one(other, condition.of)
            for condition in conditions_of(one, "needs")
            for other in every
            if other is not one
        )
    ]


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """A combat unit of an army with the attachments that joined it."""

    card: UnitCard
    attachments: tuple[Attachment, ...] = ()
    leads: bool = False
    """Whether a unit entered by hand has the commander, though none of its cards is one."""

    @property
    def type_unknown(self) -> bool:
        """Whether the type of unit that an attachment may join is unknown (TMG-ATM-5)."""
        return any(not one.type for one in self.attachments)

    @property
    def commanders(self) -> list[Card]:
        """The commander cards of this unit."""
        cards: list[Card] = [self.card, *self.attachments]
        return [one for one in cards if one.commander]


@dataclass(frozen=True, slots=True)
class ArmyCards:
    """Every card of an army; an unknown cost or number of wounds is None."""

    game: str
    faction: str
    points: int
    commander: str = ""
    """The id of the commander, or a name that matches no card of the army."""
    units: tuple[FieldedUnit, ...] = ()
    ncus: tuple[NonCombatUnit, ...] = ()

    @property
    def cards(self) -> list[Card]:
        """Units with their attachments, then NCUs."""
        found: list[Card] = []
        for unit in self.units:
            found += [unit.card, *unit.attachments]
        return [*found, *self.ncus]

    @property
    def leaders(self) -> list[Card]:
        """The commanders; the rules require exactly one (TMG-ARM-5)."""
        found = commanders(self.cards)
        return [*found, *(unit.card for unit in self.units if unit.leads and not unit.commanders)]


def card(facts: ArmyCatalogue, key: str) -> Card:
    """The unit, attachment or NCU of that id."""
    for shelf in (facts.units, facts.attachments, facts.ncus):
        if key in shelf:
            found: Card = shelf[key]
            return found
    return facts.units.find(key)  # raises with suggestions of similar names


def knows_commanders(facts: ArmyCatalogue) -> bool:
    """Whether the catalogue says who can command; otherwise the players name the commander."""
    shelves = (facts.attachments, facts.units, facts.ncus)
    return any(one.commander for shelf in shelves for one in shelf.values())


def unit_card(army: Army, key: str) -> UnitCard:
    """The card of a unit, with the player's values for those the catalogue lacks."""
    one = army_catalogue(army.game, army.season).units[key]
    if one.wounds_per_model is None:
        one = replace(one, wounds_per_model=dict(army.wounds).get(key))
    return replace(one, cost=known_cost(army, one), commander=leads(army, one))


def attachment_card(army: Army, key: str) -> Attachment:
    """The same for an attachment."""
    one = army_catalogue(army.game, army.season).attachments[key]
    return replace(one, cost=known_cost(army, one), commander=leads(army, one))


def ncu_card(army: Army, key: str) -> NonCombatUnit:
    """The same for an NCU."""
    one = army_catalogue(army.game, army.season).ncus[key]
    return replace(one, cost=known_cost(army, one), commander=leads(army, one))


def known_cost(army: Army, one: Card) -> int | None:
    """The cost of a card: as the players entered it, otherwise from the catalogue."""
    return dict(army.costs).get(one.id, one.cost)


def leads(army: Army, one: Card) -> bool:
    """Whether it is a commander: by its card, or named by the player if the catalogue has none."""
    named = one.id == army.commander and not knows_commanders(army_catalogue(army.game))
    return one.commander or named


def cards_of(army: Army) -> ArmyCards:
    return ArmyCards(
        army.game,
        army.faction,
        army.points,
        army.commander,
        tuple(
            FieldedUnit(
                unit_card(army, entry.unit),
                tuple(attachment_card(army, key) for key in entry.attachments),
            )
            for entry in army.units
        ),
        tuple(ncu_card(army, key) for key in army.ncus),
    )
