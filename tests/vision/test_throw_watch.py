"""The throw watch on rendered films: what was thrown for the prompt counts, once; nothing else."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from calibration.printing.dice_mat import A5_MAT
from companion.practice.dice_film import HAND_S, TUMBLE_S, DiceFilm
from companion.practice.dice_throw import mat_drawing
from companion.vision.dice.dice_mat import MatReading, die_edge_px, find_mat
from companion.vision.dice.dice_net import DiceNet
from companion.vision.dice.dice_reader import Doubt, ReadThrow, SeenDie
from companion.vision.dice.throw_watch import SMALLEST_PX, STILL_S, ThrowSight, ThrowWatch
from companion.vision.sources.frame import grey_of

FRAME_S = 0.19
THROW_S = HAND_S + TUMBLE_S + 1.0


@dataclass
class Evening:
    """A film and its watch, and every phase that was seen."""

    film: DiceFilm
    watch: ThrowWatch = field(default_factory=ThrowWatch)
    now_s: float = 0.0
    read_while_moving: int = 0

    def run(self, seconds: float) -> ThrowSight:
        end, sight = self.now_s + seconds, ThrowSight("no mat")
        while self.now_s < end:
            before = sight.number
            sight = self.watch.see(self.film.picture(self.now_s), self.now_s)
            if sight.number != before and before and not self.film.resting(self.now_s):
                self.read_while_moving += 1
            self.now_s += FRAME_S
        return sight

    def throw(self, count: int, **how: object) -> tuple[int, ...]:
        return self.film.throw(count, self.now_s, **how)  # type: ignore[arg-type]


@pytest.mark.slow
def test_an_evening_of_throws() -> None:
    one = Evening(DiceFilm(np.random.default_rng(2)))
    one.throw(2)  # before anybody asked
    assert one.run(THROW_S).phase == "waiting"
    one.watch.expect(3)
    sight = one.run(0.8)
    assert (sight.phase, sight.number) == ("waiting", 0)  # dice from before never count
    faces = one.throw(3, keep=(0, 1))
    sight = one.run(THROW_S)
    assert (sight.phase, sight.number) == ("read", 1)
    assert sight.throw is not None
    assert sight.throw.faces == tuple(sorted(faces))
    assert sight.throw.sure
    sight = one.run(0.5)
    assert sight.number == 1  # not twice
    # One die is rolled again: the four that stayed keep their faces and are not part of it.
    one.watch.expect(1)
    faces = one.throw(1, keep=(0, 1, 2, 3))
    sight = one.run(THROW_S)
    assert (sight.phase, sight.number) == ("read", 2)
    assert sight.throw is not None
    assert sight.throw.faces == faces
    one.film.clear()
    sight = one.run(1.0)
    assert (sight.number, sight.phase) == (2, "waiting")  # picked up: nothing new
    assert one.read_while_moving == 0


def test_the_first_look_is_made_before_dice_are_known_to_lie_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From still dice to the proposal: what is left then is the look that must agree."""
    looked: list[float] = []
    find, confirm = MatReading.find, MatReading.confirm

    def timed(reading: MatReading, picture: np.ndarray, before: np.ndarray | None) -> None:
        looked.append(one.now_s)
        find(reading, picture, before)

    def again(reading: MatReading, picture: np.ndarray) -> None:
        agreed.append(one.now_s)
        confirm(reading, picture)

    agreed: list[float] = []

    one = Evening(DiceFilm(np.random.default_rng(2)))
    one.run(0.8)
    one.watch.expect(2)
    one.run(0.8)
    monkeypatch.setattr(MatReading, "find", timed)
    monkeypatch.setattr(MatReading, "confirm", again)
    began = one.now_s
    one.throw(2)
    one.run(HAND_S + TUMBLE_S)
    while one.run(FRAME_S).number == 0:
        pass
    rested = began + HAND_S + TUMBLE_S
    assert rested <= looked[-1] <= rested + 2 * FRAME_S
    assert agreed[-1] <= looked[-1] + 1.5 * FRAME_S  # both before they are known to lie still
    assert one.now_s - looked[-1] >= STILL_S - FRAME_S
    assert len(looked) <= 2


def test_where_looks_take_long_the_second_one_ends_the_throw() -> None:
    """No third picture is waited for once the dice have lain still for long enough."""
    film, watch = DiceFilm(np.random.default_rng(2)), ThrowWatch()
    for number in range(4):
        watch.see(film.picture(0.3 * number), 0.3 * number)
    watch.expect(2)
    film.throw(2, 1.2)
    rested = 1.2 + HAND_S + TUMBLE_S
    for moment in np.arange(1.2, rested, 0.3):
        watch.see(film.picture(float(moment)), float(moment))
    seen = [watch.see(film.picture(rested + 0.3 * n), rested + 0.3 * n).number for n in range(3)]
    assert seen == [0, 0, 1]  # moved, looked for, looked at again


def test_dice_that_creep_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """From frame to frame hardly anything moves, but from the first look on it does."""
    one = Evening(DiceFilm(np.random.default_rng(2)))
    one.run(0.8)
    one.watch.expect(2)
    one.run(0.8)
    one.throw(2)
    one.run(HAND_S + TUMBLE_S)
    lying, began = one.film.picture(one.now_s), one.now_s

    def creeping(now_s: float) -> np.ndarray:
        by = np.array([[1, 0, 0], [0, 1, 0]], float)
        by[0, 2] = 2.5 * (now_s - began)
        field = slice(90, 390), slice(100, 540)  # the tags stay where they are
        moved = lying.copy()
        moved[field] = cv2.warpAffine(lying, by, (640, 480))[field]
        return moved

    monkeypatch.setattr(one.film, "picture", creeping)
    assert one.run(1.2).number == 0


@pytest.mark.slow
def test_only_what_has_changed_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """One die more beside four: a small part of the picture goes through the net."""
    pixels: list[int] = []
    each = DiceNet.each_cells

    def counted(net: DiceNet, pictures: np.ndarray) -> np.ndarray:
        pixels.append(pictures[..., 0].size)
        return each(net, pictures)

    one = Evening(DiceFilm(np.random.default_rng(2)))
    one.throw(4)
    one.run(THROW_S)
    one.watch.expect(1)
    one.run(0.8)
    monkeypatch.setattr(DiceNet, "each_cells", counted)
    faces = one.throw(1, keep=(0, 1, 2, 3))
    sight = one.run(THROW_S)
    assert sight.throw is not None
    assert sight.throw.faces == faces
    assert sum(pixels) < 0.2 * 430 * 330
    # Those that were not looked at lie there still: the next throw does not count them.
    one.watch.expect(2)
    faces = one.throw(2, keep=(0, 1, 2, 3, 4))
    sight = one.run(THROW_S)
    assert sight.throw is not None
    assert sight.throw.faces == tuple(sorted(faces))


def test_dice_at_rest_never_look_frozen() -> None:
    """A slow machine took two equal pictures for a camera that hangs, and opened it anew: the dice
    of a practice throw were gone, and nobody rolled them again."""
    film = DiceFilm(np.random.default_rng(5))
    seen = [film.picture(9.0) for _ in range(7)]
    assert not any(np.array_equal(one, two) for one, two in itertools.pairwise(seen))


@pytest.mark.slow
def test_a_throw_with_another_number_of_dice_is_asked_about() -> None:
    one = Evening(DiceFilm(np.random.default_rng(5)))
    one.run(0.8)
    one.watch.expect(4)
    one.throw(3)
    sight = one.run(THROW_S)
    assert sight.throw is not None
    assert Doubt("too few") in sight.throw.doubts


@pytest.mark.slow
def test_a_single_die_that_is_hard_to_see_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    def hardly(_reading: MatReading, count: int | None) -> ReadThrow:
        if not one.film.faces or count is None:
            return ReadThrow((), (Doubt("none"),))
        return ReadThrow((SeenDie(300, 200, 4, 0.2),), (Doubt("unclear", 0),))

    one = Evening(DiceFilm(np.random.default_rng(5)))
    monkeypatch.setattr(MatReading, "throw", hardly)
    one.run(0.8)
    one.watch.expect(1)
    one.throw(1)
    sight = one.run(THROW_S)
    assert (sight.phase, sight.number) == ("read", 1)  # not lost: "moving", then "waiting" again
    assert sight.throw is not None
    assert sight.throw.doubts == (Doubt("unclear", 0),)
    one.film.clear()
    assert one.run(THROW_S).number == 1


@pytest.mark.slow
def test_a_throw_that_was_rolling_when_it_was_asked_for_does_not_count() -> None:
    one = Evening(DiceFilm(np.random.default_rng(5)))
    one.run(0.8)
    one.throw(2)
    one.run(HAND_S + 0.3)
    one.watch.expect(2)
    sight = one.run(THROW_S)
    assert (sight.phase, sight.number) == ("waiting", 0)


def test_dice_that_are_too_small_are_said_and_not_read() -> None:
    picture = DiceFilm(np.random.default_rng(5)).picture(0.0)
    edge = die_edge_px(find_mat(grey_of(picture)))
    scale = 0.9 * SMALLEST_PX / edge
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    watch = ThrowWatch()
    watch.expect(2)
    assert watch.see(np.asarray(small, np.uint8), 0.0).phase == "too small"
    seen = [watch.see(picture, 2.0 + number * FRAME_S).phase for number in range(6)]
    assert seen[-1] == "waiting"


def test_a_mirrored_camera_is_turned_back_and_back_again() -> None:
    plain = np.dstack([mat_drawing(A5_MAT)] * 3)[::2, ::2]
    watch, phases = ThrowWatch(), []
    for number in range(24):
        picture = plain[:, ::-1] if number < 12 else plain
        phases.append(watch.see(np.ascontiguousarray(picture), number * FRAME_S).phase)
    assert (phases[0], phases[11], phases[23]) == ("no mat", "waiting", "waiting")
    assert "no mat" in phases[12:]


@pytest.mark.parametrize(("moved", "stays"), [(3.0, True), (9.0, False)])
def test_a_die_stays_within_a_quarter_of_its_edge(moved: float, stays: bool) -> None:
    from companion.vision.dice.throw_watch import _parted

    lying = SeenDie(100, 50, 4, 0.9)
    seen = ReadThrow(
        (SeenDie(100 + moved, 50, 4, 0.9), SeenDie(20, 20, 4, 0.4)), (Doubt("unclear", 1),)
    )
    new, stayed = _parted(seen, (lying,), 6.0)
    assert len(stayed) == int(stays)
    assert new.doubts == (Doubt("unclear", 0 if stays else 1),)
