"""Pieces that stand elsewhere than the game has them: marked, and asked about together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine import move_queue
from companion.engine.camera.camera_session import remembered
from companion.engine.turn.aimed_cells import aiming
from companion.engine.turn.card_view import CardMaker
from companion.engine.turn.handles import Handles
from companion.engine.turn.selection import urgent_card
from companion.engine.turn.turn_view import ViewMaker
from companion.geometry.grid.grids import HexGrid
from companion.geometry.grid.placing import cell_middle
from companion.overlay.shapes import Label
from companion.vision.track.table_tracker import TrayMoved
from models import Pose
from models.board import Cell
from tests.engine.moves.test_cell_moves import Hand


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    found = Hand(tmp_path)
    yield found
    found.session.close()


def standing(piece: str, pose: Pose) -> Any:
    """A piece that stands still before the camera."""
    return SimpleNamespace(unit=piece, condition="settled", fit=SimpleNamespace(pose=pose))


class Knocked:
    """The practice battle of Tactics after somebody has knocked at the table: some figures stand
    one space beside where the game has them."""

    def __init__(self, hand: Hand, count: int = 4) -> None:
        self.hand, board = hand, hand.table.board
        taken = {one.cell for one in hand.table.pieces}
        self.spots: dict[str, Cell] = {}
        for one in hand.table.pieces:
            if one.size > 1 or one.cell is None or len(self.spots) == count:
                continue
            beside = (one.cell[0], one.cell[1] + 2)
            if beside in board and beside not in taken:
                self.spots[one.id] = beside
                taken.add(beside)
        self.stand(self.spots)
        for piece, cell in self.spots.items():
            self.put(piece, cell)

    def put(self, piece: str, cell: Cell) -> None:
        spot = Pose(*cell_middle(self.hand.table.board, cell), 0.0)
        self.hand.queue.handle_move(TrayMoved(piece, spot, spot, 0.0, 1.0))

    def stand(self, spots: Mapping[str, Cell]) -> None:
        board = self.hand.table.board
        found = (standing(one, Pose(*cell_middle(board, at), 0.0)) for one, at in spots.items())
        self.hand.cameras.live = SimpleNamespace(sight="live", standings=tuple(found))

    @property
    def asked(self) -> list[str]:
        return [one.piece for one in self.hand.game.snapshot.cell_moves]

    @property
    def marked(self) -> list[str]:
        return [one.piece for one in self.hand.game.snapshot.astray]


@pytest.fixture
def knocked(tmp_path: Path) -> Iterator[Knocked]:
    hand = Hand(tmp_path, "tactics")
    yield Knocked(hand)
    hand.session.close()


def test_several_that_stand_elsewhere_are_one_question(knocked: Knocked) -> None:
    hand, pieces = knocked.hand, list(knocked.spots)
    assert knocked.asked == pieces
    snapshot = hand.game.snapshot
    assert urgent_card(snapshot, None, False, False, False) == "astray"
    view = CardMaker(ViewMaker(snapshot, Handles(), str, None, True)).card()
    assert view.prompt.title == "4 pieces stand elsewhere"
    names = ["all-back", "all-correct", "all-later"]
    assert [one.name for one in view.prompt.choices] == names
    assert [one.title for one in view.moves] == [snapshot.name(one) for one in pieces]
    assert not list(aiming(snapshot, None)), "no place is green"
    hand.queue.decide_all("later")
    hand.queue.compare()
    assert not knocked.asked
    assert knocked.marked == pieces, "never silent and unmarked"
    hand.queue.judge_again()
    assert not knocked.asked, "nobody is asked round and round"
    knocked.put(pieces[0], knocked.spots[pieces[0]])
    assert knocked.asked == pieces[:1], "moved again"


def test_two_that_stand_wrong_are_one_question_and_who_may_stand_there_is_not_one_of_them(
    knocked: Knocked,
) -> None:
    snapshot = knocked.hand.game.snapshot
    right, second, *_ = snapshot.cell_moves
    assert right.answerable
    wrong = replace(right, cells=(), ways=())
    for two, card in (((wrong, second), "cell-move"), ((wrong, wrong), "astray")):
        shown = replace(snapshot, cell_moves=two)
        assert urgent_card(shown, None, False, False, False) == card


def test_one_piece_that_stands_wrong_waits_until_it_is_moved(knocked: Knocked) -> None:
    hand, (first, *others) = knocked.hand, list(knocked.spots)
    for piece in others:
        hand.queue.later(piece)
    (moved,) = hand.game.snapshot.cell_moves
    hand.game.publish(cell_moves=(replace(moved, ways=()),))
    view = CardMaker(ViewMaker(hand.game.snapshot, Handles(), str, None, True)).card()
    assert (view.kind, view.prompt.id) == ("cell-move", first)
    names = ["accept", "correct", "later"]
    assert [one.name for one in view.prompt.choices] == names, "nothing costs in the last place"
    hand.queue.later(first)
    hand.queue.judge_again()
    assert not knocked.asked, "the turn goes on"
    assert first in knocked.marked, "never silent and unmarked"
    knocked.put(first, knocked.spots[first])
    assert knocked.asked == [first], "moved again"


@pytest.mark.rule("TAC-ACT-1")
def test_what_was_put_off_is_asked_about_once_it_may_stand_there(tmp_path: Path) -> None:
    hand = Hand(tmp_path, "tactics")
    try:
        knocked, turn = Knocked(hand, 0), [{"do": "activate", "figure": hand.unit}, {"do": "end"}]
        hand.send(turn)
        foe = hand.game.snapshot.prompts[0].pieces[0]
        assert hand.table.piece(foe).side != hand.table.piece(hand.unit).side
        reach = next(one for one in hand.game.offers_by_hand(foe) if one.cells and not one.target)
        hand.send([{"do": "undo", "count": len(turn)}])
        knocked.stand({foe: reach.cells[0].cell})
        knocked.put(foe, reach.cells[0].cell)
        assert not hand.asked.answerable
        hand.queue.decide_all("later")
        hand.queue.judge_again()
        assert not knocked.asked, "it may not stand there yet"
        hand.send(turn)
        hand.queue.judge_again()
        assert knocked.asked == [foe]
        assert hand.asked.answerable
        hand.queue.later(foe)
        hand.send([{"do": "note", "text": "we talk"}])
        hand.queue.judge_again()
        assert not knocked.asked, "put off though it may stand there"
    finally:
        hand.session.close()


@pytest.mark.rule("TAC-ACT-1")
def test_an_answered_card_does_not_come_back_in_its_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_queue, "PATIENCE_S", 0.0)
    hand = Hand(tmp_path, "tactics")
    try:
        side = hand.table.piece(hand.unit).side
        foe = next(one.id for one in hand.table.pieces if one.side != side and one.size == 1)
        knocked = Knocked(hand, 0)
        for piece in (foe, hand.unit):
            column, row = hand.table.piece(piece).cell or (0, 0)
            away = next(
                (column, row + step)
                for step in (2, -2, 3, -3)
                if (column, row + step) in hand.table.board
                and all(one.cell != (column, row + step) for one in hand.table.pieces)
            )
            knocked.stand({piece: away})
            knocked.put(piece, away)
            assert knocked.asked == [piece]
            hand.queue.place_piece(piece, None)
            hand.queue.compare()
            assert knocked.asked == [], "its arrow stays, and the turn goes on"
            assert knocked.marked == [piece]
    finally:
        hand.session.close()


def test_those_that_nobody_put_back_stay_marked_until_they_are(
    knocked: Knocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, pieces = knocked.hand, list(knocked.spots)
    hand.queue.decide_all("back")
    hand.queue.compare()
    assert not knocked.asked, "hands need a while"
    assert knocked.marked == pieces
    monkeypatch.setattr(move_queue, "PATIENCE_S", 0.0)
    hand.queue.judge_again()
    assert not knocked.asked, "an answered card stays away"
    assert knocked.marked == pieces
    places = {one.id: one.cell for one in hand.table.pieces if one.cell is not None}
    knocked.stand({one: places[one] for one in pieces})
    hand.queue.compare()
    assert (knocked.asked, knocked.marked) == ([], [])


@pytest.mark.rule("TAC-GRD-9")
def test_the_positions_of_all_are_corrected_in_one_step(knocked: Knocked) -> None:
    hand, spots = knocked.hand, knocked.spots
    before = {one.id: one.cell for one in hand.table.pieces}
    first, second, *_ = spots
    taken = before[first]
    assert taken is not None
    spots[second] = taken  # one stands where another stood
    knocked.stand(spots)
    knocked.put(second, taken)
    steps = hand.steps
    hand.queue.decide_all("correct")
    now = {one.id: one.cell for one in hand.table.pieces}
    assert now == before | spots
    assert not knocked.asked
    hand.send([{"do": "undo"}])
    assert {one.id: one.cell for one in hand.table.pieces} == before
    assert hand.steps == steps


def test_a_place_where_a_piece_may_not_stand_is_not_marked_as_one_to_go_to(hand: Hand) -> None:
    far = max(
        (one.cell for one in hand.table.pieces if one.cell is not None),
        key=lambda cell: HexGrid.distance(hand.start, cell),
    )
    free = (far[0], far[1] - 1) if far[1] else (far[0], far[1] + 1)
    hand.put(free)
    assert not hand.asked.legal
    assert [one.mark for one in hand.asked.cells] == ["barred"]


@pytest.mark.rule("BOW-MOV-6")
@pytest.mark.rule("BOW-TER-9")
def test_impassable_ground_is_told_and_asked_before_a_place_is_taken_over(hand: Hand) -> None:
    board, start, steps = hand.table.board, hand.start, hand.steps
    taken = {one.cell for one in hand.table.pieces}
    wet = (cell for cell, words in board.ground.items() if "river" in words)
    river = next(cell for cell in wet if cell not in taken)
    hand.put(river)
    assert "impassable" in str(hand.asked.barred)
    hand.queue.correct_places((hand.unit,))
    assert (hand.cell, hand.steps) == (start, steps), "nothing is taken over yet"
    view = CardMaker(ViewMaker(hand.game.snapshot, Handles(), str, None, True)).card()
    assert [one.text for one in view.prompt.facts] == [
        "Nothing may stand there: that terrain is impassable."
    ]
    assert [one.name for one in view.prompt.choices] == ["accept-barred", "correct", "later"]
    hand.queue.correct_places((hand.unit,))
    assert hand.cell == river, "the players decide"


@pytest.mark.rule("BOW-UNT-2")
def test_a_place_where_another_piece_stands_is_told_and_not_offered(hand: Hand) -> None:
    other = next(
        one.cell
        for one in hand.table.pieces
        if one.cell is not None and HexGrid.distance(hand.start, one.cell) > 4
    )
    hand.put(other)
    view = CardMaker(ViewMaker(hand.game.snapshot, Handles(), str, None, True)).card()
    assert view.prompt.facts[-1].text == "Another unit stands there"
    assert [one.name for one in view.prompt.choices] == ["correct", "later"]


@pytest.mark.rule("BOW-MOV-1")
def test_a_move_by_finger_that_no_hand_carries_out_is_asked_about(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal, start = hand.reach()[0], hand.start
    hand.put(goal)
    hand.queue.place_piece(hand.unit, goal)
    assert hand.cell == goal
    spot = Pose(*cell_middle(hand.table.board, start), 0.0)
    hand.cameras.live = SimpleNamespace(sight="live", standings=(standing(hand.unit, spot),))
    hand.queue.judge_again()
    assert not hand.game.snapshot.cell_moves, "the hand is on its way"
    assert [one.piece for one in hand.game.snapshot.astray] == [hand.unit], "but it is marked"
    monkeypatch.setattr(move_queue, "PATIENCE_S", 0.0)
    hand.queue.move_trays({"do": "redo"})
    hand.queue.compare()
    assert hand.asked.piece == hand.unit


@pytest.mark.rule("TAC-STA-6")
def test_a_lost_figure_that_still_stands_is_to_be_taken_off(tmp_path: Path) -> None:
    hand = Hand(tmp_path, "tactics")
    try:
        view = hand.game.snapshot.view
        assert view is not None
        lost = hand.table.pieces[0]
        there = Pose(*cell_middle(hand.table.board, (0, 0)), 0.0)
        pieces = tuple(
            replace(one, state="lost") if one.id == lost.id else one for one in view.pieces
        )
        left = tuple(one for one in hand.table.pieces if one is not lost)
        table = replace(hand.table, pieces=left)
        hand.game.publish(view=replace(view, pieces=pieces), table=table)
        hand.cameras.live = SimpleNamespace(sight="live", standings=(standing(lost.id, there),))
        hand.queue.compare()
        (marked,) = hand.game.snapshot.astray
        assert (marked.piece, marked.lost) == (lost.id, True)
        shapes = remembered(table, {}, (marked,)).shapes
        assert [one.text for one in shapes if isinstance(one, Label)] == ["take it off"]
        hand.cameras.live = SimpleNamespace(sight="live", standings=())
        hand.queue.compare()
        assert not hand.game.snapshot.astray
    finally:
        hand.session.close()
