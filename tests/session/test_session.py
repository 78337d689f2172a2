"""Commands and answers: steps, refusals, undo and redo of any depth, notes, what is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.session.fold import fold, steps_played
from companion.session.session import Session
from companion.session.storage import read
from companion.text.translation import CURRENT
from tests.session.conftest import Do, Watch


def refolded(session: Session) -> Any:
    """The state as a reading of the file gives it."""
    kept = session.log.steps()
    assert kept == read(session.log.path).steps
    return fold(kept).now.state


TAKE = {"do": "take", "stones": 1}


def test_commands_together_are_one_step(session: Session) -> None:
    before = session.history.now.state
    seq = session.history.seq
    answer = session.answer({"do": "together", "commands": [TAKE, TAKE]})
    assert answer["ok"]
    assert (session.history.seq, answer["state"]["stones"]) == (seq + 1, before.stones - 2)
    assert session.history.now.state == refolded(session)
    assert session.answer({"do": "undo"})["ok"]
    assert session.history.now.state == before


def test_a_game_is_set_up_once(do: Do) -> None:
    again = do("set-up", game="toy", stones=5)
    assert (again["ok"], again["why"]) == (False, "SET-UP")
    assert do("undo")["state"]["game"] is None
    assert do("take", stones=1)["why"] == "SET-UP"
    assert do("set-up", game="toy", stones=5)["state"]["stones"] == 5


@pytest.mark.parametrize(
    ("command", "why", "says"),
    [
        ({}, "INPUT", "no 'do'"),
        ({"do": 7}, "INPUT", "7 is not a text"),
        ({"do": "fly"}, "INPUT", "fly"),
        ({"do": "take", "stones": 4}, "TOY-1", "4 are more than 3"),
        ({"do": "take"}, "INPUT", "'stones' is missing"),
        ({"do": "take", "stones": 1, "hats": 2}, "INPUT", "unknown key 'hats'"),
        ({"do": "undo", "count": 0}, "INPUT", "0 is outside"),
        ({"do": "undo", "count": 2}, "UNDO", "only 1 such"),
        ({"do": "undo", "count": 1, "to": 1}, "INPUT", "not both"),
        ({"do": "undo", "to": 7}, "UNDO", "step 7"),
        ({"do": "redo"}, "REDO", "nothing to redo"),
        ({"do": "note"}, "INPUT", "'text' is missing"),
        ({"do": "state", "for": "green"}, "INPUT", "'green'"),
        ({"do": "clock", "action": "pause"}, "CLOCK", "not running"),
        ({"do": "clock", "action": "set"}, "INPUT", "minutes"),
        ({"do": "clock", "action": "add", "side": "blue"}, "INPUT", "seconds"),
        ({"do": "clock", "action": "give"}, "INPUT", "side"),
        ({"do": "explode"}, "BUG", "the toy broke"),
        ({"do": "together"}, "INPUT", "'commands' is missing"),
        ({"do": "together", "commands": []}, "INPUT", "0 entries"),
        ({"do": "together", "commands": [{"do": "undo"}]}, "INPUT", "'undo' is no command"),
        ({"do": "together", "commands": [{"do": "save"}]}, "INPUT", "'save' is no command"),
        ({"do": "together", "commands": [7]}, "INPUT", "7 is not an object"),
        (
            {"do": "together", "commands": [TAKE, {"do": "take", "stones": 4}]},
            "TOY-1",
            "4 are more than 3",
        ),
    ],
)
def test_a_refusal_gives_its_reason_and_changes_nothing(
    session: Session, command: dict[str, Any], why: str, says: str
) -> None:
    before = session.history
    answer = session.answer(command)
    assert answer == {"ok": False, "why": why, "say": answer["say"]}
    assert says in answer["say"]
    assert session.history is before
    assert len(read(session.log.path).steps) == 1


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ({"do": "take", "stones": 1}, "SET-UP"),
        ({"do": "set-up"}, "SET-UP"),
        ({"do": "set-up", "game": "chess"}, "INPUT"),
        ({"do": "set-up", "game": "toy", "stones": 0}, "TOY-2"),
        ({"do": "undo"}, "UNDO"),
        ({"do": "clock", "action": "start"}, "CLOCK"),
        ({"do": "state", "for": "blue"}, "INPUT"),
    ],
)
def test_before_the_set_up(path: Path, command: dict[str, Any], why: str) -> None:
    with Session.open(path) as session:
        assert session.answer(command)["why"] == why
        assert session.answer({"do": "state"})["state"]["phase"] == "set-up"


def test_undo_and_redo_say_what_they_do(do: Do) -> None:
    do("take", stones=3)
    do("take", stones=2)
    answer = do("undo")
    assert answer["state"]["log"][-1]["title"] == "undo: red takes 2"
    assert (answer["state"]["stones"], answer["state"]["active"]) == (97, "red")
    assert (answer["state"]["undo"], answer["state"]["redo"]) == ("blue takes 3", "red takes 2")
    answer = do("redo")
    assert answer["state"]["log"][-1]["title"] == "redo: red takes 2"
    assert answer["state"]["stones"] == 95
    assert do("undo", count=2)["state"]["log"][-1]["title"].endswith("before “blue takes 3”")
    assert do("redo", count=2)["state"]["stones"] == 95


def test_undo_to_a_step_and_redo_to_a_step(do: Do) -> None:
    for stones in (1, 2, 3):
        do("take", stones=stones)  # steps 2, 3, 4
    assert do("undo", to=2)["state"]["stones"] == 99
    assert do("redo", to=4)["state"]["stones"] == 94
    assert do("undo", to=0)["state"]["game"] is None


def test_a_new_step_ends_what_could_be_done_again(do: Do) -> None:
    do("take", stones=3)
    do("undo")
    do("take", stones=1)
    assert do("redo")["why"] == "REDO"


def test_undo_of_an_undo_is_not_needed_and_every_depth_is_reached(session: Session, do: Do) -> None:
    start = session.history.now.state
    states = [start]
    for _ in range(30):
        do("gamble")
        states.append(session.history.now.state)
    for state in reversed(states[:-1]):
        assert do("undo")["ok"]
        assert session.history.now.state == state
    for state in states[1:]:
        assert do("redo")["ok"]
        assert session.history.now.state == state
    assert refolded(session) == states[-1]
    assert len(steps_played(session.history)) == 31


def test_history_lists_what_may_be_undone(do: Do) -> None:
    do("take", stones=3)
    do("note", text="well taken")
    do("undo")
    answer = do("history")
    assert [one["title"] for one in answer["undo"]] == ["blue takes 3", "set up toy"]
    assert [one["title"] for one in answer["redo"]] == ["note: well taken"]


def test_notes_are_steps(do: Do) -> None:
    answer = do("note", text="a long talk", side="red")
    assert answer["state"]["notes"] == [{"seq": 2, "text": "a long talk", "side": "red"}]
    assert do("undo")["state"]["notes"] == []


def test_a_question_logs_nothing(do: Do) -> None:
    answer = do("count")
    assert (answer["left"], answer["seq"]) == (100, 1)


def test_dice_are_in_the_log_and_not_rolled_again(session: Session, do: Do) -> None:
    faces = do("gamble")["faces"]
    assert session.history.now.step is not None
    assert session.history.now.step.events()[0].data["faces"] == faces
    assert do("undo")["ok"]
    assert do("gamble")["faces"] == faces  # the seed is the state's: undo does not shop for luck


def test_hidden_things_are_seen_by_their_side_alone(session: Session, do: Do) -> None:
    answer = do("hide", card="ace of hearts")
    assert "ace" not in json.dumps(answer)
    assert "ace" not in json.dumps(do("state"))
    assert "ace" not in json.dumps(session.answer({"do": "state", "for": "red"}))
    assert "ace" not in json.dumps(do("history"))
    seen = session.answer({"do": "state", "for": "blue"})
    assert seen["state"]["hands"]["blue"] == ["ace of hearts"]


def test_a_game_goes_on_after_closing(path: Path, watch: Watch) -> None:
    with Session.open(path, watch) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
        session.answer({"do": "take", "stones": 2})
        session.answer({"do": "take", "stones": 2})
        session.answer({"do": "undo"})
        before = session.state()
    assert [file.name for file in path.parent.iterdir()] == ["a.game"]
    with Session.open(path, watch) as session:
        assert session.state() == before
        assert session.answer({"do": "redo"})["state"]["stones"] == 5


def test_a_set_up_without_a_seed_gets_one(path: Path) -> None:
    seeds = set()
    for name in ("a", "b"):
        with Session.open(path.with_name(name)) as session:
            session.answer({"do": "set-up", "game": "toy", "stones": 9})
            seeds.add(session.history.now.state.seed)
    assert len(seeds) == 2


def test_help_lists_every_command_with_its_fields(do: Do, path: Path) -> None:
    listed = {one["do"]: one for one in do("help")["commands"]}
    assert {"help", "state", "undo", "redo", "note", "clock", "set-up", "take"} <= set(listed)
    game = listed["set-up"]["fields"][0]
    assert (game["name"], game["options"]) == ("game", ["cards", "hexes", "toy", "toy-2"])
    assert listed["take"]["fields"] == [
        {"name": "stones", "kind": "number", "what": "", "required": True}
    ]
    with Session.open(path.with_name("new.game")) as fresh:
        names = {one["do"] for one in fresh.answer({"do": "help", "game": "toy"})["commands"]}
    assert names == set(listed)


def test_a_game_that_is_opened_again_speaks_its_own_words(path: Path) -> None:
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
        assert CURRENT.game == "toy"  # from the first answer on
    CURRENT.set_game("")
    with Session.open(path):
        assert CURRENT.game == "toy"
