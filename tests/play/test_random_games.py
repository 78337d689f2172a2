"""A program of ten lines plays whole games, of both editions and every mode (`make soak`: 200)."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.session.session import Session
from tests.play.battle import LANNISTER, STARK
from tests.play.random_games import KINDS, one_game, play
from tests.play.referee import Referee
from tests.trials import trials

GAMES = trials(len(KINDS), 3 * len(KINDS))
"""Every edition and mode; more of them in `make soak`."""


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for the disk proves something only where the disk is the subject (test_log.py)."""
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")


@pytest.mark.slow
@pytest.mark.rule("TMG-RND-5", "TMG-GLO-11", "TMG-RNK-8", "TMG-RND-20")
@pytest.mark.parametrize("number", range(GAMES), ids=lambda n: "-".join(KINDS[n % len(KINDS)]))
def test_a_whole_game_from_pending_and_help_alone(number: int, tmp_path: Path) -> None:
    found = one_game(tmp_path / "a.game", number)
    assert found["winner"]
    assert found["commands"].total() > 20


def test_the_program_is_a_short_one() -> None:
    lines = inspect.getsource(play).splitlines()
    assert len(lines) <= 10


def a_state(path: Path) -> tuple[Referee, dict[str, Any]]:
    """A referee and a state of a game that has begun, in which two units are engaged."""
    with Session.open(path) as session:
        asked = {"mode": "GOT", "armies": [STARK, LANNISTER], "seed": 7, "ready": True}
        session.answer({"do": "set-up", "game": "tmg-2021", "first": "blue", **asked})
        for command in ("continue", "deploy"):
            session.answer({"do": command})
        session.answer({"do": "engage", "unit": "b1", "with": ["r1"]})
        listed = session.answer({"do": "help"})["commands"]
        told = session.answer({"do": "state", "for": "blue"})
    referee = Referee(listed)
    state = json.loads(json.dumps(told["state"]))
    referee.took({"do": "engage"}, state)
    referee.offered(state)
    return referee, state


def lose_points(state: dict[str, Any]) -> None:
    state["vp"]["blue"] = -1


def lose_contact(state: dict[str, Any]) -> None:
    state["units"]["r1"]["engaged"] = []


def keep_ranks(state: dict[str, Any]) -> None:
    state["units"]["b2"].update(wounds=9, wounds_left=3, models=3)


def keep_models(state: dict[str, Any]) -> None:
    state["units"]["b2"].update(wounds=9, wounds_left=3)


def lose_a_card(state: dict[str, Any]) -> None:
    state["players"]["blue"]["deck"] -= 1


def hold_too_many(state: dict[str, Any]) -> None:
    state["players"]["blue"].update(hand=6, deck=14)


def take_two_zones(state: dict[str, Any]) -> None:
    state["zones"].update(crown="bn1", wealth="bn1")


def stay_on_a_token(state: dict[str, Any]) -> None:
    name = next(iter(state["objectives"]))
    state["objectives"][name]["unit"] = "b1"
    state["units"]["b1"]["place"] = "destroyed"


WRONG = (
    lose_points,
    lose_contact,
    keep_ranks,
    keep_models,
    lose_a_card,
    hold_too_many,
    take_two_zones,
    stay_on_a_token,
)


@pytest.mark.parametrize("harm", WRONG, ids=lambda harm: harm.__name__)
def test_the_referee_sees_what_is_wrong(
    harm: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    referee, state = a_state(tmp_path / "a.game")
    after = json.loads(json.dumps(state))
    harm(after)
    with pytest.raises(AssertionError):
        referee.took({"do": "engage"}, after)


def test_the_referee_sees_who_acts_twice(tmp_path: Path) -> None:
    referee, state = a_state(tmp_path / "a.game")
    referee.took({"do": "activate", "unit": "b1"}, state)
    with pytest.raises(AssertionError, match="acts twice"):
        referee.took({"do": "activate", "unit": "b1"}, state)


@pytest.mark.parametrize(
    "option",
    [
        {"do": "activate", "unit": "b1", "hat": 1},
        {"do": "activate"},
        {"do": "end-round"},
        {"do": "activate", "unit": "nobody"},
    ],
    ids=["a field nobody lists", "a field is missing", "not a command of it", "not in its list"],
)
def test_the_referee_sees_what_is_offered_wrongly(option: dict[str, Any], tmp_path: Path) -> None:
    referee, state = a_state(tmp_path / "a.game")
    state["pending"][0]["options"].append(option)
    with pytest.raises(AssertionError):
        referee.offered(state)
