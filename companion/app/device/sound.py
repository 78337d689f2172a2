"""Short sounds, synthesised here, and vibration where the device has it."""

from __future__ import annotations

import io
import os
import sys
import tempfile
import wave
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


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


RATE = 22_050
LOUD = 0.35
FADE_S = 0.006
"""Fade in and out, because a tone that starts or ends abruptly clicks."""

TIMBRES: dict[str, tuple[float, ...]] = {
    "pure": (1.0,),
    "horn": (1.0, 0.62, 0.45, 0.3, 0.2, 0.12, 0.08),
    "bell": (1.0, 0.0, 0.55, 0.0, 0.35, 0.18),
    "drum": (1.0, 0.35),
}
"""The strength of the fundamental and its overtones."""
NOISY = ("knock", "dice")
SOFT = np.array([0.45, 0.25, 0.14, 0.08, 0.05, 0.03])
"""Smooths noise, so that it sounds like wood and not like wind."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SoundTone:
    """One sound of a signal: its pitch, length and timbre; `at_s` after the signal's start."""

    hertz: float
    seconds: float
    timbre: str = "pure"
    at_s: float = 0.0
    decay: float = 0.0
    """How fast it dies away: 0 keeps it even."""
    bend: float = 1.0
    """Its pitch at the end relative to that at the start."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Tones that may overlap, and how long to vibrate."""

    tones: tuple[SoundTone, ...]
    vibrate_ms: int = 0


SIGNALS = {
    "tick": Signal((SoundTone(1150.0, 0.03, "knock", decay=90.0),), 10),
    "dice": Signal(
        tuple(
            SoundTone(900.0 + 170.0 * (number % 3), 0.05, "dice", 0.055 * number, 70.0)
            for number in (0, 1, 2, 4, 7)
        ),
        20,
    ),
    "done": Signal(
        (
            SoundTone(196.0, 0.36, "horn", 0.0, 3.0),
            SoundTone(294.0, 0.5, "horn", 0.13, 3.5),
        ),
        20,
    ),
    "refused": Signal(
        (
            SoundTone(98.0, 0.28, "drum", 0.0, 14.0, 0.55),
            SoundTone(82.0, 0.34, "drum", 0.16, 12.0, 0.55),
        ),
        60,
    ),
    "notice": Signal(
        (SoundTone(659.0, 0.35, "bell", 0.0, 9.0), SoundTone(784.0, 0.4, "bell", 0.1, 9.0)), 30
    ),
    "turn": Signal((SoundTone(523.0, 0.9, "bell", 0.0, 5.0),), 25),
    "round": Signal(
        (
            SoundTone(147.0, 0.5, "horn", 0.0, 1.5),
            SoundTone(220.0, 0.5, "horn", 0.28, 1.5),
            SoundTone(294.0, 0.8, "horn", 0.56, 2.0),
        ),
        60,
    ),
    "lost": Signal(
        (SoundTone(180.0, 0.12, "knock", 0.0, 30.0), SoundTone(150.0, 0.14, "knock", 0.2, 28.0)), 80
    ),
    "sample": Signal(
        (
            SoundTone(196.0, 0.3, "horn", 0.0, 3.0),
            SoundTone(523.0, 0.7, "bell", 0.25, 6.0),
        ),
        40,
    ),
}
"""The signals by name: a press, dice, success, failure, a moved tray, a turn, a round, the camera
lost, and a sample for the settings. None is the only sign of what it says."""


def wave_of(tone: SoundTone) -> Floats:
    """The samples of a tone, from -1 to 1."""
    count = int(RATE * tone.seconds)
    number = np.arange(count)
    phase = np.cumsum(2 * np.pi * tone.hertz * tone.bend ** (number / count) / RATE)
    strengths = TIMBRES.get(tone.timbre, TIMBRES["drum"])
    found: Floats = np.zeros(count)
    for place, strength in enumerate(strengths):
        found += strength * np.sin(phase * (place + 1)) / sum(strengths)
    if tone.timbre in NOISY:
        seed = int(1000 * (tone.hertz + tone.at_s))
        rough = np.random.default_rng(seed).uniform(-1.0, 1.0, count + len(SOFT) - 1)
        found = 0.35 * found + 0.65 * np.convolve(rough, SOFT, "valid")
    edge = np.minimum(1.0, np.minimum(number, count - number) / (RATE * FADE_S))
    return found * edge * np.exp(-tone.decay * number / RATE)


def mixed_tones(tones: Sequence[SoundTone]) -> Floats:
    """The samples of all tones together, as loud as the loudest allows."""
    total = max(int(RATE * (tone.at_s + tone.seconds)) for tone in tones) + 1
    mix: Floats = np.zeros(total)
    for tone in tones:
        start = int(RATE * tone.at_s)
        samples = wave_of(tone)
        mix[start : start + len(samples)] += samples
    return mix * LOUD / max(float(np.abs(mix).max()), 1e-9)


def wav_bytes(signal: Signal) -> bytes:
    """The tones as a WAV file."""
    frames = (32767 * mixed_tones(signal.tones)).astype("<i2").tobytes()
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames)
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

    def play(self, name: str) -> None:
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
