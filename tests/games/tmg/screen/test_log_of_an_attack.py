"""The log of an attack: each throw is told once, with what came of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.tmg.play import practice_game
from companion.games.tmg.screen import SCREEN
from companion.session.game_view import log_lines
from companion.session.session import Session
from tests.app.moving.test_due_moves import melee


@pytest.mark.rule("TMG-ATK-4")
def test_dice_that_nobody_rerolled_are_one_line_of_the_log(tmp_path: Path) -> None:
    with Session.open(tmp_path / "log.game") as session:
        for command in (
            practice_game.set_up(melee()),
            *practice_game.opening(melee()),
            {"do": "activate", "unit": "b6"},
            {"do": "action", "action": "attack", "target": "r7"},
            {"do": "roll", "faces": [6] * 6},
        ):
            assert session.answer(command)["ok"], command
        assert "so far" in newest(session), "it stands there while it is the newest"
        for command in ({"do": "continue"}, {"do": "roll", "faces": [1] * 6}, {"do": "continue"}):
            assert session.answer(command)["ok"], command
        lines = [str(line) for _, line in log_lines(SCREEN, session.history.now)]
        assert not [one for one in lines if "so far" in one]
        assert sum("[6 6 6 6 6 6]" in one for one in lines) == 1


def newest(session: Session) -> str:
    return next(str(line) for _, line in log_lines(SCREEN, session.history.now))
