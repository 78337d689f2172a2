"""A monkey at the tablet: random touches over all screens while a game runs.

python -m tests.app.monkey --touches 200000 [--seed 1] [--game tactics]

It taps, drags, pinches, holds and goes back. Every few hundred touches it looks: nothing was
raised in any thread, the log on disk holds exactly the state that is shown, and from wherever it is
now buttons lead home.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partialmethod
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window

from companion.app.screen_registry import SCREENS
from companion.app.scripted.driver import Driver, Finger, NotThere, ancestors
from companion.engine.camera.game_source import BoardSource
from companion.engine.camera.practice_source import PracticeCalibrationSource, PracticeSource
from companion.engine.files.draft import Draft, plain_draft
from companion.session.fold import fold
from companion.session.game_lookup import find_screen
from companion.session.session import view
from companion.session.storage import read
from companion.text.translation import translate_all
from models.catalogue import OWN_VARIABLE, gather

NEW_GAME_EVERY = 10
"""After so many looks a new game is begun: logs stay as long as an evening's."""
FPS = 1.0
"""Every practice camera is so slow: pictures would take most of the time and are not tried here."""
SIZES = ((1024, 600), (1280, 800), (800, 1280))
WAYS_HOME = ("task-cancel", "leave", "close", "back", "menu")
"""What leads home, the most urgent first: whatever lies over the screen must go before it."""
MOST_WAITING = 12
"""More commands than these no two hands can leave waiting."""
SELDOM = (100_000, 5, 5)
"""Garbage is collected so seldom: a screen is some 50,000 objects, and a touch may replace it."""


@dataclass
class Monkey:
    """One run: its chance, its app, what it saw."""

    driver: Driver
    folder: Path
    seed: int = 1
    look_every: int = 1000
    game: str = ""
    """The game that is begun; without one, that of the practice table."""
    chance: random.Random = field(init=False)
    raised: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    looks: int = 0
    steps: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def run(self, touches: int) -> None:
        """So many touches, with a look every few hundred."""
        with ExitStack() as while_it_runs:
            while_it_runs.enter_context(patch.object(threading, "excepthook", self._note))
            for camera in (PracticeSource, BoardSource, PracticeCalibrationSource):
                slow = partialmethod(camera.__init__, fps=FPS)
                while_it_runs.enter_context(patch.object(camera, "__init__", slow))
            self.play()
            for count in range(1, touches + 1):
                self.touch()
                if count % self.look_every == 0 or count == touches:
                    self.look(count)

    def _note(self, what: threading.ExceptHookArgs) -> None:
        self.raised.append(f"{what.exc_type.__name__} in {what.thread}: {what.exc_value}")

    def play(self) -> None:
        """Begin a game on the practice table, or go on with one."""
        driver, service = self.driver, self.driver.app.service
        new = self.looks % NEW_GAME_EVERY == 0 or driver.find("resume") is None
        if new and self.game:
            self.begin()
        elif new:
            self.start_practice()
        else:
            driver.press("resume")
        # what is asked before the game is there would hear of the one before
        self.wait("a game", lambda: service.settle(0.001) and service.snapshot.path)
        if not service.snapshot.playing:  # everything was undone, the set-up too
            self.go_home("an empty game")
            if self.game:
                self.begin()
            else:
                self.start_practice()
            self.wait("the game", lambda: service.snapshot.playing)

    def start_practice(self) -> None:
        """Begin the practice game with trays as they are shipped: its own may fill the table."""
        if own := os.environ.get(OWN_VARIABLE):
            shutil.rmtree(own)
            os.mkdir(own)
            gather.cache_clear()
        self.driver.press("practice")

    def begin(self) -> None:
        """Begin the game as the wizard does, with the lists that are ready-made."""
        driver, service = self.driver, self.driver.app.service
        os.environ["COMPANION_HOME"] = tempfile.mkdtemp()  # cards it changed make no ready list
        draft = Draft.fresh(self.game)
        for step in find_screen(self.game).steps(self.game, plain_draft(draft)):
            lists = {one.seat: one.ready[n % len(one.ready)][1] for n, one in enumerate(step.lists)}
            draft = replace(draft, answers={**draft.answers, **({step.id: lists} if lists else {})})
        service.drafting.plan(draft)
        service.begin()
        driver.app.go("table")
        driver.rest()

    def wait(self, what: str, good: Callable[[], object]) -> None:
        """Until something is there; else say what there is instead."""
        try:
            self.driver.until(good, 120)
        except NotThere:
            service, names = self.driver.app.service, self.driver.names()
            faulthandler.dump_traceback()
            raise AssertionError(
                f"seed {self.seed}, look {self.looks}: {what} does not begin;"
                f" {service.snapshot.message}, {service.worker.waiting} waiting, {self.raised},"
                f" {service.worker.failures}, at {self.driver.app.place!r}: {names}"
            ) from None

    # -- touching ---------------------------------------------------------------------------

    def touch(self) -> None:
        """One touch of some kind."""
        app, chance = self.driver.app, self.chance
        self.seen[app.place + (" sheet" if app.sheet is not None else "")] += 1
        while app.service.worker.waiting > MOST_WAITING:
            self.driver.steps()
            time.sleep(0.002)
        kind = chance.random()
        if kind < 0.16:
            self.finger(self.button() or self.spot())
        elif kind < 0.80:
            self.finger(self.spot())
        elif kind < 0.92:
            self.driver.drag(self.spot(), self.spot(), parts=3)
        elif kind < 0.97:
            self.pinch()
        elif kind < 0.972:
            self.finger(self.button() or self.spot(), hold_s=0.5)
        elif kind < 0.985:
            app.key(None, 27)
        elif kind < 0.995:
            self.wander()
        self.driver.steps(1)

    def spot(self) -> tuple[float, float]:
        """Anywhere on the screen."""
        wide, high = Window.system_size
        return self.chance.uniform(0, wide - 1), self.chance.uniform(0, high - 1)

    def button(self) -> tuple[float, float] | None:
        """The middle of any button, if it lies on the screen."""
        named = [
            one for one in self.driver.top.walk() if isinstance(getattr(one, "name", None), str)
        ]
        if not named:
            return None
        one = self.chance.choice(named)
        if any(above.opacity == 0 for above in (one, *ancestors(one))):
            return None
        x, y = one.to_window(*one.center)
        wide, high = Window.system_size
        return (x, y) if 0 <= x < wide and 0 <= y < high else None

    def finger(self, start: tuple[float, float], hold_s: float = 0) -> None:
        """A tap, or a held finger."""
        finger = Finger(*start)
        EventLoop.post_dispatch_input("begin", finger)
        if hold_s:
            until = time.monotonic() + hold_s
            while time.monotonic() < until:
                self.driver.steps()
                time.sleep(0.02)
        EventLoop.post_dispatch_input("end", finger)

    def pinch(self) -> None:
        """Two fingers, each with a way of its own."""
        self.driver.pinch((self.spot(), self.spot()), (self.spot(), self.spot()), parts=2)

    def wander(self) -> None:
        """To another screen, or to the same one on another tablet."""
        if self.chance.random() < 0.05:
            Window.size = self.chance.choice(SIZES)
        else:
            self.driver.app.go(self.chance.choice(sorted(SCREENS)))

    # -- looking ----------------------------------------------------------------------------

    def look(self, count: int) -> None:
        """Nothing raised, nothing lost, and a way home from here."""
        driver, service = self.driver, self.driver.app.service
        self.looks += 1
        where = f"seed {self.seed}, touch {count}, at {driver.app.place!r}"
        driver.until(lambda: service.settle(0.001), 300)
        driver.steps(3)
        assert not self.raised, f"{where}: {self.raised}"
        assert service.worker.alive, f"{where}: the service's worker is dead"
        assert not service.worker.failures, f"{where}: {service.worker.failures[0]}"
        assert service.snapshot.message.why != "BUG", f"{where}: {service.snapshot.message.text}"
        if service.snapshot.path:
            self.compare(where)
        self.go_home(where)
        self.play()

    def compare(self, where: str) -> None:
        """What a killed app would leave on the disk is what the screen shows."""
        driver, service = self.driver, self.driver.app.service
        while True:
            driver.until(lambda: service.settle(0.001), 300)
            shown = service.snapshot
            kept = self.kept(Path(shown.path))
            # A list hears a finger late: a command may have come while the file was read.
            driver.until(lambda: service.settle(0.001), 300)
            if service.snapshot is shown:
                break
        self.steps = max(self.steps, int(kept["seq"]))
        for key in ("seq", *sorted(kept.keys() | shown.state.keys())):
            if key != "clock":  # it runs on
                one, other = kept.get(key), shown.state.get(key)
                both = f"{one!r:.200} on disk, {other!r:.200} shown"
                assert one == other, f"{where}: {key} is {both}"

    def kept(self, path: Path) -> Any:
        """The state of a game as its file tells it to another program.

        It is not opened there: whoever opens a game stops its clock, and that is a step.
        """
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            for part in path.parent.glob(f"{path.name}*"):
                shutil.copy(part, scratch)
            found = read(Path(scratch) / path.name)
        assert found.damage is None, found.damage
        return translate_all(view(fold(found.steps), None, 0))

    def go_home(self, where: str) -> None:
        """By buttons alone; "back" leads through each place at most once."""
        driver, app = self.driver, self.driver.app
        way: list[str] = []
        while app.place != "home" or driver.top is not app.root_layer:
            found = next((name for name in WAYS_HOME if driver.find(name) is not None), None)
            assert found is not None, f"{where}: no way home; there are {driver.names()}"
            way.append(found)
            assert len(way) < len(SCREENS) + 6, f"{where}: {way} does not lead home"
            try:
                driver.press(found)
            except NotThere:
                assert found == "task-cancel", f"{where}: {found!r} went away"  # it was done first
            if found == "task-cancel":
                driver.until(lambda: app.waiting is None, 120)


def main(touches: int, seed: int, game: str = "") -> int:
    """Run it and say how it went."""
    from companion.app.play import make_app, prepare

    with tempfile.TemporaryDirectory(prefix="companion-monkey-") as scratch:
        folder = Path(scratch)
        (folder / "own").mkdir()
        os.environ[OWN_VARIABLE] = str(folder / "own")  # a player's own trays are left alone
        os.environ["COMPANION_HOME"] = str(folder)  # and so are own cards
        prepare(SIZES[0], True, folder)
        driver = Driver(make_app(folder))
        driver.start()
        Clock._max_fps = 0.0  # a monkey does not wait for the screen
        gc.set_threshold(*SELDOM)
        monkey = Monkey(driver, folder, seed, game=game)
        began = time.monotonic()
        done = 0
        while done < touches:
            part = min(2_000, touches - done)
            monkey.run(part)
            done += part
            driver.steps()
            places = ", ".join(f"{place} {count}" for place, count in sorted(monkey.seen.items()))
            print(f"{done} touches in {time.monotonic() - began:.0f} s, {monkey.looks} looks,"
                  f" longest game {monkey.steps} steps, {time.process_time():.0f} s of processor:"
                  f" {places}", flush=True)  # fmt: skip
            monkey.driver.app.go("home")
            monkey.driver.rest()
        driver.stop()
    print(f"{touches} touches: nothing raised, nothing lost, every screen could be left")
    return 0


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--touches", type=int, default=200_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--game", default="", help="this game; else that of the practice table")
    given = asked.parse_args()
    sys.exit(main(given.touches, given.seed, given.game))
