"""An army list reads cards by name and writes them by id."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.games.tmg.cards.army import Army, ArmyEntry
from models import BadInput
from models.field import Field
from tests.models.conftest import Writer

TEXT = """
format = "table-companion/army/1"
game = "tmg-2021"
name = "The king's own"
faction = "stark"
points = 40
commander = "Robb Stark, The Wolf Lord"
ncus = ["sansa stark", "Lord Varys"]

[[unit]]
card = "Stark Sworn Swords"
attachments = ["robb stark, the wolf lord"]

[[unit]]
card = "10407"
"""
ARMY = Army(
    "tmg-2021",
    "stark",
    40,
    "20201",
    (ArmyEntry("10201", ("20201",)), ArmyEntry("10407")),
    ("30202", "30403"),
    "The king's own",
)


def test_names_become_ids() -> None:
    assert Army.parse(TEXT) == ARMY


def test_text_round_trip() -> None:
    text = ARMY.text()
    assert 'commander = "20201"  # Robb Stark, The Wolf Lord' in text
    assert 'card = "10407"  # Stormcrow Archers' in text
    assert Army.parse(text) == ARMY
    assert tomllib.loads(text) == ARMY.to_json()
    assert Army.read(Field(ARMY.to_json())) == ARMY


def test_the_smallest_army() -> None:
    army = Army("tmg-2018", "neutral", 0)
    assert Army.parse(army.text()) == army
    assert Army.read(Field(army.to_json())) == army


@pytest.mark.parametrize(
    ("faction", "name", "key"),
    [
        ("freefolk", "Mag the Mighty", "10313"),  # a unit; the other of that name does not lead
        ("martell", "Doran Martell", "30901"),  # an NCU
        ("targaryen", "Daario Naharis", "20717"),  # his own faction's card before the neutral one
        ("stark", "Daario Naharis", "20411"),
        ("lannister", "20130", "20130"),
    ],
)
def test_commanders_of_every_kind(faction: str, name: str, key: str) -> None:
    army = Army.parse(
        f'format = "table-companion/army/1"\ngame = "tmg-2021"\nfaction = "{faction}"\n'
        f'points = 30\ncommander = "{name}"\n'
    )
    assert army.commander == key
    assert Army.parse(army.text()) == army
    assert "# " in army.text()


def test_own_cards_fight_too(own: Writer, tmp_path: Path) -> None:
    own("tmg-2021/ncus.toml", '[kid]\nname = "The \\"Kid\\""\nfaction = "stark"\n')
    path = tmp_path / "my.army.toml"
    path.write_text(TEXT.replace('"sansa stark"', "'the \"kid\"'"), encoding="utf-8")
    army = Army.load(path)
    assert army.ncus == ("kid", "30403")
    assert Army.parse(army.text()) == army


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Stark Sworn Swords"', '"Stark Sword"', "unit[0].card: no unit 'Stark Sword'; nearest: "),
        ('"10407"', '"1"', "unit[1].card: no unit '1'; nearest: "),
        ('"sansa stark"', '"Sansa"', "ncus[0]: no NCU 'Sansa'; nearest: Sansa Stark, Little Bird"),
        ('["robb stark, the wolf lord"]', '["Robb Stark"]',
         "unit[0].attachments[0]: 'Robb Stark' is more than one attachment: "),
        ('["robb stark, the wolf lord"]', "3", "unit[0].attachments: 3 is not a list"),
        ('commander = "Robb Stark, The Wolf Lord"', 'commander = "Hodor"',
         "commander: no commander 'Hodor'; nearest: "),
        ('commander = "Robb Stark, The Wolf Lord"', 'commander = "Brynden Tully"',
         "commander: 'Brynden Tully' is more than one commander: "),
        ('faction = "stark"', 'faction = "Starks"', "faction: 'Starks' is unknown; known: barath"),
        ("points = 40", "points = -1", "points: -1 is outside 0 to 1000"),
        ("points = 40", "", "key 'points' is missing"),
        ("points = 40", "points = 40\ncolour = 1", "unknown key 'colour'"),
        ("[[unit]]\ncard = \"10407\"", "[unit]", "not TOML: "),
        ('card = "10407"', "", "unit[1]: key 'card' is missing"),
        ('"tmg-2021"', '"chess"', "game: 'chess' is unknown; known: "),
        ("army/1", "army/9", "format: 'table-companion/army/9' is not 'table-companion/army/1'"),
    ],
)  # fmt: skip
def test_broken_lists(old: str, new: str, said: str) -> None:
    assert old in TEXT
    with pytest.raises(BadInput) as caught:
        Army.parse(TEXT.replace(old, new), "my.army.toml")
    assert str(caught.value).startswith("my.army.toml: " + said)
    assert "\n" not in str(caught.value)
