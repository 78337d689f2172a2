"""A piece that the camera sees on another space: what the players are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine import move_queue
from companion.engine.app_service import AppService
from companion.engine.move_queue import MoveQueue
from companion.engine.moves.cell_moves import cell_move, still_open
from companion.engine.moves.cell_ways import way_name
from companion.engine.open_game import OpenGame
from companion.engine.posting import post
from companion.engine.snapshot import CellMove
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.selection import urgent_card
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, Choice, Prompt, TargetCell
from companion.geometry.grid.grids import HexGrid
from companion.geometry.grid.placing import cell_middle
from companion.library.kept_game import begin_practice
from companion.session.game_lookup import find_screen
from companion.session.game_view import public_view
from companion.session.session import Session
from companion.vision.track.table_tracker import TrayMoved
from models import Pose, Table
from models.board import Cell
from models.board_table import BoardTable
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
        wrong = Pose(*cell_middle(table.board, (goal[0], goal[1] + 2)), 0.0)
        found = cell_move(snapshot, table, unit.id, wrong, ())
        assert found is not None
        assert not found.legal, "never taken for it"
        assert "marked" in str(found.detail)
        assert [one.cell for one in found.cells] == [goal], "where it goes is shown"
        question = replace(prompt, cells=(), mover="", choices=(Choice("Ignore", (step,)),))
        found = cell_move(replace(snapshot, view=None), table, unit.id, wrong, ())
        assert found is not None
        asked = replace(snapshot, cell_moves=(found,))
        assert urgent_card(asked, question, False, False, False) == "prompt", "the question stays"
        assert urgent_card(asked, None, False, False, False) == "cell-move"


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
        for piece, why in ((first, "Too far: by"), (other, "It is the turn of")):
            found = cell_move(snapshot, table, piece, spot, ())
            assert found is not None
            assert str(found.detail).startswith(why)
            assert str(found.detail).endswith("Put it back.")


def test_who_may_stand_there_is_asked_before_a_piece_that_stands_wrong(tmp_path: Path) -> None:
    made = AppService(tmp_path, no_triangles)
    try:
        made.ask(lambda: made.controller.start_practice("tactics"))
        assert made.settle()
        game, table = made.controller.game, made.snapshot.gridded
        assert table is not None
        first = made.snapshot.prompts[0].pieces[0]
        side = table.piece(first).side
        foe = next(one for one in table.pieces if one.side != side and one.size == 1)
        reach = next(one for one in game.offers_by_hand(first) if one.cells and not one.target)
        for piece, goal in ((foe.id, reach.cells[1].cell), (first, reach.cells[0].cell)):
            spot = Pose(*cell_middle(table.board, goal, table.piece(piece).size), 0.0)
            event = TrayMoved(piece, spot, spot, 0.0, 1.0)
            made.ask(partial(made.controller.moves.handle_move, event))
            assert made.settle()
        asked = made.snapshot.cell_moves
        assert [one.piece for one in asked] == [first, foe.id]
        assert [one.legal for one in asked] == [True, False]
    finally:
        made.close()


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
        assert [str(way.text) for way in asked.ways] == ["Activate"]
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


class Hand:
    """The practice battle of a board under a real camera, and a hand that puts pieces down."""

    def __init__(self, folder: Path, game: str = "westeros") -> None:
        self.game = OpenGame(folder)
        first, *others = find_screen(game).practice(game)
        assert self.game.start(first, "board")
        self.cameras: Any = SimpleNamespace(
            live=SimpleNamespace(sight="live", standings=()), practice_source=None
        )
        cameras: Any = self.cameras
        self.queue = MoveQueue(self.game, cameras, self.send)
        self.send(others)
        while not self.orders():
            self.send([self.session.state()["pending"][0]["options"][0]])
        self.unit = self.orders()[0].piece
        self.start = self.cell

    @property
    def session(self) -> Session:
        assert self.game.session is not None
        return self.game.session

    @property
    def table(self) -> BoardTable:
        assert self.game.snapshot.gridded is not None
        return self.game.snapshot.gridded

    @property
    def cell(self) -> Cell:
        """Where the game has the unit."""
        found = self.table.piece(self.unit).cell
        assert found is not None
        return found

    @property
    def asked(self) -> CellMove:
        (found,) = self.game.snapshot.cell_moves
        return found

    @property
    def steps(self) -> int:
        return sum(1 for _ in self.session.history.now.down())

    def send(self, commands: Sequence[Plain], joins: bool = False) -> None:
        assert post(self.session, tuple(dict(one) for one in commands), joins=joins).done, commands
        here, screen = self.game.here, self.game.screen
        if here is not None and here.play is not None and screen is not None:
            table = here.play.moment(here.state).table
            assert isinstance(table, BoardTable)
            moves = still_open(self.game.snapshot.cell_moves, table)
            self.game.publish(table=table, view=public_view(screen, here), cell_moves=moves)

    def orders(self) -> list[ActionOffer]:
        """Every order that may be given now."""
        table = self.game.snapshot.gridded
        pieces = table.pieces if table is not None else ()
        offers = (one for piece in pieces for one in self.game.offers(piece.id))
        return [one for one in offers if one.begins and one.possible]

    def reach(self) -> list[Cell]:
        """Where the unit may go by one order, the nearest first."""
        found = self.game.offers_by_hand(self.unit)
        cells = {way.cell for one in found if way_name(one) for way in one.cells}
        return sorted(cells, key=lambda cell: HexGrid.distance(self.start, cell))

    def put(self, cell: Cell) -> None:
        """Put the unit on a cell; the camera sees it."""
        spot = Pose(*cell_middle(self.table.board, cell), 0.0)
        self.queue.handle_move(TrayMoved(self.unit, spot, spot, 0.0, 1.0))


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    found = Hand(tmp_path)
    yield found
    found.session.close()


@pytest.mark.rule("BOW-ORD-1")
def test_a_unit_moved_before_its_order_is_ordered_by_a_button_for_each_way(hand: Hand) -> None:
    ways = [str(one.text) for one in hand.orders() if one.piece == hand.unit]
    goal = hand.reach()[0]
    hand.put(goal)
    assert hand.asked.legal
    assert "cannot" not in str(hand.asked.detail)
    assert [str(way.text) for way in hand.asked.ways] == ways
    hand.queue.place_piece(hand.unit, goal, len(ways) - 1)
    assert hand.cell == goal


@pytest.mark.rule("BOW-MOV-1")
def test_a_unit_set_down_on_its_way_goes_on_or_back_as_the_same_move(hand: Hand) -> None:
    near, *_, far = hand.reach()
    before = hand.session.history.now.seq
    hand.put(near)
    hand.queue.place_piece(hand.unit, near)
    steps = hand.steps
    hand.put(far)
    assert hand.cell == far
    assert hand.steps == steps, "one move, not two"
    hand.put(hand.start)
    assert hand.cell == hand.start
    assert hand.session.history.now.seq == before, "as if nothing had happened"
    told = str(hand.queue._game.snapshot.message.text)
    assert told.endswith("is back: its move is undone"), "but never without a word"


def test_put_back_that_nobody_does_is_asked_about_again_when_it_acts(hand: Hand) -> None:
    hand.put(hand.reach()[0])
    pose = hand.asked.pose
    hand.queue.place_piece(hand.unit, None)
    assert not hand.game.snapshot.cell_moves
    stands = SimpleNamespace(unit=hand.unit, condition="settled", fit=SimpleNamespace(pose=pose))
    hand.cameras.live = SimpleNamespace(sight="live", standings=(stands,))
    hand.send([{"do": "note", "text": "we talk"}])
    hand.queue.judge_again()
    assert not hand.game.snapshot.cell_moves, "an answered card stays away"
    assert [one.piece for one in hand.game.snapshot.astray] == [hand.unit], "but it is marked"
    hand.send(next(one for one in hand.orders() if one.piece == hand.unit).commands)
    hand.queue.judge_again()
    assert hand.asked.piece == hand.unit, "picture and game disagree"
    hand.queue.place_piece(hand.unit, None)
    back = Pose(*cell_middle(hand.table.board, hand.start), 0.0)
    stands.fit = SimpleNamespace(pose=back)
    hand.queue.judge_again()
    assert not hand.game.snapshot.cell_moves


@pytest.mark.rule("TAC-RND-2")
def test_who_is_moved_when_the_other_has_nothing_left_ends_that_activation_too(
    tmp_path: Path,
) -> None:
    hand = Hand(tmp_path, "tactics")
    try:
        hand.unit = "b4"
        hand.send([{"do": "activate", "figure": "b4"}])
        other = next(one.id for one in hand.table.pieces if one.side == "red" and one.size == 1)
        early = [way for one in hand.game.offers_by_hand(other) for way in one.cells]
        acts = next(one.name for one in hand.game.snapshot.pieces if one.id == "b4")
        assert {str(one.detail) for one in early} == {f"{acts}: End the activation, Activate"}
        for _ in range(2):
            move = next(one for one in hand.game.offers("b4") if one.cells and not one.target)
            hand.send(move.cells[0].commands)
        assert [str(one.text) for one in hand.game.offers("b4") if one.possible] == [
            "End the activation"
        ]
        ways = [way for one in hand.game.offers_by_hand(other) for way in one.cells]
        assert {str(one.detail) for one in ways} == {"End the activation, Activate"}
        hand.unit = other
        hand.put(ways[0].cell)
        assert hand.asked.legal
        hand.queue.place_piece(other, ways[0].cell)
        assert hand.cell == ways[0].cell
    finally:
        hand.session.close()


@pytest.mark.rule("BOW-CRD-9")
def test_after_a_command_card_the_next_hand_ends_its_turn_too(hand: Hand) -> None:
    """The ordered units have nothing left to do: what the other house moves then counts."""
    options = hand.session.state()["pending"][0]["options"]
    card = next(one for one in options if one["do"] == "card")
    hand.send([card])
    named = hand.session.state()["pending"][0]["options"]
    naming = max((one for one in named if one.get("units")), key=lambda one: len(one["units"]))
    hand.send([naming])
    ordered = naming["units"]
    for hand.unit in ordered:
        assert hand.reach()
        move = next(one for one in hand.game.offers(hand.unit) if one.kind == "maneuver")
        hand.send(move.cells[0].commands)
    assert [str(one.text) for one in hand.game.snapshot.prompts[0].choices] == ["End the turn"]
    side, moved = hand.table.piece(hand.unit).side, []
    for foe in (one for one in hand.table.pieces if one.side != side):
        hand.unit, hand.start = foe.id, foe.cell or (0, 0)
        moved += [foe.id] if hand.reach() else []
    hand.unit = moved[-1]
    goal = hand.reach()[0]
    hand.put(goal)
    assert hand.asked.legal
    assert all(str(way.text).startswith("End the turn") for way in hand.asked.ways)
    hand.queue.place_piece(hand.unit, goal)
    assert hand.cell == goal


@pytest.mark.rule("TAC-MOV-1")
def test_a_figure_set_down_in_fire_to_count_is_asked_about(tmp_path: Path) -> None:
    """It goes on through the fire as one Move; a wound that nobody meant is not booked."""
    hand = Hand(tmp_path, "tactics")
    try:
        for piece in hand.game.snapshot.prompts[0].pieces:
            hand.send([{"do": "activate", "figure": piece}])
            move = next(one for one in hand.game.offers(piece) if one.kind == "maneuver")
            if {"danger", ""} <= {one.mark for one in move.cells}:
                break
            hand.send([{"do": "undo"}])
        hand.unit = piece
        start = hand.cell
        fire, plain = (next(one for one in move.cells if one.mark == m) for m in ("danger", ""))
        hand.put(fire.cell)
        assert (hand.cell, hand.asked.legal) == (start, True), "it waits for a tap"
        hand.put(plain.cell)
        assert hand.cell == plain.cell, "one Move to where it was going"
        hand.send([{"do": "undo"}])
        assert hand.cell == start, "one step, not two"
    finally:
        hand.session.close()


@pytest.mark.rule("TAC-MOV-1")
def test_a_figure_set_down_step_by_step_makes_one_move(tmp_path: Path) -> None:
    hand = Hand(tmp_path, "tactics")
    try:
        hand.unit = "b4"
        start = hand.cell
        hand.send([{"do": "activate", "figure": "b4"}])
        move = next(one for one in hand.game.offers("b4") if one.cells and not one.target)
        by_cost = {str(one.text): one.cell for one in move.cells}
        hand.put(by_cost["1"])
        steps = hand.steps
        for spaces in ("2", "3"):
            hand.put(by_cost[spaces])
            hand.queue.place_piece("b4", by_cost[spaces])
            assert hand.cell == by_cost[spaces]
            assert hand.steps == steps, "still the first move"
        hand.send([{"do": "undo"}])
        assert hand.cell == start, "the move, and only it"
    finally:
        hand.session.close()


@pytest.mark.rule("TAC-MOV-1", "TAC-ACT-1")
def test_a_second_hand_may_be_the_same_move_or_another_one(tmp_path: Path) -> None:
    """It was taken for the same Move, and an action point came back that nobody had asked for."""
    hand = Hand(tmp_path, "tactics")
    try:
        hand.unit = "b4"
        start = hand.cell
        hand.send([{"do": "activate", "figure": "b4"}])
        move = next(one for one in hand.game.offers("b4") if one.cells and not one.target)
        near, far = (next(one.cell for one in move.cells if str(one.text) == n) for n in "13")
        hand.put(near)
        points = hand.session.state()["acting"]["ap"]
        hand.put(start)
        assert str(hand.asked.ways[0].text) == "The move is taken back"
        hand.put(far)
        assert hand.cell == near, "nothing is recorded before it is asked"
        assert [str(way.text) for way in hand.asked.ways] == [
            "The same action goes on: 3 spaces",
            "One action more: 2 spaces",
        ]
        assert str(hand.asked.detail) == "Which action was it?"
        hand.queue.place_piece("b4", far, 1)
        assert hand.cell == far
        assert hand.session.state()["acting"]["ap"] == points - 1
        hand.put(near)
        assert hand.cell == near, "nothing else explains it: no action point is left"
    finally:
        hand.session.close()


@pytest.mark.rule("TAC-MOV-1", "TAC-ACT-1")
def test_too_far_is_measured_against_all_that_the_figure_may_still_do(tmp_path: Path) -> None:
    hand = Hand(tmp_path, "tactics")
    try:
        hand.unit = "b4"
        column, row = hand.cell
        hand.put((column, row + 7))
        assert str(hand.asked.detail).startswith("Too far for two Moves: by 1.")
        hand.send([{"do": "activate", "figure": "b4"}, {"do": "wait"}])
        hand.put((column, row + 7))
        assert str(hand.asked.detail).startswith("Too far: by 4")
    finally:
        hand.session.close()


def test_after_an_undo_a_unit_that_waits_is_judged_anew(hand: Hand) -> None:
    near, *_, far = hand.reach()
    hand.put(near)
    hand.queue.place_piece(hand.unit, near)
    hand.send([{"do": "note", "text": "we talk"}])
    hand.put(far)
    assert not hand.asked.legal, "its move is made"
    hand.send([{"do": "undo"}, {"do": "undo"}])
    hand.queue.judge_again()
    assert hand.asked.legal
    assert "cannot" not in str(hand.asked.detail)


def test_what_stands_elsewhere_after_an_undo_is_asked_about_in_a_while(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = hand.reach()[0]
    pose = Pose(*cell_middle(hand.table.board, goal), 0.0)
    stands = SimpleNamespace(unit=hand.unit, condition="settled", fit=SimpleNamespace(pose=pose))
    hand.cameras.live = SimpleNamespace(sight="live", standings=(stands,))
    hand.queue.move_trays({"do": "undo"})
    hand.queue.compare()
    assert not hand.game.snapshot.cell_moves, "a hand needs a moment"
    monkeypatch.setattr(move_queue, "PATIENCE_S", 0.0)
    hand.queue.move_trays({"do": "undo"})
    hand.queue.compare()
    assert hand.asked.piece == hand.unit
    hand.queue.place_piece(hand.unit, goal)
    hand.queue.compare()
    assert not hand.game.snapshot.cell_moves, "asked once"


@pytest.mark.rule("TMG-ACT-1")
def test_a_tray_that_nobody_put_back_is_marked_and_not_asked_about_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = OpenGame(tmp_path)
    first, *others = find_screen("tmg-2021").practice("tmg-2021")
    assert game.start(first, "table")
    assert game.session is not None
    for command in others:
        assert game.session.answer(dict(command))["ok"]
    here = game.here
    assert here is not None
    assert here.play is not None
    table = here.play.moment(here.state).table
    assert isinstance(table, Table)
    game.publish(table=table)
    unit = table.units[0]
    there = replace(unit.pose, y=unit.pose.y + 5.0)
    stands = SimpleNamespace(unit=unit.id, condition="settled", fit=SimpleNamespace(pose=there))
    cameras: Any = SimpleNamespace(
        live=SimpleNamespace(sight="live", standings=(stands,)),
        practice_source=None,
        carry=lambda *_: None,
    )
    queue = MoveQueue(game, cameras, lambda *_: None)
    queue.explain(unit.id, there)
    assert [one.unit for one in game.snapshot.notices] == [unit.id]
    queue.correct(unit.id)
    assert not game.snapshot.notices
    queue.judge_again()
    assert not game.snapshot.notices, "an answered card stays away"
    assert [one.piece for one in game.snapshot.astray] == [unit.id], "but it is marked"
    queue.intend(unit.id, "maneuver")
    queue.compare()
    assert not game.snapshot.notices, "nor when it is picked: no maneuver goes there"
    queue.intend("", "")
    monkeypatch.setattr(move_queue, "PATIENCE_S", 0.0)
    queue.compare()
    assert not game.snapshot.notices, "many that stand wrong do not go in circles"
    queue.intend(unit.id, "maneuver")
    stands.fit = SimpleNamespace(pose=unit.pose)
    queue.compare()
    assert not game.snapshot.notices
    game.session.close()
