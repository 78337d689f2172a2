"""Rules of single commands, with the numbers and the order that the books give."""

from __future__ import annotations

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.play import PLAY
from models import CompanionError, Sigma
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.games.tmg.play.test_scoring_from_a_table import begun, tokens_of
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
BLUR = Sigma(0.1)


def reminders(battle: Battle) -> list[str]:
    return [str(one) for one in battle.answer.get("reminders", ())]


# -- moves ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MAN-3", "TMG-MAR-2", "EX-7", "EX-8")
@pytest.mark.parametrize("year", EDITIONS)
@pytest.mark.parametrize(("action", "reach"), [("maneuver", 5), ("march", 10)])
def test_sworn_swords_maneuver_five_inches_and_march_ten(
    year: str, action: str, reach: int
) -> None:
    battle = battle_of("GOT", year).do("activate", unit="b1").do("action", action=action)
    assert any(f'up to {reach}" forward' in one for one in battle.titles)


@pytest.mark.rule("TMG-TER-9", "TMG-MEL-1", "OR-24", edition="2021")
def test_fighting_where_stakes_may_lie_underfoot_is_asked_first() -> None:
    here, beside = (24.0, 10.0, NORTH), (24.0, 10 + DEEP, SOUTH)
    battle = seen(battle_of("GOT"), {"b1": here, "r1": beside})
    # 0.05 inches of stakes lie under the rear of the tray, give or take 0.1.
    stakes = slab(battle.game, "stakes", (22, 5, 26, 10 - DEEP / 2 + 0.05))
    seen(battle, {"b1": here, "r1": beside}, (stakes,), sigma=BLUR).do("activate", unit="b1")
    battle.refused("TMG-TER-9", "action", action="attack", target="r1")
    battle.do("action", action="attack", target="r1", dangerous=True, d3=2)
    assert battle.unit("b1").wounds == 3
    assert battle.state.attack is not None


# -- objectives and the score step --------------------------------------------------------------


@pytest.mark.rule("TMG-OBJ-1", "TMG-RND-13")
def test_only_the_tokens_in_doubt_are_named() -> None:
    key = ("tmg-2021", "GOT")
    battle = begun(key)
    battle.finish_round().do("continue")
    tokens = tokens_of(key, battle)
    one, two = tokens[1], tokens[2]
    # b2 covers the one token for certain; whether r2 covers the other is too close to call.
    edge = (two.x, two.y + DEEP / 2 - two.radius, SOUTH)
    seen(battle, {"b2": (one.x, one.y, NORTH), "r2": edge}, tokens=tokens, sigma=BLUR)
    (said,) = [one for one in reminders(battle) if "too close to call" in one]
    assert two.id in said
    assert not any(token.id in said for token in tokens if token is not two)
    assert [battle.token(token.id).holder for token in (one, two)] == ["b2", ""]


@pytest.mark.rule("TMG-MODE-HWS-6", "TMG-MODE-HWS-7", "TMG-MODE-HWS-9")
def test_a_commander_among_the_ncus_adds_three_points_to_his_quadrant() -> None:
    led = {
        **STARK,
        "units": [{"name": "Guards", "cost": 4}, {"name": "Others", "cost": 4}],
        "ncus": [{"name": "Lord", "cost": 0, "commander": True}, {"name": "Sansa", "cost": 4}],
    }
    weak = {**LANNISTER, "units": [{"name": "Six", "cost": 6, "commander": False}]}
    battle = battle_of("HWS", armies=[led, weak])
    battle.round_over()
    while battle.state.step != "turn-start":
        battle.do("continue")
    if PLAY.pending(battle.state)[0].side == "red":
        battle.forgo("r1")
    battle.do("activate", unit="bn1").do("quadrant", quadrant="lower-left").do("end-turn")
    battle.finish_round().do("continue")
    battle.do("quadrants", units={"b1": "lower-left", "r1": "lower-left"})
    # Blue has 4 + 0 + 3 points there, red has 6.
    assert [(one.side, one.why) for one in battle.state.proposals] == [
        ("blue", "lower-left quadrant")
    ]
    battle.do("quadrants", units={"r1": "lower-left"})  # 3 against 6
    assert [(one.side, one.vp) for one in battle.state.proposals] == [("red", 1)]
    battle.do("correct", unit="r1", cost=7)
    battle.do("quadrants", units={"b1": "lower-left", "r1": "lower-left"})  # 7 against 7
    assert battle.state.proposals == ()
    battle.do("correct", unit="r1", cost=2).do("quadrants", units={"r1": "lower-left"})  # 3, 2
    assert battle.state.proposals == ()  # nobody has 5 points


@pytest.mark.rule("TMG-MODE-HWS-5", "TMG-MODE-HWS-12", "TMG-RND-13")
def test_what_players_said_of_quadrants_counts_until_units_are_seen_elsewhere() -> None:
    battle = begun(("tmg-2021", "HWS"))
    spots = {"b1": (12.0, 12.0, NORTH), "r1": (36.0, 36.0, SOUTH)}
    rest = {name: (4.0 + 6 * at, 3.0, NORTH) for at, name in enumerate(("b2", "b3"))}
    rest |= {name: (30.0 + 6 * at, 45.0, SOUTH) for at, name in enumerate(("r2", "r3"))}
    seen(battle, spots | rest)
    battle.finish_round().do("continue")
    battle.do("quadrants", units={"b1": "upper-left"})
    said = [(one.side, one.why) for one in battle.state.proposals]
    assert said == [("blue", "upper-left quadrant")]
    seen(battle, {**spots, "b1": (12.5, 12.0, NORTH)} | rest)  # the same quadrants as before
    assert [(one.side, one.why) for one in battle.state.proposals] == said
    seen(battle, {**spots, "b1": (36.0, 12.0, NORTH)} | rest)
    places = {(one.side, one.why) for one in battle.state.proposals}
    assert places == {
        ("blue", "lower-left quadrant"),
        ("blue", "lower-right quadrant"),
        ("red", "upper-right quadrant"),
    }


@pytest.mark.rule("OR-29", "TMG-OBJ-2", "TMG-OBJ-1", edition="2021")
def test_the_move_of_another_unit_gives_nobody_his_token_back() -> None:
    battle = battle_of("GOT", readings=["control_back=new-claim"])
    battle.do("objective", token="o1", unit="b1").do("wounds", unit="b1", wounds=4)
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("engage", unit="b1", **{"with": []})
    assert battle.token("o1").lost == "b1"
    battle.do("activate", unit="b2").do("action", action="maneuver").do("end-turn")
    assert battle.token("o1").lost == "b1"
    battle.forgo("r1").do("activate", unit="b1").do("action", action="maneuver")
    assert battle.token("o1").lost == ""


@pytest.mark.rule("TMG-OBJ-1", "TMG-OBJ-4", edition="2021")
def test_a_token_that_cannot_be_judged_stays_with_its_holder() -> None:
    key = ("tmg-2021", "GOT")
    battle = begun(key)
    tokens = tokens_of(key, battle)
    token = tokens[1]
    seen(battle, {"b2": (token.x, token.y, NORTH)}, tokens=tokens)
    assert battle.token(token.id).holder == "b2"
    edge = (token.x, token.y - DEEP / 2 + token.radius, NORTH)
    seen(battle, {"b2": edge}, tokens=tokens, sigma=BLUR)
    assert battle.token(token.id).holder == "b2"
    away = (token.x, token.y - DEEP / 2 - token.radius, NORTH)
    seen(battle, {"b2": away}, tokens=tokens, sigma=BLUR)
    assert battle.token(token.id).holder == ""


@pytest.mark.rule("TMG-MODE-SOS-16")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_correction_of_a_wall_gives_points_only_for_its_fall(year: str) -> None:
    battle = battle_of("SOS", year, defender="red", wall_wounds=5)
    battle.do("score", side="blue", vp=7)
    for wounds, points in ((2, 7), (5, 12), (4, 7), (0, 7), (5, 12)):
        battle.do("correct", unit="wall1", wounds=wounds)
        assert battle.vp() == (points, 0)
    battle.do("correct", unit="wall1", activated=True)
    assert battle.vp() == (12, 0)


# -- zones ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-HAR-10", "TMG-MODE-DWW-7")
@pytest.mark.parametrize(
    ("mode", "word", "rule"),
    [
        ("GOT", "hits", "TMG-MODE-HAR-10"),
        ("GOT", "mission", "TMG-MODE-DWW-7"),
        ("DWW", "hits", "TMG-MODE-HAR-10"),
        ("HAR", "mission", "TMG-MODE-DWW-7"),
    ],
)
def test_a_zone_is_replaced_only_in_the_modes_that_say_so(mode: str, word: str, rule: str) -> None:
    battle = battle_of(mode).do("objective", token="o2", unit="r1")
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    battle.refused(rule, "zone-effect", instead=word, unit="r1")


@pytest.mark.rule("TMG-MODE-COK-4", edition="2021")
def test_each_player_chooses_two_of_the_five_cards() -> None:
    battle = Battle("COK").do("continue")
    assert battle.waits() == ["cards-chosen"]
    battle.refused("TMG-MODE-COK-4", "choose-card", player="blue", card="6")  # the first player
    for player, card in (("red", "6"), ("blue", "7"), ("red", "8"), ("blue", "9")):
        assert battle.state.step == "cards-chosen"
        battle.do("choose-card", player=player, card=card)
    assert battle.state.step == "deploy"
    assert battle.player("red").cards == ("6", "8")
    assert battle.player("blue").cards == ("7", "9")


@pytest.mark.rule("TMG-MODE-COK-7", edition="2021")
def test_the_first_player_redeploys_his_commander_first() -> None:
    battle = battle_of("COK")
    battle.do("wounds", unit="b1", wounds=12, by="red").do(
        "wounds", unit="r1", wounds=12, by="blue"
    )
    battle.round_over()
    assert battle.state.first == "red"  # TMG-RND-22
    prompt = PLAY.pending(battle.state)[0]
    assert (prompt.what, prompt.side) == ("redeploy", "red")
    assert "red decides first" in battle.refused("TMG-MODE-COK-7", "redeploy", unit="b1")
    battle.do("redeploy", unit="r1")
    assert PLAY.pending(battle.state)[0].side == "blue"
    battle.do("redeploy", unit="b1")
    assert {battle.unit(name).place for name in ("b1", "r1")} == {"field"}
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-MODE-SOS-6")
@pytest.mark.parametrize("year", EDITIONS)
def test_walls_that_hold_for_six_rounds_win_for_the_defender(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").do("score", side="blue", vp=9)
    for number in range(1, 7):
        assert (battle.state.round, battle.state.winner) == (number, "")
        battle.round_over()
    assert battle.state.winner == "red"
    assert "6 rounds" in battle.view()["how"]


# -- terrain ----------------------------------------------------------------------------------


def placing_terrain() -> Battle:
    battle = Battle(ready=False, first=None)
    while battle.state.step != "terrain":
        battle.do("continue")
    return battle.do("roll-off", dice={"blue": 5, "red": 2})


@pytest.mark.rule("TMG-SET-7", "TMG-SET-9")
def test_a_piece_that_is_placed_has_a_name() -> None:
    battle = placing_terrain()
    battle.refused("TMG-SET-7", "terrain")
    battle.refused("TMG-SET-7", "terrain", side="blue")
    battle.do("terrain", piece="forest")
    battle.refused("TMG-SET-7", "terrain", piece="forest", side="blue")  # they alternate
    assert battle.state.pieces == ("forest",)


@pytest.mark.rule("TMG-SET-11", "EX-61", edition="2021")
@pytest.mark.parametrize(
    ("total", "piece"),
    [
        (2, "corpse-pile"),
        (3, "corpse-pile"),
        (4, "bog"),
        (5, "palisade"),
        (6, "hedge"),
        (8, "low-wall"),
        (9, "stakes"),
        (10, "forest"),
        (11, "weirwood"),
        (12, "weirwood"),
    ],
)
def test_two_dice_choose_a_random_piece(total: int, piece: str) -> None:
    low = max(1, total - 6)
    battle = placing_terrain().do("terrain", random=True, d3=1, faces=[low, total - low])
    assert battle.state.pieces == (piece,)


@pytest.mark.rule("TMG-SET-11", "EX-61", edition="2021")
def test_a_seven_is_the_choice_of_the_player() -> None:
    battle = placing_terrain()
    battle.refused("TMG-SET-11", "terrain", random=True, d3=1, faces=[3, 4])
    battle.do("terrain", random=True, d3=1, faces=[3, 4], piece="bog")
    assert battle.state.pieces == ("bog",)


# -- tests of morale ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-PAN-3", "TMG-PAN-4", "TMG-PAN-5")
@pytest.mark.parametrize(("d3", "extra", "wounds"), [(1, 0, 1), (3, 0, 3), (1, -1, 0), (2, -1, 1)])
def test_a_failed_panic_test_costs_the_d3_and_what_an_effect_adds(
    d3: int, extra: int, wounds: int
) -> None:
    battle = Battle().deployed().do("test", unit="b1", why="fear", extra=extra)
    battle.do("panic", faces=[1, 3], d3=d3, keep=True)  # 4 against Morale 6+
    assert battle.unit("b1").wounds == wounds
    battle.do("test", unit="b1", why="fear", extra=extra).do(
        "panic", faces=[5, 1], d3=d3, keep=True
    )
    assert battle.unit("b1").wounds == wounds


@pytest.mark.rule("TMG-ATK-15", "TMG-ATK-16", "EX-40")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_test_that_needs_no_roll_costs_no_wound(year: str) -> None:
    battle = battle_of("GOT", year).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1")
    battle.do("attack-result", wounds=0)
    (over,) = [event.data for event in battle.log if event.type == "test-over"]
    assert (over["unit"], over["passed"], over["wounds"]) == ("r1", True, 0)
    assert battle.unit("r1").wounds == 0
    assert not battle.state.trials


@pytest.mark.rule("TMG-VIC-8", "TMG-PAN-7")
def test_a_side_whose_effect_makes_a_unit_flee_gains_its_point() -> None:
    battle = Battle().deployed().do("wounds", unit="r1", wounds=11)
    with pytest.raises(CompanionError, match="green"):
        PLAY.decide(battle.state, {"do": "test", "unit": "r1", "why": "fear", "by": "green"})
    battle.do("test", unit="r1", why="fear", by="blue").do("panic", faces=[1, 1], d3=3, keep=True)
    assert battle.unit("r1").place == "destroyed"
    assert battle.vp() == (1, 0)


@pytest.mark.rule("TMG-ARM-9")
@pytest.mark.parametrize(("character", "rule"), [(True, "TMG-ARM-9"), (False, "")])
def test_a_written_character_is_taken_once(character: bool, rule: str) -> None:
    lord = {"name": "Lord Nobody", "cost": 4, "character": character}
    armies = [{**STARK, "ncus": [lord, lord]}, LANNISTER]
    found = PLAY.prepare("tmg-2021", {"do": "set-up", "mode": "GOT", "armies": armies})
    assert (found.why if isinstance(found, Refusal) else "") == rule


@pytest.mark.rule("TMG-ARM-3", "TMG-CARD-11")
def test_cards_may_be_given_by_their_names_alone() -> None:
    army = {"side": "blue", "faction": "stark", "units": ["Stark Bowmen"]}
    army |= {"ncus": ["Sansa Stark, Little Bird"], "commander": "Stark Bowmen"}
    foe = {**LANNISTER, "units": [*LANNISTER["units"]]}
    found = PLAY.prepare("tmg-2021", {"do": "set-up", "mode": "GOT", "armies": [army, foe]})
    assert not isinstance(found, Refusal), found
    state = PLAY.start("tmg-2021", found)
    facts = army_catalogue("tmg-2021")
    (bowmen,), (sansa,) = (
        facts.units.named("Stark Bowmen"),
        facts.ncus.named("Sansa Stark, Little Bird"),
    )
    assert (state.unit("b1").cost, state.ncu("bn1").cost) == (bowmen.cost, sansa.cost)
    assert sansa.cost


@pytest.mark.rule("TMG-MODE-SOS-21", "TMG-MODE-SOS-15")
@pytest.mark.parametrize("year", EDITIONS)
def test_nothing_changes_the_tests_that_a_wall_never_takes(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").do("engage", unit="b1", **{"with": ["wall1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="wall1")
    for what in ("panic", "panic-wounds"):
        battle.refused("TMG-MODE-SOS-21", "modify", what=what, value=-1, name="fear")
    battle.do("modify", what="dice", value=1, name="fury")
    battle.refused("TMG-MODE-SOS-21", "test", unit="wall1", why="fear")


# -- wounds -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-WND-1", "TMG-WND-7", "EX-42")
def test_wounds_of_models_are_never_set_below_what_a_unit_has_taken() -> None:
    battle = Battle().deployed().do("correct", unit="b3", wounds_per_model=3)
    battle.do("wounds", unit="b3", wounds=4)
    assert battle.unit("b3").models == 3
    battle.do("correct", unit="b3", wounds_per_model=1)  # 4 models, 4 wounds: destroyed
    assert battle.unit("b3").place == "destroyed"
    battle.do("wounds", unit="b2", wounds=5).do("correct", unit="b2", wounds_per_model=2)
    battle.do("wounds", unit="b2", wounds=9)  # 14 of 24
    battle.refused("INPUT", "correct", unit="b2", wounds_per_model=1)
    assert battle.unit("b2").models == 5


@pytest.mark.rule("TMG-UNT-10", "TMG-UNT-11", "TMG-RNK-8", "EX-1")
def test_the_report_tells_what_is_left_of_every_unit() -> None:
    def fates(battle: Battle) -> dict[str, tuple[str, bool]]:
        members = [one for army in PLAY.armies(battle.state) for one in army.members]
        return {one.name: (str(one.fate), one.lost) for one in members}

    battle = battle_of("COK", "2018").do("wounds", unit="b1", wounds=3)
    found = fates(battle.do("wounds", unit="r1", wounds=12))
    assert found["Stark Sworn Swords"] == ("9 of 12 models", False)
    assert found["Stark Bowmen"] == ("12 of 12 models", False)
    assert found["Stark Outriders"] == ("in reserve", False)
    assert found["Lannister Crossbowmen"] == ("in reserve", False)  # TMG-MODE-COK-16
    wolf = {"name": "Wolf", "cost": 3, "tray": "solo", "wounds_per_model": 5}
    army = {**STARK, "units": [*STARK["units"], wolf]}
    battle = battle_of("GOT", armies=[army, LANNISTER]).do("wounds", unit="b4", wounds=2)
    found = fates(battle.do("wounds", unit="r1", wounds=12))
    assert found["Wolf"] == ("3 of 5 wounds left", False)
    assert found["Lannister Crossbowmen"] == ("destroyed", True)


# -- triggers ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6", "TMG-GLO-21")
def test_every_volley_of_hits_is_an_occurrence_of_its_own() -> None:
    struck = "when a friendly unit is hit"
    battle = Battle().deployed().do("activate", unit="b1")
    for number in range(2):
        battle.do("hits", unit="r1", hits=1, why="fire")
        hand = battle.player("red").hand
        battle.do("play", player="red", card=hand[0], trigger=struck)
        battle.refused("TMG-TIM-1", "play", player="red", card=hand[1], trigger=struck)
        battle.do("roll", faces=[6], keep=True)
        assert len(battle.player("red").hand) == 2 - number


@pytest.mark.rule("TMG-ORD-1")
def test_a_colon_in_the_name_of_an_order_belongs_to_the_name() -> None:
    unit = {"name": "Guards", "cost": 5, "abilities": ["Order: Stand: Fast", "Order: Ride: Fast"]}
    battle = Battle(armies=[{**STARK, "units": [unit]}, LANNISTER]).deployed()
    battle.do("order", unit="b1", order="Stand: Fast")
    battle.refused("TMG-ORD-1", "order", unit="b1", order="stand fast")
    battle.do("order", unit="b1", order="Ride: Fast")
    assert len(battle.unit("b1").orders) == 2


# -- what is not an action --------------------------------------------------------------------


@pytest.mark.rule("TMG-BON-1", "TMG-ACT-3", "TMG-ACT-4")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_attack_without_a_charge_has_no_charge_bonus_and_ends_the_activation(year: str) -> None:
    battle = battle_of("GOT", year).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1")
    attack = battle.state.attack
    assert attack is not None
    assert not attack.bonus
    assert not attack.charge
    battle.fight(0).do("end-turn")
    assert battle.unit("b1").activated
    battle.do("free-action", unit="b1", action="attack", target="r1").fight(0)
    assert battle.waits() == ["turn-start"]
    assert not battle.unit("r1").activated
