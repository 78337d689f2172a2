"""Every entry of the shipped catalogues loads, is sane, and none is missing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.tmg.cards.army_catalogue import army_catalogue
from models import Catalogue, Table, UnitCard
from models.army_card import CardIndex, T
from models.catalogue import DATA
from models.field import Field, load_toml

GAMES = ("tmg-2018", "tmg-2021")
FACTIONS = (
    "baratheon bolton brotherhood freefolk greyjoy lannister martell neutral nightswatch stark "
    "targaryen".split()
)
WORDS = {"sundering", "vicious", "critical-blow", "precision"}

# Rows of the facts the catalogues were written from.
COUNTS = {
    "tmg-2021": {"units": 148, "attachments": 283, "ncus": 95, "cards": 347},
    "tmg-2018": {"units": 26, "attachments": 21, "ncus": 14, "cards": 0},
}


def shelf(facts: Catalogue, name: str) -> CardIndex[UnitCard]:
    found = getattr(facts, name)
    assert isinstance(found, CardIndex)
    return found


def total(numbers: list[int | None]) -> int:
    return sum(number for number in numbers if number is not None)


@pytest.mark.parametrize("game", GAMES)
def test_games(game: str) -> None:
    assert game in Catalogue.games()


@pytest.mark.parametrize(
    ("game", "name", "count"),
    [(game, name, count) for game, counts in COUNTS.items() for name, count in counts.items()],
)
def test_every_row_is_there(game: str, name: str, count: int) -> None:
    cards = shelf(army_catalogue(game), name)
    assert len(cards) == count
    assert [card.id for card in cards.values()] == list(cards)


def test_sums_of_2021_units() -> None:
    """One wrong number anywhere shows: the sums are those of the facts."""
    cards = list(army_catalogue("tmg-2021").units.values())
    assert total([card.cost for card in cards]) == 853
    assert sum(card.speed for card in cards) == 776
    assert sum(card.defense for card in cards) == 633
    assert total([card.morale for card in cards]) == 801
    assert total([card.wounds_per_model for card in cards]) == 319
    attacks = [attack for card in cards for attack in card.attacks]
    assert Counter(attack.kind for attack in attacks) == {"melee": 148, "short": 12, "long": 16}
    assert sum(attack.hit for attack in attacks) == 615
    assert sum(sum(attack.dice) for attack in attacks) == 2259
    assert sum(len(card.abilities) for card in cards) == 327
    assert Counter(card.tray for card in cards) == {
        "infantry": 94,
        "cavalry": 23,
        "solo": 25,
        "warmachine": 6,
    }


def test_sums_of_2021_attachments_ncus_and_cards() -> None:
    facts = army_catalogue("tmg-2021")
    attachments = list(facts.attachments.values())
    assert total([card.cost for card in attachments]) == 257
    assert sum(len(card.abilities) for card in attachments) == 536
    assert sum(card.commander for card in attachments) == 82
    assert sum(card.character for card in attachments) == 224
    assert total([card.cost for card in facts.ncus.values()]) == 398
    assert sum(bool(card.commander) for card in facts.cards.values()) == 270
    assert sum(len(card.removes) for card in facts.cards.values()) == 18


def test_sums_of_2018_units() -> None:
    cards = list(army_catalogue("tmg-2018").units.values())
    assert sum(card.speed for card in cards) == 132
    assert sum(card.defense for card in cards) == 102
    assert total([card.morale for card in cards]) == 140
    attacks = [attack for card in cards for attack in card.attacks]
    assert len(attacks) == 34
    assert sum(attack.ranged for attack in attacks) == 8
    assert sum(attack.hit for attack in attacks) == 107
    assert sum(sum(attack.dice) for attack in attacks) == 454


@pytest.mark.rule("TMG-CARD-2", "TMG-CARD-4", "TMG-UNT-2")
@pytest.mark.parametrize("game", GAMES)
def test_units_are_sane(game: str) -> None:
    facts = army_catalogue(game)
    for card in facts.units.values():
        tray = facts.trays[card.tray]
        assert card.faction in FACTIONS, card
        assert card.type in {"infantry", "cavalry", "monster", "warmachine"}
        assert card.type in {"monster", "warmachine"} or card.tray in {card.type, "solo"}, card
        assert 1 <= card.speed <= 6
        assert 2 <= card.defense <= 6
        assert card.morale is None or 2 <= card.morale <= 8
        assert card.cost is None or 0 <= card.cost <= 9
        assert card.attacks, card
        assert any(not attack.ranged for attack in card.attacks) or card.tray == "warmachine"
        for attack in card.attacks:
            assert 2 <= attack.hit <= 5
            assert 1 <= len(attack.dice) <= max(1, tray.ranks), card
            assert all(1 <= number <= 10 for number in attack.dice)
            assert set(attack.abilities) <= WORDS


@pytest.mark.parametrize("game", GAMES)
def test_names_are_written_plainly(game: str) -> None:
    facts = army_catalogue(game)
    for name in COUNTS[game]:
        for card in shelf(facts, name).values():
            words = [card.name, card.label, *getattr(card, "abilities", ())]
            for word in words:
                assert word == " ".join(word.split())
                assert not set(word) & set("‘’“”"), word


def test_an_ability_is_written_one_way() -> None:
    facts = army_catalogue("tmg-2021")
    written: dict[str, set[str]] = {}
    for cards in (facts.units.values(), facts.attachments.values()):
        for card in cards:
            for name in card.abilities:
                written.setdefault(name.casefold(), set()).add(name)
    assert [ways for ways in written.values() if len(ways) > 1] == []


@pytest.mark.parametrize("game", GAMES)
def test_units_of_one_name_have_one_profile(game: str) -> None:
    """A table file names a unit without its faction."""
    units = army_catalogue(game).units
    for card in units.values():
        assert {other.profile for other in units.named(card.name)} == {card.profile}


@pytest.mark.rule("TMG-ARM-3", "TMG-ATM-13", "TMG-CARD-11", edition="2021")
def test_everything_to_buy_has_a_cost() -> None:
    facts = army_catalogue("tmg-2021")
    assert all(card.cost is not None for card in facts.units.values())
    assert all(card.cost is not None for card in facts.attachments.values())
    assert all(card.cost is not None for card in facts.ncus.values())


@pytest.mark.rule("TMG-CMD-3", edition="2021")
def test_commanders_are_normally_attachments() -> None:
    facts = army_catalogue("tmg-2021")
    commanders = [card for card in facts.attachments.values() if card.commander]
    assert len(commanders) == 82
    assert all(card.cost == 0 and card.character for card in commanders)
    others = [card.name for card in facts.units.values() if card.commander]
    others += [card.name for card in facts.ncus.values() if card.commander]
    assert others == ["Mag the Mighty", "Varamyr Sixskins", "Doran Martell"]


@pytest.mark.rule("TMG-CMD-6", edition="2021")
def test_a_commander_brings_three_cards_more_than_he_removes() -> None:
    facts = army_catalogue("tmg-2021")
    own = Counter(card.faction for card in facts.cards.values() if not card.commander)
    assert own == dict.fromkeys(FACTIONS, 7)
    brought = Counter(card.commander for card in facts.cards.values() if card.commander)
    for card in facts.cards.values():
        brought[card.commander] -= len(card.removes)
        removed = [facts.cards[key] for key in card.removes]
        assert all(one.faction == card.faction and not one.commander for one in removed)
    commanders = {
        key
        for cards in (facts.attachments, facts.units, facts.ncus)
        for key, one in cards.items()
        if one.commander
    }
    # The facts have no cards of Areo Hotah, Captain of The Guard.
    assert {key for key in brought if key} == commanders - {"20903"}
    assert {brought[key] for key in commanders - {"20903"}} == {3}


@pytest.mark.parametrize(
    ("game", "name", "faction", "tray", "speed", "defense", "morale", "cost", "wounds", "attacks"),
    [
        ("tmg-2021", "Stark Sworn Swords", "stark", "infantry", 5, 4, 6, 5, 1,
         [("Winter's Bite", "melee", 4, (7, 5, 4))]),
        ("tmg-2021", "r’hllor lightbringers", "baratheon", "infantry", 5, 4, 6, 6, 1,
         [("Fire Arrows", "long", 3, (7, 6, 4)), ("Daggers", "melee", 5, (5, 4, 3))]),
        ("tmg-2021", "Kingsguard", "lannister", "infantry", 5, 3, 4, 6, 1,
         [("Masterwork Blade", "melee", 2, (7, 7))]),
        ("tmg-2021", "House Umber Ravagers", "stark", "cavalry", 6, 5, 5, 7, 3,
         [("Executioner's Axe", "melee", 3, (6, 8))]),
        ("tmg-2021", "Drogon", "targaryen", "solo", 6, 4, 2, 7, 8,
         [("Black Fire", "melee", 2, (2,))]),
        ("tmg-2021", "War Mammoth", "freefolk", "warmachine", 6, 3, 6, 6, 8,
         [("Rampage", "melee", 4, (6,))]),
        ("tmg-2018", "Stark Bowmen", "stark", "infantry", 5, 5, 7, None, 1,
         [("Arrow Volley", "long", 4, (6, 5, 4)), ("Shortsword", "melee", 4, (5, 4, 3))]),
        ("tmg-2018", "Pyromancers", "lannister", "infantry", 5, 6, 7, None, 1,
         [("Wildfire", "short", 3, (6, 5, 3)), ("Wildfire", "melee", 3, (6, 5, 3))]),
        ("tmg-2018", "Stark Outriders", "stark", "cavalry", 6, 4, 6, None, 3,
         [("Outrider's Blade", "melee", 4, (8, 5))]),
        ("tmg-2018", "Gregor Clegane, The Mountain That Rides", "lannister", "solo", 5, 2, 3, None,
         None, [("Cleaving Blows", "melee", 3, (4,))]),
        ("tmg-2018", "Builder Scorpion Crew", "nightswatch", "warmachine", 4, 5, None, None, None,
         [("Bolt Thrower (Volley Fire)", "long", 3, (3,)),
          ("Builder Scorpion Crew", "long", 2, (1,))]),
    ],
)  # fmt: skip
def test_single_units(
    game: str, name: str, faction: str, tray: str, speed: int, defense: int, morale: int | None,
    cost: int | None, wounds: int | None, attacks: list[tuple[str, str, int, tuple[int, ...]]],
) -> None:  # fmt: skip
    card = army_catalogue(game).units.find(name)
    assert (card.faction, card.tray) == (faction, tray)
    assert (card.speed, card.defense, card.morale) == (speed, defense, morale)
    assert (card.cost, card.wounds_per_model) == (cost, wounds)
    assert [(a.name, a.kind, a.hit, a.dice) for a in card.attacks] == attacks


@pytest.mark.rule("TMG-CARD-7", edition="2018")
def test_the_halberd_of_2018_always_sunders() -> None:
    (halberd,) = army_catalogue("tmg-2018").units.find("Lannister Halberdiers").attacks
    assert halberd.abilities == ("sundering",)


def test_removed_cards_and_titles_in_quotes() -> None:
    facts = army_catalogue("tmg-2021")
    assert facts.cards.find("Flea Bottom Tricks").removes == ("40606",)
    assert facts.cards["40326"].removes == tuple(str(40300 + n) for n in range(1, 8))
    assert facts.attachments["20503"].title == '"Lord Snow"'
    assert facts.attachments["20308"].type == "none"
    assert facts.attachments["20521"].type == "warmachine"
    assert facts.cards["40421"].name == "Diversion Tactics"


# -- text ---------------------------------------------------------------------------------------


def read_back(cards: CardIndex[T], facts: Catalogue) -> dict[str, object]:
    def again(card: T) -> object:
        entry = Field(card.to_json())  # type: ignore[attr-defined]
        if isinstance(card, UnitCard):
            return UnitCard.read(entry, card.id, facts.trays)
        return type(card).read(entry, card.id)  # type: ignore[attr-defined]

    return {key: again(card) for key, card in cards.items()}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["units", "attachments", "ncus", "cards"])
def test_every_card_reads_back_what_it_writes(game: str, name: str) -> None:
    facts = army_catalogue(game)
    cards = shelf(facts, name)
    assert read_back(cards, facts) == dict(cards)
    path = DATA / game / f"{name}.toml"
    if path.exists():
        assert {key: card.to_json() for key, card in cards.items()} == load_toml(path).raw


# -- speed --------------------------------------------------------------------------------------


def test_tables_leave_the_cards_unread_until_a_name_is_looked_up(tmp_path: Path) -> None:
    """Seen from outside: broken cards hurt nobody who does not need them."""
    said = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert said.stderr == ""
    assert said.stdout.split("\n")[:2] == ["read", "units.toml"]


SCRIPT = """
import os, pathlib, sys
folder = pathlib.Path(sys.argv[1])
(folder / "tmg-2021").mkdir()
for name in ("units", "attachments", "ncus", "cards"):
    (folder / "tmg-2021" / f"{name}.toml").write_text("broken")
os.environ["COMPANION_DATA"] = str(folder)
from models import (
    BadInput,
    Table,
)
text = '''{"format": "table-companion/1", "game": "tmg-2021", "units": [{"id": "a", "side": "b",
"tray": "solo", "x": 9, "y": 9, "heading": 0, "name": "Ghost", "speed": 6, "defense": 4,
"morale": 2%s}]}'''
Table.parse(text % ', "attacks": []')
print("read")
try:
    Table.parse(text % "")
except BadInput as error:
    print(pathlib.Path(error.source).name)
"""


def test_all_cards_are_read_quickly() -> None:
    """Not slower than a few parsings of JSON of that size; seconds would tell of the machine."""
    files = list((DATA / "tmg-2021").glob("*.toml"))
    text = json.dumps([load_toml(path).raw for path in files])

    def best(work: Callable[[], object]) -> float:
        times = []
        for _ in range(5):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        return min(times)

    toml = best(lambda: [load_toml(path) for path in files])
    assert toml < 120 * best(lambda: json.loads(text))


# -- use ----------------------------------------------------------------------------------------


def test_a_table_file_takes_missing_numbers_from_the_card() -> None:
    text = """{"format": "table-companion/1", "game": "%s", "units": [{"id": "a", "side": "blue",
        "name": "STARK BOWMEN", "tray": "infantry", "x": 9, "y": 9, "heading": 0, "morale": 9}]}"""
    for game, defense, dice in (("tmg-2021", 6, (7, 7, 5)), ("tmg-2018", 5, (6, 5, 4))):
        unit = Table.parse(text % game).unit("a")
        assert (unit.speed, unit.defense, unit.morale) == (5, defense, 9)
        assert unit.ranged[0].dice == dice
        assert unit.melee[0].name in {"Short Sword", "Shortsword"}


def test_profiles_look_like_a_dictionary() -> None:
    profiles = army_catalogue("tmg-2021").profiles
    assert profiles["stag knights"].defense == 4
    assert profiles.get("nobody at all") is None
    assert len(profiles) == len(set(profiles)) == 142
    assert "king's men" in profiles
    assert "King’s Men" in profiles
