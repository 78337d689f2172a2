"""The report and the replay of an evening: players by name, power by round as a chart."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli.program import main
from companion.session.report.html_page import html
from companion.session.report.markdown_report import markdown
from companion.session.report.story import Story, build_story
from companion.session.session import Session
from companion.session.storage import read
from tests.games.thrones.driver import CardGame, as_words


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A joust of two rounds: Anna gains 2 power in the first, Boris 3 in the second."""
    path = tmp_path_factory.mktemp("thrones") / "evening.game"
    game = CardGame()
    seats = [{"id": one["id"], "name": one["name"]} for one in game.setup["seats"]]
    decks = {"p1": "sample stark", "p2": "sample lannister"}
    commands = [{"do": "set-up", "game": "thrones", "seats": seats, "decks": decks, "first": "p1",
                 "seed": 1, "ready": True}]  # fmt: skip
    step = game.do

    def noted(word: str, **asked: object) -> CardGame:
        commands.append({"do": word, **asked})
        return step(word, **asked)

    game.do = noted  # type: ignore[method-assign]
    game.until("AW3").do("power", target="faction:p1", change=1)
    game.do("put-into-play", seat="p1", card="Robb Stark", **{"from": "deck"})
    (robb,) = game.state.cards
    game.do("power", target=robb.id, change=1)
    while game.state.round < 2:
        game.idle()
    game.until("AW3").do("power", target="faction:p2", change=3)
    with Session.open(path) as session:
        for command in commands:
            assert session.answer(command)["ok"], command
    assert as_words(commands[-1])["word"] == "power"
    return path


@pytest.fixture(scope="module")
def story(kept: Path) -> Story:
    return build_story(read(kept).steps)


def test_players_and_phases_go_by_their_names(story: Story) -> None:
    told = markdown(story)
    assert "# Battle report: Anna – Boris" in told
    assert "| Round | Anna | Boris |" in told
    assert "### Marshaling phase" in told
    assert "## Anna: House Stark · Fealty" in told
    assert "Robb Stark: in play with 1 power" in told
    assert "p1" not in told
    assert "p2" not in told


def test_what_a_phase_does_stands_under_its_heading(story: Story) -> None:
    """One tap ends a phase and begins the next; each is told under its own heading."""
    for chapter in story.chapters:
        for turn in chapter.turns:
            lines = [str(text) for beat in turn.beats for text in beat.sentences]
            begun = [text for text in lines if "phase begins" in text or "with the plot" in text]
            assert len(begun) <= 1, begun
            assert not begun or str(turn.part).split()[0].casefold() in begun[0].casefold()
    told = markdown(story)
    draw = told.index("### Draw phase", told.index("## Round 1"))
    assert draw < told.index("draws 2") < told.index("### Marshaling phase", draw)
    assert [number for number, _ in story.scores()] == [1, 2]


def test_power_by_round_is_a_chart(story: Story) -> None:
    (first, second) = (dict(score) for _round, score in story.scores())
    assert first["p1"] >= 2  # dominance may add one
    assert second["p2"] - first["p2"] == 3
    page = html(story)
    svg = page[page.index("<svg") : page.index("</svg>") + 6]
    drawn = ElementTree.fromstring(svg)
    names = [one.text for one in drawn.iter() if one.get("class") == "name"]
    assert names == [f"Anna {second['p1']}", f"Boris {second['p2']}"]
    assert len([one for one in drawn.iter() if one.tag.endswith("polyline")]) == 2


def test_the_evening_is_replayed(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(kept)]) == 0
    told = capsys.readouterr().out
    assert "All pass" in told
    assert "Boris +3 power" in told


def test_what_the_table_allowed_is_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """AGOT-DECK-14: a deck that is too small, by leave of the table."""
    path = tmp_path / "allowed.game"
    seats = [{"id": "p1", "name": "Anna"}, {"id": "p2", "name": "Ben"}]
    small = "House Stark\n1x A Noble Cause (Core)\n3x Bran Stark (Core)"
    with Session.open(path) as session:
        decks = {"p1": small, "p2": "sample lannister"}
        set_up = {"do": "set-up", "game": "thrones", "seats": seats, "decks": decks}
        assert not session.answer(set_up)["ok"]
        assert session.answer({**set_up, "allowed": ["p1"]})["ok"]
        told = session.answer({"do": "state"})["state"]["seats"]["p1"]["allowed"]
    text = markdown(build_story(read(path).steps))
    assert told
    assert "- Game: Joust; our table allows AGOT-DECK-" in text
    for problem in told:
        assert f"- Our table allows it: {problem}" in text
    assert main(["report", str(path), "--language", "de"]) == 0
    text = capsys.readouterr().out
    assert "Unsere Runde erlaubt es: AGOT-DECK-7: der Nachziehstapel hat 3 Karten" in text
