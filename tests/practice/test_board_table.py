"""A board with figures through the whole chain: rendered, looked at, on its cells."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bench.boards import KINDS, BoardTally, count_frame, random_board
from calibration.printing.piece_sheets import FIGURE_TAG_MM
from calibration.setup import Setup
from companion import games
from companion.cli.program import main
from companion.practice.camera import PracticeCamera
from companion.practice.game_table import BoardScene, CrowdedBoard, board_scene
from companion.session.game_lookup import find_screen
from companion.vision.look import look, seen_board
from companion.vision.sources.frame import CameraFrame
from models.board import Board, Cell
from models.board_table import BoardPiece, BoardTable, Measured
from models.pose import Pose

WALLED = BoardTable(
    "tactics",
    Board("square", 7, 7, 1.25, ground={(3, 2): ("blocked-x",)}),
    (
        BoardPiece("b1", "blue", cell=(1, 1)),
        BoardPiece("b2", "blue", cell=(3, 3)),
        BoardPiece("r1", "red", cell=(4, 4), size=2),
    ),
)


@cache
def scene() -> BoardScene:
    return board_scene(WALLED, seed=2)


@cache
def camera() -> PracticeCamera:
    return PracticeCamera(scene().setup, scene().view, board=scene().board)


def with_one_at(name: str, x: float, y: float) -> BoardScene:
    """The scene with one figure elsewhere on the table."""
    table = scene().table
    return replace(scene(), table=table.moved(name, Pose(x, y, table.unit(name).pose.heading)))


def cells_in_picture(shown: BoardScene) -> dict[str, dict[Cell, float]]:
    """The cells that the game finds in a picture of the scene."""
    picture, _ = camera().frame(shown.table)
    sight = look(CameraFrame(picture, name="picture"), shown.setup)
    assert sight.problems == ()
    seen = seen_board(sight.trays, shown.pieces)
    return {name: dict(found) for name, found in games.find("tactics").cells(seen).items()}


def test_24_figures_are_found_on_their_cells() -> None:
    tally = BoardTally()
    full = board_scene(random_board(7), seed=7)
    over = PracticeCamera(full.setup, full.view, board=full.board)
    count_frame(tally, full, over, 0)
    assert (tally.figures, tally.wrong, tally.asked) == (24, 0, 0)
    assert tally.found == 24


def test_34_units_with_tags_on_banner_poles_are_found_on_their_hexes() -> None:
    tally, kind = BoardTally(), KINDS["westeros"]
    full = kind.scene(kind.table(4), 4)
    assert full.setup.trays[0].tags[0].size_mm == FIGURE_TAG_MM
    over = PracticeCamera(full.setup, full.view, board=full.board)
    count_frame(tally, full, over, 0)
    assert (tally.figures, tally.found, tally.wrong) == (34, 34, 0)


@pytest.mark.rule("TAC-GRD-7")
@pytest.mark.rule("TAC-GRD-8")
def test_every_figure_stands_on_one_cell() -> None:
    found = cells_in_picture(scene())
    assert found == {"b1": {(1, 1): 1.0}, "b2": {(3, 3): 1.0}, "r1": {(4, 4): 1.0}}


def test_a_figure_between_two_cells_is_asked_about() -> None:
    x, y = scene().board.middle((1, 1))
    found = cells_in_picture(with_one_at("b1", x + 0.6, y))
    assert set(found["b1"]) == {(1, 1), (2, 1)}
    assert sum(found["b1"].values()) == pytest.approx(1.0)
    assert len(found["b2"]) == len(found["r1"]) == 1


@pytest.mark.rule("TAC-SPC-7")
def test_a_blocked_cell_is_no_candidate() -> None:
    x, y = scene().board.middle((3, 3))
    found = cells_in_picture(with_one_at("b2", x, y - 0.55))
    assert found["b2"] == {(3, 3): 1.0}


def test_only_answers_that_differ_are_unsure() -> None:
    board = replace(WALLED.board, at=(3.0, 3.0))
    x, y = board.middle((1, 1))
    between = replace(WALLED.pieces[0], cell=None, measured=Measured(x + 0.62, y, 0.13))
    table = replace(WALLED, board=board, pieces=(between, *WALLED.pieces[1:]))
    report = games.find("tactics").report(table).to_json("t")["pieces"]
    assert report["b1"]["cells"].keys() == {"1,1", "2,1"}
    assert report["b1"]["sees"]["r1"]["answer"] != "unsure"
    assert report["r1"]["sees"]["b2"]["answer"] == "yes"
    assert any(one.get("answer") == "unsure" for one in report["b1"]["reach"].values())


def test_no_measured_figure_becomes_certain_because_there_are_many() -> None:
    board = Board("square", 20, 4, 1.25, (0.0, 0.0))
    pieces = tuple(
        BoardPiece(f"b{n}", "blue", measured=Measured(2.5 * n + 1.25, 1.875, 0.2)) for n in range(8)
    )
    found = games.find("tactics").cells(BoardTable("tactics", board, pieces))
    assert all(len(cells) > 1 for cells in found.values())


def test_more_figures_than_tags_of_the_small_dictionary() -> None:
    full = board_scene(random_board(3, figures=48, large=2), seed=3)
    assert full.setup.dictionary == "DICT_4X4_250"
    assert len(full.setup.trays) == 48
    board = Board("square", 60, 60, 1.25)
    pieces = tuple(BoardPiece(f"b{n}", "blue", cell=(n % 60, n // 60)) for n in range(300))
    with pytest.raises(CrowdedBoard, match="300 figures, but only 238 tags"):
        board_scene(BoardTable("tactics", board, pieces))


def test_references_lie_outside_the_board() -> None:
    for reference in scene().setup.references:
        half = reference.size_in / 2
        at, far = scene().board.at, 7 * 1.25
        assert at is not None
        assert not (
            at[0] - half < reference.x < at[0] + far + half
            and at[1] - half < reference.y < at[1] + far + half
        )


def test_a_round_base_in_the_set_up_file() -> None:
    again = Setup.parse(scene().setup.text())
    assert again == scene().setup
    assert again.trays[0].tray.round
    assert not Setup.parse(
        'format = "table-companion/setup/1"\n[[tray]]\nunit = "b1"\n'
        "tray = { width = 2.0, depth = 2.0 }\n[[tray.tag]]\nid = 12\nsize_mm = 12\n"
    ).trays[0].tray.round  # fmt: skip


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "a.table.json"
    table.write_text(WALLED.text(), encoding="utf-8")
    assert main(["practice", str(table), "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    asked = ["look", str(tmp_path / "practice.png"), "--setup"]
    asked += [str(tmp_path / "practice.setup.toml"), "--units"]
    assert main([*asked, str(tmp_path / "practice.table.json"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["id"]: list(one["cells"]) for one in told["pieces"]} == {
        "b1": ["1,1"], "b2": ["3,3"], "r1": ["4,4"],
    }  # fmt: skip
    assert told["asks"] == []
    assert main([*asked, str(table)]) == 2
    assert "board.at: is missing" in capsys.readouterr().err


@pytest.mark.parametrize("game", ["tactics", "westeros"])
def test_pieces_of_a_board_carry_the_tags_that_the_sheets_print(game: str) -> None:
    space = find_screen(game).space(game)
    assert {one.tags_mm[0] for one in space.pieces} == {FIGURE_TAG_MM}
    assert space.smallest_tag_mm == FIGURE_TAG_MM, "the practice table has them too"
