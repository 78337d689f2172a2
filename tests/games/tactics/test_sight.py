"""Line of sight on squares."""

from __future__ import annotations

import pytest

from companion.games.tactics.game import GAME
from companion.geometry.grid.placing import cell_middle
from companion.overlay.shapes import Polyline
from models.board import Cell
from tests.games.tactics.boards import Wall, answers, drawn, sees


@pytest.mark.rule("TAC-LOS-1", "TAC-LOS-2", "TAC-LOS-4", "TAC-SPC-3", "TAC-SPC-4", "TAC-SPC-5")
@pytest.mark.parametrize(
    ("text", "clear"),
    [
        pytest.param("A...b", True, id="plain ground"),
        pytest.param("A.x.b", False, id="D1 a cross between", marks=pytest.mark.rule("TAC-D-1")),
        pytest.param("A.~.b", True, id="D5 a pit", marks=pytest.mark.rule("TAC-D-5", "TAC-SPC-8")),
        pytest.param("A.#.b", False, id="a rock", marks=pytest.mark.rule("TAC-SPC-7")),
        pytest.param("..b\nA..", True, id="knight's line, free"),
        pytest.param("..b\nAx.", False, id="D2 lower", marks=pytest.mark.rule("TAC-D-2")),
        pytest.param(".xb\nA..", False, id="D2 upper", marks=pytest.mark.rule("TAC-D-2")),
        pytest.param("...b\n....\n....\nAx..", True, id="D3", marks=pytest.mark.rule("TAC-D-3")),
        pytest.param("...b\n....\nx...\nAx..", False, id="both", marks=pytest.mark.rule("TAC-D-3")),
    ],
)  # fmt: skip
def test_a_line_from_centre_to_centre(text: str, clear: bool) -> None:
    assert sees(drawn(text), "A", "b") is clear


@pytest.mark.rule("TAC-OR-5")
def test_a_corner_may_be_read_the_other_way() -> None:
    table = drawn("...b\n....\n....\nAx..")
    assert not sees(table, "A", "b", "corners=either")


@pytest.mark.rule("TAC-LOS-3", "TAC-V-15")
def test_every_figure_blocks() -> None:
    table = drawn("A.B.c.d")
    found = answers(table)
    assert found["A"]["sees"]["c"] == {"answer": "no", "why": ["TAC-LOS-3"], "blocked_by": ["2,0"]}
    assert found["A"]["sees"]["d"]["blocked_by"] == ["2,0", "4,0"]
    assert found["B"]["sees"]["d"]["why"] == ["TAC-LOS-3"]
    assert found["B"]["sees"]["c"]["answer"] == "yes"


@pytest.mark.rule("TAC-V-14")
def test_an_archer_and_three_guards() -> None:
    table = drawn("..c..\n.x...\nA.b.d\n.....".replace(".x...", "....."))
    bush = drawn("b.c\n..x\nA..\n..d")
    assert sees(table, "A", "b")
    assert sees(bush, "A", "b")
    assert sees(bush, "A", "d")
    assert not sees(drawn("c..\nx..\nA.b"), "A", "c")


@pytest.mark.rule("TAC-V-15")
def test_behind_a_tree_and_behind_a_guard() -> None:
    found = answers(drawn("A.##..b\n..##...\nA......".replace("\nA......", "\n.......")))
    assert found["A"]["sees"]["b"]["why"] == ["TAC-LOS-4"]


@pytest.mark.rule("TAC-LOS-6", "TAC-SPC-4", "TAC-SPC-6", "TAC-D-4")
def test_the_ends_never_block() -> None:
    table = drawn("A...b", ground={"4,0": "open-x", "0,0": "open-x"})
    assert sees(table, "A", "b")
    assert "2,0" in answers(table)["b"]["reach"]


@pytest.mark.rule("TAC-LOS-5", "TAC-TER-6")
def test_a_wall_between_blocks() -> None:
    table = drawn("A..b", (("1,0", "2,0"),))
    found = answers(table)["A"]["sees"]["b"]
    assert (found["why"], found["walls"]) == (["TAC-LOS-5"], [["1,0", "2,0"]])


@pytest.mark.rule("TAC-TER-7", "TAC-OR-5", "TAC-OR-35")
@pytest.mark.parametrize(
    ("walls", "clear"),
    [
        pytest.param((("0,0", "1,0"),), True, id="the end of a wall"),
        pytest.param((("0,0", "1,0"), ("1,0", "1,1")), True, id="an angle round one space"),
        pytest.param((("0,0", "1,0"), ("0,1", "1,1")), False, id="a straight wall"),
        pytest.param((("0,0", "0,1"), ("0,0", "1,0")), False, id="an angle round the eye"),
    ],
)
def test_the_end_of_a_wall_is_a_corner(walls: tuple[Wall, ...], clear: bool) -> None:
    table = drawn(".b\nA.", walls)
    assert sees(table, "A", "b") is clear
    assert (answers(table)["A"]["engaged"] == ["b"]) is clear


@pytest.mark.rule("TAC-LOS-7")
def test_sight_is_mutual_but_for_a_glass_candle() -> None:
    table = drawn("A.x.b", facts={"A": {"equipment": "glass-candle"}})
    found = answers(table)
    assert found["A"]["sees"]["b"]["answer"] == "yes"
    assert found["b"]["sees"]["A"]["answer"] == "no"


@pytest.mark.rule("TAC-OR-37")
def test_a_glass_candle_sees_through_a_wall_but_is_not_in_contact() -> None:
    candle = {"A": {"equipment": "glass-candle", "attacks": [BOW]}}
    found = answers(drawn("Ab", (("0,0", "1,0"),), candle))["A"]
    assert (found["sees"]["b"]["answer"], found["engaged"]) == ("yes", [])
    assert found["attacks"]["b"] == {"answer": "yes", "why": [], "attack": "Bow"}


BOW = {"name": "Bow", "kind": "ranged", "dice": 2, "hit": 6}


@pytest.mark.rule("TAC-OR-6")
def test_a_large_figure_sees_with_any_of_its_spaces() -> None:
    assert sees(drawn("LL...\nLLx.b"), "L", "b")
    assert not sees(drawn("LLx..\nLLx.b"), "L", "b")
    assert not sees(drawn("LLxkk\nLLxkk"), "L", "k")
    assert not sees(drawn(".LL.b\nALL.."), "A", "b")


@pytest.mark.rule("TAC-OR-6")
@pytest.mark.parametrize(
    ("text", "ends"),
    [
        pytest.param("LL...\nLLx.b", ((1, 1), (4, 0)), id="past a cross with the upper space"),
        pytest.param("LL..b\nLLx..", ((1, 1), (4, 1)), id="along the free row"),
        pytest.param("A..b", ((0, 0), (3, 0)), id="one space each"),
    ],
)
def test_the_line_of_sight_is_drawn_between_the_spaces_that_see_each_other(
    text: str, ends: tuple[Cell, Cell]
) -> None:
    """It went to the middle of a large figure, where no space is, and through what blocks."""
    table = drawn(text)
    figure = "L" if "L" in text else "A"
    scene = GAME.scene(table, figure, None, True)
    (line,) = (one for one in scene.shapes if one.about == (figure, "b"))
    assert isinstance(line, Polyline)
    assert line.points == tuple(cell_middle(table.board, cell) for cell in ends)


@pytest.mark.rule("TAC-OR-36")
def test_two_figures_squeeze_a_corner() -> None:
    table = drawn("Cb\nAD")
    assert not sees(table, "A", "b")
    assert answers(table)["A"]["engaged"] == []
    assert sees(table, "A", "b", "squeezed-sight=clear")
    assert answers(table, "squeezed-sight=clear")["A"]["engaged"] == ["b"]


@pytest.mark.rule("TAC-GRD-6")
def test_sight_has_no_limit() -> None:
    assert sees(drawn("A" + "." * 40 + "b"), "A", "b")


@pytest.mark.rule("TAC-GEN-9", "TAC-OR-7")
def test_what_blocks_sight_need_not_block_movement() -> None:
    table = drawn("A.x.b")
    assert not sees(table, "A", "b")
    assert "2,0" in answers(table)["A"]["reach"]


@pytest.mark.rule("TAC-OR-25")
@pytest.mark.parametrize(
    ("border", "readings", "clear"),
    [
        ({"kind": "door", "open": False}, (), False),
        ({"kind": "door", "open": True}, (), True),
        ({"kind": "window"}, (), False),
        ({"kind": "window"}, ("windows=sight",), True),
    ],
)
def test_doors_and_windows(
    border: dict[str, object], readings: tuple[str, ...], clear: bool
) -> None:
    table = drawn("A.b", edges=({"between": ["0,0", "1,0"], **border},))
    assert sees(table, "A", "b", *readings) is clear
    found = answers(table, *readings)["A"]
    assert ("1,0" in found["reach"]) is (border.get("open") is True)


@pytest.mark.rule("TAC-GRD-5", "TAC-OR-13", "TAC-D-6", "TAC-GRD-2")
def test_distance_counts_diagonals_as_one() -> None:
    found = answers(drawn("...b....\n........\n........\nA...cLL.\n.....LL."))["A"]
    assert found["distance"] == {"b": 3, "c": 4, "L": 5}
    assert found["near"] == ["b"]


def test_readings_are_refused_by_name() -> None:
    from models import CompanionError

    with pytest.raises(CompanionError, match="no reading 'nothing'"):
        GAME.settings(["nothing=1"])
    with pytest.raises(CompanionError, match="'maybe' is unknown; known: both, either"):
        GAME.settings(["corners=maybe"])
    assert GAME.settings(["corners=either"]).texts() == ["corners=either"]


@pytest.mark.rule("TAC-OR-7", "TAC-GEN-9")
def test_what_limits_sight_is_a_reading() -> None:
    fog, rock = drawn("A.x.b"), drawn("A.#.b")
    assert not sees(fog, "A", "b")
    assert sees(fog, "A", "b", "open-cross=clear")
    assert not sees(rock, "A", "b", "open-cross=clear")
