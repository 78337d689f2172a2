"""The D3 of Dangerous ground and of castle walls: players with dice of their own are asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.games.api.play import Refusal
from companion.games.api.prompt import Choice
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from companion.session.session import Session
from tests.engine.turn.test_client import done
from tests.games.tmg.play.sighted import DEEP, SOUTH, seen
from tests.games.tmg.play.test_terrain_costs import HERE, stakes
from tests.games.tmg.screen.test_action_offers import after
from tests.games.tmg.screen.test_tray_moves import UNIT, begun
from tests.play.battle import Battle, battle_of


def on_stakes(engaged: bool = False) -> Battle:
    """B1 stands on Stakes, alone or in a melee."""
    battle = battle_of("GOT")
    spots = {"b1": HERE, **({"r1": (24.0, 10 + DEEP, SOUTH)} if engaged else {})}
    return seen(battle, spots, (stakes("2021", 8, 9),))


def rows(state: GameState, do: str) -> list[Choice]:
    found = (one for prompt in SCREEN.prompts(state) for one in prompt.choices)
    return [one for one in found if one.commands[0]["do"] == do]


def d3_of(choice: Choice) -> bool:
    """Whether the row asks for a D3."""
    asked = [] if choice.dice is None else [choice.dice, *choice.dice.extra]
    return any((one.field, one.sides, one.single) == ("d3", 3, True) for one in asked)


@pytest.mark.rule("TMG-TER-9", "TMG-ZON-4", "TMG-ZON-6")
def test_an_action_of_a_zone_asks_for_the_d3_of_the_ground() -> None:
    battle = on_stakes(engaged=True)
    for zone in ("combat", "maneuver"):
        state = after(
            battle.state, {"do": "activate", "unit": "bn1"}, {"do": "claim", "zone": zone}
        )
        acting = [one for one in rows(state, "zone-effect") if one.piece == "b1"]
        assert acting
        assert all(d3_of(one) for one in acting)
        others = [one for one in rows(state, "zone-effect") if one.piece not in ("b1", "")]
        assert not any(d3_of(one) for one in others)
        then = after(state, {**acting[0].commands[0], "d3": 3})
        assert then.unit("b1").wounds == 4


@pytest.mark.rule("TMG-TER-9", "TMG-TER-10", "TMG-ZON-4")
@pytest.mark.parametrize(
    ("left", "told"), [(2, "it is destroyed on any roll"), (4, "it may be destroyed"), (5, "")]
)
def test_a_unit_that_the_ground_may_destroy_is_offered_with_a_warning(left: int, told: str) -> None:
    battle = on_stakes(engaged=True)
    battle.do("wounds", unit="b1", wounds=battle.unit("b1").wounds_left - left)
    start = {"do": "activate", "unit": "bn1"}, {"do": "claim", "zone": "combat"}
    state = after(battle.state, *start)
    acting = [one for one in rows(state, "zone-effect") if one.piece == "b1"]
    assert acting
    for one in acting:
        assert ("Dangerous ground: 2 to 4 wounds" in one.detail) is bool(told)
        assert told in one.detail
    command = {**acting[0].commands[0], "d3": 1}
    decision = PLAY.decide(state, command)
    assert not isinstance(decision, Refusal)
    end = after(state, command)
    outcome = SCREEN.outcome(state, decision.events, end)
    assert outcome is not None
    assert "rolled 1, 2 wounds" in outcome.told, "the line says what destroyed it"


@pytest.mark.rule("TMG-TER-9", "TMG-ACT-5")
def test_a_free_action_asks_for_the_d3_of_the_ground() -> None:
    state = after(on_stakes().state, {"do": "grant", "unit": "b1"})
    report = GAME.report(current_table(state))
    offers = [one for one in SCREEN.offers(state, report, "b1") if one.kind == "maneuver"]
    assert [one.dice.field for one in offers if one.dice] == ["d3"]


@pytest.mark.rule("TMG-TER-9", "TMG-SRG-1")
def test_a_surge_asks_for_the_d3_of_the_ground() -> None:
    battle = on_stakes(engaged=True).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", d3=1)
    battle.do("attack-result", wounds=60)
    while battle.waits() != ["surge"]:
        battle.do("continue")
    yes, no = rows(battle.state, "surge")
    assert d3_of(yes)
    assert no.dice is None
    assert after(battle.state, {**yes.commands[0], "d3": 2}).unit("b1").wounds == 2 + 3


@pytest.mark.rule("TMG-MODE-HAR-8")
def test_the_castle_wall_asks_for_its_d3() -> None:
    battle = battle_of("HAR").do("objective", token="o2", unit="b2")
    while battle.waits() != ["wall-hits"]:
        battle.round_over()
    (row,) = rows(battle.state, "wall-hits")
    assert d3_of(row)
    then = after(battle.state, {**row.commands[0], "d3": 2})
    assert then.attack is not None
    assert then.attack.hits == 4


@pytest.mark.rule("TMG-MODE-HAR-10")
def test_hits_in_place_of_a_zone_ask_for_their_d3() -> None:
    battle = battle_of("HAR").do("objective", token="o2", unit="r2")
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    found = [one for one in rows(battle.state, "zone-effect") if one.commands[0].get("instead")]
    assert found
    assert all(d3_of(one) for one in found)
    assert {str(one.detail) for one in found} == {"D3 + 2 hits of the castle wall"}


@pytest.mark.rule("TMG-SRG-1")
def test_a_surge_is_a_move_of_its_unit_that_a_hand_may_make() -> None:
    battle = on_stakes(engaged=True).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", d3=1)
    battle.do("attack-result", wounds=60)
    while battle.waits() != ["surge"]:
        battle.do("continue")
    yes, no = rows(battle.state, "surge")
    assert [(one.moves, one.piece) for one in (yes, no)] == [("maneuver", "b1"), ("", "")]


@pytest.mark.rule("TMG-CON-7", "TMG-CON-6")
@pytest.mark.parametrize(("token", "who"), [("weakened", "b1"), ("vulnerable", "r1")])
def test_a_token_proposes_successes_and_lets_any_die_be_named(token: str, who: str) -> None:
    other = {"b1": "red", "r1": "blue"}[who]
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("token", unit=who, token=token, by=other).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", zone="front")
    attack = battle.state.attack
    assert attack is not None
    faces = [6, 5, *[1] * (attack.dice - 2)]
    battle.do("roll", faces=faces)
    if token == "vulnerable":
        battle.do("continue").do("roll", faces=(faces := [6, 1]))
    known = next(one for one in rows(battle.state, "reroll") if one.commands[0]["side"] == other)
    hits = [place for place, face in enumerate(faces) if face > 1]
    assert known.commands[0]["places"] == hits
    forms = [form for prompt in SCREEN.prompts(battle.state) for form in prompt.forms]
    form = next(one for one in forms if one.command.get("because") == token)
    assert [place for place, _ in form.entries[0].options] == list(range(len(faces)))
    assert after(battle.state, {**form.command, "places": [1], "faces": [6]})


@pytest.mark.rule("TMG-PAN-2")
def test_who_has_no_d3_lets_the_app_roll_it_alone(tmp_path: Path) -> None:
    with Session.open(tmp_path / "test.game") as session:
        d3_alone(begun(session, 5.0))


def d3_alone(session: Session) -> None:
    assert session.answer({"do": "test", "unit": UNIT, "kind": "panic"})["ok"]
    client = Client(RunningGame(session, moves_trays=True))
    (two,) = client.view().prompts[0].dice
    (d3,) = done(client.act({"tap": two.tap, "count": 2})).prompts[0].dice
    assert (d3.sides, d3.app_rolls) == (3, True)
    before = session.history.now.state.unit(UNIT).wounds
    done(client.act({"tap": d3.tap}))
    state = session.history.now.state
    assert not state.trials
    assert before < state.unit(UNIT).wounds <= before + 3


@pytest.mark.rule("TMG-PAN-6")
def test_a_reroll_of_all_dice_of_a_test_leaves_the_d3_to_the_app() -> None:
    battle = battle_of("GOT").do("token", unit="b1", token="panicked", by="red")
    battle.do("test", unit="b1", kind="panic").do("panic", faces=[6, 6], d3=1)
    command = {"do": "reroll", "side": "red", "because": "panicked", "places": [0, 1, 2]}
    (trial,) = after(battle.state, {**command, "faces": [1, 2]}).trials
    assert trial.roll is not None
    assert trial.roll.faces[:2] == (1, 2)
    assert 1 <= trial.roll.faces[2] <= 3


@pytest.mark.rule("TMG-ZON-6", "TMG-RET-2")
def test_a_retreat_that_a_zone_grants_is_a_move_of_its_unit_that_a_hand_may_make() -> None:
    battle = on_stakes(engaged=True).do("activate", unit="bn1").do("claim", zone="maneuver")
    found = [one for one in rows(battle.state, "zone-effect") if one.piece == "b1"]
    assert [(one.moves, one.dice is not None) for one in found] == [("retreat", True)]
    others = [one for one in rows(battle.state, "zone-effect") if one.piece not in ("b1", "")]
    assert {one.moves for one in others} == {"maneuver"}
