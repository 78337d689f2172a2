"""The tablet's vibration motor, where there is one."""

from __future__ import annotations

import os
from typing import Any


def motor() -> Any | None:
    """Android's vibrator, and its VibrationEffect class (API 26 and later); None elsewhere."""
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
    """Vibrate; returns whether the device can."""
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
