"""What is drawn around a selected piece: nothing of what it could do before it acted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine.drawing.game_overlay import GameOverlay
from companion.engine.snapshot import Snapshot
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import ActionOffer, Prompt, TargetCell
from companion.games.api.screen_views import PieceView
from companion.session.game_view import GameView
from models.board import Board
from models.board_table import BoardPiece, BoardTable


@pytest.mark.parametrize(
    ("state", "drawn"), [("ready", True), ("acting", True), ("spent", False), ("lost", False)]
)
def test_a_unit_that_has_acted_draws_no_reach(state: Any, drawn: bool) -> None:
    piece = PieceView("b1", "Sworn Swords", "Sworn Swords", "blue", state=state)
    prompts = (Prompt("action", "Which action?"),)
    view = GameView((SeatView("blue", "Anna", 1),), ("blue",), prompts=prompts, pieces=(piece,))
    game = SimpleNamespace(snapshot=Snapshot(view=view))
    overlay: Any = SimpleNamespace(_game=game, decided_moves=lambda _piece: frozenset())
    assert GameOverlay.may_act(overlay, "b1") is drawn


@pytest.mark.parametrize(("state", "drawn"), [("ready", "b1"), ("acting", None)])
def test_a_piece_that_acts_on_a_board_leaves_no_moves_drawn(state: Any, drawn: str | None) -> None:
    """While it rolls, retreats or pursues, only what is asked is marked."""
    table = BoardTable("toy", Board("square", 6, 6, 1.0), (BoardPiece("b1", "blue", cell=(1, 1)),))
    piece = PieceView("b1", "Riders", "Riders", "blue", state=state)
    view = GameView((SeatView("blue", "Anna", 1),), ("blue",), pieces=(piece,))
    shot = Snapshot(view=view, table=table, chosen="b1")
    overlay: Any = SimpleNamespace(_game=SimpleNamespace(snapshot=shot))
    assert GameOverlay.looked_at(overlay, table) == drawn


@pytest.mark.parametrize(("by_row", "drawn"), [(True, "b1"), (False, None)])
def test_cells_that_are_picked_by_their_row_hide_no_reach(by_row: bool, drawn: str | None) -> None:
    """A commander's card that sets a fire is aimed at hexes, too: its range was not drawn."""
    table = BoardTable("toy", Board("square", 6, 6, 1.0), (BoardPiece("b1", "blue", cell=(1, 1)),))
    view = GameView(
        (SeatView("blue", "Anna", 1),), ("blue",), pieces=(PieceView("b1", "R", "R", "blue"),)
    )
    offer = ActionOffer("drop", "Fire", (), "b1", cells=(TargetCell((2, 2), ()),), by_row=by_row)
    shot = Snapshot(view=view, table=table, chosen="b1", offers=(offer,))
    overlay: Any = SimpleNamespace(_game=SimpleNamespace(snapshot=shot))
    assert GameOverlay.looked_at(overlay, table) == drawn
