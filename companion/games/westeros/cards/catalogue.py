"""The cards of the game: shipped ones, the players' own that replace them by id, and printed names.

A game keeps the names of the language in which it was set up; names of own cards stay as entered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from companion.games.shared.own_files import broken_own, read_own
from companion.games.westeros.cards.command_card import CommandCard
from companion.games.westeros.cards.unit_cards import CommanderCard, UnitReference
from companion.text.translation import _
from models.field import Field, load_toml
from models.message import CompanionError, say
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


PRINTED = frozenset(
    (
        say("War Host of the North"), say("War Host"), say("Winterfell Riders"), say("Riders"),
        say("Northmen Archers"), say("Archers"), say("Stark Kennelmasters"), say("Kennels"),
        say("Lannisport Guards"), say("Guards"), say("Casterly Rock Cavaliers"),
        say("Cavaliers"), say("Westerlands Archers"), say("Lannister Heavy Infantry"),
        say("Heavy Inf."), say("The Greatjon"), say("Lord of the Last Hearth"),
        say("Lady of Bear Island"), say("Lord of Karhold"), say("The ford by the burnt mill"),
        say("A raid across the fields"), say("An invented battle to try the companion with."),
    )
)  # fmt: skip


def printed_name(name: str) -> str:
    """A printed name in the players' language; any other name as it is."""
    return _(name) if name in PRINTED else name


def with_printed_names(cards: CardCollection) -> CardCollection:
    units = {
        key: replace(one, name=printed_name(one.name), short=printed_name(one.short))
        for key, one in cards.units.items()
    }
    commanders = {
        key: replace(one, title=printed_name(one.title)) for key, one in cards.commanders.items()
    }
    return replace(cards, units=units, commanders=commanders)
