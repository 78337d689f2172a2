"""Export, battle report and replay of a kept game."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.cli.program import main
from companion.games.api.play import Event, RolledDice
from companion.session.report.html_page import html, score_chart
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import FORMAT
from companion.session.report.story import Chapter, Story, build_story
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import read
from tests.session.conftest import Watch

COMMANDS: list[dict[str, Any]] = [
    {"do": "set-up", "game": "toy", "stones": 14, "seed": 4},
    {"do": "place", "x": 10},
    {"do": "take", "stones": 3},
    {"do": "take", "stones": 1},
    {"do": "undo"},
    {"do": "hide", "card": "ace of spades"},
    {"do": "gamble"},
    {"do": "note", "text": "<script>alert('*')</script>"},
    {"do": "place", "x": 20},
    {"do": "take", "stones": 2},
    {"do": "take", "stones": 2},
    {"do": "clock", "action": "start"},
    {"do": "take", "stones": 3},
    {"do": "take", "stones": 1},
]


@pytest.fixture
def game(path: Path, watch: Watch) -> Path:
    """A short game: two rounds, a map twice, one step taken back."""
    with Session.open(path, watch) as session:
        for command in COMMANDS:
            watch.wait(60)
            assert session.answer(command)["ok"], command
        while left := session.state()["stones"]:
            assert session.answer({"do": "take", "stones": min(left, 3)})["ok"]
    return path


@pytest.fixture
def story(game: Path) -> Story:
    return build_story(read(game).steps)


def test_rounds_turns_and_what_counted(story: Story) -> None:
    assert [chapter.round for chapter in story.chapters] == [0, 1, 2]
    titles = [beat.title for beat in story.chapters[1].turns[0].beats]
    assert titles == ["the stone stands at 10", "blue takes 3"]
    assert [(turn.number, turn.side) for turn in story.chapters[1].turns] == [
        (1, "blue"),
        (2, "red"),
        (3, "blue"),
        (4, "red"),
    ]
    assert story.taken_back == 1
    assert all("takes 1" not in beat.title for beat in story.chapters[1].turns[1].beats[:1])
    assert story.end is not None
    assert dict(story.chapters[-1].score) == dict(story.end.score)


def test_the_score_after_a_round_is_that_of_its_last_step(story: Story) -> None:
    (first, score), *_ = story.scores()
    taken = [
        (roll.moment.score if roll.moment else {}) for roll in story.chapters[1].turns[-1].beats
    ]
    assert (first, dict(score)) == (1, dict(taken[-1]))


def test_markdown_reads_as_a_battle_report(story: Story) -> None:
    text = markdown(story)
    assert text.startswith("# Battle report: The blue ones (blue) – The red ones (red)\n\n")
    assert "**Blue wins, Blue 10 : Red 4.**" in text
    assert "## The red ones (red), 4 points\n\n- stones (4): taken\n" in text
    assert "- Steps taken back: 1\n" in text
    assert "## Round 1 (Blue 5 : Red 3)\n\n### Turn 1: Blue\n" in text
    assert re.search(r"- Red takes 1\. Gamble: \d \d \d\n", text)
    assert "\\<script\\>alert('\\*')\\</script\\>" in text
    assert "| 1 | 5 | 3 |" in text
    assert re.search(r"\| Red \|( \d \|){6} 3 \| \d\.\d\d \|", text)
    assert "ace" not in text


def test_what_comes_before_the_first_turn_is_titled_once(story: Story) -> None:
    """A game that is set up has that title above it already."""
    turn = story.chapters[1].turns[0]
    early = replace(turn, number=0, part="", side=None)
    chapters = (Chapter(0, (early,), {}), Chapter(1, (early, turn), {}))
    told = replace(story, chapters=chapters)
    assert markdown(told).count("### Before the first turn") == 1
    assert html(told).count("<h3>Before the first turn</h3>") == 1


class Checker(HTMLParser):
    """Tags in balance, and no address of anything outside."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("src", "href") and not (value or "").startswith(("data:", "#")):
                self.outside.append(value or "")
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)


def test_the_page_stands_alone(story: Story) -> None:
    painted: list[str] = []

    def paint(table: Any, title: str) -> bytes:
        painted.append(title)
        return title.encode()

    page = html(story, paint)
    checker = Checker()
    checker.feed(page)
    assert (checker.open, checker.outside) == ([], [])
    assert "script" not in checker.tags
    assert "&lt;script&gt;" in page
    assert "url(" not in page
    # One map per turn after which the table is another one.
    assert painted == ["Round 1, after turn 1", "Round 1, after turn 3"]
    shown = re.findall(r"data:image/png;base64,([^\"]+)", page)
    assert [base64.b64decode(one).decode() for one in shown] == painted
    assert page.count('class="die d6"') == 3
    assert "ace" not in page


@pytest.mark.parametrize(
    "scores",
    [
        [],
        [(1, {"blue": 0, "red": 0})],
        [(1, {"blue": -2, "red": 3}), (2, {"blue": 1, "red": 3})],
        [(number, {"blue": 2 * number, "red": 61 * number}) for number in range(1, 7)],
    ],
)
def test_the_chart_holds_every_point(scores: list[tuple[int, dict[str, int]]]) -> None:
    svg = ElementTree.fromstring(score_chart(scores, ("blue", "red"), "Score & more"))
    space = "{http://www.w3.org/2000/svg}"
    lines = svg.findall(f"{space}polyline")
    assert len(lines) == 2
    assert len({line.get("stroke") for line in lines}) == 2
    assert len({line.get("stroke-dasharray") for line in lines}) == 2
    for line in lines:
        points = [tuple(map(float, one.split(","))) for one in (line.get("points") or "").split()]
        assert len(points) == len(scores) + 1
        assert all(0 <= x <= 640 and 0 <= y <= 280 for x, y in points)
    names = [text.text for text in svg.findall(f"{space}text[@class='name']")]
    last = scores[-1][1] if scores else {"blue": 0, "red": 0}
    assert names == [f"Blue {last['blue']}", f"Red {last['red']}"]


def test_the_export_holds_every_step_and_says_which_count(
    game: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["export", str(game)]) == 0
    printed = capsys.readouterr().out
    out = tmp_path / "game.json"
    assert main(["export", str(game), "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == printed
    plain = json.loads(printed)
    assert (plain["format"], plain["game"], plain["winner"]) == (FORMAT, "toy", "blue")
    assert [step["seq"] for step in plain["steps"]] == list(range(1, len(plain["steps"]) + 1))
    undone = [step["title"] for step in plain["steps"] if not step["counts"]]
    assert undone == ["red takes 1", "undo: red takes 1", "clock: blue’s time runs"]
    assert plain["steps"][0]["events"][0]["data"]["setup"] == {"stones": 14, "seed": 4}
    assert plain["rounds"][0] == {"round": 1, "score": {"blue": 5, "red": 3}}
    assert sum(plain["dice"]["red"].values()) == 3


def test_the_report_command_writes_maps_of_the_table(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, text = tmp_path / "r.html", tmp_path / "r.md"
    assert main(["report", str(game), "--html", str(page), "--md", str(text)]) == 0
    assert text.read_text(encoding="utf-8").startswith("# Battle report")
    shown = re.findall(r"data:image/png;base64,([^\"]+)", page.read_text(encoding="utf-8"))
    assert len(shown) == 2
    assert all(base64.b64decode(one).startswith(b"\x89PNG") for one in shown)
    assert shown[0] != shown[1]
    assert main(["report", str(game)]) == 0
    assert capsys.readouterr().out == text.read_text(encoding="utf-8")


def test_replay_steps_through_the_game(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(game)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["3", "22:16:20", "1", "3:0", "blue", "takes", "3"]
    assert lines[4].endswith("undo: red takes 1")
    assert main(["replay", str(game), "--step", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stones"] == 11
    assert main(["replay", str(game), "--json"]) == 0
    states = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["seq"] for one in states] == list(range(1, len(lines) + 1))
    assert states[3]["state"]["stones"] == 10
    assert states[4]["state"]["stones"] == 11


def test_walking_forwards_and_backwards(game: Path) -> None:
    from companion.session.report.replay import Replay, walk

    replay = Replay.of(read(game).steps)
    told = list(walk(replay, ["\n", "\n", "b\n", "5", "zz", "s", str(len(replay)), "", "q", ""]))
    assert "set up toy" in told[1]
    assert "stone stands" in told[2]
    assert told[3] == told[1]
    assert "undo" in told[4]
    assert "not understood" in told[5]
    assert json.loads(told[6])["stones"] == 11
    assert "last" in told[8]
    assert len(told) == 9


@pytest.mark.parametrize("command", ["export", "report", "replay"])
def test_reading_commands_leave_the_file_alone(
    game: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    harmed = game.read_bytes()[:-1]
    game.write_bytes(harmed)
    assert main([command, str(game)]) == 0
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "is damaged" in told.err
    assert told.out
    assert game.read_bytes() == harmed
    assert [file.name for file in game.parent.iterdir()] == ["a.game"]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["export", "{folder}/none.game"], "there is no such file"),
        (["report", "{game}", "--html", "{game}"], "is the game itself"),
        (["replay", "{game}", "--step", "99"], "no step 99"),
        (["session", "{folder}/x/y.game"], "cannot be opened"),
        (["replay", "{game}", "--step", "x"], "--step"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    game: Path, argv: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = game.read_bytes()
    filled = [word.format(folder=game.parent, game=game) for word in argv]
    try:
        status = main(filled)
    except SystemExit as stop:
        status = int(stop.code or 0)
    assert status == 2
    told = capsys.readouterr().err
    assert told.startswith("companion: ")
    assert told.count("\n") == 1
    assert says in told
    assert game.read_bytes() == before


@pytest.mark.parametrize("command", ["session", "export", "report", "replay"])
def test_a_game_this_program_cannot_follow(
    path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
        step = LogStep.after(session.history.last, 0, "a later move", [Event("flown")])
        session.log.append(step)
    assert main([command, str(path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"companion: {path}: step 2: “a later move” cannot be followed")
    assert told.count("\n") == 1


def test_a_game_nobody_knows_any_more(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy-2", "stones": 9, "seed": 1})
    monkeypatch.setattr("companion.games.toy.play.ToyPlay.games", ("toy",))
    assert main(["report", str(path)]) == 2
    assert (
        f"{path}: no game 'toy-2' to play; there are: cards, hexes, toy" in capsys.readouterr().err
    )


def test_a_game_not_set_up_has_a_report_too(path: Path) -> None:
    with Session.open(path) as session:
        session.answer({"do": "note", "text": "we wait"})
    story = build_story(read(path).steps)
    assert "not set up" in markdown(story)
    assert "we wait" in html(story)
    assert "not set up" in markdown(build_story([]))


@pytest.mark.rule("BOW-CMP-2")
def test_dice_with_symbols_are_counted_by_their_signs(story: Story) -> None:
    """The table told the faces 1 to 8 and their mean."""
    names = ("▲ green",) * 3 + ("● blue",) * 2 + ("◆ red", "★ valour", "⚑ morale")
    roll = RolledDice("red", "attack roll", (1, 3, 4, 8), 8, names)
    chapter = story.chapters[1]
    turn = chapter.turns[1]
    beats = (replace(turn.beats[0], rolls=(roll,)), *turn.beats[1:])
    chapter = replace(chapter, turns=(chapter.turns[0], replace(turn, beats=beats)))
    told = replace(story, chapters=(story.chapters[0], chapter))
    text = markdown(told)
    assert "| ▲ green | ● blue | ◆ red | ★ valour | ⚑ morale | dice |\n" in text
    assert "| Red | 2 | 1 | 0 | 0 | 1 | 4 |\n" in text
    page = html(told, lambda *_: b"")
    assert "<th>★ valour</th>" in page
    assert "<th>7</th>" not in page
