"""A piece that the camera sees on another space: what the players are told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine.app_service import AppService
from companion.engine.move_queue import MoveQueue
from companion.engine.moved_piece import cell_move
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.games.api.prompt import Prompt, TargetCell
from companion.geometry.grid.placing import cell_middle
from companion.library.kept_game import begin_practice
from companion.session.session import Session
from companion.vision.track.table_tracker import TrayMoved
from models import Pose
from tests.app.bare import no_triangles


@pytest.mark.rule("BOW-RET-2")
def test_a_hand_carries_out_the_retreat_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "practice.game"
    with Session.open(path) as session:
        begin_practice(session, "westeros", path)
        client = Client(RunningGame(session), None)
        client.view()
        snapshot, table = client.snapshot(), client.snapshot().gridded
        assert table is not None
        unit, other = table.pieces[0], table.pieces[1]
        assert unit.cell is not None
        goal = (unit.cell[0], unit.cell[1] + 1)
        step = {"do": "retreat", "to": f"{goal[0]},{goal[1]}"}
        prompt = Prompt("retreat", "", cells=(TargetCell(goal, (step,)),), mover=unit.id)
        assert snapshot.view is not None
        snapshot = replace(snapshot, view=replace(snapshot.view, prompts=(prompt,)))
        spot = Pose(*cell_middle(table.board, goal), 0.0)
        found = cell_move(snapshot, table, unit.id, spot, ())
        assert found is not None
        assert (found.legal, found.cells[0].commands) == (True, (step,))
        found = cell_move(snapshot, table, other.id, spot, ())
        assert found is not None
        assert not found.legal, "only the unit that retreats"


@pytest.mark.rule("TAC-MOV-1")
def test_a_figure_moved_too_far_by_hand_is_told_why_it_goes_back(tmp_path: Path) -> None:
    path = tmp_path / "practice.game"
    with Session.open(path) as session:
        begin_practice(session, "tactics", path)
        client = Client(RunningGame(session), None)
        client.view()
        first = client.snapshot().prompts[0].pieces[0]
        session.answer({"do": "activate", "figure": first})
        client.view()
        snapshot = client.snapshot()
        table = snapshot.gridded
        assert table is not None
        side = table.piece(first).side
        other = next(one.id for one in table.pieces if one.side != side and one.size == 1)
        spot = Pose(*cell_middle(table.board, (3, 6)), 0.0)
        for piece, why in ((first, "too far: by"), (other, "It is the turn of")):
            found = cell_move(snapshot, table, piece, spot, ())
            assert found is not None
            assert str(found.detail).startswith(why)
            assert str(found.detail).endswith("Put it back.")


@pytest.mark.rule("TAC-MOV-1")
def test_a_figure_moved_before_it_is_activated_may_be_activated_by_that(tmp_path: Path) -> None:
    made = AppService(tmp_path, no_triangles)
    try:
        made.ask(lambda: made.controller.start_practice("tactics"))
        assert made.settle()
        game = made.controller.game
        first = made.snapshot.prompts[0].pieces[0]
        assert not any(one.cells for one in game.offers(first)), "nobody has activated it"
        reach = next(one for one in game.offers_by_hand(first) if one.cells and not one.target)
        goal, table = reach.cells[0].cell, made.snapshot.gridded
        assert table is not None
        before = table.piece(first).cell
        spot = Pose(*cell_middle(table.board, goal, table.piece(first).size), 0.0)
        event = TrayMoved(first, spot, spot, 0.0, 1.0)
        made.ask(lambda: made.controller.moves.handle_move(event))
        assert made.settle()
        (asked,) = made.snapshot.cell_moves
        assert asked.legal
        assert "activated" in str(asked.detail)
        made.ask(lambda: made.controller.moves.place_piece(first, goal))
        assert made.settle()
        table = made.snapshot.gridded
        assert table is not None
        assert table.piece(first).cell == goal
        made.do({"do": "undo"})
        assert made.settle()
        table = made.snapshot.gridded
        assert table is not None
        assert table.piece(first).cell == before, "one step"
        # Put back was tapped and not done: once it is activated, it is asked about again.
        fit = SimpleNamespace(pose=spot)
        stands = SimpleNamespace(unit=first, condition="settled", fit=fit)
        live = SimpleNamespace(sight="live", standings=(stands,))
        cameras: Any = SimpleNamespace(live=live, practice_source=None)
        queue = MoveQueue(game, cameras, made.controller.do)
        queue.look_at_acting()
        assert not list(made.snapshot.cell_moves)
        made.do({"do": "activate", "figure": first})
        assert made.settle()
        queue.look_at_acting()
        (asked,) = made.snapshot.cell_moves
        assert asked.legal
        table = made.snapshot.gridded
        assert table is not None
        assert table.piece(first).cell == before, "asked, as the game may be right"
    finally:
        made.close()
