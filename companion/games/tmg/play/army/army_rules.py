"""Army building rules: what an army costs, which deck it plays, and every rule it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.games.api.army_building import Unknown
from companion.games.api.play import Refusal
from companion.games.tmg.cards.army import (
    NEUTRAL,
    Army,
    ArmyCards,
    Card,
    card,
    cards_of,
    conditions_of,
    knows_commanders,
)
from companion.games.tmg.cards.army_catalogue import (
    Attachment,
    NonCombatUnit,
    TacticsCard,
    army_catalogue,
)
from companion.games.tmg.play.army.army_conditions import (
    broken_conditions,
    counted_attachments,
    made_for,
    named,
    price,
    reductions,
)
from companion.games.tmg.play.state.play_rules import rules_of
from models import UnitCard
from models.army_card import folded
from models.message import say

COMMANDER_CARDS = 3  # TMG-DECK-1
DECK = 20  # TMG-DECK-1
OFFERED_COST, OFFERED_WOUNDS = 15, 12
"""The largest numbers that buttons offer; an army list may have larger ones."""


def every_card(army: Army) -> list[Card]:
    """All cards of an army: units, attachments, NCUs."""
    return cards_of(army).cards


def cost(army: Army) -> int:
    """What an army costs (TMG-ARM-3), less what its cards make cheaper (TMG-ARM-13)."""
    return total(cards_of(army))


def known_cost(army: Army) -> int | None:
    """What an army costs; None where nobody has told what its cards cost, as of 2018."""
    return None if unpriced(cards_of(army)) else cost(army)


def total(army: ArmyCards, faction: str = "") -> int:
    """The points of an army's cards, of all or of one faction."""
    cards = [one for one in army.cards if faction in ("", one.faction)]
    less = sum(by for one, by in reductions(army) if faction in ("", one.faction))
    return sum(price(one) for one in cards) - less


def deck_names(army: Army) -> tuple[str, ...]:
    """The names of its tactics cards: those of the faction and of the commander (TMG-ARM-7,
    TMG-CMD-4, -6)."""
    facts = army_catalogue(army.game, army.season)
    brought = commander_cards(army)
    gone = {key for one in brought for key in one.removes}
    own = [
        one
        for one in facts.cards.values()
        if one.faction == army.faction and not one.commander and one.id not in gone
    ]
    return (*(one.name for one in (*own, *brought)), *nameless_cards(army))


def commander_cards(army: Army) -> list[TacticsCard]:
    """The tactics cards of its commander, as far as the catalogue has them."""
    cards = army_catalogue(army.game, army.season).cards.values()
    return [one for one in cards if army.commander and one.commander == army.commander]


def nameless_cards(army: Army) -> tuple[str, ...]:
    """Placeholders for the cards of a commander that the catalogue lacks: players use their own."""
    facts = army_catalogue(army.game, army.season)
    if not army.commander or not len(facts.cards) or commander_cards(army):
        return ()
    label = card(facts, army.commander).label
    return tuple(f"{label}: card {number}" for number in range(1, COMMANDER_CARDS + 1))


def unchecked(army: Army) -> tuple[str, ...]:
    """What of an army cannot be checked, because neither cards nor list tell it."""
    found = [
        say(
            "the catalogue does not know which type of unit {attachment} joins: look whether it "
            "may join {unit} (TMG-ATM-5)",
            attachment=joined.label,
            unit=entry.card.label,
        )
        for entry in cards_of(army).units
        for joined in entry.attachments
        if not joined.type
    ]
    if unpriced(cards_of(army)):
        words = say(
            "neither the cards nor the list name points: they are not counted, nor is their limit "
            "checked"
        )
        found.append(words)
    return tuple(found)


def notes(army: Army) -> tuple[str, ...]:
    """Remarks for the players on an army that breaks no rule."""
    found = [*unchecked(army)]
    found += [
        say("{name} joins an enemy unit: put it there when its card says so", name=one.label)
        for one in cards_of(army).cards
        if conditions_of(one, "enemy")
    ]
    if nameless_cards(army):
        words = say(
            "the cards {name} brings are not in the catalogue: they are called card 1 to {last} "
            "until a cards.toml of your own names them",
            name=card(army_catalogue(army.game, army.season), army.commander).label,
            last=COMMANDER_CARDS,
        )
        found.append(words)
    return tuple(found)


# -- checking ---------------------------------------------------------------------------------


def check(army: Army) -> tuple[Refusal, ...]:
    """Every rule an army breaks."""
    return (*check_cards(cards_of(army)), *claimed(army), *wrong_deck(army))


def claims(army: Army) -> list[tuple[Card, int]]:
    """The cards of which the list says other points than they print in their season."""
    cards = {one.id: one for one in every_card(army)}
    found = [(cards[key], points) for key, points in army.told if key in cards]
    return [(one, points) for one, points in found if not one.commander and one.cost != points]


def claimed(army: Army) -> list[Refusal]:
    """Points that a list says against the cards: the players say which are right (TMG-ARM-3)."""
    return [
        Refusal(
            "TMG-ARM-3",
            say(
                "{card} costs {cost}, the list says {points}: which is right?",
                card=one.label,
                cost=price(one),
                points=points,
            ),
            "costs",
        )
        for one, points in claims(army)
    ]


def check_cards(army: ArmyCards) -> tuple[Refusal, ...]:
    """Every rule the cards break, whether they come from a list or were entered by hand."""
    return (
        *wrong_points(army),
        *wrong_factions(army),
        *wrong_commander(army),
        *wrong_characters(army.cards),
        *wrong_attachments(army),
        *wrong_company(army),
        *wrong_wounds(army),
    )


def unpriced(army: ArmyCards) -> bool:
    """Whether neither the catalogue nor the list gives any of several cards its points: they are
    not counted then, as with the catalogue of 2018. A single card is asked about."""
    priced = (one.cost is not None or not one.id for one in army.cards if not one.commander)
    return len(army.cards) > 1 and not any(priced)


def unknowns(army: ArmyCards) -> tuple[Unknown, ...]:
    """Values that are needed but unknown: costs, wounds per model, the commander."""
    cards: dict[str, Card] = {one.id or one.label: one for one in army.cards}
    costs = [
        Unknown(
            one.id,
            one.label,
            "cost",
            say("How many points is {name}?", name=one.label),
            tuple(range(OFFERED_COST + 1)),
        )
        for one in cards.values()
        if one.cost is None and not one.commander and not unpriced(army)
    ]
    wounds = [
        Unknown(
            one.id,
            one.label,
            "wounds",
            say("How many wounds does a model of {name} take?", name=one.label),
            tuple(range(1, OFFERED_WOUNDS + 1)),
        )
        for one in cards.values()
        if isinstance(one, UnitCard) and one.wounds_per_model is None
    ]
    return (*costs, *wounds, *(() if army.leaders else commander_asked(army)))


def commander_asked(army: ArmyCards) -> tuple[Unknown, ...]:
    """The question who commands, where players name the commander (TMG-ARM-5)."""
    able = may_command(army)
    asked = Unknown("", "", "commander", say("Who commands this army?"), cards=able)
    return (asked,) if able else ()


def asked_claims(army: Army) -> tuple[Unknown, ...]:
    """The question which points are right, where list and card differ (TMG-ARM-3)."""
    return tuple(
        Unknown(
            one.id,
            one.label,
            "cost",
            say(
                "{card}: the card says {cost} points, the list {points}. Which is right?",
                card=one.label,
                cost=price(one),
                points=points,
            ),
            (price(one), points),
        )
        for one, points in claims(army)
    )


def wrong_points(army: ArmyCards) -> list[Refusal]:
    """Total and neutral points (TMG-ARM-1, TMG-ARM-3, TMG-ARM-14)."""
    found = [
        Refusal(
            "TMG-ARM-3",
            say(
                "the catalogue does not know the cost of {name}: write it in the list, as in "
                "“{name} (5)”"
                if one.card
                else "the cost of {name} is missing: give it as 'cost'",
                name=one.label,
            ),
            "costs",
        )
        for one in unknowns(army)
        if one.what == "cost"
    ]
    return [*found, *too_many_points(army)]


def too_many_points(army: ArmyCards) -> list[Refusal]:
    """More points than agreed, or too many neutral points (TMG-ARM-1, TMG-ARM-14)."""
    found = []
    spent, points = total(army), army.points
    if spent > points:
        found.append(
            Refusal(
                "TMG-ARM-1",
                say(
                    "{n} point is more than {points}",
                    "{n} points are more than {points}",
                    n=spent,
                    points=points,
                ),
            )
        )
    neutral = total(army, NEUTRAL)
    if army.faction and army.faction != NEUTRAL and 2 * neutral > points:
        found.append(
            Refusal(
                "TMG-ARM-14",
                say(
                    "{n} neutral point is more than half of {points}",
                    "{n} neutral points are more than half of {points}",
                    n=neutral,
                    points=points,
                ),
            )
        )
    return found


def wrong_wounds(army: ArmyCards) -> list[Refusal]:
    """Units whose number of wounds per model is unknown (TMG-WND-1)."""
    return [
        Refusal(
            "TMG-WND-1",
            say(
                "the catalogue does not know how many wounds a model of {name} takes: write it "
                "in the list, as in “{name} [3 wounds]”",
                name=one.label,
            ),
            "wounds",
        )
        for one in unknowns(army)
        if one.what == "wounds"
    ]


def wrong_factions(army: ArmyCards) -> list[Refusal]:
    """One faction and neutrals; only neutrals if they are the faction (TMG-ARM-4, -16)."""
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
        for one in army.cards
        if army.faction and one.faction not in (army.faction, NEUTRAL)
    ]


def may_command(army: ArmyCards) -> tuple[str, ...]:
    """The cards that may be named commander where the catalogue knows none: normally an attachment,
    exceptionally an NCU or a character alone (TMG-CMD-3)."""
    if knows_commanders(army_catalogue(army.game)):
        return ()
    beside = (Attachment, NonCombatUnit)
    return tuple(one.id for one in army.cards if isinstance(one, beside) or one.character)


def wrong_commander(army: ArmyCards) -> list[Refusal]:
    """Exactly one commander, who is part of the army (TMG-ARM-5, TMG-ARM-6, TMG-ARM-15)."""
    leaders = army.leaders
    if not army.commander and not leaders:
        if not may_command(army):
            return [Refusal("TMG-ARM-5", "the army has no commander")]
        return [
            Refusal(
                "TMG-ARM-5",
                say("say which card commands the army, as in “Commander: Name”"),
                "commander",
            )
        ]
    if len(leaders) > 1:
        names = ", ".join(one.label for one in leaders)
        return [
            Refusal("TMG-ARM-5", say("the army has more than one commander: {names}", names=names))
        ]
    if not leaders:
        name = label_of(army.game, army.commander)
        return [Refusal("TMG-ARM-6", say("{commander} is in no unit of the army", commander=name))]
    if army.commander and army.commander != leaders[0].id:
        return [
            Refusal(
                "TMG-ARM-5",
                say("{leader} is not the commander that is named", leader=leaders[0].label),
            )
        ]
    return []


def label_of(game: str, key: str) -> str:
    """The name of a card, or the key itself if there is no such card."""
    facts = army_catalogue(game)
    shelves = (facts.units, facts.attachments, facts.ncus)
    return card(facts, key).label if any(key in shelf for shelf in shelves) else key


def wrong_characters(cards: Iterable[Card]) -> list[Refusal]:
    """Each character once, whatever the version (TMG-ARM-9, TMG-ARM-10)."""
    people: dict[str, list[Card]] = {}
    for one in cards:
        if one.character:
            people.setdefault(folded(one.name), []).append(one)
    found = []
    for versions in people.values():
        if len(versions) > 1:
            same = len({one.id for one in versions}) == 1
            number = "TMG-ARM-9" if same else "TMG-ARM-10"
            labels = " and ".join(dict.fromkeys(one.label for one in versions))
            found.append(Refusal(number, say("{names}: each character only once", names=labels)))
    return found


def wrong_attachments(army: ArmyCards) -> list[Refusal]:
    """One per unit, of its type, none in solo units (TMG-ATM-3..5, TMG-ARM-11, TMG-ARM-12) but
    those that their card puts into this one (TMG-ARM-13)."""
    trays = army_catalogue(army.game).trays
    found = []
    for entry in army.units:
        unit = entry.card
        if len(counted_attachments(entry)) > 1:
            found.append(
                Refusal("TMG-ATM-4", say("{unit} has more than one attachment", unit=unit.label))
            )
        for joined in entry.attachments:
            solo = trays[unit.tray].models == 1 and not made_for(joined, unit)
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


def wrong_company(army: ArmyCards) -> list[Refusal]:
    """Cards that require or exclude other cards in the army (TMG-ARM-13)."""
    cards = army.cards
    found: list[str] = []
    for one in cards:
        others = [other for other in cards if other is not one]
        if one.requires and not any(named(other, one.requires) for other in others):
            found.append(
                say(
                    "{name} needs one of these in the army: {others}",
                    name=one.label,
                    others=", ".join(one.requires),
                )
            )
        found += [
            say("{name} does not fight beside {other}", name=one.label, other=other.label)
            for other in others
            if named(other, one.excludes)
        ]
    for entry in army.units:
        found += [
            say("{name} does not join {unit}", name=joined.label, unit=entry.card.label)
            for joined in entry.attachments
            if joined.joins and not named(entry.card, joined.joins)
        ]
    found += broken_conditions(army)
    return [Refusal("TMG-ARM-13", words) for words in found]


def wrong_deck(army: Army) -> list[Refusal]:
    """7 + 3 names, two copies each (TMG-DECK-1); editions without card facts are not checked."""
    if not army.commander or not len(army_catalogue(army.game, army.season).cards):
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


def shared_characters(armies: Iterable[Sequence[Card]]) -> list[Refusal]:
    """Characters that stand in two armies of one team (TMG-TEAM-2)."""
    together = [one for cards in armies for one in distinct(cards)]
    return [
        Refusal("TMG-TEAM-2", say("{problem}, in the whole team", problem=one.say))
        for one in wrong_characters(together)
    ]


def distinct(cards: Sequence[Card]) -> list[Card]:
    """Each character of an army once; duplicates are reported for that army alone."""
    seen: Counter[str] = Counter()
    kept = []
    for one in cards:
        seen[folded(one.name)] += 1
        if not one.character or seen[folded(one.name)] == 1:
            kept.append(one)
    return kept


def check_shape(shape: str, mode: str, sides: int) -> tuple[Refusal, ...]:
    """Whether this kind of game allows the mode and the number of sides (TMG-FFA-1, TMG-TEAM-4)."""
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
