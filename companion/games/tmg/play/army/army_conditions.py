"""What cards say about the army they are in (TMG-ARM-13): who may stand beside whom, how often, in
which unit, and what becomes cheaper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.games.tmg.cards.army import ArmyCards, Card, FieldedUnit, conditions_of, is_one
from companion.games.tmg.cards.army_catalogue import Attachment
from models import UnitCard
from models.army_card import folded
from models.message import say

LOYALTY = "loyalty:"
"""How the name of an ability begins that says whom a card is loyal to."""


def price(one: Card) -> int:
    """The points of a card; a commander costs none (TMG-CMD-5)."""
    return 0 if one.commander else (one.cost or 0)


def named(one: Card, names: Iterable[str]) -> bool:
    """Whether a card is one of these: by id, or by part of its name (TMG-CARD-10)."""
    label = folded(one.label)
    return any(name == one.id or folded(name) in label for name in names)


def counted_attachments(unit: FieldedUnit) -> list[Attachment]:
    """The attachments that count against one per unit (TMG-ATM-4): cards may say otherwise."""

    def extra(one: Attachment) -> bool:
        others: list[Card] = [unit.card]
        others += [other for other in unit.attachments if other is not one]
        return any(
            not condition.of or any(is_one(other, condition.of) for other in others)
            for condition in conditions_of(one, "extra")
        )

    return [one for one in unit.attachments if not extra(one)]


# -- who may stand in the army ----------------------------------------------------------------


def broken_conditions(army: ArmyCards) -> Iterator[str]:
    """A sentence for each condition that the army does not meet."""
    yield from divided_loyalties(army.cards)
    yield from too_many_copies(army.cards)
    for one in army.cards:
        others = [other for other in army.cards if other is not one]
        for condition in one.conditions:
            if condition.rule == "needs" and not any(is_one(o, condition.of) for o in others):
                yield say(
                    "{name} needs one of these in the army: {others}",
                    name=one.label,
                    others=condition.of.replace(" | ", ", "),
                )
            if condition.rule == "excludes":
                yield from (
                    say("{name} does not fight beside {other}", name=one.label, other=other.label)
                    for other in others
                    if is_one(other, condition.of)
                )
            if condition.rule == "ability" and not gives(army.cards, condition.of):
                yield say(
                    "{name} is not bought: it comes with {ability}",
                    name=one.label,
                    ability=condition.of,
                )
    for unit in army.units:
        yield from misplaced(unit)


def bars(cards: list[Card], one: Card) -> Iterator[str]:
    """What bars a further card whatever else the army takes: loyalty, company, copies.

    What it still needs beside it may come later.
    """
    for broken in (divided_loyalties, too_many_copies):
        before = len(list(broken(cards)))
        yield from list(broken([*cards, one]))[before:]
    for other in cards:
        for mine, its in ((one, other), (other, one)):
            if any(is_one(its, condition.of) for condition in conditions_of(mine, "excludes")):
                yield say("{name} does not fight beside {other}", name=mine.label, other=its.label)


def divided_loyalties(cards: Iterable[Card]) -> Iterator[str]:
    """Cards loyal to different people never stand in one army."""
    first: tuple[str, str] | None = None
    for one in cards:
        own = [condition.of for condition in conditions_of(one, "loyalty")]
        own += [
            name[len(LOYALTY) :].strip()
            for name in one.abilities
            if name.casefold().startswith(LOYALTY)
        ]
        if own and first is None:
            first = (one.label, own[0])
        elif own and first is not None and folded(own[0]) != folded(first[1]):
            yield say(
                "{name} is loyal to {whom}, {other} to {another}",
                name=first[0],
                whom=first[1],
                other=one.label,
                another=own[0],
            )


def too_many_copies(cards: Iterable[Card]) -> Iterator[str]:
    """Cards of which an army may have only so many."""
    cards = list(cards)
    lifted = [c.of for one in cards for c in conditions_of(one, "lifts")]
    counts = Counter(one.id for one in cards)
    for one in {card.id: card for card in cards}.values():
        for condition in conditions_of(one, "copies"):
            free = any(is_one(one, of) for of in lifted)
            if counts[one.id] > condition.number and not free:
                yield say("at most {n} × {name} in an army", n=condition.number, name=one.label)
        for condition in conditions_of(one, "copies-per"):
            infantry = sum(
                isinstance(unit, UnitCard)
                and unit.type == "infantry"
                and is_one(unit, condition.of)
                for unit in cards
            )
            if counts[one.id] > condition.number * infantry:
                yield say(
                    "at most one {name} for each infantry unit of the {company}",
                    name=one.label,
                    company=condition.of,
                )


def gives(cards: Iterable[Card], ability: str) -> bool:
    """Whether a card of the army has the ability that brings another one."""
    wanted = folded(ability)
    return any(folded(name) and folded(name) in wanted for one in cards for name in one.abilities)


def made_for(attachment: Attachment, unit: UnitCard) -> bool:
    """Whether an attachment's card names the unit that it joins."""
    return any(is_one(unit, one.of) for one in conditions_of(attachment, "joins"))


def misplaced(unit: FieldedUnit) -> Iterator[str]:
    """Attachments in a unit that is not theirs, and cards that must stand together."""
    cards: list[Card] = [unit.card, *unit.attachments]
    for one in cards:
        others = [other for other in cards if other is not one]
        for condition in one.conditions:
            if condition.rule == "shares" and not any(is_one(o, condition.of) for o in others):
                yield say(
                    "{name} must be in one unit with {other}", name=one.label, other=condition.of
                )
            house = folded(condition.of) == folded(unit.card.faction)
            if condition.rule == "joins" and not house and not is_one(unit.card, condition.of):
                yield say("{name} does not join {unit}", name=one.label, unit=unit.card.label)
    limits = {
        (condition.of, condition.number)
        for one in unit.attachments
        for condition in conditions_of(one, "in-unit")
    }
    for of, most in sorted(limits):
        if sum(folded(of) in folded(one.label) for one in unit.attachments) > most:
            yield say("at most {n} × {name} in a unit", n=most, name=of)


# -- what becomes cheaper ---------------------------------------------------------------------


def reductions(army: ArmyCards) -> list[tuple[Card, int]]:
    """The cards that cost less in this army, each with how much less; none below 0."""
    found: list[tuple[Card, int]] = []

    def has(of: str, beside: Card) -> bool:
        return any(is_one(other, of) for other in army.cards if other is not beside)

    def cheapen(cards: Iterable[Card], by: int | None = 1) -> None:
        """Make the first card that still costs something cheaper, or free."""
        for one in cards:
            left = price(one) - sum(less for other, less in found if other is one)
            if left > 0:
                found.append((one, left if by is None else min(by, left)))
                return

    joined = [one for unit in army.units for one in unit.attachments]
    for unit in army.units:
        for condition in unit.card.conditions:
            if condition.rule == "cheaper-here":
                cheapen(unit.attachments)
            elif condition.rule == "free":
                cheapen((one for one in unit.attachments if is_one(one, condition.of)), None)
    free: set[str] = set()
    for one in army.cards:
        for condition in one.conditions:
            if condition.rule == "cheaper" and has(condition.of, one):
                cheapen([one])
            elif condition.rule == "cheaper-one":
                cheapen(other for other in army.cards if is_one(other, condition.of))
            elif condition.rule == "first-free" and one.id not in free and has(condition.of, one):
                free.add(one.id)
                cheapen([one], None)
    if any(conditions_of(one, "cheaper-first") for one in army.cards):
        cheapen(joined)
    return found
