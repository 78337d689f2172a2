"""The picture of a throw with each die ringed: what was read, and what is doubtful."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.dice.throw_watch import ThrowSight
from companion.vision.sources.frame import Picture, rgba_of

SHOWN_PX = 480
SURE, DOUBT = (110, 220, 90), (40, 150, 255)
"""Blue, green, red of the rings."""


def ringed(sight: ThrowSight) -> Picture | None:
    """The part of the picture that was read, each die ringed with its face, for the screen."""
    throw, picture = sight.throw, sight.picture
    if throw is None or picture is None or not throw.dice:
        return None
    edge = sight.edge_px
    places = np.array([(die.x, die.y) for die in throw.dice])
    low = np.maximum((places.min(axis=0) - 2 * edge).astype(int), 0)
    high = np.minimum((places.max(axis=0) + 2 * edge).astype(int), picture.shape[1::-1])
    part = picture[low[1] : high[1], low[0] : high[0]]
    scale = SHOWN_PX / max(part.shape[1], 1)
    shown = np.ascontiguousarray(cv2.resize(part, None, fx=scale, fy=scale)[..., :3])
    doubtful = {doubt.die for doubt in throw.doubts}
    for index, die in enumerate(throw.dice):
        x, y = ((np.array([die.x, die.y]) - low) * scale).astype(int)
        colour = DOUBT if index in doubtful else SURE
        radius = int(0.85 * edge * scale)
        cv2.circle(shown, (int(x), int(y)), radius, colour, 3, cv2.LINE_AA)
        where = (int(x) + radius // 2, int(y) - radius)
        text = "?" if index in doubtful else str(die.face)
        cv2.putText(shown, text, where, cv2.FONT_HERSHEY_DUPLEX, 0.9, colour, 2, cv2.LINE_AA)
    return rgba_of(np.asarray(shown, np.uint8))
