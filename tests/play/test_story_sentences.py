"""A battle report of the real game: by names, without bureaucracy, the D3 apart from the D6."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.session.report.html_page import html
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import export
from companion.session.report.story import Story, build_story
from companion.session.session import Session
from companion.session.storage import read
from tests.play.battle import LANNISTER, STARK
from tests.play.players import Players

CLUTTER = re.compile(
    r"has been activated|: activated|[Pp]ositions updated|now: |turn \d+: |TMG-|\b[br]n?[1-3]\b"
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("told") / "a.game"
    twins = {**STARK, "units": [*STARK["units"], {"card": "Stark Bowmen", "cost": 6}]}
    asked = {"mode": "GOT", "armies": [twins, LANNISTER], "seed": 7, "ready": True, "first": "blue"}
    players = Players(seed=3)
    with Session.open(path) as session:
        session.log.link.execute("PRAGMA synchronous = OFF")
        answer = session.answer({"do": "set-up", "game": "tmg-2021", "unchecked": True, **asked})
        assert answer["ok"], answer
        state = answer["state"]
        while not state["winner"]:
            side = state["pending"][0]["side"]
            answer = session.answer(players.command(session.state(side)))
            assert answer["ok"], answer
            state = answer["state"]
    return path


@pytest.fixture(scope="module")
def story(game: Path) -> Story:
    return build_story(read(game).steps)


def test_the_report_tells_by_names_and_without_clutter(story: Story) -> None:
    text = markdown(story)
    told = text[text.index("## Round 1") : text.index("## Dice")]
    assert "# Battle report: Stark (blue) – Lannister (red)" in text
    assert "- Game: A Game of Thrones, 40 points, edition 2021" in text
    assert not CLUTTER.search(told), CLUTTER.search(told)
    assert "Lannister Halberdiers" in told
    assert re.search(r"Panic test: \d \d; panic test D3: [123]\n", told)


@pytest.mark.rule("TMG-UNT-1")
def test_units_of_one_name_are_told_apart(story: Story) -> None:
    text = markdown(story)
    assert "Stark Bowmen 1" in text
    assert "Stark Bowmen 2" in text
    assert "Stark Sworn Swords 1" not in text


@pytest.mark.rule("TMG-FFA-4", "TMG-TEAM-7")
@pytest.mark.parametrize("third", ["green", "blue"])
def test_players_are_told_by_their_names(tmp_path: Path, third: str) -> None:
    """Four players against each other, or two against two."""
    path = tmp_path / "names.game"
    armies = [
        {**STARK, "player": "Anna"},
        {**LANNISTER, "player": "Ben"},
        {**STARK, "side": third, "player": "Cleo"},
        {**LANNISTER, "side": "red" if third == "blue" else "yellow", "player": "Dora"},
    ]
    with Session.open(path) as session:
        form = "ffa" if third == "green" else "team"
        asked = {"mode": "GOT", "armies": armies, "ready": True, "first": "blue", "shape": form}
        answer = session.answer({"do": "set-up", "game": "tmg-2021", "unchecked": True, **asked})
        assert answer["ok"], answer
        for command in (
            {"do": "continue"},
            {"do": "deploy"},
            {"do": "score", "side": "red", "vp": 1},
        ):
            assert session.answer(command)["ok"]
    story = build_story(read(path).steps)
    for text in (markdown(story), html(story)):
        assert all(name in text for name in ("Anna", "Ben", "Cleo", "Dora", "Stark (Anna)"))
        assert not re.search(
            r"\b(blue|red|green|Blue|Red|Green)\b",
            re.sub(r"<style>.*?</style>|class=\S+", "", text),
        ), text


@pytest.mark.rule("TMG-WND-2")
def test_armies_stand_in_the_report_with_what_is_left_of_them(story: Story) -> None:
    blue, red = story.armies
    assert (blue.side, blue.name, len(blue.members)) == ("blue", "Stark", 6)
    assert all(one.fate for one in red.members[:3])
    fallen = [one for army in story.armies for one in army.members if one.lost]
    assert all(one.fate == "destroyed" for one in fallen)
    page = html(story)
    assert page.count('<li class="lost">') == len(fallen)
    assert "edition 2021" in page


@pytest.mark.rule("TMG-PAN-2", edition="2021")
def test_d3_are_not_counted_among_the_d6(game: Path, story: Story) -> None:
    tests = sum(roll.die == 3 for beat in story.beats for roll in beat.rolls)
    assert tests > 3
    assert sum(faces.total() for faces in story.faces(3).values()) == tests
    assert all(set(faces) <= {1, 2, 3} for faces in story.faces(3).values())
    assert story.dice() == [6, 3]
    plain = export(read(game).steps)
    assert sum(plain["d3"]["red"].values()) == story.faces(3)["red"].total()
    assert sum(plain["dice"]["red"].values()) == story.faces(6)["red"].total()
