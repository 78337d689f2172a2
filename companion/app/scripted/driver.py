"""Drives the app from scripts and tests: runs frames, finds buttons, simulates touches; and a
short game on the practice table, played that way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.lang import Builder
from kivy.uix.widget import Widget

from companion.app.widgets.tap_guard import AWAKE_S, ON_ITS_WAY_S
from companion.engine.app_words import _
from companion.geometry.grid.placing import cell_middle
from companion.overlay.footprints import places
from models import atomic_write
from models.board import Cell

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


Pair = tuple[tuple[float, float], tuple[float, float]]
"""The positions of two fingers."""
HEARD = 8
"""So many frames a scrolling list waits to tell a tap from a drag."""


class Finger(MotionEvent):
    """A simulated touch."""

    _count = 0

    def __init__(self, x: float, y: float) -> None:
        Finger._count += 1
        self.x_px, self.y_px = x, y
        wide, high = Window.system_size
        args = (x / max(wide - 1, 1), y / max(high - 1, 1))
        super().__init__("script", Finger._count, args, is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, args: Any) -> None:
        """Set the position, as shares of the window."""
        self.sx, self.sy = args[0], args[1]
        super().depack(args)


class NotThere(AssertionError):
    """Raised when a button that a script looks for is not on the screen."""


class Driver:
    """Drives a real app in a real window."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.taps = 0
        self.waited_s = 0.0
        """How long the hand has rested between taps, besides the time of the app's clock."""

    def start(self) -> None:
        """Start the app without entering kivy's main loop."""
        self.app._run_prepare()
        self.app.guard.now = lambda: Clock.get_time() + self.waited_s
        self.steps(12)

    def stop(self) -> None:
        self.app.stop()
        Clock.unschedule(self.app.tick)
        Window.unbind(on_keyboard=self.app.key)
        for child in list(Window.children):
            Window.remove_widget(child)

    def steps(self, count: int = 1) -> None:
        """Run this many frames: clock, touches, layout; drawing only where it is displayed."""
        for _frame in range(count):
            Clock.tick()
            EventLoop.dispatch_input()
            Builder.sync()
            Clock.tick_draw()
            Builder.sync()

    def until(self, good: Callable[[], Any], timeout_s: float = 20.0) -> Any:
        """Run frames until a condition holds."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            self.steps()
            found = good()
            if found:
                return found
            time.sleep(0.004)
        raise NotThere(f"not within {timeout_s} s: {getattr(good, '__name__', good)}")

    def rest(self) -> None:
        """Run frames until the worker is idle and its snapshot is shown."""
        self.until(lambda: self.app.service.settle(0.001), 120)
        assert not self.app.service.worker.failures, self.app.service.worker.failures[0]
        self.steps(3)

    # -- finding ----------------------------------------------------------------------------

    def widgets(self, top: Widget | None = None) -> Iterator[Widget]:
        """All widgets on the screen."""
        yield from (top or self.app.root_layer).walk()

    @property
    def top(self) -> Widget:
        """The widget that gets touches: a task or a modal hides everything below it."""
        return self.app.waiting or self.app.sheet or self.app.root_layer

    def find(self, name: str) -> Widget | None:
        """The button of that name."""
        top = self.top
        return next(
            (
                one
                for one in self.widgets(top)
                if getattr(one, "name", None) == name and not one.disabled and one.opacity
            ),
            None,
        )

    def names(self) -> list[str]:
        """The names of all buttons on the screen."""
        top = self.top
        return [one.name for one in self.widgets(top) if isinstance(getattr(one, "name", 0), str)]

    # -- touching ---------------------------------------------------------------------------

    def touch(self, x: float, y: float, hold_s: float = 0.0) -> None:
        """Touch a point of the window, down and up."""
        finger = Finger(x, y)
        EventLoop.post_dispatch_input("begin", finger)
        self.steps(1)
        self.hold(hold_s)
        EventLoop.post_dispatch_input("end", finger)
        self.steps(2)
        self.taps += 1

    def hold(self, hold_s: float) -> None:
        """Let a finger rest."""
        end = Clock.get_time() + hold_s
        while Clock.get_time() < end:
            self.steps(1)

    def drag(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        parts: int = 6,
        rest_s: float = 0.0,
    ) -> None:
        """Drag a finger over the window, after it has rested for a while."""
        finger = Finger(*start)
        wide, high = Window.system_size
        EventLoop.post_dispatch_input("begin", finger)
        self.hold(rest_s)
        for part in range(1, parts + 1):
            x = start[0] + (end[0] - start[0]) * part / parts
            y = start[1] + (end[1] - start[1]) * part / parts
            finger.move((x / max(wide - 1, 1), y / max(high - 1, 1)))
            EventLoop.post_dispatch_input("update", finger)
            self.steps(1)
        EventLoop.post_dispatch_input("end", finger)
        self.steps(2)

    def pinch(self, start: Pair, end: Pair, parts: int = 6) -> None:
        """Move two fingers, each from its start to its end."""
        wide, high = Window.system_size
        fingers = [Finger(*spot) for spot in start]
        for finger in fingers:
            EventLoop.post_dispatch_input("begin", finger)
        for part in range(1, parts + 1):
            for finger, (ax, ay), (bx, by) in zip(fingers, start, end, strict=True):
                x, y = ax + (bx - ax) * part / parts, ay + (by - ay) * part / parts
                finger.move((x / max(wide - 1, 1), y / max(high - 1, 1)))
                EventLoop.post_dispatch_input("update", finger)
            self.steps(1)
        for finger in fingers:
            EventLoop.post_dispatch_input("end", finger)
        self.steps(2)

    def press(self, name: str, hold_s: float = 0.0) -> None:
        """Scroll a button into view and touch its centre."""
        self.steps(2)
        widget = self.find(name)
        if widget is None:
            raise NotThere(f"no button {name!r}; there are: {', '.join(self.names())}")
        scroll = next((one for one in ancestors(widget) if hasattr(one, "scroll_to")), None)
        if scroll is not None:
            scroll.scroll_to(widget, animate=False)
            self.steps(2)
        here = self.place(widget)
        self.look_first(*here)
        self.touch(*here, hold_s)
        if scroll is not None:  # a scrolling list passes a tap on with a delay
            self.steps(HEARD)
        self.rest()

    def look_first(self, x: float, y: float) -> None:
        """Wait, as one who reads does, until what has come under the finger takes a tap."""
        if self.app.guard.asleep(x, y):
            self.waited_s += ON_ITS_WAY_S

    def place(self, widget: Widget) -> tuple[float, float]:
        """The position of a widget once its layout is stable, which takes some frames."""
        here = widget.to_window(*widget.center)
        for _frame in range(12):
            before = here
            self.steps(1)
            here = widget.to_window(*widget.center)
            if here == before:
                break
        return float(here[0]), float(here[1])

    def press_if(self, name: str) -> bool:
        """Touch a button if it is there."""
        if self.find(name) is None:
            return False
        self.press(name)
        return True

    def tap_unit(self, unit: str) -> None:
        """Touch a piece on the first view of the table."""
        pane = self.app.screen.panes[0]
        table = self.app.service.snapshot.table
        assert table is not None
        here = pane.to_window(*pane.on_screen(places(table)[unit]))
        self.look_first(*here)
        self.touch(*here)
        self.rest()

    def tap_cell(self, cell: Cell) -> None:
        """Touch a cell of the board."""
        here = self.cell_place(cell)
        self.look_first(*here)
        self.touch(*here)
        self.rest()

    def cell_place(self, cell: Cell) -> tuple[float, float]:
        """Where a cell of the board lies in the window."""
        pane = self.app.screen.panes[0]
        table = self.app.service.snapshot.gridded
        assert table is not None
        x, y = pane.to_window(*pane.on_screen(cell_middle(table.board, cell)))
        return float(x), float(y)

    def shot(self, path: Path) -> Path:
        """Save a screenshot."""
        from PIL import Image

        self.waited_s += AWAKE_S
        self.steps(6)
        path.parent.mkdir(parents=True, exist_ok=True)
        picture = Image.frombytes("RGBA", *pixels())
        upright = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).convert("RGB")
        with atomic_write.replacing(path) as part:
            upright.save(part)
        return path


def pixels() -> tuple[tuple[int, int], bytes]:
    """The window's size and its pixels, from the lowest row up."""
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    wide, high = Window.system_size
    Window.clear()
    Window.on_draw()
    return (wide, high), glReadPixels(0, 0, wide, high, GL_RGBA, GL_UNSIGNED_BYTE)


def ancestors(widget: Widget) -> Iterator[Widget]:
    """The parents of a widget, the nearest first."""
    above = widget.parent
    while above is not None and above is not above.parent:
        yield above
        above = above.parent


def scripted(app: CompanionApp, out: Path) -> str:
    """Play it and return a summary line."""
    began = time.monotonic()
    driver = Driver(app)
    driver.start()
    shots = [driver.shot(out / "home.png")]
    try:
        driver.press("practice")
        driver.until(lambda: app.service.live.sight == "live", 60)
        driver.until(lambda: app.service.snapshot.picture is not None, 30)
        driver.rest()
        shots.append(driver.shot(out / "table.png"))
        driver.tap_unit("b6")
        shots.append(driver.shot(out / "unit.png"))
        driver.press("do-offer")
        shots.append(driver.shot(out / "attack.png"))
        driver.press("die:6")
        finish_attack(driver, shots, out)
        driver.press("dock:page:cards")
        shots.append(driver.shot(out / "cards.png"))
        driver.press("back")
        driver.press("dock:score")
        shots.append(driver.shot(out / "score.png"))
        seq = app.service.snapshot.step
    finally:
        driver.stop()
    return _(
        "played {seq} steps in {seconds:.0f} s; {count} screenshots in {folder}",
        seq=seq,
        seconds=time.monotonic() - began,
        count=len(shots),
        folder=out,
    )


def finish_attack(driver: Driver, shots: list[Path], out: Path) -> None:
    """Let the app roll all pending dice until the turn is over."""
    for _turn in range(14):
        snapshot = driver.app.service.snapshot
        prompt = next(iter(snapshot.prompts), None)
        if driver.press_if("accept"):
            continue
        if prompt is None or prompt.id == "turn-start":
            return
        if prompt.id == "test" and (out / "test.png") not in shots:
            shots.append(driver.shot(out / "test.png"))
        for name in ("app-rolls", "choice:continue", "choice:end-turn", "choice:surge:False"):
            if driver.press_if(name):
                break
        else:
            return
