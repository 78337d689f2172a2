"""Faces, modifiers, abilities and charge dice: the catalogue's vectors, and spreads that add up."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.combat import dice
from companion.games.tmg.rules.combat.dice import ChargeRoll, Hits, Modifier, Spread
from models import Attack, CompanionError, UnknownName

EDITIONS = ("2021", "2018")
FACES = range(1, 7)

spreads = st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any).map(Spread.of)
"""Small spreads with gaps and impossible ends."""


# -- one die --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ATK-2", "TMG-ATK-7")
@pytest.mark.parametrize("need", [2, 3, 4, 5, 6])
def test_a_die_must_reach_its_value(need: int) -> None:
    assert [face for face in FACES if dice.succeeds(face, need)] == list(range(need, 7))


@pytest.mark.rule("TMG-DIC-1")
@pytest.mark.parametrize(
    ("face", "need", "modifier", "succeeds"),
    [
        pytest.param(
            6, 4, -3, True, id="EX-39-natural-6-hits", marks=pytest.mark.rule("TMG-ATK-4")
        ),
        pytest.param(1, 4, -3, False, id="EX-39-natural-1", marks=pytest.mark.rule("TMG-ATK-3")),
        pytest.param(1, 2, +5, False, id="natural-1-misses", marks=pytest.mark.rule("TMG-ATK-3")),
        pytest.param(1, 1, 0, False, id="natural-1-at-1+", marks=pytest.mark.rule("TMG-ATK-9")),
        pytest.param(6, 4, -2, True, id="EX-38-natural-6", marks=pytest.mark.rule("TMG-ATK-8")),
        pytest.param(5, 4, -2, False, id="EX-38-a-5-is-a-3", marks=pytest.mark.rule("TMG-DIC-1")),
        pytest.param(1, 4, -2, False, id="EX-38-natural-1", marks=pytest.mark.rule("TMG-ATK-9")),
        pytest.param(6, 7, -12, True, id="natural-6-at-7+", marks=pytest.mark.rule("TMG-ATK-8")),
        pytest.param(5, 7, +2, False, id="no-5-becomes-a-7", marks=pytest.mark.rule("TMG-DIC-3")),
        pytest.param(5, 6, +2, True, id="a-5-becomes-a-6", marks=pytest.mark.rule("TMG-DIC-3")),
        pytest.param(2, 4, +2, True, id="a-2-becomes-a-4"),
    ],
)
def test_naturals_and_modifiers(face: int, need: int, modifier: int, succeeds: bool) -> None:
    assert dice.succeeds(face, need, modifier) is succeeds


@pytest.mark.rule("TMG-DIC-2", "TMG-DIC-3")
@given(st.integers(1, 6), st.integers(-20, 20))
def test_one_result_stays_between_0_and_6(face: int, modifier: int) -> None:
    assert dice.result(face, modifier) == sorted((0, face + modifier, 6))[1]


@pytest.mark.rule("TMG-DIC-2")
@pytest.mark.parametrize(("total", "result"), [(3, 0), (7, 3)], ids=["EX-34-3", "EX-34-7"])
def test_a_sum_never_falls_below_0(total: int, result: int) -> None:
    assert dice.total_result(total, -4) == result


@pytest.mark.rule("TMG-DIC-2")
def test_a_sum_may_rise_above_6() -> None:
    assert dice.total_result(11, 3) == 14


@pytest.mark.rule("TMG-ABL-5")
@pytest.mark.parametrize(
    ("modifiers", "total"),
    [
        pytest.param(
            [Modifier("unyielding", 2), Modifier("unyielding", 2)],
            2,
            id="EX-37-one-name",
            marks=pytest.mark.rule("TMG-ABL-5"),
        ),
        pytest.param(
            [Modifier("sundering", -1), Modifier("flank", -1)],
            -2,
            id="EX-35-two-names",
            marks=pytest.mark.rule("TMG-ABL-6"),
        ),
        pytest.param([], 0, id="none"),
    ],
)
def test_stacking(modifiers: list[Modifier], total: int) -> None:
    assert dice.stacked(modifiers) == total


# -- attack dice ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-ATK-4")
@pytest.mark.parametrize(
    ("faces", "abilities", "modifier", "expected"),
    [
        pytest.param((6, 5, 4, 4, 3, 1), (), 0, Hits(4), id="EX-31-plain"),
        pytest.param(
            (6, 6, 4, 1), ("critical-blow",), 0, Hits(5), marks=pytest.mark.rule("TMG-ABL-2")
        ),
        pytest.param(
            (6, 6, 4, 1), ("precision",), 0, Hits(1, 2), marks=pytest.mark.rule("TMG-ABL-3")
        ),
        pytest.param(
            (6, 6, 4, 1),
            ("critical-blow", "precision"),
            0,
            Hits(3, 2),
            id="OR-44-both",
            marks=pytest.mark.rule("TMG-ABL-2", "TMG-ABL-3"),
        ),
        pytest.param(
            (5, 5),
            ("critical-blow", "precision"),
            1,
            Hits(2),
            id="a-5-made-a-6-is-no-natural-6",
            marks=pytest.mark.rule("TMG-DIC-1"),
        ),
        pytest.param(
            (6,),
            ("critical-blow",),
            -3,
            Hits(2),
            id="a-6-made-a-3-is-a-natural-6",
            marks=pytest.mark.rule("TMG-DIC-1"),
        ),
        pytest.param((6, 6), ("sundering", "vicious"), 0, Hits(2), id="others-leave-hits-alone"),
    ],
)
def test_hits(
    faces: tuple[int, ...], abilities: tuple[str, ...], modifier: int, expected: Hits
) -> None:
    assert dice.count_hits(faces, 4, modifier, abilities) == expected


@pytest.mark.rule("TMG-GLO-20", "TMG-ATK-7", "TMG-ATK-12")
def test_ex_31_two_of_four_hits_wound() -> None:
    landed = dice.count_hits((6, 5, 4, 4, 3, 1), 4)
    assert landed == Hits(4)
    assert dice.unblocked((5, 4, 3, 2), 4) == 2


@pytest.mark.rule("TMG-BON-1")
@pytest.mark.parametrize(
    ("edition", "places"), [("2021", (0, 1, 2, 3)), ("2018", (2, 3))], ids=EDITIONS
)
def test_ex_41_what_the_charge_bonus_may_reroll(edition: str, places: tuple[int, ...]) -> None:
    assert dice.may_reroll((6, 5, 2, 1), 4, edition) == places


@pytest.mark.rule("TMG-BON-1")
def test_a_hit_by_modifier_is_no_miss() -> None:
    assert dice.may_reroll((3, 2), 4, "2018", modifier=1) == (1,)


@pytest.mark.rule("TMG-CHG-11")
@pytest.mark.parametrize(
    ("ranks_lost", "highest", "lowest", "count"),
    [
        pytest.param(0, True, True, 4, id="EX-85-2021", marks=pytest.mark.rule("TMG-DIC-4")),
        pytest.param(2, True, False, 7, id="highest"),
        pytest.param(0, False, True, 4, id="lowest"),
        pytest.param(0, False, False, 7, id="full", marks=pytest.mark.rule("TMG-ATK-1")),
        pytest.param(2, False, False, 4, id="last-rank", marks=pytest.mark.rule("TMG-ATK-1")),
    ],
)
def test_how_many_dice(ranks_lost: int, highest: bool, lowest: bool, count: int) -> None:
    halberd = Attack("Halberd", "melee", 4, (7, 7, 4))
    assert dice.attack_dice(halberd, ranks_lost, highest=highest, lowest=lowest) == count


@pytest.mark.rule("TMG-ATK-1")
def test_dice_may_rise_as_ranks_fall() -> None:
    swings = Attack("Frenzied Swings", "melee", 4, (6, 7, 8))
    assert dice.attack_dice(swings, 0, highest=True) == 8
    assert dice.attack_dice(swings, 2, lowest=True) == 6


@pytest.mark.rule("TMG-CARD-7")
@pytest.mark.parametrize("written", ["Critical Blow", "critical_blow", " critical-blow "])
def test_abilities_are_known_however_they_are_written(written: str) -> None:
    assert dice.ability_word(written) in dice.ABILITIES


# -- the charge die -------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-15")
@pytest.mark.parametrize(
    ("distance", "speed", "need"),
    [
        pytest.param(8.0, 5, 3, id="EX-13", marks=pytest.mark.rule("TMG-CHG-11")),
        pytest.param(6.0, 5, 1, id="EX-16"),
        pytest.param(2.0, 5, 1, id="any-roll"),
        pytest.param(10.0, 4, 6, id="EX-17-legal"),
        pytest.param(10.1, 4, None, id="EX-17-too-far"),
        pytest.param(10.5 + 1, 5, None, id="EX-18-rough"),
        pytest.param(8.0 + 4e-7, 5, 3, id="as-near-as-makes-no-difference"),
        pytest.param(8.01, 5, 4, id="just-beyond"),
    ],
)
def test_needed_roll(distance: float, speed: int, need: int | None) -> None:
    assert dice.needed_roll(distance, speed) == need


@pytest.mark.rule("TMG-CHG-15")
@pytest.mark.parametrize(
    ("edition", "faces", "distance", "hindering", "expected"),
    [
        *(
            pytest.param(edition, *case.values, id=f"{case.id}-{edition}", marks=case.marks)
            for edition in EDITIONS
            for case in (
                pytest.param(
                    (3,), 8, False, ChargeRoll(3, 8, True, False, True), id="EX-13-arrives"
                ),
                pytest.param(
                    (2,),
                    8,
                    False,
                    ChargeRoll(2, 7, False, False, True),
                    id="EX-14-too-short",
                    marks=pytest.mark.rule("TMG-CHG-11", "TMG-CHG-15"),
                ),
                pytest.param(
                    (1,),
                    8,
                    False,
                    ChargeRoll(1, 6, False, True, False),
                    id="EX-15-failed-and-disorderly",
                    marks=pytest.mark.rule("TMG-CHG-15", "TMG-CHG-16"),
                ),
                pytest.param(
                    (1,),
                    6,
                    False,
                    ChargeRoll(1, 6, True, True, False),
                    id="EX-16-disorderly",
                    marks=pytest.mark.rule("TMG-CHG-16", "TMG-CHG-25"),
                ),
            )
        ),
        pytest.param(
            "2021",
            (5,),
            8,
            True,
            ChargeRoll(5, 10, True, False, False),
            id="EX-19-2021",
            marks=pytest.mark.rule("TMG-TER-14"),
        ),
        pytest.param(
            "2018",
            (2, 5),
            8,
            True,
            ChargeRoll(2, 7, False, True, False),
            id="EX-19-2018",
            marks=pytest.mark.rule("TMG-TER-14", "TMG-CHG-16"),
        ),
        pytest.param(
            "2021",
            (2,),
            7,
            True,
            ChargeRoll(2, 7, True, False, False),
            id="EX-20-2021",
            marks=pytest.mark.rule("TMG-TER-14", "TMG-CHG-16"),
        ),
        pytest.param(
            "2018",
            (2, 6),
            7,
            True,
            ChargeRoll(2, 7, True, True, False),
            id="EX-20-2018",
            marks=pytest.mark.rule("TMG-TER-14"),
        ),
        pytest.param(
            "2018",
            (6, 3),
            7,
            True,
            ChargeRoll(3, 8, True, False, True),
            id="hindered-but-orderly-2018",
            marks=pytest.mark.rule("TMG-TER-14"),
        ),
    ],
)
def test_rolled_charges(
    edition: str, faces: tuple[int, ...], distance: float, hindering: bool, expected: ChargeRoll
) -> None:
    rolled = dice.roll_charge(faces, distance, 5, edition, hindering)
    assert rolled == expected
    assert rolled.bonus == (rolled.success and rolled.kept), "no bonus without contact"


@pytest.mark.rule("TMG-CHG-11")
@pytest.mark.parametrize(
    ("edition", "faces", "hindering"),
    [("2021", (2, 5), True), ("2018", (2,), True), ("2018", (), False), ("2021", (7,), False)],
)
def test_a_charge_of_the_wrong_dice_is_refused(
    edition: str, faces: tuple[int, ...], hindering: bool
) -> None:
    with pytest.raises(CompanionError, match=r"a charge rolls \d D6, not \["):
        dice.roll_charge(faces, 8, 5, edition, hindering)


@pytest.mark.rule("TMG-CHG-11", "TMG-TER-14")
@pytest.mark.parametrize(
    ("edition", "hindering", "chance"),
    [
        ("2021", False, Fraction(4, 6)),
        ("2021", True, Fraction(4, 6)),
        ("2018", False, Fraction(4, 6)),
        ("2018", True, Fraction(16, 36)),
    ],
)
def test_ex_87_charge_that_needs_3(edition: str, hindering: bool, chance: Fraction) -> None:
    assert dice.charge_chance(3, edition, hindering) == float(chance)


@pytest.mark.rule("TMG-CHG-11")
@pytest.mark.parametrize("hindering", [False, True])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("distance", [3.0, 6.5, 8.0, 9.2, 11.0, 11.5])
def test_charge_chances_count_the_rolls_that_arrive(
    distance: float, edition: str, hindering: bool
) -> None:
    rolls = list(itertools.product(FACES, repeat=dice.charge_dice(edition, hindering)))
    arrive = sum(dice.roll_charge(r, distance, 5, edition, hindering).success for r in rolls)
    chance = dice.charge_chance(dice.needed_roll(distance, 5), edition, hindering)
    assert chance == pytest.approx(arrive / len(rolls), abs=1e-15)


def test_an_unknown_edition_is_named() -> None:
    with pytest.raises(UnknownName, match="no edition '1999'; there are: 2018, 2021"):
        dice.charge_chance(3, "1999")


# -- spreads --------------------------------------------------------------------------------


def counted(spread: Spread) -> dict[int, Fraction]:
    return {n: Fraction(w, spread.total) for n, w in enumerate(spread.weights) if w}


@pytest.mark.rule("TMG-ATK-2")
@given(spreads, spreads)
def test_plus_is_every_pair(one: Spread, other: Spread) -> None:
    pairs: dict[int, Fraction] = {}
    for (a, v), (b, w) in itertools.product(counted(one).items(), counted(other).items()):
        pairs[a + b] = pairs.get(a + b, Fraction(0)) + v * w
    assert counted(one.plus(other)) == pairs


@pytest.mark.rule("TMG-ATK-2")
@given(spreads, st.integers(0, 12))
def test_times_is_plus_again_and_again(one: Spread, count: int) -> None:
    added = Spread((1,), 1)
    for _ in range(count):
        added = added.plus(one)
    assert one.times(count) == added


@pytest.mark.rule("TMG-ATK-2")
@given(spreads, st.integers(0, 6))
def test_capping_moves_the_tail_onto_the_highest(spread: Spread, highest: int) -> None:
    capped = spread.capped(highest)
    assert sum(capped.weights) == capped.total == spread.total
    assert len(capped.weights) <= highest + 1
    for number in range(highest + 1):
        assert capped.at_least(number) == spread.at_least(number)


@pytest.mark.rule("TMG-ATK-2")
@given(st.lists(st.tuples(st.integers(0, 9), spreads), min_size=1).filter(lambda p: any(dict(p))))
def test_mixing_keeps_every_share(parts: list[tuple[int, Spread]]) -> None:
    whole = sum(weight for weight, _ in parts)
    expected: dict[int, Fraction] = {}
    for weight, spread in parts:
        for number, chance in counted(spread).items():
            share = expected.get(number, Fraction(0)) + Fraction(weight, whole) * chance
            expected[number] = share
    mixed = Spread.mixed(parts)
    assert counted(mixed) == {number: share for number, share in expected.items() if share}


@pytest.mark.rule("TMG-ATK-2")
def test_two_dice() -> None:
    assert dice.TWO_D6.weights == (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    assert dice.TWO_D6.mean == 7
    assert dice.TWO_D6.at_least(-3) == 1
    assert dice.TWO_D6.chance(13) == dice.TWO_D6.chance(-1) == 0
    assert dice.D3.to_json() == {"0": 0.0, "1": 1 / 3, "2": 1 / 3, "3": 1 / 3}
