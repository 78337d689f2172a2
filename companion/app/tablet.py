"""The app on a tablet: where its data lies, the camera's permission, the motor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def run() -> None:
    """Open the app; on a computer this is what `companion play` does in a window."""
    folder = storage()
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    if "ANDROID_PRIVATE" in os.environ:
        # There is no home folder: the players' own trays and units lie beside their games.
        own = folder / "data"
        own.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("COMPANION_DATA", str(own))
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
    """Android grants a camera at run time only."""
    ask_for("CAMERA")


def ask_for_network() -> None:
    """A camera in the network was chosen: nothing else of the app ever opens a connection."""
    ask_for("INTERNET")


def ask_for(permission: str) -> None:
    """Ask Android for a permission; elsewhere there is nobody to ask."""
    try:
        from android.permissions import Permission, request_permissions
    except ImportError:
        return
    request_permissions([getattr(Permission, permission)])


def motor() -> Any | None:
    """Android's vibrator, and the class that describes an effect since API 26; None elsewhere."""
    if "ANDROID_PRIVATE" not in os.environ:
        return None
    try:
        from jnius import autoclass
    except ImportError:
        return None
    activity = autoclass("org.kivy.android.PythonActivity").mActivity
    service = activity.getSystemService("vibrator")
    if service is None:
        return None
    new = autoclass("android.os.Build$VERSION").SDK_INT >= 26
    return service, autoclass("android.os.VibrationEffect") if new else None


def vibrate(milliseconds: int) -> bool:
    """Let the motor run for a moment; whether there is one."""
    found = motor()
    if found is None:
        return False
    service, effect = found
    if effect is None:
        service.vibrate(milliseconds)
    else:
        usual = -1  # VibrationEffect.DEFAULT_AMPLITUDE
        service.vibrate(effect.createOneShot(milliseconds, usual))
    return True
