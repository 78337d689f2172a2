"""The bar above a game asks for no frame while it says the same."""

from __future__ import annotations

from dataclasses import replace

from kivy.base import EventLoop
from kivy.core.window import Window

from companion.app.engine.game_view import GameView
from companion.app.engine.snapshot import Snapshot
from companion.app.scripted.driver import Driver
from companion.app.widgets.game_bar import GameBar
from companion.games.api.seats import SeatView


def test_a_snapshot_that_changes_nothing_draws_nothing(driver: Driver) -> None:
    bar = GameBar(lambda act: None)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(bar)
    view = GameView((SeatView("blue", "Anna", 1),), ("blue",), "Round 2 · 5 units left")
    shown = Snapshot(1, "a.game", state={"game": "toy", "undo": "a roll"}, view=view)
    bar.show(shown)
    driver.steps(6)
    EventLoop.idle()
    bar.show(replace(shown, number=2, thinking=True))
    assert not Window.canvas.needs_redraw
    bar.show(replace(shown, number=3, state={"game": "toy", "undo": "another roll"}))
    driver.steps(1)
    assert "another roll" in bar.undo.label.text
