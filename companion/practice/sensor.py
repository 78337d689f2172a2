"""What happens to light inside a camera: blur, noise, tone curve, sharpening, JPEG."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.practice.picture_style import PictureStyle
from companion.practice.tone import SHARPENING, STEPS, levels

Floats16 = NDArray[np.float16]
Floats32 = NDArray[np.float32]
Picture = NDArray[np.uint8]

NOISE_SPARE = 97
"""The noise bank is this much larger than a picture, so that it can be laid down elsewhere."""

BAND_ROWS = 90


def expose(light: Floats32, look: PictureStyle, frame_number: int = 0) -> Picture:
    """Linear light (rows x columns x 3, 1 = full) as the camera's picture of it."""
    seen = blurred(light, look)
    grain = grain_of(seen, look, frame_number) if look.well > 0 else None
    picture = np.empty(seen.shape, dtype=np.uint8)
    # Band by band: what is in between is four times as large as a picture, and there are five.
    for top in range(0, len(seen), BAND_ROWS):
        rows = slice(top, top + BAND_ROWS)
        band = seen[rows]
        if grain is not None:
            band = with_noise(band, grain[0][rows], grain[1], look)
        picture[rows] = toned(band, look)
    return finished(picture, look)


def blurred(light: Floats32, look: PictureStyle) -> Floats32:
    """Blur of the lens, of a wrong focus and of a shaking camera."""
    seen = light
    if look.defocus_px > 0:
        seen = np.asarray(cv2.filter2D(seen, -1, disc(look.defocus_px)), dtype=np.float32)
    if any(look.shake_px):
        seen = np.asarray(cv2.filter2D(seen, -1, streak(look.shake_px)), dtype=np.float32)
    if look.blur_px > 0:
        side = 2 * math.ceil(3 * look.blur_px) + 1
        seen = np.asarray(cv2.GaussianBlur(seen, (side, side), look.blur_px), dtype=np.float32)
    return seen


def grain_of(light: Floats32, look: PictureStyle, frame_number: int) -> tuple[Floats16, bool]:
    """The grain of one frame, and whether it is added."""
    rng = np.random.default_rng([look.seed, 23, frame_number])
    height, width = light.shape[:2]
    bank = noise_bank(height, width, look.seed)
    top, left = rng.integers(0, NOISE_SPARE, 2)
    return bank[top : top + height, left : left + width], bool(rng.integers(2))


def with_noise(light: Floats32, grain: Floats16, added: bool, look: PictureStyle) -> Floats32:
    """Shot noise that grows with the root of the light, and read noise everywhere."""
    spread = np.maximum(light, np.float32(0.0))
    spread *= np.float32(1.0 / look.well)
    spread += np.float32((look.read / look.well) ** 2)
    cv2.sqrt(spread, spread)
    spread *= grain
    return light + spread if added else light - spread


@lru_cache(maxsize=2)
def noise_bank(height: int, width: int, seed: int) -> Floats16:
    """Normal noise of unit spread, a little larger than the picture; kept, hence so short."""
    rng = np.random.default_rng([seed, 29])
    shape = (height + NOISE_SPARE, width + NOISE_SPARE, 3)
    return rng.standard_normal(shape, dtype=np.float32).astype(np.float16)


def toned(light: Floats32, look: PictureStyle) -> Picture:
    """Linear light as levels of the camera's tone curve."""
    if look.tone == "linear":
        return np.asarray(cv2.convertScaleAbs(light, alpha=255.0), dtype=np.uint8)
    index = np.clip(light * np.float32(STEPS - 1) + np.float32(0.5), 0, STEPS - 1)
    return np.asarray(levels(look.tone).take(index.astype(np.uint16)), dtype=np.uint8)


def finished(picture: Picture, look: PictureStyle) -> Picture:
    """Sharpened and compressed as the camera does."""
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
    """The even disc that an unfocused point becomes, with soft pixels at its rim."""
    reach = math.ceil(radius)
    fine = 8
    line = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - reach - 0.5
    inside = (line[:, None] ** 2 + line[None, :] ** 2 <= radius**2).astype(np.float32)
    return normal(inside, 2 * reach + 1)


def streak(along: tuple[float, float]) -> Floats32:
    """The line that a point becomes under a shaking camera, centred."""
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
    """A finely drawn kernel at pixel size, its sum one."""
    coarse = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(coarse / coarse.sum(), dtype=np.float32)
