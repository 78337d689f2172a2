"""The log of an attack: each throw is told once, with what came of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.games.api.play import Event
from companion.games.tmg.play import practice_game
from companion.games.tmg.play.events.event_log import dice
from companion.games.tmg.screen import SCREEN
from companion.session.game_view import log_lines
from companion.session.report.markdown_report import outcome, rolled
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


@pytest.mark.rule("TMG-RER-1")
def test_the_report_names_who_rolled_which_dice_again() -> None:
    again = {"side": "blue", "places": [0, 2], "old": [1, 2], "new": [4, 5]}
    (roll,) = dice(Event("rerolled", {**again, "test": 0, "because": "an effect"}))
    told = "Anna · 1, 2 rerolled (an effect): 4 5"
    assert rolled(roll, {"blue": "Anna"}) == told


@pytest.mark.rule("TMG-VIC-1")
def test_the_report_names_the_reason_of_a_victory_without_its_rule_number() -> None:
    names, how = {"blue": "Anna", "red": "Ben"}, "10 points, the goal is 10 (TMG-VIC-1)"
    end = SimpleNamespace(score={"blue": 10}, sides=("blue", "red"), names=names, winner="blue")
    end.how = how
    assert outcome(cast(Any, end)) == "Anna wins, Anna 10 : Ben 0. 10 points, the goal is 10."
