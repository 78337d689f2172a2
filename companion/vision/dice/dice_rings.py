"""The picture of a throw with each die ringed: what was read, and what is doubtful."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import cv2
import numpy as np

from companion.vision.dice.throw_watch import ThrowSight
from companion.vision.sources.frame import Picture, rgba_of

SHOWN_PX = 480
SURE, DOUBT = (110, 220, 90), (40, 150, 255)
TAPPED = (255, 255, 255)
"""Blue, green, red of the rings."""


def ringed(
    sight: ThrowSight,
    faces: Sequence[int] = (),
    doubtful: Collection[int] = (),
    signs: Mapping[int, Picture] = MappingProxyType({}),
    tapped: int | None = None,
) -> Picture | None:
    """The part of the picture that was read, each die ringed with its face, for the screen.

    `faces` are those that count, as corrected, with the `doubtful` among them; dice with symbols
    have the small pictures of `signs` beside their rings. The `tapped` one has a second ring.
    """
    throw, picture = sight.throw, sight.picture
    if throw is None or picture is None or not throw.dice:
        return None
    edge = sight.edge_px
    places = np.array([(die.x, die.y) for die in throw.dice])
    low = np.maximum((places.min(axis=0) - 2 * edge).astype(int), 0)
    high = np.minimum((places.max(axis=0) + 2 * edge).astype(int), picture.shape[1::-1])
    part = picture[low[1] : high[1], low[0] : high[0]]
    scale = SHOWN_PX / max(part.shape[1], 1)
    resized = cv2.resize(part, None, fx=scale, fy=scale)[..., :3]
    shown: Picture = np.ascontiguousarray(resized, np.uint8)
    told = faces if len(faces) == len(throw.dice) else [die.face for die in throw.dice]
    for index, (die, face) in enumerate(zip(throw.dice, told, strict=True)):
        x, y = ((np.array([die.x, die.y]) - low) * scale).astype(int)
        colour = DOUBT if index in doubtful else SURE
        radius = int(0.85 * edge * scale)
        cv2.circle(shown, (int(x), int(y)), radius, colour, 3, cv2.LINE_AA)
        if index == tapped:
            cv2.circle(shown, (int(x), int(y)), radius + 6, TAPPED, 4, cv2.LINE_AA)
        where = (int(x) + radius // 2, int(y) - radius)
        if face in signs and index not in doubtful:
            lay(shown, signs[face], (where[0], where[1] - signs[face].shape[0] // 2))
            continue
        text = "?" if index in doubtful else str(face)
        cv2.putText(shown, text, where, cv2.FONT_HERSHEY_DUPLEX, 0.9, colour, 2, cv2.LINE_AA)
    return rgba_of(np.asarray(shown, np.uint8))


def lay(shown: Picture, sign: Picture, place: tuple[int, int]) -> None:
    """Lay a small picture with transparent parts upon a large one, wholly within it."""
    (high, wide), (tall, broad) = sign.shape[:2], shown.shape[:2]
    if high > tall or wide > broad:
        return
    x, y = min(max(place[0], 0), broad - wide), min(max(place[1], 0), tall - high)
    part = shown[y : y + high, x : x + wide]
    share = sign[..., 3:] / 255.0
    part[:] = (sign[..., 2::-1] * share + part * (1.0 - share)).astype(np.uint8)
