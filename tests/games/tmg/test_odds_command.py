"""`companion odds` of the miniatures game: its options and answers, which others rely on."""

from __future__ import annotations

import json

import pytest

from companion.cli.program import main

ATTACK = ("odds", "--hit", "4", "--dice", "7", "--defense", "4", "--morale", "6")
Capture = pytest.CaptureFixture[str]


def odds(capsys: Capture, *flags: str) -> str:
    assert main([*ATTACK, *flags]) == 0
    return capsys.readouterr().out


def refusal(capsys: Capture, *flags: str) -> str:
    try:
        status = main([*ATTACK, *flags])
    except SystemExit as stop:
        status = int(str(stop.code))
    assert status == 2
    return capsys.readouterr().err


def test_by_edition_and_by_game_are_the_same(capsys: Capture) -> None:
    by_year = json.loads(odds(capsys, "--edition", "2021", "--json"))
    assert by_year.keys() == {"wounds_from_hits", "panic_fails", "wounds", "mean", "destroys"}
    assert json.loads(odds(capsys, "--game", "tmg-2021", "--json")) == by_year


@pytest.mark.rule("TMG-ATK-2", "TMG-ATK-7")
def test_every_option_changes_the_odds(capsys: Capture) -> None:
    bare = json.loads(odds(capsys, "--edition", "2021", "--json"))
    for flags in (
        ["--zone", "rear"],
        ["--charge"],
        ["--abilities", "Sundering,critical-blow"],
        ["--attack-mod", "1"],
        ["--defense-mod", "-2"],
        ["--morale-mod", "-3"],
        ["--models", "5"],
    ):
        assert json.loads(odds(capsys, "--edition", "2021", "--json", *flags)) != bare, flags


@pytest.mark.rule("TMG-ATK-1")
def test_as_text(capsys: Capture) -> None:
    lines = odds(capsys, "--edition", "2021", "--models", "3").splitlines()
    assert lines[0].endswith(" wounds on average")
    assert lines[1].startswith("   0 wounds")
    assert lines[-2].startswith("panic test failed ")
    assert lines[-1].startswith("destroys ")
    assert "destroys" not in odds(capsys, "--edition", "2021")


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--hit", "9"], "argument --hit: '9' is outside 1 to 7"),
        (["--zone", "above"], "argument --zone: invalid choice: 'above'"),
        (["--abilities", "lucky"], "--abilities: 'lucky' is unknown"),
        (["--edition", "1999"], "no edition '1999'"),
    ],
)
def test_bad_options_are_refused_in_one_line(
    capsys: Capture, flags: list[str], complaint: str
) -> None:
    told = refusal(capsys, "--edition", "2021", *flags)
    assert complaint in told
    assert told.count("\n") == 1
