"""The odds of attacks against full enumeration of the dice, and the results of the book."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from companion.cli.program import main
from companion.games.westeros.combat.attack_odds import HexQuestion, attack_odds, effect, hound_odds
from companion.games.westeros.combat.die import FACES, counted, hit_rule, losses, retreats
from companion.games.westeros.game import GAME
from models import CompanionError

rule = pytest.mark.rule
GREEN = hit_rule("green")


def every_roll(dice: int) -> Iterator[tuple[str, ...]]:
    return product(FACES, repeat=dice)


def by_hand(asked: HexQuestion, roll: tuple[str, ...]) -> tuple[int, int]:
    """Hits and flags, counted die by die."""
    hits = sum(one == asked.rule.shield or (one == "V" and asked.rule.valour) for one in roll)
    return hits, roll.count("M")


QUESTIONS = [
    HexQuestion(3, GREEN, figures=4),
    HexQuestion(4, hit_rule("red", "foot", "cavalry"), ignored=1, figures=2, room=1),
    HexQuestion(3, hit_rule("blue"), figures=3, capture=2, room=0, stalwart=True),
    HexQuestion(4, hit_rule("blue", heavy_armour=True), figures=1, capture=3),
    HexQuestion(2, GREEN, figures=4, flags_count=False),
    HexQuestion(3, hit_rule("blue"), figures=2, capture=1, leftover_counts=False, room=0),
    HexQuestion(0, GREEN, figures=4),
]


@rule("BOW-CMP-2", "BOW-OR-1", "BOW-CMB-8", "BOW-CMB-9", "BOW-RET-6", "BOW-OR-10")
@pytest.mark.parametrize("asked", QUESTIONS)
def test_odds_equal_full_enumeration(asked: HexQuestion) -> None:
    odds = attack_odds(asked)
    each = Fraction(1, 8**asked.dice)
    joint: dict[tuple[int, int], Fraction] = {}
    wounds: dict[int, Fraction] = {}
    steps: dict[int, Fraction] = {}
    destroys = captures = escapes = Fraction(0)
    for roll in every_roll(asked.dice):
        hits, flags = by_hand(asked, roll)
        joint[hits, flags] = joint.get((hits, flags), Fraction(0)) + each
        lost, retreat, gone, caught = slow_effect(asked, hits, flags)
        wounds[lost] = wounds.get(lost, Fraction(0)) + each
        steps[retreat] = steps.get(retreat, Fraction(0)) + each
        destroys += each * gone
        captures += each * caught
        escapes += each * (retreat > 0 and not gone)
    assert odds.joint == joint
    assert odds.wounds == wounds
    assert odds.steps == steps
    assert (odds.destroys, odds.captures, odds.escapes) == (destroys, captures, escapes)
    assert sum(odds.wounds.values()) == 1


def slow_effect(asked: HexQuestion, hits: int, flags: int) -> tuple[int, int, bool, bool]:
    """Figure by figure: what an attack and its retreat do."""
    figures = asked.figures or 0
    lost, gone, caught, steps = 0, False, False, 0

    def suffer(count: int) -> None:
        nonlocal lost, gone, caught
        alone = figures - lost == 1
        while count and figures - lost > (1 if asked.capture else 0):
            lost, count = lost + 1, count - 1
        if asked.capture and count >= asked.capture and (alone or asked.leftover_counts):
            lost, caught = figures, True
        gone = lost == figures

    suffer(max(0, hits - asked.ignored))
    if not gone and asked.flags_count:
        wanted = max(0, flags - asked.stalwart)
        steps = min(wanted, asked.room)
        suffer(wanted - steps)
    return lost, steps, gone, caught


@rule("BOW-ENG-6")
@pytest.mark.parametrize("goal", ["wounds", "destroy", "retreat"])
@pytest.mark.parametrize("dice", [1, 3])
def test_the_best_reroll_equals_trying_every_one(dice: int, goal: str) -> None:
    asked = HexQuestion(dice, hit_rule("blue"), 0, 2, room=1, flank=True, goal=goal)
    value: Callable[[Any], tuple[int, int]] = {
        "wounds": lambda e: (e.wounds, e.steps),
        "destroy": lambda e: (int(e.destroyed), e.wounds),
        "retreat": lambda e: (int(e.steps > 0 or e.destroyed), e.wounds),
    }[goal]
    total = [Fraction(0), Fraction(0)]
    for roll in every_roll(dice):
        results = []
        for again in ("", *sorted(set(roll))):
            kept = [one for one in roll if one != again]
            sums, count = [0, 0], 0
            for new in every_roll(len(roll) - len(kept)):
                found = value(effect(asked, *by_hand(asked, (*kept, *new))))
                sums, count = [sums[0] + found[0], sums[1] + found[1]], count + 1
            results.append((Fraction(sums[0], count), Fraction(sums[1], count)))
        best = max(results)
        total = [total[0] + best[0], total[1] + best[1]]
    odds = attack_odds(asked)
    mine = [Fraction(0), Fraction(0)]
    for pair, chance in odds.joint.items():
        found = value(effect(asked, *pair))
        mine = [mine[0] + found[0] * chance, mine[1] + found[1] * chance]
    assert mine == [one / 8**dice for one in total]
    assert sum(odds.joint.values()) == 1


@rule("BOW-KEY-6", "BOW-KEY-7", "BOW-KEY-8", "BOW-OR-19")
def test_war_hounds_by_enumeration() -> None:
    asked = HexQuestion(0, GREEN, ignored=1, figures=3, stalwart=True)
    odds = hound_odds(asked, (2, 3, 4))
    wounds: dict[int, Fraction] = {}
    for first in FACES:
        if first == "V":  # 1 hit that cannot be ignored
            wounds[1] = wounds.get(1, Fraction(0)) + Fraction(1, 8)
        elif first == "M":  # 1 hex of retreat, even of a Stalwart unit
            wounds[0] = wounds.get(0, Fraction(0)) + Fraction(1, 8)
        else:
            dice = {"G": 2, "B": 3, "R": 4}[first]
            for roll in every_roll(dice):
                lost = slow_effect(asked, *by_hand(asked, roll))[0]
                wounds[lost] = wounds.get(lost, Fraction(0)) + Fraction(1, 8 * 8**dice)
    assert odds.wounds == wounds
    assert odds.steps[1] >= Fraction(1, 8)


@rule("BOW-CMB-5", "BOW-CMB-6", "BOW-CMB-7", "BOW-KEY-9", "BOW-KEY-10")
@rule("BOW-V-16", "BOW-V-17", "BOW-D-29", "BOW-D-30")
@pytest.mark.parametrize(
    ("target", "kinds", "armour", "symbols", "hits"),
    [
        ("green", ("foot", "foot"), False, "VGB", 2),  # V16
        ("blue", ("foot", "cavalry"), False, "VR", 0),  # V17
        ("green", ("foot", "foot"), True, "GB", 1),  # D29
        ("red", ("foot", "foot"), True, "RVM", 1),  # D30
        ("blue", ("foot", "foot"), True, "BRV", 2),
        ("blue", ("cavalry", "cavalry"), False, "VR", 1),
        ("red", ("cavalry", "foot"), False, "GBRVM", 2),
    ],
)
def test_which_symbols_hit(
    target: str, kinds: tuple[str, str], armour: bool, symbols: str, hits: int
) -> None:
    assert hit_rule(target, *kinds, heavy_armour=armour).hits(counted(symbols)) == hits


@rule("BOW-CMB-9", "BOW-D-30")
def test_each_flag_is_one_hex() -> None:
    assert retreats(counted("MRM")) == 2


@rule("BOW-CMB-6")
def test_the_no_valour_sign() -> None:
    assert hit_rule("green", no_valour=True).hits(counted("VG")) == 1


@rule("BOW-CDR-8", "BOW-CDR-9", "BOW-OR-8", "BOW-V-24", "BOW-UNT-11", "BOW-UNT-12")
@pytest.mark.parametrize(
    ("hits", "figures", "capture", "strict", "lost", "captured"),
    [
        (2, 1, 3, False, 0, False),  # V24
        (3, 1, 3, False, 1, True),
        (3, 3, 1, False, 3, True),  # the rest of the attack counts
        (3, 3, 1, True, 2, False),
        (2, 4, 1, False, 2, False),
        (5, 4, None, False, 4, False),
        (3, 4, None, False, 3, False),
    ],
)
def test_losses_and_capture(
    hits: int, figures: int, capture: int | None, strict: bool, lost: int, captured: bool
) -> None:
    found = losses(hits, figures, capture, not strict)
    assert (found.figures, found.captured) == (lost, captured)
    assert found.eliminated == (lost == figures)


@rule("BOW-KEY-3", "BOW-V-25")
@pytest.mark.parametrize(("hits", "lost"), [(2, 0), (3, 1)])
def test_cover_and_toughness_add_up(hits: int, lost: int) -> None:
    assert effect(HexQuestion(3, GREEN, ignored=2, figures=4), hits, 0).wounds == lost


def test_the_command_prints_odds(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "odds --game westeros --target green --dice 2 --figures 2 --json".split()
    assert main(asked) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wounds"] == {"0": 0.25, "1": 0.5, "2": 0.25}
    assert (found["mean"], found["destroys"]) == (1.0, 0.25)
    assert found["hits_and_flags"]["1,1"] == pytest.approx(2 * 0.5 / 8)
    more = "odds --game westeros --target blue --rank red --cap 2 --more 1 --flank --room 0"
    assert main([*more.split(), "--figures", "1", "--capture", "1"]) == 0
    text = capsys.readouterr().out
    assert "captures" in text
    assert main("odds --game westeros --target green --hounds --toughness 1".split()) == 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"target": "gold"}, "'gold' is unknown"),
        ({}, "'target' is missing"),
        ({"target": "green", "dice": 99}, "99 is outside"),
        ({"target": "green", "wings": 1}, "unknown key 'wings'"),
    ],
)
def test_bad_questions_are_refused_in_one_line(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(CompanionError) as caught:
        GAME.odds("westeros", asked)
    assert message in str(caught.value)


@rule("BOW-OR-8")
def test_readings_are_parsed_and_written_back() -> None:
    found = GAME.settings(["leftover-hits=strict"])
    assert found.texts() == ["leftover-hits=strict"]
    for wrong in ("leftover-hits=never", "nothing=1", "leftover-hits"):
        with pytest.raises(CompanionError):
            GAME.settings([wrong])
    assert [one.number for one in GAME.switches()] == sorted(
        (one.number for one in GAME.switches()), key=lambda one: int(one.split("-")[-1])
    )
