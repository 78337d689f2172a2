"""With a table attached the geometry fills in what players would tick."""

from __future__ import annotations

import pytest

from models import Sigma, Table
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen
from tests.play.battle import LANNISTER, STARK, battle_of


@pytest.mark.rule("TMG-GLO-11", "TMG-GLO-12")
def test_contact_is_seen() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 20, NORTH), "r1": (24, 20 + DEEP, SOUTH)})
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.unit("r1").engaged == ("b1",)
    battle = seen(battle, {"b1": (24, 20, NORTH), "r1": (24, 30, SOUTH)})
    assert battle.unit("b1").engaged == ()


@pytest.mark.rule("TMG-SET-1")
def test_a_table_of_another_game_is_refused() -> None:
    battle = battle_of("GOT")
    table = Table("tmg-2018").to_json()
    battle.refused("INPUT", "table", table=table)


@pytest.mark.rule("TMG-GLO-11")
def test_what_moved_since_is_no_longer_taken_from_the_table() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 12, SOUTH)})
    battle.do("activate", unit="b1").do("action", action="march").do("end-turn")
    assert battle.state.moved == ("b1",)
    battle.do(
        "free-action", unit="b1", action="charge", zone="front", target="r1", distance=6, faces=[6]
    )
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-GLO-26", "TMG-GLO-15")
def test_anything_may_be_measured_at_any_time() -> None:
    battle = battle_of("GOT")
    battle.refused("TMG-GLO-26", "measure", unit="b1", to="r1")
    seen(battle, {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 8, SOUTH)})
    battle.do("measure", unit="b1", to="r1")
    assert battle.answer == {"gap": 8.0, "range": 8.0, "zone": "front"}
    assert battle.titles == []
    battle.do("test", unit="b1", why="fear").do("measure", unit="b1", to="b2")
    battle.refused("TMG-GLO-15", "measure", unit="b1", to="b1")


@pytest.mark.rule("TMG-GLO-6", "TMG-GLO-13", "TMG-GLO-14", "TMG-GLO-15", "OR-17")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_who_is_in_range_of_an_effect_is_told_with_its_doubt(year: str) -> None:
    spots = {
        "b1": (24.0, 20.0, NORTH),
        "b2": (24.0, 20 - DEEP - 5.9, NORTH),
        "r1": (24.0, 20 + DEEP + 6.1, SOUTH),
    }
    battle = seen(battle_of("GOT", year), spots)
    battle.do("measure", unit="b1", reach="short", friends=True)
    assert set(battle.answer["in_range"]) == {"b1", "b2"}
    battle.do("measure", unit="b1", reach="short")
    assert set(battle.answer["in_range"]) == {"b1", "b2"}
    battle.do("measure", unit="b1", reach="long")
    assert set(battle.answer["in_range"]) >= {"b1", "b2", "r1"}
    battle.do("measure", unit="b1", reach="long", friends=True)
    assert "r1" not in battle.answer["in_range"]
    battle.do("measure", unit="b1", to="r1", reach="short")
    assert battle.answer["in_range"]["answer"] == "no"
    blurred = seen(battle, spots, sigma=Sigma(0.1))
    blurred.do("measure", unit="b1", reach="short")
    answers = {unit: one["answer"] for unit, one in blurred.answer["in_range"].items()}
    assert answers == {"b1": "yes", "b2": "unsure", "r1": "unsure"}


@pytest.mark.rule("TMG-CARD-10", "EX-53")
def test_an_effect_on_a_name_asks_the_unit_and_not_its_attachment() -> None:
    umber = {"name": "Umber Champion", "cost": 1}
    army = {
        **STARK,
        "units": [
            {"name": "Stark Sworn Swords", "cost": 5, "attachments": [umber]},
            {"name": "Umber Berserkers", "cost": 5},
        ],
    }
    spots = {"b1": (24.0, 20.0, NORTH), "b2": (24.0, 20 - DEEP - 2, NORTH)}
    battle = seen(battle_of("GOT", armies=[army, LANNISTER]), spots)
    battle.do("measure", unit="b1", reach="short", friends=True, name="umber")
    assert set(battle.answer["in_range"]) == {"b2"}


@pytest.mark.rule("TMG-SRG-1", "TMG-SRG-2", "TMG-UNT-11")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_destroyed_tray_that_still_lies_there_engages_nobody(year: str) -> None:
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    battle = seen(battle_of("GOT", year), spots)
    battle.do("activate", unit="b1").do("action", action="attack", target="r1").fight(12)
    seen(battle, spots)  # nobody has taken it off yet
    assert battle.unit("b1").engaged == ()
    assert battle.unit("r1").engaged == ()
    battle.do("surge", take=True)
    battle.refused("TMG-GLO-26", "measure", unit="b2", to="r1")
