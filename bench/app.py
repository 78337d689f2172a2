"""The app measured: frames against a bare blit, tap to answer, start, memory; one run, one machine.

python -m bench.app [SECONDS]     slices of app and bare blit in turn, SECONDS of each
python -m bench.app --hour [MINUTES]     the practice table at full rate, its memory every minute
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.catalogue import OWN_VARIABLE

if TYPE_CHECKING:
    from companion.app.scripted.driver import Driver

SIZE = (1280, 800)
TRAYS = 24
SLICES = 6
PICTURES = 3
"""So many are blitted in turn: as many as the practice camera takes of a table at rest."""
CAMERA_FPS = 60.0
"""So many pictures a second the practice camera takes: more than are wanted, so that it does not
limit what is measured."""
TAP_EVERY = 60
"""While frames are counted a finger goes on tapping trays, one every so many frames (two seconds at
the wanted rate): answers, offers, overlay and panel are made anew."""


def main(seconds: float) -> None:
    """Everything the app must reach, in one run."""
    with opened() as driver:
        units = first_units(driver)
        warm = [tap(driver, unit) for unit in units[:8]]
        cold = []
        for moved, unit in zip(units[8:16], units[:8], strict=True):
            change(driver, moved)
            cold.append(tap(driver, unit))
        print_taps(warm, "tap to answer")
        print_taps(cold, "the same, right after the table changed")
        frames(driver, units, seconds)
        print(f"memory {memory_mb('VmRSS'):.0f} MB, at most {memory_mb('VmHWM'):.0f}"
              "  (wanted: under 350)")  # fmt: skip


@contextmanager
def opened() -> Iterator[Driver]:
    """The app on a crowded practice table."""
    began = time.monotonic()
    from companion.app.play import make_app, prepare

    with tempfile.TemporaryDirectory(prefix="companion-bench-") as scratch:
        folder = Path(scratch)
        prepare(SIZE, True, folder)
        from kivy.base import EventLoop

        from companion.app.scripted.driver import Driver

        table = folder / "bench.table.json"
        table.write_text(crowded(), encoding="utf-8")
        driver = Driver(make_app(folder, table))
        driver.start()
        EventLoop.idle()
        compiled = "compiled anew" if sys.dont_write_bytecode else "compiled before"
        print(f"start to first screen {time.monotonic() - began:.2f} s, processor"
              f" {time.process_time():.2f} s, modules {compiled}  (wanted: under 3)")  # fmt: skip
        service = driver.app.service
        driver.press("practice")
        driver.until(lambda: service.snapshot.picture is not None, 120)
        yield driver
        driver.stop()


def crowded() -> str:
    """A table of so many trays, as a file."""
    from companion.practice.random_table import standard_scene

    return standard_scene(seed=1, trays=TRAYS, size=(1280, 720)).table.text()


def first_units(driver: Driver) -> list[str]:
    """Trays of both sides, in turn."""
    table = driver.app.service.snapshot.trays
    assert table is not None
    return [unit.id for unit in table.units]


# -- taps -----------------------------------------------------------------------------------------


def press(driver: Driver, unit: str) -> None:
    """A finger on a tray, down and up, left for the app to find."""
    from kivy.base import EventLoop

    from companion.app.scripted.driver import Finger

    pane, table = driver.app.screen.panes[0], driver.app.service.snapshot.trays
    assert table is not None
    pose = table.unit(unit).pose
    finger = Finger(*pane.to_window(*pane.on_screen((pose.x, pose.y))))
    EventLoop.post_dispatch_input("begin", finger)
    EventLoop.post_dispatch_input("end", finger)


def tap(driver: Driver, unit: str) -> tuple[float, float]:
    """Milliseconds from the finger to the last pixel of the unit's overlay, and of processor."""
    from kivy.base import EventLoop
    from kivy.graphics.opengl import glFinish

    app = driver.app
    driver.rest()
    # A screen is drawn before anybody taps it; a script's turns of the crank draw nothing.
    EventLoop.idle()
    glFinish()
    before = app.screen.panes[0].brush.shown[0]
    start, processor = time.monotonic(), time.process_time()
    press(driver, unit)
    while True:
        EventLoop.idle()
        glFinish()
        if shown(app, unit, before):
            return (
                1000 * (time.monotonic() - start),
                1000 * (time.process_time() - processor),
            )


def shown(app: Any, unit: str, before: Any) -> bool:
    """Whether that unit's overlay, or a sketch of it, lies on the screen; not the one `before`."""
    now, drawn = app.screen.snapshot, app.screen.panes[0].brush.shown[0]
    return drawn not in (None, before) and now.chosen == unit and drawn is now.picture


def change(driver: Driver, unit: str) -> None:
    """A tray is moved and the move accepted: no answer of before holds any more."""
    service = driver.app.service
    before = service.snapshot.table
    carried(driver, unit)
    driver.until(lambda: service.snapshot.table is not before and service.worker.waiting == 0, 60)
    driver.until(lambda: not service.snapshot.thinking, 60)


def print_taps(taps: Sequence[tuple[float, float]], what: str) -> None:
    """One line about a row of taps."""
    waited, worked = zip(*taps, strict=True)
    print(f"{what}: median {statistics.median(waited):.0f} ms, slowest {max(waited):.0f};"
          f" processor {statistics.median(worked):.0f} ms  (wanted: under 100)")  # fmt: skip


# -- frames ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slice:
    """So many frames in so many seconds, for so many seconds of processor."""

    frames: int
    seconds: float
    processor_s: float


def frames(driver: Driver, units: Sequence[str], seconds: float) -> None:
    """The app and a bare blit in turn, so that both meet the same machine."""
    from companion.engine.camera.practice_source import PracticeSource

    app = driver.app
    source = app.service.camera_worker.source if app.service.camera_worker is not None else None
    assert isinstance(source, PracticeSource)
    source.fps = CAMERA_FPS
    pictures = [app.service.live.rgba]

    def gathered() -> bool:
        if not any(one is app.service.live.rgba for one in pictures):
            pictures.append(app.service.live.rgba)
        return len(pictures) == PICTURES

    driver.until(gathered)
    whole: list[Slice] = []
    bare: list[Slice] = []
    for number in range(SLICES):
        source.cover(False)
        driver.until(lambda: app.service.live.sight == "live", 30)
        whole.append(busy(driver, units[number % len(units) :], seconds / SLICES))
        source.cover(True)
        driver.until(lambda: app.service.live.sight == "lost", 30)
        with alone(pictures) as blit:
            bare.append(counted(lambda: (blit(), True)[1], seconds / SLICES))
    source.cover(False)
    for name, slices in (("app", whole), ("bare blit", bare)):
        count, time_s = sum(one.frames for one in slices), sum(one.seconds for one in slices)
        processor = sum(one.processor_s for one in slices)
        print(f"{name}: {count / time_s:.1f} frames/s, {1000 * processor / count:.1f} ms of"
              f" processor each, {100 * processor / time_s:.0f} % of one core got")  # fmt: skip
    ratios = [
        (a.frames / a.seconds) / (b.frames / b.seconds) for a, b in zip(whole, bare, strict=True)
    ]
    spread = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"ratio {statistics.median(ratios):.2f} ({spread})  (wanted: 30 frames/s, or 0.70)")


def busy(driver: Driver, units: Sequence[str], seconds: float) -> Slice:
    """The app with a finger that goes on tapping; only frames that the camera took anew count."""
    from kivy.base import EventLoop

    pane = driver.app.screen.panes[0]
    count = seen = 0

    def frame() -> bool:
        nonlocal count, seen
        if count % TAP_EVERY == 0:
            press(driver, units[count // TAP_EVERY % len(units)])
        EventLoop.idle()
        new, seen = pane.live.number != seen, pane.live.number
        count += new
        return new

    return counted(frame, seconds)


def counted(frame: Callable[[], bool], seconds: float) -> Slice:
    """Frames drawn to the last pixel."""
    from kivy.graphics.opengl import glFinish

    count, began, processor = 0, time.monotonic(), time.process_time()
    while time.monotonic() - began < seconds:
        count += frame()
        glFinish()
    return Slice(count, time.monotonic() - began, time.process_time() - processor)


@contextmanager
def alone(pictures: Sequence[Any]) -> Iterator[Callable[[], None]]:
    """The same pictures uploaded and drawn over the whole window, and nothing else."""
    from kivy.core.window import Window
    from kivy.graphics import Color, Rectangle
    from kivy.graphics.texture import Texture
    from kivy.uix.widget import Widget

    texture = Texture.create(size=(1280, 720), colorfmt="rgba")
    children = list(Window.children)
    for child in children:
        Window.remove_widget(child)
    widget = Widget()
    with widget.canvas:
        Color(1, 1, 1, 1)
        Rectangle(texture=texture, size=Window.size)
    Window.add_widget(widget)
    count = 0

    def blit() -> None:
        nonlocal count
        count += 1
        flat = pictures[count % len(pictures)].ravel()
        texture.blit_buffer(flat, colorfmt="rgba", bufferfmt="ubyte")
        Window.clear()
        Window.on_draw()
        Window.flip()

    yield blit
    Window.remove_widget(widget)
    for child in reversed(children):
        Window.add_widget(child)


# -- endurance ------------------------------------------------------------------------------------


def hour(minutes: int) -> None:
    """The practice table at full rate: trays tapped and carried about, memory every minute.

    Each tray is carried forward once, then each one back: a table on which the armies draw nearer
    has more to show every minute, and what is kept for longer could not be told from that.
    """
    with opened() as driver:
        units = first_units(driver)
        held = []
        for minute in range(minutes):
            slices = [busy(driver, units, 28.0)]
            lap, place = divmod(minute, len(units))
            carried(driver, units[place], back=lap % 2 == 1)
            slices.append(busy(driver, units[8:], 28.0))
            rate = sum(one.frames for one in slices) / sum(one.seconds for one in slices)
            held.append(memory_mb("VmRSS"))
            print(f"minute {minute + 1:2}: {held[-1]:.0f} MB, {rate:.1f} frames/s", flush=True)
        early, late = held[len(held) // 4 : len(held) // 2], held[-max(1, len(held) // 4) :]
        grown = statistics.median(late) - statistics.median(early or held)
        print(f"memory {held[-1]:.0f} MB after {minutes} minutes, at most {max(held):.0f},"
              f" grew {grown:+.1f} from the second quarter to the last"
              "  (wanted: under 350, no growth)")  # fmt: skip


def carried(driver: Driver, unit: str, back: bool = False) -> None:
    """A hand moves a tray a little, to the middle or back; the move is accepted."""
    service = driver.app.service
    pose = service.where(unit)
    if pose is None:
        return
    ahead = 0.6 if pose.y < 24 else -0.6
    service.carry(unit, replace(pose, y=pose.y - ahead if back else pose.y + ahead))
    end = time.monotonic() + 20
    while driver.find("accept") is None and time.monotonic() < end:
        driver.steps()
    driver.press_if("accept")


def memory_mb(what: str) -> float:
    """The memory this process holds now (VmRSS), or held at most (VmHWM)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return float(next(line.split()[1] for line in status if line.startswith(f"{what}:"))) / 1024


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=36.0)
    parser.add_argument("--hour", nargs="?", type=int, const=60, metavar="MINUTES")
    asked = parser.parse_args()
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ[OWN_VARIABLE] = ""
    if asked.hour:
        hour(asked.hour)
    else:
        main(asked.seconds)
