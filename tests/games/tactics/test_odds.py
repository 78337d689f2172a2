"""Exact odds, held against every single roll written out."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from companion.cli.program import main
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import CoinEffect
from companion.games.tactics.game import GAME
from companion.games.tactics.rules.attack_odds import AttackQuestion, attack_odds, paid_options

rule = pytest.mark.rule
FACES = range(1, 11)


def by_hand(question: AttackQuestion) -> dict[int, Fraction]:
    """The wounds by rolling every die in every way; no formula."""
    dice = question.dice + question.charge
    found: Counter[int] = Counter()
    whole = 0
    for attack in product(FACES, repeat=dice):
        faces = list(attack)
        if question.attack_powder and faces:
            faces[faces.index(max(faces))] = 1
        charmed = -1
        if question.attack_charm and min(faces) < 10:
            charmed = faces.index(min(faces))
        hits = 0
        for at, face in enumerate(faces):
            natural = face == 10 and at != charmed
            value = 10 if at == charmed else face
            if natural or value + question.attack_mod >= question.hit:
                hits += 2 if natural else 1
        hits = max(0, hits - question.cancels)
        for defence in product(FACES, repeat=hits):
            kept = list(defence)
            fixed = kept.index(min(kept)) if question.defence_charm and kept else -1
            saved = 0
            for at, face in enumerate(kept):
                value = 10 if at == fixed else face
                good = face == 10 and at != fixed
                saved += good or value + question.defence_mod >= question.defence
            found[hits - saved] += 10 ** (2 * dice - hits)
        whole += 10 ** (2 * dice)
    return {wounds: Fraction(count, whole) for wounds, count in sorted(found.items())}


@rule("TAC-DIE-4", "TAC-DIE-5", "TAC-ATK-7", "TAC-ATK-9", "TAC-CHG-6")
@pytest.mark.parametrize(
    "values",
    [
        {"dice": 0},
        {"dice": 1},
        {"dice": 2},
        {"dice": 1, "charge": True},
        {"dice": 2, "attack_mod": 2, "defence_mod": -2},
        {"dice": 2, "attack_mod": -2},
        {"dice": 2, "attack_charm": True},
        {"dice": 2, "defence_charm": True, "defence": 8},
        {"dice": 2, "attack_powder": True},
        {"dice": 2, "cancels": 1},
        {"dice": 1, "hit": 10, "defence": 2},
    ],
)
def test_odds_are_what_every_roll_gives(values: dict[str, Any]) -> None:
    question = AttackQuestion(**{"hit": 6, "defence": 6, **values})
    assert attack_odds(question).wounds == by_hand(question)
    assert sum(attack_odds(question).wounds.values()) == 1


def test_kills_and_the_dagger() -> None:
    question = AttackQuestion(2, 6, 6, health=2)
    odds = attack_odds(question)
    assert odds.destroys == sum(p for wounds, p in odds.wounds.items() if wounds >= 2)
    dagger = attack_odds(AttackQuestion(2, 6, 6, health=2, fatal=True))
    assert dagger.destroys == 1 - odds.wounds[0]


@rule("TAC-CRD-8", "TAC-V-1")
def test_wounds_per_coin() -> None:
    effects = [CoinEffect(f"die {n}", Coins(copper=c), dice=1) for n, c in enumerate((1, 1, 2, 3))]
    options = paid_options(AttackQuestion(1, 6, 6), effects)
    assert [one.price.copper for one in options] == [0, 1, 2, 4, 7]
    assert [one.odds.mean for one in options] == [Fraction(3, 10) * n for n in range(1, 6)]
    assert options[1].per_coin == Fraction(3, 10)
    assert options[4].per_coin == Fraction(12, 70)
    poor = paid_options(AttackQuestion(1, 6, 6), effects, Coins(copper=2))
    assert [one.price.copper for one in poor] == [0, 1, 2]


def test_charge_effects_count_only_in_a_charge() -> None:
    gallop = CoinEffect("gallop", Coins(copper=2), dice=1, charge_only=True)
    assert len(paid_options(AttackQuestion(1, 6, 6), [gallop])) == 1
    assert len(paid_options(AttackQuestion(1, 6, 6, charge=True), [gallop])) == 2


def test_the_command_prints_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["odds", "--game", "tactics", "--dice", "1", "--hit", "6", "--defence", "6"]
    assert main([*asked, "--health", "1", "--extra-dice", "1,1", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["wounds"] == {"0": 0.725, "1": 0.25, "2": 0.025}
    assert plain["destroys"] == pytest.approx(0.275)
    assert [one["price"][2] for one in plain["coins"]] == [0, 1, 2]
    assert main(asked) == 0
    assert "0.30 wounds on average" in capsys.readouterr().out
    high = GAME.odds("tactics", {"dice": 1, "hit": 8, "defence": 6, "high": True}).to_json()
    assert high["mean"] == plain["mean"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--dice", "x"], "'x' is not a whole number"),
        (["--dice", "1", "--hit", "6"], "--defence"),
        (["--dice", "1", "--hit", "60", "--defence", "6"], "hit: 60 is outside 2 to 10"),
        (["--luck", "1"], "required"),
    ],
)
def test_broken_odds_are_one_line(
    asked: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["odds", "--game", "tactics", *asked])
    except SystemExit as stop:
        status = int(str(stop.code))
    said = capsys.readouterr().err
    assert (status, said.count("\n")) == (2, 1)
    assert message in said
