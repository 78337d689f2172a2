"""Battles of Westeros by touch: home, new game, first order, and a combat step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kivy.metrics import sp

from companion.app.render.table_view import TableView
from companion.app.render.theme import SPARE, lines_needed
from companion.app.scripted.driver import Driver
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import LEAST_SP, TouchButton
from companion.app.widgets.game_bar import UNDO_LINES, GameBar
from companion.engine.app_words import _
from companion.engine.turn.step_names import undo_texts
from companion.games.shared.event_registry import fill_title
from companion.games.westeros.cards.catalogue import every_card
from companion.games.westeros.play import PLAY
from companion.games.westeros.screen.views import OUTCOME
from companion.geometry.grid.placing import cell_at
from companion.overlay.footprints import outlines, piece_at
from companion.text.translation import set_language, translate
from models.message import say
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.screens.test_any_game import choices, words

CLOSE = """
format = "table-companion/westeros-cards/1"
[[battle]]
id = "close"
name = "Face to face"
side = "A"
rounds = 2
mace = "stark"
victory = { unit = 1 }
ground = { "6,6" = "forest", "9,5" = ["river", "ford"], "4,5" = ["plains", "fire-2"] }
[[battle.house]]
side = "stark"
tokens = 2
orders = 3
cards = 2
units = [
  { card = "northern-guard", rank = "red", cell = "7,4", commander = "maege-mormont" },
  { card = "northern-guard", rank = "green", cell = "8,5" },
]
[[battle.house]]
side = "lannister"
tokens = 2
orders = 3
cards = 2
units = [
  { card = "lannisport-guards", rank = "green", cell = "7,5" },
  { card = "lannisport-guards", rank = "green", cell = "7,6" },
  { card = "lannisport-guards", rank = "blue", cell = "8,6" },
]
"""


@pytest.fixture
def battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """The app at its first screen; the players have a battle plan of their own."""
    own = tmp_path / "own" / "westeros-cards"
    own.mkdir(parents=True)
    (own / "close.toml").write_text(CLOSE, encoding="utf-8")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    driver = opened(tmp_path / "app", (1024, 600))
    yield driver
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def rolled(driver: Driver, faces: str) -> None:
    """Enter dice by their faces."""
    for face in faces:
        driver.press(f"die:{face}")
    driver.rest()


def test_from_home_to_the_first_order_and_through_a_combat(battle: Driver) -> None:
    service = battle.app.service
    assert battle.find("practice:westeros") is not None
    for name in ("new", "choice:westeros", "choice:close", "step:begin", "begin"):
        battle.press(name)
    battle.until(lambda: battle.app.place == "table")
    keys: dict[str, Any] = {name: battle.find(f"view:{name}") for name in ("map", "picture")}
    assert (keys["map"].ready, keys["picture"].ready) == (True, False), "there is no camera"
    battle.press("choice:begin")
    assert faults(battle) == []
    for _house in range(2):
        assert service.snapshot.prompts[0].id == "orders"
        rolled(battle, "718")  # valour, green, morale
    battle.until(lambda: battle.app.announcer.banner is None, 10)
    battle.tap_unit("s1")
    battle.press("do-offer")
    assert service.snapshot.prompts[0].id == "act"
    assert faults(battle) == []
    # The attack is the best offer of the ordered unit; its four dice are entered one by one.
    battle.press("do-offer")
    assert service.snapshot.prompts[0].id == "attack-roll"
    assert "Green | hits the target | 3/8 | Blue | no hit | 2/8" in words(battle)
    rolled(battle, "1188")
    assert service.snapshot.prompts[0].id == "stalwart"
    assert "2 hexes are blocked: 2 hits" in words(battle)
    assert faults(battle) == []
    battle.press(next(one for one in choices(battle) if one.endswith("True")))
    assert service.snapshot.state["units"]["l1"]["figures"] == 1  # one blocked hex is one hit
    assert service.snapshot.prompts[0].id == "counter"
    battle.press(next(one for one in choices(battle) if one.endswith("True")))
    rolled(battle, "11")
    assert service.snapshot.prompts[0].id == "turn"
    assert service.snapshot.state["engagements"] == [["s1", "l1", "stark"]]
    for _step in range(4):
        battle.press("undo")
    assert service.snapshot.prompts[0].id == "attack-roll"
    assert service.snapshot.state["units"]["l1"]["figures"] == 4


def begun(battle: Driver) -> None:
    """The first turn, after the order dice."""
    for name in ("new", "choice:westeros", "choice:close", "step:begin", "begin"):
        battle.press(name)
    battle.until(lambda: battle.app.place == "table")
    battle.press("choice:begin")
    for _house in range(2):
        rolled(battle, "718")
    battle.until(lambda: battle.app.announcer.banner is None, 10)


def test_the_keys_of_the_dice_stay_where_they_are(battle: Driver) -> None:
    """Two quick taps on one place enter the same symbol twice."""
    for name in ("new", "choice:westeros", "choice:close", "step:begin", "begin"):
        battle.press(name)
    battle.until(lambda: battle.app.place == "table")
    battle.press("choice:begin")
    key = battle.find("die:4")
    assert key is not None
    before = battle.place(key)
    battle.press("die:4")
    battle.steps(4)
    assert battle.place(key) == before


def keys_on_the_card(battle: Driver) -> list[str]:
    """The keys of dice that lie wholly on the card without scrolling."""
    rows = battle.app.screen.panel.rows
    low, high = rows.to_window(rows.x, rows.y)[1], rows.to_window(rows.x, rows.top)[1]
    names = []
    for key in battle.widgets():
        bottom = key.to_window(key.x, key.y)[1]
        name = str(getattr(key, "name", ""))
        if name.startswith(("die:", "app-rolls")) and low - 1 <= bottom <= high + 1 - key.height:
            names.append(name)
    return sorted(names)


def test_all_keys_of_the_dice_are_on_the_card_of_a_small_screen_beside_the_guide(
    battle: Driver,
) -> None:
    """The fifth sign lay below the fold."""
    battle.press("practice:westeros")
    battle.until(lambda: battle.app.place == "table")
    battle.press("choice:begin")
    every = ["app-rolls", "die:1", "die:4", "die:6", "die:7", "die:8"]
    service, dice = battle.app.service, ["B", "G", "G", "B"]
    orders: dict[str, Any] = {"do": "orders", "faces": dice}
    fight: list[dict[str, Any]] = [
        {"do": "effect", "unit": "l2", "to": "6,3"},
        {"do": "order", "unit": "l2", "tokens": ["B"]},
        {"do": "attack", "unit": "l2", "target": "s2"},
    ]
    steps: tuple[list[dict[str, Any]], ...] = ([], [orders, orders, *fight])
    for commands, asked in zip(steps, ("orders", "attack-roll"), strict=True):
        service.do(*commands)
        for language in ("en", "de", "ru"):
            battle.app.prefer(replace(service.preferences, language=language))
            battle.steps(8)
            battle.rest()
            assert service.snapshot.prompts[0].id == asked
            assert keys_on_the_card(battle) == every, (asked, language)


def test_a_tap_on_a_badge_selects_its_unit(battle: Driver) -> None:
    begun(battle)
    chips = battle.app.screen.panes[0].chips
    box = chips.placed["s1"].box
    x, y = chips._at
    battle.touch(x + box.centre[0], y + chips.high - box.centre[1])
    battle.rest()
    assert battle.app.service.snapshot.chosen == "s1"


def test_a_piece_in_the_hand_goes_to_the_hex_under_a_badge(battle: Driver) -> None:
    """The badge of another unit over an empty hex does not take the tap."""
    begun(battle)
    pane = battle.app.screen.panes[0]
    board = battle.app.service.snapshot.gridded
    assert board is not None
    battle.press("tool:hand")
    battle.tap_unit("s2")
    x, y = pane.chips._at
    spots = {
        piece: (x + box.left + share * (box.right - box.left), y + pane.chips.high - box.centre[1])
        for piece, one in pane.chips.placed.items()
        for share in (0.2, 0.8)
        for box in (one.box,)
    }
    under = {
        piece: cell_at(board.board, *found)
        for piece, spot in spots.items()
        if piece != "s2"
        if (found := pane.inches(*spot)) is not None and piece_at(board, found, 0.0) is None
    }
    badge, cell = next((piece, cell) for piece, cell in under.items() if cell is not None)
    battle.touch(*spots[badge])
    battle.steps(4)
    mover = battle.app.screen.mover
    assert (mover.unit, mover.cell) == ("s2", cell)


def test_a_paper_card_of_two_tokens_is_paid_with_two(battle: Driver, tmp_path: Path) -> None:
    """The tap on the second row marked the first, and one was paid (BOW-CRD-2)."""
    rich = CLOSE.replace("maege-mormont", "greatjon-umber")  # he takes more tokens than one
    (tmp_path / "own" / "westeros-cards" / "close.toml").write_text(rich, encoding="utf-8")
    begun(battle)
    battle.tap_unit("s1")
    walk = battle.app.root_layer.walk
    _one, two = [x for x in walk() if getattr(x, "name", "").startswith("offer:cards")]
    battle.touch(*battle.place(two))
    battle.steps(6)
    battle.press("do-offer")
    houses = battle.app.service.snapshot.state["houses"]
    assert houses["stark"]["tokens"] == 0


def test_the_units_of_a_command_card_are_tapped_on_the_board(battle: Driver) -> None:
    """The players name them, and nobody is ordered by an empty hand (BOW-CRD-1, BOW-CRD-9)."""
    begun(battle)
    battle.tap_unit("s1")
    battle.press(next(one for one in battle.names() if one.startswith("offer:cards")))
    assert battle.app.service.snapshot.prompts[0].id == "turn", "a row shows"
    battle.press("do-offer")
    assert battle.app.service.snapshot.prompts[0].id == "card-units"
    send = battle.app.screen.panel.form.foot.children[0]
    assert not send.ready
    assert "0 of 2" in words(battle)

    def named() -> set[str]:
        form = battle.app.screen.panel.form
        return set(form.filled.chosen()) - {"nobody", "0"} if form is not None else set()

    (pane,) = battle.app.screen.panes
    board = battle.app.service.snapshot.gridded
    assert board is not None
    assert pane.ticked == ()
    battle.tap_unit("s2")
    assert named() == {"s2"}
    assert pane.ticked == (tuple(outlines(board)["s2"]),), "who is chosen has a tick on the board"
    battle.tap_unit("l1")  # a look at somebody whom the card cannot order
    assert named() == set()
    assert pane.ticked == ()
    drawn = battle.app.service.controller.overlay.cache
    assert ("s1", False) in drawn._now.maps, "the command range is drawn, whoever is looked at"
    battle.press("unchoose")
    assert named() == {"s2"}, "what was chosen is there again"
    battle.tap_unit("l1")
    battle.tap_unit("s2")
    assert named() == {"s2"}, "whoever is chosen stays so"
    battle.tap_unit("s2")
    assert named() == set()
    battle.tap_unit("l1")
    battle.tap_unit("s2")
    assert named() == {"s2"}, "a tap that leads back to the question answers it, too"
    battle.press("send:units")
    assert battle.app.service.snapshot.prompts[0].data["units"] == ["s2"]


def test_the_hexes_of_a_retreat_have_rows_with_their_words(battle: Driver) -> None:
    """A badge or a finger hid one of two hexes (BOW-RET-2)."""
    begun(battle)
    service = battle.app.service
    service.do({"do": "order", "unit": "s2", "tokens": ["V"]})
    service.do({"do": "attack", "unit": "s2", "target": "l3"})
    battle.rest()
    dice = service.snapshot.prompts[0].dice
    assert dice is not None
    service.do({"do": "roll", "faces": [*"MM", *"R" * (dice.count - 2)]})
    battle.rest()
    if service.snapshot.prompts[0].id == "stalwart":
        service.do({"do": "stalwart", "ignore": False})
    battle.rest()
    assert service.snapshot.prompts[0].id == "retreat"
    rows = {name: battle.find(name) for name in battle.names() if name.startswith("cell:")}
    told = {key: (one.text, one.edge) for key, one in rows.items() if isinstance(one, OptionRow)}
    cells = service.snapshot.prompts[0].cells
    assert len(told) == len(cells) > 1
    assert {edge for _text, edge in told.values()} == {one.text for one in cells}, "as on the board"
    assert len({text for text, _edge in told.values()}) == len(told)
    before = service.snapshot.state["units"]["l3"]["cell"]
    battle.press(next(iter(told)))
    assert service.snapshot.state["units"]["l3"]["cell"] != before


def test_the_golden_attack_of_another_unit_is_made_by_one_tap(battle: Driver) -> None:
    """It only opened the other unit, whose own golden button had to be tapped as well."""
    begun(battle)
    service = battle.app.service
    service.do({"do": "card", "unit": "s1", "tokens": [1], "units": ["s1", "s2"]})
    service.do({"do": "attack", "unit": "s1", "target": "l1"})
    service.do({"do": "roll", "faces": list("RRRR")})
    service.do({"do": "counterattack", "strike": False})
    battle.rest()
    assert service.snapshot.prompts[0].id == "act"
    battle.tap_unit("s1")
    gold = battle.find("do-offer")
    assert isinstance(gold, TouchButton)
    assert gold.text.startswith("War Host: Attack")
    battle.press("do-offer")
    assert service.snapshot.prompts[0].id == "attack-roll"
    assert service.snapshot.prompts[0].text.startswith("War Host")


@pytest.mark.rule("BOW-SKM-12")
def test_why_a_commander_may_not_be_placed_there_is_told(battle: Driver) -> None:
    """“Tap a marked space” was all that was said."""
    service = battle.app.service
    raid = every_card().skirmishes["sample-raid"].raw
    command = {"do": "set-up", "game": "westeros", "skirmish": raid, "seed": 3}
    service.ask(lambda: service.controller.begin(command, "raid"))
    battle.rest()
    battle.app.go("table")
    sides = {"stark": ["s-maege", "s-rickard"], "lannister": ["l-kevan"]}
    for side, chosen in sides.items():
        service.do({"do": "commanders", "side": side, "choose": chosen})
    battle.rest()
    here = service.controller.game.here
    while here is not None and here.state.phase == "overlays":
        service.do(dict(PLAY.options(here.state)[0]["options"][0]))
        battle.rest()
        here = service.controller.game.here
    assert service.snapshot.prompts[0].id == "place"
    unit = next(iter(service.snapshot.prompts[0].pieces))
    service.choose(unit)
    battle.rest()
    (offer,) = [one for one in service.snapshot.offers if one.piece == unit]
    table = service.snapshot.gridded
    assert table is not None
    marked, middle = {one.cell for one in offer.cells}, table.board.rows // 2
    row = [(column, middle) for column in range(table.board.columns)]
    far = next(one for one in row if one in table.board and one not in marked)
    battle.tap_cell(far)
    told = [str(getattr(one, "text", "")) for one in battle.app.toasts.walk()]
    assert any("of the own board edge" in one for one in told), told


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "ru"])
def test_every_short_name_of_a_step_fits_the_undo_key_of_a_small_window(
    language: str, tmp_path: Path
) -> None:
    driver = opened(tmp_path, (1024, 600))
    driver.press("practice:westeros")
    driver.rest()
    set_language(language)
    key = next(one for one in driver.app.frame.walk() if isinstance(one, GameBar)).undo.label
    look, room = (key.font_name, bool(key.bold)), key.width * SPARE
    view = driver.app.service.snapshot.view
    assert view is not None
    cut = []
    for told_as in OUTCOME.undo.values():
        for piece in view.pieces:
            about = {"name": piece.name, "player": say("Player 1"), "round": 3}
            full = fill_title(told_as.full, about)
            named = replace(view, undo=full, undo_short=told_as.short, undoable=True)
            told = [_("Undo: {step}", step=one) for one in undo_texts(named, "", translate)]
            if all(lines_needed(one, sp(LEAST_SP), *look, room) > UNDO_LINES for one in told):
                cut.append(told)
    assert cut == []
    driver.stop()
    set_language("en")


def test_no_badge_lies_on_a_map_that_is_not_drawn_yet(tmp_path: Path) -> None:
    """All of them stood in a corner of a black map while the worker drew it."""
    driver = opened(tmp_path)
    driver.app.start_practice("westeros")
    driver.until(lambda: driver.app.service.snapshot.picture is not None, 60)
    driver.press("view:map")
    driver.until(lambda: driver.app.service.snapshot.map is not None, 60)
    driver.rest()
    (pane,) = driver.app.screen.panes
    assert len(pane.chips.placed) == 18
    fresh = TableView("map", lambda _point: None, lambda *_: False)
    fresh.size = pane.size
    fresh.show(replace(driver.app.service.snapshot, map=None))
    driver.steps(3)
    assert fresh.chips.placed == {}
    fresh.show(driver.app.service.snapshot)
    driver.steps(3)
    assert len(fresh.chips.placed) == 18
    driver.stop()
