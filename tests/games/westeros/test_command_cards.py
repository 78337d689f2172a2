"""Command cards, commanders and their limits."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Accepted
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule


def game(**more: Any) -> Clash:
    stark: Any = [
        ("foot", "green", "5,2", "lord"),
        ("foot", "green", "4,2"),
        ("foot", "green", "7,2"),
        ("foot", "green", "9,2"),
        ("foot", "green", "5,4", "lady"),
    ]
    return Clash(stark, [("foot", "green", "5,8")], **more)


@rule("BOW-CRD-1", "BOW-CRD-2", "BOW-CRD-9", "BOW-CRD-10", "BOW-CRD-6")
def test_a_card_moves_tokens_to_the_commander_and_orders_units() -> None:
    battle = game().do("card", unit="s1", tokens=[1, 1], units=["s1", "s2"], name="Rally All")
    house = battle.house()
    assert (house.tokens, house.hand, house.discards, battle.unit("s1").tokens) == (1, 2, 1, 2)
    assert battle.state.acting is not None
    assert battle.state.acting.units == ("s1", "s2")
    assert "Rally All" in battle.titles[0]
    assert game().refused("card", unit="s1", tokens=[1], units=["s2", "s2"]) == "BOW-CRD-9"


@rule("BOW-CRD-3", "BOW-D-36")
def test_the_command_limit() -> None:
    battle = game().do("card", unit="s1", tokens=[1], units=[])
    battle.do("pass")
    assert battle.refused("card", unit="s1", tokens=[1, 1], units=[]) == "BOW-CRD-3"
    battle.do("card", unit="s1", tokens=[1], units=[])
    assert game().refused("card", unit="s5", tokens=[2], units=[]) == "BOW-CRD-3"
    assert game(tokens=(1, 3), mace="lannister").refused("card", unit="s1", tokens=[1]) != ""


@rule("BOW-CRD-2", "BOW-OR-33", "BOW-RND-13")
def test_commands_are_paid_from_the_command_board() -> None:
    assert game(tokens=(3, 3)).refused("card", unit="s1", tokens=[0], units=[]) == "BOW-CRD-2"
    free = game(readings=("tactic-only=yes",))
    free.do("card", unit="s1", tokens=[0], units=[])
    poor = game(tokens=(1, 0))
    assert poor.refused("card", unit="s1", tokens=[2], units=[]) == "BOW-CRD-2"
    assert game(cards=0).refused("card", unit="s1", tokens=[1], units=[]) == "BOW-RND-13"
    assert game().refused("card", unit="s2", tokens=[1], units=[]) == "BOW-CRD-6"
    assert game().refused("card", unit="l1", tokens=[1], units=[]) == "BOW-CRD-6"


@rule("BOW-CRD-4", "BOW-CRD-5", "BOW-CRD-8", "BOW-CDR-1", "BOW-OR-34")
def test_only_active_own_units_in_command_range() -> None:
    battle = game()
    assert battle.refused("card", unit="s1", tokens=[1], units=["s4"]) == "BOW-CRD-4"
    assert battle.refused("card", unit="s1", tokens=[1], units=["l1"]) == "BOW-GEN-5"
    battle.order("s2").do("end-turn").do("pass")
    assert battle.refused("card", unit="s1", tokens=[1], units=["s2"]) == "BOW-CRD-8"
    moved = game().do("card", unit="s1", tokens=[1], units=["s1", "s3"])
    moved.do("move", unit="s1", to="4,3").do("move", unit="s3", to="8,2")  # out of range now
    assert moved.cell("s3") == "8,2"


@rule("BOW-RET-7")
def test_a_card_reminds_of_its_own_retreats() -> None:
    found = game().decide("card", {"unit": "s1", "tokens": [1], "units": []})
    assert isinstance(found, Accepted)
    assert found.answer["reminders"] == ["Retreats caused by a card follow its text."]


@rule("BOW-CRD-7")
def test_the_commander_may_be_inactive() -> None:
    battle = game().order("s1").do("end-turn").do("pass")
    battle.do("card", unit="s1", tokens=[1], units=["s2"])


@rule("BOW-CRD-12", "BOW-CRD-13", "BOW-V-8", "BOW-CRD-11")
def test_tactics_check_tokens_without_spending_them() -> None:
    battle = game(rolls=("MVGG", "VVVV"))
    card: dict[str, Any] = {"unit": "s1", "tokens": [1], "units": []}
    assert battle.refused("card", **card, needs=["M", "M"]) == "BOW-CRD-13"
    assert battle.refused("card", **card, needs=["R"]) == "BOW-CRD-13"
    battle.do("card", **card, needs=["M", "V"])
    assert battle.house().pool == ("M", "V", "G", "G")


@rule("BOW-CRD-14", "BOW-CRD-15")
def test_tactics_check_morale() -> None:
    battle = game().do("effect", side="stark", morale=-8)
    card: dict[str, Any] = {"unit": "s1", "tokens": [1], "units": []}
    assert battle.refused("card", **card, own_morale="green") == "BOW-CRD-14"
    assert battle.refused("card", **card, enemy_morale="green") == "BOW-CRD-15"
    battle.do("card", **card, own_morale="yellow")


@rule("BOW-CDR-6")
def test_the_special_ability_is_used_once() -> None:
    battle = game().do("commit", unit="s1")
    assert battle.unit("s1").committed
    assert battle.refused("commit", unit="s1") == "BOW-CDR-6"
    assert battle.refused("commit", unit="s2") == "BOW-CDR-6"


@rule("BOW-CDR-5")
def test_a_commander_adds_keywords_to_its_unit() -> None:
    from companion.games.westeros.play.state import battle_position

    battle = Clash([("burner", "blue", "5,5", "plunderer")], [("foot", "green", "5,8")])
    assert battle_position(battle.state).by_id["s1"].has("scorching-valour")
