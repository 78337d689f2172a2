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
from companion.session.report.story import build_story
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
    story = build_story(read(joust.path).steps)
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


@pytest.mark.parametrize("players", [3])
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
    assert "Melee" in markdown(build_story(read(melee.path).steps))


class ScriptedMelee:
    """A melee that the first player wins: every round one power challenge, with titles."""

    WANTED = ("master-of-coin", "hand-of-the-king", "master-of-laws", "master-of-ships")

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.supported, self.rivals, self.redirected = 0, 0, 0

    @property
    def state(self) -> Any:
        return self.evening.state

    def play(self) -> None:
        self.evening.until("SETUP-8")
        while self.state.step == "SETUP-8":
            self.evening.do("place", cards=self.set_up_cards())
        for _ in range(12):
            self.round()
            if self.state.winner:
                return

    def set_up_cards(self) -> list[str]:
        seat = next(one for one in self.state.order if self.state.house(one).placed is None)
        return ["Robb Stark"] if int(seat[1:]) % 2 else ["Ser Jaime Lannister"]

    def round(self) -> None:
        evening = self.evening
        evening.until("1.2")
        for seat in self.state.order:
            plots = self.state.house(seat).plots
            evening.do("choose-plot", seat=seat, plot=plots[0])
        if self.state.step == "1.3.I":
            evening.do("toss", seat=self.state.leaders[0])
        evening.do("first-player", seat="p1")
        if self.state.step == "1.3.III":
            evening.do("continue")
        while self.state.step == "1.4":
            self.take_title()
        evening.until("4.2")
        assert self.state.active == "p1"
        self.challenge()
        evening.until("1.2")

    def take_title(self) -> None:
        seat = SCREEN.active(self.state)[0]
        left = [one.commands[0]["title"] for one in SCREEN.prompts(self.state, seat)[0].choices]
        wanted = self.WANTED if seat == "p1" else ("crown-regent",)
        title = next((one for one in wanted if one in left), left[0])
        self.evening.do("choose-title", title=title)

    def challenge(self) -> None:
        """Supported players cannot be challenged; a rival is preferred; the Regent redirects."""
        evening, state = self.evening, self.state
        robb = evening.named("Robb Stark")
        others = state.opponents("p1")
        ask = {"type": "power", "attackers": [robb]}
        for seat in others:
            if state.supports("p1", seat):
                answer = evening.session.answer({"do": "challenge", **ask, "against": seat})
                assert answer["why"] == "AGOT-TTL-16"
                self.supported += 1
        free = [one for one in others if not state.supports("p1", one)]
        rival = next((one for one in free if state.rivals("p1", one)), free[0])
        evening.do("challenge", **ask, against=rival)
        if self.state.step == "4.2.X":
            self.redirect(rival)
        against, before = self.state.challenge.defender, self.state.house("p1").power
        is_rival = self.state.rivals("p1", against)
        evening.do("pass", all=True)
        evening.do("defend", defenders=[])
        evening.do("pass", all=True)
        taken = min(1, self.state.house(against).power)
        evening.do("continue")
        gained = self.state.house("p1").power - before
        if not self.state.winner:
            assert gained == 1 + is_rival + taken, "unopposed, rival and claim"
            self.rivals += is_rival
            evening.do("keyword", keyword="renown")

    def redirect(self, rival: str) -> None:
        evening = self.evening
        use = self.redirected < 2
        evening.do("redirect", use=use)
        if use:
            refused = evening.session.answer({"do": "redirect-to", "against": rival})
            assert not refused["ok"]
            new = next(one for one in self.state.opponents("p1") if one != rival)
            evening.do("redirect-to", against=new)
            assert self.state.challenge.against == rival
            assert self.state.challenge.defender == new
            self.redirected += 1


@pytest.mark.slow
@pytest.mark.rule("AGOT-TTL-16", "AGOT-TTL-17", "AGOT-TTL-20", "AGOT-TTL-23", "AGOT-WIN-1")
@pytest.mark.parametrize("players", [4, 6])
def test_a_whole_melee_to_fifteen_power_with_titles(tmp_path: Path, players: int) -> None:
    evening = Evening(tmp_path / "w.game", players)
    script = ScriptedMelee(evening)
    script.play()
    assert evening.state.winner == "p1"
    assert evening.state.how == "power"
    assert script.supported
    assert script.rivals
    assert script.redirected == 2
    won = evening.state
    evening.session.close()
    with Session.open(evening.path) as again:
        assert again.history.now.state == won
    assert "Anna wins the game" in markdown(build_story(read(evening.path).steps))


@pytest.mark.parametrize("players", [2, 3])
def test_random_commands(tmp_path: Path, players: int) -> None:
    evening = Evening(tmp_path / "r.game", players, ready=True)
    with evening.session as session:
        drive(session, 150, players, lambda state: None)
