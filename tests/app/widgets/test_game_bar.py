"""The bar above a game asks for no frame while it says the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window

from companion.app.engine.game_view import GameView
from companion.app.engine.snapshot import Snapshot
from companion.app.scripted.driver import Driver
from companion.app.widgets.game_bar import GameBar
from companion.games.api.piece_view import PieceView
from companion.games.api.seats import SeatView
from tests.app.fits import cut

OBJECTIVE = "the left objective"


def test_a_snapshot_that_changes_nothing_draws_nothing(driver: Driver) -> None:
    bar = GameBar(lambda act: None)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(bar)
    view = GameView((SeatView("blue", "Anna", 1),), ("blue",), "Round 2 · 5 units to act")
    shown = Snapshot(1, "a.game", state={"game": "toy", "undo": "a roll"}, view=view)
    bar.show(shown)
    driver.steps(6)
    EventLoop.idle()
    bar.show(replace(shown, number=2, thinking=True))
    assert not Window.canvas.needs_redraw
    bar.show(replace(shown, number=3, state={"game": "toy", "undo": "another roll"}))
    driver.steps(1)
    assert "another roll" in bar.undo.label.text


LONG = "the far left objective beside the ruined tower is held by "
SWORDS = PieceView("b1", "Stark Sworn Swords of Winterfell", "Sworn Swords", "blue")


@pytest.mark.parametrize(
    ("width", "step", "told"),
    [
        (1280, "o3 is held by b1", "Undo: the left objective is held by Stark Sworn Swords"),
        (1000, "o3 is held by b1", "Undo: the left objective is held by Sworn Swords"),
        (1000, "b1 attacks; b1 rolls 5 dice, " + LONG, "Undo: Sworn Swords attacks"),
        (700, LONG * 3 + "b1", "Undo"),
    ],
)
def test_the_step_to_undo_is_never_cut(driver: Driver, width: int, step: str, told: str) -> None:
    bar = GameBar(lambda act: None)
    bar.size_hint_x, bar.width = None, width
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(bar)
    view = GameView(
        (SeatView("blue", "Anna", 1),), ("blue",), pieces=(SWORDS,), names={"o3": OBJECTIVE}
    )
    bar.show(Snapshot(1, "a.game", state={"game": "toy", "undo": step}, view=view))
    driver.steps(8)
    label = bar.undo.label
    assert label.text.startswith(told)
    assert not label.shorten
    assert label.texture_size[1] <= 2.8 * label.font_size  # two lines at most
    assert label.texture_size[0] <= label.width + 1
    assert [*cut(driver)] == []
