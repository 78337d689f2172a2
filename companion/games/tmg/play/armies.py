"""Army building: what an army costs, which deck it plays, and every rule it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.games.playing import Refusal
from companion.games.tmg.play.rules import rules_of
from models import Army, Attachment, NonCombatUnit, TacticsCard, UnitCard, catalogue
from models.army import NEUTRAL
from models.catalogue import Catalogue
from models.said import say
from models.shelf import folded

Card = UnitCard | Attachment | NonCombatUnit
FACTION_CARDS = 7  # TMG-DECK-1
COMMANDER_CARDS = 3  # TMG-DECK-1
DECK = 20  # TMG-DECK-1


def card(facts: Catalogue, key: str) -> Card:
    """The unit, attachment or NCU of that id."""
    for shelf in (facts.units, facts.attachments, facts.ncus):
        if key in shelf:
            found: Card = shelf[key]
            return found
    return facts.units.find(key)  # refuses with the nearest names


def every_card(army: Army) -> list[Card]:
    """All cards of an army: units, attachments, NCUs."""
    facts = catalogue(army.game)
    keys = [key for entry in army.units for key in (entry.unit, *entry.attachments)]
    return [card(facts, key) for key in (*keys, *army.ncus)]


def price(one: Card) -> int:
    """Its points; a commander costs none (TMG-CMD-5)."""
    return 0 if one.commander else (one.cost or 0)


def cost(army: Army) -> int:
    """What an army costs (TMG-ARM-3)."""
    return sum(price(one) for one in every_card(army))


def deck_names(army: Army) -> tuple[str, ...]:
    """The names of its tactics cards: the faction's and the commander's (TMG-ARM-7)."""
    facts = catalogue(army.game)
    brought = commander_cards(army)
    gone = {key for one in brought for key in one.removes}
    own = [
        one
        for one in facts.cards.values()
        if one.faction == army.faction and not one.commander and one.id not in gone
    ]
    return (*(one.name for one in (*own, *brought)), *nameless_cards(army))


def commander_cards(army: Army) -> list[TacticsCard]:
    """The cards its commander brings, as far as the catalogue knows them."""
    cards = catalogue(army.game).cards.values()
    return [one for one in cards if army.commander and one.commander == army.commander]


def nameless_cards(army: Army) -> tuple[str, ...]:
    """Cards of a commander whose cards no catalogue names: the players read their own."""
    facts = catalogue(army.game)
    if not army.commander or not len(facts.cards) or commander_cards(army):
        return ()
    label = card(facts, army.commander).label
    return tuple(f"{label}: card {number}" for number in range(1, COMMANDER_CARDS + 1))


def notes(army: Army) -> tuple[str, ...]:
    """What players should know of an army that breaks no rule."""
    if not nameless_cards(army):
        return ()
    label = card(catalogue(army.game), army.commander).label
    return (
        say(
            "the cards {name} brings are not in the catalogue: they are called card 1 to {last} "
            "until a cards.toml of your own names them",
            name=label,
            last=COMMANDER_CARDS,
        ),
    )


# -- checking ---------------------------------------------------------------------------------


def check(army: Army) -> tuple[Refusal, ...]:
    """Every rule an army breaks; nothing where it is fine."""
    return (
        *wrong_points(army),
        *wrong_factions(army),
        *wrong_commander(army),
        *wrong_characters(every_card(army)),
        *wrong_attachments(army),
        *wrong_deck(army),
    )


def wrong_points(army: Army) -> list[Refusal]:
    """Total and neutral points (TMG-ARM-1, TMG-ARM-3, TMG-ARM-14)."""
    cards = every_card(army)
    found = [
        Refusal("TMG-ARM-3", say("the catalogue does not know the cost of {name}", name=one.label))
        for one in cards
        if one.cost is None and not one.commander
    ]
    total = cost(army)
    if total > army.points:
        found.append(
            Refusal(
                "TMG-ARM-1",
                say(
                    "{n} point is more than {points}",
                    "{n} points are more than {points}",
                    n=total,
                    points=army.points,
                ),
            )
        )
    neutral = sum(price(one) for one in cards if one.faction == NEUTRAL)
    if army.faction != NEUTRAL and 2 * neutral > army.points:
        found.append(
            Refusal(
                "TMG-ARM-14",
                say(
                    "{n} neutral point is more than half of {points}",
                    "{n} neutral points are more than half of {points}",
                    n=neutral,
                    points=army.points,
                ),
            )
        )
    return found


def wrong_factions(army: Army) -> list[Refusal]:
    """One faction and neutrals; neutrals alone where they are the faction (TMG-ARM-4, -16)."""
    rule = "TMG-ARM-16" if army.faction == NEUTRAL else "TMG-ARM-4"
    return [
        Refusal(
            rule,
            say(
                "{name} is {faction}, not {wanted}",
                name=one.label,
                faction=one.faction,
                wanted=army.faction,
            ),
        )
        for one in every_card(army)
        if one.faction not in (army.faction, NEUTRAL)
    ]


def wrong_commander(army: Army) -> list[Refusal]:
    """Exactly one commander, who stands in the army (TMG-ARM-5, TMG-ARM-6, TMG-ARM-15)."""
    leaders = [one for one in every_card(army) if one.commander]
    if not army.commander and not leaders:
        return [Refusal("TMG-ARM-5", "the army has no commander")]
    if len(leaders) > 1:
        names = ", ".join(one.label for one in leaders)
        return [
            Refusal("TMG-ARM-5", say("the army has more than one commander: {names}", names=names))
        ]
    if not leaders:
        facts = catalogue(army.game)
        return [
            Refusal(
                "TMG-ARM-6",
                say(
                    "{commander} is in no unit of the army",
                    commander=card(facts, army.commander).label,
                ),
            )
        ]
    if army.commander and leaders[0].id != army.commander:
        return [
            Refusal(
                "TMG-ARM-5",
                say("{leader} is not the commander that is named", leader=leaders[0].label),
            )
        ]
    return []


def wrong_characters(cards: Iterable[Card], rule: str = "") -> list[Refusal]:
    """Each character once, whatever the version (TMG-ARM-9, TMG-ARM-10)."""
    people: dict[str, list[Card]] = {}
    for one in cards:
        if one.character:
            people.setdefault(folded(one.name), []).append(one)
    found = []
    for versions in people.values():
        if len(versions) > 1:
            same = len({one.id for one in versions}) == 1
            number = rule or ("TMG-ARM-9" if same else "TMG-ARM-10")
            labels = " and ".join(one.label for one in versions)
            found.append(Refusal(number, say("{names}: each character only once", names=labels)))
    return found


def wrong_attachments(army: Army) -> list[Refusal]:
    """One per unit, of its type, none in solo units (TMG-ATM-3..5, TMG-ARM-11, TMG-ARM-12)."""
    facts = catalogue(army.game)
    found = []
    for entry in army.units:
        unit = facts.units[entry.unit]
        if len(entry.attachments) > 1:
            found.append(
                Refusal("TMG-ATM-4", say("{unit} has more than one attachment", unit=unit.label))
            )
        for key in entry.attachments:
            joined = facts.attachments[key]
            solo = facts.trays[unit.tray].models == 1
            if solo and not rules_of(army.game.rpartition("-")[2]).solo_attachments:
                found.append(
                    Refusal(
                        "TMG-ATM-3",
                        say(
                            "{unit} is a solo unit: {attachment} cannot join",
                            unit=unit.label,
                            attachment=joined.label,
                        ),
                    )
                )
            elif joined.type and joined.type != unit.type:
                words = say(
                    "{attachment} joins {type}, {unit} is {kind}",
                    attachment=joined.label,
                    type=joined.type,
                    unit=unit.label,
                    kind=unit.type,
                )
                found.append(Refusal("TMG-ATM-5", words))
    return found


def wrong_deck(army: Army) -> list[Refusal]:
    """7 + 3 names, two copies each (TMG-DECK-1); editions without card facts are not checked."""
    if not army.commander or not len(catalogue(army.game).cards):
        return []
    names = deck_names(army)
    if len(names) * 2 == DECK:
        return []
    return [
        Refusal(
            "TMG-DECK-1",
            say("{number} tactics cards instead of {wanted}", number=2 * len(names), wanted=DECK),
        )
    ]


def check_team(armies: Sequence[Army]) -> tuple[Refusal, ...]:
    """Each character once per team (TMG-TEAM-2), besides every army's own rules."""
    own = tuple(problem for army in armies for problem in check(army))
    together = [one for army in armies for one in distinct(every_card(army))]
    return (*own, *wrong_characters(together, "TMG-TEAM-2"))


def distinct(cards: list[Card]) -> list[Card]:
    """Characters of one army once each: their doubling is that army's own fault."""
    seen: Counter[str] = Counter()
    kept = []
    for one in cards:
        seen[folded(one.name)] += 1
        if not one.character or seen[folded(one.name)] == 1:
            kept.append(one)
    return kept


def check_shape(shape: str, mode: str, sides: int) -> tuple[Refusal, ...]:
    """Which modes and how many sides a shape of game allows (TMG-FFA-1, TMG-TEAM-4)."""
    if shape == "ffa":
        if mode == "SOS":
            return (Refusal("TMG-FFA-1", "A Storm of Swords is not played all against all"),)
        if not 2 <= sides <= 4:
            return (
                Refusal("TMG-FFA-2", say("{sides} players do not fit four corners", sides=sides)),
            )
    elif sides != 2:
        return (Refusal("TMG-TEAM-5", say("two sides play, not {sides}", sides=sides)),)
    return ()
