"""The camera's image processing: blur, noise, tone curve, sharpening, JPEG."""

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
