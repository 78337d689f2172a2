"""Short generated sounds, and vibration where the device has it."""

from __future__ import annotations

import io
import math
import os
import struct
import sys
import tempfile
import wave
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from companion.app.device.vibration import vibrate

RATE = 22_050
LOUD = 0.35
FADE_S = 0.006
"""Fade in and out, because a tone that starts or ends abruptly clicks."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A sequence of tones (hertz, seconds), and how long to vibrate."""

    tones: tuple[tuple[float, float], ...]
    vibrate_ms: int = 0


SIGNALS = {
    "done": Signal(((660.0, 0.07), (880.0, 0.11)), 20),
    "refused": Signal(((220.0, 0.09), (165.0, 0.14)), 60),
    "notice": Signal(((587.0, 0.08), (587.0, 0.08)), 30),
    "sample": Signal(((523.0, 0.07), (659.0, 0.07), (784.0, 0.12)), 40),
}
"""The signals by name."""


def wav_bytes(signal: Signal) -> bytes:
    """The tones as a WAV file."""
    frames = bytearray()
    for hertz, seconds in signal.tones:
        count = int(RATE * seconds)
        for number in range(count):
            edge = min(number, count - number) / (RATE * FADE_S)
            strength = LOUD * min(1.0, edge)
            value = math.sin(2 * math.pi * hertz * number / RATE)
            frames += struct.pack("<h", int(32767 * strength * value))
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(bytes(frames))
    return data.getvalue()


class Playable(Protocol):
    """The part of kivy's sound objects that is used."""

    def play(self) -> Any: ...


def load(path: str) -> Playable | None:
    """Load a sound with kivy, where audio is available."""
    if os.environ.get("SDL_VIDEODRIVER") in ("offscreen", "dummy"):
        return None  # off screen, so nobody listens
    if sys.platform == "linux" and not Path("/dev/snd").exists():
        return None  # without a sound card the system's library prints errors
    try:
        from kivy.core.audio import SoundLoader

        return SoundLoader.load(path)
    except Exception:  # without a sound card stay silent, whatever the driver raises
        return None


@dataclass(eq=False)
class SoundPlayer:
    """Plays signals; does nothing where there is no audio or no vibration motor."""

    sound: bool = True
    vibration: bool = True
    load: Callable[[str], Playable | None] = load
    vibrate: Callable[[int], object] = vibrate
    _folder: tempfile.TemporaryDirectory[str] | None = field(default=None, init=False)
    _ready: dict[str, Playable | None] = field(default_factory=dict, init=False)

    def ring(self, name: str) -> None:
        """Play a signal, as far as the preferences allow."""
        signal = SIGNALS[name]
        if self.vibration and signal.vibrate_ms:
            self.vibrate(signal.vibrate_ms)
        if self.sound:
            ready = self._sound(name)
            if ready is not None:
                ready.play()

    def _sound(self, name: str) -> Playable | None:
        if name not in self._ready:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="companion-sounds-")
            path = Path(self._folder.name) / f"{name}.wav"
            path.write_bytes(wav_bytes(SIGNALS[name]))
            self._ready[name] = self.load(str(path))
        return self._ready[name]
