"""What is drawn on a board is told apart, and a sample of it stands beside its words."""

from __future__ import annotations

from companion.overlay.board_sample import sample_board, sample_picture
from companion.overlay.board_shapes import board_shapes
from companion.overlay.map_theme import DARK
from companion.overlay.shapes import Circle, Polygon, Polyline
from models.board import Board, Border

SAMPLES = (
    "mark-stake-pit",
    "mark-purse",
    "mark-objective",
    "mark-fire",
    "mark-!",
    "edge-wall",
    "ground-high",
    "ground-blocked-x",
    "edge-door",
    "edge-door-open",
    "edge-window",
)


def test_a_stake_pit_and_a_purse_are_told_apart_by_their_shape() -> None:
    """Both were plain discs, light brown and orange, and an objective's is golden."""
    (purse,) = [
        one for one in board_shapes(sample_board("mark-purse")) if "purse" in one.style.role
    ]
    stakes = [
        one for one in board_shapes(sample_board("mark-stake-pit")) if "pit" in one.style.role
    ]
    (goal,) = [
        one for one in board_shapes(sample_board("mark-objective")) if "objective" in one.style.role
    ]
    assert isinstance(goal, Circle)
    assert isinstance(purse, Polygon)
    assert [type(one) for one in stakes] == [Polygon] * 3


def test_an_open_door_leaves_its_leaf_on_the_map() -> None:
    """It was dashes on the line of the grid, which nobody saw."""

    def leaves(*borders: Border) -> list[Polyline]:
        board = Board("square", 3, 3, 1.0, borders=borders)
        found = [one for one in board_shapes(board) if isinstance(one, Polyline)]
        return [one for one in found if one.style.role == "edge-door" and one.length_in < 0.9]

    edge = ((1, 1), (2, 1))
    (leaf,) = leaves(Border(edge, "door", True))
    assert leaf.about == ("1,1", "2,1")
    assert leaf.points[0][0] == 2.0, "it turns on the border"
    assert any(abs(x - 2.0) > 0.5 for x, _y in leaf.points), "into a space"
    assert leaves(Border(edge, "door", False)) == []
    assert leaves(Border(edge, "locked-door", True)) == [], "a broken door has none"


def test_every_sample_is_drawn_and_no_two_look_alike() -> None:
    bare = sample_picture("mark-zone-none", 44, DARK).tobytes()
    drawn = [sample_picture(one, 44, DARK) for one in SAMPLES]
    assert all(one.height == 44 for one in drawn)
    pixels = [one.tobytes() for one in drawn]
    assert len({bare, *pixels}) == len(SAMPLES) + 1
