"""The cards of an army, whatever the format of its list, for the army building rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.tmg.cards.army import Army
from companion.games.tmg.cards.army_catalogue import ArmyCatalogue, army_catalogue
from companion.games.tmg.cards.attachment import Attachment
from companion.games.tmg.cards.ncu import NonCombatUnit
from models import UnitCard

Card = UnitCard | Attachment | NonCombatUnit


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
        found: list[Card] = [one for one in self.cards if one.commander]
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
    one = army_catalogue(army.game).units[key]
    if one.wounds_per_model is None:
        one = replace(one, wounds_per_model=dict(army.wounds).get(key))
    return replace(one, cost=known_cost(army, one), commander=leads(army, one))


def attachment_card(army: Army, key: str) -> Attachment:
    """The same for an attachment."""
    one = army_catalogue(army.game).attachments[key]
    return replace(one, cost=known_cost(army, one), commander=leads(army, one))


def ncu_card(army: Army, key: str) -> NonCombatUnit:
    """The same for an NCU."""
    one = army_catalogue(army.game).ncus[key]
    return replace(one, cost=known_cost(army, one), commander=leads(army, one))


def known_cost(army: Army, one: Card) -> int | None:
    """The cost of a card: from the catalogue, otherwise as the player entered it."""
    return dict(army.costs).get(one.id) if one.cost is None else one.cost


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
