"""Starts the app on a tablet: its data folder and the camera permission."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion.app.device.permissions import ask_for
from companion.text.translation import complain
from models import BadInput, atomic_write

BROKEN_INPUT = 2


def run() -> None:
    """Open the app; on a computer this is what `companion play` does in a window."""
    from companion.app.play import make_app, make_data_folder

    folder = storage()
    own = folder / "data"
    try:
        make_data_folder(folder)
        if "ANDROID_PRIVATE" in os.environ:
            atomic_write.make_folder(own)
    except BadInput as error:
        complain(error)
        sys.exit(BROKEN_INPUT)
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    if "ANDROID_PRIVATE" in os.environ:
        # Android has no home folder, so the players' own trays, units and cards are beside their
        # games.
        os.environ.setdefault("COMPANION_DATA", str(own))
        os.environ.setdefault("COMPANION_HOME", str(folder))
    ask_for("CAMERA")  # Android grants a camera at run time only
    make_app(folder).run()


def storage() -> Path:
    """The app's folder, which is private on Android."""
    private = os.environ.get("ANDROID_PRIVATE")
    if private:
        return Path(private) / "table-companion"
    from companion.app.play import data_folder

    return data_folder()
