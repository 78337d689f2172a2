"""Figure cards: cost, Will, Defence, Health, attacks, abilities (TAC-CRD-2), and their catalogue.

The players' own cards are TOML files in a folder of theirs; a card of the same id replaces a
shipped one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from companion.games.shared.own_files import broken_own, read_own
from companion.games.tactics.cards.coins import Coins
from models.field import Field, load_toml, shown
from models.message import CompanionError, say

FigureKind = Literal["hero", "veteran", "soldier"]
AttackKind = Literal["melee", "ranged"]
ABILITY_KINDS = ("movement", "will", "defence", "wound", "order", "triggered", "passive", "action")
"""When an ability is used (TAC-ABL-3 to -11); an `action` only costs action points."""
PLAIN_SPACES = 3
"""The spaces of a Move (TAC-MOV-1)."""
FIGURE_SIZES = (1, 2)


@dataclass(frozen=True, slots=True)
class CoinEffect:
    """An optional effect of an attack or ability: its price, and what it adds to the roll.

    Effects without numbers are only reminded of: their text stays on the paper card.
    """

    name: str
    price: Coins
    dice: int = 0
    modifier: int = 0
    cancels: int = 0
    """Hits that it defends without a roll."""
    charge_only: bool = False
    needs: str = ""
    """A condition that the table decides: "hero-in-contact"."""
    after: str = ""
    """The effect that is bought before it: extra dice are bought in sequence."""

    @classmethod
    def read(cls, item: Field) -> CoinEffect:
        raw = item.keys(
            {"name", "price", "dice", "modifier", "cancels", "charge_only", "needs", "after"},
            {"name", "price"},
        )

        def number(key: str, low: int, high: int) -> int:
            return item.member(key).whole(low, high) if key in raw else 0

        return cls(
            item.member("name").text(80),
            Coins.read(item.member("price")),
            number("dice", 0, 8),
            number("modifier", -9, 9),
            number("cancels", 0, 9),
            item.member("charge_only").flag() if "charge_only" in raw else False,
            item.member("needs").choice({"hero-in-contact"}) if "needs" in raw else "",
            item.member("after").text(80) if "after" in raw else "",
        )

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {"name": self.name, "price": self.price.to_json()}
        for key in ("dice", "modifier", "cancels", "charge_only", "needs", "after"):
            if value := getattr(self, key):
                text[key] = value
        return text


@dataclass(frozen=True, slots=True)
class CardAttack:
    """An attack line: dice, the result a die needs, and its price in action points (TAC-CRD-8)."""

    name: str
    kind: AttackKind
    dice: int
    hit: int
    ap: int = 1
    spend: Coins = Coins()
    """What must be paid for the attack at all (TAC-CRD-12)."""
    effects: tuple[CoinEffect, ...] = ()

    @classmethod
    def read(cls, item: Field) -> CardAttack:
        raw = item.keys(
            {"name", "kind", "dice", "hit", "ap", "spend", "effects", "extra_dice"},
            {"name", "kind", "dice", "hit"},
        )
        effects = [CoinEffect.read(one) for one in item.listed("effects", 12)]
        if "extra_dice" in raw:
            effects += extra_dice(item.member("extra_dice"))
        kind: AttackKind = (
            "melee" if item.member("kind").choice({"melee", "ranged"}) == "melee" else "ranged"
        )
        return cls(
            item.member("name").text(80),
            kind,
            item.member("dice").whole(0, 12),
            item.member("hit").whole(2, 10),
            item.member("ap").whole(0, 3) if "ap" in raw else 1,
            Coins.read(item.member("spend")) if "spend" in raw else Coins(),
            tuple(effects),
        )

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "name": self.name,
            "kind": self.kind,
            "dice": self.dice,
            "hit": self.hit,
            "ap": self.ap,
        }
        if self.spend:
            text["spend"] = self.spend.to_json()
        if self.effects:
            text["effects"] = [one.to_json() for one in self.effects]
        return text


def extra_dice(field: Field) -> list[CoinEffect]:
    """Additional dice for copper, one effect each: `extra_dice = [1, 1, 2, 3]`."""
    return dice_in_sequence([one.whole(1, 9) for one in field.items(8)])


def dice_in_sequence(prices: Sequence[int]) -> list[CoinEffect]:
    """Additional dice at these prices in copper stars, each bought after the one before it."""
    names = [say("die {n}", n=at + 1)[:] for at in range(len(prices))]
    return [
        CoinEffect(name, Coins(copper=price), dice=1, after=before)
        for name, price, before in zip(names, prices, ("", *names), strict=False)
    ]


@dataclass(frozen=True, slots=True)
class CardAbility:
    """An ability by name: when it is used and what it costs; its text stays on the card."""

    name: str
    kind: str = "passive"
    ap: int = 0
    price: Coins = Coins()
    effects: tuple[CoinEffect, ...] = ()
    spaces: int = 0
    """Spaces it adds to every Move (TAC-ABL-14)."""
    unstoppable: bool = False
    """Enemies do not stop the move (TAC-MOV-6)."""
    hero_defence: int = 0
    """Added to the Defence rolls of friendly heroes in contact."""
    aftermath: bool = False
    """Used after the rolls of an attack (TAC-ABL-15)."""

    @classmethod
    def read(cls, item: Field) -> CardAbility:
        raw = item.keys(
            {
                "name",
                "kind",
                "ap",
                "price",
                "effects",
                "spaces",
                "unstoppable",
                "hero_defence",
                "aftermath",
            },
            {"name"},
        )
        return cls(
            item.member("name").text(80),
            item.member("kind").choice(ABILITY_KINDS) if "kind" in raw else "passive",
            item.member("ap").whole(0, 3) if "ap" in raw else 0,
            Coins.read(item.member("price")) if "price" in raw else Coins(),
            tuple(CoinEffect.read(one) for one in item.listed("effects", 12)),
            item.member("spaces").whole(0, 5) if "spaces" in raw else 0,
            item.member("unstoppable").flag() if "unstoppable" in raw else False,
            item.member("hero_defence").whole(0, 5) if "hero_defence" in raw else 0,
            item.member("aftermath").flag() if "aftermath" in raw else False,
        )

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {"name": self.name, "kind": self.kind}
        for key in ("ap", "spaces", "unstoppable", "hero_defence", "aftermath"):
            if value := getattr(self, key):
                text[key] = value
        if self.price:
            text["price"] = self.price.to_json()
        if self.effects:
            text["effects"] = [one.to_json() for one in self.effects]
        return text


@dataclass(frozen=True, slots=True)
class MotivationSide:
    """One side of a hero's motivation card: what each trigger costs and scores (TAC-MOT-1)."""

    name: str
    trigger: Literal["kills-hero", "kills-veteran", "kills-soldier", "other"]
    price: Coins
    points: int
    dead: bool = False

    @property
    def victim(self) -> str:
        """The kind of figure whose kill triggers it; "" if the companion cannot tell."""
        return "" if self.trigger == "other" else self.trigger.removeprefix("kills-")

    @classmethod
    def read(cls, item: Field) -> MotivationSide:
        raw = item.keys({"name", "trigger", "price", "points", "dead"}, {"name", "points"})
        known = {"kills-hero", "kills-veteran", "kills-soldier", "other"}
        trigger: Any = item.member("trigger").choice(known) if "trigger" in raw else "other"
        return cls(
            item.member("name").text(80),
            trigger,
            Coins.read(item.member("price")) if "price" in raw else Coins(),
            item.member("points").whole(0, 20),
            item.member("dead").flag() if "dead" in raw else False,
        )

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "name": self.name,
            "trigger": self.trigger,
            "price": self.price.to_json(),
            "points": self.points,
        }
        return {**text, "dead": True} if self.dead else text


CARD_KEYS = frozenset(
    ("id", "name", "faction", "seal", "cost", "will", "defence", "health", "size", "person",
     "foot", "attacks", "abilities", "motivation", "spaces", "invented")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FigureCard:
    """A figure card; a value that is not known yet is None and asked of the players."""

    id: str
    name: str
    faction: str = "neutral"
    seal: str = ""
    cost: Coins | None = None
    will: int | None = None
    defence: int | None = None
    health: int | None = None
    size: int = 1
    person: str = ""
    """The unique person; mounted and foot versions share it (TAC-FIG-5)."""
    foot: str = ""
    """The id of the foot version that a mounted character dismounts to."""
    spaces: int = PLAIN_SPACES
    attacks: tuple[CardAttack, ...] = ()
    abilities: tuple[CardAbility, ...] = ()
    motivation: tuple[MotivationSide, ...] = ()
    invented: bool = False
    source: str = field(default="", compare=False)

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

    @classmethod
    def read(cls, item: Field) -> FigureCard:
        """A card from TOML or JSON; every error names its place."""
        raw = item.keys(CARD_KEYS, {"id", "name"})

        def number(key: str, low: int, high: int) -> int | None:
            return item.member(key).whole(low, high) if key in raw else None

        def text(key: str) -> str:
            return item.member(key).text(80) if key in raw else ""

        size = number("size", 1, 2) or 1
        return cls(
            text("id"),
            text("name"),
            text("faction") or "neutral",
            text("seal"),
            Coins.read(item.member("cost")) if "cost" in raw else None,
            number("will", 2, 10),
            number("defence", 2, 10),
            number("health", 1, 20),
            size,
            text("person"),
            text("foot"),
            number("spaces", 0, 9) or PLAIN_SPACES,
            tuple(CardAttack.read(one) for one in item.listed("attacks", 8)),
            tuple(CardAbility.read(one) for one in item.listed("abilities", 12)),
            tuple(MotivationSide.read(one) for one in item.listed("motivation", 12)),
            item.member("invented").flag() if "invented" in raw else False,
            item.source,
        )

    def to_json(self) -> dict[str, Any]:
        """The card as JSON or TOML values; `read` reads it back."""
        text: dict[str, Any] = {"id": self.id, "name": self.name, "faction": self.faction}
        for key in ("seal", "will", "defence", "health", "person", "foot", "invented"):
            if value := getattr(self, key):
                text[key] = value
        if self.cost is not None:
            text["cost"] = self.cost.to_json()
        if self.size != 1:
            text["size"] = self.size
        if self.spaces != PLAIN_SPACES:
            text["spaces"] = self.spaces
        for key in ("attacks", "abilities", "motivation"):
            if values := getattr(self, key):
                text[key] = [one.to_json() for one in values]
        return text


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
    if root.member("format").text() != FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {FORMAT!r}")
    found: dict[str, FigureCard] = {}
    for item in root.listed("figure", MOST_CARDS):
        card = FigureCard.read(item)
        if card.id in found:
            item.member("id").fail(f"{shown(card.id)} stands twice")
        found[card.id] = card
    return found


def every_card() -> dict[str, FigureCard]:
    """The shipped cards and the players' own, which replace shipped ones of the same id."""
    return {**shipped_cards(), **own_cards()}


def own_cards() -> dict[str, FigureCard]:
    """The players' own cards; a file that cannot be read is left out."""
    found: dict[str, FigureCard] = {}
    for _, cards, _ in read_own(OWN_FOLDER, read_cards):
        found |= cards or {}
    return found


def broken_cards() -> dict[str, CompanionError]:
    """Why files with cards of the players' own cannot be read, by the files' names."""
    return broken_own(OWN_FOLDER, read_cards)


def valid_cards() -> dict[str, FigureCard]:
    """Every card, to be played with; a file that cannot be read raises its error.

    It may hold other numbers of a shipped card.
    """
    for error in broken_cards().values():
        raise error
    return every_card()


def find_card(name: str) -> FigureCard | None:
    """The card of that id or name."""
    cards = valid_cards()
    if name in cards:
        return cards[name]
    return next((card for card in cards.values() if card.name == name), None)
