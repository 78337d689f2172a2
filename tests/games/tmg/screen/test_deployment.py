"""Terrain and deployment step by step: each piece and each tray where its player puts it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shapely

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.games.tmg.figures.report_figure import ground_shapes
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.commands.positions import deploy_place
from companion.games.tmg.play.names import names_of
from companion.games.tmg.rules.readings import DEFAULT
from companion.games.tmg.rules.setup.table_setup import battlefield, line_up
from companion.games.tmg.screen import SCREEN
from companion.overlay.shapes import Polygon
from companion.session.session import Session
from models import EXACT, Pose, Table, Unit, catalogue
from tests.engine.turn.test_beside_the_turn import place_of
from tests.play.battle import LANNISTER, STARK, Battle


def planned(game: str = "tmg-2021", mode: str = "GOT") -> dict[str, Any]:
    """The table as the wizard proposes it: blue at the near edge, red at the far one."""
    battle, trays = Battle(mode), catalogue(game).trays
    units = [
        Unit(
            one.id,
            one.side,
            one.name,
            trays[one.tray],
            Pose(24.0, 24.0, 90.0 if one.side == "blue" else 270.0, EXACT),
            speed=one.speed,
            models=one.models,
            attacks=one.attacks,
        )
        for one in battle.state.units
    ]
    return line_up(battlefield(game, mode, 48, 48), units).to_json()


def led(zone: str) -> Battle:
    """A game led through its set-up until deployment; red, who won the roll, takes an edge."""
    battle = Battle(ready=False, first=None, table=planned())
    battle.do("continue").do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 5}).do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 5})
    battle.do("choose-zone", side="red", zone=zone).do("first-player", side="blue")
    assert battle.state.step == "deploy"
    return battle


@pytest.mark.rule("TMG-DEP-3")
def test_trays_that_were_lined_up_wait_for_their_turn(tmp_path: Path) -> None:
    """The first that is put down takes no other off the table for good."""
    with Session.open(tmp_path / "ready.game") as session:
        armies = [STARK, LANNISTER]
        told = {"mode": "GOT", "points": 40, "armies": armies, "ready": True, "first": "blue"}
        set_up = {"do": "set-up", "game": "tmg-2021", **told, "table": planned(), "unchecked": True}
        for command in (set_up, {"do": "continue"}):
            assert session.answer(command)["ok"]
        client = Client(RunningGame(session, moves_trays=True))
        for name in ("choice:deploy:b1:True", "stay", "choice:deploy:True"):
            choices = [one for prompt in client.view().prompts for one in prompt.choices]
            client.act({"tap": next(one.tap for one in choices if one.name == name)})
        table = PLAY.table(session.history.now.state)
        assert table is not None
        assert len(table.units) == 6


@pytest.mark.rule("TMG-DEP-1", "TMG-DEP-3", "TMG-DEP-4")
@pytest.mark.parametrize(("zone", "y"), [("near", (0, 10)), ("far", (38, 48))])
def test_whoever_takes_the_other_edge_deploys_there(zone: str, y: tuple[float, float]) -> None:
    battle = led(zone)
    (prompt,) = PLAY.options(battle.state, "red")
    assert {"do": "deploy", "unit": "r1", "put": True} in prompt["options"]
    battle.do("deploy", unit="r1", put=True)
    table = PLAY.table(battle.state)
    assert table is not None
    assert y[0] < table.unit("r1").pose.y < y[1]
    assert [one.id for one in table.units] == ["r1"]
    battle.do("deploy", put=True)
    table = PLAY.table(battle.state)
    assert table is not None
    assert len(table.units) == 6
    assert {one.side for one in table.units if y[0] < one.pose.y < y[1]} == {"red"}
    assert table.sides()[0] == ("red" if zone == "near" else "blue")  # who sits at the near edge
    assert not any(one.engaged for one in battle.state.units)


@pytest.mark.rule("TMG-DEP-4")
def test_without_the_word_a_tray_in_the_other_zone_is_still_refused() -> None:
    led("near").refused("TMG-DEP-4", "deploy", unit="r1")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Deployment; red chose the near edge, where the wizard had lined up blue."""
    battle = {"do": "set-up", "game": "tmg-2021", "mode": "GOT", "armies": [STARK, LANNISTER]}
    dice = {"do": "roll-off", "dice": {"blue": 2, "red": 5}}
    with Session.open(tmp_path / "led.game") as made:
        for command in (
            {**battle, "seed": 7, "table": planned()},
            *({"do": "continue"},) * 2,
            dice,
            {"do": "continue"},
            dice,
            {"do": "choose-zone", "side": "red", "zone": "near"},
            {"do": "first-player", "side": "blue"},
        ):
            assert made.answer(command)["ok"], command
        yield made


@pytest.mark.rule("TMG-DEP-3", "TMG-DEP-4")
def test_each_tray_is_put_down_where_its_player_wants_it(session: Session) -> None:
    client = Client(RunningGame(session))
    rows = {one.text: one.tap for one in client.view().prompts[0].choices}
    client.act({"tap": rows["Deploy Lannister Crossbowmen"]})
    view = client.view()
    assert place_of(view, "r1")[1] < 10
    assert view.prompts[0].title == "Lannister Crossbowmen: put the tray down in its zone"
    client.act({"move": "r1", "x": 10, "y": 20, "heading": 90, "try": True})
    placing = client.view().placing
    assert placing is not None
    assert (placing.verdict, placing.why) == ("no", "not wholly in its deployment zone")
    client.act({"move": "r1", "x": 10, "y": 4, "heading": 60, "try": True})
    placing = client.view().placing
    assert placing is not None
    assert (placing.verdict, placing.choices[0].look) == ("yes", "primary")
    client.act({"tap": placing.choices[0].tap})
    view = client.view()
    assert place_of(view, "r1")[:2] == (10, 4)
    assert view.prompts[0].title == "Deployment"
    rows = {one.text: one.tap for one in view.prompts[0].choices}
    client.act({"tap": rows["Deploy Stark Outriders"]})
    assert place_of(client.view(), "b3")[1] > 38


@pytest.fixture
def placing(tmp_path: Path) -> Iterator[Session]:
    """Terrain is placed; red won the roll."""
    battle = {"do": "set-up", "game": "tmg-2021", "mode": "GOT", "armies": [STARK, LANNISTER]}
    with Session.open(tmp_path / "terrain.game") as made:
        for command in (
            {**battle, "seed": 7, "table": planned()},
            *({"do": "continue"},) * 2,
            {"do": "roll-off", "winner": "red"},
        ):
            assert made.answer(command)["ok"], command
        yield made


@pytest.mark.rule("TMG-SET-7", "TMG-SET-8")
def test_a_piece_lies_on_the_map_where_its_player_puts_it(placing: Session) -> None:
    client = Client(RunningGame(placing))
    prompt = client.view().prompts[0]
    assert prompt.text == "Red places the next piece (4 left), or all agree that it is enough."
    rows = {one.text: one.tap for one in prompt.choices}
    client.act({"tap": rows["Place hedge"]})
    assert client.view().prompts[0].title == "Red places the hedge"
    client.act({"move": "t1", "x": 24, "y": 8, "heading": 90, "try": True})
    tried = client.view().placing
    assert tried is not None
    assert tried.verdict == "no"
    assert "too near to a deployment zone or to another piece" in tried.why
    client.act({"move": "t1", "x": 14, "y": 24, "heading": 0, "try": True})
    tried = client.view().placing
    assert tried is not None
    assert (tried.verdict, tried.choices[0].look) == ("yes", "primary")
    client.act({"tap": tried.choices[0].tap})
    here = placing.history.now
    assert here is not None
    table = PLAY.table(here.state)
    assert table is not None
    (piece,) = table.terrain
    assert (piece.piece, not table.units) == ("hedge", True)
    xs, ys = zip(*piece.outline, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == (13.5, 14.5, 21.0, 27.0)
    assert client.view().prompts[0].text.startswith("Blue places the next piece (3 left)")


@pytest.mark.rule("TMG-SET-9")
def test_terrain_that_the_wizard_put_down_counts() -> None:
    table = planned()
    outline = [[20, 22], [26, 22], [26, 27], [20, 27]]
    table["terrain"] = [{"id": "t1", "piece": "forest", "outline": outline}]
    battle = Battle(ready=False, first=None, table=table).do("continue").do("continue")
    battle.do("roll-off", winner="blue")
    assert battle.state.pieces == ("forest",)
    for piece in ("hedge", "bog", "stakes"):
        battle.do("terrain", piece=piece)
    assert battle.state.step == "zones"
    found = PLAY.table(battle.state)
    assert found is not None
    assert [one.piece for one in found.terrain] == ["forest", "hedge", "bog", "stakes"]


@pytest.mark.rule("TMG-DEP-1")
def test_players_roll_off_themselves_and_say_who_won() -> None:
    battle = Battle(ready=False, first=None).do("continue").do("continue").do("continue")
    assert {"do": "roll-off", "winner": "red"} in PLAY.options(battle.state)[0]["options"]
    battle.do("roll-off", winner="red")
    assert not PLAY.dice(battle.log[-1])
    battle.do("choose-zone", side="red", zone="leave")
    battle.do("choose-zone", side="blue", zone="near")


def zones_drawn(battle: Battle) -> dict[str, tuple[float, float]]:
    """Whose zone lies where: the middle of each, by side."""
    table = PLAY.table(battle.state)
    assert table is not None
    chosen = {one.id for one in battle.state.sides if one.zone}
    assert set(GAME.board(table).sides) == chosen, "each in its colour"
    found = [
        one
        for one in ground_shapes(table, DEFAULT)
        if isinstance(one, Polygon) and one.style.role == "deployment"
    ]
    middles = [shapely.Polygon(one.outline).centroid for one in found]
    return {
        one.style.side or f"free {number}": (middle.x, middle.y)
        for number, (one, middle) in enumerate(zip(found, middles, strict=True))
    }


@pytest.mark.rule("TMG-DEP-1", "TMG-FFA-2")
def test_zones_wear_their_colours_as_soon_as_they_are_chosen() -> None:
    assert zones_drawn(led("near")) == {"red": (24, 5), "blue": (24, 43)}
    assert zones_drawn(led("far")) == {"blue": (24, 5), "red": (24, 43)}


@pytest.mark.rule("TMG-FFA-2", "TMG-DEP-4")
def test_corners_lie_where_three_players_chose_them_and_trays_face_the_table() -> None:
    facing = {"blue": 90.0, "red": 270.0, "green": 270.0}  # as the wizard seats them
    armies = [{**STARK, "side": side} for side in facing]
    battle = Battle(armies=armies, shape="ffa", points=30, ready=False, first=None)
    trays = catalogue("tmg-2021").trays
    units = [
        Unit(one.id, one.side, one.name, trays[one.tray], Pose(24, 24, facing[one.side], EXACT))
        for one in battle.state.units
    ]
    table = line_up(battlefield("tmg-2021", "GOT", 48, 48), units).to_json()
    battle = Battle(
        armies=armies, shape="ffa", points=30, ready=False, first=None, table=table, unchecked=True
    )
    assert len(zones_drawn(battle)) == 4
    while battle.state.step != "zones":
        battle.do("continue")
    battle.do("choose-zone", side="blue", zone="far-right")
    assert zones_drawn(battle)["blue"] == (42, 42)
    assert len(zones_drawn(battle)) == 4
    battle.do("choose-zone", side="red", zone="near-right")
    battle.do("choose-zone", side="green", zone="near-left")
    assert zones_drawn(battle) == {"blue": (42, 42), "red": (42, 6), "green": (6, 6)}
    battle.do("roll-off", winner="blue").do("deploy", put=True)
    found = PLAY.table(battle.state)
    assert found is not None
    assert {(one.side, one.pose.heading) for one in found.units} == {
        ("blue", 270.0),
        ("red", 90.0),
        ("green", 90.0),
    }
    assert Table.parse(found.text()) == found
    seen = found.to_json()
    del seen["zones"]  # a camera knows of none
    battle.do("table", table=seen)
    assert zones_drawn(battle) == {"blue": (42, 42), "red": (42, 6), "green": (6, 6)}


@pytest.mark.rule("TMG-SET-4", "TMG-MODE-GOT-3")
def test_the_places_of_the_objectives_are_told() -> None:
    battle = Battle(ready=False, first=None, table=planned()).do("continue")
    (asked,) = SCREEN.prompts(battle.state)
    told = [str(fact.text) for fact in asked.facts]
    assert len(told) == 5
    assert told[1] == (
        "the near left objective: its middle 6″ from the left edge, 18″ from the near edge"
    )


@pytest.mark.rule("TMG-MODE-GOT-3")
def test_objectives_that_players_placed_are_called_by_where_they_lie() -> None:
    state = Battle("GOT", "2018").state
    token = state.tokens[0]
    four = tuple(replace(token, id=f"o{n}", name="") for n in range(2, 5))
    raw = {"format": "table-companion/1", "game": "tmg-2018", "units": []}
    lying = (
        {"id": "o2", "x": 10, "y": 20},
        {"id": "o3", "x": 40, "y": 30},
        {"id": "o4", "x": 9, "y": 9},
    )
    text = json.dumps({**raw, "objectives": [*lying]})
    names = names_of(replace(state, tokens=(token, *four), table=text))
    assert [str(names.of(f"o{n}")) for n in (2, 3, 4)] == [
        "objective 2",
        "the far right objective",
        "objective 4",
    ]


@pytest.mark.rule("TMG-DEP-3", "TMG-SET-7")
def test_whoever_puts_a_tray_or_a_piece_down_is_at_the_head() -> None:
    battle = led("near").do("deploy", unit="r1", put=True)
    assert SCREEN.active(battle.state) == ("red",)
    here = PLAY.table(battle.state)
    assert here is not None
    battle.do("table", table=here.to_json(), units=["r1"])
    assert SCREEN.active(battle.state) == ("blue",)
    placing = Battle(ready=False, first=None, table=planned()).do("continue").do("continue")
    placing.do("roll-off", dice={"blue": 2, "red": 5}).do("terrain", piece="hedge")
    assert SCREEN.active(placing.state) == ("red",)


@pytest.mark.rule("TMG-DEP-3", "TMG-DEP-4", "TMG-FFA-2")
def test_the_last_tray_finds_its_room_in_a_crowded_corner() -> None:
    battle = Battle(ready=False, first=None, table=planned())
    state = replace(battle.state, shape="ffa")
    raw = json.loads(state.plan)
    spots = {"r1": (8.3, 43.5), "r2": (8.3, 38.7), "r3": (2.8, 38.9), "b1": (40, 5)}
    units = [
        one | {"side": "blue", "x": spots[one["id"]][0], "y": spots[one["id"]][1], "heading": 270.0}
        for one in raw["units"]
        if one["id"] in spots
    ]
    state = replace(state, table=json.dumps({**raw, "units": units}))
    for unit in ("r1", "r2", "r3"):
        state = state.with_unit(replace(state.unit(unit), place="field", side="blue"))
    state = state.with_side(replace(state.side("blue"), zone="far-left"))
    pose = deploy_place(state, "b1")
    assert pose is not None
    assert (round(pose.x, 1), pose.heading) == (2.8, 270.0)
    assert 43.7 < pose.y < 45.6
