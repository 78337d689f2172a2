"""Whole battles: by script to their winners, random ones against invariants, broken commands."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from companion.games.api.play import Accepted, Refusal
from companion.games.westeros.game import GAME
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.battlefield import battle_position
from companion.games.westeros.play.state import WesterosState
from companion.games.westeros.rules.position import standing_problem
from companion.games.westeros.screen import SCREEN

EAGER = ("attack", "hounds", "roll", "order", "card", "orders", "follow", "scorch")


def offered(state: WesterosState) -> list[dict[str, Any]]:
    """Every command that the game offers to those it asks."""
    sides = [one.side for one in PLAY.pending(state)]
    return [
        command
        for side in dict.fromkeys(sides)
        for each in PLAY.options(state, side)
        for command in each["options"]
    ]


def check_invariants(state: WesterosState) -> None:
    """What is true after every command."""
    assert standing_problem(battle_position(state)) == ""
    assert -11 <= state.morale <= 11
    for house in state.houses:
        assert min(house.tokens, house.hand, house.deck, house.discards, house.vp) >= 0
        commanders = [one for one in state.of(house.side) if one.commander]
        total = house.tokens + sum(one.tokens for one in commanders)
        assert total == state.plan.house(house.side).tokens
        assert all(one.tokens <= one.commander.most_tokens for one in commanders if one.commander)
    for unit in state.units:
        assert unit.on_field == (unit.cell is not None)
        assert unit.figures > 0 or not unit.on_field
    engaged = [one for marker in state.markers for one in (marker.one, marker.two)]
    assert len(set(engaged)) == len(engaged)  # BOW-ENG-2
    assert PLAY.pending(state) or state.winner


@cache
def play_at_random(seed: int, setup: str = "battle", most: int = 3000) -> WesterosState:
    """A battle by commands that the game itself offers; every one must be accepted."""
    dice = random.Random(seed)
    name = "sample-ford" if setup == "battle" else "sample-raid"
    prepared = PLAY.prepare("westeros", {"do": "set-up", setup: name, "seed": seed})
    assert not isinstance(prepared, Refusal)
    state = PLAY.start("westeros", json.loads(json.dumps(prepared)))
    for count in range(most):
        if state.winner:
            return state
        commands = offered(state)
        eager = [one for one in commands if one["do"] in EAGER]
        command = dice.choice(eager if eager and dice.random() < 0.8 else commands)
        found = PLAY.decide(state, command)
        assert isinstance(found, Accepted), (command, found)
        before = state
        for event in found.events:
            state = PLAY.apply(state, event)
            PLAY.title(event)
            PLAY.tale(state, event)
            PLAY.dice(event)
        assert state == found.after
        check_invariants(state)
        if count % 25 == 0:
            look_at_everything(before, found, state)
    raise AssertionError("the battle does not end")


def look_at_everything(before: WesterosState, found: Accepted, state: WesterosState) -> None:
    """Every record of the screen and the view can be made; offers keep their word."""
    json.dumps(PLAY.view(state), default=str)
    SCREEN.outcome(before, found.events, state)
    assert SCREEN.headline(state)
    SCREEN.score(state)
    assert len({one.name for one in SCREEN.pieces(state)}) == len(state.units)
    assert SCREEN.pages(state, "stark")
    asked = SCREEN.prompts(state)
    assert bool(asked) == (not state.winner)
    assert all(one.title and one.rule for one in asked)
    for unit in state.of(state.active)[:4]:
        for offer in SCREEN.offers(state, None, unit.id):
            for command in offer.commands or offer.cells[0].commands:
                legal = isinstance(PLAY.decide(state, command), Accepted)
                assert legal == (offer.verdict == "yes"), offer
    for prompt in asked:
        offered_ = [one.commands[0] for one in prompt.choices]
        for command in (*offered_, *(one.commands[0] for one in prompt.cells[:3])):
            assert isinstance(PLAY.decide(state, command), Accepted), command
    for piece in SCREEN.pieces(state):
        for correction in piece.corrections:
            assert isinstance(PLAY.decide(state, correction.commands[0]), Accepted), correction


@pytest.mark.parametrize(("seed", "setup"), [(0, "battle"), (1, "battle"), (2, "skirmish")])
def test_random_battles_end_with_a_winner(seed: int, setup: str) -> None:
    state = play_at_random(seed, setup)
    assert state.winner in ("stark", "lannister")
    moment = PLAY.moment(state)
    assert (moment.winner, moment.side) == (state.winner, None)
    assert GAME.report(moment.table).plain("end")["game"] == "westeros"
    assert len(PLAY.hosts(state)) == 2
