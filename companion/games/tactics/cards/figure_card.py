"""Figure cards: cost, Will, Defence, Health, attacks, abilities (TAC-CRD-2), and their catalogue.

The players' own cards are TOML files in a folder of theirs; a card of the same id replaces a
shipped one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from companion.games.shared.own_files import broken_own, own_by_id, refuse_broken
from companion.games.tactics.cards.coins import Coins
from models.field import Field, load_toml
from models.message import CompanionError, say
from models.record_reader import WRITTEN, Between, Length, OneOf, Record, check_format, read_by_id

FigureKind = Literal["hero", "veteran", "soldier"]
AttackKind = Literal["melee", "ranged"]
MotivationTrigger = Literal["kills-hero", "kills-veteran", "kills-soldier", "other"]
AbilityKind = Literal[
    "movement", "will", "defence", "wound", "order", "triggered", "passive", "action"
]
"""When an ability is used (TAC-ABL-3 to -11); an `action` only costs action points."""
AbilityTarget = Literal["any", "friend", "enemy"]
CONDITIONS = ("shaken", "frozen")
"""The tokens of a figure, one of each at most (TAC-STA-1)."""
PLAIN_SPACES = 3
"""The spaces of a Move (TAC-MOV-1)."""
FIGURE_SIZES = (1, 2)


CardName = Annotated[str, Length(80)]
ActionPoints = Annotated[int, Between(0, 3)]
TestValue = Annotated[int, Between(2, 10)]
"""The result that a die needs: a hit, a passed Will or Defence roll."""


@dataclass(frozen=True, slots=True)
class CoinEffect(Record):
    """An optional effect of an attack or ability: its price, and what it adds to the roll.

    Effects without numbers are only reminded of: their text stays on the paper card.
    """

    name: CardName
    price: Coins
    dice: Annotated[int, Between(0, 8)] = 0
    modifier: Annotated[int, Between(-9, 9)] = 0
    cancels: Annotated[int, Between(0, 9)] = 0
    """Hits that it defends without a roll."""
    charge_only: bool = False
    needs: Annotated[str, OneOf(("hero-in-contact",))] = ""
    """A condition that the table decides."""
    after: CardName = ""
    """The effect that is bought before it: extra dice are bought in sequence."""


CoinEffects = Annotated[tuple[CoinEffect, ...], Length(12)]


@dataclass(frozen=True, slots=True)
class CardAttack(Record):
    """An attack line: dice, the result a die needs, and its price in action points (TAC-CRD-8)."""

    name: CardName
    kind: AttackKind
    dice: Annotated[int, Between(0, 12)]
    hit: TestValue
    ap: Annotated[ActionPoints, WRITTEN] = 1
    spend: Coins = Coins()
    """What must be paid for the attack at all (TAC-CRD-12)."""
    effects: CoinEffects = ()
    extra_dice: Annotated[tuple[Annotated[int, Between(1, 9)], ...], Length(8)] = ()
    """Additional dice for copper, as files may write them: `effects` has one for each."""

    def checked(self, field: Field, about: Any) -> CardAttack:
        extra = dice_in_sequence(self.extra_dice)
        return replace(self, effects=(*self.effects, *extra), extra_dice=())


EXTRA_DIE = "die "


def effect_name(name: str) -> str:
    """An effect as players read it: additional dice are numbered."""
    number = name.removeprefix(EXTRA_DIE)
    return say("additional die {n}", n=number) if number != name and number.isdigit() else name


def is_extra_die(effect: CoinEffect) -> bool:
    """Whether an effect is an additional die, bought after those before it (TAC-CRD-9)."""
    return effect_name(effect.name) != effect.name


def dice_in_sequence(prices: Sequence[int]) -> list[CoinEffect]:
    """Additional dice at these prices in copper stars, each bought after the one before it."""
    names = [f"{EXTRA_DIE}{at + 1}" for at in range(len(prices))]
    return [
        CoinEffect(name, Coins(copper=price), dice=1, after=before)
        for name, price, before in zip(names, prices, ("", *names), strict=False)
    ]


@dataclass(frozen=True, slots=True)
class CardAbility(Record):
    """An ability by name: when it is used and what it costs, and what players wrote about it."""

    name: CardName
    kind: Annotated[AbilityKind, WRITTEN] = "passive"
    ap: ActionPoints = 0
    price: Coins = Coins()
    effects: CoinEffects = ()
    spaces: Annotated[int, Between(0, 5)] = 0
    """Spaces it adds to every Move (TAC-ABL-14)."""
    unstoppable: bool = False
    """Enemies do not stop the move (TAC-MOV-6)."""
    hero_defence: Annotated[int, Between(0, 5)] = 0
    """Added to the Defence rolls of friendly heroes in contact."""
    aftermath: bool = False
    """Used after the rolls of an attack (TAC-ABL-15)."""
    wounds: Annotated[int, Between(0, 9)] = 0
    """Wounds that its aftermath deals to the other figure of the attack."""
    melee: bool = False
    """Not in an attack from a distance."""
    range: Annotated[int, Between(0, 20)] = 0
    """The spaces within which its target stands; 0: any distance."""
    heals: Annotated[int, Between(0, 9)] = 0
    """Wounds that its target loses."""
    calms: bool = False
    """Its target is no longer shaken."""
    gives: Annotated[str, OneOf(CONDITIONS)] = ""
    """The condition that its target gets (TAC-STA-1)."""
    deals: Annotated[int, Between(0, 9)] = 0
    """Wounds that its target suffers."""
    whom: AbilityTarget = "any"
    """Whose figure it is for: an order may also be aimed at an enemy (TAC-ABL-8)."""
    text: Annotated[str, Length(300)] = ""
    """What it does in the players' own words: shown, never counted."""

    @property
    def aimed(self) -> bool:
        """Whether it does nothing without the figure that it is for."""
        return bool(self.range or self.changes_target or self.whom != "any")

    @property
    def changes_target(self) -> bool:
        """Whether its numbers tell what becomes of its target."""
        return bool(self.heals or self.calms or self.gives or self.deals)

    @property
    def counted(self) -> bool:
        """Whether the companion does what it does: nothing is left for its players to note."""
        return (
            self.kind in ("movement", "passive", "defence")
            or self.changes_target
            or bool(self.wounds)
        )

    @property
    def helps(self) -> bool:
        """Whether only a friend gains by it."""
        return bool(self.heals or self.calms or self.whom == "friend")


@dataclass(frozen=True, slots=True)
class MotivationSide(Record):
    """One side of a hero's motivation card: what each trigger costs and scores (TAC-MOT-1)."""

    name: CardName
    points: Annotated[int, Between(0, 20)]
    trigger: Annotated[MotivationTrigger, WRITTEN] = "other"
    price: Annotated[Coins, WRITTEN] = Coins()
    dead: bool = False

    @property
    def victim(self) -> str:
        """The kind of figure whose kill triggers it; "" if the companion cannot tell."""
        return "" if self.trigger == "other" else self.trigger.removeprefix("kills-")


@dataclass(frozen=True, slots=True)
class FigureCard(Record):
    """A figure card; a value that is not known yet is None and asked of the players."""

    id: CardName
    name: CardName
    faction: Annotated[CardName, WRITTEN] = "neutral"
    seal: CardName = ""
    cost: Coins | None = None
    will: TestValue | None = None
    defence: TestValue | None = None
    health: Annotated[int, Between(1, 20)] | None = None
    size: Annotated[int, Between(*FIGURE_SIZES)] = 1
    person: CardName = ""
    """The unique person; mounted and foot versions share it (TAC-FIG-5)."""
    foot: CardName = ""
    """The id of the foot version that a mounted character dismounts to."""
    spaces: Annotated[int, Between(0, 9)] = PLAIN_SPACES
    attacks: Annotated[tuple[CardAttack, ...], Length(8)] = ()
    abilities: Annotated[tuple[CardAbility, ...], Length(12)] = ()
    motivation: Annotated[tuple[MotivationSide, ...], Length(12)] = ()
    invented: bool = False

    def checked(self, field: Field, about: Any) -> FigureCard:
        return self if self.spaces else replace(self, spaces=PLAIN_SPACES)

    @property
    def kind(self) -> FigureKind:
        """Hero, veteran or soldier by the coins it costs (TAC-FIG-1 to -4)."""
        cost = self.cost or Coins()
        return "hero" if cost.gold else "veteran" if cost.silver else "soldier"

    @property
    def is_character(self) -> bool:
        return self.kind != "soldier"

    @property
    def unknown(self) -> tuple[str, ...]:
        """The values that the players must enter before it can be played."""
        keys = ("cost", "will", "defence", "health")
        return tuple(key for key in keys if getattr(self, key) is None)

    @property
    def reach_spaces(self) -> int:
        """The spaces of its Moves, passive abilities of different names included (TAC-ABL-2)."""
        passive = {one.name: one.spaces for one in self.abilities if one.kind == "passive"}
        return self.spaces + sum(passive.values())


DATA = Path(__file__).parents[1] / "data"
OWN_FOLDER = "tactics-cards"
"""The name of the players' folder, beside their games."""
SHIPPED = ("trident.toml", "sample.toml")
MOST_CARDS = 400
FORMAT = "table-companion/tactics-cards/1"


@lru_cache(maxsize=1)
def shipped_cards() -> Mapping[str, FigureCard]:
    """The cards that come with the game, by id."""
    found: dict[str, FigureCard] = {}
    for name in SHIPPED:
        found |= read_cards(load_toml(DATA / name))
    return found


def read_cards(root: Field) -> dict[str, FigureCard]:
    """The cards of a file, by id; a card that stands twice is refused."""
    root.keys({"format", "figure"}, {"format"})
    check_format(root, FORMAT)
    return read_by_id(root.listed("figure", MOST_CARDS), FigureCard.read)


def every_card() -> dict[str, FigureCard]:
    """The shipped cards and the players' own, which replace shipped ones of the same id."""
    return {**shipped_cards(), **own_cards()}


def own_cards() -> dict[str, FigureCard]:
    """The players' own cards; a file that cannot be read is left out."""
    return own_by_id(OWN_FOLDER, read_cards)


def broken_cards() -> dict[str, CompanionError]:
    """Why files with cards of the players' own cannot be read, by the files' names."""
    return broken_own(OWN_FOLDER, read_cards)


def find_card(name: str) -> FigureCard | None:
    """The card of that id or name."""
    cards = every_card()
    found = cards.get(name) or next((card for card in cards.values() if card.name == name), None)
    refuse_broken(broken_cards(), (name, found.id if found else name))
    return found
