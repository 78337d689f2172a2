"""What a camera sees of tagged cards is put to the players: asked once, never applied by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine.move_queue import MoveQueue
from companion.engine.open_game import OpenGame
from companion.engine.question_queue import QuestionQueue
from companion.games.api.play import Plain
from companion.geometry.grid.placing import cell_middle
from companion.session.game_lookup import find_screen
from companion.session.game_view import public_view
from models.pose import Pose, Sigma

SEATS = [{"id": "p1", "name": "Anna"}, {"id": "p2", "name": "Boris"}]
DECKS = {"p1": "sample stark", "p2": "sample lannister"}
CARDS = {"do": "set-up", "game": "thrones", "seats": SEATS, "decks": DECKS, "seed": 1}
CARDS |= {"first": "p1", "ready": True}
STANDING, KNEELING = 90.0, 0.0


class Table:
    """A game in which two tagged cards lie under a camera."""

    def __init__(self, folder: Path, setup: Plain = CARDS) -> None:
        self.game = OpenGame(folder)
        self.game.folder.mkdir(parents=True)
        assert self.game.start(setup, "cards")
        self.cameras: Any = SimpleNamespace(
            camera_worker=object(),
            practice_source=None,
            setup=SimpleNamespace(table_width=36.0, table_depth=30.0),
            live=SimpleNamespace(sight="live", standings=()),
        )
        self.queue = QuestionQueue(self.game, self.cameras)  # type: ignore[arg-type]

    def do(self, **command: Any) -> None:
        assert self.game.session is not None
        answer = self.game.session.answer(command)
        assert answer["ok"], answer

    def lay(self, *cards: tuple[int, float, float], condition: str = "settled") -> list[str]:
        """Lay tags along the front row of player 1; what is asked then."""
        standings = tuple(
            SimpleNamespace(
                condition=condition,
                fit=SimpleNamespace(used=(tag,), pose=Pose(x, 9.6, heading, Sigma(0.03, 0.8))),
            )
            for tag, x, heading in cards
        )
        self.cameras.live = SimpleNamespace(sight="live", standings=standings)
        self.queue.idle()
        return [one.id for one in self.game.snapshot.camera_questions]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")
    found = Table(tmp_path)
    found.do(do="put-into-play", seat="p1", card="Robb Stark")
    found.do(do="tag", card="c1", tag=11)
    yield found
    assert found.game.session is not None
    found.game.session.close()


@pytest.mark.rule("AGOT-OR-22")
def test_a_card_that_was_turned_is_asked_about_and_stays_as_it_is(table: Table) -> None:
    assert table.lay((11, 10, STANDING)) == []
    assert table.lay((11, 10, KNEELING), condition="moving") == []
    assert table.lay((11, 10, KNEELING)) == ["kneel"]
    assert table.game.here is not None
    assert not table.game.here.state.card("c1").kneeling
    (question,) = table.game.snapshot.camera_questions
    table.do(**question.choices[0].commands[0])
    assert table.lay((11, 10, KNEELING)) == []
    assert table.game.here.state.card("c1").kneeling


def test_what_is_refused_is_not_asked_again_until_the_picture_was_otherwise(table: Table) -> None:
    assert table.lay((11, 10, KNEELING)) == ["kneel"]
    table.queue.refuse("kneel")
    assert table.game.snapshot.camera_questions == ()
    assert table.lay((11, 10, KNEELING + 5)) == []
    table.do(do="note", text="a step")
    assert table.lay((11, 10, KNEELING)) == []
    assert table.lay((11, 10, STANDING)) == []
    assert table.lay((11, 10, KNEELING)) == ["kneel"]


def test_a_refusal_is_taken_back_until_the_next_step(table: Table) -> None:
    assert table.lay((11, 10, KNEELING)) == ["kneel"]
    table.queue.refuse("kneel")
    assert str(table.game.snapshot.left_question) == "Robb Stark kneels"
    assert table.game.snapshot.undo[1] == "Leave it as it was"
    assert table.queue.take_back()
    assert table.game.snapshot.left_question == ""
    assert [one.id for one in table.game.snapshot.camera_questions] == ["kneel"]
    assert not table.queue.take_back(), "what follows is a step of the game"
    table.queue.refuse("kneel")
    table.do(do="note", text="a step")
    assert table.lay((11, 10, KNEELING)) == []
    assert (table.game.snapshot.left_question, table.queue.take_back()) == ("", False)


def test_what_was_left_as_it_was_is_forgotten_with_its_picture(table: Table) -> None:
    table.lay((11, 10, KNEELING))
    table.queue.refuse("kneel")
    assert table.lay((11, 10, STANDING)) == []
    assert (table.game.snapshot.left_question, table.queue.take_back()) == ("", False)


def test_a_tag_for_the_tapped_card(table: Table) -> None:
    table.do(do="put-into-play", seat="p1", card="Bran Stark")
    table.do(do="put-into-play", seat="p1", card="Eddard Stark")
    assert table.lay((20, 20, STANDING)) == ["tag-20"]
    names = [one.text for one in table.game.snapshot.camera_questions[0].choices]
    assert names == ["Eddard Stark", "Bran Stark"]
    table.game.publish(chosen="c2")
    table.lay((20, 20, STANDING))
    first = table.game.snapshot.camera_questions[0].choices[0]
    assert first.text == "Bran Stark"
    assert first.look == "primary"


def test_a_trembling_picture_and_an_idle_game_publish_nothing(table: Table) -> None:
    table.lay((11, 10, KNEELING))
    number = table.game.snapshot.number
    table.lay((11, 10.02, KNEELING + 0.5))
    table.lay((11, 10.0, KNEELING - 0.5))
    assert table.game.snapshot.number == number
    table.game.publish(camera_questions=())
    assert table.lay((11, 10, KNEELING)) == ["kneel"], "cleared by a refresh: shown again"


def test_without_a_camera_nothing_is_asked(table: Table) -> None:
    assert table.lay((11, 10, KNEELING)) == ["kneel"]
    table.cameras.camera_worker = None
    table.queue.idle()
    assert table.game.snapshot.camera_questions == ()


CROSSING = Path(__file__).parents[2] / "games" / "tactics" / "crossing.jsonl"


class Zone(Table):
    """A skirmish whose figures wait for their deployment; player 1's zone is the board's edge."""

    def __init__(self, folder: Path) -> None:
        first, *others = map(json.loads, CROSSING.read_text().splitlines()[:6])
        super().__init__(folder, first)
        for command in others:
            self.do(**command)

    @property
    def places(self) -> dict[str, object]:
        assert self.game.here is not None
        return {one.id: one.cell for one in self.game.here.state.figures if one.cell is not None}

    def stand(self, **cells: tuple[float, float]) -> list[str]:
        """Put figures on places of the board, in spaces from its corner; what is asked then."""
        here = self.game.here
        assert here is not None
        assert here.play is not None
        self.game.publish(table=here.play.moment(here.state).table)
        board = self.game.snapshot.gridded
        assert board is not None
        x, y = cell_middle(board.board, (0, 0), 1)
        standings = tuple(
            SimpleNamespace(
                unit=figure,
                condition="settled",
                fit=SimpleNamespace(
                    used=(number,),
                    pose=Pose(
                        x + column * board.board.cell_in,
                        y + row * board.board.cell_in,
                        90.0,
                        Sigma(0.03, 0.8),
                    ),
                ),
            )
            for number, (figure, (column, row)) in enumerate(cells.items())
        )
        self.cameras.live = SimpleNamespace(sight="live", standings=standings)
        self.queue.idle()
        return [one.id for one in self.game.snapshot.camera_questions]


@pytest.fixture
def zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Zone]:
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")
    found = Zone(tmp_path)
    yield found
    assert found.game.session is not None
    found.game.session.close()


@pytest.mark.rule("TAC-SET-9")
def test_figures_that_stand_in_their_zone_are_deployed_by_one_tap(zone: Zone) -> None:
    assert zone.stand() == []
    there = {"b7": (6.0, 0.0), "b2": (1.0, 0.0), "b1": (0.0, 0.1)}
    assert zone.stand(**there) == ["deploy b1 b2"], "heroes and veterans before soldiers"
    there |= {"b3": (2.0, 0.0), "r1": (4.0, 0.0)}
    assert zone.stand(**there) == ["deploy b1 b2 b3 b7"], "the other side waits"
    (asked,) = zone.game.snapshot.camera_questions
    for command in asked.choices[0].commands:
        zone.do(**command)
    assert zone.places == {"b1": (0, 0), "b2": (1, 0), "b3": (2, 0), "b7": (6, 0)}
    assert zone.stand(**there) == []
    zone.do(do="undo")
    assert zone.places == {}, "one step"


@pytest.mark.rule("TAC-SET-8")
def test_a_figure_between_two_spaces_or_outside_its_zone_is_not_deployed(zone: Zone) -> None:
    assert zone.stand(b1=(0.5, 0.0)) == ["between b1"], "never left out in silence"
    (told,) = zone.game.snapshot.camera_questions
    name = zone.game.snapshot.name("b1")
    assert f"Between two spaces: {name}." in str(told.detail)
    assert not told.choices
    assert zone.stand(b1=(0.0, 0.0), b2=(1.5, 0.0)) == ["deploy b1 b2"]
    (told,) = zone.game.snapshot.camera_questions
    assert f"two spaces: {zone.game.snapshot.name('b2')}." in str(told.detail)
    assert zone.stand(b1=(0.0, 6.0)) == ["between b1"], "nor the hero whom all others wait for"
    (told,) = zone.game.snapshot.camera_questions
    assert str(told.detail) == f"Not where they may be deployed: {name}."
    zone.stand(b1=(0.0, 0.0), b2=(1.0, 6.0))
    (told,) = zone.game.snapshot.camera_questions
    assert f"may be deployed: {zone.game.snapshot.name('b2')}." in str(told.detail)
    assert zone.stand(b1=(0.0, 0.0)) == ["deploy b1"]
    zone.queue.refuse("deploy b1")
    assert zone.stand(b1=(0.0, 0.0)) == [], "the players' word counts"


@pytest.mark.rule("TAC-SET-8")
def test_figures_between_two_spaces_are_named(zone: Zone) -> None:
    """Nobody wonders why the camera leaves them out."""
    zone.stand(b1=(0.0, 0.0), b2=(1.5, 0.0))
    (asked,) = zone.game.snapshot.camera_questions
    name, other = (zone.game.snapshot.name(one) for one in ("b1", "b2"))
    assert f". Between two spaces: {other}. Put each" in str(asked.detail)
    zone.stand(b1=(0.0, 0.0), b2=(-3.0, -3.0))
    (asked,) = zone.game.snapshot.camera_questions
    assert str(asked.detail).lower() == f"{name}. beside the board: {other}."
    assert zone.stand(b2=(-3.0, -3.0)) == [], "what waits beside the board is no question"


@pytest.mark.rule("TAC-MOV-1")
def test_a_figure_that_was_moved_before_it_acts_is_compared_when_it_acts(tmp_path: Path) -> None:
    """A hand is quicker than the tap that activates: the move is taken then."""
    game = OpenGame(tmp_path)
    first, *others = find_screen("tactics").practice("tactics")
    assert game.start(first, "board")
    assert game.session is not None
    sent: list[Plain] = []

    def do(command: Plain) -> None:
        assert game.session is not None
        assert game.session.answer(dict(command))["ok"]
        here = game.here
        assert here is not None
        assert here.play is not None
        assert game.screen is not None
        table = here.play.moment(here.state).table
        game.publish(table=table, view=public_view(game.screen, here))

    for command in others:
        do(command)
    board = game.snapshot.gridded
    assert board is not None
    x, y = cell_middle(board.board, (3, 3), 1)
    stands = SimpleNamespace(
        unit="b1", condition="settled", fit=SimpleNamespace(pose=Pose(x, y, 90.0, Sigma(0.03, 0.8)))
    )
    live = SimpleNamespace(sight="live", standings=(stands,))
    cameras: Any = SimpleNamespace(live=live, practice_source=None)
    queue = MoveQueue(game, cameras, lambda commands, *_: sent.extend(commands))
    queue.compare_acting(game.snapshot.view)
    assert not sent, "nobody acts"
    before = game.snapshot.view
    do({"do": "activate", "figure": "b1"})
    queue.compare_acting(before)
    assert sent == [{"do": "move", "to": "3,3"}]
    sent.clear()
    queue.compare_acting(game.snapshot.view)
    assert not sent, "it acted already"
