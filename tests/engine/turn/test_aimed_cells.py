"""Which cells a tap reaches: the picked offer's first, never an attack that nobody asked for."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.snapshot import CellMove, Snapshot
from companion.engine.turn.aimed_cells import aiming, offer_against, target_at
from companion.engine.turn.selection import offer_key, piece_actions
from companion.games.api.prompt import ActionOffer, Prompt, TargetCell
from companion.session.game_view import GameView
from models.board import Board
from models.board_table import BoardPiece, BoardTable

TABLE = BoardTable(
    "toy",
    Board("square", 6, 6, 1.0),
    (BoardPiece("b1", "blue", cell=(1, 1), size=2), BoardPiece("r1", "red", cell=(5, 5))),
)


def to(*cells: tuple[int, int], piece: str = "") -> tuple[TargetCell, ...]:
    return tuple(TargetCell(cell, ({"do": "go", "to": cell},), piece=piece) for cell in cells)


MOVE = ActionOffer("move", "Move", (), "b1", cells=to((3, 3), (0, 4), piece="b1"))
RUSH = ActionOffer("rush", "Rush", ({"do": "rush"},), "b1", "r1", cells=to((3, 3), (3, 4)))
OFF = ActionOffer("off", "Get off", (), "b1", cells=to((1, 1), (2, 2)))
NO = ActionOffer("no", "No", (), "b1", cells=to((0, 0)), verdict="no")
SHOT = Snapshot(table=TABLE, view=GameView(), chosen="b1", offers=(RUSH, MOVE, OFF, NO))


def kind(picked: ActionOffer | None, cell: tuple[int, int], shot: Snapshot = SHOT) -> str:
    found = target_at(shot, offer_key(picked) if picked is not None else None, cell)
    return "" if found is None else "prompt" if found[0] is None else found[0].kind


def test_a_plain_tap_moves_and_the_picked_offer_comes_first() -> None:
    assert kind(None, (3, 3)) == "move"
    assert kind(RUSH, (3, 3)) == "rush"
    assert kind(RUSH, (0, 4)) == "", "whoever picked a rush means no move beside it"
    assert kind(None, (0, 0)) == "", "what is refused is no target"


def test_an_offer_whose_end_is_to_be_chosen_is_never_picked_by_itself() -> None:
    """What looks chosen is what a tap on a cell does."""
    charge = ActionOffer("charge", "Charge", (), "b1", "r1", cells=to((3, 3), (3, 4)))
    shot = replace(SHOT, offers=(charge, OFF, MOVE))
    assert piece_actions(shot, None, "b1", None).picked == MOVE
    assert kind(None, (3, 3), shot) == "move"
    assert piece_actions(shot, None, "b1", offer_key(charge)).picked == charge
    assert kind(charge, (3, 3), shot) == "charge"
    assert piece_actions(replace(SHOT, offers=(charge, OFF)), None, "b1", None).picked is None


def test_what_is_picked_by_its_row_has_no_cells_before_that() -> None:
    """The hexes that a unit may set on fire looked like its moves."""
    burn = ActionOffer("drop", "Set on fire", (), "b1", cells=to((0, 4), (5, 0)), by_row=True)
    shot = replace(SHOT, offers=(burn, MOVE))
    assert kind(None, (5, 0), shot) == ""
    assert kind(None, (0, 4), shot) == "move"
    assert kind(burn, (0, 4), shot) == "drop"
    assert piece_actions(shot, None, "b1", None).picked == MOVE


def test_a_large_piece_is_moved_by_any_cell_it_would_cover() -> None:
    found = target_at(SHOT, None, (4, 4))
    assert found is not None
    assert found[1].cell == (3, 3)
    assert (kind(None, (4, 3)), kind(None, (3, 4))) == ("move", "move")
    assert kind(None, (5, 4)) == ""


def test_of_places_that_overlap_the_nearest_to_the_tap_is_meant() -> None:
    """A surge went to the place whose corner was tapped, and was recorded at once."""
    asked = Prompt("surge", "Surge", cells=to((2, 3), (3, 3), piece="b1"), mover="b1")
    shot = Snapshot(table=TABLE, view=GameView(prompts=(asked,)))
    for point, cell in (((3.3, 4.1), (2, 3)), ((3.7, 4.1), (3, 3)), ((4.9, 3.1), (3, 3))):
        found = target_at(shot, None, (int(point[0]), int(point[1])), point)
        assert found is not None
        assert found[1].cell == cell
    assert target_at(shot, None, (5, 5), (5.5, 5.5)) is None


def test_the_cells_under_the_piece_count_only_when_picked() -> None:
    assert kind(None, (2, 2)) == ""
    assert kind(OFF, (2, 2)) == "off"
    assert [one.strong for _offer, one in aiming(SHOT, None)] == [True]
    assert [one.strong for _offer, one in aiming(SHOT, offer_key(OFF))] == [True]


def test_a_prompt_needs_no_selection_and_a_secret_one_shows_nothing() -> None:
    view = GameView(prompts=(Prompt("surge", "Surge", cells=to((2, 5))),))
    assert kind(None, (2, 5), Snapshot(table=TABLE, view=view)) == "prompt"
    view = GameView(prompts=(Prompt("surge", "Surge", cells=to((2, 5)), secret=True),))
    assert kind(None, (2, 5), Snapshot(table=TABLE, view=view)) == ""
    assert list(aiming(Snapshot(view=view), None)) == []


def test_a_cell_that_is_only_shown_takes_no_tap() -> None:
    view = GameView(prompts=(Prompt("fire", "Fire", cells=(TargetCell((2, 5), (), "danger"),)),))
    shot = Snapshot(table=TABLE, view=view)
    assert [one.cells[0].cell for _offer, one in aiming(shot, None)] == [(2, 5)]
    assert kind(None, (2, 5), shot) == ""


def test_the_question_of_the_camera_comes_first() -> None:
    asked = CellMove("b1", "Boar", "Where?", to((4, 1)))
    shot = Snapshot(table=TABLE, chosen="b1", offers=(MOVE,), cell_moves=(asked,))
    assert kind(None, (4, 1), shot) == "prompt"
    assert kind(None, (3, 3), shot) == ""


def test_a_tap_on_an_enemy_finds_the_offer_against_it() -> None:
    stab = ActionOffer("stab", "Stab", ({"do": "stab"},), "b1", "r1")
    shot = Snapshot(table=TABLE, chosen="b1", offers=(RUSH, stab))
    assert offer_against(shot, None, "r1") is RUSH
    assert offer_against(shot, offer_key(stab), "r1") is stab
    assert offer_against(shot, None, "b1") is None
    assert offer_against(Snapshot(table=TABLE, offers=(RUSH,)), None, "r1") is None
