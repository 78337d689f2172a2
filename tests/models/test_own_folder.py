"""A player adds and changes entries with own TOML files; a broken one says where."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from companion.games.tmg.cards.army_catalogue import army_catalogue
from models import BadInput, Table
from models.catalogue import OWN_VARIABLE
from tests.models.conftest import Writer

KNIGHTS = """
[my-knights]
name = "Knights of the Kitchen"
faction = "stark"
type = "cavalry"
tray = "cavalry"
cost = 7
speed = 6
defense = 3
morale = 5
wounds_per_model = 3
attacks = [{ name = "Ladle", kind = "melee", hit = 3, dice = [6, 5], abilities = ["vicious"] }]
abilities = ["Order: Second Helping"]
character = true
"""


def test_a_new_unit(own: Writer) -> None:
    own("tmg-2021/units.toml", KNIGHTS)
    facts = army_catalogue("tmg-2021")
    assert len(facts.units) == 149
    card = facts.units.find("knights of the kitchen")
    assert card.id == "my-knights"
    assert card.attacks[0].abilities == ("vicious",)
    assert card.character
    assert facts.profiles["knights of the kitchen"].defense == 3
    assert len(army_catalogue("tmg-2018").units) == 26


def test_one_number_of_a_shipped_unit(own: Writer) -> None:
    """Only what changes need be written."""
    own("tmg-2021/units.toml", "[10201]\ncost = 4\n")
    units = army_catalogue("tmg-2021").units
    assert len(units) == 148
    assert units["10201"].cost == 4
    assert units["10201"].speed == 5
    assert units.find("Stark Sworn Swords").cost == 4


def test_an_own_unit_of_a_shipped_name_is_found_first(own: Writer) -> None:
    own("tmg-2021/units.toml", KNIGHTS.replace("Knights of the Kitchen", "Stone Crows"))
    facts = army_catalogue("tmg-2021")
    assert facts.units.find("Stone Crows").id == "my-knights"
    assert facts.profiles["stone crows"].speed == 6
    assert facts.units["10116"].name == "Stone Crows"


def test_trays_for_all_games_and_for_one(own: Writer) -> None:
    own("trays.toml", "[infantry]\nwidth = 4.75\n[round]\nwidth = 3\ndepth = 3\n")
    own("tmg-2018/trays.toml", "[infantry]\ndepth = 3.5\n")
    new, old = army_catalogue("tmg-2021").trays, army_catalogue("tmg-2018").trays
    assert (new["infantry"].width, new["infantry"].depth, new["infantry"].models) == (4.75, 4.8, 12)
    assert (old["infantry"].width, old["infantry"].depth, old["infantry"].ranks) == (4.75, 3.5, 3)
    assert (new["round"].arc_deg, new["round"].models, new["round"].ranks) == (45, 1, 1)


def test_own_trays_and_pieces_serve_table_files(own: Writer) -> None:
    own("trays.toml", "[round]\nwidth = 3\ndepth = 3\n")
    own("tmg-2021/terrain.toml", '[pond]\nkeywords = ["Rough", "blocks los"]\n[bog]\nkeywords=[]\n')
    table = Table.parse(
        """{"format": "table-companion/1", "game": "tmg-2021",
        "units": [{"id": "a", "side": "b", "tray": "round", "x": 9, "y": 9, "heading": 0}],
        "terrain": [{"id": "t", "piece": "pond", "outline": [[20, 20], [26, 20], [26, 21]]},
                    {"id": "s", "piece": "bog", "outline": [[30, 20], [36, 20], [36, 21]]}]}"""
    )
    assert table.units[0].tray.width == 3
    assert table.terrain[0].keywords == {"rough", "blocks-line-of-sight"}
    assert table.terrain[1].keywords == set()
    assert Table.parse(table.text()) == table


def test_attachments_ncus_and_cards(own: Writer) -> None:
    own("tmg-2021/attachments.toml", '[cook]\nname = "Cook"\nfaction = "stark"\ncommander = true\n')
    own("tmg-2021/ncus.toml", '[30201]\ncost = 9\n[kid]\nname = "Kid"\nfaction = "stark"\n')
    own(
        "tmg-2021/cards.toml",
        '[soup]\nname = "Soup"\nfaction = "stark"\ncommander = "cook"\nremoves = ["40201"]\n',
    )
    facts = army_catalogue("tmg-2021")
    assert facts.attachments.find("cook").commander
    assert facts.ncus["30201"].cost == 9
    assert facts.ncus["30201"].title == "Lady of Winterfell"
    assert facts.ncus["kid"].cost is None
    assert facts.cards["soup"].removes == ("40201",)


def test_an_edition_may_gain_cards_it_had_none_of(own: Writer) -> None:
    own("tmg-2018/cards.toml", '[a]\nname = "Winter"\nfaction = "stark"\n')
    assert [card.name for card in army_catalogue("tmg-2018").cards.values()] == ["Winter"]


def test_the_usual_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".table-companion" / "data"
    folder.mkdir(parents=True)
    (folder / "trays.toml").write_text("[solo]\nwidth = 3.0\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert army_catalogue("tmg-2021").trays["solo"].width == 2.76  # the variable is set, to nothing
    monkeypatch.delenv(OWN_VARIABLE)
    assert army_catalogue("tmg-2021").trays["solo"].width == 3.0
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "nobody"))
    assert army_catalogue("tmg-2021").trays["solo"].width == 2.76


def test_a_folder_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_VARIABLE, "/no/such/folder")
    with pytest.raises(BadInput, match=r"^COMPANION_DATA: '/no/such/folder' is not a folder$"):
        army_catalogue("tmg-2021")


def test_a_pipe_is_no_catalogue(own: Writer) -> None:
    """It was read as an empty file: the players' sizes were forgotten without a word."""
    path = own("trays.toml", "")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(BadInput, match=r"trays.toml: cannot be read: nothing comes through"):
        army_catalogue("tmg-2021")


@pytest.mark.parametrize(
    ("name", "text", "place", "problem"),
    [
        ("trays.toml", "[infantry\n", "", r"not TOML: .*line 1"),
        ("trays.toml", "a." * 20000 + "b = 1\n", "", "a name with more than 16 dots"),
        ("trays.toml", f"[{'a.' * 20000}b]\n", "", "a name with more than 16 dots"),
        ("trays.toml", f"x = {{{'a . ' * 20000}b = 1}}\n", "", "a name with more than 16 dots"),
        ("trays.toml", "infantry = 5\n", "infantry", "5 is not an entry: expected [infantry]"),
        ("trays.toml", "[infantry]\nwidth = 0\n", "infantry.width", "0 is outside 0.25 to 24"),
        ("trays.toml", "[x]\nwidth = 3\n", "x", "key 'depth' is missing"),
        ("trays.toml", "[x]\nwidth = nan\ndepth = 3\n", "x.width", "nan is not a finite number"),
        ("trays.toml", "[solo]\ncolour = 3\n", "solo", "unknown key 'colour'"),
        ("trays.toml", '["a\\nb"]\nwidth = 3\n', "entry", "holds unprintable characters"),
        ("trays.toml", "[solo]\nranks = 1.5\n", "solo.ranks", "1.5 is not a whole number"),
        ("tmg-2021/terrain.toml", "[fog]\n", "fog", "key 'keywords' is missing"),
        ("tmg-2021/terrain.toml", '[fog]\nkeywords = ["wet"]\n', "fog.keywords[0]", "'wet' is unk"),
        ("tmg-2021/terrain.toml", "[fog]\nkeywords = []\nx = 1\n", "fog", "unknown key 'x'"),
        ("tmg-2021/units.toml", "[10201]\nspeed = 99\n", "10201.speed", "99 is outside 0 to 24"),
        ("tmg-2021/units.toml", '[10201]\ntray = "cart"\n', "10201.tray", "'cart' is unknown; kn"),
        ("tmg-2021/units.toml", '[10201]\ntype = "ship"\n', "10201.type", "'ship' is unknown; kn"),
        ("tmg-2021/units.toml", "[10201]\nspead = 4\n", "10201", "unknown key 'spead'"),
        ("tmg-2021/units.toml", "[a]\ncost = 4\n", "a", "key 'defense' is missing"),
        ("tmg-2021/units.toml", '[10201]\nname = ""\n', "10201.name", "is empty"),
        ("tmg-2021/units.toml", "[10201]\ncommander = 1\n", "10201.commander", "1 is neither true"),
        ("tmg-2021/units.toml", "[10201]\nattacks = [{}]\n", "10201.attacks[0]", "key 'dice' is m"),
        ("tmg-2021/units.toml", "[a]\n[a]\n", "", "not TOML: Cannot declare ('a',) twice"),
        ("tmg-2021/attachments.toml", "[20201]\ncost = -1\n", "20201.cost", "-1 is outside 0 to"),
        ("tmg-2021/attachments.toml", '[20201]\ncost = "C"\n', "20201.cost", "'C' is not a number"),
        ("tmg-2021/ncus.toml", "[30201]\nspeed = 4\n", "30201", "unknown key 'speed'"),
        ("tmg-2021/cards.toml", '[40201]\nremoves = "40202"\n', "40201.removes", "is not a list"),
        ("tmg-2021/cards.toml", "[40201]\nversion = 2021\n", "40201.version", "2021 is not a text"),
    ],
)  # fmt: skip
def test_broken_files(own: Writer, name: str, text: str, place: str, problem: str) -> None:
    path = own(name, text)
    with pytest.raises(BadInput) as caught:
        read_all()
    assert caught.value.source == str(path)
    assert caught.value.place == place
    matched = re.search(problem, caught.value.problem) if ".*" in problem else None
    assert matched or problem in caught.value.problem
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "known"), [("units.toml", "trays.toml"), ("tmg-2021/unit.toml", "units.toml")]
)
def test_a_file_nothing_would_read(own: Writer, name: str, known: str) -> None:
    path = own(name, "")
    with pytest.raises(BadInput, match="is no catalogue here; known: .*" + known) as caught:
        read_all()
    assert caught.value.source == str(path.parent)
    assert repr(path.name) in str(caught.value)


def test_files_of_other_kinds_may_lie_there(own: Writer) -> None:
    own("notes.txt", "mine")
    own("tmg-2021/units.toml.bak", "mine")
    own("somewhere/units.toml", "mine")
    read_all()


def test_a_folder_in_place_of_a_file(own: Writer) -> None:
    path = own("tmg-2021/units.toml/x", "").parent
    with pytest.raises(BadInput, match=r"cannot be read: Is a directory$") as caught:
        read_all()
    assert caught.value.source == str(path)


def test_a_file_that_is_not_utf8(own: Writer) -> None:
    own("trays.toml", "").write_bytes(b"[s\xf6lo]\nwidth = 3\n")
    with pytest.raises(BadInput, match=r"trays.toml: byte 2: is not UTF-8 text$"):
        read_all()


def read_all() -> None:
    facts = army_catalogue("tmg-2021")
    for cards in (facts.units, facts.attachments, facts.ncus, facts.cards):
        assert len(cards) > 0
