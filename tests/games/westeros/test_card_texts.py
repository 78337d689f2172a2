"""What card texts do is entered on the screen: abilities, tactics, tokens, fires, sites, points."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.games.api.play import Accepted
from companion.games.api.prompt import Choice
from companion.games.westeros.cards.battle_plan import SIDES
from companion.games.westeros.game import GAME
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import current_table
from companion.games.westeros.report_views import engagement_markers
from companion.games.westeros.screen import SCREEN
from companion.games.westeros.screen import own_cards as CARDS
from companion.games.westeros.screen.views import pieces
from companion.geometry.grid.placing import cell_middle
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


LED: Any = [("foot", "green", "5,5", "lord"), ("foot", "green", "4,5"), ("foot", "green", "6,5")]


def boxes(game: Clash, page: str) -> dict[str, tuple[Choice, ...]]:
    """The buttons of every box of a page."""
    (found,) = (one for one in SCREEN.pages(game.state) if one.id == page)
    return {box.id: box.choices for part in found.sections for box in part.cards}


def tap(game: Clash, choice: Choice) -> Clash:
    for command in choice.commands:
        fields = {key: value for key, value in command.items() if key != "do"}
        game.do(command["do"], **fields)
    return game


def named(choices: tuple[Choice, ...], text: str) -> Choice:
    (found,) = (one for one in choices if str(one.text) == text)
    return found


@rule("BOW-CDR-6")
def test_a_commanders_special_ability_is_offered_once() -> None:
    game = Clash(LED, [("foot", "green", "5,8", "lady")])
    offers = {str(one.text): one for one in SCREEN.offers(game.state, None, "s1")}
    offer = offers["Use the special ability"]
    assert (offer.verdict, offer.by_row) == ("yes", True)
    for unit in ("s1", "l1"):  # its owner may use it in the enemy's turn, too
        (piece,) = (one for one in SCREEN.pieces(game.state) if one.id == unit)
        button = named(piece.corrections, "Use the special ability")
        assert button.seat == game.unit(unit).side
        assert "uncommitted: the special ability is free" in piece.lines
        tap(game, button)
        (piece,) = (one for one in SCREEN.pieces(game.state) if one.id == unit)
        assert "committed: the special ability is used" in piece.lines
    texts = [str(one.text) for one in SCREEN.offers(game.state, None, "s1")]
    assert "Use the special ability" not in texts


@rule("BOW-CRD-11", "BOW-CRD-17", "BOW-OR-41")
def test_what_a_paper_card_adds_is_asked_with_its_units() -> None:
    foes: Any = [("stalwart", "green", "5,6"), ("foot", "green", "10,10")]
    game = Clash(LED, foes).do("card", unit="s1", tokens=[1], ask=True)
    (prompt,) = SCREEN.prompts(game.state)
    (form,) = prompt.forms
    units, dice, silence = form.entries
    assert (units.field, dice.field, silence.field) == ("units", "dice", "silence")
    assert [value for value, _ in silence.options] == ["nobody", "Steady"], "in command range only"
    assert game.refused("units", units=["s1"], silence="l2") == "BOW-CRD-17"
    game.do("units", units=["s1"], dice=1, silence="Steady")
    turn = game.state.acting
    assert turn is not None
    assert (turn.dice, turn.silenced) == (1, ("l1",))


@rule("BOW-CRD-11")
def test_dice_of_an_entered_card_are_not_asked_for() -> None:
    cards = [{"id": "c1", "name": "Rally", "house": "stark", "commands": [1], "dice": 1}]
    game = Clash(LED, [("foot", "green", "5,6")], commands=cards)
    game.do("card", unit="s1", card="c1", ask=True)
    (prompt,) = SCREEN.prompts(game.state)
    assert [one.field for one in prompt.forms[0].entries] == ["units", "silence"]
    turn = game.do("units", units=["s1"], silence="nobody").state.acting
    assert turn is not None
    assert (turn.dice, turn.silenced) == (1, ())


@rule("BOW-GEN-2", "BOW-MOR-6")
def test_tokens_cards_and_morale_change_by_a_cards_text() -> None:
    game = Clash(LED, [("foot", "green", "5,8")], rolls=("GGVM", "VVVV"))
    changes: list[tuple[str, str, Callable[[], bool]]] = [
        ("stark-R", "1 more", lambda: game.house().pool.count("R") == 1),
        ("stark-G", "1 fewer", lambda: game.house().pool.count("G") == 1),
        ("stark-tokens", "1 more", lambda: game.house().tokens == 4),
        ("stark-hand", "1 fewer", lambda: game.house().hand == 2),
    ]
    for box, text, expected in changes:
        tap(game, named(boxes(game, "orders")[box], text))
        assert expected(), box
    assert [str(one.text) for one in boxes(game, "orders")["stark-B"]] == ["1 more"]
    before = game.state.depth("lannister")
    tap(game, named(boxes(game, "morale")["morale-lannister"], "morale 1 lower"))
    assert game.state.depth("lannister") == before + 1
    tap(game, named(boxes(game, "morale")["morale-lannister"], "morale 3 higher"))
    assert game.state.depth("lannister") == before - 2


@rule("BOW-GEN-2")
def test_points_are_set_by_the_players_word() -> None:
    game = Clash(LED, [("foot", "green", "5,8")])
    form = SCREEN.score(game.state).seats[0].form
    assert form is not None
    game.do("effect", side=form.command["side"], vp=4)
    assert game.house().vp == 4
    assert game.do("effect", side="stark", vp=1).house().vp == 1


@rule("BOW-FIR-2", "BOW-FIR-3", "BOW-GEN-2")
def test_a_card_sets_a_hex_on_fire_and_puts_it_out() -> None:
    game = Clash(LED, [("foot", "green", "5,8")], ground={"2,2": "forest"})
    offers = {str(one.text): one for one in SCREEN.offers(game.state, None, "s1")}
    fire = offers["A card sets a hex on fire"]
    target = fire.at((2, 2))
    assert target is not None
    assert fire.by_row
    assert "A card puts a fire out" not in offers
    assert str(fire.detail) == "then its fire level, the card itself is played apart from it"
    game.do("effect", to="2,2", ask=True)
    (asked,) = SCREEN.prompts(game.state)
    assert [str(one.text) for one in asked.choices] == ["1", "2", "3"], "the card says which"
    assert [one.cell for one in asked.cells] == [(2, 2)]
    assert game.refused("fire-level", number=4), "a forest burns no higher"
    tap(game, asked.choices[1])
    assert game.state.board.ground[(2, 2)] == ("forest", "fire-2")
    offers = {str(one.text): one for one in SCREEN.offers(game.state, None, "s1")}
    assert [one.cell for one in offers["A card puts a fire out"].cells] == [(2, 2)]
    game.do("effect", to="2,2", ask=True)
    assert game.waits() == "turn", "only one level is left"
    assert game.state.board.ground[(2, 2)] == ("forest", "fire-3")


@rule("BOW-CRD-1", "BOW-CRD-7", "BOW-FIR-2")
def test_a_played_card_sets_a_fire_whether_or_not_its_commander_is_ordered() -> None:
    game = Clash(LED, [("foot", "green", "5,8")])
    game.do("card", unit="s1", tokens=[1], units=["s2"])
    offers = {str(one.text): one for one in SCREEN.offers(game.state, None, "s1")}
    assert str(offers["A card sets a hex on fire"].detail) == "then its fire level"


@rule("BOW-UNT-12", "BOW-RET-7")
def test_the_last_figure_of_a_unit_is_lost_by_a_card() -> None:
    game = Clash(LED, [("foot", "green", "5,8")]).do("effect", unit="s2", figures=1)
    (piece,) = (one for one in SCREEN.pieces(game.state) if one.id == "s2")
    tap(game, named(piece.corrections, "the last figure is lost: eliminated"))
    assert game.unit("s2").fate == "eliminated"


@rule("BOW-CMP-8", "BOW-VIC-1")
def test_a_control_marker_is_put_down_and_taken_away_by_hand() -> None:
    victory = {"goal": 9, "sites": [{"cell": "5,0", "round": 1}]}
    game = Clash(LED, [("foot", "green", "5,8")], victory=victory)
    tap(game, named(boxes(game, "orders")["site-5,0"], "held by Stark"))
    assert dict(game.state.control) == {(5, 0): "stark"}
    choices = boxes(game, "orders")["site-5,0"]
    assert [str(one.text) for one in choices] == ["held by Lannister", "held by nobody"]
    tap(game, choices[1])
    assert game.state.control == ()
    assert game.titles[0].startswith("nobody holds")
    assert game.refused("effect", to="1,1", held_by="stark") == "BOW-CMP-8"


@rule("BOW-VIC-2", "BOW-VIC-3")
def test_all_may_agree_to_stop() -> None:
    game = Clash(LED, [("foot", "green", "5,8")]).do("effect", side="lannister", vp=2)
    stop = named(SCREEN.score(game.state).ends, "All agree: stop here")
    assert tap(game, stop).state.winner == "lannister"


@rule("BOW-CDR-5", "BOW-CDR-6", "BOW-CDR-7")
def test_what_a_commanders_abilities_do_is_shown_with_the_card() -> None:
    told = {"name": "Edda", "unit": "northern-guard", "text": "Once: all archers roll 1 die more."}
    assert CARDS.form_problems("commander", told)  # numbers are missing, which stops nothing
    card = CARDS.save_form("commander", told)
    assert CARDS.form_values("commander", card)["text"] == told["text"]
    game = Clash([("northern-guard", "green", "5,5", card)], [("foot", "green", "5,8")])
    (piece,) = (one for one in SCREEN.pieces(game.state) if one.id == "s1")
    assert told["text"] in piece.lines


@rule("BOW-VIC-1", "BOW-GEN-3")
def test_a_battle_that_sites_decide_is_entered_in_the_form() -> None:
    numbers = {f"{side}_{key}": 3 for side in SIDES for key in ("tokens", "orders", "cards")}
    units = {f"{side}_units": [{"card": "northern-guard", "rank": "green"}] for side in SIDES}
    values = {"name": "Road", "side": "A", "rounds": 5, "mace": "stark", **numbers, **units}
    plan = CARDS.save_form("battle", {**values, "holder": "lannister", "holds": 2})
    kept = CARDS.form_values("battle", plan)
    assert (kept["holder"], kept["holds"]) == ("lannister", 2)
    again = CARDS.form_values("battle", CARDS.save_form("battle", {**kept, "holder": ""}))
    assert "holder" not in again


@rule("BOW-CRD-2", "BOW-CRD-10")
def test_a_card_that_is_paid_in_part_says_which_commands_and_asks_for_its_dice() -> None:
    cards = [{"id": "c1", "name": "Rally", "house": "stark", "commands": [1, 2], "dice": 1}]
    game = Clash(LED, [("foot", "green", "5,6")], commands=cards)
    offers = [one for one in SCREEN.offers(game.state, None, "s1") if one.text == "Play Rally"]
    parts = [str(one.detail) for one in offers]
    assert any("only the commands for these tokens: 1" in one for one in parts)
    game.do("card", unit="s1", card="c1", tokens=[1], ask=True)
    (prompt,) = SCREEN.prompts(game.state)
    dice = next(one for one in prompt.forms[0].entries if one.field == "dice")
    assert dice.value == 1


@rule("BOW-CMP-5", "BOW-FIR-9")
def test_the_hex_to_which_a_fire_spreads_is_tapped_or_lies_off_the_board() -> None:
    for cell, off in (("5,5", []), ("0,0", ["It points off the board"])):
        game = Clash(LED[1:2], [("foot", "green", "5,8")], ground={cell: ["plains", "fire-4"]})
        (prompt,) = SCREEN.prompts(game.pass_both().state)
        assert prompt.dice is None
        assert [str(one.text) for one in prompt.choices] == ["The app draws the marker", *off]
        assert not any(one.text for one in prompt.cells)


@rule("BOW-RND-11", "BOW-RND-12")
def test_who_can_order_nobody_is_told_so() -> None:
    game = Clash(
        [("foot", "green", "5,5")], [("foot", "green", "5,8")], cards=0, rolls=("RRGG",) * 2
    )
    game.do("effect", unit="s1", active=False)
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.text == "Stark can order nobody: pass"
    (choice,) = prompt.choices
    assert (str(choice.text), choice.look) == ("Pass", "primary")


@rule("BOW-FIR-15")
def test_a_fire_that_burns_on_is_told() -> None:
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,8")])
    game.do("effect", to="4,5", fire=1).order("s1")
    found = game.decide("fight-fire", {"unit": "s1", "to": "4,5", "faces": ["M"]})
    assert isinstance(found, Accepted)
    assert any("the fire burns on" in str(one) for one in found.answer["reminders"])


@rule("BOW-UNT-8")
def test_numbers_of_an_entered_rank_are_not_called_usual() -> None:
    rows = [{"rank": "green", "move": 3, "dice": 2, "range": 1}]
    values = {"name": "Own Foot", "class": "foot", "strength": 4, "rows": rows}
    card = CARDS.save_form("unit", values)
    game = Clash([(card, "green", "5,5"), (card, "red", "4,5")], [("foot", "green", "5,8")])
    told = {one.id: str(one.lines) for one in SCREEN.pieces(game.state)}
    assert "usual numbers" not in told["s1"]
    assert "usual numbers" in told["s2"]


@rule("BOW-CDR-9")
def test_hits_that_a_commander_withstands_are_told() -> None:
    for figures, spare in ((1, 2), (2, 2)):
        game = Clash([("foot", "red", "5,5")], [("foot", "green", "5,6", "lord")])
        game.do("effect", unit="l1", figures=figures).order("s1")
        game.attack("s1", "l1", "GG" + "G" * (figures - 1) + "R" * (3 - figures))
        assert f"Lord withstands {spare} hits: too few for the commander" in game.titles


@rule("BOW-ENG-6")
def test_a_re_roll_says_what_was_rolled_again() -> None:
    stark: Any = [("foot", "red", "5,5"), ("foot", "green", "6,6")]
    game = Clash(stark, [("foot", "green", "5,6")]).do("effect", unit="s2", engage="l1")
    game.order("s1").attack("s1", "l1", "GRRR").do("reroll", symbol="R", faces=list("BBB"))
    assert game.titles[0] == "Foot 1 re-rolls ◆ red: 3 × ● blue"
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    assert (told.undo, told.undo_short) == ("the re-roll of Foot 1", "the re-roll")


@rule("BOW-ENG-1")
def test_the_marker_between_engaged_units_is_drawn_and_named() -> None:
    """Nobody could see whose marker it is, and a unit's card did not say with whom it fights."""
    stark: Any = [("foot", "red", "5,5"), ("foot", "green", "6,6")]
    game = Clash(stark, [("foot", "green", "5,6")])
    assert [*engagement_markers(current_table(game.state))] == []
    game.order("s1").attack("s1", "l1", "RRRR")
    table = current_table(game.state)
    [marker] = engagement_markers(table)
    ends = [
        cell_middle(table.board, one.cell)
        for one in table.pieces
        if one.id in marker.about and one.cell is not None
    ]
    assert len(ends) == 2
    assert math.dist(marker.centre, ends[0]) == pytest.approx(math.dist(*ends) / 2)
    assert math.dist(marker.centre, ends[1]) == pytest.approx(math.dist(*ends) / 2)
    assert marker.style.side == "stark"
    for scene in (GAME.board(table), GAME.scene(table), GAME.scene(table, "s2")):
        assert marker in scene.shapes
    lines = {one.id: [str(line) for line in one.lines] for one in pieces(game.state)}
    assert lines["l1"][0] == "engaged with Foot 1; the marker is Stark’s"
    assert lines["s1"][0].startswith("engaged with Foot")
    assert not any("engaged" in one for one in lines["s2"])


@rule("BOW-OPT-1")
def test_an_ordered_unit_has_a_flag_in_its_badge() -> None:
    game = Clash([("foot", "red", "5,5"), ("foot", "green", "6,6")], [("foot", "green", "5,8")])

    def flags() -> list[str]:
        found = ((one.id, badge) for one in pieces(game.state) for badge in one.badges)
        return [unit for unit, badge in found if badge.icon == "flag"]

    assert flags() == []
    game.order("s2")
    assert flags() == ["s2"]
    game.do("end-turn")
    assert flags() == []


@rule("BOW-FIR-9")
def test_a_fire_says_from_where_to_where_it_spreads() -> None:
    game = Clash(LED[1:2], [("foot", "green", "5,8")], ground={"0,0": ["plains", "fire-4"]})
    title = str(game.pass_both().do("direction", number=1).titles[0])
    assert title.startswith("the fire spreads from ")
    assert "direction" not in title


@rule("BOW-MOV-4")
def test_a_unit_leaves_the_field_by_the_scenarios_word_and_is_not_eliminated() -> None:
    enemies: Any = [("foot", "red", "5,6"), ("foot", "green", "5,8", "lady")]
    game = Clash(LED, enemies, victory={"unit": 2})
    game.do("effect", unit="l1", engage="s1")
    (piece,) = (one for one in SCREEN.pieces(game.state) if one.id == "l1")
    tap(game, named(piece.corrections, "leaves the field: the scenario lets it"))
    assert not game.unit("l1").on_field
    assert game.state.opponent("s1") == ""
    assert (game.state.morale, [one.vp for one in game.state.houses]) == (0, [0, 0])
    assert f"{game.unit('l1').name} leaves the field" in game.titles
    told = {one.name: one for army in PLAY.armies(game.state) for one in army.members}
    gone = told[game.unit("l1").name]
    assert (str(gone.fate), gone.lost) == ("left the field", False)
    assert game.refused("effect", unit="l1", leaves=True) == "BOW-UNT-12"
    game.do("order", unit="s2", tokens=["V"])
    game.do("effect", unit="s2", leaves=True)  # in its own turn, which is over then
    assert game.state.acting is None
