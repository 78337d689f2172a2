"""What a camera sees of tagged cards is put to the players: asked once, never applied by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.engine.move_queue import QuestionQueue
from companion.engine.open_game import OpenGame
from models.pose import Pose, Sigma

SEATS = [{"id": "p1", "name": "Anna"}, {"id": "p2", "name": "Boris"}]
DECKS = {"p1": "sample stark", "p2": "sample lannister"}
STANDING, KNEELING = 90.0, 0.0


class Table:
    """A game in which two tagged cards lie under a camera."""

    def __init__(self, folder: Path) -> None:
        self.game = OpenGame(folder)
        self.game.folder.mkdir(parents=True)
        command = {"do": "set-up", "game": "thrones", "seats": SEATS, "decks": DECKS, "seed": 1}
        assert self.game.start({**command, "first": "p1", "ready": True}, "cards")
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
