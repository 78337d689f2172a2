"""Cards, coins and squads: the building rules, the shipped cards, the players' own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import (
    FigureCard,
    every_card,
    find_card,
    read_cards,
    shipped_cards,
)
from companion.games.tactics.cards.squad import (
    EQUIPMENT,
    SIZES,
    SquadMember,
    read_squad,
    squad_cost,
    squad_problems,
)
from companion.games.tactics.game import GAME
from companion.games.tactics.play import PLAY
from companion.games.tactics.screen.new_game import squad_lines
from companion.text.translation import catalogue
from models import CompanionError
from models.field import Field, parse_toml

rule = pytest.mark.rule


def figure(name: str, cost: tuple[int, int, int], **more: Any) -> FigureCard:
    plain = {"id": name, "name": name, "faction": "Test", "cost": list(cost), "will": 5}
    return FigureCard.read(Field({**plain, "defence": 6, "health": 2, **more}))


def problems(members: list[FigureCard | SquadMember], stock: Coins = SIZES["standard"]) -> set[str]:
    """The rules that a squad breaks."""
    squad = tuple(one if isinstance(one, SquadMember) else SquadMember(one) for one in members)
    return {one.why for one in squad_problems(squad, stock)}


@rule("TAC-FIG-1", "TAC-FIG-2", "TAC-FIG-3", "TAC-FIG-4", "TAC-COI-1")
@pytest.mark.parametrize(
    ("cost", "kind"),
    [
        ((1, 0, 0), "hero"),
        ((3, 1, 0), "hero"),
        ((0, 2, 0), "veteran"),
        ((0, 2, 3), "veteran"),
        ((0, 0, 2), "soldier"),
    ],
)
def test_the_coins_say_the_kind(cost: tuple[int, int, int], kind: str) -> None:
    card = figure("x", cost)
    assert (card.kind, card.is_character) == (kind, kind != "soldier")


MOUNTED = figure("Robert", (3, 1, 0), size=2, person="Robert")
FOOT = figure("Robert on foot", (2, 0, 0), person="Robert")


@rule("TAC-SQD-6", "TAC-FIG-1", "TAC-FIG-7", "TAC-V-8", "TAC-V-9", "TAC-V-10")
def test_the_price_of_robert() -> None:
    assert SIZES["standard"] - squad_cost([SquadMember(MOUNTED)]) == Coins(0, 5, 18)
    assert "TAC-SQD-6" not in problems([MOUNTED])
    assert "TAC-SQD-6" in problems([MOUNTED], SIZES["small"])
    assert "TAC-SQD-6" not in problems([FOOT], SIZES["small"])
    assert SIZES["small"] - squad_cost([SquadMember(FOOT)]) == Coins(0, 4, 12)


@rule("TAC-SQD-7", "TAC-V-11")
@pytest.mark.parametrize(("count", "legal"), [(12, True), (13, False)])
def test_as_many_figures_as_copper(count: int, legal: bool) -> None:
    soldiers = [figure("Free", (0, 0, 0)) for _ in range(count)]
    assert ("TAC-SQD-7" not in problems(list(soldiers), SIZES["small"])) is legal


@rule("TAC-SQD-9", "TAC-CMP-6")
def test_the_sizes() -> None:
    assert [one.written for one in SIZES.values()] == ["2-4-12", "3-6-18", "4-8-24"]
    assert SIZES["standard"] + SIZES["standard"] == Coins(6, 12, 36)


@rule("TAC-SQD-1", "TAC-SQD-2", "TAC-SQD-3", "TAC-SQD-4")
def test_factions_seals_and_neutrals() -> None:
    soldier = figure("a", (0, 0, 1))
    assert "TAC-SQD-1" in problems([soldier, figure("b", (0, 0, 1), faction="Other")])
    sealed = [figure(name, (0, 0, 1), seal=name) for name in "ab"]
    assert "TAC-SQD-2" in problems(list(sealed))
    neutral = [figure(name, (0, 0, 1), faction="neutral") for name in "cd"]
    assert problems(list(neutral)) == set()
    assert "TAC-SQD-4" in problems([soldier, *neutral])
    assert problems([soldier, neutral[0]]) == set()


@rule("TAC-SQD-5", "TAC-FIG-5", "TAC-CRD-1", "TAC-CRD-3")
def test_persons_are_unique_and_soldiers_are_not() -> None:
    assert "TAC-SQD-5" in problems([FOOT, FOOT], SIZES["large"])
    assert "TAC-SQD-5" in problems([MOUNTED, FOOT], Coins(9, 9, 9))
    soldier = figure("a", (0, 0, 2))
    assert problems([soldier, soldier]) == set()
    assert squad_cost([SquadMember(soldier)] * 2) == Coins(0, 0, 4)


@rule("TAC-SQD-8")
def test_gold_and_silver_must_be_spent() -> None:
    soldier, hero = figure("a", (0, 0, 1)), figure("h", (2, 0, 0))
    found = squad_problems((SquadMember(soldier),), SIZES["small"], [hero])
    assert [one.why for one in found] == ["TAC-SQD-8"]
    assert squad_problems((SquadMember(hero),), SIZES["small"], [hero]) == []
    # A card that lacks a number, or bears another seal, cannot be taken: nothing is left to buy.
    draft = FigureCard.read(Field({"id": "d", "name": "d", "faction": "Test", "cost": [2, 0, 0]}))
    assert squad_problems((SquadMember(soldier),), SIZES["small"], [draft]) == []
    sealed = SquadMember(figure("s", (0, 0, 1), seal="stag"))
    assert squad_problems((sealed,), SIZES["small"], [figure("o", (2, 0, 0), seal="sun")]) == []


@rule("TAC-EQP-1", "TAC-EQP-3", "TAC-EQP-5")
def test_equipment_is_bought_for_a_figure() -> None:
    soldier = figure("a", (0, 0, 1))
    assert squad_cost([SquadMember(soldier, "spotless-boots")]) == Coins(0, 0, 3)
    twice = [SquadMember(soldier, "holy-icon"), SquadMember(soldier, "holy-icon")]
    assert "TAC-EQP-5" in problems(list(twice))
    assert "TAC-EQP-3" in problems([SquadMember(MOUNTED, "spotless-boots")], Coins(9, 9, 9))
    assert len(EQUIPMENT) == 15


@rule("TAC-CRD-2", "TAC-CMP-1", "TAC-OR-2")
def test_the_cards_of_the_book_name_what_is_missing() -> None:
    robert = find_card("Robert Baratheon")
    assert robert is not None
    assert (robert.will, robert.defence, robert.health, robert.cost) == (5, 5, 4, Coins(2))
    assert robert.unknown == ()
    stark = find_card("eddard-stark")
    assert stark is not None
    assert stark.unknown == ("cost", "will", "defence", "health")
    assert "TAC-CRD-2" in problems([stark])
    book = [card for card in shipped_cards().values() if not card.invented]
    assert len(book) == 20
    assert {card.faction for card in book} == {"Targaryen", "Baratheon"}


@rule("TAC-V-21", "TAC-ABL-14")
def test_mounted_robert_moves_four_spaces() -> None:
    mounted = find_card("robert-baratheon-mounted")
    assert mounted is not None
    assert (mounted.reach_spaces, mounted.size, mounted.kind) == (4, 2, "hero")


OWN = """format = "table-companion/tactics-cards/1"
[[figure]]
id = "eddard-stark"
name = "Eddard Stark"
faction = "Fordwatch"
cost = { gold = 2 }
will = 3
defence = 4
health = 5
"""


@rule("TAC-GEN-15", "TAC-GEN-2")
def test_own_cards_replace_shipped_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    assert every_card() == shipped_cards()
    folder = tmp_path / "tactics-cards"
    folder.mkdir()
    (folder / "mine.toml").write_text(OWN, encoding="utf-8")
    assert every_card()["eddard-stark"].health == 5
    squad = {"list": "Eddard Stark\nGrey Bannerman\nMarsh Scout"}
    command = {"scenario": "sample-crossing", "squads": [squad, squad]}
    setup = PLAY.prepare("tactics", command)
    assert not isinstance(setup, Refusal)
    assert setup["squads"][0]["figures"][0]["card"]["health"] == 5
    (folder / "mine.toml").write_text(OWN.replace("5", "50"), encoding="utf-8")
    with pytest.raises(CompanionError, match=r"mine.toml: figure\[0\].health: 50 is outside"):
        PLAY.prepare("tactics", command)


def test_own_cards_may_follow_the_squad() -> None:
    text = "Eddard Stark\nGrey Bannerman\nMarsh Scout\n" + OWN
    command = {"scenario": "sample-crossing", "squads": [{"list": text}, {"list": text}]}
    setup = PLAY.prepare("tactics", command)
    assert not isinstance(setup, Refusal)
    assert setup["squads"][1]["figures"][0]["name"] == "Eddard Stark 2"  # the mirrored squad


OWN_TILE = """format = "table-companion/tactics-tiles/1"
[[tile]]
id = "mine"
name = "Mine"
rows = ["......#", ".......", ".......", ".......", ".......", ".......", "......."]
"""
OWN_SCENARIO = """format = "table-companion/tactics-scenarios/1"
[[scenario]]
id = "my-field"
name = "My field"
rounds = 3
coins = [2, 4, 12]
size = [7, 7]
tiles = [{ tile = "mine", at = [0, 0], turn = 90 }]
zones = { gold = ["0,0", "1,0", "2,0"], silver = ["0,6", "1,6", "2,6"] }
"""


@rule("TAC-GEN-3", "TAC-GRD-1")
def test_own_tiles_and_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    folder = tmp_path / "tactics-scenarios"
    folder.mkdir()
    (folder / "tiles.toml").write_text(OWN_TILE, encoding="utf-8")
    (folder / "field.toml").write_text(OWN_SCENARIO, encoding="utf-8")
    assert ("my-field", "My field") in GAME.modes("tactics")
    squad = {"list": "Warden of the Ford\nGrey Bannerman\nMarsh Scout"}
    setup = PLAY.prepare("tactics", {"scenario": "my-field", "squads": [squad, squad]})
    assert not isinstance(setup, Refusal)
    assert setup["scenario"]["rounds"] == 3
    assert setup["board"]["ground"] == {"0,6": "blocked-x"}
    (folder / "field.toml").write_text(OWN_SCENARIO.replace("90", "45"), encoding="utf-8")
    with pytest.raises(CompanionError, match="45 is no quarter turn"):
        PLAY.prepare("tactics", {"scenario": "my-field", "squads": [squad, squad]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "own: unknown key 'x'"),
        ('format = "other"', "is not 'table-companion/tactics-cards/1'"),
        ('format = "F"\n[[figure]]\nid = "a"', "figure\\[0\\]: key 'name' is missing"),
        (
            'format = "F"\n[[figure]]\nid = "a"\nname = "A"\nwill = 11',
            "will: 11 is outside 2 to 10",
        ),
        ('format = "F"\n[[figure]]\nid = "a"\nname = "A"\nwings = 2', "unknown key 'wings'"),
        ('format = "F"' + 2 * '\n[[figure]]\nid = "a"\nname = "A"', "'a' stands twice"),
    ],
)
def test_a_broken_card_names_its_place(text: str, message: str) -> None:
    whole = text.replace('"F"', '"table-companion/tactics-cards/1"')
    with pytest.raises(CompanionError, match=message):
        read_cards(parse_toml(whole, "own"))


def test_squads_are_read_from_text() -> None:
    cards = shipped_cards()
    found = read_squad("# mine\nWarden of the Ford + Lucky charm\n2 Ford Guard\nford archer", cards)
    assert [one.card.id for one in found] == [
        "sample-warden",
        "sample-guard",
        "sample-guard",
        "sample-archer",
    ]
    assert found[0].equipment == "lucky-charm"
    with pytest.raises(CompanionError, match="line 2: no figure 'Nobody'"):
        read_squad("Ford Guard\nNobody", cards)
    with pytest.raises(CompanionError, match="line 1: no equipment 'crown'"):
        read_squad("Ford Guard + crown", cards)
    with pytest.raises(CompanionError, match="more than 40 figures"):
        read_squad("41 Ford Guard", cards)


@rule("TAC-SQD-6", "TAC-CRD-2")
@pytest.mark.parametrize(
    ("squad", "why"),
    [
        ("Eddard Stark", "TAC-CRD-2"),
        ("20 Ford Guard", "TAC-SQD-6"),
        ("Ford Guard\nThornhill Axeman", "TAC-SQD-1"),
    ],
)
def test_a_set_up_refuses_an_illegal_squad(squad: str, why: str) -> None:
    good = "Warden of the Ford\nGrey Bannerman\nMarsh Scout"
    command = {"scenario": "sample-crossing", "squads": [{"list": squad}, {"list": good}]}
    found = PLAY.prepare("tactics", command)
    assert getattr(found, "why", "") == why


def test_several_of_a_figure_are_called_in_the_players_language() -> None:
    """A figure stood by its English name among German names."""
    (line,) = squad_lines("3 Thornhill Axeman", shipped_cards())
    german = catalogue("de", "in", "tactics")
    assert german.translate(line.text) == f"3 × {german.name('Thornhill Axeman')}"
    assert german.name("Thornhill Axeman") != "Thornhill Axeman"
