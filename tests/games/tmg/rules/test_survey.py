"""One survey of a table answers report, move check and the game in play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.tmg.game import MiniaturesGame
from companion.games.tmg.play import practice_game
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.survey import Survey, surveyed
from models import Pose, Table


def test_a_table_is_surveyed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Table] = []
    work_out = Survey.of

    def counted(table: Table, readings: Any = None) -> Survey:
        made.append(table)
        return work_out(table, readings)

    monkeypatch.setattr(Survey, "of", counted)
    table = Table.parse(practice_game.TABLE.read_text(encoding="utf-8"))
    table = table.moved("b1", Pose(10.0, 9.5, 88.0))  # a table nobody asked about before
    game = MiniaturesGame()
    report = game.report(table)
    again = replace(table)  # read from the log anew: equal, another object
    game.check(again, again.moved("b1", Pose(10.0, 10.0, 88.0)), "b1")
    assert surveyed(again, Readings()).report is report
    assert made == [table]
    game.report(table, Readings(contact_ratio="attacker"))
    assert len(made) == 2
