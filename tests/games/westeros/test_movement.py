"""Moves, roads, fords, retreats, Advance and Pursue on hexes."""

from __future__ import annotations

from typing import Any

import pytest

from models import CompanionError
from tests.games.westeros.tables import answers, checked, hex_at, reached, table, unit

rule = pytest.mark.rule
CAVALRY = {"class": "cavalry", "move": 3}


def at(*cells: tuple[int, int], word: Any = "forest") -> dict[str, Any]:
    return {hex_at(*one): word for one in cells}


def ring(most: int) -> set[str]:
    """The hexes within a distance of (0, 0)."""
    near = range(-most, most + 1)
    return {hex_at(q, r) for q in near for r in near if 0 < far(q, r) <= most}


def far(q: int, r: int) -> int:
    return (abs(q) + abs(r) + abs(q + r)) // 2


@rule("BOW-MOV-2", "BOW-MOV-8", "BOW-UNT-1")
def test_a_move_goes_from_hex_to_hex() -> None:
    found = reached(unit("b1", hex_at(0, 0)))
    assert found.keys() == ring(2)
    assert all(cost in (1, 2) for cost in found.values())
    beside = reached(unit("b1", hex_at(0, 0)), unit("r1", hex_at(0, -2)))
    assert beside.keys() == ring(2) - {hex_at(0, -2)}


@rule("BOW-UNT-8", "BOW-V-6", "BOW-CMB-3")
@pytest.mark.parametrize(
    ("rank", "most", "attack", "dice"), [("green", 2, 2, 2), ("blue", 2, 1, 3), ("red", 1, 1, 4)]
)
def test_the_rows_of_the_northern_guard(rank: str, most: int, attack: int, dice: int) -> None:
    guard = unit("b1", hex_at(0, 0), card="northern-guard", rank=rank)
    found = answers(guard)["b1"]["reach"]
    assert set(found) == ring(most)
    assert {cell for cell, end in found.items() if end["attack"]} == ring(attack)
    beside = answers(guard, unit("r1", hex_at(1, 0)))["b1"]
    assert beside["attacks"]["r1"]["dice"] == dice


@rule("BOW-MOV-5", "BOW-MOV-6", "BOW-TER-6", "BOW-TER-9", "BOW-V-11", "BOW-UNT-2")
def test_units_rivers_and_forest_on_the_way() -> None:
    ground = {**at((1, 0)), **at((0, 1), word="river")}
    found = reached(unit("b1", hex_at(0, 0)), unit("b2", hex_at(-1, 0)), ground=ground)
    assert hex_at(0, 1) not in found
    assert hex_at(-1, 0) not in found
    assert hex_at(-2, 0) not in found  # only through the unit, or 3 hexes around it
    assert found[hex_at(1, 0)] == 1
    assert hex_at(2, 0) not in found  # the forest stops it
    assert found[hex_at(0, -2)] == 2


@rule("BOW-TER-9", "BOW-TER-24", "BOW-TER-27", "BOW-TER-10", "BOW-MOV-6")
@pytest.mark.parametrize("word", ["river", "forest-river", "palisade", "siege-tower"])
def test_impassable_terrain(word: str) -> None:
    assert hex_at(1, 0) not in reached(unit("b1", hex_at(0, 0)), ground=at((1, 0), word=word))


@rule("BOW-TER-6", "BOW-TER-12", "BOW-TER-30", "BOW-TER-33", "BOW-TER-2", "BOW-TER-3")
@rule("BOW-OR-22", "BOW-OR-25", "BOW-TER-26")
@pytest.mark.parametrize(
    ("words", "kind", "stops"),
    [
        ("forest", "foot", True),
        ("forest", "cavalry", True),
        ("building", "foot", True),
        (["river", "ford"], "foot", True),
        (["river", "ford"], "ranged", False),
        (["forest", "devastation"], "foot", False),
        ("hill", "foot", False),
        ("forest-road", "foot", False),
        ("tent", "foot", False),
    ],
)
def test_what_stops_a_move(words: Any, kind: str, stops: bool) -> None:
    """A corridor of rivers leads over one hex to the next."""
    walls = dict.fromkeys(ring(2) - {hex_at(1, 0), hex_at(2, 0)}, "river")
    one = unit("b1", hex_at(0, 0), **{"class": kind, "move": 2})
    found = reached(one, ground={**walls, hex_at(1, 0): words})
    assert (hex_at(2, 0) in found) == (not stops)


@rule("BOW-OR-22")
def test_a_ford_may_stop_ranged_units_by_the_other_reading() -> None:
    walls = dict.fromkeys(ring(2) - {hex_at(1, 0), hex_at(2, 0)}, "river")
    one = unit("b1", hex_at(0, 0), **{"class": "ranged", "move": 2})
    ground = {**walls, hex_at(1, 0): ["river", "ford"]}
    assert hex_at(2, 0) not in reached(one, ground=ground, readings=("ranged-ford=stop",))


@rule("BOW-OR-25")
def test_a_forest_road_may_be_read_as_forest() -> None:
    walls = dict.fromkeys(ring(2) - {hex_at(1, 0), hex_at(2, 0)}, "river")
    ground = {**walls, hex_at(1, 0): "forest-road"}
    found = reached(unit("b1", hex_at(0, 0)), ground=ground, readings=("forest-road=forest",))
    assert hex_at(2, 0) not in found


@rule("BOW-TER-31", "BOW-D-15", "BOW-OR-23")
def test_a_ford_takes_1_more_of_a_cavalry_move() -> None:
    corridor = {hex_at(q, 0) for q in range(1, 5)}
    walls = dict.fromkeys(ring(5) - corridor, "river")
    ground = {**walls, hex_at(1, 0): ["river", "ford"]}
    found = reached(unit("b1", hex_at(0, 0), **CAVALRY), ground=ground)
    assert found == {hex_at(1, 0): 2, hex_at(2, 0): 3}
    last = {**walls, hex_at(3, 0): ["river", "ford"]}
    found = reached(unit("b1", hex_at(0, 0), **CAVALRY), ground=last)
    assert found == {hex_at(1, 0): 1, hex_at(2, 0): 2, hex_at(3, 0): 3}


@rule("BOW-TER-16", "BOW-D-14", "BOW-TER-20", "BOW-TER-17", "BOW-OR-24")
def test_a_move_all_on_roads_goes_1_hex_further() -> None:
    roads = at((1, 0), (2, 0), word="road")
    found = reached(unit("b1", hex_at(0, 0)), ground=roads)
    assert found[hex_at(3, 0)] == 3  # plains
    assert found[hex_at(2, 1)] == 3
    assert hex_at(3, -1) in found
    assert hex_at(0, -3) not in found
    bridge = {hex_at(1, 0): "road", hex_at(2, 0): ["river", "wooden-bridge"]}
    assert hex_at(3, 0) in reached(unit("b1", hex_at(0, 0)), ground=bridge)
    broken = {hex_at(1, 0): "road"}
    assert hex_at(3, 0) not in reached(unit("b1", hex_at(0, 0)), ground=broken)
    start = at((0, 0), word="road")
    assert reached(unit("b1", hex_at(0, 0)), ground=start).keys() == ring(2)
    red = unit("b1", hex_at(0, 0), rank="red")
    assert hex_at(2, 0) in reached(red, ground=roads)
    plain = reached(red, ground=roads, readings=("road-bonus=plain-move",))
    assert plain.keys() == ring(1)


@rule("BOW-MOV-3", "BOW-MOV-4")
def test_only_complete_hexes_and_never_off_the_field() -> None:
    found = reached(unit("b1", "0,0"), size=(4, 3), ground={"1,0": "none"})
    assert "1,0" not in found
    assert all(0 <= int(c.split(",")[0]) < 4 and 0 <= int(c.split(",")[1]) < 3 for c in found)
    assert checked("b1", "1,1", unit("b1", "0,0"), size=(4, 3))["move"]["answer"] == "yes"


@rule("BOW-FIR-11", "BOW-FIR-12")
def test_nobody_enters_or_leaves_fire_by_moving() -> None:
    burning = at((1, 0), word=["plains", "fire-1"])
    assert hex_at(1, 0) not in reached(unit("b1", hex_at(0, 0)), ground=burning)
    assert checked("b1", hex_at(1, 0), unit("b1", hex_at(0, 0)), ground=burning)["move"]["why"] == [
        "BOW-FIR-11"
    ]
    own = at((0, 0), word=["plains", "fire-2"])
    assert reached(unit("b1", hex_at(0, 0)), ground=own) == {}
    assert checked("b1", hex_at(1, 0), unit("b1", hex_at(0, 0)), ground=own)["move"]["why"] == [
        "BOW-FIR-12"
    ]


@rule("BOW-MOV-2", "BOW-MOV-5", "BOW-TER-6", "BOW-MOV-1")
@pytest.mark.parametrize(
    ("to", "why"),
    [
        ((2, 0), []),
        ((3, 0), ["BOW-MOV-2"]),
        ((0, 0), ["BOW-MOV-1"]),
        ((0, 1), ["BOW-MOV-5"]),
        ((-1, 0), ["BOW-MOV-6"]),
    ],
)
def test_check_explains_a_move(to: tuple[int, int], why: list[str]) -> None:
    if why == ["BOW-MOV-5"]:
        taken = unit("b2", hex_at(0, 1))
        found = checked("b1", hex_at(*to), unit("b1", hex_at(0, 0)), taken, gone="b2")
    else:
        river = at((-1, 0), word="river")
        found = checked("b1", hex_at(*to), unit("b1", hex_at(0, 0)), ground=river)
    assert found["move"]["why"] == why
    if why == ["BOW-MOV-2"]:
        assert found["move"]["over"] == 1


@rule("BOW-MOV-7", "BOW-ENG-9")
def test_check_says_that_a_move_disengages() -> None:
    units = unit("b1", hex_at(0, 0), engaged="r1"), unit("r1", hex_at(1, 0))
    assert checked("b1", hex_at(-1, 0), *units)["move"]["disengages"] is True


# -- retreat ---------------------------------------------------------------------------------------


def retreat(*units: dict[str, Any], one: str = "b1", **board: Any) -> set[str]:
    return set(answers(*units, **board)[one]["retreat"])


@rule("BOW-RET-2", "BOW-D-8", "BOW-V-21", "BOW-GEN-7")
def test_a_retreat_goes_to_one_of_two_hexes_towards_the_own_edge() -> None:
    assert retreat(unit("b1", hex_at(0, 0))) == {hex_at(0, 1), hex_at(-1, 1)}
    units = unit("b1", hex_at(0, 4)), unit("r1", hex_at(0, 0))
    assert retreat(*units, one="r1") == {hex_at(0, -1), hex_at(1, -1)}


@rule("BOW-RET-3", "BOW-RET-4", "BOW-V-22", "BOW-V-23")
def test_what_blocks_a_retreat() -> None:
    stand = unit("b1", hex_at(0, 0)), unit("b2", hex_at(0, 1))
    assert retreat(*stand) == {hex_at(-1, 1)}
    assert retreat(*stand, ground=at((-1, 1), word="river")) == set()
    assert retreat(unit("b1", hex_at(0, 0)), ground=at((0, 1), (-1, 1))) == {
        hex_at(0, 1),
        hex_at(-1, 1),
    }
    assert retreat(unit("b1", hex_at(0, 0)), unit("r1", hex_at(0, 1))) == {hex_at(-1, 1)}


@rule("BOW-RET-5")
def test_a_retreat_never_leaves_the_board() -> None:
    assert retreat(unit("b1", "3,0")) == set()
    assert retreat(unit("b1", "0,2")) == {"0,1"}


@rule("BOW-OR-27")
def test_a_retreat_neither_enters_nor_leaves_fire() -> None:
    assert retreat(unit("b1", hex_at(0, 0)), ground=at((0, 1), word="fire-1")) == {hex_at(-1, 1)}
    assert retreat(unit("b1", hex_at(0, 0)), ground=at((0, 0), word="fire-1")) == set()


@rule("BOW-OR-2")
def test_portrait_boards_offer_every_nearer_hex() -> None:
    one = unit("b1", "5,4", edge="left")
    assert retreat(one) == {"4,4", "4,5", "4,3"}
    assert retreat(one, readings=("portrait-retreat=straight",)) == {"4,4"}
    odd = unit("r1", "5,5", edge="right")
    assert retreat(unit("b1", "1,1", edge="left"), odd, one="r1") == {"6,5", "6,6", "6,4"}


@rule("BOW-RET-1", "BOW-RET-2")
def test_check_recognises_a_retreat() -> None:
    assert checked("b1", hex_at(-1, 2), unit("b1", hex_at(0, 0)))["retreat"] == {
        "answer": "yes",
        "why": [],
        "cost": 2,
    }
    assert checked("b1", hex_at(1, 0), unit("b1", hex_at(0, 0)))["retreat"]["why"] == ["BOW-RET-2"]


# -- Advance and Pursue ----------------------------------------------------------------------------


def follow(to: tuple[int, int], *keywords: str, ground: dict[str, Any] | None = None) -> str:
    """Whether b1 on (0, 0) may follow to a hex after an enemy on (1, 0) is gone."""
    one = unit("b1", hex_at(0, 0), keywords=list(keywords))
    two = unit("r1", hex_at(1, 0))
    found = checked("b1", hex_at(*to), one, two, gone="r1", ground=ground or {})
    answer: str = found["follow"]["answer"]
    return answer


@rule("BOW-KEY-1")
def test_advance_reaches_the_former_hex_of_the_target() -> None:
    assert follow((1, 0), "advance") == "yes"
    assert follow((2, 0), "advance") == "no"
    assert follow((0, 1), "advance") == "no"
    assert follow((1, 0)) == "no"


@rule("BOW-KEY-12", "BOW-OR-21")
def test_pursue_goes_on_from_the_former_hex() -> None:
    assert follow((2, 0), "pursue 2") == "yes"
    assert follow((3, 0), "pursue 2") == "no"
    assert follow((-1, 0), "pursue 2") == "no"
    assert follow((2, 0), "pursue 2", ground=at((1, 0))) == "no"  # forest stops it
    assert follow((2, 0), "pursue 2", ground=at((2, 0), word="river")) == "no"


@rule("BOW-TER-19", "BOW-D-25")
def test_roads_let_them_follow_1_hex_further() -> None:
    roads = at((1, 0), (2, 0), (3, 0), word="road")
    assert follow((2, 0), "advance", ground=roads) == "yes"
    assert follow((3, 0), "advance", ground=roads) == "no"
    assert follow((3, 0), "pursue 2", ground=roads) == "yes"
    assert (
        follow((4, 0), "pursue 2", ground=at(*((q, 0) for q in range(1, 6)), word="road")) == "no"
    )
    assert follow((2, -1), "pursue 2", ground=roads) == "yes"  # two hexes, the second off the road
    assert follow((3, -1), "pursue 2", ground=roads) == "no"  # a third hex off the road


@rule("BOW-TER-21", "BOW-OR-42")
def test_nobody_follows_into_a_bridge_hex() -> None:
    assert follow((1, 0), "pursue 2", ground=at((1, 0), word=["river", "stone-bridge"])) == "no"
    assert follow((2, 0), "pursue 2", ground=at((2, 0), word=["river", "stone-bridge"])) == "no"
    own = at((0, 0), word=["river", "stone-bridge"])
    assert follow((1, 0), "pursue 2", ground=own) == "yes"


# -- bad tables ------------------------------------------------------------------------------------


@rule("BOW-UNT-2", "BOW-UNT-1", "BOW-ENG-1", "BOW-ENG-2")
@pytest.mark.parametrize(
    ("units", "message"),
    [
        ([unit("b1", "1,1"), unit("b2", "1,1")], "pieces: b2: cell: 1,1 is taken by b1"),
        ([unit("b1", "1,1", size=2)], "pieces: b1: size: 2 is not 1"),
        ([unit("b1", "1,1", engaged="r1"), unit("r1", "5,5")], "r1 is not adjacent"),
        ([unit("b1", "1,1", engaged="b2"), unit("b2", "2,1")], "b2 is no enemy"),
        ([unit("b1", "1,1", engaged="r9")], "no unit 'r9'"),
        (
            [unit("b1", "1,1", engaged="r1"), unit("b2", "3,1", engaged="r1"), unit("r1", "2,1")],
            "two engagement markers",
        ),
        ([unit("b1", "1,1", wings=2)], "unknown key 'wings'"),
        ([unit("b1", "1,1", rank="gold")], "'gold' is unknown"),
        ([unit("b1", "1,1", keywords=["flying"])], "'flying' is unknown"),
        ([unit("b1", "1,1", keywords=["advance 3"])], "'3' is no number"),
        ([unit("b1", "1,1", edge="left"), unit("b2", "2,1", edge="top")], "blue has two edges"),
    ],
)
def test_impossible_tables_are_refused_in_one_line(
    units: list[dict[str, Any]], message: str
) -> None:
    from companion.games.westeros.game import GAME

    with pytest.raises(CompanionError) as caught:
        GAME.report(table(*units))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
