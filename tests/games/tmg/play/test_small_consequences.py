"""What follows from a hit, a win or an answer: one consequence each, and nothing besides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.tmg.play import prompt_options
from companion.games.tmg.play.army.army_lists import read_list
from companion.games.tmg.play.names import game_names
from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.combat.dice import morale_chance
from models import Sigma, TableToken
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
WHEN = "when a friendly unit acts"


@pytest.mark.rule("TMG-MODE-SOS-16")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_wall_that_is_hit_and_stands_gives_no_points(year: str) -> None:
    battle = battle_of("SOS", year, defender="red", wall_wounds=5).do("activate", unit="b1")
    battle.do("action", action="charge", target="wall1", distance=6, faces=[6])
    battle.do("attack-result", wounds=4)
    assert battle.view()["walls"]["wall1"]["standing"] is True
    assert battle.vp() == (0, 0)


@pytest.mark.rule("TMG-RND-22", "TMG-FFA-5")
@pytest.mark.parametrize(("out", "following"), [("", "red"), ("red", "green"), ("green", "red")])
def test_the_first_player_token_passes_to_the_next_side_left(out: str, following: str) -> None:
    armies = [STARK, LANNISTER, {**STARK, "side": "green"}]
    battle = Battle(armies=armies, shape="ffa", unchecked=True).deployed()
    if out:
        battle.do("concede", side=out)
    battle.round_over()
    assert battle.state.first == following


@pytest.mark.rule("TMG-VIC-1")
@pytest.mark.parametrize("vp", [(10, 7), (7, 10)])
def test_the_winners_own_points_are_told(vp: tuple[int, int]) -> None:
    battle = Battle().deployed()
    for side, points in zip(("blue", "red"), vp, strict=True):
        battle.do("score", side=side, set=points, why="as it stands")
    battle.round_over()
    assert battle.state.how == "10 points, the goal is 10 (TMG-VIC-1)"


@pytest.mark.rule("TMG-TIM-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_trigger_used_in_an_action_is_open_again_in_the_next(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("activate", unit="b1")
    first, second, _ = battle.player("blue").hand
    battle.do("action", action="charge", zone="front", target="r1", faces=[3])
    assert battle.waits() == ["charge"]
    battle.do("play", player="blue", card=first, trigger=WHEN)
    battle.refused("TMG-TIM-1", "play", player="blue", card=second, trigger=WHEN)
    battle.do("charge-result", success=False).do("panic", faces=[6, 6], keep=True)
    battle.refused("TMG-TIM-1", "play", player="blue", card=second, trigger=WHEN)
    battle.do("free-action", unit="b2", action="maneuver")
    battle.do("play", player="blue", card=second, trigger=WHEN)


@pytest.mark.rule("TMG-TER-12", "TMG-PAN-7")
@pytest.mark.parametrize(("place", "left"), [(0, "b2"), (1, "b1")])
def test_the_question_of_that_number_is_answered(place: int, left: str) -> None:
    battle = battle_of("GOT")
    near = slab(battle.game, "weirwood", (10, 12.4 + 5.99, 40, 20))
    spots = {"b1": (17.0, 10.0, NORTH), "b2": (31.0, 10.0, NORTH)}
    seen(battle, spots, (near,), sigma=Sigma(0.3))
    battle.do("test", unit="b1", why="fear").do("test", unit="b2", why="fear")
    battle.do("ground", task=battle.state.tasks[place].id, holds=True)
    assert [task.unit for task in battle.state.tasks] == [left]
    battle.refused("TMG-TER-10", "ground", task=10**6, holds=True)


@pytest.mark.rule("TMG-UNT-1")
def test_the_longest_id_in_a_sentence_is_the_one_that_is_meant() -> None:
    one, two = battle_of("GOT").state.units[:2]
    units = (replace(one, id="b1"), replace(two, id="b1.5"))
    names = game_names(units, (), (), (), (), (), "")
    assert names.spelled("b1.5 attacks b1") == f"{two.name} attacks {one.name}"


@pytest.mark.rule("TMG-RND-6")
def test_a_command_with_too_many_forms_is_open_besides(monkeypatch: pytest.MonkeyPatch) -> None:
    state = battle_of("GOT").state
    (prompt,) = options(state, "blue")
    forms = [one for one in prompt["options"] if one["do"] == "activate"]
    assert len(forms) > 3
    assert "activate" not in prompt["open"]
    monkeypatch.setattr(prompt_options, "MOST", 3)
    (short,) = options(replace(state), "blue")
    assert [one for one in short["options"] if one["do"] == "activate"] == forms[:3]
    assert "activate" in short["open"]
    monkeypatch.setattr(prompt_options, "MOST", len(forms))
    (whole,) = options(replace(state), "blue")
    assert "activate" not in whole["open"]


@pytest.mark.rule("TMG-UNT-5")
def test_wounds_per_model_that_nobody_knows_count_as_one() -> None:
    small = {**STARK, "units": [{"card": "House Bolton Flayed Men"}]}
    battle = Battle("GOT", "2018", armies=[small, LANNISTER])
    unit = battle.unit("b1")
    assert "wounds" in unit.assumed
    assert (unit.per_model, unit.total) == (1, unit.full_models)


@pytest.mark.rule("TMG-UNT-5")
def test_a_set_up_from_before_numbers_were_assumed_is_read() -> None:
    unit = battle_of("GOT").unit("b1")
    facts = {**unit.facts(), "id": "b1"}
    del facts["assumed"]
    old = UnitState.of(facts, "blue", "blue")
    assert (old.id, old.assumed, old.total) == ("b1", (), unit.total)
    assert UnitState.of({**facts, "assumed": ["cost"]}, "blue", "blue").assumed == ("cost",)


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize(("wounds", "known"), [(1, True), (60, True), (0, False), (61, False)])
def test_wounds_in_a_list_have_their_limits(wounds: int, known: bool) -> None:
    text = f"Faction: Stark\n\nCombat Units:\n• Grey Wind (0) [{wounds} wounds]\n"
    army = read_list(text, "tmg-2018", 40)
    assert dict(army.wounds) == ({"grey-wind": wounds} if known else {})


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-13")
@pytest.mark.parametrize(("die", "far"), [(1, 6.0), (2, 7.0)])
def test_a_failed_charge_tells_where_it_ends(die: int, far: float) -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[die])
    assert battle.answer["move"]["travel"] == pytest.approx(far)
    assert any("stays there" in one for one in battle.answer["reminders"])


@pytest.mark.rule("TMG-MODE-DWW-7")
def test_only_a_reserve_mission_replaces_an_active_one() -> None:
    battle = battle_of("DWW").do("activate", unit="bn1").do("claim", zone="crown")
    first, second = battle.state.missions
    swap = {"instead": "mission", "out": first}
    battle.refused("TMG-MODE-DWW-7", "zone-effect", **swap)
    battle.refused("TMG-MODE-DWW-7", "zone-effect", **swap, into=second)
    assert battle.state.missions == (first, second)


@pytest.mark.rule("TMG-MOR-1")
def test_a_test_without_a_modifier_is_passed_as_often_as_its_morale_says() -> None:
    assert morale_chance(7) == morale_chance(7, 0) == pytest.approx(21 / 36)
    assert morale_chance(7, 1) == pytest.approx(26 / 36)


@pytest.mark.rule("TMG-MODE-DWD-7")
@pytest.mark.parametrize("carriers", [("b1", "r2"), ("r2", "b1")])
def test_of_two_carriers_on_a_token_that_of_the_first_token_is_named(
    carriers: tuple[str, str],
) -> None:
    battle = battle_of("DWD")
    for token, unit in zip(("o1", "o2"), carriers, strict=True):
        battle.do("objective", token=token, unit=unit)
    spots = {"b1": (24.0, 14.0, NORTH), "r2": (24.0, 20.0, SOUTH)}
    seen(battle, spots, tokens=(TableToken("o3", 24.0, 17.0, 0.7),))
    (task,) = battle.state.tasks
    assert (task.kind, task.other, task.unit) == ("token", "o3", carriers[0])
