"""`companion balance`: games between rivals, counted with their confidence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import balance
from companion.cli.balance import begun, played, searching, share
from companion.cli.program import main
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.rival import RIVAL
from tests.rival.battles import unmeasured
from tests.rival.rules_reached import numbers_in
from tests.rival.strength import main as strength


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (143, 200, 0.649, 0.7732),
    ],
)
def test_the_interval_is_wilsons(won: int, games: int, low: float, high: float) -> None:
    assert share(won, games) == pytest.approx((low, high), abs=5e-4)


def test_two_rivals_play_a_battle_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["balance", "--game", "westeros", "--games", "1", "--level", "apprentice", "--json"])
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 1
    assert sum(one["won"] for one in told["sides"].values()) <= 1
    assert set(told["sides"]) == {"stark", "lannister"}


def test_two_levels_play_every_battle_from_both_sides(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A side that always wins makes neither level the stronger."""
    begins: list[tuple[int, tuple[str, ...]]] = []

    def stark(rival: Any, state: Any, players: dict[str, Any]) -> Any:
        begins.append((state.seed, tuple(players.values())))
        return replace(state, winner="stark")

    monkeypatch.setattr(balance, "played", stark)
    monkeypatch.setattr(balance, "searching", lambda rival, level, side: level)
    given = ["balance", "--game", "westeros", "--games", "4", "--against", "apprentice"]
    assert main([*given, "--level", "commander"]) == 0
    told = capsys.readouterr().out
    assert "commander    won 2 of 4" in told
    assert "stark        won 4 of 4" in told
    assert "twice" in told
    assert [one for _, one in begins[:2]] == [
        ("commander", "apprentice"),
        ("apprentice", "commander"),
    ]
    assert begins[0][0] == begins[1][0] != begins[2][0]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (["--game", "chess"], "chess"),
        (["--game", "tmg-2018"], "practice game"),
        (["missing.json"], "missing.json"),
        ([], "--game"),
    ],
)
def test_bad_input_is_one_line(
    given: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["balance", *given]) == 2
    told = capsys.readouterr().err
    assert word in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("text", ["[]", "{}", "3", "null", '{"game": 3}'])
def test_a_file_with_something_else_is_named(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    assert main(["balance", str(file)]) == 2
    assert "other.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"do": "set-up", "game": "westeros", "battle": "nowhere"}', "nowhere"),
        ('{"do": "set-up", "game": "chess"}', "chess"),
        (
            '{"game": "tmg-2021", "mode": "GOT", "armies": [{"side": "blue", "list": "x"}]}',
            "armies",
        ),
    ],
)
def test_a_set_up_that_does_not_fit_is_named_with_its_file(
    text: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ford.json"
    file.write_text(text)
    assert main(["balance", str(file), "--games", "1"]) == 2
    told = capsys.readouterr().err
    assert word in told
    assert "ford.json" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("number", [0, 1])
def test_armies_without_a_table_are_lined_up(number: int) -> None:
    """Rivals that nobody shows a place neither move nor fight: who wins then says nothing."""
    set_up = {**unmeasured("tmg-2021", 3, "GOT")[0]}
    laid = RIVAL.laid_out("tmg-2021", set_up, number)
    state = begun("tmg-2021", 0, [laid])
    assert state.first == ("blue", "red")[number]
    assert {one.id for one in table_of(state.table).units} == {one.id for one in state.units}
    assert RIVAL.laid_out("tmg-2021", laid, 1 - number) is laid, "a table is kept"


class EveryoneMovesError(Exception):
    """Nobody stands about: the rest of the battle is not needed."""


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["ffa", "team"])
def test_armies_of_more_players_are_lined_up_and_move(shape: str) -> None:
    number = next(n for n in range(12) if unmeasured("tmg-2021", n, "GOT")[0]["shape"] == shape)
    laid = RIVAL.laid_out("tmg-2021", unmeasured("tmg-2021", number, "GOT")[0], 1)
    start = begun("tmg-2021", 0, [laid])
    sides = RIVAL.play.moment(start).sides
    assert start.first == sides[1]
    players = {side: searching(RIVAL, "apprentice", side) for side in sides}
    moved: set[str] = set()

    def watch(state: GameState) -> None:
        now = state.acting
        if now is not None and now.action in ("march", "maneuver", "charge"):
            moved.add(state.unit(now.unit).side)
        if moved == {*sides}:
            raise EveryoneMovesError

    assert {unit.id for unit in start.units} == {one.id for one in table_of(start.table).units}
    with pytest.raises(EveryoneMovesError):
        played(RIVAL, start, players, watch)


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("a fire (BOW-FIR-7, -8)", ["BOW-FIR-7", "BOW-FIR-8"]),
        ("the end phase (TAC-END-1 to -3)", ["TAC-END-1", "TAC-END-2", "TAC-END-3"]),
        ("TMG-MAN-1..3, TMG-MODE-COK-8", ["TMG-MAN-1", "TMG-MAN-2", "TMG-MAN-3", "TMG-MODE-COK-8"]),
        ("orders (BOW-OPT-1 to BOW-OPT-2)", ["BOW-OPT-1", "BOW-OPT-2"]),
    ],
)
def test_rule_numbers_are_read_as_they_are_written(line: str, numbers: list[str]) -> None:
    assert sorted(set(numbers_in(line))) == numbers


def test_results_add_up_over_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a file holds of a strength is not played again."""
    known = {"side": "p1", "result": "won", "score": {}, "median_s": 0.1, "most_s": 0.2}
    notes = tmp_path / "notes"
    lines = [{"of": ["thrones", "captain", "random", n], **known} for n in range(4)]
    notes.write_text("\n".join(map(json.dumps, lines)) + "\n")
    strength("thrones", 4, "captain", "random", 0, str(notes))
    assert "won 4, drawn 0, lost 0 of 4" in capsys.readouterr().out
    assert len(notes.read_text().splitlines()) == 4
