"""While spaces of a board may be tapped: labels hide none of them, and what a tap on one means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.render.table_view import TableView
from companion.app.scripted.driver import Driver
from companion.geometry.grid.placing import cell_at
from companion.overlay.badge import HIDDEN
from models.board import Cell
from tests.app.conftest import opened

BEGUN: dict[str, list[dict[str, Any]]] = {
    "westeros": [
        {"do": "orders", "faces": ["B", "G", "G", "B"]},
        {"do": "orders", "faces": ["B", "G", "G", "B"]},
        {"do": "card", "unit": "l1", "tokens": [1], "units": ["l1", "l2"]},
    ],
    "tactics": [{"do": "activate", "figure": "b1"}],
}
MOVES = {"westeros": "l2", "tactics": "b1"}


@pytest.fixture(params=["westeros", "tactics"])
def marked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Driver]:
    """The practice board of a game on a small tablet, with the reach of a piece marked."""
    driver = opened(tmp_path)
    driver.app.view = "map"
    driver.press(f"practice:{request.param}")
    driver.until(lambda: driver.app.place == "table")
    driver.press_if("choice:begin")
    driver.app.service.do(*BEGUN[request.param])
    driver.rest()
    driver.until(lambda: driver.app.announcer.banner is None, 20)
    if driver.app.service.snapshot.chosen != MOVES[request.param]:
        driver.tap_unit(MOVES[request.param])
    driver.steps(12)
    yield driver
    driver.stop()


def pane_of(driver: Driver) -> TableView:
    (pane,) = driver.app.screen.panes
    return pane


def cell_under(pane: TableView, piece: str) -> Cell | None:
    """The cell under the middle of a label."""
    board = pane._snapshot.gridded
    here = pane.inches(*spot(pane, piece))
    return cell_at(board.board, *here) if board is not None and here is not None else None


def spot(pane: TableView, piece: str) -> tuple[float, float]:
    """The middle of a label in the window."""
    x, y = pane.chips._at
    left, down = pane.chips.placed[piece].box.centre
    return x + left, y + pane.chips.high - down


def test_every_marked_space_is_seen_and_a_label_is_its_piece(marked: Driver) -> None:
    """Four of the twelve hexes of a reach lay under labels, and a tap on the name of another unit
    that the same card orders put the first one under that name."""
    pane = pane_of(marked)
    aimed, chosen = pane.aimed_boxes(), marked.app.service.snapshot.chosen
    assert len(aimed) > 4
    labels = pane.chips.placed
    whole = {piece: one for piece, one in labels.items() if not one.light}
    assert len(whole) > len(labels) / 2
    for one in whole.values():
        assert all(one.box.common(box) <= HIDDEN * box.area for box in aimed)
    others = [piece for piece in whole if piece != chosen]
    over = [piece for piece in others if cell_under(pane, piece) in pane.marked_cells()]
    for piece in (*over, *others)[:3]:
        marked.touch(*spot(pane, piece))
        marked.rest()
        assert not marked.app.screen.mover.unit, "nothing is put under the name"
        assert marked.app.service.snapshot.chosen == piece
        marked.tap_unit(str(chosen))
        marked.steps(12)


def test_a_tap_goes_through_a_name_that_lets_a_space_show(marked: Driver) -> None:
    """Where a label finds no other room, only its name is written over the space."""
    pane = pane_of(marked)
    marks, board = pane.marked_cells(), pane._snapshot.gridded
    assert board is not None
    for piece, one in pane.chips.placed.items():
        box = one.box
        for share in (0.1, 0.3, 0.5, 0.7, 0.9):
            x, y = spot(pane, piece)
            here = pane.inches(x + (share - 0.5) * (box.right - box.left), y)
            cell = cell_at(board.board, *here) if here is not None else None
            if cell not in marks:
                continue
            x += (share - 0.5) * (box.right - box.left)
            meant = pane.badged((x, y), here)
            assert meant is not None
            at = cell_at(board.board, *meant)
            assert at == (cell if one.light else board.piece(piece).cell)
