"""Tactics by touch: what looks chosen is what happens, and a slip says why it is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.render.theme import THEME
from companion.app.scripted.driver import Driver, ancestors
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.sample import SampleView
from companion.engine.app_words import APP_LANGUAGE, set_language, set_turned
from companion.games.api.prompt import Prompt
from companion.games.api.screen_views import Outcome
from companion.games.shared.places import Landmarks, place_words
from companion.games.tactics.screen import SCREEN
from companion.overlay.board_shapes import cell_outline
from companion.text.translation import translate
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.screens.test_any_game import result, words
from tests.games.shared.test_places import SQUARES, TOWER

WARDEN, RIDER = "b1", "r1"


@pytest.fixture
def skirmish(tmp_path: Path) -> Iterator[Driver]:
    """The practice game on the map."""
    driver = opened(tmp_path, (1280, 800))
    driver.app.service.start_practice("tactics")
    driver.app.go("table")
    driver.rest()
    driver.app.screen.show_as("map")
    driver.rest()
    yield driver
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def sent(driver: Driver, *commands: dict[str, Any]) -> None:
    driver.app.service.do(*commands)
    driver.rest()


def activated(driver: Driver, figure: str) -> None:
    sent(driver, {"do": "activate", "figure": figure})
    assert driver.app.service.snapshot.chosen == figure


@pytest.mark.slow
def test_upright_the_card_gets_what_the_board_leaves(skirmish: Driver) -> None:
    """The map's field was twice as high as the board, and no dice key was in sight."""
    from kivy.core.window import Window

    Window.size = (800, 1280)
    skirmish.steps(8)
    skirmish.rest()
    screen = skirmish.app.screen
    assert screen.panel.height >= 0.45 * screen.height
    (pane,) = screen.panes
    table = skirmish.app.service.snapshot.gridded
    assert table is not None
    corners = [pane.on_screen(p) for c in ((0, 0), (6, 13)) for p in cell_outline(table.board, c)]
    wide = max(x for x, _ in corners) - min(x for x, _ in corners)
    assert wide >= 0.75 * screen.width, "the board fills the width"


@pytest.mark.slow
def test_a_tap_out_of_reach_says_how_far_and_keeps_the_figure(skirmish: Driver) -> None:
    activated(skirmish, WARDEN)
    skirmish.tap_cell((3, 6))
    skirmish.until(lambda: "too far: by 2" in words(skirmish), 10)
    assert skirmish.app.service.snapshot.chosen == WARDEN
    before = result(skirmish)
    skirmish.tap_cell((3, 4))
    assert done(skirmish).text == "Done"
    assert result(skirmish) == before, "the tap shows, gold does"
    skirmish.tap_cell((3, 4))
    skirmish.rest()
    assert "moves 3 spaces" in result(skirmish)


@pytest.mark.slow
def test_a_row_shows_and_gold_does(skirmish: Driver) -> None:
    activated(skirmish, WARDEN)
    skirmish.press("offer:check:end")
    assert skirmish.app.service.snapshot.chosen == WARDEN
    skirmish.press("do-offer")
    assert "has finished" in result(skirmish)


@pytest.mark.slow
def test_a_long_card_does_not_push_what_a_figure_may_do_out_of_sight(skirmish: Driver) -> None:
    activated(skirmish, WARDEN)
    view = skirmish.app.service.snapshot.piece(WARDEN)
    assert view is not None
    every = list(skirmish.app.screen.walk())
    rows = [one for one in every if getattr(one, "name", "").startswith("offer:")]
    lines = [line[:1].upper() + line[1:] for line in map(str, view.lines)]
    told = {one.text: one for one in every if isinstance(one, Text)}
    shown = [told[one].to_window(*told[one].pos)[1] for one in lines if one in told]
    highest = max(one.to_window(*one.pos)[1] for one in rows)
    assert len(shown) > 3
    assert not any(y > highest for y in shown)


def done(driver: Driver) -> TouchButton:
    gold = driver.app.screen.mover.card.gold
    assert isinstance(gold, TouchButton)
    return gold


@pytest.mark.slow
def test_the_hand_says_why_not_and_done_waits(skirmish: Driver) -> None:
    activated(skirmish, WARDEN)
    skirmish.press("tool:hand")  # the acting figure is in the hand at once
    assert done(skirmish).disabled
    skirmish.tap_cell((3, 6))
    skirmish.until(lambda: "too far: by 2" in words(skirmish), 10)
    assert done(skirmish).disabled
    assert done(skirmish).text == "Not legal"
    skirmish.tap_cell((3, 4))
    skirmish.rest()
    assert not done(skirmish).disabled
    skirmish.press("place")
    assert "moves 3 spaces" in result(skirmish)


def test_the_ways_of_a_charge_are_in_sight_on_a_small_screen(skirmish: Driver) -> None:
    """“Full Gallop” lay below the fold, and nobody bought it."""
    from kivy.core.window import Window

    Window.size = (1024, 600)
    skirmish.steps(8)
    sent(
        skirmish,
        {"do": "activate", "figure": "b7"},
        {"do": "end"},
        {"do": "place", "figure": WARDEN, "to": "3,7"},
        {"do": "activate", "figure": RIDER},
    )
    skirmish.press(f"offer:charge:{WARDEN}")
    offer = next(one for one in skirmish.app.service.snapshot.offers if one.target == WARDEN)
    skirmish.tap_cell(offer.cells[0].cell)
    skirmish.until(lambda: skirmish.find("way:1") is not None)
    skirmish.steps(8)
    rows = skirmish.app.screen.mover.card.rows
    gallop = button(skirmish, "way:1")
    assert "Full Gallop" in gallop.text
    assert gallop.to_window(*gallop.pos)[1] >= rows.to_window(*rows.pos)[1]


@pytest.mark.parametrize("view", ["map", "picture"])
def test_the_tools_cover_no_space_of_the_board(skirmish: Driver, view: str) -> None:
    """On the picture they lay over its left column."""
    screen = skirmish.app.screen
    screen.show_as(view)
    skirmish.until(lambda: screen.panes[0].kind == view)
    skirmish.rest()
    (pane,), tools = screen.panes, screen.stage.tools
    assert pane.to_window(*pane.pos)[0] >= tools.to_window(tools.right, tools.y)[0]


def test_a_figure_is_dragged_on_from_where_it_is_shown(skirmish: Driver) -> None:
    """A finger on it moved the map: only where the figure stood in the game it was taken."""
    activated(skirmish, WARDEN)
    skirmish.press("tool:hand")
    skirmish.tap_cell((3, 3))
    screen = skirmish.app.screen
    assert screen.mover.cell == (3, 3)
    (pane,) = screen.panes
    pan = pane.pan
    skirmish.drag(skirmish.cell_place((3, 3)), skirmish.cell_place((3, 4)))
    assert screen.mover.cell == (3, 4)
    assert pane.pan == pan


@pytest.mark.slow
def test_a_charge_that_nobody_picked_is_not_shown_as_chosen(skirmish: Driver) -> None:
    """A row that looks chosen is what the taps do (TAC-CHG-6: only a charge adds a die)."""
    sent(skirmish, {"do": "place", "figure": RIDER, "to": "3,5"})
    activated(skirmish, WARDEN)
    panel = skirmish.app.screen.panel
    skirmish.until(lambda: panel.view.picked is not None, 30)  # its offers come a little later
    picked = panel.view.picked
    assert picked.kind == "maneuver"
    charge = next(name for name in skirmish.names() if name.startswith("offer:charge"))
    skirmish.press(charge)
    offer = skirmish.app.screen.panel.turn.picked_offer()
    assert offer is not None
    assert offer.kind == "charge"
    own = {one.cell for one in offer.cells}
    (move,) = (one for one in skirmish.app.service.snapshot.offers if one.kind == "maneuver")
    skirmish.tap_cell(next(one.cell for one in move.cells if one.cell not in own))
    skirmish.until(lambda: "only on the nearest spaces at its target" in words(skirmish), 10)
    assert not skirmish.app.screen.mover.unit, "it does not become a Move"
    skirmish.tap_cell(offer.cells[0].cell)
    skirmish.rest()
    assert skirmish.app.service.snapshot.undo[0] == "Warden of the Ford is activated"
    skirmish.press("place")
    session = skirmish.app.service.controller.game.session
    assert session is not None
    attack = session.history.now.state.attack
    assert attack is not None
    assert attack.charge
    assert skirmish.app.service.snapshot.undo[0] == "the charge of Warden of the Ford"
    skirmish.app.game_menu.open()
    skirmish.rest()
    pages = [
        one.text
        for one in skirmish.widgets(skirmish.top)
        if str(getattr(one, "name", "")).startswith("go:")
    ]
    assert len(set(pages)) == len(pages), pages


@pytest.mark.rule("TAC-CHG-7", "TAC-CRD-9")
def test_a_charge_is_seen_on_its_space_and_its_coins_are_chosen_there(skirmish: Driver) -> None:
    """The tap charged at once, and nothing could be bought any more."""
    sent(skirmish, {"do": "place", "figure": RIDER, "to": "3,5"})
    activated(skirmish, WARDEN)
    panel = skirmish.app.screen.panel
    skirmish.until(lambda: panel.view.picked is not None, 30)
    charges = [name for name in skirmish.names() if name.startswith("offer:charge")]
    assert len(charges) == 1, "one row; what is bought is chosen on the space"
    assert "On its space also: additional die 1 (1 copper star)" in words(skirmish)
    skirmish.press(charges[0])
    offer = panel.turn.picked_offer()
    assert offer is not None
    skirmish.tap_cell(offer.cells[0].cell)
    skirmish.rest()
    rows = [skirmish.find(name) for name in skirmish.names() if name.startswith("way:")]
    assert [one.text for one in rows if isinstance(one, TouchButton)][:2] == [
        "without coins",
        "additional die 1 (1 copper star)",
    ]
    skirmish.press("way:1")
    assert (
        done(skirmish).text
        == "Charge Captain of the Riders (mounted), additional die 1 (1 copper star)"
    )
    skirmish.press("place")
    session = skirmish.app.service.controller.game.session
    assert session is not None
    attack = session.history.now.state.attack
    assert attack is not None
    assert attack.dice == 3
    assert len(attack.effects) == 1


def test_what_ends_an_activation_has_a_fixed_place(skirmish: Driver) -> None:
    """Below long texts it took six swipes to come to it."""
    activated(skirmish, WARDEN)
    panel = skirmish.app.screen.panel
    skirmish.until(lambda: panel.view.picked is not None, 30)
    ends = skirmish.find("offer:check:end")
    assert ends is not None
    assert panel.foot in list(ancestors(ends))
    skirmish.press("offer:check:end")
    assert panel.foot.children[0].text == "End the activation"
    skirmish.press("do-offer")
    assert "ends" in result(skirmish) or "Ben" in words(skirmish)


@pytest.mark.slow
def test_a_large_figure_is_seen_on_its_spaces_before_it_goes_there(skirmish: Driver) -> None:
    activated(skirmish, WARDEN)
    sent(skirmish, {"do": "end"})
    activated(skirmish, RIDER)
    seq = skirmish.app.service.snapshot.number
    (move,) = (one for one in skirmish.app.service.snapshot.offers if one.kind == "maneuver")
    target = move.cells[0].cell
    skirmish.tap_cell(target)
    skirmish.rest()
    assert skirmish.app.screen.mover.cell == target
    skirmish.press("place")
    assert skirmish.app.service.snapshot.number > seq
    table = skirmish.app.service.snapshot.gridded
    assert table is not None
    assert table.piece(RIDER).cell == target


def test_adding_a_figure_leaves_the_list_under_the_finger(tmp_path: Path) -> None:
    driver = opened(tmp_path, (1280, 800))
    driver.press("new:tactics")
    driver.press("step:squads")
    below = "enter:Jon Arryn"
    before = driver.place(driver.find(below))
    driver.press("add:Robert Baratheon")
    assert driver.place(driver.find(below)) == before
    driver.stop()


@pytest.mark.slow
def test_a_marked_space_answers_also_while_the_move_tool_is_on(skirmish: Driver) -> None:
    activated(skirmish, WARDEN)
    skirmish.press("tool:hand")
    skirmish.tap_cell((3, 4))
    skirmish.until(lambda: skirmish.find("place") is not None)
    skirmish.press("place")
    skirmish.press("undo")
    skirmish.rest()
    assert skirmish.app.screen.tool == "hand"
    skirmish.until(lambda: skirmish.find("offer:maneuver") is not None)
    skirmish.press("offer:maneuver")
    skirmish.tap_cell((3, 4))
    skirmish.until(lambda: skirmish.find("place") is not None)
    skirmish.press("place")
    assert "moves 3 spaces" in result(skirmish)


@pytest.mark.slow
@pytest.mark.rule("TAC-ATK-6", "TAC-CRD-9")
def test_what_is_paid_before_the_roll_stands_above_the_dice(skirmish: Driver) -> None:
    sent(skirmish, {"do": "place", "figure": RIDER, "to": "3,2"})
    activated(skirmish, WARDEN)
    sent(skirmish, {"do": "attack", "target": RIDER, "attack": "Every Blow Costs"})
    paid = [name for name in skirmish.names() if "announce" in name]
    assert paid[:-1] == [f"choice:announce:{n}" for n in (1, 2, 3, 4)], "one tap for a number"
    dice = skirmish.find("count:1")
    assert skirmish.place(skirmish.find(paid[-1]))[1] > skirmish.place(dice)[1]
    one, two = (skirmish.place(skirmish.find(name)) for name in paid[:2])
    assert one[1] == two[1], "two beside each other: the keys of the dice stay near"
    skirmish.press("choice:announce:3")
    skirmish.until(lambda: skirmish.find("count:4") is not None, 10)
    assert "Undo: Warden pays for" in words(skirmish)
    left = [name for name in skirmish.names() if "announce" in name]
    assert left == ["choice:announce:1", "choice:announce:lucky-charm"]


@pytest.mark.slow
@pytest.mark.rule("TAC-GRD-5", "TAC-OR-13")
def test_the_ruler_counts_spaces_on_a_board(skirmish: Driver) -> None:
    """Inches between two squares help nobody who counts spaces."""
    table = skirmish.app.service.snapshot.gridded
    assert table is not None
    board = table.board
    start, end, beside = board.middle((1, 1)), board.middle((4, 3)), (-9.0, -9.0)
    assert skirmish.app.service.measured(start, end) == "3 spaces"
    assert skirmish.app.service.measured(start, beside).endswith("″")
    sent(skirmish, {"do": "place", "figure": RIDER, "to": "4,5"})
    for corner in ((4, 5), (5, 5), (4, 6), (5, 6)):
        assert skirmish.app.service.measured(start, board.middle(corner)) == "4 spaces"


@pytest.mark.slow
def test_the_practice_board_lies_so_that_it_fills_the_map(skirmish: Driver) -> None:
    """A long board in a wide window lies across it, under the practice camera too."""
    table = skirmish.app.service.snapshot.gridded
    assert table is not None
    pane = skirmish.app.screen.panes[0]
    (x, y), (u, v) = (pane.on_screen(table.board.middle(cell)) for cell in ((0, 0), (0, 13)))
    assert abs(u - x) > 5 * abs(v - y)
    assert abs(u - x) > 0.65 * pane.width
    before = table.piece(WARDEN).cell
    activated(skirmish, WARDEN)
    skirmish.tap_cell((3, 4))
    skirmish.tap_cell((3, 4))
    skirmish.rest()
    moved = skirmish.app.service.snapshot.gridded
    assert moved is not None
    assert moved.piece(WARDEN).cell == (3, 4) != before


@pytest.mark.slow
def test_left_and_right_are_those_of_the_map_as_it_is_drawn(skirmish: Driver) -> None:
    """The board lies a quarter turned: what the game calls left of something is drawn above it."""
    told = place_words(SQUARES, Landmarks({(5, 5): TOWER}), {}, (4, 5))
    assert told == "the space left of the tower"
    table = skirmish.app.service.snapshot.gridded
    assert table is not None
    assert table.board.turn == -90
    assert translate(told) == "the space on the far side of the tower"
    skirmish.app.go("page:coins")
    skirmish.rest()
    assert translate(told) == "the space on the far side of the tower", "beside the map"
    skirmish.app.go("home")
    skirmish.rest()
    assert translate(told) == told, "elsewhere no map is drawn"
    skirmish.app.go("table")
    skirmish.rest()
    assert translate(told) == "the space on the far side of the tower"
    skirmish.app.service.leave()
    skirmish.rest()
    skirmish.app.service.start_practice("westeros")
    skirmish.rest()
    other = skirmish.app.service.snapshot.gridded
    assert other is not None
    assert (translate(told) == told) == (other.board.turn == 0)


@pytest.mark.slow
def test_play_on_the_map_leaves_the_card_that_is_open(skirmish: Driver) -> None:
    """On a board a tap on a marked space moves: nobody asked for the hand."""
    activated(skirmish, WARDEN)
    skirmish.app.screen.camera("map")
    skirmish.rest()
    assert not skirmish.app.screen.mover.unit
    skirmish.tap_cell((3, 4))
    skirmish.tap_cell((3, 4))
    skirmish.rest()
    assert "moves 3 spaces" in result(skirmish)


@pytest.mark.slow
def test_a_screen_in_the_next_players_language_shows_the_newest(
    skirmish: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was built for a newer state than the one that was being shown, and kept the older one."""
    app = skirmish.app
    older, newer = app.service.snapshot, replace(app.service.snapshot)
    shown: list[object] = []

    def speak(_snapshot: object) -> None:  # as the screen does that is built for the language
        app._seen = newer
        app.screen.show(newer)

    monkeypatch.setattr(app.screen, "show", shown.append)
    monkeypatch.setattr(app, "use_player_language", speak)
    app._seen = None
    app.tick()
    assert len(shown) == 1
    assert shown[0] is newer
    assert shown[0] is not older


@pytest.mark.slow
def test_the_result_follows_a_board_that_is_turned_afterwards(skirmish: Driver) -> None:
    """A resumed board is laid first and turned to fill its room next: the place was told for the
    first, and was false on the map."""
    strip = skirmish.app.screen.stage.strip
    told = place_words(SQUARES, Landmarks({(5, 5): TOWER}), {}, (4, 5))
    here = skirmish.app.service.snapshot
    assert here.gridded is not None
    assert here.view is not None
    view = replace(here.view, outcome=Outcome(told))
    said = []
    for turn in (0.0, 90.0):
        shot = replace(here, view=view, told_turn=here.gridded.board.turn - turn)
        set_turned(shot.turned_words)
        strip.show(shot)
        said.append(strip.sentence.text)
    set_turned(here.turned_words)
    assert said == ["The space left of the tower", "The space this side of the tower"]


def test_upright_and_small_the_dice_keys_are_whole(skirmish: Driver) -> None:
    """Of the keys only their tops were seen at 520 × 800, and labels hid the board."""
    from kivy.core.window import Window

    Window.size = (520, 800)
    skirmish.steps(8)
    skirmish.rest()
    sent(skirmish, {"do": "place", "figure": RIDER, "to": "3,2"})
    activated(skirmish, WARDEN)
    sent(skirmish, {"do": "attack", "target": RIDER}, {"do": "roll", "hits": 1})
    panel = skirmish.app.screen.panel
    keys = [one for one in skirmish.widgets(panel) if str(getattr(one, "name", "")) == "count:1"]
    (key,) = keys
    foot = panel.rows.to_window(*panel.rows.pos)[1]
    assert key.to_window(*key.pos)[1] >= foot
    texts = [one for one in skirmish.widgets(panel) if "defends a hit" in getattr(one, "text", "")]
    (told,) = texts
    assert told.to_window(*told.pos)[1] > key.to_window(*key.pos)[1], "known before the dice"


@pytest.mark.parametrize("size", [(520, 800), (600, 1024)])
def test_upright_the_map_keeps_its_size_and_the_tools_cover_nothing(
    skirmish: Driver, size: tuple[int, int]
) -> None:
    """At every step the map had another height; a tool lay over the line below it."""
    from kivy.core.window import Window

    Window.size = size
    skirmish.steps(8)
    skirmish.rest()
    screen = skirmish.app.screen

    def place() -> tuple[float, ...]:
        skirmish.steps(3)
        views, tools, strip = screen.stage.views, screen.stage.tools, screen.stage.strip
        if tools.parent is not None:
            _, top = tools.to_window(tools.x, tools.top)
            low = tools.to_window(*tools.pos)[1]
            assert top <= strip.to_window(*strip.pos)[1] + 1
            assert low >= screen.panel.top - 1 or top <= screen.panel.y + 1
        assert sum(one.height for one in screen.children) == pytest.approx(screen.height, abs=1)
        return (*views.to_window(*views.pos), *views.size)

    at_first = place()
    assert at_first[2] == pytest.approx(size[0], abs=1)
    sent(skirmish, {"do": "place", "figure": RIDER, "to": "3,2"})
    assert place() == pytest.approx(at_first)
    activated(skirmish, WARDEN)
    assert place() == pytest.approx(at_first)
    sent(skirmish, {"do": "attack", "target": RIDER})
    assert skirmish.find("count:1") is not None
    assert place() == pytest.approx(at_first)
    sent(skirmish, {"do": "roll", "hits": 1})
    assert place() == pytest.approx(at_first)
    skirmish.press("log")
    skirmish.app.go("table")
    skirmish.rest()
    assert place() == pytest.approx(at_first)


def test_upright_and_small_the_rows_of_a_figure_are_in_sight(skirmish: Driver) -> None:
    """Between its title and the golden button the list had no height at all."""
    from kivy.core.window import Window

    Window.size = (520, 800)
    skirmish.steps(8)
    skirmish.rest()
    activated(skirmish, WARDEN)
    panel = skirmish.app.screen.panel
    skirmish.until(lambda: panel.view.picked is not None, 30)
    assert panel.rows.height >= 2 * THEME.target, "two rows can be tapped"


@pytest.mark.slow
def test_a_row_that_is_tapped_stays_where_it_is(skirmish: Driver) -> None:
    """On a small screen the list jumped towards its top: what was chosen was not to be seen."""
    from kivy.core.window import Window

    Window.size = (520, 800)
    skirmish.steps(8)
    skirmish.rest()
    activated(skirmish, WARDEN)
    rows = skirmish.app.screen.panel.rows

    def top(name: str) -> float:
        found = skirmish.find(name)
        assert found is not None
        return float(found.to_window(found.x, found.top)[1])

    for name in ("offer:charge:r1", "offer:clock:wait"):
        found = skirmish.find(name)
        assert found is not None
        rows.scroll_to(found, animate=False)
        skirmish.steps(3)
        before = top(name)
        skirmish.touch(*skirmish.place(found))
        skirmish.steps(20)
        assert top(name) == pytest.approx(before, abs=1), name


@pytest.mark.slow
@pytest.mark.rule("TAC-ATK-6", "TAC-CRD-9")
def test_upright_and_small_what_is_paid_before_the_roll_is_told_over_the_dice(
    skirmish: Driver,
) -> None:
    """The keys come first there: who tapped them never saw what could be bought."""
    from kivy.core.window import Window

    Window.size = (520, 800)
    skirmish.steps(8)
    skirmish.rest()
    sent(skirmish, {"do": "place", "figure": RIDER, "to": "3,2"})
    activated(skirmish, WARDEN)
    sent(skirmish, {"do": "attack", "target": RIDER, "attack": "Every Blow Costs"})
    skirmish.until(lambda: "Before the roll, see below: " in words(skirmish), 10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "answered", "spoken"),
    [
        (("blue",), (), "en"),
        (("red",), (), "ru"),
        (("blue", "red"), (), "en"),
        (("blue", "red"), ("blue",), "ru"),
    ],
)
def test_the_app_speaks_the_language_of_who_decides_else_its_own(
    skirmish: Driver, seats: tuple[str, ...], answered: tuple[str, ...], spoken: str
) -> None:
    app = skirmish.app
    here = app.service.snapshot
    asked = Prompt("x", "Decide", seats=seats, answered=answered, secret=True)
    assert here.view is not None
    view = replace(here.view, prompts=(asked,))
    for first in ("de", "ru"):  # whoever decided before
        set_language(first)
        app.use_player_language(replace(here, view=view, languages={"blue": "", "red": "ru"}))
        assert APP_LANGUAGE.language == spoken
    set_language("en")


@pytest.mark.rule("TAC-END-12")
def test_who_gives_up_is_asked_once(skirmish: Driver) -> None:
    """One tap in a list of two ended the battle."""
    for tap in ("menu", "end-early", "choice:concede:red"):
        skirmish.press(tap)
    state = skirmish.app.service.snapshot
    assert not state.over
    skirmish.press("do-choice")
    skirmish.rest()
    assert skirmish.app.service.snapshot.over


def test_a_refusal_is_told_without_the_number_of_its_rule(skirmish: Driver) -> None:
    sent(skirmish, {"do": "place", "figure": WARDEN, "to": "0,10"})
    told = [str(getattr(one, "text", "")) for one in skirmish.app.toasts.walk()]
    assert any("cannot stand there" in one for one in told), told
    assert not any("TAC-" in one for one in told)


@pytest.mark.slow
def test_the_legend_shows_what_it_tells_of_the_board(skirmish: Driver) -> None:
    """“Orange disc”, “waves”: words alone, for pictures that nobody had seen beside them."""
    skirmish.press("dock:page:legend")
    samples = [one.drawn for one in skirmish.widgets() if isinstance(one, SampleView)]
    assert {"ground-blocked-o", "mark-purse", "edge-door"} <= set(samples)
    assert faults(skirmish) == []


@pytest.mark.slow
def test_an_agenda_of_paper_is_noted_alone_and_stays_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There was a reminder to lay the cards, and no place to note any."""
    (setup, *_opening) = SCREEN.practice("tactics")
    paper = {key: value for key, value in setup.items() if key != "guide"} | {"paper": True}
    monkeypatch.setattr(type(SCREEN), "practice", lambda *_: [paper])
    driver = opened(tmp_path, (1280, 800))
    driver.app.service.start_practice("tactics")
    driver.app.go("table")
    driver.rest()
    sent(driver, {"do": "roll-off", "faces": [9, 2]})
    sent(driver, {"do": "zone", "zone": "gold"})
    sent(driver, {"do": "start-marker", "side": "red"})
    driver.press("form:note-agenda:blue:Anna: note an agenda")
    driver.until(lambda: driver.find("choice:own"), 10)
    driver.press("choice:own")
    assert not button(driver, "send:note-agenda").ready
    entry: Any = driver.find("text:text")
    entry.text = "Two of mine beside the mill"
    driver.steps(2)
    assert button(driver, "send:note-agenda").ready, "what is typed can be sent, and it shows"
    driver.press("send:note-agenda")
    assert "Anna notes an agenda" in result(driver)
    assert "beside the mill" not in words(driver)
    driver.press("dock:page:coins")
    assert "Agenda 1" in words(driver)
    assert "beside the mill" not in words(driver), "nobody but Anna reads it"
    driver.press("back")
    driver.press("form:note-objective:Note an objective card")
    assert driver.find("text:text") is not None
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def button(driver: Driver, name: str) -> TouchButton:
    found = driver.find(name)
    assert isinstance(found, TouchButton)
    return found


def test_after_a_correction_the_card_of_its_figure_stays(skirmish: Driver) -> None:
    """It jumped to the acting figure: a second token needed the way over Squads anew."""
    activated(skirmish, WARDEN)
    skirmish.app.service.choose(RIDER)  # as the page Squads does
    skirmish.rest()
    sent(skirmish, {"do": "condition", "figure": RIDER, "kind": "shaken", "on": True})
    view = skirmish.app.screen.panel.view
    assert skirmish.app.service.snapshot.chosen == RIDER
    assert view.kind == "piece"
    assert view.piece is not None
    assert view.piece.name.startswith("Captain")
    skirmish.press("unchoose")
    assert skirmish.app.service.snapshot.chosen != RIDER


def test_badges_lie_as_they_lay_after_a_look_at_another_page(skirmish: Driver) -> None:
    """Four names lay on other sides of their figures after a look at the legend."""
    for figure, cell in {"b1": "3,3", "r1": "4,3", "b2": "4,4", "r2": "3,4", "b3": "5,4"}.items():
        sent(skirmish, {"do": "place", "figure": figure, "to": cell})
    before = {key: one.box for key, one in skirmish.app.screen.panes[0].chips.placed.items()}
    skirmish.app.go("score")
    skirmish.rest()
    skirmish.app.go("table")
    skirmish.rest()
    skirmish.steps(8)
    after = skirmish.app.screen.panes[0].chips.placed
    assert after.keys() == before.keys()
    for key, box in before.items():
        assert after[key].box == pytest.approx(box, abs=1.0), after[key].badge.name
