"""What players enter themselves: figure cards, scenarios and tiles, kept and shared as files."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.program import main
from companion.games.api.board_editor import BadTap, tap_cell, tap_edge
from companion.games.api.play import Refusal
from companion.games.tactics.cards.card_forms import (
    card_of_values,
    card_values,
    figure_form,
    form_problems,
    scenario_of_values,
)
from companion.games.tactics.cards.figure_card import every_card, find_card, shipped_cards
from companion.games.tactics.cards.map_tile import MapTile, every_tile, shipped_tiles
from companion.games.tactics.cards.scenario import every_scenario
from companion.games.tactics.game import GAME
from companion.games.tactics.play import PLAY
from companion.games.tactics.screen import SCREEN
from companion.games.tactics.screen.new_game import ready_squads
from companion.session.session import Session
from companion.text.translation import set_language
from models import CompanionError
from models.board import Board
from models.field import Field, parse_toml

rule = pytest.mark.rule
TACTICS = "tactics"
KNIGHT: dict[str, Any] = {
    "name": "Ser Test",
    "faction": "Baratheon",
    "silver": 2,
    "will": 5,
    "defence": 6,
    "health": 3,
    "attacks": [{"name": "Sword", "kind": "melee", "dice": 2, "hit": 6}],
}
BOX = {"name": "Mine", "rounds": 4, "gold": 2, "silver": 4, "copper": 12, "wide": 1, "deep": 2}

CARDS, BOARDS = SCREEN.card_forms("tactics"), SCREEN.board_editor("tactics")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    return tmp_path / "own"


def asked(values: dict[str, Any], kind: str = "figure") -> list[tuple[str, bool]]:
    return [(one.field, one.stops) for one in CARDS.form_problems(kind, values)]


# -- figure cards ----------------------------------------------------------------------------------


@rule("TAC-CRD-2", "TAC-CRD-8", "TAC-FIG-2")
def test_an_entered_card_is_kept_and_played(home: Path) -> None:
    assert asked(KNIGHT) == []
    name = CARDS.save_form("figure", KNIGHT)
    text = (home / "tactics-cards" / "figure-ser-test.toml").read_text(encoding="utf-8")
    assert parse_toml(text, "a").raw["figure"][0]["cost"] == [0, 2, 0]
    card = every_card()[name]
    assert (card.kind, card.will, card.attacks[0].dice) == ("veteran", 5, 2)
    assert find_card("Ser Test") == card, "tables know it too"
    assert CARDS.form_cards("figure")[0].own
    values = dict(CARDS.form_values("figure", name))
    CARDS.save_form("figure", values | {"health": 4})
    assert every_card()[name].health == 4
    assert CARDS.remove_form("figure", name)
    assert name not in every_card()
    assert not CARDS.remove_form("figure", name)


@pytest.mark.parametrize("card", sorted(shipped_cards()))
def test_every_shipped_card_survives_the_form(card: str) -> None:
    values = CARDS.form_values("figure", card)
    CARDS.save_form("figure", values)
    kept, shipped = every_card()[card].to_json(), shipped_cards()[card].to_json()
    assert {**kept, "invented": 0} == {**shipped, "invented": 0}


def test_missing_numbers_are_asked_for() -> None:
    bare = {"name": "Eddard Stark", "id": "eddard-stark", "faction": "Baratheon"}
    wanted = [(value, False) for value in ("cost", "will", "defence", "health")]
    assert asked(bare) == wanted
    CARDS.save_form("figure", bare)
    (row,) = [one for one in CARDS.form_cards("figure") if one.id == "eddard-stark"]
    assert len(row.missing) == 4
    squads = [{"list": "Eddard Stark"}, {"list": "Warden of the Ford"}]
    found = PLAY.prepare(TACTICS, {"scenario": "sample-crossing", "squads": squads})
    assert isinstance(found, Refusal)
    assert found.why == "TAC-CRD-2"
    assert "Eddard Stark: enter its cost, Will, Defence, Health first" in found.say


def test_abilities_go_by_name() -> None:
    known = KNIGHT | {"abilities": [{"name": "for the king!"}]}
    assert asked(known) == []
    CARDS.save_form("figure", known)
    ability = every_card()["ser-test"].abilities[0]
    assert (ability.name, ability.kind, len(ability.effects)) == ("For the King!", "defence", 2)
    unknown = KNIGHT | {"id": "ser-test", "abilities": [{"name": "Flying"}]}
    assert asked(unknown) == [("abilities[0].kind", False)]
    told = unknown | {"abilities": [{"name": "Flying", "kind": "movement", "copper": 2}]}
    assert asked(told) == []
    CARDS.save_form("figure", told)
    assert every_card()["ser-test"].abilities[0].price.copper == 2


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"name": ""}, "missing: Name"),
        ({"will": 15}, "will: 15 is outside 2 to 10"),
        ({"health": "many"}, "health: 'many' is not a"),
        ({"gold": -1}, "cost.gold: -1 is outside"),
        ({"attacks": [{"name": "Sword"}]}, "attacks[0].kind: missing: Kind"),
        ({"attacks": [{"name": "S", "kind": "thrown", "dice": 1, "hit": 6}]}, "'thrown'"),
        ({"attacks": [7]}, "attacks[0]: is not an object"),
        ({"abilities": [{"name": "X", "kind": "magic"}]}, "abilities[0].kind: 'magic'"),
        ({"hat": 1}, "unknown key 'hat'"),
    ],
)
def test_a_wrong_card_is_one_clear_line(home: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(CompanionError) as error:
        CARDS.save_form("figure", KNIGHT | change)
    assert complaint in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert not home.exists()


def test_cards_are_exported_and_imported(home: Path, tmp_path: Path) -> None:
    CARDS.save_form("figure", KNIGHT)
    text = CARDS.export_forms("figure", ["ser-test", "robert-baratheon"])
    CARDS.remove_form("figure", "ser-test")
    assert CARDS.import_forms(text, "a.toml").names == (
        "Ser Test",
        "Robert Baratheon",
    )
    assert every_card()["ser-test"].defence == 6
    broken = text.replace("defence = 6", "defence = 60")
    before = sorted(path.read_bytes() for path in home.rglob("*.toml"))
    with pytest.raises(CompanionError, match=r"a.toml: figure\[0\].defence: 60 is outside"):
        CARDS.import_forms(broken, "a.toml")
    assert before == sorted(path.read_bytes() for path in home.rglob("*.toml"))
    with pytest.raises(CompanionError, match="no figure 'nobody'"):
        CARDS.export_forms("figure", ["nobody"])


def test_a_card_of_that_name_is_replaced_only_after_it_is_said() -> None:
    CARDS.save_form("figure", KNIGHT)
    assert asked(KNIGHT) == [("name", False)]


def test_a_card_in_a_file_of_its_own_beats_one_in_another(home: Path) -> None:
    CARDS.save_form("figure", KNIGHT)
    text = CARDS.export_forms("figure", ["ser-test"]).replace("will = 5", "will = 9")
    (home / "tactics-cards" / "zz.toml").write_text(text, encoding="utf-8")
    assert every_card()["ser-test"].will == 5


# -- tiles and battlefields ------------------------------------------------------------------------


def tool(name: str, plan: str = "tile/new") -> Any:
    return next(one for one in BOARDS.board_tools(plan) if one.id == name)


@rule("TAC-GRD-1", "TAC-SPC-1")
def test_a_tile_is_drawn_by_taps_and_kept(home: Path) -> None:
    tools = BOARDS.board_tools("tile/")
    board = BOARDS.plan_board("")
    assert (board.columns, board.rows, board.ground) == (7, 7, {})
    board = tap_cell(board, tool("blocked-x"), (3, 2), tools)
    board = tap_cell(board, tool("open-x"), (3, 2), tools)
    board = tap_cell(board, tool("high"), (3, 2), tools)
    board = tap_cell(board, tool("high"), (0, 6), tools)
    board = tap_cell(board, tool("fire"), (4, 4), tools)
    board = tap_edge(board, tool("door"), (1, 1), (2, 1))
    board = tap_edge(board, tool("wall"), (1, 2), (1, 1))
    name = BOARDS.save_plan("", "My Bridge", board)
    assert name == "tile/my-bridge"
    tile = every_tile()["my-bridge"]
    assert tile.rows[0] == "^......"
    assert tile.ground()[3, 2] == ("open-x", "high")
    again = BOARDS.plan_board(name)
    assert again.marks == {(4, 4): ("fire",)}
    assert [(one.kind, one.open) for one in again.borders] == [("wall", None), ("door", False)]
    assert MapTile.of("my-bridge", "My Bridge", again) == tile
    assert any(one.own and one.id == name for one in BOARDS.board_plans())
    assert BOARDS.remove_plan(name)
    assert "my-bridge" not in every_tile()


def test_a_second_tap_removes_and_a_door_opens_first() -> None:
    tools = BOARDS.board_tools("tile/")
    plain = Board("square", 7, 7, 1.25)
    board = tap_cell(plain, tool("fire"), (1, 1), tools)
    assert tap_cell(board, tool("fire"), (1, 1), tools) == plain
    door = tap_edge(plain, tool("door"), (1, 1), (2, 1))
    opened = tap_edge(door, tool("door"), (2, 1), (1, 1))
    assert opened.borders[0].open is True
    assert tap_edge(opened, tool("door"), (1, 1), (2, 1)) == plain
    wall = tap_edge(door, tool("wall"), (1, 1), (2, 1))
    assert [one.kind for one in wall.borders] == ["wall"]


@pytest.mark.parametrize(
    ("tap", "complaint"),
    [
        (lambda b, t: tap_cell(b, tool("fire"), (9, 9), t), "9,9 is not on the board"),
        (lambda b, t: tap_edge(b, tool("wall"), (6, 0), (7, 0)), "7,0 is not on the board"),
        (lambda b, t: tap_edge(b, tool("wall"), (1, 1), (3, 1)), "do not share an edge"),
        (lambda b, t: tap_cell(b, tool("wall"), (1, 1), t), "Wall stands on an edge"),
        (lambda b, t: tap_edge(b, tool("fire"), (1, 1), (2, 1)), "Fire stands on a cell"),
    ],
)
def test_a_wrong_tap_is_one_clear_line(tap: Any, complaint: str) -> None:
    board = Board("square", 7, 7, 1.25)
    with pytest.raises(BadTap, match=complaint):
        tap(board, BOARDS.board_tools("tile/"))


@pytest.mark.parametrize("name", sorted(shipped_tiles()))
def test_a_shipped_tile_survives_the_editor(name: str) -> None:
    shipped = shipped_tiles()[name]
    assert MapTile.of(name, shipped.name, shipped.board()) == shipped


@rule("TAC-GEN-3")
def test_a_scenario_is_entered_drawn_and_played(home: Path) -> None:
    tiles = [
        {"tile": "sample-yard", "column": 1, "row": 1},
        {"tile": "sample-ford", "column": 1, "row": 2, "turn": "90"},
    ]
    special = "Who holds the ford at the end has 3 points."
    name = CARDS.save_form("scenario", BOX | {"tiles": tiles, "note": special})
    plan = f"scenario/{name}"
    board, tools = BOARDS.plan_board(plan), BOARDS.board_tools(plan)
    assert (board.columns, board.rows) == (7, 14)
    board = tap_cell(board, tool("objective", plan), (3, 6), tools)
    board = tap_cell(board, tool("zone-gold", plan), (0, 0), tools)
    BOARDS.save_plan(plan, "Mine", board)
    scenario = every_scenario()[name]
    assert scenario.objectives == ((3, 6),)
    assert (0, 0) not in scenario.zones["gold"]
    assert len(scenario.tiles) == 2, "its tiles stay while only its own marks change"
    again = dict(CARDS.form_values("scenario", name))
    CARDS.save_form("scenario", again | {"rounds": 6})
    assert every_scenario()[name].objectives == ((3, 6),)
    board = tap_cell(board, tool("blocked-x", plan), (3, 6), tools)
    BOARDS.save_plan(plan, "Mine", board)
    assert every_scenario()[name].tiles == ()
    assert BOARDS.plan_problems(plan, board) == ["the objective is not on OPEN-O"]
    assert every_scenario()[name].note == special, "drawing keeps it"
    squads = [{"list": one.text} for one in ready_squads().values()]
    found = PLAY.prepare(TACTICS, {"scenario": name, "squads": squads})
    assert isinstance(found, Refusal)
    assert found.why == "TAC-OBJ-2"


@rule("TAC-GEN-3")
def test_rounds_and_coins_of_a_drawn_scenario_are_asked_for(home: Path) -> None:
    plan = BOARDS.save_plan("scenario/", "Old mill", BOARDS.plan_board("scenario/"))
    name = plan.removeprefix("scenario/")
    assert every_scenario()[name].rounds_missing
    draft = {"game": {"scenario": name}}
    step = next(iter(SCREEN.steps(TACTICS, draft)))
    assert [one.text for one in step.problems] == ["Old mill: rounds and coins are missing"]
    assert step.enters[0] == ("scenario", name, "Enter rounds and coins")
    form = dict(CARDS.form_values("scenario", name))
    assert "rounds" not in form
    with pytest.raises(CompanionError, match="rounds"):
        CARDS.save_form("scenario", form)
    numbers = {"rounds": 4, "gold": 1, "silver": 2, "copper": 3}
    CARDS.save_form("scenario", form | numbers)
    step = next(iter(SCREEN.steps(TACTICS, draft)))
    assert step.problems == ()
    assert str(step.text).startswith("4 rounds, 1 gold dragon")
    squads = {"blue": next(iter(ready_squads().values())).text}
    lists = [*SCREEN.steps(TACTICS, {**draft, "squads": squads})][2]
    (warned,) = [one for one in lists.problems if one.rule == "TAC-SET-10"]
    assert (warned.stops, warned.seat) == (False, "blue")
    assert "a deployment zone has 0: not all fit" in warned.text


def test_the_form_of_an_ability_asks_only_what_its_kind_has() -> None:
    form = next(one for one in CARDS.forms() if one.kind == "figure")
    ability = next(one for one in form.fields if one.name == "abilities").fields

    def asked(**values: object) -> set[str]:
        names = {one.name for one in ability if one.visible(values)}
        return names - {"name", "text", "kind", "gold", "silver", "copper"}

    assert asked() == set()
    assert asked(kind="movement") == {"spaces", "unstoppable"}
    assert asked(kind="order") == {"ap", "whom", "range", "heals", "gives", "calms", "deals"}
    assert asked(kind="defence") == {"aftermath", "melee", "effects"}
    assert "wounds" in asked(kind="defence", aftermath=True)
    assert "spaces" in asked(kind="order", spaces=2), "what was entered stays"


@rule("TAC-CMP-2")
def test_a_tile_of_cardboard_lies_once_and_sets_share_a_region() -> None:
    def tile(name: str, **more: Any) -> dict[str, Any]:
        return {"id": name, "name": name, "rows": ["." * 7] * 7, "set": "Trident", **more}

    def refused(*tiles: dict[str, Any]) -> str:
        places = [{"tile": one["id"], "at": [7 * n, 0]} for n, one in enumerate(tiles)]
        scenario = {
            "id": "s", "name": "s", "rounds": 3, "coins": [2, 4, 12], "size": [7 * len(tiles), 7],
            "tiles": places, "zones": {"gold": ["0,0"], "silver": ["0,6"]},
        }  # fmt: skip
        squads = [{"list": one.text} for one in ready_squads().values()]
        command = {"scenario": scenario, "squads": squads, "tiles": list(tiles)}
        found = PLAY.prepare(TACTICS, command)
        return found.why if isinstance(found, Refusal) else ""

    front, back = tile("1a", number=1), tile("1b", number=1)
    assert refused(front, back) == "TAC-CMP-2"
    assert refused(front, front) == "TAC-CMP-2"
    assert refused(front, tile("2a", number=2)) == ""
    assert refused(front, tile("1c", number=1) | {"set": "Other"}) == ""
    north, south = tile("n", region="North"), tile("s", region="Riverlands")
    assert refused(north, south) == "TAC-CMP-2"
    assert refused(north, tile("n2", region="North") | {"set": "Other"}) == ""
    with pytest.raises(CompanionError, match="number: 7 is outside 1 to 6"):
        MapTile.read(Field(tile("7a", number=7)))


@pytest.mark.parametrize(
    ("tiles", "complaint"),
    [
        ([{"tile": "nowhere", "column": 1, "row": 1}], "tiles[0].tile: 'nowhere' is unknown"),
        ([{"tile": "sample-ford", "column": 2, "row": 1}], "lies beyond the battlefield"),
        ([{"tile": "sample-ford", "column": 1, "row": 1}] * 2, "lie on one another"),
        (
            [{"tile": "sample-ford", "column": 1}],
            "tiles[0].row: missing: Row of tiles, from player 1",
        ),
    ],
)
def test_a_wrong_battlefield_is_one_clear_line(
    home: Path, tiles: list[dict[str, Any]], complaint: str
) -> None:
    with pytest.raises(CompanionError) as error:
        CARDS.save_form("scenario", BOX | {"tiles": tiles})
    assert complaint in str(error.value)
    assert not home.exists()


def test_tiles_and_scenarios_are_shared_as_files() -> None:
    text = BOARDS.export_plan("tile/sample-yard").replace("sample-yard", "yard")
    assert CARDS.import_forms(text, "a.toml").names == ("The Burnt Yard",)
    assert every_tile()["yard"].edges == shipped_tiles()["sample-yard"].edges
    whole = BOARDS.export_plan("scenario/sample-crossing")
    assert CARDS.import_forms(whole, "b.toml").names == ("The Crossing (invented)",)
    wall = text.replace('"0,2", "0,3"', '"0,7", "0,8"')
    with pytest.raises(CompanionError, match=r"a.toml: .*'0,7' is not on the board"):
        CARDS.import_forms(wall, "a.toml")
    with pytest.raises(CompanionError, match=r"a\.toml: format"):
        CARDS.import_forms('format = "x"', "a.toml")


# -- the command -----------------------------------------------------------------------------------


def test_the_own_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*words: str) -> Any:
        assert main(["own", *words, "--game", TACTICS, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    assert {one["name"] for one in run("form", "figure")["fields"]} >= {"will", "attacks"}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(KNIGHT)))
    assert run("enter", "figure") == {"id": "ser-test", "asks": []}
    assert run("values", "figure", "ser-test")["will"] == 5
    kept = run("paint", "--name", "Bridge", "--cell", "3,3=blocked-o", "--edge", "1,1/2,1=wall")
    assert kept == {"id": "tile/bridge", "problems": []}
    listed = run("list")
    assert listed["figure"][0] == {"id": "ser-test", "name": "Ser Test", "own": True, "missing": []}
    assert {"id": "tile/bridge", "name": "Bridge", "own": True} in listed["plans"]
    target = tmp_path / "share.toml"
    assert run("export", "figure", "ser-test", "--out", str(target)) == {"file": str(target)}
    assert run("remove", "figure", "ser-test") == {"removed": ["figure", "ser-test"]}
    assert run("import", str(target)) == {"kept": ["Ser Test"], "replaced": []}
    assert "rows" in run("export", "tile/bridge")["text"]
    for words, complaint in (
        (("remove", "tile/nowhere"), "nothing of your own"),
        (("values", "hat", "x"), "'hat' is no kind of card; there are: figure, scenario"),
        (("paint", "tile/bridge", "--cell", "3,3=gold"), "names no tool"),
        (("paint", "tile/bridge", "--edge", "3,3=wall"), "is not like 1,1/2,1=wall"),
        (("paint", "tile/bridge", "--cell", "x=wall"), "is no cell"),
        (("paint",), "needs --name"),
        (("import", str(tmp_path / "no.toml")), "no.toml"),
    ):
        assert main(["own", *words, "--game", TACTICS]) == 2
        told = capsys.readouterr().err
        assert complaint in told
        assert len(told.splitlines()) == 1


# -- the practice game -----------------------------------------------------------------------------


def test_the_practice_game_stands_at_its_first_activation(tmp_path: Path) -> None:
    with Session.open(tmp_path / "a.game") as session:
        for command in SCREEN.practice(TACTICS):
            answer = session.answer(dict(command))
            assert answer["ok"], answer
        assert (answer["state"]["phase"], answer["state"]["round"]) == ("round", 1)
        moment = PLAY.moment(session.history.now.state)
    report = GAME.report(moment.table).to_json("practice")["pieces"]
    assert len(report) == 14
    assert report["b1"]["reach"]


@pytest.mark.parametrize("kind", ["figure", "scenario"])
def test_a_broken_file_is_named_and_nothing_else_is_lost(kind: str, home: Path) -> None:
    folder = home / {"figure": "tactics-cards", "scenario": "tactics-scenarios"}[kind]
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_text('format = "tab', encoding="utf-8")
    (folder / "wrong.toml").write_text('format = "another"', encoding="utf-8")
    listed = CARDS.form_cards(kind)
    assert [(one.id, one.own) for one in listed[:2]] == [("torn", True), ("wrong", True)]
    assert "torn.toml" in listed[0].detail
    assert len(listed) > 2, "the others are there"
    assert CARDS.form_values(kind, "torn") == {"id": "torn"}
    problems = [one for step in SCREEN.steps(TACTICS, {}) for one in step.problems if not one.seat]
    assert "torn.toml: not TOML" in problems[0].text
    assert not any(one.stops for one in problems if ".toml" in one.text)
    assert CARDS.remove_form(kind, "torn")
    assert CARDS.remove_form(kind, "wrong")
    assert [one.id for one in CARDS.form_cards(kind)] == [one.id for one in listed[2:]]


def test_a_rider_whose_figure_on_foot_is_no_name_is_refused_not_broken() -> None:
    values = {"name": "Rider", "faction": "neutral", "foot": [[{"a": 1}]]}
    assert any(one.stops for one in form_problems(values))


@rule("TAC-CRD-9", "TAC-ABL-6")
def test_an_effect_of_an_attack_is_not_asked_which_hits_it_cancels() -> None:
    form = next(one for one in SCREEN.card_forms("tactics").forms() if one.kind == "figure")
    fields = {one.name: one for one in form.fields}
    effects = {
        kind: {
            one.name for row in fields[kind].fields if row.name == "effects" for one in row.fields
        }
        for kind in ("attacks", "abilities")
    }
    assert "cancels" not in effects["attacks"]
    assert "cancels" in effects["abilities"], "a defence cancels hits"


def test_the_form_calls_factions_as_players_do_and_keeps_them_the_same() -> None:
    """A squad of the shipped faction and of a figure entered in German is of one faction."""
    own = find_card("Ford Guard")
    assert own is not None
    set_language("de")
    try:
        field = next(one for one in figure_form().fields if one.name == "faction")
        assert "Furtwache" in field.suggest
        assert "Fordwatch" not in field.suggest
        values = card_values(own)
        assert values["faction"] == "Furtwache"
        assert card_of_values(values).faction == "Fordwatch"
    finally:
        set_language("en")
    assert card_of_values(values).faction == "Fordwatch", "a draft that was begun in German"
    assert card_of_values({**values, "faction": "Haus Neu"}).faction == "Haus Neu"


def test_the_size_of_a_scenario_means_the_same_in_its_file_and_in_its_form() -> None:
    """A map may lie across the screen: the words tell it by the players' edges."""
    form = next(one for one in CARDS.forms() if one.kind == "scenario")
    told = {one.name: str(one.text) for one in form.fields}
    assert told["wide"] == "Tiles along player 1’s edge"
    assert told["deep"] == "Tiles from player 1 to player 2"
    lane = scenario_of_values(BOX)
    assert lane.size == (7, 14)
    zones = {side: {row for _column, row in cells} for side, cells in lane.zones.items()}
    assert sorted(map(sorted, zones.values())) == [[0, 1], [12, 13]], "at its short edges"


@rule("TAC-ABL-8", "TAC-ABL-20")
def test_the_form_says_which_abilities_the_app_only_reminds_of() -> None:
    """A word of command seemed to do what its text said; the app had only told it."""
    order = {"name": "Stern Word", "kind": "order", "ap": 1, "text": "An enemy becomes shaken"}

    def told(**more: Any) -> list[str]:
        values = {"name": "Ser Word", "abilities": [{**order, **more}]}
        found = CARDS.form_problems("figure", values)
        return [one.text for one in found if one.field == "abilities[0].text"]

    assert told() == ["the app reminds you of it; you decide what it does"]
    assert told(gives="shaken") == [], "it is counted"
