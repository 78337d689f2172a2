"""The result line, the log and Undo of the board games: a sentence of its own for every step."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.session.game_lookup import find_play, find_screen
from tests.games.random_states import opening
from tests.trials import trials

BOARDS = pytest.mark.parametrize("kind", ["tactics", "westeros"])
UNDO_LETTERS = 60
"""What two lines of the undo button hold."""


def steps(kind: str, seed: int, count: int) -> Any:
    """A random game: before, command, events and after of each step."""
    chance, play = random.Random(seed), find_play(kind)
    first, *rest = opening(kind, chance)
    asked = {key: value for key, value in first.items() if key not in ("do", "game")}
    setup = play.prepare(kind, {**asked, "seed": seed})
    assert not isinstance(setup, Refusal), setup
    state = play.start(kind, setup)
    for number in range(count):
        found = [
            one
            for side in (None, *play.moment(state).sides)
            for offered in play.options(state, side)
            for one in offered.get("options", ())
        ]
        if not found:
            return
        words = sorted(
            {one["do"] for one in found} - ({"pass"} if chance.random() < 0.7 else set())
        )
        word = chance.choice(words or ["pass"])
        command = chance.choice([one for one in found if one["do"] == word])
        command = rest[number] if number < len(rest) else command
        decision = play.decide(state, command)
        assert not isinstance(decision, Refusal), (command, decision)
        before = state
        for event in decision.events:
            state = play.apply(state, event)
        yield before, command, decision.events, state


@BOARDS
@pytest.mark.parametrize("seed", range(trials(2, 6)))
def test_every_step_has_a_result_of_its_own_and_a_short_name(kind: str, seed: int) -> None:
    screen = find_screen(kind)
    for before, command, events, after in steps(kind, seed, 150):
        found = screen.outcome(before, events, after)
        assert found is not None, (command, [one.type for one in events])
        brief = str(found.undo).partition(": ")[0]
        assert 0 < len(brief) <= UNDO_LETTERS, (command, found.undo)
        assert found.lines, command
        for line in found.lines:
            assert str(line)
            assert ". " not in str(line)


@pytest.mark.slow
@BOARDS
@pytest.mark.parametrize("seed", range(trials(1, 3)))
def test_results_name_players_or_pieces(kind: str, seed: int) -> None:
    """A result says who did it: the name of a player, or of a piece (TAC-ATK, BOW-CMB)."""
    screen, nobody = find_screen(kind), set()
    for before, _command, events, after in steps(kind, seed, 150):
        found = screen.outcome(before, events, after)
        assert found is not None
        names = [one.name for one in screen.seats(after)]
        for state in (before, after):
            names += [word for one in screen.pieces(state) for word in (one.name, one.short)]
        if not any(str(name) in str(found.text) for name in names):
            nobody.add(str(found.text))
    plain = ("round", "Regroup", "The fire spreads")  # nobody does it
    assert all(any(word in text for word in plain) for text in nobody), nobody
