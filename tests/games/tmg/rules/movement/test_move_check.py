"""Moves: what explains a unit's way from one place to another (TMG-MOV, -MAN, -MAR, -RET)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.engine.moves.tray_move import explained
from companion.games.tmg.rules.movement.move_check import MoveCheck, check
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.survey import Survey
from models import Attack, CompanionError, Pose, Sigma, Table, Terrain, Tray, Unit
from tests.games.tmg.pieces import block, slab

BOTH = ("tmg-2021", "tmg-2018")
START = Pose(60, 60, 90)


def moved(
    game: str,
    end: Pose,
    *others: Unit,
    speed: int = 5,
    terrain: tuple[Terrain, ...] = (),
    start: Pose = START,
    **readings: str,
) -> dict[str, MoveCheck]:
    """What explains unit a's move to `end`."""
    unit = replace(block("a", 0, 0), speed=speed).at(start)
    before = Table(game, 144, 144, (unit, *others), terrain)
    return check(before, before.moved("a", end), "a", Readings(**readings))


def verdict(found: MoveCheck) -> tuple[str, tuple[str, ...]]:
    return found.answer.verdict, found.answer.why


def foe(x: float, y: float, heading: float = 90.0, name: str = "b") -> Unit:
    return block(name, 60 + x, 60 + y, heading, side="red")


# -- maneuver -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("end", "answer", "why"),
    [
        (Pose(60, 65, 90), "yes", ()),
        (Pose(63, 64, 200), "yes", ()),  # pivot, five inches, pivot
        (Pose(60, 60, 10), "yes", ()),  # less is allowed, and none at all
        (Pose(60, 55, 90), "yes", ()),  # turned about, forward, turned about
        (Pose(60, 65.31, 90), "no", ("TMG-MAN-3",)),
        (Pose(60, 65.005, 90), "no", ("TMG-MAN-3",)),  # exact places have no grace
    ],
)
@pytest.mark.rule(
    "TMG-MAN-2", "TMG-MAN-3", "TMG-MAN-4", "TMG-MOV-12", "TMG-MOV-1", "TMG-GLO-8", "EX-7"
)
def test_maneuver(game: str, end: Pose, answer: str, why: tuple[str, ...]) -> None:
    found = moved(game, end)["maneuver"]
    assert verdict(found) == (answer, why)
    assert found.to_json()["over"] == pytest.approx(end.y - 65 if why else 0, abs=1e-4)


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-MAN-1", "TMG-MAR-1", "TMG-RET-1", "TMG-GLO-11", "TMG-GLO-12")
def test_engaged_units_only_retreat(game: str) -> None:
    found = moved(game, Pose(60, 57, 90), foe(0, 3))
    assert "TMG-MAN-1" in found["maneuver"].answer.why
    assert "TMG-MAR-1" in found["march"].answer.why
    assert verdict(found["retreat"]) == ("yes", ())
    free = moved(game, Pose(60, 57, 90), foe(0, 8))
    assert "TMG-RET-1" in free["retreat"].answer.why
    table = Table(game, 144, 144, (block("a", 60, 60), foe(0, 3)))
    moves = Survey.of(table).report.units["a"].moves
    assert {name: answer.verdict for name, answer in moves.items()} == {
        "maneuver": "no",
        "march": "no",
        "retreat": "yes",
    }
    moves = (
        Survey.of(Table(game, 144, 144, (block("a", 60, 60), foe(0, 8)))).report.units["a"].moves
    )
    assert [moves[name].verdict for name in ("maneuver", "march", "retreat")] == [
        "yes",
        "yes",
        "no",
    ]
    assert moves["retreat"].why == ("TMG-RET-1",)


# -- march --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("end", "answer", "why"),
    [
        (Pose(60, 70, 90), "yes", ()),
        (Pose(60, 70, 300), "yes", ()),
        (Pose(60, 62.5, 90), "yes", ()),
        (Pose(60, 70.2, 90), "no", ("TMG-MAR-2",)),
        (Pose(61, 69, 90), "no", ("TMG-MAR-3",)),
        (Pose(60, 57, 90), "no", ("TMG-MAR-3",)),
    ],
)
@pytest.mark.rule("TMG-MAR-2", "TMG-MAR-3", "TMG-MAR-4", "TMG-MOV-12", "EX-8")
def test_march(game: str, end: Pose, answer: str, why: tuple[str, ...]) -> None:
    assert verdict(moved(game, end)["march"]) == (answer, why)


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-MOV-8", "TMG-MOV-9", "EX-G14")
def test_friends_may_be_passed_but_not_stood_on(game: str) -> None:
    friend = block("f", 60, 64)
    assert verdict(moved(game, Pose(60, 68, 90), friend)["march"]) == ("yes", ())
    assert verdict(moved(game, Pose(60, 66, 90), friend)["march"]) == ("no", ("TMG-MOV-9",))


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-MOV-10", "EX-G15")
def test_enemies_may_not_be_passed(game: str) -> None:
    found = moved(game, Pose(60, 69, 90), foe(3.9, 4))["march"]
    assert found.answer.verdict == "no"
    assert "TMG-MOV-10" in found.answer.why


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-MOV-7", "TMG-MOV-11", "OR-13", "EX-G12")
def test_one_inch_from_enemies_at_the_end_only(game: str) -> None:
    """EX-G12: 0.99 is too near, 1.00 is not; passing nearer is not forbidden."""
    enemy = foe(0, 9)
    assert verdict(moved(game, Pose(60, 65, 90), enemy)["march"]) == ("yes", ())
    assert verdict(moved(game, Pose(60, 65.01, 90), enemy)["march"]) == ("no", ("TMG-MOV-7",))
    beside = foe(4.3, 4)
    assert verdict(moved(game, Pose(60, 70, 90), beside)["march"]) == ("yes", ())


@pytest.mark.rule("OR-18")
def test_a_move_ends_on_the_table() -> None:
    start = Pose(3, 20, 180)
    unit = replace(block("a", 0, 0), speed=5).at(start)
    before = Table("tmg-2021", 48, 48, (unit,))
    over = check(before, before.moved("a", Pose(1.2, 20, 180)), "a")
    assert verdict(over["march"]) == ("no", ("OR-18",))
    off = check(before, before.moved("a", Pose(1.2, 20, 180)), "a", Readings(table_edge="off"))
    assert verdict(off["march"]) == ("yes", ())


# -- pivots and shifts --------------------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-MOV-1", "TMG-MOV-2", "TMG-MOV-3")
def test_pivot(game: str) -> None:
    assert verdict(moved(game, Pose(60, 60, 213))["pivot"]) == ("yes", ())
    assert moved(game, Pose(60, 60.4, 213))["pivot"].answer.why == ("TMG-MOV-1",)
    # half a turn sweeps over the neighbour and ends clear of it; a quarter ends on it
    friend = block("f", 60, 63.2)
    assert verdict(moved(game, Pose(60, 60, 270), friend)["pivot"]) == ("yes", ())
    assert verdict(moved(game, Pose(60, 60, 0), friend)["pivot"]) == ("no", ("TMG-MOV-9",))


@pytest.mark.rule("OR-19", "TMG-MOV-7")
def test_a_pivot_keeps_its_inch_unless_read_otherwise() -> None:
    enemy = foe(0, 4.3)  # 1.3 inches before the front, 0.8 before a flank turned there
    end = Pose(60, 60, 0)
    assert verdict(moved("tmg-2021", end, enemy)["pivot"]) == ("no", ("TMG-MOV-7",))
    assert verdict(moved("tmg-2021", end, enemy, near_pivot="free")["pivot"]) == ("yes", ())


@pytest.mark.rule("OR-19", "TMG-MOV-7", "TMG-MAN-4", "TMG-MAR-4", "TMG-RET-6")
@pytest.mark.parametrize("action", ["maneuver", "march", "retreat"])
def test_a_last_pivot_keeps_its_inch_unless_read_otherwise(action: str) -> None:
    """Three inches on or back the tray is 1.3 inches from an enemy, turned only 0.8."""
    away = -3.0 if action == "retreat" else 3.0
    enemy, nearer = (foe(0, away + math.copysign(far, away)) for far in (4.3, 3.9))
    others = (foe(0, 3, name="c"), enemy) if action == "retreat" else (enemy,)
    turned, unturned = Pose(60, 60 + away, 0), Pose(60, 60 + away, 90)
    assert verdict(moved("tmg-2021", unturned, *others)[action]) == ("yes", ())
    assert verdict(moved("tmg-2021", turned, *others)[action]) == ("no", ("TMG-MOV-7",))
    free = moved("tmg-2021", turned, *others, near_pivot="free")[action]
    assert verdict(free) == ("yes", ())
    close = moved("tmg-2021", turned, *others[:-1], nearer, near_pivot="free")[action]
    assert verdict(close) == ("no", ("TMG-MOV-7",))


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("end", "answer", "why"),
    [
        (Pose(60, 62, 90), "yes", ()),
        (Pose(58.5, 60, 90), "yes", ()),
        (Pose(60, 58.2, 90), "yes", ()),
        (Pose(61, 61, 90), "no", ("TMG-MOV-5",)),
        (Pose(60, 62, 95), "no", ("TMG-MOV-6",)),
        (Pose(60, 62.5, 90), "no", ("TMG-RNG-5",)),
    ],
)
@pytest.mark.rule("TMG-MOV-5", "TMG-MOV-6", "TMG-RNG-5")
def test_shift(game: str, end: Pose, answer: str, why: tuple[str, ...]) -> None:
    assert verdict(moved(game, end)["shift"]) == (answer, why)


@pytest.mark.rule("TMG-MOV-4", "EX-G13")
@pytest.mark.parametrize(
    ("game", "answer"), [("tmg-2021", "yes"), ("tmg-2018", "no")], ids=["2021", "2018"]
)
def test_the_first_pivot_may_end_over_a_friend_in_2021(game: str, answer: str) -> None:
    """EX-G13: turned right the tray lies on its neighbour; the move ends clear."""
    friend = block("f", 60, 63.2)
    found = moved(game, Pose(65, 60, 90), friend)["maneuver"]
    assert found.answer.verdict == answer
    if answer == "no":
        assert found.answer.why == ("TMG-MOV-3",)


@pytest.mark.rule("OR-23", "TMG-MOV-3")
@pytest.mark.parametrize("game", BOTH)
def test_the_first_pivot_never_ends_over_an_enemy(game: str) -> None:
    found = moved(game, Pose(65, 60, 90), foe(0, 3.2))["maneuver"]
    assert "TMG-MOV-3" in found.answer.why


# -- terrain ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-TER-17", "OR-26")
def test_rough_ground_costs_an_inch(game: str) -> None:
    """Onto, off and through: four inches are left of five."""
    bog = slab(game, "bog", 50, 63, 70, 64)
    assert verdict(moved(game, Pose(60, 64, 90), terrain=(bog,))["maneuver"]) == ("yes", ())
    found = moved(game, Pose(60, 64.5, 90), terrain=(bog,))["maneuver"]
    assert verdict(found) == ("no", ("TMG-MAN-3", "TMG-TER-17"))
    assert found.over_in == pytest.approx(0.5)
    start = slab(game, "bog", 50, 56, 70, 59)
    assert moved(game, Pose(60, 64.5, 90), terrain=(start,))["maneuver"].answer.verdict == "no"
    aside = slab(game, "bog", 70, 63, 80, 64)
    assert moved(game, Pose(60, 65, 90), terrain=(aside,))["maneuver"].answer.verdict == "yes"
    two = (bog, replace(bog, id="t2", outline=((50, 65), (70, 65), (70, 66), (50, 66))))
    assert moved(game, Pose(60, 64, 90), terrain=two)["maneuver"].answer.verdict == "yes"
    each = moved(game, Pose(60, 64, 90), terrain=two, rough="each")["maneuver"]
    assert verdict(each) == ("no", ("TMG-MAN-3", "TMG-TER-17"))


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-TER-15", "TMG-TER-3")
def test_impassable_pieces_stop_moves_and_may_not_be_stood_on(game: str) -> None:
    wall = slab(game, "castle-wall", 50, 63, 70, 64)
    assert "TMG-TER-15" in moved(game, Pose(60, 67, 90), terrain=(wall,))["march"].answer.why
    assert "TMG-TER-15" in moved(game, Pose(60, 62, 90), terrain=(wall,))["march"].answer.why
    forest = slab(game, "weirwood", 50, 63, 70, 64)
    assert verdict(moved(game, Pose(60, 62, 90), terrain=(forest,))["march"]) == ("yes", ())


@pytest.mark.rule("TMG-TER-16")
def test_a_pivot_passes_over_an_impassable_piece_but_does_not_end_on_it_2021() -> None:
    post = slab("tmg-2021", "castle-wall", 59.5, 61.7, 60.5, 62.2)
    assert verdict(moved("tmg-2021", Pose(60, 60, 270), terrain=(post,))["pivot"]) == ("yes", ())
    found = moved("tmg-2021", Pose(60, 60, 0), terrain=(post,))["pivot"]
    assert verdict(found) == ("no", ("TMG-TER-16", "TMG-TER-15"))
    through = moved("tmg-2021", Pose(65, 60, 90), terrain=(post,))["maneuver"]
    assert "TMG-TER-16" in through.answer.why


@pytest.mark.rule("TMG-TER-16")
def test_no_pivot_swings_over_an_impassable_piece_in_2018() -> None:
    posts = (
        slab("tmg-2018", "castle-wall", 59.5, 61.7, 60.5, 62.2),
        slab("tmg-2018", "castle-wall", 59.5, 57.8, 60.5, 58.3, "t2"),
    )
    found = moved("tmg-2018", Pose(60, 60, 270), terrain=posts)["pivot"]
    assert verdict(found) == ("no", ("TMG-TER-16",))
    assert verdict(moved("tmg-2018", Pose(60, 60, 100), terrain=posts)["pivot"]) == ("yes", ())


# -- retreat ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("end", "answer", "needs"),
    [
        (Pose(60, 54, 90), "yes", 2),
        (Pose(60, 54, 271), "yes", 2),  # and a pivot to any facing
        (Pose(55, 60, 90), "yes", 1),  # sideways along the enemy's edge
        (Pose(60, 50, 90), "yes", 6),
        (Pose(60, 49.9, 90), "no", None),
        (Pose(57, 57, 90), "no", None),
        (Pose(60, 59.5, 90), "no", None),  # not an inch away
    ],
)
@pytest.mark.rule("TMG-RET-3", "TMG-RET-5", "TMG-RET-6", "TMG-RET-8", "OR-22", "EX-9", "TMG-RET-1")
def test_retreat(game: str, end: Pose, answer: str, needs: int | None) -> None:
    """EX-9: Speed 4, an enemy in front: back or sideways up to Speed + D6, then a pivot."""
    found = moved(game, end, foe(0, 3, 270), speed=4)["retreat"]
    assert (found.answer.verdict, found.needs) == (answer, needs)


@pytest.mark.rule("TMG-RET-3", "TMG-RET-4", "OR-22")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("edge", "x", "heading"), [("front", -3.5, 0), ("flank", -4, 90), ("rear", -3.5, 180)]
)
@pytest.mark.parametrize(
    ("end", "answer"),
    [
        (Pose(60, 53.5, 90), "yes"),  # back, along the edge in contact
        (Pose(66, 60, 90), "yes"),
        (Pose(60, 66.5, 90), "2021"),
        (Pose(54, 60, 90), "no"),  # into the enemy
        (Pose(50, 60, 90), "no"),  # and through it
    ],
)
def test_retreat_from_an_enemy_at_the_flank(
    game: str, edge: str, x: float, heading: float, end: Pose, answer: str
) -> None:
    """The enemy touches the left edge, with its front, its flank or its rear."""
    found = moved(game, end, foe(x, 0, heading), speed=4)["retreat"]
    expected = answer in ("yes", game.removeprefix("tmg-"))
    assert found.answer.verdict == ("yes" if expected else "no"), edge


@pytest.mark.rule("TMG-RET-4", "EX-11", "OR-22")
@pytest.mark.parametrize(
    ("game", "answer"), [("tmg-2021", "yes"), ("tmg-2018", "no")], ids=["2021", "2018"]
)
def test_retreat_forward_when_engaged_at_the_rear(game: str, answer: str) -> None:
    found = moved(game, Pose(60, 66, 90), foe(0, -3), speed=4)["retreat"]
    assert found.answer.verdict == answer
    assert found.answer.why == (() if answer == "yes" else ("TMG-RET-4",))
    both_sides = (foe(0, -3), foe(0, 3, name="c"))
    assert moved(game, Pose(60, 66, 90), *both_sides, speed=4)["retreat"].answer.verdict == "no"


@pytest.mark.rule("OR-22")
def test_retreat_forward_when_any_or_all_stand_behind() -> None:
    """One enemy behind, one touching the front corner only: it leaves the way open."""
    two = (foe(0, -3), foe(-3.97, 3.0, name="c"))
    end = Pose(60, 67, 90)
    assert moved("tmg-2021", end, *two)["retreat"].answer.verdict == "yes"
    read = moved("tmg-2021", end, *two, retreat_forward="all")["retreat"]
    assert verdict(read) == ("no", ("TMG-RET-4",))


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-RET-9", "EX-12")
def test_a_surrounded_unit_cannot_retreat(game: str) -> None:
    """EX-12: every way ends beside an enemy."""
    ring = (foe(0, 3, name="n"), foe(0, -3, name="s"), foe(4, 0, name="e"), foe(-4, 0, name="w"))
    table = Table(game, 144, 144, (block("a", 60, 60), *ring))
    answer = Survey.of(table).report.units["a"].moves["retreat"]
    assert (answer.verdict, answer.why) == ("no", ("TMG-RET-9",))
    gap = Table(game, 144, 144, (block("a", 60, 60), *ring[:3]))
    assert Survey.of(gap).report.units["a"].moves["retreat"].verdict == "yes"


# -- charge -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-17", "EX-14", "EX-15", "TMG-CHG-12", "OR-14")
def test_charge(game: str) -> None:
    target = foe(0, 11, 270)
    hit = moved(game, Pose(60, 68, 90), target)["charge"]
    assert (hit.answer.verdict, hit.needs, hit.target) == ("yes", 3, "b")
    half = moved(game, Pose(62, 68, 90), target)["charge"]
    assert half.answer.verdict == "yes"
    askew = moved(game, Pose(61, 68, 90), target)["charge"]
    assert verdict(askew) == ("no", ("TMG-CHG-17",))
    failed = moved(game, Pose(60, 67, 90), target)["charge"]  # EX-14: rolled 2, moved 7
    assert (failed.answer.verdict, failed.needs, failed.target) == ("yes", 2, None)
    short = moved(game, Pose(60, 66.5, 90), target)["charge"]  # no roll moves it 6.5
    assert verdict(short) == ("no", ("TMG-CHG-12",))
    blind = moved(game, Pose(60, 53, 270), target)["charge"]  # a full move, but away from b
    assert blind.answer.verdict == "no"
    assert "TMG-CHG-9" in blind.answer.why


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-CHG-4", "TMG-MOV-1")
def test_what_went_too_far_says_how_far(game: str) -> None:
    """A charge of 11.5 inches with Speed 5, and a pivot of a unit that went elsewhere."""
    target = replace(foe(0, 14.5, 270), tray=Tray("", 0.25, 3.0))  # no corner of ours is nearer
    far = moved(game, Pose(60, 71.5, 90), target)["charge"]
    assert far.answer.verdict == "no"
    assert "TMG-CHG-4" in far.answer.why
    assert 0 < far.over_in <= 0.5 + 1e-6
    near = moved(game, Pose(60, 70.9, 90), replace(target, pose=Pose(60, 73.9, 270)))["charge"]
    assert (near.answer.verdict, near.over_in) == ("yes", 0.0)
    assert moved(game, Pose(60, 60.4, 213))["pivot"].over_in == pytest.approx(0.4)
    assert moved(game, Pose(60, 60.01, 213))["pivot"].over_in == 0.0


@pytest.mark.rule("TMG-MOV-6")
def test_a_margin_is_told_in_inches_or_not_at_all() -> None:
    found = moved("tmg-2021", Pose(60, 61, 180))["shift"]
    assert verdict(found) == ("no", ("TMG-MOV-6",))
    assert "margin" not in found.to_json()


# -- honesty ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MAN-3")
def test_a_measured_move_near_its_limit_is_unsure() -> None:
    sigma = Sigma(0.05, 0.3)
    start = Pose(60, 60, 90, sigma)
    close = moved("tmg-2021", Pose(60, 65.06, 90, sigma), start=start)["maneuver"]
    assert close.answer.verdict == "unsure"
    assert moved("tmg-2021", Pose(60, 64, 90, sigma), start=start)["maneuver"].answer
    far = moved("tmg-2021", Pose(60, 66, 90, sigma), start=start)["maneuver"]
    assert far.answer.verdict == "no"


def test_tables_of_two_games_are_refused() -> None:
    one = Table("tmg-2021", units=(block("a", 60, 60),))
    two = Table("tmg-2018", units=(block("a", 60, 60),))
    with pytest.raises(CompanionError, match="tmg-2018"):
        check(one, two, "a")
    with pytest.raises(CompanionError, match="'x'"):
        check(one, one, "x")


@pytest.mark.rule("TMG-MOV-6")
def test_what_must_be_equal_is_yes_as_far_as_measuring_can_tell() -> None:
    """A perfect march, shift, pivot or charge, measured as a camera would."""
    sigma = Sigma(0.03, 0.4)
    start = Pose(60, 60, 90, sigma)
    seen = moved("tmg-2021", Pose(60.02, 66.01, 90.3, sigma), start=start)
    assert seen["march"].answer.verdict == "yes"
    assert moved("tmg-2021", Pose(60.03, 61.2, 89.8, sigma), start=start)["shift"].answer
    assert moved("tmg-2021", Pose(60.02, 60.01, 200, sigma), start=start)["pivot"].answer
    off = moved("tmg-2021", Pose(60.5, 66.01, 90.3, sigma), start=start)["march"]
    assert off.answer.verdict == "no"


@pytest.mark.rule("TMG-CHG-14", "TMG-MOV-10")
def test_riding_through_the_target_is_no_failed_charge() -> None:
    target = foe(0, 8, 270)
    found = moved("tmg-2021", Pose(60, 71, 90), target, speed=6)["charge"]
    assert found.answer.verdict == "no"


@pytest.mark.rule("TMG-MOV-12", "OR-19", "TMG-RET-9")
def test_who_stays_may_stay() -> None:
    near = foe(0, 3.6)
    assert verdict(moved("tmg-2021", START, near)["maneuver"]) == ("yes", ())
    assert verdict(moved("tmg-2021", START, foe(0, 3))["retreat"]) == ("yes", ())
    engaged = moved("tmg-2021", Pose(60, 60, 20), foe(0, 3, 270))["pivot"]
    assert "TMG-MOV-7" in engaged.answer.why


# -- last pivots beside walls -------------------------------------------------------------------

HARD = frozenset({"impassable"})
POSTS = tuple(  # one beside each front corner of the tray five inches on
    Terrain(f"t{n}", ((x, 66.3), (x + 0.1, 66.3), (x + 0.1, 66.4), (x, 66.4)), HARD)
    for n, x in enumerate((62.1, 57.8))
)


@pytest.mark.rule("TMG-TER-16", edition="2018")
@pytest.mark.rule("TMG-TER-16", edition="2021")
@pytest.mark.parametrize("action", ["maneuver", "march"])
def test_a_last_pivot_swings_over_no_wall_in_2018(action: str) -> None:
    """Five inches forward and about: the posts stand in the swing, both ways round."""
    about = Pose(60, 65, 270)
    assert verdict(moved("tmg-2021", about, terrain=POSTS)[action]) == ("yes", ())
    assert verdict(moved("tmg-2018", about, terrain=POSTS)[action]) == ("no", ("TMG-TER-16",))
    assert verdict(moved("tmg-2018", Pose(60, 65, 90), terrain=POSTS)[action]) == ("yes", ())
    slight = moved("tmg-2018", Pose(60, 65, 93), terrain=POSTS)[action]
    assert verdict(slight) == ("yes", ())  # not yet at the post


@pytest.mark.rule("TMG-TER-16", edition="2018")
def test_the_last_pivot_of_a_retreat_and_the_pivot_of_a_charge_swing_over_no_wall_either() -> None:
    back = Pose(60, 55, 270)
    posts = tuple(
        replace(post, outline=tuple((x, y - 10) for x, y in post.outline)) for post in POSTS
    )
    assert moved("tmg-2021", back, foe(0, 3), terrain=posts)["retreat"].answer
    found = moved("tmg-2018", back, foe(0, 3), terrain=posts)["retreat"]
    assert verdict(found) == ("no", ("TMG-TER-16",))
    # a charge that fell short: its tail swept over a post, then it went 6 inches
    post = Terrain("t1", ((57.7, 59.3), (57.8, 59.3), (57.8, 59.4), (57.7, 59.4)), HARD)
    short = START.turned(50).shifted(6.0)
    far = block("b", *START.turned(50).shifted(12.2).ahead(0.0), 230, side="red")
    assert moved("tmg-2021", short, far, terrain=(post,))["charge"].answer
    found = moved("tmg-2018", short, far, terrain=(post,))["charge"]
    assert found.answer.verdict == "no"
    assert "TMG-TER-16" in found.answer.why


# -- the shift before a shot --------------------------------------------------------------------

BOW = Attack("Bow", "long", 4, (7, 5, 4))
BLADE = Attack("Blade", "melee", 4, (7, 5, 4))
ROUGH = frozenset({"rough"})


def shifted(game: str, end: Pose, *others: Unit, attacks: tuple[Attack, ...]) -> MoveCheck:
    """What the shift of a unit with these attacks is worth."""
    unit = replace(block("a", 60, 60), attacks=attacks)
    before = Table(game, 144, 144, (unit, *others))
    return check(before, before.moved("a", end), "a")["shift"]


@pytest.mark.rule("TMG-RNG-3")
@pytest.mark.parametrize("game", BOTH)
def test_only_who_can_shoot_shifts_before_a_shot(game: str) -> None:
    aside = Pose(61, 60, 90)
    found = shifted(game, aside, foe(0, 10, 270), attacks=(BLADE,))
    assert verdict(found) == ("no", ("TMG-RNG-3",))
    assert verdict(shifted(game, aside, foe(0, 10, 270), attacks=(BLADE, BOW))) == ("yes", ())
    assert verdict(shifted(game, aside, foe(0, 10, 270), attacks=())) == ("yes", ())  # unknown card
    assert verdict(shifted(game, START, foe(0, 10, 270), attacks=(BLADE,))) == (
        "yes",
        (),
    )  # unmoved


@pytest.mark.rule("TMG-RNG-6", edition="2021")
@pytest.mark.parametrize(
    ("enemies", "answer"),
    [
        pytest.param([(0, 10.0)], "yes", id="in range"),
        pytest.param([(0, 17.0)], "no", id="14 from the arrow, 13 after the shift"),
        pytest.param([(0, 16.0)], "yes", id="13 before, 12 after it"),
        pytest.param([(0, -8.0)], "no", id="behind it"),
        pytest.param([(0, -8.0), (0, 10.0)], "yes", id="one is enough"),
        pytest.param([], "no", id="nobody"),
    ],
)
def test_a_shift_ends_with_a_target_in_range_and_sight_2021(
    enemies: list[tuple[float, float]], answer: str
) -> None:
    foes = [foe(x, y, 270, f"e{n}") for n, (x, y) in enumerate(enemies)]
    ahead = Pose(60, 61, 90)
    found = shifted("tmg-2021", ahead, *foes, attacks=(BOW,))
    assert verdict(found) == (answer, () if answer == "yes" else ("TMG-RNG-6",))
    assert verdict(shifted("tmg-2018", ahead, *foes, attacks=(BOW,))) == ("yes", ())


# -- rough ground under a last pivot ------------------------------------------------------------


@pytest.mark.rule("TMG-TER-17", "TMG-GLO-8", edition="2021")
@pytest.mark.rule("TMG-TER-17", edition="2018")
@pytest.mark.parametrize("action", ["maneuver", "march"])
def test_a_last_pivot_onto_rough_ground_pays_in_2021(action: str) -> None:
    """Turned by a right angle the tray reaches half an inch farther ahead, onto the bog."""
    far = {"maneuver": 5.0, "march": 10.0}[action]
    bog = Terrain("t1", ((50, 61.6 + far), (70, 61.6 + far), (70, 66 + far), (50, 66 + far)), ROUGH)
    turned = Pose(60, 60 + far, 0)
    rule = {"maneuver": "TMG-MAN-3", "march": "TMG-MAR-2"}[action]
    found = moved("tmg-2021", turned, terrain=(bog,))[action]
    assert verdict(found) == ("no", (rule, "TMG-TER-17"))
    assert found.over_in == pytest.approx(1.0)
    assert verdict(moved("tmg-2018", turned, terrain=(bog,))[action]) == ("yes", ())
    for game in BOTH:
        kept = Pose(60, 60 + far, 90)
        assert verdict(moved(game, kept, terrain=(bog,))[action]) == ("yes", ())


# -- ending on others ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-MOV-9", "TMG-MOV-3", "EX-G14")
def test_a_move_that_ends_on_another_tray_is_refused_with_its_rule(game: str) -> None:
    friend = block("f", 60, 66)
    found = moved(game, Pose(60, 65, 90), friend)
    assert verdict(found["maneuver"]) == ("no", ("TMG-MOV-9",))
    assert verdict(found["march"]) == ("no", ("TMG-MOV-9",))
    found = moved(game, Pose(60, 65, 90), foe(0, 7))
    assert {"TMG-MOV-3", "TMG-MOV-10"} <= set(found["maneuver"].answer.why)
    assert all(one.answer.verdict == "no" for one in found.values())


@pytest.mark.rule("TMG-MOV-9")
def test_flush_is_not_on_it_however_it_was_measured() -> None:
    """A hair of overlap is contact; with sigma more of it is, and a deep one is sure."""
    friend = block("f", 60, 68)
    for depth, xy, answer in (
        (0.04, 0.0, "yes"),
        (0.06, 0.0, "no"),
        (0.1, 0.03, "yes"),
        (0.18, 0.03, "unsure"),  # between two sigmas and three
        (0.5, 0.03, "no"),
    ):
        sigma = Sigma(xy, 0.0)
        end = Pose(60, 65 + depth, 90, sigma)
        seen = friend.at(Pose(60, 68, 90, sigma))
        found = moved("tmg-2021", end, seen, start=Pose(60, 60, 90, sigma))["march"]
        assert found.answer.verdict == answer, (depth, xy)


# -- failed charges -----------------------------------------------------------------------------


@pytest.mark.rule("OR-14", "TMG-CHG-12", "TMG-CHG-15")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("stop", "gone", "answer", "needs"),
    [
        ("full", 7.0, "yes", 2),  # 0.4 before the target
        ("full", 6.4, "no", None),
        ("one-inch", 6.4, "yes", 2),  # an inch before it
        ("one-inch", 7.0, "no", None),
        ("full", 6.0, "yes", 1),  # with a 1 it stays farther off, however it is read
        ("one-inch", 6.0, "yes", 1),
    ],
)
def test_a_failed_charge_ends_where_the_players_read_it(
    game: str, stop: str, gone: float, answer: str, needs: int | None
) -> None:
    target = foe(0, 1.5 + 7.4 + 1.5, 270)
    found = moved(game, Pose(60, 60 + gone, 90), target, failed_charge_stop=stop)["charge"]
    assert (found.answer.verdict, found.needs) == (answer, needs)


@pytest.mark.rule("TMG-CHG-14")
@pytest.mark.parametrize("game", BOTH)
def test_no_charge_goes_through_its_target(game: str) -> None:
    target = replace(foe(0, 4, 270), tray=Tray("", 1.0, 1.0))
    found = moved(game, Pose(60, 71, 90), target)["charge"]
    assert verdict(found) == ("no", ("TMG-CHG-14",))


@pytest.mark.rule("TMG-TER-16", "TMG-MOV-12")
@pytest.mark.parametrize("game", BOTH)
def test_who_does_not_turn_stays_wherever_it_stands(game: str) -> None:
    """Even on a wall, where nobody may stand: there is no pivot to forbid."""
    wall = Terrain("t1", ((59, 59), (61, 59), (61, 61), (59, 61)), HARD)
    assert verdict(moved(game, START, terrain=(wall,))["pivot"]) == ("yes", ())
    assert verdict(moved(game, Pose(60, 60, 120), terrain=(wall,))["pivot"])[0] == "no"


@pytest.mark.rule("TMG-TER-15", edition="2018")
@pytest.mark.rule("TMG-TER-15", edition="2021")
@pytest.mark.parametrize("game", BOTH)
def test_a_place_against_the_ground_is_asked_about_before_it_is_taken_over(game: str) -> None:
    """Out of turn, and where only the position would be corrected: nothing is silent."""
    rocks = Terrain("rocks", ((20.0, 20.0), (26.0, 20.0), (26.0, 26.0), (20.0, 26.0)), HARD)
    unit = Unit("b1", "blue", "Swords", Tray("", 4.0, 3.0), Pose(10.0, 10.0, 90.0), speed=5)
    table = Table(game, 48.0, 48.0, (unit,), (rocks,))
    for spot, why in (
        ((23.0, 23.0), "the tray lies on impassable ground"),
        ((0.5, 30.0), "the tray lies over the edge of the table"),
        ((40.0, 40.0), ""),
    ):
        notice = explained(table, "b1", Pose(*spot, 90.0), Readings())
        assert notice is not None
        assert str(notice.barred) == why
