"""What the texts of cards, orders and abilities do, entered by the players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import ChoiceView, FormView, TurnView
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import Replay
from companion.session.report.story import build_story
from models import Pose
from tests.engine.turn.test_client import begun, done


@pytest.fixture
def battle(tmp_path: Path) -> Iterator[RunningGame]:
    """A practice battle at which the players move the trays themselves."""
    made = begun(tmp_path, "tmg-2021")
    made.moves_trays = False
    yield made
    made.session.close()


def correction(view: TurnView, text: str) -> ChoiceView:
    assert view.corrections is not None
    boxes = [box for section in view.corrections.sections for box in section.boxes]
    return next(one for box in boxes for one in box.choices if one.text == text)


def form(view: TurnView, text: str) -> FormView:
    assert view.corrections is not None
    return next(one for one in view.corrections.forms if one.text == text)


def state_of(game: RunningGame, unit: str) -> Any:
    return game.here.state.unit(unit)


@pytest.mark.rule("TMG-ACT-4", "TMG-ACT-5")
def test_a_card_lets_a_unit_act_and_its_activation_is_not_touched(battle: RunningGame) -> None:
    client = Client(battle)
    client.act({"select": "b2"})
    view = done(client.act({"tap": correction(client.view(), "A card or ability lets it act").tap}))
    first = view.prompts[0]
    assert first.id == "grant"
    assert view.selected == "b2"
    assert {"maneuver", "march", "shot"} <= {one.kind for one in view.offers}
    assert "forgo" not in {one.kind for one in view.offers}
    shot = next(one for one in view.offers if one.kind == "shot")
    view = done(client.act({"tap": shot.tap}))
    assert view.prompts[0].dice, "its player rolls the dice"
    assert battle.here.state.attack.attacker == "b2"
    assert battle.here.state.attack.free
    assert not state_of(battle, "b2").activated
    undone = done(client.act({"undo": True}))
    assert undone.prompts[0].id == "grant"


@pytest.mark.rule("TMG-ACT-5", "TMG-NCU-3")
def test_a_unit_that_an_effect_lets_act_is_selected_beside_an_ncu(battle: RunningGame) -> None:
    here, there = Client(battle), Client(battle)
    ncu = battle.here.state.ncus[0].id
    assert done(here.act({"select": ncu})).selected == ncu
    there.act({"select": "b2"})
    there.act({"tap": correction(there.view(), "A card or ability lets it act").tap})
    view = here.view()
    assert view.selected == "b2"
    assert {"maneuver", "march", "shot"} <= {one.kind for one in view.offers}
    assert next(one.state for one in view.pieces if one.id == "b2") == "acting"


@pytest.mark.rule("TMG-ACT-5")
def test_a_free_maneuver_moves_its_tray(battle: RunningGame) -> None:
    client = Client(battle)
    client.act({"select": "b2"})
    client.act({"tap": correction(client.view(), "A card or ability lets it act").tap})
    near = {"move": "b2", "x": 13.0, "y": 14.6, "heading": 84.0, "try": True, "as": "maneuver"}
    place = done(client.act(near)).placing
    assert place is not None
    assert place.verdict == "yes", place
    moved = done(client.act({"tap": place.choices[0].tap}))
    assert next(one.place for one in moved.pieces if one.id == "b2") == (13.0, 14.6, 84.0)
    assert not state_of(battle, "b2").activated
    assert not any(one.id == "grant" for one in moved.prompts)


def test_the_players_may_think_better_of_it(battle: RunningGame) -> None:
    client = Client(battle)
    client.act({"select": "b2"})
    view = done(client.act({"tap": correction(client.view(), "A card or ability lets it act").tap}))
    away = next(one for one in view.prompts[0].choices if one.look == "quiet")
    assert not any(one.id == "grant" for one in done(client.act({"tap": away.tap})).prompts)


@pytest.mark.rule("TMG-PAN-7", "TMG-WND-5", "TMG-GLO-23")
def test_tests_wounds_and_healing_by_an_effect(battle: RunningGame) -> None:
    client = Client(battle)
    client.act({"select": "r1"})
    before = state_of(battle, "r1").wounds
    wounds = form(client.view(), "Wounds by an effect")
    done(client.act({"tap": wounds.tap, "values": {"wounds": 2}}))
    assert state_of(battle, "r1").wounds == before + 2
    client.act({"select": "r1"})
    healed = form(client.view(), "Healed by an effect")
    done(client.act({"tap": healed.tap, "values": {"wounds": 1}}))
    assert state_of(battle, "r1").wounds == before + 1
    client.act({"select": "r1"})
    test = form(client.view(), "A panic test by an effect")
    view = done(client.act({"tap": test.tap, "values": {"modifier": -1}}))
    assert view.prompts[0].id == "test"


@pytest.mark.rule("TMG-ACT-4")
def test_a_free_march_is_called_free_in_log_report_and_replay(battle: RunningGame) -> None:
    battle.moves_trays = True
    client = Client(battle)
    client.act({"select": "b2"})
    view = done(client.act({"tap": correction(client.view(), "A card or ability lets it act").tap}))
    march = next(one for one in view.offers if one.kind == "march")
    x, y, heading = next(one.place for one in view.pieces if one.id == "b2")
    place = Pose(x, y, heading).ahead(2.0, 0.0)
    asked = {"move": "b2", "x": place[0], "y": place[1], "heading": heading, "as": march.kind}
    tried = done(client.act({**asked, "try": True}))
    assert tried.placing is not None
    gold = next(one for one in tried.placing.choices if one.look == "primary")
    view = done(client.act({"tap": gold.tap}))
    told = "Stark Bowmen: march as a free action, 2.0″"
    assert view.result == f"{told}."
    assert told in markdown(build_story(battle.session.log.steps()))
    done(client.act({"undo": True}))
    assert Replay.of(battle.session.log.steps()).told(battle.session.history.seq) == (
        f"undo: {told}."
    )
