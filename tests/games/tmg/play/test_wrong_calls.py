"""Calls that a referee with the rulebook found wrong, each as the two players gave it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from models import Table
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")


def nameless(battle: Battle) -> Battle:
    """The same table as a camera without cards gives it: ids, sides, trays and places only."""
    table = Table.parse(battle.state.table).to_json()
    keys = ("id", "side", "tray", "x", "y", "heading")
    units = [{key: unit[key] for key in keys} for unit in table["units"]]
    return battle.do("table", table={**table, "units": units})


# -- what a unit is comes from the game, where it stands from the table ---------------------------


@pytest.mark.rule("TMG-RNG-3", "TMG-RNG-7")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_table_without_card_names_leaves_a_unit_its_shots(year: str) -> None:
    battle = battle_of("GOT", year)
    seen(battle, {"b2": (24, 20, NORTH), "r1": (24, 32, SOUTH)})
    nameless(battle).do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=True)
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-TER-19")
def test_a_table_without_card_names_leaves_a_unit_its_melee_attack_on_a_wall() -> None:
    battle = battle_of("GOT")
    wall = slab(battle.game, "low-wall", (22, 20 + DEEP / 2 + 0.6, 26, 24))
    seen(battle, {"b1": (24, 20, NORTH)}, (wall,))
    nameless(battle).do("activate", unit="b1").do("action", action="attack", piece="low-wall")
    assert battle.state.broken == ("low-wall",)


@pytest.mark.rule("TMG-TER-19")
def test_a_wall_just_beyond_an_inch_is_not_attacked() -> None:
    battle = battle_of("GOT")
    wall = slab(battle.game, "low-wall", (22, 20 + DEEP / 2 + 1.001, 26, 24))
    seen(battle, {"b1": (24, 20, NORTH)}, (wall,)).do("activate", unit="b1")
    battle.refused("TMG-TER-19", "action", action="attack", piece="low-wall")


@pytest.mark.rule("TMG-CARD-1", "TMG-CHG-4")
def test_a_table_without_card_names_leaves_a_unit_its_speed_and_its_name() -> None:
    battle = battle_of("GOT")
    nameless(seen(battle, {"b3": (24, 20, NORTH)}))
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    shown, unit = table.unit("b3"), battle.unit("b3")
    assert (shown.name, shown.speed, shown.attacks) == (unit.name, unit.speed, unit.attacks)
    assert (shown.defense, shown.models) == (unit.defense, unit.models)


# -- attack dice are counted when they are rolled --------------------------------------------------


def attacking(year: str = "2021", first: str = "blue", **fields: Any) -> Battle:
    """The Sworn Swords (b1) have declared their attack on the Halberdiers (r2) in contact."""
    battle = Battle("GOT", year, first=first).deployed()
    battle.do("engage", unit="b1", **{"with": ["r2"]}).do("activate", unit="b1")
    return battle.do("action", action="attack", target="r2", **fields)


@pytest.mark.rule("TMG-ATK-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_ranks_lost_before_the_roll_cost_dice(year: str) -> None:
    battle = attacking(year)
    all_ranks, one_lost = battle.unit("b1").attacks[0].dice[:2]
    assert battle.view()["attack"]["dice"] == all_ranks
    battle.do("wounds", unit="b1", wounds=4)
    assert battle.view()["attack"]["dice"] == one_lost
    assert PLAY.pending(battle.state)[0].data["dice"] == one_lost
    battle.refused("TMG-ATK-1", "roll", faces=[4] * all_ranks)
    battle.do("roll", faces=[4] * one_lost)
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ATK-1", "TMG-PAN-4")
def test_a_failed_panic_test_before_the_roll_costs_dice() -> None:
    battle = attacking().do("wounds", unit="b1", wounds=2)
    battle.do("test", unit="b1", why="Horrifying sight")
    battle.do("panic", faces=[1, 1], d3=3, keep=True)
    assert battle.unit("b1").ranks == 2
    assert battle.view()["attack"]["dice"] == battle.unit("b1").attacks[0].dice[1]


@pytest.mark.rule("TMG-ATK-1", "TMG-DIC-4")
def test_what_effects_add_stays_and_healing_before_the_roll_gives_dice_back() -> None:
    battle = attacking().do("modify", what="dice", name="Banner", value=2)
    all_ranks, one_lost = battle.unit("b1").attacks[0].dice[:2]
    battle.do("wounds", unit="b1", wounds=5)
    assert battle.view()["attack"]["dice"] == one_lost + 2
    battle.do("modify", what="highest", name="Drums")
    assert battle.view()["attack"]["dice"] == all_ranks + 2
    battle.do("wounds", unit="b1", wounds=4)
    assert battle.view()["attack"]["dice"] == all_ranks + 2


@pytest.mark.rule("TMG-ATK-1")
def test_ranks_lost_after_the_roll_change_nothing() -> None:
    battle = attacking()
    dice = battle.view()["attack"]["dice"]
    battle.do("roll", faces=[6] * dice).do("wounds", unit="b1", wounds=4).do("continue")
    assert battle.view()["attack"]["hits"] == dice


# -- effects of a completed attack ----------------------------------------------------------------


def completed(**fields: Any) -> Battle:
    """The attack of b1 on r2 is completed: its effects may be used now."""
    battle = attacking(**fields).do("attack-result", wounds=2)
    battle.do("panic", faces=[6, 6], keep=True)
    assert battle.waits() == ["attack-completed"]
    return battle


@pytest.mark.rule("TMG-ATK-17", "TMG-TIM-6", "TMG-GLO-21", "TMG-GLO-22")
def test_automatic_hits_on_the_attacker_when_the_attack_is_completed() -> None:
    battle = completed().do("hits", unit="b1", hits=3, by="red", why="Counterstrike")
    assert PLAY.pending(battle.state)[0].data["dice"] == 3
    battle.do("roll", faces=[1, 1, 6], keep=True)
    assert battle.unit("b1").wounds == 2
    assert battle.waits() == ["attack-completed"]
    battle.do("continue")
    assert battle.waits() == ["end-of-turn"]
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ATK-17", "TMG-SRG-2", "TMG-SRG-3")
def test_who_dies_of_the_hits_after_its_attack_does_not_surge() -> None:
    battle = attacking().do("wounds", unit="b1", wounds=11).do("attack-result", wounds=12)
    assert battle.waits() == ["attack-completed"]
    battle.do("hits", unit="b1", hits=1, by="red", why="Counterstrike")
    battle.do("roll", faces=[1], keep=True)
    assert battle.unit("b1").place == "destroyed"
    battle.do("continue")
    assert "surge" not in battle.waits()


@pytest.mark.rule("TMG-ATK-17", "TMG-SRG-1", "TMG-SRG-3")
def test_the_surge_comes_after_the_hits() -> None:
    battle = attacking().do("attack-result", wounds=12)
    battle.do("hits", unit="b1", hits=1, by="red", why="Counterstrike")
    assert battle.waits() == ["defense-dice"]
    battle.do("roll", faces=[6], keep=True).do("continue")
    assert battle.waits() == ["surge"]


@pytest.mark.rule("TMG-TIM-6")
def test_automatic_hits_still_wait_for_an_attack_that_runs() -> None:
    attacking().refused("TMG-TIM-6", "hits", unit="b1", hits=3)


@pytest.mark.rule("TMG-ACT-4", "TMG-ATK-17")
def test_a_free_action_of_an_effect_after_the_attack() -> None:
    battle = completed().do("free-action", unit="r2", action="attack", target="b1")
    assert battle.state.attack is not None
    assert battle.state.attack.attacker == "r2"
    battle.do("attack-result", wounds=0).do("continue")
    assert battle.waits() == ["attack-completed"]
    battle.do("continue")
    assert battle.waits() == ["end-of-turn"]


# -- who rerolls first ----------------------------------------------------------------------------


def charged(year: str = "2021") -> Battle:
    """b1, Weakened, has charged r1 and rolled: charge bonus for blue, the token for red."""
    battle = Battle("GOT", year).deployed().do("token", unit="b1", token="weakened")
    battle.do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", success=True, zone="front", faces=[4])
    return battle.do("roll", faces=[1, 2, *[6] * (battle.view()["attack"]["dice"] - 2)])


def rerolls(battle: Battle) -> list[tuple[str, str]]:
    return [(one["side"], one["because"]) for one in PLAY.pending(battle.state)[0].data["rerolls"]]


@pytest.mark.rule("TMG-RER-2")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_opponent_rerolls_when_the_active_player_is_done(year: str) -> None:
    battle = charged(year)
    assert PLAY.pending(battle.state)[0].data["may_reroll"] == ["blue", "red"]
    assert set(rerolls(battle)) == {("blue", "charge bonus")}
    battle.refused("TMG-RER-2", "reroll", side="red", because="weakened")
    battle.do("reroll", side="blue", because="charge bonus", places=[0, 1], faces=[6, 6])
    assert PLAY.pending(battle.state)[0].data["may_reroll"] == ["red"]
    battle.do("reroll", side="red", because="weakened")
    assert PLAY.pending(battle.state)[0].data["may_reroll"] == []


@pytest.mark.rule("TMG-RER-2", "TMG-TIM-5")
def test_who_lets_the_dice_lie_does_not_reroll_after_the_opponent() -> None:
    battle = charged().do("continue", side="blue")
    assert battle.waits() == ["attack-rerolls"]
    assert rerolls(battle) == [("red", "weakened")]
    battle.refused("TMG-RER-2", "reroll", side="blue", because="charge bonus", places=[0])
    battle.do("reroll", side="red", because="weakened", faces=[1] * 7)
    battle.refused("TMG-RER-2", "reroll", side="blue", because="a card", places=[0])
    battle.do("continue", side="red")
    assert battle.state.attack is not None
    assert battle.state.attack.stage == "panic" or battle.state.attack.hits == 0


@pytest.mark.rule("TMG-RER-2")
def test_an_active_player_whom_nobody_asked_may_still_reroll_by_a_card() -> None:
    battle = attacking().do("roll", faces=[6] * 7)
    battle.do("reroll", side="red", because="a card", places=[0], faces=[1])
    battle.do("reroll", side="blue", because="a card", places=[0], faces=[6])
    battle.do("continue")
    assert battle.view()["attack"]["hits"] == 7


@pytest.mark.rule("TMG-RER-2", "TMG-CON-5")
def test_the_rerolls_of_a_test_keep_the_same_order() -> None:
    battle = Battle().deployed().do("token", unit="b1", token="panicked")
    battle.do("test", unit="b1", why="a card").do("panic", faces=[6, 6], d3=1)
    assert PLAY.pending(battle.state)[0].data["may_reroll"] == ["red"]
    battle.do("continue", side="blue")
    assert [trial.roll.done for trial in battle.state.trials if trial.roll] == [("blue",)]
    battle.do("continue", side="red")
    assert not battle.state.trials


# -- a unit may turn to its one enemy -------------------------------------------------------------


def options(battle: Battle, **like: Any) -> list[dict[str, Any]]:
    """The options of the first prompt that have these values."""
    every = PLAY.options(battle.state)[0]["options"]
    return [one for one in every if all(one.get(key) == value for key, value in like.items())]


def flanked() -> Battle:
    """r2 has charged the flank of b1 on the table and fought; it is blue's turn again."""
    battle = battle_of("GOT", first="red")
    seen(battle, {"b1": (24, 24, NORTH), "r2": (24 - 5.5 / 2 - DEEP / 2, 24, 0.0)})
    battle.do("activate", unit="r2").do("action", action="attack", target="b1").fight(0)
    assert battle.state.arc("r2", "b1") == "flank"
    return battle.do("end-turn").do("activate", unit="b1")


@pytest.mark.rule("TMG-MEL-3", "EX-27")
def test_turning_to_the_one_enemy_is_offered() -> None:
    battle = flanked()
    found = options(battle, do="action", action="attack", target="r2", ranged=False)
    assert [one["turned"] for one in found] == [True, False]


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-4")
def test_turning_is_not_offered_to_a_unit_with_its_enemy_before_it_or_with_two() -> None:
    battle = attacking()
    assert "turned" not in battle.log[-1].data
    battle = battle_of("GOT")
    spots = {
        "b1": (24, 24, NORTH),
        "r2": (24 - 5.5 / 2 - DEEP / 2, 24, 0.0),
        "r1": (24, 24 + DEEP, SOUTH),
    }
    seen(battle, spots).do("activate", unit="b1")
    assert not options(battle, do="action", action="attack", turned=True)
    battle.refused("TMG-MEL-4", "action", action="attack", target="r2", turned=True)


@pytest.mark.rule("TMG-MEL-3", "TMG-BON-3")
@pytest.mark.parametrize(
    ("said", "zone"), [({"turned": True}, "front"), ({"turned": False}, "flank"), ({}, None)]
)
def test_the_flank_of_a_unit_that_may_have_turned_is_asked_about(
    said: dict[str, bool], zone: str | None
) -> None:
    battle = flanked().do("action", action="attack", target="r2", **said).fight(0)
    battle.do("end-turn")
    back = {"unit": "r2", "action": "attack", "target": "b1"}
    if zone is None:
        assert "may have turned" in battle.refused("TMG-MEL-3", "free-action", **back)
        zone, back = "rear", {**back, "zone": "rear"}
    battle.do("free-action", **back)
    assert battle.state.attack is not None
    assert battle.state.attack.zone == zone


@pytest.mark.rule("TMG-MEL-3")
def test_without_a_table_the_arc_of_the_last_melee_tells_who_may_turn() -> None:
    battle = Battle(first="red").deployed().do("engage", unit="r2", **{"with": ["b1"]})
    battle.do("activate", unit="r2")
    battle.do("action", action="attack", target="b1", zone="flank").fight(0)
    battle.do("end-turn").do("activate", unit="b1")
    assert options(battle, do="action", action="attack", target="r2", turned=True)
    battle.do("action", action="attack", target="r2").fight(0)
    battle.do("end-turn").refused(
        "TMG-MEL-3", "free-action", unit="r2", action="attack", target="b1"
    )


# -- asked where nobody can measure it ------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-6")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_charge_without_a_table_asks_for_the_zone(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("activate", unit="b1")
    battle.refused("TMG-CHG-6", "action", action="charge", target="r1", distance=6, faces=[6])
    found = options(battle, do="action", action="charge", target="r1")
    assert [one["zone"] for one in found] == ["front", "flank", "rear"]
    battle.do("action", action="charge", target="r1", distance=6, faces=[6], zone="rear")
    assert battle.state.attack is not None
    assert battle.state.attack.zone == "rear"


def holder_destroyed() -> Battle:
    """2018, without a table: r2 destroys b1, which holds o1, in melee."""
    battle = Battle("GOT", "2018", first="red").deployed()
    battle.do("objective", token="o1", unit="b1").do("engage", unit="r2", **{"with": ["b1"]})
    battle.do("activate", unit="r2").do("action", action="attack", target="b1")
    return battle.do("attack-result", wounds=12)


@pytest.mark.rule("TMG-MODE-GOT-9")
@pytest.mark.parametrize(("touches", "holder"), [(True, "r2"), (False, "")])
def test_whether_the_destroyer_of_a_holder_touches_the_token_is_asked(
    touches: bool, holder: str
) -> None:
    battle = holder_destroyed()
    assert battle.token("o1").holder == ""
    assert "inherit-token" in battle.waits()
    prompt = next(one for one in PLAY.pending(battle.state) if one.what == "inherit-token")
    assert (prompt.data["unit"], prompt.data["token"]) == ("r2", "o1")
    answer = {"unit": "r2"} if touches else {"skip": True}
    battle.do("place", task=prompt.data["task"], **answer)
    assert battle.token("o1").holder == holder
    assert "inherit-token" not in battle.waits()


@pytest.mark.rule("TMG-MODE-GOT-9")
def test_only_the_destroyer_may_claim_the_token() -> None:
    battle = holder_destroyed()
    task = next(one for one in battle.state.tasks if one.kind == "inherit-token")
    battle.refused("TMG-MODE-GOT-9", "place", task=task.id, unit="r1")


# -- readings that players may switch -------------------------------------------------------------


@pytest.mark.rule("OR-30", "TMG-VIC-2")
@pytest.mark.parametrize(("reading", "winner"), [("more", "blue"), ("nobody", "")])
def test_nine_to_eight_at_a_goal_of_eight(reading: str, winner: str) -> None:
    battle = Battle("GOT", points=30, unchecked=True, readings=[f"OR-30={reading}"]).deployed()
    battle.do("score", side="blue", vp=9, why="told").do("score", side="red", vp=8, why="told")
    battle.round_over()
    assert battle.state.winner == winner


@pytest.mark.rule("TMG-VIC-7")
@pytest.mark.parametrize("mode", ["COK", "HWS"])
@pytest.mark.parametrize(
    ("reading", "asked", "winner"),
    [("ask", True, ""), ("out", False, "blue"), ("stays", False, "")],
)
def test_the_last_unit_where_units_return(
    mode: str, reading: str, asked: bool, winner: str
) -> None:
    battle = battle_of(mode, readings=[f"last_unit={reading}"])
    for unit in ("r1", "r2", "r3"):
        battle.do("wounds", unit=unit, wounds=100, by="blue")
    assert ("elimination" in battle.waits()) is asked
    assert battle.state.winner == winner


@pytest.mark.rule("TMG-CHG-24", "TMG-ACT-4")
@pytest.mark.parametrize(("reading", "acts"), [("acts", True), ("ends", False)])
def test_acting_after_a_failed_free_charge(reading: str, acts: bool) -> None:
    battle = Battle(readings=[f"failed_free_charge={reading}"]).deployed()
    battle.do("activate", unit="b1")
    facts = {"unit": "b1", "action": "charge", "target": "r1", "zone": "front"}
    battle.do("free-action", **facts, distance=9, faces=[2])
    battle.do("panic", faces=[6, 6], keep=True)
    assert battle.waits() == (["action"] if acts else ["end-of-turn"])
    assert battle.unit("b1").activated is not acts


@pytest.mark.rule("TMG-CHG-24", "TMG-ACT-4")
def test_a_failed_free_charge_outside_its_activation_ends_nobodys() -> None:
    battle = Battle(readings=["failed_free_charge=ends"]).deployed().do("activate", unit="b2")
    facts = {"unit": "b1", "action": "charge", "target": "r1", "zone": "front"}
    battle.do("free-action", **facts, distance=9, faces=[2])
    battle.do("panic", faces=[6, 6], keep=True)
    assert battle.waits() == ["action"]


# -- numbers and moments ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-PAN-4")
@pytest.mark.parametrize("extra", [1, 2, -1, -5])
def test_the_mean_of_a_panic_test_counts_what_effects_add_and_what_is_left(extra: int) -> None:
    """Counted by hand: 15 of 36 throws of 2D6 stay below 7, each third of a D3 is 1, 2 or 3."""
    battle = battle_of("GOT")
    morale = battle.state.unit("r1").morale
    assert morale is not None
    fails = sum(one + two < morale for one in range(1, 7) for two in range(1, 7)) / 36
    battle.do("test", unit="r1", kind="panic", why="a cry", extra=extra)
    told = battle.view()["panic"][0]["mean_wounds"]
    assert told == pytest.approx(fails * sum(max(0, d3 + extra) for d3 in (1, 2, 3)) / 3, abs=1e-4)
    battle.do("wounds", unit="r1", wounds=battle.state.unit("r1").wounds_left - 1)
    told = battle.view()["panic"][0]["mean_wounds"]
    assert told == pytest.approx(
        fails * sum(min(1, max(0, d3 + extra)) for d3 in (1, 2, 3)) / 3, abs=1e-4
    )


@pytest.mark.rule("TMG-RND-20")
def test_a_card_that_is_played_counts_toward_the_limit_of_the_hand() -> None:
    battle = battle_of("GOT")
    battle.do("draw", player="blue", count=3)
    hand = battle.state.player("blue").hand
    assert len(hand) == 6
    assert battle.waits() == ["hand"]
    battle.do("play", player="blue", card=hand[0])
    assert len(battle.state.player("blue").hand) == 5
    assert "hand" not in battle.waits()


@pytest.mark.rule("TMG-MODE-HAR-8", "TMG-MODE-HAR-9")
@pytest.mark.parametrize("vp", [0, 1])
def test_a_castle_wall_strikes_only_where_points_are_scored(vp: int) -> None:
    """And its hits are no attack."""
    battle = battle_of("HAR").do("objective", token="o2", unit="b2").round_over()
    battle.finish_round().do("continue").do("score", offer=1, vp=vp).do("score", confirm=True)
    assert ("wall-hits" in battle.waits()) == bool(vp)
    if vp:
        battle.do("wall-hits", d3=1).do("attack-result", wounds=0)
        assert "the attack is over" not in battle.report()
        assert "the hits are over" in battle.report()


@pytest.mark.rule("TMG-VIC-7")
def test_who_is_out_is_told_so() -> None:
    armies = [STARK, LANNISTER, {**STARK, "side": "green"}]
    battle = Battle(armies=armies, shape="ffa", unchecked=True).deployed()
    assert "combat units" in battle.refused("TMG-VIC-7", "eliminate", side="green", out=True)
    battle.do("concede", side="green")
    assert battle.refused("TMG-VIC-7", "eliminate", side="green", out=True) == "green is out"


@pytest.mark.rule("TMG-ARM-5")
def test_whose_army_breaks_a_rule_is_told() -> None:
    lists = {
        "blue": "stark;10201,20201,10205,30201",
        "red": "lannister;10101,10106,30102",
    }
    armies = [{"side": side, "list": text} for side, text in lists.items()]
    command = {"do": "set-up", "mode": "GOT", "armies": armies, "points": 30}
    found = PLAY.prepare("tmg-2021", command)
    assert isinstance(found, Refusal)
    assert found.why == "TMG-ARM-5"
    assert found.say.startswith("red: ")
