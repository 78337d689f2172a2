"""What the game refuses, case by case: the rule is named and nothing changes."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_rules import check_shape
from models import CompanionError
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")


def attacking(year: str = "2021") -> Battle:
    battle = Battle("GOT", year).deployed().do("engage", unit="b1", **{"with": ["r1"]})
    return battle.do("activate", unit="b1").do("action", action="attack", target="r1")


def claiming(zone: str = "crown") -> Battle:
    return Battle().deployed().do("activate", unit="bn1").do("claim", zone=zone)


# -- actions ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ATK-1")
def test_one_attack_at_a_time() -> None:
    attacking().refused("TMG-ATK-1", "free-action", unit="b2", action="attack", target="r1")


@pytest.mark.rule("TMG-CHG-14")
def test_one_charge_at_a_time() -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    battle.do("action", action="charge", zone="front", target="r1")
    assert battle.waits() == ["charge"]
    battle.refused("TMG-CHG-14", "free-action", unit="b2", action="attack", target="r1")
    battle.do("charge-result", success=True)
    battle.refused("TMG-CHG-14", "charge-result", success=True)


@pytest.mark.rule("TMG-UNT-11")
def test_who_is_not_on_the_battlefield_does_nothing_and_suffers_nothing() -> None:
    battle = Battle().deployed().do("wounds", unit="r2", wounds=12)
    battle.refused("TMG-UNT-11", "free-action", unit="r2", action="maneuver")
    battle.refused("TMG-UNT-11", "order", unit="r2", order="Hold")
    battle.refused("TMG-UNT-11", "test", unit="r2", why="fear")
    battle.refused("TMG-UNT-11", "wounds", unit="r2", wounds=1)
    battle.do("activate", unit="b2")
    battle.refused("TMG-UNT-11", "action", action="attack", target="r2")
    battle.do("action", action="forgo").do("end-turn")
    battle.refused("TMG-UNT-11", "activate", unit="r2")


@pytest.mark.rule("TMG-NCU-1")
def test_an_ncu_is_never_on_the_battlefield() -> None:
    battle = Battle().deployed()
    battle.refused("TMG-NCU-1", "free-action", unit="bn1", action="maneuver")
    battle.refused("TMG-NCU-1", "wounds", unit="bn1", wounds=1)
    battle.do("activate", unit="b2")
    battle.refused("TMG-NCU-1", "action", action="attack", target="rn1")
    battle.refused("TMG-NCU-1", "claim", zone="crown")


@pytest.mark.rule("TMG-RET-2")
def test_a_retreat_rolls_one_die() -> None:
    battle = Battle().deployed().do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1")
    battle.refused("TMG-RET-2", "action", action="retreat", faces=[1, 2])


@pytest.mark.rule("TMG-TER-9")
@pytest.mark.parametrize(("d3", "wounds"), [(1, 2), (2, 3), (3, 4)])
def test_dangerous_ground_costs_a_d3_and_one_and_is_told(d3: int, wounds: int) -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    battle.do("action", action="maneuver", dangerous=True, d3=d3)
    assert battle.unit("b1").wounds == wounds
    (fell,) = [event for event in battle.log if event.type == "dangerous"]
    assert fell.data["faces"] == [d3]
    (roll,) = PLAY.dice(fell)
    assert (roll.faces, roll.die) == ((d3,), 3)


@pytest.mark.rule("TMG-ACT-3")
def test_who_is_being_activated_is_not_set_right() -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    battle.refused("TMG-ACT-3", "correct", unit="b1", activated=False)
    battle.do("correct", unit="b2", activated=True, why="forgotten")
    assert battle.unit("b2").activated
    assert battle.unit("b2").wounds == 0
    battle.do("correct", unit="b2", wounds=3)
    assert (battle.unit("b2").wounds, battle.unit("b2").activated) == (3, True)
    battle.refused("INPUT", "correct", unit="b2")


# -- dice -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ATK-2")
def test_dice_are_rolled_when_they_are_asked_for() -> None:
    Battle().deployed().refused("TMG-ATK-2", "roll")
    battle = attacking()
    dice = battle.view()["attack"]["dice"]
    battle.refused("TMG-ATK-1", "roll", faces=[6] * (dice + 1))
    battle.do("roll", faces=[6] * dice)
    battle.refused("TMG-ATK-2", "roll")
    battle.do("continue")
    battle.refused("TMG-ATK-7", "roll", faces=[6] * (dice - 1))


@pytest.mark.rule("TMG-RER-1", "TMG-RER-3")
def test_a_reroll_names_each_die_once() -> None:
    battle = attacking()
    battle.refused("TMG-RER-3", "reroll", side="blue", because="Fury", places=[0])
    battle.do("roll", faces=[1] * battle.view()["attack"]["dice"])
    battle.refused("TMG-RER-1", "reroll", side="blue", because="Fury", places=[0, 0])
    battle.refused("TMG-RER-3", "reroll", side="blue", because="Fury", places=[])
    battle.do("reroll", side="blue", because="Fury", places=[0, 1], faces=[6, 5])
    assert battle.view()["attack"]["rolled"][:3] == [6, 5, 1]


@pytest.mark.rule("TMG-RER-3")
def test_a_reroll_has_as_many_dice_as_were_taken_up() -> None:
    battle = attacking()
    battle.do("roll", faces=[1] * battle.view()["attack"]["dice"])
    found = PLAY.decide(
        battle.state,
        {"do": "reroll", "side": "blue", "because": "Fury", "places": [0, 1], "faces": [6]},
    )
    assert isinstance(found, Refusal)


@pytest.mark.rule("TMG-PAN-2")
def test_a_morale_test_has_no_d3() -> None:
    battle = Battle().deployed().do("test", unit="b1", why="fear", kind="morale")
    battle.refused("TMG-PAN-2", "panic", unit="b1", faces=[1, 2], d3=2)
    battle = Battle("GOT", "2018").deployed().do("test", unit="b1", why="fear")
    battle.refused("TMG-PAN-2", "panic", unit="b1", faces=[1, 2], d3=2)


@pytest.mark.rule("TMG-ATK-1")
def test_the_number_of_attack_dice_is_fixed_when_they_are_rolled() -> None:
    Battle().deployed().refused("TMG-ATK-1", "modify", what="dice", name="Fury", value=1)
    battle = attacking()
    dice = battle.view()["attack"]["dice"]
    battle.do("modify", what="dice", name="Fury", value=2)
    assert battle.view()["attack"]["dice"] == dice + 2
    battle.do("roll", faces=[1] * (dice + 2))
    battle.refused("TMG-ATK-1", "modify", what="dice", name="Fury", value=1)
    battle.refused("TMG-ATK-1", "modify", what="highest", name="Fury")


@pytest.mark.rule("TMG-ATK-1", "TMG-CARD-4")
def test_highest_and_lowest_take_the_dice_of_other_ranks() -> None:
    battle = Battle().deployed().do("wounds", unit="b1", wounds=4)
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    most, now, least = battle.view()["units"]["b1"]["attacks"][0]["dice"]
    assert battle.view()["attack"]["dice"] == now
    battle.do("modify", what="highest", name="Rally")
    assert battle.view()["attack"]["dice"] == most
    battle = attacking()
    battle.do("modify", what="lowest", name="Dread")
    assert battle.view()["attack"]["dice"] == least


@pytest.mark.rule("TMG-PAN-4")
def test_an_effect_on_an_attack_adds_wounds_to_its_panic_test() -> None:
    battle = attacking().do("modify", what="panic-wounds", name="Terror", value=2)
    battle.do("attack-result", wounds=1).do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.unit("r1").wounds == 1 + 1 + 2


@pytest.mark.rule("TMG-SRG-2")
def test_an_engaged_unit_does_not_surge() -> None:
    battle = Battle().deployed().do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1")
    battle.do("attack-result", wounds=12)
    while battle.waits()[0] != "surge":
        battle.do("continue")
    battle.do("engage", unit="b1", **{"with": ["r2"]})
    battle.refused("TMG-SRG-2", "surge", take=True)
    battle.do("surge", take=False)
    battle.refused("TMG-SRG-1", "surge", take=True)


# -- tactics board and cards ------------------------------------------------------------------


@pytest.mark.rule("TMG-INF-1", "TMG-INF-2")
def test_where_influence_cannot_go() -> None:
    battle = claiming()
    battle.refused("TMG-INF-1", "influence", ncu="bn1", unit="bn2")
    battle.refused("TMG-INF-1", "influence", ncu="bn2", unit="b1")
    battle.do("wounds", unit="r2", wounds=12)
    battle.refused("TMG-UNT-11", "influence", ncu="bn1", unit="r2")
    battle.do("influence", ncu="bn1", unit="r1")
    battle.refused("TMG-INF-1", "influence", ncu="bn1", unit="r3")
    battle.do("zone-effect", skip=True).do("end-turn").forgo("r1")
    battle.do("activate", unit="bn2").do("claim", zone="wealth")
    assert "enemy" in battle.refused("TMG-INF-2", "influence", ncu="bn2", unit="r1")
    battle.do("influence", ncu="bn2", unit="b1")
    assert battle.unit("b1").influence == (("bn2", "blue"),)


@pytest.mark.rule("TMG-NCU-2", "TMG-NCU-5")
def test_the_board_is_for_the_ncu_that_acts() -> None:
    battle = Battle().deployed()
    battle.refused("TMG-NCU-2", "claim", zone="crown")
    battle.refused("TMG-NCU-5", "forgo")
    battle.do("activate", unit="b1")
    battle.refused("TMG-ACT-2", "forgo")
    battle = claiming()
    battle.refused("TMG-TIM-6", "claim", zone="wealth")


@pytest.mark.rule("TMG-MODE-HAR-10", "TMG-MODE-DWW-7")
def test_a_zone_is_replaced_only_where_the_mode_says_so() -> None:
    claiming().refused("TMG-MODE-HAR-10", "zone-effect", instead="hits", unit="r1")
    claiming().refused("TMG-MODE-DWW-7", "zone-effect", instead="mission", out="1")


@pytest.mark.rule("TMG-RND-18", "TMG-DECK-1", "TMG-RND-21")
def test_cards_that_are_not_there() -> None:
    battle = Battle().deployed()
    player = battle.player("blue")
    battle.refused("TMG-RND-18", "discard", player="blue", cards=[])
    lacking = next(card for card in player.deck if card not in player.hand)
    battle.refused("TMG-RND-18", "discard", player="blue", cards=[lacking])
    battle.refused("TMG-DECK-1", "draw", player="blue", cards=["no such card"])
    battle.refused("TMG-DECK-1", "search", player="blue", card="no such card", **{"from": "deck"})
    by_itself = player.hand[0]
    battle.refused("TMG-DECK-1", "search", player="blue", card=by_itself, **{"from": "discard"})
    battle.do("discard", player="blue", cards=[by_itself])
    battle.do("search", player="blue", card=by_itself, **{"from": "discard"})
    assert sorted(battle.player("blue").hand) == sorted(player.hand)


@pytest.mark.rule("TMG-RND-20")
def test_nothing_is_added_to_a_hand_over_its_limit() -> None:
    battle = Battle().deployed().do("draw", player="blue", count=4)
    limit = battle.state.rules.hand_limit
    assert limit is not None
    assert len(battle.player("blue").hand) == 7 > limit
    card = battle.player("blue").deck[0]
    battle.refused("TMG-RND-20", "draw", player="blue")
    battle.refused("TMG-RND-20", "search", player="blue", card=card, **{"from": "deck"})
    hand = battle.player("blue").hand
    battle.do("discard", player="blue", cards=[hand[0]])
    assert [task.kind for task in battle.state.tasks] == ["hand"]
    battle.do("discard", player="blue", cards=list(hand[1 : 7 - limit]))
    assert battle.state.tasks == ()
    assert len(battle.player("blue").hand) == limit


# -- set-up -----------------------------------------------------------------------------------


def set_up(**facts: Any) -> Any:
    command = {"do": "set-up", "mode": "GOT", "armies": [STARK, LANNISTER], **facts}
    return PLAY.prepare("tmg-2021", command)


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        pytest.param({"ready": True}, "TMG-STA-2", id="no first player"),
        pytest.param(
            {"armies": [{**STARK, "units": [{"name": "A", "id": "x"}] * 2}, LANNISTER]},
            "INPUT",
            id="one id twice",
        ),
        pytest.param(
            {"ready": True, "first": "blue", "mode": "SOS"}, "TMG-MODE-SOS-1", id="no defender"
        ),
        pytest.param(
            {"armies": [STARK, {**LANNISTER, "units": []}]}, "TMG-UNT-1", id="no combat unit"
        ),
        pytest.param(
            {"armies": [STARK, {**STARK, "player": "other"}]}, "TMG-TEAM-1", id="one side twice"
        ),
        pytest.param(
            {
                "shape": "team",
                "armies": [
                    {**STARK, "player": "a"},
                    {**STARK, "player": "b"},
                    {**LANNISTER, "player": "c"},
                ],
            },
            "TMG-TEAM-1",
            id="teams of different size",
        ),
        pytest.param(
            {"armies": [STARK, LANNISTER, {**STARK, "side": "green"}]},
            "TMG-TEAM-5",
            id="three sides in a duel",
        ),
        pytest.param(
            {"armies": [STARK, {**LANNISTER, "side": "draw"}]}, "INPUT", id="a side called draw"
        ),
        pytest.param(
            {"armies": [STARK, {**LANNISTER, "player": "blue"}]}, "INPUT", id="one name twice"
        ),
        pytest.param(
            {"ready": True, "first": "green"}, "INPUT", id="a first player who does not play"
        ),
    ],
)
@pytest.mark.rule("TMG-SET-1", "TMG-TEAM-1", "TMG-TEAM-5", "TMG-STA-2", "TMG-UNT-1")
def test_set_ups_that_cannot_be(facts: dict[str, Any], rule: str) -> None:
    found = set_up(**{"unchecked": True, **facts})
    assert isinstance(found, Refusal)
    assert found.why == rule


@pytest.mark.rule("TMG-FFA-1", "TMG-FFA-2", "TMG-TEAM-5")
@pytest.mark.parametrize(
    ("shape", "mode", "sides", "rules"),
    [
        ("ffa", "GOT", 1, ["TMG-FFA-2"]),
        ("ffa", "GOT", 2, []),
        ("ffa", "GOT", 4, []),
        ("ffa", "GOT", 5, ["TMG-FFA-2"]),
        ("ffa", "SOS", 2, ["TMG-FFA-1"]),
        ("duel", "SOS", 2, []),
        ("duel", "GOT", 3, ["TMG-TEAM-5"]),
        ("team", "GOT", 1, ["TMG-TEAM-5"]),
    ],
)
def test_how_many_sides_a_shape_allows(shape: str, mode: str, sides: int, rules: list[str]) -> None:
    assert [one.why for one in check_shape(shape, mode, sides)] == rules


@pytest.mark.rule("TMG-DEP-1", "TMG-SET-11", "TMG-DEP-3")
def test_steps_of_set_up_in_their_order() -> None:
    battle = Battle(ready=False, first=None)
    battle.refused("TMG-DEP-1", "roll-off")
    battle.refused("TMG-DEP-1", "choose-zone", side="blue", zone="near")
    while battle.state.step != "terrain":
        battle.do("continue")
    battle.do("roll-off", dice={"blue": 5, "red": 2})
    battle.refused("TMG-DEP-1", "roll-off")
    battle.refused("TMG-SET-11", "terrain", random=True, d3=2, faces=[1, 2, 3])
    battle.refused("TMG-SET-11", "terrain", random=True, d3=2, faces=[3, 4])
    while battle.state.step == "terrain":
        battle.do("terrain", piece="hedge")
    battle.refused("TMG-DEP-1", "choose-zone", side="blue", zone="near")
    battle.do("roll-off", dice={"blue": 2, "red": 5})
    battle.refused("TMG-DEP-1", "choose-zone", side="blue", zone="near")
    battle.refused("TMG-DEP-1", "choose-zone", side="red", zone="near-left")
    battle.do("choose-zone", side="red", zone="leave")
    battle.refused("TMG-DEP-1", "choose-zone", side="blue", zone="leave")
    battle.do("choose-zone", side="blue", zone="far")
    assert [side.zone for side in battle.state.sides] == ["far", "near"]


@pytest.mark.rule("TMG-DEP-3")
def test_a_unit_is_deployed_once() -> None:
    battle = Battle().do("continue")
    battle.do("deploy", unit="b1")
    battle.refused("TMG-DEP-3", "deploy", unit="b1")


# -- modes ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-WOW-3", "TMG-MODE-WOW-4")
def test_missions_are_chosen_once_and_revealed_from_hand() -> None:
    battle = Battle("WOW").do("continue")
    six = ["1", "2", "3", "4", "11", "12"]
    battle.refused("TMG-MODE-WOW-3", "missions", player="blue", cards=[*six[:5], "5"])
    battle.refused("TMG-MODE-WOW-3", "missions", player="blue", cards=[*six[:5], "12", "12"])
    battle.refused("TMG-MODE-WOW-3", "missions", player="blue", cards=["0", *six[1:]])
    battle.do("missions", player="blue", cards=six)
    battle.refused("TMG-MODE-WOW-3", "missions", player="blue", cards=six)
    battle = battle_of("WOW").round_over()
    assert battle.waits() == ["missions"]
    first, second = ("red", "blue")
    assert battle.state.first == first
    battle.refused("TMG-MODE-WOW-4", "reveal", player=second, card="1")
    battle.refused("TMG-MODE-WOW-4", "reveal", player=first, card="9")
    battle.do("reveal", player=first, card="1")
    battle.refused("TMG-MODE-WOW-4", "reveal", player=first, card="2")
    battle.do("reveal", player=second, card="1")
    Battle().do("continue").refused("TMG-MODE-WOW-3", "missions", player="blue", cards=six)


@pytest.mark.rule("TMG-MODE-DWW-8")
def test_only_the_commander_gives_up_an_action_for_a_mission() -> None:
    battle = battle_of("DWW")
    battle.refused("TMG-MODE-DWW-8", "swap-mission", out=battle.state.missions[0])
    battle.do("activate", unit="b2")
    battle.refused("TMG-MODE-DWW-8", "swap-mission", out=battle.state.missions[0])
    battle = battle_of("DWW").do("activate", unit="b1")
    gone = battle.state.missions[0]
    battle.do("swap-mission", out=gone, into=battle.state.reserve_missions[0])
    assert gone not in battle.state.missions
    assert battle.unit("b1").activated
    Battle().deployed().refused("TMG-MODE-DWW-8", "swap-mission", out="1")


@pytest.mark.rule("TMG-MODE-FAB-3")
def test_a_unit_is_marked_once() -> None:
    battle = Battle("FAB").deployed()
    assert battle.waits() == ["marks"]
    battle.do("mark", side="blue", unit="r1", card="6")
    battle.do("mark", side="red", unit="b1", card="7")
    battle.refused("TMG-MODE-FAB-3", "mark", side="blue", unit="r1", card="8")
    battle.refused("TMG-MODE-FAB-3", "mark", side="blue", unit="b2", card="8")


@pytest.mark.rule("TMG-MODE-SOS-14", "TMG-MODE-SOS-18", "TMG-MODE-SOS-22")
def test_whose_walls_may_be_attacked_and_when() -> None:
    battle = battle_of("SOS", defender="blue", first="blue")
    wall = battle.state.walls[0].id
    battle.do("activate", unit="b1")
    battle.refused("TMG-MODE-SOS-14", "action", action="attack", target=wall)
    battle.do("action", action="forgo").do("end-turn")
    battle.refused("TMG-MODE-SOS-18", "activate", unit=wall)
    total = battle.state.walls[0].total
    battle.do("correct", unit=wall, wounds=total)
    assert battle.vp() == (0, 5)
    battle.do("activate", unit="r2")
    battle.refused("TMG-MODE-SOS-22", "action", action="attack", target=wall, ranged=False)
    battle.do("action", action="forgo").do("end-turn")
    battle.refused("TMG-MODE-SOS-18", "activate", unit=wall)
    battle.do("correct", unit=wall, wounds=0, activated=True)
    assert battle.vp() == (0, 0)
    battle.refused("TMG-RND-5", "activate", unit=wall)


@pytest.mark.rule("TMG-VIC-7")
def test_who_is_out_does_not_concede() -> None:
    armies = [STARK, LANNISTER, {**STARK, "side": "green"}]
    battle = Battle(armies=armies, shape="ffa", unchecked=True).deployed()
    battle.do("concede", side="green")
    assert battle.side("green").eliminated
    battle.refused("TMG-VIC-7", "concede", side="green")
    battle.refused("TMG-VIC-7", "eliminate", side="blue", out=True)


# -- how commands may be written --------------------------------------------------------------


@pytest.mark.rule("TMG-GLO-11", "TMG-CHG-11")
def test_one_name_or_one_die_needs_no_list() -> None:
    battle = Battle().deployed().do("engage", unit="b1", **{"with": "r1"})
    assert battle.unit("b1").engaged == ("r1",)
    battle.do("engage", unit="b1", **{"with": []}).do("activate", unit="b1")
    battle.do("action", action="charge", zone="front", target="r1", distance=6, faces=3)
    (rolled,) = [event for event in battle.log if event.type == "charge-rolled"]
    assert rolled.data["faces"] == [3]


@pytest.mark.rule("TMG-CHG-11", "TMG-ATK-2")
@pytest.mark.parametrize("faces", [0, 7, [0], [7], ["six"], [1.5], None])
def test_a_die_shows_1_to_6(faces: Any) -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    facts = {"target": "r1", "zone": "front", "distance": 6, "faces": faces}
    command = {"do": "action", "action": "charge", **facts}
    if faces is None:
        assert not isinstance(PLAY.decide(battle.state, command), Refusal)
        return
    with pytest.raises(CompanionError):
        PLAY.decide(battle.state, command)


@pytest.mark.rule("TMG-GLO-2")
def test_effects_of_an_activation_end_with_it_and_others_stay() -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    battle.do("effect", unit="b1", name="Hurry", until="activation")
    battle.do("effect", unit="b2", name="Aim", until="activation")
    battle.do("effect", unit="b1", name="Hold", until="round")
    battle.do("action", action="forgo").do("end-turn")
    assert battle.state.effects == (("b2", "Aim", "activation"), ("b1", "Hold", "round"))


@pytest.mark.rule("TMG-MODE-SOS-18")
def test_the_defender_activates_walls_and_the_attacker_does_not() -> None:
    battle = battle_of("SOS", defender="blue", first="blue")
    walls = {wall.id for wall in battle.state.walls}
    assert walls <= set(PLAY.pending(battle.state)[0].data["units"])
    battle.forgo("b1")
    assert battle.state.active == "red"
    assert not walls & set(PLAY.pending(battle.state)[0].data["units"])
