"""A tag drawn with exact corners, for tests that need no table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.detect.bits import codes_of
from companion.vision.sources.frame import Picture

Floats = NDArray[np.float64]

FINE = 8


def drawn_tag(
    tag_id: int, corners: Floats, size: tuple[int, int] = (120, 100), blur: float = 0.7
) -> Picture:
    """A tag with a white margin on grey, blurred in linear light, as a camera would show it."""
    sheet = codes_of("DICT_4X4_50").sheets[tag_id]
    paper = cv2.resize(sheet * 0.7 + 0.05, None, fx=20, fy=20, interpolation=cv2.INTER_NEAREST)
    # Pixel centres lie at whole numbers, so the fine picture's lie half a fine pixel off.
    inner = np.array([[20, 20], [140, 20], [140, 140], [20, 140]], dtype=np.float32) - 0.5
    fine = (corners + 0.5) * FINE - 0.5
    warp = cv2.getPerspectiveTransform(inner, fine.astype(np.float32))
    canvas = np.full((size[1] * FINE, size[0] * FINE), 0.2)
    light = cv2.warpPerspective(
        paper, warp, (size[0] * FINE, size[1] * FINE), dst=canvas, borderMode=cv2.BORDER_TRANSPARENT
    )
    small = cv2.resize(light, size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), blur)
    return np.clip(np.round(255 * np.power(soft, 1 / 2.2)), 0, 255).astype(np.uint8)


def turned_square(side: float, turn_deg: float, squash: float = 1.0) -> Floats:
    """Corners of a square as printed, turned and squashed, around (60.3, 49.8)."""
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return np.asarray(side * (unit @ turn.T) * [1.0, squash] + [60.3, 49.8])
