"""Odds of an attack: equal to counting every roll there is, and never surprising."""

from __future__ import annotations

import argparse
import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tmg.rules.combat.dice import (
    PanicTest,
    Spread,
    count_hits,
    panic_is_rolled,
    unblocked,
)
from companion.games.tmg.rules.combat.odds import (
    AttackOdds,
    AttackRoll,
    odds,
    odds_for,
    odds_from,
    percent,
    wounds_of_a_die,
)
from models import Attack, CompanionError, Pose, Unit, catalogue
from tests.games.tmg.sample_units import SWORD, fighter

EDITIONS = ("2021", "2018")
EVERY_ABILITY = ("critical-blow", "precision", "sundering", "vicious")
Chances = dict[int, Fraction]


def rolls(most_dice: int) -> st.SearchStrategy[AttackRoll]:
    """Any attack of so many dice at most."""
    modifiers = st.integers(-3, 3) | st.integers(-12, 12)
    return st.builds(
        AttackRoll,
        hit=st.integers(1, 7),
        dice=st.integers(0, most_dice),
        defense=st.integers(1, 7),
        morale=st.integers(1, 13),
        edition=st.sampled_from(EDITIONS),
        zone=st.sampled_from(("front", "flank", "rear")),
        ranged=st.booleans(),
        charge=st.booleans(),
        abilities=st.frozensets(st.sampled_from(EVERY_ABILITY)),
        attack_mod=modifiers,
        defense_mod=modifiers,
        morale_mod=modifiers,
        models=st.none() | st.integers(0, 9),
    )


def exact(spread: Spread) -> Chances:
    assert sum(spread.weights) == spread.total
    return {n: Fraction(w, spread.total) for n, w in enumerate(spread.weights) if w}


# -- counting every roll there is -----------------------------------------------------------


def good(face: int, need: int, modifier: int) -> bool:
    if face in (1, 6):
        return face == 6
    value = face + modifier
    return (6 if value > 6 else value) >= need


def counted(roll: AttackRoll) -> tuple[Chances, Fraction, Chances]:
    """Wounds from hits, panic rolled and failed, all wounds: every outcome of every die in turn."""
    zone = {"front": 0, "flank": -1, "rear": -2}[roll.zone]
    if roll.ranged and roll.edition == "2018":
        zone = 0
    against = roll.defense_mod + zone - ("sundering" in roll.abilities)
    nerve = roll.morale_mod + zone - 2 * ("vicious" in roll.abilities)
    ways: list[tuple[int, int]] = []
    for first in range(1, 7):
        if roll.charge and not roll.ranged and not good(first, roll.hit, roll.attack_mod):
            ways += [(second, 1) for second in range(1, 7)]
        else:
            ways.append((first, 6))
    landed: dict[tuple[int, int], int] = {}
    for throw in itertools.product(ways, repeat=roll.dice):
        hits = sure = 0
        for face, _ in throw:
            if good(face, roll.hit, roll.attack_mod):
                if face == 6 and "precision" in roll.abilities:
                    sure += 1
                else:
                    hits += 1
                if face == 6 and "critical-blow" in roll.abilities:
                    hits += 1
        weight = math.prod(times for _, times in throw)
        landed[hits, sure] = landed.get((hits, sure), 0) + weight
    from_hits: Chances = {}
    for (hits, sure), weight in landed.items():
        for blocks in itertools.product(range(1, 7), repeat=hits):
            wounds = sure + sum(not good(face, roll.defense, against) for face in blocks)
            if roll.models is not None and wounds > roll.models:
                wounds = roll.models
            share = Fraction(weight, 36**roll.dice * 6**hits)
            from_hits[wounds] = from_hits.get(wounds, Fraction(0)) + share
    fails = Fraction(0)
    total: Chances = {}
    for wounds, share in from_hits.items():
        if wounds in (0, roll.models):
            total[wounds] = total.get(wounds, Fraction(0)) + share
            continue
        for one, two, d3 in itertools.product(range(1, 7), range(1, 7), range(1, 4)):
            value = max(one + two + nerve, 0)
            lost = wounds
            if value < roll.morale:
                fails += share / 108
                lost += d3 if roll.edition == "2021" else roll.morale - value
            if roll.models is not None:
                lost = min(lost, roll.models)
            total[lost] = total.get(lost, Fraction(0)) + share / 108
    return from_hits, fails, total


def assert_counted(roll: AttackRoll) -> None:
    found = odds(roll)
    from_hits, fails, total = counted(roll)
    assert exact(found.wounds_from_hits) == from_hits
    assert exact(found.wounds) == total
    assert found.panic_fails == float(fails)
    assert found.mean == float(sum((n * share for n, share in total.items()), Fraction(0)))
    dead = Fraction(0) if roll.models is None else total.get(roll.models, Fraction(0))
    assert found.destroys == float(dead)


@pytest.mark.rule("TMG-ATK-2", "TMG-ATK-8", "TMG-ATK-9", "TMG-ATK-15", "TMG-BON-1")
@settings(max_examples=400)
@given(rolls(2))
def test_odds_are_those_of_counting_every_roll(roll: AttackRoll) -> None:
    assert_counted(roll)


@pytest.mark.parametrize("models", [None, 4])
@pytest.mark.parametrize(
    ("charge", "abilities"),
    [(False, ()), (False, EVERY_ABILITY), (True, ()), (True, ("precision", "vicious"))],
    ids=["plain", "all-abilities", "charge", "charge-precision-vicious"],
)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("TMG-ATK-2", "TMG-ATK-5", "TMG-ATK-7", "TMG-ATK-12", "TMG-ATK-14", "TMG-PAN-4")
def test_three_dice_counted(
    edition: str, charge: bool, abilities: tuple[str, ...], models: int | None
) -> None:
    roll = AttackRoll(
        4, 3, 4, 7, edition, "flank", charge=charge, abilities=frozenset(abilities), models=models
    )
    assert_counted(roll)


@pytest.mark.rule("TMG-ATK-2")
@pytest.mark.parametrize("dice", [10, 40, 100])
def test_many_dice_are_a_binomial(dice: int) -> None:
    found = odds(AttackRoll(hit=4, dice=dice, defense=5, morale=6))
    wound = Fraction(1, 2) * Fraction(4, 6)
    assert exact(found.wounds_from_hits) == {
        n: math.comb(dice, n) * wound**n * (1 - wound) ** (dice - n) for n in range(dice + 1)
    }


@pytest.mark.rule("TMG-ATK-2")
def test_every_chance_of_many_dice_survives_as_a_number() -> None:
    roll = AttackRoll(6, 100, 2, 2, charge=True, abilities=frozenset(EVERY_ABILITY))
    plain = odds(roll).to_json()["wounds_from_hits"]
    assert len(plain) == 201
    assert all(chance > 0 for chance in plain.values())
    assert math.fsum(plain.values()) == pytest.approx(1, abs=1e-12)


# -- what each word does --------------------------------------------------------------------

PLAIN = AttackRoll(hit=4, dice=7, defense=4, morale=6)


def same(roll: AttackRoll, other: AttackRoll) -> bool:
    """Whether two attacks have the same odds."""
    return odds(roll).to_json() == odds(other).to_json()


def words(*names: str) -> AttackRoll:
    return replace(PLAIN, abilities=frozenset(names))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("TMG-ABL-4", "TMG-ABL-6", "TMG-BON-3", "TMG-BON-4")
def test_ex_35_sundering_into_the_flank(edition: str) -> None:
    roll = replace(words("sundering"), edition=edition, zone="flank")
    assert roll.defense_total == -2
    assert roll.panic_test == PanicTest(6, -1, edition)
    assert same(roll, replace(PLAIN, edition=edition, defense_mod=-2, morale_mod=-1))


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4", "TMG-BON-5", "TMG-BON-6")
@pytest.mark.parametrize(
    ("edition", "zone", "ranged", "loses"),
    [
        pytest.param("2021", "rear", True, 2, id="EX-36-2021"),
        pytest.param("2018", "rear", True, 0, id="EX-36-2018"),
        ("2021", "flank", True, 1),
        ("2018", "flank", True, 0),
        ("2021", "rear", False, 2),
        ("2018", "rear", False, 2),
        ("2021", "flank", False, 1),
        ("2018", "flank", False, 1),
        ("2021", "front", False, 0),
        ("2018", "front", False, 0),
    ],
)
def test_zones(edition: str, zone: str, ranged: bool, loses: int) -> None:
    roll = replace(PLAIN, edition=edition, zone=zone, ranged=ranged)
    assert roll.defense_total == roll.panic_test.modifier == -loses
    assert same(roll, replace(PLAIN, edition=edition, defense_mod=-loses, morale_mod=-loses))


@pytest.mark.rule("TMG-ABL-1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_vicious_shakes_by_2(edition: str) -> None:
    roll = replace(words("vicious"), edition=edition)
    assert same(roll, replace(PLAIN, edition=edition, morale_mod=-2))


@pytest.mark.rule("TMG-ATK-4")
@pytest.mark.parametrize(
    ("abilities", "spread"),
    [
        pytest.param((), Spread((3, 1), 4), id="plain"),
        # 2 of 6 faces hit once and 1 hits twice; half of all hits are blocked
        pytest.param(
            ("critical-blow",), Spread((17, 6, 1), 24), marks=pytest.mark.rule("TMG-ABL-2")
        ),
        pytest.param(("precision",), Spread((2, 1), 3), marks=pytest.mark.rule("TMG-ABL-3")),
        pytest.param(
            ("critical-blow", "precision"),
            Spread((8, 3, 1), 12),
            id="OR-44-both",
            marks=pytest.mark.rule("TMG-ABL-2", "TMG-ABL-3"),
        ),
    ],
)
def test_one_die_by_hand(abilities: tuple[str, ...], spread: Spread) -> None:
    assert wounds_of_a_die(words(*abilities), rerolls=False) == spread


@pytest.mark.rule("TMG-BON-1", "TMG-ATK-5", "TMG-RER-1", "TMG-RER-3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_charge_bonus_rerolls_every_miss_once(edition: str) -> None:
    roll = replace(PLAIN, edition=edition, charge=True)
    assert wounds_of_a_die(roll, rerolls=True) == Spread((5, 3), 8)  # 3 in 4 hit, half are blocked
    # a six of the second roll counts like one of the first: (6 + 3) of 36 are sixes
    pierces = replace(roll, defense_mod=5, abilities=frozenset({"precision"}))
    assert (
        exact(wounds_of_a_die(pierces, rerolls=True))[1] == Fraction(9, 36) + Fraction(18, 36) / 6
    )


@pytest.mark.rule("TMG-BON-1")
def test_shots_have_no_charge_bonus() -> None:
    roll = replace(PLAIN, ranged=True)
    assert same(replace(roll, charge=True), roll)


@pytest.mark.rule("TMG-ATK-3", "TMG-ATK-4", "TMG-ATK-8", "TMG-ATK-9")
def test_no_modifier_beats_naturals() -> None:
    worst = AttackRoll(7, 1, 1, 6, attack_mod=-12, defense_mod=12)
    best = AttackRoll(1, 1, 7, 6, attack_mod=12, defense_mod=-12)
    assert odds(worst).wounds_from_hits == Spread((35, 1), 36)  # a 6, and a 1 against it
    assert odds(best).wounds_from_hits == Spread((11, 25), 36)  # no 1, and no 6 against it


@pytest.mark.rule("TMG-ATK-15")
@pytest.mark.parametrize("edition", EDITIONS)
def test_ex_40_no_wound_no_panic(edition: str) -> None:
    found = odds(replace(PLAIN, edition=edition, morale=13))
    quiet = found.wounds_from_hits.chance(0)
    assert found.wounds.chance(0) == quiet
    assert found.panic_fails == pytest.approx(1 - quiet, abs=1e-15)
    assert odds(replace(PLAIN, dice=0, edition=edition, morale=13)).to_json() == {
        "wounds_from_hits": {"0": 1.0},
        "panic_fails": 0.0,
        "wounds": {"0": 1.0},
        "mean": 0.0,
        "destroys": 0.0,
    }


@pytest.mark.rule("TMG-DIC-2", "TMG-PAN-4")
@pytest.mark.parametrize(("edition", "most"), [("2021", 3), ("2018", 6)])
def test_ex_33_panic_under_a_heavy_modifier(edition: str, most: int) -> None:
    found = odds(AttackRoll(4, 1, 4, 6, edition, morale_mod=-4))
    assert len(found.wounds.weights) - 1 == 1 + most


@pytest.mark.rule("TMG-ATK-12", "TMG-PAN-4")
@pytest.mark.parametrize(("edition", "models", "ranks"), [("2021", 9, 3), ("2018", 8, 2)])
def test_ex_31_and_32_a_whole_attack(edition: str, models: int, ranks: int) -> None:
    swords = unit("infantry")
    landed = count_hits((6, 5, 4, 4, 2, 1), need=4)
    wounds = landed.sure_wounds + unblocked((6, 4, 3, 1), need=swords.defense)
    assert (landed.hits, wounds) == (4, 2)
    assert panic_is_rolled(wounds, swords.models)
    wounds += PanicTest(swords.morale, edition=edition).wounds(4, d3=1)
    left = replace(swords, models=swords.models - wounds)
    assert (left.models, left.ranks) == (models, ranks)


# -- properties -----------------------------------------------------------------------------


def assert_no_worse(better: AttackOdds, worse: AttackOdds) -> None:
    """At least so many wounds are never less likely for the better attack."""
    for number in range(len(worse.wounds.weights)):
        share = Fraction(sum(better.wounds.weights[number:]), better.wounds.total)
        assert share >= Fraction(sum(worse.wounds.weights[number:]), worse.wounds.total)


@pytest.mark.rule("TMG-ATK-2")
@given(rolls(12))
def test_chances_add_up(roll: AttackRoll) -> None:
    found = odds(roll)
    for spread in (found.wounds_from_hits, found.wounds):
        assert sum(spread.weights) == spread.total
        assert min(spread.weights) >= 0
        assert spread.weights[-1] > 0
    assert 0 <= found.panic_fails <= 1 - found.wounds_from_hits.chance(0) + 1e-15
    assert found.mean >= found.wounds_from_hits.mean - 1e-12


@pytest.mark.rule("TMG-ATK-2")
@given(rolls(8))
def test_more_is_never_worse(roll: AttackRoll) -> None:
    found = odds(roll)
    assert_no_worse(odds(replace(roll, dice=roll.dice + 1)), found)
    assert_no_worse(odds(replace(roll, defense=min(7, roll.defense + 1))), found)
    assert_no_worse(odds(replace(roll, defense_mod=roll.defense_mod - 1)), found)
    assert_no_worse(odds(replace(roll, morale_mod=roll.morale_mod - 1)), found)
    assert_no_worse(odds(replace(roll, charge=True)), odds(replace(roll, charge=False)))
    for name in EVERY_ABILITY:
        assert_no_worse(odds(replace(roll, abilities=roll.abilities | {name})), found)


@pytest.mark.rule("TMG-ATK-2")
@given(rolls(8).map(lambda roll: replace(roll, charge=False)))
def test_a_better_aim_is_never_worse(roll: AttackRoll) -> None:
    assert_no_worse(odds(replace(roll, attack_mod=roll.attack_mod + 1)), odds(roll))
    assert_no_worse(odds(replace(roll, hit=max(1, roll.hit - 1))), odds(roll))


@pytest.mark.rule("TMG-ATK-13")
@given(rolls(8), st.integers(0, 12))
def test_models_only_gather_the_tail(roll: AttackRoll, models: int) -> None:
    free, capped = odds(replace(roll, models=None)), odds(replace(roll, models=models))
    for whole, part in (
        (free.wounds, capped.wounds),
        (free.wounds_from_hits, capped.wounds_from_hits),
    ):
        assert exact(part) == exact(whole.capped(models))
    assert capped.destroys == free.wounds.at_least(models)
    assert capped.panic_fails <= free.panic_fails


# -- two units on a table -------------------------------------------------------------------


def unit(
    tray: str, models: int | None = None, wounds: int = 0, defense: int = 4, morale: int = 6
) -> Unit:
    known = catalogue("tmg-2021").trays[tray]
    count = known.models if models is None else models
    return Unit("u", "red", "u", known, Pose(10, 10, 0), 5, defense, morale, count, wounds)


BITE = Attack("Winter's Bite", "melee", 4, (7, 5, 4), ("Critical Blow", "Winter's Bite"))
BOW = Attack("Bow", "long", 3, (6, 5, 4))
ROLL = AttackRoll(4, 7, 3, 7, abilities=frozenset({"critical-blow"}), models=12)
"""BITE against the defender of the tests below, straight from the front."""


def against(attack: Attack = BITE, edition: str = "2021", **asked: Any) -> AttackRoll:
    """The dice of an attack by a full infantry unit on another."""
    defender = unit("infantry", defense=3, morale=7)
    return odds_for(unit("infantry"), attack, defender, edition=edition, **asked).roll


@pytest.mark.rule("TMG-ATK-1", "TMG-CARD-4")
@pytest.mark.parametrize(("models", "dice"), [(12, 7), (9, 7), (8, 5), (4, 4), (1, 4)])
def test_dice_fall_with_the_ranks(models: int, dice: int) -> None:
    defender = unit("infantry", defense=3, morale=7)
    found = odds_for(unit("infantry", models), BITE, defender, edition="2021")
    assert found.roll == replace(ROLL, dice=dice)
    assert found.to_json() == odds(replace(ROLL, dice=dice)).to_json()


@pytest.mark.rule("TMG-BON-3", "TMG-BON-5")
@pytest.mark.parametrize(
    ("arc", "zone"), [("front", "front"), ("left", "flank"), ("right", "flank"), ("rear", "rear")]
)
def test_arcs_are_zones(arc: str, zone: str) -> None:
    assert against(zone=arc) == replace(ROLL, zone=zone)


@pytest.mark.rule("TMG-BON-3", "TMG-BON-5")
def test_an_unsure_arc_is_no_zone() -> None:
    with pytest.raises(
        CompanionError, match="zone: 'unsure' is unknown; known: flank, front, rear"
    ):
        against(zone="unsure")


@pytest.mark.parametrize(
    ("edition", "asked", "expected"),
    [
        ("2021", {"charge": True}, {"charge": True}),
        ("2021", {"charge": True, "needs": 2}, {"charge": True}),
        ("2021", {"charge": True, "needs": 1}, {"charge": True, "orderly": Fraction(5, 6)}),
        (
            "2018",
            {"charge": True, "needs": 1, "effects": ["hindering"]},
            {"charge": True, "orderly": Fraction(16, 36)},
        ),
        (
            "2018",
            {"charge": True, "needs": 2, "effects": ["hindering"]},
            {"charge": True, "orderly": Fraction(16, 25)},
        ),
        ("2021", {"charge": True, "effects": ["hindering"]}, {}),
        ("2018", {"charge": True, "effects": ["hindering"]}, {"charge": True}),
        ("2021", {"charge": True, "effects": ["fortified"]}, {"charge": True, "defense_mod": 1}),
        ("2018", {"charge": True, "effects": ["fortified"]}, {"charge": True, "defense_mod": 1}),
        ("2021", {"charge": True, "effects": ["fortified", "hindering"]}, {"defense_mod": 1}),
        ("2021", {"effects": ["fortified", "hindering"]}, {}),
        ("2021", {"charge": True, "effects": ["cover", "rough"]}, {"charge": True}),
        ("2018", {"charge": True, "effects": ["cover", "rough"]}, {"charge": True}),
        ("2021", {"near": ["inspiring"]}, {"morale_mod": 1}),
        ("2018", {"near": ["horrific", "horrific"]}, {"morale_mod": -1}),
        ("2021", {"near": ["horrific", "inspiring"], "morale_mod": 2}, {"morale_mod": 2}),
        ("2021", {"attack_mod": 1, "defense_mod": -1}, {"attack_mod": 1, "defense_mod": -1}),
    ],
)
@pytest.mark.rule("TMG-CHG-25", "TMG-TER-14")
def test_what_lies_in_the_way_of_a_charge(
    edition: str, asked: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert against(edition=edition, **asked) == replace(ROLL, edition=edition, **expected)


@pytest.mark.rule("TMG-CHG-16", "TMG-CHG-25")
def test_a_charge_that_cannot_fail_counts_the_roll_that_is_disorderly() -> None:
    charge = replace(ROLL, charge=True)
    found = odds(replace(charge, orderly=Fraction(5, 6)))
    for name in ("mean", "panic_fails", "destroys"):
        sure, without = getattr(odds(charge), name), getattr(odds(ROLL), name)
        assert getattr(found, name) == pytest.approx((5 * sure + without) / 6), name


@pytest.mark.rule("TMG-TER-6")
@pytest.mark.parametrize(("edition", "harder"), [("2021", 0), ("2018", 1)])
def test_cover_from_shots(edition: str, harder: int) -> None:
    roll = AttackRoll(3, 6, 3, 7, edition, ranged=True, defense_mod=harder, models=12)
    assert against(BOW, edition, effects=["cover", "fortified"]) == roll
    assert against(BOW, edition, effects=["cover"], charge=True) == roll


@pytest.mark.rule("TMG-WND-2")
@pytest.mark.parametrize(
    ("defender", "each", "left"),
    [
        (unit("infantry", 5), None, 5),
        (unit("cavalry", 3, 1), None, None),
        (unit("cavalry", 3, 1), 3, 8),
        (unit("solo", 1, 2), 6, 4),
        (unit("infantry", 0), None, 0),
        (unit("infantry", 1, 4), None, 0),
    ],
    ids=["infantry", "cavalry-untold", "cavalry", "solo", "nobody", "more-wounds-than-models"],
)
def test_wounds_left(defender: Unit, each: int | None, left: int | None) -> None:
    found = odds_for(unit("infantry"), BITE, defender, edition="2021", wounds_each=each)
    assert found.roll.models == left


# -- what a player asks ---------------------------------------------------------------------

ASKED = {"hit": 4, "dice": 7, "defense": 4, "morale": 6}


def ask(**fields: object) -> AttackOdds:
    return odds_from(argparse.Namespace(**{**ASKED, **fields}))


@pytest.mark.rule("TMG-ATK-2")
def test_only_the_numbers_are_needed() -> None:
    assert ask().roll == PLAIN
    names = ("edition", "zone", "charge", "abilities", "attack_mod", "models")
    assert ask(**dict.fromkeys(names)).roll == PLAIN


@pytest.mark.rule("TMG-ATK-2")
def test_every_flag_arrives() -> None:
    found = ask(
        edition="2018",
        zone="rear",
        charge=True,
        abilities="sundering, Critical Blow",
        attack_mod=-1,
        defense_mod="+2",
        morale_mod=-3,
        models=12,
    )
    abilities = frozenset({"sundering", "critical-blow"})
    assert found.roll == AttackRoll(
        4, 7, 4, 6, "2018", "rear", False, True, abilities, -1, 2, -3, 12
    )


@pytest.mark.parametrize(
    "abilities", ["sundering,vicious", ["vicious", "sundering"], ["sundering,", "vicious,vicious"]]
)
@pytest.mark.rule("TMG-ABL-5")
def test_abilities_count_once_however_they_come(abilities: object) -> None:
    found = ask(abilities=abilities)
    assert found.roll == words("sundering", "vicious")
    assert (found.roll.defense_total, found.roll.panic_test.modifier) == (-1, -2)


@pytest.mark.rule("TMG-PAN-4")
def test_the_game_may_name_the_edition() -> None:
    assert odds_from(argparse.Namespace(**ASKED), "tmg-2018").roll.edition == "2018"


@pytest.mark.rule("TMG-ATK-2")
def test_the_contract() -> None:
    plain = ask(models=3).to_json()
    assert list(plain) == ["wounds_from_hits", "panic_fails", "wounds", "mean", "destroys"]
    assert list(plain["wounds"]) == list(plain["wounds_from_hits"]) == ["0", "1", "2", "3"]
    assert json.loads(json.dumps(plain)) == plain
    assert plain["destroys"] == plain["wounds"]["3"]
    assert ask().to_json()["destroys"] == 0


@pytest.mark.rule("TMG-ATK-2")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hit": 0}, "--hit: 0 is outside 1 to 7"),
        ({"hit": 8}, "--hit: 8 is outside 1 to 7"),
        ({"hit": None}, "--hit: is missing"),
        ({"hit": "4+"}, "--hit: '4+' is not a whole number"),
        ({"hit": 3.5}, "--hit: 3.5 is not a whole number"),
        ({"hit": True}, "--hit: True is not a number"),
        ({"hit": math.nan}, "--hit: nan is not a finite number"),
        ({"dice": -1}, "--dice: -1 is outside 0 to 100"),
        ({"dice": "101"}, "--dice: 101 is outside 0 to 100"),
        ({"dice": "9" * 5000}, "--dice: '99999"),
        ({"defense": 9}, "--defense: 9 is outside 1 to 7"),
        ({"morale": 14}, "--morale: 14 is outside 1 to 13"),
        ({"attack_mod": 13}, "--attack-mod: 13 is outside -12 to 12"),
        ({"defense_mod": -13}, "--defense-mod: -13 is outside -12 to 12"),
        ({"morale_mod": "x"}, "--morale-mod: 'x' is not a whole number"),
        ({"models": -1}, "--models: -1 is outside 0 to 200"),
        ({"edition": "2020"}, "--edition: '2020' is unknown; known: 2018, 2021"),
        ({"zone": "left"}, "--zone: 'left' is unknown; known: flank, front, rear"),
        ({"charge": "yes"}, "--charge: 'yes' is neither true nor false"),
        (
            {"charge": True, "ranged": True},
            "--charge: a ranged attack has no charge bonus (TMG-BON-1)",
        ),
        (
            {"abilities": "sundering,fury"},
            "--abilities: 'fury' is unknown; known: critical-blow, precision, sundering, vicious",
        ),
        ({"abilities": [3]}, "--abilities: 3 is not a text"),
        ({"abilities": 3}, "--abilities: 3 is not a list"),
    ],
)
def test_what_cannot_be_is_refused_by_its_flag(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(CompanionError) as refused:
        ask(**wrong)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.rule("TMG-ATK-2")
@pytest.mark.parametrize(
    ("chance", "shown"),
    [(0.0, "0%"), (1e-9, "<1%"), (0.25, "25%"), (0.999, ">99%"), (1.0, "100%")],
)
def test_the_possible_is_never_rounded_away(chance: float, shown: str) -> None:
    assert percent(chance) == shown


@pytest.mark.rule("TMG-ATK-1")
def test_the_text_says_what_was_asked() -> None:
    found = odds(AttackRoll(hit=4, dice=1, defense=4, morale=2, models=1))
    assert found.line() == "0.2 wounds, panic fails 0%, destroys 25%"
    assert odds(AttackRoll(4, 1, 4, 2)).line() == "0.2 wounds, panic fails 0%"
    table = [line.split() for line in found.text().splitlines()[1:]]
    assert table == [
        ["wounds", "exactly", "at", "least"],
        ["0", "75%", "100%"],
        ["1", "25%", "25%"],
    ]


@pytest.mark.rule("TMG-WND-2")
def test_what_destroys_cavalry_is_known_only_with_its_wounds() -> None:
    """How many wounds a rider bears is on its card, which a table does not hold."""
    riders, foot = fighter("r1", 24, 20, tray="cavalry"), fighter("r1", 24, 20, tray="infantry")
    for defender, known in ((riders, False), (foot, True)):
        found = odds_for(fighter("b1", 24, 10), SWORD, defender, edition="2021")
        assert found.left_known == known
        assert ("destroys" in found.line()) == known
    told = odds_for(fighter("b1", 24, 10), SWORD, riders, edition="2021", wounds_each=3)
    assert told.left_known
