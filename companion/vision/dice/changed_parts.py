"""Where a mat looks other than before a throw: only there the thrown dice are looked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

DIE_PX = 6.0
"""Pixels of a die's edge in the small pictures that are compared."""
CHANGED = 10
"""Levels of a colour, of 255, by which something new differs from what was there."""
AROUND = 3
"""Small pixels around a change that belong to it: shadows, and faces like the mat."""
MARGIN = 0.6
"""Edges around a part that are seen with it: the net needs what surrounds a die."""
MOST = 0.7
"""Where more of the picture has changed, all of it is looked at: the light is another."""


@dataclass(frozen=True, slots=True, eq=False)
class ChangedPart:
    """A part of a picture; what it shows of other parts is theirs."""

    left: int
    top: int
    right: int
    low: int
    owners: NDArray[np.int32]
    """Of each small pixel, the number of its part."""
    number: int
    scale: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a place, in pixels of the whole picture, belongs to this part."""
        row, column = (int(np.clip(v * self.scale, 0, most - 1))
                       for v, most in zip((y, x), self.owners.shape, strict=True))  # fmt: skip
        return bool(self.owners[row, column] == self.number)


def changed_parts(
    before: NDArray[np.uint8], now: NDArray[np.uint8], edge: float
) -> list[ChangedPart]:
    """The parts of a picture in which something changed; dice have so many pixels to an edge."""
    height, width = now.shape[:2]
    scale = min(1.0, DIE_PX / edge)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    old, new = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (before, now))
    changed = (cv2.absdiff(old, new).max(axis=2) >= CHANGED).astype(np.uint8)
    grown = cv2.dilate(changed, np.ones((2 * AROUND + 1,) * 2, np.uint8))
    count, numbers, boxes, _ = cv2.connectedComponentsWithStats(grown, connectivity=4)
    owners, margin = np.asarray(numbers, np.int32), MARGIN * edge

    def parts() -> Iterator[ChangedPart]:
        for number in range(1, count):
            x, y, wide, high, _ = (float(v) for v in boxes[number])
            yield ChangedPart(
                max(0, int(x / scale - margin)),
                max(0, int(y / scale - margin)),
                min(width, int((x + wide) / scale + margin) + 1),
                min(height, int((y + high) / scale + margin) + 1),
                owners,
                number,
                scale,
            )

    found = list(parts())
    area = sum((one.right - one.left) * (one.low - one.top) for one in found)
    if area <= MOST * width * height:
        return found
    return [ChangedPart(0, 0, width, height, np.ones((1, 1), np.int32), 1, scale)]
