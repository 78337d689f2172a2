"""Random commands, legal or not: no exception, no impossible state, refusals change nothing."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.context import COMMANDS
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.play_rules import CONDITIONS, ZONES
from models import CompanionError
from tests.play.battle import STARK, Battle, battle_of

COMMANDS_PER_GAME = 2000
JUNK: list[Any] = [
    None,
    "",
    "b1",
    "x" * 300,
    -1,
    0,
    7,
    10**30,
    1.5,
    True,
    [],
    {},
    [1, 2],
    {"a": 1},
    "\x00",
    [[]],
]


def value(
    rng: random.Random, state: GameState, kind: str, name: str, options: tuple[str, ...]
) -> Any:
    """A value for a field: likely a sensible one, now and then nonsense."""
    if rng.random() < 0.06:
        return rng.choice(JUNK)
    if options:
        return rng.choice(options)
    units = [unit.id for unit in state.units]
    ncus = [ncu.id for ncu in state.ncus]
    sides = list(state.side_names)
    if kind == "unit" or name in ("unit", "target"):
        return rng.choice([*units, *units, *ncus, *(wall.id for wall in state.walls), "nobody"])
    if kind in ("side", "player"):
        return rng.choice(sides)
    if kind == "NCU":
        return rng.choice([*ncus, "nobody"])
    if kind == "token":
        return rng.choice([token.id for token in state.tokens] or ["o1"])
    if kind == "flag":
        return rng.random() < 0.6
    if kind in ("number", "inches"):
        return rng.choice([1, 1, 2, 2, 3, 4, 6, 8])
    if kind == "dice":
        return [rng.randint(1, 6) for _ in range(rng.choice([1, 2, 2, 5, 7]))]
    if name == "cards":
        player = rng.choice(state.players)
        cards = [*player.hand, *player.missions]
        return rng.sample(cards, min(len(cards), rng.randint(1, 2))) or ["x"]
    if name in ("card", "mission", "out", "into"):
        player = rng.choice(state.players)
        return rng.choice([*player.hand, *player.missions, *state.missions, "7", "no card"])
    if name == "token":
        return rng.choice(CONDITIONS)
    if name == "zone":
        return rng.choice(ZONES)
    if kind == "list":
        return rng.sample(units, rng.randint(0, 2))
    if kind == "object":
        return {side: rng.randint(1, 6) for side in sides}
    return rng.choice(["a card", "weakened", "charge bonus", "at the start", "front"])


def random_command(rng: random.Random, state: GameState) -> dict[str, Any]:
    """Mostly what the game waits for, sometimes anything."""
    waiting = PLAY.pending(state)
    words = [word for one in waiting for word in one.commands if word in COMMANDS]
    word = rng.choice(words) if words and rng.random() < 0.75 else rng.choice(list(COMMANDS))
    if word in ("concede", "stop") and rng.random() < 0.97:
        word = "continue"
    command: dict[str, Any] = {"do": word}
    for ask in COMMANDS[word].fields:
        if ask.required or rng.random() < 0.25:
            command[ask.name] = value(rng, state, ask.kind, ask.name, ask.options)
    for one in waiting:
        if word == "activate" and "units" in one.data and rng.random() < 0.8:
            command["unit"] = rng.choice(list(one.data["units"]))
    if rng.random() < 0.02:
        command["surprise"] = 1
    return command


def sound(state: GameState) -> None:
    """Nothing a table could not look like."""
    for unit in state.units:
        assert 0 <= unit.wounds <= unit.total
        assert 0 <= unit.models <= unit.full_models
        assert 0 <= unit.ranks <= unit.full_ranks <= 3
        assert len(unit.tokens) == len(set(unit.tokens)) <= 3
        assert not (unit.standing and unit.models == 0)
        assert len(unit.influence) <= 2
        assert unit.id not in unit.engaged
        for other in unit.engaged:
            assert state.unit(other).side != unit.side
    on_board = [ncu for ncu in state.board if ncu]
    assert len(on_board) == len(set(on_board))
    for player in state.players:
        everything = len(player.deck) + len(player.hand) + len(player.discard)
        assert everything == 20
        if state.rules.hand_limit is not None and not state.tasks and state.phase != "over":
            assert len(player.hand) <= state.rules.hand_limit
    assert all(side.vp >= 0 for side in state.sides)
    assert 0 <= state.round <= 6
    assert len({trial.id for trial in state.trials}) == len(state.trials)
    if state.phase == "over":
        assert state.winner
        return
    waiting = PLAY.pending(state)
    assert waiting, f"nobody is asked anything at {state.step}"
    assert all(one.commands and set(one.commands) <= set(COMMANDS) for one in waiting)


GAMES = [
    ("2021", mode)
    for mode in ("GOT", "COK", "SOS", "FFC", "DWD", "WOW", "HAR", "FAB", "HWS", "DWW")
] + [("2018", mode) for mode in ("GOT", "COK", "SOS", "FFC", "WOW")]


@pytest.mark.rule("TMG-RND-1", "TMG-WND-2", "TMG-CON-2", "TMG-INF-2")
@pytest.mark.parametrize(("year", "mode"), GAMES, ids=[f"{year}-{mode}" for year, mode in GAMES])
def test_random_commands(year: str, mode: str) -> None:
    rng = random.Random(f"{year}/{mode}")
    battle = battle_of(mode, year, defender="red", seed=11)
    state = start = battle.state
    log: list[Any] = []
    states = [state]
    for _ in range(COMMANDS_PER_GAME // len(GAMES) + 1):
        if state.phase == "over":
            break
        before = state
        command = random_command(rng, state)
        try:
            found = PLAY.decide(state, command)
        except CompanionError:
            assert state == before
            continue
        if isinstance(found, Refusal):
            assert found.why
            assert found.say
            assert "\n" not in found.say
            assert state is before
            continue
        told = "; ".join(filter(None, map(PLAY.title, found.events)))
        assert told or not found.events, f"{command} is told by nobody"
        for event in found.events:
            json.dumps([event.type, dict(event.data)])
            PLAY.dice(event)
            state = PLAY.apply(state, event)
            log.append(event)
        states.append(state)
        sound(state)
        PLAY.moment(state)
    PLAY.view(state)
    PLAY.view(state, "blue")
    # Undo is the fold of fewer events: every prefix is a state that was, the empty one the start.
    again = start
    assert again == states[0]
    for event in log:
        again = PLAY.apply(again, event)
    assert again == state
    assert len(log) > 5


MORE = [
    (shape, year, mode)
    for shape in ("team", "ffa")
    for year, mode in (*GAMES[:2], ("2021", "WOW"), ("2021", "HWS"), ("2018", "COK"))
]


@pytest.mark.rule("TMG-RND-1", "TMG-TEAM-1")
@pytest.mark.parametrize(("shape", "year", "mode"), MORE, ids=map("-".join, MORE))
def test_random_commands_of_more_than_two(shape: str, year: str, mode: str) -> None:
    """From the first question of set-up on; nobody may be left whom nothing answers."""
    sides = ("blue", "red", "green") if shape == "ffa" else ("blue", "blue", "red", "red")
    armies = [
        {**STARK, "side": side, **({"player": f"{name}{side}"} if shape == "team" else {})}
        for name, side in zip("abcd", sides, strict=False)
    ]
    rng = random.Random(f"{shape}/{year}/{mode}")
    asked: dict[str, Any] = {"armies": armies, "shape": shape, "points": 20, "unchecked": True}
    state = Battle(mode, year, ready=False, first=None, **asked).start
    taken = 0
    for _ in range(400):
        if state.phase == "over":
            break
        players = [player.id for player in state.players]
        command = random_command(rng, state)
        if rng.random() < 0.3:  # what random words would hardly find
            six = ["1", "2", "3", "4", "11", "12"]
            likely: dict[str, dict[str, Any]] = {
                "cards-chosen": {"do": "choose-card", "card": str(rng.randint(6, 10))},
                "missions-chosen": {"do": "missions", "cards": six},
                "deploy": {"do": "deploy"},
            }
            waits, side = PLAY.pending(state)[0].what, PLAY.pending(state)[0].side
            third = [unit.id for unit in state.units if unit.side == side and unit.id[1:] == "3"]
            likely["reserves"] = {"do": "reserve", "side": side, "units": third}
            command = likely.get(waits, command)
            if waits in ("cards-chosen", "missions-chosen"):
                command = {**command, "player": rng.choice(players)}
        try:
            found = PLAY.decide(state, command)
        except CompanionError:
            continue
        if not isinstance(found, Refusal):
            for event in found.events:
                state = PLAY.apply(state, event)
            assert state == found.after
            sound(state)
            taken += 1
    assert taken > 40 or state.phase == "over"  # a side may concede at any time


@pytest.mark.rule("TMG-SET-4")
@pytest.mark.parametrize("mode", ["GOT", "SOS", "FFC"])
def test_random_set_ups(mode: str) -> None:
    rng = random.Random(mode)
    state = Battle(mode, ready=False, first=None).start
    for _ in range(300):
        try:
            found = PLAY.decide(state, random_command(rng, state))
        except CompanionError:
            continue
        if not isinstance(found, Refusal):
            for event in found.events:
                state = PLAY.apply(state, event)
            sound(state)
    assert state.step not in ("mark-zones", "roles")


def test_a_long_random_game() -> None:
    rng = random.Random(5)
    state = Battle(seed=3).start
    done = 0
    for _ in range(COMMANDS_PER_GAME):
        if state.phase == "over":
            state = Battle(seed=done).start
        try:
            found = PLAY.decide(state, random_command(rng, state))
        except CompanionError:
            continue
        if not isinstance(found, Refusal):
            done += 1
            for event in found.events:
                state = PLAY.apply(state, event)
            sound(state)
    assert done > COMMANDS_PER_GAME / 10
