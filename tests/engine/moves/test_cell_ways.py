"""What explains where a hand has put a piece: a move, a charge, two Moves in one go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.engine.moves.cell_ways import way_name
from companion.engine.turn.card_view import CardMaker
from companion.engine.turn.handles import Handles
from companion.engine.turn.turn_view import ViewMaker
from companion.games.api.prompt import ActionOffer
from companion.geometry.grid.placing import cell_middle
from models import Pose
from models.board import Cell
from tests.engine.moves.test_astray import standing
from tests.engine.moves.test_cell_moves import Hand


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    """A soldier that stands three spaces before an enemy."""
    found = Hand(tmp_path, "tactics")
    found.unit = "b4"
    found.send([{"do": "place", "figure": "r2", "to": "4,5"}])
    yield found
    found.session.close()


def charge(hand: Hand) -> ActionOffer:
    """The charge that costs no coins."""
    found = (one for one in hand.game.offers(hand.unit) if one.kind == "charge" and one.possible)
    return next(one for one in found if one.target == "r2")


def buttons(hand: Hand) -> list[tuple[str, str, str]]:
    view = CardMaker(ViewMaker(hand.game.snapshot, Handles(), str, None, True)).card()
    return [(one.name, str(one.text), one.look) for one in view.prompt.choices]


def far(hand: Hand) -> Cell:
    """A space that one Move does not reach and two do."""
    reach = {one.cell for offer in hand.game.offers("b4") for one in offer.cells}
    taken = {one.cell for one in hand.table.pieces}
    cells = ((column, row) for row in range(5, 8) for column in range(7))
    return next(one for one in cells if one not in reach | taken and hand.game.at_once("b4", one))


@pytest.mark.rule("TAC-CHG-1")
@pytest.mark.rule("TAC-MOV-1")
def test_a_hand_that_may_have_charged_or_moved_is_asked_which(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    start, goal = hand.cell, charge(hand).cells[0].cell
    hand.put(goal)
    assert hand.cell == start, "nothing is booked in silence"
    assert str(hand.asked.detail) == "Which action was it?"
    shown = buttons(hand)
    assert ("accept", "Move", "plain") in shown
    assert ("accept:1", "Charge Red Reaver", "plain") in shown, "no button is gold"
    hand.queue.place_piece("b4", goal, 1)
    assert hand.cell == goal
    asked = hand.session.state()["pending"][0]
    assert "attack" in str(asked), "the charge goes on with its attack"
    hand.send([{"do": "undo"}])
    hand.put(goal)
    hand.queue.place_piece("b4", goal, 0)
    assert hand.session.history.now.state.acting.ap == 1, "a Move costs one action point"


@pytest.mark.rule("TAC-CHG-1")
def test_who_picked_the_charge_before_is_not_asked(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    offer = charge(hand)
    hand.game.publish(chosen="b4")
    hand.queue.intend("b4", way_name(offer))
    hand.put(offer.cells[0].cell)
    assert not hand.game.snapshot.cell_moves
    assert hand.session.history.now.state.acting.ap == 0


@pytest.mark.rule("TAC-CHG-1")
def test_an_intention_ends_when_another_piece_is_selected(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    offer = charge(hand)
    hand.game.publish(chosen=None)
    hand.queue.intend("b4", way_name(offer))
    hand.put(offer.cells[0].cell)
    assert len(hand.asked.ways) > 1


@pytest.mark.rule("TAC-CHG-1")
def test_before_it_is_activated_the_same_is_asked(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    goal = charge(hand).cells[0].cell
    hand.send([{"do": "undo"}])
    hand.put(goal)
    texts = [text for _, text, _ in buttons(hand)]
    assert "Activate, Move" in texts
    assert "Activate, Charge Red Reaver" in texts
    hand.queue.place_piece("b4", goal, texts.index("Activate, Charge Red Reaver") - 1)
    assert hand.session.history.now.state.acting.ap == 0


@pytest.mark.rule("TAC-CHG-1")
def test_a_charge_set_down_on_its_way_is_asked_about_and_not_taken_for_a_move(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    goal, start, steps = charge(hand).cells[0].cell, hand.cell, hand.steps
    between = (start[0], start[1] + 1)
    hand.put(between)
    assert hand.cell == between, "a mere move"
    hand.put(goal)
    assert hand.cell == between
    assert [str(one.text) for one in hand.asked.ways][:2] == ["Move", "Charge Red Reaver"]
    hand.queue.place_piece("b4", goal, 1)
    assert (hand.cell, hand.steps) == (goal, steps + 1), "the move on the way is undone"


@pytest.mark.rule("TAC-MOV-8")
def test_two_moves_made_in_one_go_are_offered_as_both(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    start, steps, goal = hand.cell, hand.steps, far(hand)
    hand.put(goal)
    assert hand.cell == start, "it costs both action points: asked"
    assert ("accept", "Move twice", "primary") in buttons(hand)
    hand.queue.place_piece("b4", goal)
    assert (hand.cell, hand.steps) == (goal, steps + 1)
    assert hand.session.history.now.state.acting.ap == 0
    hand.send([{"do": "undo"}, {"do": "undo"}])
    hand.put(goal)
    assert ("accept", "Activate, Move twice", "primary") in buttons(hand)
    hand.queue.place_piece("b4", goal)
    assert hand.cell == goal


@pytest.mark.rule("TAC-MOV-1")
def test_two_moves_are_not_offered_to_who_has_one_action_point_left(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    goal = far(hand)
    hand.put((hand.cell[0], hand.cell[1] - 1))
    hand.send([{"do": "note", "text": "we talk"}])
    hand.put(goal)
    assert not any("twice" in str(one.text) for one in hand.asked.ways)


def stand(hand: Hand, cell: Cell) -> None:
    """The unit stands still on a cell before the camera."""
    spot = Pose(*cell_middle(hand.table.board, cell), 0.0)
    hand.cameras.live = SimpleNamespace(sight="live", standings=(standing(hand.unit, spot),))


@pytest.mark.rule("TAC-CHG-1")
def test_who_stands_where_the_picked_charge_ends_is_not_asked_before_the_button(
    hand: Hand,
) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    offer = charge(hand)
    stand(hand, offer.cells[0].cell)
    hand.queue.move_trays({"do": "undo"})
    hand.game.publish(chosen="b4")
    hand.queue.intend("b4", way_name(offer))
    hand.queue.compare()
    assert not hand.game.snapshot.cell_moves, "its button stays"
    hand.send([offer.cells[0].commands[0]])
    hand.queue.judge_again()
    assert not hand.game.snapshot.cell_moves
    assert hand.cell == offer.cells[0].cell


def test_an_answered_card_comes_back_when_its_piece_acts_alone(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    hand.unit = "b1"
    away = (hand.cell[0], hand.cell[1] + 1)
    stand(hand, away)
    hand.put(away)
    hand.queue.place_piece("b1", None)
    hand.send([{"do": "note", "text": "we talk"}])
    hand.queue.judge_again()
    assert not hand.game.snapshot.cell_moves, "it is marked, and covers nothing"
    assert [one.piece for one in hand.game.snapshot.astray] == ["b1"]
    hand.send([{"do": "undo"}, {"do": "undo"}])
    hand.queue.move_trays({"do": "undo"})
    hand.queue.judge_again()
    assert not hand.game.snapshot.cell_moves, "nor after an undo"
    hand.send([{"do": "activate", "figure": "b1"}])
    hand.queue.judge_again()
    assert hand.asked.piece == "b1", "it acts now"


@pytest.mark.rule("TAC-RND-2")
def test_no_gold_button_ends_anothers_turn_where_a_card_came_by_itself(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    for _ in range(2):
        move = next(one for one in hand.game.offers("b4") if one.kind == "maneuver")
        hand.send(move.cells[0].commands)
    hand.unit = "r4"
    ways = [way for one in hand.game.offers_by_hand(hand.unit) for way in one.cells]
    hand.put(ways[0].cell)
    shown = buttons(hand)
    assert ("accept", "End the activation, Activate", "plain") in shown
    assert [name for name, _, _ in shown][-1] == "later", "nothing costs in the last place"
    assert not [name for name, _, look in shown if look == "primary"]


def test_of_two_that_may_stand_there_who_is_in_turn_is_asked_first(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    goal = charge(hand).cells[0].cell
    hand.put(goal)
    (asked,) = hand.game.snapshot.cell_moves
    other = replace(asked, piece="b1")
    hand.game.publish(cell_moves=(other,))
    hand.put(goal)
    assert [one.piece for one in hand.game.snapshot.cell_moves] == ["b4", "b1"]


@pytest.mark.rule("TAC-TER-16")
def test_the_harm_of_a_space_is_told_before_a_hands_move_is_agreed_to(hand: Hand) -> None:
    """ "Activate" alone moved it into the fire and wounded it."""
    pieces = [one.id for one in hand.table.pieces]
    ways = (one for piece in pieces for one in hand.game.offers_by_hand(piece) if one.begins)
    harmful = [str(cell.detail) for one in ways for cell in one.cells if cell.mark == "danger"]
    assert harmful
    assert all(one.startswith("Activate · ") for one in harmful)


def prices(hand: Hand) -> dict[str, str]:
    """What stands under each button that keeps a hand's move."""
    view = CardMaker(ViewMaker(hand.game.snapshot, Handles(), str, None, True)).card()
    shown = view.prompt.choices
    return {str(one.text): str(one.detail) for one in shown if one.name.startswith("accept")}


@pytest.mark.rule("TAC-COI-5", "TAC-ACT-1", "TAC-MOV-1")
def test_a_hands_move_tells_what_it_costs(hand: Hand) -> None:
    hand.send([{"do": "activate", "figure": "b4"}])
    goal, further = charge(hand).cells[0].cell, far(hand)
    hand.put(goal)
    rows = {str(one.text): str(one.detail) for one in hand.game.offers("b4")}
    told = {"Move": "1 action point", "Charge Red Reaver": "2 action points"}
    assert prices(hand) == told, "what each of them costs"
    assert told.items() <= rows.items(), "in the words of its row"
    hand.send([{"do": "undo"}])
    hand.put(goal)
    assert prices(hand) == {
        "Activate, Move": "1 copper star, 1 action point",
        "Activate, Charge Red Reaver": "1 copper star, 2 action points",
    }
    hand.put(further)
    assert prices(hand) == {"Activate, Move twice": "1 copper star, 2 action points"}


@pytest.mark.rule("TAC-TER-16")
def test_a_move_into_harm_is_told_with_its_price_on_its_button(hand: Hand) -> None:
    """The figure acts already: "Keep" alone wounded it."""
    acting = ({"do": "activate", "figure": one} for one in ("b1", "b2", "b3", "b4", "b5"))
    for command in acting:
        hand.send([command])
        hand.unit = str(command["figure"])
        moves = (one for one in hand.game.offers(hand.unit) if one.kind == "maneuver")
        cells = [cell for one in moves for cell in one.cells if cell.mark == "danger"]
        if cells:
            hand.put(cells[0].cell)
            assert prices(hand) == {"Keep": f"1 action point · {cells[0].detail}"}
            return
        hand.send([{"do": "undo"}])
    raise AssertionError("no figure can move into harm")
