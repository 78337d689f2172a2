"""Starts the app on a tablet: its data folder and the camera permission."""

from __future__ import annotations

import os
from pathlib import Path

from companion.app.device.permissions import ask_for


def run() -> None:
    """Open the app; on a computer `companion play` does the same in a window."""
    folder = storage()
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    if "ANDROID_PRIVATE" in os.environ:
        # Android has no home folder, so the players' own trays and units are beside their games.
        own = folder / "data"
        own.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("COMPANION_DATA", str(own))
    from companion.app.play import make_app

    ask_for("CAMERA")  # Android grants the camera only at run time
    make_app(folder).run()


def storage() -> Path:
    """The app's folder, which is private on Android."""
    private = os.environ.get("ANDROID_PRIVATE")
    if private:
        return Path(private) / "table-companion"
    from companion.app.play import data_folder

    return data_folder()
