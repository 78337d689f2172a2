"""The app on a tablet: where its data lies, the camera's permission, and staying awake."""

from __future__ import annotations

import os
from pathlib import Path


def run() -> None:
    """Open the app; on a computer this is what `companion play` does in a window."""
    folder = storage()
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    from companion.app.play import make_app

    ask_for_camera()
    make_app(folder).run()


def storage() -> Path:
    """The app's own folder, private to it on Android."""
    private = os.environ.get("ANDROID_PRIVATE")
    if private:
        return Path(private) / "table-companion"
    from companion.app.play import data_folder

    return data_folder()


def ask_for_camera() -> None:
    """Android grants a camera at run time only; elsewhere there is nobody to ask."""
    try:
        from android.permissions import (  # type: ignore[import-not-found]
            Permission,
            request_permissions,
        )
    except ImportError:
        return
    request_permissions([Permission.CAMERA])
