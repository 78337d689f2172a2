"""A refreshed report is the report of the new table, whatever moved."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.tables import battle
from companion.games.tmg.survey import Survey
from models import Objective, Pose, Sigma, Table, Tray, Unit
from tests.games.tmg.pieces import block
from tests.reference.tables import random_table


def stepped(unit: Unit, dice: random.Random, far: float) -> Unit:
    pose = unit.pose
    return unit.at(
        replace(
            pose,
            x=pose.x + dice.gauss(0, far),
            y=pose.y + dice.gauss(0, far),
            heading=(pose.heading + dice.gauss(0, 10 * far)) % 360,
        )
    )


def blurred(table: Table, dice: random.Random) -> Table:
    """The same table as a camera would know it."""
    units = tuple(
        unit.at(replace(unit.pose, sigma=Sigma(dice.uniform(0, 0.06), dice.uniform(0, 0.4))))
        for unit in table.units
    )
    return replace(table, units=units)


def plain(survey: Survey) -> dict[str, Any]:
    return survey.report.plain("table")


def same(one: Any, two: Any) -> bool:
    """Equal but for what the last digit of a printed number may differ by."""
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, float) and isinstance(two, float):
        return one == pytest.approx(two, abs=2e-3)
    return bool(one == two)


@pytest.mark.rule("TMG-LOS-3", "TMG-LOS-5", "TMG-CHG-2", "TMG-CHG-9", "TMG-RNG-7")
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 100_000), st.booleans(), st.sampled_from((0.1, 0.5, 4.0)))
def test_a_refreshed_report_is_a_fresh_one(seed: int, measured: bool, far: float) -> None:
    dice = random.Random(seed)
    table = random_table(seed)
    if measured:
        table = blurred(table, dice)
    survey = Survey.of(table)
    for _ in range(3):
        unit = dice.choice(table.units)
        table = table.moved(unit.id, stepped(unit, dice, far).pose)
        survey = survey.after(table)
        assert same(plain(survey), plain(Survey.of(table)))


@pytest.mark.rule("TMG-LOS-3", "TMG-LOS-5", "TMG-CHG-2", "TMG-CHG-9", "TMG-RNG-7")
@pytest.mark.parametrize("game", ["tmg-2021", "tmg-2018"])
@pytest.mark.parametrize("seed", range(8))
def test_on_crowded_tables_nothing_that_is_told_differs(seed: int, game: str) -> None:
    """To the last printed digit, whoever moved how far, alone or two at once."""
    dice = random.Random(seed)
    table = battle(
        per_side=dice.choice((6, 10)), pieces=dice.choice((0, 6, 9)), seed=seed, game=game
    )
    if seed % 2:
        table = blurred(table, dice)
    survey = Survey.of(table)
    for _ in range(3):
        for unit in dice.sample(table.units, dice.choice((1, 1, 2))):
            pose = stepped(unit, dice, dice.choice((0.1, 1.0, 6.0))).pose
            table = table.moved(unit.id, beside(unit, table, dice) if dice.random() < 0.3 else pose)
        survey = survey.after(table)
        assert survey.report.plain("", whole=False) == Survey.of(table).report.plain(
            "", whole=False
        )


@pytest.mark.rule("TMG-LOS-3", "TMG-LOS-5", "TMG-CHG-2", "TMG-CHG-9", "TMG-RNG-7")
@pytest.mark.parametrize("seed", [9, 17])
def test_after_many_moves_nothing_that_is_told_differs(seed: int) -> None:
    """Measured tables: what hides by terrain's help, and who closes an edge by touching it."""
    dice = random.Random(seed)
    size, pieces = dice.choice((6, 10)), dice.choice((0, 6, 9))
    game = dice.choice(("tmg-2021", "tmg-2018"))
    table = blurred(battle(per_side=size, pieces=pieces, seed=seed, game=game), dice)
    survey = Survey.of(table)
    for _ in range(5):
        for chosen in dice.sample(table.units, dice.choice((1, 1, 2))):
            unit = table.unit(chosen.id)
            pose = stepped(unit, dice, dice.choice((0.1, 0.5, 1.0, 4.0, 6.0))).pose
            table = table.moved(unit.id, beside(unit, table, dice) if dice.random() < 0.3 else pose)
        survey = survey.after(table)
        assert survey.report.plain("", whole=False) == Survey.of(table).report.plain(
            "", whole=False
        )


def beside(unit: Unit, table: Table, dice: random.Random) -> Pose:
    """The unit before somebody's front, in contact or nearly."""
    other = dice.choice([other for other in table.units if other.id != unit.id])
    away = (other.tray.depth + unit.tray.depth) / 2 + dice.choice((0.0, 0.01, 0.5, 1.0))
    x, y = other.pose.ahead(away)
    return replace(unit.pose, x=x, y=y, heading=(other.pose.heading + 180) % 360)


def around() -> Table:
    """A unit before a broad one: something in the middle, and two more to the left."""
    units = [block("a", 20, 20), replace(block("b", 20, 30, 270, "red"), tray=Tray("", 16.0, 3.0))]
    others = ("c", 16.5, 24.5, 3.0), ("d", 15.8, 26.3, 3.6), ("e", 20.6, 25.0, 2.0)
    for name, x, y, wide in others:
        units.append(replace(block(name, x, y, 270, "red"), tray=Tray("", wide, 1.0)))
    return Table("tmg-2021", 48, 48, tuple(replace(unit, speed=6) for unit in units), ())


@pytest.mark.rule("TMG-CHG-13")
def test_who_did_not_decide_a_way_may_go_but_not_one_after_the_other() -> None:
    """Each of two stands in the shorter way: it opens when both are gone."""
    table, pair = around(), (0, 1)
    survey = Survey.of(table)
    found = survey.facts.run[pair]
    for first, second in (("c", "d"), ("d", "c")):
        one = table.moved(first, Pose(40, 40, 0))
        kept = survey.after(one)
        assert kept.facts.run[pair] is found
        two = one.moved(second, Pose(40, 10, 0))
        opened = kept.after(two)
        assert opened.facts.run[pair] == Survey.of(two).facts.run[pair] != found
        # one of them that comes back is enough
        back = two.moved(first, table.unit(first).pose)
        assert opened.after(back).facts.run[pair] == found


@pytest.mark.rule("TMG-CHG-13")
def test_a_way_is_sought_again_for_who_comes_onto_it() -> None:
    table, pair = around(), (0, 1)
    survey = Survey.of(table)
    beyond, onto = table.moved("c", Pose(40, 20, 0)), table.moved("c", Pose(24.5, 24.5, 0))
    assert survey.after(beyond).facts.run[pair] is survey.facts.run[pair]
    stopped = survey.after(onto)
    assert stopped.facts.run[pair] == Survey.of(onto).facts.run[pair] != survey.facts.run[pair]


def test_a_table_that_did_not_change_keeps_its_survey() -> None:
    table = random_table(6)
    survey = Survey.of(table)
    assert survey.after(table) is survey


@pytest.mark.rule("TMG-OBJ-1")
def test_other_tokens_or_another_mode_are_those_of_the_new_table() -> None:
    """They change no answer, but what is drawn of the table is drawn from its survey."""
    table = random_table(6)
    survey = Survey.of(table)
    for other in (
        replace(table, mode="GOT"),
        replace(table, objectives=(Objective("o9", 5, 5),)),
    ):
        assert survey.after(other).report.table == other
