"""The camera's image processing: the style of a picture, tone curves, blur, noise, sharpening,
JPEG.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.message import UnknownName

Floats = NDArray[np.float32]

STEPS = 16384
"""Resolution of the lookup table from linear light to levels; finer than the noise anywhere."""


def srgb(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard curve of screens and many cameras."""
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def phone(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve of phones: lifted middle tones, a soft shoulder, deep blacks."""
    base = srgb(1 - np.exp(-1.6 * light)) / srgb(np.array(1 - np.exp(-1.6)))
    bent: NDArray[np.float64] = base + 0.2 * np.sin(2 * np.pi * (base - 0.5)) / (2 * np.pi)
    return bent


def flat(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve of cameras made for grading: low contrast, grey blacks, nothing clipped."""
    return np.asarray(0.10 + 0.8 * np.log1p(40 * light) / np.log(41))


def webcam(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve of cheap cameras: high contrast, clipped highlights."""
    return np.clip(1.25 * light, 0, 1) ** (1 / 1.8)


def linear(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Levels proportional to light."""
    return light


TONES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "srgb": srgb,
    "phone": phone,
    "flat": flat,
    "webcam": webcam,
    "linear": linear,
}

SHARPENING = {"phone": 0.5, "webcam": 0.9}
"""How strongly cameras of each kind sharpen their pictures; others do not."""


@lru_cache
def levels(tone: str) -> NDArray[np.uint8]:
    """Levels for STEPS equal steps of linear light from 0 to 1."""
    light = np.linspace(0.0, 1.0, STEPS)
    return np.clip(np.rint(TONES[tone](light) * 255), 0, 255).astype(np.uint8)


@lru_cache
def light_of_level() -> Floats:
    """Linear light of the 256 sRGB levels that textures are painted in."""
    level = np.arange(256) / 255.0
    light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)


def light_of(painting: NDArray[np.uint8]) -> Floats:
    """Painted levels as linear light."""
    return np.asarray(cv2.LUT(painting, light_of_level()), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """The state of the camera and the room while a picture is taken.

    Lengths are in pixels of the picture; light is linear, 1 is where the sensor saturates.
    """

    seed: int = 0
    blur_px: float = 0.7
    """Standard deviation of the Gaussian blur of a lens in focus."""
    defocus_px: float = 0.0
    """Radius of the disc that a point becomes when out of focus."""
    shake_px: tuple[float, float] = (0.0, 0.0)
    """How far the picture moves during the exposure; the truth is the middle."""
    level: float = 0.75
    """Light reflected by white paper where the room is brightest."""
    uneven: float = 0.3
    """How much darker the side away from the lamp is, 0 to 1."""
    vignette: float = 0.2
    """How much darker the picture's corners are, 0 to 1."""
    shadow: float = 0.0
    """Depth of a broad soft-edged shadow across the table, 0 to 1."""
    glare: float = 0.0
    """Light added where the table reflects a lamp, 0 to 1 and more."""
    warmth: float = 0.0
    """Colour of the light: -1 bluish, 1 yellowish."""
    well: float = 5000.0
    """Electrons of a saturated pixel; fewer mean more shot noise."""
    read: float = 5.0
    """Read noise in electrons."""
    tone: str = "srgb"
    """Name of the tone curve, see `tone.TONES`."""
    jpeg: int = 88
    """JPEG quality, 0 for none."""
    figures: bool = True
    """Whether there are models on the trays."""
    mat: str = "grass"
    """The kind of mat: grass, snow, stone, sand."""
    margin_modules: float = 1.0
    """White paper around each tag, in modules of the tag."""

    def __post_init__(self) -> None:
        if self.tone not in TONES:
            raise UnknownName(f"no tone curve {self.tone!r}; there are: {', '.join(TONES)}")


PLAIN = PictureStyle(
    blur_px=0.0, uneven=0.0, vignette=0.0, well=0.0, read=0.0, tone="linear", jpeg=0, figures=False
)
"""No blur, no noise, even light: for validating the renderer itself."""

STANDARD = PictureStyle()

LOOKS = {
    "standard": STANDARD,
    "plain": PLAIN,
    "dim": PictureStyle(level=0.22, well=900.0, read=8.0, uneven=0.5, warmth=0.6),
    "glare": PictureStyle(glare=1.2, uneven=0.2),
    "shadow": PictureStyle(shadow=0.65, uneven=0.4),
    "phone": PictureStyle(tone="phone", blur_px=0.7, well=4000.0, jpeg=85, warmth=0.15),
    "webcam": PictureStyle(
        tone="webcam", blur_px=0.85, well=2500.0, read=8.0, jpeg=80, warmth=-0.3
    ),
    "soft": PictureStyle(defocus_px=1.3),
    "shaky": PictureStyle(shake_px=(2.0, 1.2)),
    "snow": PictureStyle(mat="snow", tone="flat"),
}
"""Styles by name, for the command line and for parameter sweeps."""


def look_named(name: str) -> PictureStyle:
    if name not in LOOKS:
        raise UnknownName(f"no look {name!r}; there are: {', '.join(sorted(LOOKS))}")
    return LOOKS[name]


Floats16 = NDArray[np.float16]
Floats32 = NDArray[np.float32]
Picture = NDArray[np.uint8]

NOISE_SPARE = 97
"""How much larger than a picture the noise bank is, so that each frame can use another part."""

BAND_ROWS = 90


def expose(light: Floats32, look: PictureStyle, frame_number: int = 0) -> Picture:
    """Turn linear light (rows x columns x 3, 1 = saturated) into the camera's picture."""
    seen = unfocused(light, look)
    grain = grain_of(seen, look, frame_number) if look.well > 0 else None
    picture = np.empty(seen.shape, dtype=np.uint8)
    # In bands, because there are six intermediate arrays, each four times a picture in size.
    for top in range(0, len(seen), BAND_ROWS):
        rows = slice(top, min(top + BAND_ROWS, len(seen)))
        band = blurred_rows(seen, rows, look.blur_px)
        if grain is not None:
            band = with_noise(band, grain[0][rows], grain[1], look)
        picture[rows] = toned(band, look)
    return finished(picture, look)


def unfocused(light: Floats32, look: PictureStyle) -> Floats32:
    """Apply defocus and camera shake."""
    seen = light
    if look.defocus_px > 0:
        seen = np.asarray(cv2.filter2D(seen, -1, disc(look.defocus_px)), dtype=np.float32)
    if any(look.shake_px):
        seen = np.asarray(cv2.filter2D(seen, -1, streak(look.shake_px)), dtype=np.float32)
    return seen


def blurred_rows(light: Floats32, rows: slice, blur_px: float) -> Floats32:
    """Some rows of the picture with the lens's blur, which needs a few rows on either side."""
    if blur_px <= 0:
        return light[rows]
    reach = math.ceil(3 * blur_px)
    first, last = max(rows.start - reach, 0), min(rows.stop + reach, len(light))
    side = 2 * reach + 1
    soft = cv2.GaussianBlur(light[first:last], (side, side), blur_px)
    return np.asarray(soft[rows.start - first : rows.stop - first], dtype=np.float32)


def grain_of(light: Floats32, look: PictureStyle, frame_number: int) -> tuple[Floats16, bool]:
    """The noise of one frame, and whether it is added or subtracted."""
    rng = np.random.default_rng([look.seed, 23, frame_number])
    height, width = light.shape[:2]
    bank = noise_bank(height, width, look.seed)
    top, left = rng.integers(0, NOISE_SPARE, 2)
    return bank[top : top + height, left : left + width], bool(rng.integers(2))


def with_noise(light: Floats32, grain: Floats16, added: bool, look: PictureStyle) -> Floats32:
    """Add shot noise, proportional to the square root of the light, and read noise."""
    spread = np.maximum(light, np.float32(0.0))
    spread *= np.float32(1.0 / look.well)
    spread += np.float32((look.read / look.well) ** 2)
    cv2.sqrt(spread, spread)
    spread *= grain
    return light + spread if added else light - spread


@lru_cache(maxsize=2)
def noise_bank(height: int, width: int, seed: int) -> Floats16:
    """Standard normal noise, a little larger than the picture; cached, hence 16-bit floats."""
    rng = np.random.default_rng([seed, 29])
    shape = (height + NOISE_SPARE, width + NOISE_SPARE, 3)
    return rng.standard_normal(shape, dtype=np.float32).astype(np.float16)


def toned(light: Floats32, look: PictureStyle) -> Picture:
    """Apply the tone curve to linear light."""
    if look.tone == "linear":
        return np.asarray(cv2.convertScaleAbs(light, alpha=255.0), dtype=np.uint8)
    index = np.clip(light * np.float32(STEPS - 1) + np.float32(0.5), 0, STEPS - 1)
    return np.asarray(levels(look.tone).take(index.astype(np.uint16)), dtype=np.uint8)


def finished(picture: Picture, look: PictureStyle) -> Picture:
    """Apply the camera's sharpening and JPEG compression."""
    strength = SHARPENING.get(look.tone, 0.0)
    if strength:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(
            cv2.addWeighted(picture, 1 + strength, soft, -strength, 0), dtype=np.uint8
        )
    if look.jpeg:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, look.jpeg])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return picture


def disc(radius: float) -> Floats32:
    """The blur kernel of a lens out of focus: a uniform disc with an antialiased edge."""
    reach = math.ceil(radius)
    fine = 8
    line = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - reach - 0.5
    inside = (line[:, None] ** 2 + line[None, :] ** 2 <= radius**2).astype(np.float32)
    return normal(inside, 2 * reach + 1)


def streak(along: tuple[float, float]) -> Floats32:
    """The blur kernel of camera shake: a centred line."""
    reach = math.ceil(math.hypot(*along) / 2) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    for part in np.linspace(-0.5, 0.5, 64):
        x, y = reach + along[0] * part, reach + along[1] * part
        left, top = int(x), int(y)
        for row, column, share in (
            (top, left, (1 - y + top) * (1 - x + left)),
            (top, left + 1, (1 - y + top) * (x - left)),
            (top + 1, left, (y - top) * (1 - x + left)),
            (top + 1, left + 1, (y - top) * (x - left)),
        ):
            kernel[row, column] += share
    kernel /= kernel.sum()
    return kernel


def normal(fine: Floats32, side: int) -> Floats32:
    """An oversampled kernel reduced to pixels, normalised to sum one."""
    coarse = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(coarse / coarse.sum(), dtype=np.float32)
