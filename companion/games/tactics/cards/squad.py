"""Squads: the figures and equipment a player buys, and what the rules allow (TAC-SQD, TAC-EQP)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.tactics.cards.card_faults import card_faults
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import FigureCard
from models.message import CompanionError, joined, say


@dataclass(frozen=True, slots=True)
class EquipmentItem:
    """An item: `price` in copper stars; `once` items are discarded when used (TAC-EQP-6).

    `kinds` are the figures that may carry it; the icons are lost in the source, so the players may
    restrict them further. The numbers are added to rolls, or to the spaces of Moves.
    """

    id: str
    name: str
    price: int
    unique: bool = False
    once: bool = False
    infantry: bool = False
    spaces: int = 0
    defence: int = 0
    will: int = 0
    melee: int = 0
    ranged: int = 0
    protects: str = ""
    """The condition that its bearer cannot get."""
    use: str = ""
    """When a `once` item may be used: "attack", "defence", "roll", "captured", "activated"."""


ITEMS = (
    EquipmentItem("blinding-powder", say("Blinding powder"), 2, once=True, use="enemy-roll"),
    EquipmentItem("holy-icon", say("Holy icon"), 2, unique=True, protects="shaken"),
    EquipmentItem("spotless-boots", say("Spotless boots"), 2, infantry=True, spaces=1),
    EquipmentItem("castle-forged-steel", say("Castle-forged steel"), 2, unique=True, defence=1),
    EquipmentItem("lucky-charm", say("Lucky charm"), 1, once=True, use="roll"),
    EquipmentItem(
        "vial-of-poison", say("Vial of poison"), 2, unique=True, once=True, use="captured"
    ),
    EquipmentItem("flask-of-mead", say("Flask of mead"), 1, will=2),
    EquipmentItem("poppy-juice", say("Poppy juice"), 1, unique=True, protects="frozen"),
    EquipmentItem("steel-arrowheads", say("Steel arrowheads"), 1, ranged=1),
    EquipmentItem("family-armour", say("Family armour"), 1, defence=1),
    EquipmentItem("glass-candle", say("Glass candle"), 1, unique=True, infantry=True),
    EquipmentItem("valyrian-steel", say("Valyrian steel"), 2, unique=True, melee=1),
    EquipmentItem("healing-balm", say("Healing balm"), 2, unique=True, once=True, use="activated"),
    EquipmentItem(
        "obsidian-dagger", say("Obsidian dagger"), 2, unique=True, once=True, use="attack"
    ),
    EquipmentItem("family-weapon", say("Family weapon"), 1, melee=1),
)
EQUIPMENT = {item.id: item for item in ITEMS}


NEUTRAL = "neutral"
MOST_FIGURES = 40
SIZES = {
    "small": Coins(2, 4, 12),
    "standard": Coins(3, 6, 18),
    "large": Coins(4, 8, 24),
}
"""The usual coins of a player by size of the battle (TAC-SQD-9)."""
VALUE_WORDS = {
    "cost": say("cost"),
    "will": say("Will"),
    "defence": say("Defence"),
    "health": say("Health"),
}
LINE = re.compile(r"^(?:(\d{1,2})\s*[x×]?\s+)?(.+?)(?:\s*\+\s*(.+))?$")


@dataclass(frozen=True, slots=True)
class SquadMember:
    """A figure of a squad and the equipment assigned to it (TAC-EQP-1)."""

    card: FigureCard
    equipment: str = ""

    @property
    def price(self) -> Coins:
        item = EQUIPMENT[self.equipment].price if self.equipment else 0
        return (self.card.cost or Coins()) + Coins(copper=item)


def squad_cost(members: Iterable[SquadMember]) -> Coins:
    """The coins spent on a squad."""
    return sum((one.price for one in members), Coins())


def squad_problems(
    members: tuple[SquadMember, ...], stock: Coins, offered: Iterable[FigureCard] = ()
) -> list[Refusal]:
    """Every building rule that a squad breaks; `offered` are the cards it could have taken."""
    cards = {one.id: one for one in offered}
    return [
        *card_problems(members),
        *(faulty_cards(members, cards) if cards else ()),
        *faction_problems(members),
        *coin_problems(members, stock, cards.values()),
        *equipment_problems(members),
    ]


def card_problems(members: tuple[SquadMember, ...]) -> list[Refusal]:
    """Cards without numbers, and the same person twice (TAC-SQD-5, TAC-FIG-5)."""
    found = [
        no(
            "TAC-CRD-2",
            "{figure}: enter its {values} first",
            figure=one.card.name,
            values=joined([VALUE_WORDS[value] for value in one.card.unknown]),
        )
        for one in members
        if one.card.unknown
    ]
    if not members:
        found.append(no("TAC-SQD-1", "the squad is empty"))
    persons = Counter(one.card.person or one.card.name for one in members if is_unique(one.card))
    found += [
        no("TAC-SQD-5", "{person} is in the squad {count} times", person=person, count=count)
        for person, count in persons.items()
        if count > 1
    ]
    return found


def faulty_cards(
    members: Iterable[SquadMember], cards: Mapping[str, FigureCard]
) -> Iterator[Refusal]:
    """Cards that say what cannot be."""
    for card in {one.card.id: one.card for one in members}.values():
        for fault in card_faults(card, cards):
            text = say("{figure}: {problem}", figure=card.name, problem=fault.text)
            yield Refusal(fault.rule, text)


def is_unique(card: FigureCard) -> bool:
    """Whether only one of it may be in a squad: heroes, veterans, and named persons."""
    return card.is_character or bool(card.person)


def faction_problems(members: tuple[SquadMember, ...]) -> list[Refusal]:
    """One faction, one seal, and at most one neutral figure of each kind (TAC-SQD-1 to -4)."""
    found: list[Refusal] = []
    own = [one.card for one in members if one.card.faction.lower() != NEUTRAL]
    factions = list(dict.fromkeys(card.faction for card in own))
    if len(factions) > 1:
        found.append(
            no("TAC-SQD-1", "figures of several factions: {names}", names=", ".join(factions))
        )
    seals = list(dict.fromkeys(card.seal for card in own if card.seal))
    if len(seals) > 1:
        found.append(
            no("TAC-SQD-2", "crests with different seals: {names}", names=", ".join(seals))
        )
    if own:
        kinds = Counter(one.card.kind for one in members if one.card.faction.lower() == NEUTRAL)
        found += [
            no("TAC-SQD-4", "more than 1 neutral {kind}: {count}", kind=kind, count=count)
            for kind, count in kinds.items()
            if count > 1
        ]
    return found


def coin_problems(
    members: tuple[SquadMember, ...], stock: Coins, offered: Iterable[FigureCard]
) -> list[Refusal]:
    """The coins kind by kind, the number of figures, and what must be spent (TAC-SQD-6 to -8)."""
    found: list[Refusal] = []
    cost = squad_cost(members)
    if not stock.covers(cost):
        found.append(
            no(
                "TAC-SQD-6",
                "it costs {cost}, the scenario gives {stock}",
                cost=cost.say(),
                stock=stock.say(),
            )
        )
    if len(members) > stock.copper:
        found.append(
            no(
                "TAC-SQD-7",
                "{count} figures, at most {most}",
                count=len(members),
                most=stock.copper,
            )
        )
    left = stock - cost
    if not found and (dear := affordable(members, left, offered)):
        found.append(
            no("TAC-SQD-8", "{figure} could still be bought with gold or silver", figure=dear.name)
        )
    return found


def affordable(
    members: tuple[SquadMember, ...], left: Coins, offered: Iterable[FigureCard]
) -> FigureCard | None:
    """A hero or veteran of the squad's faction, its card complete, that what is left would buy."""
    own = {one.card.faction for one in members if one.card.faction.lower() != NEUTRAL}
    for card in offered:
        if card.unknown or not card.is_character or card.faction not in own:
            continue
        more = (*members, SquadMember(card))
        barred = card_problems(more) or faction_problems(more)
        if not barred and left.covers(card.cost or Coins()):
            return card
    return None


def dearer_exchange(
    members: tuple[SquadMember, ...], stock: Coins, offered: Iterable[FigureCard]
) -> tuple[FigureCard, FigureCard] | None:
    """A hero or veteran of the squad and another of its faction instead of it that would spend
    more gold or silver, and less of neither (TAC-SQD-8)."""
    own = {one.card.faction for one in members if one.card.faction.lower() != NEUTRAL}
    known = [one for one in offered if not one.unknown and one.is_character and one.faction in own]
    for at, old in enumerate(members):
        if not old.card.is_character:
            continue
        for card in known:
            now, then = old.card.cost or Coins(), card.cost or Coins()
            dearer = (then.gold, then.silver) != (now.gold, now.silver)
            if not dearer or then.gold < now.gold or then.silver < now.silver:
                continue
            changed = (*members[:at], SquadMember(card, old.equipment), *members[at + 1 :])
            if not squad_problems(changed, stock):
                return old.card, card
    return None


def equipment_problems(members: tuple[SquadMember, ...]) -> list[Refusal]:
    """Unique items once, infantry items for infantry (TAC-EQP-3, TAC-EQP-5)."""
    found: list[Refusal] = []
    carried = Counter(one.equipment for one in members if one.equipment)
    found += [
        no("TAC-EQP-5", "{item} is unique", item=EQUIPMENT[name].name)
        for name, count in carried.items()
        if EQUIPMENT[name].unique and count > 1
    ]
    found += [
        no("TAC-EQP-3", "{item} is for infantry only", item=EQUIPMENT[one.equipment].name)
        for one in members
        if one.equipment and EQUIPMENT[one.equipment].infantry and one.card.size > 1
    ]
    return found


def read_squad(text: str, cards: Mapping[str, FigureCard]) -> tuple[SquadMember, ...]:
    """A squad from text, a figure per line: `2 Ford Guard`, `Warden of the Ford + lucky-charm`.

    A card is named by its id or its name; a line that names none is refused with its number.
    """
    names = {card.name.lower(): card for card in cards.values()} | dict(cards)
    found: list[SquadMember] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        match = LINE.match(line)
        assert match is not None  # every line that is not empty fits
        name = match[2].strip()
        card = names.get(name) or names.get(name.lower())
        if card is None:
            raise CompanionError(say("line {line}: no figure {name!r}", line=number, name=name))
        item = (match[3] or "").strip().lower().replace(" ", "-")
        if item and item not in EQUIPMENT:
            raise CompanionError(say("line {line}: no equipment {name!r}", line=number, name=item))
        found += [SquadMember(card, item)] * max(1, int(match[1] or 1))
        if len(found) > MOST_FIGURES:
            raise CompanionError(
                say("line {line}: more than {most} figures", line=number, most=MOST_FIGURES)
            )
    return tuple(found)
