"""Two games nobody else knows: on hexes, and of cards without a table. Driven as players would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.cli.program import main
from companion.games.api.game_screen import GameScreen
from companion.games.api.prompt import ActionOffer, Prompt
from companion.overlay.map_theme import side_looks
from companion.session.game_lookup import find_screen
from companion.session.report.html_page import html
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import Replay
from companion.session.report.story import build_story
from companion.session.session import Session
from companion.session.storage import read
from models import UnknownName
from models.board_table import BoardTable
from models.table import load_table
from tests.conftest import TOYS
from tests.session.driving import drive

pytestmark = pytest.mark.usefixtures("toy_game")
NAMES = ("Anna", "Boris", "Clara", "Dirk", "Ewa", "Finn")


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here is about the disk."""
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")


class Playing:
    """A game in a file, played through what its screen offers."""

    def __init__(self, path: Path, game: str, players: int) -> None:
        self.path, self.screen = path, find_screen(game)
        self.session = Session.open(path)
        ids = self.screen.seat_range(game).ids[:players]
        seats = [{"id": one, "name": name} for one, name in zip(ids, NAMES, strict=False)]
        self.do({**self.screen.set_up(game, {"seats": seats}), "seed": 1})

    @property
    def state(self) -> Any:
        return self.session.history.now.state

    def do(self, command: Any) -> dict[str, Any]:
        answer = self.session.answer(dict(command))
        assert answer["ok"], answer
        return answer

    def prompt(self, seat: str | None = None) -> Prompt:
        return self.screen.prompts(self.state, seat)[0]

    def offers(self, piece: str | None = None) -> list[ActionOffer]:
        table = self.session.history.now.play.moment(self.state).table  # type: ignore[union-attr]
        report = None if table is None else games.find(table.game).report(table)
        return list(self.screen.offers(self.state, report, piece))

    def outcome(self, command: Any) -> str:
        """What the screen says after a command."""
        before = self.state
        self.do(command)
        step = self.session.history.last
        assert step is not None
        found = self.screen.outcome(before, step.events(), self.state)
        return found.text if found is not None else ""


@pytest.fixture
def hexes(tmp_path: Path) -> Iterator[Playing]:
    playing = Playing(tmp_path / "h.game", "hexes", 2)
    yield playing
    playing.session.close()


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[Playing]:
    playing = Playing(tmp_path / "a.game", "cards", 4)
    yield playing
    playing.session.close()


# -- hexes --------------------------------------------------------------------------------------


def finish(hexes: Playing) -> None:
    """Play to the end: attack where possible, otherwise step towards the enemy."""
    for _ in range(60):
        if hexes.screen.score(hexes.state).winner:
            return
        prompt = hexes.prompt()
        if prompt.dice is not None:
            hexes.do({**prompt.dice.command, prompt.dice.count_field: prompt.dice.count})
            continue
        legal = [one for one in hexes.offers() if one.verdict == "yes"]
        if not legal:
            ahead = 1 if prompt.seats == ("sun",) else -1
            hexes.do(farthest(hexes, ahead))
            continue
        hexes.do(legal[0].commands[0])
    raise AssertionError("no winner")


def farthest(hexes: Playing, ahead: int) -> Any:
    """The command that moves the first piece asked for as far ahead as it goes."""
    (move,) = (one for one in hexes.offers(hexes.prompt().pieces[0]) if one.cells)
    return max(move.cells, key=lambda one: ahead * one.cell[1]).commands[0]


def test_a_turn_a_prompt_with_dice_and_a_winner(hexes: Playing) -> None:
    assert [seat.name for seat in hexes.screen.seats(hexes.state)] == ["Anna", "Boris"]
    assert hexes.screen.active(hexes.state) == ("sun",)
    near = [one for one in hexes.offers("s1") if one.verdict == "yes"]
    assert {one.kind for one in near} == {"move"}
    assert "Scout 1 moved" in hexes.outcome(near[0].cells[0].commands[0])
    assert hexes.screen.active(hexes.state) == ("moon",)
    finish(hexes)
    score = hexes.screen.score(hexes.state)
    assert max(one.points for one in score.seats) == score.seats[0].goal == 2
    assert hexes.screen.prompts(hexes.state) == ()
    assert sum(view.left == 0 for view in hexes.screen.pieces(hexes.state)) >= 2


@pytest.mark.parametrize(
    ("entered", "hits"),
    [({"faces": [4, 6]}, 2), ({"faces": [3, 1]}, 0), ({"hits": 1}, 1), ({}, None)],
)
def test_dice_are_entered_as_faces_as_a_count_or_rolled(
    hexes: Playing, entered: dict[str, Any], hits: int | None
) -> None:
    while not (attacks := [one for one in hexes.offers() if one.verdict == "yes"]):
        step = {"sun": 1, "moon": -1}[hexes.prompt().seats[0]]
        hexes.do(farthest(hexes, step))
    hexes.do(attacks[0].commands[0])
    asked = hexes.prompt().dice
    assert asked is not None
    told = hexes.outcome({**asked.command, **entered})
    if hits is not None:
        assert told.startswith(f"{hits} hit")


def test_what_is_not_allowed_has_its_rule_and_reason(hexes: Playing) -> None:
    refused = [one for one in hexes.offers("s1") if one.verdict == "no"]
    assert refused
    assert all(one.rules == ("HEX-2",) and one.reason for one in refused)
    assert hexes.session.answer(dict(refused[0].commands[0]))["why"] == "HEX-2"


def test_undo_and_resume(hexes: Playing) -> None:
    start = hexes.state
    hexes.do({"do": "move", "piece": "s1", "cell": "1,1"})
    moved = hexes.state
    hexes.do({"do": "undo"})
    assert hexes.state == start
    hexes.do({"do": "redo"})
    hexes.session.close()
    with Session.open(hexes.path) as again:
        assert again.history.now.state == moved


def test_report_and_replay_with_maps(hexes: Playing, tmp_path: Path) -> None:
    finish(hexes)
    hexes.session.close()
    story = build_story(read(hexes.path).steps)
    assert story.end is not None
    assert story.end.winner in ("sun", "moon")
    assert "Scout 1 moved" in markdown(story)
    painted: list[Any] = []

    def paint(table: Any, title: str) -> bytes:
        painted.append(games.find(table.game).board(table))
        return b"png"

    assert "data:image/png" in html(story, paint)
    assert len(painted) > 2
    assert (
        len(list(Replay.of(read(hexes.path).steps).lines()))
        == story.chapters[-1].turns[-1].beats[-1].seq
    )
    assert main(["report", str(hexes.path), "--html", str(tmp_path / "a.html")]) == 0


def test_rules_and_map_of_a_table_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = TOYS / "hexes.table.json"
    assert isinstance(load_table(table), BoardTable)
    assert main(["rules", str(table), "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)
    assert answers["pieces"]["s1"]["reach"]["1,1"] == {"cost": 1}
    assert main(["map", str(table), "--png", str(tmp_path / "a.png")]) == 0
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["check", "{table}", "{table}", "--unit", "s1"], "hexes cannot check moves"),
        (["odds", "--game", "hexes"], "hexes has no odds"),
        (["odds", "--game", "cards"], "no rules for game 'cards'"),
        (["army", "-", "--game", "hexes"], "'hexes' has no army lists"),
        (["army", "-", "--game", "cards"], "'cards' has no army lists"),
        (["play", "{table}"], "is a board of hexes; this needs an open table with trays"),
        (["map", "{table}", "--png", "{out}", "--mode", "GOT"], "a board of hexes has no mode"),
        (["rules", "{table}", "--reading", "a=b"], "no reading 'a=b'; this game has none"),
        (["rules", "{table}", "--unit", "zz"], "no piece 'zz' on the board"),
    ],
)
def test_what_a_game_does_not_have_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, argv: list[str], complaint: str
) -> None:
    places = {"table": TOYS / "hexes.table.json", "out": tmp_path / "a.png"}
    assert main([word.format(**places) for word in argv]) == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1


@pytest.mark.slow
def test_the_report_of_a_board_in_words_and_its_map(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = str(TOYS / "hexes.table.json")
    assert main(["play", table, "--text", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("hexes.table.json: hexes\ns1\n  reach\n")
    assert (tmp_path / "hexes.png").exists()


# -- cards --------------------------------------------------------------------------------------


def test_a_secret_choice_revealed_together(cards: Playing) -> None:
    for number, seat in enumerate(("north", "east", "south", "west")):
        asked = cards.prompt()
        assert asked.secret
        assert asked.seats == ("north", "east", "south", "west")
        assert len(asked.answered) == number
        assert not asked.choices
        assert cards.screen.active(cards.state) == asked.seats[number:]
        mine = cards.prompt(seat).choices
        assert len(mine) == 4
        said = cards.outcome(mine[0].commands[0])
        assert (
            not any(mine[0].text in step["title"] for step in cards.session.state()["log"][-1:])
            or number == 3
        )
    assert "takes it" in said
    assert sum(one.points for one in cards.screen.score(cards.state).seats) == 1
    assert cards.prompt().answered == ()


def test_hands_are_hidden(cards: Playing) -> None:
    hands = cards.session.state()["hands"]
    assert hands == dict.fromkeys(("north", "east", "south", "west"), 4)
    (page,) = cards.screen.pages(cards.state, "east")
    lines = {card.seat: card.lines for card in page.sections[0].cards}
    assert lines["north"] == ()
    assert lines["east"] != ()
    own = cards.session.answer({"do": "state", "for": "east"})["state"]
    offered = {one["side"]: len(one["options"]) for one in own["pending"]}
    assert offered == {"north": 0, "east": 4, "south": 0, "west": 0}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_to_the_winner_with_clock_report_and_replay(tmp_path: Path, players: int) -> None:
    cards = Playing(tmp_path / "b.game", "cards", players)
    cards.do({"do": "clock", "action": "start"})
    while prompts := cards.screen.prompts(cards.state):
        seat = next(one for one in prompts[0].seats if one not in prompts[0].answered)
        cards.do(cards.prompt(seat).choices[-1].commands[0])
    assert cards.screen.score(cards.state).winner
    cards.do({"do": "clock", "action": "set", "minutes": 30})
    clock = cards.session.state()["clock"]["sides"]
    assert len(clock) == players
    assert all(one["left"] <= 1800 for one in clock.values())
    cards.session.close()
    story = build_story(read(cards.path).steps)
    assert len(story.sides) == players
    assert "takes the trick" in markdown(story)
    page = html(story)
    assert "<html" in page
    looks = side_looks(story.sides)
    assert len({looks[side] for side in story.sides}) == players, "each seat looks different"
    assert len(Replay.of(read(cards.path).steps)) > 4 * players


@pytest.mark.parametrize("game", ["hexes", "cards"])
def test_random_commands(tmp_path: Path, game: str) -> None:
    playing = Playing(tmp_path / "c.game", game, 2)
    with playing.session as session:
        drive(session, 300, 1, lambda state: None)


@pytest.mark.parametrize("seats", [[], [{}] * 7, [{"id": "nobody"}, {}], [{"id": "east"}] * 2, 7])
def test_a_wrong_number_of_players_is_refused(tmp_path: Path, seats: Any) -> None:
    with Session.open(tmp_path / "d.game") as session:
        answer = session.answer({"do": "set-up", "game": "cards", "seats": seats})
        assert answer["why"] == "INPUT"
        assert "seats" in answer["say"]


def test_another_program_plays_by_the_screen_alone(cards: Playing, hexes: Playing) -> None:
    shown = cards.do({"do": "screen", "seat": "south"})["screen"]
    (asked,) = shown["prompts"]
    assert asked["secret"]
    assert cards.do(asked["choices"][0]["commands"][0])["ok"]
    after = cards.do({"do": "screen"})["screen"]
    assert after["outcome"]["text"] == "Clara has chosen."
    assert after["active"] == ["north", "east", "west"]
    assert "choices" not in after["prompts"][0]
    json.dumps(after)
    moves = hexes.do({"do": "screen", "piece": "s1"})["screen"]["offers"]
    assert hexes.do(moves[0]["cells"][0]["commands"][0])["ok"]
    assert hexes.session.answer({"do": "screen", "seat": "nobody"})["why"] == "INPUT"


def test_a_game_without_a_screen_says_so(tmp_path: Path) -> None:
    with Session.open(tmp_path / "e.game") as session:
        assert session.answer({"do": "screen"})["why"] == "SET-UP"
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
        assert "has no screen" in session.answer({"do": "screen"})["say"]


# -- finding ------------------------------------------------------------------------------------


def test_screens_are_found_by_being_there() -> None:
    assert isinstance(find_screen("cards").name("cards"), str)
    assert find_screen("cards").space("cards").kind == "none"
    with pytest.raises(
        UnknownName, match="game 'chess' has no screen; these have one: cards, hexes"
    ):
        find_screen("chess")


@pytest.mark.parametrize("toy", ["hexes", "cards"])
def test_a_toy_is_small(toy: str) -> None:
    lines = sum(len(path.read_text().splitlines()) for path in (TOYS / toy).glob("*.py"))
    assert lines < 300


def test_the_steps_of_a_new_game_end_with_begin() -> None:
    for game in ("hexes", "cards"):
        screen: GameScreen = find_screen(game)
        kinds = [step.kind for step in screen.steps(game, {})]
        assert kinds == ["seats", "begin"]
