"""Cards and boards of the players' own: forms, files, export and import, the board editor."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.api.board_editor import tap_cell
from companion.games.api.play import Accepted, Refusal
from companion.games.westeros.cards import card_forms
from companion.games.westeros.cards.battle_plan import SIDES, BattlePlan
from companion.games.westeros.cards.catalogue import every_card, read_cards
from companion.games.westeros.cards.unit_cards import UnitReference
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import battle_position
from companion.games.westeros.report_views import house_edge_lines
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import house_edges
from companion.games.westeros.screen import SCREEN, new_game, own_cards
from models import CompanionError
from models.board import Board
from models.board_table import EDGES, BoardPiece, BoardTable
from models.field import Field, parse_toml
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule
RIDERS: dict[str, Any] = {
    "id": "winterfell-riders",
    "name": "Winterfell Riders",
    "house": "stark",
    "class": "cavalry",
    "strength": 3,
    "rows": [
        {"rank": "green", "move": 3, "dice": 2, "range": 1, "no_valour": False},
        {"rank": "blue", "move": 2, "far": 3, "dice": 3, "range": 1, "no_valour": True},
        {"rank": "red", "move": 2, "dice": 4, "range": 1, "no_valour": False},
    ],
    "keywords": [{"keyword": "pursue", "number": 2}],
}

CARDS, BOARDS = SCREEN.card_forms("westeros"), SCREEN.board_editor("westeros")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


@rule("BOW-UNT-8", "BOW-CMB-6")
def test_a_unit_card_is_entered_kept_and_played_with() -> None:
    assert CARDS.form_problems("unit", RIDERS) == []
    assert CARDS.save_form("unit", RIDERS) == "winterfell-riders"
    card = every_card().units["winterfell-riders"]
    assert (card.sure, card.row("blue").longest, card.row("blue").dice) == (True, 3, 3)
    assert "no-valour" in card.row("blue").keywords
    assert "no-valour" not in card.row("red").keywords
    assert CARDS.form_values("unit", "winterfell-riders") == RIDERS
    first = CARDS.form_cards("unit")[0]
    assert (first.id, first.own, first.missing) == ("winterfell-riders", True, ())
    setup = PLAY.prepare("westeros", {"do": "set-up", "battle": "sample-ford"})
    assert not isinstance(setup, Refusal)
    assert PLAY.start("westeros", setup).unit("s8").card == card
    assert CARDS.remove_form("unit", "winterfell-riders")
    assert not CARDS.remove_form("unit", "winterfell-riders")
    assert not every_card().units["winterfell-riders"].sure


@rule("BOW-CDR-7")
def test_a_commander_card_is_entered_and_shared() -> None:
    values = {**CARDS.form_values("commander", "kevan-lannister")}
    asked = CARDS.form_problems("commander", values)
    assert [(one.field, one.stops) for one in asked] == [("limit", False), ("capture", False)]
    values |= {"limit": 3, "capture": 4, "keywords": [{"keyword": "stalwart", "number": 1}]}
    CARDS.save_form("commander", values)
    text = CARDS.export_forms("commander", ["kevan-lannister"])
    CARDS.remove_form("commander", "kevan-lannister")
    assert every_card().commanders["kevan-lannister"].capture is None
    assert CARDS.import_forms(text, "shared.toml").names == ("Kevan Lannister",)
    card = every_card().commanders["kevan-lannister"]
    assert (card.limit, card.capture, card.keywords) == (3, 4, {"stalwart": 1})
    missing = {one.id: one.missing for one in CARDS.form_cards("commander")}
    assert missing["jaime-lannister"] == ("Command limit",)
    kinds = [form.kind for form in CARDS.forms()]
    assert kinds == ["unit", "commander", "command", "battle", "skirmish"]


MANY_DICE = [{"rank": "green", "dice": 99}]


@pytest.mark.parametrize(
    ("kind", "values", "field"),
    [
        ("unit", {"class": "foot"}, "name"),
        ("unit", {"name": "A", "class": "dragon"}, "class"),
        ("unit", {"name": "A", "class": "foot", "rows": MANY_DICE}, "green.dice"),
        ("commander", {"name": "A", "limit": "many"}, "limit"),
        ("unit", {"name": "A", "class": "foot", "keywords": [{"keyword": "x"}]}, "keywords[0]"),
    ],
)
def test_wrong_values_are_named(kind: str, values: dict[str, Any], field: str) -> None:
    (problem, *_) = CARDS.form_problems(kind, values)
    assert (problem.field, problem.stops) == (field, True)
    with pytest.raises(CompanionError):
        CARDS.save_form(kind, values)
    with pytest.raises(CompanionError):
        CARDS.form_values(kind, "nobody")


@rule("BOW-GEN-3", "BOW-CMP-8")
def test_a_board_is_edited_kept_and_shared() -> None:
    board = BOARDS.plan_board("sample-ford")
    assert board.marks[7, 5] == ("objective",)
    edited = replace(
        board,
        ground={**board.ground, (1, 1): ("forest",)},
        marks={**board.marks, (1, 1): ("objective",)},
    )
    assert BOARDS.plan_problems("sample-ford", edited) == []
    wet = replace(board, ground={**board.ground, (7, 2): ("river",)})
    assert BOARDS.plan_problems("sample-ford", wet) == ["Maege Mormont cannot start there: river"]
    assert BOARDS.save_plan("sample-ford", "My ford", edited) == "my-ford"
    assert BOARDS.plan_board("my-ford") == edited
    plan = every_card().plans["my-ford"]
    sites = BattlePlan.read(plan, every_card()).victory.sites
    assert [(one.cell, one.each_round) for one in sites] == [((1, 1), 1), ((7, 5), 1)]
    text = BOARDS.export_plan("my-ford")
    assert BOARDS.remove_plan("my-ford")
    assert CARDS.import_forms(text, "shared").names == ("My ford",)
    assert [one.name for one in BOARDS.board_plans() if one.own] == ["My ford"]
    new = BOARDS.plan_board("")
    assert new.ground == {}
    assert "objective" not in {word for words in new.marks.values() for word in words}
    tools = {one.word for one in BOARDS.board_tools("my-ford")}
    assert {"forest", "palisade", "fire-4", "devastation", "objective"} <= tools
    with pytest.raises(CompanionError):
        BOARDS.export_plan("nowhere")


def test_the_documented_file_is_read() -> None:
    docs = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    part = docs[docs.index("### Battles of Westeros") :]
    (text,) = re.findall(r"```toml\n(.*?)```", part, re.DOTALL)[:1]
    box = read_cards(parse_toml(text, "docs"))
    cards = every_card()
    cards.add(box)
    plan = BattlePlan.read(box.plans["my-battle"], cards)
    assert [len(house.units) for house in plan.houses] == [1, 1]


# -- command cards and battle plans ----------------------------------------------------------------

VOLLEY: dict[str, Any] = {
    "name": "Held volley",
    "house": "stark",
    "commander": "maege-mormont",
    "commands": [{"tokens": 1}],
    "units": 1,
    "dice": 1,
    "needs": [{"token": "V"}, {"token": "M"}],
    "own_morale": "green",
}


@rule("BOW-CRD-2")
@pytest.mark.parametrize(
    ("units", "told"), [(0, "no unit is named for it"), (1, "then name 1 unit at most")]
)
def test_a_card_tells_how_many_units_are_named_if_any_is(units: int, told: str) -> None:
    CARDS.save_form("command", {**VOLLEY, "units": units})
    stark: Any = [("northern-guard", "red", "5,5", "maege-mormont"), ("foot", "green", "5,4")]
    game = Clash(stark, [("foot", "green", "5,7")], rolls=("VMGG", "VVVV"))
    offers = SCREEN.offers(game.state, None, "s1")
    details = [str(one.detail) for one in offers if one.text == "Play Held volley"]
    assert details
    assert all(told in one for one in details)


@rule("BOW-CRD-2", "BOW-CRD-9", "BOW-CRD-12", "BOW-CRD-13")
def test_a_command_card_is_entered_kept_and_played() -> None:
    assert CARDS.form_problems("command", VOLLEY) == []
    assert CARDS.save_form("command", VOLLEY) == "held-volley"
    values = CARDS.form_values("command", "held-volley")
    assert values == {**VOLLEY, "id": "held-volley"}
    stark: Any = [("northern-guard", "red", "5,5", "maege-mormont"), ("foot", "green", "5,4")]
    game = Clash(stark, [("foot", "green", "5,7")], rolls=("VMGG", "VVVV"))
    played = {"card": "held-volley", "unit": "s1"}
    assert game.refused("card", **played, units=["s1", "s2"]) == "BOW-CRD-9"
    offer = next(one for one in SCREEN.offers(game.state, None, "s1") if one.kind == "cards")
    assert (offer.text, offer.odds, offer.verdict) == ("Play Held volley", "1 token", "yes")
    game.do("card", **played, units=["s1"])
    assert game.titles[0] == "Stark plays Held volley with Maege Mormont for 1 command token"
    assert (game.unit("s1").tokens, game.state.acting.dice) == (1, 1)  # type: ignore[union-attr]
    again = Clash(stark, [("foot", "green", "5,7")], rolls=("VGGG", "VVVV"))
    assert again.refused("card", **played, units=["s1"]) == "BOW-CRD-13"  # no morale token
    assert "'other' is unknown" in again.refused("card", card="other", unit="s1")
    theirs = Clash([("foot", "red", "5,5")], [("foot", "green", "5,7", "lord")], mace="lannister")
    assert "is unknown" in theirs.refused("card", card="held-volley", unit="l1")


def test_the_rule_by_which_a_commands_card_is_played_stays_in_an_old_game() -> None:
    """A game that began before the card was entered, or without its file, folds as before."""
    CARDS.save_form("command", VOLLEY)
    setup = PLAY.prepare("westeros", {"do": "set-up", "battle": "sample-ford"})
    assert not isinstance(setup, Refusal)
    CARDS.remove_form("command", "held-volley")
    assert [one.id for one in PLAY.start("westeros", setup).commands] == ["held-volley"]
    del setup["cards"]["command"]
    assert PLAY.start("westeros", setup).commands == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "name"),
        ({"commands": [{"tokens": 99}]}, "99"),
        ({"needs": [{"token": "X"}]}, "X"),
        ({"own_morale": "purple"}, "purple"),
        ({"units": -1}, "-1"),
    ],
)
def test_a_wrong_command_card_is_not_kept(change: dict[str, Any], message: str) -> None:
    problems = CARDS.form_problems("command", {**VOLLEY, **change})
    assert problems[0].stops
    with pytest.raises(CompanionError, match=message):
        CARDS.save_form("command", {**VOLLEY, **change})
    assert CARDS.form_cards("command") == []


@rule("BOW-GEN-3")
def test_a_battle_plan_is_entered_from_what_is_known_of_a_printed_one() -> None:
    printed = {one.id: one for one in CARDS.form_cards("battle")}
    assert "units and terrain" in printed["wolf-raiders"].missing
    values = dict(CARDS.form_values("battle", "wolf-raiders"))
    assert (values["rounds"], values["stark_tokens"], values["lannister_orders"]) == (4, 4, 4)
    assert CARDS.form_problems("battle", values)[0].text == "a house has no units"
    assert "wolf-raiders" not in every_card().plans  # nobody can play it yet
    units = [
        {"card": "northern-guard", "rank": "blue", "cell": "3,2", "commander": "maege-mormont"}
    ]
    values["stark_units"] = units
    values["lannister_units"] = [{"card": "lannisport-guards", "rank": "green", "cell": "3,12"}]
    values |= {"unit": 1, "morale_red": 3}
    assert CARDS.save_form("battle", values) == "wolf-raiders"
    plan = BattlePlan.read(every_card().plans["wolf-raiders"], every_card())
    assert (plan.side, plan.rounds, plan.victory.unit, plan.victory.morale) == (
        "B",
        4,
        1,
        (0, 0, 3),
    )
    assert plan.house("stark").units[0].commander is not None
    listed = {one.id: one for one in CARDS.form_cards("battle")}
    assert (listed["wolf-raiders"].own, listed["wolf-raiders"].missing) == (True, ())
    # The board editor adds terrain and a site; the form keeps them.
    board = BOARDS.plan_board("wolf-raiders")
    marked = replace(board, ground={(4, 4): ("hill",)}, marks={(5, 5): ("objective",)})
    BOARDS.save_plan("wolf-raiders", plan.name, marked)
    again = {**CARDS.form_values("battle", "wolf-raiders"), "rounds": 5}
    CARDS.save_form("battle", again)
    kept = BattlePlan.read(every_card().plans["wolf-raiders"], every_card())
    assert (kept.rounds, kept.board.ground[4, 4], kept.victory.sites[0].cell) == (
        5,
        ("hill",),
        (5, 5),
    )
    setup = PLAY.prepare("westeros", {"do": "set-up", "battle": "wolf-raiders"})
    assert not isinstance(setup, Refusal)
    assert PLAY.start("westeros", setup).plan.rounds == 5


def test_wrong_battle_plans_name_their_place() -> None:
    values = dict(CARDS.form_values("battle", "sample-ford"))
    assert CARDS.form_problems("battle", values) == []
    wrong = {**values, "stark_units": [{"card": "northern-guard", "rank": "blue", "cell": "99,1"}]}
    (problem,) = CARDS.form_problems("battle", wrong)
    assert problem.field.startswith("stark_units[0]")
    assert "99,1" in problem.text
    (missing,) = CARDS.form_problems("battle", {**values, "stark_tokens": None})
    assert (missing.field, missing.text) == ("stark_tokens", "missing: Stark: command tokens")
    (late,) = CARDS.form_problems("battle", {**values, "rounds": 99})
    assert (late.field, late.text) == ("rounds", "99 is outside 1 to 10")


@rule("BOW-SET-3", "BOW-SET-9")
def test_a_commander_leads_one_unit_and_the_card_is_called_by_its_name() -> None:
    values = dict(CARDS.form_values("battle", "sample-ford"))
    maege = {"card": "northern-guard", "rank": "blue", "commander": "maege-mormont"}
    (twice,) = CARDS.form_problems("battle", {**values, "stark_units": [maege, maege]})
    assert (twice.text, twice.stops) == ("Maege Mormont leads two units: there is one figure", True)
    both = {**values, "stark_units": [maege], "lannister_units": [maege]}
    (shared,) = CARDS.form_problems("battle", both)
    assert (shared.field, shared.stops) == ("lannister_units", True)
    assert shared.text == "Maege Mormont leads units of both houses: there is one figure"
    wrong = {**maege, "card": "kennelmasters"}
    (problem,) = CARDS.form_problems("battle", {**values, "stark_units": [wrong]})
    assert problem.text == "Maege Mormont leads a unit of War Host of the North"


def test_what_a_command_card_does_is_shown_where_it_is_played() -> None:
    told = "Ordered units move 1 hex further."
    CARDS.save_form("command", {**VOLLEY, "needs": [], "own_morale": "", "text": told})
    assert CARDS.form_values("command", "held-volley")["text"] == told
    stark: Any = [("northern-guard", "red", "5,5", "maege-mormont"), ("foot", "green", "5,4")]
    game = Clash(stark, [("foot", "green", "5,7")])
    offer = next(one for one in SCREEN.offers(game.state, None, "s1") if one.kind == "cards")
    assert told in offer.detail
    found = PLAY.decide(game.state, offer.commands[0])
    assert isinstance(found, Accepted)
    assert [str(one) for one in found.answer["reminders"]] == [told]
    game.do("card", **{key: value for key, value in offer.commands[0].items() if key != "do"})
    assert told in [one.text for one in SCREEN.prompts(game.state)[0].facts]
    game.do("units", units=["s1"])
    assert told in [one.text for one in SCREEN.prompts(game.state)[0].facts]


def test_units_without_a_place_are_named() -> None:
    plan = BattlePlan.read(every_card().plans["sample-ford"], every_card())
    stark, lannister = plan.houses
    units = (replace(stark.units[0], cell=None), *stark.units[1:])
    (problem,) = new_game.unplaced(replace(plan, houses=(replace(stark, units=units), lannister)))
    assert (problem.text, problem.stops) == ("Stark: no place yet for Maege Mormont", False)


def test_command_cards_and_battles_travel_in_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    CARDS.save_form("command", VOLLEY)
    text = CARDS.export_forms("command", ["held-volley"])
    plans = CARDS.export_forms("battle", ["sample-ford"])
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "other"))
    assert every_card().commands == {}
    assert CARDS.import_forms(text, "a.toml").names == ("Held volley",)
    assert CARDS.import_forms(plans, "b.toml").names == ("The ford by the burnt mill",)
    assert every_card().commands["held-volley"].needs == ("V", "M")
    broken = text.replace('"V"', '"X"')
    with pytest.raises(CompanionError, match=re.escape("command[0].needs[0]")):
        CARDS.import_forms(broken, "c.toml")


def test_a_broken_file_is_named_and_nothing_else_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "westeros-cards"
    folder.mkdir()
    (folder / "battle-torn.toml").write_text('format = "tab', encoding="utf-8")
    (folder / "other.toml").write_text("format = 1", encoding="utf-8")
    (first, *others) = CARDS.form_cards("battle")
    assert (first.id, first.own) == ("battle-torn", True)
    assert others, "the other battles are there"
    assert CARDS.form_values("battle", "battle-torn") == {"id": "torn"}
    steps = SCREEN.steps("westeros", {})
    (line, *_) = [one.text for step in steps for one in step.problems]
    assert "battle-torn.toml: not TOML" in line
    assert CARDS.remove_form("unit", "other")
    assert CARDS.remove_form("battle", "battle-torn")
    assert list(folder.iterdir()) == []


@rule("BOW-CMP-8")
def test_a_site_held_from_the_setup_on_is_drawn_as_such() -> None:
    board = BOARDS.plan_board("")
    tools = {one.id: one for one in BOARDS.board_tools("")}
    for tool, cell in (("objective-stark", (4, 4)), ("objective", (6, 4))):
        board = tap_cell(board, tools[tool], cell, [*tools.values()])
    plan = BOARDS.save_plan("", "Held", board)
    sites = BattlePlan.read(every_card().plans[plan], every_card()).victory.sites
    assert [(one.cell, one.held_by) for one in sites] == [((4, 4), "stark"), ((6, 4), "")]
    marks = BOARDS.plan_board(plan).marks
    assert (marks[4, 4], marks[6, 4]) == (("held-1",), ("objective",))


@rule("BOW-GEN-3")
def test_units_start_where_they_are_tapped_on_the_board() -> None:
    tools = {one.id: one for one in BOARDS.board_tools("")}
    units = [one for one in tools.values() if one.side]
    assert {one.side for one in units} == {"stark", "lannister"}
    board = BOARDS.plan_board("")
    for cell in ((3, 3), (5, 5)):  # the second tap moves it
        board = tap_cell(board, units[0], cell, [*tools.values()])
    name = BOARDS.save_plan("", "Placed", board)
    plan = BattlePlan.read(every_card().plans[name], every_card())
    assert plan.note == "", "no word about the battle that it was drawn from"
    starts = {one.id: one.cell for house in plan.houses for one in house.units}
    assert starts[units[0].id] == (5, 5)
    assert (3, 3) not in starts.values()
    assert len(starts) == len(units)
    assert all(starts.values()), "the others stay where they were"


@rule("BOW-SKM-1", "BOW-SKM-4")
def test_a_skirmish_is_entered_card_by_card_and_played() -> None:
    """The shipped one through its form and back; then one of the players' own."""
    shipped = own_cards.form_values("skirmish", "sample-raid")
    assert own_cards.OF_VALUES["skirmish"](shipped) == own_cards.known_card(
        "skirmish", "sample-raid"
    )
    cards = [one for one in shipped["setup_card"] if one["id"] in ("s-maege", "l-kevan")]
    rows = [{key: one[key] for key in one if key != "id"} for one in cards]
    values = {**shipped, "id": None, "name": "Our raid", "setup_card": rows, "rounds": 5}
    broken = own_cards.form_problems("skirmish", {**values, "setup_card": [{"house": "stark"}]})
    assert [(one.field, one.stops) for one in broken] == [("setup_card[0].commander", True)]
    name = own_cards.save_form("skirmish", values)
    assert (name, "Our raid") in new_game.choices()
    found = PLAY.prepare("westeros", new_game.set_up("westeros", {"game": {"battle": name}}))
    assert not isinstance(found, Refusal)
    state = PLAY.start("westeros", found)
    assert state.skirmish is not None
    assert (state.skirmish.rounds, [one.house for one in state.skirmish.setup_cards]) == (
        5,
        ["stark", "lannister"],
    )
    assert own_cards.remove_form("skirmish", name)


@rule("BOW-UNT-8")
def test_a_unit_card_comes_back_from_its_form_as_it_was() -> None:
    rows = {rank: {"dice": 3, "range": 1} for rank in ("blue", "red")}
    green = {"dice": 2, "range": 1, "keywords": ["advance", "no-valour"]}
    plain: dict[str, Any] = {"id": "mine", "name": "Mine", "class": "cavalry", "traits": ["noble"]}
    plain |= {"keywords": ["pursue 2"], "green": green, **rows}
    card = UnitReference.read(Field(plain))
    assert card_forms.unit_of_values(card_forms.unit_values(card)) == card


@rule("BOW-GEN-1")
def test_a_plan_with_houses_of_its_own_is_begun_with_the_players_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(new_game, "plan_houses", lambda _: [("baratheon", "B"), ("tully", "T")])
    seats = [{"id": "stark", "name": "Anna"}, {"id": "lannister", "name": "Ben"}]
    command = new_game.set_up("westeros", {"seats": seats})
    assert command["players"] == {"baratheon": "Anna", "tully": "Ben"}


@rule("BOW-UNT-8")
def test_the_ranks_that_were_entered_come_back_and_the_others_are_named() -> None:
    green = RIDERS["rows"][0]
    usual = {"rank": "blue", "move": 1, "far": 2, "dice": 3, "range": 1, "no_valour": False}
    CARDS.save_form("unit", {**RIDERS, "rows": [green, usual]})
    assert CARDS.form_values("unit", "winterfell-riders")["rows"] == [green, usual]
    assert CARDS.form_cards("unit")[0].missing == ("red",)
    old = {
        key: value
        for key, value in every_card().units["winterfell-riders"].to_json().items()
        if key != "entered"
    }
    assert UnitReference.read(Field(old)).missing == ("blue", "red"), "as far as numbers tell"


@rule("BOW-GEN-7", "BOW-RET-2")
@pytest.mark.parametrize(
    ("swapped", "edges"), [(False, ("left", "right")), (True, ("right", "left"))]
)
def test_the_houses_of_an_own_battle_swap_their_edges(
    swapped: bool, edges: tuple[str, str]
) -> None:
    values = dict(CARDS.form_values("battle", "sample-ford"))
    values |= {"id": "mine", "name": "Mine", "orientation": "portrait", "swapped": swapped}
    CARDS.save_form("battle", values)
    assert CARDS.form_values("battle", "mine")["swapped"] is swapped
    tools = [one for one in BOARDS.board_tools("mine") if one.side]
    assert {one.side: one.home_edge for one in tools} == dict(zip(SIDES, edges, strict=True))
    setup = PLAY.prepare("westeros", {"do": "set-up", "battle": "mine"})
    assert not isinstance(setup, Refusal)
    state = PLAY.start("westeros", setup)
    assert tuple(one.edge for one in state.houses) == edges
    rider = next(one for one in battle_position(state).units if one.side == "stark")
    outwards = {"left": -1, "right": 1}[edges[0]]
    facing = battle_position(state).field.towards(edges[0], rider.cell)
    assert all((x - rider.cell[0]) * outwards >= 0 for x, _ in facing)


@rule("BOW-GEN-7")
@pytest.mark.parametrize("turn", [0.0, -90.0, 30.0])
@pytest.mark.parametrize("edge", EDGES)
def test_a_houses_edge_is_drawn_along_the_board_where_its_rows_begin(
    edge: str, turn: float
) -> None:
    board = Board("hex", 5, 4, 2.0, (20.0, 20.0), turn)
    table = BoardTable("westeros", board, (BoardPiece("s1", "stark", facts={"edge": edge}),))
    (line,) = house_edge_lines(table)
    field = HexField.of(board)
    (ax, ay), (bx, by) = line.points

    def away(cell: tuple[int, int]) -> float:
        x, y = board.middle(cell)
        return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / math.dist((ax, ay), (bx, by))

    first = [away(one) for one in field.cells if field.rows_from(edge, one) == 1]
    later = [away(one) for one in field.cells if field.rows_from(edge, one) > 1]
    assert max(first) < min(later) + 1e-6
    assert line.style.side == "stark"


@rule("BOW-GEN-7")
@pytest.mark.parametrize("swapped", [False, True])
def test_whose_edge_is_where_is_told_from_the_choice_of_the_board_on(swapped: bool) -> None:
    values = dict(CARDS.form_values("battle", "sample-ford"))
    CARDS.save_form("battle", values | {"id": "mine", "name": "Mine", "swapped": swapped})
    told = str(SCREEN.steps("westeros", {"game": {"battle": "mine"}})[0].text)
    near, far = ("Lannister", "Stark") if swapped else ("Stark", "Lannister")
    assert f"board edge of {near}: on this side" in told
    assert f"board edge of {far}: on the far side" in told
    raid = str(SCREEN.steps("westeros", {"game": {"battle": "sample-raid"}})[0].text)
    assert "board edge of Stark: on this side" in raid


@rule("BOW-GEN-7", "BOW-SKM-3")
def test_the_edges_of_both_houses_are_drawn_while_no_unit_stands() -> None:
    edges = {"stark": "top", "lannister": "bottom"}
    table = BoardTable("westeros", Board("hex", 5, 4, 2.0), (), edges)
    assert BoardTable.parse(table.text()) == table
    assert table.sides() == ("stark", "lannister"), "their colours do not hang on who stands first"
    assert [one.style.side for one in house_edge_lines(table)] == ["stark", "lannister"]


def test_the_house_of_a_card_is_chosen_by_its_name() -> None:
    for kind in ("unit", "commander", "command"):
        form = next(one for one in CARDS.forms() if one.kind == kind)
        (house,) = (one for one in form.fields if one.name == "house")
        assert (house.kind, [str(text) for _, text in house.options]) == (
            "option",
            ["Stark", "Lannister"],
        )
    values = CARDS.form_values("unit", "northern-guard")
    assert values["house"] == "stark"
    CARDS.save_form(
        "unit", {**values, "id": "river-guard", "name": "River Guard", "house": "tully"}
    )
    form = next(one for one in CARDS.forms() if one.kind == "unit")
    (house,) = (one for one in form.fields if one.name == "house")
    assert house.options[2:] == (("tully", "tully"),), "what players entered before stays"


@rule("BOW-SET-4", "BOW-SET-9")
def test_a_card_of_a_house_is_offered_the_commanders_and_units_of_that_house() -> None:
    box = every_card()
    for kind, field, cards in (
        ("command", "commander", box.commanders),
        ("commander", "unit", box.units),
    ):
        form = next(one for one in CARDS.forms() if one.kind == kind)
        (entry,) = (one for one in form.fields if one.name == field)
        assert len(entry.offered({})) == len(cards), "no house is chosen yet"
        for house in ("stark", "lannister"):
            offered = [card for card, _text in entry.offered({"house": house})]
            assert offered
            assert {cards[one].house for one in offered} <= {house, ""}
        other = next(one for one in cards.values() if one.house == "stark")
        kept = entry.offered({"house": "lannister", field: other.id})
        assert other.id in dict(kept), "what was chosen is not hidden"


@rule("BOW-GEN-7", "BOW-RET-2")
@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({}, {"stark": "bottom", "lannister": "top"}),
        ({"stark": "top"}, {"stark": "top", "lannister": "bottom"}),
        ({"lannister": "left"}, {"lannister": "left", "stark": "right"}),
        ({"lannister": "bottom"}, {"lannister": "bottom", "stark": "top"}),
    ],
)
def test_a_house_without_a_word_has_the_edge_opposite(
    told: dict[str, str], found: dict[str, str]
) -> None:
    pieces = tuple(BoardPiece(one, one) for one in ("stark", "lannister"))
    board = Board("hex", 5, 4, 2.0)
    assert house_edges(BoardTable("westeros", board, pieces, told)) == found
    named = tuple(
        replace(one, facts={"edge": told[one.side]} if one.side in told else {}) for one in pieces
    )
    assert house_edges(BoardTable("westeros", board, named)) == found
