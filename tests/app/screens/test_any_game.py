"""Games the app has never heard of, played by touch: what it draws are their records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.scripted.driver import Driver, NotThere
from companion.app.widgets.controls import Text
from companion.geometry.grid.placing import cell_middle
from companion.session.game_lookup import find_screen
from companion.vision.track.table_tracker import TrayMoved
from models import Pose
from tests.app.conftest import opened
from tests.app.fits import faults

NAMES = ("Anna", "Boris", "Clara", "Dirk")


def begun(driver: Driver, game: str, players: int) -> None:
    """Begin a game with these players and show its table."""
    screen = find_screen(game)
    ids = screen.seat_range(game).ids[:players]
    seats = [{"id": one, "name": name} for one, name in zip(ids, NAMES, strict=False)]
    command = {**screen.set_up(game, {"seats": seats}), "seed": 1}
    driver.app.service.ask(lambda: driver.app.service.controller.begin(command, "game"))
    driver.rest()
    driver.app.go("table")
    driver.rest()


@pytest.fixture
def table(toy_game: None, tmp_path: Path) -> Iterator[Driver]:
    """An app that knows only the toys."""
    driver = opened(tmp_path)
    yield driver
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def words(driver: Driver) -> str:
    """Everything that can be read."""
    return " | ".join(one.text for one in driver.widgets(driver.top) if isinstance(one, Text))


def result(driver: Driver) -> str:
    """The sentence of the result strip."""
    return str(driver.app.screen.stage.strip.sentence.text)


def choices(driver: Driver) -> list[str]:
    """The names of the buttons that answer a prompt."""
    return [name for name in driver.names() if name.startswith("choice:")]


def gold(driver: Driver) -> list[Any]:
    """The primary buttons on the screen."""
    return [one for one in driver.widgets() if getattr(one, "look", "") == "primary"]


def test_four_players_choose_in_secret_one_after_the_other(table: Driver) -> None:
    begun(table, "cards", 4)
    assert table.app.service.snapshot.table is None
    asked = [name for name in table.names() if name.startswith("secret:")]
    assert len(asked) == 4
    assert "Anna" in words(table)
    for turn, name in enumerate(asked):
        assert not choices(table)  # no hand lies open
        table.press(name)
        assert not choices(table)  # nor behind the cover, before its owner says so
        table.press("uncover")
        table.until(lambda: choices(table), 10)
        assert faults(table) == []
        table.press(choices(table)[0])
        assert table.app.sheet is None
        if turn < len(asked) - 1:
            assert "has chosen" in result(table)
            assert table.find(name) is None
    assert "takes it" in result(table)
    assert len([name for name in table.names() if name.startswith("secret:")]) == 4


def test_a_hand_is_seen_by_its_owner_alone(table: Driver) -> None:
    begun(table, "cards", 3)
    before = words(table)
    table.press("dock:page:hands")
    assert table.app.place == "page:hands"
    assert faults(table) == []
    hands = [name for name in table.names() if name.startswith("hand:")]
    assert len(hands) == 3
    table.press(hands[1])
    assert "Boris" in words(table)
    table.press("uncover")
    seat = hands[1].removeprefix("hand:")
    private = table.app.service.look(seat).result(10)
    table.steps(12)
    hand = next(one for one in private.pages[0].sections[0].cards if one.secret)
    assert hand.lines[0] in words(table)
    assert hand.lines[0] not in before
    table.press("close")
    assert hand.lines[0] not in words(table)


def test_pieces_offers_and_counted_dice_of_a_game_on_hexes(table: Driver) -> None:
    begun(table, "hexes", 2)
    snapshot = table.app.service.snapshot
    assert "Anna" in table.app.bar.banner.label.text  # type: ignore[union-attr]
    assert snapshot.prompts[0].pieces
    assert not gold(table)
    # The best offer of all is one tap away, and a second one carries it out.
    best = [name for name in table.names() if name.startswith("best:")]
    ready = [name for name in table.names() if name.startswith("unit:")]
    assert len(ready) == len(snapshot.prompts[0].pieces)
    assert {one.partition(":")[2] for one in best} <= {one.partition(":")[2] for one in ready}
    table.press((best or ready)[0])
    chosen = str(table.app.service.snapshot.chosen)
    (move,) = (one for one in table.app.service.snapshot.offers if one.cells)
    assert not gold(table)  # the board is the answer
    assert faults(table) == []
    table.tap_cell((2, 2))  # a hole in the board: nothing happens
    assert table.app.service.snapshot.gridded.piece(chosen).cell == (1, 0)  # type: ignore[union-attr]
    table.tap_unit(chosen)
    table.tap_cell(move.cells[0].cell)
    table.press("place")
    # Another player is asked: what was selected is no longer.
    after = table.app.service.snapshot
    assert after.gridded is not None
    assert after.gridded.piece(chosen).cell == move.cells[0].cell
    assert after.chosen is None
    assert result(table)
    table.press("undo")
    assert table.app.service.snapshot.gridded.piece(chosen).cell == (1, 0)  # type: ignore[union-attr]


def test_a_piece_is_dragged_from_cell_to_cell_with_the_verdict(table: Driver) -> None:
    begun(table, "hexes", 2)
    service, mover = table.app.service, table.app.screen.mover
    table.press("tool:hand")
    table.drag(table.cell_place((1, 0)), table.cell_place((1, 3)))  # three steps are too many
    table.rest()
    assert (mover.unit, mover.cell, mover.card.verdict) == ("s1", (1, 3), "no")
    with pytest.raises(NotThere):
        table.press("place")  # the button does not work there
    assert service.snapshot.gridded.piece("s1").cell == (1, 0)  # type: ignore[union-attr]
    table.tap_cell((1, 1))
    assert mover.card.verdict == "yes"
    assert faults(table) == []
    table.press("place")
    assert service.snapshot.gridded.piece("s1").cell == (1, 1)  # type: ignore[union-attr]
    assert mover.unit == ""
    # The other side's turn: this one may not move now.
    table.tap_cell((1, 1))
    table.tap_cell((1, 2))
    table.rest()
    assert mover.card.verdict == "no"
    table.press("put-back")
    assert mover.unit == ""


def test_a_tap_on_an_enemy_aims_and_a_second_one_attacks(table: Driver) -> None:
    begun(table, "hexes", 2)
    service = table.app.service
    for piece, cell in (("s1", "1,2"), ("m1", "1,3")):
        service.do({"do": "move", "piece": piece, "cell": cell})
    table.rest()
    table.tap_unit("s1")
    assert service.snapshot.chosen == "s1"
    table.tap_unit("m1")
    assert service.snapshot.chosen == "s1"
    aimed = table.app.screen.panel.turn.picked_offer()
    assert aimed is not None
    assert (aimed.kind, aimed.piece, aimed.target) == ("attack", "s1", "m1")
    assert len(gold(table)) == 1
    table.tap_unit("m1")
    assert service.snapshot.prompts[0].id == "roll"
    # A tap on a friend selects it, as ever.
    table.press("undo")
    table.tap_unit("s2")
    assert service.snapshot.chosen == "s2"


def test_a_refused_offer_is_folded_with_its_reason(table: Driver) -> None:
    begun(table, "hexes", 2)
    piece = table.app.service.snapshot.prompts[0].pieces[0]
    table.app.service.choose(piece)
    table.rest()
    refused = [one for one in table.app.service.snapshot.offers if one.verdict == "no"]
    assert refused
    assert refused[0].reason not in words(table)
    table.press("why-not")
    assert refused[0].reason in words(table)


def test_counts_or_faces_as_the_players_prefer(table: Driver) -> None:
    begun(table, "hexes", 2)
    service = table.app.service
    for _turn in range(30):  # until two pieces are neighbours
        offers = [one for one in service.snapshot.offers if one.target and one.verdict == "yes"]
        if offers:
            break
        moves = service.snapshot.prompts[0].pieces
        service.choose(moves[0])
        table.rest()
        (step,) = [one for one in service.snapshot.offers if one.cells]
        service.do(*step.cells[-1 if _turn % 2 else 0].commands)
        table.rest()
    else:
        raise AssertionError("the pieces never met")
    service.do(*offers[0].commands)
    table.rest()
    request = service.snapshot.prompts[0].dice
    assert request is not None
    names = table.names()
    assert [f"count:{n}" for n in range(request.count + 1)] == [
        name for name in names if name.startswith("count:")
    ]
    assert not gold(table)  # a key is the answer
    table.press("dice:faces")
    assert service.preferences.dice == "faces"
    for _die in range(request.count):
        table.press("die:5")
    # The full set sent itself.
    assert service.snapshot.prompts[0].dice is None
    table.press("undo")
    assert service.snapshot.prompts[0].dice is not None
    assert table.find("die:5") is not None
    table.press("dice:count")
    table.press("count:1")
    assert service.snapshot.prompts[0].dice is None


# -- with a camera --------------------------------------------------------------------------------


def seen(table: Driver, piece: str, x: float, y: float) -> None:
    """The camera sees that a piece came to rest at this place of the table."""
    pose = Pose(x, y, 0.0)
    event = TrayMoved(piece, pose, pose, 0.0, 1.0)
    table.app.service.ask(lambda: table.app.service.controller.moves.handle_move(event))
    table.rest()


def test_a_piece_that_the_camera_sees_elsewhere_is_asked_about(table: Driver) -> None:
    begun(table, "hexes", 2)
    service = table.app.service
    assert service.snapshot.gridded is not None
    board = service.snapshot.gridded.board
    old, new = cell_middle(board, (1, 0)), cell_middle(board, (2, 0))
    seen(table, "s1", old[0] + 0.1, old[1] - 0.1)  # still on its space
    assert service.snapshot.cell_moves == ()
    # Between two spaces: the players say on which.
    seen(table, "s1", (old[0] + new[0]) / 2 + 0.05, old[1])
    assert "Which space does Scout 1 stand on?" in words(table)
    assert not gold(table)
    assert faults(table) == []
    table.tap_cell((1, 0))  # on the old one
    assert service.snapshot.cell_moves == ()
    assert service.snapshot.state["seq"] == 1
    seen(table, "s1", (old[0] + new[0]) / 2 + 0.05, old[1])
    table.tap_cell((2, 0))
    assert service.snapshot.gridded.piece("s1").cell == (2, 0)
    assert service.snapshot.cell_moves == ()
    # Clearly on another space, to which it may go.
    seen(table, "m1", *cell_middle(board, (1, 3)))
    assert len(gold(table)) == 1
    table.press("accept")
    assert service.snapshot.gridded.piece("m1").cell == (1, 3)
    # To one where it may not go, out of turn, and beside the board: back with it.
    for spot in (cell_middle(board, (4, 4)), (-3.0, -3.0)):
        seen(table, "m2", *spot)
        assert "Put it back" in words(table)
        assert not gold(table)
        table.press("correct")
        assert service.snapshot.cell_moves == ()
    assert service.snapshot.gridded.piece("m2").cell == (3, 4)
    seen(table, "nobody", 1.0, 1.0)
    assert service.snapshot.cell_moves == ()


def test_one_piece_that_stands_wrong_is_left_for_later_by_a_tap(table: Driver) -> None:
    begun(table, "hexes", 2)
    before = words(table)
    seen(table, "m2", -3.0, -3.0)
    assert "Put it back" in words(table)
    table.press("later")
    assert table.app.service.snapshot.cell_moves == ()
    assert words(table) == before, "the turn again"


def test_several_pieces_that_stand_elsewhere_are_one_card(table: Driver) -> None:
    """After somebody knocked at the table the turn is one tap away."""
    begun(table, "hexes", 2)
    service = table.app.service
    before = words(table)
    for answer in ("all-later", "all-back"):
        for piece in ("s1", "s2", "m2"):
            seen(table, piece, -3.0, -3.0)
        assert [one.piece for one in service.snapshot.cell_moves] == ["s1", "s2", "m2"]
        shown = words(table)
        assert "3 pieces stand elsewhere" in shown
        assert all(service.snapshot.name(one) in shown for one in ("s1", "s2", "m2"))
        assert not gold(table)
        assert faults(table) == []
        table.press(answer)
        assert service.snapshot.cell_moves == ()
        assert words(table).startswith(before), "the turn again"


def test_the_practice_camera_sees_a_board(table: Driver) -> None:
    screen = find_screen("hexes")
    service = table.app.service
    service.ask(
        lambda: service.controller.begin({**screen.set_up("hexes", {}), "seed": 1}, "practice")
    )
    table.rest()
    table.app.go("table")
    table.until(lambda: service.live.sight == "live", 60)
    table.until(lambda: service.snapshot.picture is not None, 60)
    table.rest()
    assert table.app.screen.view == "picture"
    assert {one.unit for one in service.live.standings} == {"s1", "s2", "m1", "m2"}
    assert service.snapshot.gridded is not None
    x, y = cell_middle(service.snapshot.gridded.board, (1, 1))
    service.adopt()
    table.rest()
    assert service.snapshot.cell_moves == (), "everything stands where the game has it"
    service.carry("s1", Pose(x, y, 90.0))
    table.until(lambda: service.snapshot.cell_moves, 60)
    service.adopt()
    table.rest()
    assert len(service.snapshot.cell_moves) == 1
    assert service.snapshot.cell_moves[0].cells[0].cell == (1, 1)
    table.press("accept")
    assert service.snapshot.gridded.piece("s1").cell == (1, 1)
    table.press("undo")  # the figure goes back, too
    source = service.controller.camera_session.practice_source
    assert source is not None
    x, y = cell_middle(service.snapshot.gridded.board, (1, 0))
    table.until(lambda: abs(source.table.unit("s1").pose.y - y) < 0.01, 20)
