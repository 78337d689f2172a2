"""Before the first round: terrain, zones, first player, deployment; teams and free-for-alls."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.commands.terrain import RANDOM_PIECES
from companion.games.tmg.play.events.event_log import army_summaries
from companion.games.tmg.play.flow.steps import pipeline
from companion.games.tmg.play.flow.victory import goal
from models import catalogue
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")


def fresh(mode: str = "GOT", year: str = "2021", **facts: Any) -> Battle:
    return Battle(mode, year, ready=False, first=None, **facts)


def to_terrain(mode: str = "GOT", year: str = "2021") -> Battle:
    battle = fresh(mode, year)
    while battle.state.step != "terrain":
        battle.do("continue")
    return battle


@pytest.mark.rule("TMG-SET-4", "TMG-SET-1")
@pytest.mark.parametrize(
    ("year", "order"),
    [("2021", ["mark-zones", "tokens", "terrain"]), ("2018", ["mark-zones", "terrain", "tokens"])],
)
def test_the_order_of_set_up(year: str, order: list[str]) -> None:
    names = list(pipeline(fresh("GOT", year).state.rules))
    assert sorted(order, key=names.index) == order
    assert names.index("zones") < names.index("deploy") < names.index("hands")


@pytest.mark.rule("TMG-SET-7", "TMG-SET-9")
@pytest.mark.parametrize("year", EDITIONS)
def test_four_pieces_in_turn_from_the_winner_of_the_roll(year: str) -> None:
    battle = to_terrain("GOT", year)
    battle.refused("TMG-SET-7", "terrain", piece="forest")
    battle.refused("TMG-DEP-1", "roll-off", dice={"blue": 4, "red": 4})
    battle.do("roll-off", dice={"blue": 2, "red": 5})
    battle.refused("TMG-SET-7", "terrain", piece="forest", side="blue")
    for piece in ("forest", "bog", "stakes"):
        battle.do("terrain", piece=piece)
    placed = [event.data["side"] for event in battle.log if event.type == "piece-placed"]
    assert placed == ["red", "blue", "red"]
    assert battle.state.step == "terrain"
    battle.do("terrain", piece="hedge")
    assert battle.state.step != "terrain"
    assert battle.state.pieces == ("forest", "bog", "stakes", "hedge")


@pytest.mark.rule("TMG-TER-1")
def test_pieces_have_keywords() -> None:
    battle = to_terrain().do("roll-off", dice={"blue": 2, "red": 5})
    battle.refused("TMG-TER-1", "terrain", piece="swimming-pool")
    assert catalogue("tmg-2021").pieces["forest"] == {"cover", "fortified"}


@pytest.mark.rule("TMG-SET-10", "EX-60")
@pytest.mark.parametrize(("d3", "pieces"), [(1, 3), (2, 4), (3, 5)])
def test_2021_random_terrain_is_d3_and_two_pieces(d3: int, pieces: int) -> None:
    battle = to_terrain().do("roll-off", dice={"blue": 6, "red": 5})
    battle.do("terrain", random=True, d3=d3, faces=[3, 3])
    assert battle.state.piece_count == pieces
    assert battle.state.pieces == ("hedge",)


@pytest.mark.rule("TMG-SET-11", "EX-61")
@pytest.mark.parametrize(
    ("faces", "piece"),
    [((1, 2), "corpse-pile"), ((3, 3), "hedge"), ((4, 4), "low-wall"), ((6, 6), "weirwood")],
)
def test_2021_two_dice_tell_the_piece(faces: tuple[int, int], piece: str) -> None:
    assert RANDOM_PIECES[sum(faces)] == piece
    battle = to_terrain().do("roll-off", dice={"blue": 6, "red": 5})
    battle.do("terrain", random=True, d3=2, faces=list(faces))
    assert battle.state.pieces == (piece,)


@pytest.mark.rule("TMG-SET-11")
def test_2021_a_seven_is_the_players_choice() -> None:
    battle = to_terrain().do("roll-off", dice={"blue": 6, "red": 5})
    battle.refused("TMG-SET-11", "terrain", random=True, d3=2, faces=[3, 4])
    battle.do("terrain", random=True, d3=2, faces=[3, 4], piece="bog")
    assert battle.state.pieces == ("bog",)


@pytest.mark.rule("TMG-SET-10", "TMG-SET-11")
def test_2018_has_no_random_terrain() -> None:
    battle = to_terrain("GOT", "2018").do("roll-off", dice={"blue": 6, "red": 5})
    battle.refused("TMG-SET-10", "terrain", random=True)


# -- deployment -------------------------------------------------------------------------------


def to_zones(year: str = "2021") -> Battle:
    battle = fresh("GOT", year)
    while battle.state.step != "zones":
        battle.do("continue")
    return battle


@pytest.mark.rule("TMG-DEP-1")
def test_the_higher_roll_chooses_or_leaves_the_choice() -> None:
    battle = to_zones().do("roll-off", dice={"blue": 1, "red": 6})
    battle.refused("TMG-DEP-1", "choose-zone", side="blue", zone="near")
    battle.do("choose-zone", side="red", zone="leave")
    battle.refused("TMG-DEP-1", "choose-zone", side="red", zone="near")
    battle.do("choose-zone", side="blue", zone="far")
    assert (battle.side("blue").zone, battle.side("red").zone) == ("far", "near")


@pytest.mark.rule("TMG-DEP-1")
def test_the_companion_rolls_until_somebody_is_higher() -> None:
    battle = to_zones().do("roll-off")
    faces = dict(battle.state.roll_off)
    assert faces["blue"] != faces["red"]
    assert battle.state.chooser == max(faces, key=lambda side: faces[side])


@pytest.mark.rule("TMG-DEP-2", "TMG-STA-2")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_first_player(year: str) -> None:
    battle = to_zones(year).do("roll-off", dice={"blue": 1, "red": 6})
    battle.do("choose-zone", side="red", zone="near")
    if year == "2018":
        assert battle.state.first == "blue"
        return
    assert PLAY.pending(battle.state)[0].side == "blue"
    battle.refused("TMG-DEP-2", "first-player", by="red", side="red")
    battle.do("first-player", by="blue", side="red")
    assert battle.state.first == "red"


def lined_up(year: str, **depths: float) -> dict[str, Any]:
    """A table with the units in a row, each so far from player 1's edge."""
    units = [
        {
            "id": name,
            "side": "blue" if name[0] == "b" else "red",
            "tray": "infantry",
            "x": 8.0 + 8 * place,
            "y": y,
            "heading": 90.0,
        }
        for place, (name, y) in enumerate(depths.items())
    ]
    return {"format": "table-companion/1", "game": f"tmg-{year}", "units": units}


@pytest.mark.rule("TMG-DEP-4", "TMG-MODE-GOT-1")
@pytest.mark.parametrize(("year", "deep"), [("2021", 10.0), ("2018", 6.0)])
def test_a_tray_that_the_table_shows_outside_its_zone_is_not_deployed(
    year: str, deep: float
) -> None:
    """Red has the near edge: the tray is 4.8 inches deep."""
    battle = to_zones(year).do("roll-off", dice={"blue": 1, "red": 6})
    battle.do("choose-zone", side="red", zone="near")
    while battle.state.step != "deploy":
        battle.do("continue" if battle.state.first else "first-player", side="red")
    out = lined_up(year, r1=deep - 2.3, b1=48 - deep + 2.4)
    battle.do("table", table=out)
    assert battle.refused("TMG-DEP-4", "deploy", unit="r1")
    assert battle.refused("TMG-DEP-4", "deploy")
    assert battle.state.unit("r1").place == "waiting"
    battle.do("table", table=lined_up(year, r1=deep - 2.4, b1=48 - deep + 2.3))
    battle.do("deploy", unit="r1")
    assert battle.refused("TMG-DEP-4", "deploy", unit="b1")
    battle.do("table", table=lined_up(year, r1=deep - 2.4, b1=48 - deep + 2.4))
    battle.do("deploy")
    assert battle.state.unit("b1").place == "field"


@pytest.mark.rule("TMG-MODE-HWS-10", "OR-41")
@pytest.mark.parametrize(("reading", "told"), [("completely", True), ("partly", False)])
def test_a_unit_that_comes_back_where_it_may_not_is_pointed_out(reading: str, told: bool) -> None:
    """Red has the near edge: its tray lies across the line 6 inches from it, then within."""
    battle = Battle("HWS", ready=False, first=None, readings=[f"redeploy={reading}"])
    while battle.state.step != "zones":
        battle.do("continue")
    battle.do("roll-off", dice={"blue": 1, "red": 6}).do("choose-zone", side="red", zone="near")
    while battle.state.step != "deploy":
        battle.do("continue" if battle.state.first else "first-player", side="red")
    battle.do("deploy").do("wounds", unit="r1", wounds=12, by="blue").round_over()
    battle.do("redeploy", unit="r1").do("table", table=lined_up("2021", b1=40.0, b2=40.0, r1=5.0))
    found = ["r1 may not come in there: TMG-MODE-HWS-10"] if told else []
    assert battle.answer.get("reminders", []) == found
    battle.do("table", table=lined_up("2021", b1=40.0, b2=40.0, r1=6.0))  # seen once is enough
    assert not battle.answer.get("reminders")


@pytest.mark.rule("TMG-DEP-3", "TMG-DEP-5", "TMG-DEP-6")
def test_units_are_deployed_in_turn_from_who_chose_his_zone() -> None:
    battle = to_zones("2018").do("roll-off", dice={"blue": 1, "red": 6})
    battle.do("choose-zone", side="red", zone="near")
    battle.refused("TMG-DEP-3", "deploy", unit="b1")
    battle.refused("TMG-DEP-6", "deploy", unit="rn1")
    battle.do("deploy", unit="r1")
    battle.refused("TMG-DEP-3", "deploy", unit="r2")
    battle.do("deploy", unit="b1").do("deploy", unit="r2").do("deploy", unit="b2")
    battle.do("deploy", unit="r3").do("deploy", unit="b3")
    assert battle.state.round == 1
    assert battle.state.active == "blue"
    assert all(unit.standing for unit in battle.state.units)


# -- teams and all against all ----------------------------------------------------------------

ANN = {**STARK, "player": "ann", "side": "north"}
BEN = {**STARK, "player": "ben", "side": "north"}
CAT = {**LANNISTER, "player": "cat", "side": "south"}
DAN = {**LANNISTER, "player": "dan", "side": "south"}


@pytest.mark.rule(
    "TMG-TEAM-1", "TMG-TEAM-3", "TMG-TEAM-4", "TMG-TEAM-5", "TMG-TEAM-7", "TMG-TEAM-8"
)
def test_a_team_game() -> None:
    team = Battle(armies=[ANN, BEN, CAT, DAN], shape="team", points=20, first="north").deployed()
    assert goal(team.state) == 10
    assert [len(player.hand) for player in team.state.players] == [3, 3, 3, 3]
    decks = [player.deck for player in team.state.players]
    assert decks[0] != decks[1]
    team.refused("TMG-GLO-11", "engage", unit="a1", **{"with": ["b1"]})
    team.forgo("b2")
    assert team.state.active == "south"
    team.forgo("c1").forgo("a1")
    assert team.state.active == "south"
    team.do("wounds", unit="d1", wounds=12, by="north")
    assert team.view()["vp"] == {"north": 1, "south": 0}
    team.round_over()
    assert team.state.first == "south"
    assert team.state.mode == "GOT"


THREE = [
    {"side": side, "units": [{"name": "Guards", "cost": 5}], "ncus": []}
    for side in ("ann", "ben", "cat")
]


def three(**facts: Any) -> Battle:
    return Battle(armies=THREE, shape="ffa", points=30, first="ben", **facts).deployed()


@pytest.mark.rule("TMG-FFA-4", "TMG-FFA-5")
def test_turns_and_the_first_player_token_go_to_the_left() -> None:
    battle = three()
    order = []
    for _ in range(3):
        order.append(battle.state.active)
        battle.forgo(f"{battle.state.active[0]}1")
    assert order == ["ben", "cat", "ann"]
    battle.clean_up()
    assert battle.state.first == "cat"


@pytest.mark.rule("TMG-FFA-3")
def test_everybody_rolls_for_first_player() -> None:
    battle = Battle(armies=THREE, shape="ffa", points=30, ready=False, first=None)
    while battle.state.step != "zones":
        battle.do("continue")
    for side, corner in (("ann", "near-left"), ("ben", "far-left"), ("cat", "far-right")):
        battle.do("choose-zone", side=side, zone=corner)
    assert battle.waits() == ["first-player"]
    battle.refused("TMG-FFA-3", "first-player", side="ann")
    battle.refused("TMG-DEP-1", "roll-off", dice={"ann": 6, "ben": 6, "cat": 1})
    battle.do("roll-off", dice={"ann": 3, "ben": 6, "cat": 1})
    assert battle.state.first == "ben"


@pytest.mark.rule("TMG-FFA-2", "TMG-FFA-4", "TMG-FFA-5", "TMG-DEP-3")
def test_chosen_corners_say_who_sits_to_whose_left() -> None:
    armies = [{**one, "units": one["units"] * n} for one, n in zip(THREE, (2, 1, 2), strict=True)]
    battle = Battle(armies=armies, shape="ffa", points=30, ready=False, first=None)
    while battle.state.step != "zones":
        battle.do("continue")
    for side, corner in (("ann", "near-left"), ("ben", "far-right"), ("cat", "far-left")):
        battle.do("choose-zone", side=side, zone=corner)
    battle.do("roll-off", dice={"ann": 6, "ben": 3, "cat": 1})
    deployed = []
    while battle.state.step == "deploy":
        side = PLAY.pending(battle.state)[0].side or ""
        deployed.append(side)
        unit = next(one for one in battle.state.units if one.side == side and not one.standing)
        battle.do("deploy", unit=unit.id)
    assert deployed == ["ann", "cat", "ben", "ann", "cat"], "clockwise, who has none is skipped"
    turns = []
    for _ in range(5):
        turns.append(battle.state.active)
        ready = (u for u in battle.state.units if u.side == turns[-1] and not u.activated)
        battle.forgo(next(ready).id)
    assert turns == ["ann", "cat", "ben", "ann", "cat"]
    battle.clean_up()
    assert battle.state.first == "cat"


@pytest.mark.rule("TMG-SET-7", "TMG-SET-9")
def test_one_player_alone_does_not_end_the_placing_of_terrain() -> None:
    battle = Battle(ready=False, first=None).do("continue").do("continue")
    battle.do("roll-off", dice={"blue": 6, "red": 1}).do("continue", side="blue")
    assert battle.waits() == ["terrain"]
    battle.do("terrain", piece="hedge").do("continue", side="red")
    assert battle.waits() == ["terrain"], "who is done after another piece is asked again"
    battle.do("continue", side="blue")
    assert battle.waits() == ["zones"]


@pytest.mark.rule("TMG-FFA-6", "TMG-FFA-7", "TMG-VIC-9")
def test_an_eliminated_player_is_out_and_the_last_one_wins() -> None:
    battle = three().do("wounds", unit="a1", wounds=12, by="cat")
    assert battle.side("ann").eliminated
    assert battle.view()["vp"] == {"ann": 0, "ben": 0, "cat": 1}
    assert battle.state.winner == ""
    battle.forgo("b1")
    assert battle.state.active == "cat"
    battle.do("wounds", unit="b1", wounds=12)
    assert battle.state.winner == "cat"


@pytest.mark.rule("TMG-FFA-6")
def test_who_concedes_among_three_is_out_and_is_not_waited_for() -> None:
    battle = three().do("concede", side="cat")
    assert battle.titles == ["cat concedes"]
    assert battle.side("cat").eliminated
    battle.forgo("b1").forgo("a1")
    assert (battle.state.winner, battle.state.phase) == ("", "clean-up")
    early = Battle(armies=THREE, shape="ffa", points=30, ready=False, first=None)
    while early.waits()[0] != "zones":
        early.do("continue")
    early.do("concede", side="ann")
    early.do("choose-zone", side="ben", zone="far-left").do(
        "choose-zone", side="cat", zone="near-left"
    )
    assert early.waits() == ["first-player"]
    early.do("roll-off")
    assert early.state.first in ("ben", "cat")
    early.do("deploy")
    assert early.state.round == 1
    assert early.state.active in ("ben", "cat")


@pytest.mark.rule("TMG-FFA-7", "TMG-RND-18")
def test_nobody_waits_for_who_is_eliminated() -> None:
    battle = three().do("wounds", unit="a1", wounds=12, by="cat")
    battle.forgo("b1").forgo("c1")
    assert battle.waits() == ["end-of-round"]
    battle.do("continue", side="ben").do("continue", side="cat")
    battle.do("score", confirm=True)
    assert battle.waits() == ["discard"]
    battle.do("continue", side="ben").do("continue", side="cat")
    assert battle.state.round == 2
    assert not any(one.data.get("player") == "ann" for one in battle.log if one.type == "drew")


@pytest.mark.rule("TMG-MODE-HWS-10", "TMG-TEAM-4")
def test_each_of_a_team_puts_back_one_unit() -> None:
    units = [{"name": "Guards", "cost": 5}] * 3
    armies = [
        {"side": side, "player": player, "units": units, "ncus": []}
        for side, player in (("north", "a"), ("north", "b"), ("south", "c"), ("south", "d"))
    ]
    battle = Battle("HWS", armies=armies, shape="team", points=20, first="north").deployed()
    for unit in ("a1", "a2", "b1"):
        battle.do("wounds", unit=unit, wounds=12, by="south")
    battle.round_over()
    assert battle.waits() == ["redeploy"]
    battle.do("redeploy", unit="a1")
    battle.refused("TMG-MODE-HWS-10", "redeploy", unit="a2")
    battle.do("redeploy", unit="b1")
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-FFA-7", "TMG-MODE-HWS-10")
def test_the_units_of_an_eliminated_player_do_not_return() -> None:
    battle = Battle("HWS", armies=THREE, shape="ffa", points=30, first="ben").deployed()
    battle.do("wounds", unit="a1", wounds=12, by="cat").do("eliminate", side="ann", out=True)
    battle.forgo("b1").forgo("c1").clean_up()
    while battle.state.phase == "clean-up":
        battle.do("continue")
    assert (battle.state.round, battle.waits()) == (2, ["turn-start"])


@pytest.mark.rule("TMG-VIC-9")
def test_every_opponent_gains_when_nobody_did_it() -> None:
    armies = [{**one, "units": [{"name": "Guards", "cost": 5}] * 2} for one in THREE]
    battle = Battle(armies=armies, shape="ffa", points=30, first="ben").deployed()
    battle.do("wounds", unit="a1", wounds=12)
    assert battle.vp() == (0, 1, 1)


@pytest.mark.rule("TMG-FFA-1")
def test_no_siege_of_three() -> None:
    command = {"do": "set-up", "mode": "SOS", "shape": "ffa", "armies": THREE}
    found = PLAY.prepare("tmg-2021", command)
    assert isinstance(found, Refusal)
    assert found.why == "TMG-FFA-1"


@pytest.mark.rule("TMG-SET-1")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"first": None}, "TMG-STA-2"),
        ({"first": "green"}, "INPUT"),
        ({"armies": [STARK, {**LANNISTER, "side": "blue"}]}, "INPUT"),
        ({"armies": [STARK, {**LANNISTER, "units": []}]}, "TMG-UNT-1"),
        ({"mode": "SOS"}, "TMG-MODE-SOS-1"),
    ],
)
def test_impossible_set_ups_are_refused(change: dict[str, Any], why: str) -> None:
    command = {
        "do": "set-up",
        "mode": "GOT",
        "armies": [STARK, LANNISTER],
        "ready": True,
        "first": "blue",
        **change,
    }
    found = PLAY.prepare("tmg-2021", command)
    assert isinstance(found, Refusal)
    assert found.why == why


@pytest.mark.rule("TMG-FFA-2", "EX-83")
def test_ffa_a_corner_is_chosen_once() -> None:
    from companion.games.tmg.rules.modes import BattleArea, corner_zone

    battle = Battle(armies=THREE, shape="ffa", points=30, ready=False, first=None)
    while battle.state.step != "zones":
        battle.do("continue")
    battle.refused("TMG-FFA-2", "choose-zone", side="ann", zone="near")
    battle.do("choose-zone", side="ann", zone="near-left")
    battle.refused("TMG-FFA-2", "choose-zone", side="ben", zone="near-left")
    battle.refused("TMG-FFA-2", "choose-zone", side="ann", zone="far-left")
    [square] = corner_zone(BattleArea(), "near-left").parts
    assert (min(square), max(square)) == ((0, 0), (12, 12))


@pytest.mark.rule("TMG-VIC-7", "TMG-FFA-7")
def test_the_army_of_a_player_who_is_out_stays_whole_in_the_report() -> None:
    """Units and NCUs alike: what was destroyed, and what left with its player."""
    units = [{"name": "Guards", "cost": 5}, {"name": "Bowmen", "cost": 5}]
    armies = [{**one, "units": units, "ncus": [{"name": "Lord", "cost": 4}]} for one in THREE]
    battle = Battle(armies=armies, shape="ffa", points=30, first="ben").deployed()
    battle.do("wounds", unit="b1", wounds=12, by="cat").do("concede", side="ben")
    assert not [ncu for ncu in battle.state.ncus if ncu.side == "ben"]
    told = {army.side: army.members for army in army_summaries(battle.state)}
    assert [(one.name, one.points, one.fate, one.lost) for one in told["ben"]] == [
        ("Guards", 5, "destroyed", True),
        ("Bowmen", 5, "out of the game", True),
        ("Lord", 4, "out of the game", True),
    ]
    assert [(one.name, one.lost) for one in told["ann"]][-1] == ("Lord", False)
    battle.do("wounds", unit="a1", wounds=12, by="cat").do("wounds", unit="a2", wounds=12, by="cat")
    assert (battle.state.winner, len(army_summaries(battle.state)[0].members)) == ("cat", 3)


@pytest.mark.rule("TMG-FFA-4")
def test_a_player_who_is_out_leaves_nothing_behind() -> None:
    armies = [{**one, "ncus": [{"name": "Lord"}]} for one in THREE]
    battle = Battle(armies=armies, shape="ffa", points=30, first="ben").deployed()
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("concede", side="ben")
    assert battle.state.winner == ""
    assert battle.waits() == ["end-of-turn"]
    battle.do("end-turn")
    assert battle.state.active == "cat"


@pytest.mark.rule("TMG-ARM-3")
def test_army_lists_go_out_as_they_came_in() -> None:
    stark = "stark;10201,20201,10205,30201"
    lists = [{"side": "blue", "list": stark}, {"side": "red", "list": "lannister;10101,20104"}]
    battle = Battle(armies=lists).do("army-list", player="blue", form="ids")
    assert battle.answer == {"list": stark}
    battle.do("army-list", player="red")
    assert battle.answer["list"].startswith("Faction: lannister\nCommander: Tywin Lannister")
    Battle().refused("TMG-ARM-1", "army-list", player="blue")
