"""The guided first turn: each step names what can be tapped, and taps by it play both turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import ChoiceView, GuideView, OfferView, TurnView
from companion.games.westeros.play import PLAY
from companion.games.westeros.screen import SCREEN
from companion.library.kept_game import begin_practice
from companion.session.session import Session
from tests.games.westeros.clash import Clash
from tests.games.westeros.test_screen import three_ordered


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    path = tmp_path / "guided.game"
    session = Session.open(path)
    begin_practice(session, "westeros", path)
    yield Client(RunningGame(session))
    session.close()


def seen(client: Client) -> tuple[TurnView, GuideView]:
    view = client.view()
    assert view.guide is not None
    return view, view.guide


def quoted(guide: GuideView) -> str:
    """What stands between the quotation marks of a step: the text of a button."""
    return guide.text.partition("“")[2].partition("”")[0]


def done(client: Client, tap: str) -> None:
    assert isinstance(client.act({"tap": tap}), TurnView)


def follow(client: Client) -> int:
    """Do what the guide says, by the records that a finger would tap; the number of the step."""
    view, guide = seen(client)
    number = int(guide.step.split()[1])
    if guide.piece:
        assert isinstance(client.act({"select": guide.piece}), TurnView)
        view, guide = seen(client)
        assert not guide.piece  # now it says what to tap on the card
    prompt = view.prompts[0]
    if prompt.dice:
        done(client, prompt.dice[0].tap)
        return number
    buttons: list[ChoiceView | OfferView] = [*prompt.choices, *view.offers]
    found = [one for one in buttons if one.text == quoted(guide)]
    if not found:  # an answer of the other player: any is right
        assert not quoted(guide)
        done(client, (prompt.choices[0] if prompt.choices else prompt.cells[0]).tap)
        return number
    done(client, found[0].tap)
    first = client.view().prompts[0]
    if first.id == "aiming":
        done(client, first.cells[0].tap)
    return number


def test_taps_by_the_guide_play_a_turn_of_each_player(client: Client) -> None:
    steps = []
    while client.game.here.state.turn < 3:
        steps.append(follow(client))
        assert len(steps) < 40
    assert steps[:4] == [1, 2, 2, 3]  # begin, both roll their orders, the first order
    assert steps == sorted(steps)
    assert steps[-1] == 6
    _, last = seen(client)
    assert last.text == "Each player has had a turn: that is how the game goes."
    assert last.leave is not None
    assert last.leave.text == "Close the guide"
    done(client, last.leave.tap)
    assert client.view().guide is None


def test_the_guide_proposes_a_token_that_orders_its_unit(client: Client) -> None:
    """The proposed token is one that the unit obeys (BOW-ORD-1 to BOW-ORD-5)."""
    for _ in range(3):
        follow(client)
    _, guide = seen(client)
    state = client.game.here.state
    assert state.unit(guide.piece).side == state.active
    assert isinstance(client.act({"select": guide.piece}), TurnView)
    view, guide = seen(client)
    assert quoted(guide) in [one.text for one in view.offers if one.verdict == "yes"]


def test_the_guide_is_left_and_comes_back_by_undo(client: Client) -> None:
    _, guide = seen(client)
    assert guide.leave is not None
    done(client, guide.leave.tap)
    assert client.view().guide is None
    assert isinstance(client.act({"undo": True}), TurnView)
    assert client.view().guide is not None


def test_games_of_their_own_are_not_guided_unless_asked() -> None:
    setup = {"do": "set-up", "battle": SCREEN.practice("westeros")[0]["battle"]}
    plain = PLAY.prepare("westeros", setup)
    assert "guide" not in plain  # as games of earlier versions were kept
    assert SCREEN.guide(PLAY.start("westeros", plain)) is None
    guided = PLAY.prepare("westeros", {**setup, "guide": True})
    assert SCREEN.guide(PLAY.start("westeros", guided)) is not None


@pytest.mark.rule("BOW-ORD-1")
def test_a_token_of_the_units_own_colour_is_proposed_before_valour() -> None:
    """As the gold button of the same unit: valour orders anybody, so it is kept."""
    game = Clash([("foot", "blue", "5,5")], [("foot", "green", "9,9")])
    house = replace(game.state.house("stark"), pool=("V", "B"))
    step = SCREEN.guide(replace(game.state.with_house(house), guided=True))
    assert step is not None
    assert "blue" in step.then
    assert "valour" not in step.then


@pytest.mark.rule("BOW-OPT-2")
def test_the_guide_moves_all_units_before_the_first_attack() -> None:
    game = three_ordered()
    state = replace(game.state, guided=True)
    step = SCREEN.guide(state)
    assert step is not None
    assert step.piece == "s2"
    assert "Move" in step.then
