"""The app measured: frames against a bare blit, tap to answer, start, memory; one run, one machine.

python -m bench.app [SECONDS]
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SIZE = (1280, 800)
TRAYS = 24


def main(seconds: float = 8.0) -> None:
    from companion.app.play import make_app, prepare

    with tempfile.TemporaryDirectory(prefix="companion-bench-") as scratch:
        folder = Path(scratch)
        prepare(SIZE, True, folder)
        began = time.monotonic()
        from kivy.base import EventLoop

        from companion.app.driver import Driver

        table = folder / "bench.table.json"
        table.write_text(crowded(), encoding="utf-8")
        app = make_app(folder, table)
        driver = Driver(app)
        driver.start()
        EventLoop.idle()
        print(f"start to first screen {time.monotonic() - began:6.2f} s  (wanted: under 3)")
        driver.press("practice")
        driver.until(lambda: app.desk.snapshot.picture is not None, 120)
        driver.until(lambda: not app.desk.ahead, 180)
        units = [unit.id for unit in app.desk.snapshot.table.units]  # type: ignore[union-attr]
        taps = []
        for unit in units[:6]:
            start = time.monotonic()
            app.desk.choose(unit)
            brush = app.screen.panes[0].brush
            while (
                app.desk.snapshot.chosen != unit or brush.shown[0] is not app.desk.snapshot.picture
            ):
                driver.steps()
            taps.append(1000 * (time.monotonic() - start))
        print(f"tap to answer, median {statistics.median(taps):6.0f} ms (wanted: under 100)")
        app.desk.choose(None)
        driver.rest()
        whole = rate(EventLoop.idle, seconds)
        grown = [memory_mb()]
        rate(EventLoop.idle, seconds)
        grown.append(memory_mb())
        bare = rate(bare_blit(app.desk.live.picture), seconds)
        print(f"app {whole:.1f} frames/s, bare blit {bare:.1f}: ratio {whole / bare:.2f}"
              "  (wanted: 30 frames/s, or 0.70)")  # fmt: skip
        print(
            f"memory {grown[1]:.0f} MB at most (wanted: under 350), grew {grown[1] - grown[0]:.1f}"
        )
        driver.stop()


def crowded() -> str:
    """A table of so many trays, as a file."""
    from companion.practice.scene import standard_scene

    return standard_scene(seed=1, trays=TRAYS, size=(1280, 720)).table.text()


def rate(frame: Callable[[], object], seconds: float) -> float:
    """Frames a second, drawn to the end."""
    from kivy.graphics.opengl import glFinish

    count, began = 0, time.monotonic()
    while time.monotonic() - began < seconds:
        frame()
        glFinish()
        count += 1
    return count / (time.monotonic() - began)


def bare_blit(picture: object) -> Callable[[], None]:
    """The same picture uploaded and drawn over the whole window, and nothing else."""
    import numpy as np
    from kivy.core.window import Window
    from kivy.graphics import Color, Rectangle
    from kivy.graphics.texture import Texture
    from kivy.uix.widget import Widget

    flat = np.asarray(picture).ravel()
    texture = Texture.create(size=(1280, 720), colorfmt="bgr")
    for child in list(Window.children):
        Window.remove_widget(child)
    widget = Widget()
    with widget.canvas:
        Color(1, 1, 1, 1)
        Rectangle(texture=texture, size=Window.size)
    Window.add_widget(widget)

    def frame() -> None:
        texture.blit_buffer(flat, colorfmt="bgr", bufferfmt="ubyte")
        Window.clear()
        Window.on_draw()
        Window.flip()

    return frame


def memory_mb() -> float:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0)
