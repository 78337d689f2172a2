"""What is wrong with a picture as a whole, where the table is not found in it: mirrored, dark,
over-exposed, blank, blurred by movement or out of focus.

The width of the strongest edges tells blur: how far a picture takes from dark to bright. A moved
camera widens them along its way only, a lens out of focus in every direction. On photographs
(1280 pixels wide) sharp edges are 2 to 3.5 px wide; moved by 8 px they are 6 to 9 px one way.
"""

from __future__ import annotations

from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import Setup
from companion.vision.detect.dictionaries import find_all
from companion.vision.detect.pixels import Grey
from models.message import LazyMessage, say

PictureFault = Literal["", "mirrored", "blank", "dark", "glaring", "moved", "soft"]
FAULTS: tuple[PictureFault, ...] = get_args(PictureFault)

FEWEST_MIRRORED = 3
"""So many tags that read only in the mirror are no accident."""
USUAL_PX = 1280
"""The longer side at which edges are measured."""
REACH_PX = 12
"""Contrast of an edge is taken so far to both of its sides."""
WAYS, STRAIGHT = 8, 0.9
"""Directions in which edges are measured, and how straight (cosine) they lie across them."""
LEAST_CONTRAST, FEWEST_EDGES, SHARE_OF_EDGES = 20.0, 40, 0.1
"""Directions with fewer edges than this, or than this share of the most, are not judged."""
WIDE_PX, ONE_WAY = 5.5, 1.7
"""Edges wider than this are blurred; by movement, if they are so many times wider one way."""
DARK, BLANK, WHITE, WHITE_SHARE = 60.0, 12.0, 250, 0.5
"""The brightest parts of a dark picture, the range of a blank one, and how much of an
over-exposed one is white."""

Floats = NDArray[np.float32]


def picture_fault(
    grey: Grey, setup: Setup, found: int, turn: int = 0, thorough: bool = False
) -> PictureFault:
    """What keeps the table from being found in a picture in which so many tags were read, those
    that lie twice among them."""
    darkest, brightest = (float(one) for one in np.percentile(grey[::7, ::7], (1, 99)))
    if brightest - darkest < BLANK:
        return "blank"
    if is_mirrored(grey, setup, found, turn, thorough):
        return "mirrored"
    if brightest < DARK:
        return "dark"
    # A long way is too wide to be measured, and is at half the size.
    sizes = [edge_widths(grey, longer_px) for longer_px in (USUAL_PX, USUAL_PX // 2)]
    if any(moved_straight(widths) for widths in sizes):
        return "moved"
    judged = [sorted(filter(None, widths)) for widths in sizes]
    judged = [widths for widths in judged if len(widths) > 1]
    # Movement widens neighbouring directions, too: one alone is an odd thing in the picture.
    if not any(widths[-2] >= WIDE_PX for widths in judged):
        # White paper fills many a picture: only where nothing else is wrong, and not one tag is
        # read, it is the light.
        white = float((grey[::7, ::7] >= WHITE).mean()) > WHITE_SHARE
        return "glaring" if white and not found else ""
    return "moved" if any(widths[-2] > ONE_WAY * widths[0] for widths in judged) else "soft"


def moved_straight(widths: list[float]) -> bool:
    """Whether edges of one direction are far wider than others, and its neighbours have none: so
    it is where everything stands square to the way the camera moved."""
    least = min(filter(None, widths), default=0.0)
    return any(
        width >= 2 * WIDE_PX
        and width > 2 * ONE_WAY * least
        and not (widths[number - 1] or widths[(number + 1) % len(widths)])
        for number, width in enumerate(widths)
    )


def is_mirrored(
    grey: Grey, setup: Setup, found: int, turn: int = 0, thorough: bool = False
) -> bool:
    """Whether clearly more tags of the set-up read in the mirror than in so many found tags."""
    least = max(FEWEST_MIRRORED, 2 * found + 1)
    if len(setup.ids()) < least:
        return False
    flipped = np.ascontiguousarray(grey[:, ::-1])
    seen = find_all(flipped, setup, (), turn, thorough)
    return len(seen.tags) + len(seen.twins) >= least


def edge_widths(grey: Grey, longer_px: int = USUAL_PX) -> list[float]:
    """How wide the sharpest of the strong edges are (px), in each direction (0: it has none), in
    the picture reduced to that length of its longer side."""
    scale = longer_px / max(grey.shape)
    if scale < 0.9:
        grey = np.asarray(
            cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
        )
    light = np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.7), dtype=np.float32)
    if min(light.shape) < 4 * REACH_PX:
        return []
    across = np.asarray(cv2.Scharr(light, cv2.CV_32F, 1, 0), dtype=np.float32) / 32
    down = np.asarray(cv2.Scharr(light, cv2.CV_32F, 0, 1), dtype=np.float32) / 32
    steepest = cv2.dilate(np.hypot(across, down), np.ones((5, 5), np.uint8))
    found = []
    for angle in np.arange(WAYS) * np.pi / WAYS:
        x, y = np.cos(angle), np.sin(angle)
        slope = np.abs(np.float32(x) * across + np.float32(y) * down)
        # Edges that run aslant look wider than they are, and so do their flanks.
        straight = slope >= STRAIGHT * steepest
        way = round(REACH_PX * x), round(REACH_PX * y)
        found.append(edge_width(light, np.where(straight, slope, 0), *way))
    least = max(FEWEST_EDGES, SHARE_OF_EDGES * max(count for _, count in found))
    return [width if count >= least else 0.0 for width, count in found]


def edge_width(light: Floats, slope: Floats, x: int, y: int) -> tuple[float, int]:
    """How wide the sharpest strong edges are in the direction (x, y), and how many there are."""
    edge = REACH_PX
    high, wide = light.shape
    ahead = light[edge + y : high - edge + y, edge + x : wide - edge + x]
    behind = light[edge - y : high - edge - y, edge - x : wide - edge - x]
    contrast = np.abs(ahead - behind)
    here = slope[edge:-edge, edge:-edge]
    strong = contrast >= max(float(np.percentile(contrast[::3, ::3], 97)), LEAST_CONTRAST)
    strong &= here > 0.5 * contrast / (2 * REACH_PX)
    count = int(strong.sum())
    return (float(np.percentile(contrast[strong] / here[strong], 10)), count) if count else (0.0, 0)


def fault_words(fault: PictureFault) -> LazyMessage:
    """A fault in one sentence, with what to do about it."""
    return {
        "mirrored": say("the picture is mirrored, as front cameras show it: turn it back"),
        "blank": say("the picture shows nothing: is the lens covered, or the light off?"),
        "dark": say("the picture is too dark: more light"),
        "glaring": say("the picture is too bright: less light, or a shorter exposure"),
        "moved": say("the picture is blurred by movement: hold the camera still, or more light"),
        "soft": say("the picture is blurred: hold still, focus on the table, wipe the lens"),
        "": say("nothing is wrong with the picture"),
    }[fault]
