"""The camera reads the players' dice: proposed, never taken without a tap, asked where in doubt."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kivy.clock import Clock

from companion.app.scripted.driver import Driver
from companion.app.turn.dice_entry import DiceEntry
from companion.app.turn.dice_proposal import DiceProposal
from companion.app.widgets.icon import symbol_picture
from companion.engine.camera.dice_camera import DiceCamera, PracticeDice
from companion.engine.turn.proposed_dice import SURE_AFTER, ProposedDice, as_they_lie
from companion.engine.turn.turn_records import DiceKey, DiceView, SymbolView
from companion.vision.dice.dice_reader import Doubt, ReadThrow, SeenDie
from companion.vision.dice.dice_rings import ringed
from companion.vision.dice.learned_faces import TRAITS, LearnedFaces
from companion.vision.dice.throw_watch import ThrowSight, ThrowWatch
from tests.app.conftest import opened

pytestmark = pytest.mark.slow


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Driver]:
    driver = opened(tmp_path)
    driver.press("practice")
    driver.until(lambda: driver.app.service.snapshot.trays is not None, 60)
    driver.until(lambda: driver.app.service.live.sight == "live", 60)
    driver.press("view:map")
    driver.until(lambda: driver.app.service.snapshot.map is not None, 60)
    yield driver
    driver.stop()


def entry(driver: Driver) -> DiceEntry:
    (found,) = [one for one in driver.app.root_layer.walk() if isinstance(one, DiceEntry)]
    return found


def proposal(driver: Driver) -> DiceProposal:
    found = entry(driver).proposal
    assert found is not None
    return found


def attack(driver: Driver) -> None:
    """Blue charges; the charge's die is asked for."""
    driver.app.screen.take_up("select")
    driver.tap_unit("b6")
    driver.press("do-offer")


def test_a_throw_on_the_practice_mat_is_proposed_and_taken_with_one_tap(game: Driver) -> None:
    taps = game.taps
    attack(game)
    game.press("camera-dice")
    once = 1  # from now on the camera reads all dice
    camera = game.app.service.dice_camera
    assert camera is not None
    step = game.app.service.snapshot.state.get("undo")
    game.until(lambda: bool(proposal(game).read.faces), 150)
    source = camera._reader.source
    assert isinstance(source, PracticeDice)
    assert sorted(proposal(game).read.faces) == sorted(source.faces)
    assert game.app.service.snapshot.state.get("undo") == step  # nothing applies itself
    game.press("take-dice")
    game.rest()
    assert game.app.service.snapshot.state.get("undo") != step
    assert game.taps - taps - once == 3  # the unit, its charge, the dice


def shown(driver: Driver, *dice: SeenDie, doubts: tuple[Doubt, ...] = ()) -> DiceProposal:
    """The camera has read this throw."""
    one = proposal(driver)
    one._clock.cancel()
    camera = one.camera
    number = one.read.number + 1
    camera._stop.set()
    camera._sight = ThrowSight("read", ReadThrow(dice, doubts), number, 20.0)
    one.look(0.0)
    driver.steps(2)
    return one


def test_who_let_the_camera_read_by_mistake_enters_the_dice_again_with_one_tap(
    game: Driver,
) -> None:
    attack(game)
    game.press("camera-dice")
    assert entry(game).proposal is not None
    game.press("no-camera-dice")
    assert entry(game).proposal is None
    assert game.app.service.preferences.dice == "count"
    assert game.app.service.dice_camera is None
    assert game.find("camera-dice") is not None, "it can be chosen again"


def test_no_camera_waits_for_dice_that_were_entered_otherwise(game: Driver) -> None:
    attack(game)
    game.press("camera-dice")
    camera, asked = game.app.service.dice_camera, entry(game)
    assert camera is not None
    assert camera._asked[0] == 1
    asked.act(faces=[5])
    game.until(lambda: asked.parent is None, 30)
    assert camera._asked[0] == 0


def test_doubts_and_wrong_numbers_are_asked_about(game: Driver) -> None:
    service = game.app.service
    service.prefer(replace(service.preferences, dice="camera"))
    attack(game)
    die = SeenDie(50, 40, 5, 0.9)
    one = shown(game, die, die)
    assert "2" in one.read.words
    assert game.find("take-dice") is None
    one = shown(game, die, doubts=(Doubt("unclear", 0),))
    assert game.find("take-dice") is None
    game.press("face:3")
    assert one.read.faces == [3]
    assert game.find("take-dice") is not None
    game.press("read:0")
    game.press("face:6")
    assert one.read.faces == [6]
    step = service.snapshot.state.get("undo")
    service.prefer(replace(service.preferences, dice_streak=7))
    game.press("take-dice")
    game.rest()
    assert service.snapshot.state.get("undo") != step
    assert service.preferences.dice_streak == 0  # it was corrected


def test_throws_are_taken_at_once_only_where_the_players_have_said_so(game: Driver) -> None:
    service = game.app.service
    service.prefer(replace(service.preferences, dice="camera", dice_streak=49, dice_at_once=True))
    attack(game)
    step = service.snapshot.state.get("undo")
    shown(game, SeenDie(50, 40, 5, 0.9), doubts=(Doubt("unclear", 0),))
    game.rest()
    assert service.snapshot.state.get("undo") == step  # a doubt is asked about
    shown(game, SeenDie(50, 40, 5, 0.9))
    game.rest()
    assert service.snapshot.state.get("undo") != step
    assert service.preferences.dice_streak == SURE_AFTER


def test_the_ringed_picture_shows_the_dice() -> None:
    source = PracticeDice(seed=3)
    picture = source.picture(1e9)
    sight = ThrowSight("read", ReadThrow((SeenDie(300, 200, 4, 0.9),), ()), 1, 24.0, picture)
    drawn = ringed(sight)
    assert drawn is not None
    assert drawn.shape[2] == 4
    assert ringed(ThrowSight("waiting")) is None
    same, other = ringed(sight, [4]), ringed(sight, [2])
    assert same is not None
    assert other is not None
    assert np.array_equal(same, drawn)
    assert not np.array_equal(other, drawn), "as it was corrected"


def test_a_die_that_was_read_has_the_sign_of_the_game_in_the_picture() -> None:
    """A bare 7 said nothing: the game speaks of valour."""
    picture = PracticeDice(seed=3).picture(1e9)
    sight = ThrowSight("read", ReadThrow((SeenDie(300, 200, 7, 0.9),), ()), 1, 24.0, picture)
    valour = symbol_picture(SymbolView("V", "valour", 1, "", "star", "white"), 44)
    bare, signed = ringed(sight), ringed(sight, [7], (), {7: valour})
    doubtful = ringed(sight, [7], (0,), {7: valour})
    assert bare is not None
    assert signed is not None
    assert doubtful is not None
    cream = (np.abs(signed[..., :3].astype(int) - (247, 242, 230)).max(axis=2) < 4).sum()
    assert cream > 200, "the sign lies there as on the dice below"
    assert (np.abs(doubtful[..., :3].astype(int) - (247, 242, 230)).max(axis=2) < 4).sum() < cream


def test_dice_stand_in_the_order_in_which_they_lie() -> None:
    """The first key was the die at the lower right: whoever corrected one corrected another."""
    spots = ((310, 205), (100, 300), (90, 200), (200, 195))
    dice = tuple(SeenDie(x, y, 4, 0.9) for x, y in spots)
    sight = ThrowSight("read", ReadThrow(dice, ()), 1, 24.0)
    assert as_they_lie(sight) == [2, 3, 0, 1]
    assert as_they_lie(ThrowSight("waiting")) == []


def test_the_die_that_is_corrected_has_a_second_ring() -> None:
    picture = PracticeDice(seed=3).picture(1e9)
    dice = (SeenDie(300, 200, 4, 0.9), SeenDie(380, 200, 4, 0.9))
    sight = ThrowSight("read", ReadThrow(dice, ()), 1, 24.0, picture)
    plain, first, second = (ringed(sight, [4, 4], (), {}, one) for one in (None, 0, 1))
    assert plain is not None
    assert first is not None
    assert second is not None
    half = plain.shape[1] // 2
    assert not np.array_equal(first[:, :half], plain[:, :half])
    assert np.array_equal(first[:, half:], plain[:, half:])
    assert not np.array_equal(second[:, half:], plain[:, half:])


def test_dice_that_no_reader_knows_are_never_waited_for() -> None:
    camera = DiceCamera(PracticeDice)
    try:
        camera.expect(2, 8)  # nobody has shown its faces
        assert camera.throw is None
        camera.expect(2, 3)
        assert camera.throw is not None
        end = time.monotonic() + 30
        while not camera.ready and time.monotonic() < end:
            time.sleep(0.02)
        assert (camera._watch.count, camera._watch.sides) == (2, 6)
    finally:
        camera.close()


def test_who_asks_for_a_throw_does_not_wait_for_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at dice takes a third of a second; the screen stood still meanwhile. What it finds is
    of a throw that nobody waits for any longer."""
    looks, go_on = threading.Event(), threading.Event()

    def see(_watch: ThrowWatch, _picture: object, _time_s: float) -> ThrowSight:
        looks.set()
        go_on.wait(20)
        return ThrowSight("read", ReadThrow((SeenDie(50, 40, 5, 0.9),), ()), 1)

    monkeypatch.setattr(ThrowWatch, "see", see)
    camera = DiceCamera(PracticeDice)
    try:
        assert looks.wait(20)
        began = time.monotonic()
        camera.expect(2)
        assert time.monotonic() - began < 5
        monkeypatch.setattr(ThrowWatch, "see", lambda *_frame: ThrowSight("waiting"))
        go_on.set()
        time.sleep(0.2)
        assert camera.sight.throw is None
    finally:
        go_on.set()
        camera.close()


@pytest.mark.rule("BOW-CMP-2")
def test_a_d8_is_shown_face_by_face_then_thrown() -> None:
    """The player's die: every symbol once, then the throw by its symbols."""

    class Shown:
        def __init__(self) -> None:
            self.learned, self.sight = LearnedFaces(), ThrowSight("waiting")
            self.asked: list[tuple[object, int]] = []

        def show(self, face: int) -> None:
            self.asked.append(("show", face))

        def expect(self, count: int, sides: int = 6) -> None:
            self.asked.append((count, sides))

        def learn(self, faces: LearnedFaces) -> None:
            self.learned = faces

    names = {1: "green", 4: "blue"}
    keys = tuple(
        DiceKey(f, n, None, "", SymbolView(n[0], n, 3, "", "shield", n)) for f, n in names.items()
    )
    symbols = tuple(key.symbol for key in keys if key.symbol is not None)
    dice = DiceView(
        "d1", 2, 8, None, {}, "", symbols, False, False, False, 0, True, "", (), keys, ""
    )
    assert DiceProposal.reads(dice)
    camera = Shown()
    taken: list[ProposedDice] = []
    one = DiceProposal(dice, camera, taken.append, lambda: None)  # type: ignore[arg-type]
    one._clock.cancel()
    one.width = 320

    def high() -> float:
        for _frame in range(3):  # texts know their height a frame after their width
            Clock.tick()
            one.do_layout()
        return float(one.height)

    learning = high()
    assert one.signs[1].shape == one.signs[4].shape

    def seen(number: int, *dice: SeenDie) -> None:
        camera.sight = ThrowSight("read", ReadThrow(dice, ()), number)
        one.look(0.0)

    traits = np.eye(TRAITS + 1) * 9
    seen(1, SeenDie(0, 0, 0, 0.9, tuple(traits[0])))
    assert camera.asked == [("show", 1), ("show", 4)]
    assert high() == learning > 0, "a face that is shown moves no key below"
    seen(2, SeenDie(0, 0, 0, 0.9, tuple(traits[1])))
    assert camera.asked[-1] == (2, 8)
    assert camera.learned.numbers == (1, 4)
    waiting = high()
    assert waiting > learning + 100, "no empty room while nothing can be read"
    seen(3, SeenDie(0, 0, 4, 0.9), SeenDie(9, 9, 1, 0.9))
    assert high() == waiting, "a throw moves no key below"
    one.give()
    assert taken[0].faces == [4, 1]
    one.forget()
    assert camera.asked[-1:] == [("show", 1)]
