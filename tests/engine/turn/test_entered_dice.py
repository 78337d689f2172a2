"""Dice as players and programs enter them: counts, totals, faces, dice that depend on others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.turn.entered_dice import (
    EnteredDice,
    chances_by_number,
    count_keys,
    face_keys,
    question,
)
from companion.games.api.play import Refusal
from companion.games.api.prompt import DiceRequest, DiceSymbol

HITS = DiceRequest(3, {"do": "roll"}, wanted=5, count_field="hits")
D3 = DiceRequest(1, {"do": "test"}, "d3", 3, single=True, if_failed=True)
TOTAL = DiceRequest(
    2, {"do": "test"}, wanted=7, count_field="total", chances=(1 / 11,) * 11, extra=(D3,)
)
HIT, FLAG, MISS = (
    DiceSymbol(word, f"the {word}", "star", "white") for word in ("hit", "flag", "miss")
)
SIGNS = DiceRequest(2, {"do": "orders"}, sides=4, symbols=(HIT, HIT, FLAG, MISS))


def entered(answer: EnteredDice | Refusal) -> EnteredDice:
    assert isinstance(answer, EnteredDice)
    return answer


def test_all_faces_complete_the_command() -> None:
    dice = EnteredDice.begin(HITS)
    assert dice.command is None
    assert entered(dice.with_faces([5, 1, 6])).command == {"do": "roll", "faces": [5, 1, 6]}


def test_a_count_has_the_chances_of_independent_dice() -> None:
    chances = chances_by_number(HITS)
    assert list(chances) == ["0", "1", "2", "3"]
    assert chances["1"] == pytest.approx(3 * (1 / 3) * (2 / 3) ** 2)
    assert sum(chances.values()) == pytest.approx(1)
    assert question(HITS, True) == "How many show 5+?"
    assert question(HITS, False) == "What did you roll?"


@pytest.mark.parametrize(("total", "more"), [(6, True), (7, False), (12, False)])
def test_dice_of_a_failure_are_asked_for_only_after_one(total: int, more: bool) -> None:
    dice = entered(EnteredDice.begin(TOTAL).with_number(total))
    assert (dice.command is None) is more
    last = entered(dice.with_faces([2])) if more else dice
    assert last.command == {"do": "test", "total": total, **({"d3": 2} if more else {})}
    faces = EnteredDice.begin(TOTAL).with_faces([total - total // 2, total // 2])
    assert isinstance(faces, EnteredDice)
    assert (faces.command is None) is more


def test_totals_are_keys_with_their_verdict_and_single_dice_too() -> None:
    assert [(key.value, key.tone) for key in count_keys(TOTAL)][4:6] == [(6, "bad"), (7, "good")]
    assert [key.tone for key in count_keys(HITS)] == [""] * 4
    charge = DiceRequest(1, {"do": "charge"}, wanted=3)
    assert [key.tone for key in face_keys(charge)] == ["bad", "bad", *["good"] * 4]


def test_each_symbol_of_a_die_is_one_key_however_many_faces_show_it() -> None:
    keys = list(face_keys(SIGNS))
    assert [(key.value, key.text, key.symbol.faces) for key in keys if key.symbol] == [
        (1, "the hit", 2),
        (3, "the flag", 1),
        (4, "the miss", 1),
    ]
    dice = EnteredDice.begin(SIGNS).with_faces([keys[1].value, keys[0].value])
    assert entered(dice).command == {"do": "orders", "faces": ["flag", "hit"]}


@pytest.mark.parametrize(
    ("request_", "faces", "number", "says"),
    [
        (HITS, [1, 2], None, "3 faces are asked for"),
        (HITS, "123", None, "3 faces are asked for"),
        (HITS, [1, 2, 7], None, "7 is no face"),
        (HITS, [1, 2, True], None, "True is no face"),
        (SIGNS, ["hit", "miss"], None, ""),
        (SIGNS, [2, 4], None, ""),
        (SIGNS, ["hit", "wall"], None, "'wall' is no face"),
        (HITS, None, 4, "a number from 0 to 3"),
        (HITS, None, True, "a number from 0 to 3"),
        (TOTAL, None, 1, "a number from 2 to 12"),
        (SIGNS, None, 1, "face by face"),
    ],
)
def test_what_programs_send_is_checked(
    request_: DiceRequest, faces: Any, number: Any, says: str
) -> None:
    dice = EnteredDice.begin(request_)
    answer = dice.with_faces(faces) if number is None else dice.with_number(number)
    assert isinstance(answer, Refusal) is bool(says)
    if isinstance(answer, Refusal):
        assert says in answer.say
    else:
        assert answer.command == {"do": "orders", "faces": ["hit", "miss"]}


def test_the_same_dice_with_other_odds_keep_what_was_entered() -> None:
    dice = entered(EnteredDice.begin(TOTAL).with_number(5))
    renewed = dice.renewed(replace(TOTAL, wanted=5))
    assert renewed is not None
    assert (renewed.given, renewed.requests[0].wanted) == ((("total", 5),), 5)
    assert dice.renewed(replace(TOTAL, count=3)) is None


def test_the_highest_faces_are_asked_for_after_a_count() -> None:
    request = DiceRequest(
        3, {"do": "roll"}, sides=10, wanted=6, count_field="hits", top_field="tens"
    )
    dice = EnteredDice.begin(request)
    assert entered(dice.with_number(0)).command == {"do": "roll", "hits": 0}
    asked = entered(dice.with_number(2))
    assert asked.command is None
    assert asked.request.chances == (16 / 25, 8 / 25, 1 / 25)
    assert isinstance(asked.with_faces([10, 6]), Refusal), "they are counted only"
    assert asked.request.sides == 10
    assert entered(asked.with_number(1)).command == {"do": "roll", "hits": 2, "tens": 1}
    renewed = asked.renewed(request)
    assert renewed is not None
    assert entered(renewed.with_number(2)).command == {"do": "roll", "hits": 2, "tens": 2}
    assert entered(dice.with_faces([6, 10, 1])).command == {"do": "roll", "faces": [6, 10, 1]}


def test_the_game_may_roll_the_dice_that_are_still_missing() -> None:
    dice = entered(EnteredDice.begin(TOTAL).with_number(6))
    assert dice.app_rolls
    assert dice.so_far == {"do": "test", "total": 6}
    never = replace(TOTAL, extra=(replace(D3, optional=False),))
    assert not entered(EnteredDice.begin(never).with_number(6)).app_rolls
