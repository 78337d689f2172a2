"""The cards of the game: shipped ones, and the players' own that replace them by id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from companion.games.shared.own_files import broken_own, read_own
from companion.games.westeros.cards.command_card import CommandCard
from companion.games.westeros.cards.unit_cards import CommanderCard, UnitReference
from models.field import Field, load_toml
from models.message import CompanionError
from models.record_reader import check_format, read_by_id, refuse_twin

DATA = Path(__file__).parents[1] / "data"
SHIPPED = ("units.toml", "sample.toml")
OWN_FOLDER = "westeros-cards"
"""The name of the players' folder, beside their games."""
FORMAT = "table-companion/westeros-cards/1"
MOST_CARDS = 400


@dataclass(slots=True)
class CardCollection:
    """The cards of one or more files, by id."""

    units: dict[str, UnitReference] = field(default_factory=dict)
    commanders: dict[str, CommanderCard] = field(default_factory=dict)
    commands: dict[str, CommandCard] = field(default_factory=dict)
    plans: dict[str, Field] = field(default_factory=dict)
    """Battle plans as they were read; `cards.battle_plan` makes records of them."""
    skirmishes: dict[str, Field] = field(default_factory=dict)

    def add(self, other: CardCollection) -> None:
        """Add cards; those of the same id are replaced."""
        self.units |= other.units
        self.commanders |= other.commanders
        self.commands |= other.commands
        self.plans |= other.plans
        self.skirmishes |= other.skirmishes


def read_cards(root: Field) -> CardCollection:
    """The cards of a file; a card that stands twice is refused."""
    root.keys({"format", "unit", "commander", "command", "battle", "skirmish"}, {"format"})
    check_format(root, FORMAT)
    return CardCollection(
        read_by_id(root.listed("unit", MOST_CARDS), UnitReference.read),
        read_by_id(root.listed("commander", MOST_CARDS), CommanderCard.read),
        read_by_id(root.listed("command", MOST_CARDS), CommandCard.read),
        read_unread(root, "battle"),
        read_unread(root, "skirmish"),
    )


def read_unread(root: Field, key: str) -> dict[str, Field]:
    """Plans or skirmishes by id, to be read when they are needed with all cards."""
    found: dict[str, Field] = {}
    for item in root.listed(key, MOST_CARDS):
        item.keys(item.members(), {"id", "name"})
        name = item.member("id").text(60)
        refuse_twin(item, name, found)
        found[name] = item
    return found


@lru_cache(maxsize=1)
def shipped() -> CardCollection:
    """The cards that come with the game."""
    box = CardCollection()
    for name in SHIPPED:
        box.add(read_cards(load_toml(DATA / name)))
    return box


def every_card() -> CardCollection:
    """The shipped cards and the players' own."""
    box = CardCollection()
    for one in (shipped(), *own_boxes()):
        box.add(one)
    return box


def own_boxes() -> Iterator[CardCollection]:
    """The cards of the players' own files; one that cannot be read is left out."""
    return (box for _, box, _ in read_own(OWN_FOLDER, read_cards) if box is not None)


def broken_cards() -> dict[str, CompanionError]:
    """Why files with cards of the players' own cannot be read, by the files' names."""
    return broken_own(OWN_FOLDER, read_cards)
