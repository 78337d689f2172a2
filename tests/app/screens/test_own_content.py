"""Cards and boards of the players' own by touch: a card entered, a tile drawn, both kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kivy.base import EventLoop
from PIL import Image

from companion.app.own_content.card_panel import CardPanel
from companion.app.own_content.editors import FormEditor
from companion.app.own_content.own_screen import OwnContentScreen
from companion.app.render.table_view import TableView
from companion.app.render.theme import bare
from companion.app.scripted.driver import Driver, Finger
from companion.app.widgets.controls import Text
from companion.games.api.card_form import FormField
from companion.games.tactics.cards.figure_card import every_card
from companion.games.tactics.cards.map_tile import every_tile
from companion.geometry.grid.placing import cell_at
from companion.overlay.board_shapes import cell_outline
from tests.app.conftest import opened
from tests.app.fits import faults


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    driver = opened(tmp_path)
    driver.press("own-content")
    yield driver
    driver.stop()


def page(driver: Driver) -> OwnContentScreen:
    found = driver.app.screen
    assert isinstance(found, OwnContentScreen)
    return found


def typed(driver: Driver, name: str, text: str) -> None:
    """Type into a field of the form."""
    entry: Any = driver.find(name)
    assert entry is not None, name
    entry.text = text
    driver.steps(2)


@pytest.mark.slow
def test_a_card_is_entered_and_kept(screen: Driver) -> None:
    assert faults(screen) == []
    screen.press("new:figure")
    assert faults(screen) == []
    typed(screen, "name", "Ser Test")
    assert "ser-test" not in every_card(), "a new card waits for its whole name"
    for _ in range(2):
        screen.press("silver+")
    screen.press("will+")
    cost = every_card()["ser-test"].cost
    assert cost is not None
    assert cost.silver == 2, "an empty number counts from 0"
    screen.press("add:attacks")
    typed(screen, "attacks[0].name", "Sword")
    assert bare(page(screen).note.text).startswith("✕"), "an attack without dice is not kept"
    whys = [problem.text for problem in page(screen).problems() if problem.stops]
    assert shown(screen).count("· needed") == len(whys), "told at their fields"
    screen.press("attacks[0].kind:melee")
    screen.press("attacks[0].dice+")
    screen.press("attacks[0].hit+")
    screen.press("form-done")
    card = every_card()["ser-test"]
    assert (card.will, card.attacks[0].name, card.cost) == (2, "Sword", card.cost)
    assert card.unknown == ("defence", "health")
    screen.press("figure:ser-test")
    assert faults(screen) == []
    screen.press("form-delete")
    screen.press("delete-sure")
    assert "ser-test" not in every_card()


@pytest.mark.slow
def test_numbers_are_set_by_one_key_of_a_pad(screen: Driver) -> None:
    screen.press("new:figure")
    typed(screen, "name", "Ser Pad")
    key: Any = screen.find("defence")
    assert key.height <= key.parent.height, "the key would cover the name of its number"
    screen.press("defence")
    assert faults(screen) == []
    screen.press("defence=6")
    assert screen.find("defence=6") is None, "the keys go on to the next empty number"
    screen.press("health=12")
    assert not rows_of(screen, "health="), "after the last one they close"
    screen.press("will")
    screen.press("will=none")
    assert not rows_of(screen, "will=")
    screen.press("add:abilities")
    typed(screen, "abilities[0].name", "Locked shields")
    typed(screen, "abilities[0].text", "Cancel a hit beside a hero.")
    screen.press("remove:abilities[0]")
    assert screen.find("abilities[0].text") is None
    screen.press("restore:abilities")
    assert screen.find("restore:abilities") is None
    screen.press("form-done")
    card = every_card()["ser-pad"]
    assert (card.will, card.defence, card.health) == (None, 6, 12)
    assert card.abilities[0].text == "Cancel a hit beside a hero."


def tapped(driver: Driver, name: str, times: int) -> None:
    """Tap the same spot again and again, one tap a frame: as they come after a slow one."""
    button = driver.find(name)
    assert button is not None, name
    page(driver).rows.scroll_to(button, animate=False)
    driver.steps(4)
    here = driver.place(button)
    for _tap in range(times):
        finger = Finger(*here)
        for phase in ("begin", "end"):
            EventLoop.post_dispatch_input(phase, finger)
        driver.steps(1)
    driver.steps(20)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["silver+", "attacks[0].dice+", "abilities[0].range+"])
def test_no_tap_on_a_counter_is_lost_however_fast_they_come(screen: Driver, name: str) -> None:
    """The form was built anew after each, which took a second: in its first frame the new counter
    did not yet stand where the old one was, and the taps that had come meanwhile met nothing."""
    screen.press("new:figure")
    row: dict[str, Any] = {"name": "Mace", "kind": "melee"}
    held = page(screen).values
    held |= {"name": "Ser Fast", "attacks": [row], "abilities": [{"name": "Word", "kind": "order"}]}
    editor = next(one for one in screen.widgets() if isinstance(one, FormEditor))
    if "[" in name:
        editor.fold(name.partition(".")[0])
    screen.steps(6)
    tapped(screen, name, 9)
    told = {"silver+": held, "attacks[0].dice+": row}.get(name, held["abilities"][0])
    assert 9 in told.values()


def test_what_is_shown_of_a_form_stays_the_same_widget(screen: Driver) -> None:
    """A text flickered to a shorter one whenever anything else was chosen."""
    screen.press("new:figure")
    typed(screen, "name", "Ser Same")
    screen.press("add:abilities")
    before = {name: screen.find(name) for name in ("abilities[0].text", "will+", "name")}
    typed(screen, "abilities[0].text", "An enemy in short range becomes shaken")
    screen.press("abilities[0].kind:order")
    screen.press("will+")
    assert {name: screen.find(name) for name in before} == before


def test_what_was_missing_is_told_no_more_once_it_is_typed(screen: Driver) -> None:
    """“missing: Name” stayed red under the name."""
    screen.press("new:figure")
    assert "Name · needed" in shown(screen)
    typed(screen, "name", "Ser Named")
    assert "Name · needed" not in shown(screen)


def test_what_nobody_has_entered_yet_is_no_fault_and_its_card_takes_what_it_needs(
    tmp_path: Path,
) -> None:
    """Twelve red lines stood over “Empty values are asked for when they are needed.”, and under
    that a quarter of the screen was empty."""
    driver = opened(tmp_path, (800, 1280))
    for name in ("own-content", "choice:westeros", "new:skirmish"):
        driver.press(name)
    told = shown(driver)
    assert "✕" not in told
    assert told.count("· needed") > 8
    assert "when they are needed" not in told
    own = page(driver)
    rows, panel = own.rows, next(one for one in own.walk() if isinstance(one, CardPanel))
    driver.steps(6)
    assert panel.height < panel.needed + 2
    assert rows.height > 0.7 * own.middle.height
    driver.stop()


def test_done_and_the_card_so_far_are_in_sight_wherever_the_form_is_scrolled(
    screen: Driver,
) -> None:
    screen.press("new:figure")
    typed(screen, "name", "Ser Seen")
    screen.press("add:attacks")
    typed(screen, "attacks[0].name", "Mace")
    screen.press("attacks[0].kind:melee")
    for name in (*2 * ["attacks[0].dice+"], *5 * ["attacks[0].hit+"]):
        screen.press(name)
    for place in (0.0, 1.0):
        page(screen).rows.scroll_y = place
        screen.steps(4)
        done = screen.find("form-done")
        assert done is not None
        assert 0 <= screen.place(done)[1] <= screen.app.root_layer.height
        assert "melee · Dice 2 · Hits on 6" in shown(screen)


def test_of_the_rows_of_a_form_one_is_open_and_only_that_one_can_be_removed(
    screen: Driver,
) -> None:
    """Three equal buttons stood close together, each for another row."""
    screen.press("new:figure")
    for at, name in enumerate(("Mace", "Crossbow", "Dagger")):
        screen.press("add:attacks")
        typed(screen, f"attacks[{at}].name", name)
    assert rows_of(screen, "remove:") == ["remove:attacks[2]"]
    screen.press("fold:attacks[0]")
    assert rows_of(screen, "remove:") == ["remove:attacks[0]"]
    assert "Remove “Mace”" in shown(screen)
    screen.press("remove:attacks[0]")
    assert [one["name"] for one in page(screen).values["attacks"]] == ["Crossbow", "Dagger"]
    screen.press("restore:attacks")
    assert page(screen).values["attacks"][0]["name"] == "Mace"
    assert rows_of(screen, "remove:") == ["remove:attacks[0]"], "it is open again"
    screen.press("fold:attacks[0]")
    assert rows_of(screen, "remove:") == []


@pytest.mark.slow
def test_a_tile_is_drawn_by_taps(screen: Driver) -> None:
    screen.press("new:board")
    typed(screen, "board-name", "My Bridge")
    pane = page(screen).pane
    assert pane is not None

    def touch(x: float, y: float) -> None:
        screen.touch(*pane.pane.to_window(*pane.pane.on_screen((x, y))))
        screen.steps(2)

    screen.press("tool:blocked-x")
    board = pane.shown.board
    touch(*board.middle((3, 2)))
    assert every_tile()["my-bridge"].ground() == {(3, 2): ("blocked-x",)}
    screen.press("tool:wall")
    corners = cell_outline(board, (1, 1))
    right = max(x for x, _ in corners)
    touch(right - 0.1, board.middle((1, 1))[1])
    assert [one.edge for one in every_tile()["my-bridge"].edges] == [((1, 1), (2, 1))]
    screen.press("board-undo")
    assert every_tile()["my-bridge"].edges == ()
    screen.press("board-share")
    shared = screen.app.service.folder / "shared" / "tile-my-bridge.toml"
    assert "My Bridge" in shared.read_text(encoding="utf-8")
    screen.press("close")
    screen.press("board-done")
    assert "board:tile/my-bridge" in screen.names()


@pytest.mark.slow
def test_the_practice_game_of_a_board_is_one_tap_from_home(tmp_path: Path) -> None:
    driver = opened(tmp_path)
    assert faults(driver) == []
    driver.press("practice:tactics")
    driver.rest()
    shown = driver.app.service.snapshot
    assert shown.prompts[0].id == "turn"
    assert shown.practice
    assert len(shown.table.pieces) == 14  # type: ignore[union-attr]
    driver.app.service.leave()
    driver.rest()
    driver.stop()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tactics", "westeros"])
def test_an_own_battlefield_is_drawn_inside_the_wizard(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    driver = opened(tmp_path)
    driver.press(f"new:{game}")
    driver.press("step:game")
    assert faults(driver) == []
    driver.press("enter:board")
    typed(driver, "board-name", "Our field")
    own = driver.app.screen
    assert isinstance(own, OwnContentScreen)
    assert own.pane is not None
    bare_board = own.pane.table_of(replace(own.pane.board, marks={}))
    edges = {"stark": "bottom", "lannister": "top"} if game == "westeros" else {}
    assert bare_board.home_edges == edges, "whose edge is where, before any unit stands: BOW-GEN-7"
    own.keep_board(own.pane.board)
    driver.rest()
    assert whole(driver, own.pane.pane, tmp_path / "board.png")
    typed(driver, "board-name", "Our other field")  # the last thing done before "Done"
    driver.press("board-done")
    assert driver.app.place == "new"
    assert driver.find("choice:our-field") is not None
    assert "Our other field" in shown(driver)
    record = driver.app.screen.record
    assert record.entries[0].value == "our-field", "what was drawn is what is played"
    if game == "tactics":  # the scenario fixes rounds and coins (TAC-GEN-3): they are asked
        assert [one.text for one in record.problems] == [
            "Our other field: rounds and coins are missing"
        ]
        assert driver.find("enter:scenario:our-field") is not None
        assert "rounds," not in shown(driver)
        golden = [one for one in driver.widgets() if getattr(one, "look", "") == "primary"]
        assert [getattr(one, "name", "") for one in golden] == ["enter:scenario:our-field"]
        driver.press("enter:board:our-field")  # back into its drawing
        assert page(driver).title.text == "Our other field"
        driver.press("board-done")
        assert driver.app.place == "new"
    driver.stop()


def test_a_zone_is_painted_by_a_finger_and_undone_at_once(screen: Driver) -> None:
    screen.press("new:board")
    typed(screen, "board-name", "My Ford")
    pane = page(screen).pane
    assert pane is not None
    screen.press("tool:blocked-x")
    board = pane.shown.board

    def spot(cell: tuple[int, int]) -> tuple[float, float]:
        x, y = pane.pane.to_window(*pane.pane.on_screen(board.middle(cell)))
        return x, y

    screen.drag(spot((1, 1)), spot((5, 1)), parts=2)
    row = {(column, 1): ("blocked-x",) for column in range(1, 6)}
    assert every_tile()["my-ford"].ground() == row
    screen.drag(spot((3, 1)), spot((4, 1)))
    left = {cell: words for cell, words in row.items() if cell not in ((3, 1), (4, 1))}
    assert every_tile()["my-ford"].ground() == left, "begun on what lies there, it is removed"
    screen.press("board-undo")
    screen.press("board-undo")
    assert every_tile()["my-ford"].ground() == {}


NOWHERE = """
format = "table-companion/westeros-cards/1"
[[battle]]
id = "mill"
name = "Mill"
rounds = 2
[[battle.house]]
side = "stark"
tokens = 2
orders = 3
cards = 2
units = [{ card = "northern-guard", rank = "red" }, { card = "northern-guard", rank = "green" }]
[[battle.house]]
side = "lannister"
tokens = 2
orders = 3
cards = 2
units = [{ card = "lannisport-guards", rank = "green" }]
"""


@pytest.mark.slow
def test_a_battle_that_was_entered_is_drawn_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its units have no start hexes yet (BOW-SET-8): the wizard leads to its own board."""
    own = tmp_path / "own" / "westeros-cards"
    own.mkdir(parents=True)
    (own / "mill.toml").write_text(NOWHERE, encoding="utf-8")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    driver = opened(tmp_path)
    driver.press("new:westeros")
    driver.press("step:game")
    driver.press("choice:mill")
    assert "no unit of Stark has a place yet: draw where they start" in shown(driver)
    driver.press("next")
    assert driver.app.screen.record.id == "game", "an empty board is no battle"
    driver.press("enter:board:mill")
    assert page(driver).title.text == "Mill"
    pane = page(driver).pane
    assert pane is not None
    for unit, cell in (("s1", (2, 1)), ("s2", (3, 1)), ("l1", (2, 6))):
        driver.press(f"tool:{unit}")
        driver.touch(*pane.pane.to_window(*pane.pane.on_screen(pane.shown.board.middle(cell))))
    driver.steps(4)
    labels = {one.badge.id: one.badge.name for one in pane.pane.chips.placed.values()}
    assert labels == {"s1": "War Host 1", "s2": "War Host 2", "l1": "Guards"}, "as in the game"
    chips, spots = pane.pane.chips, dict[Any, Any]()
    for one in chips.placed.values():
        (x, y), (left, low) = one.box.centre, chips._at
        spot = left + x, low + chips.high - y
        where = pane.pane.inches(*spot)
        spots[cell_at(pane.shown.board, *where) if where is not None else None] = spot
    under, covered = next(one for one in spots.items() if one[0] not in (None, (2, 1), (3, 1)))
    driver.press("tool:objective")
    driver.touch(*pane.pane.to_window(*covered))  # a tap on a label draws under the finger
    assert [cell for cell, words in pane.board.marks.items() if "objective" in words] == [under]
    driver.press("board-done")
    assert driver.app.place == "new"
    assert "has a place yet" not in shown(driver)
    driver.press("next")
    assert driver.app.screen.record.id == "seats"
    driver.stop()


@pytest.mark.slow
def test_a_skirmish_begun_inside_the_wizard_is_gone_on_with_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    driver = opened(tmp_path)
    driver.press("new:westeros")
    driver.press("step:game")
    driver.press("enter:skirmish")
    typed(driver, "name", "Our raid")
    driver.press("back")
    assert driver.app.place == "new"
    (draft,) = rows_of(driver, "draft:")
    driver.press(draft)
    own = driver.app.screen
    assert isinstance(own, OwnContentScreen)
    assert own.values["name"] == "Our raid"
    assert "Board side · needed" in shown(driver)
    driver.stop()


def test_what_may_stay_empty_can_be_emptied_again() -> None:
    """A wrong tap on an option is taken back by a key of its own; where one is required by another
    option alone."""
    required = FormField("side", "Side", "option", True, options=(("a", "A"), ("b", "B")))
    optional = replace(required, name="leader", required=False)
    held: dict[str, Any] = {"side": "a", "leader": "b"}
    no_photo: Any = None
    fields = (required, optional)
    form = FormEditor(fields, held, str, lambda _typed: None, lambda: (), no_photo)
    keys = {getattr(one, "name", ""): one for one in form.walk()}
    assert "side:None" not in keys
    keys["leader:None"].act()
    assert held == {"side": "a", "leader": None}


def whole(driver: Driver, pane: TableView, path: Path) -> bool:
    """Whether the map is drawn up to its four corners."""
    driver.shot(path)
    with Image.open(path) as taken:
        picture = taken.convert("RGB")
    x, y = pane.to_window(*pane.center)
    wide, high = (part / 2 - 3 for part in pane.base)
    page = picture.getpixel((2, picture.height // 2))
    spots = [(x + dx, picture.height - y + dy) for dx in (-wide, wide) for dy in (-high, high)]
    return all(picture.getpixel((round(one), round(two))) != page for one, two in spots)


def shown(driver: Driver) -> str:
    return " | ".join(str(one.text) for one in driver.widgets(driver.top) if isinstance(one, Text))


def rows_of(driver: Driver, start: str) -> list[str]:
    return [name for name in driver.names() if name.startswith(start)]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kind"), [("westeros", "unit"), ("thrones", "character")])
def test_a_card_that_lacks_something_is_kept_as_a_draft(
    screen: Driver, game: str, kind: str
) -> None:
    screen.press(f"choice:{game}")
    before = len(page(screen).forms.form_cards(kind))  # type: ignore[union-attr]
    screen.press(f"new:{kind}")
    typed(screen, "name", "Nobody's Own")
    screen.press("back")
    (draft,) = rows_of(screen, "draft:")
    why = "not entered yet" if game == "thrones" else "missing: "
    assert f"draft · {why}" in shown(screen), "what keeps it from being a card"
    assert len(page(screen).forms.form_cards(kind)) == before  # type: ignore[union-attr]
    # The app is left and opened again: nothing entered is lost.
    screen.press("back")
    screen.press("own-content")
    screen.press(f"choice:{game}")
    screen.press(draft)
    entry: Any = screen.find("name")
    assert entry.text == "Nobody's Own"
    assert faults(screen) == []
    if game == "thrones":
        screen.press("faction:stark")
        screen.press("cost+")
        screen.press("strength+")
        assert bare(page(screen).note.text).startswith("✓")
        screen.press("form-done")
        assert rows_of(screen, "draft:") == []
        own = [one for one in page(screen).forms.form_cards(kind) if one.own]  # type: ignore[union-attr]
        assert [one.name for one in own] == ["Nobody's Own"]
    else:
        screen.press("form-delete")
        screen.press("delete-not")
        screen.press("form-delete")
        screen.press("delete-sure")
        assert rows_of(screen, "draft:") == []


@pytest.mark.slow
def test_looking_at_a_card_makes_no_copy(screen: Driver) -> None:
    card = next(name for name in rows_of(screen, "figure:"))
    screen.press(card)
    assert screen.find("form-delete") is None, "a shipped card is nobody's to delete"
    screen.press("back")
    screen.press(card)
    screen.press("form-done")
    forms = page(screen).forms
    assert forms is not None
    assert [one for one in forms.form_cards("figure") if one.own] == []


@pytest.mark.slow
def test_deleting_a_card_asks_first(screen: Driver) -> None:
    screen.press("new:figure")
    typed(screen, "name", "Ser Gone")
    screen.press("silver+")
    screen.press("form-done")
    assert "ser-gone" in every_card()
    screen.press("figure:ser-gone")
    screen.press("form-delete")
    assert "Delete “Ser Gone” for good?" in shown(screen)
    screen.press("delete-not")
    assert "ser-gone" in every_card()
    screen.press("form-share")
    assert "ser-gone.toml" in shown(screen)
    screen.press("close")
    screen.press("form-delete")
    screen.press("delete-sure")
    assert "ser-gone" not in every_card()


@pytest.mark.parametrize("game", ["thrones", "tactics", "westeros"])
def test_no_row_says_the_same_twice(screen: Driver, game: str) -> None:
    screen.press(f"choice:{game}")
    screen.rest()
    texts = [str(getattr(one, "text", "")) for one in screen.widgets()]
    for parts in (bare(one).split(" · ") for one in texts):
        assert len(parts) == len(set(parts)), parts
    assert sum(getattr(one, "look", "") == "primary" for one in screen.widgets()) <= 1


def test_after_a_card_the_list_is_where_it_was(screen: Driver) -> None:
    """It began at its top again: every card had to be sought anew."""
    rows = page(screen).rows
    name = rows_of(screen, "figure:")[12]
    button = screen.find(name)
    assert button is not None
    rows.scroll_to(button, animate=False)
    screen.steps(4)
    before = screen.place(button)[1]
    assert rows.scroll_y < 1
    screen.press(name)
    assert page(screen).leaving is not None
    screen.press("form-done")
    screen.steps(12)
    again = screen.find(name)
    assert again is not None
    assert screen.place(again)[1] == pytest.approx(before, abs=2)


@pytest.mark.slow
def test_a_figure_entered_for_a_squad_is_in_sight_when_the_squad_is_shown_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list was back at its first faction, and the new figure had to be sought."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    driver = opened(tmp_path)
    for name in ("new", "choice:tactics", "next", "next", "new:figure"):
        driver.press(name)
    typed(driver, "name", "Old Gerrin")
    typed(driver, "faction", "House Zed")
    driver.press("copper+")
    driver.press("form-done")
    driver.steps(8)
    row = driver.find("enter:Old Gerrin")
    assert row is not None, "under its faction"
    assert driver.app.screen.inner.pick_rows.sees(row)
    driver.stop()


@pytest.mark.slow
def test_a_figure_begun_for_a_squad_is_gone_on_with_there_and_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was begun was offered nowhere beside the squads, was entered anew, and stood in the
    list twice: as a draft and as the card."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    driver = opened(tmp_path)
    for name in ("new", "choice:tactics", "next", "next", "new:figure"):
        driver.press(name)
    typed(driver, "faction", "House Zed")
    driver.press("copper+")
    driver.press("back")
    (draft,) = rows_of(driver, "draft:")
    driver.press(draft)
    typed(driver, "name", "Old Gerrin")
    driver.press("form-done")
    driver.steps(8)
    assert rows_of(driver, "draft:") == []
    assert driver.find("enter:Old Gerrin") is not None
    driver.stop()


@pytest.mark.slow
def test_a_card_that_is_changed_half_stands_in_the_list_once(screen: Driver) -> None:
    """Its draft and the card as it was stood in the list; who opened the card did not see what
    was entered last, and its draft stayed for good."""
    screen.press("new:figure")
    typed(screen, "faction", "House Zed")
    typed(screen, "name", "Old Gerrin")
    screen.press("silver+")
    typed(screen, "name", "")
    screen.press("back")
    own = [one for one in page(screen).forms.form_cards("figure") if one.own]  # type: ignore[union-attr]
    assert [one.name for one in own] == ["Old Gerrin"]
    assert len(rows_of(screen, "draft:")) == 1
    assert f"figure:{own[0].id}" not in screen.names()
    page(screen).open_wanted("tactics", "figure", own[0].id)  # as the squads ask for it
    screen.steps(2)
    entry: Any = screen.find("name")
    assert entry.text == "", "what was entered last"
    typed(screen, "name", "Older Gerrin")
    screen.press("form-done")
    screen.press("own-content")
    assert rows_of(screen, "draft:") == []
    own = [one for one in page(screen).forms.form_cards("figure") if one.own]  # type: ignore[union-attr]
    assert [one.name for one in own] == ["Older Gerrin"]
