"""What the camera reads of dice: proposed once, corrected by die, never taken while in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.turn import proposed_dice
from companion.engine.turn.proposed_dice import (
    SURE_AFTER,
    ProposedDice,
    ShownFaces,
    photographed,
    throw_json,
)
from companion.vision.dice.dice_reader import Doubt, ReadThrow, SeenDie
from companion.vision.dice.learned_faces import TRAITS, LearnedFaces
from companion.vision.dice.throw_watch import ThrowSight


def read(number: int, *faces: int, unclear: tuple[int, ...] = ()) -> ThrowSight:
    """A throw that lies still."""
    dice = tuple(SeenDie(50, 40, face, 0.9) for face in faces)
    return ThrowSight(
        "read", ReadThrow(dice, tuple(Doubt("unclear", die) for die in unclear)), number
    )


def test_a_d3_is_read_off_a_d6_and_a_doubt_is_said_before_it_counts() -> None:
    dice = ProposedDice(2, 3)
    assert dice.see(read(1, 4, 5, unclear=(1,)))
    assert (dice.faces, dice.complete, dice.tapped) == ([2, 3], False, 1)
    dice.correct(3)
    assert dice.complete
    assert dice.streak(7) == 8  # the camera was right, and asked
    dice.tap(0)
    dice.correct(1)
    assert (dice.faces, dice.streak(7)) == ([1, 3], 0)
    assert not dice.see(read(1, 6))  # the same throw again
    assert dice.faces == [1, 3]


@pytest.mark.parametrize(
    ("sides", "faces"), [(3, [1, 1, 2, 3]), (6, [1, 2, 3, 6]), (10, [1, 2, 3, 6])]
)
def test_faces_are_told_as_the_prompt_takes_them(sides: int, faces: list[int]) -> None:
    told = throw_json(read(2, 1, 2, 3, 6, unclear=(3, 0, 3)), 4, sides)
    assert told == {
        "phase": "read",
        "number": 2,
        "count": 4,
        "sides": sides,
        "faces": faces,
        "doubtful": [0, 3],
    }


def test_nothing_is_told_of_dice_that_roll() -> None:
    told = throw_json(ThrowSight("moving"), 2, 6)
    assert (told["phase"], told["faces"], told["doubtful"]) == ("moving", [], [])


def test_doubts_are_asked_one_after_the_other_the_first_die_first() -> None:
    dice = ProposedDice(3, 6)
    dice.see(read(1, 2, 3, 4, unclear=(2, 0)))
    assert dice.tapped == 0
    dice.correct(5)
    assert (dice.tapped, dice.complete) == (2, False)
    dice.correct(4)
    assert (dice.complete, dice.faces) == (True, [5, 3, 4])
    dice.correct(1)  # no die is tapped
    assert dice.faces == [5, 3, 4]
    assert dice.streak(7) == 0


def test_a_second_tap_leaves_a_die() -> None:
    dice = ProposedDice(1, 6)
    dice.see(read(1, 2))
    dice.tap(0)
    assert dice.tapped == 0
    dice.tap(0)
    assert dice.tapped is None


def test_a_new_throw_replaces_the_one_before() -> None:
    dice = ProposedDice(1, 6)
    dice.see(read(1, 2, unclear=(0,)))
    dice.correct(6)
    assert dice.see(read(2, 4))
    assert (dice.faces, dice.tapped, dice.corrected, dice.complete) == ([4], None, False, True)


def test_only_what_changes_what_is_shown_is_new() -> None:
    dice = ProposedDice(1, 6)
    assert not dice.see(ThrowSight("waiting"))
    assert dice.see(ThrowSight("moving"))
    assert not dice.see(ThrowSight("moving"))
    assert dice.see(read(1, 3))
    assert not dice.see(ThrowSight("read", number=2))  # nothing was read yet


def test_a_streak_ends_where_throws_may_be_taken_at_once() -> None:
    dice = ProposedDice(1, 6)
    assert dice.streak(SURE_AFTER - 1) == dice.streak(SURE_AFTER) == SURE_AFTER


@pytest.mark.parametrize(
    ("sight", "words"),
    [
        (ThrowSight("no mat"), "no dice mat"),
        (ThrowSight("two mats"), "leave one"),
        (ThrowSight("covered"), "covers the dice mat"),
        (ThrowSight("too small"), "bring the camera nearer"),
        (ThrowSight("waiting"), "Roll your dice on the mat"),
        (ThrowSight("moving"), "are rolling"),
        (ThrowSight("read"), "Roll your dice on the mat"),
        (read(1, 2, 3, 4), "sees 3 dice, 2 are asked for"),
        (read(1, 2), "sees 1 dice, 2 are asked for"),
        (read(1, 2, 3, unclear=(1,)), "say which face is up"),
        (read(1, 2, 3), "The camera reads:"),
    ],
)
def test_the_camera_says_what_it_sees(sight: ThrowSight, words: str) -> None:
    dice = ProposedDice(2, 6)
    dice.see(sight)
    assert words in dice.words
    assert dice.complete == (words == "The camera reads:")


def face_up(number: int, place: int, *doubts: Doubt, dice: int = 1) -> ThrowSight:
    """Dice whose faces are alike in the trait at `place` alone."""
    traits = tuple(9.0 if at == place else 0.0 for at in range(TRAITS + 1))
    return ThrowSight("read", ReadThrow((SeenDie(0, 0, 0, 0.9, traits),) * dice, doubts), number)


def test_each_symbol_of_a_d8_is_shown_once_by_one_die_that_lies_flat() -> None:
    shown = ShownFaces({1: "green", 4: "blue"}, LearnedFaces())
    assert shown.words == "Lay one die on the mat with this face up: green."
    assert not shown.see(ThrowSight("moving", number=1))
    assert shown.see(face_up(2, 5, dice=2))
    assert (shown.face, shown.unclear) == (1, True)
    assert shown.words.startswith("The camera does not see one die that lies flat. Lay one die")
    assert shown.see(face_up(3, 5, Doubt("no face up", 0)))
    assert (shown.face, shown.unclear) == (1, True)
    assert shown.see(face_up(4, 5))
    assert (shown.face, shown.unclear, shown.twin) == (4, False, None)
    assert not shown.see(face_up(4, 9)), "the same throw"
    assert shown.see(face_up(5, 5))
    assert (shown.face, shown.twin) == (4, 1)
    assert shown.words.startswith("To the camera it looks like this face: green. Lay one die")
    assert shown.see(face_up(6, 9))
    assert (shown.face, shown.twin) == (None, None)
    assert not shown.see(face_up(7, 5)), "all are known"


@pytest.mark.parametrize(
    ("throw", "phase", "faces"),
    [
        (ReadThrow((SeenDie(50, 40, 5, 0.9),), ()), "read", [3]),
        (ReadThrow((), (Doubt("no mat"),)), "no mat", []),
    ],
)
def test_a_photo_of_a_phone_is_read_as_the_prompt_asks(
    monkeypatch: pytest.MonkeyPatch, throw: ReadThrow, phase: str, faces: list[int]
) -> None:
    asked: list[object] = []

    def read_photo(path: str, count: int, sides: int) -> ReadThrow:
        asked.extend((Path(path).read_bytes(), count, sides))
        return throw

    monkeypatch.setattr(proposed_dice, "read_photo", read_photo)
    told = photographed(b"picture", 1, 3)
    assert asked == [b"picture", 1, 6], "a D3 is read off a D6"
    assert (told["phase"], told["faces"], told["count"], told["sides"]) == (phase, faces, 1, 3)
