"""The dock: the roster goes by the game's own word, and no page of pieces stands beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.app.turn.dock import Dock, roster_title
from companion.engine.snapshot import Snapshot
from companion.games.api.screen_views import Page, PageCard, PieceView, ScoreView, Section
from companion.session.game_view import GameView
from models.board_table import BoardTable
from tests.conftest import TOYS

PIECES = (PieceView("s1", "Scout 1", "Scout 1", "sun"),)
SQUADS = Page("squads", "Squads", "armies", (Section("", (PageCard("s1", "Scout", piece="s1"),)),))
COINS = Page("coins", "Coins", "coins", (Section("", (PageCard("c", "Coins"),)),))
BOARD = BoardTable.load(Path(TOYS) / "hexes.table.json")


def shown(view: GameView, table: BoardTable | None = BOARD) -> list[str]:
    """The places of the dock's buttons, in order."""
    dock = Dock(lambda place: None)
    dock.show(Snapshot(view=view, table=table))
    return [one.name.removeprefix("dock:") for one in reversed(dock.children)]


def test_the_roster_takes_the_place_of_a_page_of_pieces() -> None:
    view = GameView(pieces=PIECES, pages=(COINS, SQUADS), score=ScoreView(()))
    assert shown(view) == ["roster", "page:coins", "score"]
    assert roster_title(Snapshot(view=view, table=BOARD)) == "Squads"
    plain = replace(view, pages=(COINS,))
    assert shown(plain) == ["roster", "page:coins", "score"]
    assert roster_title(Snapshot(view=plain, table=BOARD)) == "Armies"


def test_without_a_table_the_rows_show_every_piece() -> None:
    view = GameView(pieces=PIECES, pages=(COINS, SQUADS), score=ScoreView(()), tabled=False)
    assert shown(view, None) == ["page:coins", "page:squads", "score"]
