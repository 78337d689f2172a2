"""2,000 random commands, legal or not, in each edition: nothing breaks, all of it can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.tmg.play.state.game_state import GameState
from companion.session.session import Session
from tests.play.battle import LANNISTER, STARK
from tests.session.driving import drive

ENDING = ("concede", "eliminate", "table")
"""What ends a game or needs a whole table is tried now and then only."""

MOST_RANKS = 3


def possible(state: GameState) -> None:
    """Nothing that could not stand on a table."""
    for unit in state.units:
        assert 0 <= unit.models <= unit.full_models
        assert 0 <= unit.ranks <= MOST_RANKS
        assert 0 <= unit.wounds <= unit.total
        assert len(set(unit.tokens)) == len(unit.tokens) <= 3
    for player in state.players:
        assert len([*player.hand, *player.deck, *player.discard]) <= 20
        limit = state.rules.hand_limit
        if limit is not None and len(player.hand) > limit:
            # The player chooses what to discard; until then nothing else is more urgent.
            assert any(task.kind == "hand" and task.other == player.id for task in state.tasks)
    assert 0 <= state.round <= 6
    seated = [ncu for ncu in state.board if ncu]
    assert len(seated) == len(set(seated))


@pytest.mark.rule("TMG-WND-7", "TMG-CON-2", "TMG-RND-20", "TMG-ZON-1")
@pytest.mark.parametrize(
    ("year", "mode", "seed"),
    [("2021", "GOT", 1), ("2021", "COK", 2), ("2018", "GOT", 3), ("2018", "COK", 4)],
)
def test_random_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, year: str, mode: str, seed: int
) -> None:
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")
    with Session.open(tmp_path / "a.game") as session:
        set_up = session.answer(
            {
                "do": "set-up",
                "game": f"tmg-{year}",
                "mode": mode,
                "armies": [STARK, LANNISTER],
                "seed": 7,
                "ready": True,
                "first": "blue",
            }
        )
        assert set_up["ok"], set_up
        tally = drive(session, 1000, seed, possible, ENDING)
    done = sum(outcome[True] for outcome in tally.values())
    refused = sum(outcome[False] for outcome in tally.values())
    assert min(done, refused) > 50
