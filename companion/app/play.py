"""Starts the app: in a window, or off screen with a short scripted game and screenshots."""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.device import runtime_tuning
from companion.engine.app_words import _
from models import BadInput, CompanionError

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


PACKAGES = "libgl1-mesa-dri libgl1 libgles2 libegl1 libmtdev1"
"""The Debian packages that SDL needs for a window; the Makefile installs the same."""
VIDEO = 0x20
"""SDL's displays, without the rest of it."""


def data_folder() -> Path:
    """The folder of games and preferences: COMPANION_HOME, or a folder in the user's home."""
    told = os.environ.get("COMPANION_HOME")
    if told:
        return Path(told)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "table-companion"


def make_data_folder(folder: Path) -> None:
    """Create the data folder and check that it is writable; the error is one line."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        problem = _(
            "cannot be written: {reason}; COMPANION_HOME names another data folder",
            reason=error.strerror or error,
        )
        raise BadInput(str(folder), "", problem) from None


def has_display() -> bool:
    """Whether there is a display to open a window on."""
    if os.environ.get("SDL_VIDEODRIVER") in ("offscreen", "dummy"):
        return False
    if sys.platform in ("win32", "darwin", "android"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def display_drivers() -> str:
    """SDL's video drivers for the displays named in the environment."""
    displays = {"x11": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}
    return ",".join(driver for driver, name in displays.items() if os.environ.get(name))


def fitted(size: tuple[int, int]) -> tuple[int, int]:
    """A size of a window, no larger than the screen. SDL, which kivy's own window uses, is asked
    before there is a window: one that shrinks later may stay black where nothing manages windows.
    """
    import kivy

    folder = Path(kivy.__file__).parent / "core" / "window"
    library = next((str(one) for one in folder.glob("_window_sdl2*.so")), "SDL2.dll")
    bounds = (ctypes.c_int * 4)()
    try:
        sdl = ctypes.CDLL(library)
        failed = sdl.SDL_InitSubSystem(VIDEO) or sdl.SDL_GetDisplayUsableBounds(0, bounds)
        sdl.SDL_QuitSubSystem(VIDEO)
    except (OSError, AttributeError):  # another library: the window opens as it is
        return size
    wide, high = bounds[2], bounds[3]
    return size if failed or wide <= 0 or high <= 0 else (min(size[0], wide), min(size[1], high))


def prepare(size: tuple[int, int], off_screen: bool, home: Path) -> None:
    """Configure kivy, which reads all of this only at its first import."""
    runtime_tuning.give_back()
    runtime_tuning.take_turns()
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    # Otherwise kivy would try plain X11 next, which ends the process if there is no X server.
    os.environ.setdefault("KIVY_WINDOW", "sdl2")
    # Otherwise kivy redirects stderr, and errors are never shown.
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
    logging.getLogger("kivy").addHandler(logging.NullHandler())
    logging.getLogger("kivy").propagate = False
    os.environ.setdefault("KIVY_HOME", str(home / "kivy"))
    (home / "kivy").mkdir(parents=True, exist_ok=True)
    if off_screen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    elif sys.platform == "linux" and (drivers := display_drivers()):
        # If these fail, SDL would fall back to a window that nobody sees.
        os.environ.setdefault("SDL_VIDEODRIVER", drivers)
    from kivy.config import Config

    size = size if off_screen else fitted(size)
    Config.set("graphics", "multisamples", "0")
    Config.set("graphics", "width", str(size[0]))
    Config.set("graphics", "height", str(size[1]))
    Config.set("input", "mouse", "mouse,disable_multitouch")
    Config.set("kivy", "exit_on_escape", "0")


def need_window() -> None:
    """Open the window; if that fails, report it in one line."""
    try:
        from kivy.core.window import Window
    except (Exception, SystemExit):  # whatever a video driver raises
        Window = None
    if Window is None:
        raise CompanionError(
            _(
                "no window can be opened: OpenGL or a display is missing; on Debian or Ubuntu: "
                "sudo apt install {packages}",
                packages=PACKAGES,
            )
        )


def make_app(folder: Path, table: Path | None = None) -> CompanionApp:
    """The app with its service; a table file replaces the practice table."""
    need_window()
    from companion.app.app import CompanionApp
    from companion.app.device.touch_origin import keep_origin
    from companion.app.render.mesh_renderer import triangulate
    from companion.engine.app_service import AppService
    from companion.engine.files.backup import BackupPaths, finish
    from models.catalogue import own_place

    keep_origin()
    runtime_tuning.settle()
    problem = ""
    try:
        finish(BackupPaths(folder, own_place()))  # completes a restore that was interrupted
    except CompanionError as error:  # the next start tries again
        problem = str(error)
    service = AppService(folder, triangulate)
    if table is not None:
        service.controller.practice_file = table
    app = CompanionApp(service)
    app.bind(on_start=lambda _app: app.toast(problem))
    return app


def open_app(table: Path | None, out: Path, size: tuple[int, int] = (1280, 800)) -> int:
    """Run the app until it is closed; without a display, run the demo script and report on it."""
    if has_display():
        make_data_folder(data_folder())
        prepare(size, False, data_folder())
        app = make_app(data_folder(), table)
        app.run()
        return 0
    with tempfile.TemporaryDirectory(prefix="companion-play-") as scratch:
        prepare(size, True, Path(scratch))
        from companion.app.scripted.driver import scripted

        print(scripted(make_app(Path(scratch), table), out))
    return 0
