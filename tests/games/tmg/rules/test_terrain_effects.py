"""Terrain keywords where positions decide: crossing, danger, morale, breaking, cover, pivots."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_move import charge_move
from companion.games.tmg.rules.combat.dice import morale_chance
from companion.games.tmg.rules.combat.odds import odds_for
from companion.games.tmg.rules.ground_effects import breakable, morale_ground
from companion.games.tmg.rules.movement.move_check import MoveCheck, check
from companion.games.tmg.rules.movement.move_end import AHEAD, SweptPath, pivot_over
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.survey import Survey
from companion.games.tmg.rules.terrain_crossing import (
    TerrainCrossing,
    crossings,
    crushed,
    dangers,
    met,
)
from companion.geometry.plane.answer import Answer
from models import Pose, Sigma, Terrain, catalogue
from models.terrain import KEYWORDS
from tests.games.tmg.sample_units import BOTH, BOW, NEW, OLD, SWORD, field, fighter, patch

B1 = fighter("b1", 24, 10)  # x 22..26, y 8.5..11.5
R1 = fighter("r1", 24, 21, 270)  # 8 inches ahead of b1
FAR = fighter("r9", 40, 40)


def piece(game: str, name: str, x0: float, y0: float, x1: float, y1: float) -> Terrain:
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain("t1", outline, catalogue(game).pieces[name], name)


def ahead(ground: Battlefield, travel: float) -> tuple[TerrainCrossing, ...]:
    return crossings(ground, 0, SweptPath(ground.units[0].pose, AHEAD, travel))


def seen(ground: Battlefield, end: Pose, action: str) -> MoveCheck:
    return check(ground.table, ground.table.moved("b1", end), "b1", ground.readings)[action]


# -- crossing -----------------------------------------------------------------------------------


@pytest.mark.rule("OR-24")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("ground", "found"),
    [
        ((22, 12, 26, 13), (False, False)),  # gone over
        ((22, 15, 26, 18), (False, True)),  # gone onto
        ((22, 8, 26, 9), (True, False)),  # gone off
        ((20, 5, 28, 30), (True, True)),  # all the while on it
        ((25.9, 12, 30, 13), (False, False)),  # any overlap will do
        ((26, 12, 30, 14), None),  # a touch is none
        ((22, 16.6, 26, 20), None),
    ],
)
def test_a_move_goes_onto_over_or_off_a_piece(
    game: str, ground: tuple[float, float, float, float], found: tuple[bool, bool] | None
) -> None:
    crossed = ahead(field(game, B1, patch("rough", *ground)), 5)  # ends at y 13.5..16.5
    assert [(one.started, one.ended) for one in crossed] == ([found] if found else [])


@pytest.mark.rule("OR-24")
def test_a_piece_the_measurement_cannot_tell_is_unsure() -> None:
    blurred = fighter("b1", 24, 10, sigma=Sigma(0.03))
    verdicts = [
        [one.answer.verdict for one in ahead(field(NEW, blurred, patch("bog", x, 13, 30, 14)), 5)]
        for x in (25.8, 25.97, 26.03, 26.2)
    ]
    assert verdicts == [["yes"], ["unsure"], ["unsure"], []]


@pytest.mark.rule("TMG-TER-17")
@given(x=st.floats(16, 32), y=st.floats(6, 20), size=st.floats(0.3, 4), travel=st.floats(0, 8))
def test_crossed_means_shared_ground(x: float, y: float, size: float, travel: float) -> None:
    ground = field(NEW, B1, patch("rough", x, y, x + size, y + size))
    shared = (
        Polygon([(22, 8.5), (26, 8.5), (26, 11.5 + travel), (22, 11.5 + travel)])
        .intersection(Polygon(ground.table.terrain[0].outline))
        .area
    )
    if shared == 0 or shared > 1e-3:
        assert bool(ahead(ground, travel)) is (shared > 0)


@pytest.mark.rule("TMG-TER-3", "TMG-TER-15")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_units_end_on_anything_but_impassable_ground(game: str, word: str) -> None:
    ground = field(game, B1, FAR, patch(word, 20, 13, 28, 20))
    found = seen(ground, Pose(24, 14, 90), "maneuver")
    assert found.answer.verdict == ("no" if word == "impassable" else "yes")
    if word == "impassable":
        assert "TMG-TER-15" in found.answer.why


# -- charging over it ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-5")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("where", "verdict"),
    [
        ((20, 14, 28, 15), "yes"),  # over it
        ((20, 18, 28, 24), "yes"),  # onto it, where the defender stands
        ((20, 19.6, 28, 24), "no"),  # the defender stands on it, the attacker does not reach it
        ((27, 14, 30, 15), "no"),  # beside the way
    ],
)
def test_fortified_helps_against_a_charge_that_crosses_it(
    game: str, where: tuple[float, float, float, float], verdict: str
) -> None:
    found = charge_move(field(game, B1, R1, patch("fortified", *where)), "b1", "r1", 90.0, (6,))
    assert found.success
    assert met(found.crossed, "fortified", "TMG-TER-5").verdict == verdict
    assert ("fortified" in found.effects) is (verdict == "yes")
    year = game.removeprefix("tmg-")
    plain = odds_for(B1, SWORD, R1, edition=year, charge=True)
    walled = odds_for(B1, SWORD, R1, edition=year, charge=True, effects=found.effects)
    assert (walled.mean < plain.mean) is (verdict == "yes")


@pytest.mark.rule("TMG-TER-14")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("where", [(20, 14, 28, 15), (20, 18, 28, 24)], ids=["over", "onto"])
def test_hindering_ground_is_felt_over_and_onto(
    game: str, where: tuple[float, float, float, float]
) -> None:
    faces = (6,) if game == NEW else (6, 6)
    found = charge_move(field(game, B1, R1, patch("hindering", *where)), "b1", "r1", 90.0, faces)
    assert found.success
    assert found.effects == ("hindering",)
    assert found.roll.bonus is (game == OLD)  # 2018: two dice are the price


# -- danger -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-10")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("where", "count"),
    [((22, 13, 26, 14), 1), ((22, 15, 26, 18), 1), ((27, 13, 30, 14), 0)],
    ids=["through", "ends on", "beside"],
)
def test_moving_onto_dangerous_ground_hurts(
    game: str, where: tuple[float, float, float, float], count: int
) -> None:
    ground = field(game, B1, patch("dangerous", *where))
    found = dangers(ground, ahead(ground, 5))
    assert [one.rule for one in found] == ["TMG-TER-10"] * count


@pytest.mark.rule("TMG-TER-9", "TMG-TER-10")
@pytest.mark.parametrize(
    ("game", "travel", "action", "rules"),
    [
        (NEW, 5.0, True, ["TMG-TER-9"]),  # acting on it hurts, leaving it does not hurt again
        (NEW, 0.0, True, ["TMG-TER-9"]),
        (NEW, 0.0, False, []),  # a free pivot is no action
        (OLD, 5.0, True, []),  # 2018 knows neither
        (OLD, 0.5, True, ["TMG-TER-10"]),  # but a move that ends on it
    ],
)
def test_a_unit_that_stands_on_dangerous_ground(
    game: str, travel: float, action: bool, rules: list[str]
) -> None:
    ground = field(game, B1, patch("dangerous", 22, 8, 26, 9.5))
    found = dangers(ground, ahead(ground, travel), action=action)
    assert [one.rule for one in found] == rules


@pytest.mark.rule("EX-78", "TMG-TER-9", "TMG-TER-10", "TMG-TER-11")
@pytest.mark.parametrize(("game", "words"), [(NEW, {"TMG-TER-9"}), (OLD, {"TMG-TER-10"})], ids=BOTH)
def test_a_charge_off_stakes_and_onto_others_hurts_once_ex_78(game: str, words: set[str]) -> None:
    stakes = patch("dangerous", 22, 8, 26, 9), patch("dangerous", 22, 15, 26, 16, "t2")
    ground = field(game, B1, R1, *stakes)
    move = charge_move(ground, "b1", "r1", 90.0, (6,))
    assert move.success
    found = dangers(ground, move.crossed, charge=True)
    assert len(found) == 1
    assert {one.rule for one in found} == words
    walk = dangers(ground, ahead(ground, 8), charge=False)
    assert len(walk) == (2 if game == NEW else 1)


@pytest.mark.rule("TMG-TER-10")
def test_danger_the_measurement_cannot_tell_is_unsure() -> None:
    blurred = fighter("b1", 24, 10, sigma=Sigma(0.03))
    ground = field(NEW, blurred, patch("dangerous", 25.97, 13, 30, 14))
    assert [one.answer.verdict for one in dangers(ground, ahead(ground, 5))] == ["unsure"]


# -- rough --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-17")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    "where",
    [(20, 12, 28, 12.5), (20, 14.5, 28, 20), (20, 6, 28, 9)],
    ids=["through", "onto", "off"],
)
@pytest.mark.parametrize(("action", "most"), [("maneuver", 5.0), ("march", 10.0)])
def test_rough_ground_takes_an_inch_of_every_move(
    game: str, where: tuple[float, float, float, float], action: str, most: float
) -> None:
    ground = field(game, B1, FAR, patch("rough", *where))
    assert seen(ground, Pose(24, 10 + most - 1, 90), action).answer
    over = seen(ground, Pose(24, 10 + most - 0.9, 90), action)
    assert over.answer.verdict == "no"
    assert over.over_in == pytest.approx(0.1)
    bare = field(game, B1, FAR)
    assert seen(bare, Pose(24, 10 + most, 90), action).answer


@pytest.mark.rule("OR-26")
@pytest.mark.parametrize("game", BOTH)
def test_two_rough_pieces_cost_one_inch_unless_read_otherwise(game: str) -> None:
    pieces = patch("rough", 20, 12, 28, 12.5), patch("rough", 20, 13, 28, 13.5, "t2")
    once = field(game, B1, FAR, *pieces)
    each = field(game, B1, FAR, *pieces, readings=Readings(rough="each"))
    assert seen(once, Pose(24, 14, 90), "maneuver").answer
    assert seen(each, Pose(24, 14, 90), "maneuver").over_in == pytest.approx(1)
    assert seen(each, Pose(24, 13, 90), "maneuver").answer


# -- pivots over impassable pieces --------------------------------------------------------------


@pytest.mark.rule("TMG-TER-16", edition="2021")
@pytest.mark.parametrize(("heading", "verdict"), [(270.0, "yes"), (0.0, "no"), (180.0, "no")])
def test_a_pivot_may_swing_over_a_wall_but_not_end_on_it_2021(heading: float, verdict: str) -> None:
    # Turned by a right angle the tray (x 22.5..25.5, y 8..12) would lie on the wall.
    ground = field(NEW, B1, FAR, patch("impassable", 20, 11.8, 28, 13))
    assert pivot_over(ground, 0, heading).verdict == verdict
    found = seen(ground, Pose(24, 10, heading), "pivot")
    assert found.answer.verdict == verdict


@pytest.mark.rule("TMG-TER-16", edition="2018")
@pytest.mark.parametrize(
    ("walls", "verdict"),
    [
        ([(20, 11.8, 28, 13)], "no"),
        ([(20, 13, 28, 14)], "yes"),  # out of its reach
        ([(20, 11.8, 28, 13), (20, 5, 28, 6)], "no"),
    ],
)
def test_a_pivot_may_not_swing_over_a_wall_2018(
    walls: list[tuple[float, float, float, float]], verdict: str
) -> None:
    pieces = [patch("impassable", *wall, f"t{n}") for n, wall in enumerate(walls)]
    found = pivot_over(field(OLD, B1, FAR, *pieces), 0, 270.0)
    assert found.verdict == verdict
    assert found.why == (() if verdict == "yes" else ("TMG-TER-16",))


@pytest.mark.rule("TMG-TER-16", edition="2018")
def test_it_may_turn_the_other_way_round_2018() -> None:
    # A post beside the left edge bars turning left by 40 degrees, and turning right so far round
    # that the other corner comes by; turning right by 15 is free.
    post = patch("impassable", 21.6, 10.2, 21.9, 10.6)
    ground = field(OLD, B1, FAR, post)
    assert pivot_over(ground, 0, 75.0).verdict == "yes"
    assert pivot_over(ground, 0, 90.0 + 40.0).verdict == "no"
    assert pivot_over(field(NEW, B1, FAR, post), 0, 90.0 + 90.0).verdict == "yes"


# -- morale -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13", "OR-17", "OR-13")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("word", "value"), [("inspiring", 1), ("horrific", -1)])
@pytest.mark.parametrize(("away", "near"), [(0.0, True), (5.9, True), (6.0, True), (6.01, False)])
def test_morale_ground_counts_within_short_range(
    game: str, word: str, value: int, away: float, near: bool
) -> None:
    ground = field(game, B1, patch(word, 20, 11.5 + away, 28, 13.5 + away))
    found = morale_ground(ground, 0)
    assert found.modifier == (value if near else 0)
    assert [one.keyword for one in found.felt] == ([word] if near else [])
    assert found.choices == ()


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13", "TMG-ABL-5")
@pytest.mark.parametrize("game", BOTH)
def test_pieces_of_one_kind_do_not_add_up(game: str) -> None:
    trees = [patch("inspiring", 20, y, 28, y + 1, f"t{y}") for y in (13, 15)]
    corpses = [patch("horrific hindering", 20, y, 28, y + 1, f"t{y}") for y in (3, 5)]
    assert morale_ground(field(game, B1, *trees), 0).modifier == 1
    assert morale_ground(field(game, B1, *corpses), 0).modifier == -1
    both = morale_ground(field(game, B1, *trees, *corpses), 0)
    assert both.modifier == 0
    assert [(one.rule, one.piece) for one in both.felt] == [
        ("TMG-TER-12", "t13"),
        ("TMG-TER-13", "t5"),
    ]


@pytest.mark.rule("TMG-TER-12")
@pytest.mark.parametrize("game", BOTH)
def test_the_whole_outline_counts_not_its_middle(game: str) -> None:
    hook = Terrain(
        "t1",
        ((10, 20), (40, 20), (40, 10), (41, 10), (41, 21), (10, 21)),  # its foot is far from b1
        frozenset({"inspiring"}),
    )
    assert morale_ground(field(game, B1, hook), 0).modifier == 0
    assert morale_ground(field(game, fighter("b1", 33, 10), hook), 0).modifier == 1


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13")
def test_morale_that_the_measurement_cannot_tell_has_choices() -> None:
    blurred = fighter("b1", 24, 10, sigma=Sigma(0.03))
    tree, corpses = patch("inspiring", 20, 17.48, 28, 19), patch("horrific", 20, 3, 28, 4, "t2")
    found = morale_ground(field(NEW, blurred, tree, corpses), 0)
    assert (found.modifier, found.choices, found.near) == (-1, (-1, 0), ("horrific",))
    assert [one.answer.verdict for one in found.felt] == ["unsure", "yes"]
    assert morale_chance(6, found.modifier) < morale_chance(6, max(found.choices))


@pytest.mark.rule("TMG-TER-12")
def test_the_weirwood_reaches_the_odds() -> None:
    tree = piece(NEW, "weirwood", 20, 24, 28, 25)
    ground = field(NEW, B1, R1, tree)
    near = morale_ground(ground, 1).near
    assert near == ("inspiring",)
    brave = odds_for(B1, SWORD, R1, edition="2021", near=near)
    assert brave.panic_fails < odds_for(B1, SWORD, R1, edition="2021").panic_fails


# -- breaking -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-19", "OR-27", "OR-13", edition="2021")
@pytest.mark.parametrize(("away", "verdict"), [(0.0, "yes"), (1.0, "yes"), (1.01, "no")])
def test_a_piece_within_an_inch_may_be_attacked_2021(away: float, verdict: str) -> None:
    ground = field(NEW, B1, R1, patch("destructible", 20, 11.5 + away, 28, 13.5 + away))
    found = breakable(ground, 0)["t1"]
    assert found.verdict == verdict
    assert found.why == (() if verdict == "yes" else ("TMG-TER-19",))


@pytest.mark.rule("TMG-TER-19", "OR-27", edition="2021")
def test_breaking_takes_a_weapon_and_engaged_units_may_2021() -> None:
    hedge = patch("destructible", 20, 8, 21.5, 11)
    archers = fighter("b1", 24, 10, attacks=(BOW,))
    assert breakable(field(NEW, archers, hedge), 0)["t1"].why == ("TMG-MEL-2",)
    fighting = field(NEW, B1, fighter("r1", 24, 13, 270), hedge)
    assert fighting.engaged_ids(0) == ("r1",)
    assert breakable(fighting, 0)["t1"]
    assert breakable(field(NEW, B1, patch("rough", 20, 8, 21.5, 11)), 0) == {}
    unsure = fighter("b1", 24, 10, sigma=Sigma(0.03))
    assert (
        breakable(field(NEW, unsure, patch("destructible", 20, 12.48, 28, 14)), 0)["t1"].verdict
        == "unsure"
    )


@pytest.mark.rule("EX-81", "TMG-TER-19")
def test_a_palisade_falls_to_an_attack_in_2021_ex_81() -> None:
    wall = piece(NEW, "palisade", 15, 12.2, 33, 13)
    ground = field(NEW, B1, R1, wall)
    assert not Survey.of(ground.table).report.units["b1"].sees["r1"]
    assert breakable(ground, 0)["t1"]
    rest = replace(ground.table, terrain=())
    assert Survey.of(rest).report.units["b1"].sees["r1"]


@pytest.mark.rule("EX-81", "TMG-TER-19", edition="2018")
def test_a_palisade_stands_in_2018_ex_81() -> None:
    ground = field(OLD, B1, R1, piece(OLD, "palisade", 15, 12.2, 33, 13))
    assert breakable(ground, 0) == {}
    assert crushed(ground, ahead(ground, 3)) == {}
    hedge = field(OLD, B1, R1, piece(OLD, "hedge", 15, 12.2, 33, 13))
    assert breakable(hedge, 0) == {}  # destructible, but by walking over it
    assert list(crushed(hedge, ahead(hedge, 3))) == ["t1"]


@pytest.mark.rule("TMG-TER-19", edition="2018")
@pytest.mark.parametrize(
    ("where", "gone"),
    [((20, 13, 28, 14), ["t1"]), ((20, 15, 28, 18), ["t1"]), ((27, 13, 30, 14), [])],
    ids=["through", "ends on", "beside"],
)
def test_moving_over_a_piece_crushes_it_2018(
    where: tuple[float, float, float, float], gone: list[str]
) -> None:
    ground = field(OLD, B1, patch("destructible", *where))
    found = crushed(ground, ahead(ground, 5))
    assert list(found) == gone
    assert all(answer == Answer("yes", (), answer.margin_in) for answer in found.values())
    new = field(NEW, B1, patch("destructible", *where))
    assert crushed(new, ahead(new, 5)) == {}


# -- cover --------------------------------------------------------------------------------------


def shot_over_forest(
    game: str, away: float, words: str | None = None
) -> tuple[str, tuple[str, ...]]:
    wood = piece(game, "forest", 8, 11.5 + away, 40, 13.5 + away)
    if words:
        wood = patch(words, 8, 11.5 + away, 40, 13.5 + away)
    ground = field(game, fighter("b1", 24, 10, attacks=(BOW,)), fighter("r1", 24, 21, 270), wood)
    shot = Survey.of(ground.table).report.units["b1"].shots["r1"]
    return shot.answer.verdict, shot.effects


@pytest.mark.rule("EX-79", "TMG-TER-6")
@pytest.mark.parametrize(("game", "found"), [(NEW, ("no", ())), (OLD, ("yes", ("cover",)))])
def test_a_forest_hides_or_covers_ex_79(game: str, found: tuple[str, tuple[str, ...]]) -> None:
    assert shot_over_forest(game, 3.1) == found


@pytest.mark.rule("EX-80", "TMG-TER-7", edition="2018")
@pytest.mark.parametrize(
    ("away", "effects"), [(0.5, ()), (1.0, ()), (1.01, ("cover",)), (4.0, ("cover",))]
)
def test_cover_within_an_inch_is_ignored_2018_ex_80(away: float, effects: tuple[str, ...]) -> None:
    assert shot_over_forest(OLD, away) == ("yes", effects)


@pytest.mark.rule("EX-80", "TMG-TER-6", edition="2021")
def test_in_2021_only_standing_in_the_forest_helps_ex_80() -> None:
    # From behind it nothing is seen, near or far; a shift onto it helps where it can be entered.
    assert shot_over_forest(NEW, 1.0, "cover impassable") == ("no", ())
    assert shot_over_forest(NEW, 1.0) == ("yes", ())
    inside = field(
        NEW, fighter("b1", 24, 10, attacks=(BOW,)), R1, piece(NEW, "forest", 8, 11, 40, 13)
    )
    assert Survey.of(inside.table).report.units["b1"].shots["r1"].answer


@pytest.mark.rule("TMG-TER-6", edition="2018")
def test_cover_adds_to_defense_rolls_2018() -> None:
    _, effects = shot_over_forest(OLD, 3.1)
    archers = fighter("b1", 24, 10, attacks=(BOW,))
    covered = odds_for(archers, BOW, R1, edition="2018", effects=effects)
    assert covered.mean < odds_for(archers, BOW, R1, edition="2018").mean


# -- what `rules` and `check` tell --------------------------------------------------------------


@pytest.mark.rule("TMG-TER-9", "TMG-TER-12", "TMG-TER-19", edition="2021")
def test_the_report_tells_what_the_ground_means_for_a_unit() -> None:
    stakes = piece(NEW, "stakes", 20, 11, 28, 13)
    tree = replace(piece(NEW, "weirwood", 20, 15, 28, 16), id="t2")
    told = Survey.of(field(NEW, B1, R1, stakes, tree).table).report.to_json("t")["units"]
    assert told["b1"]["ground"]["on"]["t1"]["answer"] == "yes"
    assert told["b1"]["ground"]["morale"]["modifier"] == 1
    assert told["b1"]["ground"]["breaks"]["t1"]["answer"] == "yes"
    assert set(told["r1"]["ground"]) == {"morale"}
    assert "ground" not in Survey.of(field(NEW, B1, R1).table).report.to_json("t")["units"]["b1"]


@pytest.mark.rule("TMG-TER-9", "TMG-TER-10", "TMG-TER-19", "TMG-GLO-8")
@pytest.mark.parametrize(
    ("game", "where", "end", "action", "rules", "gone"),
    [
        (NEW, (22, 13, 26, 14), Pose(24, 14, 90), "maneuver", ["TMG-TER-10"], []),
        (OLD, (22, 13, 26, 14), Pose(24, 14, 90), "maneuver", ["TMG-TER-10"], ["t1"]),
        (NEW, (22, 8, 26, 9), Pose(24, 14, 90), "march", ["TMG-TER-9"], []),
        (OLD, (22, 8, 26, 8.9), Pose(24, 14, 90), "march", [], []),
        (NEW, (22, 20, 26, 21), Pose(24, 14, 90), "march", [], []),
        (NEW, (24, 12, 25, 13), Pose(24, 10, 0), "pivot", [], []),
        (NEW, (22, 8, 26, 9), Pose(24, 10, 0), "pivot", [], []),
        (NEW, (24, 11.6, 25, 13), Pose(24, 10, 0), "pivot", ["TMG-TER-10"], []),
    ],
)
def test_a_seen_move_is_told_with_what_its_ground_costs(
    game: str,
    where: tuple[float, float, float, float],
    end: Pose,
    action: str,
    rules: list[str],
    gone: list[str],
) -> None:
    ground = field(game, B1, FAR, patch("dangerous destructible", *where))
    told = seen(ground, end, action).to_json()
    assert [one["rule"] for one in told.get("dangers", ())] == rules
    assert list(told.get("crushed", ())) == gone


@pytest.mark.rule("TMG-TER-10", "TMG-TER-11")
@pytest.mark.parametrize("game", BOTH)
def test_a_seen_charge_is_told_with_what_its_way_costs(game: str) -> None:
    ground = field(game, B1, R1, patch("dangerous", 20, 13, 28, 14))
    found = seen(ground, Pose(24, 18, 90), "charge")
    assert found.answer
    assert [(one.rule, one.piece) for one in found.dangers] == [("TMG-TER-10", "t1")]
    short = seen(ground, Pose(24, 16, 90), "charge")  # Speed 5 and a 1: it fell short
    assert short.answer
    assert [one.rule for one in short.dangers] == ["TMG-TER-10"]
