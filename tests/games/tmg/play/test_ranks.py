"""Who stands in which rank, as everybody sees it: models leave from the rear, attachments last."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")
NAME = "Stark Sworn Swords"


def deployed(year: str, *attachments: str, **facts: Any) -> Battle:
    joined = [{"name": name, "cost": 1} for name in attachments]
    unit = {"card": NAME, "cost": 5, "attachments": joined, **facts}
    armies = [{**STARK, "units": [unit]}, LANNISTER]
    return Battle("GOT", year, armies=armies, unchecked=True).deployed()


def ranks(battle: Battle, unit: str = "b1") -> list[list[str]]:
    shown: list[list[str]] = battle.view()["units"][unit]["formation"]
    return shown


@pytest.mark.rule("TMG-RNK-5", "TMG-RNK-6", "TMG-RNK-7", "EX-1", "EX-2")
@pytest.mark.parametrize("year", EDITIONS)
def test_each_wound_takes_the_rightmost_model_of_the_rear_rank(year: str) -> None:
    battle = deployed(year, "Captain")
    front = ["Captain", NAME, NAME, NAME]
    expected = [front, [NAME] * 4, [NAME] * 4]
    assert ranks(battle) == expected
    for _ in range(11):
        battle.do("wounds", unit="b1", wounds=1)
        expected[-1].pop()
        if not expected[-1]:
            expected.pop()
        assert ranks(battle) == expected
        assert battle.view()["units"]["b1"]["ranks"] == len(expected)
        assert battle.view()["units"]["b1"]["models"] == sum(map(len, expected))
    assert ranks(battle) == [["Captain"]]


@pytest.mark.rule("TMG-RNK-7")
@pytest.mark.parametrize(
    ("wounds", "left"), [(3, [4, 4, 1]), (4, [4, 4]), (5, [4, 3]), (8, [4]), (9, [3])]
)
def test_a_rank_is_touched_only_when_the_one_behind_is_empty(wounds: int, left: list[int]) -> None:
    battle = deployed("2021").do("wounds", unit="b1", wounds=wounds)
    assert [len(rank) for rank in ranks(battle)] == left


@pytest.mark.rule("TMG-RNK-5", "TMG-WND-6")
def test_healed_models_return_to_the_rear() -> None:
    battle = deployed("2021", "Captain").do("wounds", unit="b1", wounds=6)
    battle.do("heal", unit="b1", wounds=3)
    assert ranks(battle) == [["Captain", NAME, NAME, NAME], [NAME] * 4, [NAME]]


@pytest.mark.rule("TMG-ATM-6", "TMG-ATM-7", "EX-6")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_attachment_replaces_the_leftmost_model_of_the_front_rank(year: str) -> None:
    battle = deployed(year, "Captain")
    assert sum(rank.count(NAME) for rank in ranks(battle)) == 11
    assert ranks(battle)[0][0] == "Captain"
    battle.do("wounds", unit="b1", wounds=11)
    assert ranks(battle) == [["Captain"]]
    battle.do("wounds", unit="b1", wounds=1)
    assert (ranks(battle), battle.unit("b1").place) == ([], "destroyed")


@pytest.mark.rule("TMG-ATM-8")
def test_more_attachments_stand_second_and_third_from_the_left() -> None:
    battle = deployed("2021", "One", "Two", "Three")
    assert ranks(battle)[0] == ["One", "Two", "Three", NAME]
    battle.do("wounds", unit="b1", wounds=9)
    assert ranks(battle) == [["One", "Two", "Three"]]
    battle.do("wounds", unit="b1", wounds=1)
    assert ranks(battle) == [["One", "Two"]]


@pytest.mark.rule("TMG-RNK-5", "TMG-RNK-6")
def test_riders_stand_two_in_a_rank_and_go_when_their_wounds_are_full() -> None:
    battle = Battle().deployed()
    name = battle.unit("b3").name
    per_model = battle.unit("b3").per_model
    assert ranks(battle, "b3") == [[name, name], [name, name]]
    battle.do("wounds", unit="b3", wounds=per_model)
    assert ranks(battle, "b3") == [[name, name], [name]]
    battle.do("wounds", unit="b3", wounds=per_model)
    assert ranks(battle, "b3") == [[name, name]]
