"""The bar above a game asks for no frame while it says the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window

from companion.app.render.theme import THEME, bare
from companion.app.screens.score_page import SeatBoxes, seat_rows
from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Text
from companion.app.widgets.game_bar import SIGHTS, Cell, GameBar, ScoreCell, bar_shape
from companion.app.widgets.icon import SeatSign
from companion.engine.app_words import _, set_language
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.turn.turn_records import SeatScoreView
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import PieceView, ScoreView, SeatScore
from companion.games.thrones.play.state import PHASE_WORDS
from companion.games.thrones.screen.views import headline
from companion.session.game_view import GameView
from models.message import say
from tests.app.fits import cut, faults
from tests.app.moving.test_due_moves import begun_on_map, melee

OBJECTIVE = "the left objective"


def test_a_bar_is_laid_out_before_its_game_is_shown(driver: Driver) -> None:
    bar = GameBar(lambda act: None)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(bar)
    bar.undo.label.width = 31.0
    driver.steps(2)
    assert "…" not in bar.undo.label.text


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


SEATS = tuple(SeatView(f"p{n}", name, n) for n, name in enumerate(("Anna", "Boris", "Cleo"), 1))


@pytest.mark.long
def test_large_words_of_the_bar_and_the_points_fit(driver: Driver) -> None:
    app = driver.app
    army = say("{n} point in surviving units", "{n} points in surviving units", n=41)
    for language in ("de", "ru"):
        app.prefer(replace(app.service.preferences, text=1.4, language=language))
        bar = GameBar(lambda act: None)
        two = tuple(SeatScoreView(one.id, 12, None, "", _(army), None) for one in SEATS[:2])
        boxes = SeatBoxes(Snapshot(1, "a.game", view=GameView(SEATS, ())), two, print)
        boxes.size_hint_x, boxes.width = None, 500
        app.frame.clear_widgets()
        app.frame.add_widget(bar)
        app.frame.add_widget(boxes)
        bar.look(CameraView(sight=max(SIGHTS, key=lambda one: len(_(SIGHTS[one][1])))))
        driver.steps(6)
        camera = bar.camera
        assert camera.icon.height + camera.label.height <= camera.height, camera.label.text
        assert [*faults(driver), *cut(driver)] == []
        assert _(army) in [getattr(one, "text", "") for one in driver.widgets(boxes)]


@pytest.mark.slow
def test_the_points_of_six_players_stand_under_their_names(driver: Driver) -> None:
    Window.size = (800, 1280)
    app = driver.app
    app.prefer(replace(app.service.preferences, language="ru"))
    names = ("Anna", "Boris", "Clara", "Dora", "Ewa", "Finn")
    seats = tuple(SeatView(f"p{n}", name, n) for n, name in enumerate(names, 1))
    told = "Мастер над законами · золото 3 · на руке 9 · в колоде 49 · притязание 1"
    scores = [SeatScoreView(one.id, 12, None, "", told, None) for one in seats]
    app.frame.clear_widgets()
    for row in seat_rows(Snapshot(1, "a.game", view=GameView(seats, ())), scores, print):
        app.frame.add_widget(row)
    driver.steps(6)
    texts = [getattr(one, "text", "") for one in driver.widgets()]
    assert set(names) <= set(texts)
    assert texts.count(told) == len(names)
    assert [*faults(driver), *cut(driver)] == []


def test_the_phases_of_four_players_are_not_cut(driver: Driver) -> None:
    Window.size = (1280, 800)
    app = driver.app
    seats = (*SEATS, SeatView("p4", "Dunja", 4))
    score = ScoreView(tuple(SeatScore(one.id, 12, 15, "power") for one in seats))
    state = {"game": "toy", "undo": "Anna draws two cards"}
    for language in ("en", "de", "ru"):
        app.prefer(replace(app.service.preferences, language=language))
        bar = GameBar(lambda act: None)
        app.frame.clear_widgets()
        app.frame.add_widget(bar)
        phase = max(PHASE_WORDS, key=lambda one: len(_(PHASE_WORDS[one])))
        game: Any = SimpleNamespace(winner="", round=2, phase=phase, first="p2")
        game.house = lambda seat: SEATS[1]
        view = GameView(seats, ("p1",), headline(game), score=score)
        bar.show(Snapshot(1, "a.game", state=state, view=view))
        driver.steps(6)
        assert _(PHASE_WORDS[phase]) == bar.when.lower.text
        assert [*cut(driver)] == [], phase


@pytest.mark.parametrize(("language", "count"), [("de", 6), ("ru", 6), ("de", 4)])
def test_the_points_of_many_players_have_room(driver: Driver, language: str, count: int) -> None:
    Window.size = (1024, 600)
    app = driver.app
    app.prefer(replace(app.service.preferences, language=language))
    seats = tuple(SeatView(f"p{n}", f"Player {n}", n) for n in range(1, count + 1))
    score = ScoreView(tuple(SeatScore(one.id, 12, 15, "power") for one in seats))
    view = GameView(seats, ("p1",), "Round 2 · Marshaling phase", score=score, tabled=False)
    bar = GameBar(lambda act: None)
    app.frame.clear_widgets()
    app.frame.add_widget(bar)
    bar.show(Snapshot(1, "a.game", state={"game": "toy", "undo": "a card"}, view=view))
    driver.steps(6)
    shown = [one for one in bar.score.children if one.width]
    assert len([one for one in shown if getattr(one, "text", "") == "12"]) == count
    assert min(one.x for one in shown) >= bar.when.right
    assert max(one.right for one in shown) <= bar.undo.x


def test_of_four_clocks_the_running_one_and_the_time_of_the_table_are_shown(
    driver: Driver,
) -> None:
    sides = {f"p{n}": {"used": 60.0 * n} for n in range(1, 5)}
    clock = {"side": "p3", "running": True, "sides": sides}
    bar = GameBar(lambda act: None)
    bar.time(Snapshot(1, "a.game", state={"game": "toy", "clock": clock}), 5.0)
    assert bar.clock.upper.text.endswith("3:05")
    assert "10:05" in bar.clock.lower.text


def test_a_long_phase_takes_both_lines(driver: Driver) -> None:
    cell = Cell(1.0)
    cell.size_hint, cell.size = (None, None), (150, 60)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(cell)
    cell.say("Фаза восстановления", "")
    driver.steps(6)
    assert (cell.upper.text, cell.lower.text) == ("Фаза", "восстановления")
    cell.width = 400
    driver.steps(6)
    assert (cell.upper.text, cell.lower.text) == ("Фаза восстановления", "")


def test_who_decides_in_anothers_turn_is_whole_and_in_that_players_colour(driver: Driver) -> None:
    """The banner said whose turn it is, and under it stood “Lannister decid…” in grey."""
    cell, seat = Cell(1.0), SeatView("p2", "Christophorus", 2)
    cell.size_hint, cell.size = (None, None), (190, 60)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(cell)
    cell.say("Runde 1 von 4", "▲ Lannister entscheidet", seat)
    driver.steps(6)
    assert [*cut(driver)] == []
    assert cell.upper.text == "Runde 1 von 4"
    assert tuple(cell.lower.color) == THEME.colour("side-1")
    cell.width = 150
    cell.say("Runde 1 von 4", "▲ Christophorus entscheidet", seat)
    driver.steps(6)
    assert [*cut(driver)] == []
    told = bare(f"{cell.upper.text} {cell.lower.text}").replace("\u00a0", " ")
    assert told == "▲ Christophorus entscheidet"
    cell.say("Runde 1 von 4", "9 aktive Einheiten")
    assert tuple(cell.lower.color) == THEME.colour("soft")


ROUNDS = (
    "Runde 1 von 5 · noch 12 Figuren dran",
    "Раунд 1 из 5 · к активации: 12 фигур",
    "Round 1 of 5 · 14 figures still to act",
    "Round 1 of 4 · Reactivation phase",
    "Round 1 of 4 · Organisation phase",
    "Runde 1 von 4 · ▲ Lannister entscheidet",
)


@pytest.mark.parametrize("size", [(1024, 600), (800, 1280)], ids=str)
def test_what_is_still_to_be_done_in_a_round_is_not_cut(
    driver: Driver, size: tuple[int, int]
) -> None:
    Window.size = size
    seats = (SeatView("stark", "Stark", 1), SeatView("lannister", "Lannister", 2))
    score = ScoreView(tuple(SeatScore(one.id, 12, unit="VP") for one in seats))
    bar = GameBar(lambda act: None, bar_shape(*size))
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(bar)
    for told in ROUNDS:
        view = GameView(seats, ("lannister",), told, score=score)
        state = {"game": "toy", "undo": "Northern Guard 3 moves"}
        bar.show(Snapshot(1, "a.game", state=state, view=view))
        driver.steps(6)
        assert bar.when.lower.text.endswith(told[-8:])
        assert [*cut(driver)] == []


def test_names_too_long_for_the_bar_leave_the_goal_in_sight(driver: Driver) -> None:
    seats = (SeatView("a", "Старки", 1), SeatView("b", "Ланнистеры", 2))
    score = ScoreView((SeatScore("a", 0, unit="ПО"), SeatScore("b", 0, unit="ПО")))
    view = GameView(seats, ("a",), score=score)
    cell = ScoreCell()
    cell.size_hint, cell.size = (None, None), (440, 60)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(cell)
    cell.show(Snapshot(1, "a.game", view=view), True)

    def read() -> list[str]:
        driver.steps(6)
        inside = [one for one in cell.children if isinstance(one, Text) and one.opacity]
        assert max(one.right for one in inside) <= cell.right + 1
        return [one.text for one in reversed(inside)]

    assert read() == ["Старки", "0", ":", "0", "Ланнистеры", "ПО"]
    cell.width = 280
    assert read() == ["0", ":", "0", "ПО"]
    cell.width = 440
    assert "Ланнистеры" in read()


@pytest.mark.rule("TMG-TEAM-1")
def test_a_team_is_named_beside_its_points_in_two_lines_where_it_is_narrow(driver: Driver) -> None:
    seats = (SeatView("a", "Anna & Cara", 1), SeatView("b", "Bert & Dora", 2))
    score = ScoreView((SeatScore("a", 0, 10), SeatScore("b", 0, 10)))
    cell = ScoreCell()
    cell.size_hint, cell.size = (None, None), (560, 60)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(cell)
    cell.show(Snapshot(1, "a.game", view=GameView(seats, ("a",), score=score)), True)

    def read() -> list[str]:
        driver.steps(6)
        inside = [one for one in cell.children if isinstance(one, Text) and one.opacity]
        assert max(one.right for one in inside) <= cell.right + 1
        assert max(one.texture_size[1] for one in inside) <= cell.height
        return [one.text.replace("&amp;", "&") for one in reversed(inside)]

    assert read() == ["Anna & Cara", "0", ":", "0", "Bert & Dora", "of 10"]
    cell.width = 360
    assert read() == ["Anna\n& Cara", "0", ":", "0", "Bert\n& Dora", "of 10"]
    cell.width = 260
    assert read() == ["0", ":", "0", "of 10"]
    cell.width = 560
    assert "Anna & Cara" in read()


@pytest.mark.parametrize("width", [120, 160, 220, 400])
def test_a_long_step_is_told_whole_or_not_at_all(driver: Driver, width: int) -> None:
    """“Rückgängig: Heavy (Lannister) schlägt …” was the opposite of what had happened."""
    bar = GameBar(lambda act: None)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(bar)
    told = "Rückgängig: Die schweren Infanteristen an der hölzernen Brücke schlagen nicht zurück"
    bar._undo = (told, "Rückgängig: Infanteristen schlagen nicht zurück")
    bar.undo.label.width = width
    bar.name_undo()
    assert bar.undo.label.text in (*bar._undo, "Undo")
    assert (bar.undo.label.text == "Undo") is (width < 200)


def test_upright_in_german_both_sides_signs_stay_on_the_screen(tmp_path: Path) -> None:
    made = begun_on_map(tmp_path, melee(), (520, 900), "de")
    made.steps(8)
    (score,) = [one for one in made.app.frame.walk() if isinstance(one, ScoreCell)]
    signs = [one for one in score.children if isinstance(one, SeatSign)]
    assert len(signs) == 2
    for one in signs:
        left = one.to_window(one.x, one.y)[0]
        assert score.x <= left <= score.right - one.width
    made.stop()
    set_language("en")
