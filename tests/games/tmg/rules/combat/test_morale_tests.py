"""Morale and panic tests in both editions: the catalogue's vectors and every roll counted."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.combat.dice import (
    PanicTest,
    morale_chance,
    panic_is_rolled,
    panic_spread,
)
from models import UnknownName

EDITIONS = ("2021", "2018")


@pytest.mark.rule("TMG-MOR-1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_ex_29_a_sum_of_8_passes_morale_6(edition: str) -> None:
    test = PanicTest(6, edition=edition)
    assert test.passes(8)
    assert test.passes(6)
    assert not test.passes(5)


@pytest.mark.rule("TMG-PAN-3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_passed_test_costs_nothing(edition: str) -> None:
    assert PanicTest(6, edition=edition).wounds(6, 3) == 0


@pytest.mark.rule("TMG-PAN-2", "TMG-PAN-4", "TMG-PAN-5")
@pytest.mark.parametrize(("edition", "wounds"), [("2021", 1), ("2018", 2)])
def test_ex_30_a_sum_of_4_fails_morale_6(edition: str, wounds: int) -> None:
    assert PanicTest(6, edition=edition).wounds(4, d3=1) == wounds


@pytest.mark.rule("TMG-PAN-2")
@pytest.mark.parametrize(
    ("edition", "wounds"), [("2021", (1, 2, 3)), ("2018", (1, 1, 1))], ids=EDITIONS
)
def test_the_d3_never_helps_to_pass(edition: str, wounds: tuple[int, int, int]) -> None:
    test = PanicTest(6, edition=edition)
    assert tuple(test.wounds(5, d3) for d3 in (1, 2, 3)) == wounds


@pytest.mark.rule("TMG-DIC-2", "TMG-PAN-4")
@pytest.mark.parametrize("total", [2, 3, 4])
@pytest.mark.parametrize(("edition", "wounds"), [("2021", 2), ("2018", 6)])
def test_ex_33_a_result_is_never_below_0(edition: str, wounds: int, total: int) -> None:
    test = PanicTest(6, -4, edition)
    assert test.result(total) == 0
    assert test.wounds(total, d3=2) == wounds


@pytest.mark.rule("TMG-MOR-1", "TMG-PAN-1")
@pytest.mark.parametrize(
    ("modifier", "passes"),
    [(0, Fraction(26, 36)), (-1, Fraction(21, 36)), (-2, Fraction(15, 36))],
    ids=["EX-86-plain", "EX-86-less-1", "EX-86-less-2"],
)
def test_ex_86_chance_to_pass_morale_6(modifier: int, passes: Fraction) -> None:
    assert morale_chance(6, modifier) == float(passes)
    for edition in EDITIONS:
        assert panic_spread(PanicTest(6, modifier, edition)).chance(0) == float(passes)


@pytest.mark.rule("TMG-ATK-15")
@pytest.mark.parametrize(
    ("wounds", "left", "rolled"),
    [
        pytest.param(0, None, False, id="EX-40-no-wound-no-roll"),
        pytest.param(1, None, True, id="one-wound"),
        pytest.param(3, 4, True, id="one-model-left"),
        pytest.param(4, 4, False, id="OR-39-destroyed"),
        pytest.param(0, 0, False, id="nobody-there"),
    ],
)
def test_who_rolls(wounds: int, left: int | None, rolled: bool) -> None:
    assert panic_is_rolled(wounds, left) is rolled


@pytest.mark.rule("TMG-PAN-2", "TMG-PAN-4", "TMG-DIC-2")
@given(st.integers(1, 13), st.integers(-14, 14), st.sampled_from(EDITIONS))
def test_every_roll_is_counted(morale: int, modifier: int, edition: str) -> None:
    expected: dict[int, Fraction] = {}
    for one, two, d3 in itertools.product(range(1, 7), range(1, 7), range(1, 4)):
        result = max(one + two + modifier, 0)
        wounds = 0
        if result < morale:
            wounds = d3 if edition == "2021" else morale - result
        expected[wounds] = expected.get(wounds, Fraction(0)) + Fraction(1, 108)
    spread = panic_spread(PanicTest(morale, modifier, edition))
    counted = {n: Fraction(w, spread.total) for n, w in enumerate(spread.weights) if w}
    assert counted == expected


def test_an_unknown_edition_is_named() -> None:
    with pytest.raises(UnknownName, match="no edition '2020'"):
        PanicTest(6, edition="2020")
