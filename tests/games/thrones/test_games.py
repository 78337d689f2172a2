"""Whole games through the session: joust to 15 power, melee of four and six, undo, report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.thrones.screen import SCREEN
from companion.session.report.html_page import html
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import Replay
from companion.session.report.story import tell
from companion.session.session import Session
from companion.session.storage import read
from tests.games.thrones.driver import NAMES, SEATS
from tests.session.driving import drive


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here is about the disk."""
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")


class Evening:
    """A game in a file, played by commands."""

    def __init__(self, path: Path, players: int, **asked: Any) -> None:
        self.path = path
        self.session = Session.open(path)
        seats = [{"id": SEATS[n], "name": NAMES[n]} for n in range(players)]
        lists = {SEATS[n]: ("sample stark", "sample lannister")[n % 2] for n in range(players)}
        usual = {"game": "thrones", "first": "p1", "seed": 1}
        self.do("set-up", seats=seats, decks=lists, **{**usual, **asked})

    @property
    def state(self) -> Any:
        return self.session.history.now.state

    def do(self, do: str, **asked: Any) -> dict[str, Any]:
        answer = self.session.answer({"do": do, **asked})
        assert answer["ok"], (do, asked, answer)
        return answer

    def first_choice(self) -> None:
        """Answer the current prompt with its first button, for the seat that is asked."""
        prompt = SCREEN.prompts(self.state)[0]
        seat = next((one for one in prompt.seats if one not in prompt.answered), None)
        own = SCREEN.prompts(self.state, seat)[0]
        self.do(**own.choices[0].commands[0])

    def until(self, step: str) -> None:
        for _ in range(200):
            if self.state.step == step or self.state.winner:
                return
            if self.state.step == "1.4":
                left = SCREEN.prompts(self.state, SCREEN.active(self.state)[0])[0].choices
                self.do(**left[-1].commands[0])
            else:
                self.first_choice()
        raise AssertionError(step)

    def named(self, name: str) -> str:
        return next(card.id for card in self.state.cards if card.name == name)


@pytest.fixture
def joust(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "a.game", 2)
    yield evening
    evening.session.close()


def scripted_joust(joust: Evening) -> None:
    """A whole joust: set-up, marshaling, a duplicate, ambush, all challenges, renown, 15 power."""
    joust.do("mulligan", seat="p1", take=True)
    joust.do("mulligan", seat="p2", take=False)
    joust.do("place", seat="p1", cards=["Robb Stark", "Bran Stark"])
    joust.do("place", seat="p2", cards=["Ser Jaime Lannister", "The Tickler"])
    for turn in range(9):
        joust.until("1.2")
        plot = {"p1": joust.state.house("p1").plots[0], "p2": joust.state.house("p2").plots[-1]}
        for seat, code in plot.items():
            joust.do("choose-plot", seat=seat, plot=code)
        if joust.state.step == "1.3.I":
            joust.do("toss", seat="p1")
        joust.do("first-player", seat="p1")
        joust.do("continue")
        joust.until("AW3")
        if turn == 0:
            joust.do("marshal", seat="p1", card="Robb Stark")
            joust.do("marshal", seat="p1", card="Summer")
        joust.until("AW4")
        if turn == 0:
            joust.do("ambush", seat="p2", card="Burned Men", gold=2)
        joust.until("4.2")
        robb = joust.named("Robb Stark")
        joust.do("challenge", type="power", attackers=[robb])
        joust.do("pass", all=True)
        joust.do("defend", defenders=[])
        joust.do("pass", all=True)
        joust.do("continue")
        if joust.state.winner:
            return
        joust.do("keyword", keyword="renown")
        if joust.state.winner:
            return
        joust.until("1.2")
        if joust.state.winner:
            return


def test_a_whole_joust_to_fifteen_power(joust: Evening, tmp_path: Path) -> None:
    scripted_joust(joust)
    assert joust.state.winner == "p1"
    assert joust.state.how == "power"
    score = SCREEN.score(joust.state)
    assert max(one.points for one in score.seats) >= 15
    assert joust.session.answer({"do": "draw", "seat": "p1"})["why"] == "AGOT-WIN-2"
    won = joust.state
    joust.do("undo")
    assert not joust.state.winner
    joust.do("redo")
    assert joust.state == won
    joust.session.close()
    with Session.open(joust.path) as again:
        assert again.history.now.state == won
    story = tell(read(joust.path).steps)
    assert story.end is not None
    assert story.end.winner == "p1"
    text = markdown(story)
    assert "Anna wins the game" in text
    assert "Robb Stark" in text
    assert "<html" in html(story)
    assert len(Replay.of(read(joust.path).steps)) > 60


def test_undo_to_the_first_step(joust: Evening) -> None:
    start = joust.state
    joust.do("mulligan", seat="p1", take=True)
    joust.do("mulligan", seat="p2", take=False)
    joust.do("place", seat="p1", cards=["Robb Stark"])
    for _ in range(3):
        joust.do("undo")
    assert joust.state == start


@pytest.mark.parametrize("players", [4, 6])
def test_a_melee_over_several_rounds(tmp_path: Path, players: int) -> None:
    melee = Evening(tmp_path / "m.game", players)
    while melee.state.step != "1.2":
        if melee.state.step == "SETUP-8":
            melee.do("place", cards=["Littlefinger", "Littlefinger"])
        else:
            melee.first_choice()
    for turn in range(3):
        melee.until("4.2")
        active = melee.state.active
        mine = list(melee.state.controlled(active, "character"))
        against = next(
            one for one in melee.state.opponents(active) if not melee.state.supports(active, one)
        )
        melee.do("challenge", type="power", against=against, attackers=[mine[0].id])
        melee.until("1.2")
        assert melee.state.round == turn + 2
    assert sum(one.points for one in SCREEN.score(melee.state).seats) > 0
    shown = melee.do("screen", seat="p2")["screen"]
    assert len(shown["seats"]) == players
    assert len(shown["pages"]) == 4
    melee.session.close()
    assert "Melee" in markdown(tell(read(melee.path).steps))


@pytest.mark.parametrize("players", [2, 3])
def test_random_commands(tmp_path: Path, players: int) -> None:
    evening = Evening(tmp_path / "r.game", players, ready=True)
    with evening.session as session:
        drive(session, 150, players, lambda state: None)
