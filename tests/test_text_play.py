"""`companion play --text`: the screen as records, line by line and in words."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cli.program import main
from companion.cli.text_play import typed_intent
from companion.session.session import Session


def lines(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    intents: list[Any],
    *args: str,
) -> list[dict[str, Any]]:
    """The answers to intents, the first view first."""
    text = "".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in intents)
    source = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr(sys, "stdin", source)
    assert main(["play", "--text", "--json", *args]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("game", ["tmg-2021", "tactics", "westeros", "thrones"])
def test_a_practice_game_is_begun_and_gone_on_with(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    game: str,
) -> None:
    path = str(tmp_path / "practice.game")
    (first,) = lines(capsys, monkeypatch, [], path, "--practice", game)
    view = first["view"]
    assert view["prompts"]
    seat = (view["acts"] or list(view["seats"]))[0]
    (again,) = lines(capsys, monkeypatch, [], path, "--seat", seat)
    assert again["view"]["seq"] == view["seq"]
    assert again["view"]["seat"] == seat


def test_a_refused_intent_changes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = str(tmp_path / "a.game")
    intents = [
        "nonsense\n",
        {"tap": "x1"},
        {"tap": "o1", "faces": [1]},
        {"tap": "o1"},
        {"undo": True},
    ]
    view, *answers = lines(capsys, monkeypatch, intents, path, "--practice", "tactics")
    refused = [answer["refused"]["why"] for answer in answers[:3]]
    assert refused == ["INPUT", "STALE", "INPUT"]
    assert answers[3]["view"]["seq"] > view["view"]["seq"]
    assert answers[4]["view"]["prompts"] != answers[3]["view"]["prompts"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--practice", "chess"], "chess"),
        (["{new}", "--seat", "blue"], "holds no game"),
        (["{new}", "--practice", "tactics", "--seat", "nobody"], "no seat 'nobody'"),
    ],
)
def test_bad_input_ends_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, args: list[str], says: str
) -> None:
    new = str(tmp_path / "new.game")
    given = [one.replace("{new}", new) for one in args]
    assert main(["play", "--text", "--out", str(tmp_path / "out"), *given]) == 2
    err = capsys.readouterr().err
    assert says in err.splitlines()[-1]
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "words", [["play", "--text", "--practice", "nope"], ["serve", "--game", "nope"]]
)
def test_a_game_that_cannot_be_begun_leaves_no_file_and_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An empty game was left, and "the game is kept in" said about it."""
    assert main([*words, "--out", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("companion: game 'nope' has no screen")
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_in_a_terminal_it_is_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("o1\nall\nx1\nhelp\nundo\nquit\n"))
    path = str(tmp_path / "a.game")
    assert main(["play", "--text", path, "--practice", "tactics", "--language", "de"]) == 0
    out = capsys.readouterr().out
    assert "Runde 1" in out
    assert "✕ das wird nicht mehr angeboten (STALE)" in out
    with Session.open(Path(path)) as session:
        assert session.answer({"do": "clock", "action": "start"})["ok"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("all\nquit\n"))
    assert main(["play", "--text", path]) == 0
    assert re.search(r"^  \S.* 0:00$", capsys.readouterr().out, re.MULTILINE), "the clock"


@pytest.mark.parametrize(
    ("typed", "intent"),
    [
        ("c1", {"tap": "c1"}),
        ("d1 4 3 6", {"tap": "d1", "faces": [4, 3, 6]}),
        ("d1 =2", {"tap": "d1", "count": 2}),
        ("f1 n=3 who=a,b", {"tap": "f1", "values": {"n": 3, "who": ["a", "b"]}}),
        ("select", {"select": None}),
        ("select b1", {"select": "b1"}),
        ("move b1 4,3", {"move": "b1", "cell": "4,3"}),
        ("move b1 1 2.5 90 keep", {"move": "b1", "x": 1, "y": 2.5, "heading": 90, "keep": True}),
        ("undo", {"undo": True}),
    ],
)
def test_what_is_typed_is_an_intent(typed: str, intent: dict[str, Any]) -> None:
    assert typed_intent(typed.split()) == intent


@pytest.mark.slow
def test_it_starts_without_a_window_and_without_a_camera(tmp_path: Path) -> None:
    game = str(tmp_path / "a.game")
    code = (
        "import sys; from companion.cli.program import main; "
        f"main(['play', '--text', '--json', {game!r}, '--practice', 'thrones']); "
        "sys.exit(bool({'cv2', 'kivy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
